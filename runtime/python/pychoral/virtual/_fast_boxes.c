// _fast_boxes.c - boxed variables, and references that stand where a target of an assignment stood.

#include "_fast.h"

typedef struct Pair {
    PyObject_HEAD
    PyObject *of, *at;                  // a box: its name, its value or NULL;
                                        // an operand that was asked: itself, True or NULL
} Pair;

static int pair_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Pair *)self)->of);
    Py_VISIT(((Pair *)self)->at);
    return 0;
}

static int pair_clear(PyObject *self)
{
    Py_CLEAR(((Pair *)self)->of);
    Py_CLEAR(((Pair *)self)->at);
    return 0;
}

static void pair_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    pair_clear(self);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *pair_new(PyTypeObject *type, PyObject *of, PyObject *at)
{
    Pair *pair = (Pair *)type->tp_alloc(type, 0);
    if (pair) {
        pair->of = Py_NewRef(of);
        pair->at = Py_XNewRef(at);
    }
    return (PyObject *)pair;
}

static PyObject *box_name(PyObject *self, void *closure)
{
    (void)closure;
    return Py_NewRef(((Pair *)self)->of);
}

static PyObject *box_get(PyObject *self, void *closure)
{
    (void)closure;
    State *s = PyType_GetModuleState(Py_TYPE(self));
    PyObject *value = ((Pair *)self)->at;
    return Py_NewRef(value ? value : s->unbound);
}

static int box_set(PyObject *self, PyObject *value, void *closure)
{
    (void)closure;
    State *s = PyType_GetModuleState(Py_TYPE(self));
    Py_XSETREF(((Pair *)self)->at, value == s->unbound ? NULL : Py_XNewRef(value));
    return 0;
}

static PyObject *box_make(PyTypeObject *type, PyObject *args, PyObject *names)
{
    PyObject *name;
    if ((names && PyDict_GET_SIZE(names)) || !PyArg_ParseTuple(args, "O", &name))
        return NULL;
    return pair_new(type, name, NULL);
}

static int is_box(State *s, PyObject *value)
{
    if (Py_IS_TYPE(value, s->box))
        return 1;
    PyErr_Format(PyExc_TypeError, "a box is expected, not %R", value);
    return 0;
}

static PyObject *init(PyObject *module, PyObject *name)
{
    return pair_new(state_of(module)->box, name, NULL);
}

HOOK(assign)
{
    ARITY(2);
    if (!is_box(state_of(module), a[0]))
        return NULL;
    Py_XSETREF(((Pair *)a[0])->at, Py_NewRef(a[1]));
    Py_RETURN_NONE;
}

// The value of a box, or NULL with the error that CPython gives.
static PyObject *box_value(State *s, PyObject *box)
{
    if (!is_box(s, box))
        return NULL;
    PyObject *value = ((Pair *)box)->at;
    if (!value) {
        PyObject *words = PyObject_CallOneArg(s->unbound_words, ((Pair *)box)->of);
        if (words)
            PyErr_SetObject(PyExc_UnboundLocalError, words);
        Py_XDECREF(words);
    }
    return value;
}

static PyObject *read_(PyObject *module, PyObject *box)
{
    return Py_XNewRef(box_value(state_of(module), box));
}

static PyObject *delete_(PyObject *module, PyObject *box)
{
    if (!box_value(state_of(module), box))
        return NULL;
    Py_CLEAR(((Pair *)box)->at);
    Py_RETURN_NONE;
}

static int attr_store(PyObject *self, PyObject *value, void *closure)
{
    (void)closure;
    return PyObject_SetAttr(((Pair *)self)->of, ((Pair *)self)->at, value);
}

static int item_store(PyObject *self, PyObject *value, void *closure)
{
    (void)closure;
    Pair *ref = (Pair *)self;
    return value ? PyObject_SetItem(ref->of, ref->at, value) : PyObject_DelItem(ref->of, ref->at);
}

static int box_store(PyObject *self, PyObject *value, void *closure)
{
    (void)closure;
    State *s = PyType_GetModuleState(Py_TYPE(self));
    PyObject *box = ((Pair *)self)->of;
    if (!value && !box_value(s, box))
        return -1;
    Py_XSETREF(((Pair *)box)->at, Py_XNewRef(value));
    return 0;
}

HOOK(attr_ref)
{
    ARITY(2);
    return pair_new(state_of(module)->attr_ref, a[0], a[1]);
}

HOOK(item_ref)
{
    ARITY(2);
    return pair_new(state_of(module)->item_ref, a[0], a[1]);
}

static PyObject *box_ref(PyObject *module, PyObject *box)
{
    State *s = state_of(module);
    return is_box(s, box) ? pair_new(s->box_ref, box, NULL) : NULL;
}

static PyGetSetDef box_parts[] = {
    {"name", box_name, NULL, NULL, NULL}, {"val", box_get, box_set, NULL, NULL}, {0}
};
static PyGetSetDef attr_parts[] = {{"val", NULL, attr_store, NULL, NULL}, {0}};
static PyGetSetDef item_parts[] = {{"val", NULL, item_store, NULL, NULL}, {0}};
static PyGetSetDef no_parts[] = {{0}};
static PyGetSetDef box_ref_parts[] = {{"val", NULL, box_store, NULL, NULL}, {0}};

// ---- operands that were asked for their truth ----

PyObject *fast_decided(State *s, PyObject *value, int truth)
{
    PyObject *pair = pair_new(s->decided, value, truth ? Py_True : NULL);
    Py_DECREF(value);
    return pair;
}

PyObject *fast_undecided(PyObject *decided)
{
    return Py_NewRef(((Pair *)decided)->of);
}

static int decided_truth(PyObject *self)
{
    return ((Pair *)self)->at != NULL;
}

// get(o, key); op; set(o, key, value): a: get, op, set, o, key, thunk.
static PyObject *augmented(PyObject *module, Args a, Py_ssize_t n)
{
    if (!fast_has_arity(n, 6, "an augmented assignment"))
        return NULL;
    PyObject *old = PyObject_Vectorcall(a[0], a + 3, 2, NULL);
    PyObject *by = old ? fast_run(state_of(module), a[5]) : NULL;
    PyObject *value = by ? PyObject_Vectorcall(a[1], (PyObject *[]){old, by}, 2, NULL) : NULL;
    PyObject *stored = value ? PyObject_Vectorcall(a[2], (PyObject *[]){a[3], a[4], value}, 3, NULL)
                             : NULL;
    Py_XDECREF(old);
    Py_XDECREF(by);
    Py_XDECREF(value);
    return stored;
}

static PyTypeObject *add_type(PyObject *module, const char *name, PyGetSetDef *parts,
                              PyType_Slot more)
{
    PyType_Slot slots[] = {
        {Py_tp_traverse, pair_traverse}, {Py_tp_clear, pair_clear}, {Py_tp_dealloc, pair_dealloc},
        {Py_tp_getset, parts}, more, {0, NULL},
    };
    unsigned flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC;
    if (more.slot != Py_tp_new)
        flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
    PyType_Spec spec = {name, sizeof(Pair), 0, flags, slots};
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}

static PyMethodDef methods[] = {
    FAST("assign", assign) FAST("attr_ref", attr_ref) FAST("item_ref", item_ref)
    FAST("aug_attr", augmented) FAST("aug_item", augmented)
    ONE("init", init) ONE("read", read_) ONE("delete", delete_) ONE("box_ref", box_ref)
    {0}
};

int fast_add_boxes(PyObject *module)
{
    State *s = state_of(module);
    PyType_Slot none = {0, NULL}, makes = {Py_tp_new, box_make}, asks = {Py_nb_bool, decided_truth};
    s->box = add_type(module, "pychoral.virtual._fast.Box", box_parts, makes);
    s->attr_ref = add_type(module, "pychoral.virtual._fast.AttrRef", attr_parts, none);
    s->item_ref = add_type(module, "pychoral.virtual._fast.ItemRef", item_parts, none);
    s->box_ref = add_type(module, "pychoral.virtual._fast.BoxRef", box_ref_parts, none);
    s->decided = add_type(module, "pychoral.virtual._fast.Decided", no_parts, asks);
    if (!s->box || !s->attr_ref || !s->item_ref || !s->box_ref || !s->decided)
        return -1;
    if (PyModule_AddFunctions(module, methods) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "Box", (PyObject *)s->box);
}
