// annotation_order.c - annotations whose types and roles stand in each other's place, or whose
// types are too few or too many: `Channel[A, B, int]`, `At[A, int]`, `Channel[A, B]`. One error
// says how it is written; the other annotations are not doubted for it.

#include <string.h>

#include "typecheck/internal.h"

static const char *const USUAL[] = {"int", "str", "float", "bool", "bytes", "list", "dict", "set",
                                    "tuple", "object", "complex", "frozenset"};
enum { USUAL_COUNT = sizeof USUAL / sizeof *USUAL };

SymList annotation_usual_types(Program *p) {
    Sym *usual = ARENA_ARRAY(p->arena, Sym, USUAL_COUNT);
    for (size_t i = 0; i < USUAL_COUNT; i++) usual[i] = names_get(p->names, USUAL[i]);
    return (SymList){usual, USUAL_COUNT};
}

// What nobody takes for a role: a type that is always there, or of this program, or in brackets.
bool annotation_is_type(Program *p, const Expr *e) {
    e = annotation_unquote(p, e);
    if (e->kind != EXPR_NAME) return e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_CONSTANT;
    const Decl *d = program_find(p, e->name.id);
    for (size_t i = 0; d == NULL && i < USUAL_COUNT; i++)
        if (sym_is(e->name.id, USUAL[i])) return true;
    return d != NULL && (d->kind == DECL_ENUM || d->kind == DECL_LOCAL_CLASS);
}

bool annotation_may_be_role(Program *p, const Expr *e) {
    e = annotation_unquote(p, e);
    const Decl *d = e->kind == EXPR_NAME ? program_find(p, e->name.id) : NULL;
    return e->kind == EXPR_NAME && !annotation_is_type(p, e) && (d == NULL || d->kind == DECL_ROLE)
        && !roles_has(p->type_vars, e->name.id) && !builtin_exists(e->name.id);
}

typedef struct Order {
    Sym head;
    ExprList args;
    size_t types, first;        // how many types it takes; where roles begin
    bool channel;
} Order;

static bool read_order(Program *p, const Expr *e, Order *o) {
    if (e->kind != EXPR_SUBSCRIPT) return false;
    const Expr *head = e->subscript.value;
    Sym name = annotation_head(head);
    const Decl *d = name != NULL ? program_find(p, name) : NULL;
    *o = (Order){.head = name, .args = annotation_elements(p->arena, e->subscript.slice)};
    o->channel = d != NULL && d->kind == DECL_CHANNEL;
    o->types = o->channel ? (size_t)d->channel->types : 1;
    o->first = o->types < o->args.len ? o->types : o->args.len;
    return o->channel || sym_is(name, "At");
}

bool annotation_is_misordered(Program *p, const Expr *e) {
    Order o;
    if (!read_order(p, e, &o)) return false;
    size_t roles = 0, types = 0, moved = 0;
    for (size_t i = 0; i < o.args.len; i++) {
        roles += annotation_may_be_role(p, o.args.at[i]);
        types += annotation_is_type(p, o.args.at[i]);
        moved += i >= o.first && annotation_is_type(p, o.args.at[i]);
    }
    bool miscounted = o.channel && roles == 2 && roles + types == o.args.len && types != o.types;
    return miscounted || (moved > 0 && roles > 0 && annotation_may_be_role(p, o.args.at[0]));
}

SymList annotation_roles_meant(Program *p, const Expr *e) {
    Order o;
    SymList roles = {0};
    if (!read_order(p, e, &o)) return roles;
    for (size_t i = 0; i < o.args.len; i++)
        if (annotation_may_be_role(p, o.args.at[i]))
            roles = roles_join(p->arena, roles,
                               roles_one(p->arena, annotation_unquote(p, o.args.at[i])->name.id));
    return roles;
}

// `Channel[int, Alice, Bob]`: the types first. `whole`: all of it is known.
static const char *meant(Program *p, const Order *o, SymList roles, bool *whole) {
    Buf b = buf_new(p->arena);
    size_t types = 0;
    buf_printf(&b, "%s[", o->head);
    for (size_t i = 0; i < o->args.len && types < o->types; i++) {
        if (annotation_may_be_role(p, o->args.at[i])) continue;
        Span at = o->args.at[i]->at;
        buf_printf(&b, "%s%.*s", types++ > 0 ? ", " : "", (int)(at.end - at.start),
                   p->source->text.at + at.start);
    }
    *whole = o->args.len == o->types + roles.len && types == o->types &&
        (!o->channel || roles.len == 2);
    for (; types < o->types; types++) buf_puts(&b, types > 0 ? ", int" : "int");
    for (size_t i = 0; i < roles.len; i++)
        buf_printf(&b, "%s%s", types + i > 0 ? ", " : "", roles.at[i]);
    buf_puts(&b, "]");
    return buf_text(&b);
}

void annotation_report_order(Program *p, const Expr *e) {
    Order o;
    bool whole;
    if (!read_order(p, e, &o)) return;
    const char *text = meant(p, &o, annotation_roles_meant(p, e), &whole);
    Diag *d = diag_report(p->diags, e->at, DIAG_ROLE_COUNT, !o.channel
        ? "`%s` needs the type of the value first, then its roles"
        : o.types == 0 ? "`%s` takes no types, only its two roles"
        : o.types == 1 ? "`%s` needs the type of the values sent first, then its two roles"
        : "`%s` needs a type for each direction first, then its two roles", o.head);
    Help *h = diag_help(d, whole ? "write `%s`" : "write it as in `%s`", text);
    if (whole) diag_edit(d, h, e->at, "%s", text);
    if (o.channel && o.types == 1 && o.args.len == 4)
        diag_help(d, "for another type in each direction, use a `BiChannel`");
}
