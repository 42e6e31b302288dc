// differs.c - what may differ from role to role once the modules have loaded: what statements bind
// and change that use a value which may, themselves or in code that they lead to.

#include "compiler/ir/free_names.h"
#include "typecheck/state/state.h"

static bool is_definition(const Stmt *s) {
    return s->kind == STMT_FUNCTION_DEF || s->kind == STMT_ASYNC_FUNCTION_DEF ||
        s->kind == STMT_CLASS_DEF || s->kind == STMT_CHOREO || s->kind == STMT_IMPORT ||
        s->kind == STMT_IMPORT_FROM;
}

// ---- variables ----

static void note_variable(State *s, Decl *d) {
    Obj *cell = s->module->cells != NULL ? table_get(s->module->cells, d->name) : NULL;
    if (cell != NULL) cell->differs = true;
    d->differs = true;
    table_set(s->assigned, d->name, s);
}

// What a statement binds may differ, if its value may.
static void note_differs(State *s, const Stmt *stmt) {
    SymList names = names_bound(s->arena, s->p->names, (StmtList){&stmt, 1});
    for (size_t i = 0; i < names.len; i++) {
        Decl *d = program_find(s->p, names.at[i]);
        if (d != NULL && d->kind == DECL_VARIABLE && !program_is_type_name(s->p, d))
            note_variable(s, d);
    }
    local_ask_again(s->p);
}

void state_note_unsure(State *s, Ctx *statement) {
    if (is_definition(statement->stmt) || local_deterministic_stmt(s->p, statement->stmt)) return;
    note_differs(s, statement->stmt);
    statement->unsure = true;
}

static Sym name_of(const Stmt *def) {
    return def->kind == STMT_CLASS_DEF ? def->class_def.name : pyt_def_name(def);
}

// Did a decorator make something of what the module defines?
static bool is_replaced(State *s, const Stmt *def, Id node) {
    size_t decorators = def->kind == STMT_CLASS_DEF ? def->class_def.decorator_list.len
                                                    : pyt_decorators(def).len;
    if (decorators == 0) return false;
    const IdSet set = state_set(s, node);
    for (size_t i = 0; i < set.len; i++) {
        const Obj *o = s->objs.at[set.at[i]];
        if (o->def == NULL || o->by == NULL || o->by->stmt == NULL) return true;
    }
    return set.len == 0;
}

// ---- classes ----

// A field's default that is made for each instance is none of the class.
static bool is_same(State *s, const Stmt *member) {
    if (is_definition(member)) return true;
    if (member->kind != STMT_ANN_ASSIGN) return local_deterministic_stmt(s->p, member);
    const Expr *written = member->ann_assign.value, *value = class_field_value(written);
    return value == NULL || (value == written ? local_deterministic_stmt(s->p, member)
                                              : local_deterministic_expr(s->p, value));
}

static void note_class_differs(State *s, const Stmt *def, bool unsure) {
    const Obj *c = table_get(s->loading->made, def);
    StmtList body = def->class_def.body;
    for (size_t i = 0; i < body.len; i++) {
        Sym name = name_of(body.at[i]);
        bool replaced = unsure && name != NULL &&
            is_replaced(s, body.at[i], gen_variable(s, c->scope, name));
        if (!replaced && is_same(s, body.at[i])) continue;
        SymList names = names_bound(s->arena, s->p->names, (StmtList){&body.at[i], 1});
        for (size_t k = 0; k < names.len; k++) {
            Obj *cell = gen_cell(s, c->scope, names.at[k], body.at[i]->at);
            cell->name = names_format(s->p->names, "%s.%s", c->name, names.at[k]);
            cell->differs = true;
        }
    }
}

// ---- code that a statement leads to ----

static bool is_alike(State *s, const Ctx *cx) {
    const Stmt *stmt = cx->stmt;
    if (stmt != NULL)
        return is_definition(stmt) ? local_own_deterministic(s->p, (StmtList){&stmt, 1}, NULL, true)
                                   : local_deterministic_stmt(s->p, stmt);
    const Obj *f = cx->function;
    if (f == NULL) return true;
    const void *key = f->expr != NULL ? (const void *)f->expr : (const void *)f->def;
    void *known = table_get(s->alike, key);
    if (known != NULL) return known == s;
    bool same = f->expr != NULL
        ? local_own_deterministic(s->p, (StmtList){0}, f->expr->lambda.body, true)
        : local_own_deterministic(s->p, pyt_body(f->def), NULL, !pyt_untyped(f->def));
    table_set(s->alike, key, same ? (void *)s : (void *)s->alike);
    return same;
}

static bool holds_differing(State *s, Id node) {
    const IdSet set = state_set(s, node);
    for (size_t i = 0; i < set.len; i++)
        if (s->objs.at[set.at[i]]->differs) return true;
    return false;
}

// Does it, or what it calls, use a value that may differ? *reads: or an object that may.
static bool leads_to_unsure(State *s, Ctx *cx, const void *mark, bool *reads) {
    if (cx->seen == mark) return false;
    cx->seen = mark;
    bool unsure = !is_alike(s, cx);
    for (size_t i = 0; i < cx->evals.len && !*reads; i++)
        *reads = holds_differing(s, cx->evals.at[i].node);
    for (size_t i = 0; i < cx->callees.len && !unsure; i++)
        unsure = leads_to_unsure(s, cx->callees.at[i], mark, reads);
    return unsure;
}

// What the statement changes, itself or in what it calls, may differ.
static void spread(Ctx *cx, const Ctx *from) {
    if (cx->seen == from) return;
    cx->seen = from;
    for (size_t i = 0; i < cx->loads.len; i++) cx->loads.at[i]->obj->differs = true;
    for (size_t i = 0; i < cx->callees.len; i++) spread(cx->callees.at[i], from);
}

static bool is_plain(State *s, Id node) {
    const IdSet set = state_set(s, node);
    for (size_t i = 0; i < set.len; i++) {
        const Obj *o = s->objs.at[set.at[i]];
        if (o->kind != OBJ_LIBRARY && !(o->kind == OBJ_DATA && o->pure)) return false;
    }
    return true;
}

// Plain values that it takes from an object that may differ may, too; of objects that is known.
static bool note_plain(State *s, const Stmt *stmt) {
    bool any = false;
    SymList names = names_bound(s->arena, s->p->names, (StmtList){&stmt, 1});
    for (size_t i = 0; i < names.len; i++) {
        Decl *d = program_find(s->p, names.at[i]);
        bool plain = d != NULL && d->kind == DECL_VARIABLE && !d->differs &&
            is_plain(s, gen_variable(s, s->module, d->name));
        if (plain) note_variable(s, d);
        any |= plain;
    }
    return any;
}

static void note_unsure(State *s, Ctx *cx) {
    Sym name = name_of(cx->stmt);
    Decl *d = name != NULL ? program_find(s->p, name) : NULL;
    cx->unsure = true;
    spread(cx, cx);
    if (!is_definition(cx->stmt)) note_differs(s, cx->stmt);
    else if (d != NULL && is_replaced(s, cx->stmt, gen_variable(s, s->module, name)))
        note_variable(s, d);
}

static bool spread_further(State *s, Ctx *cx) {
    bool reads = false, unsure = leads_to_unsure(s, cx, ARENA_NEW(s->arena, char), &reads);
    if (unsure) note_unsure(s, cx);
    return unsure || (reads && !is_definition(cx->stmt) && note_plain(s, cx->stmt));
}

void state_spread(State *s) {
    for (size_t i = 0; i < s->statements.len; i++)
        if (s->statements.at[i]->unsure) spread(s->statements.at[i], s->statements.at[i]);
    for (bool again = true; again;) {
        again = false;
        s->alike = table_new(s->arena);
        local_ask_again(s->p);
        for (size_t i = 0; i < s->statements.len; i++) {
            Ctx *cx = s->statements.at[i];
            if (!cx->unsure && cx->stmt->kind != STMT_CHOREO) again |= spread_further(s, cx);
        }
    }
    for (size_t i = 0; i < s->statements.len; i++)
        if (s->statements.at[i]->stmt->kind == STMT_CLASS_DEF)
            note_class_differs(s, s->statements.at[i]->stmt, s->statements.at[i]->unsure);
}
