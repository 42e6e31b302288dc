// c_replace.c - dataclasses.replace(x, field=value): the class is called with the fields of `x` and
// with what is given, as Python does.

#include "compiler/emit/c/c_call.h"

static const Expr *steady_bound(CEmit *c, const Expr *like, Value v)
{
    return c_bound(c, like, c_steady(c, v));
}

static const CField *field_named(const CClass *k, Sym name)
{
    for (size_t i = 0; name != NULL && i < k->fields.len; i++)
        if (k->fields.at[i].name == name)
            return &k->fields.at[i];
    return NULL;
}

// What is given, evaluated in order. False: refused.
static bool evaluate(CEmit *c, const CClass *k, KeywordList changes, const Expr **values)
{
    for (size_t i = 0; i < changes.len; i++) {
        const Keyword *given = changes.at[i];
        const CField *f = field_named(k, given->arg);
        if (f == NULL || f->no_init) {
            (void)c_refuse(c, given->at, "`replace` of a `%s` takes the fields that its `__init__` "
                           "takes, by their names", k->name);
            return false;
        }
        values[i] = steady_bound(c, given->value, c_expr_as(c, given->value, f->rep));
    }
    return true;
}

static const Expr *part(CEmit *c, const Expr *call, Value self, const CField *f,
                        KeywordList changes, const Expr *const *values)
{
    for (size_t i = 0; i < changes.len; i++)
        if (changes.at[i]->arg == f->name)
            return values[i];
    if (!rep_passed(f->rep))
        return c_bound(c, call, c_nothing(c));
    Value v = c_value(f->rep, c_text(c, "%s->%s", self.text, f->c_name), HOLD_BORROWED);
    return steady_bound(c, call, v);
}

static bool is_plain_record(CEmit *c, const Rep *r)
{
    if (r->kind != REP_CLASS || !r->class_->is_dataclass || r->class_->derived.len > 0)
        return false;
    c_class_fields(c, r->class_);
    return c_find_method(r->class_, names_get(c->names, "__init__")) == NULL;
}

bool c_replace(CEmit *c, const Expr *e, Sym name, Value *out)
{
    if (strcmp(name, "dataclasses.replace") != 0 || e->call.args.len != 1)
        return false;
    KeywordList changes = e->call.keywords;
    Value self = c_steady(c, c_expr(c, e->call.args.at[0]));
    if (!is_plain_record(c, self.rep)) {
        *out = c_refuse(c, e->at, "the C target has `replace` of dataclasses that have no "
                        "`__init__` of their own and from which no class derives: call the class");
        return true;
    }
    CClass *k = self.rep->class_;
    const Expr **values = ARENA_ARRAY(c->arena, const Expr *, changes.len + 1);
    const Keyword **all = ARENA_ARRAY(c->arena, const Keyword *, k->fields.len + 1);
    size_t count = 0;
    *out = c_value(self.rep, rep_zero(c, self.rep), HOLD_OWNED);
    if (!evaluate(c, k, changes, values))
        return true;
    for (size_t i = 0; i < k->fields.len; i++) {
        const CField *f = &k->fields.at[i];
        if (!f->no_init && !f->attribute)
            all[count++] = keyword_new(c->arena, e->at, f->name,
                                       part(c, e, self, f, changes, values));
    }
    const Expr *call = expr_call(c->arena, e->at, e->call.func, (ExprList){0},
                                 (KeywordList){all, count});
    *out = c_construct(c, expr_with_ty(c->arena, call, e->ty, e->roles), k);
    return true;
}
