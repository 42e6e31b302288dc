// manifest.h - who the roles are, where, and with which keys (PROTOCOL.md section 7).

#ifndef PYCHORAL_MANIFEST_H
#define PYCHORAL_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"

enum { PYCHORAL_KEY_SIZE = 32, PYCHORAL_KEY_TEXT = 41 };    // 40 characters of Z85 and a NUL

typedef struct {
    char *name;
    char *address;
    bool has_key;
    uint8_t key[PYCHORAL_KEY_SIZE];     // public
} PychoralManifestRole;

typedef struct {
    char *run;                          // "" if it names none
    PychoralManifestRole *roles;        // in the choreography's order
    size_t role_count;
    uint64_t message, window_bytes;     // limits; those that it does not name are the protocol's
    uint32_t window_messages;
} PychoralManifest;

// Reads a manifest file, which others must not be able to write. False with a fault of status 77.
// Free it in either case.
bool pychoral_manifest_read(const char *path, PychoralManifest *manifest, PychoralFault *fault);
void pychoral_manifest_free(PychoralManifest *manifest);

// The entry of a role, or NULL.
const PychoralManifestRole *pychoral_manifest_role(const PychoralManifest *manifest,
                                                   const char *name);

// Reads the secret key of a role. False with a fault of status 77 if others may read the file,
// if it is another role's, or if it does not belong to the public key `known` (NULL: not compared).
bool pychoral_key_read(const char *path, const char *role, const uint8_t *known,
                       uint8_t secret[PYCHORAL_KEY_SIZE], PychoralFault *fault);

// Overwrites a secret in a way that the compiler keeps.
void pychoral_key_forget(void *secret, size_t size);

#endif
