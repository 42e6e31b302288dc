// arena.c - blocks, each twice the size of the one before, up to a limit.
//
// A page that the system gives costs more than all that is written to it later, so the blocks of an
// arena that lies within another are used again. They are zeroed piece by piece, just before they
// are handed out.

#define _DEFAULT_SOURCE         // madvise

#include "compiler/base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef ARENA_BLOCK
#define ARENA_BLOCK 4096                // of the first block
#endif
#define ARENA_BLOCK_MAX ((size_t)4 << 20)
#define PIECE ((size_t)64 << 10)        // what is zeroed at once
#define LARGE_PAGE ((size_t)2 << 20)

struct ArenaBlock {
    ArenaBlock *next;
    size_t size;                        // of the data
    size_t dirty;                       // so much of them may have been written to
    bool large;                         // it is not from calloc
    _Alignas(16) char data[];
};

static _Noreturn void out_of_memory(void)
{
    fputs("pychoralc: out of memory\n", stderr);
    exit(70);
}

// The trees of a long program are walked again and again, and on small pages the processor spends
// a fifth of that time on finding the pages. It is advice: where there are none, nothing changes.
static void *large_pages(size_t size)
{
    char *all = mmap(NULL, size + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                     -1, 0);
    if (all == MAP_FAILED)
        out_of_memory();
    size_t before = -(uintptr_t)all % LARGE_PAGE;
    if (before > 0)
        munmap(all, before);
    munmap(all + before + size, LARGE_PAGE - before);
#ifdef MADV_HUGEPAGE
    (void)madvise(all + before, size, MADV_HUGEPAGE);
#endif
    return all + before;
}

static ArenaBlock *fresh_block(size_t wanted)
{
    size_t size = sizeof(ArenaBlock) + wanted;
    bool large = size > LARGE_PAGE;
    if (large)
        size = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    ArenaBlock *b = large ? large_pages(size) : calloc(1, size);
    if (b == NULL)
        out_of_memory();
    b->size = size - sizeof *b;
    b->large = large;
    return b;
}

static Arena *outermost(Arena *a)
{
    while (a->around != NULL)
        a = a->around;
    return a;
}

static ArenaBlock *spare_block(Arena *a, size_t size)
{
    ArenaBlock **link = &outermost(a)->spare;
    while (*link != NULL && (*link)->size < size)
        link = &(*link)->next;
    ArenaBlock *b = *link;
    if (b != NULL)
        *link = b->next;
    return b;
}

static void note_dirty(Arena *a)
{
    size_t written = (size_t)(a->at - a->blocks->data);
    if (written > a->blocks->dirty)
        a->blocks->dirty = written;
}

// Goes on in the current block, with at least `size` bytes more.
static void zero_piece(Arena *a, size_t size)
{
    ArenaBlock *b = a->blocks;
    size_t from = (size_t)(a->end - b->data), to = from + (size > PIECE ? size : PIECE);
    if (to > b->dirty)
        to = b->size;
    ASAN_UNPOISON_MEMORY_REGION(a->end, to - from);
    if (b->dirty > from)
        memset(a->end, 0, (to < b->dirty ? to : b->dirty) - from);
    a->end = b->data + to;
}

static void begin_block(Arena *a, ArenaBlock *b, ArenaBlock *next)
{
    b->next = next;
    a->blocks = b;
    a->at = a->end = b->data;
    zero_piece(a, 0);
}

static void open_block(Arena *a, size_t least, size_t wanted)
{
    ArenaBlock *b = spare_block(a, least);
    if (a->blocks != NULL) {
        note_dirty(a);
        a->used += (size_t)(a->at - a->blocks->data);
    }
    begin_block(a, b != NULL ? b : fresh_block(wanted), a->blocks);
}

Arena *arena_within(Arena *around)
{
    Arena *a = calloc(1, sizeof *a);
    if (a == NULL)
        out_of_memory();
    a->around = around;
    open_block(a, ARENA_BLOCK, ARENA_BLOCK);
    return a;
}

Arena *arena_new(void)
{
    return arena_within(NULL);
}

static void spare_blocks(Arena *a, ArenaBlock *blocks)
{
    ArenaBlock **end = &blocks;
    for (; *end != NULL; end = &(*end)->next)
        ASAN_POISON_MEMORY_REGION((*end)->data, (*end)->size);
    *end = outermost(a)->spare;
    outermost(a)->spare = blocks;
}

static void free_blocks(ArenaBlock *b)
{
    while (b != NULL) {
        ArenaBlock *next = b->next;
        ASAN_UNPOISON_MEMORY_REGION(b->data, b->size);
        if (b->large)
            munmap(b, sizeof *b + b->size);
        else
            free(b);
        b = next;
    }
}

void arena_free(Arena *a)
{
    if (a == NULL)
        return;
    arena_free(a->nodes);
    note_dirty(a);
    spare_blocks(a, a->blocks);
    free_blocks(a->spare);
    free(a);
}

void arena_reset(Arena *a)
{
    arena_free(a->nodes);
    a->nodes = NULL;
    note_dirty(a);
    spare_blocks(a, a->blocks->next);
    ASAN_POISON_MEMORY_REGION(a->blocks->data, a->blocks->size);
    begin_block(a, a->blocks, NULL);
    a->used = 0;
}

// In blocks that were spare there may be much already.
static size_t block_size(const Arena *a, size_t least)
{
    size_t wanted = a->blocks->size > a->used ? a->blocks->size * 2 : a->used * 2;
    wanted = wanted < ARENA_BLOCK_MAX ? wanted : ARENA_BLOCK_MAX - sizeof(ArenaBlock);
    return wanted > least ? wanted : least;
}

void *arena_alloc_slow(Arena *a, size_t size)
{
    if (size > SIZE_MAX / 2)
        out_of_memory();
    size_t rounded = ((size + 15) & ~(size_t)15) + ARENA_RED_ZONE;
    if (rounded > a->blocks->size - (size_t)(a->at - a->blocks->data))
        open_block(a, rounded, block_size(a, rounded));
    if (rounded > (size_t)(a->end - a->at))
        zero_piece(a, rounded);
    char *p = a->at;
    a->at += rounded;
    ASAN_POISON_MEMORY_REGION(p + size, rounded - size);
    return p;
}

char *arena_strndup(Arena *a, const char *s, size_t len)
{
    char *copy = arena_alloc(a, len + 1);
    if (len > 0)
        memcpy(copy, s, len);
    return copy;
}

static size_t put_decimal(char *out, unsigned number)
{
    char digits[10];
    size_t len = 0;
    do
        digits[len++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    for (size_t i = 0; i < len; i++)
        out[i] = digits[len - 1 - i];
    return len;
}

// A short text of %s, %u and %c, which nearly all are, without the machinery of printf. -1: it is
// not such a text.
static int format_short(char *out, size_t size, const char *format, va_list args)
{
    enum { LONGEST_NUMBER = 10 };
    size_t len = 0;
    for (; *format != '\0' && len + LONGEST_NUMBER < size; format++) {
        if (*format != '%') {
            out[len++] = *format;
            continue;
        }
        const char *part;
        switch (*++format) {
        case 'c': out[len++] = (char)va_arg(args, int); break;
        case 'u': len += put_decimal(out + len, va_arg(args, unsigned)); break;
        case 's':
            for (part = va_arg(args, const char *); part && *part && len < size; part++)
                out[len++] = *part;
            if (part == NULL || len == size)
                return -1;
            break;
        default: return -1;
        }
    }
    return *format == '\0' ? (int)len : -1;
}

char *arena_vformat(Arena *a, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    char few[256];                      // most texts are short
    int len = format_short(few, sizeof few, format, args);
    if (len < 0) {
        va_list measured;
        va_copy(measured, again);
        len = vsnprintf(few, sizeof few, format, measured);
        va_end(measured);
    }
    char *text = arena_alloc(a, len < 0 ? 1 : (size_t)len + 1);
    if (len > 0 && (size_t)len < sizeof few)
        memcpy(text, few, (size_t)len);
    else if (len > 0)
        vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    return text;
}

size_t arena_used(const Arena *a)
{
    return a->used + (size_t)(a->at - a->blocks->data) + (a->nodes ? arena_used(a->nodes) : 0);
}
