// wire.h - what encoder and decoder share: numbers of PROTOCOL.md section 5, big-endian bytes.

#ifndef PYCHORAL_WIRE_H
#define PYCHORAL_WIRE_H

#include <stdint.h>
#include <string.h>

#include "table.h"
#include "value.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "numbers in bulk are little-endian on the wire and are not swapped here"
#endif

// What most messages go through: a compiler makes a function of it as soon as it is called twice.
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

enum {
    EXT_INT = 1,
    EXT_TUPLE = 2,
    EXT_ENUM = 3,
    EXT_DATACLASS = 4,
    EXT_NDARRAY = 5,
    EXT_SET = 6,
    EXT_COMPLEX = 7,
    EXT_FROZENSET = 8,
    EXT_INTS = 9,
    EXT_FLOATS = 10,
    EXT_OUTSIDE = 12
};

enum {
    PYCHORAL_MAX_DEPTH = 128,
    PYCHORAL_BULK = 16,         // from so many items on, a list of numbers is ext 9 or 10
    PYCHORAL_LARGE = 64 << 10,  // raw data of so many bytes has a frame of its own
    PYCHORAL_INLINE = 4 << 10,  // a longer value has a frame of its own
    PYCHORAL_MAX_BUFFERS = 65534,
    PYCHORAL_MAX_BYTES = 1 << 28
};

static inline void store16(unsigned char *at, uint16_t number)
{
    number = __builtin_bswap16(number);
    memcpy(at, &number, sizeof number);
}

static inline void store32(unsigned char *at, uint32_t number)
{
    number = __builtin_bswap32(number);
    memcpy(at, &number, sizeof number);
}

static inline void store64(unsigned char *at, uint64_t number)
{
    number = __builtin_bswap64(number);
    memcpy(at, &number, sizeof number);
}

static inline uint16_t load16(const unsigned char *at)
{
    uint16_t number;
    memcpy(&number, at, sizeof number);
    return __builtin_bswap16(number);
}

static inline uint32_t load32(const unsigned char *at)
{
    uint32_t number;
    memcpy(&number, at, sizeof number);
    return __builtin_bswap32(number);
}

static inline uint64_t load64(const unsigned char *at)
{
    uint64_t number;
    memcpy(&number, at, sizeof number);
    return __builtin_bswap64(number);
}

// Whether two keys are one. `by_fields`: by what they are on the wire, as is done while a value is
// read: objects that are equal only to themselves (eq=False) by their fields, NaNs in complex
// numbers by their bits.
bool pychoral_equal_keys(const PychoralType *type_a, const void *a, const PychoralType *type_b,
                         const void *b, bool by_fields);

// a == b (`pychoral_equal_keys` compares as containers do: what is one object is equal). Raises
// what __eq__ raises.
bool pychoral_equal_values(const PychoralType *type_a, const void *a, const PychoralType *type_b,
                           const void *b);

// The hash that goes with it; `identity` is set if there is such a thing in the value.
bool pychoral_hash_key(const PychoralType *type, const void *value, uint64_t seed, bool by_fields,
                       bool *identity, uint64_t *hash);

// A table to be filled from the wire: keys are compared by fields until it is settled.
PychoralTable *pychoral_table_reading(const PychoralType *type, size_t capacity);
void pychoral_table_settle(PychoralTable *table);

// What was wrong, and where: the path grows from its end while calls return.
typedef struct PychoralWireFault {
    bool memory;  // none left; the rest is empty
    bool whole;   // bytes that no sender writes: a fault of the message, without a path
    char path[200];
    char expected[200];
    char came[200];
} PychoralWireFault;

// Each says that the fault lies in a part of the value at hand. Too long a path is cut.
void pychoral_step_index(PychoralWireFault *why, size_t index);
void pychoral_step_field(PychoralWireFault *why, const char *name);
void pychoral_step_key(PychoralWireFault *why, const PychoralType *type, const void *key);
void pychoral_step(PychoralWireFault *why, const char *step);

// "a" or "an", as the name wants it.
const char *pychoral_article(const char *name);

// Why objects of a class, of which none can be sent, are refused: what follows its name.
const char *pychoral_class_refusal(const PychoralType *type);

// Says of a function, class, iterator or range that it cannot be sent. False.
bool pychoral_refuse_kind(PychoralWireFault *why, const PychoralType *type, const void *value);

// What is said of the value of a key where a TypedDict is read or sent; NULL: nothing.
const PychoralType *pychoral_known_key(const PychoralType *typed, const PychoralType *key_type,
                                       const void *key);

// Takes off unions, boxes and literals: what is left says what the value is.
void pychoral_unwrap(const PychoralType **type, const void **value);

// The entry behind the last one, to be filled in place: key and value (sets: NULL). False: no
// memory.
bool pychoral_table_spot(PychoralTable *table, void **key, void **value);

// Takes in what was filled; anything but NEW leaves the table as it was.
PychoralPut pychoral_table_commit(PychoralTable *table);

// A str of text that has been checked.
PychoralStr *pychoral_str_checked(const void *text, size_t size, bool ascii);

// A list with `count` items that the caller writes into `items`; `narrow` as in PychoralList.
PychoralList *pychoral_list_filled(const PychoralType *type, size_t count, bool narrow);

// Copies a value as it stands. Most have one of two sizes, for which a call would take longer.
static inline void pychoral_move_value(void *to, const void *from, size_t size)
{
    if (size == 8)
        memcpy(to, from, 8);
    else if (size == 16)
        memcpy(to, from, 16);
    else
        memcpy(to, from, size);
}

// Lets go of the memory of a list's items, not of what they refer to.
void pychoral_list_free_items(PychoralList *list);

// A narrow list, or one of floats, whose items are in `buffer`, of which a reference is taken.
PychoralList *pychoral_list_borrow(const PychoralType *type, size_t count, bool narrow,
                                   PychoralBuffer *buffer, const void *items);

#endif
