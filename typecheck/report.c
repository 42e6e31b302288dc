// report.c - reporting from a scope.

#include <stdarg.h>
#include <stdio.h>

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
