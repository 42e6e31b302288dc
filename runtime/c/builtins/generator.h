// generator.h - functions that `yield`: each runs on a stack of its own, a piece at a time.

#ifndef PYCHORAL_GENERATOR_H
#define PYCHORAL_GENERATOR_H

#include "object.h"

// A generator whose code is `body`, called with the place of its arguments when the first item is
// asked for. `held` is the row of the arguments, a TUPLE, which the caller then puts at
// pychoral_generator_arguments; NULL: there are none. Owned.
PychoralIterator *pychoral_generator_new(const PychoralType *type, const PychoralType *held,
                                         void (*body)(void *arguments));
void *pychoral_generator_arguments(PychoralIterator *generator);

// `yield value`, of the row of the items; only code that runs in a generator calls this. Raises
// GeneratorExit when the generator is closed meanwhile, or what is thrown into it.
void pychoral_yield(const PychoralType *row, const void *value);

// `yield from items`: yields what it gives, whose items are of `row`. Raises.
void pychoral_yield_from(const PychoralType *row, PychoralIterator *items);

// generator.close(). Raises what the code raises while it ends.
void pychoral_generator_close(PychoralIterator *generator);

// ---- contextlib.contextmanager ----

// A manager whose generator is `generator`, which is taken over.
typedef struct PychoralManager {
    PychoralObject object;
    PychoralIterator *generator;
} PychoralManager;

extern const PychoralType pychoral_type_manager;

PychoralManager *pychoral_manager_new(PychoralIterator *generator);

// manager.__enter__() as `row`, and manager.__exit__(kind, error, trace). Raise what the
// generator's code raises, and RuntimeError where it does not yield exactly once.
void pychoral_manager_enter(PychoralManager *manager, const PychoralType *row, void *result);
bool pychoral_manager_exit(PychoralManager *manager, PychoralRef kind, PychoralRef error,
                           PychoralRef trace);

#endif
