// fault.c - why a call failed; texts that may come from a peer.

#include "fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "builtins/unicode.h"
#include "utf8.h"

PychoralMemoryEnd pychoral_memory_end;

bool pychoral_fault_set(PychoralFault *fault, int status, const char *format, ...)
{
    fault->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    pychoral_string_cut(fault->text, sizeof fault->text);
    return false;
}

void pychoral_string_cut(char *text, unsigned long size)
{
    size_t length = strlen(text);
    if (length + 1 >= size)             // it may have been cut in the middle of a character
        length = size - 1;
    else
        return;
    while (length > 0 && ((unsigned char)text[length - 1] & 0xC0) == 0x80)
        length--;
    if (length > 0 && (unsigned char)text[length - 1] >= 0xC0)
        length--;
    text[length] = 0;
}

// How many bytes the character takes; 0 if it is not UTF-8.
static size_t character(const char *at)
{
    size_t step = pychoral_utf8_step(*at);
    if (strnlen(at, step) < step)
        return 0;
    PychoralText kind = pychoral_utf8_check(at, step);
    return kind == PYCHORAL_TEXT_ASCII || kind == PYCHORAL_TEXT_UTF8 ? step : 0;
}

static void escape(uint32_t what, char *told, size_t size)
{
    const char *form = what == '\n' ? "\\n" : what == '\r' ? "\\r" : what == '\t' ? "\\t"
                       : what < 0x100   ? "\\x%02x"
                       : what < 0x10000 ? "\\u%04x" : "\\U%08x";
    snprintf(told, size, form, what);
}

// Puts `told` in the place of `step` bytes of a text that has `room` bytes from there on.
static void put_instead(char *at, size_t step, const char *told, size_t room)
{
    size_t length = strlen(told), tail = strlen(at + step);
    bool is_cut = length + tail >= room;
    if (length >= room)
        length = tail = 0;
    else if (is_cut)
        tail = room - 1 - length;
    memmove(at + length, at + step, tail);
    memcpy(at, told, length);
    at[length + tail] = 0;
    if (is_cut)
        pychoral_string_cut(at, room);
}

void pychoral_string_clean(char *text, unsigned long size)
{
    char told[16];
    for (char *at = text; *at;) {
        size_t step = character(at);
        const char *end = at;
        uint32_t what = step ? pychoral_utf8_next(&end) : 0xDC00U + (unsigned char)*at;
        if (step && (pychoral_char_flags(what) & PYCHORAL_PRINTABLE)) {
            at += step;
            continue;
        }
        escape(what, told, sizeof told);
        put_instead(at, step ? step : 1, told, size - (size_t)(at - text));
        at += strnlen(at, strlen(told));
    }
}
