// intern.h - names: one pointer per spelling, so that `==` is equality of names.
//
// A Sym is a NUL-terminated UTF-8 string owned by its table. It never contains a NUL byte.

#ifndef PYCHORAL_INTERN_H
#define PYCHORAL_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "compiler/base/arena.h"

typedef const char *Sym;
typedef struct SymList { const Sym *at; size_t len; } SymList;
typedef struct Names Names;

Names *names_new(Arena *a);             // lives and dies with the arena
Sym    names_intern(Names *n, const char *s, size_t len);    // s has no NUL byte
Sym    names_get(Names *n, const char *s);                   // intern a C string
Sym    names_format(Names *n, const char *format, ...)       // intern a formatted string
       __attribute__((format(printf, 2, 3)));

bool   sym_in(SymList list, Sym name);

// Compares a name with a spelling that is known when the compiler is built. Most differ at once.
static inline bool sym_is(Sym s, const char *text)
{
    return s != NULL && s[0] == text[0] && strcmp(s, text) == 0;
}

// The same with several, of which the last is NULL.
static inline bool sym_is_one_of(Sym s, const char *const *texts)
{
    for (; *texts != NULL; texts++)
        if (sym_is(s, *texts))
            return true;
    return false;
}

#endif
