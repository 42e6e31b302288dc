// bytes.c - bytes as a sequence, made, put together and searched (bytes.h).

#include "bytes.h"

#include "items.h"
#include "iterating.h"
#include "number.h"
#include "text.h"

PychoralBytes pychoral_empty_bytes = PYCHORAL_CONSTANT("", 0);

// ---- as a sequence ----

int64_t pychoral_bytes_at(const PychoralBytes *s, int64_t index)
{
    int64_t length = (int64_t)s->size;
    if (index < 0)
        index += length;
    if (index < 0 || index >= length) {
        pychoral_throw(&pychoral_type_IndexError, "index out of range");
        return 0;
    }
    return (unsigned char)s->data[index];
}

PychoralBytes *pychoral_bytes_slice(const PychoralBytes *s, int64_t start, int64_t stop,
                                    int64_t step)
{
    if (step == 0) {
        pychoral_throw(&pychoral_type_ValueError, "slice step cannot be zero");
        return NULL;
    }
    size_t count = pychoral_text_slice((int64_t)s->size, &start, &stop, step);
    if (count == 0)
        return &pychoral_empty_bytes;
    if (step == 1)
        return pychoral_text_part(s, false, (size_t)start, count);
    PychoralBytes *slice = pychoral_must(pychoral_bytes_room(count, 0));
    char *to = (char *)slice->data;
    for (size_t i = 0; i < count; i++)
        to[i] = s->data[(size_t)start + i * (size_t)step];
    return slice;
}

typedef struct Cells {
    PychoralBytes *s;
    size_t at;
} Cells;

static const PychoralField HELD_FIELDS[] = {{.type = &pychoral_type_bytes}};
static const PychoralType HELD = {
    .kind = PYCHORAL_TUPLE, .size = sizeof(Cells), .count = 1, .fields = HELD_FIELDS};
static const PychoralType ITERATOR = {.kind = PYCHORAL_ITERATOR, .size = sizeof(PychoralIterator *),
                                      .element = &pychoral_type_int, .name = "bytes_iterator"};

static bool next_byte(PychoralIterator *self, void *item)
{
    Cells *cells = (Cells *)self->cells;
    if (cells->at == cells->s->size)
        return false;
    *(PychoralInt *)item = pychoral_int((unsigned char)cells->s->data[cells->at++]);
    return true;
}

PychoralIterator *pychoral_bytes_iter(const PychoralBytes *s)
{
    PychoralIterator *iterator = pychoral_iterator_new(&ITERATOR, &HELD, next_byte);
    Cells *cells = (Cells *)iterator->cells;
    *cells = (Cells){pychoral_same(s), 0};
    return iterator;
}

static bool is_byte(int64_t byte)
{
    if (byte >= 0 && byte < 256)
        return true;
    pychoral_throw(&pychoral_type_ValueError, "byte must be in range(0, 256)");
    return false;
}

bool pychoral_bytes_contains(const PychoralBytes *s, const PychoralBytes *part)
{
    return pychoral_text_find(s->data, s->size, part->data, part->size) != NULL;
}

bool pychoral_bytes_contains_byte(const PychoralBytes *s, int64_t byte)
{
    return is_byte(byte) && s->size > 0 && memchr(s->data, (int)byte, s->size) != NULL;
}

PychoralBytes *pychoral_bytes_add(const PychoralBytes *a, const PychoralBytes *b)
{
    return pychoral_str_add(a, b);
}

void pychoral_bytes_append(PychoralBytes **s, const PychoralBytes *right)
{
    pychoral_str_append(s, right);
}

PychoralBytes *pychoral_bytes_repeat(const PychoralBytes *s, int64_t times)
{
    if (times <= 0 || s->size == 0)
        return &pychoral_empty_bytes;
    return pychoral_text_repeat(s, false, times);
}

PychoralBytes *pychoral_bytes_join(const PychoralBytes *s, PychoralIterator *items)
{
    return pychoral_text_join(s, false, items);
}

int64_t pychoral_bytes_ord(const PychoralBytes *s)
{
    if (s->size == 1)
        return (unsigned char)s->data[0];
    pychoral_throw(&pychoral_type_TypeError,
                   "ord() expected a character, but string of length %zu found", s->size);
    return 0;
}

// ---- making them ----

PychoralBytes *pychoral_bytes_zeros(int64_t count)
{
    if (count < 0) {
        pychoral_throw(&pychoral_type_ValueError, "negative count");
        return NULL;
    }
    PychoralBytes *zeros =
        (uint64_t)count > PYCHORAL_TEXT_MOST ? NULL : pychoral_bytes_room((size_t)count, 0);
    if (zeros == NULL)
        return pychoral_text_too_large();
    memset((char *)zeros->data, 0, (size_t)count);
    return zeros;
}

PychoralBytes *pychoral_bytes_of(PychoralIterator *ints)
{
    PychoralOut out = {0};
    for (PychoralInt item; ints->next(ints, &item);) {
        bool fits = !pychoral_int_is_big(item) && item.small >= 0 && item.small < 256;
        if (!fits) {
            pychoral_drop_int(&item);
            pychoral_throw(&pychoral_type_ValueError, "bytes must be in range(0, 256)");
            return pychoral_out_drop(&out);
        }
        pychoral_out_byte(&out, (char)item.small);
    }
    return pychoral_raised != NULL ? pychoral_out_drop(&out) : pychoral_out_as_bytes(&out);
}

static PychoralBytes *bytes_of_any(PychoralIterator *items)
{
    PychoralOut out = {0};
    for (PychoralAny item; pychoral_next_item(items, &item);) {
        PychoralRef seen = pychoral_look(&pychoral_type_object, &item);
        int64_t byte = -1;
        if (seen.type->kind == PYCHORAL_BOOL)
            byte = *(const bool *)seen.value;
        else if (seen.type->kind == PYCHORAL_INT)
            byte = pychoral_int_clip(*(const PychoralInt *)seen.value);
        else
            pychoral_throw(&pychoral_type_TypeError, "'%s' object cannot be interpreted as an "
                           "integer", pychoral_type_name(seen));
        if (pychoral_raised == NULL && (byte < 0 || byte > 255))
            pychoral_throw(&pychoral_type_ValueError, "bytes must be in range(0, 256)");
        pychoral_release(&pychoral_type_object, &item);
        if (pychoral_raised != NULL)
            return pychoral_out_drop(&out);
        pychoral_out_byte(&out, (char)byte);
    }
    return pychoral_raised != NULL ? pychoral_out_drop(&out) : pychoral_out_as_bytes(&out);
}

PychoralBytes *pychoral_bytes_from(PychoralRef value)
{
    PychoralRef seen = pychoral_look(value.type, value.value);
    switch (seen.type->kind) {
    case PYCHORAL_BOOL: return pychoral_bytes_zeros(*(const bool *)seen.value);
    case PYCHORAL_INT:
        return pychoral_bytes_zeros(pychoral_int_clip(*(const PychoralInt *)seen.value));
    case PYCHORAL_STR:
        pychoral_throw(&pychoral_type_TypeError, "string argument without an encoding");
        return NULL;
    case PYCHORAL_NONE:
    case PYCHORAL_FLOAT:
    case PYCHORAL_COMPLEX:
        pychoral_throw(&pychoral_type_TypeError, "cannot convert '%s' object to bytes",
                       pychoral_type_name(seen));
        return NULL;
    default: break;
    }
    PychoralIterator *items = pychoral_iter(&pychoral_type_object, seen);
    if (items == NULL)
        return NULL;
    PychoralBytes *made = bytes_of_any(items);
    pychoral_iterator_drop(items);
    return made;
}

static int hex_digit(char digit)
{
    char lower = digit | 0x20;
    return digit >= '0' && digit <= '9' ? digit - '0'
           : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10
                                          : -1;
}

static bool is_ascii_space(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static void *not_hex(const PychoralStr *text, const char *at)
{
    pychoral_throw(&pychoral_type_ValueError,
                   "non-hexadecimal number found in fromhex() arg at position %zu",
                   pychoral_str_place(text, (size_t)(at - text->data)));
    return NULL;
}

PychoralBytes *pychoral_bytes_fromhex(const PychoralStr *text)
{
    PychoralOut out = {0};
    const char *at = text->data, *end = at + text->size, *wide = at;
    while (wide < end && (unsigned char)*wide < 0x80)
        wide++;
    if (wide < end)  // is complained of first, wherever it is
        return not_hex(text, wide);
    while (at < end) {
        if (is_ascii_space(*at)) {
            at++;
            continue;
        }
        int high = hex_digit(at[0]), low = high < 0 || at + 1 == end ? -1 : hex_digit(at[1]);
        if (low < 0) {
            pychoral_out_drop(&out);
            return not_hex(text, at + (high >= 0));
        }
        pychoral_out_byte(&out, (char)(high << 4 | low));
        at += 2;
    }
    return pychoral_out_as_bytes(&out);
}

// ---- hex ----

// The separator of an argument; 0: none; -1: raised.
static int separator_of(const PychoralStr *sep)
{
    if (sep == NULL)
        return 0;
    if (pychoral_str_len(sep) != 1) {
        pychoral_throw(&pychoral_type_ValueError, "sep must be length 1.");
        return -1;
    }
    if (!pychoral_str_is_ascii(sep)) {
        pychoral_throw(&pychoral_type_ValueError, "sep must be ASCII.");
        return -1;
    }
    return sep->data[0];
}

PychoralStr *pychoral_bytes_hex(const PychoralBytes *s, const PychoralStr *sep, int64_t group)
{
    static const char digits[] = "0123456789abcdef";
    PychoralOut out = {0};
    int separator = separator_of(sep);
    if (separator < 0)
        return NULL;
    uint64_t each = group < 0 ? 0 - (uint64_t)group : (uint64_t)group;
    for (size_t i = 0; i < s->size; i++) {
        size_t distance = group < 0 ? i : s->size - i;  // groups start at the right end, or left
        if (sep != NULL && each != 0 && i > 0 && distance % each == 0)
            pychoral_out_byte(&out, (char)separator);
        unsigned char byte = (unsigned char)s->data[i];
        pychoral_out_byte(&out, digits[byte >> 4]);
        pychoral_out_byte(&out, digits[byte & 0xf]);
    }
    return pychoral_out_str(&out);
}

// ---- searching ----

static bool bounds_of(const PychoralBytes *s, int64_t *start, int64_t *end)
{
    return pychoral_text_bounds((int64_t)s->size, start, end);
}

bool pychoral_bytes_startswith(const PychoralBytes *s, const PychoralBytes *prefix, int64_t start,
                               int64_t end)
{
    return bounds_of(s, &start, &end) && (size_t)(end - start) >= prefix->size &&
           memcmp(s->data + start, prefix->data, prefix->size) == 0;
}

bool pychoral_bytes_endswith(const PychoralBytes *s, const PychoralBytes *suffix, int64_t start,
                             int64_t end)
{
    return bounds_of(s, &start, &end) && (size_t)(end - start) >= suffix->size &&
           memcmp(s->data + (size_t)end - suffix->size, suffix->data, suffix->size) == 0;
}

typedef bool Test(const PychoralBytes *s, const PychoralBytes *part, int64_t start, int64_t end);

static bool any_of(const PychoralBytes *s, PychoralRef parts, int64_t start, int64_t end,
                   Test *test)
{
    parts = pychoral_look(parts.type, parts.value);
    if (parts.type->kind == PYCHORAL_BYTES)
        return test(s, *(PychoralBytes *const *)parts.value, start, end);
    for (size_t i = 0; i < pychoral_tuple_count(parts); i++) {
        PychoralRef part = pychoral_tuple_item(parts, i);
        if (part.type->kind != PYCHORAL_BYTES) {
            pychoral_throw(&pychoral_type_TypeError,
                           "a bytes-like object is required, not '%s'", pychoral_type_name(part));
            return false;
        }
        if (test(s, *(PychoralBytes *const *)part.value, start, end))
            return true;
    }
    return false;
}

bool pychoral_bytes_startswith_any(const PychoralBytes *s, PychoralRef prefixes, int64_t start,
                                   int64_t end)
{
    return any_of(s, prefixes, start, end, pychoral_bytes_startswith);
}

bool pychoral_bytes_endswith_any(const PychoralBytes *s, PychoralRef suffixes, int64_t start,
                                 int64_t end)
{
    return any_of(s, suffixes, start, end, pychoral_bytes_endswith);
}

int64_t pychoral_bytes_find(const PychoralBytes *s, const PychoralBytes *sub, int64_t start,
                            int64_t end)
{
    if (!bounds_of(s, &start, &end))
        return -1;
    const char *at =
        pychoral_text_find(s->data + start, (size_t)(end - start), sub->data, sub->size);
    return at == NULL ? -1 : at - s->data;
}

int64_t pychoral_bytes_rfind(const PychoralBytes *s, const PychoralBytes *sub, int64_t start,
                             int64_t end)
{
    if (!bounds_of(s, &start, &end))
        return -1;
    const char *at =
        pychoral_text_rfind(s->data + start, (size_t)(end - start), sub->data, sub->size);
    return at == NULL ? -1 : at - s->data;
}

static int64_t must_be_found(int64_t place)
{
    if (place < 0)
        pychoral_throw(&pychoral_type_ValueError, "subsection not found");
    return place < 0 ? 0 : place;
}

int64_t pychoral_bytes_index(const PychoralBytes *s, const PychoralBytes *sub, int64_t start,
                             int64_t end)
{
    return must_be_found(pychoral_bytes_find(s, sub, start, end));
}

int64_t pychoral_bytes_rindex(const PychoralBytes *s, const PychoralBytes *sub, int64_t start,
                              int64_t end)
{
    return must_be_found(pychoral_bytes_rfind(s, sub, start, end));
}

int64_t pychoral_bytes_count(const PychoralBytes *s, const PychoralBytes *sub, int64_t start,
                             int64_t end)
{
    if (!bounds_of(s, &start, &end))
        return 0;
    if (sub->size == 0)
        return end - start + 1;
    return (int64_t)pychoral_text_count(s->data + start, (size_t)(end - start), sub->data,
                                        sub->size, SIZE_MAX);
}

// One byte as bytes, in the room of the caller.
static const PychoralBytes *of_byte(PychoralBytes *room, char *data, int64_t byte)
{
    *data = (char)byte;
    *room = (PychoralBytes){.head = {.refs = PYCHORAL_IMMORTAL}, .size = 1, .data = data};
    return room;
}

typedef int64_t Search(const PychoralBytes *s, const PychoralBytes *sub, int64_t start,
                       int64_t end);

static int64_t search_byte(const PychoralBytes *s, int64_t byte, int64_t start, int64_t end,
                           Search *search)
{
    PychoralBytes room;
    char data;
    return is_byte(byte) ? search(s, of_byte(&room, &data, byte), start, end) : 0;
}

int64_t pychoral_bytes_find_byte(const PychoralBytes *s, int64_t byte, int64_t start, int64_t end)
{
    return search_byte(s, byte, start, end, pychoral_bytes_find);
}

int64_t pychoral_bytes_rfind_byte(const PychoralBytes *s, int64_t byte, int64_t start, int64_t end)
{
    return search_byte(s, byte, start, end, pychoral_bytes_rfind);
}

int64_t pychoral_bytes_index_byte(const PychoralBytes *s, int64_t byte, int64_t start, int64_t end)
{
    return search_byte(s, byte, start, end, pychoral_bytes_index);
}

int64_t pychoral_bytes_rindex_byte(const PychoralBytes *s, int64_t byte, int64_t start,
                                   int64_t end)
{
    return search_byte(s, byte, start, end, pychoral_bytes_rindex);
}

int64_t pychoral_bytes_count_byte(const PychoralBytes *s, int64_t byte, int64_t start, int64_t end)
{
    return search_byte(s, byte, start, end, pychoral_bytes_count);
}
