// c_function.c - functions: their variables, what nested ones capture, and their text.
//
// A nested function is a C function whose first parameter is the PychoralFunction that holds what
// it captured, by value if the variable never changes afterwards, else in a box (a *cell*) that
// both share.

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/emit/c/c_internal.h"
#include "compiler/ir/free_names.h"

// ---- variables ----

typedef struct Survey {
    CEmit     *c;
    CFunction *f;
    Table     *inner;           // names that nested functions mention -> when first
    size_t     clock;           // statements so far
    Table     *inner_stored;    // and assign (nonlocal)
    Table     *outside;         // global, nonlocal
    Table     *loaded;
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
        (void)c_refuse(c, target->at, "`%s` holds an exception elsewhere in this function: "
                       "the C target needs another name for one of them", v->name);
    }
    if (v->rep != NULL)
        return;
    const Ty *t = annotation && !c_is_final(annotation) ? c_annotation(c, annotation) : NULL;
    v->rep = rep_of(c, t != NULL ? t : target->ty, target->at);
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
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_LOAD)
        table_set(s->loaded, e->name.id, s);
    return true;
}

static void survey_handler(Survey *s, const Excepthandler *h)
{
    Sym name = h->except_handler.name;
    if (name != NULL) {
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

Sym c_default_variable(CEmit *c, const Stmt *def, Sym param)
{
    return names_format(c->names, "(%s of %s)", param, def->function_def.name);
}

const Arg *c_param(const Arguments *args, size_t i)
{
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    for (size_t l = 0; l < 3; l++) {
        if (i < lists[l].len)
            return lists[l].at[i];
        i -= lists[l].len;
    }
    return NULL;
}

const Expr *c_default_expr(const Arguments *args, size_t i)
{
    size_t positional = args->posonlyargs.len + args->args.len;
    if (i >= positional)
        return args->kw_defaults.at[i - positional];
    size_t required = positional - args->defaults.len;
    return i < required ? NULL : args->defaults.at[i - required];
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

static void survey_parts(Survey *s, const Stmt *st)
{
    switch (st->kind) {
    case STMT_FUNCTION_DEF: {
        CVariable *v = variable(s, st->function_def.name, NULL);
        v->stores += s->loops > 0 ? 2 : 1;
        v->stored_at = s->clock;
        v->def = v->stored ? NULL : st;     // of several, whose defaults are not known
        v->stored = true;
        survey_defaults(s, st);
        if (v->rep == NULL)
            v->rep = c_def_rep(s->c, st);
        inner_function(s, st, NULL);
        return;
    }
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
    case STMT_GLOBAL:
        for (size_t i = 0; i < st->global.names.len; i++)
            table_set(s->outside, st->global.names.at[i], s);
        return;
    case STMT_NONLOCAL:
        for (size_t i = 0; i < st->nonlocal.names.len; i++)
            table_set(s->outside, st->nonlocal.names.at[i], s);
        return;
    case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF: case STMT_RETURN: case STMT_DELETE:
    case STMT_TYPE_ALIAS: case STMT_AUG_ASSIGN: case STMT_ASYNC_FOR: case STMT_WITH:
    case STMT_ASYNC_WITH: case STMT_MATCH: case STMT_RAISE: case STMT_TRY_STAR: case STMT_ASSERT:
    case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_EXPR: case STMT_PASS: case STMT_BREAK:
    case STMT_CONTINUE: case STMT_CHOREO: case STMT_STOPPED: case STMT_COUNT:
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
        if (v->held || v->self_function)
            continue;
        if (v->is_flag)
            continue;
        v->captured = table_get(s->inner, v->name) != NULL;
        bool later = v->captured
            && (const void *)table_key(v->stored_at) > table_get(s->inner, v->name);
        bool changes = v->param ? v->stored : v->stores > 1 || later || v->flag != NULL;
        v->cell = v->captured && (changes || table_get(s->inner_stored, v->name) != NULL);
        CVariable *flag = v->flag ? table_get(s->f->variables, v->flag) : NULL;
        if (flag != NULL)
            flag->captured = flag->cell = v->cell;
        v->loaded = table_get(s->loaded, v->name) != NULL;
        if (v->c_name == NULL)
            v->c_name = c_identifier(s->c, v->name);
    }
}

static void survey(CEmit *c, CFunction *f)
{
    Survey s = {.c = c, .f = f, .inner = table_new(c->arena), .inner_stored = table_new(c->arena),
                .outside = table_new(c->arena), .loaded = table_new(c->arena)};
    IrWalker w = {.cx = &s, .expr = survey_expr, .stmt = own_exprs};
    if (f->def != NULL) {
        survey_stmts(&s, f->def->function_def.body);
        s.clock = 0;                    // the same statements once more
        ir_walk_stmts(&w, f->def->function_def.body);
        c_find_unsure(c, f);
    } else {
        ir_walk_expr(&w, f->lambda->lambda.body);
    }
    settle(&s);
    if (f->def != NULL)
        c_find_counters(c, f);
}

// ---- signatures ----

static void add_param(CEmit *c, CFunction *f, Sym name, const Rep *rep)
{
    vec_push(c->arena, &f->params, rep);
    vec_push(c->arena, &f->names, name);
    CVariable *v = ARENA_NEW(c->arena, CVariable);
    *v = (CVariable){.name = name, .rep = rep, .param = true};
    table_set(f->variables, name, v);
    vec_push(c->arena, &f->order, v);
}

static bool decorated(const Stmt *def, const char *name)
{
    for (size_t i = 0; i < def->function_def.decorator_list.len; i++) {
        const Expr *d = def->function_def.decorator_list.at[i];
        Sym known = d->kind == EXPR_NAME ? d->name.id
            : d->kind == EXPR_ATTRIBUTE ? d->attribute.attr : NULL;
        if (known != NULL && sym_is(known, name))
            return true;
    }
    return false;
}

static const Rep *param_rep(CEmit *c, const Arg *arg)
{
    const Ty *t = arg->ty ? arg->ty : arg->annotation ? c_annotation(c, arg->annotation) : NULL;
    if (t == NULL)
        (void)c_refuse(c, arg->at, "the C target needs the type of parameter `%s`", arg->arg);
    return t ? rep_of(c, t, arg->at) : rep_named(c, "object");
}

static bool note_return(void *cx, const Stmt *s)
{
    const Expr *value = s->kind == STMT_RETURN ? s->return_.value : NULL;
    bool none = value != NULL && value->kind == EXPR_CONSTANT
                && value->constant.value->kind == CONST_NONE;
    *(bool *)cx |= value != NULL && !none;
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF;
}

// Whether some `return` gives more than None.
static bool gives_value(StmtList body)
{
    bool found = false;
    IrWalker w = {.cx = &found, .stmt = note_return};
    ir_walk_stmts(&w, body);
    return found;
}

// What a decorator that the compiler does not know makes of a function cannot be said.
static void check_decorators(CEmit *c, const Stmt *def)
{
    static const char *const KNOWN[] = {
        "staticmethod", "classmethod", "property", "setter", "abstractmethod", "override", "final",
        "overload", "contextmanager", "roles", "effect"};
    for (size_t i = 0; i < def->function_def.decorator_list.len; i++) {
        const Expr *d = def->function_def.decorator_list.at[i];
        const Expr *named = d->kind == EXPR_CALL ? d->call.func : d;
        Sym name = named->kind == EXPR_NAME ? named->name.id
            : named->kind == EXPR_ATTRIBUTE ? named->attribute.attr : NULL;
        bool known = false;
        for (size_t j = 0; name != NULL && j < sizeof KNOWN / sizeof *KNOWN; j++)
            known |= sym_is(name, KNOWN[j]);
        if (!known)
            (void)c_refuse(c, d->at, "the C target does not know this decorator");
    }
}

static void signature(CEmit *c, CFunction *f)
{
    check_decorators(c, f->def);
    const Arguments *args = f->def->function_def.args;
    bool is_static = f->owner && decorated(f->def, "staticmethod");
    size_t skip = f->owner && !is_static;
    const ArgList lists[] = {args->posonlyargs, args->args};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l].len; i++) {
            const Arg *arg = lists[l].at[i];
            if (skip > 0) {
                skip = 0;
                if (!decorated(f->def, "classmethod"))
                    add_param(c, f, arg->arg, rep_class(c, f->owner));
                f->is_class = decorated(f->def, "classmethod");
                f->takes_self = !f->is_class;
                continue;
            }
            add_param(c, f, arg->arg, param_rep(c, arg));
        }
    if (args->vararg != NULL) {
        const Rep *rep = param_rep(c, args->vararg);
        bool whole = args->vararg->ty != NULL && rep->kind == REP_SEQUENCE;
        add_param(c, f, args->vararg->arg, whole ? rep : rep_sequence(c, rep));
    }
    for (size_t i = 0; i < args->kwonlyargs.len; i++)
        add_param(c, f, args->kwonlyargs.at[i]->arg, param_rep(c, args->kwonlyargs.at[i]));
    if (args->kwarg != NULL) {
        const Rep *rep = param_rep(c, args->kwarg);
        bool whole = args->kwarg->ty != NULL && rep->kind == REP_DICT;
        add_param(c, f, args->kwarg->arg, whole ? rep : rep_dict(c, rep_named(c, "str"), rep));
    }
    const Expr *returns = f->def->function_def.returns;
    const Ty *t = returns ? c_annotation(c, returns) : NULL;
    if (returns == NULL && gives_value(f->def->function_def.body))
        (void)c_refuse(c, f->def->at, "the C target needs the type of what `%s` returns",
                       f->def->function_def.name);
    if (t == NULL && returns == NULL && f->result == NULL)
        f->result = rep_named(c, "None");
    else
        f->result = rep_of(c, t, f->def->at);
    if (decorated(f->def, "contextmanager"))
        f->result = rep_manager(c);
}

// ---- which function it is ----

static const char *types_key(CEmit *c, Table *types, TypeVars vars)
{
    const char *key = "";
    for (size_t i = 0; i < vars.len; i++) {
        const Ty *t = table_get(types, vars.at[i]);
        key = c_text(c, "%s_%s", key, t ? rep_of(c, t, (Span){0, 0})->name : "any");
    }
    return key;
}

static const Ty *self_type(CEmit *c, const CClass *owner)
{
    bool plain = owner != NULL && owner->types == NULL;
    return plain ? ty_named(c->arena, owner->name, (TyList){0}) : NULL;
}

CFunction *c_signature(CEmit *c, const Stmt *def, CClass *owner, Table *types)
{
    TypeVars vars = c_type_vars(c, def);
    const char *own = owner ? c_text(c, "%s_%s", owner->c_name, def->function_def.name)
                            : c_of_module(c, def->function_def.name);
    const char *key = c_text(c, "%p %s%s", (const void *)def, own, types_key(c, types, vars));
    CFunction *f = table_get(c->functions, names_get(c->names, key));
    if (f != NULL)
        return f;
    f = ARENA_NEW(c->arena, CFunction);
    *f = (CFunction){.def = def, .owner = owner,
                     .shown = unqualified(def->function_def.name),
                     .variables = table_new(c->arena), .types = types};
    f->c_name = c_unique(c, c_text(c, "%s%s", own, types_key(c, types, vars)));
    table_set(c->functions, names_get(c->names, key), f);
    Table *outer = c->substitution;
    CClass *outer_class = c->class_;
    c->substitution = types != NULL ? types : owner ? owner->types : NULL;
    const Ty *self = c->self;
    c->self = self_type(c, owner);
    c->class_ = owner;
    signature(c, f);
    c->self = self;
    c->substitution = outer;
    c->class_ = outer_class;
    return f;
}

CFunction *c_function(CEmit *c, const Stmt *def, CClass *owner, Table *types)
{
    CFunction *f = c_signature(c, def, owner, types);
    if (!f->queued)
        vec_push(c->arena, &c->queue, f);
    f->queued = true;
    return f;
}

// ---- text ----

// Whether a function may come to itself: calls to names and methods of its own name, as text.
bool c_is_recursive(const CFunction *f)
{
    return f->def != NULL;
}

static const char *param_text(CEmit *c, const CFunction *f, size_t i)
{
    CVariable *v = table_get(f->variables, f->names.at[i]);
    bool copied = v->stored || v->cell;
    return c_text(c, "%s%s%s", f->params.at[i]->type, copied ? "given_" : "", v->c_name);
}

static const char *header(CEmit *c, const CFunction *f)
{
    const char *params = f->is_nested ? "PychoralFunction *self_function"
                                                             : "";
    for (size_t i = 0; i < f->params.len; i++)
        if (rep_passed(f->params.at[i]))
            params = c_text(c, "%s%s%s", params, *params ? ", " : "", param_text(c, f, i));
    return c_text(c, "static %s%s(%s)", rep_passed(f->result) ? f->result->type : "void ",
                  f->c_name, *params ? params : "void");
}

static void declare_cell(CEmit *c, const CVariable *v)
{
    const Rep *cell = rep_cell(c, v->rep);
    c_line(c, "PYCHORAL_OWNED(object) PychoralBox *%s = pychoral_cell(%s);", v->c_name, cell->row);
    if (v->param && rep_passed(v->rep))
        c_line(c, "*(%s*)%s->value = %s;", v->rep->type, v->c_name,
               v->rep->keep ? c_text(c, "%s(given_%s)", v->rep->keep, v->c_name)
                            : c_text(c, "given_%s", v->c_name));
}

static void declare(CEmit *c, const CVariable *v)
{
    if (v->held || v->self_function || !rep_passed(v->rep))
        return;
    if (v->cell) {
        declare_cell(c, v);
        return;
    }
    if (v->counter) {
        c_line(c, "int64_t %s = 0;%s", v->c_name,
               v->loaded ? "" : c_text(c, "\n(void)%s;", v->c_name));
        return;
    }
    if (v->param && !v->stored) {
        if (!v->loaded)
            c_line(c, "(void)%s;", v->c_name);
        return;
    }
    const char *zero = rep_zero(c, v->rep), *first = zero[0] == '(' ? "{0}" : zero;
    if (v->param)
        first = v->rep->keep ? c_text(c, "%s(given_%s)", v->rep->keep, v->c_name)
                             : c_text(c, "given_%s", v->c_name);
    if (v->rep->drop != NULL)
        c_line(c, "PYCHORAL_OWNED(%s) %s%s = %s;", v->rep->drop, v->rep->type, v->c_name, first);
    else
        c_line(c, "%s%s = %s;%s", v->rep->type, v->c_name, first,
               v->loaded ? "" : c_text(c, "\n(void)%s;", v->c_name));
}

static void declare_held(CEmit *c, const CFunction *f)
{
    if (f->held == NULL) {
        if (f->is_nested)
            c_line(c, "(void)self_function;");
        return;
    }
    c_line(c, "%s*held = (%s*)self_function->cells;", f->held->type, f->held->type);
    c_line(c, "(void)held;");
}

static bool ends_open(StmtList body)
{
    if (body.len == 0)
        return true;
    const Stmt *last = body.at[body.len - 1];
    return last->kind != STMT_RETURN;
}

static void print_function(CEmit *c, CFunction *f)
{
    c->function = f;
    c->home = c_home_of(c, f->def ? f->def->at : f->lambda->at);
    c->substitution = f->types != NULL ? f->types : f->owner ? f->owner->types : NULL;
    c->self = self_type(c, f->owner);
    c->temps = c->labels = 0;
    c->handled = NULL;
    c->finally = NULL;
    c->loop_depth = 0;
    if (f->def != NULL && c_yields(f->def))
        c->function = f = c_generator_body(c, f);
    c->fail = rep_passed(f->result) ? c_text(c, "return %s;", rep_zero(c, f->result)) : "return;";
    survey(c, f);
    const char *head = header(c, f);
    buf_printf(&c->prototypes, "%s;\n", head);
    c_line(c, "%s\n%s\n{", c_own_line(c), head);
    c->out->indent++;
    declare_held(c, f);
    for (size_t i = 0; i < f->order.len; i++)
        declare(c, f->order.at[i]);
    if (c_is_recursive(f))
        c_line(c, "if (PYCHORAL_TOO_DEEP())\n    %s", c->fail);
    c->out->indent--;
    if (f->def != NULL) {
        c_block(c, f->def->function_def.body);
        if (rep_passed(f->result) && ends_open(f->def->function_def.body))
            c_line(c, "    return %s;", rep_zero(c, f->result));
    } else {
        c->out->indent++;
        c->line = c_line_of(c, f->lambda->at);
        Value v = c_expr_as(c, f->lambda->lambda.body, f->result);
        if (rep_passed(f->result))
            c_line(c, "return %s;", c_owned(c, v));
        else
            (void)c_temp(c, v);
        c->out->indent--;
    }
    c_line(c, "}");
    c->function = NULL;
    c->substitution = NULL;
}

void c_print_queue(CEmit *c)
{
    for (; c->printed < c->queue.len; c->printed++)
        print_function(c, c->queue.at[c->printed]);
}

// ---- as values ----

// How other code calls it: by pointers to arguments in place.
static void print_entry(CEmit *c, CFunction *f)
{
    if (f->entry_printed)
        return;
    f->entry_printed = true;
    const char *args = f->is_nested ? "self" : "";
    size_t n = 0;
    for (size_t i = 0; i < f->params.len; i++) {
        if (!rep_passed(f->params.at[i]))
            continue;
        args = c_text(c, "%s%s*(%s*)arguments[%zu]", args, *args ? ", " : "",
                      f->params.at[i]->type, n++);
    }
    const char *call = c_text(c, "%s(%s)", f->c_name, args);
    buf_printf(&c->entries, "\nPYCHORAL_HELPER void %s_entry(PychoralFunction *self, void *const "
               "*arguments, void *result)\n{\n    (void)self, (void)arguments, (void)result;\n",
               f->c_name);
    if (rep_passed(f->result))
        buf_printf(&c->entries, "    *(%s*)result = %s;\n}\n", f->result->type, call);
    else
        buf_printf(&c->entries, "    %s;\n}\n", call);
    buf_printf(&c->prototypes, "PYCHORAL_HELPER void %s_entry(PychoralFunction *self, void *const "
               "*arguments, void *result);\n", f->c_name);
}

const Rep *c_function_rep(CEmit *c, const CFunction *f)
{
    size_t n = 0;
    const Rep **parts = ARENA_ARRAY(c->arena, const Rep *, f->params.len + 1);
    for (size_t i = 0; i < f->params.len; i++)
        if (rep_passed(f->params.at[i]))
            parts[n++] = f->params.at[i];
    return rep_function(c, parts, n, f->result);
}

// A function of the module as a value: one that is never freed.
static Value static_function(CEmit *c, CFunction *f, const Rep *rep)
{
    if (!f->value_printed) {
        f->value_printed = true;
        print_entry(c, f);
        buf_printf(&c->functions_as_values, "static PychoralFunction %s_value = {\n"
                   "    .object = {.head = {.refs = PYCHORAL_IMMORTAL}, .type = %s},\n"
                   "    .call = %s_entry, .name = \"%s\"};\n", f->c_name, rep->row, f->c_name,
                   f->shown);
    }
    return (Value){.rep = rep, .text = c_text(c, "&%s_value", f->c_name), .lasting = true};
}

static const char *captured_text(CEmit *c, CVariable *v)
{
    const char *text = v->self_function ? "self_function"
        : v->held ? c_text(c, "held->%s", v->c_name) : v->c_name;
    if (v->cell || v->self_function)
        return c_text(c, "PYCHORAL_KEEP(%s)", text);
    return v->rep->keep ? c_text(c, "%s(%s)", v->rep->keep, text) : text;
}

static void print_defaults(CEmit *c, const CFunction *f)
{
    const char *fields = "";
    for (size_t i = 0; i < f->defaults.len; i++)
        fields = c_text(c, "%s%s{.type = %s, .offset = offsetof(%s, item%zu)}", fields,
                        i ? ", " : "",
                        f->held->parts[f->defaults.at[i]]->row, f->held->name, f->defaults.at[i]);
    if (f->defaults.len > 0)
        buf_printf(&c->functions_as_values, "static const PychoralField %s_defaults[] = {%s};\n",
                   f->c_name, fields);
}

Value c_closure(CEmit *c, CFunction *f)
{
    const Rep *rep = c_function_rep(c, f);
    if (!f->is_nested)
        return static_function(c, f, rep);
    print_entry(c, f);
    print_defaults(c, f);
    const char *held = f->held ? f->held->row : "NULL";
    Value v = c_temp(c, c_value(rep, c_text(c, "pychoral_function_new(%s, %s, \"%s\", %s_entry)",
                                            rep->row, held, f->shown, f->c_name), HOLD_OWNED));
    if (f->held == NULL)
        return v;
    const char *items = "";
    for (size_t i = 0; i < f->captured.len; i++)
        items = c_text(c, "%s%s.item%zu = %s", items, i ? ", " : "", i,
                       captured_text(c, c_find_variable(c, f->captured.at[i])));
    c_line(c, "*(%s*)%s->cells = (%s){%s};", f->held->type, v.text, f->held->name, items);
    if (f->defaults.len > 0)
        c_line(c, "%s->defaults = %s_defaults;\n%s->default_count = %zu;", v.text, f->c_name,
               v.text, f->defaults.len);
    return v;
}

// ---- nested functions ----

static bool is_param(const CFunction *f, Sym name)
{
    for (size_t i = 0; i < f->names.len; i++)
        if (f->names.at[i] == name)
            return true;
    return false;
}

typedef struct Capture { CEmit *c; CFunction *f; const Stmt *def; SymList bound; Table *seen; }
    Capture;

static bool binds(SymList list, Sym name)
{
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i] == name)
            return true;
    return false;
}

static void capture_variable(Capture *k, Sym name)
{
    CEmit *c = k->c;
    CVariable *v = name ? c_find_variable(c, name) : NULL;
    bool own = name && (is_param(k->f, name) || binds(k->bound, name));
    if (v == NULL || own || table_get(k->seen, name) || !rep_passed(v->rep))
        return;
    table_set(k->seen, name, k);
    capture_variable(k, v->flag);
    CVariable *mine = ARENA_NEW(c->arena, CVariable);
    *mine = *v;
    mine->param = mine->stored = mine->captured = false;
    if (k->def != NULL && k->def->function_def.name == name && !v->cell) {
        mine->self_function = true;
    } else {
        mine->held = true;
        mine->c_name = c_text(c, "item%zu", k->f->captured.len);
        vec_push(c->arena, &k->f->captured, name);
    }
    table_set(k->f->variables, name, mine);
    vec_push(c->arena, &k->f->order, mine);
}

static bool capture_name(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        capture_variable(cx, e->name.id);
    return true;
}

// Names that a nested function declares as another's are not its own.
static SymList own_names(CEmit *c, StmtList body)
{
    SymList bound = names_bound(c->arena, c->names, body);
    Vec(Sym) own = {0};
    for (size_t i = 0; i < bound.len; i++) {
        bool other = false;
        for (size_t j = 0; j < body.len; j++)
            if (body.at[j]->kind == STMT_NONLOCAL || body.at[j]->kind == STMT_GLOBAL)
                other |= binds(body.at[j]->kind == STMT_NONLOCAL ? body.at[j]->nonlocal.names
                                                                 : body.at[j]->global.names,
                               bound.at[i]);
        if (!other)
            vec_push(c->arena, &own, bound.at[i]);
    }
    return (SymList){own.at, own.len};
}

// Those of the last parameters: where the function is a value, it may be called without them.
static void capture_defaults(Capture *k)
{
    const Arg *arg;
    CFunction *f = k->f;
    const Arguments *args = k->def ? k->def->function_def.args : NULL;
    bool simple = args != NULL && args->vararg == NULL && args->kwarg == NULL;
    for (size_t i = 0; simple && (arg = c_param(args, i)) != NULL; i++) {
        Sym kept = c_default_variable(k->c, k->def, arg->arg);
        capture_variable(k, kept);
        if (table_get(k->seen, kept) != NULL)
            vec_push(k->c->arena, &f->defaults, f->captured.len - 1);
        else
            f->defaults.len = 0;
    }
}

static void capture(CEmit *c, CFunction *f)
{
    Capture k = {.c = c, .f = f, .def = f->def, .seen = table_new(c->arena)};
    IrWalker w = {.cx = &k, .expr = capture_name};
    if (f->def != NULL) {
        k.bound = own_names(c, f->def->function_def.body);
        ir_walk_stmts(&w, f->def->function_def.body);
    } else {
        ir_walk_expr(&w, f->lambda->lambda.body);
    }
    capture_defaults(&k);
    if (f->captured.len == 0)
        return;
    const Rep **parts = ARENA_ARRAY(c->arena, const Rep *, f->captured.len);
    for (size_t i = 0; i < f->captured.len; i++) {
        CVariable *v = table_get(f->variables, f->captured.at[i]);
        parts[i] = v->cell ? rep_cell(c, v->rep) : v->rep;
    }
    f->held = rep_tuple(c, parts, f->captured.len);
}

// A parameter that the type leaves out has its default always: it is evaluated where the lambda
// stands, and held as if it were captured.
static void lambda_default(CEmit *c, CFunction *f, Sym name, const Expr *value)
{
    if (c->function == NULL) {
        (void)c_refuse(c, value->at, "the C target has no such defaults in the module's code");
        return;
    }
    Value v = c_expr(c, value);
    Value own = v;
    own.text = c_owned(c, v);
    own.hold = v.rep->drop ? HOLD_OWNED : HOLD_PLAIN;
    v = c_temp(c, own);
    Sym hidden = names_format(c->names, "(default %s)", v.text);
    CVariable *outer = ARENA_NEW(c->arena, CVariable), *mine = ARENA_NEW(c->arena, CVariable);
    *outer = (CVariable){.name = hidden, .c_name = v.text, .rep = v.rep, .captured = true};
    *mine = (CVariable){.name = name, .rep = v.rep, .held = true,
                        .c_name = c_text(c, "item%zu", f->captured.len)};
    table_set(c->function->variables, hidden, outer);
    table_set(f->variables, hidden, mine);
    table_set(f->variables, name, mine);
    vec_push(c->arena, &f->order, mine);
    vec_push(c->arena, &f->names, name);
    vec_push(c->arena, &f->captured, hidden);
}

static void lambda_signature(CEmit *c, CFunction *f)
{
    const Expr *e = f->lambda;
    const Ty *t = e->ty ? c_ty(c, e->ty) : NULL;
    const Arguments *args = e->lambda.args;
    size_t given = t && t->kind == TY_CALLABLE && t->callable.params.len < args->args.len
        ? t->callable.params.len : args->args.len;
    if (t == NULL || t->kind != TY_CALLABLE || given + args->defaults.len < args->args.len
        || args->vararg || args->kwarg || args->kwonlyargs.len > 0) {
        (void)c_refuse(c, e->at, "the C target does not know the types of this lambda");
        f->result = rep_named(c, "None");
        return;
    }
    for (size_t i = 0; i < given; i++)
        add_param(c, f, args->args.at[i]->arg, rep_of(c, t->callable.params.at[i], e->at));
    for (size_t i = given; i < args->args.len; i++)
        lambda_default(c, f, args->args.at[i]->arg,
                       args->defaults.at[i - (args->args.len - args->defaults.len)]);
    f->result = rep_of(c, t->callable.result, e->at);
}

CFunction *c_nested(CEmit *c, const Stmt *def, const Expr *lambda)
{
    CFunction *f = ARENA_NEW(c->arena, CFunction);
    const char *base = c->function ? c->function->c_name
        : c->home->name ? c->home->name : c->prefix;
    *f = (CFunction){.def = def, .lambda = lambda, .types = c->substitution,
                     .shown = def ? unqualified(def->function_def.name) : "<lambda>",
                     .variables = table_new(c->arena),
                     .is_nested = true};
    f->c_name = c_unique(c, c_text(c, "%s_%s", base, def ? def->function_def.name : "lambda"));
    if (def != NULL)
        signature(c, f);
    else
        lambda_signature(c, f);
    capture(c, f);
    vec_push(c->arena, &c->queue, f);
    return f;
}

CFunction *c_def_function(CEmit *c, const Stmt *def)
{
    CFunction *f = ARENA_NEW(c->arena, CFunction);
    *f = (CFunction){.def = def, .shown = unqualified(def->function_def.name),
                     .variables = table_new(c->arena)};
    signature(c, f);
    return f;
}

const Rep *c_def_rep(CEmit *c, const Stmt *def)
{
    return c_function_rep(c, c_def_function(c, def));
}
