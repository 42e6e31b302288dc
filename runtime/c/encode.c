// encode.c - values to frames (PROTOCOL.md section 5), in one pass.

#include <stdio.h>
#include <stdlib.h>

#include "codec.h"
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
    snprintf(w->why->came, sizeof w->why->came, "too long for the wire, whose limit is %d bytes",
             PYCHORAL_MAX_BYTES);
    return false;
}

static bool grow(Writer *w, size_t more)
{
    if (more > PYCHORAL_MAX_BYTES || w->size + w->lent > PYCHORAL_MAX_BYTES - more)
        return too_long(w);
    size_t capacity = w->capacity < FIRST_CAPACITY / 2 ? FIRST_CAPACITY : w->capacity * 2;
    if (capacity < w->size + more)
        capacity = w->size + more;
    PychoralBuffer *buffer = pychoral_buffer_new(capacity);
    if (buffer == NULL)
        return no_memory(w);
    if (w->size != 0)
        memcpy(buffer->data, w->data, w->size);
    pychoral_buffer_release(w->buffer);
    w->buffer = buffer;
    w->data = buffer->data;
    w->capacity = capacity;
    return true;
}

static inline bool make_room(Writer *w, size_t more)
{
    return w->capacity - w->size >= more || grow(w, more);
}

// ---- heads: room has been made ----

static inline void put8(Writer *w, unsigned byte) { w->data[w->size++] = (unsigned char)byte; }

static inline void put16(Writer *w, unsigned format, uint64_t number)
{
    w->data[w->size] = (unsigned char)format;
    store16(w->data + w->size + 1, (uint16_t)number);
    w->size += 3;
}

static inline void put32(Writer *w, unsigned format, uint64_t number)
{
    w->data[w->size] = (unsigned char)format;
    store32(w->data + w->size + 1, (uint32_t)number);
    w->size += 5;
}

static inline void put64(Writer *w, unsigned format, uint64_t number)
{
    w->data[w->size] = (unsigned char)format;
    store64(w->data + w->size + 1, number);
    w->size += 9;
}

static inline void put_uint(Writer *w, uint64_t number)
{
    if (number < 0x80) {
        put8(w, (unsigned)number);
    } else if (number <= UINT8_MAX) {
        put8(w, 0xcc);
        put8(w, (unsigned)number);
    } else if (number <= UINT16_MAX) {
        put16(w, 0xcd, number);
    } else if (number <= UINT32_MAX) {
        put32(w, 0xce, number);
    } else {
        put64(w, 0xcf, number);
    }
}

static inline void put_int(Writer *w, int64_t number)
{
    if (number >= 0) {
        put_uint(w, (uint64_t)number);
    } else if (number >= -32) {
        put8(w, (unsigned)(number & 0xff));
    } else if (number >= INT8_MIN) {
        put8(w, 0xd0);
        put8(w, (unsigned)(number & 0xff));
    } else if (number >= INT16_MIN) {
        put16(w, 0xd1, (uint64_t)number);
    } else if (number >= INT32_MIN) {
        put32(w, 0xd2, (uint64_t)number);
    } else {
        put64(w, 0xd3, (uint64_t)number);
    }
}

static inline void put_float(Writer *w, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    put64(w, 0xcb, bits);
}

static inline void put_array(Writer *w, uint64_t count)
{
    if (count < 16)
        put8(w, 0x90 | (unsigned)count);
    else if (count <= UINT16_MAX)
        put16(w, 0xdc, count);
    else
        put32(w, 0xdd, count);
}

static void put_map(Writer *w, uint64_t count)
{
    if (count < 16)
        put8(w, 0x80 | (unsigned)count);
    else if (count <= UINT16_MAX)
        put16(w, 0xde, count);
    else
        put32(w, 0xdf, count);
}

static void put_extension(Writer *w, unsigned code, size_t size)
{
    switch (size) {
    case 1: put8(w, 0xd4); break;
    case 2: put8(w, 0xd5); break;
    case 4: put8(w, 0xd6); break;
    case 8: put8(w, 0xd7); break;
    case 16: put8(w, 0xd8); break;
    default:
        if (size <= UINT8_MAX) {
            put8(w, 0xc7);
            put8(w, (unsigned)size);
        } else if (size <= UINT16_MAX) {
            put16(w, 0xc8, size);
        } else {
            put32(w, 0xc9, size);
        }
    }
    put8(w, code);
}

static void put_bytes(Writer *w, const void *bytes, size_t size)
{
    if (size != 0)
        memcpy(w->data + w->size, bytes, size);
    w->size += size;
}

// ---- ints, strings ----

static bool write_big(Writer *w, const PychoralBig *big)
{
    bool negative = (big->head.flags & PYCHORAL_NEGATIVE) != 0;
    if (big->count == 1 && !negative) {
        put64(w, 0xcf, big->limbs[0]);
        return true;
    }
    size_t size = pychoral_big_size(big);
    if (!make_room(w, size + SCALAR_ROOM))
        return false;
    put_extension(w, EXT_INT, size);
    pychoral_big_to_bytes(big, w->data + w->size, size);
    w->size += size;
    return true;
}

static bool write_int(Writer *w, PychoralInt number)
{
    if (number.big == NULL)
        put_int(w, number.small);
    else if (number.big == PYCHORAL_BOOL_MARK)
        put8(w, number.small ? 0xc3 : 0xc2);
    else
        return write_big(w, number.big);
    return true;
}

static bool write_str(Writer *w, const PychoralStr *text)
{
    if (text->head.flags & PYCHORAL_SURROGATES)
        return refuse(w, "a str with a lone surrogate, which UTF-8 cannot write");
    if (!make_room(w, text->size + SCALAR_ROOM))
        return false;
    if (text->size < 32) {
        put8(w, 0xa0 | (unsigned)text->size);
    } else if (text->size <= UINT8_MAX) {
        put8(w, 0xd9);
        put8(w, (unsigned)text->size);
    } else if (text->size <= UINT16_MAX) {
        put16(w, 0xda, text->size);
    } else {
        put32(w, 0xdb, text->size);
    }
    put_bytes(w, text->data, text->size);
    return true;
}

static bool write_small_bytes(Writer *w, const PychoralBytes *bytes)
{
    if (!make_room(w, bytes->size + SCALAR_ROOM))
        return false;
    if (bytes->size <= UINT8_MAX) {
        put8(w, 0xc4);
        put8(w, (unsigned)bytes->size);
    } else {
        put16(w, 0xc5, bytes->size);
    }
    put_bytes(w, bytes->data, bytes->size);
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

// Lends `data`, which `owner` owns; without an owner a copy.
static bool lend(Writer *w, const void *data, size_t size, PychoralBuffer *owner)
{
    if (w->count > PYCHORAL_MAX_BUFFERS)
        return refuse(w, "one large part too many");
    if (size > PYCHORAL_MAX_BYTES || w->size + w->lent > PYCHORAL_MAX_BYTES - size)
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

static void put_outside(Writer *w, unsigned what, size_t more)
{
    put_extension(w, EXT_OUTSIDE, 3 + more);
    put8(w, what);
    store16(w->data + w->size, (uint16_t)(w->count - 1));  // the value is frame 0 of the list
    w->size += 2;
}

static bool write_bytes(Writer *w, const PychoralBytes *bytes)
{
    if (bytes->size < PYCHORAL_LARGE)
        return write_small_bytes(w, bytes);
    put_outside(w, 0, 0);
    return lend(w, bytes->data, bytes->size, bytes->buffer);
}

static void put_shape(Writer *w, const PychoralArray *array)
{
    put8(w, array->dtype);
    put8(w, array->dimensions);
    for (unsigned i = 0; i < array->dimensions; i++, w->size += 8)
        store64(w->data + w->size, array->shape[i]);
}

static bool write_array(Writer *w, const PychoralArray *array)
{
    size_t head = 2 + (size_t)array->dimensions * 8;
    bool large = array->size >= PYCHORAL_LARGE;
    if (!make_room(w, head + SCALAR_ROOM + (large ? 0 : array->size)))
        return false;
    if (large) {
        put_outside(w, EXT_NDARRAY, head);
        put_shape(w, array);
        return lend(w, array->data, array->size, array->buffer);
    }
    put_extension(w, EXT_NDARRAY, head + array->size);
    put_shape(w, array);
    put_bytes(w, array->data, array->size);
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
        put_outside(w, code, 0);
        return stored ? lend(w, list->items, size, list->buffer) : lend_gathered(w, list);
    }
    if (!make_room(w, size + SCALAR_ROOM))
        return false;
    put_extension(w, code, size);
    if (stored)
        memcpy(w->data + w->size, list->items, size);
    else
        gather(list, w->data + w->size);
    w->size += size;
    return true;
}

// ---- containers ----

static bool write_value(Writer *w, const PychoralType *type, const void *value);

static bool enter(Writer *w)
{
    if (w->depth == PYCHORAL_MAX_DEPTH)
        return refuse(w, "nested deeper than 128 levels");
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
    for (size_t i = 0; i < list->count; i++)
        put_int(w, items[i]);
    return true;
}

static bool write_items(Writer *w, const PychoralList *list)
{
    const PychoralType *element = list->object.type->element;
    if (list->narrow)
        return write_narrow(w, list);
    for (size_t i = 0; i < list->count; i++)
        if (!write_value(w, element, (const char *)list->items + i * element->size)) {
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
    put_array(w, count + (marker != 0));
    if (marker != 0)
        put_extension(w, marker, 0);
    return enter(w);
}

static bool write_list(Writer *w, const PychoralList *list)
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
    for (uint32_t i = 0; i < type->count; i++)
        if (!write_value(w, type->fields[i].type, value + type->fields[i].offset)) {
            pychoral_step_index(w->why, i);
            return false;
        }
    w->depth--;
    return true;
}

// Keys that the program tells apart and the wire does not would arrive as one (PROTOCOL.md 5.2).
static bool check_keys(Writer *w, const PychoralTable *table, const PychoralType *key_type)
{
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
    return put == PYCHORAL_PUT_NEW || refuse(w, "one with two keys that would arrive as one");
}

static bool write_pairs(Writer *w, const PychoralTable *table)
{
    const PychoralType *type = table->object.type;
    void *key, *value;
    for (uint32_t position = 0; pychoral_table_next(table, &position, &key, &value);)
        if (!write_value(w, type->key, key) || !write_value(w, type->element, value)) {
            pychoral_step_key(w->why, type->key, key);
            return false;
        }
    return true;
}

static bool write_dict(Writer *w, const PychoralTable *table)
{
    if (!check_keys(w, table, table->object.type->key))
        return false;
    put_map(w, table->count);
    if (!enter(w) || !write_pairs(w, table))
        return false;
    w->depth--;
    return true;
}

static bool write_set(Writer *w, const PychoralTable *table, unsigned marker)
{
    const PychoralType *element = table->object.type->element;
    if (!check_keys(w, table, element) || !open_array(w, table->count, marker))
        return false;
    void *key;
    for (uint32_t position = 0; pychoral_table_next(table, &position, &key, NULL);)
        if (!write_value(w, element, key)) {
            pychoral_step(w->why, "{...}");
            return false;
        }
    w->depth--;
    return true;
}

static size_t uint_size(uint32_t number)
{
    return number < 0x80 ? 1 : number <= UINT8_MAX ? 2 : number <= UINT16_MAX ? 3 : 5;
}

static bool write_enum(Writer *w, const PychoralType *type, uint32_t member)
{
    put_extension(w, EXT_ENUM, uint_size(type->number) + uint_size(member));
    put_uint(w, type->number);
    put_uint(w, member);
    return true;
}

static bool write_object(Writer *w, const PychoralObject *object)
{
    const PychoralType *type = object->type;
    put_array(w, (uint64_t)type->count + 1);
    put_extension(w, EXT_DATACLASS, uint_size(type->number));
    put_uint(w, type->number);
    if (!enter(w))
        return false;
    for (uint32_t i = 0; i < type->count; i++) {
        const PychoralField *field = &type->fields[i];
        if (!write_value(w, field->type, (const char *)object + field->offset)) {
            pychoral_step_field(w->why, field->name);
            return false;
        }
    }
    w->depth--;
    return true;
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

// Up to SCALAR_ROOM bytes can be put without asking.
static bool write_value(Writer *w, const PychoralType *type, const void *value)
{
    if (!make_room(w, SCALAR_ROOM))
        return false;
    switch (type->kind) {
    case PYCHORAL_NONE:
        put8(w, 0xc0);
        return true;
    case PYCHORAL_BOOL:
        put8(w, *(const bool *)value ? 0xc3 : 0xc2);
        return true;
    case PYCHORAL_INT:
        return write_int(w, *(const PychoralInt *)value);
    case PYCHORAL_FLOAT:
        put_float(w, *(const double *)value);
        return true;
    case PYCHORAL_COMPLEX: {
        const double *parts = value;
        put_extension(w, EXT_COMPLEX, 16);
        for (int i = 0; i < 2; i++, w->size += 8) {
            uint64_t bits;
            memcpy(&bits, &parts[i], sizeof bits);
            store64(w->data + w->size, bits);
        }
        return true;
    }
    case PYCHORAL_TUPLE:
        return write_tuple(w, type, value);
    case PYCHORAL_ENUM:
        return write_enum(w, type, *(const uint32_t *)value);
    case PYCHORAL_UNION:
    case PYCHORAL_BOX:
    case PYCHORAL_LITERAL:
        pychoral_unwrap(&type, &value);
        return write_value(w, type, value);
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
    }
    return refuse(w, "of no kind");
}

// ---- the call ----

static void drop_frames(Writer *w)
{
    for (size_t i = 1; i < w->count; i++)
        pychoral_buffer_release(w->frames[i].owner);
    w->count = 0;
}

// Memory that somebody still reads is left to them.
static void start(Writer *w, PychoralWireFault *why)
{
    drop_frames(w);
    if (w->buffer != NULL && atomic_load_explicit(&w->buffer->refs, memory_order_acquire) != 1) {
        pychoral_buffer_release(w->buffer);
        w->buffer = NULL;
        w->data = NULL;
        w->capacity = 0;
    }
    w->size = w->lent = w->depth = 0;
    w->why = why;
}

static bool explain(const PychoralWireFault *why, PychoralFault *fault)
{
    if (why->memory)
        return pychoral_fault_set(fault, PYCHORAL_EXIT_OWN_ERROR, "out of memory");
    if (why->path[0] == '\0')
        return pychoral_fault_set(fault, PYCHORAL_EXIT_OWN_ERROR,
                                  "the value cannot be sent: it is %s", why->came);
    return pychoral_fault_set(fault, PYCHORAL_EXIT_OWN_ERROR,
                              "the value cannot be sent: its part `%s` is %s", why->path,
                              why->came);
}

bool pychoral_encode(PychoralWriter *writer, const PychoralType *type, const void *value,
                     PychoralFault *fault)
{
    PychoralWireFault why;
    why.memory = false;
    why.path[0] = why.came[0] = '\0';
    start(writer, &why);
    bool done = push_frame(writer, NULL, 0, NULL) && write_value(writer, type, value);
    writer->why = NULL;
    if (!done) {
        drop_frames(writer);
        return explain(&why, fault);
    }
    bool long_value = writer->size > PYCHORAL_INLINE;
    writer->frames[0] =
        (PychoralFrame){writer->data, writer->size, long_value ? writer->buffer : NULL};
    return true;
}

void pychoral_writer_clear(PychoralWriter *writer)
{
    drop_frames(writer);
    pychoral_buffer_release(writer->buffer);
    free(writer->frames);
    *writer = (PychoralWriter){0};
}
