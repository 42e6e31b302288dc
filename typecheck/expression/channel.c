// channel.c - one channel type where another is wanted: what it offers must be there, in the same
// directions.
//
// `com` gives what was sent, so the type of a channel only limits what may be sent: a channel of
// `object` carries ints as well.

#include <string.h>

#include "typecheck/internal.h"

// What a channel offers from its one end to its other.
typedef struct Way { bool com, select; const Ty *carries; } Way;

static Way way_of(const Decl *d, const Ty *t, bool forth) {
    size_t which = d->channel->types == 2 && !forth ? 1 : 0;
    Way way = {forth ? d->channel->com_forth : d->channel->com_back,
               forth ? d->channel->select_forth : d->channel->select_back,
               which < t->inst.args.len ? t->inst.args.at[which] : NULL};
    return way;
}

static bool way_fits(Program *p, Way from, Way to) {
    if ((to.com && !from.com) || (to.select && !from.select)) return false;
    return !to.com || type_fits(p, to.carries, from.carries);
}

static bool is_secure(const Decl *d) { return strcmp(d->channel->name, "SecureChannel") == 0; }

bool channel_fits(Program *p, const Ty *from, const Ty *to) {
    const Decl *d = program_find(p, from->inst.name), *e = program_find(p, to->inst.name);
    SymList a = from->inst.actuals, b = to->inst.actuals;
    bool turned = a.at[0] == b.at[1];
    if (!roles_equal(a, b) || (is_secure(e) && !is_secure(d))) return false;
    return way_fits(p, way_of(d, from, !turned), way_of(e, to, true)) &&
        way_fits(p, way_of(d, from, turned), way_of(e, to, false));
}
