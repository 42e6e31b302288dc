// view_callee.c - see view_callee.h.
//
// A method of an object runs the class that the object was made of. Where that is not seen, it is
// the class of the object's type, unless another class overrides the method.

#include "compiler/emit/view_callee.h"

#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/emit/view_label.h"
#include "compiler/ir/free_names.h"

enum { MAX_ALIASES = 16 };      // names of names that are looked up

// An expression, and the frame in which it is evaluated; NULL: a value that is not known.
typedef struct ViewValue { const Expr *expr; const ViewFrame *frame; } ViewValue;

// An object of a class of several roles.
typedef struct Object {
    const Stmt *choreo;         // its class
    SymList actuals;            // roles of the entry
    Table  *types;
    bool    exact;              // no subclass may stand for the class
} Object;

ViewChoreos view_choreos(Arena *a, Names *names, StmtList module)
{
    ViewChoreos c = {a, names, module, table_new(a), table_new(a)};
    for (size_t i = 0; i < module.len; i++) {
        const Stmt *s = module.at[i];
        if (s->kind != STMT_CHOREO)
            continue;
        if (s->choreo.def->kind == STMT_FUNCTION_DEF)
            table_set(c.functions, s->choreo.def->function_def.name, (void *)s);
        else
            table_set(c.classes, s->choreo.def->class_def.name, (void *)s);
    }
    return c;
}

// ---- roles ----

static Sym actual(const ViewFrame *frame, Sym role)
{
    for (size_t i = 0; i < frame->formals.len && i < frame->actuals.len; i++)
        if (frame->formals.at[i] == role)
            return frame->actuals.at[i];
    return role;
}

SymList view_roles(Arena *a, const ViewFrame *frame, SymList roles)
{
    Vec(Sym) out = {0};
    for (size_t i = 0; i < roles.len; i++)
        vec_push(a, &out, actual(frame, roles.at[i]));
    return (SymList){out.at, out.len};
}

// ---- values of names ----

static bool is_method_of(const Expr *inst) { return inst->inst.target->kind == EXPR_ATTRIBUTE; }

static const ViewValue *local_value(const ViewFrame *frame, Sym name)
{
    for (; frame; frame = frame->around) {
        const ViewValue *value = table_get(frame->values, name);
        if (value)
            return value;
    }
    return NULL;
}

// The value that a name stands for, and else the expression itself.
static ViewValue origin(const ViewFrame *frame, const Expr *e)
{
    ViewValue at = {e, frame};
    for (int i = 0; i < MAX_ALIASES && at.expr->kind == EXPR_NAME; i++) {
        const ViewValue *value = local_value(at.frame, at.expr->name.id);
        if (value == NULL || value->expr == NULL)
            break;
        at = *value;
    }
    return at;
}

static void set_value(const ViewChoreos *c, const ViewFrame *frame, Sym name, ViewValue value)
{
    ViewValue *kept = ARENA_ARRAY(c->arena, ViewValue, 1);
    *kept = value;
    table_set(frame->values, name, kept);
}

// ---- parameters and variables ----

typedef struct Params { const Arg **at; size_t len, cap; } Params;

static void add_params(Arena *a, Params *params, ArgList list)
{
    for (size_t i = 0; i < list.len; i++)
        vec_push(a, params, list.at[i]);
}

static Params params_of(Arena *a, const Stmt *def)
{
    const Arguments *args = def->function_def.args;
    Params params = {0};
    add_params(a, &params, args->posonlyargs);
    add_params(a, &params, args->args);
    add_params(a, &params, args->kwonlyargs);
    return params;
}

// What is met in a body: how often each name is bound, and what is assigned to it.
typedef struct Assigned { const ViewChoreos *c; ViewFrame *frame; Table *counts; } Assigned;

static uintptr_t count_of(const Assigned *a, Sym name)
{
    return (uintptr_t)table_get(a->counts, name);
}

static bool count_name(void *cx, const Expr *e)
{
    Assigned *a = cx;
    if (e->kind == EXPR_NAME && e->name.ctx != EXPR_CONTEXT_LOAD)
        table_set(a->counts, e->name.id, (void *)(count_of(a, e->name.id) + 1));
    return true;
}

static bool keep_assigned(void *cx, const Stmt *s)
{
    Assigned *a = cx;
    const Expr *target = s->kind == STMT_ANN_ASSIGN ? s->ann_assign.target
                         : s->kind == STMT_ASSIGN && s->assign.targets.len == 1
                         ? s->assign.targets.at[0] : NULL;
    const Expr *value = s->kind == STMT_ANN_ASSIGN ? s->ann_assign.value
                        : target ? s->assign.value : NULL;
    if (value && target->kind == EXPR_NAME && count_of(a, target->name.id) == 1)
        set_value(a->c, a->frame, target->name.id, (ViewValue){value, a->frame});
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CHOREO;
}

// A variable that is bound once, by an assignment, stands for what is assigned. Of any other, and
// of a parameter that is bound too, nothing is known.
static void set_variables(const ViewChoreos *c, ViewFrame *frame, Params params)
{
    StmtList body = frame->def->function_def.body;
    SymList bound = names_bound(c->arena, c->names, body);
    Assigned assigned = {c, frame, table_new(c->arena)};
    IrWalker counts = {.cx = &assigned, .expr = count_name};
    IrWalker values = {.cx = &assigned, .stmt = keep_assigned};
    ir_walk_stmts(&counts, body);
    for (size_t i = 0; i < params.len; i++) {
        if (count_of(&assigned, params.at[i]->arg) > 0)
            set_value(c, frame, params.at[i]->arg, (ViewValue){0});
        table_set(assigned.counts, params.at[i]->arg, NULL);
    }
    for (size_t i = 0; i < bound.len; i++)
        if (table_get(frame->values, bound.at[i]) == NULL)
            set_value(c, frame, bound.at[i], (ViewValue){0});
    ir_walk_stmts(&values, body);
}

// ---- frames ----

static void bind_argument(const ViewChoreos *c, ViewFrame *callee, const Arg *param,
                          const Expr *value)
{
    view_types_of_argument(c->arena, callee->types, callee->outer->types, param, value);
    set_value(c, callee, param->arg, origin(callee->outer, value));
}

// Makes the tables of a frame; `first` is how many parameters come before the arguments.
static void open_frame(const ViewChoreos *c, ViewFrame *callee, const Expr *call, size_t first)
{
    Params params = params_of(c->arena, callee->def);
    callee->nested = table_new(c->arena);
    callee->values = table_new(c->arena);
    for (size_t i = 0; i < params.len; i++)
        set_value(c, callee, params.at[i]->arg, (ViewValue){0});
    ExprList args = call ? call->call.args : (ExprList){0};
    KeywordList keywords = call ? call->call.keywords : (KeywordList){0};
    for (size_t i = 0; i < args.len && i + first < params.len; i++) {
        if (args.at[i]->kind == EXPR_STARRED)
            break;
        bind_argument(c, callee, params.at[i + first], args.at[i]);
    }
    for (size_t i = 0; i < keywords.len; i++)
        for (size_t j = 0; j < params.len; j++)
            if (params.at[j]->arg == keywords.at[i]->arg)
                bind_argument(c, callee, params.at[j], keywords.at[i]->value);
    set_variables(c, callee, params);
}

void view_entry(const ViewChoreos *c, const Stmt *choreo, ViewFrame *frame)
{
    SymList roles = choreo->choreo.formals;
    *frame = (ViewFrame){.def = choreo->choreo.def, .formals = roles, .actuals = roles,
                         .types = table_new(c->arena)};
    open_frame(c, frame, NULL, 0);
}

// ---- classes ----

static const Stmt *find_method(const Stmt *choreo, Sym name)
{
    StmtList body = choreo->choreo.def->class_def.body;
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_FUNCTION_DEF && body.at[i]->function_def.name == name)
            return body.at[i];
    return NULL;
}

static const Stmt *class_named(const ViewChoreos *c, const Expr *target)
{
    while (target->kind == EXPR_SUBSCRIPT)
        target = target->subscript.value;
    return target->kind == EXPR_NAME ? table_get(c->classes, target->name.id) : NULL;
}

// The base that is a class of several roles, as written; NULL if there is none.
static const Expr *base_of(const ViewChoreos *c, const Stmt *choreo)
{
    ExprList bases = choreo->choreo.def->class_def.bases;
    for (size_t i = 0; i < bases.len; i++)
        if (bases.at[i]->kind == EXPR_INST && class_named(c, bases.at[i]->inst.target))
            return bases.at[i];
    return NULL;
}

// The object as one of the base of its class; false if that has none.
static bool go_to_base(const ViewChoreos *c, Object *o)
{
    const Expr *base = base_of(c, o->choreo);
    if (base == NULL)
        return false;
    const ViewFrame here = {.formals = o->choreo->choreo.formals, .actuals = o->actuals};
    o->actuals = view_roles(c->arena, &here, base->inst.actuals);
    o->choreo = class_named(c, base->inst.target);
    o->types = view_types_of_base(c->arena, o->types, o->choreo->choreo.def, base->inst.target);
    return true;
}

static bool is_subclass(const ViewChoreos *c, const Stmt *choreo, const Stmt *of)
{
    const Expr *base;
    while (choreo != of && (base = base_of(c, choreo)) != NULL)
        choreo = class_named(c, base->inst.target);
    return choreo == of;
}

// May another class stand for this one, whose method is another?
static bool is_overridden(const ViewChoreos *c, const Stmt *choreo, Sym method)
{
    for (size_t i = 0; i < c->module.len; i++) {
        const Stmt *s = c->module.at[i];
        if (s->kind == STMT_CHOREO && s->choreo.def->kind == STMT_CLASS_DEF && s != choreo
            && find_method(s, method) && is_subclass(c, s, choreo))
            return true;
    }
    return false;
}

static bool is_constructor(const ViewChoreos *c, const Expr *e)
{
    return e->kind == EXPR_CALL && e->call.func->kind == EXPR_INST
           && class_named(c, e->call.func->inst.target) != NULL;
}

// False if the value is not an object of a class of several roles.
static bool object_of(const ViewChoreos *c, ViewValue value, Object *o)
{
    if (value.expr == NULL)
        return false;
    const Ty *t = view_type(c->arena, value.frame->types, value.expr->ty);
    const Stmt *choreo = t && t->kind == TY_INST ? table_get(c->classes, t->inst.name) : NULL;
    if (choreo == NULL)
        return false;
    *o = (Object){choreo, view_roles(c->arena, value.frame, t->inst.actuals),
                  table_new(c->arena), is_constructor(c, value.expr)};
    view_types_of_class(o->types, choreo->choreo.def, t->inst.args);
    return true;
}

// ---- calls ----

static bool is_decorated(const Stmt *def, const char *name)
{
    ExprList decorators = def->function_def.decorator_list;
    for (size_t i = 0; i < decorators.len; i++)
        if (decorators.at[i]->kind == EXPR_NAME && sym_is(decorators.at[i]->name.id, name))
            return true;
    return false;
}

// The method of the object's class, or the one that the class inherits. `self`, if not NULL, is the
// value of the first parameter, except in a class method. A name that is not a method is a variable
// of the object.
static ViewFound method_found(const ViewChoreos *c, Object o, Sym name, const Expr *call,
                              const ViewValue *self, ViewFrame *callee)
{
    const Stmt *method = NULL;
    while ((method = find_method(o.choreo, name)) == NULL)
        if (!go_to_base(c, &o))
            return sym_is(name, "__init__") ? VIEW_SILENT : VIEW_UNKNOWN;
    bool of_class = is_decorated(method, "classmethod");
    if (of_class || is_decorated(method, "staticmethod"))
        self = NULL;
    callee->def = method;
    callee->formals = o.choreo->choreo.formals;
    callee->actuals = o.actuals;
    callee->types = o.types;
    open_frame(c, callee, call, self || of_class ? 1 : 0);
    Params params = params_of(c->arena, method);
    if (self && params.len > 0)
        set_value(c, callee, params.at[0]->arg, *self);
    return VIEW_FOUND;
}

// What `self` is, in a method.
static ViewValue own_self(const ViewChoreos *c, const ViewFrame *frame)
{
    Params params = params_of(c->arena, frame->def);
    const ViewValue *self = params.len > 0 ? table_get(frame->values, params.at[0]->arg) : NULL;
    return self ? *self : (ViewValue){0};
}

// `object.method`, `super().method` or `C.method`, as `frame` has it.
static ViewFound method_called(const ViewChoreos *c, const ViewFrame *frame, const Expr *inst,
                               const Expr *call, ViewFrame *callee)
{
    const Expr *target = inst->inst.target, *object = target->attribute.value;
    Sym name = target->attribute.attr;
    const Stmt *named = class_named(c, object);
    Object o;
    if (named) {
        o = (Object){named, view_roles(c->arena, frame, inst->inst.actuals), table_new(c->arena),
                     true};
        return method_found(c, o, name, call, NULL, callee);
    }
    bool super = object->kind == EXPR_NAME && sym_is(object->name.id, "super()");
    ViewValue self = super ? own_self(c, frame) : origin(frame, object);
    if (!object_of(c, super ? (ViewValue){object, frame} : self, &o))
        return VIEW_UNKNOWN;
    callee->actuals = o.actuals;
    if (super ? !go_to_base(c, &o) : !o.exact && is_overridden(c, o.choreo, name))
        return super ? VIEW_SILENT : VIEW_UNKNOWN;
    return method_found(c, o, name, call, &self, callee);
}

// `C[A, B](...)`
static ViewFound constructor_called(const ViewChoreos *c, const Expr *call, ViewFrame *callee)
{
    ViewValue self = {call, callee->outer};
    Object o;
    if (!object_of(c, self, &o))
        return VIEW_UNKNOWN;
    return method_found(c, o, names_get(c->names, "__init__"), call, &self, callee);
}

static ViewFound function_found(const ViewChoreos *c, const Stmt *choreo, const Expr *call,
                                ViewFrame *callee)
{
    if (choreo->choreo.communicates.len == 0)
        return VIEW_SILENT;
    callee->def = choreo->choreo.def;
    open_frame(c, callee, call, 0);
    return VIEW_FOUND;
}

// `f[A, B]` of the module, as `frame` has it.
static ViewFound module_called(const ViewChoreos *c, const ViewFrame *frame, const Expr *inst,
                               const Expr *call, ViewFrame *callee)
{
    const Stmt *choreo = table_get(c->functions, inst->inst.target->name.id);
    if (choreo == NULL)
        return VIEW_UNKNOWN;
    callee->formals = inst->inst.formals;
    callee->actuals = view_roles(c->arena, frame, inst->inst.actuals);
    callee->types = table_new(c->arena);
    return function_found(c, choreo, call, callee);
}

static ViewFound nested_called(const ViewChoreos *c, const ViewFrame *around, const Stmt *choreo,
                               const Expr *call, ViewFrame *callee)
{
    callee->around = around;
    callee->formals = around->formals;
    callee->actuals = around->actuals;
    callee->types = around->types;
    return function_found(c, choreo, call, callee);
}

// A choreography of the module, a nested one, or a name of either.
static ViewFound function_called(const ViewChoreos *c, const ViewFrame *frame, const Expr *inst,
                                 const Expr *call, ViewFrame *callee)
{
    for (int i = 0; i < MAX_ALIASES && inst->inst.target->kind == EXPR_NAME; i++) {
        Sym name = inst->inst.target->name.id;
        const ViewFrame *around = frame;
        while (around && !table_get(around->nested, name) && !table_get(around->values, name))
            around = around->around;
        if (around == NULL)
            return module_called(c, frame, inst, call, callee);
        const Stmt *nested = table_get(around->nested, name);
        if (nested)
            return nested_called(c, around, nested, call, callee);
        ViewValue value = origin(frame, inst->inst.target);
        if (value.expr->kind != EXPR_INST)
            return VIEW_UNKNOWN;
        inst = value.expr;
        frame = value.frame;
        if (is_method_of(inst))
            return method_called(c, frame, inst, call, callee);
    }
    return VIEW_UNKNOWN;
}

ViewFound view_callee(const ViewChoreos *c, const ViewFrame *frame, const Expr *call,
                      ViewFrame *callee)
{
    const Expr *inst = call->call.func;
    *callee = (ViewFrame){.outer = frame, .depth = frame->depth + 1,
                          .actuals = view_roles(c->arena, frame, inst->inst.actuals)};
    if (is_constructor(c, call))
        return constructor_called(c, call, callee);
    return is_method_of(inst) ? method_called(c, frame, inst, call, callee)
                              : function_called(c, frame, inst, call, callee);
}

// ---- bodies that do the same ----

// What a value does when it is called: its class, the choreography of the module that it is, or the
// expression that makes a function and the frame whose variables this one sees.
static ViewValue behaviour(const ViewChoreos *c, const ViewValue *value, const Stmt **choreo)
{
    const Expr *e = value->expr;
    const Ty *t = e ? e->ty : NULL;
    Object o;
    *choreo = NULL;
    if (object_of(c, *value, &o))
        *choreo = o.choreo;
    else if (e && e->kind == EXPR_INST && e->inst.target->kind == EXPR_NAME
             && e->inst.formals.len > 0)
        *choreo = table_get(c->functions, e->inst.target->name.id);
    return *choreo || t == NULL || t->kind != TY_CALLABLE ? (ViewValue){0} : *value;
}

static bool same_behaviour(const ViewChoreos *c, const ViewValue *x, const ViewValue *y)
{
    const Stmt *x_choreo, *y_choreo;
    ViewValue of_x = behaviour(c, x, &x_choreo), of_y = behaviour(c, y, &y_choreo);
    return x_choreo == y_choreo && of_x.expr == of_y.expr && of_x.frame == of_y.frame;
}

bool view_same_body(const ViewChoreos *c, const ViewFrame *x, const ViewFrame *y)
{
    if (x->def != y->def)
        return false;
    Params params = params_of(c->arena, x->def);
    for (size_t i = 0; i < params.len; i++) {
        Sym name = params.at[i]->arg;
        if (!same_behaviour(c, table_get(x->values, name), table_get(y->values, name)))
            return false;
    }
    return true;
}
