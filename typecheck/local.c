// local.c - what code without roles may not do, and whether it gives the same everywhere.

#include <string.h>

#include "typecheck/internal.h"

static const char *const DYNAMIC[] = {"eval", "exec", "globals", "locals", "vars", "__import__"};

static bool dynamic(Sym name) {
    for (size_t i = 0; i < sizeof DYNAMIC / sizeof *DYNAMIC; i++)
        if (sym_is(name, DYNAMIC[i])) return true;
    return false;
}

// ---- uses that are refused ----

static bool refuse(void *cx, const Expr *e) {
    Program *p = cx;
    if (e->kind != EXPR_NAME || e->name.ctx != EXPR_CONTEXT_LOAD) return true;
    Decl *d = program_find(p, e->name.id);
    if (d == NULL) {
        if (dynamic(e->name.id))
            diag_report(p->diags, e->at, DIAG_DYNAMIC_CODE,
                        "`%s` looks names up at run time; projection needs them before",
                        e->name.id);
        return true;
    }
    if (d->kind == DECL_CHOREOGRAPHY || d->kind == DECL_ROLE_CLASS) {
        Diag *g = diag_report(p->diags, e->at, DIAG_LOCAL_CALLS_CHOREO,
                              "one role's code uses the choreography `%s`", d->name);
        diag_label(g, d->at, "`%s` has code of several roles", d->name);
        diag_help(g, "give the signature around this roles: `At[T, R]`");
    } else if (d->kind == DECL_ROLE) {
        diag_report(p->diags, e->at, DIAG_ROLE_AS_VALUE,
                    "`%s` is a role: one role's code cannot name it", d->name);
    }
    return true;
}

static bool refuse_dynamic(void *cx, const Expr *e) {
    Program *p = cx;
    if (e->kind == EXPR_NAME && dynamic(e->name.id) && program_find(p, e->name.id) == NULL)
        diag_report(p->diags, e->at, DIAG_DYNAMIC_CODE,
                    "`%s` looks names up at run time; projection needs them before", e->name.id);
    return true;
}

static Span header_line(const Program *p, Span at) {
    uint32_t end = at.start;
    while (end < at.end && p->source->text.at[end] != '\n') end++;
    return (Span){at.start, end};
}

// The programs that are written are Python 3.10, which has no words for these.
static void refuse_newer(Program *p, const Stmt *s) {
    bool generic = (s->kind == STMT_FUNCTION_DEF && s->function_def.type_params.len > 0) ||
        (s->kind == STMT_CLASS_DEF && s->class_def.type_params.len > 0) ||
        (s->kind == STMT_ASYNC_FUNCTION_DEF && s->async_function_def.type_params.len > 0);
    const char *what = generic ? "a type parameter list (use `TypeVar`)"
        : s->kind == STMT_TYPE_ALIAS ? "a `type` statement (use `TypeAlias`)"
        : s->kind == STMT_TRY_STAR ? "`except*`, which Python 3.10 does not have," : NULL;
    if (what != NULL) report_unsupported(p, header_line(p, s->at), what);
}

static bool note_stmt(void *cx, const Stmt *s) {
    Program *p = cx;
    refuse_newer(p, s);
    for (size_t i = 0; s->kind == STMT_GLOBAL && i < s->global.names.len; i++) {
        Decl *d = program_find(p, s->global.names.at[i]);
        if (d != NULL) d->rebound = true;
    }
    return true;
}

static bool inherits_roles(Program *p, const Stmt *s) {
    for (size_t i = 0; s->kind == STMT_CLASS_DEF && i < s->class_def.bases.len; i++) {
        const Expr *base = s->class_def.bases.at[i];
        if (base->kind == EXPR_SUBSCRIPT) base = base->subscript.value;
        Decl *d = base->kind == EXPR_NAME ? program_find(p, base->name.id) : NULL;
        if (d == NULL || d->kind != DECL_ROLE_CLASS) continue;
        report_unsupported(p, s->class_def.bases.at[i]->at,
                           "inheritance of a class of several roles");
        return true;
    }
    return false;
}

static bool is_local(Program *p, const Stmt *s) {
    Sym name = s->kind == STMT_FUNCTION_DEF ? s->function_def.name
        : s->kind == STMT_CLASS_DEF ? s->class_def.name : NULL;
    Decl *d = program_find(p, name);
    if (s->kind == STMT_CLASS_DEF) return d != NULL && d->kind == DECL_LOCAL_CLASS;
    return d == NULL || d->kind != DECL_CHOREOGRAPHY;
}

void local_check(Program *p, StmtList body) {
    IrWalker w = {.cx = p, .expr = refuse, .stmt = note_stmt};
    IrWalker dynamic_only = {.cx = p, .expr = refuse_dynamic, .stmt = note_stmt};
    for (size_t i = 0; i < body.len; i++)
        if (!is_main_guard(body.at[i])) {
            bool local = is_local(p, body.at[i]);
            bool inherits = local && inherits_roles(p, body.at[i]);
            ir_walk_stmt(local && !inherits ? &w : &dynamic_only, body.at[i]);
        }
}

// ---- determinism ----

typedef struct Purity { Program *p; bool ok; } Purity;

// Foreign modules whose use changes nothing about a result.
static bool harmless_module(const Stmt *s, Sym name) {
    static const char *const MODULES[] = {"dataclasses", "enum", "typing", "abc", "fractions",
                                          "decimal", "json", "hashlib", "itertools", "functools",
                                          "collections", "operator", "re", "string", "textwrap"};
    const char *module = name;
    if (s != NULL && s->kind == STMT_IMPORT_FROM && s->import_from.module != NULL)
        module = s->import_from.module;
    for (size_t i = 0; i < sizeof MODULES / sizeof *MODULES; i++)
        if (strcmp(module, MODULES[i]) == 0) return true;
    return false;
}

bool local_environment(const Decl *d) {
    static const char *const MODULES[] = {"os", "sys", "platform", "socket", "locale", "threading"};
    if (d->kind != DECL_IMPORT || d->stmt == NULL) return false;
    const char *module = d->stmt->kind == STMT_IMPORT_FROM && d->stmt->import_from.module != NULL
        ? d->stmt->import_from.module : d->name;
    for (size_t i = 0; i < sizeof MODULES / sizeof *MODULES; i++)
        if (strcmp(module, MODULES[i]) == 0) return true;
    return false;
}

static bool look_at(void *cx, const Expr *e) {
    Purity *u = cx;
    if (e->kind != EXPR_NAME || !u->ok) return u->ok;
    Decl *d = program_find(u->p, e->name.id);
    if (d == NULL)
        u->ok = !builtin_exists(e->name.id) || builtin_deterministic(e->name.id);
    else if (d->kind == DECL_IMPORT)
        u->ok = harmless_module(d->stmt, d->name);
    else if (d->kind == DECL_VARIABLE)
        u->ok = !d->rebound;
    else if (d->kind == DECL_LOCAL_FUNCTION || d->kind == DECL_LOCAL_CLASS)
        u->ok = local_deterministic(u->p, d);
    return u->ok;
}

bool local_deterministic_expr(Program *p, const Expr *e) {
    Purity u = {p, true};
    IrWalker w = {.cx = &u, .expr = look_at};
    ir_walk_expr(&w, e);
    return u.ok;
}

// A recursive call adds nothing: while a function is being asked about, it counts as deterministic.
// A class is deterministic if all its methods are.
bool local_deterministic(Program *p, Decl *d) {
    if (d->stmt == NULL) return false;
    if (d->stmt->kind != STMT_FUNCTION_DEF && d->stmt->kind != STMT_CLASS_DEF) return false;
    if (d->purity == PURITY_UNKNOWN) {
        d->purity = PURITY_ASKED;
        Purity u = {p, true};
        IrWalker w = {.cx = &u, .expr = look_at};
        ir_walk_stmts(&w, d->stmt->kind == STMT_CLASS_DEF ? d->stmt->class_def.body
                                                          : d->stmt->function_def.body);
        d->purity = u.ok ? PURITY_YES : PURITY_NO;
    }
    return d->purity != PURITY_NO;
}
