// c_rep.c - how each static type stands in C: its representation, and the row and the struct that
// the program has for it (runtime/c/value.h).

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/emit/c/c_internal.h"
#include "compiler/emit/python.h"
#include "compiler/ir/ty.h"

// ---- making them ----

static Rep *rep_new(CEmit *c, RepKind kind, const char *key)
{
    Rep *r = ARENA_NEW(c->arena, Rep);
    *r = (Rep){.kind = kind, .key = key};
    table_set(c->reps, names_get(c->names, key), r);
    vec_push(c->arena, &c->rep_order, r);
    return r;
}

static const Rep *rep_known(CEmit *c, const char *key)
{
    return table_get(c->reps, names_get(c->names, key));
}

typedef struct Plain { const char *key; RepKind kind; const char *name, *type, *row, *drop, *keep; }
    Plain;

static const Plain PLAIN[] = {
    {"None", REP_NONE, "none", "PychoralNone ", "&pychoral_type_none", NULL, NULL},
    {"bool", REP_BOOL, "bool", "bool ", "&pychoral_type_bool", NULL, NULL},
    {"int", REP_INT, "int", "PychoralInt ", "&pychoral_type_int", "int", "pychoral_keep_int"},
    {"float", REP_FLOAT, "float", "double ", "&pychoral_type_float", NULL, NULL},
    {"complex", REP_COMPLEX, "complex", "PychoralComplex ", "&pychoral_type_complex", NULL, NULL},
    {"str", REP_STR, "str", "PychoralStr *", "&pychoral_type_str", "str", "PYCHORAL_KEEP"},
    {"bytes", REP_BYTES, "bytes", "PychoralBytes *", "&pychoral_type_bytes", "str",
     "PYCHORAL_KEEP"},
    {"range", REP_RANGE, "range", "PychoralRange *", "&pychoral_type_range", "object",
     "PYCHORAL_KEEP"},
    {"object", REP_OBJECT, "object", "PychoralAny ", "&type_object", "any",
     "pychoral_keep_any"},
    {"Channel", REP_CHANNEL, "channel", "uint32_t ", "&pychoral_type_channel", NULL, NULL},
};

static const Rep *rep_plain(CEmit *c, const Plain *row)
{
    Rep *r = rep_new(c, row->kind, row->key);
    r->name = row->name;
    r->type = row->type;
    r->row = row->row;
    r->drop = row->drop;
    r->keep = row->keep;
    return r;
}

// A name for C out of a type as Python writes it: "dict[str, list[int]]" is dict_str_list_int.
static const char *c_name_of_key(CEmit *c, const char *key)
{
    char *name = arena_alloc(c->arena, strlen(key) * 2 + 1), *to = name;
    for (const char *at = key; *at; at++) {
        bool word = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z')
                    || (*at >= '0' && *at <= '9') || *at == '_';
        if (word)
            *to++ = *at;
        else if (*at == '.' && at[1] == '.')
            *to++ = 'n';
        else if (to > name && to[-1] != '_' && *at != ' ')
            *to++ = '_';
    }
    while (to > name && to[-1] == '_')
        to--;
    *to = '\0';
    if (strlen(name) > 60)
        name[60] = '\0';
    return c_unique(c, name);
}

static void name_rep(CEmit *c, Rep *r)
{
    r->name = c_name_of_key(c, r->key);
    r->row = c_text(c, "&type_%s", r->name);
}

static Rep *rep_pointed(CEmit *c, RepKind kind, const char *key, const char *type)
{
    Rep *r = rep_new(c, kind, key);
    name_rep(c, r);
    r->type = type;
    r->drop = "object";
    r->keep = "PYCHORAL_KEEP";
    return r;
}

static const char *keys_of(CEmit *c, const Rep *const *parts, size_t count)
{
    const char *all = "";
    for (size_t i = 0; i < count; i++)
        all = c_text(c, "%s%s%s", all, i ? ", " : "", parts[i]->key);
    return all;
}

static const Rep *rep_of_items(CEmit *c, RepKind kind, const char *key, const char *type,
                               const Rep *element)
{
    const Rep *known = rep_known(c, key);
    if (known != NULL)
        return known;
    Rep *r = rep_pointed(c, kind, key, type);
    r->element = element;
    return r;
}

const Rep *rep_list(CEmit *c, const Rep *element)
{
    return rep_of_items(c, REP_LIST, c_text(c, "list[%s]", element->key), "PychoralList *",
                        element);
}

const Rep *rep_sequence(CEmit *c, const Rep *element)
{
    return rep_of_items(c, REP_SEQUENCE, c_text(c, "tuple[%s, ...]", element->key),
                        "PychoralList *", element);
}

const Rep *rep_deque(CEmit *c, const Rep *element)
{
    (void)rep_list(c, element);                 // what its items stand in
    return rep_of_items(c, REP_DEQUE, c_text(c, "deque[%s]", element->key), "PychoralDeque *",
                        element);
}

const Rep *rep_cell(CEmit *c, const Rep *of)
{
    return rep_of_items(c, REP_CELL, c_text(c, "cell[%s]", of->key), "PychoralBox *", of);
}

// One of nothing but None is one of anything: its items need room.
const Rep *rep_iterator(CEmit *c, const Rep *element)
{
    if (element->kind == REP_NONE)
        element = rep_named(c, "object");
    return rep_of_items(c, REP_ITERATOR, c_text(c, "Iterator[%s]", element->key),
                        "PychoralIterator *", element);
}

const Rep *rep_dict(CEmit *c, const Rep *key_rep, const Rep *value)
{
    const char *key = c_text(c, "dict[%s, %s]", key_rep->key, value->key);
    const Rep *known = rep_known(c, key);
    if (known != NULL)
        return known;
    Rep *r = rep_pointed(c, REP_DICT, key, "PychoralTable *");
    r->key_rep = key_rep;
    r->element = value;
    return r;
}

const Rep *rep_set(CEmit *c, RepKind kind, const Rep *element)
{
    const char *name = kind == REP_SET ? "set" : "frozenset";
    return rep_of_items(c, kind, c_text(c, "%s[%s]", name, element->key), "PychoralTable *",
                        element);
}

static bool any_refers(const Rep *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (parts[i]->drop != NULL)
            return true;
    return false;
}

// A tuple or a union: a struct in place.
static Rep *rep_struct(CEmit *c, RepKind kind, const char *key, const Rep **parts, size_t count)
{
    Rep *r = rep_new(c, kind, key);
    name_rep(c, r);
    r->parts = parts;
    r->count = count;
    r->type = c_text(c, "%s ", r->name);
    if (any_refers(parts, count)) {
        r->drop = r->name;
        r->keep = c_text(c, "keep_%s", r->name);
    }
    return r;
}

const Rep *rep_tuple(CEmit *c, const Rep **parts, size_t count)
{
    const char *key = count ? c_text(c, "tuple[%s]", keys_of(c, parts, count)) : "tuple[()]";
    const Rep *known = rep_known(c, key);
    return known != NULL ? known : rep_struct(c, REP_TUPLE, key, parts, count);
}

static int by_key(const void *x, const void *y)
{
    const Rep *a = *(const Rep *const *)x, *b = *(const Rep *const *)y;
    int none = (b->kind == REP_NONE) - (a->kind == REP_NONE);
    return none != 0 ? none : strcmp(a->key, b->key);
}

static void add_part(CEmit *c, const Rep **parts, size_t *count, const Rep *part)
{
    if (part->kind == REP_UNION) {
        for (size_t i = 0; i < part->count; i++)
            add_part(c, parts, count, part->parts[i]);
        return;
    }
    for (size_t i = 0; i < *count; i++)
        if (parts[i] == part)
            return;
    parts[(*count)++] = part;
}

static bool any_abstract(const Rep *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (parts[i]->abstract)
            return true;
    return false;
}

// Of unions that differ only in the names of their abstract types each is one of its own.
static const char *key_of_union(CEmit *c, const Rep **given, size_t n, const Rep **parts,
                                size_t count)
{
    if (any_abstract(given, n)) {
        parts = memcpy(ARENA_ARRAY(c->arena, const Rep *, n), given, n * sizeof *given);
        qsort(parts, count = n, sizeof *parts, by_key);
    }
    return count == 2 && parts[0]->kind == REP_NONE
        ? c_text(c, "Optional[%s]", parts[1]->key)
        : c_text(c, "Union[%s]", keys_of(c, parts, count));
}

static const Rep *rep_of_members(CEmit *c, const char *name, const char *said, const Rep **given,
                                 size_t n)
{
    size_t count = 0, room = 0;
    for (size_t i = 0; i < n; i++)
        room += given[i]->kind == REP_UNION ? given[i]->count : 1;
    const Rep **parts = ARENA_ARRAY(c->arena, const Rep *, room + 1);
    for (size_t i = 0; i < n; i++)
        add_part(c, parts, &count, given[i]);
    for (size_t i = 0; i < count; i++)
        if (parts[i]->kind == REP_OBJECT)
            return parts[i];
    if (count == 1 && name == NULL)
        return parts[0];
    qsort(parts, count, sizeof *parts, by_key);
    const char *key = name != NULL ? name : key_of_union(c, given, n, parts, count);
    const Rep *known = rep_known(c, key);
    if (known != NULL)
        return known;
    Rep *r = rep_struct(c, REP_UNION, key, parts, count);
    r->abstract = name != NULL || any_abstract(given, n);
    r->said = said != NULL ? said : c_union_name(c, given, n);
    return r;
}

const Rep *rep_union_said(CEmit *c, const char *said, const Rep **given, size_t n)
{
    return rep_of_members(c, NULL, said, given, n);
}

const Rep *rep_union(CEmit *c, const Rep **given, size_t n)
{
    return rep_union_said(c, NULL, given, n);
}

const Rep *rep_abstract(CEmit *c, const char *name, const Rep *const *args, size_t count,
                        const Rep **members, size_t n)
{
    const char *key = c_text(c, "%s[%s]", name, keys_of(c, args, count));
    const char *said = c_text(c, "%s[%s]", name, c_type_names(c, args, count));
    return rep_of_members(c, key, said, members, n);
}

const Rep *rep_admitting(CEmit *c, const Rep *wire)
{
    const char *key = c_text(c, "object of %s", wire->key);
    const Rep *known = rep_known(c, key), **one = ARENA_NEW(c->arena, const Rep *);
    if (known != NULL)
        return known;
    Rep *r = rep_new(c, REP_OBJECT, key);
    name_rep(c, r);
    r->said = c_type_name(c, wire);
    *one = wire;
    r->type = "PychoralAny ";
    r->parts = wire->kind == REP_UNION ? wire->parts : one;
    r->count = wire->kind == REP_UNION ? wire->count : 1;
    return r;
}

Rep *rep_kept_as(CEmit *c, const Rep *of, const char *key, bool *known)
{
    Rep *r = table_get(c->reps, names_get(c->names, key));
    *known = r != NULL;
    if (*known)
        return r;
    r = rep_new(c, of->kind, key);
    name_rep(c, r);
    r->type = of->type;
    r->drop = of->drop;
    r->keep = of->keep;
    r->element = of;
    r->checked = true;
    return r;
}

const Rep *rep_function(CEmit *c, const Rep **params, size_t count, const Rep *result)
{
    const char *key = c_text(c, "Callable[[%s], %s]", keys_of(c, params, count), result->key);
    const Rep *known = rep_known(c, key);
    if (known != NULL)
        return known;
    Rep *r = rep_pointed(c, REP_FUNCTION, key, "PychoralFunction *");
    r->parts = params;
    r->count = count;
    r->element = result;
    return r;
}

static bool is_plain(const char *key)
{
    for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++)
        if (strcmp(PLAIN[i].key, key) == 0)
            return true;
    return false;
}

const Rep *rep_class(CEmit *c, CClass *class_)
{
    const char *key = is_plain(class_->c_name) ? c_text(c, "__main__.%s", class_->c_name)
                                               : class_->c_name;
    const Rep *known = rep_known(c, key);
    if (known != NULL)
        return known;
    Rep *r = rep_new(c, class_->is_enum ? REP_ENUM : REP_CLASS, key);
    r->name = class_->c_name;
    r->row = c_text(c, "&%s", class_->row);
    r->class_ = class_;
    if (class_->is_enum) {
        r->type = "uint32_t ";
    } else {
        r->type = class_->is_exception && class_->def == NULL ? "PychoralException *"
                                                              : c_text(c, "%s *", class_->c_name);
        r->drop = "object";
        r->keep = "PYCHORAL_KEEP";
    }
    return r;
}

typedef struct Foreign { const char *key, *type, *row; } Foreign;

static const Foreign FOREIGN[] = {
#define CLASS(name, type, row) {name, #type " *", "&" #row},
#include "compiler/emit/c_prim/classes.def"
#undef CLASS
    {NULL, NULL, NULL},
};

static const Rep *rep_foreign(CEmit *c, const char *name)
{
    const Rep *known = rep_known(c, name);
    if (known != NULL)
        return known;
    for (const Foreign *f = FOREIGN; f->key != NULL; f++)
        if (strcmp(f->key, name) == 0) {
            Rep *r = rep_new(c, REP_FOREIGN, name);
            r->name = c_name_of_key(c, name);
            r->type = f->type;
            r->row = f->row;
            r->drop = "object";
            r->keep = "PYCHORAL_KEEP";
            return r;
        }
    return NULL;
}

const Rep *rep_class_value(CEmit *c) { return rep_foreign(c, "type"); }

const Rep *rep_manager(CEmit *c)
{
    return rep_foreign(c, "contextlib._GeneratorContextManager");
}

const Rep *rep_optional_part(const Rep *r)
{
    return r->kind == REP_UNION && r->count == 2 && r->parts[0]->kind == REP_NONE ? r->parts[1]
                                                                                  : NULL;
}

bool rep_is_open(const Rep *r)
{
    bool mutable = r->kind == REP_LIST || r->kind == REP_SET || r->kind == REP_DICT;
    return mutable && r->element->kind == REP_OBJECT
           && (r->key_rep == NULL || r->key_rep->kind == REP_OBJECT);
}

bool rep_passed(const Rep *r) { return r->kind != REP_NONE; }

const char *rep_zero(CEmit *c, const Rep *r)
{
    switch (r->kind) {
    case REP_NONE: case REP_ENUM: case REP_CHANNEL: return "0";
    case REP_BOOL: return "false";
    case REP_FLOAT: return "0.0";
    case REP_INT: case REP_COMPLEX: case REP_TUPLE: case REP_UNION: case REP_OBJECT:
        return c_text(c, "(%s){0}", c_text(c, "%.*s", (int)strcspn(r->type, " "), r->type));
    case REP_STR: case REP_BYTES: case REP_LIST: case REP_SEQUENCE: case REP_DICT: case REP_SET:
    case REP_FROZENSET: case REP_CLASS: case REP_FUNCTION: case REP_ITERATOR: case REP_RANGE:
    case REP_CELL: case REP_FOREIGN: case REP_DEQUE:
        return "NULL";
    }
    return "0";
}

// ---- of types ----

const Ty *c_ty(CEmit *c, const Ty *t)
{
    while (t != NULL && (t->kind == TY_PLACED || t->kind == TY_TYPE_VAR)) {
        if (t->kind == TY_PLACED) {
            t = t->placed.of;
            continue;
        }
        const Ty *by = c->substitution ? table_get(c->substitution, t->type_var.name) : NULL;
        if (by == NULL && sym_is(t->type_var.name, "Self") && c->self != NULL)
            return c->self;
        if (by == NULL || by == t)
            return t;
        t = by;
    }
    return t;
}

static const Rep *refuse_type(CEmit *c, Span at, const Ty *t)
{
    Buf b = buf_new(c->arena);
    if (t != NULL)
        emit_ty(&b, t);
    if (t == NULL)
        c_refuse(c, at, "the C target cannot infer the type of this expression, which may be "
                 "unreachable");
    else if (t->kind == TY_ANY || t->kind == TY_POISON)
        c_refuse(c, at, "the type of this expression is not known (`Any`), but the C target needs "
                 "it\ndeclare the type");
    else
        c_refuse(c, at, "the C target does not support values of type `%s`", buf_text(&b));
    return rep_named(c, "object");
}

static bool is_one_of(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(name, *list) == 0)
            return true;
    return false;
}

const Rep **c_reps(CEmit *c, TyList list, RepOf *of, Span at)
{
    const Rep **parts = ARENA_ARRAY(c->arena, const Rep *, list.len + 1);
    for (size_t i = 0; i < list.len; i++)
        parts[i] = of(c, list.at[i], at);
    return parts;
}

static const Rep **reps_of(CEmit *c, TyList list, Span at) { return c_reps(c, list, rep_of, at); }

// The arguments of `list`, or of `dict`, where none are written.
static TyList anything(CEmit *c, bool is_dict)
{
    const Ty **items = ARENA_ARRAY(c->arena, const Ty *, 2);
    items[0] = items[1] = ty_any(c->arena);
    return (TyList){items, is_dict ? 2 : 1};
}

// Of a class or an alias that the program has; NULL: it has none of that name.
static const Rep *rep_of_program(CEmit *c, const Ty *t, Span at)
{
    const CName *n = c_global(c, t->named.name);
    if (n != NULL && n->kind == CNAME_TYPE && n->ty != NULL)
        return rep_of(c, c_annotation(c, n->ty), at);
    CClass *class_ = c_class_of(c, t->named.name, t->named.args);
    return class_ == NULL ? NULL
        : class_->is_protocol ? rep_named(c, "object") : rep_class(c, class_);
}

// A class derived from TypedDict, or one that the runtime has.
static const Rep *rep_of_other(CEmit *c, const Ty *t, Span at)
{
    const CName *alias = c_global(c, t->named.name);
    if (alias != NULL && alias->kind == CNAME_TYPE && alias->ty != NULL)
        return rep_of(c, c_annotation(c, alias->ty), at);
    TyList args = t->named.args;
    if (sym_is(t->named.name, "collections.deque") && args.len <= 1)
        return rep_deque(c, args.len ? rep_of(c, args.at[0], at) : rep_named(c, "object"));
    if (sym_is(t->named.name, "collections.Counter") && args.len <= 1)
        return rep_dict(c, args.len ? rep_of(c, args.at[0], at) : rep_named(c, "object"),
                        rep_named(c, "int"));
    const Rep *foreign = rep_foreign(c, t->named.name);
    return foreign != NULL ? foreign : refuse_type(c, at, t);
}

static bool is_never(CEmit *c, TyList args)
{
    bool never = true;
    for (size_t i = 0; i < args.len; i++) {
        const Ty *t = c_ty(c, args.at[i]);
        never = never && t != NULL && t->kind == TY_NAMED
                && (strcmp(t->named.name, "NoReturn") == 0 || strcmp(t->named.name, "Never") == 0);
    }
    return never;
}

// What is walked only once, and the views of a dict; NULL: it is something else.
static const Rep *rep_of_iterator(CEmit *c, const char *name, TyList args, Span at)
{
    static const char *const ITERATORS[] = {
        "Iterator", "Generator", "enumerate", "zip", "map", "filter", "reversed", "dict_keys",
        "dict_values", "dict_items", "KeysView", "ValuesView", "ItemsView", NULL};
    static const char *const OF_TUPLES[] = {"itertools.combinations", "itertools.permutations",
                                            "itertools.combinations_with_replacement", NULL};
    if (args.len == 2 && (strcmp(name, "dict_items") == 0 || strcmp(name, "ItemsView") == 0))
        return rep_iterator(c, rep_tuple(c, reps_of(c, args, at), 2));
    if (args.len == 2 && (strcmp(name, "dict_values") == 0 || strcmp(name, "ValuesView") == 0))
        return rep_iterator(c, rep_of(c, args.at[1], at));
    if (args.len == 1 && strcmp(name, "enumerate") == 0) {
        const Rep **parts = ARENA_ARRAY(c->arena, const Rep *, 2);
        parts[0] = rep_named(c, "int");
        parts[1] = rep_of(c, args.at[0], at);
        return rep_iterator(c, rep_tuple(c, parts, 2));
    }
    if (args.len == 0 || !(is_one_of(name, ITERATORS) || strncmp(name, "itertools.", 10) == 0))
        return NULL;
    const Rep *item = rep_of(c, args.at[0], at);
    return rep_iterator(c, is_one_of(name, OF_TUPLES) ? rep_sequence(c, item) : item);
}

static const Rep *rep_of_named(CEmit *c, const Ty *t, Span at)
{
    static const char *const OPEN[] = {"Container", "Sized", "Hashable", "object", NULL};
    static const char *const BARE[] = {"list", "tuple", "dict", "set", "frozenset", NULL};
    static const char *const NOTHING[] = {"Unit", "NoReturn", "Never", NULL};
    static const char BUILTINS[] = "builtins.";         // the file has another one of this name
    bool hidden = strncmp(t->named.name, BUILTINS, sizeof BUILTINS - 1) == 0;
    const char *name = t->named.name + (hidden ? sizeof BUILTINS - 1 : 0);
    TyList args = t->named.args;
    const Rep *own = hidden ? NULL : rep_of_program(c, t, at);
    if (own != NULL)
        return own;
    if (is_one_of(name, NOTHING))
        return rep_named(c, "None");
    if (is_plain(name) || sym_is(name, "LiteralString"))
        return rep_named(c, is_plain(name) ? name : "str");
    if (args.len == 0 && is_one_of(name, BARE))     // of anything
        return rep_of_named(c, ty_named(c->arena, t->named.name, anything(c, name[0] == 'd')), at);
    if (args.len > 0 && is_one_of(name, BARE) && is_never(c, args))
        args = anything(c, name[0] == 'd');         // an empty one
    if (strcmp(name, "list") == 0 && args.len == 1)
        return rep_list(c, rep_of(c, args.at[0], at));
    bool filled = strcmp(name, "collections.defaultdict") == 0;  // a dict whose table knows more
    if ((filled || strcmp(name, "dict") == 0) && args.len == 2) {
        const Rep *key = rep_of(c, args.at[0], at);
        return rep_dict(c, key, rep_of(c, args.at[1], at));
    }
    if ((strcmp(name, "set") == 0 || strcmp(name, "frozenset") == 0) && args.len == 1)
        return rep_set(c, name[0] == 's' ? REP_SET : REP_FROZENSET, rep_of(c, args.at[0], at));
    if (ty_is_open_tuple(t->named.name, args))
        return rep_sequence(c, rep_of(c, args.at[0], at));
    if (strcmp(name, "contextlib.nullcontext") == 0)
        return refuse_type(c, at, t);
    const Rep *iterator = rep_of_iterator(c, name, args, at);
    if (iterator != NULL)
        return iterator;
    if (c_is_abstract(name) || is_one_of(name, OPEN))
        return rep_named(c, "object");
    if (strstr(name, "Supports") != NULL)           // protocols of the stubs
        return rep_named(c, "object");
    return rep_of_other(c, t, at);
}

static const Rep *rep_of_literal(CEmit *c, const Const *value, Span at)
{
    switch (value->kind) {
    case CONST_NONE: return rep_named(c, "None");
    case CONST_BOOL: return rep_named(c, "bool");
    case CONST_INT: return rep_named(c, "int");
    case CONST_FLOAT: return rep_named(c, "float");
    case CONST_COMPLEX: return rep_named(c, "complex");
    case CONST_STR: return rep_named(c, "str");
    case CONST_BYTES: return rep_named(c, "bytes");
    case CONST_ELLIPSIS: break;
    }
    return refuse_type(c, at, NULL);
}

// What has no value in C is no parameter.
static const Rep *rep_of_callable(CEmit *c, const Ty *t, Span at)
{
    for (size_t i = 0; i < t->callable.params.len; i++)
        if (t->callable.params.at[i]->kind == TY_POISON) {      // `...`
            (void)c_refuse(c, at, "the type of this value, `Callable[..., T]`, does not declare "
                           "parameter types, but the C target needs them\ndeclare them, as in "
                           "`Callable[[int, str], T]`");
            return rep_named(c, "object");
        }
    const Rep **parts = reps_of(c, t->callable.params, at);
    size_t n = 0;
    for (size_t i = 0; i < t->callable.params.len; i++)
        if (rep_passed(parts[i]))
            parts[n++] = parts[i];
    return rep_function(c, parts, n, rep_of(c, t->callable.result, at));
}

const Rep *rep_of(CEmit *c, const Ty *t, Span at)
{
    t = c_ty(c, t);
    if (t == NULL)
        return refuse_type(c, at, t);
    switch (t->kind) {
    case TY_NONE_TYPE: return rep_named(c, "None");
    case TY_NAMED: return rep_of_named(c, t, at);
    case TY_INST: {
        CClass *class_ = c_class_of(c, t->inst.name, t->inst.args);
        return class_ != NULL ? rep_class(c, class_) : rep_named(c, "Channel");
    }
    case TY_TUPLE: return rep_tuple(c, reps_of(c, t->tuple.items, at), t->tuple.items.len);
    case TY_UNION:
        if (t->union_.items.len == 0)
            return rep_named(c, "None");
        return rep_union(c, reps_of(c, t->union_.items, at), t->union_.items.len);
    case TY_CALLABLE: return rep_of_callable(c, t, at);
    case TY_LITERAL: return rep_of_literal(c, t->literal.value, at);
    case TY_ANY: case TY_TYPE_VAR: return rep_named(c, "object");
    case TY_POISON: case TY_PLACED: case TY_COUNT: break;
    }
    return refuse_type(c, at, t);
}

const Rep *rep_or_object(CEmit *c, const Expr *e)
{
    const Ty *t = e->ty ? c_ty(c, e->ty) : NULL;
    return t == NULL || t->kind == TY_ANY || t->kind == TY_POISON ? rep_named(c, "object")
                                                                  : rep_of(c, t, e->at);
}

// A type by its text, of builtin types only: for results of builtin functions.
const Rep *rep_named(CEmit *c, const char *key)
{
    const Rep *known = rep_known(c, key);
    if (known != NULL)
        return known;
    for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++)
        if (strcmp(PLAIN[i].key, key) == 0)
            return rep_plain(c, &PLAIN[i]);
    size_t len = strlen(key);
    if (strncmp(key, "list[", 5) == 0)
        return rep_list(c, rep_named(c, c_text(c, "%.*s", (int)(len - 6), key + 5)));
    return rep_foreign(c, key);
}

// ---- printing them ----

static const char *part_type(const Rep *r) { return r->type; }

static void print_tuple_type(Buf *b, const Rep *r)
{
    buf_printf(b, "// %s\ntypedef struct %s {\n", r->key, r->name);
    bool few = r->count <= 3;
    for (size_t i = 0; i < r->count; i++)
        buf_printf(b, "%s%sitem%zu;%s", few && i > 0 ? " " : "    ", part_type(r->parts[i]), i,
                   few && i + 1 < r->count ? "" : "\n");
    if (r->count == 0)
        buf_puts(b, "    char nothing;\n");
    buf_printf(b, "} %s;\n\n", r->name);
}

static void print_union_type(Buf *b, const Rep *r)
{
    bool few = r->count <= 2;
    buf_printf(b, "// %s\ntypedef struct %s {\n    uint32_t is;     // which member it is, from 0\n"
               "    union {%s", r->key, r->name, few ? "" : "\n");
    for (size_t i = 0; i < r->count; i++)
        buf_printf(b, "%s%sas_%s;%s", few ? " " : "        ", part_type(r->parts[i]),
                   r->parts[i]->name, few ? "" : "\n");
    buf_printf(b, "%s};\n} %s;\n\n", few ? " " : "    ", r->name);
}

void c_print_struct(Buf *b, const Rep *r)
{
    if (r->kind == REP_TUPLE && !r->checked)
        print_tuple_type(b, r);
    else if (r->kind == REP_UNION && !r->checked)
        print_union_type(b, r);
}

static void print_fields(CEmit *c, Buf *b, const Rep *r)
{
    if (r->count == 0)
        return;
    buf_printf(b, "static const PychoralField fields_%s[] = {\n", r->name);
    for (size_t i = 0; i < r->count; i++) {
        const Rep *part = r->parts[i];
        buf_printf(b, "    {.type = %s", part->row);
        if (r->checked)
            buf_printf(b, ", .name = %s", c_literal(c, (Text){r->names[i], strlen(r->names[i])}));
        else if (r->kind == REP_TUPLE)
            buf_printf(b, ", .offset = offsetof(%s, item%zu)", r->name, i);
        else if (r->kind == REP_UNION)
            buf_printf(b, ", .offset = offsetof(%s, as_%s)", r->name, part->name);
        buf_puts(b, "},\n");
    }
    buf_puts(b, "};\n");
}

static const char *kind_constant(const Rep *r)
{
    if (r->checked)
        return "LITERAL";
    switch (r->kind) {
    case REP_LIST: return "LIST";
    case REP_SEQUENCE: return "SEQUENCE";
    case REP_TUPLE: return "TUPLE";
    case REP_DICT: return "DICT";
    case REP_SET: return "SET";
    case REP_FROZENSET: return "FROZENSET";
    case REP_UNION: return "UNION";
    case REP_FUNCTION: return "FUNCTION";
    case REP_ITERATOR: return "ITERATOR";
    case REP_CELL: return "BOX";
    case REP_NONE: case REP_BOOL: case REP_INT: case REP_FLOAT: case REP_COMPLEX: case REP_STR:
    case REP_BYTES: case REP_ENUM: case REP_CLASS: case REP_RANGE: case REP_CHANNEL:
    case REP_FOREIGN: return NULL;
    case REP_OBJECT: return r->parts != NULL ? "OBJECT" : NULL;
    case REP_DEQUE: return "DATACLASS";
    }
    return NULL;
}

static void print_deque_row(CEmit *c, Buf *b, const Rep *r)
{
    buf_printf(b, "static const PychoralField fields_%s[] = {PYCHORAL_DEQUE_FIELD(%s)};\n"
               "PYCHORAL_ROW type_%s = PYCHORAL_DEQUE_ROW(fields_%s);\n", r->name,
               rep_list(c, r->element)->row, r->name, r->name);
}

static void print_row(CEmit *c, Buf *b, const Rep *r)
{
    if (r->parts != NULL)
        print_fields(c, b, r);
    const char *shown = c_type_name(c, r);
    buf_printf(b, "PYCHORAL_ROW type_%s = {.kind = PYCHORAL_%s, .size = sizeof(%.*s),\n"
               "    .name = %s", r->name, kind_constant(r),
               (int)(strlen(r->type) - (r->type[strlen(r->type) - 1] == ' ')), r->type,
               c_literal(c, (Text){shown, strlen(shown)}));
    if (r->literals != NULL)
        buf_printf(b, ", .count = %zu, .literals = (%sconst[]){%s}", r->literal_count,
                   r->type, r->literals);
    if (r->parts != NULL && r->count > 0)
        buf_printf(b, ", .count = %zu, .fields = fields_%s", r->count, r->name);
    if (r->element != NULL)
        buf_printf(b, ", .element = %s", r->element->row);
    if (r->key_rep != NULL)
        buf_printf(b, ", .key = %s", r->key_rep->row);
    if (r->kind == REP_CELL && c_is_cyclic_cell(r->element))
        buf_puts(b, ", .flags = PYCHORAL_CYCLIC");
    if (r->kind == REP_OBJECT || r->reduced)
        buf_printf(b, ", .flags = PYCHORAL_ADMITS%s",
                   c_is_read_back(c, r) ? " | PYCHORAL_CONVERTS" : "");
    buf_puts(b, "};\n");
}

// A line for each part of a tuple or union that refers to something.
static void print_each(CEmit *c, Buf *b, const Rep *r, const char *value, bool keeps)
{
    for (size_t i = 0; i < r->count; i++) {
        const Rep *part = r->parts[i];
        if (part->drop == NULL)
            continue;
        const char *place = r->kind == REP_TUPLE ? c_text(c, "%sitem%zu", value, i)
            : c_text(c, "%sas_%s", value, part->name);
        if (r->kind == REP_UNION)
            buf_printf(b, "    if (%sis == %zu) ", value, i);
        else
            buf_puts(b, "    ");
        if (keeps)
            buf_printf(b, "(void)%s(%s);\n", part->keep, place);
        else
            buf_printf(b, "pychoral_drop_%s(&%s);\n", part->drop, place);
    }
}

enum { MOST_INLINE = 4 };       // parts of what is kept and let go of in the place

// How tuples and unions are kept and let go of.
static void print_helpers(CEmit *c, Buf *b, const Rep *r)
{
    if (r->drop == NULL || r->drop != r->name)
        return;
    const char *kind = r->count <= MOST_INLINE ? "PYCHORAL_HOT" : "PYCHORAL_HELPER";
    buf_printf(b, "%s void pychoral_drop_%s(void *variable)\n{\n    %s *value = variable;\n",
               kind, r->name, r->name);
    print_each(c, b, r, "value->", false);
    buf_printf(b, "}\n%s %s keep_%s(%s value)\n{\n", kind, r->name, r->name, r->name);
    print_each(c, b, r, "value.", true);
    buf_puts(b, "    return value;\n}\n");
}

static void print_object_row(CEmit *c, Buf *b)
{
    size_t count = 0;
    const Rep *const *parts = c->receives_any ? c_object_parts(c, &count) : NULL;
    if (count > 0) {
        buf_puts(b, "static const PychoralField fields_object[] = {\n");
        for (size_t i = 0; i < count; i++)
            buf_printf(b, "    {.type = %s},\n", parts[i]->row);
        buf_puts(b, "};\n");
    }
    buf_puts(b, "PYCHORAL_ROW type_object = {.kind = PYCHORAL_OBJECT, "
                ".size = sizeof(PychoralAny),\n    .name = \"object\"");
    if (count > 0)
        buf_printf(b, ", .count = %zu, .fields = fields_object", count);
    buf_puts(b, "};\n");
}

// A type's row and helpers.
typedef struct RowText { const char *name; Buf text; bool used; } RowText;

static bool mentions(CEmit *c, Table *words, const char *name)
{
    const char *const names[] = {c_text(c, "type_%s", name), c_text(c, "keep_%s", name), name};
    size_t count = strcmp(name, "object") == 0 ? 1 : 3;     // PYCHORAL_OWNED(object) is any class
    for (size_t i = 0; i < count; i++)
        if (table_get(words, names_get(c->names, names[i])) != NULL)
            return true;
    return false;
}

// Marks the rows that a text mentions, and those that these do.
static void use_rows(CEmit *c, RowText *rows, size_t count, Buf *text)
{
    Table *words = c_words_read(c, buf_text(text));
    for (size_t i = 0; i < count; i++)
        if (!rows[i].used && rows[i].text.len > 0 && mentions(c, words, rows[i].name)) {
            rows[i].used = true;
            use_rows(c, rows, count, &rows[i].text);
        }
}

void c_print_forward(Buf *b, const char *row, size_t *column)
{
    enum { WIDTH = 100 };
    bool more = *column > 0 && *column + strlen(row) + 3 <= WIDTH;
    if (more)
        b->len -= strlen(";\n");
    size_t before = more ? *column : 0, start = b->len;
    buf_printf(b, "%s%s;\n", more ? ", " : "PYCHORAL_ROW ", row);
    *column = before + b->len - start;
}

void c_print_reps(CEmit *c, Buf *types, Buf *rows, Buf *rest)
{
    RowText object = {"object", buf_new(c->arena), false};
    print_object_row(c, &object.text);
    size_t count = 0, column = 0;
    RowText *texts = ARENA_ARRAY(c->arena, RowText, c->rep_order.len + 1);
    texts[count++] = object;
    for (size_t i = 0; i < c->rep_order.len; i++) {
        const Rep *r = c->rep_order.at[i];
        if (table_get(c->in_headers, r) == NULL)
            c_print_struct(types, r);
        if (kind_constant(r) == NULL)
            continue;
        RowText *own = &texts[count++];
        *own = (RowText){r->name, buf_new(c->arena), false};
        if (r->kind == REP_DEQUE)
            print_deque_row(c, &own->text, r);
        else
            print_row(c, &own->text, r);
        print_helpers(c, &own->text, r);
    }
    use_rows(c, texts, count, rest);
    for (size_t i = 0; i < count; i++)
        if (texts[i].used)
            c_print_forward(rows, c_text(c, "type_%s", texts[i].name), &column);
    for (size_t i = 0; i < count; i++)
        if (texts[i].used)
            buf_write(rows, texts[i].text.at, texts[i].text.len);
}
