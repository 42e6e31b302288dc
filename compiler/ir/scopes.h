// scopes.h - the blocks of a Python module and what each name is in them (The Python Language
// Reference, section 4.2), as CPython's symbol table has them.
//
// Names are as the class around them mangles them. Annotations that `from __future__ import
// annotations` makes texts mention nothing.

#ifndef PYCHORAL_SCOPES_H
#define PYCHORAL_SCOPES_H

#include "compiler/base/diag.h"
#include "compiler/base/table.h"
#include "ir_gen.h"

typedef enum BlockKind {
    BLOCK_MODULE, BLOCK_CLASS, BLOCK_FUNCTION, BLOCK_LAMBDA, BLOCK_COMPREHENSION,
    BLOCK_TYPE_PARAMS,          // around a definition with type parameters, or of a type alias
} BlockKind;

typedef enum SymbolScope {
    SYMBOL_LOCAL,
    SYMBOL_CELL,                // local, and free in a block inside
    SYMBOL_FREE,                // of a function around this one
    SYMBOL_GLOBAL_EXPLICIT,     // declared so
    SYMBOL_GLOBAL_IMPLICIT,
} SymbolScope;

enum {                          // what a block does with a name
    SYMBOL_USED = 1, SYMBOL_ASSIGNED = 2, SYMBOL_PARAMETER = 4, SYMBOL_IMPORTED = 8,
    SYMBOL_ANNOTATED = 16, SYMBOL_DECLARED_GLOBAL = 32, SYMBOL_DECLARED_NONLOCAL = 64,
    SYMBOL_TARGET = 128,        // a variable of a comprehension
    SYMBOL_FIXED = 256,         // mentioned by an annotation or a pattern, or a type alias
    SYMBOL_DEFINED = 512,       // bound by `def`, `class`
    SYMBOL_CAUGHT = 1024,       // bound by `as` of a handler, a pattern
    SYMBOL_NAMED = 2048,        // bound by `:=`
    SYMBOL_BOUND = SYMBOL_ASSIGNED | SYMBOL_PARAMETER | SYMBOL_IMPORTED,
};

typedef struct Symbol {
    Sym         name;
    unsigned    flags;
    SymbolScope scope;
    Span        declared;       // the first `global` or `nonlocal`
} Symbol;

typedef struct Block Block;
struct Block {
    BlockKind    kind;
    Sym          name;          // "top", "lambda", "listcomp" ... where there is none
    Span         at;
    const Block *outer;         // NULL: the module
    Vec(Block *) inner;
    Vec(Symbol *) symbols;      // in order of first mention; `.0`: the iterator of a comprehension
    Table       *by_name;
    Sym          class_;        // whose private names it sees mangled; NULL: nobody's
};

typedef struct Scopes { Block *module; Table *of_node; } Scopes;

// What CPython's symbol table refuses is reported, unless `diags` is NULL.
Scopes scopes_new(Arena *a, Names *names, StmtList module, Diags *diags);

// The block that a definition (Stmt *), a lambda or a comprehension (Expr *) opens.
const Block *scopes_block(const Scopes *s, const void *node);

const Symbol *block_symbol(const Block *b, Sym mangled);        // NULL when it is not mentioned

// A name as it is in the bodies of a class; NULL: in none.
Sym scopes_mangle(Names *names, Sym class_, Sym name);

#endif
