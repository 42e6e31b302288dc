// flat_nested.c - `grad`, `value_and_grad` and `jvp` inside a function that is differentiated:
// calls of functions of the program that answer a value and its tangent, made of the flat function
// and made flat again, innermost first. So nothing there is special for the derivative outside.
//
// A function that is differentiated inside takes a tangent for each float that varies, and for each
// object that is made inside; what it reads of the functions around is constant there, and may not
// be changed. A pattern has a letter for each parameter: VARIES, or MADE (an object without floats
// that was made inside), or OUTSIDE.

#include "compiler/emit/python.h"
#include "compiler/pass/ad/flat_closure.h"
#include "compiler/pass/ad/sweep.h"

enum { VARIES = '1', MADE = 'm', OUTSIDE = '0' };
enum { MOST_LEVELS = 6 };       // of derivatives in derivatives

typedef struct Variant {
    Sym  of, name;              // the function; what is made of it
    const char *pattern;
    int  level;
    bool made;
    Span at;
} Variant;

// ---- classes of a value and its tangent ----

static const Ty *class_ty(const Ad *ad, Sym name)
{
    return ty_named(ad->arena, name, (TyList){0});
}

static const Ty *dual_of(Flat *flat, const Ty *ty)
{
    const Ad *ad = &flat->ad;
    Buf b = buf_new(ad->arena);
    emit_ty(&b, ty);
    Sym key = names_format(ad->names, "dual/%s", buf_text(&b)), name = table_get(flat->refs, key);
    FlatFields fields = {0};
    if (name == NULL) {
        bool simple = ty->kind == TY_NAMED && ty->named.args.len == 0;
        name = flat_free_name(flat, simple ? names_format(ad->names, "Dual_%s", ty->named.name)
                                           : "Dual");
        vec_push(ad->arena, &fields,
                 flat_arg(ad, (Span){0, 0}, names_get(ad->names, "value"), ty));
        vec_push(ad->arena, &fields,
                 flat_arg(ad, (Span){0, 0}, names_get(ad->names, "tangent"), ty));
        flat_add_class(flat, (Span){0, 0}, name, &fields);
        table_set(flat->refs, key, (void *)name);
    }
    return class_ty(ad, name);
}

static const Expr *half(const Ad *ad, const Expr *dual, const char *which, const Ty *ty)
{
    return ad_attribute(ad, dual, names_get(ad->names, which), ty);
}

// ---- as it is in the source ----

Sym flat_derivative_word(const Flat *flat, const Expr *func)
{
    static const char *const WORDS[] = {"grad", "value_and_grad", "jvp", NULL};
    const char *path = func->kind == EXPR_NAME ? table_get(flat->imports, func->name.id) : NULL;
    bool of_ad = path != NULL && strncmp(path, "pychoral.ad.", 12) == 0;
    for (size_t i = 0; of_ad && WORDS[i] != NULL; i++)
        if (strcmp(path + 12, WORDS[i]) == 0)
            return names_get(flat->ad.names, WORDS[i]);
    return NULL;
}

typedef struct Made {
    Flat     *flat;
    Span      at;
    FlatFields params;
    AdExprs   args;             // the function, then the arguments
    AdBlock   body;
    AdNames   varying;
    size_t    count;
} Made;

static void take_param(Made *m, const char *name, const Ty *ty)
{
    const Ad *ad = &m->flat->ad;
    Sym id = names_get(ad->names, name);
    vec_push(ad->arena, &m->params, flat_arg(ad, m->at, id, ty));
    vec_push(ad->arena, &m->args, ad_name(ad, m->at, id, ty));
}

// A float, or what the checker leaves open; functions of `math` take all that has `__float__`.
static bool may_vary(const Ty *t)
{
    if (t == NULL || ad_is_float(t) || t->kind == TY_ANY || t->kind == TY_TYPE_VAR)
        return true;
    for (size_t i = 0; t->kind == TY_UNION && i < t->union_.items.len; i++)
        if (may_vary(t->union_.items.at[i]))
            return true;
    return t->kind == TY_NAMED && sym_is(t->named.name, "SupportsFloat");
}

// `both = jvp/010(f, a1, .., t1)`, which flat_shape.c and flat_apply.c know; only the parameters
// that `which` has, or all (-1), vary.
static const Expr *put_dual(Made *m, TyList params, long which, const AdExprs *tangents)
{
    const Ad *ad = &m->flat->ad;
    char *pattern = ARENA_ARRAY(ad->arena, char, params.len + 1);
    const Ty *dual = dual_of(m->flat, ad->float_);
    AdExprs args = {0};
    for (size_t i = 0; i <= params.len; i++)
        vec_push(ad->arena, &args, m->args.at[i]);
    for (size_t i = 0; i < params.len; i++)
        pattern[i] = may_vary(params.at[i]) && (which < 0 || (size_t)which == i) ? VARIES : OUTSIDE;
    pattern[params.len] = '\0';
    for (size_t i = 0; i < tangents->len; i++)
        vec_push(ad->arena, &args, tangents->at[i]);
    Sym both = names_format(ad->names, "both%zu", ++m->count);
    const char *func = names_format(ad->names, FLAT_JVP "%s", pattern);
    vec_push(ad->arena, &m->body, ad_assign(ad, both, ad_call_name(ad, m->at, func, dual, args.len,
                                                                   args.at)));
    return ad_name(ad, m->at, both, dual);
}

static const Expr *tuple(const Ad *ad, const AdExprs *parts)
{
    const Ty **items = ARENA_ARRAY(ad->arena, const Ty *, parts->len);
    for (size_t i = 0; i < parts->len; i++)
        items[i] = parts->at[i]->ty;
    return ad_typed(ad, expr_tuple(ad->arena, parts->at[0]->at,
                                   (ExprList){parts->at, parts->len}, EXPR_CONTEXT_LOAD),
                    ty_tuple(ad->arena, (TyList){items, parts->len}));
}

static const Ty *put_gradient(Made *m, TyList params, bool value)
{
    const Ad *ad = &m->flat->ad;
    AdExprs parts = {0}, one = {0};
    const Expr *both = NULL;
    vec_push(ad->arena, &one, ad_float(ad, m->at, 1.0));
    for (size_t i = 0; i < params.len; i++)
        if (may_vary(params.at[i])) {
            both = put_dual(m, params, (long)i, &one);
            vec_push(ad->arena, &parts, half(ad, both, "tangent", ad->float_));
        }
    if (value && parts.len == 1) {
        vec_push(ad->arena, &parts, parts.at[0]);
        parts.at[0] = half(ad, both, "value", ad->float_);
    }
    const Expr *answer = parts.len == 1 ? parts.at[0] : tuple(ad, &parts);
    vec_push(ad->arena, &m->body, stmt_return(ad->arena, m->at, answer));
    return answer->ty;
}

static const Ty *put_jvp(Made *m, TyList params, const AdExprs *tangents)
{
    const Ad *ad = &m->flat->ad;
    const Expr *both = put_dual(m, params, -1, tangents);
    AdExprs parts = {0};
    vec_push(ad->arena, &parts, half(ad, both, "value", ad->float_));
    vec_push(ad->arena, &parts, half(ad, both, "tangent", ad->float_));
    vec_push(ad->arena, &m->body, stmt_return(ad->arena, m->at, tuple(ad, &parts)));
    return tuple(ad, &parts)->ty;
}

static const Expr *refuse(Flat *flat, const Expr *e, const char *what, const char *help)
{
    diag_help(diag_report(flat->ad.diags, e->at, DIAG_GRAD_CONSTRUCT, "%s", what), "%s", help);
    return e;
}

// What can be differentiated inside: a function whose parameters vary one at a time.
static bool is_known(Flat *flat, const Expr *e, Sym word, const Ty *f)
{
    size_t varying = 0;
    if (f == NULL || f->kind != TY_CALLABLE) {
        refuse(flat, e, "the differentiated value is not known to be a function",
               "annotate the value as `Callable[[float], float]`");
        return false;
    }
    for (size_t i = 0; i < f->callable.params.len; i++) {
        const Ty *t = f->callable.params.at[i];
        varying += may_vary(t);
        if (!may_vary(t) && ad_holds_float(&flat->ad, t)) {
            refuse(flat, e, "inside a differentiated function, `grad` supports only parameters of "
                   "type `float`, not lists or objects",
                   "capture the lists or objects: `grad(lambda v: f(v, xs))`");
            return false;
        }
    }
    bool several = sym_is(word, "value_and_grad") && varying > 1;
    if (varying == 0 || several)
        refuse(flat, e, several ? "`value_and_grad` with several floats is not supported inside a "
                                  "differentiated function"
                                : "no parameter of this function is a `float`",
               several ? "call `grad` for the gradient" : "annotate a parameter as `float`");
    return varying > 0 && !several;
}

static void open_made(Made *m, const Ty *f)
{
    take_param(m, "f", f);
    for (size_t i = 0; i < f->callable.params.len; i++) {
        const Ty *t = f->callable.params.at[i];
        bool open = may_vary(t) && (t == NULL || !ad_is_float(t));
        take_param(m, names_format(m->flat->ad.names, "a%zu", i + 1),
                   open ? ty_any(m->flat->ad.arena) : t);
    }
}

// `grad(f)` is a record that holds f; its function takes what f takes.
static const Expr *gradient_of(Flat *flat, const Expr *e, Sym word, const Expr *f)
{
    const Ad *ad = &flat->ad;
    Made m = {.flat = flat, .at = e->at};
    Sym name = flat_free_name(flat, names_format(ad->names, "%s_of", word));
    FlatRecord *r = flat_new_record(flat, name, true);
    const Ty *self = class_ty(ad, r->class_);
    const Expr *closure = ad_name(ad, e->at, names_get(ad->names, "closure"), self);
    FlatFields fields = {0};
    open_made(&m, f->ty);
    vec_push(ad->arena, &fields, m.params.at[0]);
    flat_add_class(flat, e->at, r->class_, &fields);
    for (size_t i = 1; i < m.params.len; i++)
        vec_push(ad->arena, &r->params, m.params.at[i]->arg);
    m.params.at[0] = flat_arg(ad, e->at, closure->name.id, self);
    Sym held = m.args.at[0]->name.id;
    vec_push(ad->arena, &m.body, ad_assign(ad, held, ad_attribute(ad, closure, held, f->ty)));
    const Ty *result = put_gradient(&m, f->ty->callable.params, sym_is(word, "value_and_grad"));
    flat_add_function(flat, e->at, name, &m.params, (ExprList){0}, ad_stmts(&m.body), result);
    const Ty *ty = e->ty != NULL && e->ty->kind == TY_CALLABLE
                       ? e->ty : ty_callable(ad->arena, f->ty->callable.params, result);
    return ad_call(ad, ad_name(ad, e->at, r->class_, NULL), ty, 1, &f);
}

static const Expr *tangent_of(Flat *flat, const Expr *e, const Expr *f)
{
    const Ad *ad = &flat->ad;
    Made m = {.flat = flat, .at = e->at};
    ExprList three = e->call.args;
    TyList params = f->ty->callable.params;
    bool displays = three.len == 3 && three.at[1]->kind == EXPR_TUPLE
                    && three.at[2]->kind == EXPR_TUPLE && e->call.keywords.len == 0;
    AdExprs given = {0}, tangents = {0};
    size_t varying = 0;
    for (size_t i = 0; i < params.len; i++)
        varying += may_vary(params.at[i]);
    if (!displays)
        return refuse(flat, e, "the arguments and tangents of `jvp` must be two tuple literals",
                      "write `jvp(f, (x, y), (1.0, 0.0))`");
    if (three.at[1]->tuple.elts.len != params.len || three.at[2]->tuple.elts.len != varying)
        return refuse(flat, e, "this `jvp` has the wrong number of arguments or tangents",
                      "write one argument for each parameter of the function, and one tangent for "
                      "each parameter that contains floats");
    open_made(&m, f->ty);
    vec_push(ad->arena, &given, f);
    for (size_t i = 0; i < params.len; i++)
        vec_push(ad->arena, &given, three.at[1]->tuple.elts.at[i]);
    for (size_t i = 0; i < varying; i++) {
        take_param(&m, names_format(ad->names, "t%zu", i + 1), ad->float_);
        vec_push(ad->arena, &tangents, m.args.at[m.args.len - 1]);
        vec_push(ad->arena, &given, three.at[2]->tuple.elts.at[i]);
    }
    Sym name = flat_free_name(flat, "jvp_of");
    const Ty *result = put_jvp(&m, params, &tangents);
    flat_add_function(flat, e->at, name, &m.params, (ExprList){0}, ad_stmts(&m.body), result);
    return ad_typed(ad, ad_call_name(ad, e->at, name, result, given.len, given.at), result);
}

const Expr *flat_derivative(Flat *flat, const Expr *e, Sym word)
{
    const Expr *f = e->call.args.len > 0 ? e->call.args.at[0] : e;
    bool jvp = sym_is(word, "jvp");
    if (!jvp && (e->call.args.len != 1 || e->call.keywords.len > 0))
        return refuse(flat, e, "`wrt` is not supported inside a differentiated function",
                      "capture the constant arguments: `grad(lambda v: f(v, w))`");
    if (!is_known(flat, e, word, f->ty))
        return e;
    return jvp ? tangent_of(flat, e, f) : gradient_of(flat, e, word, f);
}

// ---- functions that answer a tangent, too ----

static Variant *variant_of(const Flat *flat, Sym name)
{
    return table_get(flat->variants, name);
}

// The function as its callers see it.
static void add_stub(Flat *flat, const Variant *v)
{
    const Ad *ad = &flat->ad;
    const Stmt *def = flat_made(flat, v->of);
    def = def != NULL ? def : table_get(flat->functions, v->of);
    const Arguments *args = def->function_def.args;
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    FlatFields params = {0};
    size_t n = 0;
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < lists[l].len; i++)
            vec_push(ad->arena, &params, lists[l].at[i]);
    for (size_t count = params.len; n < count; n++)
        if (v->pattern[n] == VARIES)
            vec_push(ad->arena, &params,
                     flat_arg(ad, v->at, names_format(ad->names, "%s_dot", params.at[n]->arg),
                              params.at[n]->ty));
    const Ty *result = def->function_def.returns->ty;
    flat_add_function(flat, v->at, v->name, &params, (ExprList){0}, (StmtList){0},
                      ad_holds_float(ad, result) ? dual_of(flat, result) : result);
}

// What answers a tangent by the parameters that vary in the pattern.
Sym flat_variant(Flat *flat, Span at, Sym of, const char *pattern)
{
    const Ad *ad = &flat->ad;
    Sym key = names_format(ad->names, "%s/%s", of, pattern);
    Variant *v = table_get(flat->variants, key);
    const Variant *inner = variant_of(flat, of);
    if (v != NULL)
        return v->name;
    v = ARENA_NEW(ad->arena, Variant);
    *v = (Variant){.of = of, .pattern = pattern, .level = inner ? inner->level + 1 : 1, .at = at};
    v->name = flat_free_name(flat, names_format(ad->names, "%s_jvp", of));
    table_set(flat->variants, key, v);
    table_set(flat->variants, v->name, v);
    if (v->level > MOST_LEVELS)
        diag_help(diag_report(ad->diags, at, DIAG_GRAD_CONSTRUCT,
                              "derivatives are nested more than %d deep here", MOST_LEVELS),
                  "do not differentiate a function inside itself");
    if (flat->typed)
        add_stub(flat, v);
    else
        vec_push(ad->arena, &flat->wanted, v->name);
    return v->name;
}

void flat_variants_typed(Flat *flat)
{
    flat->typed = true;
    for (size_t i = 0; i < flat->wanted.len; i++)
        add_stub(flat, variant_of(flat, flat->wanted.at[i]));
}

// ---- what varies ----

typedef struct Spread { Sweep *sweep; Flat *flat; bool changed; } Spread;

static bool is_object(const Ad *ad, const Ty *t)
{
    return ad_is_reference(ad, t) || ad_is_data(ad, t);
}

static bool is_outside(const Sweep *s, const Expr *e)
{
    return e->kind == EXPR_NAME && table_get(s->outside, e->name.id) != NULL;
}

static bool any_outside(const Sweep *s, ExprList list)
{
    for (size_t i = 0; i < list.len; i++)
        if (is_outside(s, list.at[i]))
            return true;
    return false;
}

static bool any_varies(const Sweep *s, ExprList list)
{
    for (size_t i = 0; i < list.len; i++) {
        const Expr *e = list.at[i];
        bool object = e->kind == EXPR_NAME && ad_is_reference(s->ad, e->ty) && !is_outside(s, e);
        if (sweep_is_active(s, e) || object)
            return true;
    }
    return false;
}

static bool is_place(const Expr *e)
{
    return !ad_is_atom(e) && (e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT);
}

static const Expr *base_of(const Expr *place)
{
    return place->kind == EXPR_ATTRIBUTE ? place->attribute.value : place->subscript.value;
}

static bool varies(const Sweep *s, const Expr *value)
{
    ExprList args = {0};
    const Partial *p = sweep_primitive(s, value, &args);
    const Expr *list = twin_method(s, value);
    if (value->kind == EXPR_NAME)
        return sweep_is_active(s, value);
    if (is_place(value) || list != NULL)
        return !is_outside(s, list != NULL ? list : base_of(value));
    for (size_t i = 0; p != NULL && i < args.len; i++)
        if (sweep_is_active(s, args.at[i]) && p->of[p->kind == PARTIAL_EACH ? 0 : i] != NULL)
            return true;
    return p == NULL && sweep_callee(s, value) != NULL && any_varies(s, value->call.args);
}

static void refuse_change(const Sweep *s, Span at)
{
    diag_help(diag_report(s->ad->diags, at, DIAG_GRAD_CONSTRUCT,
                          "this function is differentiated inside a differentiated function, but "
                          "changes or stores a captured object"),
              "pass a copy of the object, or return the change as a value");
}

// What a record captures is outside or not by the place that makes it, which its field tells. What
// is read before that is known counts as inside, and must then be so.
static Sym field_key(const Sweep *s, Sym class_, Sym field)
{
    return flat_record(s->flat, class_) == NULL
               ? NULL : names_format(s->ad->names, "outside/%s.%s", class_, field);
}

static Sym place_key(const Sweep *s, const Expr *place)
{
    const Expr *base = base_of(place);
    bool named = place->kind == EXPR_ATTRIBUTE && base->ty != NULL && base->ty->kind == TY_NAMED;
    return named ? field_key(s, base->ty->named.name, place->attribute.attr) : NULL;
}

static bool comes_from_outside(const Sweep *s, const Expr *value);

// Gives whether it was not known.
static bool note_field(const Sweep *s, Sym key, bool outside, Span at)
{
    static const char IS[] = {OUTSIDE, VARIES};
    const char *known = table_get(s->flat->variants, key);
    if (known != NULL && (*known == OUTSIDE) != outside)
        refuse_change(s, at);
    if (known == NULL)
        table_set(s->flat->variants, key, (void *)(outside ? &IS[0] : &IS[1]));
    return known == NULL;
}

// Records that are made inside.
static bool note_record(void *cx, const Stmt *stmt)
{
    Spread *p = cx;
    const Sweep *s = p->sweep;
    const Expr *value = stmt->kind == STMT_ASSIGN ? stmt->assign.value : NULL;
    bool call = value != NULL && value->kind == EXPR_CALL && value->call.func->kind == EXPR_NAME;
    Sym name = call ? value->call.func->name.id : NULL;
    const Stmt *class_ = call && flat_record(s->flat, name) != NULL
                             ? table_get(s->ad->classes, name) : NULL;
    if (class_ == NULL || comes_from_outside(s, value))
        return true;
    for (size_t i = 0; i < value->call.args.len; i++) {
        Sym field = class_->class_def.body.at[i]->ann_assign.target->name.id;
        const Expr *arg = value->call.args.at[i];
        if (is_object(s->ad, arg->ty)
            && note_field(s, field_key(s, name, field), is_outside(s, arg), value->at))
            p->changed = true;
    }
    return true;
}

static bool note_read(void *cx, const Stmt *stmt)
{
    const Sweep *s = cx;
    const Expr *value = stmt->kind == STMT_ASSIGN ? stmt->assign.value : NULL;
    bool read = value != NULL && is_place(value) && is_object(s->ad, value->ty)
                && !is_outside(s, base_of(value));
    Sym key = read ? place_key(s, value) : NULL;
    if (key != NULL && table_get(s->flat->variants, key) == NULL)
        (void)note_field(s, key, false, value->at);
    return true;
}

// An object that the function reads of what is outside.
static bool comes_from_outside(const Sweep *s, const Expr *value)
{
    const Expr *list = twin_method(s, value);
    Sym key = is_place(value) ? place_key(s, value) : NULL;
    const char *known = key != NULL ? table_get(s->flat->variants, key) : NULL;
    if (known != NULL && *known == OUTSIDE)
        return true;
    if (is_place(value) || list != NULL)
        return is_outside(s, list != NULL ? list : base_of(value));
    if (value->kind == EXPR_NAME)
        return is_outside(s, value);
    if (value->kind == EXPR_LIST)
        return any_outside(s, value->list.elts) && !any_varies(s, value->list.elts);
    return value->kind == EXPR_CALL && any_outside(s, value->call.args)
           && !any_varies(s, value->call.args);
}

static bool spread(void *cx, const Stmt *stmt)
{
    Spread *p = cx;
    Sweep *s = p->sweep;
    const Expr *target = stmt->kind == STMT_ASSIGN ? stmt->assign.targets.at[0] : NULL;
    if (target == NULL || target->kind != EXPR_NAME)
        return true;
    bool real = ad_is_float(sweep_ty(s, target->name.id));
    Table *set = real ? s->active : s->outside;
    bool in = real ? varies(s, stmt->assign.value)
                   : is_object(s->ad, target->ty) && comes_from_outside(s, stmt->assign.value);
    if (in && table_get(set, target->name.id) == NULL) {
        table_set(set, target->name.id, s);
        p->changed = true;
    }
    return true;
}

static bool find_change(void *cx, const Stmt *stmt)
{
    const Sweep *s = cx;
    const Expr *target = stmt->kind == STMT_ASSIGN ? stmt->assign.targets.at[0] : NULL;
    const Expr *value = stmt->kind == STMT_ASSIGN ? stmt->assign.value
                        : stmt->kind == STMT_EXPR ? stmt->expr.value : NULL;
    const Expr *list = value != NULL ? twin_method(s, value) : NULL;
    ExprList parts = value == NULL ? (ExprList){0}
                     : value->kind == EXPR_LIST ? value->list.elts
                     : list != NULL || (value->kind == EXPR_CALL && sweep_callee(s, value) == NULL)
                         ? value->call.args : (ExprList){0};
    bool place = target != NULL && is_place(target);
    if (value != NULL && value->kind == EXPR_CALL && value->call.func->kind == EXPR_NAME
        && flat_record(s->flat, value->call.func->name.id) != NULL)
        parts = (ExprList){0};
    bool stores = (place && is_outside(s, base_of(target)))
                  || (list != NULL && is_outside(s, list));
    bool mixed = (any_outside(s, parts) && (any_varies(s, parts) || list != NULL))
                 || (value != NULL && is_outside(s, value) && target != NULL
                     && (place || !is_outside(s, target)));
    if (stores || mixed)
        refuse_change(s, stmt->at);
    return true;
}

// ---- the function ----

static const char *call_pattern(const Sweep *s, const Expr *call, bool *plain)
{
    const Ad *ad = s->ad;
    ExprList args = call->call.args;
    char *pattern = ARENA_ARRAY(ad->arena, char, args.len + 1);
    *plain = true;
    for (size_t i = 0; i < args.len; i++) {
        bool object = is_object(ad, args.at[i]->ty), outside = is_outside(s, args.at[i]);
        bool varying = sweep_is_active(s, args.at[i])
                       || (ad_is_reference(ad, args.at[i]->ty) && !outside);
        pattern[i] = varying ? VARIES : object && !outside ? MADE : OUTSIDE;
        *plain = *plain && !varying && !outside;
    }
    pattern[args.len] = '\0';
    return pattern;
}

void sweep_variant_call(Sweep *s, const Stmt *stmt, AdBlock *out)
{
    const Ad *ad = s->ad;
    const Expr *target = stmt->assign.targets.at[0], *call = stmt->assign.value;
    bool plain;
    const char *pattern = call_pattern(s, call, &plain);
    bool has_tangent = sweep_is_active(s, target)
                       || (ad_is_reference(ad, target->ty) && !is_outside(s, target));
    if (plain && !has_tangent) {
        vec_push(ad->arena, out, stmt);
        return;
    }
    const Stmt *callee = flat_made(s->flat, call->call.func->name.id);
    if (callee == NULL)                 // it has been refused
        return;
    Sym name = flat_variant(s->flat, call->at, callee->function_def.name, pattern);
    AdExprs args = {0};
    for (size_t i = 0; i < call->call.args.len; i++)
        vec_push(ad->arena, &args, call->call.args.at[i]);
    for (size_t i = 0; i < call->call.args.len; i++)
        if (pattern[i] == VARIES)
            vec_push(ad->arena, &args, twin_value(s, call->call.args.at[i]));
    const Ty *result = callee->function_def.returns->ty;
    const Expr *made = ad_call_name(ad, call->at, name, ad_holds_float(ad, result)
                                    ? dual_of(s->flat, result) : result, args.len, args.at);
    if (!ad_holds_float(ad, result)) {
        vec_push(ad->arena, out, ad_store(ad, target, made));
        return;
    }
    Sym both = ad_fresh(ad, s->taken, "both");
    const Expr *dual = ad_name(ad, call->at, both, made->ty);
    vec_push(ad->arena, out, ad_assign(ad, both, made));
    vec_push(ad->arena, out, ad_store(ad, target, half(ad, dual, "value", result)));
    if (has_tangent)
        vec_push(ad->arena, out, ad_store(ad, twin_name(s, target),
                                          half(ad, dual, "tangent", result)));
}

static Sweep open_sweep(Flat *flat, const Stmt *def, const Variant *v)
{
    Arena *a = flat->ad.arena;
    StmtList body = def->function_def.body;
    ArgList params = def->function_def.args->args;
    Sweep s = {.ad = &flat->ad, .flat = flat, .functions = flat->functions, .def = def,
               .tangent = true, .taken = table_new(a), .index = table_new(a),
               .plans = table_new(a), .active = table_new(a),
               .cotangents = table_new(a), .cotangent_of = table_new(a),
               .twins = table_new(a), .outside = table_new(a),
               .result = body.at[body.len - 1]->return_.value,
               .body = (StmtList){body.at, body.len - 1}};
    Spread p = {.sweep = &s, .flat = flat, .changed = true};
    IrWalker w = {.cx = &p, .stmt = spread}, changes = {.cx = &s, .stmt = find_change};
    IrWalker records = {.cx = &p, .stmt = note_record}, reads = {.cx = &s, .stmt = note_read};
    static const char *const KEPT[] = {"math", "range", "len", "reversed", NULL};
    for (size_t i = 0; KEPT[i] != NULL; i++)
        table_set(s.taken, names_get(flat->ad.names, KEPT[i]), flat);
    sweep_names(&s);
    for (size_t i = 0; i < params.len; i++) {
        bool object = is_object(&flat->ad, params.at[i]->ty);
        if (v->pattern[i] == VARIES && ad_is_float(params.at[i]->ty))
            table_set(s.active, params.at[i]->arg, flat);
        else if (v->pattern[i] == OUTSIDE && object)
            table_set(s.outside, params.at[i]->arg, flat);
    }
    while (p.changed) {
        p.changed = false;
        ir_walk_stmts(&w, s.body);
        if (!p.changed)
            ir_walk_stmts(&records, s.body);
    }
    ir_walk_stmts(&reads, s.body);
    ir_walk_stmts(&changes, s.body);
    return s;
}

static bool find_callee(void *cx, const Expr *e)
{
    const Spread *p = cx;
    if (e->kind == EXPR_CALL && sweep_callee(p->sweep, e) != NULL)
        flat_make(p->flat, e->call.func->name.id);
    return true;
}

// A float that is constant when the function starts, and varies after an assignment.
static void put_start_tangents(Sweep *s, const Variant *v, AdBlock *body)
{
    const Ad *ad = s->ad;
    ArgList params = s->def->function_def.args->args;
    for (size_t i = 0; i < params.len; i++) {
        const Expr *name = ad_name(ad, v->at, params.at[i]->arg, params.at[i]->ty);
        if (v->pattern[i] != VARIES && sweep_is_active(s, name))
            vec_push(ad->arena, body, ad_store(ad, twin_name(s, name), ad_float(ad, v->at, 0.0)));
    }
}

// Of a function that is flat.
static const Stmt *variant_made(Flat *flat, const Variant *v)
{
    const Ad *ad = &flat->ad;
    const Stmt *def = flat_make(flat, v->of);
    if (def == NULL)
        return NULL;
    Sweep s = open_sweep(flat, def, v);
    Spread p = {.sweep = &s, .flat = flat};
    IrWalker w = {.cx = &p, .expr = find_callee};
    ArgList params = def->function_def.args->args;
    FlatFields all = {0};
    ir_walk_stmts(&w, s.body);
    for (size_t i = 0; i < params.len; i++)
        vec_push(ad->arena, &all, params.at[i]);
    for (size_t i = 0; i < params.len; i++) {
        const Expr *name = ad_name(ad, v->at, params.at[i]->arg, params.at[i]->ty);
        if (v->pattern[i] == VARIES)
            vec_push(ad->arena, &all, flat_arg(ad, v->at, twin_name(&s, name)->name.id, name->ty));
    }
    StmtList made = sweep_tangent(&s, s.body);
    AdBlock body = {0};
    put_start_tangents(&s, v, &body);
    for (size_t i = 0; i < made.len; i++)
        vec_push(ad->arena, &body, made.at[i]);
    const Ty *result = def->function_def.returns->ty;
    const Expr *answer = s.result;
    if (is_outside(&s, answer) && ad_is_reference(ad, result))
        refuse_change(&s, v->at);
    if (ad_holds_float(ad, result)) {
        const Expr *two[] = {answer, twin_value(&s, answer)};
        const Ty *dual = dual_of(flat, result);
        answer = ad_call(ad, ad_name(ad, v->at, dual->named.name, NULL), dual, 2, two);
        result = dual;
    }
    vec_push(ad->arena, &body, stmt_return(ad->arena, v->at, answer));
    flat_add_function(flat, v->at, v->name, &all, (ExprList){0}, ad_stmts(&body), result);
    return table_get(flat->functions, v->name);
}

// ---- functions, made flat when they are needed ----

const Stmt *flat_made(const Flat *flat, Sym name)
{
    for (size_t i = 0; i < flat->done.len; i++)
        if (flat->done.at[i]->function_def.name == name)
            return flat->done.at[i];
    return NULL;
}

const Stmt *flat_make(Flat *flat, Sym name)
{
    const Stmt *made = flat_made(flat, name);
    Variant *v = variant_of(flat, name);
    if (made != NULL || (v != NULL && (v->made || v->level > MOST_LEVELS)))
        return made;
    if (v != NULL)
        v->made = true;
    if (diags_error_count(flat->ad.diags) > 0 && v != NULL)
        return NULL;
    const Stmt *def = v != NULL ? variant_made(flat, v) : table_get(flat->functions, name);
    if (def == NULL || (v != NULL && diags_error_count(flat->ad.diags) > 0))
        return NULL;
    table_set(flat->reached, def, flat);
    flat_function(flat, def);
    return flat_made(flat, name);
}
