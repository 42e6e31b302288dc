// lines.c - lines about a run that go to a file; contracts in lines.h.

#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READER_MS = 1000 };              // how long the reader of a FIFO may let us wait

struct PychoralLines {
    const char *path, *role, *what;
    int file;                           // -1: given up
    FILE *out;                          // a stream over `text`
    char *text;
    size_t size;
};

static int open_file(const char *path, bool anew)
{
    if (strcmp(path, "-") == 0)
        return fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK;     // no FIFO holds us
    // What others have put there could be a link to a file of ours; those of the system are none.
    flags |= strncmp(path, "/dev/", 5) == 0 ? 0 : O_NOFOLLOW;
    return open(path, flags | (anew ? O_TRUNC : 0), 0600);
}

int pychoral_lines_file(const char *path, bool anew, PychoralFault *fault)
{
    int file = open_file(path, anew);
    if (file < 0)
        pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE, "%.300s cannot be written: %s", path,
                           errno == ENXIO   ? "no program reads from it"
                           : errno == ELOOP ? "it is a link"
                                            : strerror(errno));
    return file;
}

PychoralLines *pychoral_lines_open(const char *path, const char *role, const char *what, bool anew,
                                   PychoralFault *fault)
{
    PychoralLines *lines = calloc(1, sizeof *lines);
    if (lines != NULL) {
        *lines = (PychoralLines){.path = path, .role = role, .what = what, .file = -1};
        lines->out = open_memstream(&lines->text, &lines->size);
    }
    if (lines == NULL || lines->out == NULL)
        pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE, "%.300s cannot be written: %s", path,
                           strerror(ENOMEM));
    else if ((lines->file = pychoral_lines_file(path, anew, fault)) >= 0)
        return lines;
    pychoral_lines_close(lines);
    return NULL;
}

void pychoral_lines_close(PychoralLines *lines)
{
    if (lines == NULL)
        return;
    if (lines->out != NULL)
        fclose(lines->out);
    if (lines->file >= 0)
        close(lines->file);
    free(lines->text);
    free(lines);
}

FILE *pychoral_lines_out(PychoralLines *lines)
{
    return lines->out;
}

static void give_up(PychoralLines *lines, const char *reason)
{
    close(lines->file);
    lines->file = -1;
    fprintf(stderr, "%s: the %s %s is incomplete from here on: %s; the run continues\n",
            lines->role,
            lines->what, lines->path, reason);
}

// Writes some of it, or waits until that can be done. How many bytes were taken; -1: none ever.
static ssize_t write_some(int file, const char *text, size_t size)
{
    ssize_t taken = write(file, text, size);
    if (taken >= 0 || (errno != EAGAIN && errno != EINTR))
        return taken;
    struct pollfd polled = {.fd = file, .events = POLLOUT};
    if (errno == EINTR || poll(&polled, 1, READER_MS) != 0)
        return 0;
    errno = EAGAIN;
    return -1;
}

void pychoral_lines_flush(PychoralLines *lines)
{
    if (fflush(lines->out) != 0 && lines->file >= 0)
        give_up(lines, strerror(ENOMEM));
    const char *at = lines->text;
    size_t left = lines->size;
    while (lines->file >= 0 && left > 0) {
        ssize_t taken = write_some(lines->file, at, left);
        if (taken < 0) {
            give_up(lines, errno == EAGAIN ? "no program reads from it" : strerror(errno));
            break;
        }
        at += taken;
        left -= (size_t)taken;
    }
    rewind(lines->out);
}
