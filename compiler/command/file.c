// file.c - POSIX files and folders.

#include "compiler/command/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/base/vec.h"

enum { CHUNK = 1 << 16 };

bool file_fail(const char **why)
{
    switch (errno) {
    case ENOENT: *why = "no such file or directory"; break;
    case EACCES: *why = "permission denied"; break;
    case EISDIR: *why = "is a directory"; break;
    case ENOTDIR: *why = "a component of the path is not a directory"; break;
    case ENOSPC: *why = "no space left on the device"; break;
    case EROFS: *why = "the file system is read-only"; break;
    default: *why = strerror(errno); break;
    }
    return false;
}

// ---- paths ----

char *path_join(Arena *a, const char *folder, const char *name)
{
    size_t n = strlen(folder), m = strlen(name);
    if (n > 0 && folder[n - 1] == '/')
        n--;
    char *path = arena_alloc(a, n + m + 2);
    memcpy(path, folder, n);
    path[n] = '/';
    memcpy(path + n + 1, name, m);
    return path;
}

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_folder(Arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return ".";
    return slash == path ? "/" : arena_strndup(a, path, (size_t)(slash - path));
}

// ---- reading ----

static bool read_all(Arena *a, int fd, Text *bytes, const char **why)
{
    char *at = NULL;
    size_t len = 0, cap = 0;
    for (;;) {
        if (cap - len < CHUNK) {
            char *bigger = arena_alloc(a, cap * 2 + 2 * CHUNK);
            if (len)
                memcpy(bigger, at, len);
            at = bigger;
            cap = cap * 2 + 2 * CHUNK;
        }
        ssize_t got = read(fd, at + len, cap - len - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return file_fail(why);
        if (got == 0)
            break;
        len += (size_t)got;
    }
    at[len] = '\0';
    *bytes = (Text){at, len};
    return true;
}

bool file_read(Arena *a, const char *path, Text *bytes, const char **why)
{
    if (strcmp(path, "-") == 0)
        return read_all(a, STDIN_FILENO, bytes, why);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return file_fail(why);
    bool done = read_all(a, fd, bytes, why);
    close(fd);
    return done;
}

bool file_read_regular(Arena *a, const char *path, Text *bytes)
{
    struct stat st;
    const char *why;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && file_read(a, path, bytes, &why);
}

// ---- writing ----

bool file_write_all(int fd, Text bytes)
{
    while (bytes.len > 0) {
        ssize_t put = write(fd, bytes.at, bytes.len);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        bytes.at += put;
        bytes.len -= (size_t)put;
    }
    return true;
}

static bool is_of_process(const char *path)
{
    return strncmp(path, "/proc/", strlen("/proc/")) == 0;
}

static bool leads_to_process(const char *link)
{
    char target[PATH_MAX] = "";
    return readlink(link, target, sizeof target - 1) > 0 && is_of_process(target);
}

// `/dev/stdout`, `/dev/fd/3`, `/proc/self/fd/3`.
static bool is_descriptor(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX] = "";
    if (slash && (size_t)(slash - path) < sizeof folder)
        memcpy(folder, path, (size_t)(slash - path));
    return is_of_process(path) || leads_to_process(path) || leads_to_process(folder);
}

bool file_is_stream(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0 || S_ISDIR(st.st_mode))
        return false;
    return !S_ISREG(st.st_mode) || is_descriptor(path);
}

bool file_write_stream(const char *path, Text bytes, const char **why)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return file_fail(why);
    bool done = file_write_all(fd, bytes) || file_fail(why);
    return close(fd) == 0 ? done : file_fail(why);
}

bool file_write_stdout(Text bytes) { return file_write_all(STDOUT_FILENO, bytes); }

// ---- folders ----

bool file_exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

bool file_is_same(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool folder_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool folder_publish(const char *folder, const char *name, const char **why)
{
    mode_t mask = umask(0);
    umask(mask);
    return (chmod(folder, 0777 & ~mask) == 0 && rename(folder, name) == 0) || file_fail(why);
}

int folder_lock(const char *path, void (*busy)(void *), void *told)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), done;
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    if (errno == EWOULDBLOCK)
        busy(told);
    do
        done = flock(fd, LOCK_EX);
    while (done != 0 && errno == EINTR);
    return fd;
}

bool folder_make(Arena *a, const char *path, const char **why)
{
    if (mkdir(path, 0777) == 0 || folder_exists(path))
        return true;
    if (errno != ENOENT)
        return errno == EEXIST ? (*why = "not a directory", false) : file_fail(why);
    const char *parent = path_folder(a, path);
    if (strcmp(parent, path) == 0 || !folder_make(a, parent, why))
        return false;
    return mkdir(path, 0777) == 0 || folder_exists(path) || file_fail(why);
}

bool folder_make_temporary(Arena *a, const char *prefix, const char **path, const char **why)
{
    const char *root = getenv("TMPDIR");
    char *name = arena_alloc(a, strlen(prefix) + sizeof "-XXXXXX");
    strcat(strcpy(name, prefix), "-XXXXXX");
    char *whole = path_join(a, root && *root ? root : "/tmp", name);
    if (mkdtemp(whole) == NULL)
        return file_fail(why);
    *path = whole;
    return true;
}

void folder_remove(Arena *a, const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return;
    if (!S_ISDIR(st.st_mode)) {
        unlink(path);
        return;
    }
    NameList names = folder_list(a, path);
    for (size_t i = 0; i < names.len; i++)
        folder_remove(a, path_join(a, path, names.at[i]));
    rmdir(path);
}

static int by_spelling(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

NameList folder_list(Arena *a, const char *path)
{
    Vec(const char *) names = {0};
    DIR *folder = opendir(path);
    if (folder == NULL)
        return (NameList){0};
    for (struct dirent *e = readdir(folder); e; e = readdir(folder))
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            vec_push(a, &names, arena_strndup(a, e->d_name, strlen(e->d_name)));
    closedir(folder);
    if (names.len > 1)
        qsort(names.at, names.len, sizeof *names.at, by_spelling);
    return (NameList){names.at, names.len};
}

const char *path_absolute(Arena *a, const char *path)
{
    char *here = path[0] == '/' ? NULL : getcwd(ARENA_ARRAY(a, char, PATH_MAX), PATH_MAX);
    if (here == NULL)
        return path;
    return strcmp(path, ".") == 0 ? here : path_join(a, here, path);
}
