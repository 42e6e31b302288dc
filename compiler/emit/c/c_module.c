// c_module.c - the modules of a role's program: which it imports, and in which order they start.

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/emit/c/c_internal.h"
#include "compiler/emit/site_table.h"
#include "compiler/ir/free_names.h"

static const char *file_name(CEmit *c, size_t part)
{
    const char *path = c->source->part_count > 0 ? c->source->parts[part].file->name
                                                 : c->source->name;
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_there(const CEmit *c, Sym name)
{
    for (size_t i = 0; i < c->modules.len; i++)
        if (c->modules.at[i].name == name)
            return true;
    return false;
}

// What desugaring put in belongs to no statement.
static bool is_kept(const CEmit *c, Sym module, const Stmt *s)
{
    FragmentList pieces = c->endpoint->pieces;
    bool own = s->at.end == 0;
    Sym name = s->kind == STMT_FUNCTION_DEF ? s->function_def.name
        : s->kind == STMT_CLASS_DEF ? s->class_def.name : NULL;
    for (size_t i = 0; i < pieces.len && !own; i++)
        own = pieces.at[i]->module == module && pieces.at[i]->at.start <= s->at.start
              && s->at.start <= pieces.at[i]->at.end
              && (pieces.at[i]->name == NULL || name == NULL || name == pieces.at[i]->name
                  || s->at.start != pieces.at[i]->at.start);
    return own;
}

static StmtList kept_of(const CEmit *c, Sym module, StmtList body)
{
    Vec(const Stmt *) kept = {0};
    for (size_t i = 0; i < body.len; i++)
        if (is_kept(c, module, body.at[i]))
            vec_push(c->arena, &kept, body.at[i]);
    return (StmtList){kept.at, kept.len};
}

static void add_module(CEmit *c, EndpointList beside, Sym name)
{
    const ImportedModules *all = &c->cx->beside;
    for (size_t i = 0; i < all->len && i < beside.len; i++) {
        if (all->at[i].name != name || is_there(c, name))
            continue;
        const char *file = file_name(c, i + 1);
        StmtList body = c_classes_out(c, c_live(c, kept_of(c, name, beside.at[i]->body)));
        CModule m = {name, c_text(c, "\"%s\"", file), file, body};
        vec_push(c->arena, &c->modules, m);
    }
}

// The pieces are in the order in which they load.
void c_find_modules(CEmit *c, EndpointList beside)
{
    StmtList body = c->endpoint->body;
    for (size_t i = 0; i < c->endpoint->pieces.len; i++)
        add_module(c, beside, c->endpoint->pieces.at[i]->module);
    CModule own = {NULL, "PYCHORAL_FILE", c->cx->source_name, c_classes_out(c, c_live(c, body))};
    vec_push(c->arena, &c->modules, own);
    c->home = &c->modules.at[c->modules.len - 1];
}

const CModule *c_home_of(CEmit *c, Span at)
{
    size_t part = source_part(c->source, at.start);
    Sym name = part > 0 && part <= c->cx->modules.len ? c->cx->modules.at[part - 1] : NULL;
    for (size_t i = 0; i < c->modules.len; i++)
        if (c->modules.at[i].name == name)
            return &c->modules.at[i];
    return &c->modules.at[c->modules.len - 1];
}

// The communications of the role's code, and of the modules that it imports.
SiteRows c_sites(CEmit *c)
{
    SiteRows rows = site_rows_of(c->arena, &c->cx->sites, c->endpoint->body);
    for (size_t i = 0; i < c->cx->beside.len; i++)
        if (is_there(c, c->cx->beside.at[i].name))
            site_rows_add(c->arena, &rows, c->cx->beside.at[i].sites);
    return rows;
}
