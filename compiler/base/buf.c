// buf.c - text output that grows by doubling inside an arena.

#include "compiler/base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/base/arena.h"

Buf buf_new(Arena *a)
{
    return (Buf){.arena = a};
}

// Makes room for `more` bytes and a NUL.
static void reserve(Buf *b, size_t more)
{
    if (b->cap - b->len > more)
        return;
    size_t cap = b->cap == 0 ? 256 : b->cap;
    while (cap - b->len <= more)
        cap *= 2;
    char *at = arena_alloc(b->arena, cap);
    if (b->len > 0)
        memcpy(at, b->at, b->len);
    b->at = at;
    b->cap = cap;
}

static void append(Buf *b, const char *s, size_t len)
{
    reserve(b, len);
    memcpy(b->at + b->len, s, len);
    b->len += len;
    b->at[b->len] = '\0';
}

static void append_indent(Buf *b)
{
    for (int i = 0; i < b->indent; i++)
        append(b, "    ", 4);
}

void buf_raw(Buf *b, const char *s, size_t len)
{
    if (len == 0)
        return;
    append(b, s, len);
    b->mid_line = s[len - 1] != '\n';
}

// An empty line gets no indentation.
void buf_write(Buf *b, const char *s, size_t len)
{
    while (len > 0) {
        const char *newline = memchr(s, '\n', len);
        size_t part = newline != NULL ? (size_t)(newline + 1 - s) : len;
        if (!b->mid_line && *s != '\n')
            append_indent(b);
        append(b, s, part);
        b->mid_line = newline == NULL;
        s += part;
        len -= part;
    }
}

void buf_puts(Buf *b, const char *s)
{
    buf_write(b, s, strlen(s));
}

void buf_putc(Buf *b, char c)
{
    buf_write(b, &c, 1);
}

void buf_line(Buf *b, const char *s)
{
    for (; *s; s++)
        buf_putc(b, (unsigned char)*s < ' ' || *s == 127 ? '?' : *s);
}

void buf_printf(Buf *b, const char *format, ...)
{
    char few[256];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(few, sizeof few, format, args);
    if (len >= 0 && (size_t)len < sizeof few)
        buf_write(b, few, (size_t)len);
    else
        buf_puts(b, arena_vformat(b->arena, format, again));
    va_end(again);
    va_end(args);
}

const char *buf_text(Buf *b)
{
    reserve(b, 0);
    return b->at;
}
