// rows.c - every function that compiler/emit/c_prim names is there for generated programs.
// Compiling this is the test.

#include "builtins/builtins.h"

static void all(void)
{
#define PRIM(name, function, params, result, raises) (void)(function);
#include "compiler/emit/c_prim/all.def"
#undef PRIM
}

int main(void)
{
    void (*volatile made)(void) = all;
    return made == NULL;
}
