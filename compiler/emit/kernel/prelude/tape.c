// for SLOTS
#define SLOTS(type) ((sizeof(type) + sizeof(double) - 1) / sizeof(double) * sizeof(double))

typedef struct Segment {
    struct Segment *below, *above;
    char *top, *end;
    max_align_t at[];
} Segment;

// What the way back will read: a stack in segments; no push straddles two. Where its top is, the
// functions that use it hand to each other: `top`.
typedef struct Tape {
    char *at, *end;             // of the present segment
    Segment *first, *segment;
    double spare[8];            // what was popped from two segments at once
} Tape;

static void segments_free(Call *call)
{
    for (Segment *s = call->tape.first, *above; s != NULL; s = above) {
        above = s->above;
        free(s);
    }
    call->tape = (Tape){0};
}

static char *tape_enter(Tape *tape, Segment *s)
{
    tape->segment = s;
    tape->end = s->end;
    return tape->at = (char *)s->at;
}

static void tape_reset(Tape *tape)
{
    if (tape->first != NULL)
        tape_enter(tape, tape->first);
}

static COLD char *tape_grow(Call *call, char *top, size_t size)
{
    Tape *tape = &call->tape;
    Segment **to = tape->segment == NULL ? &tape->first : &tape->segment->above, *next = *to;
    if (next == NULL || (size_t)(next->end - (char *)next->at) < size) {
        size_t least = (size_t)1 << 20, room = size > least ? size : least;
        Segment *s = room > SIZE_MAX / 2 ? NULL : malloc(sizeof *s + room);
        if (s == NULL)
            fail(call, 0, "MemoryError: ");
        *s = (Segment){.below = tape->segment, .above = next, .end = (char *)s->at + room};
        if (next != NULL)
            next->below = s;
        next = *to = s;
    }
    if (tape->segment != NULL)
        tape->segment->top = top;
    return tape_enter(tape, next);
}

static inline void *tape_push(Call *call, char **top, size_t size)
{
    if (unlikely((size_t)(call->tape.end - *top) < size))
        *top = tape_grow(call, *top, size);
    void *p = *top;
    *top += size;
    return p;
}

static COLD char *tape_back(Tape *tape)
{
    Segment *below = tape->segment->below;
    tape_enter(tape, below);
    return below->top;
}

// Of what was pushed in parts, some may be in the segment below.
static COLD char *tape_gather(Tape *tape, char *top, size_t size)
{
    for (size_t left = size; left > 0; left -= sizeof(double)) {
        while (top == tape->at)
            top = tape_back(tape);
        top -= sizeof(double);
        memcpy((char *)tape->spare + left - sizeof(double), top, sizeof(double));
    }
    return top;
}

static inline void *tape_pop(Call *call, char **top, size_t size)
{
    if (unlikely((size_t)(*top - call->tape.at) < size)) {
        *top = tape_gather(&call->tape, *top, size);
        return call->tape.spare;
    }
    return *top -= size;
}

// The room of all rounds of a loop, for the way there; NULL if there are none.
static inline void *tape_take(Call *call, char **top, int64_t rounds, size_t size)
{
    size_t all;
    if (__builtin_mul_overflow((size_t)rounds, size, &all))
        fail(call, 0, "MemoryError: ");
    return all == 0 ? NULL : tape_push(call, top, all);
}

// The same room, for the way back.
static inline void *tape_give(Call *call, char **top, int64_t rounds, size_t size)
{
    size_t all = (size_t)rounds * size;
    if (all == 0)
        return NULL;
    while (*top == call->tape.at)
        *top = tape_back(&call->tape);
    return *top -= all;
}
