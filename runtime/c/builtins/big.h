// big.h - within the number files: ints of any size as GMP takes them, and results that come back.

#ifndef PYCHORAL_BIG_H
#define PYCHORAL_BIG_H

#include "number.h"

// A view of an int for GMP, which is valid where it is declared.
typedef struct PychoralView {
    PychoralInt number;
    mp_limb_t limb;
    mpz_t z;
} PychoralView;

// Makes the view of a number.
void pychoral_view(PychoralView *view, PychoralInt number);

// The number that GMP holds, whose memory is then given back.
PychoralInt pychoral_take(mpz_t from);

// What GMP's `operator` makes of two ints.
typedef void PychoralBigOperator(mpz_ptr result, mpz_srcptr a, mpz_srcptr b);
PychoralInt pychoral_big_operate(PychoralBigOperator *operator, PychoralInt a, PychoralInt b);

// Room for a big number of `count` limbs, to be given to pychoral_big_done. NULL: raised
// MemoryError.
PychoralBig *pychoral_big_new(size_t count);

// The number in the first `count` limbs: zeros on top are cut, and it is small if it fits.
PychoralInt pychoral_big_done(PychoralBig *big, size_t count, bool negative);

// Whether GMP may be asked for a result of so many limbs. False: raised MemoryError.
bool pychoral_has_room(double limbs);

// How many bits the magnitude has.
size_t pychoral_bits(PychoralInt number);

// Raises an exception without arguments.
void pychoral_throw_bare(const PychoralType *kind);

// The float nearest to top * 2**exponent, ties to even, where the lowest bit of `top` stands for
// all below it, too, and the highest is set. Infinite if it is too large.
double pychoral_scaled(uint64_t top, long exponent);

#endif
