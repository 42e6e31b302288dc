// sys.h - the parts of Python's sys that are no files (builtins/textio.h has those).

#ifndef PYCHORAL_SYS_H
#define PYCHORAL_SYS_H

#include "../builtins/object.h"

extern PychoralStr pychoral_sys_byteorder, pychoral_sys_platform;

PychoralStr *pychoral_sys_getdefaultencoding(void);

// CPython's number; a C program's stack is what ends its recursion.
int64_t pychoral_sys_getrecursionlimit(void);

// Only checks its argument. Raises ValueError.
void pychoral_sys_setrecursionlimit(int64_t limit);

PychoralStr *pychoral_sys_intern(PychoralStr *string);

#endif
