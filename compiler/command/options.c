// options.c - reads the command line by the table in option.def.
//
// The first word is a command, else a file, which means `build`: a file's name contains `.` or `/`
// or is `-`, so that a new command never changes what a working call means.

#include "compiler/command/options.h"

#include <string.h>

#include "compiler/base/suggest.h"

typedef struct CommandRow { const char *name, *operands, *summary; } CommandRow;

static const CommandRow command_rows[COMMAND_COUNT] = {
#define COMMAND(id, name, operands, summary) {name, operands, summary},
#include "compiler/command/command.def"
#undef COMMAND
};

typedef struct OptionRow {
    const char *name;
    char        letter;
    const char *argument;
    unsigned    commands;       // a bit for each
    const char *help;
} OptionRow;

static const OptionRow option_rows[OPTION_COUNT] = {
#define ON(command) (1u << COMMAND_##command)
#define OPTION(id, name, letter, argument, commands, help) \
    {name, letter, argument, commands, help},
#include "compiler/command/option.def"
#undef OPTION
#undef ON
};

typedef struct Reader {
    Arena   *arena;
    Diags   *diags;
    char   **argv;
    int      argc, next;
    Options *options;
    bool     only_operands;     // after `--`
} Reader;

const char *command_name(CommandId id) { return command_rows[id].name; }

// ---- what is wrong ----

static Diag *usage(Reader *r, const char *text)
{
    return diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "%s", text);
}

static void suggest(Diag *d, const char *word, const char *const *known, size_t count,
                    const char *prefix)
{
    const char *near = suggest_nearest(word, known, count);
    if (near)
        diag_help(d, "did you mean `%s%s`?", prefix, near);
}

static void report_unknown_command(Reader *r, const char *word)
{
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++)
        names[i] = command_rows[i].name;
    Diag *d = diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "no such command: `%s`", word);
    suggest(d, word, names, COMMAND_COUNT, "");
    diag_note(d, "a file is written with its folder or suffix: `./%s`", word);
}

static void report_unknown_option(Reader *r, const char *word)
{
    const char *names[OPTION_COUNT];
    size_t count = 0;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_rows[i].commands >> r->options->command & 1)
            names[count++] = option_rows[i].name;
    Diag *d = diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`%s` has no option `%s`",
                          command_name(r->options->command), word);
    suggest(d, word + strspn(word, "-"), names, count, "--");
}

// ---- options ----

static const char *find_equals(const char *word)
{
    const char *equals = strchr(word, '=');
    return equals ? equals : word + strlen(word);
}

static int find_option(const Reader *r, const char *name, size_t len)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_rows[i].commands >> r->options->command & 1
            && strlen(option_rows[i].name) == len && memcmp(option_rows[i].name, name, len) == 0)
            return i;
    return -1;
}

static int find_letter(const Reader *r, char letter)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_rows[i].letter == letter
            && option_rows[i].commands >> r->options->command & 1)
            return i;
    return -1;
}

static bool is_one_of(const char *value, const char *choices)
{
    size_t len = strlen(value);
    for (const char *at = choices; *at; at += strspn(at, "|")) {
        size_t word = strcspn(at, "|");
        if (word == len && memcmp(at, value, len) == 0)
            return true;
        at += word;
    }
    return false;
}

static bool is_number(const char *value)
{
    size_t digits = strspn(value, "0123456789");
    return digits > 0 && digits <= 9 && value[digits] == '\0';
}

static void set_option(Reader *r, int id, const char *value)
{
    const char *argument = option_rows[id].argument;
    if (argument && strcmp(argument, "N") == 0 && !is_number(value))
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`--%s` is a number, not `%s`",
                    option_rows[id].name, value);
    if (argument && strchr(argument, '|') && !is_one_of(value, argument))
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`--%s` is one of %s, not `%s`",
                    option_rows[id].name, argument, value);
    r->options->value[id] = value;
    if (id == OPTION_INCLUDE)
        vec_push(r->arena, &r->options->folders, value);
}

// The value of an option: what follows `=`, else the next word.
static const char *take_value(Reader *r, const char *attached, const char *word)
{
    if (attached)
        return attached;
    if (r->next < r->argc)
        return r->argv[r->next++];
    diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`%s` needs a value", word);
    return NULL;
}

// `--Client.name value`: a dot in the name makes it a parameter of a role.
static void read_role_option(Reader *r, const char *word, const char *dot)
{
    const char *name = word + 2, *equals = find_equals(word);
    RoleOption option = {
        .role = arena_strndup(r->arena, name, (size_t)(dot - name)),
        .parameter = arena_strndup(r->arena, dot + 1, (size_t)(equals - dot - 1)),
        .value = take_value(r, *equals ? equals + 1 : NULL, word),
    };
    if (option.value)
        vec_push(r->arena, &r->options->role_options, option);
}

static void read_long(Reader *r, const char *word)
{
    const char *equals = find_equals(word), *dot = strchr(word, '.');
    if (r->options->command == COMMAND_RUN && dot && dot < equals) {
        read_role_option(r, word, dot);
        return;
    }
    int id = find_option(r, word + 2, (size_t)(equals - word - 2));
    if (id < 0) {
        report_unknown_option(r, arena_strndup(r->arena, word, (size_t)(equals - word)));
    } else if (option_rows[id].argument) {
        const char *value = take_value(r, *equals ? equals + 1 : NULL, word);
        if (value)
            set_option(r, id, value);
    } else if (*equals) {
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`--%s` takes no value",
                    option_rows[id].name);
    } else {
        set_option(r, id, "");
    }
}

// `-o DIR`, `-oDIR`, `-qf`.
static void read_letters(Reader *r, const char *word)
{
    for (const char *at = word + 1; *at; at++) {
        int id = find_letter(r, *at);
        if (id < 0) {
            report_unknown_option(r, word);
            return;
        }
        if (option_rows[id].argument) {
            const char *value = take_value(r, at[1] ? at + 1 : NULL, word);
            if (value)
                set_option(r, id, value);
            return;
        }
        set_option(r, id, "");
    }
}

static void read_word(Reader *r, const char *word)
{
    if (r->only_operands || word[0] != '-' || word[1] == '\0')
        vec_push(r->arena, &r->options->operands, word);
    else if (strcmp(word, "--") == 0)
        r->only_operands = true;
    else if (word[1] == '-')
        read_long(r, word);
    else
        read_letters(r, word);
}

// ---- the line ----

static bool looks_like_file(const char *word)
{
    return strpbrk(word, "./") != NULL || strcmp(word, "-") == 0;
}

// Takes the command from the front of the line.
static bool read_command(Reader *r)
{
    r->options->command = COMMAND_BUILD;
    if (r->next == r->argc || r->argv[r->next][0] == '-')
        return true;
    const char *word = r->argv[r->next];
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(word, command_rows[i].name) == 0) {
            r->options->command = (CommandId)i;
            r->next++;
            return true;
        }
    if (looks_like_file(word))
        return true;
    report_unknown_command(r, word);
    return false;
}

static void check_operands(Reader *r)
{
    const Options *o = r->options;
    bool many = o->command == COMMAND_CHECK || o->command == COMMAND_EXPLAIN;
    if (o->operands.len == 0 && !o->value[OPTION_PASSES]) {
        Diag *d = usage(r, o->command == COMMAND_EXPLAIN ? "which error code?" : "which file?");
        diag_note(d, "usage: pychoralc %s %s", command_rows[o->command].name,
                  command_rows[o->command].operands);
    } else if (o->operands.len > 1 && !many) {
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`%s` takes one file, not also `%s`",
                    command_name(o->command), o->operands.at[1]);
    }
}

bool options_parse(Arena *a, int argc, char **argv, Options *options, Diags *diags)
{
    Reader r = {.arena = a, .diags = diags, .argv = argv, .argc = argc, .next = 1,
                .options = options};
    *options = (Options){0};
    if (!read_command(&r))
        return false;
    while (r.next < argc)
        read_word(&r, argv[r.next++]);
    if (options->value[OPTION_HELP] || options->value[OPTION_VERSION])
        return true;
    check_operands(&r);
    return diags_error_count(diags) == 0;
}

// ---- help ----

enum { SUMMARY_COLUMN = 28 };

static void help_examples(Buf *b)
{
    buf_puts(b,
             "pychoralc: check a choreography and split it into one program for each role\n"
             "\n"
             "Examples\n"
             "  pychoralc check auth.pyc            only look for mistakes\n"
             "  pychoralc auth.pyc -o out/          write out/client.py, out/service.py, ...\n"
             "  pychoralc run auth.pyc --Client.name alice\n"
             "                                      start every role here\n"
             "  pychoralc view auth.pyc --format=svg -o auth.svg\n"
             "                                      draw the sequence diagram\n"
             "\n"
             "Commands\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        buf_printf(b, "  %-9s %s\n", command_rows[i].name, command_rows[i].summary);
    buf_puts(b, "\nOptions\n");
}

static void help_option(Buf *b, const OptionRow *row)
{
    size_t start = b->len;
    if (row->letter)
        buf_printf(b, "  -%c, --%s", row->letter, row->name);
    else
        buf_printf(b, "      --%s", row->name);
    if (row->argument)
        buf_printf(b, "=%s", row->argument);
    size_t width = b->len - start;
    if (width >= SUMMARY_COLUMN) {
        buf_putc(b, '\n');
        width = 0;
    }
    buf_printf(b, "%*s  %s\n", (int)(SUMMARY_COLUMN - width), "", row->help);
}

void options_help(Buf *b, CommandId id)
{
    if (id == COMMAND_COUNT)
        help_examples(b);
    else
        buf_printf(b, "Usage: pychoralc %s %s\n\n%s\n\nOptions\n", command_rows[id].name,
                   command_rows[id].operands, command_rows[id].summary);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (id == COMMAND_COUNT || option_rows[i].commands >> id & 1)
            help_option(b, &option_rows[i]);
    if (id == COMMAND_RUN)
        buf_puts(b, "      --ROLE.PARAMETER=VALUE  a parameter of main at that role\n"
                    "      --ROLE.stdin=FILE       what the role reads from its standard input\n");
    buf_puts(b, "\nExit status: 0 done, 1 the input has errors, 2 wrong usage, 3 a file, "
                "4 an endpoint failed,\n70 internal error.\n");
}
