// terminal.h - which role of a `run` reads what is typed.

#ifndef PYCHORAL_COMMAND_TERMINAL_H
#define PYCHORAL_COMMAND_TERMINAL_H

#include "compiler/command/program.h"

// The role whose standard input is that of `run`: the one of `--Alice.stdin -`; else, if standard
// input is a terminal, the one role that reads and has no `--Alice.stdin FILE`. NULL: none has it.
// Two of them are reported; gives false then.
bool terminal_reader(Session *s, const Compilation *c, const char **reader);

#endif
