// for SLOTS
#define SLOTS(type) ((sizeof(type) + sizeof(double) - 1) / sizeof(double) * sizeof(double))

typedef struct Segment {
    struct Segment *below, *above;
    char *top, *end;
    max_align_t at[];
} Segment;

// What the way back will read: a stack in segments; no push straddles two.
typedef struct Tape {
    char *top, *at, *end;       // of the present segment
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

static void tape_enter(Tape *tape, Segment *s)
{
    tape->segment = s;
    tape->top = tape->at = (char *)s->at;
    tape->end = s->end;
}

static void tape_reset(Tape *tape)
{
    if (tape->first != NULL)
        tape_enter(tape, tape->first);
}

static COLD void tape_grow(Call *call, size_t size)
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
        tape->segment->top = tape->top;
    tape_enter(tape, next);
}

static inline void *tape_push(Call *call, size_t size)
{
    if (unlikely((size_t)(call->tape.end - call->tape.top) < size))
        tape_grow(call, size);
    void *p = call->tape.top;
    call->tape.top += size;
    return p;
}

static COLD void tape_back(Tape *tape)
{
    Segment *below = tape->segment->below;
    tape_enter(tape, below);
    tape->top = below->top;
}

// Of what was pushed in parts, some may be in the segment below.
static COLD void *tape_gather(Tape *tape, size_t size)
{
    for (size_t left = size; left > 0; left -= sizeof(double)) {
        while (tape->top == tape->at)
            tape_back(tape);
        tape->top -= sizeof(double);
        memcpy((char *)tape->spare + left - sizeof(double), tape->top, sizeof(double));
    }
    return tape->spare;
}

static inline void *tape_pop(Call *call, size_t size)
{
    if (unlikely((size_t)(call->tape.top - call->tape.at) < size))
        return tape_gather(&call->tape, size);
    return call->tape.top -= size;
}

// The room of all rounds of a loop, for the way there; NULL if there are none.
static inline void *tape_take(Call *call, int64_t rounds, size_t size)
{
    size_t all;
    if (__builtin_mul_overflow((size_t)rounds, size, &all))
        fail(call, 0, "MemoryError: ");
    return all == 0 ? NULL : tape_push(call, all);
}

// The same room, for the way back.
static inline void *tape_give(Call *call, int64_t rounds, size_t size)
{
    size_t all = (size_t)rounds * size;
    if (all == 0)
        return NULL;
    while (call->tape.top == call->tape.at)
        tape_back(&call->tape);
    return call->tape.top -= all;
}
