// flat_stmt.c - statements. A jump is where nothing more is done: what stands behind an `if` of
// which an arm jumps goes into the other arm, and only where that does not do, a truth says whether
// there was a jump.

#include "compiler/pass/ad/flat_internal.h"

// ---- jumps ----

static bool goes_on(StmtList body);

static bool try_goes_on(const Stmt *s)
{
    bool found = goes_on(s->try.body) && goes_on(s->try.orelse);
    for (size_t i = 0; i < s->try.handlers.len; i++)
        found = found || goes_on(s->try.handlers.at[i]->except_handler.body);
    return found;
}

static bool stmt_goes_on(const Stmt *s)
{
    if (s->kind == STMT_IF)
        return goes_on(s->if_.body) || goes_on(s->if_.orelse);
    if (s->kind == STMT_TRY)
        return try_goes_on(s);
    return s->kind != STMT_RETURN && s->kind != STMT_BREAK && s->kind != STMT_CONTINUE
           && s->kind != STMT_RAISE;
}

static bool goes_on(StmtList body)
{
    for (size_t i = 0; i < body.len; i++)
        if (!stmt_goes_on(body.at[i]))
            return false;
    return true;
}

typedef struct Jumps { bool returns, breaks, continues; } Jumps;

static void find_jumps(StmtList body, bool in_loop, Jumps *j)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        j->returns |= s->kind == STMT_RETURN;
        j->breaks |= s->kind == STMT_BREAK && !in_loop;
        j->continues |= s->kind == STMT_CONTINUE && !in_loop;
        if (s->kind == STMT_IF) {
            find_jumps(s->if_.body, in_loop, j);
            find_jumps(s->if_.orelse, in_loop, j);
        } else if (s->kind == STMT_TRY) {
            find_jumps(s->try.body, in_loop, j);
            find_jumps(s->try.orelse, in_loop, j);
            for (size_t h = 0; h < s->try.handlers.len; h++)
                find_jumps(s->try.handlers.at[h]->except_handler.body, in_loop, j);
        } else if (s->kind == STMT_FOR) {
            find_jumps(s->for_.body, true, j);
        } else if (s->kind == STMT_WHILE) {
            find_jumps(s->while_.body, true, j);
        }
    }
}

static const Expr *ask(Fun *f, Span at, Flag *flag)
{
    flag->asked = true;
    return ad_not(&f->flat->ad, ad_name(&f->flat->ad, at, flag->name, f->flat->ad.bool_));
}

static const Expr *ask_both(Fun *f, Span at, const Expr *test, Flag *flag)
{
    const Expr *more = ask(f, at, flag);
    return test == NULL ? more : ad_and(&f->flat->ad, test, more);
}

// What must hold for the code behind a statement with these jumps to run; NULL: nothing.
static const Expr *still_going(Fun *f, Span at, Jumps j)
{
    const Expr *test = NULL;
    if (j.returns)
        test = ask_both(f, at, test, &f->returned);
    if (j.breaks && f->loop != NULL)
        test = ask_both(f, at, test, f->loop->stop);
    if (j.continues && f->loop != NULL)
        test = ask_both(f, at, test, f->loop->skip);
    return test;
}

static void set_flag(Fun *f, Span at, const Flag *flag)
{
    flat_put(f, flag->name, ad_bool(&f->flat->ad, at, true));
}

// ---- simple statements ----

static void assign(Fun *f, const Expr *target, const Expr *value)
{
    const Ad *ad = &f->flat->ad;
    if (target->kind == EXPR_NAME) {
        const Ty *ty = table_get(f->locals, target->name.id);
        const Expr *v = flat_as(f, value, ty);
        flat_put(f, target->name.id, ad_typed(ad, v, ty != NULL ? ty : v->ty));
    } else if (flat_is_list_operation(target)) {
        flat_list_splice(f, target, value);
    } else if (target->kind == EXPR_ATTRIBUTE || target->kind == EXPR_SUBSCRIPT) {
        const Ty *list = target->kind == EXPR_SUBSCRIPT ? target->subscript.value->ty : NULL;
        const Ty *ty = list != NULL ? ad_list_element(list) : target->ty;
        const Expr *atom = flat_part(f, value, ty), *place = flat_place(f, target);
        vec_push(ad->arena, f->out, ad_store(ad, place, atom));
    } else {
        flat_refuse(f, target->at, "this target of an assignment cannot be differentiated");
    }
}

void flat_effect(Fun *f, const Expr *e)
{
    if (e->kind == EXPR_CONSTANT)
        return;                             // a docstring
    const Ad *ad = &f->flat->ad;
    const Expr *value = flat_value(f, e);
    bool method = value->kind == EXPR_CALL && value->call.func->kind == EXPR_ATTRIBUTE
                  && !ad_is_atom(value->call.func);
    if (method && ad_is_discrete(value->ty))
        vec_push(ad->arena, f->out, stmt_expr(ad->arena, e->at, value));
    else if (!ad_is_atom(value))
        flat_put(f, ad_fresh(ad, f->taken, "unused"), value);
}

static void return_(Fun *f, const Stmt *s)
{
    const Ad *ad = &f->flat->ad;
    const Expr *value = s->return_.value != NULL ? flat_as(f, s->return_.value, f->result)
                                                 : ad_none(ad, s->at);
    flat_put(f, f->value, ad_typed(ad, value, f->result));
    set_flag(f, s->at, &f->returned);
}

// ---- blocks ----

StmtList flat_arm(Fun *f, StmtList body, const Loop *loop)
{
    AdBlock own = {0};
    const Loop *loop_outside = f->loop;
    FlatPlace place = flat_into(f, &own);
    f->loop = loop;
    flat_block(f, body);
    flat_back_to(f, place);
    f->loop = loop_outside;
    return ad_stmts(&own);
}

static StmtList joined(Fun *f, StmtList a, StmtList b)
{
    AdBlock both = {0};
    for (size_t i = 0; i < a.len; i++)
        vec_push(f->flat->ad.arena, &both, a.at[i]);
    for (size_t i = 0; i < b.len; i++)
        vec_push(f->flat->ad.arena, &both, b.at[i]);
    return ad_stmts(&both);
}

typedef struct Changes { StmtList arms[2]; bool found; } Changes;

static bool find_changed(void *cx, const Expr *e)
{
    Changes *c = cx;
    if (e->kind == EXPR_NAME)
        c->found = c->found || flat_assigns(c->arms[0], e->name.id)
                   || flat_assigns(c->arms[1], e->name.id);
    return true;
}

// A test is asked again on the way back: it must then be as it was.
static const Expr *lasting(Fun *f, const Expr *test, StmtList yes, StmtList no)
{
    const Ad *ad = &f->flat->ad;
    Changes c = {.arms = {yes, no}};
    IrWalker w = {.cx = &c, .expr = find_changed};
    ir_walk_expr(&w, test);
    if (!c.found)
        return test;
    Sym name = ad_fresh(ad, f->taken, "test");
    flat_put(f, name, test);
    return ad_name(ad, test->at, name, test->ty);
}

static void put_if(Fun *f, Span at, const Expr *test, StmtList body, StmtList orelse)
{
    const Ad *ad = &f->flat->ad;
    size_t raises = f->raises;
    StmtList yes = flat_arm(f, body, f->loop), no = flat_arm(f, orelse, f->loop);
    test = lasting(f, test, yes, no);
    if (yes.len == 0 && no.len > 0) {
        test = ad_not(ad, test);
        yes = no;
        no = (StmtList){0};
    }
    if (yes.len > 0)
        vec_push(ad->arena, f->out, stmt_if(ad->arena, at, test, yes, no));
    flat_go_on(f, at, raises);
}

// Gives whether what follows has been done.
static bool if_(Fun *f, const Stmt *s, StmtList rest)
{
    bool a = goes_on(s->if_.body), b = goes_on(s->if_.orelse);
    const Expr *test = flat_settled(f, s->if_.test);
    if (a && b) {
        put_if(f, s->at, test, s->if_.body, s->if_.orelse);
        return false;
    }
    put_if(f, s->at, test, a ? joined(f, s->if_.body, rest) : s->if_.body,
           b ? joined(f, s->if_.orelse, rest) : s->if_.orelse);
    return true;
}

static void refuse_message(Fun *f, const Stmt *s)
{
    const Expr *e = s->raise.exc;
    bool unpacks = e != NULL && e->kind == EXPR_CALL && e->call.args.len == 1
                   && e->call.args.at[0]->at.start == s->at.start;     // what desugaring adds
    if (unpacks)
        diag_help(flat_refuse(f, s->at, "unpacking this value cannot be differentiated"),
                  "use indices and slices, such as `first, rest = xs[0], xs[1:]`");
    else
        diag_help(flat_refuse(f, s->at, "the message of this exception is not a constant"),
                  "raise the exception with a constant message, such as `raise ValueError(\"no "
                  "root\")`");
}

static void raise(Fun *f, const Stmt *s)
{
    const Ad *ad = &f->flat->ad;
    if (flat_raise(f, s))
        return;
    const Expr *e = s->raise.exc;
    bool made = e != NULL && e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME;
    bool plain = e != NULL && e->kind == EXPR_NAME;
    for (size_t i = 0; made && i < e->call.args.len; i++)
        made = e->call.args.at[i]->kind == EXPR_CONSTANT;
    if (!made && !plain)
        refuse_message(f, s);
    vec_push(ad->arena, f->out, stmt_raise(ad->arena, s->at, e, NULL));
}

static const char *refused_name(StmtKind kind)
{
    switch (kind) {
    case STMT_TRY_STAR: return "`try`";
    case STMT_GLOBAL: return "`global`";
    case STMT_NONLOCAL: return "`nonlocal`";
    case STMT_IMPORT: case STMT_IMPORT_FROM: return "an import in a function";
    case STMT_FUNCTION_DEF: return "a function in a function";
    case STMT_ASYNC_FUNCTION_DEF: return "`async def`";
    case STMT_CLASS_DEF: return "a class in a function";
    case STMT_RETURN: case STMT_ASSIGN: case STMT_TYPE_ALIAS: case STMT_AUG_ASSIGN:
    case STMT_ANN_ASSIGN: case STMT_FOR: case STMT_ASYNC_FOR: case STMT_WHILE: case STMT_IF:
    case STMT_WITH: case STMT_ASYNC_WITH: case STMT_MATCH: case STMT_RAISE: case STMT_ASSERT:
    case STMT_DELETE: case STMT_TRY: case STMT_EXPR: case STMT_PASS: case STMT_BREAK:
    case STMT_CONTINUE: case STMT_CHOREO:
    case STMT_OFFER: case STMT_STOPPED: case STMT_TAPE: case STMT_KEEP: case STMT_BACK:
    case STMT_COUNT:
        break;
    }
    return "this statement";
}

static void simple(Fun *f, const Stmt *s)
{
    switch (s->kind) {
    case STMT_ASSIGN: assign(f, s->assign.targets.at[0], s->assign.value); return;
    case STMT_ANN_ASSIGN:
        if (s->ann_assign.value != NULL)
            assign(f, s->ann_assign.target, s->ann_assign.value);
        return;
    case STMT_EXPR: flat_effect(f, s->expr.value); return;
    case STMT_RETURN: return_(f, s); return;
    case STMT_RAISE: raise(f, s); return;
    case STMT_FOR: flat_for(f, s); return;
    case STMT_WHILE: flat_while(f, s); return;
    case STMT_BREAK: set_flag(f, s->at, f->loop->stop); return;
    case STMT_CONTINUE: set_flag(f, s->at, f->loop->skip); return;
    case STMT_PASS: return;
    case STMT_DELETE: flat_list_delete(f, s->delete.targets.at[0]); return;
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF:
    case STMT_TYPE_ALIAS: case STMT_AUG_ASSIGN: case STMT_ASYNC_FOR: case STMT_IF: case STMT_WITH:
    case STMT_ASYNC_WITH: case STMT_MATCH: case STMT_TRY: case STMT_TRY_STAR: case STMT_ASSERT:
    case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_GLOBAL: case STMT_NONLOCAL:
    case STMT_CHOREO: case STMT_OFFER: case STMT_STOPPED: case STMT_TAPE: case STMT_KEEP:
    case STMT_BACK: case STMT_COUNT:
        break;
    }
    Diag *d = flat_refuse(f, s->at, "%s cannot be differentiated", refused_name(s->kind));
    if (s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM || s->kind == STMT_CLASS_DEF)
        diag_help(d, "move it to the top level of the module");
}

// The handlers and what follows come behind the body, if that has not jumped.
static void try_(Fun *f, const Stmt *s, StmtList rest)
{
    Jumps j = {0};
    find_jumps(s->try.body, false, &j);
    StmtList after = joined(f, flat_try(f, s), rest);
    const Expr *test = still_going(f, s->at, j);
    if (test != NULL)
        put_if(f, s->at, test, after, (StmtList){0});
    else
        flat_block(f, after);
}

void flat_block(Fun *f, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        StmtList rest = {body.at + i + 1, body.len - i - 1}, one = {&body.at[i], 1};
        Jumps j = {0};
        if (s->kind == STMT_TRY) {
            try_(f, s, rest);
            return;
        }
        find_jumps(one, false, &j);
        if (s->kind != STMT_IF)
            simple(f, s);
        else if (if_(f, s, rest))
            return;
        if (!stmt_goes_on(s))
            return;
        const Expr *test = rest.len > 0 ? still_going(f, s->at, j) : NULL;
        if (test != NULL) {
            put_if(f, s->at, test, rest, (StmtList){0});
            return;
        }
    }
}

// ---- functions ----

typedef struct Locals { Fun *fun; } Locals;

static bool note_local(void *cx, const Expr *e)
{
    Fun *f = cx;
    if (e->kind != EXPR_NAME)
        return e->kind != EXPR_LAMBDA;
    table_set(f->taken, e->name.id, f);
    if (e->name.ctx == EXPR_CONTEXT_STORE && e->ty != NULL
        && table_get(f->locals, e->name.id) == NULL)
        table_set(f->locals, e->name.id, (void *)e->ty);
    return true;
}

static void note_arg(Fun *f, const Arg *arg)
{
    if (arg->ty == NULL || arg->ty->kind == TY_ANY || arg->ty->kind == TY_POISON)
        diag_help(flat_refuse_type(f, arg->at, "the type of `%s` is not known", arg->arg),
                  "annotate the parameter, such as `%s: float`", arg->arg);
    flat_check_type(f, arg->at, arg->ty);
    table_set(f->taken, arg->arg, f);
    table_set(f->locals, arg->arg, (void *)(arg->ty ? arg->ty : f->flat->ad.float_));
}

static const Arguments *flat_arguments(Fun *f)
{
    const Ad *ad = &f->flat->ad;
    const Arguments *args = f->def->function_def.args;
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    Vec(const Arg *) all = {0};
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < lists[l].len; i++) {
            const Arg *arg = lists[l].at[i];
            note_arg(f, arg);
            const Expr *type = arg->ty != NULL ? ad_annotation(ad, arg->at, arg->ty) : NULL;
            vec_push(ad->arena, &all, arg_with_ty(ad->arena, arg_new(ad->arena, arg->at, arg->arg,
                                                                     type), arg->ty));
        }
    bool same = f->def->function_def.name == f->flat->root->function_def.name
                && args->kwonlyargs.len == 0;
    return arguments_new(ad->arena, (ArgList){0}, (ArgList){all.at, all.len}, NULL, (ArgList){0},
                         (ExprList){0}, NULL, same ? args->defaults : (ExprList){0});
}

// Truths that nobody asks are not set.
static bool is_unasked(const Fun *f, const Stmt *s)
{
    if (s->kind != STMT_ASSIGN || s->assign.targets.at[0]->kind != EXPR_NAME)
        return false;
    for (size_t i = 0; i < f->flags.len; i++)
        if (f->flags.at[i]->name == s->assign.targets.at[0]->name.id)
            return !f->flags.at[i]->asked;
    return false;
}

static StmtList without_unasked(Fun *f, StmtList body)
{
    Arena *a = f->flat->ad.arena;
    AdBlock out = {0};
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (is_unasked(f, s))
            continue;
        if (s->kind == STMT_IF)
            s = stmt_if(a, s->at, s->if_.test, without_unasked(f, s->if_.body),
                        without_unasked(f, s->if_.orelse));
        else if (s->kind == STMT_FOR)
            s = stmt_for(a, s->at, s->for_.target, s->for_.iter, without_unasked(f, s->for_.body),
                         (StmtList){0});
        else if (s->kind == STMT_WHILE)
            s = stmt_while(a, s->at, s->while_.test, without_unasked(f, s->while_.body),
                           (StmtList){0});
        vec_push(a, &out, s);
    }
    if (out.len == 0 && body.len > 0)
        vec_push(a, &out, stmt_pass(a, body.at[0]->at));
    return ad_stmts(&out);
}

static void open_function(Fun *f)
{
    static const char *const KEPT[] = {"math", "range", "len", "reversed", "tape", "float", "int",
                                       "bool", "list", "tuple", "max", "min", "sum", NULL};
    const Ad *ad = &f->flat->ad;
    static const char *const USED[] = {"range", "reversed", "len", "min", "max", NULL};
    IrWalker w = {.cx = f, .expr = note_local};
    for (size_t i = 0; KEPT[i] != NULL; i++)
        table_set(f->taken, names_get(ad->names, KEPT[i]), f);
    ir_walk_stmts(&w, f->def->function_def.body);
    for (size_t i = 0; USED[i] != NULL; i++) {
        Sym name = names_get(ad->names, USED[i]);
        if (table_get(f->locals, name) || table_get(f->flat->functions, name)
            || table_get(f->flat->globals, name) || table_get(f->flat->imports, name))
            diag_help(flat_refuse(f, f->def->at, "`%s` is defined in the program, but the "
                                  "derivative calls the builtin", name), "use another name in the "
                                                                         "program");
    }
    if (table_get(f->locals, names_get(ad->names, "math")) != NULL)
        diag_help(flat_refuse(f, f->def->at, "`math` is a variable here, but the derivative needs "
                              "the module"), "use another name in the program");
}

void flat_function(Flat *flat, const Stmt *def)
{
    const Ad *ad = &flat->ad;
    AdBlock out = {0}, whole = {0};
    def = flat_typed(flat, flat_apart(flat, def));
    Fun f = {.flat = flat, .def = def, .taken = table_new(ad->arena),
             .locals = table_new(ad->arena), .parts = table_new(ad->arena), .out = &out,
             .errors = diags_error_count(ad->diags)};
    const Arguments *args = flat_arguments(&f);
    open_function(&f);
    flat_check_truths(&f);
    f.result = def->function_def.returns ? def->function_def.returns->ty : ad->none;
    if (f.result == NULL)
        f.result = ad->none;
    f.value = ad_fresh(ad, f.taken, "value");
    f.returned.name = ad_fresh(ad, f.taken, "returned");
    vec_push(ad->arena, &f.flags, &f.returned);
    if (goes_on(def->function_def.body) && f.result->kind == TY_NONE_TYPE)
        flat_put(&f, f.value, ad_none(ad, def->at));
    flat_block(&f, def->function_def.body);
    if (f.returned.asked) {
        vec_push(ad->arena, &whole,
                 ad_assign(ad, f.returned.name, ad_bool(ad, def->at, false)));
        if (ad_is_float(f.result))
            vec_push(ad->arena, &whole, ad_assign(ad, f.value, ad_float(ad, def->at, 0.0)));
    }
    StmtList body = without_unasked(&f, ad_stmts(&out));
    for (size_t i = 0; i < body.len; i++)
        vec_push(ad->arena, &whole, body.at[i]);
    vec_push(ad->arena, &whole,
             stmt_return(ad->arena, def->at, ad_name(ad, def->at, f.value, f.result)));
    const Expr *returns = ad_typed(ad, ad_annotation(ad, def->at, f.result), f.result);
    vec_push(ad->arena, &flat->done,
             stmt_function_def(ad->arena, def->at, def->function_def.name, args, ad_stmts(&whole),
                               (ExprList){0}, returns, (TypeParamList){0}));
}
