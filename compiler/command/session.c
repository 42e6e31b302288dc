// session.c - what the commands share: compiling, reporting, writing.

#include "compiler/command/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compiler/base/qualified.h"
#include "compiler/base/suggest.h"
#include "compiler/base/version.h"
#include "compiler/command/file.h"
#include "compiler/command/search.h"
#include "compiler/emit/module_text.h"
#include "compiler/emit/python.h"
#include "compiler/front/front.h"
#include "compiler/pass/ad/array_program.h"
#include "compiler/pass/entry.h"
#include "compiler/pass/link.h"
#include "compiler/pass/prove_edits.h"

// ---- reports ----

bool session_colors(const Session *s, int fd)
{
    const char *when = s->options.value[OPTION_COLOR], *term = getenv("TERM");
    const char *no_color = getenv("NO_COLOR");
    if (when && strcmp(when, "auto") != 0)
        return strcmp(when, "always") == 0;
    return isatty(fd) && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

Diag *session_report(Session *s, DiagId id, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vformat(s->arena, format, args);
    va_end(args);
    diags_set_source(s->diags, NULL);
    return diag_report(s->diags, (Span){0, 0}, id, "%s", text);
}

bool session_for_machine(const Session *s)
{
    DiagFormat format = options_error_format(&s->options);
    return format == DIAG_JSON || format == DIAG_SARIF;
}

static DiagOut *open_out(Session *s)
{
    enum { LONGEST = 4096 };
    const char *limit = s->options.value[OPTION_MAX_ERRORS];
    char *folder = arena_alloc(s->arena, LONGEST);
    DiagStyle style = {
        .format = options_error_format(&s->options),
        .color = session_colors(s, STDERR_FILENO),
        .max_errors = limit ? strtoul(limit, NULL, 10) : DIAG_MAX_ERRORS,
        .explain = true,
        .folder = getcwd(folder, LONGEST),
    };
    return diag_out_new(s->arena, style);
}

void session_print_diags(Session *s)
{
    Buf b = buf_new(s->arena);
    if (s->out == NULL)
        s->out = open_out(s);
    if (s->printed == NULL)
        s->printed = diags_new(s->arena);
    diags_drop_known(s->diags, s->printed);
    diag_out_add(s->out, &b, s->diags);
    s->diags = diags_new(s->arena);
    fputs(buf_text(&b), stderr);
}

void session_end(Session *s, Status status)
{
    Buf b = buf_new(s->arena);
    session_print_diags(s);
    diag_out_end(s->out, &b, s->files, (int)status);
    fputs(buf_text(&b), stderr);
}

// ---- faults of ours ----

static Diag *report_internal(Diags *diags)
{
    Diag *d = diag_report(diags, (Span){0, 0}, DIAG_INTERNAL,
                          "internal error in pychoralc %s", PYCHORAL_VERSION);
    diag_help(d, "please report this bug with this message, the command line and the smallest "
              "source that shows it");
    return d;
}

void session_describe_crash(Session *s, char *text, size_t size)
{
    Buf b = buf_new(s->arena);
    Diags *diags = diags_new(s->arena);
    DiagOut *out = open_out(s);
    report_internal(diags);
    diag_out_add(out, &b, diags);
    diag_out_end(out, &b, 0, STATUS_INTERNAL);
    if (b.len < size)
        memcpy(text, buf_text(&b), b.len + 1);
}

void session_say(Session *s, const char *format, ...)
{
    va_list args;
    if (s->options.value[OPTION_QUIET] || session_for_machine(s))
        return;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
}

// ---- writing ----

static bool is_source(const Session *s, const char *path)
{
    for (size_t i = 0; i < s->options.operands.len; i++)
        if (file_is_same(s->options.operands.at[i], path))
            return true;
    for (size_t i = 0; i < s->sources.len; i++)
        if (file_is_same(s->sources.at[i], path))
            return true;
    return false;
}

static bool reads_stdin(const Session *s)
{
    bool found = false;
    for (size_t i = 0; i < s->options.operands.len; i++)
        found = found || strcmp(s->options.operands.at[i], "-") == 0;
    return found;
}

// Of a command that edits files: each has one place to go to.
bool session_outputs_fit(Session *s)
{
    const char *const *value = s->options.value;
    bool many = s->options.operands.len > 1;
    if (many && !value[OPTION_IN_PLACE] && !value[OPTION_DIFF] && !value[OPTION_CHANGES])
        session_report(s, DIAG_USAGE, "with several files, `--in-place`, `--diff` or `--check` is "
                       "required");
    else if (value[OPTION_IN_PLACE] && value[OPTION_OUTPUT])
        session_report(s, DIAG_USAGE, "`--in-place` and `--output` cannot be used together");
    else if (value[OPTION_IN_PLACE] && reads_stdin(s))
        session_report(s, DIAG_USAGE, "`--in-place` cannot be used with standard input");
    else
        return true;
    return false;
}

// Whether writing there would destroy what is being compiled; reported if so.
bool session_would_lose_input(Session *s, const char *path)
{
    if (!is_source(s, path))
        return false;
    Diag *d = session_report(s, DIAG_OUTPUT_FOREIGN, "the output `%s` would overwrite the source",
                             path);
    diag_help(d, "choose another output path");
    return true;
}

bool session_owns(Session *s, const char *path)
{
    Text bytes;
    size_t len = strlen(GENERATED_MARK);
    if (!file_read_regular(s->arena, path, &bytes))
        return false;
    const char *line_end = memchr(bytes.at, '\n', bytes.len);
    size_t first_line = line_end ? (size_t)(line_end - bytes.at) : bytes.len;
    for (size_t i = 0; i + len <= first_line; i++)
        if (memcmp(bytes.at + i, GENERATED_MARK, len) == 0)
            return true;
    return false;
}

Status session_replace(Session *s, const char *path, Text bytes, ReplaceHow how)
{
    const char *failed = path, *why;
    Replacement r = replace_begin(s->arena);
    bool staged = replace_stage(&r, path, bytes, how, &why);
    if (!staged)
        replace_discard(&r);
    else if (replace_commit(&r, &failed, &why))
        return STATUS_DONE;
    session_report(s, DIAG_OUTPUT_FAILED, "cannot write `%s`: %s", failed, why);
    return STATUS_FILE;
}

static Status write_stream(Session *s, const char *path, Text bytes)
{
    const char *why;
    if (file_write_stream(path, bytes, &why))
        return STATUS_DONE;
    session_report(s, DIAG_OUTPUT_FAILED, "cannot write `%s`: %s", path, why);
    return STATUS_FILE;
}

bool session_may_write(Session *s, const char *path, bool may_own)
{
    if (session_would_lose_input(s, path))
        return false;
    bool ours = may_own && session_owns(s, path);
    if (!file_exists(path) || file_is_stream(path) || s->options.value[OPTION_FORCE] || ours)
        return true;
    Diag *d = session_report(s, DIAG_OUTPUT_FOREIGN, may_own
                                 ? "`%s` exists and was not written by pychoralc"
                                 : "`%s` exists", path);
    diag_help(d, folder_exists(path) ? "it is a folder: choose another name"
                 : "choose another name, or overwrite the file with `--force`");
    return false;
}

static Status write_bytes(Session *s, const char *path, Text bytes, bool may_own)
{
    if (path == NULL || strcmp(path, "-") == 0) {
        if (file_write_stdout(bytes))
            return STATUS_DONE;
        session_report(s, DIAG_OUTPUT_FAILED, "cannot write to standard output");
        return STATUS_FILE;
    }
    if (!session_may_write(s, path, may_own))
        return STATUS_FILE;
    if (file_is_stream(path))
        return write_stream(s, path, bytes);
    Status status = session_replace(s, path, bytes, REPLACE_WHOLE);
    if (status == STATUS_DONE)
        session_say(s, "wrote %s\n", path);
    return status;
}

Status session_write(Session *s, const char *path, Buf *text)
{
    return write_bytes(s, path, (Text){buf_text(text), text->len}, true);
}

Status session_write_new(Session *s, const char *path, Text bytes)
{
    return write_bytes(s, path, bytes, false);
}

// ---- compiling ----

// What is done after each pass.
typedef struct Watch {
    Session *session;
    bool     dumps, dumps_ir;
    PassId   dump, dump_ir;
    struct timespec last;
} Watch;

static void print_time(Watch *w, PassId id)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)(now.tv_sec - w->last.tv_sec)
                     + (double)(now.tv_nsec - w->last.tv_nsec) / 1e9;
    fprintf(stderr, "%-10s %9.3f ms\n", pass_name(id), seconds * 1e3);
    w->last = now;
}

static void print_unit(Watch *w, PassId id, const Unit *unit)
{
    Buf b = buf_new(w->session->arena);
    if (w->dumps && w->dump == id)
        emit_python_unit(&b, unit, (PythonOptions){0});
    char *shown = qualified_show((char *)buf_text(&b));
    file_write_stdout((Text){shown, strlen(shown)});
    b = buf_new(w->session->arena);
    if (w->dumps_ir && w->dump_ir == id) {
        ir_print_unit(&b, unit);
        buf_putc(&b, '\n');
    }
    file_write_stdout((Text){buf_text(&b), b.len});
}

// Whether the programs that are written are these (program.c), so that nobody has to see them.
static bool is_written(const Watch *w)
{
    return w->dumps && w->dump == PASS_DESUGAR && w->session->options.value[OPTION_OUTPUT];
}

static void after_pass(void *observer, PassId id, const Unit *unit)
{
    Watch *w = observer;
    if (w->session->options.value[OPTION_TIME])
        print_time(w, id);
    if (!is_written(w))
        print_unit(w, id, unit);
}

// Reads the value of --dump or --dump-ir; true if there is nothing wrong with it.
static bool read_pass(Session *s, OptionId option, bool *given, PassId *id)
{
    const char *name = s->options.value[option], *names[PASS_COUNT];
    *given = name != NULL;
    if (name == NULL || pass_find(name, id))
        return true;
    for (int i = 0; i < PASS_COUNT; i++)
        names[i] = pass_name((PassId)i);
    Diag *d = session_report(s, DIAG_USAGE, "unknown pass: `%s`", name);
    const char *near = suggest_nearest(name, names, PASS_COUNT);
    if (near)
        diag_help(d, "did you mean `%s`?", near);
    diag_note(d, "`--passes` lists all passes");
    return false;
}

// A pass that nothing else needs is run for who wants to see its unit.
static bool run_shown(PassCx *cx, const Watch *w)
{
    return (!w->dumps || pass_run(cx, w->dump)) && (!w->dumps_ir || pass_run(cx, w->dump_ir));
}

// Programs in C are made of what comes after projection.
static bool makes_c(const Session *s)
{
    const char *target = s->options.value[OPTION_TARGET];
    const char *targets = s->options.value[OPTION_TARGETS];
    return (target && strcmp(target, "c") == 0) || (targets && strcmp(targets, "python") != 0);
}

static bool verify_always(void)
{
#ifdef NDEBUG
    return false;
#else
    return true;
#endif
}

static Status read_source(Session *s, const char *path, Compilation *c)
{
    Text bytes;
    const char *why;
    if (!file_read(s->arena, path, &bytes, &why)) {
        Diag *d = session_report(s, DIAG_FILE_MISSING, "cannot read `%s`: %s", path, why);
        const char *dot = strrchr(path, '.');
        size_t stem = dot != NULL && strcmp(dot, ".py") == 0 ? (size_t)(dot - path) : strlen(path);
        const char *near = names_format(s->names, "%.*s.pyc", (int)stem, path);
        if (file_exists(near))
            diag_help(d, "did you mean `%s`?", near);
        return STATUS_FILE;
    }
    s->files++;
    c->bytes = bytes;
    c->source_hash = ARENA_ARRAY(s->arena, char, SHA256_HEX_SIZE);
    diags_set_source(s->diags, NULL);
    c->cx.source = front_decode(s->arena, path, bytes, s->diags);
    if (c->cx.source == NULL)
        return STATUS_ERRORS;
    diags_set_source(s->diags, c->cx.source);
    return STATUS_DONE;
}

const char *session_source_hash(const Compilation *c)
{
    if (c->source_hash[0] == '\0')
        sha256_hex(c->bytes.at, c->bytes.len, c->source_hash);
    return c->source_hash;
}

static void report_broken(Session *s, const Compilation *c)
{
    diags_set_source(s->diags, NULL);
    Diag *d = report_internal(s->diags);
    diag_note(d, "pass `%s` made %s", pass_name(c->cx.broken_pass), c->cx.broken_form);
    diag_note(d, "source %s, sha256 %s", c->name, session_source_hash(c));
}

// A function over arrays is differentiated by passes of its own.
static bool is_array_function(PassCx *cx)
{
    return cx->grad != NULL && pass_run(cx, PASS_LINK) &&
           array_program_is_for(cx->arena, cx->names, cx->units[PASS_LINK], cx->grad->function,
                                cx->grad->mode == GRAD_ARRAY);
}

static Status compile(Session *s, const char *path, PassId last, bool plain, Compilation *c)
{
    Watch watch = {.session = s};
    const char *entry = s->options.value[OPTION_ENTRY];
    *c = (Compilation){.path = path, .name = path_base(path)};
    if (!read_pass(s, OPTION_DUMP, &watch.dumps, &watch.dump)
        || !read_pass(s, OPTION_DUMP_IR, &watch.dumps_ir, &watch.dump_ir))
        return STATUS_USAGE;
    Status status = search_folders_there(s);
    if (status != STATUS_DONE)
        return status;
    if (last == PASS_PROJECT && makes_c(s))
        last = PASS_DESUGAR;
    size_t errors_before = diags_error_count(s->diags);
    clock_gettime(CLOCK_MONOTONIC, &watch.last);
    status = read_source(s, path, c);
    if (status != STATUS_DONE)
        return status;
    c->cx.arena = s->arena;
    c->cx.names = s->names;
    c->cx.diags = s->diags;
    c->cx.unseen = !watch.dumps && !watch.dumps_ir;
    Loader *loader = ARENA_NEW(s->arena, Loader);
    *loader = search_loader(s);
    c->cx.loader = loader;
    c->cx.entry = names_get(s->names, entry ? entry : "main");
    entry_read(&c->cx);
    c->cx.plain = plain;
    c->cx.grad = s->grad;
    c->cx.verify = verify_always() || s->options.value[OPTION_VERIFY];
    PassCx fresh = c->cx;
    c->cx.observer = &watch;
    c->cx.observe = after_pass;
    if (is_array_function(&c->cx))
        last = s->grad->c ? PASS_NEST : PASS_NUMPY;
    if (pass_run(&c->cx, last))
        run_shown(&c->cx, &watch);
    c->cx.observe = NULL;
    for (size_t i = 1; i < c->cx.linked_count; i++)
        if (!c->cx.linked[i].interface)
            vec_push(s->arena, &s->sources, c->cx.linked[i].path);
    if (c->cx.broken_form) {
        report_broken(s, c);
        return STATUS_INTERNAL;
    }
    if (s->grad == NULL)
        prove_edits(s->diags, &fresh, last, path, c->bytes);
    return diags_error_count(s->diags) > errors_before ? STATUS_ERRORS : STATUS_DONE;
}

Status session_compile(Session *s, const char *path, PassId last, Compilation *c)
{
    return compile(s, path, last, false, c);
}

Status session_compile_plain(Session *s, const char *path, PassId last, Compilation *c)
{
    return compile(s, path, last, true, c);
}
