// asdl_read.c - reads an IR description: Zephyr ASDL with the extensions of the head of ir.asdl.

#include "compiler/ir/asdl_read.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    const char *file, *at;
    int line;
    char token[MAX_NAME];       // "" at the end of the text
} Reader;

static _Noreturn void fail(const Reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%d: ", r->file, r->line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

// ---- reading ----------------------------------------------------------------------------------

static void skip_blank(Reader *r)
{
    for (; *r->at != '\0'; r->at++) {
        if (r->at[0] == '-' && r->at[1] == '-')
            r->at += strcspn(r->at, "\n");
        if (*r->at == '\n')
            r->line++;
        else if (!isspace((unsigned char)*r->at))
            return;
    }
}

static void advance(Reader *r)
{
    skip_blank(r);
    size_t len = 0;
    while (isalnum((unsigned char)r->at[len]) || r->at[len] == '_')
        len++;
    if (len == 0 && *r->at != '\0')
        len = r->at[0] == '?' && r->at[1] == '*' ? 2 : 1;
    if (len >= MAX_NAME)
        fail(r, "the name is too long");
    memcpy(r->token, r->at, len);
    r->token[len] = '\0';
    r->at += len;
}

static bool accept(Reader *r, const char *token)
{
    if (strcmp(r->token, token) != 0)
        return false;
    advance(r);
    return true;
}

static void expect(Reader *r, const char *token)
{
    if (!accept(r, token))
        fail(r, "expected '%s', found '%s'", token, r->token);
}

static void take_name(Reader *r, char *into)
{
    if (!isalpha((unsigned char)r->token[0]))
        fail(r, "expected a name, found '%s'", r->token);
    memcpy(into, r->token, MAX_NAME);
    advance(r);
}

static FieldCount take_count(Reader *r)
{
    if (accept(r, "?*"))
        return SPARSE;
    if (accept(r, "*"))
        return MANY;
    return accept(r, "?") ? OPTIONAL : ONE;
}

static void take_fields(Reader *r, Fields *fields)
{
    expect(r, "(");
    do {
        if (fields->len == MAX_FIELDS)
            fail(r, "too many fields");
        Field *f = &fields->at[fields->len++];
        f->line = r->line;
        take_name(r, f->type);
        f->count = take_count(r);
        take_name(r, f->name);
        f->spine = accept(r, "^");
        f->quiet = accept(r, "~");
    } while (accept(r, ","));
    expect(r, ")");
}

static unsigned take_tags(Reader *r, Grammar *g)
{
    unsigned tags = 0;
    while (accept(r, "@")) {
        int i = 0;
        while (i < g->tag_count && strcmp(g->tags[i], r->token) != 0)
            i++;
        if (i == MAX_TAGS)
            fail(r, "too many tags");
        if (i == g->tag_count)
            memcpy(g->tags[g->tag_count++], r->token, MAX_NAME);
        advance(r);
        tags |= 1u << i;
    }
    return tags;
}

static void take_family(Reader *r, Grammar *g)
{
    if (g->family_count == MAX_FAMILIES)
        fail(r, "too many families");
    Family *family = &g->families[g->family_count++];
    take_name(r, family->name);
    expect(r, "=");
    family->product = strcmp(r->token, "(") == 0;
    family->enumeration = !family->product;
    do {
        if (family->form_count == MAX_FORMS)
            fail(r, "too many forms");
        Form *form = &family->forms[family->form_count++];
        if (!family->product)
            take_name(r, form->name);
        if (strcmp(r->token, "(") == 0)
            take_fields(r, &form->fields);
        family->enumeration = family->enumeration && form->fields.len == 0;
        form->tags = take_tags(r, g);
    } while (accept(r, "|"));
    if (accept(r, "attributes"))
        take_fields(r, &family->attributes);
    family->enumeration = family->enumeration && family->attributes.len == 0;
}

const Family *asdl_family(const Grammar *g, const char *name)
{
    for (int i = 0; i < g->family_count; i++)
        if (strcmp(g->families[i].name, name) == 0)
            return &g->families[i];
    return NULL;
}

// The types that are no family, with the C type of one, the name of the list, and FIELD_ constant.
static const Builtin builtins[] = {
    {"identifier", "Sym ",           "SymList", "IDENTIFIER"},
    {"int",        "int ",           NULL,      "INT"},
    {"bool",       "bool ",          NULL,      "BOOL"},
    {"constant",   "const Const *",  NULL,      "CONSTANT"},
    {"span",       "Span ",          NULL,      "SPAN"},
};

const Builtin *asdl_builtin(const char *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++)
        if (strcmp(builtins[i].asdl, name) == 0)
            return &builtins[i];
    return NULL;
}

static void check_field(const Reader *reader, const Grammar *g, const Family *owner,
                        const Field *f)
{
    const Reader in = {.file = reader->file, .line = f->line}, *r = &in;
    const Builtin *builtin = asdl_builtin(f->type);
    const Family *family = asdl_family(g, f->type);
    if (builtin == NULL && family == NULL)
        fail(r, "%s.%s: unknown type '%s'", owner->name, f->name, f->type);
    if (builtin != NULL && f->count >= MANY && builtin->list == NULL)
        fail(r, "`%s.%s` cannot be a list: lists of `%s` are not supported", owner->name, f->name,
             f->type);
    if (family != NULL && family->enumeration && f->count != ONE && f->count != MANY)
        fail(r, "%s.%s: '%s' cannot be absent", owner->name, f->name, f->type);
    if (f->count == SPARSE && family == NULL)
        fail(r, "%s.%s: only nodes can be absent in a list", owner->name, f->name);
    if (f->spine && family != owner)
        fail(r, "%s.%s: a spine stays in its family", owner->name, f->name);
}

static void check_grammar(const Reader *r, const Grammar *g)
{
    for (int i = 0; i < g->family_count; i++) {
        const Family *family = &g->families[i];
        if (asdl_family(g, family->name) != family)
            fail(r, "'%s' is defined twice", family->name);
        for (int k = 0; k < family->attributes.len; k++)
            check_field(r, g, family, &family->attributes.at[k]);
        for (int j = 0; j < family->form_count; j++) {
            int spines = 0;
            for (int k = 0; k < family->forms[j].fields.len; k++) {
                check_field(r, g, family, &family->forms[j].fields.at[k]);
                spines += family->forms[j].fields.at[k].spine;
            }
            if (spines > 1)
                fail(r, "%s: more than one spine", family->forms[j].name);
        }
    }
}

Grammar *asdl_read(const char *file, const char *text)
{
    Grammar *g = calloc(1, sizeof *g);
    Reader r = {file, text, 1, ""};
    char module[MAX_NAME];
    if (g == NULL)
        fail(&r, "out of memory");
    advance(&r);
    expect(&r, "module");
    take_name(&r, module);
    expect(&r, "{");
    while (!accept(&r, "}"))
        take_family(&r, g);
    check_grammar(&r, g);
    return g;
}
