// redundant.c - finds selections that nobody needs, by leaving them out. Those that tell one role
// in the arms of one choice (or in and after one loop) come and go together.

#include "compiler/pass/redundant.h"

#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "projection/projection.h"

typedef struct Group {
    const Stmt *choice;         // the compound statement around; NULL: a function's body
    Sym         receiver;
    Vec(Span)   at;
    Vec(const Stmt *) members;
} Group;

typedef struct Groups {
    Arena *arena;
    Vec(Group *) all;
} Groups;

static void collect(Groups *g, const Stmt *choice, StmtList block);

static void add(Groups *g, const Stmt *choice, const Stmt *s)
{
    Sym receiver = s->expr.value->select.receiver;
    Group *group = NULL;
    for (size_t i = g->all.len; i-- > 0 && group == NULL;)
        if (g->all.at[i]->choice == choice && g->all.at[i]->receiver == receiver)
            group = g->all.at[i];
    if (group == NULL) {
        group = ARENA_NEW(g->arena, Group);
        *group = (Group){.choice = choice, .receiver = receiver};
        vec_push(g->arena, &g->all, group);
    }
    vec_push(g->arena, &group->at, s->at);
    vec_push(g->arena, &group->members, s);
}

// An `if` and its `elif`s are one choice.
static void collect_if(Groups *g, const Stmt *s)
{
    const Stmt *choice = s;
    for (;;) {
        collect(g, choice, s->if_.body);
        if (s->if_.orelse.len != 1 || s->if_.orelse.at[0]->kind != STMT_IF)
            break;
        s = s->if_.orelse.at[0];
    }
    collect(g, choice, s->if_.orelse);
}

static void collect_stmt(Groups *g, const Stmt *choice, const Stmt *s)
{
    switch (s->kind) {
    case STMT_EXPR:
        if (s->expr.value->kind == EXPR_SELECT)
            add(g, choice, s);
        return;
    case STMT_IF: collect_if(g, s); return;
    case STMT_WHILE:
        collect(g, s, s->while_.body);
        collect(g, s, s->while_.orelse);
        return;
    case STMT_FOR:
        collect(g, s, s->for_.body);
        collect(g, s, s->for_.orelse);
        return;
    case STMT_WITH: collect(g, choice, s->with.body); return;
    case STMT_MATCH:
        for (size_t i = 0; i < s->match.cases.len; i++)
            collect(g, s, s->match.cases.at[i]->body);
        return;
    case STMT_TRY:
        collect(g, s, s->try.body);
        collect(g, s, s->try.orelse);
        for (size_t i = 0; i < s->try.handlers.len; i++)
            collect(g, s, s->try.handlers.at[i]->except_handler.body);
        collect(g, choice, s->try.finalbody);
        return;
    case STMT_FUNCTION_DEF: collect(g, s, s->function_def.body); return;
    case STMT_CLASS_DEF: collect(g, s, s->class_def.body); return;
    case STMT_CHOREO: collect_stmt(g, choice, s->choreo.def); return;
    case STMT_ASYNC_FUNCTION_DEF: case STMT_RETURN: case STMT_DELETE: case STMT_ASSIGN:
    case STMT_TYPE_ALIAS: case STMT_AUG_ASSIGN: case STMT_ANN_ASSIGN: case STMT_ASYNC_FOR:
    case STMT_ASYNC_WITH: case STMT_RAISE: case STMT_TRY_STAR: case STMT_ASSERT: case STMT_IMPORT:
    case STMT_IMPORT_FROM: case STMT_GLOBAL: case STMT_NONLOCAL: case STMT_PASS: case STMT_BREAK:
    case STMT_CONTINUE: case STMT_OFFER: case STMT_STOPPED: case STMT_TAPE: case STMT_KEEP:
    case STMT_BACK: case STMT_COUNT:
        return;
    }
}

static void collect(Groups *g, const Stmt *choice, StmtList block)
{
    for (size_t i = 0; i < block.len; i++)
        collect_stmt(g, choice, block.at[i]);
}

// ---- leaving a group out ----

static const Stmt *leave_out(IrMapper *m, const Stmt *s)
{
    const Table *members = m->cx;
    bool selection = s->kind == STMT_EXPR && s->expr.value->kind == EXPR_SELECT;
    return selection && table_get(members, table_key(s->at.start)) != NULL
               ? stmt_pass(m->arena, s->at) : s;
}

static bool needless(const PassCx *cx, Arena *scratch, const Group *group)
{
    Table *members = table_new(scratch);
    for (size_t i = 0; i < group->at.len; i++)
        table_set(members, table_key(group->at.at[i].start), members);
    IrMapper m = {.arena = scratch, .cx = members, .stmt = leave_out};
    PassCx without = *cx;
    without.arena = scratch;
    without.diags = diags_new(scratch);
    diags_set_source(without.diags, cx->source);
    const Unit *unit = ir_map_unit(&m, pass_before(cx, PASS_PROJECT));
    project_unit(scratch, cx->names, cx->source, unit, NULL, cx->entry, without.diags);
    return diags_error_count(without.diags) == 0;
}

RedundantList redundant_find(const PassCx *cx)
{
    Groups g = {.arena = cx->arena};
    Vec(Redundant) found = {0};
    collect(&g, NULL, pass_before(cx, PASS_PROJECT)->module.body);
    for (size_t i = 0; i < g.all.len; i++) {
        const Group *group = g.all.at[i];
        Arena *scratch = arena_new();
        if (needless(cx, scratch, group))
            vec_push(cx->arena, &found, ((Redundant){group->receiver, group->at.at,
                                                     group->at.len}));
        arena_free(scratch);
    }
    return (RedundantList){found.at, found.len};
}
