// c_not_implemented.c - `return NotImplemented`: a method of an operator leaves it to the other
// operand.
//
// The method notes that in `pychoral_declined` (runtime/c/builtins/call.h), and returns zero bits;
// whoever applies the operator looks there, and goes on as Python does. Called by its name the
// method would give NotImplemented as a value: that is refused, but for `return super().__eq__(x)`.

#include "compiler/emit/c/c_call.h"

static bool is_not_implemented(CEmit *c, const Expr *e)
{
    return e->kind == EXPR_NAME && sym_is(e->name.id, "NotImplemented")
           && c_find_variable(c, e->name.id) == NULL && c_global(c, e->name.id) == NULL;
}

// `+` and its like, and comparisons: they may be left to the other operand.
static bool is_operator(Sym method)
{
    static const char *const NAMES[] = {
        "eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul", "matmul", "truediv", "floordiv",
        "mod", "pow", "lshift", "rshift", "and", "or", "xor", NULL};
    size_t len = strlen(method);
    for (size_t i = 0; NAMES[i] != NULL; i++) {
        size_t own = strlen(NAMES[i]);
        bool swapped = len == own + 5 && method[2] == 'r';
        if ((len == own + 4 || swapped) && strncmp(method, "__", 2) == 0
            && strncmp(method + 2 + swapped, NAMES[i], own) == 0
            && strcmp(method + len - 2, "__") == 0)
            return true;
    }
    return false;
}

typedef struct Search { CEmit *c; bool found; } Search;

static bool note_name(void *cx, const Expr *e)
{
    Search *search = cx;
    search->found = search->found || is_not_implemented(search->c, e);
    return true;
}

static bool declines(CEmit *c, const CMethod *m)
{
    Search search = {c, false};
    IrWalker w = {.cx = &search, .expr = note_name};
    ir_walk_stmts(&w, m->def->function_def.body);
    return search.found;
}

bool c_may_decline(CEmit *c, const CMethod *m)
{
    if (m == NULL || !is_operator(m->name))
        return false;
    bool may = declines(c, m);
    ClassVec all = c_deriving(c, m->owner);
    for (size_t i = 0; !may && i < all.len; i++) {
        const CMethod *other = c_find_method(all.at[i], m->name);
        may = other != NULL && declines(c, other);
    }
    return may;
}

// `return x if .. else NotImplemented`.
static void return_either(CEmit *c, const Stmt *s)
{
    const Expr *value = s->return_.value;
    const Stmt **arms = ARENA_ARRAY(c->arena, const Stmt *, 2);
    arms[0] = stmt_return(c->arena, s->at, value->if_exp.body);
    arms[1] = stmt_return(c->arena, s->at, value->if_exp.orelse);
    (void)c_stmt(c, stmt_if(c->arena, s->at, value->if_exp.test, (StmtList){arms, 1},
                            (StmtList){arms + 1, 1}));
}

bool c_return_declined(CEmit *c, const Stmt *s)
{
    const Expr *value = s->return_.value;
    if (value != NULL && value->kind == EXPR_IF_EXP
        && (is_not_implemented(c, value->if_exp.body)
            || is_not_implemented(c, value->if_exp.orelse))) {
        return_either(c, s);
        return true;
    }
    if (value == NULL || !is_not_implemented(c, value))
        return false;
    const CFunction *f = c->function;
    bool of_operator = f->owner != NULL && f->def != NULL && f->takes_self
                       && is_operator(f->def->function_def.name);
    if (!of_operator || c->finally != NULL) {
        (void)c_refuse(c, s->at, of_operator ? "the C target does not support `return "
                                               "NotImplemented` in a `try` with a `finally`, or in "
                                               "a `with`"
                       : "the C target supports `NotImplemented` only as the result of an operator "
                         "method, such as `__eq__`");
        return true;
    }
    c_line(c, "pychoral_declined = true;\nreturn%s%s;", rep_passed(f->result) ? " " : "",
           rep_passed(f->result) ? rep_zero(c, f->result) : "");
    return true;
}

void c_check_direct(CEmit *c, const CMethod *m, Span at)
{
    bool returned = c->returned != NULL && c->returned->kind == EXPR_CALL
                    && c->returned->at.start == at.start;
    if (!returned && c_may_decline(c, m))
        (void)c_refuse(c, at, "`%s` may return `NotImplemented`, which the C target does not have "
                       "as a value\nuse the operator, such as `==`, instead of calling `%s`",
                       m->name, m->name);
}

// What nobody knows how to do.
static void put_refused(CEmit *c, const char *sign, Value l, Value r)
{
    const char *left = c_ref(c, l), *right = c_ref(c, r);
    c_line(c, "pychoral_not_supported(\"%s\", %s, %s);", sign, left, right);
    c_check(c);
}

Value c_operator_call(CEmit *c, const Expr *e, const char *sign, CMethod *m, CMethod *swapped,
                      Value l, Value r)
{
    if (!c_may_decline(c, m) && (m != NULL || !c_may_decline(c, swapped)))
        return m != NULL ? c_user_call_values(c, e->at, m, &l, &r, 1)
                         : c_user_call_values(c, e->at, swapped, &r, &l, 1);
    l = c_place(c, l);
    r = c_place(c, r);
    CMethod *first = m != NULL ? m : swapped;
    const Rep *rep = c_method_on(c, first, (m != NULL ? l : r).rep->class_)->result;
    Value out = c_open_or_none(c, rep);
    c_put_result(c, out, c_user_call_values(c, e->at, first, m != NULL ? &l : &r,
                                            m != NULL ? &r : &l, 1), e->at);
    c_line(c, "if (pychoral_declines()) {");
    c->out->indent++;
    if (m != NULL && swapped != NULL) {
        Value other = c_user_call_values(c, e->at, swapped, &r, &l, 1);
        if (other.rep != rep)
            (void)c_refuse(c, e->at, "the C target cannot tell whether `%s` or `%s` is called "
                           "here, but they return different types", m->name, swapped->name);
        c_put_result(c, out, other, e->at);
        if (c_may_decline(c, swapped)) {
            c_line(c, "if (pychoral_declines()) {");
            c->out->indent++;
            put_refused(c, sign, l, r);
            c->out->indent--;
            c_line(c, "}");
        }
    } else {
        put_refused(c, sign, l, r);
    }
    c->out->indent--;
    c_line(c, "}");
    return out;
}
