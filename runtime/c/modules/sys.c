// sys.c - the parts of Python's sys that are no files; contracts in sys.h.

#include "sys.h"

#include "../builtins/generated.h"

static PychoralStr encoding = PYCHORAL_CONSTANT("utf-8", PYCHORAL_ASCII);
PychoralStr pychoral_sys_byteorder = PYCHORAL_CONSTANT("little", PYCHORAL_ASCII),
            pychoral_sys_platform = PYCHORAL_CONSTANT("linux", PYCHORAL_ASCII);

PychoralStr *pychoral_sys_getdefaultencoding(void) { return &encoding; }

int64_t pychoral_sys_getrecursionlimit(void) { return 1000; }

void pychoral_sys_setrecursionlimit(int64_t limit)
{
    if (limit < 1)
        pychoral_throw(&pychoral_type_ValueError,
                       "recursion limit must be greater or equal than 1");
}

PychoralStr *pychoral_sys_intern(PychoralStr *string) { return PYCHORAL_KEEP(string); }
