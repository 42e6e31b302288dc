// _fast.c - the default hooks of py_plain.py without frames of Python between the user's functions.
//
// Each hook means what its namesake in py_plain.py means; that module is the text to read first.
// The forms NAME_gen and NAME_async are not here: they are generators, and stay in Python.

#include "_fast.h"

int fast_has_arity(Py_ssize_t given, Py_ssize_t wanted, const char *hook)
{
    if (given != wanted)
        PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", hook, wanted, given);
    return given == wanted;
}

// A tuple of `size` items, or of any number where it is negative.
static int is_tuple(PyObject *value, Py_ssize_t size)
{
    if (PyTuple_Check(value) && (size < 0 || PyTuple_GET_SIZE(value) == size))
        return 1;
    PyErr_Format(PyExc_TypeError, "a hook got %R where it takes a tuple", value);
    return 0;
}

// ---- thunks ----

// Takes the error that is set, with its traceback in it. The reference is the caller's.
static PyObject *take_error(void)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback)
        PyException_SetTraceback(value, traceback);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return value;
}

// Sets the error again as it was; nothing is added to its context. Steals the reference.
static void give_error(PyObject *value)
{
    PyObject *type = Py_NewRef((PyObject *)Py_TYPE(value));
    PyErr_Restore(type, value, PyException_GetTraceback(value));
}

// An unset local of the user's function raises UnboundLocalError there (mend.py).
static void mend(State *s)
{
    PyObject *error = take_error();
    PyObject *mended = PyObject_CallOneArg(s->unbound_local, error);
    if (mended && mended != Py_None) {
        Py_DECREF(error);
        give_error(mended);
        return;
    }
    Py_XDECREF(mended);
    PyErr_Clear();
    give_error(error);
}

static PyObject *mended(State *s, PyObject *result)
{
    if (!result && PyErr_Occurred() == PyExc_NameError)
        mend(s);
    return result;
}

PyObject *fast_run(State *s, PyObject *thunk)
{
    return mended(s, PyObject_CallNoArgs(thunk));
}

static PyObject *run_with(State *s, PyObject *thunk, PyObject *given)
{
    return mended(s, PyObject_CallOneArg(thunk, given));
}

// For its effect only: 0, or -1 with an error.
static int run_for_effect(State *s, PyObject *thunk, PyObject *given)
{
    PyObject *result = run_with(s, thunk, given);
    Py_XDECREF(result);
    return result ? 0 : -1;
}

// The truth of a value whose reference is taken: 0, 1, or -1 with an error.
static int take_truth(PyObject *value)
{
    int truth = value ? PyObject_IsTrue(value) : -1;
    Py_XDECREF(value);
    return truth;
}

static PyObject *_run(PyObject *module, PyObject *thunk)
{
    return fast_run(state_of(module), thunk);
}

HOOK(nothing)
{
    ARITY(0);
    (void)module, (void)a;
    Py_RETURN_NONE;
}

static PyObject *leave(PyObject *module, PyObject *signal)
{
    State *s = state_of(module);
    if ((PyObject *)Py_TYPE(signal) != s->raised)
        return Py_NewRef(signal);
    PyObject *error = PyObject_GetAttr(signal, s->exception);
    if (error)
        give_error(error);
    return NULL;
}

// ---- an exception that is live while a handler runs ----

typedef struct Live {
    _PyErr_StackItem item;
    PyObject *error;
} Live;

static void live_begin(State *s, Live *live)
{
    PyThreadState *thread = PyThreadState_Get();
    live->error = take_error();
    fast_trim(s, live->error);
    memset(&live->item, 0, sizeof live->item);
    live->item.exc_value = live->error;
#if PY_VERSION_HEX < 0x030b0000
    live->item.exc_type = (PyObject *)Py_TYPE(live->error);
    live->item.exc_traceback = PyException_GetTraceback(live->error);
#endif
    live->item.previous_item = thread->exc_info;
    thread->exc_info = &live->item;
}

static void live_pop(Live *live)
{
    PyThreadState_Get()->exc_info = live->item.previous_item;
#if PY_VERSION_HEX < 0x030b0000
    Py_XDECREF(live->item.exc_traceback);
#endif
}

// It is handled, or another has taken its place.
static void live_drop(Live *live)
{
    live_pop(live);
    Py_DECREF(live->error);
}

static void live_raise(Live *live)
{
    live_pop(live);
    give_error(live->error);
}

// ---- control ----

HOOK(if_stmt)
{
    ARITY(4);
    State *s = state_of(module);
    int truth = take_truth(fast_run(s, a[0]));
    return truth < 0 ? NULL : fast_run(s, a[truth ? 1 : 2]);
}

HOOK(if_stmt_rest)
{
    ARITY(5);
    PyObject *signal = if_stmt(module, a, 4);
    if (signal != Py_None)
        return signal;
    Py_DECREF(signal);
    return fast_run(state_of(module), a[3]);
}

// Whether a loop ends with this signal of its body; then *signal is what the loop gives.
static int ends_loop(State *s, PyObject **signal)
{
    PyObject *given = *signal;
    if (!given)
        return 1;
    if (given == Py_None || given == s->continue_) {
        Py_DECREF(given);
        return 0;
    }
    if (given == s->break_) {
        Py_DECREF(given);
        *signal = Py_NewRef(Py_None);
    }
    return 1;
}

HOOK(while_stmt)
{
    ARITY(4);
    State *s = state_of(module);
    for (;;) {
        int truth = take_truth(fast_run(s, a[0]));
        if (truth <= 0)
            return truth < 0 ? NULL : fast_run(s, a[2]);
        PyObject *signal = fast_run(s, a[1]);
        if (ends_loop(s, &signal))
            return signal;
    }
}

HOOK(for_stmt)
{
    ARITY(5);
    State *s = state_of(module);
    PyObject *iterator = PyObject_GetIter(a[1]), *item;
    if (!iterator)
        return NULL;
    while ((item = PyIter_Next(iterator))) {
        PyObject *signal = run_with(s, a[2], item);
        Py_DECREF(item);
        if (ends_loop(s, &signal)) {
            Py_DECREF(iterator);
            return signal;
        }
    }
    Py_DECREF(iterator);
    return PyErr_Occurred() ? NULL : fast_run(s, a[3]);
}

HOOK(if_expr)
{
    ARITY(3);
    int truth = PyObject_IsTrue(a[0]);
    return truth < 0 ? NULL : fast_run(state_of(module), a[truth ? 1 : 2]);
}

// The parts in the order of the text: body, test, orelse.
HOOK(if_expr_of)
{
    ARITY(3);
    int truth = PyObject_IsTrue(a[1]);
    return truth < 0 ? NULL : fast_run(state_of(module), a[truth ? 0 : 2]);
}

// ---- truth ----

// What an `and`, `or` or chain gives: the whole an operand, a part the answer with it, unless to
// ask again cannot be seen. Steals the value.
static PyObject *decided(State *s, PyObject *value, int truth, int part)
{
    int is_decided = Py_IS_TYPE(value, s->decided);
    if (part && !is_decided && !PyBool_Check(value) && value != Py_None)
        return fast_decided(s, value, truth);
    if (part || !is_decided)
        return value;
    PyObject *given = fast_undecided(value);
    Py_DECREF(value);
    return given;
}

static PyObject *connective(State *s, Args a, int goes_on, int part)
{
    if (!is_tuple(a[1], -1))
        return NULL;
    PyObject *value = Py_NewRef(a[0]);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(a[1]); i++) {
        int truth = PyObject_IsTrue(value);
        if (truth >= 0 && truth != goes_on)
            return decided(s, value, truth, part);
        Py_DECREF(value);
        if (truth < 0 || !(value = fast_run(s, PyTuple_GET_ITEM(a[1], i))))
            return NULL;
    }
    return value;
}

#define CONNECTIVE(name, goes_on, part) \
    HOOK(name) { ARITY(2); return connective(state_of(module), a, goes_on, part); }

CONNECTIVE(and_, 1, 0)
CONNECTIVE(and_part, 1, 1)
CONNECTIVE(or_, 0, 0)
CONNECTIVE(or_part, 0, 1)

static PyObject *not_(PyObject *module, PyObject *value)
{
    (void)module;
    int truth = PyObject_IsTrue(value);
    return truth < 0 ? NULL : PyBool_FromLong(!truth);
}

static PyObject *truth(PyObject *module, PyObject *value)
{
    (void)module;
    int truth = PyObject_IsTrue(value);
    return truth < 0 ? NULL : PyBool_FromLong(truth);
}

// ---- calls and operators ----

static PyObject *power(PyObject *a, PyObject *b)
{
    return PyNumber_Power(a, b, Py_None);
}

static PyObject *in_place_power(PyObject *a, PyObject *b)
{
    return PyNumber_InPlacePower(a, b, Py_None);
}

static PyObject *contains(PyObject *item, PyObject *container, int wanted)
{
    int found = PySequence_Contains(container, item);
    return found < 0 ? NULL : PyBool_FromLong(found == wanted);
}

static PyObject *done(int failed)
{
    return failed ? NULL : Py_NewRef(Py_None);
}

#define OPERATORS(BINARY, UNARY) \
    BINARY(eq, PyObject_RichCompare(a[0], a[1], Py_EQ)) \
    BINARY(ne, PyObject_RichCompare(a[0], a[1], Py_NE)) \
    BINARY(lt, PyObject_RichCompare(a[0], a[1], Py_LT)) \
    BINARY(le, PyObject_RichCompare(a[0], a[1], Py_LE)) \
    BINARY(gt, PyObject_RichCompare(a[0], a[1], Py_GT)) \
    BINARY(ge, PyObject_RichCompare(a[0], a[1], Py_GE)) \
    BINARY(is_, PyBool_FromLong(a[0] == a[1])) \
    BINARY(is_not, PyBool_FromLong(a[0] != a[1])) \
    BINARY(in_, contains(a[0], a[1], 1)) \
    BINARY(not_in, contains(a[0], a[1], 0)) \
    BINARY(add, PyNumber_Add(a[0], a[1])) \
    BINARY(sub, PyNumber_Subtract(a[0], a[1])) \
    BINARY(mul, PyNumber_Multiply(a[0], a[1])) \
    BINARY(matmul, PyNumber_MatrixMultiply(a[0], a[1])) \
    BINARY(truediv, PyNumber_TrueDivide(a[0], a[1])) \
    BINARY(floordiv, PyNumber_FloorDivide(a[0], a[1])) \
    BINARY(mod, PyNumber_Remainder(a[0], a[1])) \
    BINARY(pow_, power(a[0], a[1])) \
    BINARY(lshift, PyNumber_Lshift(a[0], a[1])) \
    BINARY(rshift, PyNumber_Rshift(a[0], a[1])) \
    BINARY(bitand, PyNumber_And(a[0], a[1])) \
    BINARY(bitor, PyNumber_Or(a[0], a[1])) \
    BINARY(bitxor, PyNumber_Xor(a[0], a[1])) \
    BINARY(iadd, PyNumber_InPlaceAdd(a[0], a[1])) \
    BINARY(isub, PyNumber_InPlaceSubtract(a[0], a[1])) \
    BINARY(imul, PyNumber_InPlaceMultiply(a[0], a[1])) \
    BINARY(imatmul, PyNumber_InPlaceMatrixMultiply(a[0], a[1])) \
    BINARY(itruediv, PyNumber_InPlaceTrueDivide(a[0], a[1])) \
    BINARY(ifloordiv, PyNumber_InPlaceFloorDivide(a[0], a[1])) \
    BINARY(imod, PyNumber_InPlaceRemainder(a[0], a[1])) \
    BINARY(ipow, in_place_power(a[0], a[1])) \
    BINARY(ilshift, PyNumber_InPlaceLshift(a[0], a[1])) \
    BINARY(irshift, PyNumber_InPlaceRshift(a[0], a[1])) \
    BINARY(ibitand, PyNumber_InPlaceAnd(a[0], a[1])) \
    BINARY(ibitor, PyNumber_InPlaceOr(a[0], a[1])) \
    BINARY(ibitxor, PyNumber_InPlaceXor(a[0], a[1])) \
    BINARY(getattr_, PyObject_GetAttr(a[0], a[1])) \
    BINARY(delattr_, done(PyObject_SetAttr(a[0], a[1], NULL))) \
    BINARY(getitem, PyObject_GetItem(a[0], a[1])) \
    BINARY(delitem, done(PyObject_DelItem(a[0], a[1]))) \
    UNARY(neg, PyNumber_Negative(a)) \
    UNARY(pos, PyNumber_Positive(a)) \
    UNARY(invert, PyNumber_Invert(a))

#define DEFINE_BINARY(name, value) HOOK(name) { ARITY(2); (void)module; return value; }
#define DEFINE_UNARY(name, value) \
    static PyObject *name(PyObject *module, PyObject *a) { (void)module; return value; }

OPERATORS(DEFINE_BINARY, DEFINE_UNARY)

HOOK(setattr_)
{
    ARITY(3);
    (void)module;
    return done(PyObject_SetAttr(a[0], a[1], a[2]));
}

HOOK(setitem)
{
    ARITY(3);
    (void)module;
    return done(PyObject_SetItem(a[0], a[1], a[2]));
}

// One link of a chain. `*first` becomes the second operand.
static PyObject *compared(State *s, PyObject *link, PyObject **first)
{
    if (!is_tuple(link, 2))
        return NULL;
    PyObject *second = fast_run(s, PyTuple_GET_ITEM(link, 1));
    if (!second)
        return NULL;
    PyObject *answer = PyObject_Vectorcall(PyTuple_GET_ITEM(link, 0),
                                           (PyObject *[]){*first, second}, 2, NULL);
    Py_SETREF(*first, second);
    return answer;
}

static PyObject *chain(State *s, Args a, int part)
{
    if (!is_tuple(a[1], -1))
        return NULL;
    PyObject *first = Py_NewRef(a[0]), *answer = Py_NewRef(Py_True);
    for (Py_ssize_t i = 0; answer && i < PyTuple_GET_SIZE(a[1]); i++) {
        int goes_on = i ? PyObject_IsTrue(answer) : 1;
        if (goes_on == 0) {
            answer = decided(s, answer, 0, part);
            break;
        }
        Py_DECREF(answer);
        answer = goes_on < 0 ? NULL : compared(s, PyTuple_GET_ITEM(a[1], i), &first);
    }
    Py_DECREF(first);
    return answer;
}

HOOK(compare)
{
    ARITY(2);
    return chain(state_of(module), a, 0);
}

HOOK(compare_part)
{
    ARITY(2);
    return chain(state_of(module), a, 1);
}

static PyObject *same(PyObject *module, PyObject *value)
{
    (void)module;
    return Py_NewRef(value);
}

HOOK(format_)
{
    ARITY(3);
    (void)module;
    long conversion = PyLong_AsLong(a[1]);
    if (!PyUnicode_Check(a[2])) {
        PyErr_SetString(PyExc_TypeError, "a format is a string");
        return NULL;
    }
    PyObject *value = conversion == 's' ? PyObject_Str(a[0])
                    : conversion == 'r' ? PyObject_Repr(a[0])
                    : conversion == 'a' ? PyObject_ASCII(a[0])
                                        : Py_NewRef(a[0]);
    PyObject *text = value ? PyObject_Format(value, a[2]) : NULL;
    Py_XDECREF(value);
    return text;
}

// ---- with ----

// A method of the type, bound. NULL without an error if there is none.
static PyObject *special(PyObject *manager, PyObject *name)
{
    PyObject *found = _PyType_Lookup(Py_TYPE(manager), name);
    descrgetfunc bind = found ? Py_TYPE(found)->tp_descr_get : NULL;
    return bind ? bind(found, manager, (PyObject *)Py_TYPE(manager)) : Py_XNewRef(found);
}

static PyObject *no_protocol(State *s, PyObject *manager, int has_enter)
{
#if PY_VERSION_HEX < 0x030b0000
    (void)manager;
    PyErr_SetObject(PyExc_AttributeError, has_enter ? s->exit : s->enter);
#else
    (void)s;
    PyErr_Format(PyExc_TypeError, "'%.200s' object does not support the context manager protocol%s",
                 Py_TYPE(manager)->tp_name, has_enter ? " (missed __exit__ method)" : "");
#endif
    return NULL;
}

// The body has failed: what the manager's exit says decides.
static PyObject *exit_with_error(State *s, PyObject *exit)
{
    Live live;
    live_begin(s, &live);
    PyObject *traceback = PyException_GetTraceback(live.error);
    int swallowed = take_truth(PyObject_CallFunctionObjArgs(
        exit, (PyObject *)Py_TYPE(live.error), live.error, traceback ? traceback : Py_None, NULL));
    Py_XDECREF(traceback);
    if (swallowed == 0) {
        live_raise(&live);
        return NULL;
    }
    live_drop(&live);
    return swallowed < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *inside(State *s, PyObject *exit, PyObject *value, Args a)
{
    PyObject *signal = NULL;
    if (a[1] == Py_None || run_for_effect(s, a[1], value) == 0)
        signal = fast_run(s, a[2]);
    if (!signal)
        return exit_with_error(s, exit);
    PyObject *left = PyObject_CallFunctionObjArgs(exit, Py_None, Py_None, Py_None, NULL);
    if (!left)
        Py_CLEAR(signal);
    Py_XDECREF(left);
    return signal;
}

HOOK(with_stmt)
{
    ARITY(4);
    State *s = state_of(module);
    PyObject *enter = special(a[0], s->enter);
    PyObject *exit = enter ? special(a[0], s->exit) : NULL;
    PyObject *signal = NULL;
    if (exit) {
        PyObject *value = PyObject_CallNoArgs(enter);
        Py_CLEAR(enter);
        signal = value ? inside(s, exit, value, a) : NULL;
        Py_XDECREF(value);
    } else if (!PyErr_Occurred()) {
        no_protocol(s, a[0], enter != NULL);
    }
    Py_XDECREF(enter);
    Py_XDECREF(exit);
    return signal;
}

// ---- exceptions ----

static int is_catchable(PyObject *type)
{
    if (PyExceptionClass_Check(type))
        return 1;
    PyErr_SetString(PyExc_TypeError,
                    "catching classes that do not inherit from BaseException is not allowed");
    return 0;
}

// Whether `except types` catches the error: 0, 1, or -1.
static int catches(State *s, PyObject *error, PyObject *thunk)
{
    if (thunk == Py_None)
        return 1;
    PyObject *types = fast_run(s, thunk);
    if (!types)
        return -1;
    int valid = 1;
    if (PyTuple_Check(types))
        for (Py_ssize_t i = 0; valid && i < PyTuple_GET_SIZE(types); i++)
            valid = is_catchable(PyTuple_GET_ITEM(types, i));
    else
        valid = is_catchable(types);
    int caught = valid ? PyErr_GivenExceptionMatches(error, types) : -1;
    Py_DECREF(types);
    return caught;
}

// The name of the handler is bound before it, and unbound after it, however it ends.
static PyObject *handle(State *s, PyObject *error, PyObject *bind, PyObject *handler)
{
    if (bind == Py_None)
        return fast_run(s, handler);
    PyObject *signal = run_for_effect(s, bind, error) == 0 ? fast_run(s, handler) : NULL;
    PyObject *failed = signal ? NULL : take_error();
    if (run_for_effect(s, bind, s->unbound) < 0) {
        Py_CLEAR(signal);
        Py_XDECREF(failed);
    } else if (failed) {
        give_error(failed);
    }
    return signal;
}

// The body has failed. `handlers` is tuples (types, bind, handler).
static PyObject *handle_error(State *s, PyObject *handlers)
{
    Live live;
    live_begin(s, &live);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(handlers); i++) {
        PyObject *one = PyTuple_GET_ITEM(handlers, i);
        int caught = !is_tuple(one, 3) ? -1 : catches(s, live.error, PyTuple_GET_ITEM(one, 0));
        if (caught == 0)
            continue;
        PyObject *signal = NULL;
        if (caught > 0)
            signal = handle(s, live.error, PyTuple_GET_ITEM(one, 1), PyTuple_GET_ITEM(one, 2));
        live_drop(&live);
        return signal;
    }
    live_raise(&live);
    return NULL;
}

static PyObject *handled(State *s, Args a)
{
    PyObject *signal = fast_run(s, a[0]);
    if (!signal)
        return handle_error(s, a[1]);
    if (signal != Py_None)
        return signal;
    Py_DECREF(signal);
    return fast_run(s, a[2]);
}

// A signal of `finally` takes the place of what was under way.
static PyObject *finish(State *s, PyObject *signal, PyObject *final)
{
    Live live;
    if (!signal)
        live_begin(s, &live);
    PyObject *last = fast_run(s, final);
    if (last != Py_None) {
        if (!signal)
            live_drop(&live);
        Py_XDECREF(signal);
        return last;
    }
    Py_DECREF(last);
    if (!signal)
        live_raise(&live);
    return signal;
}

HOOK(try_stmt)
{
    ARITY(5);
    State *s = state_of(module);
    if (!is_tuple(a[1], -1))
        return NULL;
    PyObject *signal = handled(s, a);
    return a[3] == Py_None ? signal : finish(s, signal, a[3]);
}

static PyObject *not_an_exception(PyObject *class, PyObject *made)
{
    PyErr_Format(PyExc_TypeError,
                 "calling %R should have returned an instance of BaseException, not %R",
                 class, Py_TYPE(made));
    Py_DECREF(made);
    return NULL;
}

static PyObject *made_exception(PyObject *given)
{
    if (PyExceptionClass_Check(given)) {
        PyObject *made = PyObject_CallNoArgs(given);
        return made && !PyExceptionInstance_Check(made) ? not_an_exception(given, made) : made;
    }
    if (PyExceptionInstance_Check(given))
        return Py_NewRef(given);
    PyErr_SetString(PyExc_TypeError, "exceptions must derive from BaseException");
    return NULL;
}

static int set_cause(PyObject *raised, PyObject *given)
{
    PyObject *cause = PyExceptionClass_Check(given) ? PyObject_CallNoArgs(given) : Py_NewRef(given);
    if (!cause)
        return -1;
    if (cause == Py_None) {
        Py_CLEAR(cause);
    } else if (!PyExceptionInstance_Check(cause)) {
        Py_DECREF(cause);
        PyErr_SetString(PyExc_TypeError, "exception causes must derive from BaseException");
        return -1;
    }
    PyException_SetCause(raised, cause);
    return 0;
}

HOOK(raise_stmt)
{
    ARITY(2);
    PyObject *raised = made_exception(a[0]);
    if (raised && a[1] != state_of(module)->unbound && set_cause(raised, a[1]) < 0)
        Py_CLEAR(raised);
    return raised;
}

HOOK(assert_stmt)
{
    ARITY(2);
    State *s = state_of(module);
    int truth = take_truth(fast_run(s, a[0]));
    if (truth)
        return truth < 0 ? NULL : Py_NewRef(Py_None);
    PyObject *message = a[1] == Py_None ? NULL : fast_run(s, a[1]);
    if (a[1] != Py_None && !message)
        return NULL;
    PyObject *error = PyObject_CallFunctionObjArgs(PyExc_AssertionError, message, NULL);
    Py_XDECREF(message);
    if (error)
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
    return NULL;
}

// ---- match ----

HOOK(match_stmt)
{
    ARITY(3);
    State *s = state_of(module);
    if (!is_tuple(a[1], -1))
        return NULL;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(a[1]); i++) {
        PyObject *one = PyTuple_GET_ITEM(a[1], i);
        if (!is_tuple(one, 3))
            return NULL;
        PyObject *guard = PyTuple_GET_ITEM(one, 1);
        int fits = take_truth(run_with(s, PyTuple_GET_ITEM(one, 0), a[0]));
        if (fits > 0 && guard != Py_None)
            fits = take_truth(fast_run(s, guard));
        if (fits)
            return fits < 0 ? NULL : fast_run(s, PyTuple_GET_ITEM(one, 2));
    }
    Py_RETURN_NONE;
}

// ---- comprehensions ----

// At the border of the generator a StopIteration of an element has become a RuntimeError.
static void find_stop(void)
{
    PyObject *error = take_error();
    PyObject *traceback = PyException_GetTraceback(error);
    PyObject *cause = PyException_GetCause(error);
    int is_border = !traceback && cause && PyErr_GivenExceptionMatches(cause, PyExc_StopIteration);
    Py_XDECREF(traceback);
    if (is_border) {
        Py_DECREF(error);
        give_error(cause);
    } else {
        Py_XDECREF(cause);
        give_error(error);
    }
}

static PyObject *new_dict_of(PyObject *pairs)
{
    PyObject *dict = PyDict_New();
    if (dict && PyDict_MergeFromSeq2(dict, pairs, 1) < 0)
        Py_CLEAR(dict);
    return dict;
}

static int is_kind(PyObject *kind, const char *word)
{
    return PyUnicode_Check(kind) && PyUnicode_CompareWithASCIIString(kind, word) == 0;
}

// Takes the reference to `items`.
static PyObject *build(PyObject *kind, PyObject *items)
{
    if (!items || is_kind(kind, "gen"))
        return items;
    PyObject *built = is_kind(kind, "list") ? PySequence_List(items)
                    : is_kind(kind, "set") ? PySet_New(items)
                                                                          : new_dict_of(items);
    Py_DECREF(items);
    if (!built && PyErr_Occurred() == PyExc_RuntimeError)
        find_stop();
    return built;
}

HOOK(comp)
{
    ARITY(3);
    (void)module;
    PyObject *iterator = PyObject_GetIter(a[1]);
    PyObject *items = iterator ? PyObject_CallOneArg(a[2], iterator) : NULL;
    Py_XDECREF(iterator);
    return build(a[0], items);
}

HOOK(comp_of)
{
    ARITY(2);
    return build(a[0], PyObject_CallOneArg(a[1], state_of(module)->run));
}

// ---- the module ----

#define ROW_BINARY(name, value) FAST(#name, name)
#define ROW_UNARY(name, value) ONE(#name, name)

static PyMethodDef methods[] = {
    OPERATORS(ROW_BINARY, ROW_UNARY)
    FAST("nothing", nothing) FAST("if_stmt", if_stmt) FAST("while_stmt", while_stmt)
    FAST("if_stmt_rest", if_stmt_rest) FAST("for_stmt", for_stmt) FAST("if_expr", if_expr)
    FAST("if_expr_of", if_expr_of)
    FAST("and_", and_) FAST("or_", or_) FAST("and_part", and_part) FAST("or_part", or_part)
    FAST("truth_and", and_) FAST("truth_or", or_) FAST("truth_and_part", and_part)
    FAST("truth_or_part", or_part) FAST("compare_part", compare_part) FAST("setattr_", setattr_)
    FAST("setitem", setitem) FAST("compare", compare) FAST("format_", format_)
    FAST("with_stmt", with_stmt)
    FAST("try_stmt", try_stmt) FAST("raise_stmt", raise_stmt) FAST("assert_stmt", assert_stmt)
    FAST("match_stmt", match_stmt) FAST("comp", comp) FAST("comp_of", comp_of)
    ONE("_run", _run) ONE("leave", leave) ONE("not_", not_) ONE("truth", truth)
    ONE("yield_", same) ONE("yield_from_", same) ONE("await_", same) ONE("aiter_", same)
    ONE("acontext_", same) ONE("function_def", same) ONE("class_def", same)
    ONE("new_list", same) ONE("new_tuple", same) ONE("new_set", same) ONE("new_dict", same)
    ONE("constant", same) ONE("return_", same) ONE("expr_stmt", same)
    {0}
};

static PyObject *imported(const char *module, const char *name)
{
    PyObject *from = PyImport_ImportModule(module);
    PyObject *found = from ? PyObject_GetAttrString(from, name) : NULL;
    Py_XDECREF(from);
    return found;
}

static int execute(PyObject *module)
{
    State *s = state_of(module);
    s->break_ = imported("pychoral.virtual.signals", "BREAK");
    s->continue_ = imported("pychoral.virtual.signals", "CONTINUE");
    s->unbound = imported("pychoral.virtual.signals", "UNBOUND");
    s->raised = imported("pychoral.virtual.signals", "Raised");
    s->unbound_local = imported("pychoral.virtual.mend", "unbound_local");
    s->unbound_words = imported("pychoral.virtual.mend", "unbound_words");
    s->is_at_call = imported("pychoral.virtual.mend", "is_at_call");
    s->run = PyObject_GetAttrString(module, "_run");
    s->exception = PyUnicode_InternFromString("exception");
    s->enter = PyUnicode_InternFromString("__enter__");
    s->exit = PyUnicode_InternFromString("__exit__");
    s->package = PyUnicode_InternFromString("__package__");
    if (!s->package || !s->exit || !s->enter || !s->exception || !s->run || PyErr_Occurred())
        return -1;
    if (fast_add_calls(module) < 0 || fast_add_mend(module) < 0)
        return -1;
    return fast_add_boxes(module);
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    State *s = state_of(module);
    Py_VISIT(s->unbound_local);
    Py_VISIT(s->unbound_words);
    Py_VISIT(s->is_at_call);
    Py_VISIT(s->raised);
    Py_VISIT(s->run);
    Py_VISIT(s->box);
    Py_VISIT(s->attr_ref);
    Py_VISIT(s->item_ref);
    Py_VISIT(s->box_ref);
    Py_VISIT(s->decided);
    return 0;
}

static int module_clear(PyObject *module)
{
    State *s = state_of(module);
    PyObject **all = (PyObject **)s;
    for (size_t i = 0; i < sizeof *s / sizeof *all; i++)
        Py_CLEAR(all[i]);
    return 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, execute}, {0, NULL}};

static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "pychoral.virtual._fast",
    .m_size = sizeof(State),
    .m_methods = methods,
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
};

PyMODINIT_FUNC PyInit__fast(void);
PyMODINIT_FUNC PyInit__fast(void)
{
    return PyModuleDef_Init(&definition);
}
