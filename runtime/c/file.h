// file.h - files that must be private: the manifest, keys, directories of sockets.

#ifndef PYCHORAL_FILE_H
#define PYCHORAL_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "fault.h"

// Reads a regular file of at most `most` bytes. `forbidden` are mode bits that nobody may have:
// 0077 for a secret (only its owner may read it), 0022 for what others must not write, 0 for
// anything. The caller frees the text, which ends with a NUL. NULL with a fault of status 77.
char *pychoral_file_read(const char *path, unsigned forbidden, size_t most, size_t *size,
                         PychoralFault *fault);

bool pychoral_is_directory(const char *path);

// Makes a directory that only this user can enter, or checks that it is one.
bool pychoral_directory_private(const char *path, PychoralFault *fault);

#endif
