// flat.c - the pass: from the function that is asked for to all that it reaches.

#include <stdarg.h>

#include "compiler/base/qualified.h"
#include "compiler/base/suggest.h"
#include "compiler/emit/python.h"
#include "compiler/pass/ad/flat_closure.h"

// ---- reports ----

static Diag *report(Fun *f, Span at, DiagId id, const char *format, va_list args)
{
    Diag *d = diag_report(f->flat->ad.diags, at, id, "%s",
                          arena_vformat(f->flat->ad.arena, format, args));
    diag_within(d, f->def->at);
    return d;
}

Diag *flat_refuse(Fun *f, Span at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Diag *d = report(f, at, DIAG_GRAD_CONSTRUCT, format, args);
    va_end(args);
    return d;
}

Diag *flat_refuse_type(Fun *f, Span at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Diag *d = report(f, at, DIAG_GRAD_TYPE, format, args);
    va_end(args);
    return d;
}

void flat_check_type(Fun *f, Span at, const Ty *t)
{
    bool told = diags_error_count(f->flat->ad.diags) > f->errors;
    if (told || ad_has_twin(&f->flat->ad, t))
        return;
    Diag *d = flat_refuse_type(f, at, "values of type `%s` cannot be differentiated yet",
                               flat_ty_text(f, t));
    diag_help(d, "use lists, or dataclasses without base classes, properties and special methods");
}

const char *flat_ty_text(Fun *f, const Ty *t)
{
    Buf b = buf_new(f->flat->ad.arena);
    if (t == NULL)
        return "object";
    emit_ty(&b, t);
    return buf_text(&b);
}

// ---- the program ----

static void add_import(Flat *flat, const Stmt *s)
{
    Names *names = flat->ad.names;
    if (s->kind == STMT_IMPORT)
        for (size_t i = 0; i < s->import.names.len; i++) {
            const Alias *a = s->import.names.at[i];
            table_set(flat->imports, a->asname ? a->asname : a->name, (void *)a->name);
        }
    if (s->kind == STMT_IMPORT_FROM && s->import_from.module != NULL)
        for (size_t i = 0; i < s->import_from.names.len; i++) {
            const Alias *a = s->import_from.names.at[i];
            table_set(flat->imports, a->asname ? a->asname : a->name,
                      (void *)names_format(names, "%s.%s", s->import_from.module, a->name));
        }
}

static bool is_constant(const Expr *e)
{
    return ad_is_atom(e) && (e->kind != EXPR_NAME);
}

// `square = lambda v: v * v` is a function.
static void add_lambda(Flat *flat, Sym name, const Expr *e)
{
    Arena *a = flat->ad.arena;
    const Stmt **body = ARENA_NEW(a, const Stmt *);
    const Ty *result = e->lambda.body->ty;
    *body = stmt_return(a, e->lambda.body->at, e->lambda.body);
    const Expr *returns = ad_typed(&flat->ad, ad_annotation(&flat->ad, e->at, result), result);
    table_set(flat->functions, name,
              (void *)stmt_function_def(a, e->at, name, e->lambda.args, (StmtList){body, 1},
                                        (ExprList){0}, returns, (TypeParamList){0}));
}

static void add_global(Flat *flat, const Expr *target, const Expr *value)
{
    if (target->kind == EXPR_NAME && value != NULL && value->kind == EXPR_LAMBDA)
        add_lambda(flat, target->name.id, value);
    if (target->kind == EXPR_NAME && value != NULL && is_constant(value))
        table_set(flat->globals, target->name.id, (void *)value);
}

static void add_class(Flat *flat, const Stmt *s)
{
    table_set(flat->ad.classes, s->class_def.name, (void *)s);
    vec_push(flat->ad.arena, &flat->classes, s);
}

static void add_stmt(Flat *flat, const Stmt *s)
{
    if (s->kind == STMT_FUNCTION_DEF)
        table_set(flat->functions, s->function_def.name, (void *)s);
    else if (s->kind == STMT_CLASS_DEF)
        add_class(flat, s);
    else if (s->kind == STMT_ASSIGN)
        add_global(flat, s->assign.targets.at[0], s->assign.value);
    else if (s->kind == STMT_ANN_ASSIGN)
        add_global(flat, s->ann_assign.target, s->ann_assign.value);
    else
        add_import(flat, s);
}

static void read_program(Flat *flat, EndpointList modules)
{
    for (size_t m = 0; m < modules.len; m++)
        for (size_t i = 0; i < modules.at[m]->body.len; i++)
            add_stmt(flat, modules.at[m]->body.at[i]);
}

// ---- which function ----

static bool is_choreography(const PassCx *cx, Sym name)
{
    StmtList body = pass_before(cx, PASS_PROJECT)->module.body;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_CHOREO && s->choreo.def->kind == STMT_FUNCTION_DEF
            && s->choreo.def->function_def.name == name)
            return true;
    }
    return false;
}

static void report_missing(PassCx *cx, const Flat *flat, Sym name, EndpointList modules)
{
    Vec(const char *) known = {0};
    for (size_t i = 0; modules.len > 0 && i < modules.at[0]->body.len; i++)
        if (modules.at[0]->body.at[i]->kind == STMT_FUNCTION_DEF)
            vec_push(flat->ad.arena, &known,
                     unqualified(modules.at[0]->body.at[i]->function_def.name));
    if (is_choreography(cx, name)) {
        Diag *d = diag_report(cx->diags, cx->grad->at, DIAG_GRAD_CHOREOGRAPHY,
                              "`%s` is a choreography", name);
        diag_help(d, "differentiate the local functions that the choreography calls");
        return;
    }
    Diag *d = diag_report(cx->diags, cx->grad->at, DIAG_GRAD_INPUT,
                          "the file has no function `%s`", name);
    const char *near = suggest_nearest(name, known.at, known.len);
    if (near != NULL)
        diag_help(d, "did you mean `%s`?", near);
}

// ---- its parameters ----

static bool is_wanted(const GradRequest *r, Sym name)
{
    for (size_t i = 0; i < r->wrt.len; i++)
        if (r->wrt.at[i] == name)
            return true;
    return r->wrt.len == 0;
}

static void check_wanted(PassCx *cx, Flat *flat, const Stmt *def)
{
    const GradRequest *r = cx->grad;
    const ArgList args = def->function_def.args->args;
    for (size_t w = 0; w < r->wrt.len; w++) {
        size_t i = 0;
        while (i < args.len && args.at[i]->arg != r->wrt.at[w])
            i++;
        if (i == args.len)
            diag_report(cx->diags, def->at, DIAG_GRAD_INPUT, "`%s` has no parameter `%s`",
                        def->function_def.name, r->wrt.at[w]);
        else if (!ad_holds_float(&flat->ad, args.at[i]->ty))
            diag_help(diag_report(cx->diags, args.at[i]->at, DIAG_GRAD_INPUT,
                                  "`%s` contains no float; only floats have derivatives",
                                  r->wrt.at[w]), "declare the parameter as `float`");
    }
}

// What is one object in two arguments must have one tangent, so that no list or object is without.
static void check_tangent(PassCx *cx, Flat *flat, const Stmt *def)
{
    const ArgList args = def->function_def.args->args;
    for (size_t i = 0; i < args.len; i++)
        if (ad_is_reference(&flat->ad, args.at[i]->ty) && !is_wanted(cx->grad, args.at[i]->arg))
            diag_help(diag_report(cx->diags, args.at[i]->at, DIAG_GRAD_TYPE,
                                  "`%s` is a list or object of floats, so it needs a tangent in "
                                  "this mode", args.at[i]->arg), "add the parameter to `--wrt`");
}

typedef struct Inner { const Flat *flat; Table *seen; bool found; } Inner;

static bool find_inner(void *cx, const Ty *t)
{
    Inner *in = cx;
    if (t->kind == TY_CALLABLE)
        in->found = true;
    if (t->kind != TY_NAMED || table_get(in->seen, t->named.name) != NULL)
        return true;
    table_set(in->seen, t->named.name, in);
    in->found = in->found || table_get(in->flat->records, t->named.name) != NULL
                || table_get(in->flat->ref_classes, t->named.name) != NULL;
    const Stmt *def = table_get(in->flat->ad.classes, t->named.name);
    IrWalker w = {.cx = in, .ty = find_inner};
    for (size_t i = 0; def != NULL && i < def->class_def.body.len; i++)
        if (def->class_def.body.at[i]->kind == STMT_ANN_ASSIGN
            && def->class_def.body.at[i]->ann_assign.target->ty != NULL)
            ir_walk_ty(&w, def->class_def.body.at[i]->ann_assign.target->ty);
    return true;
}

static bool holds_inner(PassCx *cx, Flat *flat, const Ty *ty)
{
    Inner in = {.flat = flat, .seen = table_new(cx->arena)};
    IrWalker w = {.cx = &in, .ty = find_inner};
    if (ty != NULL)
        ir_walk_ty(&w, ty);
    return in.found;
}

// What is answered as a whole.
static void check_answer(PassCx *cx, Flat *flat, const Stmt *def)
{
    const Ty *ty = def->function_def.returns->ty;
    if (!ad_holds_float(&flat->ad, ty))
        diag_report(cx->diags, def->at, DIAG_GRAD_TYPE,
                    "the result of `%s` contains no float, so it has no derivative",
                    def->function_def.name);
    else if (holds_inner(cx, flat, ty))
        diag_help(diag_report(cx->diags, def->at, DIAG_GRAD_TYPE,
                              "the result of `%s` is or contains a function or a `Ref`, which "
                              "the caller cannot use", def->function_def.name),
                  "return a value that is computed from it");
}

// Which functions there are is known of the program alone.
static void check_inputs(PassCx *cx, Flat *flat, const Stmt *def)
{
    const ArgList args = def->function_def.args->args;
    for (size_t i = 0; i < args.len; i++) {
        if (holds_inner(cx, flat, args.at[i]->ty))
            diag_help(diag_report(cx->diags, args.at[i]->at, DIAG_GRAD_TYPE,
                                  "`%s` is or contains a function or a `Ref`, which a caller "
                                  "cannot pass",
                                  args.at[i]->arg),
                      "differentiate a function that creates it");
    }
}

static void check_request(PassCx *cx, Flat *flat, const Stmt *def)
{
    bool any = false;
    const ArgList args = def->function_def.args->args;
    if (def->function_def.args->vararg != NULL || def->function_def.args->kwarg != NULL) {
        diag_help(diag_report(cx->diags, def->at, DIAG_GRAD_CONSTRUCT,
                              "a function with `*args` or `**kwargs` cannot be differentiated"),
                  "use a parameter that is a list");
        return;
    }
    check_inputs(cx, flat, def);
    for (size_t i = 0; i < args.len; i++)
        any = any || (is_wanted(cx->grad, args.at[i]->arg)
                      && ad_holds_float(&flat->ad, args.at[i]->ty));
    check_wanted(cx, flat, def);
    if (!any && cx->grad->wrt.len == 0)
        diag_help(diag_report(cx->diags, def->at, DIAG_GRAD_INPUT,
                              "no parameter of `%s` contains a float; only floats have derivatives",
                              def->function_def.name), "declare a parameter as `float`");
    if (cx->grad->mode == GRAD_TANGENT)
        check_tangent(cx, flat, def);
    if (cx->grad->mode == GRAD_TANGENT || cx->grad->split)
        check_answer(cx, flat, def);
    if (cx->grad->mode == GRAD_REVERSE && !cx->grad->split
        && !ad_is_float(def->function_def.returns->ty))
        diag_help(diag_report(cx->diags, def->at, DIAG_GRAD_TYPE,
                              "the result of `%s` is not a `float`, so it has no gradient",
                              def->function_def.name),
                  "return one `float`%s",
                  ad_holds_float(&flat->ad, def->function_def.returns->ty)
                  ? ", or use `--mode=tangent`, which supports other results" : "");
}

// ---- loops within loops ----

enum { LOOPS_MAX = 20 };        // what CPython's parser takes

static void check_loops(PassCx *cx, StmtList body, int depth)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        bool is_for = s->kind == STMT_FOR, loop = is_for || s->kind == STMT_WHILE;
        if (loop && depth == LOOPS_MAX)
            diag_help(diag_report(cx->diags, s->at, DIAG_GRAD_CONSTRUCT,
                                  "Python supports at most %d nested loops",
                                  LOOPS_MAX), "move the inner loops to a separate function");
        else if (loop)
            check_loops(cx, is_for ? s->for_.body : s->while_.body, depth + 1);
        if (s->kind != STMT_IF)
            continue;
        check_loops(cx, s->if_.body, depth);
        check_loops(cx, s->if_.orelse, depth);
    }
}

// ---- the pass ----

static const Unit *made(Flat *flat)
{
    Arena *a = flat->ad.arena;
    AdBlock body = {0};
    for (size_t i = 0; i < flat->classes.len; i++)
        vec_push(a, &body, flat->classes.at[i]);
    for (size_t i = flat->done.len; i-- > 0;)
        vec_push(a, &body, flat->done.at[i]);
    const Endpoint **module = ARENA_NEW(a, const Endpoint *);
    *module = ad_module(a, names_get(flat->ad.names, "grad"), ad_stmts(&body));
    return unit_endpoints(a, (EndpointList){0}, (EndpointList){module, 1}, (SiteList){0});
}

// `np.ndarray`, `NDArray[np.float64]`: an array, but not of which shape.
static bool is_shapeless_array(const Arg *arg)
{
    const Expr *e = arg->annotation;
    if (e != NULL && e->kind == EXPR_SUBSCRIPT)
        e = e->subscript.value;
    Sym name = e == NULL ? NULL : e->kind == EXPR_NAME ? e->name.id
               : e->kind == EXPR_ATTRIBUTE ? e->attribute.attr : NULL;
    bool unknown = arg->ty == NULL || arg->ty->kind == TY_ANY || arg->ty->kind == TY_POISON;
    return unknown && name != NULL &&
           (strcmp(unqualified(name), "ndarray") == 0 || strcmp(unqualified(name), "NDArray") == 0);
}

static void check_arrays(PassCx *cx, const Stmt *def)
{
    const ArgList args = def->function_def.args->args;
    for (size_t i = 0; i < args.len; i++) {
        if (!is_shapeless_array(args.at[i]))
            continue;
        Diag *d = diag_report(cx->diags, args.at[i]->at, DIAG_GRAD_TYPE,
                              "the annotation of the array `%s` does not state its shape",
                              args.at[i]->arg);
        diag_help(d, "write `%s: Float[Array, \"n\"]`, or `\"n k\"` for a matrix; import `Array` "
                     "and `Float` from `pychoral.ad`", args.at[i]->arg);
    }
}

const Unit *flat_unit(PassCx *cx, const Unit *unit)
{
    Arena *a = cx->arena;
    Flat flat = {.functions = table_new(a), .imports = table_new(a), .globals = table_new(a),
                 .values = table_new(a), .helpers = table_new(a), .tys = table_new(a),
                 .reached = table_new(a), .records = table_new(a), .as_records = table_new(a),
                 .variants = table_new(a), .refs = table_new(a), .ref_classes = table_new(a)};
    ad_open(&flat.ad, a, cx->names, cx->diags);
    if (cx->grad == NULL || diags_error_count(cx->diags) > 0)
        return unit;
    read_program(&flat, flat_methods(&flat.ad, unit->endpoints.modules));
    const Stmt *root = table_get(flat.functions, cx->grad->function);
    if (root == NULL) {
        report_missing(cx, &flat, cx->grad->function, unit->endpoints.modules);
        return unit;
    }
    flat.root = root;
    flat_first_order(&flat);
    flat_type_classes(&flat);
    root = flat.root;
    if (diags_error_count(cx->diags) == 0)
        check_arrays(cx, root);
    if (diags_error_count(cx->diags) > 0)
        return unit;
    table_set(flat.reached, root, cx);
    vec_push(a, &flat.todo, root);
    for (size_t i = 0; i < flat.todo.len; i++)
        (void)flat_make(&flat, flat.todo.at[i]->function_def.name);
    if (diags_error_count(cx->diags) > 0 && flat.done.len == 0)
        return unit;
    check_request(cx, &flat, flat.done.at[0]);
    for (size_t i = 0; i < flat.done.len && !cx->grad->c; i++)
        check_loops(cx, flat.done.at[i]->function_def.body, 0);
    return made(&flat);
}
