// text.h - what the files about str and bytes share.

#ifndef PYCHORAL_TEXT_H
#define PYCHORAL_TEXT_H

#include "generated.h"
#include "out.h"
#include "str.h"

// The same value once more, owned.
static inline PychoralBytes *pychoral_same(const PychoralBytes *s) { return pychoral_keep(s); }

// A str or bytes that could not be made for lack of memory ends the process.
static inline void *pychoral_must(void *made)
{
    if (made == NULL)
        pychoral_no_memory();
    return made;
}

// What a str (`is_text`) or bytes has from `offset`, `size` bytes: itself where that is all.
PychoralBytes *pychoral_text_part(const PychoralBytes *s, bool is_text, size_t offset, size_t size);

// Clips the bounds of a slice of `length` items as Python does; how many items it has.
size_t pychoral_text_slice(int64_t length, int64_t *start, int64_t *stop, int64_t step);

// Clips the bounds of a search, step 1; false if there is nothing between them, not even room for
// an empty text.
bool pychoral_text_bounds(int64_t length, int64_t *start, int64_t *end);

// More than this is not even tried: MemoryError.
#define PYCHORAL_TEXT_MOST ((uint64_t)1 << 40)

// Raises MemoryError, which has no text; gives NULL.
void *pychoral_text_too_large(void);

// Where `part` first (or last) stands in `size` bytes; NULL: nowhere.
const char *pychoral_text_find(const char *text, size_t size, const char *part, size_t part_size);
const char *pychoral_text_rfind(const char *text, size_t size, const char *part, size_t part_size);

// How often `part`, which is not empty, stands there without overlaps, at most `most` times.
size_t pychoral_text_count(const char *text, size_t size, const char *part, size_t part_size,
                           size_t most);

// split, rsplit at `sep`, partition, rpartition, replace (of an `old` that is not empty) for both.
PychoralList *pychoral_text_split(const PychoralBytes *s, bool is_text, const PychoralBytes *sep,
                                  int64_t maxsplit, const PychoralType *row);
PychoralList *pychoral_text_rsplit(const PychoralBytes *s, bool is_text, const PychoralBytes *sep,
                                   int64_t maxsplit, const PychoralType *row);
void pychoral_text_partition(const PychoralBytes *s, bool is_text, const PychoralBytes *sep,
                             const PychoralType *row, void *result);
void pychoral_text_rpartition(const PychoralBytes *s, bool is_text, const PychoralBytes *sep,
                              const PychoralType *row, void *result);
PychoralBytes *pychoral_text_replace(const PychoralBytes *s, bool is_text, const PychoralBytes *old,
                                     const PychoralBytes *with, int64_t count);
PychoralBytes *pychoral_text_join(const PychoralBytes *sep, bool is_text, PychoralIterator *items);
PychoralBytes *pychoral_text_repeat(const PychoralBytes *s, bool is_text, int64_t times);

// Writes the spaces of a tab. False: raised MemoryError, and `out` is empty.
bool pychoral_text_tab(PychoralOut *out, int64_t tabsize, uint64_t *column);

// How many items a tuple has (TUPLE or SEQUENCE, without unions around it), and one of them, looked
// at (object.h).
size_t pychoral_tuple_count(PychoralRef tuple);
PychoralRef pychoral_tuple_item(PychoralRef tuple, size_t index);

// Raises an exception whose text has been written, and forgets it; gives NULL.
void *pychoral_text_raise(const PychoralType *kind, PychoralOut *text);

// Writes a character as repr escapes it, in two, four or eight hexadecimal digits.
void pychoral_out_hex_escape(PychoralOut *out, uint32_t character);

// Appends an owned str or bytes to a list.
void pychoral_text_push(PychoralList *list, PychoralBytes *owned);

// Turns the order of a list of strs or bytes around; gives it.
PychoralList *pychoral_text_reversed(PychoralList *list);

#endif
