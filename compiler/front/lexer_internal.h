// lexer_internal.h - the state that the rules of lexer.l and the actions of lexer_actions.c share.
//
// The stack of open brackets joins lines. A replacement field of an f-string is a bracket too
// (OPEN_FIELD); `strings` holds the f-strings around the place being scanned.

#ifndef PYCHORAL_LEXER_INTERNAL_H
#define PYCHORAL_LEXER_INTERNAL_H

#include "compiler/front/literal.h"
#include "compiler/front/token.h"

enum {
    MAX_BRACKETS = 200,                 // CPython: MAXLEVEL, "too many nested parentheses"
    MAX_STRINGS  = 149,                 // CPython: MAXFSTRINGLEVEL, which counts the file as one
    MAX_FIELDS   = 3,                   // CPython: MAX_EXPR_NESTING, a field and its specs' fields
    OPEN_FIELD   = 'f',
};

typedef struct Bracket {
    char open;                          // ( [ { or OPEN_FIELD
    bool in_spec;                       // OPEN_FIELD only: past the colon
    uint32_t at;
    int64_t line_indent;                // columns before its line's text; -1: not asked yet
} Bracket;

typedef struct FString {
    uint32_t start;                     // of the prefix
    uint32_t text, text_end;            // the literal text scanned and not pushed yet
    char     quote;
    bool     triple, raw;
    bool     plain_spec;                // in a format spec, and no field in it was closed yet
    size_t   base;                      // brackets open outside it
} FString;

typedef struct Lexer {
    Arena *arena;                       // lives as long as the tokens
    Names *names;
    Diags *diags;
    Literals literals;
    const char *text;                   // of the source: the same offsets as the scanned copy
    uint32_t len;
    const char *scanned;
    Token *tokens;
    size_t count, cap;
    Bracket brackets[MAX_BRACKETS];
    size_t depth;
    bool   line_failed;                 // an ERROR was pushed since the last NEWLINE
    FString strings[MAX_STRINGS];
    size_t string_count;
} Lexer;

void lexer_grow(Lexer *lx);             // makes room for more tokens

static inline Token *lexer_put(Lexer *lx, int kind, Span at)
{
    if (lx->count == lx->cap)
        lexer_grow(lx);
    Token *t = &lx->tokens[lx->count++];
    t->kind = kind;
    t->at = at;
    return t;
}

static inline void lexer_put_name(Lexer *lx, int kind, Span at)
{
    lexer_put(lx, kind, at)->sym = names_intern(lx->names, lx->text + at.start, at.end - at.start);
}

// Is the place inside a replacement field, at the depth of its own braces?
static inline bool lexer_in_field(const Lexer *lx)
{
    return lx->depth > 0 && lx->brackets[lx->depth - 1].open == OPEN_FIELD;
}

// Is the place in literal text or in a format spec?
bool lexer_in_middle(const Lexer *lx);

// Actions on the text `at`. Those that give a length use up that much of it only.
void     lexer_put_unicode_name(Lexer *lx, Span at);    // a run of letters, some beyond ASCII
uint32_t lexer_put_number(Lexer *lx, Span at);
uint32_t lexer_put_string(Lexer *lx, Span at);
uint32_t lexer_put_unclosed(Lexer *lx, Span at);        // a string up to the end of line or file
void     lexer_put_newline(Lexer *lx, Span at);
void     lexer_put_colon(Lexer *lx, Span at);
void     lexer_put_bang(Lexer *lx, Span at);
void     lexer_put_relic(Lexer *lx, Span at);           // <>
void     lexer_put_bad_character(Lexer *lx, Span at);
void     lexer_check_continuation(Lexer *lx, Span at);  // a backslash and a line end
bool     lexer_open_bracket(Lexer *lx, char open, int kind, Span at);   // false: ends the scan
void     lexer_close_bracket(Lexer *lx, char open, int kind, Span at);

// The same for f-strings. Opening gives false, and a left brace 0, when the nesting is too deep to
// go on; a line end gives false when it is no part of the literal text.
bool     lexer_open_string(Lexer *lx, Span at);
void     lexer_put_empty_string(Lexer *lx, Span at);
void     lexer_string_text(Lexer *lx, Span at);
bool     lexer_string_newline(Lexer *lx, Span at);
uint32_t lexer_string_quotes(Lexer *lx, Span at);
uint32_t lexer_string_left_brace(Lexer *lx, Span at);
uint32_t lexer_string_right_brace(Lexer *lx, Span at);
uint32_t lexer_string_named_escape(Lexer *lx, Span at);

// The end of the file: reports what is open and ends the last line.
void     lexer_finish(Lexer *lx);

// Shared by the files of actions.
void lexer_put_error(Lexer *lx, Span at);           // what is wrong has been reported
void lexer_stop(Lexer *lx, Span at);                // ends the tokens here, after an error
void lexer_drop_brackets(Lexer *lx, uint32_t at);   // forgets those opened in the line of `at`
void lexer_start_text(Lexer *lx, uint32_t at);      // the innermost f-string's text goes on here
void lexer_close_string(Lexer *lx);                 // leaves the innermost f-string

#endif
