// array_nest.c - the pass `nest`: a function and its gradient as loops over numbers, and the
// functions of Python that call them when they are C.
//
// Sizes come first, in the order in which the parameters name them, then the parameters, then an
// array for each gradient, which is set.

#include "compiler/pass/ad/array_program_internal.h"
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

static Sym grad_name(ArrayProgram *p, const Expr *input)
{
    return names_format(p->names, "%s_grad", input->name.id);
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

static const Arguments *nest_args(ArrayProgram *p, bool grads)
{
    Args args = {0};
    Syms sizes = size_names(p);
    for (size_t i = 0; i < sizes.len; i++)
        add_arg(p, &args, sizes.at[i], "int", false);
    for (size_t i = 0; i < p->staged.params.len; i++) {
        const Expr *param = p->staged.params.at[i];
        add_arg(p, &args, param->name.id, elem_name(param), term_rank(param) > 0);
    }
    for (size_t i = 0; grads && i < p->inputs.len; i++)
        add_arg(p, &args, grad_name(p, p->inputs.at[i]), "float", true);
    return arguments_new(p->arena, (ArgList){NULL, 0}, (ArgList){args.at, args.len}, NULL,
                         (ArgList){NULL, 0}, (ExprList){NULL, 0}, NULL, (ExprList){NULL, 0});
}

static const Stmt *nest_function(ArrayProgram *p, const char *suffix, bool grads)
{
    NestResult *results = ARENA_ARRAY(p->arena, NestResult, p->roots.len);
    Table *taken = array_taken_names(p);
    for (size_t i = 0; i < p->roots.len; i++) {
        Sym name = i == 0 ? NULL : grad_name(p, p->inputs.at[i - 1]);
        results[i] = (NestResult){p->roots.at[i], name};
        if (name != NULL)
            table_set(taken, name, p);
    }
    NestAim aim = {p->staged.params, p->checks, results, grads ? p->roots.len : 1};
    const Expr *returns = expr_with_ty(p->arena, array_name(p, "float", false),
                                       plain_ty(p, "float"), (SymList){NULL, 0});
    const Stmt *def = array_def(p, suffix, nest_args(p, grads), nest_body(p->t, &aim, taken),
                                (ExprList){NULL, 0}, returns);
    return stmt_with_at(p->arena, def, p->function->at);
}

const char *array_program_not_in_c(ArrayProgram *p)
{
    if (p->roots.len > 0 && term_rank(p->roots.at[0]) > 0)
        return "a function that answers an array";
    ExprList all = term_order(p->t, term_join(p->t, p->checks, p->roots));
    for (size_t i = 0; i < all.len; i++)
        if (all.at[i]->kind == EXPR_LOOP)
            return "a loop that carries arrays from round to round";
    return NULL;
}

const Unit *array_program_nest(ArrayProgram *p)
{
    const char *what = array_program_not_in_c(p);
    if (what != NULL) {
        (void)diag_report(p->diags, p->function->at, DIAG_ARRAY_FORM,
                          "%s has no form in C yet: write numpy, `-o NAME.py`", what);
        return unit_module(p->arena, (StmtList){NULL, 0});
    }
    ArrayStmts all = {0};
    array_add_text(p, &all, "import numpy as np\n");
    vec_push(p->arena, &all, nest_function(p, "", false));
    vec_push(p->arena, &all, nest_function(p, "_value_and_grad", true));
    return unit_module(p->arena, (StmtList){all.at, all.len});
}

// ---- what calls them ----

static void make_grads(ArrayProgram *p, ArrayStmts *body)
{
    for (size_t i = 0; i < p->inputs.len; i++) {
        const Expr *input = p->inputs.at[i];
        Buf b = buf_new(p->arena);
        buf_printf(&b, "%s = np.empty((", grad_name(p, input));
        TyList shape = term_shape(input);
        for (size_t k = 0; k < shape.len; k++) {
            size_print(&b, size_poly(p->t, shape.at[k]));
            buf_puts(&b, ", ");
        }
        buf_puts(&b, "))\n");
        array_add_text(p, body, buf_text(&b));
    }
}

static void call_it(ArrayProgram *p, ArrayStmts *body, bool grads)
{
    Buf b = buf_new(p->arena);
    Syms sizes = size_names(p);
    buf_printf(&b, "value: float = _run('%s%s'", p->function->function_def.name,
               grads ? "_value_and_grad" : "");
    for (size_t i = 0; i < sizes.len; i++)
        buf_printf(&b, ", %s", sizes.at[i]);
    for (size_t i = 0; i < p->staged.params.len; i++)
        buf_printf(&b, ", %s", p->staged.params.at[i]->name.id);
    for (size_t i = 0; grads && i < p->inputs.len; i++)
        buf_printf(&b, ", %s", grad_name(p, p->inputs.at[i]));
    buf_puts(&b, ")\n");
    array_add_text(p, body, buf_text(&b));
}

static const Expr *answered(ArrayProgram *p, const Expr *input)
{
    const Expr *grad = array_name(p, grad_name(p, input), false);
    if (term_rank(input) > 0)
        return grad;
    return expr_call(p->arena, NOWHERE, array_name(p, "float", false),
                     term_list(p->t, grad, NULL), (KeywordList){NULL, 0});
}

static const Stmt *calling(ArrayProgram *p, Numpy *np, const char *suffix, bool value, bool grads)
{
    ArrayStmts body = {0};
    if (!array_enter(p, &body, np))
        return NULL;
    if (grads)
        make_grads(p, &body);
    call_it(p, &body, grads);
    Vec(const Expr *) parts = {0}, tys = {0};
    for (size_t i = 0; grads && i < p->inputs.len; i++) {
        vec_push(p->arena, &parts, answered(p, p->inputs.at[i]));
        vec_push(p->arena, &tys, array_python_ty(p, p->inputs.at[i]));
    }
    const Expr *answer = array_name(p, "value", false), *ty = array_name(p, "float", false);
    if (grads) {
        const Expr *all = array_tuple(p, (ExprList){parts.at, parts.len});
        const Expr *all_ty = array_tuple_ty(p, (ExprList){tys.at, tys.len});
        answer = value ? array_tuple(p, term_list(p->t, answer, all)) : all;
        ty = value ? array_tuple_ty(p, term_list(p->t, ty, all_ty)) : all_ty;
    }
    vec_push(p->arena, &body, stmt_return(p->arena, NOWHERE, answer));
    return array_def(p, suffix, array_python_args(p), (StmtList){body.at, body.len},
                     (ExprList){NULL, 0}, ty);
}

StmtList array_program_twin(ArrayProgram *p)
{
    Numpy np = {p->t, 0};
    const Stmt *functions[] = {
        calling(p, &np, "", true, false),
        calling(p, &np, "_grad", false, true),
        calling(p, &np, "_value_and_grad", true, true),
    };
    ArrayStmts all = {0};
    array_add_text(p, &all, "import numpy as np\n");
    for (size_t i = 0; i < 3; i++)
        if (functions[i] != NULL)
            vec_push(p->arena, &all, functions[i]);
    return (StmtList){all.at, all.len};
}
