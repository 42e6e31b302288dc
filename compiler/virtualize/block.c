// block.c - `with`, `try`, `match`.

#include "compiler/virtualize/internal.h"
#include "parser.h"

void rewrite_with(Virt *v, const Stmt *s)
{
    for (size_t i = 0; i < s->with.items.len; i++) {
        rewrite_expr(v, s->with.items.at[i]->context_expr);
        if (s->with.items.at[i]->optional_vars != NULL)
            rewrite_target(v, s->with.items.at[i]->optional_vars);
    }
    rewrite_stmts(v, s->with.body);
}

void rewrite_try(Virt *v, const Stmt *s)
{
    rewrite_stmts(v, s->try.body);
    for (size_t i = 0; i < s->try.handlers.len; i++) {
        rewrite_expr(v, s->try.handlers.at[i]->except_handler.type);
        rewrite_stmts(v, s->try.handlers.at[i]->except_handler.body);
    }
    rewrite_stmts(v, s->try.orelse);
    rewrite_stmts(v, s->try.finalbody);
}

void rewrite_match(Virt *v, const Stmt *s)
{
    rewrite_expr(v, s->match.subject);
    for (size_t i = 0; i < s->match.cases.len; i++) {
        if (s->match.cases.at[i]->guard != NULL)
            rewrite_test(v, s->match.cases.at[i]->guard);
        rewrite_stmts(v, s->match.cases.at[i]->body);
    }
}
