// sigs.c - what functions, methods and classes can be called with.

#include "typecheck/python/python.h"

const Arguments *pyt_arguments(const Stmt *def) {
    return def->kind == STMT_FUNCTION_DEF ? def->function_def.args : def->async_function_def.args;
}

Sym pyt_def_name(const Stmt *s) {
    return s->kind == STMT_FUNCTION_DEF ? s->function_def.name
        : s->kind == STMT_ASYNC_FUNCTION_DEF ? s->async_function_def.name : NULL;
}

ExprList pyt_decorators(const Stmt *def) {
    if (def->kind == STMT_CLASS_DEF) return def->class_def.decorator_list;
    return def->kind == STMT_FUNCTION_DEF ? def->function_def.decorator_list
                                          : def->async_function_def.decorator_list;
}

static Sym decorator_name(const Expr *e) {
    if (e->kind == EXPR_CALL) e = e->call.func;
    return e->kind == EXPR_NAME ? e->name.id : e->kind == EXPR_ATTRIBUTE ? e->attribute.attr : NULL;
}

bool pyt_decorated(const Stmt *def, const char *name) {
    ExprList list = pyt_decorators(def);
    for (size_t i = 0; i < list.len; i++)
        if (sym_is(decorator_name(list.at[i]), name)) return true;
    return false;
}

bool pyt_unsure(const PySym *s) {
    bool any = s->class_ != NULL && pyt_decorated(s->class_->def, "unsure");
    for (size_t i = 0; i < s->defs.len; i++) any |= pyt_decorated(s->defs.at[i], "unsure");
    return any;
}

// Decorators that leave what a function can be called with as it is.
static bool transparent(Sym name) {
    static const char *const KNOWN[] = {
        "overload", "staticmethod", "classmethod", "property", "abstractmethod", "cached_property",
        "final", "override", "setter", "deleter", "getter", "abstractproperty", "mutates",
        "unread", "calls", "raised", "looks", "unsure", "contextmanager", "asynccontextmanager",
        "lru_cache", "cache", "runtime_checkable",
        "no_type_check", "type_check_only", "deprecated"};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (sym_is(name, KNOWN[i])) return true;
    return false;
}

static bool opaque(const Stmt *def) {
    ExprList list = pyt_decorators(def);
    for (size_t i = 0; i < list.len; i++)
        if (!transparent(decorator_name(list.at[i]))) return true;
    return false;
}

static bool annotated(ArgList list) {
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i]->annotation != NULL) return true;
    return false;
}

const Expr *pyt_returns(const Stmt *def) {
    return def->kind == STMT_FUNCTION_DEF ? def->function_def.returns
                                          : def->async_function_def.returns;
}

bool pyt_untyped(const Stmt *def) {
    const Arguments *a = pyt_arguments(def);
    bool rest = (a->vararg != NULL && a->vararg->annotation != NULL) ||
        (a->kwarg != NULL && a->kwarg->annotation != NULL);
    return !rest && pyt_returns(def) == NULL && !annotated(a->posonlyargs) && !annotated(a->args) &&
        !annotated(a->kwonlyargs);
}

// ---- one definition ----

static TypeParamList type_params(const Stmt *def) {
    return def->kind == STMT_FUNCTION_DEF ? def->function_def.type_params
                                          : def->async_function_def.type_params;
}

PyEnv *pyt_with_type_params(PyEnv *env, TypeParamList list) {
    if (list.len == 0) return env;
    PyEnv *in = pyt_env_new(env->py, env, PYENV_INNER);
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i]->kind == TYPE_PARAM_TYPE_VAR)
            pyt_bind(in, list.at[i]->type_var.name, PYSYM_TYPE_VAR, list.at[i]->at)->value =
                list.at[i]->type_var.bound;
    return in;
}

static bool find_yield(void *cx, const Expr *e) {
    if (e->kind == EXPR_YIELD || e->kind == EXPR_YIELD_FROM) *(bool *)cx = true;
    return e->kind != EXPR_LAMBDA;
}

static bool not_nested(void *cx, const Stmt *s) {
    (void)cx;
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_ASYNC_FUNCTION_DEF &&
        s->kind != STMT_CLASS_DEF;
}

StmtList pyt_body(const Stmt *def) {
    return def->kind == STMT_FUNCTION_DEF ? def->function_def.body : def->async_function_def.body;
}

bool pyt_yields(const Stmt *def) {
    bool found = false;
    IrWalker w = {.cx = &found, .expr = find_yield, .stmt = not_nested};
    ir_walk_stmts(&w, pyt_body(def));
    return found;
}

static const Ty *result_type(PyEnv *env, const Stmt *def) {
    Py *py = env->py;
    const Expr *r = pyt_returns(def);
    const Ty *t = r != NULL ? pyt_read(env, r) : py->any;
    Sym name = pyt_def_name(def);
    if (r == NULL && (sym_is(name, "__init__") || sym_is(name, "__init_subclass__")))
        t = py->none;
    if (def->kind == STMT_ASYNC_FUNCTION_DEF && !pyt_yields(def)) {
        const Ty *three[] = {py->any, py->any, t};
        t = ty_named(py->arena, pyt_known(py, "Coroutine"), pyt_list(py, 3, three));
    }
    if (pyt_decorated(def, "contextmanager"))
        t = pyt_name1(py, "contextlib._GeneratorContextManager",
                     pyt_element(py, (Span){0, 0}, t));
    return pyt_decorated(def, "asynccontextmanager") ? py->any : t;
}

static void add_param(PyEnv *env, PySig *s, const Arg *arg, PyParamKind kind, bool optional) {
    Py *py = env->py;
    const Ty *t = arg->annotation != NULL ? pyt_read(env, arg->annotation) : py->any;
    bool hidden = kind == PYPARAM_PLAIN && arg->arg[0] == '_' && arg->arg[1] == '_' &&
        arg->arg[strlen(arg->arg) - 1] != '_';
    PyParam q = {arg->arg, hidden ? PYPARAM_POSITIONAL : kind, optional, t, NULL};
    vec_push(py->arena, &s->params, q);
}

static void add_params(PyEnv *env, PySig *s, const Arguments *a) {
    size_t positional = a->posonlyargs.len + a->args.len;
    size_t required = positional - a->defaults.len;
    for (size_t i = 0; i < positional; i++) {
        bool only = i < a->posonlyargs.len;
        const Arg *arg = only ? a->posonlyargs.at[i] : a->args.at[i - a->posonlyargs.len];
        add_param(env, s, arg, only ? PYPARAM_POSITIONAL : PYPARAM_PLAIN, i >= required);
    }
    if (a->vararg != NULL) add_param(env, s, a->vararg, PYPARAM_REST, true);
    for (size_t i = 0; i < a->kwonlyargs.len; i++)
        add_param(env, s, a->kwonlyargs.at[i], PYPARAM_KEYWORD, a->kw_defaults.at[i] != NULL);
    if (a->kwarg != NULL) add_param(env, s, a->kwarg, PYPARAM_KEYWORDS, true);
}

static void collect_vars(Py *py, SymList *vars, const Ty *t, SymList not_these) {
    if (t->kind == TY_TYPE_VAR && !sym_is(t->type_var.name, "Self") &&
        !roles_has(not_these, t->type_var.name))
        *vars = roles_join(py->arena, *vars, roles_one(py->arena, t->type_var.name));
    if (t->kind == TY_CALLABLE) collect_vars(py, vars, t->callable.result, not_these);
    TyList of = t->kind == TY_NAMED ? t->named.args : t->kind == TY_TUPLE ? t->tuple.items
        : t->kind == TY_UNION ? t->union_.items
        : t->kind == TY_CALLABLE ? t->callable.params : (TyList){0};
    for (size_t i = 0; i < of.len; i++) collect_vars(py, vars, of.at[i], not_these);
}

// `-> TypeGuard[str]`, `-> TypeIs[str]`
static void read_guard(PyEnv *env, PySig *s, const Expr *returns) {
    const Expr *e = returns != NULL ? annotation_unquote(env->py->p, returns) : NULL;
    if (e == NULL || e->kind != EXPR_SUBSCRIPT) return;
    s->guards_both = pyt_expr_is(env, e->subscript.value, "TypeIs");
    if (s->guards_both || pyt_expr_is(env, e->subscript.value, "TypeGuard"))
        s->guards = pyt_read(env, e->subscript.slice);
}

const PySig *pyt_sig_new(PyEnv *env, const Stmt *def, PyClass *owner) {
    Py *py = env->py;
    env = pyt_with_type_params(env, type_params(def));
    PySig *s = ARENA_NEW(py->arena, PySig);
    s->name = pyt_def_name(def);
    s->at = def->at;
    s->takes_self = owner != NULL && !pyt_decorated(def, "staticmethod");
    add_params(env, s, pyt_arguments(def));
    s->result = result_type(env, def);
    read_guard(env, s, pyt_returns(def));
    SymList theirs = {0};
    if (owner != NULL) {
        pyt_class_ready(owner);
        theirs = owner->params;
    }
    for (size_t i = 0; i < s->params.len; i++)
        collect_vars(py, &s->own, s->params.at[i].type, theirs);
    collect_vars(py, &s->own, s->result, theirs);
    return s;
}

// ---- functions ----

static bool accessor(const Stmt *def) {
    return pyt_decorated(def, "setter") || pyt_decorated(def, "deleter");
}

PySigs pyt_sigs_of_symbol(PySym *f) {
    Py *py = f->home->py;
    PyClass *owner = f->home->kind == PYENV_CLASS ? f->home->class_ : NULL;
    Vec(const PySig *) out = {0};
    bool overloads = f->defs.len > 1 && pyt_decorated(f->defs.at[0], "overload");
    for (size_t i = 0; i < f->defs.len; i++) {
        const Stmt *d = f->defs.at[i];
        if (accessor(d) || (overloads && !pyt_decorated(d, "overload"))) continue;
        if (!overloads && out.len > 0) break;
        vec_push(py->arena, &out, pyt_sig_new(f->home, d, owner));
    }
    if (f->defs.len > 0 && opaque(f->defs.at[0])) return (PySigs){0};
    return (PySigs){out.at, out.len};
}

const PySigs *pyt_sigs_of(Py *py, const Ty *t) { return table_get(py->callables, t); }

static const Ty *plain_callable(Py *py, const PySig *s) {
    Vec(const Ty *) params = {0};
    for (size_t i = 0; i < s->params.len; i++) {
        const PyParam *q = &s->params.at[i];
        bool simple = q->kind == PYPARAM_POSITIONAL || q->kind == PYPARAM_PLAIN;
        if (!simple && !q->optional) return ty_callable(py->arena, pyt_list(py, 1, &py->poison),
                                                        s->result);
        if (simple && !q->optional) vec_push(py->arena, &params, q->type);
    }
    return ty_callable(py->arena, (TyList){params.at, params.len}, s->result);
}

// A value that can be called in these ways; Any when nothing is known.
const Ty *pyt_callable(Py *py, PySigs sigs) {
    if (sigs.len == 0) return py->any;
    bool one = sigs.len == 1 && !sigs.at[0]->any_args;
    const Ty *t = one ? plain_callable(py, sigs.at[0])
        : ty_callable(py->arena, pyt_list(py, 1, &py->poison), sigs.at[0]->result);
    PySigs *kept = ARENA_NEW(py->arena, PySigs);
    *kept = sigs;
    table_set(py->callables, t, kept);
    return t;
}

const PySig *pyt_sig_of_callable(Py *py, const Ty *t) {
    PySig *s = ARENA_NEW(py->arena, PySig);
    s->name = names_get(py->names, "the function");
    s->result = t->callable.result != NULL ? t->callable.result : py->any;
    s->any_args = pyt_any_params(t);
    for (size_t i = 0; i < t->callable.params.len && !s->any_args; i++) {
        PyParam q = {NULL, PYPARAM_POSITIONAL, false, t->callable.params.at[i], NULL};
        vec_push(py->arena, &s->params, q);
    }
    return s;
}

// ---- methods ----

// Names that a receiver's type uses itself must not be mistaken for the method's own.
static void keep_apart(Py *py, const PySig *s, const Ty *self, SymList *vars, const Ty ***by) {
    for (size_t i = 0; i < s->own.len; i++) {
        SymList one = {&s->own.at[i], 1};
        if (!pyt_has_vars(self, one)) continue;
        Sym fresh = names_format(py->names, "%s@", s->own.at[i]);
        table_set(py->type_vars, fresh, table_get(py->type_vars, s->own.at[i]));
        *vars = roles_join(py->arena, *vars, one);
        const Ty **more = ARENA_ARRAY(py->arena, const Ty *, vars->len);
        for (size_t j = 0; j + 1 < vars->len; j++) more[j] = (*by)[j];
        more[vars->len - 1] = ty_type_var(py->arena, fresh);
        *by = more;
    }
}

static const PySig *map_sig(Py *py, const PySig *s, SymList vars, TyList by, bool drop) {
    PySig *out = ARENA_NEW(py->arena, PySig);
    *out = *s;
    out->params.at = NULL;
    out->params.len = out->params.cap = 0;
    out->own = (SymList){0};
    out->takes_self = s->takes_self && !drop;
    for (size_t i = drop ? 1 : 0; i < s->params.len; i++) {
        PyParam q = s->params.at[i];
        q.type = pyt_substitute(py, q.type, vars, by);
        vec_push(py->arena, &out->params, q);
    }
    out->result = pyt_substitute(py, s->result, vars, by);
    if (s->guards != NULL) out->guards = pyt_substitute(py, s->guards, vars, by);
    for (size_t i = 0; i < s->own.len; i++) {
        const Ty *t = pyt_substitute(py, ty_type_var(py->arena, s->own.at[i]), vars, by);
        if (t->kind == TY_TYPE_VAR && (t->type_var.name == s->own.at[i] ||
                                       strchr(t->type_var.name, '@') != NULL))
            out->own = roles_join(py->arena, out->own, roles_one(py->arena, t->type_var.name));
    }
    return out;
}

static const PySig *bind_one(Py *py, const PySig *s, PyClass *at, const Ty *at_class,
                             const Ty *self) {
    Sym self_name = names_get(py->names, "Self");
    SymList vars = at->params;
    TyList args = at_class->kind == TY_NAMED ? at_class->named.args : (TyList){0};
    const Ty **by = ARENA_ARRAY(py->arena, const Ty *, vars.len + 1);
    for (size_t i = 0; i < vars.len; i++) by[i] = i < args.len ? args.at[i] : py->any;
    vars = roles_join(py->arena, vars, roles_one(py->arena, self_name));
    by[vars.len - 1] = self;
    bool drop = s->takes_self && s->params.len > 0 && s->params.at[0].kind != PYPARAM_REST;
    keep_apart(py, s, at_class, &vars, &by);
    const PySig *out = map_sig(py, s, vars, (TyList){by, vars.len}, drop);
    if (!drop || type_unknown(s->params.at[0].type)) return out;
    const Ty *wants = pyt_substitute(py, s->params.at[0].type, vars, (TyList){by, vars.len});
    if (type_is(wants, "type") && !type_is(self, "type")) self = pyt_name1(py, "type", self);
    PySolver solver = pyt_solver(py, out->own);          // an annotated `self` or `cls`
    pyt_solve(&solver, wants, self);
    if (!pyt_fits(py, self, pyt_solved(&solver, wants, py->any))) return NULL;
    Vec(Sym) solved = {0};
    Vec(const Ty *) types = {0};
    for (size_t i = 0; i < out->own.len; i++)
        if (solver.found[i] != NULL) {
            vec_push(py->arena, &solved, out->own.at[i]);
            vec_push(py->arena, &types, solver.found[i]);
        }
    return map_sig(py, out, (SymList){solved.at, solved.len}, (TyList){types.at, types.len}, false);
}

// Methods found in class `at`, seen as `at_class`, as `self` has them: the receiver is given.
PySigs pyt_sigs_bound(Py *py, PySigs sigs, PyClass *at, const Ty *at_class, const Ty *self) {
    Vec(const PySig *) out = {0};
    for (size_t i = 0; i < sigs.len; i++) {
        const PySig *s = bind_one(py, sigs.at[i], at, at_class, self);
        if (s != NULL) vec_push(py->arena, &out, s);
    }
    return (PySigs){out.at, out.len};
}

// ---- constructors ----

static bool call_says(const Expr *e, const char *keyword, bool *truth) {
    for (size_t i = 0; e != NULL && e->kind == EXPR_CALL && i < e->call.keywords.len; i++) {
        const Keyword *k = e->call.keywords.at[i];
        if (!sym_is(k->arg, keyword)) continue;
        *truth = k->value->kind == EXPR_CONSTANT && k->value->constant.value->truth;
        return true;
    }
    return false;
}

static bool is_field_call(const Expr *e) {
    return e != NULL && e->kind == EXPR_CALL && sym_is(decorator_name(e), "field");
}

static bool class_var(const Expr *a) {
    if (a->kind == EXPR_SUBSCRIPT) a = a->subscript.value;
    return sym_is(decorator_name(a), "ClassVar");
}

// A field of a dataclass or named tuple as a parameter; a field of a base keeps its place.
static void add_field(PyClass *c, PySig *s, PySym *f, bool *keywords, const Ty *at_class) {
    Py *py = c->env->py;
    if (f->annotation == NULL || class_var(f->annotation)) return;
    if (sym_is(decorator_name(f->annotation), "KW_ONLY")) {
        *keywords = true;
        return;
    }
    bool truth = true, field = is_field_call(f->value);
    if (field && call_says(f->value, "init", &truth) && !truth) return;
    bool optional = f->value != NULL && (!field || call_says(f->value, "default", &truth) ||
                                         call_says(f->value, "default_factory", &truth));
    bool kw = *keywords || c->kw_only;
    if (field && call_says(f->value, "kw_only", &truth)) kw = truth;
    const Expr *a = f->annotation;
    if (a->kind == EXPR_SUBSCRIPT && sym_is(decorator_name(a->subscript.value), "InitVar"))
        a = a->subscript.slice;
    Sym self = names_get(py->names, "Self");
    const Ty *t = pyt_bind_class(py, pyt_read(f->home, a), c, at_class);
    PyParam q = {f->name, kw ? PYPARAM_KEYWORD : PYPARAM_PLAIN, optional,
                 pyt_substitute(py, t, (SymList){&self, 1}, (TyList){&at_class, 1}), NULL};
    for (size_t i = 0; i < s->params.len; i++)
        if (s->params.at[i].name == q.name) {
            s->params.at[i] = q;
            return;
        }
    vec_push(py->arena, &s->params, q);
}

static void add_fields(PyClass *c, PySig *s, const Ty *at_class) {
    Py *py = c->env->py;
    pyt_class_ready(c);
    if (c->asked) return;
    c->asked = true;
    for (size_t i = c->bases.len; i-- > 0;) {
        const Ty *base = pyt_bind_class(py, c->bases.at[i], c, at_class);
        PyClass *b = base->kind == TY_NAMED ? pyt_class(py, base->named.name) : NULL;
        if (b != NULL) add_fields(b, s, base);
    }
    c->asked = false;
    bool keywords = false, tuple = c->is_tuple && !c->module->stub;
    for (size_t i = 0; i < c->env->order.len && (c->is_dataclass || tuple); i++) {
        PySym *f = table_get(c->env->symbols, c->env->order.at[i]);
        if (f->kind == PYSYM_VARIABLE && f->home == c->env)
            add_field(c, s, f, &keywords, at_class);
    }
}

// Fields by keyword come behind all others.
static void keywords_last(Py *py, PySig *s) {
    PyParam *all = ARENA_ARRAY(py->arena, PyParam, s->params.len + 1);
    size_t n = 0;
    for (int last = 0; last < 2; last++)
        for (size_t i = 0; i < s->params.len; i++)
            if ((s->params.at[i].kind == PYPARAM_KEYWORD) == last) all[n++] = s->params.at[i];
    for (size_t i = 0; i < n; i++) s->params.at[i] = all[i];
}

static PySigs one_sig(Py *py, PySig *s) {
    const PySig **one = ARENA_NEW(py->arena, const PySig *);
    *one = s;
    return (PySigs){one, 1};
}

static PySigs any_call(Py *py, Sym name, const Ty *result) {
    PySig *s = ARENA_NEW(py->arena, PySig);
    s->name = name;
    s->result = result;
    s->any_args = true;
    return one_sig(py, s);
}

bool pyt_makes_init(PyClass *c) {
    pyt_class_ready(c);
    if ((c->is_dataclass && !c->no_init) || (c->is_tuple && !c->module->stub)) return true;
    if (c->asked) return false;
    c->asked = true;
    bool found = false;
    Sym init = names_get(c->env->py->names, "__init__");
    for (size_t i = 0; i < c->bases.len && !found; i++) {
        const Ty *b = c->bases.at[i];
        PyClass *base = b->kind == TY_NAMED ? pyt_class(c->env->py, b->named.name) : NULL;
        found = base != NULL && table_get(base->env->symbols, init) == NULL && pyt_makes_init(base);
    }
    c->asked = false;
    return found;
}

// `def __init__(self: dict[str, V], ...)`: what is made is what `self` says.
static const PySig *annotated_init(Py *py, const PySig *raw, PyClass *c) {
    if (!raw->takes_self || raw->params.len == 0 || type_unknown(raw->params.at[0].type))
        return NULL;
    const PySig *dropped = map_sig(py, raw, (SymList){0}, (TyList){0}, true);
    PySig *s = ARENA_NEW(py->arena, PySig);
    *s = *dropped;
    s->name = c->name;
    s->result = raw->params.at[0].type;
    s->own = roles_join(py->arena, c->params, raw->own);
    return s;
}

static PySigs constructor_of(Py *py, PyClass *c, PySym *init, const Ty *at, const Ty *self,
                             bool is_new) {
    PyClass *where = init->home->class_;
    PySigs raw = pyt_sigs_of_symbol(init);
    Vec(const PySig *) out = {0};
    for (size_t i = 0; i < raw.len; i++) {
        const PySig *stated = where == c && !is_new ? annotated_init(py, raw.at[i], c) : NULL;
        const PySig *bound = stated != NULL ? stated : bind_one(py, raw.at[i], where, at, self);
        if (bound == NULL) continue;
        PySig *s = ARENA_NEW(py->arena, PySig);
        *s = *bound;
        s->name = c->name;
        if (!is_new && stated == NULL) s->result = self;
        s->own = roles_join(py->arena, c->params, s->own);
        vec_push(py->arena, &out, (const PySig *)s);
    }
    return (PySigs){out.at, out.len};
}

// What `C(...)` takes. Given `C[int]`, the parameters are known; given C[Any..], they are solved.
PySigs pyt_constructor(Py *py, PyClass *c, const Ty *self) {
    pyt_class_ready(c);
    bool open = false, given = false;
    for (size_t i = 0; i < self->named.args.len; i++)
        given |= !type_unknown(self->named.args.at[i]);
    if (!given) self = pyt_class_self(c);
    if (c->is_enum || c->is_typed_dict) return any_call(py, c->name, self);
    if (c->is_new_type) {
        PySig *s = ARENA_NEW(py->arena, PySig);
        *s = (PySig){.name = c->name, .result = self};
        PyParam q = {NULL, PYPARAM_POSITIONAL, false, c->bases.at[0], NULL};
        vec_push(py->arena, &s->params, q);
        return one_sig(py, s);
    }
    Sym init_name = names_get(py->names, "__init__");
    if (pyt_makes_init(c) && table_get(c->env->symbols, init_name) == NULL) {
        PySig *s = ARENA_NEW(py->arena, PySig);
        *s = (PySig){.name = c->name, .result = self, .own = given ? (SymList){0} : c->params};
        add_fields(c, s, self);
        keywords_last(py, s);
        return c->open ? any_call(py, c->name, self) : one_sig(py, s);
    }
    const Ty *at = NULL, *at_new = NULL;
    PySym *init = pyt_class_member(py, self, init_name, &at, &open);
    PySym *new_ = pyt_class_member(py, self, names_get(py->names, "__new__"), &at_new, &open);
    bool no_init = init == NULL || init->kind != PYSYM_FUNCTION || type_is(at, "object");
    if (no_init && new_ != NULL && new_->kind == PYSYM_FUNCTION && !type_is(at_new, "object"))
        return constructor_of(py, c, new_, at_new, self, true);
    if (init == NULL || init->kind != PYSYM_FUNCTION || (no_init && open))
        return any_call(py, c->name, self);
    return constructor_of(py, c, init, at, self, false);
}

// ---- the scope of a body ----

static void bind_param(PyEnv *env, const Arg *arg, const Ty *type) {
    if (arg == NULL) return;
    pyt_note_arg(env->py, arg, type);
    PySym *s = pyt_bind(env, arg->arg, PYSYM_VARIABLE, arg->at);
    s->state = PY_KNOWN;
    s->type = type;
    s->is_param = true;
}

static const Ty *receiver(PyEnv *env, const Stmt *def, PyClass *owner) {
    Py *py = env->py;
    const Ty *self = pyt_class_self(owner);
    Sym name = def->kind == STMT_FUNCTION_DEF ? def->function_def.name : NULL;
    bool class_ = pyt_decorated(def, "classmethod") || sym_is(name, "__new__") ||
        sym_is(name, "__init_subclass__") || sym_is(name, "__class_getitem__");
    return class_ ? pyt_name1(py, "type", self) : self;
}

// Inside a method `Self` is the class around it.
static const Ty *inside_class(PyEnv *env, const Ty *t) {
    if (env->class_ == NULL) return t;
    Sym name = names_get(env->py->names, "Self");
    const Ty *self = pyt_class_self(env->class_);
    return pyt_substitute(env->py, t, (SymList){&name, 1}, (TyList){&self, 1});
}

static void set_result(PyEnv *env, const Stmt *def) {
    Py *py = env->py;
    const Expr *r = pyt_returns(def);
    env->async = def->kind == STMT_ASYNC_FUNCTION_DEF;
    env->generator = pyt_yields(def);
    env->untyped = pyt_untyped(def);
    if (r == NULL) return;
    env->returns = inside_class(env, pyt_read(env, r));
    pyt_note(py, r, env->returns);
    if (!env->generator) return;
    const Ty *g = env->returns;
    env->yields = pyt_element(py, (Span){0, 0}, g);
    bool whole = type_is(g, "Generator") && g->named.args.len == 3;
    env->sends = whole ? g->named.args.at[1] : py->any;
    env->returns = whole ? g->named.args.at[2] : py->any;
    if (env->async) env->yields = py->any;
}

PyEnv *pyt_function_env(PyEnv *outer, const Stmt *def, PyClass *owner) {
    Py *py = outer->py;
    PyEnv *env = pyt_env_new(py, pyt_with_type_params(outer, type_params(def)), PYENV_FUNCTION);
    env->class_ = owner;
    env->def = def;
    env->places = table_new(py->arena);
    env->static_ = pyt_decorated(def, "staticmethod");
    const Arguments *a = pyt_arguments(def);
    size_t n = a->posonlyargs.len + a->args.len;
    for (size_t i = 0; i < n; i++) {
        const Arg *arg = i < a->posonlyargs.len ? a->posonlyargs.at[i]
                                                : a->args.at[i - a->posonlyargs.len];
        const Ty *t = arg->annotation != NULL
            ? inside_class(env, pyt_read(env->outer, arg->annotation))
            : i == 0 && owner != NULL && !env->static_ ? receiver(env, def, owner) : py->any;
        bind_param(env, arg, t);
    }
    for (size_t i = 0; i < a->kwonlyargs.len; i++)
        bind_param(env, a->kwonlyargs.at[i], pyt_read(env->outer, a->kwonlyargs.at[i]->annotation));
    if (a->vararg != NULL)
        bind_param(env, a->vararg, pyt_name1(py, "tuple", pyt_read(env->outer,
                                                                 a->vararg->annotation)));
    if (a->kwarg != NULL)
        bind_param(env, a->kwarg, pyt_name2(py, "dict", py->str_, pyt_read(env->outer,
                                                                         a->kwarg->annotation)));
    set_result(env, def);
    pyt_collect(env, pyt_body(def));
    return env;
}
