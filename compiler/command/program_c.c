// program_c.c - the endpoint programs of a compiled file in C: their files, and make.

#include <stdio.h>
#include <string.h>

#include "compiler/command/file.h"
#include "compiler/front/front.h"
#include "compiler/command/process.h"
#include "compiler/command/program.h"
#include "compiler/pass/link.h"
#include "compiler/pass/int_or_float.h"

// What C endpoints are made of: the whole program, and an entry.
static bool is_whole(Session *s, const Compilation *c, const EndpointCx *cx)
{
    if (cx->entry == NULL) {
        Diag *d = session_report(s, DIAG_C_UNSUPPORTED, "`%s` is a library, which cannot be "
                                 "compiled to a C program", c->path);
        diag_help(d, "compile the program that imports the library; the C program then contains "
                  "the library");
        return false;
    }
    for (size_t i = 1; i < c->cx.linked_count; i++)
        if (c->cx.linked[i].interface) {
            programs_report_source(s, DIAG_C_UNSUPPORTED, "a program in C", &c->cx.linked[i]);
            return false;
        }
    return true;
}

static OutputFile file_of(const CFile *file)
{
    return (OutputFile){file->name, {file->text.at, file->text.len}};
}

typedef struct Files {
    Session *session;
    Vec(OutputFile) shared;     // all but the first of each program
} Files;

// What several programs include is there once.
static void add_shared(Files *files, CFiles of)
{
    for (size_t i = 1; i < of.len; i++) {
        bool known = false;
        for (size_t j = 0; j < files->shared.len; j++)
            known = known || strcmp(files->shared.at[j].name, of.at[i].name) == 0;
        if (!known)
            vec_push(files->session->arena, &files->shared, file_of(&of.at[i]));
    }
}

static void add_makefile(Files *files, const EndpointCx *cx, CTargets targets,
                         const CRuntime *runtime)
{
    static const CRuntime copied = {"pychoral", NULL};
    Buf text = buf_new(files->session->arena);
    emit_c_makefile(&text, cx, targets, runtime ? *runtime : copied);
    OutputFile makefile = {"Makefile", {text.at, text.len}};
    vec_push(files->session->arena, &files->shared, makefile);
}

static bool note_class(void *cx, const Ty *t)
{
    static const char *const PLAIN[] = {"int", "float", "bool", "complex", "str", "bytes", "list",
                                        "tuple", "dict", "set", "frozenset", NULL};
    bool plain = t->kind == TY_NAMED && sym_is_one_of(t->named.name, PLAIN);
    bool parts = t->kind == TY_UNION || t->kind == TY_TUPLE || t->kind == TY_NONE_TYPE
                 || t->kind == TY_LITERAL;
    *(bool *)cx |= !plain && !parts;
    return true;
}

static bool note_payload(void *cx, const Expr *e)
{
    IrWalker w = {.cx = cx, .ty = note_class};
    if (e->kind == EXPR_SEND)
        ir_walk_ty(&w, e->send.payload);
    else if (e->kind == EXPR_RECV)
        ir_walk_ty(&w, e->recv.payload);
    return true;
}

// Whether messages have instances of classes, or anything.
static bool sends_classes(const Unit *unit)
{
    bool found = false;
    IrWalker w = {.cx = &found, .expr = note_payload};
    ir_walk_unit(&w, unit);
    return found;
}

typedef struct Named { TypeEntries types; bool found; } Named;

static bool note_name(void *cx, const Expr *e)
{
    Named *n = cx;
    for (size_t i = 0; e->kind == EXPR_NAME && i < n->types.len; i++)
        n->found |= e->name.id == n->types.at[i].root;
    return true;
}

// Whether an option of the entry has such instances, which are converted as a message is.
static bool takes_classes(Session *s, const EndpointCx *cx)
{
    ArgList args = endpoint_parameters(s->arena, cx->entry->choreo.def);
    Named n = {.types = cx->types};
    IrWalker w = {.cx = &n, .expr = note_name};
    for (size_t i = 0; i < args.len; i++)
        if (!endpoint_is_channel(args.at[i]->annotation))
            ir_walk_expr(&w, args.at[i]->annotation->located.type);
    return n.found;
}

// One try at the programs, of a unit in core forms.
typedef struct Try {
    const Unit *unit;
    Diags *diags;
    Spans reported;             // of the ints that Python keeps where floats are declared
    Vec(Span) promotions;       // all of them: it fails if there are any
} Try;

static void add_promotions(Session *s, Try *try, Spans more)
{
    for (size_t i = 0; i < more.len; i++)
        vec_push(s->arena, &try->promotions, more.at[i]);
}

static bool try_roles(Session *s, const Compilation *c, const EndpointCx *cx, const bool *wanted,
                      const CRuntime *runtime, Try *try, Programs *programs)
{
    EndpointList endpoints = try->unit->endpoints.endpoints;
    size_t errors = diags_error_count(try->diags);
    Sym *names = ARENA_ARRAY(s->arena, Sym, endpoints.len + 1);
    endpoint_modules(cx, endpoints, names);
    Vec(RoleProgram) roles = {0};
    Vec(CTarget) targets = {0};
    Files files = {.session = s};
    bool classes = sends_classes(c->cx.units[PASS_PROJECT]);
    for (size_t i = 0; i < endpoints.len; i++) {
        if (wanted && !wanted[i])
            continue;
        CRole role = {cx, endpoints.at[i], try->unit->endpoints.modules,
                      c_base_name(s->names, names[i]), c->cx.source, try->diags,
                      s->options.value[OPTION_NO_LINE] == NULL, c->cx.loader, front_parse,
                      classes, try->reported};
        CTarget target = {role.base, emit_c_role(&role)};
        add_promotions(s, try, target.program.promotions);
        if (try->promotions.len > 0 || diags_error_count(try->diags) > errors)
            continue;
        RoleProgram program = {endpoints.at[i]->role, file_of(&target.program.files.at[0])};
        vec_push(s->arena, &roles, program);
        vec_push(s->arena, &targets, target);
        add_shared(&files, target.program.files);
    }
    if (try->promotions.len > 0 || diags_error_count(try->diags) > errors)
        return false;
    add_makefile(&files, cx, (CTargets){targets.at, targets.len}, runtime);
    *programs = (Programs){roles.at, roles.len, {files.shared.at, files.shared.len}};
    return true;
}

// The programs where each float may be an int: slower, and so only where ints are kept.
static const Unit *widened(Session *s, const Compilation *c, const EndpointCx *cx)
{
    Vec(Sym) messages = {0};
    bool moved = sends_classes(c->cx.units[PASS_PROJECT]) || takes_classes(s, cx);
    for (size_t i = 0; i < cx->types.len && moved; i++)
        vec_push(s->arena, &messages, cx->types.at[i].path);
    Widening w = {{messages.at, messages.len}, cx->entry->choreo.def};
    PassCx again = c->cx;
    again.widening = &w;
    pass_drop(&again, PASS_WIDEN);
    pass_run(&again, PASS_DESUGAR);
    return again.units[PASS_DESUGAR];
}

static Try try_of(Session *s, const Compilation *c, const Unit *unit)
{
    Try try = {.unit = unit, .diags = diags_new(s->arena)};
    diags_set_source(try.diags, c->cx.source);
    return try;
}

// What to say of ints that are kept: only where the programs that keep them fail for it, too. Where
// those fail for something that is new, all are said, since without them nobody needs those.
static Spans to_report(Session *s, const Try *first, const Try *second)
{
    Vec(Span) both = {0};
    for (size_t i = 0; i < first->promotions.len; i++)
        for (size_t j = 0; j < second->promotions.len; j++)
            if (first->promotions.at[i].start == second->promotions.at[j].start) {
                vec_push(s->arena, &both, first->promotions.at[i]);
                break;
            }
    if (both.len == 0 && diags_error_count(first->diags) == 0)
        return (Spans){first->promotions.at, first->promotions.len};
    return (Spans){both.at, both.len};
}

bool programs_in_c(Session *s, const Compilation *c, const bool *wanted, const CRuntime *runtime,
                   Programs *programs)
{
    EndpointCx cx = programs_cx(s, c);
    if (!is_whole(s, c, &cx))
        return false;
    Try first = try_of(s, c, c->cx.units[PASS_DESUGAR]);
    if (try_roles(s, c, &cx, wanted, runtime, &first, programs))
        return true;
    Try told = {.unit = first.unit, .diags = s->diags};
    if (first.promotions.len > 0) {
        Try second = try_of(s, c, widened(s, c, &cx));
        if (try_roles(s, c, &cx, wanted, runtime, &second, programs))
            return true;
        told.reported = to_report(s, &first, &second);
    }
    return try_roles(s, c, &cx, wanted, runtime, &told, programs);
}

// ---- make ----

typedef struct Making {
    Session *session;
    bool say;
    Buf said;                   // what went to standard error, for a machine
} Making;

static void show_line(void *cx, const Process *p, int stream, Text line)
{
    Making *m = cx;
    (void)p;
    if (stream == 0 && m->say)
        session_say(m->session, "%.*s\n", (int)line.len, line.at);
    else if (stream == 1 && session_for_machine(m->session))
        buf_printf(&m->said, "%.*s\n", (int)line.len, line.at);
    else if (stream == 1)
        fprintf(stderr, "%.*s\n", (int)line.len, line.at);
}

static Status report_failed(Making *m, const char *folder, int status)
{
    Diag *d = session_report(m->session, DIAG_OUTPUT_FAILED,
                             "the programs in `%s` cannot be built: make ended with exit status %d",
                             folder, status);
    if (m->said.len > 0)
        diag_note(d, "%s", buf_text(&m->said));
    return STATUS_FILE;
}

Status programs_make(Session *s, const Compilation *c, const char *folder, bool say)
{
    const char *foreign = names_format(s->names, "FOREIGN=%s",
                                       path_absolute(s->arena, path_folder(s->arena, c->path)));
    const char *const argv[] = {"make", "--no-print-directory", "-C", folder, foreign, NULL};
    Making m = {s, say, buf_new(s->arena)};
    Process process = {0};
    const char *why;
    fflush(stdout);
    if (!process_start(&process, "make", argv, (Inherited){NULL, -1}, &why)) {
        Diag *d = session_report(s, DIAG_FILE_MISSING, "`make` cannot be started: %s", why);
        diag_help(d, "apt-get install make gcc libc6-dev");
        return STATUS_FILE;
    }
    bool interrupted = processes_wait(s->arena, &process, 1, (ProcessEvents){.line = show_line},
                                      &m);
    if (!interrupted && process.status == 0)
        return STATUS_DONE;
    return report_failed(&m, folder, process.status);
}
