// c_lift_classes.c - classes that stand in functions become classes of the module.
//
// Python makes such a class anew in each call. One class for all calls is the same to the program
// if the class needs nothing of the call, and if no object meets the class of another call: tests
// of what an object is, equality of dataclasses, members of enums and handlers would tell. A class
// of that kind is left where it is, and refused there, if its function may come to itself or may
// give its objects away. Types name the class "<local>.Cell"; that is the class's name here.

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/emit/c/c_internal.h"
#include "compiler/ir/free_names.h"

typedef Vec(const Stmt *) Found;

typedef struct Local {
    CEmit      *c;
    StmtList    module;
    const Stmt *top;            // the statement of the module that is looked at
    const Stmt *function;       // the innermost, with the class in its body
    const Stmt *class_;
    const char *path;           // of the class, as Python shows it
    Vec(SymList) scopes;        // what the functions around bind
} Local;

// ---- how often a name is bound in a statement, in any scope of it ----

typedef struct Count { Sym name; size_t times; } Count;

static bool count_expr(void *cx, const Expr *e)
{
    Count *n = cx;
    n->times += e->kind == EXPR_NAME && e->name.id == n->name
                && e->name.ctx != EXPR_CONTEXT_LOAD;
    return true;
}

static bool count_stmt(void *cx, const Stmt *s)
{
    Count *n = cx;
    n->times += s->kind == STMT_FUNCTION_DEF && s->function_def.name == n->name;
    n->times += s->kind == STMT_CLASS_DEF && s->class_def.name == n->name;
    if (s->kind == STMT_GLOBAL && sym_in(s->global.names, n->name))
        n->times += 2;
    if (s->kind == STMT_NONLOCAL && sym_in(s->nonlocal.names, n->name))
        n->times += 2;
    return true;
}

static bool count_arg(void *cx, const Arg *arg)
{
    Count *n = cx;
    n->times += arg->arg == n->name;
    return true;
}

size_t c_times_bound(StmtList body, Sym name)
{
    Count n = {.name = name};
    IrWalker w = {.cx = &n, .expr = count_expr, .stmt = count_stmt, .arg = count_arg};
    ir_walk_stmts(&w, body);
    return n.times;
}

// ---- whether calls could tell ----

typedef struct Mentions { Sym name; const Stmt *inside; size_t all, called; } Mentions;

static bool see_mention(void *cx, const Expr *e)
{
    Mentions *m = cx;
    const Expr *used = e->kind == EXPR_CALL ? e->call.func
        : e->kind == EXPR_ATTRIBUTE ? e->attribute.value : NULL;
    m->all += e->kind == EXPR_NAME && e->name.id == m->name;
    m->called += used != NULL && used->kind == EXPR_NAME && used->name.id == m->name;
    return true;
}

static bool is_tested(const Local *l)
{
    Mentions m = {.name = l->class_->class_def.name};
    IrWalker w = {.cx = &m, .expr = see_mention};
    ir_walk_stmts(&w, l->function->function_def.body);
    return l->class_->class_def.bases.len > 0 || l->class_->class_def.decorator_list.len > 0
           || m.all != m.called;
}

typedef struct Reach { Arena *arena; Table *seen; Vec(Sym) todo; } Reach;

static bool reach_expr(void *cx, const Expr *e)
{
    Reach *r = cx;
    Sym name = e->kind == EXPR_NAME ? e->name.id
        : e->kind == EXPR_ATTRIBUTE ? e->attribute.attr : NULL;
    if (name != NULL && table_get(r->seen, name) == NULL) {
        table_set(r->seen, name, r);
        vec_push(r->arena, &r->todo, name);
    }
    return true;
}

typedef struct Defs { Sym name; Reach *reach; } Defs;

static bool reach_def(void *cx, const Stmt *s)
{
    Defs *d = cx;
    IrWalker w = {.cx = d->reach, .expr = reach_expr};
    if (s->kind == STMT_FUNCTION_DEF && s->function_def.name == d->name)
        ir_walk_stmts(&w, s->function_def.body);
    return true;
}

// Whether a function may come to itself, by the names that it and what it calls mention.
static bool comes_to_itself(const Local *l)
{
    Reach r = {.arena = l->c->arena, .seen = table_new(l->c->arena)};
    IrWalker own = {.cx = &r, .expr = reach_expr};
    ir_walk_stmts(&own, l->function->function_def.body);
    for (size_t i = 0; i < r.todo.len; i++) {
        Defs d = {r.todo.at[i], &r};
        IrWalker w = {.cx = &d, .stmt = reach_def};
        ir_walk_stmts(&w, l->module);
    }
    return table_get(r.seen, l->function->function_def.name) != NULL;
}

static bool see_open(void *cx, const Expr *e)
{
    static const char *const CLOSED[] = {"int", "str", "float", "bool", "bytes", "complex", "list",
                                         "dict", "set", "tuple", "frozenset", NULL};
    bool plain = e->kind == EXPR_NAME ? sym_is_one_of(e->name.id, CLOSED)
        : e->kind == EXPR_CONSTANT ? e->constant.value->kind != CONST_STR
        : e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_TUPLE || e->kind == EXPR_BIN_OP;
    *(bool *)cx |= !plain;
    return true;
}

// Whether what the function returns may hold an object of any class.
static bool gives_away(const Local *l)
{
    bool open = false;
    IrWalker w = {.cx = &open, .expr = see_open};
    if (l->function->function_def.returns != NULL)
        ir_walk_expr(&w, l->function->function_def.returns);
    return open;
}

// ---- whether the class needs nothing of the call ----

static bool all_constant(ExprList list)
{
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i] != NULL && list.at[i]->kind != EXPR_CONSTANT)
            return false;
    return true;
}

// field(default_factory=list), auto(): evaluating them again gives the same.
static bool is_plain_call(const Expr *e)
{
    const Expr *f = e->kind == EXPR_CALL ? e->call.func : NULL;
    Sym name = f == NULL ? NULL : f->kind == EXPR_NAME ? f->name.id
        : f->kind == EXPR_ATTRIBUTE ? f->attribute.attr : NULL;
    if (name == NULL || (!sym_is(name, "field") && !sym_is(name, "auto")))
        return false;
    for (size_t i = 0; i < e->call.keywords.len; i++) {
        const Keyword *k = e->call.keywords.at[i];
        if (k->arg == NULL || (sym_is(k->arg, "default") && !c_is_constant(k->value)))
            return false;
    }
    return true;
}

static bool is_fixed(const Stmt *s)
{
    const Expr *value = s->kind == STMT_ASSIGN ? s->assign.value
        : s->kind == STMT_ANN_ASSIGN ? s->ann_assign.value : NULL;
    if (s->kind == STMT_FUNCTION_DEF)
        return all_constant(s->function_def.args->defaults)
               && all_constant(s->function_def.args->kw_defaults);
    return value == NULL || c_is_constant(value) || is_plain_call(value);
}

static void ignore(void *cx, const Expr *e) { (void)cx, (void)e; }

static SymList mentioned(const Local *l, StmtList body)     // what class bodies bind is theirs
{
    return names_visit(l->c->arena, l->c->names, body, ignore, NULL);
}

static bool needs_call(const Local *l)
{
    SymList free = mentioned(l, (StmtList){&l->class_, 1});
    for (size_t i = 0; i < free.len; i++)
        for (size_t j = 0; j < l->scopes.len; j++)
            if (free.at[i] != l->class_->class_def.name && sym_in(l->scopes.at[j], free.at[i]))
                return true;
    for (size_t i = 0; i < l->class_->class_def.body.len; i++)
        if (!is_fixed(l->class_->class_def.body.at[i]))
            return true;
    return false;
}

static bool mentioned_before(const Local *l, size_t at)
{
    StmtList before = {l->function->function_def.body.at, at};
    return sym_in(mentioned(l, before), l->class_->class_def.name);
}

static bool can_move(const Local *l, size_t at)
{
    return c_times_bound((StmtList){&l->top, 1}, l->class_->class_def.name) == 1
           && !mentioned_before(l, at) && !needs_call(l)
           && !(is_tested(l) && (comes_to_itself(l) || gives_away(l)));
}

// ---- finding one ----

static bool find_in(Local *l, StmtList body, const char *path);

static SymList bound_by(Local *l, const Stmt *def)
{
    Vec(Sym) all = {0};
    SymList own = names_bound(l->c->arena, l->c->names, def->function_def.body);
    const Arguments *args = def->function_def.args;
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    for (size_t i = 0; i < own.len; i++)
        vec_push(l->c->arena, &all, own.at[i]);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < lists[i].len; j++)
            vec_push(l->c->arena, &all, lists[i].at[j]->arg);
    if (args->vararg != NULL)
        vec_push(l->c->arena, &all, args->vararg->arg);
    if (args->kwarg != NULL)
        vec_push(l->c->arena, &all, args->kwarg->arg);
    return (SymList){all.at, all.len};
}

static bool find_in_function(Local *l, const Stmt *def, const char *path)
{
    SymList bound = bound_by(l, def);
    vec_push(l->c->arena, &l->scopes, bound);
    StmtList body = def->function_def.body;
    for (size_t i = 0; i < body.len; i++) {
        l->function = def;
        l->class_ = body.at[i];
        if (l->class_->kind != STMT_CLASS_DEF || !can_move(l, i))
            continue;
        l->path = c_text(l->c, "%s.<locals>.%s", path, l->class_->class_def.name);
        return true;
    }
    bool found = find_in(l, body, c_text(l->c, "%s.<locals>", path));
    l->scopes.len--;
    return found;
}

static bool find_in(Local *l, StmtList body, const char *path)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        const char *name = s->kind == STMT_FUNCTION_DEF ? s->function_def.name
            : s->kind == STMT_CLASS_DEF ? s->class_def.name : NULL;
        if (name == NULL)
            continue;
        const char *inner = *path ? c_text(l->c, "%s.%s", path, name) : unqualified(name);
        if (s->kind == STMT_FUNCTION_DEF ? find_in_function(l, s, inner)
                                         : find_in(l, s->class_def.body, inner))
            return true;
    }
    return false;
}

// ---- moving it ----

typedef struct Known { const char *plain; Sym name; } Known;

static bool note_type(void *cx, const Ty *t)
{
    Known *k = cx;
    static const char LOCAL[] = "<local>.";
    size_t len = strlen(k->plain);
    if (t->kind != TY_NAMED || strncmp(t->named.name, LOCAL, sizeof LOCAL - 1) != 0)
        return true;
    const char *name = t->named.name + sizeof LOCAL - 1;
    if (strncmp(name, k->plain, len) == 0 && name[len + strspn(name + len, "'")] == '\0')
        k->name = t->named.name;
    return true;
}

static bool look_into(Known *k, const Ty *t)
{
    IrWalker w = {.cx = k, .ty = note_type};
    if (t != NULL && k->name == NULL)
        ir_walk_ty(&w, t);
    return k->name == NULL;
}

static bool note_expr(void *cx, const Expr *e) { return look_into(cx, e->ty); }

static bool note_arg(void *cx, const Arg *arg) { return look_into(cx, arg->ty); }

// The name that types have for the class.
static Sym type_name(const Local *l)
{
    Known k = {.plain = l->class_->class_def.name};
    IrWalker w = {.cx = &k, .expr = note_expr, .arg = note_arg};
    ir_walk_stmts(&w, l->function->function_def.body);
    return k.name != NULL ? k.name
        : names_format(l->c->names, "<local>.%s#%u", k.plain, (unsigned)l->class_->at.start);
}

typedef struct Move { Sym from, to; const Stmt *class_; } Move;

static const Expr *renamed(IrMapper *m, const Expr *e)
{
    const Move *move = m->cx;
    if (e->kind != EXPR_NAME || e->name.id != move->from)
        return e;
    return expr_with_ty(m->arena, expr_name(m->arena, e->at, move->to, e->name.ctx), e->ty,
                        e->roles);
}

static const Stmt *moved(IrMapper *m, const Stmt *s)
{
    const Move *move = m->cx;
    bool here = s->kind == STMT_CLASS_DEF && s->class_def.name == move->from
                && s->at.start == move->class_->at.start;
    return here ? stmt_pass(m->arena, s->at) : s;
}

static void move_class(Local *l, Found *out)
{
    Arena *a = l->c->arena;
    Move move = {l->class_->class_def.name, type_name(l), l->class_};
    IrMapper names = {.arena = a, .cx = &move, .expr = renamed};
    IrMapper rest = {.arena = a, .cx = &move, .expr = renamed, .stmt = moved};
    const Stmt *k = ir_map_stmts(&names, (StmtList){&l->class_, 1}).at[0];
    vec_push(a, out, stmt_class_def(a, k->at, move.to, k->class_def.bases, k->class_def.keywords,
                                    k->class_def.body, k->class_def.decorator_list,
                                    k->class_def.type_params));
    table_set(l->c->shown, move.to, (void *)l->path);
    l->top = ir_map_stmts(&rest, (StmtList){&l->top, 1}).at[0];
}

StmtList c_classes_out(CEmit *c, StmtList body)
{
    Found out = {0};
    for (size_t i = 0; i < body.len; i++) {
        Local l = {.c = c, .module = body, .top = body.at[i]};
        while (find_in(&l, (StmtList){&l.top, 1}, "")) {
            move_class(&l, &out);
            l = (Local){.c = c, .module = body, .top = l.top};
        }
        vec_push(c->arena, &out, l.top);
    }
    return (StmtList){out.at, out.len};
}
