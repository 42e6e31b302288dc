// kinds.c - which expressions are real. Types say it where the checker knows them; what it leaves
// as Any, such as the parameters of a lambda that is bound to a bare name, is found by unification:
// each name has one kind in the whole program, and kinds may be infinite (f f has a kind).

#include "compiler/pass/ad/mode_internal.h"

#include <stdlib.h>

typedef enum Form {
    KIND_OPEN, KIND_REAL, KIND_PLAIN, KIND_TUPLE, KIND_LIST, KIND_SUM, KIND_FUNCTION, KIND_CELL,
} Form;

// part: of a tuple its parts, of a list and a cell what they hold, of a sum both sides, of a
// function the result and the parameters.
typedef struct Kind {
    struct Kind *link;          // the same as that one
    Form form;
    struct Kind **at;
    size_t len, cap;
} Kind;

// An operation on numbers: real if one of its operands is.
typedef struct Numeric {
    const Expr *e;
    ExprList operands;
    Kind *result;
} Numeric;

// An argument, and what the function makes of it.
typedef struct Given { const Expr *value; Kind *parameter; } Given;

// What the checker knows of a read: it holds if nothing else says what the place is.
typedef struct Narrowed { Kind *read, *to; } Narrowed;

struct Kinds {
    Modes *m;
    Table *of;                  // expression -> Kind
    Table *names;               // name -> Kind
    Vec(Numeric) numeric;
    Vec(Given) given;
    Vec(Narrowed) narrowed;
};

static Kind *infer(Kinds *ks, const Expr *e);

Kinds *kinds_new(Modes *m)
{
    Kinds *ks = ARENA_NEW(m->arena, Kinds);
    ks->m = m;
    ks->of = table_new(m->arena);
    ks->names = table_new(m->arena);
    return ks;
}

// ---- kinds ----

static Kind *new_kind(Kinds *ks, Form form)
{
    Kind *k = ARENA_NEW(ks->m->arena, Kind);
    k->form = form;
    return k;
}

static Kind *root(Kind *k)
{
    while (k->link != NULL) {
        if (k->link->link != NULL)
            k->link = k->link->link;
        k = k->link;
    }
    return k;
}

static Kind *part(Kinds *ks, Kind *k, size_t i)
{
    k = root(k);
    if (k->form == KIND_LIST || k->form == KIND_CELL)
        i = 0;
    while (k->len <= i)
        vec_push(ks->m->arena, k, new_kind(ks, KIND_OPEN));
    return k->at[i];
}

// Kinds that do not fit are left as they are: a name that is used for both keeps its first.
static void unify(Kinds *ks, Kind *a, Kind *b)
{
    a = root(a);
    b = root(b);
    if (a == b)
        return;
    if (a->form != KIND_OPEN && b->form == KIND_OPEN) {
        Kind *c = a;
        a = b;
        b = c;
    }
    bool indexed = (a->form == KIND_TUPLE && b->form == KIND_LIST)
                   || (a->form == KIND_LIST && b->form == KIND_TUPLE);
    if (a->form == KIND_OPEN) {
        a->link = b;
        return;
    }
    if (a->form != b->form && !indexed)
        return;
    if (a->form == KIND_LIST) {
        Kind *c = a;
        a = b;
        b = c;
    }
    a->link = b;
    for (size_t i = 0; i < a->len; i++)
        unify(ks, a->at[i], part(ks, b, i));
}

static Kind *shaped(Kinds *ks, Kind *k, Form form)
{
    Kind *made = new_kind(ks, form);
    unify(ks, k, made);
    return root(k)->form == form ? root(k) : made;
}

// ---- from types ----

static Kind *kind_of(Kinds *ks, const Ty *t);

static Kind *with_parts(Kinds *ks, Form form, TyList parts)
{
    Kind *k = new_kind(ks, form);
    for (size_t i = 0; i < parts.len; i++)
        vec_push(ks->m->arena, k, kind_of(ks, parts.at[i]));
    return k;
}

static const char *last_name(Sym path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL ? dot + 1 : path;
}

static Kind *named(Kinds *ks, const Ty *t)
{
    static const char *const lists[] = {"list", "tuple", "Sequence", "Iterable", "range", NULL};
    const char *name = last_name(t->named.name);
    bool of_ad = strncmp(t->named.name, "pychoral.ad.", 12) == 0;
    if (sym_is(name, "float"))
        return new_kind(ks, KIND_REAL);
    if (of_ad && sym_is(name, "Ref"))
        return with_parts(ks, KIND_CELL, t->named.args);
    if (of_ad && (sym_is(name, "Inl") || sym_is(name, "Inr"))) {
        Kind *k = new_kind(ks, KIND_SUM);
        if (t->named.args.len > 0)
            unify(ks, part(ks, k, sym_is(name, "Inr")), kind_of(ks, t->named.args.at[0]));
        return k;
    }
    if (sym_is_one_of(name, lists))
        return with_parts(ks, KIND_LIST, t->named.args);
    // What a function of `math` takes may be real.
    bool supports = strncmp(name, "Supports", 8) == 0;
    return new_kind(ks, supports ? KIND_OPEN : KIND_PLAIN);
}

static Kind *one_of(Kinds *ks, TyList items)
{
    Kind *found = new_kind(ks, KIND_OPEN), *other = NULL;
    for (size_t i = 0; i < items.len; i++) {
        if (items.at[i]->kind == TY_NONE_TYPE)
            continue;
        Kind *k = kind_of(ks, items.at[i]);
        if (k->form == KIND_PLAIN)
            other = k;
        else
            unify(ks, found, k);
    }
    return root(found)->form == KIND_OPEN && other != NULL ? other : found;
}

static Kind *callable(Kinds *ks, const Ty *t)
{
    Kind *k = new_kind(ks, KIND_FUNCTION);
    vec_push(ks->m->arena, k, kind_of(ks, t->callable.result));
    for (size_t i = 0; i < t->callable.params.len; i++)
        vec_push(ks->m->arena, k, kind_of(ks, t->callable.params.at[i]));
    return k;
}

static Kind *kind_of(Kinds *ks, const Ty *t)
{
    if (t == NULL)
        return new_kind(ks, KIND_OPEN);
    switch (t->kind) {
    case TY_NAMED:    return named(ks, t);
    case TY_TUPLE:    return with_parts(ks, KIND_TUPLE, t->tuple.items);
    case TY_UNION:    return one_of(ks, t->union_.items);
    case TY_CALLABLE: return callable(ks, t);
    case TY_LITERAL: case TY_INST: return new_kind(ks, KIND_PLAIN);
    case TY_PLACED:   return kind_of(ks, t->placed.of);
    case TY_POISON: case TY_ANY: case TY_NONE_TYPE: case TY_TYPE_VAR: case TY_COUNT: break;
    }
    return new_kind(ks, KIND_OPEN);
}

// ---- from terms ----

static Kind *of_name(Kinds *ks, Sym name)
{
    Kind *k = table_get(ks->names, name);
    if (k == NULL) {
        k = new_kind(ks, KIND_OPEN);
        table_set(ks->names, name, k);
    }
    return k;
}

static void bind_args(Kinds *ks, Kind *function, const Arguments *args)
{
    for (size_t i = 0; i < args->args.len; i++) {
        const Arg *arg = args->args.at[i];
        unify(ks, of_name(ks, arg->arg), kind_of(ks, arg->ty));
        unify(ks, of_name(ks, arg->arg), part(ks, function, i + 1));
    }
}

static Kind *function(Kinds *ks, const Arguments *args, const Expr *body)
{
    Kind *k = new_kind(ks, KIND_FUNCTION);
    bind_args(ks, k, args);
    unify(ks, part(ks, k, 0), infer(ks, body));
    return k;
}

static Kind *number(Kinds *ks, const Expr *e, ExprList operands)
{
    Kind *result = new_kind(ks, KIND_OPEN);
    for (size_t i = 0; i < operands.len; i++)
        (void)infer(ks, operands.at[i]);
    vec_push(ks->m->arena, &ks->numeric, ((Numeric){e, operands, result}));
    return result;
}

static Kind *application(Kinds *ks, const Expr *e)
{
    Kind *f = shaped(ks, infer(ks, e->call.func), KIND_FUNCTION);
    for (size_t i = 0; i < e->call.args.len; i++) {
        unify(ks, part(ks, f, i + 1), infer(ks, e->call.args.at[i]));
        vec_push(ks->m->arena, &ks->given, ((Given){e->call.args.at[i], part(ks, f, i + 1)}));
    }
    return part(ks, f, 0);
}

// A method of a list, of which the checker may not know what it holds.
static Kind *list_method(Kinds *ks, const Expr *e, Kind *list)
{
    Sym name = e->call.func->attribute.attr;
    ExprList args = e->call.args;
    Kind *last = args.len > 0 ? infer(ks, args.at[args.len - 1]) : NULL;
    if (last != NULL && (sym_is(name, "append") || sym_is(name, "insert")
                         || sym_is(name, "__setitem__")))
        unify(ks, part(ks, list, 0), last);
    if (last != NULL && sym_is(name, "extend"))
        unify(ks, list, last);
    return sym_is(name, "pop") ? part(ks, list, 0) : new_kind(ks, KIND_OPEN);
}

static Kind *primitive_call(Kinds *ks, const Expr *e)
{
    static const char *const numeric[] = {"abs", "max", "min", "pow", NULL};
    const Expr *f = e->call.func;
    if (f->kind == EXPR_NAME && sym_is_one_of(f->name.id, numeric))
        return number(ks, e, e->call.args);
    ExprList o = control_operands(ks->m->arena, e);
    for (size_t i = 1; i < o.len; i++)
        (void)infer(ks, o.at[i]);
    Kind *base = f->kind == EXPR_ATTRIBUTE ? root(infer(ks, f->attribute.value)) : NULL;
    if (base != NULL && base->form == KIND_LIST)
        return list_method(ks, e, base);
    if (f->kind == EXPR_NAME && sym_is(f->name.id, "list") && e->call.args.len == 1)
        return infer(ks, e->call.args.at[0]);
    return new_kind(ks, KIND_OPEN);
}

static Kind *subscript(Kinds *ks, const Expr *e)
{
    const Expr *index = e->subscript.slice;
    Kind *base = root(infer(ks, e->subscript.value));
    (void)infer(ks, index);
    bool constant = index->kind == EXPR_CONSTANT && index->constant.value->kind == CONST_INT;
    if (base->form == KIND_OPEN && constant)
        base = shaped(ks, base, KIND_TUPLE);
    if (base->form == KIND_LIST)
        return index->kind == EXPR_SLICE ? base : part(ks, base, 0);
    if (base->form == KIND_TUPLE && constant) {
        size_t i = strtoul(index->constant.value->text.at, NULL, 10);
        return i < 256 ? part(ks, base, i) : new_kind(ks, KIND_OPEN);
    }
    return new_kind(ks, KIND_OPEN);
}

static Kind *elements(Kinds *ks, Form form, ExprList elts)
{
    Kind *k = new_kind(ks, form);
    for (size_t i = 0; i < elts.len; i++)
        unify(ks, part(ks, k, i), infer(ks, elts.at[i]));
    return k;
}

static Kind *of_cell(Kinds *ks, const Expr *ref)
{
    return part(ks, shaped(ks, infer(ks, ref), KIND_CELL), 0);
}

static Kind *plain(Kinds *ks, const Expr *e)
{
    ExprList o = control_operands(ks->m->arena, e);
    for (size_t i = 0; i < o.len; i++)
        (void)infer(ks, o.at[i]);
    return new_kind(ks, KIND_PLAIN);
}

static Kind *constant(Kinds *ks, const Const *c)
{
    return new_kind(ks, c->kind == CONST_FLOAT ? KIND_REAL
                        : c->kind == CONST_NONE ? KIND_OPEN : KIND_PLAIN);
}

static Kind *operation(Kinds *ks, const Expr *e)
{
    Kind *k;
    if (e->kind == EXPR_BIN_OP || (e->kind == EXPR_UNARY_OP && e->unary_op.op != UNARYOP_NOT))
        return number(ks, e, control_operands(ks->m->arena, e));
    if (e->kind == EXPR_CALL)
        return mode_applies(ks->m, e) ? application(ks, e) : primitive_call(ks, e);
    if (e->kind == EXPR_SUBSCRIPT)
        return subscript(ks, e);
    if (e->kind == EXPR_TUPLE)
        return elements(ks, KIND_TUPLE, e->tuple.elts);
    if (e->kind == EXPR_LIST)
        return elements(ks, KIND_LIST, e->list.elts);
    if (e->kind == EXPR_GET)
        return of_cell(ks, e->get.ref);
    if (e->kind == EXPR_REF || e->kind == EXPR_INJECT) {
        bool right = e->kind == EXPR_INJECT && e->inject.right;
        k = new_kind(ks, e->kind == EXPR_REF ? KIND_CELL : KIND_SUM);
        unify(ks, part(ks, k, right), infer(ks, e->kind == EXPR_REF ? e->ref.value
                                                                   : e->inject.value));
        return k;
    }
    if (e->kind == EXPR_PUT)
        unify(ks, of_cell(ks, e->put.ref), infer(ks, e->put.value));
    if (e->kind == EXPR_ATTRIBUTE) {
        (void)infer(ks, e->attribute.value);
        return new_kind(ks, KIND_OPEN);
    }
    return plain(ks, e);
}

static Kind *branches(Kinds *ks, const Expr *first, const Expr *second)
{
    Kind *k = infer(ks, first);
    unify(ks, k, infer(ks, second));
    return k;
}

static Kind *binder(Kinds *ks, const Expr *e)
{
    if (e->kind == EXPR_LAMBDA)
        return function(ks, e->lambda.args, e->lambda.body);
    if (e->kind == EXPR_LET) {
        unify(ks, of_name(ks, e->let.name), infer(ks, e->let.value));
        return infer(ks, e->let.body);
    }
    if (e->kind == EXPR_LET_REC) {
        Kind *f = shaped(ks, of_name(ks, e->let_rec.name), KIND_FUNCTION);
        bind_args(ks, f, e->let_rec.args);
        unify(ks, part(ks, f, 0), infer(ks, e->let_rec.value));
        return infer(ks, e->let_rec.body);
    }
    if (e->kind == EXPR_CASE) {
        Kind *sum = shaped(ks, infer(ks, e->case_.value), KIND_SUM);
        unify(ks, of_name(ks, e->case_.left), part(ks, sum, 0));
        unify(ks, of_name(ks, e->case_.right), part(ks, sum, 1));
        return branches(ks, e->case_.on_left, e->case_.on_right);
    }
    if (e->kind == EXPR_IF_EXP) {
        (void)infer(ks, e->if_exp.test);
        return branches(ks, e->if_exp.body, e->if_exp.orelse);
    }
    (void)infer(ks, e->kind == EXPR_SHIFT ? e->shift.body : e->reset.body);
    return new_kind(ks, KIND_OPEN);
}

static Kind *infer(Kinds *ks, const Expr *e)
{
    Kind *k;
    if (e->kind == EXPR_NAME)
        k = table_get(ks->m->bound, e->name.id) != NULL ? of_name(ks, e->name.id)
                                                        : new_kind(ks, KIND_OPEN);
    else if (e->kind == EXPR_CONSTANT)
        k = constant(ks, e->constant.value);
    else
        k = control_is_operation(e) ? operation(ks, e) : binder(ks, e);
    Kind *typed = kind_of(ks, e->ty);
    if (e->kind == EXPR_CONSTANT && root(typed)->form == KIND_REAL)
        k = typed;
    // A place that is declared float may be read as the int that was put there.
    bool read = e->kind == EXPR_NAME || e->kind == EXPR_GET || e->kind == EXPR_SUBSCRIPT;
    Form form = root(typed)->form;
    if (read && (form == KIND_PLAIN || form == KIND_TUPLE))
        vec_push(ks->m->arena, &ks->narrowed, ((Narrowed){k, typed}));
    else
        unify(ks, k, typed);
    table_set(ks->of, e, k);
    return k;
}

void kinds_read(Kinds *ks, Sym name, const Arguments *args, const Expr *term)
{
    Kind *k = args != NULL ? new_kind(ks, KIND_FUNCTION) : infer(ks, term);
    if (name != NULL)
        unify(ks, of_name(ks, name), k);
    if (args == NULL)
        return;
    bind_args(ks, k, args);
    unify(ks, part(ks, k, 0), infer(ks, term));
}

// ---- numbers ----

static Form form_of(const Kinds *ks, const Expr *e)
{
    Kind *k = table_get(ks->of, e);
    return k != NULL ? root(k)->form : KIND_OPEN;
}

static bool settle(Kinds *ks, const Numeric *n, bool guess)
{
    Form before = root(n->result)->form;
    size_t reals = before == KIND_REAL, plains = 0, opens = 0;
    for (size_t i = 0; i < n->operands.len; i++) {
        Form form = form_of(ks, n->operands.at[i]);
        reals += form == KIND_REAL;
        plains += form == KIND_PLAIN;
        opens += form == KIND_OPEN;
        if (form == KIND_LIST)
            unify(ks, n->result, table_get(ks->of, n->operands.at[i]));
    }
    bool divides = n->e->kind == EXPR_BIN_OP && n->e->bin_op.op == OPERATOR_DIV;
    if (reals > 0 || (divides && plains == n->operands.len))
        unify(ks, n->result, new_kind(ks, KIND_REAL));
    else if (plains == n->operands.len)
        unify(ks, n->result, new_kind(ks, KIND_PLAIN));
    bool sure = root(n->result)->form == KIND_REAL && (guess || plains + 1 == n->operands.len);
    for (size_t i = 0; sure && opens > 0 && i < n->operands.len; i++)
        if (form_of(ks, n->operands.at[i]) == KIND_OPEN) {
            unify(ks, table_get(ks->of, n->operands.at[i]), new_kind(ks, KIND_REAL));
            return true;
        }
    return root(n->result)->form != before;
}

static bool settle_all(Kinds *ks, bool guess)
{
    bool changed = false;
    for (size_t i = 0; i < ks->numeric.len; i++)
        changed = settle(ks, &ks->numeric.at[i], guess) || changed;
    return changed;
}

static void report_open(Kinds *ks, const Numeric *n)
{
    Diag *d = diag_report(ks->m->diags, n->e->at, DIAG_GRAD_TYPE,
                          "the type of this value is not known: `float` or another type");
    diag_help(d, "annotate the parameters of the enclosing function");
}

// An int has no cotangent, and no type of a parameter made it a float.
static void report_given(Kinds *ks, const Given *g)
{
    if (form_of(ks, g->value) == KIND_PLAIN && root(g->parameter)->form == KIND_REAL)
        diag_help(diag_report(ks->m->diags, g->value->at, DIAG_GRAD_CONSTRUCT,
                              "this mode of `grad` does not support an `int` argument where "
                              "other calls pass a `float`"), "write the argument as a `float`");
}

void kinds_solve(Kinds *ks, bool report)
{
    for (size_t i = 0; i < ks->narrowed.len; i++)
        unify(ks, ks->narrowed.at[i].read, ks->narrowed.at[i].to);
    do {
        while (settle_all(ks, false)) {
        }
    } while (settle_all(ks, true));
    for (size_t i = 0; report && i < ks->numeric.len; i++)
        if (root(ks->numeric.at[i].result)->form == KIND_OPEN)
            report_open(ks, &ks->numeric.at[i]);
    for (size_t i = 0; report && i < ks->given.len; i++)
        report_given(ks, &ks->given.at[i]);
}

bool kinds_real(const Kinds *ks, const Expr *e) { return form_of(ks, e) == KIND_REAL; }

bool kinds_tuple(const Kinds *ks, const Expr *e) { return form_of(ks, e) == KIND_TUPLE; }

static bool holds_real(Kind *k, int depth)
{
    k = root(k);
    if (k->form == KIND_REAL)
        return true;
    for (size_t i = 0; depth > 0 && k->form != KIND_FUNCTION && i < k->len; i++)
        if (holds_real(k->at[i], depth - 1))
            return true;
    return false;
}

bool kinds_holds_real(const Kinds *ks, const Expr *e)
{
    Kind *k = table_get(ks->of, e);
    return (k != NULL && holds_real(k, 4)) || ad_holds_float(&ks->m->ad, e->ty);
}

bool kinds_name_real(const Kinds *ks, Sym name)
{
    Kind *k = table_get(ks->names, name);
    return k != NULL && root(k)->form == KIND_REAL;
}
