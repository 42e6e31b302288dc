// value_text.c - tuples and frozen objects in the derivative as Python. The sweeps have objects of
// classes whose fields may be assigned to (control-ad 3.3): of a frozen class P it is `P_`, of
// tuples and floats that may be None one that flat_value.c has made. The public functions turn what
// they are given into such objects, and their answers back. Functions that call themselves run on a
// large stack.

#include "compiler/ir/free_names.h"
#include "compiler/pass/ad/ad.h"
#include "compiler/pass/ad/diff.h"

typedef struct Values {
    Ad     ad;
    Table *taken;
    Table *unfrozen;            // a frozen class -> the name of its other class
    Sym    function;
    AdBlock out;
    AdExprs keys, classes;      // what stands for which type of the source
    bool   deep;                // a function may call itself
} Values;

// ---- which classes ----

static const Stmt *class_of(const Values *v, const Ty *t)
{
    return t != NULL && t->kind == TY_NAMED ? table_get(v->ad.classes, t->named.name) : NULL;
}

static bool is_value_class(const Values *v, const Stmt *def)
{
    return ad_stands_for(def) != NULL || table_get(v->unfrozen, def->class_def.name) != NULL;
}

static bool holds_value(const Values *v, const Ty *t, Table *seen);

static bool any_holds(const Values *v, TyList list, Table *seen)
{
    for (size_t i = 0; i < list.len; i++)
        if (holds_value(v, list.at[i], seen))
            return true;
    return false;
}

static bool holds_value(const Values *v, const Ty *t, Table *seen)
{
    if (t->kind == TY_UNION || t->kind == TY_TUPLE)
        return any_holds(v, t->kind == TY_UNION ? t->union_.items : t->tuple.items, seen);
    const Stmt *def = class_of(v, t);
    if (t->kind != TY_NAMED || any_holds(v, t->named.args, seen))
        return t->kind == TY_NAMED;
    if (def == NULL || table_get(seen, def) != NULL)
        return false;
    table_set(seen, def, seen);
    if (is_value_class(v, def))
        return true;
    for (size_t i = 0; i < def->class_def.body.len; i++) {
        const Stmt *s = def->class_def.body.at[i];
        if (s->kind == STMT_ANN_ASSIGN && holds_value(v, s->ann_assign.target->ty, seen))
            return true;
    }
    return false;
}

// ---- their text ----

static const Ty *callers_ty(Values *v, const Ty *t);

static const Expr *name_of(const Values *v, Sym name)
{
    return expr_name(v->ad.arena, (Span){0, 0}, name, EXPR_CONTEXT_LOAD);
}

static const Expr *unfrozen_name(IrMapper *m, const Expr *e)
{
    const Values *v = m->cx;
    Sym other = e->kind == EXPR_NAME ? table_get(v->unfrozen, e->name.id) : NULL;
    return other != NULL ? expr_name(m->arena, e->at, other, e->name.ctx) : e;
}

static const Stmt *class_text(Values *v, const Stmt *def)
{
    const Ad *ad = &v->ad;
    IrMapper m = {.arena = ad->arena, .cx = v, .expr = unfrozen_name};
    const char *of = ad_stands_for(def);
    AdBlock body = {0};
    for (size_t i = 0; i < def->class_def.body.len; i++) {
        const Stmt *s = def->class_def.body.at[i];
        if (s->kind != STMT_ANN_ASSIGN)
            continue;
        const Expr *target = s->ann_assign.target;
        const Expr *type = ir_map_expr(&m, ad_annotation(ad, s->at, target->ty));
        vec_push(ad->arena, &body, stmt_ann_assign(ad->arena, s->at, target, type, NULL, 1));
    }
    const Expr *for_ = name_of(v, of != NULL ? names_get(ad->names, of) : def->class_def.name);
    vec_push(ad->arena, &body, ad_assign(ad, names_get(ad->names, "_of"), for_));
    const Expr *mark = name_of(v, names_get(ad->names, "dataclass"));
    Sym name = of != NULL ? def->class_def.name : table_get(v->unfrozen, def->class_def.name);
    const Ty *ty = ty_named(ad->arena, def->class_def.name, (TyList){0});
    const Expr *key = ad_annotation(ad, def->at, callers_ty(v, ty));
    if (sym_is(of, "float"))
        key = expr_bin_op(ad->arena, def->at, key, OPERATOR_BIT_OR, ad_none(ad, def->at));
    vec_push(ad->arena, &v->keys, key);
    vec_push(ad->arena, &v->classes, name_of(v, name));
    return stmt_class_def(ad->arena, def->at, name, (ExprList){0}, (KeywordList){0},
                          ad_stmts(&body), ad_exprs(ad, 1, &mark), (TypeParamList){0});
}

// ---- types as the caller knows them ----

static const Ty *callers_named(IrMapper *m, const Ty *t)
{
    Values *v = m->cx;
    const Stmt *def = class_of(v, t);
    const char *of = def != NULL ? ad_stands_for(def) : NULL;
    if (of == NULL)
        return t;
    StmtList body = def->class_def.body;
    if (strcmp(of, "float") == 0)
        return v->ad.float_;
    const Ty **items = ARENA_ARRAY(v->ad.arena, const Ty *, body.len + 1);
    for (size_t i = 0; i < body.len; i++)
        items[i] = callers_ty(v, body.at[i]->ann_assign.target->ty);
    return ty_tuple(v->ad.arena, (TyList){items, body.len});
}

static const Ty *callers_ty(Values *v, const Ty *t)
{
    IrMapper m = {.arena = v->ad.arena, .cx = v, .ty = callers_named};
    return ir_map_ty(&m, t);
}

// ---- public functions ----

static bool is_derivative(const Values *v, const Stmt *s, const char *suffix)
{
    return s->function_def.name == names_format(v->ad.names, "%s_%s", v->function, suffix);
}

static bool is_public(const Values *v, const Stmt *s)
{
    return s->function_def.name == v->function || is_derivative(v, s, "value_and_grad")
           || is_derivative(v, s, "jvp") || is_derivative(v, s, "fwd")
           || is_derivative(v, s, "rev");
}

// What is kept between the two sweeps stays what it is.
static const Ty *answered_ty(const Values *v, const Stmt *s)
{
    const Ty *ty = s->function_def.returns->ty;
    return is_derivative(v, s, "fwd") ? ty->tuple.items.at[0] : ty;
}

static size_t first_given(const Values *v, const Stmt *s)
{
    return is_derivative(v, s, "rev") ? 1 : 0;
}

static bool needs_objects(const Values *v, const Stmt *s)
{
    ArgList args = s->function_def.args->args;
    bool found = holds_value(v, answered_ty(v, s), table_new(v->ad.arena));
    for (size_t i = first_given(v, s); i < args.len; i++)
        found = found || holds_value(v, args.at[i]->ty, table_new(v->ad.arena));
    return found;
}

// `objects = _objects(f, "x p p", (x, p, p_dot))`: of a tangent the name of its parameter.
static const Expr *objects_call(const Values *v, const Stmt *s)
{
    const Ad *ad = &v->ad;
    ArgList args = s->function_def.args->args;
    AdExprs given = {0};
    Buf words = buf_new(ad->arena);
    size_t first = first_given(v, s);
    for (size_t i = first; i < args.len; i++) {
        size_t len = first > 0 ? strlen("return") : strlen(args.at[i]->arg);
        for (size_t k = 0; k < i && first == 0; k++)
            if (strncmp(args.at[i]->arg, args.at[k]->arg, strlen(args.at[k]->arg)) == 0
                && strncmp(args.at[i]->arg + strlen(args.at[k]->arg), "_dot", 4) == 0)
                len = strlen(args.at[k]->arg);
        buf_printf(&words, "%s%.*s", i > first ? " " : "", (int)len,
                   first > 0 ? "return" : args.at[i]->arg);
        vec_push(ad->arena, &given, name_of(v, args.at[i]->arg));
    }
    Text text = {buf_text(&words), words.len};
    const Expr *parts[] = {
        name_of(v, v->function), expr_constant(ad->arena, s->at, const_str(ad->arena, text), NULL),
        expr_tuple(ad->arena, s->at, (ExprList){given.at, given.len}, EXPR_CONTEXT_LOAD)};
    return expr_call(ad->arena, s->at, name_of(v, names_get(ad->names, "_objects")),
                     ad_exprs(ad, 3, parts), (KeywordList){0});
}

static const Ty *any_ty(const Values *v)
{
    return ty_named(v->ad.arena, names_get(v->ad.names, "Any"), (TyList){0});
}

static const Ty *with_any(const Values *v, const Ty *value)
{
    const Ty **items = ARENA_ARRAY(v->ad.arena, const Ty *, 2);
    items[0] = value;
    items[1] = any_ty(v);
    return ty_tuple(v->ad.arena, (TyList){items, 2});
}

static const Arguments *callers_arguments(Values *v, const Stmt *s)
{
    const Ad *ad = &v->ad;
    const Arguments *old = s->function_def.args;
    Vec(const Arg *) args = {0};
    for (size_t i = 0; i < old->args.len; i++) {
        bool given = i >= first_given(v, s);
        const Ty *ty = given ? callers_ty(v, old->args.at[i]->ty) : any_ty(v);
        const Arg *arg = arg_new(ad->arena, s->at, old->args.at[i]->arg,
                                 ad_annotation(ad, s->at, ty));
        vec_push(ad->arena, &args, arg_with_ty(ad->arena, arg, ty));
    }
    return arguments_new(ad->arena, (ArgList){0}, (ArgList){args.at, args.len}, NULL, (ArgList){0},
                         (ExprList){0}, NULL, old->defaults);
}

static const Expr *values_of(const Values *v, const Expr *answer)
{
    return expr_call(v->ad.arena, answer->at, name_of(v, names_get(v->ad.names, "_values")),
                     ad_exprs(&v->ad, 1, &answer), (KeywordList){0});
}

// `_deep(_f_value_and_grad, *objects)`, as far as it is needed.
static const Expr *inner_call(const Values *v, const Stmt *s, Sym inner, bool objects)
{
    const Ad *ad = &v->ad;
    ArgList params = s->function_def.args->args;
    AdExprs args = {0};
    if (v->deep)
        vec_push(ad->arena, &args, name_of(v, inner));
    for (size_t i = 0; objects && i < first_given(v, s); i++)
        vec_push(ad->arena, &args, name_of(v, params.at[i]->arg));
    if (objects)
        vec_push(ad->arena, &args,
                 expr_starred(ad->arena, s->at, name_of(v, names_get(ad->names, "objects")),
                              EXPR_CONTEXT_LOAD));
    for (size_t i = 0; !objects && i < params.len; i++)
        vec_push(ad->arena, &args, name_of(v, params.at[i]->arg));
    const Expr *func = name_of(v, v->deep ? names_get(ad->names, "_deep") : inner);
    const Expr *call = expr_call(ad->arena, s->at, func, (ExprList){args.at, args.len},
                                 (KeywordList){0});
    return objects && !is_derivative(v, s, "fwd") ? values_of(v, call) : call;
}

// `_values(answer[0]), answer[1]`: of the way there.
static const Expr *turned_back(const Values *v, const Stmt *s, const Expr *answer)
{
    const Ad *ad = &v->ad;
    if (!is_derivative(v, s, "fwd") || !holds_value(v, answered_ty(v, s), table_new(ad->arena)))
        return answer;
    const Expr *both[] = {values_of(v, ad_item(ad, answer, ad_int(ad, s->at, 0), NULL)),
                          ad_item(ad, answer, ad_int(ad, s->at, 1), NULL)};
    return expr_tuple(ad->arena, s->at, ad_exprs(ad, 2, both), EXPR_CONTEXT_LOAD);
}

// Turns what it is given into objects, and the answer back; on a large stack.
static void put_public(Values *v, const Stmt *s, Sym inner, bool objects)
{
    const Ad *ad = &v->ad;
    AdBlock body = {0};
    Sym answer = ad_fresh(ad, v->taken, "answer");
    const Ty *ty = callers_ty(v, s->function_def.returns->ty);
    if (is_derivative(v, s, "fwd"))
        ty = with_any(v, callers_ty(v, answered_ty(v, s)));
    const Expr *type = ad_annotation(ad, s->at, ty), *to = name_of(v, answer);
    if (objects)
        vec_push(ad->arena, &body,
                 ad_assign(ad, names_get(ad->names, "objects"), objects_call(v, s)));
    vec_push(ad->arena, &body, stmt_ann_assign(ad->arena, s->at, to, type,
                                               inner_call(v, s, inner, objects), 1));
    vec_push(ad->arena, &body,
             stmt_return(ad->arena, s->at, objects ? turned_back(v, s, to) : to));
    vec_push(ad->arena, &v->out,
             stmt_function_def(ad->arena, s->at, s->function_def.name, callers_arguments(v, s),
                               ad_stmts(&body), (ExprList){0}, ad_typed(ad, type, ty),
                               (TypeParamList){0}));
}

static void put_function(Values *v, const Stmt *s)
{
    const Ad *ad = &v->ad;
    IrMapper m = {.arena = ad->arena, .cx = v, .expr = unfrozen_name};
    Names *names = ad->names;
    Sym name = s->function_def.name;
    bool objects = needs_objects(v, s);
    bool opened = is_public(v, s) && (objects || v->deep);
    Sym inner = opened ? ad_fresh(ad, v->taken, names_format(names, "_%s", name)) : name;
    bool gradient = name == names_format(names, "%s_grad", v->function);
    const Stmt *mapped = ir_map_stmt(&m, s);
    const Expr *returns = mapped->function_def.returns;
    const Arguments *args = mapped->function_def.args;
    if (gradient && objects) {
        args = callers_arguments(v, s);
        returns = ad_annotation(ad, s->at, callers_ty(v, s->function_def.returns->ty));
    }
    vec_push(ad->arena, &v->out,
             stmt_function_def(ad->arena, s->at, inner, args, mapped->function_def.body,
                               (ExprList){0}, returns, (TypeParamList){0}));
    if (opened)
        put_public(v, s, inner, objects);
}

// `_CLASSES: dict[Any, Any] = {tuple[float, float]: Tuple2, P: P_}`.
static void put_table(Values *v)
{
    const Ad *ad = &v->ad;
    Span at = {0, 0};
    const Ty *both[] = {any_ty(v), any_ty(v)};
    const Ty *dict = ty_named(ad->arena, names_get(ad->names, "dict"), (TyList){both, 2});
    const Expr *table = expr_dict(ad->arena, at, (ExprList){v->keys.at, v->keys.len},
                                  (ExprList){v->classes.at, v->classes.len});
    vec_push(ad->arena, &v->out,
             stmt_ann_assign(ad->arena, at, name_of(v, names_get(ad->names, "_CLASSES")),
                             ad_annotation(ad, at, dict), table, 1));
}

// ---- recursion ----

typedef struct Calls { Table *functions, *seen; AdBlock *todo; Arena *arena; } Calls;

static bool note_call(void *cx, const Expr *e)
{
    Calls *c = cx;
    const Stmt *def = e->kind == EXPR_NAME ? table_get(c->functions, e->name.id) : NULL;
    if (def != NULL && table_get(c->seen, def) == NULL) {
        table_set(c->seen, def, c);
        vec_push(c->arena, c->todo, def);
    }
    return true;
}

static bool calls_itself(const Values *v, Table *functions, const Stmt *def)
{
    AdBlock todo = {0};
    Calls c = {functions, table_new(v->ad.arena), &todo, v->ad.arena};
    IrWalker w = {.cx = &c, .expr = note_call};
    ir_walk_stmts(&w, def->function_def.body);
    for (size_t i = 0; i < todo.len; i++)
        ir_walk_stmts(&w, todo.at[i]->function_def.body);
    return table_get(c.seen, def) != NULL;
}

static bool may_be_deep(const Values *v, StmtList body)
{
    Table *functions = table_new(v->ad.arena);
    bool found = false;
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_FUNCTION_DEF)
            table_set(functions, body.at[i]->function_def.name, (void *)body.at[i]);
    for (size_t i = 0; i < body.len && !found; i++)
        found = body.at[i]->kind == STMT_FUNCTION_DEF && calls_itself(v, functions, body.at[i]);
    return found;
}

// ---- the unit ----

static bool note_name(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        table_set(cx, e->name.id, cx);
    return true;
}

static void find_classes(Values *v, StmtList body)
{
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_CLASS_DEF)
            table_set(v->ad.classes, body.at[i]->class_def.name, (void *)body.at[i]);
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_CLASS_DEF && ad_is_frozen(s)
            && ad_holds_float(&v->ad, ty_named(v->ad.arena, s->class_def.name, (TyList){0})))
            table_set(v->unfrozen, s->class_def.name,
                      (void *)ad_fresh(&v->ad, v->taken,
                                       names_format(v->ad.names, "%s_", s->class_def.name)));
    }
}

const Unit *value_objects(Arena *a, Names *names, const Unit *unit, EndpointList source,
                          const GradRequest *request)
{
    Values v = {.taken = table_new(a), .unfrozen = table_new(a), .function = request->function};
    const Endpoint *old = unit->endpoints.modules.at[0];
    IrWalker w = {.cx = v.taken, .expr = note_name};
    Table *of_source = table_new(a);
    ad_open(&v.ad, a, names, NULL);
    ir_walk_stmts(&w, old->body);
    for (size_t i = 0; i < source.len; i++) {
        SymList bound = names_bound(a, names, source.at[i]->body);
        for (size_t k = 0; k < bound.len; k++)
            table_set(of_source, bound.at[k], &v);
        for (size_t k = 0; k < bound.len; k++)
            table_set(v.taken, bound.at[k], &v);
    }
    find_classes(&v, old->body);
    v.deep = may_be_deep(&v, old->body);
    for (size_t i = 0; i < old->body.len; i++) {
        const Stmt *s = old->body.at[i];
        if (s->kind == STMT_FUNCTION_DEF)
            put_function(&v, s);
        else if (s->kind == STMT_CLASS_DEF && is_value_class(&v, s))
            vec_push(a, &v.out, class_text(&v, s));
        else if (s->kind == STMT_CLASS_DEF && table_get(of_source, s->class_def.name) == NULL)
            vec_push(a, &v.out, s);
    }
    if (v.keys.len > 0)
        put_table(&v);
    const Endpoint **module = ARENA_NEW(a, const Endpoint *);
    *module = endpoint_new(a, old->role, ad_stmts(&v.out), old->types, old->loads,
                           old->pieces);
    return unit_endpoints(a, (EndpointList){0}, (EndpointList){module, 1}, (SiteList){0});
}

StmtList value_heads(Arena *a, Names *names, StmtList body)
{
    Values v = {.taken = table_new(a), .unfrozen = table_new(a)};
    ad_open(&v.ad, a, names, NULL);
    find_classes(&v, body);
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind != STMT_FUNCTION_DEF)
            continue;
        const Ty *ty = callers_ty(&v, s->function_def.returns->ty);
        vec_push(a, &v.out, stmt_function_def(a, s->at, s->function_def.name,
                                              callers_arguments(&v, s), (StmtList){0},
                                              (ExprList){0}, ad_annotation(&v.ad, s->at, ty),
                                              (TypeParamList){0}));
    }
    return ad_stmts(&v.out);
}
