// python_string.c - literals: strings, bytes, f-strings, numbers.
//
// A string is quoted with double quotes unless it has such and no single ones; docstrings and long
// texts of several lines are triple-quoted. f-strings are written so that Python 3.10 reads them
// where that can be: before 3.12 (PEP 701) a field may hold neither a backslash nor the quotes
// around it. All ways to quote are tried; when none will do, the form of 3.12 is taken.

#include <string.h>

#include "compiler/emit/python_internal.h"
#include "compiler/ir/pytext.h"

enum {
    LONG_TEXT = 60,             // bytes from which a text of several lines is triple-quoted
    MANY_LINES = 3,
    DECIMAL_LIMIT = 4300,       // digits; longer decimals are refused by Python (CVE-2020-10735)
};

static const unsigned quote_order[] = {
    QUOTE_DOUBLE, QUOTE_SINGLE, QUOTE_TRIPLE_DOUBLE, QUOTE_TRIPLE_SINGLE,
};

static char quote_char(unsigned style)
{
    return style & (QUOTE_DOUBLE | QUOTE_TRIPLE_DOUBLE) ? '"' : '\'';
}

static const char *quote_text(unsigned style)
{
    switch (style) {
    case QUOTE_DOUBLE:        return "\"";
    case QUOTE_SINGLE:        return "'";
    case QUOTE_TRIPLE_DOUBLE: return "\"\"\"";
    default:                  return "'''";
    }
}

// What may be used inside a string of this style.
static unsigned quotes_inside(unsigned style)
{
    switch (style) {
    case QUOTE_DOUBLE:        return QUOTE_ALL & ~(QUOTE_DOUBLE | QUOTE_TRIPLE_DOUBLE);
    case QUOTE_SINGLE:        return QUOTE_ALL & ~(QUOTE_SINGLE | QUOTE_TRIPLE_SINGLE);
    case QUOTE_TRIPLE_DOUBLE: return QUOTE_ALL & ~QUOTE_TRIPLE_DOUBLE;
    default:                  return QUOTE_ALL & ~QUOTE_TRIPLE_SINGLE;
    }
}

static bool has_char(Text text, char c)
{
    return text.len > 0 && memchr(text.at, c, text.len) != NULL;
}

static size_t count_lines(Text text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++)
        n += text.at[i] == '\n';
    return n;
}

// ---- strings ----

// Newlines stand for themselves; quotes are escaped where they would end the literal.
static void put_triple_body(Py *p, Text text, bool braces)
{
    size_t run = 0;             // quotes just written
    for (size_t i = 0; i < text.len; ) {
        size_t start = i;
        uint32_t c = pytext_next(text, &i);
        run = c == '"' ? run + 1 : 0;
        if (c == '"' && (run == 3 || i == text.len)) {
            py_puts(p, "\\\"");
            run = 0;
        } else if (braces && (c == '{' || c == '}')) {
            py_puts(p, c == '{' ? "{{" : "}}");
        } else if (c == '\n' || (c != '\\' && pytext_is_printable(c))) {
            buf_raw(&p->line, text.at + start, i - start);
        } else {
            pytext_escape(&p->line, c);
        }
        p->raw_newline |= c == '\n';
    }
}

static bool wants_triple(const Py *p, Text text)
{
    size_t lines = count_lines(text);
    return p->unbreakable == 0 && (lines >= MANY_LINES || (lines > 0 && text.len >= LONG_TEXT));
}

// Whether the text can stand in a source as it is, without a backslash.
static bool can_be_raw(Text text, bool bytes)
{
    for (size_t i = 0; i < text.len; ) {
        uint32_t c = bytes ? (unsigned char)text.at[i++] : pytext_next(text, &i);
        if (c == '\\' || c == '\r' || c == '\0' || (bytes && c >= 0x80) ||
            (c >= 0xd800 && c <= 0xdfff))
            return false;
    }
    return true;
}

static bool has_triple(Text text, char c)
{
    for (size_t i = 0; i + 2 < text.len; i++)
        if (text.at[i] == c && text.at[i + 1] == c && text.at[i + 2] == c)
            return true;
    return false;
}

static bool is_triple(unsigned style)
{
    return style & (QUOTE_TRIPLE_DOUBLE | QUOTE_TRIPLE_SINGLE);
}

// Inside an f-string for Python 3.10 a newline has to stand for itself, and quotes too.
static bool is_usable(const Py *p, unsigned style, Text text)
{
    char quote = quote_char(style);
    if ((p->quotes & style) == 0)
        return false;
    if (!is_triple(style) || !p->plain)
        return !has_char(text, quote) && !(p->plain && has_char(text, '\n'));
    return !has_triple(text, quote) && (text.len == 0 || text.at[text.len - 1] != quote);
}

// A style that needs no escaped quote, out of the allowed ones; 0 if there is none.
static unsigned find_quotes(const Py *p, Text text)
{
    for (size_t i = 0; i < sizeof quote_order / sizeof *quote_order; i++)
        if (is_usable(p, quote_order[i], text))
            return quote_order[i];
    return 0;
}

// Whether the text would end a string around it, as far as Python 3.11 can tell.
static bool ends_outer(const Py *p, Text text)
{
    if (!(p->quotes & QUOTE_DOUBLE) && has_char(text, '"'))
        return true;
    if (!(p->quotes & QUOTE_SINGLE) && has_char(text, '\''))
        return true;
    return (!(p->quotes & QUOTE_TRIPLE_DOUBLE) && has_triple(text, '"')) ||
           (!(p->quotes & QUOTE_TRIPLE_SINGLE) && has_triple(text, '\''));
}

// A string inside an f-string that Python 3.10 must read: nothing can be escaped there.
static void put_plain_literal(Py *p, const char *prefix, Text text, bool bytes)
{
    unsigned style = find_quotes(p, text);
    bool outer_triple = p->quotes & QUOTE_DOUBLE && p->quotes & QUOTE_SINGLE;
    bool newline = has_char(text, '\n');
    if (style == 0 || ends_outer(p, text) || !can_be_raw(text, bytes) ||
        (newline && !outer_triple)) {
        p->not_plain = true;
        return;
    }
    p->raw_newline |= newline;
    py_puts(p, prefix);
    py_puts(p, quote_text(style));
    buf_raw(&p->line, text.at, text.len);
    py_puts(p, quote_text(style));
}

static void put_literal(Py *p, const char *prefix, Text text, bool bytes)
{
    if (p->plain) {
        put_plain_literal(p, prefix, text, bytes);
        return;
    }
    unsigned style = find_quotes(p, text);
    if (style == 0 || is_triple(style))
        style = p->quotes & QUOTE_DOUBLE ? QUOTE_DOUBLE : QUOTE_SINGLE;
    py_puts(p, prefix);
    py_puts(p, quote_text(style));
    if (bytes)
        pytext_bytes_body(&p->line, text, quote_char(style));
    else
        pytext_str_body(&p->line, text, quote_char(style));
    py_puts(p, quote_text(style));
}

void py_docstring(Py *p, Text text)
{
    py_puts(p, "\"\"\"");
    put_triple_body(p, text, false);
    py_puts(p, "\"\"\"");
}

static void put_str(Py *p, Text text, Sym kind)
{
    if (kind == NULL && wants_triple(p, text))
        py_docstring(p, text);
    else
        put_literal(p, kind != NULL ? kind : "", text, false);
}

// ---- numbers ----

enum { CHUNK_DIGITS = 9, CHUNK = 1000000000 };

// Divides a number of base CHUNK (most significant first) by 2**28; gives the remainder.
static uint32_t divide(uint32_t *chunks, size_t len)
{
    uint64_t rest = 0;
    for (size_t i = 0; i < len; i++) {
        rest = rest * CHUNK + chunks[i];
        chunks[i] = (uint32_t)(rest >> 28);
        rest &= 0xfffffff;
    }
    return (uint32_t)rest;
}

static size_t read_chunks(Text digits, uint32_t *chunks)
{
    size_t len = 0, first = digits.len % CHUNK_DIGITS;
    for (size_t i = 0; i < digits.len; ) {
        size_t end = i == 0 && first > 0 ? first : i + CHUNK_DIGITS;
        uint32_t value = 0;
        for (; i < end; i++)
            value = value * 10 + (uint32_t)(digits.at[i] - '0');
        chunks[len++] = value;
    }
    return len;
}

// Seven hexadecimal digits at a time, the last ones first.
static void put_hexadecimal(Py *p, Text digits)
{
    static const char hex[] = "0123456789abcdef";
    uint32_t *chunks = ARENA_ARRAY(p->arena, uint32_t, digits.len / CHUNK_DIGITS + 1);
    char *text = arena_alloc(p->arena, digits.len + 8), *end = text + digits.len + 8, *at = end;
    size_t len = read_chunks(digits, chunks), first = 0;
    while (first < len) {
        uint32_t rest = divide(chunks + first, len - first);
        for (int i = 0; i < 7; i++, rest >>= 4)
            *--at = hex[rest & 15];
        while (first < len && chunks[first] == 0)
            first++;
    }
    while (at < end - 1 && *at == '0')
        at++;
    py_puts(p, "0x");
    buf_raw(&p->line, at, (size_t)(end - at));
}

static void put_integer(Py *p, Text text)
{
    bool negative = text.len > 0 && text.at[0] == '-';
    Text digits = {text.at + negative, text.len - negative};
    if (negative)
        py_puts(p, "-");
    if (digits.len > DECIMAL_LIMIT)
        put_hexadecimal(p, digits);
    else
        buf_raw(&p->line, digits.at, digits.len);
}

static bool is_nan(double number)
{
    return number != number;
}

// An infinity is a literal too large for a double.
static void put_float(Py *p, double number, bool imaginary)
{
    if (is_nan(number))
        py_puts(p, imaginary ? "complex(0, float(\"nan\"))" : "float(\"nan\")");
    else if (number - number != 0)
        py_puts(p, number > 0 ? "1e309" : "-1e309");
    else if (imaginary)
        pytext_imaginary_repr(&p->line, number);
    else
        pytext_float_repr(&p->line, number);
    if (imaginary && !is_nan(number))
        py_puts(p, "j");
}

static bool is_negative(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return !is_nan(number) && bits >> 63;
}

Prec py_constant_prec(const Const *c)
{
    bool negative = c->kind == CONST_INT ? c->text.len > 0 && c->text.at[0] == '-'
                  : (c->kind == CONST_FLOAT || c->kind == CONST_COMPLEX) && is_negative(c->number);
    return negative ? PREC_FACTOR : PREC_ATOM;
}

void py_constant(Py *p, const Const *c, Sym kind)
{
    switch (c->kind) {
    case CONST_NONE:     py_puts(p, "None"); break;
    case CONST_BOOL:     py_puts(p, c->truth ? "True" : "False"); break;
    case CONST_INT:      put_integer(p, c->text); break;
    case CONST_FLOAT:    put_float(p, c->number, false); break;
    case CONST_COMPLEX:  put_float(p, c->number, true); break;
    case CONST_STR:      put_str(p, c->text, kind); break;
    case CONST_BYTES:    put_literal(p, "b", c->text, true); break;
    case CONST_ELLIPSIS: py_puts(p, "..."); break;
    }
}

// ---- f-strings ----

// A colon that belongs to a lambda would begin the format.
static bool ends_in_lambda(const Expr *e)
{
    while (e->kind == EXPR_IF_EXP)
        e = e->if_exp.orelse;
    return e->kind == EXPR_LAMBDA;
}


// `{{` would be a brace of the text: a blank goes before a value that begins with one.
static void part_braces(Py *p, size_t start)
{
    if (p->line.len == start || p->line.at[start] != '{')
        return;
    py_puts(p, "  ");
    memmove(p->line.at + start + 1, p->line.at + start, p->line.len - 2 - start);
    p->line.at[start] = ' ';
}

// How the text of one f-string is written.
typedef enum TextMode {
    TEXT_ESCAPED,               // on one line
    TEXT_LINES,                 // newlines stand for themselves
    TEXT_PLAIN,                 // in a field of another one, for Python 3.10: without a backslash
} TextMode;

typedef struct FString { unsigned style; TextMode mode; } FString;

// A brace of the text. In a format a doubled one would not do.
static void put_brace(Py *p, const FString *f, char brace, bool in_format)
{
    p->not_plain |= in_format && f->mode == TEXT_PLAIN;
    if (in_format)
        py_puts(p, brace == '{' ? "\\x7b" : "\\x7d");
    else
        py_puts(p, brace == '{' ? "{{" : "}}");
}

static void put_text_between_braces(Py *p, const FString *f, Text text)
{
    if (f->mode != TEXT_PLAIN) {
        pytext_str_body(&p->line, text, quote_char(f->style));
        return;
    }
    bool lines = p->quotes & QUOTE_DOUBLE && p->quotes & QUOTE_SINGLE;
    bool newline = has_char(text, '\n');
    p->not_plain |= ends_outer(p, text) || !can_be_raw(text, false) || (newline && !lines);
    p->raw_newline |= newline;
    buf_raw(&p->line, text.at, text.len);
}

static void put_text(Py *p, const FString *f, Text text, bool in_format)
{
    if (f->mode == TEXT_LINES && !in_format) {
        put_triple_body(p, text, true);
        return;
    }
    for (size_t i = 0; i < text.len; ) {
        size_t end = i;
        while (end < text.len && text.at[end] != '{' && text.at[end] != '}')
            end++;
        put_text_between_braces(p, f, (Text){text.at + i, end - i});
        if (end < text.len)
            put_brace(p, f, text.at[end], in_format);
        i = end + 1;
    }
}

static void put_field(Py *p, const FString *f, const Expr *e, int depth);

static void put_format(Py *p, const FString *f, const Expr *format, int depth)
{
    py_puts(p, ":");
    for (size_t i = 0; i < format->joined_str.values.len; i++) {
        const Expr *value = format->joined_str.values.at[i];
        if (value->kind == EXPR_CONSTANT)
            put_text(p, f, value->constant.value->text, true);
        else
            put_field(p, f, value, depth + 1);
    }
}

// Before 3.12 a format may have fields, but those no formats with fields again.
static void put_field(Py *p, const FString *f, const Expr *e, int depth)
{
    const Expr *value = e->formatted_value.value;
    p->not_plain |= depth > 1 || value->kind == EXPR_STARRED;
    py_puts(p, "{");
    size_t start = p->line.len;
    py_expr(p, value, ends_in_lambda(value) ? PREC_ATOM : PREC_TEST);
    part_braces(p, start);
    if (e->formatted_value.conversion > 0) {
        char text[] = {'!', (char)e->formatted_value.conversion, '\0'};
        py_puts(p, text);
    }
    if (e->formatted_value.format_spec != NULL)
        put_format(p, f, e->formatted_value.format_spec, depth);
    py_puts(p, "}");
}

static void put_parts(Py *p, const FString *f, ExprList parts)
{
    py_puts(p, "f");
    py_puts(p, quote_text(f->style));
    size_t start = p->line.len;
    for (size_t i = 0; i < parts.len; i++) {
        const Expr *part = parts.at[i];
        if (part->kind == EXPR_CONSTANT)
            put_text(p, f, part->constant.value->text, false);
        else
            put_field(p, f, part, 0);
    }
    p->not_plain |= f->mode == TEXT_PLAIN && p->line.len > start &&
                    p->line.at[p->line.len - 1] == quote_char(f->style);
    py_puts(p, quote_text(f->style));
}

// Writes the f-string with these quotes if Python 3.10 can read it then.
static bool try_style(Py *p, ExprList parts, unsigned style, TextMode mode)
{
    Py before = *p;
    FString f = {style, before.plain ? TEXT_PLAIN : mode};
    p->quotes &= quotes_inside(style);
    p->plain = true;
    p->not_plain = false;
    p->unbreakable++;
    put_parts(p, &f, parts);
    bool done = !p->not_plain;
    p->quotes = before.quotes;
    p->plain = before.plain;
    p->not_plain = before.not_plain;
    p->unbreakable--;
    if (!done) {
        p->line.len = before.line.len;
        p->raw_newline = before.raw_newline;
    }
    return done;
}

// The form of Python 3.12: strings in a field may have any quotes; they alternate all the same.
static void put_nested(Py *p, ExprList parts)
{
    unsigned before = p->quotes;
    FString f = {before & QUOTE_DOUBLE ? QUOTE_DOUBLE : QUOTE_SINGLE, TEXT_ESCAPED};
    p->quotes = f.style == QUOTE_DOUBLE ? QUOTE_SINGLE : QUOTE_DOUBLE;
    p->unbreakable++;
    put_parts(p, &f, parts);
    p->unbreakable--;
    p->quotes = before;
}

static bool has_long_text(const Py *p, ExprList parts)
{
    size_t lines = 0, len = 0;
    for (size_t i = 0; i < parts.len; i++)
        if (parts.at[i]->kind == EXPR_CONSTANT) {
            lines += count_lines(parts.at[i]->constant.value->text);
            len += parts.at[i]->constant.value->text.len;
        }
    return p->unbreakable == 0 && (lines >= MANY_LINES || (lines > 0 && len >= LONG_TEXT));
}

static bool text_has_char(ExprList parts, char c)
{
    for (size_t i = 0; i < parts.len; i++)
        if (parts.at[i]->kind == EXPR_CONSTANT && has_char(parts.at[i]->constant.value->text, c))
            return true;
    return false;
}

// Single quotes come first where only they need no escapes.
static void put_fstring(Py *p, ExprList parts)
{
    unsigned tried = 0;
    if (has_long_text(p, parts) && try_style(p, parts, QUOTE_TRIPLE_DOUBLE, TEXT_LINES))
        return;
    if (text_has_char(parts, '"') && !text_has_char(parts, '\'') && p->quotes & QUOTE_SINGLE) {
        tried = QUOTE_SINGLE;
        if (try_style(p, parts, QUOTE_SINGLE, TEXT_ESCAPED))
            return;
    }
    for (size_t i = 0; i < sizeof quote_order / sizeof *quote_order; i++)
        if (p->quotes & ~tried & quote_order[i] &&
            try_style(p, parts, quote_order[i], TEXT_ESCAPED))
            return;
    if (p->plain)
        p->not_plain = true;
    else
        put_nested(p, parts);
}

void py_field(Py *p, const Expr *e)
{
    put_fstring(p, (ExprList){&e, 1});
}

static bool is_u_string(const Expr *part)
{
    return part->kind == EXPR_CONSTANT && part->constant.kind != NULL;
}

// A part with the prefix u was a literal of its own beside the f-string.
void py_fstring(Py *p, const Expr *e)
{
    ExprList parts = e->joined_str.values;
    bool any = false;
    for (size_t i = 0; i < parts.len; ) {
        size_t start = i;
        if (i > 0)
            py_puts(p, " ");
        if (is_u_string(parts.at[i])) {
            put_literal(p, parts.at[i]->constant.kind, parts.at[i]->constant.value->text, false);
            i++;
            continue;
        }
        while (i < parts.len && !is_u_string(parts.at[i]))
            i++;
        put_fstring(p, (ExprList){parts.at + start, i - start});
        any = true;
    }
    if (any)
        return;
    if (parts.len > 0)
        py_puts(p, " ");
    put_fstring(p, (ExprList){0});
}
