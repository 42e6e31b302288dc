// differs.c - what may differ from role to role once the modules have loaded: what statements bind
// and change that use a value which may, themselves or in code that they lead to.

#include "compiler/ir/free_names.h"
#include "typecheck/state/state.h"

static bool is_definition(const Stmt *s) {
    return s->kind == STMT_FUNCTION_DEF || s->kind == STMT_ASYNC_FUNCTION_DEF ||
        s->kind == STMT_CLASS_DEF || s->kind == STMT_CHOREO || s->kind == STMT_IMPORT ||
        s->kind == STMT_IMPORT_FROM;
}

// ---- what a statement binds ----

// Did a decorator make something of what the statement defines?
static bool is_replaced(State *s, Id node) {
    const IdSet set = state_set(s, node);
    for (size_t i = 0; i < set.len; i++) {
        const Obj *o = s->objs.at[set.at[i]];
        if (o->def == NULL || o->by == NULL || o->by->stmt == NULL) return true;
    }
    return set.len == 0;
}

static bool is_computed_base(State *s, const Expr *e) {
    while (e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT)
        e = e->kind == EXPR_ATTRIBUTE ? e->attribute.value : e->subscript.value;
    const Decl *d = e->kind == EXPR_NAME ? program_find(s->p, e->name.id) : NULL;
    return e->kind != EXPR_NAME || (d != NULL && (d->differs || d->kind == DECL_VARIABLE));
}

// Is a value part of it: a default, a computed base class, what a library's decorator is given?
static bool takes_values(State *s, const Stmt *def) {
    bool class_ = def->kind == STMT_CLASS_DEF, any = false;
    for (size_t i = 0; class_ && i < def->class_def.bases.len; i++)
        any |= is_computed_base(s, def->class_def.bases.at[i]);
    const Expr *meta = class_ ? class_metaclass(def) : NULL;
    any |= meta != NULL && is_computed_base(s, meta);
    ExprList decorators = class_ ? def->class_def.decorator_list : pyt_decorators(def);
    for (size_t i = 0; i < decorators.len; i++) {
        const Expr *e = decorators.at[i], *f = e->kind == EXPR_CALL ? e->call.func : e;
        const Decl *d = f->kind == EXPR_NAME ? program_find(s->p, f->name.id) : NULL;
        any |= e->kind == EXPR_CALL && (d == NULL || d->kind == DECL_IMPORT);
    }
    const Formals *params = pyt_def_name(def) != NULL ? state_params(s, pyt_arguments(def)) : NULL;
    for (size_t i = 0; params != NULL && i < params->all.len; i++)
        any |= params->all.at[i].value != NULL && params->all.at[i].value->kind != EXPR_CONSTANT;
    return any;
}

// A test of the version has one answer at all roles; a name for a type is not a value.
static bool may_be_another(State *s, const Ctx *cx, const Decl *d, Sym name) {
    const Stmt *stmt = cx->stmt;
    if (is_definition(stmt))
        return takes_values(s, stmt) || is_replaced(s, gen_variable(s, cx->scope, name));
    if (d == NULL || d->kind == DECL_VARIABLE) return d == NULL || !program_is_type_name(s->p, d);
    return stmt->kind != STMT_IF || pyt_known_condition(stmt->if_.test) < 0;
}

// Python asks for `__slots__` itself, and a decorator for the fields that there are.
static bool is_of_shape(const Obj *class_, const Stmt *member, Sym name) {
    bool plain = member->kind == STMT_ASSIGN || member->kind == STMT_ANN_ASSIGN;
    return !is_definition(member) && ((name[0] == '_' && name[1] == '_') ||
                                      (!plain && class_->def->class_def.decorator_list.len > 0));
}

// What it binds, in the module or in a class, may differ.
static void note_bound(State *s, const Ctx *cx) {
    Obj *class_ = cx->scope->class_;
    SymList names = names_bound(s->arena, s->p->names, (StmtList){&cx->stmt, 1});
    for (size_t i = 0; i < names.len; i++) {
        Decl *d = class_ == NULL ? program_find(s->p, names.at[i]) : NULL;
        bool known = class_ != NULL || d != NULL;
        if (!known || !may_be_another(s, cx, d, names.at[i])) continue;
        Obj *cell = gen_cell(s, cx->scope, names.at[i], d != NULL ? d->at : cx->stmt->at);
        cell->differs = true;
        if (d != NULL) d->differs = true;
        if (d != NULL) table_set(s->assigned, d->name, s);
        else cell->name = names_format(s->p->names, "%s.%s", class_->name, names.at[i]);
        if (class_ != NULL && is_of_shape(class_, cx->stmt, names.at[i])) class_->differs = true;
    }
    local_ask_again(s->p);
}

// A field's default that is made for each instance is none of the class.
static bool is_same(State *s, const Stmt *stmt) {
    if (is_definition(stmt)) return true;
    if (stmt->kind != STMT_ANN_ASSIGN) return local_deterministic_stmt(s->p, stmt);
    const Expr *written = stmt->ann_assign.value, *value = class_field_value(written);
    return value == NULL || (value == written ? local_deterministic_stmt(s->p, stmt)
                                              : local_deterministic_expr(s->p, value));
}

Ctx *state_statement(State *s, const Ctx *around, Frame *scope, const Stmt *stmt) {
    Ctx *cx = ARENA_NEW(s->arena, Ctx);
    *cx = (Ctx){.load = true, .place = state_node(s), .result = state_node(s), .scope = scope,
                .stmt = stmt, .made = around->made, .unsure = !is_same(s, stmt)};
    vec_push(s->arena, &s->parts, cx);
    if (cx->unsure) note_bound(s, cx);
    return cx;
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

// Who is handed such an object, and does not look into it, has nothing that may differ.
static bool reads_differing(const State *s, const Eval *e) {
    const IdSet set = state_set(s, e->node);
    for (size_t i = 0; i < set.len; i++) {
        const Obj *o = s->objs.at[set.at[i]];
        bool handed = (o->kind == OBJ_DATA || o->kind == OBJ_INSTANCE || o->kind == OBJ_CLASS) &&
            e->field == NULL && !e->all;
        if (o->differs && !handed) return true;
    }
    return false;
}

// Does it, or what it calls, use a value that may differ?
static bool leads_to_unsure(State *s, Ctx *statement, const void *mark) {
    CtxList all = state_reached(s, statement, mark);
    for (size_t k = 0; k < all.len; k++) {
        const Ctx *cx = all.at[k];
        if (cx->unsure || !is_alike(s, cx)) return true;
        for (size_t i = 0; i < cx->evals.len; i++)
            if (reads_differing(s, &cx->evals.at[i])) return true;
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
    if (!leads_to_unsure(s, cx, *mark)) return false;
    *mark = ARENA_NEW(s->arena, char);
    cx->unsure = true;
    spread(s, cx);
    note_bound(s, cx);
    return true;
}

// To and fro, since values go either way.
void state_spread(State *s) {
    size_t len = s->parts.len;
    for (size_t i = 0; i < len; i++)
        if (s->parts.at[i]->unsure) spread(s, s->parts.at[i]);
    for (bool again = true, back = false; again; back = !back) {
        const void *mark = ARENA_NEW(s->arena, char);
        again = false;
        s->alike = table_new(s->arena);
        for (size_t i = 0; i < len; i++) {
            Ctx *cx = s->parts.at[back ? len - 1 - i : i];
            if (!cx->unsure && cx->stmt->kind != STMT_CHOREO) again |= follow(s, cx, &mark);
        }
    }
}
