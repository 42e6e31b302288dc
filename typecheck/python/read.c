// read.c - types as they are written in annotations, and the making of types.

#include <string.h>

#include "compiler/ir/ty.h"
#include "typecheck/python/python.h"

// ---- making ----

TyList pyt_list(Py *py, size_t n, const Ty *const *items) {
    const Ty **at = ARENA_ARRAY(py->arena, const Ty *, n + 1);
    for (size_t i = 0; i < n; i++) at[i] = items[i];
    return (TyList){at, n};
}

// The name of a class of the builtins, also where the file has a class of that name.
Sym pyt_known(Py *py, const char *name) {
    PyClass *c = table_get(py->classes, names_get(py->names, name));
    return c != NULL && !c->module->stub ? names_format(py->names, "builtins.%s", name)
                                         : names_get(py->names, name);
}

const Ty *pyt_name1(Py *py, const char *name, const Ty *arg) {
    return ty_named(py->arena, pyt_known(py, name), pyt_list(py, 1, &arg));
}

const Ty *pyt_name2(Py *py, const char *name, const Ty *a, const Ty *b) {
    const Ty *both[] = {a, b};
    return ty_named(py->arena, pyt_known(py, name), pyt_list(py, 2, both));
}

bool pyt_is_never(const Ty *t) { return type_is(t, "NoReturn"); }

bool pyt_any_params(const Ty *t) {
    return t->callable.params.len == 1 && t->callable.params.at[0]->kind == TY_POISON;
}

TyList pyt_items(const Ty *const *t) {
    return (*t)->kind == TY_UNION ? (*t)->union_.items : (TyList){t, 1};
}

bool pyt_may_be(const Ty *t, const char *name) {
    TyList items = pyt_items(&t);
    for (size_t i = 0; i < items.len; i++)
        if (type_is(items.at[i], name)) return true;
    return false;
}

// One kind of value appears once; Any beside others says no more than they do.
const Ty *pyt_union_all(Py *py, TyList items) {
    Vec(const Ty *) flat = {0};
    for (size_t i = 0; i < items.len; i++) {
        TyList of = pyt_items(&items.at[i]);
        for (size_t j = 0; j < of.len; j++) {
            bool there = pyt_is_never(of.at[j]);
            for (size_t k = 0; k < flat.len && !there; k++)
                there = pyt_same(py, flat.at[k], of.at[j]);
            if (!there) vec_push(py->arena, &flat, of.at[j]);
        }
    }
    if (flat.len == 0) return type_named(py->p, "NoReturn");
    return flat.len == 1 ? flat.at[0] : ty_union(py->arena, (TyList){flat.at, flat.len});
}

const Ty *pyt_union(Py *py, const Ty *a, const Ty *b) {
    if (a == b || a == NULL || b == NULL) return a != NULL ? a : b;
    if (pyt_is_never(a)) return b;
    if (pyt_is_never(b)) return a;
    if (pyt_same(py, a, b)) return a;
    const Ty *both[] = {a, b};
    return pyt_union_all(py, pyt_list(py, 2, both));
}

// ---- reading ----

static ExprList elements(const Expr *const *slice) {
    return (*slice)->kind == EXPR_TUPLE ? (*slice)->tuple.elts : (ExprList){slice, 1};
}

static TyList read_all(PyEnv *env, ExprList list) {
    Vec(const Ty *) out = {0};
    for (size_t i = 0; i < list.len; i++) vec_push(env->py->arena, &out, pyt_read(env, list.at[i]));
    return (TyList){out.at, out.len};
}

bool pyt_is_unpacked(PyEnv *env, const Expr *e) {
    return e->kind == EXPR_STARRED ||
        (e->kind == EXPR_SUBSCRIPT && pyt_expr_is(env, e->subscript.value, "Unpack"));
}

static const Ty *read_tuple(PyEnv *env, ExprList args) {
    Py *py = env->py;
    if (args.len == 2 && ty_is_ellipsis(args.at[1]))
        return pyt_name1(py, "tuple", pyt_read(env, args.at[0]));
    for (size_t i = 0; i < args.len; i++)
        if (pyt_is_unpacked(env, args.at[i])) return pyt_name1(py, "tuple", py->unpacked);
    return ty_tuple(py->arena, read_all(env, args));
}

static const Ty *read_callable(PyEnv *env, ExprList args) {
    Py *py = env->py;
    const Ty *result = args.len == 2 ? pyt_read(env, args.at[1]) : py->any;
    if (args.len == 2 && args.at[0]->kind == EXPR_LIST)
        return ty_callable(py->arena, read_all(env, args.at[0]->list.elts), result);
    return ty_callable(py->arena, pyt_list(py, 1, &py->poison), result);
}

// What is neither a constant of these kinds, nor a member of an enum, nor named after such; once.
static const Ty *no_literal(PyEnv *env, const Expr *e) {
    Program *p = env->py->p;
    if (table_get(p->told, table_key(e->at.start)) == NULL)
        diag_report(p->diags, e->at, DIAG_TYPE_MISMATCH, "a `Literal` must be an `int`, `str`, "
                    "`bytes` or `bool` literal, `None` or a member of an enum");
    table_set(p->told, table_key(e->at.start), p);
    return env->py->any;
}

static bool is_literal(PyEnv *env, const Expr *e, const Ty *t) {
    PySym *s = e->kind == EXPR_NAME ? pyt_lookup(env, e) : NULL;
    bool every = (e->kind == EXPR_NAME || e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_ATTRIBUTE) &&
        (s == NULL || s->kind != PYSYM_CLASS);
    TyList items = pyt_items(&t);
    for (size_t i = 0; every && i < items.len; i++) {
        PyClass *c = items.at[i]->kind == TY_NAMED ? pyt_class(env->py, items.at[i]->named.name)
                                                   : NULL;
        every = items.at[i]->kind != TY_NAMED || (c != NULL && c->is_enum);
    }
    return every;
}

static const Ty *literal(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_NONE) return py->none;
    const Const *value = pyt_constant(py, e);
    if (value != NULL && value->kind != CONST_FLOAT && value->kind != CONST_COMPLEX &&
        value->kind != CONST_ELLIPSIS)
        return ty_literal(py->arena, value);
    if (e->kind == EXPR_ATTRIBUTE) {
        const Ty *t = pyt_read(env, e->attribute.value);
        PyClass *c = t->kind == TY_NAMED ? pyt_class(py, t->named.name) : NULL;
        if (c != NULL && c->is_enum) return t;
    }
    const Ty *t = value == NULL ? pyt_read(env, e) : NULL;      // an alias of literals
    return t != NULL && is_literal(env, e, t) ? t : no_literal(env, e);
}

static const Ty *read_literals(PyEnv *env, ExprList args) {
    Vec(const Ty *) out = {0};
    for (size_t i = 0; i < args.len; i++) vec_push(env->py->arena, &out, literal(env, args.at[i]));
    return pyt_union_all(env->py, (TyList){out.at, out.len});
}

// The special forms of typing that take arguments; NULL: none of them.
static const Ty *read_special(PyEnv *env, PySym *s, ExprList args) {
    Py *py = env->py;
    if (s->home->module != py->typing || s->kind == PYSYM_CLASS) return NULL;
    if (pyt_special(s, "Optional")) return pyt_union(py, pyt_read(env, args.at[0]), py->none);
    if (pyt_special(s, "Union")) return pyt_union_all(py, read_all(env, args));
    if (pyt_special(s, "Callable")) return read_callable(env, args);
    if (pyt_special(s, "Literal")) return read_literals(env, args);
    if (pyt_special(s, "Tuple")) return read_tuple(env, args);
    if (pyt_special(s, "Annotated") || pyt_special(s, "Final") || pyt_special(s, "ClassVar") ||
        pyt_special(s, "Required") || pyt_special(s, "NotRequired"))
        return pyt_read(env, args.at[0]);
    if (pyt_special(s, "TypeGuard") || pyt_special(s, "TypeIs")) return py->bool_;
    if (pyt_special(s, "Concatenate") || pyt_special(s, "Unpack")) return py->any;
    return NULL;
}

static bool is_special_type(PySym *s) {
    static const char *const WORDS[] = {"Any", "Optional", "Union", "Literal", "Final", "ClassVar",
        "Annotated", "Concatenate", "Unpack", "Generic", "Protocol"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (pyt_special(s, WORDS[i])) return true;
    return false;
}

static const Ty *bare_special(Py *py, PySym *s) {
    if (is_special_type(s)) return py->any;
    if (pyt_special(s, "Callable")) return ty_callable(py->arena, pyt_list(py, 1, &py->poison),
                                                      py->any);
    if (pyt_special(s, "NoReturn") || pyt_special(s, "Never")) return type_named(py->p, "NoReturn");
    if (pyt_special(s, "Self")) return ty_type_var(py->arena, s->name);
    if (pyt_special(s, "Tuple")) return pyt_name1(py, "tuple", py->any);
    if (pyt_special(s, "LiteralString")) return py->str_;
    return NULL;
}

static const Expr *argument_named(const Expr *call, const char *name) {
    for (size_t i = 0; i < call->call.keywords.len; i++)
        if (sym_is(call->call.keywords.at[i]->arg, name)) return call->call.keywords.at[i]->value;
    return NULL;
}

static bool true_argument(const Expr *call, const char *name) {
    const Expr *e = argument_named(call, name);
    return e != NULL && e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_BOOL &&
        e->constant.value->truth;
}

// The type variable that `T = TypeVar("T", ...)` declares. Those of foreign stubs get a name of
// their own: two modules may bound `_T` differently.
static const Ty *type_var(PySym *s) {
    Py *py = s->home->py;
    PyModule *m = s->home->module;
    bool shared = m == py->file || m == py->typing || m == py->builtins;
    Sym name = shared ? s->name : names_format(py->names, "%s@%s", s->name, m->name);
    if (s->state == PY_UNKNOWN) {
        s->state = PY_KNOWN;
        PyTypeVar *v = ARENA_NEW(py->arena, PyTypeVar);
        v->name = name;
        table_set(py->type_vars, name, v);
        const Expr *e = s->value;
        if (e != NULL && e->kind == EXPR_CALL) {
            const Expr *f = e->call.func;
            v->is_spec = !(f->kind == EXPR_NAME ? sym_is(f->name.id, "TypeVar")
                           : f->kind == EXPR_ATTRIBUTE && sym_is(f->attribute.attr, "TypeVar"));
            const Expr *b = argument_named(e, "bound");
            if (b != NULL) v->bound = pyt_read(s->home, b);
            if (e->call.args.len > 2)
                v->constraints = read_all(s->home, (ExprList){e->call.args.at + 1,
                                                              e->call.args.len - 1});
            v->variance = true_argument(e, "covariant") ? 1
                : true_argument(e, "contravariant") ? -1 : 0;
        } else if (e != NULL && e->kind == EXPR_TUPLE) {            // def f[T: (int, str)]
            v->constraints = read_all(s->home, e->tuple.elts);
        } else if (e != NULL) v->bound = pyt_read(s->home, e);      // def f[T: bound]
    }
    PyTypeVar *v = table_get(py->type_vars, name);
    if (v != NULL && v->is_spec) return py->any;
    return ty_type_var(py->arena, name);
}

static bool alias_value(const PySym *s) {
    if (s->stmt == NULL || s->value == NULL) return false;
    if (s->stmt->kind == STMT_TYPE_ALIAS) return true;
    if (s->annotation != NULL) {
        const Expr *a = s->annotation;
        Sym name = a->kind == EXPR_NAME ? a->name.id
            : a->kind == EXPR_ATTRIBUTE ? a->attribute.attr : NULL;
        return sym_is(name, "TypeAlias");
    }
    if (s->stmt->kind != STMT_ASSIGN || !s->set_once) return false;
    const Expr *v = s->value;
    return v->kind == EXPR_NAME || v->kind == EXPR_ATTRIBUTE || v->kind == EXPR_SUBSCRIPT ||
        v->kind == EXPR_BIN_OP || pyt_is_none(v);
}

// `UserId = NewType("UserId", int)`: a class of its own.
static const Ty *new_type(PySym *s) {
    Py *py = s->home->py;
    const Expr *v = s->value;
    if (v == NULL || v->kind != EXPR_CALL || v->call.args.len != 2 ||
        !pyt_expr_is(s->home, v->call.func, "NewType"))
        return NULL;
    PyClass *c = pyt_class(py, s->name);
    if (c == NULL) {
        c = pyt_class_new(s->home, NULL, s->name);
        const Ty *base = pyt_read(s->home, v->call.args.at[1]);
        c->bases = pyt_list(py, 1, &base);
        c->open = base->kind != TY_NAMED;
        c->is_new_type = true;
        c->state = PY_KNOWN;
    }
    return ty_named(py->arena, c->name, (TyList){0});
}

// What a variable stands for in an annotation.
static const Ty *read_variable(PySym *s) {
    Py *py = s->home->py;
    const Ty *t = new_type(s);
    if (t != NULL) return t;
    if (alias_value(s) && s->state == PY_ASKED) return py->itself;
    if (!alias_value(s)) return py->any;
    PyState was = s->state;
    s->state = PY_ASKED;
    bool statement = s->stmt->kind == STMT_TYPE_ALIAS;
    t = pyt_read(statement ? pyt_with_type_params(s->home, s->stmt->type_alias.type_params)
                           : s->home, s->value);
    s->state = was;
    return t;
}

static TyList any_args(Py *py, size_t n) {
    const Ty **at = ARENA_ARRAY(py->arena, const Ty *, n + 1);
    for (size_t i = 0; i < n; i++) at[i] = py->any;
    return (TyList){at, n};
}

static const Ty *read_class(PySym *s, TyList args) {
    Py *py = s->home->py;
    (void)pyt_symbol_type(s);
    PyClass *c = s->class_;
    if (c == NULL) return py->any;
    if (args.len == 0) {
        pyt_class_ready(c);
        args = sym_is(c->name, "tuple") || c->params.len == 0 ? args : any_args(py, c->params.len);
    }
    if (sym_is(c->name, "tuple") && args.len == 0) return pyt_name1(py, "tuple", py->any);
    return ty_named(py->arena, c->name, args);
}

static const Ty *read_symbol(PyEnv *env, PySym *s) {
    Py *py = env->py;
    const Ty *special = s->home->module == py->typing ? bare_special(py, s) : NULL;
    if (special != NULL) return special;
    switch (s->kind) {
    case PYSYM_CLASS: return read_class(s, (TyList){0});
    case PYSYM_TYPE_VAR: return type_var(s);
    case PYSYM_VARIABLE: return read_variable(s);
    case PYSYM_FUNCTION: case PYSYM_IMPORT: case PYSYM_OPAQUE: return py->any;
    }
    return py->any;
}

static bool surely_unbound(PyEnv *env, const Expr *e);

static const Ty *read_subscript(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    ExprList args = elements(&e->subscript.slice);
    const Expr *head = e->subscript.value;
    if (surely_unbound(env, head)) return py->any;
    PySym *s = pyt_lookup(env, head);
    if (s != NULL && args.len == 0 && s->home->module == py->typing && pyt_special(s, "Literal"))
        return no_literal(env, e);
    if (s == NULL || args.len == 0) return py->any;
    const Ty *special = read_special(env, s, args);
    if (special != NULL) return special;
    if (s->kind == PYSYM_CLASS) {
        (void)pyt_symbol_type(s);
        if (s->class_ != NULL && sym_is(s->class_->name, "tuple")) return read_tuple(env, args);
        return read_class(s, read_all(env, args));
    }
    const Ty *base = read_symbol(env, s);       // List[int], or a generic alias
    if (base->kind == TY_NAMED && s->home->module == py->typing)
        return type_is(base, "tuple") ? read_tuple(env, args)
                                      : ty_named(py->arena, base->named.name, read_all(env, args));
    bool stated = s->stmt != NULL && s->stmt->kind == STMT_TYPE_ALIAS;
    SymList vars = stated ? type_params_written(py->arena, s->stmt->type_alias.type_params)
                          : ty_vars(py->arena, base);
    return vars.len == args.len ? pyt_substitute(py, base, vars, read_all(env, args)) : py->any;
}

// `A | B | ...`, as long as it likes.
static const Ty *read_union(PyEnv *env, const Expr *e) {
    Vec(const Ty *) parts = {0};
    for (; e->kind == EXPR_BIN_OP; e = e->bin_op.left) {
        if (e->bin_op.op != OPERATOR_BIT_OR) return env->py->any;
        vec_push(env->py->arena, &parts, pyt_read(env, e->bin_op.right));
    }
    vec_push(env->py->arena, &parts, pyt_read(env, e));
    for (size_t i = 0; i < parts.len / 2; i++) {
        const Ty *t = parts.at[i];
        parts.at[i] = parts.at[parts.len - 1 - i];
        parts.at[parts.len - 1 - i] = t;
    }
    return pyt_union_all(env->py, (TyList){parts.at, parts.len});
}

// `class C[T]` and the classes in C: an annotation of a method of C may name them.
static bool has_type_param(TypeParamList list, Sym name) {
    for (size_t i = 0; i < list.len; i++) {
        const TypeParam *t = list.at[i];
        Sym own = t->kind == TYPE_PARAM_TYPE_VAR ? t->type_var.name
            : t->kind == TYPE_PARAM_PARAM_SPEC ? t->param_spec.name : t->type_var_tuple.name;
        if (own == name) return true;
    }
    return false;
}

static bool named_by_class(const PyEnv *env, Sym name) {
    for (; env != NULL; env = env->outer) {
        const Stmt *def = env->class_ != NULL ? env->class_->def : NULL;
        if (def == NULL || def->kind != STMT_CLASS_DEF) continue;
        if (has_type_param(def->class_def.type_params, name)) return true;
        if (table_get(env->class_->env->symbols, name) != NULL) return true;
    }
    return false;
}

static bool surely_unbound(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    if (env->module != py->file || e->kind != EXPR_NAME) return false;
    return !named_by_class(env, e->name.id) && !pyt_name_bound(env, e);
}

// A variable whose value is surely none that an annotation could name.
static bool plain_variable(PySym *s) {
    if (s->kind != PYSYM_VARIABLE || alias_value(s) || new_type(s) != NULL) return false;
    const Expr *v = s->value;
    if (v == NULL || v->kind == EXPR_CALL) return false;
    const Ty *t = pyt_symbol_type(s);
    return t->kind == TY_NAMED && !type_is(t, "type");
}

const char *pyt_no_type(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind != CONST_NONE &&
        e->constant.value->kind != CONST_ELLIPSIS)
        return e->constant.value->kind == CONST_STR ? "an invalid string annotation" : "a value";
    if (e->kind == EXPR_TUPLE) return "a tuple";
    if (e->kind != EXPR_NAME && e->kind != EXPR_ATTRIBUTE) return NULL;
    PySym *own = e->kind == EXPR_NAME ? pyt_find(env, e->name.id) : NULL;
    if (own != NULL && own->kind == PYSYM_IMPORT && own->stmt->kind == STMT_IMPORT)
        return "a module";
    PySym *s = pyt_lookup(env, e);
    if (s == NULL || s->home->module == py->typing) return NULL;
    if (s->kind == PYSYM_FUNCTION) return "a function";
    return s->home->module == py->file && plain_variable(s) ? "a variable" : NULL;
}

// Inference may read the signature of the method that `e` annotates; the dotted annotations that it
// meets on the way are checked where they are written, so that this ends.
void pyt_check_dotted(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    if (py->in_dotted || e->kind != EXPR_ATTRIBUTE || pyt_lookup(env, e) != NULL) return;
    py->in_dotted = true;
    (void)pyt_infer(env, e, NULL);
    py->in_dotted = false;
}

static bool refused(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    if (env->module != py->file) return false;
    const PySym *s = e->kind == EXPR_NAME ? pyt_find(env, e->name.id) : NULL;
    bool theirs = e->kind == EXPR_NAME && (s == NULL || s->kind == PYSYM_OPAQUE);
    if (py->quoted > 0 && theirs && local_refuse_quoted(py->p, e)) return true;
    const char *what = pyt_no_type(env, e);
    if (what != NULL && py->quiet == 0) annotation_report_no_type(py->p, e, what);
    pyt_check_dotted(env, e);
    return what != NULL;
}

static const Ty *read_text(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    if (refused(env, e)) return py->any;
    if (e->kind == EXPR_CONSTANT)
        return e->constant.value->kind == CONST_NONE ? py->none : py->any;
    if (e->kind == EXPR_SUBSCRIPT) return read_subscript(env, e);
    if (e->kind == EXPR_BIN_OP) return read_union(env, e);
    if (e->kind != EXPR_NAME && e->kind != EXPR_ATTRIBUTE) return py->any;
    if (surely_unbound(env, e)) return py->any;
    PySym *s = pyt_lookup(env, e);
    return s != NULL ? read_symbol(env, s) : py->any;
}

// What is inside quotes is read by the small reader of located annotations.
const Ty *pyt_read(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    if (e == NULL) return py->any;
    const Expr *text = annotation_unquote(py->p, e);
    bool quoted = text != e;
    py->quoted += quoted;
    const Ty *t = read_text(env, text);
    py->quoted -= quoted;
    return t;
}
