// iteration_order.c - what makes an order of a set gives every process another one
// (docs/language.md, "Replicated values stay equal").
//
// The same look at two kinds of code. In a choreography an expression has its type, and only what
// is at several roles matters. Of one role's code the typing of Python leaves the types of what may
// hold a set (iteration_order_note); there it is asked whether a function makes an order at all,
// and choreographies ask this of the functions that they use (local.c). A set may be given only to
// what is known to make no order of it.

#include "typecheck/python/python.h"

typedef struct Order {
    Program *p;
    bool local;                     // one role's code: nothing is reported
    const Expr *found;              // in one role's code: the first set of which an order is made
    const Expr *allowed;            // a generator whose order does not matter to who reads it
} Order;

// ---- types ----

static bool is_set_name(Sym name) {
    static const char *const NAMES[] = {"set", "frozenset", "AbstractSet", "MutableSet", "Set",
                                        NULL};
    return sym_is_one_of(name, NAMES);
}

static bool derives_from_set(Program *p, const Decl *d) {
    for (; d != NULL && d->kind == DECL_LOCAL_CLASS; d = program_local_base(p, d))
        for (size_t i = 0; i < d->stmt->class_def.bases.len; i++) {
            const Expr *base = d->stmt->class_def.bases.at[i];
            if (base->kind == EXPR_SUBSCRIPT) base = base->subscript.value;
            Sym name = annotation_head(base);
            if (name != NULL && is_set_name(name)) return true;
        }
    return false;
}

static bool is_set(Program *p, const Ty *t) {
    if (t == NULL) return false;
    for (size_t i = 0; t->kind == TY_UNION && i < t->union_.items.len; i++)
        if (is_set(p, t->union_.items.at[i])) return true;
    return t->kind == TY_NAMED && (is_set_name(t->named.name) ||
                                   derives_from_set(p, program_find(p, t->named.name)));
}

// ---- the default repr, which shows an address ----

static bool shows_address(Program *p, const Decl *d) {
    for (; d != NULL && d->kind == DECL_LOCAL_CLASS; d = program_local_base(p, (Decl *)d)) {
        if (d->stmt->class_def.decorator_list.len > 0 ||
            table_get(d->members, names_get(p->names, "__repr__")) ||
            table_get(d->members, names_get(p->names, "__str__")))
            return false;
        if (d->stmt->class_def.bases.len == 0) return true;
    }
    return false;
}

static bool text_differs(Program *p, const Ty *t, size_t depth);

// The text of a dataclass is that of its fields. Only what is found from the outside is kept: a
// class that is being asked about counts as none.
static bool class_differs(Program *p, Decl *d, size_t depth) {
    if (d->kind != DECL_LOCAL_CLASS || d->asked) return false;
    if (d->text == TEXT_UNKNOWN || depth > 0) {
        bool differs = shows_address(p, d);
        d->asked = true;
        bool own = table_get(d->members, names_get(p->names, "__repr__")) != NULL;
        for (Decl *c = d; c != NULL && d->is_dataclass && !own; c = program_local_base(p, c))
            for (size_t i = 0; i < c->field_order.len && !differs; i++) {
                const Field *f = table_get(c->fields, c->field_order.at[i]);
                differs = text_differs(p, f->type.ty, depth + 1);
            }
        d->asked = false;
        if (depth > 0) return differs;
        d->text = differs ? TEXT_DIFFERS : TEXT_SAME;
    }
    return d->text == TEXT_DIFFERS;
}

static bool any_differs(Program *p, TyList list, size_t depth) {
    for (size_t i = 0; i < list.len; i++)
        if (text_differs(p, list.at[i], depth)) return true;
    return false;
}

// Does the text of such a value show the order of a set, or an address?
static bool text_differs(Program *p, const Ty *t, size_t depth) {
    if (t == NULL) return false;
    switch (t->kind) {
    case TY_NAMED: {
        if (is_set(p, t)) return true;
        Decl *d = program_find(p, t->named.name);
        return d != NULL ? class_differs(p, d, depth) : any_differs(p, t->named.args, depth);
    }
    case TY_TUPLE: return any_differs(p, t->tuple.items, depth);
    case TY_UNION: return any_differs(p, t->union_.items, depth);
    case TY_CALLABLE: return true;
    case TY_POISON: case TY_ANY: case TY_NONE_TYPE: case TY_INST: case TY_LITERAL:
    case TY_TYPE_VAR: case TY_PLACED: case TY_COUNT: return false;
    }
    return false;
}

void iteration_order_note(Program *p, const Expr *e, const Ty *t) {
    if (text_differs(p, t, 0)) table_set(p->unordered, e, (void *)t);
}

static bool makes_set(Program *p, const Expr *e) {
    static const char *const MAKERS[] = {"set", "frozenset", NULL};
    return e->kind == EXPR_SET || e->kind == EXPR_SET_COMP ||
        (e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME &&
         sym_is_one_of(e->call.func->name.id, MAKERS) &&
         program_find(p, e->call.func->name.id) == NULL);
}

// NULL: of no interest.
static const Ty *type_of(const Order *o, const Expr *e) {
    if (!o->local) return e->roles.len > 1 ? e->ty : NULL;
    const Ty *t = table_get(o->p->unordered, e);
    return t == NULL && makes_set(o->p, e) ? type_named(o->p, "set") : t;
}

static bool set_here(const Order *o, const Expr *e) { return is_set(o->p, type_of(o, e)); }

static bool generator_over_set(const Order *o, const Expr *e) {
    if (e->kind != EXPR_GENERATOR_EXP) return false;
    ComprehensionList list = e->generator_exp.generators;
    for (size_t i = 0; i < list.len; i++)
        if (set_here(o, list.at[i]->iter)) return true;
    return false;
}

// ---- reports ----

static void ordered(Order *o, const Expr *e) {
    if (o->local && o->found == NULL) o->found = e;
    if (o->local) return;
    Diag *d = diag_report(o->p->diags, e->at, DIAG_REPLICATED_UNSURE,
                          "the iteration order of this set may differ between %s",
                          roles_text(o->p->arena, e->roles));
    diag_help(d, "sort the set: `sorted(..)`");
}

static void ordered_set(Order *o, const Expr *e) {
    if (set_here(o, e) || (generator_over_set(o, e) && e != o->allowed &&
                           (o->local || e->roles.len > 1)))
        ordered(o, e);
}

static const Decl *class_of(const Program *p, const Ty *t) {
    return t != NULL && t->kind == TY_NAMED ? program_find(p, t->named.name) : NULL;
}

static void shown(Order *o, const Expr *e) {
    Program *p = o->p;
    const Ty *t = type_of(o, e);
    if (is_set(p, t) || generator_over_set(o, e)) {
        ordered_set(o, e);
        return;
    }
    if (!text_differs(p, t, 0)) return;
    if (o->local && o->found == NULL) o->found = e;
    if (o->local) return;
    const Decl *class_ = class_of(p, t);
    bool address = class_ != NULL && shows_address(p, class_);
    Diag *d = diag_report(p->diags, e->at, DIAG_REPLICATED_UNSURE, address
                          ? "the text of %s contains an address, which differs between %s"
                          : "the text of %s contains a set or an address, which differs between %s",
                          expr_text(p, e), roles_text(p->arena, e->roles));
    diag_help(d, address ? "define `__repr__` in its class, or make the class a dataclass"
              : "make the text from a value that is the same at all roles, such as `sorted(..)` "
                "of a set; define `__repr__` in the classes of its objects");
}

// ---- calls ----

static const char *const SHOWN[] = {"str", "repr", "ascii", "format", NULL};

// What these make of a set does not depend on its order.
static const char *const UNORDERED[] = {"len", "isinstance", "set", "frozenset", "bool", "any",
                                        "all", "callable", "type", "print", NULL};

// What they make of elements that are sets depends on the function they are given.
static const char *const APPLYING[] = {"map", "filter", "sorted", "min", "max", NULL};

static const Ty *element(const Ty *t) {
    return t != NULL && t->kind == TY_NAMED && t->named.args.len > 0 ? t->named.args.at[0] : NULL;
}

static bool has_key(const Expr *call) {
    for (size_t i = 0; i < call->call.keywords.len; i++) {
        Sym name = call->call.keywords.at[i]->arg;
        if (name == NULL || sym_is(name, "key")) return true;
    }
    return false;
}

static bool integer(const Ty *t) { return type_is(t, "int") || type_is(t, "bool"); }

static bool integer_element(const Order *o, const Expr *arg) {
    if (arg->kind != EXPR_GENERATOR_EXP) return integer(element(type_of(o, arg)));
    const Expr *e = arg->generator_exp.elt;
    bool len = e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME &&
        (sym_is(e->call.func->name.id, "len") || sym_is(e->call.func->name.id, "int")) &&
        program_find(o->p, e->call.func->name.id) == NULL;
    bool one = e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_INT;
    return len || one || integer(e->ty);
}

// May a builtin read this set, or generator over one, in any order?
static bool any_order(const Order *o, const Expr *call, Sym name, const Expr *arg) {
    static const char *const SORTING[] = {"sorted", "min", "max", NULL};
    if (sym_is_one_of(name, UNORDERED)) return true;
    if (sym_is(name, "sum")) return integer_element(o, arg);
    // Sets are ordered in part: what is sorted by it depends on what it was.
    return sym_is_one_of(name, SORTING) && !has_key(call) &&
        !is_set(o->p, element(type_of(o, arg))) &&
        (arg->kind != EXPR_GENERATOR_EXP || !set_here(o, arg->generator_exp.elt));
}

// `map(f, sets)`, `sorted(sets, key=f)`: does f make an order of each?
static void judge_applied(Order *o, const Expr *call, const Expr *f) {
    bool named = f->kind == EXPR_NAME && !sym_is_one_of(f->name.id, UNORDERED);
    if (f->kind == EXPR_LAMBDA ? o->local : !named) return;
    if (f->kind == EXPR_NAME && program_find(o->p, f->name.id) != NULL) return;
    ExprList args = call->call.args;
    for (size_t i = 0; i < args.len; i++) {
        const Ty *t = type_of(o, args.at[i]);
        if (args.at[i] != f && !is_set(o->p, t) && is_set(o->p, element(t))) ordered(o, args.at[i]);
    }
}

static void judge_builtin(Order *o, const Expr *call, Sym name, const Expr *arg) {
    if (sym_is_one_of(name, SHOWN)) shown(o, arg);
    else if (!any_order(o, call, name, arg)) ordered_set(o, arg);
    else if (arg->kind == EXPR_GENERATOR_EXP) o->allowed = arg;
}

// Methods that keep what they are given, or look for it.
static bool method_keeps(Sym name) {
    static const char *const NAMES[] = {"append", "insert", "add", "setdefault", "get", "index",
                                        "count", "remove", "discard", NULL};
    return sym_is_one_of(name, NAMES);
}

static bool set_method(Sym name) {
    static const char *const NAMES[] = {
        "add", "discard", "remove", "update", "clear", "copy", "union", "intersection",
        "difference", "symmetric_difference", "intersection_update", "difference_update",
        "symmetric_difference_update", "isdisjoint", "issubset", "issuperset", "__contains__",
        "__len__", "__eq__", "__ne__", NULL};
    return sym_is_one_of(name, NAMES);
}

// A method of a class of the file says itself what it does.
static bool method_of_file(const Program *p, Sym name) {
    for (size_t i = 0; i < p->order.len; i++)
        if (p->order.at[i]->kind == DECL_LOCAL_CLASS && p->order.at[i]->members != NULL &&
            table_get(p->order.at[i]->members, name) != NULL)
            return true;
    return false;
}

static void judge_method(Order *o, const Expr *f, const Expr *arg) {
    static const char *const TEXTS[] = {"format", "format_map", NULL};
    bool set = set_here(o, arg) || generator_over_set(o, arg);
    Sym name = f->attribute.attr;
    if (sym_is_one_of(name, TEXTS)) shown(o, arg);
    else if (set && set_here(o, f->attribute.value)) o->allowed = arg;
    else if (set && !method_keeps(name) && !method_of_file(o->p, name)) ordered_set(o, arg);
}

static bool untyped(const Program *p, Sym name) {
    const Decl *d = program_find(p, name);
    if (d == NULL) return table_get(p->inner, name) != NULL;
    return d->kind == DECL_LOCAL_FUNCTION && d->stmt != NULL && pyt_untyped(d->stmt);
}

// One role's code with types has been looked at itself.
static bool typed_code(const Program *p, const Expr *f) {
    const Decl *d = f->kind == EXPR_NAME ? program_find(p, f->name.id) : NULL;
    return d != NULL && (d->kind == DECL_LOCAL_FUNCTION || d->kind == DECL_LOCAL_CLASS) &&
        !untyped(p, f->name.id);
}

// A method that the class has from the file says itself what it does.
static bool is_written(const Order *o, const Expr *receiver, Sym method) {
    const Decl *d = class_of(o->p, type_of(o, receiver));
    for (; d != NULL && d->kind == DECL_LOCAL_CLASS; d = program_local_base(o->p, d))
        if (table_get(d->members, method) != NULL) return true;
    return false;
}

static void judge_argument(Order *o, const Expr *call, const Expr *arg) {
    static const char *const COPIES[] = {"copy_value", "copy", "deepcopy", NULL};
    const Expr *f = call->call.func;
    bool name = f->kind == EXPR_NAME;
    if (arg->kind == EXPR_STARRED) return;
    if (name && program_find(o->p, f->name.id) == NULL && builtin_exists(f->name.id))
        judge_builtin(o, call, f->name.id, arg);
    else if (f->kind == EXPR_ATTRIBUTE)
        judge_method(o, f, arg);
    else if (name && untyped(o->p, f->name.id))
        shown(o, arg);
    else if (!typed_code(o->p, f) && !(name && sym_is_one_of(f->name.id, COPIES)))
        ordered_set(o, arg);
}

static void judge_call(Order *o, const Expr *e) {
    static const char *const TEXTS[] = {"__str__", "__repr__", "__format__", NULL};
    const Expr *f = e->call.func;
    if (f->kind == EXPR_INST) return;
    if (f->kind == EXPR_ATTRIBUTE && sym_is_one_of(f->attribute.attr, TEXTS))
        shown(o, f->attribute.value);
    else if (f->kind == EXPR_ATTRIBUTE && !set_method(f->attribute.attr) &&
             !is_written(o, f->attribute.value, f->attribute.attr))
        ordered_set(o, f->attribute.value);
    bool applies = f->kind == EXPR_NAME && sym_is_one_of(f->name.id, APPLYING);
    for (size_t i = 0; i < e->call.args.len; i++) judge_argument(o, e, e->call.args.at[i]);
    if (applies && e->call.args.len > 1) judge_applied(o, e, e->call.args.at[0]);
    for (size_t i = 0; i < e->call.keywords.len; i++) {
        const Keyword *k = e->call.keywords.at[i];
        bool key = k->arg != NULL && sym_is(k->arg, "key");
        if (key && applies) judge_applied(o, e, k->value);
        else judge_argument(o, e, k->value);
    }
}

// ---- the other forms ----

static void judge_generators(Order *o, ComprehensionList list) {
    for (size_t i = 0; i < list.len; i++) ordered_set(o, list.at[i]->iter);
}

static bool judge_expr(void *cx, const Expr *e);

// `{*s}`
static bool judge_set_display(Order *o, const Expr *e) {
    IrWalker w = {.cx = o, .expr = judge_expr};
    for (size_t i = 0; i < e->set.elts.len; i++) {
        const Expr *elt = e->set.elts.at[i];
        ir_walk_expr(&w, elt->kind == EXPR_STARRED ? elt->starred.value : elt);
    }
    return false;
}

static bool judge_expr(void *cx, const Expr *e) {
    Order *o = cx;
    if (o->found != NULL) return false;
    if (!o->local && e->roles.len < 2) return true;
    if (e->kind == EXPR_SET) return judge_set_display(o, e);
    if (e->kind == EXPR_CALL) judge_call(o, e);
    if (e->kind == EXPR_LIST_COMP) judge_generators(o, e->list_comp.generators);
    if (e->kind == EXPR_DICT_COMP) judge_generators(o, e->dict_comp.generators);
    if (e->kind == EXPR_GENERATOR_EXP && o->local) ordered_set(o, e);
    if (e->kind == EXPR_FORMATTED_VALUE) shown(o, e->formatted_value.value);
    if (e->kind == EXPR_STARRED) ordered_set(o, e->starred.value);
    if (e->kind == EXPR_YIELD_FROM) ordered_set(o, e->yield_from.value);
    if (e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_MOD && !set_here(o, e->bin_op.left) &&
        (o->local || type_is(e->ty, "str")))
        shown(o, e->bin_op.right);
    return true;
}

static bool is_slice(const Expr *t) {
    return t->kind == EXPR_SUBSCRIPT && t->subscript.slice->kind == EXPR_SLICE;
}

// `k += s` of a list takes the elements; `s |= t` of sets makes no order.
static bool judge_stmt(void *cx, const Stmt *s) {
    Order *o = cx;
    if (o->found != NULL) return false;
    if (s->kind == STMT_FOR) ordered_set(o, s->for_.iter);
    if (s->kind == STMT_AUG_ASSIGN &&
        (s->aug_assign.op == OPERATOR_ADD || is_slice(s->aug_assign.target)))
        ordered_set(o, s->aug_assign.value);
    for (size_t i = 0; s->kind == STMT_ASSIGN && i < s->assign.targets.len; i++) {
        const Expr *t = s->assign.targets.at[i];
        if (t->kind != EXPR_TUPLE && t->kind != EXPR_LIST && !is_slice(t)) continue;
        ordered_set(o, s->assign.value);
        break;
    }
    return true;
}

static const IrKinds ORDERING = {
    IR_KIND(EXPR_SET) | IR_KIND(EXPR_CALL) | IR_KIND(EXPR_LIST_COMP) | IR_KIND(EXPR_DICT_COMP) |
        IR_KIND(EXPR_GENERATOR_EXP) | IR_KIND(EXPR_FORMATTED_VALUE) | IR_KIND(EXPR_STARRED) |
        IR_KIND(EXPR_YIELD_FROM) | IR_KIND(EXPR_BIN_OP),
    IR_KIND(STMT_FOR) | IR_KIND(STMT_ASSIGN) | IR_KIND(STMT_AUG_ASSIGN),
};

void iteration_order_check(Program *p, IrIndex checked) {
    Order o = {.p = p};
    IrWalker w = {.cx = &o, .expr = judge_expr, .stmt = judge_stmt};
    ir_index_walk(&w, checked, ORDERING);
}

const Expr *iteration_order_in_stmt(Program *p, const Stmt *s) {
    Order o = {.p = p, .local = true};
    IrWalker w = {.cx = &o, .expr = judge_expr, .stmt = judge_stmt};
    ir_walk_stmt(&w, s);
    return o.found;
}

const Expr *iteration_order_in_expr(Program *p, const Expr *e) {
    Order o = {.p = p, .local = true};
    IrWalker w = {.cx = &o, .expr = judge_expr};
    ir_walk_expr(&w, e);
    return o.found;
}
