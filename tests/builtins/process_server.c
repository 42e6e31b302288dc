// process_server.c - calls of json, hashlib and hmac, a line each; process_modules.py compares what
// they give with CPython. A line is a command and arguments as hexadecimal digits of their bytes.

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE                 // strsep
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/generated.h"
#include "builtins/process.h"
#include "modules/hashlib.h"
#include "modules/json_text.h"

enum { MOST_WORDS = 12 };

static PychoralBytes *bytes_of(const char *hex)
{
    size_t size = strlen(hex) / 2;
    char *data = pychoral_allocate(size);
    for (size_t i = 0; i < size; i++) {
        unsigned byte;
        sscanf(hex + 2 * i, "%2x", &byte);
        data[i] = (char)byte;
    }
    PychoralBytes *bytes = pychoral_bytes_new(data, size);
    free(data);
    return bytes;
}

static PychoralStr *str_of(const char *hex)
{
    PYCHORAL_OWNED(str) PychoralBytes *bytes = bytes_of(hex);
    return pychoral_str_new(bytes->data, bytes->size);
}

static void show(const PychoralType *row, const void *value)
{
    if (pychoral_raised != NULL)
        return;
    PYCHORAL_OWNED(str) PychoralStr *repr = pychoral_ascii((PychoralRef){row, value});
    if (repr != NULL)
        printf("%s ", repr->data);
}

static void show_str(PychoralStr *text)
{
    show(&pychoral_type_str, &text);
    pychoral_release(&pychoral_type_str, &text);
}

static void show_bytes(PychoralBytes *bytes)
{
    show(&pychoral_type_bytes, &bytes);
    pychoral_release(&pychoral_type_bytes, &bytes);
}

static void show_hash(PychoralHash *hash, const char *more)
{
    if (hash == NULL)
        return;
    PYCHORAL_OWNED(str) PychoralBytes *data = bytes_of(more);
    PYCHORAL_OWNED(object) PychoralHash *copy = pychoral_hash_copy(hash);
    pychoral_hash_update(copy, data);
    show_str(pychoral_hash_hexdigest(hash));
    show_bytes(pychoral_hash_digest(copy));
    show_str(pychoral_hash_name(copy));
    printf("%ld %ld ", (long)pychoral_hash_digest_size(hash), (long)pychoral_hash_block_size(copy));
    pychoral_release(&pychoral_type_hash, &hash);
}

static void hash(char **words)
{
    PYCHORAL_OWNED(str) PychoralStr *name = str_of(words[1]);
    PYCHORAL_OWNED(str) PychoralBytes *data = bytes_of(words[2]);
    show_hash(pychoral_hash_new(name, data, true), words[3]);
}

static void keyed(char **words)
{
    PYCHORAL_OWNED(str) PychoralStr *name = str_of(words[1]);
    PYCHORAL_OWNED(str) PychoralBytes *key = bytes_of(words[2]);
    PYCHORAL_OWNED(str) PychoralBytes *message = bytes_of(words[3]);
    show_hash(pychoral_hmac_new(key, message, name), words[2]);
    if (pychoral_raised == NULL)
        show_bytes(pychoral_hmac_digest(key, message, name));
}

static void derive(char **words)
{
    PYCHORAL_OWNED(str) PychoralStr *name = str_of(words[1]);
    PYCHORAL_OWNED(str) PychoralBytes *password = bytes_of(words[2]);
    PYCHORAL_OWNED(str) PychoralBytes *salt = bytes_of(words[3]);
    show_bytes(pychoral_pbkdf2_hmac(name, password, salt, atoll(words[4]), atoll(words[5])));
}

static void compare(char **words)
{
    PYCHORAL_OWNED(str) PychoralStr *a = str_of(words[1]);
    PYCHORAL_OWNED(str) PychoralStr *b = str_of(words[2]);
    bool same = pychoral_compare_digest_str(a, b);
    show(&pychoral_type_bool, &same);
}

static void load(char **words)
{
    PYCHORAL_OWNED(str) PychoralStr *text = str_of(words[1]);
    PYCHORAL_OWNED(any) PychoralAny value = pychoral_json_loads(text);
    show(&pychoral_type_object, &value);
}

static const PychoralField PAIR_FIELDS[] = {{.type = &pychoral_type_str, .offset = 0},
                                            {.type = &pychoral_type_str, .offset = sizeof(void *)}};
static const PychoralType PAIR = {.kind = PYCHORAL_TUPLE, .size = 2 * sizeof(void *), .count = 2,
                                  .fields = PAIR_FIELDS, .name = "tuple[str, str]"};

// dump VALUE SKIPS ASCII NAN SORTS INDENT(- none, n123, sHEX) ITEM(- none) KEY
static void dump(char **words)
{
    PYCHORAL_OWNED(str) PychoralStr *text = str_of(words[1]);
    PYCHORAL_OWNED(any) PychoralAny value = pychoral_json_loads(text);
    PYCHORAL_OWNED(str) PychoralStr *indent = words[6][0] == 's' ? str_of(words[6] + 1) : NULL;
    PychoralInt count = pychoral_int(atoll(words[6] + 1));
    PychoralStr *pair[2] = {NULL, NULL};
    PychoralRef no = {NULL, NULL}, how = no, separators = no;
    if (words[6][0] != '-')
        how = indent != NULL ? PYCHORAL_REF(pychoral_type_str, indent)
                             : PYCHORAL_REF(pychoral_type_int, count);
    if (words[7][0] != '-') {
        pair[0] = str_of(words[7] + 1);
        pair[1] = str_of(words[8] + 1);
        separators = PYCHORAL_REF(PAIR, pair);
    }
    if (pychoral_raised == NULL)
        show_str(pychoral_json_dumps(PYCHORAL_REF(pychoral_type_object, value), words[2][0] == '1',
                                     words[3][0] == '1', true, words[4][0] == '1', how, separators,
                                     NULL, words[5][0] == '1'));
    pychoral_release(&pychoral_type_str, &pair[0]);
    pychoral_release(&pychoral_type_str, &pair[1]);
}

static void answer(char **words)
{
    static const struct {
        const char *name;
        void (*call)(char **words);
    } calls[] = {{"hash", hash},       {"keyed", keyed}, {"derive", derive},
                 {"compare", compare}, {"load", load},   {"dump", dump}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(words[0], calls[i].name) == 0)
            calls[i].call(words);
    PYCHORAL_OWNED(handled) PychoralException *e = pychoral_catch(&pychoral_type_BaseException);
    if (e != NULL) {
        PYCHORAL_OWNED(str) PychoralStr *line = pychoral_exception_line(e);
        show(&pychoral_type_str, &line);
    }
    printf("\n");
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        char *words[MOST_WORDS] = {NULL}, *rest = line;
        line[strcspn(line, "\n")] = '\0';
        for (size_t i = 0; i < MOST_WORDS && (words[i] = strsep(&rest, " ")) != NULL; i++)
            continue;
        answer(words);
    }
    free(line);
    return 0;
}
