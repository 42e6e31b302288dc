// loads.c - what projection needs to know of loading: which statement changes what another made,
// and which statements, and which roles' code, may read that.

#include "typecheck/state/state.h"

// An object that some statement changes which did not make it; or a field of it.
typedef struct Thing { Sym field; uint32_t number; } Thing;
typedef struct ThingVec { Vec(Thing) all; } ThingVec;

typedef struct Facts {
    State  *s;
    Table  *things;             // Obj -> ThingVec
    uint32_t count;
    Id     *roles, *changes, *reads;        // things, as nodes: by number; by statement
} Facts;

// ---- the code that a statement leads to ----

typedef void EachCtx(Facts *f, Ctx *cx, size_t statement);

static void walk_all(Facts *f, EachCtx *each) {
    const char *marks = ARENA_ARRAY(f->s->arena, char, f->s->statements.len + 1);
    for (size_t i = 0; i < f->s->statements.len; i++) {
        CtxList all = state_reached(f->s, f->s->statements.at[i], marks + i);
        for (size_t k = 0; k < all.len; k++) each(f, all.at[k], i);
    }
}

// Code that several lead to belongs to none.
static void note_root(Facts *f, Ctx *cx, size_t statement) {
    const Ctx *root = f->s->statements.at[statement];
    cx->several |= cx->root != NULL;
    cx->root = root;
}

// ---- things ----

static uint32_t thing(Facts *f, const Change *c) {
    ThingVec *of = table_get(f->things, c->obj);
    if (of == NULL) table_set(f->things, c->obj, of = ARENA_NEW(f->s->arena, ThingVec));
    for (size_t i = 0; i < of->all.len; i++)
        if (of->all.at[i].field == c->field) return of->all.at[i].number;
    Thing t = {c->field, f->count++};
    vec_push(f->s->arena, &of->all, t);
    return t.number;
}

// Whoever has what a statement made has that statement.
static void note_changes(Facts *f, Ctx *cx, size_t statement) {
    const Ctx *from = f->s->statements.at[statement];
    for (size_t i = 0; i < cx->loads.len; i++) {
        const Change *c = cx->loads.at[i];
        const Ctx *by = c->obj->by;
        bool own = by != NULL && !by->several && by->root == from;
        if (!own) state_add(f->s, f->changes[statement], thing(f, c));
    }
}

static void mark_roles(Facts *f, Id place, uint32_t number) {
    const IdSet at = state_set(f->s, place);
    for (size_t i = 0; i < at.len; i++) state_add(f->s, f->roles[at.at[i] - 1], number);
}

// What an expression has just made has not been changed yet; and a change may be no look.
static bool looks_at(const Facts *f, const Eval *e, Obj *o, const Ctx *cx) {
    bool fresh = cx != NULL && o->by == cx && o->at.start == e->at.start && o->at.end == e->at.end;
    return !fresh && (e->method == NULL || !library_unread(f->s, o, e->method));
}

// `of`: who reads it; 0: the roles that are there.
static void note_eval(Facts *f, const Eval *e, const Ctx *cx, Id of) {
    const IdSet set = state_set(f->s, e->node);
    for (size_t i = 0; i < set.len; i++) {
        Obj *o = f->s->objs.at[set.at[i]];
        const ThingVec *things = table_get(f->things, o);
        if (things != NULL && !looks_at(f, e, o, cx)) continue;
        for (size_t k = 0; things != NULL && k < things->all.len; k++) {
            const Thing *t = &things->all.at[k];
            if (t->field != e->field && !(e->all && e->field == NULL)) continue;
            if (of != 0) state_add(f->s, of, t->number);
            else mark_roles(f, e->place, t->number);
        }
    }
}

// The defaults of a choreography are values of the roles of its parameters.
static void note_reads(Facts *f, Ctx *cx, size_t statement) {
    bool choreo = f->s->statements.at[statement]->stmt->kind == STMT_CHOREO;
    for (size_t i = 0; i < cx->evals.len; i++)
        note_eval(f, &cx->evals.at[i], cx, choreo ? 0 : f->reads[statement]);
}

// ---- the whole ----

static Id *nodes(State *s, size_t count) {
    Id *at = ARENA_ARRAY(s->arena, Id, count + 1);
    for (size_t i = 0; i < count; i++) at[i] = state_node(s);
    return at;
}

static Things things_of(const State *s, Id node) {
    const IdSet set = state_set(s, node);
    uint32_t *at = ARENA_ARRAY(s->p->arena, uint32_t, set.len + 1);
    for (size_t i = 0; i < set.len; i++) at[i] = set.at[i];
    return (Things){at, set.len};
}

// The analysis is gone when projection wants to know.
static const Loads *written(const Facts *f) {
    const State *s = f->s;
    Arena *a = s->p->arena;
    Load *at = ARENA_ARRAY(a, Load, s->statements.len + 1);
    Sight *roles = ARENA_ARRAY(a, Sight, s->roles.len + 1);
    for (size_t i = 0; i < s->statements.len; i++)
        at[i] = (Load){s->statements.at[i]->stmt->at.start, things_of(s, f->changes[i]),
                       things_of(s, f->reads[i])};
    for (size_t i = 0; i < s->roles.len; i++)
        roles[i] = (Sight){s->roles.at[i], things_of(s, f->roles[i])};
    Loads *loads = ARENA_NEW(a, Loads);
    *loads = (Loads){f->count, at, s->statements.len, roles, s->roles.len};
    return loads;
}

const Loads *state_loads(State *s) {
    Facts f = {.s = s, .things = table_new(s->arena), .roles = nodes(s, s->roles.len),
               .changes = nodes(s, s->statements.len), .reads = nodes(s, s->statements.len)};
    walk_all(&f, note_root);
    walk_all(&f, note_changes);
    if (f.count == 0) return NULL;
    walk_all(&f, note_reads);
    for (size_t i = 0; i < s->evals.len; i++) note_eval(&f, &s->evals.at[i], NULL, 0);
    return written(&f);
}
