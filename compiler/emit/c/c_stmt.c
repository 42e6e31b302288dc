// c_stmt.c - statements. Each is written into a text of its own; if it needed temporaries, they and
// it are a block, so that they are let go of behind it.

#include <string.h>

#include "compiler/emit/c/c_call.h"
#include "compiler/emit/site_table.h"

uint32_t c_line_of(CEmit *c, Span at)
{
    uint32_t offset = at.start;
    const Source *file = source_file(c->source, &offset);
    return (uint32_t)source_line_index(file, offset) + 1;
}

// ---- assignment ----

static void set(CEmit *c, Value to, Value v)
{
    if (strcmp(to.text, v.text) == 0 && v.hold != HOLD_OWNED)
        c_line(c, "(void)%s;", to.text);        // clang finds `x = x` odd
    else if (to.rep->drop == NULL)
        c_line(c, "%s = %s;", to.text, c_without_brackets(c, v.text));
    else
        c_line(c, "PYCHORAL_SET(%s, %s, %s);", to.rep->drop, to.text, c_owned(c, v));
}

// Whether an exception leaves the function: then nothing reads the variables any more.
static bool leaves_function(const CEmit *c) { return strncmp(c->fail, "return", 6) == 0; }

static void store_variable(CEmit *c, CVariable *variable, const Expr *target, Value v)
{
    if (variable->rep->kind == REP_NONE) {
        (void)c_steady(c, v);
        return;
    }
    if (variable->counter) {
        v = c_convert(c, v, variable->rep, target->at);
        c_line(c, "%s = pychoral_counter(%s);", variable->c_name, v.text);
        return;
    }
    const char *call;
    Value to = c_variable(c, variable);
    if (v.rep != variable->rep || variable->cell || !leaves_function(c)
        || !c_take_call(c, v, &call)) {
        set(c, to, c_convert(c, v, variable->rep, target->at));
        return;
    }
    set(c, to, c_value(v.rep, call, HOLD_OWNED));
    c_check(c);
}

static void store_name(CEmit *c, const Expr *target, Value v)
{
    CVariable *variable = c_find_variable(c, target->name.id);
    if (variable == NULL) {
        const CName *n = c_global(c, target->name.id);
        if (n == NULL || n->kind != CNAME_VARIABLE) {
            (void)c_refuse(c, target->at, "the C target does not support assignment to `%s`",
                           target->name.id);
            return;
        }
        variable = n->variable;
    }
    store_variable(c, variable, target, v);
    c_note_value(c, variable, true);
}

static void store_attribute(CEmit *c, const Expr *target, Value v)
{
    v = c_steady(c, v);
    bool of_class = c_class_named(c, target->attribute.value) != NULL;
    Value base = of_class ? c_nothing(c) : c_expr(c, target->attribute.value);
    Value place;
    CMethod *setter = base.rep->kind != REP_CLASS ? NULL : c_find_method(base.rep->class_,
        names_format(c->names, "%s.setter", target->attribute.attr));
    if (setter != NULL) {
        (void)c_user_call_values(c, target->at, setter, &base, &v, 1);
        return;
    }
    const char *flag;
    if (!c_attribute_place(c, target, base, &place, &flag))
        return;
    if (place.rep->kind != REP_NONE)
        set(c, place, c_convert(c, v, place.rep, target->at));
    if (flag != NULL)
        c_line(c, "%s = true;", flag);
}

static void store(CEmit *c, const Expr *target, Value v)
{
    switch (target->kind) {
    case EXPR_NAME: store_name(c, target, v); return;
    case EXPR_ATTRIBUTE: store_attribute(c, target, v); return;
    case EXPR_SUBSCRIPT: c_store_item(c, target, c_steady(c, v)); return;
    case EXPR_BOOL_OP: case EXPR_NAMED_EXPR: case EXPR_BIN_OP: case EXPR_UNARY_OP:
    case EXPR_LAMBDA: case EXPR_IF_EXP: case EXPR_DICT: case EXPR_SET: case EXPR_LIST_COMP:
    case EXPR_SET_COMP: case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP: case EXPR_AWAIT:
    case EXPR_YIELD: case EXPR_YIELD_FROM: case EXPR_COMPARE: case EXPR_CALL:
    case EXPR_FORMATTED_VALUE: case EXPR_JOINED_STR: case EXPR_CONSTANT: case EXPR_STARRED:
    case EXPR_LIST: case EXPR_TUPLE: case EXPR_SLICE: case EXPR_LOCATED: case EXPR_INST:
    case EXPR_PIN: case EXPR_COM: case EXPR_SELECT: case EXPR_UNIT: case EXPR_SEND:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_RECV: case EXPR_SEND_LABEL: case EXPR_COUNT:
        (void)c_refuse(c, target->at, "the C target does not support this target of an assignment");
    }
}

// What the target holds, so that a display is made as what is wanted; NULL: not known beforehand.
static const Rep *target_rep(CEmit *c, const Expr *target)
{
    if (target->kind == EXPR_NAME) {
        CVariable *v = c_find_variable(c, target->name.id);
        const CName *n = v ? NULL : c_global(c, target->name.id);
        return v ? v->rep : n && n->kind == CNAME_VARIABLE ? n->variable->rep : NULL;
    }
    if (target->kind == EXPR_ATTRIBUTE && target->attribute.value->ty != NULL) {
        const Rep *base = rep_of(c, target->attribute.value->ty, target->at);
        CField *f = base->kind == REP_CLASS ? c_find_field(c, base->class_, target->attribute.attr)
                                            : NULL;
        return f ? f->rep : NULL;
    }
    return NULL;
}

// The variable of `s += e`, where the text grows in place if nobody else has it. What `e` runs must
// not be able to assign to `s`.
static CVariable *growing(CEmit *c, const Expr *target, const Expr *value)
{
    const Expr *left = value->kind == EXPR_BIN_OP && value->bin_op.op == OPERATOR_ADD
        ? value->bin_op.left : NULL;
    if (left == NULL || left->kind != EXPR_NAME || target->kind != EXPR_NAME
        || left->name.id != target->name.id)
        return NULL;
    CVariable *v = c_find_variable(c, target->name.id);
    const Ty *right = value->bin_op.right->ty ? c_ty(c, value->bin_op.right->ty) : NULL;
    bool text = v != NULL && !c_may_be_uninit(c, left)
        && (!v->cell || c_is_simple(c, value->bin_op.right))
        && (v->rep->kind == REP_STR || v->rep->kind == REP_BYTES);
    return text && right && rep_of(c, right, value->at) == v->rep ? v : NULL;
}

static void assign(CEmit *c, const Stmt *s, const Expr *target, const Expr *value)
{
    CVariable *v = c_declared_by(c, s, target);
    if (v != NULL) {
        c_refuse_kept(c, value, v->rep);
        c_declare(c, v, value);
        return;
    }
    v = growing(c, target, value);
    if (v != NULL) {
        const char *more = c_borrowed(c, c_steady(c, c_expr_as(c, value->bin_op.right, v->rep)));
        c_line(c, "pychoral_%s_append(&%s, %s);", c_kind_name(v->rep), c_variable(c, v).text, more);
        return;
    }
    const Rep *rep = target_rep(c, target);
    if (rep != NULL)
        c_refuse_kept(c, value, rep);
    store(c, target, rep != NULL ? c_expr_as(c, value, rep) : c_expr(c, value));
}

// ---- blocks ----

static void text_begin(CEmit *c, Buf *b, Buf **outer)
{
    *b = buf_new(c->arena);
    *outer = c->out;
    c->out = b;
}

static void text_put(CEmit *c, Buf *b)
{
    if (b->len > 0)
        buf_write(c->out, b->at, b->len);
}

static bool stmt(CEmit *c, const Stmt *s, bool is_last);

// What is never reached has no types: it is left out. `ends`: so does the block of C.
static bool statements(CEmit *c, StmtList body, bool ends)
{
    for (size_t i = 0; i < body.len; i++)
        if (stmt(c, body.at[i], ends && i + 1 == body.len)) {
            c->left_by = body.at[i];
            return true;
        }
    return false;
}

bool c_block(CEmit *c, StmtList body)
{
    c->out->indent++;
    bool left = statements(c, body, true);
    c->out->indent--;
    return left;
}

// ---- if, while, for ----

// The `if` that is the next arm of the chain: the last of these statements, if those before it are
// of its test. They stand within it then: what the source has before an `if` does not. NULL: none.
static const Stmt *next_arm(CEmit *c, StmtList rest)
{
    const Stmt *last = rest.at[rest.len - 1];
    if (last->kind != STMT_IF || c_known_truth(c, last->if_.test) != C_OPEN)
        return NULL;
    for (size_t i = 0; i + 1 < rest.len; i++)
        if (rest.at[i]->at.start < last->at.start)
            return NULL;
    return last;
}

// The test of the arm, after the statements that it needs.
static const char *arm_test(CEmit *c, StmtList rest, const Stmt *arm)
{
    uint32_t line = c->line;
    (void)statements(c, (StmtList){rest.at, rest.len - 1}, false);
    c->line = c_line_of(c, arm->if_.test->at);
    const char *test = c_condition(c, arm->if_.test);
    c->line = line;
    return test;
}

// Its head: a test that takes statements has them in a block, whose last line is its value.
static void put_arm(CEmit *c, Buf *before, const char *test)
{
    if (before->len == 0) {
        c_line(c, "} else if %s {", c_in_brackets(c, test));
        return;
    }
    c_line(c, "} else if (__extension__({");
    c->out->indent++;
    text_put(c, before);
    c_line(c, "%s;", c_without_brackets(c, test));
    c->out->indent--;
    c_line(c, "})) {");
}

// The last arm, if there is one that does something. Whether it never goes on.
static bool put_else(CEmit *c, StmtList body)
{
    Buf b, *outer;
    text_begin(c, &b, &outer);
    bool left = c_block(c, body);
    c->out = outer;
    if (b.len > 0)
        c_line(c, "} else {");
    text_put(c, &b);
    return left;
}

static bool if_stmt(CEmit *c, const Stmt *s)
{
    CTruth known = c_known_truth(c, s->if_.test);
    if (known != C_OPEN) {
        c_line(c, "{");
        bool left = c_block(c, known == C_TRUE ? s->if_.body : s->if_.orelse);
        c_line(c, "}");
        return left;
    }
    c_line(c, "if %s {", c_in_brackets(c, c_condition(c, s->if_.test)));
    bool left = c_block(c, s->if_.body);
    StmtList rest = s->if_.orelse;
    for (const Stmt *next; rest.len > 0 && (next = next_arm(c, rest)); rest = next->if_.orelse) {
        Buf b, *outer;
        bool declared = c->declared;
        text_begin(c, &b, &outer);
        const char *test = arm_test(c, rest, next);
        c->out = outer;
        if (b.len > 0 && left) {                // what comes before the test needs no `else`
            c_line(c, "}");
            return statements(c, rest, true);
        }
        put_arm(c, &b, test);
        if (b.len > 0)
            c->declared = declared;             // the test has a block of its own
        left &= c_block(c, next->if_.body);
    }
    left &= put_else(c, rest);
    c_line(c, "}");
    return left;
}

static void while_stmt(CEmit *c, const Stmt *s)
{
    Buf b, *outer;
    text_begin(c, &b, &outer);
    CTruth known = c_known_truth(c, s->while_.test);
    const char *test = known == C_TRUE ? NULL : c_condition(c, s->while_.test);
    c->out = outer;
    if (test == NULL || b.len > 0)
        c_line(c, "for (;;) {");
    else
        c_line(c, "while %s {", c_in_brackets(c, test));
    c->out->indent++;
    if (b.len > 0) {
        const char *go = c_new_name(c);
        c_line(c, "bool %s;\n{", go);
        c->out->indent++;
        text_put(c, &b);
        c_line(c, "%s = %s;", go, test);
        c->out->indent--;
        c_line(c, "}\nif (!%s)\n    break;", go);
    }
    c->out->indent--;
    if (known != C_FALSE)
        c_block(c, s->while_.body);
    c_line(c, "}");
}

static void loop_item(CEmit *c, const Stmt *s, const Rep *rep, const char *item)
{
    Value v = {.rep = rep, .text = item, .lasting = true, .place = true, .movable = rep->drop,
               .hold = rep->drop ? HOLD_BORROWED : HOLD_PLAIN};
    CVariable *own = c_declared_by(c, s, s->for_.target);
    if (own == NULL)
        store(c, s->for_.target, v);
    else if (own->c_name != item)
        c_line(c, "%s;", c_declaration(c, own->rep, own->c_name,
                                       c_owned(c, c_convert(c, v, own->rep, s->for_.target->at))));
}

// The variable that the loop has for its item: the target's own, if it may be that.
static const char *item_name(CEmit *c, const Stmt *s, const Rep *rep)
{
    CVariable *own = c_declared_by(c, s, s->for_.target);
    return own != NULL && own->rep == rep ? own->c_name : c_new_name(c);
}

// What the loop has taken belongs to nobody if the target takes something made of it.
static const char *owned_item(CEmit *c, const Stmt *s, const Rep *rep, const char *item)
{
    if (rep->drop == NULL || (target_rep(c, s->for_.target) == rep
                              && c_declared_by(c, s, s->for_.target) == NULL))
        return item;
    const char *own = item_name(c, s, rep);
    c->out->indent++;
    c_line(c, "%s;", c_declaration(c, rep, own, item));
    c->out->indent--;
    return own;
}

static void loop_body(CEmit *c, const Stmt *s, const Rep *rep, const char *item)
{
    c->out->indent++;
    loop_item(c, s, rep, item);
    c->out->indent--;
    c_block(c, s->for_.body);
    c_line(c, "}");
}

static bool is_range_call(CEmit *c, const Expr *e)
{
    if (e->kind != EXPR_CALL || e->call.keywords.len > 0 || e->call.args.len == 0
        || e->call.args.len > 3)
        return false;
    Sym dotted = c_dotted(c, e->call.func);
    return dotted != NULL && strcmp(dotted, "range") == 0;
}

static void for_range(CEmit *c, const Stmt *s)
{
    const Rep *rep = rep_named(c, "int");
    ExprList args = s->for_.iter->call.args;
    const char *bounds[3] = {"pychoral_int(0)", NULL, "pychoral_int(1)"};
    for (size_t i = 0; i < args.len; i++) {
        Value v = c_steady(c, c_expr_as(c, args.at[i], rep));
        bounds[args.len == 1 ? 1 : i] = v.text;
    }
    const char *loop = c_new_name(c), *item = c_new_name(c);
    c_line(c, "PYCHORAL_OWNED(range_loop) PychoralRangeLoop %s = pychoral_range_loop(%s, %s, %s);",
           loop, bounds[0], bounds[1], bounds[2]);
    if (args.len == 3)
        c_check(c);
    c_line(c, "for (PychoralInt %s; pychoral_range_next(&%s, &%s);) {", item, loop, item);
    loop_body(c, s, rep, owned_item(c, s, rep, item));
}

static void for_items(CEmit *c, const Stmt *s, Value list)
{
    const Rep *rep = list.rep->element;
    Value kept = list;
    kept.text = c_owned(c, list);
    kept.hold = HOLD_OWNED;
    const char *items = c_temp(c, kept).text, *i = c_new_name(c);
    const char *item = item_name(c, s, rep);
    c_line(c, "for (size_t %s = 0; %s < %s->count; %s++) {", i, i, items, i);
    if (rep->kind == REP_NONE) {
        loop_body(c, s, rep, "0");
        return;
    }
    c->out->indent++;
    const char *owned = rep->drop ? c_text(c, "PYCHORAL_OWNED(%s) ", rep->drop) : "";
    const char *access = c_list_access(rep);
    if (access != NULL) {
        c_line(c, "%s%s%s = pychoral_list_%s_at(%s, (int64_t)%s);", owned, rep->type, item, access,
               items, i);
    } else {
        const char *found = c_text(c, "((const %s*)%s->items)[%s]", rep->type, items, i);
        c_line(c, "%s%s%s = %s;", owned, rep->type, item,
               rep->keep ? c_text(c, "%s(%s)", rep->keep, found) : found);
    }
    c->out->indent--;
    loop_body(c, s, rep, item);
}

static void for_iterator(CEmit *c, const Stmt *s, Value v)
{
    const Rep *rep = v.rep->element;
    const char *it = c_borrowed(c, c_steady(c, v)), *item = c_new_name(c);
    if (rep->kind == REP_NONE)
        c_line(c, "for (PychoralNone %s; %s->next(%s, &%s);) {", item, it, it, item);
    else
        c_line(c, "for (%s%s; %s->next(%s, &%s);) {", rep->type, item, it, it, item);
    loop_body(c, s, rep, owned_item(c, s, rep, item));
    c_check(c);
}

static void for_stmt(CEmit *c, const Stmt *s)
{
    if (s->for_.target->kind != EXPR_NAME || s->for_.orelse.len > 0) {
        (void)c_refuse(c, s->at, "the C target does not support this `for` loop");
        return;
    }
    if (is_range_call(c, s->for_.iter)) {
        for_range(c, s);
        return;
    }
    Value v;
    c->walked = s->for_.iter;
    if (!c_enum_members(c, s->for_.iter, &v))
        v = c_unless_view(c, s->for_.iter, c_expr(c, s->for_.iter));
    if (v.rep->kind == REP_LIST || v.rep->kind == REP_SEQUENCE) {
        for_items(c, s, v);
        return;
    }
    const Rep *item = v.rep->kind == REP_ITERATOR ? v.rep->element : c_element(c, s->for_.iter);
    for_iterator(c, s, c_convert(c, v, rep_iterator(c, item), s->for_.iter->at));
}

// ---- leaving ----

// Out of the innermost `try` with a `finally`: what is to be done behind it is noted.
static void leave(CEmit *c, CLeave how, const char *value)
{
    CFinally *f = c->finally;
    bool inside = f != NULL && (how == C_LEAVE_RETURN || f->in_loop == c->loop_depth);
    if (inside) {
        f->leaves |= 1u << how;
        if (value != NULL)
            c_line(c, "%s = %s;", f->result, value);
        c_line(c, "%s = %d;\ngoto %s;", f->how, (int)how, f->label);
        return;
    }
    switch (how) {
    case C_LEAVE_RETURN:
        c_line(c, "return%s%s;", value ? " " : "", value ? value : "");
        return;
    case C_LEAVE_BREAK: c_line(c, "break;"); return;
    case C_LEAVE_CONTINUE: c_line(c, "continue;"); return;
    }
}

static void return_stmt(CEmit *c, const Stmt *s)
{
    const Rep *rep = c->function->result;
    if (s->return_.value == NULL) {
        leave(c, C_LEAVE_RETURN, !rep_passed(rep) ? NULL
                : c_owned(c, c_convert(c, c_nothing(c), rep, s->at)));
        return;
    }
    if (c_return_declined(c, s))
        return;
    c->returned = s->return_.value;
    Value v = c_expr_as(c, s->return_.value, rep);
    c->returned = NULL;
    if (rep->kind == REP_NONE) {
        if (strcmp(v.text, "0") != 0)
            c_line(c, "%s;", v.text);
        leave(c, C_LEAVE_RETURN, NULL);
        return;
    }
    leave(c, C_LEAVE_RETURN, c_owned(c, v));
}

static void raise_on(CEmit *c)
{
    c_line(c, "(void)pychoral_passes(%s, \"%s\", %u);\n%s", c->home->file,
           c->function ? c->function->shown : "<module>", c->line, c->fail);
}

static void raise_stmt(CEmit *c, const Stmt *s)
{
    if (s->raise.exc == NULL) {
        if (c->handled == NULL) {
            (void)c_refuse(c, s->at, "the C target supports a bare `raise` only in an `except` "
                           "block");
            return;
        }
        c_line(c, "pychoral_raise_again();\n%s", c->fail);
        return;
    }
    Value v = c_steady(c, c_expr(c, s->raise.exc));
    const char *cause = "NULL";
    if (s->raise.cause != NULL)
        cause = c_address(c, c_expr_as(c, s->raise.cause, rep_named(c, "object")));
    if (v.rep->kind != REP_CLASS || !v.rep->class_->is_exception) {
        (void)c_refuse(c, s->raise.exc->at, "the C target does not know the class of this "
                       "exception\nraise a call, such as `ValueError(..)`, or a variable with a "
                       "declared exception class");
        return;
    }
    c_line(c, "pychoral_raise_object((PychoralException *)%s, %s);", v.text, cause);
    raise_on(c);
}

// ---- try ----

static void put_block(CEmit *c, Buf *b)
{
    c_line(c, "{");
    text_put(c, b);
    c_line(c, "}");
}

// The rows of the classes that a handler names, with commas between them.
static const char *handled_rows(CEmit *c, const Expr *type, size_t *count)
{
    const char *rows = "";
    *count = 1;
    if (type == NULL)
        return "&pychoral_type_BaseException";
    const Expr *all = c_meant(c, type);
    ExprList types = all->kind == EXPR_TUPLE ? all->tuple.elts : (ExprList){&type, 1};
    *count = types.len;
    for (size_t i = 0; i < *count; i++) {
        CClass *class_ = c_exception_class(c, types.at[i]);
        if (class_ == NULL)
            (void)c_refuse(c, types.at[i]->at,
                           "the C target does not support this exception class in an `except`\n"
                           "name classes of this program or builtin classes, such as `OSError`");
        else
            rows = c_text(c, "%s%s&%s", rows, i ? ", " : "", class_->row);
    }
    return rows;
}

static bool handler(CEmit *c, const Excepthandler *h)
{
    const char *name = c_new_name(c);
    const char *outer = c->handled;
    c_line(c, "PYCHORAL_OWNED(handled) PychoralException *%s = NULL;", name);
    size_t count;
    const char *rows = handled_rows(c, h->except_handler.type, &count);
    c_line(c, "%s = pychoral_catch_any(%zu, (const PychoralType *const[]){%s});", name, count,
           rows);
    c_line(c, "if (%s != NULL) {", name);
    c->handled = name;
    Sym bound = h->except_handler.name;
    CVariable *v = bound ? c_find_variable(c, bound) : NULL;
    if (v != NULL) {
        c->out->indent++;
        Value place = c_variable(c, v);
        if (v->rep->kind == REP_CLASS)
            c_line(c, "PYCHORAL_SET(object, %s, PYCHORAL_KEEP((%s)%s));", place.text,
                   v->rep->type, name);
        else if (!c->failed)        // else it has been said where the other value is
            (void)c_refuse(c, h->at, "`%s` is a variable of another type elsewhere in this "
                           "function, so the C target requires another name for the exception",
                           bound);
        c_note_value(c, v, true);
        c->out->indent--;
    }
    bool left = c_block(c, h->except_handler.body);
    if (v != NULL)
        c_note_value(c, v, false);
    c->handled = outer;
    return left;
}

// Handlers come behind the body, which jumps there; `if (0)` keeps others out.
static bool try_handlers(CEmit *c, const Stmt *s)
{
    const char *outer = c->fail, *label = c_text(c, "except_%zu", ++c->labels);
    c->fail = c_text(c, "goto %s;", label);
    Buf body, *before;
    text_begin(c, &body, &before);
    bool left = c_block(c, s->try.body);
    c->out = before;
    c->fail = outer;
    bool used = strstr(buf_text(&body), c_text(c, "goto %s;", label)) != NULL;
    put_block(c, &body);
    if (s->try.orelse.len > 0 && !left) {
        c_line(c, "{");
        left = c_block(c, s->try.orelse);
        c_line(c, "}");
    }
    if (!used)
        return left;
    c_line(c, "if (0) {\n%s:;", label);
    c->out->indent++;
    for (size_t i = 0; i < s->try.handlers.len; i++) {
        left &= handler(c, s->try.handlers.at[i]);
        c_line(c, "} else {");
        c->out->indent++;
    }
    c_line(c, "%s", c->fail);
    for (size_t i = 0; i < s->try.handlers.len; i++) {
        c->out->indent--;
        c_line(c, "}");
    }
    c->out->indent--;
    c_line(c, "}");
    return left;
}

static void leave_after(CEmit *c, const CFinally *f)
{
    static const CLeave ways[] = {C_LEAVE_RETURN, C_LEAVE_BREAK, C_LEAVE_CONTINUE};
    for (size_t i = 0; i < 3; i++) {
        if (!(f->leaves & 1u << ways[i]))
            continue;
        c_line(c, "if (%s == %d) {", f->how, (int)ways[i]);
        c->out->indent++;
        bool value = ways[i] == C_LEAVE_RETURN && f->result != NULL;
        const Rep *rep = c->function ? c->function->result : NULL;
        leave(c, ways[i], !value ? NULL : rep->drop
                ? c_text(c, "PYCHORAL_TAKE(%s)", f->result) : f->result);
        c->out->indent--;
        c_line(c, "}");
    }
}

static bool try_finally(CEmit *c, const Stmt *s)
{
    size_t n = ++c->labels;
    const Rep *rep = c->function ? c->function->result : NULL;
    CFinally f = {.outer = c->finally, .label = c_text(c, "finally_%zu", n),
                  .how = c_text(c, "leave_%zu", n), .in_loop = c->loop_depth,
                  .result = rep && rep_passed(rep) ? c_text(c, "returned_%zu", n) : NULL};
    const char *outer = c->fail, *pending = c_text(c, "pending_%zu", n);
    c->finally = &f;
    c->fail = c_text(c, "goto %s;", f.label);
    Buf body, *before;
    text_begin(c, &body, &before);
    c->out->indent++;
    bool left = s->try.handlers.len > 0 ? try_handlers(c, s) : statements(c, s->try.body, true);
    c->out = before;
    c->finally = f.outer;
    c->fail = outer;
    c_line(c, "{");
    c->out->indent++;
    if (f.leaves)
        c_line(c, "int %s = 0;", f.how);
    if (f.leaves & 1u << C_LEAVE_RETURN && f.result) {
        const char *zero = rep_zero(c, rep);
        if (rep->drop)
            c_line(c, "PYCHORAL_OWNED(%s) %s%s = %s;", rep->drop, rep->type, f.result,
                   zero[0] == '(' ? "{0}" : zero);
        else
            c_line(c, "%s%s = %s;", rep->type, f.result, zero[0] == '(' ? "{0}" : zero);
    }
    put_block(c, &body);
    if (strstr(buf_text(&body), c_text(c, "goto %s;", f.label)) != NULL)
        c_line(c, "%s:;", f.label);
    c_line(c, "PYCHORAL_OWNED(handled) PychoralException *%s = pychoral_set_aside();", pending);
    left |= statements(c, s->try.finalbody, false);
    c_line(c, "if (pychoral_take_up(%s)) %s", pending, c->fail);
    leave_after(c, &f);
    c->out->indent--;
    c_line(c, "}");
    return left;
}

// ---- selections ----

static bool offer(CEmit *c, const Stmt *s)
{
    Value channel = c_steady(c, c_expr(c, s->offer.channel));
    int site = site_number(&c->cx->sites, s->at.end);
    const Rep *enum_ = s->offer.arms.len > 0 ? c_expr(c, s->offer.arms.at[0]->label).rep : NULL;
    if (enum_ == NULL) {
        (void)c_refuse(c, s->at, "the C target does not support a selection without labels");
        return false;
    }
    const char *choice = c_text(c, "choice_%zu", ++c->labels);
    c_line(c, "uint32_t %s = pychoral_com_branch(%s, %d, %s);", choice, channel.text, site,
           enum_->row);
    c_check(c);
    bool left = true;
    for (size_t i = 0; i < s->offer.arms.len; i++) {
        Value label = c_expr(c, s->offer.arms.at[i]->label);
        c_line(c, "%sif (%s == %s) {", i ? "} else " : "", choice, label.text);
        left &= c_block(c, s->offer.arms.at[i]->body);
    }
    c_line(c, "} else {\n    pychoral_unexpected_selection(%s, %s);", enum_->row, choice);
    c->out->indent++;
    raise_on(c);
    c->out->indent--;
    c_line(c, "}");
    return left;
}

static void stopped(CEmit *c, const Stmt *s)
{
    const char *peers = "";
    for (size_t i = 0; i < s->stopped.peers.len; i++)
        peers = c_text(c, "%s%s\"%s\"", peers, i ? ", " : "", s->stopped.peers.at[i]);
    const Source *source = c->cx->sites.source;
    const char *place = source ? site_place(c->arena, source, s->at) : "";
    c_line(c, "pychoral_peer_stopped(%s, %zu, (const char *const[]){%s});",
           c_literal(c, (Text){place, strlen(place)}), s->stopped.peers.len, peers);
    raise_on(c);
}

// ---- all ----

static void delete_target(CEmit *c, const Expr *target)
{
    if (target->kind == EXPR_SUBSCRIPT) {
        c_delete_item(c, target);
        return;
    }
    CVariable *v = target->kind == EXPR_NAME ? c_find_variable(c, target->name.id) : NULL;
    if (v == NULL) {
        (void)c_refuse(c, target->at, "the C target does not support this target of `del`");
        return;
    }
    if (c_may_be_uninit(c, target))
        c_check_value(c, v);
    c_note_value(c, v, false);
    if (v->rep->drop != NULL)
        set(c, c_variable(c, v), c_value(v->rep, c_text(c, "(%s)%s", v->rep->type,
            rep_zero(c, v->rep)[0] == '(' ? "{0}" : "NULL"), HOLD_OWNED));
}

static void keep_defaults(CEmit *c, const Stmt *s)
{
    const Arguments *args = s->function_def.args;
    const Arg *arg;
    for (size_t i = 0; (arg = c_param(args, i)) != NULL; i++) {
        CVariable *v = c_find_variable(c, c_default_variable(c, s, arg->arg));
        if (v != NULL && v->held) {             // that of the function around, of the same name
            (void)c_refuse(c, s->at, "the C target does not support a function `%s` inside a "
                           "function `%s` if both have a default for `%s`\nrename one function",
                           s->function_def.name, s->function_def.name, arg->arg);
            return;
        }
        if (v != NULL && rep_passed(v->rep))
            set(c, c_variable(c, v), c_expr_as(c, c_default_expr(args, i), v->rep));
    }
}

static void nested_def(CEmit *c, const Stmt *s)
{
    if (c->function == NULL) {                  // in an arm of the module's code
        c_start_stmt(c, s);
        return;
    }
    CVariable *v = c_find_variable(c, s->function_def.name);
    if (v == NULL || s->function_def.decorator_list.len > 0) {
        (void)c_refuse(c, s->at, "the C target does not support decorators of nested functions");
        return;
    }
    keep_defaults(c, s);
    Value f = c_closure(c, c_nested(c, s, NULL));
    set(c, c_variable(c, v), c_convert(c, f, v->rep, s->at));
    c_note_value(c, v, true);
}

static void expr_stmt(CEmit *c, const Expr *e)
{
    bool text = e->kind == EXPR_CONSTANT;       // a docstring, an ellipsis
    if (!text)
        c_effects(c, e);
}

static void for_or_while(CEmit *c, const Stmt *s)
{
    c->loop_depth++;
    if (s->kind == STMT_FOR)
        for_stmt(c, s);
    else
        while_stmt(c, s);
    c->loop_depth--;
}

// Whether what stands behind it is never reached.
static bool any_stmt(CEmit *c, const Stmt *s)
{
    switch (s->kind) {
    case STMT_FUNCTION_DEF: nested_def(c, s); return false;
    case STMT_CLASS_DEF:
        if (c->function == NULL)                // in an arm of the module's code
            c_start_stmt(c, s);
        else
            (void)c_refuse(c, s->at, "the C target does not support this class inside a function\n"
                           "move it to module level, and pass to its constructor what it uses of "
                           "the function");
        return false;
    case STMT_RETURN: return_stmt(c, s); return true;
    case STMT_DELETE:
        for (size_t i = 0; i < s->delete.targets.len; i++)
            delete_target(c, s->delete.targets.at[i]);
        return false;
    case STMT_ASSIGN:
        if (s->assign.targets.len == 1)
            assign(c, s, s->assign.targets.at[0], s->assign.value);
        else
            (void)c_refuse(c, s->at, "the C target does not support an assignment to several "
                           "targets");
        return false;
    case STMT_ANN_ASSIGN:
        if (s->ann_assign.value != NULL)
            assign(c, s, s->ann_assign.target, s->ann_assign.value);
        return false;
    case STMT_FOR: case STMT_WHILE: for_or_while(c, s); return false;
    case STMT_IF: return if_stmt(c, s);
    case STMT_RAISE: raise_stmt(c, s); return true;
    case STMT_TRY:
        return s->try.finalbody.len > 0 ? try_finally(c, s) : try_handlers(c, s);
    case STMT_EXPR: expr_stmt(c, s->expr.value); return false;
    case STMT_BREAK: leave(c, C_LEAVE_BREAK, NULL); return true;
    case STMT_CONTINUE: leave(c, C_LEAVE_CONTINUE, NULL); return true;
    case STMT_OFFER: return offer(c, s);
    case STMT_STOPPED: stopped(c, s); return true;
    case STMT_PASS: case STMT_GLOBAL: case STMT_NONLOCAL: case STMT_IMPORT: case STMT_IMPORT_FROM:
    case STMT_TYPE_ALIAS:
        return false;
    case STMT_ASYNC_FUNCTION_DEF: case STMT_AUG_ASSIGN: case STMT_ASYNC_FOR: case STMT_WITH:
    case STMT_ASYNC_WITH: case STMT_MATCH: case STMT_TRY_STAR: case STMT_ASSERT:
    case STMT_CHOREO: case STMT_TAPE: case STMT_KEEP: case STMT_BACK: case STMT_COUNT:
        break;
    }
    (void)c_refuse(c, s->at, s->kind == STMT_ASYNC_FUNCTION_DEF
                   ? "the C target does not support `async def`"
                   : "the C target does not support this statement");
    return false;
}

bool c_stmt(CEmit *c, const Stmt *s) { return stmt(c, s, false); }

// Where a block ends, or is left, its end lets go of what the statement has made.
static bool stmt(CEmit *c, const Stmt *s, bool is_last)
{
    Buf b, *outer;
    uint32_t line = c->line;
    bool declared = c->declared;
    c->declared = false;
    c->head = NULL;
    c->line = c_line_of(c, s->at);
    text_begin(c, &b, &outer);
    bool left = any_stmt(c, s);
    c->out = outer;
    if (b.len > 0 && !c->options.no_line)
        c_line(c, "#line %u %s", c->line,
               c_literal(c, (Text){c->home->file_name, strlen(c->home->file_name)}));
    if (c->head != NULL)
        c_line(c, "%s", c->head);
    c->head = NULL;
    if (c->declared && !is_last && !left) {
        c_line(c, "{");
        c->out->indent++;
        text_put(c, &b);
        c->out->indent--;
        c_line(c, "}");
    } else {
        text_put(c, &b);
    }
    c->declared = declared;
    c->line = line;
    return left;
}
