// statement.c - what statements bind, store and define.

#include "compiler/ir/free_names.h"
#include "typecheck/state/state.h"

// ---- scopes ----

// Names of other scopes: of the module, or of what is around.
static bool note_global(void *cx, const Stmt *s) {
    State *st = ((void **)cx)[0];
    for (size_t i = 0; s->kind == STMT_GLOBAL && i < s->global.names.len; i++)
        table_set(((void **)cx)[1], s->global.names.at[i], st);
    for (size_t i = 0; s->kind == STMT_NONLOCAL && i < s->nonlocal.names.len; i++)
        table_set(((void **)cx)[1], s->nonlocal.names.at[i], NULL);
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_ASYNC_FUNCTION_DEF;
}

Frame *gen_scope(State *s, Frame *outer, Ctx *cx, const void *key, SymList bound) {
    Table *names = table_get(s->bound, key);
    if (names == NULL) {
        names = table_new(s->arena);
        for (size_t i = 0; i < bound.len; i++) table_set(names, bound.at[i], names);
        table_set(s->bound, key, names);
    }
    Frame *sc = ARENA_NEW(s->arena, Frame);
    *sc = (Frame){.outer = outer, .cx = cx, .bound = names, .vars = table_new(s->arena)};
    return sc;
}

// ---- functions ----

static const struct { const char *name; unsigned flags; } DECORATORS[] = {
    {"property", FUN_PROPERTY}, {"cached_property", FUN_PROPERTY | FUN_CACHED},
    {"staticmethod", FUN_STATIC}, {"classmethod", FUN_CLASS}, {"cache", FUN_CACHED},
    {"lru_cache", FUN_CACHED}, {"setter", FUN_SETTER}, {"deleter", FUN_SETTER},
    {"getter", FUN_PROPERTY}, {"abstractproperty", FUN_PROPERTY}, {"abstractmethod", 0},
    {"overload", 0}, {"override", 0}, {"final", 0}, {"wraps", 0}, {"contextmanager", 0},
    {"asynccontextmanager", 0}, {"total_ordering", 0}, {"unique", 0}, {"dataclass", 0},
    {"runtime_checkable", 0}, {"effect", 0}, {"communicates", 0}, {"reaches", 0},
    {"changes", 0}, {"singledispatch", 0},
};

// Not those of the program.
static bool known_decorator(const Gen *g, const Expr *e, unsigned *flags) {
    const Expr *f = e->kind == EXPR_CALL ? e->call.func : e;
    Sym name = annotation_head(f);
    Decl *d = f->kind == EXPR_NAME ? program_find(g->s->p, name) : NULL;
    bool own = d != NULL && d->kind != DECL_IMPORT && d->kind != DECL_LIBRARY;
    for (size_t i = 0; name != NULL && !own && i < sizeof DECORATORS / sizeof *DECORATORS; i++) {
        if (!sym_is(name, DECORATORS[i].name)) continue;
        *flags |= DECORATORS[i].flags;
        return true;
    }
    return false;
}

// `@wraps(f)` keeps `f`.
static void gen_wrapped(Gen *g, const Expr *e, Obj *o) {
    Sym name = state_sym(g->s, "__wrapped__");
    for (size_t i = 0; e->kind == EXPR_CALL && i < e->call.keywords.len; i++)
        gen_expr(g, e->call.keywords.at[i]->value);
    if (e->kind != EXPR_CALL || e->call.args.len == 0) return;
    table_set(g->s->stored, name, o);
    state_flow(g->s, gen_expr(g, e->call.args.at[0]), state_field(g->s, o, name));
}

static Id decorate(Gen *g, ExprList list, Obj *o, Id node) {
    for (size_t i = list.len; i > 0; i--) {
        const Expr *e = list.at[i - 1];
        if (known_decorator(g, e, &o->flags)) {
            gen_wrapped(g, e, o);
            continue;
        }
        Id f = gen_expr(g, e);
        node = gen_apply(g, f, gen_op_with(g, OP_CALL, e, node));
    }
    return node;
}

static void define_function(Gen *g, const Stmt *s) {
    State *st = g->s;
    Obj *f = state_made(st, g->cx, s, OBJ_FUNCTION, s->at);
    f->def = s;
    f->name = pyt_def_name(s);
    f->scope = g->scope;
    f->of = g->scope->class_;
    if (pyt_yields(s)) f->flags |= FUN_YIELDS;
    if (f->of != NULL && sym_is(f->name, "__new__")) f->flags |= FUN_CLASS;
    gen_defaults(g, f);
    Id node = decorate(g, pyt_decorators(s), f, state_one(st, f));
    Obj *class_ = f->flags & FUN_SETTER ? g->scope->class_ : NULL;
    if (class_ == NULL) gen_bind(g, f->name, node, s->at);
    else                    // `x.setter`: beside the property of that name
        state_flow(st, node, state_field(st, class_, names_format(st->p->names, "%s=", f->name)));
}

// ---- classes ----

static bool is_enum(State *s, const Stmt *def) {
    const Decl *d = program_find(s->p, def->class_def.name);
    return d != NULL && d->kind == DECL_ENUM && d->stmt != NULL &&
        d->stmt->at.start == def->at.start;
}

// The members are instances, made with what the body says.
static void make_members(Gen *g, Obj *class_, const Stmt *def) {
    State *s = g->s;
    StmtList body = def->class_def.body;
    for (size_t i = 0; i < body.len; i++) {
        if (body.at[i]->kind != STMT_ASSIGN) continue;
        const Expr *t = body.at[i]->assign.targets.at[0];
        if (t->kind != EXPR_NAME) continue;
        Obj *o = state_made(s, g->cx, t, OBJ_INSTANCE, t->at);
        o->of = class_;
        Id value = gen_expr(g, body.at[i]->assign.value);
        Id parts = state_both(s, value, gen_items(g, value, t));
        state_flow(s, value, state_field(s, o, state_sym(s, "value")));
        state_flow(s, value, state_field(s, o, state_sym(s, "_value_")));
        state_add(s, state_field(s, class_, t->name.id), o->id);
        state_add(s, state_items(s, class_), o->id);
        Op op = gen_op(g, OP_CALL, t), init = state_each(s, &op, OP_CALL, 0, parts);
        if (state_defined(s, "__new__")) state_call_named(s, &init, o, "__new__", 0);
        state_call_named(s, &init, o, "__init__", 0);
    }
}

// Each statement is looked at on its own, as those of the module are.
static void gen_members(Gen *g, StmtList body) {
    Ctx *around = g->cx;
    for (size_t i = 0; i < body.len; i++) {
        if (around->stmt != NULL) {
            g->cx = state_statement(g->s, around, g->scope, body.at[i]);
            state_calls(g->s, around, g->cx);
        }
        gen_body(g, (StmtList){&body.at[i], 1});
    }
    g->cx = around;
}

static void define_class(Gen *g, const Stmt *s) {
    State *st = g->s;
    Frame *around = g->scope;
    Obj *c = state_made(st, g->cx, s, OBJ_CLASS, s->at);
    c->def = s;
    c->name = s->class_def.name;
    c->is_enum = is_enum(st, s);
    if (c->bases == 0) c->bases = state_node(st);
    for (size_t i = 0; i < s->class_def.bases.len; i++)
        state_flow(st, gen_expr(g, s->class_def.bases.at[i]), c->bases);
    Op derived = {.kind = OP_SUBCLASS, .at = s->at, .key = s, .cx = g->cx, .place = g->place,
                  .around = c};
    for (size_t i = 0; i < s->class_def.keywords.len; i++) {
        Id meta = gen_expr(g, s->class_def.keywords.at[i]->value);
        if (s->class_def.keywords.at[i]->value != class_metaclass(s)) continue;
        state_flow(st, meta, state_field(st, c, state_sym(st, "=meta")));
        state_when(st, meta, &derived);
    }
    c->scope = g->scope = gen_scope(st, around, g->cx, s,
                                    names_bound(st->arena, st->p->names, s->class_def.body));
    g->scope->class_ = c;
    gen_members(g, s->class_def.body);
    if (c->is_enum) make_members(g, c, s);
    g->scope = around;
    state_when(st, c->bases, &derived);
    if (state_defined(st, "__set_name__")) {
        derived.kind = OP_METHOD;
        derived.name = state_sym(st, "__set_name__");
        derived.args = &(Operand){.node = state_one(st, c)};
        derived.len = 1;
        state_when(st, state_all(st, c), &derived);
    }
    gen_bind(g, c->name, decorate(g, s->class_def.decorator_list, c, state_one(st, c)), s->at);
}

// ---- patterns ----

static void gen_pattern(Gen *g, const Pattern *p, Id subject);

static void gen_patterns(Gen *g, PatternList list, Id subject) {
    for (size_t i = 0; i < list.len; i++) gen_pattern(g, list.at[i], subject);
}

static Op pattern_op(const Gen *g, OpKind kind, const Pattern *p) {
    return (Op){.kind = kind, .at = p->at, .key = p, .cx = g->cx, .place = g->place};
}

static void class_pattern(Gen *g, const Pattern *p, Id subject) {
    Op asked = pattern_op(g, OP_DEEP, p);
    gen_given(g->s, &asked, gen_expr(g, p->match_class.cls));
    for (size_t i = 0; i < p->match_class.kwd_attrs.len; i++) {
        Op op = pattern_op(g, OP_LOAD, p);
        op.name = p->match_class.kwd_attrs.at[i];
        gen_pattern(g, p->match_class.kwd_patterns.at[i], gen_apply(g, subject, op));
    }
    Op parts = pattern_op(g, OP_COPY, p), load = pattern_op(g, OP_LOAD, p);
    load.name = parts.name = state_sym(g->s, "*");    // some of all that is in it
    Id all = state_both(g->s, subject, gen_apply(g, subject, parts));
    if (p->match_class.patterns.len > 0) all = state_both(g->s, all, gen_apply(g, subject, load));
    gen_patterns(g, p->match_class.patterns, all);
}

static void rest_pattern(Gen *g, const Pattern *p, Sym name, Id items, const char *class_) {
    if (name == NULL) return;
    Obj *o = gen_data(g, p, p->at, class_);
    state_flow(g->s, items, state_items(g->s, o));
    gen_bind(g, name, state_one(g->s, o), p->at);
}

static void gen_pattern(Gen *g, const Pattern *p, Id subject) {
    Op items = pattern_op(g, OP_ITEMS, p);
    switch (p->kind) {
    case PATTERN_MATCH_VALUE: {
        Op op = pattern_op(g, OP_DEEP, p);
        gen_deep(g->s, &op, state_both(g->s, subject, gen_expr(g, p->match_value.value)));
        return;
    }
    case PATTERN_MATCH_SINGLETON: return;
    case PATTERN_MATCH_SEQUENCE:
        gen_patterns(g, p->match_sequence.patterns, gen_apply(g, subject, items));
        return;
    case PATTERN_MATCH_MAPPING:
        items.kind = OP_GET;
        subject = gen_apply(g, subject, items);
        gen_exprs(g, p->match_mapping.keys);
        gen_patterns(g, p->match_mapping.patterns, subject);
        rest_pattern(g, p, p->match_mapping.rest, subject, "dict");
        return;
    case PATTERN_MATCH_CLASS: class_pattern(g, p, subject); return;
    case PATTERN_MATCH_STAR: rest_pattern(g, p, p->match_star.name, subject, "list"); return;
    case PATTERN_MATCH_AS:
        if (p->match_as.pattern != NULL) gen_pattern(g, p->match_as.pattern, subject);
        if (p->match_as.name != NULL) gen_bind(g, p->match_as.name, subject, p->at);
        return;
    case PATTERN_MATCH_OR: gen_patterns(g, p->match_or.patterns, subject); return;
    case PATTERN_COUNT: return;
    }
}

static void gen_match(Gen *g, const Stmt *s) {
    Id subject = gen_expr(g, s->match.subject), outer = g->place;
    for (size_t i = 0; i < s->match.cases.len; i++) {
        const MatchCase *c = s->match.cases.at[i];
        gen_at(g, s->match.subject->roles);
        gen_pattern(g, c->pattern, subject);
        g->place = outer;
        if (c->guard != NULL) gen_test(g, c->guard);
        gen_body(g, c->body);
    }
}

// ---- other statements ----

static void gen_assign(Gen *g, const Stmt *s) {
    Id value = gen_expr(g, s->assign.value);
    for (size_t i = 0; i < s->assign.targets.len; i++) gen_store(g, s->assign.targets.at[i], value);
}

static bool gen_withitem(void *cx, const Withitem *item) {
    Gen *g = cx;
    const Expr *e = item->context_expr;
    Id value = gen_apply(g, gen_expr(g, e), gen_op(g, OP_ENTER, e));
    if (item->optional_vars != NULL) gen_store(g, item->optional_vars, value);
    return false;
}

static bool gen_handler(void *cx, const Excepthandler *h) {
    Gen *g = cx;
    if (h->except_handler.name != NULL)
        gen_bind(g, h->except_handler.name, g->s->raised, h->at);
    return true;
}

static void gen_for(Gen *g, const Expr *target, const Expr *iter, StmtList body, StmtList orelse) {
    gen_store(g, target, gen_items(g, gen_expr(g, iter), iter));
    gen_body(g, body);
    gen_body(g, orelse);
}

// A class that is raised is called.
static void gen_raise(Gen *g, const Stmt *s) {
    if (s->raise.cause != NULL) state_flow(g->s, gen_expr(g, s->raise.cause), g->s->raised);
    if (s->raise.exc == NULL) return;
    Id exc = gen_expr(g, s->raise.exc);
    state_flow(g->s, exc, g->s->raised);
    if (s->raise.exc->kind != EXPR_CALL)
        state_flow(g->s, gen_apply(g, exc, gen_op(g, OP_FRESH, s->raise.exc)), g->s->raised);
}

static void gen_import(Gen *g, const Stmt *s) {
    State *st = g->s;
    AliasList names = s->kind == STMT_IMPORT ? s->import.names : s->import_from.names;
    for (size_t i = 0; i < names.len; i++) {
        const Alias *a = names.at[i];
        Sym name = a->asname != NULL ? a->asname : a->name;
        Obj *o;
        if (s->kind == STMT_IMPORT_FROM) {
            Sym from = s->import_from.module != NULL ? s->import_from.module
                : state_sym(st, ".");
            o = library_member(st, library_module(st, from), a->name);
        } else {
            size_t first = 0;
            while (a->asname == NULL && name[first] != '\0' && name[first] != '.') first++;
            if (a->asname == NULL) name = names_intern(st->p->names, name, first);
            o = library_module(st, a->asname != NULL ? a->name : name);
        }
        gen_bind(g, name, state_one(st, o), s->at);
    }
}

static void gen_return(Gen *g, const Expr *value) {
    if (value != NULL) state_flow(g->s, gen_expr(g, value), g->cx->result);
}

// Of what is walked further, the expressions are evaluated in their order.
static bool gen_part(void *cx, const Expr *e) {
    Gen *g = cx;
    if (e == g->test) gen_test(g, e);
    else gen_expr(g, e);
    return false;
}

static bool gen_stmt(void *cx, const Stmt *s) {
    Gen *g = cx;
    switch (s->kind) {
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: define_function(g, s); return false;
    case STMT_CLASS_DEF: define_class(g, s); return false;
    case STMT_RETURN: gen_return(g, s->return_.value); return false;
    case STMT_DELETE:
        for (size_t i = 0; i < s->delete.targets.len; i++) gen_remove(g, s->delete.targets.at[i]);
        return false;
    case STMT_ASSIGN: gen_assign(g, s); return false;
    case STMT_AUG_ASSIGN: gen_store(g, s->aug_assign.target, gen_augmented(g, s)); return false;
    case STMT_ANN_ASSIGN:
        if (s->ann_assign.value != NULL)
            gen_store(g, s->ann_assign.target, gen_expr(g, s->ann_assign.value));
        return false;
    case STMT_FOR:
        gen_for(g, s->for_.target, s->for_.iter, s->for_.body, s->for_.orelse);
        return false;
    case STMT_ASYNC_FOR:
        gen_for(g, s->async_for.target, s->async_for.iter, s->async_for.body, s->async_for.orelse);
        return false;
    case STMT_MATCH: gen_match(g, s); return false;
    case STMT_RAISE: gen_raise(g, s); return false;
    case STMT_IMPORT: case STMT_IMPORT_FROM: gen_import(g, s); return false;
    case STMT_WHILE: g->test = s->while_.test; return true;
    case STMT_IF: g->test = s->if_.test; return true;
    case STMT_ASSERT: g->test = s->assert.test; return true;
    case STMT_CHOREO: case STMT_WITH: case STMT_ASYNC_WITH: case STMT_TRY: case STMT_TRY_STAR:
    case STMT_EXPR:
        return true;
    case STMT_TYPE_ALIAS: case STMT_GLOBAL: case STMT_NONLOCAL: case STMT_PASS: case STMT_BREAK:
    case STMT_CONTINUE: case STMT_COUNT:
    STMT_CASES_LOCAL:
    STMT_CASES_GRAD:
        return false;
    }
    return false;
}

void gen_body(Gen *g, StmtList body) {
    IrWalker w = {.cx = g, .stmt = gen_stmt, .expr = gen_part, .withitem = gen_withitem,
                  .excepthandler = gen_handler};
    ir_walk_stmts(&w, body);
}

// ---- code that is called ----

static StmtList body_of(const Obj *f) {
    return f->def == NULL ? (StmtList){0} : pyt_body(f->def);
}

void state_body(State *s, Ctx *cx) {
    Gen g = {s, cx, cx->scope, cx->place, NULL};
    if (cx->function == NULL) gen_generator(&g, cx->generator->expr, cx->generator);
    else if (cx->function->expr != NULL)
        state_flow(s, gen_expr(&g, cx->function->expr->lambda.body), cx->result);
    else if (cx->choreography != NULL && cx->choreography->external)
        state_external(&g, cx->choreography);
    else gen_body(&g, body_of(cx->function));
}

const Arguments *state_arguments(const Obj *f) {
    return f->expr != NULL ? f->expr->lambda.args : pyt_arguments(f->def);
}

Frame *state_scope(State *s, const Obj *f, Ctx *cx) {
    const void *key = f->expr != NULL ? (const void *)f->expr : (const void *)f->def;
    if (table_get(s->bound, key) != NULL) return gen_scope(s, f->scope, cx, key, (SymList){0});
    const Formals *params = state_params(s, state_arguments(f));
    SymList names = f->expr != NULL
        ? names_bound_in(s->arena, s->p->names, (ExprList){&f->expr->lambda.body, 1},
                         (StmtList){0})
        : names_bound(s->arena, s->p->names, body_of(f));
    Frame *sc = gen_scope(s, f->scope, cx, key, names);
    for (size_t i = 0; i < params->all.len; i++)
        table_set(sc->bound, params->all.at[i].arg->arg, sc->bound);
    void *both[] = {s, sc->bound};
    IrWalker w = {.cx = both, .stmt = note_global};
    ir_walk_stmts(&w, body_of(f));
    return sc;
}
