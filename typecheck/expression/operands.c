// operands.c - the operands of an expression's node: checked, brought to the roles they share, and
// placed there.

#include "typecheck/expression/operands.h"

Kids kids_new(Scope *sc, size_t n, const LocType *want) {
    SymList wanted = want != NULL ? want->roles : (SymList){0};
    return (Kids){.at = ARENA_ARRAY(sc->p->arena, const Expr *, n + 1), .wanted = wanted,
                  .hint = {NULL, wanted}};
}

const Expr *check_operand(Scope *sc, const Expr *e, const LocType *hint) {
    if (e == NULL) return NULL;
    const Expr *out = check_expr(sc, e, hint);
    if (out->roles.len > 0 || expr_unplaced(out)) return out;
    report_at(sc, e->at, DIAG_PLACE_WRONG, "%s does not return a value", expr_text(sc->p, e));
    return expr_poison(sc, out);
}

void kids_add_checked(Kids *k, const Expr *e) {
    k->at[k->len++] = e;
    if (e != NULL && k->hint.roles.len == 0) k->hint.roles = e->roles;
}

void kids_add(Scope *sc, Kids *k, const Expr *e) {
    kids_add_checked(k, check_operand(sc, e, &k->hint));
}

Kids kids_check(Scope *sc, ExprList list, const LocType *want) {
    Kids k = kids_new(sc, list.len, want);
    for (size_t i = 0; i < list.len; i++) kids_add(sc, &k, list.at[i]);
    return k;
}

// Finds the roles all operands share and places the role-less ones there.
void kids_settle(Scope *sc, Kids *k) {
    bool whole = true;
    for (size_t i = 0; i < k->len; i++)
        whole &= k->at[i] == NULL || k->at[i]->ty == NULL || k->at[i]->ty->kind != TY_POISON;
    for (size_t i = 0; whole && i < k->len; i++)
        if (k->at[i] != NULL && refuse_several(sc, k->at[i], SEVERAL_OPERAND)) {
            k->at[i] = expr_poison(sc, k->at[i]);
            break;
        }
    k->bad = !expr_meet(sc, k->len, k->at, k->wanted, &k->roles);
    for (size_t i = 0; i < k->len && k->roles.len > 0; i++)
        if (k->at[i] != NULL) k->at[i] = expr_place(sc, k->at[i], k->roles);
}

// What a node may give on or keep is copied for the roles of the whole: what one of the holders of
// a replicated value does to its own must not be seen in the value.
void kids_own(Scope *sc, Kids *k, size_t first) {
    for (size_t i = first; i < k->len && !k->bad; i++)
        if (k->at[i] != NULL) k->at[i] = expr_own(sc, k->at[i], k->roles);
}

void kids_conditional(Scope *sc, Kids *k, size_t first) {
    for (size_t i = first; i < k->len && !k->bad; i++)
        k->at[i] = expr_quiet_at(sc, k->at[i], k->roles);
}

// The node over settled operands.
const Expr *kids_finish(Scope *sc, const Expr *e, const Ty *ty, const Kids *k) {
    return k->bad ? expr_poison(sc, e) : expr_typed(sc, e, ty, k->roles);
}

ExprList kids_list(Kids k) { return (ExprList){k.at, k.len}; }
