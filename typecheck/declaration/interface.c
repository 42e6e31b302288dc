// interface.c - what other modules need to know of one: its definitions without the bodies of its
// choreographies, with what the checker found out about these.
//
// An interface is a module in Python syntax that the checker reads as it reads any other, except
// that the bodies of its choreographies are not there and these decorators stand for them:
//
//     @communicates(A, B)     who may communicate in it
//     @effect(A, B, C)        who may act in it
//     @reaches(table, A)      module state that changes, or may differ from role to role, and whose
//                             roles reach it; `@changes` if the body itself changes it
//
// Local code stays as it is: what it does decides whether it gives the same at every role.

#include "typecheck/internal.h"

typedef struct Writer {
    Program *p;
    Table   *functions;         // definition -> Function *
    Table   *troubled;          // Decl * -> itself: of interest to `@reaches`
} Writer;

bool interface_part(const Program *p, Span at) {
    return p->source->part_count > 0 &&
        p->source->parts[source_part(p->source, at.start)].interface;
}

// ---- reading ----

static void read_roles(Program *p, const Function *f, ExprList args, size_t from, SymVec *out) {
    SymList roles = {0};
    for (size_t i = from; i < args.len; i++) role_expr(p, f->roles, args.at[i], &roles);
    for (size_t i = 0; i < roles.len; i++)
        if (!roles_has((SymList){out->at, out->len}, roles.at[i]))
            vec_push(p->arena, out, roles.at[i]);
}

void interface_note_reach(Program *p, Function *f, Decl *d, Sym role) {
    for (size_t i = 0; i < f->reaches.len; i++) {
        Reached *r = &f->reaches.at[i];
        if (r->decl != d) continue;
        if (!roles_has((SymList){r->roles.at, r->roles.len}, role))
            vec_push(p->arena, &r->roles, role);
        return;
    }
    Reached r = {.decl = d};
    vec_push(p->arena, &r.roles, role);
    vec_push(p->arena, &f->reaches, r);
}

static void read_reach(Program *p, Function *f, const Expr *e, bool changes) {
    ExprList args = e->call.args;
    SymVec roles = {0};
    Decl *d = args.len > 0 && args.at[0]->kind == EXPR_NAME
        ? program_find(p, args.at[0]->name.id) : NULL;
    if (d == NULL) return;
    d->rebound |= changes;
    read_roles(p, f, args, 1, &roles);
    for (size_t i = 0; i < roles.len; i++) interface_note_reach(p, f, d, roles.at[i]);
}

bool interface_decorator(const Expr *e) {
    return e->kind == EXPR_CALL && (decorator_is(e, "communicates") || decorator_is(e, "effect") ||
                                    decorator_is(e, "reaches") || decorator_is(e, "changes"));
}

void interface_read_effects(Program *p, Function *f) {
    ExprList list = f->def->function_def.decorator_list;
    for (size_t i = 0; i < list.len; i++) {
        const Expr *e = list.at[i];
        if (e->kind != EXPR_CALL) continue;
        if (decorator_is(e, "communicates")) read_roles(p, f, e->call.args, 0, &f->communicates);
        if (decorator_is(e, "effect")) read_roles(p, f, e->call.args, 0, &f->acts);
        if (decorator_is(e, "reaches") || decorator_is(e, "changes"))
            read_reach(p, f, e, decorator_is(e, "changes"));
    }
    f->states_effect = true;
}

// ---- what is reached through calls ----

static bool flow_reach(void *cx, const CallSite *s) {
    Program *p = cx;
    size_t before = 0, after = 0;
    for (size_t i = 0; i < s->caller->reaches.len; i++)
        before += s->caller->reaches.at[i].roles.len;
    for (size_t i = 0; i < s->callee->reaches.len; i++) {
        Reached r = s->callee->reaches.at[i];
        for (size_t j = 0; j < r.roles.len; j++) {
            Sym role = roles_map(s->formals, s->actuals, r.roles.at[j]);
            if (roles_has(s->caller->roles, role))
                interface_note_reach(p, s->caller, r.decl, role);
        }
    }
    for (size_t i = 0; i < s->caller->reaches.len; i++)
        after += s->caller->reaches.at[i].roles.len;
    return after > before;
}

typedef struct Search { Writer *w; Table *seen; bool found; } Search;

static bool search(void *cx, const Expr *e);

// Whether a declaration is module state with a trouble, or local code that mentions some.
static bool troubled(Writer *w, Table *seen, Decl *d) {
    if (table_get(seen, d) != NULL) return false;
    table_set(seen, d, w);
    if (d->kind != DECL_VARIABLE && d->kind != DECL_LOCAL_FUNCTION && d->kind != DECL_LOCAL_CLASS)
        return false;
    if (shared_trouble(d) != NULL) return true;
    Search s = {w, seen, false};
    IrWalker walk = {.cx = &s, .expr = search};
    if (d->stmt != NULL) ir_walk_stmt(&walk, d->stmt);
    return s.found;
}

static bool search(void *cx, const Expr *e) {
    Search *s = cx;
    Decl *d = e->kind == EXPR_NAME ? program_find(s->w->p, e->name.id) : NULL;
    if (d != NULL && !s->found) s->found = troubled(s->w, s->seen, d);
    return !s->found;
}

// ---- writing ----

static const Expr *name_of(Writer *w, Span at, Sym id) {
    return expr_name(w->p->arena, at, id, EXPR_CONTEXT_LOAD);
}

// `@word(first, A, B)`
static const Expr *decorator(Writer *w, Span at, const char *word, Sym first, SymVec roles) {
    Arena *a = w->p->arena;
    Vec(const Expr *) args = {0};
    if (first != NULL) vec_push(a, &args, name_of(w, at, first));
    for (size_t i = 0; i < roles.len; i++)
        if (!roles_has((SymList){roles.at, i}, roles.at[i]))
            vec_push(a, &args, name_of(w, at, roles.at[i]));
    return expr_call(a, at, name_of(w, at, names_get(w->p->names, word)),
                     (ExprList){args.at, args.len}, (KeywordList){0});
}

static ExprList decorators(Writer *w, const Function *f) {
    Arena *a = w->p->arena;
    ExprList old = f->def->function_def.decorator_list;
    Vec(const Expr *) list = {0};
    for (size_t i = 0; i < old.len; i++)
        if (!decorator_is(old.at[i], "effect")) vec_push(a, &list, old.at[i]);
    for (size_t i = 0; i < f->reaches.len; i++) {
        const Reached *r = &f->reaches.at[i];
        if (!troubled(w, table_new(a), r->decl)) continue;
        vec_push(a, &list, decorator(w, f->def->at, r->decl->rebound ? "changes" : "reaches",
                                     r->decl->name, r->roles));
    }
    vec_push(a, &list, decorator(w, f->def->at, "communicates", NULL, f->communicates));
    vec_push(a, &list, decorator(w, f->def->at, "effect", NULL, f->acts));
    return (ExprList){list.at, list.len};
}

// `...`, but a method of a protocol that has a body must not look abstract.
static StmtList empty_body(Writer *w, const Function *f) {
    Arena *a = w->p->arena;
    const Stmt **body = ARENA_ARRAY(a, const Stmt *, 1);
    Span at = f->def->at;
    bool default_method = f->owner != NULL && f->owner->is_protocol && !f->is_abstract;
    body[0] = default_method
        ? stmt_raise(a, at, name_of(w, at, names_get(w->p->names, "NotImplementedError")), NULL)
        : stmt_expr(a, at, expr_constant(a, at, const_ellipsis(a), NULL));
    return (StmtList){body, 1};
}

static const Stmt *declare_function(Writer *w, const Stmt *s) {
    const Function *f = table_get(w->functions, s);
    if (f == NULL || f->local) return s;
    return stmt_function_def(w->p->arena, s->at, s->function_def.name, s->function_def.args,
                             empty_body(w, f), decorators(w, f), s->function_def.returns,
                             s->function_def.type_params);
}

static bool annotated(StmtList body, Sym name) {
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_ANN_ASSIGN &&
            body.at[i]->ann_assign.target->kind == EXPR_NAME &&
            body.at[i]->ann_assign.target->name.id == name)
            return true;
    return false;
}

// `x: At[int, A]`, as a name whose text is the type.
static const Stmt *declare_field(Writer *w, const Decl *d, const Field *f) {
    Program *p = w->p;
    Span at = d->stmt->at;
    Buf text = buf_new(p->arena);
    bool inst = f->type.ty->kind == TY_INST;
    if (inst)
        buf_puts(&text, type_text(p, f->type.ty));
    else
        buf_printf(&text, "At[%s", type_text(p, f->type.ty));
    for (size_t i = 0; !inst && i < f->type.roles.len; i++)
        buf_printf(&text, ", %s", f->type.roles.at[i]);
    if (!inst) buf_putc(&text, ']');
    return stmt_ann_assign(p->arena, at,
                           expr_name(p->arena, at, f->name, EXPR_CONTEXT_STORE),
                           name_of(w, at, names_get(p->names, buf_text(&text))), NULL, 1);
}

static bool is_docstring(StmtList body) {
    const Expr *e = body.len > 0 && body.at[0]->kind == STMT_EXPR ? body.at[0]->expr.value : NULL;
    return e != NULL && e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_STR;
}

static const Stmt *declare_class(Writer *w, const Decl *d) {
    Arena *a = w->p->arena;
    const Stmt *s = d->stmt;
    Vec(const Stmt *) body = {0};
    size_t docstring = is_docstring(s->class_def.body) ? 1 : 0;
    if (docstring > 0) vec_push(a, &body, s->class_def.body.at[0]);
    for (size_t i = 0; i < d->field_order.len; i++) {
        Field *f = table_get(d->fields, d->field_order.at[i]);
        if (f != NULL && f->type.ty != NULL && !annotated(s->class_def.body, f->name))
            vec_push(a, &body, declare_field(w, d, f));
    }
    for (size_t i = docstring; i < s->class_def.body.len; i++) {
        const Stmt *member = s->class_def.body.at[i];
        vec_push(a, &body, member->kind == STMT_FUNCTION_DEF ? declare_function(w, member)
                                                             : member);
    }
    return stmt_class_def(a, s->at, s->class_def.name, s->class_def.bases, s->class_def.keywords,
                          (StmtList){body.at, body.len}, s->class_def.decorator_list,
                          s->class_def.type_params);
}

static const Stmt *declare_stmt(Writer *w, const Stmt *s) {
    if (s->kind == STMT_FUNCTION_DEF) return declare_function(w, s);
    Decl *d = s->kind == STMT_CLASS_DEF ? program_find(w->p, s->class_def.name) : NULL;
    return d != NULL && d->kind == DECL_ROLE_CLASS ? declare_class(w, d) : s;
}

static const Stmt *source_def(const Function *f) {
    return f->lifted_from != NULL ? f->lifted_from : f->def;
}

UnitList interface_write(Program *p, StmtList body) {
    Arena *a = p->arena;
    size_t parts = p->source->part_count > 0 ? p->source->part_count : 1;
    const Unit **units = ARENA_ARRAY(a, const Unit *, parts);
    Writer w = {p, table_new(a), table_new(a)};
    sites_flow(p, flow_reach, p, false);
    for (size_t i = 0; i < p->functions.len; i++)
        if (p->functions.at[i]->def != NULL)
            table_set(w.functions, source_def(p->functions.at[i]), p->functions.at[i]);
    for (size_t part = 0; part < parts; part++) {
        Vec(const Stmt *) out = {0};
        size_t alias = 0;
        for (size_t i = 0; i <= body.len; i++) {
            for (; alias < p->aliases.len && (i == body.len || p->aliases.at[alias]->at.start <
                                              body.at[i]->at.start); alias++)
                if (source_part(p->source, p->aliases.at[alias]->at.start) == part)
                    vec_push(a, &out, p->aliases.at[alias]);
            if (i == body.len) break;
            if (source_part(p->source, body.at[i]->at.start) == part && !is_main_guard(body.at[i]))
                vec_push(a, &out, declare_stmt(&w, body.at[i]));
        }
        units[part] = unit_module(a, (StmtList){out.at, out.len});
    }
    return (UnitList){units, parts};
}
