// plain.h - looking at values whatever their row says: for equality and hashes (equal.c,
// hash_collisions.c).

#ifndef PYCHORAL_PLAIN_H
#define PYCHORAL_PLAIN_H

#include <string.h>

#include "value.h"
#include "wire.h"

// ---- values without unions, boxes and literals around them ----

typedef struct PychoralPlain {
    const PychoralType *type;
    const void *value;
} PychoralPlain;

static inline void *pychoral_pointer_at(const void *value)
{
    void *pointer;
    memcpy(&pointer, value, sizeof pointer);
    return pointer;
}

// Members of an IntEnum or StrEnum are their values.
static inline PychoralPlain pychoral_plain_of(const PychoralType *type, const void *value)
{
    pychoral_unwrap(&type, &value);
    if (type->kind != PYCHORAL_ENUM || type->element == NULL)
        return (PychoralPlain){type, value};
    uint32_t member;
    memcpy(&member, value, sizeof member);
    const char *values = type->literals;
    return (PychoralPlain){type->element, values + member * type->element->size};
}

// ---- numbers ----

// A number as a complex with a whole real part, if it has one.
typedef struct PychoralNumber {
    bool is_int;      // `whole` is the real part, else `real`
    PychoralInt whole;
    double real, imag;
} PychoralNumber;

static inline bool pychoral_number_of(PychoralPlain plain, PychoralNumber *number)
{
    *number = (PychoralNumber){false, {0, NULL}, 0, 0};
    if (plain.type->kind == PYCHORAL_BOOL)
        number->whole = pychoral_int(*(const bool *)plain.value), number->is_int = true;
    else if (plain.type->kind == PYCHORAL_INT)
        number->whole = *(const PychoralInt *)plain.value, number->is_int = true;
    else if (plain.type->kind == PYCHORAL_FLOAT)
        number->real = *(const double *)plain.value;
    else if (plain.type->kind == PYCHORAL_COMPLEX)
        number->real = ((const PychoralComplex *)plain.value)->real,
        number->imag = ((const PychoralComplex *)plain.value)->imag;
    else
        return false;
    return true;
}

// ---- items ----

// PychoralItems of a tuple, list or sequence, by place.
typedef struct PychoralItems {
    size_t count;
    const PychoralList *list;  // or NULL:
    PychoralPlain tuple;
} PychoralItems;

static inline PychoralItems pychoral_items_of(PychoralPlain plain)
{
    if (plain.type->kind == PYCHORAL_TUPLE)
        return (PychoralItems){plain.type->count, NULL, plain};
    const PychoralList *list = pychoral_pointer_at(plain.value);
    return (PychoralItems){list->count, list, plain};
}

// Item `index`; a narrow one is put into `*room`.
static inline PychoralPlain pychoral_item_at(const PychoralItems *items, size_t index,
                                             PychoralInt *room)
{
    const PychoralType *type = items->tuple.type;
    if (items->list == NULL) {
        const PychoralField *field = &type->fields[index];
        return pychoral_plain_of(field->type, (const char *)items->tuple.value + field->offset);
    }
    if (items->list->narrow) {
        *room = pychoral_int(((const int64_t *)items->list->items)[index]);
        return (PychoralPlain){&pychoral_type_int, room};
    }
    return pychoral_plain_of(type->element,
                             (const char *)items->list->items + index * type->element->size);
}

#endif
