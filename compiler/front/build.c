// build.c - expressions, calls, parameters, statements and patterns for the actions of parser.y.
// The rules that are checked here are those that the reference grammar (The Python Language
// Reference, chapter 10) states by the shape of its alternatives.

#include "compiler/front/build.h"

#include <stdarg.h>

#include "compiler/front/front.h"
#include "parser.h"

// ---- mistakes ----

// Where the logical line that holds an offset ends.
static uint32_t end_of_line(const Build *b, uint32_t offset)
{
    size_t low = 0, high = b->tokens.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->tokens.at[middle].at.start < offset)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < b->tokens.len && b->tokens.at[low].kind != TOK_NEWLINE)
        low++;
    return low < b->tokens.len ? b->tokens.at[low].at.start : UINT32_MAX;
}

Diag *build_error(Build *b, Span at, DiagId id, const char *format, ...)
{
    va_list args;
    if (at.start < b->quiet_until)
        return NULL;
    va_start(args, format);
    Diag *d = diag_report(b->diags, at, id, "%s", arena_vformat(b->arena, format, args));
    va_end(args);
    build_skip_line(b, at);
    return d;
}

void build_skip_line(Build *b, Span at)
{
    uint32_t end = end_of_line(b, at.start);
    b->quiet_until = end > b->quiet_until ? end : b->quiet_until;
}

bool build_enter(Build *b, Span at)
{
    if (b->nesting++ < FRONT_MAX_NESTING)
        return true;
    build_error(b, at, DIAG_NESTING, "lambdas and powers are nested more than %d deep",
                FRONT_MAX_NESTING);
    return false;
}

// What an expression is called in messages: CPython's words.
static const char *describe(const Expr *e)
{
    switch (e->kind) {
    case EXPR_ATTRIBUTE: return "attribute";
    case EXPR_SUBSCRIPT: return "subscript";
    case EXPR_STARRED: return "starred expression";
    case EXPR_NAME: return "name";
    case EXPR_LIST: return "list";
    case EXPR_TUPLE: return "tuple";
    case EXPR_LAMBDA: return "lambda";
    case EXPR_CALL: return "function call";
    case EXPR_BOOL_OP: case EXPR_BIN_OP: case EXPR_UNARY_OP: case EXPR_SLICE: return "expression";
    case EXPR_GENERATOR_EXP: return "generator expression";
    case EXPR_YIELD: case EXPR_YIELD_FROM: return "yield expression";
    case EXPR_AWAIT: return "await expression";
    case EXPR_LIST_COMP: return "list comprehension";
    case EXPR_SET_COMP: return "set comprehension";
    case EXPR_DICT_COMP: return "dict comprehension";
    case EXPR_DICT: return "dict literal";
    case EXPR_SET: return "set display";
    case EXPR_JOINED_STR: case EXPR_FORMATTED_VALUE: return "f-string expression";
    case EXPR_COMPARE: return "comparison";
    case EXPR_IF_EXP: return "conditional expression";
    case EXPR_NAMED_EXPR: return "named expression";
    case EXPR_CONSTANT:
        switch (e->constant.value->kind) {
        case CONST_NONE: return "`None`";
        case CONST_BOOL: return e->constant.value->truth ? "`True`" : "`False`";
        case CONST_ELLIPSIS: return "ellipsis";
        case CONST_INT: case CONST_FLOAT: case CONST_COMPLEX: case CONST_STR: case CONST_BYTES:
            return "literal";
        }
        return "literal";
    case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_UNIT: case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL: case EXPR_COUNT:
        break;
    }
    return "expression";
}

// ---- expressions ----

const Expr *build_constant(Build *b, Span at, const Const *value)
{
    return expr_constant(b->arena, at, value, NULL);
}

const Expr *build_name(Build *b, const Token *name, ExprContext ctx)
{
    return expr_name(b->arena, name->at, name->sym, ctx);
}

// A name without parentheses around it, given the place with them.
static bool is_bare_name(Span at, const Expr *e)
{
    return e->kind == EXPR_NAME && e->at.start == at.start;
}

// A node that only this parse knows yet: its context may still be set.
static Expr *unshared(const Expr *e)
{
    return (Expr *)e;
}

const Expr *build_named(Build *b, Span at, Span target_at, const Expr *target, const Expr *value)
{
    if (is_bare_name(target_at, target))
        unshared(target)->name.ctx = EXPR_CONTEXT_STORE;
    else
        build_error(b, target_at, DIAG_TARGET, "cannot use assignment expressions with %s",
                    describe(target));
    return expr_named_expr(b->arena, at, target, value);
}

const Expr *build_bool(Build *b, Span at, Boolop op, const ExprVec *values)
{
    return expr_bool_op(b->arena, at, op, exprs_list(values));
}

Comparison *build_comparison(Build *b, Comparison *c, const Expr *left, Cmpop op,
                             const Expr *right)
{
    if (c == NULL) {
        c = ARENA_NEW(b->arena, Comparison);
        c->left = left;
    }
    cmpops_add(b, &c->ops, op);
    exprs_add(b, &c->comparators, right);
    return c;
}

const Expr *build_compare(Build *b, Span at, const Comparison *c)
{
    return expr_compare(b->arena, at, c->left, cmpops_list(&c->ops), exprs_list(&c->comparators));
}

DictItems *build_dict_item(Build *b, DictItems *d, const Expr *key, const Expr *value)
{
    if (d == NULL)
        d = ARENA_NEW(b->arena, DictItems);
    exprs_add(b, &d->keys, key);
    exprs_add(b, &d->values, value);
    return d;
}

const Expr *build_tuple(Build *b, Span at, const ExprVec *elts)
{
    return expr_tuple(b->arena, at, exprs_list(elts), EXPR_CONTEXT_LOAD);
}

ComprehensionVec *build_comp_for(Build *b, ComprehensionVec *v, bool is_async,
                                 const Expr *target, const Expr *iter, const ExprVec *ifs)
{
    return comprehensions_add(b, v, comprehension_new(b->arena, target, iter, exprs_list(ifs),
                                                      is_async));
}

// ---- calls ----

static CallArgs *more_args(Build *b, CallArgs *c)
{
    if (c == NULL)
        c = ARENA_NEW(b->arena, CallArgs);
    c->count++;
    return c;
}

CallArgs *build_arg(Build *b, CallArgs *c, Span at, const Expr *value)
{
    c = more_args(b, c);
    if (c->keywords.len > 0)
        build_error(b, at, DIAG_ARGUMENTS, "positional argument follows keyword argument%s",
                    c->unpacked ? " unpacking" : "");
    exprs_add(b, &c->args, value);
    return c;
}

CallArgs *build_arg_star(Build *b, CallArgs *c, Span at, const Expr *value)
{
    c = more_args(b, c);
    if (c->unpacked)
        build_error(b, at, DIAG_ARGUMENTS,
                    "iterable argument unpacking follows keyword argument unpacking");
    exprs_add(b, &c->args, expr_starred(b->arena, at, value, EXPR_CONTEXT_LOAD));
    return c;
}

CallArgs *build_arg_keyword(Build *b, CallArgs *c, Span at, Span name_at, const Expr *name,
                            const Expr *value)
{
    c = more_args(b, c);
    if (!is_bare_name(name_at, name)) {
        if (name->kind == EXPR_CONSTANT && name->constant.value->kind <= CONST_BOOL)
            build_error(b, name_at, DIAG_TARGET, "cannot assign to %s", describe(name));
        else
            build_error(b, name_at, DIAG_ARGUMENTS,
                        "expression cannot contain assignment, perhaps you meant `==`");
        return c;
    }
    keywords_add(b, &c->keywords, keyword_new(b->arena, at, name->name.id, value));
    return c;
}

CallArgs *build_arg_unpack(Build *b, CallArgs *c, Span at, const Expr *value)
{
    c = more_args(b, c);
    c->unpacked = true;
    keywords_add(b, &c->keywords, keyword_new(b->arena, at, NULL, value));
    return c;
}

CallArgs *build_arg_generator(Build *b, CallArgs *c, Span at, const Expr *elt,
                              const ComprehensionVec *generators)
{
    const Expr *e = expr_generator_exp(b->arena, at, elt, comprehensions_list(generators));
    c = build_arg(b, c, at, e);
    c->generator = e;
    return c;
}

static void refuse_generator(Build *b, const CallArgs *c)
{
    if (c != NULL && c->generator != NULL)
        build_error(b, c->generator->at, DIAG_ARGUMENTS,
                    "generator expression must be parenthesized");
}

const Expr *build_call(Build *b, Span at, const Expr *func, Span parens, CallArgs *c, bool comma)
{
    if (c == NULL)
        return expr_call(b->arena, at, func, (ExprList){0}, (KeywordList){0});
    if (c->generator != NULL && c->count == 1 && !comma)
        unshared(c->generator)->at = parens;
    else
        refuse_generator(b, c);
    return expr_call(b->arena, at, func, exprs_list(&c->args), keywords_list(&c->keywords));
}

const Stmt *build_class(Build *b, Span at, const Token *name, const TypeParamVec *type_params,
                        const CallArgs *c, const StmtVec *body)
{
    static const CallArgs none;
    refuse_generator(b, c);
    if (c == NULL)
        c = &none;
    return stmt_class_def(b->arena, at, name->sym, exprs_list(&c->args),
                          keywords_list(&c->keywords), stmts_list(body), (ExprList){0},
                          type_params_list(type_params));
}

// ---- targets ----

static void set_context(const Expr *e, ExprContext ctx)
{
    if (e->kind == EXPR_NAME)
        unshared(e)->name.ctx = ctx;
    else if (e->kind == EXPR_ATTRIBUTE)
        unshared(e)->attribute.ctx = ctx;
    else if (e->kind == EXPR_SUBSCRIPT)
        unshared(e)->subscript.ctx = ctx;
    else if (e->kind == EXPR_STARRED)
        unshared(e)->starred.ctx = ctx;
    else if (e->kind == EXPR_LIST)
        unshared(e)->list.ctx = ctx;
    else if (e->kind == EXPR_TUPLE)
        unshared(e)->tuple.ctx = ctx;
}

static bool is_single_target(const Expr *e)
{
    return e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT;
}

static void refuse_target(Build *b, const Expr *e, ExprContext ctx)
{
    if (ctx == EXPR_CONTEXT_DEL)
        build_error(b, e->at, DIAG_TARGET, "cannot delete %s", describe(e));
    else if (e->kind == EXPR_YIELD || e->kind == EXPR_YIELD_FROM)
        build_error(b, e->at, DIAG_TARGET, "assignment to yield expression not possible");
    else
        build_error(b, e->at, DIAG_TARGET, "cannot assign to %s", describe(e));
}

// Makes a target of an expression. Its depth is bounded by that of brackets.
static void make_target(Build *b, const Expr *e, ExprContext ctx)
{
    ExprList elts = {0};
    if (e->kind == EXPR_TUPLE)
        elts = e->tuple.elts;
    else if (e->kind == EXPR_LIST)
        elts = e->list.elts;
    else if (e->kind == EXPR_STARRED && ctx == EXPR_CONTEXT_STORE)
        make_target(b, e->starred.value, ctx);
    else if (!is_single_target(e)) {
        refuse_target(b, e, ctx);
        return;
    }
    set_context(e, ctx);
    for (size_t i = 0; i < elts.len; i++)
        make_target(b, elts.at[i], ctx);
}

const Expr *build_target(Build *b, const Expr *e)
{
    make_target(b, e, EXPR_CONTEXT_STORE);
    return e;
}

const Expr *build_delete_target(Build *b, const Expr *e)
{
    make_target(b, e, EXPR_CONTEXT_DEL);
    return e;
}

const Expr *build_single_target(Build *b, const Expr *e)
{
    if (!is_single_target(e))
        build_error(b, e->at, DIAG_TARGET, "%s is an illegal expression for augmented assignment",
                    describe(e));
    set_context(e, EXPR_CONTEXT_STORE);
    return e;
}

// The expression in the parentheses that a target such as `(a).b` begins with, or NULL.
static const Expr *leading_group(const Expr *target)
{
    const Expr *e = target;
    while (e != NULL && e->at.start == target->at.start)
        e = e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_CALL
                ? expr_spine_child(e) : NULL;
    return e;
}

// The reference grammar takes `(target)` for the whole of an annotated target, so that nothing
// can follow it.
static bool is_annotatable(Span target_at, const Expr *target)
{
    if (target_at.start != target->at.start)
        return is_single_target(target);
    const Expr *group = leading_group(target);
    return is_single_target(target) && (group == NULL || !is_single_target(group));
}

const Stmt *build_ann_assign(Build *b, Span at, Span target_at, const Expr *target,
                             const Expr *annotation, const Expr *value)
{
    if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST)
        build_error(b, target_at, DIAG_TARGET, "only a single target (not %s) can be annotated",
                    describe(target));
    else if (!is_annotatable(target_at, target))
        build_error(b, target_at, DIAG_TARGET, "illegal target for annotation: %s",
                    describe(target));
    set_context(target, EXPR_CONTEXT_STORE);
    return stmt_ann_assign(b->arena, at, target, annotation, value,
                           is_bare_name(target_at, target));
}

// ---- parameters ----

static Params *more_params(Build *b, Params *p, Span at)
{
    if (p == NULL)
        p = ARENA_NEW(b->arena, Params);
    if (p->kwarg != NULL)
        build_error(b, at, DIAG_ARGUMENTS, "arguments cannot follow the `**` parameter");
    return p;
}

Params *build_param(Build *b, Params *p, const Arg *arg, const Expr *default_value)
{
    p = more_params(b, p, arg->at);
    if (p->star) {
        args_add(b, &p->kwonlyargs, arg);
        exprs_add(b, &p->kw_defaults, default_value);
        p->bare_star = (Span){0};
        return p;
    }
    args_add(b, &p->args, arg);
    if (default_value != NULL)
        exprs_add(b, &p->defaults, default_value);
    else if (p->defaults.len > 0)
        build_error(b, arg->at, DIAG_ARGUMENTS,
                    "parameter without a default follows parameter with a default");
    return p;
}

Params *build_param_slash(Build *b, Params *p, Span at)
{
    p = more_params(b, p, at);
    if (p->slash)
        build_error(b, at, DIAG_ARGUMENTS, "`/` may appear only once");
    else if (p->star)
        build_error(b, at, DIAG_ARGUMENTS, "`/` must be ahead of `*`");
    else if (p->args.len == 0)
        build_error(b, at, DIAG_ARGUMENTS, "at least one parameter must precede `/`");
    p->slash = true;
    p->posonlyargs = p->args;
    p->args = (ArgVec){0};
    return p;
}

static Params *star(Build *b, Params *p, Span at)
{
    p = more_params(b, p, at);
    if (p->star)
        build_error(b, at, DIAG_ARGUMENTS, "`*` may appear only once");
    p->star = true;
    return p;
}

Params *build_param_bare_star(Build *b, Params *p, Span at)
{
    p = star(b, p, at);
    p->bare_star = at;
    return p;
}

Params *build_param_star(Build *b, Params *p, Span at, const Arg *arg)
{
    p = star(b, p, at);
    p->vararg = arg;
    return p;
}

// Reports a `*` that no named parameter followed.
static void check_bare_star(Build *b, const Params *p)
{
    if (p->bare_star.end > 0)
        build_error(b, p->bare_star, DIAG_ARGUMENTS, "named parameters must follow a bare `*`");
}

Params *build_param_double_star(Build *b, Params *p, Span at, const Arg *arg)
{
    p = more_params(b, p, at);
    check_bare_star(b, p);
    p->kwarg = arg;
    return p;
}

const Arguments *build_arguments(Build *b, Params *p)
{
    static const Params none;
    const Params *given = p == NULL ? &none : p;
    check_bare_star(b, given);
    return arguments_new(b->arena, args_list(&given->posonlyargs), args_list(&given->args),
                         given->vararg, args_list(&given->kwonlyargs),
                         exprs_list(&given->kw_defaults), given->kwarg,
                         exprs_list(&given->defaults));
}

// ---- statements ----

const Stmt *build_decorated(const Stmt *def, const ExprVec *decorators)
{
    Stmt *s = (Stmt *)def;
    if (s->kind == STMT_FUNCTION_DEF)
        s->function_def.decorator_list = exprs_list(decorators);
    else if (s->kind == STMT_ASYNC_FUNCTION_DEF)
        s->async_function_def.decorator_list = exprs_list(decorators);
    else if (s->kind == STMT_CLASS_DEF)
        s->class_def.decorator_list = exprs_list(decorators);
    return s;
}

const Stmt *build_async(Build *b, Span at, const Stmt *s)
{
    if (s->kind == STMT_FOR)
        return stmt_async_for(b->arena, at, s->for_.target, s->for_.iter, s->for_.body,
                              s->for_.orelse);
    if (s->kind == STMT_WITH)
        return stmt_async_with(b->arena, at, s->with.items, s->with.body);
    return stmt_async_function_def(b->arena, at, s->function_def.name, s->function_def.args,
                                   s->function_def.body, (ExprList){0}, s->function_def.returns,
                                   s->function_def.type_params);
}

ElifVec *build_elif(Build *b, ElifVec *v, Span at, const Expr *test, const StmtVec *body)
{
    Elif elif = {at, test, stmts_list(body)};
    if (v == NULL)
        v = ARENA_NEW(b->arena, ElifVec);
    vec_push(b->arena, v, elif);
    return v;
}

const Stmt *build_if(Build *b, Span at, const Expr *test, const StmtVec *body,
                     const ElifVec *elifs, const StmtVec *orelse)
{
    StmtList rest = stmts_list(orelse);
    for (size_t i = elifs == NULL ? 0 : elifs->len; i > 0; i--) {
        const Elif *elif = &elifs->at[i - 1];
        const Stmt **one = ARENA_NEW(b->arena, const Stmt *);
        *one = stmt_if(b->arena, span_join(elif->at, at), elif->test, elif->body, rest);
        rest = (StmtList){one, 1};
    }
    return stmt_if(b->arena, at, test, stmts_list(body), rest);
}

Handlers *build_handler(Build *b, Handlers *h, bool star_form, Span at,
                        const Excepthandler *handler)
{
    if (h == NULL) {
        h = ARENA_NEW(b->arena, Handlers);
        h->star = star_form;
    }
    if (h->star != star_form)
        build_error(b, at, DIAG_SYNTAX, "cannot have both `except` and `except*` on the same "
                    "`try`");
    handlers_add(b, &h->list, handler);
    return h;
}

const Stmt *build_try(Build *b, Span at, const StmtVec *body, const Handlers *h,
                      const StmtVec *orelse, const StmtVec *finalbody)
{
    ExcepthandlerList handlers = {0};
    if (h != NULL)
        handlers = handlers_list(&h->list);
    if (h != NULL && h->star)
        return stmt_try_star(b->arena, at, stmts_list(body), handlers, stmts_list(orelse),
                             stmts_list(finalbody));
    return stmt_try(b->arena, at, stmts_list(body), handlers, stmts_list(orelse),
                    stmts_list(finalbody));
}

StmtVec *build_append(Build *b, StmtVec *v, const StmtVec *more)
{
    for (size_t i = 0; more != NULL && i < more->len; i++)
        v = stmts_add(b, v, more->at[i]);
    return v;
}

Sym build_dotted_name(Build *b, const SymVec *parts)
{
    Buf text = buf_new(b->arena);
    if (parts->len == 1)
        return parts->at[0];
    for (size_t i = 0; i < parts->len; i++) {
        if (i > 0)
            buf_raw(&text, ".", 1);
        buf_raw(&text, parts->at[i], strlen(parts->at[i]));
    }
    return names_intern(b->names, text.at, text.len);
}

// ---- patterns ----

Sym build_capture(const Token *name)
{
    return sym_is(name->sym, "_") ? NULL : name->sym;
}

void build_refuse_wildcard(Build *b, const Token *name, const char *what)
{
    if (sym_is(name->sym, "_"))
        build_error(b, name->at, DIAG_TARGET, "%s cannot be `_`", what);
}

const Expr *build_complex(Build *b, Span at, const Expr *real, Operator op, const Token *imaginary)
{
    const Expr *number = real->kind == EXPR_UNARY_OP ? real->unary_op.operand : real;
    if (number->constant.value->kind == CONST_COMPLEX)
        build_error(b, real->at, DIAG_NUMBER, "real number required in complex literal");
    if (imaginary->constant->kind != CONST_COMPLEX)
        build_error(b, imaginary->at, DIAG_NUMBER,
                    "imaginary number required in complex literal");
    return expr_bin_op(b->arena, at, real, op,
                       build_constant(b, imaginary->at, imaginary->constant));
}

static PatternItems *more_items(Build *b, PatternItems *p)
{
    return p == NULL ? ARENA_NEW(b->arena, PatternItems) : p;
}

PatternItems *build_pattern_positional(Build *b, PatternItems *p, const Pattern *value)
{
    p = more_items(b, p);
    if (p->names.len > 0)
        build_error(b, value->at, DIAG_ARGUMENTS, "positional pattern follows keyword pattern");
    patterns_add(b, &p->positional, value);
    return p;
}

// The reference grammar reads `_` behind positional patterns as one more of them, and so refuses a
// keyword of that name there.
PatternItems *build_pattern_keyword(Build *b, PatternItems *p, const Token *name,
                                    const Pattern *value)
{
    p = more_items(b, p);
    if (p->positional.len > 0 && p->names.len == 0)
        build_refuse_wildcard(b, name, "the first keyword after positional patterns");
    syms_add(b, &p->names, name->sym);
    patterns_add(b, &p->values, value);
    return p;
}

static void check_rest_is_last(Build *b, const PatternItems *p, Span at)
{
    if (p->rest != NULL)
        build_error(b, at, DIAG_ARGUMENTS, "a pattern cannot follow the `**` of a mapping pattern");
}

PatternItems *build_pattern_key(Build *b, PatternItems *p, const Expr *key, const Pattern *value)
{
    p = more_items(b, p);
    check_rest_is_last(b, p, key->at);
    exprs_add(b, &p->keys, key);
    patterns_add(b, &p->values, value);
    return p;
}

PatternItems *build_pattern_rest(Build *b, PatternItems *p, const Token *name)
{
    p = more_items(b, p);
    check_rest_is_last(b, p, name->at);
    build_refuse_wildcard(b, name, "the name after `**`");
    p->rest = name->sym;
    return p;
}

const Pattern *build_mapping_pattern(Build *b, Span at, const PatternItems *p)
{
    static const PatternItems none;
    if (p == NULL)
        p = &none;
    return pattern_match_mapping(b->arena, at, exprs_list(&p->keys), patterns_list(&p->values),
                                 p->rest);
}

const Pattern *build_class_pattern(Build *b, Span at, const Expr *cls, const PatternItems *p)
{
    static const PatternItems none;
    if (p == NULL)
        p = &none;
    return pattern_match_class(b->arena, at, cls, patterns_list(&p->positional),
                               syms_list(&p->names), patterns_list(&p->values));
}
