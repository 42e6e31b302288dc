// desugar_string.c - f-strings: the texts of their parts, joined.

#include "compiler/pass/desugar_internal.h"

static bool is_text(const Expr *e)
{
    return e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_STR;
}

// What `format` gives without a specification is `str`, unless the class says otherwise.
static bool is_plain(const Ty *t)
{
    static const char *const known[] = {
        "bool", "bytes", "complex", "dict", "float", "int", "list", "set", "str", "tuple", NULL,
    };
    for (size_t i = 0; t && t->kind == TY_UNION && i < t->union_.items.len; i++)
        if (!is_plain(t->union_.items.at[i]))
            return false;
    return t && (t->kind == TY_UNION || t->kind == TY_TUPLE || t->kind == TY_NONE_TYPE
                 || (t->kind == TY_NAMED && sym_is_one_of(t->named.name, known)));
}

static bool formats_as_str(const Desugar *d, const Expr *e)
{
    return !d->facts->has_format || is_plain(e->ty);
}

static const Expr *converted(Desugar *d, const Expr *e, int conversion)
{
    const char *function = conversion == 'r' ? "repr" : conversion == 'a' ? "ascii" : "str";
    return conversion < 0 ? e : desugar_call1(d, function, e, desugar_ty(d, "str"));
}

static const Expr *field_text(Desugar *d, const Expr *field)
{
    const Expr *value = field->formatted_value.value, *spec = field->formatted_value.format_spec;
    int conversion = field->formatted_value.conversion;
    const Expr *e = converted(d, value, conversion);
    bool no_spec = spec == NULL || (is_text(spec) && spec->constant.value->text.len == 0);
    if (no_spec && conversion >= 0)
        return e;
    if (no_spec && formats_as_str(d, value))
        return desugar_call1(d, "str", e, desugar_ty(d, "str"));
    const Expr *args[] = {e, no_spec ? desugar_str(d, field->at, "") : spec};
    return desugar_call(d, desugar_builtin(d, field->at, "format"), desugar_list(d, 2, args),
                        desugar_ty(d, "str"));
}

const Expr *desugar_fstring(Desugar *d, const Expr *e)
{
    ExprVec parts = {0};
    for (size_t i = 0; i < e->joined_str.values.len; i++) {
        const Expr *part = e->joined_str.values.at[i];
        vec_push(d->arena, &parts,
                 part->kind == EXPR_FORMATTED_VALUE ? field_text(d, part)
                                                    : desugar_typed(d, part, desugar_ty(d, "str")));
    }
    if (parts.len == 0)
        return desugar_str(d, e->at, "");
    if (parts.len == 1)
        return expr_with_at(d->arena, parts.at[0], e->at);
    Vec(const Ty *) items = {0};
    for (size_t i = 0; i < parts.len; i++)
        vec_push(d->arena, &items, parts.at[i]->ty);
    const Expr *all = expr_tuple(d->arena, e->at, (ExprList){parts.at, parts.len},
                                 EXPR_CONTEXT_LOAD);
    all = desugar_typed(d, all, desugar_tuple_ty(d, items.len, items.at));
    return desugar_method(d, desugar_str(d, e->at, ""), "join", desugar_list(d, 1, &all),
                          desugar_ty(d, "str"));
}
