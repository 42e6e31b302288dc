// quoted.c - annotations in quotes: what the text stands for.
//
// A small language: names, dots, brackets, commas, `|`, constants. A text that holds anything else
// stays a text, which is no type.

#include <string.h>

#include "typecheck/internal.h"

// `shift`: from an offset in the text to one in the source; less than 0 where they do not agree,
// as in a string with escapes.
typedef struct Quoted { Program *p; const char *start, *at, *end; Span span; long shift;
                        bool bad; } Quoted;

static const Expr *read_union(Quoted *q);

static void skip_blanks(Quoted *q) {
    while (q->at < q->end && strchr(" \t\n", *q->at)) q->at++;
}

static bool take(Quoted *q, char c) {
    skip_blanks(q);
    if (q->at == q->end || *q->at != c) return false;
    q->at++;
    return true;
}

// From a place in the text to where the reader is.
static Span since(const Quoted *q, const char *start) {
    if (q->shift < 0) return q->span;
    return (Span){(uint32_t)(q->shift + (start - q->start)),
                  (uint32_t)(q->shift + (q->at - q->start))};
}

// `a, b` as a tuple, a single one as itself.
static const Expr *read_items(Quoted *q, char close) {
    const char *start = q->at;
    Vec(const Expr *) items = {0};
    bool comma = false;
    while (!take(q, close) && !q->bad) {
        vec_push(q->p->arena, &items, read_union(q));
        comma = take(q, ',');
        if (!comma && (q->at == q->end || *q->at != close)) q->bad = true;
    }
    if (items.len == 1 && !comma) return items.at[0];
    return expr_tuple(q->p->arena, since(q, start), (ExprList){items.at, items.len},
                      EXPR_CONTEXT_LOAD);
}

static bool name_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
        (unsigned char)c >= 0x80;
}

static const Expr *constant(Quoted *q, const char *start, const Const *c) {
    return expr_constant(q->p->arena, since(q, start), c, NULL);
}

static const Expr *read_word(Quoted *q) {
    Arena *a = q->p->arena;
    skip_blanks(q);
    const char *start = q->at;
    while (q->at < q->end && name_byte(*q->at)) q->at++;
    size_t len = (size_t)(q->at - start);
    if (len == 0) q->bad = true;
    Sym word = names_intern(q->p->names, start, len);
    if (sym_is(word, "None")) return constant(q, start, const_none(a));
    if (sym_is(word, "True") || sym_is(word, "False"))
        return constant(q, start, const_bool(a, sym_is(word, "True")));
    if (strspn(word, "0123456789") == len && (*word != '0' || len == 1))
        return constant(q, start, const_int(a, (Text){start, len}));
    if (len > 0 && *word >= '0' && *word <= '9') q->bad = true;
    return expr_name(a, since(q, start), word, EXPR_CONTEXT_LOAD);
}

// An argument of `Literal`, or an annotation in quotes within one.
static const Expr *read_string(Quoted *q, char mark) {
    const char *start = q->at - 1, *text = q->at;
    while (q->at < q->end && *q->at != mark && *q->at != '\\' && *q->at != '\n') q->at++;
    Text inner = {text, (size_t)(q->at - text)};
    if (!take(q, mark)) q->bad = true;
    return constant(q, start, const_str(q->p->arena, inner));
}

static const Expr *read_atom(Quoted *q) {
    Arena *a = q->p->arena;
    skip_blanks(q);
    const char *start = q->at;
    if (take(q, '\'')) return read_string(q, '\'');
    if (take(q, '"')) return read_string(q, '"');
    if (take(q, '(')) return read_items(q, ')');
    if (take(q, '-')) {
        const Expr *operand = read_word(q);
        return expr_unary_op(a, since(q, start), UNARYOP_U_SUB, operand);
    }
    if (q->end - q->at >= 3 && memcmp(q->at, "...", 3) == 0) {
        q->at += 3;
        return constant(q, start, const_ellipsis(a));
    }
    if (!take(q, '[')) return read_word(q);
    const Expr *inner = read_items(q, ']');
    ExprList list = {&inner, 1};
    if (inner->kind == EXPR_TUPLE) list = inner->tuple.elts;
    const Expr **items = ARENA_ARRAY(a, const Expr *, list.len + 1);
    memcpy(items, list.at, list.len * sizeof *items);
    return expr_list(a, since(q, start), (ExprList){items, list.len}, EXPR_CONTEXT_LOAD);
}

static const Expr *read_primary(Quoted *q) {
    Arena *a = q->p->arena;
    const Expr *e = read_atom(q);
    skip_blanks(q);
    const char *start = q->at;
    while (!q->bad) {
        if (take(q, '.')) {
            const Expr *name = read_word(q);
            q->bad |= name->kind != EXPR_NAME;
            Sym attr = name->kind == EXPR_NAME ? name->name.id : names_get(q->p->names, "");
            e = expr_attribute(a, span_join(e->at, since(q, start)), e, attr, EXPR_CONTEXT_LOAD);
        } else if (take(q, '[')) {
            const Expr *slice = read_items(q, ']');
            e = expr_subscript(a, span_join(e->at, since(q, start)), e, slice, EXPR_CONTEXT_LOAD);
        } else {
            break;
        }
    }
    return e;
}

static const Expr *read_union(Quoted *q) {
    const Expr *e = read_primary(q);
    while (!q->bad && take(q, '|')) {
        const Expr *right = read_primary(q);
        e = expr_bin_op(q->p->arena, span_join(e->at, right->at), e, OPERATOR_BIT_OR, right);
    }
    return e;
}

// Where the text of a string starts in the source: behind its quotes, if it stands there as it is.
static long text_start(const Program *p, Span at, Text t) {
    if (p->source == NULL || at.end > p->source->text.len || at.end < at.start) return -1;
    size_t len = at.end - at.start;
    for (size_t quotes = 1; quotes <= 3; quotes += 2)
        if (len == t.len + 2 * quotes && memcmp(p->source->text.at + at.start + quotes, t.at,
                                                t.len) == 0)
            return (long)(at.start + quotes);
    return -1;
}

// The annotation a string stands for; the expression itself when it is no string or not readable.
const Expr *annotation_unquote(Program *p, const Expr *e) {
    if (e->kind != EXPR_CONSTANT || e->constant.value->kind != CONST_STR) return e;
    Text t = e->constant.value->text;
    Quoted q = {p, t.at, t.at, t.at + t.len, e->at, text_start(p, e->at, t), false};
    const Expr *inner = read_union(&q);
    skip_blanks(&q);
    return q.bad || q.at != q.end ? e : inner;
}
