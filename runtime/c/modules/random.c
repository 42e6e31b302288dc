// random.c - the Mersenne Twister of Matsumoto and Nishimura (MT19937), seeded as CPython seeds it,
// and the whole numbers drawn from it.

#include "random.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "../builtins/big.h"
#include "../builtins/bytes.h"
#include "../builtins/process.h"
#include "../builtins/unicode.h"

const PychoralType pychoral_type_Random = {
    .kind = PYCHORAL_DATACLASS, .size = sizeof(void *), .body = sizeof(PychoralRandom),
    .flags = PYCHORAL_PLAIN, .name = "Random",
};

// ---- the generator ----

enum { WORDS = PYCHORAL_TWISTER_WORDS, SHIFTED = 397, WORD_BITS = 32 };

// Word `i` of the next state, from those at i, i + 1 and i + 397.
static void twist(uint32_t *words, size_t i)
{
    const uint32_t upper = 0x80000000, matrix = 0x9908b0df;
    uint32_t mixed = (words[i] & upper) | (words[(i + 1) % WORDS] & ~upper);
    words[i] = words[(i + SHIFTED) % WORDS] ^ mixed >> 1 ^ ((mixed & 1) != 0 ? matrix : 0);
}

static uint32_t next_word(PychoralRandom *self)
{
    if (self->next >= WORDS) {
        for (size_t i = 0; i < WORDS; i++)
            twist(self->words, i);
        self->next = 0;
    }
    uint32_t word = self->words[self->next++];
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680;
    word ^= word << 15 & 0xefc60000;
    return word ^ word >> 18;
}

static void fill(PychoralRandom *self, uint32_t seed)
{
    self->words[0] = seed;
    for (uint32_t i = 1; i < WORDS; i++) {
        uint32_t before = self->words[i - 1];
        self->words[i] = 1812433253U * (before ^ before >> 30) + i;
    }
    self->next = WORDS;
}

// Mixes a word with the one before it, `factor` telling the two rounds apart.
static uint32_t mix(const uint32_t *words, size_t i, uint32_t factor)
{
    uint32_t before = words[i - 1];
    return words[i] ^ (before ^ before >> 30) * factor;
}

// The place after `i`; the first word is the last one again.
static size_t step(uint32_t *words, size_t i)
{
    if (++i < WORDS)
        return i;
    words[0] = words[WORDS - 1];
    return 1;
}

static void seed_with_words(PychoralRandom *self, const uint32_t *key, size_t count)
{
    uint32_t *words = self->words;
    fill(self, 19650218);
    size_t i = 1, j = 0;
    for (size_t left = count > WORDS ? count : WORDS; left > 0; left--) {
        words[i] = mix(words, i, 1664525) + key[j] + (uint32_t)j;
        i = step(words, i);
        j = j + 1 < count ? j + 1 : 0;
    }
    for (size_t left = WORDS - 1; left > 0; left--) {
        words[i] = mix(words, i, 1566083941) - (uint32_t)i;
        i = step(words, i);
    }
    words[0] = 0x80000000;
}

// ---- seeds ----

static void seed_with_int(PychoralRandom *self, PychoralInt seed)
{
    PychoralView view;
    pychoral_view(&view, seed);
    size_t count = (pychoral_bits(seed) + WORD_BITS - 1) / WORD_BITS;
    uint32_t *key = pychoral_allocate_zeroed(count + 1, sizeof *key);
    mpz_export(key, NULL, -1, sizeof *key, 0, 0, view.z);
    seed_with_words(self, key, count == 0 ? 1 : count);
    free(key);
}

// 32 bytes from the system.
static PychoralInt entropy(void)
{
    unsigned char bytes[33] = {0};  // the first: no sign
    PychoralInt seed = {0, NULL};
    if (getrandom(bytes + 1, sizeof bytes - 1, 0) < 0)
        pychoral_throw(&pychoral_type_NotImplementedError, "the system gives no random numbers");
    else if (!pychoral_int_from_bytes(bytes, sizeof bytes, &seed))
        pychoral_no_memory();
    return seed;
}

static void seed_by_system(PychoralRandom *self)
{
    PychoralInt seed = {0, NULL};
    if (!pychoral_effect_replayed("seed", &pychoral_type_int, &seed) && pychoral_raised == NULL) {
        seed = entropy();
        if (pychoral_raised == NULL)
            pychoral_effect_record("seed", &pychoral_type_int, &seed);
    }
    seed_with_int(self, seed);
    pychoral_drop_int(&seed);
}

// The bytes and their SHA-512 as one number.
static void seed_with_bytes(PychoralRandom *self, const PychoralBytes *bytes)
{
    enum { DIGEST = 64 };
    size_t size = bytes->size + DIGEST;
    unsigned char *all = pychoral_allocate(size + 1);
    all[0] = 0;
    memcpy(all + 1, bytes->data, bytes->size);
    if (EVP_Digest(bytes->data, bytes->size, all + 1 + bytes->size, NULL, EVP_sha512(), NULL) != 1)
        pychoral_no_memory();
    PychoralInt seed = {0, NULL};
    if (!pychoral_int_from_bytes(all, size + 1, &seed))
        pychoral_no_memory();
    seed_with_int(self, seed);
    pychoral_drop_int(&seed);
    free(all);
}

// The hash that Python 2 had: of characters, or of bytes.
static void seed_as_of_old(PychoralRandom *self, const PychoralBytes *text, bool is_text)
{
    const char *at = text->data, *end = at + text->size;
    uint64_t hash = 0, count = 0;
    while (at < end) {
        uint64_t character = is_text ? pychoral_utf8_next(&at) : (unsigned char)*at++;
        hash = count++ == 0 ? character << 7 : hash;
        hash = hash * 1000003 ^ character;
    }
    PychoralInt seed = pychoral_int_from_unsigned(hash ^ count);
    seed_with_int(self, seed);
    pychoral_drop_int(&seed);
}

static void seed_with_str(PychoralRandom *self, const PychoralStr *text)
{
    PychoralBytes *encoded = pychoral_str_encode(text, NULL, NULL);
    if (encoded != NULL)
        seed_with_bytes(self, encoded);
    pychoral_drop_str(&encoded);
}

static void seed_with_float(PychoralRandom *self, double x)
{
    PychoralInt seed = pychoral_int_from_unsigned((uint64_t)pychoral_float_hash(x));
    seed_with_int(self, seed);
    pychoral_drop_int(&seed);
}

void pychoral_random_seed(PychoralRandom *self, PychoralRef seed, int64_t version)
{
    self->has_normal = false;
    if (seed.type->kind == PYCHORAL_NONE) {
        seed_by_system(self);
        return;
    }
    PychoralRef known = pychoral_look(seed.type, seed.value);
    PychoralKind kind = known.type->kind;
    bool is_text = kind == PYCHORAL_STR;
    if (kind == PYCHORAL_NONE)
        seed_by_system(self);
    else if (kind == PYCHORAL_INT)
        seed_with_int(self, *(const PychoralInt *)known.value);
    else if (kind == PYCHORAL_BOOL)
        seed_with_int(self, pychoral_int(*(const bool *)known.value));
    else if (kind == PYCHORAL_FLOAT)
        seed_with_float(self, *(const double *)known.value);
    else if ((is_text || kind == PYCHORAL_BYTES) && version == 1)
        seed_as_of_old(self, *(PychoralBytes *const *)known.value, is_text);
    else if (is_text)
        seed_with_str(self, *(PychoralStr *const *)known.value);
    else if (kind == PYCHORAL_BYTES)
        seed_with_bytes(self, *(PychoralBytes *const *)known.value);
    else
        pychoral_throw(&pychoral_type_TypeError,
                       "The only supported seed types are: None,\n"
                       "int, float, str, bytes, and bytearray.");
}

PychoralRandom *pychoral_random_new(PychoralRef seed)
{
    PychoralRandom *self = pychoral_object_new(&pychoral_type_Random);
    if (self == NULL)
        pychoral_no_memory();
    pychoral_random_seed(self, seed, 2);
    if (pychoral_raised == NULL)
        return self;
    pychoral_drop_object(&self);
    return NULL;
}

PychoralRandom *pychoral_random_shared(void)
{
    static _Thread_local PychoralRandom shared;
    static _Thread_local bool is_seeded;
    if (!is_seeded) {
        is_seeded = true;
        shared.object.head.refs = PYCHORAL_IMMORTAL;
        shared.object.type = &pychoral_type_Random;
        seed_by_system(&shared);
    }
    return &shared;
}

// ---- numbers ----

double pychoral_random_random(PychoralRandom *self)
{
    uint32_t high = next_word(self) >> 5, low = next_word(self) >> 6;
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
}

// So many bits, 1 to 64; the first word drawn is the lowest.
static uint64_t draw_bits(PychoralRandom *self, unsigned count)
{
    if (count <= WORD_BITS)
        return next_word(self) >> (WORD_BITS - count);
    uint64_t low = next_word(self);
    return low | (uint64_t)(next_word(self) >> (2 * WORD_BITS - count)) << WORD_BITS;
}

static bool is_count(PychoralInt count)
{
    if (pychoral_int_is_negative(count))
        pychoral_throw(&pychoral_type_ValueError, "number of bits must be non-negative");
    else if (pychoral_int_clip(count) > INT32_MAX)
        pychoral_throw(&pychoral_type_OverflowError, "Python int too large to convert to C int");
    return pychoral_raised == NULL;
}

PychoralInt pychoral_random_getrandbits(PychoralRandom *self, PychoralInt count)
{
    if (!is_count(count) || count.small == 0)
        return pychoral_int(0);
    if (count.small <= GMP_NUMB_BITS)
        return pychoral_int_from_unsigned(draw_bits(self, (unsigned)count.small));
    size_t limbs = ((size_t)count.small + GMP_NUMB_BITS - 1) / GMP_NUMB_BITS;
    PychoralBig *big = pychoral_big_new(limbs);
    int64_t left = count.small;
    for (size_t i = 0; big != NULL && i < limbs; i++, left -= GMP_NUMB_BITS)
        big->limbs[i] = draw_bits(self, left < GMP_NUMB_BITS ? (unsigned)left : GMP_NUMB_BITS);
    return big == NULL ? pychoral_int(0) : pychoral_big_done(big, limbs, false);
}

PychoralBytes *pychoral_random_randbytes(PychoralRandom *self, PychoralInt count)
{
    static PychoralStr little = PYCHORAL_CONSTANT("little", PYCHORAL_ASCII);
    PychoralInt bits = pychoral_int_mul(count, pychoral_int(8));
    PychoralInt number = pychoral_random_getrandbits(self, bits);
    PychoralBytes *bytes = NULL;
    if (pychoral_raised == NULL)
        bytes = pychoral_int_to_bytes(number, count, &little, false);
    pychoral_drop_int(&bits);
    pychoral_drop_int(&number);
    return bytes;
}

PychoralInt pychoral_random_below(PychoralRandom *self, PychoralInt n)
{
    PychoralInt count = pychoral_int((int64_t)pychoral_bits(n));
    PychoralInt drawn = pychoral_random_getrandbits(self, count);
    while (pychoral_raised == NULL && pychoral_int_ge(drawn, n)) {
        pychoral_drop_int(&drawn);
        drawn = pychoral_random_getrandbits(self, count);
    }
    return drawn;
}

// ---- ranges ----

static PychoralInt empty_range(void)
{
    pychoral_throw(&pychoral_type_ValueError, "empty range for randrange()");
    return pychoral_int(0);
}

PychoralInt pychoral_random_randrange_to(PychoralRandom *self, PychoralInt stop)
{
    if (!pychoral_int_gt(stop, pychoral_int(0)))
        return empty_range();
    return pychoral_random_below(self, stop);
}

// Says which range is empty.
static PychoralInt empty_between(PychoralInt start, PychoralInt stop, PychoralInt width)
{
    char *texts[] = {pychoral_int_digits(start, 10, NULL), pychoral_int_digits(stop, 10, NULL),
                     pychoral_int_digits(width, 10, NULL)};
    if (pychoral_raised == NULL)
        pychoral_throw(&pychoral_type_ValueError, "empty range for randrange() (%s, %s, %s)",
                       texts[0], texts[1], texts[2]);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    return pychoral_int(0);
}

// start + step * an int below `count`.
static PychoralInt one_of(PychoralRandom *self, PychoralInt start, PychoralInt step_by,
                          PychoralInt count)
{
    PychoralInt drawn = pychoral_random_below(self, count);
    PychoralInt way = pychoral_int_mul(drawn, step_by);
    PychoralInt result = pychoral_int_add(start, way);
    pychoral_drop_int(&drawn);
    pychoral_drop_int(&way);
    return result;
}

// How many steps there are in a width; the step is neither 0 nor 1.
static PychoralInt count_steps(PychoralInt width, PychoralInt step_by)
{
    PychoralInt one = pychoral_int(pychoral_int_is_negative(step_by) ? 1 : -1);
    PychoralInt almost = pychoral_int_add(width, step_by), most = pychoral_int_add(almost, one);
    PychoralInt count = pychoral_int_floordiv(most, step_by);
    pychoral_drop_int(&almost);
    pychoral_drop_int(&most);
    return count;
}

PychoralInt pychoral_random_randrange(PychoralRandom *self, PychoralInt start, PychoralInt stop,
                                      PychoralInt step_by)
{
    PychoralInt width = pychoral_int_sub(stop, start), count = {0, NULL}, result = {0, NULL};
    bool by_one = pychoral_int_eq(step_by, pychoral_int(1));
    if (!pychoral_int_truth(step_by))
        pychoral_throw(&pychoral_type_ValueError, "zero step for randrange()");
    else
        count = by_one ? pychoral_keep_int(width) : count_steps(width, step_by);
    bool is_empty = !pychoral_int_gt(count, pychoral_int(0));
    if (pychoral_raised == NULL && is_empty)
        result = by_one ? empty_between(start, stop, width) : empty_range();
    else if (pychoral_raised == NULL)
        result = one_of(self, start, step_by, count);
    pychoral_drop_int(&width);
    pychoral_drop_int(&count);
    return result;
}

PychoralInt pychoral_random_randint(PychoralRandom *self, PychoralInt a, PychoralInt b)
{
    PychoralInt stop = pychoral_int_add(b, pychoral_int(1));
    PychoralInt result = pychoral_random_randrange(self, a, stop, pychoral_int(1));
    pychoral_drop_int(&stop);
    return result;
}
