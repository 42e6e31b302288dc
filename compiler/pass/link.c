// link.c - finds the modules of a program, reads each once, and puts them together.

#include "compiler/pass/link.h"

#include <ctype.h>
#include <string.h>

#include "compiler/base/buf.h"
#include "compiler/emit/module_text.h"
#include "compiler/front/front.h"
#include "compiler/pass/link_internal.h"
#include "compiler/pass/name_mangling.h"

// ---- reading a module ----

// The last part of a path without its suffix, as a name that Python can import.
static Sym stem_of(Linker *l, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t len = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    char *text = arena_strndup(l->arena, base, len);
    for (char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_' && (unsigned char)*at < 0x80)
            *at = '_';
    return names_get(l->cx->names, isdigit((unsigned char)*text) || *text == '\0'
                                       ? names_format(l->cx->names, "_%s", text) : text);
}

static bool name_taken(const Linker *l, Sym name)
{
    for (size_t i = 0; i < l->modules.len; i++)
        if (l->modules.at[i]->info.name == name)
            return true;
    return false;
}

static const char *flat_name(Linker *l, const char *dotted)
{
    char *text = arena_strndup(l->arena, dotted, strlen(dotted));
    for (char *at = text; *at; at++)
        if (*at == '.')
            *at = '_';
    return text;
}

// Not as one that Python has, or the runtime.
static Sym generated_name(Linker *l, const char *dotted)
{
    const char *flat = flat_name(l, dotted);
    return names_format(l->cx->names, module_name_taken(flat) ? "%s_" : "%s", flat);
}

// The generated module: `pkg.lib` is pkg_lib, beside the programs of the roles.
static Sym choose_name(Linker *l, const char *dotted)
{
    Sym name = generated_name(l, dotted);
    while (name_taken(l, name))
        name = names_format(l->cx->names, "%s_", name);
    return name;
}

static Module *module_new(Linker *l, Sym name, const char *path, const Source *source)
{
    Module *m = ARENA_NEW(l->arena, Module);
    m->info = (LinkedModule){.name = name, .path = path};
    m->dotted = "";
    m->source = source;
    m->at = l->next;
    m->env = table_new(l->arena);
    m->has_free = table_new(l->arena);
    m->linked = table_new(l->arena);
    m->reassigned = table_new(l->arena);
    m->loading = true;
    l->next = source_next_part(l->next, source);
    vec_push(l->arena, &l->modules, m);
    return m;
}

// A comment in front makes the spans those of the joined source.
const Unit *link_parse_at(Linker *l, const char *name, Text text, uint32_t at)
{
    size_t len = at + text.len;
    char *padded = arena_alloc(l->arena, len + 1);
    memset(padded, '#', at);
    if (at > 0)
        padded[at - 1] = '\n';
    memcpy(padded + at, text.at, text.len);
    padded[len] = '\0';
    const Source *source = source_new(l->arena, name, (Text){padded, len});
    Diags *silent = diags_new(l->arena);
    diags_set_source(silent, source);
    const Unit *unit = front_parse(l->arena, l->cx->names, source, silent);
    return diags_error_count(silent) > 0 ? NULL : unit;
}

// `# interface 1, source HASH`, then a line `# needs MODULE HASH` for each module it imports.
static const char *interface_head(const Source *s) { return strstr(s->text.at, INTERFACE_LINE); }

static void report_stale(Linker *l, const Source *s, const char *format, const char *x)
{
    diags_set_source(l->cx->diags, s);
    Diag *d = diag_report(l->cx->diags, (Span){0, 0}, DIAG_INTERFACE_STALE, format, x);
    diag_help(d, "compile the module again");
    diags_set_source(l->cx->diags, l->cx->source);
    l->failed = true;
}

// The hash of the source that an interface is of.
static void read_interface(Linker *l, Module *m)
{
    const char *line = interface_head(m->source);
    if (line == NULL || strlen(line) < strlen(INTERFACE_LINE) + SHA256_HEX_SIZE - 1) {
        report_stale(l, m->source, "this version of pychoralc cannot read the interface `%s`",
                     m->info.path);
        return;
    }
    memcpy(m->info.hash, line + strlen(INTERFACE_LINE), SHA256_HEX_SIZE - 1);
    m->info.hash[SHA256_HEX_SIZE - 1] = '\0';
}

static bool is_interface(const char *path)
{
    size_t len = strlen(path);
    return len > 4 && strcmp(path + len - 4, ".chi") == 0;
}

// Reports what is wrong with the text as of that file. NULL if anything is.
static Module *read_module(Linker *l, const LoadedFile *file, const char *dotted)
{
    Diags *diags = l->cx->diags;
    const Source *before = l->cx->source;
    size_t errors = diags_error_count(diags);
    diags_set_source(diags, NULL);
    const Source *source = front_decode(l->arena, file->path, file->bytes, diags);
    if (source) {
        diags_set_source(diags, source);
        front_parse(l->arena, l->cx->names, source, diags);
    }
    diags_set_source(diags, before);
    if (diags_error_count(diags) > errors)
        return NULL;
    Module *m = module_new(l, choose_name(l, dotted), file->path, source);
    m->dotted = dotted;
    m->info.interface = is_interface(file->path);
    sha256_hex(file->bytes.at, file->bytes.len, m->info.hash);
    if (m->info.interface)
        read_interface(l, m);
    m->unit = mangle_private_names(l->arena, l->cx->names, source,
                                   link_parse_at(l, file->path, source->text, m->at));
    return m;
}

// ---- finding a module ----

// "pkg.lib" with two dots in front: "../pkg/lib".
static const char *stem_path(Linker *l, const char *dotted, int level, const char *end)
{
    Buf b = buf_new(l->arena);
    for (int i = 1; i < level; i++)
        buf_puts(&b, "../");
    for (const char *at = dotted; *at; at++)
        buf_putc(&b, *at == '.' ? '/' : *at);
    buf_puts(&b, end);
    return buf_text(&b);
}

// The generated module lies beside its interface, and is not the source of anything.
static bool is_generated(const LoadedFile *file)
{
    static const char mark[] = "# " GENERATED_MARK;
    return !is_interface(file->path) && file->bytes.len >= sizeof mark - 1
           && memcmp(file->bytes.at, mark, sizeof mark - 1) == 0;
}

static bool find_stem(Linker *l, const Module *from, bool path, const char *stem,
                      const char *const *suffixes, LoadedFile *file)
{
    static const char *const interfaces[] = {".chi", NULL};
    const Loader *loader = l->cx->loader;
    if (!loader_find(loader, from->info.path, path, stem, suffixes, file))
        return false;
    return !is_generated(file)
           || loader_find(loader, from->info.path, path, stem, interfaces, file);
}

// Beside the importing file, on the search path, and beside the main file.
static bool find_source(Linker *l, const Module *from, int level, const char *stem,
                        LoadedFile *file)
{
    static const char *const suffixes[] = {".pyc", ".py", ".chi", NULL};
    return find_stem(l, from, level == 0, stem, suffixes, file)
           || (level == 0 && find_stem(l, l->modules.at[0], false, stem, suffixes, file));
}

static bool find_file(Linker *l, const Module *from, const char *dotted, int level,
                      LoadedFile *file)
{
    static const char *const interfaces[] = {".chi", NULL};
    const char *const stems[] = {stem_path(l, dotted, level, ""),
                                 stem_path(l, dotted, level, *dotted ? "/__init__" : "__init__")};
    for (size_t i = *dotted ? 0 : 1; i < 2; i++)
        if (find_source(l, from, level, stems[i], file))
            return true;
    return level == 0 && find_stem(l, from, true, generated_name(l, dotted), interfaces, file);
}

// The length of the name of the package that a module is in: the file `__init__` is the package.
static size_t package_len(Linker *l, const Module *m)
{
    const char *last = strrchr(m->dotted, '.');
    if (strcmp(stem_of(l, m->info.path), "__init__") == 0)
        return strlen(m->dotted);
    return last ? (size_t)(last - m->dotted) : 0;
}

// A module in a package is known by its place there, however it is imported.
static const char *full_name(Linker *l, const Module *from, const LoadedFile *file,
                             const char *dotted, int level)
{
    size_t len = level == 0 ? 0 : package_len(l, from);
    for (int i = 1; i < level && len > 0; i++)
        while (len > 0 && from->dotted[--len] != '.')
            continue;
    const char *last = *dotted ? dotted : stem_of(l, file->path);
    if (len > 0 && strcmp(last, "__init__") == 0)
        return names_intern(l->cx->names, from->dotted, len);
    return len == 0 ? last : names_format(l->cx->names, "%.*s.%s", (int)len, from->dotted, last);
}

// One dot is the folder of the file, also outside packages; every further one leaves a package.
bool link_beyond(Linker *l, const Module *from, int level)
{
    size_t len = package_len(l, from);
    int packages = len > 0;
    for (size_t i = 0; i < len; i++)
        packages += from->dotted[i] == '.';
    return level > 1 && level > packages;
}

// `import json` in json.pyc is of Python's.
static bool find_module(Linker *l, const Module *from, const char *dotted, int level,
                        LoadedFile *file)
{
    if (!find_file(l, from, dotted, level, file))
        return false;
    return level > 0 || strcmp(from->info.path, file->path) != 0 || !module_name_taken(dotted);
}

bool link_exists(Linker *l, const Module *from, const char *dotted, int level)
{
    LoadedFile file;
    return find_module(l, from, dotted, level, &file);
}

// What an interface was made with must be what is here.
static void check_needs(Linker *l, const Module *m)
{
    const char *at = interface_head(m->source);
    for (; at && (at = strstr(at, "\n# needs ")) != NULL; at++) {
        const char *name = at + strlen("\n# needs "), *hash = name + strcspn(name, " \n");
        Sym module = names_intern(l->cx->names, name, (size_t)(hash - name));
        const Module *needed = link_load(l, m, module, 0);
        if (needed && needed->info.name == module
            && strncmp(hash + 1, needed->info.hash, SHA256_HEX_SIZE - 1) != 0)
            report_stale(l, m->source, "the interface was compiled with another version of `%s`",
                         module);
    }
}

void link_interrupt(Linker *l, Module *m)
{
    Stretch s = {m, m->loaded, m->top};
    if (m->cut == 0 && m->top < m->unit->module.body.len)
        m->cut = m->top;
    m->loaded = m->top;
    vec_push(l->arena, &l->order, s);
}

static Module *load_file(Linker *l, const Module *from, const LoadedFile *file, const char *dotted,
                         int level)
{
    for (size_t i = 0; i < l->modules.len; i++)
        if (strcmp(l->modules.at[i]->info.path, file->path) == 0)
            return l->modules.at[i];
    Module *m = read_module(l, file, full_name(l, from, file, dotted, level));
    if (m == NULL) {
        l->failed = true;
        return NULL;
    }
    m->importer = from;
    link_bind(l, m);
    if (m->info.interface)
        check_needs(l, m);
    link_interrupt(l, m);
    m->loading = false;
    return m;
}

Module *link_package(Linker *l, const Module *from, const char *dotted, int level)
{
    LoadedFile file;
    return find_source(l, from, level, stem_path(l, dotted, level, "/__init__"), &file)
               ? load_file(l, from, &file, dotted, level) : NULL;
}

// Without the suffix of a source, an interface or a folder; NULL for what is nothing of these.
static const char *module_name(Linker *l, const char *file)
{
    const char *dot = strchr(file, '.');
    size_t len = dot ? (size_t)(dot - file) : strlen(file);
    bool fits = dot == NULL || strcmp(dot, ".pyc") == 0 || strcmp(dot, ".py") == 0
                || strcmp(dot, ".chi") == 0;
    return fits && *file != '_' ? arena_strndup(l->arena, file, len) : NULL;
}

NameArray link_modules_of(Linker *l, const Module *from, Sym package)
{
    Vec(const char *) names = {0};
    const Loader *loader = l->cx->loader;
    const char *const beside[] = {from->info.path, l->modules.at[0]->info.path};
    for (size_t i = 0; i < 2; i++) {
        size_t count = 0;
        const char *const *files = loader_list(loader, beside[i],
                                               stem_path(l, package, 0, ""), &count);
        for (size_t j = 0; j < count; j++)
            if (module_name(l, files[j]))
                vec_push(l->arena, &names, module_name(l, files[j]));
    }
    return (NameArray){names.at, names.len};
}

// The packages that a module is in are loaded before it, as by Python.
static void load_packages(Linker *l, const Module *from, const char *dotted, int level)
{
    for (const char *at = strchr(dotted, '.'); at; at = strchr(at + 1, '.'))
        link_package(l, from, names_intern(l->cx->names, dotted, (size_t)(at - dotted)), level);
}

Module *link_load(Linker *l, const Module *from, const char *dotted, int level)
{
    LoadedFile file;
    if (!find_module(l, from, dotted, level, &file))
        return NULL;
    load_packages(l, from, dotted, level);
    return load_file(l, from, &file, dotted, level);
}

// ---- the program ----

static const Unit *join(Linker *l)
{
    PassCx *cx = l->cx;
    SourcePart *parts = ARENA_ARRAY(l->arena, SourcePart, l->modules.len);
    LinkedModule *linked = ARENA_ARRAY(l->arena, LinkedModule, l->modules.len);
    Vec(const Stmt *) body = {0};
    for (size_t i = 0; i < l->modules.len; i++) {
        const Module *m = l->modules.at[i];
        parts[i] = (SourcePart){.file = m->source, .interface = m->info.interface,
                                .name = m->info.name, .shown = link_shown(m)};
        linked[i] = m->info;
    }
    for (size_t i = 0; i < l->order.len; i++) {
        Stretch s = l->order.at[i];
        StmtList roles = s.of->renamed ? (StmtList){0} : link_rename(l, s.of);
        for (size_t j = 0; j < roles.len; j++)
            vec_push(l->arena, &body, roles.at[j]);
        for (size_t j = s.from; j < s.to; j++)
            if (s.of->renamed[j])
                vec_push(l->arena, &body, s.of->renamed[j]);
    }
    const Target *entry = table_get(l->modules.at[0]->env, cx->entry);
    if (entry && entry->kind == TARGET_OWN)
        cx->entry = entry->name;
    if (entry && entry->kind == TARGET_ENTITY)
        cx->entry_from = link_shown(entry->module);
    if (cx->entry_class)
        entry = table_get(l->modules.at[0]->env, cx->entry_class);
    if (cx->entry_class && entry && entry->kind == TARGET_OWN)
        cx->entry_class = entry->name;
    cx->source = source_join(l->arena, parts, l->modules.len);
    diags_set_source(cx->diags, cx->source);
    cx->linked = linked;
    cx->linked_count = l->modules.len;
    return unit_module(l->arena, (StmtList){body.at, body.len});
}

static bool imports(const Unit *unit)
{
    StmtList body = unit->module.body;
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_IMPORT || body.at[i]->kind == STMT_IMPORT_FROM)
            return true;
    return false;
}

const Unit *link_unit(PassCx *cx, const Unit *unit)
{
    Linker l = {.cx = cx, .arena = cx->arena};
    cx->module = generated_name(&l, stem_of(&l, cx->source->name));
    if (cx->loader == NULL || !imports(unit))
        return unit;
    Module *main = module_new(&l, cx->module, cx->source->name, cx->source);
    main->unit = unit;
    link_bind(&l, main);
    link_interrupt(&l, main);
    if (l.modules.len == 1)
        return unit;
    link_choose_names(&l);
    return join(&l);
}
