// cycles.c - trial deletion; the contract is in cycles.h.

#include "cycles.h"

#include <stdlib.h>
#include <string.h>

#include "table.h"

enum {
    FIRST_DUE = 1000,
    DEEPEST = 64,           // containers in containers: what is deeper counts as used from outside
};

// Those of a thread: each role has its own.
typedef struct Tracked {
    PychoralObject **objects;
    size_t count, room;
    size_t due;             // so many are looked at
    bool looks;
} Tracked;

static _Thread_local Tracked tracked = {.due = FIRST_DUE};

// A container with more than one reference.
typedef struct Shared {
    PychoralObject *object;
    uint32_t count;
} Shared;

// Counts are those of references that have not been met: from outside, after the first round. In
// the second round whoever is reached has one.
typedef struct Search {
    uint32_t *counts;       // by place in the list
    Shared *shared;         // a hash table: `mask` + 1 places, with `used` in use
    size_t used, mask;
    PychoralObject **work;  // whose content is still to be looked at
    size_t waiting, room;
    bool marks;             // the second round
    bool failed;            // memory has run out
} Search;

// ---- the list ----

bool pychoral_cycles_add(PychoralObject *object)
{
    if (tracked.count == tracked.room) {
        size_t room = tracked.room * 2 + FIRST_DUE;
        PychoralObject **objects = realloc(tracked.objects, room * sizeof *objects);
        if (objects == NULL || room > UINT32_MAX)
            return false;
        tracked.objects = objects;
        tracked.room = room;
    }
    object->head.flags = (uint32_t)tracked.count;
    tracked.objects[tracked.count++] = object;
    return true;
}

void pychoral_cycles_remove(PychoralObject *object)
{
    PychoralObject *last = tracked.objects[--tracked.count];
    last->head.flags = object->head.flags;
    tracked.objects[object->head.flags] = last;
}

// ---- a search ----

static void push(Search *s, PychoralObject *object)
{
    if (s->waiting == s->room) {
        size_t room = s->room * 2 + FIRST_DUE;
        PychoralObject **work = realloc(s->work, room * sizeof *work);
        if (work == NULL) {
            s->failed = true;
            return;
        }
        s->work = work;
        s->room = room;
    }
    s->work[s->waiting++] = object;
}

static Shared *place_of(const Search *s, const PychoralObject *object)
{
    size_t at = (size_t)((uintptr_t)object >> 4) * 0x9e3779b97f4a7c15u >> 16 & s->mask;
    while (s->shared[at].object != NULL && s->shared[at].object != object)
        at = (at + 1) & s->mask;
    return &s->shared[at];
}

static bool grow(Search *s)
{
    Search grown = {.mask = s->mask * 2 + 1};
    grown.shared = calloc(grown.mask + 1, sizeof *grown.shared);
    if (grown.shared == NULL)
        return false;
    for (size_t i = 0; s->shared != NULL && i <= s->mask; i++)
        if (s->shared[i].object != NULL)
            *place_of(&grown, s->shared[i].object) = s->shared[i];
    free(s->shared);
    s->shared = grown.shared;
    s->mask = grown.mask;
    return true;
}

// One that is new is to be looked through, once.
static Shared *shared_of(Search *s, PychoralObject *object)
{
    if ((s->shared == NULL || s->used > s->mask / 2) && !grow(s))
        return NULL;
    Shared *shared = place_of(s, object);
    if (shared->object == NULL) {
        *shared = (Shared){object, object->head.refs};
        s->used++;
        push(s, object);
    }
    return shared;
}

// A reference is subtracted, or makes what it refers to reached.
static void count_reference(Search *s, PychoralObject *object, uint32_t *count)
{
    if (!s->marks) {
        --*count;
    } else if (*count == 0) {
        *count = 1;
        push(s, object);
    }
}

static void look_through(Search *s, PychoralObject *object, int depth);

static void meet(Search *s, PychoralObject *object, int depth)
{
    if (object == NULL || object->head.refs == PYCHORAL_IMMORTAL || s->failed)
        return;
    if (object->type->flags & PYCHORAL_CYCLIC) {
        count_reference(s, object, &s->counts[object->head.flags]);
    } else if (object->type->kind == PYCHORAL_DATACLASS) {
        return;                                 // no circle goes through it
    } else if (object->head.refs == 1) {        // this is the only way to it
        if (depth < DEEPEST)
            look_through(s, object, depth + 1);
    } else {
        Shared *shared = shared_of(s, object);
        if (shared == NULL)
            s->failed = true;
        else
            count_reference(s, object, &shared->count);
    }
}

// Whether values of a type can refer to what is searched for.
static bool leads(const PychoralType *type)
{
    switch (type->kind) {
    case PYCHORAL_NONE:
    case PYCHORAL_BOOL:
    case PYCHORAL_INT:
    case PYCHORAL_FLOAT:
    case PYCHORAL_COMPLEX:
    case PYCHORAL_STR:
    case PYCHORAL_BYTES:
    case PYCHORAL_ENUM:
    case PYCHORAL_NDARRAY:
    case PYCHORAL_LITERAL:
    case PYCHORAL_RANGE:
    case PYCHORAL_CHANNEL:
        return false;
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE:
    case PYCHORAL_TUPLE:
    case PYCHORAL_DICT:
    case PYCHORAL_SET:
    case PYCHORAL_FROZENSET:
    case PYCHORAL_DATACLASS:
    case PYCHORAL_UNION:
    case PYCHORAL_BOX:
    case PYCHORAL_OBJECT:
    case PYCHORAL_FUNCTION:
    case PYCHORAL_ITERATOR:
        return true;
    }
    return true;
}

// The value in place: what it refers to is met.
static void look_at(Search *s, const PychoralType *type, const void *value, int depth)
{
    if (!leads(type))
        return;
    if (type->kind == PYCHORAL_TUPLE) {
        for (uint32_t i = 0; i < type->count; i++)
            look_at(s, type->fields[i].type, (const char *)value + type->fields[i].offset, depth);
    } else if (type->kind == PYCHORAL_UNION) {
        uint32_t tag;
        memcpy(&tag, value, sizeof tag);
        const PychoralField *member = &type->fields[tag];
        look_at(s, member->type, (const char *)value + member->offset, depth);
    } else if (type->kind == PYCHORAL_OBJECT) {
        const PychoralAny *any = value;
        if (any->type != NULL && any->type->kind == PYCHORAL_TUPLE)
            meet(s, &any->box->object, depth);
        else if (any->type != NULL)
            look_at(s, any->type, &any->pointer, depth);
    } else {
        PychoralObject *object;
        memcpy(&object, value, sizeof object);
        meet(s, object, depth);
    }
}

static void look_through_list(Search *s, const PychoralList *list, int depth)
{
    const PychoralType *element = list->object.type->element;
    if (!list->narrow && leads(element))
        for (size_t i = 0; i < list->count; i++)
            look_at(s, element, (const char *)list->items + i * element->size, depth);
}

static void look_through_table(Search *s, const PychoralTable *table, int depth)
{
    const PychoralType *type = table->object.type;
    bool is_dict = type->kind == PYCHORAL_DICT;
    const PychoralType *keys = is_dict ? type->key : type->element;
    void *key, *value;
    if (table->factory != NULL)
        meet(s, &table->factory->object, depth);
    if (!leads(keys) && !(is_dict && leads(type->element)))
        return;
    for (uint32_t position = 0; pychoral_table_next(table, &position, &key, &value);) {
        look_at(s, keys, key, depth);
        if (is_dict)
            look_at(s, type->element, value, depth);
    }
}

// What an object of any kind refers to.
static void look_through(Search *s, PychoralObject *object, int depth)
{
    const PychoralType *type = object->type;
    if (type->kind == PYCHORAL_LIST || type->kind == PYCHORAL_SEQUENCE) {
        look_through_list(s, (const PychoralList *)object, depth);
    } else if (type->kind == PYCHORAL_DATACLASS) {
        for (uint32_t i = 0; i < type->count + type->more; i++)
            look_at(s, type->fields[i].type, (const char *)object + type->fields[i].offset, depth);
    } else if (type->kind == PYCHORAL_BOX || type->kind == PYCHORAL_TUPLE) {
        const PychoralType *content = type->kind == PYCHORAL_BOX ? type->element : type;
        look_at(s, content, ((const PychoralBox *)object)->value, depth);
    } else if (type->kind == PYCHORAL_FUNCTION) {
        const PychoralFunction *function = (const PychoralFunction *)object;
        if (function->held != NULL)
            look_at(s, function->held, function->cells, depth);
    } else if (type->kind == PYCHORAL_ITERATOR) {
        const PychoralIterator *iterator = (const PychoralIterator *)object;
        if (iterator->held != NULL)
            look_at(s, iterator->held, iterator->cells, depth);
    } else if (type->kind != PYCHORAL_RANGE) {
        look_through_table(s, (const PychoralTable *)object, depth);
    }
}

static void work_off(Search *s)
{
    while (s->waiting > 0 && !s->failed)
        look_through(s, s->work[--s->waiting], 0);
}

// Subtracts all references that come from objects of the list and from containers they lead to.
static void subtract(Search *s)
{
    for (size_t i = 0; i < tracked.count; i++)
        s->counts[i] = tracked.objects[i]->head.refs;
    for (size_t i = 0; i < tracked.count && !s->failed; i++) {
        look_through(s, tracked.objects[i], 0);
        work_off(s);
    }
}

// Who is referred to from outside is in use, and so is all that it leads to.
static void mark(Search *s)
{
    s->marks = true;
    for (size_t i = 0; i < tracked.count; i++)
        if (s->counts[i] > 0)
            push(s, tracked.objects[i]);
    for (size_t i = 0; s->shared != NULL && i <= s->mask; i++)
        if (s->shared[i].count > 0)
            push(s, s->shared[i].object);
    work_off(s);
}

// ---- garbage ----

static void clear_place(const PychoralType *type, void *place)
{
    if (!leads(type))
        return;
    pychoral_release(type, place);
    memset(place, 0, type->size);
}

static void clear(PychoralObject *object)
{
    const PychoralType *type = object->type;
    if (type->kind == PYCHORAL_BOX)
        clear_place(type->element, ((PychoralBox *)object)->value);
    for (uint32_t i = 0; i < type->count + type->more; i++)
        clear_place(type->fields[i].type, (char *)object + type->fields[i].offset);
}

// Each is held until all have lost what they refer to, so that none is freed while it is looked at.
static void free_garbage(PychoralObject **garbage, size_t count)
{
    for (size_t i = 0; i < count; i++)
        garbage[i]->head.refs++;
    for (size_t i = 0; i < count; i++)
        clear(garbage[i]);
    for (size_t i = 0; i < count; i++)
        pychoral_release(garbage[i]->type, &garbage[i]);
}

static void collect(Search *s)
{
    for (size_t i = 0; i < tracked.count; i++)
        if (s->counts[i] == 0)
            push(s, tracked.objects[i]);
    if (!s->failed)
        free_garbage(s->work, s->waiting);
}

void pychoral_cycles_look(void)
{
    if (tracked.count < tracked.due || tracked.looks)
        return;
    Search s = {.counts = malloc(tracked.count * sizeof *s.counts)};
    s.failed = s.counts == NULL;
    tracked.looks = true;
    if (!s.failed)
        subtract(&s);
    if (!s.failed)
        mark(&s);
    if (!s.failed)
        collect(&s);
    free(s.counts);
    free(s.shared);
    free(s.work);
    tracked.looks = false;
    tracked.due = tracked.count * 2 + FIRST_DUE;
}

void pychoral_cycles_end(void)
{
    if (tracked.count > 0)
        return;
    free(tracked.objects);
    tracked = (Tracked){.due = FIRST_DUE};
}
