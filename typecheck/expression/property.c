// property.c - assignments to properties of instances at several roles: calls of their setters.

#include "typecheck/expression/call.h"

// A chain of names and fields: to look it up does nothing, and gives the same twice.
static bool is_path(const Expr *e) {
    while (e->kind == EXPR_ATTRIBUTE) e = e->attribute.value;
    return e->kind == EXPR_NAME;
}

static bool is_plain(const Expr *e) { return e->kind == EXPR_CONSTANT || e->kind == EXPR_NAME; }

static const Expr *call_of(Scope *sc, Span at, const Expr *object, Sym name, const Expr *arg) {
    Arena *a = sc->p->arena;
    const Expr *method = expr_attribute(a, at, object, name, EXPR_CONTEXT_LOAD);
    const Expr **args = ARENA_NEW(a, const Expr *);
    *args = arg;
    return expr_call(a, at, method, (ExprList){args, 1}, (KeywordList){0});
}

// The target when it is a property of an instance; `object` is checked.
static bool find_property(Scope *sc, const Expr *t, const Expr **object, Member *getter) {
    if (t->kind != EXPR_ATTRIBUTE || !is_path(t->attribute.value)) return false;
    const Expr *root = t->attribute.value;
    while (root->kind == EXPR_ATTRIBUTE) root = root->attribute.value;
    if (scope_find(sc, root->name.id) == NULL) return false;
    *object = check_expr(sc, t->attribute.value, NULL);
    const Ty *type = (*object)->ty;
    Decl *d = type != NULL && type->kind == TY_INST ? program_find(sc->p, type->inst.name) : NULL;
    return d != NULL && d->channel == NULL && hierarchy_find(d, t->attribute.attr, getter) &&
        getter->function != NULL && getter->function->kind == METHOD_GETTER;
}

static const Expr *old_and_new(Scope *sc, const Stmt *s) {
    const Expr *t = s->aug_assign.target;
    const Expr *read = expr_attribute(sc->p->arena, t->at, t->attribute.value, t->attribute.attr,
                                      EXPR_CONTEXT_LOAD);
    return expr_bin_op(sc->p->arena, s->at, read, s->aug_assign.op, s->aug_assign.value);
}

static void help_setter(Program *p, Diag *d, const Member *getter) {
    const Function *f = getter->function;
    if (f->result.roles.len == 1)
        diag_help(d, "add a setter to `%s`: `@%s.setter` and `def %s(self, value: At[%s, %s]) -> "
                  "None:`", getter->from->decl->name, f->name, f->name,
                  type_text(p, f->result.ty), f->result.roles.at[0]);
    else
        diag_help(d, "add a setter to `%s`: a method `%s` with the decorator `@%s.setter`",
                  getter->from->decl->name, f->name, f->name);
}

bool property_assign(Scope *sc, const Stmt *s, StmtVec *out) {
    Program *p = sc->p;
    const Expr *object;
    Member getter, setter;
    bool plain = s->kind == STMT_ASSIGN;
    if (plain && s->assign.targets.len != 1) return false;
    const Expr *t = plain ? s->assign.targets.at[0] : s->aug_assign.target;
    if (!find_property(sc, t, &object, &getter)) return false;
    const Decl *d = program_find(p, object->ty->inst.name);
    if (!hierarchy_find(d, class_setter_name(p, t->attribute.attr), &setter) ||
        setter.function == NULL || setter.function->kind != METHOD_SETTER) {
        Diag *g = report_at(sc, t->at, DIAG_MEMBER_KIND, "the property `%s` of `%s` has no setter",
                            t->attribute.attr, d->name);
        diag_label(g, source_first_line(p->source, getter.function->def->at),
                   "this property is read-only");
        help_setter(p, g, &getter);
        return true;
    }
    const Expr *value = plain ? s->assign.value : old_and_new(sc, s);
    // Python has the value before it looks for the object.
    if (object->kind != EXPR_NAME && !is_plain(value)) {
        Diag *g = report_unsupported(p, s->at, "assigning a property through a field");
        diag_help(g, "assign the object, or the value, to a variable first");
        sc->fn->failed = true;
        return true;
    }
    const Expr *call = call_of(sc, s->at, t->attribute.value, setter.function->name, value);
    const Expr *method = expr_attribute(p->arena, s->at, object, setter.function->name,
                                        EXPR_CONTEXT_LOAD);
    const Expr *checked = call_method(sc, call, expr_typed(sc, method, ty_any(p->arena),
                                                           object->roles),
                                      object->ty, &setter, NULL);
    vec_push(p->arena, out, stmt_expr(p->arena, s->at, checked));
    return true;
}
