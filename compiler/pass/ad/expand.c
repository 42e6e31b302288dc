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

// What the program says in one of its files.
typedef struct Part {
    Table *taken;               // names
    bool   has_math, has_dataclass;     // imports it
} Part;

typedef struct Expand {
    PassCx  *cx;
    StmtList body;
    Table   *words;             // a name of the module -> what it imports of pychoral.ad
    Table   *spaces;            // names that stand for the module pychoral.ad
    Table   *free;              // Name nodes that are the module's
    Part    *parts;             // by part of the source
    Part    *reading;           // the one whose names are read
    Table   *defs;              // module name -> the statement that binds it last
    Vec(Wanted *) wanted;
    Table   *told;              // what is called in calls that are refused
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

static Part *part_of(const Expand *x, Span at)
{
    return &x->parts[source_part(x->cx->source, at.start)];
}

static void take(Expand *x, Sym name)
{
    table_set(x->reading->taken, names_get(x->cx->names, unqualified(name)), x);
}

static bool take_name(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        take(cx, e->name.id);
    return true;
}

static bool take_arg(void *cx, const Arg *a)
{
    take(cx, a->arg);
    return true;
}

static bool take_stmt(void *cx, const Stmt *s)
{
    Expand *x = cx;
    SymList bound = names_bound(x->cx->arena, x->cx->names, (StmtList){&s, 1});
    for (size_t i = 0; i < bound.len; i++)
        take(x, bound.at[i]);
    return true;
}

static void read_statement(Expand *x, const Stmt *s)
{
    Arena *a = x->cx->arena;
    IrWalker w = {.cx = x, .expr = take_name, .arg = take_arg, .stmt = take_stmt};
    SymList bound = names_bound(a, x->cx->names, (StmtList){&s, 1});
    x->reading = part_of(x, s->at);
    if (x->reading->taken == NULL)
        x->reading->taken = table_new(a);
    ir_walk_stmt(&w, s);
    for (size_t k = 0; k < bound.len; k++) {
        table_set(x->defs, bound.at[k], (void *)s);
        if (s->kind == STMT_IMPORT && sym_is(bound.at[k], "math"))
            x->reading->has_math = true;
        if (s->kind == STMT_IMPORT_FROM && sym_is(bound.at[k], "dataclass"))
            x->reading->has_dataclass = true;
    }
}

static void read_names(Expand *x)
{
    (void)names_visit(x->cx->arena, x->cx->names, x->body, note_free, x);
    for (size_t i = 0; i < x->body.len; i++)
        read_statement(x, x->body.at[i]);
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

// The same, but that the functions of interfaces, which are whole, are like others.
static const Source *without_interfaces(Arena *a, const Source *source)
{
    Source *copy = ARENA_NEW(a, Source);
    *copy = *source;
    SourcePart *parts = ARENA_ARRAY(a, SourcePart, source->part_count + 1);
    for (size_t i = 0; i < source->part_count; i++) {
        parts[i] = source->parts[i];
        parts[i].interface = false;
    }
    copy->parts = parts;
    return copy;
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
                    .source = without_interfaces(cx->arena, cx->source),
                    .loader = cx->loader, .entry = cx->entry, .plain = true,
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
    diags_take(cx->diags, own, at, "differentiated here");
    if (sub->broken_form != NULL)
        diag_report(cx->diags, at, DIAG_GRAD_CONSTRUCT, "`%s` cannot be differentiated yet",
                    unqualified(function));
    return done;
}

// ---- what is made of it ----

static Sym name_of(const Stmt *s)
{
    return s->kind == STMT_CLASS_DEF ? s->class_def.name : s->function_def.name;
}

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
    bool named = s->kind == STMT_FUNCTION_DEF || s->kind == STMT_CLASS_DEF;
    Sym name = named ? table_get(w->named, name_of(s)) : NULL;
    if (name != NULL && s->kind == STMT_CLASS_DEF)
        s = stmt_class_def(m->arena, s->at, name, (ExprList){0}, (KeywordList){0},
                           s->class_def.body, s->class_def.decorator_list, (TypeParamList){0});
    else if (name != NULL)
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
typedef struct Inputs {
    const Ad *ad;
    Table    *taken;
    Sym       base;
    AdBlock  *more;
    Span      at;               // where the derivative is asked for
    bool      refused;
} Inputs;

static void refuse_inputs(Inputs *in, const char *text)
{
    diag_help(diag_report(in->ad->diags, in->at, DIAG_GRAD_TYPE, "%s", text),
              "use the gradient `grad(f)`, which also supports lists and objects");
    in->refused = true;
}

static const Expr *with_copier(IrMapper *m, const Expr *e)
{
    Inputs *in = m->cx;
    const Ad *ad = in->ad;
    Sym callee = e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME ? e->call.func->name.id
                                                                         : NULL;
    bool zeros = callee != NULL && sym_is(callee, AD_TWINS);
    if (callee != NULL && sym_is(callee, AD_TANGENTS))
        refuse_inputs(in, "in a choreography, `jvp` supports only functions of floats");
    if (callee == NULL || !(zeros || sym_is(callee, AD_COPIES)))
        return e;
    AdExprs values = {0};
    for (size_t i = 0; i < e->call.args.len; i++)
        vec_push(ad->arena, &values, e->call.args.at[i]->tuple.elts.at[0]);
    Sym name = ad_fresh(ad, in->taken,
                        names_format(ad->names, zeros ? "%s_twins" : "%s_copies", in->base));
    StmtList made = {0};
    if (!expand_copier(ad, in->taken, name, (ExprList){values.at, values.len}, zeros, &made))
        in->refused = true;
    for (size_t i = 0; i < made.len; i++)
        vec_push(ad->arena, in->more, made.at[i]);
    return ad_call_name(ad, e->at, name, e->ty, values.len, values.at);
}

// As a name of the module that the function is in.
static void *in_module(const Ad *ad, const Wanted *w, Sym name)
{
    Sym function = w->def->function_def.name;
    int prefix = (int)(unqualified(function) - function);
    return (void *)names_format(ad->names, "%.*s%s", prefix, function, name);
}

// The first `fresh` of the functions have names that are new; so get the others.
static void choose_names(const Ad *ad, Table *taken, Wanted *w, StmtList made, size_t fresh)
{
    w->named = table_new(ad->arena);
    for (size_t i = 0; i < made.len; i++) {
        Sym name = name_of(made.at[i]);
        Sym bare = names_get(ad->names, unqualified(name));
        table_set(w->named, name, in_module(ad, w, i < fresh ? bare : ad_fresh(ad, taken, bare)));
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

// Whether a type has one of the classes that stand for values (flat_value.c), or a frozen one.
typedef struct Stands { const Ad *ad; bool found; } Stands;

static bool find_standing(void *cx, const Ty *t)
{
    Stands *s = cx;
    const Stmt *def = t->kind == TY_NAMED ? table_get(s->ad->classes, t->named.name) : NULL;
    s->found = s->found || (def != NULL && (ad_stands_for(def) != NULL
                                            || (ad_is_frozen(def) && ad_holds_float(s->ad, t))));
    return !s->found;
}

static const char STANDING[] = "floats in a tuple, a frozen object or an optional value";

static bool stands(const Ad *ad, const Ty *t)
{
    Stands s = {.ad = ad};
    IrWalker w = {.cx = &s, .ty = find_standing};
    if (t != NULL)
        ir_walk_ty(&w, t);
    return s.found;
}

// The class that stands for a tuple within the functions, as a dataclass.
static const Stmt *standing_class(const Ad *ad, const Stmt *def)
{
    AdBlock body = {0};
    const Expr *mark = expr_name(ad->arena, def->at, names_get(ad->names, "dataclass"),
                                 EXPR_CONTEXT_LOAD);
    for (size_t i = 0; i < def->class_def.body.len; i++) {
        const Stmt *s = def->class_def.body.at[i];
        if (s->kind == STMT_ANN_ASSIGN)
            vec_push(ad->arena, &body,
                     stmt_ann_assign(ad->arena, s->at, s->ann_assign.target,
                                     ad_annotation(ad, s->at, s->ann_assign.target->ty), NULL, 1));
    }
    return stmt_class_def(ad->arena, def->at, def->class_def.name, (ExprList){0},
                          (KeywordList){0}, ad_stmts(&body), ad_exprs(ad, 1, &mark),
                          (TypeParamList){0});
}

// The part of a class that its uses cannot pass between the choreography and the functions.
static const char *trouble_of_class(const Ad *ad, const Stmt *c)
{
    if (ad_stands_for(c) != NULL)
        return NULL;
    Sym name = c->class_def.name;
    if (ad_is_frozen(c) && stands(ad, ty_named(ad->arena, name, (TyList){0})))
        return names_format(ad->names, "the class `%s` is frozen", name);
    for (size_t k = 0; k < c->class_def.body.len; k++) {
        const Stmt *field = c->class_def.body.at[k];
        if (field->kind == STMT_ANN_ASSIGN && stands(ad, field->ann_assign.target->ty))
            return names_format(ad->names, "a field of the class `%s` has %s", name, STANDING);
    }
    return NULL;
}

static const char *trouble_of_values(const Ad *ad, StmtList flat)
{
    const Stmt *def = flat.at[flat.len - 1];
    ArgList args = def->function_def.args->args;
    for (size_t i = 0; i < args.len; i++)
        if (stands(ad, args.at[i]->ty))
            return names_format(ad->names, "its parameter `%s` has %s", args.at[i]->arg, STANDING);
    if (stands(ad, def->function_def.returns->ty))
        return names_format(ad->names, "its result has %s", STANDING);
    const char *trouble = NULL;
    for (size_t i = 0; i < flat.len && trouble == NULL; i++)
        if (flat.at[i]->kind == STMT_CLASS_DEF)
            trouble = trouble_of_class(ad, flat.at[i]);
    return trouble;
}

// Tuples and frozen objects are turned into others where a file of its own is written; here they
// may be within the functions only.
static bool check_values(const Ad *ad, const Wanted *w, Span at, StmtList flat)
{
    const char *trouble = trouble_of_values(ad, flat);
    if (trouble == NULL)
        return true;
    Diag *d = diag_report(ad->diags, w->def->at, DIAG_GRAD_TYPE,
                          "in a choreography, `%s` cannot be differentiated, because %s",
                          w->def->function_def.name, trouble);
    diag_label(d, at, "differentiated here");
    diag_help(d, "use floats, lists, or dataclasses that are not frozen");
    return false;
}

// Flat functions have lost them.
static const Stmt *with_defaults(const Ad *ad, const Wanted *w, const Stmt *s)
{
    const Arguments *own = w->def->function_def.args;
    Sym g = w->def->function_def.name;
    bool public = s->kind == STMT_FUNCTION_DEF
                  && (s->function_def.name == names_format(ad->names, "%s_grad", g)
                      || s->function_def.name == names_format(ad->names, "%s_value_and_grad", g));
    if (!public || s->function_def.args->defaults.len > 0 || own->kwonlyargs.len > 0)
        return s;
    const Arguments *args = arguments_new(ad->arena, (ArgList){0}, s->function_def.args->args, NULL,
                                          (ArgList){0}, (ExprList){0}, NULL, own->defaults);
    return stmt_function_def(ad->arena, s->at, s->function_def.name, args, s->function_def.body,
                             (ExprList){0}, s->function_def.returns, (TypeParamList){0});
}

static StmtList functions_made(Expand *x, Ad *ad, const PassCx *sub, StmtList flat)
{
    const Unit *unit = tape_lists(ad->arena, ad->names, sub->units[PASS_DIFF], true);
    AdBlock out = {0};
    for (size_t i = 0; i < flat.len; i++)
        if (flat.at[i]->kind == STMT_CLASS_DEF && ad_stands_for(flat.at[i]) != NULL)
            vec_push(ad->arena, &out, standing_class(ad, flat.at[i]));
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
    StmtList flat = sub.units[PASS_FLAT]->endpoints.modules.at[0]->body;
    for (size_t i = 0; i < flat.len; i++)
        if (flat.at[i]->kind == STMT_CLASS_DEF)
            table_set(ad.classes, flat.at[i]->class_def.name, (void *)flat.at[i]);
    w->refused = !check_values(&ad, w, at, flat);
    if (w->refused)
        return;
    StmtList made = functions_made(x, &ad, &sub, flat);
    SymList bound = names_bound(ad.arena, ad.names, made);
    StmtList helpers = partial_helpers_for(ad.arena, ad.names, made, bound);
    Sym base = unqualified(w->def->function_def.name);
    Table *taken = part_of(x, w->def->at)->taken;
    Inputs in = {.ad = &ad, .taken = taken, .base = base, .more = &all, .at = at};
    IrMapper copier = {.arena = ad.arena, .cx = &in, .expr = with_copier};
    made = expand_narrowed(&ad, taken, names_format(ad.names, "%s_as", base), made, &all);
    made = ir_map_stmts(&copier, made);
    w->refused = in.refused;
    size_t fresh = all.len;
    add_functions(&ad, &all, helpers);
    for (size_t i = 0; i < made.len; i++)
        vec_push(ad.arena, &all, with_defaults(&ad, w, made.at[i]));
    choose_names(&ad, taken, w, ad_stmts(&all), fresh);
    IrMapper settle = {.arena = ad.arena, .cx = w, .expr = settle_expr, .stmt = settle_stmt,
                       .arg = settle_arg};
    w->made = ir_map_stmts(&settle, ad_stmts(&all));
    w->place = last_needed(x, w);
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

static const char *word_text(Word word)
{
    return word == WORD_GRAD ? "grad" : word == WORD_VALUE_AND_GRAD ? "value_and_grad"
           : word == WORD_JVP ? "jvp" : "vjp";
}

static const char *help_of(const Expand *x, Word word)
{
    if (word == WORD_VJP)
        return "use `value_and_grad(f)`";
    if (word == WORD_JVP)
        return "write `jvp(f, (x,), (t,))` with the name of a function of the module";
    return names_format(x->cx->names, "write `%s(g)(x)` with the name of a function of the module",
                        word_text(word));
}

static void refuse(Expand *x, Span at, const char *text, const char *help)
{
    diag_help(diag_report(x->cx->diags, at, DIAG_GRAD_CONSTRUCT, "%s", text), "%s", help);
}

static const Expr *argument(const Expr *e, size_t at, const char *name)
{
    for (size_t i = 0; i < e->call.keywords.len; i++)
        if (e->call.keywords.at[i]->arg != NULL && sym_is(e->call.keywords.at[i]->arg, name))
            return e->call.keywords.at[i]->value;
    return e->call.args.len > at ? e->call.args.at[at] : NULL;
}

// The constant of `wrt`; NULL: it is something else.
static const char *read_wrt(Expand *x, const Expr *e)
{
    const Expr *value = argument(e, 1, "wrt");
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
    const Expr *f = argument(e, 0, "f");
    const Stmt *def = f != NULL && f->kind == EXPR_NAME && table_get(x->free, f) != NULL
                          ? table_get(x->defs, f->name.id) : NULL;
    if (def == NULL || def->kind != STMT_FUNCTION_DEF) {
        refuse(x, f != NULL ? f->at : e->at, "in a choreography, only a function of this module "
               "can be differentiated", help_of(x, word_of(x, e->call.func)));
        return NULL;
    }
    if (e->at.start >= def->at.start && e->at.end <= def->at.end) {
        diag_help(diag_report(x->cx->diags, f->at, DIAG_GRAD_CONSTRUCT,
                              "`%s` cannot call its own gradient", unqualified(f->name.id)),
                  "differentiate a local function that this one calls");
        return NULL;
    }
    if (source_part(x->cx->source, e->at.start) == source_part(x->cx->source, def->at.start))
        return def;
    diag_help(diag_report(x->cx->diags, f->at, DIAG_GRAD_CONSTRUCT,
                          "`%s` is a function of another module", unqualified(f->name.id)),
              "write a function in that module that calls the gradient, and call this function");
    return NULL;
}

static const Expr *name_made(const Expand *x, const Wanted *w, const char *suffix, Span at)
{
    Sym own = names_format(x->cx->names, "%s_%s", w->def->function_def.name, suffix);
    return expr_name(x->cx->arena, at, table_get(w->named, own), EXPR_CONTEXT_LOAD);
}

static bool has_arguments(const Expand *x, const Expr *jvp, const Stmt *def)
{
    size_t given = jvp->call.args.at[1]->tuple.elts.len;
    const Arguments *args = def->function_def.args;
    size_t most = args->args.len, least = most - args->defaults.len;
    if (given >= least && given <= most)
        return true;
    diag_help(diag_report(x->cx->diags, jvp->call.args.at[1]->at, DIAG_GRAD_CONSTRUCT,
                          "`%s` has %zu parameter%s, but this tuple has %zu argument%s",
                          unqualified(def->function_def.name), most, diag_s(most), given,
                          diag_s(given)),
              "write one argument for each parameter, and one tangent for each parameter that "
              "contains floats");
    return false;
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
                              "in a choreography, the arguments and tangents of `jvp` must be "
                              "tuple literals"), "write `jvp(f, (x,), (t,))`");
        return e;
    }
    const Stmt *def = read_function(x, e);
    if (def != NULL && !has_arguments(x, e, def))
        return e;
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
    table_set(x->told, e->call.func, x);
    if (word == WORD_JVP)
        return expand_jvp(x, e);
    const char *wrt = read_wrt(x, e);
    if (wrt == NULL) {
        refuse(x, e->at, "in a choreography, `wrt` must be a string literal",
               "write the names of the parameters, such as `wrt=\"w, b\"`");
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
    Word word = word_of(x, e);
    if (table_get(x->told, e) == NULL && word != WORD_NONE)
        refuse(x, e->at, word == WORD_VJP ? "`vjp` is not supported in a choreography"
                         : names_format(x->cx->names, "in a choreography, `%s` must be called, as "
                                        "it is not a value", word_text(word)),
               help_of(x, word));
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

static bool mentions(const Expand *x, const Wanted *w, const char *name)
{
    SymList free = names_free(x->cx->arena, x->cx->names, w->made);
    for (size_t i = 0; i < free.len; i++)
        if (sym_is(free.at[i], name))
            return true;
    return false;
}

// `import math`, `from dataclasses import dataclass`, where they are needed and not there.
static void put_imports(const Expand *x, const Wanted *w, AdBlock *out)
{
    Arena *a = x->cx->arena;
    Names *names = x->cx->names;
    Part *part = part_of(x, w->def->at);
    Span at = w->def->at;
    const Alias **aliases = ARENA_ARRAY(a, const Alias *, 2);
    aliases[0] = alias_new(a, at, names_get(names, "math"), NULL);
    aliases[1] = alias_new(a, at, names_get(names, "dataclass"), NULL);
    if (!part->has_math && mentions(x, w, "math")) {
        vec_push(a, out, stmt_import(a, at, (AliasList){aliases, 1}));
        part->has_math = true;
    }
    if (!part->has_dataclass && mentions(x, w, "dataclass")) {
        vec_push(a, out, stmt_import_from(a, at, names_get(names, "dataclasses"),
                                          (AliasList){aliases + 1, 1}, 0));
        part->has_dataclass = true;
    }
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
            put_imports(x, w, &out);
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
                .spaces = table_new(a), .free = table_new(a),
                .parts = ARENA_ARRAY(a, Part, cx->source->part_count + 1),
                .defs = table_new(a), .told = table_new(a)};
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
