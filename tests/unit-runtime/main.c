// main.c - runs every suite of this folder, which tests the C runtime (runtime/c).
//
// As in tests/unit: suites_runtime.def is written by the Makefile, one SUITE(NAME) for each file
// test_NAME.c, which defines `Suite *NAME_suite(void)`.

#include <check.h>
#include <stdlib.h>

#define SUITE(name) Suite *name##_suite(void);
#include "suites_runtime.def"
#undef SUITE

int main(void)
{
    SRunner *runner = srunner_create(NULL);
#define SUITE(name) srunner_add_suite(runner, name##_suite());
#include "suites_runtime.def"
#undef SUITE
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
