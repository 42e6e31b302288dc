// role_class_body.c - the bodies of classes of several roles, and their headers as checked.

#include <string.h>

#include "typecheck/internal.h"

static const Expr *field_value(Program *p, Decl *d, const Stmt *s, LocType type) {
    const Expr *value = s->ann_assign.value;
    if (value == NULL || class_field_call(value) != NULL) return value;
    Scope *sc = scope_new(p, NULL, d->init, d->formals);
    return check_placed(sc, value, type, "the field");
}

static const Stmt *check_field(Program *p, Decl *d, const Stmt *s) {
    const Expr *annotation = NULL;
    LocType type = annotation_located(p, s->ann_assign.annotation, d->formals, &annotation);
    if (annotation == NULL) return NULL;
    const Expr *value = field_value(p, d, s, type);
    const Expr *target = expr_with_ty(p->arena, s->ann_assign.target, type.ty, type.roles);
    return stmt_ann_assign(p->arena, s->at, target, annotation, value, s->ann_assign.simple);
}

static bool class_constant(const Stmt *s) {
    return s->kind == STMT_ASSIGN && s->assign.value->kind == EXPR_CONSTANT;
}

static const Stmt *check_method(Program *p, Decl *d, const Stmt *s) {
    Sym name = s->function_def.name;
    if (def_has_decorator(s, "setter")) name = class_setter_name(p, name);
    Function *f = table_get(d->members, name);
    if (f->def != s) return NULL;
    return f->local ? s : check_function(p, NULL, f);
}

static const Stmt *check_member(Program *p, Decl *d, const Stmt *s) {
    if (s->kind == STMT_FUNCTION_DEF) return check_method(p, d, s);
    if (class_keywords_follow(s)) return s;
    if (s->kind == STMT_ASYNC_FUNCTION_DEF) return s;       // refused where members are collected
    if (s->kind == STMT_ANN_ASSIGN && s->ann_assign.target->kind == EXPR_NAME)
        return check_field(p, d, s);
    // A string that says what it is for, or `...`: any other expression would be code of no role.
    bool inert = s->kind == STMT_EXPR && s->expr.value->kind == EXPR_CONSTANT;
    if (inert || s->kind == STMT_PASS || class_constant(s)) return s;
    Diag *g = report_unsupported(p, source_first_line(p->source, s->at),
                                 "this statement in a class of several roles");
    diag_help(g, "write only methods, fields as in `n: At[int, %s]`, and constants as in `N = 3` "
              "here; compute values in `__init__`", d->formals.at[0]);
    return NULL;
}

// ---- the header ----

static bool is_name(const Expr *e, const char *name) {
    if (e->kind == EXPR_SUBSCRIPT) e = e->subscript.value;
    return (e->kind == EXPR_NAME && sym_is(e->name.id, name)) ||
        (e->kind == EXPR_ATTRIBUTE && sym_is(e->attribute.attr, name));
}

static const Expr *inherited(Program *p, const Ancestor *a) {
    const Ty *type = ty_inst(p->arena, a->decl->name, a->args, a->roles);
    const Expr *name = expr_name(p->arena, a->at, a->decl->name, EXPR_CONTEXT_LOAD);
    const Expr *inst = expr_inst(p->arena, a->at, type_apply(p, name, a->args), a->decl->formals,
                                 a->roles, (SymList){0});
    return expr_with_ty(p->arena, inst, type, a->roles);
}

// Bases in the order of the source; the roles are no base of what comes out. A generic protocol
// becomes a plain class: what it is in its type parameters differs from role to role.
static ExprList checked_bases(Program *p, const Decl *d) {
    Vec(const Expr *) bases = {0};
    ExprList list = d->stmt->class_def.bases;
    bool generic = false;
    for (size_t i = 0; i < list.len; i++) {
        const Expr *e = list.at[i];
        bool protocol = is_name(e, "Protocol") && d->type_params.len > 0;
        generic |= is_name(e, "Generic");
        for (size_t j = 0; j < d->bases.len; j++)
            if (d->bases.at[j].at.start == e->at.start)
                vec_push(p->arena, &bases, inherited(p, &d->bases.at[j]));
        if (is_name(e, "ABC") || (is_name(e, "Protocol") && !protocol) || is_name(e, "Generic"))
            vec_push(p->arena, &bases, e);
    }
    if (!generic && (d->stmt->class_def.type_params.len > 0 || d->is_protocol) &&
        d->type_params.len > 0) {
        p->needs_generic = true;
        const Expr *name = expr_name(p->arena, d->at, names_get(p->names, "Generic"),
                                     EXPR_CONTEXT_LOAD);
        vec_push(p->arena, &bases, type_apply(p, name, d->order.at[0].args));
    }
    return (ExprList){bases.at, bases.len};
}

// Methods that functions stand for are not among them.
static StmtList members_of(Program *p, const Decl *d) {
    Vec(const Stmt *) kept = {0};
    StmtList body = d->stmt->class_def.body;
    for (size_t i = 0; i < body.len; i++)
        if (!lift_is(d, body.at[i])) vec_push(p->arena, &kept, body.at[i]);
    if (kept.len == 0) vec_push(p->arena, &kept, stmt_pass(p->arena, d->stmt->at));
    return (StmtList){kept.at, kept.len};
}

const Stmt *check_class(Program *p, Decl *d) {
    StmtList from = members_of(p, d);
    const Stmt **body = ARENA_ARRAY(p->arena, const Stmt *, from.len + 1);
    SymList before = type_params_enter(p, d->type_params);
    bool whole = true;
    for (int init = 1; init >= 0; init--)           // __init__ first: it makes the fields
        for (size_t i = 0; i < from.len; i++) {
            bool is_init = from.at[i]->kind == STMT_FUNCTION_DEF &&
                sym_is(from.at[i]->function_def.name, "__init__");
            if (is_init != (init == 1)) continue;
            body[i] = check_member(p, d, from.at[i]);
            whole &= body[i] != NULL;
        }
    p->type_vars = before;
    if (!whole) return NULL;
    return stmt_class_def(p->arena, d->stmt->at, d->name, checked_bases(p, d),
                          d->stmt->class_def.keywords, (StmtList){body, from.len},
                          d->stmt->class_def.decorator_list, (TypeParamList){0});
}
