// shared.c - roles share no memory: module state that changes, or that is not certainly the same
// everywhere, may be reached from one role only (docs/language.md, "Module and class bodies").
//
// Formal roles are followed from the entry through the call graph to the roles they stand for, so
// that `f[A, B]` and `f[B, A]` together reach a variable from both. Without an entry a formal
// stands for itself.

#include "compiler/ir/free_names.h"
#include "typecheck/internal.h"

// By formal: the roles it stands for.
typedef struct Stand { SymList formals; SymVec *for_; } Stand;

typedef struct Reach { SymVec roles; Span at; } Reach;

typedef struct Shared {
    Program  *p;
    Table    *stands;       // Function * -> Stand *
    Table    *reached;      // Decl * -> Reach *
    Function *(*function_of)(void *cx, const Stmt *);
    void     *cx;
    const Stmt *outermost;  // of the module's, that is walked
    Function   *current;
    Table *inner;           // Sym -> InnerVec *
    Table *inner_reached;   // Sym -> Reach *
} Shared;

// A function inside another, or a method; `owner`: the statement of the module that it is in.
typedef struct Inner { const Stmt *owner, *def; } Inner;
typedef Vec(Inner) InnerVec;

static bool add_role(Arena *a, SymVec *v, Sym r) {
    if (roles_has((SymList){v->at, v->len}, r)) return false;
    vec_push(a, v, r);
    return true;
}

// ---- what formals stand for ----

static Stand *stand_of(Shared *sh, const Function *f) {
    Stand *s = table_get(sh->stands, f);
    if (s != NULL) return s;
    s = ARENA_NEW(sh->p->arena, Stand);
    *s = (Stand){f->roles, ARENA_ARRAY(sh->p->arena, SymVec, f->roles.len + 1)};
    table_set(sh->stands, f, s);
    return s;
}

static SymVec *stands_for(Stand *s, Sym formal) {
    for (size_t i = 0; i < s->formals.len; i++)
        if (s->formals.at[i] == formal) return &s->for_[i];
    return NULL;
}

static bool pass_roles(Shared *sh, const CallSite *site) {
    bool changed = false;
    Stand *to = stand_of(sh, site->callee), *from = stand_of(sh, site->caller);
    for (size_t i = 0; i < site->formals.len; i++) {
        SymVec *a = stands_for(to, site->formals.at[i]);
        const SymVec *b = stands_for(from, site->actuals.at[i]);
        for (size_t j = 0; a != NULL && b != NULL && j < b->len; j++)
            changed |= add_role(sh->p->arena, a, b->at[j]);
    }
    return changed;
}

static void follow(Shared *sh) {
    Program *p = sh->p;
    Decl *entry = program_find(p, p->entry);
    bool has_entry = entry != NULL && entry->kind == DECL_CHOREOGRAPHY;
    for (size_t i = 0; i < p->functions.len; i++) {
        Function *f = p->functions.at[i];
        if (has_entry && f != entry->function) continue;
        Stand *s = stand_of(sh, f);
        for (size_t j = 0; j < s->formals.len; j++)
            add_role(p->arena, &s->for_[j], s->formals.at[j]);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < p->sites.len; i++)
            if (p->sites.at[i].caller != NULL) changed |= pass_roles(sh, &p->sites.at[i]);
    }
}

// ---- who reaches what ----

static void reach(Shared *sh, Decl *d, SymList roles, Span at);

typedef struct Mentioned { Shared *sh; SymList roles; Span at; } Mentioned;

static bool mention(void *cx, const Expr *e) {
    Mentioned *m = cx;
    Decl *d = e->kind == EXPR_NAME ? program_find(m->sh->p, e->name.id) : NULL;
    if (d != NULL) reach(m->sh, d, m->roles, m->at);
    return true;
}

static void reach(Shared *sh, Decl *d, SymList roles, Span at) {
    if (d->kind != DECL_VARIABLE && d->kind != DECL_LOCAL_FUNCTION && d->kind != DECL_LOCAL_CLASS)
        return;
    Reach *r = table_get(sh->reached, d);
    if (r == NULL) {
        r = ARENA_NEW(sh->p->arena, Reach);
        r->at = at;
        table_set(sh->reached, d, r);
    }
    bool more = false;
    for (size_t i = 0; i < roles.len; i++) more |= add_role(sh->p->arena, &r->roles, roles.at[i]);
    if (!more || d->stmt == NULL) return;
    Mentioned m = {sh, roles, at};
    IrWalker w = {.cx = &m, .expr = mention};
    ir_walk_stmt(&w, d->stmt);
}

static void use_at(Shared *sh, Decl *d, const Expr *e) {
    Stand *s = stand_of(sh, sh->current);
    bool state = d->kind == DECL_VARIABLE || d->kind == DECL_LOCAL_FUNCTION ||
        d->kind == DECL_LOCAL_CLASS;
    for (size_t i = 0; i < e->roles.len; i++) {
        if (state) interface_note_reach(sh->p, sh->current, d, e->roles.at[i]);
        const SymVec *v = stands_for(s, e->roles.at[i]);
        if (v != NULL) reach(sh, d, (SymList){v->at, v->len}, e->at);
    }
}

// One role's code inside choreographies and their classes, by its name: who uses the name reaches
// what its body mentions. Functions of one name inside one definition are not told apart, nor are
// methods of one name.
static bool note_inner(void *cx, const Stmt *s) {
    Shared *sh = cx;
    if (s->kind != STMT_FUNCTION_DEF) return true;
    const Function *f = sh->function_of(sh->cx, s);
    if (f != NULL && !f->local) return true;
    InnerVec *same = table_get(sh->inner, s->function_def.name);
    if (same == NULL) {
        same = ARENA_NEW(sh->p->arena, InnerVec);
        table_set(sh->inner, s->function_def.name, same);
    }
    vec_push(sh->p->arena, same, ((Inner){sh->outermost, s}));
    return true;
}

static void report_default(Shared *sh, Span at, const char *what, SymList roles) {
    Diag *d = diag_report(sh->p->diags, at, DIAG_SHARED_STATE, "the calls of %s share a default "
                          "value, and %s would each have a copy of it", what,
                          roles_text(sh->p->arena, roles));
    diag_help(d, "make it in the body, when the argument is None");
}

// Those that the name may stand for: seen from inside `owner`, or all of them, if it is NULL.
static StmtVec inner_named(Shared *sh, Sym name, const Stmt *owner) {
    const InnerVec *same = table_get(sh->inner, name);
    StmtVec out = {0};
    for (size_t i = 0; same != NULL && i < same->len; i++)
        if (owner == NULL || same->at[i].owner == owner)
            vec_push(sh->p->arena, &out, same->at[i].def);
    return out;
}

// Default values of the functions of this name, once several roles use them.
static void judge_inner(Shared *sh, Sym name, StmtVec same, const Expr *e) {
    Arena *a = sh->p->arena;
    bool shares = false;
    for (size_t i = 0; i < same.len; i++)
        shares |= shared_mutable_default(sh->p, same.at[i]->function_def.args);
    if (!shares) return;
    Reach *r = table_get(sh->inner_reached, name);
    if (r == NULL) {
        r = ARENA_NEW(a, Reach);
        table_set(sh->inner_reached, name, r);
    }
    bool told = r->roles.len > 1;
    for (size_t i = 0; i < e->roles.len; i++) add_role(a, &r->roles, e->roles.at[i]);
    if (told || r->roles.len < 2) return;
    report_default(sh, e->at, names_format(sh->p->names, "`%s`", name),
                   (SymList){r->roles.at, r->roles.len});
}

static void use_inner(Shared *sh, Sym name, const Stmt *owner, const Expr *e, Table *seen) {
    Program *p = sh->p;
    StmtVec same = inner_named(sh, name, owner);
    if (same.len == 0 || table_get(seen, name) != NULL) return;
    table_set(seen, name, sh);
    judge_inner(sh, name, same, e);
    SymList free = names_free(p->arena, p->names, (StmtList){same.at, same.len});
    for (size_t i = 0; i < free.len; i++) {
        Decl *d = program_find(p, free.at[i]);
        if (d != NULL) use_at(sh, d, e);
        use_inner(sh, free.at[i], owner, e, seen);
    }
}

static bool use(void *cx, const Expr *e) {
    Shared *sh = cx;
    Decl *d = e->kind == EXPR_NAME ? table_get(sh->p->uses, table_key(e->at.start)) : NULL;
    if (d != NULL) use_at(sh, d, e);
    if (e->kind == EXPR_LAMBDA && e->roles.len > 1 && shared_mutable_default(sh->p, e->lambda.args))
        report_default(sh, e->at, "this lambda", e->roles);
    Sym inner = d == NULL && e->kind == EXPR_NAME ? e->name.id
        : e->kind == EXPR_ATTRIBUTE && e->attribute.value->ty != NULL &&
          e->attribute.value->ty->kind == TY_INST ? e->attribute.attr : NULL;
    if (inner != NULL && table_get(sh->inner, inner) != NULL)
        use_inner(sh, inner, e->kind == EXPR_NAME ? sh->outermost : NULL, e,
                  table_new(sh->p->arena));
    return true;
}

// What an interface says that a choreography reaches.
static void reach_stated(Shared *sh, const Function *f) {
    Stand *s = stand_of(sh, f);
    for (size_t i = 0; i < f->reaches.len; i++) {
        const Reached *r = &f->reaches.at[i];
        for (size_t j = 0; j < r->roles.len; j++) {
            const SymVec *v = stands_for(s, r->roles.at[j]);
            if (v != NULL) reach(sh, r->decl, (SymList){v->at, v->len}, f->def->at);
        }
    }
}

static bool stop_at_nested(void *cx, const Stmt *s) {
    (void)cx;
    return s->kind != STMT_CHOREO;
}

static bool each_function(void *cx, const Stmt *s) {
    Shared *sh = cx;
    if (s->kind != STMT_FUNCTION_DEF) return true;
    Function *f = sh->function_of(sh->cx, s);
    if (f == NULL) return true;
    sh->current = f;
    if (f->external) reach_stated(sh, f);
    IrWalker w = {.cx = sh, .expr = use, .stmt = stop_at_nested};
    ir_walk_stmts(&w, s->function_def.body);
    return true;
}

// ---- what changes ----

bool shared_makes_mutable(const Expr *e) {
    ExprKind k = e->kind;
    return k == EXPR_LIST || k == EXPR_DICT || k == EXPR_SET || k == EXPR_CALL ||
        k == EXPR_LIST_COMP || k == EXPR_DICT_COMP || k == EXPR_SET_COMP;
}

// The default value of a choreography's parameter, which every role that the parameter is at makes.
static void judge_default(Shared *sh, const Function *f, const Param *q) {
    Program *p = sh->p;
    bool mutable = q->default_value != NULL && shared_makes_mutable(q->default_value) &&
        type_mutable(p, q->type.ty);
    SymVec roles = {0};
    for (size_t i = 0; mutable && i < q->type.roles.len; i++) {
        const SymVec *v = stands_for(stand_of(sh, f), q->type.roles.at[i]);
        for (size_t j = 0; v != NULL && j < v->len; j++) add_role(p->arena, &roles, v->at[j]);
    }
    if (roles.len < 2) return;
    Diag *d = diag_report(p->diags, q->default_value->at, DIAG_SHARED_STATE,
                          "the calls of `%s` share this value, and %s would each have a copy of it",
                          f->name, roles_text(p->arena, (SymList){roles.at, roles.len}));
    diag_help(d, "make it in the body, when the argument is None");
}

static bool unsure_value(Program *p, const Stmt *s) {
    const Expr *value = s == NULL ? NULL : s->kind == STMT_ASSIGN ? s->assign.value
        : s->kind == STMT_ANN_ASSIGN ? s->ann_assign.value : NULL;
    return value != NULL && !local_deterministic_expr(p, value);
}

const char *shared_trouble(Program *p, const Decl *d) {
    if (program_is_type_name(p, d)) return NULL;
    if (d->kind == DECL_VARIABLE && d->rebound) return "changes";
    if (d->kind == DECL_VARIABLE && unsure_value(p, d->stmt)) return "may differ from role to role";
    if (d->kind == DECL_LOCAL_CLASS && d->rebound) return "has attributes that change";
    return shared_hidden(p, d);
}

static void walk_outermost(Shared *sh, StmtList body, bool (*each)(void *, const Stmt *)) {
    IrWalker w = {.cx = sh, .stmt = each};
    for (size_t i = 0; i < body.len; i++) {
        sh->outermost = body.at[i];
        ir_walk_stmt(&w, body.at[i]);
    }
}

void shared_check(Program *p, const Unit *checked, Function *(*function_of)(void *, const Stmt *),
                  void *cx) {
    Shared sh = {p, table_new(p->arena), table_new(p->arena), function_of, cx, NULL, NULL,
                 table_new(p->arena), table_new(p->arena)};
    walk_outermost(&sh, checked->module.body, note_inner);
    shared_find_changes(p, checked);
    follow(&sh);
    walk_outermost(&sh, checked->module.body, each_function);
    for (size_t i = 0; i < p->functions.len; i++)
        for (size_t j = 0; j < p->functions.at[i]->params.len; j++)
            judge_default(&sh, p->functions.at[i], &p->functions.at[i]->params.at[j]);
    for (size_t i = 0; i < p->order.len; i++) {
        Decl *d = p->order.at[i];
        Reach *r = table_get(sh.reached, d);
        const char *what = r != NULL && r->roles.len > 1 ? shared_trouble(p, d) : NULL;
        if (what == NULL) continue;
        SymList roles = {r->roles.at, r->roles.len};
        Diag *g = diag_report(p->diags, r->at, DIAG_SHARED_STATE,
                              "`%s` %s, and %s would each have a copy of it", d->name, what,
                              roles_text(p->arena, roles));
        diag_label(g, d->at, "`%s` is module state", d->name);
        diag_help(g, "keep it at one role, and pass what others need in messages");
    }
}
