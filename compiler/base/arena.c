// arena.c - blocks from calloc, each twice the size of the one before, up to a limit.

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
#define ARENA_BLOCK_MAX ((size_t)16 << 20)
#define SMALL_PAGE ((uintptr_t)4096)
#define LARGE_PAGE ((size_t)2 << 20)

struct ArenaBlock {
    ArenaBlock *next;
    size_t size;                        // of the data
    _Alignas(16) char data[];
};

static _Noreturn void out_of_memory(void)
{
    fputs("pychoralc: out of memory\n", stderr);
    exit(70);
}

// The trees of a long program are walked again and again, and on small pages the processor spends
// a fifth of that time on finding the pages. It is advice: where there are none, nothing changes.
static void ask_for_large_pages(const ArenaBlock *b, size_t size)
{
#ifdef MADV_HUGEPAGE
    uintptr_t from = ((uintptr_t)b + SMALL_PAGE - 1) / SMALL_PAGE * SMALL_PAGE;
    if (size >= LARGE_PAGE)
        (void)madvise((void *)from, (uintptr_t)b + size - from, MADV_HUGEPAGE);
#else
    (void)b;
    (void)size;
#endif
}

static void open_block(Arena *a, size_t size)
{
    ArenaBlock *b = size > SIZE_MAX - sizeof *b ? NULL : calloc(1, sizeof *b + size);
    if (b == NULL)
        out_of_memory();
    ask_for_large_pages(b, size);
    if (a->blocks != NULL)
        a->used += (size_t)(a->at - a->blocks->data);
    b->size = size;
    b->next = a->blocks;
    a->blocks = b;
    a->at = b->data;
    a->end = b->data + size;
}

Arena *arena_new(void)
{
    Arena *a = calloc(1, sizeof *a);
    if (a == NULL)
        out_of_memory();
    open_block(a, ARENA_BLOCK);
    return a;
}

static void free_blocks(ArenaBlock *b)
{
    while (b != NULL) {
        ArenaBlock *next = b->next;
        ASAN_UNPOISON_MEMORY_REGION(b->data, b->size);
        free(b);
        b = next;
    }
}

void arena_free(Arena *a)
{
    if (a == NULL)
        return;
    arena_free(a->nodes);
    free_blocks(a->blocks);
    free(a);
}

// The current block is kept: it is the largest but for oversized requests.
void arena_reset(Arena *a)
{
    free_blocks(a->blocks->next);
    a->blocks->next = NULL;
    ASAN_UNPOISON_MEMORY_REGION(a->blocks->data, a->blocks->size);
    memset(a->blocks->data, 0, (size_t)(a->at - a->blocks->data));
    a->at = a->blocks->data;
    a->used = 0;
    arena_free(a->nodes);
    a->nodes = NULL;
}

void *arena_alloc_slow(Arena *a, size_t size)
{
    size_t next = a->blocks->size * 2;
    if (next > ARENA_BLOCK_MAX)
        next = ARENA_BLOCK_MAX;
    if (size > SIZE_MAX - 15 - ARENA_RED_ZONE)
        out_of_memory();
    size_t rounded = ((size + 15) & ~(size_t)15) + ARENA_RED_ZONE;
    open_block(a, rounded > next ? rounded : next);
    a->at += rounded;
    ASAN_POISON_MEMORY_REGION(a->blocks->data + size, rounded - size);
    return a->blocks->data;
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
