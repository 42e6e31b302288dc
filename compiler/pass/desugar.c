// desugar.c - the pass: each body in a scope of its own.

#include "compiler/pass/desugar.h"

#include "compiler/pass/desugar_internal.h"

static const Stmt *import_of(Desugar *d, Span at, const char *module, Sym name)
{
    const Alias **alias = ARENA_NEW(d->arena, const Alias *);
    *alias = alias_new(d->arena, at, names_get(d->names, module),
                       sym_is(name, module) ? NULL : name);
    return stmt_import(d->arena, at, (AliasList){alias, 1});
}

// What core forms need, behind the docstring and what is imported from __future__.
static StmtList with_imports(Desugar *d, StmtList body)
{
    Vec(const Stmt *) out = {0};
    size_t i = 0;
    for (; i < body.len; i++) {
        const Stmt *s = body.at[i];
        bool future = s->kind == STMT_IMPORT_FROM && sym_is(s->import_from.module, "__future__");
        if (s->kind != STMT_EXPR && !future)
            break;
        vec_push(d->arena, &out, s);
    }
    Span at = body.at[i < body.len ? i : 0]->at;
    if (d->uses_builtins)
        vec_push(d->arena, &out, import_of(d, at, "builtins", names_get(d->names, "builtins")));
    if (d->uses_operator)
        vec_push(d->arena, &out, import_of(d, at, "operator", d->operator_));
    for (; i < body.len; i++)
        vec_push(d->arena, &out, body.at[i]);
    return (StmtList){out.at, out.len};
}

static const Expr *own_expr(IrMapper *m, const Expr *e)
{
    return expr_with_ty(m->arena, e, e->ty, e->roles);
}

// No node is in two places.
static StmtList apart(Arena *a, StmtList body)
{
    IrMapper m = {.arena = a, .expr = own_expr};
    return ir_map_stmts(&m, body);
}

static StmtList desugar_module(Arena *a, Names *names, const Facts *facts, StmtList body)
{
    Desugar d = {.arena = a, .names = names, .facts = facts, .needs = table_new(a)};
    Block out = {0};
    DesugarScope scope = desugar_scope(&d, body, NULL);
    scope.of_module = true;
    d.scope = &scope;
    d.operator_ = desugar_unused(&d, body, "operator");
    desugar_body_to(&d, &out, body);
    StmtList done = {out.at, out.len};
    return apart(a, d.uses_builtins || d.uses_operator ? with_imports(&d, done) : done);
}

static EndpointList desugar_all(Arena *a, Names *names, const Facts *facts, EndpointList list)
{
    Vec(const Endpoint *) out = {0};
    for (size_t i = 0; i < list.len; i++)
        vec_push(a, &out, endpoint_new(a, list.at[i]->role,
                                       desugar_module(a, names, facts, list.at[i]->body),
                                       list.at[i]->types, list.at[i]->loads,
                                       list.at[i]->pieces));
    return (EndpointList){out.at, out.len};
}

const Unit *desugar_unit(Arena *a, Names *names, const Unit *unit)
{
    const Facts *facts = desugar_facts(a, names, unit);
    EndpointList endpoints = desugar_all(a, names, facts, unit->endpoints.endpoints);
    EndpointList modules = desugar_all(a, names, facts, unit->endpoints.modules);
    return unit_endpoints(a, endpoints, modules, unit->endpoints.sites);
}
