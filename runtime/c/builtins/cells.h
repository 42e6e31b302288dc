// cells.h - how iterators describe what they hold.

#ifndef PYCHORAL_CELLS_H
#define PYCHORAL_CELLS_H

#include <stddef.h>

#include "iterator_tuple.h"

// Defines the row NAME of a struct that stands in an iterator's cells; its counted fields follow:
//     PYCHORAL_CELLS(MAP, Map, PYCHORAL_CELL(Map, items, pychoral_type_iterator));
#define PYCHORAL_CELL(Type, field, row) {.type = &(row), .offset = offsetof(Type, field)}
#define PYCHORAL_CELLS(NAME, Type, ...)                                                           \
    static const PychoralField NAME##_FIELDS[] = {__VA_ARGS__};                                   \
    static const PychoralType NAME = {.kind = PYCHORAL_TUPLE, .size = sizeof(Type),               \
                                      .count = sizeof NAME##_FIELDS / sizeof *NAME##_FIELDS,      \
                                      .fields = NAME##_FIELDS, .name = "iterator"}

#endif
