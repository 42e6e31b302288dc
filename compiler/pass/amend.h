// amend.h - amendment: inserts the selections without which a role cannot know a choice
// (docs/projection.md, "Amendment"), in all files of a program.

#ifndef PYCHORAL_AMEND_H
#define PYCHORAL_AMEND_H

#include "compiler/pass/pass.h"

// A file that was amended, the main one or an imported module.
typedef struct AmendedFile {
    const char *path;
    Text        old, text;      // as it was, and with its selections
    size_t      edits;          // how many insertions were made
} AmendedFile;

typedef struct Amendment {
    const AmendedFile *at;      // in the order in which they were first changed
    size_t len;
    Diags *left;                // what is reported about the amended program
    const Diag *cause;          // the first error that no selection mends, or NULL
    Place  cause_at;            // where that is in its file as it was
    const char *unwritable;     // the file whose encoding cannot hold an insertion, or NULL
    Arena *arena;               // where `left` lives: free it when it is not needed
} Amendment;

// Compiles a program again and again, each time inserting what the first remaining error of the
// family E06 offers, until there is none or none offers anything. `like` gives all but the source.
// `a` holds the texts.
Amendment amend_program(Arena *a, const PassCx *like, const char *name, Text bytes);

#endif
