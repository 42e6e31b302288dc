// sha256.h - the SHA-256 digest (FIPS 180-4), for naming sources and protocols by their content.

#ifndef PYCHORAL_SHA256_H
#define PYCHORAL_SHA256_H

#include <stddef.h>

enum { SHA256_HEX_SIZE = 65 };          // 64 hexadecimal digits and a NUL

// Writes the digest of `len` bytes at `data` in lower-case hexadecimal.
void sha256_hex(const void *data, size_t len, char hex[SHA256_HEX_SIZE]);

#endif
