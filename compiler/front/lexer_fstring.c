// lexer_fstring.c - what the rules of lexer.l do in f-strings (PEP 701).
//
// Literal text is gathered piece by piece and pushed as one FSTRING_MIDDLE where a field or the end
// of the string is reached. In a format spec `{{` is a field that starts with a brace, and a line
// end goes back to the field; but as in CPython 3.12 and 3.13 only up to the first field closed
// in it.

#include <string.h>

#include "compiler/front/lexer_internal.h"
#include "parser.h"

static FString *innermost(Lexer *lx) { return &lx->strings[lx->string_count - 1]; }

bool lexer_in_middle(const Lexer *lx)
{
    if (lx->string_count == 0)
        return false;
    if (lx->depth == lx->strings[lx->string_count - 1].base)
        return true;
    return lexer_in_field(lx) && lx->brackets[lx->depth - 1].in_spec;
}

static bool in_spec(Lexer *lx) { return lx->depth > innermost(lx)->base; }

void lexer_start_text(Lexer *lx, uint32_t at)
{
    FString *s = innermost(lx);
    s->text = s->text_end = at;
}

// CPython 3.12 and 3.13 decode escapes in the format specs of raw f-strings, too.
static void put_text(Lexer *lx)
{
    FString *s = innermost(lx);
    if (s->text == s->text_end)
        return;
    unsigned modes = LITERAL_FSTRING | (s->raw && !in_spec(lx) ? LITERAL_RAW : 0u);
    Span text = {s->text, s->text_end};
    const Const *value = literal_string(&lx->literals, text, modes);
    lexer_put(lx, TOK_FSTRING_MIDDLE, text)->constant = value;
}

void lexer_string_text(Lexer *lx, Span at)
{
    innermost(lx)->text_end = at.end;
}

bool lexer_open_string(Lexer *lx, Span at)
{
    if (lx->string_count == MAX_STRINGS) {
        diag_report(lx->diags, at, DIAG_NESTING, "f-strings are nested more than %d deep",
                    MAX_STRINGS);
        lexer_stop(lx, at);
        return false;
    }
    const char *start = lx->text + at.start, *last = lx->text + at.end - 1;
    FString *s = &lx->strings[lx->string_count++];
    *s = (FString){.start = at.start, .base = lx->depth, .quote = *last};
    s->triple = at.end - at.start > 3 && last[-1] == *last;
    s->raw = memchr(start, 'r', at.end - at.start) || memchr(start, 'R', at.end - at.start);
    lexer_put(lx, TOK_FSTRING_START, at);
    lexer_start_text(lx, at.end);
    return true;
}

void lexer_put_empty_string(Lexer *lx, Span at)
{
    lexer_put(lx, TOK_FSTRING_START, (Span){at.start, at.end - 1});
    lexer_put(lx, TOK_FSTRING_END, (Span){at.end - 1, at.end});
}

void lexer_close_string(Lexer *lx)
{
    lx->depth = innermost(lx)->base;
    lx->string_count--;
}

uint32_t lexer_string_quotes(Lexer *lx, Span at)
{
    const FString *s = innermost(lx);
    uint32_t len = at.end - at.start, closing = s->triple ? 3 : 1;
    if (lx->text[at.start] != s->quote || len < closing) {
        lexer_string_text(lx, at);
        return len;
    }
    Span quotes = {at.start, at.start + closing};
    put_text(lx);
    if (in_spec(lx)) {
        uint32_t field = lx->brackets[lx->depth - 1].at;
        Diag *d = diag_report(lx->diags, quotes, DIAG_FSTRING,
                              "a replacement field of the f-string is not closed");
        diag_label(d, (Span){field, field + 1}, "opened here");
        lexer_put_error(lx, quotes);
    } else {
        lexer_put(lx, TOK_FSTRING_END, quotes);
    }
    lexer_close_string(lx);
    return closing;
}

bool lexer_string_newline(Lexer *lx, Span at)
{
    FString *s = innermost(lx);
    if (s->triple) {
        lexer_string_text(lx, at);
        return true;
    }
    if (s->plain_spec) {
        put_text(lx);
        s->plain_spec = false;
        lx->brackets[lx->depth - 1].in_spec = false;
        return false;
    }
    diag_report(lx->diags, (Span){s->start, at.start}, DIAG_FSTRING,
                "unterminated f-string literal");
    lexer_put_error(lx, (Span){s->start, at.start});
    uint32_t start = s->start;
    lexer_close_string(lx);
    lexer_drop_brackets(lx, start);
    return false;
}

uint32_t lexer_string_left_brace(Lexer *lx, Span at)
{
    if (at.end - at.start == 2 && !innermost(lx)->plain_spec) {
        lexer_string_text(lx, at);
        return 2;
    }
    Span brace = {at.start, at.start + 1};
    put_text(lx);
    if (lx->depth - innermost(lx)->base == MAX_FIELDS) {
        diag_report(lx->diags, brace, DIAG_NESTING,
                    "replacement fields are nested more than %d deep", MAX_FIELDS);
        lexer_put_error(lx, brace);
    }
    return lexer_open_bracket(lx, OPEN_FIELD, TOK_FSTRING_LBRACE, brace) ? 1 : 0;
}

uint32_t lexer_string_right_brace(Lexer *lx, Span at)
{
    Span brace = {at.start, at.start + 1};
    if (in_spec(lx)) {
        put_text(lx);
        lexer_close_bracket(lx, '{', TOK_RBRACE, brace);
        return 1;
    }
    if (at.end - at.start == 2) {
        lexer_string_text(lx, at);
        return 2;
    }
    Diag *d = diag_report(lx->diags, brace, DIAG_FSTRING, "single `}` is not allowed in an "
                          "f-string");
    diag_edit(d, diag_help(d, "write `}}` for a brace"), brace, "}}");
    lexer_put_error(lx, brace);
    lexer_string_text(lx, brace);
    return 1;
}

uint32_t lexer_string_named_escape(Lexer *lx, Span at)
{
    if (innermost(lx)->raw)
        at.end = at.start + 2;          // `\N` is text, and the brace opens a field
    lexer_string_text(lx, at);
    return at.end - at.start;
}

void lexer_put_colon(Lexer *lx, Span at)
{
    bool field = lexer_in_field(lx);
    lexer_put(lx, field ? TOK_FSTRING_COLON : TOK_COLON, at);
    if (!field)
        return;
    lx->brackets[lx->depth - 1].in_spec = true;
    innermost(lx)->plain_spec = true;
    lexer_start_text(lx, at.end);
}

void lexer_put_bang(Lexer *lx, Span at)
{
    if (lexer_in_field(lx))
        lexer_put(lx, TOK_FSTRING_BANG, at);
    else
        lexer_put_bad_character(lx, at);
}
