// str_search.c - str: finding, splitting, stripping, replacing (str.h).

#include "text.h"

// ---- finding ----

// The offsets of what a search from `start` to `end` sees; false: nothing.
static bool bounds_of(const PychoralStr *s, int64_t start, int64_t end, size_t *from, size_t *to)
{
    if (start == 0 && end >= (int64_t)s->size) {
        *from = 0;
        *to = s->size;
        return true;
    }
    if (!pychoral_text_bounds(pychoral_str_len(s), &start, &end))
        return false;
    *from = pychoral_str_offset(s, (size_t)start);
    *to = pychoral_str_offset(s, (size_t)end);
    return true;
}

bool pychoral_str_contains(const PychoralStr *s, const PychoralStr *part)
{
    return pychoral_text_find(s->data, s->size, part->data, part->size) != NULL;
}

static int64_t place_of(const PychoralStr *s, const char *at)
{
    return at == NULL ? -1 : (int64_t)pychoral_str_place(s, (size_t)(at - s->data));
}

int64_t pychoral_str_find(const PychoralStr *s, const PychoralStr *sub, int64_t start, int64_t end)
{
    size_t from, to;
    if (!bounds_of(s, start, end, &from, &to))
        return -1;
    return place_of(s, pychoral_text_find(s->data + from, to - from, sub->data, sub->size));
}

int64_t pychoral_str_rfind(const PychoralStr *s, const PychoralStr *sub, int64_t start, int64_t end)
{
    size_t from, to;
    if (!bounds_of(s, start, end, &from, &to))
        return -1;
    return place_of(s, pychoral_text_rfind(s->data + from, to - from, sub->data, sub->size));
}

static int64_t must_be_found(int64_t place)
{
    if (place >= 0)
        return place;
    pychoral_throw(&pychoral_type_ValueError, "substring not found");
    return 0;
}

int64_t pychoral_str_index(const PychoralStr *s, const PychoralStr *sub, int64_t start, int64_t end)
{
    return must_be_found(pychoral_str_find(s, sub, start, end));
}

int64_t pychoral_str_rindex(const PychoralStr *s, const PychoralStr *sub, int64_t start,
                            int64_t end)
{
    return must_be_found(pychoral_str_rfind(s, sub, start, end));
}

int64_t pychoral_str_count(const PychoralStr *s, const PychoralStr *sub, int64_t start, int64_t end)
{
    size_t from, to;
    if (!bounds_of(s, start, end, &from, &to))
        return 0;
    if (sub->size == 0)  // between all characters, and at both ends
        return (int64_t)(pychoral_str_place(s, to) - pychoral_str_place(s, from)) + 1;
    return (int64_t)pychoral_text_count(s->data + from, to - from, sub->data, sub->size, SIZE_MAX);
}

bool pychoral_str_startswith(const PychoralStr *s, const PychoralStr *prefix, int64_t start,
                             int64_t end)
{
    size_t from, to;
    return bounds_of(s, start, end, &from, &to) && to - from >= prefix->size &&
           memcmp(s->data + from, prefix->data, prefix->size) == 0;
}

bool pychoral_str_endswith(const PychoralStr *s, const PychoralStr *suffix, int64_t start,
                           int64_t end)
{
    size_t from, to;
    return bounds_of(s, start, end, &from, &to) && to - from >= suffix->size &&
           memcmp(s->data + to - suffix->size, suffix->data, suffix->size) == 0;
}

typedef bool Test(const PychoralStr *s, const PychoralStr *part, int64_t start, int64_t end);

// Whether the test holds for one of a tuple, or for a str, where it is either.
static bool any_of(const PychoralStr *s, PychoralRef parts, int64_t start, int64_t end, Test *test,
                   const char *name)
{
    parts = pychoral_look(parts.type, parts.value);
    if (parts.type->kind == PYCHORAL_STR)
        return test(s, *(PychoralStr *const *)parts.value, start, end);
    for (size_t i = 0; i < pychoral_tuple_count(parts); i++) {
        PychoralRef part = pychoral_tuple_item(parts, i);
        if (part.type->kind != PYCHORAL_STR) {
            pychoral_throw(&pychoral_type_TypeError, "tuple for %s must only contain str, not %s",
                           name, pychoral_type_name(part));
            return false;
        }
        if (test(s, *(PychoralStr *const *)part.value, start, end))
            return true;
    }
    return false;
}

bool pychoral_str_startswith_any(const PychoralStr *s, PychoralRef prefixes, int64_t start,
                                 int64_t end)
{
    return any_of(s, prefixes, start, end, pychoral_str_startswith, "startswith");
}

bool pychoral_str_endswith_any(const PychoralStr *s, PychoralRef suffixes, int64_t start,
                               int64_t end)
{
    return any_of(s, suffixes, start, end, pychoral_str_endswith, "endswith");
}

// ---- replacing ----

// replace("", with): before each character, and at the end.
static PychoralStr *interleave(const PychoralStr *s, const PychoralStr *with, int64_t count)
{
    PychoralOut out = {0};
    size_t left = count < 0 ? SIZE_MAX : (size_t)count;
    const char *at = s->data, *end = s->data + s->size;
    for (; at < end && left > 0; left--) {
        pychoral_out_whole(&out, with);
        pychoral_out_char(&out, pychoral_utf8_next(&at));
    }
    if (left > 0)
        pychoral_out_whole(&out, with);
    pychoral_out_part(&out, s, at, (size_t)(end - at));
    return pychoral_out_str(&out);
}

PychoralStr *pychoral_str_replace(const PychoralStr *s, const PychoralStr *old,
                                  const PychoralStr *with, int64_t count)
{
    return old->size == 0 ? interleave(s, with, count)
                          : pychoral_text_replace(s, true, old, with, count);
}

PychoralStr *pychoral_str_removeprefix(const PychoralStr *s, const PychoralStr *prefix)
{
    if (!pychoral_str_startswith(s, prefix, 0, INT64_MAX))
        return pychoral_same(s);
    return pychoral_text_part(s, true, prefix->size, s->size - prefix->size);
}

PychoralStr *pychoral_str_removesuffix(const PychoralStr *s, const PychoralStr *suffix)
{
    if (!pychoral_str_endswith(s, suffix, 0, INT64_MAX))
        return pychoral_same(s);
    return pychoral_text_part(s, true, 0, s->size - suffix->size);
}

// ---- splitting ----

static bool is_space(uint32_t character)
{
    return (pychoral_char_flags(character) & PYCHORAL_SPACE) != 0;
}

// Moves over characters that are space, or are not.
static const char *skip(const char *at, const char *end, bool space)
{
    while (at < end) {
        const char *here = at;
        if (is_space(pychoral_utf8_next(&here)) != space)
            break;
        at = here;
    }
    return at;
}

static const char *skip_back(const char *start, const char *at, bool space)
{
    while (at > start) {
        const char *here = at;
        if (is_space(pychoral_utf8_before(&here)) != space)
            break;
        at = here;
    }
    return at;
}

static void push_span(PychoralList *list, const PychoralStr *s, const char *from, const char *to)
{
    size_t offset = (size_t)(from - s->data), size = (size_t)(to - from);
    pychoral_text_push(list, pychoral_text_part(s, true, offset, size));
}

static PychoralList *split_at_space(const PychoralStr *s, int64_t maxsplit, const PychoralType *row)
{
    PychoralList *list = pychoral_must(pychoral_list_new(row, 0));
    const char *end = s->data + s->size, *at = skip(s->data, end, true);
    size_t left = maxsplit < 0 ? SIZE_MAX : (size_t)maxsplit;
    for (; at < end && left > 0; left--) {
        const char *word = at;
        at = skip(at, end, false);
        push_span(list, s, word, at);
        at = skip(at, end, true);
    }
    if (at < end)
        push_span(list, s, at, end);
    return list;
}

static PychoralList *rsplit_at_space(const PychoralStr *s, int64_t maxsplit,
                                     const PychoralType *row)
{
    PychoralList *list = pychoral_must(pychoral_list_new(row, 0));
    const char *start = s->data, *at = skip_back(start, start + s->size, true);
    size_t left = maxsplit < 0 ? SIZE_MAX : (size_t)maxsplit;
    for (; at > start && left > 0; left--) {
        const char *end = at;
        at = skip_back(start, at, false);
        push_span(list, s, at, end);
        at = skip_back(start, at, true);
    }
    if (at > start)
        push_span(list, s, start, at);
    return pychoral_text_reversed(list);
}

PychoralList *pychoral_str_split(const PychoralStr *s, const PychoralStr *sep, int64_t maxsplit,
                                 const PychoralType *row)
{
    return sep == NULL ? split_at_space(s, maxsplit, row)
                       : pychoral_text_split(s, true, sep, maxsplit, row);
}

PychoralList *pychoral_str_rsplit(const PychoralStr *s, const PychoralStr *sep, int64_t maxsplit,
                                  const PychoralType *row)
{
    return sep == NULL ? rsplit_at_space(s, maxsplit, row)
                       : pychoral_text_rsplit(s, true, sep, maxsplit, row);
}

PychoralList *pychoral_str_splitlines(const PychoralStr *s, bool keepends, const PychoralType *row)
{
    PychoralList *list = pychoral_must(pychoral_list_new(row, 0));
    const char *end = s->data + s->size, *line = s->data;
    for (const char *at = line; at < end;) {
        const char *here = at;
        uint32_t character = pychoral_utf8_next(&at);
        if (!(pychoral_char_flags(character) & PYCHORAL_LINE_BREAK))
            continue;
        if (character == '\r' && at < end && *at == '\n')
            at++;
        push_span(list, s, line, keepends ? at : here);
        line = at;
    }
    if (line < end)
        push_span(list, s, line, end);
    return list;
}

void pychoral_str_partition(const PychoralStr *s, const PychoralStr *sep, const PychoralType *row,
                            void *result)
{
    pychoral_text_partition(s, true, sep, row, result);
}

void pychoral_str_rpartition(const PychoralStr *s, const PychoralStr *sep,
                             const PychoralType *row, void *result)
{
    pychoral_text_rpartition(s, true, sep, row, result);
}

// ---- stripping ----

// Whether to strip a character: whitespace, or one of `chars`.
static bool is_stripped(const char *at, size_t size, const PychoralStr *chars)
{
    if (chars != NULL)
        return pychoral_text_find(chars->data, chars->size, at, size) != NULL;
    return is_space(pychoral_utf8_next(&at));
}

static PychoralStr *strip(const PychoralStr *s, const PychoralStr *chars, bool left, bool right)
{
    const char *from = s->data, *to = s->data + s->size;
    while (left && from < to) {
        size_t size = pychoral_utf8_step(*from);
        if (!is_stripped(from, size, chars))
            break;
        from += size;
    }
    while (right && from < to) {
        const char *at = to;
        pychoral_utf8_before(&at);
        if (!is_stripped(at, (size_t)(to - at), chars))
            break;
        to = at;
    }
    return pychoral_text_part(s, true, (size_t)(from - s->data), (size_t)(to - from));
}

PychoralStr *pychoral_str_strip(const PychoralStr *s, const PychoralStr *chars)
{
    return strip(s, chars, true, true);
}

PychoralStr *pychoral_str_lstrip(const PychoralStr *s, const PychoralStr *chars)
{
    return strip(s, chars, true, false);
}

PychoralStr *pychoral_str_rstrip(const PychoralStr *s, const PychoralStr *chars)
{
    return strip(s, chars, false, true);
}
