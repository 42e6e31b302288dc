// wire.c - where in a value a fault lies: `.items[3]['name']`.

#include "wire.h"

#include <stdio.h>
#include <string.h>

#include "builtins/dict.h"
#include "builtins/generated.h"
#include "builtins/object.h"
#include "builtins/raise.h"
#include "codec.h"
#include "modules/deque.h"

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

// As Python shows the key, in printable ASCII: it may come from a peer.
void pychoral_step_key(PychoralWireFault *why, const PychoralType *type, const void *key)
{
    enum { MOST = 100 };
    char step[MOST + 3] = "[";
    if (why->memory)
        return;
    size_t at = 1;
    PychoralStr *text = pychoral_repr((PychoralRef){type, key});
    if (text == NULL) {                 // the program's own code, or an int too long to be written
        pychoral_release(&pychoral_type_BaseException, &pychoral_raised);
        pychoral_raised = NULL;
        at += (size_t)snprintf(step + 1, MOST, "<%.*s>", MOST - 3,
                               pychoral_type_name((PychoralRef){type, key}));
    }
    for (size_t i = 0; text != NULL && i < text->size && at <= MOST; i++) {
        unsigned char c = (unsigned char)text->data[i];
        if ((c & 0xC0) != 0x80)
            step[at++] = c >= 0x20 && c < 0x7f ? (char)c : '?';
    }
    if (text != NULL)
        pychoral_release(&pychoral_type_str, &text);
    strcpy(step + at, "]");
    pychoral_step(why, step);
}

// ---- why a value cannot be sent ----

// A path as messages show it: of a long one both ends.
static void shorten(const char *path, char *to, size_t size)
{
    enum { MOST = 120, END = 56 };
    size_t length = strlen(path);
    if (length <= MOST)
        snprintf(to, size, "%s", path);
    else
        snprintf(to, size, "%.*s...%s", END, path, path + length - END);
}

// What a reader says of keys that its conversion makes equal, as a sender says it (wire.py).
static const char *as_sent(const char *came)
{
    static const char *const WORDS[][2] = {
        {"something unreadable (a dict with a duplicate key)",
         "a dict with two keys that have the same encoding"},
        {"a set with a duplicate element", "a set with two elements that have the same encoding"},
    };
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (strcmp(came, WORDS[i][0]) == 0)
            return WORDS[i][1];
    return came;
}

bool pychoral_explain_sent(const PychoralWireFault *why, PychoralFault *fault)
{
    const char *came = as_sent(why->came);
    char path[sizeof why->path];
    shorten(why->path, path, sizeof path);
    if (why->memory)
        return pychoral_fault_set(fault, PYCHORAL_EXIT_OWN_ERROR, "out of memory");
    if (why->path[0] == '\0')
        return pychoral_fault_set(fault, PYCHORAL_EXIT_OWN_ERROR,
                                  "the value cannot be sent: it is %s", came);
    return pychoral_fault_set(fault, PYCHORAL_EXIT_OWN_ERROR,
                              "the value cannot be sent: its part `%s` is %s", path, came);
}

const char *pychoral_article(const char *name)
{
    return *name != '\0' && strchr("AEIOaeio", *name) != NULL ? "an" : "a";
}

static void name_class(PychoralWireFault *why, const PychoralClass *of)
{
    PychoralStr *name = pychoral_class_name(of);
    snprintf(why->came, sizeof why->came, "the class %s", name->data);
    pychoral_release(&pychoral_type_str, &name);
}

const char *pychoral_class_refusal(const PychoralType *type)
{
    return pychoral_is_deque(type) ? "which cannot be encoded; send a list made of it"
           : type->flags & PYCHORAL_PLAIN ? "which cannot be encoded"
           : type->flags & PYCHORAL_DERIVED
               ? "a subclass of a dataclass that is not a dataclass itself"
               : "a class that this program cannot send: it is made at run time, or imported and "
                 "not named in annotations of both roles";
}

// In the words of `describe` in encode.py.
bool pychoral_refuse_kind(PychoralWireFault *why, const PychoralType *type, const void *value)
{
    const void *of = *(const void *const *)value;
    const char *name = type->kind == PYCHORAL_RANGE ? "range" : "iterator";
    if (type->kind == PYCHORAL_ITERATOR && of != NULL)
        (void)pychoral_view_of(of, &name);
    if (of == NULL)
        snprintf(why->came, sizeof why->came, "a field that has no value");
    else if (type == &pychoral_type_type)
        name_class(why, of);
    else if (type->kind == PYCHORAL_FUNCTION)
        snprintf(why->came, sizeof why->came, "the function %s",
                 ((const PychoralFunction *)of)->name);
    else
        snprintf(why->came, sizeof why->came, "%s %s, which cannot be encoded; send a list made "
                 "of it", pychoral_article(name), name);
    return false;
}
