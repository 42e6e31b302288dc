// hashable.c - elements of sets and keys of dicts that Python cannot hash: TypeError where the
// display is evaluated. Only what is certain is refused: a subclass may define `__hash__`.

#include <string.h>

#include "typecheck/python/python.h"

static bool binds(const Stmt *s, const char *name) {
    if (s->kind == STMT_FUNCTION_DEF) return sym_is(s->function_def.name, name);
    for (size_t i = 0; s->kind == STMT_ASSIGN && i < s->assign.targets.len; i++)
        if (s->assign.targets.at[i]->kind == EXPR_NAME &&
            sym_is(s->assign.targets.at[i]->name.id, name))
            return true;
    return false;
}

static bool body_binds(const Stmt *def, const char *name) {
    for (size_t i = 0; i < def->class_def.body.len; i++)
        if (binds(def->class_def.body.at[i], name)) return true;
    return false;
}

// `@dataclass(eq=False)`, `(unsafe_hash=True)`: a decorator with arguments may make it hashable.
static bool has_arguments(const Stmt *def) {
    for (size_t i = 0; i < def->class_def.decorator_list.len; i++)
        if (def->class_def.decorator_list.at[i]->kind == EXPR_CALL) return true;
    return false;
}

// Why values of the type have no hash; NULL: they may have one.
static const char *unhashable(Py *py, const Ty *t) {
    static const char *const CHANGING[] = {"list", "dict", "set", "bytearray"};
    for (size_t i = 0; i < sizeof CHANGING / sizeof *CHANGING; i++)
        if (type_is(t, CHANGING[i])) return "it is mutable";
    for (size_t i = 0; t->kind == TY_TUPLE && i < t->tuple.items.len; i++)
        if (unhashable(py, t->tuple.items.at[i]) != NULL) return "a part of it is mutable";
    PyClass *c = t->kind == TY_NAMED ? pyt_class_of(py, t) : NULL;
    if (c == NULL || c->def == NULL || c->module != py->file) return NULL;
    pyt_class_ready(c);
    if (body_binds(c->def, "__hash__") || c->is_tuple || c->is_enum) return NULL;
    if (c->is_dataclass && c->is_frozen) return NULL;
    if (body_binds(c->def, "__eq__")) return "its class defines `__eq__`, but not `__hash__`";
    bool plain = c->is_dataclass && !c->is_frozen && !has_arguments(c->def);
    return plain ? "a dataclass is hashable only with `frozen=True`" : NULL;
}

bool pyt_check_hashable(Py *py, const Expr *e, const Ty *t, const char *what) {
    const char *why = t != NULL ? unhashable(py, t) : NULL;
    if (why == NULL) return true;
    Diag *d = pyt_report(py, e->at, DIAG_TYPE_MISMATCH, "%s is unhashable and cannot be %s: %s",
                         expr_text(py->p, e), what, why);
    diag_primary(d, "`%s`", type_text(py->p, t));
    if (type_is(t, "list")) diag_help(d, "use a tuple");
    else if (type_is(t, "set")) diag_help(d, "use a `frozenset`");
    else if (type_is(t, "dict")) diag_help(d, "use a tuple of its items");
    else if (type_is(t, "bytearray")) diag_help(d, "use `bytes`");
    else if (t->kind == TY_NAMED && pyt_class_of(py, t)->is_dataclass)
        diag_help(d, "write `@dataclass(frozen=True)`; its fields must be hashable, too");
    else if (t->kind == TY_NAMED) diag_help(d, "define `__hash__` in the class");
    return false;
}

bool pyt_check_added(Py *py, const Expr *call, const Ty *base, const PyArg *arg) {
    const Expr *f = call->call.func;
    return f->kind != EXPR_ATTRIBUTE || !sym_is(f->attribute.attr, "add") || base == NULL ||
        !type_is(base, "set") || call->call.args.len != 1 || arg->e == NULL ||
        (base->named.args.len > 0 && unhashable(py, base->named.args.at[0]) != NULL) ||
        pyt_check_hashable(py, arg->e, arg->ty, "an element of a set");
}
