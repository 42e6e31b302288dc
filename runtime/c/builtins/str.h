// str.h - Python's str: UTF-8 with a flag for ASCII, seen as a sequence of code points.
//
// A place in ASCII text is an offset. For other text that is long, a table of where each 64th
// character stands is made at the first question (`places`), so that indexing takes constant time;
// constants, which threads may share, are counted through instead.
//
// Places (`start`, `end`, `stop`) are those of Python: negative ones count from the end, and they
// are clipped. A missing start is 0, a missing end INT64_MAX; in slices with a negative step
// INT64_MAX and INT64_MIN. `row` is the row of the result.

#ifndef PYCHORAL_STR_H
#define PYCHORAL_STR_H

#include <string.h>

#include "object.h"
#include "table.h"

extern PychoralStr pychoral_empty_str;
extern PychoralStr pychoral_ascii_chars[128];

// ---- as a sequence ----

// len(s) of text that is not ASCII, and s[index] wherever it is not the simplest case.
size_t pychoral_str_characters(const PychoralStr *s);
PychoralStr *pychoral_str_at_any(const PychoralStr *s, int64_t index);

static inline bool pychoral_str_is_ascii(const PychoralStr *s)
{
    return s->head.flags & PYCHORAL_ASCII;
}

static inline int64_t pychoral_str_len(const PychoralStr *s)
{
    return (int64_t)(pychoral_str_is_ascii(s) ? s->size : pychoral_str_characters(s));
}

// s[index]. Raises IndexError.
static inline PychoralStr *pychoral_str_at(const PychoralStr *s, int64_t index)
{
    if (pychoral_str_is_ascii(s) && (uint64_t)index < s->size)
        return &pychoral_ascii_chars[(unsigned char)s->data[index]];
    return pychoral_str_at_any(s, index);
}

// s[start:stop:step]. Raises ValueError for step 0.
PychoralStr *pychoral_str_slice(const PychoralStr *s, int64_t start, int64_t stop, int64_t step);

// The character at offset *at, which moves behind it; false at the end. For loops over s.
static inline bool pychoral_str_next(const PychoralStr *s, size_t *at, PychoralStr **character);
PychoralStr *pychoral_str_step(const PychoralStr *s, size_t *at);

PychoralIterator *pychoral_str_iter(const PychoralStr *s);

// Where character `place` (0 to the number of characters) stands, and which character stands at
// an offset.
size_t pychoral_str_offset(const PychoralStr *s, size_t place);
size_t pychoral_str_place(const PychoralStr *s, size_t offset);

// Comparisons, of bytes, too.
static inline bool pychoral_str_eq(const PychoralStr *a, const PychoralStr *b)
{
    return a == b || (a->size == b->size && memcmp(a->data, b->data, a->size) == 0);
}

// Below, at or above 0 as a < b, a == b, a > b. The order of UTF-8 is that of characters.
static inline int pychoral_str_compare(const PychoralStr *a, const PychoralStr *b)
{
    int order = memcmp(a->data, b->data, a->size < b->size ? a->size : b->size);
    return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

#define PYCHORAL_STR_COMPARISON(name, test)                                                       \
    static inline bool pychoral_str_##name(const PychoralStr *a, const PychoralStr *b)            \
    {                                                                                             \
        return test;                                                                              \
    }
PYCHORAL_STR_COMPARISON(ne, !pychoral_str_eq(a, b))
PYCHORAL_STR_COMPARISON(lt, pychoral_str_compare(a, b) < 0)
PYCHORAL_STR_COMPARISON(le, pychoral_str_compare(a, b) <= 0)
PYCHORAL_STR_COMPARISON(gt, pychoral_str_compare(a, b) > 0)
PYCHORAL_STR_COMPARISON(ge, pychoral_str_compare(a, b) >= 0)
#undef PYCHORAL_STR_COMPARISON

// part in s.
bool pychoral_str_contains(const PychoralStr *s, const PychoralStr *part);

// ---- putting together ----

// a + b.
PychoralStr *pychoral_str_add(const PychoralStr *a, const PychoralStr *b);

// All parts, one behind the other: f-strings.
PychoralStr *pychoral_concat(size_t count, const PychoralStr *const *parts);

// s += right, in place where *s is nobody else's: *s is an owned reference and stays one. n times
// this takes time in proportion to what is written, as room grows by doubling.
void pychoral_str_append(PychoralStr **s, const PychoralStr *right);

// s * times. Raises OverflowError and MemoryError.
PychoralStr *pychoral_str_repeat(const PychoralStr *s, int64_t times);

// Raises what the iterator raises.
PychoralStr *pychoral_str_join(const PychoralStr *s, PychoralIterator *items);

// The same for a list or tuple[T, ...] whose elements are of kind STR.
PychoralStr *pychoral_str_join_list(const PychoralStr *s, const PychoralList *items);

// ---- characters and numbers ----

// chr(code). Raises ValueError.
PychoralStr *pychoral_chr(int64_t code);

// ord(s). Raises TypeError where s is not one character.
int64_t pychoral_ord(const PychoralStr *s);

// A str of one character that is one.
PychoralStr *pychoral_str_of_char(uint32_t character);

// ---- searching ----

bool pychoral_str_startswith(const PychoralStr *s, const PychoralStr *prefix, int64_t start,
                             int64_t end);
bool pychoral_str_endswith(const PychoralStr *s, const PychoralStr *suffix, int64_t start,
                           int64_t end);
// With a tuple of strs. Raise TypeError where it has something else.
bool pychoral_str_startswith_any(const PychoralStr *s, PychoralRef prefixes, int64_t start,
                                 int64_t end);
bool pychoral_str_endswith_any(const PychoralStr *s, PychoralRef suffixes, int64_t start,
                               int64_t end);
int64_t pychoral_str_find(const PychoralStr *s, const PychoralStr *sub, int64_t start, int64_t end);
int64_t pychoral_str_rfind(const PychoralStr *s, const PychoralStr *sub, int64_t start,
                           int64_t end);
// Raise ValueError.
int64_t pychoral_str_index(const PychoralStr *s, const PychoralStr *sub, int64_t start,
                           int64_t end);
int64_t pychoral_str_rindex(const PychoralStr *s, const PychoralStr *sub, int64_t start,
                            int64_t end);
int64_t pychoral_str_count(const PychoralStr *s, const PychoralStr *sub, int64_t start,
                           int64_t end);

// ---- taking apart ----

// `count` < 0: all.
PychoralStr *pychoral_str_replace(const PychoralStr *s, const PychoralStr *old,
                                  const PychoralStr *with, int64_t count);
// sep NULL: at whitespace. Raise ValueError: empty separator.
PychoralList *pychoral_str_split(const PychoralStr *s, const PychoralStr *sep, int64_t maxsplit,
                                 const PychoralType *row);
PychoralList *pychoral_str_rsplit(const PychoralStr *s, const PychoralStr *sep, int64_t maxsplit,
                                  const PychoralType *row);
PychoralList *pychoral_str_splitlines(const PychoralStr *s, bool keepends,
                                      const PychoralType *row);
// The result is a tuple of `row`. Raise ValueError: empty separator.
void pychoral_str_partition(const PychoralStr *s, const PychoralStr *sep, const PychoralType *row,
                            void *result);
void pychoral_str_rpartition(const PychoralStr *s, const PychoralStr *sep,
                             const PychoralType *row, void *result);
PychoralStr *pychoral_str_removeprefix(const PychoralStr *s, const PychoralStr *prefix);
PychoralStr *pychoral_str_removesuffix(const PychoralStr *s, const PychoralStr *suffix);
// chars NULL: whitespace.
PychoralStr *pychoral_str_strip(const PychoralStr *s, const PychoralStr *chars);
PychoralStr *pychoral_str_lstrip(const PychoralStr *s, const PychoralStr *chars);
PychoralStr *pychoral_str_rstrip(const PychoralStr *s, const PychoralStr *chars);

// ---- upper and lower case ----

PychoralStr *pychoral_str_capitalize(const PychoralStr *s);
PychoralStr *pychoral_str_casefold(const PychoralStr *s);
PychoralStr *pychoral_str_lower(const PychoralStr *s);
PychoralStr *pychoral_str_swapcase(const PychoralStr *s);
PychoralStr *pychoral_str_title(const PychoralStr *s);
PychoralStr *pychoral_str_upper(const PychoralStr *s);

// ---- what it is made of ----

bool pychoral_str_isalnum(const PychoralStr *s);
bool pychoral_str_isalpha(const PychoralStr *s);
bool pychoral_str_isdecimal(const PychoralStr *s);
bool pychoral_str_isdigit(const PychoralStr *s);
bool pychoral_str_isidentifier(const PychoralStr *s);
bool pychoral_str_islower(const PychoralStr *s);
bool pychoral_str_isnumeric(const PychoralStr *s);
bool pychoral_str_isprintable(const PychoralStr *s);
bool pychoral_str_isspace(const PychoralStr *s);
bool pychoral_str_istitle(const PychoralStr *s);
bool pychoral_str_isupper(const PychoralStr *s);

static inline bool pychoral_str_isascii(const PychoralStr *s) { return pychoral_str_is_ascii(s); }

// ---- layout ----

// fill NULL: a space. Raise TypeError where fill is not one character.
PychoralStr *pychoral_str_center(const PychoralStr *s, int64_t width, const PychoralStr *fill);
PychoralStr *pychoral_str_ljust(const PychoralStr *s, int64_t width, const PychoralStr *fill);
PychoralStr *pychoral_str_rjust(const PychoralStr *s, int64_t width, const PychoralStr *fill);
PychoralStr *pychoral_str_zfill(const PychoralStr *s, int64_t width);
PychoralStr *pychoral_str_expandtabs(const PychoralStr *s, int64_t tabsize);

// ---- translate ----

// `table` is a dict whose keys are ints and whose values are ints, strs and None. Raises.
PychoralStr *pychoral_str_translate(const PychoralStr *s, PychoralRef table);

// str.maketrans with one argument, a dict, and with two or three (`without` may be NULL); `row` is
// the dict to be made. Raise.
PychoralTable *pychoral_str_maketrans(PychoralRef table, const PychoralType *row);
PychoralTable *pychoral_str_maketrans_of(const PychoralStr *from, const PychoralStr *to,
                                         const PychoralStr *without, const PychoralType *row);

// ---- text of values ----

// repr(s) and ascii(s); the latter of any text (ascii() of a repr).
PychoralStr *pychoral_str_repr(const PychoralStr *s);
PychoralStr *pychoral_str_ascii(const PychoralStr *s);

// ---- inline ----

static inline bool pychoral_str_next(const PychoralStr *s, size_t *at, PychoralStr **character)
{
    if (*at >= s->size)
        return false;
    unsigned char byte = (unsigned char)s->data[*at];
    if (byte >= 0x80) {
        *character = pychoral_str_step(s, at);
        return true;
    }
    ++*at;
    *character = &pychoral_ascii_chars[byte];
    return true;
}

#endif
