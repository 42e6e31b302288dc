// c_bind.c - which argument of a call is which parameter's. All is known here, but for `*items` of
// unknown length and `**named`: then the runtime sorts out what they give (builtins/arguments.h).

#include <string.h>

#include "compiler/ir/ty.h"
#include "compiler/emit/c/c_call.h"

// ---- parameters ----

// A stub may keep to itself what it is: `...`.
static const Expr *known_default(const Expr *e)
{
    return e && ty_is_ellipsis(e) ? NULL : e;
}

// The parameters of the function without `cls`, which is none in C.
CCallee c_callee(CEmit *c, CFunction *f)
{
    const Arguments *a = f->def->function_def.args;
    size_t skip = f->is_class ? 1 : 0, places = a->posonlyargs.len + a->args.len - skip;
    size_t behind = places + (a->vararg != NULL), n = behind + a->kwonlyargs.len;
    CParam *params = ARENA_ARRAY(c->arena, CParam, f->params.len + 1);
    for (size_t i = 0; i < f->params.len; i++) {
        bool rest = a->vararg != NULL && i == places, named = i == n;
        params[i] = (CParam){.name = f->names.at[i], .rep = f->params.at[i]};
        params[i].kind = rest ? PARAM_REST : named ? PARAM_NAMED
            : i >= behind ? PARAM_KEYWORD
            : i + skip < a->posonlyargs.len ? PARAM_POSITIONAL : PARAM_EITHER;
        if (!rest && !named)
            params[i].otherwise = known_default(c_default_expr(a, i < places ? i + skip
                                                : i - behind + places + skip));
    }
    const CModule *home = c_home_of(c, f->def->at);
    return (CCallee){
        .module = home->name != NULL ? home->name : "__main__",
        .shown = f->owner ? c_text(c, "%s.%s", f->owner->name, f->shown) : f->shown,
        .params = params, .count = f->params.len, .of = f};
}

void c_give(CParam *p, Value v)
{
    p->v = v;
    p->given = GIVEN_BY_PLACE;
}

// ---- a call ----

typedef struct Binding {
    CEmit       *c;
    Span         at;
    CCallee     *callee;
    ExprList     args;
    KeywordList  keywords;
    Value        items;         // a list[object] of further arguments by place; no rep: none
    Value        named;         // a dict[str, object] of those by name; no rep: none
    const char  *keys, *values; // those of `**named` where all are known
    size_t       key_count;
} Binding;

// Whether something runs behind argument `i` (keywords count on).
static bool acts_behind(const Binding *b, size_t i)
{
    for (i++; i < b->args.len; i++)
        if (!c_is_simple(b->c, b->args.at[i]))
            return true;
    for (i -= b->args.len; i < b->keywords.len; i++)
        if (!c_is_simple(b->c, b->keywords.at[i]->value))
            return true;
    return false;
}

// An argument is lent to the callee: what it may change meanwhile is kept first.
static Value argument(Binding *b, const Expr *e, const Rep *rep, size_t i)
{
    c_refuse_kept(b->c, e, rep);
    Value v = c_expr_as(b->c, e, rep);
    bool own = v.hold == HOLD_OWNED || (v.hold == HOLD_BORROWED && !v.lasting);
    return own || acts_behind(b, i) ? c_steady(b->c, v) : v;
}

static CParam *param_of_kind(const Binding *b, CParamKind kind)
{
    for (size_t i = 0; i < b->callee->count; i++)
        if (b->callee->params[i].kind == kind)
            return &b->callee->params[i];
    return NULL;
}

static CParam *param_named(const Binding *b, Sym name)
{
    for (size_t i = 0; i < b->callee->count; i++) {
        CParam *p = &b->callee->params[i];
        if (p->name == name && (p->kind == PARAM_EITHER || p->kind == PARAM_KEYWORD))
            return p;
    }
    return NULL;
}

// What `*` or `**` gives is sorted out when it is there, and is converted then.
static void check_promotion(Binding *b, Span at, const Rep *from)
{
    for (size_t i = 0; i < b->callee->count; i++) {
        const CParam *p = &b->callee->params[i];
        bool parts = p->kind == PARAM_REST || p->kind == PARAM_NAMED;
        if (p->given == GIVEN_NOT)
            c_check_promotion(b->c, from, parts ? p->rep->element : p->rep, at);
    }
}

// ---- by place ----

static Value display_of(CEmit *c, const Rep *rep, ExprList items)
{
    const char *texts = "";
    for (size_t i = 0; i < items.len; i++)
        texts = c_text(c, "%s%s%s", texts, i ? ", " : "",
                       c_owned(c, c_steady(c, c_expr_as(c, items.at[i], rep->element))));
    const char *array = items.len == 0 ? "NULL"
        : c_text(c, "(%s[]){%s}", rep->element->type, texts);
    return c_temp(c, c_value(rep, c_text(c, "pychoral_display_list(%s, %zu, %s)", rep->row,
                                         items.len, array), HOLD_OWNED));
}

static bool bind_rest(Binding *b, ExprList items)
{
    CParam *p = param_of_kind(b, PARAM_REST);
    if (p == NULL) {
        (void)c_refuse(b->c, b->at, "the C target does not support `%s` with these arguments",
                       b->callee->shown);
        return false;
    }
    c_give(p, c_has_star(items) ? c_gathered(b->c, items, p->rep)
                                : display_of(b->c, p->rep, items));
    return true;
}

// From here on the number of arguments is known only when they are there.
static void gather(Binding *b, ExprList items)
{
    for (size_t i = 0; i < items.len; i++) {
        const Expr *e = items.at[i];
        bool star = e->kind == EXPR_STARRED;
        check_promotion(b, e->at, star ? c_element(b->c, e->starred.value)
                                       : rep_or_object(b->c, e));
    }
    b->items = c_gathered(b->c, items, rep_list(b->c, rep_named(b->c, "object")));
}

static bool bind_places(Binding *b)
{
    CParam *params = b->callee->params;
    size_t at = 0;
    for (size_t i = 0; i < b->args.len; i++) {
        ExprList rest = {b->args.at + i, b->args.len - i};
        while (at < b->callee->count && params[at].given != GIVEN_NOT)
            at++;
        if (at == b->callee->count || params[at].kind > PARAM_EITHER)
            return bind_rest(b, rest);
        if (b->args.at[i]->kind == EXPR_STARRED) {
            gather(b, rest);
            return true;
        }
        c_give(&params[at], argument(b, b->args.at[i], params[at].rep, i));
    }
    return true;
}

// ---- by name ----

static const char *called(Binding *b)
{
    return c_text(b->c, "%s.%s", b->callee->module, b->callee->shown);
}

static const char *text_constant(CEmit *c, Sym name)
{
    return c_string(c, (Text){name, strlen(name)}, false);
}

static void bind_mapping(Binding *b, const Expr *e)
{
    CEmit *c = b->c;
    Value v = c_place(c, c_steady(c, c_expr(c, e)));
    if (v.rep->kind == REP_CLASS)
        (void)c_refuse(c, e->at, "the C target supports `**` in a call only with a `dict`");
    else if (v.rep->kind == REP_DICT)
        check_promotion(b, e->at, v.rep->element);
    c_line(c, "pychoral_named_update(%s, %s, \"%s\");", b->named.text, c_ref(c, v), called(b));
    c_check(c);
}

// A keyword that no parameter has.
static void bind_named(Binding *b, const Keyword *k)
{
    CEmit *c = b->c;
    const CParam *p = param_of_kind(b, PARAM_NAMED);
    if (p == NULL) {
        (void)c_refuse(c, b->at, "`%s` has no parameter `%s`", b->callee->shown, k->arg);
        return;
    }
    Value v = c_steady(c, c_expr_as(c, k->value, p->rep->element));
    const char *key = text_constant(c, k->arg);
    if (b->named.rep != NULL) {
        c_line(c, "pychoral_named_put(%s, %s, %s, \"%s\");", b->named.text, key,
               c_ref(c, c_place(c, v)), called(b));
        c_check(c);
        return;
    }
    const char *comma = b->key_count++ > 0 ? ", " : "";
    b->keys = c_text(c, "%s%s%s", b->keys, comma, key);
    b->values = c_text(c, "%s%s%s", b->values, comma, c_owned(c, v));
}

static bool bind_names(Binding *b)
{
    CEmit *c = b->c;
    const Rep *dict = rep_dict(c, rep_named(c, "str"), rep_named(c, "object"));
    for (size_t i = 0; i < b->keywords.len; i++)
        if (b->keywords.at[i]->arg == NULL && b->named.rep == NULL)
            b->named = c_temp(c, c_value(dict, c_text(c, "pychoral_display_dict(%s, 0, NULL, NULL)",
                                                      dict->row), HOLD_OWNED));
    for (size_t i = 0; i < b->keywords.len; i++) {
        const Keyword *k = b->keywords.at[i];
        CParam *p = k->arg != NULL ? param_named(b, k->arg) : NULL;
        if (k->arg == NULL) {
            bind_mapping(b, k->value);
        } else if (p == NULL) {
            bind_named(b, k);
        } else if (p->given != GIVEN_NOT) {
            (void)c_refuse(c, b->at, "the argument `%s` is given twice", p->name);
            return false;
        } else {
            p->v = argument(b, k->value, p->rep, b->args.len + i);
            p->given = GIVEN_BY_NAME;
        }
    }
    return true;
}

// ---- what is sorted out when it is there ----

static const char *params_text(Binding *b)
{
    static const char *const KINDS[] = {"POSITIONAL", "EITHER", "REST", "KEYWORD", "NAMED"};
    static const char *const GIVEN[] = {"OPEN", "BY_PLACE", "BY_NAME"};
    const char *text = "";
    for (size_t i = 0; i < b->callee->count; i++) {
        const CParam *p = &b->callee->params[i];
        bool required = p->otherwise == NULL && p->kind != PARAM_REST && p->kind != PARAM_NAMED;
        text = c_text(b->c, "%s%s{\"%s\", PYCHORAL_PARAM_%s, %s, PYCHORAL_%s}", text, i ? ", " : "",
                      p->name, KINDS[p->kind], required ? "true" : "false", GIVEN[p->given]);
    }
    return text;
}

static Value default_value(Binding *b, size_t i)
{
    const CParam *p = &b->callee->params[i];
    return c_convert(b->c, b->callee->otherwise(b->c, b->callee, i), p->rep, b->at);
}

// The value at slot `i`, as the parameter has it; its default if there is none.
static Value of_slot(Binding *b, const char *slots, size_t i)
{
    CEmit *c = b->c;
    const CParam *p = &b->callee->params[i];
    Value out = c_open_or_none(c, p->rep);
    if (!rep_passed(p->rep))
        return out;
    c_line(c, "if (%s[%zu] != NULL) {", slots, i);
    c->out->indent++;
    c_line(c, "pychoral_convert(%s, %s[%zu], %s, &%s);", rep_named(c, "object")->row, slots, i,
           p->rep->row, out.text);
    c_check(c);
    c->out->indent--;
    if (p->otherwise != NULL) {
        c_line(c, "} else {");
        c->out->indent++;
        c_line(c, "%s = %s;", out.text, c_owned(c, default_value(b, i)));
        c->out->indent--;
    }
    c_line(c, "}");
    return out;
}

static Value rest_of_items(Binding *b, const CParam *p)
{
    CEmit *c = b->c;
    size_t taken = 0;
    for (size_t i = 0; i < b->callee->count; i++)
        taken += b->callee->params[i].kind <= PARAM_EITHER
                 && b->callee->params[i].given != GIVEN_BY_PLACE;
    Value part = c_temp(c, c_value(b->items.rep,
                                   c_text(c, "pychoral_list_slice(%s, %zu, INT64_MAX, 1)",
                                          b->items.text, taken), HOLD_OWNED));
    Value rest = display_of(c, p->rep, (ExprList){0});
    c_line(c, "pychoral_list_extend(%s, %s);", rest.text, c_ref(c, part));
    c_check(c);
    return rest;
}

static void bind_open(Binding *b)
{
    CEmit *c = b->c;
    CCallee *f = b->callee;
    const char *slots = c_new_name(c), *params = c_new_name(c);
    c_line(c, "const PychoralParam %s[] = {%s};", params, params_text(b));
    c_line(c, "const PychoralAny *%s[%zu] = {NULL};", slots, f->count);
    c_line(c, "pychoral_bind(\"%s\", \"%s\", %zu, %s, %s, %s, %s);", f->module, f->shown, f->count,
           params, b->items.rep ? b->items.text : "NULL", b->named.rep ? b->named.text : "NULL",
           slots);
    c_check(c);
    for (size_t i = 0; i < f->count; i++) {
        CParam *p = &f->params[i];
        if (p->given != GIVEN_NOT)
            continue;
        if (p->kind == PARAM_REST && b->items.rep != NULL)
            p->v = rest_of_items(b, p);
        else if (p->kind == PARAM_NAMED && b->named.rep != NULL)
            p->v = c_call(c, p->rep, c_text(c, "pychoral_named_rest(%s, %zu, %s, %s)",
                                            b->named.text, f->count, params, p->rep->row), true);
        else if (p->kind != PARAM_REST && p->kind != PARAM_NAMED)
            p->v = of_slot(b, slots, i);
    }
}

// ---- all ----

static Value named_display(Binding *b, const CParam *p)
{
    CEmit *c = b->c;
    const char *arrays = b->key_count == 0 ? "NULL, NULL"
        : c_text(c, "(PychoralStr *[]){%s}, (%s[]){%s}", b->keys, p->rep->element->type, b->values);
    return c_call(c, p->rep, c_text(c, "pychoral_display_dict(%s, %zu, %s)", p->rep->row,
                                    b->key_count, arrays), b->key_count > 0);
}

// What no argument gives.
static void bind_absent(Binding *b, size_t i)
{
    CParam *p = &b->callee->params[i];
    if (p->kind == PARAM_REST)
        p->v = display_of(b->c, p->rep, (ExprList){0});
    else if (p->kind == PARAM_NAMED)
        p->v = named_display(b, p);
    else if (p->otherwise != NULL)
        p->v = default_value(b, i);
    else
        p->v = c_refuse(b->c, b->at, "argument `%s` is missing", p->name);
}

bool c_bind(CEmit *c, Span at, CCallee *callee, ExprList args, KeywordList keywords)
{
    int promotes = c->promotes, sends_value = c->sends_value;
    bool converts = c->converts;
    c->converts = converts && callee->stores;
    if (!c->converts)
        c->promotes = 0;
    if (!callee->stores)                        // a function looks at its arguments
        c->sends_value = 0;
    Binding b = {.c = c, .at = at, .callee = callee, .keywords = keywords, .keys = "",
                 .values = "", .args = c_has_star(args) ? c_with_parts(c, args) : args};
    bool bound = bind_places(&b) && bind_names(&b);
    if (bound && (b.items.rep != NULL || b.named.rep != NULL))
        bind_open(&b);
    for (size_t i = 0; bound && i < callee->count; i++) {
        CParam *p = &callee->params[i];
        if (p->given == GIVEN_NOT && p->v.rep == NULL)
            bind_absent(&b, i);
        if (p->v.hold == HOLD_OWNED)
            p->v = c_steady(c, p->v);
    }
    c->promotes = promotes;
    c->sends_value = sends_value;
    c->converts = converts;
    return bound;
}
