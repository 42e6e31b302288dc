// ir_base.c - constants.

#include "compiler/ir/ir_base.h"

#include <string.h>

#include "compiler/ir/pytext.h"

static Const *make(Arena *a, ConstKind kind)
{
    Const *c = ARENA_NEW(a, Const);
    c->kind = kind;
    return c;
}

static const Const *make_text(Arena *a, ConstKind kind, Text text)
{
    Const *c = make(a, kind);
    c->text = text;
    return c;
}

const Const *const_none(Arena *a)
{
    return make(a, CONST_NONE);
}

const Const *const_ellipsis(Arena *a)
{
    return make(a, CONST_ELLIPSIS);
}

const Const *const_bool(Arena *a, bool truth)
{
    Const *c = make(a, CONST_BOOL);
    c->truth = truth;
    return c;
}

const Const *const_float(Arena *a, double number)
{
    Const *c = make(a, CONST_FLOAT);
    c->number = number;
    return c;
}

const Const *const_complex(Arena *a, double imaginary)
{
    Const *c = make(a, CONST_COMPLEX);
    c->number = imaginary;
    return c;
}

const Const *const_int(Arena *a, Text decimal)
{
    return make_text(a, CONST_INT, decimal);
}

const Const *const_str(Arena *a, Text wtf8)
{
    return make_text(a, CONST_STR, wtf8);
}

const Const *const_bytes(Arena *a, Text bytes)
{
    return make_text(a, CONST_BYTES, bytes);
}

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

bool const_equal(const Const *a, const Const *b)
{
    if (a == b)
        return true;
    if (a == NULL || b == NULL || a->kind != b->kind)
        return false;
    return a->truth == b->truth && bits_of(a->number) == bits_of(b->number) &&
           a->text.len == b->text.len &&
           (a->text.len == 0 || memcmp(a->text.at, b->text.at, a->text.len) == 0);
}

void const_repr(Buf *b, const Const *c)
{
    switch (c->kind) {
    case CONST_NONE:     buf_puts(b, "None"); break;
    case CONST_BOOL:     buf_puts(b, c->truth ? "True" : "False"); break;
    case CONST_INT:      buf_write(b, c->text.at, c->text.len); break;
    case CONST_FLOAT:    pytext_float_repr(b, c->number); break;
    case CONST_COMPLEX:  pytext_imaginary_repr(b, c->number); buf_putc(b, 'j'); break;
    case CONST_STR:      pytext_str_repr(b, c->text); break;
    case CONST_BYTES:    pytext_bytes_repr(b, c->text); break;
    case CONST_ELLIPSIS: buf_puts(b, "Ellipsis"); break;
    }
}

uint64_t const_hash(const Const *c)
{
    uint64_t h = 14695981039346656037u;
    if (c == NULL)
        return h;
    for (size_t i = 0; i < c->text.len; i++)
        h = (h ^ (unsigned char)c->text.at[i]) * 1099511628211u;
    h = (h ^ bits_of(c->number)) * 1099511628211u;
    h = (h ^ (unsigned)c->kind * 2 ^ c->truth) * 1099511628211u;
    return h ^ h >> 32;
}
