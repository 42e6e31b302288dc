// body.h - what the files about statements share.

#ifndef PYCHORAL_TYPECHECK_BODY_H
#define PYCHORAL_TYPECHECK_BODY_H

#include "typecheck/python/python.h"

// The loop around: what holds where it is left, and where a round ends early.
typedef struct PyLoop {
    struct PyLoop *outer;
    size_t mark;
    Vec(PyExit) breaks, continues;
} PyLoop;

void pyt_check_match(PyEnv *env, const Stmt *s);
void pyt_check_class(PyEnv *env, const Stmt *s);

#endif
