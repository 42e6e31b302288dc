// _fast_mend.c - tracebacks as the functions alone would give them (mend.py: trim).
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

// Where the positions of a thunk begin in the code of its function; -1: it is not a thunk.
static long start_of(PyCodeObject *code)
{
    Py_ssize_t count = PyTuple_GET_SIZE(code->co_consts);
    PyObject *last = count ? PyTuple_GET_ITEM(code->co_consts, count - 1) : Py_None;
    if (!PyTuple_Check(last) || PyTuple_GET_SIZE(last) != 3)
        return -1;
    PyObject *mark = PyTuple_GET_ITEM(last, 0), *start = PyTuple_GET_ITEM(last, 2);
    int marked = PyUnicode_Check(mark) && PyUnicode_CompareWithASCIIString(mark, "_pc_thunk") == 0;
    return marked && PyLong_Check(start) ? PyLong_AsLong(start) : -1;
}

static long start_of_frame(PyFrameObject *frame)
{
    PyCodeObject *code = PyFrame_GetCode(frame);
    long start = start_of(code);
    Py_DECREF(code);
    return start;
}

// Whether the second is a thunk that was cut from the function of the first.
static int is_cut(PyFrameObject *of, PyFrameObject *from)
{
    PyCodeObject *thunk = PyFrame_GetCode(of), *code = PyFrame_GetCode(from);
    int found = start_of(thunk) >= 0 && PyUnicode_Compare(code->co_name, thunk->co_name) == 0
                && PyUnicode_Compare(code->co_filename, thunk->co_filename) == 0;
    Py_DECREF(thunk);
    Py_DECREF(code);
    return found;
}

// The innermost call of the function that a thunk was cut from; NULL: there is none.
static PyFrameObject *function_of(PyFrameObject *thunk)
{
    PyFrameObject *frame = (PyFrameObject *)Py_XNewRef((PyObject *)PyEval_GetFrame());
    while (frame && (start_of_frame(frame) >= 0 || !is_cut(thunk, frame)))
        Py_SETREF(frame, PyFrame_GetBack(frame));
    return frame;
}

// The entry of a thunk becomes one of its function's frame.
static void set_frame(PyTracebackObject *at, PyFrameObject *function)
{
    at->tb_lasti += (int)start_of_frame(at->tb_frame);
    Py_SETREF(at->tb_frame, (PyFrameObject *)Py_NewRef((PyObject *)function));
}

// `at` becomes what follows it, which goes; of a function it keeps the frame. Nothing is let go
// before all is in its place.
static void take_place(PyTracebackObject *at, PyTracebackObject *next)
{
    PyFrameObject *frame = at->tb_frame;
    at->tb_lasti = next->tb_lasti;
    at->tb_lineno = next->tb_lineno;
    at->tb_frame = (PyFrameObject *)Py_NewRef((PyObject *)next->tb_frame);
    at->tb_next = (PyTracebackObject *)Py_XNewRef((PyObject *)next->tb_next);
    if (start_of_frame(frame) < 0 && is_cut(next->tb_frame, frame))
        set_frame(at, frame);
    Py_DECREF(frame);
    Py_DECREF(next);
}

static void trim_first(PyTracebackObject *at)
{
    PyFrameObject *function = start_of_frame(at->tb_frame) >= 0 ? function_of(at->tb_frame) : NULL;
    if (function)
        set_frame(at, function);
    Py_XDECREF((PyObject *)function);
}

static int is_at_call(State *s, PyTracebackObject *at)
{
    PyObject *answer = PyObject_CallOneArg(s->is_at_call, (PyObject *)at);
    int found = answer == Py_True;
    Py_XDECREF(answer);
    PyErr_Clear();
    return found;
}

// Whether what follows takes the place of `at`: a thunk of it, or the function itself, where it
// called a hook that let go on an exception that had the function in its traceback already.
static int is_led_to(State *s, PyTracebackObject *next, PyTracebackObject *at)
{
    return is_cut(next->tb_frame, at->tb_frame)
           || (next->tb_frame == at->tb_frame && is_at_call(s, at));
}

void fast_trim(State *s, PyObject *error)
{
    PyObject *first = PyException_GetTraceback(error);      // may be NULL, or None
    PyTracebackObject *at = first && PyTraceBack_Check(first) ? (PyTracebackObject *)first : NULL;
    while (at && at->tb_next && is_hook(s, at))
        take_place(at, at->tb_next);
    if (at)
        trim_first(at);
    while (at && at->tb_next) {
        PyTracebackObject *next = at->tb_next;
        if (is_hook(s, next))
            Py_SETREF(at->tb_next, (PyTracebackObject *)Py_XNewRef((PyObject *)next->tb_next));
        else if (is_led_to(s, next, at))
            take_place(at, next);
        else
            at = next;
    }
    Py_XDECREF(first);
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
