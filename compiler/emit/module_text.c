// module_text.c - the parts that endpoint programs and the central program have in common.

#include "compiler/emit/module_text.h"

#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/emit/python.h"
#include "compiler/base/version.h"

bool module_name_taken(const char *name)
{
    static const char *const taken[] = {
#define TAKEN(name) #name,
#include "compiler/emit/taken_modules.def"
#undef TAKEN
    };
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(taken[i], name) == 0)
            return true;
    return false;
}

void module_print_str(Buf *b, Arena *a, const char *text)
{
    const Const *value = const_str(a, (Text){text, strlen(text)});
    emit_python_expr(b, expr_constant(a, (Span){0, 0}, value, NULL));
}

// The file's name stands in a comment: whatever could end the line is shown as `?`.
void module_print_heading(Buf *b, const ModuleText *t, const char *purpose)
{
    buf_puts(b, "# " GENERATED_MARK " " PYCHORAL_VERSION " from ");
    buf_line(b, t->source_name);
    buf_printf(b, " (sha256 %.16s) %s. Do not edit.\n", t->source_hash, purpose);
}

const Alias *module_alias(const ModuleText *t, const char *name, Sym own)
{
    return alias_new(t->arena, (Span){0, 0}, names_get(t->names, name),
                     sym_is(own, name) ? NULL : own);
}

static bool has_name(SymList list, const char *name)
{
    for (size_t i = 0; i < list.len; i++)
        if (sym_is(list.at[i], name))
            return true;
    return false;
}

AliasList module_typing(const ModuleText *t, SymList mentioned, SymList bound)
{
    static const char *const NAMES[] = {
        "AbstractSet", "Any", "Callable", "Collection", "Generic", "Iterable", "Literal", "Mapping",
        "MutableMapping", "MutableSequence", "MutableSet", "Optional", "Sequence", "TypeAlias",
        "TypeVar", "Union"};
    Vec(const Alias *) all = {0};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (has_name(mentioned, NAMES[i]) && !has_name(bound, NAMES[i]))
            vec_push(t->arena, &all, module_alias(t, NAMES[i], names_get(t->names, NAMES[i])));
    return (AliasList){all.at, all.len};
}

static void print_stmts(Buf *b, StmtList list) { emit_python_stmts(b, list, (PythonOptions){0}); }

static void print_import(Buf *b, const ModuleText *t, const char *module, AliasList names)
{
    const Stmt *s = stmt_import_from(t->arena, (Span){0, 0}, names_get(t->names, module), names, 0);
    if (names.len > 0)
        print_stmts(b, (StmtList){&s, 1});
}

static bool is_docstring(const Stmt *s)
{
    return s->kind == STMT_EXPR && s->expr.value->kind == EXPR_CONSTANT
           && s->expr.value->constant.value->kind == CONST_STR;
}

static bool is_import(const Stmt *s)
{
    return s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM;
}

static bool is_future_import(const Stmt *s)
{
    return s->kind == STMT_IMPORT_FROM && sym_is(s->import_from.module, "__future__");
}

static void print_runtime(Buf *b, const ModuleText *t, bool is_apart)
{
    if (is_apart && t->from_runtime.len > 0)
        buf_putc(b, '\n');
    print_import(b, t, t->runtime_module, t->from_runtime);
}

StmtList module_print_imports(Buf *b, const ModuleText *t, StmtList body)
{
    size_t start = body.len > 0 && is_docstring(body.at[0]), end = start;
    bool any = t->from_typing.len > 0;
    if (start > 0) {
        print_stmts(b, (StmtList){body.at, 1});
        buf_putc(b, '\n');
    }
    buf_puts(b, "from __future__ import annotations\n\n");
    if (t->runtime_first)
        print_runtime(b, t, false);
    for (; end < body.len && is_import(body.at[end]); end++)
        if (!is_future_import(body.at[end])) {
            print_stmts(b, (StmtList){&body.at[end], 1});
            any = true;
        }
    print_import(b, t, "typing", t->from_typing);
    if (!t->runtime_first)
        print_runtime(b, t, any);
    return end == 0 ? body : (StmtList){body.at + end, body.len - end};
}

void module_print_body(Buf *b, const ModuleText *t, StmtList body)
{
    if (body.len == 0)
        return;
    bool defines = body.at[0]->kind == STMT_FUNCTION_DEF || body.at[0]->kind == STMT_CLASS_DEF;
    buf_puts(b, defines ? "\n\n" : "\n");
    emit_python_stmts(b, body, (PythonOptions){.sites = t->sites, .lines = t->lines});
}
