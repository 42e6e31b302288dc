// In front of a twin that a caller holds: its memory, and its objects.
typedef struct Twins {
    Block *blocks;
    size_t len;
    Copy *all;
} Twins;

// NULL if there is no memory. With zeros for the floats, or the data themselves.
static void *twins_made(const void *from, const Shape *shape, bool zeros)
{
    Call call = {0};
    jmp_buf failed;
    const Shape *const of = from == NULL ? shape : shape_of(from, shape);
    call.failing = &failed;
    if (from == NULL || setjmp(failed) != 0) {
        blocks_free(&call);
        return NULL;
    }
    Maker m = {.call = &call, .zeros = zeros};
    maker_grow(&m);
    Twins *twins = arena_take(&call, sizeof *twins + sizeof(Items) + of->size);
    m.all[0] = (Copy){from, twins + 1, NULL, of};
    m.len = *maker_slot(&m, from) = 1;
    maker_finish(&m);
    *twins = (Twins){call.blocks, m.len, m.all};
    return twins + 1;
}

static void *twins_new(const void *from, const Shape *shape)
{
    return twins_made(from, shape, true);
}

static void twins_free(void *twin)
{
    Call call = {0};
    if (twin != NULL) {
        call.blocks = ((Twins *)twin - 1)->blocks;
        blocks_free(&call);
    }
}

// Sets its floats to 0 again, in lists as long as they were.
static void twins_clear(void *twin)
{
    const Twins *twins = twin == NULL ? NULL : (Twins *)twin - 1;
    for (size_t i = 0; twins != NULL && i < twins->len; i++) {
        const Copy *copy = &twins->all[i];
        const Shape *shape = copy->shape;
        char *at = copy->to;
        size_t n = 1;
        if (shape->list) {
            Items items;
            memcpy(&items, copy->from, sizeof items);
            n = (size_t)items.len;
            items = (Items){copy->items, items.len, items.len};
            memcpy(at, &items, sizeof items);
            at = copy->items;
        }
        for (size_t j = 0; j < n; j++, at += shape->size)
            for (size_t p = 0; p < shape->count; p++)
                if (shape->parts[p].shape == NULL)
                    *(double *)(at + shape->parts[p].offset) = 0.0;
    }
}

static void *saved_new(const void *from, const Shape *shape)
{
    void *made = twins_made(from, shape, false);
    if (made == NULL)
        own_call.error = "MemoryError: ";
    return made;
}
