// imported_modules.h - the modules that lie beside the programs of a choreography, as what is
// printed at the end of these needs to know of them.

#ifndef PYCHORAL_EMIT_IMPORTED_MODULES_H
#define PYCHORAL_EMIT_IMPORTED_MODULES_H

#include "compiler/emit/site_table.h"

typedef struct ImportedModule {
    Sym      name;
    SymList  uses;              // other modules beside it that it imports
    SymList  bound;             // the names that its imports bind
    SiteRows sites;
} ImportedModule;

typedef struct ImportedModules { const ImportedModule *at; size_t len; } ImportedModules;

// The names of a program's text, and of the classes beside it whose instances may come; a name for
// each module that it loads.
SymList imported_mentioned(Arena *a, Names *names, const Endpoint *endpoint);

// The modules that a text of these names imports.
SymList imported_uses(Arena *a, Names *names, SymList mentioned);

// Those that a program with these names imports, and those that they do: an entry for each.
bool *imported_reached(Arena *a, Names *names, ImportedModules modules, SymList mentioned);

#endif
