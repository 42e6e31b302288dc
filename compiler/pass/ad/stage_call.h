// stage_call.h - what the handlers of calls (stage_function.def) share.

#ifndef PYCHORAL_AD_STAGE_CALL_H
#define PYCHORAL_AD_STAGE_CALL_H

#include "compiler/pass/ad/stage_internal.h"

typedef struct Call {
    Stage *s;
    Sym   name;
    ValueVec args;
    KeywordList keywords;
    Scope *scope;
    Span  at;
    size_t taken;               // arguments that the handler has asked for, by position
    unsigned long named;        // and by name: bits
    bool  statement;            // it is all that a statement does, or assigns
} Call;

typedef Value *Handler(Call *c);
#define STAGE(home, name, handler) Value *stage_##handler(Call *c);
#include "compiler/pass/ad/stage_function.def"
#undef STAGE

// The argument at a position, or of a name; NULL: it is not given. What no handler asks for is
// refused.
Value *call_given(Call *c, size_t i, const char *name);
Value *call_wanted(Call *c, size_t i, const char *name);
const Expr *call_array(Call *c, size_t i, const char *name);
const ValueVec *call_all(Call *c);              // any number of arguments
bool   call_truth(Call *c, const char *name);
static inline Value *term(Call *c, const Expr *e) { return value_term(c->s, e); }
TyList call_shape(Call *c, const Value *v);     // a size, or a tuple of sizes
TyList call_lengths(Call *c, const Value *v);   // .. which may be negative

// grad(f)(..), value_and_grad(f)(..): the function on symbols, differentiated at once.
Value *call_gradient(Call *c, const Value *gradient);

// E0912 for the axes of a transposition: `rank` dimensions, `given` axes.
const Expr *call_refuse_axes(Call *c, const char *function, size_t rank, size_t given);
const Expr *call_reshaped(Call *c, const Expr *x, const Value *to);
const Expr *stage_whole_tests(Stage *s, const Expr *x);     // of tests: 1 and 0

#endif
