// syntax_error.h - what to say when no rule of the grammar fits. Private to this folder.

#ifndef PYCHORAL_SYNTAX_ERROR_H
#define PYCHORAL_SYNTAX_ERROR_H

#include "compiler/front/build.h"

// More tokens than this that would fit are no help in a message.
#define SYNTAX_EXPECTED_MAX 3

// Reports that the token handed out last does not fit. `expected` are the tokens that would, as
// the grammar spells them; none when there are too many. Says nothing about a mistake in a
// logical line that has one already, or one that follows from a mistake before.
void syntax_error_report(Build *b, const char *const *expected, size_t count);

#endif
