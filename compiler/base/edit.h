// edit.h - changes to a text as a list of edits, and where things are before and after them.
//
// Edits are made in any order. Those at one place stay in the order in which they were made; none
// may overlap another. What is inserted has "\n" as its line end, and gets that of the text.

#ifndef PYCHORAL_EDIT_H
#define PYCHORAL_EDIT_H

#include "compiler/base/diag.h"
#include "compiler/base/vec.h"

typedef Vec(Edit) Edits;

// From `start` to `end` of the text before it, `len` bytes stand now.
typedef struct Moved { uint32_t start, end, len; } Moved;

typedef struct Edited {
    Text text;
    const Moved *moved;         // in order, one for each edit
    size_t count;
} Edited;

// Sorts `edits`. Gives a text with `at` NULL if two of them overlap.
Edited edits_apply(Arena *a, Text text, Edits *edits);

// Where it was before; what was inserted was where it is inserted.
uint32_t edited_before(const Edited *e, uint32_t at);

// The same for places that come in order. `place` starts as zeros.
typedef struct EditedPlace { size_t edit; uint32_t grown; } EditedPlace;
uint32_t edited_before_next(const Edited *e, EditedPlace *place, uint32_t at);

// What the edits have left of the text and what they took from `old`, put together again.
Text edited_undo(Arena *a, const Edited *e, Text old);

#endif
