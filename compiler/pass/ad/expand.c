// expand.c - the pass: `grad(g)`, `value_and_grad(g)` and `jvp(g, ..)` of a function of the program
// become calls of functions that are put behind g (`pychoralc grad` makes the same). What stands
// behind the pass sees one role's ordinary code. A program that is itself given to
// `pychoralc grad` is left alone: flat knows these calls.

#include "compiler/pass/ad/expand.h"

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/ir/free_names.h"
#include "compiler/pass/ad/diff.h"
#include "compiler/pass/ad/expand_internal.h"
#include "compiler/pass/ad/settled.h"
#include "compiler/pass/ad/slice.h"

typedef enum Word { WORD_NONE, WORD_GRAD, WORD_VALUE_AND_GRAD, WORD_JVP, WORD_VJP } Word;

// What is made of one function.
typedef struct Wanted {
    const Stmt *def;
    Word     mode;              // JVP or GRAD, which answers both
    const char *wrt;
    Table   *named;             // the names that functions have in a text of their own -> here
    StmtList made;
    size_t   place;             // behind this statement
    bool     refused;
} Wanted;

typedef struct Expand {
    PassCx  *cx;
    StmtList body;
    Table   *words;             // a name of the module -> what it imports of pychoral.ad
    Table   *spaces;            // names that stand for the module pychoral.ad
    Table   *free;              // Name nodes that are the module's
    Table   *taken;             // all names of the program
    Table   *defs;              // module name -> the statement that binds it last
    Vec(Wanted *) wanted;
    bool     math;              // `math` is needed
} Expand;

// ---- what the program says ----

static Word word_named(Sym name)
{
    return sym_is(name, "grad") ? WORD_GRAD
           : sym_is(name, "value_and_grad") ? WORD_VALUE_AND_GRAD
           : sym_is(name, "jvp") ? WORD_JVP : sym_is(name, "vjp") ? WORD_VJP : WORD_NONE;
}

static void read_alias(Expand *x, const Stmt *s, const Alias *a)
{
    bool from = s->kind == STMT_IMPORT_FROM;
    Sym module = from ? s->import_from.module : NULL, name = a->asname ? a->asname : a->name;
    if (from && sym_is(module, "pychoral.ad") && word_named(a->name) != WORD_NONE)
        table_set(x->words, name, (void *)a->name);
    if ((from && sym_is(module, "pychoral") && sym_is(a->name, "ad"))
        || (!from && sym_is(a->name, "pychoral.ad") && a->asname != NULL))
        table_set(x->spaces, name, x);
}

static void read_imports(Expand *x)
{
    for (size_t i = 0; i < x->body.len; i++) {
        const Stmt *s = x->body.at[i];
        AliasList list = s->kind == STMT_IMPORT ? s->import.names
                         : s->kind == STMT_IMPORT_FROM ? s->import_from.names : (AliasList){0};
        for (size_t k = 0; k < list.len; k++)
            read_alias(x, s, list.at[k]);
    }
}

static void note_free(void *cx, const Expr *e)
{
    Expand *x = cx;
    if (e->kind == EXPR_NAME)
        table_set(x->free, e, x);
}

static bool take_name(void *cx, const Expr *e)
{
    Expand *x = cx;
    if (e->kind == EXPR_NAME)
        table_set(x->taken, e->name.id, x);
    return true;
}

static bool take_arg(void *cx, const Arg *a)
{
    Expand *x = cx;
    table_set(x->taken, a->arg, x);
    return true;
}

static bool take_stmt(void *cx, const Stmt *s)
{
    Expand *x = cx;
    SymList bound = names_bound(x->cx->arena, x->cx->names, (StmtList){&s, 1});
    for (size_t i = 0; i < bound.len; i++)
        table_set(x->taken, bound.at[i], x);
    return true;
}

static void read_names(Expand *x)
{
    IrWalker w = {.cx = x, .expr = take_name, .arg = take_arg, .stmt = take_stmt};
    ir_walk_stmts(&w, x->body);
    (void)names_visit(x->cx->arena, x->cx->names, x->body, note_free, x);
    for (size_t i = 0; i < x->body.len; i++) {
        SymList bound = names_bound(x->cx->arena, x->cx->names, (StmtList){&x->body.at[i], 1});
        for (size_t k = 0; k < bound.len; k++)
            table_set(x->defs, bound.at[k], (void *)x->body.at[i]);
    }
}

// `grad` or `ad.grad`.
static Word word_of(const Expand *x, const Expr *e)
{
    const Expr *name = e->kind == EXPR_ATTRIBUTE ? e->attribute.value : e;
    if (name->kind != EXPR_NAME || table_get(x->free, name) == NULL)
        return WORD_NONE;
    if (e->kind == EXPR_ATTRIBUTE)
        return table_get(x->spaces, name->name.id) ? word_named(e->attribute.attr) : WORD_NONE;
    Sym word = table_get(x->words, name->name.id);
    return word != NULL ? word_named(word) : WORD_NONE;
}

// ---- the derivative ----

static SymList names_between_commas(const Expand *x, const char *text)
{
    Vec(Sym) names = {0};
    while (text != NULL && *text != '\0') {
        size_t skip = strspn(text, " "), len = strcspn(text + skip, ", ");
        if (len > 0)
            vec_push(x->cx->arena, &names, names_intern(x->cx->names, text + skip, len));
        text += skip + len;
        text += *text != '\0';
    }
    return (SymList){names.at, names.len};
}

// Differentiates as `pychoralc grad` does. False: refused. What is wrong with the function as it is
// written is left to the checker of the whole program.
static bool differentiate(Expand *x, Wanted *w, PassCx *sub, Span at)
{
    PassCx *cx = x->cx;
    Sym function = w->def->function_def.name;
    GradRequest request = {.function = function, .at = at,
                           .mode = w->mode == WORD_JVP ? GRAD_TANGENT : GRAD_REVERSE,
                           .wrt = names_between_commas(x, w->wrt)};
    Diags *own = diags_new(cx->arena);
    *sub = (PassCx){.arena = cx->arena, .names = cx->names, .diags = diags_new(cx->arena),
                    .source = cx->source, .loader = cx->loader, .entry = cx->entry, .plain = true,
                    .grad = &request, .verify = cx->verify, .linked = cx->linked,
                    .linked_count = cx->linked_count, .module = cx->module};
    diags_set_source(sub->diags, cx->source);
    diags_set_source(own, cx->source);
    sub->units[PASS_PARSE] = cx->units[PASS_PARSE];
    sub->units[PASS_LINK] = slice_unit(cx->arena, cx->names, cx->units[PASS_LINK], function);
    if (!pass_run(sub, PASS_DESUGAR))
        return false;
    sub->diags = own;
    settled_check(cx->arena, cx->names, own, sub->units[PASS_LINK], &request);
    bool done = diags_error_count(own) == 0 && pass_run(sub, PASS_DIFF);
    diags_take(cx->diags, own);
    return done;
}

// ---- what is made of it ----

// With the names that are free here, at the place of the function, without types.
static const Expr *settle_expr(IrMapper *m, const Expr *e)
{
    const Wanted *w = m->cx;
    Sym name = e->kind == EXPR_NAME ? table_get(w->named, e->name.id) : NULL;
    if (name != NULL)
        e = expr_name(m->arena, e->at, name, e->name.ctx);
    return expr_with_at(m->arena, expr_with_ty(m->arena, e, NULL, (SymList){0}), w->def->at);
}

static const Stmt *settle_stmt(IrMapper *m, const Stmt *s)
{
    const Wanted *w = m->cx;
    Sym name = s->kind == STMT_FUNCTION_DEF ? table_get(w->named, s->function_def.name) : NULL;
    if (name != NULL)
        s = stmt_function_def(m->arena, s->at, name, s->function_def.args, s->function_def.body,
                              s->function_def.decorator_list, s->function_def.returns,
                              s->function_def.type_params);
    return stmt_with_at(m->arena, s, w->def->at);
}

static const Arg *settle_arg(IrMapper *m, const Arg *arg)
{
    const Wanted *w = m->cx;
    return arg_with_at(m->arena, arg_with_ty(m->arena, arg, NULL), w->def->at);
}

// `_twins((xs, list[float]), ..)` as a call of a function that is made for these types.
typedef struct Inputs { Expand *x; const Ad *ad; Sym base; AdBlock *more; bool refused; } Inputs;

static const Expr *with_copier(IrMapper *m, const Expr *e)
{
    Inputs *in = m->cx;
    const Ad *ad = in->ad;
    Sym callee = e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME ? e->call.func->name.id
                                                                         : NULL;
    bool zeros = callee != NULL && sym_is(callee, AD_TWINS);
    if (callee == NULL || !(zeros || sym_is(callee, AD_COPIES) || sym_is(callee, AD_TANGENTS)))
        return e;
    AdExprs values = {0};
    for (size_t i = 0; i < e->call.args.len; i++)
        vec_push(ad->arena, &values, e->call.args.at[i]->tuple.elts.at[0]);
    Sym name = ad_fresh(ad, in->x->taken,
                        names_format(ad->names, zeros ? "%s_twins" : "%s_copies", in->base));
    StmtList made = {0};
    if (!expand_copier(ad, in->x->taken, name, (ExprList){values.at, values.len}, zeros, &made))
        in->refused = true;
    for (size_t i = 0; i < made.len; i++)
        vec_push(ad->arena, in->more, made.at[i]);
    return ad_call_name(ad, e->at, name, e->ty, values.len, values.at);
}

static void choose_names(Expand *x, const Ad *ad, Wanted *w, StmtList made)
{
    w->named = table_new(ad->arena);
    for (size_t i = 0; i < made.len; i++)
        if (made.at[i]->kind == STMT_FUNCTION_DEF) {
            Sym name = made.at[i]->function_def.name;
            table_set(w->named, name, (void *)ad_fresh(ad, x->taken, unqualified(name)));
        }
}

static void add_functions(const Ad *ad, AdBlock *out, StmtList list)
{
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i]->kind == STMT_FUNCTION_DEF)
            vec_push(ad->arena, out, list.at[i]);
}

// Functions of the flat unit that no text has: those that were in functions.
static void add_lifted(const Expand *x, const Ad *ad, StmtList flat, AdBlock *out)
{
    for (size_t before = out->len + 1; before != out->len;) {
        before = out->len;
        SymList free = names_free(ad->arena, ad->names, ad_stmts(out));
        for (size_t i = 0; i < flat.len; i++)
            for (size_t k = 0; k < free.len; k++)
                if (flat.at[i]->kind == STMT_FUNCTION_DEF
                    && flat.at[i]->function_def.name == free.at[k]
                    && table_get(x->defs, free.at[k]) == NULL)
                    vec_push(ad->arena, out, flat.at[i]);
    }
}

static StmtList functions_made(Expand *x, Ad *ad, const PassCx *sub)
{
    StmtList flat = sub->units[PASS_FLAT]->endpoints.modules.at[0]->body;
    const Unit *unit = tape_lists(ad->arena, ad->names, sub->units[PASS_DIFF]);
    AdBlock out = {0};
    for (size_t i = 0; i < flat.len; i++)
        if (flat.at[i]->kind == STMT_CLASS_DEF)
            table_set(ad->classes, flat.at[i]->class_def.name, (void *)flat.at[i]);
    add_functions(ad, &out, unit->endpoints.modules.at[0]->body);
    add_lifted(x, ad, flat, &out);
    return ad_stmts(&out);
}

// In the statements that bind what the functions mention, the last.
static size_t last_needed(const Expand *x, const Wanted *w)
{
    SymList free = names_free(x->cx->arena, x->cx->names, w->made);
    size_t last = 0;
    for (size_t i = 0; i < x->body.len; i++) {
        const Stmt *s = x->body.at[i];
        for (size_t k = 0; k < free.len; k++)
            if (s == w->def || (s->kind == STMT_CLASS_DEF && s->class_def.name == free.at[k]))
                last = i;
    }
    return last;
}

static void note_math(Expand *x, StmtList made)
{
    Sym math = names_get(x->cx->names, "math");
    SymList free = names_free(x->cx->arena, x->cx->names, made);
    for (size_t i = 0; i < free.len; i++)
        x->math = x->math || (free.at[i] == math && table_get(x->defs, math) == NULL);
}

static void make(Expand *x, Wanted *w, Span at)
{
    PassCx sub;
    Ad ad;
    AdBlock all = {0};
    if (!differentiate(x, w, &sub, at)) {
        w->refused = true;
        return;
    }
    ad_open(&ad, x->cx->arena, x->cx->names, x->cx->diags);
    StmtList made = functions_made(x, &ad, &sub);
    SymList bound = names_bound(ad.arena, ad.names, made);
    StmtList helpers = partial_helpers_for(ad.arena, ad.names, made, bound);
    Sym base = unqualified(w->def->function_def.name);
    Inputs in = {.x = x, .ad = &ad, .base = base, .more = &all};
    IrMapper copier = {.arena = ad.arena, .cx = &in, .expr = with_copier};
    made = expand_narrowed(&ad, x->taken, names_format(ad.names, "%s_as", base), made, &all);
    made = ir_map_stmts(&copier, made);
    w->refused = in.refused;
    add_functions(&ad, &all, helpers);
    add_functions(&ad, &all, made);
    choose_names(x, &ad, w, made);
    IrMapper settle = {.arena = ad.arena, .cx = w, .expr = settle_expr, .stmt = settle_stmt,
                       .arg = settle_arg};
    w->made = ir_map_stmts(&settle, ad_stmts(&all));
    w->place = last_needed(x, w);
    note_math(x, w->made);
}

// ---- the calls ----

static Wanted *wanted(Expand *x, const Stmt *def, Word mode, const char *wrt, Span at)
{
    for (size_t i = 0; i < x->wanted.len; i++)
        if (x->wanted.at[i]->def == def && x->wanted.at[i]->mode == mode
            && strcmp(x->wanted.at[i]->wrt, wrt) == 0)
            return x->wanted.at[i];
    Wanted *w = ARENA_NEW(x->cx->arena, Wanted);
    *w = (Wanted){.def = def, .mode = mode, .wrt = wrt};
    make(x, w, at);
    vec_push(x->cx->arena, &x->wanted, w);
    return w;
}

static void refuse(Expand *x, Span at, const char *text)
{
    diag_help(diag_report(x->cx->diags, at, DIAG_GRAD_CONSTRUCT, "%s", text),
              "write `grad(g)` with the name of a function of the module, and call it");
}

// The constant of `wrt`; NULL: it is something else.
static const char *read_wrt(Expand *x, const Expr *e)
{
    const Expr *value = e->call.args.len > 1 ? e->call.args.at[1] : NULL;
    for (size_t i = 0; i < e->call.keywords.len; i++)
        value = e->call.keywords.at[i]->value;
    if (value == NULL)
        return "";
    if (value->kind != EXPR_CONSTANT || value->constant.value->kind != CONST_STR)
        return NULL;
    Text text = value->constant.value->text;
    return arena_strndup(x->cx->arena, text.at, text.len);
}

// The function that is differentiated; NULL: reported.
static const Stmt *read_function(Expand *x, const Expr *e)
{
    const Expr *f = e->call.args.len > 0 ? e->call.args.at[0] : NULL;
    const Stmt *def = f != NULL && f->kind == EXPR_NAME && table_get(x->free, f) != NULL
                          ? table_get(x->defs, f->name.id) : NULL;
    if (def == NULL || def->kind != STMT_FUNCTION_DEF) {
        refuse(x, f != NULL ? f->at : e->at, "in a program of roles, only a function that the "
               "module defines is differentiated");
        return NULL;
    }
    if (source_part(x->cx->source, e->at.start) == source_part(x->cx->source, def->at.start))
        return def;
    diag_help(diag_report(x->cx->diags, f->at, DIAG_GRAD_CONSTRUCT,
                          "`%s` is a function of another module", unqualified(f->name.id)),
              "write a function in that module that calls the gradient, and call that");
    return NULL;
}

static const Expr *name_made(const Expand *x, const Wanted *w, const char *suffix, Span at)
{
    Sym own = names_format(x->cx->names, "%s_%s", w->def->function_def.name, suffix);
    return expr_name(x->cx->arena, at, table_get(w->named, own), EXPR_CONTEXT_LOAD);
}

// `jvp(f, (a, b), (s, t))` as `f_jvp(a, b, s, t)`.
static const Expr *expand_jvp(Expand *x, const Expr *e)
{
    Arena *a = x->cx->arena;
    ExprList args = e->call.args;
    AdExprs all = {0};
    bool plain = args.len == 3 && args.at[1]->kind == EXPR_TUPLE && args.at[2]->kind == EXPR_TUPLE
                 && e->call.keywords.len == 0;
    for (size_t i = 1; plain && i < 3; i++)
        for (size_t k = 0; k < args.at[i]->tuple.elts.len; k++)
            vec_push(a, &all, args.at[i]->tuple.elts.at[k]);
    if (!plain) {
        diag_help(diag_report(x->cx->diags, e->at, DIAG_GRAD_CONSTRUCT,
                              "in a program of roles, `jvp` takes its arguments and tangents as "
                              "tuples that are written out"), "write `jvp(f, (x,), (t,))`");
        return e;
    }
    const Stmt *def = read_function(x, e);
    const Wanted *w = def == NULL ? NULL : wanted(x, def, WORD_JVP, "", e->at);
    if (w == NULL || w->refused)
        return e;
    return expr_call(a, e->at, name_made(x, w, "jvp", e->call.func->at),
                     (ExprList){all.at, all.len}, (KeywordList){0});
}

static const Expr *expand_call(IrMapper *m, const Expr *e)
{
    Expand *x = m->cx;
    Word word = e->kind == EXPR_CALL ? word_of(x, e->call.func) : WORD_NONE;
    if (word == WORD_NONE || word == WORD_VJP)
        return e;
    if (word == WORD_JVP)
        return expand_jvp(x, e);
    const char *wrt = read_wrt(x, e);
    if (wrt == NULL) {
        refuse(x, e->at, "in a program of roles, `wrt` is a text that is written out");
        return e;
    }
    const Stmt *def = read_function(x, e);
    const Wanted *w = def == NULL ? NULL : wanted(x, def, WORD_GRAD, wrt, e->at);
    if (w == NULL || w->refused)
        return e;
    return name_made(x, w, word == WORD_GRAD ? "grad" : "value_and_grad", e->at);
}

// What is left of these words has no meaning in the programs of the roles.
static bool find_left(void *cx, const Expr *e)
{
    Expand *x = cx;
    bool refused = diags_error_count(x->cx->diags) > 0;
    if (!refused && word_of(x, e) != WORD_NONE)
        refuse(x, e->at, "in a program of roles, this can only be called, of a function");
    return true;
}

// ---- the unit ----

static const Stmt *without_words(const Expand *x, const Stmt *s)
{
    if (s->kind != STMT_IMPORT_FROM || !sym_is(s->import_from.module, "pychoral.ad"))
        return s;
    Vec(const Alias *) kept = {0};
    for (size_t i = 0; i < s->import_from.names.len; i++)
        if (word_named(s->import_from.names.at[i]->name) == WORD_NONE)
            vec_push(x->cx->arena, &kept, s->import_from.names.at[i]);
    if (kept.len == 0)
        return NULL;
    return stmt_import_from(x->cx->arena, s->at, s->import_from.module,
                            (AliasList){kept.at, kept.len}, s->import_from.level);
}

static void put_math(const Expand *x, AdBlock *out, Span at)
{
    const Alias **alias = ARENA_NEW(x->cx->arena, const Alias *);
    *alias = alias_new(x->cx->arena, at, names_get(x->cx->names, "math"), NULL);
    vec_push(x->cx->arena, out, stmt_import(x->cx->arena, at, (AliasList){alias, 1}));
}

static const Unit *assemble(Expand *x, StmtList body)
{
    Arena *a = x->cx->arena;
    AdBlock out = {0};
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = without_words(x, body.at[i]);
        if (s != NULL)
            vec_push(a, &out, s);
        for (size_t k = 0; k < x->wanted.len; k++) {
            const Wanted *w = x->wanted.at[k];
            if (w->place != i || w->refused)
                continue;
            if (x->math)
                put_math(x, &out, w->def->at);
            x->math = false;
            for (size_t j = 0; j < w->made.len; j++)
                vec_push(a, &out, w->made.at[j]);
        }
    }
    return unit_module(a, ad_stmts(&out));
}

const Unit *expand_unit(PassCx *cx, const Unit *linked)
{
    Arena *a = cx->arena;
    Expand x = {.cx = cx, .body = linked->module.body, .words = table_new(a),
                .spaces = table_new(a), .free = table_new(a), .taken = table_new(a),
                .defs = table_new(a)};
    read_imports(&x);
    bool none = table_empty(x.words) && table_empty(x.spaces);
    if (cx->grad != NULL || none || diags_error_count(cx->diags) > 0)
        return linked;
    read_names(&x);
    IrMapper m = {.arena = a, .cx = &x, .expr = expand_call};
    StmtList body = ir_map_stmts(&m, linked->module.body);
    IrWalker w = {.cx = &x, .expr = find_left};
    ir_walk_stmts(&w, body);
    return assemble(&x, body);
}
