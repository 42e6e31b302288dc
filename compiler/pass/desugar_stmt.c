// desugar_stmt.c - statements: each puts what it becomes at the end of `out`.

#include "compiler/pass/desugar_internal.h"

static void lower_stmt(Desugar *d, const Stmt *s);

void desugar_body_to(Desugar *d, Block *to, StmtList body)
{
    Block *before = d->out;
    d->out = to;
    for (size_t i = 0; i < body.len; i++)
        lower_stmt(d, body.at[i]);
    d->out = before;
}

StmtList desugar_body(Desugar *d, Span at, StmtList body)
{
    Block block = {0};
    if (body.len == 0)
        return body;
    desugar_body_to(d, &block, body);
    return desugar_stmts(d, at, block);
}

// ---- definitions ----

static ExprList lowered_list(Desugar *d, ExprList list)
{
    ExprList copy = desugar_list(d, list.len, list.at);
    desugar_operands(d, copy.len, (const Expr **)copy.at);
    return copy;
}

static StmtList in_scope(Desugar *d, DesugarScope *scope, const Stmt *s, StmtList body)
{
    Sym broken = d->broken;
    d->scope = scope;
    d->broken = NULL;
    StmtList done = desugar_body(d, s->at, body);
    d->scope = scope->outer;
    d->broken = broken;
    return done;
}

static void lower_function(Desugar *d, const Stmt *s)
{
    ExprList decorators = lowered_list(d, s->function_def.decorator_list);
    const Arguments *args = desugar_defaults(d, s->function_def.args);
    DesugarScope scope = desugar_scope(d, s->function_def.body, args);
    scope.stored = desugar_stored(d, s->function_def.body);
    const Ty *around = d->returns;
    d->returns = s->function_def.returns ? s->function_def.returns->ty : NULL;
    StmtList body = in_scope(d, &scope, s, s->function_def.body);
    body = desugar_declare_lent(d, &scope, args, body);
    d->returns = around;
    desugar_put(d, stmt_function_def(d->arena, s->at, s->function_def.name, args, body, decorators,
                                     s->function_def.returns, s->function_def.type_params));
}

static void lower_class(Desugar *d, const Stmt *s)
{
    ExprList decorators = lowered_list(d, s->class_def.decorator_list);
    ExprList bases = lowered_list(d, s->class_def.bases);
    DesugarScope scope = desugar_scope(d, s->class_def.body, NULL);
    scope.of_class = true;
    scope.before = d->out;
    StmtList body = in_scope(d, &scope, s, s->class_def.body);
    desugar_put(d, stmt_class_def(d->arena, s->at, s->class_def.name, bases, s->class_def.keywords,
                                  body, decorators, s->class_def.type_params));
}

// ---- choices ----

typedef struct Arm { const Stmt *s; Block before; const Expr *test; StmtList body; } Arm;

// `elif`s nest deep: in a loop.
static void lower_if(Desugar *d, const Stmt *s)
{
    Vec(Arm) arms = {0};
    Block *around = d->out;
    StmtList orelse = {0};
    for (;;) {
        Arm arm = {.s = s};
        d->out = arms.len == 0 ? around : &arm.before;
        arm.test = desugar_test(d, s->if_.test);
        d->out = around;
        arm.body = desugar_body(d, s->at, s->if_.body);
        vec_push(d->arena, &arms, arm);
        if (s->if_.orelse.len != 1 || s->if_.orelse.at[0]->kind != STMT_IF)
            break;
        s = s->if_.orelse.at[0];
    }
    orelse = desugar_body(d, s->at, s->if_.orelse);
    for (size_t i = arms.len; i-- > 0;) {
        Arm *arm = &arms.at[i];
        const Stmt *done = stmt_if(d->arena, arm->s->at, arm->test, arm->body, orelse);
        if (i == 0)
            desugar_put(d, done);
        else
            vec_push(d->arena, &arm->before, done);
        orelse = (StmtList){arm->before.at, arm->before.len};
    }
}

// ---- loops ----

static bool has_break(StmtList body);

static bool breaks(const Stmt *s)
{
    switch (s->kind) {
    case STMT_BREAK:  return true;
    case STMT_IF:
        for (;;) {
            if (has_break(s->if_.body))
                return true;
            if (s->if_.orelse.len != 1 || s->if_.orelse.at[0]->kind != STMT_IF)
                return has_break(s->if_.orelse);
            s = s->if_.orelse.at[0];
        }
    case STMT_FOR:    return has_break(s->for_.orelse);
    case STMT_WHILE:  return has_break(s->while_.orelse);
    case STMT_WITH:   return has_break(s->with.body);
    case STMT_TRY:
        for (size_t i = 0; i < s->try.handlers.len; i++)
            if (has_break(s->try.handlers.at[i]->except_handler.body))
                return true;
        return has_break(s->try.body) || has_break(s->try.orelse) || has_break(s->try.finalbody);
    case STMT_MATCH:
        for (size_t i = 0; i < s->match.cases.len; i++)
            if (has_break(s->match.cases.at[i]->body))
                return true;
        return false;
    case STMT_OFFER:
        for (size_t i = 0; i < s->offer.arms.len; i++)
            if (has_break(s->offer.arms.at[i]->body))
                return true;
        return false;
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF: case STMT_RETURN:
    case STMT_DELETE: case STMT_ASSIGN: case STMT_TYPE_ALIAS: case STMT_AUG_ASSIGN:
    case STMT_ANN_ASSIGN: case STMT_ASYNC_FOR: case STMT_ASYNC_WITH: case STMT_RAISE:
    case STMT_TRY_STAR: case STMT_ASSERT: case STMT_IMPORT: case STMT_IMPORT_FROM:
    case STMT_GLOBAL: case STMT_NONLOCAL: case STMT_EXPR: case STMT_PASS: case STMT_CONTINUE:
    case STMT_CHOREO: case STMT_STOPPED: case STMT_TAPE: case STMT_KEEP:
    case STMT_BACK: case STMT_COUNT:
        break;
    }
    return false;
}

static bool has_break(StmtList body)
{
    for (size_t i = 0; i < body.len; i++)
        if (breaks(body.at[i]))
            return true;
    return false;
}

static void lower_for_loop(Desugar *d, const Stmt *s)
{
    if (desugar_is_lazy(d, s)) {
        desugar_for_lazy(d, s);
        return;
    }
    Block body = {0}, *before = d->out;
    const Expr *iter = desugar_expr(d, s->for_.iter);
    d->out = &body;
    const Expr *target = desugar_for_target(d, s->for_.target,
                                            desugar_target_ty(d, s->for_.target, iter->ty));
    d->out = before;
    desugar_body_to(d, &body, s->for_.body);
    desugar_put(d, stmt_for(d->arena, s->at, target, iter, desugar_stmts(d, s->at, body),
                            (StmtList){0}));
}

// A test that takes statements is made in the loop.
static void lower_while_loop(Desugar *d, const Stmt *s)
{
    Block body = {0}, leave = {0}, *before = d->out;
    if (!desugar_needs(d, s->while_.test)) {
        const Expr *test = desugar_expr(d, s->while_.test);
        desugar_put(d, stmt_while(d->arena, s->at, test, desugar_body(d, s->at, s->while_.body),
                                  (StmtList){0}));
        return;
    }
    d->out = &body;
    const Expr *test = desugar_test(d, s->while_.test);
    vec_push(d->arena, &leave, stmt_break(d->arena, test->at));
    desugar_if(d, test->at, desugar_negated(d, test), leave, (Block){0});
    d->out = before;
    desugar_body_to(d, &body, s->while_.body);
    desugar_put(d, stmt_while(d->arena, s->at, desugar_bool(d, s->while_.test->at, true),
                              desugar_stmts(d, s->at, body), (StmtList){0}));
}

// Its `else` runs unless a `break` has set the flag.
static void lower_loop(Desugar *d, const Stmt *s)
{
    bool is_for = s->kind == STMT_FOR;
    StmtList body = is_for ? s->for_.body : s->while_.body;
    StmtList orelse = is_for ? s->for_.orelse : s->while_.orelse;
    bool leaves_several = is_for && desugar_is_lazy(d, s);
    bool flag = (orelse.len > 0 || leaves_several) && has_break(body);
    Sym around = d->broken, broken = flag ? desugar_fresh(d, "broken") : NULL;
    if (flag)
        desugar_set(d, s->at, broken, desugar_bool(d, s->at, false));
    d->broken = broken;
    if (is_for)
        lower_for_loop(d, s);
    else
        lower_while_loop(d, s);
    d->broken = around;
    if (!flag) {
        desugar_body_to(d, d->out, orelse);
    } else if (orelse.len > 0) {
        Block block = {0};
        desugar_body_to(d, &block, orelse);
        const Expr *test = desugar_name(d, s->at, broken, desugar_ty(d, "bool"));
        desugar_if(d, s->at, desugar_not(d, test), block, (Block){0});
    }
}

// ---- exceptions ----

static void lower_try(Desugar *d, const Stmt *s)
{
    Vec(const Excepthandler *) handlers = {0};
    StmtList body = desugar_body(d, s->at, s->try.body);
    for (size_t i = 0; i < s->try.handlers.len; i++) {
        const Excepthandler *h = s->try.handlers.at[i];
        const Expr *type = h->except_handler.type;
        if (type)
            type = desugar_expr(d, type);
        StmtList block;
        Sym name = desugar_caught(d, h, &block);
        block = desugar_body(d, h->at, block);
        const Excepthandler *done =
            excepthandler_except_handler(d->arena, h->at, type, name, block);
        vec_push(d->arena, &handlers, excepthandler_with_ty(d->arena, done, h->ty));
    }
    StmtList orelse = desugar_body(d, s->at, s->try.orelse);
    StmtList finalbody = desugar_body(d, s->at, s->try.finalbody);
    desugar_put(d, stmt_try(d->arena, s->at, body,
                            (ExcepthandlerList){handlers.at, handlers.len}, orelse, finalbody));
}

// `raise X` as `raise X()`.
static const Expr *instance(Desugar *d, const Expr *e)
{
    return desugar_is_class(d, e) ? desugar_call(d, e, (ExprList){0}, desugar_instance_ty(d, e))
                                  : e;
}

static void lower_raise(Desugar *d, const Stmt *s)
{
    const Expr *both[] = {s->raise.exc, s->raise.cause};
    for (size_t i = 0; i < 2; i++)
        if (both[i])
            both[i] = instance(d, both[i]);
    desugar_operands(d, 2, both);
    desugar_put(d, stmt_raise(d->arena, s->at, both[0], both[1]));
}

static void lower_assert(Desugar *d, const Stmt *s)
{
    const Expr *test = desugar_negated(d, desugar_test(d, s->assert.test));
    Block body = {0}, *before = d->out;
    ExprList args = {0};
    d->out = &body;
    const Expr *message = s->assert.msg ? desugar_expr(d, s->assert.msg) : NULL;
    if (message)
        args = desugar_list(d, 1, &message);
    const Expr *class_ = desugar_builtin(d, s->at, "AssertionError");
    desugar_put(d, stmt_raise(d->arena, s->at,
                              desugar_call(d, class_, args, desugar_ty(d, "AssertionError")),
                              NULL));
    d->out = before;
    desugar_if(d, s->at, test, body, (Block){0});
}

// ---- all statements ----

static void lower_expr_stmt(Desugar *d, const Stmt *s)
{
    const Expr *e = s->expr.value, *value = desugar_expr(d, e);
    bool done = desugar_needs(d, e) && value->kind == EXPR_NAME;
    if (!done)
        desugar_put(d, stmt_expr(d->arena, s->at, value));
}

static void lower_return(Desugar *d, const Stmt *s)
{
    const Expr *value = s->return_.value;
    desugar_put(d, value ? stmt_return(d->arena, s->at, desugar_expr_as(d, value, d->returns))
                         : s);
}

static void lower_break(Desugar *d, const Stmt *s)
{
    if (d->broken)
        desugar_set(d, s->at, d->broken, desugar_bool(d, s->at, true));
    desugar_put(d, s);
}

static void lower_offer(Desugar *d, const Stmt *s)
{
    Vec(const OfferArm *) arms = {0};
    const Expr *channel = desugar_expr(d, s->offer.channel);
    for (size_t i = 0; i < s->offer.arms.len; i++) {
        const OfferArm *arm = s->offer.arms.at[i];
        vec_push(d->arena, &arms, offer_arm_new(d->arena, arm->at, arm->label,
                                                desugar_body(d, arm->at, arm->body)));
    }
    desugar_put(d, stmt_offer(d->arena, s->at, channel, s->offer.enum_,
                              (OfferArmList){arms.at, arms.len}));
}

static void lower_stmt(Desugar *d, const Stmt *s)
{
    switch (s->kind) {
    case STMT_FUNCTION_DEF: lower_function(d, s); return;
    case STMT_CLASS_DEF:    lower_class(d, s); return;
    case STMT_RETURN:       lower_return(d, s); return;
    case STMT_DELETE:       desugar_delete(d, s); return;
    case STMT_ASSIGN:       desugar_assign(d, s); return;
    case STMT_AUG_ASSIGN:   desugar_aug_assign(d, s); return;
    case STMT_ANN_ASSIGN:   desugar_ann_assign(d, s); return;
    case STMT_FOR: case STMT_WHILE: lower_loop(d, s); return;
    case STMT_IF:           lower_if(d, s); return;
    case STMT_WITH:         desugar_with(d, s); return;
    case STMT_MATCH:        desugar_match(d, s); return;
    case STMT_RAISE:        lower_raise(d, s); return;
    case STMT_TRY:          lower_try(d, s); return;
    case STMT_ASSERT:       lower_assert(d, s); return;
    case STMT_EXPR:         lower_expr_stmt(d, s); return;
    case STMT_BREAK:        lower_break(d, s); return;
    case STMT_OFFER:        lower_offer(d, s); return;
    case STMT_ASYNC_FUNCTION_DEF: case STMT_TYPE_ALIAS: case STMT_ASYNC_FOR: case STMT_ASYNC_WITH:
    case STMT_TRY_STAR: case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_GLOBAL:
    case STMT_NONLOCAL: case STMT_PASS: case STMT_CONTINUE: case STMT_CHOREO: case STMT_STOPPED:
    case STMT_TAPE: case STMT_KEEP: case STMT_BACK: case STMT_COUNT:
        break;
    }
    desugar_put(d, s);
}
