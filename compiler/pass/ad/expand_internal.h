// expand_internal.h - what the files of `expand` share.

#ifndef PYCHORAL_AD_EXPAND_INTERNAL_H
#define PYCHORAL_AD_EXPAND_INTERNAL_H

#include "compiler/pass/ad/ad.h"

// A function `name` that answers a tuple of copies of what it gets: lists and objects of the types
// of `values`, or of the same shape with zeros in the place of floats. False: refused, reported.
bool expand_copier(const Ad *ad, Table *taken, Sym name, ExprList values, bool zeros,
                   StmtList *out);

// Statements with the conversions that Python's checkers ask for where a variable of several
// classes is known to be of one: calls of functions, which `more` gets.
StmtList expand_narrowed(const Ad *ad, Table *taken, Sym base, StmtList body, AdBlock *more);

#endif
