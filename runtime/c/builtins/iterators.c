// iterators.c - enumerate, zip, map, filter, any, all, in; contracts in iterators.h.

#include "iterators.h"

#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "cells.h"
#include "items.h"
#include "list.h"
#include "number.h"
#include "range.h"
#include "iterator_tuple.h"
#include "str.h"

// ---- enumerate ----

typedef struct Enumerate {
    PychoralIterator *items;
    PychoralAny index;  // an int
} Enumerate;

PYCHORAL_CELLS(ENUMERATE, Enumerate, PYCHORAL_CELL(Enumerate, items, pychoral_type_iterator),
               PYCHORAL_CELL(Enumerate, index, pychoral_type_object));

static void count_up(PychoralInt *number)
{
    PychoralInt one = pychoral_int(1), sum = {0, NULL};
    if (number->big == NULL && !__builtin_add_overflow(number->small, one.small, &sum.small)) {
        *number = sum;
        return;
    }
    sum = pychoral_int_add(*number, one);
    pychoral_release(&pychoral_type_int, number);
    *number = sum;
}

// Whether field `place` of the tuples that an iterator gives is as another iterator gives it, so
// that it need not be converted.
static bool fits(const PychoralType *row, size_t place, const PychoralIterator *items)
{
    return row->kind == PYCHORAL_TUPLE && row->fields[place].type == pychoral_item_row(items);
}

// Lets go of the fields that a tuple has already.
static void clear_tuple(const PychoralType *row, void *tuple)
{
    pychoral_release(row, tuple);
    memset(tuple, 0, row->size);
}

static bool enumerate_in_place(Enumerate *own, const PychoralType *row, void *item)
{
    memset(item, 0, row->size);
    if (!pychoral_next_item(own->items, (char *)item + row->fields[1].offset))
        return false;
    PychoralInt *index = (PychoralInt *)((char *)item + row->fields[0].offset);
    *index = pychoral_keep_int(own->index.number);
    count_up(&own->index.number);
    return true;
}

static bool next_enumerated(PychoralIterator *self, void *item)
{
    Enumerate *own = (Enumerate *)self->cells;
    const PychoralType *row = pychoral_item_row(self), *inner = pychoral_item_row(own->items);
    if (fits(row, 1, own->items) && row->fields[0].type->kind == PYCHORAL_INT)
        return enumerate_in_place(own, row, item);
    PychoralSlot slot;
    bool given = pychoral_next_item(own->items, pychoral_slot_open(&slot, inner));
    if (given) {
        PychoralRef pair[] = {{&pychoral_type_int, &own->index.number}, {inner, slot.item}};
        given = pychoral_tuple_fill(row, 2, pair, item);
        pychoral_release(inner, slot.item);
        count_up(&own->index.number);
    }
    pychoral_slot_close(&slot);
    return given;
}

PychoralIterator *pychoral_enumerate(PychoralIterator *items, PychoralInt start,
                                     const PychoralType *row)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &ENUMERATE, next_enumerated);
    Enumerate *own = (Enumerate *)iterator->cells;
    own->items = pychoral_keep_iterator(items);
    own->index = (PychoralAny){.type = &pychoral_type_int, .number = start};
    pychoral_retain(&pychoral_type_int, &own->index.number);
    if (pychoral_int_is_bool(start))
        own->index.number.big = NULL;
    return iterator;
}

// ---- rounds: one item of each of several iterators ----

enum { FEW = 2 };

// The items of a round, in the rows of their iterators.
typedef struct Round {
    size_t count, given;
    PychoralSlot *slots;
    PychoralRef *items;
    PychoralSlot few_slots[FEW];    // where `slots` and `items` are if they are few
    PychoralRef few_items[FEW];
} Round;

// Fetches one of each; false if one has none (`round->given` is how many there were), or raised.
static bool open_round(Round *round, const PychoralList *several)
{
    bool few = several->count <= FEW;
    round->count = several->count;
    round->given = 0;
    round->slots = few ? round->few_slots
                       : pychoral_allocate(several->count * sizeof *round->slots);
    round->items = few ? round->few_items
                       : pychoral_allocate(several->count * sizeof *round->items);
    for (size_t i = 0; i < several->count; i++) {
        PychoralIterator *iterator = pychoral_several_at(several, i);
        const PychoralType *row = pychoral_item_row(iterator);
        pychoral_slot_open(&round->slots[i], row);
        round->items[i] = (PychoralRef){row, round->slots[i].item};
        if (!pychoral_next_item(iterator, round->slots[i].item)) {
            pychoral_slot_close(&round->slots[i]);
            return false;
        }
        round->given++;
    }
    return true;
}

static void close_round(Round *round)
{
    for (size_t i = 0; i < round->given; i++) {
        pychoral_release(round->items[i].type, round->slots[i].item);
        pychoral_slot_close(&round->slots[i]);
    }
    if (round->slots != round->few_slots) {
        free(round->slots);
        free(round->items);
    }
}

// ---- zip ----

typedef struct Zip {
    PychoralList *several;
    bool strict;
} Zip;

PYCHORAL_CELLS(ZIP, Zip, PYCHORAL_CELL(Zip, several, pychoral_type_several));

static void throw_uneven(size_t place, const char *how)
{
    if (place == 1)
        pychoral_throw(&pychoral_type_ValueError, "zip() argument 2 is %s than argument 1", how);
    else
        pychoral_throw(&pychoral_type_ValueError, "zip() argument %zu is %s than arguments 1-%zu",
                       place + 1, how, place);
}

// Iterator `place` had no more: none of the others may have.
static void check_even(const PychoralList *several, size_t place)
{
    if (place > 0)
        throw_uneven(place, "shorter");
    for (size_t i = 1; place == 0 && i < several->count && pychoral_raised == NULL; i++) {
        PychoralIterator *iterator = pychoral_several_at(several, i);
        PychoralSlot slot;
        if (pychoral_next_item(iterator, pychoral_slot_open(&slot, pychoral_item_row(iterator)))) {
            pychoral_release(slot.row, slot.item);
            throw_uneven(i, "longer");
        }
        pychoral_slot_close(&slot);
    }
}

static bool all_fit(const PychoralType *row, const PychoralList *several)
{
    if (row->kind != PYCHORAL_TUPLE || row->count != several->count)
        return false;
    for (size_t i = 0; i < several->count; i++)
        if (!fits(row, i, pychoral_several_at(several, i)))
            return false;
    return true;
}

static bool zip_in_place(const Zip *own, const PychoralType *row, void *item)
{
    memset(item, 0, row->size);
    for (size_t i = 0; i < own->several->count; i++) {
        void *field = (char *)item + row->fields[i].offset;
        if (pychoral_next_item(pychoral_several_at(own->several, i), field))
            continue;
        memset(field, 0, row->fields[i].type->size);
        clear_tuple(row, item);
        if (own->strict && pychoral_raised == NULL)
            check_even(own->several, i);
        return false;
    }
    return true;
}

static bool next_zipped(PychoralIterator *self, void *item)
{
    Zip *own = (Zip *)self->cells;
    Round round;
    if (own->several->count == 0)
        return false;
    if (all_fit(pychoral_item_row(self), own->several))
        return zip_in_place(own, pychoral_item_row(self), item);
    bool given = open_round(&round, own->several);
    if (given)
        given = pychoral_tuple_fill(pychoral_item_row(self), round.count, round.items, item);
    else if (own->strict && pychoral_raised == NULL)
        check_even(own->several, round.given);
    close_round(&round);
    return given;
}

PychoralIterator *pychoral_zip(size_t count, PychoralIterator *const *iterators, bool strict,
                               const PychoralType *row)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &ZIP, next_zipped);
    Zip *own = (Zip *)iterator->cells;
    own->several = pychoral_iterator_tuple(count, iterators);
    own->strict = strict;
    return iterator;
}

// ---- map and filter ----

typedef struct Map {
    PychoralFunction *function; // NULL: min, or max if `most`
    PychoralList *several;
    bool most;
} Map;

PYCHORAL_CELLS(MAP, Map, PYCHORAL_CELL(Map, function, pychoral_type_function),
               PYCHORAL_CELL(Map, several, pychoral_type_several));

// min(items..) or max(items..), which of a single one asks what is in it.
static void call_extreme(bool most, const Round *round, const PychoralType *row, void *result)
{
    if (round->count > 1) {
        (most ? pychoral_max_of : pychoral_min_of)(round->count, round->items, NULL, row, result);
        return;
    }
    PychoralIterator *inside = pychoral_iter(row, round->items[0]);
    if (inside == NULL)
        return;
    (most ? pychoral_max : pychoral_min)(inside, NULL, PYCHORAL_NO_REF, row, result);
    pychoral_iterator_drop(inside);
}

static bool next_mapped(PychoralIterator *self, void *item)
{
    Map *own = (Map *)self->cells;
    Round round;
    bool given = open_round(&round, own->several);
    if (given && own->function == NULL)
        call_extreme(own->most, &round, pychoral_item_row(self), item);
    else if (given)
        pychoral_call_with(own->function, round.count, round.items, pychoral_item_row(self), item);
    close_round(&round);
    return given && pychoral_raised == NULL;
}

PychoralIterator *pychoral_map(PychoralFunction *function, size_t count,
                               PychoralIterator *const *iterators, const PychoralType *row)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &MAP, next_mapped);
    *(Map *)iterator->cells =
        (Map){pychoral_keep_function(function), pychoral_iterator_tuple(count, iterators), false};
    return iterator;
}

static PychoralIterator *map_extreme(bool most, size_t count, PychoralIterator *const *iterators,
                                     const PychoralType *row)
{
    if (count == 0) {
        pychoral_throw(&pychoral_type_TypeError, "map() must have at least two arguments.");
        return NULL;
    }
    PychoralIterator *iterator = pychoral_map(NULL, count, iterators, row);
    ((Map *)iterator->cells)->most = most;
    return iterator;
}

PychoralIterator *pychoral_map_min(size_t count, PychoralIterator *const *iterators,
                                   const PychoralType *row)
{
    return map_extreme(false, count, iterators, row);
}

PychoralIterator *pychoral_map_max(size_t count, PychoralIterator *const *iterators,
                                   const PychoralType *row)
{
    return map_extreme(true, count, iterators, row);
}

typedef struct Filter {
    PychoralFunction *function;
    PychoralIterator *items;
} Filter;

PYCHORAL_CELLS(FILTER, Filter, PYCHORAL_CELL(Filter, function, pychoral_type_function),
               PYCHORAL_CELL(Filter, items, pychoral_type_iterator));

bool pychoral_passes_filter(PychoralFunction *function, PychoralRef item)
{
    PychoralAny answer;
    if (function == NULL)
        return pychoral_truth(item);
    pychoral_call1(function, item, &pychoral_type_object, &answer);
    if (pychoral_raised != NULL)
        return false;
    bool truth = pychoral_truth((PychoralRef){&pychoral_type_object, &answer});
    pychoral_release(&pychoral_type_object, &answer);
    return truth;
}

static bool next_filtered(PychoralIterator *self, void *item)
{
    Filter *own = (Filter *)self->cells;
    const PychoralType *row = pychoral_item_row(own->items);
    PychoralSlot slot;
    bool given = false;
    pychoral_slot_open(&slot, row);
    while (!given && pychoral_raised == NULL && pychoral_next_item(own->items, slot.item)) {
        PychoralRef ref = {row, slot.item};
        if (pychoral_passes_filter(own->function, ref) && pychoral_raised == NULL)
            given = pychoral_give(ref, pychoral_item_row(self), item);
        pychoral_release(row, slot.item);
    }
    pychoral_slot_close(&slot);
    return given;
}

PychoralIterator *pychoral_filter(PychoralFunction *function, PychoralIterator *items,
                                  const PychoralType *row)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &FILTER, next_filtered);
    *(Filter *)iterator->cells =
        (Filter){pychoral_keep_function(function), pychoral_keep_iterator(items)};
    return iterator;
}

// ---- iter(function, sentinel) ----

typedef struct Until {
    PychoralFunction *function;  // NULL: the sentinel came
    PychoralAny sentinel;
} Until;

PYCHORAL_CELLS(UNTIL, Until, PYCHORAL_CELL(Until, function, pychoral_type_function),
               PYCHORAL_CELL(Until, sentinel, pychoral_type_object));

static bool next_until(PychoralIterator *self, void *item)
{
    Until *own = (Until *)self->cells;
    PychoralAny answer;
    PychoralRef ref = {&pychoral_type_object, &answer};
    if (own->function == NULL)
        return false;
    pychoral_call_with(own->function, 0, NULL, &pychoral_type_object, &answer);
    if (pychoral_raised != NULL)
        return false;
    bool is_end = pychoral_eq(ref, (PychoralRef){&pychoral_type_object, &own->sentinel});
    if (is_end) {
        pychoral_release(&pychoral_type_function, &own->function);
        own->function = NULL;
    }
    bool given = !is_end && pychoral_raised == NULL &&
                 pychoral_give(ref, pychoral_item_row(self), item);
    pychoral_release(&pychoral_type_object, &answer);
    return given;
}

PychoralIterator *pychoral_iter_until(PychoralFunction *function, PychoralRef sentinel,
                                      const PychoralType *row)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &UNTIL, next_until);
    *(Until *)iterator->cells = (Until){pychoral_keep_function(function),
                                        pychoral_any(sentinel.type, sentinel.value)};
    return iterator;
}

// ---- any, all, in ----

// Whether an item is found that is true (or false).
static bool find_truth(PychoralIterator *items, bool truth)
{
    const PychoralType *row = pychoral_item_row(items);
    PychoralSlot slot;
    bool found = false;
    pychoral_slot_open(&slot, row);
    while (!found && pychoral_raised == NULL && pychoral_next_item(items, slot.item)) {
        found = pychoral_truth((PychoralRef){row, slot.item}) == truth && pychoral_raised == NULL;
        pychoral_release(row, slot.item);
    }
    pychoral_slot_close(&slot);
    return found;
}

bool pychoral_any_of(PychoralIterator *items) { return find_truth(items, true); }

bool pychoral_all_of(PychoralIterator *items)
{
    return !find_truth(items, false) && pychoral_raised == NULL;
}

bool pychoral_iterator_contains(PychoralIterator *items, PychoralRef value)
{
    const PychoralType *row = pychoral_item_row(items);
    PychoralSlot slot;
    bool found = false;
    pychoral_slot_open(&slot, row);
    while (!found && pychoral_raised == NULL && pychoral_next_item(items, slot.item)) {
        PychoralRef item = {row, slot.item};
        found = pychoral_is(item, value) || pychoral_eq(item, value);
        pychoral_release(row, slot.item);
    }
    pychoral_slot_close(&slot);
    return found && pychoral_raised == NULL;
}

static bool object_contains(PychoralRef seen, PychoralRef value)
{
    const PychoralMethod *method = pychoral_find_method(seen.type, "__contains__");
    if (method != NULL)
        return pychoral_ask(method, seen, value);
    if (pychoral_find_method(seen.type, "__iter__") == NULL &&
        pychoral_find_method(seen.type, "__getitem__") == NULL) {
        pychoral_throw(&pychoral_type_TypeError, "argument of type '%s' is not iterable",
                       pychoral_type_name(seen));
        return false;
    }
    PychoralIterator *items = pychoral_iter(&pychoral_type_object, seen);
    bool found = items != NULL && pychoral_iterator_contains(items, value);
    if (items != NULL)
        pychoral_iterator_drop(items);
    return found;
}

static bool text_contains(PychoralRef text, PychoralRef value)
{
    PychoralRef part = pychoral_look(value.type, value.value);
    PychoralPlain plain = pychoral_plain_of(part.type, part.value);
    if (plain.type->kind == PYCHORAL_STR)
        return pychoral_str_contains(pychoral_pointer_at(text.value),
                                     pychoral_pointer_at(plain.value));
    pychoral_throw(&pychoral_type_TypeError,
                   "'in <string>' requires string as left operand, not %s",
                   pychoral_type_name(part));
    return false;
}

// A view stays as it is.
static bool iterator_contains(PychoralIterator *items, PychoralRef value)
{
    PychoralType row = PYCHORAL_ITERATOR_ROW(pychoral_item_row(items));
    PychoralIterator *again = pychoral_view_iter(items, &row);
    bool found = pychoral_iterator_contains(again != NULL ? again : items, value);
    if (again != NULL)
        pychoral_release(&row, &again);
    return found;
}

bool pychoral_contains(PychoralRef container, PychoralRef value)
{
    PychoralRef seen = pychoral_look(container.type, container.value);
    seen = pychoral_as_tuple(seen, "__contains__");
    switch (seen.type->kind) {
    case PYCHORAL_STR: return text_contains(seen, value);
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE: return pychoral_list_contains(pychoral_pointer_at(seen.value), value);
    case PYCHORAL_TUPLE: return pychoral_tuple_contains(seen, value);
    case PYCHORAL_DICT:
    case PYCHORAL_SET:
    case PYCHORAL_FROZENSET:
        return pychoral_table_contains(pychoral_pointer_at(seen.value), value);
    case PYCHORAL_RANGE: return pychoral_range_contains(pychoral_pointer_at(seen.value), value);
    case PYCHORAL_ITERATOR: return iterator_contains(pychoral_pointer_at(seen.value), value);
    default: return object_contains(seen, value);
    }
}
