// tool.c - what the rule sets share.

#include "compiler/distribute/tool.h"

#include <stdio.h>
#include <string.h>

#include "compiler/distribute/bodies.h"

// ---- names ----

static void take(Tool *t, Sym name)
{
    if (name != NULL)
        table_set(t->taken, name, t);
}

static bool take_expr(void *cx, const Expr *e)
{
    Tool *t = cx;
    if (e->kind == EXPR_NAME)
        take(t, e->name.id);
    return true;
}

static bool take_arg(void *cx, const Arg *a)
{
    take(cx, a->arg);
    return true;
}

static bool take_alias(void *cx, const Alias *a)
{
    const char *dot = strchr(a->name, '.');
    Tool *t = cx;
    take(t, a->asname != NULL ? a->asname
            : dot == NULL     ? a->name
                              : names_intern(t->cx->names, a->name, (size_t)(dot - a->name)));
    return true;
}

static bool take_handler(void *cx, const Excepthandler *h)
{
    take(cx, h->except_handler.name);
    return true;
}

static bool take_stmt(void *cx, const Stmt *s)
{
    if (s->kind == STMT_FUNCTION_DEF)
        take(cx, s->function_def.name);
    if (s->kind == STMT_ASYNC_FUNCTION_DEF)
        take(cx, s->async_function_def.name);
    if (s->kind == STMT_CLASS_DEF)
        take(cx, s->class_def.name);
    return true;
}

Tool tool_new(const DistributeCx *cx)
{
    Tool t = {.cx = cx, .arena = cx->arena, .taken = table_new(cx->arena),
              .rewrite = rewrite_new(cx->arena, cx->source, cx->unit)};
    const IrWalker w = {.cx = &t, .stmt = take_stmt, .expr = take_expr, .arg = take_arg,
                        .alias = take_alias, .excepthandler = take_handler};
    ir_walk_unit(&w, cx->unit);
    return t;
}

const char *tool_fresh(Tool *t, const char *base)
{
    Sym name = names_get(t->cx->names, base);
    for (int i = 1; table_get(t->taken, name) != NULL; i++)
        name = names_format(t->cx->names, "%s_%d", base, i);
    take(t, name);
    return name;
}

// ---- text ----

void tool_fire(Tool *t, const char *id, Span at)
{
    vec_push(t->arena, &t->fired, ((Fired){id, at}));
}

const char *tool_format(Tool *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vformat(t->arena, format, args);
    va_end(args);
    return text;
}

const char *tool_text(const Tool *t, const Expr *e)
{
    return arena_strndup(t->arena, t->cx->source->text.at + e->at.start, e->at.end - e->at.start);
}

// Whether it binds less than `*` and `//`, so that it needs parentheses as their left operand.
static bool binds_less(const Expr *e)
{
    if (e->kind == EXPR_BIN_OP)
        return e->bin_op.op != OPERATOR_MULT && e->bin_op.op != OPERATOR_DIV &&
               e->bin_op.op != OPERATOR_FLOOR_DIV && e->bin_op.op != OPERATOR_MOD &&
               e->bin_op.op != OPERATOR_MAT_MULT && e->bin_op.op != OPERATOR_POW;
    return e->kind == EXPR_BOOL_OP || e->kind == EXPR_IF_EXP || e->kind == EXPR_LAMBDA ||
           e->kind == EXPR_COMPARE || e->kind == EXPR_NAMED_EXPR || e->kind == EXPR_YIELD ||
           e->kind == EXPR_YIELD_FROM ||
           (e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_NOT);
}

void tool_factor(Tool *t, const Expr *e, const char *after)
{
    bool parens = binds_less(e);
    rewrite_around(t->rewrite, e->at, parens ? "(" : "",
                   tool_format(t, "%s%s", parens ? ")" : "", after));
}

// ---- forms ----

bool expr_is_name(const Expr *e, Sym name)
{
    return name != NULL && e != NULL && e->kind == EXPR_NAME && e->name.id == name;
}

bool expr_is_chain(const Expr *e, Sym name, const char *const *attrs)
{
    size_t n = 0;
    while (attrs[n] != NULL)
        n++;
    for (; n > 0; n--) {
        if (e == NULL || e->kind != EXPR_ATTRIBUTE || !sym_is(e->attribute.attr, attrs[n - 1]))
            return false;
        e = e->attribute.value;
    }
    return expr_is_name(e, name);
}

const Expr *call_keyword(const Expr *call, const char *name)
{
    for (size_t i = 0; i < call->call.keywords.len; i++)
        if (sym_is(call->call.keywords.at[i]->arg, name))
            return call->call.keywords.at[i]->value;
    return NULL;
}

const Expr *call_positional(const Expr *call, size_t at)
{
    for (size_t i = 0; i <= at; i++)
        if (i >= call->call.args.len || call->call.args.at[i]->kind == EXPR_STARRED)
            return NULL;
    return call->call.args.at[at];
}

const Expr *call_argument(const Expr *call, size_t at, const char *name)
{
    const Expr *e = call_keyword(call, name);
    return e != NULL ? e : call_positional(call, at);
}

bool expr_is_none(const Expr *e)
{
    return e == NULL || (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_NONE);
}

bool expr_is_load(const Expr *e)
{
    return (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_LOAD) ||
           (e->kind == EXPR_ATTRIBUTE && e->attribute.ctx == EXPR_CONTEXT_LOAD);
}

bool call_is_name(const Expr *e, const char *name)
{
    return e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME &&
           sym_is(e->call.func->name.id, name);
}

const Expr *expr_unwrap(const Expr *e)
{
    static const char *const WRAPPERS[] = {"enumerate", "tqdm", "iter", "trange", NULL};
    while (e->kind == EXPR_CALL && e->call.args.len > 0) {
        const Expr *f = e->call.func;
        Sym name = f->kind == EXPR_NAME ? f->name.id : f->kind == EXPR_ATTRIBUTE ? f->attribute.attr
                                                                                 : NULL;
        if (!sym_is_one_of(name, WRAPPERS))
            break;
        e = e->call.args.at[0];
    }
    return e;
}

const Expr *stmt_strict_call(const Stmt *s, Sym *target)
{
    const Expr *left = NULL, *right = NULL;
    if (s->kind == STMT_ASSIGN && s->assign.targets.len == 1) {
        left = s->assign.targets.at[0];
        right = s->assign.value;
    } else if (s->kind == STMT_ANN_ASSIGN) {
        left = s->ann_assign.target;
        right = s->ann_assign.value;
    }
    if (left == NULL || left->kind != EXPR_NAME || right == NULL || right->kind != EXPR_CALL)
        return NULL;
    *target = left->name.id;
    return right;
}

// ---- effects ----

static const char *const READING_FUNCTIONS[] = {
    "float", "int", "str", "len", "round", "format", "repr", "range", "bool", "abs", "min", "max",
    "sum", "sorted", "list", "tuple", "zip", "enumerate", "type", NULL,
};
static const char *const READING_METHODS[] = {
    "numpy", "result", "format", "item", "shape", "time", "perf_counter", "join", "upper", "lower",
    "ljust", "rjust", "center", "mean", "sum", "tolist", NULL,
};

static bool only_reads(const Expr *call)
{
    const Expr *f = call->call.func;
    return (f->kind == EXPR_NAME && sym_is_one_of(f->name.id, READING_FUNCTIONS)) ||
           (f->kind == EXPR_ATTRIBUTE && sym_is_one_of(f->attribute.attr, READING_METHODS));
}

static bool see_effect(void *cx, const Expr *e)
{
    const Expr **found = cx;
    bool effect = (e->kind == EXPR_CALL && !only_reads(e)) || e->kind == EXPR_NAMED_EXPR ||
                  e->kind == EXPR_AWAIT || e->kind == EXPR_YIELD || e->kind == EXPR_YIELD_FROM;
    if (effect && *found == NULL)
        *found = e;
    return !effect && e->kind != EXPR_LAMBDA;
}

const Expr *args_effect(const Expr *call)
{
    const Expr *found = NULL;
    const IrWalker w = {.cx = &found, .expr = see_effect};
    ir_walk_exprs(&w, call->call.args);
    ir_walk_keywords(&w, call->call.keywords);
    return found;
}
