// manifest.c - reads manifests and key files (PROTOCOL.md section 7).

#include "manifest.h"

#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#include "address.h"
#include "file.h"
#include "json.h"
#include "wire.h"

enum { MAX_MANIFEST = 1 << 20, MAX_KEY_FILE = 4096, MAX_NAME = 500, MAX_ROLES = 4096 };

static const char KEY_LINE[] = "pychoral secret key 1\n";

// Reads 40 characters of Z85. Checks the alphabet itself: zmq_z85_decode asks only for the length.
static bool read_z85(const char *text, uint8_t key[PYCHORAL_KEY_SIZE])
{
    static const char alphabet[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   ".-:+=^!/*?&<>()[]{}@%$#";
    return strlen(text) == PYCHORAL_KEY_TEXT - 1 &&
           strspn(text, alphabet) == PYCHORAL_KEY_TEXT - 1 && zmq_z85_decode(key, text);
}

// What the file says cannot be understood; a file that is not to be trusted is refused.
static bool wrong(PychoralFault *fault, const char *text)
{
    return pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE, "%s", text);
}

static char *text_of(const PychoralJsonValue *object, const char *key)
{
    const PychoralJsonValue *value = pychoral_json_member(object, key);
    if (!value || value->kind != PYCHORAL_JSON_STRING || strlen(value->text) > MAX_NAME)
        return NULL;
    return strdup(value->text);
}

static bool read_role(const PychoralJsonValue *from, PychoralManifestRole *role,
                      PychoralFault *fault)
{
    const PychoralJsonValue *key = pychoral_json_member(from, "public");
    role->name = text_of(from, "name");
    role->address = text_of(from, "address");
    if (!role->name || !role->name[0])
        return wrong(fault, "a role has no `name`, a string of 1 to 500 bytes");
    if (!role->address)
        return pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE,
                                  "role %s has no `address`, a string of at most 500 bytes",
                                  role->name);
    const char *what = pychoral_address_wrong(role->address);
    if (what)
        return pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE,
                                  "it gives %s the address '%s', which %s", role->name,
                                  role->address, what);
    role->has_key = key != NULL;
    if (key && (key->kind != PYCHORAL_JSON_STRING || !read_z85(key->text, role->key)))
        return pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE,
                                  "the `public` key of role %s is not 40 characters of Z85",
                                  role->name);
    return true;
}

static bool read_roles(const PychoralJsonValue *list, PychoralManifest *manifest,
                       PychoralFault *fault)
{
    size_t count = 0;
    if (!list || list->kind != PYCHORAL_JSON_ARRAY || !list->first)
        return wrong(fault, "it has no list `roles` of at least one role");
    for (const PychoralJsonValue *each = list->first; each; each = each->next)
        count++;
    if (count > MAX_ROLES)
        return wrong(fault, "it has too many roles");
    manifest->roles = calloc(count, sizeof *manifest->roles);
    if (!manifest->roles)
        return wrong(fault, "memory is exhausted");
    for (const PychoralJsonValue *each = list->first; each; each = each->next) {
        PychoralManifestRole *role = &manifest->roles[manifest->role_count++];
        if (!read_role(each, role, fault))
            return false;
        if (pychoral_manifest_role(manifest, role->name) != role)
            return pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE, "role %s occurs twice in it",
                                      role->name);
    }
    return true;
}

// A limit: the value that stands there, or `number` as it is.
static bool read_limit(const PychoralJsonValue *limits, const char *name, uint64_t most,
                       uint64_t *number, PychoralFault *fault)
{
    const PychoralJsonValue *value = pychoral_json_member(limits, name);
    if (!value || (pychoral_json_whole(value, most, number) && *number > 0))
        return true;
    return pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE,
                              "the limit `%s` is not a whole number from 1 to %llu", name,
                              (unsigned long long)most);
}

static bool are_limits(const PychoralJsonValue *limits, PychoralFault *fault)
{
    if (!limits)
        return true;
    if (limits->kind != PYCHORAL_JSON_OBJECT)
        return wrong(fault, "its `limits` are not a JSON object");
    for (const PychoralJsonValue *each = limits->first; each; each = each->next)
        if (strcmp(each->key, "message") != 0 && strcmp(each->key, "window_messages") != 0 &&
            strcmp(each->key, "window_bytes") != 0)
            return pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE,
                                      "it has a limit '%.80s', which is not one of message, "
                                      "window_messages, window_bytes", each->key);
    return true;
}

static bool read_limits(const PychoralJsonValue *limits, PychoralManifest *manifest,
                        PychoralFault *fault)
{
    uint64_t messages = manifest->window_messages;
    bool good = are_limits(limits, fault) &&
                read_limit(limits, "message", PYCHORAL_MAX_BYTES, &manifest->message, fault) &&
                read_limit(limits, "window_messages", 1 << 20, &messages, fault) &&
                read_limit(limits, "window_bytes", UINT64_C(1) << 40, &manifest->window_bytes,
                           fault);
    manifest->window_messages = (uint32_t)messages;
    return good;
}

static bool read_manifest(const PychoralJsonValue *root, PychoralManifest *manifest,
                          PychoralFault *fault)
{
    const PychoralJsonValue *run = pychoral_json_member(root, "run");
    uint64_t version;
    if (root->kind != PYCHORAL_JSON_OBJECT)
        return wrong(fault, "it is not a JSON object");
    if (!pychoral_json_whole(pychoral_json_member(root, "version"), 1, &version) || version != 1)
        return wrong(fault, "its `version` is not 1");
    manifest->run = run ? text_of(root, "run") : strdup("");
    if (!manifest->run)
        return wrong(fault, "its `run` is not a string of at most 500 bytes");
    return read_roles(pychoral_json_member(root, "roles"), manifest, fault) &&
           read_limits(pychoral_json_member(root, "limits"), manifest, fault);
}

bool pychoral_manifest_read(const char *path, PychoralManifest *manifest, PychoralFault *fault)
{
    *manifest = (PychoralManifest){
        .message = 256 << 20, .window_bytes = 2 << 20, .window_messages = 8192};
    size_t size;
    char *text = pychoral_file_read(path, 0022, MAX_MANIFEST, &size, fault);
    if (!text)
        return false;
    PychoralJson *json = pychoral_json_read(text, size, fault);
    bool good = json && read_manifest(pychoral_json_root(json), manifest, fault);
    pychoral_json_free(json);
    free(text);
    if (good)
        return true;
    PychoralFault inner = *fault;
    return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED, "%s cannot be used: %.700s", path,
                              inner.text);
}

void pychoral_manifest_free(PychoralManifest *manifest)
{
    for (size_t i = 0; i < manifest->role_count; i++) {
        free(manifest->roles[i].name);
        free(manifest->roles[i].address);
    }
    free(manifest->roles);
    free(manifest->run);
    *manifest = (PychoralManifest){0};
}

const PychoralManifestRole *pychoral_manifest_role(const PychoralManifest *manifest,
                                                   const char *name)
{
    for (size_t i = 0; i < manifest->role_count; i++)
        if (strcmp(manifest->roles[i].name, name) == 0)
            return &manifest->roles[i];
    return NULL;
}

// --- keys ---

void pychoral_key_forget(void *secret, size_t size)
{
    volatile uint8_t *at = secret;
    while (size--)
        *at++ = 0;
}

static bool belongs(const char *z85, const uint8_t *known)
{
    char public_text[PYCHORAL_KEY_TEXT];
    uint8_t public[PYCHORAL_KEY_SIZE];
    return !known || (zmq_curve_public(public_text, z85) == 0 && read_z85(public_text, public) &&
                      memcmp(public, known, sizeof public) == 0);
}

static bool not_a_key(const char *path, PychoralFault *fault)
{
    return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED,
                              "%s is not a key file, which has the lines `%.*s`, the role, and the "
                              "key", path, (int)(sizeof KEY_LINE - 2), KEY_LINE);
}

static bool read_key(char *text, const char *path, const char *role, const uint8_t *known,
                     uint8_t *secret, PychoralFault *fault)
{
    size_t head = sizeof KEY_LINE - 1;
    char *name = text + head;
    char *line = strncmp(text, KEY_LINE, head) == 0 ? strchr(name, '\n') : NULL;
    if (!line)
        return not_a_key(path, fault);
    *line++ = 0;
    line[strcspn(line, "\n")] = 0;
    if (strcmp(name, role) != 0)
        return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED,
                                  "%s is the key of another role, not of %s", path, role);
    if (!read_z85(line, secret))
        return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED,
                                  "%s has no key of 40 characters of Z85", path);
    if (!belongs(line, known))
        return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED,
                                  "%s does not belong to the public key of %s in the manifest",
                                  path, role);
    return true;
}

bool pychoral_key_read(const char *path, const char *role, const uint8_t *known,
                       uint8_t secret[PYCHORAL_KEY_SIZE], PychoralFault *fault)
{
    size_t size;
    char *text = pychoral_file_read(path, 0077, MAX_KEY_FILE, &size, fault);
    if (!text)
        return false;
    bool good = strlen(text) == size
                    ? read_key(text, path, role, known, secret, fault)
                    : not_a_key(path, fault);
    pychoral_key_forget(text, size);
    free(text);
    return good;
}
