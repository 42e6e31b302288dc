// number_protocol.h - float(x), int(x), abs(x) and round(x) of values whose types are known only
// when they are there, and of objects that say by a method what they are.

#ifndef PYCHORAL_NUMBER_PROTOCOL_H
#define PYCHORAL_NUMBER_PROTOCOL_H

#include "object.h"

// All raise TypeError for what is no number, what their methods raise, and what a conversion of the
// number raises.
double pychoral_float_of(PychoralRef value);
PychoralInt pychoral_int_of(PychoralRef value);

// As `row`.
void pychoral_abs_of(PychoralRef value, const PychoralType *row, void *result);

// round(value), and with digits.
void pychoral_round_of(PychoralRef value, const PychoralType *row, void *result);
void pychoral_round_of_to(PychoralRef value, PychoralInt digits, const PychoralType *row,
                          void *result);

#endif
