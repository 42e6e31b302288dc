// heapq.c - heaps; contracts in heapq.h.

#include "heapq.h"

#include "../builtins/items.h"
#include "../builtins/iterator_tuple.h"

// ---- comparing ----

// Whether comparing values of a type runs nothing of the program's, which might change the list.
static bool is_plain(const PychoralType *type)
{
    if (type->kind == PYCHORAL_TUPLE)
        for (uint32_t i = 0; i < type->count; i++)
            if (!is_plain(type->fields[i].type))
                return false;
    return type->kind <= PYCHORAL_BYTES || type->kind == PYCHORAL_TUPLE;
}

// A value as it stands, or with a reference of its own for as long as it is compared.
typedef struct Held {
    PychoralSlot slot;
    PychoralRef value;
} Held;

static void hold(Held *held, PychoralRef value)
{
    void *own = pychoral_slot_open(&held->slot, value.type);
    pychoral_assign(value.type, own, value.value);
    held->value = (PychoralRef){value.type, own};
}

static void let_go(Held *held)
{
    pychoral_release(held->value.type, (void *)(uintptr_t)held->value.value);
    pychoral_slot_close(&held->slot);
}

static bool is_less(PychoralRef a, PychoralRef b)
{
    if (is_plain(a.type))
        return pychoral_ordered(a, b, '<');
    Held left, right;
    hold(&left, a);
    hold(&right, b);
    bool less = pychoral_ordered(left.value, right.value, '<');
    let_go(&left);
    let_go(&right);
    return less;
}

static PychoralRef item_ref(const PychoralList *heap, size_t place, PychoralInt *room)
{
    PychoralItems items = {heap->count, heap, {heap->object.type, NULL}};
    return pychoral_item_ref(&items, place, room);
}

// heap[a] < heap[b]; what it does to the list meanwhile is an error.
static bool is_less_at(const PychoralList *heap, size_t a, size_t b)
{
    if (heap->narrow)
        return ((const int64_t *)heap->items)[a] < ((const int64_t *)heap->items)[b];
    PychoralInt room_a, room_b;
    size_t count = heap->count;
    bool less = is_less(item_ref(heap, a, &room_a), item_ref(heap, b, &room_b));
    if (pychoral_raised == NULL && heap->count != count)
        pychoral_throw(&pychoral_type_RuntimeError, "list changed size during iteration");
    return less && pychoral_raised == NULL;
}

// ---- moving ----

static void make_writable(PychoralList *heap)
{
    if (!pychoral_list_writable(heap, heap->count))
        pychoral_no_memory();
}

static void exchange(PychoralList *heap, size_t a, size_t b)
{
    make_writable(heap);
    size_t size = heap->narrow ? sizeof(int64_t) : heap->object.type->element->size;
    char *left = (char *)heap->items + a * size, *right = (char *)heap->items + b * size;
    for (size_t i = 0; i < size; i++) {
        char moved = left[i];
        left[i] = right[i];
        right[i] = moved;
    }
}

// Moves the item at `place` towards `start`, to below one that is no greater.
static void rise(PychoralList *heap, size_t start, size_t place)
{
    while (place > start) {
        size_t parent = (place - 1) / 2;
        if (!is_less_at(heap, place, parent))
            return;
        exchange(heap, place, parent);
        place = parent;
    }
}

// Moves the item at `start` down to the leaves, where the lesser ones come up, and up again to
// where it belongs.
static void sink(PychoralList *heap, size_t start)
{
    size_t place = start, count = heap->count;
    while (place < count / 2) {
        size_t child = 2 * place + 1;
        if (child + 1 < count && !is_less_at(heap, child, child + 1))
            child++;
        if (pychoral_raised != NULL)
            return;
        exchange(heap, place, child);
        place = child;
    }
    rise(heap, start, place);
}

// ---- the functions ----

static bool is_empty(const PychoralList *heap)
{
    if (heap->count == 0)
        pychoral_throw(&pychoral_type_IndexError, "index out of range");
    return heap->count == 0;
}

// Takes back a result, if something was raised.
static void settle(const PychoralList *heap, void *result)
{
    const PychoralType *type = heap->object.type->element;
    if (pychoral_raised == NULL)
        return;
    pychoral_release(type, result);
    memset(result, 0, type->size);
}

void pychoral_heapq_push(PychoralList *heap, const void *item)
{
    pychoral_list_push(heap, item);
    rise(heap, 0, heap->count - 1);
}

void pychoral_heapq_pop(PychoralList *heap, void *result)
{
    memset(result, 0, heap->object.type->element->size);
    if (is_empty(heap))
        return;
    exchange(heap, 0, heap->count - 1);
    pychoral_list_pop(heap, -1, result);
    if (heap->count > 0)
        sink(heap, 0);
    settle(heap, result);
}

// The first item for another one.
static void replace_first(PychoralList *heap, const void *item, void *result)
{
    pychoral_list_item(heap, 0, result);
    pychoral_list_put(heap, 0, item);
    sink(heap, 0);
    settle(heap, result);
}

void pychoral_heapq_replace(PychoralList *heap, const void *item, void *result)
{
    memset(result, 0, heap->object.type->element->size);
    if (!is_empty(heap))
        replace_first(heap, item, result);
}

void pychoral_heapq_push_pop(PychoralList *heap, const void *item, void *result)
{
    const PychoralType *type = heap->object.type->element;
    PychoralInt room;
    memset(result, 0, type->size);
    bool less = heap->count > 0 && is_less(item_ref(heap, 0, &room), (PychoralRef){type, item});
    if (pychoral_raised != NULL)
        return;
    if (!less)
        pychoral_assign(type, result, item);
    else if (!is_empty(heap))
        replace_first(heap, item, result);
}

void pychoral_heapq_heapify(PychoralList *heap)
{
    for (size_t i = heap->count / 2; i > 0 && pychoral_raised == NULL; i--)
        sink(heap, i - 1);
}

// ---- nsmallest and nlargest ----

static PychoralList *first_of(int64_t n, PychoralRef iterable, PychoralFunction *key,
                              bool reverse, const PychoralType *row)
{
    if (n <= 0)
        return pychoral_list_empty(row);
    PychoralList *all = pychoral_sorted(iterable, key, reverse, row);
    if (all == NULL)
        return NULL;
    PychoralList *first = pychoral_list_slice(all, 0, n, 1);
    pychoral_release(row, &all);
    return first;
}

PychoralList *pychoral_heapq_smallest(int64_t n, PychoralRef iterable, PychoralFunction *key,
                                      const PychoralType *row)
{
    return first_of(n, iterable, key, false, row);
}

PychoralList *pychoral_heapq_largest(int64_t n, PychoralRef iterable, PychoralFunction *key,
                                     const PychoralType *row)
{
    return first_of(n, iterable, key, true, row);
}
