// c_uninit.c - definite assignment: which local variables may have no value where they are read,
// and which attributes of objects.
//
// Python raises UnboundLocalError there, a C variable has zero bits. The analysis goes forward
// through the statements of a function with the set of variables that certainly have a value; a
// branch that is left (`return`, `raise`, `break` ..) has all. What is read outside that set gets
// a flag, a variable of its own, that assignments set and that those reads look at. Functions that
// are defined inside look at it whenever they use what had no value where they were defined.
// Nothing gives a value to the variable END_REACHED, so it has one behind the statements of a
// function if that place is never reached.

#include <string.h>

#include "compiler/emit/c/c_call.h"

enum { END_REACHED = 1 };       // its number

typedef struct Bits { uint64_t *at; } Bits;

// An object that is made, whose attributes are followed instead of variables.
typedef struct Making {
    const ClassVec *order;      // in which its methods are looked for
    size_t place;               // of the class there whose method is followed
    Sym self;
    Bits unset;                 // what may be read where it has no value
    Bits *returns;              // what has a value at all the `return`s
    int depth;
} Making;

typedef struct Flow {
    CEmit *c;
    CFunction *f;
    Making *object;             // NULL: variables are followed
    Table *numbers;             // Sym -> its number and 1
    Table *fragile;             // names that a `del` or the end of a handler takes away
    size_t count, words;
    Bits state;
    Bits *breaks;               // what has a value at all the `break`s of the loop around
    Bits then;                  // what had one at the end of the body of the last `if`
    int entered;                // methods of the object, so far
} Flow;

// ---- sets ----

static Bits bits_like(Flow *w, const Bits *other)
{
    Bits b = {ARENA_ARRAY(w->c->arena, uint64_t, w->words)};
    if (other != NULL)
        memcpy(b.at, other->at, w->words * sizeof *b.at);
    else
        memset(b.at, 0xff, w->words * sizeof *b.at);
    return b;
}

static void keep_common(Flow *w, Bits to, Bits other)
{
    for (size_t i = 0; i < w->words; i++)
        to.at[i] &= other.at[i];
}

static void leave(Flow *w) { w->state = bits_like(w, NULL); }

static size_t number_of(const Flow *w, Sym name)
{
    return (size_t)(uintptr_t)table_get(w->numbers, name);
}

static size_t variable(const Flow *w, Sym name) { return w->object ? 0 : number_of(w, name); }
static size_t attribute(const Flow *w, Sym name) { return w->object ? number_of(w, name) : 0; }

static void mark_number(Flow *w, size_t n, bool has_value)
{
    if (n == 0)
        return;
    uint64_t bit = (uint64_t)1 << (n - 1) % 64;
    if (has_value)
        w->state.at[(n - 1) / 64] |= bit;
    else
        w->state.at[(n - 1) / 64] &= ~bit;
}

static void mark(Flow *w, Sym name, bool has_value)
{
    mark_number(w, variable(w, name), has_value);
}

static void bind(Flow *w, Sym name)
{
    if (table_get(w->fragile, name) == NULL)
        mark(w, name, true);
}

static bool is_unsure_number(const Flow *w, size_t n)
{
    return n > 0 && (w->state.at[(n - 1) / 64] >> (n - 1) % 64 & 1) == 0;
}

static bool is_unsure(Flow *w, Sym name) { return is_unsure_number(w, variable(w, name)); }

// ---- flags ----

static void need_flag(Flow *w, Sym name)
{
    CVariable *v = table_get(w->f->variables, name);
    if (v->flag != NULL)
        return;
    v->flag = names_format(w->c->names, "(%s has a value)", name);
    CVariable *flag = ARENA_NEW(w->c->arena, CVariable);
    *flag = (CVariable){.name = v->flag, .rep = rep_named(w->c, "bool"), .stored = true,
                        .stores = 2, .is_flag = true,
                        .c_name = c_identifier(w->c, names_format(w->c->names, "%s_has_value",
                                                                  name))};
    table_set(w->f->variables, v->flag, flag);
    vec_push(w->c->arena, &w->f->order, flag);
}

static bool is_self(const Flow *w, const Expr *e)
{
    return w->object != NULL && e->kind == EXPR_NAME && e->name.id == w->object->self;
}

// Somebody else has the object: whatever has no value yet may be read.
static void escape(Flow *w)
{
    for (size_t i = 0; i < w->words; i++)
        w->object->unset.at[i] |= ~w->state.at[i];
}

static bool mention(void *cx, const Expr *e)
{
    Flow *w = cx;
    if (is_self(w, e))
        escape(w);
    if (e->kind == EXPR_NAME && is_unsure(w, e->name.id))
        need_flag(w, e->name.id);
    return true;
}

static void inner_function(Flow *w, const Stmt *def, const Expr *lambda)
{
    IrWalker walker = {.cx = w, .expr = mention};
    if (def != NULL)
        ir_walk_stmts(&walker, def->function_def.body);
    else
        ir_walk_expr(&walker, lambda->lambda.body);
}

static bool flow_part(void *cx, const Expr *e);

static void flow_expr(Flow *w, const Expr *e)
{
    IrWalker walker = {.cx = w, .expr = flow_part};
    if (e != NULL)
        ir_walk_expr(&walker, e);
}

// What only runs sometimes: nothing that it assigns is sure behind it.
static void flow_aside(Flow *w, const Expr *e)
{
    Bits before = bits_like(w, &w->state);
    flow_expr(w, e);
    w->state = before;
}

// ---- an object that is made ----

static void flow_stmts(Flow *w, StmtList body);

// What follows the place `from` in the order of the classes; the number of classes: nobody has it.
static size_t find_from(const Making *o, size_t from, Sym name, const CMethod **method)
{
    *method = NULL;
    for (size_t i = from; i < o->order->len; i++) {
        if (o->order->at[i]->is_protocol)
            continue;
        *method = c_own_method(o->order->at[i], name);
        bool generated = sym_is(name, "__init__") && o->order->at[i]->is_dataclass;
        if (*method != NULL || generated)
            return i;
    }
    return o->order->len;
}

static void enter(Flow *w, size_t from, Sym name);

// The __init__ that a dataclass is given.
static void fill_fields(Flow *w, const CClass *k)
{
    for (size_t i = 0; i < k->fields.len; i++)
        if (!k->fields.at[i].no_init)
            mark_number(w, attribute(w, k->fields.at[i].name), true);
    enter(w, 0, names_get(w->c->names, "__post_init__"));
}

// The statements of a method of the object, which is looked for from a place of the order.
static void enter(Flow *w, size_t from, Sym name)
{
    enum { DEEPEST = 12, MOST = 300 };      // methods call each other, and themselves
    Making *o = w->object;
    const CMethod *m;
    size_t place = find_from(o, from, name, &m);
    if (place == o->order->len)
        return;
    if (m == NULL) {
        fill_fields(w, o->order->at[place]);
        return;
    }
    const Arguments *args = m->def->function_def.args;
    ArgList list = args->posonlyargs.len > 0 ? args->posonlyargs : args->args;
    bool too_many = o->depth > DEEPEST || w->entered++ > MOST;
    if (m->is_static || m->is_class || list.len == 0 || too_many || c_yields(m->def)) {
        escape(w);
        return;
    }
    Bits returns = bits_like(w, NULL), *breaks = w->breaks;
    Making outer = *o;
    *o = (Making){outer.order, place, list.at[0]->arg, outer.unset, &returns, outer.depth + 1};
    w->breaks = NULL;
    flow_stmts(w, m->def->function_def.body);
    keep_common(w, w->state, returns);
    *o = outer;
    w->breaks = breaks;
}

// `K.method(self, ..)`: the place of K in the order; the number of classes: it is none.
static size_t place_of_base(Flow *w, const Expr *call)
{
    const Expr *base = call->call.func->attribute.value;
    bool given = call->call.args.len > 0 && is_self(w, call->call.args.at[0]);
    const CClass *k = given ? c_class_named(w->c, base) : NULL;
    size_t i = 0;
    while (i < w->object->order->len && w->object->order->at[i] != k)
        i++;
    return i;
}

// A call of a method of the object, followed; false: it is another call.
static bool flow_method(Flow *w, const Expr *call)
{
    const Expr *func = call->call.func;
    if (w->object == NULL || func->kind != EXPR_ATTRIBUTE)
        return false;
    const Expr *base = func->attribute.value;
    bool is_super = c_is_super(base);
    size_t place = is_super ? w->object->place + 1
        : is_self(w, base) ? 0 : place_of_base(w, call);
    bool by_class = !is_super && !is_self(w, base);
    if (place == w->object->order->len && by_class)
        return false;
    for (size_t i = by_class; i < call->call.args.len; i++)
        flow_expr(w, call->call.args.at[i]);
    for (size_t i = 0; i < call->call.keywords.len; i++)
        flow_expr(w, call->call.keywords.at[i]->value);
    enter(w, place, func->attribute.attr);
    return true;
}

// An attribute of the object is read; false: it is of something else.
static bool flow_attribute(Flow *w, const Expr *e)
{
    if (!is_self(w, e->attribute.value))
        return false;
    size_t n = attribute(w, e->attribute.attr);
    const CMethod *m;
    if (n == 0 && find_from(w->object, 0, e->attribute.attr, &m) < w->object->order->len)
        escape(w);                      // a property runs; a method is kept
    if (e->attribute.ctx != EXPR_CONTEXT_STORE && is_unsure_number(w, n))
        w->object->unset.at[(n - 1) / 64] |= (uint64_t)1 << (n - 1) % 64;
    return true;
}

// ---- expressions ----

static bool flow_part(void *cx, const Expr *e)
{
    Flow *w = cx;
    switch (e->kind) {
    case EXPR_CALL: return !flow_method(w, e);
    case EXPR_ATTRIBUTE: return !flow_attribute(w, e);
    case EXPR_NAME:
        if (is_self(w, e))
            escape(w);
        if (e->name.ctx != EXPR_CONTEXT_STORE && is_unsure(w, e->name.id)) {
            need_flag(w, e->name.id);
            table_set(w->c->unsure, e, w->f);
        }
        return false;
    case EXPR_LAMBDA:
        for (size_t i = 0; i < e->lambda.args->defaults.len; i++)
            flow_expr(w, e->lambda.args->defaults.at[i]);
        inner_function(w, NULL, e);
        return false;
    case EXPR_NAMED_EXPR:
        flow_expr(w, e->named_expr.value);
        bind(w, e->named_expr.target->name.id);
        return false;
    case EXPR_BOOL_OP:
        flow_expr(w, e->bool_op.values.at[0]);
        for (size_t i = 1; i < e->bool_op.values.len; i++)
            flow_aside(w, e->bool_op.values.at[i]);
        return false;
    case EXPR_IF_EXP:
        flow_expr(w, e->if_exp.test);
        flow_aside(w, e->if_exp.body);
        flow_aside(w, e->if_exp.orelse);
        return false;
    case EXPR_BIN_OP: case EXPR_UNARY_OP: case EXPR_DICT: case EXPR_SET: case EXPR_LIST_COMP:
    case EXPR_SET_COMP: case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP: case EXPR_AWAIT:
    case EXPR_YIELD: case EXPR_YIELD_FROM: case EXPR_COMPARE: case EXPR_FORMATTED_VALUE:
    case EXPR_JOINED_STR: case EXPR_CONSTANT: case EXPR_SUBSCRIPT: case EXPR_STARRED:
    case EXPR_LIST: case EXPR_TUPLE: case EXPR_SLICE: case EXPR_LOCATED: case EXPR_INST:
    case EXPR_PIN: case EXPR_COM: case EXPR_SELECT: case EXPR_UNIT: case EXPR_SEND: case EXPR_RECV:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_SEND_LABEL: case EXPR_COUNT:
        break;
    }
    return true;
}

// ---- statements ----

static void flow_target(Flow *w, const Expr *target)
{
    flow_expr(w, target);
    if (target->kind == EXPR_NAME)
        bind(w, target->name.id);
    if (target->kind == EXPR_ATTRIBUTE && is_self(w, target->attribute.value))
        mark_number(w, attribute(w, target->attribute.attr), true);
}

static void flow_if(Flow *w, const Stmt *s)
{
    flow_expr(w, s->if_.test);
    Bits before = bits_like(w, &w->state);
    flow_stmts(w, s->if_.body);
    Bits then = w->state;
    w->state = before;
    flow_stmts(w, s->if_.orelse);
    keep_common(w, w->state, then);
    w->then = then;
}

// Whether `s` is only taken where `before` was, as a `case` with captures and a guard becomes:
//     if m: ..; m = test          if m: ..
static bool is_second_stage(Flow *w, const Stmt *before, const Stmt *s)
{
    if (before->kind != STMT_IF || s->kind != STMT_IF || before->if_.orelse.len > 0
        || before->if_.test->kind != EXPR_NAME || s->if_.test->kind != EXPR_NAME)
        return false;
    Sym m = s->if_.test->name.id;
    const Stmt *last = before->if_.body.at[before->if_.body.len - 1];
    const Expr *target = last->kind == STMT_ASSIGN ? last->assign.targets.at[0] : NULL;
    return before->if_.test->name.id == m && target && target->kind == EXPR_NAME
           && target->name.id == m && rep_or_object(w->c, target)->kind == REP_BOOL
           && rep_or_object(w->c, s->if_.test)->kind == REP_BOOL;
}

static void flow_second_stage(Flow *w, const Stmt *s)
{
    Bits before = bits_like(w, &w->state);
    w->state = w->then;
    flow_stmts(w, s->if_.body);
    Bits then = w->state;
    w->state = before;
    flow_stmts(w, s->if_.orelse);
    keep_common(w, w->state, then);
}

static bool never_ends(const Expr *test)
{
    return test->kind == EXPR_CONSTANT && test->constant.value->kind == CONST_BOOL
           && test->constant.value->truth;
}

static void flow_loop(Flow *w, const Expr *test, const Expr *target, StmtList body)
{
    Bits breaks = bits_like(w, NULL), *around = w->breaks;
    if (target == NULL)
        flow_expr(w, test);
    Bits after = bits_like(w, target == NULL && never_ends(test) ? NULL : &w->state);
    if (target != NULL)
        flow_target(w, target);
    w->breaks = &breaks;
    flow_stmts(w, body);
    w->breaks = around;
    keep_common(w, after, breaks);
    w->state = after;
}

static void flow_handler(Flow *w, const Excepthandler *h)
{
    if (h->except_handler.type != NULL)
        flow_expr(w, h->except_handler.type);
    if (h->except_handler.name != NULL)
        mark(w, h->except_handler.name, true);
    flow_stmts(w, h->except_handler.body);
    if (h->except_handler.name != NULL)
        mark(w, h->except_handler.name, false);
}

static void flow_try(Flow *w, const Stmt *s)
{
    Bits before = bits_like(w, &w->state);
    flow_stmts(w, s->try.body);
    flow_stmts(w, s->try.orelse);
    Bits after = w->state;
    for (size_t i = 0; i < s->try.handlers.len; i++) {
        w->state = bits_like(w, &before);
        flow_handler(w, s->try.handlers.at[i]);
        keep_common(w, after, w->state);
    }
    w->state = before;          // the `finally` may come from anywhere inside
    Bits at_start = bits_like(w, &before);
    flow_stmts(w, s->try.finalbody);
    for (size_t i = 0; i < w->words; i++)
        w->state.at[i] = after.at[i] | (w->state.at[i] & ~at_start.at[i]);
}

static void flow_arms(Flow *w, const Stmt *s)
{
    Bits before = bits_like(w, &w->state), after = bits_like(w, NULL);
    for (size_t i = 0; i < s->offer.arms.len; i++) {
        w->state = bits_like(w, &before);
        flow_stmts(w, s->offer.arms.at[i]->body);
        keep_common(w, after, w->state);
    }
    w->state = after;
}

static void flow_def(Flow *w, const Stmt *s)
{
    const Arguments *args = s->function_def.args;
    for (size_t i = 0; i < args->defaults.len; i++)
        flow_expr(w, args->defaults.at[i]);
    for (size_t i = 0; i < args->kw_defaults.len; i++)
        flow_expr(w, args->kw_defaults.at[i]);
    bind(w, s->function_def.name);      // it may call itself
    inner_function(w, s, NULL);
}

static void flow_stmt(Flow *w, const Stmt *s)
{
    switch (s->kind) {
    case STMT_FUNCTION_DEF: flow_def(w, s); return;
    case STMT_RETURN:
        flow_expr(w, s->return_.value);
        if (w->object != NULL)
            keep_common(w, *w->object->returns, w->state);
        leave(w);
        return;
    case STMT_RAISE:
        flow_expr(w, s->raise.exc);
        flow_expr(w, s->raise.cause);
        leave(w);
        return;
    case STMT_BREAK:
        if (w->breaks != NULL)
            keep_common(w, *w->breaks, w->state);
        leave(w);
        return;
    case STMT_CONTINUE: case STMT_STOPPED: leave(w); return;
    case STMT_DELETE:
        for (size_t i = 0; i < s->delete.targets.len; i++)
            flow_expr(w, s->delete.targets.at[i]);
        return;
    case STMT_ASSIGN:
        flow_expr(w, s->assign.value);
        for (size_t i = 0; i < s->assign.targets.len; i++)
            flow_target(w, s->assign.targets.at[i]);
        return;
    case STMT_ANN_ASSIGN:
        flow_expr(w, s->ann_assign.value);
        if (s->ann_assign.value != NULL)
            flow_target(w, s->ann_assign.target);
        return;
    case STMT_FOR:
        flow_expr(w, s->for_.iter);
        flow_loop(w, NULL, s->for_.target, s->for_.body);
        return;
    case STMT_WHILE: flow_loop(w, s->while_.test, NULL, s->while_.body); return;
    case STMT_IF: flow_if(w, s); return;
    case STMT_TRY: flow_try(w, s); return;
    case STMT_OFFER: flow_expr(w, s->offer.channel); flow_arms(w, s); return;
    case STMT_EXPR: flow_expr(w, s->expr.value); return;
    case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF: case STMT_TYPE_ALIAS: case STMT_AUG_ASSIGN:
    case STMT_ASYNC_FOR: case STMT_WITH: case STMT_ASYNC_WITH: case STMT_MATCH: case STMT_TRY_STAR:
    case STMT_ASSERT: case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_GLOBAL:
    case STMT_NONLOCAL: case STMT_PASS: case STMT_CHOREO: case STMT_TAPE: case STMT_KEEP:
    case STMT_BACK: case STMT_COUNT:
        return;
    }
}

static void flow_stmts(Flow *w, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        if (i > 0 && is_second_stage(w, body.at[i - 1], body.at[i]))
            flow_second_stage(w, body.at[i]);
        else
            flow_stmt(w, body.at[i]);
    }
}

// ---- a function ----

static bool note_deleted(void *cx, const Stmt *s)
{
    Flow *w = cx;
    for (size_t i = 0; s->kind == STMT_DELETE && i < s->delete.targets.len; i++)
        if (s->delete.targets.at[i]->kind == EXPR_NAME)
            table_set(w->fragile, s->delete.targets.at[i]->name.id, w);
    return true;                // a function inside may delete it, too
}

static bool note_handler(void *cx, const Excepthandler *h)
{
    Flow *w = cx;
    if (h->except_handler.name != NULL)
        table_set(w->fragile, h->except_handler.name, w);
    return true;
}

void c_find_uninit(CEmit *c, CFunction *f)
{
    Flow w = {.c = c, .f = f, .numbers = table_new(c->arena), .fragile = table_new(c->arena),
              .count = END_REACHED};
    for (size_t i = 0; i < f->order.len; i++)
        if (!f->order.at[i]->held && !f->order.at[i]->self_function)
            table_set(w.numbers, f->order.at[i]->name, (void *)(uintptr_t)++w.count);
    w.words = w.count / 64 + 1;
    w.state = bits_like(&w, NULL);
    IrWalker walker = {.cx = &w, .stmt = note_deleted, .excepthandler = note_handler};
    ir_walk_stmts(&walker, f->def->function_def.body);
    for (size_t i = 0, n = f->order.len; i < n; i++) {
        const CVariable *v = f->order.at[i];
        mark(&w, v->name, v->param && table_get(w.fragile, v->name) == NULL);
    }
    mark_number(&w, END_REACHED, false);
    flow_stmts(&w, f->def->function_def.body);
    f->ends = is_unsure_number(&w, END_REACHED);
}

// ---- the attributes of a class ----

static bool begins_with_value(const CField *f) { return f->value != NULL || f->constant != NULL; }

// The attributes that `of` declares, when an object of `made` is made, which derives from it.
static void follow_constructor(CEmit *c, CClass *of, CClass *made)
{
    Making object = {.order = &made->order};
    Flow w = {.c = c, .object = &object, .numbers = table_new(c->arena),
              .fragile = table_new(c->arena)};
    for (size_t i = 0; i < of->fields.len; i++)
        if (of->fields.at[i].owner == of && !begins_with_value(&of->fields.at[i]))
            table_set(w.numbers, of->fields.at[i].name, (void *)(uintptr_t)++w.count);
    w.words = w.count / 64 + 1;
    object.unset = bits_like(&w, NULL);
    memset(object.unset.at, 0, w.words * sizeof *object.unset.at);
    w.state = bits_like(&w, NULL);
    memset(w.state.at, 0, w.words * sizeof *w.state.at);
    enter(&w, 0, names_get(c->names, "__init__"));
    escape(&w);
    w.state = object.unset;
    for (size_t i = 0; i < of->fields.len; i++) {
        size_t n = of->fields.at[i].owner == of ? attribute(&w, of->fields.at[i].name) : 0;
        if (n > 0 && !is_unsure_number(&w, n))
            table_set(of->unset, of->fields.at[i].name, of);
    }
}

bool c_is_unset(CEmit *c, const CField *f)
{
    CClass *k = f->owner;
    if (k == NULL || k->is_protocol || k->is_named_tuple || k->def == NULL)
        return false;
    if (k->unset == NULL) {
        c_instances_of_module(c);
        k->unset = table_new(c->arena);
        follow_constructor(c, k, k);
        ClassVec all = c_deriving(c, k);
        for (size_t i = 0; i < all.len; i++)
            follow_constructor(c, k, all.at[i]);
    }
    return table_get(k->unset, f->name) != NULL;
}

bool c_is_begun(const CEmit *c, const CField *f)
{
    return f->attribute && f->constant != NULL && c->cx->types.len > 0;
}

const char *c_field_flag(CEmit *c, const CField *f)
{
    if (c_is_begun(c, f))
        return c_text(c, "pychoral_has_%s", f->c_name);
    bool pointer = strcmp(rep_zero(c, f->rep), "NULL") == 0;
    return pointer || !c_is_unset(c, f) ? NULL : c_text(c, "pychoral_has_%s", f->c_name);
}

bool c_may_be_uninit(CEmit *c, const Expr *e)
{
    const CVariable *v = c_find_variable(c, e->name.id);
    return v != NULL && v->flag != NULL && (v->held || table_get(c->unsure, e) != NULL);
}

void c_note_value(CEmit *c, const CVariable *v, bool has_value)
{
    if (v->flag != NULL)
        c_line(c, "%s = %s;", c_variable(c, c_find_variable(c, v->flag)).text,
               has_value ? "true" : "false");
}

void c_check_value(CEmit *c, const CVariable *v)
{
    c_line(c, "if (!%s)\n    pychoral_no_value(\"%s\", %s);",
           c_variable(c, c_find_variable(c, v->flag)).text, v->name, v->held ? "true" : "false");
    c_check(c);
}
