// ddp.h - PyTorch: what `--target=ddp` finds in a script, for its rules (ddp.def).

#ifndef PYCHORAL_DISTRIBUTE_DDP_H
#define PYCHORAL_DISTRIBUTE_DDP_H

#include "compiler/distribute/plan.h"

// A model that an optimizer trains. It is wrapped behind the last statement that prepares it.
typedef struct Net {
    Slot *slot;
    const Expr *mention;
    const Stmt *after;          // NULL: it is a parameter, wrapped where its function starts
    const Func *in;
    uint32_t from;              // where it is wrapped in the text
    bool toggled;               // gradients of a part of it are switched off and on
    size_t forwards;            // how many calls of it train
} Net;

// A loop over batches that trains.
typedef struct BatchLoop {
    const Stmt *loop;
    Vec(const Expr *) loaders;  // what it iterates over
} BatchLoop;

typedef struct Ddp {
    Vec(Net) nets;
    Vec(BatchLoop) loops;
    Table *holds;               // Slot: what it holds of models
    Table *handed;              // mentions of models that hand them on
    Table *divided;             // calls of DataLoader
    const char *torch, *wrap, *sampler, *agreed, *sum, *os, *nothing;
    bool import_torch, import_os, cuda, samples, sums, random, plays;
    const Stmt *start;          // the guard of `__main__` in which the processes meet, or NULL
} Ddp;

#define RULE(id, function, about) void function(Plan *p);
#include "compiler/distribute/ddp.def"

void ddp_transform(Tool *t);

// ---- shared by the rules ----

// The model that an expression is at its place, wrapped; or NULL.
const Net *ddp_net(Plan *p, const Expr *e);
// Refuses a second backward pass through one call of a model.
void ddp_check_passes(Plan *p);
// Whether a call is the creation of an optimizer of torch.
bool ddp_is_optimizer(Plan *p, const Expr *call);
const BatchLoop *ddp_loop(const Plan *p, const Stmt *loop);
// Whether the data that an expression stands for is divided.
bool ddp_is_divided(Plan *p, const Expr *e);
// Whether a number is computed of how many batches a share has.
bool ddp_counts_share(Plan *p, const Expr *n);
// A loader of a loop that is divided in some of the calls of its function only, or NULL.
const Expr *ddp_mixed(Plan *p, const BatchLoop *loop);
bool call_is_method(const Expr *call, const char *const *names);
// The child of `outer` that a statement is in, or is.
const Stmt *stmt_under(const Plan *p, const Stmt *s, const Stmt *outer);

#endif
