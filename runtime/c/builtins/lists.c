// lists.c - the methods and operators of list; contracts in list.h.

#include <stdlib.h>

#include "call.h"
#include "items.h"
#include "iterating.h"
#include "list.h"
#include "wire.h"

// ---- layout ----

static const PychoralType *element_of(const PychoralList *list)
{
    return list->object.type->element;
}

static size_t size_of(const PychoralList *list)
{
    return list->narrow ? sizeof(int64_t) : element_of(list)->size;
}

static char *at(const PychoralList *list, size_t index)
{
    return (char *)list->items + index * size_of(list);
}

static bool is_tuple(const PychoralList *list)
{
    return list->object.type->kind == PYCHORAL_SEQUENCE;
}

void pychoral_list_no_index(const PychoralList *list)
{
    if (pychoral_raised != NULL)        // the index was none
        return;
    pychoral_throw(&pychoral_type_IndexError, "%s index out of range",
                   is_tuple(list) ? "tuple" : "list");
}

void pychoral_list_no_place(const PychoralList *list)
{
    (void)list;
    if (pychoral_raised != NULL)
        return;
    pychoral_throw(&pychoral_type_IndexError, "list assignment index out of range");
}

PychoralList *pychoral_list_make(const PychoralType *row, size_t capacity)
{
    PychoralList *list = pychoral_list_new(row, capacity);
    if (list == NULL)
        pychoral_no_memory();
    return list;
}

PychoralList *pychoral_list_empty(const PychoralType *row) { return pychoral_list_make(row, 0); }

static PychoralList *make_filled(const PychoralType *row, size_t count, bool narrow)
{
    PychoralList *list = pychoral_list_filled(row, count, narrow);
    if (list == NULL)
        pychoral_no_memory();
    return list;
}

static void make_writable(PychoralList *list, size_t capacity)
{
    if (!pychoral_list_writable(list, capacity))
        pychoral_no_memory();
}

static void widen(PychoralList *list)
{
    if (!pychoral_list_widen(list))
        pychoral_no_memory();
}

static void retain_items(const PychoralList *list, size_t start, size_t count)
{
    const PychoralType *element = element_of(list);
    if (list->narrow || (element->kind <= PYCHORAL_FLOAT && element->kind != PYCHORAL_INT))
        return;
    for (size_t i = start; i < start + count; i++)
        pychoral_retain(element, at(list, i));
}

static void release_items(const PychoralType *element, bool narrow, char *items, size_t count)
{
    if (narrow || (element->kind <= PYCHORAL_FLOAT && element->kind != PYCHORAL_INT))
        return;
    for (size_t i = 0; i < count; i++)
        pychoral_release(element, items + i * element->size);
}

// ---- items ----

void pychoral_list_item(const PychoralList *list, int64_t index, void *result)
{
    size_t place;
    if (pychoral_list_place(list, index, &place))
        pychoral_list_get(list, place, result);
    else
        memset(result, 0, element_of(list)->size);
}

PychoralInt pychoral_list_any_int_at(const PychoralList *list, int64_t index)
{
    PychoralInt item;
    pychoral_list_item(list, index, &item);
    return item;
}

// As pychoral_list_place, for what is written.
static bool find_place(const PychoralList *list, int64_t index, size_t *place)
{
    if (index < 0)
        index += (int64_t)list->count;
    if ((uint64_t)index >= list->count) {
        pychoral_list_no_place(list);
        return false;
    }
    *place = (size_t)index;
    return true;
}

// Room on the stack for an item, or on the heap for a large one.
typedef struct Spare {
    _Alignas(16) char small[64];
    void *item;
} Spare;

static void *spare(Spare *room, const PychoralType *type)
{
    room->item = type->size <= sizeof room->small ? room->small : pychoral_allocate(type->size);
    return room->item;
}

static void end_spare(Spare *room)
{
    if (room->item != room->small)
        free(room->item);
}

void pychoral_list_put(PychoralList *list, int64_t index, const void *item)
{
    size_t place;
    Spare room;
    if (!find_place(list, index, &place))
        return;
    pychoral_assign(element_of(list), spare(&room, element_of(list)), item);
    if (!pychoral_list_set(list, place, room.item))
        pychoral_no_memory();
    end_spare(&room);
}

void pychoral_list_take(PychoralList *list, void *item)
{
    if (!pychoral_list_append(list, item))
        pychoral_no_memory();
}

void pychoral_list_more(PychoralList *list)
{
    make_writable(list, list->count < 4 ? 4 : list->count + 1);
}

void pychoral_list_push(PychoralList *list, const void *item)
{
    pychoral_list_take(list, (void *)(uintptr_t)item);
    pychoral_retain(element_of(list), item);
}

static void close_gap(PychoralList *list, size_t place, size_t count)
{
    size_t rest = list->count - place - count;
    if (rest != 0)
        memmove(at(list, place), at(list, place + count), rest * size_of(list));
    list->count -= count;
}

void pychoral_list_pop(PychoralList *list, int64_t index, void *result)
{
    memset(result, 0, element_of(list)->size);
    if (list->count == 0) {
        pychoral_throw(&pychoral_type_IndexError, "pop from empty list");
        return;
    }
    if (index < 0)
        index += (int64_t)list->count;
    if ((uint64_t)index >= list->count) {
        pychoral_throw(&pychoral_type_IndexError, "pop index out of range");
        return;
    }
    make_writable(list, list->count);
    if (list->narrow)
        *(PychoralInt *)result = pychoral_int(((int64_t *)list->items)[index]);
    else
        memcpy(result, at(list, (size_t)index), size_of(list));
    close_gap(list, (size_t)index, 1);
}

void pychoral_list_insert(PychoralList *list, int64_t index, const void *item)
{
    int64_t count = (int64_t)list->count;
    if (index < 0)
        index = index + count < 0 ? 0 : index + count;
    size_t place = (size_t)(index > count ? count : index);
    pychoral_list_push(list, item);
    char moved[sizeof(PychoralInt)];
    size_t size = size_of(list), rest = list->count - 1 - place;
    if (size <= sizeof moved) {
        memcpy(moved, at(list, list->count - 1), size);
        memmove(at(list, place + 1), at(list, place), rest * size);
        memcpy(at(list, place), moved, size);
        return;
    }
    memmove(at(list, place + 1), at(list, place), rest * size);
    memcpy(at(list, place), item, size);
}

void pychoral_list_delete(PychoralList *list, int64_t index)
{
    size_t place;
    Spare room;
    if (!find_place(list, index, &place))
        return;
    pychoral_list_pop(list, (int64_t)place, spare(&room, element_of(list)));
    pychoral_release(element_of(list), room.item);
    end_spare(&room);
}

void pychoral_list_clear(PychoralList *list)
{
    PychoralList old = *list;
    list->items = NULL;
    list->buffer = NULL;
    list->count = list->capacity = 0;
    list->narrow = element_of(list)->kind == PYCHORAL_INT;
    release_items(element_of(list), old.narrow, old.items, old.count);
    if (old.items != list + 1)
        pychoral_list_free_items(&old);
}

// ---- many items ----

// Appends `count` items of `from`, each `step` behind the other, from `start` on.
static void append_items(PychoralList *list, const PychoralList *from, size_t start, int64_t step,
                         size_t count)
{
    make_writable(list, list->count + count);
    if (list->narrow && !from->narrow)
        widen(list);
    size_t size = size_of(list), end = list->count;
    if (list->narrow == from->narrow && step == 1) {
        if (count != 0)
            memcpy(at(list, end), at(from, start), count * size);
    } else if (list->narrow == from->narrow) {
        for (size_t i = 0; i < count; i++, start += (size_t)step)
            memcpy(at(list, end + i), at(from, start), size);
    } else {
        for (size_t i = 0; i < count; i++, start += (size_t)step)
            ((PychoralInt *)list->items)[end + i] =
                pychoral_int(((const int64_t *)from->items)[start]);
    }
    list->count += count;
    retain_items(list, end, count);
}

static void append_converted(PychoralList *list, PychoralRef item)
{
    Spare room;
    pychoral_convert(item.type, item.value, element_of(list), spare(&room, element_of(list)));
    if (pychoral_raised == NULL)
        pychoral_list_take(list, room.item);
    end_spare(&room);
}

static void append_all(PychoralList *list, PychoralIterator *iterator)
{
    Spare room;
    spare(&room, element_of(list));
    while (pychoral_next_item(iterator, room.item))
        pychoral_list_take(list, room.item);
    end_spare(&room);
}

// The items that there are now: the list may be the one that is extended.
static void extend_by_items(PychoralList *list, PychoralRef seen)
{
    PychoralItems items = pychoral_items(seen);
    const PychoralList *from = items.list;
    if (from != NULL && pychoral_same_type(element_of(from), element_of(list))) {
        append_items(list, from, 0, 1, from->count);
        return;
    }
    for (size_t i = 0; i < items.count && pychoral_raised == NULL; i++) {
        PychoralInt room;
        append_converted(list, pychoral_item_ref(&items, i, &room));
    }
}

// The numbers of a range whose bounds are of 64 bits. False: nothing done.
static bool extend_by_range(PychoralList *list, const PychoralRange *range)
{
    PychoralInt start = range->start, stop = range->stop;
    if (!list->narrow || range->step.big != NULL || range->step.small != 1 || start.big != NULL ||
        stop.big != NULL)
        return false;
    uint64_t count = stop.small > start.small ? (uint64_t)stop.small - (uint64_t)start.small : 0;
    if (count > SIZE_MAX / sizeof(int64_t) - list->count)
        return false;
    if (count == 0)
        return true;
    make_writable(list, list->count + count);
    int64_t *items = (int64_t *)list->items + list->count;
    for (uint64_t i = 0; i < count; i++)
        items[i] = start.small + (int64_t)i;
    list->count += count;
    return true;
}

void pychoral_list_extend(PychoralList *list, PychoralRef iterable)
{
    PychoralRef seen = pychoral_look(iterable.type, iterable.value);
    if (seen.type->kind == PYCHORAL_RANGE &&
        extend_by_range(list, pychoral_pointer_at(seen.value)))
        return;
    seen = pychoral_as_tuple(seen, "__iter__");
    if (seen.type->kind == PYCHORAL_LIST || pychoral_is_tuple(seen.type)) {
        extend_by_items(list, seen);
        return;
    }
    PychoralIterator *iterator = pychoral_iter(element_of(list), seen);
    if (iterator == NULL)
        return;
    append_all(list, iterator);
    pychoral_iterator_drop(iterator);
}

PychoralList *pychoral_list_from(PychoralRef iterable, const PychoralType *row)
{
    PychoralList *list = pychoral_list_make(row, 0);
    pychoral_list_extend(list, iterable);
    return pychoral_unless_raised(list);
}

PychoralList *pychoral_list_copy(const PychoralList *list)
{
    PychoralList *copy = make_filled(list->object.type, list->count, list->narrow);
    copy->count = 0;
    append_items(copy, list, 0, 1, list->count);
    return copy;
}

PychoralList *pychoral_list_add(PychoralRef a, PychoralRef b, const PychoralType *row)
{
    PychoralList *list = pychoral_list_make(row, 0);
    extend_by_items(list, pychoral_as_tuple(pychoral_look(a.type, a.value), NULL));
    if (pychoral_raised == NULL)
        extend_by_items(list, pychoral_as_tuple(pychoral_look(b.type, b.value), NULL));
    return pychoral_unless_raised(list);
}

static bool is_too_large(const PychoralList *list, int64_t times)
{
    size_t bytes;
    size_t size = list->count * size_of(list);
    if (times <= 0 ||
        (!__builtin_mul_overflow(size, (size_t)times, &bytes) && bytes <= INT64_MAX / 4))
        return false;
    pychoral_throw_with(&pychoral_type_MemoryError, 0, NULL);
    return true;
}

PychoralList *pychoral_list_repeat(const PychoralList *list, int64_t times)
{
    if (is_too_large(list, times))
        return NULL;
    size_t count = times <= 0 ? 0 : list->count * (size_t)times;
    PychoralList *repeated = make_filled(list->object.type, count, list->narrow);
    repeated->count = 0;
    for (int64_t i = 0; i < times && list->count != 0; i++)
        append_items(repeated, list, 0, 1, list->count);
    return repeated;
}

void pychoral_list_repeat_in_place(PychoralList *list, int64_t times)
{
    size_t count = list->count;
    if (is_too_large(list, times))
        return;
    if (times <= 0)
        pychoral_list_clear(list);
    for (int64_t i = 1; i < times; i++)
        append_items(list, list, 0, 1, count);
}

static void swap(char *a, char *b, size_t size)
{
    char moved[32];
    for (size_t part; size != 0; size -= part, a += part, b += part) {
        part = size < sizeof moved ? size : sizeof moved;
        memcpy(moved, a, part);
        memcpy(a, b, part);
        memcpy(b, moved, part);
    }
}

void pychoral_list_reverse(PychoralList *list)
{
    make_writable(list, list->count);
    for (size_t i = 0, j = list->count; i + 1 < j; i++)
        swap(at(list, i), at(list, --j), size_of(list));
}

// ---- searching ----

static PychoralRef item_ref(const PychoralList *list, size_t index, PychoralInt *room)
{
    PychoralItems items = {list->count, list, {list->object.type, NULL}};
    return pychoral_item_ref(&items, index, room);
}

// The first item from `start` on, before `stop`, that is equal; SIZE_MAX: none, or raised.
static size_t find(const PychoralList *list, PychoralRef value, size_t start, size_t stop)
{
    PychoralRef seen = pychoral_look(value.type, value.value);
    if (list->narrow && seen.type->kind == PYCHORAL_INT) {
        const PychoralInt number = *(const PychoralInt *)seen.value;
        const int64_t *items = list->items;
        for (size_t i = start; number.big == NULL && i < stop; i++)
            if (items[i] == number.small)
                return i;
        return SIZE_MAX;
    }
    for (size_t i = start; i < stop && i < list->count; i++) {
        PychoralInt room;
        PychoralRef item = item_ref(list, i, &room);
        if (pychoral_equal_keys(item.type, item.value, seen.type, seen.value, false))
            return i;
        if (pychoral_raised != NULL)
            break;
    }
    return SIZE_MAX;
}

int64_t pychoral_list_index(const PychoralList *list, PychoralRef value, int64_t start,
                            int64_t stop)
{
    pychoral_slice_bounds((int64_t)list->count, &start, &stop, 1);
    size_t place = find(list, value, (size_t)start, (size_t)stop);
    if (place != SIZE_MAX)
        return (int64_t)place;
    if (pychoral_raised != NULL)
        return 0;
    if (is_tuple(list)) {
        pychoral_throw(&pychoral_type_ValueError, "tuple.index(x): x not in tuple");
        return 0;
    }
    PychoralStr *text = pychoral_repr(value);
    if (text != NULL)
        pychoral_throw(&pychoral_type_ValueError, "%s is not in list", text->data);
    pychoral_release(&pychoral_type_str, &text);
    return 0;
}

int64_t pychoral_list_count(const PychoralList *list, PychoralRef value)
{
    int64_t count = 0;
    for (size_t i = find(list, value, 0, list->count); i != SIZE_MAX && pychoral_raised == NULL;
         i = find(list, value, i + 1, list->count))
        count++;
    return pychoral_raised != NULL ? 0 : count;
}

bool pychoral_list_contains(const PychoralList *list, PychoralRef value)
{
    return find(list, value, 0, list->count) != SIZE_MAX;
}

void pychoral_list_remove(PychoralList *list, PychoralRef value)
{
    size_t place = find(list, value, 0, list->count);
    if (place != SIZE_MAX)
        pychoral_list_delete(list, (int64_t)place);
    else if (pychoral_raised == NULL)
        pychoral_throw(&pychoral_type_ValueError, "list.remove(x): x not in list");
}

// ---- slices ----

static int64_t clip(int64_t bound, int64_t count, int64_t least, int64_t most)
{
    if (bound < 0 && bound != INT64_MIN)
        bound += count;
    return bound < least ? least : bound > most ? most : bound;
}

size_t pychoral_slice_bounds(int64_t count, int64_t *start, int64_t *stop, int64_t step)
{
    int64_t least = step < 0 ? -1 : 0, most = step < 0 ? count - 1 : count;
    *start = clip(*start, count, least, most);
    *stop = clip(*stop, count, least, most);
    if (step == 1)      // nearly always; a division takes longer than the rest
        return *start < *stop ? (size_t)(*stop - *start) : 0;
    if (step < 0)
        return *stop < *start ? (size_t)(*start - *stop - 1) / ((size_t)0 - (size_t)step) + 1 : 0;
    return *start < *stop ? (size_t)(*stop - *start - 1) / (size_t)step + 1 : 0;
}

static bool is_step(int64_t step)
{
    if (step == 0)
        pychoral_throw(&pychoral_type_ValueError, "slice step cannot be zero");
    return step != 0;
}

PychoralList *pychoral_list_slice(const PychoralList *list, int64_t start, int64_t stop,
                                  int64_t step)
{
    if (!is_step(step))
        return NULL;
    size_t count = pychoral_slice_bounds((int64_t)list->count, &start, &stop, step);
    PychoralList *slice = make_filled(list->object.type, count, list->narrow);
    if (step == 1 && count != 0) {
        memcpy(slice->items, at(list, (size_t)start), count * size_of(list));
        retain_items(slice, 0, count);
        return slice;
    }
    slice->count = 0;
    append_items(slice, list, (size_t)start, step, count);
    return slice;
}

// Takes items out that lie one behind the other.
static void cut(PychoralList *list, size_t start, size_t count)
{
    size_t bytes = count * size_of(list);
    bool narrow = list->narrow;
    char *items = pychoral_allocate(bytes);
    make_writable(list, list->count);
    if (count != 0)
        memcpy(items, at(list, start), bytes);
    close_gap(list, start, count);
    release_items(element_of(list), narrow, items, count);
    free(items);
}

// Takes `count` items out, each `stride` behind the other, from `first` on.
static void cut_each(PychoralList *list, size_t first, size_t stride, size_t count)
{
    size_t size = size_of(list), kept = first, taken = 0;
    bool narrow = list->narrow;
    char *items = pychoral_allocate(count * size);
    make_writable(list, list->count);
    for (size_t i = first; i < list->count; i++) {
        bool is_taken = taken < count && i == first + taken * stride;
        char *to = is_taken ? items + taken++ * size : at(list, kept++);
        memmove(to, at(list, i), size);
    }
    list->count = kept;
    release_items(element_of(list), narrow, items, count);
    free(items);
}

void pychoral_list_delete_slice(PychoralList *list, int64_t start, int64_t stop, int64_t step)
{
    if (!is_step(step))
        return;
    size_t count = pychoral_slice_bounds((int64_t)list->count, &start, &stop, step);
    if (step == 1 || count == 0) {
        if (count != 0)
            cut(list, (size_t)start, count);
        return;
    }
    cut_each(list, (size_t)(step > 0 ? start : start + (int64_t)(count - 1) * step),
             (size_t)(step > 0 ? step : -step), count);
}

// Puts `items` between `start` and `stop`: what follows is taken off and put back.
static void replace(PychoralList *list, size_t start, size_t stop, const PychoralList *items)
{
    PychoralList *rest = pychoral_list_slice(list, (int64_t)stop, INT64_MAX, 1);
    cut(list, start, list->count - start);
    append_items(list, items, 0, 1, items->count);
    append_items(list, rest, 0, 1, rest->count);
    pychoral_release(rest->object.type, &rest);
}

static void replace_each(PychoralList *list, int64_t start, int64_t step, const PychoralList *items)
{
    for (size_t i = 0; i < items->count; i++, start += step) {
        Spare room;
        pychoral_list_get(items, i, spare(&room, element_of(list)));
        if (!pychoral_list_set(list, (size_t)start, room.item))
            pychoral_no_memory();
        end_spare(&room);
    }
}

void pychoral_list_put_slice(PychoralList *list, int64_t start, int64_t stop, int64_t step,
                             PychoralRef iterable)
{
    if (!is_step(step))
        return;
    PychoralList *items = pychoral_list_from(iterable, list->object.type);
    if (items == NULL)
        return;
    size_t count = pychoral_slice_bounds((int64_t)list->count, &start, &stop, step);
    if (step == 1)
        replace(list, (size_t)start, (size_t)(stop > start ? stop : start), items);
    else if (count == items->count)
        replace_each(list, start, step, items);
    else
        pychoral_throw(&pychoral_type_ValueError,
                       "attempt to assign sequence of size %zu to extended slice of size %zu",
                       items->count, count);
    pychoral_release(items->object.type, &items);
}
