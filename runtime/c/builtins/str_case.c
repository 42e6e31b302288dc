// str_case.c - str: upper and lower case, and what a text is made of (str.h).

#include "text.h"

enum { SIGMA = 0x3a3, SMALL_SIGMA = 0x3c3, FINAL_SIGMA = 0x3c2 };

// ---- case ----

static void put_case(PychoralOut *out, uint32_t character, PychoralCase which)
{
    uint32_t to[PYCHORAL_MAX_CASE];
    size_t count = pychoral_char_case(character, which, to);
    for (size_t i = 0; i < count; i++)
        pychoral_out_char(out, to[i]);
}

// Whether the first character from `at` on that matters to a sigma is a cased letter.
static bool cased_after(const char *at, const char *end)
{
    while (at < end) {
        unsigned flags = pychoral_char_flags(pychoral_utf8_next(&at));
        if (!(flags & PYCHORAL_CASE_IGNORABLE))
            return flags & PYCHORAL_CASED;
    }
    return false;
}

static bool cased_before(const char *start, const char *at)
{
    while (at > start) {
        unsigned flags = pychoral_char_flags(pychoral_utf8_before(&at));
        if (!(flags & PYCHORAL_CASE_IGNORABLE))
            return flags & PYCHORAL_CASED;
    }
    return false;
}

// The lower case of the character before `behind`, a sigma by where it stands.
static void put_lower(PychoralOut *out, const PychoralStr *s, uint32_t character,
                      const char *behind)
{
    if (character != SIGMA) {
        put_case(out, character, PYCHORAL_TO_LOWER);
        return;
    }
    bool ends_word = cased_before(s->data, behind - 2) && !cased_after(behind, s->data + s->size);
    pychoral_out_char(out, ends_word ? FINAL_SIGMA : SMALL_SIGMA);
}

// ASCII text with each byte of which `flags` is true in the other case.
static PychoralStr *swap_ascii(const PychoralStr *s, unsigned flags)
{
    PychoralStr *swapped = pychoral_must(pychoral_bytes_room(s->size, PYCHORAL_ASCII));
    char *to = (char *)swapped->data;
    for (size_t i = 0; i < s->size; i++) {
        unsigned char byte = (unsigned char)s->data[i], letter = byte | 0x20;
        bool is_letter = letter >= 'a' && letter <= 'z';
        unsigned is = !is_letter ? 0 : byte == letter ? PYCHORAL_LOWER : PYCHORAL_UPPER;
        to[i] = (char)(is & flags ? byte ^ 0x20 : byte);
    }
    return swapped;
}

static PychoralStr *map(const PychoralStr *s, PychoralCase which)
{
    PychoralOut out = {0};
    for (const char *at = s->data, *end = at + s->size; at < end;) {
        uint32_t character = pychoral_utf8_next(&at);
        if (which == PYCHORAL_TO_LOWER)
            put_lower(&out, s, character, at);
        else
            put_case(&out, character, which);
    }
    return pychoral_out_str(&out);
}

PychoralStr *pychoral_str_lower(const PychoralStr *s)
{
    return pychoral_str_is_ascii(s) ? swap_ascii(s, PYCHORAL_UPPER) : map(s, PYCHORAL_TO_LOWER);
}

PychoralStr *pychoral_str_upper(const PychoralStr *s)
{
    return pychoral_str_is_ascii(s) ? swap_ascii(s, PYCHORAL_LOWER) : map(s, PYCHORAL_TO_UPPER);
}

PychoralStr *pychoral_str_casefold(const PychoralStr *s)
{
    return pychoral_str_is_ascii(s) ? swap_ascii(s, PYCHORAL_UPPER) : map(s, PYCHORAL_TO_FOLDED);
}

PychoralStr *pychoral_str_capitalize(const PychoralStr *s)
{
    PychoralOut out = {0};
    const char *at = s->data, *end = at + s->size;
    if (at < end)
        put_case(&out, pychoral_utf8_next(&at), PYCHORAL_TO_TITLE);
    while (at < end) {
        uint32_t character = pychoral_utf8_next(&at);
        put_lower(&out, s, character, at);
    }
    return pychoral_out_str(&out);
}

PychoralStr *pychoral_str_swapcase(const PychoralStr *s)
{
    PychoralOut out = {0};
    for (const char *at = s->data, *end = at + s->size; at < end;) {
        uint32_t character = pychoral_utf8_next(&at);
        unsigned flags = pychoral_char_flags(character);
        if (flags & PYCHORAL_UPPER)
            put_lower(&out, s, character, at);
        else if (flags & PYCHORAL_LOWER)
            put_case(&out, character, PYCHORAL_TO_UPPER);
        else
            pychoral_out_char(&out, character);
    }
    return pychoral_out_str(&out);
}

PychoralStr *pychoral_str_title(const PychoralStr *s)
{
    PychoralOut out = {0};
    bool within = false;
    for (const char *at = s->data, *end = at + s->size; at < end;) {
        uint32_t character = pychoral_utf8_next(&at);
        if (within)
            put_lower(&out, s, character, at);
        else
            put_case(&out, character, PYCHORAL_TO_TITLE);
        within = pychoral_char_flags(character) & PYCHORAL_CASED;
    }
    return pychoral_out_str(&out);
}

// ---- what it is made of ----

// Whether all characters, and at least one, have one of these flags.
static bool all_are(const PychoralStr *s, unsigned flags)
{
    for (const char *at = s->data, *end = at + s->size; at < end;)
        if (!(pychoral_char_flags(pychoral_utf8_next(&at)) & flags))
            return false;
    return s->size > 0;
}

bool pychoral_str_isalnum(const PychoralStr *s) { return all_are(s, PYCHORAL_ALNUM); }
bool pychoral_str_isalpha(const PychoralStr *s) { return all_are(s, PYCHORAL_ALPHA); }
bool pychoral_str_isdecimal(const PychoralStr *s) { return all_are(s, PYCHORAL_DECIMAL); }
bool pychoral_str_isdigit(const PychoralStr *s) { return all_are(s, PYCHORAL_DIGIT); }
bool pychoral_str_isnumeric(const PychoralStr *s) { return all_are(s, PYCHORAL_NUMERIC); }
bool pychoral_str_isspace(const PychoralStr *s) { return all_are(s, PYCHORAL_SPACE); }

bool pychoral_str_isprintable(const PychoralStr *s)
{
    return s->size == 0 || all_are(s, PYCHORAL_PRINTABLE);
}

bool pychoral_str_isidentifier(const PychoralStr *s)
{
    const char *at = s->data;
    return s->size > 0 && (pychoral_char_flags(pychoral_utf8_next(&at)) & PYCHORAL_ID_START) &&
           all_are(s, PYCHORAL_ID_CONTINUE);
}

// Whether some character has `wanted` and none has `others`.
static bool some_are(const PychoralStr *s, unsigned wanted, unsigned others)
{
    bool found = false;
    for (const char *at = s->data, *end = at + s->size; at < end;) {
        unsigned flags = pychoral_char_flags(pychoral_utf8_next(&at));
        if (flags & others)
            return false;
        found = found || (flags & wanted);
    }
    return found;
}

bool pychoral_str_islower(const PychoralStr *s)
{
    return some_are(s, PYCHORAL_LOWER, PYCHORAL_UPPER | PYCHORAL_TITLE);
}

bool pychoral_str_isupper(const PychoralStr *s)
{
    return some_are(s, PYCHORAL_UPPER, PYCHORAL_LOWER | PYCHORAL_TITLE);
}

bool pychoral_str_istitle(const PychoralStr *s)
{
    bool found = false, within = false;
    for (const char *at = s->data, *end = at + s->size; at < end;) {
        unsigned flags = pychoral_char_flags(pychoral_utf8_next(&at));
        bool starts = flags & (PYCHORAL_UPPER | PYCHORAL_TITLE);
        if (starts ? within : (flags & PYCHORAL_LOWER) && !within)
            return false;
        within = starts || (flags & PYCHORAL_LOWER);
        found = found || within;
    }
    return found;
}
