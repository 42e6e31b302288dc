// options_help.c - the help texts, from the tables.

#include "compiler/command/options.h"

enum { SUMMARY_COLUMN = 28 };

enum { EXAMPLE_COLUMN = 18 };

// The whole program: on one screen. The options of a command are in the help of that command.
static void help_commands(Buf *b)
{
    buf_puts(b, "pychoralc: compile choreographies, differentiate functions, overload the "
                "constructs of Python\n");
#define GROUP(title, example) buf_printf(b, "\n%-*s%s\n", EXAMPLE_COLUMN, title, example);
#define COMMAND(id, name, operands, least, most, summary) \
    buf_printf(b, "  %-12s %s\n", name, summary);
#include "compiler/command/command.def"
#undef COMMAND
    buf_puts(b, "\nOptions of every command (`pychoralc help COMMAND` lists its own)\n");
}

static bool of_every_command(OptionId id)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (!option_of_command(id, (CommandId)i))
            return false;
    return true;
}

// Shown first in the help of a command; a test runs those that need no other file.
static const char *const EXAMPLES[COMMAND_COUNT] = {
    [COMMAND_KEYGEN] =
        "Examples\n"
        "  pychoralc keygen auth.pyc -o keys/  keys/Client.key, keys/Service.key, ...\n"
        "                                      and keys/manifest.json, for one machine\n"
        "  pychoralc keygen auth.pyc -o keys/ --address Service=tcp://shop.example:21000\n"
        "                                      the service is on another machine\n"
        "  pychoralc keygen Alice Bob -o keys/ --force\n"
        "                                      new keys for these roles\n"
        "\n",
    [COMMAND_VIRTUALIZE] =
        "Examples\n"
        "  pychoralc virtualize rules.py               print rules.py with its constructs as\n"
        "                                              calls of hooks\n"
        "  pychoralc virtualize rules.py --hooks=all -o rules_virtual.py\n"
        "  pychoralc virtualize rules.py --overload=trace.py --diff\n"
        "                                              show the changes, with the hooks of\n"
        "                                              trace.py\n"
        "\n",
    [COMMAND_GRAD] =
        "Examples\n"
        "  pychoralc grad model.py:loss        print the gradient of `loss` as Python\n"
        "  pychoralc grad model.py:loss --wrt=w,b -o loss_grad.py\n"
        "                                      by two of its parameters, to a file\n"
        "\n",
    [COMMAND_DISTRIBUTE] =
        "Examples\n"
        "  pychoralc distribute train.py --diff        what Horovod needs\n"
        "  pychoralc distribute train.py -o train_hvd.py\n"
        "                                              then: horovodrun -np 4 python ...\n"
        "  pychoralc distribute --target=tf train.py -i\n"
        "                                              for the GPUs of this machine\n"
        "  pychoralc distribute train.py --explain --check\n"
        "                                              everything that prevents it\n"
        "\n",
    [COMMAND_BUILD] =
        "Examples\n"
        "  pychoralc auth.pyc -o out/          write out/client.py, out/service.py, ...\n"
        "  pychoralc auth.pyc --target=c -o out/\n"
        "                                      the same in C, with a Makefile\n"
        "\n",
    [COMMAND_CHECK] =
        "Examples\n"
        "  pychoralc check auth.pyc            only report mistakes\n"
        "  pychoralc check --amend shop.pyc    insert the selections that are missing\n"
        "\n",
    [COMMAND_RUN] =
        "Examples\n"
        "  pychoralc run auth.pyc --Client.name alice\n"
        "                                      start every role on this machine\n"
        "  pychoralc run auth.pyc --show --Client.name alice\n"
        "                                      print every message, too\n"
        "\n",
    [COMMAND_VIEW] =
        "Examples\n"
        "  pychoralc view auth.pyc --format=svg -o auth.svg\n"
        "                                      draw the sequence diagram\n"
        "\n",
};

static void help_usage(Buf *b, CommandId id)
{
    CommandRow row = command_row(id);
    if (EXAMPLES[id])
        buf_puts(b, EXAMPLES[id]);
    buf_printf(b, "Usage: pychoralc %s%s%s\n\n%s\n\nOptions (flags are off by default)\n", row.name,
               *row.operands ? " " : "", row.operands, row.summary);
}

// What is said of an option that stands from `start` on.
static void help_summary(Buf *b, size_t start, const char *help)
{
    size_t width = b->len - start;
    if (width >= SUMMARY_COLUMN) {
        buf_putc(b, '\n');
        width = 0;
    }
    buf_printf(b, "%*s  %s\n", (int)(SUMMARY_COLUMN - width), "", help);
}

static void help_option(Buf *b, OptionRow row)
{
    size_t start = b->len;
    if (row.letter)
        buf_printf(b, "  -%c, --%s", row.letter, row.name);
    else
        buf_printf(b, "      --%s", row.name);
    if (row.argument)
        buf_printf(b, row.optional ? "[=%s]" : "=%s", row.argument);
    help_summary(b, start, row.help);
}

void options_help_line(Buf *b, const char *name, const char *argument, const char *help)
{
    size_t start = b->len;
    buf_printf(b, "      --%s=%s", name, argument);
    help_summary(b, start, help);
}

static void help_exit_codes(Buf *b)
{
    buf_puts(b, "\nExit status\n");
#define EXIT(id, code, meaning) buf_printf(b, "  %2d  %s\n", code, meaning);
#include "compiler/command/exit.def"
#undef EXIT
}

void options_help(Buf *b, CommandId id)
{
    if (id == COMMAND_COUNT)
        help_commands(b);
    else
        help_usage(b, id);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (id == COMMAND_COUNT ? of_every_command((OptionId)i)
                                : option_of_command((OptionId)i, id))
            help_option(b, option_row((OptionId)i));
    if (id == COMMAND_RUN)
        buf_puts(b, "      --ROLE.PARAMETER=VALUE  a parameter of main at that role\n"
                    "      --ROLE.stdin=FILE       what the role reads from its standard input\n");
    if (id != COMMAND_COUNT)
        help_exit_codes(b);
}
