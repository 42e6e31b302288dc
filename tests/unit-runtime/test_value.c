// test_value.c - how programs hold values: counts, ints, lists, tables, equality (value.h).

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"
#include "codec.h"
#include "value_testing.h"
#include "wire.h"

static PychoralStr *text(const char *bytes) { return pychoral_str_new(bytes, strlen(bytes)); }

// ---- ints ----

static PychoralInt int_from(const char *digits)
{
    PychoralInt number;
    mpz_t from;
    mpz_init_set_str(from, digits, 10);
    ck_assert(pychoral_int_from_mpz(from, &number));
    mpz_clear(from);
    return number;
}

static void check_int(const char *digits, bool big)
{
    PychoralInt number = int_from(digits), back;
    mp_limb_t limb;
    mpz_t view;
    ck_assert_int_eq(pychoral_int_is_big(number), big);
    pychoral_int_view(&number, &limb, view);
    char *shown = mpz_get_str(NULL, 10, view);
    ck_assert_str_eq(shown, digits);
    if (big) {
        unsigned char bytes[200];
        size_t size = pychoral_big_size(number.big);
        pychoral_big_to_bytes(number.big, bytes, size);
        ck_assert(pychoral_int_from_bytes(bytes, size, &back));
        ck_assert(pychoral_equal(&pychoral_type_int, &number, &back));
        pychoral_release(&pychoral_type_int, &back);
    }
    double expected = strtod(digits, NULL), rounded;  // strtod rounds to even, too
    ck_assert_int_eq(pychoral_int_to_float(number, &rounded), isfinite(expected));
    if (isfinite(expected))
        ck_assert(rounded == expected);
    pychoral_release(&pychoral_type_int, &number);
    free(shown);
}

START_TEST(ints_grow)
{
    check_int("0", false);
    check_int("-1", false);
    check_int("9223372036854775807", false);
    check_int("-9223372036854775808", false);
    check_int("9223372036854775808", true);
    check_int("-9223372036854775809", true);
    check_int("18446744073709551615", true);
    check_int("18446744073709551616", true);
    check_int("-18446744073709551616", true);
    check_int("9007199254740993", false);
    check_int("18446744073709553665", true);  // above a tie between two floats
    check_int("36893488147419107328", true);
    check_int("-340282366920938463463374607431768211456", true);
    check_int("340282366920938463463374607431768211455", true);
}
END_TEST

// 3^500, and the largest numbers that are floats.
START_TEST(ints_of_many_digits)
{
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 3, 500);
    char *digits = mpz_get_str(NULL, 10, power);
    check_int(digits, true);
    free(digits);
    for (int below = 0; below < 3; below++) {
        mpz_ui_pow_ui(power, 2, 1024);
        mpz_sub_ui(power, power, (unsigned long)below);
        digits = mpz_get_str(NULL, 10, power);
        check_int(digits, true);
        free(digits);
    }
    mpz_ui_pow_ui(power, 2, 1024);
    mpz_t step;
    mpz_init(step);
    mpz_ui_pow_ui(step, 2, 970);
    mpz_sub(power, power, step);  // half way to 2^1024: rounds up, to none
    digits = mpz_get_str(NULL, 10, power);
    check_int(digits, true);
    free(digits);
    mpz_sub_ui(power, power, 1);  // below: the largest float
    digits = mpz_get_str(NULL, 10, power);
    check_int(digits, true);
    free(digits);
    mpz_clear(step);
    mpz_clear(power);
}
END_TEST

START_TEST(ints_of_bytes)
{
    static const struct {
        const char *bytes;
        size_t size;
        int64_t number;
    } cases[] = {{"", 0, 0}, {"\x7f", 1, 127}, {"\x80", 1, -128}, {"\xff\x7f", 2, -129},
                 {"\x80\0\0\0\0\0\0", 8, INT64_MIN}, {"\0\x7f\xff\xff\xff\xff\xff\xff\xff", 9,
                 INT64_MAX}, {"\xff\xff\xff\xff\xff\xff\xff\xff\xff", 9, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PychoralInt number;
        ck_assert(pychoral_int_from_bytes((const unsigned char *)cases[i].bytes, cases[i].size,
                                          &number));
        ck_assert(number.big == NULL);
        ck_assert_int_eq(number.small, cases[i].number);
    }
}
END_TEST

START_TEST(bools_are_ints_and_stay_bools)
{
    PychoralInt truth = pychoral_int_bool(true), one = pychoral_int(1);
    ck_assert(pychoral_int_is_bool(truth) && !pychoral_int_is_bool(one));
    ck_assert(pychoral_equal(&pychoral_type_int, &truth, &one));
    pychoral_retain(&pychoral_type_int, &truth);
    pychoral_release(&pychoral_type_int, &truth);
    ck_assert_uint_eq(pychoral_bool_mark.head.refs, PYCHORAL_IMMORTAL);
}
END_TEST

// ---- str ----

START_TEST(strings)
{
    static PychoralStr constant = PYCHORAL_CONSTANT("abc", PYCHORAL_ASCII);
    PychoralStr *made = text("abc"), *wide = text("h\xc3\xa9"), *other = &constant;
    ck_assert_uint_eq(made->head.flags, PYCHORAL_ASCII);
    ck_assert_uint_eq(wide->head.flags, 0);
    ck_assert_int_eq(made->data[made->size], '\0');
    ck_assert(pychoral_equal(&pychoral_type_str, &made, &other));
    ck_assert(!pychoral_equal(&pychoral_type_str, &made, &wide));
    pychoral_retain(&pychoral_type_str, &other);
    pychoral_release(&pychoral_type_str, &other);
    pychoral_release(&pychoral_type_str, &other);
    ck_assert_uint_eq(constant.head.refs, PYCHORAL_IMMORTAL);
    ck_assert_ptr_null(pychoral_str_new("\xff", 1));
    pychoral_release(&pychoral_type_str, &made);
    pychoral_release(&pychoral_type_str, &wide);
}
END_TEST

// ---- lists ----

START_TEST(lists_of_ints_are_narrow_until_they_must_not)
{
    const PychoralType *type = type_named("list[int]");
    long before = allocations_open();
    PychoralList *list = pychoral_list_new(type, 0);
    for (int64_t i = 0; i < 100; i++) {
        PychoralInt item = pychoral_int(i);
        ck_assert(pychoral_list_append(list, &item));
    }
    ck_assert(list->narrow);
    PychoralInt first;
    pychoral_list_get(list, 99, &first);
    ck_assert_int_eq(first.small, 99);
    PychoralInt big = int_from("18446744073709551616"), got;
    ck_assert(pychoral_list_set(list, 7, &big));
    ck_assert(!list->narrow);
    pychoral_list_get(list, 8, &got);
    ck_assert_int_eq(got.small, 8);
    pychoral_list_get(list, 9, &got);
    ck_assert_int_eq(got.small, 9);
    pychoral_list_get(list, 7, &got);
    ck_assert_ptr_eq(got.big, big.big);
    ck_assert_uint_eq(big.big->head.refs, 2);
    pychoral_release(&pychoral_type_int, &got);
    PychoralInt zero = pychoral_int(0);
    ck_assert(pychoral_list_set(list, 7, &zero));
    // wide as it is, all of it is small again: it travels in bulk
    PychoralWriter writer = {0};
    PychoralFault fault;
    ck_assert(pychoral_encode(&writer, type, &list, &fault));
    ck_assert_uint_eq(writer.frames[0].size, 4 + 800);
    pychoral_writer_clear(&writer);
    pychoral_release(type, &list);
    ck_assert_int_eq(allocations_open(), before);
}
END_TEST

START_TEST(lists_own_what_is_in_them)
{
    const PychoralType *type = type_named("list[str]");
    long before = allocations_open();
    PychoralList *list = pychoral_list_new(type, 1), *same;
    PychoralStr *item = text("item"), *got;
    ck_assert(pychoral_list_append(list, &item));
    pychoral_list_get(list, 0, &got);
    ck_assert_uint_eq(item->head.refs, 2);
    ck_assert(pychoral_list_append(list, &got));
    pychoral_assign(type, &same, &list);
    ck_assert_uint_eq(list->object.head.refs, 2);
    pychoral_release(type, &same);
    ck_assert_uint_eq(item->head.refs, 2);
    pychoral_release(type, &list);
    ck_assert_int_eq(allocations_open(), before);
}
END_TEST

// ---- freeing ----

static void *node(PychoralInt value, void *next)
{
    const PychoralType *type = type_named("Node");
    const PychoralField *link = &type->fields[1];
    char *object = pychoral_object_new(type);
    uint32_t tag = next == NULL;  // Node | None
    memcpy(object + type->fields[0].offset, &value, sizeof value);
    memcpy(object + link->offset, &tag, sizeof tag);
    if (next != NULL)
        memcpy(object + link->offset + link->type->fields[0].offset, &next, sizeof next);
    return object;
}

// A chain of half a million objects is freed, and compared, on a small stack.
START_TEST(deep_values_are_freed_without_recursion)
{
    const PychoralType *type = type_named("Node");
    long before = allocations_open();
    void *chain = NULL, *other = NULL;
    for (int i = 0; i < 500000; i++) {
        chain = node(pychoral_int(i), chain);
        other = node(pychoral_int(i), other);
    }
    ck_assert(!pychoral_equal(type, &chain, &other));  // deeper than is looked
    pychoral_release(type, &other);
    for (int i = 0; i < 10; i++)
        ck_assert(pychoral_equal(type, &chain, &chain));
    pychoral_release(type, &chain);
    ck_assert_int_eq(allocations_open(), before);
}
END_TEST

// What is in place counts what it refers to, whatever is around it.
START_TEST(values_in_place_are_copied)
{
    static const char *const types[] = {"tuple[int, str]", "Optional[int]", "object",
                                        "Literal[1, 'a', None, True]", "Color", "ndarray"};
    static const char *const values[] = {"93 c70002 c70901 010000000000000000 a161",
                                         "c70901 010000000000000000", "91 a161", "a161",
                                         "d503 0001", "c70a05 0b00 0000000000000000"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const PychoralType *type = type_named(types[i]);
        _Alignas(16) char value[64], copy[64];
        long before = allocations_open();
        read_value_of(type, values[i], value);
        pychoral_assign(type, copy, value);
        ck_assert(pychoral_equal(type, value, copy));  // arrays: as they are one
        pychoral_release(type, value);
        pychoral_release(type, copy);
        ck_assert_int_eq(allocations_open(), before);
    }
}
END_TEST

// What a failed receive leaves refers to nothing.
START_TEST(zeros_are_released)
{
    static const char *const types[] = {"int", "str", "bytes", "list[int]", "dict[str, int]",
                                        "tuple[int, str]", "Optional[int]", "object",
                                        "Literal[1, 'a', None, True]", "Color", "ndarray"};
    static const PychoralType box = {.kind = PYCHORAL_BOX, .size = sizeof(void *), .name = "str",
                                     .element = &pychoral_type_str};
    _Alignas(16) char value[64] = {0}, zeros[64] = {0};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        pychoral_release(type_named(types[i]), value);
    pychoral_release(&box, value);
    ck_assert_mem_eq(value, zeros, sizeof value);
}
END_TEST

START_TEST(boxes)
{
    static const PychoralType *const INNER = &pychoral_type_str;
    PychoralType type = {.kind = PYCHORAL_BOX, .size = sizeof(void *), .name = "str",
                         .element = INNER};
    long before = allocations_open();
    PychoralStr *content = text("abc");
    PychoralBox *box = pychoral_box_new(&type, &content), *back;
    PychoralWriter writer = {0};
    PychoralFault fault;
    ck_assert(pychoral_encode(&writer, &type, &box, &fault));
    ck_assert_uint_eq(writer.frames[0].size, 4);
    ck_assert(pychoral_decode(&type, writer.frames, 1, &back, &fault));
    ck_assert(pychoral_equal(&type, &box, &back));
    pychoral_release(&type, &box);
    pychoral_release(&type, &back);
    pychoral_writer_clear(&writer);
    ck_assert_int_eq(allocations_open(), before);
}
END_TEST

// ---- tables ----

static PychoralTable *table_of(int count)
{
    PychoralTable *table = pychoral_table_new(type_named("dict[int, str]"), 0);
    for (int i = 0; i < count; i++) {
        PychoralInt key = pychoral_int((int64_t)i * 7919);
        PychoralStr *value = text("v");
        ck_assert_int_eq(pychoral_table_put(table, &key, &value), PYCHORAL_PUT_NEW);
    }
    return table;
}

static void check_order(const PychoralTable *table, int first, int step)
{
    void *key, *value;
    for (uint32_t at = 0; pychoral_table_next(table, &at, &key, &value); first += step)
        ck_assert_int_eq(((PychoralInt *)key)->small, (int64_t)first * 7919);
}

static void check_table(int count)
{
    const PychoralType *type = type_named("dict[int, str]");
    long before = allocations_open();
    PychoralTable *table = table_of(count);
    ck_assert_uint_eq(table->count, (uint32_t)count);
    check_order(table, 0, 1);
    for (int i = 0; i < count; i += 2) {
        PychoralInt key = pychoral_int((int64_t)i * 7919);
        ck_assert(pychoral_table_remove(table, &key));
        ck_assert(!pychoral_table_remove(table, &key));
        ck_assert_ptr_null(pychoral_table_find(table, &key));
    }
    check_order(table, 1, 2);
    for (int i = 1; i < count; i += 2) {
        PychoralInt key = pychoral_int((int64_t)i * 7919);
        ck_assert_ptr_nonnull(pychoral_table_find(table, &key));
    }
    pychoral_release(type, &table);
    ck_assert_int_eq(allocations_open(), before);
}

START_TEST(tables_keep_their_order)
{
    for (int count = 0; count < 40; count++)
        check_table(count);
}
END_TEST

// A queue of ten keys that 100,000 have gone through stays small.
START_TEST(tables_do_not_grow_by_what_is_removed)
{
    const PychoralType *type = type_named("set[int]");
    PychoralTable *table = pychoral_table_new(type, 0);
    for (int64_t i = 0; i < 100000; i++) {
        PychoralInt key = pychoral_int(i), old = pychoral_int(i - 10);
        ck_assert_int_eq(pychoral_table_put(table, &key, NULL), PYCHORAL_PUT_NEW);
        ck_assert_int_eq(pychoral_table_remove(table, &old), i >= 10);
    }
    ck_assert_uint_eq(table->count, 10);
    ck_assert_uint_lt(table->capacity, 100);
    pychoral_release(type, &table);
}
END_TEST

START_TEST(a_key_that_is_there_keeps_its_place)
{
    const PychoralType *type = type_named("dict[object, object]");
    long before = allocations_open();
    PychoralTable *table = table_of(3);
    PychoralInt key = pychoral_int_bool(false);  // 0 == False
    PychoralStr *value = text("new");
    ck_assert_int_eq(pychoral_table_put(table, &key, &value), PYCHORAL_PUT_REPLACED);
    ck_assert_ptr_eq(*(PychoralStr **)pychoral_table_find(table, &key), value);
    check_order(table, 0, 1);
    ck_assert_int_eq(pychoral_table_add(table, &key, &value), PYCHORAL_PUT_REPLACED);
    pychoral_release(table->object.type, &table);
    table = pychoral_table_new(type, 0);
    pychoral_release(type, &table);
    ck_assert_int_eq(allocations_open(), before);
}
END_TEST

// ---- equality and hash, across types ----

static void read_object(const char *hex, void *value)
{
    read_value_of(type_named("object"), hex, value);
}

// All that Python holds for equal within a row, and for different between rows; NULL ends a row.
static const char *const EQUALS[][8] = {
    {"01", "c3", "cb3ff0000000000000", "d807 3ff0000000000000 0000000000000000",
     "d807 3ff0000000000000 8000000000000000", "d503 0100"},
    {"00", "c2", "cb0000000000000000", "cb8000000000000000"},
    {"cd012c", "d503 0101"},  // a member of an IntEnum
    {"cf8000000000000000", "cb43e0000000000000"},
    {"c70901 010000000000000000", "cb43f0000000000000"},
    {"c70901 010000000000000001"},
    {"cb3ff8000000000000", "d807 3ff8000000000000 0000000000000000"},
    {"d807 3ff0000000000000 3ff0000000000000"},
    {"a161"},
    {"c40161"},
    {"c0"},
    {"d503 0000"},
    {"90"},
    {"91 c70002"},
    {"91 c70006", "91 c70008"},
    {"91 01", "91 c3", "91 cb3ff0000000000000"},
    {"92 c70002 01", "92 c70002 c3", "92 c70002 cb3ff0000000000000"},
    {"93 c70008 01 02", "93 c70006 02 cb3ff0000000000000"},
    {"81 01 a161", "81 c3 a161"},
    {"82 01 c0 02 c0", "82 02 c0 01 c0"},
    {"93 d40402 cb3ff0000000000000 cb4000000000000000"},
    {"94 d4040a a161 01 a0", "94 d4040a a161 cb3ff0000000000000 a162"},  // compare=False
    {"92 d4040b a161"},
    {"92 d4040b a161"},  // eq=False: another
};

enum { ROWS = sizeof EQUALS / sizeof *EQUALS };

static void check_pair(const char *one, const char *other, bool equal)
{
    const PychoralType *type = type_named("object");
    _Alignas(16) char a[64], b[64];
    uint64_t hash_a, hash_b;
    read_object(one, a);
    read_object(other, b);
    ck_assert_msg(pychoral_equal(type, a, b) == equal, "%s and %s", one, other);
    bool hashable = pychoral_hash(type, a, 42, &hash_a);
    if (equal && hashable && pychoral_hash(type, b, 42, &hash_b))
        ck_assert_msg(hash_a == hash_b, "%s and %s", one, other);
    pychoral_release(type, a);
    pychoral_release(type, b);
}

START_TEST(equality_is_that_of_python)
{
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < 8 && EQUALS[row][i] != NULL; i++)
            for (int other = row; other < ROWS; other++)
                for (int k = 0; k < 8 && EQUALS[other][k] != NULL; k++)
                    if (strstr(EQUALS[row][i], "d4040b") == NULL)
                        check_pair(EQUALS[row][i], EQUALS[other][k], other == row);
    check_pair("cb7ff8000000000000", "cb7ff8000000000000", false);
    check_pair("92 d4040b a161", "92 d4040b a161", false);
}
END_TEST

START_TEST(what_can_be_hashed)
{
    static const char *const yes[] = {"c0", "01", "a161", "91 c70002", "92 c70008 01",
                                      "d503 0000", "94 d4040a a161 01 a0", "92 d4040b a161"};
    static const char *const no[] = {"90", "80", "91 c70006", "92 c70002 90", "91 d4040c",
                                     "93 d40402 cb3ff0000000000000 cb4000000000000000",
                                     "c70a05 0101 0000000000000000"};
    const PychoralType *type = type_named("object");
    _Alignas(16) char value[64];
    uint64_t hash;
    for (size_t i = 0; i < sizeof yes / sizeof *yes + sizeof no / sizeof *no; i++) {
        bool hashable = i < sizeof yes / sizeof *yes;
        const char *hex = hashable ? yes[i] : no[i - sizeof yes / sizeof *yes];
        read_object(hex, value);
        ck_assert_msg(pychoral_hash(type, value, 1, &hash) == hashable, "%s", hex);
        pychoral_release(type, value);
    }
}
END_TEST

Suite *value_suite(void);
Suite *value_suite(void)
{
    Suite *suite = suite_create("value");
    TCase *tests = tcase_create("value");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, ints_grow);
    tcase_add_test(tests, ints_of_many_digits);
    tcase_add_test(tests, ints_of_bytes);
    tcase_add_test(tests, bools_are_ints_and_stay_bools);
    tcase_add_test(tests, strings);
    tcase_add_test(tests, lists_of_ints_are_narrow_until_they_must_not);
    tcase_add_test(tests, lists_own_what_is_in_them);
    tcase_add_test(tests, deep_values_are_freed_without_recursion);
    tcase_add_test(tests, values_in_place_are_copied);
    tcase_add_test(tests, zeros_are_released);
    tcase_add_test(tests, boxes);
    tcase_add_test(tests, tables_keep_their_order);
    tcase_add_test(tests, tables_do_not_grow_by_what_is_removed);
    tcase_add_test(tests, a_key_that_is_there_keeps_its_place);
    tcase_add_test(tests, equality_is_that_of_python);
    tcase_add_test(tests, what_can_be_hashed);
    suite_add_tcase(suite, tests);
    return suite;
}
