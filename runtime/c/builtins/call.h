// call.h - calls whose arguments are converted to what the function takes; methods by name.

#ifndef PYCHORAL_CALL_H
#define PYCHORAL_CALL_H

#include "object.h"

// Calls with `count` arguments of any types; the result is converted to `result`. Both raise what
// the function raises, or TypeError where an argument does not fit; then zero bits are at `to`.
void pychoral_call_with(PychoralFunction *function, size_t count, const PychoralRef *arguments,
                        const PychoralType *result, void *to);
void pychoral_call_method(const PychoralMethod *method, size_t count, const PychoralRef *arguments,
                          const PychoralType *result, void *to);

// Where a class has something of a name from: a method; or the dataclass in its line that Python
// made one for, from its fields; or neither, and then it is object's.
typedef struct PychoralSource {
    const PychoralMethod *method;
    const PychoralType *made;
} PychoralSource;

PychoralSource pychoral_source_of_eq(const PychoralType *type);
PychoralSource pychoral_source_of_repr(const PychoralType *type);
PychoralSource pychoral_source_of_order(const PychoralType *type, const char *name);

// Whether a class says itself what is equal, or what hash that has.
bool pychoral_has_own_equality(const PychoralType *type);

// `*refused`: __hash__ is None.
PychoralSource pychoral_source_of_hash(const PychoralType *type, bool *refused);

// What pychoral_look has seen; a named tuple as the tuple that it is, unless its class has `method`
// of its own (NULL: whatever it has). Borrowed from the object.
PychoralRef pychoral_as_tuple(PychoralRef seen, const char *method);

static inline bool pychoral_is_named_tuple(const PychoralType *type)
{
    return type->kind == PYCHORAL_DATACLASS && (type->flags & PYCHORAL_NAMED_TUPLE) != 0;
}

// bool(a.METHOD(b)) and a.__hash__(), as hash() gives it. Raise what the method raises.
bool pychoral_ask(const PychoralMethod *method, PychoralRef a, PychoralRef b);
// The same of an operator, in `*answer`. False: the method leaves it to the other operand.
bool pychoral_ask_operator(const PychoralMethod *method, PychoralRef a, PychoralRef b,
                           bool *answer);
int64_t pychoral_ask_hash(const PychoralMethod *method, PychoralRef a);

#endif
