// endpoints.c - what the hand-written endpoints share.

#include "endpoints.h"

static int run_together(const PychoralProgram *const *programs, size_t count)
{
    int statuses[8], worst = 0;
    if (count > 8 || !pychoral_together(programs, count, statuses))
        return 70;
    for (size_t i = 0; i < count; i++)
        worst = statuses[i] > worst ? statuses[i] : worst;
    return worst;
}

int run_endpoint(const PychoralProgram *const *programs, size_t count, int argc, char **argv)
{
    const char *role = argc > 1 ? argv[1] : "";
    if (strcmp(role, "together") == 0)
        return run_together(programs, count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(programs[i]->role, role) == 0)
            return pychoral_main(programs[i], argc - 1, argv + 1);
    fprintf(stderr, "there is no role '%s'\n", role);
    return 2;
}

int64_t number_argument(const PychoralRole *role, size_t parameter)
{
    return strtoll(pychoral_argument(role, parameter), NULL, 10);
}
