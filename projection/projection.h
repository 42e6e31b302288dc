// projection.h - endpoint projection with merging and normalising: from one checked choreography
// to one program per role.

#ifndef PYCHORAL_PROJECTION_H
#define PYCHORAL_PROJECTION_H

#include "compiler/base/diag.h"
#include "compiler/ir/loads.h"
#include "ir_gen.h"

// Projects every choreography of a checked unit for each of its formal roles. Gives a unit
// `Endpoints`; reports every role that cannot know a choice (E06..), naming decider, role, arms,
// first difference, and the selection to insert. With an entry the endpoints are the roles of the
// entry, each holding what it can reach; without, one per formal role name with all halves of
// that name. `entry` NULL: a library, even if it has no choreography. `loads`: what the checker
// found of loading; NULL: nothing.
const Unit *project_unit(Arena *a, Names *names, const Source *source, const Unit *checked,
                         const Loads *loads, Sym entry, Diags *diags);

#endif
