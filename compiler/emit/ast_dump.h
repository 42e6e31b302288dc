// ast_dump.h - a module as Python 3.13's `ast.dump(tree, indent=2)` prints it.

#ifndef PYCHORAL_AST_DUMP_H
#define PYCHORAL_AST_DUMP_H

#include "compiler/base/buf.h"
#include "ir_gen.h"

// Prints a MODULE that holds forms of Python only, and ends the line.
void emit_ast_dump(Buf *b, const Unit *u);

#endif
