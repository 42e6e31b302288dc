// erase_known.c - what is known of types inside lambdas.
//
// Within a lambda a type checker forgets what conditions around it say of variables and of places
// (`b.amount`). So the lambda gets what it knows better from outside: `lambda a: f(a + 1), a`.

#include <string.h>

#include "compiler/emit/erase_internal.h"

enum { WIDEST = 1 << 20 };      // of `object`, or of what nothing is known of

static size_t width(const Ty *t)
{
    bool any = t->kind == TY_NAMED && strcmp(t->named.name, "object") == 0;
    return t->kind == TY_UNION ? t->union_.items.len : any ? WIDEST : 1;
}

// The text of a name, or of a path of attributes and constant indices; NULL: neither.
static Sym path_of(const Eraser *x, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        return e->name.id;
    if (e->kind == EXPR_ATTRIBUTE) {
        Sym base = path_of(x, e->attribute.value);
        return base ? names_format(x->names, "%s.%s", base, e->attribute.attr) : NULL;
    }
    const Expr *index = e->kind == EXPR_SUBSCRIPT ? e->subscript.slice : NULL;
    if (index == NULL || index->kind != EXPR_CONSTANT || index->constant.value->text.len > 40)
        return NULL;
    Sym base = path_of(x, e->subscript.value);
    Text key = index->constant.value->text;
    return base ? names_format(x->names, "%s[%.*s]", base, (int)key.len, key.at) : NULL;
}

// ---- the widest type of each in a function ----

typedef struct Widths { const Eraser *x; Table *widest; } Widths;

static bool note_width(void *cx, const Expr *e)
{
    Widths *w = cx;
    size_t n = e->ty ? width(e->ty) : 0;
    Sym path = n > 1 ? path_of(w->x, e) : NULL;
    if (e->kind == EXPR_NAMED_EXPR && n > 1)
        path = e->named_expr.target->name.id;
    if (path && (size_t)(uintptr_t)table_get(w->widest, path) < n)
        table_set(w->widest, path, (void *)(uintptr_t)n);
    return true;
}

Table *known_widths(const Eraser *x, StmtList body)
{
    Widths w = {x, table_new(x->arena)};
    IrWalker walker = {.cx = &w, .expr = note_width};
    ir_walk_stmts(&walker, body);
    return w.widest;
}

// ---- what a lambda is given ----

typedef struct Read {
    Sym         path;
    const Expr *e;              // the first
    bool        known;
    uint32_t    last;           // where the last one begins
} Read;

typedef struct Reads {
    const Eraser *x;
    Table        *seen;         // path -> its Read
    Vec(Read *)   found;
    uint32_t      first_call;   // where the first call ends that may change something
    bool          jumps;        // what is evaluated first does not stand first
    Table        *bound;        // names that the expression binds itself
} Reads;

static bool note_read(void *cx, const Expr *e)
{
    Reads *r = cx;
    if (e->kind == EXPR_CALL && survey_acts_itself(r->x, e) && e->at.end < r->first_call)
        r->first_call = e->at.end;
    r->jumps |= e->kind == EXPR_LAMBDA || e->kind == EXPR_LIST_COMP || e->kind == EXPR_SET_COMP
                || e->kind == EXPR_DICT_COMP || e->kind == EXPR_GENERATOR_EXP
                || e->kind == EXPR_IF_EXP;
    if (e->kind == EXPR_NAME && e->name.ctx != EXPR_CONTEXT_LOAD)
        table_set(r->bound, e->name.id, r);
    Sym path = e->ty ? path_of(r->x, e) : NULL;
    size_t widest = path ? (size_t)(uintptr_t)table_get(r->x->widest, path) : 0;
    Read *one = widest > 0 ? table_get(r->seen, path) : NULL;
    if (widest > 0 && one == NULL) {
        one = ARENA_NEW(r->x->arena, Read);
        *one = (Read){.path = path, .e = e, .known = width(e->ty) < widest};
        table_set(r->seen, path, one);
        vec_push(r->x->arena, &r->found, one);
    }
    if (one && one->last < e->at.start)
        one->last = e->at.start;
    return true;
}

static bool note_argument(void *cx, const Arg *arg)
{
    table_set(((Reads *)cx)->bound, arg->arg, cx);
    return true;
}

static Sym root_of(const Expr *e)
{
    while (e->kind != EXPR_NAME)
        e = e->kind == EXPR_ATTRIBUTE ? e->attribute.value : e->subscript.value;
    return e->name.id;
}

// An instance of a class of this module that is `@dataclass(frozen=True)`.
static bool is_frozen(const Eraser *x, const Ty *t)
{
    const Stmt *s = t && t->kind == TY_NAMED ? table_get(x->globals, t->named.name) : NULL;
    ExprList list = s && s->kind == STMT_CLASS_DEF ? s->class_def.decorator_list : (ExprList){0};
    for (size_t i = 0; i < list.len; i++) {
        const Expr *e = list.at[i];
        for (size_t j = 0; e->kind == EXPR_CALL && j < e->call.keywords.len; j++) {
            const Keyword *k = e->call.keywords.at[j];
            if (k->arg && strcmp(k->arg, "frozen") == 0 && k->value->kind == EXPR_CONSTANT
                && k->value->constant.value->kind == CONST_BOOL && k->value->constant.value->truth)
                return true;
        }
    }
    return false;
}

// Names are the function's own, and nothing changes what is frozen.
static bool never_changes(const Eraser *x, const Expr *e)
{
    while (e->kind == EXPR_ATTRIBUTE && is_frozen(x, e->attribute.value->ty))
        e = e->attribute.value;
    return e->kind == EXPR_NAME;
}

// A place is read before the lambda runs; that is the same only if nothing in it may change the
// place before it would have been read, for the last time.
static bool read_early(const Reads *r, const Read *read)
{
    return never_changes(r->x, read->e) || r->first_call == UINT32_MAX
           || (!r->jumps && read->last < r->first_call);
}

static Sym parameter_name(const Eraser *x, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        return e->name.id;
    Sym name = e->kind == EXPR_ATTRIBUTE ? e->attribute.attr : names_get(x->names, "item");
    while (table_get(x->identifiers, name))
        name = names_format(x->names, "%s_", name);
    return name;
}

typedef struct Renaming { const Eraser *x; Table *names; } Renaming;

static const Expr *rename_place(IrMapper *m, const Expr *e)
{
    const Renaming *r = m->cx;
    bool place = e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT;
    Sym path = place ? path_of(r->x, e) : NULL, name = path ? table_get(r->names, path) : NULL;
    return name ? expr_with_ty(m->arena, erase_name(r->x, name), e->ty, e->roles) : e;
}

const Expr *known_inside(const Eraser *x, const Expr *e, ArgList *params, ExprList *operands)
{
    Reads r = {.x = x, .seen = table_new(x->arena), .bound = table_new(x->arena),
               .first_call = UINT32_MAX};
    IrWalker w = {.cx = &r, .expr = note_read, .arg = note_argument};
    Renaming renaming = {x, table_new(x->arena)};
    Vec(const Arg *) args = {0};
    Vec(const Expr *) given = {0};
    Table *taken = table_new(x->arena);
    bool renames = false;
    ir_walk_expr(&w, e);
    for (size_t i = 0; i < r.found.len; i++) {
        const Expr *read = r.found.at[i]->e;
        Sym name = parameter_name(x, read);
        if (!r.found.at[i]->known || table_get(r.bound, root_of(read)) || table_get(taken, name)
            || !read_early(&r, r.found.at[i]))
            continue;
        table_set(taken, name, taken);
        vec_push(x->arena, &args, arg_new(x->arena, e->at, name, NULL));
        vec_push(x->arena, &given, read);
        renames = renames || read->kind != EXPR_NAME;
        table_set(renaming.names, r.found.at[i]->path, (void *)name);
    }
    *params = (ArgList){args.at, args.len};
    *operands = (ExprList){given.at, given.len};
    IrMapper m = {.arena = x->arena, .cx = &renaming, .expr = rename_place};
    return renames ? ir_map_expr(&m, e) : e;
}
