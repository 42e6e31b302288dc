// parse.c - runs lexer, layout filter and parser over a source.

#include "compiler/front/build.h"
#include "compiler/front/front.h"
#include "parser.h"

const Unit *front_parse(Arena *a, Names *names, const Source *source, Diags *diags)
{
    TokenList tokens = lexer_run(a, names, source, diags);
    tokens = layout_run(a, names, source, tokens, diags);
    Build b = {.arena = a, .names = names, .source = source, .diags = diags, .tokens = tokens};
    if (grammar_parse(&b) != 0 || b.unit == NULL)
        return unit_module(a, (StmtList){0});
    return b.unit;
}
