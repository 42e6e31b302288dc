// erase_family.c - classes of several roles that inherit from each other, in the central program.
//
// A class and its bases have their own names for the same roles, and a call through a base may run
// the code of any of them. So the program knows how each class of a family calls its roles:
//
//     @family(("A", "B"), (Link, ("B", "A")))    # Back is a Link whose X is B and whose Y is A
//     class Back(Link): ...
//     back = virtual(Back, ("Alice", "Bob"), Back)(ch)

#include <string.h>

#include "compiler/emit/erase_internal.h"

static const Stmt *class_of(const Eraser *x, Sym name)
{
    const Stmt *choreo = name ? table_get(x->choreos, name) : NULL;
    return choreo ? choreo->choreo.def : NULL;
}

static Sym class_name(const Expr *target)
{
    if (target->kind == EXPR_SUBSCRIPT)
        target = target->subscript.value;
    return target->kind == EXPR_NAME ? target->name.id : NULL;
}

void family_note(Eraser *x, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *def = body.at[i]->kind == STMT_CHOREO ? body.at[i]->choreo.def : NULL;
        for (size_t j = 0; def && def->kind == STMT_CLASS_DEF && j < def->class_def.bases.len;
             j++) {
            const Expr *base = def->class_def.bases.at[j];
            if (base->kind != EXPR_INST)
                continue;
            x->has_families = true;
            table_set(x->families, def->class_def.name, x);
            table_set(x->families, class_name(base->inst.target), x);
        }
    }
}

bool family_has(const Eraser *x, Sym class_)
{
    return class_ && table_get(x->families, class_) != NULL;
}

// ---- how a class calls the roles of what it inherits from ----

static Sym played(SymList formals, SymList actuals, Sym role)
{
    for (size_t i = 0; i < formals.len && i < actuals.len; i++)
        if (formals.at[i] == role)
            return actuals.at[i];
    return role;
}

static SymList all_played(const Eraser *x, SymList formals, SymList actuals, SymList roles)
{
    Sym *at = ARENA_ARRAY(x->arena, Sym, roles.len);
    for (size_t i = 0; i < roles.len; i++)
        at[i] = played(formals, actuals, roles.at[i]);
    return (SymList){at, roles.len};
}

typedef struct Row { Sym class_; SymList roles; } Row;
typedef struct Rows { const Eraser *x; Vec(Row) rows; } Rows;

static void add_bases(Rows *r, const Stmt *def, SymList formals, SymList mine)
{
    for (size_t i = 0; i < def->class_def.bases.len; i++) {
        const Expr *base = def->class_def.bases.at[i];
        Sym name = base->kind == EXPR_INST ? class_name(base->inst.target) : NULL;
        const Stmt *parent = class_of(r->x, name);
        bool known = parent == NULL;
        for (size_t j = 0; j < r->rows.len; j++)
            known = known || r->rows.at[j].class_ == name;
        if (known)
            continue;
        Row row = {name, all_played(r->x, formals, mine, base->inst.actuals)};
        vec_push(r->x->arena, &r->rows, row);
        add_bases(r, parent, base->inst.formals, row.roles);
    }
}

static const Expr *text_of(const Eraser *x, const char *text)
{
    const Const *value = const_str(x->arena, (Text){text, strlen(text)});
    return expr_constant(x->arena, (Span){0, 0}, value, NULL);
}

const Expr *family_roles(const Eraser *x, SymList roles)
{
    Vec(const Expr *) texts = {0};
    for (size_t i = 0; i < roles.len; i++)
        vec_push(x->arena, &texts, text_of(x, roles.at[i]));
    return expr_tuple(x->arena, (Span){0, 0}, (ExprList){texts.at, texts.len}, EXPR_CONTEXT_LOAD);
}

const Expr *family_decorator(const Eraser *x, const Stmt *choreo)
{
    const Stmt *def = choreo->choreo.def;
    SymList formals = choreo->choreo.formals;
    if (!family_has(x, def->class_def.name))
        return NULL;
    Rows r = {.x = x};
    add_bases(&r, def, formals, formals);
    Vec(const Expr *) args = {0};
    vec_push(x->arena, &args, family_roles(x, formals));
    for (size_t i = 0; i < r.rows.len; i++) {
        const Expr **pair = ARENA_ARRAY(x->arena, const Expr *, 2);
        pair[0] = erase_name(x, r.rows.at[i].class_);
        pair[1] = family_roles(x, r.rows.at[i].roles);
        vec_push(x->arena, &args,
                 expr_tuple(x->arena, def->at, (ExprList){pair, 2}, EXPR_CONTEXT_LOAD));
    }
    return expr_call(x->arena, def->at, erase_name(x, x->family), (ExprList){args.at, args.len},
                     (KeywordList){0});
}

ExprList family_bases(const Eraser *x, ExprList bases)
{
    const Expr **out = ARENA_ARRAY(x->arena, const Expr *, bases.len);
    for (size_t i = 0; i < bases.len; i++)
        out[i] = bases.at[i]->kind == EXPR_INST
                     ? bases.at[i]->inst.target : bases.at[i];
    return (ExprList){out, bases.len};
}

// ---- calls ----

bool family_call(const Eraser *x, const Expr *inst, Sym *seen, SymList *actors)
{
    const Expr *target = inst->inst.target;
    const Expr *object = target->kind == EXPR_ATTRIBUTE ? target->attribute.value : target;
    *actors = inst->inst.actuals;
    if (inst->inst.formals.len > 0) {
        *seen = class_name(object);
    } else {
        if (object->ty == NULL || object->ty->kind != TY_INST)
            return false;
        *seen = object->ty->inst.name;
        *actors = object->ty->inst.actuals;
    }
    return family_has(x, *seen);
}
