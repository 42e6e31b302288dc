// amend.h - amendment: inserts the selections without which a role cannot know a choice
// (docs/projection.md, "Amendment").

#ifndef PYCHORAL_AMEND_H
#define PYCHORAL_AMEND_H

#include "compiler/pass/pass.h"

typedef struct Amendment {
    Text   text;                // the source with its selections; the given one when none was added
    size_t edits;               // how many insertions were made
    Diags *left;                // what is reported about that text: no error if all is well
    const Source *source;       // that text as it was compiled; NULL if it is no text
    Arena *arena;               // where `left` and `source` live: free it when they are not needed
} Amendment;

// Compiles `bytes` again and again, each time inserting what the first remaining error of the
// family E06 offers, until there is none or none offers anything. `like` gives all but the source.
// `a` holds the text.
Amendment amend_source(Arena *a, const PassCx *like, const char *name, Text bytes);

#endif
