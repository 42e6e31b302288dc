// function.c - the bodies of choreographies: functions, methods, classes.

#include <string.h>

#include "compiler/ir/control.h"
#include "typecheck/expression/narrow.h"

// ---- does a body end without return? ----

// The `else` of a loop inside is not of that loop.
static bool find_break(void *cx, const Stmt *s) {
    IrWalker w = {.cx = cx, .stmt = find_break};
    if (s->kind == STMT_BREAK) *(bool *)cx = true;
    if (s->kind == STMT_FOR) ir_walk_stmts(&w, s->for_.orelse);
    if (s->kind == STMT_WHILE) ir_walk_stmts(&w, s->while_.orelse);
    return s->kind != STMT_FOR && s->kind != STMT_WHILE && s->kind != STMT_FUNCTION_DEF &&
        s->kind != STMT_CLASS_DEF;
}

static bool breaks(StmtList body) {
    bool found = false;
    IrWalker w = {.cx = &found, .stmt = find_break};
    ir_walk_stmts(&w, body);
    return found;
}

static bool try_falls_through(const Stmt *s) {
    if (!body_falls_through(s->try.finalbody)) return false;
    for (size_t i = 0; i < s->try.handlers.len; i++)
        if (body_falls_through(s->try.handlers.at[i]->except_handler.body)) return true;
    return body_falls_through(s->try.body) && body_falls_through(s->try.orelse);
}

static bool match_falls_through(const Stmt *s) {
    for (size_t i = 0; i < s->match.cases.len; i++)
        if (body_falls_through(s->match.cases.at[i]->body)) return true;
    return !match_is_total(s);
}

// Only a checked `with` says whether its manager may swallow exceptions.
static bool with_falls_through(const Stmt *s) {
    bool checked = s->with.items.at[0]->context_expr->ty != NULL;
    return !checked || s->roles.len > 0 || body_falls_through(s->with.body);
}

// A loop ends by a `break`, or by its `else`, which may leave the function; that of `while True`
// never runs.
static bool loop_falls_through(const Stmt *s) {
    bool endless = s->kind == STMT_WHILE && control_always(s->while_.test);
    StmtList orelse = s->kind == STMT_WHILE ? s->while_.orelse : s->for_.orelse;
    return breaks(s->kind == STMT_WHILE ? s->while_.body : s->for_.body) ||
        (!endless && body_falls_through(orelse));
}

static bool falls_through(const Stmt *s) {
    while (s->kind == STMT_IF) {
        if (s->if_.orelse.len == 0 || body_falls_through(s->if_.body)) return true;
        if (s->if_.orelse.len != 1) return body_falls_through(s->if_.orelse);
        s = s->if_.orelse.at[0];
    }
    if (s->kind == STMT_TRY) return try_falls_through(s);
    if (s->kind == STMT_MATCH) return match_falls_through(s);
    if (s->kind == STMT_WITH) return with_falls_through(s);
    if (s->kind == STMT_WHILE || s->kind == STMT_FOR) return loop_falls_through(s);
    return s->kind != STMT_RETURN && s->kind != STMT_RAISE && s->kind != STMT_BREAK &&
        s->kind != STMT_CONTINUE && !stmt_never_returns(s);
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
    annotation_signature(p, arg->annotation, f, &annotation);
    return annotation == NULL ? arg : arg_new(p->arena, arg->at, arg->arg, annotation);
}

static ArgList located_args(Program *p, const Function *f, ArgList args) {
    const Arg **out = ARENA_ARRAY(p->arena, const Arg *, args.len + 1);
    for (size_t i = 0; i < args.len; i++) out[i] = located_arg(p, f, args.at[i]);
    return (ArgList){out, args.len};
}

// A choreography cannot make a channel: only the caller has one.
static const Expr *check_default(Scope *sc, const Param *param, const Expr *e) {
    Program *p = sc->p;
    if (!type_is_channel(p, param->type.ty))
        return check_placed(sc, e, param->type, names_format(p->names, "parameter `%s`",
                                                             param->name));
    Diag *d = diag_report(p->diags, e->at, DIAG_TYPE_MISMATCH,
                          "the channel `%s` cannot have a default", param->name);
    diag_help(d, "remove the default: the caller passes the channel");
    return expr_poison(sc, e);
}

static const Expr *default_of(Scope *sc, const Function *f, const Arg *arg, const Expr *e) {
    if (e == NULL) return NULL;
    for (size_t i = 0; i < f->params.len; i++)
        if (f->params.at[i].name == arg->arg)
            return check_default(sc, &f->params.at[i], e);
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
    ArgList posonly = located_args(p, f, a->posonlyargs), args = located_args(p, f, a->args);
    return arguments_new(p->arena, posonly, args, a->vararg, located_args(p, f, a->kwonlyargs),
                         (ExprList){kw.at, kw.len}, a->kwarg,
                         (ExprList){defaults.at, defaults.len});
}

static const Expr *located_result(Program *p, const Function *f) {
    const Expr *out = NULL, *returns = f->def->function_def.returns;
    if (returns == NULL) return NULL;
    annotation_signature(p, returns, f, &out);
    return out != NULL ? out : returns;
}

// ---- bodies ----

static void bind_params(Scope *sc, Function *f) {
    Arena *a = sc->p->arena;
    if (f->owner != NULL && !f->is_static) {
        const Arguments *args = f->def->function_def.args;
        const Arg *self = args->posonlyargs.len > 0 ? args->posonlyargs.at[0]
            : args->args.len > 0 ? args->args.at[0] : NULL;
        LocType type = {ty_inst(a, f->owner->name, f->owner->order.at[0].args, f->formals),
                        f->formals};
        if (self != NULL)
            scope_bind(sc, self->arg, type, self->at)->is_class = f->kind == METHOD_CLASS;
    }
    for (size_t i = 0; i < f->params.len; i++) {
        const Param *q = &f->params.at[i];
        scope_bind(sc, q->name, q->type, q->at)->declared = true;
    }
}

// What the halves keep: roles, effects and properties are gone.
static ExprList kept_decorators(Program *p, const Function *f) {
    static const char *const KEPT[] = {"staticmethod", "classmethod", "abstractmethod", "final"};
    ExprList list = f->def->function_def.decorator_list;
    Vec(const Expr *) kept = {0};
    for (size_t i = 0; i < list.len; i++)
        for (size_t j = 0; j < sizeof KEPT / sizeof *KEPT; j++)
            if (decorator_is(list.at[i], KEPT[j])) vec_push(p->arena, &kept, list.at[i]);
    return (ExprList){kept.at, kept.len};
}

static void check_returns(Scope *sc, Function *f, StmtList body) {
    if (f->result.roles.len == 0 || f->failed || f->bodiless || f->external ||
        !body_falls_through(body)) return;
    Program *p = sc->p;
    const Expr *returns = f->def->function_def.returns;
    Span at = returns != NULL ? returns->at : source_first_line(p->source, f->def->at);
    Diag *g = report_at(sc, at, DIAG_RETURN_MISSING,
                        "`%s` can end without returning `%s` at %s", f->name,
                        type_text(p, f->result.ty), roles_text(p->arena, f->result.roles));
    label_open_end(p, g, f->def->function_def.body);
}

// The body of a method that has none, in a class that is no protocol any more.
static StmtList not_implemented(Program *p, const Stmt *def) {
    const Expr *name = expr_name(p->arena, def->at, names_get(p->names, "NotImplementedError"),
                                 EXPR_CONTEXT_LOAD);
    const Stmt **body = ARENA_NEW(p->arena, const Stmt *);
    *body = stmt_raise(p->arena, def->at, name, NULL);
    return (StmtList){body, 1};
}

static const Stmt *check_in_scope(Program *p, Scope *outer, Function *f) {
    const Stmt *d = f->def;
    Scope *around = scope_new(p, outer, f, f->roles);
    const Arguments *args = located_arguments(around, f);
    Scope *sc = scope_new(p, outer, f, f->roles);
    size_t mark = pyt_mark(p->py);
    sc->unsure = outer != NULL;             // a caller need not know of more roles
    bind_params(sc, f);
    narrow_forget_all(sc);              // it is called who knows when
    StmtList body = d->function_def.body;
    bool plain = f->bodiless && f->owner->is_protocol && f->owner->type_params.len > 0;
    if (plain) body = not_implemented(p, d);
    else if (!f->bodiless && !f->external) body = check_body(sc, body);
    check_nested_late(sc);
    (void)pyt_leave(p->py, mark);
    check_returns(sc, f, body);
    if (f->failed) return NULL;
    assigned_check(p, f, body);
    if (body.len == 0) {
        const Stmt **pass = ARENA_NEW(p->arena, const Stmt *);
        *pass = stmt_pass(p->arena, d->at);
        body = (StmtList){pass, 1};
    }
    return stmt_function_def(p->arena, d->at, f->name, args, body, kept_decorators(p, f),
                             located_result(p, f), (TypeParamList){0});
}

const Stmt *check_function(Program *p, Scope *outer, Function *f) {
    if (f->broken) return NULL;
    SymList before = type_params_enter(p, f->owner != NULL ? f->owner->type_params : (SymList){0});
    type_params_enter(p, f->type_params);
    const Stmt *checked = check_in_scope(p, outer, f);
    p->type_vars = before;
    return checked;
}
