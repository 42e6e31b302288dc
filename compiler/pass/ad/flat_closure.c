// flat_closure.c - what a function has inside, as functions of the program: a lambda or local
// function is a record of what it captures, and a captured variable that is assigned again is a
// Ref, which all share that capture it. The types of both are left to flat_shape.c.

#include "compiler/ir/free_names.h"
#include "compiler/pass/ad/flat_closure.h"

typedef struct Convert {
    Flat      *flat;
    const Ad  *ad;
    const Stmt *def;
    FlatNames  names;
} Convert;

static const Ty *named_ty(const Ad *ad, Sym name, const Ty *arg)
{
    const Ty **args = ARENA_NEW(ad->arena, const Ty *);
    *args = arg;
    return ty_named(ad->arena, name, (TyList){args, arg != NULL});
}

const FlatRecord *flat_record(const Flat *flat, Sym class_)
{
    return table_get(flat->records, class_);
}

// ---- names of the program ----

Sym flat_free_name(const Flat *flat, const char *base)
{
    Names *names = flat->ad.names;
    Sym name = names_get(names, base);
    for (int n = 2; table_get(flat->functions, name) || table_get(flat->imports, name)
                    || table_get(flat->globals, name) || table_get(flat->ad.classes, name)
                    || table_get(flat->variants, name) || table_get(flat->records, name); n++)
        name = names_format(names, "%s_%d", base, n);
    return name;
}

void flat_add_function(Flat *flat, Span at, Sym name, const FlatFields *params, ExprList defaults,
                       StmtList body, const Ty *result)
{
    const Ad *ad = &flat->ad;
    const Expr *returns = ad_typed(ad, ad_annotation(ad, at, result), result);
    const Arguments *args = arguments_new(ad->arena, (ArgList){0},
                                          (ArgList){params->at, params->len}, NULL, (ArgList){0},
                                          (ExprList){0}, NULL, defaults);
    table_set(flat->functions, name,
              (void *)stmt_function_def(ad->arena, at, name, args, body, (ExprList){0}, returns,
                                        (TypeParamList){0}));
}

const Arg *flat_arg(const Ad *ad, Span at, Sym name, const Ty *ty)
{
    return arg_with_ty(ad->arena, arg_new(ad->arena, at, name, NULL), ty);
}

// ---- records ----

// A class of fields alone. Its mark is printed as that of any class; that of a record of a function
// has the type `function`, which messages name (kernel/k_type.c).
void flat_add_class(Flat *flat, Span at, Sym name, const FlatFields *fields)
{
    const Ad *ad = &flat->ad;
    AdBlock body = {0};
    for (size_t i = 0; i < fields->len; i++) {
        const Ty *ty = fields->at[i]->ty;
        const Expr *target = ad_typed(ad, expr_name(ad->arena, at, fields->at[i]->arg,
                                                    EXPR_CONTEXT_STORE), ty);
        vec_push(ad->arena, &body, stmt_ann_assign(ad->arena, at, target,
                                                   ad_annotation(ad, at, ty), NULL, 1));
    }
    if (body.len == 0)
        vec_push(ad->arena, &body, stmt_pass(ad->arena, at));
    const Ty *of = flat_record(flat, name) == NULL ? NULL
                   : ty_named(ad->arena, names_get(ad->names, "function"), (TyList){0});
    const Expr *made = ad_name(ad, at, names_get(ad->names, "dataclass"), of);
    const Stmt *def = stmt_class_def(ad->arena, at, name, (ExprList){0}, (KeywordList){0},
                                     ad_stmts(&body), ad_exprs(ad, 1, &made), (TypeParamList){0});
    table_set(flat->ad.classes, name, (void *)def);
    vec_push(ad->arena, &flat->classes, def);
}

FlatRecord *flat_new_record(Flat *flat, Sym function, bool self)
{
    FlatRecord *r = ARENA_NEW(flat->ad.arena, FlatRecord);
    *r = (FlatRecord){.function = function, .self = self, .number = flat->record_count++,
                      .class_ = flat_free_name(flat, names_format(flat->ad.names, "%s_closure",
                                                             function))};
    table_set(flat->records, r->class_, r);
    return r;
}

static const Expr *made(const Ad *ad, Span at, const FlatRecord *r, const AdExprs *values,
                        const Ty *ty)
{
    const Expr *class_ = ad_name(ad, at, r->class_, NULL);
    return ad_call(ad, class_, ty, values->len, values->at);
}

// ---- functions of the program as values ----

static void add_params(const Ad *ad, FlatRecord *r, const Arguments *args, FlatFields *all)
{
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < lists[l].len; i++) {
            vec_push(ad->arena, &r->params, lists[l].at[i]->arg);
            vec_push(ad->arena, all, lists[l].at[i]);
        }
}

static const Expr *record_of_function(Convert *c, const Expr *e, Sym name)
{
    const Stmt *def = table_get(c->flat->functions, name);
    FlatRecord *r = table_get(c->flat->as_records, name);
    FlatFields params = {0}, none = {0};
    if (r == NULL) {
        r = flat_new_record(c->flat, name, false);
        add_params(c->ad, r, def->function_def.args, &params);
        flat_add_class(c->flat, e->at, r->class_, &none);
        table_set(c->flat->as_records, name, r);
    }
    return made(c->ad, e->at, r, &(AdExprs){0}, e->ty);
}

// What a primitive is given as a value, and what it answers: `abs` keeps the type in a call, as a
// value it is of floats.
static const Ty *number_ty(const Ad *ad, const Ty *ty, const char *path)
{
    return ad_is_float(ty) || ad_is_discrete(ty) ? ty
           : strcmp(path, "abs") == 0 ? ad->float_ : ty_any(ad->arena);
}

// Whether it is known how many arguments a primitive as a value is given, and whether of lists.
static bool has_known_parameters(TyList params, const char *path)
{
    static const char *const of_lists[] = {"max", "min", "sum", "math.prod", "math.dist",
                                           "math.sumprod", NULL};
    bool is_of_items = params.len > 1 && (strcmp(path, "max") == 0 || strcmp(path, "min") == 0);
    return params.len > 0 && (is_of_items || !sym_is_one_of(path, of_lists)
                              || ad_list_element(params.at[0]) != NULL);
}

// `math.sin` is a function that calls it.
static const Expr *record_of_primitive(Convert *c, const Expr *e, const char *path)
{
    const Ad *ad = c->ad;
    if (!has_known_parameters(e->ty->callable.params, path)) {
        diag_help(diag_report(ad->diags, e->at, DIAG_GRAD_CONSTRUCT,
                              "`%s` as a value cannot be differentiated here, because the types of "
                              "its arguments are not known", path),
                  "write a lambda that calls the function");
        return ad_float(ad, e->at, 0.0);
    }
    const char *dot = strrchr(path, '.');
    Sym key = names_format(ad->names, "%s/%zu", path, e->ty->callable.params.len);
    Sym name = table_get(c->flat->as_records, key);
    FlatFields params = {0};
    AdExprs given = {0};
    if (name == NULL) {
        name = flat_free_name(c->flat, names_format(ad->names, "call_%s", dot ? dot + 1 : path));
        for (size_t i = 0; i < e->ty->callable.params.len; i++) {
            const Ty *ty = e->ty->callable.params.at[i];
            Sym param = names_format(ad->names, "a%zu", i + 1);
            ty = number_ty(ad, ad_is(ty, "bool") ? NULL : ty, path);
            vec_push(ad->arena, &params, flat_arg(ad, e->at, param, ty));
            vec_push(ad->arena, &given, ad_name(ad, e->at, param, ty));
        }
        const Ty *result = number_ty(ad, e->ty->callable.result, path);
        const Expr *call = ad_call(ad, ad_typed(ad, e, e->ty), result, given.len, given.at);
        const Stmt **body = ARENA_NEW(ad->arena, const Stmt *);
        *body = stmt_return(ad->arena, e->at, call);
        flat_add_function(c->flat, e->at, name, &params, (ExprList){0}, (StmtList){body, 1},
                          result);
        table_set(c->flat->as_records, key, (void *)name);
    }
    return record_of_function(c, e, name);
}

static const char *primitive_path(const Convert *c, const Expr *e)
{
    static const char *const BUILTINS[] = {"abs", "max", "min", "pow", "round", "int", "float",
                                           "sum", NULL};
    const Flat *flat = c->flat;
    const Expr *base = e->kind == EXPR_ATTRIBUTE ? e->attribute.value : e;
    if (base->kind != EXPR_NAME || table_get(c->names.of, base) != NULL)
        return NULL;
    const char *path = table_get(flat->imports, base->name.id);
    if (e->kind == EXPR_ATTRIBUTE)
        return path != NULL && sym_is(path, "math")
                   ? names_format(c->ad->names, "math.%s", e->attribute.attr) : NULL;
    if (path != NULL)
        return strncmp(path, "math.", 5) == 0 ? path : NULL;
    return sym_is_one_of(base->name.id, BUILTINS) ? base->name.id : NULL;
}

// ---- names ----

static const Expr *of_cell(const Convert *c, const FlatVar *v, const Expr *e)
{
    Arena *a = c->ad->arena;
    const Ty *ref = named_ty(c->ad, names_get(c->ad->names, REF_TYPE), v->ty);
    const Expr *cell = ad_name(c->ad, e->at, v->cell, ref);
    return ad_typed(c->ad, expr_attribute(a, e->at, cell, names_get(c->ad->names, "value"),
                                          e->name.ctx), e->ty);
}

static const Expr *new_name(Convert *c, const Expr *e)
{
    FlatVar *v = table_get(c->names.of, e);
    if (v != NULL) {
        v->touched = true;
        if (v->cell != NULL)
            return of_cell(c, v, e);
        return v->name == e->name.id ? e
               : ad_typed(c->ad, expr_name(c->ad->arena, e->at, v->name, e->name.ctx), e->ty);
    }
    bool value = e->name.ctx == EXPR_CONTEXT_LOAD && table_get(c->names.callees, e) == NULL;
    bool function = value && table_get(c->flat->functions, e->name.id) != NULL;
    return function ? record_of_function(c, e, e->name.id) : e;
}

static const Arg *new_arg(IrMapper *m, const Arg *arg)
{
    const Convert *c = m->cx;
    const FlatVar *v = table_get(c->names.of, arg);
    return v == NULL || v->name == arg->arg
               ? arg : arg_with_ty(m->arena, arg_new(m->arena, arg->at, v->name, arg->annotation),
                                   arg->ty);
}

// ---- functions inside ----

typedef struct Inside {
    Span       at;
    const char *name;
    const Arguments *args;      // with new names
    const Arguments *old;       // NULL: the same
    StmtList   body;
    const Ty  *ty;
    const FlatVar *itself;      // what a local function is called; NULL: a lambda
} Inside;

static bool is_constant(const Expr *e) { return ad_is_atom(e) && e->kind != EXPR_NAME; }

// Defaults that are not constants are computed where the function is, and kept in the record.
static ExprList take_defaults(Convert *c, const Inside *in, FlatRecord *r, const FlatFields *params,
                              FlatFields *fields, AdExprs *values)
{
    ExprList all = in->args->defaults, none = {0};
    bool constant = true;
    for (size_t i = 0; i < all.len; i++)
        constant = constant && is_constant(all.at[i]);
    for (size_t i = 0; i < in->args->kw_defaults.len; i++)
        constant = constant && in->args->kw_defaults.at[i] == NULL;
    if (constant)
        return all;
    if (in->args->kwonlyargs.len > 0)
        diag_help(diag_report(c->ad->diags, in->at, DIAG_GRAD_CONSTRUCT,
                              "a nested function with keyword-only parameters and a default "
                              "that is not a constant cannot be differentiated"),
                  "remove the `*` from the parameters");
    for (size_t i = 0; i < all.len && i < params->len; i++) {
        const Arg *arg = params->at[params->len - all.len + i];
        vec_push(c->ad->arena, &r->defaults, arg->arg);
        vec_push(c->ad->arena, fields, arg);
        vec_push(c->ad->arena, values, all.at[i]);
    }
    return none;
}

// What is read of the functions around: fields, which the body names first.
static void take_captured(Convert *c, const Inside *in, const Expr *closure, FlatFields *fields,
                          AdExprs *values, AdBlock *body)
{
    const Ad *ad = c->ad;
    const Arguments *args = arguments_new(ad->arena, in->args->posonlyargs, in->args->args, NULL,
                                          in->args->kwonlyargs, (ExprList){0}, NULL,
                                          (ExprList){0});
    const Stmt *def = stmt_function_def(ad->arena, in->at, closure->name.id, args, in->body,
                                        (ExprList){0}, NULL, (TypeParamList){0});
    SymList free = names_free(ad->arena, ad->names, (StmtList){&def, 1});
    for (size_t i = 0; i < free.len; i++) {
        FlatVar *v = table_get(c->names.unique, free.at[i]);
        if (v == NULL)
            continue;
        const Ty *ty = v->ty != NULL ? v->ty : ty_any(ad->arena);
        v->touched = true;
        if (v == in->itself && v->cell == NULL) {
            vec_push(ad->arena, body, ad_store(ad, ad_name(ad, in->at, v->name, ty), closure));
            continue;
        }
        if (v->cell != NULL)
            ty = named_ty(ad, names_get(ad->names, REF_TYPE), ty);
        vec_push(ad->arena, fields, flat_arg(ad, in->at, free.at[i], ty));
        vec_push(ad->arena, values, ad_name(ad, in->at, free.at[i], ty));
        vec_push(ad->arena, body, ad_assign(ad, free.at[i],
                                            ad_attribute(ad, closure, free.at[i], ty)));
    }
}

static const Expr *record_of_inside(Convert *c, const Inside *in)
{
    const Ad *ad = c->ad;
    if (in->args->vararg != NULL || in->args->kwarg != NULL)
        diag_help(diag_report(ad->diags, in->at, DIAG_GRAD_CONSTRUCT,
                              "a function with `*args` or `**kwargs` cannot be differentiated"),
                  "use a parameter that is a list");
    Sym function = flat_free_name(c->flat, names_format(ad->names, "%s_%s",
                                                   c->def->function_def.name, in->name));
    FlatRecord *r = flat_new_record(c->flat, function, true);
    FlatFields params = {0}, all = {0}, fields = {0};
    AdExprs values = {0};
    AdBlock body = {0};
    const Ty *self = named_ty(ad, r->class_, NULL);
    const Expr *closure = ad_name(ad, in->at, ad_fresh(ad, c->names.taken, "closure"), self);
    vec_push(ad->arena, &all, flat_arg(ad, in->at, closure->name.id, self));
    add_params(ad, &(FlatRecord){0}, in->args, &params);
    for (size_t i = 0; i < params.len; i++)
        vec_push(ad->arena, &all, params.at[i]);
    add_params(ad, r, in->old, &(FlatFields){0});
    take_captured(c, in, closure, &fields, &values, &body);
    ExprList defaults = take_defaults(c, in, r, &params, &fields, &values);
    for (size_t i = 0; i < in->body.len; i++)
        vec_push(ad->arena, &body, in->body.at[i]);
    flat_add_class(c->flat, in->at, r->class_, &fields);
    flat_add_function(c->flat, in->at, function, &all, defaults, ad_stmts(&body),
                      in->ty->callable.result);
    return made(ad, in->at, r, &values, in->ty);
}

static const Expr *record_of_lambda(Convert *c, const Expr *e)
{
    const Ad *ad = c->ad;
    const Expr *value = e->lambda.body;
    if (e->ty == NULL || e->ty->kind != TY_CALLABLE) {      // it is never reached
        diag_help(diag_report(ad->diags, e->at, DIAG_GRAD_TYPE,
                              "the type of this function is not known"), "annotate the function");
        return ad_float(ad, e->at, 0.0);
    }
    const Ty *result = value->ty != NULL ? value->ty : ty_any(ad->arena);
    if (ad_is_float(e->ty->callable.result))
        result = e->ty->callable.result;
    const Stmt **body = ARENA_NEW(ad->arena, const Stmt *);
    *body = stmt_return(ad->arena, value->at, value);
    const Ty *ty = ty_callable(ad->arena, e->ty->callable.params, result);
    const Expr *record = record_of_inside(c, &(Inside){
        .at = e->at, .name = "lambda", .args = e->lambda.args, .old = e->lambda.args,
        .body = {body, 1}, .ty = ty});
    return ad_typed(ad, record, e->ty);
}

static const Expr *new_expr(IrMapper *m, const Expr *e)
{
    Convert *c = m->cx;
    if (e->kind == EXPR_NAME) {
        const Expr *made_name = new_name(c, e);
        if (made_name != e)
            return made_name;
    }
    if (e->kind == EXPR_LAMBDA)
        return record_of_lambda(c, e);
    Sym word = e->kind == EXPR_CALL && table_get(c->names.of, e->call.func) == NULL
                   ? flat_derivative_word(c->flat, e->call.func) : NULL;
    if (word != NULL)
        return flat_derivative(c->flat, e, word);
    bool value = table_get(c->names.callees, e) == NULL && e->ty != NULL
                 && e->ty->kind == TY_CALLABLE;
    const char *path = value ? primitive_path(c, e) : NULL;
    return path != NULL ? record_of_primitive(c, e, path) : e;
}

static IrMapper mapper(Convert *c)
{
    return (IrMapper){.arena = c->ad->arena, .cx = c, .expr = new_expr, .arg = new_arg};
}

static const Expr *renewed(Convert *c, const Expr *e)
{
    IrMapper m = mapper(c);
    return e == NULL ? NULL : ir_map_expr(&m, e);
}

// ---- statements ----

static void put_block(Convert *c, StmtList body, bool top, AdBlock *out);

static StmtList new_block(Convert *c, StmtList body)
{
    AdBlock out = {0};
    put_block(c, body, false, &out);
    return ad_stmts(&out);
}

static const Expr *new_ref(Convert *c, const FlatVar *v, const Expr *value)
{
    const Ad *ad = c->ad;
    const Ty *ty = named_ty(ad, names_get(ad->names, REF_TYPE), v->ty);
    const Expr *class_ = ad_name(ad, value->at, names_get(ad->names, REF_TYPE), NULL);
    return ad_call(ad, class_, ty, 1, &value);
}

// What a Ref holds before the variable is assigned.
static const Expr *nothing(Convert *c, const FlatVar *v, Span at)
{
    const Ad *ad = c->ad;
    if (ad_is_float(v->ty))
        return ad_float(ad, at, 0.0);
    if (ad_is(v->ty, "int") || ad_is(v->ty, "bool"))
        return ad_is(v->ty, "int") ? ad_int(ad, at, 0) : ad_bool(ad, at, false);
    if (ad_is(v->ty, "str"))
        return ad_typed(ad, expr_constant(ad->arena, at, const_str(ad->arena, (Text){"", 0}), NULL),
                        v->ty);
    if (ad_list_element(v->ty) != NULL)
        return ad_typed(ad, expr_list(ad->arena, at, (ExprList){0}, EXPR_CONTEXT_LOAD), v->ty);
    return ad_none(ad, at);
}

// An object is None until then.
static const Ty *ty_in_ref(const Ad *ad, const FlatVar *v)
{
    const Ty *ty = v->ty;
    if (v->parameter || ad_is_float(ty) || ad_is_discrete(ty) || ad_list_element(ty) != NULL)
        return ty;
    const Ty **items = ARENA_ARRAY(ad->arena, const Ty *, 2);
    items[0] = ty;
    items[1] = ad->none;
    return ty_union(ad->arena, (TyList){items, 2});
}

// The Refs of a function: of its parameters, and of variables that are mentioned before they are
// assigned for the first time, or that are first assigned in a loop or an `if`.
static void put_refs(Convert *c, const Stmt *def, const FlatScope *scope, const AdBlock *body,
                     AdBlock *out)
{
    const Ad *ad = c->ad;
    for (size_t i = 0; i < scope->all.len; i++) {
        FlatVar *v = scope->all.at[i];
        if (v->cell == NULL || v->made)
            continue;
        const Expr *first = v->parameter ? ad_name(ad, def->at, v->name, v->ty)
                                         : nothing(c, v, def->at);
        vec_push(ad->arena, out, ad_assign(ad, v->cell, new_ref(c, v, first)));
    }
    for (size_t i = 0; i < body->len; i++)
        vec_push(ad->arena, out, body->at[i]);
}

static StmtList new_body(Convert *c, const Stmt *def)
{
    AdBlock body = {0}, whole = {0};
    const FlatScope *scope = table_get(c->names.scopes, def);
    for (size_t i = 0; i < scope->all.len; i++) {
        FlatVar *v = scope->all.at[i];
        if (v->captured && v->shared)
            v->cell = ad_fresh(c->ad, c->names.taken, names_format(c->ad->names, "%s_ref",
                                                                   v->name));
        v->ty = v->ty != NULL ? v->ty : ty_any(c->ad->arena);
        if (v->cell != NULL) {
            table_set(c->names.unique, v->cell, v);
            v->ty = ty_in_ref(c->ad, v);
        }
    }
    put_block(c, def->function_def.body, true, &body);
    put_refs(c, def, scope, &body, &whole);
    return ad_stmts(&whole);
}

static void put_definition(Convert *c, const Stmt *s, AdBlock *out)
{
    const Ad *ad = c->ad;
    IrMapper m = mapper(c);
    FlatVar *v = table_get(c->names.of, s);
    const Arguments *args = ir_map_arguments(&m, s->function_def.args);
    if (s->function_def.decorator_list.len > 0)
        diag_help(diag_report(ad->diags, s->at, DIAG_GRAD_CONSTRUCT,
                              "a function with a decorator cannot be differentiated"),
                  "remove the decorator");
    const Expr *value = record_of_inside(c, &(Inside){
        .at = s->at, .name = s->function_def.name, .args = args, .old = s->function_def.args,
        .body = new_body(c, s), .ty = flat_function_ty(ad, s), .itself = v});
    const Expr *target = ad_name(ad, s->at, v->name, v->ty);
    v->touched = true;
    if (v->cell != NULL)
        target = of_cell(c, v, target);
    vec_push(ad->arena, out, ad_store(ad, target, value));
}

static void put_assign(Convert *c, const Stmt *s, const Expr *target, const Expr *value, bool top,
                       AdBlock *out)
{
    const Ad *ad = c->ad;
    FlatVar *v = table_get(c->names.of, target);
    value = renewed(c, value);
    if (top && v != NULL && v->cell != NULL && !v->touched && !v->parameter) {
        v->made = true;
        vec_push(ad->arena, out, ad_assign(ad, v->cell, new_ref(c, v, value)));
        return;
    }
    target = renewed(c, target);
    vec_push(ad->arena, out, stmt_assign(ad->arena, s->at, ad_exprs(ad, 1, &target), value));
}

static void put_for(Convert *c, const Stmt *s, AdBlock *out)
{
    const Ad *ad = c->ad;
    const Expr *iter = renewed(c, s->for_.iter), *target = renewed(c, s->for_.target);
    AdBlock body = {0};
    if (target->kind != EXPR_NAME) {
        Sym item = ad_fresh(ad, c->names.taken, s->for_.target->name.id);
        const Expr *value = ad_name(ad, s->at, item, target->ty);
        vec_push(ad->arena, &body, ad_store(ad, target, value));
        target = ad_typed(ad, expr_name(ad->arena, s->at, item, EXPR_CONTEXT_STORE), target->ty);
    }
    put_block(c, s->for_.body, false, &body);
    vec_push(ad->arena, out, stmt_for(ad->arena, s->at, target, iter, ad_stmts(&body),
                                      new_block(c, s->for_.orelse)));
}

static void put_stmt(Convert *c, const Stmt *s, bool top, AdBlock *out)
{
    Arena *a = c->ad->arena;
    IrMapper m = mapper(c);
    if (s->kind == STMT_FUNCTION_DEF) {
        put_definition(c, s, out);
    } else if (s->kind == STMT_ASSIGN) {
        put_assign(c, s, s->assign.targets.at[0], s->assign.value, top, out);
    } else if (s->kind == STMT_ANN_ASSIGN) {
        if (s->ann_assign.value != NULL)
            put_assign(c, s, s->ann_assign.target, s->ann_assign.value, top, out);
    } else if (s->kind == STMT_FOR) {
        put_for(c, s, out);
    } else if (s->kind == STMT_WHILE) {
        const Expr *test = renewed(c, s->while_.test);
        vec_push(a, out, stmt_while(a, s->at, test, new_block(c, s->while_.body),
                                    new_block(c, s->while_.orelse)));
    } else if (s->kind == STMT_IF) {
        const Expr *test = renewed(c, s->if_.test);
        StmtList yes = new_block(c, s->if_.body);
        vec_push(a, out, stmt_if(a, s->at, test, yes, new_block(c, s->if_.orelse)));
    } else if (s->kind != STMT_NONLOCAL) {
        vec_push(a, out, ir_map_stmt(&m, s));
    }
}

static void put_block(Convert *c, StmtList body, bool top, AdBlock *out)
{
    for (size_t i = 0; i < body.len; i++)
        put_stmt(c, body.at[i], top, out);
}

// ---- functions ----

const Stmt *flat_closed(Flat *flat, const Stmt *def)
{
    Arena *a = flat->ad.arena;
    Convert c = {.flat = flat, .ad = &flat->ad, .def = def, .names = flat_resolve(flat, def)};
    IrMapper m = mapper(&c);
    StmtList body = c.names.closures ? new_body(&c, def)
                                     : ir_map_stmts(&m, def->function_def.body);
    return stmt_function_def(a, def->at, def->function_def.name, def->function_def.args, body,
                             def->function_def.decorator_list, def->function_def.returns,
                             def->function_def.type_params);
}
