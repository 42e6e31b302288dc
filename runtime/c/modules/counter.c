// counter.c - collections.Counter; contracts in counter.h.
//
// Counts are whole numbers, nearly always; a Counter that is an `object` may have others.

#include "counter.h"

#include <stdlib.h>
#include <string.h>

#include "../builtins/cells.h"
#include "../builtins/items.h"
#include "../builtins/list.h"
#include "../builtins/number.h"
#include "../builtins/tables.h"

static PychoralRef key_of(const PychoralTable *dict, const void *key)
{
    return (PychoralRef){dict->object.type->key, key};
}

static PychoralRef count_of(const PychoralTable *dict, const void *value)
{
    return (PychoralRef){dict->object.type->element, value};
}

// The Counter that a value is; NULL: it is none.
static PychoralTable *counter_of(PychoralRef value)
{
    PychoralRef seen = pychoral_look(value.type, value.value);
    PychoralTable *dict = seen.type->kind == PYCHORAL_DICT ? pychoral_pointer_at(seen.value) : NULL;
    return dict != NULL && pychoral_is_counter(dict) ? dict : NULL;
}

// The count of a key of another dict, borrowed: 0 if it is not there.
static PychoralRef find_count(const PychoralTable *dict, PychoralRef key)
{
    const void *found = pychoral_dict_find(dict, key);
    return found == NULL ? PYCHORAL_ZERO_REF : count_of(dict, found);
}

static bool is_less(PychoralRef a, PychoralRef b)
{
    if (a.type->kind == PYCHORAL_INT && b.type->kind == PYCHORAL_INT)
        return pychoral_int_lt(*(const PychoralInt *)a.value, *(const PychoralInt *)b.value);
    return pychoral_ordered(a, b, '<');
}

// a + b, or a - b, as an `object`.
static PychoralAny combined(PychoralOperator operator, PychoralRef a, PychoralRef b)
{
    PychoralAny result = {.type = &pychoral_type_int};
    if (a.type->kind == PYCHORAL_INT && b.type->kind == PYCHORAL_INT) {
        PychoralInt x = *(const PychoralInt *)a.value, y = *(const PychoralInt *)b.value;
        result.number = operator == PYCHORAL_SUB ? pychoral_int_sub(x, y) : pychoral_int_add(x, y);
    } else {
        pychoral_binary(operator, false, a, b, &pychoral_type_object, &result);
    }
    return result;
}

// Puts a count that is owned.
static void put_own(PychoralTable *counter, PychoralRef key, PychoralAny *count)
{
    if (pychoral_raised == NULL)
        pychoral_table_insert(counter, key, (PychoralRef){count->type, pychoral_any_value(count)});
    pychoral_release(&pychoral_type_object, count);
}

static void change_count(PychoralTable *counter, PychoralRef key, PychoralOperator operator,
                         PychoralRef by)
{
    void *found = pychoral_table_lookup(counter, key);
    if (pychoral_raised != NULL)
        return;
    PychoralRef count = found == NULL ? PYCHORAL_ZERO_REF : count_of(counter, found);
    PychoralAny changed = combined(operator, count, by);
    if (found != NULL && count.type->kind == PYCHORAL_INT && changed.type == &pychoral_type_int) {
        pychoral_release(&pychoral_type_int, found);
        *(PychoralInt *)found = changed.number;
    } else {
        put_own(counter, key, &changed);
    }
}

// ---- counting ----

static PychoralTable *new_counter(const PychoralType *row)
{
    PychoralTable *counter = pychoral_table_make(row, 0);
    counter->factory = &pychoral_counts;
    return counter;
}

static void count_items(PychoralTable *counter, PychoralOperator operator, PychoralRef items)
{
    const PychoralType *row = counter->object.type->key;
    PychoralIterator *iterator = pychoral_iter(row, items);
    PychoralSlot slot;
    if (iterator == NULL)
        return;
    pychoral_slot_open(&slot, row);
    while (pychoral_raised == NULL && pychoral_next_item(iterator, slot.item)) {
        change_count(counter, (PychoralRef){row, slot.item}, operator, PYCHORAL_ONE_REF);
        pychoral_release(row, slot.item);
    }
    pychoral_slot_close(&slot);
    pychoral_iterator_drop(iterator);
}

// The counts of a dict; they are taken as they are where nothing has been counted yet.
static void count_pairs(PychoralTable *counter, PychoralOperator operator,
                        const PychoralTable *other)
{
    void *key, *value;
    bool plain = operator == PYCHORAL_ADD && counter->count == 0;
    for (uint32_t at = 0;
         pychoral_raised == NULL && pychoral_table_next(other, &at, &key, &value);)
        if (plain)
            pychoral_table_insert(counter, key_of(other, key), count_of(other, value));
        else
            change_count(counter, key_of(other, key), operator, count_of(other, value));
}

static void count_named(PychoralTable *counter, PychoralOperator operator, size_t count,
                        const PychoralNamed *named)
{
    for (size_t i = 0; i < count && pychoral_raised == NULL; i++) {
        PychoralStr *name = pychoral_str_new(named[i].name, strlen(named[i].name));
        change_count(counter, PYCHORAL_REF(pychoral_type_str, name), operator, named[i].value);
        pychoral_release(&pychoral_type_str, &name);
    }
}

static void count_all(PychoralTable *counter, PychoralOperator operator, PychoralRef other,
                      size_t count, const PychoralNamed *named)
{
    PychoralRef seen = pychoral_look(other.type, other.value);
    if (seen.type->kind == PYCHORAL_DICT)
        count_pairs(counter, operator, pychoral_pointer_at(seen.value));
    else if (seen.type->kind != PYCHORAL_NONE)
        count_items(counter, operator, seen);
    count_named(counter, operator, count, named);
}

PychoralTable *pychoral_counter_from(const PychoralType *row, PychoralRef other, size_t count,
                                     const PychoralNamed *named)
{
    PychoralTable *counter = new_counter(row);
    count_all(counter, PYCHORAL_ADD, other, count, named);
    return pychoral_unless_raised(counter);
}

// Whether the dict is a Counter, as only the types say of it.
static bool is_counter(const PychoralTable *dict, const char *method)
{
    if (!pychoral_is_counter(dict))
        pychoral_throw(&pychoral_type_AttributeError, "'%s' object has no attribute '%s'",
                       pychoral_dict_class(dict)->name, method);
    return pychoral_is_counter(dict);
}

void pychoral_counter_update(PychoralTable *counter, PychoralRef other, size_t count,
                             const PychoralNamed *named)
{
    count_all(counter, PYCHORAL_ADD, other, count, named);
}

void pychoral_counter_subtract(PychoralTable *counter, PychoralRef other, size_t count,
                               const PychoralNamed *named)
{
    if (is_counter(counter, "subtract"))
        count_all(counter, PYCHORAL_SUB, other, count, named);
}

// ---- in order ----

typedef struct Entry {
    const void *key;
    PychoralRef count;
    size_t place;
} Entry;

static int by_count(const void *x, const void *y)
{
    const Entry *a = x, *b = y;
    if (pychoral_raised == NULL && is_less(b->count, a->count))
        return -1;
    if (pychoral_raised == NULL && is_less(a->count, b->count))
        return 1;
    return (a->place > b->place) - (a->place < b->place);
}

static int by_place(const void *x, const void *y)
{
    const Entry *a = x, *b = y;
    return (a->place > b->place) - (a->place < b->place);
}

static Entry *sorted_entries(const PychoralTable *counter)
{
    Entry *entries = pychoral_allocate((counter->count + 1) * sizeof *entries);
    size_t n = 0;
    void *key, *value;
    for (uint32_t at = 0; pychoral_table_next(counter, &at, &key, &value); n++)
        entries[n] = (Entry){key, count_of(counter, value), n};
    qsort(entries, n, sizeof *entries, by_count);
    return entries;
}

// Counts of which there is no order are shown as they stand.
PychoralTable *pychoral_counter_sorted(const PychoralTable *counter)
{
    PychoralTable *sorted = pychoral_table_make(counter->object.type, counter->count);
    Entry *entries = sorted_entries(counter);
    if (pychoral_raised != NULL) {
        pychoral_handled(pychoral_catch(&pychoral_type_BaseException));
        qsort(entries, counter->count, sizeof *entries, by_place);
    }
    for (size_t i = 0; i < counter->count && pychoral_raised == NULL; i++)
        pychoral_table_insert(sorted, key_of(counter, entries[i].key), entries[i].count);
    free(entries);
    return sorted;
}

static void append_pair(PychoralList *list, PychoralRef key, PychoralRef count)
{
    PychoralRef pair[] = {key, count};
    PychoralSlot slot;
    const PychoralType *row = list->object.type->element;
    pychoral_slot_open(&slot, row);
    if (pychoral_tuple_fill(row, 2, pair, slot.item) && !pychoral_list_append(list, slot.item))
        pychoral_no_memory();
    pychoral_slot_close(&slot);
}

PychoralList *pychoral_counter_most_common(const PychoralTable *counter, int64_t most,
                                           const PychoralType *row)
{
    if (!is_counter(counter, "most_common"))
        return NULL;
    size_t count = most < 0 ? 0 : (uint64_t)most < counter->count ? (size_t)most : counter->count;
    PychoralList *list = pychoral_list_new(row, count);
    Entry *entries = sorted_entries(counter);
    if (list == NULL)
        pychoral_no_memory();
    for (size_t i = 0; i < count && pychoral_raised == NULL; i++)
        append_pair(list, key_of(counter, entries[i].key), entries[i].count);
    free(entries);
    return pychoral_unless_raised(list);
}

// ---- what can be looked at ----

typedef struct Elements {
    PychoralIterator *pairs;
    PychoralAny pair[2];
    int64_t left;
} Elements;

static const PychoralField PAIR_FIELDS[] = {
    {.type = &pychoral_type_object},
    {.type = &pychoral_type_object, .offset = sizeof(PychoralAny)}};
static const PychoralType PAIR = {.kind = PYCHORAL_TUPLE, .size = 2 * sizeof(PychoralAny),
                                  .count = 2, .fields = PAIR_FIELDS, .name = "tuple"};
static const PychoralType PAIRS = {.kind = PYCHORAL_ITERATOR, .size = sizeof(PychoralIterator *),
                                   .element = &PAIR, .name = "iterator"};

PYCHORAL_CELLS(ELEMENTS, Elements, PYCHORAL_CELL(Elements, pairs, pychoral_type_iterator),
               PYCHORAL_CELL(Elements, pair, PAIR));

static int64_t times(const PychoralAny *count)
{
    PychoralInt number = {0, NULL};
    pychoral_convert(&pychoral_type_object, count, &pychoral_type_int, &number);
    int64_t clipped = pychoral_int_clip(number);
    pychoral_release(&pychoral_type_int, &number);
    return clipped;
}

static bool next_element(PychoralIterator *self, void *item)
{
    Elements *own = (Elements *)self->cells;
    while (own->left <= 0) {
        pychoral_release(&PAIR, own->pair);
        memset(own->pair, 0, sizeof own->pair);
        if (!pychoral_next_item(own->pairs, own->pair))
            return false;
        own->left = times(&own->pair[1]);
        if (pychoral_raised != NULL)
            return false;
    }
    own->left--;
    return pychoral_give((PychoralRef){&pychoral_type_object, &own->pair[0]},
                         pychoral_item_row(self), item);
}

PychoralIterator *pychoral_counter_elements(const PychoralTable *counter, const PychoralType *row)
{
    if (!is_counter(counter, "elements"))
        return NULL;
    PychoralIterator *iterator = pychoral_iterator_new(row, &ELEMENTS, next_element);
    ((Elements *)iterator->cells)->pairs = pychoral_dict_items(counter, &PAIRS);
    return iterator;
}

void pychoral_counter_total(const PychoralTable *counter, const PychoralType *row, void *result)
{
    PychoralAny total = {.type = &pychoral_type_int};
    void *key, *value;
    memset(result, 0, row->size);
    if (!is_counter(counter, "total"))
        return;
    for (uint32_t at = 0;
         pychoral_raised == NULL && pychoral_table_next(counter, &at, &key, &value);) {
        PychoralRef so_far = {total.type, pychoral_any_value(&total)};
        PychoralAny sum = combined(PYCHORAL_ADD, so_far, count_of(counter, value));
        pychoral_release(&pychoral_type_object, &total);
        total = sum;
    }
    if (pychoral_raised == NULL)
        pychoral_convert(&pychoral_type_object, &total, row, result);
    pychoral_release(&pychoral_type_object, &total);
}

// ---- operators ----

static void put_if_positive(PychoralTable *counter, PychoralRef key, PychoralAny *count)
{
    PychoralRef seen = {count->type, pychoral_any_value(count)};
    if (pychoral_raised == NULL && is_less(PYCHORAL_ZERO_REF, seen))
        put_own(counter, key, count);
    else
        pychoral_release(&pychoral_type_object, count);
}

// What two counts become. Of `-` a count that is missing on the left is 0.
static PychoralAny of_counts(PychoralOperator operator, PychoralRef a, PychoralRef b)
{
    if (operator == PYCHORAL_ADD || operator == PYCHORAL_SUB)
        return combined(operator, a, b);
    bool takes_other = is_less(a, b) == (operator == PYCHORAL_OR);
    return takes_other ? pychoral_any(b.type, b.value) : pychoral_any(a.type, a.value);
}

static void combine(PychoralTable *into, PychoralOperator operator, const PychoralTable *a,
                    const PychoralTable *b)
{
    void *key, *value;
    for (uint32_t at = 0; pychoral_raised == NULL && pychoral_table_next(a, &at, &key, &value);) {
        PychoralRef other = find_count(b, key_of(a, key));
        PychoralAny count = of_counts(operator, count_of(a, value), other);
        put_if_positive(into, key_of(a, key), &count);
    }
    for (uint32_t at = 0; operator != PYCHORAL_AND && pychoral_raised == NULL
                          && pychoral_table_next(b, &at, &key, &value);) {
        if (pychoral_table_lookup(a, key_of(b, key)) != NULL)
            continue;
        PychoralAny count = combined(operator == PYCHORAL_SUB ? PYCHORAL_SUB : PYCHORAL_ADD,
                                     PYCHORAL_ZERO_REF, count_of(b, value));
        put_if_positive(into, key_of(b, key), &count);
    }
}

static bool is_known(PychoralOperator operator)
{
    return operator == PYCHORAL_ADD || operator == PYCHORAL_SUB || operator == PYCHORAL_OR
           || operator == PYCHORAL_AND;
}

PychoralTable *pychoral_counter_binary(PychoralOperator operator, PychoralRef a, PychoralRef b,
                                       const PychoralType *row)
{
    PychoralTable *one = counter_of(a), *other = counter_of(b);
    if (!is_known(operator) || one == NULL || other == NULL)
        return NULL;
    PychoralTable *result = new_counter(row);
    combine(result, operator, one, other);
    return pychoral_unless_raised(result);
}

PychoralTable *pychoral_counter_or(PychoralRef a, PychoralRef b, const PychoralType *row)
{
    return pychoral_counter_binary(PYCHORAL_OR, a, b, row);
}

PychoralTable *pychoral_counter_unary(PychoralOperator operator, PychoralRef a,
                                      const PychoralType *row)
{
    const PychoralTable *counter = counter_of(a);
    void *key, *value;
    if (counter == NULL || (operator != PYCHORAL_ADD && operator != PYCHORAL_SUB))
        return NULL;
    PychoralTable *result = new_counter(row);
    for (uint32_t at = 0;
         pychoral_raised == NULL && pychoral_table_next(counter, &at, &key, &value);) {
        PychoralAny count = combined(operator, PYCHORAL_ZERO_REF, count_of(counter, value));
        put_if_positive(result, key_of(counter, key), &count);
    }
    return pychoral_unless_raised(result);
}

// What is not above 0 goes.
static void keep_positive(PychoralTable *counter)
{
    void *key, *value;
    for (uint32_t at = 0;
         pychoral_raised == NULL && pychoral_table_next(counter, &at, &key, &value);)
        if (!is_less(PYCHORAL_ZERO_REF, count_of(counter, value)))
            pychoral_table_remove_at(counter, key);
}

bool pychoral_counter_in_place(PychoralOperator operator, PychoralRef a, PychoralRef b)
{
    PychoralTable *counter = counter_of(a);
    PychoralRef seen = pychoral_look(b.type, b.value);
    if (!is_known(operator) || counter == NULL || seen.type->kind != PYCHORAL_DICT)
        return false;
    const PychoralTable *other = pychoral_pointer_at(seen.value);
    const PychoralTable *walked = operator == PYCHORAL_AND ? counter : other;
    void *key, *value;
    for (uint32_t at = 0;
         pychoral_raised == NULL && pychoral_table_next(walked, &at, &key, &value);) {
        PychoralRef of = key_of(walked, key);
        PychoralAny count = of_counts(operator, find_count(counter, of), find_count(other, of));
        put_own(counter, of, &count);
    }
    keep_positive(counter);
    return true;
}

static bool is_within(const PychoralTable *a, const PychoralTable *b, const PychoralTable *keys)
{
    void *key;
    for (uint32_t at = 0; pychoral_raised == NULL && pychoral_table_next(keys, &at, &key, NULL);)
        if (is_less(find_count(b, key_of(keys, key)), find_count(a, key_of(keys, key))))
            return false;
    return pychoral_raised == NULL;
}

bool pychoral_counter_ordered(const PychoralTable *a, const PychoralTable *b, char op)
{
    if (op == '>' || op == 'g')
        return pychoral_counter_ordered(b, a, op == '>' ? '<' : 'l');
    return is_within(a, b, a) && is_within(a, b, b)
           && (op == 'l' || !pychoral_equal(a->object.type, &a, &b));
}
