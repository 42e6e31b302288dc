// thunk.c - what all statement hooks share: whether a statement may be cut into thunks, the heads
// and first lines of thunks, the call of the hook, and the jumps that leave it.

#include <string.h>

#include "compiler/ir/free_names.h"
#include "compiler/virtualize/internal.h"
#include "parser.h"

// ---- whether ----

static const char *why_not_here(Virt *v, unsigned facts)
{
    const Frame *f = v->w.frame;
    bool module = f->block->kind == BLOCK_MODULE;
    bool has_try = v->options->hooks.on[HOOK_TRY_STMT][FORM_PLAIN];
    if (f->block->kind == BLOCK_CLASS)
        return "in a class body";
    if (f->observes || (module && facts & FACT_LOCALS))
        return "it may read the variables of its own frame";
    if (facts & FACT_DECLARES)
        return "it contains `global` or `nonlocal`";
    if (facts & FACT_ANNOTATES)
        return "it contains an annotated assignment to a name";
    if (facts & FACT_IMPORT_STAR)
        return "it contains `import *`";
    if (facts & FACT_SUPER && f->first == NULL)
        return "it contains `super()`, but the first parameter is missing or reassigned";
    if (facts & FACT_REVIVES)
        return "it contains a handler that may continue after `GeneratorExit`";
    if (facts & FACT_UNMENDED)
        return "it contains a handler with `yield` or `await` that may catch `NameError`";
    if (facts & FACT_UNBOUND && !has_try)
        return "it contains a handler that mentions `UnboundLocalError`";
    return NULL;
}

static const char *why_no_form(Virt *v, Shape *h, unsigned facts)
{
    const Frame *f = v->w.frame;
    if (facts & FACT_YIELD && f->async)
        return "it contains `yield` in an asynchronous generator";
    h->lacks_form = !v->options->hooks.on[h->hook][h->form];
    if (h->lacks_form)
        return h->form == FORM_GEN ? "the overload does not define the `_gen` form of the hook"
                                   : "the overload does not define the `_async` form of the hook";
    return NULL;
}

bool shape_fits(Virt *v, const Stmt *s, HookId hook, unsigned facts, Shape *shape,
                const char **why)
{
    HookForm form = facts & FACT_YIELD ? FORM_GEN : facts & FACT_AWAIT ? FORM_ASYNC : FORM_PLAIN;
    *shape = (Shape){hook, form, NULL, facts, ARENA_NEW(v->arena, Defined), false};
    *why = NULL;
    if (!wants(v, hook) || is_off(v, s->at))
        return false;
    *why = why_not_here(v, facts);
    if (*why == NULL)
        *why = why_no_form(v, shape, facts);
    if (*why == NULL && !virt_starts_line(v, s->at.start))
        *why = "a backslash joins its line to the line before";
    return *why == NULL;
}

bool shape_of(Virt *v, const Stmt *s, HookId hook, unsigned facts, Shape *shape)
{
    const char *why;
    if (!shape_fits(v, s, hook, facts, shape, &why)) {
        if (why != NULL) {
            note_plain(v, source_first_line(v->source, s->at), hook, why);
            v->plain.at[v->plain.len - 1].lacks_form = shape->lacks_form;
        }
        return false;
    }
    note_changed(v, hook);
    shape->indent = virt_indent(v, s->at.start);
    return true;
}

// ---- names ----

SymList names_of(Virt *v, const Expr *e, StmtList body)
{
    return names_bound_in(v->arena, v->names, (ExprList){&e, e != NULL}, body);
}

const char *local_writes(Virt *v, SymList names)
{
    const char *text = "";
    for (size_t i = 0; i < names.len; i++)
        text = is_boxed(v, names.at[i])
                   ? virt_text(v, "%s%s%s", text, i > 0 ? ", " : "", names.at[i])
                   : virt_text(v, "%s%s'%s'", text, i > 0 ? ", " : "", mangled(v, names.at[i]));
    return virt_text(v, names.len == 1 ? "(%s,)" : "(%s)", text);
}

static bool is_global_here(Virt *v, Sym name)
{
    const Block *b = v->w.frame->block;
    const Symbol *s = block_symbol(b, scopes_mangle(v->names, b->class_, name));
    return b->kind == BLOCK_MODULE || (s != NULL && s->flags & SYMBOL_DECLARED_GLOBAL);
}

static const char *listed(Virt *v, const char *word, SymList names, bool global)
{
    const char *text = "";
    for (size_t i = 0; i < names.len; i++)
        if (is_global_here(v, names.at[i]) == global
            && (!is_boxed(v, names.at[i]) || binds_by_itself(v, names.at[i])))
            text = virt_text(v, "%s%s %s", text, *text ? "," : word, names.at[i]);
    return text;
}

static void note_made(Virt *v, SymList names)
{
    Frame *f = v->w.frame;
    for (size_t i = 0; i < names.len; i++)
        if (!is_global_here(v, names.at[i]) && !is_boxed(v, names.at[i])
            && !sym_in((SymList){f->made.at, f->made.len}, names.at[i]))
            vec_push(v->arena, &f->made, names.at[i]);
}

static const char *joined(Virt *v, const char *a, const char *b)
{
    return virt_text(v, "%s%s%s", a, *a && *b ? "; " : "", b);
}

const char *thunk_start(Virt *v, const Shape *h, SymList names, unsigned facts)
{
    bool needs_yield = h->form == FORM_GEN && !(facts & FACT_YIELD);
    note_made(v, names);
    const char *text = joined(v, listed(v, "global", names, true),
                              listed(v, "nonlocal", names, false));
    return joined(v, text, needs_yield ? "0 and (yield)" : "");
}

// ---- thunks ----

const char *define(Virt *v, const Shape *h, char letter, unsigned n)
{
    const char *name = virt_text(v, "%s%c%u", v->prefix, letter, n);
    vec_push(v->arena, &h->defined->names, name);
    return name;
}

const char *thunk_head(Virt *v, const Shape *h, char letter, unsigned n, const char *parameter)
{
    return virt_text(v, "%sdef %s(%s)", h->form == FORM_ASYNC ? "async " : "",
                     define(v, h, letter, n), parameter);
}

Where thunk_enter(Virt *v)
{
    Where outer = v->w;
    v->w.leave = v->w.loop = JUMP_SIGNAL;
    v->w.moved = true;
    v->w.turn = false;
    return outer;
}

void thunk_suite(Virt *v, const Shape *h, const Token *colon, StmtList body, SymList names,
                 const char *more)
{
    Suite suite = suite_behind(v, colon);
    suite_put(v, &suite, joined(v, thunk_start(v, h, names, facts_of_stmts(v, body)), more));
    Where outer = thunk_enter(v);
    v->w.turn = h->hook == HOOK_FOR_STMT || h->hook == HOOK_WHILE_STMT;
    virt_stmts(v, body);
    v->w = outer;
}

void thunk_expr(Virt *v, const Expr *e)
{
    Where outer = thunk_enter(v);
    v->w.depth++;
    virt_test(v, e);
    v->w = outer;
}

const char *orelse_name(Virt *v, const Shape *h, bool present, unsigned n)
{
    static const char *const nothing[] = {"nothing", "nothing_gen", "nothing_async"};
    return present ? virt_text(v, "%so%u", v->prefix, n) : use_helper(v, nothing[h->form]);
}

// ---- the call ----

const char *hook_call(Virt *v, const Shape *h, const char *arguments)
{
    const char *hook = use_hook(v, h->hook, h->form);
    switch (h->form) {
    case FORM_GEN: return virt_text(v, "(yield from %s(%s))", hook, arguments);
    case FORM_ASYNC: return virt_text(v, "(await %s(%s))", hook, arguments);
    case FORM_PLAIN: case FORM_COUNT: break;
    }
    return virt_text(v, "%s(%s)", hook, arguments);
}

// In code that is no thunk, and in a loop that is none, jumps are jumps again.
static void put_jump(Virt *v, const Shape *h, uint32_t at, const char *test, const char *jump)
{
    virt_put(v, at, "\n%sif %ss %s: %s", h->indent, v->prefix, test, jump);
}

// What a signal returns. The frame of the function may live on in a traceback that was caught:
// there it has nothing to hold the value by.
static const char *returned(Virt *v, unsigned facts)
{
    const char *s = virt_text(v, "%ss", v->prefix);
    return facts & FACT_CATCHES ? virt_text(v, " (%s, %s := None)[0][0]", s, s)
                                : virt_text(v, " %s[0]", s);
}

static void put_jumps(Virt *v, const Shape *h, uint32_t at, unsigned jumps)
{
    unsigned left = jumps;
    bool generator = v->w.frame->async && v->w.frame->generator;
    if (v->w.loop == JUMP_PLAIN) {
        if (jumps & FACT_BREAK)
            put_jump(v, h, at, virt_text(v, "is %s", use_helper(v, "BREAK")), "break");
        if (jumps & FACT_CONTINUE)
            put_jump(v, h, at, virt_text(v, "is %s", use_helper(v, "CONTINUE")), "continue");
        left &= FACT_RETURN;
    }
    if (left == 0)
        return;
    const char *value = v->w.leave == JUMP_SIGNAL ? virt_text(v, " %ss", v->prefix)
                        : generator               ? ""
                                                  : returned(v, h->facts);
    put_jump(v, h, at, "is not None", virt_text(v, "return%s", value));
}

// What a thunk refers to, the function no longer does; on the top level, importers see no thunks.
// A turn of a loop ends soon, and they with it.
static const char *undefine(Virt *v, const Shape *h)
{
    if (v->w.turn)
        return "";
    const char *text = "; del";
    for (size_t i = 0; i < h->defined->names.len; i++)
        text = virt_text(v, "%s%s %s", text, i > 0 ? "," : "", h->defined->names.at[i]);
    return text;
}

void hook_end(Virt *v, const Shape *h, uint32_t at, const char *call, unsigned jumps)
{
    jumps &= FACT_JUMPS;
    const char *gone = undefine(v, h);
    if (h->form != FORM_PLAIN)
        virt_put(v, at, "\n%s%ss = %s(%s)%s", h->indent, v->prefix, use_helper(v, "leave"), call,
                 gone);
    else if (jumps != 0)
        virt_put(v, at, "\n%s%ss = %s%s", h->indent, v->prefix, call, gone);
    else
        virt_put(v, at, "\n%s%s%s", h->indent, call, gone);
    put_jumps(v, h, at, jumps);
}
