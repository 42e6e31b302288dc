// free_names.c - Python's scoping rules (The Python Language Reference, section 4.2), as far as
// they decide whether a name is the module's.
//
// A name bound in a class body is taken for the module's where the class body itself mentions it:
// to keep a definition too many is harmless.

#include "compiler/ir/free_names.h"

#include <ctype.h>
#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/base/table.h"

// ---- sets of names ----

typedef struct NameSet {
    Arena *arena;
    Names *names;
    Table *table;
    Vec(Sym) order;
} NameSet;

static NameSet set_new(Arena *a, Names *names)
{
    return (NameSet){.arena = a, .names = names, .table = table_new(a)};
}

static bool set_has(const NameSet *s, Sym name) { return table_get(s->table, name) != NULL; }

static void set_add(NameSet *s, Sym name)
{
    if (name == NULL || set_has(s, name))
        return;
    table_set(s->table, name, s->table);
    vec_push(s->arena, &s->order, name);
}

static SymList set_list(const NameSet *s) { return (SymList){s->order.at, s->order.len}; }

// The first part of a dotted name.
static Sym head_of(Names *names, const char *dotted)
{
    return names_intern(names, dotted, strcspn(dotted, "."));
}

// ---- what a scope binds ----

// `apart` holds the names that `global` or `nonlocal` give to another scope.
typedef struct Binder { NameSet bound, apart; } Binder;

static void bind_aliases(Binder *b, AliasList list, bool dotted)
{
    for (size_t i = 0; i < list.len; i++) {
        const Alias *alias = list.at[i];
        Sym name = dotted ? head_of(b->bound.names, alias->name) : alias->name;
        set_add(&b->bound, alias->asname ? alias->asname : name);
    }
}

static void bind_apart(Binder *b, SymList names)
{
    for (size_t i = 0; i < names.len; i++)
        set_add(&b->apart, names.at[i]);
}

static void bind_exprs(Binder *b, ExprList list);

// What `:=` binds in decorators, defaults and base classes.
static void bind_header(Binder *b, const Stmt *s)
{
    if (s->kind == STMT_CLASS_DEF) {
        bind_exprs(b, s->class_def.decorator_list);
        bind_exprs(b, s->class_def.bases);
        for (size_t i = 0; i < s->class_def.keywords.len; i++)
            bind_exprs(b, (ExprList){&s->class_def.keywords.at[i]->value, 1});
    } else {
        bind_exprs(b, s->function_def.decorator_list);
        bind_exprs(b, s->function_def.args->defaults);
        bind_exprs(b, s->function_def.args->kw_defaults);
    }
}

// Of a definition, its name and its header are of the scope outside.
static bool bind_stmt(void *cx, const Stmt *s)
{
    Binder *b = cx;
    if (s->kind == STMT_FUNCTION_DEF)
        set_add(&b->bound, s->function_def.name);
    else if (s->kind == STMT_ASYNC_FUNCTION_DEF)
        set_add(&b->bound, s->async_function_def.name);
    else if (s->kind == STMT_CLASS_DEF)
        set_add(&b->bound, s->class_def.name);
    else if (s->kind == STMT_IMPORT)
        bind_aliases(b, s->import.names, true);
    else if (s->kind == STMT_IMPORT_FROM)
        bind_aliases(b, s->import_from.names, false);
    else if (s->kind == STMT_GLOBAL)
        bind_apart(b, s->global.names);
    else if (s->kind == STMT_NONLOCAL)
        bind_apart(b, s->nonlocal.names);
    bool definition = s->kind == STMT_FUNCTION_DEF || s->kind == STMT_ASYNC_FUNCTION_DEF
                      || s->kind == STMT_CLASS_DEF;
    if (definition)
        bind_header(b, s);
    return !definition;
}

static bool bind_expr(void *cx, const Expr *e)
{
    Binder *b = cx;
    if (e->kind == EXPR_NAME && e->name.ctx != EXPR_CONTEXT_LOAD)
        set_add(&b->bound, e->name.id);
    if (e->kind == EXPR_LAMBDA) {
        bind_exprs(b, e->lambda.args->defaults);
        bind_exprs(b, e->lambda.args->kw_defaults);
    }
    return e->kind != EXPR_LAMBDA;
}

// The targets of a comprehension are its own; a walrus inside it is not.
static bool bind_comprehension(void *cx, const Comprehension *c)
{
    bind_exprs(cx, (ExprList){&c->iter, 1});
    bind_exprs(cx, c->ifs);
    return false;
}

static bool bind_handler(void *cx, const Excepthandler *h)
{
    set_add(&((Binder *)cx)->bound, h->except_handler.name);
    return true;
}

Sym pattern_name(const Pattern *p)
{
    return p->kind == PATTERN_MATCH_AS        ? p->match_as.name
           : p->kind == PATTERN_MATCH_STAR    ? p->match_star.name
           : p->kind == PATTERN_MATCH_MAPPING ? p->match_mapping.rest
                                              : NULL;
}

static bool bind_pattern(void *cx, const Pattern *p)
{
    Binder *b = cx;
    set_add(&b->bound, pattern_name(p));
    return true;
}

static IrWalker binding_walker(Binder *b)
{
    return (IrWalker){.cx = b, .stmt = bind_stmt, .expr = bind_expr,
                      .comprehension = bind_comprehension, .excepthandler = bind_handler,
                      .pattern = bind_pattern};
}

static void bind_exprs(Binder *b, ExprList list)
{
    IrWalker w = binding_walker(b);
    ir_walk_exprs(&w, list);
}

static Binder binder_new(Arena *a, Names *names)
{
    return (Binder){set_new(a, names), set_new(a, names)};
}

static void bind_body(Binder *b, StmtList body)
{
    IrWalker w = binding_walker(b);
    ir_walk_stmts(&w, body);
}

SymList names_bound_in(Arena *a, Names *names, ExprList first, StmtList body)
{
    Binder b = binder_new(a, names);
    bind_exprs(&b, first);
    bind_body(&b, body);
    return set_list(&b.bound);
}

SymList names_bound(Arena *a, Names *names, StmtList body)
{
    return names_bound_in(a, names, (ExprList){0}, body);
}

// ---- what a statement mentions ----

typedef struct Scope {
    const struct Scope *outer;  // NULL: the module
    const Binder       *binder;
    bool                of_class;       // not seen by the functions in it
} Scope;

typedef struct Finder {
    const Scope *scope;
    NameSet     *free;
    bool         in_annotation;
    void        *cx;
    NameSeen    *seen;          // NULL: only a list is wanted
} Finder;

static bool find_stmt(void *cx, const Stmt *s);
static bool find_expr(void *cx, const Expr *e);
static bool find_arg(void *cx, const Arg *arg);

static IrWalker finding_walker(Finder *f)
{
    return (IrWalker){.cx = f, .stmt = find_stmt, .expr = find_expr, .arg = find_arg};
}

static bool mention(Finder *f, Sym name)
{
    for (const Scope *s = f->scope; s; s = s->outer)
        if ((!s->of_class || s == f->scope) && set_has(&s->binder->bound, name)
            && !set_has(&s->binder->apart, name))
            return false;
    set_add(f->free, name);
    return true;
}

// Every word of a quoted annotation.
static void mention_words(Finder *f, Text text)
{
    for (size_t i = 0; i < text.len;) {
        size_t start = i;
        while (i < text.len && (isalnum((unsigned char)text.at[i]) || text.at[i] == '_'
                                || (unsigned char)text.at[i] >= 0x80))
            i++;
        if (i > start)
            mention(f, names_intern(f->free->names, text.at + start, i - start));
        else
            i++;
    }
}

static bool find_ty(void *cx, const Ty *t)
{
    Finder *f = cx;
    if (t->kind == TY_NAMED)
        mention(f, head_of(f->free->names, t->named.name));
    else if (t->kind == TY_TYPE_VAR)
        mention(f, t->type_var.name);
    else if (t->kind == TY_LITERAL)
        mention(f, names_get(f->free->names, "Literal"));
    return true;
}

static void find_annotation(Finder *f, const Expr *annotation)
{
    IrWalker w = finding_walker(f);
    bool before = f->in_annotation;
    f->in_annotation = true;
    if (annotation)
        ir_walk_expr(&w, annotation);
    f->in_annotation = before;
}

static bool find_arg(void *cx, const Arg *arg)
{
    find_annotation(cx, arg->annotation);
    return false;
}

static void bind_arguments(Binder *b, const Arguments *args)
{
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t j = 0; j < lists[i].len; j++)
            set_add(&b->bound, lists[i].at[j]->arg);
    if (args->vararg)
        set_add(&b->bound, args->vararg->arg);
    if (args->kwarg)
        set_add(&b->bound, args->kwarg->arg);
}

// Annotations and defaults belong to the scope outside, the body to the new one.
static void find_function(Finder *f, const Arguments *args, const Expr *returns,
                          ExprList decorators, StmtList body)
{
    IrWalker w = finding_walker(f);
    Binder b = binder_new(f->free->arena, f->free->names);
    Scope scope = {f->scope, &b, false};
    ir_walk_arguments(&w, args);
    ir_walk_exprs(&w, decorators);
    find_annotation(f, returns);
    bind_arguments(&b, args);
    bind_body(&b, body);
    f->scope = &scope;
    ir_walk_stmts(&w, body);
    f->scope = scope.outer;
}

// What a class body binds is its own; only looked at closely for those who rename.
static void find_class(Finder *f, const Stmt *s)
{
    IrWalker w = finding_walker(f);
    Binder b = binder_new(f->free->arena, f->free->names);
    Scope scope = {f->scope, &b, true};
    ir_walk_exprs(&w, s->class_def.bases);
    ir_walk_keywords(&w, s->class_def.keywords);
    ir_walk_exprs(&w, s->class_def.decorator_list);
    ir_walk_type_params(&w, s->class_def.type_params);
    bind_body(&b, s->class_def.body);
    f->scope = &scope;
    ir_walk_stmts(&w, s->class_def.body);
    f->scope = scope.outer;
}

static bool find_stmt(void *cx, const Stmt *s)
{
    Finder *f = cx;
    IrWalker w = finding_walker(f);
    if (s->kind == STMT_CLASS_DEF && f->seen) {
        find_class(f, s);
        return false;
    }
    if (s->kind == STMT_FUNCTION_DEF) {
        find_function(f, s->function_def.args, s->function_def.returns,
                      s->function_def.decorator_list, s->function_def.body);
        return false;
    }
    if (s->kind == STMT_ASYNC_FUNCTION_DEF) {
        find_function(f, s->async_function_def.args, s->async_function_def.returns,
                      s->async_function_def.decorator_list, s->async_function_def.body);
        return false;
    }
    if (s->kind != STMT_ANN_ASSIGN)
        return true;
    find_annotation(f, s->ann_assign.annotation);
    ir_walk_expr(&w, s->ann_assign.target);
    if (s->ann_assign.value)
        ir_walk_expr(&w, s->ann_assign.value);
    return false;
}

static void find_lambda(Finder *f, const Expr *e)
{
    IrWalker w = finding_walker(f);
    Binder b = binder_new(f->free->arena, f->free->names);
    Scope scope = {f->scope, &b, false};
    ir_walk_arguments(&w, e->lambda.args);
    bind_arguments(&b, e->lambda.args);
    f->scope = &scope;
    ir_walk_expr(&w, e->lambda.body);
    f->scope = scope.outer;
}

static void find_generators(Finder *f, ComprehensionList generators, const Expr *first,
                            const Expr *second)
{
    IrWalker w = finding_walker(f);
    Binder b = binder_new(f->free->arena, f->free->names);
    Scope scope = {f->scope, &b, false};
    for (size_t i = 0; i < generators.len; i++)
        bind_exprs(&b, (ExprList){&generators.at[i]->target, 1});
    f->scope = &scope;
    ir_walk_comprehensions(&w, generators);
    ir_walk_expr(&w, first);
    if (second)
        ir_walk_expr(&w, second);
    f->scope = scope.outer;
}

static bool has_name(const Expr *e, const char *name)
{
    return e->kind == EXPR_NAME ? sym_is(e->name.id, name)
           : e->kind == EXPR_ATTRIBUTE && sym_is(e->attribute.attr, name);
}

// Whether the texts in its brackets are no types: `Literal["x"]`, `Float[Array, "n k"]`.
static bool holds_texts(const Expr *e)
{
    const Expr *slice = e->subscript.slice;
    return has_name(e->subscript.value, "Literal")
           || (slice->kind == EXPR_TUPLE && slice->tuple.elts.len == 2
               && has_name(slice->tuple.elts.at[0], "Array"));
}

// The names in the brackets, without those in texts.
static void find_beside_texts(Finder *f, const Expr *e)
{
    IrWalker w = finding_walker(f);
    bool before = f->in_annotation;
    ir_walk_expr(&w, e->subscript.value);
    f->in_annotation = false;
    ir_walk_expr(&w, e->subscript.slice);
    f->in_annotation = before;
}

// Answers whether the children are still to be visited.
static bool find_expr(void *cx, const Expr *e)
{
    Finder *f = cx;
    IrWalker types = {.cx = f, .ty = find_ty};
    if (e->kind == EXPR_NAME) {
        if (mention(f, e->name.id) && f->seen)
            f->seen(f->cx, e);
    } else if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_STR) {
        if (f->in_annotation)
            mention_words(f, e->constant.value->text);
        if (f->in_annotation && f->seen)
            f->seen(f->cx, e);
    } else if (e->kind == EXPR_SUBSCRIPT && f->in_annotation && holds_texts(e)) {
        find_beside_texts(f, e);
        return false;
    } else if (e->kind == EXPR_COM) {
        ir_walk_ty(&types, e->com.payload);
    } else if (e->kind == EXPR_RECV) {
        ir_walk_ty(&types, e->recv.payload);
    } else if (e->kind == EXPR_SEND) {
        ir_walk_ty(&types, e->send.payload);
    } else if (e->kind == EXPR_LAMBDA) {
        find_lambda(f, e);
        return false;
    } else if (e->kind == EXPR_LIST_COMP) {
        find_generators(f, e->list_comp.generators, e->list_comp.elt, NULL);
        return false;
    } else if (e->kind == EXPR_SET_COMP) {
        find_generators(f, e->set_comp.generators, e->set_comp.elt, NULL);
        return false;
    } else if (e->kind == EXPR_GENERATOR_EXP) {
        find_generators(f, e->generator_exp.generators, e->generator_exp.elt, NULL);
        return false;
    } else if (e->kind == EXPR_DICT_COMP) {
        find_generators(f, e->dict_comp.generators, e->dict_comp.key, e->dict_comp.value);
        return false;
    }
    return true;
}

SymList names_free(Arena *a, Names *names, StmtList body)
{
    NameSet free = set_new(a, names);
    Finder f = {.free = &free};
    IrWalker w = finding_walker(&f);
    ir_walk_stmts(&w, body);
    return set_list(&free);
}

SymList names_visit(Arena *a, Names *names, StmtList body, NameSeen *seen, void *cx)
{
    NameSet free = set_new(a, names);
    Finder f = {.free = &free, .seen = seen, .cx = cx};
    IrWalker w = finding_walker(&f);
    ir_walk_stmts(&w, body);
    return set_list(&free);
}
