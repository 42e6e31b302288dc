// markup.c - see markup.h.

#include "compiler/base/markup.h"

void markup_text(Buf *b, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        switch (c) {
        case '<': buf_raw(b, "&lt;", 4); break;
        case '>': buf_raw(b, "&gt;", 4); break;
        case '&': buf_raw(b, "&amp;", 5); break;
        case '"': buf_raw(b, "&quot;", 6); break;
        case '\'': buf_raw(b, "&#39;", 5); break;
        case '\n': case '\t': buf_raw(b, text + i, 1); break;
        default: buf_raw(b, c < ' ' || c == 127 ? " " : text + i, 1); break;
        }
    }
}
