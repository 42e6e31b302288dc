// array_program.c - the passes `stage`, `bulk`, `simplify`, `gradient`, `tidy`, `numpy`.

#include "compiler/pass/ad/array_program_internal.h"

#include <string.h>

#include "compiler/front/front.h"
#include "compiler/ir/free_names.h"
#include "compiler/pass/ad/bulk.h"
#include "compiler/pass/ad/jacobian.h"
#include "compiler/pass/ad/loop.h"
#include "compiler/pass/ad/nest.h"
#include "compiler/pass/ad/simplify.h"
#include "compiler/pass/ad/sparse.h"

// The last definition is the one that the name has.
static const Stmt *find_function(const Unit *unit, Sym name)
{
    for (size_t i = unit->module.body.len; i-- > 0;) {
        const Stmt *stmt = unit->module.body.at[i];
        if (stmt->kind == STMT_FUNCTION_DEF && stmt->function_def.name == name)
            return stmt;
    }
    return NULL;
}

static bool is_of_numpy(const char *module)
{
    return module != NULL && strncmp(module, "numpy", 5) == 0 &&
           (module[5] == '\0' || module[5] == '.');
}

static bool is_numpy(const Unit *unit, Sym name)
{
    for (size_t i = 0; i < unit->module.body.len; i++) {
        const Stmt *stmt = unit->module.body.at[i];
        bool from = stmt->kind == STMT_IMPORT_FROM;
        if (!from && stmt->kind != STMT_IMPORT)
            continue;
        AliasList list = from ? stmt->import_from.names : stmt->import.names;
        for (size_t k = 0; k < list.len; k++) {
            const Alias *alias = list.at[k];
            if ((alias->asname != NULL ? alias->asname : alias->name) == name &&
                is_of_numpy(from ? stmt->import_from.module : alias->name))
                return true;
        }
    }
    return false;
}

static bool takes_numbers(const Stmt *function)
{
    static const char *const types[] = {"float", "int", "bool", NULL};
    const Arguments *args = function->function_def.args;
    const ArgList all[] = {args->posonlyargs, args->args, args->kwonlyargs};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (size_t i = 0; i < all[k].len; i++) {
            const Expr *type = all[k].at[i]->annotation;
            if (type == NULL || type->kind != EXPR_NAME || !sym_is_one_of(type->name.id, types))
                return false;
        }
    return true;
}

static bool reaches_numpy(Arena *a, Names *names, const Unit *unit, const Stmt *function)
{
    Vec(const Stmt *) all = {0};
    Table *seen = table_new(a);
    vec_push(a, &all, function);
    for (size_t i = 0; i < all.len; i++) {
        SymList free = names_free(a, names, (StmtList){&all.at[i], 1});
        for (size_t k = 0; k < free.len; k++) {
            const Stmt *called = find_function(unit, free.at[k]);
            if (called == NULL && is_numpy(unit, free.at[k]))
                return true;
            if (called != NULL && table_get(seen, called) == NULL)
                vec_push(a, &all, called);
            if (called != NULL)
                table_set(seen, called, (void *)called);
        }
    }
    return false;
}

bool array_program_is_for(Arena *a, Names *names, const Unit *unit, Sym function, bool asked)
{
    const Stmt *found = find_function(unit, function);
    return found != NULL && (asked || stage_has_arrays(found) ||
                             (takes_numbers(found) && reaches_numpy(a, names, unit, found)));
}

// ---- staging ----

static bool is_wanted(const ArrayProgram *p, Sym name)
{
    for (size_t i = 0; i < p->wrt.len; i++)
        if (p->wrt.at[i] == name)
            return true;
    return p->wrt.len == 0;
}

static void find_inputs(ArrayProgram *p)
{
    Vec(const Expr *) inputs = {0};
    for (size_t i = 0; i < p->staged.params.len; i++) {
        const Expr *param = p->staged.params.at[i];
        if (term_elem(param) == ELEM_FLOAT && is_wanted(p, param->name.id))
            vec_push(p->arena, &inputs, param);
    }
    p->inputs = (ExprList){inputs.at, inputs.len};
}

static bool is_input(const ArrayProgram *p, Sym name)
{
    for (size_t i = 0; i < p->inputs.len; i++)
        if (p->inputs.at[i]->name.id == name)
            return true;
    return false;
}

// Something is left to differentiate by, and each name that was given is one of them.
static bool has_inputs(ArrayProgram *p)
{
    Span at = p->function->at;
    for (size_t i = 0; i < p->wrt.len; i++)
        if (!is_input(p, p->wrt.at[i]))
            (void)diag_report(p->diags, at, DIAG_GRAD_INPUT,
                              "`%s` is not a parameter of `%s` that contains floats",
                              p->wrt.at[i], p->function->function_def.name);
    if (p->inputs.len == 0 && p->wrt.len == 0)
        diag_help(diag_report(p->diags, at, DIAG_GRAD_INPUT,
                              "no parameter of `%s` contains floats; only floats have derivatives",
                              p->function->function_def.name),
                  "declare a parameter as `float` or `Float[Array, \"n\"]`");
    return diags_error_count(p->diags) == 0;
}

ArrayProgram *array_program_new(Arena *a, Names *names, Diags *diags, const Unit *unit,
                                Sym function, SymList wrt)
{
    ArrayProgram *p = ARENA_NEW(a, ArrayProgram);
    *p = (ArrayProgram){.arena = a, .names = names, .diags = diags, .t = terms_new(a, names),
                        .unit = unit, .function = find_function(unit, function), .wrt = wrt};
    if (p->function == NULL || !stage_function(p->t, diags, unit, p->function, &p->staged))
        return NULL;
    const Expr *result = p->staged.result;
    if (term_elem(result) != ELEM_FLOAT) {
        (void)diag_report(diags, p->function->at, DIAG_ARRAY_FORM,
                          "the result of `%s` does not consist of floats", function);
        return NULL;
    }
    find_inputs(p);
    if (!has_inputs(p))
        return NULL;
    p->roots = term_list(p->t, result, NULL);
    p->checks = p->staged.checks;
    return p;
}

// ---- units for readers ----

static void take_sizes(Table *taken, TyList shape, ArrayProgram *p)
{
    for (size_t i = 0; i < shape.len; i++) {
        Poly size = size_poly(p->t, shape.at[i]);
        for (size_t k = 0; k < size.len; k++)
            for (size_t n = 0; n < size.at[k].names.len; n++)
                table_set(taken, size.at[k].names.at[n], p);
    }
}

Table *array_taken_names(ArrayProgram *p)
{
    static const char *const others[] = {
        "np", "float", "int", "bool", "tuple", "range", "reversed", "max", "ValueError",
        "IndexError", "_gather", "_read", "_scatter", "_array", "_size", "_entries", NEST_LANE_SUM,
    };
    Table *taken = table_new(p->arena);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        table_set(taken, names_get(p->names, others[i]), p);
    for (size_t i = 0; i < p->staged.params.len; i++) {
        table_set(taken, p->staged.params.at[i]->name.id, p);
        take_sizes(taken, term_shape(p->staged.params.at[i]), p);
    }
    table_set(taken, p->function->function_def.name, p);
    return taken;
}

const Stmt *array_def(ArrayProgram *p, const char *suffix, const Arguments *args,
                                 StmtList body, ExprList decorators, const Expr *returns)
{
    Sym name = names_format(p->names, "%s%s", p->function->function_def.name, suffix);
    return stmt_function_def(p->arena, NOWHERE, name, args, body, decorators, returns,
                             (TypeParamList){NULL, 0});
}

void array_program_hide(ArrayProgram *p) { p->hidden = true; }

static const Unit *unit_of(ArrayProgram *p, const char *suffix)
{
    if (p->hidden)
        return unit_module(p->arena, (StmtList){NULL, 0});
    Table *taken = array_taken_names(p);
    TermText text = term_text(p->t, loop_merge(p->t, p->roots), taken);
    StmtList body = term_statements(p->t, &text, taken);
    const Stmt **all = ARENA_NEW(p->arena, const Stmt *);
    *all = array_def(p, suffix, p->function->function_def.args, body, (ExprList){NULL, 0},
                         NULL);
    return unit_module(p->arena, (StmtList){all, 1});
}

const Unit *array_program_stage(ArrayProgram *p) { return unit_of(p, ""); }

static ExprList each(ArrayProgram *p, ExprList list, TermPass *pass)
{
    const Expr **at = ARENA_ARRAY(p->arena, const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++)
        at[i] = pass == NULL ? bulk_term(p->t, list.at[i]) : term_rewrite(pass, list.at[i]);
    return (ExprList){at, list.len};
}

const Unit *array_program_bulk(ArrayProgram *p)
{
    p->roots = each(p, p->roots, NULL);
    p->checks = each(p, p->checks, NULL);
    return unit_of(p, "");
}

// Rules make room for others, so until nothing changes; one more round is the usual case.
static void simplify(ArrayProgram *p)
{
    for (int round = 0; round < 4; round++) {
        Simplifier s;
        ExprList old = p->roots;
        simplify_open(&s, p->t);
        p->roots = each(p, p->roots, &s.pass);
        p->loops = each(p, p->loops, &s.pass);
        p->checks = each(p, p->checks, &s.pass);
        if (memcmp(old.at, p->roots.at, old.len * sizeof *old.at) == 0)
            return;
    }
}

const Unit *array_program_simplify(ArrayProgram *p)
{
    simplify_note_filled(p->t, p->roots.at[0]);
    simplify(p);
    return unit_of(p, "");
}

// An array has a Jacobian in place of a gradient.
static bool has_jacobian(const ArrayProgram *p) { return term_rank(p->staged.result) > 0; }

const char *array_both_suffix(const ArrayProgram *p)
{
    return has_jacobian(p) ? "_value_and_jacobian" : "_value_and_grad";
}

void array_program_want_sparse(ArrayProgram *p)
{
    p->sparse = has_jacobian(p);
    if (!p->sparse)
        (void)diag_report(p->diags, p->function->at, DIAG_ARRAY_FORM,
                          "`%s` returns a number, but only Jacobians can be sparse: remove "
                          "`--sparse`",
                          p->function->function_def.name);
}

// Columns and values by turns.
static void add_blocks(ArrayProgram *p, Partials *ps)
{
    SparseBlocks all = sparse_jacobian(p->t, ps, p->roots.at[0], p->inputs);
    p->block_inputs = ARENA_ARRAY(p->arena, size_t, all.len + 1);
    p->blocks = all.len;
    ExprList blocks = {NULL, 0};
    for (size_t i = 0; i < all.len; i++) {
        p->block_inputs[i] = all.at[i].input;
        blocks = term_join(p->t, blocks,
                           term_list(p->t, all.at[i].columns, all.at[i].values));
    }
    p->loops = term_join(p->t, term_list(p->t, all.value, NULL), blocks);
    p->roots = each(p, term_join(p->t, p->roots, blocks), NULL);
}

const Unit *array_program_gradient(ArrayProgram *p)
{
    Partials *ps = partials_new(p->arena, p->names);
    p->roots = loop_merge(p->t, p->roots);
    if (p->sparse) {
        add_blocks(p, ps);
        return unit_of(p, array_both_suffix(p));
    }
    p->deltas = delta_of(p->t, ps, p->roots, p->inputs);
    ExprList one = term_list(p->t, term_float(p->t, 1.0), NULL);
    ExprList grads = has_jacobian(p)
                         ? jacobian_of(p->t, &p->deltas, p->roots.at[0], p->inputs)
                         : gradient_of(p->t, &p->deltas, one, p->inputs);
    p->roots = term_join(p->t, p->roots, grads);
    return unit_of(p, array_both_suffix(p));
}

const Unit *array_program_tidy(ArrayProgram *p)
{
    simplify(p);
    return unit_of(p, array_both_suffix(p));
}

const char *array_program_delta(ArrayProgram *p)
{
    Buf b = buf_new(p->arena);
    delta_print(&b, p->t, &p->deltas);
    return buf_text(&b);
}

// ---- numpy ----

const Expr *array_name(ArrayProgram *p, const char *text, bool store)
{
    return expr_name(p->arena, NOWHERE, names_get(p->names, text),
                     store ? EXPR_CONTEXT_STORE : EXPR_CONTEXT_LOAD);
}

// Statements that are written as text.
static StmtList parsed(ArrayProgram *p, const char *text)
{
    const Source *source = source_new(p->arena, "numpy", (Text){text, strlen(text)});
    return front_parse(p->arena, p->names, source, diags_new(p->arena))->module.body;
}

void array_add_text(ArrayProgram *p, ArrayStmts *body, const char *text)
{
    StmtList all = parsed(p, text);
    for (size_t i = 0; i < all.len; i++)
        vec_push(p->arena, body, all.at[i]);
}

// A text with names and a number put in: $, @, #.
static const char *format(ArrayProgram *p, const char *text, const char *a, const char *b, size_t n)
{
    Buf buf = buf_new(p->arena);
    for (; *text != '\0'; text++) {
        if (*text == '$')
            buf_puts(&buf, a);
        else if (*text == '@')
            buf_puts(&buf, b);
        else if (*text == '#')
            buf_printf(&buf, "%zu", n);
        else
            buf_putc(&buf, *text);
    }
    return buf_text(&buf);
}

// ---- entry: the arguments are arrays, and one size name is one number ----

static Sym unbound_name(Poly size, const Table *bound, size_t *count)
{
    Sym found = NULL;
    *count = 0;
    for (size_t i = 0; i < size.len; i++)
        for (size_t k = 0; k < size.at[i].names.len; k++)
            if (table_get(bound, size.at[i].names.at[k]) == NULL) {
                ++*count;
                found = size.at[i].names.at[k];
            }
    return found;
}

static const char *size_text(ArrayProgram *p, Poly size)
{
    Buf b = buf_new(p->arena);
    size_print(&b, size);
    return buf_text(&b);
}

// Binds the one name of a size that has none yet, or checks the size. False: not yet possible.
static bool enter_size(ArrayProgram *p, ArrayStmts *body, Table *bound, const char *array, size_t i,
                       const Ty *size)
{
    size_t count;
    Poly poly = size_poly(p->t, size);
    Sym new = unbound_name(poly, bound, &count);
    if (count > 1)
        return false;
    if (new == NULL) {
        const char *want = size_text(p, poly);
        array_add_text(p, body, format(p, "_size('dimension # of $', $.shape[#], @)\n", array,
                                       want, i));
        return true;
    }
    Poly rest = poly_sub(p->arena, poly, poly_name(p->arena, new));
    if (unbound_name(rest, bound, &count), count > 0)
        return false;
    const char *minus = rest.len == 0 ? "" : format(p, " - ($)", size_text(p, rest), "", 0);
    Buf b = buf_new(p->arena);
    buf_printf(&b, "%s = %s.shape[%zu]%s\n", new, array, i, minus);
    array_add_text(p, body, buf_text(&b));
    table_set(bound, new, p);
    return true;
}

static void enter_arrays(ArrayProgram *p, ArrayStmts *body, Table *bound)
{
    for (size_t i = 0; i < p->staged.params.len; i++) {
        const Expr *param = p->staged.params.at[i];
        const char *kind = term_elem(param) == ELEM_FLOAT ? "float"
                           : term_elem(param) == ELEM_INT ? "int" : "bool";
        if (term_rank(param) > 0)
            array_add_text(p, body, format(p, "$ = _array('$', $, @, #)\n", param->name.id, kind,
                                     term_rank(param)));
        else if (term_elem(param) == ELEM_FLOAT)
            array_add_text(p, body, format(p, "$ = np.float64($)\n", param->name.id, "", 0));
        else
            table_set(bound, param->name.id, p);
    }
}

// Sizes that are one name first; then those that have one name left. The name of a size that is
// not known then; NULL: all are.
static Sym enter_sizes(ArrayProgram *p, ArrayStmts *body, Table *bound)
{
    bool left = true, moved = true;
    Sym missing = NULL;
    size_t count;
    Table *done = table_new(p->arena);
    while (left && moved) {
        left = moved = false;
        for (size_t i = 0; i < p->staged.params.len; i++) {
            const Expr *param = p->staged.params.at[i];
            for (size_t k = 0; k < term_rank(param); k++) {
                const void *key = table_key(i * 64 + k);
                if (table_get(done, key) != NULL)
                    continue;
                if (enter_size(p, body, bound, param->name.id, k, term_shape(param).at[k])) {
                    table_set(done, key, p);
                    moved = true;
                } else {
                    left = true;
                    missing = unbound_name(size_poly(p->t, term_shape(param).at[k]), bound, &count);
                }
            }
        }
    }
    return left ? missing : NULL;
}

bool array_enter(ArrayProgram *p, ArrayStmts *body, Numpy *np)
{
    Table *bound = table_new(p->arena);
    np->helpers |= 1u << HELP_ARRAY | 1u << HELP_SIZE;
    enter_arrays(p, body, bound);
    p->missing = enter_sizes(p, body, bound);
    return p->missing == NULL;
}

// ---- functions ----

static void add_checks(ArrayProgram *p, ArrayStmts *body, Numpy *np, ExprList checks)
{
    StmtList raise = parsed(p, names_format(p->names, "raise IndexError('%s')\n",
                                            p->staged.broken));
    for (size_t i = 0; i < checks.len; i++)
        vec_push(p->arena, body, stmt_if(p->arena, NOWHERE, numpy_expr(np, checks.at[i], false),
                                         raise, (StmtList){NULL, 0}));
}

const Expr *array_python_ty(ArrayProgram *p, const Expr *e)
{
    static const char *const names[ELEM_COUNT] = {"float", "int", "bool"};
    if (term_rank(e) == 0)
        return array_name(p, names[term_elem(e)], false);
    return parsed(p, "np.ndarray\n").at[0]->expr.value;
}

const Arguments *array_python_args(ArrayProgram *p)
{
    Vec(const Arg *) args = {0};
    for (size_t i = 0; i < p->staged.params.len; i++) {
        const Expr *param = p->staged.params.at[i];
        vec_push(p->arena, &args, arg_new(p->arena, NOWHERE, param->name.id,
                                          array_python_ty(p, param)));
    }
    return arguments_new(p->arena, (ArgList){NULL, 0}, (ArgList){args.at, args.len}, NULL,
                         (ArgList){NULL, 0}, (ExprList){NULL, 0}, NULL, (ExprList){NULL, 0});
}

const Expr *array_tuple(ArrayProgram *p, ExprList list)
{
    return list.len == 1 ? list.at[0] : expr_tuple(p->arena, NOWHERE, list, EXPR_CONTEXT_LOAD);
}

const Expr *array_tuple_ty(ArrayProgram *p, ExprList list)
{
    return list.len == 1 ? list.at[0]
                         : expr_subscript(p->arena, NOWHERE, array_name(p, "tuple", false),
                                          expr_tuple(p->arena, NOWHERE, list, EXPR_CONTEXT_LOAD),
                                          EXPR_CONTEXT_LOAD);
}

// A number that Python code gets is a float, not one of numpy.
static const Expr *answered(ArrayProgram *p, Numpy *np, const Expr *root)
{
    const Expr *x = numpy_expr(np, root, true);
    if (term_rank(root) > 0)
        return root->kind == EXPR_NAME ? expr_call(p->arena, NOWHERE, expr_attribute(p->arena,
                   NOWHERE, x, names_get(p->names, "copy"), EXPR_CONTEXT_LOAD),
                   (ExprList){NULL, 0}, (KeywordList){NULL, 0}) : x;
    return expr_call(p->arena, NOWHERE, array_name(p, "float", false), term_list(p->t, x, NULL),
                     (KeywordList){NULL, 0});
}

// Nothing can be named inside an index.
static bool is_large(ArrayProgram *p, const TermText *text)
{
    Vec(const Expr *) values = {0};
    for (size_t i = 0; i < text->lets.len; i++) {
        const TermLet *let = &text->lets.at[i];
        if (let->rounds != NULL && is_large(p, &let->rounds->text))
            return true;
        if (let->rounds == NULL)
            vec_push(p->arena, &values, let->value);
    }
    ExprList all = term_join(p->t, (ExprList){values.at, values.len}, text->roots);
    return term_text_size(p->t, all) >= TERM_LARGE;
}

static bool is_writable(ArrayProgram *p, const TermText *text)
{
    bool large = is_large(p, text);
    if (large)
        (void)diag_report(p->diags, p->function->at, DIAG_ARRAY_FORM,
                          "an index in `%s` is computed by an expression that is too long",
                          p->function->function_def.name);
    return !large;
}

bool array_is_columns(const ArrayProgram *p, size_t i) { return p->sparse && i % 2 == 1; }

ArrayAnswers array_answers(const ArrayProgram *p, size_t i)
{
    const ArrayAnswers all[ARRAY_ANSWERS] = {
        {"", true, GRADS_NONE},
        {has_jacobian(p) ? "_jacobian" : "_grad", false, GRADS_ALL},
        {array_both_suffix(p), true, GRADS_ALL},
        {p->sparse ? "_value_and_jacobian_values" : NULL, true, GRADS_VALUES}};
    return all[i];
}

// Of a sparse Jacobian: `_entries(rows, columns, values, ..)`, or `_values(values, ..)`, for each
// input, of what was made for its blocks.
ExprList array_entries(ArrayProgram *p, Numpy *np, ExprList made, bool pattern)
{
    const Expr **answers = ARENA_ARRAY(p->arena, const Expr *, p->inputs.len + 1);
    const Ty *rows = size_number(p->t, 1);
    TyList shape = term_shape(p->staged.result);
    size_t each = pattern ? 2 : 1;
    for (size_t i = 0; i < shape.len; i++)
        rows = size_mul(p->t, rows, shape.at[i]);
    np->helpers |= 1u << (pattern ? HELP_ENTRIES : HELP_VALUES);
    for (size_t input = 0; input < p->inputs.len; input++) {
        ExprList args = {NULL, 0};
        if (pattern)
            args = term_list(p->t, numpy_expr(np, term_of_size(p->t, rows), false), NULL);
        for (size_t i = 0; i < p->blocks; i++)
            if (p->block_inputs[i] == input)
                args = term_join(p->t, args, (ExprList){made.at + each * i, each});
        const char *name = pattern ? "_entries" : "_values";
        answers[input] = expr_call(p->arena, NOWHERE, array_name(p, name, false), args,
                                   (KeywordList){NULL, 0});
    }
    return (ExprList){answers, p->inputs.len};
}

ExprList array_entries_ty(ArrayProgram *p, bool pattern)
{
    const Expr **tys = ARENA_ARRAY(p->arena, const Expr *, p->inputs.len + 1);
    for (size_t i = 0; i < p->inputs.len; i++)
        tys[i] = parsed(p, pattern ? "tuple[np.ndarray, ...]\n" : "np.ndarray\n")
                     .at[0]->expr.value;
    return (ExprList){tys, p->inputs.len};
}

// Those that a function answers.
static ExprList wanted_roots(ArrayProgram *p, const ArrayAnswers *f)
{
    ExprList all = {NULL, 0};
    for (size_t i = !f->value; i < (f->grads == GRADS_NONE ? 1 : p->roots.len); i++)
        if (f->grads != GRADS_VALUES || !array_is_columns(p, i))
            all = term_join(p->t, all, (ExprList){&p->roots.at[i], 1});
    return all;
}

static const Expr *print_numpy(TermPrinter *printer, const Expr *e)
{
    if (printer->as != TERM_KEPT)
        return printer->as == TERM_OWN ? numpy_own(printer->cx, e) : numpy_spread(printer->cx, e);
    return printer->name == NULL ? numpy_expr(printer->cx, e, true)
                                 : numpy_let(printer->cx, printer->name, e);
}

// Printed once to see the orders in which products want their matrices, then in these.
static StmtList numpy_lets(ArrayProgram *p, Numpy *np, const TermText *text)
{
    TermPrinter printer = {.print = print_numpy, .terms = p->t, .cx = np};
    np->orders = table_new(p->arena);
    np->printer = &printer;
    (void)term_lets(&printer, text->lets);
    for (size_t i = 0; i < text->roots.len; i++)
        (void)numpy_expr(np, text->roots.at[i], true);
    StmtList lets = term_lets(&printer, text->lets);
    np->printer = NULL;
    return lets;
}

static const Stmt *numpy_function(ArrayProgram *p, Numpy *np, const ArrayAnswers *f)
{
    ArrayStmts body = {0};
    bool grads = f->grads != GRADS_NONE, pattern = f->grads == GRADS_ALL;
    ExprList all = loop_merge(p->t, term_join(p->t, p->checks, wanted_roots(p, f)));
    all = nest_states_in_place(p->t, all);
    TermText text = term_text(p->t, all, array_taken_names(p));
    if (!array_enter(p, &body, np)) {
        diag_help(diag_report(p->diags, p->function->at, DIAG_ARRAY_FORM,
                              "the size `%s` cannot be computed from the shapes of the arguments",
                              p->missing), "add a parameter `%s: int`", p->missing);
        return NULL;
    }
    if (!is_writable(p, &text))
        return NULL;
    StmtList lets = numpy_lets(p, np, &text);
    for (size_t i = 0; i < lets.len; i++)
        vec_push(p->arena, &body, lets.at[i]);
    ExprList made = text.roots, results = term_drop(made, p->checks.len);
    add_checks(p, &body, np, (ExprList){made.at, p->checks.len});
    const Expr **values = ARENA_ARRAY(p->arena, const Expr *, results.len + 1);
    const Expr **tys = ARENA_ARRAY(p->arena, const Expr *, results.len + 1);
    for (size_t i = 0; i < results.len; i++) {
        values[i] = answered(p, np, results.at[i]);
        tys[i] = array_python_ty(p, results.at[i]);
    }
    size_t head = grads && f->value;
    ExprList tail = {values + head, results.len - head}, tail_ty = {tys + head, results.len - head};
    if (grads && p->sparse) {
        tail = array_entries(p, np, tail, pattern);
        tail_ty = array_entries_ty(p, pattern);
    }
    const Expr *answer = array_tuple(p, tail);
    const Expr *ty = array_tuple_ty(p, tail_ty);
    if (head) {
        answer = array_tuple(p, term_list(p->t, values[0], answer));
        ty = array_tuple_ty(p, term_list(p->t, tys[0], ty));
    }
    vec_push(p->arena, &body, stmt_return(p->arena, NOWHERE, answer));
    const Expr **quiet = ARENA_NEW(p->arena, const Expr *);
    *quiet = parsed(p, "np.errstate(all='ignore')\n").at[0]->expr.value;
    return array_def(p, f->suffix, array_python_args(p), (StmtList){body.at, body.len},
                         (ExprList){quiet, 1}, ty);
}

const Unit *array_program_numpy(ArrayProgram *p)
{
    Numpy np = {.t = p->t, .guarded = p->staged.guarded};
    ArrayStmts all = {0}, functions = {0};
    for (size_t i = 0; i < ARRAY_ANSWERS; i++) {
        ArrayAnswers f = array_answers(p, i);
        const Stmt *made = f.suffix != NULL ? numpy_function(p, &np, &f) : NULL;
        if (made != NULL)
            vec_push(p->arena, &functions, made);
    }
    array_add_text(p, &all, "import numpy as np\n");
    for (unsigned i = 0; numpy_helper_text(i) != NULL; i++)
        if (np.helpers >> i & 1)
            array_add_text(p, &all, numpy_helper_text(i));
    for (size_t i = 0; i < functions.len; i++)
        vec_push(p->arena, &all, functions.at[i]);
    return unit_module(p->arena, (StmtList){all.at, all.len});
}
