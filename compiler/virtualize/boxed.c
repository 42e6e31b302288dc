// boxed.c - locals of functions in boxes: `x = e` is `_pc_assign(x, e)`, `x` is `_pc_read(x)`, and
// the box is made at the top of the function.
//
// A variable is in a box only if everything that binds it is a target or a parameter, and if nobody
// sees the box itself: no function that looks at its own variables, no annotation, no pattern, no
// field of an f-string that prints its own text, no function that is left plain.

#include "compiler/virtualize/internal.h"
#include "parser.h"

// ---- which ----

static bool find_left(void *cx, const Stmt *s)
{
    Virt *v = cx;
    if ((s->kind == STMT_FUNCTION_DEF || s->kind == STMT_ASYNC_FUNCTION_DEF)
        && is_marked_plain(s->function_def.decorator_list)) {
        const Block *b = scopes_block(&v->scopes, s);
        table_set(v->left, b, v);
    }
    return true;
}

static void find_shown(Virt *v)
{
    for (size_t i = 0; i < v->tokens.len; i++) {
        if (v->tokens.at[i].kind != TOK_FSTRING_EQUAL)
            continue;
        size_t depth = 1;
        for (const Token *t = &v->tokens.at[i]; depth > 0 && t-- > v->tokens.at;) {
            depth += t->kind == TOK_FSTRING_RBRACE;
            depth -= t->kind == TOK_FSTRING_LBRACE;
            if (t->kind == TOK_NAME)
                table_set(v->shown, t->sym, v);
        }
    }
}

void find_unboxed(Virt *v, StmtList module)
{
    IrWalker w = {.cx = v, .stmt = find_left};
    if (!v->options->boxed)
        return;
    find_shown(v);
    ir_walk_stmts(&w, module);
}

// Whether a block, or one inside that has the variable free, binds or sees it in a way of its own.
static bool is_seen(Virt *v, const Block *b, Sym name, bool own)
{
    const Symbol *s = block_symbol(b, name);
    if (s == NULL || (!own && s->scope != SYMBOL_FREE))
        return false;
    if (s->flags & (SYMBOL_FIXED | SYMBOL_IMPORTED) || block_observes(b) || is_off(v, b->at)
        || table_get(v->left, b) != NULL)
        return true;
    for (size_t i = 0; i < b->inner.len; i++)
        if (is_seen(v, b->inner.at[i], name, false))
            return true;
    return false;
}

static const Block *owner_of(const Block *b, Sym name)
{
    for (; b != NULL; b = b->outer) {
        const Symbol *s = block_symbol(b, name);
        if (s == NULL || s->scope == SYMBOL_FREE)
            continue;
        return s->scope == SYMBOL_LOCAL || s->scope == SYMBOL_CELL ? b : NULL;
    }
    return NULL;
}

// A class between a function and the variable may have one of the same name: it is passed over.
static const Block *variable_of(const Block *from, Sym name)
{
    const Block *b = owner_of(from, name);
    while (b != NULL && b != from && b->kind == BLOCK_CLASS)
        b = owner_of(b->outer, name);
    return b;
}

bool is_boxed(Virt *v, Sym plain)
{
    if (!v->options->boxed)
        return false;
    Sym name = mangled(v, plain);
    const Block *owner = variable_of(v->w.block, name);
    if (owner == NULL || owner->kind != BLOCK_FUNCTION)
        return false;
    const Symbol *s = block_symbol(owner, name);
    uintptr_t known = (uintptr_t)table_get(v->boxed, s);
    if (known == 0) {
        bool boxed = table_get(v->entered, owner) != NULL && !is_seen(v, owner, name, true)
                     && table_get(v->shown, plain) == NULL;
        known = boxed ? 1 : 2;
        table_set(v->boxed, s, (void *)known);
    }
    return known == 1;
}

// ---- text ----

static bool is_own(Virt *v, Sym name)
{
    return variable_of(v->w.block, mangled(v, name)) == v->w.block;
}

const char *boxed_value(Virt *v, Sym name)
{
    if (!is_boxed(v, name))
        return name;
    note_changed(v, HOOK_READ);
    return virt_text(v, "%s(%s)", is_own(v, name) ? use_default(v, HOOK_READ)
                                                  : use_derived(v, "read_free"), name);
}

const char *box_target(Virt *v, Sym name, bool deleted)
{
    note_changed(v, deleted ? HOOK_DELETE : HOOK_ASSIGN);
    return virt_text(v, "%s(%s).val",
                     use_derived(v, deleted && !is_own(v, name) ? "box_ref_free" : "box_ref"),
                     name);
}

bool virt_boxed_assign(Virt *v, const Stmt *s)
{
    const Expr *target = s->assign.targets.at[0];
    if (s->assign.targets.len != 1 || target->kind != EXPR_NAME || !is_boxed(v, target->name.id))
        return false;
    const Token *equal = token_past_parens(v, target->at.end);
    note_changed(v, HOOK_ASSIGN);
    virt_replace(v, (Span){s->at.start, equal->at.end}, "%s(%s,", use_default(v, HOOK_ASSIGN),
                 target->name.id);
    v->w.depth++;
    virt_argument(v, s->assign.value);
    v->w.depth--;
    virt_put(v, s->at.end, ")");
    return true;
}

// ---- boxes ----

static const char *box_parameter(Virt *v, const Arg *arg)
{
    if (arg == NULL || !is_boxed(v, arg->arg))
        return "";
    note_changed(v, HOOK_INIT);
    return virt_text(v, "; %s = %s('%s', %s)", arg->arg, use_derived(v, "box_of"),
                     mangled(v, arg->arg), arg->arg);
}

static const char *box_parameters(Virt *v, const Arguments *args)
{
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    const char *text = "";
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t j = 0; j < lists[i].len; j++)
            text = virt_text(v, "%s%s", text, box_parameter(v, lists[i].at[j]));
    return virt_text(v, "%s%s%s", text, box_parameter(v, args->vararg),
                     box_parameter(v, args->kwarg));
}

const char *make_boxes(Virt *v, const Arguments *args, StmtList body)
{
    if (!v->options->boxed)
        return "";
    const char *text = box_parameters(v, args);
    SymList names = names_of(v, NULL, body);
    for (size_t i = 0; i < names.len; i++) {
        const Symbol *s = block_symbol(v->w.block, mangled(v, names.at[i]));
        bool local = s != NULL && !(s->flags & SYMBOL_PARAMETER)
                     && (s->scope == SYMBOL_LOCAL || s->scope == SYMBOL_CELL);
        if (local && is_boxed(v, names.at[i]))
            text = virt_text(v, "%s; %s = %s('%s')", text, names.at[i], use_default(v, HOOK_INIT),
                             mangled(v, names.at[i]));
    }
    return *text != '\0' ? text + 2 : text;
}
