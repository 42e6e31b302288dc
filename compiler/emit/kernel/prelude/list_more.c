static inline List *List_copy(Call *call, const List *l) { return List_of(call, l->len, l->at); }

static List *List_add(Call *call, const List *a, const List *b)
{
    List *l = List_copy(call, a);
    List_extend(call, l, b);
    return l;
}

static List *List_mul(Call *call, const List *a, int64_t n)
{
    int64_t len;
    n = n < 0 ? 0 : n;
    if (__builtin_mul_overflow(a->len, n, &len))
        fail(call, 0, "MemoryError: ");
    List *l = List_sized(call, len);
    for (int64_t i = 0; i < l->len; i++)
        l->at[i] = a->at[i % a->len];
    return l;
}

static inline void List_clear(List *l) { l->len = 0; }

static void List_reverse(List *l)
{
    for (int64_t i = 0, j = l->len - 1; i < j; i++, j--) {
        Item item = l->at[i];
        l->at[i] = l->at[j];
        l->at[j] = item;
    }
}

static inline int64_t clip(int64_t i, int64_t len)
{
    i = i < 0 ? i + len : i;
    return i < 0 ? 0 : i > len ? len : i;
}

static List *List_slice(Call *call, const List *l, int64_t first, int64_t last)
{
    first = clip(first, l->len);
    last = clip(last, l->len);
    return List_of(call, last > first ? last - first : 0, &l->at[first]);
}

// Puts other items in the place of some.
static void List_splice(Call *call, List *l, int64_t first, int64_t last, const List *with)
{
    first = clip(first, l->len);
    last = clip(last, l->len);
    last = last < first ? first : last;
    const List *items = with == l ? List_copy(call, with) : with;
    int64_t rest = l->len - last, len = first + items->len + rest;
    if (len > l->cap)
        List_room(call, l, len);
    if (rest > 0)
        memmove(&l->at[first + items->len], &l->at[last], (size_t)rest * sizeof(Item));
    if (items->len > 0)
        memcpy(&l->at[first], items->at, (size_t)items->len * sizeof(Item));
    l->len = len;
}

static double List_sum(const List *l, double start)
{
    for (int64_t i = 0; i < l->len; i++)
        start += l->at[i];
    return start;
}

// With the lost digits of each step kept apart.
static double List_fsum(const List *l, double sum)
{
    double lost = 0.0;
    for (int64_t i = 0; i < l->len; i++) {
        double x = l->at[i], next = sum + x;
        lost += fabs(sum) >= fabs(x) ? (sum - next) + x : (x - next) + sum;
        sum = next;
    }
    return isfinite(sum) ? sum + lost : sum;
}
