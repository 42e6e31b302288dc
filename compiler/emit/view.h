// view.h - the sequence diagram of a choreography: who sends what to whom, in which order, and who
// decides.

#ifndef PYCHORAL_EMIT_VIEW_H
#define PYCHORAL_EMIT_VIEW_H

#include "compiler/base/buf.h"
#include "ir_gen.h"

typedef enum ViewKind {
    VIEW_MESSAGE,               // `text` is the payload's type
    VIEW_SELECT,                // `text` is the label
    VIEW_ALT, VIEW_ELSE,        // `text` is who decides, and what on
    VIEW_LOOP,                  // the same
    VIEW_END,
    VIEW_NOTE,                  // over `from` to `to`
    VIEW_JUMP,                  // the same: where a path goes on; no reason to draw its frame
} ViewKind;

typedef struct ViewEvent {
    ViewKind    kind;
    Sym         from, to;       // ALT, ELSE, LOOP, END: NULL
    const char *text;
} ViewEvent;

typedef struct Diagram {
    const char *title;
    SymList     roles;          // from left to right
    const ViewEvent *at;
    size_t      len;
} Diagram;

// Collects the diagram of the function `entry` of a checked unit. Choreographic calls are followed,
// a recursive one is a note. Gives false when there is no such function.
bool view_collect(Arena *a, Names *names, const Unit *checked, Sym entry, Diagram *diagram);

void view_print_mermaid(Buf *b, const Diagram *d);
void view_print_svg(Buf *b, const Diagram *d);

#endif
