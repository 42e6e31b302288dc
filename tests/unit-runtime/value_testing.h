// value_testing.h - what the tests of values share.

#ifndef VALUE_TESTING_H
#define VALUE_TESTING_H

#include <stdbool.h>
#include <stddef.h>

#include "value.h"

// The row of a type expression of tests/values.
const PychoralType *type_named(const char *expression);

// The bytes of hex, with blanks anywhere, in memory of their own.
unsigned char *parse_hex(const char *hex, size_t *size);

// The value that `hex` is.
void read_value_of(const PychoralType *type, const char *hex, void *value);

// Encodes while all allocations but the first few fail; false if one was missed, which is said.
bool encode_failing(const PychoralType *type, const void *value, long allocations);

#endif
