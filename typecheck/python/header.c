// header.c - `Generic[..]` and `Protocol[..]` among the bases of a class: what Python takes there.

#include "typecheck/python/python.h"

typedef struct Header {
    PyEnv *env;
    Sym    class_;
    const Expr *stated;             // the base `Generic[..]` or `Protocol[..]`; NULL: none so far
    SymList params;                 // what stands in it
} Header;

// Which of both a base is; NULL: another one.
static const char *word_of(const Header *h, const Expr *base) {
    const Expr *head = base->kind == EXPR_SUBSCRIPT ? base->subscript.value : base;
    return pyt_expr_is(h->env, head, "Generic") ? "Generic"
        : pyt_expr_is(h->env, head, "Protocol") ? "Protocol" : NULL;
}

static PySym *type_parameter(PyEnv *env, const Expr *e) {
    PySym *s = e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE ? pyt_lookup(env, e) : NULL;
    return s != NULL && s->kind == PYSYM_TYPE_VAR ? s : NULL;
}

// A name that nothing defines is reported as that.
static bool unknown(PyEnv *env, const Expr *e) {
    return e->kind == EXPR_NAME && pyt_find(env, e->name.id) == NULL;
}

static void refuse_type(const Header *h, const char *word, const Expr *arg) {
    Program *p = h->env->py->p;
    const char *text = annotation_text(p, arg);
    Diag *d = pyt_report(h->env->py, arg->at, DIAG_TYPE_ARGUMENTS,
                         "`%s` is not a type parameter, but `%s[..]` accepts only type parameters",
                         text,
                         word);
    bool quoted = arg->kind == EXPR_CONSTANT && arg->constant.value->kind == CONST_STR;
    if (quoted)
        diag_help(d, "write the name of the type parameter without quotes");
    else
        diag_help(d, "write a type parameter, as in `%s[T]` with `T = TypeVar(\"T\")`; write the "
                     "type argument where the class is used, as in `%s[%s]`", word, h->class_,
                  text);
}

static void read_argument(Header *h, const char *word, const Expr *arg) {
    Py *py = h->env->py;
    if (pyt_is_unpacked(h->env, arg) || unknown(h->env, arg)) return;
    PySym *s = type_parameter(h->env, arg);
    if (s == NULL) {
        refuse_type(h, word, arg);
        return;
    }
    if (roles_has(h->params, s->name))
        pyt_report(py, arg->at, DIAG_TYPE_ARGUMENTS, "duplicate type parameter `%s` in `%s[..]`",
                                                     s->name,
                   word);
    h->params = roles_join(py->arena, h->params, roles_one(py->arena, s->name));
}

static void read_stated(Header *h, const char *word, const Expr *base) {
    const Expr *slice = base->subscript.slice;
    ExprList args = slice->kind == EXPR_TUPLE ? slice->tuple.elts : (ExprList){&slice, 1};
    if (h->stated != NULL) {
        Diag *d = pyt_report(h->env->py, base->at, DIAG_TYPE_ARGUMENTS,
                             "the type parameters of `%s` are stated twice", h->class_);
        diag_label(d, h->stated->at, "also here");
        diag_help(d, "keep one list, with all type parameters");
    }
    h->stated = base;
    for (size_t i = 0; i < args.len; i++) read_argument(h, word, args.at[i]);
}

// A type parameter of another base must be one of the class.
static bool find_unstated(void *cx, const Expr *e) {
    Header *h = cx;
    PySym *s = type_parameter(h->env, e);
    if (s == NULL || roles_has(h->params, s->name)) return true;
    Diag *d = pyt_report(h->env->py, e->at, DIAG_TYPE_ARGUMENTS,
                         "`%s` is not listed among the type parameters of `%s`", s->name,
                         h->class_);
    diag_label(d, h->stated->at, "the type parameters are listed here");
    h->params = roles_join(h->env->py->arena, h->params, roles_one(h->env->py->arena, s->name));
    return true;
}

static void refuse_plain(const Header *h, const Expr *base) {
    Diag *d = pyt_report(h->env->py, base->at, DIAG_TYPE_ARGUMENTS,
                         "`Generic` lists no type parameters of `%s`", h->class_);
    diag_help(d, "write `Generic[T]`, with `T = TypeVar(\"T\")` before the class");
}

void pyt_check_header(PyEnv *env, const Stmt *def) {
    Header h = {.env = env, .class_ = def->class_def.name};
    ExprList bases = def->class_def.bases;
    for (size_t i = 0; i < bases.len; i++) {
        const char *word = word_of(&h, bases.at[i]);
        bool stated = bases.at[i]->kind == EXPR_SUBSCRIPT;
        if (word != NULL && stated) read_stated(&h, word, bases.at[i]);
        else if (word != NULL && word[0] == 'G' && def->class_def.type_params.len == 0)
            refuse_plain(&h, bases.at[i]);
    }
    IrWalker w = {.cx = &h, .expr = find_unstated};
    for (size_t i = 0; i < bases.len && h.stated != NULL; i++)
        if (bases.at[i]->kind == EXPR_SUBSCRIPT && word_of(&h, bases.at[i]) == NULL)
            ir_walk_expr(&w, bases.at[i]->subscript.slice);
}
