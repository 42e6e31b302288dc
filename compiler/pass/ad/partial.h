// partial.h - the derivatives of the primitives (partial.def), as expressions to build with.
//
//     const Partial *p = partial_find(partials, "float.__mul__", 2);
//     PartialUse use = {.at = e->at, .argument = {x, y}, .result = r};
//     const Expr *dx = partial_with(partials, p, 0, &use);        // y: a new node, with types
//
// The names are those of the table: `float.__mul__` for operators, `abs`, `math.exp`.

#ifndef PYCHORAL_PARTIAL_H
#define PYCHORAL_PARTIAL_H

#include <stdbool.h>

#include "compiler/base/intern.h"
#include "ir_gen.h"

enum { PARTIAL_MAX = 3 };       // arguments of a primitive

typedef enum PartialKind {
    PARTIAL_ARGUMENTS,          // one for each argument
    PARTIAL_EACH,               // the same for each of a list, or of any number of arguments: of[0]
    PARTIAL_LOOP,               // none: the caller writes the primitive out as a loop
    PARTIAL_REFUSED,            // none at all: `why` says what to write instead
} PartialKind;

typedef struct Partial {
    const char *name;
    PartialKind kind;
    size_t      count;                  // arguments
    const Expr *of[PARTIAL_MAX];        // over the names a, b, c, r; NULL: nothing flows
    const char *helper[PARTIAL_MAX];    // the function of the table that of[i] calls; NULL: none
    const char *why;                    // REFUSED
} Partial;

// Where a partial is put, and what stands for its names. Names and constants are copied, anything
// else is shared by the places that read it.
typedef struct PartialUse {
    Span at;
    const Expr *argument[PARTIAL_MAX];  // EACH: the one that the partial is for, as the first
    const Expr *result;
    const Expr *math;                   // the module; NULL: the name `math`
} PartialUse;

typedef struct Partials Partials;

// Rows are parsed when they are asked for. Lives and dies with the arena.
Partials *partials_new(Arena *a, Names *names);

// NULL: the table has no such primitive, or not with so many arguments. A row for exactly so many
// arguments goes before one for any number: `max(a, b)` has partials, `max(xs)` is a LOOP.
const Partial *partial_find(Partials *ps, const char *name, size_t arguments);

const char *partial_of_operator(Operator op);   // NULL: not one of floats
const char *partial_of_unary(Unaryop op);       // the same

// The partial with respect to argument i, of type float. NULL: nothing flows.
const Expr *partial_with(Partials *ps, const Partial *p, size_t i, const PartialUse *use);

// An expression over the names a, b, c, r, as those of the table are, and what is put in for them.
const Expr *partial_parse(Partials *ps, const char *text);
const Expr *partial_put(Partials *ps, const Expr *e, const PartialUse *use);

// Whether the partial with respect to argument i reads `name`: 'a', 'b', 'c' or 'r'.
bool partial_reads(const Partial *p, size_t i, char name);

// Whether an expression is this very number, also if it is written with a sign: what may be left
// out of a product.
bool partial_is_number(const Expr *e, double number);

// The text of a function that partials call. It reads the module `math`.
const char *partial_helper(const char *name);

// The functions of the table that are free in the statements, but for those in `bound`: parsed.
StmtList partial_helpers_for(Arena *a, Names *names, StmtList body, SymList bound);

#endif
