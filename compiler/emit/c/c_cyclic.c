// c_cyclic.c - which classes have objects that can refer to themselves, by whatever way.
//
// Counts of references never free a circle, so the runtime looks for those of such classes
// (runtime/c/cycles.h); others pay nothing. A circle needs fields that lead from a class back to
// it, and on the way one that is set after its object was made, or a container that may change:
// what is only given to constructors is older than the object.

#include "compiler/emit/c/c_internal.h"

enum { DEEPEST = 50 };

typedef struct Way {
    CEmit *c;
    const CClass *to;
    Table    *been;             // CClass -> how it was reached: an element of WAYS
} Way;

// Through something that may change, or not (yet).
static const char WAYS[2];

static bool class_leads(Way *w, CClass *k, bool changed);

// Whether a value of class `k`, as a program names it, may be of class `of`.
static bool may_be(CClass *k, CClass *of) { return k->is_protocol || c_derives(of, k); }

// From a value of this type, in a field that may change or not.
static bool value_leads(Way *w, const Rep *r, bool changed, int depth)
{
    bool any = false, found = false;
    if (depth == 0)
        return true;
    switch (r->kind) {
    case REP_NONE: case REP_BOOL: case REP_INT: case REP_FLOAT: case REP_COMPLEX: case REP_STR:
    case REP_BYTES: case REP_ENUM: case REP_RANGE: case REP_CHANNEL: case REP_FOREIGN:
    case REP_DEQUE:                                 // what is in circles by one is not found
        return false;
    case REP_LIST: case REP_DICT: case REP_SET:
        changed = true;
        break;
    case REP_OBJECT: case REP_FUNCTION: case REP_ITERATOR: case REP_CELL:
        any = changed = true;                       // nobody knows what they hold
        break;
    case REP_SEQUENCE: case REP_FROZENSET: case REP_TUPLE: case REP_UNION: case REP_CLASS:
        break;
    }
    for (size_t i = 0; i < w->c->class_order.len && !found; i++) {
        CClass *k = w->c->class_order.at[i];
        if (any || (r->kind == REP_CLASS && may_be(r->class_, k)))
            found = class_leads(w, k, changed);
    }
    if (any || r->kind == REP_CLASS)
        return found;
    for (size_t i = 0; i < r->count && !found; i++)
        found = value_leads(w, r->parts[i], changed, depth - 1);
    return found || (r->key_rep != NULL && value_leads(w, r->key_rep, changed, depth - 1))
           || (r->element != NULL && value_leads(w, r->element, changed, depth - 1));
}

static bool fields_lead(Way *w, CClass *k, bool changed)
{
    for (size_t i = 0; i < k->fields.len; i++) {
        const CField *f = &k->fields.at[i];
        if (f->rep != NULL && value_leads(w, f->rep, changed || c_is_stored(w->c, k, f->name),
                                          DEEPEST))
            return true;
    }
    return false;
}

static bool class_leads(Way *w, CClass *k, bool changed)
{
    const char *been = table_get(w->been, k);
    if (k == w->to && changed)
        return true;
    if (been == &WAYS[true] || (been != NULL && !changed))
        return false;
    table_set(w->been, k, (void *)&WAYS[changed]);
    return fields_lead(w, k, changed);
}

static bool holds_functions(const Rep *r, int depth)
{
    bool unknown = r->kind == REP_FUNCTION || r->kind == REP_ITERATOR || r->kind == REP_OBJECT;
    if (unknown || depth == 0)
        return true;
    for (size_t i = 0; i < r->count; i++)
        if (holds_functions(r->parts[i], depth - 1))
            return true;
    return (r->element != NULL && holds_functions(r->element, depth - 1))
           || (r->key_rep != NULL && holds_functions(r->key_rep, depth - 1));
}

// A shared variable is part of a circle that has no object if functions are kept in it.
bool c_is_cyclic_cell(const Rep *r) { return holds_functions(r, DEEPEST); }

bool c_is_cyclic(CEmit *c, CClass *k)
{
    Way w = {.c = c, .to = k, .been = table_new(c->arena)};
    return fields_lead(&w, k, false);
}
