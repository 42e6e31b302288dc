// qualified.h - names of one module within a program of several.
//
// When modules are linked (pass/link.c), what a module binds is named MODULE + QUALIFIER + NAME, so
// that no name of one is a name of another. No Python source can hold the qualifier in a name, and
// a string that holds it is printed with an escape, so generated text is cut at it without parsing.
// Messages and dumps show a dot.

#ifndef PYCHORAL_QUALIFIED_H
#define PYCHORAL_QUALIFIED_H

#include <string.h>

#define QUALIFIER "\xee\x80\x80"        // U+E000, for private use

// The name as its own module has it.
static inline const char *unqualified(const char *name)
{
    const char *at = name ? strstr(name, QUALIFIER) : NULL;
    return at ? at + strlen(QUALIFIER) : name;
}

// For people: a dot in place of the qualifier. Changes the text and gives it.
static inline char *qualified_show(char *text)
{
    size_t len = strlen(QUALIFIER);
    for (char *at = text; (at = strstr(at, QUALIFIER)) != NULL; at++) {
        *at = '.';
        memmove(at + 1, at + len, strlen(at + len) + 1);
    }
    return text;
}

#endif
