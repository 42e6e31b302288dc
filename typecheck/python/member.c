// member.c - attributes: of instances, classes, modules, unions.

#include "compiler/base/suggest.h"
#include "typecheck/python/python.h"

static bool is_property(PySym *s) {
    return s->kind == PYSYM_FUNCTION && s->defs.len > 0 &&
        (pyt_decorated(s->defs.at[0], "property") ||
         pyt_decorated(s->defs.at[0], "cached_property"));
}

static const Ty *bound_function(Py *py, PySym *s, const Ty *at, const Ty *self) {
    if (sym_is(s->name, "__new__")) return py->any;
    PySigs all = pyt_sigs_of_symbol(s);
    if (all.len == 0) return py->any;
    PySigs sigs = pyt_sigs_bound(py, all, s->home->class_, at, self);
    if (sigs.len == 0) return NULL;
    return is_property(s) ? sigs.at[0]->result : pyt_callable(py, sigs);
}

// A value assigned in an enum's body is a member.
static bool enum_member(const PySym *s) {
    PyClass *c = s->home->kind == PYENV_CLASS ? s->home->class_ : NULL;
    return c != NULL && c->is_enum && !c->module->stub && s->kind == PYSYM_VARIABLE &&
        s->annotation == NULL && s->name[0] != '_';
}

// Whether a class of the program says how an enum's members are made, and so what they are worth.
static bool makes_members(Py *py, const Ty *self, const char *name) {
    const Ty *at;
    bool open = false;
    PySym *s = pyt_class_member(py, self, names_get(py->names, name), &at, &open);
    return open || (s != NULL && !s->home->class_->module->stub);
}

// What `value` is, if all members of the enum are worth values of one type.
static const Ty *enum_value(Py *py, PyClass *c, const Ty *self) {
    if (makes_members(py, self, "__new__") || makes_members(py, self, "__init__")) return py->any;
    const Ty *all = NULL;
    for (size_t i = 0; i < c->env->order.len; i++) {
        PySym *s = pyt_symbol(c->env, c->env->order.at[i]);
        if (s == NULL || !enum_member(s)) continue;
        const Ty *t = pyt_erase_literal(py, pyt_symbol_type(s));
        if (all != NULL && !pyt_same(py, all, t)) return py->any;
        all = t;
    }
    return all != NULL ? all : py->any;
}

static bool is_enum_value(const PyClass *c, const Ty *at, Sym name) {
    return c->is_enum && !c->module->stub && type_is(at, "enum.Enum") &&
        (sym_is(name, "value") || sym_is(name, "_value_"));
}

static const Ty *with_self(Py *py, const Ty *t, const Ty *self) {
    Sym name = names_get(py->names, "Self");
    return pyt_substitute(py, t, (SymList){&name, 1}, (TyList){&self, 1});
}

static const Ty *symbol_on(Py *py, PySym *s, const Ty *at, const Ty *self) {
    PyClass *c = s->home->class_;
    switch (s->kind) {
    case PYSYM_FUNCTION:
        return s->home->kind == PYENV_CLASS ? bound_function(py, s, at, self) : pyt_symbol_type(s);
    case PYSYM_VARIABLE:
        if (enum_member(s)) return ty_named(py->arena, c->name, (TyList){0});
        return c != NULL ? with_self(py, pyt_bind_class(py, pyt_symbol_type(s), c, at), self)
                         : pyt_symbol_type(s);
    case PYSYM_CLASS: case PYSYM_IMPORT: return pyt_symbol_type(s);
    case PYSYM_TYPE_VAR: case PYSYM_OPAQUE: return py->any;
    }
    return py->any;
}

static const Ty *by_getattr(Py *py, const Ty *base, PyClass *c, Sym name) {
    const Ty *at;
    bool open = false;
    Sym get = names_get(py->names, "__getattr__");
    Sym all = names_get(py->names, "__getattribute__");
    if (name == get || name == all || c == NULL) return NULL;
    PySym *s = pyt_class_member(py, base, get, &at, &open);
    if (s == NULL) s = pyt_class_member(py, base, all, &at, &open);
    if (s == NULL || s->kind != PYSYM_FUNCTION || type_is(at, "object")) return NULL;
    const Ty *m = bound_function(py, s, at, base);
    return m != NULL && m->kind == TY_CALLABLE ? m->callable.result : py->any;
}

// `__rmul__ = __mul__` in a class: a method under another name. NULL stays NULL.
static PySym *method_meant(PySym *s) {
    bool alias = s != NULL && s->kind == PYSYM_VARIABLE && s->home->kind == PYENV_CLASS &&
        s->annotation == NULL && s->value != NULL && s->value->kind == EXPR_NAME &&
        s->target != NULL && s->target->kind == EXPR_NAME && !enum_member(s);
    PySym *f = alias ? pyt_symbol(s->home, s->value->name.id) : NULL;
    return f != NULL && f->kind == PYSYM_FUNCTION ? f : s;
}

static bool is_ordered(Py *py, PyClass *c, int depth) {
    pyt_class_ready(c);
    if (c->ordered) return true;
    for (size_t i = 0; i < c->bases.len && depth < 8; i++) {
        PyClass *b = pyt_class_of(py, c->bases.at[i]);
        if (b != NULL && is_ordered(py, b, depth + 1)) return true;
    }
    return false;
}

// `__lt__` and its like, as `@dataclass(order=True)` and `@total_ordering` make them.
static const Ty *made_order(Py *py, PyClass *c, const Ty *self, Sym name) {
    bool order = sym_is(name, "__lt__") || sym_is(name, "__le__") || sym_is(name, "__gt__") ||
        sym_is(name, "__ge__");
    if (!order || !is_ordered(py, c, 0)) return NULL;
    const Ty **other = ARENA_NEW(py->arena, const Ty *);
    *other = self;
    return ty_callable(py->arena, (TyList){other, 1}, type_named(py->p, "bool"));
}

static const Ty *instance_member(Py *py, const Ty *base, Sym name) {
    PyClass *c = pyt_class_of(py, base);
    if (c == NULL) return base->kind == TY_NAMED || base->kind == TY_CALLABLE ? py->any : NULL;
    const Ty *at, *self = base->kind == TY_NAMED || base->kind == TY_TUPLE ? base
        : ty_named(py->arena, c->name, (TyList){0});
    bool open = false;
    PySym *s = method_meant(pyt_class_member(py, self, name, &at, &open));
    const Ty *order = s == NULL ? made_order(py, c, self, name) : NULL;
    if (order != NULL) return order;
    if (sym_is(name, "__init__") && s != NULL && type_is(at, "object") && !c->is_tuple &&
        pyt_makes_init(c)) {                    // `super().__init__(x)` below a dataclass
        PySig *init = ARENA_NEW(py->arena, PySig);
        PySigs sigs = {ARENA_NEW(py->arena, const PySig *), 1};
        *init = *pyt_constructor(py, c, self).at[0];
        init->result = py->none;
        sigs.at[0] = init;
        return pyt_callable(py, sigs);
    }
    if (s == NULL || (s->kind == PYSYM_FUNCTION && type_is(at, "object") && open)) {
        const Ty *t = by_getattr(py, self, c, name);
        return t != NULL ? t : open ? py->any : s == NULL ? NULL : symbol_on(py, s, at, self);
    }
    return is_enum_value(c, at, name) ? enum_value(py, c, self) : symbol_on(py, s, at, self);
}

static const Ty *unbound(Py *py, PySym *s, const Ty *at, const Ty *made) {
    const Stmt *def = s->defs.at[0];
    if (is_property(s) || sym_is(s->name, "__new__")) return py->any;
    bool binds = pyt_decorated(def, "classmethod") || pyt_decorated(def, "staticmethod") ||
        sym_is(s->name, "__init_subclass__");
    if (binds) return bound_function(py, s, at, made);
    PySigs sigs = pyt_sigs_of_symbol(s);
    Vec(const PySig *) out = {0};
    for (size_t i = 0; i < sigs.len; i++) {         // the receiver is the first argument
        PySig *one = ARENA_NEW(py->arena, PySig);
        *one = *sigs.at[i];
        one->own = roles_join(py->arena, s->home->class_->params, one->own);
        bool first = one->takes_self && one->params.len > 0 && type_unknown(one->params.at[0].type);
        if (first) {
            PyParam *copy = ARENA_ARRAY(py->arena, PyParam, one->params.len);
            memcpy(copy, one->params.at, one->params.len * sizeof *copy);
            copy[0].type = pyt_class_self(s->home->class_);
            one->params.at = copy;
        }
        vec_push(py->arena, &out, one);
    }
    return pyt_callable(py, (PySigs){out.at, out.len});
}

// The class whose instance a class is.
static const Ty *class_of_class(Py *py, const Ty *made, const PyClass *c) {
    PyModule *m = c->is_enum ? pyt_module(py, names_get(py->names, "enum")) : NULL;
    PySym *meta = m != NULL ? pyt_symbol(m->env, names_get(py->names, "EnumMeta")) : NULL;
    bool known = meta != NULL && meta->kind == PYSYM_CLASS;
    if (known) (void)pyt_symbol_type(meta);
    return known && meta->class_ != NULL ? pyt_name1(py, meta->class_->name, made)
                                         : pyt_name1(py, "type", made);
}

static const Ty *class_member(Py *py, const Ty *made, Sym name) {
    if (made->kind == TY_TYPE_VAR) {
        PyTypeVar *v = table_get(py->type_vars, made->type_var.name);
        if (v == NULL || v->bound == NULL) return py->any;
        made = v->bound;
    }
    if (made->kind != TY_NAMED) return py->any;
    PyClass *c = pyt_class(py, made->named.name);
    if (c == NULL) return py->any;
    const Ty *at;
    bool open = false;
    PySym *s = method_meant(pyt_class_member(py, made, name, &at, &open));
    bool of_type = s != NULL && type_is(at, "object") && !type_is(made, "object") &&
        s->kind == PYSYM_FUNCTION;
    if (s != NULL && !of_type)
        return s->kind == PYSYM_FUNCTION && s->home->kind == PYENV_CLASS
            ? unbound(py, s, at, made) : symbol_on(py, s, at, made);
    const Ty *meta = instance_member(py, class_of_class(py, made, c), name);
    if (meta != NULL) return meta;
    if (of_type) return unbound(py, s, at, made);
    return open ? py->any : NULL;
}

static const Ty *module_member(Py *py, Sym module, Sym name) {
    PyModule *m = pyt_module(py, module);
    if (m == NULL) return py->any;
    PySym *s = pyt_symbol(m->env, name);
    if (s != NULL) return pyt_symbol_type(s);
    Sym inner = names_format(py->names, "%s.%s", module, name);
    if (pyt_module(py, inner) != NULL)
        return pyt_name1(py, "module", ty_named(py->arena, inner, (TyList){0}));
    if (pyt_symbol(m->env, names_get(py->names, "__getattr__")) != NULL) return py->any;
    if (sym_is(name, "__all__") && m->stub) return pyt_name1(py, "list", py->str_);
    return instance_member(py, type_named(py->p, "module"), name);
}

static const Ty *union_member(Py *py, const Ty *base, Sym name) {
    const Ty *all = NULL;
    for (size_t i = 0; i < base->union_.items.len; i++) {
        const Ty *t = pyt_member(py, base->union_.items.at[i], name);
        if (t == NULL) return NULL;
        all = pyt_union(py, all, t);
    }
    return all;
}

const Ty *pyt_member(Py *py, const Ty *base, Sym name) {
    if (type_unknown(base)) return py->any;
    switch (base->kind) {
    case TY_UNION: return union_member(py, base, name);
    case TY_TYPE_VAR: {
        PyTypeVar *v = table_get(py->type_vars, base->type_var.name);
        if (v == NULL) return py->any;
        if (v->constraints.len > 0) return pyt_member(py, pyt_union_all(py, v->constraints), name);
        return pyt_member(py, v->bound != NULL ? v->bound : py->object, name);
    }
    case TY_NAMED:
        if (pyt_is_never(base)) return py->any;
        if (type_is(base, "type") && base->named.args.len == 1)
            return class_member(py, base->named.args.at[0], name);
        if (type_is(base, "module") && base->named.args.len == 1)
            return module_member(py, base->named.args.at[0]->named.name, name);
        return instance_member(py, base, name);
    case TY_LITERAL: return instance_member(py, pyt_erase_literal(py, base), name);
    case TY_TUPLE: case TY_NONE_TYPE: case TY_CALLABLE: return instance_member(py, base, name);
    case TY_POISON: case TY_ANY: case TY_INST: case TY_PLACED: case TY_COUNT: return py->any;
    }
    return py->any;
}

// ---- messages ----

typedef struct Words { const char **at; size_t len, cap; } Words;

static void class_words(Py *py, PyClass *c, Words *out, int depth) {
    if (c == NULL || depth > 8) return;
    pyt_class_ready(c);
    for (size_t i = 0; i < c->env->order.len; i++)
        if (c->env->order.at[i][0] != '_') vec_push(py->arena, out, c->env->order.at[i]);
    for (size_t i = 0; i < c->bases.len; i++)
        class_words(py, pyt_class_of(py, c->bases.at[i]), out, depth + 1);
}

static const char *nearest(Py *py, const Ty *base, Sym name) {
    Words words = {0};
    if (type_is(base, "module") && base->named.args.len == 1) {
        PyModule *m = pyt_module(py, base->named.args.at[0]->named.name);
        for (size_t i = 0; m != NULL && i < m->env->order.len; i++)
            vec_push(py->arena, &words, m->env->order.at[i]);
    } else {
        bool class_ = type_is(base, "type") && base->named.args.len == 1;
        class_words(py, pyt_class_of(py, class_ ? base->named.args.at[0] : base), &words, 0);
    }
    return suggest_nearest(name, words.at, words.len);
}

// A class as the program names it, without type arguments that it does not write.
static const char *class_text(Py *py, const Ty *made) {
    return made->kind == TY_NAMED ? made->named.name : type_text(py->p, made);
}

static const char *described(Py *py, const Ty *base) {
    if (type_is(base, "module") && base->named.args.len == 1)
        return names_format(py->names, "module `%s`", base->named.args.at[0]->named.name);
    if (type_is(base, "type") && base->named.args.len == 1)
        return names_format(py->names, "class `%s`", class_text(py, base->named.args.at[0]));
    return names_format(py->names, "`%s`", type_text(py->p, base));
}

// `x.length`, `x.size()` of what has a `len`.
static bool help_length(Py *py, Diag *d, const Ty *t, Sym name, Span at) {
    static const char *const LENGTHS[] = {"length", "len", "size", "count", "Length", NULL};
    Text text = py->p->source->text;
    uint32_t n = (uint32_t)strlen(name) + 1, end = at.end;
    if (!sym_is_one_of(name, LENGTHS) || at.end < at.start + n || end + 2 > text.len ||
        pyt_member(py, t, names_get(py->names, "__len__")) == NULL)
        return false;
    if (strncmp(text.at + end, "()", 2) == 0) end += 2;
    Help *h = diag_help(d, "write `len(..)`");
    diag_edit(d, h, (Span){at.start, at.start}, "len(");
    diag_edit(d, h, (Span){at.end - n, end}, ")");
    return true;
}

// Of a union, the alternative that lacks the attribute.
static const Ty *culprit(Py *py, const Ty *base, Sym name) {
    for (size_t i = 0; base->kind == TY_UNION && i < base->union_.items.len; i++)
        if (pyt_member(py, base->union_.items.at[i], name) == NULL) return base->union_.items.at[i];
    return base;
}

// `x.hex` of what was a float when the program was checked, and may be an int, too: that has none.
static const Ty *of_those_that_have(Py *py, const Ty *base, Sym name) {
    const Ty *all = NULL;
    for (size_t i = 0; base->kind == TY_UNION && i < base->union_.items.len; i++) {
        const Ty *t = pyt_member(py, base->union_.items.at[i], name);
        if (t != NULL) all = pyt_union(py, all, t);
    }
    return all;
}

const Ty *pyt_attribute_at(Py *py, const Ty *base, Sym name, Span at, const Expr *of) {
    const Ty *t = pyt_member(py, base, name);
    if (t == NULL && py->notes != NULL) t = of_those_that_have(py, base, name);
    if (t != NULL) return t;
    const Ty *lacks = culprit(py, base, name);
    if (lacks != base && lacks->kind == TY_NONE_TYPE) {
        Diag *d = pyt_report(py, at, DIAG_ATTRIBUTE_UNKNOWN,
                            "%s may be `None`, which has no attribute `%s`",
                            of != NULL ? expr_text(py->p, of) : "this", name);
        diag_primary(d, "`%s`", type_text(py->p, base));
        pyt_help_test(py, d, of);
        return py->poison;
    }
    Diag *d = pyt_report(py, at, DIAG_ATTRIBUTE_UNKNOWN, "%s has no attribute `%s`",
                        described(py, lacks), name);
    if (lacks != base) diag_primary(d, "`%s`", type_text(py->p, base));
    const char *like = nearest(py, lacks, name);
    if (help_length(py, d, lacks, name, at)) return py->poison;
    if (like != NULL) {
        Help *h = diag_help(d, "did you mean `%s`?", like);
        uint32_t n = (uint32_t)strlen(name);
        if (at.end >= n) diag_edit(d, h, (Span){at.end - n, at.end}, "%s", like);
    }
    return py->poison;
}

// ---- symbols ----

static PySym *symbol_of(Py *py, const Ty *base, Sym name, const Ty **at) {
    bool open = false;
    if (type_is(base, "type") && base->named.args.len == 1) base = base->named.args.at[0];
    if (base->kind != TY_NAMED) return NULL;
    return pyt_class_member(py, base, name, at, &open);
}

const Ty *pyt_attribute(Py *py, const Ty *base, const Expr *e) {
    const Ty *at;
    const PySym *s = symbol_of(py, base, e->attribute.attr, &at);
    bool unsure = s != NULL && pyt_unsure(s);
    if (!type_unknown(base)) table_set(py->p->unsure_names, e, unsure ? (void *)py : py->p);
    return pyt_attribute_at(py, base, e->attribute.attr, e->at, e->attribute.value);
}

// May `base.name = value` be, and of which type must the value be? *why says why not.
bool pyt_member_settable(Py *py, const Ty *base, Sym name, const Ty **type, const char **why) {
    const char *fixed = NULL;
    *why = NULL;
    *type = pyt_member(py, base, name);
    if (*type == NULL) return false;
    const Ty *at = NULL;
    PySym *s = symbol_of(py, base, name, &at);
    if (s == NULL || s->home->class_ == NULL) return true;
    PyClass *c = s->home->class_;
    if (is_property(s)) {
        bool setter = false;
        for (size_t i = 1; i < s->defs.len; i++) setter |= pyt_decorated(s->defs.at[i], "setter");
        if (!setter && pyt_decorated(s->defs.at[0], "property"))
            *why = names_format(py->names, "the property `%s` of `%s` has no setter", name,
                                type_text(py->p, base));
    } else if (s->kind == PYSYM_VARIABLE) {
        pyt_class_ready(c);
        if (c->is_dataclass && c->is_frozen) fixed = "belongs to a frozen dataclass";
        else if (c->is_tuple && !c->module->stub) fixed = "belongs to a named tuple";
        else if (enum_member(s)) fixed = "is a member of an enum";
    } else if (s->kind == PYSYM_FUNCTION) {
        fixed = "is a method";
    }
    if (fixed != NULL)
        *why = names_format(py->names, "`%s` %s and cannot be assigned", name, fixed);
    return *why == NULL;
}
