// c_prim.c - builtin functions and methods by the tables of compiler/emit/c_prim: which row takes a
// call, and the C call that it is.

#include <stdlib.h>
#include <string.h>

#include "compiler/emit/c/c_call.h"

#define RAISES true
#define SURE false
#define PRIM(name, function, params, result, raises) {name, #function, params, result, raises},
static const PrimRow ROWS[] = {
#include "compiler/emit/c_prim/all.def"
};
#undef PRIM
#undef RAISES
#undef SURE

enum { MAX_PARAMS = 16 };

typedef struct Param {
    const char *name, *code, *standard;     // standard: C text; NULL: must be given
    const PrimRow *row;
    bool        any_number, keyword_only, implicit;
    bool        named;                      // any number of keywords
    const Expr *given;
} Param;

typedef struct Match {
    const PrimRow *row;
    const Expr *call;
    Param  params[MAX_PARAMS];
    size_t count;
    ExprList rest;                          // for the parameter of any number
    Vec(const Keyword *) others;            // for the one of any keywords
} Match;

// ---- the rows ----

static const PrimRow *row_of(const char *name, size_t *at)
{
    for (; *at < sizeof ROWS / sizeof *ROWS; ++*at)
        if (strcmp(ROWS[*at].name, name) == 0)
            return &ROWS[(*at)++];
    return NULL;
}

bool c_prim_known(const char *name)
{
    size_t at = 0;
    return row_of(name, &at) != NULL;
}

bool c_prim_of_object(const char *name)
{
    size_t at = 0;
    const PrimRow *row = row_of(name, &at);
    return row != NULL && row->params != NULL && strncmp(row->params, "self", 4) == 0;
}

bool c_prim_module(const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (strncmp(ROWS[i].name, name, len) == 0 && ROWS[i].name[len] == '.')
            return true;
    return false;
}

static bool is_implicit(const char *code)
{
    return strcmp(code, "row") == 0 || strcmp(code, "item") == 0 || strcmp(code, "self") == 0
           || strcmp(code, "shared") == 0;
}

static void read_param(CEmit *c, const PrimRow *row, Param *p, const char *text, size_t len,
                       bool keyword_only)
{
    const char *word = c_text(c, "%.*s", (int)len, text);
    *p = (Param){.row = row, .keyword_only = keyword_only, .any_number = word[0] == '*'};
    p->named = p->any_number && word[1] == '*';
    word += p->any_number + p->named;
    char *equals = strchr(word, '=');
    if (equals != NULL) {
        *equals = '\0';
        p->standard = equals + 1;
    }
    char *colon = strchr(word, ':');
    if (colon != NULL)
        *colon = '\0';
    p->name = word;
    p->code = colon ? colon + 1 : word;
    p->implicit = strcmp(word, "self") == 0 || (colon == NULL && is_implicit(word));
}

static void read_params(CEmit *c, const PrimRow *row, Match *m)
{
    const char *at = row->params ? row->params : "";
    bool keyword_only = false;
    m->row = row;
    m->count = 0;
    while (*at && m->count < MAX_PARAMS) {
        size_t len = strcspn(at, " ");
        if (len == 1 && *at == '*')
            keyword_only = true;
        else if (len > 0)
            read_param(c, row, &m->params[m->count++], at, len, keyword_only);
        at += len + (at[len] == ' ');
    }
}

// ---- does a row take the call? ----

// Whether an expression's static type is what the code takes.
static bool code_takes(CEmit *c, const char *code, const Expr *e)
{
    const Ty *t = e->ty ? c_ty(c, e->ty) : NULL;
    size_t len = strcspn(code, "?[");
    if (t == NULL)
        return true;
    bool display = e->kind == EXPR_LAMBDA || t->kind == TY_CALLABLE;
    if (strncmp(code, "function", 8) == 0)
        return display || (t->kind == TY_NONE_TYPE && code[len] == '?') || t->kind == TY_NAMED;
    static const char *const ANY[] = {"iter", "ref", "T", "K", "V", "self"};
    for (size_t i = 0; i < sizeof ANY / sizeof *ANY; i++)
        if (strlen(ANY[i]) == len && strncmp(code, ANY[i], len) == 0)
            return true;
    const Rep *r = rep_of(c, t, e->at);
    if (r->kind == REP_NONE)
        return code[len] == '?';
    if (code[len] == '?' && rep_optional_part(r) != NULL)
        r = rep_optional_part(r);
    const char *name = c_text(c, "%.*s", (int)len, code);
    if (strcmp(name, "any") == 0)
        return r->kind == REP_OBJECT;
    if (strcmp(name, "place") == 0 || strcmp(name, "int") == 0)
        return r->kind == REP_INT || r->kind == REP_BOOL
               || (r->kind == REP_ENUM && r->class_->enum_base == 'i');
    if (strcmp(name, "float") == 0)
        return r->kind == REP_INT || r->kind == REP_BOOL || r->kind == REP_FLOAT;
    if (strcmp(name, "complex") == 0)
        return r->kind <= REP_COMPLEX;
    if (strcmp(name, "bool") == 0)
        return r->kind == REP_BOOL;
    if (strcmp(name, "str") == 0)
        return r->kind == REP_STR || (r->kind == REP_ENUM && r->class_->enum_base == 's');
    if (strcmp(name, "bytes") == 0)
        return r->kind == REP_BYTES;
    if (strcmp(name, "list") == 0)
        return r->kind == REP_LIST || r->kind == REP_SEQUENCE;
    if (strcmp(name, "table") == 0)
        return r->kind == REP_DICT || r->kind == REP_SET || r->kind == REP_FROZENSET;
    if (strcmp(name, "set") == 0)
        return r->kind == REP_SET || r->kind == REP_FROZENSET;
    if (strcmp(name, "dict") == 0)
        return r->kind == REP_DICT;
    if (strcmp(name, "range") == 0)
        return r->kind == REP_RANGE;
    if (strcmp(name, "object") == 0)
        return r->kind == REP_CLASS;
    return true;
}

static Param *by_keyword(Match *m, Sym name)
{
    for (size_t i = 0; i < m->count; i++)
        if (!m->params[i].implicit && strcmp(m->params[i].name, name) == 0)
            return &m->params[i];
    return NULL;
}

static bool takes_any_keyword(const Match *m)
{
    return m->count > 0 && m->params[m->count - 1].named;
}

static bool place_args(CEmit *c, Match *m, ExprList args, KeywordList keywords)
{
    size_t at = 0;
    for (size_t i = 0; i < args.len; i++) {
        while (at < m->count && (m->params[at].implicit || m->params[at].keyword_only
                                 || m->params[at].named))
            at++;
        if (at == m->count)
            return false;
        if (m->params[at].any_number) {
            m->rest = (ExprList){args.at + i, args.len - i};
            if (c_has_star(m->rest) && !c_can_spread(m->params[at].code))
                return false;
            break;
        }
        if (args.at[i]->kind == EXPR_STARRED)
            return false;
        if (!code_takes(c, m->params[at].code, args.at[i]))
            return false;
        m->params[at++].given = args.at[i];
    }
    for (size_t i = 0; i < keywords.len; i++) {
        Sym name = keywords.at[i]->arg;
        Param *p = name ? by_keyword(m, name) : NULL;
        if (p == NULL && name != NULL && takes_any_keyword(m)) {
            vec_push(c->arena, &m->others, keywords.at[i]);
            continue;
        }
        if (p == NULL || p->given != NULL || !code_takes(c, p->code, keywords.at[i]->value))
            return false;
        p->given = keywords.at[i]->value;
    }
    for (size_t i = 0; i < m->count; i++) {
        const Param *p = &m->params[i];
        if (p->given == NULL && p->standard == NULL && !p->implicit && !p->any_number)
            return false;
    }
    return true;
}

// ---- the order of evaluation ----

static const Expr *once(CEmit *c, const Expr *e)
{
    return c_is_simple(c, e) ? e : c_bound(c, e, c_steady(c, c_expr(c, e)));
}

static bool is_value_of(KeywordList keywords, const Expr *e)
{
    for (size_t i = 0; i < keywords.len; i++)
        if (keywords.at[i]->value == e)
            return true;
    return false;
}

// Whether keywords of which several run something are written in another order than the row's.
static bool is_out_of_order(CEmit *c, Match *m, KeywordList keywords)
{
    const Param *last = NULL;
    bool in_order = true;
    size_t running = 0;
    for (size_t i = 0; i < keywords.len; i++) {
        const Param *p = by_keyword(m, keywords.at[i]->arg);
        in_order = in_order && (p == NULL || last == NULL || p > last);
        last = p;
        running += !c_is_simple(c, keywords.at[i]->value);
    }
    return !in_order && running > 1;
}

// A row's arguments are evaluated in the order of its parameters, Python's as they are written.
static void keep_order(CEmit *c, Match *m, KeywordList keywords)
{
    if (!is_out_of_order(c, m, keywords))
        return;
    for (size_t i = 0; i < m->count; i++)
        if (m->params[i].given != NULL && !is_value_of(keywords, m->params[i].given))
            m->params[i].given = once(c, m->params[i].given);
    const Expr **rest = ARENA_ARRAY(c->arena, const Expr *, m->rest.len + 1);
    for (size_t i = 0; i < m->rest.len; i++)
        rest[i] = once(c, m->rest.at[i]);
    m->rest.at = rest;
    for (size_t i = 0; i < keywords.len; i++) {
        Param *p = by_keyword(m, keywords.at[i]->arg);
        if (p != NULL)
            p->given = once(c, p->given);
    }
}

// ---- arguments ----

static const Rep *item_rep(const Rep *self, char which)
{
    if (which == 'K')
        return self->key_rep;
    return self->element;
}

static const char *iterator_of(CEmit *c, const Expr *e, const char *code, const Rep *self)
{
    const Rep *item = NULL;
    if (code[4] == '[') {
        const char *inner = c_text(c, "%.*s", (int)strlen(code) - 6, code + 5);
        item = strcmp(inner, "T") == 0 ? self->element : strcmp(inner, "K") == 0 ? self->key_rep
                                                                             : rep_named(c, inner);
    }
    if (item == NULL)
        item = c_element(c, e);
    Value v = c_unless_view(c, e, c_expr(c, e));
    if (v.rep->kind == REP_ITERATOR && v.rep->element == item)
        return c_borrowed(c, c_steady(c, v));
    v = c_place(c, c_steady(c, v));
    const char *call = c_text(c, "pychoral_iter(%s, %s)", item->row, c_ref(c, v));
    return c_borrowed(c, c_call(c, rep_iterator(c, item), call, true));
}

static const char *pointer_of(CEmit *c, const Expr *e, const char *code, bool optional)
{
    const Rep *wanted = strncmp(code, "str", 3) == 0 ? rep_named(c, "str")
        : strncmp(code, "bytes", 5) == 0 ? rep_named(c, "bytes") : NULL;
    bool member = wanted != NULL && rep_or_object(c, e)->kind == REP_ENUM;
    Value v = member ? c_plain_member(c, c_expr(c, e))
        : wanted && !optional ? c_expr_as(c, e, wanted) : c_expr(c, e);
    if (v.rep->kind == REP_NONE) {
        (void)c_steady(c, v);
        return "NULL";
    }
    if (optional && v.rep->kind == REP_UNION) {
        v = c_place(c, v);
        const Rep *part = rep_optional_part(v.rep);
        if (part != NULL)
            return c_text(c, "(%s.is ? %s.as_%s : NULL)", v.text, v.text, part->name);
    }
    if (wanted != NULL)
        v = c_convert(c, v, wanted, e->at);
    return c_borrowed(c, c_steady(c, v));
}

// The type of what iterating over a value of type `t` gives, as far as it is easily seen.
static const Ty *element_ty(CEmit *c, const Ty *t)
{
    if (t != NULL && t->kind == TY_TUPLE && t->tuple.items.len > 0)
        return t->tuple.items.at[0];
    if (t == NULL || t->kind != TY_NAMED)
        return NULL;
    if (t->named.args.len > 0)
        return t->named.args.at[0];
    bool bytes = sym_is(t->named.name, "bytes") || sym_is(t->named.name, "range");
    return bytes ? ty_named(c->arena, names_get(c->names, "int"), (TyList){0}) : t;
}

// A class where a function is wanted, `map(Point, xs)`, or a builtin that takes many things,
// `map(sum, rows)`: it is called with what the others give.
static const Expr *class_as_function(CEmit *c, const Match *m, const Expr *e)
{
    const Ty *t = e->ty ? c_ty(c, e->ty) : NULL;
    bool is_class = t && t->kind == TY_NAMED && sym_is(t->named.name, "type")
                    && t->named.args.len == 1;
    const Ty *of = m->call && m->call->ty ? c_ty(c, m->call->ty) : NULL;
    bool is_open = t && t->kind == TY_ANY && of && of->kind == TY_NAMED && of->named.args.len == 1
                   && e->kind == EXPR_NAME;
    if (!is_class && !is_open)
        return e;
    const Ty **params = ARENA_ARRAY(c->arena, const Ty *, m->rest.len + m->count + 1);
    size_t n = 0;
    for (size_t i = 0; i < m->count; i++)
        if (m->params[i].given != NULL && strncmp(m->params[i].code, "iter", 4) == 0)
            params[n++] = element_ty(c, c_ty(c, m->params[i].given->ty));
    for (size_t i = 0; i < m->rest.len; i++) {
        if (m->rest.at[i]->kind == EXPR_STARRED)
            return e;
        params[n++] = element_ty(c, c_ty(c, m->rest.at[i]->ty));
    }
    for (size_t i = 0; i < n; i++)
        if (params[i] == NULL)
            return e;
    const Ty *callable = ty_callable(c->arena, (TyList){params, n},
                                     (is_class ? t : of)->named.args.at[0]);
    return expr_with_ty(c->arena, e, callable, e->roles);
}

// An int as a place: clipped where Python clips it, else one that is too large is an error, which
// is not the same for items, repetition and arguments.
static const char *place_of(CEmit *c, const Param *p, const char *number, bool optional)
{
    if (optional)
        return c_text(c, "pychoral_int_clip(%s)", number);
    if (strstr(p->row->name, "__getitem__") != NULL)
        return c_text(c, "pychoral_index(%s)", number);
    bool repeats = strstr(p->row->name, "mul__") != NULL;
    return c_text(c, "pychoral_int_fit(%s, \"%s\")", number,
                  repeats ? "cannot fit 'int' into an index-sized integer"
                          : "Python int too large to convert to C ssize_t");
}

static bool is_none(CEmit *c, const Expr *e)
{
    const Ty *t = e->ty != NULL ? c_ty(c, e->ty) : NULL;
    return t != NULL && t->kind == TY_NONE_TYPE;
}

static const char *argument(CEmit *c, const Param *p, const Expr *e, const Value *self)
{
    const char *code = p->code;
    size_t len = strcspn(code, "?[");
    bool optional = code[len] == '?';
    Value members;
    bool iterated = strncmp(code, "iter", 4) == 0 || strstr(p->name, "iterable") != NULL;
    if (iterated && c_enum_members(c, e, &members)) {
        members = c_steady(c, members);
        return strncmp(code, "iter", 4) != 0 ? c_ref(c, c_place(c, members))
            : c_borrowed(c, c_temp(c, c_convert(c, members, rep_iterator(c, members.rep->element),
                                                e->at)));
    }
    const char *name = c_text(c, "%.*s", (int)len, code);
    if (strcmp(name, "iter") == 0)
        return iterator_of(c, e, code, self ? self->rep : NULL);
    if (strcmp(name, "ref") == 0 || strcmp(name, "any") == 0)
        return c_ref(c, c_place(c, c_steady(c, c_expr(c, e))));
    if ((*name == 'T' || *name == 'K' || *name == 'V') && name[1] == '\0' && self != NULL) {
        int promotes = c->promotes;
        c->promotes = 0;                        // an int that is kept stays an int
        Value v = c_expr_as(c, e, item_rep(self->rep, *name));
        c->promotes = promotes;
        return c_address(c, c_place(c, c_steady(c, v)));
    }
    if (strcmp(name, "place") == 0) {
        if (optional && is_none(c, e))
            return p->standard;
        const Rep *rep = rep_of(c, e->ty, e->at);
        if (rep_optional_part(rep) != NULL) {
            Value v = c_place(c, c_expr(c, e));
            return c_text(c, "(%s.is ? pychoral_index(%s.as_int) : %s)", v.text, v.text,
                          p->standard ? p->standard : "0");
        }
        if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_INT
            && e->constant.value->text.len <= 18)
            return c_text(c, "%.*s", (int)e->constant.value->text.len,
                          e->constant.value->text.at);
        const char *number = c_borrowed(c, c_steady(c, c_expr_as(c, e, rep_named(c, "int"))));
        const char *t = c_plain_name(c);
        c_line(c, "int64_t %s = %s;", t, place_of(c, p, number, optional));
        if (!optional)                          // one that is none must not be gone on with
            c_check(c);
        return t;
    }
    const Rep *plain = strcmp(name, "int") == 0 || strcmp(name, "float") == 0
        || strcmp(name, "bool") == 0 || strcmp(name, "complex") == 0 ? rep_named(c, name) : NULL;
    if (plain != NULL)
        return c_borrowed(c, c_steady(c, c_expr_as(c, e, plain)));
    if (strcmp(name, "function") == 0 && !is_none(c, e))
        return c_borrowed(c, c_steady(c, c_expr(c, e)));
    return pointer_of(c, e, code, optional);
}

static const char *rest_of(CEmit *c, const Param *p, ExprList rest)
{
    if (rest.len == 0)
        return "0, NULL";
    if (c_has_star(rest))
        return c_spread(c, p->code, rest);
    const char *items = "";
    for (size_t i = 0; i < rest.len; i++)
        items = c_text(c, "%s%s%s", items, i ? ", " : "", argument(c, p, rest.at[i], NULL));
    const char *type = strncmp(p->code, "iter", 4) == 0 ? "PychoralIterator *"
        : strcmp(p->code, "ref") == 0 ? "PychoralRef"
        : strcmp(p->code, "int") == 0 ? "PychoralInt" : strcmp(p->code, "float") == 0 ? "double"
        : "PychoralStr *";
    return c_text(c, "%zu, (%s[]){%s}", rest.len, type, items);
}

// Keywords that no parameter has: their names and values.
static const char *named_of(CEmit *c, const Match *m)
{
    const char *items = "";
    for (size_t i = 0; i < m->others.len; i++) {
        const Keyword *k = m->others.at[i];
        const char *ref = c_ref(c, c_place(c, c_steady(c, c_expr(c, k->value))));
        items = c_text(c, "%s%s{\"%s\", %s}", items, i ? ", " : "", k->arg, ref);
    }
    return m->others.len == 0 ? "0, NULL"
        : c_text(c, "%zu, (PychoralNamed[]){%s}", m->others.len, items);
}

// What `max` and `dict.get` give may be one of their arguments, as it is.
static void check_given(CEmit *c, const Match *m, const Rep *result)
{
    bool given = strcmp(m->row->result, "out") == 0;
    for (size_t i = 0; given && i < m->count; i++) {
        const Param *p = &m->params[i];
        ExprList args = p->any_number ? m->rest : (ExprList){&p->given, p->given != NULL};
        bool may_be = strcmp(p->code, "ref") == 0
            && (p->any_number || strstr(p->name, "default") != NULL);
        for (size_t j = 0; may_be && j < args.len; j++) {
            const Expr *e = args.at[j];
            const Rep *rep = e->kind == EXPR_STARRED ? c_element(c, e->starred.value)
                                                     : rep_of(c, e->ty, e->at);
            (void)c_check_promotion(c, rep, result, e->at);
        }
    }
}

// An empty list that sum begins with.
static bool is_empty_start(const Param *p, const Rep *result)
{
    return strcmp(p->name, "start") == 0 && result->kind == REP_LIST && p->given->kind == EXPR_LIST
           && p->given->list.elts.len == 0;
}

static const char *implicit_argument(CEmit *c, const Param *p, const Value *self,
                                     const Rep *result)
{
    if (strcmp(p->code, "row") == 0)
        return result->row;
    if (strcmp(p->code, "item") == 0)
        return self->rep->element->row;
    if (strcmp(p->code, "shared") == 0)
        return "pychoral_random_shared()";
    return strcmp(p->code, "ref") == 0 ? c_ref(c, c_place(c, *self)) : self->text;
}

static const char *all_arguments(CEmit *c, const Match *m, const Value *self, const Rep *result)
{
    const char *text = "";
    int promotes = c->promotes;
    c->promotes = 0;
    check_given(c, m, result);
    c->promotes = promotes;
    c->promotes++;
    for (size_t i = 0; i < m->count; i++) {
        const Param *p = &m->params[i];
        const char *one = p->implicit ? implicit_argument(c, p, self, result)
            : p->named ? named_of(c, m)
            : p->any_number ? rest_of(c, p, m->rest)
            : !p->given ? p->standard
            : is_empty_start(p, result)
                ? c_ref(c, c_place(c, c_steady(c, c_expr_as(c, p->given, result))))
            : strncmp(p->code, "function", 8) == 0
                ? argument(c, p, class_as_function(c, m, p->given), self)
            : argument(c, p, p->given, self);
        text = c_text(c, "%s%s%s", text, i ? ", " : "", one);
    }
    c->promotes--;
    return text;
}

// ---- the call ----

// What the row's result is in C.
static const Rep *result_of(CEmit *c, const char *code, const Value *self, const Rep *result)
{
    if (strcmp(code, "none") == 0)
        return rep_named(c, "None");
    if (strcmp(code, "place") == 0)
        return rep_named(c, "int");
    if (strcmp(code, "=") == 0 || strcmp(code, "out") == 0)
        return result;
    if (strcmp(code, "self") == 0)
        return self->rep;
    if (strcmp(code, "T") == 0 || strcmp(code, "K") == 0 || strcmp(code, "V") == 0)
        return item_rep(self->rep, *code);
    if (strcmp(code, "ref") == 0 || strcmp(code, "object") == 0)
        return rep_named(c, "object");
    return rep_named(c, code);
}

static bool is_written(const char *code)
{
    return strcmp(code, "out") == 0 || strcmp(code, "T") == 0 || strcmp(code, "K") == 0
           || strcmp(code, "V") == 0;
}

static Value written(CEmit *c, const PrimRow *row, const char *args, const Rep *rep)
{
    Value v = c_open_or_none(c, rep);
    c_line(c, "%s(%s%s%s);", row->function, args, *args ? ", " : "",
           rep_passed(rep) ? c_text(c, "&%s", v.text) : "&(PychoralNone){0}");
    if (row->raises)
        c_check(c);
    return v;
}

// What a call makes of which the program knows nothing but that it is an object: a container of
// objects, or an iterator over them.
static const Rep *made_of_objects(CEmit *c, const char *name, const Value *self)
{
    const char *dot = strrchr(name, '.');
    const Rep *object = rep_named(c, "object");
    if (dot != NULL && self != NULL && strcmp(dot, ".copy") == 0)
        return self->rep;
    if (strcmp(name, "list") == 0 || strcmp(name, "sorted") == 0)
        return rep_list(c, object);
    if (strcmp(name, "tuple") == 0)
        return rep_sequence(c, object);
    if (strcmp(name, "dict") == 0)
        return rep_dict(c, object, object);
    if (strcmp(name, "collections.Counter") == 0)
        return rep_dict(c, object, rep_named(c, "int"));
    if (strcmp(name, "set") == 0 || strcmp(name, "frozenset") == 0)
        return rep_set(c, *name == 's' ? REP_SET : REP_FROZENSET, object);
    return rep_iterator(c, object);
}

// sum(lists, []) is a list like those, whatever `[]` alone would be. NULL: refused.
static const Rep *result_of_sum(CEmit *c, const Match *m, const Rep *result)
{
    for (size_t i = 0; result->kind == REP_UNION && i < result->count; i++)
        if (result->parts[i]->kind == REP_LIST)
            return result->parts[i];
    bool tuples = result->kind == REP_TUPLE;
    for (size_t i = 0; result->kind == REP_UNION && i < result->count; i++)
        tuples = tuples || result->parts[i]->kind == REP_TUPLE;
    if (!tuples)
        return result;
    (void)c_refuse(c, m->call->at, "the C target does not support `sum` of tuples of fixed length");
    return NULL;
}

// Of a display that is copied into a container: `frozenset([n, Kind.B])`.
static void check_copied(CEmit *c, const Match *m, const Rep *result)
{
    const Expr *e = m->count > 0 ? m->params[0].given : NULL;
    bool copies = e != NULL && result->key_rep == NULL && result->element != NULL
        && strcmp(m->params[0].code, "ref") == 0 && strcmp(m->params[0].name, "_iterable") == 0;
    if (copies && (e->kind == EXPR_LIST || e->kind == EXPR_SET || e->kind == EXPR_TUPLE))
        c_refuse_members(c, e, result);
}

static Value make_call(CEmit *c, Match *m, const Value *self, const Rep *result)
{
    const PrimRow *row = m->row;
    if (strcmp(row->name, "sum") == 0 && (result = result_of_sum(c, m, result)) == NULL)
        return c_lasting(c_value(rep_named(c, "None"), "0", HOLD_PLAIN));
    if (result->kind == REP_OBJECT && strcmp(row->result, "=") == 0)
        result = made_of_objects(c, row->name, self);
    check_copied(c, m, result);
    const char *args = all_arguments(c, m, self, result);
    const Rep *rep = result_of(c, row->result, self, result);
    if (is_written(row->result))
        return written(c, row, args, rep);
    const char *call = c_text(c, "%s(%s)", row->function, args);
    if (strcmp(row->result, "place") != 0)
        return c_call(c, rep, call, row->raises);
    if (!row->raises)
        return (Value){.rep = rep, .text = c_text(c, "pychoral_int(%s)", call)};
    const char *t = c_new_name(c);
    c_line(c, "int64_t %s = %s;", t, call);
    c_check(c);
    return (Value){.rep = rep, .text = c_text(c, "pychoral_int(%s)", t), .lasting = true};
}

// list.append.
static bool append(CEmit *c, const char *name, const Value *self, ExprList args,
                   KeywordList keywords, Value *out)
{
    bool known = strcmp(name, "list.append") == 0 && args.len == 1 && keywords.len == 0
        && self != NULL && args.at[0]->kind != EXPR_STARRED;
    const Rep *rep = known ? self->rep->element : NULL;
    if (!known || !rep_passed(rep))
        return false;
    const char *access = c_list_access(rep);
    Value list = c_steady(c, *self);
    Value item = c_steady(c, c_expr_as(c, args.at[0], rep));
    if (access != NULL) {
        c_line(c, "pychoral_list_%s_push(%s, %s);", access, list.text, c_borrowed(c, item));
    } else {
        const char *spot = c_new_name(c);
        c_line(c, "%s*%s = pychoral_list_spot(%s, sizeof *%s);\n*%s = %s;", rep->type, spot,
               list.text, spot, spot, c_owned(c, item));
    }
    *out = c_lasting(c_value(rep_named(c, "None"), "0", HOLD_PLAIN));
    return true;
}

// min and max of several ints, or of several floats.
static bool least_or_most(CEmit *c, const char *name, ExprList args, KeywordList keywords,
                          Value *out)
{
    bool known = (strcmp(name, "min") == 0 || strcmp(name, "max") == 0) && args.len >= 2
        && keywords.len == 0;
    const Rep *rep = NULL;
    for (size_t i = 0; known && i < args.len; i++) {
        const Expr *e = args.at[i];
        const Rep *one = e->kind != EXPR_STARRED && e->ty ? rep_or_object(c, e) : NULL;
        known = one && (one->kind == REP_INT || one->kind == REP_FLOAT) && (!rep || one == rep);
        rep = one;
    }
    if (!known)
        return false;
    Value *values = ARENA_ARRAY(c->arena, Value, args.len);
    for (size_t i = 0; i < args.len; i++)
        values[i] = c_steady(c, c_expr(c, args.at[i]));
    *out = values[0];
    const char *function = c_text(c, "pychoral_%s_%s", rep->key, name);
    for (size_t i = 1; i < args.len; i++)
        *out = c_call(c, rep, c_of_two(c, function, *out, values[i]), false);
    return true;
}

// Numbers of which the checker does not know the type, as `n ** 0.5`, have one in C.
static ExprList with_known_types(CEmit *c, ExprList args)
{
    const Expr **list = ARENA_ARRAY(c->arena, const Expr *, args.len + 1);
    for (size_t i = 0; i < args.len; i++) {
        const Expr *e = list[i] = args.at[i];
        if (e->kind != EXPR_BIN_OP || e->ty == NULL || c_ty(c, e->ty)->kind != TY_ANY)
            continue;
        Value v = c_steady(c, c_expr(c, e));
        const Ty *t = v.rep->kind <= REP_STR
            ? ty_named(c->arena, names_get(c->names, v.rep->key), (TyList){0}) : e->ty;
        list[i] = c_bound(c, expr_with_ty(c->arena, e, t, e->roles), v);
    }
    return (ExprList){list, args.len};
}

static bool is_open_result(const char *code)
{
    return strcmp(code, "=") == 0 || strcmp(code, "self") == 0 || is_written(code);
}

// `plain`: only by rows that say themselves what their result is.
static bool prim_call(CEmit *c, const char *name, const Expr *call, const Value *self, bool plain,
                      ExprList args, KeywordList keywords, const Rep *result, Value *out)
{
    size_t at = 0;
    const PrimRow *row;
    if (append(c, name, self, args, keywords, out)
        || least_or_most(c, name, args, keywords, out))
        return true;
    if (!c_prim_known(name))
        return false;
    args = c_has_star(args) ? c_with_parts(c, args) : with_known_types(c, args);
    while ((row = row_of(name, &at)) != NULL) {
        if (row->params == NULL || (plain && is_open_result(row->result)))
            continue;
        Match m = {.call = call};
        read_params(c, row, &m);
        if (!place_args(c, &m, args, keywords))
            continue;
        Value steady;
        if (self != NULL) {
            steady = c_steady(c, *self);
            self = &steady;
        }
        keep_order(c, &m, keywords);
        *out = make_call(c, &m, self, result);
        return true;
    }
    return false;
}

// ---- arguments that are of one type or of another ----

// The member of a union type that stands as `part`.
static const Ty *member_ty(CEmit *c, const Expr *e, const Rep *part)
{
    const Ty *t = e->ty ? c_ty(c, e->ty) : NULL;
    for (size_t i = 0; t && t->kind == TY_UNION && i < t->union_.items.len; i++)
        if (rep_of(c, t->union_.items.at[i], e->at) == part)
            return t->union_.items.at[i];
    return NULL;
}

static size_t union_among(CEmit *c, ExprList args)
{
    for (size_t i = 0; i < args.len; i++)
        if (args.at[i]->kind != EXPR_STARRED && args.at[i]->kind != EXPR_LAMBDA
            && rep_or_object(c, args.at[i])->kind == REP_UNION)
            return i;
    return SIZE_MAX;
}

// Evaluates them in order; what is a value of its own stays as it is written.
static ExprList evaluated(CEmit *c, ExprList args)
{
    const Expr **list = ARENA_ARRAY(c->arena, const Expr *, args.len + 1);
    for (size_t i = 0; i < args.len; i++)
        list[i] = args.at[i]->kind == EXPR_CONSTANT || args.at[i]->kind == EXPR_LAMBDA
            ? args.at[i] : c_bound(c, args.at[i], c_steady(c, c_expr(c, args.at[i])));
    return (ExprList){list, args.len};
}

// abs(x) where x is an int or a float: the row of each, for the one that it is.
static bool over_union(CEmit *c, const char *name, const Expr *call, const Value *self,
                       ExprList args, KeywordList keywords, const Rep *result, Value *out)
{
    size_t at = union_among(c, args);
    if (at == SIZE_MAX)
        return false;
    args = evaluated(c, args);
    const Expr *chosen = args.at[at];
    Value whole = c_place(c, c_expr(c, chosen));
    if (whole.rep->kind != REP_UNION)
        return false;
    const Expr **list = ARENA_ARRAY(c->arena, const Expr *, args.len);
    memcpy(list, args.at, args.len * sizeof *list);
    *out = c_open_or_none(c, result);
    for (size_t i = 0; i < whole.rep->count; i++) {
        const Rep *part = whole.rep->parts[i];
        const Ty *ty = member_ty(c, chosen, part);
        Value v = c_value(part, c_text(c, "%s.as_%s", whole.text, part->name), HOLD_BORROWED);
        v.lasting = v.place = true;
        c_line(c, "%sif (%s.is == %zu) {", i ? "} else " : "", whole.text, i);
        c->out->indent++;
        list[at] = expr_with_ty(c->arena, chosen, ty, chosen->roles);
        list[at] = c_bound(c, list[at], v);
        ExprList part_args = {list, args.len};
        if (ty == NULL || part->kind == REP_NONE
            || !(prim_call(c, name, call, self, true, part_args, keywords, result, &v)
                 || over_union(c, name, call, self, part_args, keywords, result, &v)))
            return false;
        v = c_convert(c, v, result, call->at);
        if (rep_passed(result))
            c_line(c, "%s = %s;", out->text, c_owned(c, v));
        c->out->indent--;
    }
    c_line(c, "}");
    return true;
}

// ---- items that are taken over ----

// What makes a container of another's items, or adds them to one: they stay what they are.
static bool takes_items(const char *name)
{
    static const char *const NAMES[] = {
        "list", "tuple", "set", "frozenset", "dict", "sorted", "reversed", "iter",
        "list.extend", "itertools.accumulate", "itertools.chain", "itertools.product",
        "list.__iadd__", "collections.deque", "collections.deque.extend",
        "collections.deque.extendleft", "collections.Counter", "collections.Counter.update",
        "collections.Counter.subtract", "set.update", "set.union", "dict.update"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(NAMES[i], name) == 0)
            return true;
    return false;
}

// `counts`: the items are keys of a dict.
static void check_items(CEmit *c, const Expr *e, const Rep *to, bool counts)
{
    const Rep *from = rep_or_object(c, e);
    if (e->kind == EXPR_STARRED || to->element == NULL || from->kind == REP_NONE)
        return;
    if (to->kind != REP_DICT || (counts && from->kind != REP_DICT)) {
        (void)c_check_promotion(c, c_element(c, e), counts ? to->key_rep : to->element, e->at);
        return;
    }
    const Rep *pair = from->kind == REP_DICT ? NULL : c_element(c, e);
    if (pair != NULL && (pair->kind != REP_TUPLE || pair->count != 2))
        return;
    (void)c_check_promotion(c, pair ? pair->parts[0] : from->key_rep, to->key_rep, e->at);
    (void)c_check_promotion(c, pair ? pair->parts[1] : from->element, to->element, e->at);
}

// What keeps its last argument itself.
static bool keeps_item(const char *name)
{
    static const char *const NAMES[] = {"list.append", "list.insert", "set.add",
        "dict.setdefault", "collections.deque.append", "collections.deque.appendleft"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(NAMES[i], name) == 0)
            return true;
    return false;
}

static void check_taken(CEmit *c, const char *name, const Rep *to, ExprList args)
{
    int promotes = c->promotes;
    c->promotes = 0;
    bool counts = to->kind == REP_DICT && strncmp(name, "collections.", 12) == 0;
    if (strcmp(name, "itertools.product") == 0 && to->element && to->element->kind == REP_SEQUENCE)
        to = to->element;
    for (size_t i = 0; takes_items(name) && i < args.len; i++)
        check_items(c, args.at[i], to, counts);
    c->promotes = promotes;
}

bool c_prim_call(CEmit *c, const char *name, const Expr *call, const Value *self, ExprList args,
                 KeywordList keywords, const Rep *result, Value *out)
{
    check_taken(c, name, self != NULL ? self->rep : result, args);
    if (keeps_item(name) && self != NULL && self->rep->element != NULL && args.len > 0)
        c_refuse_kept(c, args.at[args.len - 1], self->rep->element);
    const Buf before = *c->out;
    if (prim_call(c, name, call, self, false, args, keywords, result, out))
        return true;
    *c->out = before;       // no row fits: what computes the arguments is written where they go
    if (c_prim_known(name) && over_union(c, name, call, self, args, keywords, result, out))
        return true;
    *c->out = before;
    return false;
}

bool c_prim_is_constant(const char *name)
{
    size_t at = 0;
    const PrimRow *row = row_of(name, &at);
    return row != NULL && row->params == NULL;
}

bool c_prim_constant(CEmit *c, const char *name, const Expr *e, Value *out)
{
    size_t at = 0;
    const PrimRow *row;
    while ((row = row_of(name, &at)) != NULL)
        if (row->params == NULL) {
            const Rep *rep = strcmp(row->result, "=") == 0 ? rep_of(c, e->ty, e->at)
                                                           : rep_named(c, row->result);
            *out = c_lasting(c_value(rep, row->function, rep->drop ? HOLD_BORROWED : HOLD_PLAIN));
            return true;
        }
    return false;
}
