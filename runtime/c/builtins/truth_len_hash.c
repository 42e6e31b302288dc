// truth_len_hash.c - bool(), len() and hash() of values of any type; contracts in object.h.

#include <string.h>

#include "call.h"
#include "dict.h"
#include "hash_collisions.h"
#include "items.h"
#include "range.h"
#include "str.h"

// ---- bool and len ----

static PychoralAny call_plain(const PychoralMethod *method, PychoralRef object)
{
    PychoralAny answer;
    pychoral_call_method(method, 1, &object, &pychoral_type_object, &answer);
    return answer;
}

// obj.__len__()
static int64_t len_of_object(PychoralRef seen)
{
    const PychoralMethod *method = pychoral_find_method(seen.type, "__len__");
    if (method == NULL) {
        pychoral_throw(&pychoral_type_TypeError, "object of type '%s' has no len()",
                       pychoral_type_name(seen));
        return 0;
    }
    PychoralInt count;
    pychoral_call_method(method, 1, &seen, &pychoral_type_int, &count);
    if (pychoral_raised != NULL)
        return 0;
    if (pychoral_int_is_big(count))
        pychoral_throw(&pychoral_type_OverflowError,
                       "cannot fit 'int' into an index-sized integer");
    else if (count.small < 0)
        pychoral_throw(&pychoral_type_ValueError, "__len__() should return >= 0");
    int64_t size = pychoral_raised != NULL ? 0 : count.small;
    pychoral_release(&pychoral_type_int, &count);
    return size;
}

static int64_t len_of_view(PychoralRef seen)
{
    const char *name;
    const PychoralTable *dict = pychoral_view_of(pychoral_pointer_at(seen.value), &name);
    return dict != NULL ? dict->count : len_of_object(seen);
}

static int64_t len_of(PychoralRef seen)
{
    PychoralPlain plain = pychoral_plain_of(seen.type, seen.value);
    switch (plain.type->kind) {
    case PYCHORAL_STR: return pychoral_str_len(pychoral_pointer_at(plain.value));
    case PYCHORAL_BYTES: return (int64_t)((PychoralBytes *)pychoral_pointer_at(plain.value))->size;
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE:
    case PYCHORAL_TUPLE: return (int64_t)pychoral_items(seen).count;
    case PYCHORAL_DICT:
    case PYCHORAL_SET:
    case PYCHORAL_FROZENSET: return ((PychoralTable *)pychoral_pointer_at(plain.value))->count;
    case PYCHORAL_RANGE: return pychoral_range_len(pychoral_pointer_at(plain.value));
    case PYCHORAL_ITERATOR: return len_of_view(seen);
    default: return len_of_object(seen);
    }
}

int64_t pychoral_len(PychoralRef a)
{
    return len_of(pychoral_as_tuple(pychoral_look(a.type, a.value), "__len__"));
}

static bool truth_of_object(PychoralRef seen)
{
    const PychoralMethod *method = pychoral_find_method(seen.type, "__bool__");
    PychoralRef tuple = pychoral_as_tuple(seen, "__len__");
    if (method == NULL && pychoral_is_tuple(tuple.type))
        return tuple.type->count != 0;
    if (method == NULL)
        return pychoral_find_method(seen.type, "__len__") == NULL || len_of_object(seen) != 0;
    bool truth;
    pychoral_call_method(method, 1, &seen, &pychoral_type_bool, &truth);
    return truth;
}

bool pychoral_truth(PychoralRef a)
{
    a = pychoral_look(a.type, a.value);
    if (a.type->kind == PYCHORAL_ENUM && pychoral_find_method(a.type, "__bool__") != NULL)
        return truth_of_object(a);
    PychoralPlain plain = pychoral_plain_of(a.type, a.value);
    PychoralNumber number;
    if (pychoral_number_of(plain, &number))
        return number.imag != 0 || (number.is_int ? number.whole.small != 0 ||
                                                        pychoral_int_is_big(number.whole)
                                                  : number.real != 0);
    switch (plain.type->kind) {
    case PYCHORAL_NONE: return false;
    case PYCHORAL_DATACLASS: return truth_of_object(a);
    case PYCHORAL_RANGE: return !pychoral_range_is_empty(pychoral_pointer_at(plain.value));
    case PYCHORAL_ENUM:
    case PYCHORAL_FUNCTION:
    case PYCHORAL_ITERATOR: return true;
    default: return len_of(a) != 0;
    }
}

// ---- hash ----

// Texts have other hashes in each run of Python; here they have these.
static const uint64_t SEED = UINT64_C(0x9ae16a3b2f90404f);

static uint64_t refuse(PychoralRef seen)
{
    pychoral_throw(&pychoral_type_TypeError, "unhashable type: '%s'", pychoral_type_name(seen));
    return 0;
}

static uint64_t hash_of(PychoralRef seen);

static uint64_t hash_of_items(PychoralRef seen)
{
    PychoralItems items = pychoral_items(seen);
    uint64_t hash = pychoral_collisions_start();
    for (size_t i = 0; i < items.count && pychoral_raised == NULL; i++) {
        PychoralInt room;
        PychoralRef item = pychoral_item_ref(&items, i, &room);
        hash = pychoral_collisions_add(hash, hash_of(pychoral_look(item.type, item.value)));
    }
    return pychoral_collisions_finish(hash, items.count);
}

static uint64_t hash_of_fields(const PychoralObject *object, const PychoralType *made)
{
    uint64_t hash = pychoral_collisions_start(), count = 0;
    for (uint32_t i = 0; i < made->count && pychoral_raised == NULL; i++) {
        const PychoralField *field = &object->type->fields[i];
        if (field->ignored)
            continue;
        PychoralRef value =
            pychoral_look(field->type, (const char *)object + field->offset);
        hash = pychoral_collisions_add(hash, hash_of(value));
        count++;
    }
    return pychoral_collisions_finish(hash, count);
}

static uint64_t hash_of_set(const PychoralTable *table)
{
    const PychoralType *element = table->object.type->element;
    uint64_t hash = 0;
    void *key;
    for (uint32_t position = 0;
         pychoral_raised == NULL && pychoral_table_next(table, &position, &key, NULL);)
        hash = pychoral_collisions_add_unordered(hash, hash_of(pychoral_look(element, key)));
    return pychoral_collisions_finish_unordered(hash, table->count);
}

int64_t pychoral_ask_hash(const PychoralMethod *method, PychoralRef a)
{
    PychoralAny answer = call_plain(method, a);
    if (pychoral_raised != NULL)
        return 0;
    PychoralRef number = {&pychoral_type_object, &answer};
    int64_t hash = pychoral_hash_of(number);
    pychoral_release(&pychoral_type_object, &answer);
    return hash;
}

static uint64_t hash_of_object(PychoralRef seen)
{
    bool refused;
    PychoralSource source = pychoral_source_of_hash(seen.type, &refused);
    const PychoralObject *object = pychoral_pointer_at(seen.value);
    if (source.method != NULL)
        return (uint64_t)pychoral_ask_hash(source.method, seen);
    if (source.made != NULL && pychoral_is_named_tuple(seen.type))
        return hash_of_items(pychoral_as_tuple(seen, NULL));
    if (source.made != NULL)
        return hash_of_fields(object, source.made);
    return refused ? refuse(seen) : (uint64_t)(uintptr_t)object >> 4;
}

// Of what nobody can foresee: texts, members of enums, None.
static uint64_t hash_of_other(PychoralRef seen)
{
    PychoralPlain plain = pychoral_plain_of(seen.type, seen.value);
    uint64_t hash = 0;
    if (plain.type->kind == PYCHORAL_STR || plain.type->kind == PYCHORAL_BYTES)
        if (((const PychoralBytes *)pychoral_pointer_at(plain.value))->size == 0)
            return 0;
    if (!pychoral_hash(plain.type, plain.value, SEED, &hash) && pychoral_raised == NULL)
        return refuse(seen);
    return hash == UINT64_MAX ? UINT64_MAX - 1 : hash;
}

static uint64_t hash_of(PychoralRef seen)
{
    PychoralPlain plain = pychoral_plain_of(seen.type, seen.value);
    PychoralNumber number;
    if (pychoral_number_of(plain, &number))
        return pychoral_collisions_number(&number, plain.value);
    switch (seen.type->kind) {
    case PYCHORAL_TUPLE:
    case PYCHORAL_SEQUENCE: return hash_of_items(seen);
    case PYCHORAL_FROZENSET: return hash_of_set(pychoral_pointer_at(seen.value));
    case PYCHORAL_DATACLASS: return hash_of_object(seen);
    case PYCHORAL_RANGE: return (uint64_t)pychoral_range_hash(pychoral_pointer_at(seen.value));
    case PYCHORAL_FUNCTION:
    case PYCHORAL_ITERATOR: return (uint64_t)(uintptr_t)pychoral_pointer_at(seen.value) >> 4;
    default: return hash_of_other(seen);
    }
}

int64_t pychoral_hash_of(PychoralRef a)
{
    uint64_t hash = hash_of(pychoral_look(a.type, a.value));
    return pychoral_raised != NULL ? 0 : (int64_t)hash;
}
