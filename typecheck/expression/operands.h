// operands.h - the operands of an expression's node, and the checks of the expression forms.

#ifndef PYCHORAL_TYPECHECK_OPERANDS_H
#define PYCHORAL_TYPECHECK_OPERANDS_H

#include "typecheck/internal.h"

// The operands of a node, checked and brought together.
typedef struct Kids {
    const Expr **at;
    size_t  len;
    SymList roles;          // what they share, once settled
    SymList wanted;         // where the whole is needed; empty: anywhere
    LocType hint;           // the same, or where the first operand is: a message finds its way
    bool    bad;            // reported: the whole is poison
} Kids;

// Room for `n` operands; `want` is where the whole is needed.
Kids        kids_new(Scope *sc, size_t n, const LocType *want);
// One operand; NULL for an absent one. Reports an expression that gives no value at any role.
const Expr *check_operand(Scope *sc, const Expr *e, const LocType *hint);
void        kids_add_checked(Kids *k, const Expr *e);
void        kids_add(Scope *sc, Kids *k, const Expr *e);
Kids        kids_check(Scope *sc, ExprList list, const LocType *want);
// Finds the roles all operands share and places the role-less ones there.
void        kids_settle(Scope *sc, Kids *k);
// What a node may give on or keep, from operand `first` on, is copied for the roles of the whole.
void        kids_own(Scope *sc, Kids *k, size_t first);
// Operands from `first` on are evaluated under a condition that the roles of the whole know: those
// that call no code of the program are evaluated there alone.
void        kids_conditional(Scope *sc, Kids *k, size_t first);
void        kids_own_formatted(Scope *sc, Kids *k);     // the values of a formatted text
void        kids_own_objects(Scope *sc, Kids *k);   // that operators may change
// The node `e` over settled operands.
const Expr *kids_finish(Scope *sc, const Expr *e, const Ty *ty, const Kids *k);
ExprList    kids_list(Kids k);

// ---- name.c ----
const Ty   *const_type(Program *p, const Const *c);
const Expr *check_name(Scope *sc, const Expr *e, bool callee, const LocType *want);
const Expr *check_attribute(Scope *sc, const Expr *e, const Expr *base, bool callee,
                            const LocType *want);
Decl       *class_named(Scope *sc, const Expr *e);      // the class that a name is, or NULL

// ---- judge.c ----
// The result of a call of one role's code whose arguments are checked; NULL: nothing is known,
// poison: reported.
const Ty *judge_call(Scope *sc, const Expr *call, const Expr *callee, const Expr **args);
// What a variable or function of the module is, if that is known; else NULL.
const Ty *judge_global(Program *p, Sym name);
// What part i of a pattern sees in a `ty`, positional parts of a class first; NULL: not known.
const Ty *judge_part(Program *p, const Pattern *pattern, const Ty *ty, size_t i);
const Ty *judge_attribute(Scope *sc, const Expr *e, const Expr *base);
// The same of operators over checked operands, of items and of what an iteration gives.
const Ty *judge_binary(Scope *sc, Span at, Operator op, const Expr *l, const Expr *r);
const Ty *judge_augmented(Scope *sc, Span at, Operator op, const Ty *l, const Expr *r);
const Ty *judge_unary(Scope *sc, const Expr *e, const Expr *value);
const Ty *judge_subscript(Scope *sc, const Expr *e, const Expr *base, const Expr *index);
const Ty *judge_element(Scope *sc, const Expr *iterable);
// Whether a value has parts for `n` targets, of which the one at `star` takes the rest (n: none).
bool      judge_unpack(Scope *sc, const Expr *value, size_t n, size_t star);
const Ty *judge_enter(Scope *sc, const Expr *manager);     // what `as` gets
// False: reported.
bool      judge_compare(Scope *sc, Span at, Cmpop op, const Expr *l, const Expr *r);
// The value at these of its roles only.
const Expr *expr_pinned(Scope *sc, const Expr *e, SymList roles);
// The same where it calls no code of the program; else as it is.
const Expr *expr_quiet_at(Scope *sc, const Expr *e, SymList roles);
// May a checked value be used where a `to` is needed? In doubt it may.
bool      judge_fits(Scope *sc, const Expr *e, const Ty *to);
// May a value of this type be stored there? `e`: the value, NULL if it is a part of one. False:
// reported. `judge_stored`: the type of what is there.
bool      judge_store(Scope *sc, const Expr *target, const Ty *value, const Expr *e);
const Ty *judge_stored(Scope *sc, const Expr *target);
bool      judge_delete(Scope *sc, const Expr *target);
void      judge_explain(Scope *sc, Diag *d, const Expr *e, const Ty *to);

// ---- operator.c ----
const Expr *check_bin_op(Scope *sc, const Expr *e, const Expr *left, const LocType *want);
bool expr_pins_callee(Scope *sc, const Expr *e);    // `f@R(x)`: a mistake for `f(x)@R`
const Expr *check_bool_op(Scope *sc, const Expr *e, const LocType *want);
const Expr *check_compare(Scope *sc, const Expr *e, const LocType *want);
const Expr *check_unary(Scope *sc, const Expr *e, const Expr *value);
const Expr *check_if_exp(Scope *sc, const Expr *e, const LocType *want);
const Expr *check_slice(Scope *sc, const Expr *e, const LocType *want);
const Expr *check_subscript(Scope *sc, const Expr *e, const Expr *base, const LocType *want);

// ---- display.c ----
const Expr *check_display(Scope *sc, const Expr *e, const LocType *want);
const Expr *check_dict(Scope *sc, const Expr *e, const LocType *want);
const Expr *check_joined(Scope *sc, const Expr *e, const LocType *want);
const Expr *check_formatted(Scope *sc, const Expr *e, const LocType *want);
const Expr *check_lambda(Scope *sc, const Expr *e, const LocType *want);
// What an unchecked lambda gives that is called with these; NULL: nothing is known.
const Ty *lambda_result(Scope *sc, const Expr *lambda, ExprList args);
const Expr *check_comprehension(Scope *sc, const Expr *e, const Expr *key, const Expr *value,
                                ComprehensionList list);
const Ty   *element_type(Scope *sc, const Expr *iterable);      // poison: reported
const Expr *check_named(Scope *sc, const Expr *e);

#endif
