// for SIZE_MAX uintptr_t
#include <stdint.h>

// for NEW_ARRAY
#define NEW_ARRAY __attribute__((noinline, malloc, assume_aligned(64)))

// An array that lies at a line of the cache; nothing else points to it.
static NEW_ARRAY void *array_take(Call *call, int64_t count, size_t size)
{
    if (count < 0 || (uint64_t)count > SIZE_MAX / 4 / size)
        fail(call, 0, "MemoryError: ");
    char *at = arena_take(call, (size_t)count * size + 64);
    return at + (64 - (uintptr_t)at % 64) % 64;
}

// No number is in an array whose elements are not known; sizes that are none say nothing of it.
static void array_unset(double *array, const double *shape, size_t rank)
{
    double count = 1.0;
    for (size_t i = 0; i < rank; i++)
        count = shape[i] >= 0.0 && count >= 0.0 ? count * shape[i] : -1.0;
    for (int64_t i = 0; count < 0x1p48 && i < (int64_t)count; i++)
        array[i] = NAN;
}

// Of two the larger one; what is no number stays.
static inline double np_maximum(double a, double b) { return a >= b || isnan(a) ? a : b; }

static inline double np_minimum(double a, double b) { return a <= b || isnan(a) ? a : b; }

static inline double np_remainder(double a, double b)
{
    double r = fmod(a, b);
    if (r == 0.0)
        return copysign(0.0, b);
    return (r < 0.0) != (b < 0.0) ? r + b : r;
}

static inline double np_floor_divide(double a, double b)
{
    double r = fmod(a, b), q = (a - r) / b;
    if (b == 0.0 || isnan(r))
        return a / b;
    if (r != 0.0 && (r < 0.0) != (b < 0.0))
        q -= 1.0;
    double whole = floor(q);
    return q == 0.0 ? copysign(0.0, a / b) : q - whole > 0.5 ? whole + 1.0 : whole;
}

static inline int64_t np_int_same(int64_t a) { return a; }

static inline int64_t np_int64(double a)
{
    return a >= -0x1p63 && a < 0x1p63 ? (int64_t)a : INT64_MIN;
}

static inline int64_t np_int_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t np_int_subtract(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t np_int_multiply(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static inline int64_t np_int_floor_divide(int64_t a, int64_t b)
{
    if (b == 0)
        return 0;
    if (b == -1)
        return np_int_subtract(0, a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static inline int64_t np_int_remainder(int64_t a, int64_t b)
{
    if (b == 0 || b == -1)
        return 0;
    int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static inline int64_t np_int_power(int64_t a, int64_t n)
{
    int64_t r = 1;
    for (; n > 0; n >>= 1) {
        if (n & 1)
            r = np_int_multiply(r, a);
        a = np_int_multiply(a, a);
    }
    return r;
}
