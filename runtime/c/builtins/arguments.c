// arguments.c - arguments of calls with stars; the contract is in arguments.h. The order of the
// tests is that of CPython: of two errors it is the same one that is raised.

#include "arguments.h"

#include <stdio.h>
#include <string.h>

#include "tables.h"

// ---- keywords ----

static const PychoralStr *text_at(const void *key) { return *(PychoralStr *const *)key; }

void pychoral_named_put(PychoralTable *named, PychoralStr *name, PychoralRef value,
                        const char *shown)
{
    PychoralRef key = {&pychoral_type_str, &name};
    if (pychoral_table_lookup(named, key) != NULL)
        pychoral_throw(&pychoral_type_TypeError,
                       "%s() got multiple values for keyword argument '%.*s'", shown,
                       (int)name->size, name->data);
    else
        pychoral_table_insert(named, key, value);
}

void pychoral_named_update(PychoralTable *named, PychoralRef mapping, const char *shown)
{
    PychoralRef seen = pychoral_look(mapping.type, mapping.value);
    if (seen.type->kind != PYCHORAL_DICT) {
        pychoral_throw(&pychoral_type_TypeError, "%s() argument after ** must be a mapping, not %s",
                       shown, pychoral_type_name(seen));
        return;
    }
    const PychoralTable *from = *(PychoralTable *const *)seen.value;
    void *key, *value;
    for (uint32_t position = 0;
         pychoral_raised == NULL && pychoral_table_next(from, &position, &key, &value);) {
        PychoralRef name = pychoral_look(seen.type->key, key);
        if (name.type->kind == PYCHORAL_STR)
            pychoral_named_put(named, *(PychoralStr *const *)name.value,
                               (PychoralRef){seen.type->element, value}, shown);
        else
            pychoral_throw(&pychoral_type_TypeError, "keywords must be strings");
    }
}

// ---- parameters ----

// A call that is being sorted out.
typedef struct Binding {
    const char *name;
    size_t count, positional, before, more;  // parameters; of these by place, given so, further
    const PychoralParam *params;
    const PychoralTable *named;
    const PychoralAny **slots;
} Binding;

static bool has_kind(const Binding *b, PychoralParamKind kind)
{
    for (size_t i = 0; i < b->count; i++)
        if (b->params[i].kind == kind)
            return true;
    return false;
}

static bool is_named(const PychoralParam *p, const PychoralStr *name)
{
    return strlen(p->name) == name->size && memcmp(p->name, name->data, name->size) == 0;
}

// The parameter of a keyword; `count`: none.
static size_t param_of(size_t count, const PychoralParam *params, const PychoralStr *name)
{
    size_t i = 0;
    while (i < count && !((params[i].kind == PYCHORAL_PARAM_EITHER ||
                           params[i].kind == PYCHORAL_PARAM_KEYWORD) &&
                          is_named(&params[i], name)))
        i++;
    return i;
}

static bool is_by_place(const Binding *b, size_t i)
{
    return i < b->positional && i < b->before + b->more;
}

// Whether a keyword names what has its place only; then that has been raised.
static bool names_place(const Binding *b)
{
    char text[400] = "";
    size_t at = 0;
    for (size_t i = 0; i < b->count && at < sizeof text; i++) {
        PychoralStr *name = NULL;
        if (b->params[i].kind == PYCHORAL_PARAM_POSITIONAL)
            name = pychoral_str_new(b->params[i].name, strlen(b->params[i].name));
        if (name != NULL && pychoral_table_find(b->named, &name) != NULL)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", at == 0 ? "" : ", ",
                                   b->params[i].name);
        pychoral_release(&pychoral_type_str, &name);
    }
    if (at > 0)
        pychoral_throw(&pychoral_type_TypeError, "%s() got some positional-only arguments passed "
                       "as keyword arguments: '%s'", b->name, text);
    return at > 0;
}

static void bind_keyword(Binding *b, const char *module, const PychoralStr *name,
                         const PychoralAny *value)
{
    size_t i = param_of(b->count, b->params, name);
    if (i < b->count && b->params[i].given == PYCHORAL_BY_NAME)
        pychoral_throw(&pychoral_type_TypeError, "%s.%s() got multiple values for keyword argument "
                       "'%s'", module, b->name, b->params[i].name);
    else if (i < b->count && is_by_place(b, i))
        pychoral_throw(&pychoral_type_TypeError, "%s() got multiple values for argument '%s'",
                       b->name, b->params[i].name);
    else if (i < b->count)
        b->slots[i] = value;
    else if (!has_kind(b, PYCHORAL_PARAM_NAMED) && !names_place(b))
        pychoral_throw(&pychoral_type_TypeError, "%s() got an unexpected keyword argument '%.*s'",
                       b->name, (int)name->size, name->data);
}

static void bind_keywords(Binding *b, const char *module)
{
    void *key, *value;
    for (size_t i = 0; i < b->count && pychoral_raised == NULL; i++)
        if (b->params[i].given == PYCHORAL_BY_NAME && is_by_place(b, i))
            pychoral_throw(&pychoral_type_TypeError, "%s() got multiple values for argument '%s'",
                           b->name, b->params[i].name);
    for (uint32_t position = 0; b->named != NULL && pychoral_raised == NULL &&
                                pychoral_table_next(b->named, &position, &key, &value);)
        bind_keyword(b, module, text_at(key), value);
}

// ---- numbers of arguments ----

static void check_too_many(const Binding *b)
{
    size_t given = b->before + b->more, least = 0, keywords = 0;
    char also[80] = "";
    if (given <= b->positional || has_kind(b, PYCHORAL_PARAM_REST))
        return;
    for (size_t i = 0; i < b->count; i++) {
        const PychoralParam *p = &b->params[i];
        least += i < b->positional && p->required;
        keywords += p->kind == PYCHORAL_PARAM_KEYWORD && (p->given || b->slots[i] != NULL);
    }
    if (keywords > 0)
        snprintf(also, sizeof also, " positional argument%s (and %zu keyword-only argument%s)",
                 given == 1 ? "" : "s", keywords, keywords == 1 ? "" : "s");
    const char *were = given == 1 && keywords == 0 ? "was" : "were";
    if (least < b->positional)
        pychoral_throw(&pychoral_type_TypeError,
                       "%s() takes from %zu to %zu positional arguments but %zu%s %s given",
                       b->name, least, b->positional, given, also, were);
    else
        pychoral_throw(&pychoral_type_TypeError,
                       "%s() takes %zu positional argument%s but %zu%s %s given", b->name, least,
                       least == 1 ? "" : "s", given, also, were);
}

static bool is_missing(const Binding *b, size_t i, bool by_place)
{
    const PychoralParam *p = &b->params[i];
    return p->required && p->given == PYCHORAL_OPEN && b->slots[i] == NULL &&
           (by_place ? i < b->positional : p->kind == PYCHORAL_PARAM_KEYWORD);
}

static void check_missing(const Binding *b, bool by_place)
{
    size_t count = 0, seen = 0, at = 0;
    char text[400] = "";
    for (size_t i = 0; i < b->count; i++)
        count += is_missing(b, i, by_place);
    for (size_t i = 0; i < b->count && at < sizeof text; i++) {
        if (!is_missing(b, i, by_place))
            continue;
        const char *between = seen == 0 ? "" : seen + 1 < count ? ", " : count == 2 ? " and "
                                                                                  : ", and ";
        seen++;
        at += (size_t)snprintf(text + at, sizeof text - at, "%s'%s'", between, b->params[i].name);
    }
    if (count > 0)
        pychoral_throw(&pychoral_type_TypeError, "%s() missing %zu required %s argument%s: %s",
                       b->name, count, by_place ? "positional" : "keyword-only",
                       count == 1 ? "" : "s", text);
}

// ---- all ----

void pychoral_bind(const char *module, const char *name, size_t count, const PychoralParam *params,
                   const PychoralList *items, const PychoralTable *named,
                   const PychoralAny **slots)
{
    Binding b = {.name = name, .count = count, .params = params, .named = named, .slots = slots,
                 .more = items == NULL ? 0 : items->count};
    for (size_t i = 0; i < count; i++) {
        b.positional += params[i].kind <= PYCHORAL_PARAM_EITHER;
        b.before += params[i].given == PYCHORAL_BY_PLACE;
    }
    for (size_t i = 0; i < b.more && b.before + i < b.positional; i++)
        slots[b.before + i] = (const PychoralAny *)items->items + i;
    bind_keywords(&b, module);
    if (pychoral_raised == NULL)
        check_too_many(&b);
    if (pychoral_raised == NULL)
        check_missing(&b, true);
    if (pychoral_raised == NULL)
        check_missing(&b, false);
}

PychoralTable *pychoral_named_rest(const PychoralTable *named, size_t count,
                                   const PychoralParam *params, const PychoralType *row)
{
    PychoralTable *rest = pychoral_table_make(row, 0);
    void *key, *value;
    for (uint32_t position = 0;
         pychoral_raised == NULL && pychoral_table_next(named, &position, &key, &value);)
        if (param_of(count, params, text_at(key)) == count)
            pychoral_table_insert(rest, (PychoralRef){&pychoral_type_str, key},
                                  (PychoralRef){named->object.type->element, value});
    if (pychoral_raised == NULL)
        return rest;
    pychoral_release(row, &rest);
    return NULL;
}
