// view.h - the sequence diagram of a choreography: who sends what to whom, in which order, and who
// decides.

#ifndef PYCHORAL_EMIT_VIEW_H
#define PYCHORAL_EMIT_VIEW_H

#include "compiler/base/buf.h"
#include "compiler/emit/site_table.h"
#include "ir_gen.h"

typedef enum ViewKind {
    VIEW_MESSAGE,               // `text` is the variable and its type, or the type alone
    VIEW_SELECT,                // `text` is the label
    VIEW_ALT, VIEW_ELSE,        // `text` is who decides, and the condition
    VIEW_LOOP,                  // the same
    VIEW_END,
    VIEW_NOTE,                  // over `from` to `to`
    VIEW_JUMP,                  // the same: where a path goes on; no reason to draw its frame
    // For the automaton alone; always hidden:
    VIEW_ENTER, VIEW_LEAVE,     // the body of a choreography; `text` is its name
    VIEW_CALL,                  // a call that is not followed; `text` is what is called
    VIEW_AFTER_LOOP,            // where `break` continues
} ViewKind;

typedef struct ViewEvent {
    ViewKind    kind;
    Sym         from, to;       // ALT, ELSE, LOOP, END: NULL
    const char *text;
    bool        hidden;         // not drawn
    bool        closed;         // ALT: one of its parts is always taken; LOOP: ends by `break` only
    int         site;           // the number of the message; 0: it is none
    Span        at;             // of the message
    StmtKind    jump;           // JUMP: RETURN, RAISE, BREAK or CONTINUE
    SymList     roles;          // ENTER, CALL: who takes part
    int         body;           // ENTER: which it is, no other has it; CALL: the one that is run
                                // again, 0 if that is not known
    const char *type;           // MESSAGE, SELECT: the text without the variable
} ViewEvent;

typedef struct Diagram {
    const char *title;
    SymList     roles;          // from left to right
    const ViewEvent *at;
    size_t      len;
} Diagram;

// What a diagram is made of.
typedef struct ViewCx {
    Arena           *arena;
    Names           *names;
    const Source    *source;
    const SiteTable *sites;
    const Unit      *checked;
} ViewCx;

// Collects the diagram of the function `entry` of the checked unit. Choreographic calls are
// followed, a recursive one is a note. Returns false if there is no function of that name.
bool view_collect(const ViewCx *cx, Sym entry, Diagram *diagram);

void view_print_mermaid(Buf *b, const Diagram *d);
void view_print_svg(Buf *b, const Diagram *d);

// The names of the roles alone, as they are at the top of the picture, 52 pixels high.
void view_print_svg_head(Buf *b, const Diagram *d);

// A text that is shown beside the diagram: a source file, or a role's program.
typedef struct ViewPanel { const char *title; Text text; const Source *source; } ViewPanel;
typedef struct ViewPanels { const ViewPanel *at; size_t len; } ViewPanels;

// A page with the sources, the diagram and the programs side by side. Sources have `source`, and a
// line of one belongs to the messages that it writes; a line of a program to those whose numbers
// it has.
void view_print_html(Buf *b, const ViewCx *cx, const Diagram *d, ViewPanels panels);

#endif
