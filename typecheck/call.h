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

#endif
