// module.c - modules, what they bind, and what a name means.
//
// A name is bound by what binds it first, wherever that is in the text; its type is found when
// somebody asks. A stub sees the names of `typing` and the builtins without importing them.

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "typecheck/python/python.h"

Diag *pyt_report(Py *py, Span at, DiagId id, const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    const char *text = arena_vformat(py->arena, format, ap);
    va_end(ap);
    if (py->quiet > 0 && py->scrap == NULL) py->scrap = diags_new(py->arena);
    return diag_report(py->quiet > 0 ? py->scrap : py->p->diags, at, id, "%s", text);
}

// ---- binding ----

PyEnv *pyt_env_new(Py *py, PyEnv *outer, PyEnvKind kind) {
    PyEnv *env = ARENA_NEW(py->arena, PyEnv);
    *env = (PyEnv){.py = py, .outer = outer, .kind = kind, .symbols = table_new(py->arena),
                   .module = outer != NULL ? outer->module : NULL,
                   .class_ = outer != NULL && kind != PYENV_FUNCTION ? outer->class_ : NULL};
    return env;
}

PySym *pyt_bind(PyEnv *env, Sym name, PySymKind kind, Span at) {
    PySym *s = ARENA_NEW(env->py->arena, PySym);
    *s = (PySym){.kind = kind, .name = name, .at = at, .home = env, .set_once = true,
                 .order = env->order.len};
    table_set(env->symbols, name, s);
    if (env->unread == NULL || table_get(env->unread, name) == NULL)    // it is known already
        vec_push(env->py->arena, &env->order, name);
    return s;
}

bool pyt_is_none(const Expr *e) {
    return e != NULL && e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_NONE;
}

static PySym *bound(PyEnv *env, Sym name) { return table_get(env->symbols, name); }

// An arm of an `if`: which names the `if` has bound, and which of them its earlier arms.
typedef struct PyArm { const struct PyArm *outer; size_t before, here; } PyArm;

static bool earlier_arm(const PyEnv *env, const PySym *s) {
    for (const PyArm *a = env->arm; a != NULL; a = a->outer)
        if (s->home == env && s->order >= a->before && s->order < a->here) return true;
    return false;
}

static void bind_value(PyEnv *env, const Expr *whole, const Expr *t, const Stmt *s,
                       const Expr *value);

// `item` is the part of the value that goes to `t`, as far as it can be seen.
static void bind_part(PyEnv *env, const Expr *whole, const Expr *t, const Stmt *s,
                      const Expr *value, const Expr *item) {
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    bool display = item != NULL && item->kind == EXPR_TUPLE && item->tuple.elts.len == elts.len;
    for (size_t i = 0; i < elts.len; i++)
        bind_part(env, whole, elts.at[i], s, value, display ? item->tuple.elts.at[i] : NULL);
    if (t->kind == EXPR_STARRED) bind_part(env, whole, t->starred.value, s, value, NULL);
    if (t->kind != EXPR_NAME) return;
    PySym *old = bound(env, t->name.id);
    if (old != NULL) {
        old->set_once = false;
        if (pyt_is_none(item) && env->kind == PYENV_FUNCTION && earlier_arm(env, old))
            old->or_none = true;
        if (pyt_is_none(old->value) && old->later == NULL && whole == t && !pyt_is_none(value))
            old->later = value;
        return;
    }
    PySym *n = pyt_bind(env, t->name.id, PYSYM_VARIABLE, t->at);
    n->stmt = s;
    n->target = whole;
    n->value = value;
}

static void bind_value(PyEnv *env, const Expr *whole, const Expr *t, const Stmt *s,
                       const Expr *value) {
    bind_part(env, whole, t, s, value, value);
}

static bool names_type_var(const Expr *e) {
    if (e->kind != EXPR_CALL) return false;
    const Expr *f = e->call.func;
    Sym name = f->kind == EXPR_NAME ? f->name.id : f->kind == EXPR_ATTRIBUTE ? f->attribute.attr
        : NULL;
    return sym_is(name, "TypeVar") || sym_is(name, "ParamSpec") || sym_is(name, "TypeVarTuple");
}

static void bind_assign(PyEnv *env, const Stmt *s) {
    const Expr *first = s->assign.targets.at[0];
    if (first->kind == EXPR_NAME && names_type_var(s->assign.value) &&
        bound(env, first->name.id) == NULL) {
        PySym *t = pyt_bind(env, first->name.id, PYSYM_TYPE_VAR, first->at);
        t->value = s->assign.value;
        return;
    }
    for (size_t i = 0; i < s->assign.targets.len; i++)
        bind_value(env, s->assign.targets.at[i], s->assign.targets.at[i], s, s->assign.value);
}

static void bind_annotated(PyEnv *env, const Stmt *s) {
    const Expr *t = s->ann_assign.target;
    if (t->kind != EXPR_NAME) return;
    PySym *old = bound(env, t->name.id);
    if (old == NULL) old = pyt_bind(env, t->name.id, PYSYM_VARIABLE, t->at);
    else old->set_once = false;
    if (old->kind != PYSYM_VARIABLE || old->annotation != NULL) return;
    old->annotation = s->ann_assign.annotation;
    old->value = s->ann_assign.value;
    old->stmt = s;
    old->at = t->at;
}

static void bind_def(PyEnv *env, Sym name, const Stmt *s) {
    PySym *f = bound(env, name);
    if (f == NULL || f->kind != PYSYM_FUNCTION) f = pyt_bind(env, name, PYSYM_FUNCTION, s->at);
    vec_push(env->py->arena, &f->defs, s);
}

static void bind_class(PyEnv *env, const Stmt *s) {
    if (bound(env, s->class_def.name) != NULL) {
        bound(env, s->class_def.name)->kind = PYSYM_OPAQUE;     // defined twice
        return;
    }
    PySym *c = pyt_bind(env, s->class_def.name, PYSYM_CLASS, s->at);
    c->stmt = s;
}

static void bind_imports(PyEnv *env, const Stmt *s) {
    AliasList list = s->kind == STMT_IMPORT ? s->import.names : s->import_from.names;
    for (size_t i = 0; i < list.len; i++) {
        const Alias *a = list.at[i];
        if (sym_is(a->name, "*")) vec_push(env->py->arena, &env->module->stars, s);
        Sym name = a->asname;
        if (name == NULL) name = names_intern(env->py->names, a->name, strcspn(a->name, "."));
        if (bound(env, name) != NULL) continue;
        PySym *n = pyt_bind(env, name, PYSYM_IMPORT, a->at);
        n->alias = a;
        n->stmt = s;
    }
}

// ---- conditions that a type checker knows ----

static bool attribute_of(const Expr *e, const char *base, const char *name) {
    return e->kind == EXPR_ATTRIBUTE && sym_is(e->attribute.attr, name) &&
        e->attribute.value->kind == EXPR_NAME && sym_is(e->attribute.value->name.id, base);
}

static int number_at(const Expr *tuple, size_t i) {
    if (tuple->kind != EXPR_TUPLE || i >= tuple->tuple.elts.len) return 0;
    const Expr *e = tuple->tuple.elts.at[i];
    if (e->kind != EXPR_CONSTANT || e->constant.value->kind != CONST_INT) return 0;
    int n = 0;
    Text t = e->constant.value->text;
    for (size_t k = 0; k < t.len && n < 1000; k++) n = 10 * n + (t.at[k] - '0');
    return n;
}

// 1, 0, or -1: not known. What is written is Python 3.10, so this is what is judged.
int pyt_known_condition(const Expr *e) {
    if (e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_NOT &&
        e->unary_op.operand->kind != EXPR_UNARY_OP) {
        int inner = pyt_known_condition(e->unary_op.operand);
        return inner < 0 ? -1 : !inner;
    }
    if ((e->kind == EXPR_NAME && sym_is(e->name.id, "TYPE_CHECKING")) ||
        attribute_of(e, "typing", "TYPE_CHECKING"))
        return 1;
    if (e->kind != EXPR_COMPARE || e->compare.ops.len != 1) return -1;
    const Expr *right = e->compare.comparators.at[0];
    Cmpop op = e->compare.ops.at[0];
    if (attribute_of(e->compare.left, "sys", "version_info")) {
        int v = number_at(right, 0) * 100 + number_at(right, 1);
        return op == CMPOP_GT_E ? 310 >= v : op == CMPOP_LT ? 310 < v : -1;
    }
    if (!attribute_of(e->compare.left, "sys", "platform") || right->kind != EXPR_CONSTANT)
        return -1;
    Text t = right->constant.value->text;
    bool linux_ = t.len == 5 && memcmp(t.at, "linux", 5) == 0;
    return op == CMPOP_EQ ? linux_ : op == CMPOP_NOT_EQ ? !linux_ : -1;
}

// ---- collecting ----

static void bind_stmt(PyEnv *env, const Stmt *s);

static void bind_body(PyEnv *env, StmtList body) {
    for (size_t i = 0; i < body.len; i++) bind_stmt(env, body.at[i]);
}

static bool find_walrus(void *cx, const Expr *e) {
    if (e->kind == EXPR_NAMED_EXPR)
        bind_value(cx, e->named_expr.target, e->named_expr.target, NULL, e->named_expr.value);
    if (e->kind != EXPR_LAMBDA) return true;
    ExprList defaults[] = {e->lambda.args->defaults, e->lambda.args->kw_defaults};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < defaults[k].len; i++)
            pyt_collect_walrus(cx, defaults[k].at[i]);
    return false;
}

static bool no_statement(void *cx, const Stmt *s) {
    (void)cx, (void)s;
    return false;
}

void pyt_collect_walrus(PyEnv *env, const Expr *e) {
    IrWalker w = {.cx = env, .expr = find_walrus, .stmt = no_statement};
    if (e != NULL) ir_walk_expr(&w, e);
}

static void bind_name(PyEnv *env, Sym name, Span at) {
    if (name != NULL && bound(env, name) == NULL) pyt_bind(env, name, PYSYM_VARIABLE, at);
    else if (name != NULL) bound(env, name)->set_once = false;
}

static void bind_pattern(PyEnv *env, const Pattern *p) {
    PatternList list = {0};
    switch (p->kind) {
    case PATTERN_MATCH_SEQUENCE: list = p->match_sequence.patterns; break;
    case PATTERN_MATCH_MAPPING:
        list = p->match_mapping.patterns;
        bind_name(env, p->match_mapping.rest, p->at);
        break;
    case PATTERN_MATCH_CLASS:
        list = p->match_class.patterns;
        for (size_t i = 0; i < p->match_class.kwd_patterns.len; i++)
            bind_pattern(env, p->match_class.kwd_patterns.at[i]);
        break;
    case PATTERN_MATCH_STAR: bind_name(env, p->match_star.name, p->at); break;
    case PATTERN_MATCH_AS:
        if (p->match_as.pattern != NULL) bind_pattern(env, p->match_as.pattern);
        bind_name(env, p->match_as.name, p->at);
        break;
    case PATTERN_MATCH_OR: list = p->match_or.patterns; break;
    case PATTERN_MATCH_VALUE: case PATTERN_MATCH_SINGLETON: case PATTERN_COUNT: break;
    }
    for (size_t i = 0; i < list.len; i++) bind_pattern(env, list.at[i]);
}

static void bind_arm(PyEnv *env, StmtList body, size_t before) {
    const PyArm arm = {env->arm, before, env->order.len};
    env->arm = &arm;
    bind_body(env, body);
    env->arm = arm.outer;
}

static void bind_if(PyEnv *env, const Stmt *s) {
    size_t before = env->order.len;
    for (;;) {
        int known = pyt_known_condition(s->if_.test);
        if (known == 1) {
            bind_arm(env, s->if_.body, before);
            return;
        }
        pyt_collect_walrus(env, s->if_.test);
        if (known != 0) bind_arm(env, s->if_.body, before);
        if (s->if_.orelse.len != 1 || s->if_.orelse.at[0]->kind != STMT_IF) break;
        s = s->if_.orelse.at[0];
    }
    bind_arm(env, s->if_.orelse, before);
}

static void bind_try(PyEnv *env, StmtList body, ExcepthandlerList handlers, StmtList orelse,
                     StmtList finalbody) {
    bind_body(env, body);
    for (size_t i = 0; i < handlers.len; i++) {
        bind_name(env, handlers.at[i]->except_handler.name, handlers.at[i]->at);
        bind_body(env, handlers.at[i]->except_handler.body);
    }
    bind_body(env, orelse);
    bind_body(env, finalbody);
}

static void bind_with(PyEnv *env, const Stmt *s, WithitemList items, StmtList body) {
    for (size_t i = 0; i < items.len; i++) {
        pyt_collect_walrus(env, items.at[i]->context_expr);
        const Expr *t = items.at[i]->optional_vars;
        if (t != NULL) bind_value(env, t, t, s, items.at[i]->context_expr);
    }
    bind_body(env, body);
}

static void bind_for(PyEnv *env, const Stmt *s, const Expr *target, const Expr *iter,
                     StmtList body, StmtList orelse) {
    pyt_collect_walrus(env, iter);
    bind_value(env, target, target, s, iter);
    bind_body(env, body);
    bind_body(env, orelse);
}

static void bind_outer(PyEnv *env, SymList names, bool module) {
    for (size_t i = 0; i < names.len; i++) {
        PyEnv *home = module ? env->module->env : env->outer;
        while (!module && home != NULL && home->kind == PYENV_CLASS) home = home->outer;
        PySym *s = home != NULL ? pyt_find(home, names.at[i]) : NULL;
        if (s == NULL || s->home->module != env->module) continue;
        s->set_once = false;
        table_set(env->symbols, names.at[i], s);
    }
}

static void bind_stmt(PyEnv *env, const Stmt *s) {
    switch (s->kind) {
    case STMT_FUNCTION_DEF: bind_def(env, s->function_def.name, s); return;
    case STMT_ASYNC_FUNCTION_DEF: bind_def(env, s->async_function_def.name, s); return;
    case STMT_CLASS_DEF: bind_class(env, s); return;
    case STMT_ASSIGN:
        pyt_collect_walrus(env, s->assign.value);
        bind_assign(env, s);
        return;
    case STMT_TYPE_ALIAS: {
        PySym *n = pyt_bind(env, s->type_alias.name->name.id, PYSYM_VARIABLE, s->at);
        n->stmt = s;
        n->value = s->type_alias.value;
        return;
    }
    case STMT_AUG_ASSIGN:
        pyt_collect_walrus(env, s->aug_assign.value);
        if (s->aug_assign.target->kind == EXPR_NAME)
            bind_name(env, s->aug_assign.target->name.id, s->at);
        return;
    case STMT_ANN_ASSIGN: bind_annotated(env, s); return;
    case STMT_FOR:
        bind_for(env, s, s->for_.target, s->for_.iter, s->for_.body, s->for_.orelse);
        return;
    case STMT_ASYNC_FOR:
        bind_for(env, s, s->async_for.target, s->async_for.iter, s->async_for.body,
                 s->async_for.orelse);
        return;
    case STMT_WHILE:
        pyt_collect_walrus(env, s->while_.test);
        bind_body(env, s->while_.body);
        bind_body(env, s->while_.orelse);
        return;
    case STMT_IF: bind_if(env, s); return;
    case STMT_WITH: bind_with(env, s, s->with.items, s->with.body); return;
    case STMT_ASYNC_WITH: bind_with(env, s, s->async_with.items, s->async_with.body); return;
    case STMT_MATCH:
        pyt_collect_walrus(env, s->match.subject);
        for (size_t i = 0; i < s->match.cases.len; i++) {
            bind_pattern(env, s->match.cases.at[i]->pattern);
            pyt_collect_walrus(env, s->match.cases.at[i]->guard);
            bind_body(env, s->match.cases.at[i]->body);
        }
        return;
    case STMT_TRY:
        bind_try(env, s->try.body, s->try.handlers, s->try.orelse, s->try.finalbody);
        return;
    case STMT_TRY_STAR:
        bind_try(env, s->try_star.body, s->try_star.handlers, s->try_star.orelse,
                 s->try_star.finalbody);
        return;
    case STMT_IMPORT: case STMT_IMPORT_FROM: bind_imports(env, s); return;
    case STMT_GLOBAL: bind_outer(env, s->global.names, true); return;
    case STMT_NONLOCAL: bind_outer(env, s->nonlocal.names, false); return;
    case STMT_OFFER: {
        size_t before = env->order.len;
        for (size_t i = 0; i < s->offer.arms.len; i++)
            bind_arm(env, s->offer.arms.at[i]->body, before);
        return;
    }
    case STMT_RETURN: pyt_collect_walrus(env, s->return_.value); return;
    case STMT_EXPR: pyt_collect_walrus(env, s->expr.value); return;
    case STMT_ASSERT: pyt_collect_walrus(env, s->assert.test); return;
    case STMT_DELETE: case STMT_RAISE: case STMT_PASS: case STMT_BREAK: case STMT_CONTINUE:
    case STMT_CHOREO: case STMT_STOPPED: case STMT_TAPE: case STMT_KEEP:
    case STMT_BACK: case STMT_COUNT: return;
    }
}

static bool find_outer(void *cx, const Stmt *s) {
    PyEnv *env = cx;
    if (s->kind == STMT_GLOBAL) bind_outer(env, s->global.names, true);
    if (s->kind == STMT_NONLOCAL) bind_outer(env, s->nonlocal.names, false);
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_ASYNC_FUNCTION_DEF &&
        s->kind != STMT_CLASS_DEF;
}

void pyt_collect(PyEnv *env, StmtList body) {
    if (env->kind == PYENV_FUNCTION) {          // `global x` may stand behind the first `x = ..`
        IrWalker w = {.cx = env, .stmt = find_outer};
        ir_walk_stmts(&w, body);
    }
    bind_body(env, body);
}

// ---- looking up ----

PySym *pyt_find(PyEnv *env, Sym name) {
    bool inside = false;            // a class body's names are not seen from functions inside it
    for (PyEnv *e = env; e != NULL; e = e->outer) {
        PySym *s = e->kind == PYENV_CLASS && inside ? NULL : pyt_symbol(e, name);
        if (s != NULL) return s;
        inside |= e->kind == PYENV_FUNCTION || e->kind == PYENV_INNER;
    }
    Py *py = env->py;
    PySym *s = NULL;
    if (env->module != NULL && env->module->stub && py->typing != NULL)
        s = pyt_symbol(py->typing->env, name);
    if (s == NULL && py->builtins != NULL) s = pyt_symbol(py->builtins->env, name);
    return s;
}

static PySym *module_symbol(PyModule *m, Sym name, bool beyond) {
    PySym *s = m != NULL ? pyt_symbol(m->env, name) : NULL;
    return s == NULL && m != NULL && beyond ? pyt_left_out(m, name) : s;
}

static Sym relative(Py *py, const PyEnv *env, const Stmt *s) {
    if (s->import_from.level == 0) return s->import_from.module;
    Sym here = env->module->name;
    size_t n = strlen(here);
    for (int up = s->import_from.level - env->module->package; up > 0; up--)
        while (n > 0 && here[--n] != '.') continue;
    if (s->import_from.module == NULL) return names_intern(py->names, here, n);
    return n == 0 ? s->import_from.module
                  : names_format(py->names, "%.*s.%s", (int)n, here, s->import_from.module);
}

// Follows imports from module to module; NULL when something on the way is not known. *module is
// set when it stands for a whole module.
PySym *pyt_follow(PySym *s, PyModule **module) {
    *module = NULL;
    for (int hops = 0; s != NULL && s->kind == PYSYM_IMPORT && hops < 20; hops++) {
        Py *py = s->home->py;
        if (s->stmt->kind == STMT_IMPORT) {
            *module = pyt_module(py, s->alias->asname != NULL ? s->alias->name : s->name);
            return NULL;
        }
        Sym from = relative(py, s->home, s->stmt);
        PyModule *m = from != NULL ? pyt_module(py, from) : NULL;
        PySym *next = module_symbol(m, s->alias->name, py->beyond || s->home->module->is_rest);
        if (next == NULL && from != NULL && m != NULL) {
            *module = pyt_module(py, names_format(py->names, "%s.%s", from, s->alias->name));
            return NULL;
        }
        s = next;
    }
    return s != NULL && s->kind != PYSYM_IMPORT ? s : NULL;
}

static bool long_path(const Expr *e) {
    int n = 0;
    for (; e->kind == EXPR_ATTRIBUTE && n < 8; n++) e = e->attribute.value;
    return n == 8;
}

// `urllib.parse` after `import urllib.parse`; NULL: nothing is known of it.
static PyModule *submodule(Py *py, const Expr *e) {
    Sym name = e->attribute.attr;
    for (e = e->attribute.value; e->kind == EXPR_ATTRIBUTE; e = e->attribute.value)
        name = names_format(py->names, "%s.%s", e->attribute.attr, name);
    PySym *s = e->kind == EXPR_NAME ? pyt_find(py->file->env, e->name.id) : NULL;
    bool import = s != NULL && s->kind == PYSYM_IMPORT && s->stmt->kind == STMT_IMPORT &&
        s->alias->asname == NULL;
    return import ? pyt_module(py, names_format(py->names, "%s.%s", e->name.id, name)) : NULL;
}

PySym *pyt_lookup(PyEnv *env, const Expr *e) {
    PyModule *module = NULL;
    if (long_path(e)) return NULL;
    if (e->kind == EXPR_NAME) {
        PySym *s = pyt_find(env, e->name.id);
        return s != NULL ? pyt_follow(s, &module) : NULL;
    }
    if (e->kind != EXPR_ATTRIBUTE || e->attribute.value->kind != EXPR_NAME) {
        if (e->kind != EXPR_ATTRIBUTE || e->attribute.value->kind != EXPR_ATTRIBUTE) return NULL;
        PyModule *below = env->py->beyond ? submodule(env->py, e->attribute.value) : NULL;
        if (below != NULL)
            return pyt_follow(module_symbol(below, e->attribute.attr, true), &module);
        PySym *outer = pyt_lookup(env, e->attribute.value);
        if (outer == NULL || outer->kind != PYSYM_CLASS || outer->class_ == NULL) return NULL;
        return table_get(outer->class_->env->symbols, e->attribute.attr);
    }
    PySym *s = pyt_find(env, e->attribute.value->name.id);
    PySym *base = s != NULL ? pyt_follow(s, &module) : NULL;
    if (module != NULL) {
        PySym *found = module_symbol(module, e->attribute.attr, env->py->beyond);
        return found != NULL ? pyt_follow(found, &module) : NULL;
    }
    if (base == NULL || base->kind != PYSYM_CLASS) return NULL;
    (void)pyt_symbol_type(base);
    return base->class_ != NULL ? table_get(base->class_->env->symbols, e->attribute.attr) : NULL;
}

bool pyt_special(PySym *s, const char *name) {
    return s != NULL && sym_is(s->name, name) && s->home->module == s->home->py->typing;
}

bool pyt_expr_is(PyEnv *env, const Expr *e, const char *name) {
    Sym written = e->kind == EXPR_NAME ? e->name.id
        : e->kind == EXPR_ATTRIBUTE ? e->attribute.attr : NULL;
    return written != NULL && pyt_special(pyt_lookup(env, e), name);
}

// ---- modules ----

static PyModule *module_new(Py *py, Sym name, StmtList body, bool stub) {
    PyModule *m = ARENA_NEW(py->arena, PyModule);
    *m = (PyModule){.name = name, .env = pyt_env_new(py, NULL, PYENV_MODULE), .stub = stub,
                     .body = body};
    m->env->module = m;
    table_set(py->modules, name, m);
    pyt_collect(m->env, body);
    return m;
}

PyModule *pyt_module_rest(PyModule *m, StmtList body) {
    PyModule *rest = ARENA_NEW(m->env->py->arena, PyModule);
    *rest = (PyModule){.name = m->name, .env = pyt_env_new(m->env->py, NULL, PYENV_MODULE),
                       .stub = true, .body = body, .is_rest = true};
    rest->env->module = rest;
    pyt_collect(rest->env, body);
    return rest;
}

static void import_star(PyModule *m, const Stmt *s) {
    Sym from = relative(m->env->py, m->env, s);
    PyModule *other = from != NULL ? pyt_module(m->env->py, from) : NULL;
    for (size_t j = 0; other != NULL && j < other->env->order.len; j++) {
        Sym name = other->env->order.at[j];
        if (table_get(m->env->symbols, name) != NULL) continue;
        table_set(m->env->symbols, name, pyt_symbol(other->env, name));
        vec_push(m->env->py->arena, &m->env->order, name);
    }
}

static Sym same_as(Py *py, Sym name) {
    if (sym_is(name, "typing_extensions") || sym_is(name, "_typeshed"))
        return names_get(py->names, "typing");
    return name;
}

PyModule *pyt_module(Py *py, Sym name) {
    name = same_as(py, name);
    PyModule *m = table_get(py->modules, name);
    if (m != NULL) return m->env != NULL ? m : NULL;
    m = module_new(py, name, (StmtList){0}, true);
    if (pyt_stub_open(m)) return m;
    const Unit *unit = pyt_stub_file(py, name, &m->package);
    if (unit == NULL) {
        m->env = NULL;
        return NULL;
    }
    m->body = unit->module.body;
    pyt_collect(m->env, m->body);
    for (size_t i = 0; i < m->stars.len; i++) import_star(m, m->stars.at[i]);
    return m;
}

// What belongs to the choreography is none of Python's business.
void pyt_hide_choreography(Py *py) {
    Program *p = py->p;
    for (size_t i = 0; i < p->order.len; i++) {
        Decl *d = p->order.at[i];
        PySym *s = table_get(py->file->env->symbols, d->name);
        bool theirs = d->kind == DECL_ROLE || d->kind == DECL_LIBRARY || d->kind == DECL_CHANNEL ||
            d->kind == DECL_ROLE_CLASS || d->kind == DECL_CHOREOGRAPHY ||
            local_is_async_choreography(p, d);
        if (s != NULL && theirs) s->kind = PYSYM_OPAQUE;
    }
}

static void name_classes(PyEnv *env) {
    for (size_t i = 0; i < env->order.len; i++) {
        PySym *s = table_get(env->symbols, env->order.at[i]);
        if (s->kind == PYSYM_CLASS) s->class_ = pyt_class_new(env, s->stmt, s->name);
    }
}

Py *pyt_new(Program *p, StmtList body) {
    Py *py = ARENA_NEW(p->arena, Py);
    Arena *a = p->arena;
    *py = (Py){.p = p, .arena = a, .names = p->names, .modules = table_new(a),
               .classes = table_new(a), .heads = table_new(a),
               .callables = table_new(a), .type_vars = table_new(a),
               .seen = table_new(a), .any = ty_any(a), .itself = ty_any(a),
               .unpacked = ty_any(a), .none = ty_none_type(a), .poison = ty_poison(a)};
    py->object = type_named(p, "object");
    py->int_ = type_named(p, "int");
    py->float_ = type_named(p, "float");
    py->complex_ = type_named(p, "complex");
    py->bool_ = type_named(p, "bool");
    py->str_ = type_named(p, "str");
    py->bytes_ = type_named(p, "bytes");
    py->file = module_new(py, names_get(p->names, "__main__"), body, false);
    name_classes(py->file->env);
    py->builtins = pyt_module(py, names_get(p->names, "builtins"));
    py->typing = pyt_module(py, names_get(p->names, "typing"));
    return py;
}
