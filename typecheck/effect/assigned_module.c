// assigned_module.c - definite assignment in a module: what it reads has a value by then, and what
// choreographies read, and the code that they use, has one at its end.
//
// A function reads when it is called. A function that is only mentioned (in a table, say) and the
// methods of a class are taken to run later.

#include "compiler/ir/free_names.h"
#include "typecheck/effect/assigned.h"

// ---- what a call reads ----

typedef struct Work { Flow *f; Vec(Inner *) list; Vec(Inner *) seen; bool calls_only; } Work;

static void push(Work *w, Sym name) {
    for (Inner *i = table_get(w->f->inners, name); i != NULL; i = i->next) {
        bool function = i->def->kind == STMT_FUNCTION_DEF;
        if (i->visiting || (w->calls_only && !function)) continue;
        i->visiting = true;
        vec_push(w->f->p->arena, &w->list, i);
        vec_push(w->f->p->arena, &w->seen, i);
    }
}

static void report(Flow *f, const Expr *e, const Expr *call) {
    if (!assigned_lacks(f, e->name.id)) return;
    if (call == NULL) {
        assigned_read(f, e);
        return;
    }
    Diag *d = diag_report(f->p->diags, call->at, DIAG_UNASSIGNED,
                          "`%s` reads `%s`, which may be unassigned here", call->name.id,
                          e->name.id);
    diag_label(d, e->at, "`%s` is read here", e->name.id);
    assigned_help(f, d, e->name.id);
    assigned_set(f, e->name.id);
}

// Everything that is reached from the work; `call`: from which call, NULL at the end of the module.
static void follow(Work *w, const Expr *call) {
    while (w->list.len > 0) {
        const Inner *i = w->list.at[--w->list.len];
        const Reads *on = w->calls_only ? &i->calls : &i->reads;
        for (size_t j = 0; j < i->reads.len; j++) {
            bool definition = table_get(w->f->inners, i->reads.at[j]->name.id) != NULL;
            if (!definition || !w->calls_only) report(w->f, i->reads.at[j], call);
        }
        for (size_t j = 0; j < i->calls.len; j++) report(w->f, i->calls.at[j], call);
        for (size_t j = 0; j < on->len; j++) push(w, on->at[j]->name.id);
    }
}

// Behind a call at the top level nothing that it reached can lose its value again, unless it was
// deleted: nobody looks at it a second time.
void assigned_module_call(Flow *f, const Expr *function) {
    if (f->dead || table_get(f->inners, function->name.id) == NULL) return;
    Work w = {.f = f, .calls_only = true};
    push(&w, function->name.id);
    follow(&w, function);
    for (size_t i = 0; f->depth > 0 && i < w.seen.len; i++) w.seen.at[i]->visiting = false;
}

// ---- statements ----

static void read_arguments(Flow *f, const Stmt *def) {
    const Arguments *args = def->function_def.args;
    assigned_read_all(f, def->function_def.decorator_list);
    assigned_read_all(f, args->defaults);
    assigned_read_all(f, args->kw_defaults);
}

// A base that is a class of this program is judged by hierarchy.c; of that, its arguments are read.
static void read_base(Flow *f, const Expr *base) {
    const Expr *head = base->kind == EXPR_SUBSCRIPT ? base->subscript.value : base;
    bool here = head->kind == EXPR_NAME && table_get(f->inners, head->name.id) != NULL;
    if (!here) assigned_read_all(f, (ExprList){&base, 1});
    else if (head != base) assigned_read_all(f, (ExprList){&base->subscript.slice, 1});
}

static void read_class(Flow *f, const Stmt *def) {
    Program *p = f->p;
    Table *around = f->own;
    assigned_read_all(f, def->class_def.decorator_list);
    for (size_t i = 0; i < def->class_def.bases.len; i++) read_base(f, def->class_def.bases.at[i]);
    for (size_t i = 0; i < def->class_def.keywords.len; i++)
        assigned_read_all(f, (ExprList){&def->class_def.keywords.at[i]->value, 1});
    SymList bound = names_bound(p->arena, p->names, def->class_def.body);
    f->own = table_new(p->arena);
    for (size_t i = 0; i < bound.len; i++) table_set(f->own, bound.at[i], f);
    for (size_t i = 0; i < def->class_def.body.len; i++) {
        const Stmt *s = def->class_def.body.at[i], *inner = assigned_definition(s);
        if (inner != NULL) assigned_module_definition(f, inner);
        else if (s->kind == STMT_ASSIGN) assigned_read_all(f, (ExprList){&s->assign.value, 1});
        else if (s->kind == STMT_ANN_ASSIGN)
            assigned_read_all(f, (ExprList){&s->ann_assign.value, 1});
    }
    f->own = around;
}

void assigned_module_definition(Flow *f, const Stmt *def) {
    if (def->kind == STMT_FUNCTION_DEF) read_arguments(f, def);
    else read_class(f, def);
}

static bool ends_the_run(const Stmt *s) {
    const Expr *e = s->kind == STMT_EXPR ? s->expr.value : NULL;
    if (e == NULL || e->kind != EXPR_CALL) return false;
    e = e->call.func;
    return (e->kind == EXPR_NAME && (sym_is(e->name.id, "exit") || sym_is(e->name.id, "quit"))) ||
        (e->kind == EXPR_ATTRIBUTE && e->attribute.value->kind == EXPR_NAME &&
         sym_is(e->attribute.value->name.id, "sys") && sym_is(e->attribute.attr, "exit"));
}

void assigned_module_simple(Flow *f, const Stmt *s) {
    bool binds = s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM ||
        s->kind == STMT_TYPE_ALIAS || s->kind == STMT_ASYNC_FUNCTION_DEF;
    SymList bound = binds ? names_bound(f->p->arena, f->p->names, (StmtList){&s, 1})
                          : (SymList){0};
    for (size_t i = 0; i < bound.len; i++) assigned_set(f, bound.at[i]);
    f->dead |= ends_the_run(s);
}

// ---- the names of a module ----

static bool is_compound(const Stmt *s) {
    return s->kind == STMT_IF || s->kind == STMT_FOR || s->kind == STMT_WHILE ||
        s->kind == STMT_TRY || s->kind == STMT_TRY_STAR || s->kind == STMT_WITH ||
        s->kind == STMT_MATCH;
}

static bool note_global(void *cx, const Stmt *s) {
    for (size_t i = 0; s->kind == STMT_GLOBAL && i < s->global.names.len; i++)
        table_set(cx, s->global.names.at[i], cx);
    return true;
}

// Names that functions bind, and Python's own, have a value as far as can be seen from here.
static void note_names(Flow *f, StmtList body) {
    Program *p = f->p;
    Table *elsewhere = table_new(p->arena);
    IrWalker globals = {.cx = elsewhere, .stmt = note_global};
    ir_walk_stmts(&globals, body);
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        SymList bound = names_bound(p->arena, p->names, (StmtList){&s, 1});
        const Stmt *def = assigned_definition(s);
        bool follow = is_compound(s) || s->kind == STMT_DELETE ||
            (s->kind == STMT_ANN_ASSIGN && s->ann_assign.value == NULL);
        for (size_t j = 0; j < bound.len; j++) {
            if (table_get(elsewhere, bound.at[j]) != NULL || builtin_exists(bound.at[j])) continue;
            if (follow) assigned_note(f, bound.at[j]);
            else table_set(f->later, bound.at[j], f);
        }
        if (def != NULL) table_set(f->later, assigned_name(def), f);
    }
}

static bool note_definition(void *cx, const Stmt *s) {
    const Stmt *def = assigned_definition(s);
    if (def != NULL) assigned_note_inner(cx, def);
    return def == NULL;
}

void assigned_check_module(Program *p, StmtList body) {
    Flow f = {.p = p, .index = table_new(p->arena), .inners = table_new(p->arena),
              .deleted = table_new(p->arena), .later = table_new(p->arena), .module = true};
    IrWalker definitions = {.cx = &f, .stmt = note_definition};
    note_names(&f, body);
    ir_walk_stmts(&definitions, body);
    assigned_note_deleted(&f, body);
    f.set = ARENA_ARRAY(p->arena, bool, f.count + 1);
    assigned_flow(&f, body);
    if (f.dead) return;
    for (Inner *i = f.last; i != NULL; i = i->before) i->visiting = false;
    Work w = {.f = &f};
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_CHOREO) push(&w, assigned_name(body.at[i]->choreo.def));
    follow(&w, NULL);
}
