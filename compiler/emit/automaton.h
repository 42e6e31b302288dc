// automaton.h - what one role sends and receives, in which order: the least deterministic automaton
// of a diagram's messages at that role (docs/projection.md, "Automata").

#ifndef PYCHORAL_EMIT_AUTOMATON_H
#define PYCHORAL_EMIT_AUTOMATON_H

#include "compiler/emit/view.h"

enum { AUTOMATON_MAX_STATES = 500 };     // a larger picture is unreadable

typedef struct AutomatonEdge { size_t from, to; const char *label; } AutomatonEdge;

// States are numbered from 0, where it starts, in the order in which they are reached.
typedef struct Automaton {
    Sym         role;
    size_t      states;
    const bool *final;          // the role may end there
    const AutomatonEdge *edges; // by `from`
    size_t      len;
} Automaton;

// A recursive call at the end of a choreography goes back to its start; any other, and a call that
// the diagram does not follow, is an edge of its own. Gives false when there are too many states.
bool automaton_make(Arena *a, const Diagram *d, Sym role, Automaton *out);

void automaton_print_dot(Buf *b, const Automaton *automaton);

#endif
