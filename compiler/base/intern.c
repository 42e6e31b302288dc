// intern.c - the name table: open addressing with linear probing, at most half full.

#include "compiler/base/intern.h"

#include <stdarg.h>
#include <stdint.h>

#ifndef INTERN_MIN
#define INTERN_MIN 1024                 // slots at the start; a power of two
#endif

typedef struct Slot { Sym sym; size_t len; uint64_t hash; } Slot;

struct Names {
    Arena *arena;
    Slot  *slots;
    size_t cap, len;
};

// FNV-1a: names are short.
static uint64_t hash_bytes(const char *s, size_t len)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)s[i]) * 1099511628211u;
    return h ^ h >> 32;
}

Names *names_new(Arena *a)
{
    Names *n = ARENA_NEW(a, Names);
    n->arena = a;
    n->cap = INTERN_MIN;
    n->slots = ARENA_ARRAY(a, Slot, n->cap);
    return n;
}

static void grow(Names *n)
{
    Slot *old = n->slots;
    size_t old_cap = n->cap;
    n->cap *= 2;
    n->slots = ARENA_ARRAY(n->arena, Slot, n->cap);
    for (size_t i = 0; i < old_cap; i++) {
        if (old[i].sym == NULL)
            continue;
        size_t at = old[i].hash & (n->cap - 1);
        while (n->slots[at].sym != NULL)
            at = (at + 1) & (n->cap - 1);
        n->slots[at] = old[i];
    }
}

Sym names_intern(Names *n, const char *s, size_t len)
{
    uint64_t hash = hash_bytes(s, len);
    size_t at = hash & (n->cap - 1);
    for (; n->slots[at].sym != NULL; at = (at + 1) & (n->cap - 1)) {
        const Slot *slot = &n->slots[at];
        if (slot->hash == hash && slot->len == len && memcmp(slot->sym, s, len) == 0)
            return slot->sym;
    }
    Sym sym = arena_strndup(n->arena, s, len);
    n->slots[at] = (Slot){sym, len, hash};
    if (++n->len * 2 > n->cap)
        grow(n);
    return sym;
}

Sym names_get(Names *n, const char *s)
{
    return names_intern(n, s, strlen(s));
}

Sym names_format(Names *n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vformat(n->arena, format, args);
    va_end(args);
    return names_get(n, text);
}

bool sym_in(SymList list, Sym name)
{
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i] == name)
            return true;
    return false;
}
