// encode.c - values to frames (PROTOCOL.md section 5), in one pass.

#include <stdio.h>
#include <stdlib.h>

#include "builtins/generated.h"
#include "builtins/reduced.h"
#include "codec.h"
#include "hash_collisions.h"
#include "wire.h"

typedef PychoralWriter Writer;

enum {
    FIRST_CAPACITY = 4096,
    SCALAR_ROOM = 32,  // more than any scalar or header takes
};

// ---- room and faults ----

static bool refuse(Writer *w, const char *reason)
{
    snprintf(w->why->came, sizeof w->why->came, "%s", reason);
    return false;
}

static bool no_memory(Writer *w)
{
    w->why->memory = true;
    return false;
}

static bool too_long(Writer *w)
{
    snprintf(w->why->came, sizeof w->why->came,
             "too long to encode: the limit is %d bytes; send it in parts", PYCHORAL_MAX_BYTES);
    return false;
}

static size_t size_of(const Writer *w) { return (size_t)(w->at - w->data); }

static bool fits(const Writer *w, size_t more)
{
    return more <= PYCHORAL_MAX_BYTES && size_of(w) + w->lent <= PYCHORAL_MAX_BYTES - more;
}

static NOINLINE bool grow(Writer *w, size_t more)
{
    size_t size = size_of(w), capacity = (size_t)(w->end - w->data);
    if (!fits(w, more))
        return too_long(w);
    capacity = capacity < FIRST_CAPACITY / 2 ? FIRST_CAPACITY : capacity * 2;
    if (capacity > PYCHORAL_MAX_BYTES)
        capacity = PYCHORAL_MAX_BYTES;
    if (capacity < size + more)
        capacity = size + more;
    PychoralBuffer *buffer = pychoral_buffer_new(capacity);
    if (buffer == NULL)
        return no_memory(w);
    if (size != 0)
        memcpy(buffer->data, w->data, size);
    pychoral_buffer_release(w->buffer);
    w->buffer = buffer;
    w->data = buffer->data;
    w->at = w->data + size;
    w->end = w->data + capacity;
    return true;
}

static inline bool make_room(Writer *w, size_t more)
{
    return (size_t)(w->end - w->at) >= more || grow(w, more);
}

// ---- heads: written at `at`, where room has been made; each answers where it ends ----

typedef unsigned char Byte;

static inline Byte *put8(Byte *at, unsigned byte)
{
    *at = (Byte)byte;
    return at + 1;
}

static inline Byte *put16(Byte *at, unsigned format, uint64_t number)
{
    *at = (Byte)format;
    store16(at + 1, (uint16_t)number);
    return at + 3;
}

static inline Byte *put32(Byte *at, unsigned format, uint64_t number)
{
    *at = (Byte)format;
    store32(at + 1, (uint32_t)number);
    return at + 5;
}

static inline Byte *put64(Byte *at, unsigned format, uint64_t number)
{
    *at = (Byte)format;
    store64(at + 1, number);
    return at + 9;
}

static inline Byte *put_uint(Byte *at, uint64_t number)
{
    if (number < 0x80)
        return put8(at, (unsigned)number);
    if (number <= UINT8_MAX)
        return put8(put8(at, 0xcc), (unsigned)number);
    if (number <= UINT16_MAX)
        return put16(at, 0xcd, number);
    return number <= UINT32_MAX ? put32(at, 0xce, number) : put64(at, 0xcf, number);
}

static ALWAYS_INLINE Byte *put_int(Byte *at, int64_t number)
{
    if (number >= 0)
        return put_uint(at, (uint64_t)number);
    if (number >= -32)
        return put8(at, (unsigned)(number & 0xff));
    if (number >= INT8_MIN)
        return put8(put8(at, 0xd0), (unsigned)(number & 0xff));
    if (number >= INT16_MIN)
        return put16(at, 0xd1, (uint64_t)number);
    return number >= INT32_MIN ? put32(at, 0xd2, (uint64_t)number)
                               : put64(at, 0xd3, (uint64_t)number);
}

static inline Byte *put_float(Byte *at, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return put64(at, 0xcb, bits);
}

static inline Byte *put_array(Byte *at, uint64_t count)
{
    if (count < 16)
        return put8(at, 0x90 | (unsigned)count);
    return count <= UINT16_MAX ? put16(at, 0xdc, count) : put32(at, 0xdd, count);
}

static Byte *put_map(Byte *at, uint64_t count)
{
    if (count < 16)
        return put8(at, 0x80 | (unsigned)count);
    return count <= UINT16_MAX ? put16(at, 0xde, count) : put32(at, 0xdf, count);
}

static inline Byte *put_extension(Byte *at, unsigned code, size_t size)
{
    if (size == 1 || size == 2 || size == 4 || size == 8 || size == 16)
        at = put8(at, 0xd4 + (unsigned)__builtin_ctzl(size));
    else if (size <= UINT8_MAX)
        at = put8(put8(at, 0xc7), (unsigned)size);
    else
        at = size <= UINT16_MAX ? put16(at, 0xc8, size) : put32(at, 0xc9, size);
    return put8(at, code);
}

// Most strings are short: a call would take longer than they do.
static inline Byte *put_bytes(Byte *at, const char *bytes, size_t size)
{
    if (size >= 8 && size <= 16) {
        uint64_t first, last;
        memcpy(&first, bytes, 8);
        memcpy(&last, bytes + size - 8, 8);
        memcpy(at, &first, 8);
        memcpy(at + size - 8, &last, 8);
    } else if (size != 0) {
        memcpy(at, bytes, size);
    }
    return at + size;
}

// ---- ints, strings ----

static NOINLINE bool write_big(Writer *w, const PychoralBig *big)
{
    bool negative = (big->head.flags & PYCHORAL_NEGATIVE) != 0;
    if (big->count == 1 && !negative) {
        w->at = put64(w->at, 0xcf, big->limbs[0]);
        return true;
    }
    size_t size = pychoral_big_size(big);
    if (!make_room(w, size + SCALAR_ROOM))
        return false;
    w->at = put_extension(w->at, EXT_INT, size);
    pychoral_big_to_bytes(big, w->at, size);
    w->at += size;
    return true;
}

static bool write_int(Writer *w, PychoralInt number)
{
    if (number.big == NULL)
        w->at = put_int(w->at, number.small);
    else if (number.big == PYCHORAL_BOOL_MARK)
        w->at = put8(w->at, number.small ? 0xc3 : 0xc2);
    else
        return write_big(w, number.big);
    return true;
}

static bool write_str(Writer *w, const PychoralStr *text)
{
    if (text->head.flags & PYCHORAL_SURROGATES)
        return refuse(w, "a str with a lone surrogate, which UTF-8 cannot encode");
    if (!make_room(w, text->size + SCALAR_ROOM))
        return false;
    Byte *at = w->at;
    if (text->size < 32)
        at = put8(at, 0xa0 | (unsigned)text->size);
    else if (text->size <= UINT8_MAX)
        at = put8(put8(at, 0xd9), (unsigned)text->size);
    else
        at = text->size <= UINT16_MAX ? put16(at, 0xda, text->size) : put32(at, 0xdb, text->size);
    w->at = put_bytes(at, text->data, text->size);
    return true;
}

static bool write_small_bytes(Writer *w, const PychoralBytes *bytes)
{
    if (!make_room(w, bytes->size + SCALAR_ROOM))
        return false;
    Byte *at = bytes->size <= UINT8_MAX ? put8(put8(w->at, 0xc4), (unsigned)bytes->size)
                                        : put16(w->at, 0xc5, bytes->size);
    w->at = put_bytes(at, bytes->data, bytes->size);
    return true;
}

// ---- frames of their own ----

static bool push_frame(Writer *w, const void *data, size_t size, PychoralBuffer *owner)
{
    if (w->count == w->room) {
        size_t room = w->room == 0 ? 4 : w->room * 2;
        PychoralFrame *frames = realloc(w->frames, room * sizeof *frames);
        if (frames == NULL)
            return no_memory(w);
        w->frames = frames;
        w->room = room;
    }
    w->frames[w->count++] = (PychoralFrame){data, size, owner};
    return true;
}

static PychoralBuffer *copied(const void *data, size_t size)
{
    PychoralBuffer *buffer = pychoral_buffer_new(size);
    if (buffer != NULL)
        memcpy(buffer->data, data, size);
    return buffer;
}

_Static_assert(PYCHORAL_MAX_BYTES / PYCHORAL_LARGE <= PYCHORAL_MAX_BUFFERS,
               "the limit in bytes also keeps the number of frames");

// Lends `data`, which `owner` owns; without an owner a copy.
static bool lend(Writer *w, const void *data, size_t size, PychoralBuffer *owner)
{
    if (!fits(w, size))
        return too_long(w);
    PychoralBuffer *buffer = owner != NULL ? pychoral_buffer_retain(owner) : copied(data, size);
    if (buffer == NULL)
        return no_memory(w);
    if (!push_frame(w, owner != NULL ? data : buffer->data, size, buffer)) {
        pychoral_buffer_release(buffer);
        return false;
    }
    w->lent += size;
    return true;
}

// The value is the first of the frames, so the next buffer's number is one less than their count.
static void write_outside(Writer *w, unsigned what, size_t more)
{
    Byte *at = put8(put_extension(w->at, EXT_OUTSIDE, 3 + more), what);
    store16(at, (uint16_t)(w->count - 1));
    w->at = at + 2;
}

static bool write_bytes(Writer *w, const PychoralBytes *bytes)
{
    if (bytes->size < PYCHORAL_LARGE)
        return write_small_bytes(w, bytes);
    write_outside(w, 0, 0);
    return lend(w, bytes->data, bytes->size, bytes->buffer);
}

static void write_shape(Writer *w, const PychoralArray *array)
{
    Byte *at = put8(put8(w->at, array->dtype), array->dimensions);
    for (unsigned i = 0; i < array->dimensions; i++, at += 8)
        store64(at, array->shape[i]);
    w->at = at;
}

static NOINLINE bool write_array(Writer *w, const PychoralArray *array)
{
    size_t head = 2 + (size_t)array->dimensions * 8;
    bool large = array->size >= PYCHORAL_LARGE;
    if (!make_room(w, head + SCALAR_ROOM + (large ? 0 : array->size)))
        return false;
    if (large) {
        write_outside(w, EXT_NDARRAY, head);
        write_shape(w, array);
        return lend(w, array->data, array->size, array->buffer);
    }
    w->at = put_extension(w->at, EXT_NDARRAY, head + array->size);
    write_shape(w, array);
    w->at = put_bytes(w->at, array->data, array->size);
    return true;
}

// ---- lists of numbers ----

// What an item is on its own: EXT_INTS, EXT_FLOATS or 0.
static unsigned number_kind(const PychoralType *type, const void *item)
{
    pychoral_unwrap(&type, &item);
    if (type->kind == PYCHORAL_FLOAT)
        return EXT_FLOATS;
    return type->kind == PYCHORAL_INT && ((const PychoralInt *)item)->big == NULL ? EXT_INTS : 0;
}

// Whether the list goes in bulk: EXT_INTS, EXT_FLOATS or 0.
static unsigned bulk_kind(const PychoralList *list)
{
    const PychoralType *element = list->object.type->element;
    if (list->count < PYCHORAL_BULK || list->object.type->kind != PYCHORAL_LIST)
        return 0;
    if (list->narrow)
        return EXT_INTS;
    if (element->kind == PYCHORAL_FLOAT)
        return EXT_FLOATS;
    const char *items = list->items;
    unsigned kind = number_kind(element, items);
    for (size_t i = 1; i < list->count && kind != 0; i++)
        if (number_kind(element, items + i * element->size) != kind)
            kind = 0;
    return kind;
}

// The numbers of items that are not stored as such, eight bytes each.
static void gather(const PychoralList *list, unsigned char *to)
{
    const PychoralType *element = list->object.type->element;
    for (size_t i = 0; i < list->count; i++, to += 8) {
        const PychoralType *type = element;
        const void *item = (const char *)list->items + i * element->size;
        pychoral_unwrap(&type, &item);
        memcpy(to, item, 8);  // a double, or what comes first in a PychoralInt
    }
}

static bool lend_gathered(Writer *w, const PychoralList *list)
{
    PychoralBuffer *buffer = pychoral_buffer_new(list->count * 8);
    if (buffer == NULL)
        return no_memory(w);
    gather(list, buffer->data);
    bool done = lend(w, buffer->data, list->count * 8, buffer);
    pychoral_buffer_release(buffer);
    return done;
}

static bool write_bulk(Writer *w, const PychoralList *list, unsigned code)
{
    size_t size = list->count * 8;
    bool stored = list->narrow || list->object.type->element->kind == PYCHORAL_FLOAT;
    if (size >= PYCHORAL_LARGE) {
        write_outside(w, code, 0);
        return stored ? lend(w, list->items, size, list->buffer) : lend_gathered(w, list);
    }
    if (!make_room(w, size + SCALAR_ROOM))
        return false;
    w->at = put_extension(w->at, code, size);
    if (stored)
        memcpy(w->at, list->items, size);
    else
        gather(list, w->at);
    w->at += size;
    return true;
}

// ---- containers ----

static NOINLINE bool write_other(Writer *w, const PychoralType *type, const void *value);

// A value that is written in one step, at `at`, where there is room for it; NULL if it is not.
static ALWAYS_INLINE Byte *put_scalar(Byte *at, const PychoralType *type, const void *value)
{
    if (type->kind == PYCHORAL_INT && ((const PychoralInt *)value)->big == NULL)
        return put_int(at, ((const PychoralInt *)value)->small);
    if (type->kind == PYCHORAL_FLOAT)
        return put_float(at, *(const double *)value);
    if (type->kind == PYCHORAL_BOOL)
        return put8(at, *(const bool *)value ? 0xc3 : 0xc2);
    return type->kind == PYCHORAL_NONE ? put8(at, 0xc0) : NULL;
}

// Up to SCALAR_ROOM bytes can be put without asking.
static ALWAYS_INLINE bool write_value(Writer *w, const PychoralType *type, const void *value)
{
    if (!make_room(w, SCALAR_ROOM))
        return false;
    Byte *end = put_scalar(w->at, type, value);
    if (end == NULL)
        return write_other(w, type, value);
    w->at = end;
    return true;
}

// Leaves an object (a tuple: NULL) in which the fault is. Whether the step to it is on the path.
static __attribute__((cold)) bool leave(Writer *w, const void *object)
{
    if (w->around != NULL)
        w->around[w->left] = object;
    return w->left++ >= w->dropped;
}

static __attribute__((cold)) void leave_field(Writer *w, const PychoralType *type,
                                              const char *base, uint32_t i)
{
    bool shown = leave(w, type->kind == PYCHORAL_TUPLE ? NULL : base);
    if (shown && type->fields[i].name != NULL)
        pychoral_step_field(w->why, type->fields[i].name);
    else if (shown)
        pychoral_step_index(w->why, i);
}

// The values of all fields. The place is kept at hand: what it is in the writer is known late, and
// each field would wait for it.
static bool write_fields(Writer *w, const PychoralType *type, const char *base)
{
    Byte *at = w->at, *end = w->end;
    for (uint32_t i = 0; i < type->count; i++) {
        const PychoralField *field = &type->fields[i];
        const void *value = base + field->offset;
        Byte *next = end - at >= SCALAR_ROOM ? put_scalar(at, field->type, value) : NULL;
        if (next == NULL) {
            w->at = at;
            if (!write_value(w, field->type, value)) {
                leave_field(w, type, base, i);
                return false;
            }
            next = w->at;
            end = w->end;
        }
        at = next;
    }
    w->at = at;
    return true;
}

static const char TOO_DEEP[] = "nested deeper than 128 levels";

static bool enter(Writer *w)
{
    if (w->depth == PYCHORAL_MAX_DEPTH)
        return refuse(w, TOO_DEEP);
    w->depth++;
    return true;
}

static bool write_narrow(Writer *w, const PychoralList *list)
{
    const int64_t *items = list->items;
    if (list->count > PYCHORAL_MAX_BYTES / 9)
        return too_long(w);
    if (!make_room(w, list->count * 9))
        return false;
    Byte *at = w->at;
    for (size_t i = 0; i < list->count; i++)
        at = put_int(at, items[i]);
    w->at = at;
    return true;
}

static bool write_items(Writer *w, const PychoralList *list)
{
    const PychoralType *element = list->object.type->element;
    if (list->narrow)
        return write_narrow(w, list);
    for (size_t i = 0; i < list->count; i++)
        if (!write_value(w, element, (const char *)list->items + i * element->size)) {
            if (leave(w, list))
                pychoral_step_index(w->why, i);
            return false;
        }
    return true;
}

// An array of `count` items, with a marker before them unless `marker` is 0.
static bool open_array(Writer *w, uint64_t count, unsigned marker)
{
    if (count >= UINT32_MAX)
        return too_long(w);
    Byte *at = put_array(w->at, count + (marker != 0));
    w->at = marker != 0 ? put_extension(at, marker, 0) : at;
    return enter(w);
}

static NOINLINE bool write_list(Writer *w, const PychoralList *list)
{
    unsigned bulk = bulk_kind(list);
    if (bulk != 0)
        return write_bulk(w, list, bulk);
    bool tuple = list->object.type->kind == PYCHORAL_SEQUENCE;
    bool done = open_array(w, list->count, tuple ? EXT_TUPLE : 0) && write_items(w, list);
    w->depth--;
    return done;
}

static bool write_tuple(Writer *w, const PychoralType *type, const char *value)
{
    if (!open_array(w, type->count, EXT_TUPLE))
        return false;
    bool done = write_fields(w, type, value);
    w->depth--;
    return done;
}

static bool refuse_crowd(Writer *w, const PychoralTable *table)
{
    PychoralKind kind = table->object.type->kind;
    snprintf(w->why->came, sizeof w->why->came, "a %s with %s",
             kind == PYCHORAL_DICT ? "dict" : kind == PYCHORAL_SET ? "set" : "frozenset",
             kind == PYCHORAL_DICT ? PYCHORAL_CROWD_TEXT("keys") : PYCHORAL_CROWD_TEXT("elements"));
    return false;
}

// Keys that the program tells apart and the wire does not would arrive as one (PROTOCOL.md 5.2).
static bool check_keys(Writer *w, const PychoralTable *table, const PychoralType *key_type)
{
    PychoralCollisions crowd = pychoral_table_collisions(table);
    if (crowd != PYCHORAL_CROWD_NONE)
        return crowd == PYCHORAL_CROWD_MEMORY ? no_memory(w) : refuse_crowd(w, table);
    if (!table->identity)
        return true;
    PychoralTable *seen = pychoral_table_reading(table->object.type, table->count);
    PychoralPut put = seen == NULL ? PYCHORAL_PUT_MEMORY : PYCHORAL_PUT_NEW;
    void *key, *place;
    for (uint32_t at = 0; put == PYCHORAL_PUT_NEW && pychoral_table_next(table, &at, &key, NULL);) {
        if (pychoral_table_spot(seen, &place, NULL)) {
            memcpy(place, key, key_type->size);
            put = pychoral_table_commit(seen);
        } else {
            put = PYCHORAL_PUT_MEMORY;
        }
    }
    if (seen != NULL) {  // its keys are borrowed
        free(seen->entries);
        free(seen->index);
        free(seen);
    }
    if (put == PYCHORAL_PUT_MEMORY)
        return no_memory(w);
    if (put == PYCHORAL_PUT_NEW)
        return true;
    bool dict = table->object.type->kind == PYCHORAL_DICT;
    return refuse(w, dict ? "a dict with two keys that have the same encoding"
                          : "a set with two elements that have the same encoding");
}

static bool write_pairs(Writer *w, const PychoralTable *table)
{
    const PychoralType *type = table->object.type;
    void *key, *value;
    for (uint32_t position = 0; pychoral_table_next(table, &position, &key, &value);)
        if (!write_value(w, type->key, key) || !write_value(w, type->element, value)) {
            if (leave(w, table))
                pychoral_step_key(w->why, type->key, key);
            return false;
        }
    return true;
}

static NOINLINE bool write_dict(Writer *w, const PychoralTable *table)
{
    if (!check_keys(w, table, table->object.type->key))
        return false;
    w->at = put_map(w->at, table->count);
    if (!enter(w) || !write_pairs(w, table))
        return false;
    w->depth--;
    return true;
}

static NOINLINE bool write_set(Writer *w, const PychoralTable *table, unsigned marker)
{
    const PychoralType *element = table->object.type->element;
    if (!check_keys(w, table, element) || !open_array(w, table->count, marker))
        return false;
    void *key;
    for (uint32_t position = 0; pychoral_table_next(table, &position, &key, NULL);)
        if (!write_value(w, element, key)) {
            if (leave(w, table))
                pychoral_step(w->why, "(an element)");
            return false;
        }
    w->depth--;
    return true;
}

static size_t uint_size(uint32_t number)
{
    return number < 0x80 ? 1 : number <= UINT8_MAX ? 2 : number <= UINT16_MAX ? 3 : 5;
}

// The first by name of the attributes that an object has and that are no fields; NULL: none.
static const char *attribute_of(const PychoralObject *object)
{
    const PychoralType *type = object->type;
    const char *first = NULL;
    for (uint32_t i = type->count; i < type->count + type->more; i++) {
        const PychoralField *field = &type->fields[i];
        if (pychoral_attribute_set(object, field) &&
            (first == NULL || strcmp(field->name, first) < 0))
            first = field->name;
    }
    return first;
}

static NOINLINE bool refuse_class(Writer *w, const PychoralType *type, const char *attribute)
{
    char reason[sizeof w->why->came];
    const char *why = pychoral_class_refusal(type);
    bool told = attribute != NULL && !(type->flags & (PYCHORAL_PLAIN | PYCHORAL_DERIVED));
    snprintf(reason, sizeof reason, "%s %s%s%s%s", pychoral_article(type->name), type->name,
             told ? " with the attribute `" : ", ", told ? attribute : why,
             told ? "`, which is not a field" : "");
    return refuse(w, reason);
}

static bool write_enum(Writer *w, const PychoralType *type, uint32_t member)
{
    if (type->flags & PYCHORAL_STAYS)
        return refuse_class(w, type, NULL);
    Byte *at = put_extension(w->at, EXT_ENUM, uint_size(type->number) + uint_size(member));
    w->at = put_uint(put_uint(at, type->number), member);
    return true;
}

static ALWAYS_INLINE bool write_instance(Writer *w, const PychoralObject *object)
{
    const PychoralType *type = object->type;
    Byte *at = put_array(w->at, (uint64_t)type->count + 1);
    at = put_extension(at, EXT_DATACLASS, uint_size(type->number));
    w->at = put_uint(at, type->number);
    if (!enter(w))
        return false;
    bool done = write_fields(w, type, (const char *)object);
    w->depth--;
    return done;
}

// An object that may be no instance of a dataclass, or have more than its fields.
static __attribute__((cold)) NOINLINE bool write_unusual(Writer *w, const PychoralObject *object)
{
    const PychoralType *type = object->type;
    if (type->flags & PYCHORAL_NAMED_TUPLE)
        return write_tuple(w, type->element, (const char *)object);
    if (type == &pychoral_type_type)
        return pychoral_refuse_kind(w->why, type, &object);
    const char *attribute = type->more > 0 ? attribute_of(object) : NULL;
    if (attribute != NULL || (type->flags & (PYCHORAL_STAYS | PYCHORAL_PLAIN)))
        return refuse_class(w, type, attribute);
    return write_instance(w, object);
}

static bool write_object(Writer *w, const PychoralObject *object)
{
    const PychoralType *type = object->type;
    unsigned unusual = type->flags & (PYCHORAL_NAMED_TUPLE | PYCHORAL_STAYS | PYCHORAL_PLAIN);
    return unusual || type->more ? write_unusual(w, object) : write_instance(w, object);
}

static bool write_pointed(Writer *w, PychoralKind kind, const void *to)
{
    if (to == NULL)
        return refuse(w, "a field that has no value");
    switch (kind) {
    case PYCHORAL_STR:
        return write_str(w, to);
    case PYCHORAL_BYTES:
        return write_bytes(w, to);
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE:
        return write_list(w, to);
    case PYCHORAL_DICT:
        return write_dict(w, to);
    case PYCHORAL_SET:
        return write_set(w, to, EXT_SET);
    case PYCHORAL_FROZENSET:
        return write_set(w, to, EXT_FROZENSET);
    case PYCHORAL_DATACLASS:
        return write_object(w, to);
    default:
        return write_array(w, to);
    }
}

static NOINLINE void write_complex(Writer *w, const void *value)
{
    uint64_t bits[2];
    memcpy(bits, value, sizeof bits);
    Byte *at = put_extension(w->at, EXT_COMPLEX, sizeof bits);
    store64(at, bits[0]);
    store64(at + 8, bits[1]);
    w->at = at + 16;
}

// What the value stands for (PROTOCOL.md 5.6).
static NOINLINE bool write_admitted(Writer *w, const PychoralType *type, const void *value)
{
    bool any = type->kind == PYCHORAL_OBJECT;
    PychoralAny made = pychoral_reduced((PychoralRef){any ? type : type->element, value}, type);
    bool done = write_value(w, &pychoral_type_object, &made) &&
                pychoral_is_readable(type, &made, w->why);
    pychoral_release(&pychoral_type_object, &made);
    return done;
}

static NOINLINE bool write_wrapped(Writer *w, const PychoralType *type, const void *value)
{
    if (type->kind == PYCHORAL_OBJECT && ((const PychoralAny *)value)->type == NULL)
        return refuse(w, "a field that has no value");
    if (type->flags & PYCHORAL_ADMITS)
        return write_admitted(w, type, value);
    pychoral_unwrap(&type, &value);
    return write_value(w, type, value);
}

// What write_value has no short way for.
static bool write_other(Writer *w, const PychoralType *type, const void *value)
{
    switch (type->kind) {
    case PYCHORAL_NONE:
    case PYCHORAL_BOOL:
    case PYCHORAL_FLOAT:
        break;
    case PYCHORAL_INT:
        return write_int(w, *(const PychoralInt *)value);
    case PYCHORAL_COMPLEX:
        write_complex(w, value);
        return true;
    case PYCHORAL_TUPLE:
        return write_tuple(w, type, value);
    case PYCHORAL_ENUM:
        return write_enum(w, type, *(const uint32_t *)value);
    case PYCHORAL_OBJECT:
    case PYCHORAL_LITERAL:
    case PYCHORAL_UNION:
    case PYCHORAL_BOX:
        return write_wrapped(w, type, value);
    case PYCHORAL_STR:
    case PYCHORAL_BYTES:
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE:
    case PYCHORAL_DICT:
    case PYCHORAL_SET:
    case PYCHORAL_FROZENSET:
    case PYCHORAL_DATACLASS:
    case PYCHORAL_NDARRAY:
        return write_pointed(w, type->kind, *(void *const *)value);
    case PYCHORAL_FUNCTION:
    case PYCHORAL_ITERATOR:
    case PYCHORAL_RANGE:
    case PYCHORAL_CHANNEL:
        break;
    }
    return pychoral_refuse_kind(w->why, type, value);
}

// ---- the call ----

static void drop_frames(Writer *w)
{
    for (size_t i = 1; i < w->count; i++)
        pychoral_buffer_release(w->frames[i].owner);
    w->count = 0;
}

// Memory that somebody still reads is left to them.
static void leave_buffer(Writer *w)
{
    w->given = false;
    if (atomic_load_explicit(&w->buffer->refs, memory_order_acquire) == 1)
        return;
    pychoral_buffer_release(w->buffer);
    w->buffer = NULL;
    w->data = w->at = w->end = NULL;
}

// The first frame is the value, whose place is known at the end.
static ALWAYS_INLINE bool start(Writer *w, PychoralWireFault *why)
{
    drop_frames(w);
    if (w->given)
        leave_buffer(w);
    w->at = w->data;
    w->lent = 0;
    w->depth = 0;
    w->why = why;
    w->count = w->room > 0;
    return w->count > 0 || push_frame(w, NULL, 0, NULL);
}

// Once more, to the same fault.
static __attribute__((cold)) void repeat(Writer *w, const PychoralType *type, const void *value,
                                         PychoralWireFault *why)
{
    why->path[w->left = 0] = '\0';
    (void)(start(w, why) && make_room(w, SCALAR_ROOM) && write_other(w, type, value));
}

// Of what is too deep: whether one of the objects around the fault is in itself. Then the fault is
// where it comes for the second time.
static void find_cycle(Writer *w, const PychoralType *type, const void *value,
                       PychoralWireFault *why)
{
    const void *around[PYCHORAL_MAX_DEPTH + 1];
    w->around = around;
    repeat(w, type, value, why);
    w->around = NULL;
    for (unsigned inner = w->left; inner-- > 0 && w->dropped == 0;)
        for (unsigned outer = inner + 1; outer < w->left; outer++)
            if (around[inner] != NULL && around[outer] == around[inner])
                w->dropped = inner + 1;
    if (w->dropped > 0) {
        repeat(w, type, value, why);
        (void)refuse(w, "a reference back to a value that contains it (a cycle)");
    }
    w->dropped = 0;
}

static __attribute__((cold)) NOINLINE bool fail(Writer *w, const PychoralType *type,
                                                 const void *value, PychoralWireFault *why,
                                                 PychoralFault *fault)
{
    if (strcmp(why->came, TOO_DEEP) == 0)
        find_cycle(w, type, value, why);
    w->why = NULL;
    drop_frames(w);
    return pychoral_explain_sent(why, fault);
}

static inline bool finish(Writer *w)
{
    size_t size = size_of(w);
    w->given = size > PYCHORAL_INLINE;
    w->frames[0] = (PychoralFrame){w->data, size, w->given ? w->buffer : NULL};
    return true;
}

static NOINLINE bool encode_any(Writer *w, const PychoralType *type, const void *value,
                                PychoralFault *fault)
{
    PychoralWireFault why;
    why.memory = false;
    why.path[0] = why.came[0] = '\0';
    if (!start(w, &why) || !write_value(w, type, value) || !(fits(w, 0) || too_long(w)))
        return fail(w, type, value, &why, fault);
    w->why = NULL;
    return finish(w);
}

// Whether the value is a scalar, which then is the message, in memory that is there from the one
// before. Without a PychoralWireFault, as in pychoral_decode.
static ALWAYS_INLINE bool write_lone_scalar(Writer *w, const PychoralType *type, const void *value)
{
    if (type->kind > PYCHORAL_FLOAT || w->count != 1 || w->given || w->end - w->data < SCALAR_ROOM)
        return false;
    Byte *end = put_scalar(w->data, type, value);
    w->at = end != NULL ? end : w->data;
    w->lent = 0;
    return end != NULL && finish(w);
}

bool pychoral_encode(PychoralWriter *writer, const PychoralType *type, const void *value,
                     PychoralFault *fault)
{
    return write_lone_scalar(writer, type, value) || encode_any(writer, type, value, fault);
}

void pychoral_writer_clear(PychoralWriter *writer)
{
    drop_frames(writer);
    pychoral_buffer_release(writer->buffer);
    free(writer->frames);
    *writer = (PychoralWriter){0};
}
