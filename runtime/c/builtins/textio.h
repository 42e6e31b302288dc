// textio.h - text files: sys.stdin, sys.stdout, sys.stderr, and what `open` gives.
//
// UTF-8, with Python's universal newlines where nothing else is said. Standard output is stdio's:
// buffered, by lines on a terminal. All functions may raise; ValueError if the file is closed.

#ifndef PYCHORAL_TEXTIO_H
#define PYCHORAL_TEXTIO_H

#include <stdio.h>

#include "object.h"

typedef enum PychoralStandard {
    PYCHORAL_NO_STANDARD,
    PYCHORAL_STDIN,
    PYCHORAL_STDOUT,
    PYCHORAL_STDERR
} PychoralStandard;

typedef struct PychoralTextIO {
    PychoralObject object;
    PychoralStr *name, *mode;
    PychoralStandard standard;  // whose stream it is, if not `own`
    FILE *own;                  // NULL: closed
    bool reads, writes;
    bool keeps_newlines;        // as standard input does, and newline=""
} PychoralTextIO;

extern const PychoralType pychoral_type_TextIO;
extern PychoralStr pychoral_mode_r;
extern PychoralTextIO pychoral_sys_stdin, pychoral_sys_stdout, pychoral_sys_stderr;

// open(file, mode, encoding=, newline=) of text. `newline`: NULL or "". Raises LookupError for an
// encoding other than UTF-8.
PychoralTextIO *pychoral_open(const PychoralStr *file, const PychoralStr *mode, int64_t buffering,
                              const PychoralStr *encoding, const PychoralStr *newline);

// The number of characters.
int64_t pychoral_textio_write(PychoralTextIO *file, const PychoralStr *text);
void pychoral_textio_writelines(PychoralTextIO *file, PychoralIterator *lines);
void pychoral_textio_flush(PychoralTextIO *file);

// A line with its newline, at most `limit` characters if that is not negative; "" at the end.
PychoralStr *pychoral_textio_readline(PychoralTextIO *file, int64_t limit);

// A line that a durable role does not record: its caller does.
PychoralStr *pychoral_textio_unrecorded_line(PychoralTextIO *file);

// So many characters, all if `size` is negative.
PychoralStr *pychoral_textio_read(PychoralTextIO *file, int64_t size);
PychoralList *pychoral_textio_readlines(const PychoralType *type, PychoralTextIO *file);

// The lines, as `for` takes them.
PychoralIterator *pychoral_textio_iter(const PychoralType *type, PychoralTextIO *file);

void pychoral_textio_close(PychoralTextIO *file);
bool pychoral_textio_closed(const PychoralTextIO *file);
bool pychoral_textio_readable(PychoralTextIO *file);
bool pychoral_textio_writable(PychoralTextIO *file);
bool pychoral_textio_isatty(PychoralTextIO *file);
int64_t pychoral_textio_fileno(PychoralTextIO *file);
PychoralStr *pychoral_textio_name(const PychoralTextIO *file);
PychoralStr *pychoral_textio_mode(const PychoralTextIO *file);

// `with open(..) as f`: the file itself; and its end, whatever has ended it.
PychoralTextIO *pychoral_textio_enter(PychoralTextIO *file);
void pychoral_textio_exit(PychoralTextIO *file, PychoralRef kind, PychoralRef fault,
                          PychoralRef trace);

// Writes bytes that are UTF-8 text, with surrogates or not, to a file. False: it raised.
bool pychoral_textio_put(PychoralTextIO *file, const char *text, size_t size);

// Raises OSError, or what derives from it, of `errno`; `name` may be NULL.
void pychoral_throw_errno(int number, const PychoralStr *name);

#endif
