// stderr.c - text on standard error; the contract is in stderr.h.

#include "stderr.h"

#include <stdio.h>
#include <string.h>

// A lone surrogate, which is written as three bytes, at `text`.
static int is_surrogate(const char *text, size_t left)
{
    return left >= 3 && (unsigned char)text[0] == 0xed && (unsigned char)text[1] >= 0xa0;
}

void pychoral_stderr_write(const char *text, size_t size)
{
    size_t start = 0;
    for (size_t i = 0; i < size; i++) {
        if (!is_surrogate(text + i, size - i))
            continue;
        unsigned high = text[i + 1] & 0x3f, low = text[i + 2] & 0x3f;
        fwrite(text + start, 1, i - start, stderr);
        fprintf(stderr, "\\u%04x", 0xd000 | high << 6 | low);
        start = i + 3;
        i += 2;
    }
    fwrite(text + start, 1, size - start, stderr);
}

void pychoral_stderr_puts(const char *text) { pychoral_stderr_write(text, strlen(text)); }

void pychoral_stderr_flush(void) { fflush(stderr); }
