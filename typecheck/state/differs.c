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

// Did a decorator make something of what the module defines?
static bool is_replaced(State *s, Id node) {
    const IdSet set = state_set(s, node);
    for (size_t i = 0; i < set.len; i++) {
        const Obj *o = s->objs.at[set.at[i]];
        if (o->def == NULL || o->by == NULL || o->by->stmt == NULL) return true;
    }
    return set.len == 0;
}

static bool is_plain(State *s, Id node) {
    const IdSet set = state_set(s, node);
    bool plain = true;
    for (size_t i = 0; i < set.len; i++)
        plain &= s->objs.at[set.at[i]]->pure || s->objs.at[set.at[i]]->kind == OBJ_LIBRARY;
    return plain;
}

// What a statement binds may differ, if its value may. `plain`: an object says so itself.
static bool note_bound(State *s, const Stmt *stmt, bool plain) {
    bool any = false;
    SymList names = names_bound(s->arena, s->p->names, (StmtList){&stmt, 1});
    for (size_t i = 0; i < names.len; i++) {
        Decl *d = program_find(s->p, names.at[i]);
        if (d == NULL || d->differs) continue;
        Id node = gen_variable(s, s->module, d->name);
        bool value = d->kind == DECL_VARIABLE && !program_is_type_name(s->p, d);
        if (is_definition(stmt) ? !is_replaced(s, node) : !value || (plain && !is_plain(s, node)))
            continue;
        any = d->differs = true;
        table_set(s->assigned, d->name, s);
        gen_cell(s, s->module, d->name, d->at)->differs = true;
    }
    local_ask_again(s->p);
    return any;
}

void state_note_unsure(State *s, Ctx *statement) {
    if (is_definition(statement->stmt) || local_deterministic_stmt(s->p, statement->stmt)) return;
    note_bound(s, statement->stmt, false);
    statement->unsure = true;
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
        Sym name = unsure ? pyt_def_name(body.at[i]) : NULL;
        bool replaced = name != NULL && is_replaced(s, gen_variable(s, c->scope, name));
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
    if (stmt != NULL) return local_own_deterministic(s->p, (StmtList){&stmt, 1}, NULL, true);
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
static bool leads_to_unsure(State *s, Ctx *statement, const void *mark, bool *reads) {
    CtxList all = state_reached(s, statement, mark);
    for (size_t k = 0; k < all.len; k++) {
        const Ctx *cx = all.at[k];
        if (!is_alike(s, cx)) return true;
        for (size_t i = 0; i < cx->evals.len && !*reads; i++)
            *reads = holds_differing(s, cx->evals.at[i].node);
    }
    return false;
}

// What the statement changes, itself or in what it calls, may differ.
static void spread(State *s, Ctx *statement) {
    CtxList all = state_reached(s, statement, statement);
    for (size_t k = 0; k < all.len; k++)
        for (size_t i = 0; i < all.at[k]->loads.len; i++)
            all.at[k]->loads.at[i]->obj->differs = true;
}

// *mark: code with it is known to lead to nothing that may differ.
static bool follow(State *s, Ctx *cx, const void **mark) {
    bool reads = false, unsure = leads_to_unsure(s, cx, *mark, &reads);
    if (unsure || reads) *mark = ARENA_NEW(s->arena, char);
    if (!unsure) return reads && !is_definition(cx->stmt) && note_bound(s, cx->stmt, true);
    cx->unsure = true;
    spread(s, cx);
    note_bound(s, cx->stmt, false);
    return true;
}

void state_spread(State *s) {
    for (size_t i = 0; i < s->statements.len; i++)
        if (s->statements.at[i]->unsure) spread(s, s->statements.at[i]);
    for (bool again = true; again;) {
        const void *mark = ARENA_NEW(s->arena, char);
        again = false;
        s->alike = table_new(s->arena);
        for (size_t i = 0; i < s->statements.len; i++) {
            Ctx *cx = s->statements.at[i];
            if (!cx->unsure && cx->stmt->kind != STMT_CHOREO) again |= follow(s, cx, &mark);
        }
    }
    for (size_t i = 0; i < s->statements.len; i++)
        if (s->statements.at[i]->stmt->kind == STMT_CLASS_DEF)
            note_class_differs(s, s->statements.at[i]->stmt, s->statements.at[i]->unsure);
}
