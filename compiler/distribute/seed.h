// seed.h - the rules of the paper's appendix, and nothing else.

#ifndef PYCHORAL_DISTRIBUTE_SEED_H
#define PYCHORAL_DISTRIBUTE_SEED_H

#include "compiler/distribute/tool.h"

void seed_transform(Tool *t);

#endif
