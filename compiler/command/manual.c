// manual.c - the manual page, from the tables.

#include "compiler/command/manual.h"

#include <stdbool.h>

#include "compiler/base/version.h"
#include "compiler/command/options.h"

// Text of a paragraph: no character of it is a command to the formatter.
static void put(Buf *b, const char *text)
{
    bool quoted = false;
    if (*text == '.' || *text == '\'')
        buf_puts(b, "\\&");
    for (; *text != '\0'; quoted ^= *text == '`', text++)
        if (*text == '-')
            buf_puts(b, "\\-");
        else if (*text == '\\')
            buf_puts(b, "\\e");
        else if (*text == '`')
            buf_puts(b, quoted ? "\\(cq" : "\\(oq");
        else
            buf_raw(b, text, 1);
}

static void put_commands(Buf *b)
{
    buf_puts(b, ".SH COMMANDS\nThe first word is a command, or a file, which means\n.BR build :\n"
                "a file's name contains \\(oq.\\(cq or \\(oq/\\(cq, or is \\(oq\\-\\(cq.\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        CommandRow row = command_row((CommandId)i);
        buf_printf(b, ".TP\n\\fB%s\\fR \\fI", row.name);
        put(b, row.operands);
        buf_puts(b, "\\fR\n");
        put(b, row.summary);
        buf_puts(b, "\n");
    }
}

static void put_takers(Buf *b, OptionId id)
{
    const char *separator = "";
    int takers = 0;
    for (int i = 0; i < COMMAND_COUNT; i++)
        takers += option_of_command(id, (CommandId)i);
    if (takers == COMMAND_COUNT) {
        buf_puts(b, "\n(all)\n");
        return;
    }
    buf_puts(b, "\n(");
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (option_of_command(id, (CommandId)i)) {
            buf_printf(b, "%s%s", separator, command_row((CommandId)i).name);
            separator = ", ";
        }
    buf_puts(b, ")\n");
}

static void put_option(Buf *b, OptionId id)
{
    OptionRow row = option_row(id);
    buf_puts(b, ".TP\n");
    if (row.letter)
        buf_printf(b, "\\fB\\-%c\\fR, ", row.letter);
    buf_puts(b, "\\fB\\-\\-");
    put(b, row.name);
    buf_puts(b, "\\fR");
    if (row.argument) {
        buf_puts(b, row.optional ? "[=\\fI" : "=\\fI");
        put(b, row.argument);
        buf_puts(b, row.optional ? "\\fR]" : "\\fR");
    }
    buf_puts(b, "\n");
    put(b, row.help);
    put_takers(b, id);
}

static void put_statuses(Buf *b)
{
    buf_puts(b, ".SH EXIT STATUS\n");
#define EXIT(id, code, meaning) buf_printf(b, ".TP\n.B %d\n", code); put(b, meaning "\n");
#include "compiler/command/exit.def"
#undef EXIT
}

static const char environment[] =
    ".SH ENVIRONMENT\n"
    ".TP\n.B PYTHON\nthe interpreter that runs the endpoints; by default the first\n.B python3\n"
    "that has the packages zmq and msgpack\n"
    ".TP\n.BR NO_COLOR , TERM\nno colour if the first is set, or the second is\n.B dumb\n"
    ".TP\n.B TMPDIR\nthe folder for the files that\n.B run\nwrites\n";

static const char examples[] =
    ".SH EXAMPLES\n"
    ".TP\n.B pychoralc check auth.pyc\nonly report mistakes\n"
    ".TP\n.B pychoralc auth.pyc \\-o out/\nwrite out/client.py, out/service.py, ...\n"
    ".TP\n.B pychoralc run auth.pyc \\-\\-Client.name alice\nstart every role on this machine\n"
    ".TP\n.B pychoralc keygen auth.pyc \\-o keys/\na key pair for each role, and the manifest\n"
    ".TP\n.B pychoralc explain E0601\nexplain an error code\n"
    ".SH SEE ALSO\n.BR python3 (1)\n";

void manual_page(Buf *b)
{
    buf_puts(b, ".TH PYCHORALC 1 \"" PYCHORAL_RELEASED "\" \"pychoralc " PYCHORAL_VERSION "\"\n"
                ".SH NAME\n"
                "pychoralc \\- check a choreography and split it into one program for each role\n"
                ".SH SYNOPSIS\n.B pychoralc\n.I command\n.RI [ options ]\n.RI [ operands ]\n.br\n"
                ".B pychoralc\n.I file\n.B \\-o\n.I folder\n"
                ".SH DESCRIPTION\n"
                "A choreography is one program, in the syntax of Python, that says what every\n"
                "participant does and what the participants send each other.\n.B pychoralc\n"
                "checks it and writes one program for each participant, in Python or C. The\n"
                "programs communicate over ZeroMQ. The programs of an accepted choreography fit\n"
                "together: no program waits for a message that no role sends.\n");
    put_commands(b);
    buf_puts(b, ".SH OPTIONS\nEach option is followed by the commands that accept it.\n");
    for (int i = 0; i < OPTION_COUNT; i++)
        put_option(b, (OptionId)i);
    buf_puts(b, ".TP\n\\fB\\-\\-\\fIROLE\\fB.\\fIPARAMETER\\fR=\\fIVALUE\\fR\n"
                "a parameter of the entry at that role (run)\n"
                ".TP\n\\fB\\-\\-\\fIROLE\\fB.stdin\\fR=\\fIFILE\\fR\n"
                "what the role reads from its standard input (run)\n");
    put_statuses(b);
    buf_puts(b, environment);
    buf_puts(b, examples);
}
