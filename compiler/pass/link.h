// link.h - one unit out of a program's modules.
//
// `import lib` may name another choreography: LIB.pyc, LIB.py or the interface LIB.chi, beside the
// importing source or on the search path. Such a module is read, and its statements are put before
// those of the module that imports it. From then on the program is one unit with one source
// (base/source.h, `parts`), and every later pass sees whole programs.
//
// What a module binds gets its module's name in front (base/qualified.h), so that no name of one
// module means something in another. The names of the main module stay as they are unless another
// module uses the same name for something of Python's. Foreign imports that all modules agree on,
// roles and the words of `pychoral` are not qualified.

#ifndef PYCHORAL_LINK_H
#define PYCHORAL_LINK_H

#include "compiler/base/sha256.h"
#include "compiler/pass/pass.h"

// A module of the program, at the index of its part in the source; the main module is the first.
typedef struct LinkedModule {
    Sym         name;           // of its generated module
    const char *path;
    char        hash[SHA256_HEX_SIZE];  // of its source; not filled in for the main module
    bool        interface;      // only its interface is here
} LinkedModule;

// Gives a unit of all modules, and sets `cx->source` and `cx->linked`; the unit itself when it
// imports no other module.
const Unit *link_unit(PassCx *cx, const Unit *unit);

#endif
