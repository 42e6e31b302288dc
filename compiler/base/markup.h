// markup.h - text within XML and HTML.

#ifndef PYCHORAL_MARKUP_H
#define PYCHORAL_MARKUP_H

#include "compiler/base/buf.h"

// Writes the text so that it is text wherever it stands: in an element or in a quoted attribute.
// Control characters, which XML does not allow, become blanks; line ends and tabs stay.
void markup_text(Buf *b, const char *text, size_t len);

#endif
