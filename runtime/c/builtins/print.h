// print.h - print, input.

#ifndef PYCHORAL_PRINT_H
#define PYCHORAL_PRINT_H

#include "textio.h"

// print(*values, sep=, end=, file=, flush=): NULL stands for None. Raises what str(value) raises,
// UnicodeEncodeError for surrogates, OSError.
void pychoral_print(size_t count, const PychoralRef *values, const PychoralStr *sep,
                    const PychoralStr *end, PychoralTextIO *file, bool flush);

// print(value, ..), where each is given as {row, address}.
#define PYCHORAL_PRINT(...)                                                                       \
    pychoral_print(sizeof((PychoralRef[]){__VA_ARGS__}) / sizeof(PychoralRef),                    \
                   (PychoralRef[]){__VA_ARGS__}, NULL, NULL, NULL, false)

// print(*items, ..): `items` is a list of objects.
void pychoral_print_items(const PychoralList *items, const PychoralStr *sep, const PychoralStr *end,
                          PychoralTextIO *file, bool flush);

// input(prompt): prompt.type NULL: none. Raises EOFError. Durable roles have the line again.
PychoralStr *pychoral_input(PychoralRef prompt);

// Text to standard output. False: it raised.
bool pychoral_print_text(const char *text, size_t size);

// Sees to it that what was printed is written. Raises OSError.
void pychoral_print_flush(void);

// A line with str(value) on standard error.
void pychoral_print_to_stderr(PychoralRef value);

#endif
