// array_nest.c - the pass `nest`: a function and its gradient as loops over numbers, and the
// functions of Python that call them when they are C.
//
// Sizes come first, in the order in which the parameters name them, then the parameters, then the
// arrays that are set: the value, where it is one, and one for each derivative.

#include "compiler/pass/ad/array_program_internal.h"
#include "compiler/pass/ad/loop.h"
#include "compiler/pass/ad/nest.h"

typedef Vec(Sym) Syms;

static bool has_name(const Syms *names, Sym name)
{
    for (size_t i = 0; i < names->len; i++)
        if (names->at[i] == name)
            return true;
    return false;
}

// Without those that are parameters themselves.
static Syms size_names(ArrayProgram *p)
{
    Syms params = {0}, sizes = {0};
    for (size_t i = 0; i < p->staged.params.len; i++)
        vec_push(p->arena, &params, p->staged.params.at[i]->name.id);
    for (size_t i = 0; i < p->staged.params.len; i++) {
        TyList shape = term_shape(p->staged.params.at[i]);
        for (size_t k = 0; k < shape.len; k++) {
            Poly size = size_poly(p->t, shape.at[k]);
            for (size_t m = 0; m < size.len; m++)
                for (size_t s = 0; s < size.at[m].names.len; s++) {
                    Sym name = size.at[m].names.at[s];
                    if (!has_name(&params, name) && !has_name(&sizes, name))
                        vec_push(p->arena, &sizes, name);
                }
        }
    }
    return sizes;
}

// ---- what is set ----

static bool answers_array(const ArrayProgram *p) { return term_rank(p->staged.result) > 0; }

// Of derivatives: x_grad, x_jacobian, x_columns and x_values.
static Sym wanted_name(ArrayProgram *p, size_t i)
{
    size_t input = p->sparse ? p->block_inputs[i / 2] : i;
    const char *kind = !answers_array(p) ? "grad" : !p->sparse ? "jacobian"
                       : i % 2 == 0 ? "columns" : "values";
    return names_format(p->names, "%s_%s", p->inputs.at[input]->name.id, kind);
}

static Sym unused_name(ArrayProgram *p, const Table *taken, Sym wanted)
{
    Sym name = wanted;
    for (unsigned i = 1; table_get(taken, name) != NULL; i++)
        name = names_format(p->names, "%s%u", wanted, i);
    return name;
}

// The arrays of a function, those of the roots: `grads`: the derivatives, too. A root without a
// name is the number that it answers.
static const NestResult *results_of(ArrayProgram *p, bool grads, size_t *len)
{
    NestResult *results = ARENA_ARRAY(p->arena, NestResult, p->roots.len + 1);
    Table *taken = array_taken_names(p);
    *len = grads ? p->roots.len : 1;
    for (size_t i = 0; i < *len; i++) {
        Sym name = i > 0 ? wanted_name(p, i - 1)
                   : answers_array(p) ? names_get(p->names, "value") : NULL;
        results[i] = (NestResult){p->roots.at[i], NULL, array_is_columns(p, i)};
        if (name == NULL)
            continue;
        results[i].name = unused_name(p, taken, name);
        table_set(taken, results[i].name, p);
    }
    return results;
}

// ---- the loops ----

typedef Vec(const Arg *) Args;

static const Ty *plain_ty(ArrayProgram *p, const char *name)
{
    return ty_named(p->arena, names_get(p->names, name), (TyList){NULL, 0});
}

static const char *elem_name(const Expr *e)
{
    static const char *const names[ELEM_COUNT] = {"float", "int", "bool"};
    return names[term_elem(e)];
}

static void add_arg(ArrayProgram *p, Args *args, Sym name, const char *elem, bool array)
{
    const Ty *ty = plain_ty(p, elem);
    const Ty **of = ARENA_NEW(p->arena, const Ty *);
    *of = ty;
    const Expr *annotation = array ? array_python_ty(p, term_iota(p->t, size_number(p->t, 1)))
                                   : array_name(p, elem, false);
    if (array)
        ty = ty_named(p->arena, names_get(p->names, "Array"), (TyList){of, 1});
    vec_push(p->arena, args, arg_with_ty(p->arena, arg_new(p->arena, p->function->at, name,
                                                           annotation), ty));
}

static const Arguments *nest_args(ArrayProgram *p, const NestResult *results, size_t len)
{
    Args args = {0};
    Syms sizes = size_names(p);
    for (size_t i = 0; i < sizes.len; i++)
        add_arg(p, &args, sizes.at[i], "int", false);
    for (size_t i = 0; i < p->staged.params.len; i++) {
        const Expr *param = p->staged.params.at[i];
        add_arg(p, &args, param->name.id, elem_name(param), term_rank(param) > 0);
    }
    for (size_t i = 0; i < len; i++)
        if (results[i].name != NULL)
            add_arg(p, &args, results[i].name, elem_name(results[i].term), true);
    return arguments_new(p->arena, (ArgList){NULL, 0}, (ArgList){args.at, args.len}, NULL,
                         (ArgList){NULL, 0}, (ExprList){NULL, 0}, NULL, (ExprList){NULL, 0});
}

// One function as loops: what it computes, and the names that it cannot take for itself.
typedef struct Loops {
    ArrayProgram *p;
    const char *suffix;
    const NestResult *all;      // by the names of the arrays that are set
    NestAim aim;
} Loops;

static Table *names_in_use(const Loops *f)
{
    Table *taken = array_taken_names(f->p);
    for (size_t i = 0; i < f->aim.count; i++)
        if (f->all[i].name != NULL)
            table_set(taken, f->all[i].name, f->p);
    return taken;
}

static const char *answer_of(const ArrayProgram *p) { return answers_array(p) ? "bool" : "float"; }

static StmtList body_of(const Loops *f, NestStrips *strips)
{
    ArrayProgram *p = f->p;
    StmtList body;
    if (!nest_body(p->t, &f->aim, names_in_use(f), strips, &body) &&
        diags_error_count(p->diags) == 0)
        diag_help(diag_report(p->diags, p->function->at, DIAG_ARRAY_FORM,
                              "`%s` cannot be written as loops over numbers",
                              p->function->function_def.name),
                  "assign an array to a variable before its elements are used as indices, or write "
                  "the gradient in Python");
    return body;
}

static const Stmt *define(const Loops *f, const char *suffix, const Arguments *args, StmtList body)
{
    ArrayProgram *p = f->p;
    const Expr *returns = expr_with_ty(p->arena, array_name(p, answer_of(p), false),
                                       plain_ty(p, answer_of(p)), (SymList){NULL, 0});
    const Stmt *def = array_def(p, suffix, args, body, (ExprList){NULL, 0}, returns);
    return stmt_with_at(p->arena, def, p->function->at);
}

static const Expr *typed_name(ArrayProgram *p, Sym name, const Ty *ty)
{
    return expr_with_ty(p->arena, array_name(p, name, false), ty, (SymList){NULL, 0});
}

// `if n == 1: return f(..)`, with the parameters of the function around.
static const Stmt *return_if(const Loops *f, const Expr *test, Sym name, const Arguments *args)
{
    ArrayProgram *p = f->p;
    const Expr **given = ARENA_ARRAY(p->arena, const Expr *, args->args.len + 1);
    const Stmt **body = ARENA_NEW(p->arena, const Stmt *);
    for (size_t i = 0; i < args->args.len; i++)
        given[i] = typed_name(p, args->args.at[i]->arg, args->args.at[i]->ty);
    const Expr *call = expr_call(p->arena, NOWHERE, typed_name(p, name, NULL),
                                 (ExprList){given, args->args.len}, (KeywordList){NULL, 0});
    call = expr_with_ty(p->arena, call, plain_ty(p, answer_of(p)), (SymList){NULL, 0});
    *body = stmt_return(p->arena, NOWHERE, call);
    return stmt_if(p->arena, NOWHERE, test, (StmtList){body, 1}, (StmtList){NULL, 0});
}

// Rewrites the parameters and the terms of the results for the size 1.
static bool where_one(Loops *f, const Ty *size)
{
    ArrayProgram *p = f->p;
    size_t checks = f->aim.checks.len;
    NestResult *results = ARENA_ARRAY(p->arena, NestResult, f->aim.count + 1);
    const Expr **roots = ARENA_ARRAY(p->arena, const Expr *, f->aim.count + 1);
    for (size_t i = 0; i < f->aim.count; i++)
        roots[i] = f->aim.results[i].term;
    ExprList terms = term_join(p->t, f->aim.checks, (ExprList){roots, f->aim.count});
    if (!nest_where_one(p->t, size, &f->aim.params, &terms))
        return false;
    for (size_t i = 0; i < f->aim.count; i++)
        results[i] = (NestResult){terms.at[checks + i], f->aim.results[i].name,
                                  f->aim.results[i].optional};
    f->aim.checks.at = terms.at;
    f->aim.results = results;
    return true;
}

// Where all strips are over one size, and it is 1 (the only row of a batch), another function does
// the work, which has no loop over that size. Not where strips are over several sizes, and not of
// the value alone: that gains little and costs as much time of the C compiler as the gradient's.
static bool add_function(ArrayProgram *p, ArrayStmts *to, const char *suffix, bool grads)
{
    size_t len;
    const NestResult *all = results_of(p, grads, &len);
    NestResult *results = ARENA_ARRAY(p->arena, NestResult, len + 1);
    ExprList roots = {p->sparse ? p->loops.at : p->roots.at, len};
    ExprList terms = loop_merge(p->t, term_join(p->t, p->checks, roots));
    for (size_t i = 0; i < len; i++)
        results[i] = (NestResult){terms.at[p->checks.len + i], all[i].name, all[i].optional};
    const NestAim aim = {p->staged.params, {terms.at, p->checks.len}, p->staged.broken, results,
                         len};
    Loops f = {p, suffix, all, aim};
    const Arguments *args = nest_args(p, all, len);
    NestStrips strips = {0}, alone = {0};
    ArrayStmts body = {0};
    StmtList many = body_of(&f, &strips);
    if (grads && strips.only != NULL && where_one(&f, strips.only)) {
        const char *one = names_format(p->names, "%s_one", suffix);
        Sym name = names_format(p->names, "%s%s", p->function->function_def.name, one);
        vec_push(p->arena, to, define(&f, one, args, body_of(&f, &alone)));
        vec_push(p->arena, &body, return_if(&f, strips.is_one, name, args));
    }
    for (size_t i = 0; i < many.len; i++)
        vec_push(p->arena, &body, many.at[i]);
    vec_push(p->arena, to, define(&f, suffix, args, (StmtList){body.at, body.len}));
    return strips.sums || alone.sums;
}

static const Stmt *lane_sum(ArrayProgram *p)
{
    Args args = {0};
    Sym array = names_get(p->names, "x"), first = names_get(p->names, "first");
    Sym width = names_get(p->names, "w"), name = names_get(p->names, NEST_LANE_SUM);
    add_arg(p, &args, array, "float", true);
    add_arg(p, &args, first, "int", false);
    add_arg(p, &args, width, "int", false);
    const Arguments *all = arguments_new(p->arena, (ArgList){NULL, 0},
                                         (ArgList){args.at, args.len}, NULL, (ArgList){NULL, 0},
                                         (ExprList){NULL, 0}, NULL, (ExprList){NULL, 0});
    const Expr *returns = typed_name(p, names_get(p->names, "float"), plain_ty(p, "float"));
    return stmt_function_def(p->arena, p->function->at, name, all,
                             nest_lane_sum_body(p->t, array, first, width), (ExprList){NULL, 0},
                             returns, (TypeParamList){NULL, 0});
}

const Unit *array_program_nest(ArrayProgram *p)
{
    ArrayStmts all = {0}, functions = {0};
    array_add_text(p, &all, "import numpy as np\n");
    bool sums = add_function(p, &functions, "", false);
    sums |= add_function(p, &functions, array_both_suffix(p), true);
    if (sums)
        vec_push(p->arena, &all, lane_sum(p));
    for (size_t i = 0; i < functions.len; i++)
        vec_push(p->arena, &all, functions.at[i]);
    return unit_module(p->arena, (StmtList){all.at, all.len});
}

SymList array_program_public(ArrayProgram *p)
{
    Sym *names = ARENA_ARRAY(p->arena, Sym, 2), name = p->function->function_def.name;
    names[0] = name;
    names[1] = names_format(p->names, "%s%s", name, array_both_suffix(p));
    return (SymList){names, 2};
}

const KernelSet *array_program_sets(ArrayProgram *p, size_t *len)
{
    size_t results_len;
    const NestResult *results = results_of(p, true, &results_len);
    KernelSet *sets = ARENA_ARRAY(p->arena, KernelSet, results_len + 1);
    *len = 0;
    for (size_t i = 0; i < results_len; i++) {
        TyList shape = term_shape(results[i].term);
        const Expr **at = ARENA_ARRAY(p->arena, const Expr *, shape.len + 1);
        for (size_t k = 0; k < shape.len; k++)
            at[k] = term_of_size(p->t, shape.at[k]);
        if (results[i].name != NULL && term_elem(results[i].term) == ELEM_FLOAT)
            sets[(*len)++] = (KernelSet){results[i].name, {at, shape.len}};
    }
    return sets;
}

// ---- what calls them ----

// An array that this function of Python asks for.
static bool is_made(const ArrayAnswers *f, const NestResult *result)
{
    return result->name != NULL && (f->grads == GRADS_ALL || !result->optional);
}

static void make_arrays(ArrayProgram *p, ArrayStmts *body, const ArrayAnswers *f,
                        const NestResult *results, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        TyList shape = term_shape(results[i].term);
        Buf b = buf_new(p->arena);
        if (!is_made(f, &results[i]))
            continue;
        buf_printf(&b, "%s = np.empty((", results[i].name);
        for (size_t k = 0; k < shape.len; k++) {
            size_print(&b, size_poly(p->t, shape.at[k]));
            buf_puts(&b, ", ");
        }
        buf_puts(&b, term_elem(results[i].term) == ELEM_INT ? "), int)\n" : "))\n");
        array_add_text(p, body, buf_text(&b));
    }
}

static void call_it(ArrayProgram *p, ArrayStmts *body, const ArrayAnswers *f,
                    const NestResult *results, size_t len)
{
    Buf b = buf_new(p->arena);
    Syms sizes = size_names(p);
    buf_printf(&b, "%s_run('%s%s'", answers_array(p) ? "" : "value: float = ",
               p->function->function_def.name, len > 1 ? array_both_suffix(p) : "");
    for (size_t i = 0; i < sizes.len; i++)
        buf_printf(&b, ", %s", sizes.at[i]);
    for (size_t i = 0; i < p->staged.params.len; i++)
        buf_printf(&b, ", %s", p->staged.params.at[i]->name.id);
    for (size_t i = 0; i < len; i++)
        if (results[i].name != NULL)
            buf_printf(&b, ", %s", is_made(f, &results[i]) ? results[i].name : "None");
    buf_puts(&b, ")\n");
    array_add_text(p, body, buf_text(&b));
}

static const Expr *answered(ArrayProgram *p, const NestResult *result)
{
    if (result->name == NULL)
        return array_name(p, "value", false);
    const Expr *made = array_name(p, result->name, false);
    if (term_rank(result->term) > 0)
        return made;
    return expr_call(p->arena, NOWHERE, array_name(p, "float", false),
                     term_list(p->t, made, NULL), (KeywordList){NULL, 0});
}

static const Stmt *calling(ArrayProgram *p, Numpy *np, const ArrayAnswers *f)
{
    ArrayStmts body = {0};
    size_t len, made_len = 0;
    bool pattern = f->grads == GRADS_ALL;
    const NestResult *results = results_of(p, f->grads != GRADS_NONE, &len);
    if (!array_enter(p, &body, np))
        return NULL;
    make_arrays(p, &body, f, results, len);
    call_it(p, &body, f, results, len);
    const Expr **parts = ARENA_ARRAY(p->arena, const Expr *, len + 1);
    const Expr **tys = ARENA_ARRAY(p->arena, const Expr *, len + 1);
    for (size_t i = 0; i < len; i++) {
        if (!pattern && results[i].optional)
            continue;
        parts[made_len] = answered(p, &results[i]);
        tys[made_len++] = array_python_ty(p, results[i].term);
    }
    const Expr *answer = parts[0], *ty = tys[0];
    if (f->grads != GRADS_NONE) {
        ExprList made = {parts + 1, made_len - 1}, made_ty = {tys + 1, made_len - 1};
        if (p->sparse) {
            made = array_entries(p, np, made, pattern);
            made_ty = array_entries_ty(p, pattern);
        }
        const Expr *all = array_tuple(p, made), *all_ty = array_tuple_ty(p, made_ty);
        answer = f->value ? array_tuple(p, term_list(p->t, answer, all)) : all;
        ty = f->value ? array_tuple_ty(p, term_list(p->t, ty, all_ty)) : all_ty;
    }
    vec_push(p->arena, &body, stmt_return(p->arena, NOWHERE, answer));
    return array_def(p, f->suffix, array_python_args(p), (StmtList){body.at, body.len},
                     (ExprList){NULL, 0}, ty);
}

StmtList array_program_twin(ArrayProgram *p)
{
    Numpy np = {.t = p->t};
    ArrayStmts all = {0};
    array_add_text(p, &all, "import numpy as np\n");
    if (p->sparse) {
        array_add_text(p, &all, numpy_helper_text(HELP_ENTRIES));
        array_add_text(p, &all, numpy_helper_text(HELP_VALUES));
    }
    for (size_t i = 0; i < ARRAY_ANSWERS; i++) {
        ArrayAnswers f = array_answers(p, i);
        const Stmt *made = f.suffix != NULL ? calling(p, &np, &f) : NULL;
        if (made != NULL)
            vec_push(p->arena, &all, made);
    }
    return (StmtList){all.at, all.len};
}
