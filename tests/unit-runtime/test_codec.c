// test_codec.c - values on the wire (PROTOCOL.md section 5): each form, each limit, hostile input.
//
// A case is a type expression of tests/values and frames in hex; what is taken must be written
// again with the same bytes, whatever allocation fails, and leave nothing behind.

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"
#include "codec.h"
#include "value_testing.h"
#include "wire.h"

typedef struct Case {
    const char *type, *hex;
    const char *fault;  // NULL: it is a value; else part of the text
} Case;

// A set that was read has an order of its own.
static void check_same_set(const PychoralType *type, const void *value, PychoralWriter *writer)
{
    _Alignas(16) char back[256];
    PychoralFault fault = {0};
    ck_assert_msg(pychoral_decode(type, writer->frames, writer->count, back, &fault), "%s",
                  fault.text);
    ck_assert(pychoral_equal(type, value, back));
    pychoral_release(type, back);
}

// Takes the bytes of one frame and writes them again; false with the fault if they are refused.
static bool again(const char *type_text, const unsigned char *bytes, size_t size,
                  PychoralFault *fault)
{
    const PychoralType *type = type_named(type_text);
    PychoralFrame frame = {bytes, size, NULL};
    _Alignas(16) char value[256];
    PychoralWriter writer = {0};
    long before = allocations_open();
    bool taken = pychoral_decode(type, &frame, 1, value, fault);
    if (taken) {
        bool written = pychoral_encode(&writer, type, value, fault);
        ck_assert_msg(written, "%s: %s", type_text, fault->text);
        ck_assert_uint_eq(writer.count, 1);
        ck_assert_uint_eq(writer.frames[0].size, size);
        bool is_set = type->kind == PYCHORAL_SET || type->kind == PYCHORAL_FROZENSET;
        if (is_set && memcmp(writer.frames[0].data, bytes, size) != 0)
            check_same_set(type, value, &writer);
        else
            ck_assert_mem_eq(writer.frames[0].data, bytes, size);
        pychoral_release(type, value);
        pychoral_writer_clear(&writer);
    }
    ck_assert_int_eq(allocations_open(), before);
    return taken;
}

static void check_case(const Case *each)
{
    size_t size;
    unsigned char *bytes = parse_hex(each->hex, &size);
    PychoralFault fault = {0};
    bool taken = again(each->type, bytes, size, &fault);
    free(bytes);
    if (each->fault == NULL) {
        ck_assert_msg(taken, "%s %s: %s", each->type, each->hex, fault.text);
        return;
    }
    ck_assert_msg(!taken, "%s %s is taken", each->type, each->hex);
    ck_assert_int_eq(fault.status, PYCHORAL_EXIT_PROTOCOL);
    ck_assert_msg(strstr(fault.text, each->fault) != NULL, "%s %s: %s", each->type, each->hex,
                  fault.text);
}

static const Case VALUES[] = {
    {"None", "c0", NULL},
    {"bool", "c2", NULL},
    {"bool", "c3", NULL},
    {"int", "00", NULL},
    {"int", "7f", NULL},
    {"int", "cc80", NULL},
    {"int", "ccff", NULL},
    {"int", "cd0100", NULL},
    {"int", "cdffff", NULL},
    {"int", "ce00010000", NULL},
    {"int", "ceffffffff", NULL},
    {"int", "cf0000000100000000", NULL},
    {"int", "cf7fffffffffffffff", NULL},
    {"int", "cf8000000000000000", NULL},  // 2^63
    {"int", "cfffffffffffffffff", NULL},
    {"int", "c70901 010000000000000000", NULL},  // 2^64
    {"int", "c70901 ff7fffffffffffffff", NULL},  // -2^63 - 1
    {"int", "c70901 ff0000000000000000", NULL},  // -2^64
    {"int", "c70901 800000000000000000", NULL},  // -2^71
    {"int", "c70901 7fffffffffffffffff", NULL},
    {"int", "c70a01 00800000000000000000", NULL},  // 2^71
    {"int", "ff", NULL},
    {"int", "e0", NULL},
    {"int", "d0df", NULL},
    {"int", "d080", NULL},
    {"int", "d1ff7f", NULL},
    {"int", "d18000", NULL},
    {"int", "d2ffff7fff", NULL},
    {"int", "d280000000", NULL},
    {"int", "d3ffffffff7fffffff", NULL},
    {"int", "d38000000000000000", NULL},
    {"int", "c3", NULL},  // True stays True
    {"float", "cb0000000000000000", NULL},
    {"float", "cb8000000000000000", NULL},  // -0.0
    {"float", "cb7ff0000000000000", NULL},
    {"float", "cb7ff8000000000123", NULL},  // NaNs keep their bits
    {"float", "cbfff0000000000001", NULL},
    {"complex", "d807 3ff0000000000000 8000000000000000", NULL},
    {"str", "a0", NULL},
    {"str", "a2 6100", NULL},  // NUL is a character
    {"str", "a6 68c3a96c6c6f", NULL},
    {"str", "a4 f09f9880", NULL},
    {"bytes", "c400", NULL},
    {"bytes", "c403 00ff80", NULL},
    {"list[int]", "90", NULL},
    {"list[int]", "93 01 c3 cfffffffffffffffff", NULL},
    {"list[int]", "9f 000102030405060708090a0b0c0d0e", NULL},
    {"list[int]", "dc0010 000102030405060708090a0b0c0d0ec2", NULL},  // a bool: not in bulk
    {"list[None]", "92 c0c0", NULL},
    {"list[bool]", "dc0010 c2c3c2c3c2c3c2c3c2c3c2c3c2c3c2c3", NULL},
    {"list[str]", "92 a0 a161", NULL},
    {"list[list[int]]", "92 90 91 05", NULL},
    {"tuple[int, str]", "93 c70002 05 a161", NULL},
    {"tuple[int, ...]", "91 c70002", NULL},
    {"tuple[int, ...]", "dc0011 c70002 000102030405060708090a0b0c0d0e0f", NULL},
    {"tuple[()]", "91 c70002", NULL},
    {"dict[str, int]", "80", NULL},
    {"dict[str, int]", "82 a162 01 a161 02", NULL},  // in the order that they came
    {"dict[float, None]", "82 cb7ff8000000000000 c0 cb7ff8000000000000 c0", NULL},
    {"set[int]", "93 c70006 05 03", NULL},
    {"frozenset[str]", "92 c70008 a161", NULL},
    {"Color", "d503 0002", NULL},
    {"Level", "d503 0101", NULL},
    {"Point", "93 d40402 cb3ff0000000000000 cb4000000000000000", NULL},
    {"Record", "96 d40403 05 a178 cb3ff0000000000000 c3 cd0100", NULL},
    {"Base", "92 d40406 a162", NULL},
    {"Base", "93 d40407 a164 9101", NULL},  // a derived class
    {"Base", "94 d40408 a166 90 92 d40406 a162", NULL},
    {"Empty", "91 d4040c", NULL},
    {"Node", "93 d40409 01 93 d40409 02 c0", NULL},
    {"Tree", "94 d4040d a46c656166 90 81 a178 92 a161 a162", NULL},
    {"Optional[int]", "c0", NULL},
    {"Optional[int]", "05", NULL},
    {"list[Union[int, str]]", "93 01 a161 02", NULL},
    {"Union[list[int], list[float], list[str]]", "91 a161", NULL},
    {"Union[list[int], list[float], list[str]]", "91 01", NULL},
    {"Union[bool, float, str]", "c3", NULL},
    {"Literal[1, 'a', None, True]", "01", NULL},
    {"Literal[1, 'a', None, True]", "a161", NULL},
    {"Literal[1, 'a', None, True]", "c3", NULL},
    {"set[Ident]", "93 c70006 92 d4040b a161 92 d4040b a162", NULL},
    {"set[Ident]",
     "9b c70006 92 d4040b a161 92 d4040b a162 92 d4040b a163 92 d4040b a164 92 d4040b a165"
     "92 d4040b a166 92 d4040b a167 92 d4040b a168 92 d4040b a169 92 d4040b a16a",
     NULL},
    {"set[Union[int, float, complex, None, str]]",
     "93 c70006 d807 7ff8000000000000 0000000000000000 d807 7ff8000000000000 0000000000000000",
     NULL},  // no NaN equals another
    {"dict[Key, int]", "81 94 d4040a a161 01 a0 05", NULL},
    {"object", "97 c0 c3 05 cb3ff0000000000000 a161 81 a161 90 d503 0002", NULL},
    {"object", "93 c70002 92 d4040b a161 91 c70008", NULL},
    {"ndarray", "c71205 0b01 0000000000000001 3ff0000000000000", NULL},
    {"ndarray", "c70305 0100 00", NULL},
    {"ndarray", "c70a05 0101 0000000000000000", NULL},
};

enum { VALUE_COUNT = sizeof VALUES / sizeof *VALUES };

START_TEST(each_form_is_taken_and_written)
{
    for (int i = 0; i < VALUE_COUNT; i++)
        check_case(&VALUES[i]);
}
END_TEST

// What both runtimes say.
static const Case FAULTS[] = {
#define REFUSED(type, hex, text) {type, hex, text},
#define UNREADABLE(type, hex, what)                                                               \
    {type, hex, "expected a value, but received something unreadable (" what ")"},
#include "tests/values/refused.def"
};

START_TEST(each_fault_has_its_text)
{
    for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++)
        check_case(&FAULTS[i]);
}
END_TEST

// ---- conversions ----

static bool written_as(const char *type_text, const char *hex, const char *expected)
{
    const PychoralType *type = type_named(type_text);
    PychoralFault fault;
    PychoralWriter writer = {0};
    _Alignas(16) char value[64];
    size_t size, wanted_size;
    unsigned char *bytes = parse_hex(hex, &size), *wanted = parse_hex(expected, &wanted_size);
    PychoralFrame frame = {bytes, size, NULL};
    bool same = pychoral_decode(type, &frame, 1, value, &fault) &&
                pychoral_encode(&writer, type, value, &fault) &&
                writer.frames[0].size == wanted_size &&
                memcmp(writer.frames[0].data, wanted, wanted_size) == 0;
    pychoral_release(type, value);
    pychoral_writer_clear(&writer);
    free(bytes);
    free(wanted);
    return same;
}

START_TEST(ints_are_converted_where_floats_are_expected)
{
    ck_assert(written_as("float", "05", "cb4014000000000000"));
    ck_assert(written_as("float", "c3", "cb3ff0000000000000"));
    ck_assert(written_as("float", "cfffffffffffffffff", "cb43f0000000000000"));
    // 2^64 + 2^11 is a tie between two floats: the even one; 2^64 + 2^11 + 1 is none
    ck_assert(written_as("float", "c70901 010000000000000800", "cb43f0000000000000"));
    ck_assert(written_as("float", "c70901 010000000000000801", "cb43f0000000000001"));
    ck_assert(written_as("float", "c70901 feffffffffffffffff", "cbc3f0000000000000"));
    ck_assert(written_as("Union[bool, float, str]", "05", "cb4014000000000000"));
    // a member that fits as it is goes before one that converts
    ck_assert(written_as("Union[list[int], list[float], list[str]]", "91 05", "91 05"));
    ck_assert(written_as("Union[list[int], list[float], list[str]]",
                         "92 05 cb3ff0000000000000",
                         "92 cb4014000000000000 cb3ff0000000000000"));
}
END_TEST

START_TEST(numbers_are_converted_where_complex_ones_are_expected)
{
    ck_assert(written_as("complex", "05", "d807 4014000000000000 0000000000000000"));
    ck_assert(written_as("complex", "cbbff8000000000000",
                         "d807 bff8000000000000 0000000000000000"));
    ck_assert(written_as("list[complex]", "91 c3", "91 d807 3ff0000000000000 0000000000000000"));
    // a member that fits as it is goes before one that converts
    ck_assert(written_as("set[Union[int, float, complex, None, str]]", "92 c70006 05",
                         "92 c70006 05"));
}
END_TEST

// An int of 2^1024 and more is too large; the largest float and what rounds to it are not.
START_TEST(too_large_for_a_float)
{
    unsigned char big[3 + 129] = {0xc7, 129, EXT_INT, 0};
    PychoralFrame frame = {big, sizeof big, NULL};
    PychoralFault fault;
    double value;
    memset(big + 4, 0xff, 128);
    ck_assert(!pychoral_decode(&pychoral_type_float, &frame, 1, &value, &fault));
    ck_assert_ptr_nonnull(strstr(fault.text, "an int too large for a float"));
    big[4 + 6] = 0xfb;  // 53 bits and a 0 behind them
    ck_assert(pychoral_decode(&pychoral_type_float, &frame, 1, &value, &fault));
    ck_assert(value == 0x1.fffffffffffffp1023);
}
END_TEST

// ---- lists in bulk ----

static void put_bulk(unsigned char *bytes, unsigned code, unsigned count)
{
    bytes[0] = 0xc7;
    bytes[1] = (unsigned char)(count * 8);
    bytes[2] = (unsigned char)code;
    memset(bytes + 3, 0, (size_t)count * 8);
}

START_TEST(numbers_in_bulk)
{
    static const char *const takes_ints[] = {"list[int]", "object", "list[Union[int, str]]",
                                             "Union[bytes, list[int], ndarray]"};
    static const char *const takes_floats[] = {"list[float]", "object", "list[Optional[float]]"};
    unsigned char bytes[3 + 31 * 8];
    PychoralFault fault;
    for (unsigned count = 16; count < 32; count++) {
        put_bulk(bytes, EXT_INTS, count);
        for (size_t i = 0; i < 4; i++)
            ck_assert(again(takes_ints[i], bytes, 3 + count * 8, &fault));
        put_bulk(bytes, EXT_FLOATS, count);
        for (size_t i = 0; i < 3; i++)
            ck_assert(again(takes_floats[i], bytes, 3 + count * 8, &fault));
        ck_assert(!again("list[int]", bytes, 3 + count * 8, &fault));
        ck_assert_str_eq(fault.text, "expected int at `[0]`, but received float");
    }
    put_bulk(bytes, EXT_INTS, 15);
    ck_assert(!again("list[int]", bytes, 3 + 15 * 8, &fault));
}
END_TEST

// ---- hostile input ----

static void refuse_nest(const char *type_text, const char *head, size_t head_size, size_t depth)
{
    unsigned char *bytes = malloc(head_size * depth + 1);
    PychoralFault fault;
    for (size_t i = 0; i < depth; i++)
        memcpy(bytes + i * head_size, head, head_size);
    bytes[head_size * depth] = 0xc0;
    allocations_largest();
    ck_assert(!again(type_text, bytes, head_size * depth + 1, &fault));
    ck_assert_uint_lt(allocations_largest(), 1 << 20);
    free(bytes);
}

START_TEST(nests_are_refused_in_little_memory)
{
    refuse_nest("object", "\x91", 1, 129);
    refuse_nest("object", "\x91", 1, 600);
    refuse_nest("object", "\x91", 1, 1000000);
    refuse_nest("object", "\x81\x01", 2, 1000000);
    refuse_nest("object", "\xdc\xff\xff", 3, 65535);  // 196 kB, each "of 65,535"
    refuse_nest("object", "\xdd\x0f\xff\xff\xff", 5, 1);
    refuse_nest("list[list[int]]", "\xdd\x0f\xff\xff\xff", 5, 1);
    refuse_nest("set[int]", "\xdd\xff\xff\xff\xff\xc7\x00\x06", 8, 1);
    refuse_nest("dict[object, object]", "\xdf\x7f\xff\xff\xff", 5, 1);
    refuse_nest("str", "\xdb\xff\xff\xff\xff", 5, 1);
    refuse_nest("bytes", "\xc6\xff\xff\xff\xff", 5, 1);
}
END_TEST

START_TEST(depth_128_is_taken)
{
    unsigned char bytes[128];
    PychoralFault fault;
    memset(bytes, 0x91, sizeof bytes);
    bytes[127] = 0x90;
    ck_assert(again("object", bytes, sizeof bytes, &fault));
}
END_TEST

// A million bytes that claim a million items which are not there: no memory for them.
START_TEST(memory_is_taken_for_what_came)
{
    size_t size = 1000000;
    unsigned char *bytes = malloc(size);
    PychoralFault fault;
    memset(bytes, 0xc1, size);
    memcpy(bytes, "\xdd\x00\x0f\x00\x00", 5);
    static const char *const types[] = {"list[str]", "list[Union[int, str]]", "object"};
    for (size_t i = 0; i < 3; i++) {
        allocations_largest();
        ck_assert(!again(types[i], bytes, size, &fault));
        ck_assert_uint_lt(allocations_largest(), 100000);
    }
    free(bytes);
}
END_TEST

// Unions in unions whose every level can be read in two ways.
START_TEST(ways_to_read_are_bounded)
{
    unsigned char bytes[100];
    PychoralFault fault;
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, "\xdc\x00\x20", 3);
    for (int i = 0; i < 32; i++)
        memcpy(bytes + 3 + 3 * i, "\x91\xa0\xc0", 3);
    ck_assert(!again("list[Union[float, list[float]]]", bytes, 99, &fault));
}
END_TEST

// ---- truncations and changed bytes ----

static void truncate_all(const Case *each)
{
    size_t size;
    unsigned char *bytes = parse_hex(each->hex, &size);
    PychoralFault fault;
    for (size_t cut = 0; cut < size; cut++) {
        unsigned char *part = malloc(cut + 1);
        memcpy(part, bytes, cut);
        ck_assert_msg(!again(each->type, part, cut, &fault), "%s cut at %zu", each->hex, cut);
        free(part);
    }
    free(bytes);
}

START_TEST(each_truncation_is_refused)
{
    for (int i = 0; i < VALUE_COUNT; i++)
        truncate_all(&VALUES[i]);
}
END_TEST

// What is still a value after a byte has changed is written again as it is, or converted.
static void change_all(const Case *each)
{
    if (strstr(each->type, "loat") || strstr(each->type, "complex") ||
        strcmp(each->type, "Point") == 0 || strcmp(each->type, "Record") == 0 ||
        strcmp(each->type, "object") == 0)
        return;  // conversions change bytes; tests/runtime/agree.py looks at those
    size_t size;
    unsigned char *bytes = parse_hex(each->hex, &size);
    PychoralFault fault;
    for (size_t at = 0; at < size; at++) {
        unsigned char kept = bytes[at];
        for (unsigned byte = 0; byte < 256; byte++) {
            bytes[at] = (unsigned char)byte;
            again(each->type, bytes, size, &fault);
        }
        bytes[at] = kept;
    }
    free(bytes);
}

START_TEST(each_changed_byte_is_taken_or_refused)
{
    for (int i = 0; i < VALUE_COUNT; i++)
        change_all(&VALUES[i]);
}
END_TEST

// ---- memory that runs out ----

static bool decode_failing(const PychoralType *type, const PychoralFrame *frame, void *value,
                           long allocations)
{
    PychoralFault fault;
    long before = allocations_open();
    allocations_fail_after(allocations);
    bool taken = pychoral_decode(type, frame, 1, value, &fault);
    allocations_fail_after(-1);
    if (!taken) {
        ck_assert_str_eq(fault.text, "out of memory");
        ck_assert_int_eq(allocations_open(), before);
    }
    return taken;
}

static void run_out(const Case *each)
{
    const PychoralType *type = type_named(each->type);
    size_t size;
    unsigned char *bytes = parse_hex(each->hex, &size);
    PychoralFrame frame = {bytes, size, NULL};
    _Alignas(16) char value[256];
    long before = allocations_open(), allocations = 0;
    while (!decode_failing(type, &frame, value, allocations))
        allocations++;
    for (allocations = 0; !encode_failing(type, value, allocations);)
        allocations++;
    pychoral_release(type, value);
    ck_assert_int_eq(allocations_open(), before);
    free(bytes);
}

START_TEST(memory_that_runs_out_is_said)
{
    for (int i = 0; i < VALUE_COUNT; i++)
        run_out(&VALUES[i]);
}
END_TEST

// ---- what cannot be sent ----

START_TEST(what_cannot_be_sent)
{
    PychoralWriter writer = {0};
    PychoralFault fault;
    PychoralStr *text = pychoral_str_new("a\xed\xa0\x80", 4);
    ck_assert_ptr_nonnull(text);
    ck_assert(!pychoral_encode(&writer, &pychoral_type_str, &text, &fault));
    ck_assert_str_eq(fault.text, "the value cannot be sent: it is a str with a lone surrogate, "
                                 "which UTF-8 cannot encode");
    const PychoralType *type = type_named("list[str]");
    PychoralList *list = pychoral_list_new(type, 1);
    ck_assert(pychoral_list_append(list, &text));
    ck_assert(!pychoral_encode(&writer, type, &list, &fault));
    ck_assert_ptr_nonnull(strstr(fault.text, "its part `[0]` is a str with a lone surrogate"));
    pychoral_release(type, &list);

    type = type_named("Node");
    char *node = pychoral_object_new(type);
    uint32_t tag = 0;  // a node that is its own next
    memcpy(node + type->fields[1].offset, &tag, sizeof tag);
    memcpy(node + type->fields[1].offset + type->fields[1].type->fields[0].offset, &node,
           sizeof node);
    ck_assert(!pychoral_encode(&writer, type, &node, &fault));
    ck_assert_ptr_nonnull(strstr(fault.text, "a value that contains it (a cycle)"));
    free(node);

    type = type_named("Base");
    void *base = pychoral_object_new(type);
    ck_assert(!pychoral_encode(&writer, type, &base, &fault));
    ck_assert_ptr_nonnull(strstr(fault.text, "its part `.name` is a field that has no value"));
    free(base);
    pychoral_writer_clear(&writer);
}
END_TEST

static void *ident(const char *name)
{
    const PychoralType *type = type_named("set[Ident]")->element;
    char *object = pychoral_object_new(type);
    PychoralStr *text = pychoral_str_new(name, strlen(name));
    memcpy(object + type->fields[0].offset, &text, sizeof text);
    return object;
}

// eq=False: two things for the program, one on the wire.
START_TEST(keys_that_would_arrive_as_one)
{
    const PychoralType *type = type_named("set[Ident]");
    PychoralTable *set = pychoral_table_new(type, 0);
    PychoralWriter writer = {0};
    PychoralFault fault;
    void *one = ident("a"), *other = ident("b"), *same = ident("a");
    ck_assert_int_eq(pychoral_table_put(set, &one, NULL), PYCHORAL_PUT_NEW);
    ck_assert_int_eq(pychoral_table_put(set, &other, NULL), PYCHORAL_PUT_NEW);
    ck_assert(pychoral_encode(&writer, type, &set, &fault));
    ck_assert_int_eq(pychoral_table_put(set, &same, NULL), PYCHORAL_PUT_NEW);
    ck_assert(!pychoral_encode(&writer, type, &set, &fault));
    ck_assert_ptr_nonnull(strstr(fault.text, "have the same encoding"));
    pychoral_release(type, &set);
    pychoral_writer_clear(&writer);
}
END_TEST

Suite *codec_suite(void);
Suite *codec_suite(void)
{
    Suite *suite = suite_create("codec");
    TCase *tests = tcase_create("codec");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, each_form_is_taken_and_written);
    tcase_add_test(tests, each_fault_has_its_text);
    tcase_add_test(tests, ints_are_converted_where_floats_are_expected);
    tcase_add_test(tests, numbers_are_converted_where_complex_ones_are_expected);
    tcase_add_test(tests, too_large_for_a_float);
    tcase_add_test(tests, numbers_in_bulk);
    tcase_add_test(tests, nests_are_refused_in_little_memory);
    tcase_add_test(tests, depth_128_is_taken);
    tcase_add_test(tests, memory_is_taken_for_what_came);
    tcase_add_test(tests, ways_to_read_are_bounded);
    tcase_add_test(tests, each_truncation_is_refused);
    tcase_add_test(tests, each_changed_byte_is_taken_or_refused);
    tcase_add_test(tests, memory_that_runs_out_is_said);
    tcase_add_test(tests, what_cannot_be_sent);
    tcase_add_test(tests, keys_that_would_arrive_as_one);
    suite_add_tcase(suite, tests);
    return suite;
}
