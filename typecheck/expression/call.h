// call.h - what the files about calls share.

#ifndef PYCHORAL_TYPECHECK_CALL_H
#define PYCHORAL_TYPECHECK_CALL_H

#include "typecheck/expression/operands.h"

// A call that was reported as wrong: poison.
static inline const Expr *call_failed(Scope *sc, const Expr *e) {
    sc->fn->failed = true;
    return expr_poison(sc, e);
}

// `super()` in the checked tree: a name that no program can write, since nothing happens there.
#define SUPER_NAME "super()"

static inline bool expr_is_super(const Expr *e) {
    return e->kind == EXPR_NAME && sym_is(e->name.id, SUPER_NAME);
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
    Subst       view;               // from the names of `f` to those of `roles` and `vars`
    SymList     roles;              // to be decided
    SymList     known;              // what they are, if that is known from the start; or none
    SymList     vars;               // type parameters to be decided
    LocType     result;             // in the names of `roles` and `vars`
    const Stmt *generic;            // the definition that has the type parameters
} Callee;

// ---- call_generic.c ----
// Type parameters to be decided by a call have names that no program can write, so that they are
// not those of the caller. Adds them to `view`.
SymList     call_own_vars(Program *p, SymList params, Subst *view);
SymList     call_source_vars(Program *p, SymList vars);     // their names in the source
// Reports type arguments that are not decided, or break a bound.
bool        call_types_fit(Scope *sc, const Expr *call, const Callee *c, const Ty **given);
// The target with the type arguments of its class.
const Expr *call_put_types(Scope *sc, const Expr *target, const Callee *c, const Ty **given);

// Who is called, or used as a value: `target` is how it stands in the source.
Callee      callee_of_nested(Function *f, const Expr *target);
Callee      callee_of_function(Scope *sc, const Decl *d, const Expr *target);
Callee      callee_of_method(Scope *sc, const Ty *inst, const Member *m, const Expr *target);

// ---- call.c ----

const Expr *call_method(Scope *sc, const Expr *call, const Expr *callee, const Ty *inst,
                        const Member *m, const LocType *want);
const Expr *call_choreography(Scope *sc, const Expr *call, Callee c, const LocType *want);

// What is known of the roles of a call, or of a choreography used as a value.
typedef struct Binding {
    const Function *f;
    const LocType *types;           // by parameter, in the names that are to be decided
    const Expr **args;              // by parameter; NULL: left to its default
    SymList formals;
    Sym    *actuals;                // by formal; NULL: not known yet
    SymList vars;
    const Ty **given;               // by type parameter; NULL: not known yet
    bool   stated;                  // they are written at the call
} Binding;

Binding call_binding(Scope *sc, const Callee *c);
Subst   call_decided(const Binding *b);

// Learns roles from what stands for what, the most certain first: the ends of a symmetric channel,
// and the roles of what is replicated, could be meant in any order.
typedef enum LearnStep { LEARN_SINGLE, LEARN_CHANNELS, LEARN_SETS } LearnStep;
void call_learn(Scope *sc, const Binding *b, LocType param, LocType arg, LearnStep step);
void call_learn_roles(const Binding *b, SymList params, SymList args);
// The roles that are written in `f[A, B]`, and putting them where they belong.
bool call_explicit_roles(Scope *sc, const Expr *callee, Binding *b, SymList *out);
bool call_give_explicit(Scope *sc, const Expr *callee, Sym name, const Binding *b, SymList given);
bool call_roles_distinct(Scope *sc, const Expr *call, const Binding *b, Sym name);

// ---- funval.c ----

// A choreography as a value; `e` is the name or method as it stands there.
const Expr *function_value(Scope *sc, const Expr *e, Callee c, const LocType *want);
const Expr *call_value(Scope *sc, const Expr *call, const Expr *callee);
// The type of `o.__call__`, where an instance stands for a function; else that of `o`.
const Ty *instance_call_type(Scope *sc, const Expr *o);
bool names_channel_method(Scope *sc, const Expr *e);           // `ch.com`, `self.ch.com`
const char *help_channel_methods(void);                        // what a channel can do
const Ty *type_of_path(Scope *sc, const Expr *e);               // `x`, `self.x`; NULL: not known
// What a lambda gives whose parameters are those of `want`, as far as its body says that.
LocType lambda_gives(Scope *sc, const Expr *e, const Ty *want);

#endif
