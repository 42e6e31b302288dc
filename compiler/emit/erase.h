// erase.h - the role-erased program: the whole choreography in one process, which runs every
// expression as the role that holds it.
//
// It is the meaning that the endpoint programs must agree with: role by role, they print the same.

#ifndef PYCHORAL_EMIT_ERASE_H
#define PYCHORAL_EMIT_ERASE_H

#include "compiler/base/buf.h"
#include "compiler/base/source.h"
#include "ir_gen.h"

typedef struct CentralCx {
    Arena      *arena;
    Names      *names;
    const char *source_name;    // without folders
    const char *source_hash;    // SHA-256 in hexadecimal
    Sym         entry;
    const Source *source;       // whose places messages have; NULL: none are said
} CentralCx;

// Prints a checked unit as a Python module over `pychoral.central`.
void emit_central(Buf *b, const CentralCx *cx, const Unit *checked);

#endif
