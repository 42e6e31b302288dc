// price.h - about how many bytes of memory a value takes (PROTOCOL.md section 5.5; as price.py).

#ifndef PYCHORAL_PRICE_H
#define PYCHORAL_PRICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

enum { PYCHORAL_PRICE_LEAST = 16 << 20 };       // that can be set, in both languages

// Whether the price of the value in a message's payload is at most `most`. What is no value is
// priced as far as it can be read: who decodes it gets no further either.
bool pychoral_price_fits(const PychoralFrame *frames, size_t count, uint64_t most);

#endif
