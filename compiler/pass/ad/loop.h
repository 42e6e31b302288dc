// loop.h - loops of terms: what leaves the rounds, and loops that are one.

#ifndef PYCHORAL_AD_LOOP_H
#define PYCHORAL_AD_LOOP_H

#include "compiler/pass/ad/term.h"

// What does not need the states is made for all rounds at once, before the loop.
void loop_hoist(Terms *t, TermLoop *l);

// A value of a round over what the loop has kept of that round: without its states.
const Expr *loop_read(Terms *t, const TermLoop *l, const Expr *e);

// [size] of a value of each round. The loop keeps what it computes anyway; the rest is made of that
// for all rounds at once, after it.
const Expr *loop_kept(Terms *t, const TermLoop *l, const Expr *e);

// The terms with loops that have the same rounds made one, which keeps what each of them did;
// states that nothing needs are gone. Two results of one loop then differ in `which` alone.
ExprList loop_merge(Terms *t, ExprList roots);

// Whether a term stores nothing of its own: what it shows of others is not kept.
bool loop_is_view(const Expr *e);

#endif
