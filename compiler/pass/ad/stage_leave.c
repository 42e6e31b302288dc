// stage_leave.c - loops that leave a round, or all rounds, early. `continue` masks what follows in
// the round, `break` also the rounds after it. A `while` that counts is a `for`.

#include "compiler/pass/ad/stage_internal.h"

#include <string.h>

// ---- continue ----

// A statement of a kind that belongs to the loop of this body.
static bool has(StmtList body, StmtKind kind)
{
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == kind ||
            (body.at[i]->kind == STMT_IF && (has(body.at[i]->if_.body, kind) ||
                                             has(body.at[i]->if_.orelse, kind))))
            return true;
    return false;
}

static bool ends_round(StmtList body)
{
    const Stmt *last = body.len > 0 ? body.at[body.len - 1] : NULL;
    return last != NULL &&
           (last->kind == STMT_CONTINUE || (last->kind == STMT_IF && ends_round(last->if_.body) &&
                                            ends_round(last->if_.orelse)));
}

// Bodies without `continue`.
typedef struct Continues { Stage *s; int copies; } Continues;

static StmtList without_continue(Continues *c, StmtList body, StmtList rest);

// What follows an `if` that has a `continue` is put into its arms: a copy, if both go on.
static const Stmt *with_rest(Continues *c, const Stmt *stmt, StmtList rest)
{
    enum { MAX_COPIES = 8 };
    Stage *s = c->s;
    bool both = !ends_round(stmt->if_.body) && !ends_round(stmt->if_.orelse);
    c->copies += both && rest.len > 0;
    if (c->copies > MAX_COPIES) {
        if (!s->failed)
            (void)stage_refuse(s, stmt->at, "too many branches of this loop have a `continue` "
                               "inside another `if`\nuse one `if` with `and` for both tests");
        return stmt;
    }
    return stmt_if(s->arena, stmt->at, stmt->if_.test, without_continue(c, stmt->if_.body, rest),
                   without_continue(c, stmt->if_.orelse, rest));
}

// body and then rest.
static StmtList without_continue(Continues *c, StmtList body, StmtList rest)
{
    Arena *a = c->s->arena;
    Vec(const Stmt *) all = {0};
    for (size_t i = 0; i < body.len + rest.len; i++) {
        const Stmt *stmt = i < body.len ? body.at[i] : rest.at[i - body.len];
        if (stmt->kind == STMT_CONTINUE)
            break;
        if (!has((StmtList){&stmt, 1}, STMT_CONTINUE)) {
            vec_push(a, &all, stmt);
            continue;
        }
        Vec(const Stmt *) left = {0};
        while (++i < body.len + rest.len)
            vec_push(a, &left, i < body.len ? body.at[i] : rest.at[i - body.len]);
        vec_push(a, &all, with_rest(c, stmt, (StmtList){left.at, left.len}));
    }
    return (StmtList){all.at, all.len};
}

// ---- break ----

static StmtList without_break(Stage *s, StmtList body, Sym flag)
{
    Arena *a = s->arena;
    Vec(const Stmt *) all = {0};
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *stmt = body.at[i];
        if (stmt->kind == STMT_BREAK) {
            const Expr *to = expr_name(a, stmt->at, flag, EXPR_CONTEXT_STORE);
            vec_push(a, &all, stmt_assign(a, stmt->at, term_list(s->t, to, NULL),
                                          expr_constant(a, stmt->at, const_bool(a, true), NULL)));
            stmt = stmt_continue(a, stmt->at);
        } else if (stmt->kind == STMT_IF) {
            stmt = stmt_if(a, stmt->at, stmt->if_.test, without_break(s, stmt->if_.body, flag),
                           without_break(s, stmt->if_.orelse, flag));
        }
        vec_push(a, &all, stmt);
    }
    return (StmtList){all.at, all.len};
}

// A name that the program does not have.
static Sym new_name(Stage *s, Scope *scope, const char *like)
{
    const Assigned all = stage_assigned(s, s->program);
    bool taken = true;
    Sym name = NULL;
    for (size_t n = 1; taken; n++) {
        name = names_format(s->names, "%s%zu", like, n);
        taken = stage_find(scope, name) != NULL;
        for (size_t i = 0; i < all.names.len; i++)
            taken = taken || all.names.at[i] == name;
    }
    return name;
}

static StmtList one(Stage *s, const Stmt *stmt)
{
    Vec(const Stmt *) all = {0};
    vec_push(s->arena, &all, stmt);
    return (StmtList){all.at, all.len};
}

// for item in xs: if not stopped: target = item; ..
static const Stmt *masked(Stage *s, Scope *scope, const Stmt *loop)
{
    Arena *a = s->arena;
    Sym flag = new_name(s, scope, "stopped"), item = new_name(s, scope, "item");
    Vec(const Stmt *) body = {0};
    StmtList old = without_break(s, loop->for_.body, flag);
    table_set(scope->names, flag, value_term(s, term_bool(s->t, false)));
    vec_push(a, &body, stmt_assign(a, loop->at, term_list(s->t, loop->for_.target, NULL),
                                   expr_name(a, loop->at, item, EXPR_CONTEXT_LOAD)));
    for (size_t i = 0; i < old.len; i++)
        vec_push(a, &body, old.at[i]);
    const Expr *test = expr_unary_op(a, loop->at, UNARYOP_NOT,
                                     expr_name(a, loop->at, flag, EXPR_CONTEXT_LOAD));
    const Stmt *all = stmt_if(a, loop->at, test, (StmtList){body.at, body.len},
                              (StmtList){NULL, 0});
    return stmt_for(a, loop->at, expr_name(a, loop->at, item, EXPR_CONTEXT_STORE),
                    loop->for_.iter, one(s, all), loop->for_.orelse);
}

const Stmt *stage_whole_rounds(Stage *s, Scope *scope, const Stmt *loop, bool *breaks)
{
    *breaks = has(loop->for_.body, STMT_BREAK);
    if (*breaks)
        loop = masked(s, scope, loop);
    if (!has(loop->for_.body, STMT_CONTINUE))
        return loop;
    Continues c = {s, 0};
    return stmt_for(s->arena, loop->at, loop->for_.target, loop->for_.iter,
                    without_continue(&c, loop->for_.body, (StmtList){NULL, 0}),
                    loop->for_.orelse);
}

// ---- while ----

typedef struct Bound { Stage *s; StmtList body; bool settled; } Bound;

static bool note_bound(void *cx, const Expr *e)
{
    Bound *b = cx;
    bool length = e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME &&
                  sym_is(e->call.func->name.id, "len");
    bool shape = e->kind == EXPR_ATTRIBUTE && (sym_is(e->attribute.attr, "shape") ||
                                               sym_is(e->attribute.attr, "size"));
    const Assigned all = stage_assigned(b->s, b->body);
    for (size_t i = 0; e->kind == EXPR_NAME && i < all.names.len; i++)
        b->settled = b->settled && all.names.at[i] != e->name.id;
    b->settled = b->settled && (length || shape || e->kind == EXPR_NAME ||
                                e->kind == EXPR_CONSTANT || e->kind == EXPR_BIN_OP ||
                                e->kind == EXPR_SUBSCRIPT);
    return true;
}

static bool is_one(const Expr *e)
{
    const Const *c = e->kind == EXPR_CONSTANT ? e->constant.value : NULL;
    return c != NULL && c->kind == CONST_INT && c->text.len == 1 && c->text.at[0] == '1';
}

// while i < n: ..; i += 1, where nothing else changes i or n.
static bool counts(Stage *s, const Stmt *loop)
{
    const Expr *test = loop->while_.test;
    StmtList body = loop->while_.body, rest = {body.at, body.len - 1};
    const Stmt *last = body.at[body.len - 1];
    if (test->kind != EXPR_COMPARE || test->compare.ops.len != 1 ||
        test->compare.ops.at[0] != CMPOP_LT || test->compare.left->kind != EXPR_NAME ||
        last->kind != STMT_AUG_ASSIGN || last->aug_assign.op != OPERATOR_ADD ||
        last->aug_assign.target->kind != EXPR_NAME || !is_one(last->aug_assign.value) ||
        last->aug_assign.target->name.id != test->compare.left->name.id ||
        loop->while_.orelse.len > 0 || has(body, STMT_CONTINUE) || has(body, STMT_BREAK))
        return false;
    const Assigned all = stage_assigned(s, rest);
    Bound b = {s, body, true};
    IrWalker w = {.cx = &b, .expr = note_bound};
    ir_walk_expr(&w, test->compare.comparators.at[0]);
    for (size_t i = 0; i < all.names.len; i++)
        b.settled = b.settled && all.names.at[i] != test->compare.left->name.id;
    return b.settled;
}

// for i in range(i, n): ..; and then i has its last value. False: it is another `while`.
bool stage_while(Stage *s, Scope *scope, const Stmt *loop, Run *r)
{
    Arena *a = s->arena;
    const Expr *test = loop->while_.test;
    if (!counts(s, loop))
        return false;
    const Expr *i = test->compare.left, *n = test->compare.comparators.at[0];
    const Expr *both[] = {i, n};
    const Expr *range = expr_call(a, test->at, expr_name(a, test->at, names_get(s->names, "range"),
                                                         EXPR_CONTEXT_LOAD),
                                  (ExprList){both, 2}, (KeywordList){NULL, 0});
    const Expr *from = stage_term(s, scope, i), *to = stage_term(s, scope, n);
    const Expr *length = s->failed ? NULL : stage_binary(s, OPERATOR_SUB, to, from, test->at);
    const Ty *size = s->failed ? NULL : size_of_term(s->t, length);
    stage_for(s, scope, stmt_for(a, loop->at, expr_name(a, i->at, i->name.id, EXPR_CONTEXT_STORE),
                                 range, (StmtList){loop->while_.body.at, loop->while_.body.len - 1},
                                 (StmtList){NULL, 0}), r);
    if (s->failed || r->returned != NULL)
        return true;
    const Expr *zero = term_int(s->t, 0);
    length = size != NULL ? term_of_size(s->t, stage_clamped(s, size))
                          : stage_where(s, term_compare(s->t, CMPOP_GT, length, zero), length,
                                        zero, test->at);
    stage_bind(s, scope, i, value_term(s, stage_binary(s, OPERATOR_ADD, from, length, test->at)),
               test->at);
    return true;
}
