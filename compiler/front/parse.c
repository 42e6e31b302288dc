// parse.c - runs lexer, layout filter and parser over a source. Then its tokens are gone.

#include "compiler/front/build.h"
#include "compiler/front/front.h"
#include "parser.h"

const Unit *front_parse(Arena *a, Names *names, const Source *source, Diags *diags)
{
    Arena *scratch = arena_within(a);
    TokenList tokens = lexer_run(a, scratch, names, source, diags);
    tokens = layout_run(scratch, names, source, tokens, diags);
    Build b = {.arena = a, .names = names, .source = source, .diags = diags, .tokens = tokens};
    bool parsed = grammar_parse(&b) == 0 && b.unit != NULL;
    arena_free(scratch);
    return parsed ? b.unit : unit_module(a, (StmtList){0});
}

TokenList front_tokens(Arena *a, Names *names, const Source *source, Diags *diags)
{
    return lexer_run(a, a, names, source, diags);
}
