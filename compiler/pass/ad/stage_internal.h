// stage_internal.h - what the files of staging share: values, scopes, and the run itself.

#ifndef PYCHORAL_AD_STAGE_INTERNAL_H
#define PYCHORAL_AD_STAGE_INTERNAL_H

#include "compiler/base/table.h"
#include "compiler/pass/ad/elementwise.h"
#include "compiler/pass/ad/stage.h"

typedef enum ValueKind {
    VALUE_TERM, VALUE_LIST,     // tuples and lists of which each element is known
    VALUE_FUNCTION, VALUE_LIBRARY, VALUE_METHOD, VALUE_MODULE, VALUE_RANGE, VALUE_ROWS,
    VALUE_GRADIENT, VALUE_TEXT, VALUE_NONE,
    VALUE_SELECTED,             // the elements that a condition selects
    VALUE_RECORD,               // a dict, or an instance of a class
    VALUE_CLASS, VALUE_SUPER,
} ValueKind;

typedef enum Member { MEMBER_PLAIN, MEMBER_PROPERTY, MEMBER_STATIC, MEMBER_OF_CLASS } Member;

typedef struct Value Value;
typedef struct ValueVec { Value **at; size_t len, cap; } ValueVec;
typedef struct Scope Scope;

struct Value {
    ValueKind kind;
    const Expr *term;
    const Expr *test;           // SELECTED: the condition, for each element or for each row;
                                // `term` has all of them
    bool fresh;                 // TERM: an array of its own, which may be stored into ..;
                                // FUNCTION: each call makes its defaults
    bool shared;                // .. unless something else shows it
    bool escaped;               // .. or another value was made that may show it
    int  bindings;              // of names, lists, records and parameters to it
    size_t made;                // how many values there were before
    size_t region;              // the round or the arm of a condition in which it was made
    Value *base;                // TERM: the array that it shows
    size_t depth;               // TERM: how many loops made its outermost dimensions; 0: it is one
    ValueVec items;             // LIST; RANGE: first and end; ROWS: what is gone over together;
                                // FUNCTION inside of another: the defaults of its parameters;
                                // RECORD: by key; CLASS: its members
    ValueVec keys;              // RECORD; CLASS: the names
    Value *cls;                 // RECORD: NULL for a dict; LIST: of a named tuple; FUNCTION: where
                                // it is written; CLASS: its base; SUPER: where it is looked up
    const Stmt *def;            // CLASS: not read yet
    bool frozen;                // CLASS, RECORD: nothing is stored into instances
    Member member;              // FUNCTION
    bool tuple;
    bool down;                  // RANGE: from the end
    int64_t step;               // RANGE: that is not 1 or -1; 0: it is
    bool numbered;              // ROWS: with the number of the row in front
    bool with_value;            // GRADIENT
    Sym name;                   // LIBRARY: the function; METHOD, MODULE
    const Value *self;          // METHOD, SUPER; FUNCTION: of this instance; LIST: what is in this
                                // dict; GRADIENT: of this function
    const Arguments *args;      // FUNCTION; CLASS: its fields, behind `self`
    StmtList body;
    const Expr *result;         // of a lambda
    Scope *scope;               // where it was made
    Text text;
};

struct Scope {
    Table *names;               // Value by Sym
    Scope *outer;
    bool   function;            // the names of a call
    bool   captured;            // a function that was made inside reads them
};

// What sizes and lengths are computed from, in messages.
#define STAGE_SIZES "integer constants, sizes of arrays and `int` parameters with `+`, `-`, " \
    "`*`, and `//` by a constant"

#define STAGE_UNPACKS "an array function supports `*` only before a list or a tuple whose " \
    "length is known"

#define STAGE_SHARED_LIST "another variable may refer to this list\ncreate a new list, " \
    "`%s = %s + [..]`"

// The loop around that hands states on.
typedef struct Rounds {
    struct Rounds *outer;
    ExprList states;
    size_t   bound;             // builds around it
    Vec(const Expr *) counts;   // of indices out of range in a round, which depend on the states
} Rounds;

// What records held before a part of the program that may not run: an arm of a condition, a round.
typedef struct Change { Value *record; ValueVec keys, items; } Change;
typedef struct Journal {
    struct Journal *outer;
    size_t from;                // a record made since then is not seen outside
    Vec(Change) changes;
} Journal;

typedef struct Stage {
    Terms *t;
    Arena *arena;
    Names *names;
    Diags *diags;
    StmtList program;
    Scope *module;
    ArgList params;             // of the function
    Table *origins;             // what a size comes from: Sym of a size name to a text
    Table *natural;             // Ty of sizes that are never negative
    bool   plain_lengths;       // a range of negative length is an error, not one of no elements
    bool   failed;              // the first fault has been reported
    int    depth;               // of calls
    Vec(const Expr *) bound;    // index variables of builds around, with their sizes
    Vec(const Ty *)   extents;
    const Expr *guard;          // what holds in the arm of a condition; NULL: there is none
    bool   guarded;             // there is a check that holds only in one, or in a round
    Vec(const Expr *) checks;   // tests that must be false
    bool   asserts;             // some are of asserts
    Rounds *rounds;             // NULL: no such loop
    Scope *library;             // of functions that are written in Python (stage_library.def)
    int    library_depth;       // of calls of them
    int    loop_depth;          // of the call that runs a loop; 0: there is none
    Span   returned_at;         // the last `return` that has run
    Span   call_at;             // of the outermost one
    size_t region, regions;     // the one around, and how many there were
    size_t made;                // values
    size_t inner;               // of them, before the call around that is part of an expression
    Journal *journal;           // NULL: what runs here runs once
    Scope *called;              // the names of the last call
    const Expr *statement;      // the call that a statement consists of, or assigns
} Stage;

// ---- stage.c: values ----
Sym stage_library_name(Stage *s, const char *module, Sym name);
const char *stage_library_shown(const char *name);                      // without the submodule
const Expr *stage_refuse(Stage *s, Span at, const char *format, ...)     // E0912; any term
            __attribute__((format(printf, 3, 4)));
const Expr *stage_differ(Stage *s, Span at, const char *what, const Expr *x, const Expr *y);
Value *value_term(Stage *s, const Expr *e);
Value *value_list(Stage *s, ValueVec items, bool tuple);
Value *value_of(Stage *s, ValueKind kind);
const Expr *value_as_term(Stage *s, const Value *v, Span at);
bool value_number(Stage *s, const Value *v, int64_t *n);        // a whole number that is known

// ---- stage_object.c: dicts, and the fields of instances ----
Value *stage_text(Stage *s, const char *text);
bool   record_same_key(Stage *s, const Value *x, const Value *y);
Value *record_get(Stage *s, const Value *record, const Value *key);     // NULL: there is none
void   record_set(Stage *s, Value *record, Value *key, Value *v, Span at);
Value *record_like(Stage *s, const Value *record);              // its keys, without items
bool   record_same_keys(Stage *s, const Value *x, const Value *y);
bool   stage_is_like(Stage *s, const Value *x, const Value *y);     // they differ only in arrays
Value *stage_dict(Stage *s, Scope *scope, const Expr *e);       // a literal or a comprehension
Value *stage_dict_item(Stage *s, Scope *scope, const Value *dict, const Expr *e);   // d[e]
Value *stage_iterated(Stage *s, Value *v);                      // of a dict the keys
const Expr *stage_contained(Stage *s, const Value *item, const Value *in, Span at); // `in`

// What is assigned to in a record; false: it is another target, or refused.
typedef struct Slot { Value *record, *key; } Slot;
bool   stage_is_plain(const Expr *target);
bool   stage_place(Stage *s, Scope *scope, const Expr *target, Slot *place);
Value *stage_current(Stage *s, Scope *scope, const Expr *target);   // a name or a place; or NULL
Sym    stage_shown(Stage *s, const Expr *target);       // in a message
void   stage_set_current(Stage *s, Scope *scope, const Expr *target, Value *v);

void   journal_open(Stage *s, Journal *j);
void   journal_close(Stage *s, Journal *j);     // records have what they had; the journal the rest
void   journal_resume(Stage *s, Journal *j);
void   journal_merge(Stage *s, const Expr *test, const Journal *x, const Journal *y, Span at);
// .. where nothing may change but what is made inside.
void   journal_end(Stage *s, Journal *j, Span at);

// ---- stage_class.c ----
Value *stage_class(Stage *s, const Stmt *def);
Value *stage_construct(Stage *s, Value *cls, ValueVec args, KeywordList keywords, Scope *scope,
                       Span at);
Value *stage_member(Stage *s, const Value *of, Sym name, Span at);  // NULL: it has no such member
bool   stage_is_property(Stage *s, const Value *of, Sym name);

// ---- stage_stmt.c ----
// `statement`: it need not return a value.
Value *stage_call_function(Stage *s, const Value *f, ValueVec args, KeywordList keywords,
                           Scope *scope, Span at, bool statement);
Scope *scope_inside(Stage *s, Scope *outer);
Scope *scope_captured(Scope *scope);
// Whether a function changes the array of a parameter, and never assigns another to that.
bool   stage_changes(Stage *s, const Value *f, Sym parameter);
Value *stage_find(Scope *scope, Sym name);
// `from`: where the value stands.
void   stage_bind(Stage *s, Scope *scope, const Expr *target, Value *v, Span from);

// The statements that run after a block.
typedef struct Rest { StmtList body; const struct Rest *next; } Rest;

typedef struct Run {
    Value      *returned;       // NULL: not yet
    const Rest *after;          // of the function, outside of loops
    int         copies;         // how often they run already, as one branch of an `if` returns
} Run;

void stage_run(Stage *s, Scope *scope, StmtList body, Run *r);
void stage_refuse_return(Stage *s, Span at);            // in a loop

// The names that statements assign to.
typedef struct Assigned {
    struct Stage *stage;
    bool stores;                // only those of arrays that change
    int  helpers;               // calls around
    Vec(Sym) names;
} Assigned;
Assigned stage_assigned(Stage *s, StmtList body);
bool stage_rebinds(Stage *s, StmtList body, Sym name);      // .. not only what it has
// What a name, or an item of a record, has after a condition.
Value *stage_merged(Stage *s, const Expr *test, Value *left, Value *right, Span at);

// ---- stage_loop.c ----
void stage_for(Stage *s, Scope *scope, const Stmt *loop, Run *r);
bool stage_is_append(const Stmt *stmt, Sym *name, const Expr **value);

// ---- stage_leave.c ----
// The loop without `continue` and `break`.
const Stmt *stage_whole_rounds(Stage *s, Scope *scope, const Stmt *loop, bool *breaks);
bool stage_while(Stage *s, Scope *scope, const Stmt *loop, Run *r);

// ---- stage_store.c ----
void stage_note_binding(Value *v);
void stage_note_escape(Value *v);               // a value was made that may show it
void stage_note_replaced(Value *v);             // .. and one of its names has that now
Value *value_fresh(Stage *s, const Expr *e);    // a new array
bool stage_may_store(const Value *v);           // where no other name of it is to see that
size_t stage_enter(Stage *s);                   // a round or an arm: answers the region to put back
void stage_refuse_shared(Stage *s, Span at, Sym name);
void stage_store(Stage *s, Scope *scope, const Expr *target, const Value *value);
void stage_store_all(Stage *s, Scope *scope, const Expr *name, const Expr *value);  // name[:] = ..
// Gives the target of an augmented assignment its new value: an array is stored into.
void stage_set_augmented(Stage *s, Scope *scope, const Stmt *stmt, const Expr *new);
void stage_augment(Stage *s, Scope *scope, const Stmt *stmt);
// x with the rows of `value` as its first ones.
const Expr *stage_with_front(Stage *s, const Expr *x, const Expr *value, Span at);
bool stage_add_at(Stage *s, Scope *scope, const Expr *call);    // np.add.at(..); false: it is not

// ---- stage_select.c ----
Value *stage_selected(Stage *s, const Expr *x, const Expr *test);
// The condition that an index of x is; NULL: it is none.
const Expr *stage_selection(Stage *s, Scope *scope, const Expr *index, const Expr *x);
const Value *stage_first_selected(Value *const *operands, size_t len);      // NULL: there is none
// The whole array of an operand beside what is selected; NULL: nothing is.
const Expr *stage_whole(Stage *s, const Value *v, const Value *selected, Span at);
// What computing with the whole arrays gives.
Value *stage_as_selected(Stage *s, const Expr *x, const Value *selected);
// All elements, with one in place of the others that this reduction leaves as it is.
const Expr *stage_masked(Stage *s, const Value *v, Reduction op, Span at);
// Of one dimension in front, for which the condition is.
Value *stage_flat_selected(Stage *s, const Value *v);
// A test for each index below the size: whether it is in from:to. A bound may be NULL.
const Expr *stage_between(Stage *s, const Ty *size, const Expr *from, const Expr *to);
// x @ y of elements that the same condition selects.
const Expr *stage_dot_selected(Stage *s, Value *const *both, Span at);
const Expr *stage_sum_selected(Stage *s, const Value *v, Span at);
const Expr *stage_sum_each(Stage *s, const Value *v, Span at);      // `sum(e for ..)`
const Expr *stage_count_selected(Stage *s, const Value *v, const Expr *one, Span at);

// ---- stage_expr.c ----
Value *stage_eval(Stage *s, Scope *scope, const Expr *e);
void   stage_defaults(Stage *s, Scope *scope, Value *function);     // where it is defined
const Expr *stage_term(Stage *s, Scope *scope, const Expr *e);

// ---- stage_test.c ----
const Expr *stage_condition(Stage *s, Scope *scope, const Expr *e);     // what `if e` asks
const Expr *stage_truth(Stage *s, const Value *v, Span at);             // .. of a value
const Expr *stage_comparison(Stage *s, Scope *scope, const Expr *e);
typedef const Expr *StageOperand(Stage *s, Scope *scope, const Expr *e);
const Expr *stage_tests(Stage *s, Scope *scope, const Expr *e, StageOperand *operand);  // `and`

// ---- stage_expr.c ----
const Expr *stage_binary(Stage *s, Operator op, const Expr *x, const Expr *y, Span at);
Value *stage_binary_value(Stage *s, Scope *scope, Operator op, const Expr *left, const Expr *right,
                          Span at);
const Expr *stage_float(Stage *s, const Expr *e);
const Expr *stage_elementwise(Stage *s, const ArrayFunction *f, ExprList args, Span at);
bool stage_decides(Stage *s, const Expr *test, Span at);     // the test of an `if`; false: refused
const Expr *stage_where(Stage *s, const Expr *c, const Expr *x, const Expr *y, Span at);
const Expr *stage_broadcast(Stage *s, const Expr *x, TyList shape, Span at);
TyList stage_common_shape(Stage *s, const Expr *x, const Expr *y, Span at, const char *what);
Value *stage_same(Stage *s, const Expr **x, const Expr **y, Span at, const char *what);

// `body` for each value of a new index below `size`; answers the array.
typedef Value *StageBody(void *cx, Stage *s, const Expr *index);
Value *stage_element(Stage *s, const Value *over, const Expr *index, Span at);
const Ty *stage_length(Stage *s, const Value *over, Span at);       // NULL: reported
// A range whose length depends on the rounds around: the most rounds that it may have, and a test
// which of them it has. NULL: another range.
const Ty *stage_most_rounds(Stage *s, const Value *over, Span at);
const Expr *stage_is_round(Stage *s, const Value *over, const Expr *index, Span at);
const Expr *stage_build(Stage *s, const Ty *size, StageBody *body, void *cx, Span at);
Value *stage_known_list(Stage *s, Value *v);    // its items; NULL: they are not known
Value *stage_comprehension(Stage *s, Scope *scope, const Expr *elt, ComprehensionList generators,
                           size_t from, Span at);

// ---- stage_array.c: whole arrays ----
const Expr *stage_axis_first(Stage *s, const Expr *x, size_t axis);
const Expr *stage_reduce(Stage *s, Reduction op, const Expr *x, const int64_t *axis, Span at);
const Expr *stage_contract(Stage *s, const Expr *x, const char *xs, const Expr *y, const char *ys,
                           const char *result, Span at);
const Expr *stage_matmul(Stage *s, const Expr *x, const Expr *y, Span at);
// Of from:to of an axis of `size`; NULL: refused.
const Ty *stage_slice_length(Stage *s, const Expr *from, const Expr *to, const Ty *size, Span at);
int64_t stage_step(Stage *s, Scope *scope, const Expr *slice);      // of a slice; 1: there is none
const Ty *stage_every(Stage *s, const Ty *length, int64_t step);    // how many elements that takes
void stage_refuse_indices(Stage *s, size_t rank, Span at);      // of an array of that rank
// `open`: where a slice is that is as long as data says, its condition is put; it may be NULL.
const Expr *stage_subscript(Stage *s, const Expr *x, const Expr *slice, Scope *scope, Span at,
                            const Expr **open);
Value *stage_item(Stage *s, Scope *scope, const Expr *subscript);
bool stage_is_open(Stage *s, const Expr *from, const Expr *to);    // such a slice
void stage_check_open(Stage *s, const Expr *from, const Expr *to, const Ty *size);
Value *stage_attribute(Stage *s, const Value *v, Sym name, Span at);

// An index that is not proved to be in range is checked when the function runs.
void stage_check_index(Stage *s, const Expr *index, const Ty *size);
void stage_check_true(Stage *s, const Expr *test);      // what an `assert` says
void stage_check_count(Stage *s, const Expr *count);    // of indices out of range: to be 0
// Of an array: not to be negative. In an arm that is not taken it may be: answers 0 for it.
const Ty *stage_check_size(Stage *s, const Ty *size);
const Ty *stage_clamped(Stage *s, const Ty *length);    // of a range: 0 if it is negative
// The arm of a condition: answers the guard to put back.
const Expr *stage_guard(Stage *s, const Expr *test);

// ---- stage_call.c ----
Value *stage_call(Stage *s, Scope *scope, const Expr *e);
// A function of stage_library.def.
const Expr *stage_term_of_library(Stage *s, const char *function, Value *x, KeywordList keywords,
                                  Scope *scope, Span at);
Value *stage_apply(Stage *s, const Value *f, ValueVec args, Span at);

#endif
