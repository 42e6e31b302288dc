static List *List_sized(Call *call, int64_t len)
{
    size_t bytes;
    if (__builtin_mul_overflow((size_t)len, sizeof(Item), &bytes))
        fail(call, 0, "MemoryError: ");
    List *l = arena_take(call, sizeof *l);
    *l = (List){.at = arena_take(call, bytes), .len = len, .cap = len};
    return l;
}

static List *List_of(Call *call, int64_t len, Item const *items)
{
    List *l = List_sized(call, len);
    if (len > 0)
        memcpy(l->at, items, (size_t)len * sizeof(Item));
    return l;
}

// The item at a place, which may be counted from the end.
static inline Item *List_place(Call *call, int line, const List *l, int64_t i, const char *outside)
{
    if (i < 0)
        i += l->len;
    if (unlikely((uint64_t)i >= (uint64_t)l->len))
        fail(call, line, outside);
    return &l->at[i];
}

static inline Item *List_at(Call *call, int line, const List *l, int64_t i)
{
    return List_place(call, line, l, i, "IndexError: list index out of range");
}

// The place that a statement assigns or deletes.
static inline Item *List_target(Call *call, int line, const List *l, int64_t i)
{
    return List_place(call, line, l, i, "IndexError: list assignment index out of range");
}

static COLD void List_room(Call *call, List *l, int64_t len)
{
    int64_t cap = len < 4 ? 4 : len > INT64_MAX / 4 ? INT64_MAX : len * 2;
    size_t bytes;
    if (__builtin_mul_overflow((size_t)cap, sizeof(Item), &bytes))
        fail(call, 0, "MemoryError: ");
    Item *at = arena_take(call, bytes);
    if (l->len > 0)
        memcpy(at, l->at, (size_t)l->len * sizeof(Item));
    l->at = at;
    l->cap = cap;
}

static inline void List_append(Call *call, List *l, Item item)
{
    if (unlikely(l->len == l->cap))
        List_room(call, l, l->len + 1);
    l->at[l->len++] = item;
}

static inline Item List_pop(Call *call, int line, List *l)
{
    if (unlikely(l->len == 0))
        fail(call, line, "IndexError: pop from empty list");
    return l->at[--l->len];
}

static Item List_pop_at(Call *call, int line, List *l, int64_t i)
{
    if (l->len == 0)
        fail(call, line, "IndexError: pop from empty list");
    if (i < 0)
        i += l->len;
    if ((uint64_t)i >= (uint64_t)l->len)
        fail(call, line, "IndexError: pop index out of range");
    Item item = l->at[i];
    memmove(&l->at[i], &l->at[i + 1], (size_t)(l->len - i - 1) * sizeof(Item));
    l->len--;
    return item;
}

static inline void List_delete(Call *call, int line, List *l, int64_t i)
{
    i = List_target(call, line, l, i) - l->at;
    memmove(&l->at[i], &l->at[i + 1], (size_t)(l->len - i - 1) * sizeof(Item));
    l->len--;
}

static void List_insert(Call *call, List *l, int64_t i, Item item)
{
    i = i < 0 ? i + l->len : i;
    i = i < 0 ? 0 : i > l->len ? l->len : i;
    List_append(call, l, item);
    memmove(&l->at[i + 1], &l->at[i], (size_t)(l->len - i - 1) * sizeof(Item));
    l->at[i] = item;
}

static void List_extend(Call *call, List *l, const List *more)
{
    int64_t n = more->len;
    if (l->cap - l->len < n)
        List_room(call, l, l->len + n);
    if (n > 0)
        memcpy(&l->at[l->len], more->at, (size_t)n * sizeof(Item));
    l->len += n;
}
