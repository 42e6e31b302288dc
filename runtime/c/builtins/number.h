// number.h - int, float and complex: what Python's operators, builtins and methods do with them.
//
// Operators on ints are inline while both operands are small (64 bits and no bool) and the result
// is, too; all else is behind `pychoral_big_...`, which takes any ints. Results are proper ints,
// never bools. Where memory cannot hold a result, MemoryError or OverflowError is raised as in
// Python, so "Raises" is said only of functions that raise something else, too.

#ifndef PYCHORAL_NUMBER_H
#define PYCHORAL_NUMBER_H

#include <math.h>

#include "generated.h"

#define PYCHORAL_LIKELY(condition) __builtin_expect(!!(condition), 1)

// tuple[int, int] and tuple[float, float], as rows of kind TUPLE lay them out.
typedef struct PychoralIntPair {
    PychoralInt first, second;
} PychoralIntPair;

typedef struct PychoralFloatPair {
    double first, second;
} PychoralFloatPair;

// ---- int: any size ----

PychoralInt pychoral_big_add(PychoralInt a, PychoralInt b);
PychoralInt pychoral_big_sub(PychoralInt a, PychoralInt b);
PychoralInt pychoral_big_mul(PychoralInt a, PychoralInt b);
PychoralInt pychoral_big_neg(PychoralInt a);
PychoralInt pychoral_big_invert(PychoralInt a);
PychoralInt pychoral_big_floordiv(PychoralInt a, PychoralInt b);  // Raises ZeroDivisionError.
PychoralInt pychoral_big_mod(PychoralInt a, PychoralInt b);       // Raises ZeroDivisionError.
PychoralInt pychoral_big_pow(PychoralInt a, PychoralInt b);       // Raises ValueError.
PychoralInt pychoral_big_and(PychoralInt a, PychoralInt b);
PychoralInt pychoral_big_or(PychoralInt a, PychoralInt b);
PychoralInt pychoral_big_xor(PychoralInt a, PychoralInt b);
PychoralInt pychoral_big_lshift(PychoralInt a, PychoralInt b);    // Raises ValueError.
PychoralInt pychoral_big_rshift(PychoralInt a, PychoralInt b);    // Raises ValueError.
double pychoral_big_truediv(PychoralInt a, PychoralInt b);        // Raises ZeroDivisionError.
int pychoral_big_compare(PychoralInt a, PychoralInt b);           // < 0, 0, > 0; never raises.
bool pychoral_big_equal(PychoralInt a, PychoralInt b);            // Never raises.

// ---- int: operators ----

// Ends the process: a counter has left 64 bits.
void pychoral_counter_ends(void) __attribute__((noreturn));

// What a variable of which the compiler knows that it stays within 64 bits holds.
PYCHORAL_HOT int64_t pychoral_counter(PychoralInt number)
{
    if (__builtin_expect(number.big != NULL, 0))
        pychoral_counter_ends();
    return number.small;
}

// Whether both are of 64 bits, and no bools.
PYCHORAL_HOT bool pychoral_are_small(PychoralInt a, PychoralInt b)
{
    return PYCHORAL_LIKELY(((uintptr_t)a.big | (uintptr_t)b.big) == 0);
}

// In 64 bits as long as the result fits.
#define PYCHORAL_INT_OPERATOR(name)                                                               \
    PYCHORAL_HOT PychoralInt pychoral_int_##name(PychoralInt a, PychoralInt b)                    \
    {                                                                                             \
        int64_t result;                                                                           \
        if (pychoral_are_small(a, b) &&                                                           \
            PYCHORAL_LIKELY(!__builtin_##name##_overflow(a.small, b.small, &result)))             \
            return pychoral_int(result);                                                          \
        return pychoral_big_##name(a, b);                                                         \
    }
PYCHORAL_INT_OPERATOR(add)
PYCHORAL_INT_OPERATOR(sub)
PYCHORAL_INT_OPERATOR(mul)
#undef PYCHORAL_INT_OPERATOR

PYCHORAL_HOT PychoralInt pychoral_int_neg(PychoralInt a)
{
    if (PYCHORAL_LIKELY(a.big == NULL && a.small != INT64_MIN))
        return pychoral_int(-a.small);
    return pychoral_big_neg(a);
}

// +a, int(a): the number, and no bool.
static inline PychoralInt pychoral_int_pos(PychoralInt a)
{
    return pychoral_int_is_bool(a) ? pychoral_int(a.small) : pychoral_keep_int(a);
}

static inline bool pychoral_int_is_negative(PychoralInt a)
{
    return a.small < 0;
}

static inline PychoralInt pychoral_int_abs(PychoralInt a)
{
    return pychoral_int_is_negative(a) ? pychoral_int_neg(a) : pychoral_int_pos(a);
}

PYCHORAL_HOT PychoralInt pychoral_int_invert(PychoralInt a)
{
    return PYCHORAL_LIKELY(a.big == NULL) ? pychoral_int(~a.small) : pychoral_big_invert(a);
}

// Whether C's / and % can divide: neither by zero, nor INT64_MIN by -1.
PYCHORAL_HOT bool pychoral_divides(PychoralInt a, PychoralInt b)
{
    return pychoral_are_small(a, b) && PYCHORAL_LIKELY((uint64_t)b.small + 1 > 1);
}

// Whether the compiler sees that a divisor is a power of two.
PYCHORAL_HOT bool pychoral_is_shift(PychoralInt b)
{
    return __builtin_constant_p(b.small) && b.small > 0 && (b.small & (b.small - 1)) == 0;
}

// a // b. Raises ZeroDivisionError.
PYCHORAL_HOT PychoralInt pychoral_int_floordiv(PychoralInt a, PychoralInt b)
{
    if (pychoral_is_shift(b) && pychoral_are_small(a, b))
        return pychoral_int(a.small >> __builtin_ctzll((uint64_t)b.small));
    if (!pychoral_divides(a, b))
        return pychoral_big_floordiv(a, b);
    int64_t quotient = a.small / b.small, rest = a.small % b.small;
    return pychoral_int(quotient - (rest != 0 && (rest ^ b.small) < 0));
}

// a % b, of the sign of b. Raises ZeroDivisionError.
PYCHORAL_HOT PychoralInt pychoral_int_mod(PychoralInt a, PychoralInt b)
{
    if (pychoral_is_shift(b) && pychoral_are_small(a, b))
        return pychoral_int(a.small & (b.small - 1));
    if (!pychoral_divides(a, b))
        return pychoral_big_mod(a, b);
    int64_t rest = a.small % b.small;
    return pychoral_int(rest != 0 && (rest ^ b.small) < 0 ? rest + b.small : rest);
}

// a ** b for b >= 0. A negative exponent gives a float in Python (pychoral_int_pow_float); where
// the static type is int it raises ValueError.
static inline PychoralInt pychoral_int_pow(PychoralInt a, PychoralInt b)
{
    if (__builtin_constant_p(b.small) && b.big == NULL && b.small == 2)
        return pychoral_int_mul(a, a);
    return pychoral_big_pow(a, b);
}

PYCHORAL_HOT PychoralInt pychoral_int_and(PychoralInt a, PychoralInt b)
{
    return pychoral_are_small(a, b) ? pychoral_int(a.small & b.small) : pychoral_big_and(a, b);
}

PYCHORAL_HOT PychoralInt pychoral_int_or(PychoralInt a, PychoralInt b)
{
    return pychoral_are_small(a, b) ? pychoral_int(a.small | b.small) : pychoral_big_or(a, b);
}

PYCHORAL_HOT PychoralInt pychoral_int_xor(PychoralInt a, PychoralInt b)
{
    return pychoral_are_small(a, b) ? pychoral_int(a.small ^ b.small) : pychoral_big_xor(a, b);
}

// a << b. Raises ValueError.
PYCHORAL_HOT PychoralInt pychoral_int_lshift(PychoralInt a, PychoralInt b)
{
    int64_t shifted;
    if (pychoral_are_small(a, b) && PYCHORAL_LIKELY((uint64_t)b.small < 63) &&
        PYCHORAL_LIKELY(!__builtin_mul_overflow(a.small, (int64_t)1 << b.small, &shifted)))
        return pychoral_int(shifted);
    return pychoral_big_lshift(a, b);
}

// a >> b. Raises ValueError.
PYCHORAL_HOT PychoralInt pychoral_int_rshift(PychoralInt a, PychoralInt b)
{
    if (pychoral_are_small(a, b) && PYCHORAL_LIKELY((uint64_t)b.small < 64))
        return pychoral_int(a.small >> b.small);
    return pychoral_big_rshift(a, b);
}

// Whether a float holds each number up to this one.
static inline bool pychoral_is_exact(int64_t number)
{
    return (uint64_t)(number >> 53) + 1 <= 1;
}

// a / b, correctly rounded. Raises ZeroDivisionError, OverflowError.
static inline double pychoral_int_truediv(PychoralInt a, PychoralInt b)
{
    if (pychoral_are_small(a, b) && b.small != 0 && pychoral_is_exact(a.small) &&
        pychoral_is_exact(b.small))
        return (double)a.small / (double)b.small;
    return pychoral_big_truediv(a, b);
}

PYCHORAL_HOT bool pychoral_int_truth(PychoralInt a)
{
    return a.small != 0;
}

PYCHORAL_HOT bool pychoral_int_eq(PychoralInt a, PychoralInt b)
{
    return pychoral_are_small(a, b) ? a.small == b.small : pychoral_big_equal(a, b);
}

PYCHORAL_HOT bool pychoral_int_ne(PychoralInt a, PychoralInt b) { return !pychoral_int_eq(a, b); }

PYCHORAL_HOT bool pychoral_int_lt(PychoralInt a, PychoralInt b)
{
    return pychoral_are_small(a, b) ? a.small < b.small : pychoral_big_compare(a, b) < 0;
}

PYCHORAL_HOT bool pychoral_int_le(PychoralInt a, PychoralInt b)
{
    return pychoral_are_small(a, b) ? a.small <= b.small : pychoral_big_compare(a, b) <= 0;
}

// min(a, b) and max(a, b): the first if they are equal.
PYCHORAL_HOT PychoralInt pychoral_int_min(PychoralInt a, PychoralInt b)
{
    return pychoral_keep_int(pychoral_int_lt(b, a) ? b : a);
}

PYCHORAL_HOT PychoralInt pychoral_int_max(PychoralInt a, PychoralInt b)
{
    return pychoral_keep_int(pychoral_int_lt(a, b) ? b : a);
}

PYCHORAL_HOT double pychoral_float_min(double a, double b) { return b < a ? b : a; }
PYCHORAL_HOT double pychoral_float_max(double a, double b) { return b > a ? b : a; }

PYCHORAL_HOT bool pychoral_int_gt(PychoralInt a, PychoralInt b) { return pychoral_int_lt(b, a); }
PYCHORAL_HOT bool pychoral_int_ge(PychoralInt a, PychoralInt b) { return pychoral_int_le(b, a); }

// Which way an int and a float compare, exactly.
enum { PYCHORAL_LESS = -1, PYCHORAL_SAME = 0, PYCHORAL_MORE = 1, PYCHORAL_UNORDERED = 2 };

int pychoral_int_compare_float(PychoralInt a, double b);

static inline bool pychoral_int_eq_float(PychoralInt a, double b)
{
    return pychoral_int_compare_float(a, b) == PYCHORAL_SAME;
}

static inline bool pychoral_int_lt_float(PychoralInt a, double b)
{
    return pychoral_int_compare_float(a, b) == PYCHORAL_LESS;
}

static inline bool pychoral_int_gt_float(PychoralInt a, double b)
{
    return pychoral_int_compare_float(a, b) == PYCHORAL_MORE;
}

static inline bool pychoral_int_le_float(PychoralInt a, double b)
{
    return pychoral_int_compare_float(a, b) <= PYCHORAL_SAME;
}

static inline bool pychoral_int_ge_float(PychoralInt a, double b)
{
    return (pychoral_int_compare_float(a, b) & ~1) == 0;
}

// ---- int: builtins and methods ----

// divmod(a, b) into a PychoralIntPair. Raises ZeroDivisionError.
void pychoral_int_divmod(PychoralInt a, PychoralInt b, void *result);

// a ** b as a float, for b < 0 (for others, too). Raises ZeroDivisionError, OverflowError.
double pychoral_int_pow_float(PychoralInt a, PychoralInt b);

// a ** b: an int, or a float where b is negative. Raises ZeroDivisionError.
PychoralAny pychoral_int_pow_any(PychoralInt a, PychoralInt b);

// pow(a, b, modulus). Raises ValueError.
PychoralInt pychoral_int_pow_mod(PychoralInt a, PychoralInt b, PychoralInt modulus);

// round(a, digits).
PychoralInt pychoral_int_round(PychoralInt a, PychoralInt digits);

// The number as a float, correctly rounded. Raises OverflowError.
double pychoral_int_as_float(PychoralInt a);

PYCHORAL_HOT double pychoral_int_to_double(PychoralInt a)
{
    return PYCHORAL_LIKELY(a.big == NULL) ? (double)a.small : pychoral_int_as_float(a);
}

// int(x): towards zero. Raises ValueError, OverflowError.
PychoralInt pychoral_int_from_float(double x);

// A number of 64 bits without sign.
PychoralInt pychoral_int_from_unsigned(uint64_t number);

// The number, or the nearest one of 64 bits: for places, which need no more.
int64_t pychoral_int_clip(PychoralInt a);

// Raises IndexError: cannot fit 'int' into an index-sized integer.
int64_t pychoral_index_too_large(void);

// The number as an index. Raises IndexError.
static inline int64_t pychoral_index(PychoralInt a)
{
    if (PYCHORAL_UNLIKELY(a.big != NULL) && pychoral_int_is_big(a))
        return pychoral_index_too_large();
    return a.small;
}

// The same for an item of a list: if it raises, there is no such item, so nothing is done to it.
int64_t pychoral_any_item_index(PychoralInt a);

PYCHORAL_HOT int64_t pychoral_item_index(PychoralInt a)
{
    return PYCHORAL_LIKELY(a.big == NULL) ? a.small : pychoral_any_item_index(a);
}

// The number, if it is one of 64 bits; else raises OverflowError with `message`.
int64_t pychoral_int_fit(PychoralInt a, const char *message);

PychoralInt pychoral_int_bit_length(PychoralInt a);
PychoralInt pychoral_int_bit_count(PychoralInt a);
PychoralInt pychoral_int_gcd(PychoralInt a, PychoralInt b);
PychoralInt pychoral_int_lcm(PychoralInt a, PychoralInt b);

static inline PychoralInt pychoral_int_imag(PychoralInt a)
{
    (void)a;
    return pychoral_int(0);
}

static inline PychoralInt pychoral_int_denominator(PychoralInt a)
{
    (void)a;
    return pychoral_int(1);
}

// (a, 1) into a PychoralIntPair.
void pychoral_int_as_integer_ratio(PychoralInt a, void *result);

// Both raise OverflowError and ValueError. `order` is 'little' or 'big'.
PychoralBytes *pychoral_int_to_bytes(PychoralInt a, PychoralInt length, const PychoralStr *order,
                                     bool is_signed);
PychoralInt pychoral_int_of_bytes(const PychoralBytes *bytes, const PychoralStr *order,
                                  bool is_signed);

// ---- int: text ----

// str(a), repr(a): 'True' of a bool. Raises ValueError beyond the limit of digits.
PychoralStr *pychoral_int_repr(PychoralInt a);

// The digits of a in a base of 2 to 36, lower case, with '-' in front if need be, as memory of
// malloc that ends in NUL; `*size` (or NULL) has no NUL counted. NULL: raised ValueError (decimal,
// beyond the limit).
char *pychoral_int_digits(PychoralInt a, int base, size_t *size);

// bin(a), oct(a), hex(a).
PychoralStr *pychoral_int_bin(PychoralInt a);
PychoralStr *pychoral_int_oct(PychoralInt a);
PychoralStr *pychoral_int_hex(PychoralInt a);

// int(text, base). Raises ValueError.
PychoralInt pychoral_int_of_str(const PychoralStr *text, PychoralInt base);
PychoralInt pychoral_int_of_bytes_text(const PychoralBytes *text, PychoralInt base);

// The number that text of a str says, in ASCII: digits of any script become 0 to 9, spaces ' ', all
// else that is not ASCII '?', after which it ends. Memory of malloc, ends in NUL.
char *pychoral_ascii_number(const PychoralStr *text, size_t *size);

// sys.set_int_max_str_digits and its fellow: of this thread. Raises ValueError.
void pychoral_set_int_max_str_digits(PychoralInt digits);
PychoralInt pychoral_get_int_max_str_digits(void);

// ---- float ----

// What the operators do where a divisor is zero: raises ZeroDivisionError, gives 0.
double pychoral_float_divide_by_zero(const char *message);

// A float as it is: float(x), x.real.
static inline double pychoral_float_same(double x) { return x; }

PYCHORAL_HOT double pychoral_float_truediv(double a, double b)
{
    if (PYCHORAL_UNLIKELY(b == 0))
        return pychoral_float_divide_by_zero("float division by zero");
    return a / b;
}

double pychoral_float_floordiv(double a, double b);  // Raises ZeroDivisionError.
double pychoral_float_mod(double a, double b);       // Raises ZeroDivisionError.

// divmod(a, b) into a PychoralFloatPair. Raises ZeroDivisionError.
void pychoral_float_divmod(double a, double b, void *result);

// Whether a ** b is complex: a fraction as power of what is negative.
bool pychoral_float_pow_is_complex(double a, double b);

// a ** b. Raises ZeroDivisionError, OverflowError; ValueError where it is complex in Python.
double pychoral_float_pow(double a, double b);

// a ** b, a float or complex. Raises ZeroDivisionError, OverflowError.
PychoralAny pychoral_float_pow_any(double a, double b);

// round(x), round(x, digits). Raise ValueError, OverflowError.
PychoralInt pychoral_float_round(double x);
double pychoral_float_round_to(double x, PychoralInt digits);

static inline double pychoral_float_imag(double x)
{
    (void)x;
    return 0;
}

bool pychoral_float_is_integer(double x);
PychoralStr *pychoral_float_hex(double x);
double pychoral_float_fromhex(const PychoralStr *text);  // Raises ValueError, OverflowError.

// Into a PychoralIntPair. Raises ValueError, OverflowError.
void pychoral_float_as_integer_ratio(double x, void *result);

// float(text). Raises ValueError.
double pychoral_float_of_str(const PychoralStr *text);
double pychoral_float_of_bytes(const PychoralBytes *text);

// Reads a float without spaces and underscores at `text`, as float() spells it. Gives where it
// ends, NULL if there is none.
const char *pychoral_float_scan(const char *text, double *x);

// ---- complex ----

static inline PychoralComplex pychoral_complex(double real, double imag)
{
    return (PychoralComplex){real, imag};
}

static inline PychoralComplex pychoral_complex_add(PychoralComplex a, PychoralComplex b)
{
    return pychoral_complex(a.real + b.real, a.imag + b.imag);
}

static inline PychoralComplex pychoral_complex_sub(PychoralComplex a, PychoralComplex b)
{
    return pychoral_complex(a.real - b.real, a.imag - b.imag);
}

static inline PychoralComplex pychoral_complex_mul(PychoralComplex a, PychoralComplex b)
{
    return pychoral_complex(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real);
}

static inline PychoralComplex pychoral_complex_neg(PychoralComplex a)
{
    return pychoral_complex(-a.real, -a.imag);
}

static inline PychoralComplex pychoral_complex_pos(PychoralComplex a) { return a; }

static inline PychoralComplex pychoral_complex_conjugate(PychoralComplex a)
{
    return pychoral_complex(a.real, -a.imag);
}

static inline bool pychoral_complex_eq(PychoralComplex a, PychoralComplex b)
{
    return a.real == b.real && a.imag == b.imag;
}

static inline bool pychoral_complex_truth(PychoralComplex a) { return a.real != 0 || a.imag != 0; }

static inline double pychoral_complex_real(PychoralComplex a) { return a.real; }
static inline double pychoral_complex_imag(PychoralComplex a) { return a.imag; }

// a / b, a ** b. Raise ZeroDivisionError; the power OverflowError, too.
PychoralComplex pychoral_complex_truediv(PychoralComplex a, PychoralComplex b);
PychoralComplex pychoral_complex_pow(PychoralComplex a, PychoralComplex b);

double pychoral_complex_abs(PychoralComplex a);  // Raises OverflowError.

// complex(real, imag) where both are complex.
PychoralComplex pychoral_complex_of_parts(PychoralComplex real, PychoralComplex imag);

// complex(text). Raises ValueError.
PychoralComplex pychoral_complex_of_str(const PychoralStr *text);

// ---- hash: as CPython's, but of a NaN it is 0 ----

int64_t pychoral_int_hash(PychoralInt a);
int64_t pychoral_float_hash(double x);
int64_t pychoral_complex_hash(PychoralComplex a);

// Of a value of kind BOOL, INT, FLOAT or COMPLEX.
int64_t pychoral_number_hash(PychoralRef number);

#endif
