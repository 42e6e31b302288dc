// stage_object.c - dicts and instances: records of named values that staging knows. A record is one
// object for all that refer to it. What an arm of a condition or a round of a loop stores into it
// is kept in a journal: behind that part it is put together like the values of a name.

#include "compiler/pass/ad/stage_call.h"

#include <string.h>

// ---- keys ----

Value *stage_text(Stage *s, const char *text)
{
    Value *v = value_of(s, VALUE_TEXT);
    v->text = (Text){text, strlen(text)};
    return v;
}

bool record_same_key(Stage *s, const Value *x, const Value *y)
{
    int64_t n, m;
    if (x->kind == VALUE_TEXT && y->kind == VALUE_TEXT)
        return x->text.len == y->text.len && memcmp(x->text.at, y->text.at, x->text.len) == 0;
    if (x->kind == VALUE_LIST && y->kind == VALUE_LIST && x->items.len == y->items.len) {
        for (size_t i = 0; i < x->items.len; i++)
            if (!record_same_key(s, x->items.at[i], y->items.at[i]))
                return false;
        return true;
    }
    return value_number(s, x, &n) && value_number(s, y, &m) && n == m;
}

static bool is_key(Stage *s, const Value *v)
{
    int64_t n;
    bool known = v->kind == VALUE_TEXT || value_number(s, v, &n);
    for (size_t i = 0; v->kind == VALUE_LIST && v->tuple && i < v->items.len; i++)
        if (!is_key(s, v->items.at[i]))
            return false;
    return known || (v->kind == VALUE_LIST && v->tuple);
}

static Value *key_of(Stage *s, Scope *scope, const Expr *e)
{
    Value *key = stage_eval(s, scope, e);
    if (!s->failed && !is_key(s, key))
        (void)stage_refuse(s, e->at, "a key of a dict must be known when the function is compiled: "
                           "a string, an integer, or a tuple of these\nfor an index that is not "
                           "known, use an array");
    return key;
}

static size_t find(Stage *s, const Value *record, const Value *key)
{
    size_t i = 0;
    while (i < record->keys.len && !record_same_key(s, record->keys.at[i], key))
        i++;
    return i;
}

Value *record_get(Stage *s, const Value *record, const Value *key)
{
    size_t i = find(s, record, key);
    return i < record->keys.len ? record->items.at[i] : NULL;
}

// ---- stores ----

static ValueVec copied(Stage *s, const ValueVec *of)
{
    ValueVec all = {0};
    for (size_t i = 0; i < of->len; i++)
        vec_push(s->arena, &all, of->at[i]);
    return all;
}

static const Change *change_of(const Journal *j, const Value *record)
{
    for (size_t i = 0; i < j->changes.len; i++)
        if (j->changes.at[i].record == record)
            return &j->changes.at[i];
    return NULL;
}

static void note_change(Stage *s, Value *record)
{
    Journal *j = s->journal;
    if (j == NULL || record->made >= j->from || change_of(j, record) != NULL)
        return;
    const Change change = {record, record->keys, record->items};
    vec_push(s->arena, &j->changes, change);
    record->keys = copied(s, &record->keys);
    record->items = copied(s, &record->items);
}

static bool contains(const Value *v, const Value *record)
{
    bool found = v == record;
    for (size_t i = 0; (v->kind == VALUE_LIST || v->kind == VALUE_RECORD) && i < v->items.len; i++)
        found = found || contains(v->items.at[i], record);
    return found;
}

void record_set(Stage *s, Value *record, Value *key, Value *v, Span at)
{
    const char *what = record->cls == NULL ? "dict" : "instance";
    if (!s->failed && record->escaped)
        (void)stage_refuse(s, at, "it is not known what else refers to this %s, or it is a "
                           "constant of the module\ncreate a new %s in the function", what, what);
    if (!s->failed && contains(v, record))
        (void)stage_refuse(s, at, "an array function does not support a%s %s that contains itself",
                           record->cls == NULL ? "" : "n", what);
    if (s->failed)
        return;
    note_change(s, record);
    stage_note_binding(v);
    size_t i = find(s, record, key);
    if (i < record->keys.len) {
        record->items.at[i] = v;
        return;
    }
    vec_push(s->arena, &record->keys, key);
    vec_push(s->arena, &record->items, v);
}

Value *record_like(Stage *s, const Value *like)
{
    Value *record = value_of(s, VALUE_RECORD);
    record->cls = like->cls;
    record->keys = copied(s, &like->keys);
    return record;
}

bool record_same_keys(Stage *s, const Value *x, const Value *y)
{
    bool same = x->cls == y->cls && x->keys.len == y->keys.len;
    for (size_t i = 0; same && i < x->keys.len; i++)
        same = record_same_key(s, x->keys.at[i], y->keys.at[i]);
    return same;
}

bool stage_is_like(Stage *s, const Value *x, const Value *y)
{
    bool parts = x->kind == VALUE_LIST || x->kind == VALUE_RECORD;
    bool same = x->kind == y->kind && x->cls == y->cls && x->items.len == y->items.len &&
                (x->kind != VALUE_RECORD || record_same_keys(s, x, y));
    for (size_t i = 0; same && parts && i < x->items.len; i++)
        same = stage_is_like(s, x->items.at[i], y->items.at[i]);
    return x == y || (same && (parts || x->kind == VALUE_TERM || x->kind == VALUE_NONE ||
                               (x->kind == VALUE_TEXT && record_same_key(s, x, y)) ||
                               (x->kind == VALUE_LIBRARY && x->name == y->name)));
}

// ---- places ----

// No call, which would run twice.
bool stage_is_plain(const Expr *e)
{
    while (e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT)
        e = e->kind == EXPR_ATTRIBUTE ? e->attribute.value : e->subscript.value;
    return e->kind == EXPR_NAME;
}

// Whether a target may be in a record: its name does not have an array.
static bool may_be_place(Scope *scope, const Expr *e)
{
    if (e->kind != EXPR_ATTRIBUTE && e->kind != EXPR_SUBSCRIPT)
        return false;
    while (e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT)
        e = e->kind == EXPR_ATTRIBUTE ? e->attribute.value : e->subscript.value;
    const Value *v = e->kind == EXPR_NAME ? stage_find(scope, e->name.id) : NULL;
    return e->kind != EXPR_NAME || (v != NULL && v->kind != VALUE_TERM);
}

bool stage_place(Stage *s, Scope *scope, const Expr *target, Slot *place)
{
    if (s->failed || !may_be_place(scope, target))
        return false;
    bool attribute = target->kind == EXPR_ATTRIBUTE;
    Value *of = stage_eval(s, scope, attribute ? target->attribute.value : target->subscript.value);
    if (s->failed || of->kind != VALUE_RECORD || attribute != (of->cls != NULL))
        return false;
    if (attribute && stage_is_property(s, of, target->attribute.attr))
        (void)stage_refuse(s, target->at, "an array function does not support assignment to the "
                           "property `%s`", target->attribute.attr);
    if (!s->failed && of->frozen)
        (void)stage_refuse(s, target->at, "the class `%s` is frozen, so Python raises here\n"
                           "create a new instance", of->cls->name);
    place->record = of;
    place->key = attribute ? stage_text(s, target->attribute.attr)
                           : key_of(s, scope, target->subscript.slice);
    return !s->failed;
}

Value *stage_current(Stage *s, Scope *scope, const Expr *target)
{
    Slot place;
    if (target->kind == EXPR_NAME)
        return stage_find(scope, target->name.id);
    return stage_is_plain(target) && stage_place(s, scope, target, &place)
               ? record_get(s, place.record, place.key) : NULL;
}

void stage_set_current(Stage *s, Scope *scope, const Expr *target, Value *v)
{
    Slot place;
    if (target->kind == EXPR_NAME)
        table_set(scope->names, target->name.id, v);
    else if (stage_place(s, scope, target, &place))
        record_set(s, place.record, place.key, v, target->at);
}

Sym stage_shown(Stage *s, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        return e->name.id;
    if (e->kind == EXPR_ATTRIBUTE)
        return names_format(s->names, "%s.%s", stage_shown(s, e->attribute.value),
                            e->attribute.attr);
    if (e->kind != EXPR_SUBSCRIPT)
        return names_get(s->names, "..");
    const Expr *key = e->subscript.slice;
    bool text = key->kind == EXPR_CONSTANT && key->constant.value->kind == CONST_STR;
    const char *of = stage_shown(s, e->subscript.value);
    return text ? names_format(s->names, "%s[\"%.*s\"]", of, (int)key->constant.value->text.len,
                               key->constant.value->text.at)
                : names_format(s->names, "%s[..]", of);
}

// ---- journals ----

static void swap(Journal *j)
{
    for (size_t i = 0; i < j->changes.len; i++) {
        Change *c = &j->changes.at[i];
        const Change now = {c->record, c->record->keys, c->record->items};
        c->record->keys = c->keys;
        c->record->items = c->items;
        *c = now;
    }
}

void journal_open(Stage *s, Journal *j)
{
    *j = (Journal){.outer = s->journal, .from = s->made};
    s->journal = j;
}

void journal_close(Stage *s, Journal *j)
{
    swap(j);
    s->journal = j->outer;
}

void journal_resume(Stage *s, Journal *j)
{
    swap(j);
    s->journal = j;
}

// A key that only one of them has cannot be read behind.
static void merge_record(Stage *s, const Expr *test, Value *record, const Change *x,
                         const Change *y, Span at)
{
    const Change now = {record, record->keys, record->items};
    x = x != NULL ? x : &now;
    y = y != NULL ? y : &now;
    const Value left = {.kind = VALUE_RECORD, .cls = record->cls, .keys = x->keys,
                        .items = x->items};
    const Value right = {.kind = VALUE_RECORD, .cls = record->cls, .keys = y->keys,
                         .items = y->items};
    if (record->cls == NULL && !record_same_keys(s, &left, &right))
        (void)stage_refuse(s, at, "after this `if`, the keys of a dict depend on data\nassign each "
                           "key before the `if`");
    ValueVec keys = {0}, items = {0};
    for (size_t i = 0; i < left.keys.len && !s->failed; i++) {
        Value *a = left.items.at[i], *b = record_get(s, &right, left.keys.at[i]);
        if (b == NULL)
            continue;
        vec_push(s->arena, &keys, left.keys.at[i]);
        vec_push(s->arena, &items, a == b ? a : stage_merged(s, test, a, b, at));
        items.at[items.len - 1]->bindings += a != b;
    }
    note_change(s, record);
    record->keys = keys;
    record->items = items;
}

void journal_merge(Stage *s, const Expr *test, const Journal *x, const Journal *y, Span at)
{
    for (size_t i = 0; i < x->changes.len && !s->failed; i++)
        merge_record(s, test, x->changes.at[i].record, &x->changes.at[i],
                     change_of(y, x->changes.at[i].record), at);
    for (size_t i = 0; i < y->changes.len && !s->failed; i++)
        if (change_of(x, y->changes.at[i].record) == NULL)
            merge_record(s, test, y->changes.at[i].record, NULL, &y->changes.at[i], at);
}

// An attribute that is new is not seen behind.
static bool has_changed(Stage *s, const Change *c)
{
    const Value now = {.kind = VALUE_RECORD, .keys = c->keys, .items = c->items};
    bool changed = c->record->cls == NULL;
    for (size_t i = 0; i < c->record->keys.len; i++)
        changed = changed || record_get(s, &now, c->record->keys.at[i]) != c->record->items.at[i];
    return changed;
}

void journal_end(Stage *s, Journal *j, Span at)
{
    journal_close(s, j);
    for (size_t i = 0; i < j->changes.len && !s->failed; i++)
        if (has_changed(s, &j->changes.at[i]))
            (void)stage_refuse(s, at, "this expression changes a dict or an instance, but how "
                               "often it runs is not known\nwrite a `for` loop or an `if`");
}

// ---- dicts ----

static void take_all(Stage *s, Value *to, const Value *from, Span at)
{
    if (!s->failed && (from->kind != VALUE_RECORD || from->cls != NULL))
        (void)stage_refuse(s, at, "an array function supports `**` only before a dict");
    for (size_t i = 0; !s->failed && i < from->keys.len; i++)
        record_set(s, to, from->keys.at[i], from->items.at[i], at);
}

static void comprehend(Stage *s, Scope *scope, const Expr *e, size_t from, Value *dict)
{
    if (from == e->dict_comp.generators.len) {
        Value *key = key_of(s, scope, e->dict_comp.key);
        record_set(s, dict, key, stage_eval(s, scope, e->dict_comp.value), e->at);
        return;
    }
    const Comprehension *c = e->dict_comp.generators.at[from];
    const Value *over = stage_known_list(s, stage_eval(s, scope, c->iter));
    if (!s->failed && over == NULL)
        (void)stage_refuse(s, c->iter->at, "the keys of a dict must be known when the function is "
                           "compiled\niterate over a list, a dict, or a `range` of constants");
    for (size_t i = 0; !s->failed && i < over->items.len; i++) {
        Scope *inside = scope_inside(s, scope);
        bool taken = true;
        stage_bind(s, inside, c->target, over->items.at[i], c->target->at);
        for (size_t k = 0; k < c->ifs.len && taken && !s->failed; k++) {
            const Expr *test = stage_condition(s, inside, c->ifs.at[k]);
            if (!s->failed && test->kind != EXPR_CONSTANT)
                (void)stage_refuse(s, c->ifs.at[k]->at, "the keys of a dict must not depend on "
                                                        "data");
            taken = !s->failed && test->constant.value->truth;
        }
        if (taken && !s->failed)
            comprehend(s, inside, e, from + 1, dict);
    }
}

Value *stage_dict(Stage *s, Scope *scope, const Expr *e)
{
    Value *dict = value_of(s, VALUE_RECORD);
    if (e->kind == EXPR_DICT_COMP)
        comprehend(s, scope, e, 0, dict);
    for (size_t i = 0; e->kind == EXPR_DICT && i < e->dict.values.len && !s->failed; i++) {
        const Expr *key = e->dict.keys.at[i], *value = e->dict.values.at[i];
        Value *name = key == NULL ? NULL : key_of(s, scope, key);
        if (name == NULL)
            take_all(s, dict, stage_eval(s, scope, value), value->at);
        else
            record_set(s, dict, name, stage_eval(s, scope, value), value->at);
    }
    return dict;
}

static const char *key_shown(Stage *s, const Value *key)
{
    int64_t n;
    return key->kind == VALUE_TEXT ? names_format(s->names, "the key '%.*s'", (int)key->text.len,
                                                  key->text.at)
           : value_number(s, key, &n) ? names_format(s->names, "the key %lld", (long long)n)
                                      : "this key";
}

Value *stage_dict_item(Stage *s, Scope *scope, const Value *dict, const Expr *e)
{
    const Value *key = key_of(s, scope, e);
    Value *v = s->failed ? NULL : record_get(s, dict, key);
    return v != NULL ? v : value_term(s, stage_refuse(s, e->at, "the dict does not have %s here",
                                                      key_shown(s, key)));
}

Value *stage_iterated(Stage *s, Value *v)
{
    if (v->kind != VALUE_RECORD || v->cls != NULL)
        return v;
    Value *keys = value_list(s, copied(s, &v->keys), false);
    keys->self = v;
    return keys;
}

const Expr *stage_contained(Stage *s, const Value *item, const Value *in, Span at)
{
    const Value *keys = stage_iterated(s, (Value *)in);
    bool known = keys->kind == VALUE_LIST && is_key(s, item), found = false;
    for (size_t i = 0; known && i < keys->items.len; i++) {
        known = is_key(s, keys->items.at[i]);
        found = found || record_same_key(s, keys->items.at[i], item);
    }
    if (!known)
        return stage_refuse(s, at, "an array function supports `in` only for a dict, and for a "
                            "list of known items\ncompare with each value, as in `n == 1 or "
                            "n == 2`");
    return term_bool(s->t, found);
}

// ---- functions and methods of dicts ----

static Value *copy_of(Stage *s, const Value *dict)
{
    Value *copy = value_of(s, VALUE_RECORD);
    for (size_t i = 0; i < dict->keys.len; i++)
        record_set(s, copy, dict->keys.at[i], dict->items.at[i], (Span){0});
    return copy;
}

static void update(Call *c, Value *dict, size_t from)
{
    Stage *s = c->s;
    Value *with = call_given(c, from, "with");
    for (size_t i = 0; with != NULL && with->kind == VALUE_LIST && i < with->items.len; i++) {
        const Value *pair = with->items.at[i];
        if (pair->kind != VALUE_LIST || pair->items.len != 2 || !is_key(s, pair->items.at[0]))
            (void)stage_refuse(s, c->at, "`%s` requires pairs of a known key and a value", c->name);
        else
            record_set(s, dict, pair->items.at[0], pair->items.at[1], c->at);
    }
    if (with != NULL && with->kind != VALUE_LIST)
        take_all(s, dict, with, c->at);
    for (size_t k = 0; k < c->keywords.len && !s->failed; k++) {
        const Keyword *keyword = c->keywords.at[k];
        Value *v = stage_eval(s, c->scope, keyword->value);
        c->named |= 1ul << k % 64;
        if (keyword->arg == NULL)
            take_all(s, dict, v, keyword->at);
        else
            record_set(s, dict, stage_text(s, keyword->arg), v, keyword->at);
    }
}

Value *stage_py_dict(Call *c)
{
    Value *dict = value_of(c->s, VALUE_RECORD);
    update(c, dict, 0);
    return dict;
}

Value *stage_dict_update(Call *c)
{
    update(c, c->args.at[0], 1);
    return value_of(c->s, VALUE_NONE);
}

Value *stage_dict_copy(Call *c) { return copy_of(c->s, call_wanted(c, 0, "dict")); }
Value *stage_dict_keys(Call *c) { return stage_iterated(c->s, call_wanted(c, 0, "dict")); }

Value *stage_dict_values(Call *c)
{
    Value *dict = call_wanted(c, 0, "dict"), *all = stage_iterated(c->s, dict);
    all->items = copied(c->s, &dict->items);
    return all;
}

Value *stage_dict_items(Call *c)
{
    Value *dict = call_wanted(c, 0, "dict"), *all = stage_iterated(c->s, dict);
    for (size_t i = 0; i < dict->items.len; i++) {
        Value *pair = value_list(c->s, (ValueVec){0}, true);
        vec_push(c->s->arena, &pair->items, dict->keys.at[i]);
        vec_push(c->s->arena, &pair->items, dict->items.at[i]);
        all->items.at[i] = pair;
    }
    return all;
}

Value *stage_dict_get(Call *c)
{
    Stage *s = c->s;
    const Value *dict = call_wanted(c, 0, "dict"), *key = call_wanted(c, 1, "key");
    Value *otherwise = call_given(c, 2, "default");
    if (!s->failed && !is_key(s, key))
        return value_term(s, stage_refuse(s, c->at, "a key of a dict must be known when the "
                                          "function is compiled"));
    Value *v = s->failed ? NULL : record_get(s, dict, key);
    return v != NULL ? v : otherwise != NULL ? otherwise : value_of(s, VALUE_NONE);
}
