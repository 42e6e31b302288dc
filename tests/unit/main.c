// main.c - runs every suite of this folder.
//
// The Makefile writes suites.def, one SUITE(NAME) for each file test_NAME.c; such a file defines
// `Suite *NAME_suite(void)`. Check's environment variables select suites and cases
// (CK_RUN_SUITE=ir), and CK_FORK=no keeps all in one process for a debugger.

#include <check.h>
#include <stdlib.h>

#define SUITE(name) Suite *name##_suite(void);
#include "suites.def"
#undef SUITE

int main(void)
{
    SRunner *runner = srunner_create(NULL);
#define SUITE(name) srunner_add_suite(runner, name##_suite());
#include "suites.def"
#undef SUITE
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
