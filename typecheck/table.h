// table.h - see compiler/base/table.h.

#ifndef PYCHORAL_TYPECHECK_TABLE_H
#define PYCHORAL_TYPECHECK_TABLE_H

#include "compiler/base/table.h"

#endif
