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

static void add_uses(CEmit *c, EndpointList beside, SymList uses, Table *seen);

// As Python does it: what a module imports starts before it, each once.
static void add_module(CEmit *c, EndpointList beside, Sym name, Table *seen)
{
    const BesideModules *all = &c->cx->beside;
    for (size_t i = 0; i < all->len && i < beside.len; i++) {
        if (all->at[i].name != name || table_get(seen, name) != NULL)
            continue;
        table_set(seen, name, c);
        add_uses(c, beside, all->at[i].uses, seen);
        const char *file = file_name(c, i + 1);
        StmtList body = c_classes_out(c, c_live(c, beside.at[i]->body));
        CModule m = {name, c_text(c, "\"%s\"", file), file, body};
        vec_push(c->arena, &c->modules, m);
    }
}

static void add_uses(CEmit *c, EndpointList beside, SymList uses, Table *seen)
{
    for (size_t i = 0; i < uses.len; i++)
        add_module(c, beside, uses.at[i], seen);
}

void c_find_modules(CEmit *c, EndpointList beside)
{
    StmtList body = c->endpoint->body;
    SymList mentioned = beside_mentioned(c->arena, c->names, c->endpoint);
    add_uses(c, beside, beside_uses(c->arena, c->names, mentioned),
             table_new(c->arena));
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
