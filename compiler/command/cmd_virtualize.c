// cmd_virtualize.c - `virtualize`: the constructs of Python files become calls of hooks. The text,
// a diff, or all that a loader of the text needs as JSON. Never runs what it reads.

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/diff.h"
#include "compiler/base/json.h"
#include "compiler/base/suggest.h"
#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/front/front.h"
#include "compiler/ir/scopes.h"
#include "compiler/virtualize/virtualize.h"

static const char default_hooks[] = "control,bool,call";
static const char defaults_module[] = "pychoral.virtual.py_defaults";

// ---- which hooks ----

static bool add_word(Session *s, HookSet *set, Text word)
{
    const char *name = arena_strndup(s->arena, word.at, word.len);
    size_t count;
    const char *const *words = hooks_words(&count);
    HookAnswer answer = hooks_add(set, word);
    if (answer == HOOK_TAKEN)
        return true;
    Diag *d = session_report(s, DIAG_HOOK_UNKNOWN, answer == HOOK_LATER
                                 ? "the hook `%s` is not supported yet"
                                 : word.len == 0 ? "the name of a hook is missing"
                                 : "unknown hook or group of hooks: `%s`", name);
    const char *near = suggest_nearest(name, words, count);
    if (word.len == 0)
        diag_help(d, "remove the extra comma of `--hooks`");
    if (answer == HOOK_UNKNOWN && near != NULL)
        diag_help(d, "did you mean `%s`?", near);
    return false;
}

static bool add_words(Session *s, HookSet *set, const char *list)
{
    bool fine = true;
    for (const char *at = list; fine; at++) {
        size_t len = strcspn(at, ",");
        fine = add_word(s, set, (Text){at, len});
        at += len;
        if (*at == '\0')
            break;
    }
    return fine;
}

static bool is_module_name(const char *name)
{
    if (isdigit((unsigned char)*name) || *name == '\0')
        return false;
    for (; *name != '\0'; name++)
        if (!isalnum((unsigned char)*name) && *name != '_' && (unsigned char)*name < 0x80)
            return false;
    return true;
}

static const char *module_of(Session *s, const char *path)
{
    const char *name = path_base(path);
    size_t len = strlen(name);
    if (len > 3 && strcmp(name + len - 3, ".py") == 0)
        len -= 3;
    return arena_strndup(s->arena, name, len);
}

// The top-level names of the overload say which hooks it has: it is read, never run.
static Status add_overload(Session *s, VirtualizeOptions *o, const char *path)
{
    Text bytes;
    const char *why;
    if (!file_read(s->arena, path, &bytes, &why)) {
        session_report(s, DIAG_FILE_MISSING, "cannot read `%s`: %s", path, why);
        return STATUS_FILE;
    }
    const Source *source = front_decode(s->arena, path, bytes, s->diags);
    if (source == NULL)
        return STATUS_ERRORS;
    diags_set_source(s->diags, source);
    const Unit *unit = front_parse(s->arena, s->names, source, s->diags);
    if (diags_error_count(s->diags) > 0)
        return STATUS_ERRORS;
    Scopes scopes = scopes_new(s->arena, s->names, unit->module.body, NULL);
    for (size_t i = 0; i < scopes.module->symbols.len; i++)
        if (scopes.module->symbols.at[i]->flags & SYMBOL_BOUND)
            hooks_add_defined(&o->hooks, scopes.module->symbols.at[i]->name);
    o->overload = module_of(s, path);
    if (!hooks_empty(&o->hooks) && is_module_name(o->overload))
        return STATUS_DONE;
    bool empty = hooks_empty(&o->hooks);
    Diag *d = session_report(s, DIAG_OVERLOAD_EMPTY, empty ? "`%s` defines no hook"
                             : "`%s` cannot be imported: its name is not an identifier", path);
    diag_help(d, empty ? "hooks are functions at the top level of a module, such as `def call(f, "
              "/, *args, **kwargs)`" : "rename the file, as in `my_hooks.py`");
    return STATUS_ERRORS;
}

static Status read_hooks(Session *s, VirtualizeOptions *o)
{
    const char *const *value = s->options.value;
    const char *hooks = value[OPTION_HOOKS], *mode = value[OPTION_LOCALS];
    if (value[OPTION_OVERLOAD] != NULL && hooks != NULL) {
        session_report(s, DIAG_USAGE, "`--hooks` and `--overload` cannot be used together");
        return STATUS_USAGE;
    }
    if (value[OPTION_OVERLOAD] != NULL) {
        Status status = add_overload(s, o, value[OPTION_OVERLOAD]);
        if (status != STATUS_DONE)
            return status;
    } else if (!add_words(s, &o->hooks, hooks != NULL ? hooks : default_hooks)) {
        return STATUS_ERRORS;
    }
    o->boxed = mode != NULL ? strcmp(mode, "boxed") == 0 : hooks_boxed(&o->hooks);
    if (o->boxed && o->overload == NULL && !hooks_boxed(&o->hooks))
        return add_words(s, &o->hooks, "var") ? STATUS_DONE : STATUS_ERRORS;
    return STATUS_DONE;
}

// ---- reports ----

static void put_site(Buf *b, const Source *source, const PlainSite *site)
{
    Place place = source_place(source, site->at.start);
    buf_printf(b, "{\"line\":%u,\"column\":%u,\"hook\":\"%s\",\"construct\":", (unsigned)place.line,
               (unsigned)place.column, hook_name(site->hook));
    json_string(b, hook_construct(site->hook));
    buf_puts(b, ",\"why\":");
    json_string(b, (Text){site->why, strlen(site->why)});
    buf_puts(b, "}");
}

static void put_sites(Buf *b, const Source *source, const Virtualized *v)
{
    buf_puts(b, "[");
    for (size_t i = 0; i < v->plain_count; i++) {
        buf_puts(b, i > 0 ? "," : "");
        put_site(b, source, &v->plain[i]);
    }
    buf_puts(b, "]");
}

static void put_changed(Buf *b, const Virtualized *v)
{
    const char *comma = "";
    buf_puts(b, "{");
    for (int id = 0; id < HOOK_COUNT; id++)
        if (v->changed[id] > 0) {
            buf_printf(b, "%s\"%s\":%zu", comma, hook_name((HookId)id), v->changed[id]);
            comma = ",";
        }
    buf_puts(b, "}");
}

static Status print_report(Session *s, const char *path, const Source *source, const Virtualized *v)
{
    Buf b = buf_new(s->arena);
    bool json = *s->options.value[OPTION_REPORT] != '\0';
    if (json) {
        buf_puts(&b, "{\"changed\":");
        put_changed(&b, v);
        buf_puts(&b, ",\"plain\":");
        put_sites(&b, source, v);
        buf_puts(&b, "}\n");
    }
    for (size_t i = 0; i < v->plain_count && !json; i++) {
        Text construct = hook_construct(v->plain[i].hook);
        buf_printf(&b, "%s:%u: %.*s: %s\n", path,
                   (unsigned)source_place(source, v->plain[i].at.start).line,
                   (int)construct.len, construct.at, v->plain[i].why);
    }
    return file_write_stdout((Text){buf_text(&b), b.len}) ? STATUS_DONE : STATUS_FILE;
}

// ---- lines ----

// Runs of lines that stay together: where they are in the output, where they were, how many.
static void put_lines(Buf *b, Arena *a, const Source *source, const Edited *e)
{
    const Source *out = source_new(a, source->name, e->text);
    size_t run_out = 0, run_in = 0, count = 0;
    EditedPlace place = {0};
    buf_puts(b, "[");
    for (size_t i = 0; i < out->line_count; i++) {
        size_t in = source_line_index(source, edited_before_next(e, &place, out->lines[i]));
        if (count > 0 && in == run_in + count) {
            count++;
            continue;
        }
        if (count > 0)
            buf_printf(b, "[%zu,%zu,%zu],", run_out + 1, run_in + 1, count);
        run_out = i;
        run_in = in;
        count = 1;
    }
    buf_printf(b, "[%zu,%zu,%zu]]", run_out + 1, run_in + 1, count);
}

static void put_json(Buf *b, Arena *a, const Source *source, const Virtualized *v)
{
    buf_puts(b, "{\"text\":");
    json_string(b, v->edited.text);
    buf_printf(b, ",\"prefix\":\"%s\",\"names\":[", v->prefix);
    for (size_t i = 0; i < v->name_count; i++)
        buf_printf(b, "%s[\"%s\",\"%s\",\"%s\"]", i > 0 ? "," : "", v->names[i].bound,
                   v->names[i].kind, v->names[i].name);
    buf_puts(b, "],\"hooks\":[");
    const char *comma = "";
    for (size_t i = 0; i < v->name_count; i++)
        if (strcmp(v->names[i].kind, "hook") == 0) {
            buf_printf(b, "%s\"%s\"", comma, v->names[i].name);
            comma = ",";
        }
    buf_puts(b, "],\"edits\":[");
    for (size_t i = 0; i < v->edited.count; i++) {
        const Moved *m = &v->edited.moved[i];
        buf_printf(b, "%s[%u,%u,%u]", i > 0 ? "," : "", m->start, m->end - m->start, m->len);
    }
    buf_puts(b, "],\"lines\":");
    put_lines(b, a, source, &v->edited);
    buf_puts(b, ",\"report\":");
    put_sites(b, source, v);
    buf_puts(b, ",\"changed\":");
    put_changed(b, v);
    buf_printf(b, ",\"already\":%s}\n", v->already ? "true" : "false");
}

// ---- output ----

static Status write_map(Session *s, const char *path, const Source *source, const Virtualized *v)
{
    const char *map = s->options.value[OPTION_MAP];
    Buf b = buf_new(s->arena);
    if (map == NULL)
        return STATUS_DONE;
    buf_puts(&b, "{\"source\":");
    json_string(&b, (Text){path, strlen(path)});
    buf_puts(&b, ",\"lines\":");
    put_lines(&b, s->arena, source, &v->edited);
    buf_puts(&b, "}\n");
    return session_write_new(s, map, (Text){buf_text(&b), b.len});
}

// What goes to a file is written before what goes to standard output.
static Status write_text(Session *s, const char *path, Text old, Text text)
{
    const char *out = s->options.value[OPTION_OUTPUT];
    if (s->options.value[OPTION_DIFF]) {
        Buf b = buf_new(s->arena);
        diff_print(&b, path, old, path, text);
        return file_write_stdout((Text){buf_text(&b), b.len}) ? STATUS_DONE : STATUS_FILE;
    }
    if (s->options.value[OPTION_CHANGES])
        return STATUS_DONE;
    bool same = old.len == text.len && memcmp(old.at, text.at, old.len) == 0;
    if (s->options.value[OPTION_IN_PLACE])
        return same ? STATUS_DONE : session_replace(s, path, text, REPLACE_EDITED);
    if (out == NULL && s->options.value[OPTION_REPORT])
        return STATUS_DONE;
    return session_write_new(s, out, text);
}

static void warn(Session *s, const Source *source, const char *path, const Virtualized *v)
{
    size_t missing = 0;
    diags_set_source(s->diags, source);
    if (v->already)
        diag_report(s->diags, (Span){0, 0}, DIAG_ALREADY_VIRTUAL,
                    "`%s` is already virtualized, so it is not changed", path);
    for (size_t i = 0; i < v->plain_count; i++)
        missing += v->plain[i].lacks_form;
    if (missing > 0)
        diag_report(s->diags, (Span){0, 0}, DIAG_FORM_MISSING,
                    "%zu statement%s would need a hook that the overload does not define",
                    missing, diag_s(missing));
    if (v->plain_count == 0 || s->options.value[OPTION_REPORT])
        return;
    Diag *d = diag_report(s->diags, (Span){0, 0}, DIAG_LEFT_PLAIN,
                          "%zu construct%s of `%s` %s Python's own meaning", v->plain_count,
                          diag_s(v->plain_count), path,
                          v->plain_count == 1 ? "keeps" : "keep");
    diag_help(d, "`--report` lists the constructs and the reasons");
}

static Status finish(Session *s, Arena *work, const char *path, Text bytes, const Source *source,
                     const Virtualized *v)
{
    Text text;
    Status status = STATUS_DONE;
    if (s->options.value[OPTION_EMIT]) {
        Buf b = buf_new(work);
        put_json(&b, work, source, v);
        return file_write_stdout((Text){buf_text(&b), b.len}) ? STATUS_DONE : STATUS_FILE;
    }
    warn(s, source, path, v);
    if (!front_encode(work, bytes, source, &v->edited, &text)) {
        Diag *d = session_report(s, DIAG_ENCODING_FIXED, "files in the encoding of `%s` cannot be "
                                 "edited", path);
        diag_help(d, "save the file as UTF-8, and remove the declaration of its encoding");
        return STATUS_ERRORS;
    }
    if (s->options.value[OPTION_REPORT])
        status = print_report(s, path, source, v);
    if (status == STATUS_DONE)
        status = write_map(s, path, source, v);
    if (status == STATUS_DONE)
        status = write_text(s, path, bytes, text);
    bool asks = s->options.value[OPTION_DIFF] || s->options.value[OPTION_CHANGES];
    return status == STATUS_DONE && asks && v->edited.count > 0 ? STATUS_ERRORS : status;
}

// `work` is for what no diagnostic refers to: the next file starts with it empty.
static Status virtualize_file(Session *s, Arena *work, const char *path, const VirtualizeOptions *o)
{
    Text bytes;
    const char *why;
    if (!file_read(s->arena, path, &bytes, &why)) {
        session_report(s, DIAG_FILE_MISSING, "cannot read `%s`: %s", path, why);
        return STATUS_FILE;
    }
    s->files++;
    const Source *source = front_decode(s->arena, path, bytes, s->diags);
    if (source == NULL)
        return STATUS_ERRORS;
    diags_set_source(s->diags, source);
    Virtualized v = virtualize(work, s->names, source, o, s->diags);
    if (diags_error_count(s->diags) > 0)
        return STATUS_ERRORS;
    return finish(s, work, path, bytes, source, &v);
}

Status cmd_virtualize(Session *s)
{
    const char *line = s->options.value[OPTION_FUNCTION];
    VirtualizeOptions o = {.line = line ? (uint32_t)strtoul(line, NULL, 10) : 0,
                           .module = s->options.value[OPTION_EMIT] ? NULL : defaults_module};
    Status worst = STATUS_DONE;
    if (!session_outputs_fit(s))
        return STATUS_USAGE;
    Status status = read_hooks(s, &o);
    if (status != STATUS_DONE)
        return status;
    Arena *work = arena_new();
    for (size_t i = 0; i < s->options.operands.len; i++) {
        status = virtualize_file(s, work, s->options.operands.at[i], &o);
        if (status > worst)
            worst = status;
        session_print_diags(s);
        arena_reset(work);
    }
    arena_free(work);
    return worst;
}
