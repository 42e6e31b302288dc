// annotation_names.c - the names in the annotations of choreographies: each must be there, and be
// one of a type. They come out in the generated programs.

#include <string.h>

#include "compiler/ir/ty.h"
#include "typecheck/internal.h"
#include "typecheck/python/python.h"

typedef struct TypeNames { Program *p; Scope *scope; SymList roles; bool known; } TypeNames;

// What other languages call a type; NULL: nothing that is known here.
static Sym elsewhere(Program *p, Sym name) {
    static const char *const WORDS[][2] = {{"string", "str"}, {"integer", "int"}, {"long", "int"},
                                           {"boolean", "bool"}, {"double", "float"}};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (sym_is(name, WORDS[i][0])) return names_get(p->names, WORDS[i][1]);
    return NULL;
}

static void report_unknown(TypeNames *t, const Expr *e) {
    Sym name = e->name.id;
    if (program_misspelt_import(t->p, name)) return;
    Diag *d = diag_report(t->p->diags, e->at, DIAG_NAME_UNKNOWN, "name `%s` is not defined",
                          name);
    Sym near = elsewhere(t->p, name);
    if (near == NULL && help_import(t->p, d, name, e->at)) return;
    if (near == NULL) near = program_did_you_mean(t->p, name, annotation_usual_types(t->p));
    if (near == NULL) return;
    Help *h = diag_help(d, "did you mean `%s`?", near);
    diag_edit(d, h, e->at, "%s", near);
}

// `str@A`: the pin of a value, where its type is to be said.
static bool is_pinned(const Expr *e) {
    return e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_MAT_MULT &&
        e->bin_op.right->kind == EXPR_NAME;
}

// `At(int, Alice)`: the parts of a type stand in brackets.
static void help_brackets(Program *p, Diag *d, const Expr *e) {
    ExprList args = e->call.args;
    Span inside = {args.at[0]->at.start, args.at[args.len - 1]->at.end};
    const char *head = source_written(p->arena, p->source, e->call.func->at);
    const char *parts = source_written(p->arena, p->source, inside);
    if (head == NULL || parts == NULL) return;
    Help *h = diag_help(d, "write brackets: `%s[%s]`", head, parts);
    diag_edit(d, h, e->at, "%s[%s]", head, parts);
}

void annotation_report_no_type(Program *p, const Expr *e, const char *what) {
    const char *name = expr_text(p, e);
    bool role = strcmp(what, "a role") == 0;
    Diag *d = diag_report(p->diags, e->at, role ? DIAG_ROLE_AS_VALUE : DIAG_NO_TYPE,
                          "%s is %s, not a type", name, what);
    if (role)
        diag_help(d, "write the type of the value first, then its role, as in `At[int, %s]`",
                  e->name.id);
    else if (is_pinned(e))
        diag_edit(d, diag_help(d, "write `At[..]`"), e->at, "At[%s, %s]",
                  annotation_text(p, e->bin_op.left), annotation_text(p, e->bin_op.right));
    else if (e->kind == EXPR_CALL && e->call.args.len > 0 && e->call.keywords.len == 0)
        help_brackets(p, d, e);
    else if (e->kind == EXPR_NAME && sym_is(e->name.id, "Role"))
        diag_help(d, "roles are not arguments: a call infers its roles, or states them in "
                     "brackets, as in `f[Alice, Bob](...)`; remove tests of the role: each "
                     "line runs at the roles of its values");
}

// What a declaration of the module is, if no value of one role has it as its type.
static const char *what_else(const Decl *d) {
    switch (d->kind) {
    case DECL_ROLE: return "a role";
    case DECL_LIBRARY: return "a word of the choreography language";
    case DECL_CHOREOGRAPHY: case DECL_LOCAL_FUNCTION: return "a function";
    case DECL_CHANNEL: case DECL_ROLE_CLASS: case DECL_ENUM: case DECL_LOCAL_CLASS:
    case DECL_IMPORT: case DECL_VARIABLE: return NULL;
    }
    return NULL;
}

static void report_several(TypeNames *t, const Expr *e, const Decl *of) {
    Diag *d = diag_report(t->p->diags, e->at, DIAG_NEVER_LOCAL, of->kind == DECL_ROLE_CLASS
                          ? "`%s` is a class with role parameters, so its instances cannot be part "
                            "of one role's value"
                          : "a `%s` connects roles, so it cannot be part of one role's value",
                          e->name.id);
    diag_help(d, "use a separate parameter or variable for it, with its roles");
}

static bool several(const Decl *d) {
    return d != NULL && (d->kind == DECL_ROLE_CLASS || d->kind == DECL_CHANNEL);
}

// Says what a name that is no type is instead; NULL: it may be one.
static const char *no_type(TypeNames *t, const Expr *e) {
    Program *p = t->p;
    Sym name = e->name.id;
    if (t->scope != NULL && scope_find(t->scope, name) != NULL) return "a variable";
    if (roles_has(t->roles, name)) return "a role";
    const Decl *d = program_find(p, name);
    const char *what = d != NULL ? what_else(d) : NULL;
    return what != NULL ? what : pyt_no_type(p->py->file->env, e);
}

static void check_type_name(TypeNames *t, const Expr *e) {
    Program *p = t->p;
    Sym name = e->name.id;
    if (roles_has(p->type_vars, name)) return;
    Decl *d = program_find(p, name);
    bool scoped = t->scope != NULL && scope_find(t->scope, name) != NULL;
    const char *what = no_type(t, e);
    bool known = false;
    if (what != NULL) annotation_report_no_type(p, e, what);
    else if (several(d)) report_several(t, e, d);
    else if (d == NULL && !scoped && !builtin_exists(name)) report_unknown(t, e);
    else known = true;
    t->known &= known;
}

static void check_type_names(TypeNames *t, const Expr *e);
static void check_type(TypeNames *t, const Expr *e);

// `P[A, B]`, `Channel[int, A, B]`, `At[int, A]`: names that have roles of their own. Is the name
// fine?
static bool check_head(TypeNames *t, const Expr *head) {
    bool before = t->known;
    const Decl *d = head->kind == EXPR_NAME ? program_find(t->p, head->name.id) : NULL;
    bool missing = d != NULL && d->kind == DECL_LIBRARY && !program_library_has(d->name);
    if (missing) return false;                          // reported where it is imported
    t->known = true;
    if (!several(d) && !sym_is(annotation_head(head), "At")) check_type_names(t, head);
    bool known = t->known;
    t->known &= before;
    return known;
}

static void report_no_type(TypeNames *t, const Expr *e, const char *what) {
    annotation_report_no_type(t->p, e, what);
    t->known = false;
}

static bool is_type_var(TypeNames *t, const Expr *e) {
    if (e->kind != EXPR_NAME) return e->kind == EXPR_SUBSCRIPT;         // Concatenate[int, P]
    PySym *s = pyt_lookup(t->p->py->file->env, e);
    return roles_has(t->p->type_vars, e->name.id) || (s != NULL && s->kind == PYSYM_TYPE_VAR);
}

static bool check_callable(TypeNames *t, const Expr *e, ExprList args) {
    const Expr *first = args.len == 2 ? annotation_unquote(t->p, args.at[0]) : NULL;
    bool list = first != NULL && (first->kind == EXPR_LIST || ty_is_ellipsis(first));
    if (list || (first != NULL && is_type_var(t, first))) return true;
    diag_report(t->p->diags, e->at, DIAG_NO_TYPE,
                "%s needs a list of parameters and a result, as in `Callable[[int], str]`",
                expr_text(t->p, e->subscript.value));
    t->known = false;
    return false;
}

// What stands in brackets may be more than types: `tuple[int, ...]`, `Handler[[int], str]`. NULL:
// argument i is in its place there, or is a type; else what it is.
static const char *misplaced(TypeNames *t, Sym head, ExprList args, size_t i) {
    const Decl *d = head != NULL ? program_find(t->p, head) : NULL;
    bool tuple = sym_is(head, "tuple") || sym_is(head, "Tuple");
    bool open = sym_is(head, "Callable") || sym_is(head, "Concatenate") || (d != NULL &&
        d->kind != DECL_LIBRARY && d->kind != DECL_CHANNEL && d->kind != DECL_ROLE_CLASS);
    const Expr *e = args.at[i];
    if (open) return NULL;
    if (ty_is_ellipsis(e)) return tuple && i == 1 && args.len == 2 ? NULL : "a value";
    if (e->kind == EXPR_LIST) return "a list";
    return e->kind == EXPR_STARRED && !tuple ? "an expression" : NULL;
}

// `dict[int]`, `int[str]`: of classes that are built in or of this program, and of one role.
static bool check_arity(TypeNames *t, const Expr *e, ExprList args) {
    Py *py = t->p->py;
    PySym *s = pyt_lookup(py->file->env, e->subscript.value);
    if (s == NULL || s->kind != PYSYM_CLASS) return true;
    (void)pyt_symbol_type(s);
    if (s->class_ == NULL) return true;
    pyt_class_ready(s->class_);
    size_t takes = s->class_->params.len;
    bool free = sym_is(s->name, "tuple") || sym_is(s->name, "type") || s->class_->open ||
        (s->home->module != py->builtins && s->home->module != py->file);
    if (free || takes == args.len) return true;
    diag_report(t->p->diags, e->at, DIAG_TYPE_ARGUMENTS,
                "`%s` takes %zu type argument%s, but %zu %s given", s->name, takes,
                diag_s(takes), args.len, diag_is(args.len));
    t->known = false;
    return false;
}

static void check_subscript_names(TypeNames *t, const Expr *e) {
    Program *p = t->p;
    const Expr *head = e->subscript.value;
    Sym name = annotation_head(head);
    if (annotation_is_misordered(p, e)) {
        annotation_report_order(p, e);
        t->known = false;
        return;
    }
    ExprList args = annotation_elements(p->arena, e->subscript.slice);
    int first = annotation_first_role(p, head, args);
    size_t types = first < 0 ? args.len : (size_t)first < args.len ? (size_t)first : args.len;
    bool values = sym_is(annotation_generic(p, head), "Literal");
    if (!check_head(t, head) || values) return;
    if (sym_is(name, "Annotated") && types > 1) types = 1;
    if (sym_is(name, "Callable") && !check_callable(t, e, args)) return;
    if (first < 0 && !check_arity(t, e, args)) return;
    for (size_t i = 0; i < types; i++) {
        const Expr *arg = annotation_unquote(p, args.at[i]);
        const char *what = misplaced(t, name, args, i);
        if (what != NULL) report_no_type(t, arg, what);
        if (what != NULL || ty_is_ellipsis(arg)) continue;
        const Decl *d = arg->kind == EXPR_NAME ? program_find(p, arg->name.id) : NULL;
        bool whole = sym_is(name, "At") && d != NULL && d->kind == DECL_ROLE_CLASS;
        if (!whole) check_type_names(t, arg);                       // `At[P, A, B]` is fine
    }
}

// `n > 0`, `f(x)`: not even the form of a type. What is none, but may be in brackets, is looked at
// there.
static bool has_form(const Expr *e) {
    return e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT ||
        e->kind == EXPR_CONSTANT || e->kind == EXPR_LIST || e->kind == EXPR_TUPLE ||
        e->kind == EXPR_STARRED || (e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_BIT_OR);
}

// `datetime.date`: its parts are there, and the first is no value of a role.
static void check_dotted(TypeNames *t, const Expr *e) {
    const Expr *root = e;
    while (root->kind == EXPR_ATTRIBUTE) root = root->attribute.value;
    bool scoped = root->kind == EXPR_NAME && t->scope != NULL &&
        scope_find(t->scope, root->name.id) != NULL;
    const char *what = root->kind != EXPR_NAME ? "an expression" : scoped ? "a value"
        : pyt_no_type(t->p->py->file->env, e);
    size_t before = diags_count(t->p->diags);
    if (what != NULL) report_no_type(t, e, what);
    else pyt_check_dotted(t->p->py->file->env, e);
    t->known &= diags_count(t->p->diags) == before;
}

static void check_type_names(TypeNames *t, const Expr *e) {
    if (e->kind == EXPR_BIN_OP && has_form(e)) {
        for (; e->kind == EXPR_BIN_OP && has_form(e); e = e->bin_op.left)
            check_type(t, e->bin_op.right);
        check_type(t, e);
        return;
    }
    const Expr *text = annotation_unquote(t->p, e);
    const char *what = NULL;
    if (!has_form(e)) what = "an expression";
    else if (text != e) check_type_names(t, text);
    else if (e->kind == EXPR_NAME) check_type_name(t, e);
    else if (e->kind == EXPR_ATTRIBUTE) check_dotted(t, e);
    else if (e->kind == EXPR_STARRED) check_type_names(t, e->starred.value);
    else what = pyt_no_type(t->p->py->file->env, e);
    if (what != NULL) report_no_type(t, e, what);
    if (e->kind == EXPR_SUBSCRIPT) check_subscript_names(t, e);
    if (e->kind != EXPR_LIST) return;
    for (size_t i = 0; i < e->list.elts.len; i++) check_type(t, e->list.elts.at[i]);
}

// What is no part of something in brackets, as a whole annotation or a side of `|`.
static void check_type(TypeNames *t, const Expr *e) {
    const char *what = misplaced(t, NULL, (ExprList){&e, 1}, 0);
    if (what != NULL) report_no_type(t, e, what);
    else check_type_names(t, e);
}

bool annotation_names(Program *p, Scope *scope, SymList roles, const Expr *e) {
    TypeNames t = {p, scope, roles, true};
    e = annotation_unquote(p, e);
    if (e->kind == EXPR_NAME) check_head(&t, e);    // whose roles are missing has been reported
    else check_type(&t, e);
    return t.known;
}

bool annotation_bounds(Program *p, TypeParamList params) {
    bool known = true;
    for (size_t i = 0; i < params.len; i++) {
        const TypeParam *t = params.at[i];
        const Expr *bound = t->kind == TYPE_PARAM_TYPE_VAR ? t->type_var.bound : NULL;
        ExprList list = bound == NULL ? (ExprList){0}
            : bound->kind == EXPR_TUPLE ? bound->tuple.elts : (ExprList){&bound, 1};
        for (size_t j = 0; j < list.len; j++)
            known &= annotation_names(p, NULL, (SymList){0}, list.at[j]);
    }
    return known;
}
