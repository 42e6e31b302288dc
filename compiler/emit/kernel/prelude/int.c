// An int beyond 64 bits.
static COLD _Noreturn void int_overflow(Call *call, int line)
{
    fail(call, line, "OverflowError: this int does not fit in 64 bits");
}

static inline int64_t int_add(Call *call, int line, int64_t a, int64_t b)
{
    int64_t r;
    if (unlikely(__builtin_add_overflow(a, b, &r)))
        int_overflow(call, line);
    return r;
}

static inline int64_t int_sub(Call *call, int line, int64_t a, int64_t b)
{
    int64_t r;
    if (unlikely(__builtin_sub_overflow(a, b, &r)))
        int_overflow(call, line);
    return r;
}

static inline int64_t int_mul(Call *call, int line, int64_t a, int64_t b)
{
    int64_t r;
    if (unlikely(__builtin_mul_overflow(a, b, &r)))
        int_overflow(call, line);
    return r;
}

static inline int64_t int_neg(Call *call, int line, int64_t a)
{
    return int_sub(call, line, 0, a);
}

static inline int64_t int_abs(Call *call, int line, int64_t a)
{
    return a < 0 ? int_neg(call, line, a) : a;
}

static inline int64_t int_floordiv(Call *call, int line, int64_t a, int64_t b)
{
    if (unlikely(b == 0))
        fail(call, line, "ZeroDivisionError: integer division or modulo by zero");
    if (unlikely(b == -1))
        return int_neg(call, line, a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static inline int64_t int_mod(Call *call, int line, int64_t a, int64_t b)
{
    if (unlikely(b == 0))
        fail(call, line, "ZeroDivisionError: integer modulo by zero");
    if (unlikely(b == -1))
        return 0;
    int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static inline double int_truediv(Call *call, int line, int64_t a, int64_t b)
{
    if (unlikely(b == 0))
        fail(call, line, "ZeroDivisionError: division by zero");
    return (double)a / (double)b;
}

static inline int64_t int_pow(Call *call, int line, int64_t a, int64_t n)
{
    int64_t r = 1;
    if (unlikely(n < 0))
        fail(call, line, "ValueError: an int to a negative power is not an int");
    for (; n > 0; n >>= 1) {
        if (n & 1)
            r = int_mul(call, line, r, a);
        if (n > 1)
            a = int_mul(call, line, a, a);
    }
    return r;
}

static inline int64_t int_lshift(Call *call, int line, int64_t a, int64_t n)
{
    if (unlikely(n < 0))
        fail(call, line, "ValueError: negative shift count");
    if (a == 0)
        return 0;
    return n > 62 ? (int_overflow(call, line), 0) : int_mul(call, line, a, (int64_t)1 << n);
}

static inline int64_t int_rshift(Call *call, int line, int64_t a, int64_t n)
{
    if (unlikely(n < 0))
        fail(call, line, "ValueError: negative shift count");
    return a >> (n > 63 ? 63 : n);
}

static inline int64_t int_min(int64_t a, int64_t b) { return b < a ? b : a; }

__attribute__((const))
static inline int64_t int_max(int64_t a, int64_t b) { return b > a ? b : a; }

// How often `range(first, last, step)` goes round.
static inline int64_t range_len(Call *call, int line, int64_t first, int64_t last, int64_t step)
{
    if (unlikely(step == 0))
        fail(call, line, "ValueError: range() arg 3 must not be zero");
    if (step > 0 ? first >= last : first <= last)
        return 0;
    uint64_t way = step > 0 ? (uint64_t)last - (uint64_t)first : (uint64_t)first - (uint64_t)last;
    uint64_t size = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    return (int64_t)((way - 1) / size + 1);
}

// The same for a step of 1.
static inline int64_t rounds_of(int64_t first, int64_t last)
{
    return last > first ? last - first : 0;
}
