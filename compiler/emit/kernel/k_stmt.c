// k_stmt.c - statements and loops.

#include "compiler/emit/kernel/k_internal.h"

void k_line_out(Kernel *k, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buf_puts(k->out, arena_vformat(k->arena, format, args));
    va_end(args);
    buf_putc(k->out, '\n');
}

// ---- assignments ----

void k_assign(Kernel *k, Sym name, const char *text)
{
    KLocal *l = table_get(k->locals, name);
    if (l->declared) {
        k_line_out(k, "%s = %s;", l->c, text);
        return;
    }
    l->declared = true;
    k_line_out(k, "%s%s = %s;", l->type->c, l->c, text);
    if (!l->read)
        k_line_out(k, "(void)%s;", l->c);
}

static void assign_slice(Kernel *k, const Expr *target, const char *value)
{
    KValue of = k_expr(k, target->subscript.value);
    k_line_out(k, "%s_splice(%s, %s, %s, %s);", of.type->name, k_call(k), of.text,
               k_slice_bounds(k, target->subscript.slice),
               value ? value : k_text(k, "%s_sized(%s, 0)", of.type->name, k_call(k)));
}

static void assign(Kernel *k, const Expr *target, const Expr *value)
{
    if (target->kind == EXPR_NAME) {
        KLocal *l = table_get(k->locals, target->name.id);
        if (!k_new_array(k, target, value))
            k_assign(k, target->name.id, k_expr_as(k, value, l->type));
        return;
    }
    if (target->kind == EXPR_SUBSCRIPT && target->subscript.slice->kind == EXPR_SLICE) {
        assign_slice(k, target, k_expr(k, value).text);
        return;
    }
    if (k_acts(k, target) || (target->kind != EXPR_ATTRIBUTE && target->kind != EXPR_SUBSCRIPT)) {
        k_refuse(k, target->at, "a gradient in C does not support this assignment target");
        return;
    }
    KValue place = target->kind == EXPR_ATTRIBUTE ? k_attribute(k, target)
                                                     : k_element_target(k, target);
    k_line_out(k, "%s = %s;", place.text, k_expr_as(k, value, place.type));
}

// Of atoms: the target may be looked up twice.
static void aug_assign(Kernel *k, const Stmt *s)
{
    const Expr *e = expr_bin_op(k->arena, s->at, s->aug_assign.target, s->aug_assign.op,
                                s->aug_assign.value);
    assign(k, s->aug_assign.target,
           expr_with_ty(k->arena, e, s->aug_assign.target->ty, (SymList){0}));
}

static void delete_item(Kernel *k, const Expr *target)
{
    if (target->kind != EXPR_SUBSCRIPT) {
        k_refuse(k, target->at, "a gradient in C supports `del` only for items of lists");
        return;
    }
    if (target->subscript.slice->kind == EXPR_SLICE) {
        assign_slice(k, target, NULL);
        return;
    }
    KValue of = k_expr(k, target->subscript.value);
    const char *i = k_expr_as(k, target->subscript.slice, k_simple(k, K_INT));
    k_line_out(k, "%s_delete(%s%s, %s);", of.type->name, k_call_line(k, target->at), of.text, i);
}

// ---- last calls ----

static bool is_end(StmtList body, size_t len, const Stmt *s)
{
    const Stmt *last = len > 0 ? body.at[len - 1] : NULL;
    return last == s || (last != NULL && last->kind == STMT_IF
                         && (is_end(last->if_.body, last->if_.body.len, s)
                             || is_end(last->if_.orelse, last->if_.orelse.len, s)));
}

// `x = f(..)` in f itself, where nothing follows but `return x`: the answer goes on with the top of
// the tape as it is. Of functions without a tape compilers see by themselves that it is the last.
static bool last_call(Kernel *k, const Stmt *s)
{
    const KFunction *f = k->function;
    StmtList body = f->def->function_def.body;
    const Expr *value = s->assign.value, *target = s->assign.targets.at[0];
    const Stmt *last = body.at[body.len - 1];
    bool own = f->tapes && value->kind == EXPR_CALL && target->kind == EXPR_NAME
               && k_callee(k, value->call.func) == f->name && last->kind == STMT_RETURN
               && last->return_.value != NULL && last->return_.value->kind == EXPR_NAME
               && last->return_.value->name.id == target->name.id
               && is_end(body, body.len - 1, s);
    if (own)
        k_line_out(k, "LAST return %s;", k_own_call(k, value));
    return own;
}

// ---- loops ----

typedef struct Named { Sym name; bool assigned, read; } Named;

static bool find_name(void *cx, const Expr *e)
{
    Named *n = cx;
    bool is = e->kind == EXPR_NAME && e->name.id == n->name;
    n->assigned |= is && e->name.ctx != EXPR_CONTEXT_LOAD;
    n->read |= is && e->name.ctx == EXPR_CONTEXT_LOAD;
    return true;
}

static Named named_in(StmtList body, Sym name)
{
    Named n = {.name = name};
    IrWalker w = {.cx = &n, .expr = find_name};
    ir_walk_stmts(&w, body);
    return n;
}

static bool is_assigned(StmtList body, Sym name) { return named_in(body, name).assigned; }

// An int that is the same in all rounds.
static const char *fixed(Kernel *k, const Expr *e, StmtList body)
{
    KValue v = k_convert(k, k_expr(k, e), k_simple(k, K_INT), e->at);
    bool same = e->kind == EXPR_CONSTANT
                || (e->kind == EXPR_NAME && !is_assigned(body, e->name.id))
                || (e->kind == EXPR_UNARY_OP && e->unary_op.operand->kind == EXPR_CONSTANT);
    return same ? v.text : k_temp(k, k_value(v.text, KPREC_COND, v.type));
}

// Whether it is a call of a builtin of this name.
static bool calls(Kernel *k, const Expr *e, const char *name)
{
    return e->kind == EXPR_CALL && e->call.keywords.len == 0
           && sym_is(k_callee(k, e->call.func), name);
}

bool k_is_reversed(Kernel *k, const Stmt *s) { return calls(k, s->for_.iter, "reversed"); }

static void read_range(Kernel *k, const Stmt *s, KRange *r)
{
    const Expr *e = s->for_.iter;
    r->back = calls(k, e, "reversed");
    e = r->back ? e->call.args.at[0] : e;
    ExprList args = e->call.args;
    StmtList body = s->for_.body;
    r->first = args.len > 1 ? fixed(k, args.at[0], body) : "0";
    r->last = fixed(k, args.at[args.len > 1], body);
    r->step = args.len > 2 ? fixed(k, args.at[2], body) : "1";
    r->by_one = strcmp(r->step, "1") == 0;
    r->from_zero = r->by_one && strcmp(r->first, "0") == 0;
}

// How many rounds it goes, in a variable, or as it stands if it is a constant.
static void need_rounds(Kernel *k, KRange *r, Span at)
{
    if (r->rounds != NULL)
        return;
    r->rounds = k_local_name(k, "rounds");
    const char *count = r->by_one ? k_text(k, "rounds_of(%s, %s)", r->first, r->last)
                        : k_text(k, "range_len(%s%s, %s, %s)", k_call_line(k, at), r->first,
                                 r->last, r->step);
    k_line_out(k, "int64_t %s = %s;", r->rounds, count);
}

// A counter that only the loop knows is the target itself, if that counts by one.
static void loop_head(Kernel *k, const Stmt *s, KRange *r)
{
    KLocal *l = table_get(k->locals, s->for_.target->name.id);
    bool own = l->counter && (r->by_one || k->o->arrays) && !is_assigned(s->for_.body, l->name);
    if (own && !r->back) {
        r->round = r->from_zero ? l->c : k_text(k, "(%s - %s)", l->c, r->first);
        k_line_out(k, "for (int64_t %s = %s; %s < %s; %s%s%s) {", l->c, r->first, l->c, r->last,
                   l->c, r->by_one ? "++" : " += ", r->by_one ? "" : r->step);
        k->out->indent++;
        return;
    }
    need_rounds(k, r, s->at);
    own = own && r->from_zero;
    r->round = own ? l->c : k_local_name(k, "round");
    k_line_out(k, r->back ? "for (int64_t %s = %s; %s-- > 0;) {"
                          : "for (int64_t %s = 0; %s < %s; %s++) {", r->round,
               r->back ? r->rounds : r->round, r->back ? r->round : r->rounds, r->round);
    k->out->indent++;
    if (own)
        return;
    const char *value = r->by_one ? k_text(k, "%s + %s", r->first, r->round)
                        : k_text(k, "(int64_t)((uint64_t)%s + (uint64_t)%s * (uint64_t)%s)",
                                 r->first, r->round, r->step);
    k_line_out(k, "%s%s = %s;", l->counter ? "int64_t " : "", l->c, value);
    if (!named_in(s->for_.body, l->name).read)
        k_line_out(k, "(void)%s;", l->c);
}

static void range_loop(Kernel *k, const Stmt *s)
{
    KRange r = {0};
    read_range(k, s, &r);
    KRange *outer = k->loop;
    if (k_kept_count(k, s, &r) > 0) {
        need_rounds(k, &r, s->at);
        k_take_room(k, &r);
    }
    loop_head(k, s, &r);
    k->loop = r.slots > 0 ? &r : NULL;
    k_block(k, s->for_.body);
    k->loop = outer;
    k->out->indent--;
    k_line_out(k, "}");
}

// Over the items of a list as it is in each round.
static void list_loop(Kernel *k, const Stmt *s)
{
    KLocal *l = table_get(k->locals, s->for_.target->name.id);
    KValue list = k_expr(k, s->for_.iter);
    if (list.type->kind != K_LIST) {
        k_refuse(k, s->for_.iter->at, "a gradient in C supports only loops over ranges and lists");
        return;
    }
    const char *of = k_temp(k, k_value(list.text, KPREC_COND, list.type));
    const char *i = k_local_name(k, "place");
    KRange *outer = k->loop;
    k->loop = NULL;
    k_line_out(k, "for (int64_t %s = 0; %s < %s->len; %s++) {", i, i, of, i);
    k->out->indent++;
    KValue item = k_value(k_text(k, "%s->at[%s]", of, i), KPREC_POSTFIX, list.type->items.at[0]);
    k_line_out(k, "%s%s = %s;", l->counter ? l->type->c : "", l->c,
               k_convert(k, item, l->type, s->at).text);
    if (!named_in(s->for_.body, l->name).read)
        k_line_out(k, "(void)%s;", l->c);
    k_block(k, s->for_.body);
    k->loop = outer;
    k->out->indent--;
    k_line_out(k, "}");
}

static void for_loop(Kernel *k, const Stmt *s)
{
    const Expr *iter = s->for_.iter;
    bool back = calls(k, iter, "reversed") && iter->call.args.len == 1;
    if (s->for_.target->kind != EXPR_NAME || s->for_.orelse.len > 0)
        k_refuse(k, s->at, "a gradient in C supports only loops with one variable");
    else if (calls(k, back ? iter->call.args.at[0] : iter, "range"))
        range_loop(k, s);
    else
        list_loop(k, s);
}

static void while_loop(Kernel *k, const Stmt *s)
{
    Buf before = buf_new(k->arena), *out = k->out;
    KRange *outer = k->loop;
    k->loop = NULL;
    k->out = &before;
    const char *test = k_condition(k, s->while_.test);
    k->out = out;
    k_line_out(k, "while (%s) {", before.len > 0 ? "true" : test);
    k->out->indent++;
    if (before.len > 0) {
        buf_puts(k->out, buf_text(&before));
        k_line_out(k, "if (!(%s))", test);
        k_line_out(k, "    break;");
    }
    k_block(k, s->while_.body);
    k->out->indent--;
    k_line_out(k, "}");
    k->loop = outer;
}

// ---- the rest ----

static void inner_block(Kernel *k, StmtList body)
{
    k->out->indent++;
    k_block(k, body);
    k->out->indent--;
}

// Along `elif` in a loop.
static void if_stmt(Kernel *k, const Stmt *s)
{
    int open = 1;
    k->checked = s->if_.body.len == 1 && s->if_.body.at[0]->kind == STMT_RAISE;
    const char *condition = k_condition(k, s->if_.test);
    k->checked = false;
    k_line_out(k, "if (%s) {", condition);
    inner_block(k, s->if_.body);
    StmtList rest = s->if_.orelse;
    while (rest.len == 1 && rest.at[0]->kind == STMT_IF && rest.at[0] != k->guarded
           && table_get(k->homes, rest.at[0]) == NULL) {
        Buf before = buf_new(k->arena), *out = k->out;
        k->out = &before;
        const char *test = k_condition(k, rest.at[0]->if_.test);
        k->out = out;
        if (before.len > 0) {
            k_line_out(k, "} else {");
            k->out->indent++;
            open++;
            buf_puts(k->out, buf_text(&before));
        }
        k_line_out(k, before.len > 0 ? "if (%s) {" : "} else if (%s) {", test);
        inner_block(k, rest.at[0]->if_.body);
        rest = rest.at[0]->if_.orelse;
    }
    if (rest.len > 0) {
        k_line_out(k, "} else {");
        inner_block(k, rest);
    }
    for (; open > 0; open--) {
        k_line_out(k, "}");
        k->out->indent -= open > 1;
    }
}

// The exception, and its text if that is a constant.
static void raise_stmt(Kernel *k, const Stmt *s)
{
    const Expr *exc = s->raise.exc;
    const Expr *of = exc && exc->kind == EXPR_CALL ? exc->call.func : exc;
    const Expr *first = exc && exc->kind == EXPR_CALL && exc->call.args.len > 0
                        ? exc->call.args.at[0] : NULL;
    if (of == NULL || of->kind != EXPR_NAME) {
        k_refuse(k, s->at, "a gradient in C supports `raise` only for an exception of a known "
                 "class");
        return;
    }
    bool text = first && first->kind == EXPR_CONSTANT && first->constant.value->kind == CONST_STR;
    Text message = text ? first->constant.value->text : (Text){"", 0};
    const char *all = k_text(k, "%s: %.*s", of->name.id, (int)message.len, message.at);
    k_line_out(k, "fail(%s%s);", k_call_line(k, s->at), k_string(k, (Text){all, strlen(all)}));
}

static void return_stmt(Kernel *k, const Stmt *s)
{
    const KType *t = k_result_type(k, k->function);
    bool none = s->return_.value == NULL || t->kind == K_NONE;
    const char *result = none ? "0" : k_expr_as(k, s->return_.value, t);
    k_line_out(k, "return %s;", k_answer(k, result));
}

static void expr_stmt(Kernel *k, const Expr *e)
{
    if (e->kind == EXPR_CONSTANT)
        return;
    KValue v = k_expr(k, e);
    bool none = v.type->kind == K_NONE && e->kind == EXPR_CALL;
    if (none && v.prec == KPREC_ATOM)           // it is done
        return;
    k_line_out(k, none ? "%s;" : "(void)%s;", none ? v.text : k_at(k, v, KPREC_UNARY));
}

static void statement(Kernel *k, const Stmt *s)
{
    switch (s->kind) {
    case STMT_ASSIGN:
        if (!last_call(k, s))
            assign(k, s->assign.targets.at[0], s->assign.value);
        return;
    case STMT_AUG_ASSIGN: aug_assign(k, s); return;
    case STMT_ANN_ASSIGN:
        if (s->ann_assign.value != NULL)
            assign(k, s->ann_assign.target, s->ann_assign.value);
        return;
    case STMT_EXPR:     expr_stmt(k, s->expr.value); return;
    case STMT_IF:       if_stmt(k, s); return;
    case STMT_FOR:      for_loop(k, s); return;
    case STMT_WHILE:    while_loop(k, s); return;
    case STMT_RETURN:   return_stmt(k, s); return;
    case STMT_RAISE:    raise_stmt(k, s); return;
    case STMT_BREAK:    k_line_out(k, "break;"); return;
    case STMT_CONTINUE: k_line_out(k, "continue;"); return;
    case STMT_PASS:     return;
    case STMT_TAPE:     k_open_tape(k); return;
    case STMT_DELETE:
        for (size_t i = 0; i < s->delete.targets.len; i++)
            delete_item(k, s->delete.targets.at[i]);
        return;
    case STMT_KEEP: case STMT_BACK:         // by k_block
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF: case STMT_TYPE_ALIAS:
    case STMT_ASYNC_FOR: case STMT_WITH: case STMT_ASYNC_WITH: case STMT_MATCH: case STMT_TRY:
    case STMT_TRY_STAR: case STMT_ASSERT: case STMT_IMPORT:
    case STMT_IMPORT_FROM: case STMT_GLOBAL: case STMT_NONLOCAL: case STMT_CHOREO: case STMT_OFFER:
    case STMT_STOPPED: case STMT_COUNT:
        break;
    }
    k_refuse(k, s->at, "a gradient in C does not support this statement");
}

void k_block(Kernel *k, StmtList body)
{
    for (size_t i = 0; i < body.len;) {
        if (body.at[i] == k->guarded)
            k_put_guard(k);
        size_t run = k_tape_run(k, body, i);
        if (run == 0) {
            k_declare_at(k, body.at[i]);
            statement(k, body.at[i]);
            if (body.at[i]->kind == STMT_RAISE)         // what follows is not reached
                return;
        }
        i += run > 0 ? run : 1;
    }
}
