// nest_internal.h - what the files of `nest` share.
//
// A block computes items: arrays of elements that are put, or summed, somewhere. Loops are made by
// taking one dimension of them at a time: in the body of a loop over i stands the block of what is
// left of them at i. So everything that is decided (what is stored, which loops are one) is decided
// in one place, for every depth.

#ifndef PYCHORAL_AD_NEST_INTERNAL_H
#define PYCHORAL_AD_NEST_INTERNAL_H

#include "compiler/base/table.h"
#include "compiler/pass/ad/nest.h"
#include "compiler/pass/ad/term_internal.h"

// Partial sums of a sum over lanes. Of several sums in one loop, the additions to one do not wait
// for those to another: fewer are enough, and these are added up sooner.
enum { PARTS = 8, PARTS_TOGETHER = PARTS / 2 };

// Of what is read of an array, index `of` is at most index `by` and this.
typedef struct Bound { size_t of, by; int64_t most; } Bound;
typedef Vec(Bound) Bounds;

// A variable of the program that is made: a number, or an array of numbers in row-major order. With
// `strip`, each element is a number for each lane of the strip.
typedef struct Store {
    Sym    name;
    Elem   elem;
    TyList shape;
    bool   strip, given;        // given: a parameter
    bool   optional;            // it may be None: then nothing is put there
    bool   zeros;               // a derivative with elements that are 0 by construction
    Bounds bounds;              // a sum of which no other elements are read
    const struct Store *through;    // rows of another array: which ones; NULL: none
} Store;

// Elements of a store: one index for each of its dimensions, NULL where all are meant.
typedef struct Slot { const Store *store; ExprList index; } Slot;

// How an element comes to its place: put there, or combined with what is there.
typedef enum Mode { MODE_SUM, MODE_MAX, MODE_MIN, MODE_ARG_MAX, MODE_ARG_MIN, MODE_CHECK } Mode;

// The first `reduced` dimensions of the term are combined, the others are those of the place. With
// `indices` (one for each of the former) it is a scatter: `at` are the first indices of the place.
typedef struct Item {
    const Expr *term;
    size_t   reduced;
    ExprList indices, at;
    Slot    to;
    Slot    best;              // of an argmax: the largest so far; `at` is its number
    Mode     mode;
    bool     fresh;             // nothing is there yet
    bool     over_strip;        // each round of the strip adds to it
} Item;

typedef Vec(const Stmt *) Stmts;
typedef Vec(Item) Items;
typedef Vec(const Expr *) Exprs;

typedef struct Nest {
    Terms *t;
    Arena *arena;
    Stmts  stores;              // what makes the stores: in front of everything
    Stmts *out;
    const char *broken;         // what is raised where a check fails
    Table *places;              // of what is stored: Sym of its name in terms -> Slot *
    Table *parts;               // of a binder: ExprList * of nest_parts
    Table *values;              // Sym of a variable in terms -> const Expr *
    Table *value;               // terms that the value is made of
    Table *zeros;               // terms that have elements that are 0 by construction
    ExprList variables;         // of the loops around, and how far they go
    TyList   extents;
    const Store *asked;         // an optional store that is not None here
    const Expr *strip;          // the variable of the strip around; NULL: none
    const Expr *start, *lane, *width;   // its first round, the present one from there, how many
    Stmts *before;              // what is in front of the strip around; NULL: no strip
    Table *below;               // of arrays of numbers that are counted here: the size above them
    Table *moved;               // of a strip, by store: which of its rows are not 0
    Table *taken;
    NestStrips *strips;
    bool   jammed;              // rounds of the loop around are done at once
    bool   failed;              // there was what is no number
    unsigned numbered, loops, depth;
    Table *size_names;          // of the parameters
    Table *sizes;               // that must not be negative, nor 0: checked on entry
    Vec(const Ty *) natural, positive;
    TyList rounds;              // of the loops around that hand arrays on
} Nest;

// ---- nest.c ----
Nest nest_new(Terms *t, Table *taken, NestStrips *strips, Stmts *out);
void nest_note_strips(Nest *n, const Ty *size);   // it has strips over it

// ---- nest_pull.c ----

// What is left of a term when one of its dimensions is fixed to an index.
// `rows`: what is moved to that index, as a row or a column, is what it is moved from.
typedef struct Pull { Nest *n; const Expr *index; Table *done[8]; bool rows; } Pull;
const Expr *pull(Pull *p, const Expr *e, size_t dimension);
const Expr *pull_at(Nest *n, const Expr *e, const Expr *index);        // the first one
bool nest_in_range(Nest *n, const Expr *index, const Ty *size);
ExprList nest_parts(Nest *n, const Expr *e);    // also what a binder reads whatever its index is
// The index of a scatter that stands for itself in dimension q of the result; their number: none.
size_t nest_own_index(TyList from, TyList to, ExprList indices, ExprList at, size_t q);
// A test that is false where the place is none; NULL: it is proved to be one.
const Expr *nest_range_test(Nest *n, ExprList place, TyList sizes);
// A gather whose place may have no index left.
const Expr *nest_gather(Terms *t, TyList shape, const Expr *x, ExprList indices, ExprList place);
// A transposition that may leave each dimension where it is.
const Expr *nest_transpose(Terms *t, const size_t *axes, size_t n, const Expr *x);
// A gather that goes to one place in a dimension of what is computed, and not stored, goes to what
// that is there.
const Expr *nest_gathered(Nest *n, const Expr *e);
bool in_strip(const Nest *n, const Expr *e);

// ---- nest_edge.c ----

// How many of the first and last rounds of a loop are apart, for the tests in these terms.
typedef struct Edges { int64_t first, last; } Edges;
Edges nest_edges(Nest *n, const Expr *variable, const Ty *size, ExprList terms);
// The number of a round answers a test there, or says where the one element is that is not 0.
bool nest_is_decided(Nest *n, const Expr *e, const Expr *v);
const Expr *nest_decided(Nest *n, const Expr *e);       // tests that the variables' ranges answer

// ---- nest_written.c ----
bool nest_has_loops(Nest *n, const Expr *e);
// Few rounds of a loop in which something is decided so, or lies together, or which are few numbers
// of a strip: how many; 0: it stays a loop.
int64_t nest_written_rounds(Nest *n, const Ty *size, const Expr *v, const Items *items);

// ---- nest_zero.c ----
void nest_note_value(Nest *n, const Expr *root);
bool nest_has_zeros(Nest *n, const Expr *e);    // of a derivative
// Of each item the number, the same in all lanes, by which they are multiplied; none if one of them
// has none that may be 0 by construction.
ExprList nest_zero_factors(Nest *n, const Items *items);
// Whether the row of a store that these factors are has a number other than 0: the element that
// says so. NULL: they are no row.
const Expr *nest_row_moves(Nest *n, ExprList factors);

// ---- nest_hot.c ----
// Sums of arrays that are 0 but at one index of the first dimension are sums at that index.
void nest_hot(Nest *n, Items *items);
const Expr *nest_hot_sum(Nest *n, const Expr *e);   // e itself, if it is not such a sum

// The only index in dimension q where it may be other than 0, or true; NULL: not known.
const Expr *nest_only_place(Nest *n, const Expr *e, size_t q);
const Expr *nest_only_true(Nest *n, const Expr *test, size_t q);
bool nest_is_counted(const Nest *n, const Expr *place);     // of numbers, counters and sizes alone

// ---- nest_put.c ----

// Elements of a state that a round changes.
typedef struct NestPut {
    ExprList places;                    // one for each dimension; NULL: all of it
    const Expr *value, *test;           // test: whether it is put; NULL: always
    bool adds;                          // to what is there
} NestPut;
typedef Vec(NestPut) NestPuts;

// False: the next value of the state has other elements besides.
bool nest_find_puts(Nest *n, const Expr *next, const Expr *state, NestPuts *puts);
void nest_compute_puts(Nest *n, NestPuts *puts, Items *items);
void nest_do_puts(Nest *n, const NestPuts *puts, Slot state);

// ---- nest_linear.c ----
void nest_linear_maps(Nest *n, ExprList *roots);

// ---- nest_distinct.c ----
// What rows have only of an index that is looked up is computed once for each index that there is,
// in a block of its own; the items that are left read it.
void nest_distinct(Nest *n, Items *items);

// ---- nest_repeat.c ----
// Arrays of which all rows are the same numbers are written first; the other items are left.
void nest_repeat(Nest *n, Items *items);

// ---- nest_item.c ----

bool nest_is_contraction(Nest *n, const Items *items);  // sums of numbers for each lane of a strip
bool nest_is_jammed(Nest *n, const Items *items, const Expr *v);    // some rounds over v at once
bool nest_is_at_variable(Nest *n, const Item *item, const Expr *v); // v says where the result is
Item nest_at_variable(Nest *n, Item item, const Expr *v, const Expr *instead);

// ---- nest_slice.c ----
// Slices of sums that nothing else reads sum what they are slices of.
const Expr *nest_sliced(Nest *n, const Expr *root);

// ---- nest_node.c ----

typedef struct Node {
    const Expr *term;           // of the block
    const Expr *name;           // what others read it under; NULL: nobody does
    Item     asked;             // of a caller
    Item     item;              // how it is computed, over the names of other nodes
    bool     given;             // the item of a caller; its place is known
    bool     waits;             // no code: a view of what must be complete
    struct Node **parts;        // of a stack, of what a loop answers: what makes it
    size_t   parts_len;
    const Expr *loop;           // rounds that hand arrays on: one of its results; or a sort
    Slot    *kept;              // of it: where each of its results is; no store: not known yet
    const Ty *size;             // of the dimension that it is driven along; NULL: one number
    size_t   dimension;
    const Expr *row;
    struct Node **reads;        // what it is computed from
    size_t   reads_len;
    Table   *apart;             // those of which a round reads what other rounds make
    unsigned stage;
    bool     stored;
    bool     placed;
    bool     zeros;             // as of its store
} Node;

typedef struct Block {
    Nest *n;
    Items items;
    Table *uses, *cost;
    size_t widest;              // the most dimensions of what is computed
    Table *marked;              // terms that are nodes
    Table *reshaped;            // terms that a reshape shows
    Table *nodes_of;            // term, and name -> Node *
    Table *variables;           // size -> index variable
    Vec(Node *) nodes;
    TermPass cut;
    Table *origin;              // of a cut term: that of the block
    Table *skip;                // nodes that are not cut
    Table *loops;               // by one of the results of each: its node
    Table *bounds;              // term -> Bounds *
} Block;

ExprList nest_order(Block *b, ExprList roots);
ExprList nest_roots(Block *b);
bool nest_is_view(const Expr *e);
void nest_mark(Block *b, ExprList order);
void nest_begin_cut(Block *b);
const Expr *nest_content(Block *b, const Expr *e);
// `most`: how many dimensions it combines, if it could be more.
Item nest_cut_item(Block *b, Node *node, size_t most);
Slot nest_whole(Nest *n, const Store *s);
const Expr *nest_named(Nest *n, Sym name, Slot slot, const Ty *ty);     // what terms read it under
void nest_place(Block *b, Node *node, Slot to);
void nest_store_node(Block *b, Node *node);
bool nest_need_best(Block *b, Node *node);      // it has one of its own
// The node that finds the place of the largest, or the least, and that element with it; NULL: none.
Node *nest_with_place(Block *b, const Node *node);
Slot nest_part(Nest *n, Slot p, const Expr *index, size_t free);
void nest_collect(Block *b, ExprList order);

// ---- nest_bound.c ----
void nest_find_bounds(Block *b, ExprList order);
Bounds nest_bounds_of(const Block *b, const Expr *sum);
// The rounds that compute elements which are read: the first one, and the end (not included).
void nest_bound_rounds(Nest *n, const Items *items, const Expr *v, const Expr **first,
                       const Expr **end);

// ---- nest_loop.c ----
void nest_rounds(Block *b, const Node *node);

// ---- nest_sort.c ----
void nest_sort(Block *b, const Node *node);

// ---- nest_block.c ----
void nest_block(Nest *n, Items items);

// ---- nest_apart.c ----
// Items that are one number for each lane: loops over them.
void nest_over_lanes(Nest *n, const Item *items, size_t len);

// ---- nest_flat.c ----
void nest_lane_loop(Nest *n, const Item *items, size_t len);    // one
bool nest_is_lane_work(Nest *n, const Expr *e);     // an operation of each lane
const Expr *nest_int(Nest *n, int64_t number);
const Expr *nest_size(Nest *n, const Ty *size);
const Expr *nest_end(Nest *n, const Ty *size);      // as the end of a range that starts at 0
void nest_if(Nest *n, const Expr *test, Stmts body);
const Expr *nest_compare(Nest *n, const Expr *x, Cmpop op, const Expr *y);
void nest_unless_zeros(Nest *n, ExprList factors, Stmts body);
const Expr *nest_var(Nest *n, Sym name, Elem elem, bool store);
const Expr *nest_element(Nest *n, Slot p, bool store);
const Expr *nest_array(Nest *n, const Store *s, bool store);
const Expr *nest_min(Nest *n, const Expr *x, const Expr *y);
const Expr *nest_max(Nest *n, const Expr *x, const Expr *y);
const Expr *nest_binary(Nest *n, const Expr *x, Operator op, const Expr *y);
const Expr *nest_np(Nest *n, const char *f, ExprList args, Elem elem);
const Ty   *nest_ty(Nest *n, Elem elem);
const Ty   *nest_array_ty(Nest *n, Elem elem);
void nest_assign(Nest *n, const Expr *to, const Expr *value);
void nest_loop(Nest *n, Sym counter, const Expr *first, const Expr *end, int64_t step, Stmts body);
void nest_raise(Nest *n, const char *class, const char *text);
void nest_fill(Nest *n, Slot p, const Expr *value);
bool nest_moves(const Nest *n, Slot to);    // each round of a strip has elements of its own there
void nest_need(Nest *n, const Ty *size, bool positive);
Sym  nest_name(Nest *n, const char *wanted);
Store *nest_store(Nest *n, const char *wanted, Elem elem, TyList shape, bool strip);

// The sum of elements from a place, of which there are `width`.
void nest_lane_sum(Nest *n, const Store *array, const Expr *first, const Expr *width);

void nest_items_here(Nest *n, const Item *items, size_t len);    // those that are asked for

// ---- nest_asked.c ----
// The optional store, not known to be asked for, that this is put to; NULL: none.
const Store *nest_optional(const Nest *n, const Item *item);
void nest_if_asked(Nest *n, const Store *s, Stmts body);
// The statements of items that are one number each, in this order.
void nest_items(Nest *n, const Item *items, size_t len);

#endif
