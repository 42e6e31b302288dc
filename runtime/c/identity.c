// identity.c - PROTOCOL.md section 9, record 0.

#include "identity.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sha256.h"

enum {
    MAGIC_SIZE = 4,
    START_SIZE = MAGIC_SIZE + 32,
    DIGEST_SIZE = 8,                    // of an option's text, which may be a secret
};

static const char MAGIC[] = "CHJ2", OLDER[] = "CHJ1";

// A string in a record.
typedef struct {
    const char *data;
    size_t size;
} Text;

// What is left of a record.
typedef struct {
    const uint8_t *data;
    size_t size;
} Rest;

// ---- writing ----

static void digest_of(const char *text, uint8_t digest[DIGEST_SIZE])
{
    PychoralSha256 sha;
    uint8_t whole[32] = {0};
    if (text) {
        pychoral_sha256_start(&sha);
        pychoral_sha256_add(&sha, text, strlen(text));
        pychoral_sha256_end(&sha, whole);
    }
    memcpy(digest, whole, DIGEST_SIZE);
}

static uint8_t *put_number(uint8_t *out, size_t number)
{
    *out++ = (uint8_t)(number >> 8);
    *out++ = (uint8_t)number;
    return out;
}

static uint8_t *put_string(uint8_t *out, const char *text)
{
    out = put_number(out, strlen(text));
    memcpy(out, text, strlen(text));
    return out + strlen(text);
}

uint8_t *pychoral_identity_body(const PychoralIdentity *identity, size_t *size)
{
    *size = START_SIZE + 2 + strlen(identity->role) + 2 + strlen(identity->run) + 2;
    for (size_t i = 0; i < identity->option_count; i++)
        *size += 2 + strlen(identity->options[i].name) + DIGEST_SIZE;
    uint8_t *body = malloc(*size), *out = body;
    if (!body)
        return NULL;
    memcpy(out, MAGIC, MAGIC_SIZE);
    memcpy(out + MAGIC_SIZE, identity->protocol, sizeof identity->protocol);
    out = put_string(out + START_SIZE, identity->role);
    out = put_string(out, identity->run);
    out = put_number(out, identity->option_count);
    for (size_t i = 0; i < identity->option_count; i++) {
        out = put_string(out, identity->options[i].name);
        digest_of(identity->options[i].text, out);
        out += DIGEST_SIZE;
    }
    return body;
}

// ---- comparing ----

static bool refuse(PychoralFault *fault, int status, const char *path, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static bool refuse(PychoralFault *fault, int status, const char *path, const char *format, ...)
{
    char text[480];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return pychoral_fault_set(fault, status, "the journal %.200s cannot be used: %s", path, text);
}

static bool read_number(Rest *rest, size_t *number)
{
    if (rest->size < 2)
        return false;
    *number = (size_t)rest->data[0] << 8 | rest->data[1];
    *rest = (Rest){rest->data + 2, rest->size - 2};
    return true;
}

static bool read_string(Rest *rest, Text *text)
{
    if (!read_number(rest, &text->size) || text->size > rest->size)
        return false;
    text->data = (const char *)rest->data;
    *rest = (Rest){rest->data + text->size, rest->size - text->size};
    return true;
}

static bool is_text(Text text, const char *other)
{
    return text.size == strlen(other) && memcmp(text.data, other, text.size) == 0;
}

// The digest of an option's text; NULL if the record has no such option.
static const uint8_t *find_option(Rest rest, size_t count, const char *name)
{
    Text text;
    for (; count > 0 && read_string(&rest, &text) && rest.size >= DIGEST_SIZE; count--) {
        if (is_text(text, name))
            return rest.data;
        rest = (Rest){rest.data + DIGEST_SIZE, rest.size - DIGEST_SIZE};
    }
    return NULL;
}

// How the options differ from those that the journal was begun with.
static void say_difference(const PychoralIdentity *identity, Rest rest, char *text, size_t room)
{
    static const uint8_t none[DIGEST_SIZE];
    uint8_t digest[DIGEST_SIZE];
    size_t count = 0;
    read_number(&rest, &count);
    for (size_t i = 0; i < identity->option_count; i++) {
        const PychoralGiven *each = &identity->options[i];
        const uint8_t *then = find_option(rest, count, each->name);
        digest_of(each->text, digest);
        if (then && memcmp(then, digest, DIGEST_SIZE) == 0)
            continue;
        bool was_given = then && memcmp(then, none, DIGEST_SIZE) != 0;
        snprintf(text, room, "%s --%.100s",
                 !was_given ? "without" : each->text ? "with another" : "with", each->name);
        return;
    }
    snprintf(text, room, "with other options");
}

static bool check_options(const PychoralIdentity *identity, const char *path, const uint8_t *body,
                          size_t size, Rest rest, PychoralFault *fault)
{
    char text[128];
    size_t mine_size;
    uint8_t *mine = pychoral_identity_body(identity, &mine_size);
    if (!mine)
        return refuse(fault, PYCHORAL_EXIT_OWN_ERROR, path, "memory is exhausted");
    bool same = size == mine_size && memcmp(body, mine, size) == 0;
    free(mine);
    if (same)
        return true;
    say_difference(identity, rest, text, sizeof text);
    return refuse(fault, PYCHORAL_EXIT_REFUSED, path,
                  "it was started %s; give the same options again, or use another file",
                  text);
}

static const char *named(const char *run)
{
    return run[0] ? run : "without a name";
}

static bool other_run(const PychoralIdentity *identity, const char *path, Text run,
                      PychoralFault *fault)
{
    char then[101];
    snprintf(then, sizeof then, "%.*s", run.size > 100 ? 100 : (int)run.size, run.data);
    return refuse(fault, PYCHORAL_EXIT_REFUSED, path,
                  "it belongs to the run %s, but this is the run %.100s; use the same --run, or "
                  "another file",
                  named(then), named(identity->run));
}

bool pychoral_identity_missing(const char *path, PychoralFault *fault)
{
    return pychoral_fault_set(fault, PYCHORAL_EXIT_PROTOCOL,
                              "the file %.200s cannot be used: it is not a journal, or its first "
                              "record is damaged; use another file", path);
}

bool pychoral_identity_check(const PychoralIdentity *identity, const char *path,
                             const uint8_t *body, size_t size, PychoralFault *fault)
{
    Text role, run;
    if (size >= MAGIC_SIZE && memcmp(body, OLDER, MAGIC_SIZE) == 0)
        return refuse(fault, PYCHORAL_EXIT_PROTOCOL, path,
                      "it has an older format; use another file");
    Rest rest = {body + START_SIZE, size - START_SIZE};
    if (size < START_SIZE || memcmp(body, MAGIC, MAGIC_SIZE) != 0 || !read_string(&rest, &role) ||
        !read_string(&rest, &run))
        return pychoral_identity_missing(path, fault);
    if (memcmp(body + MAGIC_SIZE, identity->protocol, sizeof identity->protocol) != 0)
        return refuse(fault, PYCHORAL_EXIT_PROTOCOL, path,
                      "it was written by another program, or by another version of this one; "
                      "run that one, or use another file");
    if (!is_text(role, identity->role))
        return refuse(fault, PYCHORAL_EXIT_REFUSED, path,
                      "it belongs to another role, %.*s; each role needs its own journal",
                      role.size > 100 ? 100 : (int)role.size, role.data);
    if (!is_text(run, identity->run))
        return other_run(identity, path, run, fault);
    return check_options(identity, path, body, size, rest, fault);
}
