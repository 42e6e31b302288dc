// projection_internal.h - what the files of the projector share.
//
// A *half* is what one definition is at one of its formal roles. Its body is made as `Code`: a
// linked list of statements that shares its tails, so that an arm of an `if` can hold all that
// follows (docs/projection.md, "Projection": arms that jump are completed before they are merged)
// without anything being copied. `code_finish` makes statements of it.

#ifndef PYCHORAL_PROJECTION_INTERNAL_H
#define PYCHORAL_PROJECTION_INTERNAL_H

#include "compiler/base/diag.h"
#include "compiler/base/vec.h"
#include "compiler/ir/ir_index.h"
#include "ir_gen.h"
#include "compiler/base/table.h"

// ---- sites.c: which communications have one number ----

typedef struct Sites Sites;

// Two statements that are one from now on: their communications, in order, have one number.
typedef struct OneStmt { const Stmt *kept, *other; } OneStmt;
typedef struct OneStmts { OneStmt *at; size_t len, cap; } OneStmts;

// Every communication of the unit by itself.
Sites   *sites_open(Arena *a, IrIndex index);
void     sites_unite(Sites *sites, const Stmt *kept, const Stmt *other);
// All of them in source order, numbered from 1 in that order.
SiteList sites_number(const Sites *sites);

// ---- for endpoints.c ----

// One projection of a unit.
typedef struct ProjectCx {
    Arena        *arena;
    Names        *names;
    const Source *source;
    const Unit   *unit;
    Diags        *diags;
    Table        *identifiers;      // every name that the unit uses, as key
    Table        *bound;            // every name that the unit binds, as key
    Table        *halves;           // Choreo statement -> Table: formal -> StmtList *
    Table        *half_names;       // name -> Table: formal -> Sym
    Table        *type_vars;        // names of TypeVars, as key
    Table        *open_calls;       // names of callees whose result is `Any` for their callers
    const Stmt   *last;             // the definition behind which nothing runs: the entry; or NULL
    bool          adds_any;         // to the names that the source mentions
    Sites        *sites;            // of the unit's communications
} ProjectCx;

ProjectCx project_open(Arena *a, Names *names, const Source *source, const Unit *checked,
                       IrIndex index, Diags *diags);

// The half of a module-level `Choreo` for one of its formal roles: a list of one definition, whose
// body is projected, merged and normalised. Errors are reported once; what they leave is still a
// half. The same list is given for the same arguments.
StmtList project_definition(ProjectCx *cx, const Stmt *choreo, Sym formal);

// `name_formal`, which calls of that half and annotations use; underscores are added when the unit
// uses that name for something else.
Sym project_half_name(ProjectCx *cx, Sym name, Sym formal);

// ---- code ----

typedef struct Code Code;

// A loop that this role runs. Jumps know their loop by these very statements, so that a jump merges
// with a jump of the same loop only.
typedef struct Loop {
    const Stmt *again, *leave;      // its `continue` and its `break`
    bool        endless;            // nothing leaves it but a return or a raise
    const struct Loop *outer;
} Loop;

typedef struct Branch {
    const Expr *label;              // of an Offer's arm; NULL in others
    Span        at;
    const Code *body;
} Branch;

// A statement and what follows it in its block. NULL is the end of a block: control goes on behind
// it. A statement with `branches` has no blocks itself: they are the arms of an `If`, an `Offer` or
// a `Match`, the body of a `With`; of a `Try` the body, each handler, `else`, `finally`. A loop has
// its body, and its `else` if the role decides on the rounds.
struct Code {
    const Stmt   *stmt;             // NULL if `poison`
    const Code   *next;
    const Code   *end;              // the last cell
    const Code   *jump;             // some later cell, so that a suffix is found in log time
    size_t        len;              // statements from here on
    bool          poison;           // nobody knows what is here: an error was reported
    bool          closed;           // every path ends in a jump or a raise
    const Branch *branches;
    size_t        branch_count;
    const Loop   *loop;             // of a loop
};

const Code *code_cons(Arena *a, const Stmt *s, const Code *next);
const Code *code_choice(Arena *a, const Stmt *head, const Branch *branches, size_t count,
                        const Code *next);
const Code *code_loop(Arena *a, const Stmt *head, const Loop *loop, const Branch *branches,
                      size_t count, const Code *next);
// The cell with other branches, and with something else behind it.
const Code *code_put(Arena *a, const Code *model, const Branch *branches, const Code *next);
const Code *code_poison(Arena *a);              // after an error: merges with anything
bool        code_poisoned(const Code *c);       // its end is poison
// Others go no further: the end of the path for those who know that it is taken. Merges with
// anything.
const Code *code_stopped_by(Arena *a, Span at, SymList peers);
bool        code_stopped(const Code *c);
bool        code_closed(const Code *c);         // control never goes on behind it
// The code, then `rest` where it falls through.
const Code *code_append(Arena *a, const Code *c, const Code *rest);
// The longest list that both end with, as pointers.
const Code *code_shared(const Code *a, const Code *b);
const Code *code_suffix(const Code *c, size_t len);     // its last `len` statements
bool        stmt_is_loop_jump(const Stmt *s);           // `break` or `continue`
// The first cells of the code, without the suffix.
const Code *code_without(Arena *a, const Code *c, const Code *suffix);
bool        code_cell_equal(const Code *a, const Code *b);      // the statement with its branches
// A choice whose branches go on to the end of the function or loop: puts what they have in common
// with `tail` (all that follows the choice) behind it. `whole` allows to move more than `tail`
// has, but never behind a branch in which a raise has ended the run; then `ones`, which may be NULL
// otherwise, is told of what becomes one by that.
const Code *code_join(Arena *a, const Stmt *head, const Branch *branches, size_t count,
                      const Code *tail, bool whole, OneStmts *ones);

// ---- one half ----

// Where a name occurs in a function.
typedef struct Usage { uint32_t start, end; bool captured; } Usage;

typedef struct Half {
    ProjectCx  *cx;
    Arena      *arena;
    Sym         role;
    const Stmt *choreo;             // the module-level choreography
    const Stmt *function;           // the FunctionDef whose body this is
    bool        result_here;        // `return e` keeps its value
    bool        goes_on;            // somebody does when this function has ended: its caller
    Table      *annotations;        // variable -> const Expr *: as declared
    Table      *usage;              // name -> Usage *; made when it is first asked for
    Table      *used;               // names that this role needs; made when it is first asked for
    const Code *end, *again, *leave;        // `return`, `continue`, `break`
    const Code *mere_leave;         // a `break` alone; NULL: none from here
    StmtList    preceding, following;       // around the statement that is projected, in its block
    const Loop *loop;               // the innermost one that is being projected, or printed
    Table      *idle;               // loop -> is this role idle in its rounds?; made when asked
    bool        quiet;              // only asking what the role does: reports nothing
    Vec(const Stmt *) before;       // what must run before the statement that is being projected
    size_t      temps;              // fresh names in this statement
    bool        any_temps;
    const Expr *direct;             // a receipt that needs no name of its own
    bool        reported;           // an error of this half was reported
    bool        no_case;            // the other arm is that of a match without a case
    const Stmt *arms_of;            // the choice, where it is no `if` and no loop; else NULL
    const char *arm_words[2];       // what messages call the arms of the choice: "in the handler"
    StmtList    arm_blocks[2];      // these arms
} Half;

// type_vars.c
void        type_vars_note(ProjectCx *cx, StmtList module);
// What no parameter of the half says is not known to its callers: `Any`. `outer`: the class.
const Stmt *type_vars_close(ProjectCx *cx, const Stmt *outer, const Stmt *function);

Sym         type_vars_callee(const Expr *func);
// Whether the half that is called cannot say what it gives: its result is `Any`.
bool        type_vars_open_result(Half *h, const Expr *inst, const Expr *callee);

bool role_in(SymList roles, Sym role);

// project.c
Sym         project_any_name(ProjectCx *cx);            // `Any` of typing
Sym         project_runtime_name(ProjectCx *cx, const char *name);  // of Unit, Channel
bool        project_needs(Half *h, Sym name);   // does this role use the local definition?
const Expr *project_annotation(Half *h, const Expr *e);     // NULL: not at this role
const Expr *project_half_of(Half *h, const Expr *target, Sym formal);
const Stmt *project_nested(Half *h, const Stmt *def);       // of a nested Choreo
Span        block_span(StmtList block);

// project_expr.c, evaluation_order.c: gives the expression at this role, or NULL when its value is
// elsewhere. What it does here apart from giving the value, and what Python evaluates before that,
// goes to `before`.
const Expr *project_expr(Half *h, const Expr *e);
const Expr *project_value(Half *h, const Expr *e);      // as above; it may be a receipt itself
const Expr *project_inner(Half *h, const Expr *e);      // where evaluation is conditional
const Expr *project_target(Half *h, const Expr *e, bool value_here);
const Expr *project_ignored(Half *h, const Expr *target);
void        project_discard(Half *h, const Expr *e);    // evaluate for the effects; NULL is fine
const Expr *project_or_unit(Half *h, const Expr *e, Span at);
bool        project_changes_fields(Half *h, size_t mark);   // may what was added since?
void        project_hold(Half *h, const Expr **held, size_t count, size_t mark);
// Binds the value to a fresh name at `before[mark]`, and gives that.
const Expr *project_bind(Half *h, const Expr *e, size_t mark);
bool        expr_is_pure(const Expr *e);                // cannot act or raise

// control_flow.c
typedef enum Jumps {
    JUMP_RETURN = 1, JUMP_BREAK = 2, JUMP_CONTINUE = 4,
    JUMP_ROUND = 8,                 // back to the head of a loop in the statement
} Jumps;
unsigned jumps_of(const Stmt *s);               // a set of Jumps: ways out but to what follows
unsigned jumps_of_if(const Stmt *s);
unsigned jumps_of_block(StmtList block);
bool     arms_end_apart(const Stmt *s, Sym role);    // what follows belongs to each arm
bool     never_returns(const Expr *e);           // a call whose type says so
bool     surely_raises(StmtList block, SymList deciders);   // every path ends in a raise at one

// project_stmt.c
const Code *project_block(Half *h, StmtList block, const Code *rest);
// What the expressions of a statement left in `before` from `mark` on, then the rest.
const Code *project_before(Half *h, size_t mark, const Code *rest);
const Code *project_emit(Half *h, size_t mark, const Stmt *s, const Code *rest);

// project_if.c, project_loop.c, project_match.c, project_guarded.c
const Code *project_if(Half *h, const Stmt *s, const Code *rest);
const Code *project_while(Half *h, const Stmt *s, const Code *rest);
const Code *project_for(Half *h, const Stmt *s, const Code *rest);
const Code *project_with(Half *h, const Stmt *s, const Code *rest);
const Code *project_try(Half *h, const Stmt *s, const Code *rest);
const Code *project_match(Half *h, const Stmt *s, const Code *rest);
bool        project_match_is_total(const Stmt *s);      // its last case takes everything

// loop_exit.c
// What follows the loop, closed: its own `break` at the end if control may come to an end here.
const Code *loop_leave(Half *h, const Loop *loop, const Code *rest);
// `head`, a `while True`, round `body`, whose paths go on with `leave` (of `rest`) or round again.
const Code *loop_close(Half *h, const Stmt *head, Loop *loop, const Code *body,
                       const Code *leave, const Code *rest);

// project_match.c: arms of a choice that is no `if`.
typedef struct ArmCode {
    StmtList    block;
    const Code *code;
    const char *word;               // what messages call it
} ArmCode;
// One code for all arms of the choice `s`, which `head` decides; reports where there is none.
const Code *project_merge_arms(Half *h, const Stmt *s, const Expr *head, const ArmCode *arms,
                               size_t count, const Code *tail);
// The same, and nothing reported: *ok says whether there is one. (Arms that need the names of what
// follows them may merge one after the other only.)
const Code *project_merge_halves(Half *h, const ArmCode *arms, size_t count, const Code *tail,
                                 bool *ok);
// Code of a choice whose arms hold `tail` already, unless that is NULL; then what follows.
const Code *project_after(Half *h, const Code *code, const Code *tail, const Code *rest);

// merge.c: one code for both arms of a choice that this role does not make; NULL with the reason in
// *clash. `tail` is what follows, when both arms hold it.
typedef struct Clash {
    const Code *left, *right;       // from the first difference on; NULL: nothing more
    const Expr *label;              // told in both arms, and still they differ; NULL
} Clash;
const Code *merge_arms(Half *h, Span left_arm, Span right_arm, const Code *left,
                       const Code *right, const Code *tail, Clash *clash, bool *ok);

// choice.c: of an `if`, or of a loop.
SymList choice_deciders(const Stmt *choice);
void choice_report(Half *h, const Stmt *choice, const Clash *clash);
// choice_edit.c
const Expr *choice_selection(const Stmt *s);     // that the statement is, or NULL
// Adds the help, with the selections to insert as edits where they are certain.
// The choice is an `if`, or a loop, or as `arms_of` says. Says what to do, as edits if these are
// known (then true is given), else in words if these are wanted.
bool choice_help(Half *h, Diag *d, const Stmt *choice, bool words);
// Does the role do nothing in the block before that statement of it?
bool choice_comes_first(Sym role, StmtList block, const Stmt *told);
// choice_rounds.c
// The help for a loop in which branches of a round begin with a selection for the role: one for all
// of them would come on top of it. False, and nothing said, where none does.
bool rounds_help(Half *h, Diag *d, const Stmt *loop);

// choice_text.c: places are offsets into the source, edits are text of the file around them.
const char *text_indentation(Half *h, uint32_t place);          // of the line
bool        text_starts_line(Half *h, uint32_t place);          // only blanks before it
bool        text_ends_line(Half *h, uint32_t place);            // nothing behind it
bool        text_line_begins(Half *h, uint32_t place, const char *word);
// The end of the line, if only a comment follows; else the place itself.
uint32_t    text_line_end(Half *h, uint32_t place);
// The end of a block's last line, or of the comments below with the indentation of the first.
uint32_t    text_block_end(Half *h, uint32_t first, uint32_t last);
bool        text_same_file(Half *h, Span a, Span b);
// Whether the file uses the name, perhaps in a comment only.
bool        text_uses_name(Half *h, uint32_t place, const char *name);
// What the file around `here` calls an enum; NULL: nothing that is known.
const char *text_enum(Half *h, Sym enum_, Span here);
// What a new enum of that file derives from, and whether it is to be imported; NULL: not known.
const char *text_enum_base(Half *h, Span here, bool *import);
// Where a definition of a module starts, with its decorators.
uint32_t    text_definition_place(Half *h, Span def);
// The end of the last import at the top of the file; `before`, where a definition is, without one.
uint32_t    text_import_place(Half *h, uint32_t before);
// A jump out of what the role drops: a `break`, or a `return`.
void choice_report_jump(Half *h, const Stmt *dropped, bool breaks, const Clash *clash);

// normalise.c
typedef enum BlockEnd { BLOCK_FALLS, BLOCK_RETURNS, BLOCK_CONTINUES } BlockEnd;
// Statements of the code; a jump that says what happens anyway is left out. May be empty.
StmtList code_finish(Half *h, const Code *c, BlockEnd end);
StmtList block_or_pass(Half *h, StmtList block, Span at);
// Gives temporaries their names and first bindings their annotations.
StmtList normalise_names(Half *h, StmtList body, const Arguments *args);

// ---- generated_names.c ----

// Reports what the module calls like something that generated programs need.
void generated_names_check(ProjectCx *cx, StmtList body, IrIndex index);
void generated_any_check(ProjectCx *cx, StmtList body);         // when all halves are made

const char *project_roles_text(Arena *a, SymList roles);         // "A, B and C"

#endif
