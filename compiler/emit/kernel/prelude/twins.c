// Neighbours of one shape: objects, or the items of a list, which is given as many again.
typedef struct Run {
    char *at;
    size_t len, stride;
    const Shape *shape;
    void *list;                     // NULL: objects
} Run;

// In front of a twin that a caller holds: its memory, and what is in it.
typedef struct Twins {
    Block *blocks;
    size_t len;
    Run *runs;
} Twins;

static size_t runs_find(const Maker *m, Run *runs)
{
    size_t len = 0;
    for (size_t i = 0; i < m->len; i++) {
        const Copy *copy = &m->all[i];
        Run *last = len > 0 ? &runs[len - 1] : NULL;
        Items items = {copy->to, 1, 1};
        if (copy->shape->list) {
            memcpy(&items, copy->to, sizeof items);
        } else if (last != NULL && last->shape == copy->shape
                   && last->at + last->len * last->stride == (char *)copy->to) {
            last->len++;
            continue;
        }
        size_t stride = copy->shape->list ? copy->shape->size : arena_size(copy->shape->size);
        void *list = copy->shape->list ? copy->to : NULL;
        runs[len++] = (Run){items.at, (size_t)items.len, stride, copy->shape, list};
    }
    return len;
}

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
    m.all[0] = (Copy){from, twins + 1, of};
    m.len = *maker_slot(&m, from) = 1;
    maker_finish(&m);
    Run *runs = arena_take(&call, m.len * sizeof *runs);
    *twins = (Twins){NULL, runs_find(&m, runs), runs};
    twins->blocks = call.blocks;
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

static void run_clear(const Run *run)
{
    enum { NEAR = 256 };            // what a pass over one part of each leaves in the cache
    for (size_t from = 0; from < run->len; from += NEAR) {
        size_t n = run->len - from < NEAR ? run->len - from : NEAR;
        for (size_t p = 0; p < run->shape->count; p++) {
            char *at = run->at + from * run->stride + run->shape->parts[p].offset;
            for (size_t i = 0; i < n && run->shape->parts[p].shape == NULL; i++)
                *(double *)(at + i * run->stride) = 0.0;
        }
    }
}

// Sets its floats to 0 again, in lists as long as they were.
static void twins_clear(void *twin)
{
    const Twins *twins = twin == NULL ? NULL : (Twins *)twin - 1;
    for (size_t i = 0; twins != NULL && i < twins->len; i++) {
        const Run *run = &twins->runs[i];
        Items items = {run->at, (int64_t)run->len, (int64_t)run->len};
        if (run->list != NULL)
            memcpy(run->list, &items, sizeof items);
        run_clear(run);
    }
}

static void *saved_new(const void *from, const Shape *shape)
{
    void *made = twins_made(from, shape, false);
    if (made == NULL)
        own_call.error = "MemoryError: ";
    return made;
}
