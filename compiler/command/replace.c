// replace.c - POSIX: mkstemp beside the place, rename; a file of several names is written where it
// is, as its other names would keep the old contents otherwise.

#define _XOPEN_SOURCE 700       // realpath

#include "compiler/command/replace.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/command/file.h"

static const char random_part[] = ".XXXXXX";

Replacement replace_begin(Arena *a)
{
    Replacement r = {.arena = a};
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    sigaddset(&ends, SIGQUIT);
    sigprocmask(SIG_BLOCK, &ends, &r.before);
    return r;
}

static void let_signals_through(const Replacement *r)
{
    sigprocmask(SIG_SETMASK, &r->before, NULL);
}

// ---- names of temporary files: `.NAME.` and six letters or digits ----

char *replace_temporary(Arena *a, const char *path)
{
    const char *folder = path_folder(a, path), *base = path_base(path);
    size_t size = strlen(folder) + strlen(base) + sizeof "/." + sizeof random_part;
    char *name = arena_alloc(a, size);
    snprintf(name, size, "%s/.%s%s", folder, base, random_part);
    return name;
}

bool replace_is_leftover(const char *name, const char *base)
{
    size_t len = strlen(name), tail = strlen(random_part);
    if (name[0] != '.' || len < tail + 2 || name[len - tail] != '.')
        return false;
    for (size_t i = len - tail + 1; i < len; i++)
        if (!isalnum((unsigned char)name[i]))
            return false;
    return base == NULL
           || (strlen(base) == len - tail - 1 && memcmp(name + 1, base, len - tail - 1) == 0);
}

// ---- staging ----

// mkstemp makes files that only their owner can read.
static mode_t mode_of_new_files(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

// Only root can give a file away; for others it is theirs already, or cannot be kept.
static bool keep_mode_and_owner(int fd, const struct stat *old)
{
    bool given = fchown(fd, old->st_uid, old->st_gid) == 0;
    return fchmod(fd, given ? old->st_mode & 07777 : old->st_mode & 0777) == 0;
}

static const char *behind_links(Arena *a, const char *path)
{
    char real[PATH_MAX];
    return realpath(path, real) ? arena_strndup(a, real, strlen(real)) : path;
}

bool replace_stage(Replacement *r, const char *path, Text bytes, ReplaceHow how, const char **why)
{
    struct stat old;
    const char *place = how == REPLACE_EDITED ? behind_links(r->arena, path) : path;
    char *name = replace_temporary(r->arena, place);
    bool keeps = how == REPLACE_EDITED && stat(place, &old) == 0;
    int fd = mkstemp(name);
    if (fd < 0)
        return file_fail(why);
    bool done = file_write_all(fd, bytes)
                && (keeps ? keep_mode_and_owner(fd, &old) : fchmod(fd, mode_of_new_files()) == 0);
    if (!done)
        file_fail(why);
    if (close(fd) != 0 && done)
        done = file_fail(why);
    if (done)
        vec_push(r->arena, &r->staged, ((Staged){name, place, how}));
    else
        unlink(name);
    return done;
}

// ---- the end ----

// Written where it is, so that its other names see it. A full disk is found out first: nothing of
// the old contents is gone then.
static bool overwrite(const Replacement *r, const Staged *one, const char **why)
{
    Text bytes;
    if (!file_read(r->arena, one->temporary, &bytes, why))
        return false;
    int fd = open(one->path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return file_fail(why);
    errno = posix_fallocate(fd, 0, (off_t)bytes.len);
    bool done = ((bytes.len == 0 || errno == 0 || errno == EINVAL) && file_write_all(fd, bytes)
                 && ftruncate(fd, (off_t)bytes.len) == 0) || file_fail(why);
    if (close(fd) != 0 && done)
        done = file_fail(why);
    if (done)
        unlink(one->temporary);
    return done;
}

static bool put_in_place(const Replacement *r, const Staged *one, const char **why)
{
    struct stat old;
    if (one->how == REPLACE_EDITED && stat(one->path, &old) == 0 && old.st_nlink > 1)
        return overwrite(r, one, why);
    return rename(one->temporary, one->path) == 0 || file_fail(why);
}

static void remove_from(Replacement *r, size_t first)
{
    for (size_t i = first; i < r->staged.len; i++)
        unlink(r->staged.at[i].temporary);
    let_signals_through(r);
}

bool replace_commit(Replacement *r, const char **failed, const char **why)
{
    for (size_t i = 0; i < r->staged.len; i++)
        if (!put_in_place(r, &r->staged.at[i], why)) {
            *failed = r->staged.at[i].path;
            remove_from(r, i);
            return false;
        }
    let_signals_through(r);
    return true;
}

void replace_discard(Replacement *r) { remove_from(r, 0); }
