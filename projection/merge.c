// merge.c - merging: one code for a role that runs in both arms of somebody else's choice
// (docs/projection.md, "Merging").
//
// Statement by statement, with their equals; positions do not count, payload types do. Two waits
// for a selection take the union of their cases, a case of both sides is merged. What follows a
// wait belongs to its cases: where the cases do not merge by themselves, they are merged with
// what follows. Two fresh variables that differ in their name only are one. Behind a raise that
// ends the run, anything will do.

#include "compiler/ir/expr_table.h"
#include "projection/projection_internal.h"

typedef struct Rename { Sym from, to; } Rename;
typedef struct LoopPair { const Loop *from, *to; } LoopPair;

typedef struct Merge {
    Half       *h;
    Arena      *arena;
    Span        left_arm, right_arm;
    const Code *tail;
    Vec(Rename) renames;            // names of the right arm -> names of the left arm
    Vec(LoopPair) loops;            // around: loops of the right arm -> loops of the left arm
    Table      *done;               // left wait -> Table: right wait -> Result *
    Clash      *clash;
    OneStmts    ones;               // what is one, if the arms merge
} Merge;

typedef struct Result { const Code *code; bool ok; } Result;

static Result merge_code(Merge *m, const Code *left, const Code *right);

static Result fail(Merge *m, const Code *left, const Code *right)
{
    *m->clash = (Clash){left, right, NULL};
    return (Result){NULL, false};
}

static void become_one(Merge *m, const Stmt *left, const Stmt *right)
{
    OneStmt one = {left, right};
    vec_push(m->arena, &m->ones, one);
}

// ---- fresh names ----

typedef struct UsageWalk { Half *h; bool inner; } UsageWalk;

static void note_use(UsageWalk *u, Sym name, Span at)
{
    Usage *use = name == NULL ? NULL : table_get(u->h->usage, name);
    if (name == NULL)
        return;
    if (use == NULL) {
        use = ARENA_NEW(u->h->arena, Usage);
        *use = (Usage){at.start, at.end, false};
        table_set(u->h->usage, name, use);
    }
    use->start = at.start < use->start ? at.start : use->start;
    use->end = at.end > use->end ? at.end : use->end;
    use->captured = use->captured || u->inner;
}

static bool note_expr(void *cx, const Expr *e);
static bool note_arg(void *cx, const Arg *arg);
static bool note_handler(void *cx, const Excepthandler *e);
static bool note_pattern(void *cx, const Pattern *p);

static IrWalker usage_walker(UsageWalk *u)
{
    return (IrWalker){.cx = u, .expr = note_expr, .arg = note_arg, .pattern = note_pattern,
                      .excepthandler = note_handler};
}

static bool note_arg(void *cx, const Arg *arg)
{
    note_use(cx, arg->arg, arg->at);
    return false;
}

// A lambda or comprehension may outlive the arm that made it.
static bool is_inner_scope(const Expr *e)
{
    return e->kind == EXPR_LAMBDA || e->kind == EXPR_GENERATOR_EXP || e->kind == EXPR_LIST_COMP ||
           e->kind == EXPR_SET_COMP || e->kind == EXPR_DICT_COMP;
}

static bool note_inner_expr(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        note_use(cx, e->name.id, e->at);
    return true;
}

static bool note_expr(void *cx, const Expr *e)
{
    UsageWalk *u = cx;
    if (e->kind == EXPR_NAME)
        note_use(u, e->name.id, e->at);
    if (!is_inner_scope(e))
        return true;
    UsageWalk inner = {u->h, true};
    IrWalker w = {.cx = &inner, .expr = note_inner_expr};
    ir_walk_expr(&w, e);
    return false;
}

static bool note_stmt(void *cx, const Stmt *s)
{
    UsageWalk *u = cx;
    if (s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF && s->kind != STMT_CHOREO)
        return true;
    UsageWalk inner = {u->h, true};
    IrWalker w = usage_walker(&inner);
    ir_walk_stmt(&w, s);
    return false;
}

// Names that are bound without an expression are not renamed.
static void note_held(UsageWalk *u, Sym name, Span at)
{
    UsageWalk held = {u->h, true};
    note_use(&held, name, at);
}

static bool note_handler(void *cx, const Excepthandler *e)
{
    note_held(cx, e->except_handler.name, e->at);
    return true;
}

static bool note_pattern(void *cx, const Pattern *p)
{
    if (p->kind == PATTERN_MATCH_AS)
        note_held(cx, p->match_as.name, p->at);
    if (p->kind == PATTERN_MATCH_STAR)
        note_held(cx, p->match_star.name, p->at);
    if (p->kind == PATTERN_MATCH_MAPPING)
        note_held(cx, p->match_mapping.rest, p->at);
    return true;
}

static const Usage *usage_of(Half *h, Sym name)
{
    if (h->usage == NULL) {
        const Stmt *f = h->function;
        UsageWalk u = {h, false};
        IrWalker w = usage_walker(&u);
        h->usage = table_new(h->arena);
        ir_walk_arguments(&w, f->function_def.args);
        w.stmt = note_stmt;
        ir_walk_stmts(&w, f->function_def.body);
    }
    return table_get(h->usage, name);
}

// First bound in the arm, used nowhere else, captured by nothing.
static bool is_fresh(Half *h, Sym name, Span arm)
{
    const Usage *use = usage_of(h, name);
    return use != NULL && !use->captured && use->start >= arm.start && use->end <= arm.end;
}

static const Expr *rename_expr(IrMapper *mapper, const Expr *e)
{
    const Merge *m = mapper->cx;
    if (e->kind != EXPR_NAME)
        return e;
    for (size_t i = 0; i < m->renames.len; i++)
        if (m->renames.at[i].from == e->name.id)
            return expr_with_ty(m->arena,
                                expr_name(m->arena, e->at, m->renames.at[i].to, e->name.ctx),
                                e->ty, e->roles);
    return e;
}

// A loop merges with a loop by taking their jumps for the same.
static const Stmt *renamed_jump(const Merge *m, const Stmt *s)
{
    for (size_t i = m->loops.len; i-- > 0;) {
        const LoopPair *p = &m->loops.at[i];
        if (s == p->from->again || s == p->from->leave)
            return s == p->from->again ? p->to->again : p->to->leave;
    }
    return s;
}

static const Stmt *renamed(Merge *m, const Stmt *s)
{
    if (s != NULL && stmt_is_loop_jump(s))
        return renamed_jump(m, s);
    IrMapper mapper = {.arena = m->arena, .cx = m, .expr = rename_expr};
    return m->renames.len == 0 || s == NULL ? s : ir_map_stmt(&mapper, s);
}

// Code of the right arm that the merged code takes over.
static const Code *renamed_code(Merge *m, const Code *c)
{
    Vec(const Code *) cells = {0};
    if (m->renames.len == 0 && m->loops.len == 0)
        return c;
    for (; c != NULL; c = c->next)
        vec_push(m->arena, &cells, c);
    for (size_t i = cells.len; i-- > 0;) {
        const Code *old = cells.at[i];
        const Stmt *s = renamed(m, old->stmt);
        Branch *branches = ARENA_ARRAY(m->arena, Branch, old->branch_count);
        bool same = s == old->stmt && c == old->next;
        for (size_t j = 0; j < old->branch_count; j++) {
            branches[j] = old->branches[j];
            branches[j].body = renamed_code(m, branches[j].body);
            same = same && branches[j].body == old->branches[j].body;
        }
        Code model = *old;
        model.stmt = s;
        c = same ? old : code_put(m->arena, &model, branches, c);
    }
    return c;
}

static bool is_renamed(const Merge *m, Sym from, Sym to)
{
    for (size_t i = 0; i < m->renames.len; i++)
        if (m->renames.at[i].from == from || m->renames.at[i].to == to)
            return true;
    return false;
}

static const Expr *single_target(const Stmt *s)
{
    bool one = s->kind == STMT_ASSIGN && s->assign.targets.len == 1;
    return one && s->assign.targets.at[0]->kind == EXPR_NAME ? s->assign.targets.at[0] : NULL;
}

// `v = e` and `y = e`, both fresh: from now on y is v.
static bool unify_fresh(Merge *m, const Stmt *left, const Stmt *right)
{
    const Expr *to = single_target(left), *from = single_target(right);
    if (to == NULL || from == NULL || !ir_equal_expr(left->assign.value, right->assign.value) ||
        !ir_equal_ty(to->ty, from->ty) || is_renamed(m, from->name.id, to->name.id) ||
        !is_fresh(m->h, to->name.id, m->left_arm) || !is_fresh(m->h, from->name.id, m->right_arm))
        return false;
    Rename r = {from->name.id, to->name.id};
    vec_push(m->arena, &m->renames, r);
    return true;
}

static bool merge_stmt(Merge *m, const Stmt *left, const Stmt *right)
{
    right = renamed(m, right);
    if (jumps_of(left) & (JUMP_BREAK | JUMP_CONTINUE))
        return left == right;       // of which loop?
    return ir_equal_stmt(left, right) || unify_fresh(m, left, right);
}

// ---- waits for a selection ----

static ExprTable *cases_of(Arena *a, const Code *offer)
{
    ExprTable *cases = expr_table_new(a);
    for (size_t i = 0; i < offer->branch_count; i++)
        expr_table_add(cases, offer->branches[i].label, &offer->branches[i]);
    return cases;
}

static bool same_cases(Arena *a, const Code *left, const Code *right)
{
    if (left->branch_count != right->branch_count)
        return false;
    const ExprTable *cases = cases_of(a, right);
    for (size_t i = 0; i < left->branch_count; i++)
        if (expr_table_get(cases, left->branches[i].label) == NULL)
            return false;
    return true;
}

// The cases of the left, merged with their namesakes on the right; `open` ends each with what
// follows.
static bool merge_cases(Merge *m, const Code *left, const Code *right, bool open, Branch *out)
{
    const ExprTable *others = cases_of(m->arena, right);
    for (size_t i = 0; i < left->branch_count; i++) {
        const Branch *a = &left->branches[i], *b = expr_table_get(others, a->label);
        const Code *la = open ? code_append(m->arena, a->body, left->next) : a->body;
        out[i] = (Branch){a->label, a->at, la};
        if (b == NULL)
            continue;
        Result r = merge_code(m, la,
                              open ? code_append(m->arena, b->body, right->next) : b->body);
        if (!r.ok) {
            m->clash->label = m->clash->label != NULL ? m->clash->label : a->label;
            return false;
        }
        out[i].body = r.code;
    }
    return true;
}

static size_t add_cases(Merge *m, const Code *left, const Code *right, Branch *out)
{
    const ExprTable *known = cases_of(m->arena, left);
    size_t n = left->branch_count;
    for (size_t i = 0; i < right->branch_count; i++) {
        const Branch *b = &right->branches[i];
        if (expr_table_get(known, b->label) != NULL)
            continue;
        out[n] = *b;
        out[n++].body = renamed_code(m, code_append(m->arena, b->body, right->next));
    }
    return n;
}

static Result merge_unions(Merge *m, const Code *left, const Code *right)
{
    Branch *cases = ARENA_ARRAY(m->arena, Branch, left->branch_count + right->branch_count);
    if (!merge_cases(m, left, right, true, cases))
        return (Result){NULL, false};
    become_one(m, left->stmt, right->stmt);
    size_t n = add_cases(m, left, right, cases);
    return (Result){code_join(m->arena, left->stmt, cases, n, m->tail, true, &m->ones), true};
}

// Merges from a pair of waits on. Pairs are met again and again where cases share what follows.
static Result merge_waits(Merge *m, const Code *left, const Code *right)
{
    Table *known = table_get(m->done, left);
    Result *r = known == NULL ? NULL : table_get(known, right);
    if (r != NULL)
        return *r;
    if (known == NULL) {
        known = table_new(m->arena);
        table_set(m->done, left, known);
    }
    r = ARENA_NEW(m->arena, Result);
    *r = merge_unions(m, left, right);
    table_set(known, right, r);
    return *r;
}

// ---- blocks ----

typedef Vec(const Code *) Cells;

static Result finish(Merge *m, const Cells *cells, const Code *rest)
{
    for (size_t i = cells->len; i-- > 0;)
        rest = code_put(m->arena, cells->at[i], cells->at[i]->branches, rest);
    return (Result){rest, true};
}

// Blocks of the same statement on both sides.
static bool merge_branches(Merge *m, const Code *left, const Code *right, Branch *out)
{
    if (left->branch_count != right->branch_count) {
        fail(m, left, right);
        return false;
    }
    for (size_t i = 0; i < left->branch_count; i++) {
        Result r = merge_code(m, left->branches[i].body, right->branches[i].body);
        if (!r.ok)
            return false;
        out[i] = (Branch){NULL, left->branches[i].at, r.code};
    }
    return true;
}

static bool merge_loops(Merge *m, const Code *left, const Code *right, Cells *out)
{
    Branch *branches = ARENA_ARRAY(m->arena, Branch, left->branch_count);
    LoopPair pair = {right->loop, left->loop};
    vec_push(m->arena, &m->loops, pair);
    bool ok = merge_branches(m, left, right, branches);
    m->loops.len--;
    if (!ok)
        return false;
    Loop *loop = ARENA_NEW(m->arena, Loop);
    *loop = *left->loop;
    loop->endless = loop->endless && right->loop->endless;
    vec_push(m->arena, out, code_loop(m->arena, left->stmt, loop, branches, left->branch_count,
                                      NULL));
    return true;
}

// A pair of cells with equal heads, or NULL. `whole`: what follows them had to be merged with them.
static bool merge_cell(Merge *m, const Code *left, const Code *right, Cells *out)
{
    const Stmt *l = left->stmt;
    become_one(m, l, right->stmt);
    if (left->branch_count == 0 || right->branch_count == 0 || l->kind != right->stmt->kind) {
        bool plain = left->branch_count == 0 && right->branch_count == 0;
        if (!plain || !merge_stmt(m, l, right->stmt)) {
            fail(m, left, right);
            return false;
        }
        vec_push(m->arena, out, left);
        return true;
    }
    Branch *branches = ARENA_ARRAY(m->arena, Branch, left->branch_count);
    if (left->loop != NULL)
        return merge_loops(m, left, right, out);
    if (l->kind == STMT_OFFER ? !merge_cases(m, left, right, false, branches)
                              : !merge_branches(m, left, right, branches))
        return false;
    vec_push(m->arena, out, code_put(m->arena, left, branches, NULL));
    return true;
}

static bool is_wait(const Code *c) { return c->stmt->kind == STMT_OFFER; }

static bool equal_heads(Merge *m, const Code *left, const Code *right)
{
    return ir_equal_stmt(left->stmt, renamed(m, right->stmt));
}

// The label that both sides have just been told, when there is only one.
static const Expr *label_told(const Code *left)
{
    return is_wait(left) && left->branch_count == 1 ? left->branches[0].label : NULL;
}

static bool merges_with_anything(const Code *c)
{
    return code_stopped(c) || (c != NULL && c->poison);
}

static Result merge_from(Merge *m, const Code *left, const Code *right, const Expr **told)
{
    Cells cells = {0};
    for (; left != right; left = left->next, right = right->next) {
        if (merges_with_anything(left))
            return finish(m, &cells, renamed_code(m, right));
        if (merges_with_anything(right))
            return finish(m, &cells, left);
        if (left == NULL || right == NULL)
            return fail(m, left, right);
        bool choices = left->branch_count > 0 && right->branch_count > 0;
        if (choices && !equal_heads(m, left, right))
            return fail(m, left, right);
        bool waits = choices && is_wait(left);
        if (waits && !same_cases(m->arena, left, right)) {
            Result r = merge_waits(m, left, right);
            return r.ok ? finish(m, &cells, r.code) : r;
        }
        if (merge_cell(m, left, right, &cells)) {
            *told = label_told(left) != NULL ? label_told(left) : *told;
            continue;
        }
        Result r = waits ? merge_waits(m, left, right) : (Result){NULL, false};
        return r.ok ? finish(m, &cells, r.code) : r;
    }
    return finish(m, &cells, left);
}

static Result merge_code(Merge *m, const Code *left, const Code *right)
{
    const Expr *told = NULL;
    Result r = merge_from(m, left, right, &told);
    if (!r.ok && m->clash->label == NULL)
        m->clash->label = told;
    return r;
}

const Code *merge_arms(Half *h, Span left_arm, Span right_arm, const Code *left,
                       const Code *right, const Code *tail, Clash *clash, bool *ok)
{
    if (left == right) {
        *ok = true;
        return left;
    }
    Merge m = {.h = h, .arena = h->arena, .left_arm = left_arm, .right_arm = right_arm,
               .tail = tail, .done = table_new(h->arena), .clash = clash};
    Result r = merge_code(&m, left, right);
    for (size_t i = 0; r.ok && !h->quiet && i < m.ones.len; i++)
        sites_unite(h->cx->sites, m.ones.at[i].kept, m.ones.at[i].other);
    *ok = r.ok;
    return r.code;
}
