// syntax_error.c - see syntax_error.h.

#include "compiler/front/syntax_error.h"

#include "parser.h"

// How a token is named in messages.
static const char *spell(Build *b, const Token *t)
{
    Buf text = buf_new(b->arena);
    if (t->kind == TOK_END)
        return "end of file";
    if (t->kind == TOK_NEWLINE)
        return "end of line";
    if (t->kind == TOK_INDENT)
        return "indentation";
    if (t->kind == TOK_DEDENT)
        return "end of block";
    if (t->kind == TOK_STRING || t->kind == TOK_FSTRING_START)
        return "string";
    buf_printf(&text, "`%.*s`", (int)(t->at.end - t->at.start), b->source->text.at + t->at.start);
    return buf_text(&text);
}

void syntax_error_report(Build *b, const char *expected)
{
    const Token *t = &b->tokens.at[b->next > 0 ? b->next - 1 : 0];
    if (t->kind == TOK_ERROR) {
        build_skip_line(b, t->at);
        return;
    }
    if (expected != NULL)
        build_error(b, t->at, DIAG_SYNTAX, "expected %s, found %s", expected, spell(b, t));
    else
        build_error(b, t->at, DIAG_SYNTAX, "invalid syntax: unexpected %s", spell(b, t));
}
