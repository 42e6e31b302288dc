// An object that holds cotangents, and what is added to it.
typedef struct Seed { char *to; const char *from; const Shape *shape; } Seed;

typedef struct Seeds {
    Call *call;
    size_t len, slots;
    Seed *all;
    size_t *table;              // place in `all` + 1, by the pair; 0: free
} Seeds;

static size_t *seeds_slot(const Seeds *s, const char *to, const char *from)
{
    uintptr_t key = ((uintptr_t)to / 16 * 31 + (uintptr_t)from / 16) * 0x9e3779b97f4a7c15u;
    size_t i = (size_t)(key >> 20) & (s->slots - 1);
    while (s->table[i] != 0 && (s->all[s->table[i] - 1].to != to
                                || s->all[s->table[i] - 1].from != from))
        i = (i + 1) & (s->slots - 1);
    return &s->table[i];
}

static void seeds_grow(Seeds *s)
{
    size_t slots = s->slots == 0 ? 32 : s->slots * 2;
    Seed *all = arena_take(s->call, slots / 2 * sizeof *all);
    if (s->len > 0)
        memcpy(all, s->all, s->len * sizeof *all);
    s->all = all;
    s->slots = slots;
    s->table = arena_take(s->call, slots * sizeof *s->table);
    memset(s->table, 0, slots * sizeof *s->table);
    for (size_t i = 0; i < s->len; i++)
        *seeds_slot(s, all[i].to, all[i].from) = i + 1;
}

// Each pair once.
static void seeds_note(Seeds *s, char *to, const char *from, const Shape *shape)
{
    if (to == NULL)
        return;
    if (from == NULL || shape_of(to, shape) != shape_of(from, shape))
        fail(s->call, 0, "ValueError: a cotangent is of another class than the value");
    if (s->len == s->slots / 2)
        seeds_grow(s);
    size_t *slot = seeds_slot(s, to, from);
    if (*slot != 0)
        return;
    s->all[s->len] = (Seed){to, from, shape_of(to, shape)};
    *slot = ++s->len;
}

static void seeds_add(Call *call, void *to, const void *from, const Shape *of)
{
    Seeds s = {.call = call};
    seeds_note(&s, to, from, of);
    for (size_t i = 0; i < s.len; i++) {
        Seed seed = s.all[i];
        size_t n = 1;
        if (seed.shape->list) {
            Items there, given;
            memcpy(&there, seed.to, sizeof there);
            memcpy(&given, seed.from, sizeof given);
            if (there.len != given.len)
                fail(call, 0, "ValueError: a cotangent has another length than the value");
            n = (size_t)there.len;
            seed.to = there.at;
            seed.from = given.at;
        }
        for (size_t j = 0; j < n * seed.shape->count; j++) {
            const Part *part = &seed.shape->parts[j % seed.shape->count];
            size_t place = j / seed.shape->count * seed.shape->size + part->offset;
            double sum, more;
            void *inner, *other;
            if (part->shape == NULL) {
                memcpy(&sum, seed.to + place, sizeof sum);
                memcpy(&more, seed.from + place, sizeof more);
                sum += more;
                memcpy(seed.to + place, &sum, sizeof sum);
                continue;
            }
            memcpy(&inner, seed.to + place, sizeof inner);
            memcpy(&other, seed.from + place, sizeof other);
            seeds_note(&s, inner, other, part->shape);
        }
    }
}
