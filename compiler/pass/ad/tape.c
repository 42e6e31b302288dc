// tape.c - the tape as lists, one for each type of value: what a derivative is in plain Python.
// Functions that use the tape of their caller take these lists first.

#include "compiler/emit/python.h"
#include "compiler/pass/ad/ad.h"
#include "compiler/pass/ad/diff.h"

typedef struct TapeType { const char *text; const Ty *ty; Sym name; } TapeType;

typedef struct Tapes {
    Ad     ad;
    Vec(TapeType) types;
    Table *taken;               // all names
    Table *taking;              // names of functions that take the tapes
    bool   typed;               // as plain Python: copies are given their types, `x += y`
} Tapes;

// ---- which ----

static const char *ty_text(const Tapes *t, const Ty *ty)
{
    Buf b = buf_new(t->ad.arena);
    emit_ty(&b, ty);
    return buf_text(&b);
}

static const TapeType *tape_for(const Tapes *t, const Ty *ty)
{
    const char *text = ty_text(t, ty);
    for (size_t i = 0; i < t->types.len; i++)
        if (strcmp(t->types.at[i].text, text) == 0)
            return &t->types.at[i];
    return NULL;
}

static bool note_type(void *cx, const Stmt *s)
{
    Tapes *t = cx;
    if (s->kind != STMT_KEEP || tape_for(t, s->keep.value->ty) != NULL)
        return true;
    const Ty *ty = s->keep.value->ty;
    bool simple = ty->kind == TY_NAMED && ty->named.args.len == 0;
    const char *base = ad_is_float(ty) ? "tape"
                       : simple ? names_format(t->ad.names, "tape_%s", ty->named.name) : "tape_of";
    Sym name = ad_fresh(&t->ad, t->taken, base);
    vec_push(t->ad.arena, &t->types, ((TapeType){ty_text(t, ty), ty, name}));
    return true;
}

static bool note_name(void *cx, const Expr *e)
{
    Tapes *t = cx;
    if (e->kind == EXPR_NAME)
        table_set(t->taken, e->name.id, t);
    return true;
}

static bool note_arg(void *cx, const Arg *arg)
{
    Tapes *t = cx;
    table_set(t->taken, arg->arg, t);
    return true;
}

typedef struct Use { const Tapes *tapes; bool uses, begins; } Use;

static bool note_use(void *cx, const Stmt *s)
{
    Use *u = cx;
    u->uses = u->uses || s->kind == STMT_KEEP || s->kind == STMT_BACK;
    u->begins = u->begins || s->kind == STMT_TAPE;
    return true;
}

static bool note_call(void *cx, const Expr *e)
{
    Use *u = cx;
    if (e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME
        && table_get(u->tapes->taking, e->call.func->name.id) != NULL)
        u->uses = true;
    return true;
}

static void find_taking(Tapes *t, StmtList body)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < body.len; i++) {
            const Stmt *s = body.at[i];
            Use u = {.tapes = t};
            IrWalker w = {.cx = &u, .stmt = note_use, .expr = note_call};
            if (s->kind != STMT_FUNCTION_DEF || table_get(t->taking, s->function_def.name))
                continue;
            ir_walk_stmts(&w, s->function_def.body);
            if (u.uses && !u.begins) {
                table_set(t->taking, s->function_def.name, t);
                changed = true;
            }
        }
    }
}

// ---- rewriting ----

static const Ty *list_of(const Tapes *t, const Ty *item)
{
    const Ty **arg = ARENA_NEW(t->ad.arena, const Ty *);
    *arg = item;
    return ty_named(t->ad.arena, names_get(t->ad.names, "list"), (TyList){arg, 1});
}

static const Expr *tape_name(const Tapes *t, Span at, const TapeType *type)
{
    return ad_name(&t->ad, at, type->name, list_of(t, type->ty));
}

// `_twins((xs, list[float]))`: an int where a float is declared counts as one.
static const Expr *with_types(const Tapes *t, const Expr *e)
{
    AdExprs args = {0};
    for (size_t i = 0; i < e->call.args.len; i++) {
        const Expr *arg = e->call.args.at[i];
        const Expr *both[] = {arg, ad_annotation(&t->ad, arg->at, arg->ty)};
        vec_push(t->ad.arena, &args, expr_tuple(t->ad.arena, arg->at, ad_exprs(&t->ad, 2, both),
                                                EXPR_CONTEXT_LOAD));
    }
    return ad_call(&t->ad, e->call.func, e->ty, args.len, args.at);
}

static bool is_maker(Sym name)
{
    static const char *const NAMES[] = {AD_TWINS, AD_COPIES, AD_TANGENTS, AD_SEEDS};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (sym_is(name, NAMES[i]))
            return true;
    return false;
}

static const Expr *with_tapes(IrMapper *m, const Expr *e)
{
    const Tapes *t = m->cx;
    bool named = e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME;
    if (named && is_maker(e->call.func->name.id))
        return t->typed ? with_types(t, e) : e;
    if (!named || table_get(t->taking, e->call.func->name.id) == NULL)
        return e;
    AdExprs args = {0};
    for (size_t i = 0; i < t->types.len; i++)
        vec_push(t->ad.arena, &args, tape_name(t, e->at, &t->types.at[i]));
    for (size_t i = 0; i < e->call.args.len; i++)
        vec_push(t->ad.arena, &args, e->call.args.at[i]);
    return ad_call(&t->ad, e->call.func, e->ty, args.len, args.at);
}

// `x = x + e` as `x += e`.
static const Stmt *shortened(const Tapes *t, const Stmt *s)
{
    const Expr *target = s->assign.targets.at[0], *value = s->assign.value;
    if (value->kind != EXPR_BIN_OP || (value->bin_op.op != OPERATOR_ADD
                                       && value->bin_op.op != OPERATOR_SUB))
        return s;
    const Stmt *same = ad_store(&t->ad, value->bin_op.left, value->bin_op.left);
    if (!ir_equal_expr(same->assign.targets.at[0], target))
        return s;
    return stmt_aug_assign(t->ad.arena, s->at, target, value->bin_op.op, value->bin_op.right);
}

static const Stmt *plain_stmt(IrMapper *m, const Stmt *s)
{
    const Tapes *t = m->cx;
    if (s->kind == STMT_ASSIGN)
        return t->typed ? shortened(t, s) : s;
    if (s->kind == STMT_KEEP) {
        const Expr *list = tape_name(t, s->at, tape_for(t, s->keep.value->ty));
        return stmt_expr(t->ad.arena, s->at, ad_method(&t->ad, list, "append", t->ad.none, 1,
                                                       &s->keep.value));
    }
    if (s->kind == STMT_BACK) {
        const Expr *list = tape_name(t, s->at, tape_for(t, s->back.target->ty));
        return ad_store(&t->ad, s->back.target,
                        ad_method(&t->ad, list, "pop", s->back.target->ty, 0, NULL));
    }
    return s;
}

static const Arguments *more_arguments(const Tapes *t, const Stmt *def)
{
    const Arguments *old = def->function_def.args;
    Vec(const Arg *) args = {0};
    for (size_t i = 0; i < t->types.len; i++) {
        const Ty *ty = list_of(t, t->types.at[i].ty);
        const Arg *arg = arg_new(t->ad.arena, def->at, t->types.at[i].name,
                                 ad_annotation(&t->ad, def->at, ty));
        vec_push(t->ad.arena, &args, arg_with_ty(t->ad.arena, arg, ty));
    }
    for (size_t i = 0; i < old->args.len; i++)
        vec_push(t->ad.arena, &args, old->args.at[i]);
    return arguments_new(t->ad.arena, (ArgList){0}, (ArgList){args.at, args.len}, NULL,
                         (ArgList){0}, (ExprList){0}, NULL, (ExprList){0});
}

// `tape: list[float] = []` for each in place of the Tape.
static StmtList with_lists(const Tapes *t, StmtList body)
{
    Arena *a = t->ad.arena;
    AdBlock out = {0};
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        for (size_t k = 0; s->kind == STMT_TAPE && k < t->types.len; k++) {
            const Ty *ty = list_of(t, t->types.at[k].ty);
            const Expr *empty = ad_typed(&t->ad, expr_list(a, s->at, (ExprList){0},
                                                           EXPR_CONTEXT_LOAD), ty);
            const Expr *name = ad_typed(&t->ad, expr_name(a, s->at, t->types.at[k].name,
                                                          EXPR_CONTEXT_STORE), ty);
            vec_push(a, &out, stmt_ann_assign(a, s->at, name, ad_annotation(&t->ad, s->at, ty),
                                              empty, 1));
        }
        if (s->kind != STMT_TAPE)
            vec_push(a, &out, s);
    }
    return ad_stmts(&out);
}

static const Stmt *plain_function(const Tapes *t, IrMapper *m, const Stmt *s)
{
    bool takes = table_get(t->taking, s->function_def.name) != NULL;
    StmtList body = ir_map_stmts(m, with_lists(t, s->function_def.body));
    return stmt_function_def(t->ad.arena, s->at, s->function_def.name,
                             takes ? more_arguments(t, s) : s->function_def.args, body,
                             s->function_def.decorator_list, s->function_def.returns,
                             s->function_def.type_params);
}

const Unit *tape_lists(Arena *a, Names *names, const Unit *diff, bool typed)
{
    Tapes t = {.taken = table_new(a), .taking = table_new(a), .typed = typed};
    ad_open(&t.ad, a, names, NULL);
    const Endpoint *old = diff->endpoints.modules.at[0];
    IrWalker w = {.cx = &t, .stmt = note_type};
    IrMapper m = {.arena = a, .cx = &t, .stmt = plain_stmt, .expr = with_tapes};
    AdBlock out = {0};
    IrWalker all = {.cx = &t, .expr = note_name, .arg = note_arg};
    ir_walk_stmts(&all, old->body);
    ir_walk_stmts(&w, old->body);
    find_taking(&t, old->body);
    for (size_t i = 0; i < old->body.len; i++) {
        const Stmt *s = old->body.at[i];
        vec_push(a, &out, s->kind == STMT_FUNCTION_DEF ? plain_function(&t, &m, s) : s);
    }
    const Endpoint **module = ARENA_NEW(a, const Endpoint *);
    *module = endpoint_new(a, old->role, ad_stmts(&out), old->types, old->loads, old->pieces);
    return unit_endpoints(a, (EndpointList){0}, (EndpointList){module, 1}, (SiteList){0});
}
