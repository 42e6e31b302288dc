// interfaces.c - what the analysis takes from the interfaces of other modules, and tells them
// (declaration/interface.c).

#include "typecheck/state/state.h"

void state_mark_external(State *s) {
    for (size_t i = 0; i < s->p->functions.len; i++) {
        const Function *f = s->p->functions.at[i];
        for (size_t j = 0; f->external && j < f->reaches.len; j++)
            if (f->reaches.at[j].decl->rebound)
                table_set(s->assigned, f->reaches.at[j].decl->name, s);
    }
}

// It reads, and may change, all of what it is said to; code it may call.
static void reach(Gen *g, const Function *f, const Reached *r) {
    State *s = g->s;
    Id outer = g->place, node = gen_variable(s, s->module, r->decl->name);
    gen_at(g, (SymList){r->roles.at, r->roles.len});
    Op op = {.kind = OP_CALL, .at = f->def->at, .key = r, .cx = g->cx, .place = g->place};
    op.args = &(Operand){.node = node};
    op.len = 1;
    gen_deep(s, &op, node);
    gen_read(g, node, f->def->at);
    if (r->decl->kind != DECL_VARIABLE || r->decl->rebound) library_unknown(s, &op, NULL);
    if (table_get(s->assigned, r->decl->name) != NULL) {
        Expr name = {.kind = EXPR_NAME, .at = f->def->at};
        name.name.id = r->decl->name;
        gen_expr(g, &name);
        if (r->decl->rebound) gen_bind(g, r->decl->name, 0, f->def->at);
    }
    g->place = outer;
}

void state_external(Gen *g, const Function *f) {
    Gen in = *g;
    in.scope = g->s->module;
    for (size_t i = 0; i < f->reaches.len; i++) reach(&in, f, &f->reaches.at[i]);
}

// ---- for others ----

// May code elsewhere change what it is, or see it change?
static bool is_stateful(State *s, const Obj *o) {
    switch (o->kind) {
    case OBJ_DATA: return !o->pure && (o->mutable_ || o->iterator || library_unnamed(o));
    case OBJ_GENERATOR: case OBJ_INSTANCE: case OBJ_PARTIAL: case OBJ_BOUND: case OBJ_METHOD:
        return true;
    case OBJ_FUNCTION: return o->scope != s->module || o->names.len > 0;
    case OBJ_CLASS:
        for (size_t i = 0; i < o->names.len; i++) {
            const IdSet set = state_set(s, state_field(s, (Obj *)o, o->names.at[i]));
            for (size_t k = 0; k < set.len; k++) {
                const Obj *part = s->objs.at[set.at[k]];
                bool method = part->kind == OBJ_FUNCTION && part->of == o;
                if (method ? part->names.len > 0 : part != o && is_stateful(s, part)) return true;
            }
        }
        return false;
    case OBJ_LIBRARY: case OBJ_CELL: return false;
    }
    return false;
}

static void mark_stateful(State *s) {
    for (size_t i = 0; i < s->p->order.len; i++) {
        Decl *d = s->p->order.at[i];
        const IdSet set = state_set(s, gen_variable(s, s->module, d->name));
        for (size_t k = 0; k < set.len; k++) d->stateful |= is_stateful(s, s->objs.at[set.at[k]]);
    }
}

void state_note_reaches(State *s) {
    if (!s->library_only) return;
    mark_stateful(s);
    for (size_t i = 0; i < s->named.len; i++) {
        const Named *n = &s->named.at[i];
        const IdSet set = state_set(s, n->place);
        for (size_t k = 0; k < set.len; k++) {
            Sym role = s->roles.at[set.at[k] - 1];
            if (roles_has(n->by->roles, role))
                interface_note_reach(s->p, (Function *)n->by, n->decl, role);
        }
    }
}
