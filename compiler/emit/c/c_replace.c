// c_replace.c - dataclasses.replace: a call of the class of the object, whichever it is, with the
// fields that the call does not name.

#include "compiler/emit/c/c_call.h"

static const Keyword *given(KeywordList keywords, Sym name)
{
    for (size_t i = 0; i < keywords.len; i++)
        if (keywords.at[i]->arg == name)
            return keywords.at[i];
    return NULL;
}

// The changes must be fields that the constructor takes, each by its name.
static bool can_change(CEmit *c, CClass *k, KeywordList changes)
{
    for (size_t i = 0; i < changes.len; i++) {
        const Keyword *change = changes.at[i];
        const CField *f = change->arg ? c_find_field(c, k, change->arg) : NULL;
        if (f == NULL || f->no_init || f->attribute) {
            (void)c_refuse(c, change->at, change->arg == NULL
                           ? "the C target does not support `**` arguments of `replace`\nwrite the "
                             "fields by name"
                           : "`%s` has no field `%s` that `replace` can set", k->name, change->arg);
            return false;
        }
    }
    return true;
}

static const Expr *field_of(CEmit *c, const Expr *call, Value object, const CField *f)
{
    Value v = c_nothing(c);
    if (rep_passed(f->rep)) {
        v = c_value(f->rep, c_text(c, "%s->%s", object.text, f->c_name), HOLD_BORROWED);
        v.place = true;
        v = c_steady(c, v);
    }
    const Expr *like = f->ty == NULL ? call
        : expr_with_ty(c->arena, call, f->ty, call->roles);
    return c_bound(c, like, v);
}

static Value make_one(CEmit *c, const Expr *call, CClass *k, Value object, KeywordList changes)
{
    Vec(const Keyword *) all = {0};
    object = c_lasting(c_object_as(c, object.text, k));
    for (size_t i = 0; i < k->fields.len; i++) {
        const CField *f = &k->fields.at[i];
        const Keyword *change = given(changes, f->name);
        if (f->no_init || f->attribute)
            continue;
        vec_push(c->arena, &all, change != NULL ? change
                 : keyword_new(c->arena, call->at, f->name, field_of(c, call, object, f)));
    }
    const Expr *each = expr_call(c->arena, call->at, call->call.func, (ExprList){0},
                                 (KeywordList){all.at, all.len});
    return c_construct(c, expr_with_ty(c->arena, each, call->ty, call->roles), k);
}

bool c_replace(CEmit *c, const Expr *e, Sym name, Value *out)
{
    ExprList args = e->call.args;
    if (!sym_is(name, "dataclasses.replace") || args.len != 1 || c_has_star(args))
        return false;
    Value object = c_steady(c, c_expr(c, args.at[0]));
    CClass *k = object.rep->kind == REP_CLASS ? object.rep->class_ : NULL;
    CCallee like;
    if (k == NULL || !k->is_record || k->is_named_tuple || !c_constructor_callee(c, k, &like)) {
        *out = c_refuse(c, e->at, "the C target cannot infer which dataclass `replace` copies\n"
                        "declare the type of its argument");
        return true;
    }
    *out = c_open_variable(c, object.rep);
    if (!can_change(c, k, e->call.keywords))
        return true;
    KeywordList changes = c_settle_keywords(c, e->call.keywords, &like);
    ClassVec all = c_deriving(c, k);
    vec_push(c->arena, &all, k);
    for (size_t i = 0; i < all.len; i++) {
        const char *test = c_text(c, "if (((PychoralObject *)%s)->type == &%s) ", object.text,
                                  all.at[i]->row);
        c_class_fields(c, all.at[i]);
        c_line(c, "%s%s{", i > 0 ? "} else " : "", i + 1 < all.len ? test : "");
        c->out->indent++;
        c_put_result(c, *out, make_one(c, e, all.at[i], object, changes), e->at);
        c->out->indent--;
    }
    c_line(c, "}");
    return true;
}
