// replace.h - files that get new contents together: all of them or, as far as a file system can
// promise that, none. No reader ever sees half a file.
//
// Each is written beside its place first and then renamed. A signal that would end the program in
// between waits until the temporary files are gone; what a killed program left is found by
// replace_is_leftover.

#ifndef PYCHORAL_COMMAND_REPLACE_H
#define PYCHORAL_COMMAND_REPLACE_H

#include <signal.h>
#include <stdbool.h>

#include "compiler/base/arena.h"
#include "compiler/base/source.h"
#include "compiler/base/vec.h"

typedef enum ReplaceHow {
    REPLACE_WHOLE,      // a file of ours, new or again: the mode is that of new files
    REPLACE_EDITED,     // a user's file: links lead to it still, mode and owner stay
} ReplaceHow;

typedef struct Staged { const char *temporary, *path; ReplaceHow how; } Staged;

typedef struct Replacement {
    Arena      *arena;
    Vec(Staged) staged;
    sigset_t    before;         // the signals that were held back already
} Replacement;

// From here to replace_commit or replace_discard signals wait.
Replacement replace_begin(Arena *a);
// False: the phrase says why; nothing of this file is left.
bool replace_stage(Replacement *r, const char *path, Text bytes, ReplaceHow how, const char **why);
// Ends the replacement. If one file cannot be put in its place, it and those after it stay as they
// were; `failed` is its path.
bool replace_commit(Replacement *r, const char **failed, const char **why);
void replace_discard(Replacement *r);

// Whether `name`, in a folder, is a temporary file or folder of a program that was killed while it
// wrote `base`; NULL: while it wrote anything.
bool replace_is_leftover(const char *name, const char *base);
// The name of such a temporary for `path`, for mkstemp and mkdtemp.
char *replace_temporary(Arena *a, const char *path);

#endif
