// shared_change.c - which module variables and class attributes change, under whatever name.
//
// Flow-insensitive: a variable of a function may hold any value that the function puts there. From
// what is changed in place the search goes back to what the changed object may be, through
// assignments, arguments and results, until it finds module state. A call may give what it is
// given, and any module variable that its code mentions.

#include <stdint.h>
#include <string.h>

#include "typecheck/internal.h"
#include "typecheck/python/python.h"

// What is changed: the object itself, or something in it.
enum { SELF = 1, PARTS = 2, ALL = SELF | PARTS };

// A name of a function may hold `value`, or it may be in it: if the name's `part` is changed, so is
// `what` of the value, which stands in `scope`.
typedef struct Edge { unsigned part, what; const Expr *value; Sym scope; } Edge;
typedef struct Edges { Edge *at; size_t len, cap; } Edges;

typedef struct Changes {
    Program *p;
    Sym      scope;             // the outermost function around, as part of the keys of its names
    Table   *names;             // key of a name -> SELF, PARTS
    Table   *functions;         // name -> Defs *: all functions and methods of that name
    Table   *edges;             // key of a name -> Edges *
    Table   *mentioned;         // Decl: marked already, with all that its code mentions
    StmtVec  pending;
    Decl    *class_;            // the class around
    const Expr *callee;         // what the call above calls
    Vec(const void *) grown;    // names of which more is changed
} Changes;

typedef struct Def { const Stmt *def; Sym scope; bool method; } Def;
typedef struct Defs { Def *at; size_t len, cap; } Defs;

static void mark(Changes *c, const Expr *e, unsigned what);

static const void *key_of(Changes *c, Sym scope, Sym name) {
    return names_format(c->p->names, "%s:%s", scope, name);
}

static Sym scope_of(Changes *c, const Stmt *def) {
    return names_format(c->p->names, "%u", (unsigned)def->at.start);
}

// What all methods of a name may be called on as values is held by one name, which no program has.
static Sym hub_of(Changes *c, Sym method) { return names_format(c->p->names, "*%s", method); }

// ---- what an expression may be ----

static bool immutable(Changes *c, const Expr *e) {
    return e->ty != NULL && !type_mutable(c->p, e->ty);
}

// An enum without code of its own, whose members are constants: others may have attributes.
static bool is_bare_enum(Program *p, const Decl *d) {
    StmtList body = d->stmt->class_def.body;
    ExprList bases = d->stmt->class_def.bases;
    for (size_t i = 0; i < bases.len; i++) {
        const Decl *base = bases.at[i]->kind == EXPR_NAME ? program_find(p, bases.at[i]->name.id)
            : NULL;
        if (base != NULL && base->kind != DECL_IMPORT) return false;
    }
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        const Expr *value = s->kind == STMT_ASSIGN ? s->assign.value
            : s->kind == STMT_EXPR ? s->expr.value : NULL;
        const Expr *f = value != NULL && value->kind == EXPR_CALL ? value->call.func : NULL;
        bool numbered = f != NULL && f->kind == EXPR_NAME && sym_is(f->name.id, "auto");
        bool constant = value != NULL && value->kind == EXPR_CONSTANT;
        if (!numbered && !constant && s->kind != STMT_PASS) return false;
    }
    return true;
}

// A value that nobody can change, whatever made it; of a function nobody knows what it keeps.
static bool is_plain(Program *p, const Ty *t) {
    TyList items = t->kind == TY_TUPLE ? t->tuple.items
        : t->kind == TY_UNION ? t->union_.items : (TyList){0};
    for (size_t i = 0; i < items.len; i++)
        if (!is_plain(p, items.at[i])) return false;
    const Decl *d = t->kind == TY_NAMED ? program_find(p, t->named.name) : NULL;
    if (d != NULL && d->kind == DECL_ENUM && (d->stmt == NULL || !is_bare_enum(p, d))) return false;
    return t->kind != TY_CALLABLE && t->kind != TY_INST && !type_mutable(p, t);
}

// What the first value of a variable of the module says of its type.
static bool inferred_plain(Changes *c, const Decl *d) {
    PySym *symbol = pyt_find(c->p->py->file->env, d->name);
    const Ty *t = symbol != NULL ? pyt_symbol_type(symbol) : NULL;
    return t != NULL && is_plain(c->p, t);
}

static bool variable_mutable(Changes *c, const Decl *d) {
    const Stmt *s = d->stmt;
    const Expr *value = s == NULL ? NULL : s->kind == STMT_ASSIGN ? s->assign.value
        : s->kind == STMT_ANN_ASSIGN ? s->ann_assign.value : NULL;
    if (value != NULL && (value->kind == EXPR_CONSTANT || value->kind == EXPR_JOINED_STR))
        return false;
    if (program_is_type_var(d) || program_is_type_name(c->p, d) || inferred_plain(c, d))
        return false;
    return s == NULL || s->kind != STMT_ANN_ASSIGN ||
        type_mutable(c->p, annotation_local(c->p, s->ann_assign.annotation));
}

static void mark_name(Changes *c, Sym name, unsigned what) {
    const void *key = key_of(c, c->scope, name);
    uintptr_t old = (uintptr_t)table_get(c->names, key);
    Decl *d = program_find(c->p, name);
    if ((old | what) == old) return;
    table_set(c->names, key, (void *)(old | what));
    vec_push(c->p->arena, &c->grown, key);
    if (d != NULL && d->kind == DECL_VARIABLE && variable_mutable(c, d)) d->rebound = true;
}

static void mark_all(Changes *c, ExprList list, unsigned what) {
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i] != NULL) mark(c, list.at[i], what);
}

static void mark_arguments(Changes *c, const Expr *call, unsigned what) {
    mark_all(c, call->call.args, what);
    for (size_t i = 0; i < call->call.keywords.len; i++)
        mark(c, call->call.keywords.at[i]->value, what);
}

static bool find_mentioned(void *cx, const Expr *e) {
    Changes *c = cx;
    Decl *d = e->kind == EXPR_NAME ? program_find(c->p, e->name.id) : NULL;
    if (d == NULL || table_get(c->mentioned, d) != NULL) return true;
    table_set(c->mentioned, d, c);
    if (d->kind == DECL_VARIABLE && variable_mutable(c, d)) d->rebound = true;
    if ((d->kind == DECL_LOCAL_FUNCTION || d->kind == DECL_CHOREOGRAPHY) && d->stmt != NULL)
        vec_push(c->p->arena, &c->pending, d->stmt);
    return true;
}

// Every module variable that the code mentions, itself or in what it calls, may come out of it.
static void mark_mentioned(Changes *c, const Decl *d) {
    IrWalker w = {.cx = c, .expr = find_mentioned};
    if (table_get(c->mentioned, d) != NULL) return;
    table_set(c->mentioned, d, c);
    vec_push(c->p->arena, &c->pending, d->stmt);
    while (c->pending.len > 0) ir_walk_stmt(&w, c->pending.at[--c->pending.len]);
}

// The result of a function of this file: a module variable that it mentions, or what it is given.
static void mark_result(Changes *c, const Expr *call, const Decl *d) {
    if (d->stmt->kind == STMT_FUNCTION_DEF && d->stmt->function_def.returns != NULL) {
        const Expr *returns = d->stmt->function_def.returns;
        bool plain = d->kind == DECL_LOCAL_FUNCTION;
        if (plain && !type_mutable(c->p, annotation_local(c->p, returns))) return;
    }
    mark_mentioned(c, d);
    mark_arguments(c, call, ALL);
}

static void mark_call(Changes *c, const Expr *e, unsigned what) {
    static const char *const FRESH[] = {"list", "sorted", "dict", "set", "tuple", "frozenset",
                                        "len", "str", "repr", "int", "float", "sum", "abs",
                                        "range", "isinstance", "print", NULL};
    static const char *const COPIES[] = {"copy_value", "deepcopy", NULL};
    static const char *const VIEWS[] = {"copy", "keys", "values", "items", NULL};
    const Expr *f = e->call.func->kind == EXPR_INST ? e->call.func->inst.target : e->call.func;
    Decl *d = f->kind == EXPR_NAME ? program_find(c->p, f->name.id) : NULL;
    if (f->kind == EXPR_NAME && sym_is_one_of(f->name.id, COPIES)) return;
    if (f->kind == EXPR_NAME && d == NULL && sym_is_one_of(f->name.id, FRESH)) {
        if (what & PARTS) mark_arguments(c, e, PARTS);
        return;
    }
    bool code = d != NULL && (d->kind == DECL_LOCAL_FUNCTION || d->kind == DECL_CHOREOGRAPHY);
    bool class_ = d != NULL && (d->kind == DECL_LOCAL_CLASS || d->kind == DECL_ROLE_CLASS);
    if (code) {
        mark_result(c, e, d);
    } else if (class_) {
        if (what & PARTS) mark_arguments(c, e, ALL);
    } else {
        bool view = f->kind == EXPR_ATTRIBUTE && sym_is_one_of(f->attribute.attr, VIEWS);
        if (f->kind == EXPR_ATTRIBUTE && (!view || (what & PARTS)))
            mark(c, f->attribute.value, PARTS);
        mark_arguments(c, e, ALL);
    }
}

static void mark_comprehension(Changes *c, const Expr *elt, const Expr *value,
                               ComprehensionList list, unsigned what) {
    if (!(what & PARTS)) return;
    mark(c, elt, ALL);
    if (value != NULL) mark(c, value, ALL);
    for (size_t i = 0; i < list.len; i++) mark(c, list.at[i]->iter, PARTS);
}

// ---- attributes of classes ----

typedef struct Store { Sym attr; bool found; } Store;

static bool find_store(void *cx, const Expr *e) {
    Store *s = cx;
    s->found |= e->kind == EXPR_ATTRIBUTE && e->attribute.ctx == EXPR_CONTEXT_STORE &&
        e->attribute.attr == s->attr;
    return !s->found;
}

static const Expr *assigned(const Stmt *s, Sym name) {
    if (s->kind == STMT_ASSIGN)
        return s->assign.targets.at[0]->kind == EXPR_NAME &&
            s->assign.targets.at[0]->name.id == name ? s->assign.value : NULL;
    return s->kind == STMT_ANN_ASSIGN && s->ann_assign.target->kind == EXPR_NAME &&
        s->ann_assign.target->name.id == name ? s->ann_assign.value : NULL;
}

// `x.attr` is changed in place: an attribute of the class itself, if its instances have none.
static void change_attribute(Program *p, Sym attr) {
    for (size_t i = 0; i < p->order.len; i++) {
        Decl *d = p->order.at[i];
        if (d->kind != DECL_LOCAL_CLASS || d->is_dataclass) continue;
        StmtList body = d->stmt->class_def.body;
        Store own = {attr, false};
        IrWalker w = {.cx = &own, .expr = find_store};
        ir_walk_stmts(&w, body);
        for (size_t j = 0; j < body.len && !own.found; j++) {
            const Expr *value = assigned(body.at[j], attr);
            d->rebound |= value != NULL && shared_makes_mutable(value);
        }
    }
}

// ---- marking ----

// Down the spine, where a part of a part changes: what it is a part of. NULL: what cannot change.
static const Expr *changed_root(Changes *c, const Expr *e) {
    for (; !immutable(c, e); e = e->kind == EXPR_ATTRIBUTE ? e->attribute.value
                                                           : e->subscript.value) {
        if (e->kind != EXPR_ATTRIBUTE && e->kind != EXPR_SUBSCRIPT) return e;
        if (e->kind == EXPR_SUBSCRIPT) continue;
        Decl *d = e->attribute.value->kind == EXPR_NAME
            ? program_find(c->p, e->attribute.value->name.id) : NULL;
        change_attribute(c->p, e->attribute.attr);
        if (d != NULL && d->kind == DECL_LOCAL_CLASS) d->rebound = true;
    }
    return NULL;
}

static void mark(Changes *c, const Expr *e, unsigned what) {
    const Expr *root = changed_root(c, e);
    if (root == NULL) return;
    if (root != e) what = PARTS;
    e = root;
    ExprList parts = {0};
    switch (e->kind) {
    case EXPR_NAME: mark_name(c, e->name.id, what); return;
    case EXPR_CALL: mark_call(c, e, what); return;
    case EXPR_PIN: mark(c, e->pin.value, what); return;
    case EXPR_STARRED: mark(c, e->starred.value, PARTS); return;
    case EXPR_AWAIT: mark(c, e->await.value, what); return;
    case EXPR_NAMED_EXPR:
        mark(c, e->named_expr.value, what);
        mark(c, e->named_expr.target, what);
        return;
    case EXPR_IF_EXP:
        for (; e->kind == EXPR_IF_EXP; e = e->if_exp.orelse) mark(c, e->if_exp.body, what);
        mark(c, e, what);
        return;
    case EXPR_BOOL_OP: mark_all(c, e->bool_op.values, what); return;
    case EXPR_LIST_COMP:
        mark_comprehension(c, e->list_comp.elt, NULL, e->list_comp.generators, what);
        return;
    case EXPR_SET_COMP:
        mark_comprehension(c, e->set_comp.elt, NULL, e->set_comp.generators, what);
        return;
    case EXPR_DICT_COMP:
        mark_comprehension(c, e->dict_comp.key, e->dict_comp.value, e->dict_comp.generators, what);
        return;
    case EXPR_GENERATOR_EXP:
        mark_comprehension(c, e->generator_exp.elt, NULL, e->generator_exp.generators, ALL);
        return;
    case EXPR_LIST: parts = e->list.elts; break;
    case EXPR_TUPLE: parts = e->tuple.elts; break;
    case EXPR_SET: parts = e->set.elts; break;
    case EXPR_DICT: parts = e->dict.values; break;
    case EXPR_BIN_OP:                   // a sum of lists shares their elements
        for (; e->kind == EXPR_BIN_OP && (what & PARTS); e = e->bin_op.left)
            mark(c, e->bin_op.right, PARTS);
        if (what & PARTS) mark(c, e, PARTS);
        return;
    case EXPR_ATTRIBUTE: case EXPR_SUBSCRIPT: case EXPR_UNARY_OP: case EXPR_LAMBDA:
    case EXPR_YIELD: case EXPR_YIELD_FROM: case EXPR_COMPARE: case EXPR_FORMATTED_VALUE:
    case EXPR_JOINED_STR: case EXPR_CONSTANT: case EXPR_SLICE: case EXPR_LOCATED: case EXPR_INST:
    case EXPR_COM: case EXPR_SELECT: case EXPR_UNIT: case EXPR_SEND: case EXPR_RECV:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_SEND_LABEL: case EXPR_COUNT:
        return;
    }
    if (what & PARTS) mark_all(c, parts, ALL);
}

// ---- what changes ----

static bool pure_anywhere(Sym method) {
    static const char *const CLASSES[] = {"str", "bytes", "int", "float", "list", "dict", "set",
                                          "tuple"};
    for (size_t i = 0; i < sizeof CLASSES / sizeof *CLASSES; i++) {
        Ty t = {.kind = TY_NAMED, .named = {CLASSES[i], {0}}};
        if (method_pure(&t, method)) return true;
    }
    return false;
}

static void edge(Changes *c, Sym scope, Sym name, unsigned part, const Expr *value, unsigned what);

// `random.shuffle(xs)`: foreign code may change what it is given.
static bool foreign(const Program *p, const Expr *f) {
    while (f->kind == EXPR_ATTRIBUTE) f = f->attribute.value;
    Decl *d = f->kind == EXPR_NAME ? program_find(p, f->name.id) : NULL;
    return d != NULL && d->kind == DECL_IMPORT && !local_harmless(d);
}

// `cls`, `type(x)`, `x.__class__`: a class without its name.
static bool is_some_class(const Changes *c, const Expr *e) {
    if (e->kind == EXPR_NAME) return c->class_ != NULL && sym_is(e->name.id, "cls");
    if (e->kind == EXPR_ATTRIBUTE) return sym_is(e->attribute.attr, "__class__");
    return e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME &&
        sym_is(e->call.func->name.id, "type") && e->call.args.len == 1;
}

// Of the class around, and, if it is not its own, of every class that says that it has it.
static void store_in_class(Changes *c, Sym attr, bool cls) {
    if (c->class_ != NULL) c->class_->rebound = true;
    Sym key = names_format(c->p->names, "*class %s", attr);
    if (cls || table_get(c->names, key) != NULL) return;
    table_set(c->names, key, c);
    for (size_t i = 0; i < c->p->order.len; i++) {
        Decl *d = c->p->order.at[i];
        StmtList body = d->kind == DECL_LOCAL_CLASS ? d->stmt->class_def.body : (StmtList){0};
        for (size_t j = 0; j < body.len; j++) d->rebound |= assigned(body.at[j], attr) != NULL;
    }
}

// `operator.iadd(xs, ..)`
static bool operator_changes(const Program *p, const Expr *f) {
    static const char *const PURE[] = {
        "abs", "add", "and_", "attrgetter", "concat", "contains", "countOf", "eq", "floordiv", "ge",
        "getitem", "gt", "index", "indexOf", "inv", "invert", "is_", "is_not", "itemgetter", "le",
        "length_hint", "lshift", "lt", "matmul", "mod", "mul", "ne", "neg", "not_", "or_", "pos",
        "pow", "rshift", "sub", "truediv", "truth", "xor", NULL};
    const Expr *root = f->kind == EXPR_ATTRIBUTE ? f->attribute.value : f;
    const Decl *d = root->kind == EXPR_NAME ? program_find(p, root->name.id) : NULL;
    if (d == NULL || d->kind != DECL_IMPORT || d->stmt == NULL) return false;
    bool from = d->stmt->kind == STMT_IMPORT_FROM;
    const char *module = from ? d->stmt->import_from.module : d->name;
    Sym name = f->kind == EXPR_ATTRIBUTE ? f->attribute.attr : f->name.id;
    return module != NULL && strcmp(module, "operator") == 0 && !sym_is_one_of(name, PURE);
}

// `put = xs.append`: a method as a value, which who calls it is not seen to call on `xs`.
static void method_as_value(Changes *c, const Expr *e) {
    static const char *const CHANGING[] = {
        "append", "add", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft",
        "appendleft", "remove", "reverse", "setdefault", "sort", "update", NULL};
    if (e == c->callee || e->attribute.ctx != EXPR_CONTEXT_LOAD) return;
    if (sym_is_one_of(e->attribute.attr, CHANGING)) mark(c, e->attribute.value, SELF);
    if (table_get(c->functions, e->attribute.attr) == NULL) return;
    Sym hub = hub_of(c, e->attribute.attr);
    edge(c, hub, hub, SELF, e->attribute.value, SELF);
    edge(c, hub, hub, PARTS, e->attribute.value, PARTS);
}

static bool find_change(void *cx, const Expr *e) {
    Changes *c = cx;
    const Expr *f = e->kind == EXPR_CALL ? e->call.func : NULL;
    if (f != NULL) c->callee = f->kind == EXPR_INST ? f->inst.target : f;
    if (f != NULL && (f->kind == EXPR_NAME || f->kind == EXPR_ATTRIBUTE) && e->call.args.len > 0 &&
        operator_changes(c->p, f))
        mark(c, e->call.args.at[0], SELF);
    if (e->kind == EXPR_ATTRIBUTE) method_as_value(c, e);
    if (f != NULL && f->kind == EXPR_ATTRIBUTE && !pure_anywhere(f->attribute.attr))
        mark(c, f->attribute.value, SELF);
    if (f != NULL && f->kind == EXPR_NAME && sym_is(f->name.id, "next") && e->call.args.len > 0)
        mark(c, e->call.args.at[0], SELF);
    if (f != NULL && foreign(c->p, f)) mark_arguments(c, e, ALL);
    if (e->kind == EXPR_SUBSCRIPT && e->subscript.ctx != EXPR_CONTEXT_LOAD)
        mark(c, e->subscript.value, SELF);
    if (e->kind != EXPR_ATTRIBUTE || e->attribute.ctx == EXPR_CONTEXT_LOAD) return true;
    Decl *d = e->attribute.value->kind == EXPR_NAME
        ? program_find(c->p, e->attribute.value->name.id) : NULL;
    if (d != NULL && d->kind == DECL_LOCAL_CLASS) d->rebound = true;
    if (is_some_class(c, e->attribute.value))
        store_in_class(c, e->attribute.attr, e->attribute.value->kind == EXPR_NAME);
    mark(c, e->attribute.value, SELF);
    return true;
}

static bool find_change_stmt(void *cx, const Stmt *s) {
    Changes *c = cx;
    if (s->kind == STMT_AUG_ASSIGN && s->aug_assign.target->kind == EXPR_NAME &&
        !immutable(c, s->aug_assign.target))
        mark(c, s->aug_assign.target, SELF);
    return true;
}

// ---- what a variable may hold ----

static void edge(Changes *c, Sym scope, Sym name, unsigned part, const Expr *value,
                 unsigned what) {
    const void *key = key_of(c, scope, name);
    Edges *edges = table_get(c->edges, key);
    if (edges == NULL) {
        edges = ARENA_NEW(c->p->arena, Edges);
        table_set(c->edges, key, edges);
    }
    Edge e = {part, what, value, c->scope};
    vec_push(c->p->arena, edges, e);
}

// What is changed of the target is changed of the value; `part`: the target gets a part of it.
static void flow_to(Changes *c, const Expr *t, const Expr *value, bool part) {
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++) flow_to(c, elts.at[i], value, true);
    if (t->kind == EXPR_STARRED) flow_to(c, t->starred.value, value, true);
    if (t->kind == EXPR_NAME) {
        edge(c, c->scope, t->name.id, SELF, value, part ? PARTS : SELF);
        edge(c, c->scope, t->name.id, PARTS, value, PARTS);
    }
    if (t->kind != EXPR_ATTRIBUTE && t->kind != EXPR_SUBSCRIPT) return;
    while (t->kind == EXPR_ATTRIBUTE || t->kind == EXPR_SUBSCRIPT)
        t = t->kind == EXPR_ATTRIBUTE ? t->attribute.value : t->subscript.value;
    if (t->kind == EXPR_NAME) edge(c, c->scope, t->name.id, PARTS, value, ALL);
}

static bool flow_stmt(void *cx, const Stmt *s) {
    Changes *c = cx;
    if (s->kind == STMT_ASSIGN)
        for (size_t i = 0; i < s->assign.targets.len; i++)
            flow_to(c, s->assign.targets.at[i], s->assign.value, false);
    if (s->kind == STMT_ANN_ASSIGN && s->ann_assign.value != NULL)
        flow_to(c, s->ann_assign.target, s->ann_assign.value, false);
    if (s->kind == STMT_AUG_ASSIGN) flow_to(c, s->aug_assign.target, s->aug_assign.value, true);
    if (s->kind == STMT_FOR) flow_to(c, s->for_.target, s->for_.iter, true);
    for (size_t i = 0; s->kind == STMT_WITH && i < s->with.items.len; i++)
        if (s->with.items.at[i]->optional_vars != NULL)
            flow_to(c, s->with.items.at[i]->optional_vars, s->with.items.at[i]->context_expr,
                    false);
    return true;
}

static bool flow_comprehension(void *cx, const Comprehension *list) {
    flow_to(cx, list->target, list->iter, true);
    return true;
}

// Arguments go to the parameters of every function of that name.
static void flow_arguments(Changes *c, const Expr *call, const Def *d) {
    const Arguments *a = d->def->function_def.args;
    Sym to = d->scope;
    const Expr *f = call->call.func->kind == EXPR_INST ? call->call.func->inst.target
                                                       : call->call.func;
    ArgList first = a->posonlyargs.len > 0 ? a->posonlyargs : a->args;
    if (d->method && f->kind == EXPR_ATTRIBUTE && first.len > 0) {
        edge(c, to, first.at[0]->arg, SELF, f->attribute.value, SELF);
        edge(c, to, first.at[0]->arg, PARTS, f->attribute.value, PARTS);
    }
    for (size_t i = 0; i < call->call.args.len; i++) {
        size_t at = i + d->method, only = a->posonlyargs.len;
        const Arg *arg = at < only ? a->posonlyargs.at[at]
            : at - only < a->args.len ? a->args.at[at - only] : a->vararg;
        if (arg == NULL) continue;
        edge(c, to, arg->arg, SELF, call->call.args.at[i], SELF);
        edge(c, to, arg->arg, PARTS, call->call.args.at[i], ALL);
    }
    for (size_t i = 0; i < call->call.keywords.len; i++) {
        Sym name = call->call.keywords.at[i]->arg;
        if (name == NULL && a->kwarg != NULL) name = a->kwarg->arg;
        if (name == NULL) continue;
        edge(c, to, name, SELF, call->call.keywords.at[i]->value, SELF);
        edge(c, to, name, PARTS, call->call.keywords.at[i]->value, ALL);
    }
}

// `partial(f, a)` gives a to f, whenever it is called.
static void flow_partial(Changes *c, const Expr *call) {
    ExprList args = call->call.args;
    const Expr *f = args.len > 0 && args.at[0]->kind == EXPR_NAME ? args.at[0] : NULL;
    const Defs *defs = f != NULL ? table_get(c->functions, f->name.id) : NULL;
    for (size_t i = 0; defs != NULL && i < defs->len; i++) {
        const Expr *applied = expr_call(c->p->arena, call->at, f,
                                        (ExprList){args.at + 1, args.len - 1}, call->call.keywords);
        flow_arguments(c, applied, &defs->at[i]);
    }
}

static bool flow_call(void *cx, const Expr *e) {
    Changes *c = cx;
    if (e->kind == EXPR_NAMED_EXPR) flow_to(c, e->named_expr.target, e->named_expr.value, false);
    if (e->kind != EXPR_CALL) return true;
    const Expr *f = e->call.func->kind == EXPR_INST ? e->call.func->inst.target : e->call.func;
    if (f->kind == EXPR_SUBSCRIPT) f = f->subscript.value;
    Sym name = f->kind == EXPR_NAME ? f->name.id : f->kind == EXPR_ATTRIBUTE ? f->attribute.attr
                                                                             : NULL;
    Decl *d = f->kind == EXPR_NAME ? program_find(c->p, name) : NULL;
    if (name != NULL && sym_is(name, "partial")) flow_partial(c, e);
    if (d != NULL && (d->kind == DECL_LOCAL_CLASS || d->kind == DECL_ROLE_CLASS))
        name = names_get(c->p->names, "__init__");
    const Defs *defs = name != NULL ? table_get(c->functions, name) : NULL;
    for (size_t i = 0; defs != NULL && i < defs->len; i++) flow_arguments(c, e, &defs->at[i]);
    const Expr *root = f;                   // `xs.append(v)`: v becomes a part of xs
    while (root->kind == EXPR_ATTRIBUTE || root->kind == EXPR_SUBSCRIPT)
        root = root->kind == EXPR_ATTRIBUTE ? root->attribute.value : root->subscript.value;
    if (f->kind != EXPR_ATTRIBUTE || root->kind != EXPR_NAME) return true;
    for (size_t i = 0; i < e->call.args.len; i++)
        edge(c, c->scope, root->name.id, PARTS, e->call.args.at[i], ALL);
    return true;
}

// ---- the whole ----

static void note_def(Changes *c, const Stmt *s, bool method) {
    Defs *defs = table_get(c->functions, s->function_def.name);
    if (defs == NULL) {
        defs = ARENA_NEW(c->p->arena, Defs);
        table_set(c->functions, s->function_def.name, defs);
    }
    Def d = {s, c->scope, method};
    vec_push(c->p->arena, defs, d);
    const Arguments *a = s->function_def.args;
    ArgList first = a->posonlyargs.len > 0 ? a->posonlyargs : a->args;
    if (!method || first.len == 0) return;
    Sym hub = hub_of(c, s->function_def.name);
    const Expr *held = expr_name(c->p->arena, s->at, hub, EXPR_CONTEXT_LOAD);
    c->scope = hub;
    edge(c, d.scope, first.at[0]->arg, SELF, held, SELF);
    edge(c, d.scope, first.at[0]->arg, PARTS, held, PARTS);
    c->scope = d.scope;
}

// One function, method or other statement of the module: its names are its own.
static void each_piece(Changes *c, const Stmt *s, bool method,
                       void (*do_piece)(Changes *c, const Stmt *s, bool method)) {
    if (s->kind == STMT_CHOREO) s = s->choreo.def;
    if (s->kind == STMT_CLASS_DEF) {
        Decl *around = c->class_, *d = program_find(c->p, s->class_def.name);
        c->class_ = d != NULL && d->kind == DECL_LOCAL_CLASS ? d : NULL;
        for (size_t i = 0; i < s->class_def.body.len; i++)
            each_piece(c, s->class_def.body.at[i], true, do_piece);
        c->class_ = around;
        return;
    }
    c->scope = scope_of(c, s);
    do_piece(c, s, method);
}

static bool note_nested(void *cx, const Stmt *s) {
    if (s->kind == STMT_FUNCTION_DEF) note_def(cx, s, false);
    return true;
}

// Nested functions share the names of the one around them.
static void collect_piece(Changes *c, const Stmt *s, bool method) {
    if (s->kind == STMT_FUNCTION_DEF && method) note_def(c, s, true);
    IrWalker w = {.cx = c, .stmt = note_nested};
    if (s->kind == STMT_FUNCTION_DEF && method) ir_walk_stmts(&w, s->function_def.body);
    else ir_walk_stmt(&w, s);
}

// Both look at every node, the flow first.
static bool look_at_expr(void *cx, const Expr *e) {
    bool deeper = flow_call(cx, e);
    return find_change(cx, e) && deeper;
}

static bool look_at_stmt(void *cx, const Stmt *s) {
    bool deeper = flow_stmt(cx, s);
    return find_change_stmt(cx, s) && deeper;
}

static void change_piece(Changes *c, const Stmt *s, bool method) {
    (void)method;
    IrWalker w = {.cx = c, .expr = look_at_expr, .stmt = look_at_stmt,
                  .comprehension = flow_comprehension};
    ir_walk_stmt(&w, s);
}

// ---- objects that change when they are used: `o(..)`, `k in o`, `o.p` ----

static bool called_by_python(const Stmt *def) {
    Sym name = def->function_def.name;
    if (sym_is(name, "__init__") || sym_is(name, "__post_init__")) return false;
    return strncmp(name, "__", 2) == 0 || def_has_decorator(def, "property");
}

static bool changes_when_used(Changes *c, Decl *d) {
    for (; d != NULL && d->kind == DECL_LOCAL_CLASS; d = program_local_base(c->p, d)) {
        StmtList body = d->stmt->class_def.body;
        for (size_t i = 0; i < body.len; i++) {
            if (body.at[i]->kind != STMT_FUNCTION_DEF || !called_by_python(body.at[i])) continue;
            const Arguments *a = body.at[i]->function_def.args;
            ArgList first = a->posonlyargs.len > 0 ? a->posonlyargs : a->args;
            if (first.len > 0 && table_get(c->names, key_of(c, scope_of(c, body.at[i]),
                                                            first.at[0]->arg)) != NULL)
                return true;
        }
    }
    return false;
}

static void mark_objects(Changes *c) {
    for (size_t i = 0; i < c->p->order.len; i++) {
        Decl *d = c->p->order.at[i];
        const Stmt *s = d->kind == DECL_VARIABLE ? d->stmt : NULL;
        const Expr *value = s == NULL ? NULL : s->kind == STMT_ASSIGN ? s->assign.value
            : s->kind == STMT_ANN_ASSIGN ? s->ann_assign.value : NULL;
        if (value == NULL || value->kind != EXPR_CALL || value->call.func->kind != EXPR_NAME)
            continue;
        d->rebound |= changes_when_used(c, program_find(c->p, value->call.func->name.id));
    }
}

void shared_find_changes(Program *p, const Unit *checked) {
    Changes c = {.p = p, .names = table_new(p->arena), .functions = table_new(p->arena),
                 .edges = table_new(p->arena),
                 .mentioned = table_new(p->arena)};
    StmtList body = checked->module.body;
    for (size_t i = 0; i < body.len; i++) each_piece(&c, body.at[i], false, collect_piece);
    for (size_t i = 0; i < body.len; i++) each_piece(&c, body.at[i], false, change_piece);
    while (c.grown.len > 0) {
        const void *name = c.grown.at[--c.grown.len];
        const Edges *edges = table_get(c.edges, name);
        for (size_t i = 0; edges != NULL && i < edges->len; i++) {
            const Edge *e = &edges->at[i];
            if (!((uintptr_t)table_get(c.names, name) & e->part)) continue;
            c.scope = e->scope;
            mark(&c, e->value, e->what);
        }
    }
    mark_objects(&c);
}
