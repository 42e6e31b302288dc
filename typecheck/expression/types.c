// types.c - local types: text, subtyping, joins, and what builtin operations give.
//
// Typing of local values is gradual: Any fits everything. Roles are never gradual; they are not
// part of these types except inside Inst.

#include <string.h>

#include "compiler/ir/ty.h"
#include "typecheck/expression/operands.h"
#include "typecheck/python/python.h"

typedef struct Builtin { const char *name, *result; bool deterministic; } Builtin;

static const Builtin BUILTINS[] = {
#define BUILTIN(name, result, deterministic) {#name, result, deterministic},
#define BUILTIN_NAME(name) {#name, "?", false},
#define EXCEPTION(name) {#name, #name, true},
#define METHOD(class_, name, result, pure)
#include "typecheck/expression/builtin.def"
#undef BUILTIN
#undef BUILTIN_NAME
#undef EXCEPTION
#undef METHOD
};

typedef struct Method { const char *class_, *name, *result; bool pure; } Method;

static const Method METHODS[] = {
#define BUILTIN(name, result, deterministic)
#define BUILTIN_NAME(name)
#define EXCEPTION(name)
#define METHOD(class_, name, result, pure) {#class_, #name, result, pure},
#include "typecheck/expression/builtin.def"
#undef BUILTIN
#undef BUILTIN_NAME
#undef EXCEPTION
#undef METHOD
};

static const char *const CONCRETE[] = {
    "bool", "int", "float", "complex", "str", "bytes", "list", "dict", "set", "frozenset", "tuple",
    "range",
};

static bool concrete(Sym name) {
    for (size_t i = 0; i < sizeof CONCRETE / sizeof *CONCRETE; i++)
        if (sym_is(name, CONCRETE[i])) return true;
    return false;
}

static const Builtin *builtin_find(Sym name) {
    for (size_t i = 0; i < sizeof BUILTINS / sizeof *BUILTINS; i++)
        if (sym_is(name, BUILTINS[i].name)) return &BUILTINS[i];
    return NULL;
}

static const Method *method_find(const Ty *base, Sym name) {
    if (base == NULL || base->kind != TY_NAMED) return NULL;
    for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++)
        if (sym_is(base->named.name, METHODS[i].class_) && sym_is(name, METHODS[i].name))
            return &METHODS[i];
    return NULL;
}

bool builtin_exists(Sym name) { return builtin_find(name) != NULL; }

SymList builtin_names(Program *p) {
    enum { COUNT = sizeof BUILTINS / sizeof *BUILTINS };
    Sym *names = ARENA_ARRAY(p->arena, Sym, COUNT);
    for (size_t i = 0; i < COUNT; i++) names[i] = names_get(p->names, BUILTINS[i].name);
    return (SymList){names, COUNT};
}

bool builtin_deterministic(Sym name) {
    const Builtin *b = builtin_find(name);
    return b != NULL && b->deterministic;
}

bool builtin_makes_set(Sym name) { return sym_is(name, "set") || sym_is(name, "frozenset"); }

bool method_pure(const Ty *base, Sym name) {
    const Method *m = method_find(base, name);
    return m != NULL && m->pure;
}

bool method_exists(const Ty *base, Sym name) { return method_find(base, name) != NULL; }

// ---- making and reading ----

const Ty *type_named(Program *p, const char *name) {
    if (strcmp(name, "None") == 0) return ty_none_type(p->arena);
    if (strcmp(name, "?") == 0) return ty_any(p->arena);
    return ty_named(p->arena, names_get(p->names, name), (TyList){0});
}

static const Ty *read_type(Program *p, const char **at) {
    const char *start = *at;
    size_t n = strcspn(start, "[,]");
    const char *name = arena_strndup(p->arena, start, n);
    *at = start + n;
    if (**at != '[') return type_named(p, name);
    Vec(const Ty *) args = {0};
    while (**at == '[' || **at == ',') {
        *at += 1;
        *at += strspn(*at, " ");
        vec_push(p->arena, &args, read_type(p, at));
    }
    *at += **at == ']';
    TyList list = {args.at, args.len};
    if (strcmp(name, "tuple") == 0) return ty_tuple(p->arena, list);
    return ty_named(p->arena, names_get(p->names, name), list);
}

const Ty *type_parse(Program *p, const char *text) { return read_type(p, &text); }

bool type_is(const Ty *t, const char *name) {
    return t != NULL && t->kind == TY_NAMED && sym_is(t->named.name, name);
}

bool type_unknown(const Ty *t) {
    return t == NULL || t->kind == TY_POISON || t->kind == TY_ANY;
}

static void write_type(Program *p, Buf *b, const Ty *t);

static void write_types(Program *p, Buf *b, TyList list, const char *between) {
    for (size_t i = 0; i < list.len; i++) {
        if (i > 0) buf_puts(b, between);
        write_type(p, b, list.at[i]);
    }
}

static void write_args(Program *p, Buf *b, TyList args, SymList roles) {
    if (args.len + roles.len == 0) return;
    buf_putc(b, '[');
    write_types(p, b, args, ", ");
    for (size_t i = 0; i < roles.len; i++) {
        if (i + args.len > 0) buf_puts(b, ", ");
        buf_puts(b, roles.at[i]);
    }
    buf_putc(b, ']');
}

// Literals side by side are in one pair of brackets.
static void write_union(Program *p, Buf *b, TyList of) {
    for (size_t i = 0, run; i < of.len; i += run == 0 ? 1 : run) {
        run = ty_literal_run(of, i);
        if (i > 0) buf_puts(b, " | ");
        if (run == 0) write_type(p, b, of.at[i]);
        for (size_t j = 0; j < run; j++) {
            buf_puts(b, j == 0 ? "Literal[" : ", ");
            const_repr(b, of.at[i + j]->literal.value);
        }
        if (run > 0) buf_putc(b, ']');
    }
}

static void write_type(Program *p, Buf *b, const Ty *t) {
    if (t == NULL) {
        buf_puts(b, "Any");
        return;
    }
    switch (t->kind) {
    case TY_POISON: case TY_ANY: buf_puts(b, "Any"); return;
    case TY_NONE_TYPE: buf_puts(b, "None"); return;
    case TY_NAMED:
        buf_puts(b, t->named.name);
        if (ty_is_open_tuple(t->named.name, t->named.args)) {
            buf_putc(b, '[');
            write_type(p, b, t->named.args.at[0]);
            buf_puts(b, ", ...]");
        } else {
            write_args(p, b, t->named.args, (SymList){0});
        }
        return;
    case TY_INST:
        buf_puts(b, t->inst.name);
        write_args(p, b, t->inst.args, t->inst.actuals);
        return;
    case TY_TUPLE:
        buf_puts(b, "tuple");
        if (t->tuple.items.len == 0) buf_puts(b, "[()]");
        write_args(p, b, t->tuple.items, (SymList){0});
        return;
    case TY_UNION: write_union(p, b, t->union_.items); return;
    case TY_CALLABLE:
        buf_puts(b, "Callable[[");
        write_types(p, b, t->callable.params, ", ");
        buf_puts(b, "], ");
        write_type(p, b, t->callable.result);
        buf_putc(b, ']');
        return;
    case TY_LITERAL: write_union(p, b, (TyList){&t, 1}); return;
    case TY_TYPE_VAR: buf_puts(b, t->type_var.name); return;
    case TY_PLACED:
        if (t->placed.at_roles.len == 0 || (type_several(t->placed.of) &&
                                            t->placed.of->kind != TY_CALLABLE)) {
            write_type(p, b, t->placed.of);
            return;
        }
        buf_puts(b, "At");
        write_args(p, b, (TyList){&t->placed.of, 1}, t->placed.at_roles);
        return;
    case TY_COUNT: return;
    }
}

const char *type_text(Program *p, const Ty *t) {
    Buf b = buf_new(p->arena);
    write_type(p, &b, t);
    return buf_text(&b);
}

// ---- subtyping ----

static bool promotes(const Ty *from, const Ty *to) {
    static const char *const TOWER[] = {"bool", "int", "float", "complex"};
    int a = -1, b = -1;
    for (int i = 0; i < 4; i++) {
        if (type_is(from, TOWER[i])) a = i;
        if (type_is(to, TOWER[i])) b = i;
    }
    return a >= 0 && b >= 0 && a <= b;
}

static bool args_fit(Program *p, TyList from, TyList to) {
    if (from.len == 0 || to.len == 0 || from.len != to.len) return true;
    for (size_t i = 0; i < from.len; i++)
        if (!type_fits(p, from.at[i], to.at[i])) return false;
    return true;
}

// A name that stands for one class and nothing else: a builtin or a class of this file.
static bool closed(Program *p, Sym name) {
    Decl *d = program_find(p, name);
    if (d != NULL) return d->kind == DECL_ENUM || d->kind == DECL_LOCAL_CLASS;
    return concrete(name);
}

static bool has_base(const Decl *d, const char *name) {
    if (d->kind != DECL_LOCAL_CLASS || d->stmt == NULL) return false;
    ExprList bases = d->stmt->class_def.bases;
    for (size_t i = 0; i < bases.len; i++) {
        const Expr *e = bases.at[i];
        Sym base = annotation_head(e->kind == EXPR_SUBSCRIPT ? e->subscript.value : e);
        if (base != NULL && sym_is(base, name)) return true;
    }
    return false;
}

// A protocol, or a `TypedDict`: what fits is known to the typing of one role's Python (judge.c).
// What is derived from a protocol is none, unless it says so again.
static bool structural(Program *p, Sym name) {
    const Decl *d = program_find(p, name);
    if (d != NULL && has_base(d, "Protocol")) return true;
    while (d != NULL && !has_base(d, "TypedDict")) d = program_local_base(p, d);
    return d != NULL;
}

static bool named_fits(Program *p, const Ty *from, const Ty *to) {
    if (promotes(from, to) || structural(p, to->named.name)) return true;
    Sym name = from->named.name;
    if (name == to->named.name) return args_fit(p, from->named.args, to->named.args);
    for (Decl *d = program_find(p, name); d != NULL; d = program_local_base(p, d)) {
        if (d->name == to->named.name) return true;
        if (program_local_base(p, d) == NULL && d->stmt != NULL &&
            d->stmt->kind == STMT_CLASS_DEF && d->stmt->class_def.bases.len > 0)
            return true;            // a base from elsewhere may be anything
    }
    return !closed(p, name) || !closed(p, to->named.name);
}

static bool inst_fits(Program *p, const Ty *from, const Ty *to) {
    Decl *d = program_find(p, from->inst.name), *e = program_find(p, to->inst.name);
    if (d == NULL || e == NULL) return false;
    if (d->channel != NULL && e->channel != NULL) return channel_fits(p, from, to);
    if (d->kind == DECL_ROLE_CLASS && d != e) {
        const Ty *up = hierarchy_upcast(p, from, e);
        return up != NULL && inst_fits(p, up, to);
    }
    if (d != e) return false;
    SymList a = from->inst.actuals, b = to->inst.actuals;
    if (!args_fit(p, from->inst.args, to->inst.args)) return false;
    // What a class does with its type parameters is not looked at: they must be the same.
    if (d->channel == NULL && !args_fit(p, to->inst.args, from->inst.args)) return false;
    bool same = a.len == b.len;
    for (size_t i = 0; same && i < a.len; i++) same = a.at[i] == b.at[i];
    return same;
}

// Of a union: each part of `from`, in some part of `to`.
static bool parts_fit(Program *p, const Ty *from, const Ty *to,
                      bool (*fits)(Program *, const Ty *, const Ty *)) {
    bool all = from->kind == TY_UNION;
    TyList items = all ? from->union_.items : to->union_.items;
    for (size_t i = 0; i < items.len; i++) {
        bool one = all ? fits(p, items.at[i], to) : fits(p, from, items.at[i]);
        if (one != all) return one;
    }
    return all;
}

bool type_fits(Program *p, const Ty *from, const Ty *to) {
    if (type_unknown(from) || type_unknown(to) || from == to) return true;
    if (to->kind == TY_PLACED || from->kind == TY_PLACED)
        return to->kind == from->kind && roles_equal(from->placed.at_roles, to->placed.at_roles) &&
            type_fits(p, from->placed.of, to->placed.of);
    if (type_choreographic(from) || type_choreographic(to)) return type_callable_fits(p, from, to);
    if (to->kind == TY_INST || from->kind == TY_INST)
        return to->kind == from->kind && inst_fits(p, from, to);
    if (type_is(to, "object")) return true;
    if (from->kind == TY_UNION || to->kind == TY_UNION) return parts_fit(p, from, to, type_fits);
    if (from->kind == TY_TYPE_VAR || to->kind == TY_TYPE_VAR)
        return from->kind == to->kind && from->type_var.name == to->type_var.name;
    if (from->kind == TY_LITERAL || to->kind == TY_LITERAL) return true;
    if (from->kind == TY_NONE_TYPE || to->kind == TY_NONE_TYPE) {
        const Ty *other = from->kind == TY_NONE_TYPE ? to : from;
        return from->kind == to->kind || (other->kind == TY_NAMED && !closed(p, other->named.name));
    }
    if (from->kind == TY_TUPLE && to->kind == TY_TUPLE)
        return from->tuple.items.len == to->tuple.items.len &&
            args_fit(p, from->tuple.items, to->tuple.items);
    if (from->kind == TY_NAMED && to->kind == TY_NAMED) return named_fits(p, from, to);
    const Ty *named = from->kind == TY_NAMED ? from : to;
    if (named->kind != TY_NAMED) return true;
    bool parts = named == from && p->py != NULL && pyt_named_tuple(p->py, from) != from;
    return parts || sym_is(named->named.name, "tuple") || !closed(p, named->named.name);
}

static bool find_any(void *cx, const Ty *t) {
    *(bool *)cx |= t->kind == TY_ANY || (t->kind == TY_NAMED && t->named.args.len == 0 &&
                                         (type_is(t, "list") || type_is(t, "set") ||
                                          type_is(t, "dict")));
    return !*(bool *)cx;
}

static bool mentions_any(const Ty *t) {
    bool found = false;
    IrWalker w = {.cx = &found, .ty = find_any};
    ir_walk_ty(&w, t);
    return found;
}

// Where one might be the other, as a class with a base from elsewhere might, both are kept. Of
// `list[Any]` and `list[int]` the first says what may be in there.
static bool surely_fits(Program *p, const Ty *from, const Ty *to) {
    bool named = from->kind == TY_NAMED && to->kind == TY_NAMED;
    if (mentions_any(from) && !mentions_any(to)) return false;
    if (from->kind == TY_UNION || to->kind == TY_UNION) return parts_fit(p, from, to, surely_fits);
    if (!named || from->named.name == to->named.name || promotes(from, to))
        return type_fits(p, from, to);
    Decl *d = program_find(p, from->named.name);
    for (; d != NULL; d = program_local_base(p, d))
        if (d->name == to->named.name) return true;
    return type_is(to, "object");
}

static const Ty *without_literal(Program *p, const Ty *t) {
    return t->kind == TY_LITERAL ? const_type(p, t->literal.value) : t;
}

const Ty *type_join(Program *p, const Ty *a, const Ty *b) {
    if (type_unknown(a) || type_unknown(b)) return ty_any(p->arena);
    if (ir_equal_ty(a, b)) return a;
    a = without_literal(p, a);
    b = without_literal(p, b);
    if (surely_fits(p, a, b)) return b;
    if (surely_fits(p, b, a)) return a;
    Vec(const Ty *) items = {0};
    const Ty *both[] = {a, b};
    for (int i = 0; i < 2; i++) {
        TyList of = both[i]->kind == TY_UNION ? both[i]->union_.items : (TyList){&both[i], 1};
        for (size_t j = 0; j < of.len; j++) vec_push(p->arena, &items, of.at[j]);
    }
    return ty_union(p->arena, (TyList){items.at, items.len});
}

typedef struct RoleMap { SymList from, to; } RoleMap;

static const Ty *map_inst(IrMapper *m, const Ty *t) {
    const RoleMap *map = m->cx;
    if (t->kind == TY_PLACED)
        return ty_placed(m->arena, t->placed.of,
                         roles_map_all(m->arena, map->from, map->to, t->placed.at_roles));
    if (t->kind != TY_INST) return t;
    return ty_inst(m->arena, t->inst.name, t->inst.args,
                   roles_map_all(m->arena, map->from, map->to, t->inst.actuals));
}

const Ty *type_map_roles(Program *p, const Ty *t, SymList from, SymList to) {
    if (t == NULL || from.len == 0) return t;
    RoleMap map = {from, to};
    IrMapper m = {.arena = p->arena, .cx = &map, .ty = map_inst};
    return ir_map_ty(&m, t);
}

bool type_is_channel(const Program *p, const Ty *t) {
    const Decl *d = t != NULL && t->kind == TY_INST ? program_find(p, t->inst.name) : NULL;
    return d != NULL && d->channel != NULL;
}

bool type_several(const Ty *t) {
    if (t == NULL) return false;
    bool tuple = t->kind == TY_TUPLE && t->tuple.items.len > 0;
    return t->kind == TY_INST || type_choreographic(t) ||
        (tuple && t->tuple.items.at[0]->kind == TY_PLACED);
}

bool type_mutable(Program *p, const Ty *t) {
    static const char *const FROZEN[] = {"bool", "int", "float", "complex", "str", "bytes",
                                         "range", "frozenset"};
    if (type_unknown(t)) return true;
    switch (t->kind) {
    case TY_NONE_TYPE: case TY_LITERAL: case TY_CALLABLE: case TY_INST: return false;
    case TY_TUPLE:
        for (size_t i = 0; i < t->tuple.items.len && !type_several(t); i++)
            if (type_mutable(p, t->tuple.items.at[i])) return true;
        return false;
    case TY_UNION:
        for (size_t i = 0; i < t->union_.items.len; i++)
            if (type_mutable(p, t->union_.items.at[i])) return true;
        return false;
    case TY_NAMED: {
        Decl *d = program_find(p, t->named.name);
        if (d != NULL && d->kind == DECL_ENUM) return false;
        for (size_t i = 0; i < sizeof FROZEN / sizeof *FROZEN; i++)
            if (type_is(t, FROZEN[i])) return false;
        return true;
    }
    case TY_PLACED: return type_mutable(p, t->placed.of);
    case TY_TYPE_VAR: case TY_POISON: case TY_ANY: case TY_COUNT: return true;
    }
    return true;
}

// ---- operations ----

static bool number(const Ty *t) { return type_is(t, "int") || type_is(t, "bool"); }

const Ty *type_of_binary(Program *p, Operator op, const Ty *left, const Ty *right) {
    if (type_unknown(left) || type_unknown(right)) return ty_any(p->arena);
    bool floats = (number(left) || type_is(left, "float")) &&
        (number(right) || type_is(right, "float"));
    if (number(left) && number(right)) {
        bool bits = op == OPERATOR_BIT_AND || op == OPERATOR_BIT_OR || op == OPERATOR_BIT_XOR;
        if (bits && type_is(left, "bool") && type_is(right, "bool")) return left;
        if (op == OPERATOR_DIV) return type_named(p, "float");
        return op == OPERATOR_POW ? ty_any(p->arena) : type_named(p, "int");
    }
    if (floats) return op == OPERATOR_POW ? ty_any(p->arena) : type_named(p, "float");
    bool sequence = type_is(left, "str") || type_is(left, "bytes") || type_is(left, "list");
    if (op == OPERATOR_MOD && (type_is(left, "str") || type_is(left, "bytes"))) return left;
    if (op == OPERATOR_ADD && sequence && type_fits(p, right, left)) return left;
    if (op == OPERATOR_MULT && sequence && number(right)) return left;
    return ty_any(p->arena);
}

const Ty *type_of_builtin(Program *p, Sym function, ExprList args) {
    const Builtin *b = builtin_find(function);
    if (b == NULL) return NULL;
    const Ty *first = args.len > 0 ? args.at[0]->ty : NULL;
    if (strcmp(b->result, "=") == 0) return first != NULL ? first : ty_any(p->arena);
    if (sym_is(function, "list") || sym_is(function, "sorted")) {
        const Ty *element = first != NULL ? type_of_element(p, first) : ty_any(p->arena);
        if (type_unknown(element)) return ty_any(p->arena);
        return ty_named(p->arena, names_get(p->names, "list"), (TyList){
            memcpy(ARENA_NEW(p->arena, const Ty *), &element, sizeof element), 1});
    }
    if (sym_is(function, "max") || sym_is(function, "min")) {
        if (args.len == 1) return type_of_element(p, first);
        const Ty *t = first;
        for (size_t i = 1; i < args.len; i++) t = type_join(p, t, args.at[i]->ty);
        return t != NULL ? t : ty_any(p->arena);
    }
    if (sym_is(function, "sum") && args.len == 1) return type_of_element(p, first);
    if (sym_is(function, "round") && args.len == 1 && type_is(first, "float"))
        return type_named(p, "int");
    return type_parse(p, b->result);
}

const Ty *type_of_method(Program *p, const Ty *base, Sym name) {
    const Method *m = method_find(base, name);
    if (m == NULL || strcmp(m->result, "?") == 0) return ty_any(p->arena);
    if (strcmp(m->result, "=") == 0) return base;
    if (strcmp(m->result, "*") == 0) return type_of_element(p, base);
    return type_parse(p, m->result);
}

const Ty *type_of_element(Program *p, const Ty *t) {
    if (t == NULL) return ty_any(p->arena);
    if (type_is(t, "str")) return t;
    if (type_is(t, "bytes") || type_is(t, "range")) return type_named(p, "int");
    static const char *const OF_FIRST[] = {"list", "set", "frozenset", "dict", "tuple"};
    for (size_t i = 0; i < sizeof OF_FIRST / sizeof *OF_FIRST; i++)
        if (type_is(t, OF_FIRST[i]) && t->named.args.len > 0) return t->named.args.at[0];
    if (t->kind == TY_TUPLE && t->tuple.items.len > 0) {
        const Ty *all = t->tuple.items.at[0];
        for (size_t i = 1; i < t->tuple.items.len; i++)
            all = type_join(p, all, t->tuple.items.at[i]);
        return all;
    }
    return ty_any(p->arena);
}
