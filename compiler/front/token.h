// token.h - what the lexer hands to the layout filter and the layout filter to the parser.
//
// Token kinds are bison's (`parser.h`, prefix TOK_). This file says what each kind carries.
//
//   kind            value            notes
//   NAME            sym              after NFKC; hard keywords have kinds of their own (TOK_IF ...)
//   NUMBER          constant         int, float or complex
//   STRING          constant         one literal, prefix and quotes taken off, escapes decoded: str
//                                    or bytes; `u_prefix` is set for u"..." (Constant.kind is 'u')
//   FSTRING_START   -                f" rf''' ...; starts a (possibly nested) f-string
//   FSTRING_MIDDLE  constant         literal text, escapes decoded, {{ and }} made single
//   FSTRING_END     -
//   FSTRING_LBRACE, FSTRING_RBRACE   the braces of a replacement field
//   FSTRING_BANG    -                the ! before a conversion, at the field's bracket depth
//   FSTRING_COLON   -                the : before a format spec, at the field's bracket depth
//   FSTRING_EQUAL   -                the = of a self-documenting field {x=}, at the field's depth
//   NEWLINE         -                end of a logical line
//   INDENT, DEDENT  -                around blocks, zero-width
//   MATCH CASE TYPE sym              soft keywords where they *are* keywords (the layout filter
//                                    decides); elsewhere they are NAMEs, as `_` always is
//   ERROR           -                already reported; the parser resynchronises

#ifndef PYCHORAL_TOKEN_H
#define PYCHORAL_TOKEN_H

#include "compiler/base/diag.h"
#include "compiler/base/intern.h"
#include "compiler/base/source.h"
#include "compiler/ir/ir_base.h"

typedef struct Token {
    int  kind;                  // a TOK_ constant of parser.h; 0 is the end of the file
    Span at;
    bool u_prefix;              // STRING only
    union {
        Sym sym;
        const Const *constant;
    };
} Token;

typedef struct TokenList { Token *at; size_t len; } TokenList;

// Lexes the whole text: no layout yet - physical NEWLINEs outside brackets only, comments and blank
// lines gone. Bracket matching and what is inside f-strings is the lexer's business. The tokens are
// in `scratch`, the constants that they hold in `a`.
TokenList lexer_run(Arena *a, Arena *scratch, Names *names, const Source *source, Diags *diags);

// Puts INDENT and DEDENT in, decides soft keywords, checks tabs against blanks as CPython does.
TokenList layout_run(Arena *a, Names *names, const Source *source, TokenList tokens, Diags *diags);

#endif
