// list.c - lists and tuple[T, ...]: one array of items; the rules are in value.h.
//
// A list of ints starts `narrow` (an array of int64_t) and is widened by the first item that is a
// bool or does not fit. Arrays of 64 KiB or more are in a PychoralBuffer, so that they can be lent.
// Those of a few items, as they are at first, stand behind the list, in its own block: nearly all
// lists are short, and do with one malloc.

#include <stdlib.h>

#include "value.h"
#include "wire.h"

// A block of so many bytes and the list itself is one of those that malloc has at hand.
enum { BEHIND = 1024 - sizeof(PychoralList) };

static size_t item_size(const PychoralList *list)
{
    return list->narrow ? sizeof(int64_t) : list->object.type->element->size;
}

// Room for items, in a buffer if it is large.
typedef struct Room {
    void *items;
    PychoralBuffer *buffer;
} Room;

static bool make_room(size_t count, size_t size, Room *room)
{
    *room = (Room){NULL, NULL};
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return false;
    if (bytes >= PYCHORAL_LARGE) {
        room->buffer = pychoral_buffer_new(bytes);
        room->items = room->buffer == NULL ? NULL : room->buffer->data;
        return room->buffer != NULL;
    }
    room->items = bytes == 0 ? NULL : malloc(bytes);
    return bytes == 0 || room->items != NULL;
}

static void use_room(PychoralList *list, Room room, size_t capacity)
{
    pychoral_list_free_items(list);
    list->items = room.items;
    list->buffer = room.buffer;
    list->capacity = capacity;
}

static PychoralList *list_in(const PychoralType *type, size_t behind, Room room, size_t capacity,
                             bool narrow)
{
    PychoralList *list = malloc(sizeof *list + behind);
    if (list != NULL)
        *list = (PychoralList){.object = {.head = {.refs = 1}, .type = type},
                               .capacity = capacity,
                               .items = behind != 0 ? list + 1 : room.items,
                               .buffer = room.buffer,
                               .narrow = narrow};
    return list;
}

static PychoralList *list_with(const PychoralType *type, size_t capacity, bool narrow)
{
    size_t size = narrow ? sizeof(int64_t) : type->element->size, bytes;
    Room room = {NULL, NULL};
    if (!__builtin_mul_overflow(capacity, size, &bytes) && bytes <= BEHIND)
        return list_in(type, bytes, room, capacity, narrow);
    if (!make_room(capacity, size, &room))
        return NULL;
    PychoralList *list = list_in(type, 0, room, capacity, narrow);
    if (list == NULL && room.buffer == NULL)
        free(room.items);
    if (list == NULL)
        pychoral_buffer_release(room.buffer);
    return list;
}

PychoralList *pychoral_list_new(const PychoralType *type, size_t capacity)
{
    return list_with(type, capacity, type->element->kind == PYCHORAL_INT);
}

PychoralList *pychoral_list_filled(const PychoralType *type, size_t count, bool narrow)
{
    PychoralList *list = list_with(type, count, narrow);
    if (list != NULL)
        list->count = count;
    return list;
}

PychoralList *pychoral_list_borrow(const PychoralType *type, size_t count, bool narrow,
                                   PychoralBuffer *buffer, const void *items)
{
    PychoralList *list = list_in(type, 0, (Room){(void *)items, buffer}, count, narrow);
    if (list == NULL)
        return NULL;
    pychoral_buffer_retain(buffer);
    list->count = count;
    return list;
}

static bool is_lent(const PychoralList *list)
{
    const PychoralBuffer *buffer = list->buffer;
    return buffer != NULL && (atomic_load(&buffer->refs) != 1 || buffer->free != NULL);
}

// Items that nobody else reads, and that were large or not and stay so, may grow where they are.
static bool can_resize(const PychoralList *list, size_t capacity)
{
    if (list->buffer != NULL)
        return !is_lent(list) && capacity > list->capacity;
    return list->items != list + 1 && capacity != 0 && capacity < PYCHORAL_LARGE &&
           capacity * item_size(list) < PYCHORAL_LARGE;
}

static bool resize(PychoralList *list, size_t capacity)
{
    size_t bytes;
    if (__builtin_mul_overflow(capacity, item_size(list), &bytes))
        return false;
    if (list->buffer != NULL) {
        PychoralBuffer *buffer = pychoral_buffer_grow(list->buffer, bytes);
        if (buffer == NULL)
            return false;
        list->buffer = buffer;
        list->items = buffer->data;
    } else {
        void *items = realloc(list->items, bytes);
        if (items == NULL)
            return false;
        list->items = items;
    }
    list->capacity = capacity;
    return true;
}

static bool move_items(PychoralList *list, size_t capacity)
{
    Room room;
    if (can_resize(list, capacity))
        return resize(list, capacity);
    if (!make_room(capacity, item_size(list), &room))
        return false;
    if (list->count != 0)
        memcpy(room.items, list->items, list->count * item_size(list));
    use_room(list, room, capacity);
    return true;
}

bool pychoral_list_writable(PychoralList *list, size_t capacity)
{
    if (capacity > list->capacity) {
        size_t doubled = list->capacity <= SIZE_MAX / 2 ? list->capacity * 2 : SIZE_MAX;
        return move_items(list, capacity > doubled ? capacity : doubled);
    }
    return !is_lent(list) || move_items(list, list->capacity);
}

bool pychoral_list_widen(PychoralList *list)
{
    if (!list->narrow)
        return true;
    Room room;
    if (!make_room(list->capacity, sizeof(PychoralInt), &room))
        return false;
    const int64_t *narrow = list->items;
    PychoralInt *wide = room.items;
    for (size_t i = 0; i < list->count; i++)
        wide[i] = pychoral_int(narrow[i]);
    list->narrow = false;
    use_room(list, room, list->capacity);
    return true;
}

// Whether `item` can be in the list as it is, widened if need be.
static bool prepare(PychoralList *list, const void *item)
{
    return !list->narrow || ((const PychoralInt *)item)->big == NULL || pychoral_list_widen(list);
}

static void place(PychoralList *list, size_t index, const void *item)
{
    if (list->narrow)
        ((int64_t *)list->items)[index] = ((const PychoralInt *)item)->small;
    else
        pychoral_move_value((char *)list->items + index * item_size(list), item, item_size(list));
}

bool pychoral_list_append(PychoralList *list, const void *item)
{
    if (!prepare(list, item))
        return false;
    if (list->count == list->capacity || list->buffer != NULL)
        if (!pychoral_list_writable(list, list->count < 4 ? 4 : list->count + 1))
            return false;
    place(list, list->count, item);
    list->count++;
    return true;
}

void pychoral_list_get(const PychoralList *list, size_t index, void *to)
{
    const PychoralType *element = list->object.type->element;
    if (list->narrow)
        *(PychoralInt *)to = pychoral_int(((const int64_t *)list->items)[index]);
    else
        pychoral_assign(element, to, (const char *)list->items + index * element->size);
}

bool pychoral_list_set(PychoralList *list, size_t index, const void *item)
{
    if (!prepare(list, item) || !pychoral_list_writable(list, list->count))
        return false;
    if (!list->narrow)
        pychoral_release(list->object.type->element,
                         (char *)list->items + index * item_size(list));
    place(list, index, item);
    return true;
}
