// class_info.c - classes: their parameters, bases and members, and an instance seen as one of a
// base.

#include <string.h>

#include "compiler/ir/ty.h"
#include "typecheck/python/python.h"

// ---- making ----

static Sym class_name(PyEnv *home, Sym name) {
    Py *py = home->py;
    if (home->kind == PYENV_CLASS && home->class_ != NULL)
        return names_format(py->names, "%s.%s", home->class_->name, name);
    if (home->kind != PYENV_MODULE)
        return names_format(py->names, "<local>.%s", name);
    PyModule *m = home->module;
    bool plain = !m->stub || py->builtins == NULL || py->typing == NULL || m == py->typing ||
        strncmp(m->name, "builtins", 8) == 0;
    if (!plain) return names_format(py->names, "%s.%s", m->name, name);
    if (m->stub && table_get(py->classes, name) != NULL)       // the file has one of this name
        return names_format(py->names, "builtins.%s", name);
    return name;
}

PyClass *pyt_class_new(PyEnv *home, const Stmt *def, Sym name) {
    Py *py = home->py;
    PyClass *c = ARENA_NEW(py->arena, PyClass);
    Sym full = class_name(home, name);
    while (table_get(py->classes, full) != NULL) full = names_format(py->names, "%s'", full);
    *c = (PyClass){.name = full, .def = def, .module = home->module,
                   .env = pyt_env_new(py, home, PYENV_CLASS)};
    c->env->class_ = c;
    table_set(py->classes, full, c);
    if (def != NULL) pyt_collect(c->env, def->class_def.body);
    return c;
}

// Classes of the builtins are made when they are first asked for by name.
PyClass *pyt_class(Py *py, Sym name) {
    PyClass *c = table_get(py->classes, name);
    if (c != NULL) return c;
    PyModule *modules[] = {py->builtins, py->typing};
    if (strncmp(name, "builtins.", 9) == 0) name = names_get(py->names, name + 9);
    for (int i = 0; i < 2; i++) {
        PySym *s = modules[i] != NULL ? pyt_symbol(modules[i]->env, name) : NULL;
        if (s == NULL || s->kind != PYSYM_CLASS) continue;
        (void)pyt_symbol_type(s);
        return s->class_;
    }
    return NULL;
}

// ---- headers ----

static void add_params(Py *py, PyClass *c, const Ty *t) {
    if (t->kind == TY_TYPE_VAR && !roles_has(c->params, t->type_var.name))
        c->params = roles_join(py->arena, c->params, roles_one(py->arena, t->type_var.name));
    if (t->kind == TY_CALLABLE) add_params(py, c, t->callable.result);
    TyList of = t->kind == TY_NAMED ? t->named.args : t->kind == TY_TUPLE ? t->tuple.items
        : t->kind == TY_UNION ? t->union_.items
        : t->kind == TY_CALLABLE ? t->callable.params : (TyList){0};
    for (size_t i = 0; i < of.len; i++) add_params(py, c, of.at[i]);
}

static ExprList elements(const Expr *const *slice) {
    return (*slice)->kind == EXPR_TUPLE ? (*slice)->tuple.elts : (ExprList){slice, 1};
}

// Generic[T, ...] and Protocol[T, ...]: their order is the class's.
static bool generic_base(PyClass *c, const Expr *e) {
    PyEnv *home = c->env->outer;
    const Expr *head = e->kind == EXPR_SUBSCRIPT ? e->subscript.value : e;
    bool protocol = pyt_expr_is(home, head, "Protocol");
    if (!protocol && !pyt_expr_is(home, head, "Generic")) return false;
    c->is_protocol |= protocol;
    if (e->kind != EXPR_SUBSCRIPT) return true;
    ExprList args = elements(&e->subscript.slice);
    for (size_t i = 0; i < args.len; i++) {
        const Ty *t = pyt_read(home, args.at[i]);
        if (t->kind == TY_TYPE_VAR) add_params(home->py, c, t);
        else c->open = true;                    // ParamSpec, TypeVarTuple
    }
    return true;
}

static bool role_header(const Expr *e) {
    if (e->kind != EXPR_SUBSCRIPT || e->subscript.value->kind != EXPR_NAME) return false;
    Sym n = e->subscript.value->name.id;
    return strncmp(n, "Ch", 2) == 0 && strspn(n + 2, "0123456789") == strlen(n + 2);
}

static void inherit(PyClass *c, const Ty *base) {
    PyClass *b = base->kind == TY_NAMED ? pyt_class(c->env->py, base->named.name) : NULL;
    if (base->kind == TY_TUPLE) b = pyt_class(c->env->py, names_get(c->env->py->names, "tuple"));
    if (b == NULL || b == c) {
        c->open = true;
        return;
    }
    pyt_class_ready(b);
    if (b->state != PY_KNOWN) c->open = true;       // a class among its own bases
    c->open |= b->open;
    c->is_enum |= b->is_enum;
    c->is_tuple |= b->is_tuple;
    c->is_typed_dict |= b->is_typed_dict;
    c->has_abstract |= b->has_abstract;
}

static void read_base(PyClass *c, const Expr *e, TyList *bases) {
    PyEnv *home = c->env->outer;
    Py *py = home->py;
    if (generic_base(c, e) || role_header(e)) return;
    const Ty *t = pyt_read(home, e);
    if (pyt_expr_is(home, e, "NamedTuple")) {
        c->is_tuple = true;
        t = type_named(py->p, "_NamedTuple");
    } else if (pyt_expr_is(home, e, "TypedDict")) {
        c->is_typed_dict = true;
        t = pyt_name2(py, "dict", py->str_, py->object);
    }
    add_params(py, c, t);
    inherit(c, t);
    if (t->kind != TY_NAMED && t->kind != TY_TUPLE) return;
    const Ty **at = ARENA_ARRAY(py->arena, const Ty *, bases->len + 1);
    for (size_t i = 0; i < bases->len; i++) at[i] = bases->at[i];
    at[bases->len] = t;
    *bases = (TyList){at, bases->len + 1};
}

static bool truth_of(const Expr *call, const char *name, bool otherwise) {
    for (size_t i = 0; call->kind == EXPR_CALL && i < call->call.keywords.len; i++) {
        const Keyword *k = call->call.keywords.at[i];
        if (sym_is(k->arg, name) && k->value->kind == EXPR_CONSTANT)
            return k->value->constant.value->kind == CONST_BOOL && k->value->constant.value->truth;
    }
    return otherwise;
}

static void read_decorators(PyClass *c) {
    ExprList list = c->def->class_def.decorator_list;
    for (size_t i = 0; i < list.len; i++) {
        const Expr *e = list.at[i], *head = e->kind == EXPR_CALL ? e->call.func : e;
        Sym name = head->kind == EXPR_NAME ? head->name.id
            : head->kind == EXPR_ATTRIBUTE ? head->attribute.attr : NULL;
        c->ordered |= sym_is(name, "total_ordering");
        if (!sym_is(name, "dataclass")) continue;
        c->is_dataclass = true;
        c->is_frozen = truth_of(e, "frozen", false);
        c->ordered |= truth_of(e, "order", false);
        c->kw_only = truth_of(e, "kw_only", false);
        c->no_init = !truth_of(e, "init", true);
    }
}

static void read_type_params(PyClass *c) {
    Py *py = c->env->py;
    TypeParamList list = c->def->class_def.type_params;
    for (size_t i = 0; i < list.len; i++) {
        if (list.at[i]->kind != TYPE_PARAM_TYPE_VAR) {
            c->open = true;
            continue;
        }
        PySym *s = pyt_bind(c->env, list.at[i]->type_var.name, PYSYM_TYPE_VAR, list.at[i]->at);
        s->value = list.at[i]->type_var.bound;
        add_params(py, c, ty_type_var(py->arena, s->name));
    }
}

// ---- fields that methods make ----

typedef struct SelfFields { PyClass *c; Sym self; const Stmt *def; PyEnv *env; } SelfFields;

static void self_target(SelfFields *f, const Expr *t, const Stmt *s, const Expr *annotation,
                        const Expr *value) {
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++) self_target(f, elts.at[i], s, NULL, NULL);
    if (t->kind != EXPR_ATTRIBUTE || t->attribute.value->kind != EXPR_NAME ||
        t->attribute.value->name.id != f->self)
        return;
    PySym *old = table_get(f->c->env->symbols, t->attribute.attr);
    if (old != NULL) {
        bool none = pyt_is_none(old->value) && old->annotation == NULL;
        if (none && old->later == NULL && old->home == f->env && !pyt_is_none(value))
            old->later = value;
        return;
    }
    if (f->env == NULL) f->env = pyt_function_env(f->c->env, f->def, f->c);
    PySym *n = pyt_bind(f->c->env, t->attribute.attr, PYSYM_VARIABLE, t->at);
    n->home = f->env;
    n->stmt = s;
    n->target = t;
    n->annotation = annotation;
    n->value = value;
}

static bool find_self_fields(void *cx, const Stmt *s) {
    SelfFields *f = cx;
    if (s->kind == STMT_ASSIGN)
        for (size_t i = 0; i < s->assign.targets.len; i++)
            self_target(f, s->assign.targets.at[i], s, NULL, s->assign.value);
    if (s->kind == STMT_ANN_ASSIGN)
        self_target(f, s->ann_assign.target, s, s->ann_assign.annotation, s->ann_assign.value);
    if (s->kind == STMT_FOR) self_target(f, s->for_.target, s, NULL, NULL);
    WithitemList items = s->kind == STMT_WITH ? s->with.items : (WithitemList){0};
    for (size_t i = 0; i < items.len; i++)
        if (items.at[i]->optional_vars != NULL)
            self_target(f, items.at[i]->optional_vars, s, NULL, NULL);
    return s->kind != STMT_CLASS_DEF;
}

static void collect_self_fields(PyClass *c) {
    StmtList body = c->def->class_def.body;
    for (size_t i = 0; i < body.len && !c->module->stub; i++) {
        const Stmt *s = body.at[i];
        if (s->kind != STMT_FUNCTION_DEF && s->kind != STMT_ASYNC_FUNCTION_DEF) continue;
        bool async = s->kind == STMT_ASYNC_FUNCTION_DEF;
        const Arguments *args = async ? s->async_function_def.args : s->function_def.args;
        const Arg *self = args->posonlyargs.len > 0 ? args->posonlyargs.at[0]
            : args->args.len > 0 ? args->args.at[0] : NULL;
        if (self == NULL) continue;
        SelfFields f = {c, self->arg, s, NULL};
        IrWalker w = {.cx = &f, .stmt = find_self_fields};
        ir_walk_stmts(&w, async ? s->async_function_def.body : s->function_def.body);
    }
}

void pyt_class_ready(PyClass *c) {
    if (c->state != PY_UNKNOWN) return;
    c->state = PY_ASKED;
    read_type_params(c);
    ExprList list = c->def->class_def.bases;
    for (size_t i = 0; i < list.len; i++)
        (void)generic_base(c, list.at[i]);      // first: the order of parameters is stated here
    TyList bases = {0};
    for (size_t i = 0; i < list.len; i++) {
        if (list.at[i]->kind == EXPR_STARRED) c->open = true;
        else read_base(c, list.at[i], &bases);
    }
    c->bases = bases;
    if (c->module->stub && sym_is(c->name, "enum.Enum")) c->is_enum = true;
    for (size_t i = 0; i < c->def->class_def.keywords.len; i++) {
        const Expr *v = c->def->class_def.keywords.at[i]->value;
        bool meta = sym_is(c->def->class_def.keywords.at[i]->arg, "metaclass");
        bool known = v->kind == EXPR_NAME ? sym_is(v->name.id, "ABCMeta")
            : v->kind == EXPR_ATTRIBUTE && sym_is(v->attribute.attr, "ABCMeta");
        c->open |= meta && !known && !c->module->stub;
    }
    read_decorators(c);
    c->state = PY_KNOWN;
    collect_self_fields(c);
}

// ---- instances ----

const Ty *pyt_class_self(PyClass *c) {
    pyt_class_ready(c);
    Arena *a = c->env->py->arena;
    const Ty **args = ARENA_ARRAY(a, const Ty *, c->params.len + 1);
    for (size_t i = 0; i < c->params.len; i++) args[i] = ty_type_var(a, c->params.at[i]);
    return ty_named(a, c->name, (TyList){args, c->params.len});
}

PyClass *pyt_class_of(Py *py, const Ty *t) {
    if (t->kind == TY_NAMED) return pyt_class(py, t->named.name);
    const char *name = t->kind == TY_TUPLE ? "tuple" : t->kind == TY_CALLABLE ? "function"
        : t->kind == TY_NONE_TYPE ? "NoneType" : NULL;
    if (t->kind == TY_LITERAL) return pyt_class_of(py, pyt_erase_literal(py, t));
    return name != NULL ? pyt_class(py, names_get(py->names, name)) : NULL;
}

bool pyt_has_vars(const Ty *t, SymList vars) {
    if (t->kind == TY_TYPE_VAR) return vars.at == NULL || roles_has(vars, t->type_var.name);
    if (t->kind == TY_CALLABLE && pyt_has_vars(t->callable.result, vars)) return true;
    TyList of = ty_parts(t);
    for (size_t i = 0; i < of.len; i++)
        if (pyt_has_vars(of.at[i], vars)) return true;
    return t->kind == TY_PLACED && pyt_has_vars(t->placed.of, vars);
}

const Ty *pyt_substitute(Py *py, const Ty *t, SymList vars, TyList by) {
    if (vars.len == 0 || !pyt_has_vars(t, vars)) return t;
    const Ty *out = ty_apply(py->arena, t, vars, by);
    return out->kind == TY_UNION ? pyt_union_all(py, out->union_.items) : out;
}

// The parameters of `c` as `self` (an instance of it) has them; those not given are Any.
const Ty *pyt_bind_class(Py *py, const Ty *t, PyClass *c, const Ty *self) {
    if (c->params.len == 0) return t;
    TyList by = self->kind == TY_NAMED ? self->named.args : (TyList){0};
    if (by.len != c->params.len) {
        const Ty **any = ARENA_ARRAY(py->arena, const Ty *, c->params.len);
        for (size_t i = 0; i < c->params.len; i++) any[i] = py->any;
        by = (TyList){any, c->params.len};
    }
    return pyt_substitute(py, t, c->params, by);
}

static const Ty *tuple_instance(Py *py, const Ty *t) {
    const Ty *item = NULL;
    for (size_t i = 0; i < t->tuple.items.len; i++) {
        const Ty *one = t->tuple.items.at[i];
        if (one->kind == TY_PLACED) one = py->any;
        item = item == NULL ? one : pyt_join(py, item, one);
    }
    return pyt_name1(py, "tuple", item != NULL ? item : type_named(py->p, "NoReturn"));
}

static const Ty *instance_of(Py *py, const Ty *t) {
    if (t->kind == TY_TUPLE) return tuple_instance(py, t);
    if (t->kind == TY_LITERAL) return pyt_erase_literal(py, t);
    return t->kind == TY_NAMED ? t : NULL;
}

const Ty *pyt_as(Py *py, const Ty *t, PyClass *base) {
    t = instance_of(py, t);
    PyClass *c = t != NULL ? pyt_class(py, t->named.name) : NULL;
    if (c == NULL || c->asked) return NULL;
    if (c == base) return t;
    pyt_class_ready(c);
    c->asked = true;
    const Ty *found = NULL;
    for (size_t i = 0; i < c->bases.len && found == NULL; i++)
        found = pyt_as(py, pyt_bind_class(py, c->bases.at[i], c, t), base);
    c->asked = false;
    return found;
}

// `self.x = ..` in a derived class sets what its base has.
static bool may_be_of_base(const PySym *s) {
    return s->kind == PYSYM_VARIABLE && s->annotation == NULL && s->target != NULL &&
        s->target->kind == EXPR_ATTRIBUTE;
}

static PySym *search(Py *py, const Ty *t, Sym name, const Ty **at_class, bool *open) {
    const Ty *found = NULL;
    t = instance_of(py, t);
    PyClass *c = t != NULL ? pyt_class(py, t->named.name) : NULL;
    if (c == NULL || c->asked) return NULL;
    pyt_class_ready(c);
    PySym *s = table_get(c->env->symbols, name);
    if (s != NULL && s->kind == PYSYM_TYPE_VAR) s = NULL;
    *open |= c->open;
    if (s != NULL) *at_class = t;
    if (s != NULL && !may_be_of_base(s)) return s;
    c->asked = true;
    PySym *base = NULL;
    for (size_t i = 0; i < c->bases.len && base == NULL; i++)
        base = search(py, pyt_bind_class(py, c->bases.at[i], c, t), name, &found, open);
    c->asked = false;
    if (base == NULL || (s != NULL && base->kind != PYSYM_VARIABLE)) return s;
    *at_class = found;
    return base;
}

PySym *pyt_class_member(Py *py, const Ty *self, Sym name, const Ty **at_class, bool *open) {
    bool unknown = false;
    *at_class = self;
    PySym *s = search(py, self, name, at_class, &unknown);
    if (s == NULL) s = search(py, py->object, name, at_class, &unknown);
    *open = unknown;
    return s;
}

bool pyt_frozen_class(PyClass *c) {
    pyt_class_ready(c);
    return c->is_enum || (c->is_dataclass && c->is_frozen) || c->is_tuple;
}
