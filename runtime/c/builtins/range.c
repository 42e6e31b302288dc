// range.c - Python's range; contracts in range.h. What fits in 64 bits is done there.

#include "range.h"

#include "iterating.h"
#include "plain.h"

typedef void Operation(mpz_t to, const mpz_t a, const mpz_t b);

// ---- whole numbers of any size ----

static PychoralInt operate(Operation *operation, PychoralInt a, PychoralInt b)
{
    mp_limb_t limb_a, limb_b;
    mpz_t one, other, result;
    PychoralInt number;
    pychoral_int_view(&a, &limb_a, one);
    pychoral_int_view(&b, &limb_b, other);
    mpz_init(result);
    operation(result, one, other);
    if (!pychoral_int_from_mpz(result, &number))
        pychoral_no_memory();
    mpz_clear(result);
    return number;
}

static void drop(PychoralInt number) { pychoral_release(&pychoral_type_int, &number); }

static bool is_small(PychoralInt a) { return !pychoral_int_is_big(a); }

static PychoralInt kept(PychoralInt number)
{
    if (!pychoral_int_is_big(number))
        return pychoral_int(number.small);
    pychoral_retain(&pychoral_type_int, &number);
    return number;
}

static PychoralInt add(PychoralInt a, PychoralInt b)
{
    int64_t sum;
    if (is_small(a) && is_small(b) && !__builtin_add_overflow(a.small, b.small, &sum))
        return pychoral_int(sum);
    return operate(mpz_add, a, b);
}

static PychoralInt multiply(PychoralInt a, PychoralInt b)
{
    int64_t product;
    if (is_small(a) && is_small(b) && !__builtin_mul_overflow(a.small, b.small, &product))
        return pychoral_int(product);
    return operate(mpz_mul, a, b);
}

static int compare(PychoralInt a, PychoralInt b)
{
    if (is_small(a) && is_small(b))
        return (a.small > b.small) - (a.small < b.small);
    mp_limb_t limb_a, limb_b;
    mpz_t one, other;
    pychoral_int_view(&a, &limb_a, one);
    pychoral_int_view(&b, &limb_b, other);
    return mpz_cmp(one, other);
}

static int sign_of(PychoralInt a) { return compare(a, pychoral_int(0)); }

// start + index * step
static PychoralInt place(const PychoralRange *range, PychoralInt index)
{
    PychoralInt offset = multiply(range->step, index);
    PychoralInt at = add(range->start, offset);
    drop(offset);
    return at;
}

// How many numbers there are, of any size.
static PychoralInt length(const PychoralRange *range)
{
    bool up = sign_of(range->step) > 0;
    PychoralInt low = up ? range->start : range->stop, high = up ? range->stop : range->start;
    if (compare(low, high) >= 0)
        return pychoral_int(0);
    PychoralInt span = operate(mpz_sub, high, low);
    PychoralInt rest = add(span, pychoral_int(-1));
    PychoralInt steps = operate(mpz_tdiv_q, rest, range->step);
    PychoralInt least = pychoral_int(steps.small < 0 ? -steps.small : steps.small);
    if (!is_small(steps))
        least = operate(up ? mpz_add : mpz_sub, pychoral_int(0), steps);
    drop(span);
    drop(rest);
    drop(steps);
    PychoralInt count = add(least, pychoral_int(1));
    drop(least);
    return count;
}

// ---- making ----

static PychoralRange *make(PychoralInt start, PychoralInt stop, PychoralInt step)
{
    PychoralRange *range = pychoral_allocate_zeroed(1, sizeof *range);
    range->object = (PychoralObject){.head = {.refs = 1}, .type = &pychoral_type_range};
    range->start = start;
    range->stop = stop;
    range->step = step;
    return range;
}

PychoralRange *pychoral_range_new(PychoralInt start, PychoralInt stop, PychoralInt step)
{
    if (sign_of(step) != 0)
        return make(kept(start), kept(stop), kept(step));
    pychoral_throw(&pychoral_type_ValueError, "range() arg 3 must not be zero");
    return NULL;
}

PychoralRange *pychoral_range_to(PychoralInt stop)
{
    return make(pychoral_int(0), kept(stop), pychoral_int(1));
}

// ---- as a sequence ----

bool pychoral_range_is_empty(const PychoralRange *range)
{
    int order = compare(range->start, range->stop);
    return sign_of(range->step) > 0 ? order >= 0 : order <= 0;
}

int64_t pychoral_range_len(const PychoralRange *range)
{
    PychoralInt count = length(range);
    if (is_small(count))
        return count.small;
    drop(count);
    pychoral_throw(&pychoral_type_OverflowError, "Python int too large to convert to C ssize_t");
    return 0;
}

PychoralInt pychoral_range_at(const PychoralRange *range, int64_t index)
{
    PychoralInt count = length(range);
    PychoralInt at = index < 0 ? add(count, pychoral_int(index)) : pychoral_int(index);
    PychoralInt item = pychoral_int(0);
    if (sign_of(at) < 0 || compare(at, count) >= 0)
        pychoral_throw(&pychoral_type_IndexError, "range object index out of range");
    else
        item = place(range, at);
    drop(count);
    drop(at);
    return item;
}

// Where a bound of a slice lies: between `least` and `most`.
static PychoralInt clip(int64_t bound, PychoralInt count, PychoralInt least, PychoralInt most)
{
    PychoralInt at = bound < 0 ? add(count, pychoral_int(bound)) : pychoral_int(bound);
    if (compare(at, least) >= 0 && compare(at, most) <= 0)
        return at;
    PychoralInt edge = kept(compare(at, least) < 0 ? least : most);
    drop(at);
    return edge;
}

PychoralRange *pychoral_range_slice(const PychoralRange *range, int64_t start, int64_t stop,
                                    int64_t step)
{
    if (step == 0) {
        pychoral_throw(&pychoral_type_ValueError, "slice step cannot be zero");
        return NULL;
    }
    PychoralInt count = length(range), least = pychoral_int(step < 0 ? -1 : 0);
    PychoralInt most = step < 0 ? add(count, pychoral_int(-1)) : kept(count);
    PychoralInt from = step < 0 && start == INT64_MAX ? kept(most)
                                                       : clip(start, count, least, most);
    PychoralInt to = step < 0 && stop == INT64_MIN ? least : clip(stop, count, least, most);
    PychoralRange *slice = make(place(range, from), place(range, to),
                                multiply(range->step, pychoral_int(step)));
    drop(count);
    drop(most);
    drop(from);
    drop(to);
    return slice;
}

// ---- what is in it ----

static bool contains(const PychoralRange *range, PychoralInt number)
{
    bool up = sign_of(range->step) > 0;
    int first = compare(number, range->start), last = compare(number, range->stop);
    if (up ? first < 0 || last >= 0 : first > 0 || last <= 0)
        return false;
    PychoralInt offset = operate(mpz_sub, number, range->start);
    PychoralInt rest = operate(mpz_tdiv_r, offset, range->step);
    bool is_there = sign_of(rest) == 0;
    drop(offset);
    drop(rest);
    return is_there;
}

// Whether something that is no int is equal to one of the numbers: as Python, one by one.
static bool contains_equal(const PychoralRange *range, PychoralRef value)
{
    PychoralInt count = length(range), index = pychoral_int(0);
    bool is_there = false;
    while (!is_there && pychoral_raised == NULL && compare(index, count) < 0) {
        PychoralInt number = place(range, index), next = add(index, pychoral_int(1));
        is_there = pychoral_eq(value, (PychoralRef){&pychoral_type_int, &number});
        drop(number);
        drop(index);
        index = next;
    }
    drop(count);
    drop(index);
    return is_there;
}

bool pychoral_range_contains(const PychoralRange *range, PychoralRef value)
{
    PychoralRef seen = pychoral_look(value.type, value.value);
    if (seen.type->kind == PYCHORAL_INT)
        return contains(range, *(const PychoralInt *)seen.value);
    if (seen.type->kind == PYCHORAL_BOOL)
        return contains(range, pychoral_int(*(const bool *)seen.value));
    return contains_equal(range, seen);
}

PychoralInt pychoral_range_index(const PychoralRange *range, PychoralInt value)
{
    if (!contains(range, value)) {
        PychoralStr *text = pychoral_repr((PychoralRef){&pychoral_type_int, &value});
        if (text != NULL)
            pychoral_throw(&pychoral_type_ValueError, "%s is not in range", text->data);
        pychoral_release(&pychoral_type_str, &text);
        return pychoral_int(0);
    }
    PychoralInt offset = operate(mpz_sub, value, range->start);
    PychoralInt index = operate(mpz_tdiv_q, offset, range->step);
    drop(offset);
    return index;
}

int64_t pychoral_range_count(const PychoralRange *range, PychoralInt value)
{
    return contains(range, value);
}

// Ranges are equal that give the same numbers.
bool pychoral_range_eq(const PychoralRange *a, const PychoralRange *b)
{
    PychoralInt one = length(a), other = length(b);
    bool same = compare(one, other) == 0;
    if (same && sign_of(one) > 0)
        same = compare(a->start, b->start) == 0 &&
               (compare(one, pychoral_int(1)) == 0 || compare(a->step, b->step) == 0);
    drop(one);
    drop(other);
    return same;
}

int64_t pychoral_range_hash(const PychoralRange *range)
{
    typedef struct Parts {
        PychoralAny part[3];
    } Parts;
    static const PychoralField FIELDS[] = {
        {.type = &pychoral_type_object, .offset = offsetof(Parts, part[0])},
        {.type = &pychoral_type_object, .offset = offsetof(Parts, part[1])},
        {.type = &pychoral_type_object, .offset = offsetof(Parts, part[2])}};
    static const PychoralType PARTS = {.kind = PYCHORAL_TUPLE, .size = sizeof(Parts), .count = 3,
                                       .fields = FIELDS, .name = "tuple"};
    PychoralAny none = {.type = &pychoral_type_none};
    PychoralInt count = length(range);
    Parts parts = {{{.type = &pychoral_type_int, .number = count}, none, none}};
    if (sign_of(count) > 0)
        parts.part[1] = (PychoralAny){.type = &pychoral_type_int, .number = range->start};
    if (compare(count, pychoral_int(1)) > 0)
        parts.part[2] = (PychoralAny){.type = &pychoral_type_int, .number = range->step};
    int64_t hash = pychoral_hash_of((PychoralRef){&PARTS, &parts});
    drop(count);
    return hash;
}

// ---- iterating ----

// The next number, the step, and how many are left. Big ranges count with PychoralInts.
typedef struct RangeWalk {
    PychoralInt at, step, left;
} RangeWalk;

static const PychoralField WALK_FIELDS[] = {
    {.type = &pychoral_type_int, .offset = offsetof(RangeWalk, at)},
    {.type = &pychoral_type_int, .offset = offsetof(RangeWalk, step)},
    {.type = &pychoral_type_int, .offset = offsetof(RangeWalk, left)}};
static const PychoralType WALK = {.kind = PYCHORAL_TUPLE, .size = sizeof(RangeWalk), .count = 3,
                                  .fields = WALK_FIELDS, .name = "range_iterator"};

static bool next_number(PychoralIterator *self, void *item)
{
    RangeWalk *walk = (RangeWalk *)self->cells;
    const PychoralType *row = pychoral_item_row(self);
    if (walk->left.big == NULL && walk->left.small == 0)
        return false;
    PychoralInt number = walk->at, left = add(walk->left, pychoral_int(-1));
    drop(walk->left);
    walk->left = left;
    walk->at = add(number, walk->step);
    if (row->kind == PYCHORAL_INT) {
        *(PychoralInt *)item = number;
        return true;
    }
    pychoral_convert(&pychoral_type_int, &number, row, item);
    drop(number);
    return pychoral_raised == NULL;
}

PychoralIterator *pychoral_range_iter(const PychoralType *row, const PychoralRange *range)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &WALK, next_number);
    *(RangeWalk *)iterator->cells =
        (RangeWalk){kept(range->start), kept(range->step), length(range)};
    return iterator;
}

PychoralIterator *pychoral_range_reversed(const PychoralRange *range, const PychoralType *row)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &WALK, next_number);
    PychoralInt count = length(range), last = add(count, pychoral_int(-1));
    *(RangeWalk *)iterator->cells =
        (RangeWalk){place(range, last), multiply(range->step, pychoral_int(-1)), count};
    drop(last);
    return iterator;
}
