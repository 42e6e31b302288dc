// restrict.h - the restrictions of the paper (section 2.1), which its rules rely on.

#ifndef PYCHORAL_DISTRIBUTE_RESTRICT_H
#define PYCHORAL_DISTRIBUTE_RESTRICT_H

#include "compiler/distribute/tool.h"

// Reports E1101 if there is nothing to distribute, and E1102 - E1111 where a restriction is broken.
void seed_check(Tool *t);

#endif
