// roles.c - which roles of the entry the formal roles of choreographies stand for.
//
// They are followed from the entry through the call graph, so that `f[A, B]` and `f[B, A]` together
// reach a variable from both. Without an entry a formal stands for itself.

#include "typecheck/state/state.h"

typedef struct Stand { SymList formals; SymVec *for_; } Stand;      // by formal

static Stand *stand_of(State *s, const Function *f) {
    Stand *stand = table_get(s->stands, f);
    if (stand != NULL) return stand;
    stand = ARENA_NEW(s->arena, Stand);
    *stand = (Stand){f->roles, ARENA_ARRAY(s->arena, SymVec, f->roles.len + 1)};
    table_set(s->stands, f, stand);
    return stand;
}

static SymVec *stands_for(Stand *stand, Sym formal) {
    for (size_t i = 0; i < stand->formals.len; i++)
        if (stand->formals.at[i] == formal) return &stand->for_[i];
    return NULL;
}

static bool add_role(Arena *a, SymVec *v, Sym r) {
    if (roles_has((SymList){v->at, v->len}, r)) return false;
    vec_push(a, v, r);
    return true;
}

static bool pass_roles(void *cx, const CallSite *site) {
    State *s = cx;
    bool changed = false;
    Stand *to = stand_of(s, site->callee), *from = stand_of(s, site->caller);
    for (size_t i = 0; i < site->formals.len; i++) {
        SymVec *a = stands_for(to, site->formals.at[i]);
        const SymVec *b = stands_for(from, site->actuals.at[i]);
        for (size_t j = 0; a != NULL && b != NULL && j < b->len; j++)
            changed |= add_role(s->arena, a, b->at[j]);
    }
    return changed;
}

static Id number_of(State *s, Sym role) {
    for (size_t i = 0; i < s->roles.len; i++)
        if (s->roles.at[i] == role) return (Id)(i + 1);
    vec_push(s->arena, &s->roles, role);
    return (Id)s->roles.len;
}

void state_follow_roles(State *s) {
    Program *p = s->p;
    Decl *entry = program_find(p, p->entry);
    bool has_entry = entry != NULL && entry->kind == DECL_CHOREOGRAPHY;
    for (size_t i = 0; i < p->functions.len; i++) {
        Function *f = p->functions.at[i];
        if (has_entry && f != entry->function) continue;
        Stand *stand = stand_of(s, f);
        for (size_t j = 0; j < stand->formals.len; j++) {
            add_role(s->arena, &stand->for_[j], stand->formals.at[j]);
            (void)number_of(s, stand->formals.at[j]);
        }
    }
    sites_flow(p, pass_roles, s, true);
}

void state_stand(State *s, const Function *f, Sym role, Id place) {
    const SymVec *v = stands_for(stand_of(s, f), role);
    for (size_t i = 0; v != NULL && i < v->len; i++)
        state_add(s, place, number_of(s, v->at[i]));
}
