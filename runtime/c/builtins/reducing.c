// reducing.c - sum, min, max, reduce: one value out of many; contracts in iterators.h.

#include <stdlib.h>
#include <string.h>

#include "../modules/counter.h"
#include "binary_ops.h"
#include "call.h"
#include "items.h"
#include "iterators.h"
#include "list.h"
#include "number.h"
#include "iterator_tuple.h"

// ---- sum ----

static void drop(PychoralAny *any)
{
    pychoral_release(&pychoral_type_object, any);
    *any = (PychoralAny){.type = NULL};
}

static PychoralRef ref_of(const PychoralAny *any)
{
    return (PychoralRef){&pychoral_type_object, any};
}

static bool add_numbers(PychoralRef a, PychoralRef b, PychoralAny *sum)
{
    PychoralNumber x, y;
    PychoralPlain one = pychoral_plain_of(a.type, a.value);
    PychoralPlain other = pychoral_plain_of(b.type, b.value);
    if (!pychoral_number_of(one, &x) || !pychoral_number_of(other, &y))
        return false;
    if (x.is_int && y.is_int) {
        *sum = (PychoralAny){.type = &pychoral_type_int,
                             .number = pychoral_int_add(x.whole, y.whole)};
        return true;
    }
    bool fits = (!x.is_int || pychoral_int_to_float(x.whole, &x.real)) &&
                (!y.is_int || pychoral_int_to_float(y.whole, &y.real));
    *sum = (PychoralAny){.type = NULL};
    if (!fits)
        pychoral_throw(&pychoral_type_OverflowError, "int too large to convert to float");
    else if (one.type->kind == PYCHORAL_COMPLEX || other.type->kind == PYCHORAL_COMPLEX)
        *sum = (PychoralAny){.type = &pychoral_type_complex,
                             .complex = {x.real + y.real, x.imag + y.imag}};
    else
        *sum = (PychoralAny){.type = &pychoral_type_float, .real = x.real + y.real};
    return true;
}

static bool add_counters(PychoralRef a, PychoralRef b, PychoralAny *sum)
{
    if (a.type->kind != PYCHORAL_DICT)
        return false;
    const PychoralType *row = ((PychoralTable *)pychoral_pointer_at(a.value))->object.type;
    *sum = (PychoralAny){.type = row, .pointer = pychoral_counter_binary(PYCHORAL_ADD, a, b, row)};
    if (sum->pointer == NULL)
        *sum = (PychoralAny){.type = NULL};
    return sum->type != NULL || pychoral_raised != NULL;
}

bool pychoral_add_any(PychoralRef a, PychoralRef b, PychoralAny *sum)
{
    a = pychoral_look(a.type, a.value);
    b = pychoral_look(b.type, b.value);
    if (!add_numbers(a, b, sum) && !add_counters(a, b, sum))
        pychoral_binary(PYCHORAL_ADD, false, a, b, &pychoral_type_object, sum);
    return pychoral_raised == NULL;
}

// Floats one after the other, as long as there is nothing else.
static double sum_floats(PychoralIterator *items, double sum)
{
    double item;
    size_t count = 0;
    const double *rest = pychoral_take_rest(items, &count);
    for (size_t i = 0; i < count; i++)
        sum += rest[i];
    while (pychoral_next_item(items, &item))
        sum += item;
    return sum;
}

static void add_to(PychoralInt *sum, PychoralInt item)
{
    PychoralInt next = pychoral_int_add(*sum, item);
    pychoral_release(&pychoral_type_int, sum);
    *sum = next;
}

// What fits in 64 bits is added as it comes.
static void sum_narrow(const int64_t *items, size_t count, PychoralInt *sum)
{
    int64_t part = items[0], next;
    for (size_t i = 1; i < count; i++, part = next) {
        if (!__builtin_add_overflow(part, items[i], &next))
            continue;
        add_to(sum, pychoral_int(part));
        next = items[i];
    }
    add_to(sum, pychoral_int(part));
}

static PychoralInt sum_ints(PychoralIterator *items, PychoralInt sum)
{
    size_t count;
    const int64_t *rest = pychoral_take_rest(items, &count);
    if (rest != NULL)
        sum_narrow(rest, count, &sum);
    PychoralInt item;
    while (pychoral_next_item(items, &item)) {
        add_to(&sum, item);
        pychoral_release(&pychoral_type_int, &item);
    }
    return sum;
}

static void sum_any(PychoralIterator *items, PychoralAny *sum)
{
    const PychoralType *row = pychoral_item_row(items);
    PychoralSlot slot;
    pychoral_slot_open(&slot, row);
    while (pychoral_raised == NULL && pychoral_next_item(items, slot.item)) {
        PychoralAny next = {.type = NULL};
        if (pychoral_add_any(ref_of(sum), (PychoralRef){row, slot.item}, &next)) {
            drop(sum);
            *sum = next;
        }
        pychoral_release(row, slot.item);
    }
    pychoral_slot_close(&slot);
}

void pychoral_sum(PychoralIterator *items, PychoralRef start, const PychoralType *row,
                  void *result)
{
    PychoralAny sum = pychoral_any(start.type, start.value);
    const PychoralType *item = pychoral_item_row(items);
    if (sum.type->kind == PYCHORAL_INT && item->kind == PYCHORAL_INT)
        sum.number = sum_ints(items, sum.number);
    else if (sum.type->kind == PYCHORAL_FLOAT && item->kind == PYCHORAL_FLOAT)
        sum.real = sum_floats(items, sum.real);
    else if (sum.type->kind == PYCHORAL_INT && sum.number.small == 0 && sum.number.big == NULL &&
             item->kind == PYCHORAL_FLOAT && row->kind == PYCHORAL_FLOAT)
        sum = (PychoralAny){.type = &pychoral_type_float, .real = sum_floats(items, 0)};
    else if (sum.type->kind == PYCHORAL_STR)
        pychoral_throw(&pychoral_type_TypeError,
                       "sum() can't sum strings [use ''.join(seq) instead]");
    else if (sum.type->kind == PYCHORAL_BYTES)
        pychoral_throw(&pychoral_type_TypeError,
                       "sum() can't sum bytes [use b''.join(seq) instead]");
    else
        sum_any(items, &sum);
    memset(result, 0, row->size);
    if (pychoral_raised == NULL)
        pychoral_convert(&pychoral_type_object, &sum, row, result);
    drop(&sum);
}

// ---- min and max ----

// The best value so far and its key.
typedef struct Best {
    PychoralAny value, key;
    PychoralFunction *function;
    char op;  // what is better: '<' or '>'
} Best;

static void try_value(Best *best, PychoralRef value)
{
    PychoralAny key = {.type = NULL};
    if (best->function != NULL) {
        pychoral_call1(best->function, value, &pychoral_type_object, &key);
        if (pychoral_raised != NULL)
            return;
    }
    const PychoralAny *so_far = best->function != NULL ? &best->key : &best->value;
    bool better = best->value.type == NULL ||
                  pychoral_ordered(best->function != NULL ? ref_of(&key) : value, ref_of(so_far),
                                   best->op);
    if (!better || pychoral_raised != NULL) {
        drop(&key);
        return;
    }
    drop(&best->value);
    drop(&best->key);
    best->value = pychoral_any(value.type, value.value);
    best->key = key;
}

static void give_best(Best *best, const PychoralType *row, void *result)
{
    memset(result, 0, row->size);
    if (pychoral_raised == NULL)
        pychoral_convert(&pychoral_type_object, &best->value, row, result);
    drop(&best->value);
    drop(&best->key);
}

static int64_t best_narrow(const int64_t *items, size_t count, bool is_least)
{
    int64_t found = items[0];
    for (size_t i = 1; i < count; i++)
        found = (is_least ? items[i] < found : items[i] > found) ? items[i] : found;
    return found;
}

// Of ints by themselves.
static void best_int(PychoralIterator *items, Best *best)
{
    PychoralInt found, item;
    size_t count;
    const int64_t *rest = pychoral_take_rest(items, &count);
    if (rest != NULL)
        found = pychoral_int(best_narrow(rest, count, best->op == '<'));
    else if (!pychoral_next_item(items, &found))
        return;
    while (pychoral_next_item(items, &item)) {
        bool better = best->op == '<' ? pychoral_int_lt(item, found) : pychoral_int_gt(item, found);
        pychoral_drop_int(better ? &found : &item);
        found = better ? item : found;
    }
    if (pychoral_raised == NULL)
        best->value = pychoral_any(&pychoral_type_int, &found);
    pychoral_drop_int(&found);
}

// Of floats by themselves. What is no number is neither better nor worse.
static void best_float(PychoralIterator *items, Best *best)
{
    double found, item;
    size_t count = 0;
    const double *rest = pychoral_take_rest(items, &count);
    if (rest != NULL)
        found = rest[0];
    else if (!pychoral_next_item(items, &found))
        return;
    for (size_t i = 1; i < count; i++)
        if (best->op == '<' ? rest[i] < found : rest[i] > found)
            found = rest[i];
    while (pychoral_next_item(items, &item))
        if (best->op == '<' ? item < found : item > found)
            found = item;
    if (pychoral_raised == NULL)
        best->value = (PychoralAny){.type = &pychoral_type_float, .real = found};
}

static void try_items(PychoralIterator *items, Best *best)
{
    const PychoralType *item = pychoral_item_row(items);
    PychoralSlot slot;
    pychoral_slot_open(&slot, item);
    while (pychoral_raised == NULL && pychoral_next_item(items, slot.item)) {
        try_value(best, (PychoralRef){item, slot.item});
        pychoral_release(item, slot.item);
    }
    pychoral_slot_close(&slot);
}

static void best_of_items(PychoralIterator *items, Best *best, PychoralRef missing,
                          const PychoralType *row, void *result)
{
    PychoralKind kind = pychoral_item_row(items)->kind;
    if (best->function == NULL && kind == PYCHORAL_INT)
        best_int(items, best);
    else if (best->function == NULL && kind == PYCHORAL_FLOAT)
        best_float(items, best);
    else
        try_items(items, best);
    if (best->value.type == NULL && pychoral_raised == NULL) {
        if (missing.type == NULL)
            pychoral_throw(&pychoral_type_ValueError, "%s() arg is an empty sequence",
                           best->op == '<' ? "min" : "max");
        else
            best->value = pychoral_any(missing.type, missing.value);
    }
    give_best(best, row, result);
}

// `max(*rows)` has one argument, or none, where there is one row, or none.
static void best_of_few(size_t count, const PychoralRef *values, Best *best,
                        const PychoralType *row, void *result)
{
    PychoralIterator *items = NULL;
    if (count == 0)
        pychoral_throw(&pychoral_type_TypeError, "%s expected at least 1 argument, got 0",
                       best->op == '<' ? "min" : "max");
    else
        items = pychoral_iter(&pychoral_type_object, values[0]);
    memset(result, 0, row->size);
    if (items == NULL)
        return;
    best_of_items(items, best, (PychoralRef){NULL, NULL}, row, result);
    pychoral_iterator_drop(items);
}

static void best_of_values(size_t count, const PychoralRef *values, Best *best,
                           const PychoralType *row, void *result)
{
    if (count < 2) {
        best_of_few(count, values, best, row, result);
        return;
    }
    for (size_t i = 0; i < count && pychoral_raised == NULL; i++)
        try_value(best, values[i]);
    give_best(best, row, result);
}

void pychoral_min(PychoralIterator *items, PychoralFunction *key, PychoralRef missing,
                  const PychoralType *row, void *result)
{
    best_of_items(items, &(Best){.function = key, .op = '<'}, missing, row, result);
}

void pychoral_max(PychoralIterator *items, PychoralFunction *key, PychoralRef missing,
                  const PychoralType *row, void *result)
{
    best_of_items(items, &(Best){.function = key, .op = '>'}, missing, row, result);
}

void pychoral_min_of(size_t count, const PychoralRef *values, PychoralFunction *key,
                     const PychoralType *row, void *result)
{
    best_of_values(count, values, &(Best){.function = key, .op = '<'}, row, result);
}

void pychoral_max_of(size_t count, const PychoralRef *values, PychoralFunction *key,
                     const PychoralType *row, void *result)
{
    best_of_values(count, values, &(Best){.function = key, .op = '>'}, row, result);
}

// ---- reduce ----

void pychoral_reduce(PychoralFunction *function, PychoralIterator *items, PychoralRef first,
                     const PychoralType *row, void *result)
{
    const PychoralType *item = pychoral_item_row(items);
    PychoralSlot slot, so_far;
    pychoral_slot_open(&slot, item);
    pychoral_slot_open(&so_far, row);
    bool begun = first.type != NULL ? pychoral_give(first, row, so_far.item)
                                    : pychoral_next_as(items, row, so_far.item);
    if (!begun && pychoral_raised == NULL)
        pychoral_throw(&pychoral_type_TypeError,
                       "reduce() of empty iterable with no initial value");
    while (begun && pychoral_raised == NULL && pychoral_next_item(items, slot.item)) {
        PychoralRef arguments[] = {{row, so_far.item}, {item, slot.item}};
        pychoral_call_with(function, 2, arguments, row, result);
        pychoral_release(row, so_far.item);
        pychoral_release(item, slot.item);
        memcpy(so_far.item, result, row->size);
        begun = pychoral_raised == NULL;
    }
    if (begun && pychoral_raised != NULL)
        pychoral_release(row, so_far.item);
    memset(result, 0, row->size);
    if (pychoral_raised == NULL)
        memcpy(result, so_far.item, row->size);
    pychoral_slot_close(&slot);
    pychoral_slot_close(&so_far);
}
