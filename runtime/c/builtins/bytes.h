// bytes.h - Python's bytes. Places are as in str.h; `row` is the row of the result.

#ifndef PYCHORAL_BYTES_H
#define PYCHORAL_BYTES_H

#include "str.h"

extern PychoralBytes pychoral_empty_bytes;

// ---- as a sequence ----

static inline int64_t pychoral_bytes_len(const PychoralBytes *s) { return (int64_t)s->size; }

// s[index]. Raises IndexError.
int64_t pychoral_bytes_at(const PychoralBytes *s, int64_t index);

// s[start:stop:step]. Raises ValueError for step 0.
PychoralBytes *pychoral_bytes_slice(const PychoralBytes *s, int64_t start, int64_t stop,
                                    int64_t step);

PychoralIterator *pychoral_bytes_iter(const PychoralBytes *s);  // ints

// part in s; byte in s, which raises ValueError.
bool pychoral_bytes_contains(const PychoralBytes *s, const PychoralBytes *part);
bool pychoral_bytes_contains_byte(const PychoralBytes *s, int64_t byte);

PychoralBytes *pychoral_bytes_add(const PychoralBytes *a, const PychoralBytes *b);

// s += right, as pychoral_str_append.
void pychoral_bytes_append(PychoralBytes **s, const PychoralBytes *right);

// s * times. Raises OverflowError and MemoryError.
PychoralBytes *pychoral_bytes_repeat(const PychoralBytes *s, int64_t times);

// Raises what the iterator raises.
PychoralBytes *pychoral_bytes_join(const PychoralBytes *s, PychoralIterator *items);

// ord(s). Raises TypeError where s is not one byte.
int64_t pychoral_bytes_ord(const PychoralBytes *s);

// ---- making them ----

// bytes(count): zeros. Raises ValueError, MemoryError.
PychoralBytes *pychoral_bytes_zeros(int64_t count);

// bytes(iterable) of ints. Raises ValueError and what the iterator raises.
PychoralBytes *pychoral_bytes_of(PychoralIterator *ints);
PychoralBytes *pychoral_bytes_from(PychoralRef value);      // whatever it is

// bytes.fromhex(text). Raises ValueError.
PychoralBytes *pychoral_bytes_fromhex(const PychoralStr *text);

// ---- to and from text ----

// s.encode(encoding, errors), bytes(s, encoding, errors); NULL: UTF-8, strict. Raise LookupError,
// UnicodeEncodeError, ValueError.
PychoralBytes *pychoral_str_encode(const PychoralStr *s, const PychoralStr *encoding,
                                   const PychoralStr *errors);

// s.decode(encoding, errors), str(s, encoding, errors). Raise LookupError, UnicodeDecodeError.
PychoralStr *pychoral_bytes_decode(const PychoralBytes *s, const PychoralStr *encoding,
                                   const PychoralStr *errors);

// str(e) of a UnicodeEncodeError or UnicodeDecodeError, of its five arguments.
PychoralStr *pychoral_unicode_error_str(const PychoralList *args);

// s.hex(sep, group); sep NULL: none. Raise ValueError.
PychoralStr *pychoral_bytes_hex(const PychoralBytes *s, const PychoralStr *sep, int64_t group);

PychoralStr *pychoral_bytes_repr(const PychoralBytes *s);

// ---- searching; with a byte instead of bytes: raise ValueError if it is none ----

bool pychoral_bytes_startswith(const PychoralBytes *s, const PychoralBytes *prefix, int64_t start,
                               int64_t end);
bool pychoral_bytes_endswith(const PychoralBytes *s, const PychoralBytes *suffix, int64_t start,
                             int64_t end);
// With a tuple of bytes. Raise TypeError where it has something else.
bool pychoral_bytes_startswith_any(const PychoralBytes *s, PychoralRef prefixes, int64_t start,
                                   int64_t end);
bool pychoral_bytes_endswith_any(const PychoralBytes *s, PychoralRef suffixes, int64_t start,
                                 int64_t end);
int64_t pychoral_bytes_find(const PychoralBytes *s, const PychoralBytes *sub, int64_t start,
                            int64_t end);
int64_t pychoral_bytes_rfind(const PychoralBytes *s, const PychoralBytes *sub, int64_t start,
                             int64_t end);
// Raise ValueError.
int64_t pychoral_bytes_index(const PychoralBytes *s, const PychoralBytes *sub, int64_t start,
                             int64_t end);
int64_t pychoral_bytes_rindex(const PychoralBytes *s, const PychoralBytes *sub, int64_t start,
                              int64_t end);
int64_t pychoral_bytes_count(const PychoralBytes *s, const PychoralBytes *sub, int64_t start,
                             int64_t end);
int64_t pychoral_bytes_find_byte(const PychoralBytes *s, int64_t byte, int64_t start, int64_t end);
int64_t pychoral_bytes_rfind_byte(const PychoralBytes *s, int64_t byte, int64_t start,
                                  int64_t end);
int64_t pychoral_bytes_index_byte(const PychoralBytes *s, int64_t byte, int64_t start,
                                  int64_t end);
int64_t pychoral_bytes_rindex_byte(const PychoralBytes *s, int64_t byte, int64_t start,
                                   int64_t end);
int64_t pychoral_bytes_count_byte(const PychoralBytes *s, int64_t byte, int64_t start,
                                  int64_t end);

// ---- taking apart, as in str.h ----

PychoralBytes *pychoral_bytes_replace(const PychoralBytes *s, const PychoralBytes *old,
                                      const PychoralBytes *with, int64_t count);
PychoralList *pychoral_bytes_split(const PychoralBytes *s, const PychoralBytes *sep,
                                   int64_t maxsplit, const PychoralType *row);
PychoralList *pychoral_bytes_rsplit(const PychoralBytes *s, const PychoralBytes *sep,
                                    int64_t maxsplit, const PychoralType *row);
PychoralList *pychoral_bytes_splitlines(const PychoralBytes *s, bool keepends,
                                        const PychoralType *row);
void pychoral_bytes_partition(const PychoralBytes *s, const PychoralBytes *sep,
                              const PychoralType *row, void *result);
void pychoral_bytes_rpartition(const PychoralBytes *s, const PychoralBytes *sep,
                               const PychoralType *row, void *result);
PychoralBytes *pychoral_bytes_removeprefix(const PychoralBytes *s, const PychoralBytes *prefix);
PychoralBytes *pychoral_bytes_removesuffix(const PychoralBytes *s, const PychoralBytes *suffix);
PychoralBytes *pychoral_bytes_strip(const PychoralBytes *s, const PychoralBytes *chars);
PychoralBytes *pychoral_bytes_lstrip(const PychoralBytes *s, const PychoralBytes *chars);
PychoralBytes *pychoral_bytes_rstrip(const PychoralBytes *s, const PychoralBytes *chars);

// ---- ASCII letters ----

PychoralBytes *pychoral_bytes_capitalize(const PychoralBytes *s);
PychoralBytes *pychoral_bytes_lower(const PychoralBytes *s);
PychoralBytes *pychoral_bytes_swapcase(const PychoralBytes *s);
PychoralBytes *pychoral_bytes_title(const PychoralBytes *s);
PychoralBytes *pychoral_bytes_upper(const PychoralBytes *s);
bool pychoral_bytes_isalnum(const PychoralBytes *s);
bool pychoral_bytes_isalpha(const PychoralBytes *s);
bool pychoral_bytes_isascii(const PychoralBytes *s);
bool pychoral_bytes_isdigit(const PychoralBytes *s);
bool pychoral_bytes_islower(const PychoralBytes *s);
bool pychoral_bytes_isspace(const PychoralBytes *s);
bool pychoral_bytes_istitle(const PychoralBytes *s);
bool pychoral_bytes_isupper(const PychoralBytes *s);

// ---- layout; fill NULL: a space. Raise TypeError where fill is not one byte ----

PychoralBytes *pychoral_bytes_center(const PychoralBytes *s, int64_t width,
                                     const PychoralBytes *fill);
PychoralBytes *pychoral_bytes_ljust(const PychoralBytes *s, int64_t width,
                                    const PychoralBytes *fill);
PychoralBytes *pychoral_bytes_rjust(const PychoralBytes *s, int64_t width,
                                    const PychoralBytes *fill);
PychoralBytes *pychoral_bytes_zfill(const PychoralBytes *s, int64_t width);
PychoralBytes *pychoral_bytes_expandtabs(const PychoralBytes *s, int64_t tabsize);

// table (NULL: none) has 256 bytes; those in `without` (NULL: none) go. Raises ValueError.
PychoralBytes *pychoral_bytes_translate(const PychoralBytes *s, const PychoralBytes *table,
                                        const PychoralBytes *without);

#endif
