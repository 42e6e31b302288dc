// file.h - reading, writing and replacing files. The rest of the commands never opens one.
//
// Functions that can fail give false and say why in one phrase ("no such file or directory").

#ifndef PYCHORAL_COMMAND_FILE_H
#define PYCHORAL_COMMAND_FILE_H

#include <stdbool.h>

#include "compiler/base/arena.h"
#include "compiler/base/source.h"

// Reads a whole file; `-` is standard input.
bool file_read(Arena *a, const char *path, Text *bytes, const char **why);
// Reads what is there if it is a regular file: whatever else it is might never end.
bool file_read_regular(Arena *a, const char *path, Text *bytes);

// New contents for files: replace.h. Its parts: the whole text, or false with errno; the phrase of
// errno, and false.
bool file_write_all(int fd, Text bytes);
bool file_fail(const char **why);

bool file_write_stdout(Text bytes);

// A device, a pipe, or what a program has open (`/dev/stdout`): it is written to where it is, never
// replaced, and what was written there cannot be read.
bool file_is_stream(const char *path);
bool file_write_stream(const char *path, Text bytes, const char **why);

bool file_exists(const char *path);
bool file_is_same(const char *a, const char *b);        // two names of one file that exists
bool folder_exists(const char *path);
// Gives a folder its name, if nothing has it, or an empty folder; other users may read it then.
bool folder_publish(const char *folder, const char *name, const char **why);
// Waits until no other program holds the folder so, and holds it until this one ends or closes the
// descriptor. `busy` is called first if it must wait. Where a file system has no locks, it is not
// held.
int folder_lock(const char *path, void (*busy)(void *), void *told);
bool folder_make(Arena *a, const char *path, const char **why);         // with its parents
bool folder_make_temporary(Arena *a, const char *prefix, const char **path, const char **why);
void folder_remove(Arena *a, const char *path);                         // with all that is in it

// The names in a folder except `.` and `..`, sorted. An unreadable folder has none.
typedef struct NameList { const char **at; size_t len; } NameList;
NameList folder_list(Arena *a, const char *path);

char *path_join(Arena *a, const char *folder, const char *name);
const char *path_base(const char *path);        // what follows the last `/`
const char *path_folder(Arena *a, const char *path);
const char *path_absolute(Arena *a, const char *path);  // as it is, if it cannot be found out

#endif
