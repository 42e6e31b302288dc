// local_class.c - what one role's classes may inherit, and which of them have instances.
//
// Their bases and method order are found in hierarchy.c, with those of classes of several roles.

#include "typecheck/internal.h"

// ---- overriding ----

static bool is_method(const Stmt *s) { return s != NULL && s->kind == STMT_FUNCTION_DEF; }

static const char *kind_of(const Stmt *s) {
    if (!is_method(s)) return "an attribute";
    if (def_has_decorator(s, "staticmethod")) return "a static method";
    if (def_has_decorator(s, "classmethod")) return "a class method";
    return "a method";
}

// Other decorators make something else of a method; a property has a type of its own.
static bool is_known(const Stmt *s) {
    static const char *const KNOWN[] = {"staticmethod", "classmethod", "abstractmethod", "final",
                                        "override"};
    ExprList list = s->function_def.decorator_list;
    for (size_t i = 0; i < list.len; i++) {
        bool known = false;
        for (size_t j = 0; j < sizeof KNOWN / sizeof *KNOWN; j++)
            known |= decorator_is(list.at[i], KNOWN[j]);
        if (!known) return false;
    }
    return true;
}

static void judge_method(Program *p, const Decl *d, const Stmt *own, const Decl *base,
                         const Stmt *theirs) {
    if (!is_method(own) || !is_method(theirs) || !is_known(own) || !is_known(theirs)) return;
    const char *a = kind_of(own), *b = kind_of(theirs), *how = NULL;
    if (def_has_decorator(theirs, "final")) how = "it is final in the base class";
    else if (a != b) how = names_format(p->names, "it is %s, but %s in the base class", a, b);
    if (how == NULL) return;
    Diag *g = diag_report(p->diags, source_first_line(p->source, own->at), DIAG_OVERRIDE,
                          "`%s` of `%s` is incompatible with the base class `%s`: %s",
                          own->function_def.name, d->name, base->name, how);
    diag_label(g, source_first_line(p->source, theirs->at), "`%s` of `%s`",
               theirs->function_def.name, base->name);
}

static void judge_class(Program *p, const Decl *d) {
    StmtList body = d->stmt->class_def.body;
    for (size_t i = 0; i < body.len; i++) {
        if (!is_method(body.at[i])) continue;
        for (size_t j = 1; j < d->order.len; j++) {
            const Decl *base = d->order.at[j].decl;
            const Stmt *theirs = table_get(base->members, body.at[i]->function_def.name);
            if (theirs == NULL) continue;
            judge_method(p, d, body.at[i], base, theirs);
            break;
        }
    }
}

// ---- instances ----

static bool is_abstract(const Stmt *s) {
    return is_method(s) && def_has_decorator(s, "abstractmethod");
}

static const Stmt *first_defined(const Decl *d, Sym name, const Decl **in) {
    for (size_t i = 0; i < d->order.len; i++) {
        const Stmt *s = table_get(d->order.at[i].decl->members, name);
        *in = d->order.at[i].decl;
        if (s != NULL || table_get((*in)->fields, name) != NULL) return s;
    }
    return NULL;
}

// A method that is abstract, and stays so; a base from elsewhere may define anything.
static const Stmt *lacking(const Decl *d, const Decl **in) {
    for (size_t i = 0; i < d->order.len; i++)
        if (d->order.at[i].decl->foreign_base) return NULL;
    for (size_t i = d->order.len; i-- > 0;) {
        StmtList body = d->order.at[i].decl->stmt->class_def.body;
        for (size_t j = 0; j < body.len; j++) {
            if (!is_abstract(body.at[j])) continue;
            const Stmt *s = first_defined(d, body.at[j]->function_def.name, in);
            if (is_abstract(s)) return s;
        }
    }
    return NULL;
}

typedef struct Instances { Program *p; Table *bound; } Instances;

static bool note_arg(void *cx, const Arg *arg) {
    table_set(((Instances *)cx)->bound, arg->arg, cx);
    return true;
}

static bool note_target(void *cx, const Expr *e) {
    if (e->kind == EXPR_NAME && e->name.ctx != EXPR_CONTEXT_LOAD)
        table_set(((Instances *)cx)->bound, e->name.id, cx);
    return true;
}

static bool judge_call(void *cx, const Expr *e) {
    const Instances *x = cx;
    if (e->kind != EXPR_CALL || e->call.func->kind != EXPR_NAME) return true;
    Sym name = e->call.func->name.id;
    const Decl *d = program_find(x->p, name), *in = NULL;
    if (d == NULL || d->kind != DECL_LOCAL_CLASS || table_get(x->bound, name) != NULL) return true;
    const Stmt *method = lacking(d, &in);
    if (method == NULL) return true;
    Diag *g = diag_report(x->p->diags, e->at, DIAG_ABSTRACT,
                          "cannot instantiate abstract class `%s` without an implementation of "
                          "`%s`", name,
                          method->function_def.name);
    diag_label(g, source_first_line(x->p->source, method->at), "abstract in `%s`", in->name);
    diag_help(g, "instantiate a subclass that implements all abstract methods");
    return true;
}

static bool any_abstract(const Program *p) {
    for (size_t i = 0; i < p->order.len; i++) {
        const Decl *d = p->order.at[i];
        for (size_t j = 0; d->kind == DECL_LOCAL_CLASS && j < d->stmt->class_def.body.len; j++)
            if (is_abstract(d->stmt->class_def.body.at[j])) return true;
    }
    return false;
}

void local_class_check(Program *p, StmtList body) {
    for (size_t i = 0; i < p->order.len; i++)
        if (p->order.at[i]->kind == DECL_LOCAL_CLASS) judge_class(p, p->order.at[i]);
    if (!any_abstract(p)) return;
    Instances x = {p, table_new(p->arena)};
    IrWalker names = {.cx = &x, .expr = note_target, .arg = note_arg};
    IrWalker calls = {.cx = &x, .expr = judge_call};
    ir_walk_stmts(&names, body);
    ir_walk_stmts(&calls, body);
}
