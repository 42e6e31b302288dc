// pass.c - the runner. A unit that breaks the rules of its pass is caught here, where it was made.

#include "compiler/pass/pass.h"

#include <string.h>

#include "compiler/front/front.h"
#include "compiler/pass/ad/array_program.h"
#include "compiler/pass/ad/core.h"
#include "compiler/pass/ad/diff.h"
#include "compiler/pass/ad/expand.h"
#include "compiler/pass/ad/flat.h"
#include "compiler/pass/ad/mode.h"
#include "compiler/pass/ad/settled.h"
#include "compiler/pass/ad/slice.h"
#include "compiler/pass/desugar.h"
#include "compiler/pass/entry.h"
#include "compiler/pass/link.h"
#include "compiler/pass/name_mangling.h"
#include "compiler/pass/undamaged.h"
#include "compiler/pass/int_or_float.h"
#include "projection/projection.h"
#include "typecheck/typecheck.h"

typedef const Unit *PassFn(PassCx *cx, const Unit *unit);

static const Unit *parse(PassCx *cx, const Unit *unit)
{
    (void)unit;
    unit = front_parse(cx->arena, cx->names, cx->source, cx->diags);
    cx->unread = diags_error_count(cx->diags);
    return unit;
}

// What a function needs; the rest of the program only must not bind that again.
static const Unit *to_differentiate(PassCx *cx, const Unit *linked)
{
    Sym function = cx->grad->function;
    linked = slice_undecorated(cx->arena, linked, function);
    settled_check(cx->arena, cx->names, cx->diags, linked, cx->grad);
    return slice_unit(cx->arena, cx->names, linked, function);
}

static const Unit *link_all(PassCx *cx, const Unit *unit)
{
    if (cx->unread > 0)
        unit = undamaged_part(cx->arena, cx->names, cx->source, unit, cx->diags);
    unit = mangle_private_names(cx->arena, cx->names, cx->source, unit);
    const Unit *linked = link_unit(cx, unit);
    return entry_add(cx, cx->grad != NULL ? to_differentiate(cx, linked) : linked);
}

static Sym entry(const PassCx *cx) { return cx->plain ? NULL : cx->entry; }

static const Unit *check(PassCx *cx, const Unit *unit)
{
    TypecheckFacts facts = {.interfaces = cx->plain ? NULL : &cx->interfaces};
    unit = typecheck_unit(cx->arena, cx->names, cx->source, cx->loader, front_parse, unit,
                          entry(cx), &facts, cx->diags);
    cx->loads = facts.loads;
    return unit;
}

static const Unit *expand(PassCx *cx, const Unit *unit) { return expand_unit(cx, unit); }

static const Unit *grad(PassCx *cx, const Unit *unit) { return grad_unit(cx, unit); }

static const Unit *project(PassCx *cx, const Unit *unit)
{
    return project_unit(cx->arena, cx->names, cx->source, unit, cx->loads, entry(cx), cx->diags);
}

static const Unit *widen(PassCx *cx, const Unit *unit)
{
    return cx->widening ? int_or_float_unit(cx->arena, cx->names, unit, *cx->widening) : unit;
}

static const Unit *type(PassCx *cx, const Unit *unit)
{
    if (diags_error_count(cx->diags) > 0)
        return unit;
    return typecheck_endpoints(cx->arena, cx->names, cx->source, cx->loader, front_parse, unit,
                               cx->grad != NULL);
}

static const Unit *desugar(PassCx *cx, const Unit *unit)
{
    return desugar_unit(cx->arena, cx->names, unit);
}

static const Unit *core(PassCx *cx, const Unit *unit)
{
    return core_unit(cx->arena, cx->names, cx->diags, cx->grad->function, unit);
}

static const Unit *mode(PassCx *cx, const Unit *unit)
{
    ModeAim aim = {cx->grad->function, cx->grad->wrt};
    return mode_unit(cx->arena, cx->names, cx->diags, (Mode)cx->grad->term, aim, unit);
}

static const Unit *flat(PassCx *cx, const Unit *unit) { return flat_unit(cx, unit); }

static const Unit *diff(PassCx *cx, const Unit *unit) { return diff_unit(cx, unit); }

// The passes of array functions share a graph; a unit is what there is to see of it.
static const Unit *stage(PassCx *cx, const Unit *unit)
{
    if (cx->grad == NULL || diags_error_count(cx->diags) > 0)
        return unit_module(cx->arena, (StmtList){NULL, 0});
    cx->array = array_program_new(cx->arena, cx->names, cx->diags, unit, cx->grad->function,
                                  cx->grad->wrt);
    if (cx->array == NULL)
        return unit_module(cx->arena, (StmtList){NULL, 0});
    if (cx->grad->sparse)
        array_program_want_sparse(cx->array);
    if (cx->unseen)
        array_program_hide(cx->array);
    return array_program_stage(cx->array);
}

#define ARRAY_PASS(name)                                                    \
    static const Unit *name(PassCx *cx, const Unit *unit)                   \
    {                                                                       \
        return cx->array == NULL ? unit : array_program_##name(cx->array);  \
    }

ARRAY_PASS(bulk)
ARRAY_PASS(simplify)
ARRAY_PASS(gradient)
ARRAY_PASS(tidy)
ARRAY_PASS(numpy)
ARRAY_PASS(nest)

typedef struct PassRow {
    const char *name;
    PassId      after;
    PassFn     *function;
    IrTags      needs, removes, adds;
    const char *summary;
} PassRow;

static const PassRow rows[PASS_COUNT] = {
#define PASS(id, name, after, function, needs, removes, adds, summary) \
    {#name, PASS_##after, function, needs, removes, adds, summary},
#include "compiler/pass/pass.def"
#undef PASS
};

const char *pass_name(PassId id) { return rows[id].name; }

const char *pass_summary(PassId id) { return rows[id].summary; }

PassId pass_after(PassId id) { return rows[id].after; }

const Unit *pass_before(const PassCx *cx, PassId id) { return cx->units[rows[id].after]; }

void pass_drop(PassCx *cx, PassId id)
{
    cx->units[id] = NULL;
    for (int i = 0; i < PASS_COUNT; i++)
        if (rows[i].after == id && cx->units[i] != NULL)
            pass_drop(cx, (PassId)i);
}

bool pass_find(const char *name, PassId *id)
{
    for (int i = 0; i < PASS_COUNT; i++)
        if (strcmp(rows[i].name, name) == 0) {
            *id = (PassId)i;
            return true;
        }
    return false;
}

static bool verified(PassCx *cx, PassId id, IrTags allowed)
{
    Span at;
    if (!cx->verify || ir_verify_unit(cx->units[id], allowed, &cx->broken_form, &at))
        return true;
    cx->broken_pass = id;
    return false;
}

// Of a choreography that was not read whole the rest is checked.
static bool stops_after(const PassCx *cx, PassId id, PassId last)
{
    bool goes_on = id == PASS_CHECK || id == PASS_GRAD;
    bool to_check = id < PASS_CHECK && last >= PASS_CHECK && last <= PASS_TYPE &&
                    cx->grad == NULL && !cx->plain;
    size_t errors = diags_error_count(cx->diags);
    return !goes_on && errors > (to_check ? cx->unread : 0);
}

static bool broken(PassCx *cx, PassId id, const char *form)
{
    cx->broken_form = form;
    cx->broken_pass = id;
    return false;
}

// Runs one pass on the unit before it, in which these forms may be.
static bool step(PassCx *cx, PassId id, PassId last, IrTags *allowed)
{
    const PassRow *row = &rows[id];
    bool known = cx->units[id] != NULL;
    if (*allowed & ~row->needs)
        return broken(cx, id, "a unit that the previous pass does not produce");
    *allowed = (*allowed & ~row->removes) | row->adds;
    if (known)
        return true;
    cx->units[id] = row->function(cx, row->after == PASS_NONE ? NULL : cx->units[row->after]);
    if (!verified(cx, id, *allowed))
        return false;
    if (cx->observe)
        cx->observe(cx->observer, id, cx->units[id]);
    return !stops_after(cx, id, last);
}

bool pass_run(PassCx *cx, PassId last)
{
    PassId path[PASS_COUNT];
    size_t len = 0;
    IrTags allowed = 0;
    for (PassId id = last; id != PASS_NONE; id = rows[id].after)
        path[len++] = id;
    while (len-- > 0)
        if (!step(cx, path[len], last, &allowed))
            return false;
    return diags_error_count(cx->diags) == 0;
}
