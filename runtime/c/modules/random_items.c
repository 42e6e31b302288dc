// random_items.c - choice, choices, sample and shuffle: items of sequences of any type.

#include <stdlib.h>
#include <string.h>

#include "../builtins/bytes.h"
#include "../builtins/items.h"
#include "../builtins/iterating.h"
#include "../builtins/range.h"
#include "../builtins/str.h"
#include "random.h"

// ---- sequences by place ----

static void index_error(const char *kind)
{
    pychoral_throw(&pychoral_type_IndexError, "%s index out of range", kind);
}

// An item of a list or tuple.
static void item_of_items(PychoralRef seen, size_t index, const PychoralType *row, void *result)
{
    PychoralItems items = pychoral_items(seen);
    if (index >= (size_t)pychoral_len(seen)) {
        index_error(pychoral_is_tuple(seen.type) ? "tuple" : "list");
        return;
    }
    PychoralInt room;
    PychoralRef item = pychoral_item_ref(&items, index, &room);
    pychoral_convert(item.type, item.value, row, result);
}

// Item `index` of what pychoral_look has seen, converted to `row`.
static void item_at(PychoralRef seen, int64_t index, const PychoralType *row, void *result)
{
    memset(result, 0, row->size);
    PychoralKind kind = seen.type->kind;
    if (kind == PYCHORAL_STR) {
        PychoralStr *character = pychoral_str_at(*(PychoralStr *const *)seen.value, index);
        if (character != NULL)
            pychoral_convert(&pychoral_type_str, &character, row, result);
        pychoral_drop_str(&character);
    } else if (kind == PYCHORAL_RANGE) {
        PychoralInt number = pychoral_range_at(*(PychoralRange *const *)seen.value, index);
        if (pychoral_raised == NULL)
            pychoral_convert(&pychoral_type_int, &number, row, result);
        pychoral_drop_int(&number);
    } else if (kind == PYCHORAL_BYTES) {
        const PychoralBytes *bytes = *(PychoralBytes *const *)seen.value;
        if ((size_t)index >= bytes->size) {
            index_error("index");
            return;
        }
        PychoralInt number = pychoral_int((unsigned char)bytes->data[index]);
        pychoral_convert(&pychoral_type_int, &number, row, result);
    } else {
        item_of_items(seen, (size_t)index, row, result);
    }
}

// A list that takes copies of items, one after the other.
typedef struct Copies {
    PychoralList *list;
    void *room;
} Copies;

static Copies copies_new(const PychoralType *row)
{
    Copies copies = {pychoral_list_new(row, 0), pychoral_allocate(row->element->size)};
    if (copies.list == NULL)
        pychoral_no_memory();
    return copies;
}

// Appends an item. False: it raised.
static bool copy_item(Copies *copies, PychoralRef seen, int64_t index)
{
    item_at(seen, index, copies->list->object.type->element, copies->room);
    if (pychoral_raised == NULL && !pychoral_list_append(copies->list, copies->room))
        pychoral_no_memory();
    return pychoral_raised == NULL;
}

// The list, unless something was raised.
static PychoralList *copies_done(Copies *copies)
{
    free(copies->room);
    if (pychoral_raised == NULL)
        return copies->list;
    pychoral_drop_object(&copies->list);
    return NULL;
}

// An int64_t below n.
static int64_t below(PychoralRandom *self, int64_t n)
{
    return pychoral_random_below(self, pychoral_int(n)).small;
}

void pychoral_random_choice(PychoralRandom *self, PychoralRef sequence, const PychoralType *row,
                            void *result)
{
    PychoralRef seen = pychoral_look(sequence.type, sequence.value);
    int64_t count = pychoral_len(seen);
    if (pychoral_raised == NULL && count == 0)
        pychoral_throw(&pychoral_type_IndexError, "Cannot choose from an empty sequence");
    if (pychoral_raised == NULL)
        item_at(seen, below(self, count), row, result);
    else
        memset(result, 0, row->size);
}

// ---- choices ----

// Running sums, ints as long as all are.
typedef struct Sums {
    PychoralAny *items;
    size_t count;
} Sums;

static bool is_float(const PychoralAny *number) { return number->type->kind == PYCHORAL_FLOAT; }

static double as_float(const PychoralAny *number)
{
    if (is_float(number))
        return number->real;
    if (number->type->kind == PYCHORAL_BOOL)
        return number->truth;
    return pychoral_int_to_double(number->number);
}

static PychoralInt as_int(const PychoralAny *number)
{
    return number->type->kind == PYCHORAL_BOOL ? pychoral_int(number->truth) : number->number;
}

static PychoralAny plus(const PychoralAny *a, const PychoralAny *b)
{
    if (!is_float(a) && !is_float(b))
        return (PychoralAny){&pychoral_type_int,
                             {.number = pychoral_int_add(as_int(a), as_int(b))}};
    return (PychoralAny){&pychoral_type_float, {.real = as_float(a) + as_float(b)}};
}

static bool is_number(const PychoralAny *item)
{
    PychoralKind kind = item->type->kind;
    if (kind == PYCHORAL_INT || kind == PYCHORAL_BOOL || kind == PYCHORAL_FLOAT)
        return true;
    pychoral_throw(&pychoral_type_TypeError, "weights must be numbers");
    return false;
}

static void sums_free(Sums *sums)
{
    for (size_t i = 0; i < sums->count; i++)
        pychoral_drop_any(&sums->items[i]);
    free(sums->items);
}

// The items of an iterable, or their running sums. False: it raised.
static bool sums_of(PychoralRef iterable, bool add_up, Sums *sums)
{
    *sums = (Sums){NULL, 0};
    PychoralIterator *iterator = pychoral_iter(&pychoral_type_object, iterable);
    PychoralAny item;
    while (iterator != NULL && pychoral_raised == NULL && iterator->next(iterator, &item)) {
        sums->items = pychoral_reallocate(sums->items, (sums->count + 1) * sizeof item);
        bool is_later = is_number(&item) && add_up && sums->count > 0;
        sums->items[sums->count] = is_later ? plus(&sums->items[sums->count - 1], &item) : item;
        sums->count++;
        if (is_later)
            pychoral_drop_any(&item);
    }
    pychoral_drop_object(&iterator);
    return pychoral_raised == NULL;
}

// Where x belongs: behind all sums up to it, at `last` at most.
static int64_t bisect(const Sums *sums, double x, int64_t last)
{
    int64_t low = 0, high = last;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        const PychoralAny *sum = &sums->items[middle];
        bool is_below = is_float(sum) ? x < sum->real : pychoral_int_gt_float(as_int(sum), x);
        if (is_below)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// The sum of all weights. Raises.
static double total_of(const Sums *sums, int64_t count)
{
    double total = 0;
    if (sums->count != (size_t)count)
        pychoral_throw(&pychoral_type_ValueError,
                       "The number of weights does not match the population");
    else if (count == 0)
        index_error("list");
    else
        total = as_float(&sums->items[count - 1]) + 0.0;
    if (pychoral_raised == NULL && total <= 0.0)
        pychoral_throw(&pychoral_type_ValueError, "Total of weights must be greater than zero");
    else if (pychoral_raised == NULL && !isfinite(total))
        pychoral_throw(&pychoral_type_ValueError, "Total of weights must be finite");
    return total;
}

static bool is_none(PychoralRef value)
{
    return value.type->kind == PYCHORAL_NONE ||
           pychoral_look(value.type, value.value).type->kind == PYCHORAL_NONE;
}

static void choose_weighted(PychoralRandom *self, PychoralRef seen, PychoralRef weights,
                            bool add_up, int64_t count, Copies *chosen)
{
    Sums sums;
    int64_t length = pychoral_len(seen);
    double total = sums_of(weights, add_up, &sums) ? total_of(&sums, length) : 0;
    for (int64_t i = 0; i < count && pychoral_raised == NULL; i++)
        copy_item(chosen, seen, bisect(&sums, pychoral_random_random(self) * total, length - 1));
    sums_free(&sums);
}

PychoralList *pychoral_random_choices(PychoralRandom *self, PychoralRef population,
                                      PychoralRef weights, PychoralRef cum_weights, int64_t count,
                                      const PychoralType *row)
{
    PychoralRef seen = pychoral_look(population.type, population.value);
    double length = (double)pychoral_len(seen);
    Copies chosen = copies_new(row);
    if (!is_none(weights) && !is_none(cum_weights))
        pychoral_throw(&pychoral_type_TypeError,
                       "Cannot specify both weights and cumulative weights");
    else if (!is_none(weights))
        choose_weighted(self, seen, weights, true, count, &chosen);
    else if (!is_none(cum_weights))
        choose_weighted(self, seen, cum_weights, false, count, &chosen);
    else
        for (int64_t i = 0; i < count && pychoral_raised == NULL; i++)
            copy_item(&chosen, seen, (int64_t)(pychoral_random_random(self) * length));
    return copies_done(&chosen);
}

// ---- sample ----

// The places that have been drawn: a hash table of them, plus 1 (0: free).
typedef struct Drawn {
    int64_t *slots;
    size_t mask;
} Drawn;

static Drawn drawn_new(size_t count)
{
    size_t size = 16;
    while (size < count * 2)
        size *= 2;
    return (Drawn){pychoral_allocate_zeroed(size, sizeof(int64_t)), size - 1};
}

// False: the place has been drawn before.
static bool draw_place(Drawn *drawn, int64_t place)
{
    size_t slot = (size_t)((uint64_t)place * 0x9e3779b97f4a7c15U >> 20) & drawn->mask;
    for (; drawn->slots[slot] != 0; slot = (slot + 1) & drawn->mask)
        if (drawn->slots[slot] == place + 1)
            return false;
    drawn->slots[slot] = place + 1;
    return true;
}

// Up to this length random.py draws from a list of all items, beyond it until it meets a new one.
static double pool_size(int64_t count)
{
    if (count <= 5)
        return 21;
    return 21 + pow(4, ceil(log((double)count * 3) / log(4.0)));
}

static void draw_from_pool(PychoralRandom *self, int64_t length, int64_t count, int64_t *places)
{
    int64_t *pool = pychoral_allocate((size_t)(length + 1) * sizeof *pool);
    for (int64_t i = 0; i < length; i++)
        pool[i] = i;
    for (int64_t i = 0; i < count; i++) {
        int64_t at = below(self, length - i);
        places[i] = pool[at];
        pool[at] = pool[length - i - 1];
    }
    free(pool);
}

static void draw_new_ones(PychoralRandom *self, int64_t length, int64_t count, int64_t *places)
{
    Drawn drawn = drawn_new((size_t)count);
    for (int64_t i = 0; i < count; i++) {
        do
            places[i] = below(self, length);
        while (!draw_place(&drawn, places[i]));
    }
    free(drawn.slots);
}

// `count` places below `length`, none twice; NULL: raised ValueError.
static int64_t *draw_places(PychoralRandom *self, int64_t length, int64_t count)
{
    if (count < 0 || count > length) {
        pychoral_throw(&pychoral_type_ValueError,
                       "Sample larger than population or is negative");
        return NULL;
    }
    int64_t *places = pychoral_allocate((size_t)(count + 1) * sizeof *places);
    if ((double)length <= pool_size(count))
        draw_from_pool(self, length, count, places);
    else
        draw_new_ones(self, length, count, places);
    return places;
}

// How many items there are if each is there as often as its count says. Raises.
static int64_t total_count(const Sums *sums, int64_t length)
{
    PychoralInt total = {0, NULL};
    if (sums->count != (size_t)length)
        pychoral_throw(&pychoral_type_ValueError,
                       "The number of counts does not match the population");
    else if (length == 0)
        pychoral_throw(&pychoral_type_IndexError, "pop from empty list");
    else if (is_float(&sums->items[length - 1]))
        pychoral_throw(&pychoral_type_TypeError, "Counts must be integers");
    else
        total = as_int(&sums->items[length - 1]);
    if (pychoral_raised == NULL && !pychoral_int_gt(total, pychoral_int(0)))
        pychoral_throw(&pychoral_type_ValueError, "Total of counts must be greater than zero");
    return pychoral_raised == NULL
               ? pychoral_int_fit(total, "Python int too large to convert to C ssize_t")
               : 0;
}

static void sample_counted(PychoralRandom *self, PychoralRef seen, PychoralRef counts,
                           int64_t count, Copies *sample)
{
    Sums sums;
    int64_t length = pychoral_len(seen), *places = NULL;
    int64_t total = sums_of(counts, true, &sums) ? total_count(&sums, length) : 0;
    if (pychoral_raised == NULL)
        places = draw_places(self, total, count);
    for (int64_t i = 0; places != NULL && i < count && pychoral_raised == NULL; i++)
        copy_item(sample, seen, bisect(&sums, (double)places[i], length - 1));
    free(places);
    sums_free(&sums);
}

PychoralList *pychoral_random_sample(PychoralRandom *self, PychoralRef population, int64_t count,
                                     PychoralRef counts, const PychoralType *row)
{
    PychoralRef seen = pychoral_look(population.type, population.value);
    Copies sample = copies_new(row);
    if (!is_none(counts)) {
        sample_counted(self, seen, counts, count, &sample);
        return copies_done(&sample);
    }
    int64_t length = pychoral_len(seen), *places = NULL;
    if (pychoral_raised == NULL)
        places = draw_places(self, length, count);
    for (int64_t i = 0; places != NULL && i < count && pychoral_raised == NULL; i++)
        copy_item(&sample, seen, places[i]);
    free(places);
    return copies_done(&sample);
}

// ---- shuffle ----

static void swap(char *a, char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

void pychoral_random_shuffle(PychoralRandom *self, PychoralList *list)
{
    if (!pychoral_list_writable(list, list->count))
        pychoral_no_memory();
    size_t size = list->narrow ? sizeof(int64_t) : list->object.type->element->size;
    char *items = list->items;
    for (size_t i = list->count; i-- > 1;) {
        size_t other = (size_t)below(self, (int64_t)i + 1);
        swap(items + i * size, items + other * size, size);
    }
}
