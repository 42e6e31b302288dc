// report.c - reporting from a scope, and names that want an import.

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

bool help_import(Diag *d, Sym name) {
    const Usual *found = find_usual(name);
    if (found == NULL) return false;
    if (*found->module == '\0') diag_help(d, "import it: `import %s`", name);
    else diag_help(d, "import it: `from %s import %s`", found->module, name);
    return true;
}

// ---- imports that are missing, all at once ----

typedef struct Missing { Program *p; Table *seen; } Missing;

static void note_unimported(void *cx, const Expr *e) {
    Missing *m = cx;
    if (e->kind != EXPR_NAME || find_usual(e->name.id) == NULL || builtin_exists(e->name.id) ||
        program_find(m->p, e->name.id) != NULL || program_misspelt_import(m->p, e->name.id) ||
        table_get(m->seen, e->name.id) != NULL)
        return;
    table_set(m->seen, e->name.id, m);
    Diag *d = diag_report(m->p->diags, e->at, DIAG_NAME_UNKNOWN, "nothing named `%s` is in scope",
                          e->name.id);
    help_import(d, e->name.id);
}

void report_missing_imports(Program *p, StmtList body) {
    Missing m = {p, table_new(p->arena)};
    bool unknown = false;
    for (size_t i = 0; i < diags_count(p->diags); i++) {
        const Diag *d = diags_get(p->diags, i);
        if (d->id != DIAG_NAME_UNKNOWN) continue;
        unknown |= d->helps != NULL && strncmp(d->helps->text, "import it", 9) == 0;
    }
    if (unknown) names_visit(p->arena, p->names, body, note_unimported, &m);
}

void note_private(Diag *d, const Expr *e) {
    size_t written = e->at.end - e->at.start, len = strlen(e->name.id);
    if (written < len && strncmp(e->name.id + len - written, "__", 2) == 0)
        diag_note(d, "in a class, Python reads `%s` as `%s`", e->name.id + len - written,
                  e->name.id);
}
