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
    size_t         top;         // the statement of the module that bound it last, by index
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
    Table        *linked;       // Alias that names what is of the program -> itself
    Table        *reassigned;   // Sym that a function of the module assigns to (`global`) -> it
    bool          loading;      // it is being read
    size_t        top;          // meanwhile: which statement, by index
    size_t        loaded;       // so many of its statements are in the order
    size_t        cut;          // there a module is imported that takes names of this one; 0: none
    const Stmt  **renamed;      // its statements in the linked unit; NULL: nothing is left of one
    const struct Module *importer;
} Module;

// Statements of a module that load one after the other.
typedef struct Stretch { Module *of; size_t from, to; } Stretch;

typedef struct Linker {
    PassCx *cx;
    Arena  *arena;
    Vec(Module *) modules;      // by part; the main module is the first
    Vec(Stretch) order;         // as Python loads them
    uint32_t next;              // where the next part starts
    bool     failed;
} Linker;

// link.c
bool    link_exists(Linker *l, const Module *from, const char *dotted, int level);
bool    link_beyond(Linker *l, const Module *from, int level);  // of the top-level package
// Parses a text as if it stood at an offset of the joined source; NULL if it has errors.
const Unit *link_parse_at(Linker *l, const char *name, Text text, uint32_t at);
// Its statements up to the one that is being read load now.
void link_interrupt(Linker *l, Module *m);
// Loads a module, after the packages that it is in; NULL if no file of the program is of this name.
Module *link_load(Linker *l, const Module *from, const char *dotted, int level);
// The same for the `__init__` of a package.
Module *link_package(Linker *l, const Module *from, const char *dotted, int level);

typedef struct NameArray { const char *const *at; size_t len; } NameArray;

// The modules and packages that lie in the folder of a package.
NameArray link_modules_of(Linker *l, const Module *from, Sym package);

// link_names.c: what the names of a module mean, and what the linked unit calls them.
void        link_bind(Linker *l, Module *m);            // fills env; loads what is imported
void        link_choose_names(Linker *l);
StmtList    link_rename(Linker *l, Module *m);          // fills `renamed`; gives what comes before

// The name of a module in messages: as the program has it.
const char   *link_shown(const Module *m);
bool          link_is_pychoral(const char *module);
// What an imported name stands for where it is defined.
const Target *link_resolve(const Target *t);
// Of a module that is being read: its spans are those of the joined source, which is not there yet.
Diag         *link_report(Linker *l, Module *m, Span at, DiagId id, const char *format,
                          const char *x, const char *y);

// link_rules.c: what imports a program may not have; each is reported.
void link_check_places(Linker *l, Module *m);
// `old` is what the name meant before the module itself defines it, in its statement `top`.
void link_check_own(Linker *l, Module *m, Span at, Sym name, const Target *old, size_t top);
void link_check_import(Linker *l, Module *m, const Alias *alias, Sym name, const Target *old,
                       const Target *now);
// What a module does after another one has taken names of it, Python would do later than the text
// that is generated: it is one file, which imports first what it uses.
void link_check_rest(Linker *l, Module *m);
void link_check_interrupted(Linker *l, Module *m, const Expr *e, const Target *t);
// `owner` gives the imported name.
void link_check_copy(Linker *l, Module *m, const Alias *alias, const Module *owner, Sym name);
void link_note_globals(Module *m);

#endif
