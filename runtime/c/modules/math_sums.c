// math_sums.c - sums without rounding: fsum, hypot and dist; and products.

#include <stdlib.h>
#include <string.h>

#include "../builtins/iterating.h"
#include "../builtins/binary_ops.h"
#include "../builtins/iterator_tuple.h"
#include "math.h"

// Some floats; many ones are on the heap.
typedef struct Floats {
    double *items;
    size_t count, room;
} Floats;

static void push(Floats *floats, double x)
{
    if (floats->count == floats->room) {
        floats->room = floats->room * 2 + 16;
        floats->items = pychoral_reallocate(floats->items, floats->room * sizeof x);
    }
    floats->items[floats->count++] = x;
}

// All floats of an iterator; false: it raised.
static bool collect(PychoralIterator *items, Floats *floats)
{
    double x;
    *floats = (Floats){NULL, 0, 0};
    while (items->next(items, &x))
        push(floats, x);
    return pychoral_raised == NULL;
}

// ---- fsum: partial sums that do not overlap (Shewchuk), least first ----

// Adds x to the partial sums; gives their largest part, which is not among them.
static double add_exactly(Floats *partials, double x)
{
    size_t kept = 0;
    for (size_t i = 0; i < partials->count; i++) {
        double y = partials->items[i];
        if (fabs(x) < fabs(y)) {
            double swapped = x;
            x = y;
            y = swapped;
        }
        double high = x + y, low = y - (high - x);
        if (low != 0)
            partials->items[kept++] = low;
        x = high;
    }
    partials->count = kept;
    return x;
}

// The partial sums as one float, rounded once.
static double rounded(Floats *partials)
{
    const double *items = partials->items;
    size_t count = partials->count;
    if (count == 0)
        return 0;
    double high = items[--count], low = 0;
    while (count > 0 && low == 0) {
        double x = high, y = items[--count];
        high = x + y;
        low = y - (high - x);
    }
    // A tie is decided by what is below it.
    if (count > 0 && ((low < 0 && items[count - 1] < 0) || (low > 0 && items[count - 1] > 0))) {
        double twice = low * 2, x = high + twice;
        if (twice == x - high)
            high = x;
    }
    return high;
}

// What infinities and NaNs add up to.
typedef struct Special {
    double sum, infinities;
} Special;

static bool add_item(Floats *partials, Special *special, double item)
{
    double x = add_exactly(partials, item);
    if (isfinite(x)) {
        if (x != 0)
            push(partials, x);
        return true;
    }
    if (isfinite(item)) {
        pychoral_throw(&pychoral_type_OverflowError, "intermediate overflow in fsum");
        return false;
    }
    if (isinf(item))
        special->infinities += item;
    special->sum += item;
    partials->count = 0;
    return true;
}

double pychoral_math_fsum(PychoralIterator *items)
{
    Floats partials = {NULL, 0, 0};
    Special special = {0, 0};
    double item, sum = 0;
    bool goes_on = true;
    while (goes_on && items->next(items, &item))
        goes_on = add_item(&partials, &special, item);
    if (pychoral_raised == NULL && isnan(special.infinities))
        pychoral_throw(&pychoral_type_ValueError, "-inf + inf in fsum");
    else if (pychoral_raised == NULL)
        sum = special.sum != 0 ? special.sum : rounded(&partials);
    free(partials.items);
    return sum;
}

// ---- the length of a vector: squares without rounding, and a step of Newton's ----

// A sum that starts with 1, so that no summand is larger, and what it lost, of three sizes.
typedef struct Squares {
    double sum, lost, lost_less, rest;
} Squares;

static void add_to(Squares *squares, double x, double *lost)
{
    double before = squares->sum;
    squares->sum += x;
    *lost += (before - squares->sum) + x;
}

// Adds x * x (sign 1) or takes it away (sign -1); x is below 1.
static void add_square(Squares *squares, double x, double sign)
{
    const double half_way = 134217729.0;  // 2**27 + 1
    double t = x * half_way, high = t - (t - x), low = x - high;
    add_to(squares, sign * high * high, &squares->lost);
    add_to(squares, sign * 2.0 * high * low, &squares->lost_less);
    if (sign > 0)
        squares->rest += low * low;
    else
        add_to(squares, -low * low, &squares->rest);
}

static double total(const Squares *squares)
{
    return squares->sum - 1.0 + (squares->lost + squares->lost_less + squares->rest);
}

// The length of a vector whose largest part is subnormal.
static double tiny_length(const Floats *vector, double most)
{
    Squares squares = {1, 0, 0, 0};
    for (size_t i = 0; i < vector->count; i++) {
        double x = vector->items[i] / most;
        add_to(&squares, x * x, &squares.lost);
    }
    return most * sqrt(squares.sum - 1.0 + squares.lost);
}

// The length of a vector whose parts are positive or 0, or NaN.
static double length(const Floats *vector)
{
    double most = 0;
    bool has_nan = false;
    for (size_t i = 0; i < vector->count; i++) {
        has_nan |= isnan(vector->items[i]);
        most = vector->items[i] > most ? vector->items[i] : most;
    }
    if (isinf(most) || (!has_nan && (most == 0 || vector->count <= 1)))
        return most;
    if (has_nan)
        return NAN;
    int exponent;
    frexp(most, &exponent);
    if (exponent < -1023)
        return tiny_length(vector, most);
    double scale = ldexp(1.0, -exponent);
    Squares squares = {1, 0, 0, 0};
    for (size_t i = 0; i < vector->count; i++)
        add_square(&squares, vector->items[i] * scale, 1);
    double root = sqrt(total(&squares));
    add_square(&squares, root, -1);
    return (root + total(&squares) / (2.0 * root)) / scale;
}

double pychoral_math_hypot(size_t count, const double *coordinates)
{
    Floats vector = {NULL, 0, 0};
    for (size_t i = 0; i < count; i++)
        push(&vector, fabs(coordinates[i]));
    double result = length(&vector);
    free(vector.items);
    return result;
}

double pychoral_math_dist(PychoralIterator *p, PychoralIterator *q)
{
    Floats from = {NULL, 0, 0}, to = {NULL, 0, 0};
    double result = 0;
    bool done = collect(p, &from) && collect(q, &to);
    if (done && from.count != to.count) {
        pychoral_throw(&pychoral_type_ValueError,
                       "both points must have the same number of dimensions");
        done = false;
    }
    for (size_t i = 0; done && i < from.count; i++)
        from.items[i] = fabs(from.items[i] - to.items[i]);
    if (done)
        result = length(&from);
    free(from.items);
    free(to.items);
    return result;
}

// ---- products ----

// The product and the next item, which it lets go of.
static void multiply(PychoralAny *product, const PychoralType *row, void *item)
{
    PychoralAny before = *product;
    pychoral_binary(PYCHORAL_MUL, false, (PychoralRef){&pychoral_type_object, &before},
                    (PychoralRef){row, item}, &pychoral_type_object, product);
    pychoral_release(&pychoral_type_object, &before);
    pychoral_release(row, item);
}

void pychoral_math_prod(PychoralIterator *items, PychoralRef start, const PychoralType *type,
                        void *result)
{
    const PychoralType *row = pychoral_item_row(items);
    PychoralAny product = pychoral_any(start.type, start.value);
    PychoralSlot slot;
    pychoral_slot_open(&slot, row);
    while (pychoral_raised == NULL && pychoral_next_item(items, slot.item))
        multiply(&product, row, slot.item);
    pychoral_slot_close(&slot);
    memset(result, 0, type->size);
    if (pychoral_raised == NULL)
        pychoral_convert(&pychoral_type_object, &product, type, result);
    pychoral_release(&pychoral_type_object, &product);
}
