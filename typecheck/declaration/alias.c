// alias.c - names of located types: `Step = Callable[[At[int, A]], At[int, B]]` in a module.
//
// Such a name stands for its text. Its roles are free: they are those of the signature that uses
// it. So it is written out wherever an annotation has it, before anything else is looked at, and
// nothing of it is left. A name of a local type (`Ints = list[int]`) is left alone: it is Python's.

#include <string.h>

#include "typecheck/internal.h"

enum { MAX_DEPTH = 50 };            // of names in names: beyond it they are refused

typedef struct Named {
    const Stmt *stmt;
    Sym         name;
    SymList     params;             // `type Wire[X, Y] = Channel[int, X, Y]`
    const Expr *value;
    size_t      times;              // bound in the module
    bool        open;               // being written out
    bool        told;
} Named;

// `heads`: what is followed by roles in brackets. `given`: what stands for the parameters of the
// name that is being written out, at `at`.
typedef struct Writer {
    Program *p;
    Table   *heads, *named;
    SymList  params;
    ExprList given;
    Span     at;
    size_t   depth;
} Writer;

static const Expr *write_out(Writer *w, const Expr *e);

// ---- which names stand for located types ----

static const Expr *head_of(const Expr *e) {
    return e->kind == EXPR_SUBSCRIPT ? e->subscript.value : e;
}

static bool is_role_class(const Writer *w, const Stmt *s) {
    for (size_t i = 0; i < s->class_def.bases.len; i++) {
        const Expr *base = s->class_def.bases.at[i], *head = head_of(base);
        if (base->kind != EXPR_SUBSCRIPT || head->kind != EXPR_NAME) continue;
        if (table_get(w->heads, head->name.id) != NULL) return true;
        if (program_library_has(head->name.id) && strncmp(head->name.id, "Ch", 2) == 0) return true;
    }
    return false;
}

static void note_heads(Writer *w, const Stmt *s) {
    if (s->kind == STMT_CLASS_DEF && is_role_class(w, s))
        table_set(w->heads, s->class_def.name, w);
    if (s->kind != STMT_IMPORT_FROM || !sym_is(s->import_from.module, "pychoral")) return;
    for (size_t i = 0; i < s->import_from.names.len; i++) {
        Sym name = s->import_from.names.at[i]->name;
        if (sym_is(name, "At") || channel_class(name) != NULL) table_set(w->heads, name, w);
    }
}

typedef struct Search { const Writer *w; bool found; } Search;

static bool find_located(void *cx, const Expr *e) {
    Search *s = cx;
    e = annotation_unquote(s->w->p, e);
    if (e->kind == EXPR_SUBSCRIPT && e->subscript.value->kind == EXPR_NAME)
        s->found |= table_get(s->w->heads, e->subscript.value->name.id) != NULL;
    const Named *n = e->kind == EXPR_NAME ? table_get(s->w->named, e->name.id) : NULL;
    s->found |= n != NULL && n->value != NULL;
    return !s->found;
}

// Only a form that could stand in an annotation: `c = C[A, B](..)` is none.
static bool is_located(const Writer *w, const Expr *value) {
    Search s = {w, false};
    IrWalker walker = {.cx = &s, .expr = find_located};
    value = annotation_unquote(w->p, value);
    if (value->kind == EXPR_SUBSCRIPT || value->kind == EXPR_NAME) ir_walk_expr(&walker, value);
    return s.found;
}

// The name and what it stands for, where the statement has the form of an alias.
static const Expr *alias_name(const Stmt *s, const Expr **value) {
    *value = NULL;
    if (s->kind == STMT_TYPE_ALIAS) {
        *value = s->type_alias.value;
        return s->type_alias.name;
    }
    if (s->kind == STMT_ASSIGN && s->assign.targets.len == 1) {
        *value = s->assign.value;
        return s->assign.targets.at[0];
    }
    if (s->kind != STMT_ANN_ASSIGN) return NULL;
    const Expr *type = s->ann_assign.annotation;
    bool alias = (type->kind == EXPR_NAME && sym_is(type->name.id, "TypeAlias")) ||
        (type->kind == EXPR_ATTRIBUTE && sym_is(type->attribute.attr, "TypeAlias"));
    if (alias) *value = s->ann_assign.value;
    return s->ann_assign.target;
}

static bool count_stores(void *cx, const Expr *e) {
    Named *n = e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_STORE
        ? table_get(cx, e->name.id) : NULL;
    if (n != NULL) n->times++;
    return true;
}

static void find_named(Writer *w, StmtList body) {
    Arena *a = w->p->arena;
    for (size_t i = 0; i < body.len; i++) {
        const Expr *value, *name = alias_name(body.at[i], &value);
        if (name == NULL || name->kind != EXPR_NAME || value == NULL) continue;
        if (table_get(w->named, name->name.id) != NULL || !is_located(w, value)) continue;
        Named *n = ARENA_NEW(a, Named);
        *n = (Named){.stmt = body.at[i], .name = name->name.id, .value = value};
        if (body.at[i]->kind == STMT_TYPE_ALIAS)
            n->params = type_params_written(a, body.at[i]->type_alias.type_params);
        table_set(w->named, n->name, n);
    }
    IrWalker stores = {.cx = w->named, .expr = count_stores};
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind != STMT_FUNCTION_DEF && body.at[i]->kind != STMT_CLASS_DEF)
            ir_walk_stmt(&stores, body.at[i]);
}

static Named *named_at(const Writer *w, const Expr *e) {
    Named *n = e->kind == EXPR_NAME ? table_get(w->named, e->name.id) : NULL;
    return n != NULL && n->times == 1 ? n : NULL;
}

// ---- writing them out ----

static ExprList write_list(Writer *w, ExprList list) {
    const Expr **out = ARENA_ARRAY(w->p->arena, const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++) out[i] = write_out(w, list.at[i]);
    return (ExprList){out, list.len};
}

// What has been reported.
static const Expr *no_type(const Writer *w, const Expr *e) {
    const Expr *none = expr_constant(w->p->arena, e->at, const_none(w->p->arena), NULL);
    return expr_with_ty(w->p->arena, none, ty_poison(w->p->arena), (SymList){0});
}

static void report_circle(Writer *w, Named *n) {
    if (!n->told && n->open)
        diag_report(w->p->diags, n->stmt->at, DIAG_SIGNATURE_PLACE,
                    "the type `%s` is defined in terms of itself", n->name);
    else if (!n->told)
        diag_help(diag_report(w->p->diags, n->stmt->at, DIAG_SIGNATURE_PLACE,
                              "more than %d type aliases in one chain, which reaches `%s` here",
                              MAX_DEPTH, n->name),
                  "write the type that `%s` stands for in place of `%s`", n->name, n->name);
    n->told = true;
}

static const Expr *write_named(Writer *w, const Expr *e, Named *n, ExprList given) {
    if (n->open || w->depth >= MAX_DEPTH) {
        report_circle(w, n);
        return no_type(w, e);
    }
    if (given.len != n->params.len) {
        diag_report(w->p->diags, e->at, DIAG_TYPE_ARGUMENTS,
                    "the type `%s` takes %zu type argument%s, but %zu %s given", n->name,
                    n->params.len, diag_s(n->params.len), given.len,
                    diag_is(given.len));
        return no_type(w, e);
    }
    Writer inner = *w;
    inner.params = n->params;
    inner.given = given;
    inner.at = e->at;
    inner.depth++;
    n->open = true;
    const Expr *out = write_out(&inner, n->value);
    n->open = false;
    return out;
}

static const Expr *write_name(Writer *w, const Expr *e) {
    for (size_t i = 0; i < w->params.len; i++)
        if (w->params.at[i] == e->name.id) return w->given.at[i];
    Named *n = named_at(w, e);
    return n != NULL ? write_named(w, e, n, (ExprList){0}) : e;
}

static const Expr *write_subscript(Writer *w, const Expr *e) {
    const Expr *slice = e->subscript.slice;
    Named *n = named_at(w, e->subscript.value);
    if (n != NULL && n->params.len > 0) {
        ExprList args = slice->kind == EXPR_TUPLE ? slice->tuple.elts : (ExprList){&slice, 1};
        return write_named(w, e, n, write_list(w, args));
    }
    if (n != NULL) return write_named(w, e, n, (ExprList){&slice, 1});      // it takes none
    return expr_subscript(w->p->arena, e->at, e->subscript.value, write_out(w, slice),
                          e->subscript.ctx);
}

// The parts of an annotation. What is written out stands where its name stood.
static const Expr *write_out(Writer *w, const Expr *e) {
    Arena *a = w->p->arena;
    e = annotation_unquote(w->p, e);
    if (w->depth > 0) e = expr_with_at(a, e, w->at);
    if (e->kind == EXPR_NAME) return write_name(w, e);
    if (e->kind == EXPR_SUBSCRIPT) return write_subscript(w, e);
    if (e->kind == EXPR_LIST) return expr_list(a, e->at, write_list(w, e->list.elts), e->list.ctx);
    if (e->kind == EXPR_TUPLE)
        return expr_tuple(a, e->at, write_list(w, e->tuple.elts), e->tuple.ctx);
    if (e->kind == EXPR_BIN_OP) {
        const Expr *left = write_out(w, e->bin_op.left);
        return expr_bin_op(a, e->at, left, e->bin_op.op, write_out(w, e->bin_op.right));
    }
    return e;
}

static bool find_name(void *cx, const Expr *e) {
    Search *s = cx;
    s->found |= named_at(s->w, e) != NULL;
    return !s->found;
}

// An annotation without such a name stays as it was.
static const Expr *annotation(Writer *w, const Expr *e) {
    if (e == NULL) return NULL;
    Search s = {w, false};
    IrWalker walker = {.cx = &s, .expr = find_name};
    ir_walk_expr(&walker, annotation_unquote(w->p, e));
    return s.found ? write_out(w, e) : e;
}

static const Arg *map_arg(IrMapper *m, const Arg *arg) {
    const Expr *e = annotation(m->cx, arg->annotation);
    return e == arg->annotation ? arg : arg_new(m->arena, arg->at, arg->arg, e);
}

static const Stmt *map_stmt(IrMapper *m, const Stmt *s) {
    if (s->kind == STMT_FUNCTION_DEF) {
        const Expr *e = annotation(m->cx, s->function_def.returns);
        if (e == s->function_def.returns) return s;
        return stmt_function_def(m->arena, s->at, s->function_def.name, s->function_def.args,
                                 s->function_def.body, s->function_def.decorator_list, e,
                                 s->function_def.type_params);
    }
    if (s->kind != STMT_ANN_ASSIGN) return s;
    const Expr *e = annotation(m->cx, s->ann_assign.annotation);
    if (e == s->ann_assign.annotation) return s;
    return stmt_ann_assign(m->arena, s->at, s->ann_assign.target, e, s->ann_assign.value,
                           s->ann_assign.simple);
}

StmtList alias_write_out(Program *p, StmtList body) {
    Writer w = {.p = p, .heads = table_new(p->arena), .named = table_new(p->arena)};
    for (size_t i = 0; i < body.len; i++) note_heads(&w, body.at[i]);
    find_named(&w, body);
    IrMapper m = {.arena = p->arena, .cx = &w, .arg = map_arg, .stmt = map_stmt};
    StmtVec out = {0};
    p->located_names = w.named;
    p->located_heads = w.heads;
    for (size_t i = 0; i < body.len; i++) {
        const Expr *value, *name = alias_name(body.at[i], &value);
        const Named *n = name != NULL ? named_at(&w, name) : NULL;
        if (n != NULL && n->stmt == body.at[i]) vec_push(p->arena, &p->aliases, n->stmt);
        else if (!table_empty(w.named)) vec_push(p->arena, &out, ir_map_stmt(&m, body.at[i]));
    }
    return p->aliases.len == 0 ? body : (StmtList){out.at, out.len};
}

bool alias_is_role_class(Program *p, const Stmt *class_) {
    Writer w = {.p = p, .heads = p->located_heads, .named = p->located_names};
    return is_role_class(&w, class_);
}

bool alias_is_choreography(Program *p, const Stmt *function) {
    Writer w = {.p = p, .heads = p->located_heads, .named = p->located_names};
    Search s = {&w, def_has_decorator(function, "roles")};
    IrWalker walker = {.cx = &s, .expr = find_located};
    ir_walk_arguments(&walker, function->function_def.args);
    if (function->function_def.returns != NULL)
        ir_walk_expr(&walker, function->function_def.returns);
    return s.found;
}
