// test_manifest.c - small JSON, manifests, key files, SHA-256: what is taken and what is refused.

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

#include "json.h"
#include "manifest.h"
#include "sha256.h"

static PychoralJson *read_text(const char *text)
{
    PychoralFault fault = {0};
    PychoralJson *json = pychoral_json_read(text, strlen(text), &fault);
    ck_assert((json != NULL) == (fault.status == 0));
    return json;
}

START_TEST(json_values)
{
    PychoralJson *json = read_text(" {\"a\": [1, -2.5e3 , true,null,"
                                   "\"x\\n\\u00e9\\ud83d\\ude00\"], "
                                   "\"b\":{\"c\" :{}}, \"n\":18446744073709551615} ");
    const PychoralJsonValue *a = pychoral_json_member(pychoral_json_root(json), "a");
    uint64_t number = 0;
    ck_assert(pychoral_json_whole(a->first, 10, &number) && number == 1);
    ck_assert_str_eq(a->first->next->text, "-2.5e3");
    ck_assert(a->first->next->next->truth);
    ck_assert_int_eq(a->first->next->next->next->kind, PYCHORAL_JSON_NULL);
    ck_assert_str_eq(a->first->next->next->next->next->text, "x\n\xc3\xa9\xf0\x9f\x98\x80");
    ck_assert(pychoral_json_whole(pychoral_json_member(pychoral_json_root(json), "n"), UINT64_MAX,
                                  &number));
    ck_assert(!pychoral_json_whole(a->first->next, UINT64_MAX, &number));
    pychoral_json_free(json);
}
END_TEST

START_TEST(json_refused)
{
    static const char *const bad[] = {
        "", " ", "{", "[", "[1,", "[1 2]", "{\"a\" 1}", "{\"a\":1,}", "{a:1}", "\"", "\"\\x\"",
        "\"\\u12\"", "\"\\u0000\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"a\tb\"", "01", "-",
        "1.", "1e", ".5", "+1", "nul", "truex", "1 1", "{\"a\":1,\"a\":2}", "\"\xff\"",
        "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "[1]]", "NaN",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        PychoralJson *json = read_text(bad[i]);
        ck_assert_msg(json == NULL, "%s", bad[i]);
    }
}
END_TEST

START_TEST(json_bounds)
{
    PychoralFault fault = {0};
    size_t size = 200000;
    char *text = malloc(size + 1);
    memset(text, '[', size);
    ck_assert_ptr_null(pychoral_json_read(text, size, &fault));     // too deep
    memset(text, ',', size);
    for (size_t i = 0; i + 1 < size; i += 2)
        text[i] = '1';
    text[0] = '[';
    ck_assert_ptr_null(pychoral_json_read(text, size, &fault));     // too many values
    ck_assert_ptr_null(pychoral_json_read(text, (1 << 20) + 1, &fault));
    free(text);
}
END_TEST

// Every beginning of a good text, and every change of one byte, ends in an answer.
START_TEST(json_changed)
{
    const char good[] = "{\"version\": 1, \"roles\": [{\"name\": \"A\\u00e9\", \"x\": -1.5e+2}]}";
    PychoralFault fault;
    for (size_t size = 0; size < sizeof good; size++) {
        char *part = malloc(size + 1);          // so that a sanitizer sees its end
        memcpy(part, good, size);
        pychoral_json_free(pychoral_json_read(part, size, &fault));
        free(part);
    }
    for (size_t at = 0; at + 1 < sizeof good; at++) {
        for (int byte = 0; byte < 256; byte++) {
            char text[sizeof good];
            memcpy(text, good, sizeof good);
            text[at] = (char)byte;
            pychoral_json_free(pychoral_json_read(text, sizeof good - 1, &fault));
        }
    }
}
END_TEST

// --- files ---

static char folder[] = "/tmp/pychoral-manifest-XXXXXX";

static const char *write_file(const char *name, const char *text, mode_t mode)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    chmod(path, mode);
    return path;
}

static void make_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
}

#define ROLES "\"roles\": [{\"name\": \"A\", \"address\": \"tcp://127.0.0.1:1\"}]"

static bool is_taken(const char *text, mode_t mode)
{
    PychoralManifest manifest;
    PychoralFault fault = {0};
    bool good = pychoral_manifest_read(write_file("manifest.json", text, mode), &manifest, &fault);
    ck_assert(good == (fault.status == 0));
    ck_assert(good || fault.status == PYCHORAL_EXIT_REFUSED);
    pychoral_manifest_free(&manifest);
    return good;
}

START_TEST(manifests)
{
    ck_assert(is_taken("{\"version\": 1, " ROLES "}", 0644));
    ck_assert(is_taken("{\"version\": 1, \"run\": \"r\", " ROLES ", \"limits\": {\"message\": 5}}",
                       0600));
    ck_assert(!is_taken("{\"version\": 1, " ROLES "}", 0666));      // others may write it
    ck_assert(!is_taken("{\"version\": 2, " ROLES "}", 0600));
    ck_assert(!is_taken("{\"version\": 1}", 0600));
    ck_assert(!is_taken("{\"version\": 1, \"roles\": []}", 0600));
    ck_assert(!is_taken("{\"version\": 1, \"roles\": [{\"name\": \"A\"}]}", 0600));
    ck_assert(!is_taken("{\"version\": 1, \"roles\": [1]}", 0600));
    ck_assert(!is_taken("{\"version\": 1, " ROLES ", \"limits\": {\"message\": -1}}", 0600));
    ck_assert(!is_taken("{\"version\": 1, " ROLES ", \"limits\": {\"x\": 1}}", 0600));
    ck_assert(!is_taken("{\"version\": 1, " ROLES ", \"limits\": [1]}", 0600));
    ck_assert(!is_taken("{\"version\": 1, " ROLES ", \"limits\": {\"message\": 268435457}}", 0600));
    ck_assert(!is_taken("[]", 0600));
    ck_assert(!is_taken("{\"version\": 1, \"roles\": [{\"name\": \"A\", \"address\": \"x\", "
                        "\"public\": \"short\"}]}", 0600));
}
END_TEST

static bool key_is_taken(const char *text, mode_t mode, const uint8_t *known)
{
    uint8_t secret[PYCHORAL_KEY_SIZE];
    PychoralFault fault = {0};
    bool good = pychoral_key_read(write_file("A.key", text, mode), "A", known, secret, &fault);
    ck_assert(good == (fault.status == 0));
    return good;
}

static void check_key_fault(const char *text, const char *wanted)
{
    uint8_t secret[PYCHORAL_KEY_SIZE];
    PychoralFault fault = {0};
    ck_assert(!pychoral_key_read(write_file("A.key", text, 0600), "A", NULL, secret, &fault));
    ck_assert_msg(strstr(fault.text, wanted), "%s", fault.text);
}

START_TEST(key_faults)
{
    check_key_fault("nonsense\n", "A.key is not a key file, which has the lines `pychoral secret "
                    "key 1`, the role, and the key");
    check_key_fault("pychoral secret key 1\nA\nshort\n", "has no key of 40 characters of Z85");
}
END_TEST

START_TEST(keys)
{
    char public[41], secret[41], text[200];
    uint8_t known[32], other[32] = {0};
    ck_assert_int_eq(zmq_curve_keypair(public, secret), 0);
    ck_assert_ptr_nonnull(zmq_z85_decode(known, public));
    snprintf(text, sizeof text, "pychoral secret key 1\nA\n%s\n", secret);
    ck_assert(key_is_taken(text, 0600, known));
    ck_assert(key_is_taken(text, 0400, NULL));
    ck_assert(!key_is_taken(text, 0644, known));                    // others may read it
    ck_assert(!key_is_taken(text, 0600, other));                    // of another public key
    text[22] = 'B';
    ck_assert(!key_is_taken(text, 0600, known));                    // of another role
    ck_assert(!key_is_taken("pychoral secret key 1\nA\nshort\n", 0600, known));
    ck_assert(!key_is_taken("", 0600, known));
    ck_assert(!key_is_taken("pychoral secret key 1\n", 0600, known));
}
END_TEST

// --- SHA-256: FIPS 180-4, and one whose length needs a second block for the padding ---

static void check_digest(const char *text, size_t times, const char *wanted)
{
    PychoralSha256 sha;
    uint8_t digest[32];
    char hex[65];
    pychoral_sha256_start(&sha);
    for (size_t i = 0; i < times; i++)
        pychoral_sha256_add(&sha, text, strlen(text));
    pychoral_sha256_end(&sha, digest);
    pychoral_hex(digest, sizeof digest, hex);
    ck_assert_str_eq(hex, wanted);
}

START_TEST(digests)
{
    check_digest("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check_digest("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check_digest("aaaaaaaaaa", 100000,
                 "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
END_TEST

Suite *manifest_suite(void);

Suite *manifest_suite(void)
{
    Suite *suite = suite_create("manifest");
    TCase *texts = tcase_create("texts"), *files = tcase_create("files");
    tcase_add_test(texts, json_values);
    tcase_add_test(texts, json_refused);
    tcase_add_test(texts, json_bounds);
    tcase_add_test(texts, json_changed);
    tcase_add_test(texts, digests);
    tcase_add_checked_fixture(files, make_folder, remove_folder);
    tcase_add_test(files, manifests);
    tcase_add_test(files, key_faults);
    tcase_add_test(files, keys);
    suite_add_tcase(suite, texts);
    suite_add_tcase(suite, files);
    return suite;
}
