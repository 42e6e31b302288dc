// diag.h - diagnostics as data: what is wrong, where, what else to look at, how to mend it.
//
// A headline is one sentence in lower case without a full stop; code in back-ticks; roles are
// named. Labels point at places and are short. Notes state facts. Helps say what to change, and
// carry the edits when the change is known to be right. Codes and summaries are in diag.def.

#ifndef PYCHORAL_DIAG_H
#define PYCHORAL_DIAG_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/arena.h"
#include "compiler/base/source.h"

typedef enum DiagId {
#define DIAG(id, code, severity, summary) DIAG_##id,
#include "compiler/base/diag.def"
#undef DIAG
    DIAG_COUNT
} DiagId;

typedef enum Severity { SEVERITY_ERROR, SEVERITY_WARNING } Severity;

typedef struct Label { Span at; const char *text; } Label;     // text may be ""
typedef struct Edit  { Span at; const char *text; } Edit;      // replace the span by the text
typedef struct Help  { const char *text; Edit *edits; size_t edit_count, edit_cap;
                       struct Help *next; } Help;
typedef struct Note  { const char *text; struct Note *next; } Note;

typedef struct Diag {
    DiagId id;
    Severity severity;
    const Source *source;       // NULL: about no source text (a file, an option)
    Span at;
    bool within;                // `declaration` is set
    uint32_t declaration;       // where the function or class starts that it is in
    const char *role;           // the role that it is about, if there is one for each role; or NULL
    const char *text;           // the headline
    const char *label;          // shown under the primary span; "" for none
    Label *labels; size_t label_count, label_cap;     // secondary places
    Note *notes, **last_note;
    Help *helps, **last_help;
    struct Diags *owner;
} Diag;

typedef struct Diags Diags;

Diags *diags_new(Arena *a);
void   diags_set_source(Diags *ds, const Source *source);  // source of what is reported from now on

// Tells which words of messages are names of roles. `role` is kept, and is interned.
void   diags_add_role(Diags *ds, const char *role);

// Reports. A second report with the same code at the same start is swallowed (a Diag is still
// returned, so that callers need no check).
Diag *diag_report(Diags *ds, Span at, DiagId id, const char *format, ...)
      __attribute__((format(printf, 4, 5)));
// The same for an error that each role may have at a place: swallowed only if about the same role.
Diag *diag_report_role(Diags *ds, Span at, DiagId id, const char *role, const char *format, ...)
      __attribute__((format(printf, 5, 6)));
// Of errors with one code about one role in one declaration only a few are shown.
void  diag_within(Diag *d, Span declaration);
void  diag_primary(Diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A label in another file than the diagnostic's becomes a note that says where; an edit of another
// file is left out.
void  diag_label(Diag *d, Span at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void  diag_note(Diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
Help *diag_help(Diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void  diag_edit(Diag *d, Help *h, Span at, const char *format, ...)
      __attribute__((format(printf, 4, 5)));

// Gives a help other edits, at places of the diagnostic's file.
void  diag_replace_edits(Diag *d, Help *h, const Edit *edits, size_t count);

const char *diag_code(DiagId id);       // "E0402"
const char *diag_summary(DiagId id);

// Calls `add` for every mention of a role in a text of the diagnostic. Messages name roles outside
// back-ticks.
void diag_each_role(const Diag *d, const char *text, void (*add)(void *cx, const char *role),
                    void *cx);
// Leaves out what `known` holds already, the same about the same place of a file of that name, and
// adds the rest to it.
void   diags_drop_known(Diags *ds, Diags *known);
// Reports here what was reported there, with a label at another place that led to it.
void   diags_take(Diags *ds, const Diags *from, Span at, const char *label);
size_t diags_error_count(const Diags *ds);
size_t diags_count(const Diags *ds);
const Diag *diags_get(const Diags *ds, size_t i);       // in source order, ties in report order
Diag  *diags_change(Diags *ds, size_t i);               // the same, to take back its advice

// Endings of a sentence that counts: "%zu argument%s", "%zu %s given".
static inline const char *diag_s(size_t n) { return n == 1 ? "" : "s"; }
static inline const char *diag_is(size_t n) { return n == 1 ? "is" : "are"; }
static inline const char *diag_was(size_t n) { return n == 1 ? "was" : "were"; }

#endif
