// bytes_methods.c - bytes: splitting, stripping, case, layout, translation (bytes.h).
//
// Bytes are looked at as if they were ASCII, as Python does.

#include "bytes.h"
#include "text.h"

enum { LETTERS = PYCHORAL_UPPER | PYCHORAL_LOWER };

// What an ASCII byte is; bytes beyond are nothing.
static unsigned flags_of(char byte)
{
    unsigned char code = (unsigned char)byte;
    return code < 0x80 ? pychoral_char_flags(code) : 0;
}

// Unlike those of str, spaces are those of C.
static bool is_space(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

// ---- taking apart ----

static PychoralBytes *interleave(const PychoralBytes *s, const PychoralBytes *with, int64_t count)
{
    PychoralOut out = {0};
    size_t left = count < 0 ? SIZE_MAX : (size_t)count, at = 0;
    for (; at < s->size && left > 0; left--) {
        pychoral_out_bytes(&out, with->data, with->size);
        pychoral_out_byte(&out, s->data[at++]);
    }
    if (left > 0)
        pychoral_out_bytes(&out, with->data, with->size);
    pychoral_out_bytes(&out, s->data + at, s->size - at);
    return pychoral_out_as_bytes(&out);
}

PychoralBytes *pychoral_bytes_replace(const PychoralBytes *s, const PychoralBytes *old,
                                      const PychoralBytes *with, int64_t count)
{
    return old->size == 0 ? interleave(s, with, count)
                          : pychoral_text_replace(s, false, old, with, count);
}

static size_t skip(const PychoralBytes *s, size_t at, bool space)
{
    while (at < s->size && is_space(s->data[at]) == space)
        at++;
    return at;
}

static size_t skip_back(const PychoralBytes *s, size_t at, bool space)
{
    while (at > 0 && is_space(s->data[at - 1]) == space)
        at--;
    return at;
}

static void push_span(PychoralList *list, const PychoralBytes *s, size_t from, size_t to)
{
    pychoral_text_push(list, pychoral_text_part(s, false, from, to - from));
}

PychoralList *pychoral_bytes_split(const PychoralBytes *s, const PychoralBytes *sep,
                                   int64_t maxsplit, const PychoralType *row)
{
    if (sep != NULL)
        return pychoral_text_split(s, false, sep, maxsplit, row);
    PychoralList *list = pychoral_must(pychoral_list_new(row, 0));
    size_t at = skip(s, 0, true);
    for (size_t left = (size_t)maxsplit; at < s->size && left > 0; left--) {
        size_t word = at;
        at = skip(s, at, false);
        push_span(list, s, word, at);
        at = skip(s, at, true);
    }
    if (at < s->size)
        push_span(list, s, at, s->size);
    return list;
}

PychoralList *pychoral_bytes_rsplit(const PychoralBytes *s, const PychoralBytes *sep,
                                    int64_t maxsplit, const PychoralType *row)
{
    if (sep != NULL)
        return pychoral_text_rsplit(s, false, sep, maxsplit, row);
    PychoralList *list = pychoral_must(pychoral_list_new(row, 0));
    size_t at = skip_back(s, s->size, true);
    for (size_t left = (size_t)maxsplit; at > 0 && left > 0; left--) {
        size_t end = at;
        at = skip_back(s, at, false);
        push_span(list, s, at, end);
        at = skip_back(s, at, true);
    }
    if (at > 0)
        push_span(list, s, 0, at);
    return pychoral_text_reversed(list);
}

PychoralList *pychoral_bytes_splitlines(const PychoralBytes *s, bool keepends,
                                        const PychoralType *row)
{
    PychoralList *list = pychoral_must(pychoral_list_new(row, 0));
    size_t line = 0;
    for (size_t at = 0; at < s->size;) {
        size_t end = at;
        char byte = s->data[at++];
        if (byte != '\n' && byte != '\r')
            continue;
        if (byte == '\r' && at < s->size && s->data[at] == '\n')
            at++;
        push_span(list, s, line, keepends ? at : end);
        line = at;
    }
    if (line < s->size)
        push_span(list, s, line, s->size);
    return list;
}

void pychoral_bytes_partition(const PychoralBytes *s, const PychoralBytes *sep,
                              const PychoralType *row, void *result)
{
    pychoral_text_partition(s, false, sep, row, result);
}

void pychoral_bytes_rpartition(const PychoralBytes *s, const PychoralBytes *sep,
                               const PychoralType *row, void *result)
{
    pychoral_text_rpartition(s, false, sep, row, result);
}

PychoralBytes *pychoral_bytes_removeprefix(const PychoralBytes *s, const PychoralBytes *prefix)
{
    size_t size = prefix->size;
    return pychoral_bytes_startswith(s, prefix, 0, INT64_MAX)
               ? pychoral_text_part(s, false, size, s->size - size)
               : pychoral_same(s);
}

PychoralBytes *pychoral_bytes_removesuffix(const PychoralBytes *s, const PychoralBytes *suffix)
{
    return pychoral_bytes_endswith(s, suffix, 0, INT64_MAX)
               ? pychoral_text_part(s, false, 0, s->size - suffix->size)
               : pychoral_same(s);
}

static bool is_stripped(char byte, const PychoralBytes *chars)
{
    if (chars == NULL)
        return is_space(byte);
    return chars->size > 0 && memchr(chars->data, byte, chars->size) != NULL;
}

static PychoralBytes *strip(const PychoralBytes *s, const PychoralBytes *chars, bool left,
                            bool right)
{
    size_t from = 0, to = s->size;
    while (left && from < to && is_stripped(s->data[from], chars))
        from++;
    while (right && from < to && is_stripped(s->data[to - 1], chars))
        to--;
    return pychoral_text_part(s, false, from, to - from);
}

PychoralBytes *pychoral_bytes_strip(const PychoralBytes *s, const PychoralBytes *chars)
{
    return strip(s, chars, true, true);
}

PychoralBytes *pychoral_bytes_lstrip(const PychoralBytes *s, const PychoralBytes *chars)
{
    return strip(s, chars, true, false);
}

PychoralBytes *pychoral_bytes_rstrip(const PychoralBytes *s, const PychoralBytes *chars)
{
    return strip(s, chars, false, true);
}

// ---- case ----

// A copy whose bytes that have one of `flags` are in the other case.
static PychoralBytes *swap(const PychoralBytes *s, unsigned flags)
{
    PychoralBytes *swapped = pychoral_must(pychoral_bytes_new(s->data, s->size));
    char *to = (char *)swapped->data;
    for (size_t i = 0; i < s->size; i++)
        if (flags_of(to[i]) & flags)
            to[i] ^= 0x20;
    return swapped;
}

PychoralBytes *pychoral_bytes_lower(const PychoralBytes *s) { return swap(s, PYCHORAL_UPPER); }
PychoralBytes *pychoral_bytes_upper(const PychoralBytes *s) { return swap(s, PYCHORAL_LOWER); }
PychoralBytes *pychoral_bytes_swapcase(const PychoralBytes *s) { return swap(s, LETTERS); }

PychoralBytes *pychoral_bytes_capitalize(const PychoralBytes *s)
{
    PychoralBytes *lower = pychoral_bytes_lower(s);
    char *to = (char *)lower->data;
    if (lower->size > 0 && (flags_of(to[0]) & PYCHORAL_LOWER))
        to[0] ^= 0x20;
    return lower;
}

PychoralBytes *pychoral_bytes_title(const PychoralBytes *s)
{
    PychoralBytes *titled = pychoral_must(pychoral_bytes_new(s->data, s->size));
    char *to = (char *)titled->data;
    bool within = false;
    for (size_t i = 0; i < s->size; i++) {
        unsigned flags = flags_of(to[i]);
        if (flags & (within ? PYCHORAL_UPPER : PYCHORAL_LOWER))
            to[i] ^= 0x20;
        within = flags & LETTERS;
    }
    return titled;
}

// ---- what they are made of ----

static bool all_are(const PychoralBytes *s, unsigned flags)
{
    for (size_t i = 0; i < s->size; i++)
        if (!(flags_of(s->data[i]) & flags))
            return false;
    return s->size > 0;
}

bool pychoral_bytes_isalnum(const PychoralBytes *s) { return all_are(s, PYCHORAL_ALNUM); }
bool pychoral_bytes_isalpha(const PychoralBytes *s) { return all_are(s, PYCHORAL_ALPHA); }
bool pychoral_bytes_isdigit(const PychoralBytes *s) { return all_are(s, PYCHORAL_DIGIT); }

bool pychoral_bytes_isspace(const PychoralBytes *s)
{
    return s->size > 0 && skip(s, 0, true) == s->size;
}

bool pychoral_bytes_isascii(const PychoralBytes *s)
{
    for (size_t i = 0; i < s->size; i++)
        if ((unsigned char)s->data[i] >= 0x80)
            return false;
    return true;
}

static bool some_are(const PychoralBytes *s, unsigned wanted, unsigned others)
{
    bool found = false;
    for (size_t i = 0; i < s->size; i++) {
        unsigned flags = flags_of(s->data[i]);
        if (flags & others)
            return false;
        found = found || (flags & wanted);
    }
    return found;
}

bool pychoral_bytes_islower(const PychoralBytes *s)
{
    return some_are(s, PYCHORAL_LOWER, PYCHORAL_UPPER);
}

bool pychoral_bytes_isupper(const PychoralBytes *s)
{
    return some_are(s, PYCHORAL_UPPER, PYCHORAL_LOWER);
}

bool pychoral_bytes_istitle(const PychoralBytes *s)
{
    bool found = false, within = false;
    for (size_t i = 0; i < s->size; i++) {
        unsigned flags = flags_of(s->data[i]);
        if (flags & (within ? PYCHORAL_UPPER : PYCHORAL_LOWER))
            return false;
        within = flags & LETTERS;
        found = found || within;
    }
    return found;
}

// ---- layout ----

static PychoralBytes *pad(const PychoralBytes *s, uint64_t left, uint64_t right, char fill)
{
    if (left + right == 0)
        return pychoral_same(s);
    if (left + right > PYCHORAL_TEXT_MOST)
        return pychoral_text_too_large();
    PychoralBytes *padded = pychoral_must(pychoral_bytes_room(s->size + left + right, 0));
    char *to = (char *)padded->data;
    memset(to, fill, left);
    memcpy(to + left, s->data, s->size);
    memset(to + left + s->size, fill, right);
    return padded;
}

static uint64_t missing(const PychoralBytes *s, int64_t width)
{
    return width > (int64_t)s->size ? (uint64_t)width - s->size : 0;
}

static bool fill_of(const PychoralBytes *fill, const char *method, char *byte)
{
    *byte = ' ';
    if (fill == NULL)
        return true;
    if (fill->size != 1) {
        pychoral_throw(&pychoral_type_TypeError,
                       "%s() argument 2 must be a byte string of length 1, not bytes", method);
        return false;
    }
    *byte = fill->data[0];
    return true;
}

PychoralBytes *pychoral_bytes_center(const PychoralBytes *s, int64_t width,
                                     const PychoralBytes *fill)
{
    char byte;
    if (!fill_of(fill, "center", &byte))
        return NULL;
    uint64_t all = missing(s, width), left = all / 2 + (all & (uint64_t)width & 1);
    return pad(s, left, all - left, byte);
}

PychoralBytes *pychoral_bytes_ljust(const PychoralBytes *s, int64_t width,
                                    const PychoralBytes *fill)
{
    char byte;
    return fill_of(fill, "ljust", &byte) ? pad(s, 0, missing(s, width), byte) : NULL;
}

PychoralBytes *pychoral_bytes_rjust(const PychoralBytes *s, int64_t width,
                                    const PychoralBytes *fill)
{
    char byte;
    return fill_of(fill, "rjust", &byte) ? pad(s, missing(s, width), 0, byte) : NULL;
}

PychoralBytes *pychoral_bytes_zfill(const PychoralBytes *s, int64_t width)
{
    uint64_t zeros = missing(s, width);
    PychoralBytes *filled = pad(s, zeros, 0, '0');
    if (filled == NULL || zeros == 0 || s->size == 0)
        return filled;
    char sign = s->data[0], *to = (char *)filled->data;
    if (sign == '+' || sign == '-') {
        to[zeros] = '0';
        to[0] = sign;
    }
    return filled;
}

PychoralBytes *pychoral_bytes_expandtabs(const PychoralBytes *s, int64_t tabsize)
{
    PychoralOut out = {0};
    uint64_t column = 0;
    for (size_t i = 0; i < s->size; i++) {
        char byte = s->data[i];
        if (byte == '\t') {
            if (!pychoral_text_tab(&out, tabsize, &column))
                return NULL;
            continue;
        }
        pychoral_out_byte(&out, byte);
        column = byte == '\n' || byte == '\r' ? 0 : column + 1;
    }
    return pychoral_out_as_bytes(&out);
}

PychoralBytes *pychoral_bytes_translate(const PychoralBytes *s, const PychoralBytes *table,
                                        const PychoralBytes *without)
{
    if (table != NULL && table->size != 256) {
        pychoral_throw(&pychoral_type_ValueError,
                       "translation table must be 256 characters long");
        return NULL;
    }
    PychoralOut out = {0};
    for (size_t i = 0; i < s->size; i++) {
        char byte = s->data[i];
        if (without != NULL && without->size > 0 && memchr(without->data, byte, without->size))
            continue;
        pychoral_out_byte(&out, table == NULL ? byte : table->data[(unsigned char)byte]);
    }
    return pychoral_out_as_bytes(&out);
}
