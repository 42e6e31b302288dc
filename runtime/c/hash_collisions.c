// hash_collisions.c - keys with one hash in Python; contracts in hash_collisions.h.
//
// The hashes of numbers, tuples and frozensets are those of CPython 3.8 and later on 64 bits. Those
// of texts nobody can foresee: they are as good as ours.

#include "hash_collisions.h"

#include <math.h>
#include <stdlib.h>

#include "builtins/call.h"
#include "plain.h"

enum { MOST_ALIKE = 1000, HASH_BITS = 61 };

static const uint64_t PRIME = (UINT64_C(1) << HASH_BITS) - 1;
static const uint64_t NO_HASH = UINT64_MAX;     // -1: Python has -2 in its place

// How keys are looked at: with texts by `seed`; in dicts, objects that are equal only to themselves
// by their fields, as they are on the wire.
typedef struct Eye {
    uint64_t seed;
    bool by_fields;
    unsigned depth;
} Eye;

static uint64_t hash_of(PychoralPlain plain, Eye eye);

static uint64_t signed_hash(uint64_t remainder, bool negative)
{
    uint64_t hash = negative ? 0 - remainder : remainder;
    return hash == NO_HASH ? NO_HASH - 1 : hash;
}

// ---- numbers ----

static uint64_t hash_int(PychoralInt number)
{
    mp_limb_t limb;
    mpz_t view;
    pychoral_int_view(&number, &limb, view);
    return signed_hash(mpz_tdiv_ui(view, PRIME), mpz_sgn(view) < 0);
}

static uint64_t rotate(uint64_t number, int bits)
{
    return (number << bits & PRIME) | number >> (HASH_BITS - bits);
}

// `at`: where a NaN is, which is equal to nothing.
static uint64_t hash_float(double number, const void *at)
{
    enum { STEP = 28 };
    if (isnan(number))
        return (uint64_t)(uintptr_t)at;
    if (isinf(number))
        return signed_hash(314159, number < 0);
    int exponent;
    uint64_t hash = 0;
    for (double rest = frexp(fabs(number), &exponent); rest != 0;) {
        rest *= 1 << STEP;
        exponent -= STEP;
        uint64_t part = (uint64_t)rest;
        rest -= (double)part;
        hash = rotate(hash, STEP) + part;
        hash -= hash >= PRIME ? PRIME : 0;
    }
    exponent = exponent >= 0 ? exponent % HASH_BITS : HASH_BITS - 1 - (-1 - exponent) % HASH_BITS;
    return signed_hash(rotate(hash, exponent), number < 0);
}

uint64_t pychoral_collisions_number(const PychoralNumber *number, const void *at)
{
    uint64_t real = number->is_int ? hash_int(number->whole) : hash_float(number->real, at);
    return signed_hash(real + 1000003 * hash_float(number->imag, at), false);
}

// ---- what has parts ----

static const uint64_t PRIME_1 = UINT64_C(11400714785074694791);
static const uint64_t PRIME_2 = UINT64_C(14029467366897019727);
static const uint64_t PRIME_5 = UINT64_C(2870177450012600261);

uint64_t pychoral_collisions_start(void) { return PRIME_5; }

uint64_t pychoral_collisions_add(uint64_t hash, uint64_t lane)
{
    hash += lane * PRIME_2;
    return (hash << 31 | hash >> 33) * PRIME_1;
}

uint64_t pychoral_collisions_finish(uint64_t hash, uint64_t count)
{
    hash += count ^ PRIME_5 ^ 3527539;
    return hash == NO_HASH ? 1546275796 : hash;
}

static uint64_t hash_items(PychoralPlain plain, Eye eye)
{
    PychoralItems items = pychoral_items_of(plain);
    uint64_t hash = PRIME_5;
    for (size_t i = 0; i < items.count; i++) {
        PychoralInt room;
        hash = pychoral_collisions_add(hash, hash_of(pychoral_item_at(&items, i, &room), eye));
    }
    return pychoral_collisions_finish(hash, items.count);
}

// A frozen dataclass has the hash of the tuple of its fields, unless its class says another one.
static uint64_t hash_object(const PychoralObject *object, Eye eye)
{
    const PychoralType *type = object->type;
    uint64_t hash = PRIME_5, count = 0;
    bool refused;
    PychoralSource source = pychoral_source_of_hash(type, &refused);
    if (source.method != NULL)
        return (uint64_t)pychoral_ask_hash(source.method, (PychoralRef){type, &object});
    if ((type->flags & PYCHORAL_IDENTITY) && !eye.by_fields)
        return (uint64_t)(uintptr_t)object;
    for (uint32_t i = 0; i < type->count; i++) {
        const PychoralField *field = &type->fields[i];
        if (field->ignored)
            continue;
        const char *value = (const char *)object + field->offset;
        hash = pychoral_collisions_add(hash, hash_of(pychoral_plain_of(field->type, value), eye));
        count++;
    }
    return pychoral_collisions_finish(hash, count);
}

uint64_t pychoral_collisions_add_unordered(uint64_t hash, uint64_t part)
{
    return hash ^ (part ^ 89869747 ^ part << 16) * 3644798167;
}

uint64_t pychoral_collisions_finish_unordered(uint64_t hash, uint64_t count)
{
    hash ^= (count + 1) * 1927868237;
    hash ^= hash >> 11 ^ hash >> 25;
    hash = hash * 69069 + 907133923;
    return hash == NO_HASH ? 590923713 : hash;
}

static uint64_t hash_set(const PychoralTable *table, Eye eye)
{
    uint64_t hash = 0;
    void *key;
    for (uint32_t position = 0; pychoral_table_next(table, &position, &key, NULL);) {
        uint64_t part = hash_of(pychoral_plain_of(table->object.type->element, key), eye);
        hash = pychoral_collisions_add_unordered(hash, part);
    }
    return pychoral_collisions_finish_unordered(hash, table->count);
}

// ---- all ----

// Nobody can foresee it.
static uint64_t hash_text(PychoralPlain plain, Eye eye)
{
    bool is_text = plain.type->kind == PYCHORAL_STR || plain.type->kind == PYCHORAL_BYTES;
    uint64_t hash = 0;
    if (!is_text || ((const PychoralBytes *)pychoral_pointer_at(plain.value))->size > 0)
        pychoral_hash(plain.type, plain.value, eye.seed, &hash);
    return hash;
}

static uint64_t hash_of(PychoralPlain plain, Eye eye)
{
    PychoralNumber number;
    if (pychoral_number_of(plain, &number))
        return pychoral_collisions_number(&number, plain.value);
    if (eye.depth-- == 0)
        return 0;
    switch (plain.type->kind) {
    case PYCHORAL_TUPLE:
    case PYCHORAL_SEQUENCE:
        return hash_items(plain, eye);
    case PYCHORAL_FROZENSET:
        return hash_set(pychoral_pointer_at(plain.value), eye);
    case PYCHORAL_DATACLASS:
        return hash_object(pychoral_pointer_at(plain.value), eye);
    default:
        return hash_text(plain, eye);
    }
}

// Whether it is a number that has itself as its hash, as only one in a table can.
static bool is_own_hash(PychoralPlain plain)
{
    if (plain.type->kind != PYCHORAL_INT)
        return false;
    PychoralInt number = *(const PychoralInt *)plain.value;
    return !pychoral_int_is_big(number) && number.small != -1 &&
           number.small > -(int64_t)PRIME && number.small < (int64_t)PRIME;
}

static const PychoralType *key_type(const PychoralTable *table)
{
    const PychoralType *type = table->object.type;
    return type->kind == PYCHORAL_DICT ? type->key : type->element;
}

// A number that is its own hash can be met by each other key, and then that one is the other.
static bool may_be_crowded(const PychoralTable *table)
{
    const PychoralType *type = key_type(table);
    uint32_t others = 0;
    void *key;
    if (table->count <= MOST_ALIKE || type->kind == PYCHORAL_STR || type->kind == PYCHORAL_BYTES)
        return false;
    for (uint32_t position = 0; pychoral_table_next(table, &position, &key, NULL);)
        others += !is_own_hash(pychoral_plain_of(type, key));
    return others > MOST_ALIKE;
}

// Puts a hash into slots that are not 0; false if it is there.
static bool is_first(uint64_t *slots, uint64_t mask, uint64_t hash, uint64_t seed)
{
    hash = hash == 0 ? NO_HASH : hash;
    uint64_t at = (hash ^ seed) * PRIME_1;
    for (at ^= at >> 32; slots[at & mask] != 0; at++)
        if (slots[at & mask] == hash)
            return false;
    slots[at & mask] = hash;
    return true;
}

PychoralCollisions pychoral_table_collisions(const PychoralTable *table)
{
    if (!may_be_crowded(table))
        return PYCHORAL_CROWD_NONE;
    uint64_t room = 1, alike = 0;
    while (room < (uint64_t)table->count * 2)
        room *= 2;
    uint64_t *slots = calloc(room, sizeof *slots);
    if (slots == NULL)
        return PYCHORAL_CROWD_MEMORY;
    Eye eye = {table->seed, table->object.type->kind == PYCHORAL_DICT, PYCHORAL_EQUAL_DEPTH};
    void *key;
    for (uint32_t position = 0; pychoral_table_next(table, &position, &key, NULL);)
        alike += !is_first(slots, room - 1, hash_of(pychoral_plain_of(key_type(table), key), eye),
                           table->seed);
    free(slots);
    return alike > MOST_ALIKE ? PYCHORAL_CROWD_FOUND : PYCHORAL_CROWD_NONE;
}
