// cmd_parse.c - reads a file and prints its tree; needs nothing of the compiler but the front end.

#include "compiler/command/cmd_parse.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/base/diag_print.h"
#include "compiler/command/file.h"
#include "compiler/command/session.h"
#include "compiler/emit/ast_dump.h"
#include "compiler/emit/ast_json.h"
#include "compiler/emit/python.h"
#include "compiler/front/front.h"

typedef enum Form { FORM_DUMP, FORM_JSON, FORM_PYTHON, FORM_IR } Form;
typedef enum Batch { BATCH_NONE, BATCH_FILES, BATCH_TEXTS } Batch;

typedef struct Parse {
    Form  form;
    Batch batch;
    bool  brief;                // --error-format=short
    const char *color;          // auto, always, never
    const char *path;
    bool  help;
    Arena *arena;               // of one input
    Names *names;
    Diags *diags;
} Parse;

// ---- the command line ----

typedef struct Choice { const char *word; size_t offset; int value; } Choice;

static const Choice choices[] = {
    {"--ast", offsetof(Parse, form), FORM_DUMP},
    {"--ast=json", offsetof(Parse, form), FORM_JSON},
    {"--python", offsetof(Parse, form), FORM_PYTHON},
    {"--ir", offsetof(Parse, form), FORM_IR},
    {"--batch=files", offsetof(Parse, batch), BATCH_FILES},
    {"--batch=texts", offsetof(Parse, batch), BATCH_TEXTS},
};

static const char help_text[] =
    "Usage: pychoralc parse [--ast | --ast=json | --python | --ir] FILE\n"
    "\n"
    "print the syntax tree of a file (`-` is standard input)\n"
    "\n"
    "Options\n"
    "      --ast                   as ast.dump(tree, indent=2) of Python 3.13 (default)\n"
    "      --ast=json              one JSON object for each node, with positions\n"
    "      --python                Python source that has the same tree\n"
    "      --ir                    the tree as the compiler reads it back\n"
    "      --batch=files|texts     many inputs, NUL-separated on standard input;\n"
    "                              one line of JSON for each\n"
    "      --error-format=human|short\n"
    "                              how diagnostics look (human)\n"
    "      --color=auto|always|never\n"
    "                              whether to use colour (auto)\n"
    "  -h, --help                  show this help\n"
    "\n"
    "Exit status: 0 done, 1 the input has errors, 2 wrong usage, 3 a file.\n";

__attribute__((format(printf, 3, 4)))
static void report(Parse *p, DiagId id, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vformat(p->arena, format, args);
    va_end(args);
    diags_set_source(p->diags, NULL);
    diag_report(p->diags, (Span){0, 0}, id, "%s", text);
}

static bool read_choice(Parse *p, const char *word)
{
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (strcmp(word, choices[i].word) == 0) {
            int *at = (int *)(void *)((char *)p + choices[i].offset);
            *at = choices[i].value;
            return true;
        }
    return false;
}

static bool read_option(Parse *p, const char *word)
{
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)
        p->help = true;
    else if (strcmp(word, "--error-format=short") == 0)
        p->brief = true;
    else if (strcmp(word, "--error-format=human") == 0)
        p->brief = false;
    else if (strcmp(word, "--color=auto") == 0 || strcmp(word, "--color=always") == 0 ||
             strcmp(word, "--color=never") == 0)
        p->color = strchr(word, '=') + 1;
    else
        return read_choice(p, word);
    return true;
}

static bool read_line(Parse *p, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (word[0] == '-' && word[1] != '\0') {
            if (!read_option(p, word))
                report(p, DIAG_USAGE, "`parse` has no option `%s`", word);
        } else if (p->path != NULL) {
            report(p, DIAG_USAGE, "`parse` takes one file, not also `%s`", word);
        } else {
            p->path = word;
        }
    }
    if (p->path == NULL && p->batch == BATCH_NONE && !p->help)
        report(p, DIAG_USAGE, "which file?");
    if (p->path != NULL && p->batch != BATCH_NONE)
        report(p, DIAG_USAGE, "with `--batch` the input comes from standard input, not from `%s`",
               p->path);
    return diags_error_count(p->diags) == 0;
}

// ---- one input ----

static void forget(Parse *p)
{
    arena_reset(p->arena);
    p->names = names_new(p->arena);
    p->diags = diags_new(p->arena);
}

// NULL after an error was reported.
static const Unit *parse_text(Parse *p, const char *name, Text bytes, const Source **source)
{
    diags_set_source(p->diags, NULL);
    *source = front_decode(p->arena, name, bytes, p->diags);
    if (*source == NULL)
        return NULL;
    diags_set_source(p->diags, *source);
    const Unit *unit = front_parse(p->arena, p->names, *source, p->diags);
    return diags_error_count(p->diags) == 0 ? unit : NULL;
}

static bool write_part(void *cx, Text part)
{
    (void)cx;
    return file_write_stdout(part);
}

static void print_form(const Parse *p, Buf *b, const Unit *unit, const Source *source)
{
    AstDumpOutput output = {.write = write_part};
    switch (p->form) {
    case FORM_DUMP:
        emit_ast_dump(b, unit, p->batch == BATCH_NONE ? &output : NULL);
        break;
    case FORM_JSON:   emit_ast_json(b, unit, source); break;
    case FORM_PYTHON: emit_python_unit(b, unit, (PythonOptions){.source = source}); break;
    case FORM_IR:     ir_print_unit(b, unit); break;
    }
    if (b->mid_line)
        buf_putc(b, '\n');
}

static bool wants_color(const Parse *p)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    if (strcmp(p->color, "auto") != 0)
        return strcmp(p->color, "always") == 0;
    return isatty(STDERR_FILENO) && !(no_color && *no_color) &&
           !(term && strcmp(term, "dumb") == 0);
}

static void print_diags(Parse *p)
{
    Buf b = buf_new(p->arena);
    diag_print_all(&b, p->diags, (DiagStyle){.brief = p->brief, .color = wants_color(p),
                                             .max_errors = DIAG_MAX_ERRORS});
    fputs(buf_text(&b), stderr);
}

static Status parse_file(Parse *p)
{
    Text bytes;
    const char *why;
    const Source *source;
    if (!file_read(p->arena, p->path, &bytes, &why)) {
        report(p, DIAG_FILE_MISSING, "cannot read `%s`: %s", p->path, why);
        return STATUS_FILE;
    }
    const Unit *unit = parse_text(p, p->path, bytes, &source);
    if (unit == NULL)
        return STATUS_ERRORS;
    Buf b = buf_new(p->arena);
    print_form(p, &b, unit, source);
    return file_write_stdout((Text){buf_text(&b), b.len}) ? STATUS_DONE : STATUS_FILE;
}

// ---- many inputs ----

static void put_result(Parse *p, Buf *b, const Unit *unit, const Source *source)
{
    if (unit != NULL && p->form == FORM_JSON) {
        buf_puts(b, "\"ok\":true,\"tree\":");
        emit_ast_json(b, unit, source);
    } else if (unit != NULL) {
        Buf text = buf_new(p->arena);
        print_form(p, &text, unit, source);
        buf_puts(b, "\"ok\":true,\"text\":");
        emit_json_string(b, (Text){buf_text(&text), text.len});
    } else {
        const char *error = diags_count(p->diags) > 0 ? diags_get(p->diags, 0)->text : "";
        buf_puts(b, "\"ok\":false,\"error\":");
        emit_json_string(b, (Text){error, strlen(error)});
    }
    buf_puts(b, "}\n");
}

static bool answer(Parse *p, Text item)
{
    forget(p);
    const char *name = p->batch == BATCH_FILES ? arena_strndup(p->arena, item.at, item.len) : "";
    const char *why;
    const Source *source = NULL;
    const Unit *unit = NULL;
    Text bytes = item;
    if (p->batch == BATCH_FILES && !file_read(p->arena, name, &bytes, &why))
        report(p, DIAG_FILE_MISSING, "cannot read it: %s", why);
    else
        unit = parse_text(p, name, bytes, &source);
    Buf b = buf_new(p->arena);
    buf_puts(&b, "{\"file\":");
    emit_json_string(&b, (Text){name, strlen(name)});
    buf_puts(&b, ",");
    put_result(p, &b, unit, source);
    return file_write_stdout((Text){buf_text(&b), b.len});
}

static Status parse_batch(Parse *p, Arena *all)
{
    Text input;
    const char *why;
    if (!file_read(all, "-", &input, &why)) {
        report(p, DIAG_FILE_MISSING, "cannot read standard input: %s", why);
        return STATUS_FILE;
    }
    for (size_t i = 0; i < input.len; i++) {
        const char *end = memchr(input.at + i, '\0', input.len - i);
        size_t len = end != NULL ? (size_t)(end - input.at) - i : input.len - i;
        if (!answer(p, (Text){input.at + i, len}))
            return STATUS_FILE;
        i += len;
    }
    return STATUS_DONE;
}

static Status run(Parse *p, Arena *all, int argc, char **argv)
{
    if (!read_line(p, argc, argv))
        return STATUS_USAGE;
    if (p->help) {
        fputs(help_text, stdout);
        return STATUS_DONE;
    }
    return p->batch == BATCH_NONE ? parse_file(p) : parse_batch(p, all);
}

int cmd_parse(int argc, char **argv)
{
    Arena *all = arena_new();
    Parse p = {.color = "auto", .arena = arena_new()};
    forget(&p);
    Status status = run(&p, all, argc, argv);
    if (p.batch == BATCH_NONE || status != STATUS_DONE)
        print_diags(&p);
    arena_free(p.arena);
    arena_free(all);
    if (fflush(stdout) != 0 && status == STATUS_DONE)
        status = STATUS_FILE;
    return (int)status;
}
