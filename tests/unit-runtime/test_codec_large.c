// test_codec_large.c - large values on the wire (PROTOCOL.md 5.3, 5.4): sizes, frames of their own.

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"
#include "codec.h"
#include "value_testing.h"
#include "wire.h"

// ---- sizes ----

static const size_t SIZES[] = {0,     1,     31,    32,    255,   256,     4095,    4096,
                               4097,  65534, 65535, 65536, 65537, 1 << 20, 16 << 20};

static void *fresh_value(const char *type_text, size_t size)
{
    unsigned char *zeros = calloc(size + 1, 1);
    void *made;
    if (strcmp(type_text, "bytes") == 0)
        made = pychoral_bytes_new(zeros, size);
    else
        made = pychoral_str_new((char *)zeros, size);
    free(zeros);
    return made;
}

static void check_frames(const PychoralWriter *w, bool outside, size_t size)
{
    ck_assert_uint_eq(w->count, outside ? 2 : 1);
    ck_assert_int_eq(w->frames[0].owner != NULL, w->frames[0].size > PYCHORAL_INLINE);
    if (outside) {
        ck_assert_uint_eq(w->frames[1].size, size);
        ck_assert_ptr_nonnull(w->frames[1].owner);
    }
}

static void check_size(const char *type_text, size_t size)
{
    const PychoralType *type = type_named(type_text);
    PychoralWriter writer = {0}, second = {0};
    PychoralFault fault;
    PychoralBytes *value = fresh_value(type_text, size), *back;
    ck_assert(pychoral_encode(&writer, type, &value, &fault));
    bool outside = strcmp(type_text, "bytes") == 0 && size >= PYCHORAL_LARGE;
    check_frames(&writer, outside, size);
    if (outside)
        ck_assert_ptr_eq(writer.frames[1].data, value->data);  // lent
    ck_assert(pychoral_decode(type, writer.frames, writer.count, &back, &fault));
    ck_assert(pychoral_equal(type, &value, &back));
    if (outside)
        ck_assert_ptr_eq(back->data, value->data);  // borrowed
    ck_assert(pychoral_encode(&second, type, &back, &fault));
    ck_assert_uint_eq(second.frames[0].size, writer.frames[0].size);
    ck_assert_mem_eq(second.frames[0].data, writer.frames[0].data, second.frames[0].size);
    pychoral_release(type, &value);
    pychoral_release(type, &back);
    pychoral_writer_clear(&writer);
    pychoral_writer_clear(&second);
}

START_TEST(sizes)
{
    long before = allocations_open();
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        check_size("bytes", SIZES[i]);
        check_size("str", SIZES[i]);
    }
    ck_assert_int_eq(allocations_open(), before);
}
END_TEST

static void check_list(const char *type_text, size_t count)
{
    const PychoralType *type = type_named(type_text);
    PychoralWriter writer = {0};
    PychoralFault fault;
    PychoralList *list = pychoral_list_new(type, 0), *back;
    for (size_t i = 0; i < count; i++) {
        PychoralInt number = pychoral_int((int64_t)i);
        double real = (double)i;
        bool floats = type->element->kind == PYCHORAL_FLOAT;
        ck_assert(pychoral_list_append(list, floats ? (void *)&real : (void *)&number));
    }
    ck_assert(pychoral_encode(&writer, type, &list, &fault));
    ck_assert_uint_eq(writer.count, count * 8 >= PYCHORAL_LARGE ? 2 : 1);
    ck_assert_msg(pychoral_decode(type, writer.frames, writer.count, &back, &fault), "%s",
                  fault.text);
    ck_assert(pychoral_equal(type, &list, &back));
    PychoralInt one = pychoral_int(1);
    double real = 1;
    bool floats = type->element->kind == PYCHORAL_FLOAT;
    if (count > 0) {  // whoever writes does not write into what is lent
        ck_assert(pychoral_list_set(back, 0, floats ? (void *)&real : (void *)&one));
        ck_assert(!pychoral_equal(type, &list, &back));
    }
    pychoral_release(type, &list);
    pychoral_release(type, &back);
    pychoral_writer_clear(&writer);
}

START_TEST(list_sizes)
{
    static const size_t counts[] = {0, 1, 15, 16, 17, 31, 32, 8191, 8192, 8193, 1 << 21};
    long before = allocations_open();
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        check_list("list[int]", counts[i]);
        check_list("list[float]", counts[i]);
    }
    ck_assert_int_eq(allocations_open(), before);
}
END_TEST

// ---- arrays ----

static void check_array(unsigned dtype, unsigned dimensions, const uint64_t *shape)
{
    const PychoralType *type = &pychoral_type_ndarray;
    PychoralWriter writer = {0};
    PychoralFault fault;
    PychoralArray *array = pychoral_array_new(dtype, dimensions, shape), *back;
    ck_assert_ptr_nonnull(array);
    memset(pychoral_array_writable(array), 1, array->size);
    ck_assert(pychoral_encode(&writer, type, &array, &fault));
    ck_assert_uint_eq(writer.count, array->size >= PYCHORAL_LARGE ? 2 : 1);
    ck_assert_msg(pychoral_decode(type, writer.frames, writer.count, &back, &fault), "%s",
                  fault.text);
    ck_assert_uint_eq(back->dtype, dtype);
    ck_assert_uint_eq(back->dimensions, dimensions);
    ck_assert_uint_eq(back->size, array->size);
    for (unsigned i = 0; i < dimensions; i++)
        ck_assert_uint_eq(back->shape[i], shape[i]);
    ck_assert(array->size == 0 || memcmp(back->data, array->data, array->size) == 0);
    pychoral_writer_clear(&writer);
    if (array->size >= PYCHORAL_LARGE) {  // borrowed until it is written
        ck_assert_ptr_eq(back->data, array->data);
        ck_assert_ptr_ne(pychoral_array_writable(back), array->data);
    }
    pychoral_release(type, &array);
    pychoral_release(type, &back);
}

START_TEST(arrays)
{
    static const uint64_t deep[32] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 3};
    static const uint64_t empty[3] = {2, 0, 5}, small[2] = {3, 4}, large[2] = {256, 256};
    long before = allocations_open();
    for (unsigned dtype = PYCHORAL_DTYPE_BOOL; dtype < PYCHORAL_DTYPE_END; dtype++) {
        check_array(dtype, 0, NULL);
        check_array(dtype, 32, deep);
        check_array(dtype, 3, empty);
        check_array(dtype, 2, small);
        check_array(dtype, 2, large);
    }
    ck_assert_int_eq(allocations_open(), before);
    uint64_t huge[3] = {1ull << 40, 1ull << 40, 1}, empty_huge[3] = {0, 1ull << 40, 1ull << 40};
    ck_assert_ptr_null(pychoral_array_new(PYCHORAL_FLOAT64, 3, huge));
    ck_assert_ptr_null(pychoral_array_new(PYCHORAL_FLOAT64, 3, empty_huge));
    ck_assert_ptr_null(pychoral_array_new(PYCHORAL_FLOAT64, 33, deep));
}
END_TEST

// ---- frames of their own ----

START_TEST(each_frame_is_referred_to_once_and_in_order)
{
    static char large[PYCHORAL_LARGE + 1];
    static const struct {
        const char *hex;
        size_t count, size;
        bool good;
    } cases[] = {
        {"92 c7030c000000 c7030c000001", 2, PYCHORAL_LARGE, true},
        {"92 c7030c000000 c7030c000001", 2, PYCHORAL_LARGE + 1, true},
        {"92 c7030c000001 c7030c000000", 2, PYCHORAL_LARGE, false},
        {"92 c7030c000000 c7030c000000", 2, PYCHORAL_LARGE, false},
        {"92 c7030c000000 c7030c000000", 1, PYCHORAL_LARGE, false},
        {"91 c7030c000000", 2, PYCHORAL_LARGE, false},
        {"92 c7030c000000 c7030c000001", 1, PYCHORAL_LARGE, false},
        {"92 c7030c000000 c7030c000001", 2, PYCHORAL_LARGE - 1, false},
        {"92 d60c00000000 c7030c000001", 2, PYCHORAL_LARGE, false},
        {"90", 1, PYCHORAL_LARGE, false},
    };
    const PychoralType *type = type_named("list[bytes]");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size;
        unsigned char *bytes = parse_hex(cases[i].hex, &size);
        PychoralFrame frames[3] = {{bytes, size, NULL},
                                   {large, cases[i].size, NULL},
                                   {large, cases[i].size, NULL}};
        PychoralFault fault;
        PychoralList *list;
        bool taken = pychoral_decode(type, frames, 1 + cases[i].count, &list, &fault);
        ck_assert_msg(taken == cases[i].good, "%s", cases[i].hex);
        if (taken)
            pychoral_release(type, &list);
        free(bytes);
    }
}
END_TEST

// Data at an odd address is copied into a list, as its items are read as they lie.
START_TEST(unaligned_data_is_copied)
{
    const PychoralType *type = type_named("list[float]");
    PychoralBuffer *buffer = pychoral_buffer_new(PYCHORAL_LARGE + 1);
    memset(buffer->data, 0, buffer->size);
    unsigned char value[] = {0xc7, 3, EXT_OUTSIDE, EXT_FLOATS, 0, 0};
    PychoralFrame frames[2] = {{value, sizeof value, NULL},
                               {(char *)buffer->data + 1, PYCHORAL_LARGE, buffer}};
    PychoralList *list;
    PychoralFault fault;
    ck_assert(pychoral_decode(type, frames, 2, &list, &fault));
    ck_assert_uint_eq((uintptr_t)list->items % sizeof(double), 0);
    ck_assert_uint_eq(atomic_load(&buffer->refs), 1);
    pychoral_release(type, &list);
    frames[1].data = buffer->data;
    ck_assert(pychoral_decode(type, frames, 2, &list, &fault));
    ck_assert_ptr_eq(list->items, buffer->data);
    ck_assert_uint_eq(atomic_load(&buffer->refs), 2);
    pychoral_release(type, &list);
    pychoral_buffer_release(buffer);
}
END_TEST

// A writer's memory that is still read by others is not written again.
START_TEST(long_values_are_given_away)
{
    PychoralWriter writer = {0};
    PychoralFault fault;
    PychoralStr *text = fresh_value("str", 5000);
    ck_assert(pychoral_encode(&writer, &pychoral_type_str, &text, &fault));
    const void *first = writer.frames[0].data;
    ck_assert(pychoral_encode(&writer, &pychoral_type_str, &text, &fault));
    ck_assert_ptr_eq(writer.frames[0].data, first);
    PychoralBuffer *kept = pychoral_buffer_retain(writer.frames[0].owner);
    ck_assert(pychoral_encode(&writer, &pychoral_type_str, &text, &fault));
    ck_assert_ptr_ne(writer.frames[0].data, first);
    pychoral_buffer_release(kept);
    pychoral_release(&pychoral_type_str, &text);
    pychoral_writer_clear(&writer);
}
END_TEST

// ---- large values ----

// Written and read again, equal; how many frames it took.
static size_t there_and_back(const PychoralType *type, const void *value)
{
    PychoralWriter writer = {0};
    PychoralFault fault;
    _Alignas(16) char back[64];
    ck_assert_msg(pychoral_encode(&writer, type, value, &fault), "%s", fault.text);
    ck_assert_msg(pychoral_decode(type, writer.frames, writer.count, back, &fault), "%s",
                  fault.text);
    ck_assert(pychoral_equal(type, value, back));
    pychoral_release(type, back);
    size_t frames = writer.count;
    pychoral_writer_clear(&writer);
    return frames;
}

// Numbers that are not stored as such are gathered.
START_TEST(large_lists_of_unions_go_in_bulk)
{
    const PychoralType *type = type_named("list[Union[int, str]]");
    const PychoralField *number = &type->element->fields[0];
    PychoralList *list = pychoral_list_new(type, 0);
    for (int64_t i = 0; i < 8192; i++) {
        _Alignas(16) char item[64] = {0};  // tag 0: int
        PychoralInt value = pychoral_int(i);
        memcpy(item + number->offset, &value, sizeof value);
        ck_assert(pychoral_list_append(list, item));
        if (i == 20)
            ck_assert_uint_eq(there_and_back(type, &list), 1);
    }
    ck_assert_uint_eq(there_and_back(type, &list), 2);
    for (long allocations = 0; !encode_failing(type, &list, allocations);)
        allocations++;
    pychoral_release(type, &list);
}
END_TEST

// Bytes that no buffer owns are copied, once.
START_TEST(large_constants_are_copied)
{
    static char data[PYCHORAL_LARGE];
    PychoralBytes constant = {.head = {.refs = PYCHORAL_IMMORTAL}, .size = sizeof data,
                              .data = data};
    PychoralBytes *value = &constant;
    ck_assert_uint_eq(there_and_back(&pychoral_type_bytes, &value), 2);
    for (long allocations = 0; !encode_failing(&pychoral_type_bytes, &value, allocations);)
        allocations++;
}
END_TEST

// The same MiB many times over: in the value, and lent.
START_TEST(too_long_for_the_wire)
{
    static const char *const types[] = {"list[str]", "list[bytes]"};
    for (size_t i = 0; i < 2; i++) {
        const PychoralType *type = type_named(types[i]);
        PychoralList *list = pychoral_list_new(type, 0);
        PychoralBytes *item = fresh_value(i == 0 ? "str" : "bytes", 1 << 20);
        for (int k = 0; k < 256; k++) {
            pychoral_retain(type->element, &item);
            ck_assert(pychoral_list_append(list, &item));
        }
        pychoral_release(type->element, &item);
        PychoralWriter writer = {0};
        PychoralFault fault;
        ck_assert(!pychoral_encode(&writer, type, &list, &fault));
        ck_assert_ptr_nonnull(strstr(fault.text, "is too long to encode: the limit is "
                                                 "268435456 bytes"));
        pychoral_writer_clear(&writer);
        pychoral_release(type, &list);
    }
}
END_TEST

Suite *codec_large_suite(void);
Suite *codec_large_suite(void)
{
    Suite *suite = suite_create("codec_large");
    TCase *tests = tcase_create("codec_large");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, sizes);
    tcase_add_test(tests, list_sizes);
    tcase_add_test(tests, arrays);
    tcase_add_test(tests, each_frame_is_referred_to_once_and_in_order);
    tcase_add_test(tests, unaligned_data_is_copied);
    tcase_add_test(tests, long_values_are_given_away);
    tcase_add_test(tests, large_lists_of_unions_go_in_bulk);
    tcase_add_test(tests, large_constants_are_copied);
    tcase_add_test(tests, too_long_for_the_wire);
    suite_add_tcase(suite, tests);
    return suite;
}
