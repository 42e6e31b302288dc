// file.c - files and directories that must be private.

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Reads up to `most` + 1 bytes; returns how many, or -1.
static ssize_t read_all(int file, char *text, size_t most)
{
    size_t size = 0;
    while (size <= most) {
        ssize_t part = read(file, text + size, most + 1 - size);
        if (part < 0 && errno == EINTR)
            continue;
        if (part < 0)
            return -1;
        if (part == 0)
            break;
        size += (size_t)part;
    }
    return (ssize_t)size;
}

// Root may let the group of a service read a secret, but nobody else; Kubernetes does it so.
static bool is_by_group(const struct stat *found, unsigned mode)
{
    if (found->st_uid != 0 || mode != 0040)
        return false;
    gid_t groups[NGROUPS_MAX];
    int count = getgroups(NGROUPS_MAX, groups);
    for (int i = 0; i < count; i++)
        if (groups[i] == found->st_gid)
            return true;
    return found->st_gid == getegid();
}

// The checks are made on the open file, so that nobody can put another one in its place.
static bool check_private(int file, const char *path, unsigned forbidden, PychoralFault *fault)
{
    struct stat found;
    if (fstat(file, &found) != 0 || !S_ISREG(found.st_mode))
        return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED, "%s is not a regular file", path);
    if (forbidden && found.st_uid != geteuid() && found.st_uid != 0)
        return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED, "%s belongs to another user",
                                  path);
    unsigned mode = found.st_mode & forbidden & 0777;
    if (mode == 0 || is_by_group(&found, mode))
        return true;
    bool secret = forbidden & 0044;
    return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED,
                              "%s is rejected, because others may %s it; chmod %s %s", path,
                              secret ? "read" : "write", secret ? "600" : "go-w", path);
}

static char *read_text(int file, const char *path, size_t most, size_t *size,
                       PychoralFault *fault)
{
    char *text = malloc(most + 2);
    ssize_t found = text ? read_all(file, text, most) : -1;
    if (found >= 0 && (size_t)found <= most) {
        text[found] = 0;
        *size = (size_t)found;
        return text;
    }
    free(text);
    pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED, "%s %s", path,
                       found < 0 ? "cannot be read" : "is too large");
    return NULL;
}

char *pychoral_file_read(const char *path, unsigned forbidden, size_t most, size_t *size,
                         PychoralFault *fault)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);   // a FIFO must not hold us
    if (file < 0) {
        pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED, "%s cannot be read: %s", path,
                           strerror(errno));
        return NULL;
    }
    char *text = NULL;
    if (check_private(file, path, forbidden, fault))
        text = read_text(file, path, most, size, fault);
    close(file);
    return text;
}

bool pychoral_is_directory(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

bool pychoral_directory_private(const char *path, PychoralFault *fault)
{
    struct stat found;
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED, "%s cannot be made: %s", path,
                                  strerror(errno));
    if (lstat(path, &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid() &&
        (found.st_mode & 0077) == 0)
        return true;
    return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED,
                              "%s is not a directory that only you can enter; remove it, or set "
                              "XDG_RUNTIME_DIR to a directory of yours", path);
}
