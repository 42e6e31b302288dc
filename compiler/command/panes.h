// panes.h - `run --panes`: what each role prints, in a pane of tmux of its own.

#ifndef PYCHORAL_COMMAND_PANES_H
#define PYCHORAL_COMMAND_PANES_H

#include <stdio.h>

#include "compiler/command/program.h"

// Whether this is a pane of tmux; reports it otherwise.
bool panes_there(Session *s);

// Opens a pane for each of the programs, which shows what is written to its stream, until that is
// closed and a key is typed there. Their pipes are made in `folder`. Reports what fails and gives
// NULL then.
FILE **panes_open(Session *s, const char *folder, Programs programs);
void   panes_close(FILE **panes, size_t count);

#endif
