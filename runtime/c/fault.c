// fault.c - why a call failed; texts that may come from a peer.

#include "fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

void pychoral_string_clean(char *text)
{
    for (unsigned char *at = (unsigned char *)text; *at; at++) {
        bool control = *at < 0x20 || *at == 0x7F;
        bool control_of_latin = *at == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0;
        if (control)
            *at = '?';
        if (control_of_latin)
            at[0] = at[1] = '?';
    }
}
