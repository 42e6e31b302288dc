// ast_json.h - a module as one JSON object per node, for programs that read trees.
//
// "_type" comes first, then Python's fields by name (None is null, lists are arrays), then lineno,
// col_offset, end_lineno and end_col_offset (UTF-8 bytes) on nodes that have them in Python. A
// constant's value is {"kind": K, "value": text}, K one of none, bool, int (decimal digits), float
// and complex (its imaginary part; both as float.hex() prints them), str, bytes (hexadecimal) and
// ellipsis. Strings are JSON strings in UTF-8, in which lone surrogates are escaped.

#ifndef PYCHORAL_AST_JSON_H
#define PYCHORAL_AST_JSON_H

#include "compiler/base/buf.h"
#include "compiler/base/source.h"
#include "ir_gen.h"

// Prints a MODULE that holds forms of Python only, on one line without its end.
void emit_ast_json(Buf *b, const Unit *u, const Source *s);

#endif
