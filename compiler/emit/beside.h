// beside.h - the modules that lie beside the programs of a choreography, as what is printed at the
// end of these needs to know of them.

#ifndef PYCHORAL_EMIT_BESIDE_H
#define PYCHORAL_EMIT_BESIDE_H

#include "compiler/emit/site_table.h"

typedef struct BesideModule {
    Sym      name;
    SymList  uses;              // other modules beside it that it imports
    SymList  bound;             // the names that its imports bind
    SiteRows sites;
} BesideModule;

typedef struct BesideModules { const BesideModule *at; size_t len; } BesideModules;

// The names of a program's text, and of the classes beside it whose instances may come; a name for
// each module that it loads.
SymList beside_mentioned(Arena *a, Names *names, const Endpoint *endpoint);

// The modules that a text of these names imports.
SymList beside_uses(Arena *a, Names *names, SymList mentioned);

// Those that a program with these names imports, and those that they do: an entry for each.
bool *beside_reached(Arena *a, Names *names, BesideModules modules, SymList mentioned);

#endif
