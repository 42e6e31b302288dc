// json.h - the pieces of JSON that are not numbers or punctuation.

#ifndef PYCHORAL_JSON_H
#define PYCHORAL_JSON_H

#include "compiler/base/buf.h"
#include "compiler/base/source.h"

// A JSON string with its quotes. Lone surrogates are escaped, so that a reader gets them back;
// other bytes that are no UTF-8 become U+FFFD, so that the output is always valid.
void json_string(Buf *b, Text wtf8);

#endif
