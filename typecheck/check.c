// check.c - the pass `check`: a parsed module to a unit in which every role question is decided.

#include <string.h>

#include "compiler/ir/scopes.h"
#include "typecheck/internal.h"
#include "typecheck/python/python.h"
#include "typecheck/typecheck.h"

// ---- module statements of the checked unit ----

bool is_main_guard(const Stmt *s) {
    if (s->kind != STMT_IF || s->if_.test->kind != EXPR_COMPARE) return false;
    const Expr *left = s->if_.test->compare.left;
    return left->kind == EXPR_NAME && sym_is(left->name.id, "__name__");
}

static bool from_pychoral(const Stmt *s) {
    if (s->kind != STMT_IMPORT_FROM || s->import_from.module == NULL) return false;
    Sym m = s->import_from.module;
    return program_is_library(m) || strcmp(m, "__future__") == 0;
}

// An enum's members are labels at any role: its role header is only for the reader.
static const Stmt *plain_enum(Program *p, const Stmt *s) {
    Vec(const Expr *) bases = {0};
    for (size_t i = 0; i < s->class_def.bases.len; i++) {
        const Expr *b = s->class_def.bases.at[i];
        bool header = b->kind == EXPR_SUBSCRIPT && b->subscript.value->kind == EXPR_NAME &&
            strncmp(b->subscript.value->name.id, "Ch", 2) == 0;
        if (!header) vec_push(p->arena, &bases, b);
    }
    return stmt_class_def(p->arena, s->at, s->class_def.name, (ExprList){bases.at, bases.len},
                          s->class_def.keywords, s->class_def.body, s->class_def.decorator_list,
                          s->class_def.type_params);
}

static const Stmt *choreo(Program *p, SymList formals, const Stmt *def) {
    if (def == NULL) return NULL;
    return stmt_choreo(p->arena, def->at, formals, (SymList){0}, (SymList){0}, def);
}

static const Stmt *check_class_stmt(Program *p, const Stmt *s) {
    Decl *d = program_find(p, s->class_def.name);
    if (d->kind == DECL_ROLE) return NULL;
    if (d->kind == DECL_ENUM) return plain_enum(p, s);
    if (d->kind == DECL_ROLE_CLASS && d->stmt != s) {
        Diag *g = diag_report(p->diags, source_first_line(p->source, s->at), DIAG_CLASS_HEADER,
                              "the class `%s` is defined twice", d->name);
        diag_label(g, source_first_line(p->source, d->stmt->at), "also here");
        return NULL;
    }
    return d->kind == DECL_ROLE_CLASS ? choreo(p, d->formals, check_class(p, d)) : s;
}

static void note_main_guard(Program *p, const Stmt *s) {
    Diag *d = diag_report(p->diags, s->if_.test->at, DIAG_MAIN_GUARD,
                          "`if __name__ == ..` is omitted from the generated programs");
    diag_note(d, "generated programs call the entry themselves, without a guard");
}

static const Stmt *check_module_stmt(Program *p, const Stmt *s) {
    if (is_main_guard(s)) {
        note_main_guard(p, s);
        return NULL;
    }
    if (from_pychoral(s)) return NULL;
    if (s->kind == STMT_CLASS_DEF) return check_class_stmt(p, s);
    if (s->kind != STMT_FUNCTION_DEF) return s;
    Decl *d = program_find(p, s->function_def.name);
    if (d->kind != DECL_CHOREOGRAPHY) return s;
    if (d->function->def != s) {
        Diag *g = diag_report(p->diags, source_first_line(p->source, s->at), DIAG_CLASS_HEADER,
                              "the choreography `%s` is defined twice", d->name);
        diag_label(g, source_first_line(p->source, d->function->def->at), "also here");
        return NULL;
    }
    return choreo(p, d->function->formals, check_function(p, NULL, d->function));
}

static bool is_choreography(Program *p, const Stmt *s) {
    Decl *d = s->kind == STMT_CLASS_DEF ? program_find(p, s->class_def.name)
        : s->kind == STMT_FUNCTION_DEF ? program_find(p, s->function_def.name) : NULL;
    return d != NULL && (d->kind == DECL_ROLE_CLASS || d->kind == DECL_CHOREOGRAPHY);
}

// The functions that stand for methods of a class.
static void check_lifted(Program *p, const Stmt *s, StmtVec *out) {
    Decl *d = s->kind == STMT_CLASS_DEF ? program_find(p, s->class_def.name) : NULL;
    for (size_t i = 0; d != NULL && d->stmt == s && i < d->lifted_order.len; i++) {
        Function *f = d->lifted_order.at[i]->function;
        const Stmt *checked = choreo(p, f->formals, check_function(p, NULL, f));
        checked = generic_lower(p, f->def, checked, out);
        if (checked != NULL) vec_push(p->arena, out, checked);
    }
}

// Classes come first: their `__init__` says what fields there are.
static const Unit *check_module(Program *p, StmtList body) {
    const Stmt **done = ARENA_ARRAY(p->arena, const Stmt *, body.len + 1);
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_CLASS_DEF) done[i] = check_module_stmt(p, body.at[i]);
    StmtVec out = {0};
    for (size_t i = 0; i < body.len; i++) {
        if (body.at[i]->kind != STMT_CLASS_DEF) done[i] = check_module_stmt(p, body.at[i]);
        if (is_choreography(p, body.at[i]))
            done[i] = generic_lower(p, body.at[i], done[i], &out);
        else if (done[i] == body.at[i])
            done[i] = generic_lower_local(p, done[i], &out);
        if (done[i] != NULL) vec_push(p->arena, &out, done[i]);
        if (is_choreography(p, body.at[i])) check_lifted(p, body.at[i], &out);
    }
    return unit_module(p->arena, generic_imports(p, (StmtList){out.at, out.len}));
}

// What Python's symbol table refuses.
static void report_scopes(Program *p, StmtList body) {
    Arena *scratch = arena_within(p->arena);
    scopes_new(scratch, p->names, body, p->diags);
    arena_free(scratch);
}

// Static methods of classes of several roles that are one role's code.
static void check_static_methods(Program *p) {
    for (size_t i = 0; i < p->functions.len; i++) {
        const Function *f = p->functions.at[i];
        if (f->local && !f->external) pyt_check_function(p->py->file->env, f->def, NULL);
    }
}

const Unit *typecheck_unit(Arena *a, Names *names, const Source *source, const Loader *loader,
                           TypecheckParse *parse, const Unit *unit, Sym entry,
                           TypecheckFacts *facts, Diags *diags) {
    Program p = {.arena = a, .names = names, .source = source, .loader = loader,
                 .parse = parse,
                 .diags = diags, .entry = entry,
                 .role_parts = table_new(a), .decls = table_new(a), .uses = table_new(a),
                 .lowered = table_new(a), .lowered_names = table_new(a),
                 .lowered_from = table_new(a), .inner = table_new(a),
                 .told = table_new(a),
                 .unordered = table_new(a), .unsure_names = table_new(a),
                 .nested = table_new(a), .said = table_new(a),
                 .hoist_trouble = table_new(a)};
    p.body = alias_write_out(&p, unit->module.body);
    StmtList body = hoist_classes(&p, p.body);
    p.py = pyt_new(&p, body);
    program_collect(&p, body);
    if (p.unread) return unit;      // errors of unread annotations would follow from the import
    pyt_hide_choreography(p.py);
    signature_collect(&p);
    pyt_hide_choreography(p.py);
    entry_check(&p);
    IrIndex index = ir_index_open(p.arena, body);
    python_rules_check(&p, body, index);
    report_scopes(&p, body);
    const Unit *checked = check_module(&p, body);
    override_check(&p);
    local_class_check(&p, body);
    local_check(&p, body, index);
    ir_index_close(&index);
    assigned_check_module(&p, checked->module.body);
    if (p.parse != NULL) {
        pyt_check_module(p.py, body);
        check_static_methods(&p);
    }
    report_missing_imports(&p, body);
    checked = effect_run(&p, checked);
    if (facts == NULL) return checked;
    facts->loads = p.loads;
    if (facts->interfaces != NULL && program_find(&p, entry) == NULL &&
        diags_error_count(diags) == 0)
        *facts->interfaces = interface_write(&p, body);
    return checked;
}
