// expression.c - what expressions may be.

#include "compiler/ir/free_names.h"
#include "typecheck/state/state.h"

// ---- places ----

Id gen_place(State *s, const Function *f, SymList roles) {
    Table *places = state_table(s, s->places, f);
    const void *key = roles.len == 1 ? (const void *)roles.at[0] : (const void *)roles.at;
    bool known = table_get(places, key) != NULL;
    Id place = state_in(s, places, key);
    for (size_t i = 0; !known && i < roles.len; i++) state_stand(s, f, roles.at[i], place);
    return place;
}

static Id place_of(const Gen *g, SymList roles) {
    bool own = roles.len > 0 && g->cx->choreography != NULL;
    return own ? gen_place(g->s, g->cx->choreography, roles) : g->place;
}

void gen_at(Gen *g, SymList roles) { g->place = place_of(g, roles); }

// ---- operations ----

Op gen_op(const Gen *g, OpKind kind, const Expr *e) {
    return (Op){.kind = kind, .at = e->at, .key = e, .cx = g->cx, .place = place_of(g, e->roles)};
}

Id gen_apply(Gen *g, Id node, Op op) {
    if (node == 0) return 0;
    if (op.result == 0) op.result = state_node(g->s);
    state_when(g->s, node, &op);
    return op.result;
}

static void read_for(Gen *g, Id node, Span at, Sym method) {
    Op op = {.at = at, .cx = g->cx, .place = g->place};
    state_read(g->s, &op, (Eval){.node = node, .method = method});
}

void gen_read(Gen *g, Id node, Span at) { read_for(g, node, at, NULL); }

static Id reached(State *s, const Op *op, Id node) {
    Op deep = state_as(op, OP_DEEP, state_memo(s, op->cx, op->key, table_key(node)));
    node_at(s, deep.result)->deep = true;
    state_part(s, deep.result, node);
    state_flow(s, node, deep.result);
    state_when(s, deep.result, &deep);
    return deep.result;
}

Id gen_given(State *s, const Op *op, Id node) {
    bool known = node == 0 || node_at(s, node)->deep ||
        (s->implicit.len == 0 && !s->derived);
    return known ? node : reached(s, op, node);
}

Id gen_deep(State *s, const Op *op, Id node) {
    if (node == 0 || node_at(s, node)->deep) return node;
    Id all = reached(s, op, node);
    state_read(s, op, (Eval){.node = all, .all = true});
    return all;
}

// Its attributes and items are taken, and theirs again: `"{0.a[k]}".format(o)`.
void gen_looked(State *s, const Op *op, Id node) {
    if (node == 0) return;
    Op look = state_as(op, OP_LOAD, state_memo(s, op->cx, table_key(node), state_sym(s, "=look")));
    look.name = state_sym(s, "*");
    state_flow(s, node, look.result);
    state_when(s, look.result, &look);
    look.kind = OP_ITEMS;
    state_when(s, look.result, &look);
    gen_deep(s, op, look.result);
}

static void given(Gen *g, Id node, const Expr *e) {
    Op op = gen_op(g, OP_DEEP, e);
    gen_given(g->s, &op, node);
}

static Id hashed(Gen *g, Id node, const Expr *e) {
    given(g, node, e);
    return gen_apply(g, node, gen_op(g, OP_HASHED, e));
}

static void deep(Gen *g, Id node, const Expr *e) {
    Op op = gen_op(g, OP_DEEP, e);
    gen_deep(g->s, &op, node);
}

Id gen_items(Gen *g, Id node, const Expr *at) {
    return gen_apply(g, node, gen_op(g, OP_ITEMS, at));
}

Op gen_op_with(const Gen *g, OpKind kind, const Expr *e, Id argument) {
    Op op = gen_op(g, kind, e);
    op.args = ARENA_NEW(g->s->arena, Operand);
    op.args->node = argument;
    op.len = 1;
    return op;
}

// ---- variables ----

typedef struct Found { Frame *scope; Id node; Obj *cell; } Found;

Obj *gen_cell(State *s, Frame *sc, Sym name, Span at) {
    Obj *o = table_get(state_own(s, &sc->cells), name);
    if (o == NULL) {
        o = state_obj(s, OBJ_CELL, sc->cx, at);
        o->name = name;
        o->of_module = sc == s->module;
        o->differs = sc == s->module && program_find(s->p, name) != NULL &&
            program_find(s->p, name)->differs;
        table_set(sc->cells, name, o);
    }
    return o;
}

Id gen_variable(State *s, Frame *sc, Sym name) {
    return sc->class_ != NULL ? state_field(s, sc->class_, name) : state_in(s, sc->vars, name);
}

// A class body's names are not seen from functions inside it; a name that is said to be global is
// the module's.
static Frame *scope_of(const Gen *g, Sym name) {
    bool inside = false;
    for (Frame *sc = g->scope; sc != NULL; sc = sc->outer) {
        const void *bound = inside && sc->class_ != NULL ? NULL : table_get(sc->bound, name);
        if (bound == g->s) return g->s->module;
        if (bound != NULL) return sc;
        inside |= !sc->transparent && sc->class_ == NULL;
    }
    return NULL;
}

static Found find(const Gen *g, Sym name, Span at) {
    State *s = g->s;
    Frame *sc = scope_of(g, name);
    if (sc == NULL) return (Found){0};
    bool of_class = s->load && sc->class_ != NULL;
    bool elsewhere = sc->cx != g->cx && (of_class || table_get(s->assigned, name) != NULL);
    return (Found){sc, gen_variable(s, sc, name), elsewhere ? gen_cell(s, sc, name, at) : NULL};
}

// For the interface of a library: in code of a choreography, or inside it.
static void note_named(Gen *g, Sym name) {
    State *s = g->s;
    const Ctx *cx = g->cx;
    while (cx->choreography == NULL && cx->function != NULL && cx->function->scope->cx != cx)
        cx = cx->function->scope->cx;
    Decl *d = cx->choreography != NULL ? program_find(s->p, name) : NULL;
    bool any = d != NULL && (d->kind == DECL_VARIABLE || d->kind == DECL_LOCAL_FUNCTION ||
                             d->kind == DECL_LOCAL_CLASS);
    Named n = {cx->choreography, d, g->place};
    if (any) vec_push(s->arena, &s->named, n);
}

static Id gen_name(Gen *g, const Expr *e) {
    Found f = find(g, e->name.id, e->at);
    if (g->s->library_only && f.scope == g->s->module) note_named(g, e->name.id);
    if (f.cell != NULL) gen_read(g, state_one(g->s, f.cell), e->at);
    if (f.scope != NULL) return f.node;
    Obj *o = library_builtin(g->s, e->name.id);
    return o != NULL ? state_one(g->s, o) : 0;
}

void gen_bind(Gen *g, Sym name, Id value, Span at) {
    Found f = find(g, name, at);
    if (f.scope == NULL) return;
    state_flow(g->s, value, f.node);
    if (f.cell == NULL || f.scope->class_ != NULL) return;
    Op op = {.at = at, .cx = g->cx, .place = g->place};
    state_change(g->s, f.cell, &op);
}

// ---- targets ----

static Id gen_receiver(Gen *g, const Expr *e, Sym method);

static bool starred(ExprList elts) {
    bool any = false;
    for (size_t i = 0; i < elts.len; i++)
        any |= elts.at[i] != NULL && elts.at[i]->kind == EXPR_STARRED;
    return any;
}

// The last ones are counted from the end.
Sym gen_index(const Gen *g, size_t i, size_t len, bool from_end) {
    return names_format(g->s->p->names, "%ld", (long)i - (from_end ? (long)len : 0));
}

static void target(Gen *g, const Expr *t, Id value, bool removes);

static void parts_of_target(Gen *g, ExprList elts, Id value, const Expr *t, bool removes) {
    bool after = false;
    for (size_t i = 0; i < elts.len; i++) {
        Op part = gen_op(g, OP_ITEMS, t);
        bool star = elts.at[i]->kind == EXPR_STARRED;
        after |= star;
        part.name = star ? NULL : gen_index(g, i, elts.len, after);
        target(g, elts.at[i], gen_apply(g, value, part), removes);
    }
}

static void subscript_target(Gen *g, const Expr *t, Id value, bool removes) {
    Sym method = state_sym(g->s, removes ? "__delitem__" : "__setitem__");
    Id base = gen_receiver(g, t->subscript.value, method);
    Id key = gen_expr(g, t->subscript.slice);
    given(g, key, t);
    if (t->subscript.slice->kind == EXPR_SLICE) value = gen_items(g, value, t);
    Op op = gen_op(g, removes ? OP_REMOVE : OP_PUT, t);
    op.args = (Operand[]){{.node = key}, {.node = value}};
    op.len = removes ? 1 : 2;
    gen_apply(g, base, op);
}

static void target(Gen *g, const Expr *t, Id value, bool removes) {
    Id outer = g->place;
    gen_at(g, t->roles);
    if (t->kind == EXPR_NAME) gen_bind(g, t->name.id, value, t->at);
    if (t->kind == EXPR_TUPLE) parts_of_target(g, t->tuple.elts, value, t, removes);
    if (t->kind == EXPR_LIST) parts_of_target(g, t->list.elts, value, t, removes);
    if (t->kind == EXPR_STARRED) {
        Obj *rest = gen_data(g, t, t->at, "list");
        state_flow(g->s, value, state_items(g->s, rest));
        gen_store(g, t->starred.value, state_one(g->s, rest));
    }
    if (t->kind == EXPR_ATTRIBUTE) {
        Op op = gen_op_with(g, OP_STORE, t, value);
        op.name = t->attribute.attr;
        op.len = !removes;                      // a store of nothing
        gen_apply(g, gen_expr(g, t->attribute.value), op);
    }
    if (t->kind == EXPR_SUBSCRIPT) subscript_target(g, t, value, removes);
    g->place = outer;
}

void gen_store(Gen *g, const Expr *t, Id value) { target(g, t, value, false); }

void gen_remove(Gen *g, const Expr *t) { target(g, t, 0, true); }

// ---- what is made ----

Obj *gen_data(Gen *g, const void *key, Span at, const char *class_) {
    Obj *o = state_made(g->s, g->cx, key, OBJ_DATA, at);
    o->home = state_sym(g->s, class_);
    o->mutable_ = !sym_is(o->home, "tuple");
    return o;
}

static Id display(Gen *g, const Expr *e, ExprList elts, const char *class_) {
    Obj *o = gen_data(g, e, e->at, class_);
    if (e->kind == EXPR_TUPLE && !starred(elts)) o->length = elts.len;
    for (size_t i = 0; i < elts.len; i++) {
        const Expr *elt = elts.at[i];
        if (elt == NULL) continue;              // `**d`, whose value comes by itself
        Id node = elt->kind == EXPR_STARRED
            ? gen_items(g, gen_expr(g, elt->starred.value), elt) : gen_expr(g, elt);
        if (e->kind != EXPR_LIST && e->kind != EXPR_TUPLE) node = hashed(g, node, elt);
        state_flow(g->s, node, state_items(g->s, o));
        if (o->length > 0) state_flow(g->s, node, state_at(g->s, o, gen_index(g, i, 0, false)));
    }
    return state_one(g->s, o);
}

static Id gen_dict(Gen *g, const Expr *e) {
    Id node = display(g, e, e->dict.keys, "dict");
    Obj *o = gen_data(g, e, e->at, "dict");
    for (size_t i = 0; i < e->dict.values.len; i++) {
        Id value = gen_expr(g, e->dict.values.at[i]);
        if (e->dict.keys.at[i] == NULL) value = gen_items(g, value, e->dict.values.at[i]);
        state_flow(g->s, value, state_items(g->s, o));
    }
    return node;
}

// The first iterable is evaluated outside.
static void comprehend(Gen *g, const Expr *e, ComprehensionList list, const Expr *elt,
                       const Expr *value, Id items) {
    Frame *around = g->scope;
    Vec(const Expr *) targets = {0};
    for (size_t i = 0; i < list.len; i++) vec_push(g->s->arena, &targets, list.at[i]->target);
    Id first = gen_expr(g, list.at[0]->iter);
    SymList bound = names_bound_in(g->s->arena, g->s->p->names,
                                   (ExprList){targets.at, targets.len}, (StmtList){0});
    g->scope = gen_scope(g->s, around, g->cx, e, bound);
    g->scope->transparent = true;
    for (size_t i = 0; i < list.len; i++) {
        Id iter = i == 0 ? first : gen_expr(g, list.at[i]->iter);
        gen_store(g, list.at[i]->target, gen_items(g, iter, list.at[i]->iter));
        for (size_t k = 0; k < list.at[i]->ifs.len; k++) gen_test(g, list.at[i]->ifs.at[k]);
    }
    Id key = gen_expr(g, elt);
    if (e->kind == EXPR_SET_COMP || value != NULL) key = hashed(g, key, elt);
    state_flow(g->s, key, items);
    if (value != NULL) state_flow(g->s, gen_expr(g, value), items);
    g->scope = around;
}

static Id comprehension(Gen *g, const Expr *e, ComprehensionList list, const Expr *elt,
                        const Expr *value, const char *class_) {
    Obj *o = gen_data(g, e, e->at, class_);
    comprehend(g, e, list, elt, value, state_items(g->s, o));
    return state_one(g->s, o);
}

void gen_generator(Gen *g, const Expr *e, Obj *o) {
    comprehend(g, e, e->generator_exp.generators, e->generator_exp.elt, NULL,
               state_items(g->s, o));
}

static Id generator(Gen *g, const Expr *e) {
    Obj *o = state_made(g->s, g->cx, e, OBJ_GENERATOR, e->at);
    o->expr = e;
    o->scope = g->scope;
    o->cx = g->cx;
    gen_generator(g, e, o);
    return state_one(g->s, o);
}

// Of a function inside a choreography the default values are made once, for all roles.
static void one_default(Gen *g, Obj *f, const Formal *param) {
    State *s = g->s;
    const Expr *e = param->value;
    bool shared = g->cx->choreography != NULL;
    bool made = e->kind != EXPR_NAME && e->kind != EXPR_ATTRIBUTE && e->kind != EXPR_SUBSCRIPT;
    Id outer = g->place;
    const Function *c = f->def != NULL ? s->function_of(s->function_cx, f->def) : NULL;
    const Expr *type = param->arg->annotation;
    if (c != NULL && type != NULL && type->kind == EXPR_LOCATED && s->load)
        g->place = gen_place(s, c, type->located.at_roles);
    Id node = gen_expr(g, e);
    g->place = outer;
    if (shared && made) gen_apply(g, node, gen_op(g, OP_KEPT, e));
    f->kept |= shared;
    if (!local_deterministic_expr(s->p, e)) f->differs = true;
    state_flow(s, node, state_field(s, f, names_format(s->p->names, "=%s", param->arg->arg)));
}

void gen_defaults(Gen *g, Obj *f) {
    const Formals *params = state_params(g->s, state_arguments(f));
    for (size_t i = 0; i < params->all.len; i++)
        if (params->all.at[i].value != NULL) one_default(g, f, &params->all.at[i]);
}

static Id lambda(Gen *g, const Expr *e) {
    Obj *f = state_made(g->s, g->cx, e, OBJ_FUNCTION, e->at);
    f->expr = e;
    f->scope = g->scope;
    gen_defaults(g, f);
    return state_one(g->s, f);
}

// ---- operators ----

static const char *const UNARY[][2] = {
    [UNARYOP_INVERT] = {"__invert__"}, [UNARYOP_U_ADD] = {"__pos__"}, [UNARYOP_U_SUB] = {"__neg__"},
};
static const char *const TRUTH[] = {"__bool__", "__len__", NULL};

// `a + b` and `a += b`: the right operand may have the method, too.
static Id binary(Gen *g, OpKind kind, const Expr *e, Operator op, Id left, Id right) {
    if (left == 0 && right == 0) return 0;
    if (op == OPERATOR_MOD) deep(g, right, e);
    Op operate = gen_op_with(g, kind, e, right);
    operate.names = pyt_operator_methods(op);
    operate.result = state_node(g->s);
    gen_apply(g, left, operate);
    operate.kind = OP_OPERATE;
    operate.args = &(Operand){.node = left};
    gen_apply(g, right, operate);
    return operate.result;
}

Id gen_augmented(Gen *g, const Stmt *s) {
    const Expr *t = s->aug_assign.target;
    Id value = gen_expr(g, s->aug_assign.value);
    return binary(g, OP_UPDATE, t, s->aug_assign.op, gen_expr(g, t), value);
}

static void test(Gen *g, Id node, const Expr *e) {
    Op op = gen_op(g, OP_OPERATE, e);
    op.names = TRUTH;
    if (g->s->load) state_read(g->s, &op, (Eval){.node = node, .all = true});
    if (state_defined(g->s, "__bool__") || state_defined(g->s, "__len__")) gen_apply(g, node, op);
}

void gen_test(Gen *g, const Expr *e) { test(g, gen_expr(g, e), e); }

static Id bool_op(Gen *g, const Expr *e) {
    Id node = 0;
    for (size_t i = 0; i < e->bool_op.values.len; i++) {
        node = state_both(g->s, node, gen_expr(g, e->bool_op.values.at[i]));
        test(g, node, e);
    }
    return node;
}

static Id unary(Gen *g, const Expr *e, Id operand) {
    Op op = gen_op(g, OP_OPERATE, e);
    op.names = UNARY[e->unary_op.op];
    if (e->unary_op.op != UNARYOP_NOT) return gen_apply(g, operand, op);
    test(g, operand, e);
    return 0;
}

static void compare(Gen *g, const Expr *e) {
    Id left = gen_expr(g, e->compare.left);
    for (size_t i = 0; i < e->compare.ops.len; i++) {
        Cmpop op = e->compare.ops.at[i];
        Id right = gen_expr(g, e->compare.comparators.at[i]);
        if (op != CMPOP_IS && op != CMPOP_IS_NOT) {
            deep(g, left, e);
            deep(g, right, e);
        }
        if (op == CMPOP_IN || op == CMPOP_NOT_IN) gen_items(g, right, e);
        left = right;
    }
}

// ---- calls ----

static Sym text_of(const Gen *g, const Expr *e) {
    const Const *c = e->kind == EXPR_CONSTANT ? e->constant.value : NULL;
    return c != NULL && c->kind == CONST_STR
        ? names_intern(g->s->p->names, c->text.at, c->text.len) : NULL;
}

static Op call_op(Gen *g, const Expr *e) {
    Op op = gen_op(g, OP_CALL, e);
    ExprList args = e->call.args;
    KeywordList words = e->call.keywords;
    op.args = ARENA_ARRAY(g->s->arena, Operand, args.len + words.len + 1);
    for (size_t i = 0; i < args.len; i++) {
        bool star = args.at[i]->kind == EXPR_STARRED;
        Id node = gen_expr(g, star ? args.at[i]->starred.value : args.at[i]);
        if (star) node = gen_items(g, node, args.at[i]);
        op.args[op.len++] = (Operand){.node = node, .many = star ? EACH : ONE,
                                      .text = text_of(g, args.at[i])};
    }
    for (size_t i = 0; i < words.len; i++) {
        Id node = gen_expr(g, words.at[i]->value);
        if (words.at[i]->arg == NULL) node = gen_items(g, node, words.at[i]->value);
        op.args[op.len++] = (Operand){.node = node, .name = words.at[i]->arg,
                                      .many = words.at[i]->arg == NULL ? EACH : ONE};
    }
    return op;
}

static bool is_builtin(const Gen *g, const Expr *f, const char *name) {
    return f->kind == EXPR_NAME && sym_is(f->name.id, name) && scope_of(g, f->name.id) == NULL;
}

// `super().m(..)`: what the classes above have under that name, with the receiver of this method.
static bool is_super(const Gen *g, const Expr *f) {
    return f->kind == EXPR_ATTRIBUTE && f->attribute.value->kind == EXPR_CALL &&
        is_builtin(g, f->attribute.value->call.func, "super");
}

static void call_super(Gen *g, const Expr *f, Op op) {
    Ctx *cx = g->cx;
    while (cx->self == 0 && cx->function != NULL && cx->function->scope->cx != cx &&
           cx->function->scope->cx != NULL)
        cx = cx->function->scope->cx;
    if (cx->self == 0 || cx->function == NULL || cx->function->of == NULL) return;
    op.name = f->attribute.attr;
    op.around = cx->function->of;
    state_when(g->s, cx->self, &op);
}

// A text gives no object: what its methods are given they read.
static bool reads_arguments(Sym method) {
    static const char *const METHODS[] = {"join", "format", "format_map", NULL};
    return sym_is_one_of(method, METHODS);
}

static Id gen_call(Gen *g, const Expr *e, Id callee) {
    const Expr *f = e->call.func;
    bool inst = f->kind == EXPR_INST;
    if (inst) f = f->inst.target;
    bool method = f->kind == EXPR_ATTRIBUTE;
    if (inst) callee = gen_expr(g, method ? f->attribute.value : f);
    Op op = call_op(g, e);
    op.result = state_node(g->s);
    if (method && sym_is(f->attribute.attr, "__new__") && op.len > 0) {
        Op fresh = state_as(&op, OP_FRESH, op.result);
        fresh.len = 0;
        gen_apply(g, op.args[0].node, fresh);
        state_flow(g->s, op.args[0].node, op.result);       // a metaclass makes the class
        op.args++;
        op.len--;
    }
    if (is_super(g, f)) {
        op.kind = OP_SUPER;
        call_super(g, f, op);
        return op.result;
    }
    bool reads = method && (callee == 0 || reads_arguments(f->attribute.attr));
    bool looks = method && library_marked(g->s, "str", f->attribute.attr, "looks");
    for (size_t i = 0; reads && i < op.len; i++) {
        deep(g, op.args[i].node, e);
        gen_items(g, op.args[i].node, e);
        if (looks) gen_looked(g->s, &op, op.args[i].node);
    }
    if (method) op.kind = OP_METHOD;
    if (method) op.name = f->attribute.attr;
    gen_apply(g, callee != 0 ? callee : state_node(g->s), op);
    return op.result;
}

// ---- the whole ----

void gen_exprs(Gen *g, ExprList list) {
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i] != NULL) gen_expr(g, list.at[i]);
}

// As it is written, `1` or `-1`; NULL: it is none.
static Sym written_index(const Gen *g, const Expr *e) {
    bool minus = e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB;
    if (minus) e = e->unary_op.operand;
    const Const *c = e->kind == EXPR_CONSTANT ? e->constant.value : NULL;
    if (c == NULL || c->kind != CONST_INT || c->text.len > 6) return NULL;
    return names_format(g->s->p->names, "%s%.*s", minus ? "-" : "", (int)c->text.len, c->text.at);
}

static Id subscript(Gen *g, const Expr *e, Id base) {
    Op op = gen_op_with(g, OP_GET, e, gen_expr(g, e->subscript.slice));
    given(g, op.args->node, e);
    op.name = e->subscript.slice->kind == EXPR_SLICE ? state_sym(g->s, "slice")
        : written_index(g, e->subscript.slice);
    return gen_apply(g, base, op);
}

static Id attribute(Gen *g, const Expr *e, Id base) {
    Op op = gen_op(g, is_super(g, e) ? OP_SUPER_LOAD : OP_LOAD, e);
    op.name = e->attribute.attr;
    if (op.kind == OP_LOAD) return gen_apply(g, base, op);
    op.result = state_node(g->s);
    call_super(g, e, op);
    return op.result;
}

// What is received is the receiver's own.
static Id com(Gen *g, const Expr *e) {
    gen_expr(g, e->com.channel);
    Id value = gen_expr(g, e->com.value);
    deep(g, value, e->com.value);
    return gen_apply(g, value, gen_op(g, OP_TWIN, e));
}

// Of a generator that runs to its end.
static Id returned_by(Gen *g, Id node, const Expr *e) {
    Op returned = gen_op(g, OP_LOAD, e);
    returned.name = state_sym(g->s, "=return");
    return gen_apply(g, node, returned);
}

// A call of an `async def` is what that returns.
static Id await(Gen *g, const Expr *value) {
    Id node = gen_expr(g, value);
    if (!state_defined(g->s, "__await__")) return node;
    Op op = gen_op(g, OP_METHOD, value);
    op.name = state_sym(g->s, "__await__");
    Id made = gen_apply(g, node, op);
    gen_items(g, made, value);
    return state_both(g->s, node, returned_by(g, made, value));
}

static Id yield(Gen *g, const Expr *value, bool from) {
    Obj *made = g->cx->generator;
    Id node = value != NULL ? gen_expr(g, value) : 0;
    Id items = from ? gen_items(g, node, value) : node;
    if (made != NULL) state_flow(g->s, items, state_items(g->s, made));
    if (g->cx->sent == 0) g->cx->sent = state_node(g->s);
    if (!from) return g->cx->sent;
    return state_both(g->s, state_both(g->s, items, g->cx->sent), returned_by(g, node, value));
}

static Id named(Gen *g, const Expr *e) {
    Id value = gen_expr(g, e->named_expr.value);
    gen_store(g, e->named_expr.target, value);
    return value;
}

static void slice(Gen *g, const Expr *e) {
    const Expr *parts[] = {e->slice.lower, e->slice.upper, e->slice.step};
    for (size_t i = 0; i < 3; i++)
        if (parts[i] != NULL) given(g, gen_expr(g, parts[i]), e);
}

// `first`: of the child on the spine, see ir.asdl.
static Id value_of(Gen *g, const Expr *e, Id first) {
    switch (e->kind) {
    case EXPR_BOOL_OP: return bool_op(g, e);
    case EXPR_NAMED_EXPR: return named(g, e);
    case EXPR_BIN_OP:
        return binary(g, OP_OPERATE, e, e->bin_op.op, first, gen_expr(g, e->bin_op.right));
    case EXPR_UNARY_OP: return unary(g, e, first);
    case EXPR_LAMBDA: return lambda(g, e);
    case EXPR_IF_EXP:
        gen_test(g, e->if_exp.test);
        return state_both(g->s, gen_expr(g, e->if_exp.body), first);
    case EXPR_DICT: return gen_dict(g, e);
    case EXPR_SET: return display(g, e, e->set.elts, "set");
    case EXPR_LIST: return display(g, e, e->list.elts, "list");
    case EXPR_TUPLE: return display(g, e, e->tuple.elts, "tuple");
    case EXPR_LIST_COMP:
        return comprehension(g, e, e->list_comp.generators, e->list_comp.elt, NULL, "list");
    case EXPR_SET_COMP:
        return comprehension(g, e, e->set_comp.generators, e->set_comp.elt, NULL, "set");
    case EXPR_DICT_COMP:
        return comprehension(g, e, e->dict_comp.generators, e->dict_comp.key, e->dict_comp.value,
                             "dict");
    case EXPR_GENERATOR_EXP: return generator(g, e);
    case EXPR_AWAIT: return await(g, e->await.value);
    case EXPR_YIELD: return yield(g, e->yield.value, false);
    case EXPR_YIELD_FROM: return yield(g, e->yield_from.value, true);
    case EXPR_COMPARE: compare(g, e); return 0;
    case EXPR_CALL: return gen_call(g, e, first);
    case EXPR_FORMATTED_VALUE:
        deep(g, gen_expr(g, e->formatted_value.value), e);
        if (e->formatted_value.format_spec != NULL) gen_expr(g, e->formatted_value.format_spec);
        return 0;
    case EXPR_JOINED_STR: gen_exprs(g, e->joined_str.values); return 0;
    case EXPR_ATTRIBUTE: return attribute(g, e, first);
    case EXPR_SUBSCRIPT: return subscript(g, e, first);
    case EXPR_STARRED: return gen_items(g, gen_expr(g, e->starred.value), e);
    case EXPR_NAME: return gen_name(g, e);
    case EXPR_SLICE: slice(g, e); return 0;
    case EXPR_INST: return gen_expr(g, e->inst.target);
    case EXPR_PIN: return gen_expr(g, e->pin.value);
    case EXPR_COM: return com(g, e);
    case EXPR_SELECT: gen_expr(g, e->select.channel); return 0;
    case EXPR_CONSTANT: case EXPR_LOCATED: case EXPR_UNIT: case EXPR_SEND: case EXPR_RECV:
    case EXPR_SEND_LABEL: case EXPR_COUNT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
        return 0;
    }
    return 0;
}

// A value of which no part can be changed, nor is code.
static bool plain(Program *p, const Ty *t) {
    if (t == NULL) return false;
    if (t->kind == TY_NONE_TYPE || t->kind == TY_LITERAL) return true;
    bool named = t->kind == TY_NAMED && program_find(p, t->named.name) == NULL;
    if (!named && t->kind != TY_TUPLE && t->kind != TY_UNION) return false;
    TyList parts = named ? t->named.args : t->kind == TY_TUPLE ? t->tuple.items
                                                               : t->union_.items;
    for (size_t i = 0; i < parts.len; i++)
        if (!plain(p, parts.at[i])) return false;
    return !named || !type_mutable(p, t);
}

static Id one_level(Gen *g, const Expr *e, Id first, Sym method) {
    Id outer = g->place;
    gen_at(g, e->roles);
    Id node = value_of(g, e, first);
    if (node != 0 && plain(g->s->p, e->ty)) node = 0;
    read_for(g, node, e->at, method);
    g->place = outer;
    return node;
}

// Down the spine in a loop; of `o.m(..)` the method is no value. `method`: of the whole.
static Id gen_receiver(Gen *g, const Expr *e, Sym method) {
    Vec(const Expr *) spine = {0};
    for (const Expr *at = e; at != NULL; at = expr_spine_child(at)) {
        if (expr_spine_child(at) == NULL && spine.len == 0) return one_level(g, at, 0, method);
        vec_push(g->s->arena, &spine, at);
    }
    Id node = 0;
    for (size_t i = spine.len; i > 0; i--) {
        const Expr *at = spine.at[i - 1], *above = i > 1 ? spine.at[i - 2] : NULL;
        bool callee = above != NULL && above->kind == EXPR_CALL;
        if (callee && (at->kind == EXPR_INST || at->kind == EXPR_ATTRIBUTE)) continue;
        bool receiver = i > 2 && above->kind == EXPR_ATTRIBUTE &&
            spine.at[i - 3]->kind == EXPR_CALL;
        node = one_level(g, at, node, i == 1 ? method : receiver ? above->attribute.attr : NULL);
    }
    return node;
}

Id gen_expr(Gen *g, const Expr *e) { return gen_receiver(g, e, NULL); }
