// search.c - finding, splitting and replacing in the bytes of a str or bytes (text.h).
//
// UTF-8 may be searched as bytes: no character's bytes stand within another's.

#define _GNU_SOURCE  // memmem, memrchr

#include "list.h"
#include "text.h"

const char *pychoral_text_find(const char *text, size_t size, const char *part, size_t part_size)
{
    if (part_size == 1)
        return size == 0 ? NULL : memchr(text, part[0], size);
    return part_size > size ? NULL : memmem(text, size, part, part_size);
}

const char *pychoral_text_rfind(const char *text, size_t size, const char *part, size_t part_size)
{
    if (part_size > size)
        return NULL;
    if (part_size == 0)
        return text + size;
    for (size_t left = size - part_size + 1; left > 0;) {
        const char *at = memrchr(text, part[0], left);
        if (at == NULL || memcmp(at, part, part_size) == 0)
            return at;
        left = (size_t)(at - text);
    }
    return NULL;
}

size_t pychoral_text_count(const char *text, size_t size, const char *part, size_t part_size,
                           size_t most)
{
    const char *end = text + size;
    size_t count = 0;
    while (count < most) {
        text = pychoral_text_find(text, (size_t)(end - text), part, part_size);
        if (text == NULL)
            break;
        count++;
        text += part_size;
    }
    return count;
}

void pychoral_text_push(PychoralList *list, PychoralBytes *owned)
{
    *(PychoralBytes **)pychoral_list_spot(list, sizeof owned) = owned;
}

static bool is_empty_separator(const PychoralBytes *sep)
{
    if (sep->size != 0)
        return false;
    pychoral_throw(&pychoral_type_ValueError, "empty separator");
    return true;
}

static size_t limit_of(int64_t count) { return count < 0 ? SIZE_MAX : (size_t)count; }

PychoralList *pychoral_text_split(const PychoralBytes *s, bool is_text, const PychoralBytes *sep,
                                  int64_t maxsplit, const PychoralType *row)
{
    if (is_empty_separator(sep))
        return NULL;
    PychoralList *list = pychoral_must(pychoral_list_new(row, 0));
    size_t from = 0;
    for (size_t left = limit_of(maxsplit); left > 0; left--) {
        const char *at = pychoral_text_find(s->data + from, s->size - from, sep->data, sep->size);
        if (at == NULL)
            break;
        size_t found = (size_t)(at - s->data);
        pychoral_text_push(list, pychoral_text_part(s, is_text, from, found - from));
        from = found + sep->size;
    }
    pychoral_text_push(list, pychoral_text_part(s, is_text, from, s->size - from));
    return list;
}

PychoralList *pychoral_text_reversed(PychoralList *list)
{
    PychoralBytes **items = list->items;
    for (size_t i = 0, j = list->count; i + 1 < j; i++) {
        PychoralBytes *item = items[i];
        items[i] = items[--j];
        items[j] = item;
    }
    return list;
}

PychoralList *pychoral_text_rsplit(const PychoralBytes *s, bool is_text, const PychoralBytes *sep,
                                   int64_t maxsplit, const PychoralType *row)
{
    if (is_empty_separator(sep))
        return NULL;
    PychoralList *list = pychoral_must(pychoral_list_new(row, 0));
    size_t end = s->size;
    for (size_t left = limit_of(maxsplit); left > 0; left--) {
        const char *at = pychoral_text_rfind(s->data, end, sep->data, sep->size);
        if (at == NULL)
            break;
        size_t from = (size_t)(at - s->data) + sep->size;
        pychoral_text_push(list, pychoral_text_part(s, is_text, from, end - from));
        end = from - sep->size;
    }
    pychoral_text_push(list, pychoral_text_part(s, is_text, 0, end));
    return pychoral_text_reversed(list);
}

// Writes a tuple of what is before, at and behind the bytes from `at` to `behind`.
static void write_parts(const PychoralBytes *s, bool is_text, size_t at, size_t behind,
                        const PychoralType *row, void *result)
{
    PychoralBytes *parts[] = {pychoral_text_part(s, is_text, 0, at),
                              pychoral_text_part(s, is_text, at, behind - at),
                              pychoral_text_part(s, is_text, behind, s->size - behind)};
    for (size_t i = 0; i < 3; i++)
        memcpy((char *)result + row->fields[i].offset, &parts[i], sizeof parts[i]);
}

void pychoral_text_partition(const PychoralBytes *s, bool is_text, const PychoralBytes *sep,
                             const PychoralType *row, void *result)
{
    memset(result, 0, row->size);
    if (is_empty_separator(sep))
        return;
    const char *found = pychoral_text_find(s->data, s->size, sep->data, sep->size);
    size_t at = found == NULL ? s->size : (size_t)(found - s->data);
    write_parts(s, is_text, at, found == NULL ? at : at + sep->size, row, result);
}

void pychoral_text_rpartition(const PychoralBytes *s, bool is_text, const PychoralBytes *sep,
                              const PychoralType *row, void *result)
{
    memset(result, 0, row->size);
    if (is_empty_separator(sep))
        return;
    const char *found = pychoral_text_rfind(s->data, s->size, sep->data, sep->size);
    size_t at = found == NULL ? 0 : (size_t)(found - s->data);
    write_parts(s, is_text, at, found == NULL ? at : at + sep->size, row, result);
}

static void put_part(PychoralOut *out, const PychoralBytes *s, bool is_text, size_t from, size_t to)
{
    if (is_text)
        pychoral_out_part(out, s, s->data + from, to - from);
    else
        pychoral_out_bytes(out, s->data + from, to - from);
}

PychoralBytes *pychoral_text_replace(const PychoralBytes *s, bool is_text, const PychoralBytes *old,
                                     const PychoralBytes *with, int64_t count)
{
    PychoralOut out = {0};
    size_t from = 0;
    for (size_t left = limit_of(count); left > 0; left--) {
        const char *at = pychoral_text_find(s->data + from, s->size - from, old->data, old->size);
        if (at == NULL)
            break;
        size_t found = (size_t)(at - s->data);
        put_part(&out, s, is_text, from, found);
        pychoral_out_whole(&out, with);
        from = found + old->size;
    }
    if (from == 0) {
        pychoral_out_drop(&out);
        return pychoral_same(s);
    }
    put_part(&out, s, is_text, from, s->size);
    return is_text ? pychoral_out_str(&out) : pychoral_out_as_bytes(&out);
}
