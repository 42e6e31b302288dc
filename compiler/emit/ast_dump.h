// ast_dump.h - a module as Python 3.13's `ast.dump(tree, indent=2)` prints it.

#ifndef PYCHORAL_AST_DUMP_H
#define PYCHORAL_AST_DUMP_H

#include "compiler/base/buf.h"
#include "compiler/base/source.h"
#include "ir_gen.h"

// Takes a part of the text away; false if it cannot, then nothing more is printed.
typedef struct AstDumpOutput {
    void *cx;
    bool (*write)(void *cx, Text part);
} AstDumpOutput;

// Prints a MODULE that holds forms of Python only, and ends the line. A chain of n links makes
// lines of up to 2n blanks, a text of size n*n: `output`, unless it is NULL, gets what is in the
// buffer whenever that is large, and the buffer is emptied.
void emit_ast_dump(Buf *b, const Unit *u, const AstDumpOutput *output);

#endif
