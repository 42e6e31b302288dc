// place.c - bringing a checked expression to where it is needed: placing what is role-less,
// narrowing what is replicated, converting what Python's typing promotes.

#include <string.h>

#include "typecheck/expression/operands.h"

bool expr_unplaced(const Expr *e) {
    bool choreographic = e->kind == EXPR_CALL && e->call.func->kind == EXPR_INST;
    return e->roles.len == 0 && !choreographic;
}

const Expr *expr_poison(Scope *sc, const Expr *e) {
    return expr_with_ty(sc->p->arena, e, ty_poison(sc->p->arena), sc->roles);
}

const char *expr_text(Program *p, const Expr *e) {
    Text all = p->source->text;
    if (e->at.end > all.len || e->at.start >= e->at.end) return "this";
    size_t len = e->at.end - e->at.start;
    const char *s = all.at + e->at.start;
    if (len > 40 || memchr(s, '\n', len) != NULL) return "this expression";
    return names_format(p->names, "`%.*s`", (int)len, s);
}

// ---- placing ----

static const Expr *put(IrMapper *m, const Expr *e) {
    if (!expr_unplaced(e)) return e;
    return expr_with_ty(m->arena, e, e->ty, *(const SymList *)m->cx);
}

const Expr *expr_place(Scope *sc, const Expr *e, SymList roles) {
    if (!expr_unplaced(e)) return e;
    IrMapper m = {.arena = sc->p->arena, .cx = &roles, .expr = put};
    return ir_map_expr(&m, e);
}

// ---- what nothing places ----

Sym likely_role(const Scope *sc, SymList roles) {
    if (roles.len == 1) return roles.at[0];
    if (roles.len == 0 && sc->branch_roles.len == 1) return sc->branch_roles.at[0];
    if (roles.len == 0 && sc->handled_by.len == 1) return sc->handled_by.at[0];
    return NULL;
}

// May a pin follow it without parentheses?
static bool is_atom(const Expr *e) {
    return e->kind == EXPR_CALL || e->kind == EXPR_NAME || e->kind == EXPR_CONSTANT ||
        e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_LIST;
}

void help_pin(Scope *sc, Diag *d, const Expr *e) {
    Sym role = likely_role(sc, (SymList){0});
    if (role == NULL) {
        const char *text = expr_text(sc->p, e);
        bool shown = is_atom(e) && text[0] == '`';
        int len = shown ? (int)strlen(text) - 2 : 3;
        text = shown ? text + 1 : "...";
        if (sc->roles.len == 2)         // neither is more likely
            diag_help(d, "pin the value to %s or %s: `%.*s@%s` or `%.*s@%s`", sc->roles.at[0],
                      sc->roles.at[1], len, text, sc->roles.at[0], len, text, sc->roles.at[1]);
        else
            diag_help(d, "pin the value to %s, as in `%.*s@%s`",
                      roles_choice(sc->p->arena, sc->roles), len, text, sc->roles.at[0]);
        return;
    }
    Help *h = diag_help(d, "pin the value to %s, which decides here", role);
    if (is_atom(e)) diag_edit(d, h, (Span){e->at.end, e->at.end}, "@%s", role);
}

// ---- operands ----

// Of a format specification, `:{width}`, the part that has its roles.
static const Expr *apart(Program *p, const Expr *e) {
    if (e->kind != EXPR_JOINED_STR || p->source->text.at[e->at.start] != ':') return e;
    for (size_t i = 0; i < e->joined_str.values.len; i++) {
        const Expr *part = e->joined_str.values.at[i];
        if (part->kind == EXPR_FORMATTED_VALUE && roles_equal(part->roles, e->roles))
            return part->formatted_value.value;
    }
    return e;
}

// `wanted`: where the whole is needed; one of the two may be there already.
static void report_apart(Scope *sc, const Expr *x, const Expr *y, SymList wanted) {
    Program *p = sc->p;
    y = apart(p, y);
    Diag *d = report_at(sc, y->at, DIAG_OPERANDS_APART, "%s is at %s but %s is at %s",
                        expr_text(p, x), roles_text(p->arena, x->roles),
                        expr_text(p, y), roles_text(p->arena, y->roles));
    diag_primary(d, "at %s", roles_text(p->arena, y->roles));
    diag_label(d, x->at, "at %s", roles_text(p->arena, x->roles));
    bool x_is = roles_subset(wanted, x->roles), y_is = roles_subset(wanted, y->roles);
    bool called = y->at.end < p->source->text.len && p->source->text.at[y->at.end] == '(';
    const Expr *code = x->kind == EXPR_LAMBDA ? x : y->kind == EXPR_LAMBDA ? y : NULL;
    if (wanted.len > 1 && roles_subset(x->roles, wanted) && roles_subset(y->roles, wanted))
        diag_help(d, x->kind == EXPR_COM && y->kind == EXPR_COM
                  ? "%s need the whole value: use `share` instead of `com` for both parts"
                  : "%s need the whole value: give each part to all of them first, with `share`",
                  roles_text(p->arena, wanted));
    else if (code != NULL)          // code is not sent
        diag_help(d, "a lambda is at the roles of the variables that it uses: send these "
                     "variables to %s first",
                  roles_text(p->arena, code == x ? y->roles : x->roles));
    else if (called) help_send(sc, d, x, y->roles, y_is);            // a callee is not sent
    else if (y_is && !x_is) help_send(sc, d, x, y->roles, true);
    else {
        help_send(sc, d, y, x->roles, x_is);
        if (wanted.len == 0) help_other_way(sc, d, x, y->roles);
    }
}

bool expr_meet(Scope *sc, size_t n, const Expr *const *operands, SymList wanted, SymList *roles) {
    const Expr *first = NULL;
    bool whole = true;
    *roles = (SymList){0};
    for (size_t i = 0; i < n; i++) {
        const Expr *e = operands[i];
        if (e == NULL) continue;
        whole &= e->ty == NULL || e->ty->kind != TY_POISON;
        if (!whole || e->roles.len == 0) continue;
        SymList next = first == NULL ? e->roles : roles_meet(sc->p->arena, *roles, e->roles);
        if (next.len == 0) {
            report_apart(sc, first, e, wanted);
            return false;
        }
        if (first == NULL || next.len < roles->len) first = e;
        *roles = next;
    }
    return whole;
}

// ---- coercion ----

// `text = ch.com(text)`: the variable does not move with its value.
static bool help_rebound(Scope *sc, Diag *d, const Expr *e, const char *what) {
    const Expr *sent = e->kind == EXPR_COM ? e->com.value : NULL;
    if (sent == NULL || sent->kind != EXPR_NAME || strcmp(what, expr_text(sc->p, sent)) != 0)
        return false;
    const Var *v = scope_find(sc, sent->name.id);
    if (v == NULL || !roles_has(v->type.roles, e->com.sender)) return false;
    diag_label(d, v->at, "%s was placed at %s here", what, e->com.sender);
    diag_help(d, "a variable stays at its role: assign the result to another variable, and use "
                 "that one at %s", e->com.receiver);
    return true;
}

static void report_place(Scope *sc, const Expr *e, LocType want, const char *what) {
    Program *p = sc->p;
    Diag *d = report_at(sc, e->at, DIAG_PLACE_WRONG, "%s is needed at %s, but %s is at %s", what,
                        roles_text(p->arena, want.roles), expr_text(p, e),
                        roles_text(p->arena, e->roles));
    diag_primary(d, "at %s", roles_text(p->arena, e->roles));
    Var *v = e->kind == EXPR_NAME ? scope_find(sc, e->name.id) : NULL;
    if (v != NULL && v->at.start != e->at.start)
        diag_label(d, v->at, "%s was placed at %s here", expr_text(p, e),
                   roles_text(p->arena, v->type.roles));
    if (!help_rebound(sc, d, e, what)) help_bring(sc, d, e, want.roles);
    sc->misplaced = e->at.start;
}

static const Expr *call_of(Scope *sc, const char *function, const Expr *e) {
    Arena *a = sc->p->arena;
    const Expr *f = expr_name(a, e->at, names_get(sc->p->names, function), EXPR_CONTEXT_LOAD);
    f = expr_with_ty(a, f, ty_any(a), e->roles);
    const Expr **args = ARENA_NEW(a, const Expr *);
    *args = e;
    return expr_with_ty(a, expr_call(a, e->at, f, (ExprList){args, 1}, (KeywordList){0}),
                        e->ty, e->roles);
}

static bool is_integer(const Ty *t) { return type_is(t, "int") || type_is(t, "bool"); }

static const Expr *promote(Scope *sc, const Expr *e, const Ty *want);

// `a if c else 2.5` as a float: either arm may be an int.
static const Expr *promote_arms(Scope *sc, const Expr *e, const Ty *want) {
    const Expr *body = promote(sc, e->if_exp.body, want);
    const Expr *orelse = promote(sc, e->if_exp.orelse, want);
    if (body == e->if_exp.body && orelse == e->if_exp.orelse) return e;
    const Expr *out = expr_if_exp(sc->p->arena, e->at, e->if_exp.test, body, orelse);
    return expr_with_ty(sc->p->arena, out, want, e->roles);
}

// Static promotion is a conversion: `x: At[float, A] = 3` holds 3.0 everywhere.
static const Expr *promote(Scope *sc, const Expr *e, const Ty *want) {
    if (e->kind == EXPR_IF_EXP && want != NULL) return promote_arms(sc, e, want);
    bool to_float = type_is(want, "float") && is_integer(e->ty);
    bool to_int = type_is(want, "int") && type_is(e->ty, "bool");
    bool to_complex = type_is(want, "complex") && (is_integer(e->ty) || type_is(e->ty, "float"));
    if (!to_float && !to_int && !to_complex) return e;
    const char *f = to_float ? "float" : to_int ? "int" : "complex";
    return expr_with_ty(sc->p->arena, call_of(sc, f, e), want, e->roles);
}

// A fresh value shares nothing with any other.
static bool fresh(const Expr *e) {
    return e->kind == EXPR_COM || e->kind == EXPR_CONSTANT || e->kind == EXPR_JOINED_STR;
}

// Reading one of these whole changes nothing about it: it is no iterator.
static bool is_plain(const Ty *t) {
    static const char *const NAMES[] = {"set", "frozenset", "list", "dict", "str", "bytes", "int",
                                        "bool", "float", "tuple"};
    for (size_t i = 0; t != NULL && i < sizeof NAMES / sizeof *NAMES; i++)
        if (type_is(t, NAMES[i])) return true;
    return t != NULL && t->kind == TY_TUPLE;
}

static bool only_reads(Scope *sc, const Expr *e) {
    static const char *const NAMES[] = {"list", "tuple", "set", "frozenset", "sorted", "len", "str",
                                        "repr", "sum", "min", "max", "int", "float", "bool", "abs"};
    for (size_t i = 0; e->kind == EXPR_JOINED_STR && i < e->joined_str.values.len; i++) {
        const Expr *v = e->joined_str.values.at[i];
        if (v->kind != EXPR_CONSTANT && !only_reads(sc, v)) return false;
    }
    if (e->kind == EXPR_JOINED_STR) return true;
    if (e->kind == EXPR_FORMATTED_VALUE) {
        const Expr *spec = e->formatted_value.format_spec;
        return is_plain(e->formatted_value.value->ty) && (spec == NULL || only_reads(sc, spec));
    }
    if (e->kind != EXPR_CALL || e->call.keywords.len > 0 || e->call.func->kind != EXPR_NAME)
        return false;
    Sym name = e->call.func->name.id;
    bool builtin = false;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) builtin |= sym_is(name, NAMES[i]);
    if (!builtin || scope_find(sc, name) != NULL || program_find(sc->p, name) != NULL) return false;
    for (size_t i = 0; i < e->call.args.len; i++)
        if (!is_plain(e->call.args.at[i]->ty)) return false;
    return true;
}

static const Expr *pin_parts(Scope *sc, const Expr *e, SymList roles);

static ExprList pin_each(Scope *sc, ExprList list, SymList roles) {
    const Expr **out = ARENA_ARRAY(sc->p->arena, const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++) out[i] = pin_parts(sc, list.at[i], roles);
    return (ExprList){out, list.len};
}

// ---- operators that call no code of the program ----

static bool is_scalar(const Expr *e) {
    static const char *const NAMES[] = {"int", "bool", "float", "complex", "str", "bytes"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (type_is(e->ty, NAMES[i])) return true;
    return e->kind == EXPR_CONSTANT;
}

static bool is_quiet_index(const Expr *e) {
    if (e->kind != EXPR_SLICE) return is_scalar(e);
    const Expr *parts[] = {e->slice.lower, e->slice.upper, e->slice.step};
    for (int i = 0; i < 3; i++)
        if (parts[i] != NULL && !is_scalar(parts[i])) return false;
    return true;
}

// A field of one role's object that no property or method hides.
static bool is_quiet_field(Scope *sc, const Expr *e) {
    const Ty *t = e->attribute.value->ty;
    Decl *d = t != NULL && t->kind == TY_NAMED ? program_find(sc->p, t->named.name) : NULL;
    return d != NULL && d->kind == DECL_LOCAL_CLASS && d->is_dataclass &&
        table_get(d->fields, e->attribute.attr) != NULL;
}

static bool is_quiet(Scope *sc, const Expr *e) {
    if (e->kind == EXPR_BIN_OP) return is_scalar(e->bin_op.left) && is_scalar(e->bin_op.right);
    if (e->kind == EXPR_UNARY_OP) return is_scalar(e->unary_op.operand);
    if (e->kind == EXPR_COMPARE)
        return e->compare.comparators.len == 1 && is_scalar(e->compare.left) &&
            is_scalar(e->compare.comparators.at[0]);
    if (e->kind == EXPR_SUBSCRIPT)
        return is_plain(e->subscript.value->ty) && is_quiet_index(e->subscript.slice);
    return e->kind == EXPR_ATTRIBUTE && is_quiet_field(sc, e);
}

static const Expr *pin_slice(Scope *sc, const Expr *e, SymList roles) {
    if (e->kind != EXPR_SLICE) return pin_parts(sc, e, roles);
    const Expr *parts[] = {e->slice.lower, e->slice.upper, e->slice.step};
    for (int i = 0; i < 3; i++)
        if (parts[i] != NULL) parts[i] = pin_parts(sc, parts[i], roles);
    const Expr *out = expr_slice(sc->p->arena, e->at, parts[0], parts[1], parts[2]);
    return expr_with_ty(sc->p->arena, out, e->ty, roles);
}

// The operator over the pinned operands; `first` is its first one.
static const Expr *pin_operator(Scope *sc, const Expr *e, const Expr *first, SymList roles) {
    Arena *a = sc->p->arena;
    if (e->kind == EXPR_BIN_OP)
        return expr_bin_op(a, e->at, first, e->bin_op.op, pin_parts(sc, e->bin_op.right, roles));
    if (e->kind == EXPR_UNARY_OP) return expr_unary_op(a, e->at, e->unary_op.op, first);
    if (e->kind == EXPR_COMPARE)
        return expr_compare(a, e->at, first, e->compare.ops,
                            pin_each(sc, e->compare.comparators, roles));
    if (e->kind == EXPR_SUBSCRIPT)
        return expr_subscript(a, e->at, first, pin_slice(sc, e->subscript.slice, roles),
                              e->subscript.ctx);
    return expr_attribute(a, e->at, first, e->attribute.attr, e->attribute.ctx);
}

static const Expr *first_operand(const Expr *e) {
    return e->kind == EXPR_COMPARE ? e->compare.left : expr_spine_child(e);
}

// As many operators as one likes: down in a loop, then up again.
static const Expr *pin_operators(Scope *sc, const Expr *e, SymList roles) {
    Vec(const Expr *) chain = {0};
    for (; is_quiet(sc, e); e = first_operand(e)) vec_push(sc->p->arena, &chain, e);
    e = pin_parts(sc, e, roles);
    for (size_t i = chain.len; i-- > 0;)
        e = expr_with_ty(sc->p->arena, pin_operator(sc, chain.at[i], e, roles), chain.at[i]->ty,
                         roles);
    return e;
}

// What only reads its parts is evaluated where it is needed, and nowhere else: `list(s)@A` of a
// replicated set has an order at A alone.
static const Expr *pin_parts(Scope *sc, const Expr *e, SymList roles) {
    Arena *a = sc->p->arena;
    if (e->kind == EXPR_CONSTANT) return expr_with_ty(a, e, e->ty, roles);
    if (e->roles.len > roles.len && is_quiet(sc, e)) return pin_operators(sc, e, roles);
    if (!only_reads(sc, e))
        return e->roles.len <= roles.len ? e
            : expr_with_ty(a, expr_pin(a, e->at, e, roles), e->ty, roles);
    const Expr *out;
    if (e->kind == EXPR_JOINED_STR) {
        out = expr_joined_str(a, e->at, pin_each(sc, e->joined_str.values, roles));
    } else if (e->kind == EXPR_FORMATTED_VALUE) {
        const Expr *spec = e->formatted_value.format_spec;
        out = expr_formatted_value(a, e->at, pin_parts(sc, e->formatted_value.value, roles),
                                   e->formatted_value.conversion,
                                   spec != NULL ? pin_parts(sc, spec, roles) : NULL);
    } else {
        const Expr *f = expr_with_ty(a, e->call.func, e->call.func->ty, roles);
        out = expr_call(a, e->at, f, pin_each(sc, e->call.args, roles), e->call.keywords);
    }
    return expr_with_ty(a, out, e->ty, roles);
}

const Expr *expr_pinned(Scope *sc, const Expr *e, SymList roles) {
    return pin_parts(sc, e, roles);
}

const Expr *expr_quiet_at(Scope *sc, const Expr *e, SymList roles) {
    bool narrower = roles.len > 0 && e->roles.len > roles.len;
    return narrower && (is_quiet(sc, e) || only_reads(sc, e)) ? pin_parts(sc, e, roles) : e;
}

static const Expr *narrow(Scope *sc, const Expr *e, SymList roles);

typedef struct Own { Scope *sc; const Arguments *params; SymList roles; } Own;

static const Expr *own_name(IrMapper *m, const Expr *e) {
    const Own *o = m->cx;
    bool captured = e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_LOAD &&
        e->roles.len > o->roles.len && !expr_is_param(o->params, e->name.id) &&
        table_get(o->sc->p->uses, table_key(e->at.start)) == NULL && !builtin_exists(e->name.id);
    return captured && type_mutable(o->sc->p, e->ty) ? narrow(o->sc, e, o->roles) : e;
}

// A lambda for fewer roles reads copies of the replicated objects that it uses.
static const Expr *narrow_lambda(Scope *sc, const Expr *e, SymList roles) {
    Own own = {sc, e->lambda.args, roles};
    IrMapper m = {.arena = sc->p->arena, .cx = &own, .expr = own_name};
    const Expr *body = ir_map_expr(&m, e->lambda.body);
    const Expr *out = expr_lambda(sc->p->arena, e->at, e->lambda.args, body);
    return pin_parts(sc, expr_with_ty(sc->p->arena, out, e->ty, e->roles), roles);
}

// What may be a method keeps its object: it gets a copy of that.
static const Expr *narrow_attribute(Scope *sc, const Expr *e, SymList roles) {
    const Expr *base = narrow(sc, e->attribute.value, roles);
    const Expr *out = expr_attribute(sc->p->arena, e->at, base, e->attribute.attr,
                                     e->attribute.ctx);
    return expr_with_ty(sc->p->arena, out, e->ty, roles);
}

// `{e}` in a text calls `e.__format__`.
static const Expr *own_formatted(Scope *sc, const Expr *e, SymList roles) {
    const Expr *value = expr_own_object(sc, e->formatted_value.value, roles);
    if (value == e->formatted_value.value) return e;
    const Expr *out = expr_formatted_value(sc->p->arena, e->at, value,
                                           e->formatted_value.conversion,
                                           e->formatted_value.format_spec);
    return expr_with_ty(sc->p->arena, out, e->ty, roles);
}

void kids_own_formatted(Scope *sc, Kids *k) {
    for (size_t i = 0; i < k->len && !k->bad; i++)
        if (k->at[i] != NULL && k->at[i]->kind == EXPR_FORMATTED_VALUE)
            k->at[i] = own_formatted(sc, k->at[i], k->roles);
}

static const Expr *narrow_slice(Scope *sc, const Expr *e, SymList roles) {
    const Expr *parts[] = {e->slice.lower, e->slice.upper, e->slice.step};
    for (int i = 0; i < 3; i++)
        if (parts[i] != NULL && parts[i]->roles.len > roles.len)
            parts[i] = narrow(sc, parts[i], roles);
    const Expr *out = expr_slice(sc->p->arena, e->at, parts[0], parts[1], parts[2]);
    return expr_with_ty(sc->p->arena, out, e->ty, roles);
}

static const Expr *narrow(Scope *sc, const Expr *e, SymList roles) {
    if (e->kind == EXPR_SLICE) return narrow_slice(sc, e, roles);
    if (e->kind == EXPR_LAMBDA && lambda_captures(sc->p, e)) return narrow_lambda(sc, e, roles);
    bool method = e->kind == EXPR_ATTRIBUTE && type_unknown(e->ty);
    if (method && e->attribute.value->roles.len > roles.len &&
        type_mutable(sc->p, e->attribute.value->ty))
        return narrow_attribute(sc, e, roles);
    bool copy = type_mutable(sc->p, e->ty) && !fresh(e);
    const Expr *pin = pin_parts(sc, e, roles);
    return copy ? call_of(sc, "copy_value", pin) : pin;
}

const Expr *expr_own(Scope *sc, const Expr *e, SymList roles) {
    if (type_several(e->ty)) return e;
    if (e->kind == EXPR_STARRED) {
        bool object = expr_own_object(sc, e->starred.value, roles) != e->starred.value;
        if (!object && !type_mutable(sc->p, type_of_element(sc->p, e->ty))) return e;
        const Expr *value = expr_own(sc, e->starred.value, roles);
        if (value == e->starred.value) return e;
        return expr_with_ty(sc->p->arena, expr_starred(sc->p->arena, e->at, value, e->starred.ctx),
                            e->ty, roles);
    }
    bool narrower = roles.len > 0 && e->roles.len > roles.len;
    return narrower && type_mutable(sc->p, e->ty) ? narrow(sc, e, roles) : e;
}

// A value of one role where a channel, or a tuple, function or object of several roles is needed.
static void report_one_role(Scope *sc, const Expr *e, const Ty *want, const char *what) {
    Program *p = sc->p;
    const char *has = type_text(p, e->ty);
    if (e->roles.len > 0)
        has = names_format(p->names, "At[%s, %s]", has, roles_list(p->arena, e->roles));
    Diag *d = report_at(sc, e->at, DIAG_TYPE_MISMATCH, "%s is `%s`, but %s is `%s`", what,
                        type_text(p, want), expr_text(p, e), has);
    if (want->kind == TY_TUPLE) diag_help(d, "use a tuple with one part for each role");
    else if (want->kind == TY_CALLABLE) diag_help(d, "use a function whose signature names roles");
    else if (!type_is_channel(p, want))
        diag_help(d, "use an object of the class, as in `%s[%s](...)`", want->inst.name,
                  roles_list(p->arena, want->inst.actuals));
}

const Expr *expr_coerce(Scope *sc, const Expr *e, LocType want, const char *what) {
    Program *p = sc->p;
    if (e->ty != NULL && e->ty->kind == TY_POISON) return expr_poison(sc, e);
    if (want.ty != NULL && want.ty->kind == TY_POISON) return expr_poison(sc, e);
    if (e->roles.len == 0 && !expr_unplaced(e)) {
        report_at(sc, e->at, DIAG_PLACE_WRONG, "%s is needed at %s, but %s does not return a value",
                                               what,
                  roles_text(p->arena, want.roles), expr_text(p, e));
        return expr_poison(sc, e);
    }
    if (type_choreographic(want.ty) && refuse_open_value(sc, e)) return expr_poison(sc, e);
    if (type_choreographic(want.ty)) e = instance_as_function(sc, e, &want);
    if (e->ty != NULL && e->ty->kind == TY_POISON) return e;
    if (type_several(e->ty) && !type_several(want.ty)) {
        refuse_several(sc, e, SEVERAL_VALUE);
        return expr_poison(sc, e);
    }
    if (type_several(want.ty) && !type_several(e->ty)) {
        report_one_role(sc, e, want.ty, what);
        return expr_poison(sc, e);
    }
    e = expr_place(sc, e, want.roles);
    if (!roles_subset(want.roles, e->roles)) {
        report_place(sc, e, want, what);
        return expr_poison(sc, e);
    }
    if (type_choreographic(e->ty) && !roles_equal(want.roles, e->roles)) {
        Diag *d = report_at(sc, e->at, DIAG_CALLABLE_HIDES,
                            "%s is a function of %s, but the type of %s names %s", expr_text(p, e),
                            roles_text(p->arena, e->roles), what,
                            roles_text(p->arena, want.roles));
        diag_help(d, "write the same roles in both types: `At[Callable[...], ...]`");
        return expr_poison(sc, e);
    }
    if (!type_fits(p, e->ty, want.ty) || !judge_fits(sc, e, want.ty)) {
        Diag *d = report_at(sc, e->at, DIAG_TYPE_MISMATCH, "%s is `%s`, but %s is `%s`", what,
                            type_text(p, want.ty),
                            e->kind == EXPR_CONSTANT && e->ty->kind == TY_NONE_TYPE ? "this value"
                                : expr_text(p, e),
                            type_text(p, e->ty));
        diag_primary(d, "`%s`", type_text(p, e->ty));
        judge_explain(sc, d, e, want.ty);
        return expr_poison(sc, e);
    }
    e = promote(sc, e, want.ty);
    if (want.roles.len > 0 && want.roles.len < e->roles.len && !type_several(e->ty))
        e = narrow(sc, e, want.roles);
    return e;
}

// `return a, b` where both have one `int`: a copy for each is what `share` gives, not a tuple.
static bool refuse_copies(Scope *sc, const Expr *e, LocType want, const char *what) {
    static const char *const ONE[] = {"int", "float", "bool", "str", "bytes", "list", "dict", "set",
                                      NULL};
    bool one = want.ty != NULL && want.ty->kind == TY_NAMED &&
        sym_is_one_of(want.ty->named.name, ONE);
    if (!one || want.roles.len < 2 || e->kind != EXPR_TUPLE ||
        e->tuple.elts.len != want.roles.len)
        return false;
    const char *roles = roles_text(sc->p->arena, want.roles);
    const char *ch = scope_channel(sc, want.roles.at[0], want.roles.at[1], want.ty);
    const char *text = source_written(sc->p->arena, sc->p->source, e->tuple.elts.at[0]->at);
    Diag *d = report_at(sc, e->at, DIAG_TYPE_MISMATCH,
                        "%s is a single `%s` at %s, but this is a tuple", what,
                        type_text(sc->p, want.ty), roles);
    if (want.roles.len == 2 && ch != NULL && text != NULL)
        diag_help(d, "write the value once, at one of them: `%s.share(%s)` is at both", ch, text);
    else
        diag_help(d, "write a single value for %s, not one for each role", roles);
    return true;
}

const Expr *check_placed(Scope *sc, const Expr *e, LocType want, const char *what) {
    if (refuse_copies(sc, e, want, what)) return expr_poison(sc, e);
    return expr_coerce(sc, check_expr(sc, e, &want), want, what);
}
