// layout.c - INDENT and DEDENT (Python reference 2.1.8), and what is a soft keyword where.
//
// Columns are counted twice, with tabs to the next multiple of eight and with tabs as one blank, as
// CPython does: where the two disagree about which line is deeper, tabs and blanks are mixed.

#include "compiler/front/token.h"
#include "parser.h"

enum { MAX_INDENTS = 100, TAB = 8 };        // CPython: MAXINDENT, the file's own level included

typedef struct Columns { uint32_t tabbed, plain; } Columns;

typedef struct Level {
    Columns columns;
    bool is_match;                          // the block of a `match`: its lines start with `case`
} Level;

typedef struct Layout {
    Arena *arena;
    Diags *diags;
    const char *text;
    const Token *in;
    Token *out;
    size_t count;
    Level levels[MAX_INDENTS];
    size_t depth;                           // index of the innermost level
    bool opens_match;                       // the line before starts with the keyword `match`
    bool gave_up;                           // nested too deeply: reported, the rest is not read
    Sym match, case_, type;
} Layout;

// --- indentation

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

// If nothing but blanks and a backslash stands in the line before `start`, which then joins this
// line to it, gives true and where that line starts.
static bool joined_line(const char *text, uint32_t start, uint32_t *previous)
{
    uint32_t at = start;
    if (at > 1 && text[at - 1] == '\n' && text[at - 2] == '\r')
        at--;
    if (at < 2 || text[at - 2] != '\\')
        return false;
    for (at -= 2; at > 0 && is_blank(text[at - 1]); at--)
        ;
    *previous = at;
    return at == 0 || is_line_end(text[at - 1]);
}

static Columns count_columns(const char *text, uint32_t start)
{
    Columns c = {0, 0};
    for (const char *p = text + start; is_blank(*p); p++) {
        if (*p == ' ') {
            c.tabbed++;
            c.plain++;
        } else if (*p == '\t') {
            c.tabbed = (c.tabbed / TAB + 1) * TAB;
            c.plain++;
        } else {
            c = (Columns){0, 0};
        }
    }
    return c;
}

// The columns before the first token of a logical line. Of lines joined before that token the first
// with any blanks counts.
static Columns find_columns(const char *text, uint32_t token)
{
    uint32_t start = token;
    while (start > 0 && !is_line_end(text[start - 1]))
        start--;
    Columns columns = count_columns(text, start);
    while (joined_line(text, start, &start)) {
        Columns earlier = count_columns(text, start);
        if (earlier.tabbed > 0)
            columns = (Columns){earlier.tabbed, earlier.tabbed};
    }
    return columns;
}

static void put(Layout *l, int kind, uint32_t at)
{
    l->out[l->count++] = (Token){.kind = kind, .at = {at, at}};
}

static void report_tabs(Layout *l, Span at)
{
    Diag *d = diag_report(l->diags, at, DIAG_INDENTATION,
                          "inconsistent use of tabs and spaces in indentation");
    diag_help(d, "indent with spaces only");
}

static void indent(Layout *l, Columns c, Span at)
{
    if (l->depth + 1 == MAX_INDENTS) {
        diag_report(l->diags, at, DIAG_NESTING, "blocks are nested more than %d deep",
                    MAX_INDENTS - 1);
        put(l, TOK_ERROR, at.start);
        put(l, TOK_NEWLINE, at.start);
        l->gave_up = true;
        return;
    }
    l->levels[++l->depth] = (Level){c, l->opens_match};
    put(l, TOK_INDENT, at.start);
}

// A line between the depths of two blocks is reported, and counts as one of the inner block.
static void dedent(Layout *l, Columns c, Span at)
{
    while (c.tabbed < l->levels[l->depth].columns.tabbed) {
        if (c.tabbed > l->levels[l->depth - 1].columns.tabbed) {
            diag_report(l->diags, at, DIAG_INDENTATION,
                        "unindent does not match any outer indentation level");
            l->levels[l->depth].columns = c;
            return;
        }
        l->depth--;
        put(l, TOK_DEDENT, at.start);
    }
    if (c.plain != l->levels[l->depth].columns.plain)
        report_tabs(l, at);
}

// Compares the line that starts with `first` to the block it may be in.
static void place_line(Layout *l, const Token *first)
{
    Columns c = {0, 0};                     // the end of the file closes every block
    if (first->kind != TOK_END)
        c = find_columns(l->text, first->at.start);
    Columns level = l->levels[l->depth].columns;
    if (c.tabbed > level.tabbed) {
        if (c.plain <= level.plain)
            report_tabs(l, first->at);
        indent(l, c, first->at);
    } else if (c.tabbed < level.tabbed) {
        dedent(l, c, first->at);
    } else if (c.plain != level.plain) {
        report_tabs(l, first->at);
    }
}

// --- soft keywords

// No simple statement ends with a colon, so a line that starts with the name `match` and ends with
// one is the head of a match statement.
static bool is_match_head(const Token *t)
{
    const Token *last = t;
    while (last[1].kind != TOK_NEWLINE && last[1].kind != TOK_END)
        last++;
    return last > t + 1 && last->kind == TOK_COLON;
}

static void start_line(Layout *l, const Token *first)
{
    place_line(l, first);
    l->opens_match = first->kind == TOK_NAME && first->sym == l->match && is_match_head(first);
}

static int keyword_kind(const Layout *l, const Token *t, bool starts_line)
{
    if (starts_line && l->opens_match)
        return TOK_MATCH;
    if (starts_line && t->sym == l->case_ && l->levels[l->depth].is_match)
        return TOK_CASE;
    if (t->sym == l->type && t[1].kind == TOK_NAME
        && (t[2].kind == TOK_EQUAL || t[2].kind == TOK_LSQB))
        return TOK_TYPE;                    // two names in a row are nothing else
    return TOK_NAME;
}

TokenList layout_run(Arena *a, Names *names, const Source *source, TokenList tokens, Diags *diags)
{
    Layout *l = ARENA_NEW(a, Layout);
    *l = (Layout){.arena = a, .diags = diags, .text = source->text.at, .in = tokens.at,
                  .match = names_get(names, "match"), .case_ = names_get(names, "case"),
                  .type = names_get(names, "type")};
    size_t lines = 1;
    for (size_t i = 0; i < tokens.len; i++)
        lines += tokens.at[i].kind == TOK_NEWLINE;
    l->out = ARENA_ARRAY(a, Token, tokens.len + 2 * lines);     // a line's INDENT and its DEDENT
    bool starts_line = true;
    for (const Token *t = tokens.at; t < tokens.at + tokens.len; t++) {
        if (starts_line)
            start_line(l, t);
        if (l->gave_up) {
            t = &tokens.at[tokens.len - 1];
            place_line(l, t);
        }
        l->out[l->count] = *t;
        if (t->kind == TOK_NAME)
            l->out[l->count].kind = keyword_kind(l, t, starts_line);
        l->count++;
        starts_line = t->kind == TOK_NEWLINE;
    }
    return (TokenList){l->out, l->count};
}
