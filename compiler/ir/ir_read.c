// ir_read.c - reads the text form that ir_print.c writes.
//
// The text may be anything. A node whose spine child is still to come waits on a stack of our own,
// so a spine can be of any length; what nests otherwise is limited, because whoever gets the tree
// will recurse on it.

#include "compiler/ir/ir_engine.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NESTING = 2000 };

typedef struct Reader {
    Arena *arena;
    Arena *scratch;             // for the frames
    Names *names;
    const char *start, *at, *end;
    const char *error;          // the first one
    int depth;                  // of our recursion
    int height;                 // of the node that was read last: its nesting but for spines
} Reader;

// A node that is being read.
typedef struct Frame {
    const IrForm *form;
    char *node;
    int   field;                // the next one
    int   height;               // of the children so far
    bool  inside;               // the spine child was read, or the spine's bracket is open
    int   items_height;
    Vec(const void *) items;    // of a spine that is a list
} Frame;

typedef struct Stack { Frame *at; size_t len, cap; } Stack;

static const void *read_node(Reader *r, const IrFamily *family);

__attribute__((format(printf, 2, 3)))
static void fail(Reader *r, const char *format, ...)
{
    if (r->error != NULL)
        return;
    Buf b = buf_new(r->arena);
    va_list args;
    va_start(args, format);
    buf_puts(&b, arena_vformat(r->arena, format, args));
    va_end(args);
    buf_printf(&b, " at byte %lu", (unsigned long)(r->at - r->start));
    r->error = buf_text(&b);
}

// ---- tokens -----------------------------------------------------------------------------------

static void skip_blank(Reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
}

static bool accept(Reader *r, char c)
{
    skip_blank(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static void expect(Reader *r, char c)
{
    if (!accept(r, c))
        fail(r, "expected `%c`", c);
}

static bool is_delimiter(char c)
{
    return c == '\0' || strchr("()[]\" \n\t\r", c) != NULL;
}

// Up to the next blank, bracket or quote; empty at one of these.
static Text peek_word(Reader *r)
{
    skip_blank(r);
    const char *stop = r->at;
    while (stop < r->end && !is_delimiter(*stop))
        stop++;
    return (Text){r->at, (size_t)(stop - r->at)};
}

static bool text_is(Text text, const char *s)
{
    return text.len == strlen(s) && memcmp(text.at, s, text.len) == 0;
}

static Text take_word(Reader *r)
{
    Text word = peek_word(r);
    r->at += word.len;
    if (word.len == 0)
        fail(r, "expected a name");
    return word;
}

static bool accept_word(Reader *r, const char *s)
{
    Text word = peek_word(r);
    if (!text_is(word, s))
        return false;
    r->at += word.len;
    return true;
}

// A number as a C string, for the conversions of libc. None that we write is longer.
typedef struct Numeral { char at[64]; } Numeral;

static Numeral take_numeral(Reader *r)
{
    Numeral n = {""};
    Text word = take_word(r);
    if (word.len < sizeof n.at)
        memcpy(n.at, word.at, word.len);
    else
        fail(r, "the number is too long");
    return n;
}

static int hex_digit(Reader *r)
{
    char c = r->at < r->end ? *r->at++ : '\0';
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    fail(r, "expected a hexadecimal digit");
    return 0;
}

static char take_escape(Reader *r)
{
    char c = r->at < r->end ? *r->at++ : '\0';
    if (c == 'n')
        return '\n';
    if (c == 'x') {
        int high = hex_digit(r);
        return (char)(high * 16 + hex_digit(r));
    }
    if (c != '"' && c != '\\')
        fail(r, "unknown escape");
    return c;
}

static Text take_quoted(Reader *r)
{
    Vec(char) text = {0};
    expect(r, '"');
    while (r->error == NULL) {
        char c = r->at < r->end ? *r->at : '\0';
        if (r->at == r->end)
            fail(r, "unterminated string");
        else
            r->at++;
        if (c == '"')
            break;
        vec_push(r->arena, &text, c == '\\' ? take_escape(r) : c);
    }
    vec_push(r->arena, &text, '\0');
    return (Text){text.at, text.len - 1};
}

// ---- values that are no nodes -----------------------------------------------------------------

static Sym read_name(Reader *r)
{
    skip_blank(r);
    bool quoted = r->at < r->end && *r->at == '"';
    Text text = quoted ? take_quoted(r) : take_word(r);
    if (!quoted && text_is(text, "nil"))
        return NULL;
    if (memchr(text.at, '\0', text.len) != NULL)
        fail(r, "a name contains a null character");
    return r->error != NULL ? NULL : names_intern(r->names, text.at, text.len);
}

// A byte offset; `*s` moves behind it.
static uint32_t take_offset(Reader *r, const char **s)
{
    char *stop;
    unsigned long long value = **s >= '0' && **s <= '9' ? strtoull(*s, &stop, 10) : ULLONG_MAX;
    if (value > UINT32_MAX) {
        fail(r, "expected a place such as `@3:9`");
        return 0;
    }
    *s = stop;
    return (uint32_t)value;
}

static Span read_span(Reader *r)
{
    Numeral n = take_numeral(r);
    const char *s = n.at;
    Span span = {0, 0};
    bool good = *s == '@';
    if (good) {
        s++;
        span.start = take_offset(r, &s);
        good = *s == ':';
    }
    if (good) {
        s++;
        span.end = take_offset(r, &s);
        good = *s == '\0';
    }
    if (!good)
        fail(r, "expected a place such as `@3:9`");
    return span;
}

static int read_int(Reader *r)
{
    Numeral n = take_numeral(r);
    char *s = n.at, *stop;
    long value = strtol(s, &stop, 10);
    if (*s == '\0' || *stop != '\0' || value < INT_MIN || value > INT_MAX)
        fail(r, "the number is invalid or too large");
    return (int)value;
}

static double read_number(Reader *r)
{
    Numeral n = take_numeral(r);
    char *s = n.at, *stop;
    double number;
    if (strncmp(s, "nan:", 4) == 0) {
        uint64_t bits = strtoull(s + 4, &stop, 16);
        memcpy(&number, &bits, sizeof number);
    } else {
        number = strtod(s, &stop);
    }
    if (*s == '\0' || *stop != '\0')
        fail(r, "the number is invalid");
    return number;
}

static Text read_digits(Reader *r)
{
    Text word = take_word(r);
    size_t sign = word.len > 0 && word.at[0] == '-';
    bool good = word.len > sign;
    for (size_t i = sign; i < word.len; i++)
        good = good && word.at[i] >= '0' && word.at[i] <= '9';
    if (!good)
        fail(r, "expected decimal digits");
    return (Text){arena_strndup(r->arena, word.at, word.len), word.len};
}

static bool read_bool(Reader *r)
{
    if (accept_word(r, "true"))
        return true;
    if (!accept_word(r, "false"))
        fail(r, "expected `true` or `false`");
    return false;
}

static const Const *read_value(Reader *r)
{
    if (accept_word(r, "none"))
        return const_none(r->arena);
    if (accept_word(r, "ellipsis"))
        return const_ellipsis(r->arena);
    if (accept_word(r, "bool"))
        return const_bool(r->arena, read_bool(r));
    if (accept_word(r, "int"))
        return const_int(r->arena, read_digits(r));
    if (accept_word(r, "float"))
        return const_float(r->arena, read_number(r));
    if (accept_word(r, "complex"))
        return const_complex(r->arena, read_number(r));
    if (accept_word(r, "str"))
        return const_str(r->arena, take_quoted(r));
    if (accept_word(r, "bytes"))
        return const_bytes(r->arena, take_quoted(r));
    fail(r, "expected a kind of constant");
    return NULL;
}

static const Const *read_const(Reader *r)
{
    if (accept_word(r, "nil"))
        return NULL;
    expect(r, '(');
    const Const *c = read_value(r);
    expect(r, ')');
    return c;
}

static unsigned read_form_name(Reader *r, const IrFamily *family)
{
    Text word = take_word(r);
    for (int i = 0; i < family->form_count; i++)
        if (text_is(word, family->forms[i].name))
            return (unsigned)i;
    fail(r, "`%.*s` is not a form of `%s`", (int)word.len, word.at, family->name);
    return 0;
}

// ---- fields -----------------------------------------------------------------------------------

static void nest(Reader *r, int *height)
{
    if (r->height + 1 > *height)
        *height = r->height + 1;
}

static const void *read_pointer(Reader *r, const IrField *f, int *height)
{
    const void *p;
    if (f->type == FIELD_NODE) {
        p = read_node(r, f->family);
        nest(r, height);
    } else {
        p = f->type == FIELD_CONSTANT ? (const void *)read_const(r) : (const void *)read_name(r);
    }
    if (p == NULL && f->count != COUNT_OPTIONAL && f->count != COUNT_SPARSE)
        fail(r, "`%s` must not be absent", f->name);
    return p;
}

static IrList read_pointers(Reader *r, const IrField *f, int *height)
{
    Vec(const void *) items = {0};
    while (r->error == NULL && !accept(r, ']'))
        vec_push(r->arena, &items, read_pointer(r, f, height));
    return (IrList){items.at, items.len};
}

static IrList read_enums(Reader *r, const IrField *f)
{
    Vec(unsigned) items = {0};
    while (r->error == NULL && !accept(r, ']'))
        vec_push(r->arena, &items, read_form_name(r, f->family));
    return (IrList){items.at, items.len};
}

static void read_one(Reader *r, const IrField *f, char *into, int *height)
{
    const void *p;
    unsigned value;
    int number;
    bool truth;
    Span span;
    switch (f->type) {
    case FIELD_NODE:
    case FIELD_IDENTIFIER:
    case FIELD_CONSTANT:
        p = read_pointer(r, f, height);
        memcpy(into, &p, sizeof p);
        break;
    case FIELD_ENUM:
        value = read_form_name(r, f->family);
        memcpy(into, &value, sizeof value);
        break;
    case FIELD_INT:
        number = read_int(r);
        memcpy(into, &number, sizeof number);
        break;
    case FIELD_BOOL:
        truth = read_bool(r);
        memcpy(into, &truth, sizeof truth);
        break;
    case FIELD_SPAN:
        span = read_span(r);
        memcpy(into, &span, sizeof span);
        break;
    }
}

static bool accept_attribute(Reader *r, const char *name)
{
    Text word = peek_word(r);
    if (word.len == 0 || word.at[0] != ':' || !text_is((Text){word.at + 1, word.len - 1}, name))
        return false;
    r->at += word.len;
    return true;
}

static void read_field(Reader *r, const IrField *f, Frame *frame)
{
    char *into = frame->node + f->offset;
    if (f->quiet && !accept_attribute(r, f->name))
        return;
    if (f->count < COUNT_MANY) {
        read_one(r, f, into, &frame->height);
        return;
    }
    expect(r, '[');
    IrList list = f->type == FIELD_ENUM ? read_enums(r, f) : read_pointers(r, f, &frame->height);
    memcpy(into, &list, sizeof list);
}

// ---- nodes ------------------------------------------------------------------------------------

static void open_frame(Reader *r, const IrFamily *family, Stack *stack)
{
    Frame frame = {0};
    expect(r, '(');
    unsigned kind = read_form_name(r, family);
    frame.form = &family->forms[kind];
    frame.node = arena_alloc(r->arena, family->size);
    if (!family->product)
        memcpy(frame.node + family->kind_offset, &kind, sizeof kind);
    vec_push(r->scratch, stack, frame);
}

// A spine that is a list nests unless it holds a single node, as ir_spine_child has it.
static void close_spine_list(Frame *frame, const IrField *f)
{
    IrList list = {frame->items.at, frame->items.len};
    int height = frame->items_height + (list.len != 1);
    memcpy(frame->node + f->offset, &list, sizeof list);
    if (height > frame->height)
        frame->height = height;
}

// At the spine: whether a child is to be read before the node can go on.
static bool wants_child(Reader *r, Frame *frame, const IrField *f)
{
    if (f->count < COUNT_MANY)
        return !frame->inside;
    if (!frame->inside)
        expect(r, '[');
    frame->inside = true;
    if (r->error != NULL || !accept(r, ']'))
        return r->error == NULL;
    close_spine_list(frame, f);
    return false;
}

// Reads on until the node is complete (false) or its spine child has to be read first (true).
static bool advance(Reader *r, Frame *frame)
{
    for (; frame->field < frame->form->field_count; frame->field++) {
        const IrField *f = &frame->form->fields[frame->field];
        if (r->error != NULL)
            return false;
        if (frame->field != frame->form->spine)
            read_field(r, f, frame);
        else if (wants_child(r, frame, f))
            return true;
    }
    expect(r, ')');
    r->height = frame->height;
    if (r->height > MAX_NESTING)
        fail(r, "nested too deeply");
    return false;
}

static void give_child(Reader *r, Frame *frame, const void *child)
{
    const IrField *f = &frame->form->fields[frame->field];
    if (child == NULL && f->count != COUNT_OPTIONAL && f->count != COUNT_SPARSE)
        fail(r, "`%s` must not be absent", f->name);
    if (f->count >= COUNT_MANY) {
        vec_push(r->arena, &frame->items, child);
        if (r->height > frame->items_height)
            frame->items_height = r->height;
        return;
    }
    memcpy(frame->node + f->offset, &child, sizeof child);
    frame->inside = true;
    if (r->height > frame->height)
        frame->height = r->height;
}

static const void *take_nil(Reader *r)
{
    r->height = 0;
    return NULL;
}

static const void *read_chain(Reader *r, const IrFamily *family)
{
    Stack stack = {0};
    const void *node = NULL;
    do {
        bool complete = accept_word(r, "nil");
        if (complete) {
            node = take_nil(r);
        } else {
            open_frame(r, family, &stack);
            if (advance(r, &stack.at[stack.len - 1]))
                continue;
            node = stack.at[--stack.len].node;
        }
        while (r->error == NULL && stack.len > 0) {
            Frame *parent = &stack.at[stack.len - 1];
            give_child(r, parent, node);
            if (advance(r, parent))
                break;
            node = stack.at[--stack.len].node;
        }
    } while (r->error == NULL && stack.len > 0);
    return node;
}

static const void *read_node(Reader *r, const IrFamily *family)
{
    if (r->error != NULL)
        return NULL;
    if (++r->depth > MAX_NESTING)
        fail(r, "nested too deeply");
    const void *node = r->error == NULL ? read_chain(r, family) : NULL;
    r->depth--;
    return node;
}

const void *ir_read_node(Arena *a, Names *names, const IrFamily *family, Text text,
                         const char **error)
{
    Reader r = {.arena = a, .scratch = arena_new(), .names = names, .start = text.at,
                .at = text.at, .end = text.at + text.len};
    const void *node = read_node(&r, family);
    skip_blank(&r);
    if (node == NULL)
        fail(&r, "expected a node");
    if (r.at != r.end)
        fail(&r, "unexpected text after the node");
    arena_free(r.scratch);
    *error = r.error;
    return r.error != NULL ? NULL : node;
}
