// iterating.c - iterators over containers; contracts in iterating.h and object.h.

#include "iterating.h"

#include <stdlib.h>
#include <string.h>

#include "../modules/deque.h"
#include "call.h"
#include "dict.h"
#include "items.h"
#include "range.h"
#include "str.h"
#include "table.h"

const PychoralType pychoral_type_iterator = {
    .kind = PYCHORAL_ITERATOR, .size = sizeof(PychoralIterator *), .element = &pychoral_type_object,
    .name = "iterator"};

// A row that is not the program's (PYCHORAL_ITERATOR_ROW) stands behind the cells.
PychoralIterator *pychoral_iterator_new(const PychoralType *type, const PychoralType *held,
                                        bool (*next)(PychoralIterator *self, void *item))
{
    size_t cells = held == NULL ? 0 : ((size_t)held->size + 15) / 16 * 16;
    size_t row = type->body == 0 ? 0 : sizeof(PychoralType);
    PychoralIterator *iterator = pychoral_allocate_zeroed(1, sizeof *iterator + cells + row);
    if (row != 0)
        type = memcpy(iterator->cells + cells, type, row);
    iterator->object = (PychoralObject){.head = {.refs = 1}, .type = type};
    iterator->held = held;
    iterator->next = next;
    return iterator;
}

// What iterators over containers hold: the container, and where they are.
typedef struct Walk {
    PychoralAny over;    // nothing: the end was reached
    int64_t at;
    uint32_t count;      // of a table, when it was begun
    bool as_it_is;       // the items have the row that is wanted
} Walk;

static const PychoralField WALK_FIELDS[] = {
    {.type = &pychoral_type_object, .offset = offsetof(Walk, over)}};
static const PychoralType WALK = {.kind = PYCHORAL_TUPLE, .size = sizeof(Walk), .count = 1,
                                  .fields = WALK_FIELDS, .name = "iterator"};

static Walk *walk_of(PychoralIterator *self) { return (Walk *)self->cells; }

// The walk is over and lets go of what it walked along.
static bool end_walk(PychoralIterator *self)
{
    Walk *walk = walk_of(self);
    PychoralAny over = walk->over;
    walk->over = (PychoralAny){.type = NULL};
    pychoral_release(&pychoral_type_object, &over);
    return false;
}

// Gives an item as the iterator's row has it.
static bool give(PychoralIterator *self, PychoralRef item, void *to)
{
    const PychoralType *row = pychoral_item_row(self);
    if (walk_of(self)->as_it_is)
        pychoral_assign(row, to, item.value);
    else
        pychoral_convert(item.type, item.value, row, to);
    return pychoral_raised == NULL;
}

static PychoralIterator *walk_along(const PychoralType *row, PychoralRef over,
                                    const PychoralType *item,
                                    bool (*next)(PychoralIterator *self, void *item))
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &WALK, next);
    Walk *walk = walk_of(iterator);
    walk->over = pychoral_any(over.type, over.value);
    walk->as_it_is = item != NULL && pychoral_same_type(item, row->element);
    return iterator;
}

// ---- lists and tuples ----

static bool next_of_list(PychoralIterator *self, void *item)
{
    Walk *walk = walk_of(self);
    if (walk->over.type == NULL)
        return false;
    const PychoralList *list = walk->over.pointer;
    if ((uint64_t)walk->at >= list->count)
        return end_walk(self);
    size_t index = (size_t)walk->at++;
    if (walk->as_it_is) {
        pychoral_list_get(list, index, item);
        return true;
    }
    PychoralItems items = {list->count, list, {walk->over.type, NULL}};
    PychoralInt room;
    return give(self, pychoral_item_ref(&items, index, &room), item);
}

const void *pychoral_take_rest(PychoralIterator *iterator, size_t *count)
{
    Walk *walk = walk_of(iterator);
    if (iterator->next != next_of_list || walk->over.type == NULL || !walk->as_it_is)
        return NULL;
    const PychoralList *list = walk->over.pointer;
    size_t at = (size_t)walk->at, size = sizeof(int64_t);
    bool is_int = pychoral_item_row(iterator)->kind == PYCHORAL_INT;
    if (at >= list->count || is_int != list->narrow)
        return NULL;
    if (!is_int)
        size = list->object.type->element->size;
    *count = list->count - at;
    walk->at = (int64_t)list->count;
    return (const char *)list->items + at * size;
}

static bool next_of_tuple(PychoralIterator *self, void *item)
{
    Walk *walk = walk_of(self);
    if (walk->over.type == NULL)
        return false;
    const PychoralType *type = walk->over.type;
    if ((uint64_t)walk->at >= type->count)
        return end_walk(self);
    const PychoralField *field = &type->fields[walk->at++];
    const void *value = walk->over.box->value + field->offset;
    pychoral_convert(field->type, value, pychoral_item_row(self), item);
    return pychoral_raised == NULL;
}

static bool next_reversed(PychoralIterator *self, void *item)
{
    Walk *walk = walk_of(self);
    if (walk->over.type == NULL)
        return false;
    PychoralRef over = {walk->over.type, pychoral_any_value(&walk->over)};
    PychoralItems items = pychoral_items(over);
    if (walk->at < 0 || (uint64_t)walk->at >= items.count)
        return end_walk(self);
    PychoralInt room;
    return give(self, pychoral_item_ref(&items, (size_t)walk->at--, &room), item);
}

// ---- dicts and sets ----

static bool has_changed(const Walk *walk, const PychoralTable *table)
{
    if (walk->count == table->count)
        return false;
    pychoral_throw(&pychoral_type_RuntimeError, "%s changed size during iteration",
                   table->object.type->kind == PYCHORAL_DICT ? "dictionary" : "Set");
    return true;
}

static bool next_of_table(PychoralIterator *self, void *item)
{
    Walk *walk = walk_of(self);
    if (walk->over.type == NULL)
        return false;
    const PychoralTable *table = walk->over.pointer;
    uint32_t position = (uint32_t)walk->at;
    void *key;
    if (has_changed(walk, table))
        return false;
    if (!pychoral_table_next(table, &position, &key, NULL))
        return end_walk(self);
    walk->at = position;
    return give(self, (PychoralRef){pychoral_key_row(table->object.type), key}, item);
}

static bool next_of_table_reversed(PychoralIterator *self, void *item)
{
    Walk *walk = walk_of(self);
    if (walk->over.type == NULL)
        return false;
    const PychoralTable *table = walk->over.pointer;
    void *key;
    if (has_changed(walk, table))
        return false;
    if (!pychoral_table_before(table, &walk->at, &key, NULL))
        return end_walk(self);
    return give(self, (PychoralRef){pychoral_key_row(table->object.type), key}, item);
}

static PychoralIterator *walk_table(const PychoralType *row, PychoralRef over, bool backwards)
{
    const PychoralTable *table = pychoral_pointer_at(over.value);
    PychoralIterator *iterator = walk_along(row, over, pychoral_key_row(table->object.type),
                                            backwards ? next_of_table_reversed : next_of_table);
    walk_of(iterator)->count = table->count;
    walk_of(iterator)->at = backwards ? table->used : 0;
    return iterator;
}

// ---- texts ----

static bool next_of_str(PychoralIterator *self, void *item)
{
    Walk *walk = walk_of(self);
    if (walk->over.type == NULL)
        return false;
    size_t at = (size_t)walk->at;
    PychoralStr *character;
    if (!pychoral_str_next(walk->over.pointer, &at, &character))
        return end_walk(self);
    walk->at = (int64_t)at;
    if (!walk->as_it_is) {
        bool given = give(self, (PychoralRef){&pychoral_type_str, &character}, item);
        pychoral_release(&pychoral_type_str, &character);
        return given;
    }
    memcpy(item, &character, sizeof character);
    return true;
}

static bool next_of_bytes(PychoralIterator *self, void *item)
{
    Walk *walk = walk_of(self);
    if (walk->over.type == NULL)
        return false;
    const PychoralBytes *bytes = walk->over.pointer;
    if ((uint64_t)walk->at >= bytes->size)
        return end_walk(self);
    PychoralInt byte = pychoral_int((unsigned char)bytes->data[walk->at++]);
    return give(self, (PychoralRef){&pychoral_type_int, &byte}, item);
}

// ---- objects ----

// Whether what was raised only says that there is nothing more.
static bool is_end(const PychoralType *kind)
{
    PychoralException *end = pychoral_raised == NULL ? NULL : pychoral_catch(kind);
    if (end != NULL)
        pychoral_handled(end);
    return end != NULL;
}

static bool next_of_object(PychoralIterator *self, void *item)
{
    Walk *walk = walk_of(self);
    if (walk->over.type == NULL)
        return false;
    PychoralRef over = {walk->over.type, pychoral_any_value(&walk->over)};
    pychoral_call_method(pychoral_find_method(over.type, "__next__"), 1, &over,
                         pychoral_item_row(self), item);
    if (is_end(&pychoral_type_StopIteration))
        return end_walk(self);
    return pychoral_raised == NULL;
}

static bool next_by_index(PychoralIterator *self, void *item)
{
    Walk *walk = walk_of(self);
    if (walk->over.type == NULL)
        return false;
    PychoralInt index = pychoral_int(walk->at++);
    PychoralRef arguments[] = {{walk->over.type, pychoral_any_value(&walk->over)},
                               {&pychoral_type_int, &index}};
    pychoral_call_method(pychoral_find_method(walk->over.type, "__getitem__"), 2, arguments,
                         pychoral_item_row(self), item);
    if (is_end(&pychoral_type_IndexError) || is_end(&pychoral_type_StopIteration))
        return end_walk(self);
    return pychoral_raised == NULL;
}

static PychoralIterator *iterate_answer(const PychoralType *row, const PychoralMethod *method,
                                        PychoralRef object)
{
    PychoralAny answer;
    PychoralIterator *iterator = NULL;
    pychoral_call_method(method, 1, &object, &pychoral_type_object, &answer);
    if (pychoral_raised != NULL)
        return NULL;
    PychoralRef seen = pychoral_look(&pychoral_type_object, &answer);
    if (seen.type->kind == PYCHORAL_ITERATOR)
        iterator = pychoral_iterate(row, seen);
    else if (pychoral_find_method(seen.type, "__next__") != NULL)
        iterator = walk_along(row, seen, NULL, next_of_object);
    else
        pychoral_throw(&pychoral_type_TypeError, "iter() returned non-iterator of type '%s'",
                       pychoral_type_name(seen));
    pychoral_release(&pychoral_type_object, &answer);
    return iterator;
}

static PychoralIterator *refuse(PychoralRef seen, const char *how)
{
    pychoral_throw(&pychoral_type_TypeError, "'%s' object is not %s", pychoral_type_name(seen),
                   how);
    return NULL;
}

static PychoralIterator *iterate_object(const PychoralType *row, PychoralRef seen)
{
    if (pychoral_is_deque(seen.type))
        return pychoral_deque_iterate(row, pychoral_pointer_at(seen.value), false);
    const PychoralMethod *method = pychoral_find_method(seen.type, "__iter__");
    if (method != NULL)
        return iterate_answer(row, method, seen);
    if (pychoral_find_method(seen.type, "__getitem__") != NULL)
        return walk_along(row, seen, NULL, next_by_index);
    return refuse(seen, "iterable");
}

// ---- iterators with other rows ----

static bool next_converted(PychoralIterator *self, void *item)
{
    Walk *walk = walk_of(self);
    PychoralIterator *inner = walk->over.pointer;
    const PychoralType *row = pychoral_item_row(inner);
    void *value = pychoral_allocate(row->size);
    bool given = pychoral_next_item(inner, value);
    if (given) {
        given = give(self, (PychoralRef){row, value}, item);
        pychoral_release(row, value);
    }
    free(value);
    return given;
}

static PychoralIterator *iterate_iterator(const PychoralType *row, PychoralRef seen)
{
    PychoralIterator *iterator = pychoral_pointer_at(seen.value);
    PychoralIterator *again = pychoral_view_iter(iterator, row);
    if (again != NULL)
        return again;
    if (!pychoral_same_type(pychoral_item_row(iterator), row->element))
        return walk_along(row, seen, NULL, next_converted);
    pychoral_retain(&pychoral_type_iterator, &iterator);
    return iterator;
}

// ---- all ----

PychoralIterator *pychoral_iterate(const PychoralType *row, PychoralRef iterable)
{
    PychoralRef seen = pychoral_look(iterable.type, iterable.value);
    seen = pychoral_as_tuple(seen, "__iter__");
    PychoralPlain plain = pychoral_plain_of(seen.type, seen.value);
    PychoralRef text = {plain.type, plain.value};
    switch (plain.type->kind) {
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE: {
        const PychoralList *list = pychoral_pointer_at(seen.value);
        return walk_along(row, seen, list->object.type->element, next_of_list);
    }
    case PYCHORAL_TUPLE: return walk_along(row, seen, NULL, next_of_tuple);
    case PYCHORAL_DICT:
    case PYCHORAL_SET:
    case PYCHORAL_FROZENSET: return walk_table(row, seen, false);
    case PYCHORAL_STR: return walk_along(row, text, &pychoral_type_str, next_of_str);
    case PYCHORAL_BYTES: return walk_along(row, text, &pychoral_type_int, next_of_bytes);
    case PYCHORAL_RANGE: return pychoral_range_iter(row, pychoral_pointer_at(seen.value));
    case PYCHORAL_ITERATOR: return iterate_iterator(row, seen);
    case PYCHORAL_DATACLASS: return iterate_object(row, seen);
    default: return refuse(seen, "iterable");
    }
}

PychoralIterator *pychoral_iter(const PychoralType *item, PychoralRef iterable)
{
    PychoralType row = PYCHORAL_ITERATOR_ROW(item);
    return pychoral_iterate(&row, iterable);
}

PychoralIterator *pychoral_iter_of(PychoralRef iterable, const PychoralType *row)
{
    return pychoral_iterate(row, iterable);
}

// ---- reversed ----

static int64_t count_of(PychoralRef seen) { return (int64_t)pychoral_items(seen).count; }

static bool next_by_index_down(PychoralIterator *self, void *item)
{
    Walk *walk = walk_of(self);
    if (walk->over.type == NULL || walk->at < 0)
        return end_walk(self);
    int64_t index = walk->at;
    bool given = next_by_index(self, item);
    walk->at = index - 1;
    return given;
}

static bool next_of_str_down(PychoralIterator *self, void *item)
{
    Walk *walk = walk_of(self);
    if (walk->over.type == NULL || walk->at <= 0)
        return walk->over.type == NULL ? false : end_walk(self);
    const PychoralStr *text = walk->over.pointer;
    do
        walk->at--;
    while ((text->data[walk->at] & 0xc0) == 0x80);
    size_t at = (size_t)walk->at;
    PychoralStr *character;
    pychoral_str_next(text, &at, &character);
    bool given = give(self, (PychoralRef){&pychoral_type_str, &character}, item);
    pychoral_release(&pychoral_type_str, &character);
    return given;
}

static PychoralIterator *reverse_object(const PychoralType *row, PychoralRef seen)
{
    if (pychoral_is_deque(seen.type))
        return pychoral_deque_iterate(row, pychoral_pointer_at(seen.value), true);
    const PychoralMethod *method = pychoral_find_method(seen.type, "__reversed__");
    if (method != NULL)
        return iterate_answer(row, method, seen);
    if (pychoral_find_method(seen.type, "__getitem__") == NULL)
        return refuse(seen, "reversible");
    int64_t count = pychoral_len(seen);
    if (pychoral_raised != NULL)
        return NULL;
    PychoralIterator *iterator = walk_along(row, seen, NULL, next_by_index_down);
    walk_of(iterator)->at = count - 1;
    return iterator;
}

static PychoralIterator *reverse_text(const PychoralType *row, PychoralRef text)
{
    PychoralIterator *iterator = walk_along(row, text, &pychoral_type_str, next_of_str_down);
    walk_of(iterator)->at = (int64_t)((const PychoralStr *)pychoral_pointer_at(text.value))->size;
    return iterator;
}

PychoralIterator *pychoral_reversed(PychoralRef iterable, const PychoralType *row)
{
    PychoralRef seen = pychoral_look(iterable.type, iterable.value);
    seen = pychoral_as_tuple(seen, "__reversed__");
    switch (seen.type->kind) {
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE:
    case PYCHORAL_TUPLE: {
        PychoralIterator *iterator = walk_along(row, seen, NULL, next_reversed);
        walk_of(iterator)->at = count_of(seen) - 1;
        return iterator;
    }
    case PYCHORAL_DICT: return walk_table(row, seen, true);
    case PYCHORAL_STR: return reverse_text(row, seen);
    case PYCHORAL_RANGE: return pychoral_range_reversed(pychoral_pointer_at(seen.value), row);
    case PYCHORAL_DATACLASS: return reverse_object(row, seen);
    default: return refuse(seen, "reversible");
    }
}

// ---- next ----

static bool fetch(PychoralIterator *iterator, const PychoralType *row, void *result)
{
    const PychoralType *own = pychoral_item_row(iterator);
    if (pychoral_same_type(own, row))
        return pychoral_next_item(iterator, result);
    void *item = pychoral_allocate(own->size);
    bool given = pychoral_next_item(iterator, item);
    if (given) {
        pychoral_convert(own, item, row, result);
        pychoral_release(own, item);
    }
    free(item);
    return given;
}

void pychoral_next(PychoralIterator *iterator, const PychoralType *row, void *result)
{
    if (fetch(iterator, row, result))
        return;
    memset(result, 0, row->size);
    if (pychoral_raised == NULL)
        pychoral_throw_with(&pychoral_type_StopIteration, 0, NULL);
}

void pychoral_next_or(PychoralIterator *iterator, PychoralRef missing, const PychoralType *row,
                      void *result)
{
    if (fetch(iterator, row, result))
        return;
    memset(result, 0, row->size);
    if (pychoral_raised == NULL)
        pychoral_convert(missing.type, missing.value, row, result);
}
