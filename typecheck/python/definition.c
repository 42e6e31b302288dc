// definition.c - the bodies of functions, classes and modules of one role's code.

#include "typecheck/python/body.h"

// A body that says nothing yet: a docstring, `...`, `pass`, or a raise of NotImplementedError.
static bool trivial(StmtList body) {
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        bool text = s->kind == STMT_EXPR && s->expr.value->kind == EXPR_CONSTANT;
        if (!text && s->kind != STMT_PASS) return false;
    }
    return true;
}

static void check_end(PyEnv *env, const Stmt *def, StmtList body, PyClass *owner) {
    Py *py = env->py;
    const Ty *want = env->returns;
    if (py->dead || want == NULL || type_unknown(want) || env->generator) return;
    if (pyt_fits(py, py->none, want)) return;
    bool unsure = pyt_is_never(want) && body.len > 0 && body.at[body.len - 1]->kind == STMT_EXPR;
    if (unsure) return;             // what it calls may not come back
    bool abstract = pyt_decorated(def, "abstractmethod") || pyt_decorated(def, "overload") ||
        (owner != NULL && owner->is_protocol);
    if (trivial(body) && abstract) return;
    Sym name = pyt_def_name(def);
    const Expr *returns = def->kind == STMT_FUNCTION_DEF ? def->function_def.returns
                                                         : def->async_function_def.returns;
    Span at = returns != NULL ? returns->at : source_first_line(py->p->source, def->at);
    Diag *d = pyt_report(py, at, DIAG_RETURN_MISSING,
                        "`%s` can end without returning `%s`", name, type_text(py->p, want));
    label_open_end(py->p, d, body);
}

void pyt_check_function(PyEnv *outer, const Stmt *def, PyClass *owner) {
    Py *py = outer->py;
    if ((pyt_untyped(def) && py->notes == NULL) || pyt_decorated(def, "no_type_check")) return;
    PyEnv *env = pyt_function_env(outer, def, owner);
    if (outer->kind == PYENV_CLASS) env->outer->class_ = outer->class_;
    StmtList body = def->kind == STMT_FUNCTION_DEF ? def->function_def.body
                                                   : def->async_function_def.body;
    size_t mark = pyt_mark(py);
    bool dead = py->dead;
    PyLoop *loop = py->loop;
    py->loop = NULL;
    py->dead = false;
    pyt_forget_outer(outer);
    pyt_check_body(env, body);
    check_end(env, def, body, owner);
    (void)pyt_leave(py, mark);
    py->dead = dead;
    py->loop = loop;
}

void pyt_check_inner(Py *py, const Stmt *def, SymList known) {
    PyEnv *env = pyt_env_new(py, py->file->env, PYENV_FUNCTION);
    for (size_t i = 0; i < known.len; i++) (void)pyt_bind(env, known.at[i], PYSYM_OPAQUE, def->at);
    for (size_t i = 0; i < def->function_def.decorator_list.len; i++)
        (void)pyt_infer(env, def->function_def.decorator_list.at[i], NULL);
    pyt_check_function(env, def, NULL);
}

// ---- classes ----

static bool exempt(Sym name) {
    return name[0] == '_' && (name[1] != '_' || sym_is(name, "__init__") ||
                              sym_is(name, "__new__") || sym_is(name, "__init_subclass__") ||
                              sym_is(name, "__hash__") || sym_is(name, "__post_init__"));
}

// A method must do for whoever knows only the base.
static void check_override(PyClass *c, PySym *s) {
    Py *py = c->env->py;
    if (s->kind != PYSYM_FUNCTION || exempt(s->name) || pyt_untyped(s->defs.at[0])) return;
    const Ty *self = pyt_class_self(c), *mine = pyt_member(py, self, s->name);
    for (size_t i = 0; i < c->bases.len; i++) {
        const Ty *base = c->bases.at[i];
        const Ty *theirs = base->kind == TY_NAMED ? pyt_member(py, base, s->name) : NULL;
        if (mine == NULL || theirs == NULL || pyt_fits(py, mine, theirs)) continue;
        Diag *d = pyt_report(py, source_first_line(py->p->source, s->defs.at[0]->at),
                            DIAG_OVERRIDE_APART,
                            "`%s` of `%s` is incompatible with the base class `%s`",
                            s->name, c->name, type_text(py->p, base));
        diag_note(d, "its type is `%s` in the base class, but `%s` here", type_text(py->p, theirs),
                  type_text(py->p, mine));
        return;
    }
}

// The names of the bases; what is in brackets is read as types, or are roles.
static void check_bases(PyEnv *env, ExprList bases) {
    for (size_t i = 0; i < bases.len; i++) {
        const Expr *base = bases.at[i];
        if (base->kind == EXPR_SUBSCRIPT) base = base->subscript.value;
        if (base->kind == EXPR_NAME) (void)pyt_infer(env, base, NULL);
    }
}

void pyt_check_class(PyEnv *env, const Stmt *s) {
    Py *py = env->py;
    PySym *sym = table_get(env->symbols, s->class_def.name);
    if (sym == NULL || sym->kind != PYSYM_CLASS || sym->stmt != s) return;
    (void)pyt_symbol_type(sym);
    PyClass *c = sym->class_;
    for (size_t i = 0; i < s->class_def.decorator_list.len; i++)
        (void)pyt_infer(env, s->class_def.decorator_list.at[i], NULL);
    check_bases(env, s->class_def.bases);
    pyt_check_header(env, s);
    size_t mark = pyt_mark(py);
    pyt_check_body(c->env, s->class_def.body);
    (void)pyt_leave(py, mark);
    for (size_t i = 0; i < c->env->order.len; i++)
        check_override(c, table_get(c->env->symbols, c->env->order.at[i]));
}

// ---- modules ----

static bool theirs(const Py *py, const Stmt *s) {
    Sym name = s->kind == STMT_FUNCTION_DEF ? s->function_def.name
        : s->kind == STMT_CLASS_DEF ? s->class_def.name : NULL;
    PySym *sym = name != NULL ? table_get(py->file->env->symbols, name) : NULL;
    return is_main_guard(s) || (sym != NULL && sym->kind == PYSYM_OPAQUE);
}

void pyt_check_module(Py *py, StmtList body) {
    for (size_t i = 0; i < body.len && !py->dead; i++) {
        if (theirs(py, body.at[i])) {
            if (body.at[i]->kind == STMT_CLASS_DEF) pyt_check_header(py->file->env, body.at[i]);
            continue;
        }
        pyt_check_body(py->file->env, (StmtList){body.at + i, 1});
    }
    py->dead = false;
}
