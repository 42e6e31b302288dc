// c_locals.c - the variables of a function: which there are, and which nested ones share.
//
// A variable that a nested function mentions is *captured*: by value if it never changes after
// that, else it is a *cell*, a box that both have.

#include "compiler/emit/c/c_internal.h"

typedef struct Survey {
    CEmit     *c;
    CFunction *f;
    Table     *inner;           // names that nested functions mention -> when first
    size_t     clock;           // statements so far
    Table     *inner_stored;    // and assign (nonlocal)
    Table     *outside;         // global, nonlocal
    size_t     loops;
} Survey;

static CVariable *variable(Survey *s, Sym name, const Rep *rep)
{
    CVariable *v = table_get(s->f->variables, name);
    if (v == NULL) {
        v = ARENA_NEW(s->c->arena, CVariable);
        *v = (CVariable){.name = name, .rep = rep};
        table_set(s->f->variables, name, v);
        vec_push(s->c->arena, &s->f->order, v);
    }
    if (v->rep == NULL)
        v->rep = rep;
    return v;
}

static void store_found(Survey *s, const Expr *target, const Expr *annotation)
{
    if (target->kind != EXPR_NAME || table_get(s->outside, target->name.id))
        return;
    CVariable *v = variable(s, target->name.id, NULL);
    v->stored = true;
    v->def = NULL;
    v->stores += s->loops > 0 ? 2 : 1;
    v->stored_at = s->clock;
    CEmit *c = s->c;
    if (v->exception) {
        v->rep = rep_named(c, "object");        // one message is enough
        (void)c_refuse(c, target->at, "`%s` is the name of an exception elsewhere in this "
                       "function, which the C target does not support\nuse another name here",
                       v->name);
    }
    if (v->rep != NULL)
        return;
    const Ty *t = annotation && !c_is_final(annotation) ? c_annotation(c, annotation) : NULL;
    if (t != NULL || target->ty != NULL)
        v->rep = rep_of(c, t != NULL ? t : target->ty, target->at);
}

// What is assigned only where nobody gets has no type.
static void settle_unreached(Survey *s)
{
    for (size_t i = 0; i < s->f->order.len; i++)
        if (s->f->order.at[i]->rep == NULL)
            s->f->order.at[i]->rep = rep_named(s->c, "object");
}

static void survey_stmts(Survey *s, StmtList body);

static bool note_nonlocal(void *cx, const Stmt *st)
{
    Survey *s = cx;
    if (st->kind == STMT_NONLOCAL)
        for (size_t i = 0; i < st->nonlocal.names.len; i++)
            table_set(s->inner_stored, st->nonlocal.names.at[i], s);
    return true;
}

static void note_mention(Survey *s, Sym name)
{
    if (table_get(s->inner, name) == NULL)
        table_set(s->inner, name, (void *)table_key(s->clock));
}

static bool note_name(void *cx, const Expr *e)
{
    Survey *s = cx;
    if (e->kind == EXPR_NAME)
        note_mention(s, e->name.id);
    return true;
}

static void inner_function(Survey *s, const Stmt *def, const Expr *lambda)
{
    IrWalker w = {.cx = s, .expr = note_name, .stmt = note_nonlocal};
    if (def != NULL)
        ir_walk_stmts(&w, def->function_def.body);
    else
        ir_walk_expr(&w, lambda->lambda.body);
}

static bool survey_expr(void *cx, const Expr *e)
{
    Survey *s = cx;
    if (e->kind == EXPR_LAMBDA) {
        inner_function(s, NULL, e);
        return false;
    }
    return true;
}

// `what`: it binds a name that is global or nonlocal.
static void refuse_outside(Survey *s, const char *what, Sym name, Span at)
{
    if (table_get(s->outside, name) != NULL)
        (void)c_refuse(s->c, at, "the C target does not support `%s` with the global or nonlocal "
                       "variable `%s`\nuse another name", what, name);
}

static void survey_handler(Survey *s, const Excepthandler *h)
{
    Sym name = h->except_handler.name;
    if (name != NULL) {
        refuse_outside(s, "except .. as", name, h->at);
        CVariable *v = variable(s, name, NULL);
        v->stored = v->exception = true;
        v->stores++;
        CClass *class_ = h->except_handler.type && h->except_handler.type->kind != EXPR_TUPLE
            ? c_exception_class(s->c, h->except_handler.type) : NULL;
        const Rep *rep = class_ != NULL ? rep_class(s->c, class_) : NULL;
        const Rep *any = rep_class(s->c, c_class_of(s->c, names_get(s->c->names, "BaseException"),
                                                    (TyList){0}));
        if (v->rep == NULL)
            v->rep = rep != NULL ? rep : any;
        else if (v->rep != rep && v->rep->kind == REP_CLASS && v->rep->class_->is_exception)
            v->rep = any;               // of other handlers, too; what is read is narrowed
    }
    survey_stmts(s, h->except_handler.body);
}

// Defaults are kept where the function is defined, and go with it where it is a value.
static void survey_defaults(Survey *s, const Stmt *def)
{
    const Arguments *args = def->function_def.args;
    const Arg *arg;
    for (size_t i = 0; (arg = c_param(args, i)) != NULL; i++) {
        const Expr *e = c_default_expr(args, i);
        if (e == NULL || arg->ty == NULL)
            continue;
        CVariable *v = variable(s, c_default_variable(s->c, def, arg->arg),
                                rep_of(s->c, arg->ty, arg->at));
        v->stored = true;
        v->c_name = c_identifier(s->c, names_format(s->c->names, "%s_default_%s",
                                                    def->function_def.name, arg->arg));
    }
}

static void survey_def(Survey *s, const Stmt *def)
{
    refuse_outside(s, "def", def->function_def.name, def->at);
    CVariable *v = variable(s, def->function_def.name, NULL);
    v->stores += s->loops > 0 ? 2 : 1;
    v->stored_at = s->clock;
    v->def = v->stored ? NULL : def;    // of several, whose defaults are not known
    v->stored = true;
    survey_defaults(s, def);
    if (v->rep == NULL)
        v->rep = c_def_rep(s->c, def);
    inner_function(s, def, NULL);
}

static void note_outside(Survey *s, SymList names)
{
    for (size_t i = 0; i < names.len; i++)
        table_set(s->outside, names.at[i], s);
}

static void survey_parts(Survey *s, const Stmt *st)
{
    switch (st->kind) {
    case STMT_FUNCTION_DEF: survey_def(s, st); return;
    case STMT_FOR:
        s->loops++;
        store_found(s, st->for_.target, NULL);
        survey_stmts(s, st->for_.body);
        s->loops--;
        return;
    case STMT_WHILE:
        s->loops++;
        survey_stmts(s, st->while_.body);
        s->loops--;
        return;
    case STMT_IF:
        survey_stmts(s, st->if_.body);
        survey_stmts(s, st->if_.orelse);
        return;
    case STMT_TRY:
        survey_stmts(s, st->try.body);
        for (size_t i = 0; i < st->try.handlers.len; i++)
            survey_handler(s, st->try.handlers.at[i]);
        survey_stmts(s, st->try.orelse);
        survey_stmts(s, st->try.finalbody);
        return;
    case STMT_OFFER:
        for (size_t i = 0; i < st->offer.arms.len; i++)
            survey_stmts(s, st->offer.arms.at[i]->body);
        return;
    case STMT_ASSIGN:
        for (size_t i = 0; i < st->assign.targets.len; i++)
            store_found(s, st->assign.targets.at[i], NULL);
        return;
    case STMT_ANN_ASSIGN:
        store_found(s, st->ann_assign.target, st->ann_assign.annotation);
        return;
    case STMT_GLOBAL: note_outside(s, st->global.names); return;
    case STMT_NONLOCAL: note_outside(s, st->nonlocal.names); return;
    case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF: case STMT_RETURN: case STMT_DELETE:
    case STMT_TYPE_ALIAS: case STMT_AUG_ASSIGN: case STMT_ASYNC_FOR: case STMT_WITH:
    case STMT_ASYNC_WITH: case STMT_MATCH: case STMT_RAISE: case STMT_TRY_STAR: case STMT_ASSERT:
    case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_EXPR: case STMT_PASS: case STMT_BREAK:
    case STMT_CONTINUE: case STMT_CHOREO: case STMT_STOPPED: case STMT_TAPE: case STMT_KEEP:
    case STMT_BACK: case STMT_COUNT:
        return;
    }
}

static bool own_exprs(void *cx, const Stmt *st)
{
    Survey *s = cx;
    s->clock++;
    return st->kind != STMT_FUNCTION_DEF;
}

static void survey_stmts(Survey *s, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        s->clock++;
        survey_parts(s, body.at[i]);
    }
}

// Which variables are captured, and whether they must be shared.
static void settle(Survey *s)
{
    for (size_t i = 0; i < s->f->order.len; i++) {
        CVariable *v = s->f->order.at[i];
        if (v->held || v->self_function || v->is_flag)
            continue;
        v->captured = table_get(s->inner, v->name) != NULL;
        bool later = v->captured
            && (const void *)table_key(v->stored_at) > table_get(s->inner, v->name);
        bool changes = v->flag != NULL || (v->param ? v->stored : v->stores > 1 || later);
        v->cell = v->captured && (changes || table_get(s->inner_stored, v->name) != NULL);
        CVariable *flag = v->flag ? table_get(s->f->variables, v->flag) : NULL;
        if (flag != NULL)
            flag->captured = flag->cell = v->cell;
        if (v->c_name == NULL)
            v->c_name = c_identifier(s->c, v->name);
    }
}

void c_find_locals(CEmit *c, CFunction *f)
{
    Survey s = {.c = c, .f = f, .inner = table_new(c->arena), .inner_stored = table_new(c->arena),
                .outside = table_new(c->arena)};
    IrWalker w = {.cx = &s, .expr = survey_expr, .stmt = own_exprs};
    if (f->def != NULL) {
        survey_stmts(&s, f->def->function_def.body);
        settle_unreached(&s);
        s.clock = 0;                    // the same statements once more
        ir_walk_stmts(&w, f->def->function_def.body);
        c_find_uninit(c, f);
    } else {
        ir_walk_expr(&w, f->lambda->lambda.body);
    }
    settle(&s);
    if (f->def != NULL) {
        c_find_counters(c, f);
        c_find_homes(c, f);
    }
}
