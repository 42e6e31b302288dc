// flow.h - what values depend on: the process's own share of the data, its rank, what was restored,
// the gradients of a tape. A label is a bit; a slot has the labels of all that is assigned to it.

#ifndef PYCHORAL_DISTRIBUTE_FLOW_H
#define PYCHORAL_DISTRIBUTE_FLOW_H

#include "compiler/distribute/recognise.h"

enum {
    LABEL_OWN = 1,              // the process's share of the data, the clock, chance
    LABEL_RESTORED = 2,
    LABEL_RANK = 4,
    LABEL_FILES = 8,            // which files there are: rank 0 may be making them
    LABEL_BYPASS = 16,          // what a model gives when it is called past its wrapper
    LABEL_FIRST_TAPE = 32, LABEL_TAPES = 58,
    LABEL_DIFFERS = LABEL_OWN | LABEL_RANK,
    LABEL_APART = LABEL_DIFFERS | LABEL_FILES,      // no collective may depend on it
};

// A tape of a `with`, in the order of the source.
typedef struct Tape {
    const Stmt *with;
    const Withitem *item;
    Sym name;
    Slot *slot;
    uint64_t label;
    bool nested;                // its gradients are taken within the block of another tape
    bool applied;               // they reach a step of training
} Tape;

typedef struct Flow {
    Scan *s;
    Table *bypass;              // expressions that have LABEL_BYPASS by themselves
    bool strict;                // what is computed of any batch is the process's own
    Vec(Tape) tapes;
} Flow;

// Finds the tapes and settles the labels of all slots.
Flow *flow_new(Scan *s);
void flow_settle(Flow *f);                      // again, after `bypass` or `strict` has changed
uint64_t flow_labels(Flow *f, const Expr *e);
bool flow_is_own(Flow *f, const Expr *e);       // depends on the process's share of the data
bool flow_differs(Flow *f, const Expr *e);      // or on its rank
// Whether a variable gets the result of a wrapper of Horovod or torch.
bool flow_is_wrapped(Flow *f, const Expr *e, const char *wrapper);
// Whether a function of Horovod or torch.distributed is a collective operation.
bool path_is_collective(Sym path);
// The tape whose method a call is, or NULL: `t` of `t.gradient(...)`.
Tape *flow_gradient(Flow *f, const Expr *call);

#endif
