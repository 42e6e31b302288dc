// hoist.c - local classes inside a choreography (docs/language.md, "Functions and classes").
//
// `class Point: ...` in the body of a choreography, which uses nothing of that, is the same class
// in every call. It is put in front of the choreography, so that its instances travel, and look the
// same in every program.

#include "compiler/ir/free_names.h"
#include "typecheck/internal.h"

typedef struct Hoist {
    Program *p;
    SymList  module;                // what the module binds
    StmtVec *out;                   // where the classes go
    Vec(Sym) moved;
} Hoist;

// ---- is it the same in every call? ----

static bool is_constant(const Expr *e) {
    while (e->kind == EXPR_UNARY_OP) e = e->unary_op.operand;
    ExprList parts = e->kind == EXPR_TUPLE ? e->tuple.elts : (ExprList){0};
    for (size_t i = 0; i < parts.len; i++)
        if (!is_constant(parts.at[i])) return false;
    return e->kind == EXPR_CONSTANT || e->kind == EXPR_TUPLE;
}

// `3`, `auto()`, `field(default=0)`
static bool is_fixed(const Expr *e) {
    if (e == NULL || is_constant(e)) return true;
    if (e->kind != EXPR_CALL || e->call.func->kind != EXPR_NAME) return false;
    return sym_is(e->call.func->name.id, "auto") || sym_is(e->call.func->name.id, "field");
}

// What Python evaluates when the method is defined.
static bool has_fixed_defaults(const Stmt *def) {
    const Arguments *a = def->function_def.args;
    for (size_t i = 0; i < a->defaults.len; i++)
        if (!is_fixed(a->defaults.at[i])) return false;
    for (size_t i = 0; i < a->kw_defaults.len; i++)
        if (!is_fixed(a->kw_defaults.at[i])) return false;
    return true;
}

static bool is_declaration(const Stmt *s) {
    if (s->kind == STMT_FUNCTION_DEF) return has_fixed_defaults(s);
    if (s->kind == STMT_ASSIGN) return is_fixed(s->assign.value);
    if (s->kind == STMT_ANN_ASSIGN) return is_fixed(s->ann_assign.value);
    if (s->kind == STMT_EXPR) return s->expr.value->kind == EXPR_CONSTANT;
    return s->kind == STMT_PASS;
}

static SymList params_of(Arena *a, const Stmt *def) {
    const Arguments *args = def->function_def.args;
    Vec(Sym) out = {0};
    for (size_t i = 0; i < args->posonlyargs.len; i++)
        vec_push(a, &out, args->posonlyargs.at[i]->arg);
    for (size_t i = 0; i < args->args.len; i++) vec_push(a, &out, args->args.at[i]->arg);
    for (size_t i = 0; i < args->kwonlyargs.len; i++)
        vec_push(a, &out, args->kwonlyargs.at[i]->arg);
    if (args->vararg != NULL) vec_push(a, &out, args->vararg->arg);
    if (args->kwarg != NULL) vec_push(a, &out, args->kwarg->arg);
    for (size_t i = 0; i < def->function_def.type_params.len; i++)
        vec_push(a, &out, type_param_name(def->function_def.type_params.at[i]));
    return (SymList){out.at, out.len};
}

// What the class uses of the function around it; NULL: nothing.
static Sym captured(Hoist *h, const Stmt *def, const Stmt *s) {
    Program *p = h->p;
    SymList free = names_free(p->arena, p->names, (StmtList){&s, 1});
    SymList bound = names_bound(p->arena, p->names, def->function_def.body);
    SymList params = params_of(p->arena, def), moved = {h->moved.at, h->moved.len};
    SymList members = names_bound(p->arena, p->names, s->class_def.body);
    for (size_t i = 0; i < free.len; i++) {
        bool own = free.at[i] == s->class_def.name || roles_has(moved, free.at[i]) ||
            roles_has(members, free.at[i]);
        if (!own && (roles_has(bound, free.at[i]) || roles_has(params, free.at[i])))
            return free.at[i];
    }
    return NULL;
}

// Do other statements bind the name, or earlier ones mention it?
static bool named_elsewhere(Hoist *h, const Stmt *def, size_t at) {
    Program *p = h->p;
    StmtList body = def->function_def.body, before = {body.at, at};
    StmtList behind = {body.at + at + 1, body.len - at - 1};
    Sym name = body.at[at]->class_def.name;
    return roles_has(names_free(p->arena, p->names, before), name) ||
        roles_has(names_bound(p->arena, p->names, before), name) ||
        roles_has(names_bound(p->arena, p->names, behind), name) ||
        roles_has(params_of(p->arena, def), name);
}

static size_t mentions_in(Program *p, const Stmt *s, Sym name) {
    return (size_t)(uintptr_t)table_get(program_count_mentions(p, (StmtList){&s, 1}), name);
}

// Why the class must stay where it is; NULL: it need not.
static const char *trouble(Hoist *h, const Stmt *def, size_t at) {
    Program *p = h->p;
    const Stmt *s = def->function_def.body.at[at];
    Sym name = s->class_def.name, used = captured(h, def, s);
    if (used != NULL)
        return names_format(p->names, "it uses `%s` of `%s`: give it the value as an argument",
                            used, def->function_def.name);
    if (roles_has(h->module, name) || named_elsewhere(h, def, at))
        return names_format(p->names, "`%s` has another meaning, or is used before this class: "
                            "give the class another name", name);
    if (builtin_exists(name) || program_mentions(p, name) > mentions_in(p, def, name))
        return names_format(p->names, "`%s` means something else outside of `%s`: give the class "
                            "another name", name, def->function_def.name);
    for (size_t i = 0; i < s->class_def.body.len; i++)
        if (!is_declaration(s->class_def.body.at[i]))
            return "its body has statements that run in every call";
    return NULL;
}

// ---- moving ----

static const Stmt *with_body(Program *p, const Stmt *def, StmtList body) {
    return stmt_function_def(p->arena, def->at, def->function_def.name, def->function_def.args,
                             body, def->function_def.decorator_list, def->function_def.returns,
                             def->function_def.type_params);
}

static const Stmt *hoist_function(Hoist *h, const Stmt *def) {
    Program *p = h->p;
    StmtList body = def->function_def.body;
    Vec(const Stmt *) kept = {0};
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        const char *why = NULL;
        bool local = s->kind == STMT_CLASS_DEF && !alias_is_role_class(p, s);
        if (local) why = trouble(h, def, i);
        if (why != NULL) table_set(p->hoist_trouble, s, (void *)why);
        if (local && why == NULL) {
            vec_push(p->arena, h->out, s);
            vec_push(p->arena, &h->moved, s->class_def.name);
            h->module = roles_join(p->arena, h->module, roles_one(p->arena, s->class_def.name));
        } else
            vec_push(p->arena, &kept, s);
    }
    if (kept.len == body.len) return def;
    if (kept.len == 0) vec_push(p->arena, &kept, stmt_pass(p->arena, def->at));
    return with_body(p, def, (StmtList){kept.at, kept.len});
}

static const Stmt *hoist_members(Hoist *h, const Stmt *s) {
    Program *p = h->p;
    StmtList from = s->class_def.body;
    const Stmt **body = ARENA_ARRAY(p->arena, const Stmt *, from.len + 1);
    bool same = true;
    for (size_t i = 0; i < from.len; i++) {
        body[i] = from.at[i]->kind == STMT_FUNCTION_DEF ? hoist_function(h, from.at[i])
                                                        : from.at[i];
        same &= body[i] == from.at[i];
    }
    return same ? s : stmt_class_def(p->arena, s->at, s->class_def.name, s->class_def.bases,
                                     s->class_def.keywords, (StmtList){body, from.len},
                                     s->class_def.decorator_list, s->class_def.type_params);
}

StmtList hoist_classes(Program *p, StmtList body) {
    StmtVec out = {0};
    Hoist h = {.p = p, .module = names_bound(p->arena, p->names, body), .out = &out};
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_FUNCTION_DEF && alias_is_choreography(p, s)) s = hoist_function(&h, s);
        if (s->kind == STMT_CLASS_DEF && alias_is_role_class(p, s)) s = hoist_members(&h, s);
        vec_push(p->arena, &out, s);
    }
    return out.len == body.len ? body : (StmtList){out.at, out.len};
}
