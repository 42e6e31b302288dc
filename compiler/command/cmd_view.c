// cmd_view.c - `view`: the sequence diagram of the entry, as text, as a picture, or in a page with
// the programs; or the automata of roles.

#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/base/version.h"
#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/command/program.h"
#include "compiler/emit/automaton.h"
#include "compiler/emit/module_text.h"
#include "compiler/emit/view.h"

typedef enum Format { MERMAID, SVG, HTML, DOT } Format;

static const char *const format_names[] = {"mermaid", "svg", "html", "dot"};

// Says who wrote it, in a comment of the language, so that the file may be written again.
static void print_heading(Buf *b, const Compilation *c, Format format)
{
    static const char *const starts[] = {"%%", "<!--", "<!--", "//"};
    bool markup = format == SVG || format == HTML;
    buf_printf(b, "%s " GENERATED_MARK " %s (sha256 %.16s of the source)%s\n", starts[format],
               PYCHORAL_VERSION, session_source_hash(c), markup ? " -->" : "");
}

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), more = strlen(end);
    return len > more + 1 && text[len - more - 1] == '.' && strcmp(text + len - more, end) == 0;
}

// As `--format` says; without it, as the name of the output does; a role has an automaton.
static Format wanted_format(const Session *s)
{
    const char *format = s->options.value[OPTION_FORMAT], *out = s->options.value[OPTION_OUTPUT];
    for (Format f = SVG; f <= DOT; f++)
        if (format ? strcmp(format, format_names[f]) == 0
                   : out && ends_with(out, format_names[f]))
            return f;
    return s->options.value[OPTION_ROLE] && format == NULL ? DOT : MERMAID;
}

// ---- the page ----

typedef struct Panels { ViewPanel *at; size_t len, cap; } Panels;

static void add_source(Session *s, Panels *panels, const Source *file)
{
    ViewPanel panel = {path_base(file->name), file->text, file};
    vec_push(s->arena, panels, panel);
}

// The sources, of which interfaces are none, and then the program of each role.
static ViewPanels panels_of(Session *s, const Compilation *c)
{
    const Source *source = c->cx.source;
    Programs programs = programs_of(s, c);
    Panels panels = {0};
    if (source->parts == NULL)
        add_source(s, &panels, source);
    for (size_t i = 0; i < source->part_count; i++)
        if (!source->parts[i].interface)
            add_source(s, &panels, source->parts[i].file);
    for (size_t i = 0; i < programs.len; i++) {
        Buf title = buf_new(s->arena);
        buf_printf(&title, "%s: %s", programs.at[i].role, programs.at[i].file.name);
        ViewPanel panel = {buf_text(&title), programs.at[i].file.text, NULL};
        vec_push(s->arena, &panels, panel);
    }
    return (ViewPanels){panels.at, panels.len};
}

// ---- automata ----

static bool check_usage(Session *s, Format format)
{
    if (s->options.value[OPTION_ROLE] == NULL || format == DOT)
        return true;
    Diag *d = session_report(s, DIAG_USAGE, "`--role` requires the format `dot`, not `%s`",
                             format_names[format]);
    diag_help(d, "use `--format=dot` to draw the automaton of the role, or remove `--role`");
    return false;
}

// Of the role that is named, or of each.
static Status print_automata(Session *s, const Diagram *d, Buf *b)
{
    const char *name = s->options.value[OPTION_ROLE];
    Sym only = name ? programs_role(s, d->roles, name) : NULL;
    if (name && only == NULL)
        return STATUS_USAGE;
    for (size_t i = 0; i < d->roles.len; i++) {
        Automaton automaton;
        Sym role = d->roles.at[i];
        if (only && role != only)
            continue;
        if (!automaton_make(s->arena, d, role, &automaton)) {
            session_report(s, DIAG_USAGE, "the automaton of %s has more than %d states", role,
                           AUTOMATON_MAX_STATES);
            return STATUS_USAGE;
        }
        automaton_print_dot(b, &automaton);
    }
    return STATUS_DONE;
}

// ---- the command ----

Status cmd_view(Session *s)
{
    Compilation c;
    Diagram diagram;
    Format format = wanted_format(s);
    PassId last = format == HTML || format == DOT ? PASS_PROJECT : pass_after(PASS_PROJECT);
    Buf b = buf_new(s->arena);
    if (!check_usage(s, format))
        return STATUS_USAGE;
    Status status = session_compile(s, s->options.operands.at[0], last, &c);
    if (status != STATUS_DONE)
        return status;
    EndpointCx programs = programs_cx(s, &c);
    ViewCx cx = {s->arena, s->names, c.cx.source, &programs.sites,
                 pass_before(&c.cx, PASS_PROJECT)};
    if (!view_collect(&cx, c.cx.entry, &diagram)) {
        programs_runnable(s, &c);
        return STATUS_ERRORS;
    }
    print_heading(&b, &c, format);
    switch (format) {
    case MERMAID: view_print_mermaid(&b, &diagram); break;
    case SVG: view_print_svg(&b, &diagram); break;
    case HTML: view_print_html(&b, &cx, &diagram, panels_of(s, &c)); break;
    case DOT: status = print_automata(s, &diagram, &b); break;
    }
    if (status != STATUS_DONE)
        return status;
    return session_write(s, s->options.value[OPTION_OUTPUT], &b);
}
