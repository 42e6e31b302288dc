// binaryio.h - files of bytes: what `open(.., "rb")` gives.
//
// All functions may raise; ValueError if the file is closed, in the words of the class that the
// file has in Python: one for each of reading, writing, and both.

#ifndef PYCHORAL_BINARYIO_H
#define PYCHORAL_BINARYIO_H

#include "textio.h"

typedef PychoralTextIO PychoralBinaryIO;

extern const PychoralType pychoral_type_BinaryIO;

// open(file, mode, buffering) of bytes.
PychoralBinaryIO *pychoral_open_binary(const PychoralStr *file, const PychoralStr *mode,
                                       int64_t buffering);

// So many bytes, all if `size` is -1.
PychoralBytes *pychoral_binaryio_read(PychoralBinaryIO *file, int64_t size);

// A line with its newline, at most `limit` bytes if that is not negative; nothing at the end.
PychoralBytes *pychoral_binaryio_readline(PychoralBinaryIO *file, int64_t limit);
PychoralList *pychoral_binaryio_readlines(const PychoralType *type, PychoralBinaryIO *file);

// The number of bytes.
int64_t pychoral_binaryio_write(PychoralBinaryIO *file, const PychoralBytes *bytes);
void pychoral_binaryio_writelines(PychoralBinaryIO *file, PychoralIterator *lines);
void pychoral_binaryio_flush(PychoralBinaryIO *file);

// Both give the new position; `whence` is 0, 1 or 2 as for C's SEEK_SET, SEEK_CUR and SEEK_END.
int64_t pychoral_binaryio_seek(PychoralBinaryIO *file, int64_t offset, int64_t whence);
int64_t pychoral_binaryio_tell(PychoralBinaryIO *file);
bool pychoral_binaryio_seekable(PychoralBinaryIO *file);

// To so many bytes, to the position if `size` is INT64_MIN; gives the size.
int64_t pychoral_binaryio_truncate(PychoralBinaryIO *file, int64_t size);

#endif
