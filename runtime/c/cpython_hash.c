// cpython_hash.c - hashes that are the same in each run of CPython; contracts in cpython_hash.h.

#include "cpython_hash.h"

#include <math.h>

#include "builtins/call.h"
#include "hash_collisions.h"
#include "plain.h"
#include "table.h"

static bool has_foreseeable_parts(const PychoralType *tuple)
{
    for (uint32_t i = 0; i < tuple->count; i++)
        if (!pychoral_has_cpython_hash(tuple->fields[i].type))
            return false;
    return true;
}

bool pychoral_has_cpython_hash(const PychoralType *type)
{
    switch (type->kind) {
    case PYCHORAL_NONE:
    case PYCHORAL_STR:
    case PYCHORAL_BYTES:
    case PYCHORAL_FUNCTION:
    case PYCHORAL_ITERATOR: return false;
    case PYCHORAL_ENUM: return type->element != NULL && pychoral_has_cpython_hash(type->element);
    case PYCHORAL_TUPLE: return has_foreseeable_parts(type);
    case PYCHORAL_SEQUENCE:
    case PYCHORAL_FROZENSET: return pychoral_has_cpython_hash(type->element);
    default: return true;
    }
}

// ---- hashes ----

typedef struct Sight {
    bool *identity;
    unsigned depth;
} Sight;

static bool foresee(const PychoralType *type, const void *value, Sight sight, uint64_t *hash);

static bool foresee_items(PychoralPlain plain, Sight sight, uint64_t *hash)
{
    PychoralItems items = pychoral_items_of(plain);
    *hash = pychoral_collisions_start();
    for (size_t i = 0; i < items.count; i++) {
        PychoralInt room;
        PychoralPlain item = pychoral_item_at(&items, i, &room);
        uint64_t part;
        if (!foresee(item.type, item.value, sight, &part))
            return false;
        *hash = pychoral_collisions_add(*hash, part);
    }
    *hash = pychoral_collisions_finish(*hash, items.count);
    return true;
}

static bool foresee_fields(const PychoralObject *object, const PychoralType *made, Sight sight,
                           uint64_t *hash)
{
    uint64_t count = 0;
    *hash = pychoral_collisions_start();
    for (uint32_t i = 0; i < made->count; i++) {
        const PychoralField *field = &object->type->fields[i];
        uint64_t part;
        if (field->ignored)
            continue;
        if (!foresee(field->type, (const char *)object + field->offset, sight, &part))
            return false;
        *hash = pychoral_collisions_add(*hash, part);
        count++;
    }
    *hash = pychoral_collisions_finish(*hash, count);
    return true;
}

static bool foresee_object(PychoralPlain plain, Sight sight, uint64_t *hash)
{
    const PychoralObject *object = pychoral_pointer_at(plain.value);
    bool refused;
    PychoralSource source = pychoral_source_of_hash(object->type, &refused);
    if (sight.identity != NULL && pychoral_has_own_equality(object->type))
        *sight.identity = true;
    if (source.made != NULL && pychoral_is_named_tuple(object->type))
        return foresee_items((PychoralPlain){object->type->element, object}, sight, hash);
    if (source.made != NULL)
        return foresee_fields(object, source.made, sight, hash);
    if (source.method == NULL)
        return false;
    *hash = (uint64_t)pychoral_ask_hash(source.method, (PychoralRef){plain.type, plain.value});
    return pychoral_raised == NULL;
}

static bool foresee_set(const PychoralTable *table, Sight sight, uint64_t *hash)
{
    const PychoralType *element = table->object.type->element;
    void *key;
    *hash = 0;
    for (uint32_t position = 0; pychoral_table_next(table, &position, &key, NULL);) {
        uint64_t part;
        if (!foresee(element, key, sight, &part))
            return false;
        *hash = pychoral_collisions_add_unordered(*hash, part);
    }
    *hash = pychoral_collisions_finish_unordered(*hash, table->count);
    return true;
}

static bool foresee(const PychoralType *type, const void *value, Sight sight, uint64_t *hash)
{
    PychoralPlain plain = pychoral_plain_of(type, value);
    PychoralNumber number;
    if (pychoral_number_of(plain, &number)) {
        *hash = pychoral_collisions_number(&number, plain.value);
        return !isnan(number.real) && !isnan(number.imag);
    }
    if (sight.depth-- == 0)
        return false;
    switch (plain.type->kind) {
    case PYCHORAL_TUPLE:
    case PYCHORAL_SEQUENCE: return foresee_items(plain, sight, hash);
    case PYCHORAL_FROZENSET: return foresee_set(pychoral_pointer_at(plain.value), sight, hash);
    case PYCHORAL_DATACLASS: return foresee_object(plain, sight, hash);
    default: return false;
    }
}

// As foresee_items does for all that are equal to it.
static bool foresee_tuple(const PychoralType *type, const char *value, bool *identity,
                          uint64_t *hash)
{
    *hash = pychoral_collisions_start();
    for (uint32_t i = 0; i < type->count; i++) {
        const PychoralField *field = &type->fields[i];
        uint64_t part;
        if (!pychoral_cpython_hash(field->type, value + field->offset, identity, &part))
            return false;
        *hash = pychoral_collisions_add(*hash, part);
    }
    *hash = pychoral_collisions_finish(*hash, type->count);
    return true;
}

bool pychoral_cpython_hash(const PychoralType *type, const void *value, bool *identity,
                           uint64_t *hash)
{
    static const int64_t TOP = (INT64_C(1) << 61) - 1;  // ints within are their own hashes
    if (type->kind == PYCHORAL_INT) {
        const PychoralInt *number = value;
        if (number->big == NULL && number->small > -TOP && number->small < TOP) {
            *hash = (uint64_t)(number->small == -1 ? -2 : number->small);
            return true;
        }
    }
    if (type->kind == PYCHORAL_TUPLE)
        return foresee_tuple(type, value, identity, hash);
    return foresee(type, value, (Sight){identity, PYCHORAL_EQUAL_DEPTH}, hash);
}
