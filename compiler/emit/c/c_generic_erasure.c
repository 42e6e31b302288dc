// c_generic_erasure.c - generic classes whose objects go where their class is declared with other
// arguments, or without any: `b: Box = Box(7)`, `Box[Any]`, the `Box[U]` that a generic method
// makes.
//
// Each choice of arguments is a class of its own in C, with a layout of its own. A class of which
// an object goes from one to another is written again, as one class: whatever its type parameters
// stand for is an `object` there.

#include <string.h>

#include "compiler/emit/c/c_internal.h"

enum { DEEP = 8 };              // types may contain themselves

// On the wire each field is of its own type.
static void erase(CEmit *c, const CClass *k, Span at)
{
    if (k->types == NULL || table_get(c->erased, k->name))
        return;
    bool sent = c->sends_classes && k->number < CLASS_UNNUMBERED;
    if (sent && !table_get(c->joined, k->name))
        for (size_t i = 0; i < k->order.len; i++)       // with the bases, which have its fields
            vec_push(c->arena, &c->to_join, k->order.at[i]->name);
    else if (sent)
        (void)c_refuse(c, at, "the C target does not support `%s` without type arguments, because "
                       "objects of this class are sent\nwrite the type arguments", k->name);
    else
        vec_push(c->arena, &c->to_erase, k->name);
}

static const char *sent_form(CEmit *c, const CClass *k, size_t argument)
{
    return c_form(c, rep_of_sent(c, k->args.at[argument], k->def->at));
}

// Whether objects of one are objects of the other but for literals, which are compared where they
// are received.
static bool is_alike(CEmit *c, const CClass *k, const CClass *of)
{
    bool alike = k->args.len == of->args.len && k->args.len > 0;
    for (size_t i = 0; alike && i < k->args.len; i++)
        alike = strcmp(sent_form(c, k, i), sent_form(c, of, i)) == 0;
    return alike;
}

// Of the class or its bases, what is `of` with other arguments.
static void note_class(CEmit *c, const CClass *k, const CClass *of, Span at)
{
    for (size_t i = 0; i < k->order.len; i++)
        if (k->order.at[i] != of && k->order.at[i]->def != NULL && k->order.at[i]->def == of->def
            && !is_alike(c, k->order.at[i], of))
            erase(c, of, at);
}

static void note(CEmit *c, const Rep *from, const Rep *to, Span at, int depth)
{
    if (from == NULL || to == NULL || from == to || depth == DEEP)
        return;
    for (size_t i = 0; to->kind == REP_UNION && i < to->count; i++)
        if (to->parts[i] == from)
            return;
    if (from->kind == REP_CLASS && to->kind == REP_CLASS) {
        note_class(c, from->class_, to->class_, at);
        note_class(c, to->class_, from->class_, at);
    }
    if (from->kind == REP_OBJECT && to->kind == REP_CLASS && to->class_->is_bare)
        erase(c, to->class_, at);
    for (size_t i = 0; from->kind == REP_UNION && i < from->count; i++)
        note(c, from->parts[i], to, at, depth + 1);
    for (size_t i = 0; to->kind == REP_UNION && i < to->count; i++)
        note(c, from, to->parts[i], at, depth + 1);
    if (from->kind == REP_UNION || to->kind == REP_UNION)
        return;
    note(c, from->element, to->element, at, depth + 1);
    note(c, from->key_rep, to->key_rep, at, depth + 1);
    for (size_t i = 0; i < from->count && i < to->count; i++)
        note(c, from->parts[i], to->parts[i], at, depth + 1);
}

void c_note_erased(CEmit *c, const Rep *from, const Rep *to, Span at) { note(c, from, to, at, 0); }

void c_note_asked(CEmit *c, const CClass *k, Span at) { erase(c, k, at); }

static bool is_method_of_erased(CEmit *c, const Expr *call)
{
    const Expr *f = call->call.func;
    const Ty *t = f->kind == EXPR_ATTRIBUTE && f->attribute.value->ty != NULL
        ? c_ty(c, f->attribute.value->ty) : NULL;
    return t != NULL && t->kind == TY_NAMED && table_get(c->erased, t->named.name);
}

// A list that such a class has is one of objects, and it may have it still.
bool c_is_of_erased(CEmit *c, const Expr *e, const Rep *from)
{
    bool kept = e->kind == EXPR_CALL
        && (from->kind == REP_LIST || from->kind == REP_DICT || from->kind == REP_SET);
    return kept && is_method_of_erased(c, e) && rep_or_object(c, e) != from;
}
