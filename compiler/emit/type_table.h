// type_table.h - the classes of a program whose instances may travel: the numbers that stand for
// them on the wire are places in this table (runtime/PROTOCOL.md 5.1).
//
// All programs of a choreography have the same table, with None for what a role has not got. It is
// made from what every compilation of the program sees: enums and dataclasses of all modules, those
// inside other classes too, in the order of the linked unit; then imported classes that annotations
// name. Only what a module surely binds is in it, so that to name it is never an error. Whether the
// class can be sent is seen when it is there (typetable.py): one too many does no harm.

#ifndef PYCHORAL_EMIT_TYPE_TABLE_H
#define PYCHORAL_EMIT_TYPE_TABLE_H

#include "compiler/base/buf.h"
#include "compiler/base/source.h"
#include "ir_gen.h"

typedef struct TypeEntry {
    Sym  root;                  // the module's name that it is found by
    Sym  path;                  // `root`, or a class in it: "Reply.Kind"
    const Stmt *import;         // of an imported class: the statement, in some module
} TypeEntry;

typedef struct TypeEntries { const TypeEntry *at; size_t len; } TypeEntries;

TypeEntries type_table(Arena *a, Names *names, const Unit *checked);

// One line for each: what a hash is made of.
void type_table_describe(Buf *b, TypeEntries table);

#endif
