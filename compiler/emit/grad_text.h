// grad_text.h - the module that holds a derivative: what the function needs of its source, and
// what was made of it. It stands alone.

#ifndef PYCHORAL_EMIT_GRAD_TEXT_H
#define PYCHORAL_EMIT_GRAD_TEXT_H

#include "compiler/emit/module_text.h"

// `source` holds the program as it is written, `made` the functions of the derivative, which are
// plain Python.
void emit_grad(Buf *b, const ModuleText *t, Sym function, EndpointList source, StmtList made);

// The same, for who puts more behind it: names are still those of several modules (module_merge).
void emit_grad_qualified(Buf *b, const ModuleText *t, Sym function, EndpointList source,
                         StmtList made);

// Whether the derivative calls functions of `flat` that are not as in the source (what is a
// function there is an object for them), or the function calls `pychoral.ad`: then those of `flat`
// are printed.
bool grad_text_calls_changed(const ModuleText *t, Sym function, EndpointList source,
                             EndpointList flat, StmtList made);

// The module of a function that is transformed as a term (compiler/pass/ad/mode.h).
void emit_term(Buf *b, const ModuleText *t, const char *mode, const Unit *unit);

#endif
