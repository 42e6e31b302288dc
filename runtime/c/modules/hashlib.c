// hashlib.c - Python's hashlib and hmac, over libcrypto; contracts in hashlib.h.

#include "hashlib.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct PychoralHash {
    PychoralObject object;
    const struct Kind *kind;
    EVP_MD_CTX *inner;
    EVP_MD_CTX *outer;                  // of an HMAC; else NULL
};

// The names of Python and of libcrypto.
typedef struct Kind {
    const char *name;
    const EVP_MD *(*digest)(void);
} Kind;

static const Kind KINDS[] = {
    {"md5", EVP_md5},           {"sha1", EVP_sha1},         {"sha224", EVP_sha224},
    {"sha256", EVP_sha256},     {"sha384", EVP_sha384},     {"sha512", EVP_sha512},
    {"sha3_224", EVP_sha3_224}, {"sha3_256", EVP_sha3_256}, {"sha3_384", EVP_sha3_384},
    {"sha3_512", EVP_sha3_512}, {"blake2b", EVP_blake2b512}, {"blake2s", EVP_blake2s256},
};

static void close_hash(void *object)
{
    PychoralHash *hash = object;
    EVP_MD_CTX_free(hash->inner);
    EVP_MD_CTX_free(hash->outer);
}

const PychoralType pychoral_type_hash = {
    .kind = PYCHORAL_DATACLASS, .size = sizeof(PychoralHash *), .body = sizeof(PychoralHash),
    .flags = PYCHORAL_PLAIN, .name = "HASH", .module = "_hashlib", .close = close_hash};
const PychoralType pychoral_type_hmac = {
    .kind = PYCHORAL_DATACLASS, .size = sizeof(PychoralHash *), .body = sizeof(PychoralHash),
    .flags = PYCHORAL_PLAIN, .name = "HMAC", .module = "hmac", .close = close_hash};

// ---- contexts ----

static const Kind *kind_of(const PychoralStr *name)
{
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (strlen(KINDS[i].name) == name->size && strcasecmp(KINDS[i].name, name->data) == 0)
            return &KINDS[i];
    return NULL;
}

// What hashlib says of a name, and what libcrypto does, which comes through elsewhere.
static void *unknown(const PychoralStr *name)
{
    pychoral_throw(&pychoral_type_ValueError, "unsupported hash type %s", name->data);
    return NULL;
}

static void *unsupported(void)
{
    pychoral_throw(&pychoral_type_ValueError, "[digital envelope routines] unsupported");
    return NULL;
}

static EVP_MD_CTX *context_of(const Kind *kind)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context == NULL || EVP_DigestInit_ex(context, kind->digest(), NULL) != 1)
        pychoral_no_memory();
    return context;
}

static EVP_MD_CTX *copy_of(const EVP_MD_CTX *context)
{
    EVP_MD_CTX *copy = EVP_MD_CTX_new();
    if (copy == NULL || EVP_MD_CTX_copy_ex(copy, context) != 1)
        pychoral_no_memory();
    return copy;
}

// What a context gives, without ending it. The size.
static size_t result_of(const EVP_MD_CTX *context, unsigned char digest[EVP_MAX_MD_SIZE])
{
    unsigned size = 0;
    EVP_MD_CTX *copy = copy_of(context);
    EVP_DigestFinal_ex(copy, digest, &size);
    EVP_MD_CTX_free(copy);
    return size;
}

// As above, of an HMAC, too.
static size_t digest_of(const PychoralHash *hash, unsigned char digest[EVP_MAX_MD_SIZE])
{
    unsigned size = (unsigned)result_of(hash->inner, digest);
    if (hash->outer == NULL)
        return size;
    EVP_MD_CTX *outer = copy_of(hash->outer);
    EVP_DigestUpdate(outer, digest, size);
    EVP_DigestFinal_ex(outer, digest, &size);
    EVP_MD_CTX_free(outer);
    return size;
}

static PychoralBytes *bytes_of(const void *data, size_t size)
{
    PychoralBytes *bytes = pychoral_bytes_new(data, size);
    if (bytes == NULL)
        pychoral_no_memory();
    return bytes;
}

static PychoralHash *new_object(const PychoralType *type, const Kind *kind)
{
    PychoralHash *hash = pychoral_object_new(type);
    if (hash == NULL)
        pychoral_no_memory();
    hash->kind = kind;
    return hash;
}

// ---- hashes ----

static PychoralHash *new_hash(const Kind *kind, const PychoralBytes *data)
{
    PychoralHash *hash = new_object(&pychoral_type_hash, kind);
    hash->inner = context_of(kind);
    if (data != NULL)
        pychoral_hash_update(hash, data);
    return hash;
}

PychoralHash *pychoral_hash_new(const PychoralStr *name, const PychoralBytes *data, bool secure)
{
    const Kind *kind = kind_of(name);
    (void)secure;
    return kind == NULL ? unknown(name) : new_hash(kind, data);
}

#define HASH(NAME, INDEX)                                                                         \
    PychoralHash *pychoral_hash_##NAME(const PychoralBytes *data, bool secure)                    \
    {                                                                                             \
        (void)secure;                                                                             \
        return new_hash(&KINDS[INDEX], data);                                                     \
    }
HASH(md5, 0)
HASH(sha1, 1)
HASH(sha224, 2)
HASH(sha256, 3)
HASH(sha384, 4)
HASH(sha512, 5)
HASH(sha3_224, 6)
HASH(sha3_256, 7)
HASH(sha3_384, 8)
HASH(sha3_512, 9)
HASH(blake2b, 10)
HASH(blake2s, 11)

void pychoral_hash_update(PychoralHash *hash, const PychoralBytes *data)
{
    EVP_DigestUpdate(hash->inner, data->data, data->size);
}

PychoralBytes *pychoral_hash_digest(const PychoralHash *hash)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    return bytes_of(digest, digest_of(hash, digest));
}

PychoralStr *pychoral_hash_hexdigest(const PychoralHash *hash)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    char text[2 * EVP_MAX_MD_SIZE + 1];
    size_t size = digest_of(hash, digest);
    for (size_t i = 0; i < size; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    PychoralStr *str = pychoral_str_new(text, 2 * size);
    if (str == NULL)
        pychoral_no_memory();
    return str;
}

PychoralHash *pychoral_hash_copy(const PychoralHash *hash)
{
    PychoralHash *copy = new_object(hash->object.type, hash->kind);
    copy->inner = copy_of(hash->inner);
    copy->outer = hash->outer != NULL ? copy_of(hash->outer) : NULL;
    return copy;
}

PychoralStr *pychoral_hash_name(const PychoralHash *hash)
{
    char text[40];
    int size = snprintf(text, sizeof text, "%s%s", hash->outer != NULL ? "hmac-" : "",
                        hash->kind->name);
    PychoralStr *name = pychoral_str_new(text, (size_t)size);
    if (name == NULL)
        pychoral_no_memory();
    return name;
}

int64_t pychoral_hash_digest_size(const PychoralHash *hash)
{
    return EVP_MD_get_size(hash->kind->digest());
}

int64_t pychoral_hash_block_size(const PychoralHash *hash)
{
    return EVP_MD_get_block_size(hash->kind->digest());
}

// ---- keyed ones ----

// A context that has taken in the key, each byte of it changed by `pad`.
static EVP_MD_CTX *padded(const Kind *kind, const unsigned char *key, size_t size, uint8_t pad)
{
    enum { MOST = 200 };                // bytes in a block
    unsigned char block[MOST];
    EVP_MD_CTX *context = context_of(kind);
    size_t length = (size_t)EVP_MD_get_block_size(kind->digest());
    memset(block, pad, sizeof block);
    for (size_t i = 0; i < size; i++)
        block[i] ^= key[i];
    EVP_DigestUpdate(context, block, length);
    OPENSSL_cleanse(block, sizeof block);
    return context;
}

PychoralHash *pychoral_hmac_new(const PychoralBytes *key, const PychoralBytes *message,
                                const PychoralStr *digest)
{
    unsigned char shortened[EVP_MAX_MD_SIZE];
    const unsigned char *secret = (const unsigned char *)key->data;
    unsigned size = (unsigned)key->size;
    const Kind *kind = kind_of(digest);
    if (kind == NULL)
        return unsupported();
    if (key->size > (size_t)EVP_MD_get_block_size(kind->digest())) {
        EVP_Digest(key->data, key->size, shortened, &size, kind->digest(), NULL);
        secret = shortened;
    }
    PychoralHash *hash = new_object(&pychoral_type_hmac, kind);
    hash->inner = padded(kind, secret, size, 0x36);
    hash->outer = padded(kind, secret, size, 0x5c);
    if (message != NULL)
        pychoral_hash_update(hash, message);
    return hash;
}

PychoralBytes *pychoral_hmac_digest(const PychoralBytes *key, const PychoralBytes *message,
                                    const PychoralStr *digest)
{
    PychoralHash *hash = pychoral_hmac_new(key, message, digest);
    if (hash == NULL)
        return NULL;
    PychoralBytes *result = pychoral_hash_digest(hash);
    pychoral_release(&pychoral_type_hmac, &hash);
    return result;
}

bool pychoral_compare_digest(const PychoralBytes *a, const PychoralBytes *b)
{
    return a->size == b->size && CRYPTO_memcmp(a->data, b->data, a->size) == 0;
}

bool pychoral_compare_digest_str(const PychoralStr *a, const PychoralStr *b)
{
    if ((a->head.flags & b->head.flags & PYCHORAL_ASCII) != 0)
        return pychoral_compare_digest(a, b);
    pychoral_throw(&pychoral_type_TypeError,
                   "comparing strings with non-ASCII characters is not supported");
    return false;
}

// ---- keys from passwords ----

PychoralBytes *pychoral_pbkdf2_hmac(const PychoralStr *name, const PychoralBytes *password,
                                    const PychoralBytes *salt, int64_t iterations, int64_t size)
{
    const Kind *kind = kind_of(name);
    if (kind == NULL)
        return unsupported();
    size = size == -1 ? EVP_MD_get_size(kind->digest()) : size;
    const char *wrong = iterations < 1 ? "iteration value must be greater than 0."
                        : size < 1     ? "key length must be greater than 0."
                                       : NULL;
    if (wrong != NULL || iterations > INT32_MAX || size > INT32_MAX) {
        pychoral_throw(wrong != NULL ? &pychoral_type_ValueError : &pychoral_type_OverflowError,
                       "%s", wrong != NULL              ? wrong
                             : iterations > INT32_MAX ? "iteration value is too great."
                                                      : "key length is too great.");
        return NULL;
    }
    unsigned char *key = pychoral_allocate((size_t)size);
    PKCS5_PBKDF2_HMAC(password->data, (int)password->size, (const unsigned char *)salt->data,
                      (int)salt->size, (int)iterations, kind->digest(), (int)size, key);
    PychoralBytes *result = bytes_of(key, (size_t)size);
    free(key);
    return result;
}

// What hashlib.scrypt says of its arguments; NULL: nothing.
static const char *wrong_for_scrypt(int64_t n, int64_t size)
{
    if (n < 2 || (n & (n - 1)) != 0)
        return "n must be a power of 2.";
    return size < 1 || size > INT32_MAX ? "dklen must be greater than 0 and smaller than 2147483647"
                                        : NULL;
}

PychoralBytes *pychoral_scrypt(const PychoralBytes *password, const PychoralBytes *salt, int64_t n,
                               int64_t r, int64_t p, int64_t most_memory, int64_t size)
{
    const char *wrong = wrong_for_scrypt(n, size);
    unsigned char *key = wrong == NULL ? pychoral_allocate((size_t)size) : NULL;
    if (wrong == NULL &&
        EVP_PBE_scrypt(password->data, password->size, (const unsigned char *)salt->data,
                       salt->size, (uint64_t)n, (uint64_t)r, (uint64_t)p, (uint64_t)most_memory,
                       key, (size_t)size) != 1)
        wrong = "Invalid parameter combination for n, r, p, maxmem.";
    PychoralBytes *result = wrong == NULL ? bytes_of(key, (size_t)size) : NULL;
    if (wrong != NULL)
        pychoral_throw(&pychoral_type_ValueError, "%s", wrong);
    free(key);
    return result;
}
