// options.c - reads the command line by the table in option.def.
//
// The first word is a command, else a file, which means `build`: a file's name contains `.` or `/`
// or is `-`, so that a new command never changes what a working call means.

#include "compiler/command/options.h"

#include <ctype.h>
#include <string.h>

#include "compiler/base/suggest.h"

enum { MANY = 1 << 16 };

static const CommandRow command_rows[COMMAND_COUNT] = {
#define COMMAND(id, name, operands, least, most, summary) {name, operands, least, most, summary},
#include "compiler/command/command.def"
#undef COMMAND
};

static const OptionRow option_rows[OPTION_COUNT] = {
#define ON(command) (1u << COMMAND_##command)
#define OPTION(id, name, letter, argument, commands, standard, help) \
    {name, letter, argument, false, commands, help " (default: " standard ")"},
#define FLAG(id, name, letter, commands, help) {name, letter, NULL, false, commands, help},
#include "compiler/command/option.def"
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

CommandRow command_row(CommandId id) { return command_rows[id]; }

OptionRow option_row(OptionId id)
{
    OptionRow row = option_rows[id];
    row.optional = row.argument && row.argument[0] == '?';
    if (row.optional)
        row.argument++;
    return row;
}

bool option_of_command(OptionId id, CommandId command)
{
    return option_rows[id].commands >> command & 1;
}

bool command_find(const char *name, CommandId *id)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, command_rows[i].name) == 0) {
            *id = (CommandId)i;
            return true;
        }
    return false;
}

// ---- what is wrong ----

static void suggest(Diag *d, const char *word, const char *const *known, size_t count,
                    const char *prefix)
{
    const char *near = suggest_nearest(word, known, count);
    if (near)
        diag_help(d, "did you mean `%s%s`?", prefix, near);
}

Diag *options_report_command(Diags *diags, const char *word)
{
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++)
        names[i] = command_rows[i].name;
    Diag *d = diag_report(diags, (Span){0, 0}, DIAG_USAGE, "unknown command: `%s`", word);
    suggest(d, word, names, COMMAND_COUNT, "");
    return d;
}

// `--output`, or its letter `-o`.
static bool is_option(const OptionRow *row, const char *word)
{
    if (word[0] == '-' && word[1] == '-')
        return strcmp(row->name, word + 2) == 0;
    return row->letter != 0 && word[1] == row->letter && word[2] == '\0';
}

// The commands that take an option which this one has not; false if none does.
static bool name_takers(Reader *r, Diag *d, const char *word)
{
    Buf b = buf_new(r->arena);
    for (int i = 0; i < OPTION_COUNT; i++)
        for (int j = 0; j < COMMAND_COUNT && is_option(&option_rows[i], word); j++)
            if (option_of_command((OptionId)i, (CommandId)j))
                buf_printf(&b, "%s`%s`", b.len > 0 ? ", " : "", command_name((CommandId)j));
    if (b.len > 0)
        diag_note(d, "it is an option of %s", buf_text(&b));
    return b.len > 0;
}

static bool looks_like_file(const char *word)
{
    return strpbrk(word, "./") != NULL || strcmp(word, "-") == 0;
}

// Is the next word of the line the value of an option?
static bool value_follows(const Reader *r)
{
    const char *word = r->next < r->argc ? r->argv[r->next] : "-";
    return word[0] != '-' && !looks_like_file(word);
}

// `valued`: it was given a value, so it stands for no flag.
static void report_unknown_option(Reader *r, const char *word, bool valued)
{
    const char *names[OPTION_COUNT];
    size_t count = 0;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_of_command((OptionId)i, r->options->command)
            && (!valued || option_rows[i].argument))
            names[count++] = option_rows[i].name;
    Diag *d = diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`%s` has no option `%s`",
                          command_name(r->options->command), word);
    if (!name_takers(r, d, word))
        suggest(d, word + strspn(word, "-"), names, count, "--");
    if (r->options->command == COMMAND_RUN && strchr(word, '.') == NULL)
        diag_note(d, "an option for a parameter of the program starts with its role: `--ROLE.%s`",
                  word + strspn(word, "-"));
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
        if (option_of_command((OptionId)i, r->options->command)
            && strlen(option_rows[i].name) == len && memcmp(option_rows[i].name, name, len) == 0)
            return i;
    return -1;
}

static int find_letter(const Reader *r, char letter)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_rows[i].letter == letter
            && option_of_command((OptionId)i, r->options->command))
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

// `30`, `0.5`
static bool is_seconds(const char *value)
{
    size_t digits = strspn(value, "0123456789"), len = digits;
    if (value[len] == '.') {
        size_t more = strspn(value + len + 1, "0123456789");
        digits += more;
        len += 1 + more;
    }
    return digits > 0 && len <= 12 && value[len] == '\0';
}

// Programs are written in one language at a time.
static void explain_mixture(Diag *d)
{
    diag_note(d, "only `run` supports several languages");
    diag_help(d, "build the roles one by one into the same folder, as with `--role=Bob --target=c` "
              "and then `--role=Alice`");
}

// An option that is given again replaces nothing silently; the same once more is no harm.
static void report_twice(Reader *r, const char *name, const char *first, const char *second)
{
    diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`--%s` is given twice: `%s` and `%s`", name,
                first, second);
}

static Diag *report_value(Reader *r, const OptionRow *row, const char *wanted, const char *value)
{
    return diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`--%s` must be %s, not `%s`", row->name,
                       wanted, value);
}

// `python|c`: `python` or `c`
static const char *choices_listed(Reader *r, const char *choices)
{
    Buf b = buf_new(r->arena);
    for (const char *at = choices; *at; at += strspn(at, "|")) {
        size_t len = strcspn(at, "|");
        buf_printf(&b, "%s`%.*s`", at == choices ? "" : at[len] ? ", " : " or ", (int)len, at);
        at += len;
    }
    return buf_text(&b);
}

static void check_choice(Reader *r, int id, const OptionRow *row, const char *value)
{
    bool by_role = id == OPTION_TARGETS && strchr(value, '=');
    if (by_role || is_one_of(value, row->argument))
        return;
    Diag *d = report_value(r, row, id == OPTION_TARGETS ? TARGETS_WANTED
                                   : choices_listed(r, row->argument), value);
    if (id == OPTION_TARGET && (strcmp(value, "mixed") == 0 || strchr(value, '=')))
        explain_mixture(d);
}

static void check_value(Reader *r, int id, const OptionRow *row, const char *value)
{
    const char *argument = row->argument;
    if (*value == '\0' && !row->optional)
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`--%s` requires a value", row->name);
    else if (strcmp(argument, "N") == 0 && !is_number(value))
        report_value(r, row, "a whole number of at most 9 digits", value);
    else if (strcmp(argument, "SECONDS") == 0 && !is_seconds(value))
        report_value(r, row, "a number of seconds, such as `30` or `0.5`", value);
    else if (*value != '\0' && (strchr(argument, '|') || row->optional || islower(*argument)))
        check_choice(r, id, row, value);
}

static void set_option(Reader *r, int id, const char *value)
{
    OptionRow row = option_row((OptionId)id);
    const char *before = r->options->value[id];
    bool many = id == OPTION_INCLUDE || id == OPTION_ADDRESS;
    if (before && !many && strcmp(before, value) != 0)
        report_twice(r, row.name, before, value);
    if (row.argument)
        check_value(r, id, &row, value);
    r->options->value[id] = value;
    if (id == OPTION_INCLUDE)
        vec_push(r->arena, &r->options->folders, value);
    if (id == OPTION_ADDRESS)
        vec_push(r->arena, &r->options->addresses, value);
}

// The value of an option: what follows `=`, else the next word.
static const char *take_value(Reader *r, const char *attached, const char *word)
{
    if (attached)
        return attached;
    if (r->next < r->argc)
        return r->argv[r->next++];
    diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`%s` requires a value", word);
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
    for (size_t i = 0; option.value && i < r->options->role_options.len; i++) {
        const RoleOption *other = &r->options->role_options.at[i];
        if (strcmp(other->role, option.role) == 0 && strcmp(other->parameter, option.parameter) == 0
            && strcmp(other->value, option.value) != 0)
            report_twice(r, arena_strndup(r->arena, name, (size_t)(equals - name)), other->value,
                         option.value);
    }
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
        report_unknown_option(r, arena_strndup(r->arena, word, (size_t)(equals - word)),
                              *equals || value_follows(r));
    } else if (option_row((OptionId)id).optional) {
        set_option(r, id, *equals ? equals + 1 : "");
    } else if (option_rows[id].argument) {
        const char *value = take_value(r, *equals ? equals + 1 : NULL, word);
        if (value)
            set_option(r, id, value);
    } else if (*equals) {
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`--%s` does not accept a value",
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
        const char letter[] = {'-', *at, '\0'};
        if (id < 0) {
            report_unknown_option(r, at == word + 1 ? word : letter, false);
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

// Takes the command from the front of the line.
static bool read_command(Reader *r)
{
    r->options->command = COMMAND_BUILD;
    if (r->next == r->argc || r->argv[r->next][0] == '-')
        return true;
    const char *word = r->argv[r->next];
    if (command_find(word, &r->options->command)) {
        r->next++;
        return true;
    }
    if (looks_like_file(word))
        return true;
    Diag *d = options_report_command(r->diags, word);
    diag_note(d, "if this is a file, write it with its folder or suffix: `./%s`", word);
    return false;
}

// What the operands of a command are, in a sentence.
static const char *operand_word(const CommandRow *row)
{
    return strstr(row->operands, "FILE|ROLE") ? "file or role"
           : strstr(row->operands, "FILE") ? "file" : strstr(row->operands, "SHELL") ? "shell"
           : strstr(row->operands, "COMMAND") ? "command" : NULL;
}

static void report_too_many(Reader *r, const CommandRow *row, const char *first)
{
    const char *word = operand_word(row);
    if (word)
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`%s` accepts only one %s; unexpected "
                    "argument `%s`", row->name, word, first);
    else
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`%s` does not accept arguments; "
                    "unexpected argument `%s`", row->name, first);
}

static void check_operands(Reader *r)
{
    const Options *o = r->options;
    const CommandRow *row = &command_rows[o->command];
    bool needs_none = o->value[OPTION_PASSES] || o->value[OPTION_BATCH];
    if (o->operands.len < row->least && !needs_none) {
        Diag *d = diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`%s` requires a %s", row->name,
                              operand_word(row));
        diag_note(d, "usage: pychoralc %s %s", row->name, row->operands);
    } else if (o->operands.len > row->most) {
        report_too_many(r, row, o->operands.at[row->most]);
    } else if (o->operands.len > 0 && o->value[OPTION_BATCH]) {
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE,
                    "`--batch` reads standard input; unexpected argument `%s`", o->operands.at[0]);
    }
}

// A line whose command is unknown is not read, but its error is given in the form that is asked
// for.
static void read_format_only(Reader *r)
{
    static const char option[] = "--error-format";
    for (int i = r->next; i < r->argc; i++) {
        const char *word = r->argv[i];
        if (strncmp(word, option, sizeof option - 1) != 0)
            continue;
        word += sizeof option - 1;
        if (*word == '=')
            r->options->value[OPTION_ERROR_FORMAT] = word + 1;
        else if (*word == '\0' && i + 1 < r->argc)
            r->options->value[OPTION_ERROR_FORMAT] = r->argv[i + 1];
    }
}

DiagFormat options_error_format(const Options *options)
{
    const char *word = options->value[OPTION_ERROR_FORMAT];
    DiagFormat format = DIAG_HUMAN;
    if (word)
        diag_format_find(word, &format);
    return format;
}

// Options that mean nothing beside others, or without them.
static void check_together(Reader *r)
{
    const Options *o = r->options;
    if (o->command == COMMAND_CHECK && o->value[OPTION_DIFF] && !o->value[OPTION_AMEND]) {
        Diag *d = diag_report(r->diags, (Span){0, 0}, DIAG_USAGE,
                              "`--diff` requires `--amend`");
        diag_help(d, "write `--amend --diff`");
    }
    if (o->value[OPTION_COST] && o->value[OPTION_AMEND])
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE,
                    "`--cost` and `--amend` cannot be used together");
    bool c = o->value[OPTION_TARGET] && strcmp(o->value[OPTION_TARGET], "c") == 0;
    if (o->value[OPTION_COMPILE] && !c)
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE,
                    "`--compile` requires `--target=c`");
    if (o->value[OPTION_COMPILE] && o->value[OPTION_OUTPUT]
        && strcmp(o->value[OPTION_OUTPUT], "-") == 0)
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE, "`--compile` requires an output folder: "
                    "`-o DIR`");
    if (c && o->value[OPTION_ERASE])
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE,
                    "`--erase` does not support `--target=c`");
    if (o->value[OPTION_NO_LINE] && o->value[OPTION_ERASE])
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE,
                    "`--erase` and `--no-line` cannot be used together");
    if (o->value[OPTION_ROLE] && o->value[OPTION_ERASE])
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE,
                    "`--erase` and `--role` cannot be used together");
}

// Machines read one stream: nothing else may be written there.
static void check_streams(Reader *r)
{
    DiagFormat format = options_error_format(r->options);
    bool machine = format == DIAG_JSON || format == DIAG_SARIF;
    if (machine && r->options->value[OPTION_TIME])
        diag_report(r->diags, (Span){0, 0}, DIAG_USAGE,
                    "`--time` and `--error-format=%s` both write to standard error",
                    r->options->value[OPTION_ERROR_FORMAT]);
}

bool options_parse(Arena *a, int argc, char **argv, Options *options, Diags *diags)
{
    Reader r = {.arena = a, .diags = diags, .argv = argv, .argc = argc, .next = 1,
                .options = options};
    *options = (Options){0};
    if (!read_command(&r)) {
        read_format_only(&r);
        return false;
    }
    while (r.next < argc)
        read_word(&r, argv[r.next++]);
    if (options->value[OPTION_HELP] || options->value[OPTION_VERSION])
        return true;
    if (diags_error_count(diags) == 0) {        // of a wrong option the value looks like a file
        check_operands(&r);
        check_together(&r);
        check_streams(&r);
    }
    return diags_error_count(diags) == 0;
}
