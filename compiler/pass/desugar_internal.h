// desugar_internal.h - what the files of the pass share.
//
// An expression is lowered to one in core forms; the statements that it takes go in front, to
// `out`. Where an operand takes statements, the operands before it are put into variables first,
// unless nothing can change their value in between: they are settled.

#ifndef PYCHORAL_DESUGAR_INTERNAL_H
#define PYCHORAL_DESUGAR_INTERNAL_H

#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "ir_gen.h"

typedef Vec(const Stmt *) Block;
typedef Vec(const Expr *) ExprVec;

// What is known of the whole unit.
typedef struct Facts {
    Table *rebound;             // names that some `global` or `nonlocal` mentions
    Table *computed;            // methods with a decorator, such as properties
    Table *changing;            // these, and attributes that are set after construction
    Table *classes;             // name -> its ClassDef
    Table *imports;             // name -> what it stands for, as `contextlib.suppress`
    Table *methods;             // names of methods of classes
    bool   has_format;          // some class has a `__format__` of its own
} Facts;

typedef struct DesugarScope {
    struct DesugarScope *outer;
    Table *used;                // names that mean something here; fresh ones too
    Table *bound;               // those of them that are bound here
    Table *stored;              // of a function: what is bound but by handlers
    bool   of_class, of_module;
    bool   splits_underscore;   // `_` is of several types and never read: each is a name of its own
    Block *before;              // of a class: where helpers of its body are defined
    ExprVec lent;               // what functions made of comprehensions assign to, as Names
} DesugarScope;

// A variable of a comprehension, and what it is called instead.
typedef struct Rename {
    const struct Rename *outer;
    Sym from, to;
} Rename;

typedef struct Desugar {
    Arena *arena;
    Names *names;
    const Facts *facts;
    DesugarScope *scope;
    Block *out;
    const Rename *renames;
    Table *needs;               // what desugar_needs has found
    Sym    broken;              // the flag that a `break` has to set; NULL: none
    Sym    operator_;           // what the module `operator` is called where it is imported
    bool   uses_builtins, uses_operator;    // the module has to import them
    const Ty *returns;          // what the function returns; NULL: unknown
} Desugar;

// ---- desugar_make.c, desugar_types.c: nodes, all with a span and a type ----

const Ty   *desugar_ty(Desugar *d, const char *name);           // a class without arguments
const Ty   *desugar_ty1(Desugar *d, const char *name, const Ty *arg);
bool        desugar_is(const Ty *t, const char *name);          // an instance of this very class
const Expr *desugar_typed(Desugar *d, const Expr *e, const Ty *ty);
const Expr *desugar_name(Desugar *d, Span at, Sym name, const Ty *ty);
const Expr *desugar_int(Desugar *d, Span at, size_t n);
const Expr *desugar_str(Desugar *d, Span at, const char *text);
const Expr *desugar_bool(Desugar *d, Span at, bool truth);
const Expr *desugar_none(Desugar *d, Span at);
const Expr *desugar_call(Desugar *d, const Expr *func, ExprList args, const Ty *ty);
const Expr *desugar_call1(Desugar *d, const char *builtin, const Expr *arg, const Ty *ty);
const Expr *desugar_method(Desugar *d, const Expr *base, const char *method, ExprList args,
                           const Ty *ty);
const Expr *desugar_builtin(Desugar *d, Span at, const char *name);     // a function that is called
const Expr *desugar_class(Desugar *d, Span at, const char *name);       // as a value
const Expr *desugar_attribute(Desugar *d, const Expr *base, Sym attr, const Ty *ty);
const Expr *desugar_item(Desugar *d, const Expr *base, const Expr *index, const Ty *ty);
const Expr *desugar_length(Desugar *d, const Expr *e);                  // len(e)
const Expr *desugar_from_end(Desugar *d, const Expr *e, size_t n);      // len(e) - n
// list(items[from:len(items) - behind]): the slice is of type `part`, the list of type `ty`.
const Expr *desugar_middle(Desugar *d, const Expr *items, size_t from, size_t behind,
                           const Ty *part, const Ty *ty);
const Expr *desugar_compare(Desugar *d, const Expr *left, Cmpop op, const Expr *right);
const Expr *desugar_not(Desugar *d, const Expr *e);
const Expr *desugar_bool_op(Desugar *d, Boolop op, const Expr *left, const Expr *right,
                            const Ty *ty);
ExprList    desugar_list(Desugar *d, size_t n, const Expr *const *at);

const Ty   *desugar_list_ty(Desugar *d, const Ty *item);  // list[item]; NULL: item is
const Ty   *desugar_tuple_ty(Desugar *d, size_t n, const Ty *const *items);
const Ty   *desugar_callable(Desugar *d, ExprList args, const Ty *result);
const Expr *desugar_annotation(Desugar *d, Span at, const Ty *ty);      // NULL: of no type
const Expr *desugar_result(Desugar *d, Span at, const Ty *ty);          // `object`: of no type
const Arguments *desugar_typed_parameters(Desugar *d, const Arguments *args, const Ty *callable);
const Ty   *desugar_item_ty(Desugar *d, const Ty *iterable);    // of its items; NULL: unknown
// Of what a loop over `iterable` gives to `target`: as checked, since an own `__iter__` may give
// anything.
const Ty   *desugar_target_ty(Desugar *d, const Expr *target, const Ty *iterable);

void desugar_put(Desugar *d, const Stmt *s);
void desugar_set(Desugar *d, Span at, Sym name, const Expr *value);     // name = value
// The same, of a variable that is of type `ty`, where others put other values into it.
void desugar_set_as(Desugar *d, Span at, Sym name, const Expr *value, const Ty *ty);
void desugar_call_stmt(Desugar *d, const Expr *call);
void desugar_if(Desugar *d, Span at, const Expr *test, Block body, Block orelse);
StmtList desugar_stmts(Desugar *d, Span at, Block block);               // `pass` if it is empty

// ---- desugar_names.c ----

const Facts *desugar_facts(Arena *a, Names *names, const Unit *unit);
DesugarScope desugar_scope(Desugar *d, StmtList body, const Arguments *args);
Sym         desugar_fresh(Desugar *d, const char *base);
StmtList    desugar_declare_lent(Desugar *d, const DesugarScope *scope, const Arguments *args,
                                 StmtList body);
Sym         desugar_unused(Desugar *d, StmtList body, const char *base);    // in all of the body
Sym         desugar_own(Desugar *d, Sym name);  // this name if it is free here, or one like it
bool        desugar_is_builtin(Desugar *d, const Expr *e, const char *name);
const Expr *desugar_temp(Desugar *d, const Expr *e, const char *base);
Sym         desugar_renamed(const Desugar *d, Sym name);
bool        desugar_settled(Desugar *d, const Expr *e, size_t n, const Expr *const *later);
const Expr *desugar_settle(Desugar *d, const Expr *e, size_t n, const Expr *const *later,
                           const char *base);

// ---- desugar_except.c ----
// What the exception is called in a handler, and what the handler then does, to be lowered.
Sym         desugar_caught(Desugar *d, const Excepthandler *h, StmtList *body);
Table      *desugar_stored(Desugar *d, StmtList body);

// ---- desugar_classes.c ----
const char *desugar_imported(Desugar *d, const Expr *e);        // `contextlib.suppress`; NULL: not
bool        desugar_binds(Desugar *d, const Stmt *s, Sym name);
bool        desugar_is_class(Desugar *d, const Expr *e);
const Ty   *desugar_instance_ty(Desugar *d, const Expr *class_);
SymList     desugar_match_args(Desugar *d, const Expr *class_);
SymList     desugar_tuple_fields(Desugar *d, const Ty *t);      // of a NamedTuple; else none
const Ty   *desugar_field_ty(Desugar *d, const Ty *t, Sym field);       // as it is written
const Ty   *desugar_result_ty(Desugar *d, const Ty *t, const char *method);

// ---- desugar_expr.c ----

bool        desugar_needs(Desugar *d, const Expr *e);   // whether it takes statements
const Expr *desugar_expr(Desugar *d, const Expr *e);
void        desugar_operands(Desugar *d, size_t n, const Expr **at);
// As a value of type `wanted` (NULL: of its own), which it is made to be if it makes a container.
const Expr *desugar_expr_as(Desugar *d, const Expr *e, const Ty *wanted);
const Expr *desugar_test(Desugar *d, const Expr *e);    // only its truth matters
const Expr *desugar_negated(Desugar *d, const Expr *test);

// ---- desugar_string.c ----
const Expr *desugar_fstring(Desugar *d, const Expr *e);     // its parts are core already

// ---- desugar_display.c ----
bool        desugar_has_star(const Expr *e);
const Expr *desugar_display(Desugar *d, const Expr *e);
void        desugar_put_item(Desugar *d, const Expr *dict, const Expr **pair);   // not lowered

// ---- desugar_loop.c: comprehensions, and what is run like them ----

typedef struct Loops Loops;
struct Loops {
    ComprehensionList generators;
    const Expr *first;          // the first iterable, lowered
    const Expr *elt, *value;    // value: of a dict
    const Expr *result;         // the variable that collects
    Span        at;
    const Expr *stop;           // a loop around ends when this holds; NULL: never early
    void      (*take)(Desugar *d, const Loops *l);     // puts what is done with an item
    const Stmt *body;           // of a `for`
    Sym         index;          // of its `enumerate`
};

Loops       desugar_loops_of(const Expr *comprehension);
void        desugar_run(Desugar *d, Loops *l);
const Expr *desugar_collect(Desugar *d, const Expr *e, const Expr *first);
bool        desugar_needs_function(Desugar *d, const Expr *comprehension);
typedef const Expr *Maker(Desugar *d, const Expr *comprehension, const Expr *first);
const Expr *desugar_outline(Desugar *d, const Expr *comprehension, const Expr *first, Maker *make);
const Expr *desugar_comprehension(Desugar *d, const Expr *e);
const Expr *desugar_generator(Desugar *d, const Expr *e);      // one that is not consumed at once
const Expr *desugar_lambda(Desugar *d, const Expr *e);
const Arguments *desugar_defaults(Desugar *d, const Arguments *args);

// ---- generator_fusion.c: generator expressions that are consumed at once ----
bool        desugar_consumes(Desugar *d, const Expr *call);
const Expr *desugar_consumer(Desugar *d, const Expr *call);
bool        desugar_is_lazy(Desugar *d, const Stmt *s);     // a `for` over a generator expression
void        desugar_for_lazy(Desugar *d, const Stmt *s);    // with its body, without its `else`

// ---- desugar_target.c ----
void desugar_assign(Desugar *d, const Stmt *s);
void desugar_ann_assign(Desugar *d, const Stmt *s);
void desugar_aug_assign(Desugar *d, const Stmt *s);
void desugar_delete(Desugar *d, const Stmt *s);
void desugar_store(Desugar *d, const Expr *target, const Expr *value);  // of any form

// ---- desugar_stmt.c, desugar_with.c, desugar_match.c ----
void     desugar_body_to(Desugar *d, Block *to, StmtList body);
StmtList desugar_body(Desugar *d, Span at, StmtList body);
const Expr *desugar_for_target(Desugar *d, const Expr *target, const Ty *item);
void     desugar_with(Desugar *d, const Stmt *s);
void     desugar_match(Desugar *d, const Stmt *s);

#endif
