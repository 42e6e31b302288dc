// python.h - the Python that runs endpoints.

#ifndef PYCHORAL_COMMAND_PYTHON_H
#define PYCHORAL_COMMAND_PYTHON_H

#include "compiler/command/session.h"

// The first interpreter that has what the runtime needs; NULL when none has. One that PYTHON names
// is not second-guessed.
const char *python_find(void);

// The same; reports that there is none.
const char *python_required(Session *s);

#endif
