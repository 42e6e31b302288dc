// project_expr.h - what the files about expressions share.

#ifndef PYCHORAL_PROJECTION_PROJECT_EXPR_H
#define PYCHORAL_PROJECTION_PROJECT_EXPR_H

#include "projection/projection_internal.h"

// Parts of an expression; the first `settled` of them stay as they are whatever runs next.
typedef struct Parts {
    const Expr **at;
    size_t       len, cap, settled;
} Parts;

// Local code is left as it was parsed: without type and roles.
static inline bool expr_unjudged(const Expr *e) { return e->roles.len == 0 && e->ty == NULL; }

// ---- evaluation_order.c ----

// Projects the next part (NULL for an absent one) and keeps those before it as they are now.
void        parts_hold(Half *h, Parts *parts, const Expr *child);
// The last part is not needed here: what it does is.
void        parts_discard(Half *h, Parts *parts);
// Binds the value to a fresh name made of `base` at `before[mark]`, and gives that.
const Expr *project_bind_as(Half *h, const Expr *value, const char *base, size_t mark);
bool        expr_callee_movable(const Expr *e);

// ---- project_expr.c ----

void        parts_arguments(Arena *a, const Expr *call, Parts *out);
const Expr *project_with_arguments(Half *h, const Expr *e, const Expr *func, const Expr **parts);

// ---- project_inner.c ----

const Expr *project_bool_op(Half *h, const Expr *e);
const Expr *project_compare(Half *h, const Expr *e);
const Expr *project_if_exp(Half *h, const Expr *e);
const Expr *project_comprehension(Half *h, const Expr *e, ComprehensionList generators);
const Expr *project_lambda(Half *h, const Expr *e);

// ---- project_choreo.c ----

const Expr *project_com(Half *h, const Expr *e);
const Expr *project_select(Half *h, const Expr *e);
const Expr *project_pin(Half *h, const Expr *e);
// `f` becomes the half that this role plays; a method keeps its name.
const Expr *project_callee(Half *h, const Expr *inst);
const Expr *project_choreography(Half *h, const Expr *inst);    // as a value
const Expr *project_choreographic_call(Half *h, const Expr *e);

#endif
