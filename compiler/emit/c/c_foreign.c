// c_foreign.c - functions that the user writes in C: those of an imported module of which there is
// a stub, `stock.pyi`, and no source. `stock.h` says what they are in C.
//
// What the header says is the same for all roles: the functions of the stub, in its order, and
// their types get their names before anything else does.

#include <ctype.h>
#include <string.h>

#include "compiler/base/loader.h"
#include "compiler/emit/c/c_internal.h"
#include "compiler/emit/c_project.h"
#include "compiler/emit/python.h"

static const char *flat_name(CEmit *c, Sym module)
{
    char *text = arena_strndup(c->arena, module, strlen(module));
    for (char *at = text; *at; at++)
        if (*at == '.')
            *at = '_';
    return text;
}

// ---- the stub ----

static const Unit *read_stub(CEmit *c, const Loader *loader, Sym module)
{
    static const char *const SUFFIXES[] = {".pyi", "/__init__.pyi", NULL};
    char *stem = arena_strndup(c->arena, module, strlen(module));
    for (char *at = stem; *at; at++)
        if (*at == '.')
            *at = '/';
    LoadedFile file;
    const char *beside = c->source->part_count > 0 ? c->source->parts[0].file->name
                                                   : c->source->name;
    if (!loader_find(loader, beside, true, stem, SUFFIXES, &file))
        return NULL;
    Diags *unseen = diags_new(c->arena);        // the checker has read it, too
    return c->parse(c->arena, c->names, source_new(c->arena, file.path, file.bytes), unseen);
}

// What annotations of a stub mean is what the stub imports and defines.
static void name_types(CEmit *c, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM || s->kind == STMT_CLASS_DEF
            || (s->kind == STMT_ASSIGN && s->assign.targets.at[0]->kind == EXPR_NAME))
            c_collect_module(c, (StmtList){&s, 1});
    }
}

// Whoever makes one needs no row.
static bool is_plain(const Rep *r)
{
    if (r->kind == REP_TUPLE || r->kind == REP_UNION) {
        for (size_t i = 0; i < r->count; i++)
            if (!is_plain(r->parts[i]))
                return false;
        return true;
    }
    return r->kind <= REP_BYTES || r->kind == REP_OBJECT || r->kind == REP_FUNCTION;
}

// NULL: C cannot have it.
static CFunction *foreign_function(CEmit *c, const Stmt *def)
{
    Diags *diags = c->diags;
    bool failed = c->failed;
    c->diags = c->scrap;
    c->failed = def->function_def.decorator_list.len > 0 || c_type_vars(c, def).len > 0;
    CFunction *f = c->failed ? NULL : c_signature(c, def, NULL, NULL);
    bool usable = !c->failed;
    c->failed = failed;
    c->diags = diags;
    c->refused = 0;
    if (f != NULL && rep_passed(f->result) && !is_plain(f->result))
        f->last_argument = f->result->row;
    return usable ? f : NULL;
}

static void add_functions(CEmit *c, CForeign *m, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        if (body.at[i]->kind != STMT_FUNCTION_DEF)
            continue;
        CFunction *f = foreign_function(c, body.at[i]);
        ForeignFunction row = {body.at[i], f};
        vec_push(c->arena, &m->functions, row);
    }
}

static void add_module(CEmit *c, const Loader *loader, Sym module)
{
    for (size_t i = 0; i < c->foreign.len; i++)
        if (c->foreign.at[i].module == module)
            return;
    const Unit *stub = c_prim_module(module) ? NULL : read_stub(c, loader, module);
    if (stub == NULL)
        return;
    CForeign m = {.module = module, .name = names_get(c->names, flat_name(c, module))};
    Table *names = c->module;
    const char *prefix = c->prefix;
    c->module = table_new(c->arena);
    c->prefix = m.name;
    name_types(c, stub->module.body);
    add_functions(c, &m, stub->module.body);
    c->module = names;
    c->prefix = prefix;
    vec_push(c->arena, &c->foreign, m);
}

void c_find_foreign(CEmit *c, const Loader *loader)
{
    for (size_t m = 0; m < c->modules.len; m++) {
        StmtList body = c->modules.at[m].body;
        for (size_t i = 0; i < body.len; i++) {
            const Stmt *s = body.at[i];
            if (s->kind == STMT_IMPORT_FROM && s->import_from.module && s->import_from.level == 0)
                add_module(c, loader, s->import_from.module);
            for (size_t j = 0; s->kind == STMT_IMPORT && j < s->import.names.len; j++)
                add_module(c, loader, s->import.names.at[j]->name);
        }
    }
}

// ---- calls ----

CFunction *c_foreign_function(CEmit *c, Sym dotted)
{
    for (size_t i = 0; i < c->foreign.len; i++) {
        CForeign *m = &c->foreign.at[i];
        size_t len = strlen(m->module);
        if (strncmp(dotted, m->module, len) != 0 || dotted[len] != '.')
            continue;
        for (size_t j = 0; j < m->functions.len; j++)
            if (m->functions.at[j].function != NULL
                && strcmp(m->functions.at[j].def->function_def.name, dotted + len + 1) == 0) {
                m->used = true;
                return m->functions.at[j].function;
            }
    }
    return NULL;
}

// ---- the header ----

static const char *first_line(CEmit *c, const Stmt *def)
{
    Buf b = buf_new(c->arena);
    emit_python_stmts(&b, (StmtList){&def, 1}, (PythonOptions){0});
    const char *text = buf_text(&b);
    size_t len = strcspn(text, "\n");
    return c_text(c, "%.*s", (int)(len > 0 && text[len - 1] == ':' ? len - 1 : len), text);
}

// The structs that a type is made of, and itself; two headers may have the same one.
static void print_type(CEmit *c, Buf *b, const Rep *r)
{
    if (r == NULL || table_get(c->in_headers, r) != NULL)
        return;
    table_set(c->in_headers, r, c);
    for (size_t i = 0; i < r->count; i++)
        print_type(c, b, r->parts[i]);
    if (r->kind != REP_TUPLE && r->kind != REP_UNION)
        return;
    buf_printf(b, "\n#ifndef FOREIGN_TYPE_%s\n#define FOREIGN_TYPE_%s\n", r->name, r->name);
    c_print_struct(b, r);
    buf_puts(b, "#endif\n");
}

static void print_types(CEmit *c, Buf *b, const CFunction *f)
{
    if (f == NULL)
        return;
    for (size_t i = 0; i < f->params.len; i++)
        print_type(c, b, f->params.at[i]);
    print_type(c, b, f->result);
}

static void print_prototype(CEmit *c, Buf *b, const ForeignFunction *row)
{
    CFunction *f = row->function;
    buf_printf(b, "\n// %s\n", first_line(c, row->def));
    if (f == NULL) {
        buf_puts(b, "// C programs cannot call it: a type is not known, or it is generic.\n");
        return;
    }
    const char *params = "";
    for (size_t i = 0; i < f->params.len; i++)
        if (rep_passed(f->params.at[i]))
            params = c_text(c, "%s%s%s%s", params, *params ? ", " : "", f->params.at[i]->type,
                            c_identifier(c, f->names.at[i]));
    if (f->last_argument != NULL)
        params = c_text(c, "%s%sconst PychoralType *type", params, *params ? ", " : "");
    buf_printf(b, "%s%s(%s);\n", rep_passed(f->result) ? f->result->type : "void ", f->c_name,
               *params ? params : "void");
}

static const char RULES[] =
    "//\n"
    "// Each function is yours to write. What it is given is lent: PYCHORAL_KEEP what outlasts\n"
    "// the call. What it gives belongs to the caller: a new reference. One that fails calls\n"
    "// pychoral_throw(&pychoral_type_ValueError, \"..\") and returns zero bits. `type` is the\n"
    "// row of the result, which pychoral_list_new and its like take. The types: value.h.\n";

static CFile header_of(CEmit *c, const CForeign *m)
{
    Buf b = buf_new(c->arena), guard = buf_new(c->arena);
    for (const char *at = m->name; *at; at++)
        buf_putc(&guard, (char)toupper((unsigned char)*at));
    const char *macro = c_text(c, "FOREIGN_%s_H", buf_text(&guard));
    c_print_heading(&b, c->cx, c_text(c, "for %s.c, which you write", m->name));
    buf_printf(&b, "%s\n#ifndef %s\n#define %s\n\n#include \"builtins/builtins.h\"\n", RULES, macro,
               macro);
    for (size_t i = 0; i < m->functions.len; i++)
        print_types(c, &b, m->functions.at[i].function);
    for (size_t i = 0; i < m->functions.len; i++)
        print_prototype(c, &b, &m->functions.at[i]);
    buf_puts(&b, "\n#endif\n");
    return (CFile){names_format(c->names, "%s.h", m->name), b};
}

SymList c_foreign_used(CEmit *c)
{
    Vec(Sym) used = {0};
    for (size_t i = 0; i < c->foreign.len; i++)
        if (c->foreign.at[i].used)
            vec_push(c->arena, &used, c->foreign.at[i].name);
    return (SymList){used.at, used.len};
}

// `files` has room for one for each module that is used.
void c_foreign_headers(CEmit *c, CFile *files)
{
    Table *all = table_new(c->arena);
    for (size_t i = 0; i < c->foreign.len; i++) {
        if (!c->foreign.at[i].used)
            continue;
        c->in_headers = table_new(c->arena);    // each header stands alone
        *files++ = header_of(c, &c->foreign.at[i]);
        for (size_t j = 0; j < c->rep_order.len; j++)
            if (table_get(c->in_headers, c->rep_order.at[j]) != NULL)
                table_set(all, c->rep_order.at[j], c);
    }
    c->in_headers = all;
}
