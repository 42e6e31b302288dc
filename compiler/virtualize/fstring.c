// fstring.c - fields of f-strings: `{v!r:spec}` is `{_pc_format_(v, 114, 'spec')}`.
//
// Up to Python 3.11 nothing in a field may have a quote of an f-string around it, or a backslash: a
// format becomes a string in another quote, or its field stays as it is.

#include <string.h>

#include "compiler/virtualize/internal.h"
#include "parser.h"

// ---- quotes ----

static unsigned quote_bit(char c) { return c == '\'' ? 1 : 2; }

// The quotes of the f-strings around a place in one, as bits.
static unsigned quotes_around(const Virt *v, uint32_t from, uint32_t at)
{
    char open[64];
    size_t depth = 0;
    for (const Token *t = token_from(v, from); t->at.start < at && t->kind != TOK_END; t++) {
        if (t->kind == TOK_FSTRING_START && depth < sizeof open)
            open[depth++] = v->source->text.at[t->at.end - 1];
        else if (t->kind == TOK_FSTRING_END && depth > 0)
            depth--;
    }
    unsigned bits = 0;
    while (depth > 0)
        bits |= quote_bit(open[--depth]);
    return bits;
}

static char quote_beside(unsigned taken)
{
    return !(taken & 1) ? '\'' : !(taken & 2) ? '"' : 0;
}

// ---- one field ----

// The tokens of a field: what its value begins with, and what stands behind its parts.
typedef struct Field {
    const Token *open, *behind;     // of the value, parentheses included
    const Token *bang, *colon;      // NULL: none
    const Token *close;             // the brace
    bool shown;                     // `{x=}` prints its own text
    char inner;                     // the quote for what is in its format, or 0
} Field;

static Field field_of(const Virt *v, const Expr *e)
{
    const Expr *value = e->formatted_value.value;
    const Token *t = token_past_parens(v, value->at.end);
    Field f = {.open = token_from(v, value->at.start), .behind = t};
    while (f.open[-1].kind == TOK_LPAR)
        f.open--;
    f.shown = t->kind == TOK_FSTRING_EQUAL;
    t += f.shown;
    f.bang = t->kind == TOK_FSTRING_BANG ? t : NULL;
    t += f.bang != NULL ? 2 : 0;
    f.colon = t->kind == TOK_FSTRING_COLON ? t : NULL;
    for (size_t depth = 1; depth > 0; t++) {
        depth += t->kind == TOK_FSTRING_LBRACE;
        depth -= t->kind == TOK_FSTRING_RBRACE;
        f.close = t;
    }
    return f;
}

static bool has_fields(const Expr *spec)
{
    for (size_t i = 0; i < spec->joined_str.values.len; i++)
        if (spec->joined_str.values.at[i]->kind == EXPR_FORMATTED_VALUE)
            return true;
    return false;
}

// Why a format cannot become a string in this quote; NULL: it can.
static const char *why_no_spec(const Virt *v, const Field *f, char quote)
{
    if (f->colon == NULL)
        return NULL;
    if (quote == 0)
        return "the enclosing f-string uses all kinds of quotes";
    const char *at = v->source->text.at + f->colon->at.end;
    size_t len = f->close->at.start - f->colon->at.end;
    const char stops[] = {quote, '\\', '\n', '\r'};
    for (size_t i = 0; i < sizeof stops; i++)
        if (memchr(at, stops[i], len) != NULL)
            return "its format contains a backslash, a line break or all kinds of quotes";
    for (size_t i = 0; i + 1 < len; i++)
        if (at[i] == at[i + 1] && (at[i] == '{' || at[i] == '}'))
            return "its format contains two adjacent braces";
    return NULL;
}

static void format_conversion(Virt *v, const Expr *e, const Field *f)
{
    const char *text = virt_text(v, ", %d", e->formatted_value.conversion);
    if (f->bang != NULL)
        virt_replace(v, (Span){f->bang->at.start, f->bang[1].at.end}, "%s", text);
    else
        virt_put(v, f->behind[-1].at.end, "%s", text);
}

// Behind the conversion: the colon becomes a quote.
static void format_spec(Virt *v, const Expr *spec, const Field *f)
{
    char quote = v->w.quote;
    if (f->colon == NULL) {
        uint32_t at = f->bang != NULL ? f->bang[1].at.end : f->behind[-1].at.end;
        virt_put(v, at, ", %s)", use_helper(v, "no_format"));
        return;
    }
    virt_replace(v, f->colon->at, ", %s%c", spec != NULL && has_fields(spec) ? "f" : "", quote);
    v->w.quote = f->inner;
    virt_expr(v, spec);
    v->w.quote = quote;
    virt_put(v, f->close->at.start, "%c)", quote);
}

// In the quotes that `v->w.quote` leaves.
static void virt_field_parts(Virt *v, const Expr *e, const Field *f)
{
    const Expr *value = e->formatted_value.value, *spec = e->formatted_value.format_spec;
    const char *why = f->shown ? "a field with `=`"
                               : why_no_spec(v, f, v->w.quote);
    if (!virt_takes(v, e, HOOK_FORMAT, 2, why)) {
        if (!f->shown)
            virt_expr(v, value);
        virt_expr(v, spec);
        return;
    }
    virt_put(v, f->open->at.start, "%s(", use_hook(v, HOOK_FORMAT, FORM_PLAIN));
    v->w.depth += 2;
    virt_argument(v, value);
    format_conversion(v, e, f);
    format_spec(v, spec, f);
    v->w.depth -= 2;
}

static void virt_field(Virt *v, const Expr *string, const Expr *e)
{
    Field f = field_of(v, e);
    char before = v->w.quote;
    unsigned taken = quotes_around(v, string->at.start, f.open->at.start)
                     | (before == '\'' ? 0 : before == '"' ? 1 : 3);
    v->w.quote = quote_beside(taken);
    f.inner = v->w.quote != 0 ? quote_beside(taken | quote_bit(v->w.quote)) : 0;
    virt_field_parts(v, e, &f);
    v->w.quote = before;
}

void virt_fstring(Virt *v, const Expr *e)
{
    for (size_t i = 0; i < e->joined_str.values.len; i++)
        if (e->joined_str.values.at[i]->kind == EXPR_FORMATTED_VALUE)
            virt_field(v, e, e->joined_str.values.at[i]);
}
