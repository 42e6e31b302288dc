// value_types.h - the types of types_of_tests.py, as rows that rows.py has written.

#ifndef VALUE_TYPES_H
#define VALUE_TYPES_H

#include "table.h"
#include "value.h"

typedef struct ValueType {
    const char *expression;
    const PychoralType *type;
} ValueType;

extern const ValueType value_types[];
extern const size_t value_type_count;

#endif
