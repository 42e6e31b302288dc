// flat_call.c - calls: of functions and classes of the program with their arguments in order, of
// primitives, and of builtins over lists, which become loops.

#include "compiler/pass/ad/flat_internal.h"

// ---- whom ----

const char *flat_primitive(const Fun *f, const Expr *func)
{
    static const char *const BUILTINS[] = {"abs", "max", "min", "pow", "round", "int", "float",
                                           NULL};
    const Flat *flat = f->flat;
    if (func->kind == EXPR_NAME && table_get(f->locals, func->name.id) == NULL) {
        const char *path = table_get(flat->imports, func->name.id);
        if (path != NULL)
            return strncmp(path, "math.", 5) == 0 ? path : NULL;
        bool own = table_get(flat->functions, func->name.id) != NULL;
        return !own && sym_is_one_of(func->name.id, BUILTINS) ? func->name.id : NULL;
    }
    if (func->kind != EXPR_ATTRIBUTE || func->attribute.value->kind != EXPR_NAME)
        return NULL;
    const char *path = table_get(flat->imports, func->attribute.value->name.id);
    bool math = path != NULL && sym_is(path, "math");
    return math ? names_format(flat->ad.names, "math.%s", func->attribute.attr) : NULL;
}

// ---- arguments ----

typedef struct Parameter {
    Sym name;
    const Expr *standard;
    const Ty *field;            // its type, of a class
    const Ty *ty;               // the same, of a function
} Parameter;
typedef Vec(Parameter) Parameters;

static bool takes_lists(const Arguments *args)
{
    return args->vararg != NULL || args->kwarg != NULL;
}

static Parameters parameters_of(Fun *f, const Stmt *def)
{
    Arena *a = f->flat->ad.arena;
    Parameters out = {0};
    const Arguments *args = def->function_def.args;
    const ArgList lists[] = {args->posonlyargs, args->args};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l].len; i++)
            vec_push(a, &out, ((Parameter){lists[l].at[i]->arg, NULL, NULL,
                                           flat_ty(f->flat, lists[l].at[i]->ty)}));
    for (size_t i = 0; i < args->defaults.len; i++)
        out.at[out.len - args->defaults.len + i].standard = args->defaults.at[i];
    for (size_t i = 0; i < args->kwonlyargs.len; i++)
        vec_push(a, &out, ((Parameter){args->kwonlyargs.at[i]->arg, args->kw_defaults.at[i],
                                       NULL, flat_ty(f->flat, args->kwonlyargs.at[i]->ty)}));
    return out;
}

static Parameters fields_of(Fun *f, const Stmt *def)
{
    Parameters out = {0};
    for (size_t i = 0; i < def->class_def.body.len; i++) {
        const Stmt *s = def->class_def.body.at[i];
        if (s->kind == STMT_ANN_ASSIGN && s->ann_assign.target->kind == EXPR_NAME)
            vec_push(f->flat->ad.arena, &out,
                     ((Parameter){s->ann_assign.target->name.id, s->ann_assign.value,
                                   s->ann_assign.target->ty, NULL}));
    }
    return out;
}

static size_t parameter_named(const Parameters *params, Sym name)
{
    size_t i = 0;
    while (i < params->len && params->at[i].name != name)
        i++;
    return i;
}

// field(default_factory=list)
static bool is_new_list(const Expr *standard)
{
    if (standard == NULL || standard->kind != EXPR_CALL || standard->call.args.len > 0
        || standard->call.keywords.len != 1 || standard->call.func->kind != EXPR_NAME
        || !sym_is(standard->call.func->name.id, "field"))
        return false;
    const Keyword *k = standard->call.keywords.at[0];
    return sym_is(k->arg, "default_factory") && k->value->kind == EXPR_NAME
           && sym_is(k->value->name.id, "list");
}

// The class is not a dataclass: what the call gives is not what its fields are. Or the value is a
// primitive that has other parameters in other calls.
static void refuse_class(Fun *f, const Expr *call)
{
    const Expr *func = call->call.func;
    if (func->kind == EXPR_NAME && table_get(f->flat->ad.classes, func->name.id) != NULL)
        diag_help(flat_refuse(f, call->at, "this call of a class cannot be differentiated"),
                  "only objects of dataclasses without `__init__` can be created in a derivative");
    else
        diag_help(flat_refuse(f, call->at, "this call does not have the arguments that the "
                                           "function value is known to accept"),
                  "assign a lambda that calls the function");
}

static const Expr *standard_value(Fun *f, const Expr *call, const Parameter *p)
{
    const Ad *ad = &f->flat->ad;
    if (is_new_list(p->standard) && ad_list_element(p->field) != NULL)
        return flat_atom(f, ad_typed(ad, expr_list(ad->arena, call->at, (ExprList){NULL, 0},
                                                   EXPR_CONTEXT_LOAD), p->field));
    if (p->standard != NULL && ad_is_atom(p->standard)
        && (p->standard->kind != EXPR_NAME || table_get(f->flat->globals, p->standard->name.id)))
        return p->standard->kind == EXPR_NAME
                   ? table_get(f->flat->globals, p->standard->name.id) : p->standard;
    if (p->standard == NULL)
        refuse_class(f, call);
    else
        diag_help(flat_refuse(f, call->at, "the default of `%s` is not a constant", p->name),
                  "pass `%s` in the call", p->name);
    return ad_float(&f->flat->ad, call->at, 0.0);
}

static const Expr *argument(Fun *f, const Expr *e, const Parameter *p)
{
    bool placed = p->field != NULL && (ad_is_float(p->field)
                                       || ad_is_reference(&f->flat->ad, p->field));
    bool value = p->ty != NULL && ad_is_reference(&f->flat->ad, p->ty);
    return placed ? flat_part(f, e, p->field) : value ? flat_part(f, e, p->ty)
                                              : flat_argument(f, e);
}

// An argument that cannot be bound to a parameter or a field.
static const Expr *refuse_given(Fun *f, const Expr *call, const Expr *given)
{
    bool dict = false;
    for (size_t i = 0; i < call->call.keywords.len; i++)
        dict = dict || (call->call.keywords.at[i]->value == given
                        && call->call.keywords.at[i]->arg == NULL);
    if (dict || given->kind == EXPR_STARRED)
        diag_help(flat_refuse(f, given->at, "a call with `%s` cannot be differentiated",
                              dict ? "**" : "*"), "write each argument");
    else
        refuse_class(f, call);
    return ad_float(&f->flat->ad, call->at, 0.0);
}

// The call with an atom for each parameter, in their order.
static const Expr *bound_call(Fun *f, const Expr *e, const Expr *func, const Parameters *params)
{
    const Ad *ad = &f->flat->ad;
    const Expr **args = ARENA_ARRAY(ad->arena, const Expr *, params->len + 1);
    ExprList given = e->call.args;
    for (size_t i = 0; i < params->len; i++)
        args[i] = NULL;
    for (size_t i = 0; i < given.len; i++) {
        if (given.at[i]->kind == EXPR_STARRED || i >= params->len)
            return refuse_given(f, e, given.at[i]);
        args[i] = argument(f, given.at[i], &params->at[i]);
    }
    for (size_t i = 0; i < e->call.keywords.len; i++) {
        const Keyword *k = e->call.keywords.at[i];
        size_t at = k->arg != NULL ? parameter_named(params, k->arg) : params->len;
        if (at < params->len)
            args[at] = argument(f, k->value, &params->at[at]);
        else
            return refuse_given(f, e, k->value);
    }
    for (size_t i = 0; i < params->len; i++)
        if (args[i] == NULL)
            args[i] = argument(f, standard_value(f, e, &params->at[i]), &params->at[i]);
    return ad_call(ad, func, e->ty, params->len, args);
}

static const Expr *function_call(Fun *f, const Expr *e, const Stmt *def)
{
    Flat *flat = f->flat;
    Parameters params = parameters_of(f, def);
    if (f->attempt != NULL)
        diag_help(flat_refuse(f, e->at, "a call in a `try` cannot be differentiated"),
                  "call `%s` before the `try`", def->function_def.name);
    if (takes_lists(def->function_def.args)) {
        Diag *d = flat_refuse(f, e->at, "a function with `*args` or `**kwargs` cannot be "
                              "differentiated");
        diag_label(d, def->at, "`%s` is defined here", def->function_def.name);
        diag_help(d, "use a parameter that is a list");
        return ad_float(&flat->ad, e->at, 0.0);
    }
    if (table_get(flat->reached, def) == NULL) {
        table_set(flat->reached, def, flat);
        vec_push(flat->ad.arena, &flat->todo, def);
    }
    return bound_call(f, e, e->call.func, &params);
}

// ---- primitives ----

static const Expr *number_atom(Fun *f, const Expr *e)
{
    const Expr *atom = flat_atom(f, e);
    bool number = ad_is_float(atom->ty) || ad_is(atom->ty, "int") || ad_is(atom->ty, "bool");
    if (!number)
        flat_refuse_type(f, e->at, "this argument is `%s`, not a number", flat_ty_text(f, e->ty));
    return atom;
}

static const Expr *math_function(Fun *f, Span at, const char *path, const Ty *ty)
{
    const Ad *ad = &f->flat->ad;
    if (strncmp(path, "math.", 5) != 0)
        return ad_name(ad, at, names_get(ad->names, path), ty);
    const Ty *module = ty_named(ad->arena, names_get(ad->names, "module"), (TyList){0});
    return ad_attribute(ad, ad_name(ad, at, names_get(ad->names, "math"), module),
                        names_get(ad->names, path + 5), ty);
}

static const Expr *primitive_call(Fun *f, const Expr *e, const char *path, const Partial *p)
{
    const Ad *ad = &f->flat->ad;
    AdExprs atoms = {0};
    for (size_t i = 0; i < e->call.args.len; i++) {
        const Expr *arg = e->call.args.at[i];
        bool discrete = p->kind == PARTIAL_ARGUMENTS && p->of[i] == NULL;
        vec_push(ad->arena, &atoms, discrete ? flat_atom(f, arg) : number_atom(f, arg));
    }
    if (e->call.keywords.len > 0)
        flat_refuse(f, e->at, "`%s` with keywords cannot be differentiated", path);
    flat_guard(f, e->at, path, atoms.len, atoms.at);
    return ad_call(ad, math_function(f, e->call.func->at, path, e->call.func->ty), e->ty,
                   atoms.len, atoms.at);
}

// `max(a, b, c)` is `max(max(a, b), c)`.
static const Expr *pairwise(Fun *f, const Expr *e, const char *path, const Partial *of_two)
{
    const Ad *ad = &f->flat->ad;
    ExprList args = e->call.args;
    const Expr *func = math_function(f, e->call.func->at, path, e->call.func->ty);
    const Expr *made = args.at[0];
    for (size_t i = 1; i < args.len; i++) {
        const Expr *both[] = {made, args.at[i]};
        const Expr *call = ad_call(ad, func, e->ty, 2, both);
        made = primitive_call(f, call, path, of_two);
        made = i + 1 < args.len ? flat_named(f, made) : made;
    }
    return made;
}

// ---- over lists ----

typedef struct Fold { const Expr *start; Operator op; const char *call; } Fold;

// `acc = start; for i in range(n): x = xs[i]; acc = acc op x`.
static const Expr *fold(Fun *f, const Expr *e, const Expr *list, Fold how)
{
    const Ad *ad = &f->flat->ad;
    const Ty *element = ad_list_element(list->ty);
    Sym acc = ad_fresh(ad, f->taken, "sum"), k = ad_fresh(ad, f->taken, "k");
    Sym x = ad_fresh(ad, f->taken, "item");
    AdBlock body = {0}, *outer = f->out;
    const Expr *n = ad_call_name(ad, e->at, "len", ad->int_, 1, &list);
    Sym len = ad_fresh(ad, f->taken, "n");
    flat_put(f, len, n);
    if (how.start == NULL)
        how.start = ad_item(ad, list, ad_int(ad, e->at, 0), element);
    flat_put(f, acc, ad_typed(ad, how.start, e->ty));
    const Expr *limits[] = {ad_int(ad, e->at, how.call ? 1 : 0), ad_name(ad, e->at, len, ad->int_)};
    const Ty *range = ty_named(ad->arena, names_get(ad->names, "range"), (TyList){0});
    f->out = &body;
    flat_put(f, x, ad_item(ad, list, ad_name(ad, e->at, k, ad->int_), element));
    const Expr *both[] = {ad_name(ad, e->at, acc, e->ty), ad_name(ad, e->at, x, element)};
    flat_put(f, acc, how.call ? ad_call_name(ad, e->at, how.call, e->ty, 2, both)
                              : ad_bin(ad, both[0], how.op, both[1], e->ty));
    f->out = outer;
    const Expr *counter = ad_typed(ad, expr_name(ad->arena, e->at, k, EXPR_CONTEXT_STORE),
                                   ad->int_);
    vec_push(ad->arena, f->out, stmt_for(ad->arena, e->at, counter,
             ad_call_name(ad, e->at, "range", range, how.call ? 2 : 1,
                          how.call ? limits : limits + 1), ad_stmts(&body), (StmtList){0}));
    return ad_name(ad, e->at, acc, e->ty);
}

static void raise_if_empty(Fun *f, Span at, const char *function, const Expr *list)
{
    const Ad *ad = &f->flat->ad;
    const char *what = names_format(ad->names, "%s() arg is an empty sequence", function);
    flat_raise_if(f, ad_compare(ad, ad_call_name(ad, at, "len", ad->int_, 1, &list), CMPOP_EQ,
                                ad_int(ad, at, 0)), what);
}

// `sum(xs, y)`, `sum(xs, start=y)`: y; NULL: there is none.
static const Expr *first_of(const Expr *e, bool by_place)
{
    if (e->call.keywords.len == 1 && sym_is(e->call.keywords.at[0]->arg, "start"))
        return e->call.keywords.at[0]->value;
    return by_place && e->call.args.len == 2 ? e->call.args.at[1] : NULL;
}

static const Expr *fold_call(Fun *f, const Expr *e, const char *path)
{
    const Ad *ad = &f->flat->ad;
    ExprList args = e->call.args;
    bool is_sum = strcmp(path, "sum") == 0 || strcmp(path, "math.fsum") == 0;
    bool is_product = strcmp(path, "math.prod") == 0;
    bool is_extreme = strcmp(path, "max") == 0 || strcmp(path, "min") == 0;
    const Expr *over = args.len > 0 ? flat_as_list(f, args.at[0]) : NULL;
    bool list = over != NULL && ad_list_element(over->ty) != NULL;
    const Expr *first = first_of(e, is_sum);
    bool more = e->call.keywords.len + args.len > (first != NULL ? 2 : 1);
    if (!list || more || !ad_is_float(e->ty) || (first != NULL && is_extreme)
        || !(is_sum || is_product || is_extreme))
        return NULL;
    const Expr *xs = flat_atom(f, over);
    if (is_extreme)
        flat_guard(f, e->at, names_format(ad->names, "list.%s", path), 1, &xs);
    if (is_extreme && f->attempt == NULL && over->kind != EXPR_LIST)
        raise_if_empty(f, e->at, path, xs);
    if (is_extreme)
        return fold(f, e, xs, (Fold){NULL, OPERATOR_ADD, path});
    const Expr *start = first != NULL ? flat_atom(f, first)
                                      : ad_float(ad, e->at, is_sum ? 0.0 : 1.0);
    return fold(f, e, xs, (Fold){start, is_sum ? OPERATOR_ADD : OPERATOR_MULT, NULL});
}

// ---- methods of lists ----

static const Expr *list_call(Fun *f, const Expr *e)
{
    const Ad *ad = &f->flat->ad;
    const Expr *func = e->call.func;
    bool own = (sym_is(func->attribute.attr, "append") && e->call.args.len == 1)
               || (sym_is(func->attribute.attr, "pop") && e->call.args.len == 0);
    const Expr *base = flat_atom(f, func->attribute.value), *arg = NULL;
    const Expr *call = own ? NULL : flat_list_method(f, e, base);
    if (call != NULL)
        return call;
    if (!own) {
        Diag *d = flat_refuse(f, e->at, "this call of `%s` with a list cannot be differentiated",
                              func->attribute.attr);
        diag_help(d, "write the computation as a loop");
        return ad_float(ad, e->at, 0.0);
    }
    if (e->call.args.len == 1)
        arg = flat_part(f, e->call.args.at[0], ad_list_element(base->ty));
    flat_guard(f, e->at, names_format(ad->names, "list.%s", func->attribute.attr), 1, &base);
    return ad_method(ad, base, func->attribute.attr, e->ty, arg != NULL ? 1 : 0, &arg);
}

// ---- Refs ----

static bool is_ref_call(const Fun *f, const Expr *func)
{
    static const char *const METHODS[] = {"get", "set", "add", NULL};
    const Ty *base = func->kind == EXPR_ATTRIBUTE ? func->attribute.value->ty : NULL;
    return base != NULL && base->kind == TY_NAMED && sym_is_one_of(func->attribute.attr, METHODS)
           && table_get(f->flat->ref_classes, base->named.name) != NULL;
}

// `r.add(e)` reads r after e.
static const Expr *ref_call(Fun *f, const Expr *e)
{
    const Ad *ad = &f->flat->ad;
    const Expr *base = flat_atom(f, e->call.func->attribute.value);
    const Stmt *class_ = table_get(ad->classes, base->ty->named.name);
    const Ty *item = class_->class_def.body.at[0]->ann_assign.target->ty;
    const Expr *place = ad_attribute(ad, base, names_get(ad->names, "value"), item);
    if (e->call.args.len == 0)
        return ad_typed(ad, place, e->ty);
    const Expr *value = flat_part(f, e->call.args.at[0], item);
    if (sym_is(e->call.func->attribute.attr, "add"))
        value = flat_part(f, ad_bin(ad, place, OPERATOR_ADD, value, item), item);
    vec_push(ad->arena, f->out, ad_store(ad, place, value));
    return ad_none(ad, e->at);
}

// ---- all ----

bool flat_is_control(const Fun *f, const Expr *e)
{
    if (e->kind != EXPR_CALL || e->call.func->kind != EXPR_NAME)
        return false;
    const char *imported = table_get(f->flat->imports, e->call.func->name.id);
    return sym_is(imported, "pychoral.ad.shift") || sym_is(imported, "pychoral.ad.reset");
}

static const Expr *unknown_call(Fun *f, const Expr *e, const char *path)
{
    const Expr *func = e->call.func;
    if (flat_is_control(f, e)) {
        Diag *shift = diag_report(f->flat->ad.diags, e->at, DIAG_GRAD_CONTROL,
                                  "`%s` cannot be differentiated", func->name.id);
        diag_help(shift, "write the function without this call");
        return ad_float(&f->flat->ad, e->at, 0.0);
    }
    const Partial *p = path == NULL ? NULL
                       : partial_find(f->flat->ad.partials, path, e->call.args.len);
    Diag *d;
    if (func->kind == EXPR_NAME)
        d = flat_refuse(f, e->at, "this call of `%s` cannot be differentiated", func->name.id);
    else if (func->kind == EXPR_ATTRIBUTE)
        d = flat_refuse(f, e->at, "this call of `.%s` cannot be differentiated",
                        func->attribute.attr);
    else
        d = flat_refuse(f, e->at, "this call cannot be differentiated");
    if (p != NULL && p->why != NULL)
        diag_help(d, "%s", p->why);
    return ad_float(&f->flat->ad, e->at, 0.0);
}

static const Expr *builtin_call(Fun *f, const Expr *e)
{
    static const char *const PLAIN[] = {"len", "isinstance", "bool", "str", NULL};
    const Ad *ad = &f->flat->ad;
    const char *path = flat_primitive(f, e->call.func);
    const Expr *func = e->call.func;
    if (path == NULL && func->kind == EXPR_NAME && sym_is(func->name.id, "sum"))
        path = "sum";
    const Partial *p = path ? partial_find(ad->partials, path, e->call.args.len) : NULL;
    bool plain = (func->kind == EXPR_NAME && sym_is_one_of(func->name.id, PLAIN))
                 || flat_is_plain_method(func);
    const Expr *folded = path != NULL ? fold_call(f, e, path) : flat_list_builtin(f, e);
    if (folded != NULL)
        return folded;
    ExprList args = e->call.args;
    if (path != NULL && strcmp(path, "pow") == 0 && args.len == 2 && e->call.keywords.len == 0
        && (ad_is_float(args.at[0]->ty) || ad_is_float(args.at[1]->ty)))
        return flat_value(f, ad_bin(ad, args.at[0], OPERATOR_POW, args.at[1], ad->float_));
    if (ad_is_float(e->ty) && p != NULL && (p->kind == PARTIAL_ARGUMENTS || p->kind == PARTIAL_EACH)
        && (p->kind != PARTIAL_EACH
            || (e->call.args.len > 0 && ad_list_element(e->call.args.at[0]->ty) == NULL)))
        return primitive_call(f, e, path, p);
    bool extreme = path != NULL && (strcmp(path, "max") == 0 || strcmp(path, "min") == 0);
    if (ad_is_float(e->ty) && extreme && args.len > 2 && e->call.keywords.len == 0)
        return pairwise(f, e, path, partial_find(ad->partials, path, 2));
    if (ad_is_discrete(e->ty) && (plain || path != NULL) && !flat_calls(f, e))
        return flat_test(f, e);
    if (ad_is_discrete(e->ty) && (plain || path != NULL)) {
        AdExprs atoms = {0};
        for (size_t i = 0; i < e->call.args.len; i++)
            vec_push(ad->arena, &atoms, flat_atom(f, e->call.args.at[i]));
        flat_guard(f, e->at, path != NULL ? path : func->name.id, atoms.len, atoms.at);
        const Expr *callee = path ? math_function(f, func->at, path, func->ty) : func;
        return ad_call(ad, callee, e->ty, atoms.len, atoms.at);
    }
    return unknown_call(f, e, path);
}

// `dataclasses.replace(v, y=1.0)` is `V(v.x, 1.0)`; NULL: it is something else.
static const Expr *replace_call(Fun *f, const Expr *e)
{
    const Ad *ad = &f->flat->ad;
    Arena *a = ad->arena;
    const Expr *func = e->call.func;
    const char *path = func->kind == EXPR_NAME ? table_get(f->flat->imports, func->name.id) : NULL;
    const Stmt *class_ = e->ty != NULL && e->ty->kind == TY_NAMED
                         ? table_get(ad->classes, e->ty->named.name) : NULL;
    if (!sym_is(path, "dataclasses.replace") || class_ == NULL || e->call.args.len != 1)
        return NULL;
    Parameters fields = fields_of(f, class_);
    Vec(const Keyword *) all = {0};
    const Expr *old = flat_atom(f, e->call.args.at[0]);
    KeywordList given = e->call.keywords;
    for (size_t i = 0; i < given.len; i++)
        vec_push(a, &all, given.at[i]);
    for (size_t i = 0; i < fields.len; i++) {
        size_t k = 0;
        while (k < given.len && given.at[k]->arg != fields.at[i].name)
            k++;
        if (k == given.len)
            vec_push(a, &all, keyword_new(a, e->at, fields.at[i].name,
                                          ad_attribute(ad, old, fields.at[i].name,
                                                       fields.at[i].field)));
    }
    const Expr *made = ad_name(ad, e->at, class_->class_def.name, NULL);
    return bound_call(f, ad_typed(ad, expr_call(a, e->at, made, (ExprList){0},
                                                (KeywordList){all.at, all.len}), e->ty),
                      made, &fields);
}

static bool defines_init(const Stmt *class_)
{
    StmtList body = class_->class_def.body;
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_FUNCTION_DEF
            && sym_is(body.at[i]->function_def.name, "__init__"))
            return true;
    return false;
}

const Expr *flat_call(Fun *f, const Expr *e)
{
    const Expr *func = e->call.func;
    bool local = func->kind == EXPR_NAME && table_get(f->locals, func->name.id) != NULL;
    if (func->kind == EXPR_NAME && !local) {
        const Stmt *def = table_get(f->flat->functions, func->name.id);
        if (def != NULL)
            return function_call(f, e, def);
        const Stmt *class_ = table_get(f->flat->ad.classes, func->name.id);
        if (class_ != NULL && defines_init(class_)) {
            refuse_class(f, e);
            return ad_float(&f->flat->ad, e->at, 0.0);
        }
        if (class_ != NULL) {
            Parameters fields = fields_of(f, class_);
            return bound_call(f, e, func, &fields);
        }
    }
    if (local && diags_error_count(f->flat->ad.diags) > 0)      // perhaps of what it was given
        return ad_float(&f->flat->ad, e->at, 0.0);
    if (local)
        return unknown_call(f, e, NULL);
    const Expr *replaced = replace_call(f, e);
    if (replaced != NULL)
        return replaced;
    if (is_ref_call(f, func))
        return ref_call(f, e);
    if (func->kind == EXPR_ATTRIBUTE && ad_list_element(func->attribute.value->ty) != NULL)
        return list_call(f, e);
    return builtin_call(f, e);
}
