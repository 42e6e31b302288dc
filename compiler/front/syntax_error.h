// syntax_error.h - what to say when no rule of the grammar fits. Private to this folder.

#ifndef PYCHORAL_SYNTAX_ERROR_H
#define PYCHORAL_SYNTAX_ERROR_H

#include "compiler/front/build.h"

// Reports that the token handed out last does not fit. `expected` is the only token that would,
// as the grammar spells it, or NULL when there is a choice. Says nothing about a mistake in a
// logical line that has one already, or one that follows from a mistake before.
void syntax_error_report(Build *b, const char *expected);

#endif
