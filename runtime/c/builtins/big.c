// big.c - +, -, *, //, %, ** and comparisons of ints of any size, over GMP.
//
// GMP ends the process where it is asked for more than it can count, so sizes are looked at first.
// Its memory comes from pychoral_allocate: that is arranged before main, since numbers are used by
// several threads.

#include "big.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t size) { return pychoral_allocate(size); }

static void *reallocate(void *memory, size_t old, size_t size)
{
    (void)old;
    return pychoral_reallocate(memory, size);
}

static void give_back(void *memory, size_t size)
{
    (void)size;
    free(memory);
}

__attribute__((constructor)) static void set_allocators(void)
{
    mp_set_memory_functions(allocate, reallocate, give_back);
}

// ---- results ----

void pychoral_throw_bare(const PychoralType *kind) { pychoral_throw_with(kind, 0, NULL); }

void pychoral_view(PychoralView *view, PychoralInt number)
{
    view->number = number;
    pychoral_int_view(&view->number, &view->limb, view->z);
}

PychoralInt pychoral_take(mpz_t from)
{
    PychoralInt result = {0, NULL};
    if (!pychoral_int_from_mpz(from, &result))
        pychoral_throw_bare(&pychoral_type_MemoryError);
    mpz_clear(from);
    return result;
}

PychoralBig *pychoral_big_new(size_t count)
{
    PychoralBig *big = NULL;
    if (count <= INT_MAX / 2)
        big = malloc(sizeof *big + count * sizeof(mp_limb_t));
    if (big == NULL) {
        pychoral_throw_bare(&pychoral_type_MemoryError);
        return NULL;
    }
    big->head = (PychoralHead){.refs = 1};
    return big;
}

PychoralInt pychoral_big_done(PychoralBig *big, size_t count, bool negative)
{
    size_t room = count;
    while (count > 0 && big->limbs[count - 1] == 0)
        count--;
    if (count == 0 || (count == 1 && big->limbs[0] <= (uint64_t)INT64_MAX + negative)) {
        uint64_t magnitude = count == 0 ? 0 : big->limbs[0];
        free(big);
        return pychoral_int((int64_t)(negative ? -magnitude : magnitude));
    }
    if (count < room / 2)
        big = pychoral_reallocate(big, sizeof *big + count * sizeof(mp_limb_t));
    big->head.flags = negative ? PYCHORAL_NEGATIVE : 0;
    big->count = count;
    return pychoral_int_of_big(big);
}

bool pychoral_has_room(double limbs)
{
    void *memory = limbs < INT_MAX / 2 ? malloc((size_t)limbs * sizeof(mp_limb_t) + 1) : NULL;
    if (memory == NULL)
        pychoral_throw_bare(&pychoral_type_MemoryError);
    free(memory);
    return memory != NULL;
}

PychoralInt pychoral_int_from_unsigned(uint64_t number)
{
    if (number <= INT64_MAX)
        return pychoral_int((int64_t)number);
    PychoralBig *big = pychoral_big_new(1);
    if (big == NULL)
        return pychoral_int(0);
    big->limbs[0] = number;
    return pychoral_big_done(big, 1, false);
}

// ---- sums and products ----

// Sign and magnitude; `limbs` may be NULL where there are none.
typedef struct Magnitude {
    const mp_limb_t *limbs;
    mp_size_t count;
    bool negative;
} Magnitude;

// The limb of a small number is put where `limb` points to.
static Magnitude magnitude(mp_limb_t *limb, PychoralInt number)
{
    bool negative = pychoral_int_is_negative(number);
    if (pychoral_int_is_big(number))
        return (Magnitude){number.big->limbs, (mp_size_t)number.big->count, negative};
    *limb = negative ? -(uint64_t)number.small : (uint64_t)number.small;
    return (Magnitude){limb, *limb != 0, negative};
}

static void swap(Magnitude *a, Magnitude *b)
{
    Magnitude kept = *a;
    *a = *b;
    *b = kept;
}

// Whether |a| < |b|, given that a has at least as many limbs.
static bool is_less(Magnitude a, Magnitude b)
{
    return a.count == b.count && mpn_cmp(a.limbs, b.limbs, a.count) < 0;
}

static PychoralInt add(Magnitude a, Magnitude b)
{
    if (a.count < b.count)
        swap(&a, &b);
    if (a.negative != b.negative && is_less(a, b))
        swap(&a, &b);
    PychoralBig *big = pychoral_big_new((size_t)a.count + 1);
    if (big == NULL)
        return pychoral_int(0);
    big->limbs[a.count] = 0;
    if (b.count == 0)
        memcpy(big->limbs, a.limbs, (size_t)a.count * sizeof(mp_limb_t));
    else if (a.negative == b.negative)
        big->limbs[a.count] = mpn_add(big->limbs, a.limbs, a.count, b.limbs, b.count);
    else
        mpn_sub(big->limbs, a.limbs, a.count, b.limbs, b.count);
    return pychoral_big_done(big, (size_t)a.count + 1, a.negative);
}

PychoralInt pychoral_big_add(PychoralInt a, PychoralInt b)
{
    mp_limb_t left, right;
    return add(magnitude(&left, a), magnitude(&right, b));
}

PychoralInt pychoral_big_sub(PychoralInt a, PychoralInt b)
{
    mp_limb_t left, right;
    Magnitude subtracted = magnitude(&right, b);
    subtracted.negative = !subtracted.negative;
    return add(magnitude(&left, a), subtracted);
}

PychoralInt pychoral_big_neg(PychoralInt a) { return pychoral_big_sub(pychoral_int(0), a); }

// ~a is -1 - a.
PychoralInt pychoral_big_invert(PychoralInt a) { return pychoral_big_sub(pychoral_int(-1), a); }

PychoralInt pychoral_big_mul(PychoralInt left, PychoralInt right)
{
    mp_limb_t of_left, of_right;
    Magnitude a = magnitude(&of_left, left), b = magnitude(&of_right, right);
    if (a.count < b.count)
        swap(&a, &b);
    if (b.count == 0)
        return pychoral_int(0);
    size_t count = (size_t)a.count + (size_t)b.count;
    PychoralBig *big = pychoral_big_new(count);
    if (big == NULL)
        return pychoral_int(0);
    if (a.limbs == b.limbs)
        mpn_sqr(big->limbs, a.limbs, a.count);
    else
        mpn_mul(big->limbs, a.limbs, a.count, b.limbs, b.count);
    return pychoral_big_done(big, count, a.negative != b.negative);
}

// ---- quotients ----

static bool is_zero(PychoralInt a) { return !pychoral_int_truth(a); }

PychoralInt pychoral_big_operate(PychoralBigOperator *operator, PychoralInt a, PychoralInt b)
{
    PychoralView left, right;
    pychoral_view(&left, a);
    pychoral_view(&right, b);
    mpz_t result;
    mpz_init(result);
    operator(result, left.z, right.z);
    return pychoral_take(result);
}

// Raises ZeroDivisionError for a divisor that is zero.
static PychoralInt divided(PychoralBigOperator *operator, PychoralInt a, PychoralInt b,
                           const char *message)
{
    if (!is_zero(b))
        return pychoral_big_operate(operator, a, b);
    pychoral_throw(&pychoral_type_ZeroDivisionError, "%s", message);
    return pychoral_int(0);
}

PychoralInt pychoral_big_floordiv(PychoralInt a, PychoralInt b)
{
    return divided(mpz_fdiv_q, a, b, "integer division or modulo by zero");
}

PychoralInt pychoral_big_mod(PychoralInt a, PychoralInt b)
{
    return divided(mpz_fdiv_r, a, b, "integer modulo by zero");
}

void pychoral_int_divmod(PychoralInt a, PychoralInt b, void *result)
{
    PychoralIntPair *pair = result;
    *pair = (PychoralIntPair){{0, NULL}, {0, NULL}};
    if (pychoral_divides(a, b)) {
        *pair = (PychoralIntPair){pychoral_int_floordiv(a, b), pychoral_int_mod(a, b)};
        return;
    }
    if (is_zero(b)) {
        pychoral_throw(&pychoral_type_ZeroDivisionError, "integer division or modulo by zero");
        return;
    }
    PychoralView left, right;
    pychoral_view(&left, a);
    pychoral_view(&right, b);
    mpz_t quotient, rest;
    mpz_inits(quotient, rest, NULL);
    mpz_fdiv_qr(quotient, rest, left.z, right.z);
    *pair = (PychoralIntPair){pychoral_take(quotient), pychoral_take(rest)};
}

// ---- powers ----

// a ** b while it fits in 64 bits.
static bool small_power(int64_t a, uint64_t b, int64_t *result)
{
    int64_t power = 1;
    for (;; b >>= 1) {
        if ((b & 1) != 0 && __builtin_mul_overflow(power, a, &power))
            return false;
        if (b <= 1)
            break;
        if (__builtin_mul_overflow(a, a, &a))
            return false;
    }
    *result = power;
    return true;
}

// a ** b of 0, 1 and -1.
static PychoralInt unit_power(int64_t a, PychoralInt b)
{
    bool is_odd = ((pychoral_int_is_big(b) ? b.big->limbs[0] : (uint64_t)b.small) & 1) != 0;
    if (a == 0)
        return pychoral_int(is_zero(b));
    return pychoral_int(a < 0 && is_odd ? -1 : 1);
}

PychoralInt pychoral_big_pow(PychoralInt a, PychoralInt b)
{
    if (pychoral_int_is_negative(b)) {
        pychoral_throw(&pychoral_type_ValueError,
                       "an int to a negative power is a float, where an int is expected");
        return pychoral_int(0);
    }
    if (!pychoral_int_is_big(a) && a.small >= -1 && a.small <= 1)
        return unit_power(a.small, b);
    if (pychoral_int_is_big(b)) {
        pychoral_throw_bare(&pychoral_type_MemoryError);
        return pychoral_int(0);
    }
    int64_t small;
    uint64_t exponent = (uint64_t)b.small;
    if (!pychoral_int_is_big(a) && small_power(a.small, exponent, &small))
        return pychoral_int(small);
    if (!pychoral_has_room((double)pychoral_bits(a) * (double)exponent / GMP_NUMB_BITS + 2))
        return pychoral_int(0);
    PychoralView base;
    pychoral_view(&base, a);
    mpz_t power;
    mpz_init(power);
    mpz_pow_ui(power, base.z, exponent);
    return pychoral_take(power);
}

double pychoral_int_pow_float(PychoralInt a, PychoralInt b)
{
    double base = pychoral_int_to_double(a), exponent = 0;
    if (pychoral_raised == NULL)
        exponent = pychoral_int_to_double(b);
    return pychoral_raised == NULL ? pychoral_float_pow(base, exponent) : 0;
}

PychoralAny pychoral_int_pow_any(PychoralInt a, PychoralInt b)
{
    if (pychoral_int_is_negative(b))
        return (PychoralAny){&pychoral_type_float, {.real = pychoral_int_pow_float(a, b)}};
    return (PychoralAny){&pychoral_type_int, {.number = pychoral_int_pow(a, b)}};
}

// The inverse of `base`, of which `power` is then a power with a positive exponent.
static bool invert(mpz_t base, mpz_t exponent, const mpz_t modulus)
{
    mpz_neg(exponent, exponent);
    if (mpz_invert(base, base, modulus) != 0)
        return true;
    pychoral_throw(&pychoral_type_ValueError, "base is not invertible for the given modulus");
    return false;
}

PychoralInt pychoral_int_pow_mod(PychoralInt a, PychoralInt b, PychoralInt modulus)
{
    if (is_zero(modulus)) {
        pychoral_throw(&pychoral_type_ValueError, "pow() 3rd argument cannot be 0");
        return pychoral_int(0);
    }
    PychoralView base, exponent, divisor;
    pychoral_view(&base, a);
    pychoral_view(&exponent, b);
    pychoral_view(&divisor, modulus);
    mpz_t power, by, size;
    mpz_init_set(power, base.z);
    mpz_init_set(by, exponent.z);
    mpz_init(size);
    mpz_abs(size, divisor.z);
    if (mpz_cmp_ui(size, 1) == 0)
        mpz_set_ui(power, 0);
    else if (mpz_sgn(by) >= 0 || invert(power, by, size)) {
        mpz_powm(power, power, by, size);
        mpz_fdiv_r(power, power, divisor.z);
    }
    mpz_clears(by, size, NULL);
    return pychoral_take(power);
}

// ---- order ----

int pychoral_big_compare(PychoralInt a, PychoralInt b)
{
    PychoralView left, right;
    pychoral_view(&left, a);
    pychoral_view(&right, b);
    return mpz_cmp(left.z, right.z);
}

bool pychoral_big_equal(PychoralInt a, PychoralInt b)
{
    if (pychoral_int_is_big(a) != pychoral_int_is_big(b))
        return false;
    return pychoral_int_is_big(a) ? pychoral_big_compare(a, b) == 0 : a.small == b.small;
}

// The sign of a number and an infinity's.
static int sign_of(double x) { return x < 0 ? PYCHORAL_LESS : x > 0; }

int pychoral_int_compare_float(PychoralInt a, double b)
{
    if (isnan(b))
        return PYCHORAL_UNORDERED;
    if (isinf(b))
        return -sign_of(b);
    if (!pychoral_int_is_big(a) && pychoral_is_exact(a.small))
        return sign_of((double)a.small - b);
    PychoralView left;
    pychoral_view(&left, a);
    int order = mpz_cmp_d(left.z, b);
    return order < 0 ? PYCHORAL_LESS : order > 0;
}
