// shared_hidden.c - module state that has no name of its own: what is left of an iterator, what a
// closure or a cache keeps, default values (docs/language.md, "Module variables").

#include "typecheck/internal.h"

static const Expr *value_of(const Decl *d) {
    const Stmt *s = d->kind == DECL_VARIABLE ? d->stmt : NULL;
    return s == NULL ? NULL : s->kind == STMT_ASSIGN ? s->assign.value
        : s->kind == STMT_ANN_ASSIGN ? s->ann_assign.value : NULL;
}

// ---- default values ----

static bool any_mutable(Program *p, ExprList list) {
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i] != NULL && shared_makes_mutable(list.at[i]) &&
            type_mutable(p, list.at[i]->ty))
            return true;
    return false;
}

bool shared_mutable_default(Program *p, const Arguments *a) {
    return any_mutable(p, a->defaults) || any_mutable(p, a->kw_defaults);
}

typedef struct Search { Program *p; bool found; } Search;

static bool find_default(void *cx, const Expr *e) {
    Search *s = cx;
    s->found |= e->kind == EXPR_LAMBDA && shared_mutable_default(s->p, e->lambda.args);
    return !s->found;
}

static bool lambda_default(Program *p, const Expr *e) {
    Search s = {p, false};
    IrWalker w = {.cx = &s, .expr = find_default};
    ir_walk_expr(&w, e);
    return s.found;
}

static bool has_default(Program *p, const Decl *d) {
    const Stmt *s = d->stmt;
    if (d->kind == DECL_LOCAL_FUNCTION && s->kind == STMT_FUNCTION_DEF)
        return shared_mutable_default(p, s->function_def.args);
    if (d->kind != DECL_LOCAL_CLASS || s->kind != STMT_CLASS_DEF) return false;
    for (size_t i = 0; i < s->class_def.body.len; i++) {
        const Stmt *m = s->class_def.body.at[i];
        if (m->kind == STMT_FUNCTION_DEF && shared_mutable_default(p, m->function_def.args))
            return true;
    }
    return false;
}

// ---- iterators ----

static bool of_itertools(const Decl *d, const Expr *f) {
    if (d == NULL || d->kind != DECL_IMPORT || d->stmt == NULL) return false;
    if (d->stmt->kind == STMT_IMPORT_FROM)
        return d->stmt->import_from.module != NULL && sym_is(d->stmt->import_from.module,
                                                             "itertools");
    return f->kind == EXPR_ATTRIBUTE && sym_is(d->name, "itertools");
}

static bool is_iterator(Program *p, const Expr *e) {
    static const char *const MAKERS[] = {"enumerate", "filter", "iter", "map", "reversed", "zip",
                                         "open", NULL};
    if (e->kind == EXPR_GENERATOR_EXP) return true;
    if (e->kind != EXPR_CALL) return false;
    const Expr *f = e->call.func, *root = f;
    while (root->kind == EXPR_ATTRIBUTE) root = root->attribute.value;
    const Decl *d = root->kind == EXPR_NAME ? program_find(p, root->name.id) : NULL;
    if (of_itertools(d, f)) return true;
    if (f->kind != EXPR_NAME) return false;
    if (d == NULL) return sym_is_one_of(f->name.id, MAKERS);
    return d->kind == DECL_LOCAL_FUNCTION && d->stmt->kind == STMT_FUNCTION_DEF &&
        stmts_yield(d->stmt->function_def.body);
}

// ---- closures ----

static bool find_change(void *cx, const Expr *e) {
    static const char *const CHANGING[] = {
        "append", "add", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft",
        "appendleft", "remove", "reverse", "setdefault", "sort", "update", NULL};
    bool *found = cx;
    *found |= (e->kind == EXPR_SUBSCRIPT && e->subscript.ctx != EXPR_CONTEXT_LOAD) ||
        (e->kind == EXPR_ATTRIBUTE && (e->attribute.ctx != EXPR_CONTEXT_LOAD ||
                                       sym_is_one_of(e->attribute.attr, CHANGING))) ||
        (e->kind == EXPR_NAME && sym_is(e->name.id, "next"));
    return !*found;
}

static bool find_nested(void *cx, const Stmt *s) {
    Search *all = cx;
    if (s->kind == STMT_NONLOCAL) all->found = true;
    if (all->found || s->kind != STMT_FUNCTION_DEF) return !all->found;
    IrWalker w = {.cx = &all->found, .expr = find_change};
    ir_walk_stmts(&w, s->function_def.body);
    all->found |= shared_mutable_default(all->p, s->function_def.args);
    return !all->found;
}

static bool find_lambda(void *cx, const Expr *e) {
    Search *all = cx;
    if (all->found || e->kind != EXPR_LAMBDA) return !all->found;
    IrWalker w = {.cx = &all->found, .expr = find_change};
    ir_walk_expr(&w, e->lambda.body);
    return !all->found;
}

// A value of which no part is a function.
static bool is_plain(const Ty *t) {
    static const char *const PLAIN[] = {"bool", "int", "float", "complex", "str", "bytes", "list",
                                        "dict", "set", "frozenset", "tuple", NULL};
    if (t == NULL) return false;
    if (t->kind == TY_NONE_TYPE) return true;
    bool named = t->kind == TY_NAMED && sym_is_one_of(t->named.name, PLAIN);
    if (t->kind != TY_TUPLE && !named) return false;
    TyList parts = t->kind == TY_TUPLE ? t->tuple.items : t->named.args;
    for (size_t i = 0; i < parts.len; i++)
        if (!is_plain(parts.at[i])) return false;
    return true;
}

bool shared_makes_closure(Program *p, const Stmt *def) {
    if (def == NULL || def->kind != STMT_FUNCTION_DEF) return false;
    const Expr *returns = def->function_def.returns;
    if (returns != NULL && is_plain(annotation_local(p, returns))) return false;
    Search s = {p, false};
    IrWalker w = {.cx = &s, .stmt = find_nested, .expr = find_lambda};
    ir_walk_stmts(&w, def->function_def.body);
    return s.found;
}

static bool makes_closure(Program *p, const Decl *d) {
    return d != NULL && d->kind == DECL_LOCAL_FUNCTION && shared_makes_closure(p, d->stmt);
}

static const Decl *callee_of(Program *p, const Expr *e) {
    const Expr *f = e->kind == EXPR_CALL ? e->call.func : e;
    return f->kind == EXPR_NAME ? program_find(p, f->name.id) : NULL;
}

// `partial(f, [])`, `[].append`: what is made there has no other name.
static bool keeps_fresh(Program *p, const Expr *e) {
    if (e->kind == EXPR_ATTRIBUTE)
        return shared_makes_mutable(e->attribute.value) && e->attribute.value->kind != EXPR_CALL;
    const Expr *f = e->kind == EXPR_CALL ? e->call.func : NULL;
    Sym name = f == NULL ? NULL : f->kind == EXPR_NAME ? f->name.id
        : f->kind == EXPR_ATTRIBUTE ? f->attribute.attr : NULL;
    if (name == NULL || !sym_is(name, "partial")) return false;
    for (size_t i = 0; i < e->call.keywords.len; i++)
        if (any_mutable(p, (ExprList){&e->call.keywords.at[i]->value, 1})) return true;
    return any_mutable(p, e->call.args);
}

// ---- decorators ----

static bool is_cache(Program *p, const Expr *e) {
    static const char *const CACHES[] = {"cache", "lru_cache", NULL};
    const Expr *f = e->kind == EXPR_CALL ? e->call.func : e;
    Sym name = f->kind == EXPR_NAME ? f->name.id : f->kind == EXPR_ATTRIBUTE ? f->attribute.attr
                                                                            : NULL;
    const Decl *d = f->kind == EXPR_NAME ? program_find(p, name) : NULL;
    return name != NULL && sym_is_one_of(name, CACHES) && (d == NULL || d->kind == DECL_IMPORT);
}

static const char *decorated(Program *p, const Stmt *def) {
    ExprList list = def->function_def.decorator_list;
    const Expr *returns = def->function_def.returns;
    for (size_t i = 0; i < list.len; i++) {
        if (makes_closure(p, callee_of(p, list.at[i]))) return "has state in its decorator";
        if (is_cache(p, list.at[i]) &&
            (returns == NULL || type_mutable(p, annotation_local(p, returns))))
            return "keeps its results, which can be changed";
    }
    return NULL;
}

static const char *decorated_in(Program *p, const Decl *d) {
    const Stmt *s = d->stmt;
    if (d->kind == DECL_LOCAL_FUNCTION)
        return s->kind == STMT_FUNCTION_DEF ? decorated(p, s) : NULL;
    const char *what = NULL;
    for (size_t i = 0; s->kind == STMT_CLASS_DEF && i < s->class_def.body.len; i++)
        if (what == NULL && s->class_def.body.at[i]->kind == STMT_FUNCTION_DEF)
            what = decorated(p, s->class_def.body.at[i]);
    return what;
}

// ---- the whole ----

const char *shared_hidden(Program *p, const Decl *d) {
    const Expr *value = value_of(d);
    if (value != NULL && is_iterator(p, value))
        return "is an iterator, which who reads it moves on";
    if (value != NULL && value->kind == EXPR_CALL && makes_closure(p, callee_of(p, value)))
        return "is made with state of its own";
    if (value != NULL && keeps_fresh(p, value)) return "is made with state of its own";
    if (value != NULL && lambda_default(p, value))
        return "has a default value that its calls share";
    bool code = d->kind == DECL_LOCAL_FUNCTION || d->kind == DECL_LOCAL_CLASS;
    if (!code || d->stmt == NULL) return NULL;
    return has_default(p, d) ? "has a default value that its calls share" : decorated_in(p, d);
}
