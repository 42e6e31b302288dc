// display.c - expressions that build: displays, f-strings, comprehensions, lambdas, `:=`.

#include "typecheck/expression/narrow.h"
#include "typecheck/expression/operands.h"
#include "typecheck/python/python.h"

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

static const Ty *dict_type(Program *p, const Ty *key, const Ty *value) {
    const Ty **kv = ARENA_ARRAY(p->arena, const Ty *, 2);
    kv[0] = key;
    kv[1] = value;
    TyList args = key != NULL && !type_unknown(key) ? (TyList){kv, 2} : (TyList){0};
    return ty_named(p->arena, names_get(p->names, "dict"), args);
}

// ---- channels in a display ----

static ExprList channels_in(Scope *sc, Kids k) {
    Vec(const Expr *) found = {0};
    for (size_t i = 0; i < k.len; i++)
        if (k.at[i] != NULL && type_is_channel(sc->p, k.at[i]->ty) && type_several(k.at[i]->ty))
            vec_push(sc->p->arena, &found, k.at[i]);
    return (ExprList){found.at, found.len};
}

// Which role of the first channel a role of another one stands for, where one end is the same.
static const char *formal_text(Scope *sc, const Expr *first, const Expr *other) {
    SymList from = first->ty->inst.actuals, to = other->ty->inst.actuals;
    if (from.len != 2 || to.len != 2 || (from.at[0] == to.at[0]) == (from.at[1] == to.at[1]))
        return "";
    size_t end = from.at[0] == to.at[0];
    return names_format(sc->p->names, "; in `step(%s, ..)` %s takes the place of %s",
                        other->name.id, to.at[end], from.at[end]);
}

// A choreography that is called for each channel, if one signature fits all.
static void help_channels(Scope *sc, Diag *d, ExprList channels) {
    Program *p = sc->p;
    const Expr *first = channels.at[0];
    Buf calls = buf_new(p->arena);
    for (size_t i = 0; i < channels.len; i++) {
        const Ty *t = channels.at[i]->ty;
        const Ty *alike = ty_inst(p->arena, t->inst.name, t->inst.args, first->ty->inst.actuals);
        if (channels.at[i]->kind != EXPR_NAME || !ir_equal_ty(alike, first->ty)) return;
        buf_printf(&calls, "%s`step(%s, ..)`", i == 0 ? "" : i + 1 < channels.len ? ", " : " and ",
                   channels.at[i]->name.id);
    }
    diag_help(d, "write a choreography that takes the channel, as in `def step(ch: %s, ..) -> "
              "None:`, and call it for each channel: %s%s", type_text(p, first->ty),
              buf_text(&calls),
              channels.len > 1 ? formal_text(sc, first, channels.at[1]) : "");
}

static void report_channels(Scope *sc, ExprList channels) {
    Arena *a = sc->p->arena;
    SymVec names = {0};
    for (size_t i = 0; i < channels.len; i++)
        vec_push(a, &names, names_get(sc->p->names, expr_text(sc->p, channels.at[i])));
    Diag *d = report_at(sc, channels.at[0]->at, DIAG_NEVER_LOCAL, channels.len == 1
                        ? "the channel %s cannot be an element of a container"
                        : "the channels %s cannot be elements of a container",
                        roles_text(a, (SymList){names.at, names.len}));
    for (size_t i = 1; i < channels.len; i++)
        diag_label(d, channels.at[i]->at, "another channel");
    diag_note(d, "an element is chosen at run time, but every role must know at compile time "
                 "which channel is used");
    help_channels(sc, d, channels);
}

// One error for all channels.
static const Expr *no_instances(Scope *sc, const Expr *e, Kids k) {
    for (size_t i = 0; i < k.len; i++) {
        if (k.at[i] == NULL || !type_several(k.at[i]->ty)) continue;
        if (type_is_channel(sc->p, k.at[i]->ty)) report_channels(sc, channels_in(sc, k));
        else refuse_several(sc, k.at[i], SEVERAL_ELEMENT);
        return expr_poison(sc, e);
    }
    return NULL;
}

// A tuple whose parts are at different roles, as a located tuple type asks for it.
static const Expr *located_tuple(Scope *sc, const Expr *e, const LocType *want) {
    Program *p = sc->p;
    TyList items = want->ty->tuple.items;
    Kids k = kids_new(sc, items.len, want);
    if (e->tuple.elts.len != items.len) {
        report_at(sc, e->at, DIAG_TYPE_MISMATCH, "a tuple of %zu value%s is expected, but this "
                  "one has %zu", items.len, diag_s(items.len), e->tuple.elts.len);
        return expr_poison(sc, e);
    }
    for (size_t i = 0; i < items.len; i++) {
        LocType part = {items.at[i]->placed.of, items.at[i]->placed.at_roles};
        kids_add_checked(&k, check_placed(sc, e->tuple.elts.at[i], part,
                                     names_format(p->names, "item %zu of the tuple", i + 1)));
        if (k.at[i]->ty != NULL && k.at[i]->ty->kind == TY_POISON) return expr_poison(sc, e);
    }
    return expr_typed(sc, expr_tuple(p->arena, e->at, kids_list(k), e->tuple.ctx), want->ty,
                      want->roles);
}

const Expr *check_display(Scope *sc, const Expr *e, const LocType *want) {
    Arena *a = sc->p->arena;
    ExprList elts = e->kind == EXPR_LIST ? e->list.elts
        : e->kind == EXPR_SET ? e->set.elts : e->tuple.elts;
    bool several = e->kind == EXPR_TUPLE && want != NULL && want->ty != NULL &&
        want->ty->kind == TY_TUPLE && type_several(want->ty);
    if (several) return located_tuple(sc, e, want);
    Kids k = kids_check(sc, elts, want);
    if (no_instances(sc, e, k) != NULL) return expr_poison(sc, e);
    kids_settle(sc, &k);
    kids_own(sc, &k, 0);
    if (e->kind == EXPR_TUPLE)
        return kids_finish(sc, expr_tuple(a, e->at, kids_list(k), e->tuple.ctx),
                           tuple_type(sc->p, k), &k);
    for (size_t i = 0; e->kind == EXPR_SET && i < k.len; i++)
        if (k.at[i]->kind != EXPR_STARRED)
            pyt_check_hashable(sc->p->py, k.at[i], k.at[i]->ty, "an element of a set");
    const Ty *ty = container(sc->p, e->kind == EXPR_LIST ? "list" : "set", k);
    const Expr *out = e->kind == EXPR_LIST ? expr_list(a, e->at, kids_list(k), e->list.ctx)
                                           : expr_set(a, e->at, kids_list(k));
    return kids_finish(sc, out, ty, &k);
}

const Expr *check_dict(Scope *sc, const Expr *e, const LocType *want) {
    Program *p = sc->p;
    size_t n = e->dict.values.len;
    Kids k = kids_new(sc, 2 * n, want);
    for (size_t i = 0; i < n; i++) kids_add(sc, &k, e->dict.keys.at[i]);     // absent for **d
    for (size_t i = 0; i < n; i++) kids_add(sc, &k, e->dict.values.at[i]);
    if (no_instances(sc, e, k) != NULL) return expr_poison(sc, e);
    kids_settle(sc, &k);
    kids_own(sc, &k, 0);
    for (size_t i = 0; i < n; i++)
        if (k.at[i] != NULL) pyt_check_hashable(p->py, k.at[i], k.at[i]->ty, "a key");
    const Ty *kv[2] = {NULL, NULL};
    bool known = n > 0;
    for (size_t i = 0; i < n && known; i++) {
        known = k.at[i] != NULL;
        if (!known) break;
        kv[0] = i == 0 ? k.at[i]->ty : type_join(p, kv[0], k.at[i]->ty);
        kv[1] = i == 0 ? k.at[n + i]->ty : type_join(p, kv[1], k.at[n + i]->ty);
    }
    const Ty *ty = dict_type(p, known ? kv[0] : NULL, kv[1]);
    const Expr *out = expr_dict(p->arena, e->at, (ExprList){k.at, n}, (ExprList){k.at + n, n});
    return kids_finish(sc, out, ty, &k);
}

const Expr *check_joined(Scope *sc, const Expr *e, const LocType *want) {
    Kids k = kids_check(sc, e->joined_str.values, want);
    kids_settle(sc, &k);
    kids_own_formatted(sc, &k);
    return kids_finish(sc, expr_joined_str(sc->p->arena, e->at, kids_list(k)),
                       type_named(sc->p, "str"), &k);
}

const Expr *check_formatted(Scope *sc, const Expr *e, const LocType *want) {
    Kids k = kids_new(sc, 2, want);
    kids_add(sc, &k, e->formatted_value.value);
    kids_add(sc, &k, e->formatted_value.format_spec);
    kids_settle(sc, &k);
    return kids_finish(sc, expr_formatted_value(sc->p->arena, e->at, k.at[0],
                                          e->formatted_value.conversion, k.at[1]),
                 type_named(sc->p, "str"), &k);
}

// ---- scopes inside expressions ----

static Scope *inner_scope(Scope *sc) {
    Scope *in = scope_new(sc->p, sc, sc->fn, sc->roles);
    in->transparent = true;
    in->deferred = true;
    return in;
}

LocType target_part(Scope *sc, LocType type, size_t len, size_t i) {
    bool poison = type.ty != NULL && type.ty->kind == TY_POISON;
    const Ty *item = poison ? type.ty : ty_any(sc->p->arena);
    if (type.ty != NULL && type.ty->kind == TY_TUPLE && type.ty->tuple.items.len == len)
        item = type.ty->tuple.items.at[i];
    if (item == NULL || item->kind != TY_PLACED) return (LocType){item, type.roles};
    return (LocType){item->placed.of, item->placed.at_roles};
}

// The variables of a comprehension are its own.
static void bind_target(Scope *sc, const Expr *t, LocType type) {
    if (t->kind == EXPR_NAME) scope_bind(sc, t->name.id, type, t->at);
    if (t->kind == EXPR_STARRED)
        bind_target(sc, t->starred.value, (LocType){ty_any(sc->p->arena), type.roles});
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++)
        bind_target(sc, elts.at[i], target_part(sc, type, elts.len, i));
}

// Any for each parameter; of those that need not be given, nothing is said (pyt_any_params).
static const Ty *lambda_type(Program *p, const Arguments *args, const Ty *result) {
    size_t n = args->posonlyargs.len + args->args.len;
    bool fixed = args->defaults.len == 0 && args->kwonlyargs.len == 0 && args->vararg == NULL;
    Vec(const Ty *) params = {0};
    for (size_t i = 0; fixed && i < n; i++) vec_push(p->arena, &params, ty_any(p->arena));
    if (!fixed) vec_push(p->arena, &params, ty_poison(p->arena));
    return ty_callable(p->arena, (TyList){params.at, params.len}, result);
}

const Expr *check_lambda(Scope *sc, const Expr *e, const LocType *want) {
    if (want != NULL && type_choreographic(want->ty)) return lambda_value(sc, e, want);
    if (refuse_local_lambda(sc, e)) return expr_poison(sc, e);
    Scope *in = inner_scope(sc);
    in->lambda = true;
    const Arguments *args = e->lambda.args;
    ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    LocType any = {ty_any(sc->p->arena), {0}};
    for (int i = 0; i < 3; i++)
        for (size_t j = 0; j < lists[i].len; j++)
            scope_bind(in, lists[i].at[j]->arg, any, lists[i].at[j]->at);
    if (args->vararg != NULL) scope_bind(in, args->vararg->arg, any, args->vararg->at);
    if (args->kwarg != NULL) scope_bind(in, args->kwarg->arg, any, args->kwarg->at);
    size_t n = args->defaults.len, m = args->kw_defaults.len;
    Kids k = kids_new(sc, n + m + 1, NULL);     // defaults are evaluated where the lambda stands
    for (size_t i = 0; i < n; i++) kids_add(sc, &k, args->defaults.at[i]);
    for (size_t i = 0; i < m; i++) kids_add(sc, &k, args->kw_defaults.at[i]);
    const Expr *body = check_operand(in, e->lambda.body, NULL);
    kids_add_checked(&k, body);
    kids_settle(sc, &k);
    for (size_t i = 0; i < n + m && !k.bad; i++)
        if (k.at[i] != NULL) k.at[i] = expr_own(sc, k.at[i], k.roles);
    const Arguments *made = arguments_new(sc->p->arena, args->posonlyargs, args->args, args->vararg,
                                          args->kwonlyargs, (ExprList){k.at + n, m}, args->kwarg,
                                          (ExprList){k.at, n});
    return kids_finish(sc, expr_lambda(sc->p->arena, e->at, made, k.at[n + m]),
                       lambda_type(sc->p, args, body->ty), &k);
}

// The body is looked at once more, quietly, with what the parameters are given.
const Ty *lambda_result(Scope *sc, const Expr *lambda, ExprList args) {
    Program *p = sc->p;
    const Arguments *a = lambda->lambda.args;
    size_t n = a->args.len;
    bool plain = a->posonlyargs.len + a->kwonlyargs.len + a->defaults.len == 0 &&
        a->vararg == NULL && a->kwarg == NULL && args.len == n;
    for (size_t i = 0; i < args.len; i++)
        plain = plain && args.at[i]->kind != EXPR_STARRED && !type_unknown(args.at[i]->ty);
    if (!plain) return NULL;
    Diags *diags = p->diags;
    bool failed = sc->fn->failed;
    p->diags = diags_new(p->arena);
    Scope *in = inner_scope(sc);
    in->lambda = true;
    for (size_t i = 0; i < n; i++)
        scope_bind(in, a->args.at[i]->arg, (LocType){args.at[i]->ty, {0}}, a->args.at[i]->at);
    const Ty *t = check_operand(in, lambda->lambda.body, NULL)->ty;
    bool clean = diags_error_count(p->diags) == 0;
    p->diags = diags;
    sc->fn->failed = failed;
    return clean && !type_unknown(t) ? t : NULL;
}

const Ty *element_type(Scope *sc, const Expr *iterable) {
    const Ty *ty = judge_element(sc, iterable);
    return ty != NULL ? ty : type_of_element(sc->p, iterable->ty);
}

// Checks the generators; all parts of a comprehension are operands of the whole.
static ComprehensionList check_generators(Scope *in, Scope *outer, ComprehensionList list, Kids *k,
                                          const Comprehension **made) {
    for (size_t i = 0; i < list.len; i++) {
        const Comprehension *c = list.at[i];
        const Expr *iter = check_operand(i == 0 ? outer : in, c->iter, NULL);
        bind_target(in, c->target, (LocType){element_type(in, iter), iter->roles});
        kids_add_checked(k, iter);
        Kids ifs = kids_new(in, c->ifs.len, NULL);
        for (size_t j = 0; j < c->ifs.len; j++) {
            kids_add(in, &ifs, c->ifs.at[j]);
            kids_add_checked(k, ifs.at[j]);
            narrow_by(in, ifs.at[j], true);
        }
        made[i] = comprehension_new(in->p->arena, c->target, iter, kids_list(ifs), c->is_async);
    }
    return (ComprehensionList){made, list.len};
}

// Who alone loops over a replicated object gets a copy: what reads it may use it up.
static ComprehensionList own_iterables(Scope *sc, ComprehensionList list, SymList roles) {
    Arena *a = sc->p->arena;
    const Comprehension **out = ARENA_ARRAY(a, const Comprehension *, list.len);
    for (size_t i = 0; i < list.len; i++) {
        const Comprehension *c = list.at[i];
        const Expr **ifs = ARENA_ARRAY(a, const Expr *, c->ifs.len + 1);
        for (size_t j = 0; j < c->ifs.len; j++) ifs[j] = expr_own_object(sc, c->ifs.at[j], roles);
        out[i] = comprehension_new(a, c->target, expr_own_object(sc, c->iter, roles),
                                   (ExprList){ifs, c->ifs.len}, c->is_async);
    }
    return (ComprehensionList){out, list.len};
}

static size_t part_count(ComprehensionList list) {
    size_t n = 2;
    for (size_t i = 0; i < list.len; i++) n += 1 + list.at[i]->ifs.len;
    return n;
}

static bool find_com(void *cx, const Expr *e) {
    const Expr **found = cx;
    if (e->kind == EXPR_COM && *found == NULL) *found = e;
    return *found == NULL;
}

static bool are_apart(Arena *a, const Kids *k) {
    SymList roles = {0};
    for (size_t i = 0; i < k->len; i++) {
        SymList own = k->at[i] != NULL ? k->at[i]->roles : (SymList){0};
        if (own.len == 0) continue;
        roles = roles.len == 0 ? own : roles_meet(a, roles, own);
        if (roles.len == 0) return true;
    }
    return false;
}

// A message in a comprehension, but for the first iterable, which leaves its parts apart: that they
// are is not the fault. Others are found with the effects (effect.c).
static bool refuse_message(Scope *sc, const Kids *k, const Expr *e, const Expr *elt,
                           ComprehensionList list) {
    Arena *a = sc->p->arena;
    const Expr *com = NULL;
    IrWalker w = {.cx = &com, .expr = find_com};
    for (size_t i = 1; i < k->len && com == NULL; i++)
        if (k->at[i] != NULL) ir_walk_expr(&w, k->at[i]);
    if (com == NULL || !are_apart(a, k)) return false;
    SymVec ends = {0};
    vec_push(a, &ends, com->com.sender);
    vec_push(a, &ends, com->com.receiver);
    SymList who = roles_sorted(a, sc->roles, (SymList){ends.at, ends.len});
    Diag *d = report_at(sc, com->at, DIAG_CONDITIONAL_COM, "%s communicate in a comprehension%s",
                        roles_text(a, who), rounds_text(sc->p, who, list.at[0]->iter->roles));
    help_comprehension(sc->p, d, e, elt, list);
    return true;
}

const Expr *check_comprehension(Scope *sc, const Expr *e, const Expr *key, const Expr *value,
                                 ComprehensionList list) {
    Arena *a = sc->p->arena;
    Scope *in = inner_scope(sc);
    Kids k = kids_new(sc, part_count(list), NULL);
    size_t mark = pyt_mark(sc->p->py);
    list = check_generators(in, sc, list, &k, ARENA_ARRAY(a, const Comprehension *, list.len));
    key = check_operand(in, key, NULL);
    value = check_operand(in, value, NULL);
    narrow_end(sc, mark);
    kids_add_checked(&k, key);
    kids_add_checked(&k, value);
    SymList roles;
    if (refuse_message(in, &k, e, value == NULL ? key : NULL, list)) return expr_poison(sc, e);
    if (!expr_meet(in, k.len, k.at, (SymList){0}, &roles)) return expr_poison(sc, e);
    key = expr_own(sc, key, roles);
    if (value != NULL) value = expr_own(sc, value, roles);
    list = own_iterables(sc, list, roles);
    bool collects = e->kind == EXPR_LIST_COMP || e->kind == EXPR_SET_COMP;
    if (e->kind == EXPR_DICT_COMP || e->kind == EXPR_SET_COMP)
        pyt_check_hashable(sc->p->py, key, key->ty,
                           e->kind == EXPR_SET_COMP ? "an element of a set" : "a key");
    const Expr *out = e->kind == EXPR_LIST_COMP ? expr_list_comp(a, e->at, key, list)
        : e->kind == EXPR_SET_COMP ? expr_set_comp(a, e->at, key, list)
        : e->kind == EXPR_DICT_COMP ? expr_dict_comp(a, e->at, key, value, list)
        : expr_generator_exp(a, e->at, key, list);
    const Ty *ty = ty_any(a);
    if (e->kind == EXPR_DICT_COMP) ty = dict_type(sc->p, key->ty, value->ty);
    if (collects)
        ty = container(sc->p, e->kind == EXPR_LIST_COMP ? "list" : "set",
                       (Kids){.at = &key, .len = 1});
    out = expr_typed(sc, out, ty, (SymList){0});
    if (roles.len == 0) return out;
    return expr_place(sc, out, roles);
}

const Expr *check_named(Scope *sc, const Expr *e) {
    const Expr *value = check_operand(sc, e->named_expr.value, NULL);
    Scope *home = sc;
    sc->fn->named = true;
    while (home->transparent && !home->lambda && home->outer != NULL) home = home->outer;
    Sym name = e->named_expr.target->name.id;
    Var *v = home->lambda ? table_get(home->vars, name) : scope_find(home, name);
    if (target_roams(sc, v, e->at)) return expr_poison(sc, e);
    if (v != NULL)
        value = expr_coerce(sc, value, v->type, names_format(sc->p->names, "`%s`", name));
    else if (expr_unplaced(value) && !home->lambda) {
        Diag *d = report_at(sc, e->at, DIAG_PLACE_MISSING, "the role of `%s` cannot be inferred",
                                                           name);
        help_pin(sc, d, value);
        return expr_poison(sc, e);
    } else {
        scope_bind(home, name, (LocType){value->ty, value->roles}, e->at);
    }
    narrow_assign(home, e->named_expr.target, v != NULL ? v->type.ty : NULL, value->ty, value);
    return expr_typed(sc, expr_named_expr(sc->p->arena, e->at, e->named_expr.target, value),
                      value->ty, value->roles);
}
