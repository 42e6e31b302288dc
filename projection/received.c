// received.c - see received.h.

#include "projection/received.h"

#include <string.h>

static const char *const BARE[] = {
#define ABSTRACT(name, kinds) #name,
#include "compiler/ir/abstract.def"
#undef ABSTRACT
    "Dict", "FrozenSet", "List", "Set", "Tuple",
    "object", "Any", "list", "dict", "set", "frozenset", "tuple"};

static bool is_bare(Sym name)
{
    for (size_t i = 0; i < sizeof BARE / sizeof *BARE; i++)
        if (sym_is(name, BARE[i]))
            return true;
    return false;
}

static bool look_at_type(void *cx, const Ty *t)
{
    Found *f = cx;
    bool open = t->kind == TY_ANY || t->kind == TY_TYPE_VAR;
    if (t->kind == TY_NAMED) {
        open |= t->named.args.len == 0 && is_bare(t->named.name);
        vec_push(f->arena, &f->names, names_intern(f->pool, t->named.name,
                                                   strcspn(t->named.name, ".")));
    }
    f->open |= open;
    return true;
}

static bool look_at_receipt(void *cx, const Expr *e)
{
    Found *f = cx;
    IrWalker w = {.cx = f, .ty = look_at_type};
    if (e->kind == EXPR_RECV && e->recv.payload == NULL)
        f->open = true;
    else if (e->kind == EXPR_RECV)
        ir_walk_ty(&w, e->recv.payload);
    return true;
}

Found received_by(Arena *a, Names *names, StmtList body)
{
    Found f = {.arena = a, .pool = names};
    IrWalker w = {.cx = &f, .expr = look_at_receipt};
    ir_walk_stmts(&w, body);
    return f;
}

Found received_of_type(Arena *a, Names *names, const Ty *t)
{
    Found f = {.arena = a, .pool = names};
    IrWalker w = {.cx = &f, .ty = look_at_type};
    ir_walk_ty(&w, t);
    return f;
}

// The names in a quoted annotation.
static void look_at_text(Found *f, Text quoted)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const char *text = names_intern(f->pool, quoted.at, quoted.len);
    while (*text != '\0') {
        size_t len = strspn(text, LETTERS);
        if (len > 0) {
            Sym name = names_intern(f->pool, text, len);
            f->open |= is_bare(name) && text[len] != '[';
            vec_push(f->arena, &f->names, name);
        }
        text += len > 0 ? len : 1;
    }
}

static bool look_at_annotation(void *cx, const Expr *e)
{
    Found *f = cx;
    IrWalker w = {.cx = cx, .expr = look_at_annotation};
    if (e->kind == EXPR_NAME) {
        f->open |= is_bare(e->name.id);
        vec_push(f->arena, &f->names, e->name.id);
    }
    if (e->kind == EXPR_ATTRIBUTE)
        f->open |= is_bare(e->attribute.attr);
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_STR)
        look_at_text(f, e->constant.value->text);
    if (e->kind != EXPR_SUBSCRIPT || e->subscript.value->kind != EXPR_NAME)
        return true;
    if (sym_is(e->subscript.value->name.id, "ClassVar"))
        return false;
    vec_push(f->arena, &f->names, e->subscript.value->name.id);
    ir_walk_expr(&w, e->subscript.slice);
    return false;
}

// What the fields of a class may be, and those of the classes in it, or what an alias is.
static void look_at_parts(Found *f, const Stmt *s)
{
    IrWalker w = {.cx = f, .expr = look_at_annotation};
    if (s->kind == STMT_ASSIGN)
        ir_walk_expr(&w, s->assign.value);
    else if (s->kind == STMT_ANN_ASSIGN && s->ann_assign.value != NULL)
        ir_walk_expr(&w, s->ann_assign.value);
    else if (s->kind == STMT_TYPE_ALIAS)
        ir_walk_expr(&w, s->type_alias.value);
    for (size_t i = 0; s->kind == STMT_CLASS_DEF && i < s->class_def.body.len; i++) {
        const Stmt *field = s->class_def.body.at[i];
        if (field->kind == STMT_ANN_ASSIGN)
            ir_walk_expr(&w, field->ann_assign.annotation);
        else if (field->kind == STMT_CLASS_DEF)
            look_at_parts(f, field);
    }
}

Found received_parts(Arena *a, Names *names, const Stmt *s)
{
    Found f = {.arena = a, .pool = names};
    look_at_parts(&f, s);
    return f;
}
