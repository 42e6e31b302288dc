// payload.c - what a generic choreography receives.
//
// A receiver builds objects of the classes that the expected type names, and no others, and
// converts numbers by it. The type parameter of a generic definition says neither: the types that
// its uses in the program give it are written in its place, `T` becomes `list[float] | Point`; if
// one of them is not known, the classes that they give: `object | Point`.

#include "typecheck/internal.h"
#include "typecheck/python/python.h"

// `types`: those that are given, as far as is known; `open`: one is not known, or there are many.
typedef struct Classes { SymVec names; Vec(const Ty *) types; bool open; } Classes;

typedef struct Flow {
    Program *p;
    Table *by_def;          // start of a definition -> Table: type parameter -> Classes *
    bool changed;
} Flow;

static Classes *classes_of(Flow *f, const Stmt *def, Sym var) {
    Table *vars = table_get(f->by_def, table_key(def->at.start));
    if (vars == NULL) {
        vars = table_new(f->p->arena);
        table_set(f->by_def, table_key(def->at.start), vars);
    }
    Classes *c = table_get(vars, var);
    if (c == NULL) {
        c = ARENA_NEW(f->p->arena, Classes);
        table_set(vars, var, c);
    }
    return c;
}

static void add(Flow *f, Classes *c, Sym name) {
    if (roles_has((SymList){c->names.at, c->names.len}, name)) return;
    vec_push(f->p->arena, &c->names, name);
    f->changed = true;
}

// A definition that calls itself with `list[T]` gives ever more types.
static void add_type(Flow *f, Classes *c, const Ty *t) {
    enum { MOST = 16 };
    for (size_t i = 0; i < c->types.len; i++)
        if (t != NULL && ir_equal_ty(c->types.at[i], t)) return;
    if (c->open) return;
    c->open = t == NULL || type_unknown(t) || c->types.len == MOST;
    if (!c->open) vec_push(f->p->arena, &c->types, t);
    f->changed = true;
}

static const Ty *given_types(const Flow *f, const Classes *c) {
    return pyt_union_all(f->p->py, (TyList){c->types.at, c->types.len});
}

// Where the type parameter that a function mentions is declared.
static const Stmt *declared_by(const Function *f, Sym var) {
    return f == NULL || roles_has(f->type_params, var) || f->owner == NULL
        ? (f == NULL ? NULL : f->def) : f->owner->stmt;
}

// The type that is given for a type parameter; its own type parameters are those of `from`.
typedef struct Given { Flow *f; Classes *to; const Stmt *class_; const Function *function; } Given;

static bool note_class(void *cx, const Ty *t) {
    Given *g = cx;
    if (t->kind == TY_NAMED) {
        Decl *d = program_find(g->f->p, t->named.name);
        if (d != NULL && (d->kind == DECL_ENUM || (d->kind == DECL_LOCAL_CLASS && d->is_dataclass)))
            add(g->f, g->to, d->name);
    }
    if (t->kind != TY_TYPE_VAR) return true;
    const Stmt *def = g->class_ != NULL ? g->class_ : declared_by(g->function, t->type_var.name);
    if (def == NULL) return true;
    const Classes *from = classes_of(g->f, def, t->type_var.name);
    for (size_t i = 0; from != g->to && i < from->names.len; i++)
        add(g->f, g->to, from->names.at[i]);
    return true;
}

// `waits`: nothing is known yet of a type parameter in it; `open`: never will be.
typedef struct Closing { const Given *given; bool waits, open; } Closing;

static const Ty *close_var(IrMapper *m, const Ty *t) {
    Closing *c = m->cx;
    if (t->kind == TY_ANY || t->kind == TY_POISON) c->open = true;
    if (t->kind != TY_TYPE_VAR) return t;
    const Given *g = c->given;
    const Stmt *def = g->class_ != NULL ? g->class_ : declared_by(g->function, t->type_var.name);
    const Classes *from = def != NULL ? classes_of(g->f, def, t->type_var.name) : NULL;
    c->open |= from == NULL || from->open;
    c->waits |= from != NULL && from->types.len == 0;
    return from != NULL && from->types.len > 0 ? given_types(g->f, from) : t;
}

// A type whose own parameters are not known yet waits for the next round.
static void give_type(const Given *g, const Ty *type) {
    Closing c = {g, false, type == NULL};
    IrMapper m = {.arena = g->f->p->arena, .cx = &c, .ty = close_var};
    if (type != NULL) type = ir_map_ty(&m, type);
    if (c.open || !c.waits) add_type(g->f, g->to, c.open ? NULL : type);
}

static void give(Flow *f, const Stmt *def, Sym var, const Ty *type, const Stmt *class_,
                 const Function *function) {
    Given g = {f, classes_of(f, def, var), class_, function};
    IrWalker w = {.cx = &g, .ty = note_class};
    if (type != NULL) ir_walk_ty(&w, type);
    give_type(&g, type);
}

static void flow_site(Flow *f, const CallSite *s) {
    for (size_t i = 0; i < s->vars.len && s->generic != NULL; i++)
        give(f, s->generic, s->vars.at[i], s->given.at[i], NULL, s->caller);
}

static void flow_bases(Flow *f, const Decl *d) {
    for (size_t i = 1; i < d->order.len; i++) {
        const Ancestor *a = &d->order.at[i];
        for (size_t j = 0; j < a->args.len; j++)
            give(f, a->decl->stmt, a->decl->type_params.at[j], a->args.at[j], d->stmt, NULL);
    }
}

static void flow_all(Flow *f) {
    Program *p = f->p;
    do {
        f->changed = false;
        for (size_t i = 0; i < p->sites.len; i++) flow_site(f, &p->sites.at[i]);
        for (size_t i = 0; i < p->order.len; i++)
            if (p->order.at[i]->kind == DECL_ROLE_CLASS) flow_bases(f, p->order.at[i]);
    } while (f->changed);
}

// ---- writing them ----

typedef struct Writing { Flow *f; const Function *function; } Writing;

static const Ty *with_classes(IrMapper *m, const Ty *t) {
    const Writing *w = m->cx;
    Program *p = w->f->p;
    if (t->kind != TY_TYPE_VAR) return t;
    Sym var = table_get(p->lowered_from, t->type_var.name);
    if (var == NULL) var = t->type_var.name;
    const Classes *c = classes_of(w->f, declared_by(w->function, var), var);
    if (c->types.len > 0 && !c->open && program_find(p, p->entry) != NULL)
        return given_types(w->f, c);
    Vec(const Ty *) items = {0};
    vec_push(p->arena, &items, ty_any(p->arena));
    for (size_t i = 0; i < c->names.len; i++)
        vec_push(p->arena, &items, ty_named(p->arena, c->names.at[i], (TyList){0}));
    return items.len == 1 ? items.at[0] : ty_union(p->arena, (TyList){items.at, items.len});
}

static const Expr *write_payload(IrMapper *m, const Expr *e) {
    const Writing *w = m->cx;
    if (e->kind != EXPR_COM) return e;
    IrMapper types = {.arena = m->arena, .cx = (void *)w, .ty = with_classes};
    const Ty *payload = ir_map_ty(&types, e->com.payload);
    if (payload == e->com.payload) return e;
    return expr_with_ty(m->arena, expr_com(m->arena, e->at, e->com.channel, e->com.value,
                                           e->com.sender, e->com.receiver, payload,
                                           e->com.shared), e->ty, e->roles);
}

typedef struct Finding {
    Flow *f;
    Function *(*function_of)(void *cx, const Stmt *);
    void *cx;
} Finding;

static const Stmt *write_function(const Finding *x, const Stmt *def) {
    Writing w = {x->f, x->function_of(x->cx, def)};
    IrMapper m = {.arena = x->f->p->arena, .cx = &w, .expr = write_payload};
    return w.function == NULL ? def : ir_map_stmt(&m, def);
}

static const Stmt *write_class(const Finding *x, const Stmt *def) {
    Arena *a = x->f->p->arena;
    StmtList body = def->class_def.body;
    const Stmt **out = ARENA_ARRAY(a, const Stmt *, body.len + 1);
    for (size_t i = 0; i < body.len; i++)
        out[i] = body.at[i]->kind == STMT_FUNCTION_DEF ? write_function(x, body.at[i])
                                                       : body.at[i];
    return stmt_class_def(a, def->at, def->class_def.name, def->class_def.bases,
                          def->class_def.keywords, (StmtList){out, body.len},
                          def->class_def.decorator_list, def->class_def.type_params);
}

const Unit *payload_write(Program *p, const Unit *unit,
                          Function *(*function_of)(void *cx, const Stmt *), void *cx) {
    if (!p->is_generic) return unit;
    Flow f = {p, table_new(p->arena), false};
    Finding x = {&f, function_of, cx};
    flow_all(&f);
    StmtList body = unit->module.body;
    const Stmt **out = ARENA_ARRAY(p->arena, const Stmt *, body.len + 1);
    for (size_t i = 0; i < body.len; i++) {
        out[i] = body.at[i];
        if (out[i]->kind != STMT_CHOREO) continue;
        const Stmt *def = out[i]->choreo.def;
        def = def->kind == STMT_CLASS_DEF ? write_class(&x, def) : write_function(&x, def);
        out[i] = stmt_choreo(p->arena, out[i]->at, out[i]->choreo.formals,
                             out[i]->choreo.communicates, out[i]->choreo.acts, def);
    }
    return unit_module(p->arena, (StmtList){out, body.len});
}
