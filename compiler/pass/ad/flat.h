// flat.h - the pass `flat`: first-order functions in A-normal form, without jumps (compiler/IR.md,
// "After flat"). Both derivatives start from it, and the language C.

#ifndef PYCHORAL_AD_FLAT_H
#define PYCHORAL_AD_FLAT_H

#include "compiler/pass/ad/ad.h"
#include "compiler/pass/pass.h"

// The functions that `cx->grad->function` reaches. Reports what it does not know (E0901 .. E0905);
// the unit is then not to be used.
const Unit *flat_unit(PassCx *cx, const Unit *desugared);

#endif
