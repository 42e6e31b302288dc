// decode.c - frames to values (PROTOCOL.md section 5): heads, scalars, strings, the call itself.
//
// The expected type leads. A reader looks for the form of its own type first; what came is judged
// only when it is something else. The union of all rules of 5.2 holds for each accepted value.

#include <stdio.h>
#include <stdlib.h>

#include "builtins/object.h"
#include "codec.h"
#include "reader.h"
#include "utf8.h"

enum { NEVER_USED = 0xc1, FLOAT_32 = 0xca };

// ---- faults ----

bool pychoral_read_fault(Reader *r, const char *expected, const char *came)
{
    if (!r->quiet) {
        snprintf(r->why->expected, sizeof r->why->expected, "%s", expected);
        snprintf(r->why->came, sizeof r->why->came, "%s", came);
        r->why->path[0] = '\0';
        r->why->whole = false;
    }
    return false;
}

bool pychoral_read_junk(Reader *r, const char *reason)
{
    char came[120];
    snprintf(came, sizeof came, "something unreadable (%s)", reason);
    pychoral_read_fault(r, "a value", came);
    r->why->whole |= !r->quiet;
    return false;
}

bool pychoral_read_no_memory(Reader *r)
{
    r->why->memory = true;
    return false;
}

static bool cut_off(Reader *r) { return pychoral_read_junk(r, "it is cut off"); }

static const char *name_of(Came came)
{
    static const char *const names[] = {"None",  "bool", "int",  "float",     "complex",
                                        "str",   "bytes", "list", "tuple",    "dict",
                                        "set",   "frozenset", "enum", "dataclass", "ndarray"};
    return came == CAME_NOTHING ? "something that is not a value" : names[__builtin_ctz(came)];
}

bool pychoral_peek_number(const Reader *r, Came came, uint64_t *number)
{
    Reader copy = *r;
    PychoralWireFault ignored = {.memory = false};
    Extension extension;
    copy.quiet = true;
    copy.why = &ignored;
    if (came == CAME_DATACLASS) {
        uint32_t count;
        if (!pychoral_read_array(&copy, NULL, &count))
            return false;
    }
    if (!pychoral_read_extension(&copy, &extension))
        return false;
    return pychoral_read_uint(&copy, &extension.body, extension.body + extension.size, number);
}

static const char NO_CLASS[] =
    "a class that an annotation of this role names, as the type is `object`";

bool pychoral_read_refuse(Reader *r, const PychoralType *type)
{
    if (r->quiet)
        return false;
    if (r->at == r->end)
        return cut_off(r);
    if (*r->at == NEVER_USED)
        return pychoral_read_junk(r, "a byte that begins no value");
    if (*r->at == FLOAT_32)
        return pychoral_read_junk(r, "an encoding longer than the shortest");
    Came came = pychoral_came(r);
    uint64_t number;
    char text[80];
    snprintf(text, sizeof text, "%s", name_of(came));
    bool is_class = (came == CAME_ENUM || came == CAME_DATACLASS) &&
                    pychoral_peek_number(r, came, &number);
    if (is_class)
        snprintf(text, sizeof text, "the %s with type number %llu", name_of(came),
                 (unsigned long long)number);
    bool is_unknown = is_class && type->kind == PYCHORAL_OBJECT;
    return pychoral_read_fault(r, is_unknown ? NO_CLASS : pychoral_shown_type(type), text);
}

// ---- heads ----

static Came came_of_extension(unsigned code, const unsigned char *body, const unsigned char *end)
{
    switch (code) {
    case EXT_INT: return CAME_INT;
    case EXT_ENUM: return CAME_ENUM;
    case EXT_NDARRAY: return CAME_NDARRAY;
    case EXT_COMPLEX: return CAME_COMPLEX;
    case EXT_INTS:
    case EXT_FLOATS: return CAME_LIST;
    case EXT_OUTSIDE: break;
    default: return CAME_NOTHING;
    }
    if (body == end)
        return CAME_NOTHING;
    return body[0] == 0                                    ? CAME_BYTES
           : body[0] == EXT_NDARRAY                        ? CAME_NDARRAY
           : body[0] == EXT_INTS || body[0] == EXT_FLOATS ? CAME_LIST
                                                           : CAME_NOTHING;
}

// Where the code of the extension at `at` stands: behind 1 to 5 bytes; 0 if it is none.
static size_t extension_head(const unsigned char *at, const unsigned char *end)
{
    if (at == end)
        return 0;
    size_t head = *at >= 0xd4 && *at <= 0xd8 ? 1
                  : *at == 0xc7              ? 2
                  : *at == 0xc8              ? 3
                  : *at == 0xc9              ? 5
                                             : 0;
    return (size_t)(end - at) > head ? head : 0;
}

static Came came_of_array(const unsigned char *first, const unsigned char *end)
{
    size_t head = first < end ? extension_head(first, end) : 0;
    if (head == 0)
        return CAME_LIST;
    switch (first[head]) {
    case EXT_TUPLE: return CAME_TUPLE;
    case EXT_DATACLASS: return CAME_DATACLASS;
    case EXT_SET: return CAME_SET;
    case EXT_FROZENSET: return CAME_FROZENSET;
    default: return CAME_LIST;
    }
}

Came pychoral_came(const Reader *r)
{
    if (r->at == r->end)
        return CAME_NOTHING;
    unsigned b = *r->at;
    size_t head = extension_head(r->at, r->end);
    if (head != 0)
        return came_of_extension(r->at[head], r->at + head + 1, r->end);
    if (b <= 0x7f || b >= 0xe0 || (b >= 0xcc && b <= 0xd3))
        return CAME_INT;
    if (b <= 0x8f || b == 0xde || b == 0xdf)
        return CAME_DICT;
    if (b <= 0x9f)
        return b == 0x90 ? CAME_LIST : came_of_array(r->at + 1, r->end);
    if (b == 0xdc || b == 0xdd) {
        size_t size = b == 0xdc ? 3 : 5;
        return bytes_left(r) <= size ? CAME_LIST : came_of_array(r->at + size, r->end);
    }
    if (b <= 0xbf || (b >= 0xd9 && b <= 0xdb))
        return CAME_STR;
    if (b >= 0xc4 && b <= 0xc6)
        return CAME_BYTES;
    return b == 0xc0 ? CAME_NONE : b == 0xc2 || b == 0xc3 ? CAME_BOOL
           : b == 0xcb                                    ? CAME_FLOAT
                                                          : CAME_NOTHING;
}

static bool longer_form(Reader *r)
{
    return pychoral_read_junk(r, "an encoding longer than the shortest");
}

// A number of 1, 2 or 4 bytes behind the first byte; steps over both.
static ALWAYS_INLINE bool read_size(Reader *r, unsigned bytes, uint32_t least, uint32_t *size)
{
    if (bytes_left(r) <= bytes)
        return cut_off(r);
    const unsigned char *at = r->at + 1;
    *size = bytes == 1 ? *at : bytes == 2 ? load16(at) : load32(at);
    r->at = at + bytes;
    return *size >= least || longer_form(r);
}

static bool claim(Reader *r, uint64_t items)
{
    size_t left = bytes_left(r);
    if (items > left || r->claimed > left - items)
        return cut_off(r);
    r->claimed += items;
    return true;
}

bool pychoral_read_array(Reader *r, const PychoralType *type, uint32_t *count)
{
    unsigned b = r->at < r->end ? *r->at : 0xc1;
    if (b >= 0x90 && b <= 0x9f) {
        *count = b & 0x0f;
        r->at++;
    } else if (b == 0xdc || b == 0xdd) {
        if (!read_size(r, b == 0xdc ? 2 : 4, b == 0xdc ? 16 : 0x10000, count))
            return false;
    } else {
        return type != NULL && pychoral_read_refuse(r, type);
    }
    return claim(r, *count);
}

bool pychoral_read_map(Reader *r, const PychoralType *type, uint32_t *count)
{
    unsigned b = r->at < r->end ? *r->at : 0xc1;
    if (b >= 0x80 && b <= 0x8f) {
        *count = b & 0x0f;
        r->at++;
    } else if (b == 0xde || b == 0xdf) {
        if (!read_size(r, b == 0xde ? 2 : 4, b == 0xde ? 16 : 0x10000, count))
            return false;
    } else {
        return pychoral_read_refuse(r, type);
    }
    return claim(r, 2 * (uint64_t)*count);
}

static bool is_fixed_size(uint32_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

// The caller has seen that an extension stands here.
bool pychoral_read_extension(Reader *r, Extension *extension)
{
    unsigned b = r->at < r->end ? *r->at : 0xc1;
    uint32_t size = 0;
    if (b >= 0xd4 && b <= 0xd8) {
        size = 1u << (b - 0xd4);
        r->at++;
    } else if (b == 0xc7) {
        if (!read_size(r, 1, 0, &size))
            return false;
        if (is_fixed_size(size))
            return longer_form(r);
    } else if (b == 0xc8 || b == 0xc9) {
        if (!read_size(r, b == 0xc8 ? 2 : 4, b == 0xc8 ? 0x100 : 0x10000, &size))
            return false;
    } else {
        return pychoral_read_junk(r, "an extension is missing");
    }
    if (bytes_left(r) <= size)
        return cut_off(r);
    *extension = (Extension){*r->at, r->at + 1, size};
    r->at += 1 + (size_t)size;
    return true;
}

// ---- ints ----

bool pychoral_read_uint(Reader *r, const unsigned char **at, const unsigned char *end,
                        uint64_t *out)
{
    static const uint64_t least[] = {0x80, 0x100, 0x10000, 0x100000000};
    const unsigned char *from = *at;
    unsigned b = from < end ? *from : 0xc1;
    if (b <= 0x7f) {
        *out = b;
        *at = from + 1;
        return true;
    }
    if (b < 0xcc || b > 0xcf)
        return pychoral_read_junk(r, "a number is missing");
    size_t bytes = (size_t)1 << (b - 0xcc);
    if ((size_t)(end - from) <= bytes)
        return cut_off(r);
    from++;
    *out = bytes == 1   ? *from
           : bytes == 2 ? load16(from)
           : bytes == 4 ? load32(from)
                        : load64(from);
    *at = from + bytes;
    return *out >= least[b - 0xcc] || longer_form(r);
}

static bool read_negative(Reader *r, PychoralInt *out)
{
    static const int64_t most[] = {-33, INT8_MIN - 1, INT16_MIN - 1, (int64_t)INT32_MIN - 1};
    unsigned b = *r->at, bytes = 1u << (b - 0xd0);
    if (bytes_left(r) <= bytes)
        return cut_off(r);
    const unsigned char *at = r->at + 1;
    int64_t number = bytes == 1   ? (int8_t)*at
                     : bytes == 2 ? (int16_t)load16(at)
                     : bytes == 4 ? (int32_t)load32(at)
                                  : (int64_t)load64(at);
    r->at = at + bytes;
    *out = pychoral_int(number);
    return number <= most[b - 0xd0] || longer_form(r);
}

static bool read_large(Reader *r, const unsigned char *bytes, size_t size, PychoralInt *out)
{
    return pychoral_int_from_bytes(bytes, size, out) || pychoral_read_no_memory(r);
}

static bool is_uint64(const PychoralBig *big)
{
    return big->count == 1 && !(big->head.flags & PYCHORAL_NEGATIVE);
}

// Ext 1: only what no MessagePack integer can hold, in as few bytes as it takes.
static bool read_big(Reader *r, const PychoralType *type, PychoralInt *out)
{
    const unsigned char *start = r->at;
    Extension extension;
    if (!pychoral_read_extension(r, &extension))
        return false;
    if (extension.code != EXT_INT) {
        r->at = start;
        return pychoral_read_refuse(r, type);
    }
    const unsigned char *body = extension.body;
    bool padded = extension.size > 1 && ((body[0] == 0 && body[1] < 0x80) ||
                                         (body[0] == 0xff && body[1] >= 0x80));
    if (extension.size <= 8 || padded)
        return longer_form(r);
    if (!read_large(r, body, extension.size, out))
        return false;
    if (pychoral_int_is_big(*out) && !is_uint64(out->big))
        return true;
    pychoral_release(&pychoral_type_int, out);
    return longer_form(r);
}

NOINLINE bool pychoral_read_int(Reader *r, const PychoralType *type, PychoralInt *out)
{
    unsigned b = r->at < r->end ? *r->at : 0xc1;
    if (b <= 0x7f || b >= 0xe0) {
        *out = pychoral_int((int8_t)b);
        r->at++;
        return true;
    }
    if (b >= 0xcc && b <= 0xcf) {
        uint64_t number;
        if (!pychoral_read_uint(r, &r->at, r->end, &number))
            return false;
        *out = pychoral_int((int64_t)number);
        if (number <= INT64_MAX)
            return true;
        unsigned char bytes[9] = {0};
        store64(bytes + 1, number);
        return read_large(r, bytes, sizeof bytes, out);
    }
    if (b >= 0xd0 && b <= 0xd3)
        return read_negative(r, out);
    if (b == 0xc2 || b == 0xc3) {
        *out = pychoral_int_bool(b == 0xc3);
        r->at++;
        return true;
    }
    return pychoral_came(r) == CAME_INT ? read_big(r, type, out) : pychoral_read_refuse(r, type);
}

// ---- other scalars ----

static bool read_float(Reader *r, const PychoralType *type, double *out)
{
    if (r->at < r->end && *r->at == 0xcb) {
        if (bytes_left(r) < 9)
            return cut_off(r);
        uint64_t bits = load64(r->at + 1);
        memcpy(out, &bits, sizeof bits);
        r->at += 9;
        return true;
    }
    if (r->convert == CONVERT_NONE || !(pychoral_came(r) & (CAME_INT | CAME_BOOL)))
        return pychoral_read_refuse(r, type);
    PychoralInt number;
    if (!pychoral_read_int(r, type, &number))
        return false;
    bool fits = pychoral_int_to_float(number, out);
    pychoral_release(&pychoral_type_int, &number);
    return fits || pychoral_read_fault(r, "float", "an int too large for a float");
}

static bool read_bool(Reader *r, const PychoralType *type, bool *out)
{
    if (r->at == r->end || (*r->at != 0xc2 && *r->at != 0xc3))
        return pychoral_read_refuse(r, type);
    *out = *r->at++ == 0xc3;
    return true;
}

static bool read_none(Reader *r, const PychoralType *type, PychoralNone *out)
{
    if (r->at == r->end || *r->at != 0xc0)
        return pychoral_read_refuse(r, type);
    r->at++;
    *out = 0;
    return true;
}

static NOINLINE bool read_complex(Reader *r, const PychoralType *type, double *parts)
{
    Extension extension;
    if (r->convert == CONVERT_NUMBERS && pychoral_came(r) & (CAME_FLOAT | CAME_INT | CAME_BOOL)) {
        parts[1] = 0;
        return read_float(r, type, &parts[0]);
    }
    if (pychoral_came(r) != CAME_COMPLEX)
        return pychoral_read_refuse(r, type);
    if (!pychoral_read_extension(r, &extension))
        return false;
    if (extension.size != 16)
        return pychoral_read_junk(r, "a complex is not 16 bytes");
    for (int i = 0; i < 2; i++) {
        uint64_t bits = load64(extension.body + 8 * i);
        memcpy(&parts[i], &bits, sizeof bits);
    }
    return true;
}

// ---- str, bytes ----

static ALWAYS_INLINE bool take_str(Reader *r, uint32_t size, PychoralStr **out)
{
    if (bytes_left(r) < size)
        return cut_off(r);
    PychoralText text = pychoral_utf8_check(r->at, size);
    if (text > PYCHORAL_TEXT_UTF8)
        return pychoral_read_junk(r, "text that is not UTF-8");
    *out = pychoral_str_checked(r->at, size, text == PYCHORAL_TEXT_ASCII);
    r->at += size;
    return *out != NULL || pychoral_read_no_memory(r);
}

static NOINLINE bool read_long_str(Reader *r, const PychoralType *type, PychoralStr **out)
{
    static const uint32_t least[] = {32, 0x100, 0x10000};
    unsigned b = r->at < r->end ? *r->at : 0xc1;
    uint32_t size = 0;
    if (b < 0xd9 || b > 0xdb)
        return pychoral_read_refuse(r, type);
    return read_size(r, 1u << (b - 0xd9), least[b - 0xd9], &size) && take_str(r, size, out);
}

static NOINLINE bool read_str(Reader *r, const PychoralType *type, PychoralStr **out)
{
    unsigned b = r->at < r->end ? *r->at : 0xc1;
    if (b < 0xa0 || b > 0xbf)
        return read_long_str(r, type, out);
    r->at++;
    return take_str(r, b & 0x1f, out);
}

bool pychoral_read_outside(Reader *r, const PychoralFrame **frame)
{
    if (r->next >= r->count)
        return pychoral_read_junk(r, "a frame is missing");
    *frame = &r->buffers[r->next++];
    return (*frame)->size >= PYCHORAL_LARGE ||
           pychoral_read_junk(r, "a small part in a separate frame");
}

static bool read_lent_bytes(Reader *r, const PychoralType *type, PychoralBytes **out)
{
    const unsigned char *start = r->at;
    Extension extension;
    const PychoralFrame *frame;
    if (!pychoral_read_extension(r, &extension))
        return false;
    if (extension.code != EXT_OUTSIDE || extension.size == 0 || extension.body[0] != 0) {
        r->at = start;
        return pychoral_read_refuse(r, type);
    }
    if (extension.size != 3 || load16(extension.body + 1) != r->next)
        return pychoral_read_junk(r, "a wrong frame number");
    if (!pychoral_read_outside(r, &frame))
        return false;
    *out = frame->owner != NULL ? pychoral_bytes_borrow(frame->owner, frame->data, frame->size)
                                : pychoral_bytes_new(frame->data, frame->size);
    return *out != NULL || pychoral_read_no_memory(r);
}

static NOINLINE bool read_bytes(Reader *r, const PychoralType *type, PychoralBytes **out)
{
    unsigned b = r->at < r->end ? *r->at : 0xc1;
    uint32_t size = 0;
    if (pychoral_came(r) == CAME_BYTES && (b < 0xc4 || b > 0xc6))
        return read_lent_bytes(r, type, out);
    if (b < 0xc4 || b > 0xc6)
        return pychoral_read_refuse(r, type);
    static const uint32_t least[] = {0, 0x100, 0x10000};
    if (!read_size(r, 1u << (b - 0xc4), least[b - 0xc4], &size))
        return false;
    if (bytes_left(r) < size)
        return cut_off(r);
    if (size >= PYCHORAL_LARGE)
        return pychoral_read_junk(r, "a large part without a separate frame");
    *out = pychoral_bytes_new(r->at, size);
    r->at += size;
    return *out != NULL || pychoral_read_no_memory(r);
}

// ---- enums, literals, boxes ----

static NOINLINE bool read_enum(Reader *r, const PychoralType *type, uint32_t *out)
{
    const unsigned char *start = r->at;
    Extension extension;
    if (pychoral_came(r) != CAME_ENUM)
        return pychoral_read_refuse(r, type);
    if (!pychoral_read_extension(r, &extension))
        return false;
    const unsigned char *at = extension.body, *end = at + extension.size;
    uint64_t number, member;
    if (!pychoral_read_uint(r, &at, end, &number) || !pychoral_read_uint(r, &at, end, &member))
        return false;
    if (at != end)
        return pychoral_read_junk(r, "extra bytes after the number of a member");
    if (number != type->number) {
        r->at = start;
        return pychoral_read_refuse(r, type);
    }
    if (member >= type->count)
        return pychoral_read_fault(r, type->name, "a number that stands for no member of it");
    *out = (uint32_t)member;
    return true;
}

// What a value is, with a bool in the place of an int taken for what it is.
static PychoralKind kind_of(const PychoralType *type, const void *value)
{
    pychoral_unwrap(&type, &value);
    bool truth = type->kind == PYCHORAL_INT && pychoral_int_is_bool(*(const PychoralInt *)value);
    return truth ? PYCHORAL_BOOL : type->kind;
}

// True is not Literal[1]: they are equal, and not the same.
static bool is_same(const PychoralType *type, const void *a, const void *b)
{
    return kind_of(type, a) == kind_of(type, b) && pychoral_equal(type, a, b);
}

// What is kept in another form than it has on the wire.
static bool read_as_wire(Reader *r, const PychoralType *type, void *out)
{
    void *room = malloc(type->key->size);
    if (room == NULL)
        return pychoral_read_no_memory(r);
    bool done = pychoral_read_value(r, type->key, room);
    if (done) {
        memset(out, 0, type->size);
        pychoral_convert_own(type->key, room, type->element, out);
        pychoral_release(type->key, room);
    }
    free(room);
    return done;
}

static NOINLINE bool read_literal(Reader *r, const PychoralType *type, void *out)
{
    const PychoralType *inner = type->element;
    const char *literals = type->literals;
    const unsigned char *start = r->at;
    if (type->key != NULL)
        return read_as_wire(r, type, out);
    if (literals == NULL)
        return pychoral_read_dict(r, type, out);
    if (!pychoral_read_value(r, inner, out))
        return r->at == start && !r->why->whole && pychoral_read_refuse(r, type);
    for (uint32_t i = 0; i < type->count; i++)
        if (is_same(inner, out, literals + (size_t)i * inner->size))
            return true;
    pychoral_release(inner, out);
    return pychoral_read_fault(r, type->name, "another value");
}

NOINLINE bool pychoral_read_boxed(Reader *r, const PychoralType *type, const PychoralType *of,
                                  PychoralBox **out)
{
    PychoralBox *box = malloc(sizeof *box + of->size);
    if (box == NULL)
        return pychoral_read_no_memory(r);
    if (!pychoral_read_value(r, of, box->value)) {
        free(box);
        return false;
    }
    box->object = (PychoralObject){.head = {.refs = 1}, .type = type};
    *out = box;
    return true;
}

// ---- any value ----

// Only jumps: what a kind needs of the stack, and the guard of it, is in the function of the kind.
bool pychoral_read_value(Reader *r, const PychoralType *type, void *out)
{
    switch (type->kind) {
    case PYCHORAL_NONE: return read_none(r, type, out);
    case PYCHORAL_BOOL: return read_bool(r, type, out);
    case PYCHORAL_INT: return pychoral_read_int(r, type, out);
    case PYCHORAL_FLOAT: return read_float(r, type, out);
    case PYCHORAL_COMPLEX: return read_complex(r, type, out);
    case PYCHORAL_STR: return read_str(r, type, out);
    case PYCHORAL_BYTES: return read_bytes(r, type, out);
    case PYCHORAL_LIST: return pychoral_read_list(r, type, out);
    case PYCHORAL_SEQUENCE: return pychoral_read_sequence(r, type, out);
    case PYCHORAL_TUPLE: return pychoral_read_tuple(r, type, out);
    case PYCHORAL_DICT: return pychoral_read_dict(r, type, out);
    case PYCHORAL_SET:
    case PYCHORAL_FROZENSET: return pychoral_read_set(r, type, out);
    case PYCHORAL_ENUM: return read_enum(r, type, out);
    case PYCHORAL_DATACLASS: return pychoral_read_object(r, type, out);
    case PYCHORAL_UNION: return pychoral_read_union(r, type, out);
    case PYCHORAL_NDARRAY: return pychoral_read_array_of_numbers(r, type, out);
    case PYCHORAL_BOX: return pychoral_read_boxed(r, type, type->element, out);
    case PYCHORAL_LITERAL: return read_literal(r, type, out);
    case PYCHORAL_OBJECT: return pychoral_read_object_of_any(r, type, out);
    case PYCHORAL_FUNCTION:
    case PYCHORAL_ITERATOR:
    case PYCHORAL_RANGE:
    case PYCHORAL_CHANNEL: break;
    }
    return false;
}

static bool explain(const PychoralWireFault *why, PychoralFault *fault)
{
    if (why->memory)
        return pychoral_fault_set(fault, PYCHORAL_EXIT_OWN_ERROR, "out of memory");
    bool whole = why->whole || why->path[0] == '\0';
    return pychoral_fault_set(fault, PYCHORAL_EXIT_PROTOCOL, "expected %s%s%s%s, but received %s",
                              why->expected, whole ? "" : " at `", whole ? "" : why->path,
                              whole ? "" : "`", why->came);
}

static bool check_size(Reader *r, const PychoralFrame *frames, size_t count)
{
    uint64_t total = frames[0].size;
    for (size_t i = 1; i < count; i++)
        total += frames[i].size;
    r->tries = 1000 + 4 * (uint64_t)frames[0].size;
    return total <= PYCHORAL_MAX_BYTES ||
           pychoral_read_fault(r, "a message within the size limit", "a longer one");
}

static ALWAYS_INLINE bool read_whole(const PychoralType *type, const PychoralFrame *frames,
                                     size_t count, void *value, PychoralWireFault *why)
{
    static const PychoralFrame nothing = {"", 0, NULL};
    why->memory = false;
    why->whole = false;
    why->path[0] = '\0';
    if (count == 0)
        frames = &nothing, count = 1;
    Reader r = {.at = frames[0].data,
                .end = (const unsigned char *)frames[0].data + frames[0].size,
                .convert = CONVERT_NUMBERS,
                .buffers = frames + 1,
                .count = count - 1,
                .why = why};
    if (!check_size(&r, frames, count) || !pychoral_read_value(&r, type, value))
        return false;
    if (r.at == r.end && r.next == r.count)
        return true;
    pychoral_release(type, value);
    return pychoral_read_junk(&r, r.at == r.end ? "a frame too many"
                                                : "extra bytes after the value");
}

// Whether the one frame is a scalar, which is then read. Without a PychoralWireFault, whose
// arrays have the compiler guard the stack: that costs a quarter of the time of an int.
static inline bool read_lone_scalar(const PychoralType *type, const PychoralFrame *frame,
                                    void *value)
{
    const unsigned char *at = frame->data, *end = at + frame->size;
    return type->kind <= PYCHORAL_FLOAT && at < end && take_scalar(at, end, type, value) == end;
}

static NOINLINE bool decode_any(const PychoralType *type, const PychoralFrame *frames,
                                size_t count, void *value, PychoralFault *fault)
{
    PychoralWireFault why;
    return read_whole(type, frames, count, value, &why) || explain(&why, fault);
}

bool pychoral_decode(const PychoralType *type, const PychoralFrame *frames, size_t count,
                     void *value, PychoralFault *fault)
{
    return (count == 1 && read_lone_scalar(type, frames, value)) ||
           decode_any(type, frames, count, value, fault);
}

bool pychoral_decode_part(const PychoralType *type, const PychoralFrame *frames, size_t count,
                          void *value, PychoralWireFault *why)
{
    return read_whole(type, frames, count, value, why);
}

bool pychoral_decode_own(const PychoralType *type, const PychoralFrame *frames, size_t count,
                         void *value, PychoralFault *fault)
{
    PychoralWireFault why;
    return read_whole(type, frames, count, value, &why) || pychoral_explain_sent(&why, fault);
}
