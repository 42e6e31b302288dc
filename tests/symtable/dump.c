// dump.c - the blocks and symbols of Python files as JSON, a line for each file: what
// tests/symtable/compare.py compares with CPython's `symtable`. Names of files come NUL-separated
// on standard input.

#include <stdio.h>
#include <string.h>

#include "compiler/base/json.h"
#include "compiler/front/front.h"
#include "compiler/ir/scopes.h"

static void put_symbols(Buf *b, const Block *block)
{
    for (size_t i = 0; i < block->symbols.len; i++) {
        const Symbol *s = block->symbols.at[i];
        buf_puts(b, i > 0 ? "," : "");
        json_string(b, (Text){s->name, strlen(s->name)});
        buf_printf(b, ":[%u,%d]", s->flags, (int)s->scope);
    }
}

static void put_block(Buf *b, const Source *source, const Block *block)
{
    bool function = block->kind != BLOCK_MODULE && block->kind != BLOCK_CLASS;
    buf_printf(b, "[\"%s\",", function ? "function" : block->kind ? "class" : "module");
    json_string(b, (Text){block->name, strlen(block->name)});
    buf_printf(b, ",%u,{", block->outer ? (unsigned)source_place(source, block->at.start).line : 0);
    put_symbols(b, block);
    buf_puts(b, "},[");
    for (size_t i = 0; i < block->inner.len; i++) {
        buf_puts(b, i > 0 ? "," : "");
        put_block(b, source, block->inner.at[i]);
    }
    buf_puts(b, "]]");
}

static Text read_all(Arena *a, FILE *f)
{
    Buf b = buf_new(a);
    char part[65536];
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
        buf_raw(&b, part, n);
    return (Text){buf_text(&b), b.len};
}

static void dump(const char *path)
{
    Arena *a = arena_new();
    Diags *diags = diags_new(a);
    Names *names = names_new(a);
    FILE *f = fopen(path, "rb");
    Buf b = buf_new(a);
    const Source *source = f ? front_decode(a, path, read_all(a, f), diags) : NULL;
    if (source != NULL) {
        diags_set_source(diags, source);
        const Unit *unit = front_parse(a, names, source, diags);
        Scopes scopes = scopes_new(a, names, unit->module.body, diags);
        put_block(&b, source, scopes.module);
    }
    puts(diags_error_count(diags) == 0 && source ? buf_text(&b) : "null");
    if (f != NULL)
        fclose(f);
    arena_free(a);
}

int main(void)
{
    Arena *a = arena_new();
    Text files = read_all(a, stdin);
    for (const char *p = files.at; p < files.at + files.len; p += strlen(p) + 1)
        dump(p);
    arena_free(a);
    return 0;
}
