// c_dead_branches.c - what is known of a module before it is printed: arms that never run are left
// out, lambdas that have names and may be called in several ways are functions.
//
// A program in Python runs on 3.10 or later, so its twin in C knows of `sys.version_info >= (3, 8)`
// that it holds. Of later versions nobody can tell, and c_refuse says so. An import that the C
// target has never fails: what is there for when it does is left out, too.

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/emit/c/c_internal.h"

enum { LEAST_MAJOR = 3, LEAST_MINOR = 10, FEW = 3 };

// ---- conditions ----

static bool is_name(const Expr *e, const char *name)
{
    return e->kind == EXPR_NAME && sym_is(unqualified(e->name.id), name);
}

static bool is_attribute(const Expr *e, const char *base, const char *name)
{
    return e->kind == EXPR_ATTRIBUTE && sym_is(e->attribute.attr, name)
           && is_name(e->attribute.value, base);
}

static bool small_int(const Expr *e, int *out)
{
    if (e->kind != EXPR_CONSTANT || e->constant.value->kind != CONST_INT
        || e->constant.value->text.len > 4)
        return false;
    *out = 0;
    for (size_t i = 0; i < e->constant.value->text.len; i++)
        *out = 10 * *out + (e->constant.value->text.at[i] - '0');
    return true;
}

static bool is_version(const Expr *e)
{
    return is_name(e, "version_info") || is_attribute(e, "sys", "version_info");
}

// Whether (3, 10), the least version that there may be, is beyond the one that is written.
static bool reached(const Expr *written)
{
    ExprList all = written->tuple.elts;
    int parts[FEW] = {0};
    for (size_t i = 0; i < all.len; i++)
        if (i >= FEW || !small_int(all.at[i], &parts[i]))
            return false;
    return parts[0] < LEAST_MAJOR
           || (parts[0] == LEAST_MAJOR
               && (parts[1] < LEAST_MINOR || (parts[1] == LEAST_MINOR && parts[2] == 0)));
}

// sys.version_info >= (3, 8)
static int known_version(const Expr *e)
{
    const Expr *right = e->compare.comparators.at[0];
    Cmpop op = e->compare.ops.at[0];
    if (!is_version(e->compare.left) || right->kind != EXPR_TUPLE || !reached(right))
        return -1;
    bool more = op == CMPOP_GT || op == CMPOP_GT_E, less = op == CMPOP_LT || op == CMPOP_LT_E;
    return more ? 1 : less ? 0 : -1;
}

int c_known_condition(const Expr *e)
{
    if (e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_NOT) {
        int inner = c_known_condition(e->unary_op.operand);
        return inner < 0 ? -1 : !inner;
    }
    if (is_name(e, "TYPE_CHECKING") || is_attribute(e, "typing", "TYPE_CHECKING"))
        return 0;
    return e->kind == EXPR_COMPARE && e->compare.ops.len == 1 ? known_version(e) : -1;
}

// ---- arms ----

static bool only_imports(StmtList body)
{
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind != STMT_IMPORT && body.at[i]->kind != STMT_IMPORT_FROM)
            return false;
    return true;
}

static const Stmt *always(Arena *a, const Stmt *s, StmtList body)
{
    const Expr *test = expr_constant(a, s->at, const_bool(a, true), NULL);
    if (body.len == 0)
        return stmt_pass(a, s->at);
    return stmt_if(a, s->at, expr_with_ty(a, test, ty_literal(a, test->constant.value),
                                          (SymList){0}), body, (StmtList){0});
}

static StmtList joined(Arena *a, const StmtList *lists, size_t count)
{
    Vec(const Stmt *) all = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < lists[i].len; j++)
            vec_push(a, &all, lists[i].at[j]);
    return (StmtList){all.at, all.len};
}

static const Stmt *live_arm(IrMapper *m, const Stmt *s)
{
    if (s->kind == STMT_TRY && s->try.handlers.len > 0 && only_imports(s->try.body)) {
        const StmtList parts[] = {s->try.body, s->try.orelse, s->try.finalbody};
        return always(m->arena, s, joined(m->arena, parts, 3));
    }
    int known = s->kind == STMT_IF ? c_known_condition(s->if_.test) : -1;
    bool types = known == 0 && only_imports(s->if_.body);       // annotations name what they bind
    if (known < 0 || (types && s->if_.orelse.len == 0))
        return s;
    return always(m->arena, s, known ? s->if_.body : s->if_.orelse);
}

// ---- lambdas that may be called in several ways ----

typedef struct Scope { CEmit *c; StmtList bound_in; } Scope;

// Others have as many parameters as their type says.
static bool is_of_many_calls(const Expr *e)
{
    const Arguments *args = e->lambda.args;
    return args->kwonlyargs.len > 0 || args->vararg != NULL || args->defaults.len > 0;
}

static const Expr *result_annotation(CEmit *c, const Expr *value)
{
    const Ty *t = value->ty;
    if (t == NULL || t->kind == TY_ANY || t->kind == TY_POISON)
        return expr_name(c->arena, value->at, names_get(c->names, "object"), EXPR_CONTEXT_LOAD);
    const Expr *quoted = expr_constant(c->arena, value->at,
                                       const_str(c->arena, (Text){"object", 6}), NULL);
    return expr_with_ty(c->arena, quoted, t, value->roles);
}

// `*rest` is of anything.
static const Arguments *with_rest(Arena *a, const Arguments *args)
{
    Arguments *out = ARENA_NEW(a, Arguments);
    *out = *args;
    if (args->vararg != NULL && args->vararg->ty == NULL)
        out->vararg = arg_with_ty(a, args->vararg, ty_any(a));
    return out;
}

// `f = lambda x, *, by=2: ..`: who calls f by that name may give less than all.
static const Stmt *named_lambda(IrMapper *m, const Stmt *s)
{
    const Scope *scope = m->cx;
    const Expr *target = s->kind == STMT_ASSIGN && s->assign.targets.len == 1
        ? s->assign.targets.at[0] : NULL;
    if (target == NULL || target->kind != EXPR_NAME || s->assign.value->kind != EXPR_LAMBDA
        || !is_of_many_calls(s->assign.value)
        || c_times_bound(scope->bound_in, target->name.id) != 1)
        return s;
    const Expr *value = s->assign.value->lambda.body;
    const Stmt *gives = stmt_return(m->arena, value->at, value), **body;
    body = ARENA_NEW(m->arena, const Stmt *);
    *body = gives;
    return stmt_function_def(m->arena, s->at, target->name.id,
                             with_rest(m->arena, s->assign.value->lambda.args),
                             (StmtList){body, 1}, (ExprList){0}, result_annotation(scope->c, value),
                             (TypeParamList){0});
}

static StmtList lambdas_named(CEmit *c, StmtList body)
{
    Vec(const Stmt *) out = {0};
    for (size_t i = 0; i < body.len; i++) {
        StmtList one = {body.at + i, 1};
        Scope scope = {c, body.at[i]->kind == STMT_FUNCTION_DEF ? one : body};
        IrMapper m = {.arena = c->arena, .cx = &scope, .stmt = named_lambda};
        vec_push(c->arena, &out, ir_map_stmts(&m, one).at[0]);
    }
    return (StmtList){out.at, out.len};
}

StmtList c_live(CEmit *c, StmtList body)
{
    IrMapper m = {.arena = c->arena, .stmt = live_arm};
    return lambdas_named(c, ir_map_stmts(&m, body));
}
