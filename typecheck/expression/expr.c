// expr.c - the judgement Γ ⊢ e : T @ R̄ for expressions (docs/language.md, "Expressions").
//
// An operator, a display, an attribute or a local call is at the intersection of its operands'
// roles. Chains (`a + b + ...`, `x.f().g()`) are followed in a loop along the spine.
// The forms are in name.c, operator.c, display.c and call.c.

#include "typecheck/expression/narrow.h"
#include "typecheck/expression/operands.h"

// ---- the judgement ----

static const Expr *no_generator(Scope *sc, const Expr *e) {
    Diag *d = diag_report(sc->p->diags, e->at, DIAG_NEVER_LOCAL, "a choreography cannot `yield`, "
                                                                 "because its caller would decide "
                                                                 "whether and when the other "
                                                                 "roles continue");
    diag_help(d, "return a list, or call a function parameter for each element");
    sc->fn->failed = true;
    return expr_poison(sc, e);
}

static const Expr *no_await(Scope *sc, const Expr *e) {
    Diag *d = diag_report(sc->p->diags, e->at, DIAG_NEVER_LOCAL,
                          "a choreography cannot `await`, because it has no event loop");
    help_await(sc->p, d, e, sc->roles);
    sc->fn->failed = true;
    return expr_poison(sc, e);
}

// A node given its spine child already checked (NULL for forms without a spine).
static const Expr *check_node(Scope *sc, const Expr *e, const Expr *below, bool callee,
                              const LocType *want) {
    switch (e->kind) {
    case EXPR_BOOL_OP: return check_bool_op(sc, e, want);
    case EXPR_NAMED_EXPR: return check_named(sc, e);
    case EXPR_BIN_OP: return check_bin_op(sc, e, below, want);
    case EXPR_UNARY_OP: return check_unary(sc, e, below);
    case EXPR_LAMBDA: return check_lambda(sc, e, want);
    case EXPR_IF_EXP: return check_if_exp(sc, e, want);
    case EXPR_DICT: return check_dict(sc, e, want);
    case EXPR_SET: case EXPR_LIST: case EXPR_TUPLE: return check_display(sc, e, want);
    case EXPR_LIST_COMP:
        return check_comprehension(sc, e, e->list_comp.elt, NULL, e->list_comp.generators);
    case EXPR_SET_COMP: return check_comprehension(sc, e, e->set_comp.elt, NULL,
                                                   e->set_comp.generators);
    case EXPR_DICT_COMP:
        return check_comprehension(sc, e, e->dict_comp.key, e->dict_comp.value,
                                   e->dict_comp.generators);
    case EXPR_GENERATOR_EXP:
        return check_comprehension(sc, e, e->generator_exp.elt, NULL, e->generator_exp.generators);
    case EXPR_AWAIT: return no_await(sc, e);
    case EXPR_YIELD: case EXPR_YIELD_FROM: return no_generator(sc, e);
    case EXPR_COMPARE: return check_compare(sc, e, want);
    case EXPR_CALL: return check_call(sc, e, below, want);
    case EXPR_FORMATTED_VALUE: return check_formatted(sc, e, want);
    case EXPR_JOINED_STR: return check_joined(sc, e, want);
    case EXPR_CONSTANT:
        return expr_typed(sc, e, const_type(sc->p, e->constant.value), (SymList){0});
    case EXPR_ATTRIBUTE: return narrow_read(sc, check_attribute(sc, e, below, callee, want));
    case EXPR_SUBSCRIPT: return narrow_read(sc, check_subscript(sc, e, below, want));
    case EXPR_STARRED: {
        const Expr *v = check_operand(sc, e->starred.value, want);
        return expr_typed(sc, expr_starred(sc->p->arena, e->at, v, e->starred.ctx), v->ty,
                          v->roles);
    }
    case EXPR_NAME: return check_name(sc, e, callee, want);
    case EXPR_SLICE: return check_slice(sc, e, want);
    case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_UNIT: case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL: case EXPR_COUNT:
        return e;
    }
    return e;
}

// `f[A, B]` in front of a call: the roles are read by check_call.
static bool instantiates(Scope *sc, const Expr *e) {
    if (e->kind != EXPR_SUBSCRIPT || e->subscript.value->kind != EXPR_NAME) return false;
    Sym name = e->subscript.value->name.id;
    Var *v = scope_find(sc, name);
    if (v != NULL) return v->function != NULL;
    Decl *d = program_find(sc->p, name);
    return d != NULL && (d->kind == DECL_CHOREOGRAPHY || d->kind == DECL_ROLE_CLASS);
}

// Is node i of the spine looked at by its parent rather than used as a value?
static bool in_head_position(Scope *sc, const Expr **spine, size_t i) {
    if (i == 0) return false;
    const Expr *up = spine[i - 1];
    if (up->kind == EXPR_CALL || expr_pins_callee(sc, up)) return true;
    if (up->kind == EXPR_ATTRIBUTE) {
        const Expr *name = spine[i]->kind == EXPR_SUBSCRIPT ? spine[i]->subscript.value : spine[i];
        Decl *d = class_named(sc, name);
        return d != NULL && d->kind == DECL_ROLE_CLASS;
    }
    return instantiates(sc, up);
}

// Is node i the method of `o.m[C](..)`, with `o` checked?
static bool instantiated_method(Scope *sc, const Expr **spine, size_t i, const Expr *o) {
    if (i < 2 || o == NULL || spine[i]->kind != EXPR_ATTRIBUTE ||
        spine[i - 1]->kind != EXPR_SUBSCRIPT || spine[i - 2]->kind != EXPR_CALL)
        return false;
    const Ty *t = o->ty;
    Decl *d = t != NULL && t->kind == TY_INST ? program_find(sc->p, t->inst.name) : NULL;
    return d != NULL && d->channel == NULL && lift_find(d, spine[i]->attribute.attr) != NULL;
}

static bool is_operation(const Expr *e) {
    return e->kind == EXPR_BIN_OP && e->bin_op.op != OPERATOR_MAT_MULT;
}

const Expr *check_expr(Scope *sc, const Expr *e, const LocType *want) {
    size_t n, operations = 0;
    const Expr **spine = expr_spine(sc->p->arena, e, &n);
    while (operations < n && is_operation(spine[operations])) operations++;
    const Expr *below = NULL;
    for (size_t i = 0; i < n; i++)              // it goes through its arms by itself
        if (spine[i]->kind == EXPR_IF_EXP) n = i + 1;
    for (size_t i = n; i-- > 0;) {
        bool head = in_head_position(sc, spine, i) || instantiated_method(sc, spine, i, below);
        if (i > 0 && below != NULL && spine[i]->kind == EXPR_SUBSCRIPT &&
            spine[i - 1]->kind == EXPR_CALL && lift_named(sc->p, below) != NULL) {
            below = expr_subscript(sc->p->arena, spine[i]->at, below, spine[i]->subscript.slice,
                                   EXPR_CONTEXT_LOAD);
            continue;
        }
        if (instantiates(sc, spine[i])) {
            below = head ? spine[i] : instantiated_value(sc, spine[i], i == 0 ? want : NULL);
            continue;
        }
        if (below != NULL && below->roles.len == 0 && !expr_unplaced(below)) {
            report_at(sc, below->at, DIAG_PLACE_WRONG, "%s does not return a value",
                      expr_text(sc->p, below));
            below = expr_poison(sc, below);
        }
        below = check_node(sc, spine[i], below, head, i == 0 || i < operations ? want : NULL);
    }
    return below;
}
