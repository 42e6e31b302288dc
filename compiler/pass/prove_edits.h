// prove_edits.h - an edit is shown only if the program with it is better: the error is mended, and
// the edit leads to no other.

#ifndef PYCHORAL_PROVE_EDITS_H
#define PYCHORAL_PROVE_EDITS_H

#include "compiler/pass/pass.h"

// Compiles the program, as `like` has it, with each edit that a message about it offers. `name` and
// `bytes` are the main file. Takes back an edit with which another error is found; advice with
// which the place itself stays wrong is taken back with its words.
void prove_edits(Diags *diags, const PassCx *like, PassId last, const char *name, Text bytes);

#endif
