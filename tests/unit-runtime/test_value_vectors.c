// test_value_vectors.c - the golden values (runtime/vectors/values.json) of both languages.
//
// What the frames hold is written again as the same bytes; no truncation is a value; and where any
// allocation fails, or any byte is another, nothing is lost or read that is not there.

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"
#include "codec.h"
#include "json.h"
#include "price.h"
#include "value_testing.h"

enum { MOST_FRAMES = 8, LONGEST_CHANGED = 600, ROOM = 256 };

static unsigned char digit(char c) { return (unsigned char)(c <= '9' ? c - '0' : c - 'a' + 10); }

// `61*65536`, parts joined by `+`; into `out` unless it is NULL. Answers the size.
static size_t expand(const char *text, unsigned char *out)
{
    size_t size = 0;
    while (*text != '\0') {
        size_t digits = strspn(text, "0123456789abcdef"), times = 1;
        const char *part = text;
        text += digits;
        if (*text == '*')
            times = strtoul(text + 1, (char **)&text, 10);
        for (; times > 0; times--)
            for (size_t i = 0; i < digits; i += 2, size++)
                if (out != NULL)
                    out[size] = (unsigned char)(digit(part[i]) << 4 | digit(part[i + 1]));
        text += *text == '+';
    }
    return size;
}

typedef struct Vector {
    const char *name;
    const PychoralType *type;
    uint64_t price;
    PychoralFrame frames[MOST_FRAMES], read[MOST_FRAMES];   // read: of what is read from `frames`
    size_t count, read_count;
} Vector;

static size_t read_frames(const PychoralJsonValue *list, PychoralFrame *frames)
{
    size_t count = 0;
    for (const PychoralJsonValue *each = list->first; each != NULL; each = each->next) {
        ck_assert_uint_lt(count, MOST_FRAMES);
        size_t size = expand(each->text, NULL);
        PychoralBuffer *buffer = pychoral_buffer_new(size);
        expand(each->text, buffer->data);
        frames[count++] = (PychoralFrame){buffer->data, size, buffer};
    }
    return count;
}

static void read_vector(const PychoralJsonValue *json, Vector *vector)
{
    vector->name = pychoral_json_member(json, "name")->text;
    vector->type = type_named(pychoral_json_member(json, "type")->text);
    vector->price = strtoull(pychoral_json_member(json, "price")->text, NULL, 10);
    const PychoralJsonValue *frames = pychoral_json_member(json, "frames");
    const PychoralJsonValue *read = pychoral_json_member(json, "read");
    vector->count = read_frames(frames, vector->frames);
    vector->read_count = read_frames(read != NULL ? read : frames, vector->read);
}

static void free_vector(Vector *vector)
{
    for (size_t i = 0; i < vector->count; i++)
        pychoral_buffer_release(vector->frames[i].owner);
    for (size_t i = 0; i < vector->read_count; i++)
        pychoral_buffer_release(vector->read[i].owner);
}

static void for_each_vector(void (*check)(Vector *vector))
{
    static char text[1 << 20];
    FILE *file = fopen("runtime/vectors/values.json", "rb");
    ck_assert_ptr_nonnull(file);
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    PychoralFault fault = {0};
    PychoralJson *json = pychoral_json_read(text, size, &fault);
    ck_assert_msg(json != NULL, "%s", fault.text);
    const PychoralJsonValue *each = pychoral_json_root(json)->first;
    for (; each != NULL; each = each->next) {
        Vector vector;
        read_vector(each, &vector);
        check(&vector);
        free_vector(&vector);
    }
    pychoral_json_free(json);
}

static bool equal_frames(const Vector *vector, const PychoralWriter *writer)
{
    bool equal = vector->read_count == writer->count;
    for (size_t i = 0; equal && i < writer->count; i++)
        equal = vector->read[i].size == writer->frames[i].size &&
                memcmp(vector->read[i].data, writer->frames[i].data, writer->frames[i].size) == 0;
    return equal;
}

static void check_same(Vector *vector)
{
    _Alignas(16) char value[ROOM];
    PychoralWriter writer = {0};
    PychoralFault fault;
    long before = allocations_open();
    ck_assert_msg(pychoral_decode(vector->type, vector->frames, vector->count, value, &fault),
                  "%s: %s", vector->name, fault.text);
    ck_assert_msg(pychoral_encode(&writer, vector->type, value, &fault), "%s: %s", vector->name,
                  fault.text);
    ck_assert_msg(equal_frames(vector, &writer), "%s is written otherwise", vector->name);
    pychoral_release(vector->type, value);
    pychoral_writer_clear(&writer);
    ck_assert_int_eq(allocations_open(), before);
}

START_TEST(golden_values)
{
    for_each_vector(check_same);
}
END_TEST

static void check_price(Vector *vector)
{
    ck_assert_msg(pychoral_price_fits(vector->frames, vector->count, vector->price),
                  "%s costs more", vector->name);
    ck_assert_msg(!pychoral_price_fits(vector->frames, vector->count, vector->price - 1),
                  "%s costs less", vector->name);
}

START_TEST(prices)
{
    for_each_vector(check_price);
}
END_TEST

// Decodes; what is taken can be written. Nothing stays behind.
static bool taken(const Vector *vector, const unsigned char *bytes, size_t size)
{
    _Alignas(16) char value[ROOM];
    PychoralFrame frames[MOST_FRAMES];
    PychoralWriter writer = {0};
    PychoralFault fault;
    memcpy(frames, vector->frames, sizeof frames);
    frames[0] = (PychoralFrame){bytes, size, NULL};
    long before = allocations_open();
    bool good = pychoral_decode(vector->type, frames, vector->count, value, &fault);
    if (good) {
        bool written = pychoral_encode(&writer, vector->type, value, &fault);
        pychoral_release(vector->type, value);
        pychoral_writer_clear(&writer);
        ck_assert_msg(written, "%s: %s", vector->name, fault.text);
    }
    ck_assert_int_eq(allocations_open(), before);
    return good;
}

static void check_truncations(Vector *vector)
{
    size_t size = vector->frames[0].size, step = 1 + size / LONGEST_CHANGED;
    for (size_t cut = 0; cut < size; cut += step) {
        unsigned char *part = malloc(cut + 1);
        memcpy(part, vector->frames[0].data, cut);
        ck_assert_msg(!taken(vector, part, cut), "%s cut at %zu", vector->name, cut);
        free(part);
    }
    vector->count--;  // without its last frame
    if (vector->count > 0)
        ck_assert(!taken(vector, vector->frames[0].data, size));
    vector->count++;
}

START_TEST(truncated_values)
{
    for_each_vector(check_truncations);
}
END_TEST

static void check_changes(Vector *vector)
{
    size_t size = vector->frames[0].size;
    unsigned char *bytes = malloc(size + 1);
    memcpy(bytes, vector->frames[0].data, size);
    for (size_t at = 0; at < size && size < LONGEST_CHANGED; at++) {
        unsigned char kept = bytes[at];
        for (unsigned byte = 0; byte < 256; byte++) {
            bytes[at] = (unsigned char)byte;
            taken(vector, bytes, size);
        }
        bytes[at] = kept;
    }
    free(bytes);
}

START_TEST(changed_values)
{
    for_each_vector(check_changes);
}
END_TEST

static bool fits_in(const Vector *vector, void *value, long allocations)
{
    PychoralFault fault;
    long before = allocations_open();
    allocations_fail_after(allocations);
    bool good = pychoral_decode(vector->type, vector->frames, vector->count, value, &fault);
    allocations_fail_after(-1);
    if (!good) {
        ck_assert_str_eq(fault.text, "out of memory");
        ck_assert_int_eq(allocations_open(), before);
    }
    return good;
}

// Whether a part is converted when it is read, or made anew to be sent: by functions that end the
// program when memory runs out.
static bool is_kept_as_another(const PychoralType *type, int depth)
{
    if (type == NULL || depth == 0 || (type->flags & PYCHORAL_ANY))
        return false;
    bool found = type->kind == PYCHORAL_LITERAL && (type->key != NULL || type->fields != NULL);
    found |= is_kept_as_another(type->element, depth - 1);
    for (uint32_t i = 0; type->fields != NULL && i < type->count; i++)
        found |= is_kept_as_another(type->fields[i].type, depth - 1);
    return found;
}

static void check_memory(Vector *vector)
{
    if (is_kept_as_another(vector->type, 6))
        return;
    _Alignas(16) char value[ROOM];
    long before = allocations_open(), allocations = 0;
    while (!fits_in(vector, value, allocations))
        allocations++;
    for (allocations = 0; !encode_failing(vector->type, value, allocations);)
        allocations++;
    pychoral_release(vector->type, value);
    ck_assert_int_eq(allocations_open(), before);
}

START_TEST(memory_runs_out)
{
    for_each_vector(check_memory);
}
END_TEST

Suite *value_vectors_suite(void);
Suite *value_vectors_suite(void)
{
    Suite *suite = suite_create("value_vectors");
    TCase *tests = tcase_create("value_vectors");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, golden_values);
    tcase_add_test(tests, prices);
    tcase_add_test(tests, truncated_values);
    tcase_add_test(tests, changed_values);
    tcase_add_test(tests, memory_runs_out);
    suite_add_tcase(suite, tests);
    return suite;
}
