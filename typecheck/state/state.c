// state.c - roles share no memory: module state that one role changes, or that is not certainly
// the same everywhere, may be reached from no other (docs/language.md, "Module variables").

#include "compiler/ir/free_names.h"
#include "typecheck/state/state.h"

// ---- what the program defines and stores to ----

static void mark(Table *t, SymList names) {
    for (size_t i = 0; i < names.len; i++) table_set(t, names.at[i], t);
}

// Python calls these where a program says so, other methods with such names wherever it gives an
// object to something.
static bool is_asked_for(const Sym name) {
    static const char *const NAMES[] = {
        "__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__", "__call__",
        "__class_getitem__", "__prepare__", "__get__", "__set__", "__delete__", "__getattr__",
        "__getattribute__", "__setattr__", "__delattr__", "__setitem__", "__delitem__",
        "__enter__", "__exit__", "__aenter__", "__aexit__", "__del__",
        "__iadd__", "__isub__", "__imul__", "__imatmul__", "__itruediv__", "__ifloordiv__",
        "__imod__", "__ipow__", "__ilshift__", "__irshift__", "__iand__", "__ixor__", "__ior__",
        "__setstate__", NULL};
    return name[0] != '_' || name[1] != '_' || sym_is_one_of(name, NAMES);
}

static void define(State *s, Sym name) {
    if (!is_asked_for(name) && table_get(s->defined, name) == NULL)
        vec_push(s->arena, &s->implicit, name);
    table_set(s->defined, name, s);
}

static bool note_stmt(void *cx, const Stmt *s) {
    State *st = cx;
    Names *names = st->p->names;
    if (s->kind == STMT_GLOBAL) mark(st->assigned, s->global.names);
    if (s->kind == STMT_NONLOCAL) mark(st->assigned, s->nonlocal.names);
    Sym name = pyt_def_name(s);
    if (name != NULL) define(st, name);
    st->properties |= s->kind == STMT_FUNCTION_DEF && def_has_decorator(s, "property");
    if (s->kind == STMT_FUNCTION_DEF &&
        (def_has_decorator(s, "setter") || def_has_decorator(s, "deleter"))) {
        table_set(st->defined, names_format(names, "%s=", name), st);
        table_set(st->stored, names_format(names, "%s=", name), st);
        st->setters = true;
    }
    st->derived |= s->kind == STMT_CLASS_DEF && s->class_def.bases.len > 0;
    StmtList body = s->kind == STMT_CLASS_DEF ? s->class_def.body : (StmtList){0};
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_ANN_ASSIGN &&
            body.at[i]->ann_assign.target->kind == EXPR_NAME)
            table_set(st->stored, body.at[i]->ann_assign.target->name.id, st);
    return true;
}

static bool note_expr(void *cx, const Expr *e) {
    State *s = cx;
    if (e->kind == EXPR_ATTRIBUTE && e->attribute.ctx != EXPR_CONTEXT_LOAD)
        table_set(s->stored, e->attribute.attr, s);
    if (e->kind == EXPR_ATTRIBUTE && e->attribute.ctx == EXPR_CONTEXT_DEL)
        table_set(s->removed, e->attribute.attr, s);
    s->removes |= e->kind == EXPR_ATTRIBUTE ? sym_is(e->attribute.attr, "__delattr__")
        : e->kind == EXPR_NAME && sym_is(e->name.id, "delattr");
    s->dicts |= e->kind == EXPR_ATTRIBUTE && sym_is(e->attribute.attr, "__dict__");
    s->counts |= e->kind == EXPR_ATTRIBUTE && sym_is(e->attribute.attr, "cache_info");
    if (e->kind == EXPR_NAME && e->name.ctx != EXPR_CONTEXT_LOAD && e->name.id[0] == '_')
        define(s, e->name.id);
    static const char *const STORING[] = {"setattr", "__setattr__", NULL};
    bool call = e->kind == EXPR_CALL && e->call.args.len > 1;
    Sym called = call ? annotation_head(e->call.func) : NULL;
    bool stores = called != NULL && sym_is_one_of(called, STORING);
    const Const *name = stores && e->call.args.at[1]->kind == EXPR_CONSTANT
        ? e->call.args.at[1]->constant.value : NULL;
    s->stores |= s->dicts || (stores && name == NULL);
    if (name != NULL && name->kind == CONST_STR)
        table_set(s->stored, names_intern(s->p->names, name->text.at, name->text.len), s);
    return true;
}

static void state_init(State *s, IrIndex index) {
    Arena *a = s->arena;
    state_node(s);                  // 0 is none
    vec_push(a, &s->objs, NULL);
    Table **tables[] = {&s->ops, &s->library, &s->budget, &s->members, &s->swept,
                        &s->defined, &s->stored, &s->assigned, &s->bound, &s->external,
                        &s->places, &s->stands, &s->params, &s->removed};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) *tables[i] = table_new(a);
    IrWalker w = {.cx = s, .stmt = note_stmt, .expr = note_expr};
    const uint64_t exprs = IR_KIND(EXPR_ATTRIBUTE) | IR_KIND(EXPR_NAME) | IR_KIND(EXPR_CALL);
    ir_index_walk(&w, index, (IrKinds){exprs, ~(uint64_t)0});
    s->raised = state_node(s);
    state_mark_external(s);
    s->load = true;
}

// ---- loading ----

static void load_module(State *s, StmtList body) {
    s->module = gen_scope(s, NULL, NULL, body.at, names_bound(s->arena, s->p->names, body));
    for (size_t i = 0; i < s->p->order.len; i++)
        table_set(s->module->bound, s->p->order.at[i]->name, s->module->bound);
    s->loading = ARENA_NEW(s->arena, Ctx);
    *s->loading = (Ctx){.load = true, .place = state_node(s), .result = state_node(s),
                        .scope = s->module, .made = table_new(s->arena)};
    s->module->cx = s->loading;
    Id everyone = state_node(s);
    for (size_t i = 0; i < s->roles.len; i++) state_add(s, everyone, (Id)(i + 1));
    for (size_t i = 0; i < body.len; i++) {
        if (is_main_guard(body.at[i])) continue;
        bool choreo = body.at[i]->kind == STMT_CHOREO;
        Gen g = {s, state_statement(s, s->loading, s->module, body.at[i]), s->module,
                 choreo ? everyone : s->loading->place, NULL};
        vec_push(s->arena, &s->statements, g.cx);
        gen_body(&g, (StmtList){&body.at[i], 1});
    }
    state_solve(s);
}

// By whatever name, through what it holds itself.
static bool holds(State *s, const Obj *o, Id id, Table *seen) {
    if (table_get(seen, o) != NULL) return false;
    table_set(seen, o, s);
    for (size_t i = 0; i <= o->names.len; i++) {
        Id node = i < o->names.len ? state_in(s, o->fields, o->names.at[i]) : o->items;
        const IdSet set = state_set(s, node);
        for (size_t k = 0; k < set.len; k++)
            if (set.at[k] == id || holds(s, s->objs.at[set.at[k]], id, seen)) return true;
    }
    return false;
}

static Id variable_node(State *s, const Decl *d) { return gen_variable(s, s->module, d->name); }

static void end_loading(State *s) {
    for (size_t i = 0; i < s->unknown.len; i++) {
        const Op *op = s->unknown.at[i];
        const IdSet set = state_unknown(s, op->result) == op ? state_set(s, op->result)
                                                             : (IdSet){0};
        for (size_t k = 0; k < set.len; k++)
            if (library_changes(s->objs.at[set.at[k]]))
                state_change(s, s->objs.at[set.at[k]], op);
    }
    state_spread(s);
    state_end_phase(s);
}

// ---- what comes from outside ----

static Id from_outside(State *s, const Ty *t);

static Id parts_from_outside(State *s, TyList parts) {
    Id node = 0;
    for (size_t i = 0; i < parts.len; i++)
        node = state_both(s, node, from_outside(s, parts.at[i]));
    return node;
}

static Id instance_from_outside(State *s, Decl *d) {
    Id classes = gen_variable(s, s->module, d->name);
    Obj *o = table_get(s->external, d->name);
    if (o != NULL) return state_one(s, o);
    o = state_obj(s, OBJ_INSTANCE, s->outside, (Span){0, 0});
    table_set(s->external, d->name, o);
    const IdSet set = state_set(s, classes);
    for (size_t i = 0; i < set.len; i++) {
        Obj *c = s->objs.at[set.at[i]];
        if (c->kind == OBJ_CLASS) o->of = c;
    }
    if (o->of == NULL) return 0;
    for (size_t i = 0; i < d->field_order.len; i++) {
        const Field *f = table_get(d->fields, d->field_order.at[i]);
        Id value = f != NULL ? from_outside(s, f->type.ty) : 0;
        if (f != NULL) state_flow(s, value, state_field(s, o, f->name));
    }
    return state_one(s, o);
}

static Id members_of(State *s, Sym enum_) {
    const IdSet classes = state_set(s, gen_variable(s, s->module, enum_));
    Id node = 0;
    for (size_t i = 0; i < classes.len; i++)
        node = state_both(s, node, state_items(s, s->objs.at[classes.at[i]]));
    return node;
}

static Id from_outside(State *s, const Ty *t) {
    if (t == NULL) return 0;
    if (t->kind == TY_PLACED) return from_outside(s, t->placed.of);
    if (t->kind == TY_UNION) return parts_from_outside(s, t->union_.items);
    if (t->kind == TY_INST || t->kind == TY_NAMED) {
        Sym name = t->kind == TY_INST ? t->inst.name : t->named.name;
        Decl *d = program_find(s->p, name);
        if (d != NULL && d->kind == DECL_ENUM) return members_of(s, name);
        if (d != NULL && (d->kind == DECL_LOCAL_CLASS || d->kind == DECL_ROLE_CLASS))
            return instance_from_outside(s, d);
    }
    bool named = t->kind == TY_NAMED;
    if ((!named && t->kind != TY_TUPLE) || !type_mutable(s->p, t)) return 0;
    Obj *o = state_obj(s, OBJ_DATA, s->outside, (Span){0, 0});
    o->home = named ? t->named.name : state_sym(s, "tuple");
    o->mutable_ = named;
    state_flow(s, parts_from_outside(s, named ? t->named.args : t->tuple.items), state_items(s, o));
    return state_one(s, o);
}

// ---- running ----

static Op call_from_outside(State *s, const Function *f, Span at) {
    Ctx *cx = s->outside;
    Op op = {.kind = OP_CALL, .at = at, .key = f, .cx = cx, .place = cx->place,
             .result = state_node(s)};
    op.args = ARENA_ARRAY(s->arena, Operand, f->params.len + 1);
    for (size_t i = 0; i < f->params.len; i++)
        op.args[op.len++] = (Operand){.node = from_outside(s, f->params.at[i].type.ty),
                                      .name = f->params.at[i].kind == PARAM_POSITIONAL
                                          ? NULL : f->params.at[i].name};
    return op;
}

static void run_function(State *s, const Stmt *def) {
    const Function *f = s->function_of(s->function_cx, def);
    Obj *o = table_get(s->loading->made, def);
    if (f == NULL || o == NULL) return;
    Op op = call_from_outside(s, f, def->at);
    state_call(s, &op, o);
}

static void run_class(State *s, const Stmt *def) {
    Decl *d = program_find(s->p, def->class_def.name);
    Id node = d != NULL ? instance_from_outside(s, d) : 0;
    for (size_t i = 0; node != 0 && i < def->class_def.body.len; i++) {
        const Stmt *m = def->class_def.body.at[i];
        const Function *f = m->kind == STMT_FUNCTION_DEF
            ? s->function_of(s->function_cx, m) : NULL;
        if (f == NULL) continue;
        Op op = call_from_outside(s, f, m->at);
        op.kind = OP_METHOD;
        op.name = f->name;
        state_when(s, node, &op);
    }
}

static void run(State *s, StmtList body) {
    Decl *entry = program_find(s->p, s->p->entry);
    bool has_entry = entry != NULL && entry->kind == DECL_CHOREOGRAPHY;
    s->library_only = !has_entry;
    s->outside = ARENA_NEW(s->arena, Ctx);
    *s->outside = (Ctx){.place = state_node(s), .result = state_node(s), .scope = s->module};
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *def = body.at[i]->kind == STMT_CHOREO ? body.at[i]->choreo.def : NULL;
        if (def == NULL) continue;
        if (has_entry && s->function_of(s->function_cx, def) != entry->function) continue;
        if (def->kind == STMT_CLASS_DEF) run_class(s, def);
        else run_function(s, def);
    }
    state_solve(s);
}

// ---- judging ----

// Of one object: the roles that change it, and those that read or change it, as nodes.
typedef struct Verdict {
    Id changers, users;
    const Change *first;
    Span    read, from;     // by another than the first that changes it
    bool    has_read;
} Verdict;

typedef struct Judge { State *s; Verdict *of; } Judge;      // by object

static bool is_state(const Obj *o) {
    return (o->load || o->kept) && o->kind != OBJ_LIBRARY &&
        o->kind != OBJ_METHOD && o->kind != OBJ_BOUND && !(o->kind == OBJ_DATA && o->pure);
}

static bool may_differ(const Obj *o) { return o->differs && is_state(o); }

static void join_roles(State *s, Id *roles, Id place) {
    const IdSet set = state_set(s, place);
    if (*roles == 0) *roles = state_node(s);
    for (size_t i = 0; i < set.len; i++) state_add(s, *roles, set.at[i]);
}

static bool are_several(const State *s, Id roles) { return state_set(s, roles).len > 1; }

// What code that nothing is known of is given.
static void note_swept(State *s, const Eval *e) {
    const IdSet set = e->changes ? state_set(s, e->node) : (IdSet){0};
    for (size_t i = 0; i < set.len; i++) {
        Obj *o = s->objs.at[set.at[i]];
        Change *c = ARENA_NEW(s->arena, Change);
        *c = (Change){o, e->place, e->at, e->from, NULL, NULL};
        if (library_changes(o) && is_state(o)) vec_push(s->arena, &s->changes, c);
    }
}

static bool comes_before(const Change *a, const Change *b) {
    return a->at.start != b->at.start ? a->at.start < b->at.start : a->from.start < b->from.start;
}

static bool note_changes(Judge *j) {
    State *s = j->s;
    bool any = false;
    for (size_t i = 0; i < s->evals.len; i++) note_swept(s, &s->evals.at[i]);
    for (size_t i = 0; i < s->changes.len; i++) {
        const Change *c = s->changes.at[i];
        Verdict *v = &j->of[c->obj->id];
        if (!is_state(c->obj) || state_set(s, c->place).len == 0) continue;
        if (v->first == NULL || comes_before(c, v->first)) v->first = c;
        join_roles(s, &v->changers, c->place);
        join_roles(s, &v->users, c->place);
        any = true;
    }
    for (size_t i = 1; i < s->objs.len; i++) any |= may_differ(s->objs.at[i]);
    return any;
}

static void note_reads(Judge *j) {
    State *s = j->s;
    for (size_t i = 0; i < s->evals.len; i++) {
        const Eval *e = &s->evals.at[i];
        const IdSet set = state_set(s, e->node);
        if (e->field != NULL || state_set(s, e->place).len == 0) continue;
        for (size_t k = 0; k < set.len; k++) {
            Verdict *v = &j->of[set.at[k]];
            if (v->first == NULL && !may_differ(s->objs.at[set.at[k]])) continue;
            join_roles(s, &v->users, e->place);
            if (v->has_read || !are_several(s, v->users)) continue;
            v->has_read = true;
            v->read = e->at;
            v->from = e->from;
        }
    }
}

// ---- messages ----

// The name of the module that it has, or that holds it. *whole: the first.
static Decl *variable_of(State *s, const Obj *o, bool *whole) {
    bool named = o->kind == OBJ_CLASS || o->kind == OBJ_FUNCTION ||
        (o->kind == OBJ_CELL && o->of_module);
    *whole = true;
    for (size_t i = 0; i < s->p->order.len; i++) {
        Decl *d = s->p->order.at[i];
        if (state_has(s, variable_node(s, d), o->id) || (named && d->name == o->name)) return d;
    }
    *whole = o->kind == OBJ_CELL;
    for (size_t i = 0; i < s->p->order.len && !*whole; i++) {
        const IdSet set = state_set(s, variable_node(s, s->p->order.at[i]));
        Table *seen = table_new(s->arena);
        for (size_t k = 0; k < set.len; k++)
            if (holds(s, s->objs.at[set.at[k]], o->id, seen)) return s->p->order.at[i];
    }
    return NULL;
}

static const char *text_of(State *s, Id roles) {
    SymVec out = {0};
    for (size_t i = 0; i < s->roles.len; i++)
        if (state_has(s, roles, (Id)(i + 1))) vec_push(s->arena, &out, s->roles.at[i]);
    return roles_text(s->arena, (SymList){out.at, out.len});
}

// At the change; if code of another module does it, where the choreography calls that.
static Span place_of_change(const State *s, const Change *c) {
    const Source *source = s->p->source;
    bool elsewhere = c->from.end > 0 && source->part_count > 0 &&
        source_part(source, c->at.start) != source_part(source, c->from.start);
    return elsewhere ? c->from : c->at;
}

static void report(State *s, const Obj *o, const Verdict *v) {
    bool changes = v->changers != 0, whole;
    const Decl *d = variable_of(s, o, &whole);
    Sym name = d != NULL ? d->name : o->name;
    const char *what = name == NULL ? "a default value" : whole
        ? names_format(s->p->names, "`%s`", name)
        : names_format(s->p->names, "an object in `%s`", name);
    Span at = changes ? place_of_change(s, v->first) : v->from;
    Diag *g = diag_report(s->p->diags, at, DIAG_SHARED_STATE,
                          "%s %s, %s %s would each have a separate copy", what,
                          changes ? "changes" : "may differ from role to role",
                          changes ? "but" : "because", text_of(s, v->users));
    if (d != NULL) diag_label(g, d->at, "`%s` is module state", d->name);
    else if (o->at.end > 0 && o->at.start != at.start) diag_label(g, o->at, "it is created here");
    if (changes && v->has_read && v->read.start != at.start)
        diag_label(g, v->read, "it is read here");
    if (changes && at.start != v->first->at.start)
        diag_label(g, v->first->at, "this changes it");
    else if (changes && v->first->from.end > 0 && v->first->from.start != at.start)
        diag_label(g, v->first->from, "this leads to the change");
    bool variable = d != NULL && whole && d->kind == DECL_VARIABLE;
    if (variable && !changes)
        diag_help(g, "read `%s` at one role only, and send its value to the roles that need it",
                  name);
    else if (variable && !are_several(s, v->changers))
        diag_help(g, "keep `%s` at %s, and send its value to the roles that need it, as in "
                     "`ch.com(%s@%s)`", name, text_of(s, v->changers), name,
                  text_of(s, v->changers));
    else if (variable)
        diag_help(g, "keep `%s` at one role, and send the values that other roles need", name);
    else
        diag_help(g, "keep the object at one role, and send the values that other roles need");
}

static void mark_troubles(Judge *j) {
    State *s = j->s;
    for (size_t i = 1; i < s->objs.len; i++) {
        const Obj *o = s->objs.at[i];
        const Verdict *v = &j->of[i];
        if (v->first == NULL && !o->differs) continue;
        bool whole;
        Decl *d = variable_of(s, o, &whole);
        if (d == NULL) continue;
        d->rebound |= v->changers != 0;
        d->differs |= o->differs;
    }
}

// That a replicated value may differ is said of it already.
static bool is_told_as_replicated(const State *s, Span at) {
    for (size_t i = 0; i < diags_count(s->p->diags); i++) {
        const Diag *d = diags_get(s->p->diags, i);
        if (d->id == DIAG_REPLICATED_UNSURE && d->at.start == at.start) return true;
    }
    return false;
}

// A place is told once. What may differ in a variable is not told beside a change in it.
static bool is_told(State *s, Table *told, const Obj *o, const Verdict *v) {
    bool changes = v->changers != 0, whole;
    const Decl *d = variable_of(s, o, &whole);
    if (d != NULL && changes) table_set(told, d->name, s);
    if (d != NULL && !changes && table_get(told, d->name) != NULL) return true;
    bool of_class = o->kind == OBJ_CELL && !o->of_module;
    if (!changes && of_class && is_told_as_replicated(s, v->from)) return true;
    const void *place = table_key((changes ? place_of_change(s, v->first) : v->from).start);
    bool known = table_get(told, place) != NULL;
    table_set(told, place, s);
    return known;
}

static void report_all(Judge *j, Table *told, bool changes) {
    State *s = j->s;
    for (size_t i = 1; i < s->objs.len; i++) {
        const Verdict *v = &j->of[i];
        const Obj *o = s->objs.at[i];
        bool wrong = are_several(s, v->users) && (v->changers != 0 || may_differ(o));
        if (wrong && changes == (v->changers != 0) && !is_told(s, told, o, v)) report(s, o, v);
    }
}

static void judge(State *s) {
    Judge j = {s, ARENA_ARRAY(s->arena, Verdict, s->objs.len + 1)};
    if (!note_changes(&j)) return;
    note_reads(&j);
    mark_troubles(&j);
    Table *told = table_new(s->arena);
    report_all(&j, told, true);
    report_all(&j, told, false);
}

// Sound is what can be said of everything.
static void report_lost(State *s) {
    const Function *f = s->p->functions.at[0];
    Diag *g = diag_report(s->p->diags, source_first_line(s->p->source, f->def->at),
                          DIAG_SHARED_STATE,
                          "shared module state cannot be analyzed, because too many objects may "
                          "be stored in too many places");
    diag_help(g, "annotate the variables and functions of the module, or move that code to a "
                 "library");
}

// ---- the whole ----

const Loads *shared_check(Program *p, const Unit *checked, IrIndex index,
                          Function *(*function_of)(void *cx, const Stmt *), void *cx) {
    if (p->functions.len == 0) return NULL;        // no roles: nobody shares anything
    State s = {.p = p, .arena = arena_within(p->arena), .function_of = function_of,
               .function_cx = cx};
    state_init(&s, index);
    state_follow_roles(&s);
    load_module(&s, checked->module.body);
    end_loading(&s);
    run(&s, checked->module.body);
    if (state_lost(&s)) report_lost(&s);
    else judge(&s);
    state_note_reaches(&s);
    const Loads *loads = state_lost(&s) ? NULL : state_loads(&s);
    arena_free(s.arena);
    return loads;
}

const char *shared_trouble(const Decl *d) {
    return d->rebound ? "changes" : d->differs ? "may differ from role to role"
        : d->stateful ? "has state" : NULL;
}
