// c_type_name.c - representations as messages name them: as the program writes their types.

#include "compiler/emit/c/c_internal.h"

const char *c_type_names(CEmit *c, const Rep *const *parts, size_t count)
{
    const char *all = "";
    for (size_t i = 0; i < count; i++)
        all = c_text(c, "%s%s%s", all, i ? ", " : "", c_type_name(c, parts[i]));
    return all;
}

const char *c_class_name(CEmit *c, const CClass *k)
{
    const Rep **parts = ARENA_ARRAY(c->arena, const Rep *, k->args.len + 1);
    for (size_t i = 0; i < k->args.len; i++)
        parts[i] = rep_of_wire(c, k->args.at[i], k->def->at);
    const char *name = c_qualname(c, k);
    return k->args.len == 0 ? name : c_text(c, "%s[%s]", name, c_type_names(c, parts, k->args.len));
}

static const char *of_items(CEmit *c, const char *name, const Rep *r)
{
    return c_text(c, "%s[%s]", name, c_type_name(c, r->element));
}

// As the source has them in order; what is one representation is named once.
const char *c_union_name(CEmit *c, const Rep *const *parts, size_t count)
{
    const char *all = "";
    for (size_t i = 0; i < count; i++) {
        size_t first = 0;
        while (parts[first] != parts[i])
            first++;
        if (first == i)
            all = c_text(c, "%s%s%s", all, i ? " | " : "", c_type_name(c, parts[i]));
    }
    return all;
}

const char *c_form(CEmit *c, const Rep *r)
{
    if (r->checked || r->class_ != NULL || (r->element == NULL && r->count == 0))
        return r->key;
    const char *of = c_text(c, "%d[%s; %s", (int)r->kind, r->key_rep ? c_form(c, r->key_rep) : "",
                            r->element ? c_form(c, r->element) : "");
    for (size_t i = 0; i < r->count; i++)
        of = c_text(c, "%s, %s", of, c_form(c, r->parts[i]));
    return c_text(c, "%s]", of);
}

const char *c_type_name(CEmit *c, const Rep *r)
{
    if (r->said != NULL)
        return r->said;
    if (r->checked)
        return r->key_rep != NULL ? c_type_name(c, r->key_rep) : r->key;
    switch (r->kind) {
    case REP_LIST: return of_items(c, "list", r);
    case REP_SET: return of_items(c, "set", r);
    case REP_FROZENSET: return of_items(c, "frozenset", r);
    case REP_DEQUE: return of_items(c, "deque", r);
    case REP_ITERATOR: return of_items(c, "Iterator", r);
    case REP_SEQUENCE: return c_text(c, "tuple[%s, ...]", c_type_name(c, r->element));
    case REP_DICT: return c_text(c, "dict[%s, %s]", c_type_name(c, r->key_rep),
                                 c_type_name(c, r->element));
    case REP_TUPLE: return c_text(c, "tuple[%s]",
                                  r->count ? c_type_names(c, r->parts, r->count) : "()");
    case REP_FUNCTION: return c_text(c, "Callable[[%s], %s]", c_type_names(c, r->parts, r->count),
                                     c_type_name(c, r->element));
    case REP_CLASS: case REP_ENUM: return c_class_name(c, r->class_);
    case REP_CELL: return c_type_name(c, r->element);
    case REP_NONE: case REP_BOOL: case REP_INT: case REP_FLOAT: case REP_COMPLEX: case REP_STR:
    case REP_BYTES: case REP_OBJECT: case REP_RANGE: case REP_CHANNEL: case REP_FOREIGN:
    case REP_UNION: break;
    }
    return r->key;
}

Value c_refuse_type(CEmit *c, Span at, const char *what, const Rep *r)
{
    return c_refuse(c, at, "the C target does not support %s `%s`", what, c_type_name(c, r));
}

Value c_refuse_as(CEmit *c, Span at, const Rep *from, const Rep *to)
{
    return c_refuse(c, at, "the C target does not support `%s` where `%s` is expected",
                    c_type_name(c, from), c_type_name(c, to));
}
