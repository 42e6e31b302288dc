// enter.c - a function as it is called: with what, and looked at for which call.

#include "typecheck/state/state.h"

// ---- arguments ----

static void give(State *s, Ctx *cx, Sym param, Id node) {
    state_flow(s, node, gen_variable(s, cx->scope, param));
}

static Id rest(State *s, Ctx *cx, const Arg *arg, const char *class_) {
    Gen g = {s, cx, cx->scope, cx->place};
    Obj *o = gen_data(&g, arg, arg->at, class_);
    state_add(s, gen_variable(s, cx->scope, arg->arg), o->id);
    return state_items(s, o);
}

static const Arg *positional(const Arguments *a, size_t i) {
    if (i < a->posonlyargs.len) return a->posonlyargs.at[i];
    i -= a->posonlyargs.len;
    return i < a->args.len ? a->args.at[i] : NULL;
}

static bool names_param(const Arguments *a, Sym name) {
    for (size_t i = 0; i < a->args.len; i++)
        if (a->args.at[i]->arg == name) return true;
    for (size_t i = 0; i < a->kwonlyargs.len; i++)
        if (a->kwonlyargs.at[i]->arg == name) return true;
    return false;
}

// An operand of which it is not known where it goes.
static void give_each(State *s, Ctx *cx, const Arguments *a, size_t from, Id node) {
    for (size_t i = from; positional(a, i) != NULL; i++) give(s, cx, positional(a, i)->arg, node);
    for (size_t i = 0; i < a->kwonlyargs.len; i++) give(s, cx, a->kwonlyargs.at[i]->arg, node);
    if (a->vararg != NULL) state_flow(s, node, rest(s, cx, a->vararg, "tuple"));
    if (a->kwarg != NULL) state_flow(s, node, rest(s, cx, a->kwarg, "dict"));
}

static void give_arguments(State *s, Ctx *cx, const Op *op, const Arguments *a, size_t from) {
    size_t at = from;
    for (size_t i = 0; i < op->len; i++) {
        const Operand *o = &op->args[i];
        if (o->many == EACH) {
            give_each(s, cx, a, o->name == NULL ? at : from, o->node);
        } else if (o->name != NULL) {
            if (names_param(a, o->name)) give(s, cx, o->name, o->node);
            else if (a->kwarg != NULL) state_flow(s, o->node, rest(s, cx, a->kwarg, "dict"));
        } else if (positional(a, at) != NULL) {
            give(s, cx, positional(a, at++)->arg, o->node);
        } else if (a->vararg != NULL) {
            state_flow(s, o->node, rest(s, cx, a->vararg, "tuple"));
        }
    }
}

static void give_defaults(State *s, Ctx *cx, Obj *f, const Arguments *a) {
    SymList params = gen_params(s->arena, a);
    for (size_t i = 0; i < params.len; i++) {
        Sym name = names_format(s->p->names, "=%s", params.at[i]);
        bool any = f->fields != NULL && table_get(f->fields, name) != NULL;
        if (any) give(s, cx, params.at[i], state_field(s, f, name));
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
    static const char keep_tag[] = "kept";
    Op kept = state_as(op, OP_KEPT, state_memo(s, op->cx, op->key, keep_tag));
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
    Table **contexts = &f->contexts[s->load];
    if (*contexts == NULL) *contexts = table_new(s->arena);
    Ctx *cx = table_get(*contexts, key);
    if (cx == NULL && key != f && !has_budget(s, f)) cx = table_get(*contexts, key = f);
    const Arguments *a = state_arguments(f);
    if (cx == NULL) {
        cx = new_context(s, op, f);
        table_set(*contexts, key, cx);
        give_defaults(s, cx, f, a);
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
    if (member && positional(a, 0) != NULL) give(s, cx, positional(a, 0)->arg, cx->self);
    else if (member && a->vararg != NULL)
        state_flow(s, cx->self, rest(s, cx, a->vararg, "tuple"));
    give_arguments(s, cx, op, a, member);
    if (!member && f->of != NULL && positional(a, 0) != NULL)      // `C.method(x)`
        state_flow(s, gen_variable(s, cx->scope, positional(a, 0)->arg), cx->self);
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
                    .scope = o->scope, .from = state_from(op)};
        table_set(o->contexts[0], o, cx);
        if (o->expr == NULL) {
            cx->scope = state_scope(s, o->of, cx);
            SymList names = gen_params(s->arena, state_arguments(o->of));
            for (size_t i = 0; i < names.len; i++)
                give(s, cx, names.at[i], gen_variable(s, o->cx->scope, names.at[i]));
        }
        vec_push(s->arena, &s->bodies, cx);
    }
    state_flow(s, op->place, ((Ctx *)table_get(o->contexts[0], o))->place);
}
