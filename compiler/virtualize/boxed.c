// boxed.c - locals of functions in boxes: `x = e` is `_pc_assign(x, e)`, `x` is `_pc_read(x)`, and
// the box is made at the top of the function.
//
// A variable is in a box only if no code sees the box itself: no function that looks at its own
// variables, no annotation, no pattern that mentions it, no field of an f-string that prints its
// own text, no function that is left plain, no `try` or `match` that stays plain and binds it. What
// `def`, `class` and `import` bind is put into the box, which has a second name, right after it.

#include <string.h>

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

// ---- names that a `try` or a `match` binds which stays plain ----

static void keep(Virt *v, Sym name)
{
    const Symbol *s = name == NULL ? NULL : block_symbol(v->w.block, mangled(v, name));
    if (s != NULL)
        table_set(v->kept, s, v);
}

static bool keep_capture(void *cx, const Pattern *p)
{
    keep(cx, captured_name(p));
    return true;
}

static bool find_kept(void *cx, const Stmt *s)
{
    Virt *v = cx;
    IrWalker w = {.cx = v, .pattern = keep_capture};
    if (s->kind == STMT_TRY_STAR || (s->kind == STMT_TRY && !is_try_hooked(v, s)))
        for (size_t i = 0; i < s->try.handlers.len; i++)
            keep(v, s->try.handlers.at[i]->except_handler.name);
    if (s->kind == STMT_MATCH && !is_match_hooked(v, s))
        for (size_t i = 0; i < s->match.cases.len; i++)
            ir_walk_pattern(&w, s->match.cases.at[i]->pattern);
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_ASYNC_FUNCTION_DEF
           && s->kind != STMT_CLASS_DEF;
}

void find_kept_names(Virt *v, StmtList body)
{
    IrWalker w = {.cx = v, .stmt = find_kept};
    if (v->options->boxed)
        ir_walk_stmts(&w, body);
}

// ---- the decision ----

// Whether a block, or one inside that has the variable free, binds or sees it in a way of its own.
static bool is_seen(Virt *v, const Block *b, Sym name, bool own)
{
    const Symbol *s = block_symbol(b, name);
    if (s == NULL || (!own && s->scope != SYMBOL_FREE))
        return false;
    unsigned outside = SYMBOL_IMPORTED | SYMBOL_DEFINED | SYMBOL_CAUGHT | SYMBOL_NAMED;
    if (s->flags & (SYMBOL_FIXED | (own ? 0 : outside)) || block_observes(b) || is_off(v, b->at)
        || table_get(v->left, b) != NULL || table_get(v->kept, s) != NULL)
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

// ---- what binds a name by itself ----

bool binds_by_itself(const Virt *v, Sym name)
{
    const Symbol *s = block_symbol(v->w.frame->block,
                                   scopes_mangle(v->names, v->w.frame->block->class_, name));
    return s != NULL && s->flags & (SYMBOL_IMPORTED | SYMBOL_DEFINED);
}

// What has been bound to the name of the box goes into it.
const char *rebox(Virt *v, Sym name)
{
    note_changed(v, HOOK_ASSIGN);
    return virt_text(v, "%s = %s(%sn_%s, %s)", name, use_derived(v, "reboxed"), v->prefix, name,
                     name);
}

static Sym imported_name(Virt *v, const Alias *alias)
{
    Sym name = alias->asname != NULL ? alias->asname : alias->name;
    return names_intern(v->names, name, strcspn(name, "."));
}

// `import a, b` is `import a; ...; import b; ...`: if one fails, those before are bound.
void virt_import(Virt *v, const Stmt *s)
{
    AliasList list = s->import.names;
    bool boxed = false;
    for (size_t i = 0; i < list.len; i++)
        boxed |= is_boxed(v, imported_name(v, list.at[i]));
    for (size_t i = 0; boxed && i < list.len; i++) {
        Sym name = imported_name(v, list.at[i]);
        if (is_boxed(v, name))
            virt_put(v, list.at[i]->at.end, "; %s", rebox(v, name));
        if (i + 1 < list.len)
            virt_replace(v, token_from(v, list.at[i]->at.end)->at, "; import");
    }
}

// `from m import a, b` binds private names first: none of the boxes is lost where one is not found.
void virt_import_from(Virt *v, const Stmt *s)
{
    AliasList list = s->import_from.names;
    const char *after = "", *gone = "";
    for (size_t i = 0; i < list.len; i++) {
        const Alias *alias = list.at[i];
        Sym name = alias->asname != NULL ? alias->asname : alias->name;
        if (!is_boxed(v, name))
            continue;
        const char *private = virt_text(v, "%sk%zu", v->prefix, i);
        if (alias->asname == NULL)
            virt_put(v, alias->at.end, " as %s", private);
        else
            virt_replace(v, token_before(v, alias->at.end)->at, "%s", private);
        note_changed(v, HOOK_ASSIGN);
        after = virt_text(v, "%s; %s(%s, %s)", after, use_default(v, HOOK_ASSIGN), name, private);
        gone = virt_text(v, "%s%s %s", gone, *gone ? "," : "; del", private);
    }
    virt_put(v, s->at.end, "%s%s", after, gone);
}

// `x := e` is `_pc_named(x, e)`.
void virt_named(Virt *v, const Expr *e)
{
    const Expr *target = e->named_expr.target;
    if (!is_boxed(v, target->name.id)) {
        virt_expr(v, e->named_expr.value);
        return;
    }
    const Token *walrus = token_past_parens(v, target->at.end);
    note_changed(v, HOOK_ASSIGN);
    virt_replace(v, (Span){e->at.start, walrus->at.end}, "%s(%s,", use_derived(v, "named"),
                 target->name.id);
    v->w.depth++;
    virt_argument(v, e->named_expr.value);
    v->w.depth--;
    virt_put(v, e->at.end, ")");
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
        bool second = s != NULL && s->flags & (SYMBOL_IMPORTED | SYMBOL_DEFINED);
        bool local = s != NULL && !(s->flags & SYMBOL_PARAMETER)
                     && (s->scope == SYMBOL_LOCAL || s->scope == SYMBOL_CELL);
        if (local && is_boxed(v, names.at[i]))
            text = virt_text(v, "%s; %s = %s('%s')", text, names.at[i], use_default(v, HOOK_INIT),
                             mangled(v, names.at[i]));
        if (second && is_boxed(v, names.at[i]))
            text = virt_text(v, "%s; %sn_%s = %s", text, v->prefix, names.at[i], names.at[i]);
    }
    return *text != '\0' ? text + 2 : text;
}
