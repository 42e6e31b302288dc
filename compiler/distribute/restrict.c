// restrict.c - the restrictions of the paper, checked by name: its rules know an object by the one
// variable that it is assigned to.

#include "compiler/distribute/restrict.h"

#include <string.h>

#include "compiler/distribute/bodies.h"

typedef enum ObjectKind { OBJECT_DATASET, OBJECT_OPTIMIZER, OBJECT_CHECKPOINT } ObjectKind;

typedef struct Object {
    Sym name;
    ObjectKind kind;
    const Stmt *created, *scope;        // scope: the function, or NULL
} Object;

typedef struct Check {
    Tool *t;
    Diags *diags;
    Sym tensorflow;
    Vec(Object) objects;
    bool past_imports;
    int conditions;
    const Stmt *scope;
} Check;

static const char *const WORDS[] = {"dataset", "optimizer", "checkpoint"};

// ---- what an expression is ----

static bool is_chain_of(const Check *c, const Expr *e, const char *first, const char *second)
{
    const char *const attrs[] = {first, second, NULL};
    return expr_is_chain(e, c->tensorflow, attrs);
}

static bool is_dataset_call(const Check *c, const Expr *e)
{
    for (;; e = e->kind == EXPR_CALL ? e->call.func : e->attribute.value) {
        if (e->kind != EXPR_CALL && e->kind != EXPR_ATTRIBUTE)
            return false;
        if (e->kind == EXPR_ATTRIBUTE && is_chain_of(c, e->attribute.value, "data", "Dataset"))
            return true;
    }
}

static bool is_creation(const Check *c, const Expr *call, ObjectKind *kind)
{
    if (call == NULL || call->kind != EXPR_CALL)
        return false;
    *kind = is_chain_of(c, call->call.func, "optimizers", "Adam")    ? OBJECT_OPTIMIZER
            : is_chain_of(c, call->call.func, "train", "Checkpoint") ? OBJECT_CHECKPOINT
                                                                     : OBJECT_DATASET;
    return *kind != OBJECT_DATASET || is_dataset_call(c, call);
}

static const Object *object_of(const Check *c, const Expr *e)
{
    if (e == NULL || e->kind != EXPR_NAME)
        return NULL;
    for (size_t i = c->objects.len; i-- > 0;) {
        const Object *o = &c->objects.at[i];
        if (o->name == e->name.id && (o->scope == c->scope || o->scope == NULL))
            return o;
    }
    return NULL;
}

// Whether a value is made of the object itself: `ds.batch(3).map(f)`.
static bool is_made_of(const Expr *e, Sym name)
{
    while (e->kind == EXPR_CALL || e->kind == EXPR_ATTRIBUTE)
        e = e->kind == EXPR_CALL ? e->call.func : e->attribute.value;
    return expr_is_name(e, name);
}

// ---- creations ----

static DiagId aliased_code(ObjectKind kind)
{
    return kind == OBJECT_CHECKPOINT ? DIAG_CHECKPOINT_ALIASED : DIAG_OBJECT_ALIASED;
}

static void note_creation(Check *c, const Stmt *s, Sym name, ObjectKind kind)
{
    if (c->conditions > 0)
        diag_help(diag_report(c->diags, s->at, DIAG_OBJECT_CONDITIONAL,
                              "this %s is created inside a condition", WORDS[kind]),
                  "create the object unconditionally, and select its arguments with the condition");
    for (size_t i = 0; i < c->objects.len; i++) {
        const Object *o = &c->objects.at[i];
        bool again = kind != OBJECT_DATASET || (o->name == name && o->scope == c->scope);
        if (o->kind != kind || !again)
            continue;
        Diag *d = diag_report(c->diags, s->at, aliased_code(kind),
                              "the seed rules support a script with only one %s, created once",
                              WORDS[kind]);
        diag_label(d, o->created->at, "the first one is created here");
        diag_help(d, "use the default rules: omit `--rules=seed`");
    }
    vec_push(c->t->arena, &c->objects, ((Object){name, kind, s, c->scope}));
}

// ---- statements ----

static bool is_docstring(const Stmt *s)
{
    return s->kind == STMT_EXPR && s->expr.value->kind == EXPR_CONSTANT;
}

static void check_import(Check *c, const Stmt *s)
{
    if (c->past_imports || c->scope != NULL || c->conditions > 0)
        diag_help(diag_report(c->diags, s->at, DIAG_IMPORT_LATE,
                              "this import is not at the top of the file"),
                  "move the import to the top of the file");
    for (size_t i = 0; s->kind == STMT_IMPORT && i < s->import.names.len; i++) {
        const Alias *a = s->import.names.at[i];
        if (strncmp(a->name, "tensorflow.", 11) == 0 && a->asname != NULL)
            diag_help(diag_report(c->diags, a->at, DIAG_MEMBER_ALIASED,
                                  "`%s` is an alias of a member of TensorFlow", a->asname),
                      "write `import tensorflow`, and use the full name `%s`", a->name);
    }
    Sym module = s->kind == STMT_IMPORT_FROM ? s->import_from.module : NULL;
    if (module != NULL && (sym_is(module, "tensorflow") || strncmp(module, "tensorflow.", 11) == 0))
        diag_help(diag_report(c->diags, s->at, DIAG_MEMBER_ALIASED,
                              "this import creates aliases of members of TensorFlow"),
                  "write `import tensorflow`, and use the full names of its members");
}

// `x = tf.keras`: the chain without a call.
static bool is_member(const Check *c, const Expr *e)
{
    if (e->kind != EXPR_ATTRIBUTE)
        return false;
    while (e->kind == EXPR_ATTRIBUTE)
        e = e->attribute.value;
    return expr_is_name(e, c->tensorflow);
}

static void check_value(Check *c, const Stmt *s, const Expr *target, const Expr *value)
{
    ObjectKind kind;
    const Object *of = object_of(c, value), *held = object_of(c, target);
    if (expr_is_name(value, c->tensorflow))
        diag_help(diag_report(c->diags, s->at, DIAG_TENSORFLOW_REBOUND,
                              "the TensorFlow module is assigned to a variable"),
                  "use `%s` in place of the variable", c->tensorflow);
    else if (expr_is_name(target, c->tensorflow))
        diag_help(diag_report(c->diags, s->at, DIAG_TENSORFLOW_REBOUND,
                              "`%s` is the name of the TensorFlow module, and this statement "
                              "reassigns it", c->tensorflow),
                  "use another variable here");
    if (is_member(c, value))
        diag_help(diag_report(c->diags, s->at, DIAG_MEMBER_ALIASED,
                              "a member of TensorFlow is assigned to a variable"),
                  "use the full name `%s` in place of the variable",
                  tool_text(c->t, value));
    if (of != NULL)
        diag_help(diag_report(c->diags, s->at, aliased_code(of->kind),
                              "this %s is assigned to a second variable", WORDS[of->kind]),
                  "use `%s` in place of the second variable", of->name);
    if (target->kind == EXPR_NAME && is_creation(c, value, &kind))
        note_creation(c, s, target->name.id, kind);
    else if (held != NULL && of == NULL && !is_made_of(value, held->name))
        diag_help(diag_report(c->diags, s->at, DIAG_OBJECT_REBOUND,
                              "`%s` holds the %s, and this statement reassigns it", held->name,
                              WORDS[held->kind]),
                  "use another variable here");
}

static bool see_apply(void *cx, const Expr *e)
{
    Check *c = cx;
    if (e->kind == EXPR_CALL && e->call.func->kind == EXPR_ATTRIBUTE &&
        sym_is(e->call.func->attribute.attr, "apply_gradients") &&
        object_of(c, e->call.func->attribute.value) != NULL)
        diag_help(diag_report(c->diags, e->at, DIAG_APPLY_NESTED,
                              "`apply_gradients` is called inside an expression"),
                  "make the call a statement, or the right side of an assignment");
    return true;
}

static const Expr *direct_value(const Stmt *s)
{
    Sym x;
    return s->kind == STMT_EXPR ? s->expr.value : stmt_strict_call(s, &x);
}

// The whole statement but a call that is one itself.
static void check_applies(Check *c, const Stmt *s)
{
    const Expr *direct = direct_value(s);
    const IrWalker w = {.cx = c, .expr = see_apply};
    if (direct != NULL && direct->kind == EXPR_CALL) {
        ir_walk_exprs(&w, direct->call.args);
        ir_walk_keywords(&w, direct->call.keywords);
    } else {
        stmt_exprs(s, see_apply, c);
    }
}

typedef struct Use { Sym name; const Expr *found; } Use;

static bool see_use(void *cx, const Expr *e)
{
    Use *u = cx;
    if (u->found == NULL && expr_is_name(e, u->name))
        u->found = e;
    return true;
}

static void report_late(Check *c, const Expr *use, const Object *o)
{
    Diag *d = diag_report(c->diags, use->at, DIAG_OPTIMIZER_LATE,
                          "the optimizer `%s` is defined after the code that uses it", o->name);
    diag_label(d, o->created->at, "defined here");
    diag_help(d, "define `%s` before the function or class that uses it", o->name);
}

// Functions of the module that stand before the optimizer that they use.
static void check_order(Check *c, StmtList list)
{
    for (size_t i = 0; i < c->objects.len; i++) {
        const Object *o = &c->objects.at[i];
        for (size_t k = 0; o->kind == OBJECT_OPTIMIZER && o->scope == NULL && k < list.len; k++) {
            Use use = {.name = o->name};
            const IrWalker w = {.cx = &use, .expr = see_use};
            bool earlier = list.at[k]->at.start < o->created->at.start;
            bool defines = list.at[k]->kind == STMT_FUNCTION_DEF ||
                           list.at[k]->kind == STMT_CLASS_DEF;
            if (earlier && defines)
                ir_walk_stmt(&w, list.at[k]);
            if (use.found != NULL)
                report_late(c, use.found, o);
        }
    }
}

static void check_list(Check *c, StmtList list);

static void check_body(void *cx, const Stmt *owner, BodyKind kind, StmtList body)
{
    Check *c = cx;
    const Stmt *scope = c->scope;
    int conditions = c->conditions;
    if (kind == BODY_FUNCTION) {
        c->scope = owner;
        c->conditions = 0;
    } else if (kind != BODY_WITH && kind != BODY_CLASS) {
        c->conditions++;
    }
    check_list(c, body);
    c->scope = scope;
    c->conditions = conditions;
}

static void check_print(Check *c, const Stmt *s)
{
    const Expr *e = s->kind == STMT_EXPR ? s->expr.value : NULL;
    if (e == NULL || e->kind != EXPR_CALL || e->call.func->kind != EXPR_NAME ||
        !sym_is(e->call.func->name.id, "print"))
        return;
    const Expr *effect = args_effect(e);
    if (effect != NULL)
        diag_help(diag_report(c->diags, effect->at, DIAG_PRINT_EFFECT,
                              "this argument of `print` may have a side effect"),
                  "assign the argument to a variable before the `print`");
}

static void check_stmt(Check *c, const Stmt *s)
{
    bool import = s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM;
    if (import)
        check_import(c, s);
    else if (!is_docstring(s))
        c->past_imports = true;
    for (size_t i = 0; s->kind == STMT_ASSIGN && i < s->assign.targets.len; i++)
        check_value(c, s, s->assign.targets.at[i], s->assign.value);
    if (s->kind == STMT_ANN_ASSIGN && s->ann_assign.value != NULL)
        check_value(c, s, s->ann_assign.target, s->ann_assign.value);
    check_applies(c, s);
    check_print(c, s);
}

// A chain of `elif` is followed in a loop.
static void check_list(Check *c, StmtList list)
{
    for (size_t i = 0; i < list.len; i++) {
        const Stmt *s = list.at[i];
        for (; s->kind == STMT_IF && s->if_.orelse.len == 1 &&
               s->if_.orelse.at[0]->kind == STMT_IF; s = s->if_.orelse.at[0]) {
            check_stmt(c, s);
            check_body(c, s, BODY_BRANCH, s->if_.body);
        }
        check_stmt(c, s);
        bodies_each(s, check_body, c);
    }
}

static bool find_tensorflow(void *cx, const Alias *a)
{
    Check *c = cx;
    if (sym_is(a->name, "tensorflow"))
        c->tensorflow = a->asname != NULL ? a->asname : a->name;
    return true;
}

void seed_check(Tool *t)
{
    Check c = {.t = t, .diags = t->cx->diags};
    const IrWalker w = {.cx = &c, .alias = find_tensorflow};
    StmtList body = t->cx->unit->module.body;
    ir_walk_unit(&w, t->cx->unit);
    if (c.tensorflow == NULL) {
        Span first = body.len > 0 ? body.at[0]->at : (Span){0, 0};
        diag_report(t->cx->diags, first, DIAG_NO_TRAINING,
                    "the script does not import TensorFlow: there is no training to distribute");
        return;
    }
    check_list(&c, body);
    check_order(&c, body);
}
