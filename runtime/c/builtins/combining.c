// combining.c - itertools that walk along several iterables, or along one with what it has given so
// far: product, zip_longest, accumulate; contracts in itertools.h.

#include <stdlib.h>

#include "call.h"
#include "cells.h"
#include "itertools.h"
#include "list.h"
#include "binary_ops.h"

static const PychoralType INTS = {.kind = PYCHORAL_LIST, .size = sizeof(PychoralList *),
                                  .name = "list[int]", .element = &pychoral_type_int};

static int64_t *ints(const PychoralList *list) { return list->items; }

// ---- product ----

// The items of all iterables, one after the other. For each part of the tuple: where its items
// begin, how many they are, and which of them comes next.
typedef struct Product {
    PychoralList *pool, *begins, *counts, *places;
    bool begun, done;
} Product;

PYCHORAL_CELLS(PRODUCT, Product, PYCHORAL_CELL(Product, pool, pychoral_type_pool),
               PYCHORAL_CELL(Product, begins, pychoral_type_pool),
               PYCHORAL_CELL(Product, counts, pychoral_type_pool),
               PYCHORAL_CELL(Product, places, pychoral_type_pool));

static bool give_parts(const Product *own, const PychoralType *row, void *item)
{
    size_t count = own->places->count;
    PychoralRef *parts = pychoral_allocate((count + 1) * sizeof *parts);
    for (size_t i = 0; i < count; i++)
        parts[i] = (PychoralRef){&pychoral_type_object,
                                 (const PychoralAny *)own->pool->items + ints(own->begins)[i] +
                                     ints(own->places)[i]};
    bool given = pychoral_tuple_fill(row, count, parts, item);
    free(parts);
    return given;
}

static bool step_product(Product *own)
{
    for (size_t i = own->places->count; i-- > 0;) {
        if (++ints(own->places)[i] < ints(own->counts)[i])
            return true;
        ints(own->places)[i] = 0;
    }
    return false;
}

static bool next_product(PychoralIterator *self, void *item)
{
    Product *own = (Product *)self->cells;
    if (own->begun && !own->done)
        own->done = !step_product(own);
    own->begun = true;
    return !own->done && give_parts(own, pychoral_item_row(self), item);
}

static void add_part(Product *own, size_t begin, size_t count)
{
    pychoral_list_int_push(own->begins, pychoral_int((int64_t)begin));
    pychoral_list_int_push(own->counts, pychoral_int((int64_t)count));
    pychoral_list_int_push(own->places, pychoral_int(0));
    own->done = own->done || count == 0;
}

PychoralIterator *pychoral_itertools_product(size_t count, PychoralIterator *const *iterators,
                                             int64_t repeat, const PychoralType *row)
{
    if (repeat < 0) {
        pychoral_throw(&pychoral_type_ValueError, "repeat argument cannot be negative");
        return NULL;
    }
    PychoralIterator *iterator = pychoral_iterator_new(row, &PRODUCT, next_product);
    Product *own = (Product *)iterator->cells;
    *own = (Product){pychoral_list_make(&pychoral_type_pool, 0), pychoral_list_make(&INTS, 0),
                     pychoral_list_make(&INTS, 0), pychoral_list_make(&INTS, 0), false, false};
    for (size_t i = 0; i < count && repeat > 0 && pychoral_raised == NULL; i++) {
        size_t begin = own->pool->count;
        PychoralRef items = {iterators[i]->object.type, &iterators[i]};
        pychoral_list_extend(own->pool, items);
        add_part(own, begin, own->pool->count - begin);
    }
    for (int64_t i = 1; i < repeat && !own->done; i++)
        for (size_t j = 0; j < count; j++)
            add_part(own, (size_t)ints(own->begins)[j], (size_t)ints(own->counts)[j]);
    if (pychoral_raised == NULL)
        return iterator;
    pychoral_iterator_drop(iterator);
    return NULL;
}

// ---- accumulate ----

typedef struct Accumulated {
    PychoralIterator *items;
    PychoralFunction *function;
    PychoralAny total;  // nothing: before the first
    bool given;         // `total` was
} Accumulated;

PYCHORAL_CELLS(ACCUMULATED, Accumulated,
               PYCHORAL_CELL(Accumulated, items, pychoral_type_iterator),
               PYCHORAL_CELL(Accumulated, function, pychoral_type_function),
               PYCHORAL_CELL(Accumulated, total, pychoral_type_object));

static bool add_next(Accumulated *own)
{
    PychoralAny next, sum = {.type = NULL};
    if (!pychoral_next_as(own->items, &pychoral_type_object, &next))
        return false;
    if (own->total.type == NULL) {
        own->total = next;
        return true;
    }
    PychoralRef both[] = {{&pychoral_type_object, &own->total}, {&pychoral_type_object, &next}};
    if (own->function != NULL)
        pychoral_call_with(own->function, 2, both, &pychoral_type_object, &sum);
    else
        pychoral_binary(PYCHORAL_ADD, false, both[0], both[1], &pychoral_type_object, &sum);
    pychoral_release(&pychoral_type_object, &next);
    if (pychoral_raised != NULL)
        return false;
    pychoral_release(&pychoral_type_object, &own->total);
    own->total = sum;
    return true;
}

static bool next_accumulated(PychoralIterator *self, void *item)
{
    Accumulated *own = (Accumulated *)self->cells;
    bool first = own->total.type != NULL && !own->given;
    if (!first && !add_next(own))
        return false;
    own->given = true;
    return pychoral_give((PychoralRef){&pychoral_type_object, &own->total},
                         pychoral_item_row(self), item);
}

PychoralIterator *pychoral_itertools_accumulate(PychoralIterator *items,
                                                PychoralFunction *function, PychoralRef initial,
                                                const PychoralType *row)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &ACCUMULATED, next_accumulated);
    Accumulated *own = (Accumulated *)iterator->cells;
    own->items = pychoral_keep_iterator(items);
    own->function = function != NULL ? pychoral_keep_function(function) : NULL;
    if (initial.type != NULL &&
        pychoral_look(initial.type, initial.value).type->kind != PYCHORAL_NONE)
        own->total = pychoral_any(initial.type, initial.value);
    return iterator;
}

// ---- zip_longest ----

typedef struct Longest {
    PychoralList *sources, *ended;  // iterators, and 1 for each that is at its end
    PychoralAny fill;
    size_t left;
} Longest;

PYCHORAL_CELLS(LONGEST, Longest, PYCHORAL_CELL(Longest, sources, pychoral_type_several),
               PYCHORAL_CELL(Longest, ended, pychoral_type_pool),
               PYCHORAL_CELL(Longest, fill, pychoral_type_object));

// The next of a source, or what stands for it. False: no source is left, or it raised.
static bool next_or_fill(Longest *own, size_t i, PychoralAny *part)
{
    if (!ints(own->ended)[i]) {
        if (pychoral_next_as(pychoral_several_at(own->sources, i), &pychoral_type_object, part))
            return true;
        *part = (PychoralAny){.type = NULL};
        ints(own->ended)[i] = 1;
        own->left--;
    }
    if (own->left == 0 || pychoral_raised != NULL) {
        own->left = 0;
        return false;
    }
    *part = pychoral_any(&pychoral_type_object, &own->fill);
    return true;
}

static bool next_longest(PychoralIterator *self, void *item)
{
    Longest *own = (Longest *)self->cells;
    size_t count = own->sources->count, made = 0;
    PychoralAny *values = pychoral_allocate((count + 1) * sizeof *values);
    PychoralRef *parts = pychoral_allocate((count + 1) * sizeof *parts);
    bool given = own->left > 0;
    for (; given && made < count; made += given) {
        given = next_or_fill(own, made, &values[made]);
        parts[made] = (PychoralRef){&pychoral_type_object, &values[made]};
    }
    if (given)
        given = pychoral_tuple_fill(pychoral_item_row(self), count, parts, item);
    for (size_t i = 0; i < made; i++)
        pychoral_release(&pychoral_type_object, &values[i]);
    free(parts);
    free(values);
    return given;
}

PychoralIterator *pychoral_itertools_zip_longest(size_t count, PychoralIterator *const *iterators,
                                                 PychoralRef fill, const PychoralType *row)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &LONGEST, next_longest);
    Longest *own = (Longest *)iterator->cells;
    *own = (Longest){pychoral_iterator_tuple(count, iterators), pychoral_list_make(&INTS, count),
                     pychoral_any(fill.type, fill.value), count};
    for (size_t i = 0; i < count; i++)
        pychoral_list_int_push(own->ended, pychoral_int(0));
    return iterator;
}
