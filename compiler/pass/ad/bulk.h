// bulk.h - the bulk-operation transformation: a term without `Build`.

#ifndef PYCHORAL_AD_BULK_H
#define PYCHORAL_AD_BULK_H

#include "compiler/pass/ad/term.h"

// Same type, same value, as long as plain indices (Subscript) are in range.
// build size (\index. e) of a bulk term, bulk again.
const Expr *bulk_build(Terms *t, const Expr *index, const Ty *size, const Expr *e);

const Expr *bulk_term(Terms *t, const Expr *root);

#endif
