// internal.h - what the files of virtualization share.
//
// The tree is walked once, in the order of the text. Every construct decides at its start whether
// it is rewritten; edits at one place come out in the order in which they are made, so that what
// opens around something is inserted before what is inside, and what closes behind it.

#ifndef PYCHORAL_VIRTUALIZE_INTERNAL_H
#define PYCHORAL_VIRTUALIZE_INTERNAL_H

#include "compiler/front/front.h"
#include "compiler/ir/scopes.h"
#include "compiler/virtualize/virtualize.h"

// What a part of the program has in its own function: not in functions and classes inside.
enum {
    FACT_YIELD = 1, FACT_AWAIT = 2, FACT_WALRUS = 4,
    FACT_RETURN = 8, FACT_BREAK = 16, FACT_CONTINUE = 32,      // jumps that leave it
    FACT_DECLARES = 64,         // `global`, `nonlocal`
    FACT_ANNOTATES = 128,       // an annotated assignment to a simple name
    FACT_IMPORT_STAR = 256,
    FACT_SUPER = 512,           // super() without arguments
    FACT_LOCALS = 1024,         // mentions `locals`, `vars`, `dir` or `exec`
    FACT_UNBOUND = 2048,        // a handler mentions `UnboundLocalError`
    FACT_REVIVES = 4096,        // a `try` that waits may go on after GeneratorExit
    FACT_UNMENDED = 8192,       // a handler that waits may catch NameError
    FACT_CATCHES = 16384,       // `try`, `with`
    FACT_JUMPS = FACT_RETURN | FACT_BREAK | FACT_CONTINUE,
};

// A function, lambda, class or module whose text is being rewritten.
typedef struct Frame {
    const Block *block;
    bool generator, async;
    bool observes;              // a function that may look at its own frame
    const char *first;          // the first parameter, if it is never bound again
    Vec(Sym) made;              // names that thunks bind
    uint32_t rest;              // where statements begin that stand in a thunk now
} Frame;

typedef enum JumpMode { JUMP_PLAIN, JUMP_SIGNAL } JumpMode;

// What becomes of a value next. Python asks each operand of nested `and` and `or` for its truth
// once: who asks next is told what was found (hook.def: and_part).
typedef enum Asked {
    ASKED_NO,
    ASKED_OPERAND,              // an operand of a hooked `and` or `or` that is not the last
    ASKED_PLAIN,                // the same of one that stays as it is
    ASKED_TEST,                 // a test: nothing but its truth is wanted
} Asked;

// Where the walk is.
typedef struct Where {
    Frame   *frame;
    const Block *block;         // of the frame, or of a comprehension in it
    JumpMode leave, loop;       // what `return`, and what `break` and `continue` become
    bool     moved;             // in a thunk or lambda of the frame
    bool     turn;              // in the body of a loop that is a thunk, and in nothing inside it
    bool     inactive;          // outside the function that is asked for, or switched off
    unsigned depth;             // brackets that were inserted around
    char     quote;             // for inserted strings; 0: none is free in the f-strings around
    Asked    asked;             // of the expression that comes next
    unsigned indented;          // by how many blanks lines have moved
} Where;

typedef struct Virt {
    Arena *arena;
    Names *names;
    const Source *source;
    const VirtualizeOptions *options;
    TokenList tokens;
    unsigned  max_depth;        // how many brackets may be inserted around one another
    Scopes scopes;
    Table *facts;               // of compound statements
    const char *prefix;
    unsigned number;            // of the last thunk
    Where w;
    Edits edits;
    Vec(BoundName) bound;
    Table *bound_by_name;
    Vec(PlainSite) plain;
    size_t changed[HOOK_COUNT];
    Vec(Span) off;              // regions that are switched off, in order
    Table *entered;             // blocks of functions that are rewritten
    Table *boxed;               // whether a Symbol is in a box, as far as it was asked
    Table *shown;               // names in fields of f-strings that print their own text
    Table *left;                // blocks of functions that are marked plain
    Table *kept;                // Symbols that a `try` or a `match` binds which stays plain
} Virt;

// ---- facts.c ----

unsigned facts_of_expr(Virt *v, const Expr *e);                 // NULL: none
unsigned facts_of_stmts(Virt *v, StmtList list);
unsigned facts_of_stmt(Virt *v, const Stmt *s);
bool     block_observes(const Block *b);
bool     is_elif(const Virt *v, const Stmt *s);                 // of an `If` in an `orelse`

// ---- text.c ----

const char *virt_text(Virt *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
void virt_put(Virt *v, uint32_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void virt_replace(Virt *v, Span at, const char *format, ...) __attribute__((format(printf, 3, 4)));

// The first token that starts there or later: any, one that closes no parenthesis, one of a kind.
const Token *token_from(const Virt *v, uint32_t at);
const Token *token_past_parens(const Virt *v, uint32_t at);
const Token *token_of_kind(const Virt *v, uint32_t at, int kind);
const Token *token_before(const Virt *v, uint32_t at);  // the last that starts before
Span token_with_blanks(const Virt *v, const Token *t);  // and the blanks around it

uint32_t    virt_line_end(const Virt *v, uint32_t at);  // of the logical line that goes on at `at`
const char *virt_indent(Virt *v, uint32_t at);  // what comes before the first token of a line
void        virt_indent_lines(Virt *v, uint32_t from, uint32_t to);     // by one blank
bool        virt_starts_line(const Virt *v, uint32_t at);

typedef struct Suite { uint32_t first; bool block; const char *indent; } Suite;
Suite suite_behind(Virt *v, const Token *colon);
void  suite_put(Virt *v, const Suite *s, const char *statements);       // at its start; "": nothing

const char *use_hook(Virt *v, HookId id, HookForm form);        // the name that it is bound to
const char *use_default(Virt *v, HookId id);            // the overload's hook, or Python's meaning
const char *use_derived(Virt *v, const char *name);
const char *use_helper(Virt *v, const char *name);
const char *quoted(Virt *v, const char *name);
Sym mangled(Virt *v, Sym name);

void note_changed(Virt *v, HookId id);
void note_plain(Virt *v, Span at, HookId id, const char *why);
// Whether a hook is there and in force here.
bool wants(const Virt *v, HookId id);
bool is_off(const Virt *v, Span at);
void find_off(Virt *v);

// ---- expr.c ----

void virt_expr(Virt *v, const Expr *e);                 // NULL: nothing
void virt_exprs(Virt *v, ExprList list);                // of which some may be absent
// The same, for something that stands as an argument then: tuples and `yield` get parentheses.
void virt_argument(Virt *v, const Expr *e);
void virt_test(Virt *v, const Expr *e);                 // what is asked for its truth
void virt_asked(Virt *v, const Expr *e, Asked asked);
void virt_lambda_body(Virt *v, const Expr *e);          // in a lambda that was inserted
// Whether an expression becomes a call of the hook, with so many brackets; notes why not. `why` may
// be known already.
bool virt_takes(Virt *v, const Expr *e, HookId hook, unsigned brackets, const char *why);
const char *why_no_string(const Virt *v);               // NULL: one may be inserted
// Why no lambda may be put around an expression; NULL: it may.
const char *why_no_lambda(Virt *v, unsigned facts);
// `o.a` as two arguments: the dot and the name are replaced.
void replace_attribute(Virt *v, const Expr *e);
void replace_index(Virt *v, const Expr *e, const char *end);   // the same of `o[i]`
bool deep_enough(const Virt *v, unsigned more);         // `more` brackets around are too many

// ---- fstring.c ----

void virt_fstring(Virt *v, const Expr *e);

// ---- boxed.c ----

void find_unboxed(Virt *v, StmtList module);
bool is_boxed(Virt *v, Sym name);                       // as the place sees it
bool virt_boxed_assign(Virt *v, const Stmt *s);         // `x = e`, if `x` is in a box
const char *boxed_value(Virt *v, Sym name);             // `_pc_read(x)`, or `x`
const char *box_target(Virt *v, Sym name, bool deleted);        // of one in a box
const char *make_boxes(Virt *v, const Arguments *args, StmtList body);  // "" or statements
void find_kept_names(Virt *v, StmtList body);           // of the function that has been entered
bool binds_by_itself(const Virt *v, Sym name);          // a `def`, `class` or `import` of the frame
const char *rebox(Virt *v, Sym name);                   // after that, if it is in a box
void virt_import(Virt *v, const Stmt *s);
void virt_import_from(Virt *v, const Stmt *s);
void virt_named(Virt *v, const Expr *e);

// ---- target.c ----

void virt_target(Virt *v, const Expr *e);
void virt_aug_assign(Virt *v, const Stmt *s);
bool target_is_simple(Virt *v, const Expr *e);          // names, and tuples of them
const char *target_text(Virt *v, const Expr *e);        // of a simple one

// ---- stmt.c ----

void virt_stmts(Virt *v, StmtList list);
void virt_module(Virt *v, StmtList body);
bool is_marked_plain(ExprList decorators);              // with pychoral.virtual.plain
uint32_t stmt_start(const Virt *v, const Stmt *s);      // of its decorators, if it has some
// The body of a function, in a frame of its own.
Where frame_enter(Virt *v, const Block *block, const Arguments *args, unsigned facts, bool async,
                  Span at);
void  frame_leave(Virt *v, Where outer);

// ---- thunk.c: what the statement hooks share ----

typedef struct Defined { Vec(const char *) names; } Defined;

typedef struct Shape {          // of a statement hook at a place
    HookId      hook;
    HookForm    form;
    const char *indent;
    unsigned    facts;          // of what becomes thunks
    Defined    *defined;        // the names that are gone behind the statement
    bool        lacks_form;     // the overload does not define it
} Shape;

// Whether a statement is rewritten; reports why not.
bool shape_of(Virt *v, const Stmt *s, HookId hook, unsigned facts, Shape *shape);
bool shape_fits(Virt *v, const Stmt *s, HookId hook, unsigned facts, Shape *shape,
                const char **why);                      // NULL: the hook is not wanted

// A name of ours that the statement needs.
const char *define(Virt *v, const Shape *h, char letter, unsigned n);
// `def _pc_b1(parameter):` without the colon.
const char *thunk_head(Virt *v, const Shape *h, char letter, unsigned n, const char *parameter);
// What stands at the start of a thunk that binds `names`: declarations, `0 and (yield)`.
const char *thunk_start(Virt *v, const Shape *h, SymList names, unsigned facts);
SymList names_of(Virt *v, const Expr *e, StmtList body);
const char *local_writes(Virt *v, SymList names);
// Rewrites a suite as the body of a thunk: behind `colon`, which stays; `more` stands first.
void thunk_suite(Virt *v, const Shape *h, const Token *colon, StmtList body, SymList names,
                 const char *more);
// Rewrites a part of a header that becomes `return (part)` of a thunk.
void thunk_expr(Virt *v, const Expr *e);
const char *orelse_name(Virt *v, const Shape *h, bool present, unsigned n);
const char *hook_call(Virt *v, const Shape *h, const char *arguments);
// The call of the hook behind the statement, and the jumps that leave it.
void hook_end(Virt *v, const Shape *h, uint32_t at, const char *call, unsigned jumps);
Where thunk_enter(Virt *v);

// ---- control.c, block.c ----

void virt_if(Virt *v, const Stmt *s);
bool virt_if_rest(Virt *v, StmtList list);      // the first, and as its rest the others
void virt_while(Virt *v, const Stmt *s);
void virt_for(Virt *v, const Stmt *s);
void virt_with(Virt *v, const Stmt *s);
void virt_try(Virt *v, const Stmt *s);
void virt_match(Virt *v, const Stmt *s);
bool is_try_hooked(Virt *v, const Stmt *s);
bool is_match_hooked(Virt *v, const Stmt *s);
Sym  captured_name(const Pattern *p);           // NULL: it binds none itself

#endif
