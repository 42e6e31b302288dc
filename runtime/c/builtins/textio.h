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
    PychoralStr *encoding;      // as it was given; NULL: it was not
    PychoralStandard standard;  // whose stream it is, if not `own`
    FILE *own;                  // NULL: closed
    bool reads, writes;
    bool keeps_newlines;        // as standard input does, and newline=""
    bool appends;
    bool iterated;              // `for` has taken lines, and has not come to the end: no tell()
    enum { PYCHORAL_NOTHING_YET, PYCHORAL_HAS_READ, PYCHORAL_HAS_WRITTEN } last;
    int64_t read_from;          // where reading began, if that was last
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
PychoralStr *pychoral_textio_encoding(const PychoralTextIO *file);

// `with open(..) as f`: the file itself; and its end, whatever has ended it.
PychoralTextIO *pychoral_textio_enter(PychoralTextIO *file);
void pychoral_textio_exit(PychoralTextIO *file, PychoralRef kind, PychoralRef fault,
                          PychoralRef trace);

// Both give the new position. Text is sought from its start only, or to here or the end.
int64_t pychoral_textio_seek(PychoralTextIO *file, int64_t offset, int64_t whence);
int64_t pychoral_textio_tell(PychoralTextIO *file);
bool pychoral_textio_seekable(PychoralTextIO *file);

// Cuts or fills up to so many bytes, to the position if `size` is INT64_MIN; gives it.
int64_t pychoral_textio_truncate(PychoralTextIO *file, int64_t size);

// Writes bytes that are UTF-8 text, with surrogates or not, to a file. False: it raised.
bool pychoral_textio_put(PychoralTextIO *file, const char *text, size_t size);

// ---- what files of bytes are, too (binaryio.h) ----

extern const PychoralType pychoral_type_UnsupportedOperation;

// A new file of the type, which derives from no other; `how` is a mode of fopen. NULL: it raised.
PychoralTextIO *pychoral_file_open(const PychoralType *type, const PychoralStr *name,
                                   const PychoralStr *mode, const char *how);

// NULL if it is closed, and ValueError was raised with that text.
FILE *pychoral_file_stream(const PychoralTextIO *file, const char *text);

// To be called before reading, and before writing: C wants something in between.
void pychoral_file_reads(PychoralTextIO *file, FILE *stream);
void pychoral_file_writes(PychoralTextIO *file, FILE *stream);

// Of a file that is open. Raise OSError.
int64_t pychoral_file_seek(PychoralTextIO *file, int64_t offset, int whence);
int64_t pychoral_file_tell(const PychoralTextIO *file);
int64_t pychoral_file_truncate(PychoralTextIO *file, int64_t size);
bool pychoral_file_seekable(const PychoralTextIO *file);

// OSError, or what derives from it for such a number.
const PychoralType *pychoral_kind_of_errno(int64_t number);

// Raises OSError, or what derives from it, of `errno`; `name` may be NULL.
void pychoral_throw_errno(int number, const PychoralStr *name);

#endif
