// reader.h - within the decoder: the bytes that are left, limits, what each file gives the rest.
//
// Every `pychoral_read_...` takes a value from the reader into the place `out`. If it answers false
// nothing is left in `out` that must be released, `why` says what was wrong (unless `quiet`), and
// the reader stands anywhere.

#ifndef PYCHORAL_READER_H
#define PYCHORAL_READER_H

#include "wire.h"

// Which numbers may stand for others; what needs less goes before what needs more.
typedef enum Conversion {
    CONVERT_NONE,
    CONVERT_INTS,      // where floats are expected
    CONVERT_NUMBERS,   // where complex ones are, too
} Conversion;

typedef struct Reader {
    const unsigned char *at, *end;
    uint64_t claimed;  // items of open arrays and maps not yet read, of a byte each at least
    unsigned depth;
    Conversion convert;
    bool quiet;        // a try that may fail: no message
    uint64_t tries;    // left for unions with several members that may be meant
    const PychoralFrame *buffers;  // behind the value
    size_t count, next;            // of them; the one to be referred to next
    PychoralWireFault *why;
} Reader;

// What stands at the reader, judged by its first bytes; as bits, so that they can be a set.
typedef enum Came {
    CAME_NONE = 1 << 0,
    CAME_BOOL = 1 << 1,
    CAME_INT = 1 << 2,
    CAME_FLOAT = 1 << 3,
    CAME_COMPLEX = 1 << 4,
    CAME_STR = 1 << 5,
    CAME_BYTES = 1 << 6,
    CAME_LIST = 1 << 7,
    CAME_TUPLE = 1 << 8,
    CAME_DICT = 1 << 9,
    CAME_SET = 1 << 10,
    CAME_FROZENSET = 1 << 11,
    CAME_ENUM = 1 << 12,
    CAME_DATACLASS = 1 << 13,
    CAME_NDARRAY = 1 << 14,
    CAME_NOTHING = 0  // no value starts so
} Came;

Came pychoral_came(const Reader *r);

// The type number of the enum or dataclass at the reader; false if there is none.
bool pychoral_peek_number(const Reader *r, Came came, uint64_t *number);

// An extension value: its code and body.
typedef struct Extension {
    unsigned code;
    const unsigned char *body;
    size_t size;
} Extension;

static inline size_t bytes_left(const Reader *r) { return (size_t)(r->end - r->at); }

// Faults: another type came; the bytes are no value; something else; no memory. All answer false.
bool pychoral_read_refuse(Reader *r, const PychoralType *type);
bool pychoral_read_junk(Reader *r, const char *reason);
bool pychoral_read_fault(Reader *r, const char *expected, const char *came);
bool pychoral_read_no_memory(Reader *r);

bool pychoral_read_value(Reader *r, const PychoralType *type, void *out);

// A value of type `of` that is not in place; `type` is the row of the box.
bool pychoral_read_boxed(Reader *r, const PychoralType *type, const PychoralType *of,
                         PychoralBox **out);
bool pychoral_read_int(Reader *r, const PychoralType *type, PychoralInt *out);
bool pychoral_read_extension(Reader *r, Extension *extension);

// Reads what is read most often and is in one piece; answers where it ends, or NULL, with nothing
// read, for all else.
static ALWAYS_INLINE const unsigned char *take_scalar(const unsigned char *at,
                                                      const unsigned char *end,
                                                      const PychoralType *type, void *out)
{
    unsigned first = at < end ? *at : 0xc1;
    if (type->kind == PYCHORAL_INT) {
        if (first <= 0x7f || first >= 0xe0) {
            *(PychoralInt *)out = pychoral_int((int8_t)first);
            return at + 1;
        }
        if (first == 0xce && end - at >= 5 && load32(at + 1) > UINT16_MAX) {
            *(PychoralInt *)out = pychoral_int(load32(at + 1));
            return at + 5;
        }
    } else if (type->kind == PYCHORAL_FLOAT) {
        if (first == 0xcb && end - at >= 9) {
            uint64_t bits = load64(at + 1);
            memcpy(out, &bits, sizeof bits);
            return at + 9;
        }
    } else if (type->kind == PYCHORAL_BOOL && (first == 0xc2 || first == 0xc3)) {
        *(bool *)out = first == 0xc3;
        return at + 1;
    }
    return NULL;
}

// pychoral_read_value, with short ways for scalars.
static inline bool read_value(Reader *r, const PychoralType *type, void *out)
{
    const unsigned char *next = take_scalar(r->at, r->end, type, out);
    if (next == NULL)
        return pychoral_read_value(r, type, out);
    r->at = next;
    return true;
}

// A shortest MessagePack uint at `*at`, which is moved behind it.
bool pychoral_read_uint(Reader *r, const unsigned char **at, const unsigned char *end,
                        uint64_t *out);

// The count of an array or map, claimed: each item takes one from `claimed`.
bool pychoral_read_array(Reader *r, const PychoralType *type, uint32_t *count);
bool pychoral_read_map(Reader *r, const PychoralType *type, uint32_t *count);

// The next frame behind the value, whose number the caller has seen: there, and large.
bool pychoral_read_outside(Reader *r, const PychoralFrame **frame);

bool pychoral_read_list(Reader *r, const PychoralType *type, void *out);
bool pychoral_read_sequence(Reader *r, const PychoralType *type, void *out);
bool pychoral_read_tuple(Reader *r, const PychoralType *type, void *out);
// Also of a TypedDict, whose row is a LITERAL.
bool pychoral_read_dict(Reader *r, const PychoralType *type, void *out);
bool pychoral_read_set(Reader *r, const PychoralType *type, void *out);
bool pychoral_read_object(Reader *r, const PychoralType *type, void *out);
bool pychoral_read_array_of_numbers(Reader *r, const PychoralType *type, void *out);
bool pychoral_read_union(Reader *r, const PychoralType *type, void *out);
bool pychoral_read_object_of_any(Reader *r, const PychoralType *type, void *out);

#endif
