// pipeline.h - the steps from the source of a dataset to the loop, or `fit`, that trains on it.

#ifndef PYCHORAL_DISTRIBUTE_PIPELINE_H
#define PYCHORAL_DISTRIBUTE_PIPELINE_H

#include "compiler/distribute/plan.h"

typedef enum Length { LENGTH_EQUAL, LENGTH_UNKNOWN, LENGTH_ENDLESS } Length;

typedef struct Pipeline {
    Plan *p;
    int depth;                  // of functions that return it
    Vec(const Expr *) steps;    // calls of methods, from the end to the source
    Vec(const Expr *) sources;
    Vec(const Expr *) names;    // mentions of variables that hold a part of it
} Pipeline;

// Calls `seen` for every dataset that is trained on: the iterable of a loop, what `fit` is given,
// what an iterator is made of.
typedef void UseSeen(Plan *p, Pipeline *l, const Expr *use);
void pipeline_each(Plan *p, UseSeen *seen);

Pipeline *pipeline_of(Plan *p, const Expr *e);
Sym pipeline_method(const Expr *step);
// How many elements come out; `last` gets the last step that makes the number unknown.
Length pipeline_length(const Pipeline *l, const Expr **last);
// `max(1, n // size)`; the same of the rounds of a loop over a range.
void pipeline_divide_count(Plan *p, const Expr *n);
void pipeline_divide_rounds(Plan *p, const Stmt *loop);
// The same of limits of a number of batches that the script counts.
void pipeline_divide_limits(Plan *p);
// A share of an array that `fit` is given.
void pipeline_divide_array(Plan *p, const Expr *x);
bool pipeline_is_data(Plan *p, const Expr *e);
// Refuses a loop over numbers that takes slices of the data by them.
void pipeline_check_slices(Plan *p, const Stmt *loop);
// Whether an environment is played; whether batches are drawn at random.
bool pipeline_plays(Plan *p);
bool pipeline_is_random(Plan *p);
// The processes draw differently. False: PyTorch's seed is not set.
bool pipeline_spread_seeds(Plan *p);
// A call `next(it)` in a loop that trains.
bool pipeline_draws(Plan *p, const CallSite *c);

#endif
