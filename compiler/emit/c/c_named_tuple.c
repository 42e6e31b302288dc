// c_named_tuple.c - classes made by NamedTuple. An instance is an object of its fields; its row
// says that it is a tuple, too, and so the runtime does with it what it does with tuples. Here is
// what these classes have beyond that.

#include <string.h>

#include "compiler/emit/c/c_call.h"

bool c_is_named_tuple(CEmit *c, const Rep *r, const char *unless)
{
    return r->kind == REP_CLASS && r->class_->is_named_tuple
           && (unless == NULL || !c_find_method(r->class_, names_get(c->names, unless)));
}

static const CField *field_named(CEmit *c, const Rep *r, Sym name)
{
    c_class_fields(c, r->class_);
    for (size_t i = 0; i < r->class_->fields.len; i++)
        if (r->class_->fields.at[i].name == name)
            return &r->class_->fields.at[i];
    return NULL;
}

static Value field_of(CEmit *c, Value self, const CField *f)
{
    if (!rep_passed(f->rep))
        return c_nothing(c);
    Value v = c_value(f->rep, c_text(c, "%s->%s", self.text, f->c_name), HOLD_BORROWED);
    v.place = v.lasting = true;                 // nobody can change it
    return v;
}

static Value name_of_field(CEmit *c, const CField *f)
{
    return (Value){.rep = rep_named(c, "str"), .lasting = true, .hold = HOLD_BORROWED,
                   .text = c_string(c, (Text){f->name, strlen(f->name)}, false)};
}

Value c_tuple_field_at(CEmit *c, Value self, size_t at)
{
    return field_of(c, c_steady(c, self), &self.rep->class_->fields.at[at]);
}

// ._fields
bool c_named_tuple_attribute(CEmit *c, CClass *k, Sym name, Value *out)
{
    if (!k->is_named_tuple || !sym_is(name, "_fields"))
        return false;
    c_class_fields(c, k);
    const Rep *rep = rep_sequence(c, rep_named(c, "str"));
    const char *names = "";
    for (size_t i = 0; i < k->fields.len; i++)
        names = c_text(c, "%s%s%s", names, i ? ", " : "",
                       name_of_field(c, &k->fields.at[i]).text);
    *out = c_value(rep, k->fields.len == 0
                   ? c_text(c, "pychoral_display_list(%s, 0, NULL)", rep->row)
                   : c_text(c, "pychoral_display_list(%s, %zu, (PychoralStr *[]){%s})", rep->row,
                            k->fields.len, names), HOLD_OWNED);
    return true;
}

static Value as_dict(CEmit *c, const Expr *e, Value self)
{
    const Rep *rep = rep_of(c, e->ty, e->at);
    CClass *k = self.rep->class_;
    self = c_steady(c, self);
    Value dict = c_temp(c, c_value(rep, c_text(c, "pychoral_display_dict(%s, 0, NULL, NULL)",
                                               rep->row), HOLD_OWNED));
    for (size_t i = 0; i < k->fields.len; i++) {
        const CField *f = &k->fields.at[i];
        Value key = c_place(c, name_of_field(c, f));
        Value v = c_place(c, c_steady(c, c_convert(c, field_of(c, self, f), rep->element, e->at)));
        c_put_key(c, dict, key, v);
    }
    return dict;
}

static const Value *given_for(const Value *values, KeywordList keywords, Sym name)
{
    for (size_t i = 0; i < keywords.len; i++)
        if (keywords.at[i]->arg == name)
            return &values[i];
    return NULL;
}

// Of the object's own class, with its other fields.
static Value replace(CEmit *c, Value self, KeywordList keywords)
{
    const Rep *rep = self.rep;
    Value *values = ARENA_ARRAY(c->arena, Value, keywords.len + 1);
    self = c_steady(c, self);
    for (size_t i = 0; i < keywords.len; i++) {
        const CField *f = keywords.at[i]->arg ? field_named(c, rep, keywords.at[i]->arg) : NULL;
        if (f == NULL)
            return c_refuse(c, keywords.at[i]->at, keywords.at[i]->arg == NULL
                            ? "the C target does not support `**` arguments of `_replace`"
                            : "`%s` has no field `%s`", c_type_name(c, rep),
                            keywords.at[i]->arg);
        values[i] = c_steady(c, c_expr_as(c, keywords.at[i]->value, f->rep));
    }
    Value copy = c_temp(c, c_value(rep, c_text(c, "pychoral_object_new(%s->object.type)",
                                               self.text), HOLD_OWNED));
    for (size_t i = 0; i < rep->class_->fields.len; i++) {
        const CField *f = &rep->class_->fields.at[i];
        const Value *given = given_for(values, keywords, f->name);
        if (rep_passed(f->rep))
            c_line(c, "%s->%s = %s;", copy.text, f->c_name,
                   c_owned(c, given ? *given : field_of(c, self, f)));
    }
    return copy;
}

bool c_named_tuple_call(CEmit *c, const Expr *e, Value self, Sym name, KeywordList keywords,
                        Value *out)
{
    bool whole = sym_is(name, "_asdict");
    if (!c_is_named_tuple(c, self.rep, NULL) || (!whole && !sym_is(name, "_replace")))
        return false;
    c_class_fields(c, self.rep->class_);
    *out = whole ? as_dict(c, e, self) : replace(c, self, keywords);
    return true;
}

bool c_tuple_method(CEmit *c, const Expr *e, Value self, Sym name, ExprList args,
                    KeywordList keywords, Value *out)
{
    const Expr *f = e->kind == EXPR_CALL ? e->call.func : NULL;
    const Ty *t = f && f->kind == EXPR_ATTRIBUTE && f->attribute.value->ty
        ? c_ty(c, f->attribute.value->ty) : NULL;
    bool found = self.rep->kind == REP_OBJECT && t && t->kind == TY_NAMED
                 && sym_is(t->named.name, "tuple");
    return (found || c_is_named_tuple(c, self.rep, NULL))
           && (sym_is(name, "count") || sym_is(name, "index"))
           && c_prim_call(c, c_text(c, "tuple.%s", name), e, &self, args, keywords,
                          rep_of(c, e->ty, e->at), out);
}

// Class._make(items)
bool c_named_tuple_make(CEmit *c, const Expr *e, CClass *k, Sym name, Value *out)
{
    if (!k->is_named_tuple || !sym_is(name, "_make") || e->call.args.len != 1)
        return false;
    c_class_fields(c, k);
    const Rep *object = rep_named(c, "object");
    const Expr *all = expr_starred(c->arena, e->at, e->call.args.at[0], EXPR_CONTEXT_LOAD);
    Value list = c_gathered(c, (ExprList){&all, 1}, rep_list(c, object));
    c_line(c, "if (%s->count != %zu)\n    pychoral_throw(&pychoral_type_TypeError, \"Expected %zu "
           "arguments, got %%zu\", %s->count);", list.text, k->fields.len, k->fields.len,
           list.text);
    c_check(c);
    *out = c_temp(c, c_value(rep_class(c, k), c_text(c, "pychoral_object_new(&%s)", k->row),
                             HOLD_OWNED));
    for (size_t i = 0; i < k->fields.len; i++) {
        const CField *f = &k->fields.at[i];
        if (!rep_passed(f->rep))
            continue;
        c_line(c, "pychoral_convert(%s, (PychoralAny *)%s->items + %zu, %s, &%s->%s);",
               object->row, list.text, i, f->rep->row, out->text, f->c_name);
        c_check(c);
    }
    return true;
}

// A class derived from one may have methods and constants, but nothing that its tuple has not.
void c_check_named_tuple(CEmit *c, CClass *k)
{
    if (!k->is_named_tuple)
        return;
    bool more = k->base != NULL && k->base->is_named_tuple
                && k->fields.len > k->base->fields.len;
    if (more || c_find_method(k, names_get(c->names, "__init__")))
        (void)c_refuse(c, k->def->at, "the C target does not support attributes of a named tuple "
                       "other than its fields");
}
