// stderr.h - text on standard error, as Python writes it: surrogates as \udc80, at once.

#ifndef PYCHORAL_STDERR_H
#define PYCHORAL_STDERR_H

#include <stddef.h>

// Writes text. Nobody needs to read it: that it cannot be written is no error.
void pychoral_stderr_write(const char *text, size_t size);
void pychoral_stderr_puts(const char *text);

// Sees to it that it is written.
void pychoral_stderr_flush(void);

#endif
