// erase.c - takes the roles out of a checked unit.
//
// Located types, pins and instantiations become what they are about; a message becomes a call of
// the central channel, which copies as the wire does. What may act or fail is run as the roles that
// hold it: a call through `by(roles, f)(...)`, another form through `at(roles, lambda: ...)`, a run
// of statements of the same roles in `with turn(roles):`. So every line that is printed, and every
// exception, is some role's. All of these give back what they get, for the eyes of a type checker.

#include "compiler/emit/erase.h"

#include <string.h>

#include "compiler/emit/endpoint.h"
#include "compiler/emit/erase_internal.h"
#include "compiler/emit/python.h"
#include "compiler/emit/site_table.h"
#include "compiler/ir/free_names.h"

// ---- building ----

const Expr *erase_name(const Eraser *x, Sym id)
{
    return expr_name(x->arena, (Span){0, 0}, id, EXPR_CONTEXT_LOAD);
}

static const Expr *text_of(const Eraser *x, const char *text)
{
    const Const *value = const_str(x->arena, (Text){text, strlen(text)});
    return expr_constant(x->arena, (Span){0, 0}, value, NULL);
}

static ExprList list_of(const Eraser *x, const Expr *e)
{
    const Expr **at = ARENA_NEW(x->arena, const Expr *);
    *at = e;
    return (ExprList){at, 1};
}

const Expr *erase_roles(const Eraser *x, SymList roles)
{
    Vec(const Expr *) texts = {0};
    if (roles.len == 1)
        return text_of(x, roles.at[0]);
    for (size_t i = 0; i < roles.len; i++)
        vec_push(x->arena, &texts, text_of(x, roles.at[i]));
    return expr_tuple(x->arena, (Span){0, 0}, (ExprList){texts.at, texts.len}, EXPR_CONTEXT_LOAD);
}

static const Expr *method(const Eraser *x, const Expr *object, const char *name)
{
    return expr_attribute(x->arena, object->at, object, names_get(x->names, name),
                          EXPR_CONTEXT_LOAD);
}

// ---- without roles ----

static const Expr *strip_expr(IrMapper *m, const Expr *e)
{
    const Eraser *x = m->cx;
    if (e->kind == EXPR_PIN)
        return e->pin.value;
    if (e->kind != EXPR_LOCATED)
        return e;
    if (e->located.type->kind != EXPR_INST)
        return e->located.type;
    if (e->located.type->inst.formals.len == 0)
        return erase_name(x, x->channel_class);
    return e->located.type->inst.target;
}

StmtList erase_strip(const Eraser *x, StmtList body)
{
    IrMapper m = {.arena = x->arena, .cx = (void *)x, .expr = strip_expr};
    return ir_map_stmts(&m, body);
}

// ---- expressions ----

// What stands for an expression has its type and roles, for those around it to judge.
static const Expr *in_place_of(const Eraser *x, const Expr *e, const Expr *made)
{
    return expr_with_ty(x->arena, made, e->ty, e->roles);
}

static const Keyword *keyword_of(const Eraser *x, const Expr *com, const char *name,
                                 const Expr *value)
{
    return keyword_new(x->arena, com->at, names_get(x->names, name), value);
}

// `ch.com(e, expect=T, sender="A", place="auth.pyc:12")`. The type is put in as the text that a
// receive would have.
static const Expr *com_call(const Eraser *x, const Expr *com)
{
    Buf type = buf_new(x->arena);
    emit_ty(&type, com->com.payload);
    const Keyword **keywords = ARENA_ARRAY(x->arena, const Keyword *, 3);
    size_t count = 0;
    keywords[count++] =
        keyword_of(x, com, "expect", erase_name(x, names_get(x->names, buf_text(&type))));
    keywords[count++] = keyword_of(x, com, "sender", text_of(x, com->com.sender));
    if (x->source != NULL)
        keywords[count++] = keyword_of(x, com, "place",
                                       text_of(x, site_place(x->arena, x->source, com->at)));
    return expr_call(x->arena, com->at, method(x, com->com.channel, "com"),
                     list_of(x, com->com.value), (KeywordList){keywords, count});
}

// `first(given, function)(arguments...)`: whoever type-checks it sees the call as it was written,
// since `first` gives back what it gets.
static const Expr *call_through(const Eraser *x, const Expr *e, Sym first, const Expr *given,
                                const Expr *function)
{
    const Expr **args = ARENA_ARRAY(x->arena, const Expr *, 2);
    args[0] = given;
    args[1] = function;
    return expr_call(x->arena, e->at,
                     expr_call(x->arena, e->at, erase_name(x, first), (ExprList){args, 2},
                               (KeywordList){0}),
                     e->call.args, e->call.keywords);
}

static const Expr *lambda_of(const Eraser *x, ArgList args, const Expr *body)
{
    const Arguments *all = arguments_new(x->arena, (ArgList){0}, args, NULL, (ArgList){0},
                                         (ExprList){0}, NULL, (ExprList){0});
    return expr_lambda(x->arena, body->at, all, body);
}

// `at("A", lambda x, y: ..., left, right)`.
static const Expr *run_lambda(const Eraser *x, const Expr *e, SymList roles, const Expr *lambda,
                              ExprList operands)
{
    Vec(const Expr *) args = {0};
    vec_push(x->arena, &args, erase_roles(x, roles));
    vec_push(x->arena, &args, lambda);
    for (size_t i = 0; i < operands.len; i++)
        vec_push(x->arena, &args, operands.at[i]);
    return expr_call(x->arena, e->at, erase_name(x, x->at), (ExprList){args.at, args.len},
                     (KeywordList){0});
}

// `by("A", f)(a, b)` where the arguments do nothing but be there, else `at("A", lambda: ...)`.
static const Expr *run_as(const Eraser *x, const Expr *e)
{
    SymList roles = survey_expr(x, e).roles;
    if (e->kind == EXPR_CALL && e->call.func->kind != EXPR_LAMBDA && !survey_arguments(x, e).acts)
        return call_through(x, e, x->by, erase_roles(x, roles), e->call.func);
    ArgList params;
    ExprList operands;
    const Expr *body = known_inside(x, e, &params, &operands);
    return run_lambda(x, e, roles, lambda_of(x, params, body), operands);
}

// `at("A", lambda x, y: x + y, left, right)`: the operands are messages, or have been run already.
static const Expr *run_operator(const Eraser *x, const Expr *e, const Expr *left,
                                const Expr *right)
{
    static const char *const names[] = {"x", "y"};
    const Expr *operands[] = {left, right}, *inside[2] = {NULL, NULL}, *body = e;
    Vec(const Arg *) params = {0};
    Vec(const Expr *) args = {0};
    for (size_t i = 0; i < 2 && operands[i]; i++) {
        Sym name = names_get(x->names, names[i]);
        inside[i] = erase_name(x, name);
        vec_push(x->arena, &params, arg_new(x->arena, e->at, name, NULL));
        vec_push(x->arena, &args, operands[i]);
    }
    if (e->kind == EXPR_BIN_OP)
        body = expr_bin_op(x->arena, e->at, inside[0], e->bin_op.op, inside[1]);
    else if (e->kind == EXPR_COMPARE)
        body = expr_compare(x->arena, e->at, inside[0], e->compare.ops, list_of(x, inside[1]));
    else if (e->kind == EXPR_SUBSCRIPT)
        body = expr_subscript(x->arena, e->at, inside[0], right ? inside[1] : e->subscript.slice,
                              EXPR_CONTEXT_LOAD);
    else
        body = expr_unary_op(x->arena, e->at, e->unary_op.op, inside[0]);
    return run_lambda(x, e, e->roles, lambda_of(x, (ArgList){params.at, params.len}, body),
                      (ExprList){args.at, args.len});
}

// Which part of a tuple is meant, a type checker sees at a literal alone.
static bool is_literal_index(const Expr *e)
{
    return e->kind == EXPR_CONSTANT
           || (e->kind == EXPR_UNARY_OP && e->unary_op.operand->kind == EXPR_CONSTANT);
}

// A form that may act and has a message, or a choreographic call, among its parts: these come
// first.
static const Expr *run_open(const Eraser *x, const Expr *e)
{
    if (e->roles.len == 0 || !survey_acts_itself(x, e) || !survey_is_value(e))
        return e;
    if (e->kind == EXPR_CALL && e->call.func->kind == EXPR_LAMBDA && e->call.keywords.len == 0)
        return run_lambda(x, e, e->roles, e->call.func, e->call.args);
    if (e->kind == EXPR_CALL)
        return call_through(x, e, x->by, erase_roles(x, e->roles), e->call.func);
    if (e->kind == EXPR_BIN_OP)
        return run_operator(x, e, e->bin_op.left, e->bin_op.right);
    if (e->kind == EXPR_COMPARE && e->compare.comparators.len == 1)
        return run_operator(x, e, e->compare.left, e->compare.comparators.at[0]);
    if (e->kind == EXPR_SUBSCRIPT && e->subscript.slice->kind != EXPR_SLICE)
        return run_operator(x, e, e->subscript.value,
                            is_literal_index(e->subscript.slice) ? NULL : e->subscript.slice);
    return e->kind == EXPR_UNARY_OP ? run_operator(x, e, e->unary_op.operand, NULL) : e;
}

// Which roles of the callee are played by which of the caller, where they differ; NULL if nowhere.
static const Expr *cast_of(const Eraser *x, const Expr *inst)
{
    SymList formals = inst->inst.formals, actuals = inst->inst.actuals;
    const Expr *target = inst->inst.target;
    Vec(const Expr *) keys = {0}, values = {0};
    if (target->ty && target->ty->kind == TY_CALLABLE)      // a value knows who plays what
        return NULL;
    if (formals.len == 0 && target->kind == EXPR_ATTRIBUTE && target->attribute.value->ty
        && target->attribute.value->ty->kind == TY_INST) {
        const Ty *object = target->attribute.value->ty;
        const Stmt *choreo = table_get(x->choreos, object->inst.name);
        formals = choreo ? choreo->choreo.formals : formals;
        actuals = object->inst.actuals;
    }
    for (size_t i = 0; i < formals.len && i < actuals.len; i++) {
        if (formals.at[i] == actuals.at[i])
            continue;
        vec_push(x->arena, &keys, text_of(x, formals.at[i]));
        vec_push(x->arena, &values, text_of(x, actuals.at[i]));
    }
    return keys.len == 0 ? NULL
                         : expr_dict(x->arena, inst->at, (ExprList){keys.at, keys.len},
                                     (ExprList){values.at, values.len});
}

// Type arguments say nothing at run time.
static const Expr *without_types(const Eraser *x, const Expr *target)
{
    if (target->kind == EXPR_SUBSCRIPT)
        return target->subscript.value;
    if (target->kind != EXPR_ATTRIBUTE || target->attribute.value->kind != EXPR_SUBSCRIPT
        || target->attribute.value->ty)
        return target;
    return expr_attribute(x->arena, target->at, target->attribute.value->subscript.value,
                          target->attribute.attr, EXPR_CONTEXT_LOAD);
}

// `virtual(Link, ("Alice", "Bob"), link.push)`: as what the instance is seen, and who plays that.
// NULL if it is no matter of a family.
static const Expr *family_member(const Eraser *x, const Expr *inst)
{
    Sym seen;
    SymList actors;
    if (!family_call(x, inst, &seen, &actors))
        return NULL;
    const Expr **args = ARENA_ARRAY(x->arena, const Expr *, 3);
    args[0] = erase_name(x, seen);
    args[1] = family_roles(x, actors);
    args[2] = without_types(x, inst->inst.target);
    return expr_call(x->arena, inst->at, erase_name(x, x->virtual_), (ExprList){args, 3},
                     (KeywordList){0});
}

// `f(...)`, or `cast({"Buyer": "Alice"}, f)(...)` where roles change their names.
static const Expr *choreographic_call(const Eraser *x, const Expr *e)
{
    const Expr *inst = e->call.func, *member = family_member(x, inst);
    if (member)
        return expr_call(x->arena, e->at, member, e->call.args, e->call.keywords);
    const Expr *cast = cast_of(x, inst), *target = without_types(x, inst->inst.target);
    return cast ? call_through(x, e, x->cast, cast, target)
                : expr_call(x->arena, e->at, target, e->call.args, e->call.keywords);
}

// `cast({"Buyer": "Alice"}, f)`: a choreography as a value, wherever it is called.
static const Expr *choreographic_value(const Eraser *x, const Expr *inst)
{
    const Expr *member = family_member(x, inst);
    if (member)
        return member;
    const Expr **args = ARENA_ARRAY(x->arena, const Expr *, 2);
    const Expr *cast = cast_of(x, inst);
    args[0] = cast ? cast : expr_dict(x->arena, inst->at, (ExprList){0}, (ExprList){0});
    args[1] = inst->inst.target;
    return expr_call(x->arena, inst->at, erase_name(x, x->cast), (ExprList){args, 2},
                     (KeywordList){0});
}

// `whole` holds the largest expressions that act at one role set only, `inside` what they consist
// of.
// `surveys` is what is known of the links of long spines.
// `callees` are what is called: functions, whatever the checker knows of them.
// `formats` are what stands behind the colon of a field: text with fields, and no value itself.
// `test` is what decides on an arm.
typedef struct Wrapper {
    const Eraser *x;
    Table *whole, *inside, *surveys, *callees, *formats;
    const Expr *test;
} Wrapper;

// A condition of several parts: each acts by itself, so that a type checker sees what the others
// say of types. Their truth is no code of the program.
static bool is_known_truth(const Expr *e)
{
    if (e->kind != EXPR_BOOL_OP)
        return false;
    for (size_t i = 0; i < e->bool_op.values.len; i++)
        if (!survey_is_scalar(e->bool_op.values.at[i]->ty))
            return false;
    return true;
}

static bool note_inside(void *cx, const Expr *e)
{
    table_set(((Wrapper *)cx)->inside, e, cx);
    return true;
}

static bool find_whole(void *cx, const Expr *e)
{
    Wrapper *w = cx;
    const Survey *s = survey_spine(w->x, w->surveys, e);
    IrWalker walker = {.cx = w, .expr = note_inside};
    if (e->kind == EXPR_CALL)
        table_set(w->callees, e->call.func, w);
    if (e->kind == EXPR_FORMATTED_VALUE && e->formatted_value.format_spec)
        table_set(w->formats, e->formatted_value.format_spec, w);
    if (!s->acts && !s->choreographic)
        return false;
    if (s->choreographic || s->mixed || s->binds || s->roles.len == 0 || !survey_is_value(e)
        || table_get(w->formats, e) || (w->test == e && is_known_truth(e)))
        return true;
    ir_walk_expr(&walker, e);
    table_set(w->whole, e, w);
    return false;
}

// What is noted holds no message, so it reaches this as it was.
static const Expr *wrap_expr(IrMapper *m, const Expr *e)
{
    const Wrapper *w = m->cx;
    const Eraser *x = w->x;
    if (table_get(w->whole, e) && table_get(w->callees, e))
        return in_place_of(x, e, run_as(x, expr_with_ty(x->arena, e, NULL, e->roles)));
    if (table_get(w->whole, e))
        return in_place_of(x, e, run_as(x, e));
    if (e->kind == EXPR_INST && e->ty)      // not the callee of a call
        return in_place_of(x, e, choreographic_value(x, e));
    if (table_get(w->inside, e) || e->kind == EXPR_INST)
        return e;
    if (e->kind == EXPR_COM)
        return in_place_of(x, e, com_call(x, e));
    if (e->kind == EXPR_SELECT)
        return expr_call(m->arena, e->at, method(x, e->select.channel, "select"),
                         list_of(x, e->select.label), (KeywordList){0});
    if (e->kind == EXPR_CALL && e->call.func->kind == EXPR_INST)
        return in_place_of(x, e, choreographic_call(x, e));
    return run_open(x, e);
}

static bool into_no_stmt(void *cx, const Stmt *s)
{
    (void)cx;
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CHOREO;
}

// A statement whose parts are of different roles.
static const Stmt *wrap_stmt(const Eraser *x, const Stmt *s, const Expr *test)
{
    Wrapper w = {.x = x, .test = test, .whole = table_new(x->arena),
                 .inside = table_new(x->arena), .surveys = table_new(x->arena),
                 .callees = table_new(x->arena), .formats = table_new(x->arena)};
    IrWalker walker = {.cx = &w, .stmt = into_no_stmt, .expr = find_whole};
    IrMapper mapper = {.arena = x->arena, .cx = &w, .expr = wrap_expr};
    ir_walk_stmt(&walker, s);
    return ir_map_stmt(&mapper, s);
}

const Expr *erase_test(const Eraser *x, const Expr *test)
{
    return wrap_stmt(x, stmt_expr(x->arena, test->at, test), test)->expr.value;
}

// `at("A", lambda: bool(c))` where a method says whether c is true.
static const Expr *erase_truth(const Eraser *x, const Expr *test)
{
    if (!survey_asks(x, test))
        return erase_test(x, test);
    const Expr *param = erase_name(x, names_get(x->names, "x"));
    const Expr *truth = expr_call(x->arena, test->at, erase_name(x, names_get(x->names, "bool")),
                                  list_of(x, param), (KeywordList){0});
    const Arg **params = ARENA_NEW(x->arena, const Arg *);
    *params = arg_new(x->arena, test->at, param->name.id, NULL);
    return run_lambda(x, test, test->roles, lambda_of(x, (ArgList){params, 1}, truth),
                      list_of(x, erase_test(x, test)));
}

// ---- statements ----

static StmtList one_stmt(const Eraser *x, const Stmt *s)
{
    const Stmt **at = ARENA_NEW(x->arena, const Stmt *);
    *at = s;
    return (StmtList){at, 1};
}

// An `if` with messages in its arms; `elif` chains may be long.
static const Stmt *erase_if(const Eraser *x, const Stmt *s)
{
    Vec(const Stmt *) chain = {0};
    const Stmt *last = s;
    for (const Stmt *link = s; link && link->kind == STMT_IF; link = stmt_spine_child(link)) {
        last = link;
        const Expr *test = erase_truth(x, link->if_.test);
        vec_push(x->arena, &chain, stmt_if(x->arena, link->at, test,
                                           erase_block(x, link->if_.body), (StmtList){0}));
    }
    StmtList orelse = erase_block(x, last->if_.orelse);
    for (size_t i = chain.len; i-- > 0;) {
        const Stmt *arm = chain.at[i];
        orelse = one_stmt(x, stmt_if(x->arena, arm->at, arm->if_.test, arm->if_.body, orelse));
    }
    return orelse.at[0];
}

static ExprList with_decorator(const Eraser *x, const Expr *first, ExprList rest)
{
    Vec(const Expr *) all = {0};
    if (first == NULL)
        return rest;
    vec_push(x->arena, &all, first);
    for (size_t i = 0; i < rest.len; i++)
        vec_push(x->arena, &all, rest.at[i]);
    return (ExprList){all.at, all.len};
}

static ExprList erase_defaults(const Eraser *x, ExprList list)
{
    const Expr **out = ARENA_ARRAY(x->arena, const Expr *, list.len);
    for (size_t i = 0; i < list.len; i++)
        out[i] = list.at[i] ? erase_test(x, list.at[i]) : NULL;
    return (ExprList){out, list.len};
}

// A nested function's defaults are evaluated where it is defined, by the roles of the parameters.
static const Arguments *erase_arguments(const Eraser *x, const Stmt *choreo, const Arguments *from)
{
    if (choreo->choreo.formals.len > 0)
        return from;
    return arguments_new(x->arena, from->posonlyargs, from->args, from->vararg, from->kwonlyargs,
                         erase_defaults(x, from->kw_defaults), from->kwarg,
                         erase_defaults(x, from->defaults));
}

static const Stmt *erase_def(const Eraser *x, const Stmt *choreo, const Stmt *def)
{
    const Stmt *s = def;
    if (s->kind == STMT_FUNCTION_DEF) {
        StmtList code = types_declare(x, s->function_def.args, s->function_def.body);
        Eraser within = *x;
        within.widest = known_widths(x, code);
        x = &within;
        return stmt_function_def(x->arena, s->at, s->function_def.name,
                                 erase_arguments(x, choreo, s->function_def.args),
                                 erase_block(x, code),
                                 s->function_def.decorator_list, s->function_def.returns,
                                 s->function_def.type_params);
    }
    Vec(const Stmt *) body = {0};
    for (size_t i = 0; i < s->class_def.body.len; i++) {
        const Stmt *member = s->class_def.body.at[i];
        vec_push(x->arena, &body,
                 member->kind == STMT_FUNCTION_DEF ? erase_def(x, choreo, member) : member);
    }
    return stmt_class_def(x->arena, s->at, s->class_def.name,
                          family_bases(x, s->class_def.bases),
                          s->class_def.keywords, (StmtList){body.at, body.len},
                          with_decorator(x, family_decorator(x, choreo),
                                         s->class_def.decorator_list),
                          s->class_def.type_params);
}

static const Stmt *erase_while(const Eraser *x, const Stmt *s)
{
    const Expr *test = erase_truth(x, s->while_.test);
    StmtList body = erase_block(x, s->while_.body);
    return stmt_while(x->arena, s->at, test, body, erase_block(x, s->while_.orelse));
}

static const Stmt *erase_for(const Eraser *x, const Stmt *s)
{
    const Expr *iter = erase_test(x, s->for_.iter);
    StmtList body = erase_block(x, s->for_.body);
    return stmt_for(x->arena, s->at, s->for_.target, iter, body, erase_block(x, s->for_.orelse));
}

static const Stmt *erase_mixed(const Eraser *x, const Stmt *s)
{
    if (s->kind == STMT_WHILE)
        return erase_while(x, s);
    if (s->kind == STMT_FOR)
        return erase_for(x, s);
    if (s->kind == STMT_CHOREO)
        return erase_def(x, s, s->choreo.def);
    if (s->kind == STMT_TRY)
        return erase_try(x, s);
    if (s->kind == STMT_WITH)
        return erase_with(x, s);
    if (s->kind == STMT_MATCH)
        return erase_match(x, s);
    if (s->kind == STMT_IF)
        return erase_if(x, s);
    const Stmt **out = ARENA_NEW(x->arena, const Stmt *);
    *out = wrap_stmt(x, s, NULL);
    SymList roles = survey_stores(x, s);
    return roles.len > 0 ? erase_turn(x, roles, (StmtList){out, 1}) : *out;
}

// Whether `x = by("A", f)(y)` says it all.
static bool is_simple(const Eraser *x, const Stmt *s)
{
    switch (s->kind) {
    case STMT_EXPR:
        return !survey_expr(x, s->expr.value).binds;
    case STMT_RETURN:
        return s->return_.value && !survey_expr(x, s->return_.value).binds;
    case STMT_ASSIGN:
        return s->assign.targets.len == 1 && s->assign.targets.at[0]->kind == EXPR_NAME
               && !survey_expr(x, s->assign.value).binds;
    case STMT_ANN_ASSIGN:
        return s->ann_assign.value && s->ann_assign.target->kind == EXPR_NAME
               && !survey_expr(x, s->ann_assign.value).binds;
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF: case STMT_DELETE:
    case STMT_TYPE_ALIAS: case STMT_AUG_ASSIGN: case STMT_FOR: case STMT_ASYNC_FOR:
    case STMT_WHILE: case STMT_IF: case STMT_WITH: case STMT_ASYNC_WITH: case STMT_MATCH:
    case STMT_RAISE: case STMT_TRY: case STMT_TRY_STAR: case STMT_ASSERT: case STMT_IMPORT:
    case STMT_IMPORT_FROM: case STMT_GLOBAL: case STMT_NONLOCAL: case STMT_PASS: case STMT_BREAK:
    case STMT_CONTINUE: case STMT_CHOREO: case STMT_OFFER: case STMT_STOPPED: case STMT_TAPE:
    case STMT_KEEP: case STMT_BACK: case STMT_COUNT:
        break;
    }
    return false;
}

static bool is_local_action(const Survey *s)
{
    return s->acts && s->roles.len > 0 && !s->mixed && !s->choreographic;
}

static bool same_roles(SymList a, SymList b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (a.at[i] != b.at[i])
            return false;
    return true;
}

// `with turn("A"):` around statements that all act as A.
const Stmt *erase_turn(const Eraser *x, SymList roles, StmtList body)
{
    const Expr *call = expr_call(x->arena, body.at[0]->at, erase_name(x, x->turn),
                                 list_of(x, erase_roles(x, roles)), (KeywordList){0});
    const Withitem **items = ARENA_NEW(x->arena, const Withitem *);
    *items = withitem_new(x->arena, call, NULL);
    return stmt_with(x->arena, body.at[0]->at, (WithitemList){items, 1}, body);
}

// How many statements from `i` on act as the same roles as it.
static size_t run_length(const Eraser *x, StmtList block, size_t i, SymList roles)
{
    size_t n = 1;
    for (; i + n < block.len; n++) {
        Survey next = survey_stmt(x, block.at[i + n]);
        if (!is_local_action(&next) || !same_roles(next.roles, roles))
            break;
    }
    return n;
}

StmtList erase_block(const Eraser *x, StmtList block)
{
    Vec(const Stmt *) out = {0};
    for (size_t i = 0; i < block.len;) {
        Survey s = survey_stmt(x, block.at[i]);
        bool acts = s.acts || s.choreographic, local = is_local_action(&s);
        size_t n = local ? run_length(x, block, i, s.roles) : 1;
        if (local && (n > 1 || !is_simple(x, block.at[i]))) {
            vec_push(x->arena, &out, erase_turn(x, s.roles, (StmtList){block.at + i, n}));
        } else {
            vec_push(x->arena, &out, acts ? erase_mixed(x, block.at[i]) : block.at[i]);
        }
        i += n;
    }
    return (StmtList){out.at, out.len};
}

// ---- the module ----

static Sym fresh(const Eraser *x, const char *name)
{
    Sym sym = names_get(x->names, name);
    while (table_get(x->identifiers, sym))
        sym = names_format(x->names, "%s_", sym);
    return sym;
}

static bool note_expr(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        table_set(((Eraser *)cx)->identifiers, e->name.id, cx);
    return true;
}

static bool note_arg(void *cx, const Arg *arg)
{
    table_set(((Eraser *)cx)->identifiers, arg->arg, cx);
    return true;
}

static void note_identifiers(Eraser *x, StmtList body)
{
    IrWalker w = {.cx = x, .expr = note_expr, .arg = note_arg};
    SymList bound = names_bound(x->arena, x->names, body);
    ir_walk_stmts(&w, body);
    for (size_t i = 0; i < bound.len; i++)
        table_set(x->identifiers, bound.at[i], x);
}

static Eraser eraser_new(const CentralCx *cx, StmtList body)
{
    Eraser x = {.arena = cx->arena, .names = cx->names, .source = cx->source,
                .identifiers = table_new(cx->arena),
                .globals = table_new(cx->arena), .choreos = table_new(cx->arena),
                .families = table_new(cx->arena), .widest = table_new(cx->arena)};
    note_identifiers(&x, body);
    survey_globals(&x, body);
    family_note(&x, body);
    x.at = fresh(&x, "at");
    x.by = fresh(&x, "by");
    x.turn = fresh(&x, "turn");
    x.cast = fresh(&x, "cast");
    x.family = fresh(&x, "family");
    x.virtual_ = fresh(&x, "virtual");
    x.central = fresh(&x, "CENTRAL");
    x.channel_class = fresh(&x, "CentralChannel");
    return x;
}

void emit_central(Buf *b, const CentralCx *cx, const Unit *checked)
{
    StmtList body = checked->module.body;
    Eraser x = eraser_new(cx, body);
    StmtList stripped = erase_strip(&x, body);
    Vec(const Stmt *) out = {0};
    for (size_t i = 0; i < stripped.len; i++)
        vec_push(cx->arena, &out, stripped.at[i]->kind == STMT_CHOREO
                                      ? erase_def(&x, stripped.at[i], stripped.at[i]->choreo.def)
                                      : stripped.at[i]);
    erase_print(b, cx, &x, checked, (StmtList){out.at, out.len});
}
