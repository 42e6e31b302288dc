static void memory_free(void *of)
{
    Call *call = of;
    blocks_free(call); //? Block
    segments_free(call); //? Tape
    stacks_free(call); //? Stack
    call->known = false;
}

static pthread_key_t memory_key;

static void memory_key_new(void) { pthread_key_create(&memory_key, memory_free); }

static pthread_once_t memory_once = PTHREAD_ONCE_INIT;

// What a thread keeps goes when it ends.
static void memory_keep(Call *call)
{
    if (call->known)
        return;
    pthread_once(&memory_once, memory_key_new);
    call->known = pthread_setspecific(memory_key, call) == 0;
}

// Objects live in an arena until the next call.
typedef struct Block {
    struct Block *next;
    size_t size;
    max_align_t at[];
} Block;

static void blocks_free(Call *call)
{
    for (Block *b = call->blocks, *next; b != NULL; b = next) {
        next = b->next;
        free(b);
    }
    call->blocks = NULL;
}

static void arena_reset(Call *call)
{
    call->block = NULL;
    call->at = call->end = NULL;
}

static COLD void *arena_more(Call *call, size_t size)
{
    Block **to = call->block == NULL ? &call->blocks : &call->block->next;
    if (*to == NULL || (*to)->size < size) {
        size_t least = (size_t)1 << 16, room = size > least ? size : least;
        if (call->block != NULL && call->block->size > room / 2)
            room = size > call->block->size ? size : call->block->size * 2;
        Block *b = room > SIZE_MAX / 2 ? NULL : malloc(sizeof *b + room);
        if (b == NULL)
            fail(call, 0, "MemoryError: ");
        b->next = *to;
        b->size = room;
        *to = b;
    }
    call->block = *to;
    call->at = (char *)call->block->at + size;
    call->end = (char *)call->block->at + call->block->size;
    return call->block->at;
}

static inline size_t arena_size(size_t size) { return (size + 7) & ~(size_t)7; }

static inline void *arena_take(Call *call, size_t size)
{
    size = arena_size(size);
    if (unlikely((size_t)(call->end - call->at) < size))
        return arena_more(call, size);
    void *p = call->at;
    call->at += size;
    return p;
}
