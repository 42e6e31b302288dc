// hashlib.h - Python's hashlib and hmac, over libcrypto.

#ifndef PYCHORAL_HASHLIB_H
#define PYCHORAL_HASHLIB_H

#include "../builtins/object.h"

// A hash, or a keyed one (HMAC), that takes in bytes.
typedef struct PychoralHash PychoralHash;

extern const PychoralType pychoral_type_hash, pychoral_type_hmac;

// hashlib.new(name, data); `data` may be NULL. Raises ValueError: unsupported hash type.
PychoralHash *pychoral_hash_new(const PychoralStr *name, const PychoralBytes *data, bool secure);

// hashlib.md5(data) and so on. `secure` (usedforsecurity) makes no difference.
#define PYCHORAL_HASH(name)                                                                       \
    PychoralHash *pychoral_hash_##name(const PychoralBytes *data, bool secure)
PYCHORAL_HASH(md5);
PYCHORAL_HASH(sha1);
PYCHORAL_HASH(sha224);
PYCHORAL_HASH(sha256);
PYCHORAL_HASH(sha384);
PYCHORAL_HASH(sha512);
PYCHORAL_HASH(sha3_224);
PYCHORAL_HASH(sha3_256);
PYCHORAL_HASH(sha3_384);
PYCHORAL_HASH(sha3_512);
PYCHORAL_HASH(blake2b);
PYCHORAL_HASH(blake2s);
#undef PYCHORAL_HASH

// Methods and attributes of both.
void pychoral_hash_update(PychoralHash *hash, const PychoralBytes *data);
PychoralBytes *pychoral_hash_digest(const PychoralHash *hash);
PychoralStr *pychoral_hash_hexdigest(const PychoralHash *hash);
PychoralHash *pychoral_hash_copy(const PychoralHash *hash);
PychoralStr *pychoral_hash_name(const PychoralHash *hash);
int64_t pychoral_hash_digest_size(const PychoralHash *hash);
int64_t pychoral_hash_block_size(const PychoralHash *hash);

// hashlib.pbkdf2_hmac. `size` -1: that of the digest. Raises ValueError, OverflowError.
PychoralBytes *pychoral_pbkdf2_hmac(const PychoralStr *name, const PychoralBytes *password,
                                    const PychoralBytes *salt, int64_t iterations, int64_t size);

// hashlib.scrypt. Raises ValueError.
PychoralBytes *pychoral_scrypt(const PychoralBytes *password, const PychoralBytes *salt, int64_t n,
                               int64_t r, int64_t p, int64_t most_memory, int64_t size);

// hmac.new(key, message, digest), `message` may be NULL; hmac.digest. Raise ValueError.
PychoralHash *pychoral_hmac_new(const PychoralBytes *key, const PychoralBytes *message,
                                const PychoralStr *digest);
PychoralBytes *pychoral_hmac_digest(const PychoralBytes *key, const PychoralBytes *message,
                                    const PychoralStr *digest);

// hmac.compare_digest, in a time that does not say where they differ. Of str, raises TypeError for
// what is not ASCII.
bool pychoral_compare_digest(const PychoralBytes *a, const PychoralBytes *b);
bool pychoral_compare_digest_str(const PychoralStr *a, const PychoralStr *b);

#endif
