// source.c - the table of lines and what is found with it.

#include "compiler/base/source.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "compiler/base/vec.h"

const Source *source_new(Arena *a, const char *name, Text utf8)
{
    Source *s = ARENA_NEW(a, Source);
    Vec(uint32_t) lines = {0};
    vec_push(a, &lines, 0);
    for (size_t i = 0; i < utf8.len; i++) {
        char c = utf8.at[i];
        bool first_of_two = c == '\r' && i + 1 < utf8.len && utf8.at[i + 1] == '\n';
        if ((c == '\n' || c == '\r') && !first_of_two)
            vec_push(a, &lines, (uint32_t)(i + 1));
    }
    s->name = name;
    s->text = utf8;
    s->lines = lines.at;
    s->line_count = lines.len;
    return s;
}

// A line end and a NUL stand between two files.
uint32_t source_next_part(uint32_t at, const Source *file)
{
    return at + (uint32_t)file->text.len + 2;
}

const Source *source_join(Arena *a, SourcePart *parts, size_t count)
{
    uint32_t len = 0;
    for (size_t i = 0; i < count; i++) {
        parts[i].at = len;
        len = source_next_part(len, parts[i].file);
    }
    char *text = arena_alloc(a, len + 1);
    for (size_t i = 0; i < count; i++) {
        Text part = parts[i].file->text;
        memcpy(text + parts[i].at, part.at, part.len);
        memcpy(text + parts[i].at + part.len, "\n", 2);
    }
    text[len] = '\0';
    Source *s = (Source *)source_new(a, parts[0].file->name, (Text){text, len});
    s->parts = parts;
    s->part_count = count;
    return s;
}

size_t source_part(const Source *s, uint32_t offset)
{
    size_t i = s->part_count;
    while (i > 1 && s->parts[i - 1].at > offset)
        i--;
    return i > 0 ? i - 1 : 0;
}

const Source *source_file(const Source *s, uint32_t *offset)
{
    if (s->part_count == 0)
        return s;
    const SourcePart *part = &s->parts[source_part(s, *offset)];
    *offset -= part->at;
    return part->file;
}

size_t source_line_index(const Source *s, uint32_t offset)
{
    size_t low = 0, high = s->line_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

Place source_place(const Source *s, uint32_t offset)
{
    if (offset > s->text.len)
        offset = (uint32_t)s->text.len;
    size_t index = source_line_index(s, offset);
    uint32_t start = s->lines[index], column = 1;
    for (uint32_t i = start; i < offset; i++)
        column += ((unsigned char)s->text.at[i] & 0xc0) != 0x80;
    return (Place){(uint32_t)index + 1, offset - start, column};
}

Text source_line(const Source *s, uint32_t line)
{
    uint32_t start = s->lines[line - 1];
    size_t end = line < s->line_count ? s->lines[line] : s->text.len;
    while (end > start && (s->text.at[end - 1] == '\n' || s->text.at[end - 1] == '\r'))
        end--;
    return (Text){s->text.at + start, end - start};
}

Span source_first_line(const Source *s, Span at)
{
    uint32_t end = at.start;
    while (end < at.end && s->text.at[end] != '\n')
        end++;
    return (Span){at.start, end};
}

const char *source_written(Arena *a, const Source *s, Span at)
{
    uint32_t start = at.start;
    const Source *file = source_file(s, &start);
    char *out = ARENA_ARRAY(a, char, at.end - at.start + 1), *end = out;
    bool apart = false;
    for (uint32_t i = 0; i < at.end - at.start; i++) {
        char c = file->text.at[start + i];
        bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!space && apart)
            *end++ = ' ';
        if (!space)
            *end++ = c;
        apart = space;
    }
    *end = '\0';
    return out;
}

// ---- words ----

bool text_in_word(char c)
{
    return c == '_' || isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

bool text_has_word(Text text, const char *word, size_t len)
{
    for (size_t i = 0; len > 0 && i + len <= text.len; i++) {
        const char *at = memchr(text.at + i, *word, text.len - len + 1 - i);
        if (at == NULL)
            return false;
        i = (size_t)(at - text.at);
        if (memcmp(at, word, len) == 0 && (i == 0 || !text_in_word(at[-1])) &&
            (i + len == text.len || !text_in_word(at[len])))
            return true;
    }
    return false;
}
