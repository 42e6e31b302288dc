// reduced.c - see reduced.h. The value itself is never changed; what a dataclass holds is reduced
// where its fields are written, whose rows say what they admit.

#include "reduced.h"

#include <stdlib.h>

#include "../codec.h"
#include "dict.h"
#include "list.h"
#include "../modules/deque.h"
#include "set.h"

enum { MOST_DEPTH = 128 };      // of what can be sent at all

// What of `wire` admits a value of a type; NULL: nothing.
static const PychoralType *admitting(const PychoralType *wire, const PychoralType *type)
{
    if (wire->kind == PYCHORAL_BOX || wire->kind == PYCHORAL_LITERAL) {
        const PychoralType *found = admitting(wire->key != NULL ? wire->key : wire->element, type);
        return found != NULL && wire->fields != NULL ? wire : found;    // for its known keys
    }
    bool several = wire->kind == PYCHORAL_UNION || (wire->flags & PYCHORAL_ADMITS);
    for (uint32_t i = 0; several && i < wire->count; i++) {
        const PychoralType *found = admitting(wire->fields[i].type, type);
        if (found != NULL)
            return found;
    }
    if (several)
        return NULL;
    if (pychoral_is_deque(type))
        return wire->kind == PYCHORAL_OBJECT ? wire : NULL;
    if (wire->kind == PYCHORAL_ENUM)
        return type->kind == PYCHORAL_ENUM && type->number == wire->number ? wire : NULL;
    bool tuples = (wire->kind == PYCHORAL_TUPLE || wire->kind == PYCHORAL_SEQUENCE) &&
                  (type->kind == PYCHORAL_TUPLE || type->kind == PYCHORAL_SEQUENCE);
    return tuples || wire->kind == type->kind || wire->kind == PYCHORAL_OBJECT ? wire : NULL;
}

static PychoralAny reduce(PychoralRef value, const PychoralType *wire, unsigned depth);

static PychoralAny kept(PychoralRef value) { return pychoral_any(value.type, value.value); }

static PychoralAny pointed(const PychoralType *row, void *to)
{
    return (PychoralAny){.type = row, .pointer = to};
}

// Whether something in values of the type may have to be reduced.
static bool is_settled(const PychoralType *type)
{
    return type->kind <= PYCHORAL_BYTES ||
           (type->kind == PYCHORAL_DATACLASS && !pychoral_is_deque(type));
}

static void take(PychoralList *made, PychoralRef item, const PychoralType *wire, unsigned depth)
{
    PychoralAny part = reduce(item, wire, depth);
    pychoral_list_take(made, &part);
}

static PychoralAny reduce_list(PychoralRef value, const PychoralType *wire, unsigned depth)
{
    const PychoralList *list = *(PychoralList *const *)value.value;
    const PychoralType *row = value.type->kind == PYCHORAL_LIST ? &pychoral_type_any_list
                                                                : &pychoral_type_any_tuple;
    const PychoralType *element = list->object.type->element;
    if (is_settled(element))
        return kept(value);
    PychoralList *made = pychoral_list_make(row, list->count);
    for (size_t i = 0; i < list->count; i++) {
        PychoralRef item = {element, (const char *)list->items + i * element->size};
        bool fixed = wire->kind == PYCHORAL_TUPLE;
        take(made, item, !fixed ? wire->element : i < wire->count ? wire->fields[i].type
                                                                  : &pychoral_type_object, depth);
    }
    return pointed(row, made);
}

static PychoralAny reduce_tuple(PychoralRef value, const PychoralType *wire, unsigned depth)
{
    const PychoralType *type = value.type;
    PychoralList *made = pychoral_list_make(&pychoral_type_any_tuple, type->count);
    for (uint32_t i = 0; i < type->count; i++) {
        PychoralRef item = {type->fields[i].type,
                            (const char *)value.value + type->fields[i].offset};
        bool fixed = wire->kind == PYCHORAL_TUPLE;
        take(made, item, !fixed ? wire->element : i < wire->count ? wire->fields[i].type
                                                                  : &pychoral_type_object, depth);
    }
    return pointed(&pychoral_type_any_tuple, made);
}

static PychoralAny reduce_table(PychoralRef value, const PychoralType *wire, unsigned depth)
{
    const PychoralTable *table = *(PychoralTable *const *)value.value;
    bool dict = value.type->kind == PYCHORAL_DICT;
    const PychoralType *type = table->object.type, *key_type = dict ? type->key : type->element;
    const PychoralType *typed = NULL, *row = dict ? &pychoral_type_any_dict
                              : value.type->kind == PYCHORAL_SET ? &pychoral_type_any_set
                                                                 : &pychoral_type_any_frozenset;
    void *key, *item;
    if (wire->kind == PYCHORAL_LITERAL)
        typed = wire, wire = wire->element;
    if (is_settled(key_type) && (!dict || is_settled(type->element)))
        return kept(value);
    PychoralTable *made = pychoral_table_empty(row);
    for (uint32_t at = 0; pychoral_table_next(table, &at, &key, &item);) {
        PychoralAny name = reduce((PychoralRef){key_type, key}, dict ? wire->key : wire->element,
                                  depth);
        PychoralAny part = {0};
        const PychoralType *known =
            typed != NULL ? pychoral_known_key(typed, key_type, key) : NULL;
        if (dict)
            part = reduce((PychoralRef){type->element, item}, known != NULL ? known
                                                                            : wire->element, depth);
        if (dict)
            pychoral_dict_put(made, &name, &part);
        else
            pychoral_set_add(made, &name);
        pychoral_release(&pychoral_type_object, &name);
        pychoral_release(&pychoral_type_object, &part);
    }
    return pointed(row, made);
}

// A range, a deque or a view as a list, or as a set where no list is admitted.
static PychoralAny listed(PychoralRef value, const PychoralType *wire)
{
    const char *name;
    bool is_view = value.type->kind == PYCHORAL_ITERATOR &&
                   pychoral_view_of(*(PychoralIterator *const *)value.value, &name) != NULL;
    if (!is_view && value.type->kind != PYCHORAL_RANGE && !pychoral_is_deque(value.type))
        return kept(value);
    if (admitting(wire, &pychoral_type_range) == NULL)
        return kept(value);
    if (admitting(wire, &pychoral_type_any_list) != NULL)
        return pointed(&pychoral_type_any_list,
                       pychoral_list_from(value, &pychoral_type_any_list));
    if (admitting(wire, &pychoral_type_any_set) == NULL)
        return kept(value);
    return pointed(&pychoral_type_any_set, pychoral_set_from(value, &pychoral_type_any_set));
}

// Whether what a member of an IntEnum or StrEnum is can come: an int also as another number.
static bool is_admitted(const PychoralType *wire, const PychoralType *base)
{
    return base != NULL && (admitting(wire, base) != NULL ||
                            (base->kind == PYCHORAL_INT &&
                             (admitting(wire, &pychoral_type_float) != NULL ||
                              admitting(wire, &pychoral_type_complex) != NULL)));
}

// A value that no member of `wire` admits as it is.
static PychoralAny reduce_other(PychoralRef value, const PychoralType *wire, unsigned depth)
{
    const PychoralType *type = value.type;
    if (type->kind == PYCHORAL_ENUM)
        return is_admitted(wire, type->element)
                   ? pychoral_any(type->element, (const char *)type->literals +
                                      *(const uint32_t *)value.value * type->element->size)
                   : kept(value);
    PychoralAny made = listed(value, wire);
    if (made.type == type)
        return made;
    PychoralAny whole = reduce((PychoralRef){&pychoral_type_object, &made}, wire, depth);
    pychoral_release(&pychoral_type_object, &made);
    return whole;
}

static PychoralAny reduce(PychoralRef value, const PychoralType *wire, unsigned depth)
{
    if (value.type->kind == PYCHORAL_OBJECT && ((const PychoralAny *)value.value)->type == NULL)
        return (PychoralAny){0};
    value = pychoral_look(value.type, value.value);
    const PychoralType *as = admitting(wire, value.type);
    if (depth == MOST_DEPTH)
        return kept(value);
    if (as == NULL || as->kind == PYCHORAL_RANGE)
        return reduce_other(value, wire, depth);
    if (as->kind == PYCHORAL_OBJECT)
        return kept(value);
    switch (value.type->kind) {
    case PYCHORAL_LIST: case PYCHORAL_SEQUENCE: return reduce_list(value, as, depth + 1);
    case PYCHORAL_TUPLE: return reduce_tuple(value, as, depth + 1);
    case PYCHORAL_DICT: case PYCHORAL_SET: case PYCHORAL_FROZENSET:
        return reduce_table(value, as, depth + 1);
    default: return kept(value);
    }
}

PychoralAny pychoral_reduced(PychoralRef value, const PychoralType *wire)
{
    return reduce(value, wire, 0);
}

bool pychoral_is_readable(const PychoralType *wire, const PychoralAny *made,
                          PychoralWireFault *why)
{
    if (!(wire->flags & PYCHORAL_CONVERTS))
        return true;
    PychoralWriter writer = {0};
    PychoralFault fault;
    void *copy = pychoral_allocate_zeroed(1, wire->size);
    why->memory = !pychoral_encode(&writer, &pychoral_type_object, made, &fault);
    bool done = !why->memory &&
                pychoral_decode_part(wire, writer.frames, writer.count, copy, why);
    if (done)
        pychoral_release(wire, copy);
    free(copy);
    pychoral_writer_clear(&writer);
    return done;
}
