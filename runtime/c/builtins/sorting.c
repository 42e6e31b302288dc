// sorting.c - list.sort and sorted; contracts in list.h, the algorithm is in merging.inc.

#include <stdlib.h>

#include "items.h"
#include "list.h"
#include "str.h"

// ---- the instances ----

#define FAILED false
#define LESS(a, b) ((a) < (b))
#define ITEM int64_t
#define SORT(name) whole_##name
#include "merging.inc"
#undef ITEM
#undef SORT
#define ITEM double
#define SORT(name) real_##name
#include "merging.inc"
#undef ITEM
#undef SORT
#undef LESS
#undef FAILED

// The key of an item, and which item it is.
typedef enum KeyKind { KEY_WHOLE, KEY_REAL, KEY_TEXT, KEY_ANY } KeyKind;

typedef struct Keyed {
    union {
        int64_t whole;
        double real;
        const PychoralStr *text;
        PychoralRef any;
    };
    size_t index;
} Keyed;

#define FAILED false
#define ITEM Keyed
#define LESS(a, b) ((a).whole < (b).whole)
#define SORT(name) by_whole_##name
#include "merging.inc"
#undef SORT
#undef LESS
#define LESS(a, b) ((a).real < (b).real)
#define SORT(name) by_real_##name
#include "merging.inc"
#undef SORT
#undef LESS
#define LESS(a, b) pychoral_str_lt((a).text, (b).text)
#define SORT(name) by_text_##name
#include "merging.inc"
#undef SORT
#undef LESS
#undef FAILED
#define FAILED PYCHORAL_UNLIKELY(pychoral_raised != NULL)
#define LESS(a, b) pychoral_ordered((a).any, (b).any, '<')
#define SORT(name) by_any_##name
#include "merging.inc"
#undef SORT
#undef LESS
#undef ITEM
#undef FAILED

// ---- numbers without a key ----

static void *room_for(size_t count, size_t size)
{
    return pychoral_allocate((count / 2 + 1) * size);
}

static void sort_wholes(int64_t *items, size_t count, bool reverse)
{
    int64_t *spare = room_for(count, sizeof *items);
    whole_sort(items, count, spare);
    if (reverse)
        whole_reverse(items, items + count);
    free(spare);
}

// Turned round before and after, so that 0.0 and -0.0 keep their order.
static void sort_reals(double *items, size_t count, bool reverse)
{
    double *spare = room_for(count, sizeof *items);
    if (reverse)
        real_reverse(items, items + count);
    real_sort(items, count, spare);
    if (reverse)
        real_reverse(items, items + count);
    free(spare);
}

// ---- with keys ----

// The items of a list while it is sorted, and the values of the key function for them.
typedef struct Sorting {
    PychoralList *items;
    const PychoralType *row;   // of the keys
    char *keys;                // NULL: the items themselves
    size_t made;               // so many keys there are
} Sorting;

static PychoralRef item_of(const Sorting *sorting, size_t index, PychoralInt *room)
{
    const PychoralList *list = sorting->items;
    PychoralItems items = {list->count, list, {list->object.type, NULL}};
    return pychoral_item_ref(&items, index, room);
}

static void make_keys(Sorting *sorting, PychoralFunction *key)
{
    const PychoralType *row = key->object.type->element;
    sorting->row = row == NULL ? &pychoral_type_none : row;
    sorting->keys = pychoral_allocate_zeroed(sorting->items->count + 1, sorting->row->size);
    for (size_t i = 0; i < sorting->items->count && pychoral_raised == NULL; i++) {
        PychoralInt room;
        pychoral_call1(key, item_of(sorting, i, &room), sorting->row,
                       sorting->keys + i * sorting->row->size);
        sorting->made += pychoral_raised == NULL;
    }
}

static PychoralRef key_of(const Sorting *sorting, size_t index)
{
    PychoralInt room;
    if (sorting->keys == NULL)
        return item_of(sorting, index, &room);
    return (PychoralRef){sorting->row, sorting->keys + index * sorting->row->size};
}

static PychoralRef seen_key(const Sorting *sorting, size_t index)
{
    PychoralRef key = key_of(sorting, index);
    return pychoral_look(key.type, key.value);
}

static KeyKind kind_of_key(PychoralRef key)
{
    switch (key.type->kind) {
    case PYCHORAL_BOOL: return KEY_WHOLE;
    case PYCHORAL_INT:
        return pychoral_int_is_big(*(const PychoralInt *)key.value) ? KEY_ANY : KEY_WHOLE;
    case PYCHORAL_FLOAT: return KEY_REAL;
    case PYCHORAL_STR: return KEY_TEXT;
    default: return KEY_ANY;
    }
}

// What all keys are, whatever their row says: that of a lambda's result is `object`.
static KeyKind kind_of(const Sorting *sorting)
{
    size_t count = sorting->items->count;
    KeyKind kind = count == 0 ? KEY_ANY : kind_of_key(seen_key(sorting, 0));
    for (size_t i = 1; i < count && kind != KEY_ANY; i++)
        if (kind_of_key(seen_key(sorting, i)) != kind)
            kind = KEY_ANY;
    return kind;
}

static Keyed keyed(const Sorting *sorting, size_t index, KeyKind kind)
{
    Keyed item = {.index = index};
    if (kind == KEY_ANY) {
        item.any = key_of(sorting, index);
        return item;
    }
    PychoralRef key = seen_key(sorting, index);
    if (kind == KEY_WHOLE)
        item.whole = key.type->kind == PYCHORAL_BOOL ? *(const bool *)key.value
                                                     : ((const PychoralInt *)key.value)->small;
    else if (kind == KEY_REAL)
        item.real = *(const double *)key.value;
    else
        item.text = pychoral_pointer_at(key.value);
    return item;
}

static void sort_keyed(Keyed *items, size_t count, KeyKind kind)
{
    Keyed *spare = room_for(count, sizeof *items);
    switch (kind) {
    case KEY_WHOLE: by_whole_sort(items, count, spare); break;
    case KEY_REAL: by_real_sort(items, count, spare); break;
    case KEY_TEXT: by_text_sort(items, count, spare); break;
    case KEY_ANY: by_any_sort(items, count, spare); break;
    }
    free(spare);
}

// Puts the items into the order of `order`.
static void arrange(PychoralList *list, const Keyed *order)
{
    size_t size = list->narrow ? sizeof(int64_t) : list->object.type->element->size;
    char *items = list->items, *old = pychoral_allocate(list->count * size + 1);
    if (list->count != 0)
        memcpy(old, items, list->count * size);
    for (size_t i = 0; i < list->count; i++)
        memcpy(items + i * size, old + order[i].index * size, size);
    free(old);
}

static void sort_by_keys(Sorting *sorting, bool reverse)
{
    size_t count = sorting->items->count;
    KeyKind kind = kind_of(sorting);
    Keyed *order = pychoral_allocate(count * sizeof *order + 1);
    for (size_t i = 0; i < count; i++)
        order[i] = keyed(sorting, reverse ? count - 1 - i : i, kind);
    sort_keyed(order, count, kind);
    if (reverse)
        by_any_reverse(order, order + count);
    arrange(sorting->items, order);
    free(order);
}

static void drop_keys(Sorting *sorting)
{
    for (size_t i = 0; i < sorting->made; i++)
        pychoral_release(sorting->row, sorting->keys + i * sorting->row->size);
    free(sorting->keys);
}

static void sort_items(PychoralList *list, PychoralFunction *key, bool reverse)
{
    Sorting sorting = {.items = list, .row = list->object.type->element};
    if (list->count == 0)       // which may have no room at all
        return;
    if (key != NULL)
        make_keys(&sorting, key);
    if (pychoral_raised != NULL)
        ;
    else if (key == NULL && list->narrow)
        sort_wholes(list->items, list->count, reverse);
    else if (key == NULL && sorting.row->kind == PYCHORAL_FLOAT)
        sort_reals(list->items, list->count, reverse);
    else
        sort_by_keys(&sorting, reverse);
    drop_keys(&sorting);
}

// ---- the methods ----

static void exchange(PychoralList *a, PychoralList *b)
{
    PychoralList old = *a;
    *a = *b;
    *b = old;
    b->object = a->object;
    a->object = old.object;
}

// While it is sorted, the list is empty; who changes it meanwhile is told.
void pychoral_list_sort(PychoralList *list, PychoralFunction *key, bool reverse)
{
    if (!pychoral_list_writable(list, list->count))
        pychoral_no_memory();
    PychoralList *held = pychoral_list_make(list->object.type, 0);
    exchange(list, held);
    sort_items(held, key, reverse);
    bool changed = list->count != 0 || list->items != NULL;
    exchange(list, held);
    pychoral_release(held->object.type, &held);
    if (changed && pychoral_raised == NULL)
        pychoral_throw(&pychoral_type_ValueError, "list modified during sort");
}

PychoralList *pychoral_sorted(PychoralRef iterable, PychoralFunction *key, bool reverse,
                              const PychoralType *row)
{
    PychoralList *list = pychoral_list_from(iterable, row);
    if (list == NULL)
        return NULL;
    pychoral_list_sort(list, key, reverse);
    if (pychoral_raised == NULL)
        return list;
    pychoral_release(row, &list);
    return NULL;
}
