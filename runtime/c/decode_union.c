// decode_union.c - frames to values: which member of a union came (PROTOCOL.md 5.2).
//
// The first bytes nearly always tell. Where several members may be meant each is tried in order,
// first without conversion, and the reader is put back; how often is bounded for the whole value.

#include "reader.h"

// The row that says what a box or a literal is read as.
static const PychoralType *read_as(const PychoralType *type)
{
    return type->key != NULL ? type->key : type->element;
}

// What may stand where `type` is expected, as a set of Came.
static unsigned accepts(const PychoralType *type)
{
    switch (type->kind) {
    case PYCHORAL_NONE: return CAME_NONE;
    case PYCHORAL_BOOL: return CAME_BOOL;
    case PYCHORAL_INT: return CAME_INT | CAME_BOOL;
    case PYCHORAL_FLOAT: return CAME_FLOAT | CAME_INT | CAME_BOOL;
    case PYCHORAL_COMPLEX: return CAME_COMPLEX | CAME_FLOAT | CAME_INT | CAME_BOOL;
    case PYCHORAL_STR: return CAME_STR;
    case PYCHORAL_BYTES: return CAME_BYTES;
    case PYCHORAL_LIST: return CAME_LIST;
    case PYCHORAL_SEQUENCE:
    case PYCHORAL_TUPLE: return CAME_TUPLE;
    case PYCHORAL_DICT: return CAME_DICT;
    case PYCHORAL_SET: return CAME_SET;
    case PYCHORAL_FROZENSET: return CAME_FROZENSET;
    case PYCHORAL_ENUM: return CAME_ENUM;
    case PYCHORAL_DATACLASS: return CAME_DATACLASS;
    case PYCHORAL_NDARRAY: return CAME_NDARRAY;
    case PYCHORAL_BOX:
    case PYCHORAL_LITERAL: return accepts(read_as(type));
    case PYCHORAL_FUNCTION:
    case PYCHORAL_ITERATOR:
    case PYCHORAL_RANGE:
    case PYCHORAL_CHANNEL: return 0;
    case PYCHORAL_OBJECT:
    case PYCHORAL_UNION: break;
    }
    unsigned all = 0;
    for (uint32_t i = 0; i < type->count; i++)
        all |= accepts(type->fields[i].type);
    return all;
}

// The type number at the reader, if an enum or a dataclass came; else 0.
static uint64_t number_at(const Reader *r, Came came)
{
    uint64_t number;
    bool numbered = came == CAME_ENUM || came == CAME_DATACLASS;
    return numbered && pychoral_peek_number(r, came, &number) ? number : 0;
}

static bool has_number(const PychoralType *type, uint64_t number)
{
    if (type->number == number)
        return true;
    for (uint32_t i = 0; i < type->derived_count; i++)
        if (type->derived[i]->number == number)
            return true;
    return false;
}

// Whether what came may be a `type`: by its kind, and of enums and dataclasses by the number.
static bool may_be(const PychoralType *type, Came came, uint64_t number)
{
    if (!(accepts(type) & came))
        return false;
    if (type->kind == PYCHORAL_BOX || type->kind == PYCHORAL_LITERAL)
        return may_be(read_as(type), came, number);
    bool numbered = type->kind == PYCHORAL_ENUM || type->kind == PYCHORAL_DATACLASS;
    return !numbered || has_number(type, number);
}

// Members of an `object` are of at most 24 bytes each, but for tuples.
static bool read_into_any(Reader *r, const PychoralType *type, PychoralAny *any)
{
    const PychoralType *kept = type;
    while (kept->kind == PYCHORAL_LITERAL)
        kept = kept->element;
    bool boxed = kept->kind == PYCHORAL_TUPLE;
    if (boxed ? pychoral_read_boxed(r, kept, type, &any->box)
              : pychoral_read_value(r, type, &any->pointer))
        any->type = kept;
    else
        any->type = NULL;
    return any->type != NULL;
}

static bool read_member(Reader *r, const PychoralType *type, uint32_t tag, void *out)
{
    const PychoralField *member = &type->fields[tag];
    if (type->kind == PYCHORAL_OBJECT)
        return read_into_any(r, member->type, out);
    memcpy(out, &tag, sizeof tag);
    return pychoral_read_value(r, member->type, (char *)out + member->offset);
}

typedef enum Try { TRY_TAKEN, TRY_REFUSED, TRY_STOP } Try;

// Reads as member `tag`, or puts the reader back.
static Try try_member(Reader *r, const PychoralType *type, uint32_t tag, void *out)
{
    if (r->tries == 0)
        return TRY_STOP;
    Reader before = *r;
    r->tries--;
    r->quiet = true;
    bool taken = read_member(r, type, tag, out);
    uint64_t tries = r->tries;
    if (!taken)
        *r = before;
    r->tries = tries;
    r->quiet = before.quiet;
    return taken ? TRY_TAKEN : r->why->memory ? TRY_STOP : TRY_REFUSED;
}

static Try try_members(Reader *r, const PychoralType *type, Came came, void *out)
{
    uint64_t number = number_at(r, came);
    for (uint32_t i = 0; i < type->count; i++) {
        if (!may_be(type->fields[i].type, came, number))
            continue;
        Try result = try_member(r, type, i, out);
        if (result != TRY_REFUSED)
            return result;
    }
    return TRY_REFUSED;
}

static bool try_all(Reader *r, const PychoralType *type, Came came, void *out)
{
    Conversion most = r->convert;
    Try result = TRY_REFUSED;
    for (r->convert = CONVERT_NONE; result == TRY_REFUSED && r->convert <= most; r->convert++)
        result = try_members(r, type, came, out);
    r->convert = most;
    if (result == TRY_STOP && !r->why->memory)
        return pychoral_read_fault(r, type->name, "a value with too many ways to read it");
    return result == TRY_TAKEN || (!r->why->memory && pychoral_read_refuse(r, type));
}

// The member of `object` that came; a bool may be an int, as it stays a bool there.
static bool find_any(const Reader *r, const PychoralType *type, Came came, uint32_t *tag)
{
    uint64_t number = number_at(r, came);
    for (*tag = 0; *tag < type->count; ++*tag) {
        const PychoralType *member = type->fields[*tag].type;
        bool converts = (member->kind == PYCHORAL_FLOAT && came != CAME_FLOAT) ||
                        (member->kind == PYCHORAL_COMPLEX && came != CAME_COMPLEX);
        if (!converts && may_be(member, came, number))
            return true;
    }
    return false;
}

static bool read_any(Reader *r, const PychoralType *type, Came came, void *out)
{
    uint32_t tag;
    return find_any(r, type, came, &tag) ? read_member(r, type, tag, out)
                                         : pychoral_read_refuse(r, type);
}

bool pychoral_read_object_of_any(Reader *r, const PychoralType *type, void *out)
{
    return type->flags & PYCHORAL_ADMITS ? pychoral_read_union(r, type, out)
                                         : read_any(r, type, pychoral_came(r), out);
}

bool pychoral_read_union(Reader *r, const PychoralType *type, void *out)
{
    Came came = pychoral_came(r);
    if (type->flags & PYCHORAL_ANY)
        return read_any(r, type, came, out);
    uint64_t number = number_at(r, came);
    uint32_t fitting = 0, only = 0;
    for (uint32_t i = 0; i < type->count; i++)
        if (may_be(type->fields[i].type, came, number)) {
            fitting++;
            only = i;
        }
    if (fitting == 0)
        return pychoral_read_refuse(r, type);
    return fitting == 1 ? read_member(r, type, only, out) : try_all(r, type, came, out);
}
