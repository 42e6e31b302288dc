// desugar_names.c - names that are free, and values that nothing changes.

#include "compiler/pass/desugar_internal.h"

#include "compiler/ir/free_names.h"

// ---- facts of the whole unit ----

typedef struct Finder {
    Facts *facts;
    Names *names;
    bool   in_init;             // in a method that constructs
} Finder;

static bool is_constructing(const Stmt *s)
{
    return sym_is(s->function_def.name, "__init__")
           || sym_is(s->function_def.name, "__post_init__");
}

static bool find_expr(void *cx, const Expr *e)
{
    Finder *f = cx;
    if (e->kind != EXPR_ATTRIBUTE || e->attribute.ctx == EXPR_CONTEXT_LOAD)
        return true;
    const Expr *base = e->attribute.value;
    bool own = base->kind == EXPR_NAME && sym_is(base->name.id, "self");
    if (!(f->in_init && own))
        table_set(f->facts->changing, e->attribute.attr, f->facts);
    return true;
}

static void find_rebound(Finder *f, SymList names)
{
    for (size_t i = 0; i < names.len; i++)
        table_set(f->facts->rebound, names.at[i], f->facts);
}

static void find_imports(Finder *f, const Stmt *s)
{
    AliasList list = s->kind == STMT_IMPORT ? s->import.names : s->import_from.names;
    Sym module = s->kind == STMT_IMPORT ? NULL : s->import_from.module;
    for (size_t i = 0; i < list.len; i++) {
        Sym name = list.at[i]->asname ? list.at[i]->asname : list.at[i]->name;
        Sym whole = module ? names_format(f->names, "%s.%s", module, list.at[i]->name)
                           : list.at[i]->name;
        table_set(f->facts->imports, name, (void *)whole);
    }
}

static bool find_stmt(void *cx, const Stmt *s);

static bool is_plain_decorator(const Expr *e)
{
    return e->kind == EXPR_NAME
           && (sym_is(e->name.id, "staticmethod") || sym_is(e->name.id, "classmethod"));
}

// What a decorator makes of a function may be computed at each access.
static void find_function(Finder *f, const Stmt *s)
{
    Finder inner = {f->facts, f->names, is_constructing(s)};
    IrWalker w = {.cx = &inner, .stmt = find_stmt, .expr = find_expr};
    for (size_t i = 0; i < s->function_def.decorator_list.len; i++)
        if (!is_plain_decorator(s->function_def.decorator_list.at[i])) {
            table_set(f->facts->changing, s->function_def.name, f->facts);
            table_set(f->facts->computed, s->function_def.name, f->facts);
        }
    if (sym_is(s->function_def.name, "__format__"))
        f->facts->has_format = true;
    ir_walk_stmts(&w, s->function_def.body);
}

static void find_class(Finder *f, const Stmt *s)
{
    StmtList body = s->class_def.body;
    table_set(f->facts->classes, s->class_def.name, (void *)s);
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_FUNCTION_DEF)
            table_set(f->facts->methods, body.at[i]->function_def.name, f->facts);
}

static bool find_stmt(void *cx, const Stmt *s)
{
    Finder *f = cx;
    if (s->kind == STMT_GLOBAL)
        find_rebound(f, s->global.names);
    else if (s->kind == STMT_NONLOCAL)
        find_rebound(f, s->nonlocal.names);
    else if (s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM)
        find_imports(f, s);
    else if (s->kind == STMT_CLASS_DEF)
        find_class(f, s);
    else if (s->kind == STMT_FUNCTION_DEF)
        find_function(f, s);
    return s->kind != STMT_FUNCTION_DEF;
}

const Facts *desugar_facts(Arena *a, Names *names, const Unit *unit)
{
    Facts *facts = ARENA_NEW(a, Facts);
    *facts = (Facts){.rebound = table_new(a), .changing = table_new(a), .classes = table_new(a),
                     .imports = table_new(a), .computed = table_new(a), .methods = table_new(a)};
    Finder f = {facts, names, false};
    IrWalker w = {.cx = &f, .stmt = find_stmt, .expr = find_expr};
    ir_walk_unit(&w, unit);
    return facts;
}

// ---- scopes ----

static void note(Table *table, SymList names)
{
    for (size_t i = 0; i < names.len; i++)
        table_set(table, names.at[i], table);
}

static bool note_arg(void *cx, const Arg *arg)
{
    DesugarScope *scope = cx;
    table_set(scope->used, arg->arg, scope);
    table_set(scope->bound, arg->arg, scope);
    return false;
}

static bool leave_out(void *cx, const Expr *e)
{
    (void)cx, (void)e;
    return false;
}

// What is done with `_`: nobody needs what is assigned only, and it may be of any type.
typedef struct Underscore { const Ty *ty; bool several, needed; } Underscore;

static bool see_underscore(void *cx, const Expr *e)
{
    Underscore *u = cx;
    if (e->kind != EXPR_NAME || !sym_is(e->name.id, "_"))
        return true;
    u->needed |= e->name.ctx != EXPR_CONTEXT_STORE;
    u->several |= u->ty != NULL && e->ty != NULL && !ir_equal_ty(u->ty, e->ty);
    u->ty = u->ty != NULL ? u->ty : e->ty;
    return true;
}

static bool see_declared(void *cx, const Stmt *s)
{
    Underscore *u = cx;
    SymList names = s->kind == STMT_GLOBAL     ? s->global.names
                    : s->kind == STMT_NONLOCAL ? s->nonlocal.names
                                               : (SymList){0};
    for (size_t i = 0; i < names.len; i++)
        u->needed |= sym_is(names.at[i], "_");
    return true;
}

static bool is_unread(StmtList body)
{
    Underscore u = {0};
    IrWalker w = {.cx = &u, .expr = see_underscore, .stmt = see_declared};
    ir_walk_stmts(&w, body);
    return u.several && !u.needed;
}

DesugarScope desugar_scope(Desugar *d, StmtList body, const Arguments *args)
{
    DesugarScope scope = {.outer = d->scope, .used = table_new(d->arena),
                          .bound = table_new(d->arena), .splits_underscore = is_unread(body)};
    IrWalker w = {.cx = &scope, .arg = note_arg, .expr = leave_out};
    SymList bound = names_bound(d->arena, d->names, body);
    note(scope.used, names_free(d->arena, d->names, body));
    note(scope.used, bound);
    note(scope.bound, bound);
    if (args)
        ir_walk_arguments(&w, args);
    return scope;
}

static bool note_declared(void *cx, const Stmt *s)
{
    if (s->kind == STMT_GLOBAL)
        note(cx, s->global.names);
    else if (s->kind == STMT_NONLOCAL)
        note(cx, s->nonlocal.names);
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF;
}

// `nonlocal x` wants an `x` around it: where no other statement of the function makes one, `x: T`
// does.
StmtList desugar_declare_lent(Desugar *d, const DesugarScope *scope, const Arguments *args,
                              StmtList body)
{
    Table *known = table_new(d->arena);
    DesugarScope parameters = {.used = table_new(d->arena), .bound = known};
    IrWalker in_args = {.cx = &parameters, .arg = note_arg, .expr = leave_out};
    IrWalker in_body = {.cx = known, .stmt = note_declared};
    if (scope->lent.len == 0)
        return body;
    ir_walk_arguments(&in_args, args);
    ir_walk_stmts(&in_body, body);
    note(known, names_bound(d->arena, d->names, body));
    Block all = {0};
    for (size_t i = 0; i < scope->lent.len; i++) {
        const Expr *name = scope->lent.at[i];
        const Expr *type = desugar_annotation(d, name->at, name->ty);
        if (table_get(known, name->name.id) != NULL)
            continue;
        table_set(known, name->name.id, known);
        vec_push(d->arena, &all, stmt_ann_assign(d->arena, name->at, name,
                                                 type ? type : desugar_builtin(d, name->at,
                                                                               "object"),
                                                 NULL, 1));
    }
    for (size_t i = 0; i < body.len; i++)
        vec_push(d->arena, &all, body.at[i]);
    return (StmtList){all.at, all.len};
}

static Sym take(Desugar *d, Sym name)
{
    table_set(d->scope->used, name, d->scope);
    table_set(d->scope->bound, name, d->scope);
    return name;
}

Sym desugar_fresh(Desugar *d, const char *base)
{
    Sym name = names_get(d->names, base);
    for (int i = 2; table_get(d->scope->used, name); i++)
        name = names_format(d->names, "%s_%d", base, i);
    return take(d, name);
}

static bool note_name(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        table_set(cx, e->name.id, cx);
    return true;
}

static bool note_param(void *cx, const Arg *arg)
{
    table_set(cx, arg->arg, cx);
    return true;
}

static bool note_handler(void *cx, const Excepthandler *h)
{
    if (h->except_handler.name != NULL)
        table_set(cx, h->except_handler.name, cx);
    return true;
}

Sym desugar_unused(Desugar *d, StmtList body, const char *base)
{
    Table *used = table_new(d->arena);
    IrWalker w = {.cx = used, .expr = note_name, .arg = note_param, .excepthandler = note_handler};
    ir_walk_stmts(&w, body);
    note(used, names_bound(d->arena, d->names, body));
    Sym name = names_get(d->names, base);
    for (int i = 2; table_get(used, name); i++)
        name = names_format(d->names, "%s_%d", base, i);
    return name;
}

static bool is_own_builtin(Sym name)
{
    static const char *const own[] = {
        "AssertionError", "BaseException", "NameError", "ValueError", "ascii", "builtins", "dict",
        "format", "frozenset", "isinstance", "iter", "len", "list", "repr", "set", "str", "sum",
        "tuple", "type", NULL,
    };
    return sym_is_one_of(name, own);
}

Sym desugar_own(Desugar *d, Sym name)
{
    return is_own_builtin(name) ? desugar_fresh(d, names_format(d->names, "%s_", name))
                                : desugar_fresh(d, name);
}

static bool is_bound(const Desugar *d, Sym name)
{
    for (const DesugarScope *s = d->scope; s; s = s->outer)
        if ((!s->of_class || s == d->scope) && table_get(s->bound, name))
            return true;
    return false;
}

bool desugar_is_builtin(Desugar *d, const Expr *e, const char *name)
{
    return e->kind == EXPR_NAME && sym_is(e->name.id, name) && !is_bound(d, e->name.id);
}

// Python's own, also where the program has something of this name.
const Expr *desugar_builtin(Desugar *d, Span at, const char *name)
{
    Sym id = names_get(d->names, name);
    if (!is_bound(d, id))
        return desugar_name(d, at, id, NULL);
    d->uses_builtins = true;
    Sym builtins = names_get(d->names, "builtins");
    const Expr *module = desugar_name(d, at, builtins,
                                      desugar_ty1(d, "module", desugar_ty(d, "builtins")));
    return desugar_attribute(d, module, id, NULL);
}

Sym desugar_renamed(const Desugar *d, Sym name)
{
    for (const Rename *r = d->renames; r; r = r->outer)
        if (r->from == name)
            return r->to;
    return name;
}

// ---- values that nothing changes ----

typedef struct Seeker { Sym name; bool found; } Seeker;

static bool seek_walrus(void *cx, const Expr *e)
{
    Seeker *s = cx;
    if (e->kind == EXPR_NAMED_EXPR && e->named_expr.target->name.id == s->name)
        s->found = true;
    return !s->found;
}

static bool is_assigned_in(Sym name, size_t n, const Expr *const *later)
{
    Seeker s = {name, false};
    IrWalker w = {.cx = &s, .expr = seek_walrus};
    for (size_t i = 0; i < n && !s.found; i++)
        if (later[i])
            ir_walk_expr(&w, later[i]);
    return s.found;
}

static bool all_settled(Desugar *d, ExprList list, size_t n, const Expr *const *later)
{
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i] && !desugar_settled(d, list.at[i], n, later))
            return false;
    return true;
}

bool desugar_settled(Desugar *d, const Expr *e, size_t n, const Expr *const *later)
{
    switch (e->kind) {
    case EXPR_CONSTANT: case EXPR_LAMBDA:
        return true;
    case EXPR_NAME:
        return !table_get(d->facts->rebound, e->name.id) && !is_assigned_in(e->name.id, n, later);
    case EXPR_ATTRIBUTE:
        return !table_get(d->facts->changing, e->attribute.attr)
               && desugar_settled(d, e->attribute.value, n, later);
    case EXPR_UNARY_OP:
        return e->unary_op.operand->kind == EXPR_CONSTANT;
    case EXPR_STARRED:
        return false;
    case EXPR_SLICE: {
        const Expr *parts[] = {e->slice.lower, e->slice.upper, e->slice.step};
        return all_settled(d, (ExprList){parts, 3}, n, later);
    }
    case EXPR_TUPLE:
        return all_settled(d, e->tuple.elts, n, later);
    case EXPR_UNIT:
        return e->unit.effects.len == 0;
    case EXPR_BOOL_OP: case EXPR_NAMED_EXPR: case EXPR_BIN_OP: case EXPR_IF_EXP: case EXPR_DICT:
    case EXPR_SET: case EXPR_LIST_COMP: case EXPR_SET_COMP: case EXPR_DICT_COMP:
    case EXPR_GENERATOR_EXP: case EXPR_AWAIT: case EXPR_YIELD: case EXPR_YIELD_FROM:
    case EXPR_COMPARE: case EXPR_CALL: case EXPR_FORMATTED_VALUE: case EXPR_JOINED_STR:
    case EXPR_SUBSCRIPT: case EXPR_LIST: case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN:
    case EXPR_COM: case EXPR_SELECT: case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_COUNT:
        break;
    }
    return false;
}

const Expr *desugar_temp(Desugar *d, const Expr *e, const char *base)
{
    Sym name = desugar_fresh(d, base);
    desugar_set(d, e->at, name, e);
    return desugar_name(d, e->at, name, e->ty);
}

static const Expr *settle_part(Desugar *d, const Expr *e, size_t n, const Expr *const *later)
{
    return e ? desugar_settle(d, e, n, later, "value") : NULL;
}

const Expr *desugar_settle(Desugar *d, const Expr *e, size_t n, const Expr *const *later,
                           const char *base)
{
    if (desugar_settled(d, e, n, later))
        return e;
    if (e->kind == EXPR_SLICE) {
        const Expr *lower = settle_part(d, e->slice.lower, n, later);
        const Expr *upper = settle_part(d, e->slice.upper, n, later);
        const Expr *step = settle_part(d, e->slice.step, n, later);
        return desugar_typed(d, expr_slice(d->arena, e->at, lower, upper, step), e->ty);
    }
    if (e->kind == EXPR_STARRED) {
        const Expr *value = settle_part(d, e->starred.value, n, later);
        return desugar_typed(d, expr_starred(d->arena, e->at, value, e->starred.ctx), e->ty);
    }
    return desugar_temp(d, e, base);
}
