// agreement.c - what two roles must have been given alike; contracts in agreement.h.

#include "agreement.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sha256.h"

enum {
    ITEM = 2,                           // its type
    ITEM_HEAD = 4,
    MOST = PYCHORAL_EXTRA_MAX - ITEM_HEAD,      // bytes of its content
    DIGEST = 32,
    SAID_MAX = PYCHORAL_TEXT_MAX - 50,  // bytes of what differs in a sentence; its end is said, too
};

// One entry of an item.
typedef struct Told {
    PychoralText name, text;
    uint8_t digest[DIGEST];
} Told;

static size_t size_of(const Told *told)
{
    return 2 + told->name.size + DIGEST + 2 + told->text.size;
}

// ---- what is told ----

// If names and digests do not fit, one entry without a name stands for all of them.
static bool fits(PychoralAgreement mine)
{
    size_t size = 0;
    for (size_t i = 0; i < mine.count; i++)
        size += 2 + strlen(mine.at[i].name) + DIGEST + 2;
    return size <= MOST;
}

static size_t count_of(PychoralAgreement mine) { return fits(mine) ? mine.count : 1; }

static void add_nonce(PychoralSha256 *sha, uint64_t nonce)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(nonce >> (56 - 8 * i));
    pychoral_sha256_add(sha, bytes, sizeof bytes);
}

static void tell(PychoralAgreement mine, size_t i, const uint64_t nonces[2], Told *out)
{
    bool all = !fits(mine);
    PychoralSha256 sha;
    out->name = pychoral_text(all ? "" : mine.at[i].name);
    out->text = pychoral_text(all ? "" : mine.at[i].text);
    pychoral_sha256_start(&sha);
    add_nonce(&sha, nonces[0]);
    add_nonce(&sha, nonces[1]);
    for (size_t j = all ? 0 : i; j < (all ? mine.count : i + 1); j++)
        pychoral_sha256_add(&sha, mine.at[j].digest, DIGEST);
    pychoral_sha256_end(&sha, out->digest);
}

static uint8_t *put16(uint8_t *at, size_t number)
{
    at[0] = (uint8_t)(number >> 8);
    at[1] = (uint8_t)number;
    return at + 2;
}

static uint8_t *put(uint8_t *at, const void *data, size_t size)
{
    memcpy(at, data, size);
    return at + size;
}

size_t pychoral_agreement_write(uint8_t *out, PychoralAgreement mine, const uint64_t nonces[2])
{
    if (mine.count == 0)
        return 0;
    Told told;
    size_t room = MOST;
    for (size_t i = 0; i < count_of(mine); i++) {
        tell(mine, i, nonces, &told);
        told.text.size = 0;
        room -= size_of(&told);
    }
    uint8_t *at = out + ITEM_HEAD;
    for (size_t i = 0; i < count_of(mine); i++) {
        tell(mine, i, nonces, &told);
        if (told.text.size > room)
            told.text.size = 0;
        room -= told.text.size;
        at = put(put16(at, told.name.size), told.name.data, told.name.size);
        at = put(put16(put(at, told.digest, DIGEST), told.text.size), told.text.data,
                 told.text.size);
    }
    put16(put16(out, ITEM), (size_t)(at - out) - ITEM_HEAD);
    return (size_t)(at - out);
}

// ---- what came ----

typedef struct Bytes {
    const uint8_t *at;
    size_t size;
} Bytes;

static bool take(Bytes *from, size_t size, const uint8_t **out)
{
    if (from->size < size)
        return false;
    *out = from->at;
    from->at += size;
    from->size -= size;
    return true;
}

static bool take16(Bytes *from, size_t *number)
{
    const uint8_t *at;
    if (!take(from, 2, &at))
        return false;
    *number = (size_t)at[0] << 8 | at[1];
    return true;
}

static bool take_string(Bytes *from, PychoralText *out)
{
    const uint8_t *at;
    size_t size;
    if (!take16(from, &size) || !take(from, size, &at) || !pychoral_text_is_sound(at, size))
        return false;
    *out = (PychoralText){(const char *)at, size};
    return true;
}

// The content of the first item of this type, if the sizes of all items add up.
static bool find_item(const PychoralParsed *greeting, Bytes *out)
{
    Bytes left = {greeting->extra, greeting->extra_size};
    bool found = false;
    if (left.size > PYCHORAL_EXTRA_MAX)
        return false;
    while (left.size > 0) {
        size_t type, size;
        const uint8_t *at;
        if (!take16(&left, &type) || !take16(&left, &size) || !take(&left, size, &at))
            return false;
        if (!found && type == ITEM) {
            *out = (Bytes){at, size};
            found = true;
        }
    }
    return found;
}

static bool read_entry(Bytes *from, Told *out)
{
    const uint8_t *digest;
    if (!take_string(from, &out->name) || !take(from, DIGEST, &digest) ||
        !take_string(from, &out->text))
        return false;
    memcpy(out->digest, digest, DIGEST);
    return true;
}

// ---- how they differ ----

// `more`: how many differences it has no room for.
typedef struct Sentence {
    char *text;
    size_t used, size, more;
} Sentence;

__attribute__((format(printf, 2, 3)))
static void say(Sentence *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(s->text + s->used, s->size - s->used, format, arguments);
    va_end(arguments);
    size_t left = s->size - s->used;
    s->used = length < 0 || (size_t)length >= left ? s->size - 1 : s->used + (size_t)length;
}

#define SHOWN(text) (int)(text).size, (text).data

static bool same_text(PychoralText one, PychoralText other)
{
    return one.size == other.size && memcmp(one.data, other.data, one.size) == 0;
}

static void say_difference(Sentence *s, const Told *own, const Told *its, PychoralText me,
                           PychoralText peer)
{
    if (s->used > 0)
        say(s, "; ");
    if (own->name.size == 0)
        say(s, "a value is not the same at %.*s and %.*s", SHOWN(me), SHOWN(peer));
    else if (own->text.size > 0 && same_text(own->text, its->text))
        say(s, "%.*s is not the same at %.*s and %.*s, although both are shown as %.*s",
            SHOWN(own->name), SHOWN(me), SHOWN(peer), SHOWN(own->text));
    else if (own->text.size == 0 || its->text.size == 0)
        say(s, "%.*s is not the same at %.*s and %.*s", SHOWN(own->name), SHOWN(me), SHOWN(peer));
    else
        say(s, "%.*s is %.*s at %.*s and %.*s at %.*s", SHOWN(own->name), SHOWN(own->text),
            SHOWN(me), SHOWN(its->text), SHOWN(peer));
}

// As many as there is room for, one at least; the others are counted.
static void add_difference(Sentence *s, const Told *own, const Told *its, PychoralText me,
                           PychoralText peer)
{
    size_t before = s->used;
    say_difference(s, own, its, me, peer);
    if (before == 0 || (s->more == 0 && s->used <= SAID_MAX))
        return;
    s->used = before;
    s->text[before] = '\0';
    s->more++;
}

// The item as far as it is well-formed is compared; false if it tells of other values, or of none.
static bool compare(PychoralAgreement mine, const PychoralParsed *greeting,
                    const uint64_t nonces[2], PychoralText me, PychoralText peer, Sentence *s)
{
    Bytes left;
    Told own, its;
    if (!find_item(greeting, &left))
        return false;
    for (size_t i = 0; i < count_of(mine); i++) {
        tell(mine, i, nonces, &own);
        if (!read_entry(&left, &its) || !same_text(own.name, its.name))
            return false;
        if (memcmp(own.digest, its.digest, DIGEST) != 0)
            add_difference(s, &own, &its, me, peer);
    }
    return left.size == 0;
}

bool pychoral_agreement_differs(PychoralAgreement mine, const PychoralParsed *greeting,
                                const uint64_t nonces[2], PychoralText me, PychoralText peer,
                                char *text, size_t size)
{
    Sentence s = {text, 0, size, 0};
    if (mine.count == 0)
        return false;
    if (!compare(mine, greeting, nonces, me, peer, &s)) {
        s.used = 0;
        say(&s, "%.*s does not report its values; %.*s must have the same values",
            SHOWN(peer), SHOWN(me));
    } else if (s.used > 0) {
        if (s.more > 0)
            say(&s, "; and %zu more", s.more);
        say(&s, ": the values must be equal");
    }
    return s.used > 0;
}
