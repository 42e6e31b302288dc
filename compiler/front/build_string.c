// build_string.c - string literals and f-strings for the actions of parser.y: implicit
// concatenation, replacement fields, the text of self-documenting fields.
//
// The shape of a JoinedStr is CPython's: the pieces of a concatenation are flattened, adjacent
// constants become one (of the first one's kind), empty constants disappear.

#include <string.h>

#include "compiler/front/build.h"
#include "parser.h"

const Expr *build_string(Build *b, const Token *token)
{
    Sym kind = token->u_prefix ? names_get(b->names, "u") : NULL;
    return expr_constant(b->arena, token->at, token->constant, kind);
}

ExprVec *build_fstring_text(Build *b, ExprVec *parts, const Token *text)
{
    return exprs_add(b, parts, build_constant(b, text->at, text->constant));
}

static bool is_empty(const Expr *e)
{
    return e->kind == EXPR_CONSTANT && e->constant.value->text.len == 0;
}

// One constant for several adjacent ones, all str or all bytes.
static const Expr *join_constants(Build *b, const Expr *const *at, size_t count)
{
    size_t len = 0;
    if (count == 1)
        return at[0];
    for (size_t i = 0; i < count; i++)
        len += at[i]->constant.value->text.len;
    char *bytes = ARENA_ARRAY(b->arena, char, len + 1);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        Text text = at[i]->constant.value->text;
        if (text.len > 0)
            memcpy(bytes + used, text.at, text.len);
        used += text.len;
    }
    Text text = {bytes, len};
    bool is_bytes = at[0]->constant.value->kind == CONST_BYTES;
    return expr_constant(b->arena, span_join(at[0]->at, at[count - 1]->at),
                         is_bytes ? const_bytes(b->arena, text) : const_str(b->arena, text),
                         at[0]->constant.kind);
}

// Appends the values, each run of constants as one, without those that are empty.
static ExprVec *fold(Build *b, const ExprVec *values)
{
    ExprVec *folded = NULL;
    for (size_t i = 0; i < values->len;) {
        size_t end = i;
        while (end < values->len && values->at[end]->kind == EXPR_CONSTANT)
            end++;
        const Expr *e = end == i ? values->at[end++]
                                 : join_constants(b, values->at + i, end - i);
        if (!is_empty(e))
            folded = exprs_add(b, folded, e);
        i = end;
    }
    return folded;
}

static bool is_bytes(const Expr *e)
{
    return e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_BYTES;
}

// Whether all pieces are bytes or none is; reports the first that differs.
static bool check_one_type(Build *b, const Expr *const *pieces, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (is_bytes(pieces[i]) != is_bytes(pieces[0])) {
            build_error(b, pieces[i]->at, DIAG_STRING, "cannot mix bytes and nonbytes literals");
            return false;
        }
    return true;
}

const Expr *build_concatenation(Build *b, Span at, const Expr *const *pieces, size_t count)
{
    ExprVec values = {0};
    bool joined = false;
    if (count == 1 && pieces[0]->kind == EXPR_CONSTANT)
        return pieces[0];
    if (!check_one_type(b, pieces, count))
        return pieces[0];
    for (size_t i = 0; i < count; i++) {
        if (pieces[i]->kind == EXPR_CONSTANT) {
            exprs_add(b, &values, pieces[i]);
            continue;
        }
        joined = true;
        ExprList parts = pieces[i]->joined_str.values;
        for (size_t k = 0; k < parts.len; k++)
            if (!is_empty(parts.at[k]))
                exprs_add(b, &values, parts.at[k]);
    }
    if (!joined)
        return join_constants(b, values.at, values.len);
    return expr_joined_str(b->arena, at, exprs_list(fold(b, &values)));
}

const Expr *build_format_spec(Build *b, Span at, const ExprVec *parts)
{
    const Expr *piece = expr_joined_str(b->arena, at, exprs_list(parts));
    return build_concatenation(b, at, &piece, 1);
}

Conversion *build_conversion(Build *b, const Token *bang, const Token *name)
{
    Conversion *c = ARENA_NEW(b->arena, Conversion);
    *c = (Conversion){name->sym[0], bang->at};
    if (name->at.start != bang->at.end)
        build_error(b, name->at, DIAG_FSTRING, "the conversion must come right after the `!`");
    else if (strlen(name->sym) != 1 || strchr("sra", name->sym[0]) == NULL)
        build_error(b, name->at, DIAG_FSTRING,
                    "invalid conversion `!%s`: expected `!s`, `!r` or `!a`", name->sym);
    return c;
}

// Index of the first token that ends behind an offset.
static size_t first_token(const Build *b, uint32_t offset)
{
    size_t low = 0, high = b->tokens.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->tokens.at[middle].at.end <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Copies source text, its line ends as "\n"; a comment (only looked for where `gap`) is left out.
static void copy_source(Buf *out, const Source *source, Span span, bool gap)
{
    const char *text = source->text.at;
    for (uint32_t i = span.start; i < span.end; i++) {
        if (gap && text[i] == '#')
            while (i < span.end && text[i] != '\n' && text[i] != '\r')
                i++;
        if (i >= span.end)
            break;
        if (text[i] == '\r' && i + 1 < source->text.len && text[i + 1] == '\n')
            continue;
        buf_raw(out, text[i] == '\r' ? "\n" : &text[i], 1);
    }
}

// The text of a self-documenting field: the source, but no comments.
static const Const *field_text(Build *b, Span span)
{
    Buf out = buf_new(b->arena);
    uint32_t at = span.start;
    for (size_t i = first_token(b, at); at < span.end; i++) {
        Span token = i < b->tokens.len ? b->tokens.at[i].at : (Span){span.end, span.end};
        Span gap = {at, token.start < span.end ? token.start : span.end};
        if (gap.start < gap.end)
            copy_source(&out, b->source, gap, true);
        Span inside = {gap.end, token.end < span.end ? token.end : span.end};
        copy_source(&out, b->source, inside, false);
        at = inside.end > at ? inside.end : at;
        if (i >= b->tokens.len)
            break;
    }
    return const_str(b->arena, (Text){buf_text(&out), out.len});
}

// Where the text of a self-documenting field ends: at the conversion, the format spec or the brace.
static uint32_t text_end(Span field, const Conversion *conversion, const Expr *format_spec)
{
    if (conversion != NULL)
        return conversion->at.start;
    return format_spec != NULL ? format_spec->at.start : field.end - 1;
}

ExprVec *build_field(Build *b, ExprVec *parts, Span at, const Expr *value, const Token *equal,
                     const Conversion *conversion, const Expr *format_spec)
{
    int letter = conversion != NULL ? conversion->letter : -1;
    if (equal != NULL) {
        Span text = {at.start + 1, text_end(at, conversion, format_spec)};
        parts = exprs_add(b, parts, build_constant(b, text, field_text(b, text)));
        if (conversion == NULL && format_spec == NULL)
            letter = 'r';
    }
    return exprs_add(b, parts, expr_formatted_value(b->arena, at, value, letter, format_spec));
}
