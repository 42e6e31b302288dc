// raise.h - exceptions of generated programs: what is on its way, and how it is made and caught.
//
// An exception is an object whose row derives from pychoral_type_BaseException. Raising it puts it
// into `pychoral_raised`; every function then returns to its caller until one catches it. This is
// C's errno with an object in it: there is no longjmp, so that every owner lets go of what it has.

#ifndef PYCHORAL_RAISE_H
#define PYCHORAL_RAISE_H

#include "value.h"

// A call that an exception has come through: `function` at `line` of the choreography's file. The
// texts are constants.
typedef struct PychoralTrace {
    PychoralObject object;
    const char *file, *function;
    struct PychoralTrace *inner;        // the call that this one made; NULL: here it was raised
    uint32_t line;
} PychoralTrace;

// Classes of the program that derive from an exception begin with this.
typedef struct PychoralException {
    PychoralObject object;
    PychoralList *args;                 // tuple[object, ...]; NULL: none
    PychoralAny cause, context;         // an exception, None, or nothing
    PychoralTrace *trace;               // the outermost call
    bool context_is_hidden;             // `raise .. from ..`
} PychoralException;

extern const PychoralType pychoral_type_arguments,  // of PychoralException.args
    pychoral_type_trace;

// What the `fields` of a row that derives from an exception start with, and how many they are.
// They are no fields of a dataclass.
#define PYCHORAL_EXCEPTION_FIELDS                                                                 \
    PYCHORAL_EXCEPTION_FIELD(pychoral_type_arguments, args),                                      \
    PYCHORAL_EXCEPTION_FIELD(pychoral_type_object, cause),                                        \
    PYCHORAL_EXCEPTION_FIELD(pychoral_type_object, context),                                      \
    PYCHORAL_EXCEPTION_FIELD(pychoral_type_trace, trace)
#define PYCHORAL_EXCEPTION_FIELD(row, field)                                                      \
    {.type = &row, .offset = offsetof(PychoralException, field), .ignored = true, .hidden = true}
enum { PYCHORAL_EXCEPTION_FIELD_COUNT = 4 };

// The exception on its way in this thread, owned; NULL: none.
extern _Thread_local PychoralException *pychoral_raised;

#define PYCHORAL_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

// How far down this thread's stack may go; NULL: nobody has said (process.h).
extern _Thread_local const char *pychoral_stack_end;

// For generated code, where a function that may call itself begins: whether the stack ends soon.
// Then RecursionError has been raised.
#define PYCHORAL_TOO_DEEP()                                                                       \
    (PYCHORAL_UNLIKELY((const char *)__builtin_frame_address(0) < pychoral_stack_end) &&          \
     pychoral_too_deep())

bool pychoral_too_deep(void);

// What is only reached if nothing is raised, so that a check behind it costs nothing.
#define PYCHORAL_NOTHING_RAISED()                                                                 \
    do {                                                                                          \
        if (pychoral_raised != NULL)                                                              \
            __builtin_unreachable();                                                              \
    } while (0)

// For generated code: whether something was raised; then notes that it passes here.
//     n = f(x);
//     if (PYCHORAL_FAILED("main", 12))
//         return 0;
#define PYCHORAL_FAILED(function, line) PYCHORAL_FAILED_IN(PYCHORAL_FILE, function, line)

// The same in code of another file of the choreography.
#define PYCHORAL_FAILED_IN(file, function, line)                                                  \
    (PYCHORAL_UNLIKELY(pychoral_raised != NULL) && (pychoral_passes(file, function, line), true))

// Notes where the exception on its way comes through; true.
bool pychoral_passes(const char *file, const char *function, uint32_t line);

// Rows of Python's own exceptions: pychoral_type_ValueError, ... (exceptions.def).
#define EXCEPTION(name, base) extern const PychoralType pychoral_type_##name;
#include "exceptions.def"
#undef EXCEPTION

// Raises a new exception of a class with one argument, the text.
void pychoral_throw(const PychoralType *kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Raises a new exception of a class with these arguments (borrowed).
void pychoral_throw_with(const PychoralType *kind, size_t count, const PychoralAny *args);

// Raises KeyError(key).
void pychoral_throw_key(const PychoralType *type, const void *key);

// A new exception of a class, with these arguments (borrowed); its own fields are zero bits.
PychoralException *pychoral_exception_new(const PychoralType *kind, size_t count,
                                          const PychoralAny *args);

// Raises an exception that exists (borrowed). `cause`: NULL where there is no `from`; None or an
// exception where there is.
void pychoral_raise_object(PychoralException *exception, const PychoralAny *cause);

// A bare `raise`, and the end of a `finally` that an exception has come to: raises the one that is
// being handled again. RuntimeError: there is none. The function that does so is in the traceback
// already: it does not call pychoral_passes.
void pychoral_raise_again(void);

// Whether an instance of the class `row` is one of `of`, or of a class that derives from it.
bool pychoral_derives(const PychoralType *row, const PychoralType *of);

// In a handler: takes what is on its way if it is a `kind` (or derived), and gives it, owned; else
// NULL. It is then the one being handled: what is raised until pychoral_handled has it as context.
PychoralException *pychoral_catch(const PychoralType *kind);

// For code that stops and goes on (generator.h): how many exceptions are being handled; takes those
// from `first` on into `*items` (malloc's or NULL, made larger); puts them back. They stay owned by
// the handlers.
size_t pychoral_handler_count(void);
size_t pychoral_take_handlers(size_t first, PychoralException ***items);
void pychoral_put_handlers(size_t count, PychoralException *const *items);

// The handler ends, by whatever way; lets go of the exception.
void pychoral_handled(PychoralException *exception);

// Raises what Python raises where a variable without a value is read: one of the function itself,
// or of a function around it.
void pychoral_no_value(const char *name, bool of_outer);

// str(e) and repr(e), as BaseException has them: a class that defines __str__ has its own. Raise
// what the repr of an argument raises.
PychoralStr *pychoral_exception_str(const PychoralException *exception);
PychoralStr *pychoral_exception_repr(const PychoralException *exception);

// nothing.
PychoralStr *pychoral_exception_line(const PychoralException *exception);

// Writes the traceback of an exception to standard error, as Python does: its chain of causes and
// contexts, "Traceback (most recent call last):", the calls, the last line.
void pychoral_print_traceback(const PychoralException *exception);

// Ends the process: memory has run out.
void pychoral_no_memory(void) __attribute__((noreturn));

// malloc, calloc, realloc that never give NULL.
void *pychoral_allocate(size_t size);
void *pychoral_allocate_zeroed(size_t count, size_t size);
void *pychoral_reallocate(void *memory, size_t size);

#endif
