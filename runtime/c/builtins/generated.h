// generated.h - the vocabulary of generated programs: variables that let go of what they own.
//
//     PYCHORAL_OWNED(str) PychoralStr *name = pychoral_str_upper(text);
//
// A variable with PYCHORAL_OWNED(kind) releases its value when its scope ends, however it ends.
// Kinds: str (and bytes), object (whatever starts with a PychoralObject), int, any; the program
// adds one for each tuple and union that refers to something.

#ifndef PYCHORAL_GENERATED_H
#define PYCHORAL_GENERATED_H

#include <stdlib.h>
#include <string.h>

#include "object.h"
#include "table.h"

// gcc means `{0}` of a struct whose first member is a struct, too.
#pragma GCC diagnostic ignored "-Wmissing-braces"

#define PYCHORAL_OWNED(kind) __attribute__((cleanup(pychoral_drop_##kind), unused))

// Another reference to what a pointer points to; gives the pointer.
#define PYCHORAL_KEEP(pointer) ((__typeof__(pointer))pychoral_keep(pointer))

// Puts an owned value into a variable and lets go of the one that was there.
#define PYCHORAL_SET(kind, variable, ...)                                                         \
    do {                                                                                          \
        __typeof__(variable) pychoral_new = (__VA_ARGS__), pychoral_old = (variable);             \
        (variable) = pychoral_new;                                                                \
        pychoral_drop_##kind(&pychoral_old);                                                      \
    } while (0)

// Takes the value out of a variable, which owns nothing then.
#define PYCHORAL_TAKE(variable)                                                                   \
    __extension__({                                                                               \
        __typeof__(variable) pychoral_taken = (variable);                                         \
        (variable) = (__typeof__(variable)){0};                                                   \
        pychoral_taken;                                                                           \
    })

// A row of the program, and a function that not every program needs.
#define PYCHORAL_ROW static const PychoralType __attribute__((unused))
#define PYCHORAL_HELPER static __attribute__((unused))

PYCHORAL_HOT void *pychoral_keep(const void *pointer)
{
    PychoralHead *head = (PychoralHead *)pointer;
    if (head != NULL && head->refs != PYCHORAL_IMMORTAL)
        head->refs++;
    return head;
}

// One reference less: was it the last?
PYCHORAL_HOT bool pychoral_is_last(PychoralHead *head)
{
    return head->refs != PYCHORAL_IMMORTAL && --head->refs == 0;
}

PYCHORAL_HOT void pychoral_drop_str(void *variable)
{
    PychoralStr *str = *(PychoralStr **)variable;
    if (str != NULL && pychoral_is_last(&str->head))
        pychoral_free_bytes(str);
}

PYCHORAL_HOT void pychoral_drop_object(void *variable)
{
    PychoralObject *object = *(PychoralObject **)variable;
    if (object != NULL && pychoral_is_last(&object->head))
        pychoral_free_object(object);
}

PYCHORAL_HOT PychoralInt pychoral_keep_int(PychoralInt number)
{
    if (PYCHORAL_UNLIKELY(number.big != NULL))
        pychoral_keep(number.big);
    return number;
}

// One reference less to what an int has beyond 64 bits, or to the mark of bools.
void pychoral_drop_big(PychoralBig *big);

PYCHORAL_HOT void pychoral_drop_int(void *variable)
{
    PychoralInt *number = variable;
    PychoralBig *big = number->big;  // the number itself may stay in registers
    if (PYCHORAL_UNLIKELY(big != NULL))
        pychoral_drop_big(big);
}

static inline PychoralAny pychoral_keep_any(PychoralAny any)
{
    pychoral_retain(&pychoral_type_object, &any);
    return any;
}

static inline void pychoral_drop_any(void *variable)
{
    pychoral_release(&pychoral_type_object, variable);
}

// ---- displays ----

// `[a, b, c]` and `(a, b, c)`: `items` are values in place, whose references are taken over.
PychoralList *pychoral_display_list(const PychoralType *type, size_t count, const void *items);

// `{a, b, c}` and `{k: v, ..}`, as above. Raise TypeError: unhashable type.
PychoralTable *pychoral_display_set(const PychoralType *type, size_t count, void *items);

// One that has the order of a set that Python's compiler makes of constants: of a copy of it, as of
// any that the program may change, or of itself.
PychoralTable *pychoral_display_constant_set(const PychoralType *type, size_t count, void *items,
                                             bool is_copied);

PychoralTable *pychoral_display_dict(const PychoralType *type, size_t count, void *keys,
                                     void *values);

// Initialises a constant of more than 64 bits: how many limbs, and the limbs, least first.
#define PYCHORAL_BIG_CONSTANT(size, ...)                                                          \
    {.head = {.refs = PYCHORAL_IMMORTAL}, .count = (size), .limbs = {__VA_ARGS__}}

// ---- variables that functions share ----

// A box of a row of kind BOX, with a value of zero bits.
PychoralBox *pychoral_cell(const PychoralType *type);

// ---- function values ----

// A function as one of another static type: arguments and result are converted. Owned.
PychoralFunction *pychoral_function_as(const PychoralType *type, PychoralFunction *function);

// __name__ of it; owned.
PychoralStr *pychoral_function_name(const PychoralFunction *function);

// ---- members of enums ----

PychoralStr *pychoral_enum_name(const PychoralType *type, uint32_t member);

// The value of a member, as a value of the row `as`. Raises TypeError if it is none.
void pychoral_enum_value_as(const PychoralType *type, uint32_t member, const PychoralType *as,
                            void *result);

// The member that the class is called with, or whose value it is called with. Raises ValueError.
uint32_t pychoral_enum_of(const PychoralType *type, PychoralRef value);

// Class[name]. Raises KeyError.
uint32_t pychoral_enum_named(const PychoralType *type, PychoralStr *name);

// Raises AttributeError: the value has no attribute of the name.
void pychoral_no_attribute(PychoralRef value, const char *name);

// ---- classes as values ----

typedef struct PychoralClass {
    PychoralObject object;
    const PychoralType *of;
} PychoralClass;

extern const PychoralType pychoral_type_type;

// Initialises a constant: static PychoralClass Point_class = PYCHORAL_CLASS(Point_type);
#define PYCHORAL_CLASS(row)                                                                       \
    {.object = {.head = {.refs = PYCHORAL_IMMORTAL}, .type = &pychoral_type_type}, .of = &(row)}

// type(value); owned.
PychoralClass *pychoral_class_of(PychoralRef value);

bool pychoral_same_class(const PychoralClass *a, const PychoralClass *b);

// C.__name__
PychoralStr *pychoral_class_name(const PychoralClass *class_);

// e.args, owned; and what BaseException.__init__ makes of its arguments.
PychoralList *pychoral_exception_args(const PychoralException *exception);
void pychoral_exception_init(PychoralException *exception, size_t count, const PychoralRef *args);

// What SystemExit.code and StopIteration.value are: the first argument, or None. Owned.
PychoralAny pychoral_exception_value(const PychoralException *exception);

// Item `index` of what an OSError was made of, a number and a text and what follows them, or None.
// Owned.
PychoralAny pychoral_exception_of_system(const PychoralException *exception, size_t index);

static inline PychoralAny pychoral_exception_errno(const PychoralException *exception)
{
    return pychoral_exception_of_system(exception, 0);
}

static inline PychoralAny pychoral_exception_strerror(const PychoralException *exception)
{
    return pychoral_exception_of_system(exception, 1);
}

static inline PychoralAny pychoral_exception_filename(const PychoralException *exception)
{
    return pychoral_exception_of_system(exception, 2);
}

static inline PychoralAny pychoral_exception_filename2(const PychoralException *exception)
{
    return pychoral_exception_of_system(exception, 4);
}

// e.__cause__ and e.__context__: an exception, or None. Owned.
PychoralAny pychoral_exception_cause(const PychoralException *exception);
PychoralAny pychoral_exception_context(const PychoralException *exception);

// e.__traceback__, which is None before it is raised. Owned.
PychoralAny pychoral_exception_trace(const PychoralException *exception);

// ---- range in a `for` ----

// While all is of 64 bits, `next`, `step` and how many are `left`; else an iterator.
typedef struct PychoralRangeLoop {
    int64_t next, step;
    uint64_t left;
    PychoralIterator *big;
} PychoralRangeLoop;

PychoralRangeLoop pychoral_any_range_loop(PychoralInt start, PychoralInt stop, PychoralInt step);

// Raises ValueError for step 0: there is nothing in it then.
static inline PychoralRangeLoop pychoral_range_loop(PychoralInt start, PychoralInt stop,
                                                    PychoralInt step)
{
    bool small = start.big == NULL && stop.big == NULL && step.big == NULL;
    if (PYCHORAL_UNLIKELY(!small) || step.small != 1)
        return pychoral_any_range_loop(start, stop, step);
    bool some = stop.small > start.small;
    return (PychoralRangeLoop){.next = start.small, .step = 1,
                               .left = some ? (uint64_t)stop.small - (uint64_t)start.small : 0};
}

PYCHORAL_HOT bool pychoral_range_next(PychoralRangeLoop *loop, PychoralInt *item)
{
    if (PYCHORAL_UNLIKELY(loop->big != NULL)) {
        PychoralInt found;              // so that `item` may stay in registers
        bool more = loop->big->next(loop->big, &found);
        if (more)
            *item = found;
        return more;
    }
    if (loop->left == 0)
        return false;
    *item = pychoral_int(loop->next);
    if (--loop->left != 0)
        loop->next += loop->step;
    return true;
}

static inline void pychoral_drop_range_loop(void *variable)
{
    pychoral_drop_object(&((PychoralRangeLoop *)variable)->big);
}

// ---- handlers ----

// What is on its way if it is of one of these classes, as pychoral_catch gives it.
PychoralException *pychoral_catch_any(size_t count, const PychoralType *const *kinds);

// The beginning and the end of a `finally`: what is on its way is set aside, and raised again
// (true). If the `finally` raises, or leaves, it is let go of as a handler does.
PychoralException *pychoral_set_aside(void);
bool pychoral_take_up(const PychoralException *pending);

// At the end of a handler.
static inline void pychoral_drop_handled(void *variable)
{
    PychoralException *exception = *(PychoralException **)variable;
    if (exception != NULL)
        pychoral_handled(exception);
}

#endif
