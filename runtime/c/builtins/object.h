// object.h - values of any type: by reference, in an `object`, called, iterated, converted.

#ifndef PYCHORAL_OBJECT_H
#define PYCHORAL_OBJECT_H

#include "raise.h"

// A borrowed value of any type.
typedef struct PychoralRef {
    const PychoralType *type;
    const void *value;
} PychoralRef;

#define PYCHORAL_REF(row, place) ((PychoralRef){&(row), &(place)})

// An argument that was left out; None, 0 and 1.
#define PYCHORAL_NO_REF ((PychoralRef){NULL, NULL})
#define PYCHORAL_NONE_REF ((PychoralRef){&pychoral_type_none, &(const PychoralNone){0}})
#define PYCHORAL_ZERO_REF ((PychoralRef){&pychoral_type_int, &(const PychoralInt){0, NULL}})
#define PYCHORAL_ONE_REF ((PychoralRef){&pychoral_type_int, &(const PychoralInt){1, NULL}})

// ---- object ----

// The value as an `object`, with references of its own. Unions, boxes and literals are taken off:
// the row of the result says what the value is.
PychoralAny pychoral_any(const PychoralType *type, const void *value);

// The value that an `object` holds, in place.
const void *pychoral_any_value(const PychoralAny *any);

// What a value is, without unions, boxes, literals and `object` around it.
PychoralRef pychoral_look(const PychoralType *type, const void *value);

// Whether two rows are the same type (they may be rows of two files).
bool pychoral_same_type(const PychoralType *a, const PychoralType *b);

// isinstance(value, of): of a class, its derived ones too; of `int`, bools too; of `list` whatever
// its elements.
bool pychoral_is_instance(const PychoralType *type, const void *value, const PychoralType *of);

// Converts a value to another static type: into a union, out of one, to `object` and back, int to
// float where the target is a float, tuples by their parts. Raises TypeError where it does not
// fit, which only a value out of an `object` or a union can bring about.
void pychoral_convert(const PychoralType *from, const void *value, const PychoralType *to,
                      void *result);

// The same for a temporary that nobody else looks at. A list, dict or set that only it refers to is
// made anew where its row is another one, so that what json.loads gives can be a dict[str, int].
void pychoral_convert_own(const PychoralType *from, const void *value, const PychoralType *to,
                          void *result);

// Raises TypeError: the value, which was of the type `to` when it was tested, has been changed.
void pychoral_not_narrowed(PychoralRef value, const PychoralType *to);

// ---- functions ----

// A function value: `held` describes what the caller then puts into `cells` (NULL: nothing).
PychoralFunction *pychoral_function_new(const PychoralType *type, const PychoralType *held,
                                        const char *name,
                                        void (*call)(PychoralFunction *self,
                                                     void *const *arguments, void *result));

// Calls a function with one argument of another static type than its own, and converts the result.
// Raises what it raises.
void pychoral_call1(PychoralFunction *function, PychoralRef argument, const PychoralType *result,
                    void *to);

// The method of a value's class or of one it derives from; NULL: there is none.
const PychoralMethod *pychoral_find_method(const PychoralType *type, const char *name);

// ---- operators that are left to the other operand ----

// Set by a method of an operator that gives NotImplemented, right before it returns.
extern _Thread_local bool pychoral_declined;

// Whether the method that was called has declined: the other operand is asked.
static inline bool pychoral_declines(void)
{
    bool declined = pychoral_declined;
    pychoral_declined = false;
    return declined;
}

// Raises TypeError: neither operand knows how `a SIGN b` is done.
void pychoral_not_supported(const char *sign, PychoralRef a, PychoralRef b);

// ---- iterating ----

// An iterator over a value of any type (str, list, tuple, dict, set, range, iterator, an object
// with __iter__ or __getitem__), whose items are converted to `item`. Raises TypeError for others.
PychoralIterator *pychoral_iter(const PychoralType *item, PychoralRef iterable);

// A new iterator: `held` describes what the caller then puts into `cells`.
PychoralIterator *pychoral_iterator_new(const PychoralType *type, const PychoralType *held,
                                        bool (*next)(PychoralIterator *self, void *item));

// ---- what Python does with every value ----

// a == b, across types. Raises what __eq__ raises.
bool pychoral_eq(PychoralRef a, PychoralRef b);

// a < b, a <= b, a > b, a >= b: `op` is '<', 'l', '>', 'g'. Raises TypeError where there is no
// order.
bool pychoral_ordered(PychoralRef a, PychoralRef b, char op);

// hash(a), as CPython's for numbers and tuples of them. Raises TypeError: unhashable type.
int64_t pychoral_hash_of(PychoralRef a);

// bool(a), len(a). Raise.
bool pychoral_truth(PychoralRef a);
int64_t pychoral_len(PychoralRef a);

// repr(a), str(a), format(a, spec), ascii(a). Raise what the object's methods raise.
PychoralStr *pychoral_repr(PychoralRef a);
PychoralStr *pychoral_str_of(PychoralRef a);
PychoralStr *pychoral_format(PychoralRef a, const PychoralStr *spec);
PychoralStr *pychoral_ascii(PychoralRef a);

// What the member of an enum stands for: its value (pychoral_look has seen it).
PychoralRef pychoral_enum_value(PychoralRef seen);

// value[key], of any types, as `row`. Raises what Python raises.
void pychoral_subscript(PychoralRef value, PychoralRef key, const PychoralType *row,
                        void *result);

// a is b.
bool pychoral_is(PychoralRef a, PychoralRef b);

// The name that Python's messages give the type of a value: "int", "NoneType", "Point".
const char *pychoral_type_name(PychoralRef a);

#endif
