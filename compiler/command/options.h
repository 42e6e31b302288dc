// options.h - the command line as data. Rows are in option.def and command.def.

#ifndef PYCHORAL_COMMAND_OPTIONS_H
#define PYCHORAL_COMMAND_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/arena.h"
#include "compiler/base/buf.h"
#include "compiler/base/diag.h"
#include "compiler/base/diag_out.h"
#include "compiler/base/vec.h"

typedef enum CommandId {
#define COMMAND(id, name, operands, least, most, summary) COMMAND_##id,
#include "compiler/command/command.def"
#undef COMMAND
    COMMAND_COUNT
} CommandId;

typedef enum OptionId {
#define OPTION(id, ...) OPTION_##id,
#define FLAG(id, ...)   OPTION_##id,
#include "compiler/command/option.def"
    OPTION_COUNT
} OptionId;

// `--Client.name value` of `run`.
typedef struct RoleOption { const char *role, *parameter, *value; } RoleOption;

typedef struct Options {
    CommandId   command;
    const char *value[OPTION_COUNT];    // NULL: not given; "" for a flag
    Vec(const char *) operands;
    Vec(RoleOption)   role_options;     // RUN only
    Vec(const char *) folders;          // every --include
    Vec(const char *) addresses;        // every --address
} Options;

// Reads the command line; reports what is wrong with it (USAGE) and then gives false. With --help
// or --version nothing else is asked of the line.
bool options_parse(Arena *a, int argc, char **argv, Options *options, Diags *diags);

const char *command_name(CommandId id);

// Reports that there is no such command, with the nearest one.
Diag *options_report_command(Diags *diags, const char *word);

// What the command line says about the form of diagnostics, as far as it can be read.
DiagFormat options_error_format(const Options *options);

// ---- the tables, for help, the manual page and completion ----

typedef struct CommandRow {
    const char *name, *operands;
    size_t      least, most;
    const char *summary;
} CommandRow;

typedef struct OptionRow {
    const char *name;
    char        letter;
    const char *argument;       // without the `?`
    bool        optional;       // the argument may be left out
    unsigned    commands;       // a bit for each
    const char *help;
} OptionRow;

// What `--target` of `run` accepts, in a sentence.
#define TARGETS_WANTED "`python`, `c`, `mixed` or a language for each role, as in `A=c,B=python`"

CommandRow command_row(CommandId id);
OptionRow  option_row(OptionId id);
bool       option_of_command(OptionId id, CommandId command);
bool       command_find(const char *name, CommandId *id);

// The help of one command, or of the whole program when `id` is COMMAND_COUNT.
void options_help(Buf *b, CommandId id);
// A line of it: `      --NAME=ARGUMENT  help`.
void options_help_line(Buf *b, const char *name, const char *argument, const char *help);

#endif
