// received.h - the names that types have: of what a role receives, and of what classes hold.

#ifndef PYCHORAL_PROJECTION_RECEIVED_H
#define PYCHORAL_PROJECTION_RECEIVED_H

#include "compiler/base/intern.h"
#include "compiler/base/vec.h"
#include "ir_gen.h"

// `open`: of some value nothing is known.
typedef struct Found { Arena *arena; Names *pool; Vec(Sym) names; bool open; } Found;

Found received_by(Arena *a, Names *names, StmtList body);           // what these receive
Found received_of_type(Arena *a, Names *names, const Ty *t);
Found received_parts(Arena *a, Names *names, const Stmt *s);        // of a class; or of an alias

#endif
