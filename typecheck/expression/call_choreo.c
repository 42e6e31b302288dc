// call_choreo.c - calls of choreographies: arguments to parameters, actual roles to formal ones.

#include "typecheck/expression/call.h"

// ---- choreographic calls: parameters ----

Subst call_decided(const Binding *b) {
    return (Subst){b->formals, {b->actuals, b->formals.len}, b->vars, {b->given, b->vars.len}};
}

// The type of a parameter as far as it is decided; roles that are not known are as in the callee.
static LocType param_type(Scope *sc, const Binding *b, size_t i) {
    Subst s = call_decided(b);
    return located_subst(sc->p, b->types[i], &s);
}

static int param_named(const Function *f, Sym name) {
    for (size_t i = 0; i < f->params.len; i++)
        if (f->params.at[i].name == name) return (int)i;
    return -1;
}

static void report_unpacked(Scope *sc, Span at, const char *stars, const Function *f) {
    Diag *d = report_at(sc, at, DIAG_CALL_ARGUMENTS,
                        "`%s` cannot unpack arguments of the choreography `%s`, because only one "
                        "role would know how many there are", stars, f->name);
    diag_help(d, "write the arguments one by one");
}

static bool bind_positional(Scope *sc, const Expr *call, const Function *f, const Expr **by_param) {
    size_t next = 0;
    for (size_t i = 0; i < call->call.args.len; i++) {
        const Expr *arg = call->call.args.at[i];
        if (arg->kind == EXPR_STARRED) {
            report_unpacked(sc, arg->at, "*", f);
            return false;
        }
        if (next >= f->params.len || f->params.at[next].kind == PARAM_KEYWORD) {
            bool optional = next > 0 && f->params.at[next - 1].default_value != NULL;
            report_at(sc, arg->at, DIAG_CALL_ARGUMENTS, "`%s` takes %s%zu positional argument%s, "
                      "but %zu %s given", f->name, optional ? "at most " : "", next, diag_s(next),
                      call->call.args.len, diag_was(call->call.args.len));
            return false;
        }
        by_param[next++] = arg;
    }
    return true;
}

// PEP 484: `__x` is positional-only for type checkers, those of the programs that come out too.
static bool by_position_only(const Param *q) {
    size_t n = strlen(q->name);
    return q->kind == PARAM_POSITIONAL ||
        (q->kind != PARAM_KEYWORD && strncmp(q->name, "__", 2) == 0 &&
         (n < 4 || strcmp(q->name + n - 2, "__") != 0));
}

static void report_keyword(Scope *sc, const Keyword *k, const Function *f, bool twice) {
    Diag *d = report_at(sc, k->at, DIAG_CALL_ARGUMENTS,
                        twice ? "`%s` got multiple values for argument `%s`"
                              : "`%s` got an unexpected keyword argument `%s`", f->name, k->arg);
    Vec(Sym) names = {0};
    for (size_t i = 0; i < f->params.len; i++)
        if (!by_position_only(&f->params.at[i]))
            vec_push(sc->p->arena, &names, f->params.at[i].name);
    if (!twice)
        help_keyword(d, k->arg, param_named(f, k->arg) >= 0, (SymList){names.at, names.len});
}

static bool bind_keywords(Scope *sc, const Expr *call, const Function *f, const Expr **by_param) {
    for (size_t i = 0; i < call->call.keywords.len; i++) {
        const Keyword *k = call->call.keywords.at[i];
        if (k->arg == NULL) {
            report_unpacked(sc, k->at, "**", f);
            return false;
        }
        int at = param_named(f, k->arg);
        bool named = at >= 0 && !by_position_only(&f->params.at[at]);
        if (!named || by_param[at] != NULL) {
            report_keyword(sc, k, f, named);
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
        Diag *d = report_at(sc, call->at, DIAG_CALL_ARGUMENTS, "`%s` is missing the required "
                                                               "argument `%s`",
                            f->name, f->params.at[i].name);
        diag_label(d, f->params.at[i].at, "this parameter has no default value");
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

void call_learn_roles(const Binding *b, SymList params, SymList args) {
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
    call_learn_roles(b, params, swap ? turned : args);
}

// A value at several roles: who is not known yet, for those that nobody plays yet.
static void learn_set(Scope *sc, const Binding *b, SymList params, SymList args) {
    Vec(Sym) open = {0}, free = {0};
    for (size_t i = 0; i < params.len; i++) {
        const Sym *slot = actual_of(b, params.at[i]);
        if (slot != NULL && *slot == NULL) vec_push(sc->p->arena, &open, params.at[i]);
    }
    for (size_t i = 0; i < args.len; i++) {
        bool taken = false;
        for (size_t j = 0; j < params.len; j++) {
            const Sym *slot = actual_of(b, params.at[j]);
            taken |= slot != NULL && *slot == args.at[i];
        }
        if (!taken) vec_push(sc->p->arena, &free, args.at[i]);
    }
    if (open.len == free.len)
        call_learn_roles(b, (SymList){open.at, open.len}, (SymList){free.at, free.len});
}

static void learn_parts(Scope *sc, const Binding *b, TyList params, TyList args,
                        LearnStep step) {
    for (size_t i = 0; i < params.len && params.len == args.len; i++) {
        const Ty *q = params.at[i], *r = args.at[i];
        if (q->kind == TY_PLACED && r->kind == TY_PLACED)
            call_learn(sc, b, (LocType){q->placed.of, q->placed.at_roles},
                       (LocType){r->placed.of, r->placed.at_roles}, step);
    }
}

void call_learn(Scope *sc, const Binding *b, LocType param, LocType arg, LearnStep step) {
    const Ty *t = param.ty, *u = arg.ty;
    if (t == NULL || u == NULL || u->kind == TY_POISON) return;
    bool inst = t->kind == TY_INST && u->kind == TY_INST;
    Decl *d = inst ? program_find(sc->p, t->inst.name) : NULL;
    bool channel = d != NULL && d->channel != NULL;
    if (type_choreographic(t) && type_choreographic(u)) {
        learn_parts(sc, b, t->callable.params, u->callable.params, step);
        learn_parts(sc, b, (TyList){&t->callable.result, 1}, (TyList){&u->callable.result, 1},
                    step);
    } else if (t->kind == TY_TUPLE && u->kind == TY_TUPLE && type_several(t)) {
        learn_parts(sc, b, t->tuple.items, u->tuple.items, step);
    }
    if (channel && step == LEARN_CHANNELS) learn_channel(b, t->inst.actuals, u->inst.actuals);
    if (inst && !channel && step == LEARN_SINGLE) {
        const Ty *up = hierarchy_upcast(sc->p, u, d);
        call_learn_roles(b, t->inst.actuals, up != NULL ? up->inst.actuals : u->inst.actuals);
    }
    if (inst || param.roles.len != arg.roles.len) return;
    if (step == LEARN_SINGLE && param.roles.len == 1) call_learn_roles(b, param.roles, arg.roles);
    if (step == LEARN_SETS) learn_set(sc, b, param.roles, arg.roles);
}

static void learn_types(Scope *sc, const Binding *b, const Ty *param, const Ty *arg) {
    bool inst = param != NULL && arg != NULL && param->kind == TY_INST && arg->kind == TY_INST;
    Decl *d = inst ? program_find(sc->p, param->inst.name) : NULL;
    const Ty *up = d != NULL && d->kind == DECL_ROLE_CLASS ? hierarchy_upcast(sc->p, arg, d) : NULL;
    type_learn(sc->p, b->vars, b->given, param, up != NULL ? up : arg);
}

bool call_roles_distinct(Scope *sc, const Expr *call, const Binding *b, Sym name) {
    for (size_t i = 0; i < b->formals.len; i++)
        for (size_t j = 0; j < i; j++) {
            if (b->actuals[i] != b->actuals[j]) continue;
            report_at(sc, call->at, DIAG_ROLE_REPEATED,
                      "`%s` needs two different roles for %s and %s, but both are %s", name,
                      b->formals.at[j], b->formals.at[i], b->actuals[i]);
            return false;
        }
    return true;
}

// An argument with an error might have said who plays which role.
static bool args_failed(const Binding *b) {
    for (size_t i = 0; i < b->f->params.len; i++)
        if (b->args[i] != NULL && b->args[i]->ty != NULL && b->args[i]->ty->kind == TY_POISON)
            return true;
    return false;
}

static bool arg_fits(Program *p, const Expr *arg, LocType want) {
    const Ty *t = arg->ty;
    if (type_is_channel(p, t) != type_is_channel(p, want.ty)) return false;
    if (type_is_channel(p, t)) return channel_fits(p, t, want.ty);
    return roles_subset(want.roles, arg->roles) && type_fits(p, t, want.ty);
}

// Whether the call of two arguments is well-typed once they are swapped.
static bool swap_fits(Scope *sc, const Binding *b, const Callee *c) {
    if (b->f->params.len != 2 || b->vars.len > 0 || b->args[0] == NULL || b->args[1] == NULL)
        return false;
    const Expr *args[] = {b->args[1], b->args[0]};
    Binding swapped = *b;
    swapped.actuals = ARENA_ARRAY(sc->p->arena, Sym, b->formals.len + 1);
    call_learn_roles(&swapped, c->roles, c->known);
    for (LearnStep step = LEARN_SINGLE; step <= LEARN_SETS; step++)
        for (size_t i = 0; i < 2; i++)
            call_learn(sc, &swapped, b->types[i], (LocType){args[i]->ty, args[i]->roles}, step);
    return all_known(&swapped) && arg_fits(sc->p, args[0], param_type(sc, &swapped, 0)) &&
        arg_fits(sc->p, args[1], param_type(sc, &swapped, 1));
}

static void help_order(Scope *sc, Diag *d, const Function *f) {
    Buf names = buf_new(sc->p->arena);
    for (size_t i = 0; i < f->params.len; i++)
        buf_printf(&names, "%s`%s`", i > 0 ? ", " : "", f->params.at[i].name);
    diag_help(d, "pass the arguments in the order of the parameters: %s", buf_text(&names));
}

static void help_swap(Scope *sc, Diag *d, const Expr *x, const Expr *y) {
    const char *first = source_written(sc->p->arena, sc->p->source, x->at);
    const char *second = source_written(sc->p->arena, sc->p->source, y->at);
    if (first == NULL || second == NULL) return;
    Help *h = diag_help(d, "swap the two arguments");
    diag_edit(d, h, x->at, "%s", second);
    diag_edit(d, h, y->at, "%s", first);
}

// A channel where a value is expected, or the reverse: then the roles are not the fault.
static bool report_kinds(Scope *sc, const Expr *call, const Binding *b, const Callee *c) {
    size_t first = 0, n = 0, channels = 0;
    for (size_t i = 0; i < b->f->params.len; i++) {
        if (b->args[i] == NULL || b->args[i]->ty == NULL ||
            type_is_channel(sc->p, b->types[i].ty) == type_is_channel(sc->p, b->args[i]->ty))
            continue;
        if (n++ == 0) first = i;
        channels += type_is_channel(sc->p, b->args[i]->ty);
    }
    if (n == 0) return false;
    const Expr *arg = b->args[first];
    bool channel = type_is_channel(sc->p, arg->ty);
    const char *want = !channel ? "channel"
        : type_choreographic(b->types[first].ty) ? "function" : "value";
    Diag *d = report_at(sc, arg->at, DIAG_TYPE_MISMATCH,
                        "parameter `%s` of `%s` expects a %s, but %s is a %s",
                        b->f->params.at[first].name, c->name, want, expr_text(sc->p, arg),
                        channel ? "channel" : "value");
    if (n == 2 && channels == 1 && swap_fits(sc, b, c))
        help_swap(sc, d, b->args[0], b->args[1]);
    else if (2 * channels == n && call->call.keywords.len == 0)
        help_order(sc, d, b->f);
    return true;
}

// A copy that one role has, for a parameter that several have: stating the roles is not enough.
static bool help_copies(Scope *sc, Diag *d, const Binding *b, Sym formal) {
    for (size_t i = 0; i < b->f->params.len; i++) {
        const Expr *arg = b->args[i];
        SymList want = b->types[i].roles;
        if (arg == NULL || arg->roles.len == 0 || arg->roles.len >= want.len ||
            type_several(b->types[i].ty) || !roles_has(want, formal))
            continue;
        Arena *a = sc->p->arena;
        diag_label(d, arg->at, "at %s, but the parameter is at %s", roles_text(a, arg->roles),
                   roles_text(a, want));
        diag_help(d, "give the value to all these roles first, with `share` on a channel, and pass "
                  "the result");
        return true;
    }
    return false;
}

// `f[...]`, `s.m[...]`, and `C[...].m` of a class, where the roles are those of the class.
static const char *with_roles(Scope *sc, const Expr *callee, Sym name) {
    bool attribute = callee->kind == EXPR_ATTRIBUTE;
    const Decl *of = attribute ? class_named(sc, callee->attribute.value) : NULL;
    if (of != NULL && of->kind == DECL_ROLE_CLASS)
        return names_format(sc->p->names, "%s[...].%s", of->name, callee->attribute.attr);
    const char *text = source_written(sc->p->arena, sc->p->source, callee->at);
    bool shown = callee->kind != EXPR_SUBSCRIPT && text != NULL && strlen(text) < 40;
    return names_format(sc->p->names, "%s[...]", shown ? text : name);
}

static bool roles_decided(Scope *sc, const Expr *call, const Binding *b, const Callee *c) {
    Sym name = c->name;
    if (!args_failed(b) && !b->f->failed && report_kinds(sc, call, b, c)) return false;
    for (size_t i = 0; i < b->formals.len; i++) {
        if (b->actuals[i] == NULL) {
            if (args_failed(b) || b->f->failed) return false;
            Diag *d = report_at(sc, call->at, DIAG_ROLE_INFER,
                                "the role %s of this call of `%s` cannot be inferred",
                                b->formals.at[i],
                                name);
            if (!help_copies(sc, d, b, b->formals.at[i]))
                diag_help(d, "state the roles: `%s(...)`", with_roles(sc, call->call.func, name));
            return false;
        }
    }
    return call_roles_distinct(sc, call, b, name);
}

static void report_no_role(Scope *sc, const Expr *e, bool generic) {
    Diag *d = report_at(sc, e->at, DIAG_ROLE_UNKNOWN, "%s is not a role in scope here",
                        expr_text(sc->p, e));
    bool quoted = e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_STR;
    if (quoted)
        diag_help(d, "write the roles without quotes");
    else if (generic && e->kind == EXPR_NAME && builtin_exists(e->name.id))
        diag_help(d, "write the type arguments before the roles");
    else
        diag_note(d, "the roles in scope are %s", roles_text(sc->p->arena, sc->roles));
}

// What is written in `f[int, A, B]`: type arguments, or none of them; then all roles, or those that
// no argument fixes.
bool call_explicit_roles(Scope *sc, const Expr *callee, Binding *b, SymList *out) {
    if (callee->kind != EXPR_SUBSCRIPT) return true;
    const Expr *slice = callee->subscript.slice;
    ExprList list = slice->kind == EXPR_TUPLE ? slice->tuple.elts : (ExprList){&slice, 1};
    Vec(Sym) roles = {0};
    size_t types = 0;
    while (types < list.len && types < b->vars.len &&
           !(list.at[types]->kind == EXPR_NAME && roles_has(sc->roles, list.at[types]->name.id)))
        types++;
    if (types > 0 && types < b->vars.len) {
        report_at(sc, callee->at, DIAG_TYPE_ARGUMENTS, "%zu type argument%s %s given, but `%s` has "
                  "%zu type parameter%s", types, diag_s(types), diag_is(types), b->f->name,
                  b->vars.len, diag_s(b->vars.len));
        return false;
    }
    b->stated = types > 0;
    bool known = true;
    for (size_t i = 0; i < types; i++) {
        known &= annotation_names(sc->p, sc, sc->roles, list.at[i]);
        b->given[i] = annotation_local(sc->p, list.at[i]);
    }
    if (!known) {
        sc->fn->failed = true;
        return false;
    }
    for (size_t i = types; i < list.len; i++) {
        if (list.at[i]->kind != EXPR_NAME || !roles_has(sc->roles, list.at[i]->name.id)) {
            report_no_role(sc, list.at[i], b->vars.len > 0 && types == 0);
            return false;
        }
        vec_push(sc->p->arena, &roles, list.at[i]->name.id);
    }
    *out = (SymList){roles.at, roles.len};
    return true;
}

bool call_give_explicit(Scope *sc, const Expr *callee, Sym name, const Binding *b, SymList given) {
    size_t next = 0;
    bool all = given.len == b->formals.len;
    for (size_t i = 0; i < b->formals.len && next < given.len; i++)
        if (all || b->actuals[i] == NULL) b->actuals[i] = given.at[next++];
    if (next == given.len) return true;
    report_at(sc, callee->at, DIAG_ROLE_COUNT, "`%s` has %zu role%s, but %zu %s given", name,
              b->formals.len, diag_s(b->formals.len), given.len, diag_is(given.len));
    return false;
}

// ---- choreographic calls ----

// A choreography by its name, or a lambda: the type that the parameter has says what it is. So it
// does for a tuple.
static bool needs_context(Scope *sc, const Expr *arg, const Param *q) {
    if (arg->kind == EXPR_TUPLE) return type_several(q->type.ty);
    if (!type_choreographic(q->type.ty)) return false;
    Decl *d = arg->kind == EXPR_NAME && scope_find(sc, arg->name.id) == NULL
        ? program_find(sc->p, arg->name.id) : NULL;
    return arg->kind == EXPR_LAMBDA || (d != NULL && d->kind == DECL_CHOREOGRAPHY);
}

// What is known of the parts of a tuple before the parameter says where they go.
static void learn_tuple(Scope *sc, const Binding *b, const Expr *arg, LocType param,
                        LearnStep step) {
    TyList items = param.ty->tuple.items;
    if (arg->kind != EXPR_TUPLE || param.ty->kind != TY_TUPLE) return;
    for (size_t i = 0; i < arg->tuple.elts.len && i < items.len; i++) {
        const Expr *part = arg->tuple.elts.at[i];
        LocType at = {items.at[i]->placed.of, items.at[i]->placed.at_roles};
        Var *v = part->kind == EXPR_NAME ? scope_find(sc, part->name.id) : NULL;
        if (v != NULL && v->function == NULL) call_learn(sc, b, at, v->type, step);
        if (part->kind == EXPR_TUPLE && type_several(at.ty)) learn_tuple(sc, b, part, at, step);
    }
}

// A nested function or a method: it helps to say who plays which role, but its own roles are more
// than those that the parameter shows.
static bool gains_context(const Expr *arg, const Expr *checked) {
    while (arg->kind == EXPR_ATTRIBUTE) arg = arg->attribute.value;
    return arg->kind == EXPR_NAME && checked != NULL && checked->kind == EXPR_INST;
}

// What a channel carries decides: an argument that is sent over it may be narrower.
static void learn_payloads(Scope *sc, const Binding *b) {
    const Ty **carried = ARENA_ARRAY(sc->p->arena, const Ty *, b->vars.len + 1);
    for (size_t i = 0; i < b->f->params.len; i++) {
        const Ty *t = b->types[i].ty;
        if (b->args[i] != NULL && type_is_channel(sc->p, t))
            type_learn(sc->p, b->vars, carried, t, b->args[i]->ty);
    }
    for (size_t i = 0; i < b->vars.len; i++)
        if (carried[i] != NULL && !type_is(carried[i], "object")) b->given[i] = carried[i];
}

static void learn_roles(Scope *sc, const Binding *b, const Expr **by_param, LearnStep step) {
    for (size_t i = 0; i < b->f->params.len; i++) {
        const Expr *arg = b->args[i];
        LocType param = b->types[i];
        const Ty *t = arg == NULL ? NULL
            : type_choreographic(param.ty) ? instance_call_type(sc, arg) : arg->ty;
        if (arg != NULL && step == LEARN_SINGLE && !b->stated) learn_types(sc, b, param.ty, t);
        if (arg != NULL)
            call_learn(sc, b, param, (LocType){t, arg->roles}, step);
        else if (by_param[i] != NULL && type_several(param.ty))
            learn_tuple(sc, b, by_param[i], param, step);
    }
    if (step == LEARN_SINGLE && !b->stated) learn_payloads(sc, b);
}

// First those that say who plays which role, then those that must be told.
static void check_args(Scope *sc, const Binding *b, const Expr **by_param, bool told) {
    for (size_t i = 0; i < b->f->params.len; i++) {
        if (by_param[i] == NULL) continue;
        const Param *q = &b->f->params.at[i];
        if (needs_context(sc, by_param[i], q) ? !told
            : told && !gains_context(by_param[i], b->args[i]))
            continue;
        LocType want = param_type(sc, b, i);
        bool checked = by_param[i]->ty != NULL;     // the object of a method with own roles
        b->args[i] = checked ? by_param[i]
            : check_expr(sc, by_param[i],
                         all_known(b) || names_channel_method(sc, by_param[i]) ? &want : NULL);
    }
}

static bool coerce_args(Scope *sc, const Binding *b) {
    bool ok = true;
    for (size_t i = 0; i < b->f->params.len; i++) {
        if (b->args[i] == NULL) continue;
        const Param *q = &b->f->params.at[i];
        LocType want = param_type(sc, b, i);
        want.roles = roles_sorted(sc->p->arena, sc->roles, want.roles);
        const char *what = b->f->kind == METHOD_SETTER
            ? names_format(sc->p->names, "property `%s`", b->f->def->function_def.name)
            : names_format(sc->p->names, "argument `%s` of `%s`", q->name, b->f->name);
        b->args[i] = expr_coerce(sc, b->args[i], want, what);
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

// ---- callees ----

Callee callee_of_nested(Function *f, const Expr *target) {
    Subst none = {0};
    return (Callee){f, f->name, target, {0}, none, f->roles, f->roles, {0}, f->result, f->def};
}

Callee callee_of_function(Scope *sc, const Decl *d, const Expr *target) {
    Function *f = d->function;
    Subst view = {0};
    SymList vars = call_own_vars(sc->p, f->type_params, &view);
    Sym said = f->lifted_from != NULL ? f->lifted_from->function_def.name : d->name;
    return (Callee){f, said, target, f->formals, view, f->roles, {0}, vars,
                    located_subst(sc->p, f->result, &view), f->def};
}

Callee callee_of_method(Scope *sc, const Ty *inst, const Member *m, const Expr *target) {
    Function *f = m->function;
    Subst view = hierarchy_view(sc->p, m->from, inst);
    SymList vars = call_own_vars(sc->p, f->type_params, &view), roles = inst->inst.actuals;
    return (Callee){f, f->name, target, {0}, view, roles, roles, vars,
                    located_subst(sc->p, f->result, &view), f->def};
}

// ---- calls ----

Binding call_binding(Scope *sc, const Callee *c) {
    Arena *a = sc->p->arena;
    size_t n = c->f->params.len;
    LocType *types = ARENA_ARRAY(a, LocType, n + 1);
    for (size_t i = 0; i < n; i++)
        types[i] = located_subst(sc->p, c->f->params.at[i].type, &c->view);
    Binding b = {.f = c->f, .types = types, .args = ARENA_ARRAY(a, const Expr *, n + 1),
                 .formals = c->roles, .actuals = ARENA_ARRAY(a, Sym, c->roles.len + 1),
                 .vars = c->vars, .given = ARENA_ARRAY(a, const Ty *, c->vars.len + 1)};
    call_learn_roles(&b, c->roles, c->known);
    return b;
}

static bool roles_known(const Binding *b, SymList roles) {
    for (size_t i = 0; i < roles.len; i++) {
        const Sym *slot = actual_of(b, roles.at[i]);
        if (slot != NULL && *slot == NULL) return false;
    }
    return true;
}

// A lambda whose parameters are known where it stands, but not who gets its result.
static bool tells_result(const Binding *b, const Expr *arg, const Ty *t) {
    if (arg == NULL || arg->kind != EXPR_LAMBDA || !type_choreographic(t)) return false;
    for (size_t i = 0; i < t->callable.params.len; i++)
        if (!roles_known(b, t->callable.params.at[i]->placed.at_roles)) return false;
    return !roles_known(b, t->callable.result->placed.at_roles);
}

// Who gets what the bodies of lambdas give; each may say where the next one gets its arguments.
static void learn_lambdas(Scope *sc, const Binding *b, const Expr **by_param) {
    for (size_t i = 0; i < b->f->params.len; i++) {
        const Ty *t = b->types[i].ty;
        if (!tells_result(b, by_param[i], t)) continue;
        LocType gives = lambda_gives(sc, by_param[i], param_type(sc, b, i).ty);
        const Ty *r = t->callable.result;
        bool known = roles_known(b, r->placed.at_roles);
        if (!b->stated) type_learn(sc->p, b->vars, b->given, r->placed.of, gives.ty);
        for (LearnStep step = LEARN_SINGLE; step <= LEARN_SETS; step++)
            call_learn(sc, b, (LocType){r->placed.of, r->placed.at_roles}, gives, step);
        if (known != roles_known(b, r->placed.at_roles)) i = SIZE_MAX;      // from the first again
    }
}

// An instance for which the context says a type: who plays which role, so that a symmetric channel
// is given the right way round.
static void learn_instance(Scope *sc, const Binding *b, const Ty *result, const Ty *want) {
    if (want == NULL || want->kind != TY_INST || result->kind != TY_INST) return;
    const Ty *up = hierarchy_upcast(sc->p, result, program_find(sc->p, want->inst.name));
    if (up != NULL) call_learn_roles(b, up->inst.actuals, want->inst.actuals);
}

// The roles and type parameters of a call, from what is written, its arguments and its context.
static bool decide(Scope *sc, const Expr *call, const Callee *c, Binding *b,
                   const LocType *want) {
    const Expr **by_param = ARENA_ARRAY(sc->p->arena, const Expr *, c->f->params.len + 1);
    const Expr *callee = call->call.func;
    SymList given = {0};
    if (!call_explicit_roles(sc, callee, b, &given) || !bind_arguments(sc, call, c->f, by_param))
        return false;
    if (given.len == b->formals.len) call_give_explicit(sc, callee, c->name, b, given);
    if (want != NULL && want->roles.len == 1 && c->result.roles.len == 1)
        call_learn_roles(b, c->result.roles, want->roles);
    check_args(sc, b, by_param, false);
    const Ty *w = want != NULL ? want->ty : NULL;
    for (LearnStep step = LEARN_SINGLE; step <= LEARN_SETS; step++) {
        learn_roles(sc, b, by_param, step);
        if (step == LEARN_SINGLE) learn_instance(sc, b, c->result.ty, w);
    }
    learn_lambdas(sc, b, by_param);
    if (w != NULL) type_learn_rest(sc->p, b->vars, b->given, c->result.ty, w);
    if (given.len > 0 && given.len != b->formals.len &&
        !call_give_explicit(sc, callee, c->name, b, given))
        return false;
    if (!roles_decided(sc, call, b, c)) return false;
    check_args(sc, b, by_param, true);
    bool unsure = sc->unsure;
    sc->unsure |= given.len == 0 && b->formals.len > 0;     // its roles follow from its arguments
    bool fit = coerce_args(sc, b) && call_types_fit(sc, call, c, b->given);
    sc->unsure = unsure;
    return fit;
}

const Expr *call_choreography(Scope *sc, const Expr *call, Callee c, const LocType *want) {
    Arena *a = sc->p->arena;
    Function *f = c.f;
    if (f->broken || f->lacks_result || f->result.ty->kind == TY_POISON)
        return call_failed(sc, call);
    Binding b = call_binding(sc, &c);
    if (!decide(sc, call, &c, &b, want) || f->misplaced) return call_failed(sc, call);
    Subst all = call_decided(&b);
    SymList seen = roles_map_all(a, c.view.roles, c.view.to_roles, f->roles);
    CallSite site = {.at = call->call.func->at, .callee = f, .caller = sc->fn, .formals = f->roles,
                     .actuals = roles_map_all(a, all.roles, all.to_roles, seen),
                     .generic = c.generic, .vars = call_source_vars(sc->p, c.vars),
                     .given = all.to_types};
    vec_push(a, &sc->p->sites, site);
    const Expr *target = call_put_types(sc, c.target, &c, b.given);
    const Expr *inst = expr_inst(a, call->call.func->at, target, c.formals, all.to_roles,
                                 (SymList){0});
    LocType result = located_subst(sc->p, c.result, &all);
    return expr_typed(sc, rebuild_call(sc, call, inst, &b), result.ty,
                      roles_sorted(a, sc->roles, result.roles));
}
