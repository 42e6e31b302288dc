// stage_call.c - calls: functions of the program are run, those of numpy, math, pychoral.ad and
// Python itself stand in one table (stage_function.def), with a handler for each.

#include "compiler/front/front.h"
#include "compiler/pass/ad/stage_call.h"

#include <string.h>

// ---- arguments ----

// The argument at a position, or of a name; NULL: it is not given.
Value *call_given(Call *c, size_t i, const char *name)
{
    if (i != (size_t)-1 && i >= c->taken)
        c->taken = i + 1;
    if (i < c->args.len)
        return c->args.at[i];
    for (size_t k = 0; k < c->keywords.len; k++)
        if (c->keywords.at[k]->arg != NULL && sym_is(c->keywords.at[k]->arg, name) &&
            (c->named |= 1ul << k % 64))
            return stage_eval(c->s, c->scope, c->keywords.at[k]->value);
    return NULL;
}

Value *call_wanted(Call *c, size_t i, const char *name)
{
    Value *v = call_given(c, i, name);
    if (v == NULL)
        return value_term(c->s, stage_refuse(c->s, c->at, "the argument `%s` of `%s` is "
                                             "missing", name, c->name));
    return v;
}

const Expr *call_array(Call *c, size_t i, const char *name)
{
    return value_as_term(c->s, call_wanted(c, i, name), c->at);
}

static bool is_whole(const Value *v)
{
    return v->kind == VALUE_TERM && term_elem(v->term) == ELEM_INT && term_rank(v->term) == 0;
}

TyList call_lengths(Call *c, const Value *v)
{
    Stage *s = c->s;
    Vec(const Ty *) shape = {0};
    size_t n = v->kind == VALUE_LIST ? v->items.len : 1;
    for (size_t i = 0; i < n && !s->failed; i++) {
        const Value *one = v->kind == VALUE_LIST ? v->items.at[i] : v;
        const Ty *size = one->kind == VALUE_TERM ? size_of_term(s->t, one->term) : NULL;
        int64_t number;
        if (size == NULL)
            (void)stage_refuse(s, c->at, is_whole(one)
                               ? "the size of an array must be computed from " STAGE_SIZES
                                 "\nin a loop, take the largest size, and set what a round does "
                                 "not use with `np.where`"
                               : "the size of an array must be an integer");
        else if (poly_is_number(size_poly(s->t, size), &number) && number < 0)
            (void)stage_refuse(s, c->at, "a size must not be negative");
        else
            vec_push(s->arena, &shape, size);
    }
    return (TyList){shape.at, shape.len};
}

TyList call_shape(Call *c, const Value *v)
{
    TyList shape = call_lengths(c, v);
    const Ty **at = ARENA_ARRAY(c->s->arena, const Ty *, shape.len + 1);
    for (size_t i = 0; i < shape.len && !c->s->failed; i++)
        at[i] = stage_check_size(c->s, shape.at[i]);
    return (TyList){at, c->s->failed ? 0 : shape.len};
}

const ValueVec *call_all(Call *c)
{
    c->taken = c->args.len;
    return &c->args;
}

bool call_truth(Call *c, const char *name)
{
    Value *v = call_given(c, (size_t)-1, name);
    return v != NULL && v->kind == VALUE_TERM && v->term->kind == EXPR_CONSTANT &&
           v->term->constant.value->truth;
}

// ---- the table ----

typedef enum Home { HOME_PYTHON, HOME_NUMPY, HOME_METHOD, HOME_RECORD, HOME_AD } Home;

static const struct { Home home; const char *name; Handler *handler; } rows[] = {
#define STAGE(home, name, handler) {HOME_##home, name, stage_##handler},
#include "compiler/pass/ad/stage_function.def"
#undef STAGE
};

static Handler *find_handler(Home home, Sym name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].home == home && sym_is(name, rows[i].name))
            return rows[i].handler;
    return NULL;
}

// ---- the library ----

static const struct { const char *name, *text; } library_rows[] = {
#define LIBRARY(name, text) {name, text},
#include "compiler/pass/ad/stage_library.def"
#undef LIBRARY
};

static Scope *library_scope(Stage *s)
{
    if (s->library != NULL)
        return s->library;
    static const char *const of_ad[] = {"build", "gather", "argsort_outer"};
    Value *np = value_of(s, VALUE_MODULE);
    np->name = names_get(s->names, "numpy");
    s->library = scope_inside(s, NULL);
    table_set(s->library->names, names_get(s->names, "np"), np);
    for (size_t i = 0; i < sizeof of_ad / sizeof *of_ad; i++) {
        Value *f = value_of(s, VALUE_LIBRARY);
        f->name = names_get(s->names, of_ad[i]);
        f->text = (Text){"pychoral.ad", strlen("pychoral.ad")};
        table_set(s->library->names, f->name, f);
    }
    return s->library;
}

// A function of numpy that is written with others; NULL: there is no such row.
static const Value *library_function(Stage *s, Sym name)
{
    Scope *scope = library_scope(s);
    for (size_t i = 0; i < sizeof library_rows / sizeof *library_rows; i++) {
        const char *text = library_rows[i].text;
        if (!sym_is(name, library_rows[i].name))
            continue;
        Sym key = names_format(s->names, "def %s", name);
        Value *v = table_get(scope->names, key);
        if (v == NULL) {
            const Source *source = source_new(s->arena, "numpy", (Text){text, strlen(text)});
            const Unit *unit = front_parse(s->arena, s->names, source, diags_new(s->arena));
            const Stmt *def = unit->module.body.at[0];
            v = value_of(s, VALUE_FUNCTION);
            v->args = def->function_def.args;
            v->body = def->function_def.body;
            v->scope = scope;
            v->name = names_get(s->names, stage_library_shown(name));
            table_set(scope->names, key, v);
        }
        return v;
    }
    return NULL;
}

// What goes wrong inside is told where the call stands.
static Value *call_library(Call *c, const Value *f)
{
    Stage *s = c->s;
    Span outer = s->call_at;
    if (s->library_depth++ == 0)
        s->call_at = c->at;
    Value *v = stage_call_function(s, f, c->args, c->keywords, c->scope, c->at,
                                   false);
    if (--s->library_depth == 0)
        s->call_at = outer;
    return v;
}

const Expr *stage_term_of_library(Stage *s, const char *function, Value *x, KeywordList keywords,
                                  Scope *scope, Span at)
{
    Call c = {s, names_get(s->names, function), {0}, keywords, scope, at, 0, 0, false};
    vec_push(s->arena, &c.args, x);
    return value_as_term(s, call_library(&c, library_function(s, c.name)), at);
}

// Of no other submodule: numpy.ma.sum is not numpy.sum.
static bool is_from(const Value *f, const char *module)
{
    return f->text.at != NULL && (strcmp(f->text.at, module) == 0 ||
                                  ((strcmp(f->text.at, "numpy.linalg") == 0 ||
                                    strcmp(f->text.at, "numpy.lib.stride_tricks") == 0) &&
                                   strcmp(module, "numpy") == 0));
}

static const ArrayFunction *function_of(Stage *s, const Value *f)
{
    bool special = is_from(f, "scipy.special");
    return special || is_from(f, "math")
               ? array_function_of_math(names_get(s->names, stage_library_shown(f->name)))
           : is_from(f, "numpy") && find_handler(HOME_NUMPY, f->name) == NULL
               ? array_function(f->name) : NULL;
}

static const Expr *refuse_keyword(Call *c, const Keyword *k)
{
    if (k->arg == NULL)
        return stage_refuse(c->s, k->at, "`**` in a call of `%s` is not supported\nwrite each "
                            "argument", c->name);
    return stage_refuse(c->s, k->at, sym_is(k->arg, "dtype")
                        ? "this value of the argument `%s` of `%s` is not supported"
                        : "the argument `%s` of `%s` is not supported", k->arg, c->name);
}

static Value *elementwise(Call *c, const ArrayFunction *f)
{
    Vec(const Expr *) args = {0};
    const Value *some = stage_first_selected(c->args.at, c->args.len);
    for (size_t i = 0; i < c->args.len; i++)
        vec_push(c->s->arena, &args, stage_whole(c->s, c->args.at[i], some, c->at));
    if (c->keywords.len > 0)
        return term(c, refuse_keyword(c, c->keywords.at[0]));
    if ((int)args.len != f->arguments)
        return term(c, stage_refuse(c->s, c->at, "`%s` requires %d argument%s here%s", c->name,
                                    f->arguments, diag_s((size_t)f->arguments),
                                    sym_is(c->name, "log") && args.len == 2
                                        ? "\nwrite `math.log(x) / math.log(base)`" : ""));
    if (c->s->failed)
        return term(c, args.at[0]);
    const Expr *all = stage_elementwise(c->s, f, (ExprList){args.at, args.len}, c->at);
    return some == NULL ? term(c, all) : stage_as_selected(c->s, all, some);
}

// Every argument is one that the handler knows. `dtype` says what the result is made.
// `self`: how many of the arguments are the array of a method.
static Value *handled(Call *c, Handler *h, size_t self)
{
    Stage *s = c->s;
    Value *v = h(c);
    for (size_t k = 0; k < c->keywords.len && !s->failed; k++) {
        const Keyword *keyword = c->keywords.at[k];
        if (c->named >> k % 64 & 1)
            continue;
        const Value *kind = keyword->arg != NULL && sym_is(keyword->arg, "dtype")
                                ? stage_eval(s, c->scope, keyword->value) : NULL;
        if (kind != NULL && kind->name != NULL && kind->name[0] == 'f' && v->kind == VALUE_TERM)
            v = value_term(s, stage_float(s, value_as_term(s, v, c->at)));
        else if (kind == NULL || kind->name == NULL || kind->name[0] != 'i' ||
                 v->kind != VALUE_TERM || term_elem(v->term) != ELEM_INT)
            (void)refuse_keyword(c, keyword);
    }
    if (!s->failed && c->args.len > c->taken)
        (void)stage_refuse(s, c->at, "`%s` supports only %zu argument%s here", c->name,
                           c->taken - self, diag_s(c->taken - self));
    return v;
}

// Inside a function of the library the name says in words what that cannot do.
static const Expr *refuse_function(Call *c, const char *name, bool linalg)
{
    Stage *s = c->s;
    if (s->library_depth == 0)
        return stage_refuse(s, c->at, "an array function does not support the function `%s%s`",
                            linalg ? "linalg." : "", stage_library_shown(name));
    char *words = arena_strndup(s->arena, name, strlen(name));
    for (char *p = words; *p != '\0'; p++)
        *p = *p == '_' ? ' ' : *p;
    return stage_refuse(s, c->at, "an array function does not support %s", words);
}

static Value *library_call(Call *c, const Value *f)
{
    const ArrayFunction *each = function_of(c->s, f);
    if (each != NULL)
        return elementwise(c, each);
    const Value *written = is_from(f, "numpy") || is_from(f, "scipy.special")
                               ? library_function(c->s, f->name) : NULL;
    if (written != NULL)
        return call_library(c, written);
    Handler *h = is_from(f, "numpy")           ? find_handler(HOME_NUMPY, f->name)
                 : is_from(f, "pychoral.ad")   ? find_handler(HOME_AD, f->name)
                 : f->text.at == NULL          ? find_handler(HOME_PYTHON, f->name)
                                               : NULL;
    bool linalg = is_from(f, "numpy") && strncmp(f->name, "linalg_", 7) == 0;
    if (h == NULL && is_from(f, "numpy.random"))
        return term(c, stage_refuse(c->s, c->at, "an array function does not support random numbers"
                                    "\ndraw them before the call, and pass them as a parameter"));
    if (h == NULL)
        return term(c, refuse_function(c, f->name, linalg));
    return handled(c, h, 0);
}

// A function of a library makes a new array, or shows its argument in another shape.
static Value *owned(Call *c, const Value *f, Value *v)
{
    static const char *const views[] = {
        "reshape", "ravel", "transpose", "swapaxes", "moveaxis", "squeeze", "expand_dims",
        "broadcast_to", "asarray", "diagonal", "diag", "split", "flip", "atleast_2d", "astype",
        "item", NULL,
    };
    if (v->kind != VALUE_TERM)
        return v;
    bool view = sym_is_one_of(f->name, views) && c->args.len > 0 &&
                c->args.at[0]->kind == VALUE_TERM;
    Value *new = value_fresh(c->s, v->term);
    new->depth = v->depth;
    new->fresh = !view;
    new->base = view ? c->args.at[0] : NULL;
    return new;
}

static Value *applied(Call *c, const Value *f)
{
    Stage *s = c->s;
    c->name = f->name;
    if (s->failed)
        return term(c, term_float(s->t, 0.0));
    if (f->kind == VALUE_RECORD && f->cls != NULL) {
        const Value *call = stage_member(s, f, names_get(s->names, "__call__"), c->at);
        f = call != NULL ? call : f;
    }
    size_t inner = s->inner;
    s->inner = c->statement ? inner : s->made;
    Value *v = f->kind == VALUE_FUNCTION
                   ? stage_call_function(s, f, c->args, c->keywords, c->scope, c->at, c->statement)
               : f->kind == VALUE_CLASS
                   ? stage_construct(s, (Value *)f, c->args, c->keywords, c->scope, c->at)
                   : NULL;
    s->inner = inner;
    if (v != NULL)
        return v;
    if (f->kind == VALUE_GRADIENT)
        return call_gradient(c, f);
    if (f->kind == VALUE_LIBRARY)
        return owned(c, f, library_call(c, f));
    static const char *const methods[] = {
        "var", "std", "prod", "cumsum", "cumprod", "trace", "diagonal", "repeat", "round", "any",
        "all", "take", "argsort", "ufunc_outer", "ufunc_reduce",
        "ufunc_accumulate", NULL};
    bool record = f->kind == VALUE_METHOD && (f->self->kind == VALUE_RECORD || f->self->cls);
    Handler *h = f->kind != VALUE_METHOD ? NULL
                 : find_handler(record ? HOME_RECORD : HOME_METHOD, f->name);
    bool written = f->kind == VALUE_METHOD && !record && sym_is_one_of(f->name, methods);
    if (h == NULL && !written)
        return term(c, stage_refuse(s, c->at, f->kind == VALUE_METHOD
                                    ? "an array function does not support the array method `%s`"
                                    : "this value is not a function",
                                    f->name == NULL ? "" : f->name));
    ValueVec with = {0};
    vec_push(s->arena, &with, (Value *)f->self);
    for (size_t i = 0; i < c->args.len; i++)
        vec_push(s->arena, &with, c->args.at[i]);
    c->args = with;
    return owned(c, f, written ? call_library(c, library_function(s, f->name))
                             : handled(c, h, 1));
}

Value *stage_apply(Stage *s, const Value *f, ValueVec args, Span at)
{
    Call c = {s, NULL, args, {NULL, 0}, s->module, at, 0, 0, false};
    return applied(&c, f);
}

static const Keyword *keyword(const Expr *call, const char *name)
{
    for (size_t i = 0; i < call->call.keywords.len; i++) {
        const Keyword *k = call->call.keywords.at[i];
        if (k->arg != NULL && sym_is(k->arg, name))
            return k;
    }
    return NULL;
}

static bool is_elementwise(Stage *s, const Value *f)
{
    static const char *const others[] = {"add", "subtract", "multiply", "divide", "power", "square",
                                         "negative", "reciprocal", "maximum", "minimum", NULL};
    return function_of(s, f) != NULL || sym_is_one_of(f->name, others);
}

// f(.., out=y, where=c): the value where c is true is stored into y.
static Value *into(Stage *s, Scope *scope, const Expr *e, const Value *f, bool statement)
{
    const Keyword *out = keyword(e, "out");
    const Keyword *test = is_elementwise(s, f) ? keyword(e, "where") : NULL;
    KeywordList old = e->call.keywords, rest = {ARENA_ARRAY(s->arena, const Keyword *, old.len), 0};
    for (size_t i = 0; i < old.len; i++)
        if (old.at[i] != out && old.at[i] != test)
            ((const Keyword **)rest.at)[rest.len++] = old.at[i];
    const Expr *x = stage_term(s, scope, expr_call(s->arena, e->at, e->call.func, e->call.args,
                                                   rest));
    Value *y = stage_eval(s, scope, out->value);
    const Expr *to = value_as_term(s, y, e->at);
    if (test != NULL && !s->failed)
        x = stage_where(s, stage_term(s, scope, test->value), x, to, e->at);
    bool named = out->value->kind == EXPR_NAME || (statement && !s->failed &&
                                                   stage_current(s, scope, out->value) != NULL);
    if (!s->failed && named && statement)
        stage_store_all(s, scope, out->value, x);
    else if (!s->failed && (y->base != NULL || y->bindings > 0 || !y->fresh))
        (void)stage_refuse(s, out->at, "an array function supports `out` only for a variable in a "
                           "call that is a statement, or for a new array\nwrite `y[:] = f(x)`");
    else if (!s->failed)
        y = value_fresh(s, stage_broadcast(s, x, term_shape(to), e->at));
    return s->failed ? value_term(s, x) : named ? stage_current(s, scope, out->value) : y;
}

// Whether the argument is the only name of an array, and the function cannot see that name: in the
// function the parameter is then its only name.
static bool is_lent(const Call *c, const Value *f, const Expr *e, size_t i)
{
    size_t count = 0;
    for (size_t k = 0; k < c->args.len; k++)
        count += c->args.at[k] == c->args.at[i];
    return f->kind == VALUE_FUNCTION && f->self == NULL && f->scope == c->s->module &&
           f->args->posonlyargs.len == 0 &&
           c->statement && count == 1 &&
           e->call.args.at[i]->kind == EXPR_NAME && i < f->args->args.len &&
           stage_may_store(c->args.at[i]) &&
           stage_changes(c->s, f, f->args->args.at[i]->arg);
}

static Value *call_with_lent(Call *c, const Value *f, const Expr *e)
{
    size_t n = c->args.len;
    bool *lent = ARENA_ARRAY(c->s->arena, bool, n + 1);
    for (size_t i = 0; i < n && !c->s->failed && n == e->call.args.len; i++)
        if ((lent[i] = is_lent(c, f, e, i)))
            c->args.at[i]->bindings--;
    Value *v = applied(c, f);
    for (size_t i = 0; i < n && !c->s->failed; i++)
        if (lent[i]) {
            Value *left = table_get(c->s->called->names, f->args->args.at[i]->arg);
            left->bindings += left == c->args.at[i] && !c->s->called->captured;
            table_set(c->scope->names, e->call.args.at[i]->name.id, left);
        }
    return v;
}

static ComprehensionList without_ifs(Stage *s, ComprehensionList of, const Expr **test)
{
    const Comprehension **at = ARENA_ARRAY(s->arena, const Comprehension *, of.len + 1);
    Vec(const Expr *) ifs = {0};
    for (size_t i = 0; i < of.len; i++) {
        at[i] = comprehension_new(s->arena, of.at[i]->target, of.at[i]->iter, (ExprList){NULL, 0},
                                  of.at[i]->is_async);
        for (size_t k = 0; k < of.at[i]->ifs.len; k++)
            vec_push(s->arena, &ifs, of.at[i]->ifs.at[k]);
    }
    *test = ifs.len == 0 ? NULL
            : ifs.len == 1 ? ifs.at[0]
            : expr_bool_op(s->arena, ifs.at[0]->at, BOOLOP_AND, (ExprList){ifs.at, ifs.len});
    return (ComprehensionList){at, of.len};
}

// `sum(e for x in xs if c)` adds `e if c else 0` for each x.
static const Expr *sum_of_all(Stage *s, const Value *f, const Expr *arg)
{
    bool list = arg->kind == EXPR_LIST_COMP;
    if (f->kind != VALUE_LIBRARY || !sym_is(f->name, "sum") ||
        (!list && arg->kind != EXPR_GENERATOR_EXP))
        return arg;
    const Expr *elt = list ? arg->list_comp.elt : arg->generator_exp.elt, *test;
    ComprehensionList all = without_ifs(s, list ? arg->list_comp.generators
                                                : arg->generator_exp.generators, &test);
    return test == NULL ? arg
           : expr_generator_exp(s->arena, arg->at,
                                expr_if_exp(s->arena, elt->at, test, elt, term_int(s->t, 0)), all);
}

Value *stage_call(Stage *s, Scope *scope, const Expr *e)
{
    bool statement = s->statement == e;
    const Expr *func = e->call.func;        // `a.f().g()`: nothing is read before the first call
    s->statement = statement && func->kind == EXPR_ATTRIBUTE ? func->attribute.value : NULL;
    const Value *f = stage_eval(s, scope, func);
    s->statement = NULL;
    if (f->kind == VALUE_LIBRARY && keyword(e, "out") != NULL)
        return into(s, scope, e, f, statement);
    Call c = {s, NULL, {0}, e->call.keywords, scope, e->at, 0, 0, statement};
    for (size_t i = 0; i < e->call.args.len && !s->failed; i++) {
        const Expr *arg = sum_of_all(s, f, e->call.args.at[i]);
        bool star = arg->kind == EXPR_STARRED;
        Value *v = stage_eval(s, scope, star ? arg->starred.value : arg);
        v = star ? stage_iterated(s, v) : v;
        if (star && v->kind != VALUE_LIST)
            (void)stage_refuse(s, arg->at, STAGE_UNPACKS);
        for (size_t k = 0; star && k < v->items.len; k++)
            vec_push(s->arena, &c.args, v->items.at[k]);
        if (!star)
            vec_push(s->arena, &c.args, v);
    }
    return call_with_lent(&c, f, e);
}
