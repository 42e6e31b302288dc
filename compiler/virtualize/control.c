// control.c - `if`, `while`, `for`. A chain of `elif` is written flat, in the order of the text:
// its links are called from the last to the first behind the statement, so that no line moves.

#include "compiler/virtualize/internal.h"
#include "parser.h"

enum {
    LONGEST_CHAIN = 60,         // at run time each link is a call deeper
    DEEPEST_REST = 40,          // CPython takes 100 indentations inside one another
};

// ---- if ----

typedef Vec(const Stmt *) Links;

static Links links_of(Virt *v, const Stmt *s)
{
    Links links = {0};
    vec_push(v->arena, &links, s);
    while (s->if_.orelse.len == 1 && is_elif(v, s->if_.orelse.at[0])) {
        s = s->if_.orelse.at[0];
        vec_push(v->arena, &links, s);
    }
    return links;
}

static const Token *colon_behind(const Virt *v, const Expr *e)
{
    return token_past_parens(v, e->at.end);
}

// `else` and the like stand alone on their line: nothing but the word changes.
static const Token *replace_word(Virt *v, uint32_t body_end, int kind, const char *head)
{
    const Token *word = token_of_kind(v, body_end, kind);
    virt_replace(v, word->at, "%s", head);
    return word + 1;
}

static uint32_t end_of(StmtList body) { return body.at[body.len - 1]->at.end; }

// Of a suite that is followed by a word such as `else`: no token of that kind is before it.
static void virt_else(Virt *v, const Shape *h, StmtList before, StmtList orelse, unsigned n)
{
    if (orelse.len == 0)
        return;
    const Token *colon = replace_word(v, end_of(before), TOK_ELSE, thunk_head(v, h, 'o', n, ""));
    thunk_suite(v, h, colon, orelse, names_of(v, NULL, orelse), "");
}

// Gives the colon behind the test.
static const Token *virt_test_thunk(Virt *v, const Shape *h, const Stmt *s, const Expr *test,
                                    unsigned n)
{
    const char *start = thunk_start(v, h, names_of(v, test, (StmtList){0}), facts_of_expr(v, test));
    const Token *word = token_from(v, s->at.start), *colon = colon_behind(v, test);
    Span header = {word->at.start, token_with_blanks(v, word).end};
    virt_replace(v, header, "%s: %s%sreturn (", thunk_head(v, h, 't', n, ""), start,
            *start ? "; " : "");
    thunk_expr(v, test);
    virt_replace(v, colon->at, ")\n%s%s:", h->indent, thunk_head(v, h, 'b', n, ""));
    return colon;
}

static void virt_link(Virt *v, const Shape *h, const Stmt *s, unsigned n)
{
    const Token *colon = virt_test_thunk(v, h, s, s->if_.test, n);
    thunk_suite(v, h, colon, s->if_.body, names_of(v, NULL, s->if_.body), "");
}

static SymList arms_of(Virt *v, StmtList body, StmtList orelse)
{
    Vec(const Stmt *) all = {0};
    for (size_t i = 0; i < body.len; i++)
        vec_push(v->arena, &all, body.at[i]);
    for (size_t i = 0; i < orelse.len; i++)
        vec_push(v->arena, &all, orelse.at[i]);
    return names_of(v, NULL, (StmtList){all.at, all.len});
}

static const char *link_call(Virt *v, const Shape *h, const Stmt *s, unsigned n)
{
    const char *writes = local_writes(v, arms_of(v, s->if_.body, s->if_.orelse));
    const char *orelse = orelse_name(v, h, s->if_.orelse.len > 0, n);
    return hook_call(v, h, virt_text(v, "%st%u, %sb%u, %s, %s", v->prefix, n, v->prefix, n, orelse,
                                     writes));
}

static void virt_links(Virt *v, const Shape *h, const Links *links, unsigned first)
{
    const Stmt *last = links->at[links->len - 1];
    for (size_t i = 0; i < links->len; i++)
        virt_link(v, h, links->at[i], first + (unsigned)i);
    virt_else(v, h, last->if_.body, last->if_.orelse, first + (unsigned)links->len - 1);
}

static void virt_chain(Virt *v, const Shape *h, const Links *links)
{
    unsigned first = v->number + 1, n = v->number + (unsigned)links->len;
    v->number = n;
    virt_links(v, h, links, first);
    uint32_t end = virt_line_end(v, links->at[0]->at.end);
    for (size_t i = links->len; i-- > 1; n--)
        virt_put(v, end, "\n%s%s: return %s", h->indent, thunk_head(v, h, 'o', n - 1, ""),
            link_call(v, h, links->at[i], n));
    hook_end(v, h, end, link_call(v, h, links->at[0], first), h->facts);
}

static void virt_plain_chain(Virt *v, const Links *links)
{
    for (size_t i = 0; i < links->len; i++) {
        virt_test(v, links->at[i]->if_.test);
        virt_stmts(v, links->at[i]->if_.body);
    }
    virt_stmts(v, links->at[links->len - 1]->if_.orelse);
}

void virt_if(Virt *v, const Stmt *s)
{
    Shape h;
    Links links = links_of(v, s);
    bool too_long = links.len > LONGEST_CHAIN;
    if (too_long && wants(v, HOOK_IF_STMT))
        note_plain(v, source_first_line(v->source, s->at), HOOK_IF_STMT,
                   "a chain of more than 60 branches");
    if (!too_long && shape_of(v, s, HOOK_IF_STMT, facts_of_stmt(v, s), &h))
        virt_chain(v, &h, &links);
    else
        virt_plain_chain(v, &links);
}

// ---- an `if` that gets the statements behind it ----
//
// `if c: return 1` where a rest follows: the arms that fall through go on with the rest, so that
// each arm has a result. The rest becomes a thunk, whose lines stand deeper by a blank.

static bool surely_leaves(StmtList body)
{
    StmtKind last = body.at[body.len - 1]->kind;
    return last == STMT_RETURN || last == STMT_RAISE || last == STMT_BREAK || last == STMT_CONTINUE;
}

static bool returns_early(Virt *v, const Links *links)
{
    StmtList orelse = links->at[links->len - 1]->if_.orelse;
    bool all = orelse.len > 0 && surely_leaves(orelse);
    for (size_t i = 0; i < links->len; i++)
        all = all && surely_leaves(links->at[i]->if_.body);
    return !all && facts_of_stmt(v, links->at[0]) & FACT_RETURN;
}

// The link whose arms go on with the rest: to those before, the next link is the rest.
static size_t link_with_rest(const Links *links)
{
    size_t i = 0;
    while (i + 1 < links->len && surely_leaves(links->at[i]->if_.body))
        i++;
    return i;
}

static bool takes_rest(Virt *v, const Links *links, StmtList list, Shape *h)
{
    if (!returns_early(v, links)
        || (link_with_rest(links) + 1 < links->len && !wants(v, HOOK_IF_STMT)))
        return false;
    unsigned facts = facts_of_stmts(v, list);
    const char *why = facts & (FACT_YIELD | FACT_AWAIT) ? "it, or a statement after it, contains "
                                                          "`yield` or `await`"
                      : links->len > LONGEST_CHAIN      ? "a chain of more than 60 branches"
                      : v->w.indented >= DEEPEST_REST   ? "more than 40 enclosing statements"
                                                        : NULL;
    if (why == NULL)
        return shape_of(v, list.at[0], HOOK_IF_STMT_REST, facts, h);
    note_plain(v, source_first_line(v->source, list.at[0]->at), HOOK_IF_STMT_REST, why);
    return false;
}

static void virt_rest(Virt *v, const Shape *h, uint32_t behind, StmtList rest, unsigned n)
{
    const char *start = thunk_start(v, h, names_of(v, NULL, rest), 0);
    const char *gap = *start ? virt_text(v, "\n%s ", h->indent) : "";
    uint32_t from = stmt_start(v, rest.at[0]);
    if (!v->w.moved && from < v->w.frame->rest)
        v->w.frame->rest = from;
    virt_put(v, behind, "\n%s%s:%s%s", h->indent, thunk_head(v, h, 'r', n, ""), gap, start);
    virt_indent_lines(v, from, end_of(rest));
    Where outer = thunk_enter(v);
    v->w.indented++;
    virt_stmts(v, rest);
    v->w = outer;
}

// Behind the rest: the calls of the links, from the last to the first.
static void call_rest_links(Virt *v, const Shape *h, const Links *links, unsigned first,
                            StmtList list)
{
    Shape plain = *h;
    plain.hook = HOOK_IF_STMT;
    size_t with_rest = link_with_rest(links);
    uint32_t end = virt_line_end(v, end_of(list));
    unsigned last = first + (unsigned)links->len - 1;
    const char *writes = local_writes(v, names_of(v, NULL, list)), *call = "";
    for (size_t i = links->len; i-- > 0;) {
        const Stmt *s = links->at[i];
        unsigned n = first + (unsigned)i;
        bool chained = i + 1 < links->len;
        if (chained)
            virt_put(v, end, "\n%s%s: return %s", h->indent,
                     thunk_head(v, h, i < with_rest ? 'r' : 'o', n, ""), call);
        call = i > with_rest
                   ? link_call(v, &plain, s, n)
                   : hook_call(v, h, virt_text(v, "%st%u, %sb%u, %s, %sr%u, %s", v->prefix, n,
                                               v->prefix, n,
                                               orelse_name(v, h, i == with_rest
                                                                     && s->if_.orelse.len > 0, n),
                                               v->prefix, i == with_rest ? last : n, writes));
    }
    hook_end(v, h, end, call, h->facts);
}

bool virt_if_rest(Virt *v, StmtList list)
{
    Shape h;
    if (list.len < 2 || list.at[0]->kind != STMT_IF || !wants(v, HOOK_IF_STMT_REST))
        return false;
    Links links = links_of(v, list.at[0]);
    if (!takes_rest(v, &links, list, &h))
        return false;
    unsigned first = v->number + 1, last = v->number + (unsigned)links.len;
    v->number = last;
    virt_links(v, &h, &links, first);
    virt_rest(v, &h, virt_line_end(v, list.at[0]->at.end),
              (StmtList){list.at + 1, list.len - 1}, last);
    call_rest_links(v, &h, &links, first, list);
    return true;
}

// ---- loops ----

// Jumps that leave a loop: those of its body that are no `break` or `continue` of its own.
static unsigned loop_jumps(Virt *v, StmtList body, StmtList orelse)
{
    return (facts_of_stmts(v, body) & FACT_RETURN) | facts_of_stmts(v, orelse);
}

static void virt_plain_loop(Virt *v, StmtList body, StmtList orelse)
{
    JumpMode outer = v->w.loop;
    v->w.loop = JUMP_PLAIN;
    virt_stmts(v, body);
    v->w.loop = outer;
    virt_stmts(v, orelse);
}

void virt_while(Virt *v, const Stmt *s)
{
    Shape h;
    if (!shape_of(v, s, HOOK_WHILE_STMT, facts_of_stmt(v, s), &h)) {
        virt_test(v, s->while_.test);
        virt_plain_loop(v, s->while_.body, s->while_.orelse);
        return;
    }
    unsigned n = ++v->number;
    const Token *colon = virt_test_thunk(v, &h, s, s->while_.test, n);
    thunk_suite(v, &h, colon, s->while_.body, names_of(v, NULL, s->while_.body), "");
    virt_else(v, &h, s->while_.body, s->while_.orelse, n);
    const char *writes = local_writes(v, arms_of(v, s->while_.body, s->while_.orelse));
    const char *orelse = orelse_name(v, &h, s->while_.orelse.len > 0, n);
    const char *call = hook_call(v, &h, virt_text(v, "%st%u, %sb%u, %s, %s", v->prefix, n,
                                                  v->prefix, n, orelse, writes));
    hook_end(v, &h, virt_line_end(v, s->at.end), call,
             loop_jumps(v, s->while_.body, s->while_.orelse));
}

// ---- for ----

// How the body of a loop binds its target.
static const char *bind_item(Virt *v, const Shape *h, const Expr *target, unsigned n)
{
    static const char *const wait[FORM_COUNT] = {"", "yield from ", "await "};
    if (target_is_simple(v, target))
        return virt_text(v, "%s = %sv", target_text(v, target), v->prefix);
    return virt_text(v, "%s%sa%u(%sv)", wait[h->form], v->prefix, n, v->prefix);
}

static SymList for_body_names(Virt *v, const Stmt *s)
{
    const Expr *target = target_is_simple(v, s->for_.target) ? s->for_.target : NULL;
    return names_of(v, target, s->for_.body);
}

static SymList for_names(Virt *v, const Stmt *s)
{
    Vec(const Stmt *) all = {0};
    for (size_t i = 0; i < s->for_.body.len; i++)
        vec_push(v->arena, &all, s->for_.body.at[i]);
    for (size_t i = 0; i < s->for_.orelse.len; i++)
        vec_push(v->arena, &all, s->for_.orelse.at[i]);
    return names_of(v, s->for_.target, (StmtList){all.at, all.len});
}

// `for t in e:` gets `def _pc_a1(_pc_v): t = _pc_v`, `_pc_i1 = [e]` and `def _pc_b1(_pc_v):`.
static const Token *virt_for_header(Virt *v, const Shape *h, const Stmt *s, unsigned n)
{
    const Expr *target = s->for_.target, *iter = s->for_.iter;
    const char *parameter = virt_text(v, "%sv", v->prefix);
    const char *start = thunk_start(v, h, names_of(v, target, (StmtList){0}), 0);
    const Token *in = token_of_kind(v, target->at.end, TOK_IN), *colon = colon_behind(v, iter);
    bool tuple = iter->kind == EXPR_TUPLE;
    virt_replace(v, token_from(v, s->at.start)->at, "%s: %s%s",
                 thunk_head(v, h, 'a', n, parameter), start, *start ? ";" : "");
    Where outer = thunk_enter(v);
    virt_target(v, target);
    v->w = outer;
    virt_replace(v, token_with_blanks(v, in), " = %sv\n%s%s = [%s", v->prefix, h->indent,
                 define(v, h, 'i', n), tuple ? "(" : "");
    v->w.depth += 2;
    virt_expr(v, iter);
    v->w.depth -= 2;
    if (colon->kind == TOK_COMMA)                   // the comma of a tuple of one
        colon++;
    virt_replace(v, colon->at, "%s]\n%s%s:", tuple ? ")" : "", h->indent,
            thunk_head(v, h, 'b', n, parameter));
    return colon;
}

static unsigned for_facts(Virt *v, const Stmt *s)
{
    return facts_of_stmts(v, s->for_.body) | facts_of_stmts(v, s->for_.orelse);
}

static void virt_plain_for(Virt *v, const Stmt *s)
{
    virt_target(v, s->for_.target);
    virt_expr(v, s->for_.iter);
    virt_plain_loop(v, s->for_.body, s->for_.orelse);
}

void virt_for(Virt *v, const Stmt *s)
{
    Shape h;
    unsigned facts = for_facts(v, s) | (facts_of_expr(v, s->for_.target) & ~(unsigned)FACT_LOCALS);
    if (facts_of_expr(v, s->for_.target) & (FACT_YIELD | FACT_AWAIT | FACT_SUPER)
        || !shape_of(v, s, HOOK_FOR_STMT, facts, &h)) {
        virt_plain_for(v, s);
        return;
    }
    unsigned n = ++v->number;
    const Token *colon = virt_for_header(v, &h, s, n);
    thunk_suite(v, &h, colon, s->for_.body, for_body_names(v, s),
                bind_item(v, &h, s->for_.target, n));
    virt_else(v, &h, s->for_.body, s->for_.orelse, n);
    const char *orelse = orelse_name(v, &h, s->for_.orelse.len > 0, n);
    const char *call = hook_call(v, &h, virt_text(v, "%sa%u, %si%u.pop(), %sb%u, %s, %s", v->prefix,
                                                  n, v->prefix, n, v->prefix, n, orelse,
                                                  local_writes(v, for_names(v, s))));
    hook_end(v, &h, virt_line_end(v, s->at.end), call,
             loop_jumps(v, s->for_.body, s->for_.orelse));
}
