// c_super.c - super(): what comes next in the order of the object's own class, which may be another
// than the base of the class that asks. The program is closed, so the orders are all known.

#include "compiler/emit/c/c_call.h"

bool c_is_super(const Expr *e)
{
    if (e->kind == EXPR_NAME && sym_is(e->name.id, "super()"))
        return true;
    return e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME
           && sym_is(e->call.func->name.id, "super") && e->call.args.len == 0;
}

// The class whose body has the method that is being printed.
static CClass *asking_class(const CFunction *f)
{
    const CClass *k = f != NULL ? f->owner : NULL;
    for (size_t i = 0; k != NULL && i < k->order.len; i++)
        for (size_t j = 0; j < k->order.at[i]->methods.len; j++)
            if (k->order.at[i]->methods.at[j].def == f->def)
                return k->order.at[i];
    return NULL;
}

typedef struct SuperCall {
    Span        at;
    Sym         name;
    CClass     *asking;
    Value       self;
    ExprList    args;
    KeywordList keywords;
} SuperCall;

// The derived classes whose objects are led to something else than `found`.
static ClassVec led_elsewhere(CEmit *c, const SuperCall *s, const CMethod *found)
{
    ClassVec all = c_deriving(c, s->asking), others = {0};
    for (size_t i = 0; i < all.len; i++)
        if (c_method_after(all.at[i], s->asking, s->name) != found)
            vec_push(c->arena, &others, all.at[i]);
    return others;
}

// What `object`, or the exceptions of Python, have.
static Value call_builtin(CEmit *c, const SuperCall *s)
{
    bool init = sym_is(s->name, "__init__") && s->keywords.len == 0;
    if (init && s->asking->is_exception) {
        const char *refs = c_refs_of(c, s->args);
        c_line(c, "pychoral_exception_init((PychoralException *)%s, %zu, %s);", s->self.text,
               s->args.len, refs);
        return c_nothing(c);
    }
    if (init && s->args.len == 0)
        return c_nothing(c);
    bool str = sym_is(s->name, "__str__");
    if (s->asking->is_exception && s->args.len == 0 && (str || sym_is(s->name, "__repr__")))
        return c_call(c, rep_named(c, "str"),
                      c_text(c, "pychoral_exception_%s((PychoralException *)%s)",
                             str ? "str" : "repr", s->self.text), true);
    return c_refuse(c, s->at, "the C target finds no base class that defines `%s`", s->name);
}

static Value call_on(CEmit *c, const SuperCall *s, CMethod *m)
{
    if (m == NULL)
        return call_builtin(c, s);
    Value object = m->owner == s->self.rep->class_ ? s->self
        : c_object_as(c, s->self.text, m->owner);
    return c_user_call(c, s->at, m, &object, s->args, s->keywords, m->owner);
}

// By the object's class, tested for exactly: the classes that derive from it are among the others.
static Value call_by_class(CEmit *c, SuperCall *s, CMethod *usual, ClassVec others)
{
    CMethod *first = usual ? usual : c_method_after(others.at[0], s->asking, s->name);
    CFunction *f = c_method_function(c, first);
    CCallee like = c_callee(c, f);
    s->args = c_settle_args(c, s->args, &like, f->takes_self);
    s->keywords = c_settle_keywords(c, s->keywords, &like);
    Value out = c_open_or_none(c, f->result);
    for (size_t i = 0; i <= others.len; i++) {
        bool last = i == others.len;
        if (last)
            c_line(c, "} else {");
        else
            c_line(c, "%sif (((PychoralObject *)%s)->type == &%s) {", i > 0 ? "} else " : "",
                   s->self.text, others.at[i]->row);
        c->out->indent++;
        CMethod *m = last ? usual : c_method_after(others.at[i], s->asking, s->name);
        c_put_result(c, out, call_on(c, s, m), s->at);
        c->out->indent--;
    }
    c_line(c, "}");
    return out;
}

Value c_call_super(CEmit *c, Span at, Sym name, ExprList args, KeywordList keywords)
{
    SuperCall s = {.at = at, .name = name, .asking = asking_class(c->function), .args = args,
                   .keywords = keywords};
    if (s.asking == NULL)
        return c_refuse(c, at, "the C target supports `super()` only directly in a method");
    CMethod *m = c_method_after(s.asking, s.asking, name);
    if (c->function->is_class) {                // `cls` is known
        m = c_method_after(c->function->owner, s.asking, name);
        if (m != NULL && (m->is_class || m->is_static))
            return c_user_call(c, at, m, NULL, args, keywords, c->function->owner);
    }
    if (!c->function->takes_self || c->function->is_class)
        return c_refuse(c, at, "the C target finds no base class with a class method `%s`", name);
    s.self = c_steady(c, c_variable(c, c_find_variable(c, c->function->names.at[0])));
    ClassVec others = led_elsewhere(c, &s, m);
    bool starred = others.len > 0 && c_has_star(args);
    bool by_class = m != NULL && (m->is_class || m->is_static);
    if (starred || (others.len > 0 && (by_class || (m == NULL && args.len > 0))))
        return c_refuse(c, at, "the C target does not support this call of `%s`, because the class "
                        "of the object determines which method is called", name);
    return others.len > 0 ? call_by_class(c, &s, m, others) : call_on(c, &s, m);
}

Value c_super_attribute(CEmit *c, const Expr *e)
{
    CClass *asking = asking_class(c->function);
    CMethod *m = asking ? c_method_after(asking, asking, e->attribute.attr) : NULL;
    if (m == NULL || !m->is_property)
        return c_refuse(c, e->at, "the C target supports only methods and properties of `super()`");
    return c_call_super(c, e->at, e->attribute.attr, (ExprList){0}, (KeywordList){0});
}
