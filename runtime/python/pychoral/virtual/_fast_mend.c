// _fast_mend.c - tracebacks without the entries that only lead to a thunk (mend.py: trim).
//
// Here an entry changes in its place: exceptions that share a traceback, such as the parts of a
// group, go on to share it.

#include "_fast.h"

static PyObject *globals_of(PyFrameObject *frame)
{
#if PY_VERSION_HEX >= 0x030b0000
    return PyFrame_GetGlobals(frame);
#else
    return Py_NewRef(frame->f_globals);
#endif
}

static int is_hook(State *s, PyTracebackObject *at)
{
    PyObject *globals = globals_of(at->tb_frame);
    PyObject *package = PyDict_GetItemWithError(globals, s->package);
    int found = package && PyUnicode_Check(package)
                && PyUnicode_CompareWithASCIIString(package, "pychoral.virtual") == 0;
    Py_DECREF(globals);
    return found;
}

static int is_marked(PyCodeObject *code)
{
    Py_ssize_t count = PyTuple_GET_SIZE(code->co_consts);
    PyObject *last = count ? PyTuple_GET_ITEM(code->co_consts, count - 1) : Py_None;
    if (!PyTuple_Check(last) || PyTuple_GET_SIZE(last) != 2)
        return 0;
    PyObject *mark = PyTuple_GET_ITEM(last, 0);
    return PyUnicode_Check(mark) && PyUnicode_CompareWithASCIIString(mark, "_pc_thunk") == 0;
}

// Whether `next` is a thunk that was cut from the function of `at`.
static int leads_to(PyTracebackObject *at, PyTracebackObject *next)
{
    PyCodeObject *code = PyFrame_GetCode(at->tb_frame), *thunk = PyFrame_GetCode(next->tb_frame);
    int found = is_marked(thunk) && PyUnicode_Compare(code->co_name, thunk->co_name) == 0
                && PyUnicode_Compare(code->co_filename, thunk->co_filename) == 0;
    Py_DECREF(code);
    Py_DECREF(thunk);
    return found;
}

// `at` becomes what follows it, which goes. Nothing is let go before all is in its place.
static void take_place(PyTracebackObject *at, PyTracebackObject *next)
{
    PyFrameObject *frame = at->tb_frame;
    at->tb_lasti = next->tb_lasti;
    at->tb_lineno = next->tb_lineno;
    at->tb_frame = (PyFrameObject *)Py_NewRef((PyObject *)next->tb_frame);
    at->tb_next = (PyTracebackObject *)Py_XNewRef((PyObject *)next->tb_next);
    Py_DECREF(frame);
    Py_DECREF(next);
}

void fast_trim(State *s, PyObject *error)
{
    PyTracebackObject *first = (PyTracebackObject *)PyException_GetTraceback(error), *at = first;
    while (at && at->tb_next) {
        PyTracebackObject *next = at->tb_next;
        if (is_hook(s, next))
            Py_SETREF(at->tb_next, (PyTracebackObject *)Py_XNewRef((PyObject *)next->tb_next));
        else if (is_hook(s, at) || leads_to(at, next))
            take_place(at, next);
        else
            at = next;
    }
    Py_XDECREF((PyObject *)first);
}

static PyObject *trim(PyObject *module, PyObject *error)
{
    fast_trim(state_of(module), error);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {ONE("trim", trim) {0}};

int fast_add_mend(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
