// percent.c - text % values and bytes % values (format.h).

#include <limits.h>
#include <stdlib.h>

#include "call.h"
#include "dict.h"
#include "float_repr.h"
#include "format_parts.h"
#include "number.h"

// Flags of a conversion.
enum { LEFT = 1, SIGN = 2, BLANK = 4, ALTERNATE = 8, ZERO = 16 };

// A conversion as it has been read: "%-8.3f".
typedef struct Conversion {
    unsigned flags;
    int64_t width, precision;  // precision -1: none
    uint32_t letter;
} Conversion;

typedef struct Percent {
    bool is_text;
    const char *start, *at, *end;
    PychoralRef values;
    bool is_tuple, is_mapping, used;
    size_t next, count;           // of a tuple
    PychoralRef current;          // what a key has chosen
    bool has_current, current_used;
    PychoralOut out;
} Percent;

static bool fail(const PychoralType *kind, const char *why)
{
    pychoral_throw(kind, "%s", why);
    return false;
}

// ---- values ----

static bool is_mapping(PychoralRef values)
{
    switch (values.type->kind) {
    case PYCHORAL_DICT:
    case PYCHORAL_LIST:
    case PYCHORAL_RANGE:
    case PYCHORAL_NDARRAY:
        return true;
    case PYCHORAL_DATACLASS:
        return pychoral_find_method(values.type, "__getitem__") != NULL;
    default:
        return false;
    }
}

// The next value; false: raised, there is none.
static bool next_value(Percent *p, PychoralRef *value)
{
    if (p->has_current && !p->current_used) {
        p->current_used = true;
        *value = p->current;
        return true;
    }
    if (!p->has_current && p->is_tuple && p->next < p->count) {
        *value = pychoral_tuple_item(p->values, p->next++);
        return true;
    }
    if (!p->has_current && !p->is_tuple && !p->used) {
        p->used = true;
        *value = p->values;
        return true;
    }
    return fail(&pychoral_type_TypeError, "not enough arguments for format string");
}

// What the key between brackets chooses from a dict; false: raised.
static bool choose(Percent *p, const char *key, size_t size)
{
    if (!p->is_mapping)
        return fail(&pychoral_type_TypeError, "format requires a mapping");
    if (p->values.type->kind != PYCHORAL_DICT)
        return fail(&pychoral_type_TypeError,
                    !p->is_text ? "list indices must be integers or slices, not bytes"
                    : p->values.type->kind == PYCHORAL_BYTES
                        ? "byte indices must be integers or slices, not str"
                        : "list indices must be integers or slices, not str");
    const PychoralType *type = p->is_text ? &pychoral_type_str : &pychoral_type_bytes;
    PychoralBytes *name = pychoral_must(p->is_text ? pychoral_str_new(key, size)
                                                   : pychoral_bytes_new(key, size));
    const void *found = pychoral_dict_find(*(PychoralTable *const *)p->values.value,
                                           (PychoralRef){type, &name});
    if (found != NULL)
        p->current = pychoral_look(p->values.type->element, found);
    p->has_current = true;
    p->current_used = false;
    pychoral_drop_str(&name);
    return found != NULL;
}

bool pychoral_ref_int(PychoralRef ref, PychoralInt *to)
{
    if (ref.type->kind == PYCHORAL_BOOL)
        *to = pychoral_int(*(const bool *)ref.value);
    else if (ref.type->kind == PYCHORAL_INT)
        *to = *(const PychoralInt *)ref.value;
    else if (ref.type->kind == PYCHORAL_ENUM && ref.type->element != NULL &&
             ref.type->element->kind == PYCHORAL_INT)
        *to = ((const PychoralInt *)ref.type->literals)[*(const uint32_t *)ref.value];
    else
        return false;
    return true;
}

// ---- reading a conversion ----

static bool incomplete(void)
{
    return fail(&pychoral_type_ValueError, "incomplete format");
}

// "(key)", with brackets in pairs within.
static bool read_key(Percent *p)
{
    const char *key = ++p->at;
    for (int depth = 1; p->at < p->end; p->at++) {
        depth += (*p->at == '(') - (*p->at == ')');
        if (depth == 0)
            return choose(p, key, (size_t)(p->at++ - key));
    }
    if (!p->is_mapping)
        return fail(&pychoral_type_TypeError, "format requires a mapping");
    return fail(&pychoral_type_ValueError, "incomplete format key");
}

static unsigned flag_of(char letter)
{
    switch (letter) {
    case '-': return LEFT;
    case '+': return SIGN;
    case ' ': return BLANK;
    case '#': return ALTERNATE;
    case '0': return ZERO;
    default: return 0;
    }
}

// "*": a value; false: raised.
static bool read_star(Percent *p, int64_t most, const char *too_large, int64_t *number)
{
    PychoralRef value;
    PychoralInt given;
    p->at++;
    if (!next_value(p, &value))
        return false;
    if (!pychoral_ref_int(value, &given))
        return fail(&pychoral_type_TypeError, "* wants int");
    *number = given.small;
    if (!pychoral_int_is_big(given) && given.small <= most && given.small >= -most - 1)
        return true;
    return fail(&pychoral_type_OverflowError, too_large);
}

static bool read_number(Percent *p, int64_t most, const char *too_large, int64_t *number)
{
    for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++) {
        int digit = *p->at - '0';
        if (*number > (most - digit) / 10)
            return fail(&pychoral_type_ValueError, too_large);
        *number = *number * 10 + digit;
    }
    return true;
}

static bool read_width(Percent *p, Conversion *to)
{
    if (p->at == p->end || *p->at != '*')
        return read_number(p, INT64_MAX, "width too big", &to->width);
    if (!read_star(p, INT64_MAX, "Python int too large to convert to C ssize_t", &to->width))
        return false;
    if (to->width < 0) {
        to->flags |= LEFT;
        to->width = to->width == INT64_MIN ? 0 : -to->width;
    }
    return true;
}

static bool read_precision(Percent *p, Conversion *to)
{
    if (p->at == p->end || *p->at != '.')
        return true;
    p->at++;
    to->precision = 0;
    if (p->at == p->end || *p->at != '*')
        return read_number(p, INT_MAX, "precision too big", &to->precision);
    if (!read_star(p, INT_MAX, "Python int too large to convert to C int", &to->precision))
        return false;
    if (to->precision < 0)
        to->precision = 0;
    return true;
}

static bool read_conversion(Percent *p, Conversion *to)
{
    *to = (Conversion){.precision = -1};
    if (p->at < p->end && *p->at == '(' && !read_key(p))
        return false;
    for (unsigned flag; p->at < p->end && (flag = flag_of(*p->at)) != 0; p->at++)
        to->flags |= flag;
    if (!read_width(p, to) || !read_precision(p, to))
        return false;
    if (p->at < p->end && (*p->at == 'h' || *p->at == 'l' || *p->at == 'L'))
        p->at++;
    if (p->at == p->end)
        return incomplete();
    if (p->is_text)
        to->letter = pychoral_utf8_next(&p->at);
    else
        to->letter = (unsigned char)*p->at++;
    if (!p->is_text && to->letter == 'i')
        to->letter = 'd';
    return true;
}

// ---- writing one ----

// What has been converted, without a sign, with a prefix of two ("0x") or none.
typedef struct Piece {
    const char *data;
    size_t size, length;      // bytes, characters
    uint32_t flags;           // of a str
    bool prefixed;
} Piece;

static Piece ascii_piece(const char *data, size_t size)
{
    return (Piece){.data = data, .size = size, .length = size, .flags = PYCHORAL_ASCII};
}

// Writes it with its sign and padding.
static bool put(Percent *p, const Conversion *c, char sign, Piece piece)
{
    size_t taken = piece.length + (sign != '\0'), front = piece.prefixed ? 2 : 0;
    if (c->width > (int64_t)PYCHORAL_TEXT_MOST) {
        pychoral_text_too_large();
        return false;
    }
    size_t padding = c->width > (int64_t)taken ? (size_t)c->width - taken : 0;
    bool zeros = c->flags & ZERO;
    if (!zeros && !(c->flags & LEFT))
        pychoral_out_fill(&p->out, ' ', padding);
    if (sign != '\0')
        pychoral_out_byte(&p->out, sign);
    pychoral_out_bytes(&p->out, piece.data, front);
    if (zeros && !(c->flags & LEFT))
        pychoral_out_fill(&p->out, '0', padding);
    pychoral_out_bytes(&p->out, piece.data + front, piece.size - front);
    if (p->is_text)
        pychoral_out_note(&p->out, piece.flags);
    if (c->flags & LEFT)
        pychoral_out_fill(&p->out, ' ', padding);
    return true;
}

// The same, of what is no number; lets go of it. NULL: raised.
static bool put_text(Percent *p, Conversion c, PychoralStr *text)
{
    if (text == NULL)
        return false;
    c.flags &= LEFT;
    int64_t length = p->is_text ? pychoral_str_len(text) : pychoral_bytes_len(text);
    if (c.precision >= 0 && c.precision < length) {
        PychoralStr *whole = text;
        text = p->is_text ? pychoral_str_slice(whole, 0, c.precision, 1)
                          : pychoral_bytes_slice(whole, 0, c.precision, 1);
        pychoral_drop_str(&whole);
    }
    Piece piece = {.data = text->data, .size = text->size, .flags = text->head.flags};
    piece.length = (size_t)(p->is_text ? pychoral_str_len(text) : pychoral_bytes_len(text));
    bool done = put(p, &c, '\0', piece);
    pychoral_drop_str(&text);
    return done;
}

static char sign_of(bool negative, unsigned flags)
{
    return negative ? '-' : flags & SIGN ? '+' : flags & BLANK ? ' ' : '\0';
}

static bool wrong_type(uint32_t letter, PychoralRef value)
{
    bool whole = letter == 'o' || letter == 'x' || letter == 'X';
    pychoral_throw(&pychoral_type_TypeError, "%%%c format: %s is required, not %s", (char)letter,
                   whole ? "an integer" : "a real number", pychoral_type_name(value));
    return false;
}

// The int that a value is for a letter, owned; false: raised.
static bool int_of(uint32_t letter, PychoralRef value, PychoralInt *to)
{
    if (pychoral_ref_int(value, to)) {
        pychoral_keep_int(*to);
        return true;
    }
    bool rounds = letter == 'd' || letter == 'i' || letter == 'u';
    if (value.type->kind == PYCHORAL_FLOAT && rounds) {
        *to = pychoral_int_from_float(*(const double *)value.value);
        return pychoral_raised == NULL;
    }
    return wrong_type(letter, value);
}

// "0x", then zeros up to the precision, then the digits, in memory of the caller's.
static char *digits_of(PychoralInt number, const Conversion *c, size_t *all)
{
    char letter = (char)c->letter;
    int base = letter == 'o' ? 8 : letter == 'x' || letter == 'X' ? 16 : 10;
    size_t size;
    char *digits = pychoral_spec_digits(number, base, letter == 'X', &size);
    size_t prefix = base != 10 && (c->flags & ALTERNATE) ? 2 : 0;
    size_t zeros = c->precision > (int64_t)size ? (size_t)c->precision - size : 0;
    *all = prefix + zeros + size;
    if (digits == NULL || *all == size)
        return digits;
    digits = pychoral_reallocate(digits, *all);
    memmove(digits + prefix + zeros, digits, size);
    memset(digits, '0', prefix + zeros);
    if (prefix != 0)
        digits[1] = letter;
    return digits;
}

static bool put_int(Percent *p, const Conversion *c, PychoralRef value)
{
    PychoralInt number;
    if (!int_of(c->letter, value, &number))
        return false;
    if (c->precision > INT_MAX - 3) {
        pychoral_drop_int(&number);
        return fail(&pychoral_type_OverflowError, "precision too large");
    }
    bool negative = pychoral_int_is_negative(number);
    size_t size;
    char *digits = digits_of(number, c, &size);
    pychoral_drop_int(&number);
    if (digits == NULL)
        return false;
    Piece piece = ascii_piece(digits, size);
    piece.prefixed = (c->flags & ALTERNATE) && strchr("oxX", (int)c->letter) != NULL;
    bool done = put(p, c, sign_of(negative, c->flags), piece);
    free(digits);
    return done;
}

// The float that a value is; false: raised.
static bool float_of(const Percent *p, PychoralRef value, double *to)
{
    PychoralInt whole;
    bool is_int = pychoral_ref_int(value, &whole);
    if (value.type->kind == PYCHORAL_FLOAT) {
        *to = *(const double *)value.value;
        return true;
    }
    if (is_int && pychoral_int_to_float(whole, to))
        return true;
    if (is_int && p->is_text)
        return fail(&pychoral_type_OverflowError, "int too large to convert to float");
    pychoral_throw(&pychoral_type_TypeError,
                   p->is_text ? "must be real number, not %s" : "float argument required, not %s",
                   pychoral_type_name(value));
    return false;
}

static bool put_float(Percent *p, const Conversion *c, PychoralRef value)
{
    double number;
    if (!float_of(p, value, &number))
        return false;
    PychoralOut written = {0};
    int precision = c->precision < 0 ? 6 : (int)c->precision;
    pychoral_float_put(&written, number, (char)c->letter, precision, c->flags & ALTERNATE, false);
    Piece piece = ascii_piece((const char *)(written.bytes + 1), written.size);
    bool done = put(p, c, sign_of(signbit(number) && !isnan(number), c->flags), piece);
    pychoral_out_drop(&written);
    return done;
}

// The character of "%c"; false: raised.
static bool char_of(const Percent *p, PychoralRef value, uint32_t *to)
{
    PychoralInt code;
    const PychoralStr *text = NULL;
    if (value.type->kind == (p->is_text ? PYCHORAL_STR : PYCHORAL_BYTES))
        text = *(PychoralStr *const *)value.value;
    if (text != NULL && (p->is_text ? pychoral_str_len(text) : (int64_t)text->size) == 1) {
        const char *at = text->data;
        *to = p->is_text ? pychoral_utf8_next(&at) : (unsigned char)*at;
        return true;
    }
    if (!pychoral_ref_int(value, &code))
        return fail(&pychoral_type_TypeError,
                    p->is_text ? "%c requires int or char"
                               : "%c requires an integer in range(256) or a single byte");
    if (pychoral_int_is_big(code) || code.small < 0 || code.small > (p->is_text ? 0x10ffff : 0xff))
        return fail(&pychoral_type_OverflowError, p->is_text ? "%c arg not in range(0x110000)"
                                                             : "%c arg not in range(256)");
    *to = (uint32_t)code.small;
    return true;
}

static bool put_char(Percent *p, Conversion c, PychoralRef value)
{
    uint32_t character;
    if (!char_of(p, value, &character))
        return false;
    char byte = (char)character;
    c.precision = -1;
    return put_text(p, c, p->is_text ? pychoral_str_of_char(character)
                                     : pychoral_must(pychoral_bytes_new(&byte, 1)));
}

// The bytes of "%b" and "%s" in bytes, owned; NULL: raised.
static PychoralBytes *bytes_of(PychoralRef value)
{
    if (value.type->kind == PYCHORAL_BYTES)
        return pychoral_same(*(PychoralBytes *const *)value.value);
    pychoral_throw(&pychoral_type_TypeError,
                   "%%b requires a bytes-like object, or an object that implements __bytes__, "
                   "not '%s'", pychoral_type_name(value));
    return NULL;
}

static bool unsupported(const Percent *p, const Conversion *c)
{
    uint32_t letter = c->letter;
    const char *at = p->at;
    if (p->is_text)
        pychoral_utf8_before(&at);
    else
        at--;
    size_t index = 0;
    for (const char *i = p->start; i < at; i++)
        index += !p->is_text || (*i & 0xc0) != 0x80;
    pychoral_throw(&pychoral_type_ValueError,
                   "unsupported format character '%c' (0x%x) at index %zu",
                   letter >= 31 && letter <= 126 ? (char)letter : '?', (unsigned)letter, index);
    return false;
}

static bool put_value(Percent *p, const Conversion *c, PychoralRef value)
{
    switch (c->letter) {
    case 'b':
        return p->is_text ? unsupported(p, c) : put_text(p, *c, bytes_of(value));
    case 's':
        return put_text(p, *c, p->is_text ? pychoral_str_of(value) : bytes_of(value));
    case 'r':
        return put_text(p, *c, p->is_text ? pychoral_repr(value) : pychoral_ascii(value));
    case 'a': return put_text(p, *c, pychoral_ascii(value));
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X': return put_int(p, c, value);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': return put_float(p, c, value);
    case 'c': return put_char(p, *c, value);
    default: return unsupported(p, c);
    }
}

static bool put_conversion(Percent *p)
{
    Conversion c;
    PychoralRef value;
    if (!read_conversion(p, &c))
        return false;
    if (c.letter == '%' && p->at[-2] == '%') {
        pychoral_out_byte(&p->out, '%');
        return true;
    }
    return next_value(p, &value) && put_value(p, &c, value);
}

// ---- the whole ----

static bool run(Percent *p, const PychoralBytes *s)
{
    while (p->at < p->end) {
        const char *found = pychoral_text_find(p->at, (size_t)(p->end - p->at), "%", 1);
        size_t size = (size_t)((found == NULL ? p->end : found) - p->at);
        if (p->is_text)
            pychoral_out_part(&p->out, s, p->at, size);
        else
            pychoral_out_bytes(&p->out, p->at, size);
        p->at = found == NULL ? p->end : found + 1;
        if (found != NULL && !put_conversion(p))
            return false;
    }
    bool all = p->is_tuple ? p->has_current || p->next == p->count
                           : p->used || p->has_current || p->is_mapping;
    if (!all)
        pychoral_throw(&pychoral_type_TypeError,
                       "not all arguments converted during %s formatting",
                       p->is_text ? "string" : "bytes");
    return all;
}

static PychoralBytes *percent(const PychoralBytes *s, PychoralRef values, bool is_text)
{
    Percent p = {.is_text = is_text, .start = s->data, .at = s->data, .end = s->data + s->size,
                 .values = pychoral_as_tuple(pychoral_look(values.type, values.value), NULL)};
    PychoralKind kind = p.values.type->kind;
    p.is_tuple = kind == PYCHORAL_TUPLE || kind == PYCHORAL_SEQUENCE;
    p.count = p.is_tuple ? pychoral_tuple_count(p.values) : 0;
    p.is_mapping = is_mapping(p.values) || (is_text && kind == PYCHORAL_BYTES);
    if (!run(&p, s))
        return pychoral_out_drop(&p.out);
    return is_text ? pychoral_out_str(&p.out) : pychoral_out_as_bytes(&p.out);
}

PychoralStr *pychoral_str_percent(const PychoralStr *s, PychoralRef values)
{
    return percent(s, values, true);
}

PychoralBytes *pychoral_bytes_percent(const PychoralBytes *s, PychoralRef values)
{
    return percent(s, values, false);
}
