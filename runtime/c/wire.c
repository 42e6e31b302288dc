// wire.c - where in a value a fault lies: `.items[3]['name']`.

#include "wire.h"

#include <stdio.h>

// Puts `step` before the path. When there is no room left the path's end is cut.
void pychoral_step(PychoralWireFault *why, const char *step)
{
    size_t room = sizeof why->path - 1, length = strlen(step), kept = strlen(why->path);
    if (length > room)
        length = room;
    if (kept > room - length)
        kept = room - length;
    memmove(why->path + length, why->path, kept);
    memcpy(why->path, step, length);
    why->path[length + kept] = '\0';
}

void pychoral_step_index(PychoralWireFault *why, size_t index)
{
    char step[32];
    snprintf(step, sizeof step, "[%zu]", index);
    pychoral_step(why, step);
}

void pychoral_step_field(PychoralWireFault *why, const char *name)
{
    pychoral_step(why, name);
    pychoral_step(why, ".");
}

// Only printable ASCII is shown: the text may come from a peer.
static void quote(char *to, size_t room, const PychoralBytes *text)
{
    size_t at = 0;
    to[at++] = '\'';
    for (size_t i = 0; i < text->size && at + 2 < room; i++) {
        unsigned char c = (unsigned char)text->data[i];
        to[at++] = c >= 0x20 && c < 0x7f ? (char)c : '?';
    }
    to[at++] = '\'';
    to[at] = '\0';
}

void pychoral_step_key(PychoralWireFault *why, const PychoralType *type, const void *key)
{
    char shown[64] = "...", step[80];
    pychoral_unwrap(&type, &key);
    if (type->kind == PYCHORAL_INT && !pychoral_int_is_big(*(const PychoralInt *)key))
        snprintf(shown, sizeof shown, "%lld", (long long)((const PychoralInt *)key)->small);
    if (type->kind == PYCHORAL_STR)
        quote(shown, sizeof shown, *(PychoralStr *const *)key);
    if (type->kind == PYCHORAL_ENUM)
        snprintf(shown, sizeof shown, "%.60s", type->members[*(const uint32_t *)key]);
    snprintf(step, sizeof step, "[%s]", shown);
    pychoral_step(why, step);
}
