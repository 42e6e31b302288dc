// call.c - calls: of channels (com, select), of choreographies, of one role's code.

#include <string.h>

#include "typecheck/internal.h"

static const Expr *typed(Scope *sc, const Expr *e, const Ty *ty, SymList roles) {
    return expr_with_ty(sc->p->arena, e, ty, roles);
}

static const Expr *fail(Scope *sc, const Expr *e) {
    sc->fn->failed = true;
    return expr_poison(sc, e);
}

// ---- channels ----

typedef struct Channel {
    const Expr *expr;
    const ChannelClass *class_;
    TyList  types;
    SymList ends;
} Channel;

static bool channel_of(Scope *sc, const Expr *callee, Channel *out) {
    if (callee->kind != EXPR_ATTRIBUTE) return false;
    const Ty *t = callee->attribute.value->ty;
    if (t == NULL || t->kind != TY_INST) return false;
    Decl *d = program_find(sc->p, t->inst.name);
    if (d == NULL || d->channel == NULL) return false;
    *out = (Channel){callee->attribute.value, d->channel, t->inst.args, t->inst.actuals};
    return true;
}

static bool only_argument(Scope *sc, const Expr *call, const char *method) {
    if (call->call.args.len == 1 && call->call.keywords.len == 0 &&
        call->call.args.at[0]->kind != EXPR_STARRED)
        return true;
    report_at(sc, call->at, DIAG_CALL_ARGUMENTS, "`%s` takes exactly one value", method);
    return false;
}

// Which end sends, when nothing about the value says it: 0, 1, or -1 when both could.
static int end_by_direction(bool forth, bool back) {
    return forth && !back ? 0 : back && !forth ? 1 : -1;
}

static int end_of_value(Scope *sc, const Channel *ch, const Expr *value) {
    bool a = roles_has(value->roles, ch->ends.at[0]), b = roles_has(value->roles, ch->ends.at[1]);
    Program *p = sc->p;
    if (a != b) return a ? 0 : 1;
    if (a) {
        Diag *d = report_at(sc, value->at, DIAG_CHANNEL_ENDS, "%s is at %s already, at both ends",
                            expr_text(p, value), roles_text(p->arena, value->roles));
        diag_help(d, "say who sends it, as in `%s@%s`, or use it without sending",
                  "value", ch->ends.at[0]);
        return -1;
    }
    Diag *d = report_at(sc, value->at, DIAG_CHANNEL_ENDS, "%s is at %s, but %s joins %s",
                        expr_text(p, value), roles_text(p->arena, value->roles),
                        expr_text(p, ch->expr), roles_text(p->arena, ch->ends));
    diag_primary(d, "at %s", roles_text(p->arena, value->roles));
    diag_label(d, ch->expr->at, "between %s", roles_text(p->arena, ch->ends));
    help_send(sc, d, value, ch->ends);
    return -1;
}

static int end_of_literal(Scope *sc, const Channel *ch, const Expr *value, const LocType *want,
                          int by_direction) {
    if (by_direction >= 0) return by_direction;
    bool a = want != NULL && roles_has(want->roles, ch->ends.at[0]);
    bool b = want != NULL && roles_has(want->roles, ch->ends.at[1]);
    if (a != b) return a ? 1 : 0;
    Diag *d = report_at(sc, value->at, DIAG_PLACE_MISSING, "who sends %s, %s or %s?",
                        expr_text(sc->p, value), ch->ends.at[0], ch->ends.at[1]);
    Help *h = diag_help(d, "pin it, as in `...@%s`", ch->ends.at[0]);
    if (value->kind == EXPR_CONSTANT || value->kind == EXPR_NAME)
        diag_edit(d, h, (Span){value->at.end, value->at.end}, "@%s", ch->ends.at[0]);
    return -1;
}

static bool direction_ok(Scope *sc, const Expr *call, const Channel *ch, int sender, bool forth,
                         bool back, const char *method) {
    if (sender == 0 ? forth : back) return true;
    Diag *d = report_at(sc, call->at, DIAG_CHANNEL_DIRECTION,
                        "a `%s` has no `%s` from %s to %s", ch->class_->name, method,
                        ch->ends.at[sender], ch->ends.at[1 - sender]);
    if (forth || back)
        diag_note(d, "its `%s` goes from %s to %s", method, ch->ends.at[forth ? 0 : 1],
                  ch->ends.at[forth ? 1 : 0]);
    return false;
}

static bool sendable(Scope *sc, const Expr *value) {
    const char *why = type_unsendable(sc->p, value->ty);
    if (why == NULL) return true;
    report_at(sc, value->at, DIAG_NOT_SENDABLE, "%s cannot be sent: %s", expr_text(sc->p, value),
              why);
    return false;
}

static bool incomplete_any(TyList list);

// A type that a display without elements leaves open: `list`, `dict[str, list]`.
static bool incomplete(const Ty *t) {
    if (type_unknown(t)) return true;
    if (t->kind == TY_TUPLE) return incomplete_any(t->tuple.items);
    if (t->kind == TY_UNION) return incomplete_any(t->union_.items);
    if (t->kind != TY_NAMED) return false;
    bool container = type_is(t, "list") || type_is(t, "dict") || type_is(t, "set") ||
        type_is(t, "frozenset") || type_is(t, "tuple");
    return (container && t->named.args.len == 0) || incomplete_any(t->named.args);
}

static bool incomplete_any(TyList list) {
    for (size_t i = 0; i < list.len; i++)
        if (incomplete(list.at[i])) return true;
    return false;
}

static const Ty *payload_type(Scope *sc, const Expr *value, const LocType *want) {
    bool better = want != NULL && !type_unknown(want->ty) && !type_several(want->ty);
    return better && incomplete(value->ty) && type_fits(sc->p, value->ty, want->ty) ? want->ty
                                                                                    : value->ty;
}

static const Expr *check_com(Scope *sc, const Expr *call, const Channel *ch, const LocType *want) {
    Arena *a = sc->p->arena;
    if (!only_argument(sc, call, "com")) return fail(sc, call);
    const ChannelClass *c = ch->class_;
    if (!c->com_forth && !c->com_back) {
        report_at(sc, call->at, DIAG_CHANNEL_DIRECTION, "a `%s` only selects; it sends no data",
                  c->name);
        return fail(sc, call);
    }
    LocType payload = {want != NULL ? want->ty : NULL, {0}};
    const Expr *value = check_expr(sc, call->call.args.at[0], &payload);
    if (value->ty != NULL && value->ty->kind == TY_POISON) return fail(sc, call);
    if (!sendable(sc, value)) return fail(sc, call);
    int sender = expr_unplaced(value)
        ? end_of_literal(sc, ch, value, want, end_by_direction(c->com_forth, c->com_back))
        : end_of_value(sc, ch, value);
    if (sender < 0 || !direction_ok(sc, call, ch, sender, c->com_forth, c->com_back, "com"))
        return fail(sc, call);
    SymList from = {ch->ends.at + sender, 1}, to = {ch->ends.at + 1 - sender, 1};
    size_t which = c->types == 2 ? (size_t)sender : 0;
    const Ty *limit = which < ch->types.len ? ch->types.at[which] : ty_any(a);
    const Expr *located = roles_equal(value->roles, from) || expr_unplaced(value)
        ? expr_place(sc, value, from)
        : typed(sc, expr_pin(a, value->at, value, from), value->ty, from);
    value = expr_coerce(sc, located, (LocType){limit, from}, "what this channel carries");
    if (value->ty->kind == TY_POISON) return fail(sc, call);
    return typed(sc, expr_com(a, call->at, ch->expr, value, from.at[0], to.at[0]),
                 payload_type(sc, value, want), to);
}

// ---- selections ----

static bool bad_label_enum(Scope *sc, const Expr *at, const Decl *d) {
    StmtList body = d->stmt->class_def.body;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_FUNCTION_DEF && (sym_is(s->function_def.name, "__eq__") ||
                                             sym_is(s->function_def.name, "__hash__"))) {
            report_at(sc, at->at, DIAG_SELECT_FORM,
                      "`%s` defines its own equality, so its members cannot be labels", d->name);
            return true;
        }
        if (s->kind != STMT_ASSIGN) continue;
        for (size_t j = 0; j < i; j++) {
            if (body.at[j]->kind != STMT_ASSIGN ||
                s->assign.value->kind != EXPR_CONSTANT ||
                !ir_equal_expr(s->assign.value, body.at[j]->assign.value))
                continue;
            Diag *g = report_at(sc, at->at, DIAG_SELECT_FORM,
                                "two members of `%s` have one value, so they are one label",
                                d->name);
            diag_label(g, s->at, "the same value again");
            return true;
        }
    }
    return false;
}

// The label E.M under its pin, as the checked expression of an enum member; NULL when it is none.
static const Expr *label_of(const Expr *e) {
    while (e->kind == EXPR_PIN) e = e->pin.value;
    bool member = e->kind == EXPR_ATTRIBUTE && e->attribute.value->kind == EXPR_NAME;
    return member && e->ty != NULL && e->ty->kind == TY_NAMED ? e : NULL;
}

const Expr *check_select(Scope *sc, const Expr *call, const Expr *callee) {
    Arena *a = sc->p->arena;
    Channel ch;
    if (!channel_of(sc, callee, &ch) || !only_argument(sc, call, "select")) return fail(sc, call);
    const ChannelClass *c = ch.class_;
    if (!c->select_forth && !c->select_back) {
        report_at(sc, call->at, DIAG_CHANNEL_DIRECTION, "a `%s` sends data; it does not select",
                  c->name);
        return fail(sc, call);
    }
    const Expr *value = check_expr(sc, call->call.args.at[0], NULL);
    if (value->ty != NULL && value->ty->kind == TY_POISON) return fail(sc, call);
    const Expr *label = label_of(value);
    Decl *d = label != NULL ? program_find(sc->p, label->ty->named.name) : NULL;
    if (d == NULL || d->kind != DECL_ENUM) {
        Diag *g = report_at(sc, value->at, DIAG_SELECT_FORM,
                            "a label is a constant enum member written here");
        diag_help(g, "select one member in each branch; to send data, use `com`");
        return fail(sc, call);
    }
    if (bad_label_enum(sc, value, d)) return fail(sc, call);
    int sender = expr_unplaced(value)
        ? end_of_literal(sc, &ch, value, NULL, end_by_direction(c->select_forth, c->select_back))
        : end_of_value(sc, &ch, value);
    if (sender < 0 ||
        !direction_ok(sc, call, &ch, sender, c->select_forth, c->select_back, "select"))
        return fail(sc, call);
    SymList from = {ch.ends.at + sender, 1}, to = {ch.ends.at + 1 - sender, 1};
    label = typed(sc, label, label->ty, from);
    return typed(sc, expr_select(a, call->at, ch.expr, label, from.at[0], to.at[0]), label->ty, to);
}

// ---- choreographic calls: parameters ----

typedef struct Binding {
    const Function *f;
    const Expr **args;              // by parameter; NULL: left to its default
    SymList formals;
    Sym    *actuals;                // by formal; NULL: not known yet
} Binding;

static int param_named(const Function *f, Sym name) {
    for (size_t i = 0; i < f->params.len; i++)
        if (f->params.at[i].name == name) return (int)i;
    return -1;
}

static bool bind_positional(Scope *sc, const Expr *call, const Function *f, const Expr **by_param) {
    size_t next = 0;
    for (size_t i = 0; i < call->call.args.len; i++) {
        const Expr *arg = call->call.args.at[i];
        if (arg->kind == EXPR_STARRED) {
            report_unsupported(sc->p, arg->at, "unpacking arguments (`*`)");
            return false;
        }
        if (next >= f->params.len || f->params.at[next].kind == PARAM_KEYWORD) {
            report_at(sc, arg->at, DIAG_CALL_ARGUMENTS, "`%s` takes %zu positional argument%s",
                      f->name, next, next == 1 ? "" : "s");
            return false;
        }
        by_param[next++] = arg;
    }
    return true;
}

static bool bind_keywords(Scope *sc, const Expr *call, const Function *f, const Expr **by_param) {
    for (size_t i = 0; i < call->call.keywords.len; i++) {
        const Keyword *k = call->call.keywords.at[i];
        if (k->arg == NULL) {
            report_unsupported(sc->p, k->at, "unpacking arguments (`**`)");
            return false;
        }
        int at = param_named(f, k->arg);
        if (at < 0 || f->params.at[at].kind == PARAM_POSITIONAL || by_param[at] != NULL) {
            report_at(sc, k->at, DIAG_CALL_ARGUMENTS, at >= 0 && by_param[at] != NULL
                      ? "`%s` gets `%s` twice" : "`%s` has no parameter `%s`", f->name, k->arg);
            return false;
        }
        by_param[at] = k->value;
    }
    return true;
}

static bool bind_arguments(Scope *sc, const Expr *call, const Function *f, const Expr **by_param) {
    if (!bind_positional(sc, call, f, by_param) || !bind_keywords(sc, call, f, by_param))
        return false;
    for (size_t i = 0; i < f->params.len; i++) {
        if (by_param[i] != NULL || f->params.at[i].default_value != NULL) continue;
        Diag *d = report_at(sc, call->at, DIAG_CALL_ARGUMENTS, "`%s` needs an argument for `%s`",
                            f->name, f->params.at[i].name);
        diag_label(d, f->params.at[i].at, "this parameter has no default");
        return false;
    }
    return true;
}

// ---- choreographic calls: roles ----

static Sym *actual_of(const Binding *b, Sym formal) {
    for (size_t i = 0; i < b->formals.len; i++)
        if (b->formals.at[i] == formal) return &b->actuals[i];
    return NULL;
}

static bool all_known(const Binding *b) {
    for (size_t i = 0; i < b->formals.len; i++)
        if (b->actuals[i] == NULL) return false;
    return true;
}

static void learn(const Binding *b, SymList params, SymList args) {
    for (size_t i = 0; i < params.len && i < args.len; i++) {
        Sym *slot = actual_of(b, params.at[i]);
        if (slot != NULL && *slot == NULL) *slot = args.at[i];
    }
}

// A symmetric channel may be given the other way round: decide by the end that is known already.
static void learn_channel(const Binding *b, SymList params, SymList args) {
    Sym *first = actual_of(b, params.at[0]), *second = actual_of(b, params.at[1]);
    bool swap = (first != NULL && *first == args.at[1]) ||
        (second != NULL && *second == args.at[0]);
    SymList turned = {(const Sym[]){args.at[1], args.at[0]}, 2};
    learn(b, params, swap ? turned : args);
}

static void learn_roles(Scope *sc, const Binding *b, bool channels) {
    for (size_t i = 0; i < b->f->params.len; i++) {
        const Expr *arg = b->args[i];
        const LocType *t = &b->f->params.at[i].type;
        if (arg == NULL || t->ty == NULL || arg->ty == NULL) continue;
        bool inst = t->ty->kind == TY_INST && arg->ty->kind == TY_INST;
        Decl *d = inst ? program_find(sc->p, t->ty->inst.name) : NULL;
        bool channel = d != NULL && d->channel != NULL;
        if (channel != channels) continue;
        if (channel) learn_channel(b, t->ty->inst.actuals, arg->ty->inst.actuals);
        else if (inst) learn(b, t->ty->inst.actuals, arg->ty->inst.actuals);
        else if (t->roles.len == arg->roles.len) learn(b, t->roles, arg->roles);
    }
}

static bool roles_decided(Scope *sc, const Expr *call, const Binding *b, Sym name) {
    for (size_t i = 0; i < b->formals.len; i++) {
        if (b->actuals[i] == NULL) {
            Diag *d = report_at(sc, call->at, DIAG_ROLE_INFER,
                                "nothing says who plays %s in this call of `%s`", b->formals.at[i],
                                name);
            diag_help(d, "name the roles: `%s[...](...)`", name);
            return false;
        }
        for (size_t j = 0; j < i; j++) {
            if (b->actuals[i] != b->actuals[j]) continue;
            report_at(sc, call->at, DIAG_ROLE_REPEATED,
                      "`%s` needs two different roles for %s and %s, but both are %s", name,
                      b->formals.at[j], b->formals.at[i], b->actuals[i]);
            return false;
        }
    }
    return true;
}

// The roles written in `f[A, B]`: all of them, or those that no argument fixes.
static bool explicit_roles(Scope *sc, const Expr *callee, SymList *out) {
    if (callee->kind != EXPR_SUBSCRIPT) return true;
    const Expr *slice = callee->subscript.slice;
    ExprList list = slice->kind == EXPR_TUPLE ? slice->tuple.elts : (ExprList){&slice, 1};
    Vec(Sym) roles = {0};
    for (size_t i = 0; i < list.len; i++) {
        if (list.at[i]->kind != EXPR_NAME || !roles_has(sc->roles, list.at[i]->name.id)) {
            report_at(sc, list.at[i]->at, DIAG_ROLE_UNKNOWN, "a role in scope is expected here");
            return false;
        }
        vec_push(sc->p->arena, &roles, list.at[i]->name.id);
    }
    *out = (SymList){roles.at, roles.len};
    return true;
}

static bool give_explicit(Scope *sc, const Expr *callee, const Binding *b, SymList given) {
    size_t next = 0;
    bool all = given.len == b->formals.len;
    for (size_t i = 0; i < b->formals.len && next < given.len; i++)
        if (all || b->actuals[i] == NULL) b->actuals[i] = given.at[next++];
    if (next == given.len) return true;
    report_at(sc, callee->at, DIAG_ROLE_COUNT, "%zu roles are given, but `%s` has %zu", given.len,
              b->f->name, b->formals.len);
    return false;
}

// ---- choreographic calls ----

typedef struct Callee {
    Function   *f;
    Sym         name;
    const Expr *target;             // for the Inst
    SymList     formals;            // of the Inst; none for methods and nested functions
    SymList     from, to;           // roles known from the start (methods, nested functions)
    LocType     result;
} Callee;

static void check_args(Scope *sc, const Binding *b, const Expr **by_param) {
    for (size_t i = 0; i < b->f->params.len; i++) {
        if (by_param[i] == NULL) continue;
        const Param *q = &b->f->params.at[i];
        SymList to = {b->actuals, b->formals.len};
        LocType want = {type_map_roles(sc->p, q->type.ty, b->formals, to),
                        roles_map_all(sc->p->arena, b->formals, to, q->type.roles)};
        b->args[i] = check_expr(sc, by_param[i], all_known(b) ? &want : NULL);
    }
}

static bool coerce_args(Scope *sc, const Binding *b, SymList to) {
    bool ok = true;
    for (size_t i = 0; i < b->f->params.len; i++) {
        if (b->args[i] == NULL) continue;
        const Param *q = &b->f->params.at[i];
        LocType want = {type_map_roles(sc->p, q->type.ty, b->formals, to),
                        roles_map_all(sc->p->arena, b->formals, to, q->type.roles)};
        want.roles = roles_sorted(sc->p->arena, sc->roles, want.roles);
        b->args[i] = expr_coerce(sc, b->args[i], want,
                                 names_format(sc->p->names, "argument `%s` of `%s`", q->name,
                                              b->f->name));
        ok &= b->args[i]->ty->kind != TY_POISON;
    }
    return ok;
}

static const Expr *rebuild_call(Scope *sc, const Expr *call, const Expr *inst, const Binding *b) {
    Arena *a = sc->p->arena;
    Vec(const Expr *) args = {0};
    Vec(const Keyword *) keywords = {0};
    for (size_t i = 0; i < call->call.args.len; i++) vec_push(a, &args, b->args[i]);
    for (size_t i = 0; i < call->call.keywords.len; i++) {
        const Keyword *k = call->call.keywords.at[i];
        vec_push(a, &keywords, keyword_new(a, k->at, k->arg, b->args[param_named(b->f, k->arg)]));
    }
    return expr_call(a, call->at, inst, (ExprList){args.at, args.len},
                     (KeywordList){keywords.at, keywords.len});
}

static const Expr *call_choreography(Scope *sc, const Expr *call, Callee c, const LocType *want) {
    Program *p = sc->p;
    Arena *a = p->arena;
    Function *f = c.f;
    if (f->broken) return fail(sc, call);
    const Expr **by_param = ARENA_ARRAY(a, const Expr *, f->params.len + 1);
    SymList given = {0};
    if (!explicit_roles(sc, call->call.func, &given) || !bind_arguments(sc, call, f, by_param))
        return fail(sc, call);
    SymList formals = c.from.len > 0 ? c.from : f->roles;
    Binding b = {f, ARENA_ARRAY(a, const Expr *, f->params.len + 1), formals,
                 ARENA_ARRAY(a, Sym, formals.len + 1)};
    learn(&b, c.from, c.to);
    if (given.len == formals.len) give_explicit(sc, call->call.func, &b, given);
    if (want != NULL && want->roles.len == 1 && c.result.roles.len == 1)
        learn(&b, c.result.roles, want->roles);
    check_args(sc, &b, by_param);
    learn_roles(sc, &b, false);
    learn_roles(sc, &b, true);
    const Ty *w = want != NULL ? want->ty : NULL;
    if (w != NULL && w->kind == TY_INST && c.result.ty->kind == TY_INST)
        learn(&b, c.result.ty->inst.actuals, w->inst.actuals);
    if (given.len > 0 && given.len != formals.len &&
        !give_explicit(sc, call->call.func, &b, given))
        return fail(sc, call);
    if (!roles_decided(sc, call, &b, c.name)) return fail(sc, call);
    SymList actuals = {b.actuals, formals.len};
    if (!coerce_args(sc, &b, actuals)) return fail(sc, call);
    CallSite site = {call->call.func->at, f, sc->fn, formals, actuals};
    vec_push(a, &p->sites, site);
    const Expr *inst = expr_inst(a, call->call.func->at, c.target, c.formals, actuals,
                                 (SymList){0});
    SymList roles = roles_map_all(a, formals, actuals, c.result.roles);
    return typed(sc, rebuild_call(sc, call, inst, &b),
                 type_map_roles(p, c.result.ty, formals, actuals),
                 roles_sorted(a, sc->roles, roles));
}

// ---- what is called ----

static const Expr *call_method(Scope *sc, const Expr *call, const Expr *callee,
                               const LocType *want) {
    const Ty *t = callee->attribute.value->ty;
    Decl *d = program_find(sc->p, t->inst.name);
    Function *f = table_get(d->members, callee->attribute.attr);
    Callee c = {f, f->name, callee, {0}, d->formals, t->inst.actuals, f->result};
    return call_choreography(sc, call, c, want);
}

static const Expr *call_constructor(Scope *sc, const Expr *call, const Expr *name, Decl *d,
                                    const LocType *want) {
    LocType result = {ty_inst(sc->p->arena, d->name, (TyList){0}, d->formals), d->formals};
    Callee c = {d->init, d->name, name, d->formals, {0}, {0}, result};
    return call_choreography(sc, call, c, want);
}

static const Expr *call_named(Scope *sc, const Expr *call, const Expr *name, const LocType *want,
                              bool *done) {
    Var *v = scope_find(sc, name->name.id);
    *done = true;
    if (v != NULL && v->function != NULL) {
        Function *f = v->function;
        Callee c = {f, f->name, name, {0}, f->roles, f->roles, f->result};
        return call_choreography(sc, call, c, want);
    }
    Decl *d = v == NULL ? program_find(sc->p, name->name.id) : NULL;
    if (d != NULL && d->kind == DECL_ROLE_CLASS) return call_constructor(sc, call, name, d, want);
    if (d != NULL && d->kind == DECL_CHOREOGRAPHY) {
        Function *f = d->function;
        Callee c = {f, d->name, name, f->formals, {0}, {0}, f->result};
        return call_choreography(sc, call, c, want);
    }
    *done = false;
    return NULL;
}

// `C.m(..)` with C a class of several roles: only its local static methods.
static const Expr *call_static(Scope *sc, const Expr *call, const Expr *callee, bool *done) {
    const Expr *base = callee->attribute.value;
    Decl *d = base->kind == EXPR_NAME ? program_find(sc->p, base->name.id) : NULL;
    *done = d != NULL && d->kind == DECL_ROLE_CLASS && scope_find(sc, base->name.id) == NULL;
    if (!*done) return NULL;
    report_unsupported(sc->p, call->at, "a static method of a class of several roles");
    return fail(sc, call);
}

// ---- local calls ----

static const Ty *annotated_result(Program *p, const Stmt *def) {
    if (def == NULL || def->kind != STMT_FUNCTION_DEF) return ty_any(p->arena);
    const Expr *r = def->function_def.returns;
    return r != NULL ? annotation_local(p, r) : ty_any(p->arena);
}

static const Ty *class_attribute_result(Program *p, const Decl *d, Sym name, const Ty *self) {
    for (; d != NULL; d = program_local_base(p, d)) {
        const Stmt *m = table_get(d->members, name);
        if (m == NULL) continue;
        const Ty *t = annotated_result(p, m);
        return type_is(t, "Self") ? self : t;
    }
    return ty_any(p->arena);
}

static const Ty *local_result(Scope *sc, const Expr *callee, ExprList args) {
    Program *p = sc->p;
    if (callee->kind == EXPR_NAME) {
        Sym name = callee->name.id;
        if (scope_find(sc, name) != NULL) return ty_any(p->arena);
        Decl *d = program_find(p, name);
        if (d == NULL) {
            const Ty *t = type_of_builtin(p, name, args);
            return t != NULL ? t : ty_any(p->arena);
        }
        if (d->kind == DECL_LOCAL_CLASS || d->kind == DECL_ENUM)
            return ty_named(p->arena, d->name, (TyList){0});
        return d->kind == DECL_LOCAL_FUNCTION ? annotated_result(p, d->stmt) : ty_any(p->arena);
    }
    if (callee->kind != EXPR_ATTRIBUTE) return ty_any(p->arena);
    const Expr *base = callee->attribute.value;
    Decl *d = base->kind == EXPR_NAME && scope_find(sc, base->name.id) == NULL
        ? program_find(p, base->name.id) : NULL;
    if (d != NULL && d->kind == DECL_LOCAL_CLASS)
        return class_attribute_result(p, d, callee->attribute.attr,
                                      ty_named(p->arena, d->name, (TyList){0}));
    if (base->ty != NULL && base->ty->kind == TY_NAMED &&
        (d = program_find(p, base->ty->named.name)) != NULL)
        return class_attribute_result(p, d, callee->attribute.attr, base->ty);
    return type_of_method(p, base->ty, callee->attribute.attr);
}

bool refuse_several(Scope *sc, const Expr *e, const char *what) {
    if (!type_several(e->ty)) return false;
    report_at(sc, e->at, DIAG_NEVER_LOCAL, "%s lives at several roles and cannot %s",
              expr_text(sc->p, e), what);
    return true;
}

static void check_store_through(Scope *sc, const Expr *callee, SymList roles) {
    if (callee->kind != EXPR_ATTRIBUTE) return;
    const Expr *base = callee->attribute.value;
    if (base->roles.len <= roles.len || roles.len == 0 || !type_mutable(sc->p, base->ty)) return;
    if (method_pure(base->ty, callee->attribute.attr)) return;
    Program *p = sc->p;
    Diag *d = report_at(sc, callee->at, DIAG_REPLICATED_STORE,
                        "%s is replicated at %s, but only %s would call `%s` on it",
                        expr_text(p, base), roles_text(p->arena, base->roles),
                        roles_text(p->arena, roles), callee->attribute.attr);
    diag_help(d, "send the arguments to all of %s first, or narrow the object: "
              "`obj: At[.., %s] = %s`", roles_text(p->arena, base->roles), roles.at[0], "...");
}

// A builtin only looks at its arguments, but what it gives may hold their elements.
static bool reads_only(Scope *sc, const Expr *callee, const Expr *arg) {
    Program *p = sc->p;
    if (callee->kind != EXPR_NAME || program_find(p, callee->name.id) != NULL ||
        !builtin_deterministic(callee->name.id))
        return false;
    const Ty *result = type_of_builtin(p, callee->name.id, (ExprList){&arg, 1});
    return (result != NULL && !type_mutable(p, result)) ||
        !type_mutable(p, type_of_element(p, arg->ty));
}

static const Expr *narrowed(Scope *sc, const Expr *callee, const Expr *arg, SymList roles) {
    if (arg->kind == EXPR_STARRED || arg->roles.len <= roles.len || reads_only(sc, callee, arg))
        return arg;
    return expr_coerce(sc, arg, (LocType){arg->ty, roles}, "the argument");
}

static const Expr *call_local(Scope *sc, const Expr *call, const Expr *callee,
                              const LocType *want) {
    Arena *a = sc->p->arena;
    size_t n = call->call.args.len, m = call->call.keywords.len;
    const Expr **k = ARENA_ARRAY(a, const Expr *, n + m + 1);
    bool ok = callee->ty == NULL || callee->ty->kind != TY_POISON;
    LocType hint = {NULL, callee->roles.len > 0 || want == NULL ? callee->roles : want->roles};
    for (size_t i = 0; i < n + m; i++) {
        const Expr *arg = i < n ? call->call.args.at[i] : call->call.keywords.at[i - n]->value;
        k[i] = check_expr(sc, arg, &hint);
        if (hint.roles.len == 0) hint.roles = k[i]->roles;
        if (k[i]->roles.len == 0 && !expr_unplaced(k[i])) {
            report_at(sc, arg->at, DIAG_PLACE_WRONG, "%s gives no value at any role",
                      expr_text(sc->p, arg));
            ok = false;
        }
        if (ok) ok = !refuse_several(sc, k[i], "be given to one role's code");
        ok &= k[i]->ty == NULL || k[i]->ty->kind != TY_POISON;
    }
    k[n + m] = callee;
    SymList roles;
    if (!ok || !expr_meet(sc, n + m + 1, k, &roles)) return fail(sc, call);
    check_store_through(sc, callee, roles);
    for (size_t i = 0; i <= n + m && roles.len > 0; i++) k[i] = expr_place(sc, k[i], roles);
    for (size_t i = 0; i < n + m && roles.len > 0; i++) k[i] = narrowed(sc, callee, k[i], roles);
    const Keyword **keywords = ARENA_ARRAY(a, const Keyword *, m);
    for (size_t i = 0; i < m; i++) {
        const Keyword *old = call->call.keywords.at[i];
        keywords[i] = keyword_new(a, old->at, old->arg, k[n + i]);
    }
    ExprList args = {k, n};
    const Ty *ty = local_result(sc, callee, args);
    return typed(sc, expr_call(a, call->at, k[n + m], args, (KeywordList){keywords, m}), ty, roles);
}

static const Expr *call_channel(Scope *sc, const Expr *call, const Expr *callee, const Channel *ch,
                                const LocType *want) {
    Sym method = callee->attribute.attr;
    if (sym_is(method, "com")) return check_com(sc, call, ch, want);
    if (sym_is(method, "select")) {
        Diag *d = report_at(sc, call->at, DIAG_SELECT_FORM,
                            "a selection is a statement of its own; its result cannot be used");
        diag_help(d, "to send data, use `com`");
    } else if (sym_is(method, "share")) {
        report_unsupported(sc->p, call->at, "`share`");
    } else {
        Diag *d = report_at(sc, callee->at, DIAG_ATTRIBUTE_UNKNOWN, "a channel has no method `%s`",
                            method);
        diag_help(d, "`com` sends a value, `select` a label");
    }
    return fail(sc, call);
}

const Expr *check_call(Scope *sc, const Expr *call, const Expr *callee, const LocType *want) {
    bool done = false;
    const Expr *name = callee->kind == EXPR_SUBSCRIPT && callee->ty == NULL
        ? callee->subscript.value : callee;
    if (name->kind == EXPR_NAME) {
        const Expr *out = call_named(sc, call, name, want, &done);
        if (done) return out;
    }
    Channel ch;
    if (channel_of(sc, callee, &ch)) return call_channel(sc, call, callee, &ch, want);
    if (callee->kind == EXPR_ATTRIBUTE) {
        const Ty *t = callee->attribute.value->ty;
        bool whole = callee->ty != NULL && callee->ty->kind != TY_POISON;
        if (t != NULL && t->kind == TY_INST && whole) {
            Decl *d = program_find(sc->p, t->inst.name);
            Function *f = table_get(d->members, callee->attribute.attr);
            if (f != NULL && !f->local) return call_method(sc, call, callee, want);
        }
        const Expr *out = call_static(sc, call, callee, &done);
        if (done) return out;
    }
    return call_local(sc, call, callee, want);
}
