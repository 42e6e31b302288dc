// sites.c - what spreads along calls: the smallest solution of what all call sites ask for.

#include "typecheck/internal.h"

typedef Vec(size_t) Numbers;        // of call sites

static const Function *asked(const CallSite *s, bool to_callee) {
    return to_callee ? s->caller : s->callee;
}

static Table *sites_by_source(Program *p, bool to_callee) {
    Table *readers = table_new(p->arena);
    for (size_t i = 0; i < p->sites.len; i++) {
        const Function *from = asked(&p->sites.at[i], to_callee);
        Numbers *list = from != NULL ? table_get(readers, from) : NULL;
        if (from != NULL && list == NULL)
            table_set(readers, from, list = ARENA_NEW(p->arena, Numbers));
        if (list != NULL) vec_push(p->arena, list, i);
    }
    return readers;
}

void sites_flow(Program *p, SiteFlow *flow, void *cx, bool to_callee) {
    Table *readers = sites_by_source(p, to_callee);
    bool *waits = ARENA_ARRAY(p->arena, bool, p->sites.len + 1);
    Numbers queue = {0};
    for (size_t i = 0; i < p->sites.len; i++) {
        waits[i] = p->sites.at[i].caller != NULL;
        if (waits[i]) vec_push(p->arena, &queue, i);
    }
    for (size_t i = 0; i < queue.len; i++) {
        const CallSite *s = &p->sites.at[queue.at[i]];
        waits[queue.at[i]] = false;
        const Numbers *list = flow(cx, s) ? table_get(readers, asked(s, !to_callee)) : NULL;
        for (size_t j = 0; list != NULL && j < list->len; j++) {
            if (waits[list->at[j]] || p->sites.at[list->at[j]].caller == NULL) continue;
            waits[list->at[j]] = true;
            vec_push(p->arena, &queue, list->at[j]);
        }
    }
}
