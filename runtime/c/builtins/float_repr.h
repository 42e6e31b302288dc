// float_repr.h - floats and complex numbers as text.

#ifndef PYCHORAL_FLOAT_REPR_H
#define PYCHORAL_FLOAT_REPR_H

#include "str.h"

// The shortest decimal number that reads as `value`, which is finite: its digits without zeros
// behind (at least one), and where the point stands: 0.DIGITS * 10**point.
typedef struct PychoralDecimal {
    char digits[24];
    int count, point;
} PychoralDecimal;

PychoralDecimal pychoral_float_shortest(double value);

// repr(value), str(value).
PychoralStr *pychoral_float_repr(double value);
PychoralStr *pychoral_complex_repr(PychoralComplex value);

// Writes repr(value) without a NUL into `text`; how many bytes. Whole numbers end in ".0" if
// `dot`, as they do outside of complex numbers.
enum { PYCHORAL_FLOAT_ROOM = 32 };
size_t pychoral_float_write(double value, bool dot, char text[PYCHORAL_FLOAT_ROOM]);

// Writes a number, which is not negative, with so many digits behind the point and without a NUL,
// rounded as printf does it; how many bytes. 0: not written, it takes more than 64 bits.
enum { PYCHORAL_FIXED_ROOM = 24 };
size_t pychoral_float_fixed(double value, int precision, char text[PYCHORAL_FIXED_ROOM]);

#endif
