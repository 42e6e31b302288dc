// flat_helper.c - what is done to lists is a call of a function of list.def, which is made flat and
// differentiated like those of the program. There is one for each type of item.

#include "compiler/front/front.h"
#include "compiler/pass/ad/flat_internal.h"

static const struct { const char *name, *text; } HELPERS[] = {
#define HELPER(name, text) {name, text},
#include "compiler/pass/ad/list.def"
};

typedef struct Making {
    Flat *flat;
    Span  at;
    const Ty *item, *items, *ints;
} Making;

static const Stmt *instance(Flat *flat, const char *name, const Ty *item, Span at);

// ---- types ----

static const Ty *list_of(const Flat *flat, const Ty *item)
{
    const Ty **args = ARENA_NEW(flat->ad.arena, const Ty *);
    *args = item;
    return ty_named(flat->ad.arena, names_get(flat->ad.names, "list"), (TyList){args, 1});
}

static const Ty *ty_of_name(const Making *m, Sym name)
{
    static const char *const ITEMS[] = {"v", "x", "y", NULL};
    static const char *const LISTS[] = {"xs", "ys", "rest", NULL};
    static const char *const ORDERS[] = {"order", "other", "hold", NULL};
    static const char *const TRUTHS[] = {"found", "left", "down", NULL};
    const Ad *ad = &m->flat->ad;
    return sym_is_one_of(name, ITEMS) ? m->item : sym_is_one_of(name, LISTS) ? m->items
           : sym_is_one_of(name, ORDERS) ? m->ints : sym_is_one_of(name, TRUTHS) ? ad->bool_
           : sym_is(name, "none") ? ad->none : ad->int_;
}

static const Ty *ty_of_call(const Making *m, const Expr *e)
{
    const Ad *ad = &m->flat->ad;
    const Expr *func = e->call.func;
    if (func->kind == EXPR_ATTRIBUTE)
        return sym_is(func->attribute.attr, "pop") ? m->item : ad->none;
    if (sym_is(func->name.id, "range"))
        return ty_named(ad->arena, func->name.id, (TyList){0});
    if (strncmp(func->name.id, "list_", 5) != 0)
        return ad->int_;
    return instance(m->flat, func->name.id, m->item, m->at)->function_def.returns->ty;
}

static const Ty *ty_of(const Making *m, const Expr *e)
{
    const Ad *ad = &m->flat->ad;
    bool not_ = e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_NOT;
    if (e->kind == EXPR_NAME)
        return ty_of_name(m, e->name.id);
    if (e->kind == EXPR_COMPARE || e->kind == EXPR_BOOL_OP || not_)
        return ad->bool_;
    if (e->kind == EXPR_SUBSCRIPT)
        return ad_list_element(e->subscript.value->ty);
    if (e->kind == EXPR_LIST)
        return e->list.elts.len > 0 ? m->ints : m->items;
    return e->kind == EXPR_IF_EXP ? e->if_exp.body->ty : e->kind == EXPR_CALL ? ty_of_call(m, e)
                                                                               : ad->int_;
}

// ---- the function ----

static const Expr *made_expr(IrMapper *mapper, const Expr *e)
{
    const Making *m = mapper->cx;
    const Expr *typed = ad_typed(&m->flat->ad, e, ty_of(m, e));
    const Expr *func = e->kind == EXPR_CALL ? e->call.func : NULL;
    if (func != NULL && func->kind == EXPR_NAME && strncmp(func->name.id, "list_", 5) == 0) {
        Sym name = instance(m->flat, func->name.id, m->item, m->at)->function_def.name;
        typed = ad_call_name(&m->flat->ad, m->at, name, typed->ty, e->call.args.len,
                             e->call.args.at);
    }
    return expr_with_at(mapper->arena, typed, m->at);
}

static const Stmt *made_stmt(IrMapper *mapper, const Stmt *s)
{
    return stmt_with_at(mapper->arena, s, ((const Making *)mapper->cx)->at);
}

static const Arg *made_arg(IrMapper *mapper, const Arg *arg)
{
    const Making *m = mapper->cx;
    const Arg *made = arg_new(mapper->arena, m->at, arg->arg, NULL);
    return arg_with_ty(mapper->arena, made, ty_of_name(m, arg->arg));
}

static Sym free_name(const Flat *flat, const char *base)
{
    Sym name = names_get(flat->ad.names, base);
    for (int n = 2; table_get(flat->functions, name) || table_get(flat->imports, name)
                    || table_get(flat->globals, name) || table_get(flat->ad.classes, name); n++)
        name = names_format(flat->ad.names, "%s_%d", base, n);
    return name;
}

static const Stmt *made(Flat *flat, const char *text, const char *base, const Ty *item, Span at)
{
    const Ad *ad = &flat->ad;
    Making m = {flat, at, item, list_of(flat, item), list_of(flat, ad->int_)};
    const Source *source = source_new(ad->arena, base, (Text){text, strlen(text)});
    const Unit *unit = front_parse(ad->arena, ad->names, source, diags_new(ad->arena));
    IrMapper mapper = {.arena = ad->arena, .cx = &m, .expr = made_expr, .stmt = made_stmt,
                       .arg = made_arg};
    const Stmt *def = ir_map_stmt(&mapper, unit->module.body.at[0]);
    return stmt_function_def(ad->arena, at, free_name(flat, base), def->function_def.args,
                             def->function_def.body, (ExprList){0}, def->function_def.returns,
                             (TypeParamList){0});
}

static const Stmt *instance(Flat *flat, const char *name, const Ty *item, Span at)
{
    Buf key = buf_new(flat->ad.arena);
    buf_printf(&key, "%s of ", name);
    ir_print_ty(&key, item);
    Sym text = names_get(flat->ad.names, buf_text(&key));
    const Stmt *known = table_get(flat->helpers, text);
    for (size_t i = 0; known == NULL && i < sizeof HELPERS / sizeof *HELPERS; i++) {
        if (strcmp(HELPERS[i].name, name) != 0)
            continue;
        known = made(flat, HELPERS[i].text, name, item, at);
        table_set(flat->helpers, text, (void *)known);
        table_set(flat->functions, known->function_def.name, (void *)known);
    }
    return known;
}

const Expr *flat_helper(Fun *f, Span at, const char *name, size_t n, const Expr *const *atoms)
{
    Flat *flat = f->flat;
    const Stmt *def = instance(flat, name, ad_list_element(atoms[0]->ty), at);
    if (f->attempt != NULL)
        diag_help(flat_refuse(f, at, "this operation in a `try` cannot be differentiated"),
                  "move the operation before the `try`");
    if (table_get(flat->reached, def) == NULL) {
        table_set(flat->reached, def, flat);
        vec_push(flat->ad.arena, &flat->todo, def);
    }
    return ad_call_name(&flat->ad, at, def->function_def.name, def->function_def.returns->ty, n,
                        atoms);
}

// ---- methods ----

// Which function a method is; its arguments: i ints, v items, x lists.
static const struct { const char *method, *helper, *arguments; } METHODS[] = {
    {"insert", "list_insert", "iv"}, {"pop", "list_pop", "i"}, {"extend", "list_extend", "x"},
    {"reverse", "list_reverse", ""}, {"clear", "list_clear", ""}, {"index", "list_index", "v"},
    {"count", "list_count", "v"},    {"remove", "list_remove", "v"},
};

static const Expr *down(Fun *f, const Expr *e)
{
    const Ad *ad = &f->flat->ad;
    const Expr *how = ad_bool(ad, e->at, false);
    for (size_t i = 0; i < e->call.keywords.len; i++) {
        const Keyword *k = e->call.keywords.at[i];
        if (k->arg != NULL && sym_is(k->arg, "reverse") && ad_is(k->value->ty, "bool"))
            how = flat_argument(f, k->value);
        else
            diag_help(flat_refuse(f, k->at, "sorting by a key cannot be differentiated"),
                      "sort without a key; if only the keys are needed, sort a list of the keys");
    }
    return how;
}

static const Expr *copied(Fun *f, Span at, const Expr *list)
{
    const Ad *ad = &f->flat->ad;
    const Expr *args[] = {list, ad_int(ad, at, 0),
                          ad_call_name(ad, at, "len", ad->int_, 1, &list)};
    return flat_helper(f, at, "list_slice", 3, args);
}

const Expr *flat_list_method(Fun *f, const Expr *e, const Expr *list)
{
    Sym method = e->call.func->attribute.attr;
    ExprList given = e->call.args;
    const Expr *args[3] = {list};
    if (sym_is(method, "sort") && given.len == 0) {
        args[1] = down(f, e);
        return flat_helper(f, e->at, "list_sort", 2, args);
    }
    if (sym_is(method, "copy") && given.len == 0)
        return copied(f, e->at, list);
    for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
        const char *how = METHODS[i].arguments;
        if (!sym_is(method, METHODS[i].method) || strlen(how) != given.len
            || e->call.keywords.len > 0)
            continue;
        for (size_t k = 0; k < given.len; k++)
            args[k + 1] = how[k] == 'i' ? flat_argument(f, given.at[k])
                          : how[k] == 'v' ? flat_part(f, given.at[k], ad_list_element(list->ty))
                          : flat_part(f, flat_as_list(f, given.at[k]), list->ty);
        bool lists = how[0] != 'x' || ad_list_element(args[1]->ty) != NULL;
        return lists ? flat_helper(f, e->at, METHODS[i].helper, given.len + 1, args) : NULL;
    }
    return NULL;
}

// `sorted(xs)`, `list(xs)`; NULL: it is neither.
const Expr *flat_list_builtin(Fun *f, const Expr *e)
{
    const Expr *func = e->call.func;
    bool sorted = func->kind == EXPR_NAME && sym_is(func->name.id, "sorted");
    bool list = func->kind == EXPR_NAME && sym_is(func->name.id, "list");
    if ((!sorted && !list) || e->call.args.len != 1 || table_get(f->locals, func->name.id)
        || table_get(f->flat->functions, func->name.id))
        return NULL;
    const Expr *of = flat_as_list(f, e->call.args.at[0]);
    if (ad_list_element(of->ty) == NULL)
        return NULL;
    const Expr *args[] = {flat_atom(f, of), NULL};
    if (list)
        return copied(f, e->at, args[0]);
    args[1] = down(f, e);
    return flat_helper(f, e->at, "list_sorted", 2, args);
}

// ---- operators, slices, questions ----

static bool is_list(const Expr *e) { return e->ty != NULL && ad_list_element(e->ty) != NULL; }

bool flat_is_list_operation(const Expr *e)
{
    if (e->kind == EXPR_BIN_OP)
        return is_list(e->bin_op.left) || is_list(e->bin_op.right);
    if (e->kind == EXPR_SUBSCRIPT)
        return is_list(e->subscript.value) && e->subscript.slice->kind == EXPR_SLICE;
    if (e->kind != EXPR_COMPARE)
        return false;
    Cmpop op = e->compare.ops.at[0];
    const Expr *in = e->compare.comparators.at[0];
    return (op == CMPOP_IN || op == CMPOP_NOT_IN) && is_list(in) && in->kind != EXPR_LIST;
}

static const Expr *operation(Fun *f, const Expr *e)
{
    const Expr *left = e->bin_op.left, *right = e->bin_op.right;
    bool swapped = !is_list(left);
    const Expr *args[] = {flat_part(f, swapped ? right : left, e->ty), NULL};
    if (e->bin_op.op == OPERATOR_ADD && is_list(left) && is_list(right)) {
        args[1] = flat_part(f, right, e->ty);
        return flat_helper(f, e->at, "list_concat", 2, args);
    }
    if (e->bin_op.op != OPERATOR_MULT || (is_list(left) && is_list(right)))
        return NULL;
    args[1] = flat_argument(f, swapped ? left : right);
    return flat_helper(f, e->at, "list_repeat", 2, args);
}

// The list and where the slice begins and ends.
static void bounds(Fun *f, const Expr *slice, const Expr *const *list, const Expr **args)
{
    const Ad *ad = &f->flat->ad;
    args[0] = *list;
    args[1] = slice->slice.lower != NULL ? flat_argument(f, slice->slice.lower)
                                         : ad_int(ad, slice->at, 0);
    args[2] = slice->slice.upper != NULL ? flat_argument(f, slice->slice.upper)
                                         : ad_call_name(ad, slice->at, "len", ad->int_, 1, list);
}

static const Expr *sliced(Fun *f, const Expr *e)
{
    const Expr *slice = e->subscript.slice, *step = slice->slice.step;
    const Expr *list = flat_atom(f, e->subscript.value), *args[4];
    bounds(f, slice, &list, args);
    long by = 1;
    bool known = step == NULL || flat_is_int(step, &by);
    if (step == NULL)
        return flat_helper(f, e->at, "list_slice", 3, args);
    if (by == -1 && slice->slice.lower == NULL && slice->slice.upper == NULL)
        return flat_helper(f, e->at, "list_reversed", 1, args);
    if (!known || by <= 0)
        return NULL;
    args[3] = step;
    return flat_helper(f, e->at, "list_stride", 4, args);
}

const Expr *flat_list_operation(Fun *f, const Expr *e)
{
    const Ad *ad = &f->flat->ad;
    const Expr *made = e->kind == EXPR_BIN_OP ? operation(f, e)
                       : e->kind == EXPR_SUBSCRIPT ? sliced(f, e) : NULL;
    if (e->kind == EXPR_COMPARE) {
        const Expr *in = e->compare.comparators.at[0];
        const Expr *v = flat_part(f, e->compare.left, ad_list_element(in->ty));
        const Expr *args[] = {flat_atom(f, in), v};
        const Expr *found = flat_helper(f, e->at, "list_contains", 2, args);
        made = e->compare.ops.at[0] == CMPOP_IN ? found
               : ad_not(ad, flat_atom(f, ad_typed(ad, flat_named(f, found), ad->bool_)));
    }
    if (made != NULL)
        return made;
    diag_help(flat_refuse(f, e->at, "this operation of lists cannot be differentiated"),
              "write the operation as a loop");
    return ad_float(ad, e->at, 0.0);
}

// ---- statements ----

void flat_list_delete(Fun *f, const Expr *target)
{
    const Ad *ad = &f->flat->ad;
    const Expr *args[3] = {NULL};
    if (target->kind != EXPR_SUBSCRIPT || !is_list(target->subscript.value) ||
        (target->subscript.slice->kind == EXPR_SLICE &&
         target->subscript.slice->slice.step != NULL)) {
        diag_help(flat_refuse(f, target->at, "this `del` cannot be differentiated"),
                  "delete only items of lists, and slices without a step");
        return;
    }
    const Expr *slice = target->subscript.slice, *list = flat_atom(f, target->subscript.value);
    bool cut = slice->kind == EXPR_SLICE && slice->slice.step == NULL;
    args[0] = list;
    if (cut)
        bounds(f, slice, &list, args);
    else
        args[1] = flat_argument(f, slice);
    const Expr *call = flat_helper(f, target->at, cut ? "list_cut" : "list_delete", cut ? 3 : 2,
                                   args);
    flat_put(f, ad_fresh(ad, f->taken, "unused"), call);
}

void flat_list_splice(Fun *f, const Expr *target, const Expr *value)
{
    const Ad *ad = &f->flat->ad;
    const Expr *args[4];
    args[3] = flat_part(f, flat_as_list(f, value), target->subscript.value->ty);
    const Expr *slice = target->subscript.slice, *list = flat_atom(f, target->subscript.value);
    bounds(f, slice, &list, args);
    if (slice->slice.step != NULL || ad_list_element(args[3]->ty) == NULL) {
        diag_help(flat_refuse(f, target->at, "assignment to this slice cannot be differentiated"),
                  "assign to each item, or assign a list to a slice without a step");
        return;
    }
    flat_put(f, ad_fresh(ad, f->taken, "unused"),
             flat_helper(f, target->at, "list_splice", 4, args));
}
