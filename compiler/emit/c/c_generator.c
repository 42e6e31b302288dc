// c_generator.c - functions that yield. Such a function is two in C: one that makes the generator
// and puts its arguments into it, and its body, which the generator runs on a stack of its own.

#include "compiler/emit/c/c_internal.h"

// ---- which functions they are ----

static bool note_yield(void *cx, const Expr *e)
{
    bool *found = cx;
    *found |= e->kind == EXPR_YIELD || e->kind == EXPR_YIELD_FROM;
    return e->kind != EXPR_LAMBDA;
}

static bool is_no_function(void *cx, const Stmt *s)
{
    (void)cx;
    return s->kind != STMT_FUNCTION_DEF;
}

bool c_yields(const Stmt *def)
{
    bool found = false;
    IrWalker w = {.cx = &found, .expr = note_yield, .stmt = is_no_function};
    ir_walk_stmts(&w, def->function_def.body);
    return found;
}

// What it yields, as its result type says.
static const Rep *yielded_rep(CEmit *c, const CFunction *f)
{
    const Expr *returns = f->def->function_def.returns;
    const Ty *t = returns != NULL ? c_ty(c, c_annotation(c, returns)) : NULL;
    if (t == NULL || t->kind != TY_NAMED || t->named.args.len == 0)
        return rep_named(c, "object");
    const Rep *item = rep_of(c, t->named.args.at[0], f->def->at);
    return item->kind == REP_NONE ? rep_named(c, "object") : item;     // which has room
}

// ---- the function that makes it ----

typedef struct Parts { const Rep **at; const char **names; size_t count; } Parts;

// The arguments that the generator keeps; of a nested function itself, too.
static Parts kept_parts(CEmit *c, const CFunction *f)
{
    Parts p = {ARENA_ARRAY(c->arena, const Rep *, f->params.len + 1),
               ARENA_ARRAY(c->arena, const char *, f->params.len + 1), 0};
    if (f->is_nested) {
        p.at[0] = c_function_rep(c, f);
        p.names[p.count++] = "self_function";
    }
    for (size_t i = 0; i < f->params.len; i++)
        if (rep_passed(f->params.at[i])) {
            p.at[p.count] = f->params.at[i];
            p.names[p.count++] = c_identifier(c, f->names.at[i]);
        }
    return p;
}

static void print_run(CEmit *c, const CFunction *f, const Rep *held)
{
    const char *args = "";
    for (size_t i = 0; held != NULL && i < held->count; i++)
        args = c_text(c, "%s%sgiven->item%zu", args, i ? ", " : "", i);
    buf_printf(&c->prototypes, "static void %s_run(void *arguments);\n", f->c_name);
    c_line(c, "\nstatic void %s_run(void *arguments)\n{", f->c_name);
    if (held == NULL)
        c_line(c, "    (void)arguments;");
    else
        c_line(c, "    const %s*given = arguments;", held->type);
    c_line(c, "    %s_body(%s);\n}", f->c_name, args);
}

static const char *maker_head(CEmit *c, const CFunction *f, const Parts *p)
{
    const char *params = "";
    for (size_t i = 0; i < p->count; i++)
        params = c_text(c, "%s%s%s%s", params, i ? ", " : "", p->at[i]->type, p->names[i]);
    return c_text(c, "static %s%s(%s)", f->result->type, f->c_name, p->count ? params : "void");
}

static void put_arguments(CEmit *c, const Parts *p, const Rep *held)
{
    const char *items = "";
    for (size_t i = 0; i < p->count; i++)
        items = c_text(c, "%s%s.item%zu = %s", items, i ? ", " : "", i,
                       p->at[i]->keep ? c_text(c, "%s(%s)", p->at[i]->keep, p->names[i])
                                      : p->names[i]);
    c_line(c, "*(%s*)pychoral_generator_arguments(generator) = (%s){%s};", held->type, held->name,
           items);
}

static void print_maker(CEmit *c, const CFunction *f, const Rep *yields)
{
    Parts p = kept_parts(c, f);
    const Rep *held = p.count > 0 ? rep_tuple(c, p.at, p.count) : NULL;
    const Rep *iterator = rep_iterator(c, yields);
    print_run(c, f, held);
    const char *head = maker_head(c, f, &p);
    buf_printf(&c->prototypes, "%s;\n", head);
    c_line(c, "\n%s\n{", head);
    c->out->indent++;
    bool other = f->result->kind == REP_OBJECT;
    c_line(c, "%sPychoralIterator *generator = pychoral_generator_new(%s, %s, %s_run);",
           other ? "PYCHORAL_OWNED(object) " : "", iterator->row, held ? held->row : "NULL",
           f->c_name);
    if (held != NULL)
        put_arguments(c, &p, held);
    c_line(c, "return %s;", other ? c_text(c, "pychoral_any(%s, &generator)", iterator->row)
           : f->result->kind == REP_FOREIGN ? "pychoral_manager_new(generator)" : "generator");
    c->out->indent--;
    c_line(c, "}");
}

CFunction *c_generator_body(CEmit *c, const CFunction *f)
{
    CFunction *body = ARENA_NEW(c->arena, CFunction);
    const Rep *yields = yielded_rep(c, f);
    bool known = f->result->kind == REP_ITERATOR || f->result->kind == REP_OBJECT
                 || (f->result->kind == REP_FOREIGN && f->result == rep_manager(c));
    if (!known && f->def->function_def.returns == NULL)
        (void)c_refuse(c, f->def->at, "the C target needs a return annotation for the generator "
                       "`%s`\nwrite `-> Iterator[..]`", f->def->function_def.name);
    else if (!known)
        (void)c_refuse(c, f->def->at, "the C target does not support the return type of this "
                       "generator\nwrite `-> Iterator[..]`");
    else
        print_maker(c, f, yields);
    *body = *f;
    body->c_name = c_text(c, "%s_body", f->c_name);
    body->result = rep_named(c, "None");
    body->yields = yields;
    return body;
}

// ---- yield ----

static const Rep *rep_to_yield(CEmit *c, const Expr *e)
{
    if (c->function != NULL && c->function->yields != NULL)
        return c->function->yields;
    (void)c_refuse(c, e->at, "the C target supports `yield` only in a function defined with `def`");
    return rep_named(c, "object");
}

static Value nothing(CEmit *c)
{
    c_check(c);
    return c_lasting(c_value(rep_named(c, "None"), "0", HOLD_PLAIN));
}

Value c_yield(CEmit *c, const Expr *e)
{
    const Rep *rep = rep_to_yield(c, e);
    const Expr *value = e->yield.value;
    Value v = value != NULL ? c_expr_as(c, value, rep)
        : c_convert(c, c_lasting(c_value(rep_named(c, "None"), "0", HOLD_PLAIN)), rep, e->at);
    c_line(c, "pychoral_yield(%s, %s);", rep->row, c_address(c, c_place(c, c_steady(c, v))));
    return nothing(c);
}

Value c_yield_from(CEmit *c, const Expr *e)
{
    const Rep *rep = rep_to_yield(c, e);
    Value v = c_expr(c, e->yield_from.value);
    v = c_convert(c, v, rep_iterator(c, rep), e->at);
    c_line(c, "pychoral_yield_from(%s, %s);", rep->row, c_borrowed(c, c_steady(c, v)));
    return nothing(c);
}
