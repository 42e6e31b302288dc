// cost.h - how many messages a choreography sends: in all, between each two roles, and at each
// choice, loop and call (docs/projection.md, "Cost").

#ifndef PYCHORAL_EMIT_COST_H
#define PYCHORAL_EMIT_COST_H

#include "compiler/base/buf.h"
#include "ir_gen.h"

#define COST_UNBOUNDED ((size_t)-1)

typedef struct Range { size_t min, max; } Range;        // max may be COST_UNBOUNDED

typedef struct CostPair { Sym from, to; Range range; } CostPair;

// A choice, an arm of one, a loop, a call, or messages in a row.
typedef struct CostRow {
    int         depth;          // of nesting
    Span        at;
    const char *text;
    Range       range;          // of a loop: each round
    bool        reached;        // false: every path through it ends the run
} CostRow;

typedef struct FunctionCost {
    const char *name;           // `f`, `C.m`; of another module `lib.f`
    Span    at;                 // its definition
    SymList roles;
    bool    returns;            // false: no path gets to its end
    Range   total;              // of a run that gets to its end
    const CostPair *pairs; size_t pair_count;
    const CostRow *rows; size_t row_count;
} FunctionCost;

typedef struct CostReport {
    const FunctionCost *at;     // in source order
    size_t len;
    bool   exact;               // false: something called counts as any number of messages
    bool   beyond;              // it is in a module of which there is only the interface
} CostReport;

// Counts the messages of every choreography of a checked unit, but of those in interfaces.
CostReport cost_collect(Arena *a, Names *names, const Source *source, const Unit *checked);

// As a table for people, or one JSON object on a line. `source` gives the files and lines.
void cost_print(Buf *b, const CostReport *report, const Source *source);
void cost_print_json(Buf *b, const CostReport *report, const Source *source);

#endif
