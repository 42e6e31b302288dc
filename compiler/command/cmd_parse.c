// cmd_parse.c - `parse`: the syntax tree of a file, in one of four forms. Needs nothing of the
// compiler but the front end.
//
//   --ast         as Python 3.13's ast.dump(tree, indent=2) prints it (the default)
//   --ast=json    one JSON object per node, see compiler/emit/ast_json.h
//   --python      source text whose tree is equal
//   --ir          the exact form of the IR that the compiler reads back
//
// --from-ir reads that form and prints it again, or with --python as the source text of which it is
// the tree. Any tree that fits ir.asdl can be read: one that no text has is an error there, and the
// printers of the other forms take only what the parser gives.
//
// --batch=files takes many files, --batch=texts many sources: NUL-separated on standard input. For
// each, one JSON line: {"file": name, "ok": true, "tree": ...} (with --ast=json) or
// {"file": name, "ok": true, "text": ...} or {"file": name, "ok": false, "error": first message}.
// Comparisons with other parsers use it; it exits with 0 whatever the inputs are.

#include <string.h>

#include "compiler/base/json.h"
#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/emit/ast_dump.h"
#include "compiler/emit/ast_json.h"
#include "compiler/emit/python.h"
#include "compiler/front/front.h"

typedef enum Form { FORM_DUMP, FORM_JSON, FORM_PYTHON, FORM_IR } Form;
typedef enum Batch { BATCH_NONE, BATCH_FILES, BATCH_TEXTS } Batch;

typedef struct Parse {
    Form  form;
    Batch batch;
    Arena *arena;               // of one input
    Names *names;
    Diags *diags;
} Parse;

static Form wanted_form(const Options *o)
{
    const char *ast = o->value[OPTION_AST];
    if (o->value[OPTION_IR])
        return FORM_IR;
    if (o->value[OPTION_PYTHON])
        return FORM_PYTHON;
    return ast && *ast ? FORM_JSON : FORM_DUMP;
}

static Batch wanted_batch(const Options *o)
{
    const char *batch = o->value[OPTION_BATCH];
    if (batch == NULL)
        return BATCH_NONE;
    return strcmp(batch, "files") == 0 ? BATCH_FILES : BATCH_TEXTS;
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

static Status parse_file(Session *session, Parse *p)
{
    Text bytes;
    const char *path = session->options.operands.at[0], *why;
    const Source *source;
    if (!file_read(p->arena, path, &bytes, &why)) {
        session_report(session, DIAG_FILE_MISSING, "cannot read `%s`: %s", path, why);
        return STATUS_FILE;
    }
    session->files++;
    const Unit *unit = parse_text(p, path, bytes, &source);
    if (unit == NULL)
        return STATUS_ERRORS;
    Buf b = buf_new(p->arena);
    print_form(p, &b, unit, source);
    return file_write_stdout((Text){buf_text(&b), b.len}) ? STATUS_DONE : STATUS_FILE;
}

// Whether the text that was printed for the tree is read as this tree: not each tree is that of a
// text (a negative constant, an empty body).
static bool is_tree_of(const Session *session, const Unit *unit, Text text)
{
    Diags *diags = diags_new(session->arena);
    const Source *source = front_decode(session->arena, "", text, diags);
    const Unit *again = source ? front_parse(session->arena, session->names, source, diags) : NULL;
    return again && diags_error_count(diags) == 0 && ir_equal_unit(unit, again);
}

static Status refuse_tree(Session *session, const char *why)
{
    session_report(session, DIAG_SYNTAX, "`%s` is not a valid tree: %s",
                   session->options.operands.at[0], why);
    return STATUS_ERRORS;
}

static Status parse_tree(Session *session)
{
    Text text;
    Span at;
    const char *path = session->options.operands.at[0], *why;
    bool python = session->options.value[OPTION_PYTHON] != NULL;
    if (!file_read(session->arena, path, &text, &why)) {
        session_report(session, DIAG_FILE_MISSING, "cannot read `%s`: %s", path, why);
        return STATUS_FILE;
    }
    const Unit *unit = ir_read_unit(session->arena, session->names, text, &why);
    if (unit == NULL)
        return refuse_tree(session, why);
    Buf b = buf_new(session->arena);
    if (python && (unit->kind != UNIT_MODULE
                   || !ir_verify_unit(unit, IR_SUGAR | IR_SURFACE, &why, &at)))
        return refuse_tree(session, "it contains constructs that Python does not have");
    if (python)
        emit_python_unit(&b, unit, (PythonOptions){0});
    else
        ir_print_unit(&b, unit);
    if (b.mid_line)
        buf_putc(&b, '\n');
    text = (Text){buf_text(&b), b.len};
    if (python && !is_tree_of(session, unit, text))
        return refuse_tree(session, "it does not correspond to any Python source");
    return file_write_stdout(text) ? STATUS_DONE : STATUS_FILE;
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
        json_string(b, (Text){buf_text(&text), text.len});
    } else {
        const char *error = diags_count(p->diags) > 0 ? diags_get(p->diags, 0)->text : "";
        buf_puts(b, "\"ok\":false,\"error\":");
        json_string(b, (Text){error, strlen(error)});
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
        diag_report(p->diags, (Span){0, 0}, DIAG_FILE_MISSING, "cannot read the file: %s", why);
    else
        unit = parse_text(p, name, bytes, &source);
    Buf b = buf_new(p->arena);
    buf_puts(&b, "{\"file\":");
    json_string(&b, (Text){name, strlen(name)});
    buf_puts(&b, ",");
    put_result(p, &b, unit, source);
    return file_write_stdout((Text){buf_text(&b), b.len});
}

static Status parse_batch(Session *session)
{
    Parse p = {.form = wanted_form(&session->options), .batch = wanted_batch(&session->options),
               .arena = arena_new()};
    Text input;
    const char *why;
    Status status = STATUS_DONE;
    if (!file_read(session->arena, "-", &input, &why)) {
        session_report(session, DIAG_FILE_MISSING, "cannot read standard input: %s", why);
        status = STATUS_FILE;
        input = (Text){"", 0};
    }
    for (size_t i = 0; i < input.len && status == STATUS_DONE; i++) {
        const char *end = memchr(input.at + i, '\0', input.len - i);
        size_t len = end != NULL ? (size_t)(end - input.at) - i : input.len - i;
        if (!answer(&p, (Text){input.at + i, len}))
            status = STATUS_FILE;
        i += len;
    }
    arena_free(p.arena);
    return status;
}

Status cmd_parse(Session *s)
{
    Parse p = {.form = wanted_form(&s->options), .arena = s->arena, .names = s->names,
               .diags = s->diags};
    const char *const *given = s->options.value;
    if (given[OPTION_FROM_IR] != NULL) {
        if (given[OPTION_AST] || given[OPTION_BATCH]) {
            session_report(s, DIAG_USAGE, "`--from-ir` cannot be used with `--%s`",
                           given[OPTION_AST] ? "ast" : "batch");
            return STATUS_USAGE;
        }
        return parse_tree(s);
    }
    return wanted_batch(&s->options) == BATCH_NONE ? parse_file(s, &p) : parse_batch(s);
}
