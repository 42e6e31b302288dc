// expr.c - the judgement Γ ⊢ e : T @ R̄ for expressions (docs/language.md, "Expressions").
//
// An operator, a display, an attribute or a local call is at the intersection of its operands'
// roles. Chains (`a + b + ...`, `x.f().g()`) are followed in a loop along the spine.

#include <string.h>

#include "typecheck/internal.h"

static const Expr *typed(Scope *sc, const Expr *e, const Ty *ty, SymList roles) {
    return expr_with_ty(sc->p->arena, e, ty, roles);
}

// The operands of a node, checked and brought together.
typedef struct Kids {
    const Expr **at;
    size_t  len;
    SymList roles;          // what they share, once settled
    LocType hint;           // where the whole is needed, so that a message finds its way
    bool    bad;            // reported: the whole is poison
} Kids;

static Kids kids_of(Scope *sc, size_t n, const LocType *want) {
    return (Kids){.at = ARENA_ARRAY(sc->p->arena, const Expr *, n + 1),
                  .hint = {NULL, want != NULL ? want->roles : (SymList){0}}};
}

static const Expr *operand(Scope *sc, const Expr *e, const LocType *hint) {
    if (e == NULL) return NULL;
    const Expr *out = check_expr(sc, e, hint);
    if (out->roles.len > 0 || expr_unplaced(out)) return out;
    report_at(sc, e->at, DIAG_PLACE_WRONG, "%s gives no value at any role", expr_text(sc->p, e));
    return expr_poison(sc, out);
}

static void add_checked(Kids *k, const Expr *e) {
    k->at[k->len++] = e;
    if (e != NULL && k->hint.roles.len == 0) k->hint.roles = e->roles;
}

static void add(Scope *sc, Kids *k, const Expr *e) { add_checked(k, operand(sc, e, &k->hint)); }

static Kids check_list(Scope *sc, ExprList list, const LocType *want) {
    Kids k = kids_of(sc, list.len, want);
    for (size_t i = 0; i < list.len; i++) add(sc, &k, list.at[i]);
    return k;
}

// Finds the roles all operands share and places the role-less ones there.
static void settle(Scope *sc, Kids *k) {
    for (size_t i = 0; i < k->len; i++)
        if (k->at[i] != NULL && refuse_several(sc, k->at[i], "be an operand of one role's code")) {
            k->at[i] = expr_poison(sc, k->at[i]);
            break;
        }
    k->bad = !expr_meet(sc, k->len, k->at, &k->roles);
    for (size_t i = 0; i < k->len && k->roles.len > 0; i++)
        if (k->at[i] != NULL) k->at[i] = expr_place(sc, k->at[i], k->roles);
}

// What a node may give on or keep is copied for the roles of the whole: what one of the holders of
// a replicated value does to its own must not be seen in the value.
static void own(Scope *sc, Kids *k, size_t first) {
    for (size_t i = first; i < k->len && !k->bad; i++)
        if (k->at[i] != NULL) k->at[i] = expr_own(sc, k->at[i], k->roles);
}

// The node over settled operands.
static const Expr *finish(Scope *sc, const Expr *e, const Ty *ty, const Kids *k) {
    return k->bad ? expr_poison(sc, e) : typed(sc, e, ty, k->roles);
}

static ExprList list_of(Kids k) { return (ExprList){k.at, k.len}; }

// ---- names ----

static const Ty *const_type(Program *p, const Const *c) {
    switch (c->kind) {
    case CONST_NONE: return ty_none_type(p->arena);
    case CONST_BOOL: return type_named(p, "bool");
    case CONST_INT: return type_named(p, "int");
    case CONST_FLOAT: return type_named(p, "float");
    case CONST_COMPLEX: return type_named(p, "complex");
    case CONST_STR: return type_named(p, "str");
    case CONST_BYTES: return type_named(p, "bytes");
    case CONST_ELLIPSIS: return ty_any(p->arena);
    }
    return ty_any(p->arena);
}

static const Ty *variable_type(Program *p, const Decl *d) {
    const Stmt *s = d->stmt;
    if (s != NULL && s->kind == STMT_ANN_ASSIGN)
        return annotation_local(p, s->ann_assign.annotation);
    if (s != NULL && s->kind == STMT_ASSIGN && s->assign.value->kind == EXPR_CONSTANT &&
        s->assign.targets.len == 1 && s->assign.targets.at[0]->kind == EXPR_NAME)
        return const_type(p, s->assign.value->constant.value);
    return ty_any(p->arena);
}

static const Expr *wrong_name(Scope *sc, const Expr *e, DiagId id, const char *what) {
    report_at(sc, e->at, id, "`%s` is %s, not a value", e->name.id, what);
    return expr_poison(sc, e);
}

static const Expr *check_decl_name(Scope *sc, const Expr *e, Decl *d, bool callee) {
    Program *p = sc->p;
    switch (d->kind) {
    case DECL_ROLE: return wrong_name(sc, e, DIAG_ROLE_AS_VALUE, "a role");
    case DECL_LIBRARY: case DECL_CHANNEL:
        return wrong_name(sc, e, DIAG_ROLE_AS_VALUE, "a word of the choreography language");
    case DECL_CHOREOGRAPHY: case DECL_ROLE_CLASS:
        if (callee) return e;
        report_unsupported(p, e->at, "a choreography used as a value");
        sc->fn->failed = true;
        return expr_poison(sc, e);
    case DECL_VARIABLE: return typed(sc, e, variable_type(p, d), (SymList){0});
    case DECL_ENUM: case DECL_LOCAL_CLASS: case DECL_LOCAL_FUNCTION: case DECL_IMPORT:
        return typed(sc, e, ty_any(p->arena), (SymList){0});
    }
    return e;
}

static const Expr *unknown_name(Scope *sc, const Expr *e) {
    Diag *d = report_at(sc, e->at, DIAG_NAME_UNKNOWN, "nothing named `%s` is in scope", e->name.id);
    Vec(Sym) near = {0};
    for (size_t i = 0; sc->fn != NULL && i < sc->fn->params.len; i++)
        vec_push(sc->p->arena, &near, sc->fn->params.at[i].name);
    Sym like = program_did_you_mean(sc->p, e->name.id, (SymList){near.at, near.len});
    if (like != NULL) {
        Help *h = diag_help(d, "did you mean `%s`?", like);
        diag_edit(d, h, e->at, "%s", like);
    }
    return expr_poison(sc, e);
}

static const Expr *check_name(Scope *sc, const Expr *e, bool callee) {
    Sym name = e->name.id;
    Var *v = scope_find(sc, name);
    if (v != NULL && v->function != NULL && !callee) {
        report_unsupported(sc->p, e->at, "a choreography used as a value");
        sc->fn->failed = true;
        return expr_poison(sc, e);
    }
    if (v != NULL) return typed(sc, e, var_type(v), v->type.roles);
    if (roles_has(sc->roles, name)) return wrong_name(sc, e, DIAG_ROLE_AS_VALUE, "a role");
    Decl *d = program_find(sc->p, name);
    if (d != NULL) {
        table_set(sc->p->uses, table_key(e->at.start), d);
        return check_decl_name(sc, e, d, callee);
    }
    if (builtin_exists(name)) return typed(sc, e, ty_any(sc->p->arena), (SymList){0});
    return unknown_name(sc, e);
}

// ---- attributes ----

static Decl *class_named(Scope *sc, const Expr *e) {
    if (e->kind != EXPR_NAME || scope_find(sc, e->name.id) != NULL) return NULL;
    return program_find(sc->p, e->name.id);
}

static const Expr *enum_member(Scope *sc, const Expr *e, const Expr *base, Decl *d) {
    Program *p = sc->p;
    const Stmt *member = table_get(d->members, e->attribute.attr);
    if (member == NULL && program_local_base(p, d) == NULL) {
        report_at(sc, e->at, DIAG_ATTRIBUTE_UNKNOWN, "enum `%s` has no member `%s`", d->name,
                  e->attribute.attr);
        return expr_poison(sc, e);
    }
    const Expr *out = expr_attribute(p->arena, e->at, base, e->attribute.attr, e->attribute.ctx);
    bool value = member != NULL && member->kind == STMT_ASSIGN;
    return typed(sc, out, value ? ty_named(p->arena, d->name, (TyList){0}) : ty_any(p->arena),
                 (SymList){0});
}

static const Expr *unknown_attribute(Scope *sc, const Expr *e, const Decl *d) {
    report_at(sc, e->at, DIAG_ATTRIBUTE_UNKNOWN, "`%s` has no attribute `%s`", d->name,
              e->attribute.attr);
    return expr_poison(sc, e);
}

// A field or method of an instance at several roles, or of a channel.
static const Expr *instance_attribute(Scope *sc, const Expr *e, const Expr *base, bool callee) {
    Program *p = sc->p;
    const Ty *t = base->ty;
    Decl *d = program_find(p, t->inst.name);
    const Expr *out = expr_attribute(p->arena, e->at, base, e->attribute.attr, e->attribute.ctx);
    Field *f = table_get(d->fields, e->attribute.attr);
    if (f != NULL)
        return typed(sc, out, type_map_roles(p, f->type.ty, d->formals, t->inst.actuals),
                     roles_map_all(p->arena, d->formals, t->inst.actuals, f->type.roles));
    bool method = d->channel != NULL || table_get(d->members, e->attribute.attr) != NULL;
    if (method && callee) return typed(sc, out, ty_any(p->arena), base->roles);
    if (method) {
        report_unsupported(p, e->at, "a method used as a value");
        sc->fn->failed = true;
        return expr_poison(sc, e);
    }
    return unknown_attribute(sc, e, d);
}

// What is known of an attribute of one role's object.
static const Ty *local_attribute(Scope *sc, const Expr *base, Sym attr) {
    Program *p = sc->p;
    if (base->ty == NULL || base->ty->kind != TY_NAMED) return ty_any(p->arena);
    for (Decl *d = program_find(p, base->ty->named.name); d != NULL; d = program_local_base(p, d)) {
        Field *f = table_get(d->fields, attr);
        if (f != NULL) return f->type.ty;
        if (d->kind == DECL_ENUM && sym_is(attr, "name")) return type_named(p, "str");
    }
    return ty_any(p->arena);
}

static const Expr *check_attribute(Scope *sc, const Expr *e, const Expr *base, bool callee) {
    Decl *d = class_named(sc, base);
    if (d != NULL && d->kind == DECL_ENUM) return enum_member(sc, e, base, d);
    if (d != NULL && d->kind == DECL_ROLE_CLASS) {
        const Expr *out = expr_attribute(sc->p->arena, e->at, base, e->attribute.attr,
                                         e->attribute.ctx);
        if (callee) return typed(sc, out, ty_any(sc->p->arena), (SymList){0});
        report_unsupported(sc->p, e->at, "an attribute of a class of several roles");
        sc->fn->failed = true;
        return expr_poison(sc, e);
    }
    if (base->ty != NULL && base->ty->kind == TY_INST)
        return instance_attribute(sc, e, base, callee);
    if (base->ty != NULL && base->ty->kind == TY_POISON) return expr_poison(sc, e);
    const Expr *out = expr_attribute(sc->p->arena, e->at, base, e->attribute.attr,
                                     e->attribute.ctx);
    return typed(sc, out, local_attribute(sc, base, e->attribute.attr), base->roles);
}

// ---- pins: e@R ----

static const Expr *pin(Scope *sc, const Expr *value, SymList at) {
    Program *p = sc->p;
    at = roles_sorted(p->arena, sc->roles, at);
    if (value->ty != NULL && value->ty->kind == TY_POISON) return expr_poison(sc, value);
    if (refuse_several(sc, value, "be pinned")) return expr_poison(sc, value);
    if (expr_unplaced(value)) return expr_place(sc, value, at);
    LocType want = {value->ty, at};
    return expr_coerce(sc, value, want, "the value");
}

// `E@R.M` is E @ (R.M) to Python: the member M of E at R.
static const Expr *pinned_member(Scope *sc, const Expr *e, SymList *at) {
    const Expr *right = e->bin_op.right;
    if (right->kind == EXPR_CALL && right->call.args.len == 0) right = right->call.func;
    if (right->kind != EXPR_ATTRIBUTE || e->bin_op.left->kind != EXPR_NAME) return NULL;
    Decl *d = program_find(sc->p, e->bin_op.left->name.id);
    if (d == NULL || d->kind != DECL_ENUM) return NULL;
    if (!role_expr(sc->p, sc->roles, right->attribute.value, at)) return NULL;
    return expr_attribute(sc->p->arena, e->at, e->bin_op.left, right->attribute.attr,
                          EXPR_CONTEXT_LOAD);
}

static bool undeclared_role(Scope *sc, const Expr *right) {
    return right->kind == EXPR_NAME && scope_find(sc, right->name.id) == NULL &&
        (program_find(sc->p, right->name.id) == NULL ||
         program_find(sc->p, right->name.id)->kind == DECL_ROLE);
}

static bool parenthesised(const Program *p, const Expr *left, const Expr *right) {
    for (uint32_t i = left->at.end; i < right->at.start; i++)
        if (p->source->text.at[i] == ')') return true;
    return false;
}

// `x * 3@A` is (x * 3)@A: `*` and `@` are equally strong, and read from the left.
static void warn_precedence(Scope *sc, const Expr *e) {
    const Expr *left = e->bin_op.left, *right = e->bin_op.right;
    if (left->kind != EXPR_BIN_OP || parenthesised(sc->p, left, right)) return;
    if (left->bin_op.op != OPERATOR_MULT && left->bin_op.op != OPERATOR_DIV &&
        left->bin_op.op != OPERATOR_FLOOR_DIV && left->bin_op.op != OPERATOR_MOD)
        return;
    Diag *d = diag_report(sc->p->diags, e->at, DIAG_PRECEDENCE,
                          "the pin `@` applies to all of %s, not only to %s",
                          expr_text(sc->p, left), expr_text(sc->p, left->bin_op.right));
    Help *h = diag_help(d, "put parentheses where you mean it");
    diag_edit(d, h, (Span){left->bin_op.right->at.start, left->bin_op.right->at.start}, "(");
    diag_edit(d, h, (Span){e->at.end, e->at.end}, ")");
}

static const Expr *check_matmul(Scope *sc, const Expr *e, const Expr *left, bool *done) {
    SymList at = {0};
    *done = true;
    if (role_expr(sc->p, sc->roles, e->bin_op.right, &at)) {
        warn_precedence(sc, e);
        return pin(sc, left, at);
    }
    const Expr *member = pinned_member(sc, e, &at);
    if (member != NULL) return pin(sc, check_expr(sc, member, NULL), at);
    if (undeclared_role(sc, e->bin_op.right)) {
        Sym name = e->bin_op.right->name.id;
        Diag *d = report_at(sc, e->bin_op.right->at, DIAG_ROLE_UNKNOWN,
                            "`%s` is not a role in scope here", name);
        diag_note(d, "the roles in scope are %s", roles_text(sc->p->arena, sc->roles));
        return expr_poison(sc, e);
    }
    *done = false;
    return NULL;
}

// ---- operators ----

static const Expr *check_bin_op(Scope *sc, const Expr *e, const Expr *left, const LocType *want) {
    if (e->bin_op.op == OPERATOR_MAT_MULT) {
        bool done;
        const Expr *out = check_matmul(sc, e, left, &done);
        if (done) return out;
    }
    Kids k = kids_of(sc, 2, want);
    add_checked(&k, left);
    add(sc, &k, e->bin_op.right);
    settle(sc, &k);
    const Ty *ty = type_of_binary(sc->p, e->bin_op.op, k.at[0]->ty, k.at[1]->ty);
    if (type_mutable(sc->p, ty)) own(sc, &k, 0);
    return finish(sc, expr_bin_op(sc->p->arena, e->at, k.at[0], e->bin_op.op, k.at[1]), ty, &k);
}

static const Expr *check_bool_op(Scope *sc, const Expr *e, const LocType *want) {
    Kids k = check_list(sc, e->bool_op.values, want);
    settle(sc, &k);
    own(sc, &k, 0);
    const Ty *ty = k.at[0]->ty;
    for (size_t i = 1; i < k.len; i++) ty = type_join(sc->p, ty, k.at[i]->ty);
    return finish(sc, expr_bool_op(sc->p->arena, e->at, e->bool_op.op, list_of(k)), ty, &k);
}

static bool no_identity(const Ty *t) {
    return type_is(t, "int") || type_is(t, "float") || type_is(t, "str") || type_is(t, "bytes") ||
        (t != NULL && t->kind == TY_TUPLE);
}

static void check_identity(Scope *sc, const Expr *e, const Kids *k) {
    for (size_t i = 0; i < e->compare.ops.len; i++) {
        Cmpop op = e->compare.ops.at[i];
        if (op != CMPOP_IS && op != CMPOP_IS_NOT) continue;
        const Expr *a = k->at[i], *b = k->at[i + 1];
        if (!no_identity(a->ty) && !no_identity(b->ty)) continue;
        if (a->ty->kind == TY_NONE_TYPE || b->ty->kind == TY_NONE_TYPE) continue;
        Diag *d = report_at(sc, e->at, DIAG_IDENTITY,
                            "a `%s` has no identity that a message would keep",
                            type_text(sc->p, no_identity(a->ty) ? a->ty : b->ty));
        diag_help(d, "compare with `==`");
    }
}

static bool compares_identity(const Expr *e) {
    for (size_t i = 0; i < e->compare.ops.len; i++)
        if (e->compare.ops.at[i] != CMPOP_IS && e->compare.ops.at[i] != CMPOP_IS_NOT) return false;
    return true;
}

static const Expr *check_compare(Scope *sc, const Expr *e) {
    Kids k = kids_of(sc, e->compare.comparators.len + 1, NULL);
    add(sc, &k, e->compare.left);
    for (size_t i = 0; i < e->compare.comparators.len; i++)
        add(sc, &k, e->compare.comparators.at[i]);
    if (compares_identity(e)) k.bad = !expr_meet(sc, k.len, k.at, &k.roles);
    else settle(sc, &k);
    for (size_t i = 0; i < k.len && k.roles.len > 0; i++)
        k.at[i] = expr_place(sc, k.at[i], k.roles);
    check_identity(sc, e, &k);
    const Expr *out = expr_compare(sc->p->arena, e->at, k.at[0], e->compare.ops,
                                   (ExprList){k.at + 1, k.len - 1});
    return finish(sc, out, type_named(sc->p, "bool"), &k);
}

static const Expr *check_unary(Scope *sc, const Expr *e, const Expr *value) {
    if (refuse_several(sc, value, "be an operand of one role's code")) return expr_poison(sc, e);
    const Ty *ty = e->unary_op.op == UNARYOP_NOT ? type_named(sc->p, "bool")
        : type_is(value->ty, "bool") ? type_named(sc->p, "int") : value->ty;
    return typed(sc, expr_unary_op(sc->p->arena, e->at, e->unary_op.op, value), ty, value->roles);
}

static const Expr *check_if_exp(Scope *sc, const Expr *e, const Expr *orelse, const LocType *want) {
    Kids k = kids_of(sc, 3, want);
    add(sc, &k, e->if_exp.test);
    Narrowing n = {0};
    narrow_by(sc, &n, e->if_exp.test, true);
    add(sc, &k, e->if_exp.body);
    narrow_end(&n);
    add_checked(&k, orelse);
    settle(sc, &k);
    own(sc, &k, 1);
    const Ty *ty = type_join(sc->p, k.at[1]->ty, k.at[2]->ty);
    return finish(sc, expr_if_exp(sc->p->arena, e->at, k.at[0], k.at[1], k.at[2]), ty, &k);
}

static const Expr *check_slice(Scope *sc, const Expr *e, const LocType *want) {
    Kids k = kids_of(sc, 3, want);
    add(sc, &k, e->slice.lower);
    add(sc, &k, e->slice.upper);
    add(sc, &k, e->slice.step);
    settle(sc, &k);
    return finish(sc, expr_slice(sc->p->arena, e->at, k.at[0], k.at[1], k.at[2]),
                 ty_any(sc->p->arena), &k);
}

static const Ty *item_type(Program *p, const Expr *base, const Expr *index) {
    const Ty *t = base->ty;
    if (index->kind == EXPR_SLICE) return type_is(t, "dict") ? ty_any(p->arena) : t;
    if (type_is(t, "dict"))
        return t->named.args.len == 2 ? t->named.args.at[1] : ty_any(p->arena);
    if (t != NULL && t->kind == TY_TUPLE && index->kind == EXPR_CONSTANT &&
        index->constant.value->kind == CONST_INT && index->constant.value->text.len == 1) {
        size_t i = (size_t)(index->constant.value->text.at[0] - '0');
        if (i < t->tuple.items.len) return t->tuple.items.at[i];
    }
    return type_is(t, "list") || type_is(t, "str") || type_is(t, "bytes") || type_is(t, "tuple")
        ? type_of_element(p, t) : ty_any(p->arena);
}

// `t[0]` of a located tuple: the part, at its own roles.
static const Expr *located_part(Scope *sc, const Expr *e, const Expr *base) {
    const Expr *index = e->subscript.slice;
    TyList items = base->ty->tuple.items;
    const Const *c = index->kind == EXPR_CONSTANT ? index->constant.value : NULL;
    size_t i = c != NULL && c->kind == CONST_INT && c->text.len == 1
        ? (size_t)(c->text.at[0] - '0') : items.len;
    if (i >= items.len) {
        report_at(sc, e->at, DIAG_NEVER_LOCAL,
                  "the parts of %s are at different roles: take them apart by unpacking, or by a "
                  "constant index from 0 to %zu", expr_text(sc->p, base), items.len - 1);
        return expr_poison(sc, e);
    }
    SymList roles = items.at[i]->placed.at_roles;
    index = typed(sc, index, type_named(sc->p, "int"), roles);
    return typed(sc, expr_subscript(sc->p->arena, e->at, base, index, e->subscript.ctx),
                 items.at[i]->placed.of, roles);
}

static const Expr *check_subscript(Scope *sc, const Expr *e, const Expr *base,
                                   const LocType *want) {
    if (base->ty != NULL && base->ty->kind == TY_POISON) return expr_poison(sc, e);
    if (type_several(base->ty) && base->ty->kind == TY_TUPLE) return located_part(sc, e, base);
    Kids k = kids_of(sc, 2, want);
    add_checked(&k, base);
    add(sc, &k, e->subscript.slice);
    settle(sc, &k);
    const Ty *ty = item_type(sc->p, k.at[0], k.at[1]);
    if (type_mutable(sc->p, ty)) own(sc, &k, 0);
    return finish(sc, expr_subscript(sc->p->arena, e->at, k.at[0], k.at[1], e->subscript.ctx), ty,
                 &k);
}

// ---- displays, f-strings ----

static const Ty *container(Program *p, const char *name, Kids k) {
    const Ty *item = NULL;
    for (size_t i = 0; i < k.len; i++) {
        if (k.at[i]->kind == EXPR_STARRED) return ty_any(p->arena);
        item = i == 0 ? k.at[i]->ty : type_join(p, item, k.at[i]->ty);
    }
    if (type_unknown(item)) return ty_named(p->arena, names_get(p->names, name), (TyList){0});
    const Ty **one = ARENA_NEW(p->arena, const Ty *);
    *one = item;
    return ty_named(p->arena, names_get(p->names, name), (TyList){one, 1});
}

static const Ty *tuple_type(Program *p, Kids k) {
    Vec(const Ty *) items = {0};
    for (size_t i = 0; i < k.len; i++) {
        if (k.at[i]->kind == EXPR_STARRED) return ty_any(p->arena);
        vec_push(p->arena, &items, k.at[i]->ty);
    }
    return ty_tuple(p->arena, (TyList){items.at, items.len});
}

static const Expr *no_instances(Scope *sc, const Expr *e, Kids k) {
    for (size_t i = 0; i < k.len; i++)
        if (k.at[i] != NULL && refuse_several(sc, k.at[i], "be an element of a container"))
            return expr_poison(sc, e);
    return NULL;
}

// A tuple whose parts are at different roles, as a located tuple type asks for it.
static const Expr *located_tuple(Scope *sc, const Expr *e, const LocType *want) {
    Program *p = sc->p;
    TyList items = want->ty->tuple.items;
    Kids k = kids_of(sc, items.len, want);
    if (e->tuple.elts.len != items.len) {
        report_at(sc, e->at, DIAG_TYPE_MISMATCH, "%zu values are needed, but these are %zu",
                  items.len, e->tuple.elts.len);
        return expr_poison(sc, e);
    }
    for (size_t i = 0; i < items.len; i++) {
        LocType part = {items.at[i]->placed.of, items.at[i]->placed.at_roles};
        add_checked(&k, check_placed(sc, e->tuple.elts.at[i], part,
                                     names_format(p->names, "part %zu", i + 1)));
        if (k.at[i]->ty != NULL && k.at[i]->ty->kind == TY_POISON) return expr_poison(sc, e);
    }
    return typed(sc, expr_tuple(p->arena, e->at, list_of(k), e->tuple.ctx), want->ty, want->roles);
}

static const Expr *check_display(Scope *sc, const Expr *e, const LocType *want) {
    Arena *a = sc->p->arena;
    ExprList elts = e->kind == EXPR_LIST ? e->list.elts
        : e->kind == EXPR_SET ? e->set.elts : e->tuple.elts;
    bool several = e->kind == EXPR_TUPLE && want != NULL && want->ty != NULL &&
        want->ty->kind == TY_TUPLE && type_several(want->ty);
    if (several) return located_tuple(sc, e, want);
    Kids k = check_list(sc, elts, want);
    if (no_instances(sc, e, k) != NULL) return expr_poison(sc, e);
    settle(sc, &k);
    own(sc, &k, 0);
    if (e->kind == EXPR_TUPLE)
        return finish(sc, expr_tuple(a, e->at, list_of(k), e->tuple.ctx), tuple_type(sc->p, k),
                     &k);
    const Ty *ty = container(sc->p, e->kind == EXPR_LIST ? "list" : "set", k);
    const Expr *out = e->kind == EXPR_LIST ? expr_list(a, e->at, list_of(k), e->list.ctx)
                                           : expr_set(a, e->at, list_of(k));
    return finish(sc, out, ty, &k);
}

static const Expr *check_dict(Scope *sc, const Expr *e, const LocType *want) {
    Program *p = sc->p;
    size_t n = e->dict.values.len;
    Kids k = kids_of(sc, 2 * n, want);
    for (size_t i = 0; i < n; i++) add(sc, &k, e->dict.keys.at[i]);     // absent for **d
    for (size_t i = 0; i < n; i++) add(sc, &k, e->dict.values.at[i]);
    if (no_instances(sc, e, k) != NULL) return expr_poison(sc, e);
    settle(sc, &k);
    own(sc, &k, 0);
    const Ty **kv = ARENA_ARRAY(p->arena, const Ty *, 2);
    bool known = n > 0;
    for (size_t i = 0; i < n && known; i++) {
        known = k.at[i] != NULL;
        if (!known) break;
        kv[0] = i == 0 ? k.at[i]->ty : type_join(p, kv[0], k.at[i]->ty);
        kv[1] = i == 0 ? k.at[n + i]->ty : type_join(p, kv[1], k.at[n + i]->ty);
    }
    TyList args = known && !type_unknown(kv[0]) ? (TyList){kv, 2} : (TyList){0};
    const Ty *ty = ty_named(p->arena, names_get(p->names, "dict"), args);
    const Expr *out = expr_dict(p->arena, e->at, (ExprList){k.at, n}, (ExprList){k.at + n, n});
    return finish(sc, out, ty, &k);
}

static const Expr *check_joined(Scope *sc, const Expr *e, const LocType *want) {
    Kids k = check_list(sc, e->joined_str.values, want);
    settle(sc, &k);
    return finish(sc, expr_joined_str(sc->p->arena, e->at, list_of(k)), type_named(sc->p, "str"),
                 &k);
}

static const Expr *check_formatted(Scope *sc, const Expr *e, const LocType *want) {
    Kids k = kids_of(sc, 2, want);
    add(sc, &k, e->formatted_value.value);
    add(sc, &k, e->formatted_value.format_spec);
    settle(sc, &k);
    return finish(sc, expr_formatted_value(sc->p->arena, e->at, k.at[0],
                                          e->formatted_value.conversion, k.at[1]),
                 type_named(sc->p, "str"), &k);
}

// ---- scopes inside expressions ----

static Scope *inner_scope(Scope *sc) {
    Scope *in = scope_new(sc->p, sc, sc->fn, sc->roles);
    in->transparent = true;
    return in;
}

void bind_target(Scope *sc, const Expr *t, LocType type) {
    Program *p = sc->p;
    bool poison = type.ty != NULL && type.ty->kind == TY_POISON;
    const Ty *unknown = poison ? type.ty : ty_any(p->arena);
    if (t->kind == EXPR_NAME) scope_bind(sc, t->name.id, type, t->at);
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++) {
        const Ty *item = type.ty != NULL && type.ty->kind == TY_TUPLE &&
            type.ty->tuple.items.len == elts.len ? type.ty->tuple.items.at[i] : unknown;
        bool placed = item != NULL && item->kind == TY_PLACED;
        bind_target(sc, elts.at[i], placed ? (LocType){item->placed.of, item->placed.at_roles}
                                           : (LocType){item, type.roles});
    }
    if (t->kind == EXPR_STARRED)
        bind_target(sc, t->starred.value, (LocType){unknown, type.roles});
}

static const Expr *check_lambda(Scope *sc, const Expr *e) {
    Scope *in = inner_scope(sc);
    const Arguments *args = e->lambda.args;
    ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    LocType any = {ty_any(sc->p->arena), {0}};
    for (int i = 0; i < 3; i++)
        for (size_t j = 0; j < lists[i].len; j++)
            scope_bind(in, lists[i].at[j]->arg, any, lists[i].at[j]->at);
    if (args->vararg != NULL) scope_bind(in, args->vararg->arg, any, args->vararg->at);
    if (args->kwarg != NULL) scope_bind(in, args->kwarg->arg, any, args->kwarg->at);
    const Expr *body = operand(in, e->lambda.body, NULL);
    return typed(sc, expr_lambda(sc->p->arena, e->at, args, body),
                 ty_callable(sc->p->arena, (TyList){0}, body->ty), body->roles);
}

// Checks the generators; all parts of a comprehension are operands of the whole.
static ComprehensionList check_generators(Scope *in, Scope *outer, ComprehensionList list, Kids *k,
                                          const Comprehension **made) {
    for (size_t i = 0; i < list.len; i++) {
        const Comprehension *c = list.at[i];
        const Expr *iter = operand(i == 0 ? outer : in, c->iter, NULL);
        bind_target(in, c->target, (LocType){type_of_element(in->p, iter->ty), iter->roles});
        add_checked(k, iter);
        Kids ifs = check_list(in, c->ifs, NULL);
        for (size_t j = 0; j < ifs.len; j++) add_checked(k, ifs.at[j]);
        made[i] = comprehension_new(in->p->arena, c->target, iter, list_of(ifs), c->is_async);
    }
    return (ComprehensionList){made, list.len};
}

static size_t part_count(ComprehensionList list) {
    size_t n = 2;
    for (size_t i = 0; i < list.len; i++) n += 1 + list.at[i]->ifs.len;
    return n;
}

static const Expr *comprehension(Scope *sc, const Expr *e, const Expr *key, const Expr *value,
                                 ComprehensionList list) {
    Arena *a = sc->p->arena;
    Scope *in = inner_scope(sc);
    Kids k = kids_of(sc, part_count(list), NULL);
    list = check_generators(in, sc, list, &k, ARENA_ARRAY(a, const Comprehension *, list.len));
    key = operand(in, key, NULL);
    value = operand(in, value, NULL);
    add_checked(&k, key);
    add_checked(&k, value);
    SymList roles;
    if (!expr_meet(sc, k.len, k.at, &roles)) return expr_poison(sc, e);
    key = expr_own(sc, key, roles);
    if (value != NULL) value = expr_own(sc, value, roles);
    bool collects = e->kind == EXPR_LIST_COMP || e->kind == EXPR_SET_COMP;
    const Expr *out = e->kind == EXPR_LIST_COMP ? expr_list_comp(a, e->at, key, list)
        : e->kind == EXPR_SET_COMP ? expr_set_comp(a, e->at, key, list)
        : e->kind == EXPR_DICT_COMP ? expr_dict_comp(a, e->at, key, value, list)
        : expr_generator_exp(a, e->at, key, list);
    const Ty *ty = ty_any(a);
    if (collects)
        ty = container(sc->p, e->kind == EXPR_LIST_COMP ? "list" : "set",
                       (Kids){.at = &key, .len = 1});
    out = typed(sc, out, ty, (SymList){0});
    if (roles.len == 0) return out;
    return expr_place(sc, out, roles);
}

static const Expr *check_named(Scope *sc, const Expr *e) {
    const Expr *value = operand(sc, e->named_expr.value, NULL);
    Scope *home = sc;
    while (home->transparent && home->outer != NULL) home = home->outer;
    Sym name = e->named_expr.target->name.id;
    Var *v = scope_find(home, name);
    if (v != NULL)
        value = expr_coerce(sc, value, v->type, names_format(sc->p->names, "`%s`", name));
    else if (expr_unplaced(value)) {
        Diag *d = report_at(sc, e->at, DIAG_PLACE_MISSING, "at which role is `%s`?", name);
        diag_help(d, "pin the value, as in `(%s := ...@%s)`", name, sc->roles.at[0]);
        return expr_poison(sc, e);
    } else {
        scope_bind(home, name, (LocType){value->ty, value->roles}, e->at);
    }
    return typed(sc, expr_named_expr(sc->p->arena, e->at, e->named_expr.target, value), value->ty,
                 value->roles);
}

// ---- the judgement ----

static const Expr *unsupported(Scope *sc, const Expr *e, const char *what) {
    report_unsupported(sc->p, e->at, what);
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
    case EXPR_LAMBDA: return check_lambda(sc, e);
    case EXPR_IF_EXP: return check_if_exp(sc, e, below, want);
    case EXPR_DICT: return check_dict(sc, e, want);
    case EXPR_SET: case EXPR_LIST: case EXPR_TUPLE: return check_display(sc, e, want);
    case EXPR_LIST_COMP:
        return comprehension(sc, e, e->list_comp.elt, NULL, e->list_comp.generators);
    case EXPR_SET_COMP: return comprehension(sc, e, e->set_comp.elt, NULL, e->set_comp.generators);
    case EXPR_DICT_COMP:
        return comprehension(sc, e, e->dict_comp.key, e->dict_comp.value, e->dict_comp.generators);
    case EXPR_GENERATOR_EXP:
        return comprehension(sc, e, e->generator_exp.elt, NULL, e->generator_exp.generators);
    case EXPR_AWAIT: return unsupported(sc, e, "`await`");
    case EXPR_YIELD: case EXPR_YIELD_FROM: return unsupported(sc, e, "`yield`");
    case EXPR_COMPARE: return check_compare(sc, e);
    case EXPR_CALL: return check_call(sc, e, below, want);
    case EXPR_FORMATTED_VALUE: return check_formatted(sc, e, want);
    case EXPR_JOINED_STR: return check_joined(sc, e, want);
    case EXPR_CONSTANT:
        return typed(sc, e, const_type(sc->p, e->constant.value), (SymList){0});
    case EXPR_ATTRIBUTE: return check_attribute(sc, e, below, callee);
    case EXPR_SUBSCRIPT: return check_subscript(sc, e, below, want);
    case EXPR_STARRED: {
        const Expr *v = operand(sc, e->starred.value, want);
        return typed(sc, expr_starred(sc->p->arena, e->at, v, e->starred.ctx), v->ty, v->roles);
    }
    case EXPR_NAME: return check_name(sc, e, callee);
    case EXPR_SLICE: return check_slice(sc, e, want);
    case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT:
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
    if (up->kind == EXPR_CALL) return true;
    if (up->kind == EXPR_ATTRIBUTE && spine[i]->kind == EXPR_NAME) {
        Decl *d = class_named(sc, spine[i]);
        return d != NULL && d->kind == DECL_ROLE_CLASS;
    }
    return i > 1 && instantiates(sc, up) && spine[i - 2]->kind == EXPR_CALL;
}

// Calls at several roles in one chain, `o.m().m()...`: each is an expression inside the next one.
enum { MAX_CALL_CHAIN = 1000 };

static bool chain_too_long(Scope *sc, const Expr *e, size_t *calls) {
    if (e->kind != EXPR_CALL || e->call.func->kind != EXPR_INST) return false;
    if (++*calls <= MAX_CALL_CHAIN) return false;
    Diag *d = report_at(sc, e->at, DIAG_NESTING,
                        "more than %d calls of choreographies in one chain", MAX_CALL_CHAIN);
    diag_help(d, "give what is called in between a name");
    return true;
}

const Expr *check_expr(Scope *sc, const Expr *e, const LocType *want) {
    size_t n, calls = 0;
    const Expr **spine = expr_spine(sc->p->arena, e, &n);
    const Expr *below = NULL;
    for (size_t i = n; i-- > 0;) {
        bool head = in_head_position(sc, spine, i);
        if (head && instantiates(sc, spine[i])) {
            below = spine[i];
            continue;
        }
        if (below != NULL && below->roles.len == 0 && !expr_unplaced(below)) {
            report_at(sc, below->at, DIAG_PLACE_WRONG, "%s gives no value at any role",
                      expr_text(sc->p, below));
            below = expr_poison(sc, below);
        }
        below = check_node(sc, spine[i], below, head, i == 0 ? want : NULL);
        if (chain_too_long(sc, below, &calls)) return expr_poison(sc, e);
    }
    return below;
}
