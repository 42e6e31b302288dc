// _fast_calls.c - calls.

#include "_fast.h"

static PyObject *call(PyObject *module, Args a, Py_ssize_t n, PyObject *names)
{
    (void)module;
    if (n < 1) {
        PyErr_SetString(PyExc_TypeError, "call takes a callable");
        return NULL;
    }
    size_t given = (size_t)(n - 1) | PY_VECTORCALL_ARGUMENTS_OFFSET;
    return PyObject_Vectorcall(a[0], a + 1, given, names);
}

// ---- f(*args), f(*args, **kwargs) ----

// Which argument of `f` is not what it must be, in the words of Python. Gives NULL.
static PyObject *bad_argument(PyObject *f, const char *stars, const char *kind, PyObject *given)
{
    PyObject *name = _PyObject_FunctionStr(f);
    if (name)
        PyErr_Format(PyExc_TypeError, "%U argument after %s must be %s, not %.200s", name, stars,
                     kind, Py_TYPE(given)->tp_name);
    Py_XDECREF(name);
    return NULL;
}

// A new dictionary: what is called may change it.
static PyObject *keywords_of(PyObject *f, PyObject *given)
{
    PyObject *names = PyDict_New();
    if (names && PyDict_Update(names, given) < 0) {
        Py_CLEAR(names);
        if (PyErr_ExceptionMatches(PyExc_AttributeError)) {
            PyErr_Clear();
            bad_argument(f, "**", "a mapping", given);
        }
    }
    return names;
}

// A tuple is handed on as it is.
static PyObject *positional_of(PyObject *f, PyObject *given)
{
    if (PyTuple_CheckExact(given))
        return Py_NewRef(given);
    if (!Py_TYPE(given)->tp_iter && !PySequence_Check(given))
        return bad_argument(f, "*", "an iterable", given);
    return PySequence_Tuple(given);
}

HOOK(call_star)
{
    (void)module;
    if (n != 3 && !fast_has_arity(n, 2, "call_star"))
        return NULL;
    PyObject *names = n == 3 ? keywords_of(a[0], a[2]) : NULL;
    PyObject *args = n == 3 && !names ? NULL : positional_of(a[0], a[1]);
    PyObject *result = args ? PyObject_Call(a[0], args, names) : NULL;
    Py_XDECREF(names);
    Py_XDECREF(args);
    return result;
}

static PyMethodDef methods[] = {
    {"call", (PyCFunction)(void (*)(void))call, METH_FASTCALL | METH_KEYWORDS, NULL},
    FAST("call_star", call_star)
    {0}
};

int fast_add_calls(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
