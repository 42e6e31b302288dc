// manual.h - what is made of the tables of commands and options for other programs to show.

#ifndef PYCHORAL_COMMAND_MANUAL_H
#define PYCHORAL_COMMAND_MANUAL_H

#include "compiler/base/buf.h"

// The manual page, in the language of man(7).
void manual_page(Buf *b);

// The completion script of a shell.
typedef enum Shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH, SHELL_COUNT } Shell;
extern const char *const shell_names[SHELL_COUNT];
void completion_script(Buf *b, Shell shell);

#endif
