// screen_line.c - columns by utf8proc's tables.

#include "compiler/base/screen_line.h"

#include <stdbool.h>
#include <utf8proc.h>

#include "compiler/base/buf.h"

enum { TAB = 4 };

// The code point at the start of a text; negative when its bytes are no UTF-8. `*size` is what to
// go on by.
static utf8proc_int32_t code_point(Text text, size_t *size)
{
    utf8proc_int32_t c;
    utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text.at,
                                          (utf8proc_ssize_t)text.len, &c);
    *size = n > 0 ? (size_t)n : 1;
    return n > 0 ? c : -1;
}

static bool is_hidden(utf8proc_int32_t c)
{
    bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
    bool direction = c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
                     (c >= 0x2066 && c <= 0x2069);
    return control || direction;
}

static uint32_t width_of(utf8proc_int32_t c)
{
    int width = utf8proc_charwidth(c);
    return width > 0 ? (uint32_t)width : 0;
}

ScreenLine screen_line(Arena *a, Text line)
{
    uint32_t *columns = ARENA_ARRAY(a, uint32_t, line.len + 1), column = 0;
    Buf shown = buf_new(a);
    size_t size;
    for (size_t i = 0; i < line.len; i += size) {
        Text rest = {line.at + i, line.len - i};
        utf8proc_int32_t c = code_point(rest, &size);
        for (size_t k = 0; k < size; k++)
            columns[i + k] = column;
        if (c == '\t') {
            buf_raw(&shown, "    ", TAB - column % TAB);
            column += TAB - column % TAB;
        } else if (is_hidden(c)) {
            buf_raw(&shown, "\xef\xbf\xbd", 3);
            column++;
        } else {
            buf_raw(&shown, rest.at, size);
            column += width_of(c);
        }
    }
    columns[line.len] = column;
    return (ScreenLine){{buf_text(&shown), shown.len}, columns, column};
}

Text screen_line_part(const ScreenLine *line, uint32_t from, uint32_t to)
{
    size_t start = 0, i = 0, size;
    uint32_t column = 0;
    for (; i < line->shown.len; i += size) {
        Text rest = {line->shown.at + i, line->shown.len - i};
        uint32_t width = width_of(code_point(rest, &size));
        if (column >= to && width > 0)
            break;
        if (column <= from && width > 0)
            start = i;
        column += width;
    }
    if (column <= from)
        start = i;
    return (Text){line->shown.at + start, i - start};
}
