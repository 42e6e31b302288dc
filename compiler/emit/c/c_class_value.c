// c_class_value.c - what is asked of a class that is a value: `kind(1)` where `kind: type[Shape]`,
// `type(x).LIMIT`, `self.__class__.make()`. The program is closed: it is asked of each class that
// the value may be, in a chain of tests.

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/emit/c/c_call.h"

// ---- classes that are named together ----

// What a variable of a module is that is set once, there: ERRORS = (ValueError, KeyError).
static const Expr *set_once(CEmit *c, Sym name)
{
    const Expr *value = NULL;
    size_t times = 0;
    for (size_t m = 0; m < c->modules.len; m++) {
        StmtList body = c->modules.at[m].body;
        times += c_times_bound(body, name);
        for (size_t i = 0; i < body.len; i++) {
            const Stmt *s = body.at[i];
            const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0]
                : s->kind == STMT_ANN_ASSIGN ? s->ann_assign.target : NULL;
            if (target != NULL && target->kind == EXPR_NAME && target->name.id == name)
                value = s->kind == STMT_ASSIGN ? s->assign.value : s->ann_assign.value;
        }
    }
    return times == 1 ? value : NULL;
}

typedef Vec(const Expr *) ExprVec;

const Expr *c_meant(CEmit *c, const Expr *e)
{
    bool free = e->kind == EXPR_NAME && c_find_variable(c, e->name.id) == NULL;
    const CName *n = free ? c_global(c, e->name.id) : NULL;
    const Expr *meant = n == NULL ? NULL : n->kind == CNAME_TYPE && !n->is_new ? n->ty
        : n->kind == CNAME_VARIABLE ? set_once(c, e->name.id) : NULL;
    return meant != NULL ? meant : e;
}

static void add_named(CEmit *c, const Expr *e, ExprVec *all)
{
    const Expr *meant = c_meant(c, e);
    Sym of = e->kind == EXPR_SUBSCRIPT ? c_origin(c, e) : NULL;
    if (meant != e) {
        add_named(c, meant, all);
    } else if (of != NULL && sym_is(of, "Union")) {
        add_named(c, e->subscript.slice, all);
    } else if (e->kind == EXPR_TUPLE) {
        for (size_t i = 0; i < e->tuple.elts.len; i++)
            add_named(c, e->tuple.elts.at[i], all);
    } else if (e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_BIT_OR) {
        add_named(c, e->bin_op.left, all);
        add_named(c, e->bin_op.right, all);
    } else {
        vec_push(c->arena, all, e);
    }
}

ExprList c_classes_named(CEmit *c, const Expr *e)
{
    ExprVec all = {0};
    add_named(c, e, &all);
    return (ExprList){all.at, all.len};
}

// ---- which classes it may be ----

static void push_once(CEmit *c, ClassVec *all, CClass *k)
{
    for (size_t i = 0; i < all->len; i++)
        if (all->at[i] == k)
            return;
    vec_push(c->arena, all, k);
}

// A class and those that derive from it. False: any class may have what a protocol declares.
static bool add_instances(CEmit *c, const Ty *of, ClassVec *all)
{
    of = c_ty(c, of);
    TyList items = of->kind == TY_UNION ? of->union_.items : (TyList){&of, 1};
    for (size_t i = 0; i < items.len; i++) {
        const Ty *t = c_ty(c, items.at[i]);
        CClass *k = t->kind == TY_NAMED ? c_class_of(c, t->named.name, t->named.args) : NULL;
        if (k == NULL || k->is_protocol)
            return false;
        ClassVec derived = c_deriving(c, k);
        for (size_t j = 0; j < derived.len; j++)
            push_once(c, all, derived.at[j]);
        push_once(c, all, k);
    }
    return items.len > 0;
}

static bool may_be(CEmit *c, const Expr *e, ClassVec *all)
{
    const Ty *t = e->ty != NULL ? c_ty(c, e->ty) : NULL;
    if (t == NULL)
        return false;
    TyList items = t->kind == TY_UNION ? t->union_.items : (TyList){&t, 1};
    for (size_t i = 0; i < items.len; i++) {
        t = c_ty(c, items.at[i]);
        bool is_class = t->kind == TY_NAMED && sym_is(t->named.name, "type")
                        && t->named.args.len == 1;
        const Ty *of = is_class ? t->named.args.at[0]
            : t->kind == TY_CALLABLE ? t->callable.result : NULL;   // as it is called
        if (of == NULL || !add_instances(c, of, all))
            return false;
    }
    return items.len > 0;
}

static Value refuse_unknown(CEmit *c, Span at)
{
    return c_refuse(c, at, "the C target cannot tell which classes this value may be\ndeclare it "
                    "as `type[C]`, where `C` is a class of the program");
}

static void begin_arm(CEmit *c, size_t i, Value class_, const CClass *k)
{
    c_line(c, "%sif (%s == &%s) {", i > 0 ? "} else " : "", c_member(c, class_.text, "of"),
           k->row);
    c->out->indent++;
}

static void end_arm(CEmit *c) { c->out->indent--; }

static void last_arm(CEmit *c)
{
    c_line(c, "} else {");
    c->out->indent++;
    c_line(c, "pychoral_throw(&pychoral_type_TypeError, \"not a class that is declared here\");");
    c_check(c);
    c->out->indent--;
    c_line(c, "}");
}

// ---- calling it ----

static bool is_of_abc(CEmit *c, const CClass *k)
{
    for (size_t i = 0; i < k->order.len; i++) {
        const Stmt *def = k->order.at[i]->def;
        if (def != NULL && def->class_def.keywords.len > 0)
            return true;                        // the only one is the metaclass ABCMeta
        for (size_t j = 0; def != NULL && j < def->class_def.bases.len; j++) {
            Sym name = c_origin(c, def->class_def.bases.at[j]);
            if (name != NULL && sym_is(name, "ABC"))
                return true;
        }
    }
    return false;
}

// The methods that keep a class from having instances, as Python lists them.
static const char *abstract_methods(CEmit *c, CClass *k, size_t *count)
{
    const char *names = "", *before = "";
    *count = 0;
    if (!is_of_abc(c, k))
        return names;
    for (;; (*count)++) {
        const char *next = NULL;
        for (size_t i = 0; i < k->order.len; i++)
            for (size_t j = 0; j < k->order.at[i]->methods.len; j++) {
                const CMethod *m = &k->order.at[i]->methods.at[j];
                const CMethod *own = c_find_method(k, m->name);
                if (own == m && c_is_decorated(c, m->def->function_def.decorator_list,
                                               "abstractmethod")
                    && strcmp(m->name, before) > 0 && (!next || strcmp(m->name, next) < 0))
                    next = m->name;
            }
        if (next == NULL)
            return names;
        names = c_text(c, "%s%s%s", names, *count > 0 ? ", " : "", next);
        before = next;
    }
}

static Value make_one(CEmit *c, const Expr *call, CClass *k, Value class_)
{
    size_t count;
    const char *names = abstract_methods(c, k, &count);
    if (count > 0) {
        c_line(c, "pychoral_throw(&pychoral_type_TypeError, \"Can't instantiate abstract class %s "
               "with abstract method%s %s\");", c_shown_name(c, k), count > 1 ? "s" : "", names);
        c_check(c);
        return (Value){0};
    }
    return k->def != NULL ? c_construct(c, call, k)
        : c_construct_exception(c, call->call.args, k, c_member(c, class_.text, "of"));
}

Value c_call_class(CEmit *c, const Expr *call, Value class_)
{
    ClassVec all = {0};
    if (!may_be(c, call->call.func, &all))
        return refuse_unknown(c, call->at);
    if (c_has_star(call->call.args))
        return c_refuse(c, call->at, "the C target does not support `*` arguments in a call of a "
                        "variable that holds a class");
    CClass *root = all.at[all.len - 1], *builtin = NULL;
    CCallee like = {0};
    bool known = root->def != NULL && c_constructor_callee(c, root, &like);
    Value out = c_open_variable(c, rep_of(c, call->ty, call->at));
    class_ = c_steady(c, class_);
    ExprList args = c_settle_args(c, call->call.args, known ? &like : NULL, 1);
    KeywordList keywords = c_settle_keywords(c, call->call.keywords, known ? &like : NULL);
    const Expr *each = expr_call(c->arena, call->at, call->call.func, args, keywords);
    each = expr_with_ty(c->arena, each, call->ty, call->roles);
    size_t arms = 0;
    for (size_t i = 0; i < all.len; i++) {
        if (all.at[i]->def == NULL) {
            builtin = all.at[i];                // all exceptions that are built in are made alike
            continue;
        }
        begin_arm(c, arms++, class_, all.at[i]);
        Value object = make_one(c, each, all.at[i], class_);
        if (object.rep != NULL)
            c_put_result(c, out, object, call->at);
        end_arm(c);
    }
    if (builtin == NULL) {
        last_arm(c);
        return out;
    }
    c_line(c, arms > 0 ? "} else {" : "{");
    c->out->indent++;
    c_put_result(c, out, make_one(c, each, builtin, class_), call->at);
    c->out->indent--;
    c_line(c, "}");
    return out;
}

// ---- its class methods, and its attributes ----

Value c_call_of_class(CEmit *c, const Expr *call, Value class_)
{
    ClassVec all = {0};
    Sym name = call->call.func->attribute.attr;
    if (!may_be(c, call->call.func->attribute.value, &all))
        return refuse_unknown(c, call->at);
    CMethod *first = c_find_method(all.at[all.len - 1], name);
    bool known = first != NULL && (first->is_class || first->is_static);
    if (!known || c_has_star(call->call.args))
        return c_refuse(c, call->at, "the C target finds no class method or static method `%s` "
                        "that it can call here", name);
    CCallee like = c_callee(c, c_method_function(c, first));
    Value out = c_open_or_none(c, rep_of(c, call->ty, call->at));
    class_ = c_steady(c, class_);
    ExprList args = c_settle_args(c, call->call.args, &like, 0);
    KeywordList keywords = c_settle_keywords(c, call->call.keywords, &like);
    for (size_t i = 0; i < all.len; i++) {
        CMethod *m = c_find_method(all.at[i], name);
        if (m == NULL || !(m->is_class || m->is_static))
            return c_refuse(c, call->at, "the C target does not support the class method `%s` of "
                            "`%s`", name, all.at[i]->name);
        begin_arm(c, i, class_, all.at[i]);
        c_put_result(c, out, c_user_call(c, call->at, m, NULL, args, keywords, all.at[i]),
                     call->at);
        end_arm(c);
    }
    last_arm(c);
    return out;
}

Value c_attribute_of_class(CEmit *c, const Expr *e, Value class_)
{
    ClassVec all = {0};
    if (sym_is(e->attribute.attr, "__name__"))
        return c_value(rep_named(c, "str"), c_text(c, "pychoral_class_name(%s)",
                                                   c_borrowed(c, c_steady(c, class_))), HOLD_OWNED);
    if (!may_be(c, e->attribute.value, &all))
        return refuse_unknown(c, e->at);
    Value out = c_open_or_none(c, rep_of(c, e->ty, e->at));
    class_ = c_steady(c, class_);
    for (size_t i = 0; i < all.len; i++) {
        c_class_fields(c, all.at[i]);
        const CField *f = c_find_constant(all.at[i], e->attribute.attr);
        if (f == NULL)
            return c_refuse(c, e->at, "the C target does not support the class attribute `%s` of "
                            "`%s`", e->attribute.attr, unqualified(all.at[i]->name));
        begin_arm(c, i, class_, all.at[i]);
        const Rep *rep = all.at[i]->is_enum ? rep_class(c, all.at[i]) : f->rep;
        Value v = c_value(rep, f->c_name, rep->drop ? HOLD_BORROWED : HOLD_PLAIN);
        v.place = !all.at[i]->is_enum;
        c_put_result(c, out, v, e->at);
        end_arm(c);
    }
    last_arm(c);
    return out;
}

CClass *c_only_class(CEmit *c, const Expr *e)
{
    ClassVec all = {0};
    return may_be(c, e, &all) && all.len == 1 ? all.at[0] : NULL;
}
