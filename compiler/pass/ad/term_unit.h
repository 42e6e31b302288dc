// term_unit.h - terms as statements: what is used several times gets a name.

#ifndef PYCHORAL_AD_TERM_UNIT_H
#define PYCHORAL_AD_TERM_UNIT_H

#include "compiler/pass/ad/term.h"

typedef struct TermLet TermLet;
typedef struct TermLets { const TermLet *at; size_t len; } TermLets;

// The roots over names that the lets bind in order; `taken` holds names that are in use.
typedef struct TermText { TermLets lets; ExprList roots; } TermText;
TermText term_text(Terms *t, ExprList roots, struct Table *taken);

// A loop binds a name for each state and for each record. The roots of its text are what the
// states become, then what is kept. A state that becomes a `PutAt` is an array that nothing else
// shows, and it is changed in place.
typedef struct TermRounds {
    const Ty *size;
    bool      down;
    Sym       index;
    SymList   states, records;
    ExprList  before;
    size_t    changes;          // of states and parts of states, in a round
    TermText  text;
} TermRounds;

// A name for a value; or the names of a loop. `own`: no array shows it that may change.
struct TermLet { Sym name; const Expr *value; bool own; const TermRounds *rounds; };

// An expression of the graph with readable index variables: i, j, ... A body has no names inside,
// so the text of one with much sharing would be huge: it is shown as `...`.
const Expr *term_readable(Terms *t, const Expr *e, struct Table *taken);

// How a value is used: kept for reading, as an array that nothing else shows, or stored into
// elements, over which it is spread.
typedef enum TermUse { TERM_KEPT, TERM_OWN, TERM_SPREAD } TermUse;

// The lets as statements of Python that runs in numpy; `print` says how a value is written.
typedef struct TermPrinter TermPrinter;
struct TermPrinter {
    const Expr *(*print)(TermPrinter *p, const Expr *e);
    Terms *terms;
    void *cx;
    Sym name;               // that the value which is printed will have, or NULL
    TermUse as;             // what the value is printed as
    Vec(Sym) counters;      // of the loops around, with their sizes
    Vec(const Ty *) sizes;
};
StmtList term_lets(TermPrinter *p, TermLets lets);

// The statements of one function over lets and roots: assignments, then `return`.
StmtList term_statements(Terms *t, const TermText *text, struct Table *taken);

#endif
