// travel.c - which of Python's own classes have no form on the wire.
//
// What may be one of the classes that travel (a `Sequence`, a `Hashable`) is left to the sender.

#include <string.h>

#include "typecheck/python/python.h"

// Does `t` derive from the class of that name?
static bool is_a(Py *py, const Ty *t, const char *name) {
    PyClass *c = pyt_class(py, pyt_known(py, name));
    return c != NULL && pyt_as(py, t, c) != NULL;
}

static bool may_travel(Py *py, PyClass *c) {
    static const char *const WIRE[] = {"bool", "int", "float", "complex", "str", "bytes", "list",
                                       "tuple", "dict", "set", "frozenset"};
    bool iterator = sym_is(c->name, "Iterator") || sym_is(c->name, "AsyncIterator");
    if (sym_is(c->name, "object") || c->is_enum || c->is_dataclass) return true;
    if (c->is_protocol) return !iterator;
    for (size_t i = 0; i < sizeof WIRE / sizeof *WIRE; i++) {
        const Ty *t = ty_named(py->arena, pyt_known(py, WIRE[i]), (TyList){0});
        if (pyt_as(py, t, c) != NULL) return true;
    }
    return false;
}

static const char *reason(Py *py, const Ty *t, const PyClass *c) {
    if (is_a(py, t, "dict"))
        return "of dictionaries only `dict` travels; send `dict(..)` of it";
    if (is_a(py, t, "Iterator") || is_a(py, t, "AsyncIterator"))
        return "an iterator cannot travel; send `list(..)` of it";
    if (is_a(py, t, "BaseException")) return "an exception cannot travel; send its text, `str(..)`";
    if (is_a(py, t, "bytearray") || is_a(py, t, "memoryview"))
        return "only `bytes` travel; send `bytes(..)` of it";
    const char *dot = strrchr(c->name, '.'), *name = dot != NULL ? dot + 1 : c->name;
    if (is_a(py, t, "Iterable"))
        return names_format(py->names, "a `%s` cannot travel; send `list(..)` of it", name);
    return names_format(py->names, "a `%s` cannot travel; send what makes it, or its text", name);
}

const char *pyt_unsendable(Py *py, const Ty *t) {
    if (py->builtins == NULL || py->typing == NULL || t->kind != TY_NAMED) return NULL;
    Sym name = t->named.name;
    const Decl *d = program_find(py->p, name);
    PySym *s = pyt_find(py->file->env, name);
    PyModule *module = NULL;
    if (d != NULL) s = d->kind == DECL_IMPORT && s != NULL ? pyt_follow(s, &module) : NULL;
    if (d != NULL && s != NULL && s->kind == PYSYM_CLASS) (void)pyt_symbol_type(s);
    PyClass *c = d == NULL ? pyt_class(py, name) : s != NULL && s->kind == PYSYM_CLASS ? s->class_
        : NULL;
    if (c == NULL || strncmp(c->module->name, "numpy", 5) == 0) return NULL;    // arrays travel
    pyt_class_ready(c);
    return c->open || may_travel(py, c) ? NULL
        : reason(py, ty_named(py->arena, c->name, t->named.args), c);
}
