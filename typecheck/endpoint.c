// endpoint.c - the pass `type`: the programs of the roles get their types.
//
// A program is one module of plain Python and of what projection makes of messages. It is gone
// through as any module of one role's code (typecheck/python), and what is found is noted at each
// place (record_types.c). Its nodes are copied first: projection shares them, and the same node may
// be of one type here and of another there.

#include <string.h>

#include "typecheck/internal.h"
#include "typecheck/total_ordering.h"
#include "typecheck/python/python.h"
#include "typecheck/typecheck.h"

// What a program finds without importing it, as the emitters provide it.
static const char PRELUDE[] =
    "from builtins.endpoint import Channel, Channel as Channel_, Unit, Unit as Unit_\n"
    "from builtins.endpoint import UnexpectedSelection, PeerStopped, copy_value\n"
    "from contextlib import _GeneratorContextManager\n"       // what makes it is not seen
    "from typing import Any, Callable, Generic, Literal, Optional, TypeAlias, TypeVar, Union\n";

// Rounds of what later code makes of variables; each knows more than the one before.
enum { MOST_ROUNDS = 4 };

// ---- copies ----

static const Expr *own_expr(IrMapper *m, const Expr *e) {
    return expr_with_ty(m->arena, e, NULL, (SymList){0});
}

static const Arg *own_arg(IrMapper *m, const Arg *arg) {
    return arg_with_ty(m->arena, arg, NULL);
}

static const Excepthandler *own_handler(IrMapper *m, const Excepthandler *h) {
    return excepthandler_with_ty(m->arena, h, NULL);
}

static const Pattern *own_pattern(IrMapper *m, const Pattern *p) {
    return pattern_with_ty(m->arena, p, NULL, NULL);
}

// Projection's temporaries are changed without being stores; here they are what they are.
static const Stmt *own_stmt(IrMapper *m, const Stmt *s) {
    if (s->kind != STMT_AUG_ASSIGN || s->aug_assign.target->kind != EXPR_NAME) return s;
    const Expr *t = s->aug_assign.target;
    t = expr_name(m->arena, t->at, t->name.id, EXPR_CONTEXT_STORE);
    return stmt_aug_assign(m->arena, s->at, t, s->aug_assign.op, s->aug_assign.value);
}

static StmtList own_body(Arena *a, StmtList body) {
    IrMapper m = {.arena = a, .stmt = own_stmt, .expr = own_expr, .arg = own_arg,
                  .excepthandler = own_handler, .pattern = own_pattern};
    return ir_map_stmts(&m, body);
}

// ---- one program ----

// The classes of the runtime are known by name before anything asks for one.
static void add_prelude(Py *py) {
    Program *p = py->p;
    const Source *source = source_new(p->arena, "prelude", (Text){PRELUDE, sizeof PRELUDE - 1});
    const Unit *unit = p->parse(p->arena, p->names, source, diags_new(p->arena));
    PyEnv *outer = pyt_env_new(py, NULL, PYENV_MODULE);
    outer->module = py->file;
    pyt_collect(outer, unit->module.body);
    py->file->env->outer = outer;
    for (size_t i = 0; i < outer->order.len; i++)
        (void)pyt_symbol_type(pyt_symbol(outer, outer->order.at[i]));
}

static Program program_of(const Program *common) {
    Program p = *common;
    Arena *a = p.arena;
    p.diags = diags_new(a);             // the programs are right: what is reported here is not read
    p.role_parts = table_new(a);
    p.decls = table_new(a);
    p.uses = table_new(a);
    p.lowered = table_new(a);
    p.lowered_names = table_new(a);
    p.lowered_from = table_new(a);
    p.told = table_new(a);
    p.inner = table_new(a);
    p.unordered = table_new(a);
    p.unsure_names = table_new(a);
    p.nested = table_new(a);
    p.said = table_new(a);
    p.hoist_trouble = table_new(a);
    return p;
}

// Gives the body with its types; it is written to.
static void type_body(const Program *common, StmtList body) {
    Table *parts = table_new(common->arena);
    bool again = true;
    for (int round = 0; again && round < MOST_ROUNDS; round++) {
        Program *p = ARENA_NEW(common->arena, Program);
        *p = program_of(common);
        PyNotes notes = {.sure = table_new(p->arena), .parts = parts, .real = p->real};
        p->body = body;
        p->py = pyt_new(p, body);
        p->py->notes = &notes;
        add_prelude(p->py);
        pyt_check_module(p->py, body);
        pyt_note_finish(p->py, body);
        again = notes.learned;
    }
}

// ---- the unit ----

static StmtList joined(Arena *a, StmtList first, StmtList second) {
    Vec(const Stmt *) all = {0};
    for (size_t i = 0; i < first.len; i++) vec_push(a, &all, first.at[i]);
    for (size_t i = 0; i < second.len; i++) vec_push(a, &all, second.at[i]);
    return (StmtList){all.at, all.len};
}

static StmtList bodies(Arena *a, EndpointList list) {
    StmtList all = {0};
    for (size_t i = 0; i < list.len; i++) all = joined(a, all, list.at[i]->body);
    return all;
}

static EndpointList type_modules(const Program *common, EndpointList modules) {
    Arena *a = common->arena;
    StmtList body = own_body(a, bodies(a, modules));
    if (body.len > 0) type_body(common, body);
    Vec(const Endpoint *) out = {0};
    for (size_t i = 0, from = 0; i < modules.len; i++) {
        size_t n = modules.at[i]->body.len;
        vec_push(a, &out, endpoint_new(a, modules.at[i]->role, (StmtList){body.at + from, n},
                                         modules.at[i]->types, modules.at[i]->loads,
                                         modules.at[i]->pieces));
        from += n;
    }
    return (EndpointList){out.at, out.len};
}

// A program stands on its modules: it is typed behind a copy of them.
static const Endpoint *type_endpoint(const Program *common, const Endpoint *e, StmtList below) {
    Arena *a = common->arena;
    StmtList body = own_body(a, joined(a, below, e->body));
    type_body(common, body);
    return endpoint_new(a, e->role, (StmtList){body.at + below.len, e->body.len}, e->types,
                        e->loads, e->pieces);
}

const Unit *typecheck_endpoints(Arena *a, Names *names, const Source *source, const Loader *loader,
                                TypecheckParse *parse, const Unit *projected, bool real) {
    Program common = {.arena = a, .names = names, .source = source, .loader = loader,
                      .parse = parse, .real = real};
    projected = total_ordering_write_out(a, names, projected);
    EndpointList endpoints = projected->endpoints.endpoints;
    EndpointList modules = projected->endpoints.modules;
    StmtList below = bodies(a, modules);
    Vec(const Endpoint *) typed = {0};
    for (size_t i = 0; i < endpoints.len; i++)
        vec_push(a, &typed, type_endpoint(&common, endpoints.at[i], below));
    return unit_endpoints(a, (EndpointList){typed.at, typed.len}, type_modules(&common, modules),
                          projected->endpoints.sites);
}
