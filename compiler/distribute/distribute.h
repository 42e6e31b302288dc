// distribute.h - from the script of a single machine to one that N processes run.
//
// The input is ordinary Python: a parsed unit, nothing more. The result is a list of edits of the
// source, all of them or none: a script that breaks a restriction of the rules, or of which it
// cannot be shown that its distributed form is right, is refused (E11xx).

#ifndef PYCHORAL_DISTRIBUTE_H
#define PYCHORAL_DISTRIBUTE_H

#include "compiler/base/diag.h"
#include "compiler/base/edit.h"
#include "ir_gen.h"

typedef enum DistributeRules { RULES_DEFAULT, RULES_SEED } DistributeRules;
typedef enum DistributeScale { SCALE_LINEAR, SCALE_SQRT, SCALE_NONE } DistributeScale;

// What the processes work together by.
typedef enum Framework {
    FRAMEWORK_HOROVOD, FRAMEWORK_TF, FRAMEWORK_KERAS, FRAMEWORK_DDP,
} Framework;

typedef struct DistributeOptions {
    DistributeRules rules;
    Framework framework;
    bool many_hosts;            // of tf.distribute
    const char *warmup;         // a number of steps, or NULL
    DistributeScale scale;
} DistributeOptions;

typedef struct DistributeCx {
    Arena *arena;
    Names *names;
    const Source *source;
    const Unit *unit;
    Diags *diags;
    DistributeOptions options;
} DistributeCx;

// A rule that was applied, for reports.
typedef struct Fired { const char *id; Span at; } Fired;

typedef enum DistributeOutcome {
    DISTRIBUTE_DONE, DISTRIBUTE_ALREADY, DISTRIBUTE_REFUSED,
} DistributeOutcome;

typedef struct Distribution {
    DistributeOutcome outcome;
    Edits edits;                // empty unless it is done
    const Fired *fired;         // in the order of the source
    size_t fired_count;
} Distribution;

Distribution distribute_unit(const DistributeCx *cx);

#endif
