// assigned.c - definite assignment: a variable of a choreography has a value wherever it is used.
//
// A forward flow analysis over one function body. What an arm surely assigns counts only if every
// arm that goes on assigns it. Loops may run not at all; behind them is who came to the end of the
// `else`, or to a `break`. What a nested function reads of the variables around it must have a
// value wherever the function is used, unless it surely had one where the function is defined.
// What `:=` assigns counts where it is surely evaluated, or the condition says that it was.
//
// A variable that nothing but loops binds may be at other roles in each of them. It is another
// variable then, of which only the name is the same: none has a value outside its loop.
//
// The module is looked at in the same way (assigned_module.c): there all definitions are nested
// ones, and are used where they are called, and by the choreographies at the end.

#include "compiler/ir/control.h"
#include "compiler/ir/free_names.h"
#include "typecheck/effect/assigned.h"

#include <string.h>

static size_t index_of(const Flow *f, Sym name) {
    return (size_t)(uintptr_t)table_get(f->index, name);
}

static bool *copy_set(const Flow *f) {
    return memcpy(ARENA_ARRAY(f->p->arena, bool, f->count + 1), f->set, f->count);
}

// ---- the variables of a function ----

void assigned_note(Flow *f, Sym name) {
    if (index_of(f, name) == 0) table_set(f->index, name, (void *)(uintptr_t)++f->count);
}

static void note_target(Flow *f, const Expr *t) {
    if (t->kind == EXPR_NAME) assigned_note(f, t->name.id);
    if (t->kind == EXPR_STARRED) note_target(f, t->starred.value);
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++) note_target(f, elts.at[i]);
}

// A target of a `for`.
static void note_home(Flow *f, const Expr *t, SymList roles) {
    if (t->roles.len > 0) roles = t->roles;
    if (t->kind == EXPR_STARRED) note_home(f, t->starred.value, roles);
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++) note_home(f, elts.at[i], roles);
    if (t->kind != EXPR_NAME) return;
    const SymList *home = table_get(f->homes, t->name.id);
    if (home != NULL && !roles_equal(*home, roles)) {
        table_set(f->roaming, t->name.id, (void *)t);
        table_set(f->deleted, t->name.id, f);
    }
    if (home != NULL) return;
    SymList *one = ARENA_NEW(f->p->arena, SymList);
    *one = roles;
    table_set(f->homes, t->name.id, one);
}

// What a statement defines; NULL if it is not a definition.
const Stmt *assigned_definition(const Stmt *s) {
    if (s->kind == STMT_CHOREO) s = s->choreo.def;
    return s->kind == STMT_FUNCTION_DEF || s->kind == STMT_CLASS_DEF ? s : NULL;
}

Sym assigned_name(const Stmt *def) {
    return def->kind == STMT_FUNCTION_DEF ? def->function_def.name : def->class_def.name;
}

void assigned_note_inner(Flow *f, const Stmt *def) {
    Inner *i = ARENA_NEW(f->p->arena, Inner);
    *i = (Inner){.def = def, .next = table_get(f->inners, assigned_name(def)), .before = f->last};
    if (!f->module) i->other = ++f->count;
    f->last = i;
    table_set(f->inners, assigned_name(def), i);
}

static void note_function(Flow *f, const Stmt *def) {
    assigned_note(f, assigned_name(def));
    assigned_note_inner(f, def);
}

static bool note_deleted_name(void *cx, const Expr *e) {
    Flow *f = cx;
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_DEL)
        table_set(f->deleted, e->name.id, f);
    return true;
}

static bool note_deleted(void *cx, const Stmt *s) {
    IrWalker w = {.cx = cx, .expr = note_deleted_name};
    if (s->kind == STMT_DELETE) ir_walk_exprs(&w, s->delete.targets);
    return true;
}

static bool note_stmt(void *cx, const Stmt *s) {
    Flow *f = cx;
    note_deleted(f, s);
    if (s->kind == STMT_ASSIGN)
        for (size_t i = 0; i < s->assign.targets.len; i++) note_target(f, s->assign.targets.at[i]);
    for (size_t i = 0; s->kind == STMT_DELETE && i < s->delete.targets.len; i++)
        note_target(f, s->delete.targets.at[i]);
    if (s->kind == STMT_ANN_ASSIGN) note_target(f, s->ann_assign.target);
    if (s->kind == STMT_FOR) note_target(f, s->for_.target);
    if (s->kind == STMT_FOR) note_home(f, s->for_.target, (SymList){0});
    for (size_t i = 0; s->kind == STMT_WITH && i < s->with.items.len; i++)
        if (s->with.items.at[i]->optional_vars != NULL)
            note_target(f, s->with.items.at[i]->optional_vars);
    if (assigned_definition(s) != NULL) note_function(f, assigned_definition(s));
    return assigned_definition(s) == NULL;
}

static bool note_handler(void *cx, const Excepthandler *h) {
    Flow *f = cx;
    if (h->except_handler.name == NULL) return true;
    assigned_note(f, h->except_handler.name);
    table_set(f->deleted, h->except_handler.name, f);
    return true;
}

static bool note_pattern(void *cx, const Pattern *p) {
    if (pattern_name(p) != NULL) assigned_note(cx, pattern_name(p));
    return true;
}

// Those in a lambda are the lambda's own.
static bool note_named(void *cx, const Expr *e) {
    Flow *f = cx;
    if (e->kind == EXPR_NAMED_EXPR) note_target(f, e->named_expr.target);
    return e->kind != EXPR_LAMBDA;
}

// ---- uses ----

void assigned_set(Flow *f, Sym name) {
    size_t i = index_of(f, name);
    if (i > 0) f->set[i - 1] = true;
    else if (f->module) table_set(f->later, name, NULL);
}

bool assigned_lacks(const Flow *f, Sym name) {
    size_t i = index_of(f, name);
    return i > 0 ? !f->set[i - 1] : f->module && table_get(f->later, name) != NULL;
}

static void assign_target(Flow *f, const Expr *t) {
    if (t->kind == EXPR_NAME) assigned_set(f, t->name.id);
    if (t->kind == EXPR_STARRED) assign_target(f, t->starred.value);
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++) assign_target(f, elts.at[i]);
}

static void read_expr(Flow *f, const Expr *e);
static void read_condition(Flow *f, const Expr *e, bool **yes, bool **no);

// Names that a comprehension or lambda binds hide the function's while it is read.
static void read_inner(Flow *f, const Expr *e, ComprehensionList list, const Expr *a,
                       const Expr *b) {
    bool *outside = copy_set(f);
    for (size_t i = 0; i < list.len; i++) {
        read_expr(f, list.at[i]->iter);
        assign_target(f, list.at[i]->target);
        for (size_t j = 0; j < list.at[i]->ifs.len; j++) {
            bool *no;
            read_condition(f, list.at[i]->ifs.at[j], &f->set, &no);
        }
    }
    if (e->kind == EXPR_LAMBDA) {
        const Arguments *args = e->lambda.args;
        for (size_t i = 0; i < args->args.len; i++) assigned_set(f, args->args.at[i]->arg);
        for (size_t i = 0; i < args->kwonlyargs.len; i++)
            assigned_set(f, args->kwonlyargs.at[i]->arg);
    }
    read_expr(f, a);
    if (b != NULL) read_expr(f, b);
    f->set = outside;
}

// What binds a name: a definition, or a handler, at whose end Python deletes it.
typedef struct Binding { Sym name; bool defined, caught, assigned; } Binding;

static bool find_caught(void *cx, const Excepthandler *h) {
    Binding *b = cx;
    b->caught |= h->except_handler.name == b->name;
    return true;
}

static bool find_stored(void *cx, const Expr *e) {
    Binding *b = cx;
    b->assigned |= e->kind == EXPR_NAME && e->name.id == b->name &&
        e->name.ctx == EXPR_CONTEXT_STORE;
    return true;
}

static bool find_defined(void *cx, const Stmt *s) {
    Binding *b = cx;
    bool def = s->kind == STMT_FUNCTION_DEF, class_ = s->kind == STMT_CLASS_DEF;
    b->defined |= (def && s->function_def.name == b->name) ||
        (class_ && s->class_def.name == b->name);
    return !def && !class_;
}

void assigned_help(const Flow *f, Diag *d, Sym name) {
    Binding b = {.name = name};
    IrWalker w = {.cx = &b, .stmt = find_defined, .expr = find_stored,
                  .excepthandler = find_caught};
    ir_walk_stmts(&w, f->body);
    const Decl *decl = f->module ? program_find(f->p, name) : NULL;
    b.defined |= decl != NULL && decl_is_code(decl);
    if (b.defined && !b.assigned)
        diag_help(d, "define `%s` on every path that leads here", name);
    else if (b.caught && !b.assigned)
        diag_help(d, "assign `%s` to another variable in its `except` block, at whose end Python "
                     "deletes it", name);
    else
        diag_help(d, "assign `%s` on every path that leads here", name);
}

// `used` stands for a nested function: what this reads must have a value.
static void read_through(Flow *f, Sym used, Span at) {
    for (Inner *i = table_get(f->inners, used); i != NULL; i = i->next) {
        if (i->visiting || f->set[i->other - 1]) continue;
        i->visiting = true;
        for (size_t j = 0; j < i->reads.len; j++) {
            const Expr *e = i->reads.at[j];
            size_t number = index_of(f, e->name.id);
            read_through(f, e->name.id, at);
            if (f->set[number - 1]) continue;
            Diag *d = diag_report(f->p->diags, at, DIAG_UNASSIGNED,
                                  "`%s` reads `%s`, which may be unassigned here", used,
                                  e->name.id);
            diag_label(d, e->at, "`%s` is read here", e->name.id);
            assigned_help(f, d, e->name.id);
            f->set[number - 1] = true;
        }
        i->visiting = false;
    }
}

// ---- a value of another branch ----

// Where the variable is assigned that `read` reads in another arm of one `if`.
typedef struct Arms { const Expr *read; const Stmt *assigned; } Arms;

static bool find_assigned(void *cx, const Stmt *s) {
    Arms *a = cx;
    const Expr *t = s->kind == STMT_ASSIGN ? s->assign.targets.at[0]
        : s->kind == STMT_ANN_ASSIGN ? s->ann_assign.target : NULL;
    if (t != NULL && t->kind == EXPR_NAME && t->name.id == a->read->name.id) a->assigned = s;
    return a->assigned == NULL;
}

static bool reads_in(const Arms *a, StmtList block) {
    return block.len > 0 && block.at[0]->at.start <= a->read->at.start &&
        a->read->at.end <= block.at[block.len - 1]->at.end;
}

static bool find_arms(void *cx, const Stmt *s) {
    Arms *a = cx;
    IrWalker w = {.cx = a, .stmt = find_assigned};
    if (s->kind == STMT_IF && reads_in(a, s->if_.body)) ir_walk_stmts(&w, s->if_.orelse);
    if (s->kind == STMT_IF && reads_in(a, s->if_.orelse)) ir_walk_stmts(&w, s->if_.body);
    return a->assigned == NULL;
}

// `if rank == 0: ..`, `elif rank == 1: ..`, as where one program is written for all processes: what
// one role sends comes in another branch. It is said once of a function.
static void help_ranks(Flow *f, Diag *d, const Expr *e) {
    Arms a = {.read = e};
    bool sent = false;
    IrWalker w = {.cx = &a, .stmt = find_arms}, sends = {.cx = &sent, .expr = expr_find_message};
    ir_walk_stmts(&w, f->body);
    if (a.assigned == NULL) return;
    ir_walk_stmt(&sends, a.assigned);
    diag_label(d, a.assigned->at, "`%s` has its value here, in another branch", e->name.id);
    if (!sent) return;
    diag_help(d, "if the condition tests which role runs, remove the `if`: write the steps of all "
              "roles one after another");
    f->ranked = true;
}

void assigned_read(Flow *f, const Expr *e) {
    if (e->name.ctx == EXPR_CONTEXT_STORE || f->dead) return;
    if (e->name.ctx == EXPR_CONTEXT_LOAD && !f->module && index_of(f, e->name.id) > 0)
        read_through(f, e->name.id, e->at);
    if (!assigned_lacks(f, e->name.id) || (f->own != NULL && table_get(f->own, e->name.id) != NULL))
        return;
    assigned_set(f, e->name.id);
    if (f->ranked) return;
    Diag *d = diag_report(f->p->diags, e->at, DIAG_UNASSIGNED, "`%s` may be unassigned here",
                          e->name.id);
    assigned_help(f, d, e->name.id);
    help_ranks(f, d, e);
}

static void meet(const Flow *f, bool *into, const bool *other) {
    for (size_t i = 0; i < f->count; i++) into[i] = into[i] && other[i];
}

// `x and y`: the end of it is reached with the last value, or with any that is false.
static void read_bool_op(Flow *f, const Expr *e, bool **yes, bool **no) {
    ExprList values = e->bool_op.values;
    bool all = e->bool_op.op == BOOLOP_AND, *left = NULL;
    for (size_t i = 0; i < values.len; i++) {
        bool *ends, *goes_on;
        if (all) read_condition(f, values.at[i], &goes_on, &ends);
        else read_condition(f, values.at[i], &ends, &goes_on);
        f->set = goes_on;
        if (left == NULL) left = ends;
        else meet(f, left, ends);
    }
    *yes = all ? f->set : left;
    *no = all ? left : f->set;
}

// What is assigned if the condition is true, and if it is false.
static void read_condition(Flow *f, const Expr *e, bool **yes, bool **no) {
    while (e->kind == EXPR_PIN) e = e->pin.value;
    if (f->named && e->kind == EXPR_BOOL_OP) {
        read_bool_op(f, e, yes, no);
    } else if (f->named && e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_NOT) {
        read_condition(f, e->unary_op.operand, no, yes);
    } else {
        read_expr(f, e);
        *yes = f->set;
        *no = f->named ? copy_set(f) : f->set;
    }
}

static void read_if_exp(Flow *f, const Expr *e) {
    bool *yes, *no;
    read_condition(f, e->if_exp.test, &yes, &no);
    f->set = memcpy(ARENA_ARRAY(f->p->arena, bool, f->count + 1), yes, f->count);
    read_expr(f, e->if_exp.body);
    bool *body = f->set;
    f->set = memcpy(ARENA_ARRAY(f->p->arena, bool, f->count + 1), no, f->count);
    read_expr(f, e->if_exp.orelse);
    meet(f, f->set, body);
}

// Behind the second operand of `a < b < c` the rest may not be evaluated.
static void read_compare(Flow *f, const Expr *e) {
    bool *sure = NULL;
    read_expr(f, e->compare.left);
    for (size_t i = 0; i < e->compare.comparators.len; i++) {
        read_expr(f, e->compare.comparators.at[i]);
        if (i == 0) sure = copy_set(f);
    }
    if (sure != NULL) f->set = sure;
}

// True if Python may leave out a part, and this reads it: only `:=` makes that matter.
static bool read_partly(Flow *f, const Expr *e) {
    if (!f->named) return false;
    if (e->kind == EXPR_BOOL_OP) {
        bool *yes, *no;
        read_bool_op(f, e, &yes, &no);
        f->set = memcpy(ARENA_ARRAY(f->p->arena, bool, f->count + 1), yes, f->count);
        meet(f, f->set, no);
    } else if (e->kind == EXPR_IF_EXP) {
        read_if_exp(f, e);
    } else if (e->kind == EXPR_COMPARE) {
        read_compare(f, e);
    } else {
        return false;
    }
    return true;
}

static bool read_node(void *cx, const Expr *e) {
    Flow *f = cx;
    if (read_partly(f, e)) return false;
    if (f->module && e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME)
        assigned_module_call(f, e->call.func);
    if (e->kind == EXPR_NAME) assigned_read(f, e);
    else if (e->kind == EXPR_LIST_COMP)
        read_inner(f, e, e->list_comp.generators, e->list_comp.elt, NULL);
    else if (e->kind == EXPR_SET_COMP)
        read_inner(f, e, e->set_comp.generators, e->set_comp.elt, NULL);
    else if (e->kind == EXPR_GENERATOR_EXP)
        read_inner(f, e, e->generator_exp.generators, e->generator_exp.elt, NULL);
    else if (e->kind == EXPR_DICT_COMP)
        read_inner(f, e, e->dict_comp.generators, e->dict_comp.key, e->dict_comp.value);
    else if (e->kind == EXPR_LAMBDA && f->module)
        assigned_read_all(f, e->lambda.args->defaults);         // the rest is for its caller
    else if (e->kind == EXPR_LAMBDA)
        read_inner(f, e, (ComprehensionList){0}, e->lambda.body, NULL);
    else if (e->kind == EXPR_NAMED_EXPR) {
        read_expr(f, e->named_expr.value);
        assign_target(f, e->named_expr.target);
    } else return true;
    return false;
}

static void read_expr(Flow *f, const Expr *e) {
    if (e == NULL) return;
    IrWalker w = {.cx = f, .expr = read_node};
    ir_walk_expr(&w, e);
}

void assigned_read_all(Flow *f, ExprList list) {
    for (size_t i = 0; i < list.len; i++) read_expr(f, list.at[i]);
}

// ---- statements ----

static void flow_body(Flow *f, StmtList body);

// Continues with what both of two ways assign, if somebody comes along the other.
static void join(Flow *f, const bool *other, bool other_dead) {
    if (other_dead) return;
    for (size_t i = 0; i < f->count; i++)
        f->set[i] = f->dead ? other[i] : f->set[i] && other[i];
    f->dead = false;
}

static void flow_if(Flow *f, const Stmt *s) {
    Vec(bool *) sets = {0};
    Vec(bool) dead = {0};
    for (;;) {
        bool *yes, *no, was = f->dead;
        read_condition(f, s->if_.test, &yes, &no);
        f->set = no == yes ? copy_set(f) : yes;
        flow_body(f, s->if_.body);
        vec_push(f->p->arena, &sets, f->set);
        vec_push(f->p->arena, &dead, f->dead);
        f->set = no;
        f->dead = was;
        if (s->if_.orelse.len != 1 || s->if_.orelse.at[0]->kind != STMT_IF) break;
        s = s->if_.orelse.at[0];
    }
    flow_body(f, s->if_.orelse);
    for (size_t i = 0; i < sets.len; i++) join(f, sets.at[i], dead.at[i]);
}

static void forget(Flow *f, Sym name) {
    size_t i = name == NULL ? 0 : index_of(f, name);
    if (i > 0) f->set[i - 1] = false;
}

// What loops bind at different roles has a value inside of them only.
static void forget_roaming(Flow *f, const Expr *t) {
    if (f->roaming == NULL || table_empty(f->roaming)) return;
    if (t->kind == EXPR_STARRED) t = t->starred.value;
    if (t->kind == EXPR_NAME && table_get(f->roaming, t->name.id) != NULL) forget(f, t->name.id);
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++) forget_roaming(f, elts.at[i]);
}

static bool forget_target(void *cx, const Expr *e) {
    Flow *f = cx;
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_DEL) forget(f, e->name.id);
    return true;
}

static bool forget_caught(void *cx, const Excepthandler *h) {
    forget(cx, h->except_handler.name);
    return true;
}

// A name may stand for what is defined here.
static bool forget_other(void *cx, const Stmt *s) {
    Flow *f = cx;
    if (s->kind == STMT_FOR) forget_roaming(f, s->for_.target);
    const Stmt *def = assigned_definition(s);
    if (def == NULL || f->module) return def == NULL;
    for (Inner *i = table_get(f->inners, assigned_name(def)); i != NULL; i = i->next)
        if (i->def == def) f->set[i->other - 1] = false;
    return def == NULL;
}

// What may have been deleted, or defined, when these statements end early.
static void forget_deleted(Flow *f, StmtList body) {
    IrWalker w = {.cx = f, .expr = forget_target, .excepthandler = forget_caught,
                  .stmt = forget_other};
    ir_walk_stmts(&w, body);
}

static void flow_handler(Flow *f, const Excepthandler *h, bool dead) {
    f->dead = dead;
    read_expr(f, h->except_handler.type);
    if (h->except_handler.name != NULL) assigned_set(f, h->except_handler.name);
    flow_body(f, h->except_handler.body);
    forget(f, h->except_handler.name);
}

// `finally` may be reached from anywhere in what is before it; behind it, all that this assigned
// has a value.
static void flow_finally(Flow *f, const Stmt *s, const bool *early, bool dead) {
    bool *normal = copy_set(f), ended = f->dead;
    memcpy(f->set, early, f->count);
    f->dead = dead;
    for (size_t i = 0; i < s->try.handlers.len; i++)
        forget_deleted(f, s->try.handlers.at[i]->except_handler.body);
    forget_deleted(f, s->try.orelse);
    bool *entry = copy_set(f);
    flow_body(f, s->try.finalbody);
    for (size_t i = 0; i < f->count; i++)
        if (f->set[i] == entry[i]) f->set[i] = normal[i];
    f->dead |= ended;
}

static void flow_try(Flow *f, const Stmt *s) {
    size_t n = s->try.handlers.len;
    bool *start = copy_set(f), was = f->dead;
    bool **sets = ARENA_ARRAY(f->p->arena, bool *, n + 1), *dead = ARENA_ARRAY(f->p->arena, bool,
                                                                              n + 1);
    flow_body(f, s->try.body);
    flow_body(f, s->try.orelse);
    bool *end = f->set, ended = f->dead;
    f->set = start;
    forget_deleted(f, s->try.body);
    bool *early = copy_set(f);
    for (size_t i = 0; i < n; i++) {
        f->set = memcpy(ARENA_ARRAY(f->p->arena, bool, f->count + 1), early, f->count);
        flow_handler(f, s->try.handlers.at[i], was);
        sets[i] = f->set;
        dead[i] = f->dead;
    }
    f->set = end;
    f->dead = ended;
    for (size_t i = 0; i < n; i++) join(f, sets[i], dead[i]);
    if (s->try.finalbody.len > 0) flow_finally(f, s, early, was);
}

static void flow_with(Flow *f, const Stmt *s) {
    for (size_t i = 0; i < s->with.items.len; i++) {
        read_expr(f, s->with.items.at[i]->context_expr);
        if (s->with.items.at[i]->optional_vars != NULL)
            assign_target(f, s->with.items.at[i]->optional_vars);
    }
    bool *start = copy_set(f), was = f->dead;
    flow_body(f, s->with.body);
    if (s->roles.len == 0) return;
    bool *end = f->set, ended = f->dead;        // the body may have been left early
    f->set = start;
    forget_deleted(f, s->with.body);
    f->dead = was;
    join(f, end, ended);
}

static bool assign_captured(void *cx, const Pattern *p) {
    if (pattern_name(p) != NULL) assigned_set(cx, pattern_name(p));
    return true;
}

static void flow_match(Flow *f, const Stmt *s) {
    read_expr(f, s->match.subject);
    bool *before = copy_set(f), was = f->dead, *end = NULL, ended = true;
    for (size_t i = 0; i < s->match.cases.len; i++) {
        const MatchCase *c = s->match.cases.at[i];
        IrWalker read = {.cx = f, .expr = read_node};
        IrWalker bind = {.cx = f, .pattern = assign_captured};
        f->set = memcpy(ARENA_ARRAY(f->p->arena, bool, f->count + 1), before, f->count);
        f->dead = was;
        ir_walk_pattern(&read, c->pattern);
        ir_walk_pattern(&bind, c->pattern);
        bool *no;
        if (c->guard != NULL) read_condition(f, c->guard, &f->set, &no);
        flow_body(f, c->body);
        if (end != NULL) join(f, end, ended);
        end = f->set;
        ended = f->dead;
    }
    if (!match_is_total(s)) join(f, before, was);
}

static void flow_break(Flow *f) {
    Left *l = f->left;
    if (l == NULL || f->dead) return;
    if (l->dead) l->set = copy_set(f);
    for (size_t i = 0; i < f->count; i++) l->set[i] = l->set[i] && f->set[i];
    l->dead = false;
}

// The body begins with what is set; `end` is what is when there is no more round.
static void flow_rounds(Flow *f, bool *end, bool endless, StmtList body, StmtList orelse) {
    bool was = f->dead;
    Left left = {NULL, true}, *around = f->left;
    f->left = &left;
    flow_body(f, body);
    f->left = around;
    f->set = end;
    f->dead = was || endless;
    flow_body(f, orelse);
    join(f, left.set, left.dead);
}

static void flow_while(Flow *f, const Stmt *s) {
    bool *yes, *no;
    forget_deleted(f, s->while_.body);      // in an earlier round
    read_condition(f, s->while_.test, &yes, &no);
    f->set = yes;
    if (no == yes) no = copy_set(f);
    flow_rounds(f, no, control_always(s->while_.test), s->while_.body, s->while_.orelse);
}

static void flow_for(Flow *f, const Stmt *s) {
    read_expr(f, s->for_.iter);
    forget_deleted(f, s->for_.body);
    forget_roaming(f, s->for_.target);
    bool *end = copy_set(f);
    assign_target(f, s->for_.target);
    flow_rounds(f, end, false, s->for_.body, s->for_.orelse);
    forget_roaming(f, s->for_.target);
}

static void flow_assert(Flow *f, const Stmt *s) {
    bool *yes, *no;
    read_condition(f, s->assert.test, &yes, &no);
    if (no == yes) yes = copy_set(f);
    f->set = no;
    read_expr(f, s->assert.msg);
    f->set = yes;
}

// `h = lambda n: h(n - 1)` is called later.
static void assign_early(Flow *f, const Expr *target, const Expr *value) {
    if (f->named && value != NULL && value->kind == EXPR_LAMBDA) assign_target(f, target);
}

static void flow_assign(Flow *f, const Stmt *s) {
    for (size_t i = 0; i < s->assign.targets.len; i++)
        assign_early(f, s->assign.targets.at[i], s->assign.value);
    read_expr(f, s->assign.value);
    for (size_t i = 0; i < s->assign.targets.len; i++) {
        read_expr(f, s->assign.targets.at[i]);
        assign_target(f, s->assign.targets.at[i]);
    }
}

static void flow_ann_assign(Flow *f, const Stmt *s) {
    assign_early(f, s->ann_assign.target, s->ann_assign.value);
    read_expr(f, s->ann_assign.value);
    read_expr(f, s->ann_assign.target);
    if (s->ann_assign.value != NULL) assign_target(f, s->ann_assign.target);
}

static void flow_aug_assign(Flow *f, const Stmt *s) {
    const Expr *t = s->aug_assign.target;
    if (t->kind == EXPR_NAME) t = expr_name(f->p->arena, t->at, t->name.id, EXPR_CONTEXT_LOAD);
    read_expr(f, t);
    read_expr(f, s->aug_assign.value);
}

// ---- nested functions ----

// The names that a nested function and those around it, up to the one of the analysis, bind.
typedef struct Hidden {
    Flow               *f;
    Table              *names;
    const struct Hidden *outer;
    Inner              *to;
} Hidden;

static void bind(const Hidden *b, Sym name) {
    if (name != NULL) table_set(b->names, name, b->names);
}

static bool bind_expr(void *cx, const Expr *e) {
    if (e->kind == EXPR_NAME && e->name.ctx != EXPR_CONTEXT_LOAD) bind(cx, e->name.id);
    return true;
}

static bool bind_stmt(void *cx, const Stmt *s) {
    if (assigned_definition(s) != NULL) bind(cx, assigned_name(assigned_definition(s)));
    return assigned_definition(s) == NULL;
}

static bool bind_arg(void *cx, const Arg *a) {
    bind(cx, a->arg);
    return true;
}

static bool bind_handler(void *cx, const Excepthandler *h) {
    bind(cx, h->except_handler.name);
    return true;
}

static bool bind_pattern(void *cx, const Pattern *p) {
    bind(cx, pattern_name(p));
    return true;
}

static bool is_bound(const Hidden *b, Sym name) {
    for (; b != NULL; b = b->outer)
        if (table_get(b->names, name) != NULL) return true;
    return false;
}

static bool note_read(void *cx, const Expr *e) {
    const Hidden *b = cx;
    Flow *f = b->f;
    if (e->kind != EXPR_NAME || is_bound(b, e->name.id)) return true;
    bool known = index_of(f, e->name.id) > 0 || f->module;
    bool lasts = !assigned_lacks(f, e->name.id) && table_get(f->deleted, e->name.id) == NULL;
    if (!known || (lasts && table_get(f->inners, e->name.id) == NULL)) return true;
    vec_push(f->p->arena, &b->to->reads, e);
    bind(b, e->name.id);        // once
    return true;
}

static bool note_call(void *cx, const Expr *e) {
    const Hidden *b = cx;
    const Expr *callee = b->f->module && e->kind == EXPR_CALL ? e->call.func : NULL;
    if (callee != NULL && callee->kind == EXPR_NAME && !is_bound(b, callee->name.id) &&
        table_get(b->f->inners, callee->name.id) != NULL)
        vec_push(b->f->p->arena, &b->to->calls, callee);
    return note_read(cx, e);
}

static bool read_definition(void *cx, const Stmt *s);

// Collects what a definition reads of the variables around it and may not have a value for ever.
static void read_inside(Flow *f, const Stmt *def, const Hidden *outer, Inner *to) {
    Hidden b = {f, table_new(f->p->arena), outer, to};
    IrWalker bound = {.cx = &b, .expr = bind_expr, .stmt = bind_stmt, .arg = bind_arg,
                      .excepthandler = bind_handler, .pattern = bind_pattern};
    IrWalker read = {.cx = &b, .expr = note_call, .stmt = read_definition};
    bool function = def->kind == STMT_FUNCTION_DEF;
    StmtList body = function ? def->function_def.body : def->class_def.body;
    bind(&b, assigned_name(def));
    if (function) ir_walk_arguments(&bound, def->function_def.args);
    ir_walk_stmts(&bound, body);
    ir_walk_stmts(&read, body);
}

static bool read_definition(void *cx, const Stmt *s) {
    const Hidden *b = cx;
    if (assigned_definition(s) != NULL) read_inside(b->f, assigned_definition(s), b, b->to);
    return assigned_definition(s) == NULL;
}

static void flow_definition(Flow *f, const Stmt *def) {
    if (f->module) {
        assigned_module_definition(f, def);
    } else if (def->kind == STMT_FUNCTION_DEF) {
        assigned_read_all(f, def->function_def.args->defaults);
        assigned_read_all(f, def->function_def.args->kw_defaults);
    }
    for (Inner *i = table_get(f->inners, assigned_name(def)); i != NULL; i = i->next) {
        if (!f->module) f->set[i->other - 1] = i->def != def;
        if (i->def != def || f->dead) continue;
        i->reads.len = i->calls.len = 0;
        read_inside(f, def, NULL, i);
    }
    assigned_set(f, assigned_name(def));
}

// Statements without statements in them.
static void flow_simple(Flow *f, const Stmt *s) {
    if (f->module) assigned_module_simple(f, s);
    IrWalker w = {.cx = f, .expr = read_node};
    if (s->kind != STMT_TYPE_ALIAS) ir_walk_stmt(&w, s);    // Python reads that later, if ever
    if (s->kind == STMT_BREAK) flow_break(f);
    if (s->kind == STMT_DELETE) forget_deleted(f, (StmtList){&s, 1});
    f->dead |= s->kind == STMT_RETURN || s->kind == STMT_RAISE || s->kind == STMT_BREAK ||
        s->kind == STMT_CONTINUE || stmt_never_returns(s);
}

static void flow_stmt(Flow *f, const Stmt *s) {
    if (assigned_definition(s) != NULL) flow_definition(f, assigned_definition(s));
    else if (s->kind == STMT_IF) flow_if(f, s);
    else if (s->kind == STMT_TRY) flow_try(f, s);
    else if (s->kind == STMT_WITH) flow_with(f, s);
    else if (s->kind == STMT_MATCH) flow_match(f, s);
    else if (s->kind == STMT_WHILE) flow_while(f, s);
    else if (s->kind == STMT_FOR) flow_for(f, s);
    else if (s->kind == STMT_ASSERT) flow_assert(f, s);
    else if (s->kind == STMT_ASSIGN) flow_assign(f, s);
    else if (s->kind == STMT_ANN_ASSIGN) flow_ann_assign(f, s);
    else if (s->kind == STMT_AUG_ASSIGN) flow_aug_assign(f, s);
    else flow_simple(f, s);
}

static void flow_body(Flow *f, StmtList body) {
    f->depth++;
    for (size_t i = 0; i < body.len; i++) flow_stmt(f, body.at[i]);
    f->depth--;
}

void assigned_flow(Flow *f, StmtList body) {
    for (size_t i = 0; i < body.len; i++) flow_stmt(f, body.at[i]);
}

void assigned_note_deleted(Flow *f, StmtList body) {
    IrWalker w = {.cx = f, .stmt = note_deleted, .excepthandler = note_handler};
    ir_walk_stmts(&w, body);
}

// ---- variables of loops at different roles ----

static void report_late_read(const Flow *f, Sym name, const Expr *read) {
    const Expr *target = table_get(f->roaming, name);
    Diag *d = diag_report(f->p->diags, target->at, DIAG_PLACE_WRONG,
                          "`%s` is the target of loops at different roles, but is read in a "
                          "function that may run after another loop has assigned it", name);
    diag_label(d, read->at, "`%s` is read here", name);
    diag_help(d, "use another name");
}

// In a lambda or generator; `hidden` is bound there.
typedef struct LateReads { const Flow *f; Table *hidden; } LateReads;

static bool note_late_read(void *cx, const Expr *e) {
    const LateReads *l = cx;
    if (e->kind == EXPR_NAME && table_get(l->f->roaming, e->name.id) != NULL &&
        table_get(l->hidden, e->name.id) == NULL)
        report_late_read(l->f, e->name.id, e);
    return true;
}

static bool find_late(void *cx, const Expr *e) {
    const Flow *f = cx;
    if (e->kind != EXPR_LAMBDA && e->kind != EXPR_GENERATOR_EXP) return true;
    LateReads l = {f, table_new(f->p->arena)};
    Hidden b = {.names = l.hidden};
    IrWalker bound = {.cx = &b, .expr = bind_expr, .arg = bind_arg};
    IrWalker read = {.cx = &l, .expr = note_late_read};
    ir_walk_expr(&bound, e);
    ir_walk_expr(&read, e);
    return false;
}

static bool outside_definitions(void *cx, const Stmt *s) {
    (void)cx;
    return assigned_definition(s) == NULL;
}

static void refuse_late_reads(Flow *f, StmtList body) {
    for (const Inner *i = f->last; i != NULL; i = i->before)
        for (size_t j = 0; j < i->reads.len; j++)
            if (table_get(f->roaming, i->reads.at[j]->name.id) != NULL)
                report_late_read(f, i->reads.at[j]->name.id, i->reads.at[j]);
    IrWalker w = {.cx = f, .expr = find_late, .stmt = outside_definitions};
    ir_walk_stmts(&w, body);
}

void assigned_check(Program *p, const Function *fn, StmtList body) {
    Flow f = {.p = p, .index = table_new(p->arena), .inners = table_new(p->arena),
              .deleted = table_new(p->arena), .homes = table_new(p->arena),
              .roaming = table_new(p->arena), .named = fn->named, .body = body};
    IrWalker w = {.cx = &f, .stmt = note_stmt, .excepthandler = note_handler,
                  .pattern = note_pattern, .expr = fn->named ? note_named : NULL};
    ir_walk_stmts(&w, body);
    f.set = ARENA_ARRAY(p->arena, bool, f.count + 1);
    for (const Inner *i = f.last; i != NULL; i = i->before) f.set[i->other - 1] = true;
    for (size_t i = 0; i < fn->params.len; i++) assigned_set(&f, fn->params.at[i].name);
    flow_body(&f, body);
    if (!table_empty(f.roaming)) refuse_late_reads(&f, body);
}

typedef struct Plain { Program program; Function function; } Plain;

static bool add_parameter(void *cx, const Arg *arg) {
    Plain *plain = cx;
    vec_push(plain->program.arena, &plain->function.params, (Param){.name = arg->arg});
    return true;
}

void typecheck_assigned(Arena *a, Diags *diags, const Stmt *def) {
    Plain *plain = ARENA_NEW(a, Plain);
    *plain = (Plain){.program = {.arena = a, .diags = diags}, .function = {.named = true}};
    IrWalker w = {.cx = plain, .arg = add_parameter};
    ir_walk_arguments(&w, def->function_def.args);
    assigned_check(&plain->program, &plain->function, def->function_def.body);
}
