// mergesort.c - mergesort.pyc by hand: both halves in one process, lists as arrays that grow.

#include <string.h>

#include "by_hand.h"

typedef struct { int64_t *items; size_t count, capacity; } List;

static void push(List *list, int64_t item)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 4;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
        if (list->items == NULL)
            exit(1);
    }
    list->items[list->count++] = item;
}

static List part(const List *list, size_t from, size_t to)
{
    List out = {malloc((to - from + 1) * sizeof *out.items), to - from, to - from};
    if (out.items == NULL)
        exit(1);
    memcpy(out.items, list->items + from, out.count * sizeof *out.items);
    return out;
}

// Both are let go of.
static List merge(List xs, List ys)
{
    List out = {0};
    size_t i = 0, j = 0;
    while (i < xs.count && j < ys.count) {
        if (xs.items[i] <= ys.items[j])
            push(&out, xs.items[i++]);
        else
            push(&out, ys.items[j++]);
    }
    while (i < xs.count)
        push(&out, xs.items[i++]);
    while (j < ys.count)
        push(&out, ys.items[j++]);
    free(xs.items);
    free(ys.items);
    return out;
}

static List sort(List xs)
{
    if (xs.count <= 1)
        return xs;
    size_t middle = xs.count / 2;
    List left = part(&xs, 0, middle), right = part(&xs, middle, xs.count);
    free(xs.items);
    left = sort(left);
    return merge(left, sort(right));
}

int main(int argc, char **argv)
{
    List xs = {0};
    size_t n = (size_t)amount(argc, argv);
    uint64_t x = 12345, digest = 0;
    for (size_t i = 0; i < n; i++)
        push(&xs, (int64_t)(x = next_number(x)));
    double began = cpu_seconds();
    xs = sort(xs);
    printf("cpu %.9f\n", cpu_seconds() - began);
    for (size_t i = 0; i < xs.count; i++)
        digest = (digest * 31 + (uint64_t)xs.items[i]) % 1000000007;
    printf("result %llu\n", (unsigned long long)digest);
    free(xs.items);
    return 0;
}
