// diag_out_internal.h - what the forms of diag_out.h share.

#ifndef PYCHORAL_DIAG_OUT_INTERNAL_H
#define PYCHORAL_DIAG_OUT_INTERNAL_H

#include "compiler/base/diag_out.h"
#include "compiler/base/vec.h"

struct DiagOut {
    Arena    *arena;
    DiagStyle style;
    bool      given[DIAG_COUNT];                // a diagnostic with this code was given
    size_t    shown[2], hidden[2];              // by Severity
    Vec(const Diag *) kept;                     // sarif: for the end
};

// Both ends of a span; the end is exclusive. Columns count code points from 1.
typedef struct Range { Place start, end; } Range;
Range diag_range(const Source *source, Span at);

// The roles of texts, each once.
typedef struct RoleNames { Arena *arena; Vec(const char *) names; } RoleNames;
void role_names_add(void *names, const char *role);
void diag_all_roles(const Diag *d, RoleNames *roles);

// The role that a diagnostic is about: the one it was reported for, else the first that it names.
// Of a place: the only role that its label names. NULL when there is none.
const char *diag_main_role(Arena *a, const Diag *d);
const char *diag_label_role(Arena *a, const Diag *d, const char *label);

void diag_json_put(Buf *b, Arena *a, const Diag *d);
void diag_json_end(Buf *b, const DiagOut *out, size_t files);
void diag_sarif_end(Buf *b, const DiagOut *out, int exit_code);

#endif
