// deployment.c - where roles meet when nobody says so.

#define _DEFAULT_SOURCE 1               // flock

#include "deployment.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "sha256.h"

enum {
    MAX_PATH = 106,                     // sockaddr_un has 108 bytes with the final NUL
    LONGEST_NAME = 17,                  // "/999.4194304.new", as the Python package has it
};

static bool is_usable(const char *base)
{
    struct stat found;
    char tail[80];
    int length = snprintf(tail, sizeof tail, "/pychoral-%u/", (unsigned)getuid());
    return base && base[0] && strlen(base) + (size_t)length + 16 + LONGEST_NAME <= MAX_PATH &&
           stat(base, &found) == 0 && S_ISDIR(found.st_mode) && access(base, W_OK | X_OK) == 0;
}

// The first base directory that is writable and short enough for a socket's path.
static const char *usable_base(char *room, size_t size)
{
    const char *bases[] = {getenv("XDG_RUNTIME_DIR"), room, getenv("TMPDIR"), getenv("TEMP"),
                           getenv("TMP"), "/tmp"};
    snprintf(room, size, "/run/user/%u", (unsigned)getuid());
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        if (is_usable(bases[i]))
            return bases[i];
    return NULL;
}

static void digest_of(const char *protocol, const char *run, char text[17])
{
    PychoralSha256 sha;
    uint8_t digest[32];
    pychoral_sha256_start(&sha);
    pychoral_sha256_add(&sha, protocol, strlen(protocol));
    pychoral_sha256_add(&sha, "\n", 1);
    pychoral_sha256_add(&sha, run, strlen(run));
    pychoral_sha256_end(&sha, digest);
    pychoral_hex(digest, 8, text);
}

// Locks the file if it is still the one that stands at the path. -1 with errno if not.
static int lock_file(const char *path)
{
    struct stat mine, there;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return -1;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &mine) == 0 &&
        stat(path, &there) == 0 && mine.st_ino == there.st_ino && mine.st_dev == there.st_dev)
        return file;
    int why = errno == EWOULDBLOCK ? EWOULDBLOCK : ENOENT;
    close(file);
    errno = why;
    return -1;
}

// The last role of an earlier run may remove file and directory meanwhile: then once more.
static bool take_lock(PychoralPlace *place, const char *parent, const char *role,
                      bool takes_over, PychoralFault *fault)
{
    char path[PYCHORAL_PLACE_SIZE + 20];
    snprintf(path, sizeof path, "%s/%d.lock", place->path, place->index);
    for (int tries = 0; tries < 100; tries++) {
        if (!pychoral_directory_private(parent, fault))
            return false;
        if (!pychoral_directory_private(place->path, fault)) {
            if (access(parent, F_OK) != 0)
                continue;
            return false;
        }
        place->lock = lock_file(path);
        if (place->lock >= 0)
            return true;
        if (errno == EWOULDBLOCK && takes_over && unlink(path) == 0)
            continue;
        if (errno == EWOULDBLOCK)
            return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED,
                                      "%s is already running; name another run with --run NAME",
                                      role);
        if (errno != ENOENT)
            break;
    }
    return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED, "cannot lock %s: %s", path,
                              strerror(errno));
}

bool pychoral_place_enter(PychoralPlace *place, const char *protocol, const char *run,
                          const char *role, int index, bool takes_over, PychoralFault *fault)
{
    char digest[17], room[40], parent[PYCHORAL_PLACE_SIZE - 20];
    const char *base = usable_base(room, sizeof room);
    *place = (PychoralPlace){.index = index, .lock = -1};
    if (!base)
        return pychoral_fault_set(
            fault, PYCHORAL_EXIT_REFUSED,
            "no writable directory has a path short enough for sockets; set XDG_RUNTIME_DIR to "
            "one");
    digest_of(protocol, run, digest);
    snprintf(parent, sizeof parent, "%s/pychoral-%u", base, (unsigned)getuid());
    snprintf(place->path, sizeof place->path, "%s/%s", parent, digest);
    if (take_lock(place, parent, role, takes_over, fault))
        return true;
    place->path[0] = 0;
    return false;
}

void pychoral_place_address(const PychoralPlace *place, int index, char *text, size_t size)
{
    snprintf(text, size, "ipc://%s/%d", place->path, index);
}

void pychoral_place_bindable(const PychoralPlace *place, char *text, size_t size)
{
    snprintf(text, size, "ipc://%s/%d.%ld", place->path, place->index, (long)getpid());
}

bool pychoral_place_lead(const PychoralPlace *place, PychoralFault *fault)
{
    char path[PYCHORAL_PLACE_SIZE + 20], fresh[PYCHORAL_PLACE_SIZE + 50], target[40];
    snprintf(path, sizeof path, "%s/%d", place->path, place->index);
    snprintf(target, sizeof target, "%d.%ld", place->index, (long)getpid());
    snprintf(fresh, sizeof fresh, "%s/%s.new", place->path, target);
    if (symlink(target, fresh) == 0 && rename(fresh, path) == 0)
        return true;
    return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED, "cannot make %s: %s", path,
                              strerror(errno));
}

bool pychoral_place_is_alive(const PychoralPlace *place, int index)
{
    char path[PYCHORAL_PLACE_SIZE + 20];
    snprintf(path, sizeof path, "%s/%d.lock", place->path, index);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno != ENOENT;
    bool alive = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(file);
    return alive;
}

static bool write_word(const PychoralPlace *place, const char *kind, const char *key,
                       PychoralFault *fault)
{
    char path[PYCHORAL_PLACE_SIZE + 30], fresh[PYCHORAL_PLACE_SIZE + 40];
    size_t length = strlen(key);
    snprintf(path, sizeof path, "%s/%d.%s", place->path, place->index, kind);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    int file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = file >= 0 && write(file, key, length) == (ssize_t)length;
    if (file >= 0)
        close(file);
    if (good && rename(fresh, path) == 0)
        return true;
    return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED, "cannot write %s: %s", path,
                              strerror(errno));
}

bool pychoral_place_publish_key(const PychoralPlace *place, const char *key, bool serves,
                                PychoralFault *fault)
{
    return write_word(place, "key", key, fault) &&
           (!serves || write_word(place, "server", key, fault));
}

static bool read_word(const PychoralPlace *place, int index, const char *kind, char *text,
                      size_t size)
{
    char path[PYCHORAL_PLACE_SIZE + 30];
    snprintf(path, sizeof path, "%s/%d.%s", place->path, index, kind);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, size - 1);
    if (file >= 0)
        close(file);
    text[length < 0 ? 0 : length] = 0;
    return length > 0;
}

bool pychoral_place_key_of(const PychoralPlace *place, int index, bool serves, char *key,
                           size_t size)
{
    return read_word(place, index, serves ? "server" : "key", key, size);
}

bool pychoral_place_mark(const PychoralPlace *place, const char *why, PychoralFault *fault)
{
    return write_word(place, "failed", why, fault);
}

bool pychoral_place_mark_of(const PychoralPlace *place, int index, char *why, size_t size)
{
    return read_word(place, index, "failed", why, size) && pychoral_place_is_alive(place, index);
}

// Whether the place has not been taken over.
static bool is_own(const PychoralPlace *place)
{
    struct stat mine, there;
    char path[PYCHORAL_PLACE_SIZE + 20];
    snprintf(path, sizeof path, "%s/%d.lock", place->path, place->index);
    return fstat(place->lock, &mine) == 0 && stat(path, &there) == 0 &&
           mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
}

// All that starts with the role's number: libzmq leaves sockets, killed processes more.
static void remove_files(const PychoralPlace *place)
{
    char start[20], path[PYCHORAL_PLACE_SIZE + 300];
    DIR *folder = opendir(place->path);
    struct dirent *entry;
    size_t length = (size_t)snprintf(start, sizeof start, "%d", place->index);
    while (folder && (entry = readdir(folder))) {
        char after = strncmp(entry->d_name, start, length) == 0 ? entry->d_name[length] : '-';
        snprintf(path, sizeof path, "%s/%.255s", place->path, entry->d_name);
        if (after == '\0' || after == '.')
            unlink(path);
    }
    if (folder)
        closedir(folder);
}

void pychoral_place_leave(PychoralPlace *place)
{
    if (!place->path[0])
        return;
    if (is_own(place))
        remove_files(place);
    close(place->lock);
    rmdir(place->path);                 // stays while others are there
    *place = (PychoralPlace){.lock = -1};
}
