// output.c - writes an output folder, all or nothing; one program at a time does it.

#include "compiler/command/output.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/base/version.h"
#include "compiler/command/file.h"
#include "compiler/emit/module_text.h"

#define PACKAGE "pychoral"
#define MARKER  ".generated-by-pychoralc"

typedef struct Output {
    Session    *session;
    const char *folder;
    Replacement files;
} Output;

static Status fail(Output *o, const char *path, const char *why)
{
    session_report(o->session, DIAG_OUTPUT_FAILED, "cannot write `%s`: %s", path, why);
    return STATUS_FILE;
}

// ---- the runtime package ----

static const char *own_folder(Session *s)
{
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    if (len > 0)
        return path_folder(s->arena, arena_strndup(s->arena, path, (size_t)len));
    return path_folder(s->arena, s->program);
}

static const char *const runtime_places[] = {"../../runtime/python", "../share/pychoralc/python"};

const char *output_find_runtime(Session *s)
{
    const char *own = own_folder(s);
    for (size_t i = 0; i < sizeof runtime_places / sizeof *runtime_places; i++) {
        const char *folder = path_join(s->arena, own, runtime_places[i]);
        if (folder_exists(path_join(s->arena, folder, PACKAGE)))
            return folder;
    }
    return NULL;
}

const char *output_runtime_folder(Session *s)
{
    const char *folder = output_find_runtime(s);
    if (folder)
        return folder;
    Diag *d = session_report(s, DIAG_FILE_MISSING, "the runtime package was not found");
    diag_note(d, "searched for `%s` and `%s` in the folder of the program, %s", runtime_places[0],
              runtime_places[1], own_folder(s));
    diag_help(d, option_of_command(OPTION_NO_RUNTIME, s->options.command)
                     ? "install pychoralc again, or use `--no-runtime`"
                     : "install pychoralc again");
    return NULL;
}

bool output_find_c_runtime(Session *s, CRuntime *found)
{
    static const char *const places[] = {"../../runtime/c", "../share/pychoralc/c"};
    static const char library[] = "libpychoral_runtime.a";
    const char *own = own_folder(s);
    *found = (CRuntime){NULL, NULL};
    for (size_t i = 0; i < sizeof places / sizeof *places && found->folder == NULL; i++) {
        const char *folder = path_join(s->arena, own, places[i]);
        if (file_exists(path_join(s->arena, folder, "pychoral.h")))
            found->folder = folder;
    }
    if (found->folder == NULL)
        return false;
    const char *beside[] = {path_join(s->arena, own, library),
                            path_join(s->arena, found->folder, library)};
    for (size_t i = 0; i < sizeof beside / sizeof *beside && found->library == NULL; i++)
        if (file_exists(beside[i]))
            found->library = beside[i];
    return true;
}

bool output_c_runtime(Session *s, bool built, CRuntime *found)
{
    if (output_find_c_runtime(s, found) && (found->library || !built))
        return true;
    Diag *d = session_report(s, DIAG_FILE_MISSING, found->folder
                             ? "the library of the C runtime was not found"
                             : "the C runtime was not found");
    diag_note(d, "searched from %s", own_folder(s));
    diag_help(d, "install pychoralc again%s",
              found->folder ? "; in its source tree: `make runtime`" : "");
    return false;
}

static bool ends_in(const char *name, const char *suffix)
{
    size_t len = strlen(name), tail = strlen(suffix);
    return len > tail && strcmp(name + len - tail, suffix) == 0;
}

typedef bool Belongs(const char *name);

static bool is_package_file(const char *name)
{
    if (strcmp(name, "mypy_plugin.py") == 0)
        return false;           // about choreographies, not about what comes of them
    return ends_in(name, ".py") || ends_in(name, ".pyi") || strcmp(name, "py.typed") == 0;
}

static bool is_c_file(const char *name)
{
    return ends_in(name, ".c") || ends_in(name, ".h") || ends_in(name, ".def")
           || ends_in(name, ".inc") || ends_in(name, ".sh");
}

// `sources.mk` for the Makefile (emit_c_makefile): what this version compiles. An older one may
// have left other sources in the folder.
static void list_sources(Buf *list, Arena *a, const char *folder, const char *part)
{
    NameList names = folder_list(a, path_join(a, folder, part));
    for (size_t i = 0; i < names.len; i++)
        if (ends_in(names.at[i], ".c"))
            buf_printf(list, " \\\n    $(RUNTIME)/%s%s%s", part, *part ? "/" : "", names.at[i]);
}

static bool same_content(Arena *a, const char *path, Text text)
{
    Text old;
    return file_read_regular(a, path, &old) && old.len == text.len
           && memcmp(old.at, text.at, text.len) == 0;
}

static Status stage(Output *o, const char *path, Text text)
{
    const char *why;
    if (!replace_stage(&o->files, path, text, REPLACE_WHOLE, &why))
        return fail(o, path, why);
    return STATUS_DONE;
}

// What a build that was killed has left in a folder of ours. Nobody writes there now: the output
// folder is held.
static void remove_leftovers(Arena *a, const char *folder, const char *base)
{
    NameList names = folder_list(a, folder);
    for (size_t i = 0; i < names.len; i++)
        if (replace_is_leftover(names.at[i], base))
            folder_remove(a, path_join(a, folder, names.at[i]));
}

// The same of all files that are written, which may be hundreds.
static void remove_leftovers_of(Arena *a, const char *folder, OutputFiles files)
{
    NameList names = folder_list(a, folder);
    for (size_t i = 0; i < names.len; i++)
        for (size_t j = 0; j < files.len && replace_is_leftover(names.at[i], NULL); j++)
            if (replace_is_leftover(names.at[i], files.at[j].name)) {
                folder_remove(a, path_join(a, folder, names.at[i]));
                break;
            }
}

// Copies the files that belong to a runtime, and that the folder does not hold already.
static Status stage_folder(Output *o, const char *from, const char *to, Belongs *belongs)
{
    Arena *a = o->session->arena;
    NameList names = folder_list(a, from);
    Status status = STATUS_DONE;
    const char *why;
    if (!folder_make(a, to, &why))
        return fail(o, to, why);
    remove_leftovers(a, to, NULL);
    for (size_t i = 0; i < names.len && status == STATUS_DONE; i++) {
        const char *source = path_join(a, from, names.at[i]), *path = path_join(a, to, names.at[i]);
        Text text;
        if (!belongs(names.at[i]))
            continue;
        if (!file_read(a, source, &text, &why)) {
            session_report(o->session, DIAG_FILE_MISSING, "cannot read `%s`: %s", source, why);
            return STATUS_FILE;
        }
        if (!same_content(a, path, text))
            status = stage(o, path, text);
    }
    return status;
}

static Status stage_python(Output *o, const char *to)
{
    const char *from = output_runtime_folder(o->session);
    if (from == NULL)
        return STATUS_FILE;
    return stage_folder(o, path_join(o->session->arena, from, PACKAGE), to, is_package_file);
}

static Status stage_c(Output *o, const char *to)
{
    static const char *const parts[] = {"", "builtins", "modules"};
    Arena *a = o->session->arena;
    CRuntime from;
    if (!output_c_runtime(o->session, false, &from))
        return STATUS_FILE;
    Buf sources = buf_new(a);
    buf_puts(&sources, "SOURCES =");
    Status status = STATUS_DONE;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == STATUS_DONE; i++) {
        status = stage_folder(o, path_join(a, from.folder, parts[i]), path_join(a, to, parts[i]),
                              is_c_file);
        list_sources(&sources, a, from.folder, parts[i]);
    }
    buf_puts(&sources, "\n");
    const char *list = path_join(a, to, "sources.mk");
    Text text = {sources.at, sources.len};
    return status == STATUS_DONE && !same_content(a, list, text) ? stage(o, list, text) : status;
}

// A folder for the runtimes, with the mark by which a later build knows it as ours: it has its name
// only when the mark is there.
static Status make_package(Output *o, const char *package)
{
    Arena *a = o->session->arena;
    char *fresh = replace_temporary(a, package);
    const char *why;
    if (file_exists(package))
        return session_replace(o->session, path_join(a, package, MARKER), (Text){"", 0},
                               REPLACE_WHOLE);
    if (mkdtemp(fresh) == NULL)
        return file_fail(&why), fail(o, package, why);
    Status status = session_replace(o->session, path_join(a, fresh, MARKER), (Text){"", 0},
                                    REPLACE_WHOLE);
    if (status == STATUS_DONE && !folder_publish(fresh, package, &why))
        status = fail(o, package, why);
    if (status != STATUS_DONE)
        folder_remove(a, fresh);
    return status;
}

// Programs in Python and in C have their runtimes in one folder.
static Status stage_runtimes(Output *o, Runtimes runtimes)
{
    Arena *a = o->session->arena;
    const char *to = path_join(a, o->folder, PACKAGE);
    Status status = STATUS_DONE;
    if (runtimes == RUNTIME_NONE)
        return STATUS_DONE;
    if (!file_exists(path_join(a, to, MARKER)))
        status = make_package(o, to);
    if (status == STATUS_DONE && (runtimes & RUNTIME_PYTHON))
        status = stage_python(o, to);
    if (status == STATUS_DONE && (runtimes & RUNTIME_C))
        status = stage_c(o, to);
    return status;
}

// ---- what is there already ----

static bool owns_package(Output *o, const char *package)
{
    return file_exists(path_join(o->session->arena, package, MARKER))
           || folder_list(o->session->arena, package).len == 0;
}

static Status refuse_foreign(Output *o, const char *path, const char *otherwise)
{
    Diag *d = session_report(o->session, DIAG_OUTPUT_FOREIGN,
                             "`%s` exists and was not written by pychoralc", path);
    diag_help(d, "choose another folder, %s", otherwise);
    return STATUS_FILE;
}

static Status check_places(Output *o, OutputFiles files, Runtimes runtimes)
{
    Arena *a = o->session->arena;
    Status status = STATUS_DONE;
    for (size_t i = 0; i < files.len; i++)
        if (session_would_lose_input(o->session, path_join(a, o->folder, files.at[i].name)))
            return STATUS_FILE;
    if (o->session->options.value[OPTION_FORCE])
        return STATUS_DONE;
    for (size_t i = 0; i < files.len; i++) {
        const char *path = path_join(a, o->folder, files.at[i].name);
        if (file_exists(path) && !session_owns(o->session, path))
            status = refuse_foreign(o, path, "or overwrite the file with `--force`");
    }
    const char *package = path_join(a, o->folder, PACKAGE);
    if (runtimes && file_exists(package) && !owns_package(o, package))
        status = refuse_foreign(o, package, "or use `--no-runtime`");
    return status;
}

static bool is_one_of(const char *name, OutputFiles files)
{
    for (size_t i = 0; i < files.len; i++)
        if (strcmp(files.at[i].name, name) == 0)
            return true;
    return false;
}

// Whether a file begins like the endpoint programs of a source.
static bool is_program_of(Session *s, const char *path, const char *source)
{
    Text text;
    Buf start = buf_new(s->arena);
    buf_printf(&start, "%s " GENERATED_MARK " %s from %s (", ends_in(path, ".c") ? "//" : "#",
               PYCHORAL_VERSION, source);
    return file_read_regular(s->arena, path, &text) && text.len > start.len
           && memcmp(text.at, buf_text(&start), start.len) == 0;
}

StaleFiles output_stale(Session *s, const char *folder, OutputFiles files, const char *suffix,
                        const char *source)
{
    Vec(const char *) stale = {0};
    NameList names = folder_list(s->arena, folder);
    for (size_t i = 0; i < names.len; i++) {
        const char *path = path_join(s->arena, folder, names.at[i]);
        if (ends_in(names.at[i], suffix) && !is_one_of(names.at[i], files)
            && is_program_of(s, path, source))
            vec_push(s->arena, &stale, path);
    }
    return (StaleFiles){stale.at, stale.len};
}

// ---- writing ----

static Status stage_all(Output *o, OutputFiles files, Runtimes runtimes)
{
    Arena *a = o->session->arena;
    Status status = stage_runtimes(o, runtimes);
    remove_leftovers_of(a, o->folder, files);
    for (size_t i = 0; i < files.len && status == STATUS_DONE; i++)
        status = stage(o, path_join(a, o->folder, files.at[i].name), files.at[i].text);
    return status;
}

static Status write_all(Output *o, OutputFiles files, Runtimes runtimes)
{
    const char *failed, *why;
    o->files = replace_begin(o->session->arena);
    remove_leftovers(o->session->arena, o->folder, PACKAGE);
    Status status = stage_all(o, files, runtimes);
    if (status != STATUS_DONE)
        replace_discard(&o->files);
    else if (!replace_commit(&o->files, &failed, &why))
        status = fail(o, failed, why);
    return status;
}

static void say_busy(void *output)
{
    const Output *o = output;
    session_say(o->session, "waiting for another program that writes `%s`\n", o->folder);
}

Status output_write(Session *s, const char *folder, OutputFiles files, Runtimes runtimes)
{
    Output o = {.session = s, .folder = folder};
    const char *why;
    if (!folder_make(s->arena, folder, &why))
        return fail(&o, folder, why);
    int held = folder_lock(folder, say_busy, &o);
    Status status = check_places(&o, files, runtimes);
    if (status == STATUS_DONE)
        status = write_all(&o, files, runtimes);
    if (held >= 0)
        close(held);
    return status;
}
