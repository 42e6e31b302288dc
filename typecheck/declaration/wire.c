// wire.c - what travels, and as what: the one place that decides it (runtime/PROTOCOL.md 5.6).
//
// A payload type is made of scalars, containers, abstract collections, enums, dataclasses, unions
// and what is open (`object`). A value of another type may still be sent where one of these is
// expected: a subclass of a builtin as the builtin, what has a length as a collection.

#include <string.h>

#include "typecheck/expression/operands.h"
#include "typecheck/internal.h"
#include "typecheck/python/python.h"

static const char *const SCALARS[] = {"bool", "int", "float", "complex", "str", "bytes", NULL};
static const char *const CONTAINERS[] = {"list", "tuple", "dict", "set", "frozenset", NULL};
static const char *const ABSTRACTS[] = {
#define ABSTRACT(name, kinds) #name,
#include "compiler/ir/abstract.def"
#undef ABSTRACT
    NULL};

// ---- classes ----

// Does `t` derive from the class of that name?
static bool is_a(Py *py, const Ty *t, const char *name) {
    PyClass *c = pyt_class(py, pyt_known(py, name));
    return c != NULL && pyt_as(py, t, c) != NULL;
}

// The builtin as which instances of a class travel; NULL: there is none.
static const Ty *builtin_of(Py *py, const Ty *t) {
    static const char *const BASES[] = {"int", "float", "complex", "str", "bytes", "bytearray",
                                        "list", "tuple", "dict", "set", "frozenset", NULL};
    for (size_t i = 0; BASES[i] != NULL; i++) {
        PyClass *c = pyt_class(py, pyt_known(py, BASES[i]));
        const Ty *as = c != NULL ? pyt_as(py, t, c) : NULL;
        if (as != NULL) return as;
    }
    return NULL;
}

// A class of a stub that is a tuple whatever its other bases are (`time.struct_time`).
static bool is_record(Py *py, const PyClass *c) {
    return c->module->stub && is_a(py, ty_named(py->arena, c->name, (TyList){0}), "tuple");
}

// What is known of the class of a type; NULL: nothing.
static PyClass *class_of(Program *p, const Ty *t) {
    Py *py = p->py;
    if (py == NULL || py->builtins == NULL || py->typing == NULL || t->kind != TY_NAMED)
        return NULL;
    Sym name = t->named.name;
    const Decl *d = program_find(p, name);
    PyClass *c = d == NULL ? pyt_class(py, name) : NULL;
    PySym *s = d != NULL ? pyt_find(py->file->env, name) : NULL;
    PyModule *module = NULL;
    if (d != NULL && d->kind == DECL_IMPORT && s != NULL) s = pyt_follow(s, &module);
    if (c == NULL && s == NULL) s = table_get(py->heads, name);
    if (s != NULL && s->kind == PYSYM_CLASS) {
        (void)pyt_symbol_type(s);
        c = s->class_;
    }
    if (c == NULL || strncmp(c->module->name, "numpy", 5) == 0) return NULL;    // arrays travel
    pyt_class_ready(c);
    return c->open && !is_record(py, c) ? NULL : c;
}

static const char *class_reason(Py *py, const Ty *t, const PyClass *c) {
    const char *dot = strrchr(c->name, '.'), *name = dot != NULL ? dot + 1 : c->name;
    if (is_a(py, t, "dict") || is_a(py, t, "Mapping"))
        return "the only mapping that can be sent is `dict`; convert it with `dict(..)`";
    if (is_a(py, t, "Iterator") || is_a(py, t, "AsyncIterator"))
        return "an iterator cannot be sent; convert it with `list(..)`";
    if (is_a(py, t, "BaseException"))
        return "an exception cannot be sent; convert it with `str(..)`";
    if (is_a(py, t, "bytearray") || is_a(py, t, "memoryview"))
        return "a buffer cannot be sent; convert it with `bytes(..)`";
    const Ty *base = builtin_of(py, t);
    if (base != NULL) {
        const char *as = base->kind == TY_TUPLE ? "tuple" : base->named.name;
        return names_format(py->names, "`%s` is not a payload type; its values are sent as `%s`",
                            name, as);
    }
    if (is_a(py, t, "Iterable") && !c->is_protocol)
        return names_format(py->names, "`%s` cannot be sent; convert it with `list(..)`", name);
    return names_format(py->names, "a message cannot contain `%s`; send its parts or its text",
                        name);
}

// A dataclass whose instances would arrive as something else than they were.
static const char *record_reason(Program *p, const Ty *t) {
    PyClass *c = class_of(p, t);
    if (c == NULL) return NULL;
    if (is_a(p->py, t, "BaseException"))
        return "an exception cannot be sent; convert it with `str(..)`";
    if (pyt_member(p->py, t, names_get(p->names, "__del__")) != NULL)
        return "its class defines `__del__`, which the copies would run, too";
    return NULL;
}

// ---- types ----

static const char *list_unsendable(Program *p, TyList list) {
    for (size_t i = 0; i < list.len; i++) {
        const char *why = wire_unsendable(p, list.at[i]);
        if (why != NULL) return why;
    }
    return NULL;
}

static bool open_file(const Ty *t) {
    return type_is(t, "TextIO") || type_is(t, "BinaryIO") || type_is(t, "IO");
}

typedef struct Vague { const Ty *itself, *unpacked; const char *why; } Vague;

static bool note_itself(void *cx, const Ty *t) {
    Vague *v = cx;
    if (t == v->itself)
        v->why = "its type is recursive; write `object` for the recursive reference";
    if (t == v->unpacked && t != NULL)
        v->why = "its type contains a tuple with an unpacked part; write `tuple[T, ...]`, or a "
                 "tuple in the place of that part";
    if (type_is(t, "Never") || type_is(t, "NoReturn")) v->why = "a `Never` has no values";
    return true;
}

// What a receiver could not look at. A class is read as its fields are written; a recursive payload
// type is open below its first level.
static const char *vague_reason(Program *p, const Ty *t, bool field) {
    Vague v = {0};
    if (p->py != NULL) v = (Vague){field ? p->py->itself : NULL, p->py->unpacked, NULL};
    IrWalker w = {.cx = &v, .ty = note_itself};
    if (t != NULL) ir_walk_ty(&w, t);
    return v.why;
}

// The field of a dataclass that keeps it from travelling. A class inside itself is looked at once.
static const char *field_unsendable(Program *p, Decl *d) {
    if (d->asked) return NULL;
    d->asked = true;
    const char *why = NULL;
    for (size_t i = 0; i < d->field_order.len && why == NULL; i++) {
        const Field *f = table_get(d->fields, d->field_order.at[i]);
        why = vague_reason(p, f->type.ty, true);
        if (why == NULL) why = wire_unsendable(p, f->type.ty);
        if (why != NULL) why = names_format(p->names, "its field `%s` cannot be sent (%s)",
                                                      f->name, why);
    }
    d->asked = false;
    return why;
}

static bool is_typed_dict(Program *p, const Ty *t) {
    const PyClass *c = class_of(p, t);
    return c != NULL && c->is_typed_dict;
}

static const char *local_unsendable(Program *p, Decl *d, const Ty *t) {
    if (!d->is_dataclass && is_typed_dict(p, t))
        return t->named.args.len > 0 ? "a generic TypedDict cannot be sent"
                                     : field_unsendable(p, d);
    if (!d->is_dataclass)
        return names_format(p->names, "`%s` is neither a dataclass nor an enum", d->name);
    const char *why = record_reason(p, t);
    if (why == NULL) why = field_unsendable(p, d);
    return why != NULL ? why : list_unsendable(p, t->named.args);
}

// `Pair = namedtuple("Pair", "a b")`.
static bool is_made_tuple(Program *p, Sym name) {
    PySym *s = p->py != NULL && p->py->builtins != NULL ? pyt_find(p->py->file->env, name) : NULL;
    if (s == NULL || s->kind != PYSYM_VARIABLE || s->value == NULL || s->value->kind != EXPR_CALL)
        return false;
    const Expr *f = s->value->call.func;
    return f->kind == EXPR_NAME ? sym_is(f->name.id, "namedtuple")
        : f->kind == EXPR_ATTRIBUTE && sym_is(f->attribute.attr, "namedtuple");
}

static const char *named_unsendable(Program *p, const Ty *t) {
    if (open_file(t)) return "an open file cannot be sent";
    if (type_is(t, "range") || type_is(t, "slice"))
        return "a range or slice cannot be sent; send its bounds, or convert a range with "
               "`list(..)`";
    Decl *d = program_find(p, t->named.name);
    if (d != NULL && d->kind == DECL_LOCAL_CLASS) return local_unsendable(p, d, t);
    if (is_made_tuple(p, t->named.name))
        return names_format(p->names, "`%s` is not a payload type; its values are sent as `tuple`",
                                      t->named.name);
    PyClass *c = class_of(p, t);
    bool listed = c == NULL || sym_is(c->name, "object") || c->is_enum ||
        sym_is_one_of(c->name, SCALARS) || sym_is_one_of(c->name, CONTAINERS) ||
        sym_is_one_of(c->name, ABSTRACTS);
    if (c != NULL && c->is_dataclass) {
        const char *why = record_reason(p, t);
        if (why != NULL) return why;
    } else if (!listed) {
        return class_reason(p->py, ty_named(p->arena, c->name, t->named.args), c);
    }
    return list_unsendable(p, t->named.args);
}

bool wire_fails_by_field(Program *p, const Ty *t) {
    Decl *d = t != NULL && t->kind == TY_NAMED ? program_find(p, t->named.name) : NULL;
    return d != NULL && d->kind == DECL_LOCAL_CLASS &&
        (is_typed_dict(p, t) ? t->named.args.len == 0
                             : d->is_dataclass && record_reason(p, t) == NULL) &&
        field_unsendable(p, d) != NULL;
}

const char *wire_unsendable(Program *p, const Ty *t) {
    if (type_unknown(t)) return NULL;
    switch (t->kind) {
    case TY_INST:
        return type_is_channel(p, t) ? "a channel cannot be sent"
                                     : "an object of several roles cannot be sent";
    case TY_CALLABLE: return "a function cannot be sent";
    case TY_TUPLE:
        return type_several(t) ? "its parts are at different roles"
                               : list_unsendable(p, t->tuple.items);
    case TY_UNION: return list_unsendable(p, t->union_.items);
    case TY_NAMED: return named_unsendable(p, t);
    case TY_NONE_TYPE: case TY_LITERAL: case TY_TYPE_VAR: case TY_PLACED: case TY_POISON:
    case TY_ANY: case TY_COUNT: return NULL;
    }
    return NULL;
}

bool wire_never(Program *p, const Ty *t) {
    PyClass *c = t != NULL && t->kind == TY_NAMED ? class_of(p, t) : NULL;
    if (c == NULL || c->is_protocol || c->is_typed_dict) return false;
    t = ty_named(p->arena, c->name, t->named.args);
    return wire_unsendable(p, t) != NULL && !c->is_dataclass && builtin_of(p->py, t) == NULL &&
        !is_a(p->py, t, "Iterable");
}

bool wire_foreign(Program *p, const Ty *t) {
    const PyClass *c = class_of(p, t);
    return c != NULL && c->module->stub && wire_unsendable(p, t) != NULL;
}

// ---- arguments ----

static bool some_may(Program *p, TyList list, const Ty *limit, bool all);

// Whether `limit`, or a part of it, is an abstract collection.
static bool note_abstract(void *cx, const Ty *t) {
    *(bool *)cx |= t->kind == TY_NAMED && sym_is_one_of(t->named.name, ABSTRACTS);
    return true;
}

static bool is_abstract(const Ty *limit) {
    bool found = false;
    IrWalker w = {.cx = &found, .ty = note_abstract};
    ir_walk_ty(&w, limit);
    return found;
}

// Whether a dataclass that can be sent is derived from a class that is none.
static bool has_dataclass_below(Program *p, PyClass *c) {
    for (size_t i = 0; i < p->order.len; i++) {
        const Decl *d = p->order.at[i];
        if (d->kind != DECL_LOCAL_CLASS || !d->is_dataclass) continue;
        const Ty *t = ty_named(p->arena, d->name, (TyList){0});
        if (pyt_as(p->py, t, c) != NULL && wire_unsendable(p, t) == NULL) return true;
    }
    return false;
}

// Whether some value of a type that is no payload type can be sent where `limit` is expected.
static bool may_be_sent(Program *p, const Ty *t, const Ty *limit) {
    if (wire_unsendable(p, t) == NULL) return true;
    if (t->kind == TY_UNION) return some_may(p, t->union_.items, limit, false);
    if (t->kind == TY_TUPLE) return !type_several(t) && some_may(p, t->tuple.items, limit, true);
    PyClass *c = class_of(p, t);
    if (c == NULL || c->is_dataclass) return false;
    if (!c->module->stub && has_dataclass_below(p, c)) return true;
    t = ty_named(p->arena, c->name, t->named.args);
    if (is_a(p->py, t, "Iterator")) return false;
    const Ty *base = builtin_of(p->py, t);
    bool whole = base != NULL && !sym_is_one_of(c->name, CONTAINERS);
    if (whole || (base != NULL && some_may(p, t->named.args, limit, true)))
        return !whole || base->kind != TY_NAMED || some_may(p, base->named.args, limit, true);
    if (c->is_protocol || sym_is_one_of(c->name, ABSTRACTS) || is_a(p->py, p->py->bytes_, c->name))
        return some_may(p, t->named.args, limit, true);
    return is_abstract(limit) && is_a(p->py, t, "Collection");
}

static bool some_may(Program *p, TyList list, const Ty *limit, bool all) {
    for (size_t i = 0; i < list.len; i++)
        if (may_be_sent(p, list.at[i], limit) != all) return !all;
    return all;
}

// ---- the wire type ----

// The payload type of the channel says how a value is read. The argument's type says which part of
// it comes, where every value of that type is read as the same by either; what the payload type
// leaves open, it says alone.
static const Ty *read_as(Program *p, const Ty *t, const Ty *limit);

static bool is_open(const Ty *t) { return type_unknown(t) || type_is(t, "object"); }

static TyList each_read_as(Program *p, TyList types, TyList limits) {
    const Ty **out = ARENA_ARRAY(p->arena, const Ty *, types.len + 1);
    for (size_t i = 0; i < types.len; i++)
        out[i] = read_as(p, types.at[i], limits.at[limits.len == 1 ? 0 : i]);
    return (TyList){out, types.len};
}

static Sym class_name(Program *p, const Ty *t) {
    const PyClass *c = class_of(p, t);
    return c != NULL ? c->name : t->named.name;
}

static bool is_dataclass(Program *p, const Ty *t) {
    const Decl *d = program_find(p, t->named.name);
    const PyClass *c = class_of(p, t);
    return (d != NULL && d->kind == DECL_LOCAL_CLASS && d->is_dataclass) ||
        (c != NULL && c->is_dataclass);
}

static bool same_or_open(const Ty *limit, const char *name) {
    return is_open(limit) || type_is(limit, name);
}

// Whether bytes are a collection of these as they are.
static bool takes_ints(const Ty *item) {
    bool some = is_open(item) || type_is(item, "int") || item->kind == TY_TYPE_VAR;
    for (size_t i = 0; item->kind == TY_UNION && i < item->union_.items.len; i++)
        some |= takes_ints(item->union_.items.at[i]);
    return some;
}

// A builtin under an abstract type that admits it.
static const Ty *under_abstract(Program *p, const Ty *t, const Ty *limit) {
    TyList of = limit->named.args, args = t->named.args;
    if (of.len == 0) return args.len > 0 ? t : limit;
    if (type_is(t, "str")) return same_or_open(of.at[0], "str") ? t : limit;
    if (type_is(t, "bytes") && !takes_ints(of.at[0]))
        p->never_sent = "`bytes` are sent unchanged or as ints; convert them with `list(..)`";
    if (type_is(t, "bytes")) return same_or_open(of.at[0], "int") ? t : limit;
    if (sym_is_one_of(class_name(p, t), ABSTRACTS) && args.len == of.len)
        return ty_named(p->arena, limit->named.name, each_read_as(p, args, of));
    if (!sym_is_one_of(t->named.name, CONTAINERS) || args.len == 0) return limit;
    const Ty *both[] = {of.at[0], ty_any(p->arena)};    // the values of a dict that is a Collection
    if (type_is(t, "dict") && of.len == 1) of = (TyList){both, 2};
    return ty_named(p->arena, t->named.name, each_read_as(p, args, of));
}

static const Ty *named_read_as(Program *p, const Ty *t, const Ty *limit) {
    Sym name = class_name(p, limit);
    TyList args = t->named.args, of = limit->named.args;
    if (sym_is_one_of(name, SCALARS)) return limit;
    if (name == class_name(p, t)) {
        if (of.len == 0) return t;
        return args.len == of.len ? ty_named(p->arena, t->named.name, each_read_as(p, args, of))
                                  : limit;
    }
    if (sym_is_one_of(name, ABSTRACTS)) return under_abstract(p, t, limit);
    return args.len == 0 && is_dataclass(p, t) ? t : limit;
}

static const Ty *tuple_read_as(Program *p, const Ty *t, const Ty *limit) {
    TyList items = t->tuple.items, of = limit->kind == TY_TUPLE ? limit->tuple.items
        : limit->kind == TY_NAMED ? limit->named.args : (TyList){0};
    bool fits = limit->kind == TY_TUPLE ? of.len == items.len : of.len == 1;
    return fits ? ty_tuple(p->arena, each_read_as(p, items, of)) : limit;
}

// Surely: two classes of enums, of whose bases not all is known, might be one to `type_fits`.
static bool is_one(Program *p, const Ty *from, const Ty *to) {
    return type_fits(p, from, to) && pyt_fits(p->py, from, to);
}

// The member of a union that a value of another type is read as; NULL: several may be.
static const Ty *only_member(Program *p, const Ty *t, TyList members) {
    const Ty *part = NULL, *whole = NULL, *as_int = NULL;       // an int takes a bool as it is
    size_t parts = 0, wholes = 0;
    for (size_t i = 0; i < members.len; i++) {
        const Ty *m = members.at[i];
        if (m->kind == TY_TYPE_VAR || is_open(m)) return NULL;
        if (is_one(p, m, t) && ++parts) part = m;
        if (is_one(p, t, m) && ++wholes) whole = m;
        if (type_is(t, "bool") && type_is(m, "int")) as_int = m;
    }
    if (parts == 0 && as_int != NULL) return as_int;
    return parts == 1 && (ir_equal_ty(part, t) || part == whole) ? part
        : parts == 0 && wholes == 1 ? whole : NULL;
}

static const Ty *read_as(Program *p, const Ty *t, const Ty *limit) {
    if (is_open(limit)) return t != NULL && t->kind != TY_POISON ? t : limit;
    if (type_unknown(t) || ir_equal_ty(t, limit)) return limit;
    if (t->kind == TY_UNION) {
        TyList items = each_read_as(p, t->union_.items, (TyList){&limit, 1});
        for (size_t i = 0; i < items.len; i++)
            if (items.at[i] == limit) return limit;
        return pyt_union_all(p->py, items);
    }
    if (t->kind == TY_LITERAL) {
        const Ty *of = const_type(p, t->literal.value), *as = read_as(p, of, limit);
        return ir_equal_ty(of, as) ? t : as;
    }
    if (limit->kind == TY_UNION) {
        const Ty *m = only_member(p, t, limit->union_.items);
        return m != NULL ? read_as(p, t, m) : limit;
    }
    if (t->kind == TY_TUPLE) return tuple_read_as(p, t, limit);
    return t->kind == TY_NAMED && limit->kind == TY_NAMED ? named_read_as(p, t, limit) : limit;
}

const Ty *wire_type(Program *p, const Ty *t, const Ty *limit, const char **why) {
    *why = wire_unsendable(p, t);
    const char *never = vague_reason(p, limit, false);
    if (never == NULL) never = wire_unsendable(p, limit);
    if (*why == NULL) *why = never;
    else if (limit != NULL && never == NULL && may_be_sent(p, t, limit)) {
        *why = NULL;
        return limit;
    }
    if (*why != NULL) return NULL;
    p->never_sent = NULL;
    const Ty *as = read_as(p, t, limit);
    *why = p->never_sent;
    return *why == NULL ? as : NULL;
}
