// program.c - from the unit that projection gives to the files of an output folder.

#include "compiler/command/program.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/suggest.h"
#include "compiler/command/file.h"
#include "compiler/emit/endpoint.h"
#include "compiler/emit/module_text.h"
#include "compiler/ir/free_names.h"
#include "compiler/pass/link.h"

static int by_module(const void *x, const void *y)
{
    return strcmp((*(const LinkedModule *const *)x)->name, (*(const LinkedModule *const *)y)->name);
}

// What the hash of the protocol is made of besides the main module. `own`: without that one.
static const char *hashed_parts(Session *s, const Compilation *c, Sym own)
{
    Buf b = buf_new(s->arena);
    const LinkedModule **sorted = ARENA_ARRAY(s->arena, const LinkedModule *,
                                              c->cx.linked_count + 1);
    for (size_t i = 1; i < c->cx.linked_count; i++)
        sorted[i] = &c->cx.linked[i];
    if (c->cx.linked_count > 2)
        qsort(sorted + 1, c->cx.linked_count - 1, sizeof *sorted, by_module);
    for (size_t i = 1; i < c->cx.linked_count; i++)
        if (sorted[i]->name != own)
            buf_printf(&b, "# needs %s %s\n", sorted[i]->name, sorted[i]->hash);
    return buf_text(&b);
}

// What the programs are made of. With `--dump=desugar -o DIR` they are the desugared ones, which
// must do the same.
static const Unit *printed_unit(const Session *s, const Compilation *c)
{
    const char *dump = s->options.value[OPTION_DUMP];
    bool desugared = dump && strcmp(dump, pass_name(PASS_DESUGAR)) == 0;
    return c->cx.units[desugared ? PASS_DESUGAR : PASS_PROJECT];
}

// ---- sites ----

static bool with_sites(const Session *s) { return s->options.value[OPTION_NO_SITES] == NULL; }

static SiteTable sites_of(Session *s, const Compilation *c, bool program)
{
    const Unit *unit = printed_unit(s, c);
    Sym *names = ARENA_ARRAY(s->arena, Sym, c->cx.linked_count + 1);
    if (unit == NULL || !with_sites(s))
        return (SiteTable){0};
    names[0] = program ? NULL : c->cx.module;
    for (size_t i = 1; i < c->cx.linked_count; i++)
        names[i] = c->cx.linked[i].name;
    return site_table(s->arena, c->cx.source, unit->endpoints.sites, names);
}

// ---- the modules beside the programs ----

// What follows the first line of an interface's heading.
static const char *interface_lines(const Source *file)
{
    const char *line = strstr(file->text.at, INTERFACE_LINE);
    const char *end = line ? strchr(line, '\n') : NULL;
    return end ? end + 1 : "";
}

// Every module that it was compiled with: `# needs NAME HASH`.
static SymList interface_uses(Session *s, const char *lines)
{
    static const char mark[] = "# needs ";
    Vec(Sym) uses = {0};
    for (; *lines == '#'; lines += strcspn(lines, "\n"), lines += *lines == '\n') {
        if (strncmp(lines, mark, sizeof mark - 1) != 0)
            continue;
        const char *name = lines + sizeof mark - 1;
        vec_push(s->arena, &uses, names_intern(s->names, name, strcspn(name, " \n")));
    }
    return (SymList){uses.at, uses.len};
}

static SymList bound_by_imports(Session *s, const Compilation *c, size_t part)
{
    StmtList body = pass_before(&c->cx, PASS_PROJECT)->module.body;
    Vec(const Stmt *) imports = {0};
    for (size_t i = 0; i < body.len; i++)
        if ((body.at[i]->kind == STMT_IMPORT || body.at[i]->kind == STMT_IMPORT_FROM)
            && source_part(c->cx.source, body.at[i]->at.start) == part)
            vec_push(s->arena, &imports, body.at[i]);
    return names_bound(s->arena, s->names, (StmtList){imports.at, imports.len});
}

static ImportedModule beside_interface(Session *s, const Compilation *c, size_t i)
{
    const char *lines = interface_lines(c->cx.source->parts[i].file);
    return (ImportedModule){.name = c->cx.linked[i].name, .uses = interface_uses(s, lines),
                            .bound = bound_by_imports(s, c, i),
                            .sites = with_sites(s) ? site_rows_read(s->arena, lines)
                                                   : (SiteRows){0}};
}

// `endpoints.modules` has those with a source, in the order of the parts; that of a library itself
// is the first.
static ImportedModules beside_of(Session *s, const Compilation *c, const EndpointCx *cx)
{
    const Unit *unit = printed_unit(s, c);
    ImportedModule *all = ARENA_ARRAY(s->arena, ImportedModule, c->cx.linked_count + 1);
    size_t count = 0, next = cx->entry == NULL ? 1 : 0;
    for (size_t i = 1; unit != NULL && i < c->cx.linked_count; i++) {
        const LinkedModule *m = &c->cx.linked[i];
        EndpointList modules = unit->endpoints.modules;
        if (m->interface) {
            all[count++] = beside_interface(s, c, i);
        } else if (next < modules.len) {
            SymList names = names_free(s->arena, s->names, modules.at[next++]->body);
            all[count++] = (ImportedModule){
                .name = m->name, .uses = imported_uses(s->arena, s->names, names),
                .bound = bound_by_imports(s, c, i),
                .sites = site_rows_of_part(s->arena, &cx->sites, i)};
        }
    }
    return (ImportedModules){all, count};
}

// The statements of the linked unit stand in the order in which they load.
static SymList load_order(Session *s, const Compilation *c)
{
    StmtList body = pass_before(&c->cx, PASS_PROJECT)->module.body;
    Vec(Sym) order = {0};
    for (size_t i = 0; i < body.len && c->cx.linked_count > 0; i++) {
        size_t part = source_part(c->cx.source, body.at[i]->at.start);
        if (part > 0 && !sym_in((SymList){order.at, order.len}, c->cx.linked[part].name))
            vec_push(s->arena, &order, c->cx.linked[part].name);
    }
    return (SymList){order.at, order.len};
}

EndpointCx programs_cx(Session *s, const Compilation *c)
{
    EndpointCx cx = {.arena = s->arena, .names = s->names, .source_name = c->name,
                     .source_hash = session_source_hash(c)};
    Sym *modules = ARENA_ARRAY(s->arena, Sym, c->cx.linked_count + 1);
    for (size_t i = 0; i < c->cx.linked_count; i++)
        modules[i] = c->cx.linked[i].name;
    cx.module = c->cx.module;
    if (c->cx.linked_count > 0)
        cx.modules = (SymList){modules + 1, c->cx.linked_count - 1};
    cx.order = load_order(s, c);
    cx.parts = hashed_parts(s, c, NULL);
    cx.entry = endpoint_entry(pass_before(&c->cx, PASS_PROJECT), c->cx.entry);
    cx.numbered = with_sites(s);
    cx.lines = s->options.value[OPTION_NO_LINE] ? NULL : c->cx.source;
    cx.sites = sites_of(s, c, cx.entry != NULL);
    cx.beside = beside_of(s, c, &cx);
    cx.types = type_table(s->arena, s->names, pass_before(&c->cx, PASS_PROJECT));
    endpoint_prepare(&cx, c->cx.source, pass_before(&c->cx, PASS_PROJECT), c->cx.entry);
    return cx;
}

// The one choreography of the file, if there is but one; it is not named by an option.
static const char *only_choreography(const Compilation *c)
{
    StmtList body = pass_before(&c->cx, PASS_PROJECT)->module.body;
    const char *only = NULL;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind != STMT_CHOREO || s->choreo.def->kind != STMT_FUNCTION_DEF ||
            source_part(c->cx.source, s->at.start) != 0)
            continue;
        if (only != NULL)
            return NULL;
        only = s->choreo.def->function_def.name;
    }
    return only;
}

bool programs_runnable(Session *s, const Compilation *c)
{
    if (programs_cx(s, c).entry)
        return true;
    Diag *d = session_report(s, DIAG_ENTRY_MISSING, "`%s` is a library: it has no `%s` to start",
                             c->path, c->cx.entry);
    const char *only = only_choreography(c);
    if (c->cx.entry_from)
        diag_help(d, "`%s` is imported from `%s`: compile that file, or write a function here that "
                     "calls it", c->cx.entry, c->cx.entry_from);
    else if (only != NULL)
        diag_help(d, "use `--entry=%s`, or rename this function to `main`", only);
    else
        diag_help(d, "write a function `main` at module level, or select another function with "
                  "`--entry`");
    return false;
}

SymList programs_roles(Session *s, const Compilation *c) { return programs_cx(s, c).roles; }

RoleParameters programs_parameters(Session *s, const Compilation *c)
{
    const Stmt *def = programs_cx(s, c).entry->choreo.def;
    ArgList args = endpoint_parameters(s->arena, def);
    Vec(RoleParameter) all = {0};
    for (size_t i = 0; i < args.len; i++) {
        const Expr *annotation = args.at[i]->annotation;
        if (endpoint_is_channel(annotation))
            continue;
        const Expr *standard = endpoint_default(def, i);
        if (standard != NULL && standard->kind == EXPR_PIN)
            standard = standard->pin.value;
        RoleParameter p = {annotation->located.at_roles, args.at[i]->arg,
                           source_written(s->arena, c->cx.source, annotation->located.type->at),
                           standard != NULL ? source_written(s->arena, c->cx.source, standard->at)
                                            : NULL};
        vec_push(s->arena, &all, p);
    }
    return (RoleParameters){all.at, all.len};
}

// What a module of the program is printed with; the first is the main module.
static EndpointCx module_cx(Session *s, const Compilation *c, EndpointCx cx, size_t i)
{
    cx.entry = NULL;
    cx.part = i;
    if (i > 0) {
        const LinkedModule *m = &c->cx.linked[i];
        cx.module = m->name;
        cx.source_name = path_base(m->path);
        cx.source_hash = m->hash;
        cx.parts = hashed_parts(s, c, m->name);
    }
    return cx;
}

static OutputFile file_of(Session *s, Sym module, const char *suffix, const Buf *text)
{
    return (OutputFile){names_format(s->names, "%s%s", module, suffix), {text->at, text->len}};
}

// The modules that the programs import; a library is one itself, and has interfaces.
static OutputFiles modules_of(Session *s, const Compilation *c, const EndpointCx *program)
{
    EndpointList modules = printed_unit(s, c)->endpoints.modules;
    UnitList interfaces = c->cx.interfaces;
    bool library = program->entry == NULL;
    Vec(OutputFile) files = {0};
    for (size_t i = library ? 0 : 1, next = 0; next < modules.len; i++) {
        EndpointCx cx = module_cx(s, c, *program, i);
        Buf text = buf_new(s->arena), interface = buf_new(s->arena);
        if (i > 0 && c->cx.linked[i].interface)
            continue;
        emit_module(&text, &cx, modules.at[next++]);
        vec_push(s->arena, &files, file_of(s, cx.module, ".py", &text));
        if (i >= interfaces.len)
            continue;
        emit_interface(&interface, &cx, interfaces.at[i],
                       site_rows_of_part(s->arena, &cx.sites, i));
        vec_push(s->arena, &files, file_of(s, cx.module, ".chi", &interface));
    }
    return (OutputFiles){files.at, files.len};
}

// What is needed to print it is gone again when the text is there: there may be many roles.
static Text program_text(Session *s, const EndpointCx *cx, const Endpoint *endpoint)
{
    EndpointCx own = *cx;
    own.arena = arena_new();
    Buf b = buf_new(own.arena);
    emit_endpoint(&b, &own, endpoint);
    Text text = {arena_strndup(s->arena, buf_text(&b), b.len), b.len};
    arena_free(own.arena);
    return text;
}

Programs programs_of(Session *s, const Compilation *c)
{
    EndpointCx cx = programs_cx(s, c);
    EndpointList endpoints = printed_unit(s, c)->endpoints.endpoints;
    RoleProgram *programs = ARENA_ARRAY(s->arena, RoleProgram, endpoints.len + 1);
    Sym *names = ARENA_ARRAY(s->arena, Sym, endpoints.len + 1);
    endpoint_modules(&cx, endpoints, names);
    for (size_t i = 0; i < endpoints.len; i++) {
        programs[i].role = endpoints.at[i]->role;
        programs[i].file.name = names_format(s->names, "%s.py", names[i]);
        programs[i].file.text = program_text(s, &cx, endpoints.at[i]);
    }
    return (Programs){programs, endpoints.len, modules_of(s, c, &cx)};
}

// ---- modules that are compiled already ----

// `lib.py` beside `lib.chi`.
static const char *module_beside(Session *s, const char *interface)
{
    return names_format(s->names, "%.*s.py", (int)(strlen(interface) - strlen(".chi")), interface);
}

void programs_report_source(Session *s, DiagId id, const char *needs, const LinkedModule *m)
{
    Diag *d = session_report(s, id, "%s needs the source of `%s`, but only the interface `%s` was "
                             "found", needs, m->name, m->path);
    diag_help(d, "copy the source of `%s` to the folder of the interface", m->name);
}

// Whether the generated module is of the same source as its interface: its heading says of which.
static bool has_hash(Text module, const char *hash)
{
    enum { SHOWN = 16 };
    const char *end = memchr(module.at, '\n', module.len);
    size_t len = end ? (size_t)(end - module.at) : module.len;
    for (size_t i = 0; i + SHOWN <= len; i++)
        if (memcmp(module.at + i, hash, SHOWN) == 0)
            return true;
    return false;
}

static bool read_compiled(Session *s, const LinkedModule *m, const char *path, bool must,
                          OutputFile *file)
{
    const char *why;
    *file = (OutputFile){names_format(s->names, "%s.py", m->name), {0}};
    if (!must && !file_exists(path))
        return true;
    if (!file_read(s->arena, path, &file->text, &why)) {
        Diag *d = session_report(s, DIAG_FILE_MISSING, "cannot read `%s`: %s", path, why);
        diag_note(d, "the module `%s` was found only as the interface `%s`", m->name, m->path);
        diag_help(d, "copy the source of the module, or its program `%s.py`, to the folder of the "
                  "interface", m->name);
        return false;
    }
    if (has_hash(file->text, m->hash))
        return true;
    Diag *d = session_report(s, DIAG_INTERFACE_STALE, "`%s` and `%s` are of different versions",
                             path, m->path);
    diag_help(d, "compile the module again with `-o %s`", path_folder(s->arena, path));
    return false;
}

bool programs_add_compiled(Session *s, const Compilation *c, Programs *programs,
                           const char *folder, bool must)
{
    Vec(OutputFile) files = {0};
    for (size_t i = 0; i < programs->modules.len; i++)
        vec_push(s->arena, &files, programs->modules.at[i]);
    for (size_t i = 1; programs->len > 0 && i < c->cx.linked_count; i++) {
        OutputFile file;
        const LinkedModule *m = &c->cx.linked[i];
        const char *path = m->interface ? module_beside(s, m->path) : NULL;
        if (path == NULL)
            continue;
        if (!read_compiled(s, m, path, must, &file))
            return false;
        bool there = folder && file_is_same(path, path_join(s->arena, folder, file.name));
        if (file.text.at != NULL && !there)
            vec_push(s->arena, &files, file);
    }
    programs->modules = (OutputFiles){files.at, files.len};
    return true;
}

const char *names_listed(Session *s, const char *role, const char *const *names, size_t count)
{
    Buf text = buf_new(s->arena);
    for (size_t i = 0; i < count; i++)
        buf_printf(&text, "%s`%s%s%s%s`", i > 0 ? ", " : "", role ? "--" : "", role ? role : "",
                   role ? "." : "", names[i]);
    return buf_text(&text);
}

Sym programs_role(Session *s, SymList roles, const char *name)
{
    for (size_t i = 0; i < roles.len; i++)
        if (strcmp(roles.at[i], name) == 0)
            return roles.at[i];
    Diag *d = session_report(s, DIAG_USAGE, "unknown role `%s`", name);
    const char *near = suggest_nearest(name, roles.at, roles.len);
    if (near)
        diag_help(d, "did you mean `%s`?", near);
    else
        diag_help(d, "the roles are %s", names_listed(s, NULL, roles.at, roles.len));
    return NULL;
}

const RoleProgram *programs_find(Session *s, Programs programs, const char *role)
{
    Sym *roles = ARENA_ARRAY(s->arena, Sym, programs.len + 1);
    for (size_t i = 0; i < programs.len; i++)
        roles[i] = programs.at[i].role;
    Sym found = programs_role(s, (SymList){roles, programs.len}, role);
    for (size_t i = 0; found && i < programs.len; i++)
        if (programs.at[i].role == found)
            return &programs.at[i];
    return NULL;
}

OutputFiles programs_files(Session *s, Programs programs)
{
    size_t count = programs.len + programs.modules.len;
    OutputFile *files = ARENA_ARRAY(s->arena, OutputFile, count + 1);
    for (size_t i = 0; i < programs.len; i++)
        files[i] = programs.at[i].file;
    for (size_t i = 0; i < programs.modules.len; i++)
        files[programs.len + i] = programs.modules.at[i];
    return (OutputFiles){files, count};
}

Status programs_write(Session *s, Programs programs, const char *folder, Runtimes runtimes)
{
    return output_write(s, folder, programs_files(s, programs), runtimes);
}
