// python_stmt.c - statements, and the blank lines between them as PEP 8 has them.

#include "compiler/emit/line_table.h"
#include "compiler/emit/python_internal.h"

// ---- blocks ----

static void put_stmt(Py *p, const Stmt *s, BlockPlace place);

static const Stmt *definition_of(const Stmt *s)
{
    while (s->kind == STMT_CHOREO)
        s = s->choreo.def;
    return s;
}

static bool is_definition(const Stmt *s)
{
    StmtKind kind = definition_of(s)->kind;
    return kind == STMT_FUNCTION_DEF || kind == STMT_ASYNC_FUNCTION_DEF || kind == STMT_CLASS_DEF;
}

static bool is_import(const Stmt *s)
{
    return s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM;
}

static bool is_docstring(const Stmt *s)
{
    return s->kind == STMT_EXPR && s->expr.value->kind == EXPR_CONSTANT &&
           s->expr.value->constant.value->kind == CONST_STR &&
           s->expr.value->constant.kind == NULL;
}

// Whether the source has an empty line between two statements.
static bool was_apart(const Source *source, const Stmt *before, const Stmt *s)
{
    bool blank = false;         // nothing but blanks since the last newline
    if (source == NULL || s->at.start > source->text.len)
        return false;
    for (size_t i = before->at.end; i < s->at.start; i++) {
        char c = source->text.at[i];
        if (c == '\n' && blank)
            return true;
        blank = c == '\n' || (blank && (c == ' ' || c == '\t' || c == '\f' || c == '\r'));
    }
    return false;
}

static int blank_lines(const Py *p, const Stmt *before, const Stmt *s, bool first,
                       BlockPlace place)
{
    if (is_definition(before) || is_definition(s))
        return place == PLACE_MODULE ? 2 : 1;
    if ((place == PLACE_MODULE || place == PLACE_CLASS) && first && is_docstring(before))
        return 1;
    if (place == PLACE_MODULE && is_import(before) && !is_import(s))
        return 1;
    return was_apart(p->options.source, before, s);
}

void py_block(Py *p, StmtList body, BlockPlace place)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        int blanks = i > 0 ? blank_lines(p, body.at[i - 1], s, i == 1, place) : 0;
        for (; blanks > 0; blanks--)
            buf_putc(p->out, '\n');
        if (i > 0 || place == PLACE_BODY || !is_docstring(s)) {
            put_stmt(p, s, place);
            continue;
        }
        py_docstring(p, s->expr.value->constant.value->text);
        py_line_end(p, false);
    }
}

// Ends the line of a header with its colon and writes the block.
static void put_body(Py *p, StmtList body, BlockPlace place)
{
    py_puts(p, ":");
    py_line_end(p, true);
    p->out->indent++;
    if (body.len > 0) {
        py_block(p, body, place);
    } else {
        py_puts(p, "pass");
        py_line_end(p, false);
    }
    p->out->indent--;
}

static void put_clause(Py *p, const char *keyword, StmtList body)
{
    if (body.len == 0)
        return;
    py_puts(p, keyword);
    put_body(p, body, PLACE_BODY);
}

// ---- lists ----

static void put_separator(Py *p, size_t i)
{
    if (i == 0)
        return;
    py_puts(p, ", ");
    py_mark(p, MARK_BREAK);
}

static void put_prefixed(Py *p, const char *prefix, const Expr *e, Prec min)
{
    if (e == NULL)
        return;
    py_puts(p, prefix);
    py_expr(p, e, min);
}

static void put_names(Py *p, const char *keyword, SymList names)
{
    py_puts(p, keyword);
    py_roles(p, names);
}

// The roles have the names of the definition's head, so its place is told as well.
static void put_stopped(Py *p, SymList peers, Span at)
{
    const Source *source = p->options.sites ? p->options.sites->source : NULL;
    py_puts(p, "raise PeerStopped(");
    for (size_t i = 0; i < peers.len; i++) {
        put_separator(p, i);
        py_puts(p, "\"");
        py_puts(p, peers.at[i]);
        py_puts(p, "\"");
    }
    if (source != NULL) {
        py_puts(p, ", at=");
        const char *place = site_place(p->arena, source, at);
        const Const *text = const_str(p->arena, (Text){place, strlen(place)});
        py_expr(p, expr_constant(p->arena, at, text, NULL), PREC_TEST);
    }
    py_puts(p, ")");
}

static void put_aliases(Py *p, AliasList names)
{
    for (size_t i = 0; i < names.len; i++) {
        put_separator(p, i);
        py_puts(p, names.at[i]->name);
        if (names.at[i]->asname != NULL) {
            py_puts(p, " as ");
            py_puts(p, names.at[i]->asname);
        }
    }
}

// ---- definitions ----

static void put_type_param(Py *p, const TypeParam *t)
{
    switch (t->kind) {
    case TYPE_PARAM_TYPE_VAR:
        py_puts(p, t->type_var.name);
        put_prefixed(p, ": ", t->type_var.bound, PREC_TEST);
        put_prefixed(p, " = ", t->type_var.default_value, PREC_TEST);
        break;
    case TYPE_PARAM_PARAM_SPEC:
        py_puts(p, "**");
        py_puts(p, t->param_spec.name);
        put_prefixed(p, " = ", t->param_spec.default_value, PREC_TEST);
        break;
    case TYPE_PARAM_TYPE_VAR_TUPLE:
        py_puts(p, "*");
        py_puts(p, t->type_var_tuple.name);
        put_prefixed(p, " = ", t->type_var_tuple.default_value, PREC_TEST);
        break;
    case TYPE_PARAM_COUNT:
        break;
    }
}

static void put_type_params(Py *p, TypeParamList params)
{
    if (params.len == 0)
        return;
    py_puts(p, "[");
    py_mark(p, MARK_OPEN);
    for (size_t i = 0; i < params.len; i++) {
        put_separator(p, i);
        put_type_param(p, params.at[i]);
    }
    py_mark(p, MARK_CLOSE);
    py_puts(p, "]");
}

static void put_decorators(Py *p, ExprList decorators)
{
    for (size_t i = 0; i < decorators.len; i++) {
        py_puts(p, "@");
        py_named(p, decorators.at[i]);
        py_line_end(p, false);
    }
}

static void put_signature(Py *p, Sym name, TypeParamList type_params, const Arguments *args,
                          const Expr *returns)
{
    py_puts(p, name);
    put_type_params(p, type_params);
    py_puts(p, "(");
    py_mark(p, MARK_OPEN);
    py_arguments(p, args, true);
    py_mark(p, MARK_CLOSE);
    py_puts(p, ")");
    put_prefixed(p, " -> ", returns, PREC_TEST);
}

static void put_function(Py *p, const Stmt *s)
{
    put_decorators(p, s->function_def.decorator_list);
    py_puts(p, "def ");
    put_signature(p, s->function_def.name, s->function_def.type_params, s->function_def.args,
                  s->function_def.returns);
    ExprVec outer = p->offered;
    p->offered = (ExprVec){0};
    put_body(p, s->function_def.body, PLACE_FUNCTION);
    p->offered = outer;
}

static void put_async_function(Py *p, const Stmt *s)
{
    put_decorators(p, s->async_function_def.decorator_list);
    py_puts(p, "async def ");
    put_signature(p, s->async_function_def.name, s->async_function_def.type_params,
                  s->async_function_def.args, s->async_function_def.returns);
    put_body(p, s->async_function_def.body, PLACE_FUNCTION);
}

static void put_class(Py *p, const Stmt *s)
{
    put_decorators(p, s->class_def.decorator_list);
    py_puts(p, "class ");
    py_puts(p, s->class_def.name);
    put_type_params(p, s->class_def.type_params);
    if (s->class_def.bases.len + s->class_def.keywords.len > 0)
        py_call_args(p, s->class_def.bases, s->class_def.keywords, false);
    put_body(p, s->class_def.body, PLACE_CLASS);
}

// ---- simple statements ----

static void put_assign(Py *p, const Stmt *s)
{
    for (size_t i = 0; i < s->assign.targets.len; i++) {
        py_target(p, s->assign.targets.at[i]);
        py_puts(p, " = ");
    }
    py_expr(p, s->assign.value, PREC_YIELD);
}

static void put_ann_assign(Py *p, const Stmt *s)
{
    const Expr *target = s->ann_assign.target;
    bool parens = target->kind == EXPR_NAME && !s->ann_assign.simple;
    py_puts(p, parens ? "(" : "");
    py_expr(p, target, PREC_TEST);
    py_puts(p, parens ? ")" : "");
    put_prefixed(p, ": ", s->ann_assign.annotation, PREC_TEST);
    put_prefixed(p, " = ", s->ann_assign.value, PREC_YIELD);
}

static void put_aug_assign(Py *p, const Stmt *s)
{
    py_expr(p, s->aug_assign.target, PREC_TEST);
    py_puts(p, " ");
    py_puts(p, py_operator_text(s->aug_assign.op));
    put_prefixed(p, "= ", s->aug_assign.value, PREC_YIELD);
}

static void put_type_alias(Py *p, const Stmt *s)
{
    put_prefixed(p, "type ", s->type_alias.name, PREC_ATOM);
    put_type_params(p, s->type_alias.type_params);
    put_prefixed(p, " = ", s->type_alias.value, PREC_TEST);
}

static void put_delete(Py *p, const Stmt *s)
{
    py_puts(p, "del ");
    for (size_t i = 0; i < s->delete.targets.len; i++) {
        py_puts(p, i > 0 ? ", " : "");
        py_expr(p, s->delete.targets.at[i], PREC_TEST);
    }
}

static void put_import_from(Py *p, const Stmt *s)
{
    AliasList names = s->import_from.names;
    bool star = names.len == 1 && sym_is(names.at[0]->name, "*");
    py_puts(p, "from ");
    for (int i = 0; i < s->import_from.level; i++)
        py_puts(p, ".");
    py_puts(p, s->import_from.module != NULL ? s->import_from.module : "");
    py_puts(p, " import ");
    if (!star)
        py_mark(p, MARK_SOFT);
    put_aliases(p, names);
    if (!star)
        py_mark(p, MARK_CLOSE);
}

static void put_plain_aliases(Py *p, AliasList names)
{
    p->unbreakable++;
    put_aliases(p, names);
    p->unbreakable--;
}

// ---- compound statements ----

static void put_for(Py *p, const char *keyword, const Expr *target, const Expr *iter,
                    StmtList body, StmtList orelse)
{
    py_puts(p, keyword);
    py_target(p, target);
    py_puts(p, " in ");
    py_expr(p, iter, PREC_TEST);
    put_body(p, body, PLACE_BODY);
    put_clause(p, "else", orelse);
}

static void put_while(Py *p, const Stmt *s)
{
    py_puts(p, "while ");
    py_named(p, s->while_.test);
    put_body(p, s->while_.body, PLACE_BODY);
    put_clause(p, "else", s->while_.orelse);
}

// A single `if` in an `else` is an `elif`.
static void put_if(Py *p, const Stmt *s)
{
    const char *keyword = "if ";
    for (;;) {
        StmtList orelse = s->if_.orelse;
        py_puts(p, keyword);
        py_named(p, s->if_.test);
        put_body(p, s->if_.body, PLACE_BODY);
        if (orelse.len != 1 || orelse.at[0]->kind != STMT_IF) {
            put_clause(p, "else", orelse);
            return;
        }
        s = orelse.at[0];
        keyword = "elif ";
    }
}

// `with (a, b):` has two items; a tuple as the only one needs a second pair of parentheses.
static bool is_tuple_item(WithitemList items)
{
    return items.len == 1 && items.at[0]->optional_vars == NULL &&
           items.at[0]->context_expr->kind == EXPR_TUPLE;
}

static void put_with(Py *p, const char *keyword, WithitemList items, StmtList body)
{
    bool double_parens = is_tuple_item(items);
    py_puts(p, keyword);
    py_puts(p, double_parens ? "(" : "");
    if (items.len > 1)
        py_mark(p, MARK_SOFT);
    for (size_t i = 0; i < items.len; i++) {
        put_separator(p, items.len > 1 ? i : 0);
        py_expr(p, items.at[i]->context_expr, PREC_TEST);
        put_prefixed(p, " as ", items.at[i]->optional_vars, PREC_TEST);
    }
    if (items.len > 1)
        py_mark(p, MARK_CLOSE);
    py_puts(p, double_parens ? ")" : "");
    put_body(p, body, PLACE_BODY);
}

static void put_handler(Py *p, const Excepthandler *h, bool star)
{
    py_puts(p, star ? "except*" : "except");
    put_prefixed(p, " ", h->except_handler.type, PREC_TEST);
    if (h->except_handler.name != NULL) {
        py_puts(p, " as ");
        py_puts(p, h->except_handler.name);
    }
    put_body(p, h->except_handler.body, PLACE_BODY);
}

static void put_try(Py *p, StmtList body, ExcepthandlerList handlers, StmtList orelse,
                    StmtList finalbody, bool star)
{
    py_puts(p, "try");
    put_body(p, body, PLACE_BODY);
    for (size_t i = 0; i < handlers.len; i++)
        put_handler(p, handlers.at[i], star);
    put_clause(p, "else", orelse);
    put_clause(p, "finally", finalbody);
}

static void put_match(Py *p, const Stmt *s)
{
    py_puts(p, "match ");
    py_named(p, s->match.subject);
    py_puts(p, ":");
    py_line_end(p, true);
    p->out->indent++;
    for (size_t i = 0; i < s->match.cases.len; i++) {
        const MatchCase *c = s->match.cases.at[i];
        py_puts(p, "case ");
        py_pattern(p, c->pattern);
        if (c->guard != NULL) {
            py_puts(p, " if ");
            py_named(p, c->guard);
        }
        put_body(p, c->body, PLACE_BODY);
    }
    p->out->indent--;
}

// A variable has one type: each enum of a function has a name of its own for unexpected labels.
static const char *other_of(Py *p, const Expr *enum_)
{
    size_t i = 0;
    while (i < p->offered.len && !ir_equal_expr(p->offered.at[i], enum_))
        i++;
    if (i == p->offered.len)
        vec_push(p->arena, &p->offered, enum_);
    if (i == 0)
        return p->other;
    Buf b = buf_new(p->arena);
    buf_printf(&b, "%s_%zu", p->other, i + 1);
    return buf_text(&b);
}

// A receiver's choice; what no arm names is refused, so that nothing falls through.
static void put_offer(Py *p, const Stmt *s)
{
    const char *other = other_of(p, s->offer.enum_);
    put_prefixed(p, "match ", s->offer.channel, PREC_ATOM);
    put_prefixed(p, ".select(expect=", s->offer.enum_, PREC_TEST);
    if (py_has_site(p, s->at.end)) {
        py_puts(p, ", ");
        py_site(p, s->at.end);
    }
    py_puts(p, "):");
    py_line_end(p, true);
    p->out->indent++;
    for (size_t i = 0; i < s->offer.arms.len; i++) {
        put_prefixed(p, "case ", s->offer.arms.at[i]->label, PREC_ATOM);
        put_body(p, s->offer.arms.at[i]->body, PLACE_BODY);
    }
    py_puts(p, "case ");
    py_puts(p, other);
    py_puts(p, ":");
    py_line_end(p, true);
    p->out->indent++;
    py_puts(p, "raise UnexpectedSelection(");
    py_puts(p, other);
    py_puts(p, ")");
    py_line_end(p, false);
    p->out->indent -= 2;
}

// ---- one statement ----

// A statement of one logical line, without its end.
static void put_simple(Py *p, const Stmt *s)
{
    switch (s->kind) {
    case STMT_RETURN:
        py_puts(p, "return");
        put_prefixed(p, " ", s->return_.value, PREC_TUPLE);
        break;
    case STMT_DELETE:      put_delete(p, s); break;
    case STMT_ASSIGN:      put_assign(p, s); break;
    case STMT_TYPE_ALIAS:  put_type_alias(p, s); break;
    case STMT_AUG_ASSIGN:  put_aug_assign(p, s); break;
    case STMT_ANN_ASSIGN:  put_ann_assign(p, s); break;
    case STMT_RAISE:
        py_puts(p, "raise");
        put_prefixed(p, " ", s->raise.exc, PREC_TEST);
        put_prefixed(p, " from ", s->raise.cause, PREC_TEST);
        break;
    case STMT_ASSERT:
        put_prefixed(p, "assert ", s->assert.test, PREC_TEST);
        put_prefixed(p, ", ", s->assert.msg, PREC_TEST);
        break;
    case STMT_IMPORT:
        py_puts(p, "import ");
        put_plain_aliases(p, s->import.names);
        break;
    case STMT_IMPORT_FROM: put_import_from(p, s); break;
    case STMT_GLOBAL:      put_names(p, "global ", s->global.names); break;
    case STMT_NONLOCAL:    put_names(p, "nonlocal ", s->nonlocal.names); break;
    case STMT_EXPR:        py_expr(p, s->expr.value, PREC_YIELD); break;
    case STMT_PASS:        py_puts(p, "pass"); break;
    case STMT_BREAK:       py_puts(p, "break"); break;
    case STMT_CONTINUE:    py_puts(p, "continue"); break;
    case STMT_STOPPED:     put_stopped(p, s->stopped.peers, s->at); break;
    case STMT_TAPE:        py_puts(p, "tape = []"); break;
    case STMT_KEEP:
        py_puts(p, "tape.append(");
        py_expr(p, s->keep.value, PREC_TEST);
        py_puts(p, ")");
        break;
    case STMT_BACK:
        py_target(p, s->back.target);
        py_puts(p, " = tape.pop()");
        break;
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF: case STMT_FOR:
    case STMT_ASYNC_FOR: case STMT_WHILE: case STMT_IF: case STMT_WITH: case STMT_ASYNC_WITH:
    case STMT_MATCH: case STMT_TRY: case STMT_TRY_STAR: case STMT_CHOREO: case STMT_OFFER:
    case STMT_COUNT:
        break;                  // see put_stmt
    }
}

static void put_stmt(Py *p, const Stmt *s, BlockPlace place)
{
    if (p->options.lines != NULL)
        line_table_note(p->options.lines, p->out->len, s->at);
    switch (s->kind) {
    case STMT_FUNCTION_DEF:       put_function(p, s); break;
    case STMT_ASYNC_FUNCTION_DEF: put_async_function(p, s); break;
    case STMT_CLASS_DEF:          put_class(p, s); break;
    case STMT_FOR:
        put_for(p, "for ", s->for_.target, s->for_.iter, s->for_.body, s->for_.orelse);
        break;
    case STMT_ASYNC_FOR:
        put_for(p, "async for ", s->async_for.target, s->async_for.iter, s->async_for.body,
                s->async_for.orelse);
        break;
    case STMT_WHILE:      put_while(p, s); break;
    case STMT_IF:         put_if(p, s); break;
    case STMT_WITH:       put_with(p, "with ", s->with.items, s->with.body); break;
    case STMT_ASYNC_WITH:
        put_with(p, "async with ", s->async_with.items, s->async_with.body);
        break;
    case STMT_MATCH:      put_match(p, s); break;
    case STMT_TRY:
        put_try(p, s->try.body, s->try.handlers, s->try.orelse, s->try.finalbody, false);
        break;
    case STMT_TRY_STAR:
        put_try(p, s->try_star.body, s->try_star.handlers, s->try_star.orelse,
                s->try_star.finalbody, true);
        break;
    case STMT_CHOREO:     put_stmt(p, s->choreo.def, place); break;
    case STMT_OFFER:      put_offer(p, s); break;
    case STMT_RETURN: case STMT_DELETE: case STMT_ASSIGN: case STMT_TYPE_ALIAS:
    case STMT_AUG_ASSIGN: case STMT_ANN_ASSIGN: case STMT_RAISE: case STMT_ASSERT:
    case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_GLOBAL: case STMT_NONLOCAL:
    case STMT_EXPR: case STMT_PASS: case STMT_BREAK: case STMT_CONTINUE: case STMT_STOPPED:
    case STMT_TAPE: case STMT_KEEP: case STMT_BACK:
        put_simple(p, s);
        py_line_end(p, false);
        break;
    case STMT_COUNT:
        break;
    }
}
