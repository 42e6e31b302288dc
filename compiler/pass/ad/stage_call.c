// stage_call.c - calls: functions of the program are run, those of numpy, math, pychoral.ad and
// Python itself stand in one table (stage_function.def), with a handler for each.

#include "compiler/pass/ad/stage_call.h"

#include <string.h>

// ---- arguments ----

// The argument at a position, or of a name; NULL: it is not given.
Value *call_given(Call *c, size_t i, const char *name)
{
    if (i < c->args.len)
        return c->args.at[i];
    for (size_t k = 0; k < c->keywords.len; k++)
        if (sym_is(c->keywords.at[k]->arg, name))
            return stage_eval(c->s, c->scope, c->keywords.at[k]->value);
    return NULL;
}

Value *call_wanted(Call *c, size_t i, const char *name)
{
    Value *v = call_given(c, i, name);
    if (v == NULL)
        return value_term(c->s, stage_refuse(c->s, c->at, "the argument `%s` is missing", name));
    return v;
}

const Expr *call_array(Call *c, size_t i, const char *name)
{
    return value_as_term(c->s, call_wanted(c, i, name), c->at);
}

// A shape: a size, or a tuple of sizes.
TyList call_shape(Call *c, const Value *v)
{
    Stage *s = c->s;
    Vec(const Ty *) shape = {0};
    size_t n = v->kind == VALUE_LIST ? v->items.len : 1;
    for (size_t i = 0; i < n && !s->failed; i++) {
        const Value *one = v->kind == VALUE_LIST ? v->items.at[i] : v;
        const Ty *size = one->kind == VALUE_TERM ? size_of_term(s->t, one->term) : NULL;
        int64_t number;
        if (size == NULL)
            (void)stage_refuse(s, c->at, "a size is built of sizes and numbers with `+ - *`");
        else if (poly_is_number(size_poly(s->t, size), &number) && number < 0)
            (void)stage_refuse(s, c->at, "a size is not negative");
        else
            vec_push(s->arena, &shape, size);
    }
    return (TyList){shape.at, shape.len};
}

bool call_truth(Call *c, const char *name)
{
    Value *v = call_given(c, (size_t)-1, name);
    return v != NULL && v->kind == VALUE_TERM && v->term->kind == EXPR_CONSTANT &&
           v->term->constant.value->truth;
}

// ---- the table ----

typedef enum Home { HOME_PYTHON, HOME_NUMPY, HOME_METHOD, HOME_AD } Home;

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

static bool is_from(const Value *f, const char *module)
{
    return f->text.at != NULL && strncmp(f->text.at, module, strlen(module)) == 0;
}

static const ArrayFunction *function_of(const Value *f)
{
    return is_from(f, "math") ? array_function_of_math(f->name)
           : is_from(f, "numpy") ? array_function(f->name) : NULL;
}

static Value *elementwise(Call *c, const ArrayFunction *f)
{
    Vec(const Expr *) args = {0};
    for (size_t i = 0; i < c->args.len; i++)
        vec_push(c->s->arena, &args, value_as_term(c->s, c->args.at[i], c->at));
    if (c->s->failed || args.len == 0)
        return term(c, stage_refuse(c->s, c->at, "an argument is missing"));
    return term(c, stage_elementwise(c->s, f, (ExprList){args.at, args.len}, c->at));
}

static Value *library_call(Call *c, const Value *f)
{
    const ArrayFunction *each = function_of(f);
    if (each != NULL)
        return elementwise(c, each);
    Handler *h = is_from(f, "numpy")           ? find_handler(HOME_NUMPY, f->name)
                 : is_from(f, "pychoral.ad")   ? find_handler(HOME_AD, f->name)
                 : f->text.at == NULL          ? find_handler(HOME_PYTHON, f->name)
                                               : NULL;
    if (h == NULL)
        return term(c, stage_refuse(c->s, c->at, "the array language has no function `%s`",
                                    f->name));
    return h(c);
}

static Value *applied(Call *c, const Value *f)
{
    Stage *s = c->s;
    c->name = f->name;
    if (s->failed)
        return term(c, term_float(s->t, 0.0));
    if (f->kind == VALUE_FUNCTION)
        return stage_call_function(s, f, c->args, c->keywords, c->scope, c->at);
    if (f->kind == VALUE_LIBRARY)
        return library_call(c, f);
    Handler *h = f->kind == VALUE_METHOD ? find_handler(HOME_METHOD, f->name) : NULL;
    if (h == NULL)
        return term(c, stage_refuse(s, c->at, f->kind == VALUE_METHOD
                                    ? "an array has no method `%s` here"
                                    : "this is not called in the array language",
                                    f->name == NULL ? "" : f->name));
    ValueVec with = {0};
    vec_push(s->arena, &with, (Value *)f->self);
    for (size_t i = 0; i < c->args.len; i++)
        vec_push(s->arena, &with, c->args.at[i]);
    c->args = with;
    return h(c);
}

Value *stage_apply(Stage *s, const Value *f, ValueVec args, Span at)
{
    Call c = {s, NULL, args, {NULL, 0}, s->module, at};
    return applied(&c, f);
}

Value *stage_call(Stage *s, Scope *scope, const Expr *e)
{
    const Value *f = stage_eval(s, scope, e->call.func);
    Call c = {s, NULL, {0}, e->call.keywords, scope, e->at};
    for (size_t i = 0; i < e->call.args.len && !s->failed; i++) {
        const Expr *arg = e->call.args.at[i];
        bool star = arg->kind == EXPR_STARRED;
        Value *v = stage_eval(s, scope, star ? arg->starred.value : arg);
        if (star && v->kind != VALUE_LIST)
            (void)stage_refuse(s, arg->at, "how many arguments these are is not known");
        for (size_t k = 0; star && k < v->items.len; k++)
            vec_push(s->arena, &c.args, v->items.at[k]);
        if (!star)
            vec_push(s->arena, &c.args, v);
    }
    return applied(&c, f);
}
