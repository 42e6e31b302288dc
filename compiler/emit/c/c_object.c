// c_object.c - the text of classes: their structs and rows, constructors, and which method a call
// runs. All classes of a program are known, so a call looks at the row and takes its method.

#include <stdlib.h>
#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/emit/c/c_call.h"

// ---- constructing ----

// Fields that a dataclass's constructor takes, in order.
static bool takes(const CField *f) { return !f->no_init; }

static bool has_default(const CField *f) { return f->value != NULL || f->constant != NULL; }

typedef struct Mention { CEmit *c; bool found; } Mention;

static bool see_variable(void *cx, const Expr *e)
{
    Mention *m = cx;
    m->found |= e->kind == EXPR_NAME && c_find_variable(m->c, e->name.id) != NULL;
    return true;
}

// Whether it has a name that means something else where the object is made.
static bool mentions_variable(CEmit *c, const Expr *e)
{
    Mention m = {c, false};
    IrWalker w = {.cx = &m, .expr = see_variable};
    ir_walk_expr(&w, e);
    return m.found;
}

// What the factory of a builtin container makes; false: it is another one.
static bool empty_default(CEmit *c, const CField *f, Value *out)
{
    const Rep *r = f->rep;
    Sym dotted = c_dotted(c, f->value);
    const char *kind = c_kind_name(r);
    if (dotted == NULL || kind == NULL || strcmp(kind, dotted) != 0)
        return false;
    if (r->kind == REP_LIST)
        *out = c_value(r, c_text(c, "pychoral_display_list(%s, 0, NULL)", r->row), HOLD_OWNED);
    else if (r->kind == REP_DICT)
        *out = c_value(r, c_text(c, "pychoral_display_dict(%s, 0, NULL, NULL)", r->row),
                       HOLD_OWNED);
    else if (r->kind == REP_SET)
        *out = c_value(r, c_text(c, "pychoral_display_set(%s, 0, NULL)", r->row), HOLD_OWNED);
    else if (r->kind == REP_DEQUE)
        *out = c_value(r, c_text(c, "pychoral_deque_new(%s, PYCHORAL_NO_REF, INT64_MIN)", r->row),
                       HOLD_OWNED);
    else
        return false;
    return true;
}

// What `default_factory` makes: what its function gives, the body of a lambda, an object.
static Value made_default(CEmit *c, const CField *f, Span at)
{
    const Expr *e = f->value;
    const Ty *t = e->ty != NULL ? c_ty(c, e->ty) : NULL, *made = NULL;
    Value v;
    if (mentions_variable(c, e))
        return c_refuse(c, at, "the C target does not support a `default_factory` that uses a "
                        "local variable");
    if (empty_default(c, f, &v))
        return v;
    if (e->kind == EXPR_LAMBDA) {
        const Expr *body = e->lambda.body;
        bool vague = body->kind == EXPR_CALL && rep_or_object(c, body)->kind == f->rep->kind;
        bool says = f->ty != NULL && f->ty->kind == TY_NAMED && f->ty->named.args.len > 0;
        if (vague && says)                      // deque(maxlen=3) is of what is declared
            body = expr_with_ty(c->arena, body, f->ty, body->roles);
        return c_expr_as(c, body, f->rep);
    }
    if (t != NULL && t->kind == TY_CALLABLE && t->callable.params.len == 0)
        made = t->callable.result;
    else if (t != NULL && t->kind == TY_NAMED && sym_is(t->named.name, "type")
             && t->named.args.len == 1)
        made = t->named.args.at[0];
    if (made == NULL || e->kind != EXPR_NAME)
        return c_refuse(c, at, "the C target does not support this `default_factory`\nuse the name "
                        "of a class or function, or a lambda");
    const Expr *call = expr_call(c->arena, e->at, e, (ExprList){0}, (KeywordList){0});
    return c_expr_as(c, expr_with_ty(c->arena, call, made, e->roles), f->rep);
}

Value c_field_default(CEmit *c, const CField *f, Span at)
{
    if (f->constant == NULL && f->attribute && c_find_constant(c->body_of, f->name) == f)
        return c_value(f->rep, f->c_name, f->rep->drop ? HOLD_BORROWED : HOLD_PLAIN);
    if (f->constant != NULL)
        return c_value(f->rep, f->constant, f->rep->drop ? HOLD_BORROWED : HOLD_PLAIN);
    if (f->value == NULL)
        return c_refuse(c, at, "argument `%s` is missing", f->name);
    if (!f->factory)
        return c_expr_as(c, f->value, f->rep);
    return made_default(c, f, at);
}

// The arguments as expressions that are values already: they are used twice.
static ExprList evaluated(CEmit *c, ExprList args)
{
    const Expr **list = ARENA_ARRAY(c->arena, const Expr *, args.len + 1);
    for (size_t i = 0; i < args.len; i++)
        list[i] = c_bound(c, args.at[i], c_steady(c, c_expr(c, args.at[i])));
    return (ExprList){list, args.len};
}

Value c_construct_exception(CEmit *c, ExprList list, CClass *k, const char *row)
{
    size_t n = list.len;
    const char *args = "NULL";
    if (n > 0) {
        Value *values = ARENA_ARRAY(c->arena, Value, n);
        args = "";
        for (size_t i = 0; i < n; i++)
            values[i] = c_place(c, c_steady(c, c_expr_as(c, list.at[i], rep_named(c, "object"))));
        for (size_t i = 0; i < n; i++)
            args = c_text(c, "%s%s%s", args, i ? ", " : "", values[i].text);
        args = c_text(c, "(const PychoralAny[]){%s}", args);
    }
    const char *text = c_text(c, "pychoral_exception_new(%s, %zu, %s)", row, n, args);
    const Rep *rep = rep_class(c, k);
    if (k->def != NULL)
        text = c_text(c, "(%s)%s", rep->type, text);
    return c_temp(c, c_value(rep, text, HOLD_OWNED));
}

static Value construct_exception(CEmit *c, ExprList list, CClass *k)
{
    return c_construct_exception(c, list, k, c_text(c, "&%s", k->row));
}

// The fields that a constructor takes, those by keyword last.
static size_t *taken_fields(CEmit *c, const CClass *k, size_t *count)
{
    size_t *all = ARENA_ARRAY(c->arena, size_t, k->fields.len + 1);
    *count = 0;
    for (int last = 0; last < 2; last++)
        for (size_t i = 0; i < k->fields.len; i++)
            if (takes(&k->fields.at[i]) && k->fields.at[i].keyword == last)
                all[(*count)++] = i;
    return all;
}

static Value default_of_field(CEmit *c, const CCallee *callee, size_t i)
{
    const CClass *k = callee->of;
    size_t count;
    const size_t *taken = taken_fields(c, k, &count);
    return c_field_default(c, &k->fields.at[taken[i - 1]], k->def->at);
}

// The constructor that a dataclass has of its fields: the first parameter is the object.
static CCallee record_constructor(CEmit *c, CClass *k)
{
    const CModule *home = c_home_of(c, k->def->at);
    CCallee callee = {.shown = c_text(c, "%s.__%s__", k->name, k->is_named_tuple ? "new" : "init"),
                      .stores = c_find_method(k, names_get(c->names, "__post_init__")) == NULL,
                      .of = k,
                      .module = home->name != NULL ? home->name : "__main__",
                      .params = ARENA_ARRAY(c->arena, CParam, k->fields.len + 1),
                      .otherwise = default_of_field, .count = 1};
    callee.params[0] = (CParam){.name = names_get(c->names, "self"), .rep = rep_named(c, "None"),
                                .kind = PARAM_POSITIONAL};
    c_give(&callee.params[0], c_nothing(c));
    size_t count;
    const size_t *taken = taken_fields(c, k, &count);
    for (size_t i = 0; i < count; i++) {
        const CField *f = &k->fields.at[taken[i]];
        callee.params[callee.count++] = (CParam){
            .name = f->name, .rep = f->rep, .otherwise = f->value,
            .kind = f->keyword ? PARAM_KEYWORD : PARAM_EITHER};
    }
    return callee;
}

static Value construct_dataclass(CEmit *c, const Expr *call, CClass *k)
{
    const Rep *rep = rep_class(c, k);
    CCallee callee = record_constructor(c, k);
    Value *values = ARENA_ARRAY(c->arena, Value, k->fields.len + 1);
    ExprList args = k->is_exception ? evaluated(c, call->call.args) : call->call.args;
    if (!c_bind(c, call->at, &callee, args, call->call.keywords))
        return c_value(rep, "NULL", HOLD_PLAIN);
    size_t count;
    const size_t *taken = taken_fields(c, k, &count);
    for (size_t i = 0; i < count; i++)
        values[taken[i]] = callee.params[i + 1].v;
    for (size_t i = 0; i < k->fields.len; i++) {
        const CField *f = &k->fields.at[i];
        if (!takes(f))
            values[i] = has_default(f) ? c_steady(c, c_field_default(c, f, call->at)) : (Value){0};
    }
    Value object = k->is_exception ? construct_exception(c, args, k)
        : c_temp(c, c_value(rep, c_text(c, "pychoral_object_new(&%s)", k->row), HOLD_OWNED));
    for (size_t i = 0; i < k->fields.len; i++)
        if (values[i].rep != NULL && rep_passed(k->fields.at[i].rep))
            c_line(c, "%s->%s = %s;", object.text, k->fields.at[i].c_name, c_owned(c, values[i]));
    CMethod *after = c_find_method(k, names_get(c->names, "__post_init__"));
    if (after != NULL)
        (void)c_user_call(c, call->at, after, &object, (ExprList){0}, (KeywordList){0}, NULL);
    return object;
}

static void field_defaults(CEmit *c, CClass *k, Value object)
{
    for (size_t i = 0; i < k->fields.len; i++)
        if (has_default(&k->fields.at[i]) && rep_passed(k->fields.at[i].rep))
            c_line(c, "%s->%s = %s;", object.text, k->fields.at[i].c_name,
                   c_owned(c, c_field_default(c, &k->fields.at[i], k->def->at)));
}

// The member of a value.
static Value look_up(CEmit *c, const Expr *call, CClass *k)
{
    if (c_find_method(k, names_get(c->names, "_missing_")) != NULL)
        return c_refuse(c, call->at, "the C target does not support lookup by value in an enum "
                        "that defines `_missing_`");
    const Expr *value = call->call.args.len == 1 ? call->call.args.at[0]
        : call->call.keywords.len == 1 ? call->call.keywords.at[0]->value : NULL;
    if (value == NULL || call->call.args.len + call->call.keywords.len != 1)
        return c_refuse(c, call->at, "the C target supports a call of an enum only with one "
                        "argument, the value of a member");
    Value v = c_place(c, c_steady(c, c_expr(c, value)));
    return c_call(c, rep_class(c, k), c_text(c, "pychoral_enum_of(&%s, %s)", k->row,
                                             c_ref(c, v)), true);
}

// The `__init__` that makes objects of a class; NULL: it has none, or a dataclass's own.
static CMethod *constructor(CEmit *c, CClass *k)
{
    Sym init = names_get(c->names, "__init__");
    CMethod *m = c_find_method(k, init);
    for (CClass *of = k; of != NULL && m != NULL && m->owner != of; of = of->base)
        if (of->is_dataclass)
            return NULL;
    return m;
}

bool c_constructor_callee(CEmit *c, CClass *k, CCallee *out)
{
    c_class_fields(c, k);
    CMethod *init = constructor(c, k);
    if (init != NULL)
        *out = c_callee(c, c_method_function(c, init));
    else if (k->is_record)
        *out = record_constructor(c, k);
    return init != NULL || k->is_record;
}

Value c_construct(CEmit *c, const Expr *call, CClass *k)
{
    if (k->is_protocol)
        return c_refuse(c, call->at, "protocol class `%s` cannot be instantiated",
                        unqualified(k->name));
    if (k->is_enum)
        return look_up(c, call, k);
    c_class_fields(c, k);
    CMethod *init = constructor(c, k);
    if (k->is_exception && init == NULL && !k->is_record)
        return construct_exception(c, call->call.args, k);
    if (k->is_record && init == NULL)
        return construct_dataclass(c, call, k);
    const Rep *rep = rep_class(c, k);
    ExprList args = call->call.args;
    Value object;
    if (k->is_exception) {
        args = evaluated(c, args);
        object = construct_exception(c, args, k);
    } else {
        object = c_temp(c, c_value(rep, c_text(c, "pychoral_object_new(&%s)", k->row),
                                   HOLD_OWNED));
    }
    field_defaults(c, k, object);
    if (init != NULL)
        (void)c_user_call(c, call->at, init, &object, args, call->call.keywords, NULL);
    return object;
}

// ---- which method runs ----

static ClassVec find_overrides(CEmit *c, CClass *k, const CMethod *m)
{
    ClassVec all = c_deriving(c, k), out = {0};
    for (size_t i = 0; i < all.len; i++)
        if (all.at[i]->bases.len > 1 || c_own_method(all.at[i], m->name) != NULL)
            vec_push(c->arena, &out, all.at[i]);
    bool other = false;
    for (size_t i = 0; i < out.len; i++)
        other |= c_find_method(out.at[i], m->name) != m;
    return other ? out : (ClassVec){0};
}

static CFunction *method_function(CEmit *c, const CMethod *m)
{
    return c_function(c, m->def, m->owner, m->owner->types);
}

// `target` called with the arguments of `like`, whose parameters stand as p1, p2, ...
static void dispatch_call(CEmit *c, CFunction *like, CFunction *target, CClass *to)
{
    const char *args = c_text(c, "(%s *)p0", to->c_name);
    size_t n = 0;
    for (size_t i = 1; i < target->params.len && i < like->params.len; i++) {
        if (!rep_passed(target->params.at[i]))
            continue;
        Value v = c_value(like->params.at[i], c_text(c, "p%zu", i), HOLD_BORROWED);
        v.place = v.lasting = true;
        v = c_convert(c, v, target->params.at[i], like->def->at);
        args = c_text(c, "%s, %s", args, c_borrowed(c, v));
        n++;
    }
    const char *call = c_text(c, "%s(%s)", target->c_name, args);
    if (!rep_passed(like->result)) {
        c_line(c, "%s;\nreturn;", call);
        return;
    }
    Value v = c_value(target->result, call, HOLD_OWNED);
    if (target->result != like->result) {
        v = c_call(c, target->result, call, true);
        v = c_convert(c, v, like->result, like->def->at);
    }
    c_line(c, "return %s;", c_owned(c, v));
}

// A function that calls the method of the object's own class.
static const char *dispatcher(CEmit *c, CMethod *m, CClass *k, const ClassVec *others)
{
    const char *name = c_text(c, "%s_%s_of", k->c_name, m->name);
    Sym key = names_format(c->names, "dispatch %s", name);
    if (table_get(c->functions, key) != NULL)
        return name;
    table_set(c->functions, key, k);
    CFunction *f = method_function(c, m);
    Buf b = buf_new(c->arena), *outer = c->out;
    const char *fail = c->fail;
    CFunction *function = c->function;
    const char *params = c_text(c, "%s *p0", k->c_name);
    for (size_t i = 1; i < f->params.len; i++)
        if (rep_passed(f->params.at[i]))
            params = c_text(c, "%s, %sp%zu", params, f->params.at[i]->type, i);
    const char *head = c_text(c, "static %s%s(%s)", rep_passed(f->result) ? f->result->type
                              : "void ", name, params);
    buf_printf(&c->prototypes, "%s;\n", head);
    c->out = &b;
    c->function = f;
    c->fail = rep_passed(f->result) ? c_text(c, "return %s;", rep_zero(c, f->result)) : "return;";
    c_line(c, "\n%s\n{", head);
    c->out->indent++;
    for (size_t i = 0; i < others->len; i++) {
        CClass *d = others->at[i];
        c_line(c, "if (pychoral_derives(((PychoralObject *)p0)->type, &%s)) {", d->row);
        c->out->indent++;
        const CMethod *own = c_find_method(d, m->name);
        dispatch_call(c, f, method_function(c, own), own->owner);
        c->out->indent--;
        c_line(c, "}");
    }
    if (m->owner->is_protocol)
        c_line(c, "%s", c->fail);
    else
        dispatch_call(c, f, f, m->owner);
    c->out->indent--;
    c_line(c, "}");
    c->out = outer;
    c->fail = fail;
    c->function = function;
    buf_write(&c->entries, b.at, b.len);
    return name;
}

const char *c_method_name(CEmit *c, CMethod *m, CClass *k, bool exactly)
{
    ClassVec others = {0};
    if (!exactly && !sym_is(m->name, "__init__"))
        others = find_overrides(c, k, m);
    if (others.len == 0 || k->is_enum)
        return c_method_on(c, m, k)->c_name;
    return dispatcher(c, m, k, &others);
}

// ---- methods that the runtime calls ----

static void entry(CEmit *c, CClass *k, CMethod *m, Buf *rows)
{
    CFunction *f = c_method_on(c, m, k);
    const Rep *self = rep_class(c, k);
    size_t n = 0;
    const char *args = c_text(c, "*(%s*)arguments[0]", f->params.at[0]->type);
    const char *fields = c_text(c, "{.type = %s}", self->row);
    for (size_t i = 1; i < f->params.len; i++) {
        if (!rep_passed(f->params.at[i]))
            continue;
        args = c_text(c, "%s, *(%s*)arguments[%zu]", args, f->params.at[i]->type, ++n);
        fields = c_text(c, "%s, {.type = %s}", fields, f->params.at[i]->row);
    }
    const char *name = c_text(c, "%s_entry", f->c_name);
    if (!f->entry_printed) {
        f->entry_printed = true;
        const char *head = c_text(c, "static void %s(void *const *arguments, void *result)", name);
        buf_printf(&c->prototypes, "%s;\n", head);
        buf_printf(&c->entries, "\n%s\n{\n    (void)result;\n    %s%s(%s);\n}\n", head,
                   rep_passed(f->result) ? c_text(c, "*(%s*)result = ", f->result->type) : "",
                   f->c_name, args);
    }
    buf_printf(rows, "static const PychoralField fields_%s_%s[] = {%s};\n", k->c_name, m->name,
               fields);
    buf_printf(rows, "static const PychoralType type_%s_%s = {\n    .kind = PYCHORAL_FUNCTION, "
               ".size = sizeof(PychoralFunction *), .count = %zu,\n    .name = \"%s\", .fields = "
               "fields_%s_%s, .element = %s\n};\n", k->c_name, m->name, n + 1, m->name, k->c_name,
               m->name, f->result->row);
}

static bool is_special(const CMethod *m)
{
    size_t len = strlen(m->name);
    return len > 4 && strncmp(m->name, "__", 2) == 0 && strcmp(m->name + len - 2, "__") == 0
           && !sym_is(m->name, "__init__") && !sym_is(m->name, "__post_init__")
           && !sym_is(m->name, "__exit__") && !m->is_static && !m->is_class;
}

static int by_name(const void *x, const void *y)
{
    return strcmp((*(CMethod *const *)x)->name, (*(CMethod *const *)y)->name);
}

static bool is_listed(CMethod *const *list, size_t n, Sym name)
{
    for (size_t i = 0; i < n; i++)
        if (list[i]->name == name)
            return true;
    return false;
}

// The methods that the runtime finds at the row: its own, and those that it would not find along
// the line of `base`.
static size_t methods_of_row(CEmit *c, CClass *k, CMethod ***out)
{
    bool inherits = k->bases.len > 1 || k->is_enum;
    size_t most = 1, n = 0;
    for (size_t i = 0; i < k->order.len; i++)
        most += k->order.at[i]->methods.len;
    CMethod **list = ARENA_ARRAY(c->arena, CMethod *, most);
    for (size_t i = 0; i < k->order.len; i++) {
        CClass *of = k->order.at[i];
        for (size_t j = of->methods.len; j-- > 0 && (i == 0 || inherits);) {
            CMethod *m = &of->methods.at[j];
            bool is_found = i > 0 && !k->is_enum
                            && (of->is_protocol || c_find_method(k->base, m->name) == m);
            if (is_special(m) && !is_found && !is_listed(list, n, m->name)
                && c_find_method(k, m->name) == m)
                list[n++] = m;
        }
    }
    *out = list;
    return n;
}

static size_t print_methods(CEmit *c, CClass *k, Buf *rows)
{
    CMethod **list;
    size_t n = methods_of_row(c, k, &list);
    if (n == 0)
        return 0;
    qsort(list, n, sizeof *list, by_name);
    for (size_t i = 0; i < n; i++)
        entry(c, k, list[i], rows);
    buf_printf(rows, "static const PychoralMethod methods_%s[] = {\n", k->c_name);
    for (size_t i = 0; i < n; i++)
        buf_printf(rows, "    {\"%s\", &type_%s_%s, %s_entry},\n", list[i]->name, k->c_name,
                   list[i]->name, c_method_on(c, list[i], k)->c_name);
    buf_puts(rows, "};\n");
    return n;
}

// Entries are functions: they must exist before the rows are printed.
void c_prepare_classes(CEmit *c)
{
    for (; c->prepared < c->class_order.len; c->prepared++) {
        CClass *k = c->class_order.at[c->prepared];
        c_class_fields(c, k);
        CMethod **list;
        size_t n = k->is_protocol ? 0 : methods_of_row(c, k, &list);
        for (size_t j = 0; j < n; j++)
            (void)c_method_on(c, list[j], k);
        (void)rep_class(c, k);
    }
}

// ---- structs and rows ----

static void print_struct(CEmit *c, const CClass *k, Buf *b)
{
    buf_printf(b, "struct %s {\n    %s;\n", k->c_name,
               k->is_exception ? "PychoralException exception" : "PychoralObject object");
    for (size_t i = 0; i < k->fields.len; i++) {
        const CField *f = &k->fields.at[i];
        if (rep_passed(f->rep))
            buf_printf(b, "    %s%s;\n", f->rep->type, f->c_name);
        if (c_field_flag(c, f) != NULL)
            buf_printf(b, "    bool %s;\n", c_field_flag(c, f));
    }
    buf_puts(b, "};\n\n");
}

// Where the bool is that says whether a field has a value.
static const char *place_of_flag(CEmit *c, const CClass *k, const CField *f)
{
    const char *flag = c_field_flag(c, f);
    if (!f->attribute && c_is_unset(c, f))
        (void)c_refuse(c, k->def->at, "the C target requires a value of `%s` in every new `%s`\n"
                       "set it in the constructor, or write a default", f->name,
                       unqualified(k->name));
    return flag == NULL ? "" : c_text(c, ", .present = offsetof(%s, %s)", k->c_name, flag);
}

static const char *maker_of(CEmit *c, const CField *f)
{
    return f->maker != NULL ? c_text(c, ", .make = %s", f->maker) : "";
}

static void print_field(CEmit *c, const CClass *k, const CField *f, Buf *b)
{
    if (rep_passed(f->rep))
        buf_printf(b, "    {.type = %s, .offset = offsetof(%s, %s), .name = \"%s\"%s%s%s%s%s%s},\n",
                   (f->wire != NULL ? f->wire : f->rep)->row, k->c_name, f->c_name, f->name,
                   place_of_flag(c, k, f), f->no_compare ? ", .ignored = true" : "",
                   f->hidden ? ", .hidden = true" : "", f->attribute ? ", .attribute = true" : "",
                   c_is_begun(c, f) ? ", .begun = true" : "", maker_of(c, f));
    else
        buf_printf(b, "    {.type = &pychoral_type_none, .offset = 0, .name = \"%s\"%s%s},\n",
                   f->name, place_of_flag(c, k, f), maker_of(c, f));
}

// Attributes that are no fields come last.
static void print_fields(CEmit *c, const CClass *k, Buf *b)
{
    buf_printf(b, "static const PychoralField fields_%s[] = {\n", k->c_name);
    if (k->is_exception)
        buf_puts(b, "    PYCHORAL_EXCEPTION_FIELDS,\n");
    for (size_t i = 0; i < k->fields.len; i++)
        if (!k->fields.at[i].attribute)
            print_field(c, k, &k->fields.at[i], b);
    for (size_t i = 0; i < k->fields.len; i++)
        if (k->fields.at[i].attribute)
            print_field(c, k, &k->fields.at[i], b);
    buf_puts(b, "};\n");
}

static size_t derived_rows(CEmit *c, CClass *k, Buf *b)
{
    ClassVec all = c_deriving(c, k);
    for (size_t i = 0; i < all.len; i++)
        buf_printf(b, "&%s, ", all.at[i]->row);
    return all.len;
}

static bool is_base(const CClass *k, const CClass *of)
{
    while (k != NULL && k != of)
        k = k->base;
    return k != NULL;
}

// The exceptions that are built in of which a class is one by more bases than the first.
static void add_besides(CEmit *c, const CClass *k, const CClass *of, ClassVec *out)
{
    for (size_t i = 0; i < of->bases.len; i++)
        add_besides(c, k, of->bases.at[i], out);
    for (; of != NULL && of->def == NULL && of->is_exception && !is_base(k, of); of = of->base) {
        bool known = false;
        for (size_t i = 0; i < out->len; i++)
            known |= out->at[i] == of;
        if (!known)
            vec_push(c->arena, out, (CClass *)of);
    }
}

static bool print_besides(CEmit *c, const CClass *k, Buf *b)
{
    ClassVec all = {0};
    add_besides(c, k, k, &all);
    if (all.len == 0)
        return false;
    buf_printf(b, "static const PychoralType *const besides_%s[] = {", k->c_name);
    for (size_t i = 0; i < all.len; i++)
        buf_printf(b, "&%s, ", all.at[i]->row);
    buf_puts(b, "NULL};\n");
    return true;
}

// What Python calls `__qualname__`.
const char *c_qualname(CEmit *c, const CClass *k)
{
    const char *path = table_get(c->shown, k->name);
    return path != NULL ? path : unqualified(k->name);
}

const char *c_shown_name(CEmit *c, const CClass *k)
{
    const char *path = c_qualname(c, k), *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

// Not an object that has more than its fields from the start.
static bool travels(CEmit *c, const CClass *k)
{
    for (size_t i = 0; i < k->fields.len; i++) {
        const CField *f = &k->fields.at[i];
        if (f->attribute && !c_is_begun(c, f) && !c_is_unset(c, f))
            return false;
    }
    return !k->is_exception && k->number < CLASS_UNNUMBERED;
}

static const char *class_flags(CEmit *c, CClass *k)
{
    const char *flags = c_text(c, "%s%s%s%s%s%s%s%s", k->is_record ? "" : " | PYCHORAL_PLAIN",
                               k->is_frozen ? " | PYCHORAL_FROZEN" : "",
                               k->no_eq ? " | PYCHORAL_IDENTITY" : "",
                               k->is_ordered ? " | PYCHORAL_ORDERED" : "",
                               k->is_record && !k->is_dataclass ? " | PYCHORAL_DERIVED" : "",
                               k->is_named_tuple ? " | PYCHORAL_NAMED_TUPLE" : "",
                               k->is_dataclass && travels(c, k) ? "" : " | PYCHORAL_STAYS",
                               c_is_cyclic(c, k) ? " | PYCHORAL_CYCLIC" : "");
    return *flags ? flags + 3 : "0";
}

// The object of a named tuple, seen as the tuple that it is.
static const char *print_tuple_row(CEmit *c, const CClass *k, Buf *b)
{
    const char *row = c_unique(c, c_text(c, "%s_tuple", k->c_name));
    buf_printf(b, "static const PychoralType %s = {\n    .kind = PYCHORAL_TUPLE, .size = "
               "sizeof(%s), .name = \"tuple\",\n    .count = %zu, .fields = %s%s\n};\n", row,
               k->c_name, k->fields.len, k->fields.len > 0 ? "fields_" : "NULL",
               k->fields.len > 0 ? k->c_name : "");
    return row;
}

static void print_class_row(CEmit *c, CClass *k, Buf *b)
{
    size_t own = k->fields.len + (k->is_exception ? 4 : 0), more = 0;
    for (size_t i = 0; k->is_record && i < k->fields.len; i++)
        more += k->fields.at[i].attribute;
    if (own > 0)
        print_fields(c, k, b);
    size_t methods = print_methods(c, k, b), derived = 0;
    if (k->derived.len > 0) {
        buf_printf(b, "static const PychoralType *const derived_%s[] = {", k->c_name);
        derived = derived_rows(c, k, b);
        buf_puts(b, "};\n");
    }
    bool besides = print_besides(c, k, b);
    const char *tuple = k->is_named_tuple ? print_tuple_row(c, k, b) : NULL;
    buf_printf(b, "PYCHORAL_ROW %s = {.kind = PYCHORAL_DATACLASS, .size = sizeof(%s *), "
               ".body = sizeof(%s),\n    .number = %d, .flags = %s, .name = \"%s\",", k->row,
               k->c_name, k->c_name, k->number, class_flags(c, k), c_qualname(c, k));
    if (own > 0)
        buf_printf(b, "%s.count = %s%zu, .fields = fields_%s,", k->is_exception ? "\n    " : " ",
                   k->is_exception ? "PYCHORAL_EXCEPTION_FIELD_COUNT + " : "",
                   k->fields.len - more, k->c_name);
    if (more > 0)
        buf_printf(b, " .more = %zu,", more);
    const char *shown = c_class_name(c, k);
    if (k->args.len > 0)
        buf_printf(b, "\n    .shown = %s,", c_literal(c, (Text){shown, strlen(shown)}));
    buf_puts(b, "\n");
    if (tuple != NULL)
        buf_printf(b, "    .element = &%s,\n", tuple);
    if (methods > 0)
        buf_printf(b, "    .methods = methods_%s, .method_count = %zu,\n", k->c_name, methods);
    if (derived > 0)
        buf_printf(b, "    .derived = derived_%s, .derived_count = %zu,\n", k->c_name, derived);
    if (k->base != NULL)
        buf_printf(b, "    .base = &%s,\n", k->base->row);
    if (k->completion != NULL)
        buf_printf(b, "    .complete = %s,\n", k->completion);
    if (besides)
        buf_printf(b, "    .besides = besides_%s,\n", k->c_name);
    if (unqualified(k->name) != k->name)
        buf_printf(b, "    .module = \"%.*s\",\n", (int)strcspn(k->name, QUALIFIER), k->name);
    buf_puts(b, "};\n");
}

// ---- enums ----

static const char *enum_flags(const CClass *k)
{
    bool stays = k->number >= CLASS_UNNUMBERED;
    return stays ? k->is_by_name ? "PYCHORAL_STAYS | PYCHORAL_SHOWN_BY_NAME" : "PYCHORAL_STAYS"
        : k->is_by_name ? "PYCHORAL_SHOWN_BY_NAME" : "0";
}

static void print_enum(CEmit *c, CClass *k, Buf *types, Buf *rows)
{
    size_t n = k->constants.len;
    if (n > 0)
        c_print_members(c, k, types, rows);
    size_t methods = print_methods(c, k, rows);
    buf_printf(rows, "PYCHORAL_ROW %s = {.kind = PYCHORAL_ENUM, .size = sizeof(uint32_t),\n"
               "    .number = %d, .flags = %s, .name = \"%s\", .count = %zu,\n   ", k->row,
               k->number, enum_flags(k), c_shown_name(c, k), n);
    if (n > 0)
        buf_printf(rows, " .members = members_%s, .values = values_%s,", k->c_name, k->c_name);
    buf_puts(rows, "\n");
    if (k->enum_base && n > 0)
        buf_printf(rows, "    .element = %s, .literals = literals_%s,\n",
                   k->enum_base == 'i' ? "&pychoral_type_int" : "&pychoral_type_str", k->c_name);
    if (methods > 0)
        buf_printf(rows, "    .methods = methods_%s, .method_count = %zu,\n", k->c_name, methods);
    if (k->base != NULL)
        buf_printf(rows, "    .base = &%s,\n", k->base->row);
    buf_puts(rows, "};\n");
}

void c_print_classes(CEmit *c, Buf *forward, Buf *structs, Buf *rows)
{
    size_t column = 0;
    for (size_t i = 0; i < c->class_order.len; i++) {
        CClass *k = c->class_order.at[i];
        if (!k->is_protocol && !k->is_enum)
            buf_printf(forward, "typedef struct %s %s;\n", k->c_name, k->c_name);
    }
    for (size_t i = 0; i < c->class_order.len; i++)
        if (!c->class_order.at[i]->is_protocol)
            c_print_forward(forward, c->class_order.at[i]->row, &column);
    for (size_t i = 0; i < c->class_order.len; i++) {
        CClass *k = c->class_order.at[i];
        if (k->is_protocol)
            continue;
        if (k->is_enum) {
            print_enum(c, k, structs, rows);
            continue;
        }
        print_struct(c, k, structs);
        print_class_row(c, k, rows);
    }
}
