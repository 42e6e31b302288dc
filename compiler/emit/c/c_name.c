// c_name.c - names of the C program, and its constant texts.

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/emit/c/c_internal.h"

static bool is_of_runtime(const char *name)
{
    return strncmp(name, "pychoral_", 9) == 0 || strncmp(name, "PYCHORAL_", 9) == 0
           || strncmp(name, "Pychoral", 8) == 0 || strncmp(name, "__builtin", 9) == 0;
}

// INT_MAX, FILE, PRId64: the headers have hundreds of them.
static bool is_like_macro(const char *name)
{
    bool lower = false;
    for (const char *at = name; *at; at++)
        lower = lower || islower((unsigned char)*at);
    return strncmp(name, "PRI", 3) == 0 || strncmp(name, "SCN", 3) == 0
           || (!lower && strlen(name) > 1);
}

static bool is_reserved(const char *name)
{
    static const char *const RESERVED[] = {
        "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
        "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
        "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
        "union", "unsigned", "void", "volatile", "while", "bool", "true", "false", "NULL", "errno",
        "stdin", "stdout", "stderr", "EOF", "assert", "offsetof", "alignas", "alignof", "I",
        "complex", "imaginary", "asm", "typeof", "fortran", "main", "NAN", "INFINITY", "arguments",
        "result", "self_function", "held", "unix", "linux", "signals", "environ", "memset",
        "memcpy", "isnan", "isinf", "signbit", "isfinite", "fpclassify", "isnormal"};
    for (size_t i = 0; i < sizeof RESERVED / sizeof *RESERVED; i++)
        if (strcmp(RESERVED[i], name) == 0)
            return true;
    return is_of_runtime(name);
}

// As temporaries are called, and what a `try` and a chain of cases keep: c_value.c, c_stmt.c.
static bool is_numbered(const char *name)
{
    static const char *const BASES[] = {"t", "leave_", "returned_", "pending_", "choice_"};
    for (size_t i = 0; i < sizeof BASES / sizeof *BASES; i++) {
        size_t len = strlen(BASES[i]);
        if (strncmp(name, BASES[i], len) == 0 && name[len] != '\0'
            && name[len + strspn(name + len, "0123456789")] == '\0')
            return true;
    }
    return false;
}

// As rows, and what belongs to them, are called: c_rep.c, c_object.c.
static bool is_like_row(const char *name)
{
    static const char *const BASES[] = {"type_", "fields_", "methods_", "derived_", "besides_",
                                        "keep_"};
    for (size_t i = 0; i < sizeof BASES / sizeof *BASES; i++)
        if (strncmp(name, BASES[i], strlen(BASES[i])) == 0)
            return true;
    return false;
}

static const char *ascii_name(CEmit *c, const char *name)
{
    bool plain = true;
    for (const char *at = name; *at; at++)
        plain = plain && (isalnum((unsigned char)*at) || *at == '_');
    if (plain)
        return name;
    char *text = arena_alloc(c->arena, strlen(name) * 4 + 1), *to = text;
    for (const char *at = name; *at; at++)
        if (isalnum((unsigned char)*at) || *at == '_')
            *to++ = *at;
        else if (strncmp(at, QUALIFIER, strlen(QUALIFIER)) == 0)
            at += strlen(QUALIFIER) - 1, *to++ = '_';
        else if (*at == '.')
            *to++ = '_';
        else
            to += sprintf(to, "_%02x", (unsigned char)*at);
    *to = '\0';
    return text;
}

const char *c_identifier(CEmit *c, Sym name)
{
    const char *text = ascii_name(c, name);
    size_t len = strlen(text);
    while (len > 1 && text[len - 1] == '_')
        len--;
    const char *stem = c_text(c, "%.*s", (int)len, text); // `if_` is not what `if` becomes
    bool constant = strncmp(text, "TEXT", 4) == 0;      // texts are called so
    bool taken = is_reserved(stem) || is_like_macro(stem) || is_numbered(stem) || constant
                 || is_like_row(stem)
                 || table_get(c->c_names, names_get(c->names, text)) != NULL;
    text = taken ? c_text(c, "%s_", text) : text;
    table_set(c->local_names, names_get(c->names, text), c);
    return text;
}

const char *c_unique(CEmit *c, const char *wanted)
{
    const char *base = ascii_name(c, wanted), *name = base;
    bool text = strncmp(base, "TEXT_", 5) == 0;
    bool hopeless = is_of_runtime(base) || is_like_row(base) || (is_like_macro(base) && !text);
    if (hopeless)                               // no number would help
        name = base = c_text(c, "own_%s", base);
    for (int i = 2; is_reserved(name) || table_get(c->c_names, names_get(c->names, name))
                    || table_get(c->local_names, names_get(c->names, name)); i++)
        name = c_text(c, "%s_%d", base, i);
    Sym taken = names_get(c->names, name);
    table_set(c->c_names, taken, c);
    return taken;
}

const char *c_of_module(CEmit *c, Sym name)
{
    return unqualified(name) != name ? ascii_name(c, name) : c_text(c, "%s_%s", c->prefix, name);
}

CName *c_global(CEmit *c, Sym name) { return table_get(c->module, name); }

static Sym name_elsewhere(CEmit *c, const CName *n)
{
    if (n->kind == CNAME_MODULE)
        return n->module;
    if (n->kind == CNAME_IMPORTED)
        return names_format(c->names, "%s.%s", n->module, n->member);
    return NULL;
}

Sym c_dotted(CEmit *c, const Expr *e)
{
    if (e->kind == EXPR_NAME) {
        if (c_find_variable(c, e->name.id) != NULL || table_get(c->values, e) != NULL)
            return NULL;
        const CName *n = c_global(c, e->name.id);
        return n == NULL ? e->name.id : name_elsewhere(c, n);
    }
    if (e->kind != EXPR_ATTRIBUTE)
        return NULL;
    const Expr *base = e->attribute.value;
    bool module = base->kind == EXPR_ATTRIBUTE
                  || (base->kind == EXPR_NAME && c_global(c, base->name.id) != NULL)
                  || (base->kind == EXPR_NAME && c_find_variable(c, base->name.id) == NULL
                      && table_get(c->values, base) == NULL);
    Sym of = module ? c_dotted(c, base) : NULL;
    if (of != NULL && c_prim_is_constant(of))   // a value: what follows is its own
        return NULL;
    if (of != NULL && strcmp(of, "builtins") == 0)
        return e->attribute.attr;
    return of == NULL ? NULL : names_format(c->names, "%s.%s", of, e->attribute.attr);
}

// ---- texts ----

static const char *flags_of(Text text)
{
    bool ascii = true;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.at[i];
        ascii = ascii && byte < 0x80;
        if (byte == 0xed && i + 1 < text.len && (unsigned char)text.at[i + 1] >= 0xa0)
            return "PYCHORAL_SURROGATES";
    }
    return ascii ? "PYCHORAL_ASCII" : "0";
}

// A C literal of any bytes.
const char *c_literal(CEmit *c, Text text)
{
    char *out = arena_alloc(c->arena, text.len * 4 + 3), *to = out;
    *to++ = '"';
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.at[i];
        if (byte == '\n')
            to += sprintf(to, "\\n");
        else if (byte == '"' || byte == '\\' || byte == '?')
            to += sprintf(to, "\\%c", byte);
        else if (byte >= 0x20 && byte < 0x7f)
            *to++ = (char)byte;
        else
            to += sprintf(to, "\\%03o", byte);
    }
    *to++ = '"';
    *to = '\0';
    return out;
}

static const char *text_name(CEmit *c, Text text)
{
    char name[32] = "TEXT";
    size_t len = 4;
    for (size_t i = 0; i < text.len && len < 28; i++) {
        unsigned char byte = (unsigned char)text.at[i];
        if (isalnum(byte) && len == 4)
            name[len++] = '_';
        if (isalnum(byte))
            name[len++] = (char)byte;
        else if (len > 4 && name[len - 1] != '_')
            name[len++] = '_';
    }
    while (len > 4 && name[len - 1] == '_')
        len--;
    name[len] = '\0';
    return c_unique(c, len == 4 && text.len == 0 ? "TEXT_EMPTY" : name);
}

const char *c_string(CEmit *c, Text text, bool is_bytes)
{
    const char *key = c_text(c, "%c%s", is_bytes ? 'b' : 's', c_literal(c, text));
    const char *known = table_get(c->texts, names_get(c->names, key));
    if (known != NULL)
        return known;
    const char *name = text_name(c, text);
    buf_printf(&c->constants, "PYCHORAL_HELPER Pychoral%s %s = PYCHORAL_CONSTANT(%s, %s);\n",
               is_bytes ? "Bytes" : "Str", name, key + 1, is_bytes ? "0" : flags_of(text));
    const char *address = c_text(c, "&%s", name);
    table_set(c->texts, names_get(c->names, key), (void *)address);
    return address;
}

Sym c_origin(CEmit *c, const Expr *e)
{
    if (e->kind == EXPR_SUBSCRIPT)
        e = e->subscript.value;
    if (e->kind == EXPR_CALL)
        e = e->call.func;
    if (e->kind == EXPR_ATTRIBUTE)
        return e->attribute.attr;
    const CName *n = e->kind == EXPR_NAME ? c_global(c, e->name.id) : NULL;
    return n && n->kind == CNAME_IMPORTED ? n->member : e->kind == EXPR_NAME ? e->name.id : NULL;
}
