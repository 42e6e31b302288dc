// value.h - how C programs hold Python values (PROTOCOL.md section 5 says how they travel).
//
// A type is a static table row, a `PychoralType`, written by the compiler (tests write theirs by
// hand). It says how a value is laid out, so that one encoder, one decoder, one `pychoral_retain`
// serve all programs. Values are stored in place:
//
//   kind        C type of the storage      notes
//   NONE        PychoralNone               one byte, 0
//   BOOL        bool
//   INT         PychoralInt                64 bits; grows into GMP; says whether it is a bool
//   FLOAT       double
//   COMPLEX     PychoralComplex
//   STR         PychoralStr *              UTF-8, immutable
//   BYTES       PychoralBytes *            immutable
//   LIST        PychoralList *             items in one array of their own type, or `narrow`
//   SEQUENCE    PychoralList *             tuple[T, ...]
//   TUPLE       struct in place            `fields` at their offsets
//   DICT        PychoralTable *            insertion order (table.h)
//   SET         PychoralTable *            the same, without values
//   FROZENSET   PychoralTable *
//   ENUM        uint32_t                   number of the member
//   DATACLASS   pointer to a struct        that starts with a PychoralObject; the object knows its
//                                          own row, which may be that of a derived class
//   UNION       struct in place            starts with a uint32_t, the member's index; payloads at
//                                          the members' offsets. Optional is a union with NONE
//   NDARRAY     PychoralArray *
//   BOX         PychoralBox *              one value on the heap: for types that contain themselves
//                                          through tuples and unions alone
//   LITERAL     as `element`               a value of `element` that is one of `literals`
//
// Kinds that only generated programs have; they never travel:
//
//   OBJECT      PychoralAny                any value, with its row: what Python calls `object`
//   FUNCTION    PychoralFunction *         a function value; `fields` its parameters, `element`
//                                          its result (NONE: nothing)
//   ITERATOR    PychoralIterator *         gives values of `element`
//   RANGE       PychoralRange *
//   CHANNEL     uint32_t                   the peer's index (pychoral.h)
//
// **Ownership.** What is behind a pointer is counted, plainly: one thread owns a role's values.
// A count of PYCHORAL_IMMORTAL is never changed (constants). `pychoral_retain` and
// `pychoral_release` count what a value in place refers to. Only large raw bytes (64 KiB or more)
// are in a PychoralBuffer, whose count is atomic, since they are lent to libzmq when they are sent
// and borrowed from it when they are received; so call pychoral_list_writable and
// pychoral_array_writable before writing. Strings and bytes are never written.
//
// **Memory.** Running out of it is an answer (NULL or false), never an end of the program; but
// where a value is made anew as it is kept or sent (builtins/convert.h, reduced.h), it ends the
// program as in the role's own code, and the peers are told (fault.h). GMP's allocator
// is not used here: big numbers are GMP's limbs in memory of ours.

#ifndef PYCHORAL_VALUE_H
#define PYCHORAL_VALUE_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

// For what is done so often, and in so few instructions, that a call would cost more. gcc stops
// inlining where a program gets large, but it is there that it matters.
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define PYCHORAL_HOT static inline __attribute__((always_inline, unused))
#else
#define PYCHORAL_HOT static inline __attribute__((unused))
#endif

typedef enum PychoralKind {
    PYCHORAL_NONE,
    PYCHORAL_BOOL,
    PYCHORAL_INT,
    PYCHORAL_FLOAT,
    PYCHORAL_COMPLEX,
    PYCHORAL_STR,
    PYCHORAL_BYTES,
    PYCHORAL_LIST,
    PYCHORAL_SEQUENCE,
    PYCHORAL_TUPLE,
    PYCHORAL_DICT,
    PYCHORAL_SET,
    PYCHORAL_FROZENSET,
    PYCHORAL_ENUM,
    PYCHORAL_DATACLASS,
    PYCHORAL_UNION,
    PYCHORAL_NDARRAY,
    PYCHORAL_BOX,
    PYCHORAL_LITERAL,
    PYCHORAL_OBJECT,
    PYCHORAL_FUNCTION,
    PYCHORAL_ITERATOR,
    PYCHORAL_RANGE,
    PYCHORAL_CHANNEL
} PychoralKind;

typedef struct PychoralType PychoralType;

// A place in a tuple, a field of a dataclass, a member of a union.
typedef struct PychoralField {
    const PychoralType *type;
    uint32_t offset;   // from the start of the struct in place, or of the object
    bool ignored;      // dataclass: has no part in == and hash (compare=False)
    bool hidden;       // dataclass: has no part in repr (repr=False)
    bool attribute;    // of an object, and no field of its dataclass: it never travels
    bool begun;        // attribute: begins with the value of the class, which `make` makes, too
    const char *name;  // dataclass: for messages
    uint32_t present;  // attribute: where the bool is that says whether it has a value (begun: one
                       // of its own); 0: it has, or is a pointer, which is null then
    void (*make)(void *result);  // dataclass of an option: makes its default; NULL: it has none
} PychoralField;

enum {
    PYCHORAL_FROZEN = 1,    // dataclass: hashed by its fields
    PYCHORAL_IDENTITY = 2,  // dataclass with eq=False: equal only to itself
    PYCHORAL_ANY = 4,       // union that stands for `object`: a value reads as the member that
                            // it is, and is never converted
    PYCHORAL_PLAIN = 8,     // class that is no dataclass: compared and shown by identity unless
                            // its methods say otherwise
    PYCHORAL_ORDERED = 16,  // dataclass(order=True)
    PYCHORAL_STAYS = 32,    // enum or class that cannot be sent
    PYCHORAL_DERIVED = 64,  // class that derives from a dataclass, and is none itself
    PYCHORAL_NAMED_TUPLE = 128, // class made by NamedTuple: `element` is a row of kind TUPLE whose
                                // value in place is the object itself, its items the fields
    PYCHORAL_SHOWN_BY_NAME = 512,   // class Colour(str, Enum): is its values, shown as Colour.RED
    PYCHORAL_ADMITS = 1024, // object of an abstract type: only what its members admit comes, and
                            // what is sent is made so (PROTOCOL.md 5.6)
    PYCHORAL_CONVERTS = 2048,   // with ADMITS: who reads converts numbers, so that not all come
    PYCHORAL_CYCLIC = 256   // class, or box, that can refer to itself, by whatever way (cycles.h)
};

// A method of a class, as programs that do not know the class call it: `arguments` are pointers to
// values in place, the object first, as the fields of `type` (a row of kind FUNCTION) say; the
// result goes to `result`. It may raise (builtins/raise.h).
typedef struct PychoralMethod {
    const char *name;
    const PychoralType *type;
    void (*call)(void *const *arguments, void *result);
} PychoralMethod;

// A row of the type table. What a kind does not use is 0.
struct PychoralType {
    PychoralKind kind;
    uint32_t size;      // of a value in place
    uint32_t body;      // dataclass: size of the object
    uint32_t number;    // enum, dataclass: type number; ndarray: PychoralDtype, 0 for any
    uint32_t flags;
    uint32_t count;     // of fields, or of an enum's members, or of literals, or of known keys
    uint32_t more;      // dataclass: of attributes that are no fields, behind these
    const char *name;   // as messages show it; class: __qualname__
    const PychoralType *element;   // list, sequence, set, frozenset, dict's values, box, literal;
                                   // enum: of what its members are too (IntEnum, StrEnum), or NULL;
                                   // named tuple: the tuple that it is
    const PychoralType *key;       // dict; literal: what it is read as, if that is more
    const PychoralField *fields;   // tuple, dataclass, union; literal: a TypedDict's known keys
    const char *const *members;    // enum: names, in order of number
    const void *literals;          // literal, IntEnum, StrEnum: `count` values of `element`
    const struct PychoralAny *values;  // enum: what its members are, where `element` is NULL
    const PychoralType *const *derived;  // dataclass: rows of all classes derived from it, or NULL
    uint32_t derived_count;
    uint32_t method_count;
    const PychoralType *base;            // class: the one it derives from, or NULL
    const PychoralType *const *besides;  // exception: those that are built in of which it is one,
                                         // too, but not by `base`; NULL ends them, NULL: none
    const PychoralMethod *methods;       // class: its own, in ascending order of name (strcmp)
    const char *module;                  // class: what tracebacks put before its name, or NULL
    void (*close)(void *object);         // class of the runtime: lets go of what C libraries hold
    void (*complete)(void *object);      // dataclass of an option: `__post_init__` of the object at
                                         // this place, when its fields are set; or NULL
    const char *shown;                   // class: with its type arguments; NULL: it has none
};

// As messages about a type show it, which is not always what `repr` puts before its fields.
static inline const char *pychoral_shown_type(const PychoralType *type)
{
    return type->shown != NULL ? type->shown : type->name;
}

// Rows that every program shares.
extern const PychoralType pychoral_type_none, pychoral_type_bool, pychoral_type_int,
    pychoral_type_float, pychoral_type_complex, pychoral_type_str, pychoral_type_bytes,
    pychoral_type_ndarray, pychoral_type_object, pychoral_type_range, pychoral_type_channel;

// Rows for a kind whatever its parts are: for isinstance, and to release a function.
extern const PychoralType pychoral_type_any_list, pychoral_type_any_tuple, pychoral_type_any_dict,
    pychoral_type_any_defaultdict, pychoral_type_any_counter,
    pychoral_type_any_set, pychoral_type_any_frozenset, pychoral_type_any_function;

extern const unsigned char pychoral_nothing;   // None in place

// ---- what is behind pointers ----

#define PYCHORAL_IMMORTAL UINT32_MAX

// What all counted things start with. While one is being freed, the count's place links it to the
// next, so that freeing takes no stack however deep the value is.
typedef union PychoralHead {
    struct {
        uint32_t refs;
        uint32_t flags;
    };
    union PychoralHead *next;
} PychoralHead;

enum {
    PYCHORAL_ASCII = 1,       // str: each byte is a character
    PYCHORAL_SURROGATES = 2,  // str: has lone surrogates (as three bytes each), cannot be sent
    PYCHORAL_ROOM_SHIFT = 8,  // str: above it, the log2 of the room that `data` has behind the
                              // struct; 0: exactly what it needs (builtins/str.h)
    PYCHORAL_NEGATIVE = 1     // PychoralBig
};                            // what is PYCHORAL_CYCLIC: its place in the list of cycles.h

typedef unsigned char PychoralNone;

typedef struct PychoralComplex {
    double real, imag;
} PychoralComplex;

// A whole number that does not fit in 64 bits, signed: magnitude, least limb first, no zero on top.
typedef struct PychoralBig {
    PychoralHead head;
    size_t count;
    mp_limb_t limbs[];
} PychoralBig;

// big == NULL: the number is `small` (nearly always). big == PYCHORAL_BOOL_MARK: the bool `small`,
// which stays a bool where an int is expected, as in Python. Else the number is `*big`, and `small`
// is the end of its range on that side: to compare it with any other constant, `small` is enough.
typedef struct PychoralInt {
    int64_t small;
    PychoralBig *big;
} PychoralInt;

extern PychoralBig pychoral_bool_mark;  // immortal, never written
#define PYCHORAL_BOOL_MARK (&pychoral_bool_mark)

// The bytes of a str or bytes, followed by a NUL that is not counted (unless they are borrowed).
typedef struct PychoralBytes {
    PychoralHead head;
    size_t size;
    const char *data;
    PychoralBuffer *buffer;  // owns `data`, or NULL: data stands behind this struct, or is constant
    size_t *places;  // str: where each 64th character stands, once asked for (builtins/str.h)
} PychoralBytes;

typedef PychoralBytes PychoralStr;

// Initialises a constant: static PychoralStr hello = PYCHORAL_CONSTANT("hello", PYCHORAL_ASCII);
#define PYCHORAL_CONSTANT(text, kind)                                                             \
    {.head = {.refs = PYCHORAL_IMMORTAL, .flags = (kind)}, .size = sizeof(text) - 1, .data = (text)}

// What holds other values starts with its head and its row.
typedef struct PychoralObject {
    PychoralHead head;
    const PychoralType *type;
} PychoralObject;

typedef struct PychoralList {
    PychoralObject object;
    size_t count, capacity;
    void *items;
    PychoralBuffer *buffer;  // owns `items`, or NULL: they are malloc's
    bool narrow;  // of int, and each is one of 64 bits and no bool: the items are int64_t
} PychoralList;

typedef struct PychoralBox {
    PychoralObject object;
    _Alignas(16) char value[];
} PychoralBox;

// Any value. What is larger than the union (a tuple) is in a box of its own.
typedef struct PychoralAny {
    const PychoralType *type;   // NULL: nothing, as zero bytes are; not None
    union {
        bool truth;
        uint32_t member;
        double real;
        PychoralInt number;
        PychoralComplex complex;
        void *pointer;
        PychoralBox *box;       // of a TUPLE
    };
} PychoralAny;

// A function with the variables that it has captured.
typedef struct PychoralFunction {
    PychoralObject object;
    const PychoralType *held;   // a TUPLE of what stands in `cells`, or NULL
    // As PychoralMethod's, but the function itself comes first and is no argument.
    void (*call)(struct PychoralFunction *self, void *const *arguments, void *result);
    const char *name;           // as Python shows it
    const PychoralField *defaults;      // in `cells`: of the last parameters, if they are missing
    uint32_t default_count;
    _Alignas(16) char cells[];
} PychoralFunction;

typedef struct PychoralIterator {
    PychoralObject object;
    const PychoralType *held;   // a TUPLE of what stands in `cells`, or NULL
    // Puts the next value into `item`, which then owns it. False: there is none, or it raised.
    bool (*next)(struct PychoralIterator *self, void *item);
    _Alignas(16) char cells[];
} PychoralIterator;

typedef struct PychoralRange {
    PychoralObject object;
    PychoralInt start, stop, step;
} PychoralRange;

typedef enum PychoralDtype {
    PYCHORAL_DTYPE_ANY,
    PYCHORAL_DTYPE_BOOL,
    PYCHORAL_INT8, PYCHORAL_INT16, PYCHORAL_INT32, PYCHORAL_INT64,
    PYCHORAL_UINT8, PYCHORAL_UINT16, PYCHORAL_UINT32, PYCHORAL_UINT64,
    PYCHORAL_FLOAT32, PYCHORAL_FLOAT64,
    PYCHORAL_COMPLEX64, PYCHORAL_COMPLEX128,
    PYCHORAL_DTYPE_END
} PychoralDtype;

enum { PYCHORAL_MAX_DIMENSIONS = 32 };

// C order. Borrowed data may stand at any address: read it with memcpy, or make it writable first.
typedef struct PychoralArray {
    PychoralHead head;
    uint8_t dtype, dimensions;
    size_t size;             // of the data, in bytes
    const void *data;
    PychoralBuffer *buffer;  // owns `data`, or NULL: data stands behind the shape
    uint64_t shape[];
} PychoralArray;

// ---- counting ----

// One more reference to all that the value at `value` refers to directly.
void pychoral_retain(const PychoralType *type, const void *value);

// One reference less; frees what has none left, without recursion. A value of zero bytes, as a
// failed receive leaves it, refers to nothing: nothing is done.
void pychoral_release(const PychoralType *type, void *value);

// Frees a str or bytes, or an object of whatever kind, whose count has come to 0 already.
void pychoral_free_bytes(PychoralBytes *bytes);
void pychoral_free_object(PychoralObject *object);

// A copy of the value at `from` in the place `to`, with references of its own.
void pychoral_assign(const PychoralType *type, void *to, const void *from);

// ---- int ----

PYCHORAL_HOT PychoralInt pychoral_int(int64_t number) { return (PychoralInt){number, NULL}; }

static inline PychoralInt pychoral_int_of_big(PychoralBig *big)
{
    return (PychoralInt){big->head.flags & PYCHORAL_NEGATIVE ? INT64_MIN : INT64_MAX, big};
}

PYCHORAL_HOT PychoralInt pychoral_int_bool(bool truth)
{
    return (PychoralInt){truth, PYCHORAL_BOOL_MARK};
}

PYCHORAL_HOT bool pychoral_int_is_bool(PychoralInt number)
{
    return number.big == PYCHORAL_BOOL_MARK;
}

PYCHORAL_HOT bool pychoral_int_is_big(PychoralInt number)
{
    return number.big != NULL && number.big != PYCHORAL_BOOL_MARK;
}

// The number as GMP reads it (of any int; a view, valid while `number` and `limb` are).
void pychoral_int_view(const PychoralInt *number, mp_limb_t *limb, mpz_t view);

// The number that GMP holds; the caller owns a reference. False when memory has run out.
bool pychoral_int_from_mpz(const mpz_t from, PychoralInt *to);

// The number in `size` bytes of two's complement, highest byte first.
bool pychoral_int_from_bytes(const unsigned char *bytes, size_t size, PychoralInt *to);

// How many bytes the shortest two's complement of a big number takes, and writes them.
size_t pychoral_big_size(const PychoralBig *big);
void pychoral_big_to_bytes(const PychoralBig *big, unsigned char *bytes, size_t size);

// The nearest float, ties to even; false if the number is too large for one.
bool pychoral_int_to_float(PychoralInt number, double *to);

// ---- str and bytes ----

// A str of `size` bytes of UTF-8. Surrogates are let through and marked. NULL when memory has run
// out, or when the bytes are not UTF-8.
PychoralStr *pychoral_str_new(const char *text, size_t size);

PychoralBytes *pychoral_bytes_new(const void *bytes, size_t size);

// A str or bytes of `size` bytes, not initialised but for the NUL, for the caller to write before
// anyone sees it. `flags`: what the caller knows that the bytes will be. NULL: out of memory.
PychoralBytes *pychoral_bytes_room(size_t size, uint32_t flags);

// Bytes within `buffer`, of which a reference is taken; NULL when memory has run out.
PychoralBytes *pychoral_bytes_borrow(PychoralBuffer *buffer, const void *data, size_t size);

// ---- list and tuple[T, ...] ----

// An empty list with room for `capacity` items. `type` is a row of kind LIST or SEQUENCE.
PychoralList *pychoral_list_new(const PychoralType *type, size_t capacity);

// Appends the item at `item`, whose references the list takes over. False when memory has run out;
// the caller then still owns the item.
bool pychoral_list_append(PychoralList *list, const void *item);

// A copy of item `index`, with references of its own.
void pychoral_list_get(const PychoralList *list, size_t index, void *to);

// Replaces item `index`; takes over the references of `item`. False when memory has run out.
bool pychoral_list_set(PychoralList *list, size_t index, const void *item);

// Makes sure that nobody else reads `items` (they may be lent), and that there is room for
// `capacity` of them. False when memory has run out; nothing has changed then.
bool pychoral_list_writable(PychoralList *list, size_t capacity);

// Turns the items of a narrow list into PychoralInts. False when memory has run out.
bool pychoral_list_widen(PychoralList *list);

// ---- dataclass and box ----

// An object of `type->body` bytes whose fields are all zero bits; NULL when memory has run out.
void *pychoral_object_new(const PychoralType *type);

// Whether an attribute of an object has a value (begun: one of its own).
bool pychoral_attribute_set(const PychoralObject *object, const PychoralField *field);

// A box around the value at `value`, whose references it takes over.
PychoralBox *pychoral_box_new(const PychoralType *type, const void *value);

// ---- ndarray ----

// Bytes of one element; 0 for what is no dtype.
size_t pychoral_dtype_size(unsigned dtype);

// The bytes of data that a shape asks for; false if that is more than a size_t holds.
bool pychoral_array_size(unsigned dtype, unsigned dimensions, const uint64_t *shape, size_t *size);

// An array with data of its own, not initialised: write it through pychoral_array_writable. NULL
// when memory has run out or the shape is too large.
PychoralArray *pychoral_array_new(unsigned dtype, unsigned dimensions, const uint64_t *shape);

// An array whose data is within `buffer`, of which a reference is taken.
PychoralArray *pychoral_array_borrow(unsigned dtype, unsigned dimensions, const uint64_t *shape,
                                     PychoralBuffer *buffer, const void *data);

// The data, aligned and nobody else's (copied if need be); NULL when memory has run out.
void *pychoral_array_writable(PychoralArray *array);

// ---- equality and hash, as in Python ----

// Whether Python's == holds: 1 == 1.0 == True, lists by items, dataclasses by class and fields.
// Values nested deeper than PYCHORAL_EQUAL_DEPTH levels are never equal.
bool pychoral_equal(const PychoralType *type, const void *a, const void *b);

enum { PYCHORAL_EQUAL_DEPTH = 1000 };

// A hash that goes with pychoral_equal, mixed with `seed`. False if the value cannot be hashed.
bool pychoral_hash(const PychoralType *type, const void *value, uint64_t seed, uint64_t *hash);

#endif
