// itertools.c - Python's itertools; contracts in itertools.h.

#include "itertools.h"

#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "cells.h"
#include "items.h"
#include "list.h"
#include "number.h"

// ---- count and repeat ----

typedef struct Count {
    PychoralAny at, step;
} Count;

PYCHORAL_CELLS(COUNT, Count, PYCHORAL_CELL(Count, at, pychoral_type_object),
               PYCHORAL_CELL(Count, step, pychoral_type_object));

static bool next_count(PychoralIterator *self, void *item)
{
    Count *own = (Count *)self->cells;
    PychoralRef at = {&pychoral_type_object, &own->at};
    PychoralAny next;
    if (!pychoral_give(at, pychoral_item_row(self), item))
        return false;
    if (!pychoral_add_any(at, (PychoralRef){&pychoral_type_object, &own->step}, &next)) {
        pychoral_release(pychoral_item_row(self), item);
        return false;
    }
    pychoral_release(&pychoral_type_object, &own->at);
    own->at = next;
    return true;
}

PychoralIterator *pychoral_itertools_count(PychoralRef start, PychoralRef step,
                                           const PychoralType *row)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &COUNT, next_count);
    *(Count *)iterator->cells = (Count){pychoral_any(start.type, start.value),
                                        pychoral_any(step.type, step.value)};
    return iterator;
}

typedef struct Repeat {
    PychoralAny value;
    int64_t left;
} Repeat;

PYCHORAL_CELLS(REPEAT, Repeat, PYCHORAL_CELL(Repeat, value, pychoral_type_object));

static bool next_repeated(PychoralIterator *self, void *item)
{
    Repeat *own = (Repeat *)self->cells;
    if (own->left != INT64_MIN && own->left-- <= 0) {
        own->left = 0;
        return false;
    }
    return pychoral_give((PychoralRef){&pychoral_type_object, &own->value},
                         pychoral_item_row(self), item);
}

PychoralIterator *pychoral_itertools_repeat(PychoralRef value, int64_t times,
                                            const PychoralType *row)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &REPEAT, next_repeated);
    *(Repeat *)iterator->cells = (Repeat){pychoral_any(value.type, value.value), times};
    return iterator;
}

// ---- cycle ----

typedef struct Cycle {
    PychoralIterator *items;  // NULL: at their end
    PychoralList *seen;
    size_t at;
} Cycle;

PYCHORAL_CELLS(CYCLE, Cycle, PYCHORAL_CELL(Cycle, items, pychoral_type_iterator),
               PYCHORAL_CELL(Cycle, seen, pychoral_type_pool));

static bool next_cycled(PychoralIterator *self, void *item)
{
    Cycle *own = (Cycle *)self->cells;
    if (own->items != NULL) {
        if (pychoral_next_as(own->items, pychoral_item_row(self), item)) {
            PychoralAny seen = pychoral_any(pychoral_item_row(self), item);
            pychoral_list_take(own->seen, &seen);
            return true;
        }
        if (pychoral_raised != NULL)
            return false;
        pychoral_iterator_drop(own->items);
        own->items = NULL;
    }
    if (own->seen->count == 0)
        return false;
    own->at = own->at % own->seen->count;
    const PychoralAny *seen = (const PychoralAny *)own->seen->items + own->at++;
    return pychoral_give((PychoralRef){&pychoral_type_object, seen}, pychoral_item_row(self), item);
}

PychoralIterator *pychoral_itertools_cycle(PychoralIterator *items, const PychoralType *row)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &CYCLE, next_cycled);
    *(Cycle *)iterator->cells =
        (Cycle){pychoral_keep_iterator(items), pychoral_list_make(&pychoral_type_pool, 0), 0};
    return iterator;
}

// ---- chain ----

typedef struct Chain {
    PychoralIterator *sources, *now;  // `now` NULL: the next of the sources comes
} Chain;

PYCHORAL_CELLS(CHAIN, Chain, PYCHORAL_CELL(Chain, sources, pychoral_type_iterator),
               PYCHORAL_CELL(Chain, now, pychoral_type_iterator));

// Begins with the next source. False: there is none, or raised.
static bool open_source(Chain *own, const PychoralType *item)
{
    const PychoralType *row = pychoral_item_row(own->sources);
    PychoralSlot slot;
    bool given = pychoral_next_item(own->sources, pychoral_slot_open(&slot, row));
    if (given) {
        own->now = pychoral_iter(item, (PychoralRef){row, slot.item});
        pychoral_release(row, slot.item);
    }
    pychoral_slot_close(&slot);
    return given && own->now != NULL;
}

static bool next_chained(PychoralIterator *self, void *item)
{
    Chain *own = (Chain *)self->cells;
    const PychoralType *row = pychoral_item_row(self);
    while (own->now != NULL || open_source(own, row)) {
        if (pychoral_next_as(own->now, row, item))
            return true;
        if (pychoral_raised != NULL)
            return false;
        pychoral_iterator_drop(own->now);
        own->now = NULL;
    }
    return false;
}

PychoralIterator *pychoral_itertools_from_iterable(PychoralIterator *iterables,
                                                   const PychoralType *row)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &CHAIN, next_chained);
    *(Chain *)iterator->cells = (Chain){pychoral_keep_iterator(iterables), NULL};
    return iterator;
}

PychoralIterator *pychoral_itertools_chain(size_t count, PychoralIterator *const *iterators,
                                           const PychoralType *row)
{
    PychoralList *several = pychoral_iterator_tuple(count, iterators);
    PychoralIterator *sources =
        pychoral_iter(&pychoral_type_iterator, (PychoralRef){&pychoral_type_several, &several});
    PychoralIterator *iterator = pychoral_itertools_from_iterable(sources, row);
    pychoral_iterator_drop(sources);
    pychoral_release(&pychoral_type_several, &several);
    return iterator;
}

// ---- islice ----

typedef struct Slice {
    PychoralIterator *items;  // NULL: at its end
    int64_t at, next, stop, step;
} Slice;

PYCHORAL_CELLS(SLICE, Slice, PYCHORAL_CELL(Slice, items, pychoral_type_iterator));

static bool end_slice(Slice *own)
{
    pychoral_iterator_drop(own->items);
    own->items = NULL;
    return false;
}

static bool next_sliced(PychoralIterator *self, void *item)
{
    Slice *own = (Slice *)self->cells;
    const PychoralType *row = pychoral_item_row(self);
    if (own->items == NULL)
        return false;
    while (own->at < own->next && (own->stop < 0 || own->at < own->stop)) {
        if (!pychoral_next_as(own->items, row, item))
            return pychoral_raised == NULL && end_slice(own);
        pychoral_release(row, item);
        own->at++;
    }
    if (own->stop >= 0 && own->at >= own->stop)
        return end_slice(own);
    if (!pychoral_next_as(own->items, row, item))
        return pychoral_raised == NULL && end_slice(own);
    own->at++;
    if (__builtin_add_overflow(own->next, own->step, &own->next))
        own->next = INT64_MAX;
    if (own->stop >= 0 && own->next > own->stop)
        own->next = own->stop;
    return true;
}

// What bounds are that are none: -1 (or no int of 64 bits), and less. Python tells them apart.
enum { NO_BOUND = -2, NEGATIVE_BOUND = -3 };

// An argument of islice: an int that is not negative; `none` for None.
static int64_t bound(PychoralRef value, int64_t none)
{
    PychoralRef seen = pychoral_look(value.type, value.value);
    if (seen.type->kind == PYCHORAL_NONE)
        return none;
    if (seen.type->kind == PYCHORAL_BOOL)
        return *(const bool *)seen.value;
    const PychoralInt *number = seen.value;
    if (seen.type->kind != PYCHORAL_INT || number->big != NULL || number->small == -1)
        return NO_BOUND;
    return number->small < 0 ? NEGATIVE_BOUND : number->small;
}

static bool is_slice(int64_t start, int64_t stop, int64_t step)
{
    const char *limit = "None or an integer: 0 <= x <= sys.maxsize.";
    if (stop == NO_BOUND)
        pychoral_throw(&pychoral_type_ValueError,
                       "Stop argument for islice() must be %s", limit);
    else if (start < 0 || stop == NEGATIVE_BOUND)
        pychoral_throw(&pychoral_type_ValueError, "Indices for islice() must be %s", limit);
    else if (step < 1)
        pychoral_throw(&pychoral_type_ValueError,
                       "Step for islice() must be a positive integer or None.");
    return pychoral_raised == NULL;
}

PychoralIterator *pychoral_itertools_islice(PychoralIterator *items, PychoralRef start,
                                            PychoralRef stop, PychoralRef step,
                                            const PychoralType *row)
{
    bool only = stop.type == NULL;
    int64_t from = only ? 0 : bound(start, 0), by = bound(step, 1);
    int64_t to = bound(only ? start : stop, -1);
    if (!is_slice(from, to, by))
        return NULL;
    PychoralIterator *iterator = pychoral_iterator_new(row, &SLICE, next_sliced);
    *(Slice *)iterator->cells = (Slice){pychoral_keep_iterator(items), 0, from, to, by};
    return iterator;
}

// ---- takewhile, dropwhile, filterfalse ----

typedef struct While {
    PychoralFunction *function;
    PychoralIterator *items;
    bool decided;  // takewhile: at its end; dropwhile: all the rest comes
} While;

PYCHORAL_CELLS(WHILE, While, PYCHORAL_CELL(While, function, pychoral_type_function),
               PYCHORAL_CELL(While, items, pychoral_type_iterator));

static PychoralIterator *while_of(PychoralFunction *function, PychoralIterator *items,
                                  const PychoralType *row,
                                  bool (*next)(PychoralIterator *self, void *item))
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &WHILE, next);
    *(While *)iterator->cells =
        (While){pychoral_keep_function(function), pychoral_keep_iterator(items), false};
    return iterator;
}

// The next item, and what the function says of it.
static bool next_judged(PychoralIterator *self, void *item, bool *passes)
{
    While *own = (While *)self->cells;
    const PychoralType *row = pychoral_item_row(self);
    if (!pychoral_next_as(own->items, row, item))
        return false;
    *passes = pychoral_passes_filter(own->function, (PychoralRef){row, item});
    if (pychoral_raised != NULL)
        pychoral_release(row, item);
    return pychoral_raised == NULL;
}

static bool next_taken(PychoralIterator *self, void *item)
{
    While *own = (While *)self->cells;
    bool passes;
    if (own->decided || !next_judged(self, item, &passes))
        return false;
    own->decided = !passes;
    if (!passes)
        pychoral_release(pychoral_item_row(self), item);
    return passes;
}

static bool next_after_dropped(PychoralIterator *self, void *item)
{
    While *own = (While *)self->cells;
    while (!own->decided) {
        bool passes;
        if (!next_judged(self, item, &passes))
            return false;
        own->decided = !passes;
        if (!passes)
            return true;
        pychoral_release(pychoral_item_row(self), item);
    }
    return pychoral_next_as(own->items, pychoral_item_row(self), item);
}

static bool next_false(PychoralIterator *self, void *item)
{
    bool passes;
    while (next_judged(self, item, &passes)) {
        if (!passes)
            return true;
        pychoral_release(pychoral_item_row(self), item);
    }
    return false;
}

PychoralIterator *pychoral_itertools_takewhile(PychoralFunction *function, PychoralIterator *items,
                                               const PychoralType *row)
{
    return while_of(function, items, row, next_taken);
}

PychoralIterator *pychoral_itertools_dropwhile(PychoralFunction *function, PychoralIterator *items,
                                               const PychoralType *row)
{
    return while_of(function, items, row, next_after_dropped);
}

PychoralIterator *pychoral_itertools_filterfalse(PychoralFunction *function,
                                                 PychoralIterator *items, const PychoralType *row)
{
    return while_of(function, items, row, next_false);
}

// ---- pairwise ----

typedef struct Pairs {
    PychoralIterator *items;
    PychoralAny last;  // nothing: before the first
} Pairs;

PYCHORAL_CELLS(PAIRS, Pairs, PYCHORAL_CELL(Pairs, items, pychoral_type_iterator),
               PYCHORAL_CELL(Pairs, last, pychoral_type_object));

static bool next_pair(PychoralIterator *self, void *item)
{
    Pairs *own = (Pairs *)self->cells;
    PychoralAny next;
    if (own->last.type == NULL &&
        !pychoral_next_as(own->items, &pychoral_type_object, &own->last)) {
        own->last = (PychoralAny){.type = NULL};
        return false;
    }
    if (!pychoral_next_as(own->items, &pychoral_type_object, &next))
        return false;
    PychoralRef pair[] = {{&pychoral_type_object, &own->last}, {&pychoral_type_object, &next}};
    bool given = pychoral_tuple_fill(pychoral_item_row(self), 2, pair, item);
    pychoral_release(&pychoral_type_object, &own->last);
    own->last = next;
    return given;
}

PychoralIterator *pychoral_itertools_pairwise(PychoralIterator *items, const PychoralType *row)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &PAIRS, next_pair);
    ((Pairs *)iterator->cells)->items = pychoral_keep_iterator(items);
    return iterator;
}

// ---- combinations and permutations ----

// Which `r` of the `pool` come next. Permutations are made in the order of their places: the next
// one differs from its end on, by the next place that is free.
typedef struct Choice {
    PychoralList *pool, *places;  // of objects; of ints (narrow)
    bool begun, done;
} Choice;

PYCHORAL_CELLS(CHOICE, Choice, PYCHORAL_CELL(Choice, pool, pychoral_type_pool),
               PYCHORAL_CELL(Choice, places, pychoral_type_pool));

static const PychoralType PLACES = {.kind = PYCHORAL_LIST, .size = sizeof(PychoralList *),
                                    .name = "list[int]", .element = &pychoral_type_int};

static bool give_choice(PychoralIterator *self, void *item)
{
    Choice *own = (Choice *)self->cells;
    size_t count = own->places->count;
    PychoralRef *chosen = pychoral_allocate((count + 1) * sizeof *chosen);
    for (size_t i = 0; i < count; i++) {
        int64_t place = ((const int64_t *)own->places->items)[i];
        chosen[i] = (PychoralRef){&pychoral_type_object,
                                  (const PychoralAny *)own->pool->items + place};
    }
    bool given = pychoral_tuple_fill(pychoral_item_row(self), count, chosen, item);
    free(chosen);
    return given;
}

static bool step_combination(Choice *own)
{
    int64_t *places = own->places->items;
    int64_t r = (int64_t)own->places->count, last = (int64_t)own->pool->count - r;
    int64_t i = r - 1;
    while (i >= 0 && places[i] == last + i)
        i--;
    if (i < 0)
        return false;
    places[i]++;
    for (int64_t j = i + 1; j < r; j++)
        places[j] = places[j - 1] + 1;
    return true;
}

// The least place from `from` on that none of the first `count` has; -1: none.
static int64_t free_place(const Choice *own, int64_t from, int64_t count)
{
    const int64_t *places = own->places->items;
    for (; from < (int64_t)own->pool->count; from++) {
        int64_t i = 0;
        while (i < count && places[i] != from)
            i++;
        if (i == count)
            return from;
    }
    return -1;
}

static bool step_permutation(Choice *own)
{
    int64_t *places = own->places->items, r = (int64_t)own->places->count;
    for (int64_t i = r - 1; i >= 0; i--) {
        int64_t next = free_place(own, places[i] + 1, i);
        if (next < 0)
            continue;
        places[i] = next;
        for (int64_t j = i + 1; j < r; j++)
            places[j] = free_place(own, 0, j);
        return true;
    }
    return false;
}

// As combinations; a place may come again.
static bool step_replacing(Choice *own)
{
    int64_t *places = own->places->items, r = (int64_t)own->places->count;
    int64_t last = (int64_t)own->pool->count - 1, i = r - 1;
    while (i >= 0 && places[i] == last)
        i--;
    if (i < 0)
        return false;
    int64_t next = places[i] + 1;
    for (; i < r; i++)
        places[i] = next;
    return true;
}

static bool next_choice(PychoralIterator *self, void *item, bool (*step)(Choice *own))
{
    Choice *own = (Choice *)self->cells;
    if (own->begun && !own->done)
        own->done = !step(own);
    own->begun = true;
    return !own->done && give_choice(self, item);
}

static bool next_combination(PychoralIterator *self, void *item)
{
    return next_choice(self, item, step_combination);
}

static bool next_permutation(PychoralIterator *self, void *item)
{
    return next_choice(self, item, step_permutation);
}

static bool next_replacing(PychoralIterator *self, void *item)
{
    return next_choice(self, item, step_replacing);
}

static PychoralIterator *choose(PychoralIterator *items, int64_t r, const PychoralType *row,
                                bool (*next)(PychoralIterator *self, void *item))
{
    PychoralList *pool =
        pychoral_list_from((PychoralRef){items->object.type, &items}, &pychoral_type_pool);
    if (pool == NULL)
        return NULL;
    if (r == INT64_MIN)
        r = (int64_t)pool->count;
    if (r < 0) {
        pychoral_release(&pychoral_type_pool, &pool);
        pychoral_throw(&pychoral_type_ValueError, "r must be non-negative");
        return NULL;
    }
    PychoralIterator *iterator = pychoral_iterator_new(row, &CHOICE, next);
    Choice *own = (Choice *)iterator->cells;
    own->pool = pool;
    bool replaces = next == next_replacing;
    own->done = replaces ? r > 0 && pool->count == 0 : r > (int64_t)pool->count;
    own->places = pychoral_list_make(&PLACES, own->done ? 0 : (size_t)r);
    for (int64_t i = 0; i < r && !own->done; i++)
        pychoral_list_int_push(own->places, pychoral_int(replaces ? 0 : i));
    return iterator;
}

PychoralIterator *pychoral_itertools_combinations(PychoralIterator *items, int64_t r,
                                                  const PychoralType *row)
{
    return choose(items, r, row, next_combination);
}

PychoralIterator *pychoral_itertools_permutations(PychoralIterator *items, int64_t r,
                                                  const PychoralType *row)
{
    return choose(items, r, row, next_permutation);
}

PychoralIterator *pychoral_itertools_combinations_with_replacement(PychoralIterator *items,
                                                                   int64_t r,
                                                                   const PychoralType *row)
{
    return choose(items, r, row, next_replacing);
}
