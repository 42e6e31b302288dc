// encode.c - edited text back to bytes. What the edits leave keeps its own bytes; what they insert
// is ASCII, or the file is UTF-8.

#include <string.h>

#include "compiler/base/buf.h"
#include "compiler/front/front.h"

static bool is_ascii(Text text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.at[i] >= 0x80)
            return false;
    return true;
}

static bool starts_character(char c) { return ((unsigned char)c & 0xc0) != 0x80; }

// Where each character of the text is in its bytes: an encoding of single bytes that has ASCII.
static bool is_bytewise(Text bytes, Text text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!starts_character(text.at[i]))
            continue;
        if ((unsigned char)text.at[i] < 0x80
            && (count >= bytes.len || bytes.at[count] != text.at[i]))
            return false;
        count++;
    }
    return count == bytes.len;
}

static size_t characters(Text text, size_t from, size_t to)
{
    size_t count = 0;
    for (size_t i = from; i < to; i++)
        count += starts_character(text.at[i]);
    return count;
}

bool front_encode(Arena *a, Text bytes, const Source *source, const Edited *e, Text *out)
{
    Text old = source->text;
    size_t mark = bytes.len >= 3 && memcmp(bytes.at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    Text body = {bytes.at + mark, bytes.len - mark};
    Buf b = buf_new(a);
    buf_raw(&b, bytes.at, mark);
    if (body.len == old.len && memcmp(body.at, old.at, old.len) == 0) {
        buf_raw(&b, e->text.at, e->text.len);
        *out = (Text){buf_text(&b), b.len};
        return true;
    }
    size_t done = 0, at = 0, from = 0;
    if (!is_bytewise(body, old))
        return e->count == 0 && (*out = bytes, true);
    for (size_t i = 0; i < e->count; i++) {
        const Moved *m = &e->moved[i];
        size_t kept = characters(old, done, m->start);
        from += m->start - done;
        Text inserted = {e->text.at + from, m->len};
        if (!is_ascii(inserted))
            return false;
        buf_raw(&b, body.at + at, kept);
        buf_raw(&b, inserted.at, inserted.len);
        at += kept + characters(old, m->start, m->end);
        from += m->len;
        done = m->end;
    }
    buf_raw(&b, body.at + at, body.len - at);
    *out = (Text){buf_text(&b), b.len};
    return true;
}
