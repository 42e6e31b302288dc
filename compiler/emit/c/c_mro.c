// c_mro.c - where a class has its methods and constants from: Python's method resolution order,
// the C3 linearization. Of several bases one gives the layout, `base`; the others have no more.

#include "compiler/emit/c/c_internal.h"

// ---- the layout ----

static bool has_fields(CEmit *c, CClass *k)
{
    c_class_fields(c, k);
    return k->fields.len > 0 || k->is_exception;
}

// Whether a class has no more than what `base` has, whose objects it stands for then.
static bool is_part(CClass *k, CClass *of)
{
    for (; k->constants.len == 0 && k->base != NULL; k = k->base)
        if (k->fields.len != k->base->fields.len)
            break;
    return c_derives(of, k);
}

// One base gives the layout: the fields of the others must be among its own.
void c_choose_base(CEmit *c, CClass *k)
{
    for (size_t i = 0; i < k->bases.len; i++) {
        CClass *of = k->bases.at[i];
        if (of->is_protocol)
            continue;
        if (k->base == NULL || (!has_fields(c, k->base) && has_fields(c, of)))
            k->base = of;
    }
    for (size_t i = 0; i < k->bases.len; i++) {
        CClass *of = k->bases.at[i];
        if (of == k->base || of->is_protocol)
            continue;
        if (of->is_record || of->is_enum || (has_fields(c, of) && !is_part(of, k->base)))
            (void)c_refuse(c, k->def->class_def.bases.at[i]->at,
                           "the C target supports fields from only one base class\n"
                           "move the fields into one base class");
    }
    const CClass *of = k->base;
    if (of == NULL)
        return;
    if (k->is_enum && !of->is_enum)
        (void)c_refuse(c, k->def->at, "the C target does not support an enum that inherits from "
                       "the class `%s`, which is not an enum\ndefine its methods in the enum",
                       of->name);
    k->is_enum |= of->is_enum;
    k->enum_base = k->enum_base ? k->enum_base : of->enum_base;
    k->is_by_name |= of->is_by_name;
    k->is_exception |= of->is_exception;
    k->is_record |= of->is_record;
    k->is_frozen |= of->is_frozen;
    k->is_ordered |= of->is_ordered;
    k->no_eq |= of->no_eq;
    k->is_named_tuple |= of->is_named_tuple;
}

// ---- the order ----

typedef struct Merge { ClassVec *lists; size_t count; } Merge;

static bool is_in_tail(const Merge *m, const CClass *k)
{
    for (size_t i = 0; i < m->count; i++)
        for (size_t j = 1; j < m->lists[i].len; j++)
            if (m->lists[i].at[j] == k)
                return true;
    return false;
}

// The first head that no other list has further on; NULL: there is none.
static CClass *good_head(const Merge *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->lists[i].len > 0 && !is_in_tail(m, m->lists[i].at[0]))
            return m->lists[i].at[0];
    return NULL;
}

static void take_head(Merge *m, const CClass *k)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->lists[i].len > 0 && m->lists[i].at[0] == k)
            m->lists[i].at++, m->lists[i].len--;
}

static bool is_empty(const Merge *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->lists[i].len > 0)
            return false;
    return true;
}

static ClassVec order_of(CEmit *c, CClass *k)
{
    if (k->order.len == 0)
        c_settle_mro(c, k);
    return k->order;
}

void c_settle_mro(CEmit *c, CClass *k)
{
    ClassVec bases = k->bases;
    if (k->def == NULL && k->base != NULL)
        vec_push(c->arena, &bases, k->base);
    Merge m = {ARENA_ARRAY(c->arena, ClassVec, bases.len + 1), bases.len + 1};
    for (size_t i = 0; i < bases.len; i++)
        m.lists[i] = order_of(c, bases.at[i]);
    m.lists[bases.len] = bases;
    k->order.len = 0;
    vec_push(c->arena, &k->order, k);
    while (!is_empty(&m)) {
        CClass *next = good_head(&m);
        if (next == NULL) {
            (void)c_refuse(c, k->def->at, "cannot create a consistent method resolution order "
                           "(MRO) for the bases of `%s`", k->name);
            return;
        }
        vec_push(c->arena, &k->order, next);
        take_head(&m, next);
    }
}

bool c_derives(const CClass *k, const CClass *of)
{
    for (const CClass *b = k; b != NULL; b = b->base)
        if (b == of)
            return true;
    for (size_t i = 0; k != NULL && i < k->order.len; i++)
        if (k->order.at[i] == of)
            return true;
    return false;
}

// ---- what a class has ----

CMethod *c_own_method(const CClass *k, Sym name)
{
    for (size_t i = k->methods.len; i-- > 0;)
        if (k->methods.at[i].name == name)
            return &k->methods.at[i];
    return NULL;
}

// What the exceptions of Python have: it hides what a class behind them has.
static bool is_of_exceptions(const CClass *k, Sym name)
{
    static const char *const NAMES[] = {"__init__", "__str__", "__repr__", NULL};
    return k->def == NULL && k->is_exception && sym_is_one_of(name, NAMES);
}

// What a protocol only declares is looked for in all others first.
static CMethod *find_method(const CClass *k, size_t from, Sym name)
{
    CMethod *declared = NULL;
    for (size_t i = from; i < k->order.len; i++) {
        CMethod *m = c_own_method(k->order.at[i], name);
        if (m != NULL && !k->order.at[i]->is_protocol)
            return m;
        if (is_of_exceptions(k->order.at[i], name))
            return NULL;
        declared = declared ? declared : m;
    }
    return declared;
}

CMethod *c_find_method(CClass *k, Sym name)
{
    if (k == NULL)
        return NULL;
    return k->order.len > 0 ? find_method(k, 0, name) : c_own_method(k, name);
}

// What `super()` in class `after` finds for an object of class `k`.
CMethod *c_method_after(const CClass *k, const CClass *after, Sym name)
{
    size_t i = 0;
    while (i < k->order.len && k->order.at[i] != after)
        i++;
    return find_method(k, i + 1, name);
}

CField *c_find_constant(CClass *k, Sym name)
{
    for (size_t i = 0; k != NULL && i < k->order.len; i++) {
        CClass *of = k->order.at[i];
        for (size_t j = 0; j < of->constants.len; j++)
            if (of->constants.at[j].name == name)
                return &of->constants.at[j];
    }
    return NULL;
}

// ---- the classes that derive from it ----

static void add_deriving(CEmit *c, const CClass *k, ClassVec *out)
{
    for (size_t i = 0; i < k->derived.len; i++) {
        bool known = false;
        for (size_t j = 0; j < out->len; j++)
            known |= out->at[j] == k->derived.at[i];
        if (known)
            continue;
        add_deriving(c, k->derived.at[i], out);
        vec_push(c->arena, out, k->derived.at[i]);
    }
}

ClassVec c_deriving(CEmit *c, CClass *k)
{
    ClassVec all = {0};
    add_deriving(c, k, &all);
    return all;
}
