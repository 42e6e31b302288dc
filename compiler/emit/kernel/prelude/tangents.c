// Copies of tangents, each beside the value that it belongs to: with the sharing of the values.
typedef struct Tangents {
    Maker maker;
    const void **of;                // the tangent of each of `maker.all`
    size_t cap;
} Tangents;

static void tangents_note(Tangents *t, size_t i, const void *tangent)
{
    if (t->cap < t->maker.cap) {
        const void **of = arena_take(t->maker.call, t->maker.cap * sizeof *of);
        if (t->cap > 0)
            memcpy(of, t->of, t->cap * sizeof *of);
        t->of = of;
        t->cap = t->maker.cap;
    }
    t->of[i] = tangent;
}

// The copy of the tangent of an object; what is in it is filled in later.
static void *tangents_copy(Tangents *t, const void *from, const void *tangent, const Shape *shape)
{
    Maker *m = &t->maker;
    size_t len = m->len;
    void *to = maker_copy(m, from, shape);
    if (from == NULL)
        return NULL;
    if (tangent == NULL || shape_of(tangent, shape) != shape_of(from, shape))
        fail(m->call, 0, "ValueError: a tangent is of another class than the argument");
    size_t i = *maker_slot(m, from) - 1;
    if (m->len > len)
        tangents_note(t, i, tangent);
    else if (t->of[i] != tangent)
        fail(m->call, 0, "ValueError: one object in the arguments has two tangents");
    return to;
}

static void tangents_fill(Tangents *t, size_t i)
{
    Copy copy = t->maker.all[i];
    const Shape *shape = copy.shape;
    char *at = copy.to;
    const char *from = copy.from, *tangent = t->of[i];
    size_t n = 1;
    memcpy(at, from, shape->list ? sizeof(Items) : shape->size);
    if (shape->list) {
        Items items, given;
        memcpy(&items, from, sizeof items);
        memcpy(&given, tangent, sizeof given);
        if (items.len != given.len)
            fail(t->maker.call, 0, "ValueError: a tangent has another length than the argument");
        n = (size_t)items.len;
        from = items.at;
        tangent = given.at;
        items = (Items){arena_take(t->maker.call, n * shape->size), items.len, items.len};
        memcpy(at, &items, sizeof items);
        at = items.at;
        if (n > 0)
            memcpy(at, from, n * shape->size);
    }
    for (size_t j = 0; j < n * shape->count; j++) {
        const Part *part = &shape->parts[j % shape->count];
        size_t place = j / shape->count * shape->size + part->offset;
        void *inner, *other;
        if (part->shape == NULL) {
            memcpy(at + place, tangent + place, sizeof(double));
            continue;
        }
        memcpy(&inner, from + place, sizeof inner);
        memcpy(&other, tangent + place, sizeof other);
        inner = tangents_copy(t, inner, other, part->shape);
        memcpy(at + place, &inner, sizeof inner);
    }
}

static void tangents_finish(Tangents *t)
{
    for (size_t i = 0; i < t->maker.len; i++)
        tangents_fill(t, i);
}
