// link_internal.h - what the files of the linker share.

#ifndef PYCHORAL_LINK_INTERNAL_H
#define PYCHORAL_LINK_INTERNAL_H

#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "compiler/pass/link.h"

struct Module;

// A name that stands for a module, or for a package with modules in it.
typedef struct Space {
    struct Module *module;      // NULL: only a package
    Table         *children;    // Sym -> Space *
    const char    *text;        // as the source has it: "pkg.lib"
} Space;

// What a name at the top of a module means.
typedef enum TargetKind {
    TARGET_OWN,                 // defined here
    TARGET_FOREIGN,             // imported from a Python module that is not of this program
    TARGET_FIXED,               // a role, a word of pychoral, `import a.b`: never renamed
    TARGET_ENTITY,              // imported from another module of the program
    TARGET_SPACE,
} TargetKind;

typedef struct Target {
    TargetKind     kind;
    Sym            name;        // what the linked unit calls it; for ENTITY: what the module does
    struct Module *module;      // ENTITY
    Space         *space;       // SPACE
    const char    *id;          // FOREIGN, FIXED: what is imported, so that equal ones are shared
    bool           role;
} Target;

typedef struct Module {
    LinkedModule  info;
    const char   *dotted;       // "pkg.lib"; "" for the main module
    const Source *source;
    uint32_t      at;           // where its part starts
    const Unit   *unit;         // its spans are those of the joined source
    Table        *env;          // Sym -> Target *
    Vec(Sym)      order;        // of the names in env
    SymList       free;         // names that it uses and that env has not
    Table        *has_free;
    bool          loading;      // it is being read: an import of it is a cycle
    const struct Module *importer;
} Module;

typedef struct Linker {
    PassCx *cx;
    Arena  *arena;
    Vec(Module *) modules;      // by part; the main module is the first
    Vec(Module *) order;        // imported ones before those that import them
    uint32_t next;              // where the next part starts
    bool     failed;
} Linker;

// link.c
bool    link_exists(Linker *l, const Module *from, const char *dotted, int level);
bool    link_beyond(Linker *l, const Module *from, int level);  // of the top-level package
// Parses a text as if it stood at an offset of the joined source; NULL if it has errors.
const Unit *link_parse_at(Linker *l, const char *name, Text text, uint32_t at);
Module *link_load(Linker *l, const Module *from, const char *dotted, int level);

// link_names.c: what the names of a module mean, and what the linked unit calls them.
void        link_bind(Linker *l, Module *m);            // fills env; loads what is imported
void        link_choose_names(Linker *l);
const Unit *link_rename(Linker *l, Module *m);

#endif
