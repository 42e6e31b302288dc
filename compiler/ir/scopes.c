// scopes.c - two passes, as CPython's: what each block does with each name; then, from the outside
// in, which block a name belongs to.

#include "compiler/ir/scopes.h"

#include <string.h>

typedef struct Builder {
    Arena *arena;
    Names *names;
    Diags *diags;               // NULL: nobody asks what is wrong
    Scopes scopes;
    Block *block;
    bool   in_iterable;         // of a comprehension
    bool   in_targets;          // of a comprehension
    bool   no_annotations;      // they are texts
    bool   fixed;               // names are mentioned by an annotation
} Builder;

static bool build_stmt(void *cx, const Stmt *s);
static bool build_expr(void *cx, const Expr *e);
static bool build_handler(void *cx, const Excepthandler *h);
static bool build_pattern(void *cx, const Pattern *p);

static IrWalker walker(Builder *b)
{
    return (IrWalker){.cx = b, .stmt = build_stmt, .expr = build_expr,
                      .excepthandler = build_handler, .pattern = build_pattern};
}

static void walk_expr(Builder *b, const Expr *e)
{
    IrWalker w = walker(b);
    if (e != NULL)
        ir_walk_expr(&w, e);
}

static void walk_exprs(Builder *b, ExprList list)
{
    for (size_t i = 0; i < list.len; i++)
        walk_expr(b, list.at[i]);
}

static void walk_stmts(Builder *b, StmtList list)
{
    IrWalker w = walker(b);
    ir_walk_stmts(&w, list);
}

// ---- names ----

Sym scopes_mangle(Names *names, Sym class_, Sym name)
{
    if (class_ == NULL || name[0] != '_' || name[1] != '_' || strchr(name, '.') != NULL)
        return name;
    size_t len = strlen(name);
    while (*class_ == '_')
        class_++;
    if (*class_ == '\0' || strcmp(name + len - 2, "__") == 0)
        return name;
    return names_format(names, "_%s%s", class_, name);
}

static Symbol *symbol_in(Builder *b, Block *block, Sym mangled)
{
    Symbol *s = table_get(block->by_name, mangled);
    if (s == NULL) {
        s = ARENA_NEW(b->arena, Symbol);
        s->name = mangled;
        table_set(block->by_name, mangled, s);
        vec_push(b->arena, &block->symbols, s);
    }
    return s;
}

static Symbol *add(Builder *b, Sym name, unsigned flags)
{
    Symbol *s = symbol_in(b, b->block, scopes_mangle(b->names, b->block->class_, name));
    s->flags |= flags | (b->in_targets && (flags & SYMBOL_ASSIGNED) ? SYMBOL_TARGET : 0);
    return s;
}

const Symbol *block_symbol(const Block *b, Sym mangled) { return table_get(b->by_name, mangled); }

const Block *scopes_block(const Scopes *s, const void *node)
{
    return table_get(s->of_node, node);
}

// ---- blocks ----

static Block *open_block(Builder *b, BlockKind kind, Sym name, Span at, const void *node)
{
    Block *block = ARENA_NEW(b->arena, Block);
    block->kind = kind;
    block->name = name;
    block->at = at;
    block->outer = b->block;
    block->by_name = table_new(b->arena);
    block->class_ = kind == BLOCK_CLASS ? name : b->block != NULL ? b->block->class_ : NULL;
    if (b->block != NULL)
        vec_push(b->arena, &b->block->inner, block);
    if (node != NULL)
        table_set(b->scopes.of_node, node, block);
    b->block = block;
    return block;
}

// What is inside a block of a definition is in no comprehension.
typedef struct Outside { Block *block; bool in_iterable, in_targets; } Outside;

static Outside enter(Builder *b, BlockKind kind, Sym name, Span at, const void *node)
{
    Outside outside = {b->block, b->in_iterable, b->in_targets};
    b->in_iterable = b->in_iterable && kind == BLOCK_COMPREHENSION;
    b->in_targets = false;
    open_block(b, kind, name, at, node);
    return outside;
}

static void leave(Builder *b, Outside outside)
{
    b->block = outside.block;
    b->in_iterable = outside.in_iterable;
    b->in_targets = outside.in_targets;
}

// ---- what is refused ----

__attribute__((format(printf, 3, 4)))
static void refuse(Builder *b, Span at, const char *format, ...)
{
    va_list args;
    if (b->diags == NULL)
        return;
    va_start(args, format);
    diag_report(b->diags, at, DIAG_MISPLACED, "%s", arena_vformat(b->arena, format, args));
    va_end(args);
}

// Says what is wrong with a declaration; NULL: nothing.
static const char *why_not_declared(Builder *b, Sym name, unsigned as)
{
    const Symbol *known = block_symbol(b->block, scopes_mangle(b->names, b->block->class_, name));
    unsigned flags = known != NULL ? known->flags : 0;
    const unsigned both = SYMBOL_DECLARED_GLOBAL | SYMBOL_DECLARED_NONLOCAL;
    const char *word = as == SYMBOL_DECLARED_GLOBAL ? "global" : "nonlocal";
    bool in_module = b->block->kind == BLOCK_MODULE;
    if (flags & SYMBOL_PARAMETER)
        return names_format(b->names, "name `%s` is parameter and %s", name, word);
    if ((flags & SYMBOL_USED) != 0)
        return names_format(b->names, "name `%s` is used prior to %s declaration", name, word);
    if ((flags & SYMBOL_ANNOTATED) != 0)
        return names_format(b->names, "annotated name `%s` can't be %s", name, word);
    if ((flags & SYMBOL_BOUND) != 0)
        return names_format(b->names, "name `%s` is assigned to before %s declaration", name, word);
    if ((flags & both & ~as) != 0 && !in_module)
        return names_format(b->names, "name `%s` is nonlocal and global", name);
    return as == SYMBOL_DECLARED_NONLOCAL && in_module ? "nonlocal declaration not allowed at "
                                                         "module level" : NULL;
}

static void declare(Builder *b, const Stmt *s, SymList list, unsigned as)
{
    for (size_t i = 0; i < list.len; i++) {
        const char *why = why_not_declared(b, list.at[i], as);
        if (why != NULL) {
            refuse(b, s->at, "%s", why);
            continue;
        }
        Symbol *symbol = add(b, list.at[i], as);
        if (symbol->declared.end == 0)
            symbol->declared = s->at;
        if (as == SYMBOL_DECLARED_GLOBAL)
            symbol_in(b, b->scopes.module, symbol->name)->flags |= as;
    }
}

static void check_annotated(Builder *b, const Expr *target)
{
    const Symbol *s = block_symbol(b->block, scopes_mangle(b->names, b->block->class_,
                                                           target->name.id));
    unsigned flags = s != NULL ? s->flags : 0;
    bool global = flags & SYMBOL_DECLARED_GLOBAL && s->declared.end != 0;
    if (global || flags & SYMBOL_DECLARED_NONLOCAL)
        refuse(b, target->at, "annotated name `%s` can't be %s",
               target->name.id, global ? "global" : "nonlocal");
}

// ---- definitions ----

static void add_parameter(Builder *b, const Arg *arg)
{
    if (arg == NULL)
        return;
    if (add(b, arg->arg, 0)->flags & SYMBOL_PARAMETER)
        refuse(b, arg->at, "duplicate argument `%s` in function definition", arg->arg);
    add(b, arg->arg, SYMBOL_PARAMETER);
}

static void add_parameters(Builder *b, const Arguments *args)
{
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t j = 0; j < lists[i].len; j++)
            add_parameter(b, lists[i].at[j]);
    add_parameter(b, args->vararg);
    add_parameter(b, args->kwarg);
}

static void walk_annotation(Builder *b, const Expr *annotation)
{
    bool before = b->fixed;
    b->fixed = true;
    if (!b->no_annotations)
        walk_expr(b, annotation);
    b->fixed = before;
}

static void walk_annotations(Builder *b, const Arguments *args)
{
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs,
                             {&args->vararg, args->vararg != NULL},
                             {&args->kwarg, args->kwarg != NULL}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t j = 0; j < lists[i].len; j++)
            walk_annotation(b, lists[i].at[j]->annotation);
}

static void walk_defaults(Builder *b, const Arguments *args)
{
    walk_exprs(b, args->defaults);
    walk_exprs(b, args->kw_defaults);
}

static Sym type_param_name(const TypeParam *p)
{
    switch (p->kind) {
    case TYPE_PARAM_TYPE_VAR:       return p->type_var.name;
    case TYPE_PARAM_PARAM_SPEC:     return p->param_spec.name;
    case TYPE_PARAM_TYPE_VAR_TUPLE: return p->type_var_tuple.name;
    case TYPE_PARAM_COUNT:          break;
    }
    return NULL;
}

static Outside enter_type_params(Builder *b, Sym name, Span at, TypeParamList list)
{
    Outside outside = {b->block, b->in_iterable, b->in_targets};
    if (list.len == 0)
        return outside;
    IrWalker w = walker(b);
    open_block(b, BLOCK_TYPE_PARAMS, name, at, NULL);
    for (size_t i = 0; i < list.len; i++)
        add(b, type_param_name(list.at[i]), SYMBOL_ASSIGNED);
    bool before = b->fixed;
    b->fixed = true;
    ir_walk_type_params(&w, list);
    b->fixed = before;
    return outside;
}

static void build_function(Builder *b, const Stmt *s)
{
    add(b, s->function_def.name, SYMBOL_ASSIGNED | SYMBOL_DEFINED);
    walk_exprs(b, s->function_def.decorator_list);
    walk_defaults(b, s->function_def.args);
    Outside outer = enter_type_params(b, s->function_def.name, s->at, s->function_def.type_params);
    walk_annotations(b, s->function_def.args);
    walk_annotation(b, s->function_def.returns);
    Outside outside = enter(b, BLOCK_FUNCTION, s->function_def.name, s->at, s);
    add_parameters(b, s->function_def.args);
    walk_stmts(b, s->function_def.body);
    leave(b, outside);
    leave(b, outer);
}

static void build_class(Builder *b, const Stmt *s)
{
    add(b, s->class_def.name, SYMBOL_ASSIGNED | SYMBOL_DEFINED);
    walk_exprs(b, s->class_def.decorator_list);
    Outside outer = enter_type_params(b, s->class_def.name, s->at, s->class_def.type_params);
    walk_exprs(b, s->class_def.bases);
    for (size_t i = 0; i < s->class_def.keywords.len; i++)
        walk_expr(b, s->class_def.keywords.at[i]->value);
    Outside outside = enter(b, BLOCK_CLASS, s->class_def.name, s->at, s);
    walk_stmts(b, s->class_def.body);
    leave(b, outside);
    leave(b, outer);
}

static void build_lambda(Builder *b, const Expr *e)
{
    walk_defaults(b, e->lambda.args);
    Outside outside = enter(b, BLOCK_LAMBDA, names_get(b->names, "lambda"), e->at, e);
    add_parameters(b, e->lambda.args);
    walk_expr(b, e->lambda.body);
    leave(b, outside);
}

static void build_alias(Builder *b, const Stmt *s)
{
    add(b, s->type_alias.name->name.id, SYMBOL_ASSIGNED | SYMBOL_FIXED);
    Outside outside = enter(b, BLOCK_TYPE_PARAMS, s->type_alias.name->name.id, s->at, s);
    enter_type_params(b, b->block->name, s->at, s->type_alias.type_params);
    walk_annotation(b, s->type_alias.value);
    leave(b, outside);
}

// ---- statements ----

static void add_imports(Builder *b, AliasList list)
{
    for (size_t i = 0; i < list.len; i++) {
        const Alias *alias = list.at[i];
        Sym name = alias->asname != NULL ? alias->asname : alias->name;
        if (!sym_is(name, "*"))
            add(b, names_intern(b->names, name, strcspn(name, ".")), SYMBOL_IMPORTED);
    }
}

static void build_import_from(Builder *b, const Stmt *s)
{
    AliasList list = s->import_from.names;
    if (list.len == 1 && sym_is(list.at[0]->name, "*") && b->block->kind != BLOCK_MODULE)
        refuse(b, s->at, "`import *` only allowed at module level");
    add_imports(b, list);
}

static void build_annotated(Builder *b, const Stmt *s)
{
    const Expr *target = s->ann_assign.target;
    if (target->kind == EXPR_NAME) {
        check_annotated(b, target);
        if (s->ann_assign.simple)
            add(b, target->name.id, SYMBOL_ANNOTATED | SYMBOL_ASSIGNED);
        else if (s->ann_assign.value != NULL)
            add(b, target->name.id, SYMBOL_ASSIGNED);
    } else {
        walk_expr(b, target);
    }
    walk_annotation(b, s->ann_assign.annotation);
    walk_expr(b, s->ann_assign.value);
}

static bool build_stmt(void *cx, const Stmt *s)
{
    Builder *b = cx;
    switch (s->kind) {
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: build_function(b, s); return false;
    case STMT_CLASS_DEF: build_class(b, s); return false;
    case STMT_TYPE_ALIAS: build_alias(b, s); return false;
    case STMT_ANN_ASSIGN: build_annotated(b, s); return false;
    case STMT_IMPORT: add_imports(b, s->import.names); return false;
    case STMT_IMPORT_FROM: build_import_from(b, s); return false;
    case STMT_GLOBAL: declare(b, s, s->global.names, SYMBOL_DECLARED_GLOBAL); return false;
    case STMT_NONLOCAL: declare(b, s, s->nonlocal.names, SYMBOL_DECLARED_NONLOCAL); return false;
    case STMT_RETURN: case STMT_DELETE: case STMT_ASSIGN: case STMT_AUG_ASSIGN: case STMT_FOR:
    case STMT_ASYNC_FOR: case STMT_WHILE: case STMT_IF: case STMT_WITH: case STMT_ASYNC_WITH:
    case STMT_MATCH: case STMT_RAISE: case STMT_TRY: case STMT_TRY_STAR: case STMT_ASSERT:
    case STMT_EXPR: case STMT_PASS: case STMT_BREAK: case STMT_CONTINUE: case STMT_CHOREO:
    case STMT_OFFER: case STMT_STOPPED: case STMT_COUNT:
    STMT_CASES_GRAD:
        break;
    }
    return true;
}

static bool build_handler(void *cx, const Excepthandler *h)
{
    Builder *b = cx;
    walk_expr(b, h->except_handler.type);
    if (h->except_handler.name != NULL)
        add(b, h->except_handler.name, SYMBOL_ASSIGNED | SYMBOL_CAUGHT);
    walk_stmts(b, h->except_handler.body);
    return false;
}

static bool fix_name(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        add(cx, e->name.id, SYMBOL_FIXED);
    return true;
}

static bool build_pattern(void *cx, const Pattern *p)
{
    Sym name = p->kind == PATTERN_MATCH_AS        ? p->match_as.name
               : p->kind == PATTERN_MATCH_STAR    ? p->match_star.name
               : p->kind == PATTERN_MATCH_MAPPING ? p->match_mapping.rest
                                                  : NULL;
    if (name != NULL)
        add(cx, name, SYMBOL_ASSIGNED | SYMBOL_CAUGHT);
    IrWalker w = {.cx = cx, .expr = fix_name};
    if (p->kind == PATTERN_MATCH_VALUE)
        ir_walk_expr(&w, p->match_value.value);
    else if (p->kind == PATTERN_MATCH_MAPPING)
        ir_walk_exprs(&w, p->match_mapping.keys);
    else if (p->kind == PATTERN_MATCH_CLASS)
        ir_walk_expr(&w, p->match_class.cls);
    return true;
}

// ---- expressions ----

typedef struct Comp { const char *name; const Expr *elt, *value; ComprehensionList of; } Comp;

static void walk_iterable(Builder *b, const Expr *e)
{
    bool before = b->in_iterable;
    b->in_iterable = true;
    walk_expr(b, e);
    b->in_iterable = before;
}

// Targets first: which names are those of the comprehension decides what `:=` in it may do.
static void build_comprehension(Builder *b, const Expr *e, Comp c)
{
    walk_iterable(b, c.of.at[0]->iter);
    Outside outside = enter(b, BLOCK_COMPREHENSION, names_get(b->names, c.name), e->at, e);
    add(b, names_get(b->names, ".0"), SYMBOL_PARAMETER);
    b->in_targets = true;
    for (size_t i = 0; i < c.of.len; i++)
        walk_expr(b, c.of.at[i]->target);
    b->in_targets = false;
    for (size_t i = 0; i < c.of.len; i++) {
        if (i > 0)
            walk_iterable(b, c.of.at[i]->iter);
        walk_exprs(b, c.of.at[i]->ifs);
    }
    walk_expr(b, c.elt);
    walk_expr(b, c.value);
    leave(b, outside);
}

// `:=` in comprehensions binds in the function or module around them; they see its name from there.
static void bind_outside(Builder *b, const Expr *e, Sym name)
{
    Block *around = b->block;
    for (; around->kind == BLOCK_COMPREHENSION; around = (Block *)around->outer) {
        const Symbol *s = block_symbol(around, name);
        if (s != NULL && s->flags & SYMBOL_TARGET) {
            refuse(b, e->at, "assignment expression cannot rebind comprehension iteration variable "
                   "`%s`", e->named_expr.target->name.id);
            return;
        }
    }
    if (around->kind == BLOCK_CLASS) {
        refuse(b, e->at, "assignment expression within a comprehension cannot be used in a class "
               "body");
        return;
    }
    Symbol *outer = symbol_in(b, around, name);
    bool global = around->kind == BLOCK_MODULE || outer->flags & SYMBOL_DECLARED_GLOBAL;
    Symbol *own = add(b, name, global ? SYMBOL_DECLARED_GLOBAL : SYMBOL_DECLARED_NONLOCAL);
    own->declared = e->at;
    if (global)
        symbol_in(b, b->scopes.module, name)->flags |= SYMBOL_DECLARED_GLOBAL;
    if (around->kind != BLOCK_MODULE)
        outer->flags |= SYMBOL_ASSIGNED | SYMBOL_NAMED;
}

static bool build_walrus(Builder *b, const Expr *e)
{
    Sym name = scopes_mangle(b->names, b->block->class_, e->named_expr.target->name.id);
    if (b->in_iterable)
        refuse(b, e->at, "assignment expression cannot be used in a comprehension iterable "
               "expression");
    else if (b->block->kind == BLOCK_COMPREHENSION)
        bind_outside(b, e, name);
    else
        add(b, name, SYMBOL_NAMED);
    return true;
}

static void build_name(Builder *b, const Expr *e)
{
    bool load = e->name.ctx == EXPR_CONTEXT_LOAD;
    bool function = b->block->kind != BLOCK_MODULE && b->block->kind != BLOCK_CLASS;
    add(b, e->name.id, (load ? SYMBOL_USED : SYMBOL_ASSIGNED) | (b->fixed ? SYMBOL_FIXED : 0u));
    if (load && function && sym_is(e->name.id, "super"))
        add(b, names_get(b->names, "__class__"), SYMBOL_USED);
}

static void check_yield(Builder *b, const Expr *e)
{
    if (b->block->kind == BLOCK_COMPREHENSION)
        refuse(b, e->at, "`yield` inside a comprehension");
    else if (b->block->kind == BLOCK_MODULE || b->block->kind == BLOCK_CLASS)
        refuse(b, e->at, "`yield` outside a function");
}

static bool build_expr(void *cx, const Expr *e)
{
    Builder *b = cx;
    switch (e->kind) {
    case EXPR_NAME: build_name(b, e); return false;
    case EXPR_LAMBDA: build_lambda(b, e); return false;
    case EXPR_LIST_COMP:
        build_comprehension(b, e, (Comp){"listcomp", e->list_comp.elt, NULL,
                                         e->list_comp.generators});
        return false;
    case EXPR_SET_COMP:
        build_comprehension(b, e, (Comp){"setcomp", e->set_comp.elt, NULL,
                                         e->set_comp.generators});
        return false;
    case EXPR_DICT_COMP:
        build_comprehension(b, e, (Comp){"dictcomp", e->dict_comp.key, e->dict_comp.value,
                                         e->dict_comp.generators});
        return false;
    case EXPR_GENERATOR_EXP:
        build_comprehension(b, e, (Comp){"genexpr", e->generator_exp.elt, NULL,
                                         e->generator_exp.generators});
        return false;
    case EXPR_NAMED_EXPR: return build_walrus(b, e);
    case EXPR_YIELD: case EXPR_YIELD_FROM: check_yield(b, e); return true;
    case EXPR_BOOL_OP: case EXPR_BIN_OP: case EXPR_UNARY_OP: case EXPR_IF_EXP: case EXPR_DICT:
    case EXPR_SET: case EXPR_AWAIT: case EXPR_COMPARE: case EXPR_CALL: case EXPR_FORMATTED_VALUE:
    case EXPR_JOINED_STR: case EXPR_CONSTANT: case EXPR_ATTRIBUTE: case EXPR_SUBSCRIPT:
    case EXPR_STARRED: case EXPR_LIST: case EXPR_TUPLE: case EXPR_SLICE: case EXPR_LOCATED:
    case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT: case EXPR_SEND: case EXPR_RECV:
    case EXPR_SEND_LABEL: case EXPR_UNIT: case EXPR_COUNT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
        break;
    }
    return true;
}

// ---- where names belong ----

// The block around `from` that a free name is of; NULL: none, it is global.
static const Block *find_owner(const Block *from, Sym name)
{
    for (const Block *b = from->outer; b != NULL && b->kind != BLOCK_MODULE; b = b->outer) {
        const Symbol *s = block_symbol(b, name);
        if (b->kind == BLOCK_CLASS) {
            if (sym_is(name, "__class__"))
                return b;
            continue;
        }
        if (s == NULL || !(s->flags & (SYMBOL_BOUND | SYMBOL_DECLARED_GLOBAL
                                       | SYMBOL_DECLARED_NONLOCAL)))
            continue;
        if (s->flags & SYMBOL_DECLARED_GLOBAL)
            return NULL;
        if (!(s->flags & SYMBOL_DECLARED_NONLOCAL))
            return b;
    }
    return NULL;
}

// Hands a variable of `owner` through the blocks between it and one that has it free.
static void hand_through(Builder *b, const Block *owner, const Block *from, Sym name)
{
    Symbol *own = table_get(owner->by_name, name);
    if (own != NULL && own->scope == SYMBOL_LOCAL && owner->kind != BLOCK_CLASS)
        own->scope = SYMBOL_CELL;
    for (Block *at = (Block *)from->outer; at != owner; at = (Block *)at->outer)
        if (block_symbol(at, name) == NULL)
            symbol_in(b, at, name)->scope = SYMBOL_FREE;
}

static void resolve_symbol(Builder *b, const Block *block, Symbol *s)
{
    const Block *owner;
    if (s->flags & SYMBOL_DECLARED_GLOBAL) {
        s->scope = SYMBOL_GLOBAL_EXPLICIT;
        return;
    }
    if (!(s->flags & SYMBOL_DECLARED_NONLOCAL) && s->flags & SYMBOL_BOUND)
        return;
    if (s->scope == SYMBOL_FREE)
        return;                 // handed through already
    owner = find_owner(block, s->name);
    if (owner != NULL)
        hand_through(b, owner, block, s->name);
    else if (s->flags & SYMBOL_DECLARED_NONLOCAL && block->kind != BLOCK_MODULE)
        refuse(b, s->declared, "no binding for nonlocal `%s` found", s->name);
    s->scope = owner != NULL ? SYMBOL_FREE : SYMBOL_GLOBAL_IMPLICIT;
}

// Blocks nest no deeper than the text does. Symbols that are handed through are added behind.
static void resolve(Builder *b, Block *block)
{
    size_t count = block->symbols.len;
    for (size_t i = 0; i < count; i++)
        resolve_symbol(b, block, block->symbols.at[i]);
    for (size_t i = 0; i < block->inner.len; i++)
        resolve(b, block->inner.at[i]);
}

// ---- the module ----

static bool has_text_annotations(StmtList module)
{
    for (size_t i = 0; i < module.len; i++) {
        const Stmt *s = module.at[i];
        if (s->kind != STMT_IMPORT_FROM || !sym_is(s->import_from.module, "__future__"))
            continue;
        for (size_t j = 0; j < s->import_from.names.len; j++)
            if (sym_is(s->import_from.names.at[j]->name, "annotations"))
                return true;
    }
    return false;
}

Scopes scopes_new(Arena *a, Names *names, StmtList module, Diags *diags)
{
    Builder b = {.arena = a, .names = names, .diags = diags,
                 .scopes = {.of_node = table_new(a)},
                 .no_annotations = has_text_annotations(module)};
    b.scopes.module = open_block(&b, BLOCK_MODULE, names_get(names, "top"), (Span){0, 0}, NULL);
    walk_stmts(&b, module);
    resolve(&b, b.scopes.module);
    return b.scopes;
}
