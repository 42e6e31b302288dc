// call.h - what the files about calls share.

#ifndef PYCHORAL_TYPECHECK_CALL_H
#define PYCHORAL_TYPECHECK_CALL_H

#include "typecheck/operands.h"

// A call that was reported as wrong: poison.
static inline const Expr *call_failed(Scope *sc, const Expr *e) {
    sc->fn->failed = true;
    return expr_poison(sc, e);
}

// ---- call_channel.c ----
// The channel whose method is called.
typedef struct Channel {
    const Expr *expr;
    const ChannelClass *class_;
    TyList  types;
    SymList ends;
} Channel;

bool        channel_of(Scope *sc, const Expr *callee, Channel *out);
const Expr *call_channel(Scope *sc, const Expr *call, const Expr *callee, const Channel *ch,
                         const LocType *want);

// ---- call_choreo.c ----
// The choreography that is called.
typedef struct Callee {
    Function   *f;
    Sym         name;
    const Expr *target;             // for the Inst
    SymList     formals;            // of the Inst; none for methods and nested functions
    SymList     from, to;           // roles known from the start (methods, nested functions)
    LocType     result;
} Callee;

const Expr *call_choreography(Scope *sc, const Expr *call, Callee c, const LocType *want);

// What is known of the roles of a call, or of a choreography used as a value.
typedef struct Binding {
    const Function *f;
    const Expr **args;              // by parameter; NULL: left to its default
    SymList formals;
    Sym    *actuals;                // by formal; NULL: not known yet
} Binding;

// Learns roles from what stands for what, the most certain first: the ends of a symmetric channel,
// and the roles of what is replicated, could be meant in any order.
typedef enum LearnStep { LEARN_SINGLE, LEARN_CHANNELS, LEARN_SETS } LearnStep;
void call_learn(Scope *sc, const Binding *b, LocType param, LocType arg, LearnStep step);
void call_learn_roles(const Binding *b, SymList params, SymList args);
// The roles that are written in `f[A, B]`, and putting them where they belong.
bool call_explicit_roles(Scope *sc, const Expr *callee, SymList *out);
bool call_give_explicit(Scope *sc, const Expr *callee, const Binding *b, SymList given);
bool call_roles_distinct(Scope *sc, const Expr *call, const Binding *b, Sym name);

// ---- funval.c ----

// A choreography as a value; `e` is the name or method as it stands there.
const Expr *function_value(Scope *sc, const Expr *e, Callee c, const LocType *want);
const Expr *call_value(Scope *sc, const Expr *call, const Expr *callee);

#endif
