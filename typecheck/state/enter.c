// enter.c - a function as it is called: with what, and looked at for which call.

#include "typecheck/state/state.h"

// ---- arguments ----

const Formals *state_params(State *s, const Arguments *a) {
    Formals *out = table_get(s->params, a);
    if (out != NULL) return out;
    table_set(s->params, a, out = ARENA_NEW(s->arena, Formals));
    ArgList lists[] = {a->posonlyargs, a->args, a->kwonlyargs};
    const PyParamKind kinds[] = {PYPARAM_POSITIONAL, PYPARAM_PLAIN, PYPARAM_KEYWORD};
    size_t plain = a->posonlyargs.len + a->args.len - a->defaults.len;
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < lists[k].len; i++) {
            size_t at = out->all.len;
            const Expr *value = k == 2 ? (i < a->kw_defaults.len ? a->kw_defaults.at[i] : NULL)
                : at < plain ? NULL : a->defaults.at[at - plain];
            vec_push(s->arena, &out->all, ((Formal){lists[k].at[i], kinds[k], value}));
        }
    }
    if (a->vararg != NULL)
        vec_push(s->arena, &out->all, ((Formal){a->vararg, PYPARAM_REST, NULL}));
    if (a->kwarg != NULL)
        vec_push(s->arena, &out->all, ((Formal){a->kwarg, PYPARAM_KEYWORDS, NULL}));
    return out;
}

const Formal *state_param(const Formals *all, Sym name, size_t at) {
    const Formal *rest = NULL;
    for (size_t i = 0; i < all->all.len; i++) {
        const Formal *p = &all->all.at[i];
        bool positional = p->kind == PYPARAM_POSITIONAL || p->kind == PYPARAM_PLAIN;
        bool named = p->kind == PYPARAM_KEYWORD || p->kind == PYPARAM_PLAIN;
        if (name == NULL ? positional && i == at : named && p->arg->arg == name) return p;
        if (p->kind == (name == NULL ? PYPARAM_REST : PYPARAM_KEYWORDS)) rest = p;
    }
    return rest;
}

static void give(State *s, Ctx *cx, const Formal *p, Id node) {
    if (p == NULL) return;
    Id variable = gen_variable(s, cx->scope, p->arg->arg);
    if (p->kind == PYPARAM_REST || p->kind == PYPARAM_KEYWORDS) {
        Gen g = {s, cx, cx->scope, cx->place, NULL};
        Obj *o = gen_data(&g, p->arg, p->arg->at, p->kind == PYPARAM_REST ? "tuple" : "dict");
        state_add(s, variable, o->id);
        variable = state_items(s, o);
    }
    state_flow(s, node, variable);
}

// An operand of which it is not known where it goes: to none of the first ones.
static void give_each(State *s, Ctx *cx, const Formals *params, size_t from, Id node) {
    for (size_t i = 0; i < params->all.len; i++) {
        const Formal *p = &params->all.at[i];
        bool positional = p->kind == PYPARAM_POSITIONAL || p->kind == PYPARAM_PLAIN;
        if (!positional || i >= from) give(s, cx, p, node);
    }
}

static void give_arguments(State *s, Ctx *cx, const Op *op, const Formals *params, size_t from) {
    size_t at = from;
    for (size_t i = 0; i < op->len; i++) {
        const Operand *o = &op->args[i];
        if (o->many == EACH)
            give_each(s, cx, params, o->name == NULL ? at : from, o->node);
        else give(s, cx, state_param(params, o->name, o->name == NULL ? at++ : 0), o->node);
    }
}

static void give_defaults(State *s, Ctx *cx, Obj *f, const Formals *params) {
    for (size_t i = 0; i < params->all.len; i++) {
        const Formal *p = &params->all.at[i];
        Sym name = names_format(s->p->names, "=%s", p->arg->arg);
        Id value = state_known_field(f, name);
        if (value != 0) give(s, cx, p, value);
    }
}

// ---- contexts ----

// A definition is looked at so often, small ones more often than others; further calls share a
// context of the function that they call. So what all contexts have is linear in the program.
enum { SMALL_CODE = 32, CONTEXTS = 6, CONTEXTS_OF_SMALL = 24 };

typedef struct Budget { size_t size, contexts[2]; } Budget;

static bool count_expr(void *cx, const Expr *e) {
    (void)e;
    ++*(size_t *)cx;
    return true;
}

static Budget *budget_of(State *s, const Obj *f) {
    const void *key = f->expr != NULL ? (const void *)f->expr : (const void *)f->def;
    Budget *b = table_get(s->budget, key);
    if (b != NULL) return b;
    b = ARENA_NEW(s->arena, Budget);
    IrWalker w = {.cx = &b->size, .expr = count_expr};
    if (f->expr != NULL) ir_walk_expr(&w, f->expr);
    else ir_walk_stmt(&w, f->def);
    table_set(s->budget, key, b);
    return b;
}

static bool has_budget(State *s, const Obj *f) {
    Budget *b = budget_of(s, f);
    size_t most = b->size <= SMALL_CODE ? CONTEXTS_OF_SMALL : CONTEXTS;
    return b->contexts[s->load]++ < most;
}

static Ctx *new_context(State *s, const Op *op, Obj *f) {
    Ctx *cx = ARENA_NEW(s->arena, Ctx);
    *cx = (Ctx){.function = f, .load = s->load, .place = state_node(s),
                .result = state_node(s), .from = state_from(op)};
    cx->scope = state_scope(s, f, cx);
    const Function *c = f->def != NULL ? s->function_of(s->function_cx, f->def) : NULL;
    if (c != NULL && !c->local) cx->choreography = c;
    if (f->flags & FUN_YIELDS) {
        cx->generator = state_obj(s, OBJ_GENERATOR, cx, op->at);
        cx->generator->cx = cx;
        cx->generator->of = f;
    }
    vec_push(s->arena, &s->bodies, cx);
    return cx;
}

// What a cache keeps is there as long as the cache.
static void keep(State *s, const Op *op, Id node) {
    Op kept = state_as(op, OP_KEPT, state_memo(s, op->cx, op->key, state_sym(s, "=kept")));
    state_flow(s, node, kept.result);
    state_when(s, kept.result, &kept);
}

// Of what is handed over anyhow, the objects whose class has the method. `self`: the one whose base
// classes are asked.
void state_receiver(State *s, const Op *op, Obj *o) {
    Op above = *op;
    Obj *class_ = o->kind == OBJ_INSTANCE ? o->of : o;
    if (above.self == NULL) above.self = o;
    if (class_ == op->around) state_add(s, op->result, above.self->id);
    else if (class_->kind == OBJ_CLASS) state_when(s, class_->bases, &above);
}

static void receivers(State *s, const Op *op, Obj *class_, Id to) {
    Op find = state_as(op, OP_RECEIVER, to);
    find.self = NULL;
    find.around = class_;
    state_when(s, op->anyhow, &find);
}

Ctx *state_enter(State *s, const Op *op, Obj *f, Obj *self) {
    bool property = (f->flags & FUN_PROPERTY) != 0, cached = (f->flags & FUN_CACHED) != 0;
    bool anyhow = op->anyhow != 0 || op->cx->anyhow;
    const void *key = anyhow || (cached && !property) ? (const void *)f
        : self != NULL ? (const void *)self : op->key;
    Table *contexts = state_own(s, &f->contexts[s->load]);
    Ctx *cx = table_get(contexts, key);
    if (cx == NULL && key != f && !has_budget(s, f)) cx = table_get(contexts, key = f);
    const Formals *params = state_params(s, state_arguments(f));
    const Formal *first = state_param(params, NULL, 0);
    if (cx == NULL) {
        cx = new_context(s, op, f);
        table_set(contexts, key, cx);
        give_defaults(s, cx, f, params);
        bool keeps = property ? self != NULL && self->load : f->load;
        if (cached && keeps && !s->load) keep(s, op, cx->result);
        if (cached && keeps && s->counts) state_change(s, f, op);
    }
    cx->anyhow |= anyhow;
    state_flow(s, op->place, cx->place);
    state_calls(s, op->cx, cx);
    bool member = self != NULL ||           // of all that have it
        (op->anyhow != 0 && op->kind != OP_CALL && f->of != NULL && !(f->flags & FUN_STATIC));
    if (cx->self == 0 && (self != NULL || f->of != NULL)) cx->self = state_node(s);
    if (self != NULL) state_add(s, cx->self, self->id);
    else if (member) receivers(s, op, f->of, cx->self);
    if (member) give(s, cx, first, cx->self);
    give_arguments(s, cx, op, params, member);
    if (!member && f->of != NULL && first != NULL && first->kind != PYPARAM_REST)
        state_flow(s, gen_variable(s, cx->scope, first->arg->arg), cx->self);   // `C.method(x)`
    if (cx->generator != NULL) state_add(s, op->result, cx->generator->id);
    else state_flow(s, cx->result, op->result);
    return cx;
}

// A generator that was made while loading runs on where it is read.
void state_resume(State *s, const Op *op, Obj *o) {
    if (!o->load || s->load) return;
    if (o->contexts[0] == NULL) {
        o->contexts[0] = table_new(s->arena);
        Ctx *cx = ARENA_NEW(s->arena, Ctx);
        *cx = (Ctx){.function = o->expr != NULL ? NULL : o->of, .place = state_node(s),
                    .generator = o, .result = state_node(s), .self = o->cx->self,
                    .scope = o->expr != NULL ? o->scope : o->cx->scope,
                    .from = state_from(op)};
        table_set(o->contexts[0], o, cx);
        vec_push(s->arena, &s->bodies, cx);
    }
    state_flow(s, op->place, ((Ctx *)table_get(o->contexts[0], o))->place);
}
