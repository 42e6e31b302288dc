// raise.c - making, raising and catching exceptions; the contract is in raise.h.

#include "raise.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fault.h"
#include "../utf8.h"
#include "number.h"
#include "textio.h"

_Thread_local PychoralException *pychoral_raised;
_Thread_local const char *pychoral_stack_end;

// The exceptions that handlers of this thread have caught and not let go of, innermost last.
enum { FEW = 8 };
static _Thread_local struct {
    PychoralException **items;          // `few`, or malloc's
    size_t count, capacity;
    PychoralException *few[FEW];
} handlers;

// ---- rows ----

const PychoralType pychoral_type_arguments = {
    .kind = PYCHORAL_SEQUENCE, .size = sizeof(PychoralList *), .element = &pychoral_type_object,
    .name = "tuple[object, ...]"};

static const PychoralField TRACE_FIELDS[] = {
    {.type = &pychoral_type_trace, .offset = offsetof(PychoralTrace, inner), .name = "tb_next"},
};
const PychoralType pychoral_type_trace = {
    .kind = PYCHORAL_DATACLASS, .size = sizeof(PychoralTrace *), .body = sizeof(PychoralTrace),
    .flags = PYCHORAL_PLAIN, .count = 1, .fields = TRACE_FIELDS, .name = "traceback"};

static const PychoralField EXCEPTION_FIELDS[] = {PYCHORAL_EXCEPTION_FIELDS};

// An initialiser: &(*NULL) is NULL.
#define pychoral_type_NO_BASE (*(const PychoralType *)NULL)
#define EXCEPTION(class, parent)                                                                  \
    const PychoralType pychoral_type_##class = {                                                  \
        .kind = PYCHORAL_DATACLASS, .size = sizeof(PychoralException *),                          \
        .body = sizeof(PychoralException), .flags = PYCHORAL_PLAIN,                               \
        .count = PYCHORAL_EXCEPTION_FIELD_COUNT, .fields = EXCEPTION_FIELDS, .name = #class,      \
        .base = &pychoral_type_##parent};
#include "exceptions.def"
#undef EXCEPTION
#undef pychoral_type_NO_BASE

bool pychoral_derives(const PychoralType *row, const PychoralType *of)
{
    for (const PychoralType *base = row; base != NULL; base = base->base)
        if (base == of)
            return true;
    for (size_t i = 0; row->besides != NULL && row->besides[i] != NULL; i++)
        if (row->besides[i] == of)
            return true;
    for (uint32_t i = 0; i < of->derived_count; i++)  // where `of` is another of several bases
        if (of->derived[i] == row)
            return true;
    return false;
}

// ---- memory ----

void pychoral_no_memory(void)
{
    atomic_store(&pychoral_memory_end.has_come, true);
    if (!atomic_load(&pychoral_memory_end.is_awaited))
        fputs("memory is exhausted\n", stderr);
    exit(1);
}

void *pychoral_allocate(size_t size)
{
    void *memory = malloc(size != 0 ? size : 1);
    if (PYCHORAL_UNLIKELY(memory == NULL))
        pychoral_no_memory();
    return memory;
}

void *pychoral_allocate_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count != 0 ? count : 1, size != 0 ? size : 1);
    if (PYCHORAL_UNLIKELY(memory == NULL))
        pychoral_no_memory();
    return memory;
}

void *pychoral_reallocate(void *memory, size_t size)
{
    memory = realloc(memory, size != 0 ? size : 1);
    if (PYCHORAL_UNLIKELY(memory == NULL))
        pychoral_no_memory();
    return memory;
}

// ---- making ----

static void *new_object(const PychoralType *row)
{
    void *object = pychoral_object_new(row);
    if (object == NULL)
        pychoral_no_memory();
    return object;
}

// OSError(2, "..") is a FileNotFoundError, as its number says.
static const PychoralType *kind_of_system(const PychoralType *kind, size_t count,
                                          const PychoralAny *args)
{
    if (kind != &pychoral_type_OSError || count > 5)
        return kind;
    PychoralRef number = pychoral_look(&pychoral_type_object, &args[0]);
    return number.type->kind == PYCHORAL_INT
               ? pychoral_kind_of_errno(pychoral_int_clip(*(const PychoralInt *)number.value))
               : kind;
}

PychoralException *pychoral_exception_new(const PychoralType *kind, size_t count,
                                          const PychoralAny *args)
{
    kind = count >= 2 ? kind_of_system(kind, count, args) : kind;
    PychoralException *exception = new_object(kind);
    if (count == 0)
        return exception;
    exception->args = pychoral_list_new(&pychoral_type_arguments, count);
    if (exception->args == NULL)
        pychoral_no_memory();
    for (size_t i = 0; i < count; i++) {
        PychoralAny argument;
        pychoral_assign(&pychoral_type_object, &argument, &args[i]);
        pychoral_list_append(exception->args, &argument);   // there is room
    }
    return exception;
}

static void release(PychoralException *exception)
{
    pychoral_release(&pychoral_type_BaseException, &exception);
}

static PychoralException *retain(PychoralException *exception)
{
    pychoral_retain(&pychoral_type_BaseException, &exception);
    return exception;
}

static PychoralAny any_of(PychoralException *exception)
{
    return (PychoralAny){.type = exception->object.type, .pointer = retain(exception)};
}

static void replace(PychoralAny *place, PychoralAny value)
{
    PychoralAny old = *place;
    *place = value;
    pychoral_release(&pychoral_type_object, &old);
}

// ---- raising ----

// The exception that `any` holds, or NULL.
static PychoralException *exception_in(const PychoralAny *any)
{
    return any->type != NULL && any->type->kind == PYCHORAL_DATACLASS ? any->pointer : NULL;
}

// What is being handled becomes the context, without it being in its own.
static void set_context(PychoralException *exception)
{
    PychoralException *handled = handlers.count ? handlers.items[handlers.count - 1] : NULL;
    if (handled == NULL || handled == exception)
        return;
    PychoralException *next;
    for (PychoralException *at = handled; (next = exception_in(&at->context)) != NULL; at = next)
        if (next == exception) {
            replace(&at->context, (PychoralAny){.type = NULL});
            break;
        }
    replace(&exception->context, any_of(handled));
}

// Owned.
static void put_on_its_way(PychoralException *exception)
{
    PychoralException *old = pychoral_raised;
    pychoral_raised = exception;
    release(old);
}

void pychoral_throw_with(const PychoralType *kind, size_t count, const PychoralAny *args)
{
    PychoralException *exception = pychoral_exception_new(kind, count, args);
    set_context(exception);
    put_on_its_way(exception);
}

// A str of any bytes: those that are no text become question marks.
static PychoralStr *text_of(char *bytes, size_t size)
{
    PychoralStr *text = pychoral_str_new(bytes, size);
    if (text != NULL)
        return text;
    if (pychoral_utf8_check(bytes, size) != PYCHORAL_TEXT_BAD)
        pychoral_no_memory();
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)bytes[i] >= 0x80)
            bytes[i] = '?';
    text = pychoral_str_new(bytes, size);
    if (text == NULL)
        pychoral_no_memory();
    return text;
}

void pychoral_throw(const PychoralType *kind, const char *format, ...)
{
    char few[512], *bytes = few;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int size = vsnprintf(few, sizeof few, format, arguments);
    if (size >= (int)sizeof few) {
        bytes = pychoral_allocate((size_t)size + 1);
        vsnprintf(bytes, (size_t)size + 1, format, again);
    }
    va_end(again);
    va_end(arguments);
    PychoralAny text = {.type = &pychoral_type_str,
                        .pointer = text_of(bytes, size < 0 ? 0 : (size_t)size)};
    if (bytes != few)
        free(bytes);
    pychoral_throw_with(kind, 1, &text);
    pychoral_release(&pychoral_type_object, &text);
}

void pychoral_raise_object(PychoralException *exception, const PychoralAny *cause)
{
    retain(exception);
    if (cause != NULL) {
        PychoralAny own;
        pychoral_assign(&pychoral_type_object, &own, cause);
        replace(&exception->cause, own);
        exception->context_is_hidden = true;
    }
    set_context(exception);
    put_on_its_way(exception);
}

void pychoral_raise_again(void)
{
    if (handlers.count == 0)
        pychoral_throw(&pychoral_type_RuntimeError, "No active exception to reraise");
    else
        put_on_its_way(retain(handlers.items[handlers.count - 1]));
}

bool pychoral_passes(const char *file, const char *function, uint32_t line)
{
    PychoralTrace *trace = new_object(&pychoral_type_trace);
    trace->file = file;
    trace->function = function;
    trace->line = line;
    trace->inner = pychoral_raised->trace;
    pychoral_raised->trace = trace;
    return true;
}

bool pychoral_too_deep(void)
{
    enum { ROOM = 128 * 1024 };         // for the exception itself
    const char *end = pychoral_stack_end;
    pychoral_stack_end = end - ROOM;
    pychoral_throw(&pychoral_type_RecursionError, "maximum recursion depth exceeded");
    pychoral_stack_end = end;
    return true;
}

// ---- catching ----

static void push(PychoralException *exception)
{
    if (handlers.items == NULL) {
        handlers.items = handlers.few;
        handlers.capacity = FEW;
    }
    if (handlers.count == handlers.capacity) {
        size_t size = handlers.capacity * sizeof *handlers.items;
        PychoralException **more = pychoral_allocate(2 * size);
        memcpy(more, handlers.items, size);
        if (handlers.items != handlers.few)
            free(handlers.items);
        handlers.items = more;
        handlers.capacity *= 2;
    }
    handlers.items[handlers.count++] = exception;
}

size_t pychoral_handler_count(void) { return handlers.count; }

size_t pychoral_take_handlers(size_t first, PychoralException ***items)
{
    size_t count = handlers.count > first ? handlers.count - first : 0;
    if (count == 0)
        return 0;
    *items = pychoral_reallocate(*items, count * sizeof **items);
    memcpy(*items, handlers.items + first, count * sizeof **items);
    handlers.count = first;
    return count;
}

void pychoral_put_handlers(size_t count, PychoralException *const *items)
{
    for (size_t i = 0; i < count; i++)
        push(items[i]);
}

PychoralException *pychoral_catch(const PychoralType *kind)
{
    PychoralException *exception = pychoral_raised;
    if (exception == NULL || !pychoral_derives(exception->object.type, kind))
        return NULL;
    pychoral_raised = NULL;
    push(exception);
    return exception;
}

void pychoral_handled(PychoralException *exception)
{
    while (handlers.count > 0 && handlers.items[--handlers.count] != exception)
        release(handlers.items[handlers.count]);
    if (handlers.count == 0 && handlers.items != handlers.few) {
        free(handlers.items);
        handlers.items = NULL;
    }
    release(exception);
}

void pychoral_no_value(const char *name, bool of_outer)
{
    if (of_outer)
        pychoral_throw(&pychoral_type_NameError, "cannot access free variable '%s' where it is not "
                       "associated with a value in enclosing scope", name);
    else
        pychoral_throw(&pychoral_type_UnboundLocalError, "cannot access local variable '%s' where "
                       "it is not associated with a value", name);
}
