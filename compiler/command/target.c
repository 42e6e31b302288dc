// target.c - reads `--target` of `run`.

#include "compiler/command/target.h"

#include <string.h>

static bool is_word(const char *text, size_t len, const char *word)
{
    return strlen(word) == len && memcmp(text, word, len) == 0;
}

// `c` or `python`.
static bool read_language(const char *text, size_t len, bool *in_c)
{
    *in_c = is_word(text, len, "c");
    return *in_c || is_word(text, len, "python");
}

// `ROLE=c`.
static bool read_part(Session *s, Programs programs, const char *part, size_t len, bool *in_c)
{
    const char *equals = memchr(part, '=', len);
    bool c;
    if (equals == NULL || !read_language(equals + 1, len - (size_t)(equals + 1 - part), &c)) {
        session_report(s, DIAG_USAGE, "`--target` must be " TARGETS_WANTED ", not `%s`",
                       s->options.value[OPTION_TARGETS]);
        return false;
    }
    const char *role = arena_strndup(s->arena, part, (size_t)(equals - part));
    const RoleProgram *program = programs_find(s, programs, role);
    if (program != NULL)
        in_c[program - programs.at] = c;
    return program != NULL;
}

static bool read_parts(Session *s, Programs programs, const char *text, bool *in_c)
{
    while (true) {
        size_t len = strcspn(text, ",");
        if (!read_part(s, programs, text, len, in_c))
            return false;
        if (text[len] == '\0')
            return true;
        text += len + 1;
    }
}

bool targets_read(Session *s, Programs programs, Targets *targets)
{
    const char *text = s->options.value[OPTION_TARGETS];
    bool c = false, mixed = text && strcmp(text, "mixed") == 0;
    targets->in_c = ARENA_ARRAY(s->arena, bool, programs.len + 1);
    bool one = text == NULL || mixed || read_language(text, strlen(text), &c);
    for (size_t i = 0; i < programs.len; i++)
        targets->in_c[i] = mixed ? i % 2 == 0 : c;
    if (!one && !read_parts(s, programs, text, targets->in_c))
        return false;
    targets->any_c = targets->any_python = false;
    for (size_t i = 0; i < programs.len; i++) {
        targets->any_c |= targets->in_c[i];
        targets->any_python |= !targets->in_c[i];
    }
    return true;
}
