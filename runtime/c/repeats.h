// repeats.h - results that are numbers, in a few bytes each: the clock, read in a loop (as
// python/pychoral/repeats.py).
//
// PROTOCOL.md section 9, records of kind 6. A record holds results of any number of effects in the
// order in which they came, each as the difference to the one before of the same name.

#ifndef PYCHORAL_REPEATS_H
#define PYCHORAL_REPEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PYCHORAL_REPEATS_SIZE = 1 << 16,    // of one record, so that a torn one takes little with it
    PYCHORAL_REPEATS_NAMES = 32,
    PYCHORAL_REPEATS_NAME_SIZE = 64,
};

// 64 bits: a signed int, or a float's.
typedef struct PychoralNumber {
    bool is_float;
    uint64_t bits;
} PychoralNumber;

// An effect in one record, and its result before the next.
typedef struct PychoralRepeated {
    char name[PYCHORAL_REPEATS_NAME_SIZE];
    bool is_float;
    uint64_t last;
} PychoralRepeated;

// A record in the making. All zeros: it is empty.
typedef struct PychoralRepeats {
    size_t size, count;
    PychoralRepeated known[PYCHORAL_REPEATS_NAMES];
    uint8_t body[PYCHORAL_REPEATS_SIZE];
} PychoralRepeats;

// False if it has no room in this record: close that and begin another. One that is empty has room
// for any name that is shorter than PYCHORAL_REPEATS_NAME_SIZE.
bool pychoral_repeats_add(PychoralRepeats *repeats, const char *name, PychoralNumber number);

// A record that is read; its bytes are the caller's.
typedef struct PychoralRepeatsReader {
    const uint8_t *body;
    size_t size, place;
    struct {
        size_t name, length;            // where in the body
        bool is_float;
        uint64_t last;
    } *known;
    size_t count;
    bool is_bad;                        // the record is none, or memory has run out
} PychoralRepeatsReader;

// The next result. False at the end, or if `is_bad`. The name has no NUL behind it.
bool pychoral_repeats_next(PychoralRepeatsReader *reader, const char **name, size_t *length,
                           PychoralNumber *number);

// Begins another record; NULL with 0 for none.
void pychoral_repeats_read(PychoralRepeatsReader *reader, const uint8_t *body, size_t size);

#endif
