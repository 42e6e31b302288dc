// erase_survey.c - which code may act or raise, and as whom. In doubt it may: a call, a subscript,
// an attribute that may be a property, an operator on what is not certainly a builtin.

#include <string.h>

#include "compiler/emit/erase_internal.h"

typedef struct Surveyor { const Eraser *x; Survey found; } Surveyor;

// ---- what is known of names and types ----

void survey_globals(Eraser *x, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i]->kind == STMT_CHOREO ? body.at[i]->choreo.def : body.at[i];
        if (body.at[i]->kind == STMT_CHOREO && s->kind == STMT_CLASS_DEF)
            table_set(x->choreos, s->class_def.name, (void *)body.at[i]);
        if (s->kind == STMT_CLASS_DEF)
            table_set(x->globals, s->class_def.name, (void *)s);
        else if (s->kind == STMT_FUNCTION_DEF)
            table_set(x->globals, s->function_def.name, (void *)s);
        AliasList names = s->kind == STMT_IMPORT ? s->import.names
                          : s->kind == STMT_IMPORT_FROM ? s->import_from.names : (AliasList){0};
        for (size_t j = 0; j < names.len; j++)
            table_set(x->globals, names.at[j]->asname ? names.at[j]->asname : names.at[j]->name,
                      (void *)s);
    }
}

static bool is_one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

// A type whose operators and conversions run no code of the program.
bool survey_is_scalar(const Ty *t)
{
    static const char *const names[] = {"bool", "int", "float", "str", "bytes"};
    if (t == NULL)
        return false;
    return t->kind == TY_NONE_TYPE || t->kind == TY_LITERAL
           || (t->kind == TY_NAMED && is_one_of(t->named.name, names,
                                                sizeof names / sizeof *names));
}

static bool is_container(const Ty *t)
{
    static const char *const names[] = {"list", "dict", "set", "tuple", "frozenset"};
    return t && (t->kind == TY_TUPLE
                 || (t->kind == TY_NAMED && is_one_of(t->named.name, names,
                                                      sizeof names / sizeof *names)));
}

static const Stmt *class_of(const Eraser *x, const Ty *t)
{
    const Stmt *s = t && t->kind == TY_NAMED ? table_get(x->globals, t->named.name) : NULL;
    return s && s->kind == STMT_CLASS_DEF ? s : NULL;
}

static bool defines(const Stmt *class_, Sym name)
{
    for (size_t i = 0; i < class_->class_def.body.len; i++) {
        const Stmt *s = class_->class_def.body.at[i];
        if (s->kind == STMT_FUNCTION_DEF && s->function_def.name == name)
            return true;
    }
    return false;
}

static bool intercepts(const Eraser *x, const Stmt *class_)
{
    static const char *const names[] = {"__getattr__", "__getattribute__", "__setattr__",
                                        "__delattr__"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (defines(class_, names_get(x->names, names[i])))
            return true;
    return false;
}

// Whether asking if a value is true runs a method of the program. Of unions and of what is not
// known nothing is said: a condition tells a type checker what they are.
static bool asks_method(const Eraser *x, const Expr *e)
{
    const Stmt *c = e ? class_of(x, e->ty) : NULL;
    for (size_t depth = 0; c && depth < 100; depth++) {
        if (defines(c, names_get(x->names, "__bool__")) ||
            defines(c, names_get(x->names, "__len__")))
            return true;
        ExprList bases = c->class_def.bases;
        const Expr *base = bases.len > 0 ? bases.at[0] : NULL;
        c = base && base->kind == EXPR_NAME ? table_get(x->globals, base->name.id) : NULL;
        c = c && c->kind == STMT_CLASS_DEF ? c : NULL;
    }
    return false;
}

static bool any_asks(const Eraser *x, ExprList values)
{
    for (size_t i = 0; i < values.len; i++)
        if (asks_method(x, values.at[i]))
            return true;
    return false;
}

// Whether reading `e.attr` only looks something up: a field of an instance at several roles or of a
// class of this module without bases, or a member of a class, a function or a module.
static bool is_plain_lookup(const Eraser *x, const Expr *e)
{
    const Expr *object = e->attribute.value;
    if (object->kind == EXPR_NAME && table_get(x->globals, object->name.id))
        return true;
    if (object->ty && object->ty->kind == TY_INST)
        return true;
    const Stmt *class_ = class_of(x, object->ty);
    return class_ && class_->class_def.bases.len == 0 && !defines(class_, e->attribute.attr)
           && !intercepts(x, class_);
}

// `isinstance(x, C)` with C a class of the module, or no name of it: a builtin.
static bool is_type_test(const Eraser *x, const Expr *e)
{
    const Expr *f = e->call.func, *c = e->call.args.len == 2 ? e->call.args.at[1] : NULL;
    const Stmt *s = c && c->kind == EXPR_NAME ? table_get(x->globals, c->name.id) : NULL;
    return c && c->kind == EXPR_NAME && f->kind == EXPR_NAME
           && strcmp(f->name.id, "isinstance") == 0
           && table_get(x->globals, f->name.id) == NULL
           && (s == NULL || (s->kind == STMT_CLASS_DEF && s->class_def.bases.len == 0
                             && s->class_def.keywords.len == 0));
}

// A call that computes a value from scalars and nothing else.
static bool is_quiet_call(const Eraser *x, const Expr *e)
{
    if (is_type_test(x, e))
        return true;
    static const char *const names[] = {"len", "str", "repr", "bool", "abs", "range"};
    const Expr *f = e->call.func;
    if (f->kind != EXPR_NAME || table_get(x->globals, f->name.id) || e->call.keywords.len > 0
        || !is_one_of(f->name.id, names, sizeof names / sizeof *names))
        return false;
    for (size_t i = 0; i < e->call.args.len; i++) {
        const Ty *t = e->call.args.at[i]->ty;
        if (!survey_is_scalar(t) && !(is_container(t) && strcmp(f->name.id, "len") == 0))
            return false;
    }
    return true;
}

static bool is_quiet_operator(Operator op)
{
    return op == OPERATOR_ADD || op == OPERATOR_SUB || op == OPERATOR_MULT
           || op == OPERATOR_BIT_AND || op == OPERATOR_BIT_OR || op == OPERATOR_BIT_XOR;
}

static bool is_quiet_compare(const Expr *e)
{
    bool quiet = survey_is_scalar(e->compare.left->ty), identity = true;
    for (size_t i = 0; i < e->compare.ops.len; i++)
        identity = identity
                   && (e->compare.ops.at[i] == CMPOP_IS || e->compare.ops.at[i] == CMPOP_IS_NOT);
    if (identity)
        return true;
    for (size_t i = 0; i < e->compare.comparators.len; i++)
        quiet = quiet && (survey_is_scalar(e->compare.comparators.at[i]->ty)
                          || is_container(e->compare.comparators.at[i]->ty));
    return quiet;
}

bool survey_acts_itself(const Eraser *x, const Expr *e)
{
    switch (e->kind) {
    case EXPR_CALL: return e->call.func->kind != EXPR_INST && !is_quiet_call(x, e);
    case EXPR_ATTRIBUTE: return !is_plain_lookup(x, e) || e->attribute.ctx == EXPR_CONTEXT_DEL;
    case EXPR_BIN_OP:
        return !is_quiet_operator(e->bin_op.op) || !survey_is_scalar(e->bin_op.left->ty)
               || !survey_is_scalar(e->bin_op.right->ty);
    case EXPR_UNARY_OP: return !survey_is_scalar(e->unary_op.operand->ty)
                               && !is_container(e->unary_op.operand->ty);
    case EXPR_COMPARE: return !is_quiet_compare(e);
    case EXPR_FORMATTED_VALUE:
        return !survey_is_scalar(e->formatted_value.value->ty) || e->formatted_value.format_spec;
    case EXPR_SUBSCRIPT: case EXPR_AWAIT: case EXPR_YIELD: case EXPR_YIELD_FROM:
    case EXPR_STARRED: case EXPR_SET: case EXPR_DICT: case EXPR_LIST_COMP: case EXPR_SET_COMP:
    case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP:
        return true;
    case EXPR_BOOL_OP: return any_asks(x, e->bool_op.values);
    case EXPR_IF_EXP:  return asks_method(x, e->if_exp.test);
    case EXPR_NAMED_EXPR: case EXPR_LAMBDA: case EXPR_JOINED_STR: case EXPR_CONSTANT:
    case EXPR_NAME: case EXPR_LIST: case EXPR_TUPLE:
    case EXPR_SLICE: case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN: case EXPR_COM:
    case EXPR_SELECT: case EXPR_UNIT: case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_COUNT:
        break;
    }
    return false;
}

// ---- the survey ----

static bool same_set(SymList a, SymList b)
{
    size_t found = 0;
    for (size_t i = 0; i < a.len; i++)
        for (size_t j = 0; j < b.len; j++)
            found += a.at[i] == b.at[j];
    return a.len == b.len && found == a.len;
}

static void note_action(Survey *s, SymList roles)
{
    if (s->roles.len == 0)
        s->roles = roles;
    else if (roles.len > 0 && !same_set(s->roles, roles))
        s->mixed = true;
    s->acts = true;
}

static IrWalker surveying_walker(Surveyor *v);

static bool look_at_expr(void *cx, const Expr *e)
{
    Surveyor *v = cx;
    IrWalker w = surveying_walker(v);
    if (e->kind == EXPR_COM || e->kind == EXPR_SELECT || e->kind == EXPR_INST)
        v->found.choreographic = true;
    if (e->kind == EXPR_NAMED_EXPR || e->kind == EXPR_AWAIT || e->kind == EXPR_YIELD
        || e->kind == EXPR_YIELD_FROM)
        v->found.binds = true;
    if (survey_acts_itself(v->x, e))
        note_action(&v->found, e->roles);
    if (e->kind == EXPR_LAMBDA) {
        ir_walk_exprs(&w, e->lambda.args->defaults);
        ir_walk_exprs(&w, e->lambda.args->kw_defaults);
    }
    return e->kind != EXPR_LAMBDA;
}

// Whether a value of one place may have another number of items than it is unpacked to.
static bool unpacks(const Stmt *s)
{
    if (s->kind != STMT_ASSIGN || s->assign.value->roles.len == 0)
        return false;
    const Expr *value = s->assign.value;
    bool counted = value->kind == EXPR_TUPLE || value->kind == EXPR_LIST
                   || (value->ty && value->ty->kind == TY_TUPLE);
    for (size_t i = 0; i < s->assign.targets.len && !counted; i++)
        if (s->assign.targets.at[i]->kind == EXPR_TUPLE
            || s->assign.targets.at[i]->kind == EXPR_LIST)
            return true;
    return false;
}

static bool is_quiet_update(const Stmt *s)
{
    return is_quiet_operator(s->aug_assign.op) && survey_is_scalar(s->aug_assign.value->ty)
           && survey_is_scalar(s->aug_assign.target->ty);
}

static bool look_at_stmt(void *cx, const Stmt *s)
{
    Surveyor *v = cx;
    if (s->kind == STMT_CHOREO)
        v->found.choreographic = true;
    else if (s->kind == STMT_FOR)
        note_action(&v->found, s->for_.iter->roles);
    else if (s->kind == STMT_WITH)
        note_action(&v->found, s->with.items.at[0]->context_expr->roles);
    else if (s->kind == STMT_ASSERT)
        note_action(&v->found, s->assert.test->roles);
    else if (s->kind == STMT_IF && asks_method(v->x, s->if_.test))
        note_action(&v->found, s->if_.test->roles);
    else if (s->kind == STMT_WHILE && asks_method(v->x, s->while_.test))
        note_action(&v->found, s->while_.test->roles);
    else if (s->kind == STMT_RAISE)
        note_action(&v->found, s->raise.exc ? s->raise.exc->roles : s->roles);
    else if (s->kind == STMT_MATCH)
        note_action(&v->found, s->match.subject->roles);
    else if (s->kind == STMT_TRY && s->roles.len > 0)
        note_action(&v->found, s->roles);
    else if (unpacks(s))
        note_action(&v->found, s->assign.value->roles);
    else if (s->kind == STMT_AUG_ASSIGN && !is_quiet_update(s))
        note_action(&v->found, s->aug_assign.target->roles);
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CHOREO && s->kind != STMT_CLASS_DEF;
}

static IrWalker surveying_walker(Surveyor *v)
{
    return (IrWalker){.cx = v, .expr = look_at_expr, .stmt = look_at_stmt};
}

bool survey_asks(const Eraser *x, const Expr *test)
{
    return asks_method(x, test) && test->roles.len > 0;
}

SymList survey_stores(const Eraser *x, const Stmt *s)
{
    if (unpacks(s))
        return s->assign.value->roles;
    if (s->kind == STMT_AUG_ASSIGN && !is_quiet_update(s))
        return s->aug_assign.target->roles;
    const Expr *target = s->kind == STMT_ANN_ASSIGN ? s->ann_assign.target
                         : s->kind == STMT_ASSIGN && s->assign.targets.len == 1
                             ? s->assign.targets.at[0] : NULL;
    bool acts = target && (target->kind == EXPR_ATTRIBUTE || target->kind == EXPR_SUBSCRIPT)
                && survey_acts_itself(x, target);
    return acts ? target->roles : (SymList){0};
}

Survey survey_expr(const Eraser *x, const Expr *e)
{
    Surveyor v = {.x = x};
    IrWalker w = surveying_walker(&v);
    ir_walk_expr(&w, e);
    return v.found;
}

static void add_survey(Survey *s, const Survey *more)
{
    s->choreographic = s->choreographic || more->choreographic;
    s->binds = s->binds || more->binds;
    if (more->acts)
        note_action(s, more->roles);
    s->mixed = s->mixed || more->mixed;
}

// A node of a spine by itself: what hangs on the spine is replaced by something of its type.
static Survey survey_link(const Eraser *x, const Expr *e, const Expr *below)
{
    if (below->kind == EXPR_NAME)
        return survey_expr(x, e);
    const Expr *stand_in = expr_constant(x->arena, below->at, const_none(x->arena), NULL);
    stand_in = expr_with_ty(x->arena, stand_in, below->ty, below->roles);
    return survey_expr(x, expr_with_spine_child(x->arena, e, stand_in));
}

const Survey *survey_spine(const Eraser *x, Table *known, const Expr *e)
{
    size_t n;
    const Survey *found = table_get(known, e);
    if (found)
        return found;
    const Expr **spine = expr_spine(x->arena, e, &n);
    Survey *surveys = ARENA_ARRAY(x->arena, Survey, n);
    for (size_t i = n; i-- > 0;) {
        bool last = i + 1 == n;
        surveys[i] = last ? survey_expr(x, spine[i]) : survey_link(x, spine[i], spine[i + 1]);
        if (!last)
            add_survey(&surveys[i], &surveys[i + 1]);
        table_set(known, spine[i], &surveys[i]);
    }
    return &surveys[0];
}

Survey survey_stmt(const Eraser *x, const Stmt *s)
{
    Surveyor v = {.x = x};
    IrWalker w = surveying_walker(&v);
    ir_walk_stmt(&w, s);
    return v.found;
}

// A method is looked up on its object before the call, which may act only if the object does.
Survey survey_arguments(const Eraser *x, const Expr *call)
{
    Surveyor v = {.x = x};
    IrWalker w = surveying_walker(&v);
    const Expr *f = call->call.func;
    ir_walk_expr(&w, f->kind == EXPR_ATTRIBUTE ? f->attribute.value : f);
    ir_walk_exprs(&w, call->call.args);
    ir_walk_keywords(&w, call->call.keywords);
    return v.found;
}

bool survey_is_value(const Expr *e)
{
    switch (e->kind) {
    case EXPR_STARRED: case EXPR_SLICE: case EXPR_FORMATTED_VALUE:
        return false;
    case EXPR_ATTRIBUTE: return e->attribute.ctx == EXPR_CONTEXT_LOAD;
    case EXPR_SUBSCRIPT: return e->subscript.ctx == EXPR_CONTEXT_LOAD;
    case EXPR_LIST: return e->list.ctx == EXPR_CONTEXT_LOAD;
    case EXPR_TUPLE: return e->tuple.ctx == EXPR_CONTEXT_LOAD;
    case EXPR_BOOL_OP: case EXPR_NAMED_EXPR: case EXPR_BIN_OP: case EXPR_UNARY_OP:
    case EXPR_LAMBDA: case EXPR_IF_EXP: case EXPR_DICT: case EXPR_SET: case EXPR_LIST_COMP:
    case EXPR_SET_COMP: case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP: case EXPR_AWAIT:
    case EXPR_YIELD: case EXPR_YIELD_FROM: case EXPR_COMPARE: case EXPR_CALL:
    case EXPR_JOINED_STR: case EXPR_CONSTANT: case EXPR_NAME: case EXPR_LOCATED: case EXPR_INST:
    case EXPR_PIN: case EXPR_COM: case EXPR_SELECT: case EXPR_UNIT: case EXPR_SEND:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_RECV: case EXPR_SEND_LABEL: case EXPR_COUNT:
        break;
    }
    return true;
}
