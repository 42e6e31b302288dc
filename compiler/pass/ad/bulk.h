// bulk.h - the bulk-operation transformation: a term without `Build`.

#ifndef PYCHORAL_AD_BULK_H
#define PYCHORAL_AD_BULK_H

#include "compiler/pass/ad/term.h"

// Same type, same value, as long as plain indices (Subscript) are in range.
const Expr *bulk_term(Terms *t, const Expr *root);

#endif
