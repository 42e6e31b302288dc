// default.h - the default rules.

#ifndef PYCHORAL_DISTRIBUTE_DEFAULT_H
#define PYCHORAL_DISTRIBUTE_DEFAULT_H

#include "compiler/distribute/tool.h"

// Reports and changes nothing more when the script is refused.
void default_transform(Tool *t);

#endif
