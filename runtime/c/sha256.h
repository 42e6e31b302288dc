// sha256.h - the SHA-256 digest (FIPS 180-4): run ids, meeting places, histories.

#ifndef PYCHORAL_RUNTIME_SHA256_H
#define PYCHORAL_RUNTIME_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t state[8];
    uint64_t length;                    // bytes so far
    uint8_t block[64];
} PychoralSha256;

void pychoral_sha256_start(PychoralSha256 *sha);
void pychoral_sha256_add(PychoralSha256 *sha, const void *data, size_t size);
void pychoral_sha256_end(PychoralSha256 *sha, uint8_t digest[32]);

// Writes `size` bytes as lower-case hexadecimal and a NUL: 2 * size + 1 characters.
void pychoral_hex(const uint8_t *bytes, size_t size, char *text);

#endif
