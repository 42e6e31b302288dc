// lexer_actions.c - what the rules of lexer.l do outside f-strings.
//
// After an error the rest of the logical line is of little worth: an ERROR token makes the parser
// drop it, and further bad characters in it are not reported.

#include <string.h>

#include "compiler/front/lexer_internal.h"
#include "compiler/front/unicode.h"
#include "parser.h"

void lexer_grow(Lexer *lx)
{
    // Memory that no token comes to costs nothing.
    size_t cap = lx->cap == 0 ? lx->len / 2 + 64 : lx->cap * 2;
    Token *tokens = ARENA_ARRAY(lx->arena, Token, cap);
    if (lx->count > 0)
        memcpy(tokens, lx->tokens, lx->count * sizeof *tokens);
    lx->tokens = tokens;
    lx->cap = cap;
}

void lexer_put_error(Lexer *lx, Span at)
{
    lexer_put(lx, TOK_ERROR, at);
    lx->line_failed = true;
}

static int last_kind(const Lexer *lx)
{
    return lx->count == 0 ? TOK_NEWLINE : lx->tokens[lx->count - 1].kind;
}

static void end_line(Lexer *lx, Span at)
{
    if (last_kind(lx) != TOK_NEWLINE)
        lexer_put(lx, TOK_NEWLINE, at);
    lx->line_failed = false;
}

// --- names and characters

typedef struct Lookalike { uint32_t code; const char *ascii; } Lookalike;

// What an editor or a text processor puts in the place of an ASCII character.
static const char *find_lookalike(uint32_t code)
{
    static const Lookalike table[] = {
        {0x00A0, " "}, {0x00B4, "'"}, {0x00D7, "*"}, {0x00F7, "/"}, {0x2013, "-"}, {0x2014, "-"},
        {0x2018, "'"}, {0x2019, "'"}, {0x201C, "\""}, {0x201D, "\""}, {0x201E, "\""},
        {0x2026, "..."}, {0x2212, "-"}, {0x2260, "!="}, {0x2264, "<="}, {0x2265, ">="},
        {0x3000, " "}, {0x3001, ","}, {0xFF08, "("}, {0xFF09, ")"}, {0xFF0C, ","}, {0xFF1A, ":"},
        {0xFF1B, ";"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].code == code)
            return table[i].ascii;
    return NULL;
}

static bool is_printable(uint32_t code)
{
    return code > 0xA0 && (code < 0x2000 || code > 0x200F) && (code < 0x2028 || code > 0x202F)
           && code != 0xFEFF;
}

static void report_character(Lexer *lx, Span at, uint32_t code)
{
    Diag *d;
    if (is_printable(code))
        d = diag_report(lx->diags, at, DIAG_CHARACTER, "invalid character `%.*s` (U+%04X)",
                        (int)(at.end - at.start), lx->text + at.start, (unsigned)code);
    else
        d = diag_report(lx->diags, at, DIAG_CHARACTER, "invalid non-printable character U+%04X",
                        (unsigned)code);
    const char *ascii = find_lookalike(code);
    if (ascii != NULL) {
        Help *h = diag_help(d, ascii[0] == ' ' ? "write an ordinary space" : "write `%s`", ascii);
        diag_edit(d, h, at, "%s", ascii);
    }
}

// Where the identifier at the start of a run ends; what stands there goes to `*bad`.
static uint32_t identifier_end(const Lexer *lx, Span run, uint32_t *bad, uint32_t *bad_end)
{
    uint32_t at = run.start;
    while (at < run.end) {
        uint32_t code = 0;
        size_t len = unicode_decode(lx->text + at, run.end - at, &code);
        bool fits = at == run.start ? unicode_is_xid_start(code) : unicode_is_xid_continue(code);
        if (len == 0 || !fits) {
            *bad = code;
            *bad_end = at + (len == 0 ? 1 : (uint32_t)len);
            return at;
        }
        at += (uint32_t)len;
    }
    return at;
}

void lexer_put_unicode_name(Lexer *lx, Span at)
{
    uint32_t bad = 0, bad_end = at.end;
    Span name = {at.start, identifier_end(lx, at, &bad, &bad_end)};
    if (name.end > name.start) {
        Text text = {lx->text + name.start, name.end - name.start};
        text = unicode_nfkc(lx->arena, text);
        lexer_put(lx, TOK_NAME, name)->sym = names_intern(lx->names, text.at, text.len);
    }
    if (name.end == at.end)
        return;
    if (!lx->line_failed)
        report_character(lx, (Span){name.end, bad_end}, bad);
    lexer_put_error(lx, (Span){name.end, at.end});
}

void lexer_put_bad_character(Lexer *lx, Span at)
{
    char c = lx->text[at.start];
    if (c == '\\' && at.end == lx->len) {
        lexer_check_continuation(lx, at);
        return;
    }
    if (!lx->line_failed) {
        if (c == '\\')
            diag_report(lx->diags, at, DIAG_CHARACTER,
                        "unexpected character after line continuation character");
        else if (c == '`')
            diag_report(lx->diags, at, DIAG_CHARACTER, "a backquote is not valid in Python 3");
        else if ((unsigned char)c > ' ' && c != 0x7F)
            diag_report(lx->diags, at, DIAG_CHARACTER, "invalid character `%c`", c);
        else
            diag_report(lx->diags, at, DIAG_CHARACTER, "invalid non-printable character U+%04X",
                        (unsigned)(unsigned char)c);
    }
    lexer_put_error(lx, at);
}

void lexer_put_relic(Lexer *lx, Span at)
{
    Diag *d = diag_report(lx->diags, at, DIAG_SYNTAX, "`<>` is an operator of Python 2");
    diag_edit(d, diag_help(d, "write `!=`"), at, "!=");
    lexer_put(lx, TOK_NOTEQUAL, at);
}

// --- literals

uint32_t lexer_put_number(Lexer *lx, Span at)
{
    uint32_t len;
    const Const *value = literal_number(&lx->literals, at, &len);
    lexer_put(lx, TOK_NUMBER, (Span){at.start, at.start + len})->constant = value;
    return len;
}

// Inside a field of an f-string of one line, with the same quote: does it end that f-string?
static bool meets_own_quote(const Lexer *lx, Span at)
{
    if (lx->string_count == 0)
        return false;
    const FString *s = &lx->strings[lx->string_count - 1];
    return lx->text[at.start] == s->quote && !s->triple;
}

static uint32_t end_broken_string(Lexer *lx, Span at)
{
    Span quote = {at.start, at.start + 1};
    Span field = {lx->brackets[lx->depth - 1].at, lx->brackets[lx->depth - 1].at + 1};
    if (!lx->line_failed) {
        Diag *d = diag_report(lx->diags, quote, DIAG_FSTRING,
                              "a replacement field of the f-string is not closed");
        diag_label(d, field, "opened here");
    }
    lexer_put_error(lx, quote);
    lexer_close_string(lx);
    return 1;
}

static bool ends_operand(int kind)
{
    switch (kind) {
    case TOK_NAME: case TOK_NUMBER: case TOK_STRING: case TOK_FSTRING_END: case TOK_RPAR:
    case TOK_RSQB: case TOK_RBRACE: case TOK_FALSE: case TOK_NONE: case TOK_TRUE:
    case TOK_ELLIPSIS: case TOK_YIELD: case TOK_ERROR:
        return true;
    default:
        return false;
    }
}

// An operand and a string in a row are never right: more likely the quote ends the f-string.
uint32_t lexer_put_string(Lexer *lx, Span at)
{
    if (meets_own_quote(lx, at) && ends_operand(last_kind(lx)) && last_kind(lx) != TOK_STRING
        && last_kind(lx) != TOK_FSTRING_END && last_kind(lx) != TOK_YIELD)
        return end_broken_string(lx, at);
    unsigned modes = 0;
    bool u_prefix = false;
    const char *p = lx->text + at.start;
    for (; *p != '\'' && *p != '"'; p++) {
        if (*p == 'r' || *p == 'R')
            modes |= LITERAL_RAW;
        else if (*p == 'b' || *p == 'B')
            modes |= LITERAL_BYTES;
        else
            u_prefix = *p == 'u';       // CPython notes the small letter only
    }
    uint32_t start = (uint32_t)(p - lx->text);
    uint32_t quotes = at.end - start >= 6 && p[1] == p[0] && p[2] == p[0] ? 3 : 1;
    Span body = {start + quotes, at.end - quotes};
    const Const *value = literal_string(&lx->literals, body, modes);
    Token *t = lexer_put(lx, TOK_STRING, at);
    t->constant = value;
    t->u_prefix = u_prefix;
    return at.end - at.start;
}

uint32_t lexer_put_unclosed(Lexer *lx, Span at)
{
    if (meets_own_quote(lx, at))
        return end_broken_string(lx, at);
    const char *p = lx->text + at.start;
    uint32_t prefix = (uint32_t)strcspn(p, "'\"");
    bool triple = at.end - at.start >= prefix + 3 && p[prefix + 1] == p[prefix]
                  && p[prefix + 2] == p[prefix];
    uint32_t quotes = prefix + (triple ? 3 : 1);
    if (triple || !lx->line_failed) {
        Diag *d = diag_report(lx->diags, (Span){at.start, at.start + quotes}, DIAG_STRING, "%s",
                              triple ? "unterminated triple-quoted string literal"
                                     : "unterminated string literal");
        diag_primary(d, "opened here");
    }
    lexer_put_error(lx, at);
    lexer_drop_brackets(lx, at.start);
    return at.end - at.start;
}

// --- lines

static uint32_t line_start(const Lexer *lx, uint32_t at)
{
    while (at > 0 && lx->text[at - 1] != '\n' && lx->text[at - 1] != '\r')
        at--;
    return at;
}

// The columns of blanks at the start of a line; `*at` moves to the first other character.
static int64_t line_indent(const Lexer *lx, uint32_t *at)
{
    int64_t columns = 0;
    for (; *at < lx->len; ++*at) {
        char c = lx->text[*at];
        if (c == ' ')
            columns++;
        else if (c == '\t')
            columns = columns / 8 * 8 + 8;
        else if (c == '\f')
            columns = 0;
        else
            break;
    }
    return columns;
}

static bool is_among(const char *word, size_t len, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strlen(*list) == len && memcmp(*list, word, len) == 0)
            return true;
    return false;
}

// A word at the start of a line, while brackets are open.
typedef struct Word { const char *at; size_t len; int64_t columns; } Word;

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
           || (unsigned char)c >= 0x80;
}

static Word word_at(const Lexer *lx, uint32_t at)
{
    Word w = {.columns = line_indent(lx, &at)};
    w.at = lx->text + at;
    while (is_name_char(w.at[w.len]))
        w.len++;
    if (w.len > 0 && (*w.at <= '9' || w.at[w.len] == '\'' || w.at[w.len] == '"'))
        w.len = 0;                          // a number, or the prefix of a string
    return w;
}

// A statement keyword can stand nowhere in an expression. Before `=` it is a misused name.
static bool is_statement_word(const Lexer *lx, Word w)
{
    static const char *const keywords[] = {
        "assert", "break", "class", "continue", "def", "del", "elif", "except", "finally",
        "global", "import", "nonlocal", "pass", "raise", "return", "try", "while", "with", NULL,
    };
    static const char *const from[] = {"from", NULL};
    const char *next = w.at + w.len;
    while (*next == ' ')
        next++;
    if (*next == '=')
        return false;
    return is_among(w.at, w.len, keywords)
           || (is_among(w.at, w.len, from) && last_kind(lx) != TOK_YIELD);
}

// Some words go on with an expression after an operand and only there; every other word can follow
// an operator or comma but no operand.
static bool fits_nowhere(const Lexer *lx, Word w)
{
    static const char *const after_operand[] = {"async", "else", "for", "if", NULL};
    static const char *const infix[] = {
        "and", "as", "async", "else", "for", "from", "if", "in", "is", "not", "or", NULL,
    };
    int last = last_kind(lx);
    if (!ends_operand(last))
        return is_among(w.at, w.len, after_operand);
    return last != TOK_YIELD && last != TOK_ERROR && !is_among(w.at, w.len, infix);
}

// Does the line close the innermost bracket? Strings in it are passed over; comments end it.
static bool closes_bracket(const Word *w)
{
    int open = 0;
    for (const char *p = w->at; *p != '\0' && *p != '\n' && *p != '#' && open >= 0; p++) {
        if (*p == '"' || *p == '\'') {
            const char *end = p + 1;
            while (*end != '\0' && *end != '\n' && *end != *p)
                end++;
            if (*end != *p)
                return false;
            p = end;
        }
        open += strchr("([{", *p) != NULL ? 1 : strchr(")]}", *p) != NULL ? -1 : 0;
    }
    return open < 0;
}

// Does a new statement start at `at`, the start of a line, although a bracket is open? What is
// valid never looks like that. Where only the line's words are out of place, it must also be no
// deeper than the line with the bracket, and not close it: a comma may be all that is missing.
static bool resumes(Lexer *lx, uint32_t at)
{
    Word w = word_at(lx, at);
    if (w.len == 0)
        return false;
    if (is_statement_word(lx, w))
        return true;
    Bracket *b = &lx->brackets[lx->depth - 1];
    if (b->line_indent < 0) {
        uint32_t start = line_start(lx, b->at);
        b->line_indent = line_indent(lx, &start);
    }
    return w.columns <= b->line_indent && fits_nowhere(lx, w) && !closes_bracket(&w);
}

static void report_bracket(Lexer *lx, const Bracket *b)
{
    Span at = {b->at, b->at + 1};
    Diag *d = b->open == OPEN_FIELD
                  ? diag_report(lx->diags, at, DIAG_FSTRING,
                                "a replacement field of the f-string is not closed")
                  : diag_report(lx->diags, at, DIAG_BRACKET, "`%c` is never closed", b->open);
    diag_primary(d, "opened here");
}

// After another error in the line, what is open may be its consequence.
static void abandon_brackets(Lexer *lx, Span at)
{
    for (size_t i = 0; i < lx->depth && !lx->line_failed; i++)
        report_bracket(lx, &lx->brackets[i]);
    lx->depth = lx->string_count = 0;
    lexer_put_error(lx, at);
}

// An f-string of one line that is broken does not go on in the next one.
static void leave_broken_string(Lexer *lx)
{
    const FString *s = &lx->strings[lx->string_count - 1];
    if (s->triple)
        return;
    uint32_t start = s->start;
    lexer_close_string(lx);
    lexer_drop_brackets(lx, start);
}

void lexer_put_newline(Lexer *lx, Span at)
{
    if (lx->line_failed && lx->string_count > 0)
        leave_broken_string(lx);
    if (lx->depth > 0) {
        if (!resumes(lx, at.end))
            return;
        abandon_brackets(lx, (Span){at.start, at.start});
    }
    end_line(lx, at);
}

void lexer_check_continuation(Lexer *lx, Span at)
{
    if (at.end < lx->len)
        return;
    diag_report(lx->diags, (Span){at.start, at.start + 1}, DIAG_SYNTAX,
                "unexpected end of file after line continuation character");
    lexer_put_error(lx, at);
}

void lexer_stop(Lexer *lx, Span at)
{
    lx->depth = lx->string_count = 0;
    lexer_put_error(lx, at);
    end_line(lx, (Span){at.end, at.end});
    lexer_put(lx, TOK_END, (Span){at.end, at.end});
}

void lexer_finish(Lexer *lx)
{
    Span end = {lx->len, lx->len};
    if (lexer_in_middle(lx)) {
        const FString *s = &lx->strings[lx->string_count - 1];
        diag_report(lx->diags, (Span){s->start, lx->len}, DIAG_FSTRING,
                    "unterminated triple-quoted f-string literal");
        lx->depth = lx->string_count = 0;
        lexer_put_error(lx, end);
    } else if (lx->depth > 0) {
        abandon_brackets(lx, end);
    }
    end_line(lx, end);
    lexer_put(lx, TOK_END, end);
}

// --- brackets

void lexer_drop_brackets(Lexer *lx, uint32_t at)
{
    size_t floor = lx->string_count > 0 ? lx->strings[lx->string_count - 1].base + 1 : 0;
    uint32_t start = line_start(lx, at);
    while (lx->depth > floor && lx->brackets[lx->depth - 1].at >= start)
        lx->depth--;
}

bool lexer_open_bracket(Lexer *lx, char open, int kind, Span at)
{
    if (lx->depth == MAX_BRACKETS) {
        diag_report(lx->diags, at, DIAG_NESTING, "brackets are nested more than %d deep",
                    MAX_BRACKETS);
        lexer_stop(lx, at);
        return false;
    }
    lx->brackets[lx->depth++] = (Bracket){.open = open, .at = at.start, .line_indent = -1};
    lexer_put(lx, kind, at);
    return true;
}

static bool closes(char open, const Bracket *b)
{
    return b->open == open || (open == '{' && b->open == OPEN_FIELD);
}

static void report_mismatch(Lexer *lx, Span at)
{
    char c = lx->text[at.start];
    if (lx->depth == 0) {
        diag_report(lx->diags, at, DIAG_BRACKET, "unmatched `%c`", c);
        return;
    }
    const Bracket *b = &lx->brackets[lx->depth - 1];
    char open = b->open == OPEN_FIELD ? '{' : b->open;
    Diag *d = diag_report(lx->diags, at, DIAG_BRACKET, "closing `%c` does not match opening `%c`",
                          c, open);
    diag_label(d, (Span){b->at, b->at + 1}, "opened here");
}

// A closer of the wrong kind closes its own bracket if one is open further out, with what is inside
// it; else it was probably meant for the innermost one. A replacement field ends at its brace only.
static void recover_mismatch(Lexer *lx, char open, int kind, Span at)
{
    size_t base = lx->string_count > 0 ? lx->strings[lx->string_count - 1].base : 0;
    size_t depth = lx->depth;
    lexer_put_error(lx, at);
    while (depth > base && !closes(open, &lx->brackets[depth - 1]))
        depth--;
    if (depth > base) {
        lx->depth = depth;
        lexer_close_bracket(lx, open, kind, at);
    } else if (lx->depth > base && !lexer_in_field(lx)) {
        lx->depth--;
    }
}

void lexer_close_bracket(Lexer *lx, char open, int kind, Span at)
{
    if (lx->depth == 0 || !closes(open, &lx->brackets[lx->depth - 1])) {
        if (!lx->line_failed)
            report_mismatch(lx, at);
        recover_mismatch(lx, open, kind, at);
        return;
    }
    bool field = lexer_in_field(lx);
    lx->depth--;
    lexer_put(lx, field ? TOK_FSTRING_RBRACE : kind, at);
    if (!field)
        return;
    lx->strings[lx->string_count - 1].plain_spec = false;
    lexer_start_text(lx, at.end);
}
