// _fast.h - what the files of the native default hooks share.

#ifndef PYCHORAL_FAST_H
#define PYCHORAL_FAST_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

typedef struct State {
    PyObject *break_, *continue_, *unbound, *raised;    // signals.py
    PyObject *unbound_local, *unbound_words, *is_at_call;   // mend.py
    PyObject *run, *exception, *enter, *exit, *package; // the function `_run`; names
    PyTypeObject *box, *attr_ref, *item_ref, *box_ref, *decided;
} State;

typedef PyObject *const *Args;

#define HOOK(name) static PyObject *name(PyObject *module, Args a, Py_ssize_t n)
#define ARITY(wanted) if (!fast_has_arity(n, wanted, __func__)) return NULL

// Rows of a table of functions.
#define FAST(name, function) {name, (PyCFunction)(void (*)(void))function, METH_FASTCALL, NULL},
#define ONE(name, function) {name, function, METH_O, NULL},

static inline State *state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

// Whether a hook has got as many arguments as it takes; an error is set if not.
int fast_has_arity(Py_ssize_t given, Py_ssize_t wanted, const char *hook);

// What a thunk gives. An unset local raises UnboundLocalError (mend.py).
PyObject *fast_run(State *s, PyObject *thunk);

// An operand with the answer to the question for its truth, and the operand again. The first takes
// the reference to the value.
PyObject *fast_decided(State *s, PyObject *value, int truth);
PyObject *fast_undecided(PyObject *decided);

// Adds boxes, references, and the hooks that make and use them: 0, or -1 with an error.
int fast_add_boxes(PyObject *module);
int fast_add_calls(PyObject *module);
int fast_add_mend(PyObject *module);

// The traceback of a caught exception without the entries that lead to a thunk.
void fast_trim(State *s, PyObject *error);

#endif
