// stage.c - the entry of staging: parameters and their shapes, and values.

#include "compiler/pass/ad/stage_internal.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- faults: the first is told, what follows from it is not ----

const Expr *stage_refuse(Stage *s, Span at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vformat(s->arena, format, args), *help = strchr(text, '\n');
    va_end(args);
    if (help != NULL)
        *help++ = '\0';
    Diag *d = s->failed ? NULL : diag_report(s->diags, s->library_depth > 0 ? s->call_at : at,
                                             DIAG_ARRAY_FORM, "%s", text);
    if (d != NULL && help != NULL)
        diag_help(d, "%s", help);
    s->failed = true;
    return term_float(s->t, 0.0);
}

static const char *shape_text(Stage *s, TyList shape)
{
    Buf b = buf_new(s->arena);
    buf_puts(&b, "[");
    for (size_t i = 0; i < shape.len; i++) {
        buf_puts(&b, i > 0 ? ", " : "");
        size_print(&b, size_poly(s->t, shape.at[i]));
    }
    buf_puts(&b, "]");
    return buf_text(&b);
}

// Each origin is noted once.
static void note_origins(Stage *s, Diag *d, const Expr *x, Table *noted)
{
    TyList shape = term_shape(x);
    for (size_t i = 0; i < shape.len; i++) {
        Poly p = size_poly(s->t, shape.at[i]);
        for (size_t k = 0; k < p.len; k++)
            for (size_t n = 0; n < p.at[k].names.len; n++) {
                Sym name = p.at[k].names.at[n];
                const char *from = table_get(s->origins, name);
                if (from != NULL && table_get(noted, name) == NULL)
                    diag_note(d, "%s", from);
                table_set(noted, name, d);
            }
    }
}

const Expr *stage_differ(Stage *s, Span at, const char *what, const Expr *x, const Expr *y)
{
    if (!s->failed) {
        const char *left = shape_text(s, term_shape(x)), *right = shape_text(s, term_shape(y));
        Diag *d = diag_report(s->diags, s->library_depth > 0 ? s->call_at : at,
                              DIAG_ARRAY_SHAPES,
                              "the shapes %s and %s are not compatible for %s", left, right, what);
        Table *noted = table_new(s->arena);
        note_origins(s, d, x, noted);
        note_origins(s, d, y, noted);
    }
    s->failed = true;
    return x;
}

// ---- values ----

Value *value_of(Stage *s, ValueKind kind)
{
    Value *v = ARENA_NEW(s->arena, Value);
    v->kind = kind;
    v->region = s->region;
    v->made = s->made++;
    return v;
}

Value *value_term(Stage *s, const Expr *e)
{
    Value *v = value_of(s, VALUE_TERM);
    v->term = e;
    return v;
}

Value *value_list(Stage *s, ValueVec items, bool tuple)
{
    Value *v = value_of(s, VALUE_LIST);
    v->items = items;
    v->tuple = tuple;
    return v;
}

static const Expr *list_as_term(Stage *s, const Value *v, Span at)
{
    Vec(const Expr *) parts = {0};
    bool real = false;
    for (size_t i = 0; i < v->items.len; i++) {
        vec_push(s->arena, &parts, value_as_term(s, v->items.at[i], at));
        real = real || term_elem(parts.at[i]) == ELEM_FLOAT;
    }
    if (parts.len == 0)
        return stage_refuse(s, at, "an empty list has no shape\nwrite `np.zeros((0,))`");
    for (size_t i = 0; i < parts.len; i++) {
        if (real)
            parts.at[i] = stage_float(s, parts.at[i]);
        if (!shape_equal(term_shape(parts.at[0]), term_shape(parts.at[i])))
            return stage_differ(s, at, "the elements of one array", parts.at[0], parts.at[i]);
    }
    return term_stack(s->t, (ExprList){parts.at, parts.len});
}

// The elements of a comprehension with several loops stand behind one another.
static const Expr *flattened(Stage *s, const Expr *x, size_t depth)
{
    TyList shape = term_shape(x);
    const Ty *all = shape.at[0];
    for (size_t i = 1; i < depth; i++)
        all = size_mul(s->t, all, shape.at[i]);
    return term_reshape(s->t, shape_cons(s->t, all, shape_drop(shape, depth)), x);
}

// What a value that is not an array is.
static const char *value_words(Stage *s, const Value *v)
{
    const char *name = v->name != NULL ? v->name : "";
    switch (v->kind) {
    case VALUE_FUNCTION:
        return v->name == NULL ? "a lambda" : names_format(s->names, "the function `%s`", name);
    case VALUE_LIBRARY: return names_format(s->names, "`%s`", stage_library_shown(name));
    case VALUE_METHOD: return names_format(s->names, "the attribute `%s`", name);
    case VALUE_MODULE: return names_format(s->names, "the module `%s`", name);
    case VALUE_RANGE: return "this `range`";
    case VALUE_ROWS: return "this iterator";
    case VALUE_GRADIENT: return "a gradient that is not called";
    case VALUE_TEXT: return "a string";
    case VALUE_NONE: return "`None`";
    case VALUE_RECORD:
        return v->cls == NULL ? "a dict" : names_format(s->names, "an instance of `%s`",
                                                        v->cls->name);
    case VALUE_CLASS: return names_format(s->names, "the class `%s`", name);
    case VALUE_SUPER:
    case VALUE_SELECTED:
    case VALUE_TERM:
    case VALUE_LIST: break;
    }
    return "this value";
}

const Expr *value_as_term(Stage *s, const Value *v, Span at)
{
    if (v->kind == VALUE_TERM)
        return v->depth > 1 ? flattened(s, v->term, v->depth) : v->term;
    if (v->kind == VALUE_LIST)
        return list_as_term(s, v, at);
    if (v->kind == VALUE_RANGE) {
        const Ty *size = stage_length(s, v, at);
        const Expr *index = size == NULL ? NULL : term_iota(s->t, size);
        return index == NULL ? term_int(s->t, 0)
               : term_is_int(v->items.at[0]->term, 0) && !v->down && v->step == 0 ? index
               : stage_element(s, v, index, at)->term;
    }
    if (v->kind == VALUE_SELECTED)
        return stage_refuse(s, at, "the number of elements that this condition selects depends on "
                            "data\nan array function can compute with them element by element, sum "
                            "them, and store them, as in `y[c] = np.log(x[c])`; otherwise write "
                            "`np.where(c, x, 0.0)`");
    return stage_refuse(s, at, "%s is neither an array nor a number", value_words(s, v));
}

bool value_number(Stage *s, const Value *v, int64_t *n)
{
    Poly p;
    return v->kind == VALUE_TERM && term_elem(v->term) == ELEM_INT && term_rank(v->term) == 0 &&
           term_poly(s->t, v->term, &p) && poly_is_number(p, n);
}

// ---- parameters ----

static const Expr *shape_annotation(const Expr *annotation, Elem *elem)
{
    static const char *const names[ELEM_COUNT] = {"Float", "Int", "Bool"};
    if (annotation == NULL || annotation->kind != EXPR_SUBSCRIPT ||
        annotation->subscript.slice->kind != EXPR_TUPLE ||
        annotation->subscript.slice->tuple.elts.len != 2)
        return NULL;
    const Expr *head = annotation->subscript.value;
    Sym name = head->kind == EXPR_NAME        ? head->name.id
               : head->kind == EXPR_ATTRIBUTE ? head->attribute.attr
                                              : NULL;
    const Expr *text = annotation->subscript.slice->tuple.elts.at[1];
    for (int i = 0; i < ELEM_COUNT; i++)
        if (name != NULL && strcmp(name, names[i]) == 0 && text->kind == EXPR_CONSTANT &&
            text->constant.value->kind == CONST_STR) {
            *elem = (Elem)i;
            return text;
        }
    return NULL;
}

bool stage_has_arrays(const Stmt *function)
{
    Elem elem;
    const Arguments *args = function->function_def.args;
    const ArgList all[] = {args->posonlyargs, args->args, args->kwonlyargs};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (size_t i = 0; i < all[k].len; i++)
            if (shape_annotation(all[k].at[i]->annotation, &elem) != NULL)
                return true;
    return false;
}

typedef struct Sizes { const char *at, *end; } Sizes;

static void skip_spaces(Sizes *z)
{
    while (z->at < z->end && *z->at == ' ')
        z->at++;
}

// Whether a variable cannot have the name of a size: it is a word of Python, or of what is made,
// or a parameter that is another thing.
static bool is_taken(Stage *s, Sym name)
{
    static const char *const words[] = {
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class",
        "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
        "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return",
        "try", "while", "with", "yield", "np", "float", "int", "bool", "tuple", "range", "min",
        "max", "reversed", "value", NULL};
    for (size_t i = 0; i < s->params.len; i++) {
        const Expr *ty = s->params.at[i]->annotation;
        if (s->params.at[i]->arg == name)
            return ty == NULL || ty->kind != EXPR_NAME || !sym_is(ty->name.id, "int");
    }
    return sym_is_one_of(name, words);
}

static Sym size_sym(Stage *s, const char *start, size_t len)
{
    Sym name = names_intern(s->names, start, len);
    while (is_taken(s, name))
        name = names_format(s->names, "%s_size", name);
    return name;
}

// A name or a number; false: neither.
static bool read_factor(Stage *s, Sizes *z, Poly *p)
{
    const char *start = z->at;
    bool number = z->at < z->end && isdigit((unsigned char)*z->at);
    while (z->at < z->end && (isalnum((unsigned char)*z->at) || *z->at == '_'))
        z->at++;
    size_t len = (size_t)(z->at - start);
    if (len == 0 || (number && len > 15))
        return false;
    *p = number ? poly_number(s->arena, strtoll(start, NULL, 10))
                : poly_name(s->arena, size_sym(s, start, len));
    return true;
}

static bool read_product(Stage *s, Sizes *z, Poly *p)
{
    Poly next;
    if (!read_factor(s, z, p))
        return false;
    while (z->at < z->end && *z->at == '*') {
        z->at++;
        if (!read_factor(s, z, &next))
            return false;
        *p = poly_mul(s->arena, *p, next);
    }
    return true;
}

static bool read_size(Stage *s, Sizes *z, Poly *p)
{
    Poly next;
    if (!read_product(s, z, p))
        return false;
    while (z->at < z->end && (*z->at == '+' || *z->at == '-')) {
        bool minus = *z->at++ == '-';
        if (!read_product(s, z, &next))
            return false;
        *p = minus ? poly_sub(s->arena, *p, next) : poly_add(s->arena, *p, next);
    }
    return z->at == z->end || *z->at == ' ';
}

static void note_names(Stage *s, Poly p, const Arg *arg, size_t dimension)
{
    for (size_t i = 0; i < p.len; i++)
        for (size_t k = 0; k < p.at[i].names.len; k++)
            if (table_get(s->origins, p.at[i].names.at[k]) == NULL) {
                Buf b = buf_new(s->arena);
                buf_printf(&b, "`%s` is from dimension %zu of `%s`", p.at[i].names.at[k],
                           dimension, arg->arg);
                table_set(s->origins, p.at[i].names.at[k], (void *)buf_text(&b));
            }
}

static const Ty *array_ty(Stage *s, const Arg *arg, Elem elem, const Expr *text)
{
    Text source = text->constant.value->text;
    Sizes z = {source.at, source.at + source.len};
    Vec(const Ty *) shape = {0};
    for (skip_spaces(&z); z.at < z.end; skip_spaces(&z)) {
        Poly p;
        if (!read_size(s, &z, &p)) {
            (void)stage_refuse(s, text->at, "a dimension must be a name, an integer, or a sum, "
                               "difference or product of these\nseparate dimensions by spaces, "
                               "and write each without spaces and parentheses, such as `\"n 3 "
                               "k+1\"`");
            break;
        }
        note_names(s, p, arg, shape.len);
        vec_push(s->arena, &shape, size_of_poly(s->t, p));
        table_set(s->natural, size_of_poly(s->t, p), s);
    }
    return term_ty(s->t, elem, (TyList){shape.at, shape.len});
}

static const Ty *param_ty(Stage *s, const Arg *arg)
{
    static const char *const names[ELEM_COUNT] = {"float", "int", "bool"};
    Elem elem;
    const Expr *text = shape_annotation(arg->annotation, &elem);
    if (text != NULL)
        return array_ty(s, arg, elem, text);
    for (int i = 0; i < ELEM_COUNT; i++)
        if (arg->annotation != NULL && arg->annotation->kind == EXPR_NAME &&
            strcmp(arg->annotation->name.id, names[i]) == 0)
            return term_ty(s->t, (Elem)i, (TyList){NULL, 0});
    (void)stage_refuse(s, arg->at, "the parameter `%s` of an array function is not annotated as an "
                       "array or a number\nannotate it, such as `Float[Array, \"n\"]`, `float`, "
                       "`int` or `bool`", arg->arg);
    return term_ty(s->t, ELEM_FLOAT, (TyList){NULL, 0});
}

// ---- the module ----

// Functions of submodules have the name of the submodule in front.
static const struct { const char *module, *prefix; } submodules[] = {
    {"numpy.linalg", "linalg_"}, {"scipy.special", "special_"},
    {"numpy.lib.stride_tricks", "stride_tricks_"}, {"", "ufunc_"},
};
enum { SUBMODULES = sizeof submodules / sizeof *submodules };

Sym stage_library_name(Stage *s, const char *module, Sym name)
{
    for (size_t i = 0; module != NULL && i < SUBMODULES; i++)
        if (strcmp(module, submodules[i].module) == 0)
            return names_format(s->names, "%s%s", submodules[i].prefix, name);
    return name;
}

const char *stage_library_shown(const char *name)
{
    for (size_t i = 0; i < SUBMODULES; i++) {
        size_t len = strlen(submodules[i].prefix);
        if (strncmp(name, submodules[i].prefix, len) == 0)
            return name + len;
    }
    return name;
}

static void bind_imports(Stage *s, const Stmt *stmt)
{
    bool whole = stmt->kind == STMT_IMPORT;
    AliasList names = whole ? stmt->import.names : stmt->import_from.names;
    for (size_t i = 0; i < names.len; i++) {
        const Alias *alias = names.at[i];
        Value *v = value_of(s, whole ? VALUE_MODULE : VALUE_LIBRARY);
        v->name = whole ? alias->name
                        : stage_library_name(s, stmt->import_from.module, alias->name);
        if (!whole && stmt->import_from.module != NULL)
            v->text = (Text){stmt->import_from.module, strlen(stmt->import_from.module)};
        if (!whole && stmt->import_from.module != NULL && alias->name[0] == '*')
            continue;
        table_set(s->module->names, alias->asname != NULL ? alias->asname : alias->name, v);
    }
}

static void bind_module(Stage *s, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *stmt = body.at[i];
        if (stmt->kind == STMT_IMPORT || stmt->kind == STMT_IMPORT_FROM) {
            bind_imports(s, stmt);
        } else if (stmt->kind == STMT_FUNCTION_DEF) {
            Value *v = value_of(s, VALUE_FUNCTION);
            v->args = stmt->function_def.args;
            v->body = stmt->function_def.body;
            v->scope = s->module;
            v->name = stmt->function_def.name;
            table_set(s->module->names, v->name, v);
        } else if (stmt->kind == STMT_CLASS_DEF) {
            table_set(s->module->names, stmt->class_def.name, stage_class(s, stmt));
        } else if (stmt->kind == STMT_ASSIGN && stmt->assign.targets.len == 1 &&
                   stmt->assign.targets.at[0]->kind == EXPR_NAME) {
            Value *v = value_of(s, VALUE_NONE);         // evaluated when it is read
            v->result = stmt->assign.value;
            table_set(s->module->names, stmt->assign.targets.at[0]->name.id, v);
        } else if (stmt->kind == STMT_ANN_ASSIGN && stmt->ann_assign.value != NULL &&
                   stmt->ann_assign.target->kind == EXPR_NAME) {
            Value *v = value_of(s, VALUE_NONE);
            v->result = stmt->ann_assign.value;
            table_set(s->module->names, stmt->ann_assign.target->name.id, v);
        }
    }
}

static ValueVec bind_params(Stage *s, const Stmt *function, Staged *staged)
{
    const Arguments *args = function->function_def.args;
    ValueVec values = {0};
    Vec(const Expr *) params = {0};
    if (args->posonlyargs.len + args->kwonlyargs.len > 0)
        (void)stage_refuse(s, function->at, "`%s` has a parameter list that an array function does "
                           "not support\nwrite the parameters without `*` and `/`",
                           function->function_def.name);
    for (size_t i = 0; i < args->args.len; i++) {
        const Arg *arg = args->args.at[i];
        const Expr *name = term_name(s->t, arg->arg, param_ty(s, arg));
        vec_push(s->arena, &params, name);
        vec_push(s->arena, &values, value_fresh(s, name));
    }
    staged->params = (ExprList){params.at, params.len};
    return values;
}

static bool run_function(Terms *t, Diags *diags, const Unit *unit, const Stmt *function,
                         bool plain_lengths, Staged *staged)
{
    Arena *a = terms_arena(t);
    Stage s = {.t = t, .arena = a, .names = terms_names(t), .diags = diags,
               .origins = table_new(a), .natural = table_new(a), .plain_lengths = plain_lengths,
               .params = function->function_def.args->args, .program = unit->module.body};
    s.module = scope_inside(&s, NULL);
    bind_module(&s, unit->module.body);
    *staged = (Staged){.function = function};
    ValueVec values = bind_params(&s, function, staged);
    const Value *f = table_get(s.module->names, function->function_def.name);
    s.returned_at = function->at;
    Value *result = stage_call_function(&s, f, values, (KeywordList){NULL, 0}, s.module,
                                        function->at, false);
    if (!s.failed)
        staged->result = value_as_term(&s, result, s.returned_at);
    staged->checks = (ExprList){s.checks.at, s.checks.len};
    staged->broken = s.asserts ? "an index is out of range, or an assert does not hold"
                               : "an index is out of range";
    staged->guarded = s.guarded;
    return !s.failed;
}

// An array of max(n - 1, 0) elements and one more has no `n` elements that a compiler sees. Where
// shapes fit only so, a range of negative length is an error when the function runs.
bool stage_function(Terms *t, Diags *diags, const Unit *unit, const Stmt *function, Staged *staged)
{
    return run_function(t, diags_new(terms_arena(t)), unit, function, false, staged) ||
           run_function(t, diags, unit, function, true, staged);
}
