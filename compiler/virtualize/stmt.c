// stmt.c - statements that stay statements, definitions, and the frames of functions.

#include "compiler/virtualize/internal.h"
#include "parser.h"

// ---- frames ----

static const Arg *first_parameter(const Arguments *args)
{
    if (args == NULL)
        return NULL;
    return args->posonlyargs.len > 0 ? args->posonlyargs.at[0]
           : args->args.len > 0      ? args->args.at[0]
                                     : NULL;
}

// What super() looks at: the first parameter, as long as it is what the caller gave.
static const char *unchanged_first(Virt *v, const Block *b, const Arguments *args)
{
    const Arg *first = first_parameter(args);
    if (first == NULL)
        return NULL;
    const Symbol *s = block_symbol(b, scopes_mangle(v->names, b->class_, first->arg));
    return s != NULL && s->flags & SYMBOL_ASSIGNED ? NULL : first->arg;
}

static bool is_wanted_line(const Virt *v, Span at)
{
    return source_line_index(v->source, at.start) + 1 == v->options->line;
}

Where frame_enter(Virt *v, const Block *block, const Arguments *args, unsigned facts, bool async,
                  Span at)
{
    Where outer = v->w;
    Frame *f = ARENA_NEW(v->arena, Frame);
    f->block = block;
    f->generator = facts & FACT_YIELD;
    f->async = async;
    f->observes = block->kind != BLOCK_MODULE && block_observes(block);
    f->first = unchanged_first(v, block, args);
    f->rest = UINT32_MAX;
    v->w.frame = f;
    v->w.block = block;
    v->w.leave = v->w.loop = JUMP_PLAIN;
    v->w.moved = v->w.turn = false;
    if (v->options->line != 0 && v->w.inactive && is_wanted_line(v, at))
        v->w.inactive = false;
    return outer;
}

void frame_leave(Virt *v, Where outer) { v->w = outer; }

// Names that only thunks bind are made cells: after the docstring, on a line of its own.
static bool is_docstring(const Stmt *s)
{
    return s->kind == STMT_EXPR && s->expr.value->kind == EXPR_CONSTANT
           && s->expr.value->constant.value->kind == CONST_STR;
}

uint32_t stmt_start(const Virt *v, const Stmt *s)
{
    ExprList decorators = s->kind == STMT_CLASS_DEF ? s->class_def.decorator_list
                          : s->kind == STMT_FUNCTION_DEF || s->kind == STMT_ASYNC_FUNCTION_DEF
                              ? s->function_def.decorator_list
                              : (ExprList){0};
    return decorators.len == 0 ? s->at.start
                               : token_before(v, decorators.at[0]->at.start)->at.start;
}

// The place of the edit that makes the cells, made before any of the body; its text comes later.
static size_t reserve_cells(Virt *v, StmtList body)
{
    size_t i = body.len > 1 && is_docstring(body.at[0]) ? 1 : 0;
    while (i + 1 < body.len && !virt_starts_line(v, stmt_start(v, body.at[i])))
        i++;
    virt_put(v, stmt_start(v, body.at[i]), "%s", "");
    return v->edits.len - 1;
}

static bool is_parameter(Virt *v, Sym name)
{
    const Symbol *s = block_symbol(v->w.frame->block, mangled(v, name));
    return s == NULL || s->flags & (SYMBOL_PARAMETER | SYMBOL_DECLARED_NONLOCAL);
}

static bool binds(SymList bound, Sym name)
{
    for (size_t i = 0; i < bound.len; i++)
        if (bound.at[i] == name)
            return true;
    return false;
}

static bool is_simple(const Stmt *s)
{
    return s->kind == STMT_ASSIGN || s->kind == STMT_AUG_ASSIGN || s->kind == STMT_ANN_ASSIGN
           || s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM || s->kind == STMT_FUNCTION_DEF
           || s->kind == STMT_CLASS_DEF;
}

// The names that the simple statements of a body bind: these are locals anyway.
static SymList bound_plainly(Virt *v, StmtList body)
{
    Vec(const Stmt *) simple = {0};
    for (size_t i = 0; i < body.len; i++)
        if (is_simple(body.at[i]) && body.at[i]->at.start < v->w.frame->rest)
            vec_push(v->arena, &simple, body.at[i]);
    return names_of(v, NULL, (StmtList){simple.at, simple.len});
}

static void make_cells(Virt *v, StmtList body, size_t reserved)
{
    const Frame *f = v->w.frame;
    const char *text = "";
    if (f->made.len == 0)
        return;
    SymList plainly = bound_plainly(v, body);
    for (size_t i = 0; i < f->made.len; i++)
        if (!is_parameter(v, f->made.at[i]) && !binds(plainly, f->made.at[i]))
            text = virt_text(v, "%s%s = ", text, f->made.at[i]);
    if (*text != '\0') {
        Edit *edit = &v->edits.at[reserved];
        edit->text = virt_text(v, "if 0: %sNone\n%s", text, virt_indent(v, edit->at.start));
    }
}

// The line or, where the body stands on the line of its header, the statements that make boxes.
static void put_boxes(Virt *v, const Arguments *args, StmtList body)
{
    const char *boxes = make_boxes(v, args, body);
    const Stmt *first = body.at[is_docstring(body.at[0]) && body.len > 1];
    uint32_t at = stmt_start(v, first);
    if (*boxes == '\0' || is_docstring(first))
        return;
    if (virt_starts_line(v, at))
        virt_put(v, at, "%s\n%s", boxes, virt_indent(v, at));
    else
        virt_put(v, at, "%s; ", boxes);
}

static void virt_body(Virt *v, const Arguments *args, StmtList body)
{
    put_boxes(v, args, body);
    size_t reserved = reserve_cells(v, body);
    virt_stmts(v, body);
    make_cells(v, body, reserved);
}

// ---- definitions ----

// Functions that `@pychoral.virtual.plain` marks are left as they are.
static bool is_plain_mark(const Expr *e)
{
    if (e->kind == EXPR_NAME)
        return sym_is(e->name.id, "plain");
    return e->kind == EXPR_ATTRIBUTE && sym_is(e->attribute.attr, "plain");
}

bool is_marked_plain(ExprList decorators)
{
    for (size_t i = 0; i < decorators.len; i++)
        if (is_plain_mark(decorators.at[i]))
            return true;
    return false;
}

// The hook of a definition is its innermost decorator.
static void decorate(Virt *v, const Stmt *s, HookId hook)
{
    if (!wants(v, hook) || is_off(v, s->at))
        return;
    if (!virt_starts_line(v, s->at.start)) {
        note_plain(v, source_first_line(v->source, s->at), hook,
                   "a backslash joins its line to the line before");
        return;
    }
    note_changed(v, hook);
    virt_put(v, s->at.start, "@%s\n%s", use_hook(v, hook, FORM_PLAIN),
             virt_indent(v, s->at.start));
}

static void virt_function(Virt *v, const Stmt *s)
{
    const Arguments *args = s->function_def.args;
    bool async = s->kind == STMT_ASYNC_FUNCTION_DEF;
    virt_exprs(v, s->function_def.decorator_list);
    decorate(v, s, HOOK_FUNCTION_DEF);
    virt_exprs(v, args->defaults);
    virt_exprs(v, args->kw_defaults);
    Where outer = frame_enter(v, scopes_block(&v->scopes, s), args,
                              facts_of_stmts(v, s->function_def.body), async, s->at);
    if (v->w.inactive && v->options->line != 0 && is_wanted_line(v, (Span){stmt_start(v, s), 0}))
        v->w.inactive = false;
    if (is_marked_plain(s->function_def.decorator_list))
        v->w.inactive = true;
    if (!v->w.inactive)
        table_set(v->entered, v->w.block, v);
    find_kept_names(v, s->function_def.body);
    const Arg *first = first_parameter(args);
    if (first != NULL && is_boxed(v, first->arg))
        v->w.frame->first = first->arg;
    virt_body(v, args, s->function_def.body);
    frame_leave(v, outer);
}

static void virt_class(Virt *v, const Stmt *s)
{
    virt_exprs(v, s->class_def.decorator_list);
    decorate(v, s, HOOK_CLASS_DEF);
    virt_exprs(v, s->class_def.bases);
    for (size_t i = 0; i < s->class_def.keywords.len; i++)
        virt_expr(v, s->class_def.keywords.at[i]->value);
    Where outer = frame_enter(v, scopes_block(&v->scopes, s), NULL, 0, false, s->at);
    virt_stmts(v, s->class_def.body);
    frame_leave(v, outer);
}

static void rebox_defined(Virt *v, const Stmt *s, Sym name)
{
    if (is_boxed(v, name))
        virt_put(v, virt_line_end(v, s->at.end), "\n%s%s", virt_indent(v, s->at.start),
                 rebox(v, name));
}

// ---- jumps ----

// An expression as the argument of a hook of one value, if there is one: from `at.start` to
// `at.end`, which may be outside of its parentheses.
static void virt_hooked(Virt *v, const Expr *e, HookId hook, Span at)
{
    bool taken = virt_takes(v, e, hook, 1, NULL);
    if (!taken) {
        virt_expr(v, e);
        return;
    }
    virt_put(v, at.start, "%s(", use_hook(v, hook, FORM_PLAIN));
    v->w.depth++;
    virt_argument(v, e);
    v->w.depth--;
    virt_put(v, at.end, ")");
}

static void virt_return(Virt *v, const Stmt *s)
{
    const Expr *value = s->return_.value;
    bool signal = v->w.leave == JUMP_SIGNAL;
    if (value == NULL) {
        if (signal)
            virt_put(v, s->at.end, " None,");
        return;
    }
    uint32_t start = token_from(v, s->at.start)[1].at.start;
    if (signal)
        virt_put(v, start, "(");
    v->w.depth += signal;
    virt_hooked(v, value, HOOK_RETURN, (Span){start, s->at.end});
    v->w.depth -= signal;
    if (signal)
        virt_put(v, s->at.end, "),");
}

static void virt_jump(Virt *v, const Stmt *s, const char *helper)
{
    if (v->w.loop == JUMP_SIGNAL)
        virt_replace(v, s->at, "return %s", use_helper(v, helper));
}

// ---- the others ----

static void virt_targets(Virt *v, ExprList targets)
{
    for (size_t i = 0; i < targets.len; i++)
        virt_target(v, targets.at[i]);
}

static void virt_async_for(Virt *v, const Stmt *s)
{
    JumpMode loop = v->w.loop;
    virt_target(v, s->async_for.target);
    virt_hooked(v, s->async_for.iter, HOOK_AITER, s->async_for.iter->at);
    v->w.loop = JUMP_PLAIN;
    virt_stmts(v, s->async_for.body);
    v->w.loop = loop;
    virt_stmts(v, s->async_for.orelse);
}

static void virt_async_with(Virt *v, const Stmt *s)
{
    for (size_t i = 0; i < s->async_with.items.len; i++) {
        const Expr *manager = s->async_with.items.at[i]->context_expr;
        virt_hooked(v, manager, HOOK_ACONTEXT, manager->at);
        if (s->async_with.items.at[i]->optional_vars != NULL)
            virt_target(v, s->async_with.items.at[i]->optional_vars);
    }
    virt_stmts(v, s->async_with.body);
}

static void virt_plain_try(Virt *v, const Stmt *s)
{
    virt_stmts(v, s->try.body);
    for (size_t i = 0; i < s->try.handlers.len; i++) {
        virt_expr(v, s->try.handlers.at[i]->except_handler.type);
        virt_stmts(v, s->try.handlers.at[i]->except_handler.body);
    }
    virt_stmts(v, s->try.orelse);
    virt_stmts(v, s->try.finalbody);
}

static void virt_ann_assign(Virt *v, const Stmt *s)
{
    if (s->ann_assign.value == NULL)
        return;
    virt_target(v, s->ann_assign.target);
    virt_expr(v, s->ann_assign.value);
}

// `raise e from c` is `raise _pc_raise_stmt(e, c)`.
static void virt_raise(Virt *v, const Stmt *s)
{
    const Expr *e = s->raise.exc, *cause = s->raise.cause;
    bool taken = e != NULL && virt_takes(v, e, HOOK_RAISE_STMT, 1, NULL);
    if (taken)
        virt_put(v, token_from(v, s->at.start)[1].at.start, "%s(",
                 use_hook(v, HOOK_RAISE_STMT, FORM_PLAIN));
    v->w.depth += taken;
    virt_expr(v, e);
    if (taken && cause != NULL)
        virt_replace(v, token_with_blanks(v, token_of_kind(v, e->at.end, TOK_FROM)), ", ");
    virt_expr(v, cause);
    v->w.depth -= taken;
    if (taken && cause == NULL)
        virt_put(v, s->at.end, ", %s)", use_helper(v, "UNBOUND"));
    else if (taken)
        virt_put(v, s->at.end, ")");
}

// `assert t, m` is `__debug__ and _pc_assert_stmt(lambda: t, lambda: m)`: simple, as it was.
static void virt_assert(Virt *v, const Stmt *s)
{
    const Expr *test = s->assert.test, *message = s->assert.msg;
    const char *why = why_no_lambda(v, facts_of_expr(v, test) | facts_of_expr(v, message));
    if (!wants(v, HOOK_ASSERT_STMT) || !virt_takes(v, test, HOOK_ASSERT_STMT, 2, why)) {
        virt_test(v, test);
        virt_expr(v, message);
        return;
    }
    virt_replace(v, token_from(v, s->at.start)->at, "__debug__ and %s(lambda:",
                 use_hook(v, HOOK_ASSERT_STMT, FORM_PLAIN));
    v->w.depth++;
    v->w.asked = ASKED_TEST;
    virt_lambda_body(v, test);
    if (message != NULL) {
        virt_replace(v, token_past_parens(v, test->at.end)->at, ", lambda:");
        virt_lambda_body(v, message);
    }
    v->w.depth--;
    virt_put(v, s->at.end, message != NULL ? ")" : ", None)");
}

static void virt_assign(Virt *v, const Stmt *s)
{
    const Expr *first = s->assign.targets.at[0];
    bool before = v->w.inactive;
    if (virt_boxed_assign(v, s))
        return;
    virt_targets(v, s->assign.targets);
    // Tools read the list of exported names from the text.
    v->w.inactive |= first->kind == EXPR_NAME && sym_is(first->name.id, "__all__");
    virt_expr(v, s->assign.value);
    v->w.inactive = before;
}

static void virt_expr_stmt(Virt *v, const Stmt *s)
{
    if (!is_docstring(s))
        virt_hooked(v, s->expr.value, HOOK_EXPR_STMT, s->at);
}

static void virt_stmt(Virt *v, const Stmt *s)
{
    switch (s->kind) {
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF:
        virt_function(v, s);
        rebox_defined(v, s, s->function_def.name);
        break;
    case STMT_CLASS_DEF:
        virt_class(v, s);
        rebox_defined(v, s, s->class_def.name);
        break;
    case STMT_IMPORT: virt_import(v, s); break;
    case STMT_IMPORT_FROM: virt_import_from(v, s); break;
    case STMT_RETURN: virt_return(v, s); break;
    case STMT_DELETE: virt_targets(v, s->delete.targets); break;
    case STMT_ASSIGN: virt_assign(v, s); break;
    case STMT_AUG_ASSIGN: virt_aug_assign(v, s); break;
    case STMT_ANN_ASSIGN: virt_ann_assign(v, s); break;
    case STMT_FOR: virt_for(v, s); break;
    case STMT_ASYNC_FOR: virt_async_for(v, s); break;
    case STMT_WHILE: virt_while(v, s); break;
    case STMT_IF: virt_if(v, s); break;
    case STMT_WITH: virt_with(v, s); break;
    case STMT_ASYNC_WITH: virt_async_with(v, s); break;
    case STMT_MATCH: virt_match(v, s); break;
    case STMT_RAISE: virt_raise(v, s); break;
    case STMT_TRY: virt_try(v, s); break;
    case STMT_TRY_STAR: virt_plain_try(v, s); break;
    case STMT_ASSERT: virt_assert(v, s); break;
    case STMT_EXPR: virt_expr_stmt(v, s); break;
    case STMT_BREAK: virt_jump(v, s, "BREAK"); break;
    case STMT_CONTINUE: virt_jump(v, s, "CONTINUE"); break;
    case STMT_TYPE_ALIAS: case STMT_GLOBAL: case STMT_NONLOCAL: case STMT_PASS:
    case STMT_CHOREO: case STMT_OFFER: case STMT_STOPPED:
    case STMT_COUNT:
    STMT_CASES_GRAD:
        break;
    }
}

void virt_stmts(Virt *v, StmtList list)
{
    for (size_t i = 0; i < list.len; i++) {
        if (virt_if_rest(v, (StmtList){list.at + i, list.len - i}))
            return;
        virt_stmt(v, list.at[i]);
    }
}

void virt_module(Virt *v, StmtList body)
{
    frame_enter(v, v->scopes.module, NULL, 0, false, (Span){0, 0});
    virt_stmts(v, body);
}
