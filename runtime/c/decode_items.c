// decode_items.c - frames to values: lists, tuples, dicts, sets, dataclasses (PROTOCOL.md 5.1).
//
// Memory is taken in proportion to what has been read, never to what a count claims.

#include <stdio.h>
#include <stdlib.h>

#include "builtins/object.h"
#include "hash_collisions.h"
#include "cycles.h"
#include "reader.h"

// Items that are given room before any was seen.
enum { RESERVE = 1024 };

static bool enter(Reader *r)
{
    if (r->depth == PYCHORAL_MAX_DEPTH)
        return pychoral_read_fault(r, "at most 128 nested levels", "a deeper value");
    r->depth++;
    return true;
}

static size_t reserve(uint32_t count) { return count < RESERVE ? count : RESERVE; }

static bool in_item(Reader *r, size_t index)
{
    if (!r->quiet)
        pychoral_step_index(r->why, index);
    return false;
}

// An array of what came, checked, with its marker taken; `count` is without the marker.
static bool open_marked(Reader *r, const PychoralType *type, Came came, uint32_t *count,
                        Extension *marker)
{
    if (pychoral_came(r) != came)
        return pychoral_read_refuse(r, type);
    if (!pychoral_read_array(r, type, count) || !pychoral_read_extension(r, marker))
        return false;
    r->claimed--;
    --*count;
    return enter(r);
}

static bool open_plain_marker(Reader *r, const PychoralType *type, Came came, uint32_t *count)
{
    Extension marker;
    if (!open_marked(r, type, came, count, &marker))
        return false;
    return marker.size == 0 ||
           pychoral_read_fault(r, type->name, "something that is not a value");
}

// ---- lists of any items ----

// Whether all items so far are of the one kind that would have to travel in bulk.
typedef enum Run { RUN_START, RUN_INTS, RUN_FLOATS, RUN_BROKEN } Run;

static Run run_of(const Reader *r)
{
    unsigned b = r->at < r->end ? *r->at : 0xc1;
    if (b == 0xcb)
        return RUN_FLOATS;
    if (b <= 0x7f || b >= 0xe0 || (b >= 0xcc && b <= 0xce) || (b >= 0xd0 && b <= 0xd3))
        return RUN_INTS;
    return b == 0xcf && bytes_left(r) > 1 && r->at[1] < 0x80 ? RUN_INTS : RUN_BROKEN;
}

static inline Run next_run(Run run, const Reader *r)
{
    if (run == RUN_BROKEN)
        return run;
    Run item = run_of(r);
    return run == RUN_START || run == item ? item : RUN_BROKEN;
}

static bool read_narrow_item(Reader *r, PychoralList *list)
{
    PychoralInt item;
    if (!pychoral_read_int(r, list->object.type->element, &item))
        return false;
    if (pychoral_list_append(list, &item))
        return true;
    pychoral_release(&pychoral_type_int, &item);
    return pychoral_read_no_memory(r);
}

static bool read_wide_item(Reader *r, PychoralList *list)
{
    const PychoralType *element = list->object.type->element;
    if (list->count == list->capacity && !pychoral_list_writable(list, list->count + 1))
        return pychoral_read_no_memory(r);
    if (!read_value(r, element, (char *)list->items + list->count * element->size))
        return false;
    list->count++;
    return true;
}

static bool read_items(Reader *r, PychoralList *list, uint32_t count, bool bulk)
{
    Run run = bulk ? RUN_START : RUN_BROKEN;
    for (uint32_t i = 0; i < count; i++) {
        r->claimed--;
        run = next_run(run, r);
        if (!(list->narrow ? read_narrow_item(r, list) : read_wide_item(r, list)))
            return in_item(r, i);
    }
    return !bulk || run == RUN_BROKEN ||
           pychoral_read_junk(r, "numbers that must be encoded as one block");
}

static bool fill_list(Reader *r, const PychoralType *type, uint32_t count, bool bulk,
                      PychoralList **out)
{
    PychoralList *list = pychoral_list_new(type, reserve(count));
    if (list == NULL)
        return pychoral_read_no_memory(r);
    if (!read_items(r, list, count, bulk)) {
        pychoral_release(type, &list);
        return false;
    }
    r->depth--;
    *out = list;
    return true;
}

bool pychoral_read_sequence(Reader *r, const PychoralType *type, void *out)
{
    uint32_t count;
    return open_plain_marker(r, type, CAME_TUPLE, &count) && fill_list(r, type, count, false, out);
}

// ---- lists of numbers ----

// The raw data of ext 9 or 10, in the value or in a frame of its own.
typedef struct Bulk {
    unsigned code;
    const unsigned char *data;
    size_t size;
    PychoralBuffer *owner;
} Bulk;

static bool open_bulk(Reader *r, Bulk *bulk)
{
    Extension extension;
    if (!pychoral_read_extension(r, &extension))
        return false;
    *bulk = (Bulk){extension.code, extension.body, extension.size, NULL};
    if (extension.code != EXT_OUTSIDE)
        return extension.size < PYCHORAL_LARGE ||
               pychoral_read_junk(r, "a large part without a separate frame");
    const PychoralFrame *frame;
    if (extension.size != 3 || load16(extension.body + 1) != r->next)
        return pychoral_read_junk(r, "a wrong frame number");
    if (!pychoral_read_outside(r, &frame))
        return false;
    *bulk = (Bulk){extension.body[0], frame->data, frame->size, frame->owner};
    return true;
}

static bool is_aligned(const void *data) { return (uintptr_t)data % sizeof(double) == 0; }

// The numbers as they are, into a list that stores them so.
static bool take_numbers(Reader *r, const PychoralType *type, const Bulk *bulk, PychoralList **out)
{
    bool narrow = bulk->code == EXT_INTS;
    size_t count = bulk->size / 8;
    if (bulk->owner != NULL && is_aligned(bulk->data)) {
        *out = pychoral_list_borrow(type, count, narrow, bulk->owner, bulk->data);
        return *out != NULL || pychoral_read_no_memory(r);
    }
    PychoralList *list = pychoral_list_filled(type, count, narrow);
    if (list == NULL)
        return pychoral_read_no_memory(r);
    memcpy(list->items, bulk->data, bulk->size);
    *out = list;
    return true;
}

// One number, in the form that it has on its own.
static size_t write_number(unsigned code, const unsigned char *from, unsigned char *to)
{
    uint64_t bits;
    memcpy(&bits, from, sizeof bits);
    int64_t number = (int64_t)bits;
    if (code == EXT_INTS && number >= -32 && number <= 0x7f) {
        to[0] = (unsigned char)number;
        return 1;
    }
    // Of 2, 4 or 8 bytes, as many as it needs; then the last ones of the eight are the number.
    size_t size = code == EXT_FLOATS ? 8 : 1;
    while (size < 8 && number >> (8 * size - (number < 0)) != (number < 0 ? -1 : 0))
        size *= 2;
    unsigned char all[8];
    store64(all, bits);
    static const unsigned char log2_of[] = {[1] = 0, [2] = 1, [4] = 2, [8] = 3};
    to[0] = (unsigned char)(code == EXT_FLOATS ? 0xcb : (number < 0 ? 0xd0 : 0xcc) + log2_of[size]);
    memcpy(to + 1, all + 8 - size, size);
    return 1 + size;
}

// Into items of another type: each as if it had come alone.
static bool read_number(Reader *r, PychoralList *list, unsigned code, const unsigned char *from)
{
    const PychoralType *element = list->object.type->element;
    void *place = (char *)list->items + list->count * element->size;
    int64_t number;
    memcpy(&number, from, sizeof number);
    if (element->kind == PYCHORAL_FLOAT && code == EXT_INTS && r->convert != CONVERT_NONE) {
        *(double *)place = (double)number;
        list->count++;
        return true;
    }
    unsigned char alone[9];
    Reader single = *r;
    single.at = alone;
    single.end = alone + write_number(code, from, alone);
    bool done = read_value(&single, element, place);
    r->tries = single.tries;
    list->count += done;
    return done;
}

static bool convert_numbers(Reader *r, const PychoralType *type, const Bulk *bulk,
                            PychoralList **out)
{
    size_t count = bulk->size / 8;
    PychoralList *list = pychoral_list_new(type, count < RESERVE ? count : RESERVE);
    if (list == NULL)
        return pychoral_read_no_memory(r);
    if (!pychoral_list_widen(list))
        return pychoral_release(type, &list), pychoral_read_no_memory(r);
    for (size_t i = 0; i < count; i++) {
        bool room = list->count < list->capacity || pychoral_list_writable(list, i + 1);
        if (!room || !read_number(r, list, bulk->code, bulk->data + 8 * i)) {
            pychoral_release(type, &list);
            return room ? in_item(r, i) : pychoral_read_no_memory(r);
        }
    }
    *out = list;
    return true;
}

static bool read_bulk(Reader *r, const PychoralType *type, PychoralList **out)
{
    Bulk bulk;
    if (!open_bulk(r, &bulk))
        return false;
    if (bulk.size % 8 != 0 || bulk.size / 8 < PYCHORAL_BULK)
        return pychoral_read_junk(r, "a block of numbers that are too few or cut off");
    bool as_they_are = type->element->kind == (bulk.code == EXT_INTS ? PYCHORAL_INT
                                                                     : PYCHORAL_FLOAT);
    return as_they_are ? take_numbers(r, type, &bulk, out) : convert_numbers(r, type, &bulk, out);
}

bool pychoral_read_list(Reader *r, const PychoralType *type, void *out)
{
    uint32_t count;
    if (pychoral_came(r) != CAME_LIST)
        return pychoral_read_refuse(r, type);
    if (*r->at >= 0xc7 && *r->at <= 0xd8)
        return read_bulk(r, type, out);
    return pychoral_read_array(r, type, &count) && enter(r) &&
           fill_list(r, type, count, count >= PYCHORAL_BULK, out);
}

// ---- tuples, dataclasses ----

// What has been read is released if a later field is wrong.
static __attribute__((cold)) bool undo_fields(Reader *r, const PychoralType *type, char *out,
                                              uint32_t wrong)
{
    for (uint32_t k = 0; k < wrong; k++)
        pychoral_release(type->fields[k].type, out + type->fields[k].offset);
    if (type->fields[wrong].name == NULL)
        return in_item(r, wrong);
    if (!r->quiet)
        pychoral_step_field(r->why, type->fields[wrong].name);
    return false;
}

// Fields one after the other. The place is kept at hand, as in write_fields.
static bool read_fields(Reader *r, const PychoralType *type, char *out)
{
    const unsigned char *at = r->at, *end = r->end;
    const PychoralField *field = type->fields;
    for (uint32_t i = 0; i < type->count; i++, field++) {
        const unsigned char *next = take_scalar(at, end, field->type, out + field->offset);
        r->claimed--;
        if (next == NULL) {
            r->at = at;
            if (!pychoral_read_value(r, field->type, out + field->offset))
                return undo_fields(r, type, out, i);
            next = r->at;
        }
        at = next;
    }
    r->at = at;
    r->depth--;
    return true;
}

static bool refuse_count(Reader *r, const char *expected, const char *what, uint32_t count)
{
    char came[40];
    snprintf(came, sizeof came, "%s%u", what, count);
    return pychoral_read_fault(r, expected, came);
}

bool pychoral_read_tuple(Reader *r, const PychoralType *type, void *out)
{
    uint32_t count;
    if (!open_plain_marker(r, type, CAME_TUPLE, &count))
        return false;
    if (count != type->count)
        return refuse_count(r, type->name, "a tuple of ", count);
    return read_fields(r, type, out);
}

static const PychoralType *class_of(const PychoralType *type, uint64_t number)
{
    if (type->number == number)
        return type;
    for (uint32_t i = 0; i < type->derived_count; i++)
        if (type->derived[i]->number == number)
            return type->derived[i];
    return NULL;
}

// What the class says of attributes that are no fields; the others have no value.
static __attribute__((cold)) void begin_attributes(const PychoralType *type, char *object)
{
    for (uint32_t i = type->count; i < type->count + type->more; i++)
        if (type->fields[i].make != NULL)
            type->fields[i].make(object + type->fields[i].offset);
}

static ALWAYS_INLINE bool read_into(Reader *r, const PychoralType *type, PychoralObject *object,
                                    bool is_cyclic, void *out)
{
    if (object == NULL)
        return pychoral_read_no_memory(r);
    *object = (PychoralObject){.head = {.refs = 1}, .type = type};
    if (is_cyclic && !pychoral_cycles_add(object)) {    // nobody looks while a value is read
        free(object);
        return pychoral_read_no_memory(r);
    }
    if (!read_fields(r, type, (char *)object)) {
        if (is_cyclic)
            pychoral_cycles_remove(object);
        free(object);
        return false;
    }
    memcpy(out, &object, sizeof object);
    return true;
}

// An object that can be in a cycle, or has more than its fields.
static NOINLINE bool read_unusual(Reader *r, const PychoralType *type, void *out)
{
    PychoralObject *object = type->more > 0 ? calloc(1, type->body) : malloc(type->body);
    bool done = read_into(r, type, object, (type->flags & PYCHORAL_CYCLIC) != 0, out);
    if (done && type->more > 0)
        begin_attributes(type, (char *)object);
    return done;
}

static NOINLINE bool refuse_fields(Reader *r, const PychoralType *type, uint32_t count)
{
    char expected[200];
    snprintf(expected, sizeof expected, "the %u fields of %s", type->count,
             pychoral_shown_type(type));
    return refuse_count(r, expected, "", count);
}

static ALWAYS_INLINE bool read_object_of(Reader *r, const PychoralType *type, uint32_t count,
                                         void *out)
{
    if (count != type->count)
        return refuse_fields(r, type, count);
    return (type->flags & PYCHORAL_CYCLIC) || type->more > 0
               ? read_unusual(r, type, out)
               : read_into(r, type, malloc(type->body), false, out);
}

// The count of fields and the type number behind the marker, in whatever form they are.
static bool open_object(Reader *r, const PychoralType *type, uint32_t *count, uint64_t *number)
{
    Extension marker;
    if (!open_marked(r, type, CAME_DATACLASS, count, &marker))
        return false;
    const unsigned char *end = marker.body + marker.size;
    if (!pychoral_read_uint(r, &marker.body, end, number))
        return false;
    return marker.body == end || pychoral_read_junk(r, "extra bytes after the number of a type");
}

// The same for a class of up to 14 fields whose number has a byte, as nearly all are.
static ALWAYS_INLINE bool open_small_object(Reader *r)
{
    const unsigned char *at = r->at;
    if (bytes_left(r) < 4 || (at[0] & 0xf0) != 0x90 || at[1] != 0xd4 || at[2] != EXT_DATACLASS ||
        at[3] > 0x7f || r->depth == PYCHORAL_MAX_DEPTH)
        return false;
    uint32_t items = at[0] & 0x0f;
    size_t left = bytes_left(r) - 1;
    if (items == 0 || items > left || r->claimed > left - items)
        return false;
    r->claimed += items - 1;
    r->depth++;
    r->at += 4;
    return true;
}

static ALWAYS_INLINE bool read_numbered(Reader *r, const PychoralType *type, uint64_t number,
                                        uint32_t count, const unsigned char *start, void *out)
{
    const PychoralType *class = class_of(type, number);
    if (class != NULL)
        return read_object_of(r, class, count, out);
    r->at = start;
    return pychoral_read_refuse(r, type);
}

static NOINLINE bool read_large_object(Reader *r, const PychoralType *type, void *out)
{
    const unsigned char *start = r->at;
    uint32_t count;
    uint64_t number;
    return open_object(r, type, &count, &number) &&
           read_numbered(r, type, number, count, start, out);
}

bool pychoral_read_object(Reader *r, const PychoralType *type, void *out)
{
    const unsigned char *start = r->at;
    if (!open_small_object(r))
        return read_large_object(r, type, out);
    return read_numbered(r, type, start[3], (start[0] & 0x0f) - 1u, start, out);
}

// ---- dicts, sets ----

// One that is there already is left out: fill_table says so when the others are read, since a fault
// inside of one of those comes first (readers.py).
static bool take_in(Reader *r, PychoralTable *table, void *key, void *value)
{
    const PychoralType *type = table->object.type;
    PychoralPut put = pychoral_table_commit(table);
    if (put == PYCHORAL_PUT_NEW)
        return true;
    pychoral_release(value == NULL ? type->element : type->key, key);
    if (value != NULL)
        pychoral_release(type->element, value);
    return put == PYCHORAL_PUT_REPLACED ||
           pychoral_read_fault(r, type->name, value == NULL ? "a set with an unhashable element"
                                                            : "a dict with an unhashable key");
}

static bool refuse_duplicate(Reader *r, const PychoralType *type)
{
    return type->kind == PYCHORAL_DICT
               ? pychoral_read_junk(r, "a dict with a duplicate key")
               : pychoral_read_fault(r, type->name, "a set with a duplicate element");
}

// As the type that the key has; kept as any value is.
static bool read_known(Reader *r, const PychoralType *type, PychoralAny *out)
{
    if (type->kind == PYCHORAL_OBJECT)
        return pychoral_read_value(r, type, out);
    void *room = malloc(type->size);
    if (room == NULL)
        return pychoral_read_no_memory(r);
    bool done = pychoral_read_value(r, type, room);
    if (done) {
        *out = pychoral_any(type, room);
        pychoral_release(type, room);
    }
    free(room);
    return done;
}

static bool read_pair(Reader *r, const PychoralType *wire, PychoralTable *table)
{
    const PychoralType *type = table->object.type;
    void *key, *value;
    if (!pychoral_table_spot(table, &key, &value))
        return pychoral_read_no_memory(r);
    r->claimed--;
    if (!read_value(r, type->key, key)) {
        if (!r->quiet)
            pychoral_step(r->why, "(a key)");
        return false;
    }
    r->claimed--;
    const PychoralType *known =
        wire->kind == PYCHORAL_LITERAL ? pychoral_known_key(wire, type->key, key) : NULL;
    if (known != NULL ? !read_known(r, known, value) : !read_value(r, type->element, value)) {
        if (!r->quiet)
            pychoral_step_key(r->why, type->key, key);
        pychoral_release(type->key, key);
        return false;
    }
    return take_in(r, table, key, value);
}

static bool read_element(Reader *r, const PychoralType *wire, PychoralTable *table)
{
    (void)wire;
    void *key;
    if (!pychoral_table_spot(table, &key, NULL))
        return pychoral_read_no_memory(r);
    r->claimed--;
    if (!read_value(r, table->object.type->element, key)) {
        if (!r->quiet)
            pychoral_step(r->why, "(an element)");
        return false;
    }
    return take_in(r, table, key, NULL);
}

typedef bool Entry(Reader *r, const PychoralType *wire, PychoralTable *table);

static bool fill_table(Reader *r, const PychoralType *wire, uint32_t count, Entry *read_entry,
                       PychoralTable **out)
{
    const PychoralType *type = wire->kind == PYCHORAL_LITERAL ? wire->element : wire;
    PychoralTable *table = pychoral_table_reading(type, reserve(count));
    if (table == NULL)
        return pychoral_read_no_memory(r);
    for (uint32_t i = 0; i < count; i++)
        if (!read_entry(r, wire, table)) {
            pychoral_release(type, &table);
            return false;
        }
    PychoralCollisions crowd = pychoral_table_collisions(table);
    if (crowd != PYCHORAL_CROWD_NONE) {
        pychoral_release(type, &table);
        return crowd == PYCHORAL_CROWD_MEMORY
                   ? pychoral_read_no_memory(r)
                   : pychoral_read_fault(r, type->name, type->kind == PYCHORAL_DICT
                         ? "one with " PYCHORAL_CROWD_TEXT("keys")
                         : "one with " PYCHORAL_CROWD_TEXT("elements"));
    }
    if (table->count < count) {
        pychoral_release(type, &table);
        return refuse_duplicate(r, type);
    }
    pychoral_table_settle(table);
    r->depth--;
    *out = table;
    return true;
}

bool pychoral_read_dict(Reader *r, const PychoralType *type, void *out)
{
    uint32_t count;
    return pychoral_read_map(r, type, &count) && enter(r) &&
           fill_table(r, type, count, read_pair, out);
}

bool pychoral_read_set(Reader *r, const PychoralType *type, void *out)
{
    uint32_t count;
    Came came = type->kind == PYCHORAL_SET ? CAME_SET : CAME_FROZENSET;
    return open_plain_marker(r, type, came, &count) &&
           fill_table(r, type, count, read_element, out);
}

// ---- arrays of numbers ----

// Dtype, dimensions, data.
typedef struct Numbers {
    unsigned dtype, dimensions;
    uint64_t shape[PYCHORAL_MAX_DIMENSIONS];
    const unsigned char *data;
    size_t size;
    PychoralBuffer *owner;
} Numbers;

static bool read_shape(Reader *r, const unsigned char *body, size_t size, Numbers *numbers)
{
    if (size < 2 || pychoral_dtype_size(body[0]) == 0 || body[1] > PYCHORAL_MAX_DIMENSIONS ||
        size - 2 < (size_t)body[1] * 8)
        return pychoral_read_junk(r, "an array without dtype and shape");
    numbers->dtype = body[0];
    numbers->dimensions = body[1];
    for (unsigned i = 0; i < numbers->dimensions; i++)
        numbers->shape[i] = load64(body + 2 + 8 * i);
    numbers->data = body + 2 + 8 * numbers->dimensions;
    numbers->size = size - 2 - 8 * (size_t)numbers->dimensions;
    return true;
}

static bool check_numbers(Reader *r, const Numbers *numbers)
{
    size_t size;
    if (!pychoral_array_size(numbers->dtype, numbers->dimensions, numbers->shape, &size) ||
        size != numbers->size)
        return pychoral_read_junk(r, "an array whose data is not of its shape");
    for (size_t i = 0; numbers->dtype == PYCHORAL_DTYPE_BOOL && i < size; i++)
        if (numbers->data[i] > 1)
            return pychoral_read_junk(r, "an array of bools with something else in it");
    return true;
}

static bool open_numbers(Reader *r, Numbers *numbers)
{
    Extension extension;
    const PychoralFrame *frame;
    if (!pychoral_read_extension(r, &extension))
        return false;
    numbers->owner = NULL;
    if (extension.code == EXT_NDARRAY)
        return read_shape(r, extension.body, extension.size, numbers) &&
               (numbers->size < PYCHORAL_LARGE ||
                pychoral_read_junk(r, "a large part without a separate frame"));
    if (extension.size < 3 || load16(extension.body + 1) != r->next)
        return pychoral_read_junk(r, "a wrong frame number");
    if (!read_shape(r, extension.body + 3, extension.size - 3, numbers))
        return false;
    if (numbers->size != 0)
        return pychoral_read_junk(r, "extra bytes after a shape");
    if (!pychoral_read_outside(r, &frame))
        return false;
    numbers->data = frame->data;
    numbers->size = frame->size;
    numbers->owner = frame->owner;
    return true;
}

bool pychoral_read_array_of_numbers(Reader *r, const PychoralType *type, void *out)
{
    Numbers numbers;
    if (pychoral_came(r) != CAME_NDARRAY)
        return pychoral_read_refuse(r, type);
    if (!open_numbers(r, &numbers) || !check_numbers(r, &numbers))
        return false;
    if (type->number != PYCHORAL_DTYPE_ANY && type->number != numbers.dtype)
        return pychoral_read_fault(r, type->name, "an ndarray of another dtype");
    PychoralArray *array;
    if (numbers.owner != NULL) {
        array = pychoral_array_borrow(numbers.dtype, numbers.dimensions, numbers.shape,
                                      numbers.owner, numbers.data);
    } else {
        array = pychoral_array_new(numbers.dtype, numbers.dimensions, numbers.shape);
        if (array != NULL && numbers.size != 0)
            memcpy((void *)array->data, numbers.data, numbers.size);
    }
    memcpy(out, &array, sizeof array);
    return array != NULL || pychoral_read_no_memory(r);
}
