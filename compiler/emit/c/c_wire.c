// c_wire.c - what a role may receive: how types are read from the wire, and as what they are sent;
// the classes of which instances may come.

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/emit/c/c_internal.h"

// ---- as they are read ----

// What an abstract collection may come as; the C target keeps it as an `object`.
typedef struct Abstract { const char *name, *kinds; } Abstract;

static const Abstract ABSTRACTS[] = {
#define ABSTRACT(name, kinds) {#name, kinds},
#include "compiler/ir/abstract.def"
#undef ABSTRACT
};

static const Abstract *abstract_named(const char *name)
{
    for (size_t i = 0; i < sizeof ABSTRACTS / sizeof *ABSTRACTS; i++)
        if (strcmp(name, ABSTRACTS[i].name) == 0)
            return &ABSTRACTS[i];
    return NULL;
}

bool c_is_abstract(const char *name)
{
    return abstract_named(name) != NULL || strcmp(name, "Reversible") == 0
           || strcmp(name, "Set") == 0;         // collections.abc has that name for AbstractSet
}

static const Abstract *abstract_of(const Ty *t)
{
    return t != NULL && t->kind == TY_NAMED && t->named.args.len > 0
        ? abstract_named(t->named.name) : NULL;
}

static bool admits(const Rep *r, RepKind kind)
{
    bool found = (r->kind == kind && !r->checked) || r->kind == REP_OBJECT;
    for (size_t i = 0; r->kind == REP_UNION && i < r->count; i++)
        found |= admits(r->parts[i], kind);
    return found;
}

static const Rep *rep_of_abstract(CEmit *c, const Abstract *abstract, TyList args, Span at)
{
    const Rep *item = rep_of_wire(c, args.at[0], at), *object = rep_named(c, "object");
    const Rep *value = args.len > 1 ? rep_of_wire(c, args.at[1], at) : object;
    const Rep *const given[] = {item, value};
    const Rep *parts[8];
    size_t n = 0;
    for (const char *kind = abstract->kinds; *kind; kind++) {
        if (*kind == 'x') {
            if (admits(item, REP_STR))
                parts[n++] = rep_named(c, "str");
            if (admits(item, REP_INT))
                parts[n++] = rep_named(c, "bytes");
            continue;
        }
        parts[n++] = *kind == 'l' ? rep_list(c, item) : *kind == 't' ? rep_sequence(c, item)
            : *kind == 'd' ? rep_dict(c, item, value)
            : rep_set(c, *kind == 's' ? REP_SET : REP_FROZENSET, item);
    }
    if (strpbrk(abstract->kinds, "ls") != NULL)
        parts[n++] = rep_named(c, "range");     // and what else has a length, as a list or a set
    return rep_abstract(c, abstract->name, given, args.len > 1 ? 2 : 1, parts, n);
}

// An alias may have arguments that are others.
static bool is_container(const Ty *t)
{
    static const char *const NAMES[] = {"list", "tuple", "set", "frozenset", "dict", NULL};
    return sym_is_one_of(t->named.name, NAMES);
}

// ---- literals ----

const Rep *rep_of_literals(CEmit *c, TyList of, Span at)
{
    Buf key = buf_new(c->arena);
    const char *values = "";
    buf_puts(&key, "Literal[");
    for (size_t i = 0; i < of.len; i++) {
        const Const *k = of.at[i]->literal.value;
        const char *value = k->kind == CONST_BYTES ? c_string(c, k->text, true)
            : c_constant_text(c, expr_constant(c->arena, at, k, NULL));
        if (value == NULL)
            value = c_refuse(c, at, "the C target does not support this `Literal`").text;
        values = c_text(c, "%s%s%s", values, i ? ", " : "", value);
        buf_puts(&key, i ? ", " : "");
        const_repr(&key, k);
    }
    buf_putc(&key, ']');
    bool known;
    Rep *r = rep_kept_as(c, rep_of(c, of.at[0], at), buf_text(&key), &known);
    r->literals = values;
    r->literal_count = of.len;
    return r;
}

// Its literals are last, in one pair of brackets, and then None.
static const char *name_with_literals(CEmit *c, TyList of, Span at)
{
    const char *others = "", *none = "";
    Buf literals = buf_new(c->arena);
    for (size_t i = 0; i < of.len; i++) {
        if (of.at[i]->kind == TY_LITERAL) {
            buf_puts(&literals, literals.len > 0 ? ", " : "");
            const_repr(&literals, of.at[i]->literal.value);
        } else if (of.at[i]->kind == TY_NONE_TYPE) {
            none = " | None";
        } else {
            others = c_text(c, "%s%s | ", others, c_type_name(c, rep_of_wire(c, of.at[i], at)));
        }
    }
    return literals.len == 0 ? NULL
        : c_text(c, "%sLiteral[%s]%s", others, buf_text(&literals), none);
}

// Literals of one type are one part.
static const Rep *rep_of_union(CEmit *c, TyList of, Span at)
{
    const Rep **parts = ARENA_ARRAY(c->arena, const Rep *, of.len);
    size_t n = 0;
    for (size_t i = 0; i < of.len; i++) {
        const Ty **same = ARENA_ARRAY(c->arena, const Ty *, of.len);
        size_t many = 0;
        bool literal = of.at[i]->kind == TY_LITERAL && c->sends == 0, first = true;
        for (size_t j = 0; literal && j < of.len; j++) {
            if (of.at[j]->kind != TY_LITERAL
                || of.at[j]->literal.value->kind != of.at[i]->literal.value->kind)
                continue;
            first &= j >= i;
            same[many++] = of.at[j];
        }
        if (!literal)
            parts[n++] = rep_of_wire(c, of.at[i], at);
        else if (first)
            parts[n++] = rep_of_literals(c, (TyList){same, many}, at);
    }
    return rep_union_said(c, c->sends ? NULL : name_with_literals(c, of, at), parts, n);
}

// ---- classes derived from TypedDict ----

typedef Vec(const Stmt *) StatementVec;

// Its keys, then those of the classes that it derives from.
static void add_keys(CEmit *c, const Stmt *def, StatementVec *keys)
{
    StmtList body = def->class_def.body;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        bool known = s->kind != STMT_ANN_ASSIGN || s->ann_assign.target->kind != EXPR_NAME;
        for (size_t j = 0; j < keys->len && !known; j++)
            known = keys->at[j]->ann_assign.target->name.id == s->ann_assign.target->name.id;
        if (!known)
            vec_push(c->arena, keys, s);
    }
    for (size_t i = 0; i < def->class_def.bases.len; i++) {
        const Expr *base = def->class_def.bases.at[i];
        const CName *n = base->kind == EXPR_NAME ? c_global(c, base->name.id) : NULL;
        if (n != NULL && n->kind == CNAME_TYPE && n->def != NULL)
            add_keys(c, n->def, keys);
    }
}

// How what is kept as `own` is read and sent: by a row that says more, where there is more to say.
static const Rep *rep_more(CEmit *c, const Rep *own, const Ty *t, Span at)
{
    const Rep *wire = rep_of_wire(c, t, at);
    if (wire == own || wire->checked)
        return wire;
    if (own->kind == REP_OBJECT)
        return rep_admitting(c, wire);
    bool known;
    Rep *r = rep_kept_as(c, own, c_text(c, "%s read as %s", own->key, wire->key), &known);
    r->key_rep = wire;
    r->reduced = rep_of_sent(c, t, at) != own;
    return r;
}

static const Rep *rep_of_typed_dict(CEmit *c, const Rep *own, Sym name, const Stmt *def)
{
    bool known;
    Rep *r = rep_kept_as(c, own, c_text(c, "TypedDict %s", name), &known);
    if (known)
        return r;
    r->said = unqualified(name);
    StatementVec keys = {0};
    add_keys(c, def, &keys);
    Sym *names = ARENA_ARRAY(c->arena, Sym, keys.len + 1);
    const Rep **parts = ARENA_ARRAY(c->arena, const Rep *, keys.len + 1);
    int sends = c->sends;
    c->sends = 0;
    for (size_t i = 0; i < keys.len; i++) {
        const Stmt *s = keys.at[i];
        const Ty *t = c_annotation(c, s->ann_assign.annotation);
        names[i] = s->ann_assign.target->name.id;
        parts[i] = rep_more(c, rep_of(c, t, s->at), t, s->at);
    }
    c->sends = sends;
    r->reduced = true;
    r->names = names;
    r->parts = parts;
    r->count = keys.len;
    return r;
}

const Rep *rep_of_wire(CEmit *c, const Ty *t, Span at)
{
    t = c_ty(c, t);
    const Rep *own = rep_of(c, t, at);
    const CName *n = t != NULL && t->kind == TY_NAMED ? c_global(c, t->named.name) : NULL;
    if (n != NULL && n->kind == CNAME_TYPE && n->def != NULL)
        return rep_of_typed_dict(c, own, t->named.name, n->def);
    if (n != NULL && n->kind == CNAME_TYPE && n->ty != NULL)
        return rep_of_wire(c, c_annotation(c, n->ty), at);
    const Abstract *abstract = abstract_of(t);
    if (abstract != NULL && own->kind == REP_OBJECT)
        return rep_of_abstract(c, abstract, t->named.args, at);
    if (t == NULL)
        return own;
    if (t->kind == TY_UNION && t->union_.items.len > 0)
        return rep_of_union(c, t->union_.items, at);
    if (t->kind == TY_LITERAL && c->sends == 0)
        return rep_of_literals(c, (TyList){&t, 1}, at);
    switch (own->kind) {
    case REP_LIST: case REP_SEQUENCE: case REP_SET: case REP_FROZENSET: {
        if (t->kind != TY_NAMED || t->named.args.len != 1 || !is_container(t))
            return own;
        const Rep *item = rep_of_wire(c, t->named.args.at[0], at);
        return own->kind == REP_LIST ? rep_list(c, item)
            : own->kind == REP_SEQUENCE ? rep_sequence(c, item) : rep_set(c, own->kind, item);
    }
    case REP_DICT: {
        if (t->kind != TY_NAMED || t->named.args.len != 2 || !is_container(t))
            return own;
        const Rep *key = rep_of_wire(c, t->named.args.at[0], at);      // names are given in order
        return rep_dict(c, key, rep_of_wire(c, t->named.args.at[1], at));
    }
    case REP_TUPLE:
        return t->kind != TY_TUPLE ? own
            : rep_tuple(c, c_reps(c, t->tuple.items, rep_of_wire, at), t->tuple.items.len);
    case REP_UNION: case REP_NONE: case REP_BOOL: case REP_INT: case REP_FLOAT: case REP_COMPLEX:
    case REP_STR: case REP_BYTES: case REP_ENUM: case REP_CLASS: case REP_FUNCTION:
    case REP_ITERATOR: case REP_RANGE: case REP_OBJECT: case REP_CHANNEL: case REP_CELL:
    case REP_FOREIGN: case REP_DEQUE: break;
    }
    return own;
}

const Rep *rep_of_sent(CEmit *c, const Ty *t, Span at)
{
    c->sends++;
    const Rep *r = rep_of_wire(c, t, at);
    c->sends--;
    return r;
}

bool c_converts(const Rep *r)
{
    if (r->visited)                             // a class derived from TypedDict is in itself
        return false;
    ((Rep *)r)->visited = true;
    bool found = r->kind == REP_FLOAT || r->kind == REP_COMPLEX
        || (r->element != NULL && c_converts(r->element))
        || (r->key_rep != NULL && c_converts(r->key_rep));
    for (size_t i = 0; r->kind != REP_CLASS && i < r->count && !found; i++)
        found = c_converts(r->parts[i]);
    ((Rep *)r)->visited = false;
    return found;
}

// The row by which a field is sent and read: `rep` may not say all of its type.
static const Rep *field_wire(CEmit *c, const CClass *k, const CField *f)
{
    bool own = f->ty != NULL && !f->attribute && rep_of(c, f->ty, k->def->at) == f->rep;
    return own ? rep_more(c, f->rep, f->ty, k->def->at) : f->rep;
}

// Whether a class has ints where the class that is read has floats: Box[int | float] as Box[float].
static bool has_other_numbers(CEmit *c, const CClass *k, const CClass *as)
{
    for (size_t i = 0; i < k->fields.len && i < as->fields.len; i++) {
        const Rep *own = field_wire(c, k, &k->fields.at[i]);
        const Rep *wire = field_wire(c, as, &as->fields.at[i]);
        if (own != wire && wire != NULL && (c_converts(wire) || c_keeps_numbers(c, own, wire)))
            return true;
    }
    return false;
}

static bool class_keeps_numbers(CEmit *c, const CClass *k, const CClass *as)
{
    for (size_t i = 0; i < k->order.len; i++)
        if (k->order.at[i]->def == as->def && k->order.at[i] != as)
            return has_other_numbers(c, k->order.at[i], as);
    return false;
}

bool c_keeps_numbers(CEmit *c, const Rep *own, const Rep *wire)
{
    if (own == NULL || wire == NULL || own == wire || own->visited)
        return false;
    ((Rep *)own)->visited = true;
    bool found = (own->kind == REP_CLASS && wire->kind == REP_CLASS
                  && class_keeps_numbers(c, own->class_, wire->class_))
        || c_keeps_numbers(c, own->element, wire->element)
        || c_keeps_numbers(c, own->key_rep, wire->key_rep);
    for (size_t i = 0; i < own->count && i < wire->count && own->kind == wire->kind; i++)
        found |= c_keeps_numbers(c, own->parts[i], wire->parts[i]);
    ((Rep *)own)->visited = false;
    return found;
}

// Whether the program has a class in `r` with other type arguments, and ints where `r` has floats.
static bool has_other_classes(CEmit *c, const Rep *r)
{
    if (r->visited)
        return false;
    ((Rep *)r)->visited = true;
    bool found = (r->element != NULL && has_other_classes(c, r->element))
        || (r->key_rep != NULL && has_other_classes(c, r->key_rep));
    for (size_t i = 0; r->kind != REP_CLASS && i < r->count && !found; i++)
        found = has_other_classes(c, r->parts[i]);
    for (size_t i = 0; r->kind == REP_CLASS && i < c->class_order.len && !found; i++) {
        const CClass *k = c->class_order.at[i];
        found = k->def == r->class_->def && k != r->class_ && has_other_numbers(c, k, r->class_);
    }
    ((Rep *)r)->visited = false;
    return found;
}

bool c_is_read_back(CEmit *c, const Rep *r)
{
    return (r->kind == REP_OBJECT || r->reduced) && (c_converts(r) || has_other_classes(c, r));
}

// ---- as they are sent ----

static bool is_number_or_less(const Rep *from, const Rep *to)
{
    bool number = to->kind == REP_FLOAT || to->kind == REP_COMPLEX;
    return number && (from->kind == to->kind || from->kind == REP_INT || from->kind == REP_BOOL
                      || from->kind == REP_FLOAT);
}

// One of them is a union: each member of `from` is read as a member of `to`.
static bool members_read_as(CEmit *c, const Rep *from, const Rep *to)
{
    bool every = from->kind == REP_UNION, found = every;
    const Rep *several = every ? from : to;
    for (size_t i = 0; found == every && i < several->count; i++)
        found = every ? c_read_as(c, from->parts[i], to) : c_read_as(c, from, to->parts[i]);
    return found;
}

// The same class with other type arguments.
static bool fields_read_as(CEmit *c, CClass *from, CClass *to)
{
    if (from->def != to->def || !from->is_dataclass)
        return false;
    c_class_fields(c, from);
    c_class_fields(c, to);
    const CClass *outer = from->read_as;
    bool every = from->fields.len == to->fields.len;
    from->read_as = to;                         // they may be in themselves
    for (size_t i = 0; every && outer != to && i < from->fields.len; i++)
        every = c_read_as(c, from->fields.at[i].rep, to->fields.at[i].rep);
    from->read_as = outer;
    return every;
}

// Whether values differ in nothing but numbers that the receiver converts.
bool c_read_as(CEmit *c, const Rep *from, const Rep *to)
{
    if (from == to || is_number_or_less(from, to))
        return true;
    if (from->kind == REP_UNION || to->kind == REP_UNION)
        return members_read_as(c, from, to);
    if (from->kind == REP_CLASS && to->kind == REP_CLASS)
        return fields_read_as(c, from->class_, to->class_);
    if (from->kind != to->kind || from->count != to->count
        || (from->key_rep != NULL && !c_read_as(c, from->key_rep, to->key_rep)))
        return false;
    for (size_t i = 0; i < from->count; i++)
        if (!c_read_as(c, from->parts[i], to->parts[i]))
            return false;
    return from->count > 0 || (from->element != NULL && to->element != NULL
                               && c_read_as(c, from->element, to->element));
}

// Of the parts of a display, in `out`; false: one does not say it.
static bool made_reps(CEmit *c, ExprList parts, const Rep ***out)
{
    *out = ARENA_ARRAY(c->arena, const Rep *, parts.len + 1);
    for (size_t i = 0; i < parts.len; i++)
        if (parts.at[i] == NULL || ((*out)[i] = c_made_rep(c, parts.at[i])) == NULL)
            return false;
    return true;
}

static const Rep *made_item(CEmit *c, ExprList parts)
{
    const Rep **reps;
    return parts.len > 0 && made_reps(c, parts, &reps) ? rep_union(c, reps, parts.len) : NULL;
}

// What a display is by its parts alone, whatever is wanted; NULL: they do not say it.
const Rep *c_made_rep(CEmit *c, const Expr *e)
{
    const Rep *item = NULL, *key = NULL, **reps;
    if (e->kind == EXPR_TUPLE)
        return made_reps(c, e->tuple.elts, &reps) ? rep_tuple(c, reps, e->tuple.elts.len) : NULL;
    if (e->kind == EXPR_LIST)
        return (item = made_item(c, e->list.elts)) ? rep_list(c, item) : NULL;
    if (e->kind == EXPR_SET)
        return (item = made_item(c, e->set.elts)) ? rep_set(c, REP_SET, item) : NULL;
    if (e->kind == EXPR_DICT)
        return (key = made_item(c, e->dict.keys)) && (item = made_item(c, e->dict.values))
            ? rep_dict(c, key, item) : NULL;
    return e->kind == EXPR_STARRED ? NULL : rep_or_object(c, e);
}

// ---- what may come ----

// What `object` may be when it comes from a peer: what is not said of its parts is `object`, too.
const Rep *const *c_object_parts(CEmit *c, size_t *count)
{
    static const char *const PARTS[] = {"None", "bool", "int", "float", "complex", "str", "bytes"};
    const Rep *object = rep_named(c, "object");
    const Rep **parts = ARENA_ARRAY(c->arena, const Rep *, 12 + c->class_order.len);
    size_t n = 0;
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        parts[n++] = rep_named(c, PARTS[i]);
    parts[n++] = rep_list(c, object);
    parts[n++] = rep_sequence(c, object);
    parts[n++] = rep_dict(c, object, object);
    parts[n++] = rep_set(c, REP_SET, object);
    parts[n++] = rep_set(c, REP_FROZENSET, object);
    for (size_t i = 0; i < c->class_order.len; i++)
        if (c->class_order.at[i]->number < CLASS_UNNUMBERED
            && c_is_of_any(c, c->class_order.at[i]))
            parts[n++] = rep_class(c, c->class_order.at[i]);
    *count = n;
    return parts;
}

void c_note_received(CEmit *c, const Rep *r)
{
    if (r->checked && r->noted)
        return;
    ((Rep *)r)->noted = true;
    c->receives_any |= r->kind == REP_OBJECT;
    if (r->kind == REP_CLASS)
        r->class_->is_received = true;
    if (r->element != NULL)
        c_note_received(c, r->element);
    if (r->key_rep != NULL)
        c_note_received(c, r->key_rep);
    for (size_t i = 0; i < r->count; i++)
        c_note_received(c, r->parts[i]);
}

// The classes of which nothing but that they are the program's is known of their type arguments.
static void add_numbered_classes(CEmit *c)
{
    for (size_t i = 0; i < c->cx->types.len; i++) {
        Sym path = c->cx->types.at[i].path;
        const CName *n = c_global(c, path);
        if (n != NULL && n->kind == CNAME_CLASS)
            c_class_of_any(c, path, n->def)->is_received = true;
    }
}

// A field of whose type `rep` does not say all has a row of its own: what is sent for it, and read
// into it.
static void note_field(CEmit *c, const CClass *k, CField *f)
{
    const Rep *wire = field_wire(c, k, f);
    if (c_is_begun(c, f) && k->is_dataclass && f->maker == NULL)
        f->maker = c_field_maker(c, k, f);
    if (wire != f->rep)
        f->wire = wire;
    bool is_read_back = f->wire != NULL && c_converts(wire);        // where it is sent
    if ((k->is_received || is_read_back) && !f->attribute)
        c_note_received(c, wire);
}

// All classes of which instances may come, and the rows that their fields need.
void c_prepare_object(CEmit *c)
{
    size_t count;
    bool any = false;
    for (size_t i = 0; i < c->class_order.len; i++) {
        CClass *k = c->class_order.at[i];
        for (size_t b = 0; b < k->bases.len; b++)
            k->is_received |= k->bases.at[b]->is_received;
        if (k->is_enum || k->number >= CLASS_UNNUMBERED)
            continue;
        c_class_fields(c, k);
        for (size_t f = 0; f < k->fields.len; f++)
            note_field(c, k, &k->fields.at[f]);
        if (!k->is_received)
            continue;
        c_add_instances_below(c, k);
        if (c->receives_any && !any) {
            any = true;
            add_numbered_classes(c);
            i = (size_t)-1;             // from the first again: some are received only now
        }
    }
    if (!c->receives_any)
        return;
    if (!any)
        add_numbered_classes(c);
    (void)c_object_parts(c, &count);
}
