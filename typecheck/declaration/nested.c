// nested.c - functions inside the body of a choreography.
//
// One that mentions roles, or uses what has some, is a choreography of the roles around it; any
// other is one role's code. What a choreography reads of the variables around it need not be there
// where it is defined (assigned.c sees to it that it is where it is called): then its body is
// looked at when the rest of the function has been. So nested choreographies may call each other.
// One whose signature names no roles, and that reads variables of one role, is at that role.

#include "compiler/ir/free_names.h"
#include "typecheck/internal.h"
#include "typecheck/python/python.h"

// `roles`: that have any of what it reads; `common`: that have all of it.
typedef struct Captures { Scope *sc; SymList roles, common; bool instance; } Captures;

static void note_capture(Captures *c, Sym name) {
    Var *v = scope_find(c->sc, name);
    if (v == NULL) return;
    SymList roles = v->function != NULL ? v->function->place : v->type.roles;
    if (v->type.ty != NULL && v->type.ty->kind == TY_INST) c->instance = true;
    if (v->function != NULL && roles.len == 0) c->instance = true;
    if (roles.len == 0) return;
    c->common = c->roles.len == 0 ? roles : roles_meet(c->sc->p->arena, c->common, roles);
    c->roles = roles_join(c->sc->p->arena, c->roles, roles);
}

// ---- what is bound further below ----

static bool note_definition(void *cx, const Stmt *s) {
    if (s->kind == STMT_FUNCTION_DEF) table_set(cx, s->function_def.name, (void *)s);
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF;
}

// All names that the body of the function binds: the definition of a function, or the body.
static Table *binds(Scope *sc) {
    if (sc->binds != NULL || sc->fn == NULL || sc->fn->def == NULL) return sc->binds;
    Program *p = sc->p;
    StmtList body = sc->fn->def->function_def.body;
    SymList names = names_bound(p->arena, p->names, body);
    sc->binds = table_new(p->arena);
    for (size_t i = 0; i < names.len; i++) table_set(sc->binds, names.at[i], (void *)sc->fn->def);
    IrWalker w = {.cx = sc->binds, .stmt = note_definition};
    ir_walk_stmts(&w, body);
    return sc->binds;
}

// What binds a name that has no meaning yet: a function, or the one that has the variable.
static const Stmt *bound_below(Scope *sc, Sym name) {
    if (scope_find(sc, name) != NULL || roles_has(sc->roles, name)) return NULL;
    for (; sc != NULL; sc = sc->outer) {
        Table *names = sc->transparent ? NULL : binds(sc);
        const Stmt *s = names != NULL ? table_get(names, name) : NULL;
        if (s != NULL) return s;
    }
    return NULL;
}

static bool is_choreography(Scope *sc, const Stmt *def, Table *asked, bool *late, SymList *place);

// Does it read variables, or call choreographies, that are bound further below? `asked` are the
// functions on the way here.
static bool reads_below(Scope *sc, const Stmt *def, Table *asked) {
    SymList names = names_free(sc->p->arena, sc->p->names, (StmtList){&def, 1});
    bool found = false, late;
    SymList place;
    table_set(asked, def, asked);
    for (size_t i = 0; i < names.len && !found; i++) {
        const Stmt *s = bound_below(sc, names.at[i]);
        if (s == NULL || s == def || table_get(asked, s) != NULL) continue;
        bool function = s->kind == STMT_FUNCTION_DEF && s->function_def.name == names.at[i];
        found = !function || is_choreography(sc, s, asked, &late, &place);
    }
    return found;
}

// `place`: where what its signature says no role of is; nobody: that must be said.
static bool is_choreography(Scope *sc, const Stmt *def, Table *asked, bool *late, SymList *place) {
    Captures c = {.sc = sc};
    SymList names = names_free(sc->p->arena, sc->p->names, (StmtList){&def, 1});
    for (size_t i = 0; i < names.len; i++) note_capture(&c, names.at[i]);
    *late = reads_below(sc, def, asked);
    bool open = !*late && !c.instance && !signature_mentions_roles(sc->p, def);
    *place = open && c.common.len == 1 ? c.common : (SymList){0};
    return !open || c.roles.len > 0;
}

// ---- the definition ----

// The checked definition; NULL: reported.
static const Stmt *finish_nested(Scope *sc, Function *f) {
    const Stmt *checked = check_function(sc->p, sc, f);
    if (checked == NULL) {
        sc->fn->failed = true;
        return NULL;
    }
    f->body_roles = roles_of_stmts(sc->p, sc->roles, checked->function_def.body);
    table_set(sc->p->nested, f->name, f);
    return checked;
}

void check_nested_late(Scope *sc) {
    for (size_t i = 0; i < sc->late.len; i++) {
        const Stmt *checked = finish_nested(sc, sc->late.at[i].f);
        if (checked != NULL) sc->late.at[i].made->choreo.def = checked;
    }
}

typedef struct SuperSearch { Sym name; const Expr *found; } SuperSearch;

static bool find_super(void *cx, const Expr *e) {
    SuperSearch *s = cx;
    if (e->kind == EXPR_NAME && e->name.id == s->name && s->found == NULL) s->found = e;
    return s->found == NULL;
}

static bool outside_classes(void *cx, const Stmt *s) {
    (void)cx;
    return s->kind != STMT_CLASS_DEF;
}

static bool refuse_super(Scope *sc, const Stmt *def, SymList free) {
    SuperSearch s = {names_get(sc->p->names, "super"), NULL};
    IrWalker w = {.cx = &s, .expr = find_super, .stmt = outside_classes};
    if (roles_has(free, s.name) && in_method(sc)) ir_walk_stmts(&w, def->function_def.body);
    if (s.found == NULL) return false;
    report_super_inside(sc->p, s.found->at);
    sc->fn->failed = true;
    return true;
}

// What the function names is here, further below, or in the module.
static void check_local(Scope *sc, const Stmt *def) {
    Program *p = sc->p;
    const StmtVec *same = table_get(p->inner, def->function_def.name);
    for (size_t i = 0; same != NULL && i < same->len; i++)
        if (same->at[i] == def) return;                 // the body around it is looked at again
    SymList names = names_free(p->arena, p->names, (StmtList){&def, 1});
    if (refuse_super(sc, def, names)) return;
    Vec(Sym) known = {0};
    vec_push(p->arena, &known, def->function_def.name);
    for (size_t i = 0; i < names.len; i++)
        if (scope_find(sc, names.at[i]) != NULL || bound_below(sc, names.at[i]) != NULL)
            vec_push(p->arena, &known, names.at[i]);
    if (!local_check_inner(p, def) || p->parse == NULL) return;
    pyt_check_inner(p->py, def, (SymList){known.at, known.len});
}

void check_nested(Scope *sc, const Stmt *def, StmtVec *out) {
    Program *p = sc->p;
    Sym name = def->function_def.name;
    bool late;
    SymList place;
    if (!is_choreography(sc, def, table_new(p->arena), &late, &place)) {
        scope_bind(sc, name, (LocType){ty_any(p->arena), {0}}, def->at);
        check_local(sc, def);
        local_note_inner(p, def);
        vec_push(p->arena, out, def);
        return;
    }
    Function *f = signature_nested(p, def, sc->roles, place);
    Var *old = table_get(sc->vars, name);
    if (old != NULL && old->function == NULL) {
        Diag *g = report_at(sc, source_first_line(p->source, def->at), DIAG_CLASS_HEADER,
                            "`%s` is a variable of `%s` and cannot also be a choreography",
                            name, sc->fn->name);
        diag_label(g, old->at, "the variable");
        diag_help(g, "rename one of them");
    }
    scope_bind(sc, name, (LocType){ty_any(p->arena), {0}}, def->at)->function = f;
    table_set(p->nested, name, NULL);       // until it is known who takes part, all may
    const Stmt *checked = late ? def : finish_nested(sc, f);
    if (checked == NULL) return;
    const Stmt *made = stmt_choreo(p->arena, def->at, (SymList){0}, (SymList){0}, (SymList){0},
                                   checked);
    vec_push(p->arena, out, made);
    if (late) vec_push(p->arena, &sc->late, ((Late){f, (Stmt *)made}));
}
