// override.c - whether what a class defines anew fits what it inherits (docs/language.md,
// "Classes").
//
// A call through a base runs what a derived class makes of it. So an override has the same roles in
// its signature, takes at least what its base takes, gives at most what its base gives, and nobody
// communicates or acts in it who does not in its base: the callers have been judged with the base's
// effects.

#include <string.h>

#include "typecheck/internal.h"
#include "typecheck/python/python.h"

// A member of a class and one with its name that it inherits, in the names of the class `d`.
typedef struct Pair {
    Program *p;
    const Decl *d;
    Member own, base;
    Subst own_view, base_view;
} Pair;

static const char *kind_text(const Member *m) {
    if (m->field != NULL) return "a field";
    if (m->constant != NULL) return "a constant";
    switch (m->function->kind) {
    case METHOD_PLAIN: return "a method";
    case METHOD_STATIC: return "a static method";
    case METHOD_CLASS: return "a class method";
    case METHOD_GETTER: return "a property";
    case METHOD_SETTER: return "the setter of a property";
    }
    return "";
}

static Span member_span(const Program *p, const Member *m) {
    return m->field != NULL ? m->field->at
        : source_first_line(p->source, m->constant != NULL ? m->constant->at
                                                           : m->function->def->at);
}

// Where the fault is: at the member, or at the header that brings two classes together.
static Span fault_span(const Pair *x) {
    return x->own.from->decl == x->d ? member_span(x->p, &x->own) : x->own.from->at;
}

static Sym member_name(const Member *m) {
    if (m->field != NULL) return m->field->name;
    return m->function != NULL ? m->function->name : m->constant->assign.targets.at[0]->name.id;
}

static Diag *report(const Pair *x, const char *how) {
    Sym name = member_name(&x->base);
    Diag *g = x->own.from->decl == x->d
        ? diag_report(x->p->diags, fault_span(x), DIAG_OVERRIDE,
                      "`%s` of `%s` is incompatible with the base class `%s`: %s", name,
                      x->d->name, x->base.from->decl->name, how)
        : diag_report(x->p->diags, fault_span(x), DIAG_OVERRIDE,
                      "`%s` inherits `%s` from `%s`, which is incompatible with the base class "
                      "`%s`: %s",
                      x->d->name, name, x->own.from->decl->name, x->base.from->decl->name, how);
    diag_label(g, member_span(x->p, &x->base), "`%s` of `%s`", name, x->base.from->decl->name);
    return g;
}

static const char *format(const Pair *x, const char *text, const char *a, const char *b) {
    return names_format(x->p->names, text, a, b);
}

static const char *at_text(const Pair *x, SymList roles) {
    return roles.len == 0 ? "no role" : roles_text(x->p->arena, roles);
}

// ---- signatures ----

static const Param *param_named(const Function *f, Sym name) {
    for (size_t i = 0; i < f->params.len; i++)
        if (f->params.at[i].name == name) return &f->params.at[i];
    return NULL;
}

// Types of values are judged as Python's type checkers do: `object` does not fit `int`.
static bool fits(const Pair *x, const Ty *from, const Ty *to) {
    if (!type_fits(x->p, from, to)) return false;
    return !pyt_plain(from) || !pyt_plain(to) || pyt_fits(x->p->py, from, to);
}

// What an override asks for a parameter that its base has.
static const char *param_fault(const Pair *x, const Param *own, const Param *base) {
    LocType a = located_subst(x->p, own->type, &x->own_view);
    LocType b = located_subst(x->p, base->type, &x->base_view);
    if (!roles_equal(a.roles, b.roles))
        return names_format(x->p->names, "parameter `%s` is at %s, but at %s in the base class",
                                         own->name,
                            at_text(x, a.roles), at_text(x, b.roles));
    if (!fits(x, b.ty, a.ty))
        return names_format(x->p->names, "parameter `%s` is `%s`, but `%s` in the base class",
                                         own->name,
                            type_text(x->p, a.ty), type_text(x->p, b.ty));
    if (own->default_value == NULL && base->default_value != NULL)
        return format(x, "parameter `%s` has no default value, but has one in the base class%s",
                         own->name, "");
    return NULL;
}

static const char *params_fault(const Pair *x, const Function *own, const Function *base) {
    for (size_t i = 0; i < base->params.len; i++) {
        const Param *b = &base->params.at[i];
        const Param *a = b->kind == PARAM_KEYWORD ? param_named(own, b->name)
            : i < own->params.len ? &own->params.at[i] : NULL;
        if (a == NULL || (a->kind == PARAM_KEYWORD && b->kind != PARAM_KEYWORD))
            return format(x, "parameter `%s` is missing%s", b->name, "");
        if (b->kind != PARAM_POSITIONAL && (a->name != b->name || a->kind == PARAM_POSITIONAL))
            return format(x, "it does not accept `%s` as a keyword argument%s", b->name, "");
        const char *fault = param_fault(x, a, b);
        if (fault != NULL) return fault;
    }
    for (size_t i = 0; i < own->params.len; i++) {
        const Param *a = &own->params.at[i];
        bool more = a->kind == PARAM_KEYWORD ? param_named(base, a->name) == NULL
                                             : i >= base->params.len;
        if (more && a->default_value == NULL)
            return format(x, "parameter `%s` is not in the base class and has no default value%s",
                             a->name, "");
    }
    return NULL;
}

static const char *result_fault(const Pair *x, const Function *own, const Function *base) {
    LocType a = located_subst(x->p, own->result, &x->own_view);
    LocType b = located_subst(x->p, base->result, &x->base_view);
    if (!roles_equal(a.roles, b.roles))
        return format(x, "its result is at %s, but at %s in the base class", at_text(x, a.roles),
                      at_text(x, b.roles));
    if (a.roles.len > 0 && !fits(x, a.ty, b.ty))
        return format(x, "its result is `%s`, but `%s` in the base class", type_text(x->p, a.ty),
                      type_text(x->p, b.ty));
    return NULL;
}

static void judge_functions(const Pair *x) {
    const Function *own = x->own.function, *base = x->base.function;
    if (base->is_final) {
        report(x, "it is final in the base class");
        return;
    }
    if (own->broken || base->broken || own == base) return;
    if (own->is_abstract && !base->is_abstract && x->own.from->decl != x->d) return;
    const char *fault = params_fault(x, own, base);
    if (fault == NULL) fault = result_fault(x, own, base);
    if (fault != NULL) report(x, fault);
}

// ---- fields and constants ----

static LocType field_type(const Pair *x, const Member *m, const Subst *view) {
    return m->field != NULL ? located_subst(x->p, m->field->type, view) : (LocType){0};
}

static void judge_fields(const Pair *x) {
    LocType a = field_type(x, &x->own, &x->own_view), b = field_type(x, &x->base, &x->base_view);
    if (a.ty == NULL || b.ty == NULL) return;
    if (!roles_equal(a.roles, b.roles))
        report(x, format(x, "it is at %s, but at %s in the base class", at_text(x, a.roles),
                         at_text(x, b.roles)));
    else if (!fits(x, a.ty, b.ty) || !fits(x, b.ty, a.ty))
        report(x, format(x, "it is `%s`, but `%s` in the base class", type_text(x->p, a.ty),
                         type_text(x->p, b.ty)));
}

static void judge_constants(const Pair *x) {
    const Expr *a = x->own.constant->assign.value, *b = x->base.constant->assign.value;
    if (a->constant.value->kind != b->constant.value->kind)
        report(x, "its type differs from the type in the base class");
}

// ---- pairs ----

static bool same_kind(const Member *a, const Member *b) {
    if ((a->field != NULL) != (b->field != NULL)) return false;
    if ((a->constant != NULL) != (b->constant != NULL)) return false;
    return a->function == NULL || a->function->kind == b->function->kind;
}

static bool is_constructor(Sym name) {
    return sym_is(name, "__init__") || sym_is(name, "__post_init__");
}

static Subst view_of(Program *p, const Decl *d, const Ancestor *a) {
    return hierarchy_view(p, a, ty_inst(p->arena, d->name, d->order.at[0].args, d->formals));
}

// ---- equal signatures: what holds of one holds of the other ----

static bool same_type(const Pair *x, LocType own, LocType base) {
    LocType a = located_subst(x->p, own, &x->own_view);
    LocType b = located_subst(x->p, base, &x->base_view);
    return roles_equal(a.roles, b.roles) &&
        (a.ty == b.ty || (a.ty != NULL && b.ty != NULL && ir_equal_ty(a.ty, b.ty)));
}

// What fits one of two types need not fit the other, even if these fit: `Any` is between all.
static bool same_signature(const Pair *x) {
    const Function *own = x->own.function, *base = x->base.function;
    if (x->own.field != NULL && x->base.field != NULL)
        return same_type(x, x->own.field->type, x->base.field->type);
    if (own == NULL || base == NULL || own->params.len != base->params.len) return false;
    if (base->local || base->is_abstract || base->broken) return false;
    for (size_t i = 0; i < own->params.len; i++) {
        const Param *a = &own->params.at[i], *b = &base->params.at[i];
        bool alike = a->name == b->name && a->kind == b->kind &&
            (a->default_value == NULL) == (b->default_value == NULL);
        if (!alike || !same_type(x, a->type, b->type)) return false;
    }
    return same_type(x, own->result, base->result);
}

static bool judge_pair(Pair *x) {
    if (x->own.function != NULL && x->own.function->local &&
        x->base.function != NULL && x->base.function->local)
        return false;
    if (!same_kind(&x->own, &x->base))
        report(x, format(x, "it is %s, but %s in the base class",
                            kind_text(&x->own), kind_text(&x->base)));
    else if (x->own.field != NULL)
        judge_fields(x);
    else if (x->own.constant != NULL)
        judge_constants(x);
    else
        judge_functions(x);
    return same_signature(x);
}

// The member of one class in an order, without what that inherits.
static bool member_of(const Ancestor *a, Sym name, Member *out) {
    *out = (Member){.from = a, .field = table_get(a->decl->fields, name),
                    .function = table_get(a->decl->members, name),
                    .constant = table_get(a->decl->constants, name)};
    return out->field != NULL || out->function != NULL || out->constant != NULL;
}

// True says that what the base's member has been judged against needs no second look.
typedef bool Judge(Pair *x);

// Every member of the class against each one of that name that it inherits. Behind a single base
// stands, in its order, what its own members have been judged against.
static void judge_name(Program *p, const Decl *d, Sym name, Judge *judge) {
    Pair x = {.p = p, .d = d};
    if (is_constructor(name) || !hierarchy_find(d, name, &x.own)) return;
    x.own_view = view_of(p, d, x.own.from);
    for (size_t i = 1; i < d->order.len; i++) {
        if (&d->order.at[i] <= x.own.from || !member_of(&d->order.at[i], name, &x.base)) continue;
        x.base_view = view_of(p, d, x.base.from);
        if (judge(&x) && d->bases.len < 2) return;
    }
}

static Sym defined_name(Program *p, const Stmt *s) {
    if (s->kind == STMT_ASSIGN && s->assign.targets.at[0]->kind == EXPR_NAME)
        return s->assign.targets.at[0]->name.id;
    if (s->kind != STMT_FUNCTION_DEF) return NULL;
    Sym name = s->function_def.name;
    return def_has_decorator(s, "setter") ? class_setter_name(p, name) : name;
}

// A pair of two bases is judged where they meet for the first time.
static void judge_class(Program *p, const Decl *d, Judge *judge) {
    Table *seen = table_new(p->arena);
    for (size_t i = 0; i < d->order.len; i++) {
        const Decl *c = d->order.at[i].decl;
        if (i > 0 && d->bases.len < 2) break;
        StmtList body = c->stmt->class_def.body;
        for (size_t j = 0; j < body.len; j++) {
            Sym name = defined_name(p, body.at[j]);
            if (name == NULL || table_get(seen, name) != NULL) continue;
            table_set(seen, name, seen);
            judge_name(p, d, name, judge);
        }
        for (size_t j = 0; j < c->field_order.len; j++) {
            Sym name = c->field_order.at[j];
            if (table_get(seen, name) != NULL) continue;
            table_set(seen, name, seen);
            judge_name(p, d, name, judge);
        }
    }
}

static void judge_all(Program *p, Judge *judge) {
    for (size_t i = 0; i < p->order.len; i++)
        if (p->order.at[i]->kind == DECL_ROLE_CLASS && p->order.at[i]->order.len > 1)
            judge_class(p, p->order.at[i], judge);
}

// Who reaches the base's method reaches the override. Who gets the result of a method that is
// overridden acts in it: an override may compute that.
static bool dispatch(Pair *x) {
    if (x->own.function == NULL || x->base.function == NULL) return false;
    for (size_t i = 0; i < x->base.function->result.roles.len; i++)
        vec_push(x->p->arena, &x->base.function->acts, x->base.function->result.roles.at[i]);
    CallSite site = {.callee = x->own.function, .caller = x->base.function,
                     .formals = x->own.function->roles, .dispatch = true};
    SymList mine = x->own_view.to_roles, theirs = x->base_view.to_roles;
    // The override's role, in the names of the class, in the names of the base.
    site.actuals = roles_map_all(x->p->arena, x->own_view.roles, mine, site.formals);
    site.actuals = roles_map_all(x->p->arena, theirs, x->base_view.roles, site.actuals);
    vec_push(x->p->arena, &x->p->sites, site);
    return true;
}

void override_check(Program *p) {
    for (size_t i = 0; i < p->order.len; i++)
        if (p->order.at[i]->kind == DECL_ROLE_CLASS) lift_check_overrides(p, p->order.at[i]);
    judge_all(p, judge_pair);
    judge_all(p, dispatch);
}

// ---- effects ----

static SymList more_than(Program *p, const SymVec *own, const Subst *own_view, const SymVec *base,
                         const Subst *base_view) {
    SymList a = roles_map_all(p->arena, own_view->roles, own_view->to_roles,
                              (SymList){own->at, own->len});
    SymList b = roles_map_all(p->arena, base_view->roles, base_view->to_roles,
                              (SymList){base->at, base->len});
    Vec(Sym) more = {0};
    for (size_t i = 0; i < a.len; i++)
        if (!roles_has(b, a.at[i])) vec_push(p->arena, &more, a.at[i]);
    return (SymList){more.at, more.len};
}

static bool judge_effects(Pair *x) {
    const Function *own = x->own.function, *base = x->base.function;
    if (own == NULL || base == NULL || own->failed || own->broken || base->failed || own == base)
        return false;
    Program *p = x->p;
    SymList talk = more_than(p, &own->communicates, &x->own_view, &base->communicates,
                             &x->base_view);
    SymList act = more_than(p, &own->acts, &x->own_view, &base->acts, &x->base_view);
    SymList more = roles_sorted(p->arena, x->d->formals, talk.len > 0 ? talk : act);
    if (more.len == 0) return true;
    const char *verb = talk.len > 0 ? "communicate" : "act";
    Diag *g = report(x, names_format(p->names, "%s %s%s here, but not in the base class",
                                     roles_text(p->arena, more), verb, more.len == 1 ? "s" : ""));
    SymList theirs = roles_join(p->arena, (SymList){base->acts.at, base->acts.len},
                                roles_map_all(p->arena, x->base_view.to_roles,
                                              x->base_view.roles, more));
    theirs = roles_sorted(p->arena, x->base.from->decl->formals, theirs);
    Buf names = buf_new(p->arena);
    for (size_t i = 0; i < theirs.len; i++)
        buf_printf(&names, "%s%s", i == 0 ? "" : ", ", theirs.at[i]);
    diag_help(g, "declare `@effect(%s)` on `%s` of `%s`: callers rely on the effect declared there",
              buf_text(&names), member_name(&x->base), x->base.from->decl->name);
    return true;
}

void override_check_effects(Program *p) { judge_all(p, judge_effects); }
