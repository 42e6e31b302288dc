// python_rules.c - what CPython refuses although its grammar takes it: jumps out of nothing,
// handlers and cases that are never reached, two stars in one target, chains that are too long.
// Without this, the generated programs would not compile.

#include "compiler/ir/free_names.h"
#include "typecheck/internal.h"

// What is around a statement.
typedef struct Around { bool in_function, in_loop; } Around;

static void check_block(Program *p, StmtList block, Around around);

static void misplaced(Program *p, const Stmt *s, const char *what, const char *where) {
    diag_report(p->diags, s->at, DIAG_MISPLACED, "`%s` outside a %s", what, where);
}

static void check_handlers(Program *p, ExcepthandlerList handlers, Around around) {
    for (size_t i = 0; i < handlers.len; i++) {
        const Excepthandler *e = handlers.at[i];
        if (e->except_handler.type == NULL && i + 1 < handlers.len)
            diag_report(p->diags, e->at, DIAG_MISPLACED,
                        "default `except:` must be last");
        check_block(p, e->except_handler.body, around);
    }
}

// A pattern that everything matches: a name, `_`, or one of these in brackets, behind `as`, or as
// the last of alternatives.
static bool matches_all(const Pattern *pattern) {
    for (;;) {
        if (pattern == NULL) return true;
        if (pattern->kind == PATTERN_MATCH_AS)
            pattern = pattern->match_as.pattern;
        else if (pattern->kind == PATTERN_MATCH_OR)
            pattern = pattern->match_or.patterns.at[pattern->match_or.patterns.len - 1];
        else
            return false;
    }
}

// The names that a pattern binds; the span of one that is bound twice is put in *twice.
typedef struct PatternNames { Arena *arena; SymList names; const Pattern *twice; } PatternNames;

static bool note_bound(void *cx, const Pattern *pattern) {
    PatternNames *b = cx;
    Sym name = pattern_name(pattern);
    if (name != NULL && roles_has(b->names, name)) b->twice = pattern;
    if (name != NULL) b->names = roles_join(b->arena, b->names, roles_one(b->arena, name));
    if (pattern->kind != PATTERN_MATCH_OR) return true;
    IrWalker w = {.cx = b, .pattern = note_bound};      // the others bind the same
    ir_walk_pattern(&w, pattern->match_or.patterns.at[0]);
    return false;
}

static PatternNames bound_by(Program *p, const Pattern *pattern) {
    PatternNames b = {.arena = p->arena};
    IrWalker w = {.cx = &b, .pattern = note_bound};
    ir_walk_pattern(&w, pattern);
    return b;
}

// Reports one fault of the alternatives at most.
static bool check_alternatives(Program *p, PatternList list) {
    PatternNames first = bound_by(p, list.at[0]);
    for (size_t i = 0; i < list.len; i++) {
        PatternNames b = bound_by(p, list.at[i]);
        if (!roles_subset(b.names, first.names) || !roles_subset(first.names, b.names)) {
            Diag *d = diag_report(p->diags, list.at[i]->at, DIAG_MISPLACED,
                                  "alternative patterns bind different names");
            diag_help(d, "write a separate `case` for each alternative");
            return false;
        }
        if (i + 1 == list.len || !matches_all(list.at[i])) continue;
        diag_report(p->diags, list.at[i]->at, DIAG_MISPLACED,
                    "this pattern matches everything and makes the remaining alternatives "
                    "unreachable");
        return false;
    }
    return true;
}

typedef struct PatternCheck { Program *p; bool fine; } PatternCheck;

static bool find_alternatives(void *cx, const Pattern *pattern) {
    PatternCheck *c = cx;
    if (c->fine && pattern->kind == PATTERN_MATCH_OR)
        c->fine = check_alternatives(c->p, pattern->match_or.patterns);
    return c->fine;
}

static bool check_pattern(Program *p, const Pattern *pattern) {
    PatternCheck c = {p, true};
    IrWalker w = {.cx = &c, .pattern = find_alternatives};
    ir_walk_pattern(&w, pattern);
    PatternNames b = bound_by(p, pattern);
    if (c.fine && b.twice != NULL)
        diag_report(p->diags, b.twice->at, DIAG_MISPLACED,
                    "multiple assignments to name `%s` in pattern", pattern_name(b.twice));
    return c.fine && b.twice == NULL;
}

static void check_cases(Program *p, const Stmt *s, Around around) {
    MatchCaseList cases = s->match.cases;
    for (size_t i = 0; i < cases.len; i++) {
        const MatchCase *c = cases.at[i];
        bool fine = check_pattern(p, c->pattern);
        if (fine && c->guard == NULL && matches_all(c->pattern) && i + 1 < cases.len) {
            Diag *d = diag_report(p->diags, c->pattern->at, DIAG_MISPLACED,
                                  "this pattern matches everything and makes the remaining cases "
                                  "unreachable");
            diag_help(d, "make this `case` the last one");
        }
        check_block(p, c->body, around);
    }
}

static void check_stars(Program *p, const Expr *target) {
    ExprList parts;
    if (target->kind == EXPR_TUPLE) parts = target->tuple.elts;
    else if (target->kind == EXPR_LIST) parts = target->list.elts;
    else return;
    size_t stars = 0;
    for (size_t i = 0; i < parts.len; i++) {
        bool star = parts.at[i]->kind == EXPR_STARRED;
        stars += star;
        if (star && stars == 2)
            diag_report(p->diags, parts.at[i]->at, DIAG_MISPLACED,
                        "multiple starred expressions in assignment");
        check_stars(p, parts.at[i]);
    }
}

// The rest of an `elif` chain is the statement in its `else`.
static void check_if(Program *p, const Stmt *s, Around around) {
    for (;;) {
        check_block(p, s->if_.body, around);
        if (s->if_.orelse.len != 1 || s->if_.orelse.at[0]->kind != STMT_IF) break;
        s = s->if_.orelse.at[0];
    }
    check_block(p, s->if_.orelse, around);
}

// A class that is no declaration of the module may stand where its base does.
static void note_inside(Program *p, const Stmt *class_) {
    const Decl *own = program_find(p, class_->class_def.name);
    if (own != NULL && own->stmt == class_) return;
    for (size_t i = 0; i < class_->class_def.bases.len; i++) {
        const Expr *base = class_->class_def.bases.at[i];
        if (base->kind == EXPR_SUBSCRIPT) base = base->subscript.value;
        Decl *d = base->kind == EXPR_NAME ? program_find(p, base->name.id) : NULL;
        if (d != NULL) d->inherited_inside = true;
    }
}

static void check_statement(Program *p, const Stmt *s, Around around) {
    Around loop = {around.in_function, true};
    switch (s->kind) {
    case STMT_BREAK:
        if (!around.in_loop) misplaced(p, s, "break", "loop");
        break;
    case STMT_CONTINUE:
        if (!around.in_loop) misplaced(p, s, "continue", "loop");
        break;
    case STMT_RETURN:
        if (!around.in_function) misplaced(p, s, "return", "function");
        break;
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF:
        check_block(p, s->function_def.body, (Around){true, false});
        break;
    case STMT_CLASS_DEF:
        note_inside(p, s);
        check_block(p, s->class_def.body, (Around){false, false});
        break;
    case STMT_IF: check_if(p, s, around); break;
    case STMT_FOR: case STMT_ASYNC_FOR:
        check_stars(p, s->for_.target);
        check_block(p, s->for_.body, loop);
        check_block(p, s->for_.orelse, around);
        break;
    case STMT_WHILE:
        check_block(p, s->while_.body, loop);
        check_block(p, s->while_.orelse, around);
        break;
    case STMT_WITH: case STMT_ASYNC_WITH: check_block(p, s->with.body, around); break;
    case STMT_TRY: case STMT_TRY_STAR:
        check_block(p, s->try.body, around);
        check_handlers(p, s->try.handlers, around);
        check_block(p, s->try.orelse, around);
        check_block(p, s->try.finalbody, around);
        break;
    case STMT_MATCH: check_cases(p, s, around); break;
    case STMT_ASSIGN:
        for (size_t i = 0; i < s->assign.targets.len; i++) check_stars(p, s->assign.targets.at[i]);
        break;
    case STMT_DELETE: case STMT_TYPE_ALIAS: case STMT_AUG_ASSIGN: case STMT_ANN_ASSIGN:
    case STMT_RAISE: case STMT_ASSERT: case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_GLOBAL:
    case STMT_NONLOCAL: case STMT_EXPR: case STMT_PASS: case STMT_CHOREO: case STMT_OFFER:
    case STMT_STOPPED: case STMT_TAPE: case STMT_KEEP:
    case STMT_BACK: case STMT_COUNT:
        break;
    }
}

static void check_block(Program *p, StmtList block, Around around) {
    for (size_t i = 0; i < block.len; i++) check_statement(p, block.at[i], around);
}

// `a + a + ...`, `o.m().m()...`: CPython before 3.13 gives up at about 3,000 links.
static bool check_chain(void *cx, const Expr *e) {
    enum { LONGEST = 1000 };
    Program *p = cx;
    size_t links = 0;
    for (const Expr *at = e; at != NULL && links <= LONGEST; at = expr_spine_child(at)) links++;
    if (links <= LONGEST) return true;
    Diag *d = diag_report(p->diags, e->at, DIAG_NESTING,
                          "more than %d operators, calls and attributes in one chain", LONGEST);
    diag_help(d, "assign part of the expression to a variable");
    return false;
}

void python_rules_check(Program *p, StmtList module, IrIndex index) {
    IrWalker chains = {.cx = p, .expr = check_chain};
    check_block(p, module, (Around){false, false});
    const IrKinds kinds = {.exprs = ~(IR_KIND(EXPR_NAME) | IR_KIND(EXPR_CONSTANT))};
    if (p->functions.len > 0) ir_index_walk(&chains, index, kinds);     // else no program comes out
}
