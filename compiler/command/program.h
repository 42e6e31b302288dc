// program.h - the endpoint programs of a compiled file, as texts.

#ifndef PYCHORAL_COMMAND_PROGRAM_H
#define PYCHORAL_COMMAND_PROGRAM_H

#include "compiler/command/output.h"
#include "compiler/command/session.h"
#include "compiler/pass/link.h"

typedef struct RoleProgram {
    Sym  role;
    OutputFile file;            // `client.py` and its text
} RoleProgram;

// Of all roles, in the order of the entry's, and the modules that they import.
typedef struct Programs { const RoleProgram *at; size_t len; OutputFiles modules; } Programs;

// The programs of all roles, in the order of the entry's roles. The file is compiled without
// errors.
Programs programs_of(Session *s, const Compilation *c);

// Whether the file has an entry, so that its programs can be started; reports if not.
bool programs_runnable(Session *s, const Compilation *c);

// The roles of the entry, in its order. The file has an entry.
SymList programs_roles(Session *s, const Compilation *c);

// A parameter of the entry that a role takes on its command line, or that several must be given
// alike. Type and default are as in the source; without a default (NULL) it must be given.
typedef struct RoleParameter {
    SymList roles;
    Sym     name;
    const char *type, *standard;
} RoleParameter;
typedef struct RoleParameters { const RoleParameter *at; size_t len; } RoleParameters;

// All of them, in the order of the entry's signature. The file has an entry.
RoleParameters programs_parameters(Session *s, const Compilation *c);

// Adds the generated modules of which the program has only the interfaces: they lie beside these.
// One that is not there is an error if it must be, else left out; one that is in `folder`
// already (NULL: none is) is left out too. Reports; gives false if anything is wrong.
bool programs_add_compiled(Session *s, const Compilation *c, Programs *programs,
                           const char *folder, bool must);

// "`--A.x`, `--A.y`": the options of a role; "`x`, `y`" if that is NULL.
const char *names_listed(Session *s, const char *role, const char *const *names, size_t count);

// `needs`, such as a program in C, is made of the sources of all modules.
void programs_report_source(Session *s, DiagId id, const char *needs, const LinkedModule *m);

// The role with that name. If there is none, reports it and returns NULL.
Sym programs_role(Session *s, SymList roles, const char *name);

// The program of one role; reports and gives NULL when there is no such role.
const RoleProgram *programs_find(Session *s, Programs programs, const char *role);

OutputFiles programs_files(Session *s, Programs programs);

// Writes them to a folder, with copies of the runtimes.
Status programs_write(Session *s, Programs programs, const char *folder, Runtimes runtimes);

// ---- in C (program_c.c) ----

// The roles that `wanted` (by role; NULL: all) names, in C: a file for each, then what these
// include, and the Makefile, which takes the runtime from where it is, or (NULL) from a copy beside
// it. Reports what C cannot have; gives false then.
bool programs_in_c(Session *s, const Compilation *c, const bool *wanted, const CRuntime *runtime,
                   Programs *programs);

// What the main program is printed with.
EndpointCx programs_cx(Session *s, const Compilation *c);

// Runs make in a folder of such programs. `say`: shows what it does. Reports if that fails.
Status programs_make(Session *s, const Compilation *c, const char *folder, bool say);

#endif
