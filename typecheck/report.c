// report.c - reporting from a scope, and names that want an import.

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/base/suggest.h"
#include "compiler/ir/control.h"
#include "compiler/ir/free_names.h"
#include "typecheck/internal.h"

Diag *report_at(Scope *sc, Span at, DiagId id, const char *format, ...) {
    va_list ap, again;
    va_start(ap, format);
    va_copy(again, ap);
    size_t n = (size_t)vsnprintf(NULL, 0, format, ap);
    char *text = arena_alloc(sc->p->arena, n + 1);
    vsnprintf(text, n + 1, format, again);
    va_end(again);
    va_end(ap);
    if (sc->fn != NULL) sc->fn->failed = true;
    return diag_report(sc->p->diags, at, id, "%s", text);
}

Diag *report_unsupported(Program *p, Span at, const char *what) {
    return diag_report(p->diags, at, DIAG_UNSUPPORTED, "%s is not supported yet", what);
}

// Where a body ends without `return`: its last statement, in the branches that go on.
void label_open_end(const Program *p, Diag *d, StmtList body) {
    const Stmt *s = NULL;
    bool otherwise = false;
    while (body.len > 0 && !otherwise) {
        s = body.at[body.len - 1];
        if (s->kind != STMT_IF) break;
        bool in_body = body_falls_through(s->if_.body);
        otherwise = !in_body && s->if_.orelse.len == 0;
        body = in_body ? s->if_.body : s->if_.orelse;
    }
    if (s != NULL)
        diag_label(d, otherwise ? s->if_.test->at : source_first_line(p->source, s->at),
                   otherwise ? "nothing is returned where this is false"
                             : "nothing is returned after this");
    diag_help(d, "every path needs a `return` or a `raise`");
}

// ---- imports that are forgotten ----

typedef struct Usual { const char *module, *names; } Usual;

static const Usual USUAL[] = {
    {"pychoral", " At Ch2 Ch3 Channel DiChannel SymChannel SecureChannel Role roles "},
    {"enum", " Enum IntEnum StrEnum Flag auto "},
    {"dataclasses", " dataclass field replace "},
    {"typing", " Any Optional Union NamedTuple TypeVar Generic Protocol Literal NoReturn Final "
               "TypeAlias TypedDict ClassVar "},
    {"collections.abc", " Callable Iterable Iterator Sequence Mapping "},
    {"abc", " ABC abstractmethod "},
    {"functools", " reduce partial cache lru_cache "},
    {"collections", " Counter deque defaultdict OrderedDict "},
    {"", " random time math json os sys hashlib itertools functools collections enum dataclasses "
         "typing string "},
};

static const Usual *find_usual(Sym name) {
    size_t len = strlen(name);
    for (size_t i = 0; i < sizeof USUAL / sizeof *USUAL; i++) {
        const char *at = USUAL[i].names;
        while ((at = strstr(at, name)) != NULL && (at[-1] != ' ' || at[len] != ' ')) at++;
        if (at != NULL) return &USUAL[i];
    }
    return NULL;
}

static bool same_file(const Program *p, Span one, Span other) {
    uint32_t a = one.start, b = other.start;
    return source_file(p->source, &a) == source_file(p->source, &b);
}

// Where its line begins; that of its first decorator.
static uint32_t line_start(const Program *p, const Stmt *s) {
    ExprList above = s->kind == STMT_FUNCTION_DEF ? s->function_def.decorator_list
        : s->kind == STMT_CLASS_DEF ? s->class_def.decorator_list : (ExprList){0};
    uint32_t start = above.len > 0 ? above.at[0]->at.start : s->at.start, at = start;
    const Source *file = source_file(p->source, &at);
    return start - (at - file->lines[source_line_index(file, at)]);
}

// A docstring, or what the compiler is told: no import stands before it.
static bool stands_first(const Stmt *s) {
    if (s->kind == STMT_IMPORT_FROM && s->import_from.module != NULL)
        return sym_is(s->import_from.module, "__future__");
    return s->kind == STMT_EXPR && s->expr.value->kind == EXPR_CONSTANT;
}

// With the names of an import from that module, else in a line of its own above all others.
void edit_import(Program *p, Diag *d, Help *h, const char *module, Sym name, Span at) {
    const Stmt *first = NULL;
    for (size_t i = 0; i < p->body.len; i++) {
        const Stmt *s = p->body.at[i];
        if (!same_file(p, s->at, at)) continue;
        if (first == NULL && !stands_first(s)) first = s;
        if (s->kind != STMT_IMPORT_FROM || s->import_from.module == NULL ||
            !sym_is(s->import_from.module, module) || s->import_from.level != 0)
            continue;
        AliasList names = s->import_from.names;
        uint32_t end = names.at[names.len - 1]->at.end;
        diag_edit(d, h, (Span){end, end}, ", %s", name);
        return;
    }
    if (first == NULL) return;
    uint32_t start = line_start(p, first);
    if (*module == '\0') diag_edit(d, h, (Span){start, start}, "import %s\n", name);
    else diag_edit(d, h, (Span){start, start}, "from %s import %s\n", module, name);
}

bool help_import(Program *p, Diag *d, Sym name, Span at) {
    const Usual *found = find_usual(name);
    if (found == NULL) return false;
    Help *h = *found->module == '\0' ? diag_help(d, "import it: `import %s`", name)
                                     : diag_help(d, "import it: `from %s import %s`",
                                                 found->module, name);
    edit_import(p, d, h, found->module, name, at);
    p->lacks_import |= d->id == DIAG_NAME_UNKNOWN;
    return true;
}

// ---- imports that are missing, all at once ----

typedef struct Missing { Program *p; Table *seen; } Missing;

static void note_unimported(void *cx, const Expr *e) {
    Missing *m = cx;
    const Usual *usual = e->kind == EXPR_NAME ? find_usual(e->name.id) : NULL;
    Text text = m->p->source->text;
    if (usual == NULL || builtin_exists(e->name.id) ||
        (*usual->module == '\0' && (e->at.end >= text.len || text.at[e->at.end] != '.')) ||
        program_find(m->p, e->name.id) != NULL || program_misspelt_import(m->p, e->name.id) ||
        table_get(m->seen, e->name.id) != NULL)
        return;
    table_set(m->seen, e->name.id, m);
    Diag *d = diag_report(m->p->diags, e->at, DIAG_NAME_UNKNOWN, "name `%s` is not defined",
                          e->name.id);
    help_import(m->p, d, e->name.id, e->at);
}

void report_missing_imports(Program *p, StmtList body) {
    Missing m = {p, table_new(p->arena)};
    if (p->lacks_import) names_visit(p->arena, p->names, body, note_unimported, &m);
}

void help_keyword(Diag *d, Sym given, bool by_position, SymList names) {
    const char *meant = by_position ? NULL : suggest_nearest(given, names.at, names.len);
    if (by_position)
        diag_help(d, "parameter `%s` is positional-only: write the value without `%s=`", given,
                  given);
    else if (meant != NULL)
        diag_help(d, "did you mean `%s`?", meant);
}

void note_private(Diag *d, const Expr *e) {
    size_t written = e->at.end - e->at.start, len = strlen(e->name.id);
    if (written < len && strncmp(e->name.id + len - written, "__", 2) == 0)
        diag_note(d, "in a class, Python reads `%s` as `%s`", e->name.id + len - written,
                  e->name.id);
}
