// lift.c - methods with roles of their own (docs/language.md, "Methods with roles of their own").
//
// `def tell(self, other: Channel[int, B, C])` in a class of A and B: who plays C has no half of the
// object that could say what to do. Such a method is a function that takes the object first,
// `Pair_tell(self: Pair[A, B], other: ..)`, and `p.tell(c)` is `Pair_tell(p, c)`. So the class of
// the variable decides which method it is, and no other class may override it.

#include <string.h>

#include "typecheck/internal.h"

// ---- the function ----

static const Expr *load(Program *p, Span at, Sym name) {
    return expr_name(p->arena, at, name, EXPR_CONTEXT_LOAD);
}

// `Pair[T, A, B]`
static const Expr *type_of_self(Program *p, const Decl *d, Span at) {
    Vec(const Expr *) args = {0};
    for (size_t i = 0; i < d->type_params.len; i++)
        vec_push(p->arena, &args, load(p, at, d->type_params.at[i]));
    for (size_t i = 0; i < d->formals.len; i++)
        vec_push(p->arena, &args, load(p, at, d->formals.at[i]));
    const Expr *slice = args.len == 1 ? args.at[0]
        : expr_tuple(p->arena, at, (ExprList){args.at, args.len}, EXPR_CONTEXT_LOAD);
    return expr_subscript(p->arena, at, load(p, at, d->name), slice, EXPR_CONTEXT_LOAD);
}

static ArgList with_self(Program *p, const Decl *d, ArgList args) {
    const Arg **out = ARENA_ARRAY(p->arena, const Arg *, args.len + 1);
    for (size_t i = 0; i < args.len; i++) out[i] = args.at[i];
    if (args.len > 0)
        out[0] = arg_new(p->arena, args.at[0]->at, args.at[0]->arg,
                         type_of_self(p, d, args.at[0]->at));
    return (ArgList){out, args.len};
}

// The brackets of the class, then those of the method.
static TypeParamList all_type_params(Program *p, const Decl *d, const Stmt *s) {
    Vec(const TypeParam *) all = {0};
    TypeParamList outer = d->stmt->class_def.type_params, own = s->function_def.type_params;
    for (size_t i = 0; i < outer.len; i++) vec_push(p->arena, &all, outer.at[i]);
    for (size_t i = 0; i < own.len; i++) vec_push(p->arena, &all, own.at[i]);
    return (TypeParamList){all.at, all.len};
}

// `@roles(A, B)`: the roles of the class come first. No class can override it anyway.
static ExprList decorators_of(Program *p, const Decl *d, const Stmt *s) {
    ExprList decorators = s->function_def.decorator_list;
    Vec(const Expr *) kept = {0}, roles = {0};
    for (size_t i = 0; i < d->formals.len; i++)
        vec_push(p->arena, &roles, load(p, s->at, d->formals.at[i]));
    const Expr *head = load(p, s->at, names_get(p->names, "roles"));
    vec_push(p->arena, &kept, expr_call(p->arena, s->at, head, (ExprList){roles.at, roles.len},
                                        (KeywordList){0}));
    for (size_t i = 0; i < decorators.len; i++)
        if (!decorator_is(decorators.at[i], "final")) vec_push(p->arena, &kept, decorators.at[i]);
    return (ExprList){kept.at, kept.len};
}

static Sym free_name(Program *p, const Decl *d, const Stmt *s) {
    Sym name = names_format(p->names, "%s_%s", d->name, s->function_def.name);
    while (program_mentions(p, name) > 0) name = names_format(p->names, "%s_", name);
    return name;
}

static const Stmt *as_function(Program *p, const Decl *d, const Stmt *s) {
    const Arguments *a = s->function_def.args;
    bool positional = a->posonlyargs.len > 0;
    const Arguments *args = arguments_new(
        p->arena, positional ? with_self(p, d, a->posonlyargs) : a->posonlyargs,
        positional ? a->args : with_self(p, d, a->args), a->vararg, a->kwonlyargs, a->kw_defaults,
        a->kwarg, a->defaults);
    return stmt_function_def(p->arena, s->at, free_name(p, d, s), args, s->function_def.body,
                             decorators_of(p, d, s),
                             s->function_def.returns, all_type_params(p, d, s));
}

// ---- what cannot be one ----

static bool is_special(Sym name) { return strncmp(name, "__", 2) == 0; }

static bool find_super(void *cx, const Expr *e) {
    if (e->kind == EXPR_NAME && sym_is(e->name.id, "super")) *(bool *)cx = true;
    return true;
}

// Why the method cannot be a function, or NULL.
static const char *trouble(const Decl *d, const Stmt *s) {
    static const char *const KINDS[][2] = {
        {"staticmethod", "it is a static method"}, {"classmethod", "it is a class method"},
        {"property", "it is a property"}, {"setter", "it is a property"},
        {"abstractmethod", "it is abstract"}};
    const Arguments *a = s->function_def.args;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (def_has_decorator(s, KINDS[i][0])) return KINDS[i][1];
    if (d->is_protocol) return "it belongs to a protocol";
    if (is_special(s->function_def.name)) return "Python calls it implicitly";
    if (a->posonlyargs.len + a->args.len == 0) return "it has no `self`";
    bool super = false;
    IrWalker w = {.cx = &super, .expr = find_super};
    ir_walk_stmts(&w, s->function_def.body);
    return super ? "it uses `super()`" : NULL;
}

// ---- for others ----

// What to write instead of a method that cannot have roles of its own.
static void help_lift(Program *p, Diag *g, const Decl *d, const Stmt *s) {
    Sym name = s->function_def.name;
    if (table_get(d->lifted, name) != NULL)
        diag_help(g, "rename one of them");
    else if (def_has_decorator(s, "staticmethod") || def_has_decorator(s, "classmethod"))
        diag_help(g, "write a function outside the class");
    else
        diag_help(g, "write a function that takes the object, as in `def %s(o: %s, ...)`",
                  is_special(name) ? "f" : name,
                  type_text(p, ty_inst(p->arena, d->name, (TyList){0}, d->formals)));
}

void lift_method(Program *p, Decl *d, const Stmt *s, SymList own) {
    const char *why = trouble(d, s);
    if (d->lifted == NULL) d->lifted = table_new(p->arena);
    if (why == NULL && table_get(d->lifted, s->function_def.name) != NULL)
        why = "the class defines it twice";
    if (why != NULL) {
        Diag *g = diag_report(p->diags, source_first_line(p->source, s->at), DIAG_MEMBER_KIND,
                              "`%s` cannot have roles of its own: %s", s->function_def.name, why);
        diag_note(g, "`%s` mentions %s, which `%s` does not bind", s->function_def.name,
                  roles_text(p->arena, own), d->name);
        help_lift(p, g, d, s);
    }
    Decl *f = program_add_function(p, as_function(p, d, s));
    f->function = signature_new(p, f->stmt, NULL, (SymList){0});
    f->function->lifted_from = s;
    f->function->broken = why != NULL;
    signature_role_names(p, f->function->formals, f->stmt);
    table_set(d->lifted, s->function_def.name, f);
    vec_push(p->arena, &d->lifted_order, f);
}

Decl *lift_find(const Decl *d, Sym name) {
    for (size_t i = 0; i < d->order.len; i++) {
        const Decl *from = d->order.at[i].decl;
        Decl *f = from->lifted != NULL ? table_get(from->lifted, name) : NULL;
        if (f != NULL) return f;
    }
    return NULL;
}

Decl *lift_named(Program *p, const Expr *method) {
    const Ty *t = method->kind == EXPR_ATTRIBUTE ? method->attribute.value->ty : NULL;
    Decl *d = t != NULL && t->kind == TY_INST ? program_find(p, t->inst.name) : NULL;
    return d != NULL && d->channel == NULL ? lift_find(d, method->attribute.attr) : NULL;
}

bool lift_is(const Decl *d, const Stmt *s) {
    for (size_t i = 0; i < d->lifted_order.len; i++)
        if (d->lifted_order.at[i]->function->lifted_from == s) return true;
    return false;
}

static const Stmt *member_named(const Decl *d, Sym name) {
    const Function *f = d->members != NULL ? table_get(d->members, name) : NULL;
    const Decl *lifted = d->lifted != NULL ? table_get(d->lifted, name) : NULL;
    const Field *field = table_get(d->fields, name);
    return lifted != NULL ? lifted->stmt : f != NULL ? f->def
        : field != NULL ? d->stmt : table_get(d->constants, name);
}

// Neither may override the other: the object does not say at all its roles which one is meant.
static void judge_pair(Program *p, const Decl *d, const Decl *base, Sym name) {
    const Stmt *own = member_named(d, name), *theirs = member_named(base, name);
    if (own == NULL || theirs == NULL) return;
    Diag *g = diag_report(p->diags, source_first_line(p->source, own->at), DIAG_OVERRIDE,
                          "`%s` of `%s` cannot be overridden in `%s`, because it is a method with "
                          "roles of its own", name, base->name, d->name);
    diag_label(g, source_first_line(p->source, theirs->at), "declared here");
    diag_help(g, "rename one of them");
}

static void judge_field(Program *p, const Decl *d, const Decl *lifted) {
    Sym name = lifted->function->lifted_from->function_def.name;
    const Field *field = table_get(d->fields, name);
    if (field == NULL) return;
    Diag *g = diag_report(p->diags, source_first_line(p->source, lifted->stmt->at), DIAG_OVERRIDE,
                          "`%s` has a method and a field `%s`", d->name, name);
    diag_label(g, field->at, "the field");
    diag_help(g, "rename one of them");
}

// Every two classes that `d` inherits from, or `d` itself and one of these.
void lift_check_overrides(Program *p, const Decl *d) {
    size_t last = d->bases.len > 1 ? d->order.len : d->order.len > 0 ? 1 : 0;
    for (size_t i = 0; i < d->lifted_order.len; i++) judge_field(p, d, d->lifted_order.at[i]);
    for (size_t i = 0; i < last; i++) {
        const Decl *own = d->order.at[i].decl;
        for (size_t j = i + 1; j < d->order.len; j++) {
            const Decl *base = d->order.at[j].decl;
            for (size_t k = 0; k < own->lifted_order.len; k++)
                judge_pair(p, own, base,
                           own->lifted_order.at[k]->function->lifted_from->function_def.name);
            for (size_t k = 0; k < base->lifted_order.len; k++) {
                Sym name = base->lifted_order.at[k]->function->lifted_from->function_def.name;
                if (own->lifted == NULL || table_get(own->lifted, name) == NULL)
                    judge_pair(p, own, base, name);
            }
        }
    }
}

// ---- calls ----

const Expr *lift_call(Program *p, const Expr *call, const Expr *callee, const Decl *function) {
    Arena *a = p->arena;
    bool given = callee->kind == EXPR_SUBSCRIPT;
    const Expr *method = given ? callee->subscript.value : callee;
    const Expr **args = ARENA_ARRAY(a, const Expr *, call->call.args.len + 1);
    args[0] = method->attribute.value;
    for (size_t i = 0; i < call->call.args.len; i++) args[i + 1] = call->call.args.at[i];
    const Expr *name = load(p, method->at, function->name);
    if (given)
        name = expr_subscript(a, callee->at, name, callee->subscript.slice, EXPR_CONTEXT_LOAD);
    return expr_call(a, call->at, name, (ExprList){args, call->call.args.len + 1},
                     call->call.keywords);
}
