// project.c - the halves of definitions: functions, methods, classes, their signatures
// (docs/projection.md, "Projection": class, func).
//
// Parameters that are elsewhere keep their place as Unit, so that calls fit whatever the roles are.

#include "projection/projection.h"

#include "projection/projection_internal.h"

// ---- names ----

static void note_bound(void *cx, Sym name)
{
    ProjectCx *project = cx;
    if (name == NULL)
        return;
    table_set(project->identifiers, name, project);
    table_set(project->bound, name, project);
}

static bool note_expr(void *cx, const Expr *e)
{
    ProjectCx *project = cx;
    if (e->kind == EXPR_NAME && e->name.ctx != EXPR_CONTEXT_LOAD)
        note_bound(cx, e->name.id);
    else if (e->kind == EXPR_NAME)
        table_set(project->identifiers, e->name.id, project);
    return true;
}

static bool note_stmt(void *cx, const Stmt *s)
{
    if (s->kind == STMT_FUNCTION_DEF)
        note_bound(cx, s->function_def.name);
    else if (s->kind == STMT_CLASS_DEF)
        note_bound(cx, s->class_def.name);
    return true;
}

static bool note_arg(void *cx, const Arg *arg)
{
    note_bound(cx, arg->arg);
    return true;
}

static bool note_alias(void *cx, const Alias *alias)
{
    note_bound(cx, alias->asname != NULL ? alias->asname : alias->name);
    return true;
}

ProjectCx project_open(Arena *a, Names *names, const Source *source, const Unit *checked,
                       IrIndex index, Diags *diags)
{
    ProjectCx cx = {.arena = a, .names = names, .source = source, .unit = checked, .diags = diags,
                    .identifiers = table_new(a), .bound = table_new(a),
                    .halves = table_new(a), .half_names = table_new(a),
                    .type_vars = table_new(a), .open_calls = table_new(a),
                    .sites = sites_open(a, index)};
    type_vars_note(&cx, checked->module.body);
    IrWalker w = {.cx = &cx, .expr = note_expr, .stmt = note_stmt, .arg = note_arg,
                  .alias = note_alias};
    ir_index_walk(&w, index, (IrKinds){IR_KIND(EXPR_NAME), IR_KIND(STMT_FUNCTION_DEF) |
                                                           IR_KIND(STMT_CLASS_DEF)});
    return cx;
}

Sym project_any_name(ProjectCx *cx)
{
    cx->adds_any = true;
    return names_get(cx->names, "Any");
}

Sym project_runtime_name(ProjectCx *cx, const char *name)
{
    Sym own = names_get(cx->names, name);
    return table_get(cx->bound, own) == NULL ? own : names_format(cx->names, "%s_", name);
}

static Table *inner_table(ProjectCx *cx, Table *outer, const void *key)
{
    Table *t = table_get(outer, key);
    if (t == NULL) {
        t = table_new(cx->arena);
        table_set(outer, key, t);
    }
    return t;
}

Sym project_half_name(ProjectCx *cx, Sym name, Sym formal)
{
    Table *known = inner_table(cx, cx->half_names, name);
    Sym half = table_get(known, formal);
    if (half != NULL)
        return half;
    half = names_format(cx->names, "%s_%s", name, formal);
    while (table_get(cx->identifiers, half) != NULL)
        half = names_format(cx->names, "%s_", half);
    table_set(known, formal, (void *)half);
    table_set(cx->identifiers, half, cx);
    return half;
}

// ---- which names of a function a role needs ----

typedef struct Needs { Table *used; Sym role; Vec(const Stmt *) local; Arena *arena; } Needs;

static bool is_called_here(const Expr *call, Sym role)
{
    const Expr *f = call->call.func;
    return role_in(call->roles, role) || (f->kind == EXPR_INST && role_in(f->inst.acts, role));
}

static bool need_expr(void *cx, const Expr *e)
{
    Needs *n = cx;
    const Expr *callee = e->kind == EXPR_CALL ? e->call.func : NULL;
    if (callee != NULL && callee->kind == EXPR_INST)
        callee = callee->inst.target;
    if (callee != NULL && callee->kind == EXPR_NAME && is_called_here(e, n->role))
        table_set(n->used, callee->name.id, n);
    if (e->kind == EXPR_NAME && role_in(e->roles, n->role))
        table_set(n->used, e->name.id, n);
    return true;
}

static bool need_stmt(void *cx, const Stmt *s)
{
    Needs *n = cx;
    if (s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF && s->kind != STMT_CHOREO)
        return true;
    vec_push(n->arena, &n->local, s);
    return false;
}

static bool need_any(void *cx, const Expr *e)
{
    Needs *n = cx;
    if (e->kind == EXPR_NAME)
        table_set(n->used, e->name.id, n);
    return true;
}

static Sym definition_name(const Stmt *s)
{
    if (s->kind == STMT_CHOREO)
        s = s->choreo.def;
    return s->kind == STMT_FUNCTION_DEF ? s->function_def.name : s->class_def.name;
}

// Definitions that are needed need what they mention.
static void need_definitions(Needs *n)
{
    bool again = true;
    while (again) {
        again = false;
        for (size_t i = 0; i < n->local.len; i++) {
            const Stmt *s = n->local.at[i];
            if (s == NULL || table_get(n->used, definition_name(s)) == NULL)
                continue;
            IrWalker w = {.cx = n, .expr = s->kind == STMT_CHOREO ? need_expr : need_any};
            ir_walk_stmt(&w, s);
            n->local.at[i] = NULL;
            again = true;
        }
    }
}

bool project_needs(Half *h, Sym name)
{
    if (h->used == NULL) {
        Needs n = {.used = table_new(h->arena), .role = h->role, .arena = h->arena};
        IrWalker w = {.cx = &n, .expr = need_expr, .stmt = need_stmt};
        ir_walk_stmts(&w, h->function->function_def.body);
        need_definitions(&n);
        h->used = n.used;
    }
    return table_get(h->used, name) != NULL;
}

// ---- annotations ----

Span block_span(StmtList block)
{
    return block.len == 0 ? (Span){0} : span_join(block.at[0]->at, block.at[block.len - 1]->at);
}

static const Expr *runtime_type(Half *h, Span at, const char *name)
{
    return expr_name(h->arena, at, project_runtime_name(h->cx, name), EXPR_CONTEXT_LOAD);
}

static const Expr *none_of(Half *h, Span at)
{
    return expr_constant(h->arena, at, const_none(h->arena), NULL);
}

// The half of a definition, or of a generic class that is given its type arguments.
const Expr *project_half_of(Half *h, const Expr *target, Sym formal)
{
    if (target->kind == EXPR_NAME)
        return expr_name(h->arena, target->at, project_half_name(h->cx, target->name.id, formal),
                         EXPR_CONTEXT_LOAD);
    if (target->kind != EXPR_SUBSCRIPT)
        return target;
    return expr_subscript(h->arena, target->at,
                          project_half_of(h, target->subscript.value, formal),
                          target->subscript.slice, EXPR_CONTEXT_LOAD);
}

// `C[A, B]` is the half that this role plays, and every channel class one end of a channel.
static const Expr *project_instance_type(Half *h, const Expr *e)
{
    for (size_t i = 0; i < e->inst.formals.len; i++)
        if (e->inst.actuals.at[i] == h->role)
            return project_half_of(h, e->inst.target, e->inst.formals.at[i]);
    return e->inst.formals.len == 0 ? runtime_type(h, e->at, "Channel") : e->inst.target;
}

// A part of a located tuple, or a parameter of a function, that is elsewhere is Unit.
static const Expr *project_part(Half *h, const Expr *e)
{
    const Expr *type = project_annotation(h, e);
    return type != NULL ? type : runtime_type(h, e->at, "Unit");
}

static ExprList project_parts(Half *h, ExprList parts)
{
    const Expr **out = ARENA_ARRAY(h->arena, const Expr *, parts.len);
    for (size_t i = 0; i < parts.len; i++)
        out[i] = project_part(h, parts.at[i]);
    return (ExprList){out, parts.len};
}

// `Callable[[L1, L2], L]`: what the function is at this role. It gives None if its result is
// elsewhere.
static const Expr *project_callable_type(Half *h, ExprList parts)
{
    Arena *a = h->arena;
    const Expr *params = parts.at[0], *result = project_annotation(h, parts.at[1]);
    const Expr **two = ARENA_ARRAY(a, const Expr *, 2);
    two[0] = expr_list(a, params->at, project_parts(h, params->list.elts), EXPR_CONTEXT_LOAD);
    two[1] = result != NULL ? result : none_of(h, parts.at[1]->at);
    return expr_tuple(a, params->at, (ExprList){two, 2}, EXPR_CONTEXT_LOAD);
}

// A type with located parts: a tuple, or a function.
static const Expr *project_type(Half *h, const Expr *e)
{
    const Expr *slice = e->kind == EXPR_SUBSCRIPT ? e->subscript.slice : NULL;
    if (slice == NULL || (slice->kind != EXPR_TUPLE && slice->kind != EXPR_LOCATED))
        return e;
    bool callable = slice->kind == EXPR_TUPLE && slice->tuple.elts.len == 2 &&
                    slice->tuple.elts.at[0]->kind == EXPR_LIST;
    if (slice->kind == EXPR_LOCATED)
        slice = project_part(h, slice);
    else if (callable)
        slice = project_callable_type(h, slice->tuple.elts);
    else
        slice = expr_tuple(h->arena, slice->at, project_parts(h, slice->tuple.elts),
                           EXPR_CONTEXT_LOAD);
    return expr_subscript(h->arena, e->at, e->subscript.value, slice, EXPR_CONTEXT_LOAD);
}

const Expr *project_annotation(Half *h, const Expr *e)
{
    if (e->kind != EXPR_LOCATED)
        return e;
    if (!role_in(e->located.at_roles, h->role))
        return NULL;
    const Expr *type = e->located.type;
    return type->kind == EXPR_INST ? project_instance_type(h, type) : project_type(h, type);
}

static bool is_located(const Expr *e) { return e != NULL && e->kind == EXPR_LOCATED; }

// ---- signatures ----

static const Arg *project_arg(Half *h, const Arg *arg)
{
    if (arg == NULL || !is_located(arg->annotation))
        return arg;
    const Expr *annotation = project_annotation(h, arg->annotation);
    if (annotation == NULL)
        annotation = runtime_type(h, arg->annotation->at, "Unit");
    return arg_new(h->arena, arg->at, arg->arg, annotation);
}

static ArgList project_args(Half *h, ArgList args)
{
    const Arg **out = ARENA_ARRAY(h->arena, const Arg *, args.len);
    for (size_t i = 0; i < args.len; i++)
        out[i] = project_arg(h, args.at[i]);
    return (ArgList){out, args.len};
}

static const Expr *project_default(Half *h, const Arg *arg, const Expr *value)
{
    if (value == NULL || !is_located(arg->annotation))
        return value;
    const Expr *own = project_annotation(h, arg->annotation) != NULL ? project_inner(h, value)
                                                                     : NULL;
    return project_or_unit(h, own, value->at);
}

// Defaults belong to the last of the positional parameters.
static ExprList project_defaults(Half *h, const Arguments *args)
{
    size_t n = args->defaults.len, first = args->posonlyargs.len + args->args.len - n;
    const Expr **out = ARENA_ARRAY(h->arena, const Expr *, n);
    for (size_t i = 0; i < n; i++) {
        size_t p = first + i, only = args->posonlyargs.len;
        const Arg *arg = p < only ? args->posonlyargs.at[p] : args->args.at[p - only];
        out[i] = project_default(h, arg, args->defaults.at[i]);
    }
    return (ExprList){out, n};
}

static const Arguments *project_arguments(Half *h, const Arguments *args)
{
    const Expr **kw = ARENA_ARRAY(h->arena, const Expr *, args->kw_defaults.len);
    for (size_t i = 0; i < args->kw_defaults.len; i++)
        kw[i] = project_default(h, args->kwonlyargs.at[i], args->kw_defaults.at[i]);
    ExprList defaults = project_defaults(h, args);
    ArgList posonly = project_args(h, args->posonlyargs), plain = project_args(h, args->args);
    const Arg *vararg = project_arg(h, args->vararg);
    ArgList kwonly = project_args(h, args->kwonlyargs);
    return arguments_new(h->arena, posonly, plain, vararg, kwonly,
                         (ExprList){kw, args->kw_defaults.len}, project_arg(h, args->kwarg),
                         defaults);
}

// ---- functions ----

static bool is_docstring(const Stmt *s)
{
    return s->kind == STMT_EXPR && s->expr.value->kind == EXPR_CONSTANT &&
           s->expr.value->constant.value->kind == CONST_STR;
}

static Half open_half(ProjectCx *cx, const Stmt *choreo, const Stmt *function, Sym role)
{
    Arena *a = cx->arena;
    Half h = {.cx = cx, .arena = a, .role = role, .choreo = choreo, .function = function,
              .annotations = table_new(a),
              .end = code_cons(a, stmt_return(a, function->at, NULL), NULL),
              .again = code_cons(a, stmt_continue(a, function->at), NULL),
              .leave = code_cons(a, stmt_break(a, function->at), NULL)};
    return h;
}

static bool gives_value(StmtList body);

static bool try_gives_value(const Stmt *s)
{
    for (size_t i = 0; i < s->try.handlers.len; i++)
        if (gives_value(s->try.handlers.at[i]->except_handler.body))
            return true;
    return gives_value(s->try.body) || gives_value(s->try.orelse);
}

static bool stmt_gives_value(const Stmt *s)
{
    switch (s->kind) {
    case STMT_RETURN: return s->return_.value != NULL;
    case STMT_IF:     return gives_value(s->if_.body) || gives_value(s->if_.orelse);
    case STMT_FOR:    return gives_value(s->for_.body) || gives_value(s->for_.orelse);
    case STMT_WHILE:  return gives_value(s->while_.body) || gives_value(s->while_.orelse);
    case STMT_OFFER:
        for (size_t i = 0; i < s->offer.arms.len; i++)
            if (gives_value(s->offer.arms.at[i]->body))
                return true;
        return false;
    case STMT_WITH:   return gives_value(s->with.body);
    case STMT_TRY:    return try_gives_value(s);
    case STMT_MATCH:
        for (size_t i = 0; i < s->match.cases.len; i++)
            if (gives_value(s->match.cases.at[i]->body))
                return true;
        return false;
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF: case STMT_DELETE:
    case STMT_ASSIGN: case STMT_TYPE_ALIAS: case STMT_AUG_ASSIGN: case STMT_ANN_ASSIGN:
    case STMT_ASYNC_FOR: case STMT_ASYNC_WITH: case STMT_RAISE: case STMT_TRY_STAR:
    case STMT_ASSERT: case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_GLOBAL:
    case STMT_NONLOCAL: case STMT_EXPR: case STMT_PASS: case STMT_BREAK: case STMT_CONTINUE:
    case STMT_CHOREO: case STMT_STOPPED: case STMT_TAPE: case STMT_KEEP:
    case STMT_BACK: case STMT_COUNT:
        return false;
    }
    return false;
}

static bool gives_value(StmtList body)
{
    for (size_t i = 0; i < body.len; i++)
        if (stmt_gives_value(body.at[i]))
            return true;
    return false;
}

static const Expr *project_result(Half *h, const Expr *returns, StmtList body, Span at)
{
    const Expr *type = returns == NULL ? NULL : project_annotation(h, returns);
    if (type != NULL && h->result_here)
        return type;
    return gives_value(body) ? NULL : none_of(h, at);
}

static bool is_ellipsis(const Stmt *s)
{
    return s->kind == STMT_EXPR && s->expr.value->kind == EXPR_CONSTANT &&
           s->expr.value->constant.value->kind == CONST_ELLIPSIS;
}

// A declaration of a method: `...`, perhaps behind its documentation.
static bool is_declaration(StmtList body)
{
    for (size_t i = 0; i < body.len; i++)
        if (!is_ellipsis(body.at[i]) && !(i == 0 && is_docstring(body.at[i])))
            return false;
    return body.len > 0;
}

static StmtList project_body(Half *h, StmtList source, const Arguments *args, Span at)
{
    if (is_declaration(source))
        return source;
    bool documented = source.len > 0 && is_docstring(source.at[0]);
    StmtList rest = {source.at + documented, source.len - documented};
    const Code *code = project_block(h, rest, h->end);
    StmtList body = code_finish(h, code, BLOCK_RETURNS);
    if (!h->goes_on && gives_value(body)) {             // a result that is not declared
        h->goes_on = true;
        body = code_finish(h, code, BLOCK_RETURNS);
    }
    body = normalise_names(h, body, args);
    if (!documented)
        return block_or_pass(h, body, at);
    const Stmt **all = ARENA_ARRAY(h->arena, const Stmt *, body.len + 1);
    all[0] = source.at[0];
    for (size_t i = 0; i < body.len; i++)
        all[i + 1] = body.at[i];
    return (StmtList){all, body.len + 1};
}

// The half of a FunctionDef whose roles are those of `choreo`.
static const Stmt *project_function(ProjectCx *cx, const Stmt *choreo, const Stmt *def, Sym role,
                                    Sym name)
{
    Half half = open_half(cx, choreo, def, role), *h = &half;
    const Expr *returns = def->function_def.returns;
    h->result_here = returns == NULL ||
                     (is_located(returns) && project_annotation(h, returns) != NULL);
    h->goes_on = def != cx->last || (returns != NULL && h->result_here);
    const Arguments *args = project_arguments(h, def->function_def.args);
    StmtList body = project_body(h, def->function_def.body, args, def->at);
    return stmt_function_def(cx->arena, def->at, name, args, body,
                             def->function_def.decorator_list,
                             project_result(h, returns, body, def->at),
                             def->function_def.type_params);
}

const Stmt *project_nested(Half *h, const Stmt *def)
{
    return project_function(h->cx, h->choreo, def, h->role, def->function_def.name);
}

// ---- classes ----

static bool mark_located(void *cx, const Expr *e)
{
    bool *found = cx;
    *found = *found || e->kind == EXPR_LOCATED || e->roles.len > 0;
    return !*found;
}

// Mentions no role: the same code at every role.
static bool is_local(const Stmt *s)
{
    bool located = false;
    IrWalker w = {.cx = &located, .expr = mark_located};
    ir_walk_stmt(&w, s);
    return !located;
}

static bool is_named(const Expr *e, const char *name)
{
    return (e->kind == EXPR_NAME && sym_is(e->name.id, name)) ||
        (e->kind == EXPR_ATTRIBUTE && sym_is(e->attribute.attr, name));
}

static bool is_dataclass(const Stmt *def)
{
    ExprList list = def->class_def.decorator_list;
    for (size_t i = 0; i < list.len; i++)
        if (is_named(list.at[i]->kind == EXPR_CALL ? list.at[i]->call.func : list.at[i],
                     "dataclass"))
            return true;
    return false;
}

// `field(..)` of a field that others have: it stays a parameter of the same kind, or none.
static const Expr *field_of_others(Half *h, const Expr *call)
{
    static const char *const KEPT[] = {"init", "kw_only", NULL};
    static const char *const VALUES[] = {"default", "default_factory", NULL};
    Arena *a = h->arena;
    Vec(const Keyword *) keywords = {0};
    for (size_t i = 0; i < call->call.keywords.len; i++) {
        const Keyword *k = call->call.keywords.at[i];
        bool value = k->arg != NULL && sym_is_one_of(k->arg, VALUES);
        if (value)
            k = keyword_new(a, k->at, names_get(h->cx->names, "default"),
                            project_or_unit(h, NULL, k->at));
        if (value || (k->arg != NULL && sym_is_one_of(k->arg, KEPT)))
            vec_push(a, &keywords, k);
    }
    return expr_call(a, call->at, call->call.func, (ExprList){0},
                     (KeywordList){keywords.at, keywords.len});
}

static const Expr *project_field_value(Half *h, const Stmt *s, bool own)
{
    const Expr *value = s->ann_assign.value;
    if (value == NULL)
        return NULL;
    if (!own && value->kind == EXPR_CALL && is_named(value->call.func, "field"))
        return field_of_others(h, value);
    return project_or_unit(h, own ? project_inner(h, value) : NULL, s->at);
}

// A declared field. The generated constructor of a dataclass has a place for every field.
static const Stmt *project_field(Half *h, const Stmt *def, const Stmt *s)
{
    if (is_named(s->ann_assign.annotation, "KW_ONLY"))
        return s;
    const Expr *annotation = project_annotation(h, s->ann_assign.annotation);
    if (annotation == NULL && !is_dataclass(def))
        return NULL;
    const Expr *value = project_field_value(h, s, annotation != NULL);
    if (annotation == NULL)
        annotation = runtime_type(h, s->at, "Unit");
    return stmt_ann_assign(h->arena, s->at, s->ann_assign.target, annotation, value,
                           s->ann_assign.simple);
}

static const Stmt *project_member(Half *h, const Stmt *def, const Stmt *s)
{
    if (s->kind == STMT_ANN_ASSIGN)
        return project_field(h, def, s);
    if (s->kind == STMT_FUNCTION_DEF && !is_local(s))
        return type_vars_close(h->cx, def, project_function(h->cx, h->choreo, s, h->role,
                                                            s->function_def.name));
    return s->kind == STMT_PASS ? NULL : s;
}

static const Stmt *project_class(ProjectCx *cx, const Stmt *choreo, Sym formal)
{
    const Stmt *def = choreo->choreo.def;
    Half h = open_half(cx, choreo, def, formal);
    Vec(const Stmt *) body = {0};
    for (size_t i = 0; i < def->class_def.body.len; i++) {
        const Stmt *s = project_member(&h, def, def->class_def.body.at[i]);
        if (s != NULL)
            vec_push(cx->arena, &body, s);
    }
    ExprList from = def->class_def.bases;
    const Expr **bases = ARENA_ARRAY(cx->arena, const Expr *, from.len);
    for (size_t i = 0; i < from.len; i++)
        bases[i] = from.at[i]->kind == EXPR_INST ? project_instance_type(&h, from.at[i])
                                                 : from.at[i];
    return stmt_class_def(cx->arena, def->at,
                          project_half_name(cx, def->class_def.name, formal),
                          (ExprList){bases, from.len}, def->class_def.keywords,
                          block_or_pass(&h, (StmtList){body.at, body.len}, def->at),
                          def->class_def.decorator_list, def->class_def.type_params);
}

static const Stmt *project_half(ProjectCx *cx, const Stmt *choreo, Sym formal)
{
    const Stmt *def = choreo->choreo.def;
    if (def->kind == STMT_CLASS_DEF)
        return project_class(cx, choreo, formal);
    Sym name = project_half_name(cx, def->function_def.name, formal);
    return type_vars_close(cx, NULL, project_function(cx, choreo, def, formal, name));
}

StmtList project_definition(ProjectCx *cx, const Stmt *choreo, Sym formal)
{
    Table *known = inner_table(cx, cx->halves, choreo);
    StmtList *list = table_get(known, formal);
    if (list != NULL)
        return *list;
    const Stmt **half = ARENA_NEW(cx->arena, const Stmt *);
    *half = project_half(cx, choreo, formal);
    list = ARENA_NEW(cx->arena, StmtList);
    *list = (StmtList){half, 1};
    table_set(known, formal, list);
    return *list;
}
