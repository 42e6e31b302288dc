// unicode_tables.h - the shape of the tables that unigen.c writes; private to unicode.c.

#ifndef PYCHORAL_UNICODE_TABLES_H
#define PYCHORAL_UNICODE_TABLES_H

#include <stddef.h>
#include <stdint.h>

typedef struct UnicodeRange { uint32_t first, last; } UnicodeRange;

// Sorted, disjoint, beyond ASCII.
extern const UnicodeRange unicode_xid_start[];
extern const size_t unicode_xid_start_len;
extern const UnicodeRange unicode_xid_continue[];
extern const size_t unicode_xid_continue_len;

// The CJK unified ideographs, which are named by their number.
extern const UnicodeRange unicode_ideographs[];
extern const size_t unicode_ideographs_len;

// The names, sorted and front-coded in blocks of UNICODE_NAME_BLOCK. An entry is: how many bytes it
// shares with the name before it in the block (0 for the first), the number of other bytes, the
// code point in three bytes (high first), the other bytes.
enum { UNICODE_NAME_BLOCK = 16, UNICODE_NAME_MAX = 128 };
extern const unsigned char unicode_name_bytes[];
extern const uint32_t unicode_name_blocks[];    // where each block starts
extern const size_t unicode_name_count;

#endif
