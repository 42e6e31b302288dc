// c_dispatch.c - calls whose function depends on the class of the object, where the functions do
// not take the same: written out as a chain of tests. The program is closed, all classes are known.

#include "compiler/emit/c/c_call.h"

// ---- arguments that several calls look at ----

static const Expr *settled(CEmit *c, const Expr *e, const Rep *rep)
{
    Value v = rep != NULL ? c_expr_as(c, e, rep) : c_expr(c, e);
    return c_bound(c, e, c_steady(c, v));
}

static const Rep *rep_of_param(const CCallee *callee, size_t place, Sym name)
{
    for (size_t i = 0; callee != NULL && i < callee->count; i++) {
        const CParam *p = &callee->params[i];
        bool simple = p->kind == PARAM_EITHER || p->kind == PARAM_POSITIONAL
                      || p->kind == PARAM_KEYWORD;
        if (simple && (name != NULL ? p->name == name : i == place))
            return p->rep;
    }
    return NULL;
}

ExprList c_settle_args(CEmit *c, ExprList args, const CCallee *like, size_t skip)
{
    const Expr **list = ARENA_ARRAY(c->arena, const Expr *, args.len + 1);
    for (size_t i = 0; i < args.len; i++)
        list[i] = args.at[i]->kind == EXPR_STARRED ? args.at[i]
            : settled(c, args.at[i], rep_of_param(like, i + skip, NULL));
    return (ExprList){list, args.len};
}

KeywordList c_settle_keywords(CEmit *c, KeywordList keywords, const CCallee *like)
{
    const Keyword **list = ARENA_ARRAY(c->arena, const Keyword *, keywords.len + 1);
    for (size_t i = 0; i < keywords.len; i++) {
        const Keyword *k = keywords.at[i];
        list[i] = k->arg == NULL ? k
            : keyword_new(c->arena, k->at, k->arg,
                          settled(c, k->value, rep_of_param(like, 0, k->arg)));
    }
    return (KeywordList){list, keywords.len};
}

void c_put_result(CEmit *c, Value out, Value v, Span at)
{
    v = c_convert(c, v, out.rep, at);
    if (rep_passed(out.rep))
        c_line(c, "%s = %s;", out.text, c_owned(c, v));
    else
        (void)c_temp(c, v);
}

Value c_object_as(CEmit *c, const char *pointer, CClass *k)
{
    Value object = c_value(rep_class(c, k), c_text(c, "((%s *)%s)", k->c_name, pointer),
                           HOLD_BORROWED);
    object.lasting = true;
    return object;
}

// ---- methods of protocols: whichever class the object is of ----

static bool is_member_of_containers(Sym name)
{
    static const char *const NAMES[] = {
#define MEMBER(kind, name, least, most, function) #name,
#include "runtime/c/builtins/members.def"
#undef MEMBER
        NULL};
    return sym_is_one_of(name, NAMES);
}

// Of a list, dict or set whose items are known only when it is there.
static void call_member(CEmit *c, Value place, Sym name, ExprList args, Value out)
{
    const char *ref = c_ref(c, place), *refs = c_refs_of(c, args);
    c_line(c, "pychoral_call_member(%s, \"%s\", %zu, %s, %s, %s);", ref, name, args.len, refs,
           out.rep->row,
           rep_passed(out.rep) ? c_text(c, "&%s", out.text) : "&(PychoralNone){0}");
    c_check(c);
}

Value c_call_by_protocol(CEmit *c, const Expr *call, Value self, Sym name)
{
    const Rep *result = rep_of(c, call->ty, call->at);
    Value out = c_open_or_none(c, result);
    Value place = c_place(c, c_steady(c, self));
    ExprList args = c_settle_args(c, call->call.args, NULL, 0);
    KeywordList keywords = c_settle_keywords(c, call->call.keywords, NULL);
    bool any = false;
    c_instances_of_module(c);
    for (size_t i = 0; i < c->class_order.len; i++) {
        CClass *k = c->class_order.at[i];
        CMethod *m = k->is_protocol ? NULL : c_find_method(k, name);
        if (m == NULL || k->is_enum || m->owner->is_protocol)
            continue;
        c_line(c, "%sif (%s.type == &%s) {", any ? "} else " : "", place.text, k->row);
        any = true;
        c->out->indent++;
        Value object = c_object_as(c, c_text(c, "%s.pointer", place.text), k);
        c_put_result(c, out, c_user_call(c, call->at, m, &object, args, keywords, NULL), call->at);
        c->out->indent--;
    }
    bool member = is_member_of_containers(name) && keywords.len == 0 && !c_has_star(args);
    if (!any && !member)
        return c_refuse_member(c, call->at, call->call.func->attribute.value, "method", name);
    if (!member) {
        c_no_attribute(c, place, name);
        return out;
    }
    c_line(c, any ? "} else {" : "{");
    c->out->indent++;
    call_member(c, place, name, args, out);
    c->out->indent--;
    c_line(c, "}");
    return out;
}

// ---- methods that derived classes have otherwise ----

// The classes for which another function may run, the most derived first.
static ClassVec find_others(CEmit *c, CClass *k, const CMethod *m)
{
    ClassVec all = c_deriving(c, k), others = {0};
    for (size_t i = 0; i < all.len; i++) {
        CClass *d = all.at[i];
        if (m->is_class || d->bases.len > 1 || c_own_method(d, m->name) != NULL)
            vec_push(c->arena, &others, d);     // a class method is told which class it is
    }
    return others;
}

static bool same_default(const Expr *a, const Expr *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->kind == EXPR_CONSTANT && b->kind == EXPR_CONSTANT
           && const_equal(a->constant.value, b->constant.value);
}

static bool takes_the_same(CEmit *c, CMethod *m, CMethod *other)
{
    CCallee a = c_callee(c, c_method_function(c, m)), b = c_callee(c, c_method_function(c, other));
    bool same = a.count == b.count;
    for (size_t i = 1; same && i < a.count; i++)
        same = a.params[i].kind == b.params[i].kind && a.params[i].name == b.params[i].name
               && same_default(a.params[i].otherwise, b.params[i].otherwise);
    return same;
}

static bool is_needed(CEmit *c, CMethod *m, const ClassVec *others)
{
    bool needed = others->len > 0 && (m->is_class || m->is_static);
    for (size_t i = 0; !needed && i < others->len; i++) {
        CMethod *other = c_find_method(others->at[i], m->name);
        needed = other->is_class || other->is_static || !takes_the_same(c, m, other);
    }
    return needed;
}

bool c_call_of_derived(CEmit *c, Span at, CMethod *m, Value self, ExprList args,
                       KeywordList keywords, Value *result)
{
    ClassVec others = {0};
    if (!sym_is(m->name, "__init__") && !c_has_star(args))
        others = find_others(c, self.rep->class_, m);
    if (others.len == 0 || !is_needed(c, m, &others))
        return false;
    CFunction *f = c_method_function(c, m);
    CCallee like = c_callee(c, f);
    self = c_steady(c, self);
    args = c_settle_args(c, args, &like, f->takes_self);
    keywords = c_settle_keywords(c, keywords, &like);
    *result = c_open_or_none(c, f->result);
    for (size_t i = 0; i <= others.len; i++) {
        bool last = i == others.len;
        CClass *k = last ? self.rep->class_ : others.at[i];
        if (last)
            c_line(c, "} else {");
        else
            c_line(c, "%sif (pychoral_derives(((PychoralObject *)%s)->type, &%s)) {",
                   i > 0 ? "} else " : "", self.text, k->row);
        c->out->indent++;
        Value object = c_object_as(c, self.text, k);
        CMethod *own = last ? m : c_find_method(k, m->name);
        c_put_result(c, *result, c_user_call(c, at, own, &object, args, keywords, k), at);
        c->out->indent--;
    }
    c_line(c, "}");
    return true;
}
