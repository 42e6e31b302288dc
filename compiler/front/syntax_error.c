// syntax_error.c - finds the words for a syntax error: the commonest mistakes get a message and,
// where it is certain, the edit that mends them; anything else is "invalid syntax".
//
// The questions are asked in order, the most telling first. They look at the tokens of the
// logical line around the one that did not fit, and at what the grammar would have accepted.

#include "compiler/front/syntax_error.h"

#include "compiler/base/suggest.h"
#include "parser.h"

// What is known about the mistake.
typedef struct Mistake {
    Build *b;
    const Token *at;            // the token that does not fit
    const Token *before;        // the one before it in the logical line, or NULL
    const Token *first;         // the first of the logical line; `at` if that starts the line
    const Token *keyword;       // `first`, or behind it if it is `async`
    int depth;                  // of the brackets that are open there
    const char *const *expected;
    size_t expected_count;
} Mistake;

// ---- tokens ----

static bool is_layout(int kind)
{
    return kind == TOK_NEWLINE || kind == TOK_INDENT || kind == TOK_DEDENT || kind == TOK_END;
}

static bool is_keyword(int kind)
{
    return (kind >= TOK_FALSE && kind <= TOK_YIELD)
        || kind == TOK_MATCH || kind == TOK_CASE || kind == TOK_TYPE;
}

static bool opens_bracket(int kind)
{
    return kind == TOK_LPAR || kind == TOK_LSQB || kind == TOK_LBRACE || kind == TOK_FSTRING_LBRACE;
}

static bool closes_bracket(int kind)
{
    return kind == TOK_RPAR || kind == TOK_RSQB || kind == TOK_RBRACE || kind == TOK_FSTRING_RBRACE;
}

static bool starts_operand(int kind)
{
    return kind == TOK_NAME || kind == TOK_NUMBER || kind == TOK_STRING
        || kind == TOK_FSTRING_START || kind == TOK_FALSE || kind == TOK_NONE || kind == TOK_TRUE
        || kind == TOK_ELLIPSIS || kind == TOK_LAMBDA || kind == TOK_AWAIT;
}

static bool ends_operand(int kind)
{
    return kind == TOK_NAME || kind == TOK_NUMBER || kind == TOK_STRING || kind == TOK_FSTRING_END
        || kind == TOK_FALSE || kind == TOK_NONE || kind == TOK_TRUE || kind == TOK_ELLIPSIS
        || kind == TOK_RPAR || kind == TOK_RSQB || kind == TOK_RBRACE;
}

// A token that must be followed by an operand.
static bool wants_operand(int kind)
{
    return (kind >= TOK_EQUAL && kind <= TOK_RIGHTSHIFTEQUAL) || kind == TOK_AND || kind == TOK_OR
        || kind == TOK_NOT || kind == TOK_IN || kind == TOK_IS || kind == TOK_ARROW
        || kind == TOK_AT || kind == TOK_IF || kind == TOK_ELSE || kind == TOK_WHILE;
}

// A token as messages show it after "found".
static const char *spell(Build *b, const Token *t)
{
    Buf text = buf_new(b->arena);
    if (t->kind == TOK_END)
        return "the end of the file";
    if (t->kind == TOK_NEWLINE)
        return "the end of the line";
    if (t->kind == TOK_INDENT)
        return "an indented line";
    if (t->kind == TOK_DEDENT)
        return "the end of the block";
    if (t->kind == TOK_STRING)
        return "a string";
    if (t->kind == TOK_FSTRING_START || t->kind == TOK_FSTRING_MIDDLE
        || t->kind == TOK_FSTRING_END)
        return "an f-string";
    buf_puts(&text, "`");
    buf_raw(&text, b->source->text.at + t->at.start, t->at.end - t->at.start);
    buf_puts(&text, "`");
    return buf_text(&text);
}

// The same after "unexpected", without an article.
static const char *spell_bare(Build *b, const Token *t)
{
    const char *text = spell(b, t), *space = strchr(text, ' ');
    return text[0] != '`' && space != NULL ? space + 1 : text;
}

// What the grammar calls a token, as messages show it.
static const char *spell_expected(Build *b, const char *name)
{
    Buf text = buf_new(b->arena);
    if (strcmp(name, "name") == 0)
        return "a name";
    if (strcmp(name, "number") == 0)
        return "a number";
    if (strcmp(name, "string") == 0)
        return "a string";
    if (strcmp(name, "}f") == 0)
        name = "}";
    if (strcmp(name, ":f") == 0)
        name = ":";
    buf_printf(&text, "`%s`", name);
    return buf_text(&text);
}

static bool expects(const Mistake *m, const char *name)
{
    return m->expected_count == 1 && strcmp(m->expected[0], name) == 0;
}

static bool is_name(const Token *t, const char *text)
{
    return t != NULL && t->kind == TOK_NAME && sym_is(t->sym, text);
}

// The first token of the logical line that holds the token.
static const Token *line_start(const Build *b, const Token *t)
{
    while (t > b->tokens.at && !is_layout(t[-1].kind))
        t--;
    return t;
}

static const Token *line_end(const Build *b, const Token *t)
{
    const Token *end = b->tokens.at + b->tokens.len;
    while (t < end && t->kind != TOK_NEWLINE && t->kind != TOK_END)
        t++;
    return t;
}

static bool has_error_token(const Build *b, const Mistake *m)
{
    const Token *end = line_end(b, m->first);
    for (const Token *t = m->first; t < end; t++)
        if (t->kind == TOK_ERROR)
            return true;
    return false;
}

// The statement header that a block belongs to, given the token behind the block; NULL if there
// is no block. A header with a mistake explains a clause that then seems to stand alone.
static const Token *header_before(const Build *b, const Token *t)
{
    int depth = 0;
    if (t == b->tokens.at || t[-1].kind != TOK_DEDENT)
        return NULL;
    for (t--; t > b->tokens.at; t--) {
        depth += t->kind == TOK_DEDENT;
        depth -= t->kind == TOK_INDENT;
        if (depth == 0)
            break;
    }
    return t - b->tokens.at >= 2 ? line_start(b, t - 2) : NULL;
}

// Whether an error was reported in the logical line. Among very many that is not worth knowing.
static bool line_has_diagnostic(const Build *b, const Token *line)
{
    uint32_t end = line_end(b, line)->at.start;
    size_t count = diags_count(b->diags);
    for (size_t i = 0; i < count && count < 1000; i++) {
        const Diag *d = diags_get(b->diags, i);
        if (d->source == b->source && d->at.start >= line->at.start && d->at.start <= end)
            return true;
    }
    return false;
}

static bool is_clause(int kind)
{
    return kind == TOK_ELSE || kind == TOK_ELIF || kind == TOK_EXCEPT || kind == TOK_FINALLY;
}

static Mistake look(Build *b, const char *const *expected, size_t count)
{
    Mistake m = {.b = b, .expected = expected, .expected_count = count};
    m.at = &b->tokens.at[b->next > 0 ? b->next - 1 : 0];
    m.first = is_layout(m.at->kind) && m.at->kind != TOK_NEWLINE ? m.at : line_start(b, m.at);
    m.before = m.at > m.first ? m.at - 1 : NULL;
    m.keyword = m.first->kind == TOK_ASYNC && m.at > m.first ? m.first + 1 : m.first;
    for (const Token *t = m.first; t < m.at; t++)
        m.depth += opens_bracket(t->kind) - closes_bracket(t->kind);
    return m;
}

// ---- questions; each reports and gives true, or gives false ----

// Whether a clause stands alone because the header it belongs to has a mistake: that of the block
// before it, or further up where clauses follow one another. One excused clause excuses the next.
static bool is_excused_clause(const Mistake *m)
{
    Build *b = m->b;
    if (!is_clause(m->at->kind) || m->at != m->first)
        return false;
    const Token *header = header_before(b, m->at);
    while (header != NULL && header != b->excused && !line_has_diagnostic(b, header))
        header = is_clause(header->kind) ? header_before(b, header) : NULL;
    if (header == NULL || header->kind == TOK_DEF || header->kind == TOK_CLASS
        || header->kind == TOK_WITH || header->kind == TOK_AT)
        return false;
    b->excused = m->at;
    return true;
}

static bool is_consequence(const Mistake *m)
{
    if (m->at->kind != TOK_ERROR && !has_error_token(m->b, m)
        && !line_has_diagnostic(m->b, m->first) && !is_excused_clause(m))
        return false;
    build_skip_line(m->b, m->first->at);
    return true;
}

static bool lacks_block(const Mistake *m)
{
    if (!expects(m, "indented block"))
        return false;
    const Token *header = m->at;
    while (header > m->b->tokens.at && is_layout(header->kind))
        header--;
    if (header == m->at && header > m->b->tokens.at)
        header--;
    while (header > m->b->tokens.at && is_layout(header->kind))
        header--;
    header = line_start(m->b, header);
    const Token *keyword = header->kind == TOK_ASYNC ? header + 1 : header;
    Diag *d = build_error(m->b, m->at->at, DIAG_INDENTATION,
                          "expected an indented block after %s", spell(m->b, keyword));
    if (d != NULL)
        diag_label(d, keyword->at, "this statement needs a block");
    return true;
}

static bool is_indented(const Mistake *m)
{
    if (m->at->kind != TOK_INDENT)
        return false;
    const Token *line = m->at + 1;
    build_error(m->b, line < m->b->tokens.at + m->b->tokens.len ? line->at : m->at->at,
                DIAG_INDENTATION, "unexpected indent");
    return true;
}

static bool stands_alone(const Mistake *m)
{
    if (m->at != m->first || !is_clause(m->at->kind))
        return false;
    build_error(m->b, m->at->at, DIAG_SYNTAX, "%s without a matching statement before it",
                spell(m->b, m->at));
    return true;
}

static bool lacks_handler(const Mistake *m)
{
    if (m->expected_count != 2 || strcmp(m->expected[0], "except") != 0
        || strcmp(m->expected[1], "finally") != 0)
        return false;
    build_error(m->b, m->at->at, DIAG_SYNTAX,
                "expected `except` or `finally` block");
    return true;
}

static bool lacks_definition(const Mistake *m)
{
    if (m->at != m->first || m->at - m->b->tokens.at < 2 || m->at[-1].kind != TOK_NEWLINE
        || line_start(m->b, m->at - 2)->kind != TOK_AT)
        return false;
    build_error(m->b, m->at->at, DIAG_SYNTAX, "expected `def` or `class` after a decorator");
    return true;
}

// What comes before the colon of a header.
static const char *header_part(int keyword)
{
    switch (keyword) {
    case TOK_IF: case TOK_ELIF: case TOK_WHILE: return "the condition of ";
    case TOK_FOR: return "the iterable of ";
    case TOK_WITH: return "the items of ";
    case TOK_DEF: case TOK_CLASS: return "the header of ";
    case TOK_MATCH: return "the subject of ";
    case TOK_CASE: return "the pattern of ";
    default: return "";
    }
}

static bool has_token(const Token *from, const Token *to, int kind)
{
    for (const Token *t = from; t < to; t++)
        if (t->kind == kind)
            return true;
    return false;
}

static bool follows(const Mistake *m, int kind)
{
    return has_token(m->at, line_end(m->b, m->at), kind);
}

static bool lacks_in(const Mistake *m)
{
    if (m->keyword->kind != TOK_FOR || m->before == NULL || !ends_operand(m->before->kind)
        || m->depth > 0 || has_token(m->first, line_end(m->b, m->at), TOK_IN))
        return false;
    build_error(m->b, m->at->at, DIAG_SYNTAX, "expected `in` after the variables of `for`");
    return true;
}

static bool lacks_colon(const Mistake *m)
{
    int keyword = m->keyword->kind;
    bool header = *header_part(keyword) != '\0' || is_clause(keyword) || keyword == TOK_TRY;
    if (m->before == NULL || !header || m->depth > 0 || follows(m, TOK_COLON))
        return false;
    if (!expects(m, ":") && !(m->at->kind == TOK_NEWLINE && ends_operand(m->before->kind)))
        return false;
    Span gap = {m->before->at.end, m->before->at.end};
    Diag *d = build_error(m->b, m->at->at, DIAG_SYNTAX, "expected `:` after %s%s",
                          header_part(keyword), spell(m->b, m->keyword));
    if (d != NULL)
        diag_edit(d, diag_help(d, "add the colon"), gap, ":");
    return true;
}

static bool is_else_if(const Mistake *m)
{
    const Token *word = m->at->kind == TOK_ELSE ? m->at : m->before;
    if (word == NULL || word->kind != TOK_ELSE || word != m->first || word[1].kind != TOK_IF)
        return false;
    Span both = span_join(word->at, word[1].at);
    Diag *d = build_error(m->b, both, DIAG_SYNTAX, "`else if` is written `elif`");
    if (d != NULL)
        diag_edit(d, diag_help(d, "write `elif`"), both, "elif");
    return true;
}

// The parameters of a function: of the others, each may have a default.
static bool is_star_default(const Mistake *m)
{
    if (m->at->kind != TOK_EQUAL || m->keyword->kind != TOK_DEF || m->depth != 1)
        return false;
    build_error(m->b, m->at->at, DIAG_ARGUMENTS,
                "a parameter with `*` or `**` cannot have a default");
    return true;
}

static bool assigns_in_condition(const Mistake *m)
{
    int keyword = m->keyword->kind;
    if (m->at->kind != TOK_EQUAL || m->before == NULL)
        return false;
    if (keyword != TOK_IF && keyword != TOK_ELIF && keyword != TOK_WHILE && m->depth == 0)
        return false;
    Diag *d = build_error(m->b, m->at->at, DIAG_SYNTAX,
                          "invalid syntax: perhaps you meant `==` or `:=` instead of `=`");
    if (d != NULL)
        diag_edit(d, diag_help(d, "use `==` to compare"), m->at->at, "==");
    return true;
}

// Whether the line begins with `x`, `x.y` or `x[i]`.
static bool begins_with_target(const Mistake *m)
{
    int depth = 0;
    for (const Token *t = m->first; t < m->at; t++) {
        depth -= closes_bracket(t->kind);
        bool fits = t->kind == TOK_NAME || t->kind == TOK_DOT || t->kind == TOK_LSQB
                    || t->kind == TOK_RSQB;
        if (depth == 0 && !fits)
            return false;
        depth += opens_bracket(t->kind);
    }
    return depth == 0 && m->at > m->first && m->first->kind == TOK_NAME;
}

static bool is_walrus_statement(const Mistake *m)
{
    if (m->at->kind != TOK_COLONEQUAL)
        return false;
    bool assigns = begins_with_target(m);
    Diag *d = build_error(m->b, m->at->at, DIAG_SYNTAX,
                          assigns ? "a statement assigns with `=`, not `:=`"
                                  : "`:=` cannot be used here without parentheses");
    if (d != NULL && assigns)
        diag_edit(d, diag_help(d, "write `=`"), m->at->at, "=");
    return true;
}

// `x = <-ch` is what Go's programmers write to receive.
static bool is_arrow(const Mistake *m)
{
    if (m->at->kind != TOK_LESS || m->at[1].kind != TOK_MINUS)
        return false;
    Diag *d = build_error(m->b, (Span){m->at->at.start, m->at[1].at.end}, DIAG_SYNTAX,
                          "invalid syntax: `<-` is not an operator");
    if (d != NULL)
        diag_help(d, "write `com`, which sends and receives: `received = ch.com(value)`");
    return true;
}

// Python 2's statements.
static bool is_print(const Mistake *m)
{
    if (!is_name(m->before, "print") && !is_name(m->before, "exec"))
        return false;
    if (!starts_operand(m->at->kind))
        return false;
    const Token *end = line_end(m->b, m->at);
    Diag *d = build_error(m->b, span_join(m->before->at, end[-1].at), DIAG_SYNTAX,
                          "missing parentheses in call to %s", spell(m->b, m->before));
    if (d == NULL)
        return true;
    Help *help = diag_help(d, "put the arguments in parentheses");
    diag_edit(d, help, (Span){m->before->at.end, m->at->at.start}, "(");
    diag_edit(d, help, (Span){end[-1].at.end, end[-1].at.end}, ")");
    return true;
}

static bool is_several_exceptions(const Mistake *m)
{
    if (m->keyword->kind != TOK_EXCEPT || m->at->kind != TOK_COMMA || m->depth > 0)
        return false;
    build_error(m->b, m->at->at, DIAG_SYNTAX, "multiple exception types must be parenthesized");
    return true;
}

// A misspelt keyword reads as a name, with something behind it that cannot follow a name.
static bool is_misspelt(const Mistake *m)
{
    static const char *const keywords[] = {
        "if", "elif", "else", "while", "for", "def", "class", "return", "import", "from", "with",
        "try", "except", "finally", "raise", "pass", "break", "continue", "assert", "del",
        "global", "nonlocal", "lambda", "yield", "async", "await", "match", "case",
    };
    const Token *word = m->first;
    bool clause = m->at - word == 2 && m->before->kind == TOK_COLON && m->at->kind == TOK_NEWLINE;
    bool header = m->at - word == 1 && (starts_operand(m->at->kind) || is_keyword(m->at->kind));
    if (word->kind != TOK_NAME || (!clause && !header))
        return false;
    static const char *const from[] = {"from"};
    const char *meant = follows(m, TOK_IMPORT) ? suggest_nearest(word->sym, from, 1)
                        : is_name(word, "switch") ? "match"
                        : suggest_nearest(word->sym, keywords, sizeof keywords / sizeof *keywords);
    if (meant == NULL || strcmp(meant, word->sym) == 0)
        return false;
    Diag *d = build_error(m->b, word->at, DIAG_SYNTAX, "invalid syntax: `%s` is not a keyword",
                          word->sym);
    if (d != NULL)
        diag_edit(d, diag_help(d, "did you mean `%s`?", meant), word->at, "%s", meant);
    return true;
}

static bool lacks_comma(const Mistake *m)
{
    if (m->depth == 0 || m->before == NULL || !ends_operand(m->before->kind)
        || !starts_operand(m->at->kind))
        return false;
    Diag *d = build_error(m->b, m->at->at, DIAG_SYNTAX,
                          "invalid syntax: unexpected %s, perhaps a comma is missing before it",
                          spell_bare(m->b, m->at));
    if (d != NULL)
        diag_label(d, m->before->at, "a comma may be missing after this");
    return true;
}

static bool is_keyword_as_name(const Mistake *m)
{
    if (!expects(m, "name") || !is_keyword(m->at->kind))
        return false;
    build_error(m->b, m->at->at, DIAG_SYNTAX, "%s is a keyword and cannot be used as a name",
                spell(m->b, m->at));
    return true;
}

static bool lacks_operand(const Mistake *m)
{
    bool all = m->keyword->kind == TOK_FROM && m->before != NULL && m->before->kind == TOK_STAR;
    bool clause = m->before == m->first && m->before->kind == TOK_ELSE;
    if (m->before == NULL || !wants_operand(m->before->kind) || all || clause)
        return false;
    if (m->at->kind != TOK_NEWLINE && m->at->kind != TOK_COMMA && m->at->kind != TOK_COLON
        && !closes_bracket(m->at->kind))
        return false;
    build_error(m->b, m->at->at, DIAG_SYNTAX, "expected an expression after %s",
                spell(m->b, m->before));
    return true;
}

static bool lacks_else(const Mistake *m)
{
    if (!expects(m, "else"))
        return false;
    build_error(m->b, m->at->at, DIAG_SYNTAX,
                "expected `else` after `if` expression");
    return true;
}

static bool is_open_import(const Mistake *m)
{
    if (m->keyword->kind != TOK_FROM || m->at->kind != TOK_NEWLINE || m->before == NULL
        || m->before->kind != TOK_COMMA)
        return false;
    build_error(m->b, m->before->at, DIAG_SYNTAX,
                "trailing comma not allowed without surrounding parentheses");
    return true;
}

static bool is_in_fstring(const Mistake *m)
{
    if (m->before == NULL || m->before->kind != TOK_FSTRING_LBRACE)
        return false;
    build_error(m->b, m->at->at, DIAG_FSTRING,
                "expected an expression in the braces of an f-string");
    return true;
}

static bool lacks_conversion(const Mistake *m)
{
    if (m->before == NULL || m->before->kind != TOK_FSTRING_BANG)
        return false;
    build_error(m->b, m->at->at, DIAG_FSTRING, "expected `s`, `r` or `a` after `!` in an f-string");
    return true;
}

// The colon of a field ends the field, and so is none of a lambda.
static bool is_bare_lambda(const Mistake *m)
{
    if (m->at->kind != TOK_FSTRING_COLON || !expects(m, ":"))
        return false;
    build_error(m->b, m->at->at, DIAG_FSTRING,
                "lambda expressions are not allowed in an f-string without parentheses");
    return true;
}

static bool is_starred_group(const Mistake *m)
{
    if (m->at->kind != TOK_RPAR || m->b->next < 3 || !expects(m, ","))
        return false;
    build_error(m->b, m->at->at, DIAG_SYNTAX,
                "a starred expression in parentheses needs a comma after it");
    return true;
}

static void report_other(const Mistake *m)
{
    // The parser may have reduced what a closing bracket can follow as well as a comma.
    if (m->expected_count == 1 && !expects(m, "end of line") && !expects(m, ","))
        build_error(m->b, m->at->at, DIAG_SYNTAX, "expected %s, found %s",
                    spell_expected(m->b, m->expected[0]), spell(m->b, m->at));
    else
        build_error(m->b, m->at->at, DIAG_SYNTAX, "invalid syntax: unexpected %s",
                    spell_bare(m->b, m->at));
}

void syntax_error_report(Build *b, const char *const *expected, size_t count)
{
    static bool (*const questions[])(const Mistake *) = {
        is_consequence, lacks_block, is_indented, lacks_handler, lacks_definition, is_else_if,
        stands_alone, is_print, is_several_exceptions, is_star_default, assigns_in_condition,
        is_arrow, is_walrus_statement, is_misspelt, lacks_in, lacks_operand, lacks_colon,
        is_keyword_as_name, lacks_else, is_open_import, is_in_fstring, lacks_conversion,
        is_bare_lambda, lacks_comma, is_starred_group,
    };
    Mistake m = look(b, expected, count);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        if (questions[i](&m))
            return;
    report_other(&m);
}
