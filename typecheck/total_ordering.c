// total_ordering.c - `@functools.total_ordering`, written out: the comparisons that it makes of the
// one that a class has are methods of the class, so that nothing later needs to know of it.
//
// Python's call the one that is there. If that may give `NotImplemented`, which is a value to
// nobody but operators, the others have its text instead, and return what they make of its result.

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/ir/free_names.h"
#include "typecheck/internal.h"
#include "typecheck/total_ordering.h"

enum { ORDERS = 4, MOST_BASES = 8 };

// In the order in which Python prefers them.
static const char *const NAMES[ORDERS] = {"__lt__", "__le__", "__gt__", "__ge__"};

// What a comparison is of the result r of another: [not] r, [and self != other | or self == other].
typedef struct Rule { bool negates; enum { ALONE, AND_UNEQUAL, OR_EQUAL } then; } Rule;

static const Rule RULES[ORDERS][ORDERS] = {
    [0] = {[1] = {false, OR_EQUAL}, [2] = {true, AND_UNEQUAL}, [3] = {true, ALONE}},
    [1] = {[0] = {false, AND_UNEQUAL}, [2] = {true, ALONE}, [3] = {true, OR_EQUAL}},
    [2] = {[0] = {true, AND_UNEQUAL}, [1] = {true, ALONE}, [3] = {false, OR_EQUAL}},
    [3] = {[0] = {true, ALONE}, [1] = {true, OR_EQUAL}, [2] = {false, AND_UNEQUAL}},
};

typedef struct Orders {
    Arena *arena;
    Names *names;
    SymVec called;              // what `total_ordering` is imported as
    Table *classes;             // Sym -> its Stmt, of the whole unit
    StmtVec all;                // the same
} Orders;

// One comparison that is made of another.
typedef struct Making {
    Orders *o;
    Rule rule;
    Sym self, other;
} Making;

// ---- what there is ----

static bool note(void *cx, const Stmt *s) {
    Orders *o = cx;
    if (s->kind == STMT_CLASS_DEF) {
        table_set(o->classes, s->class_def.name, (void *)s);
        vec_push(o->arena, &o->all, s);
    }
    bool ours = s->kind == STMT_IMPORT_FROM && s->import_from.module != NULL &&
        strcmp(s->import_from.module, "functools") == 0;
    for (size_t i = 0; ours && i < s->import_from.names.len; i++) {
        const Alias *a = s->import_from.names.at[i];
        if (sym_is(a->name, "total_ordering"))
            vec_push(o->arena, &o->called, a->asname != NULL ? a->asname : a->name);
    }
    return true;
}

static bool is_ordering(const Orders *o, const Expr *decorator) {
    if (decorator->kind == EXPR_ATTRIBUTE)
        return sym_is(decorator->attribute.attr, "total_ordering");
    for (size_t i = 0; decorator->kind == EXPR_NAME && i < o->called.len; i++)
        if (strcmp(unqualified(decorator->name.id), unqualified(o->called.at[i])) == 0) return true;
    return false;
}

// `@dataclass(order=True)` makes comparisons of its own.
static bool has_order(ExprList decorators) {
    for (size_t i = 0; i < decorators.len; i++)
        for (size_t j = 0; decorators.at[i]->kind == EXPR_CALL &&
                           j < decorators.at[i]->call.keywords.len; j++)
            if (sym_is(decorators.at[i]->call.keywords.at[j]->arg, "order")) return true;
    return false;
}

static const Stmt *base_of(const Orders *o, const Stmt *class_, size_t i) {
    const Expr *base = class_->class_def.bases.at[i];
    return base->kind == EXPR_NAME ? table_get(o->classes, base->name.id) : NULL;
}

// Whether all four comparisons are made for a class.
static bool is_ordered(const Orders *o, const Stmt *class_) {
    ExprList decorators = class_->class_def.decorator_list;
    bool ordered = has_order(decorators);
    for (size_t i = 0; i < decorators.len; i++) ordered |= is_ordering(o, decorators.at[i]);
    return ordered;
}

static bool has_method(const Orders *o, const Stmt *class_, const char *name, int depth) {
    if (def_method(class_, name) != NULL) return true;
    for (size_t i = 0; depth < MOST_BASES && i < class_->class_def.bases.len; i++) {
        const Stmt *base = base_of(o, class_, i);
        if (base != NULL && (is_ordered(o, base) || has_method(o, base, name, depth + 1)))
            return true;
    }
    return false;
}

// Whether its comparisons are those that it writes: no base that is unknown has some.
static bool has_known_bases(const Orders *o, const Stmt *class_, int depth) {
    for (size_t i = 0; i < class_->class_def.bases.len; i++) {
        const Expr *base = class_->class_def.bases.at[i];
        const Stmt *known = base_of(o, class_, i);
        bool plain = base->kind == EXPR_NAME &&
            (sym_is(base->name.id, "Enum") || sym_is(base->name.id, "ABC") ||
             sym_is(base->name.id, "object"));
        bool right = known != NULL ? depth < MOST_BASES && has_known_bases(o, known, depth + 1)
                                   : plain;
        if (!right) return false;
    }
    return true;
}

static bool derives(const Orders *o, const Stmt *class_, const Stmt *from, int depth) {
    for (size_t i = 0; depth < MOST_BASES && i < class_->class_def.bases.len; i++) {
        const Stmt *base = base_of(o, class_, i);
        if (base != NULL && (base == from || derives(o, base, from, depth + 1))) return true;
    }
    return false;
}

static bool is_overridden(const Orders *o, const Stmt *class_, const char *method) {
    for (size_t i = 0; i < o->all.len; i++)
        if (derives(o, o->all.at[i], class_, 0) && def_method(o->all.at[i], method) != NULL)
            return true;
    return false;
}

// ---- the method that is there ----

static bool declines(void *cx, const Expr *e) {
    if (e->kind == EXPR_NAME && sym_is(e->name.id, "NotImplemented")) *(bool *)cx = true;
    return true;
}

static bool holds_definition(void *cx, const Stmt *s) {
    if (s->kind == STMT_FUNCTION_DEF || s->kind == STMT_CLASS_DEF) *(bool *)cx = true;
    return true;
}

static bool may_decline(const Stmt *method) {
    bool found = false;
    IrWalker w = {.cx = &found, .expr = declines};
    ir_walk_stmts(&w, method->function_def.body);
    return found;
}

static bool has_definitions(const Stmt *method) {
    bool found = false;
    IrWalker w = {.cx = &found, .stmt = holds_definition};
    ir_walk_stmts(&w, method->function_def.body);
    return found;
}

// `def __lt__(self, other): ..`
static bool is_plain(const Stmt *method) {
    const Arguments *a = method->function_def.args;
    return method->function_def.decorator_list.len == 0 && a->args.len == 2 &&
        a->posonlyargs.len + a->kwonlyargs.len + a->defaults.len == 0 && a->vararg == NULL &&
        a->kwarg == NULL;
}

// ---- what is made of it ----

static const Expr *name(const Making *m, Span at, Sym id) {
    return expr_name(m->o->arena, at, id, EXPR_CONTEXT_LOAD);
}

static ExprList list_of(Arena *a, size_t n, const Expr *first, const Expr *second) {
    const Expr **at = ARENA_ARRAY(a, const Expr *, 2);
    at[0] = first;
    at[1] = second;
    return (ExprList){at, n};
}

static const Expr *made_of(const Making *m, const Expr *result) {
    Arena *a = m->o->arena;
    Span at = result->at;
    if (result->kind == EXPR_NAME && sym_is(result->name.id, "NotImplemented")) return result;
    if (result->kind == EXPR_IF_EXP)
        return expr_if_exp(a, at, result->if_exp.test, made_of(m, result->if_exp.body),
                           made_of(m, result->if_exp.orelse));
    if (m->rule.negates) result = expr_unary_op(a, at, UNARYOP_NOT, result);
    if (m->rule.then == ALONE) return result;
    bool or_ = m->rule.then == OR_EQUAL;
    Cmpop *op = ARENA_NEW(a, Cmpop);
    *op = or_ ? CMPOP_EQ : CMPOP_NOT_EQ;
    const Expr *equal = expr_compare(a, at, name(m, at, m->self), (CmpopList){op, 1},
                                     list_of(a, 1, name(m, at, m->other), NULL));
    return expr_bool_op(a, at, or_ ? BOOLOP_OR : BOOLOP_AND, list_of(a, 2, result, equal));
}

static const Stmt *made_of_return(IrMapper *m, const Stmt *s) {
    bool gives = s->kind == STMT_RETURN && s->return_.value != NULL;
    return gives ? stmt_return(m->arena, s->at, made_of(m->cx, s->return_.value)) : s;
}

// `return not self.__lt__(other) and self != other`
static StmtList by_call(const Making *m, const Stmt *method) {
    Arena *a = m->o->arena;
    Span at = method->at;
    const Expr *f = expr_attribute(a, at, name(m, at, m->self), method->function_def.name,
                                   EXPR_CONTEXT_LOAD);
    const Expr *call = expr_call(a, at, f, list_of(a, 1, name(m, at, m->other), NULL),
                                 (KeywordList){0});
    const Stmt **body = ARENA_NEW(a, const Stmt *);
    *body = stmt_return(a, at, made_of(m, call));
    return (StmtList){body, 1};
}

static const Stmt *comparison(Orders *o, const Stmt *method, size_t root, size_t which) {
    ArgList args = method->function_def.args->args;
    Making m = {o, RULES[root][which], args.at[0]->arg, args.at[1]->arg};
    IrMapper mapper = {.arena = o->arena, .cx = &m, .stmt = made_of_return};
    StmtList body = may_decline(method) ? ir_map_stmts(&mapper, method->function_def.body)
                                        : by_call(&m, method);
    return stmt_function_def(o->arena, method->at, names_get(o->names, NAMES[which]),
                             method->function_def.args, body, (ExprList){0},
                             method->function_def.returns, (TypeParamList){0});
}

// The comparison that the others are made of; ORDERS: none that can be.
static size_t root_of(const Orders *o, const Stmt *class_) {
    size_t root = 0;
    while (root < ORDERS && !has_method(o, class_, NAMES[root], 0)) root++;
    const Stmt *method = root < ORDERS ? def_method(class_, NAMES[root]) : NULL;
    bool right = method != NULL && is_plain(method) && has_known_bases(o, class_, 0) &&
        !has_order(class_->class_def.decorator_list);
    if (right && may_decline(method))
        right = !has_definitions(method) && !is_overridden(o, class_, NAMES[root]);
    return right ? root : ORDERS;
}

static const Stmt *completed(IrMapper *m, const Stmt *s) {
    Orders *o = m->cx;
    Vec(const Expr *) decorators = {0};
    Vec(const Stmt *) body = {0};
    if (s->kind != STMT_CLASS_DEF) return s;
    ExprList all = s->class_def.decorator_list;
    for (size_t i = 0; i < all.len; i++)
        if (!is_ordering(o, all.at[i])) vec_push(o->arena, &decorators, all.at[i]);
    size_t root = decorators.len == all.len ? ORDERS : root_of(o, s);
    if (root == ORDERS) return s;
    for (size_t i = 0; i < s->class_def.body.len; i++)
        vec_push(o->arena, &body, s->class_def.body.at[i]);
    const Stmt *method = def_method(s, NAMES[root]);
    for (size_t i = 0; i < ORDERS; i++)
        if (!has_method(o, s, NAMES[i], 0))
            vec_push(o->arena, &body, comparison(o, method, root, i));
    return stmt_class_def(o->arena, s->at, s->class_def.name, s->class_def.bases,
                          s->class_def.keywords, (StmtList){body.at, body.len},
                          (ExprList){decorators.at, decorators.len}, s->class_def.type_params);
}

const Unit *total_ordering_write_out(Arena *a, Names *names, const Unit *unit) {
    Orders o = {.arena = a, .names = names, .classes = table_new(a)};
    IrWalker w = {.cx = &o, .stmt = note};
    IrMapper m = {.arena = a, .cx = &o, .stmt = completed};
    ir_walk_unit(&w, unit);
    return ir_map_unit(&m, unit);
}
