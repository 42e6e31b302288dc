// completion.c - completion scripts for three shells, from the tables.
//
// What an operand or argument is follows from its name: FILE, PATH and DIR are files; CODE, SHELL
// and COMMAND have known words; `a|b` is one of its words.

#include <ctype.h>
#include <string.h>

#include "compiler/base/diag.h"
#include "compiler/command/manual.h"
#include "compiler/command/options.h"

const char *const shell_names[SHELL_COUNT] = {"bash", "zsh", "fish"};

static bool is_words(OptionRow row)
{
    return row.argument && (row.optional || strchr(row.argument, '|'));
}

static bool is_file(OptionRow row)
{
    return row.argument &&
           (strcmp(row.argument, "PATH") == 0 || strcmp(row.argument, "DIR") == 0);
}

// `a|b` as `a b`.
static void put_words(Buf *b, const char *bars)
{
    for (; *bars != '\0'; bars++)
        buf_putc(b, *bars == '|' ? ' ' : *bars);
}

static void put_all(Buf *b, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_printf(b, i > 0 ? " %s" : "%s", names[i]);
}

static void put_commands(Buf *b)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        buf_printf(b, i > 0 ? " %s" : "%s", command_row((CommandId)i).name);
}

// The words that an operand of a command may be; nothing: files.
static void put_operands(Buf *b, CommandId id)
{
    const char *operands = command_row(id).operands;
    if (strstr(operands, "CODE"))
        for (int i = 0; i < DIAG_COUNT; i++)
            buf_printf(b, i > 0 ? " %s" : "%s", diag_code((DiagId)i));
    else if (strstr(operands, "SHELL"))
        put_all(b, shell_names, SHELL_COUNT);
    else if (strstr(operands, "COMMAND"))
        put_commands(b);
}

static bool takes_file(CommandId id) { return strstr(command_row(id).operands, "FILE") != NULL; }

// ---- bash ----

static void bash_options(Buf *b, CommandId id)
{
    const char *separator = "";
    for (int i = 0; i < OPTION_COUNT; i++) {
        OptionRow row = option_row((OptionId)i);
        if (!option_of_command((OptionId)i, id))
            continue;
        buf_printf(b, "%s--%s", separator, row.name);
        separator = " ";
        if (row.argument && !row.optional)
            buf_putc(b, '=');
    }
}

static void bash_values(Buf *b)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        OptionRow row = option_row((OptionId)i);
        if (!row.argument)
            continue;
        buf_printf(b, "    --%s", row.name);
        if (row.letter)
            buf_printf(b, "|-%c", row.letter);
        if (is_words(row)) {
            buf_puts(b, ") COMPREPLY=($(compgen -W \"");
            put_words(b, row.argument);
            buf_puts(b, "\" -- \"$cur\")); return ;;\n");
        } else if (is_file(row)) {
            buf_puts(b, ") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n");
        } else {
            buf_puts(b, ") return ;;\n");
        }
    }
}

static void bash_script(Buf *b)
{
    buf_puts(b, "# bash completion for pychoralc\n\n"
                "_pychoralc() {\n"
                "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                "    local command=${COMP_WORDS[1]} options= operands=\n"
                "    COMPREPLY=()\n"
                "    if [[ $cur == = ]]; then\n        cur=\n"
                "    elif [[ $prev == = ]]; then\n        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
                "    fi\n"
                "    case $prev in\n");
    bash_values(b);
    buf_puts(b, "    esac\n"
                "    if [[ $COMP_CWORD == 1 && $cur != -* ]]; then\n"
                "        COMPREPLY=($(compgen -W \"");
    put_commands(b);
    buf_puts(b, "\" -- \"$cur\") $(compgen -f -- \"$cur\"))\n"
                "        return\n    fi\n"
                "    case $command in\n");
    for (int i = COMMAND_COUNT; i-- > 0;) {             // build, which is the last, is the usual
        buf_printf(b, "    %s) options=\"", i > 0 ? command_row((CommandId)i).name : "*");
        bash_options(b, (CommandId)i);
        buf_puts(b, "\" operands=\"");
        put_operands(b, (CommandId)i);
        buf_puts(b, "\" ;;\n");
    }
    buf_puts(b, "    esac\n"
                "    if [[ $cur == -* ]]; then\n"
                "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
                "        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
                "    elif [[ -n $operands ]]; then\n"
                "        COMPREPLY=($(compgen -W \"$operands\" -- \"$cur\"))\n"
                "    else\n"
                "        COMPREPLY=($(compgen -f -- \"$cur\"))\n"
                "    fi\n"
                "}\n\n"
                "complete -o filenames -F _pychoralc pychoralc\n");
}

// ---- zsh ----

// Within single quotes and the brackets of a description.
static void zsh_text(Buf *b, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\'')
            buf_puts(b, "'\\''");
        else if (strchr("[]:\\", *text))
            buf_printf(b, "\\%c", *text);
        else
            buf_raw(b, text, 1);
}

static void zsh_option(Buf *b, OptionId id)
{
    OptionRow row = option_row(id);
    const char *sign = row.argument ? row.optional ? "=-" : "=" : "";
    buf_puts(b, "            ");
    if (row.letter)
        buf_printf(b, "{-%c,--%s%s}'[", row.letter, row.name, sign);
    else
        buf_printf(b, "'--%s%s[", row.name, sign);
    zsh_text(b, row.help);
    buf_puts(b, "]");
    if (row.argument) {
        buf_puts(b, row.optional ? "::" : ":");
        zsh_text(b, row.name);
        buf_puts(b, ":");
        if (is_words(row)) {
            buf_puts(b, "(");
            put_words(b, row.argument);
            buf_puts(b, ")");
        } else if (is_file(row)) {
            buf_puts(b, "_files");
        }
    }
    buf_puts(b, "' \\\n");
}

static void zsh_command(Buf *b, CommandId id)
{
    buf_printf(b, "    %s)\n        _arguments \\\n",
               id == COMMAND_BUILD ? "*" : command_row(id).name);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_of_command((OptionId)i, id))
            zsh_option(b, (OptionId)i);
    if (takes_file(id)) {
        buf_puts(b, "            '*:file:_files' ;;\n");
    } else {
        buf_puts(b, "            '*::operand:(");
        put_operands(b, id);
        buf_puts(b, ")' ;;\n");
    }
}

static void zsh_script(Buf *b)
{
    buf_puts(b, "#compdef pychoralc\n\n_pychoralc() {\n    local -a commands=(\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        buf_printf(b, "        '%s:", command_row((CommandId)i).name);
        zsh_text(b, command_row((CommandId)i).summary);
        buf_puts(b, "'\n");
    }
    buf_puts(b, "    )\n"
                "    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
                "        _describe command commands\n        _files\n        return\n    fi\n"
                "    local command=$words[2]\n"
                "    if (( $+commands[(r)$command:*] )); then\n"
                "        shift words\n        (( CURRENT-- ))\n    fi\n"
                "    case $command in\n");
    for (int i = COMMAND_COUNT; i-- > 0;)
        zsh_command(b, (CommandId)i);
    buf_puts(b, "    esac\n}\n\n_pychoralc \"$@\"\n");
}

// ---- fish ----

static void fish_quoted(Buf *b, const char *text)
{
    buf_puts(b, "'");
    for (; *text != '\0'; text++)
        if (*text == '\'' || *text == '\\')
            buf_printf(b, "\\%c", *text);
        else
            buf_raw(b, text, 1);
    buf_puts(b, "'");
}

// A file as the first word means `build`, so its options are for no command too.
static void fish_option(Buf *b, OptionId id)
{
    OptionRow row = option_row(id);
    bool build = option_of_command(id, COMMAND_BUILD);
    buf_puts(b, "complete -c pychoralc -n \"");
    buf_puts(b, build ? "not __fish_seen_subcommand_from" : "__fish_seen_subcommand_from");
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (option_of_command(id, (CommandId)i) != build)
            buf_printf(b, " %s", command_row((CommandId)i).name);
    buf_printf(b, "\" -l %s", row.name);
    if (row.letter)
        buf_printf(b, " -s %c", row.letter);
    if (is_words(row)) {
        buf_puts(b, row.optional ? " -a \"" : " -x -a \"");
        put_words(b, row.argument);
        buf_puts(b, "\"");
    } else if (row.argument) {
        buf_puts(b, is_file(row) ? " -r" : " -x");
    }
    buf_puts(b, " -d ");
    fish_quoted(b, row.help);
    buf_puts(b, "\n");
}

static void fish_script(Buf *b)
{
    buf_puts(b, "# fish completion for pychoralc\n\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        CommandRow row = command_row((CommandId)i);
        buf_printf(b, "complete -c pychoralc -n __fish_use_subcommand -a %s -d ", row.name);
        fish_quoted(b, row.summary);
        buf_puts(b, "\n");
        if (takes_file((CommandId)i))
            continue;
        buf_printf(b, "complete -c pychoralc -n \"__fish_seen_subcommand_from %s\" -f -a \"",
                   row.name);
        put_operands(b, (CommandId)i);
        buf_puts(b, "\"\n");
    }
    for (int i = 0; i < OPTION_COUNT; i++)
        fish_option(b, (OptionId)i);
}

void completion_script(Buf *b, Shell shell)
{
    switch (shell) {
    case SHELL_BASH: bash_script(b); break;
    case SHELL_ZSH:  zsh_script(b); break;
    case SHELL_FISH: fish_script(b); break;
    case SHELL_COUNT: break;
    }
}
