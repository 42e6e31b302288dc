// front.h - from bytes to the IR: decoding, lexing, layout, parsing. The only header of this
// folder that others include.

#ifndef PYCHORAL_FRONT_H
#define PYCHORAL_FRONT_H

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/edit.h"
#include "compiler/base/intern.h"
#include "compiler/base/source.h"
#include "compiler/front/token.h"
#include "ir_gen.h"

// Decodes the bytes of a file to UTF-8 as PEP 263 says (BOM, coding cookie, default UTF-8).
// Gives NULL after reporting when they are no text: an unknown encoding, bytes that the encoding
// does not have, CPython bytecode, a NUL byte.
const Source *front_decode(Arena *a, const char *name, Text bytes, Diags *diags);

// The bytes of an edited text in the encoding and with the byte order mark of the file. Gives false
// for encodings of several bytes other than UTF-8, and for what the encoding cannot hold.
bool front_encode(Arena *a, Text bytes, const Source *source, const Edited *e, Text *out);

// How many lambdas and right operands of `**` may be open inside one another. (Brackets and
// indentation have CPython's limits, 200 and 100; chains such as `a + b + ...` have none.)
#define FRONT_MAX_NESTING 400

// Parses a whole module. Always gives a unit; after syntax errors (reported to `diags`, as many
// as are independent) it holds the statements that could be read.
const Unit *front_parse(Arena *a, Names *names, const Source *source, Diags *diags);

// The tokens of a text, for those who edit it: the tree has no places of keywords, colons, commas
// and brackets. As lexer_run gives them (token.h): without INDENT and DEDENT, comments left out,
// soft keywords as NAMEs; the last is the end of the file. The kinds are those of `parser.h`.
TokenList front_tokens(Arena *a, Names *names, const Source *source, Diags *diags);

#endif
