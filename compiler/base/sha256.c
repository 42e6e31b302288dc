// sha256.c - FIPS 180-4, sections 4.1.2, 5.1.1, 5.3.3 and 6.2; names of variables are the
// standard's.

#include "compiler/base/sha256.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64, WORDS = 8 };

static const uint32_t K[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotr(uint32_t x, int n) { return x >> n | x << (32 - n); }

static uint32_t load_word(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void prepare_schedule(const unsigned char *block, uint32_t W[ROUNDS])
{
    for (int t = 0; t < 16; t++)
        W[t] = load_word(block + 4 * t);
    for (int t = 16; t < ROUNDS; t++) {
        uint32_t s0 = rotr(W[t - 15], 7) ^ rotr(W[t - 15], 18) ^ W[t - 15] >> 3;
        uint32_t s1 = rotr(W[t - 2], 17) ^ rotr(W[t - 2], 19) ^ W[t - 2] >> 10;
        W[t] = s1 + W[t - 7] + s0 + W[t - 16];
    }
}

static void add_block(uint32_t H[WORDS], const unsigned char *block)
{
    uint32_t W[ROUNDS];
    prepare_schedule(block, W);
    uint32_t a = H[0], b = H[1], c = H[2], d = H[3], e = H[4], f = H[5], g = H[6], h = H[7];
    for (int t = 0; t < ROUNDS; t++) {
        uint32_t T1 = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + K[t]
                    + W[t];
        uint32_t T2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + T1;
        d = c;
        c = b;
        b = a;
        a = T1 + T2;
    }
    const uint32_t added[WORDS] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < WORDS; i++)
        H[i] += added[i];
}

// The last one or two blocks: the rest of the message, a 1 bit, zeros, the length in bits.
static void add_padding(uint32_t H[WORDS], const unsigned char *rest, size_t len)
{
    unsigned char tail[2 * BLOCK] = {0};
    size_t left = len % BLOCK, size = left < BLOCK - 8 ? BLOCK : 2 * BLOCK;
    if (left)
        memcpy(tail, rest, left);
    tail[left] = 0x80;
    uint64_t bits = (uint64_t)len * 8;
    for (int i = 0; i < 8; i++)
        tail[size - 1 - i] = (unsigned char)(bits >> (8 * i));
    for (size_t i = 0; i < size; i += BLOCK)
        add_block(H, tail + i);
}

void sha256_hex(const void *data, size_t len, char hex[SHA256_HEX_SIZE])
{
    uint32_t H[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const unsigned char *at = data;
    size_t whole = len - len % BLOCK;
    for (size_t i = 0; i < whole; i += BLOCK)
        add_block(H, at + i);
    add_padding(H, at + whole, len);
    for (int i = 0; i < 64; i++)
        hex[i] = "0123456789abcdef"[H[i / 8] >> (28 - 4 * (i % 8)) & 15];
    hex[64] = '\0';
}
