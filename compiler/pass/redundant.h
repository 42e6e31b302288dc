// redundant.h - selections that nobody needs: without them every role still knows what to do.

#ifndef PYCHORAL_REDUNDANT_H
#define PYCHORAL_REDUNDANT_H

#include "compiler/pass/pass.h"

// The selections that tell one role of one choice, all of which can go together.
typedef struct Redundant {
    Sym  receiver;
    const Span *at; size_t count;
} Redundant;

typedef struct RedundantList { const Redundant *at; size_t len; } RedundantList;

// Tries every group of selections of a compiled unit (`cx` was run to PASS_PROJECT without an
// error): projects the unit without it. Time: one projection for each group.
RedundantList redundant_find(const PassCx *cx);

#endif
