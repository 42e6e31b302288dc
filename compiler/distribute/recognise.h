// recognise.h - what the things of a training script are: datasets, optimizers, tapes, models.
//
// A *slot* is a variable of a block, or an attribute that the methods of a class reach through
// `self`. Names are resolved as Python's scopes have them, through imports, assignments of modules
// and classes, the classes of the file, and parameters for which every call passes the same kind.

#ifndef PYCHORAL_DISTRIBUTE_RECOGNISE_H
#define PYCHORAL_DISTRIBUTE_RECOGNISE_H

#include "compiler/base/table.h"
#include "compiler/distribute/bodies.h"
#include "compiler/distribute/tool.h"
#include "compiler/ir/scopes.h"

typedef enum Kind {
    KIND_NONE, KIND_DATASET, KIND_OPTIMIZER, KIND_SCHEDULE, KIND_TAPE, KIND_MODEL, KIND_LAYER,
    KIND_CHECKPOINT, KIND_MANAGER, KIND_WRITER, KIND_METRIC, KIND_CALLBACK, KIND_PROGBAR,
    KIND_SEQUENCE, KIND_VARIABLE, KIND_LOGGER, KIND_ENVIRONMENT, KIND_ITERATOR,
    KIND_NET, KIND_STEPPER, KIND_STEP_SCHEDULE, KIND_LOADER, KIND_ITERABLE, KIND_BOARD,    // torch
    KIND_OPTIMIZER_V1, KIND_SESSION,
} Kind;

typedef struct Func Func;
typedef struct Slot Slot;

// What an expression is. `path` is that of a module, class or function, if it is one (kind NONE),
// or that of the class of the object.
typedef struct Value {
    Kind kind;
    Sym path;
    const Stmt *class_;         // of the file, that it is or is an instance of
    const Func *func;           // of the file, that it is
} Value;

typedef enum BindHow { BIND_VALUE, BIND_PART, BIND_ELEMENT, BIND_MORE } BindHow;

// `slot` gets the value of an expression, a part of it, an element of it, or more of it (`+=`).
typedef struct Binding {
    Slot *slot;
    const Expr *value;
    BindHow how;
    const Stmt *stmt;           // NULL: a parameter
    size_t part;                // which one, of a part
    size_t next;                // the number of the slot's next one; 0: none
} Binding;

struct Slot {
    Sym name;
    const Block *block;         // NULL: an attribute of `class_`
    const Stmt *class_;
    Value value;
    bool mixed;                 // it gets values of more than one kind
    bool equal;                 // a collective makes it equal on all processes, in place
    const Func *parameter_of;
    uint64_t labels;            // flow.h
    size_t first, last;         // the numbers of its bindings, from 1
};

struct Func {
    const Stmt *def;
    const Block *block;
    const Stmt *class_;         // whose method it is, or NULL
    Sym self;                   // its first parameter, of a method
    bool traced;                // by tf.function
    bool trains;                // it applies gradients, or calls a function that does
    bool collective;            // it makes a collective operation, or calls one that does
    uint64_t labels;            // of what it returns
    Vec(const Expr *) returns;
};

typedef struct CallSite {
    const Expr *call;
    const Stmt *stmt;
    Func *in;                   // the function around it, or NULL
    Func *callee;               // of the file, or NULL
} CallSite;

// Where a statement stands.
typedef struct StmtInfo {
    const Stmt *parent;
    BodyKind kind;
    Func *in;
    const Stmt *class_;
} StmtInfo;

typedef struct Scan {
    Tool *t;
    Arena *arena;
    Scopes scopes;
    Table *slots;              // Block or class Stmt: Table of names: Slot
    Table *infos;               // Stmt: StmtInfo
    Table *funcs;               // Stmt: Func
    Table *block_funcs;         // Block: Func
    Vec(Slot *) all_slots;
    Vec(Func *) all_funcs;
    Vec(Binding) bindings;      // number `n` is at n - 1
    Vec(CallSite) calls;
    Vec(const Stmt *) stmts;    // in the order of the source
    Vec(const CallSite *) training;     // calls that train
    Table *values;              // Expr: its Value, and in which round it was found
    int round;
    Table *named;               // Expr, of a name: Slot
    int depth;
    const Block **near;         // the block that was asked for last
} Scan;

Scan *scan_new(Tool *t);

const StmtInfo *scan_info(const Scan *s, const Stmt *stmt);
const Block *scan_block(const Scan *s, uint32_t at);            // the innermost one
Slot *scan_slot(Scan *s, const Expr *e);      // of a Name or an attribute; NULL: none
#define EACH_CALL(c, s) \
    (const CallSite *c = (s)->calls.at; c != NULL && c < (s)->calls.at + (s)->calls.len; c++)
// The bindings of a slot, in order; none of NULL.
const Binding *slot_first(const Scan *s, const Slot *slot);
const Binding *slot_next(const Scan *s, const Binding *b);
#define EACH_BINDING(b, s, slot) \
    (const Binding *b = slot_first(s, slot); b != NULL; b = slot_next(s, b))
Value  scan_value(Scan *s, const Expr *e);
Func  *scan_callee(Scan *s, const Expr *call);
bool   value_is(Value v, Kind kind);
bool   path_is(Sym path, const char *pattern);                  // `*` at the end
// The receiver of a method call of a kind: `o` of `o.name(...)`; NULL otherwise.
const Expr *scan_method(Scan *s, const Expr *call, Kind kind, const char *name);
// `loss.backward()`: gradients of torch.
bool scan_backward(Scan *s, const Expr *call);
// Whether a call that trains is in a part of the text.
bool scan_trains(const Scan *s, Span at);
// The innermost loop around a statement within its function, or NULL.
const Stmt *scan_loop(const Scan *s, const Stmt *stmt);
bool scan_is_within(const Scan *s, const Stmt *inner, const Stmt *outer);

#endif
