// supports.c - notes of what the protocols of the stubs, such as `SupportsLessThan`, need of a
// value: no program can import most of them, so their names alone say little to a user.

#include <string.h>

#include "typecheck/python/python.h"

typedef struct Noted { Py *py; Diag *diag; Table *seen; } Noted;

// Python's word for the method: `<`, `abs()`, `[]`, and else the method itself.
static const char *use_of(Py *py, Sym method) {
    const char *sign = pyt_operator_sign(method);
    size_t len = strlen(method);
    bool dunder = len > 4 && strncmp(method, "__", 2) == 0;
    Sym bare = dunder ? names_format(py->names, "%.*s", (int)len - 4, method + 2) : method;
    return sign != NULL ? sign : sym_is(method, "__getitem__") ? "[]"
        : names_format(py->names, "%s()", builtin_exists(bare) ? bare : method);
}

static const char *uses_of(Py *py, const PyClass *c) {
    Buf b = buf_new(py->arena);
    const char *last = NULL;
    for (size_t i = 0; i < c->env->order.len; i++) {
        Sym method = c->env->order.at[i];
        const PySym *s = table_get(c->env->symbols, method);
        const char *use = s->kind == PYSYM_FUNCTION ? use_of(py, method) : NULL;
        if (use == NULL || (last != NULL && strcmp(use, last) == 0)) continue;  // `__radd__`
        buf_printf(&b, "%s`%s`", last != NULL ? " and " : "", use);
        last = use;
    }
    return buf_text(&b);
}

static bool note_protocol(void *cx, const Ty *t) {
    Noted *n = cx;
    PyClass *c = t->kind == TY_NAMED ? pyt_class(n->py, t->named.name) : NULL;
    if (c == NULL || table_get(n->seen, c) != NULL) return true;
    table_set(n->seen, c, c);
    pyt_class_ready(c);
    bool supports = strncmp(c->def->class_def.name, "Supports", 8) == 0 ||
        strncmp(c->def->class_def.name, "_Supports", 9) == 0;
    if (c->is_protocol && c->module->stub && supports)
        diag_note(n->diag, "`%s` is any value that supports %s", c->def->class_def.name,
                  uses_of(n->py, c));
    return true;
}

void pyt_note_supports(Py *py, Diag *d, TyList types) {
    Noted n = {py, d, table_new(py->arena)};
    IrWalker w = {.cx = &n, .ty = note_protocol};
    for (size_t i = 0; i < types.len; i++) ir_walk_ty(&w, types.at[i]);
}
