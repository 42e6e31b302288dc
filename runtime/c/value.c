// value.c - counting, strings, objects, boxes; the layout and its rules are in value.h.

#include "value.h"

#include <stdlib.h>
#include <string.h>

#include "cycles.h"
#include "table.h"
#include "utf8.h"
#include "wire.h"

#define SCALAR(KIND, TYPE, NAME) {.kind = (KIND), .size = sizeof(TYPE), .name = (NAME)}
const PychoralType pychoral_type_none = SCALAR(PYCHORAL_NONE, PychoralNone, "None");
const PychoralType pychoral_type_bool = SCALAR(PYCHORAL_BOOL, bool, "bool");
const PychoralType pychoral_type_int = SCALAR(PYCHORAL_INT, PychoralInt, "int");
const PychoralType pychoral_type_float = SCALAR(PYCHORAL_FLOAT, double, "float");
const PychoralType pychoral_type_complex = SCALAR(PYCHORAL_COMPLEX, PychoralComplex, "complex");
const PychoralType pychoral_type_str = SCALAR(PYCHORAL_STR, PychoralStr *, "str");
const PychoralType pychoral_type_bytes = SCALAR(PYCHORAL_BYTES, PychoralBytes *, "bytes");
const PychoralType pychoral_type_ndarray = SCALAR(PYCHORAL_NDARRAY, PychoralArray *, "ndarray");
const PychoralType pychoral_type_object = SCALAR(PYCHORAL_OBJECT, PychoralAny, "object");
const PychoralType pychoral_type_channel = SCALAR(PYCHORAL_CHANNEL, uint32_t, "Channel");
#undef SCALAR

#define OF_ANY(KIND, TYPE, NAME)                                                                  \
    {.kind = (KIND), .size = sizeof(TYPE *), .name = (NAME), .element = &pychoral_type_object,     \
     .key = &pychoral_type_object}
const PychoralType pychoral_type_any_list = OF_ANY(PYCHORAL_LIST, PychoralList, "list");
const PychoralType pychoral_type_any_tuple = OF_ANY(PYCHORAL_SEQUENCE, PychoralList, "tuple");
const PychoralType pychoral_type_any_dict = OF_ANY(PYCHORAL_DICT, PychoralTable, "dict");
const PychoralType pychoral_type_any_defaultdict = {
    .kind = PYCHORAL_DICT, .size = sizeof(PychoralTable *), .name = "defaultdict",
    .element = &pychoral_type_object, .key = &pychoral_type_object, .module = "collections"};
const PychoralType pychoral_type_any_counter = {
    .kind = PYCHORAL_DICT, .size = sizeof(PychoralTable *), .name = "Counter",
    .element = &pychoral_type_object, .key = &pychoral_type_object, .module = "collections"};
const PychoralType pychoral_type_any_set = OF_ANY(PYCHORAL_SET, PychoralTable, "set");
const PychoralType pychoral_type_any_frozenset =
    OF_ANY(PYCHORAL_FROZENSET, PychoralTable, "frozenset");
const PychoralType pychoral_type_any_function =
    OF_ANY(PYCHORAL_FUNCTION, PychoralFunction, "function");
#undef OF_ANY

const PychoralNone pychoral_nothing = 0;

static const PychoralField RANGE_FIELDS[] = {
    {.type = &pychoral_type_int, .offset = offsetof(PychoralRange, start), .name = "start"},
    {.type = &pychoral_type_int, .offset = offsetof(PychoralRange, stop), .name = "stop"},
    {.type = &pychoral_type_int, .offset = offsetof(PychoralRange, step), .name = "step"},
};
const PychoralType pychoral_type_range = {
    .kind = PYCHORAL_RANGE, .size = sizeof(PychoralRange *), .body = sizeof(PychoralRange),
    .count = 3, .fields = RANGE_FIELDS, .name = "range"};

// ---- counting ----

static void retain_head(PychoralHead *head)
{
    if (head->refs != PYCHORAL_IMMORTAL)
        head->refs++;
}

// Whether the last reference has gone.
static bool release_head(PychoralHead *head)
{
    return head->refs != PYCHORAL_IMMORTAL && --head->refs == 0;
}

static void *pointer_at(const void *value)
{
    void *pointer;
    memcpy(&pointer, value, sizeof pointer);
    return pointer;
}

// The row and the place of what an `object` is.
static const void *content_of(const PychoralAny *any)
{
    return any->type->kind == PYCHORAL_TUPLE ? (const void *)any->box->value
                                             : (const void *)&any->pointer;
}

static const PychoralField *member_of(const PychoralType *type, const void *value)
{
    uint32_t tag;
    memcpy(&tag, value, sizeof tag);
    return &type->fields[tag];
}

void pychoral_unwrap(const PychoralType **type, const void **value)
{
    for (;;) {
        if ((*type)->kind == PYCHORAL_UNION) {
            const PychoralField *member = member_of(*type, *value);
            *type = member->type;
            *value = (const char *)*value + member->offset;
        } else if ((*type)->kind == PYCHORAL_BOX) {
            *type = (*type)->element;
            *value = ((const PychoralBox *)pointer_at(*value))->value;
        } else if ((*type)->kind == PYCHORAL_LITERAL) {
            *type = (*type)->element;
        } else if ((*type)->kind == PYCHORAL_OBJECT) {
            const PychoralAny *any = *value;
            *type = any->type;
            *value = content_of(any);
        } else {
            return;
        }
    }
}

const PychoralType *pychoral_known_key(const PychoralType *typed, const PychoralType *key_type,
                                       const void *key)
{
    pychoral_unwrap(&key_type, &key);
    const PychoralStr *text = key_type->kind == PYCHORAL_STR ? pointer_at(key) : NULL;
    for (uint32_t i = 0; text != NULL && typed->fields != NULL && i < typed->count; i++)
        if (strlen(typed->fields[i].name) == text->size &&
            memcmp(typed->fields[i].name, text->data, text->size) == 0)
            return typed->fields[i].type;
    return NULL;
}

// Whether there is nothing to count, for what is most often there.
static inline bool is_plain(const PychoralType *type, const void *value)
{
    if (type->kind == PYCHORAL_INT)
        return ((const PychoralInt *)value)->big == NULL;
    return type->kind <= PYCHORAL_FLOAT;
}

void pychoral_retain(const PychoralType *type, const void *value)
{
    switch (type->kind) {
    case PYCHORAL_NONE:
    case PYCHORAL_BOOL:
    case PYCHORAL_FLOAT:
    case PYCHORAL_COMPLEX:
    case PYCHORAL_ENUM:
    case PYCHORAL_CHANNEL:
        return;
    case PYCHORAL_INT: {
        const PychoralInt *number = value;
        if (number->big != NULL)
            retain_head(&number->big->head);
        return;
    }
    case PYCHORAL_TUPLE:
        for (uint32_t i = 0; i < type->count; i++)
            pychoral_retain(type->fields[i].type, (const char *)value + type->fields[i].offset);
        return;
    case PYCHORAL_UNION: {
        const PychoralField *member = member_of(type, value);
        pychoral_retain(member->type, (const char *)value + member->offset);
        return;
    }
    case PYCHORAL_LITERAL:
        pychoral_retain(type->element, value);
        return;
    case PYCHORAL_STR:
    case PYCHORAL_BYTES:
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE:
    case PYCHORAL_DICT:
    case PYCHORAL_SET:
    case PYCHORAL_FROZENSET:
    case PYCHORAL_DATACLASS:
    case PYCHORAL_NDARRAY:
    case PYCHORAL_BOX:
    case PYCHORAL_FUNCTION:
    case PYCHORAL_ITERATOR:
    case PYCHORAL_RANGE:
        retain_head(pointer_at(value));
        return;
    case PYCHORAL_OBJECT: {
        const PychoralAny *any = value;
        if (any->type != NULL && any->type->kind == PYCHORAL_TUPLE)
            retain_head(&any->box->object.head);
        else if (any->type != NULL)
            pychoral_retain(any->type, &any->pointer);
        return;
    }
    }
}

void pychoral_assign(const PychoralType *type, void *to, const void *from)
{
    pychoral_move_value(to, from, type->size);
    if (!is_plain(type, to))
        pychoral_retain(type, to);
}

// Objects whose last reference has gone and whose content has not been released yet, linked through
// the place of their counts.
typedef struct Dead {
    PychoralHead *first;
} Dead;

static inline void leave(PychoralObject *object)
{
    if (object->type->flags & PYCHORAL_CYCLIC)
        pychoral_cycles_remove(object);
}

static void bury(Dead *dead, PychoralObject *object)
{
    leave(object);
    object->head.next = dead->first;
    dead->first = &object->head;
}

void pychoral_free_bytes(PychoralBytes *bytes)
{
    pychoral_buffer_release(bytes->buffer);
    free(bytes->places);
    free(bytes);
}

static void release_bytes(PychoralBytes *bytes)
{
    if (bytes != NULL && release_head(&bytes->head))
        pychoral_free_bytes(bytes);
}

static void release_array(PychoralArray *array)
{
    if (array == NULL || !release_head(&array->head))
        return;
    pychoral_buffer_release(array->buffer);
    free(array);
}

static void release_int(PychoralInt number)
{
    if (number.big != NULL && release_head(&number.big->head))
        free(number.big);
}

static void drop(const PychoralType *type, void *value, Dead *dead)
{
    switch (type->kind) {
    case PYCHORAL_NONE:
    case PYCHORAL_BOOL:
    case PYCHORAL_FLOAT:
    case PYCHORAL_COMPLEX:
    case PYCHORAL_ENUM:
    case PYCHORAL_CHANNEL:
        return;
    case PYCHORAL_INT:
        release_int(*(PychoralInt *)value);
        return;
    case PYCHORAL_STR:
    case PYCHORAL_BYTES:
        release_bytes(pointer_at(value));
        return;
    case PYCHORAL_NDARRAY:
        release_array(pointer_at(value));
        return;
    case PYCHORAL_TUPLE:
        for (uint32_t i = 0; i < type->count; i++)
            drop(type->fields[i].type, (char *)value + type->fields[i].offset, dead);
        return;
    case PYCHORAL_UNION: {
        const PychoralField *member = member_of(type, value);
        drop(member->type, (char *)value + member->offset, dead);
        return;
    }
    case PYCHORAL_LITERAL:
        drop(type->element, value, dead);
        return;
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE:
    case PYCHORAL_DICT:
    case PYCHORAL_SET:
    case PYCHORAL_FROZENSET:
    case PYCHORAL_DATACLASS:
    case PYCHORAL_FUNCTION:
    case PYCHORAL_ITERATOR:
    case PYCHORAL_RANGE:
    case PYCHORAL_BOX: {
        PychoralObject *object = pointer_at(value);
        if (object != NULL && release_head(&object->head))
            bury(dead, object);
        return;
    }
    case PYCHORAL_OBJECT: {
        PychoralAny *any = value;
        if (any->type == NULL)
            return;
        if (any->type->kind != PYCHORAL_TUPLE)
            drop(any->type, &any->pointer, dead);
        else if (release_head(&any->box->object.head))
            bury(dead, &any->box->object);
        return;
    }
    }
}

static bool is_pointer(const PychoralType *type)
{
    switch (type->kind) {
    case PYCHORAL_STR: case PYCHORAL_BYTES: case PYCHORAL_LIST: case PYCHORAL_SEQUENCE:
    case PYCHORAL_DICT: case PYCHORAL_SET: case PYCHORAL_FROZENSET: case PYCHORAL_DATACLASS:
    case PYCHORAL_FUNCTION: case PYCHORAL_ITERATOR: case PYCHORAL_RANGE:
        return true;
    case PYCHORAL_NONE: case PYCHORAL_BOOL: case PYCHORAL_INT: case PYCHORAL_FLOAT:
    case PYCHORAL_COMPLEX: case PYCHORAL_TUPLE: case PYCHORAL_ENUM: case PYCHORAL_UNION:
    case PYCHORAL_NDARRAY: case PYCHORAL_BOX: case PYCHORAL_LITERAL: case PYCHORAL_OBJECT:
    case PYCHORAL_CHANNEL:
        break;
    }
    return false;
}

bool pychoral_attribute_set(const PychoralObject *object, const PychoralField *field)
{
    const char *start = (const char *)object;
    if (field->present != 0)
        return *(const bool *)(start + field->present);
    return !is_pointer(field->type) || pointer_at(start + field->offset) != NULL;
}

static bool refers(const PychoralType *type)
{
    switch (type->kind) {
    case PYCHORAL_NONE:
    case PYCHORAL_BOOL:
    case PYCHORAL_FLOAT:
    case PYCHORAL_COMPLEX:
    case PYCHORAL_ENUM:
    case PYCHORAL_CHANNEL:
        return false;
    case PYCHORAL_INT:
    case PYCHORAL_STR:
    case PYCHORAL_BYTES:
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE:
    case PYCHORAL_TUPLE:
    case PYCHORAL_DICT:
    case PYCHORAL_SET:
    case PYCHORAL_FROZENSET:
    case PYCHORAL_DATACLASS:
    case PYCHORAL_UNION:
    case PYCHORAL_NDARRAY:
    case PYCHORAL_BOX:
    case PYCHORAL_LITERAL:
    case PYCHORAL_OBJECT:
    case PYCHORAL_FUNCTION:
    case PYCHORAL_ITERATOR:
    case PYCHORAL_RANGE:
        return true;
    }
    return true;
}

void pychoral_list_free_items(PychoralList *list)
{
    if (list->buffer != NULL)
        pychoral_buffer_release(list->buffer);
    else if (list->items != list + 1)
        free(list->items);
}

static void free_list(PychoralList *list, Dead *dead)
{
    const PychoralType *element = list->object.type->element;
    if (!list->narrow && refers(element))
        for (size_t i = 0; i < list->count; i++)
            drop(element, (char *)list->items + i * element->size, dead);
    pychoral_list_free_items(list);
    free(list);
}

static void free_table(PychoralTable *table, Dead *dead)
{
    const PychoralType *type = table->object.type;
    const PychoralType *key_type = type->kind == PYCHORAL_DICT ? type->key : type->element;
    void *key, *value;
    for (uint32_t position = 0; pychoral_table_next(table, &position, &key, &value);) {
        drop(key_type, key, dead);
        if (type->kind == PYCHORAL_DICT)
            drop(type->element, value, dead);
    }
    free(table->entries);
    free(table->index);
    if (table->factory != NULL)
        drop(&pychoral_type_any_function, &table->factory, dead);
    free(table);
}

static void free_fields(PychoralObject *object, Dead *dead)
{
    const PychoralType *type = object->type;
    if (type->close != NULL)
        type->close(object);
    const PychoralField *f = type->fields;      // null in a class without fields
    for (uint32_t left = type->count + type->more; left > 0; left--, f++) {
        void *value = (char *)object + f->offset;
        if (!is_plain(f->type, value))
            drop(f->type, value, dead);
    }
    free(object);
}

// Functions and iterators: what they hold comes behind the row that says what it is.
static void free_holder(PychoralObject *object, const PychoralType *held, void *cells, Dead *dead)
{
    if (held != NULL)
        drop(held, cells, dead);
    free(object);
}

static void free_dead(PychoralObject *object, Dead *dead)
{
    switch (object->type->kind) {
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE:
        free_list((PychoralList *)object, dead);
        return;
    case PYCHORAL_DICT:
    case PYCHORAL_SET:
    case PYCHORAL_FROZENSET:
        free_table((PychoralTable *)object, dead);
        return;
    case PYCHORAL_DATACLASS:
    case PYCHORAL_RANGE:
        free_fields(object, dead);
        return;
    case PYCHORAL_FUNCTION: {
        PychoralFunction *function = (PychoralFunction *)object;
        free_holder(object, function->held, function->cells, dead);
        return;
    }
    case PYCHORAL_ITERATOR: {
        PychoralIterator *iterator = (PychoralIterator *)object;
        free_holder(object, iterator->held, iterator->cells, dead);
        return;
    }
    case PYCHORAL_TUPLE:  // a box of one, in an `object`
        drop(object->type, ((PychoralBox *)object)->value, dead);
        free(object);
        return;
    default:  // a box; nothing else is buried
        drop(object->type->element, ((PychoralBox *)object)->value, dead);
        free(object);
        return;
    }
}

static void free_all(Dead *dead)
{
    while (dead->first != NULL) {
        PychoralObject *object = (PychoralObject *)dead->first;
        dead->first = dead->first->next;
        free_dead(object, dead);
    }
}

static __attribute__((noinline)) void release_objects(const PychoralType *type, void *value)
{
    Dead dead = {NULL};
    drop(type, value, &dead);
    free_all(&dead);
}

void pychoral_release(const PychoralType *type, void *value)
{
    if (!is_plain(type, value))
        release_objects(type, value);
}

void pychoral_free_object(PychoralObject *object)
{
    Dead dead = {NULL};
    leave(object);
    free_dead(object, &dead);
    free_all(&dead);
}

// ---- str and bytes ----

static PychoralBytes *large_bytes(size_t size)
{
    PychoralBuffer *buffer = size == SIZE_MAX ? NULL : pychoral_buffer_new(size + 1);
    PychoralBytes *bytes = buffer == NULL ? NULL : malloc(sizeof *bytes);
    if (bytes == NULL)
        pychoral_buffer_release(buffer);
    else
        *bytes = (PychoralBytes){.data = buffer->data, .buffer = buffer};
    return bytes;
}

PychoralBytes *pychoral_bytes_room(size_t size, uint32_t flags)
{
    PychoralBytes *bytes;
    if (size >= PYCHORAL_LARGE)
        bytes = large_bytes(size);
    else if ((bytes = malloc(sizeof *bytes + size + 1)) != NULL)
        *bytes = (PychoralBytes){.data = (char *)(bytes + 1)};
    if (bytes == NULL)
        return NULL;
    bytes->head.refs = 1;
    bytes->head.flags = flags;
    bytes->size = size;
    ((char *)bytes->data)[size] = '\0';
    return bytes;
}

static PychoralBytes *bytes_of(const void *data, size_t size, uint32_t flags)
{
    PychoralBytes *bytes = pychoral_bytes_room(size, flags);
    if (bytes != NULL && size != 0)
        memcpy((char *)bytes->data, data, size);
    return bytes;
}

PychoralStr *pychoral_str_new(const char *text, size_t size)
{
    PychoralText kind = pychoral_utf8_check(text, size);
    if (kind == PYCHORAL_TEXT_BAD)
        return NULL;
    return bytes_of(text, size, kind == PYCHORAL_TEXT_ASCII        ? PYCHORAL_ASCII
                                : kind == PYCHORAL_TEXT_SURROGATES ? PYCHORAL_SURROGATES
                                                                   : 0);
}

PychoralStr *pychoral_str_checked(const void *text, size_t size, bool ascii)
{
    return bytes_of(text, size, ascii ? PYCHORAL_ASCII : 0);
}

PychoralBytes *pychoral_bytes_new(const void *data, size_t size) { return bytes_of(data, size, 0); }

PychoralBytes *pychoral_bytes_borrow(PychoralBuffer *buffer, const void *data, size_t size)
{
    PychoralBytes *bytes = malloc(sizeof *bytes);
    if (bytes != NULL)
        *bytes = (PychoralBytes){.head = {.refs = 1}, .size = size, .data = data,
                                 .buffer = pychoral_buffer_retain(buffer)};
    return bytes;
}

// ---- dataclass and box ----

void *pychoral_object_new(const PychoralType *type)
{
    bool is_cyclic = (type->flags & PYCHORAL_CYCLIC) != 0;
    if (is_cyclic)
        pychoral_cycles_look();
    PychoralObject *object = calloc(1, type->body);
    if (object == NULL)
        return NULL;
    *object = (PychoralObject){.head = {.refs = 1}, .type = type};
    if (!is_cyclic || pychoral_cycles_add(object))
        return object;
    free(object);
    return NULL;
}

PychoralBox *pychoral_box_new(const PychoralType *type, const void *value)
{
    PychoralBox *box = malloc(sizeof *box + type->element->size);
    if (box == NULL)
        return NULL;
    box->object = (PychoralObject){.head = {.refs = 1}, .type = type};
    memcpy(box->value, value, type->element->size);
    return box;
}
