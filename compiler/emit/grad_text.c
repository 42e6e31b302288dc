// grad_text.c - the module of a derivative: imports, classes, the function and those that it calls
// as they are in the source, then the derivative.

#include "compiler/emit/grad_text.h"

#include <string.h>

#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "compiler/ir/free_names.h"

typedef struct Needs {
    const ModuleText *text;
    Table *names;               // what is mentioned
    Vec(const Stmt *) kept;
} Needs;

static bool note_all(Needs *n, SymList names)
{
    bool more = false;
    for (size_t i = 0; i < names.len; i++) {
        more = more || table_get(n->names, names.at[i]) == NULL;
        table_set(n->names, names.at[i], n);
    }
    return more;
}

static bool binds_needed(const Needs *n, const Stmt *s)
{
    SymList bound = names_bound(n->text->arena, n->text->names, (StmtList){&s, 1});
    for (size_t i = 0; i < bound.len; i++)
        if (table_get(n->names, bound.at[i]) != NULL)
            return true;
    return false;
}

// Follows the names from statement to statement.
static void close_needs(Needs *n, EndpointList source)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t m = 0; m < source.len; m++)
            for (size_t i = 0; i < source.at[m]->body.len; i++) {
                const Stmt *const *s = &source.at[m]->body.at[i];
                if (binds_needed(n, *s))
                    more |= note_all(n, names_free(n->text->arena, n->text->names,
                                                   (StmtList){s, 1}));
            }
    }
}

static bool is_import(const Stmt *s)
{
    return s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM;
}

static void keep(Needs *n, EndpointList source, bool imports)
{
    for (size_t m = source.len; m-- > 0;)
        for (size_t i = 0; i < source.at[m]->body.len; i++) {
            const Stmt *s = source.at[m]->body.at[i];
            if (is_import(s) == imports && binds_needed(n, s))
                vec_push(n->text->arena, &n->kept, s);
        }
}

static bool imports_math(const Needs *n)
{
    for (size_t i = 0; i < n->kept.len; i++) {
        const Stmt *s = n->kept.at[i];
        for (size_t k = 0; s->kind == STMT_IMPORT && k < s->import.names.len; k++)
            if (sym_is(s->import.names.at[k]->name, "math")
                && s->import.names.at[k]->asname == NULL)
                return true;
    }
    return false;
}

static void keep_math(Needs *n)
{
    const ModuleText *t = n->text;
    Sym math = names_get(t->names, "math");
    if (table_get(n->names, math) == NULL || imports_math(n))
        return;
    const Alias **alias = ARENA_NEW(t->arena, const Alias *);
    *alias = alias_new(t->arena, (Span){0, 0}, math, NULL);
    vec_push(t->arena, &n->kept, stmt_import(t->arena, (Span){0, 0}, (AliasList){alias, 1}));
}

void emit_grad(Buf *b, const ModuleText *t, Sym function, EndpointList source, StmtList made)
{
    Needs n = {.text = t, .names = table_new(t->arena)};
    Buf text = buf_new(t->arena), renamed = buf_new(t->arena);
    table_set(n.names, function, &n);
    note_all(&n, names_free(t->arena, t->names, made));
    close_needs(&n, source);
    keep(&n, source, true);
    keep_math(&n);
    keep(&n, source, false);
    for (size_t i = 0; i < made.len; i++)
        if (made.at[i]->kind != STMT_CLASS_DEF || !binds_needed(&n, made.at[i]))
            vec_push(t->arena, &n.kept, made.at[i]);
    module_print_heading(&text, t, "derivative");
    StmtList rest = module_print_imports(&text, t, (StmtList){n.kept.at, n.kept.len});
    module_print_body(&text, t, rest);
    module_merge(b, t->arena, t->names, &text, &renamed);
}
