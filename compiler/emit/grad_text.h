// grad_text.h - the module that holds a derivative: what the function needs of its source, and
// what was made of it. It stands alone.

#ifndef PYCHORAL_EMIT_GRAD_TEXT_H
#define PYCHORAL_EMIT_GRAD_TEXT_H

#include "compiler/emit/module_text.h"

// `source` holds the program as it is written, `made` the functions of the derivative, which are
// plain Python. What calls `pychoral.ad` is printed as in `flat`, which does not (it may be empty).
void emit_grad(Buf *b, const ModuleText *t, Sym function, EndpointList source,
               EndpointList flat, StmtList made);

// The module of a function that is transformed as a term (compiler/pass/ad/mode.h).
void emit_term(Buf *b, const ModuleText *t, const char *mode, const Unit *unit);

#endif
