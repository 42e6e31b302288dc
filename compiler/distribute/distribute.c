// distribute.c - what is done with a script: nothing, if it is distributed already; else the rules
// that are asked for, and nothing if anything of it was refused.

#include "compiler/distribute/distribute.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/distribute/restrict.h"
#include "compiler/distribute/seed.h"

static int by_place(const void *x, const void *y)
{
    const Fired *a = x, *b = y;
    return a->at.start < b->at.start ? -1 : a->at.start > b->at.start;
}

static bool see_import(void *cx, const Stmt *s)
{
    const Stmt **found = cx;
    bool horovod = s->kind == STMT_IMPORT_FROM && s->import_from.module != NULL &&
                   strncmp(s->import_from.module, "horovod", 7) == 0;
    for (size_t i = 0; s->kind == STMT_IMPORT && i < s->import.names.len; i++)
        horovod |= strncmp(s->import.names.at[i]->name, "horovod", 7) == 0;
    if (horovod && *found == NULL)
        *found = s;
    return true;
}

// The import of Horovod, if there is one.
static const Stmt *find_horovod(const Unit *unit)
{
    const Stmt *found = NULL;
    const IrWalker w = {.cx = &found, .stmt = see_import};
    ir_walk_unit(&w, unit);
    return found;
}

static Distribution transform(const DistributeCx *cx)
{
    Tool t = tool_new(cx);
    size_t errors = diags_error_count(cx->diags);
    seed_check(&t);
    if (diags_error_count(cx->diags) == errors)
        seed_transform(&t);
    if (diags_error_count(cx->diags) > errors)
        return (Distribution){.outcome = DISTRIBUTE_REFUSED};
    qsort(t.fired.at, t.fired.len, sizeof *t.fired.at, by_place);
    return (Distribution){.outcome = DISTRIBUTE_DONE, .edits = rewrite_edits(t.rewrite),
                          .fired = t.fired.at, .fired_count = t.fired.len};
}

Distribution distribute_unit(const DistributeCx *cx)
{
    const Stmt *horovod = find_horovod(cx->unit);
    if (horovod == NULL)
        return transform(cx);
    diag_report(cx->diags, horovod->at, DIAG_DISTRIBUTED, "this script is distributed already");
    return (Distribution){.outcome = DISTRIBUTE_ALREADY};
}
