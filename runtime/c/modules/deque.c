// deque.c - deques; contracts in deque.h.

#include "deque.h"

#include "../builtins/build.h"
#include "../builtins/cells.h"
#include "../builtins/copying.h"
#include "../builtins/items.h"
#include "../builtins/number.h"
#include "../builtins/iterator_tuple.h"
#include "../builtins/str.h"

static const PychoralType *element_of(const PychoralDeque *deque)
{
    return deque->items->object.type->element;
}

// ---- layout ----

static size_t size_of(const PychoralList *list)
{
    return list->narrow ? sizeof(int64_t) : list->object.type->element->size;
}

static char *at(const PychoralList *list, size_t place)
{
    return (char *)list->items + place * size_of(list);
}

static void make_writable(PychoralList *list, size_t capacity)
{
    if (!pychoral_list_writable(list, capacity))
        pychoral_no_memory();
}

// Removes the room at the front: its list is as any other.
static PychoralList *settled(PychoralDeque *deque)
{
    PychoralList *list = deque->items;
    if (deque->first == 0)
        return list;
    make_writable(list, list->count);
    list->count -= deque->first;
    memmove(list->items, at(list, deque->first), list->count * size_of(list));
    deque->first = 0;
    return list;
}

// As much room at the front as there are items.
static void make_front(PychoralDeque *deque)
{
    PychoralList *list = deque->items;
    size_t room = list->count < 4 ? 4 : list->count, count = list->count;
    if (deque->first > 0)
        return;
    make_writable(list, count + room);
    memmove(at(list, room), list->items, count * size_of(list));
    memset(list->items, 0, room * size_of(list));
    list->count = count + room;
    deque->first = room;
}

// Where item `index` is in the list. False: raised.
static bool find_place(const PychoralDeque *deque, int64_t index, size_t *place)
{
    int64_t count = pychoral_deque_len(deque);
    if (index < 0)
        index += count;
    *place = deque->first + (size_t)index;
    if (index >= 0 && index < count)
        return true;
    if (pychoral_raised == NULL)
        pychoral_throw(&pychoral_type_IndexError, "deque index out of range");
    return false;
}

// ---- both ends ----

// Takes the item out that stands at one end, whatever its place was.
static void take(PychoralDeque *deque, bool left, void *result)
{
    PychoralList *list = deque->items;
    memset(result, 0, element_of(deque)->size);
    if (pychoral_deque_len(deque) == 0) {
        pychoral_throw(&pychoral_type_IndexError, "pop from an empty deque");
        return;
    }
    deque->changes++;
    if (!left) {
        pychoral_list_pop(list, -1, result);
        return;
    }
    make_writable(list, list->count);
    if (list->narrow)
        *(PychoralInt *)result = pychoral_int(((const int64_t *)list->items)[deque->first]);
    else
        memcpy(result, at(list, deque->first), size_of(list));
    memset(at(list, deque->first), 0, size_of(list));
    deque->first++;
    if (deque->first >= 16 && deque->first > list->count / 2)
        (void)settled(deque);
}

static void drop_end(PychoralDeque *deque, bool left)
{
    PychoralSlot slot;
    take(deque, left, pychoral_slot_open(&slot, element_of(deque)));
    pychoral_release(element_of(deque), slot.item);
    pychoral_slot_close(&slot);
}

static bool is_over(const PychoralDeque *deque)
{
    return deque->most >= 0 && pychoral_deque_len(deque) > deque->most;
}

void pychoral_deque_append(PychoralDeque *deque, const void *item)
{
    deque->changes++;
    pychoral_list_push(deque->items, item);
    if (is_over(deque))
        drop_end(deque, true);
}

void pychoral_deque_append_left(PychoralDeque *deque, const void *item)
{
    deque->changes++;
    make_front(deque);
    deque->first--;
    pychoral_list_put(deque->items, (int64_t)deque->first, item);
    if (is_over(deque))
        drop_end(deque, false);
}

void pychoral_deque_pop(PychoralDeque *deque, void *result) { take(deque, false, result); }

void pychoral_deque_pop_left(PychoralDeque *deque, void *result) { take(deque, true, result); }

static void extend(PychoralDeque *deque, PychoralRef iterable, bool left)
{
    const PychoralType *element = element_of(deque);
    PychoralRef seen = pychoral_look(iterable.type, iterable.value);
    bool itself = seen.type->kind == PYCHORAL_DATACLASS && pychoral_pointer_at(seen.value) == deque;
    PychoralDeque *copy = itself ? pychoral_deque_copy(deque) : NULL;
    PychoralIterator *items =
        pychoral_iter(element, itself ? (PychoralRef){seen.type, &copy} : iterable);
    PychoralSlot slot;
    pychoral_slot_open(&slot, element);
    while (items != NULL && pychoral_next_item(items, slot.item)) {
        (left ? pychoral_deque_append_left : pychoral_deque_append)(deque, slot.item);
        pychoral_release(element, slot.item);
    }
    pychoral_slot_close(&slot);
    pychoral_iterator_drop(items);
    if (itself)
        pychoral_release(seen.type, &copy);
}

void pychoral_deque_extend(PychoralDeque *deque, PychoralRef iterable)
{
    extend(deque, iterable, false);
}

void pychoral_deque_extend_left(PychoralDeque *deque, PychoralRef iterable)
{
    extend(deque, iterable, true);
}

// ---- made anew ----

static PychoralDeque *empty_deque(const PychoralType *row, int64_t most)
{
    PychoralDeque *deque = pychoral_object_new(row);
    if (deque == NULL)
        pychoral_no_memory();
    deque->items = pychoral_list_make(row->fields[0].type, 0);
    deque->most = most;
    return deque;
}

PychoralDeque *pychoral_deque_new(const PychoralType *row, PychoralRef iterable, int64_t most)
{
    if (most < 0 && most != INT64_MIN) {
        pychoral_throw(&pychoral_type_ValueError, "maxlen must be non-negative");
        return NULL;
    }
    PychoralDeque *deque = empty_deque(row, most == INT64_MIN ? -1 : most);
    if (iterable.type != NULL)
        extend(deque, iterable, false);
    if (pychoral_raised == NULL)
        return deque;
    pychoral_release(row, &deque);
    return NULL;
}

PychoralDeque *pychoral_deque_copy(PychoralDeque *deque)
{
    PychoralDeque *copy = empty_deque(deque->object.type, deque->most);
    PychoralList *empty = copy->items;
    copy->items = pychoral_list_copy(settled(deque));
    pychoral_release(empty->object.type, &empty);
    return copy;
}

// ---- items ----

void pychoral_deque_item(const PychoralDeque *deque, int64_t index, void *result)
{
    size_t place;
    memset(result, 0, element_of(deque)->size);
    if (find_place(deque, index, &place))
        pychoral_list_item(deque->items, (int64_t)place, result);
}

void pychoral_deque_put(PychoralDeque *deque, int64_t index, const void *item)
{
    size_t place;
    if (find_place(deque, index, &place))
        pychoral_list_put(deque->items, (int64_t)place, item);
}

void pychoral_deque_delete(PychoralDeque *deque, int64_t index)
{
    size_t place;
    if (!find_place(deque, index, &place))
        return;
    deque->changes++;
    pychoral_list_delete(deque->items, (int64_t)place);
}

void pychoral_deque_insert(PychoralDeque *deque, int64_t index, const void *item)
{
    if (deque->most >= 0 && pychoral_deque_len(deque) >= deque->most) {
        pychoral_throw(&pychoral_type_IndexError, "deque already at its maximum size");
        return;
    }
    deque->changes++;
    pychoral_list_insert(settled(deque), index, item);
}

void pychoral_deque_rotate(PychoralDeque *deque, int64_t by)
{
    int64_t count = pychoral_deque_len(deque);
    if (count <= 1)
        return;
    PychoralSlot slot;
    void *item = pychoral_slot_open(&slot, element_of(deque));
    by %= count;
    bool left = by < 0 ? -by <= count / 2 : by > count / 2;     // the shorter way round
    int64_t steps = by < 0 ? (left ? -by : count + by) : (left ? count - by : by);
    for (; steps > 0; steps--) {
        take(deque, left, item);
        (left ? pychoral_deque_append : pychoral_deque_append_left)(deque, item);
        pychoral_release(element_of(deque), item);
    }
    deque->changes++;
    pychoral_slot_close(&slot);
}

void pychoral_deque_clear(PychoralDeque *deque)
{
    deque->changes += pychoral_deque_len(deque) > 0;
    pychoral_list_clear(settled(deque));
}

void pychoral_deque_reverse(PychoralDeque *deque) { pychoral_list_reverse(settled(deque)); }

void pychoral_deque_maxlen(const PychoralDeque *deque, const PychoralType *row, void *result)
{
    PychoralInt most = pychoral_int(deque->most);
    const PychoralType *type = deque->most < 0 ? &pychoral_type_none : &pychoral_type_int;
    pychoral_convert(type, &most, row, result);
}

// ---- looking for a value ----

// Whether comparing has changed the length.
static bool is_changed(const PychoralDeque *deque, uint64_t changes)
{
    if (pychoral_raised == NULL && deque->changes != changes)
        pychoral_throw(&pychoral_type_RuntimeError, "deque mutated during iteration");
    return pychoral_raised != NULL;
}

// The next place from `from` on of an item that is equal; `stop`, or raised: there is none.
static int64_t find(PychoralDeque *deque, PychoralRef value, int64_t from, int64_t stop)
{
    const PychoralType *element = element_of(deque);
    uint64_t changes = deque->changes;
    PychoralSlot slot;
    bool found = false;
    pychoral_slot_open(&slot, element);
    for (; from < stop && !found; from++) {
        pychoral_deque_item(deque, from, slot.item);
        PychoralRef item = {element, slot.item};
        found = pychoral_is(item, value) || pychoral_eq(item, value);
        pychoral_release(element, slot.item);
        if (is_changed(deque, changes))
            break;
    }
    pychoral_slot_close(&slot);
    return found ? from - 1 : stop;
}

static int64_t clip(const PychoralDeque *deque, int64_t index)
{
    int64_t count = pychoral_deque_len(deque);
    if (index < 0)
        index = index + count < 0 ? 0 : index + count;
    return index > count ? count : index;
}

static void refuse(PychoralRef value)
{
    PychoralStr *shown = pychoral_repr(value);
    if (shown != NULL)
        pychoral_throw(&pychoral_type_ValueError, "%s is not in deque", shown->data);
    pychoral_release(&pychoral_type_str, &shown);
}

int64_t pychoral_deque_index(PychoralDeque *deque, PychoralRef value, int64_t start, int64_t stop)
{
    stop = clip(deque, stop);
    int64_t place = find(deque, value, clip(deque, start), stop);
    if (place < stop || pychoral_raised != NULL)
        return place;
    refuse(value);
    return -1;
}

int64_t pychoral_deque_count(PychoralDeque *deque, PychoralRef value)
{
    int64_t count = 0, end = pychoral_deque_len(deque);
    for (int64_t from = 0; from < end && pychoral_raised == NULL; from++) {
        from = find(deque, value, from, end);
        count += from < end;
    }
    return count;
}

void pychoral_deque_remove(PychoralDeque *deque, PychoralRef value)
{
    int64_t end = pychoral_deque_len(deque), place = find(deque, value, 0, end);
    if (pychoral_raised != NULL)
        return;
    if (place < end) {
        pychoral_deque_delete(deque, place);
        return;
    }
    refuse(value);
}

// ---- iterating ----

static const PychoralType ANY = {.kind = PYCHORAL_DATACLASS, .size = sizeof(PychoralDeque *),
                                 .name = "deque"};

typedef struct Walk {
    PychoralDeque *deque;
    int64_t at, left;
    uint64_t changes;
    bool backwards;
} Walk;

PYCHORAL_CELLS(WALK, Walk, PYCHORAL_CELL(Walk, deque, ANY));

static bool next_walked(PychoralIterator *self, void *item)
{
    Walk *walk = (Walk *)self->cells;
    const PychoralDeque *deque = walk->deque;
    const PychoralType *row = pychoral_item_row(self), *own = element_of(deque);
    if (is_changed(deque, walk->changes)) {
        walk->left = 0;
        return false;
    }
    if (walk->left == 0)
        return false;
    walk->left--;
    size_t place = deque->first + (size_t)(walk->backwards ? walk->left : walk->at++);
    if (pychoral_same_type(row, own)) {
        pychoral_list_get(deque->items, place, item);
        return true;
    }
    PychoralItems items = {deque->items->count, deque->items, {deque->items->object.type, NULL}};
    PychoralInt room;
    return pychoral_give(pychoral_item_ref(&items, place, &room), row, item);
}

PychoralIterator *pychoral_deque_iterate(const PychoralType *row, PychoralDeque *deque,
                                         bool backwards)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &WALK, next_walked);
    *(Walk *)iterator->cells = (Walk){.deque = deque, .left = pychoral_deque_len(deque),
                                      .changes = deque->changes, .backwards = backwards};
    pychoral_retain(&ANY, &deque);
    return iterator;
}

// ---- what every value has ----

static PychoralDeque *deque_at(void *argument)
{
    return ((const PychoralAny *)argument)->pointer;
}

static PychoralRef items_ref(PychoralDeque *deque)
{
    return (PychoralRef){settled(deque)->object.type, &deque->items};
}

static void method_copy(void *const *arguments, void *result)
{
    PychoralDeque *copy = pychoral_deque_copy(deque_at(arguments[0]));
    *(PychoralAny *)result = (PychoralAny){.type = copy->object.type, .pointer = copy};
}

static void method_deepcopy(void *const *arguments, void *result)
{
    PychoralDeque *deque = deque_at(arguments[0]);
    PychoralDeque *copy = empty_deque(deque->object.type, deque->most);
    pychoral_release(copy->items->object.type, &copy->items);
    copy->items = NULL;
    pychoral_deepcopy(items_ref(deque), deque->items->object.type, &copy->items);
    if (pychoral_raised != NULL)
        pychoral_release(deque->object.type, &copy);
    else
        *(PychoralAny *)result = (PychoralAny){.type = copy->object.type, .pointer = copy};
}

static void method_eq(void *const *arguments, void *result)
{
    PychoralRef other = pychoral_look(&pychoral_type_object, arguments[1]);
    *(bool *)result = other.type->kind == PYCHORAL_DATACLASS && pychoral_is_deque(other.type) &&
                      pychoral_eq(items_ref(deque_at(arguments[0])),
                                  items_ref(pychoral_pointer_at(other.value)));
}

static void method_getitem(void *const *arguments, void *result)
{
    PychoralDeque *deque = deque_at(arguments[0]);
    PychoralSlot slot;
    pychoral_deque_item(deque, pychoral_index(*(const PychoralInt *)arguments[1]),
                        pychoral_slot_open(&slot, element_of(deque)));
    *(PychoralAny *)result = (PychoralAny){.type = NULL};
    if (pychoral_raised == NULL)
        *(PychoralAny *)result = pychoral_any(element_of(deque), slot.item);
    pychoral_release(element_of(deque), slot.item);
    pychoral_slot_close(&slot);
}

static void method_len(void *const *arguments, void *result)
{
    *(PychoralInt *)result = pychoral_int(pychoral_deque_len(deque_at(arguments[0])));
}

// deque([1, 2], maxlen=3)
static void method_repr(void *const *arguments, void *result)
{
    PychoralDeque *deque = deque_at(arguments[0]);
    PychoralBuild build = {0};
    pychoral_build_text(&build, "deque(");
    bool shows = pychoral_build_str(&build, pychoral_repr(items_ref(deque)));
    if (shows && deque->most >= 0) {
        pychoral_build_text(&build, ", maxlen=");
        shows = pychoral_build_str(&build, pychoral_int_repr(pychoral_int(deque->most)));
    }
    pychoral_build_text(&build, ")");
    *(PychoralStr **)result = shows ? pychoral_build_end(&build) : pychoral_build_drop(&build);
}

static const PychoralField TWO[] = {{.type = &pychoral_type_object},
                                    {.type = &pychoral_type_object}};
static const PychoralField INDEXED[] = {{.type = &pychoral_type_object},
                                        {.type = &pychoral_type_int}};
#define METHOD(name_, count_, fields_, result_)                                                   \
    {.kind = PYCHORAL_FUNCTION, .size = sizeof(PychoralFunction *), .count = (count_),            \
     .fields = (fields_), .element = &(result_), .name = (name_)}
static const PychoralType COPY = METHOD("__copy__", 1, TWO, pychoral_type_object),
                          DEEPCOPY = METHOD("__deepcopy__", 2, TWO, pychoral_type_object),
                          EQ = METHOD("__eq__", 2, TWO, pychoral_type_bool),
                          GETITEM = METHOD("__getitem__", 2, INDEXED, pychoral_type_object),
                          LEN = METHOD("__len__", 1, TWO, pychoral_type_int),
                          REPR = METHOD("__repr__", 1, TWO, pychoral_type_str);

const PychoralMethod pychoral_deque_methods[PYCHORAL_DEQUE_METHODS] = {
    {"__copy__", &COPY, method_copy},          {"__deepcopy__", &DEEPCOPY, method_deepcopy},
    {"__eq__", &EQ, method_eq},                {"__getitem__", &GETITEM, method_getitem},
    {"__len__", &LEN, method_len},             {"__repr__", &REPR, method_repr}};
