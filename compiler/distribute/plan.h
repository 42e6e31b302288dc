// plan.h - one script under the default rules: what was recognised, and what the rules share.

#ifndef PYCHORAL_DISTRIBUTE_PLAN_H
#define PYCHORAL_DISTRIBUTE_PLAN_H

#include "compiler/distribute/flow.h"

typedef struct Plan {
    Tool *t;
    Scan *s;
    Flow *flow;
    Diags *diags;
    const char *hvd;            // the module of ranks and collectives
    const char *rank;           // the process's number
    const char *size;           // how many processes there are
    const char *agree;          // the function that gives all the value of rank 0
    const char *main;           // the test of the one process that prints and writes
    const char *keras;          // the module of callbacks and of the optimizer for `fit`
    const char *tf;             // TensorFlow's name in the module
    bool tapes, fits, sessions; // which patterns there are
    bool core;                  // what only `horovod.tensorflow` has is used
    const Stmt *import;         // the statement at the top with the first import of the framework
    bool import_tf;             // `tf` has to be imported
    Table *traced;              // Func: the name of what runs it on replicas
    Table *decided;             // tests that rank 0 decides for all
    Table *loads;               // Slot: where it is read; NULL until asked for
    Table *trained;             // mentions of datasets that are trained on
    const char *module_lines;   // after the set-up: flags
    const char *rule;           // that runs, if another table than default.def names it
    struct Ddp *ddp;            // the plan for PyTorch, or NULL
} Plan;

// The rules of default.def, each applied to the whole script.
#define RULE(id, function, about) void function(Plan *p);
#include "compiler/distribute/default.def"
#define RULE(id, function, about) void function(Plan *p);
#include "compiler/distribute/tf.def"
#define RULE(id, function, about) void function(Plan *p);
#include "compiler/distribute/keras.def"

// ---- shared by the rules ----

Framework plan_framework(const Plan *p);
void plan_fire(Plan *p, const char *id, Span at);
void plan_guard(Plan *p, const Stmt *s);                // only on rank 0
bool plan_guards(const Plan *p, const Stmt *s);         // it, or one around it
// Makes the tests of one process's data around a statement decisions of rank 0 for all.
void plan_decide(Plan *p, const Stmt *s);
bool plan_is_common(const Plan *p, const Stmt *s);      // no such test, no `try`, is around it
const char *plan_wait(Plan *p);                         // a line: all wait for each other
void plan_core(Plan *p);                                // a part of horovod.tensorflow is used
// Appends a line to the module, after the set-up.
void plan_module_line(Plan *p, const char *line);
// Puts a learning rate into its scaled form, as --lr-scale says.
void plan_scale(Plan *p, const Expr *rate);
// The rate of an optimizer, scaled: at once, or after a warm-up.
const char *plan_scaled(Plan *p, const char *rate);
const char *plan_rate_factor(Plan *p);                  // " * hvd.size()", or ""
// Whether a statement's calls, or those of the statements within it, train.
bool plan_trains(const Plan *p, const Stmt *s);
// The name that an import gives a module, or NULL.
const char *plan_module(Plan *p, const char *module);
// The first import of a framework, the statement of the module that it is in. Not in a function.
const Stmt *plan_import(Plan *p, const char *const *roots, const char *title);
// The last one of the block of imports that begins with it.
const Stmt *plan_last_import(const Plan *p, const Stmt *import);
bool plan_is_import(const Stmt *n);
// Whether a variable is read behind a place, in a function or the module (NULL).
bool plan_is_read(Plan *p, const Slot *slot, uint32_t after, const Stmt *in);
// The user's own choice of devices goes: each process has one of its own.
void plan_drop_choice(Plan *p);
// Whether a loop in it trains, or one in a function that it calls.
bool plan_has_inner(const Plan *p, const Stmt *loop);
bool call_trains(const Plan *p, const CallSite *c);
// The path of the class of an optimizer, and its learning rate, or NULL.
const Expr *plan_rate(const Plan *p, const Expr *call);

#endif
