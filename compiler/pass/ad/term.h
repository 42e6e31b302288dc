// term.h - terms of the array language: expressions of tag @array, made once (hash-consing).
//
// Every constructor computes the type of its result by the typing rules of the core language and
// answers the one node that stands for it: equal terms are one object, so common subterms are
// shared by construction, and a term is a graph without cycles whose order of making is an order of
// evaluation. There is no `let` inside: sharing is what a name would say (term_unit.h puts names
// in where terms become text).
//
// Binders (`Build`, `Gather`, `Scatter`, `Loop`) are named by height: the variable of a binder is
// numbered one above every binder inside its body, so that terms that differ in bound names only
// are one object too. Whoever looks into a body opens it, which puts new variables in for the bound
// ones.
// Constructors take what is well typed; whoever reads programs (stage.h) says what is not.

#ifndef PYCHORAL_AD_TERM_H
#define PYCHORAL_AD_TERM_H

#include "compiler/pass/ad/size.h"

typedef enum Elem { ELEM_FLOAT, ELEM_INT, ELEM_BOOL, ELEM_COUNT } Elem;

typedef struct Terms Terms;
struct Table;

Terms *terms_new(Arena *a, Names *names);
Arena *terms_arena(const Terms *t);
Names *terms_names(const Terms *t);

// ---- sizes and types ----

const Ty *size_number(Terms *t, int64_t number);
const Ty *size_name(Terms *t, Sym name);
const Ty *size_of_poly(Terms *t, Poly p);
Poly      size_poly(Terms *t, const Ty *size);
const Ty *size_mul(Terms *t, const Ty *x, const Ty *y);
const Ty *size_clamped(Terms *t, const Ty *length);     // max(length, 0), a name of its own ..
const Poly *size_clamped_of(const Terms *t, Sym name);  // .. that is this one's; NULL: another name
const Ty *size_quotient(Terms *t, const Ty *size, int64_t by);      // rounded down; by > 0
const Poly *size_quotient_of(const Terms *t, Sym name, int64_t *by); // NULL: the name is not one
// A bound of x above or below without names of quotients: by * (p // by) is at most p.
Poly      size_unquotient(Terms *t, Poly x, bool above);
const Ty *size_rounds(Terms *t, const Ty *size);        // n for max(n, 0): equal as a range's end
bool      size_is(Terms *t, const Ty *size, int64_t number);
void      size_fill(Terms *t, const Ty *size);          // with it as 0 nothing is asked for ..
bool      size_is_filled(Terms *t, const Ty *size);     // .. or it is never 0

// What is found out of terms while no size of a shape is 0 (elementwise.c).
struct Table *size_facts(Terms *t, TyList shape);
const Ty *size_of_term(Terms *t, const Expr *e);    // NULL: e is no size
const Expr *term_of_size(Terms *t, const Ty *size); // a scalar of int
const Expr *size_shown(Terms *t, const Ty *size);   // as Python's: `max(n, 0)`
void      size_print(Buf *b, Poly size);            // n - k + 1

const Ty *term_ty(Terms *t, Elem elem, TyList shape);
Elem      ty_elem(const Ty *ty);
TyList    ty_shape(const Ty *ty);
static inline Elem   term_elem(const Expr *e)  { return ty_elem(e->ty); }
static inline TyList term_shape(const Expr *e) { return ty_shape(e->ty); }
static inline size_t term_rank(const Expr *e)  { return ty_shape(e->ty).len; }

TyList shape_cons(Terms *t, const Ty *size, TyList shape);
TyList shape_join(Terms *t, TyList x, TyList y);
TyList shape_drop(TyList shape, size_t n);
bool   shape_equal(TyList x, TyList y);

// Polynomials of scalars of int; false: not built of numbers, names and `+ - *`.
bool        term_poly(Terms *t, const Expr *e, Poly *p);
const Expr *term_of_poly(Terms *t, Poly p);

// ---- constructors ----

ExprList term_list(Terms *t, const Expr *first, const Expr *second);    // second may be NULL
ExprList term_join(Terms *t, ExprList x, ExprList y);
ExprList term_drop(ExprList x, size_t n);

const Expr *term_int(Terms *t, int64_t number);
const Expr *term_float(Terms *t, double number);
const Expr *term_bool(Terms *t, bool truth);
const Expr *term_name(Terms *t, Sym name, const Ty *ty);
const Expr *term_variable(Terms *t);            // a new index variable

const Expr *term_binary(Terms *t, Operator op, const Expr *x, const Expr *y);    // & | of tests
const Expr *term_negate(Terms *t, const Expr *x);
const Expr *term_not(Terms *t, const Expr *x);
const Expr *term_compare(Terms *t, Cmpop op, const Expr *x, const Expr *y);
const Expr *term_call(Terms *t, Sym function, Elem elem, ExprList args);    // np.FUNCTION(..)
const Expr *term_call1(Terms *t, const char *function, Elem elem, const Expr *x);

const Expr *term_index(Terms *t, const Expr *x, ExprList place);
const Expr *term_iota(Terms *t, const Ty *size);
const Expr *term_build(Terms *t, const Expr *index, const Ty *size, const Expr *body);
const Expr *term_gather(Terms *t, TyList shape, const Expr *x, ExprList indices, ExprList place);
const Expr *term_scatter(Terms *t, TyList shape, const Expr *x, ExprList indices, ExprList place);
const Expr *term_reduce(Terms *t, Reduction op, const Expr *x);
const Expr *term_argsort(Terms *t, const Expr *x);
const Expr *term_replicate(Terms *t, const Ty *size, const Expr *x);
const Expr *term_transpose(Terms *t, const size_t *axes, size_t n, const Expr *x);
const Expr *term_reshape(Terms *t, TyList shape, const Expr *x);
const Expr *term_stack(Terms *t, ExprList parts);
const Expr *term_where(Terms *t, const Expr *test, const Expr *x, const Expr *y);
const Expr *term_one_hot(Terms *t, TyList shape, ExprList place, const Expr *value);
// One place for each dimension of x; NULL: all of it is meant.
const Expr *term_put_at(Terms *t, const Expr *x, ExprList places, const Expr *value,
                        const Expr *test, bool adds);

// A loop that hands arrays on from round to round. `index` and `states` are variables; a record is
// what each round keeps of itself, made before the states change.
typedef struct TermLoop {
    const Ty   *size;
    bool        down;           // from the last round to the first
    const Expr *index;
    ExprList    states, before, next, records;
} TermLoop;

const Expr *term_state(Terms *t, const Ty *ty);                 // a new variable for a state
const Expr *term_loop(Terms *t, const TermLoop *l, size_t which);
const Expr *term_loop_result(Terms *t, const Expr *loop, size_t which);     // another one of it
const Expr *term_final(Terms *t, const TermLoop *l, size_t state);      // a state after all rounds
const Expr *term_kept(Terms *t, const TermLoop *l, const Expr *record); // [size]: of each round
TermLoop    term_open_loop(Terms *t, const Expr *e);
TermLoop    term_open_loop_as(Terms *t, const Expr *e, const TermLoop *like);   // its variables

const Expr *term_fill(Terms *t, TyList shape, const Expr *scalar);      // replicated to a shape
const Expr *term_zero(Terms *t, const Ty *ty);
const Expr *term_swap(Terms *t, const Expr *x);                         // tr_{1,0}
const Expr *term_spread(Terms *t, const Expr *x, TyList shape);         // x : [k] as [k] ++ shape
const Expr *term_like(Terms *t, const Expr *e, ExprList parts);         // e, no binder, on others

// ---- looking at terms ----

// The name of an elementwise function or of `arange`; NULL: no call.
Sym term_function(const Expr *e);
bool term_is_iota(const Expr *e);
bool term_is_elementwise(const Expr *e);        // operators, calls, Where of a whole test
bool term_is_atom(const Expr *e);               // a name or a constant
const Const *term_filled_with(const Expr *e);   // a constant, also replicated; NULL: none
bool term_is_float(const Expr *e, double number);       // that one
bool term_is_int(const Expr *e, int64_t number);
size_t *term_axes(Terms *t, const Expr *transpose);     // of term_rank(e): padded

// The parts of a term outside of its binders, in order: operands, arrays, parts.
ExprList term_parts(Terms *t, const Expr *e);
ExprList term_inner(Terms *t, const Expr *e);   // and its bodies, as they are
bool term_has(Terms *t, const Expr *e, const Expr *variable);
bool term_is_closed(Terms *t, const Expr *e);   // no index variable is free

// What is bound in a binder, with new variables.
typedef struct Opened { ExprList indices; ExprList bodies; } Opened;
Opened term_open(Terms *t, const Expr *e);

// Capture-free, since values have no bound names free.
const Expr *term_with(Terms *t, const Expr *e, ExprList variables, ExprList values);

// ---- going over terms ----

// The terms that a root stands on, itself last, each behind its parts. Bodies are not entered.
ExprList term_order(Terms *t, ExprList roots);
ExprList term_order_new(Terms *t, const Expr *root, const struct Table *known); // what is not known
ExprList term_order_with(Terms *t, ExprList roots, ExprList variables); // only what has one of them

// A rewriting from the leaves up: `step` is given every node with its parts rewritten, and, when
// it is a binder, its body too. Each node is rewritten once.
typedef struct TermPass TermPass;
struct TermPass {
    Terms *terms;
    struct Table *done;
    const Expr *(*step)(TermPass *p, const Expr *e);
    // Instead of step, where the node before the rewriting matters.
    const Expr *(*step_from)(TermPass *p, const Expr *original, const Expr *e);
    void *cx;
};
const Expr *term_rewrite(TermPass *p, const Expr *root);

// How many nodes there are in the text of a term, bodies included; no more than TERM_LARGE.
enum { TERM_LARGE = 50000 };
size_t term_text_size(Terms *t, ExprList list);         // of the largest

// A source name for a term, for printing.
void term_hint(Terms *t, const Expr *e, Sym name);
Sym  term_hinted(const Terms *t, const Expr *e);

#endif
