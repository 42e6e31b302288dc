// equal.c - equality and hashes as Python has them, across types where unions allow it.
//
// 1, 1.0, True and 1+0j are one key (PROTOCOL.md 5.2). Values are compared with the row of each, so
// that members of a union that differ (tuple[int, ...] and tuple[float, ...]) can still be equal.

#include <math.h>

#include "builtins/call.h"
#include "builtins/range.h"
#include "plain.h"
#include "table.h"

// ---- numbers ----

static bool fits_int64(double number) { return number >= -0x1p63 && number < 0x1p63; }

static bool equal_big(const PychoralBig *a, const PychoralBig *b)
{
    return a->count == b->count && a->head.flags == b->head.flags &&
           memcmp(a->limbs, b->limbs, a->count * sizeof *a->limbs) == 0;
}

static bool equal_ints(PychoralInt a, PychoralInt b)
{
    if (pychoral_int_is_big(a) || pychoral_int_is_big(b))
        return pychoral_int_is_big(a) && pychoral_int_is_big(b) && equal_big(a.big, b.big);
    return a.small == b.small;
}

// A float is equal to an int if it is that number exactly.
static bool equal_int_float(PychoralInt a, double b)
{
    if (!pychoral_int_is_big(a))
        return fits_int64(b) && (int64_t)b == a.small && (double)(int64_t)b == b;
    double rounded;
    if (!pychoral_int_to_float(a, &rounded) || rounded != b)
        return false;
    mp_limb_t limb;
    mpz_t view;
    pychoral_int_view(&a, &limb, view);
    return mpz_cmp_d(view, b) == 0;
}

static bool equal_numbers(const PychoralNumber *a, const PychoralNumber *b)
{
    if (a->imag != b->imag)
        return false;
    if (a->is_int && b->is_int)
        return equal_ints(a->whole, b->whole);
    if (a->is_int || b->is_int)
        return a->is_int ? equal_int_float(a->whole, b->real) : equal_int_float(b->whole, a->real);
    return a->real == b->real;
}

// ---- equality ----

// How to look at values. `by_fields`: what is not equal for Python though it looks the same on the
// wire is equal (PROTOCOL.md 5.2): objects that are equal only to themselves (eq=False).
// `identity`, if not NULL, is set when such a value was met, or one whose class says itself what is
// equal. `on_top`: == itself is asked for; items and keys are equal to themselves whatever their
// class says. `whole`: part of an object that is hashed by its fields, whatever they are.
typedef struct Look {
    unsigned depth;
    bool by_fields;
    bool *identity;
    bool on_top;
    bool whole;
} Look;

static const Look AS_PYTHON = {.depth = PYCHORAL_EQUAL_DEPTH};

static Look deeper(Look look)
{
    look.depth--;
    look.on_top = false;
    return look;
}

static bool equal(PychoralPlain a, PychoralPlain b, Look look);

static bool equal_values(const PychoralType *type_a, const void *a, const PychoralType *type_b,
                         const void *b, Look look)
{
    return look.depth > 0 &&
           equal(pychoral_plain_of(type_a, a), pychoral_plain_of(type_b, b), deeper(look));
}

static bool is_pointer_equal(PychoralPlain a, PychoralPlain b)
{
    return pychoral_pointer_at(a.value) == pychoral_pointer_at(b.value);
}

// Whatever is in a container (NaN, too) is equal to itself.
static bool is_itself(PychoralPlain a, PychoralPlain b, Look look)
{
    return !look.by_fields && is_pointer_equal(a, b);
}

static bool equal_bytes(PychoralPlain a, PychoralPlain b)
{
    const PychoralBytes *one = pychoral_pointer_at(a.value), *other = pychoral_pointer_at(b.value);
    return one->size == other->size &&
           (one->size == 0 || memcmp(one->data, other->data, one->size) == 0);
}

static bool equal_items(PychoralPlain a, PychoralPlain b, Look look)
{
    PychoralItems one = pychoral_items_of(a), other = pychoral_items_of(b);
    if (one.count != other.count)
        return false;
    if (one.list != NULL && other.list != NULL && one.list->narrow && other.list->narrow)
        return one.count == 0 || memcmp(one.list->items, other.list->items,
                                        one.count * sizeof(int64_t)) == 0;
    for (size_t i = 0; i < one.count; i++) {
        PychoralInt room_a, room_b;
        if (look.depth == 0 ||
            !equal(pychoral_item_at(&one, i, &room_a), pychoral_item_at(&other, i, &room_b),
                   deeper(look)))
            return false;
    }
    return true;
}

// A count of a Counter that is 0 is as if it were not there.
static bool is_zero(const PychoralType *type, const void *count, Look look)
{
    static const PychoralInt ZERO = {0, NULL};
    return equal_values(type, count, &pychoral_type_int, &ZERO, look);
}

static bool has_counts(const PychoralTable *one, const PychoralTable *other, Look look)
{
    const PychoralType *type = one->object.type;
    void *key, *count;
    for (uint32_t position = 0; pychoral_table_next(one, &position, &key, &count);) {
        const void *found = pychoral_table_find_of(other, type->key, key);
        if (found == NULL ? !is_zero(type->element, count, look)
                          : !equal_values(type->element, count, other->object.type->element, found,
                                          look))
            return false;
    }
    return true;
}

static bool equal_tables(PychoralPlain a, PychoralPlain b, Look look)
{
    const PychoralTable *one = pychoral_pointer_at(a.value), *other = pychoral_pointer_at(b.value);
    bool dict = a.type->kind == PYCHORAL_DICT;
    if (pychoral_is_counter(one) && pychoral_is_counter(other))
        return has_counts(one, other, look) && has_counts(other, one, look);
    if (one->count != other->count)
        return false;
    void *key, *value;
    for (uint32_t position = 0; pychoral_table_next(one, &position, &key, &value);) {
        const void *found =
            pychoral_table_find_of(other, dict ? a.type->key : a.type->element, key);
        if (found == NULL ||
            (dict && !equal_values(a.type->element, value, b.type->element, found, look)))
            return false;
    }
    return true;
}

static bool equal_fields(const PychoralObject *a, const PychoralObject *b,
                         const PychoralType *type, Look look)
{
    for (uint32_t i = 0; i < type->count; i++)
        if (!type->fields[i].ignored &&
            !equal_values(a->type->fields[i].type, (const char *)a + a->type->fields[i].offset,
                          b->type->fields[i].type, (const char *)b + b->type->fields[i].offset,
                          look))
            return false;
    return true;
}

static const PychoralObject *object_at(PychoralPlain plain)
{
    return plain.type->kind == PYCHORAL_DATACLASS ? pychoral_pointer_at(plain.value) : NULL;
}

static bool is_same_object(PychoralPlain a, PychoralPlain b, Look look)
{
    return object_at(a) != NULL && object_at(a) == object_at(b) && !look.on_top;
}

// What the class of either says: its __eq__, or that of a dataclass. An object whose class derives
// from that of the other is asked first.
static bool equal_by_class(PychoralPlain a, PychoralPlain b, Look look)
{
    const PychoralObject *one = object_at(a), *other = object_at(b);
    PychoralRef x = {a.type, a.value}, y = {b.type, b.value};
    const PychoralMethod *method =
        other == NULL ? NULL : pychoral_source_of_eq(other->type).method;
    bool answer, swapped_first = one != NULL && other != NULL && one->type != other->type &&
                                 pychoral_derives(other->type, one->type);
    if (swapped_first && method != NULL && pychoral_ask_operator(method, y, x, &answer))
        return answer;
    if (one != NULL) {
        PychoralSource source = pychoral_source_of_eq(one->type);
        if (source.method != NULL && pychoral_ask_operator(source.method, x, y, &answer))
            return answer;
        if (source.made != NULL && other != NULL && one->type->number == other->type->number)
            return equal_fields(one, other, source.made, look);
    }
    bool answered = !swapped_first && method != NULL &&
                    pychoral_ask_operator(method, y, x, &answer);
    return answered ? answer : one == other;
}

static bool equal_objects(PychoralPlain a, PychoralPlain b, Look look)
{
    const PychoralObject *one = object_at(a), *other = object_at(b);
    if (one == other && !look.on_top)
        return true;
    if (!look.by_fields)
        return equal_by_class(a, b, look);
    return one->type->number == other->type->number && equal_fields(one, other, one->type, look);
}

static bool equal_enums(PychoralPlain a, PychoralPlain b)
{
    return a.type->number == b.type->number &&
           memcmp(a.value, b.value, sizeof(uint32_t)) == 0;
}

// Kinds that can be equal to one another.
static PychoralKind family(PychoralKind kind)
{
    return kind == PYCHORAL_SEQUENCE ? PYCHORAL_TUPLE
           : kind == PYCHORAL_FROZENSET ? PYCHORAL_SET : kind;
}

// A named tuple is a tuple unless its class says what is equal.
static PychoralPlain tuple_of(PychoralPlain plain)
{
    PychoralRef seen = {plain.type, plain.value};
    if (plain.type->kind == PYCHORAL_DATACLASS) {
        seen.type = object_at(plain)->type;
        seen = pychoral_as_tuple(seen, "__eq__");
    }
    return (PychoralPlain){seen.type, seen.value};
}

static bool equal(PychoralPlain a, PychoralPlain b, Look look)
{
    PychoralNumber one, other;
    if (a.type->kind == PYCHORAL_INT && b.type->kind == PYCHORAL_INT)  // most often
        return equal_ints(*(const PychoralInt *)a.value, *(const PychoralInt *)b.value);
    if (a.type->kind == PYCHORAL_DATACLASS || b.type->kind == PYCHORAL_DATACLASS) {
        PychoralPlain x = tuple_of(a), y = tuple_of(b);
        if (family(x.type->kind) == PYCHORAL_TUPLE && family(y.type->kind) == PYCHORAL_TUPLE)
            return is_same_object(a, b, look) || equal_items(x, y, look);
    }
    if (family(a.type->kind) != family(b.type->kind) &&
        (a.type->kind == PYCHORAL_DATACLASS || b.type->kind == PYCHORAL_DATACLASS))
        return !look.by_fields && equal_by_class(a, b, look);
    if (pychoral_number_of(a, &one))
        return pychoral_number_of(b, &other) && equal_numbers(&one, &other);
    if (family(a.type->kind) != family(b.type->kind))
        return false;
    switch (family(a.type->kind)) {
    case PYCHORAL_NONE:
        return true;
    case PYCHORAL_STR:
    case PYCHORAL_BYTES:
        return equal_bytes(a, b);
    case PYCHORAL_LIST:
        return is_itself(a, b, look) || equal_items(a, b, look);
    case PYCHORAL_TUPLE:
        return equal_items(a, b, look);
    case PYCHORAL_DICT:
    case PYCHORAL_SET:
        return is_itself(a, b, look) || equal_tables(a, b, look);
    case PYCHORAL_ENUM:
        return equal_enums(a, b);
    case PYCHORAL_DATACLASS:
        return equal_objects(a, b, look);
    case PYCHORAL_RANGE:
        return pychoral_range_eq(pychoral_pointer_at(a.value), pychoral_pointer_at(b.value));
    default:  // arrays have no ==; numbers and wrappers are done
        return is_pointer_equal(a, b);
    }
}

bool pychoral_equal(const PychoralType *type, const void *a, const void *b)
{
    return equal_values(type, a, type, b, AS_PYTHON);
}

// Tuples of one row, without what looking at values of any rows costs.
static bool equal_tuple_keys(const PychoralType *type, const char *a, const char *b, bool by_fields)
{
    for (uint32_t i = 0; i < type->count; i++) {
        const PychoralField *field = &type->fields[i];
        if (!pychoral_equal_keys(field->type, a + field->offset, field->type, b + field->offset,
                                 by_fields))
            return false;
    }
    return true;
}

bool pychoral_equal_keys(const PychoralType *type_a, const void *a, const PychoralType *type_b,
                         const void *b, bool by_fields)
{
    if (type_a->kind == PYCHORAL_STR && type_b->kind == PYCHORAL_STR)
        return equal_bytes((PychoralPlain){type_a, a}, (PychoralPlain){type_b, b});
    if (type_a->kind == PYCHORAL_INT && type_b->kind == PYCHORAL_INT)
        return equal_ints(*(const PychoralInt *)a, *(const PychoralInt *)b);
    if (type_a == type_b && type_a->kind == PYCHORAL_TUPLE)
        return equal_tuple_keys(type_a, a, b, by_fields);
    return equal_values(type_a, a, type_b, b,
                        (Look){.depth = PYCHORAL_EQUAL_DEPTH, .by_fields = by_fields});
}

bool pychoral_equal_values(const PychoralType *type_a, const void *a, const PychoralType *type_b,
                           const void *b)
{
    Look look = {.depth = PYCHORAL_EQUAL_DEPTH - 1, .on_top = true};
    return equal(pychoral_plain_of(type_a, a), pychoral_plain_of(type_b, b), look);
}

// ---- hash ----

// Multiplies to 128 bits and folds: each bit of the result depends on all of both.
__extension__ typedef unsigned __int128 Wide;

static uint64_t mix(uint64_t a, uint64_t b)
{
    Wide product = (Wide)(a ^ 0x9e3779b97f4a7c15u) * (b | 1);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Numbers that follow one another stand side by side in the index of a table, eight to a block:
// programs count more often than they take keys at random.
static uint64_t hash_int(int64_t number, uint64_t seed)
{
    uint64_t low = (uint64_t)number & 7;
    return mix((uint64_t)number >> 3, seed) ^ low ^ low << 32;
}

// Less than eight bytes as a number. Copied to one of eight they would have to be waited for.
static uint64_t last_word(const unsigned char *at, size_t size)
{
    uint32_t first, last;
    if (size < sizeof first)
        return size == 0 ? 0 : at[0] | (uint64_t)at[size / 2] << 8 | (uint64_t)at[size - 1] << 16;
    memcpy(&first, at, sizeof first);
    memcpy(&last, at + size - sizeof last, sizeof last);
    return first | (uint64_t)last << 32;
}

static uint64_t hash_bytes(const void *data, size_t size, uint64_t seed)
{
    const unsigned char *at = data;
    uint64_t hash = mix(seed, size ^ 0xd6e8feb86659fd93u), word;
    for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = mix(hash ^ word, seed ^ 0xa0761d6478bd642fu);
    }
    return mix(hash ^ last_word(at, size), seed ^ 0xe7037ed1a0b428dbu);
}

// Equal numbers are first made one: whole ones in 64 bits, then what a float holds, then limbs.
static uint64_t hash_real(const PychoralNumber *number, uint64_t seed)
{
    double real = number->real;
    if (number->is_int && !pychoral_int_is_big(number->whole))
        return hash_int(number->whole.small, seed);
    if (number->is_int) {
        const PychoralBig *big = number->whole.big;
        if (!pychoral_int_to_float(number->whole, &real) ||
            !equal_int_float(number->whole, real))
            return hash_bytes(big->limbs, big->count * sizeof *big->limbs, seed);
    }
    if (fits_int64(real) && (double)(int64_t)real == real)
        return hash_int((int64_t)real, seed);
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return mix(bits, seed);
}

static uint64_t hash_number(const PychoralNumber *number, uint64_t seed)
{
    uint64_t hash = hash_real(number, seed);
    if (number->imag == 0)
        return hash;
    PychoralNumber imag = {false, {0, NULL}, number->imag, 0};
    return mix(hash, hash_real(&imag, ~seed));
}

static bool hash_plain(PychoralPlain plain, uint64_t seed, Look look, uint64_t *hash);

static bool hash_items(PychoralPlain plain, uint64_t seed, Look look, uint64_t *hash)
{
    PychoralItems items = pychoral_items_of(plain);
    *hash = mix(seed, items.count);
    for (size_t i = 0; i < items.count; i++) {
        PychoralInt room;
        uint64_t part;
        if (look.depth == 0 ||
            !hash_plain(pychoral_item_at(&items, i, &room), seed, deeper(look), &part))
            return false;
        *hash = mix(*hash ^ part, seed);
    }
    return true;
}

// The order of a set's elements has no part in its hash.
static bool hash_set(const PychoralTable *table, uint64_t seed, Look look, uint64_t *hash)
{
    const PychoralType *element = table->object.type->element;
    void *key;
    *hash = table->count;
    for (uint32_t position = 0; pychoral_table_next(table, &position, &key, NULL);) {
        uint64_t part;
        if (look.depth == 0 ||
            !hash_plain(pychoral_plain_of(element, key), seed, deeper(look), &part))
            return false;
        *hash += mix(part, seed);
    }
    return true;
}

static bool hash_fields(const PychoralObject *object, const PychoralType *type, uint64_t seed,
                        Look look, uint64_t *hash)
{
    *hash = mix(seed, object->type->number);
    for (uint32_t i = 0; i < type->count; i++) {
        const PychoralField *field = &object->type->fields[i];
        uint64_t part;
        if (field->ignored || field->attribute)
            continue;
        PychoralPlain value = pychoral_plain_of(field->type, (const char *)object + field->offset);
        if (look.depth == 0 || !hash_plain(value, seed, deeper(look), &part))
            return false;
        *hash = mix(*hash ^ part, seed);
    }
    return true;
}

// As it is on the wire, where objects that have another hash in Python are hashed by their fields.
static bool hash_read(const PychoralObject *object, uint64_t seed, Look look, uint64_t *hash)
{
    bool refused;
    PychoralSource source = pychoral_source_of_hash(object->type, &refused);
    if (refused && !look.whole)
        return false;
    look.whole |= source.made == NULL;
    return hash_fields(object, object->type, seed, look, hash);
}

static bool hash_object(PychoralPlain plain, uint64_t seed, Look look, uint64_t *hash)
{
    const PychoralObject *object = object_at(plain);
    if (look.identity != NULL && pychoral_has_own_equality(object->type))
        *look.identity = true;
    if (look.by_fields)
        return hash_read(object, seed, look, hash);
    bool refused;
    PychoralSource source = pychoral_source_of_hash(object->type, &refused);
    if (source.made != NULL && pychoral_is_named_tuple(object->type))
        return hash_items((PychoralPlain){object->type->element, object}, seed, look, hash);
    if (source.made != NULL)
        return hash_fields(object, source.made, seed, look, hash);
    if (refused)
        return false;
    uint64_t own = (uint64_t)(uintptr_t)object;
    if (source.method != NULL)
        own = (uint64_t)pychoral_ask_hash(source.method, (PychoralRef){plain.type, plain.value});
    *hash = mix(seed, own);
    return source.method == NULL || pychoral_raised == NULL;
}

// What no key may be, but an object that is one may hold.
static bool hash_unhashable(PychoralPlain plain, uint64_t seed, Look look, uint64_t *hash)
{
    if (plain.type->kind == PYCHORAL_LIST)
        return hash_items(plain, seed, look, hash);
    if (plain.type->kind == PYCHORAL_SET)
        return hash_set(pychoral_pointer_at(plain.value), seed, look, hash);
    *hash = mix(seed, plain.type->kind);
    return true;
}

static uint64_t hash_enum(PychoralPlain plain, uint64_t seed)
{
    uint32_t member;
    memcpy(&member, plain.value, sizeof member);
    return mix((uint64_t)plain.type->number << 32 | member, seed);
}

static uint64_t hash_text(PychoralPlain plain, uint64_t seed)
{
    const PychoralBytes *bytes = pychoral_pointer_at(plain.value);
    return hash_bytes(bytes->data, bytes->size, seed);
}

static bool hash_plain(PychoralPlain plain, uint64_t seed, Look look, uint64_t *hash)
{
    PychoralNumber number;
    if (pychoral_number_of(plain, &number)) {
        *hash = hash_number(&number, seed);
        return true;
    }
    switch (plain.type->kind) {
    case PYCHORAL_NONE:
        *hash = mix(seed, 0x589965cc75374cc3u);
        return true;
    case PYCHORAL_STR:
    case PYCHORAL_BYTES:
        *hash = hash_text(plain, seed);
        return true;
    case PYCHORAL_TUPLE:
    case PYCHORAL_SEQUENCE:
        return hash_items(plain, seed, look, hash);
    case PYCHORAL_FROZENSET:
        return hash_set(pychoral_pointer_at(plain.value), seed, look, hash);
    case PYCHORAL_ENUM:
        *hash = hash_enum(plain, seed);
        return true;
    case PYCHORAL_RANGE:
        *hash = mix(seed, (uint64_t)pychoral_range_hash(pychoral_pointer_at(plain.value)));
        return true;
    case PYCHORAL_FUNCTION:
    case PYCHORAL_ITERATOR:
        *hash = mix(seed, (uint64_t)(uintptr_t)pychoral_pointer_at(plain.value));
        return true;
    case PYCHORAL_DATACLASS:
        return hash_object(plain, seed, look, hash);
    default:  // lists, dicts, sets, arrays
        return look.whole && hash_unhashable(plain, seed, look, hash);
    }
}

bool pychoral_hash(const PychoralType *type, const void *value, uint64_t seed, uint64_t *hash)
{
    return hash_plain(pychoral_plain_of(type, value), seed, AS_PYTHON, hash);
}

// As hash_items does for all that are equal to it.
static bool hash_tuple_key(const PychoralType *type, const char *value, uint64_t seed,
                           bool by_fields, bool *identity, uint64_t *hash)
{
    *hash = mix(seed, type->count);
    for (uint32_t i = 0; i < type->count; i++) {
        uint64_t part;
        if (!pychoral_hash_key(type->fields[i].type, value + type->fields[i].offset, seed,
                               by_fields, identity, &part))
            return false;
        *hash = mix(*hash ^ part, seed);
    }
    return true;
}

bool pychoral_hash_key(const PychoralType *type, const void *value, uint64_t seed, bool by_fields,
                       bool *identity, uint64_t *hash)
{
    if (type->kind == PYCHORAL_STR) {
        *hash = hash_text((PychoralPlain){type, value}, seed);
        return true;
    }
    if (type->kind == PYCHORAL_INT && ((const PychoralInt *)value)->big == NULL) {
        *hash = hash_int(((const PychoralInt *)value)->small, seed);
        return true;
    }
    if (type->kind == PYCHORAL_TUPLE)
        return hash_tuple_key(type, value, seed, by_fields, identity, hash);
    Look look = {.depth = PYCHORAL_EQUAL_DEPTH, .by_fields = by_fields, .identity = identity};
    return hash_plain(pychoral_plain_of(type, value), seed, look, hash);
}
