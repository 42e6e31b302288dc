// object.c - values of any type: what they are, which types are one; contracts in object.h.

#include "object.h"

#include <string.h>

#include "../modules/deque.h"
#include "call.h"
#include "dict.h"
#include "generated.h"
#include "plain.h"
#include "table.h"

PychoralRef pychoral_look(const PychoralType *type, const void *value)
{
    pychoral_unwrap(&type, &value);
    if (type->kind == PYCHORAL_INT && pychoral_int_is_bool(*(const PychoralInt *)value))
        return (PychoralRef){&pychoral_type_bool, &((const PychoralInt *)value)->small};
    if (type->kind == PYCHORAL_DATACLASS)
        type = ((const PychoralObject *)pychoral_pointer_at(value))->type;
    return (PychoralRef){type, value};
}

// A box of a tuple in an `object` has the tuple's own row (value.c frees it by that).
static PychoralBox *box_of(PychoralRef tuple)
{
    PychoralBox *box = pychoral_allocate(sizeof *box + tuple.type->size);
    box->object = (PychoralObject){.head = {.refs = 1}, .type = tuple.type};
    pychoral_assign(tuple.type, box->value, tuple.value);
    return box;
}

PychoralAny pychoral_any(const PychoralType *type, const void *value)
{
    if (type->kind == PYCHORAL_OBJECT && ((const PychoralAny *)value)->type == NULL)
        return (PychoralAny){.type = NULL};
    PychoralRef seen = pychoral_look(type, value);
    PychoralAny any = {.type = seen.type};
    if (seen.type->kind == PYCHORAL_TUPLE)
        any.box = box_of(seen);
    else
        pychoral_assign(seen.type, &any.pointer, seen.value);
    return any;
}

const void *pychoral_any_value(const PychoralAny *any)
{
    return any->type->kind == PYCHORAL_TUPLE ? (const void *)any->box->value
                                             : (const void *)&any->pointer;
}

// ---- types ----

// Types that contain themselves do so through boxes and objects; looking so deep is enough.
enum { TYPE_DEPTH = 24 };

static bool same(const PychoralType *a, const PychoralType *b, unsigned depth);

static bool same_parts(const PychoralType *a, const PychoralType *b, unsigned depth)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!same(a->fields[i].type, b->fields[i].type, depth))
            return false;
    return true;
}

static bool same_element(const PychoralType *a, const PychoralType *b, unsigned depth)
{
    return a == b || (a != NULL && b != NULL && same(a, b, depth));
}

static bool same_literals(const PychoralType *a, const PychoralType *b)
{
    const char *one = a->literals, *other = b->literals;
    if (a->count != b->count || a->element->kind != b->element->kind)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!pychoral_equal(a->element, one + i * a->element->size, other + i * a->element->size))
            return false;
    return true;
}

static bool same_class(const PychoralType *a, const PychoralType *b)
{
    return a->number == b->number && a->body == b->body && strcmp(a->name, b->name) == 0;
}

static bool same(const PychoralType *a, const PychoralType *b, unsigned depth)
{
    if (a == b || depth == 0)
        return true;
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE:
    case PYCHORAL_SET:
    case PYCHORAL_FROZENSET:
    case PYCHORAL_BOX:
    case PYCHORAL_ITERATOR:
        return same_element(a->element, b->element, depth - 1);
    case PYCHORAL_DICT:
        return same(a->key, b->key, depth - 1) && same(a->element, b->element, depth - 1);
    case PYCHORAL_TUPLE:
    case PYCHORAL_UNION:
        return same_parts(a, b, depth - 1);
    case PYCHORAL_FUNCTION:
        return same_parts(a, b, depth - 1) && same_element(a->element, b->element, depth - 1);
    case PYCHORAL_ENUM:
    case PYCHORAL_DATACLASS:
        return same_class(a, b);
    case PYCHORAL_NDARRAY:
        return a->number == b->number;
    case PYCHORAL_LITERAL:
        return same_literals(a, b);
    default:  // one row each
        return true;
    }
}

bool pychoral_same_type(const PychoralType *a, const PychoralType *b)
{
    return same(a, b, TYPE_DEPTH);
}

static bool is_kind(PychoralRef seen, PychoralKind kind, PychoralKind other)
{
    if (seen.type->kind == kind || seen.type->kind == other)
        return true;
    return seen.type->kind == PYCHORAL_ENUM && seen.type->element != NULL &&
           seen.type->element->kind == kind;
}

static bool is_one(PychoralRef seen, const PychoralType *of);

static bool is_member(PychoralRef seen, const PychoralType *of)
{
    for (uint32_t i = 0; i < of->count; i++)
        if (is_one(seen, of->fields[i].type))
            return true;
    return false;
}

static bool is_one(PychoralRef seen, const PychoralType *of)
{
    switch (of->kind) {
    case PYCHORAL_OBJECT:
        return true;
    case PYCHORAL_UNION:
        return is_member(seen, of);
    case PYCHORAL_BOX:
    case PYCHORAL_LITERAL:
        return is_one(seen, of->element);
    case PYCHORAL_INT:
        return is_kind(seen, PYCHORAL_INT, PYCHORAL_BOOL);
    case PYCHORAL_TUPLE:
    case PYCHORAL_SEQUENCE:
        return pychoral_is_named_tuple(seen.type) ||
               is_kind(seen, PYCHORAL_TUPLE, PYCHORAL_SEQUENCE);
    case PYCHORAL_ENUM:
        return seen.type->kind == PYCHORAL_ENUM &&
               (same_class(seen.type, of) || pychoral_derives(seen.type, of));
    case PYCHORAL_DATACLASS:
        return seen.type->kind == PYCHORAL_DATACLASS && pychoral_derives(seen.type, of);
    default:
        return is_kind(seen, of->kind, of->kind);
    }
}

bool pychoral_is_instance(const PychoralType *type, const void *value, const PychoralType *of)
{
    return is_one(pychoral_look(type, value), of);
}

// ---- identity and names ----

static bool is_same_number(PychoralInt a, PychoralInt b)
{
    return a.big == b.big && (a.big != NULL || a.small == b.small);
}

static bool is_same_tuple(PychoralRef a, PychoralRef b)
{
    for (uint32_t i = 0; i < a.type->count; i++) {
        const PychoralField *one = &a.type->fields[i], *other = &b.type->fields[i];
        if (!pychoral_is((PychoralRef){one->type, (const char *)a.value + one->offset},
                         (PychoralRef){other->type, (const char *)b.value + other->offset}))
            return false;
    }
    return true;
}

// Numbers and tuples, which are no objects here, are themselves wherever they are the same. There
// may be several objects for a class as a value.
bool pychoral_is(PychoralRef a, PychoralRef b)
{
    a = pychoral_look(a.type, a.value);
    b = pychoral_look(b.type, b.value);
    if (a.type->kind != b.type->kind)
        return false;
    switch (a.type->kind) {
    case PYCHORAL_INT:
        return is_same_number(*(const PychoralInt *)a.value, *(const PychoralInt *)b.value);
    case PYCHORAL_TUPLE:
        return a.type->count == b.type->count && is_same_tuple(a, b);
    case PYCHORAL_ENUM:
        return same_class(a.type, b.type) && memcmp(a.value, b.value, a.type->size) == 0;
    default:
        if (a.type == &pychoral_type_type && b.type == a.type)
            return pychoral_same_class(pychoral_pointer_at(a.value), pychoral_pointer_at(b.value));
        return memcmp(a.value, b.value, a.type->size) == 0;
    }
}

const char *pychoral_type_name(PychoralRef a)
{
    a = pychoral_look(a.type, a.value);
    switch (a.type->kind) {
    case PYCHORAL_NONE: return "NoneType";
    case PYCHORAL_LIST: return "list";
    case PYCHORAL_SEQUENCE:
    case PYCHORAL_TUPLE: return "tuple";
    case PYCHORAL_DICT:
        return pychoral_dict_class(pychoral_pointer_at(a.value))->name;
    case PYCHORAL_SET: return "set";
    case PYCHORAL_FROZENSET: return "frozenset";
    case PYCHORAL_FUNCTION: return "function";
    case PYCHORAL_ITERATOR: return "iterator";
    case PYCHORAL_NDARRAY: return "numpy.ndarray";
    case PYCHORAL_DATACLASS:
        if (pychoral_is_deque(a.type))
            return "collections.deque";
        break;
    default: break;  // the row says it; a class nested in another is named without that
    }
    const char *dot = strrchr(a.type->name, '.');
    return dot == NULL ? a.type->name : dot + 1;
}
