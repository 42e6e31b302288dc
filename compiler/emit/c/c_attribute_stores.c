// c_attribute_stores.c - which attributes the program sets: those of objects, and those of classes.
//
// `class Box: n = 3` gives all boxes one `n`. Where some code sets `box.n`, that box has one of its
// own from then on: in C all have one from the start, which begins as what the class says.

#include <string.h>

#include "compiler/emit/c/c_internal.h"

typedef struct Stored { CEmit *c; } Stored;

static void note(CEmit *c, Sym attribute, Sym of)
{
    StoredBy *by = ARENA_NEW(c->arena, StoredBy);
    *by = (StoredBy){.of = of, .next = table_get(c->stored, attribute)};
    table_set(c->stored, attribute, by);
}

static void note_types(CEmit *c, Sym attribute, const Ty *t)
{
    if (t != NULL && t->kind == TY_UNION) {
        for (size_t i = 0; i < t->union_.items.len; i++)
            note_types(c, attribute, t->union_.items.at[i]);
        return;
    }
    bool known = t != NULL && (t->kind == TY_NAMED || t->kind == TY_INST);
    note(c, attribute, !known ? NULL : t->kind == TY_NAMED ? t->named.name : t->inst.name);
}

static bool is_of_class(CEmit *c, const Expr *base)
{
    const CName *n = base->kind == EXPR_NAME ? c_global(c, base->name.id) : NULL;
    const Ty *t = base->ty;
    return (n != NULL && n->kind == CNAME_CLASS)
           || (t != NULL && t->kind == TY_NAMED && sym_is(t->named.name, "type"));
}

static void note_target(CEmit *c, const Expr *target)
{
    if (target->kind == EXPR_ATTRIBUTE && !is_of_class(c, target->attribute.value))
        note_types(c, target->attribute.attr, target->attribute.value->ty);
}

static bool note_stmt(void *cx, const Stmt *s)
{
    Stored *k = cx;
    if (s->kind == STMT_ASSIGN)
        for (size_t i = 0; i < s->assign.targets.len; i++)
            note_target(k->c, s->assign.targets.at[i]);
    if (s->kind == STMT_ANN_ASSIGN && s->ann_assign.value != NULL)
        note_target(k->c, s->ann_assign.target);
    return true;
}

void c_collect_stores(CEmit *c, StmtList body)
{
    Stored k = {c};
    IrWalker w = {.cx = &k, .stmt = note_stmt};
    ir_walk_stmts(&w, body);
}

// By the text of classes: those that derive from this one may not be made yet.
static bool text_derives(CEmit *c, Sym name, Sym of, int depth)
{
    const CName *n = c_global(c, name);
    if (name == of)
        return true;
    if (n == NULL || n->kind != CNAME_CLASS || depth == 0)
        return false;
    ExprList bases = n->def->class_def.bases;
    for (size_t i = 0; i < bases.len; i++) {
        const Ty *t = c_annotation(c, bases.at[i]);
        if (t->kind == TY_NAMED && text_derives(c, t->named.name, of, depth - 1))
            return true;
    }
    return false;
}

bool c_is_stored(CEmit *c, const CClass *k, Sym attribute)
{
    enum { DEEPEST = 100 };
    for (const StoredBy *by = table_get(c->stored, attribute); by != NULL; by = by->next)
        if (by->of == NULL || text_derives(c, by->of, k->name, DEEPEST)
            || text_derives(c, k->name, by->of, DEEPEST))
            return true;
    return false;
}
