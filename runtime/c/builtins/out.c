// out.c - a str or bytes while it is being written (out.h).

#include "text.h"

#include <stdlib.h>

#include "utf8.h"

enum { FIRST_ROOM = 64, MOST_COPIED = 512 };

char *pychoral_out_more(PychoralOut *out, size_t more)
{
    if (more > SIZE_MAX / 4 - out->size)
        pychoral_no_memory();
    size_t needed = out->size + more;
    size_t room = out->room == 0 ? FIRST_ROOM : out->room * 2;
    out->room = room < needed ? needed : room;
    out->bytes = pychoral_reallocate(out->bytes, sizeof *out->bytes + out->room + 1);
    return (char *)(out->bytes + 1) + out->size;
}

void pychoral_out_fill(PychoralOut *out, uint32_t character, size_t count)
{
    if (character >= 0x80) {
        for (size_t i = 0; i < count; i++)
            pychoral_out_char(out, character);
    } else if (count > 0) {
        memset(pychoral_out_room(out, count), (int)character, count);
        out->size += count;
    }
}

void pychoral_out_whole(PychoralOut *out, const PychoralStr *str)
{
    pychoral_out_note(out, str->head.flags);
    pychoral_out_bytes(out, str->data, str->size);
}

void pychoral_out_part(PychoralOut *out, const PychoralStr *str, const char *from, size_t size)
{
    if (!(str->head.flags & PYCHORAL_ASCII)) {
        PychoralText kind = pychoral_utf8_check(from, size);
        pychoral_out_note(out, kind == PYCHORAL_TEXT_ASCII        ? PYCHORAL_ASCII
                        : kind == PYCHORAL_TEXT_SURROGATES ? PYCHORAL_SURROGATES
                                                           : 0);
    }
    pychoral_out_bytes(out, from, size);
}

// In memory of its size. What is short is copied: malloc has the old piece ready for the next text,
// while one that shrinks leaves a scrap.
static PychoralBytes *fitted(const PychoralOut *out)
{
    PychoralBytes *bytes = out->bytes;
    size_t size = sizeof *bytes + out->size + 1;
    if (bytes != NULL && out->room - out->size <= out->size / 4)
        return bytes;
    if (bytes == NULL || out->room > MOST_COPIED)
        return pychoral_reallocate(bytes, size);
    PychoralBytes *copy = pychoral_allocate(size);
    memcpy(copy + 1, bytes + 1, out->size);
    free(bytes);
    return copy;
}

static PychoralBytes *finish(PychoralOut *out, uint32_t flags)
{
    PychoralBytes *bytes = fitted(out);
    *bytes = (PychoralBytes){.head = {.refs = 1, .flags = flags}, .size = out->size,
                             .data = (char *)(bytes + 1)};
    ((char *)(bytes + 1))[out->size] = '\0';
    *out = (PychoralOut){0};
    return bytes;
}

PychoralStr *pychoral_out_str(PychoralOut *out)
{
    bool ascii = !(out->flags & PYCHORAL_OUT_WIDE);
    return finish(out, ascii ? PYCHORAL_ASCII : out->flags & PYCHORAL_SURROGATES);
}

PychoralBytes *pychoral_out_as_bytes(PychoralOut *out) { return finish(out, 0); }

void *pychoral_out_drop(PychoralOut *out)
{
    free(out->bytes);
    *out = (PychoralOut){0};
    return NULL;
}

void *pychoral_text_raise(const PychoralType *kind, PychoralOut *text)
{
    PychoralStr *message = pychoral_out_str(text);
    PychoralAny any = pychoral_any(&pychoral_type_str, &message);
    pychoral_throw_with(kind, 1, &any);
    pychoral_drop_any(&any);
    pychoral_drop_str(&message);
    return NULL;
}
