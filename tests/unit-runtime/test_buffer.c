// test_buffer.c - shared bytes: who lets go last gives them back, from any thread.

#include <check.h>
#include <pthread.h>
#include <stdint.h>

#include "buffer.h"

static void count_free(void *data, void *context)
{
    (void)data;
    ++*(int *)context;
}

START_TEST(last_reference_frees_once)
{
    int freed = 0;
    char bytes[4];
    PychoralBuffer *buffer = pychoral_buffer_wrap(bytes, sizeof bytes, count_free, &freed);
    ck_assert_ptr_eq(pychoral_buffer_retain(buffer), buffer);
    pychoral_buffer_release(buffer);
    ck_assert_int_eq(freed, 0);
    pychoral_buffer_release(buffer);
    ck_assert_int_eq(freed, 1);
}
END_TEST

START_TEST(own_bytes_are_aligned)
{
    PychoralBuffer *buffer = pychoral_buffer_new(0);
    ck_assert_uint_eq((uintptr_t)buffer->data % 16, 0);
    pychoral_buffer_release(buffer);
}
END_TEST

START_TEST(no_memory_is_null)
{
    ck_assert_ptr_null(pychoral_buffer_new(SIZE_MAX));
    ck_assert_ptr_null(pychoral_buffer_retain(NULL));
    pychoral_buffer_release(NULL);
}
END_TEST

static void *retain_and_release(void *buffer)
{
    for (int i = 0; i < 100000; i++)
        pychoral_buffer_release(pychoral_buffer_retain(buffer));
    pychoral_buffer_release(buffer);
    return NULL;
}

START_TEST(two_threads_share)
{
    int freed = 0;
    PychoralBuffer *buffer = pychoral_buffer_wrap(&freed, 1, count_free, &freed);
    pychoral_buffer_retain(buffer);
    pthread_t other;
    ck_assert_int_eq(pthread_create(&other, NULL, retain_and_release, buffer), 0);
    retain_and_release(buffer);
    pthread_join(other, NULL);
    ck_assert_int_eq(freed, 1);
}
END_TEST

Suite *buffer_suite(void);
Suite *buffer_suite(void)
{
    Suite *suite = suite_create("buffer");
    TCase *tests = tcase_create("buffer");
    tcase_add_test(tests, last_reference_frees_once);
    tcase_add_test(tests, own_bytes_are_aligned);
    tcase_add_test(tests, no_memory_is_null);
    tcase_add_test(tests, two_threads_share);
    suite_add_tcase(suite, tests);
    return suite;
}
