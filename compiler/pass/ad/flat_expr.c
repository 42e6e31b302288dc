// flat_expr.c - expressions: each float operation gets a name; ints, texts and truths may stay
// nested, as long as nothing in them has an effect.

#include "compiler/pass/ad/flat_internal.h"

#include <stdlib.h>

// ---- questions ----

static bool is_local(const Fun *f, Sym name) { return table_get(f->locals, name) != NULL; }

typedef struct Calls { const Fun *fun; bool found; } Calls;

// A method of a text, or one of a float, that raises nothing.
bool flat_is_plain_method(const Expr *func)
{
    static const char *const METHODS[] = {
        "startswith", "endswith", "upper", "lower", "title", "capitalize", "strip", "lstrip",
        "rstrip", "isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower", "isnumeric",
        "count", "find", "rfind", "replace", NULL};
    if (func->kind != EXPR_ATTRIBUTE || func->attribute.value->ty == NULL)
        return false;
    return ad_is_float(func->attribute.value->ty)
               ? sym_is(func->attribute.attr, "is_integer")
               : ad_is(func->attribute.value->ty, "str")
                     && sym_is_one_of(func->attribute.attr, METHODS);
}

static bool is_plain_call(const Fun *f, const Expr *func)
{
    static const char *const PLAIN[] = {"len", "isinstance", "bool", "float", "int", "str", "range",
                                        NULL};
    bool builtin = func->kind == EXPR_NAME && !is_local(f, func->name.id)
                   && sym_is_one_of(func->name.id, PLAIN);
    return builtin || flat_is_plain_method(func) || flat_primitive(f, func) != NULL;
}

static bool find_call(void *cx, const Expr *e)
{
    Calls *c = cx;
    c->found = c->found || e->kind == EXPR_LAMBDA || flat_may_raise(c->fun, e)
               || flat_is_list_operation(e)
               || (e->kind == EXPR_CALL && !is_plain_call(c->fun, e->call.func));
    return !c->found;
}

bool flat_calls(const Fun *f, const Expr *e)
{
    Calls c = {.fun = f};
    IrWalker w = {.cx = &c, .expr = find_call};
    ir_walk_expr(&w, e);
    return c.found;
}

typedef struct Cells { const Ad *ad; bool found; } Cells;

static bool is_of_list(const Ty *t)
{
    for (size_t i = 0; t != NULL && t->kind == TY_UNION && i < t->union_.items.len; i++)
        if (is_of_list(t->union_.items.at[i]))
            return true;
    return t != NULL && ad_list_element(t) != NULL;
}

// Of names, whether a list is empty, and whether two objects are equal.
static bool find_cell(void *cx, const Expr *e)
{
    Cells *c = cx;
    bool call = e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME;
    if (call && sym_is(e->call.func->name.id, "isinstance"))
        return e->call.args.at[0]->kind != EXPR_NAME;
    if (e->kind == EXPR_COMPARE) {
        Cmpop op = e->compare.ops.at[0];
        const Expr *both[] = {e->compare.left, e->compare.comparators.at[0]};
        if (op == CMPOP_IS || op == CMPOP_IS_NOT)
            return both[0]->kind != EXPR_NAME;
        for (int i = 0; i < 2; i++)
            c->found |= both[i]->kind == EXPR_NAME && both[i]->ty != NULL
                        && ad_is_data(c->ad, both[i]->ty);
    }
    c->found |= (call && sym_is(e->call.func->name.id, "len"))
                || (e->kind == EXPR_NAME && is_of_list(e->ty))
                || (!ad_is_atom(e) && (e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT));
    return !c->found;
}

// Whether it reads what a store may change.
static bool reads_cells(const Fun *f, const Expr *e)
{
    Cells c = {.ad = &f->flat->ad};
    IrWalker w = {.cx = &c, .expr = find_cell};
    ir_walk_expr(&w, e);
    return c.found;
}

// ---- names ----

void flat_put(Fun *f, Sym name, const Expr *value)
{
    const Ad *ad = &f->flat->ad;
    flat_check_type(f, value->at, value->ty);
    if (ad_is_name(value, name))            // on the way back it would end its own cotangent
        return;
    if (!is_local(f, name))
        table_set(f->locals, name, (void *)value->ty);
    vec_push(ad->arena, f->out, ad_assign(ad, name, value));
}

const Expr *flat_named(Fun *f, const Expr *value)
{
    Sym name = ad_fresh(&f->flat->ad, f->taken, "t");
    flat_put(f, name, value);
    return ad_name(&f->flat->ad, value->at, name, value->ty);
}

static bool is_variable(const Ty *ty)
{
    return ty != NULL && ty->kind != TY_CALLABLE && ty->kind != TY_ANY && !ad_is(ty, "module");
}

static void refuse_global(Fun *f, const Expr *e)
{
    if (is_variable(e->ty) && table_get(f->flat->imports, e->name.id) == NULL)
        diag_help(flat_refuse(f, e->at, "the value of the variable `%s` is not a number, a string "
                              "or `None` in the source", e->name.id),
                  "pass the value as an argument");
    else
        flat_refuse(f, e->at, "`%s` as a value cannot be differentiated", e->name.id);
}

static const Expr *global(Fun *f, const Expr *e)
{
    const Expr *value = table_get(f->flat->globals, e->name.id);
    if (value == NULL) {
        refuse_global(f, e);
        return ad_float(&f->flat->ad, e->at, 0.0);
    }
    return ad_typed(&f->flat->ad, value, e->ty);
}

static const Expr *of_math(Fun *f, Span at, const char *path, const Ty *ty)
{
    const Ad *ad = &f->flat->ad;
    const Ty *module = ty_named(ad->arena, names_get(ad->names, "module"), (TyList){0});
    const Expr *math = ad_name(ad, at, names_get(ad->names, "math"), module);
    return ad_attribute(ad, math, names_get(ad->names, path + strlen("math.")), ty);
}

static const Expr *name_value(Fun *f, const Expr *e)
{
    if (is_local(f, e->name.id))
        return flat_held(f, e, table_get(f->locals, e->name.id));
    const char *path = table_get(f->flat->imports, e->name.id);
    if (path != NULL && strncmp(path, "math.", 5) == 0)
        return of_math(f, e->at, path, e->ty);
    return global(f, e);
}

// ---- what stays nested ----

static const Expr *plain_name(IrMapper *m, const Expr *e)
{
    Fun *f = m->cx;
    static const char *const KNOWN[] = {"len", "isinstance", "bool", "int", "float", "str", "abs",
                                        "min", "max", "round", "pow", NULL};
    if (e->kind == EXPR_NAME && !is_local(f, e->name.id)) {
        bool class_ = table_get(f->flat->ad.classes, e->name.id) != NULL;
        const char *path = table_get(f->flat->imports, e->name.id);
        bool math = path != NULL && sym_is(path, "math");
        if (class_ || math || (sym_is_one_of(e->name.id, KNOWN) && path == NULL))
            return math ? of_math(f, e->at, "math.", e->ty)->attribute.value : e;
        return name_value(f, e);
    }
    return e->kind == EXPR_NAME ? name_value(f, e) : flat_read(f, e);
}

static bool part_known(void *cx, const Expr *e)
{
    Fun *f = cx;
    bool operator_ = e->kind == EXPR_BOOL_OP || e->kind == EXPR_BIN_OP || e->kind == EXPR_UNARY_OP
                     || e->kind == EXPR_COMPARE || e->kind == EXPR_IF_EXP;
    bool leaf = e->kind == EXPR_CONSTANT || e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE
                || e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_CALL;
    bool tuple = e->kind == EXPR_TUPLE;             // of classes, for isinstance
    if (operator_ || leaf || tuple)
        return true;
    Diag *d = flat_refuse(f, e->at, "this expression cannot be differentiated");
    if (e->kind == EXPR_LIST)
        diag_help(d, "assign the list to a variable first");
    return false;
}

// An expression without floats and effects, with names as the unit has them.
static const Expr *plain(Fun *f, const Expr *e)
{
    IrWalker w = {.cx = f, .expr = part_known};
    IrMapper m = {.arena = f->flat->ad.arena, .cx = f, .expr = plain_name};
    ir_walk_expr(&w, e);
    return ir_map_expr(&m, e);
}

// ---- conditionals ----

// Each side assigns to one name.
static const Expr *choose(Fun *f, const Expr *test, const Expr *body, const Expr *orelse,
                          const Ty *ty)
{
    const Ad *ad = &f->flat->ad;
    Sym name = ad_fresh(ad, f->taken, "t");
    AdBlock arms[2] = {{0}};
    size_t raises = f->raises;
    const Expr *sides[] = {body, orelse};
    for (int i = 0; i < 2; i++) {
        FlatPlace place = flat_into(f, &arms[i]);
        const Expr *value = flat_as(f, sides[i], ty);
        flat_put(f, name, ad_typed(ad, value, ty));
        flat_back_to(f, place);
    }
    vec_push(ad->arena, f->out, stmt_if(ad->arena, test->at, test, ad_stmts(&arms[0]),
                                        ad_stmts(&arms[1])));
    flat_go_on(f, test->at, raises);
    return ad_name(ad, test->at, name, ty);
}

static const Expr *if_value(Fun *f, const Expr *e)
{
    const Expr *test = flat_settled(f, e->if_exp.test);
    return choose(f, test, e->if_exp.body, e->if_exp.orelse, e->ty);
}

// `a and b` where b has an effect: `b if a else a`.
static const Expr *bool_value(Fun *f, const Expr *e, size_t from)
{
    const Expr *first = flat_atom(f, e->bool_op.values.at[from]);
    if (from + 1 == e->bool_op.values.len)
        return first;
    const Ad *ad = &f->flat->ad;
    ExprList left = {e->bool_op.values.at + from + 1, e->bool_op.values.len - from - 1};
    const Expr *rest = left.len == 1 ? left.at[0]
                       : ad_typed(ad, expr_bool_op(ad->arena, e->at, e->bool_op.op, left), e->ty);
    bool and_ = e->bool_op.op == BOOLOP_AND;
    return choose(f, first, and_ ? rest : first, and_ ? first : rest, e->ty);
}

// ---- operators ----

static const Expr *bin_value(Fun *f, const Expr *e, const Ty *ty)
{
    const Ad *ad = &f->flat->ad;
    const Expr *left = flat_atom(f, e->bin_op.left), *right = flat_atom(f, e->bin_op.right);
    flat_guard_operator(f, e->at, e->bin_op.op, left, right);
    return ad_typed(ad, expr_bin_op(ad->arena, e->at, left, e->bin_op.op, right), ty);
}

void flat_raise_if(Fun *f, const Expr *test, const char *text)
{
    const Ad *ad = &f->flat->ad;
    Arena *a = ad->arena;
    const Ty *str = ty_named(a, names_get(ad->names, "str"), (TyList){NULL, 0});
    const Ty *class = ty_named(a, names_get(ad->names, "ValueError"), (TyList){NULL, 0});
    const Const *why = const_str(a, (Text){text, strlen(text)});
    const Expr *message = ad_typed(ad, expr_constant(a, test->at, why, NULL), str);
    const Stmt **raise = ARENA_NEW(a, const Stmt *);
    *raise = stmt_raise(a, test->at,
                        ad_call_name(ad, test->at, "ValueError", class, 1, &message), NULL);
    vec_push(a, f->out, stmt_if(a, test->at, test, (StmtList){raise, 1}, (StmtList){NULL, 0}));
}

// CPython answers a complex number for a negative base and an exponent that is not whole.
static void raise_if_complex(Fun *f, const Expr *base, const Expr *exponent)
{
    const Ad *ad = &f->flat->ad;
    const Expr *number = exponent->kind == EXPR_UNARY_OP ? exponent->unary_op.operand : exponent;
    bool fixed = number->kind == EXPR_CONSTANT;
    double power = fixed ? number->constant.value->number : 0.5;
    bool is_whole = power >= 1e15 || (double)(long long)power == power;
    if (base->kind == EXPR_CONSTANT || is_whole)        // a constant has no sign
        return;
    const Expr *negative = ad_compare(ad, base, CMPOP_LT, ad_float(ad, base->at, 0.0));
    const Expr *whole = ad_method(ad, exponent, "is_integer", ad->bool_, 0, NULL);
    flat_raise_if(f, fixed ? negative : ad_and(ad, negative, ad_not(ad, whole)),
                  "a negative number to a fractional power is complex");
}

static const Expr *power_value(Fun *f, const Expr *e)
{
    const Expr *value = bin_value(f, e, f->flat->ad.float_);
    raise_if_complex(f, value->bin_op.left, value->bin_op.right);
    return value;
}

static bool is_number(const Ty *t) { return ad_is_float(t) || ad_is(t, "int") || ad_is(t, "bool"); }

static const Expr *operator_value(Fun *f, const Expr *e)
{
    const Ty *left = e->bin_op.left->ty, *right = e->bin_op.right->ty;
    bool real = (ad_is_float(left) || ad_is_float(right)) && is_number(left) && is_number(right);
    if (real && e->bin_op.op == OPERATOR_POW && ad_is_float(right))
        return power_value(f, e);
    if (ad_is_float(e->ty) && partial_of_operator(e->bin_op.op) != NULL && is_number(left)
        && is_number(right))
        return bin_value(f, e, e->ty);
    if (ad_is_discrete(e->ty))
        return flat_calls(f, e) ? bin_value(f, e, e->ty) : plain(f, e);
    flat_refuse(f, e->at, "this operator cannot be differentiated for `%s` and `%s`",
                flat_ty_text(f, left), flat_ty_text(f, right));
    return ad_float(&f->flat->ad, e->at, 0.0);
}

static const Expr *unary_value(Fun *f, const Expr *e)
{
    const Ad *ad = &f->flat->ad;
    if (!ad_is_float(e->ty) && !flat_calls(f, e))
        return plain(f, e);
    if (ad_is_atom(e))
        return e;
    const Expr *operand = flat_atom(f, e->unary_op.operand);
    return ad_typed(ad, expr_unary_op(ad->arena, e->at, e->unary_op.op, operand), e->ty);
}

static const Expr *compare_value(Fun *f, const Expr *e)
{
    if (!flat_calls(f, e))
        return plain(f, e);
    const Expr *left = flat_atom(f, e->compare.left);
    const Expr *right = flat_atom(f, e->compare.comparators.at[0]);
    const Expr *asked = ad_compare(&f->flat->ad, left, e->compare.ops.at[0], right);
    return flat_read(f, ad_typed(&f->flat->ad, asked, e->ty));
}

// ---- places ----

static const Expr *part_value(Fun *f, const Expr *e)
{
    const Expr *base = e->subscript.value, *index = e->subscript.slice;
    const ExprList *parts = base->kind == EXPR_NAME ? table_get(f->parts, base->name.id) : NULL;
    if (parts == NULL || index->kind != EXPR_CONSTANT)
        return NULL;
    size_t i = (size_t)atoi(index->constant.value->text.at);
    const Expr *part = i < parts->len ? parts->at[i] : NULL;
    return part != NULL && part->kind == EXPR_TUPLE ? flat_as(f, part, part->ty) : part;
}

static const Expr *index_of(Fun *f, const Expr *index)
{
    bool simple = ad_is_discrete(index->ty) && !flat_calls(f, index) && !reads_cells(f, index);
    return simple ? plain(f, index) : flat_atom(f, index);
}

static void guard_item(Fun *f, Span at, const Expr *const *list_and_index)
{
    if (ad_list_element(list_and_index[0]->ty) != NULL)
        flat_guard(f, at, "list.__getitem__", 2, list_and_index);
}

// `o.f.value`: a field of a name.
static const Expr *read_value(Fun *f, const Expr *place)
{
    const Expr *e = flat_read(f, place);
    bool inner = e->kind == EXPR_ATTRIBUTE && e->attribute.value->kind != EXPR_NAME;
    return !inner ? e : ad_attribute(&f->flat->ad, flat_named(f, e->attribute.value),
                                     e->attribute.attr, e->ty);
}

static const Expr *item_value(Fun *f, const Expr *e)
{
    const Expr *part = part_value(f, e);
    if (part != NULL)
        return part;
    const Expr *both[] = {flat_atom(f, e->subscript.value), index_of(f, e->subscript.slice)};
    guard_item(f, e->at, both);
    return read_value(f, ad_item(&f->flat->ad, both[0], both[1], e->ty));
}

static const Expr *attribute_value(Fun *f, const Expr *e)
{
    const Expr *base = e->attribute.value;
    if (base->kind == EXPR_NAME && !is_local(f, base->name.id)) {
        const char *path = table_get(f->flat->imports, base->name.id);
        if (path != NULL && sym_is(path, "math"))
            return of_math(f, e->at, names_format(f->flat->ad.names, "math.%s", e->attribute.attr),
                           e->ty);
        return plain(f, e);                     // of an enum
    }
    return read_value(f, ad_attribute(&f->flat->ad, flat_atom(f, base), e->attribute.attr, e->ty));
}

const Expr *flat_place(Fun *f, const Expr *target)
{
    const Ad *ad = &f->flat->ad;
    if (target->kind == EXPR_ATTRIBUTE)
        return ad_attribute(ad, flat_atom(f, target->attribute.value), target->attribute.attr,
                            target->ty);
    const Expr *both[] = {flat_atom(f, target->subscript.value),
                          index_of(f, target->subscript.slice)};
    const Ty *element = ad_list_element(both[0]->ty);
    guard_item(f, target->at, both);
    return ad_item(ad, both[0], both[1], element != NULL ? element : target->ty);
}

// ---- values ----

static const Expr *display_value(Fun *f, const Expr *e, ExprList elts)
{
    const Ad *ad = &f->flat->ad;
    AdExprs atoms = {0};
    for (size_t i = 0; i < elts.len; i++)
        vec_push(ad->arena, &atoms, flat_part(f, elts.at[i], ad_list_element(e->ty)));
    ExprList list = {atoms.at, atoms.len};
    const Expr *made = e->kind == EXPR_LIST
                           ? expr_list(ad->arena, e->at, list, EXPR_CONTEXT_LOAD)
                           : expr_tuple(ad->arena, e->at, list, EXPR_CONTEXT_LOAD);
    return ad_typed(ad, made, e->ty);
}

static const Expr *refused(Fun *f, const Expr *e)
{
    const char *what = e->kind == EXPR_DICT || e->kind == EXPR_DICT_COMP ? "a dict"
                       : e->kind == EXPR_SET || e->kind == EXPR_SET_COMP ? "a set"
                       : e->kind == EXPR_LAMBDA ? "a lambda as a value" : "this expression";
    flat_refuse(f, e->at, "%s cannot be differentiated", what);
    return ad_float(&f->flat->ad, e->at, 0.0);
}

// What the checker has found unreachable has no types; a constant there says its own.
static const Ty *type_of_constant(const Ad *ad, const Const *value)
{
    switch (value->kind) {
    case CONST_BOOL:  return ad->bool_;
    case CONST_INT:   return ad->int_;
    case CONST_FLOAT: return ad->float_;
    default:          return NULL;
    }
}

static bool type_known(Fun *f, const Expr *e)
{
    bool any = e->ty == NULL || e->ty->kind == TY_ANY || e->ty->kind == TY_POISON;
    bool power = e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_POW;
    if (!any || power || flat_is_control(f, e))
        return true;
    Diag *d = flat_refuse_type(f, e->at, "the type of this expression is not known");
    diag_help(d, "annotate the variables in this expression, because a derivative needs their "
              "types");
    return false;
}

const Expr *flat_value(Fun *f, const Expr *e)
{
    if (e->ty == NULL && e->kind == EXPR_CONSTANT)
        e = ad_typed(&f->flat->ad, e, type_of_constant(&f->flat->ad, e->constant.value));
    if (!type_known(f, e))
        return ad_float(&f->flat->ad, e->at, 0.0);
    if (flat_is_list_operation(e))
        return flat_list_operation(f, e);
    switch (e->kind) {
    case EXPR_CONSTANT: return e;
    case EXPR_NAME: return name_value(f, e);
    case EXPR_BIN_OP: return operator_value(f, e);
    case EXPR_UNARY_OP: return unary_value(f, e);
    case EXPR_COMPARE: return compare_value(f, e);
    case EXPR_BOOL_OP: return ad_is_discrete(e->ty) && !flat_calls(f, e) ? plain(f, e)
                                                                         : bool_value(f, e, 0);
    case EXPR_IF_EXP: return ad_is_discrete(e->ty) && !flat_calls(f, e) ? plain(f, e)
                                                                        : if_value(f, e);
    case EXPR_CALL: return flat_call(f, e);
    case EXPR_ATTRIBUTE: return attribute_value(f, e);
    case EXPR_SUBSCRIPT: return item_value(f, e);
    case EXPR_LIST: return display_value(f, e, e->list.elts);
    case EXPR_TUPLE:
        return ad_holds_float(&f->flat->ad, e->ty) ? flat_as(f, e, e->ty)
                                                   : display_value(f, e, e->tuple.elts);
    case EXPR_LAMBDA: case EXPR_NAMED_EXPR: case EXPR_DICT: case EXPR_SET: case EXPR_LIST_COMP:
    case EXPR_SET_COMP: case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP: case EXPR_AWAIT:
    case EXPR_YIELD: case EXPR_YIELD_FROM: case EXPR_FORMATTED_VALUE: case EXPR_JOINED_STR:
    case EXPR_STARRED: case EXPR_SLICE: case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN:
    case EXPR_COM: case EXPR_SELECT: case EXPR_UNIT: case EXPR_SEND: case EXPR_RECV:
    case EXPR_SEND_LABEL: case EXPR_BUILD: case EXPR_GATHER: case EXPR_SCATTER: case EXPR_REDUCE:
    case EXPR_ARG_SORT: case EXPR_REPLICATE: case EXPR_TRANSPOSE: case EXPR_RESHAPE:
    case EXPR_STACK: case EXPR_WHERE: case EXPR_ONE_HOT: case EXPR_LOOP: case EXPR_COUNT:
    EXPR_CASES_CONTROL:
        break;
    }
    return refused(f, e);
}

const Expr *flat_atom(Fun *f, const Expr *e)
{
    const Expr *value = flat_value(f, e);
    return ad_is_atom(value) ? value : flat_named(f, value);
}

const Expr *flat_part(Fun *f, const Expr *e, const Ty *place)
{
    const Expr *value = flat_as(f, e, place);
    const Expr *atom = ad_is_atom(value) ? value : flat_named(f, value);
    bool as_it_is = place == NULL || !ad_is_float(place) || ad_is_float(atom->ty);
    return as_it_is ? atom : flat_named(f, ad_typed(&f->flat->ad, atom, place));
}

const Expr *flat_argument(Fun *f, const Expr *e)
{
    bool nested = ad_is_discrete(e->ty) && !flat_calls(f, e) && !reads_cells(f, e);
    return nested ? plain(f, e) : flat_atom(f, e);
}

// Whether a test holds, as a bool where it stands on lists.
static const Expr *truth_of(const Ad *ad, const Expr *e)
{
    if (e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_NOT)
        return ad_not(ad, truth_of(ad, e->unary_op.operand));
    if (e->kind == EXPR_BOOL_OP) {
        ExprList values = e->bool_op.values;
        const Expr **all = ARENA_ARRAY(ad->arena, const Expr *, values.len);
        for (size_t i = 0; i < values.len; i++)
            all[i] = truth_of(ad, values.at[i]);
        return ad_typed(ad, expr_bool_op(ad->arena, e->at, e->bool_op.op,
                                         (ExprList){all, values.len}), ad->bool_);
    }
    if (!ad_is_atom(e) || ad_list_element(e->ty) == NULL)
        return e;
    return ad_compare(ad, ad_call_name(ad, e->at, "len", ad->int_, 1, &e), CMPOP_GT,
                      ad_int(ad, e->at, 0));
}

const Expr *flat_test(Fun *f, const Expr *e)
{
    return truth_of(&f->flat->ad, flat_calls(f, e) ? flat_atom(f, e) : plain(f, e));
}

const Expr *flat_settled(Fun *f, const Expr *e)
{
    const Ad *ad = &f->flat->ad;
    const Expr *test = flat_test(f, e);
    if (!reads_cells(f, test))
        return test;
    bool truth = test->ty != NULL && ad_is(test->ty, "bool");
    return flat_named(f, truth ? ad_typed(ad, test, test->ty) : ad_not(ad, ad_not(ad, test)));
}
