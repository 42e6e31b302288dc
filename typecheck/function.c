// function.c - the bodies of choreographies: functions, methods, nested functions, classes.

#include <string.h>

#include "typecheck/internal.h"

// ---- does a body end without return? ----

static bool is_true(const Expr *e) {
    return e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_BOOL &&
        e->constant.value->truth;
}

static bool find_break(void *cx, const Stmt *s) {
    if (s->kind == STMT_BREAK) *(bool *)cx = true;
    return s->kind != STMT_FOR && s->kind != STMT_WHILE && s->kind != STMT_FUNCTION_DEF &&
        s->kind != STMT_CLASS_DEF;
}

static bool breaks(StmtList body) {
    bool found = false;
    IrWalker w = {.cx = &found, .stmt = find_break};
    ir_walk_stmts(&w, body);
    return found;
}

static bool falls_through(const Stmt *s) {
    while (s->kind == STMT_IF) {
        if (s->if_.orelse.len == 0 || body_falls_through(s->if_.body)) return true;
        if (s->if_.orelse.len != 1) return body_falls_through(s->if_.orelse);
        s = s->if_.orelse.at[0];
    }
    if (s->kind == STMT_WHILE) return !is_true(s->while_.test) || breaks(s->while_.body);
    return s->kind != STMT_RETURN && s->kind != STMT_RAISE;
}

bool body_falls_through(StmtList body) {
    for (size_t i = 0; i < body.len; i++)
        if (!falls_through(body.at[i])) return false;
    return true;
}

// ---- signatures in the checked tree ----

static const Arg *located_arg(Program *p, const Function *f, const Arg *arg) {
    if (arg == NULL || arg->annotation == NULL) return arg;
    const Expr *annotation;
    annotation_located(p, arg->annotation, f->roles, &annotation);
    return annotation == NULL ? arg : arg_new(p->arena, arg->at, arg->arg, annotation);
}

static ArgList located_args(Program *p, const Function *f, ArgList args) {
    const Arg **out = ARENA_ARRAY(p->arena, const Arg *, args.len + 1);
    for (size_t i = 0; i < args.len; i++) out[i] = located_arg(p, f, args.at[i]);
    return (ArgList){out, args.len};
}

static const Expr *default_of(Scope *sc, const Function *f, const Arg *arg, const Expr *e) {
    if (e == NULL) return NULL;
    for (size_t i = 0; i < f->params.len; i++)
        if (f->params.at[i].name == arg->arg)
            return check_placed(sc, e, f->params.at[i].type, "the default value");
    return e;
}

static const Arguments *located_arguments(Scope *sc, const Function *f) {
    Program *p = sc->p;
    const Arguments *a = f->def->function_def.args;
    size_t positional = a->posonlyargs.len + a->args.len, first = positional - a->defaults.len;
    Vec(const Expr *) defaults = {0}, kw = {0};
    for (size_t i = first; i < positional; i++) {
        const Arg *arg = i < a->posonlyargs.len ? a->posonlyargs.at[i]
                                                : a->args.at[i - a->posonlyargs.len];
        vec_push(p->arena, &defaults, default_of(sc, f, arg, a->defaults.at[i - first]));
    }
    for (size_t i = 0; i < a->kwonlyargs.len; i++)
        vec_push(p->arena, &kw, default_of(sc, f, a->kwonlyargs.at[i], a->kw_defaults.at[i]));
    return arguments_new(p->arena, located_args(p, f, a->posonlyargs), located_args(p, f, a->args),
                         a->vararg, located_args(p, f, a->kwonlyargs),
                         (ExprList){kw.at, kw.len}, a->kwarg,
                         (ExprList){defaults.at, defaults.len});
}

static const Expr *located_result(Program *p, const Function *f) {
    const Expr *out = NULL, *returns = f->def->function_def.returns;
    if (returns == NULL) return NULL;
    annotation_located(p, returns, f->roles, &out);
    return out != NULL ? out : returns;
}

// ---- bodies ----

static void bind_params(Scope *sc, Function *f) {
    Arena *a = sc->p->arena;
    if (f->owner != NULL && !f->is_static) {
        const Arguments *args = f->def->function_def.args;
        const Arg *self = args->posonlyargs.len > 0 ? args->posonlyargs.at[0]
            : args->args.len > 0 ? args->args.at[0] : NULL;
        LocType type = {ty_inst(a, f->owner->name, (TyList){0}, f->formals), f->formals};
        if (self != NULL) scope_bind(sc, self->arg, type, self->at);
    }
    for (size_t i = 0; i < f->params.len; i++) {
        const Param *q = &f->params.at[i];
        if (table_get(sc->vars, q->name) != NULL)
            report_at(sc, q->at, DIAG_CALL_ARGUMENTS, "`%s` has two parameters `%s`", f->name,
                      q->name);
        scope_bind(sc, q->name, q->type, q->at)->declared = true;
    }
}

const Stmt *check_function(Program *p, Scope *outer, Function *f) {
    const Stmt *d = f->def;
    if (f->broken) return NULL;
    Scope *around = scope_new(p, outer, f, f->roles);
    const Arguments *args = located_arguments(around, f);
    Scope *sc = scope_new(p, outer, f, f->roles);
    bind_params(sc, f);
    StmtList body = check_body(sc, d->function_def.body);
    if (f->result.roles.len > 0 && !f->failed && body_falls_through(body)) {
        Diag *g = report_at(sc, source_first_line(p->source, d->at), DIAG_RETURN_MISSING,
                            "`%s` can end without returning `%s` at %s", f->name,
                            type_text(p, f->result.ty), roles_text(p->arena, f->result.roles));
        diag_help(g, "every path needs a `return` or a `raise`");
    }
    if (f->failed) return NULL;
    assigned_check(p, f, body);
    if (body.len == 0) {
        const Stmt **pass = ARENA_NEW(p->arena, const Stmt *);
        *pass = stmt_pass(p->arena, d->at);
        body = (StmtList){pass, 1};
    }
    ExprList decorators = f->is_static ? d->function_def.decorator_list : (ExprList){0};
    return stmt_function_def(p->arena, d->at, f->name, args, body, decorators,
                             located_result(p, f), (TypeParamList){0});
}

// ---- nested functions ----

typedef struct Captures { Scope *sc; SymList roles; bool several, instance; } Captures;

static bool find_capture(void *cx, const Expr *e) {
    Captures *c = cx;
    Var *v = e->kind == EXPR_NAME ? scope_find(c->sc, e->name.id) : NULL;
    if (v == NULL) return true;
    if (v->function != NULL || (v->type.ty != NULL && v->type.ty->kind == TY_INST))
        c->instance = true;
    if (v->type.roles.len == 0) return true;
    if (c->roles.len > 0 && !roles_equal(c->roles, v->type.roles)) c->several = true;
    c->roles = v->type.roles;
    return true;
}

void check_nested(Scope *sc, const Stmt *def, StmtVec *out) {
    Program *p = sc->p;
    Captures c = {.sc = sc};
    IrWalker w = {.cx = &c, .expr = find_capture};
    ir_walk_stmts(&w, def->function_def.body);
    Sym name = def->function_def.name;
    if (!signature_mentions_roles(p, def) && !c.instance && c.roles.len == 0) {
        scope_bind(sc, name, (LocType){ty_any(p->arena), {0}}, def->at);
        vec_push(p->arena, out, def);
        return;
    }
    Function *f = signature_nested(p, def, sc->roles);
    scope_bind(sc, name, (LocType){ty_any(p->arena), {0}}, def->at)->function = f;
    const Stmt *checked = check_function(p, sc, f);
    if (checked == NULL) {
        sc->fn->failed = true;
        return;
    }
    f->body_roles = roles_of_stmts(p, sc->roles, checked->function_def.body);
    vec_push(p->arena, out, stmt_choreo(p->arena, def->at, (SymList){0}, (SymList){0},
                                        (SymList){0}, checked));
}

// ---- classes ----

static const Stmt *check_field(Program *p, Decl *d, const Stmt *s) {
    const Expr *annotation = NULL, *value = NULL;
    LocType type = annotation_located(p, s->ann_assign.annotation, d->formals, &annotation);
    if (annotation == NULL) return NULL;
    if (s->ann_assign.value != NULL) {
        Scope *sc = scope_new(p, NULL, d->init, d->formals);
        value = check_placed(sc, s->ann_assign.value, type, "the default value");
    }
    const Expr *target = expr_with_ty(p->arena, s->ann_assign.target, type.ty, type.roles);
    return stmt_ann_assign(p->arena, s->at, target, annotation, value, s->ann_assign.simple);
}

static bool class_constant(const Stmt *s) {
    return s->kind == STMT_ASSIGN && s->assign.value->kind == EXPR_CONSTANT;
}

static const Stmt *check_method(Program *p, Decl *d, const Stmt *s) {
    Function *f = table_get(d->members, s->function_def.name);
    if (f->def != s) {
        diag_report(p->diags, s->at, DIAG_CLASS_HEADER, "`%s` has two methods `%s`", d->name,
                    f->name);
        return NULL;
    }
    return f->local ? s : check_function(p, NULL, f);
}

static const Stmt *check_member(Program *p, Decl *d, const Stmt *s) {
    if (s->kind == STMT_FUNCTION_DEF) return check_method(p, d, s);
    if (s->kind == STMT_ANN_ASSIGN) return check_field(p, d, s);
    if (s->kind == STMT_EXPR || s->kind == STMT_PASS || class_constant(s)) return s;
    report_unsupported(p, s->at, "this statement in a class of several roles");
    return NULL;
}

const Stmt *check_class(Program *p, Decl *d) {
    StmtVec body = {0};
    StmtList from = d->stmt->class_def.body;
    bool whole = true;
    for (int init = 1; init >= 0; init--) {         // __init__ first: it makes the fields
        for (size_t i = 0; i < from.len; i++) {
            bool is_init = from.at[i]->kind == STMT_FUNCTION_DEF &&
                sym_is(from.at[i]->function_def.name, "__init__");
            if (is_init != (init == 1)) continue;
            const Stmt *s = check_member(p, d, from.at[i]);
            if (s != NULL) vec_push(p->arena, &body, s);
            else whole = false;
        }
    }
    if (!whole) return NULL;
    Vec(const Stmt *) ordered = {0};
    for (size_t i = 0; i < from.len; i++)
        for (size_t j = 0; j < body.len; j++)
            if (body.at[j]->at.start == from.at[i]->at.start)
                vec_push(p->arena, &ordered, body.at[j]);
    return stmt_class_def(p->arena, d->stmt->at, d->name, (ExprList){0}, (KeywordList){0},
                          (StmtList){ordered.at, ordered.len}, d->stmt->class_def.decorator_list,
                          (TypeParamList){0});
}
