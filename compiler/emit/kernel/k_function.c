// k_function.c - functions: which are reached, which need the Call, which may be deep; their text.
//
// A function needs the Call if it may raise, takes memory, or calls one that does; that is known
// when its body has been printed, so bodies are printed twice. One that may call itself looks at
// the stack first, and goes on with the next one when little is left.

#include "compiler/base/qualified.h"
#include "compiler/emit/kernel/k_internal.h"

void k_functions_collect(Kernel *k, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        if (body.at[i]->kind != STMT_FUNCTION_DEF)
            continue;
        KFunction *f = ARENA_NEW(k->arena, KFunction);
        *f = (KFunction){.name = body.at[i]->function_def.name, .def = body.at[i]};
        for (size_t j = 0; j < k->o->public.len; j++)
            f->public |= k->o->public.at[j] == f->name;
        f->c = k_global_name(k, f->name);
        table_set(k->functions, f->name, f);
        vec_push(k->arena, &k->all_functions, f);
    }
}

// ---- the call graph ----

typedef struct Reach { Kernel *k; KFunction *from; } Reach;

static bool reach_call(void *cx, const Expr *e)
{
    Reach *r = cx;
    bool name = e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME;
    KFunction *f = name ? table_get(r->k->functions, e->call.func->name.id) : NULL;
    if (f != NULL)
        vec_push(r->k->arena, &r->from->callees, f);
    return true;
}

static void reach(Kernel *k, KFunction *f)
{
    Vec(KFunction *) todo = {0};
    vec_push(k->arena, &todo, f);
    f->reached = true;
    while (todo.len > 0) {
        KFunction *at = todo.at[--todo.len];
        Reach r = {k, at};
        IrWalker w = {.cx = &r, .expr = reach_call};
        ir_walk_stmts(&w, at->def->function_def.body);
        for (size_t i = 0; i < at->callees.len; i++)
            if (!at->callees.at[i]->reached) {
                at->callees.at[i]->reached = true;
                vec_push(k->arena, &todo, at->callees.at[i]);
            }
    }
}

static bool reaches(Kernel *k, const KFunction *f, const KFunction *to)
{
    Table *seen = table_new(k->arena);
    Vec(const KFunction *) todo = {0};
    vec_push(k->arena, &todo, f);
    while (todo.len > 0) {
        const KFunction *at = todo.at[--todo.len];
        for (size_t i = 0; i < at->callees.len; i++) {
            if (at->callees.at[i] == to)
                return true;
            if (table_get(seen, at->callees.at[i]) == NULL)
                vec_push(k->arena, &todo, at->callees.at[i]);
            table_set(seen, at->callees.at[i], k);
        }
    }
    return false;
}

static void spread_calls(Kernel *k)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < k->all_functions.len; i++) {
            KFunction *f = k->all_functions.at[i];
            for (size_t j = 0; j < f->callees.len && !f->calls; j++)
                changed |= f->calls = f->callees.at[j]->calls;
        }
    }
}

// ---- text ----

const KType *k_result_type(Kernel *k, KFunction *f)
{
    const Expr *returns = f->def->function_def.returns;
    if (f->result == NULL)
        f->result = returns ? k_type(k, returns->ty, returns->at) : k_simple(k, K_NONE);
    return f->result;
}

const Arg *k_param(const KFunction *f, size_t i)
{
    const Arguments *args = f->def->function_def.args;
    size_t first = args->posonlyargs.len;
    return i < first ? args->posonlyargs.at[i]
           : i - first < args->args.len ? args->args.at[i - first] : NULL;
}

const char *k_body_name(Kernel *k, KFunction *f)
{
    if (!f->public || k_is_plain(k, f))
        return f->c;
    if (f->body == NULL)
        f->body = k_global_name(k, k_text(k, "%s_body", f->c));
    return f->body;
}

const char *k_twin_param(Kernel *k, Sym param)
{
    const KLocal *l = table_get(k->locals, param);
    return l ? l->twin : NULL;
}

const char *k_answer_c(Kernel *k, KFunction *f)
{
    const KType *t = k_result_type(k, f);
    return !f->tapes ? t->c : t->kind == K_NONE ? "char *" : k_text(k, "%s_answer ", f->c);
}

const char *k_answer(Kernel *k, const char *result)
{
    KFunction *f = k->function;
    const KType *t = k_result_type(k, f);
    if (!f->tapes)
        return result;
    return t->kind == K_NONE ? k->top : k_text(k, "(%s_answer){%s, %s}", f->c, result, k->top);
}

static void put_answer(Kernel *k, Buf *b, KFunction *f)
{
    const KType *t = k_result_type(k, f);
    if (f->tapes && t->kind != K_NONE)
        buf_printf(b, "typedef struct %s_answer { %sresult; char *top; } %s_answer;\n", f->c, t->c,
                   f->c);
}

static const char *signature(Kernel *k, KFunction *f)
{
    Buf b = buf_new(k->arena);
    bool exported = f->public && k_is_plain(k, f);
    const char *kind = exported ? "" : "static ";
    buf_printf(&b, "%s%s%s(%s", kind, k_answer_c(k, f), k_body_name(k, f),
               f->calls ? "Call *call" : "");
    if (f->tapes)
        buf_printf(&b, ", char *%s", k->top);
    size_t i = 0;
    for (const Arg *a; (a = k_param(f, i)) != NULL; i++) {
        KLocal *l = table_get(k->locals, a->arg);
        buf_printf(&b, "%s%s%s", i > 0 || f->calls ? ", " : "", k_param_c(k, f, a), l->c);
    }
    for (size_t j = 0; j < i; j++) {
        KLocal *l = table_get(k->locals, k_param(f, j)->arg);
        if (l->twin != NULL)
            buf_printf(&b, ", %s%s", l->type->c, l->twin);
    }
    buf_puts(&b, i == 0 && !f->calls ? "void)" : ")");
    return buf_text(&b);
}

static void put_copying(Kernel *k, Buf *b, KFunction *f)
{
    buf_printf(b, "static void %s_copy_run(void *of)\n{\n    %s_call *a = of;\n"
               "    Maker maker = {.call = a->call};\n", f->c, f->c);
    for (size_t i = 0; k_param(f, i) != NULL; i++) {
        const Arg *a = k_param(f, i);
        const KType *t = k_type(k, a->ty, a->at);
        if (k_is_pointer(t))
            buf_printf(b, "    a->a%zu = maker_copy(&maker, a->a%zu, &%s);\n", i, i,
                       k_shape(k, t, a->at));
    }
    buf_printf(b, "    maker_finish(&maker);\n    %s_run(a);\n}\n\n", f->c);
}

// The arguments as one object, for who calls it elsewhere: a further stack, or a public function.
static void put_arguments(Kernel *k, Buf *b, KFunction *f)
{
    buf_printf(b, "typedef struct %s {\n    Call *call;\n", k_text(k, "%s_call", f->c));
    if (f->tapes)
        buf_puts(b, "    char *top;\n");
    for (size_t i = 0; k_param(f, i) != NULL; i++)
        buf_printf(b, k_has_twin(k, f, i) ? "    %sa%zu, *b%zu;\n" : "    %sa%zu;\n",
                   k_param_c(k, f, k_param(f, i)), i, i);
    buf_printf(b, "    %sresult;\n} %s_call;\n\n", k_answer_c(k, f), f->c);
    buf_printf(b, "static void %s_run(void *of)\n{\n    %s_call *a = of;\n", f->c, f->c);
    buf_printf(b, "    a->result = %s(a->call%s", k_body_name(k, f), f->tapes ? ", a->top" : "");
    for (size_t i = 0; k_param(f, i) != NULL; i++)
        buf_printf(b, ", a->a%zu", i);
    for (size_t i = 0; k_param(f, i) != NULL; i++)
        if (k_has_twin(k, f, i))
            buf_printf(b, ", a->b%zu", i);
    buf_puts(b, ");\n}\n\n");
    if (f->copies)
        put_copying(k, b, f);
}

void k_put_guard(Kernel *k)
{
    KFunction *f = k->function;
    Buf b = buf_new(k->arena);
    for (size_t i = 0; k_param(f, i) != NULL; i++) {
        KLocal *l = table_get(k->locals, k_param(f, i)->arg);
        buf_printf(&b, ", .a%zu = %s", i, l->c);
    }
    const char *a = k_local_name(k, "arguments");
    k_line_out(k, "if (is_deep(call)) {");
    k_line_out(k, "    %s_call %s = {.call = call%s%s%s};", f->c, a, f->tapes ? ", .top = " : "",
               f->tapes ? k->top : "", buf_text(&b));
    k_line_out(k, "    go_on(%s%s_run, &%s);", k_call_line(k, f->def->at), f->c, a);
    k_line_out(k, "    return %s.result;", a);
    k_line_out(k, "}");
}

static bool ends(StmtList body)
{
    const Stmt *last = body.len > 0 ? body.at[body.len - 1] : NULL;
    if (last != NULL && last->kind == STMT_IF)
        return ends(last->if_.body) && ends(last->if_.orelse);
    return last != NULL && (last->kind == STMT_RETURN || last->kind == STMT_RAISE);
}

// ---- where a deep function looks at the stack ----
//
// In front of the innermost block that has all the calls that may come back to it, so that leaves
// do not pay; but not behind what may not be done twice, or changes a parameter.

static bool comes_back(Kernel *k, const KFunction *f, const KFunction *to)
{
    return f == to || (f->deep && reaches(k, f, to));
}

typedef struct Recursion { Kernel *k; bool found; } Recursion;

static bool find_recursion(void *cx, const Expr *e)
{
    Recursion *r = cx;
    bool name = e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME;
    KFunction *f = name ? table_get(r->k->functions, e->call.func->name.id) : NULL;
    r->found |= f != NULL && comes_back(r->k, f, r->k->function);
    return !r->found;
}

static bool recurses(Kernel *k, const Stmt *s)
{
    Recursion r = {.k = k};
    IrWalker w = {.cx = &r, .expr = find_recursion};
    ir_walk_stmt(&w, s);
    return r.found;
}

// It may be done twice: it sets a variable to what calls no function of the unit.
static bool is_repeatable(Kernel *k, const KFunction *f, const Stmt *s)
{
    const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0] : NULL;
    if (target == NULL || target->kind != EXPR_NAME || k_acts(k, s->assign.value))
        return false;
    for (size_t i = 0; k_param(f, i) != NULL; i++)
        if (k_param(f, i)->arg == target->name.id)
            return false;
    return true;
}

static const Stmt *first_recursion(Kernel *k, StmtList body)
{
    const Stmt *only = NULL;
    bool more = false;
    for (size_t i = 0; i < body.len; i++)
        if (recurses(k, body.at[i])) {
            more |= only != NULL;
            only = only ? only : body.at[i];
        }
    for (size_t i = 0; only != NULL && body.at[i] != only; i++) {
        const Stmt *s = body.at[i];
        bool leaf = s->kind == STMT_IF && s->if_.orelse.len == 0 && ends(s->if_.body);
        if (!leaf && !is_repeatable(k, k->function, s))
            return s;
    }
    if (only == NULL || only->kind != STMT_IF || more)
        return only;
    bool in_body = false, in_orelse = false;
    for (size_t i = 0; i < only->if_.body.len; i++)
        in_body |= recurses(k, only->if_.body.at[i]);
    for (size_t i = 0; i < only->if_.orelse.len; i++)
        in_orelse |= recurses(k, only->if_.orelse.at[i]);
    if (in_body == in_orelse)
        return only;
    return first_recursion(k, in_body ? only->if_.body : only->if_.orelse);
}

static void put_body(Kernel *k, KFunction *f)
{
    for (size_t i = 0; k_param(f, i) != NULL; i++) {
        KLocal *l = table_get(k->locals, k_param(f, i)->arg);
        if (!l->read)
            k_line_out(k, "(void)%s;", l->c);
    }
    k->guarded = f->deep ? first_recursion(k, f->def->function_def.body) : NULL;
    k_block(k, f->def->function_def.body);
    const KType *t = k_result_type(k, f);
    bool by_value = t->kind == K_TUPLE || t->kind == K_UNION;
    const char *zero = by_value ? k_text(k, "(%s)%s", t->name, k_zero(t)) : k_zero(t);
    if (!ends(f->def->function_def.body))
        k_line_out(k, "return %s;", k_answer(k, zero));
}

static void print_function(Kernel *k, Buf *declarations, Buf *b, KFunction *f)
{
    Buf body = buf_new(k->arena);
    body.indent = 1;
    k->function = f;
    k->out = &body;
    k->temps = 0;
    k->loop = NULL;
    f->asks = false;
    k_scope(k, f);
    k->top = f->tapes || f->holds ? k_local_name(k, "top") : NULL;
    const char *head = signature(k, f);
    put_body(k, f);
    const char *unread = f->calls && !f->asks ? "    (void)call;\n" : "";
    if (f->deep || (f->public && f->calls))
        put_arguments(k, b, f);
    put_answer(k, declarations, f);
    buf_printf(declarations, "%s;\n", head);
    buf_printf(b, "// %s, line %d\n%s\n{\n%s%s}\n\n", unqualified(f->name),
               k_line(k, f->def->at), head, unread, buf_text(&body));
}

// Where the derivative copies the inputs, the function itself must not change them either. What is
// answered must not be what the caller has given.
static void find_copies(Kernel *k)
{
    bool any = false;
    for (size_t i = 0; i < k->all_functions.len; i++) {
        KFunction *f = k->all_functions.at[i];
        any |= f->copied || (f->public && k_answers_data(k, f));
    }
    for (size_t i = 0; i < k->all_functions.len && any; i++) {
        KFunction *f = k->all_functions.at[i];
        bool saved = k_param(f, 0) != NULL
                     && k_is_saved(k, k_type(k, k_param(f, 0)->ty, f->def->at));
        f->copies = f->public && !f->copied && !saved;
        f->calls |= f->copies;
    }
}

void k_print_functions(Kernel *k, Buf *declarations, Buf *b)
{
    k_find_tapes(k);
    for (size_t i = 0; i < k->all_functions.len; i++)
        if (k->all_functions.at[i]->public)
            reach(k, k->all_functions.at[i]);
    for (size_t i = 0; i < k->all_functions.len; i++)
        k->all_functions.at[i]->deep =
            reaches(k, k->all_functions.at[i], k->all_functions.at[i]);
    k_find_rooms(k);
    for (int round = 0; round < 2; round++) {
        *declarations = buf_new(k->arena);
        *b = buf_new(k->arena);
        k->makers = buf_new(k->arena);
        k->shape_heads = k->shape_bodies = buf_new(k->arena);
        k->shapes = table_new(k->arena);
        for (size_t i = 0; i < k->all_classes.len; i++)
            k->all_classes.at[i]->made = false;
        for (size_t i = 0; i < k->all_functions.len; i++)
            if (k->all_functions.at[i]->reached)
                print_function(k, declarations, b, k->all_functions.at[i]);
        find_copies(k);
        spread_calls(k);
    }
}
