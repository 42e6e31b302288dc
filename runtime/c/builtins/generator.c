// generator.c - generators as coroutines (ucontext); the contract is in generator.h.

#define _GNU_SOURCE

#include "generator.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif
#ifdef HAS_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

enum { STACK = 1024 * 1024, RESERVE = 192 * 1024 };

typedef enum State { NEW, SUSPENDED, RUNNING, DONE } State;

typedef struct Coroutine {
    PychoralObject object;
    void (*body)(void *arguments);
    const PychoralType *row;        // of the items
    const PychoralType *held;       // of `arguments`
    void *arguments;
    State state;
    ucontext_t own, caller;
    char *stack;
    void *item;                     // where the next value goes
    bool yielded;                   // it has stopped at a `yield`
    PychoralException *thrown;      // what the `yield` that it goes on from raises
    PychoralException **handlers;   // what its code was handling when it stopped
    size_t handler_count, first_handler;
    struct Coroutine *outer;        // that asked it to run, or NULL
    void *fake, *caller_fake;       // the sanitizer's
    const void *caller_stack;
    size_t caller_size;
} Coroutine;

static _Thread_local Coroutine *running;

static void close_coroutine(void *object);

static const PychoralType TYPE = {
    .kind = PYCHORAL_DATACLASS, .size = sizeof(Coroutine *), .body = sizeof(Coroutine),
    .flags = PYCHORAL_PLAIN, .name = "generator", .close = close_coroutine};

static const PychoralField CELL[] = {{.type = &TYPE}};
static const PychoralType HELD = {
    .kind = PYCHORAL_TUPLE, .size = sizeof(Coroutine *), .count = 1, .fields = CELL,
    .name = "generator"};

static Coroutine *coroutine_of(PychoralIterator *generator)
{
    return *(Coroutine **)generator->cells;
}

// ---- going from one stack to the other ----

static void begin_switch(void **fake, const void *stack, size_t size)
{
#ifdef HAS_ASAN
    __sanitizer_start_switch_fiber(fake, stack, size);
#else
    (void)fake, (void)stack, (void)size;
#endif
}

static void end_switch(void *fake, const void **stack, size_t *size)
{
#ifdef HAS_ASAN
    __sanitizer_finish_switch_fiber(fake, stack, size);
#else
    (void)fake, (void)stack, (void)size;
#endif
}

// Of the coroutine: back to its caller.
static void leave(Coroutine *c)
{
    bool last = c->state == DONE;
    begin_switch(last ? NULL : &c->fake, c->caller_stack, c->caller_size);
    swapcontext(&c->own, &c->caller);
    end_switch(c->fake, &c->caller_stack, &c->caller_size);
}

// What the code raises at its end. StopIteration would be taken for that of its caller.
static void settle_end(void)
{
    PychoralException *stop = pychoral_catch(&pychoral_type_StopIteration);
    if (stop == NULL)
        return;
    PychoralAny cause = {.type = stop->object.type, .pointer = stop};
    PychoralStr *text = pychoral_str_new("generator raised StopIteration", 30);
    PychoralAny argument = {.type = &pychoral_type_str, .pointer = text};
    PychoralException *error = pychoral_exception_new(&pychoral_type_RuntimeError, 1, &argument);
    pychoral_raise_object(error, &cause);
    pychoral_release(&pychoral_type_RuntimeError, &error);
    pychoral_release(&pychoral_type_object, &argument);
    pychoral_handled(stop);
}

static void run(void)
{
    Coroutine *c = running;
    end_switch(NULL, &c->caller_stack, &c->caller_size);
    c->body(c->arguments);
    settle_end();
    c->state = DONE;
    leave(c);
}

static void finish(Coroutine *c)
{
    if (c->stack != NULL)
        munmap(c->stack, STACK);
    c->stack = NULL;
    if (c->held != NULL) {
        pychoral_release(c->held, c->arguments);
        memset(c->arguments, 0, c->held->size);
    }
}

static void make_stack(Coroutine *c)
{
    c->stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (c->stack == MAP_FAILED)
        pychoral_no_memory();
    getcontext(&c->own);
    c->own.uc_stack.ss_sp = c->stack;
    c->own.uc_stack.ss_size = STACK;
    c->own.uc_link = NULL;
    makecontext(&c->own, run, 0);
}

// Lets the code run until it yields (true) or ends.
static bool resume(Coroutine *c)
{
    const char *end = pychoral_stack_end;
    if (c->state == NEW)
        make_stack(c);
    c->state = RUNNING;
    c->yielded = false;
    c->outer = running;
    c->first_handler = pychoral_handler_count();
    pychoral_put_handlers(c->handler_count, c->handlers);
    c->handler_count = 0;
    running = c;
    pychoral_stack_end = c->stack + RESERVE;
    begin_switch(&c->caller_fake, c->stack, STACK);
    swapcontext(&c->caller, &c->own);
    end_switch(c->caller_fake, NULL, NULL);
    pychoral_stack_end = end;
    running = c->outer;
    if (c->state == DONE)
        finish(c);
    return c->yielded;
}

// ---- generators ----

static bool next_item(PychoralIterator *self, void *item)
{
    Coroutine *c = coroutine_of(self);
    if (c->state == RUNNING)
        pychoral_throw(&pychoral_type_ValueError, "generator already executing");
    if (c->state == RUNNING || c->state == DONE)
        return false;
    c->item = item;
    return resume(c);
}

PychoralIterator *pychoral_generator_new(const PychoralType *type, const PychoralType *held,
                                         void (*body)(void *arguments))
{
    PychoralIterator *generator = pychoral_iterator_new(type, &HELD, next_item);
    Coroutine *c = pychoral_object_new(&TYPE);
    if (c == NULL)
        pychoral_no_memory();
    c->body = body;
    c->row = type->element;
    c->held = held;
    c->arguments = held == NULL ? NULL : pychoral_allocate_zeroed(1, held->size);
    *(Coroutine **)generator->cells = c;
    return generator;
}

void *pychoral_generator_arguments(PychoralIterator *generator)
{
    return coroutine_of(generator)->arguments;
}

void pychoral_yield(const PychoralType *row, const void *value)
{
    Coroutine *c = running;
    pychoral_assign(row, c->item, value);
    c->yielded = true;
    c->state = SUSPENDED;
    c->handler_count = pychoral_take_handlers(c->first_handler, &c->handlers);
    leave(c);
    PychoralException *thrown = c->thrown;
    c->thrown = NULL;
    if (thrown == NULL)
        return;
    pychoral_raise_object(thrown, NULL);
    pychoral_release(&pychoral_type_BaseException, &thrown);
}

void pychoral_yield_from(const PychoralType *row, PychoralIterator *items)
{
    void *item = pychoral_allocate_zeroed(1, row->size);
    while (pychoral_raised == NULL && items->next(items, item)) {
        pychoral_yield(row, item);
        pychoral_release(row, item);
        memset(item, 0, row->size);
    }
    free(item);
}

// Goes on with `error` raised where the code stands; the value of another `yield` is let go of.
static bool throw_into(Coroutine *c, PychoralException *error, const PychoralType *row)
{
    void *item = pychoral_allocate_zeroed(1, row->size);
    c->item = item;
    pychoral_retain(&pychoral_type_BaseException, &error);
    c->thrown = error;
    bool yielded = resume(c);
    if (yielded)
        pychoral_release(row, item);
    free(item);
    return yielded;
}

static void close_running(Coroutine *c, const PychoralType *row)
{
    if (c->state == NEW || c->state == DONE) {
        c->state = DONE;
        finish(c);
        return;
    }
    PychoralException *leaving = pychoral_exception_new(&pychoral_type_GeneratorExit, 0, NULL);
    bool yielded = throw_into(c, leaving, row);
    pychoral_release(&pychoral_type_GeneratorExit, &leaving);
    if (yielded)
        pychoral_throw(&pychoral_type_RuntimeError, "generator ignored GeneratorExit");
    PychoralException *left = pychoral_catch(&pychoral_type_GeneratorExit);
    if (left != NULL)
        pychoral_handled(left);
}

void pychoral_generator_close(PychoralIterator *generator)
{
    close_running(coroutine_of(generator), generator->object.type->element);
}

// The last reference is gone: the code ends as `close` ends it. Nobody is there who could take
// what it raises.
static void close_coroutine(void *object)
{
    Coroutine *c = object;
    PychoralException *raised = pychoral_raised;
    pychoral_raised = NULL;
    if (c->state != DONE) {
        c->object.head.refs = 1;
        close_running(c, c->row);
    }
    if (pychoral_raised != NULL) {
        pychoral_print_traceback(pychoral_raised);
        pychoral_release(&pychoral_type_BaseException, &pychoral_raised);
    }
    pychoral_raised = raised;
    free(c->arguments);
    free(c->handlers);
    if (c->stack != NULL)
        munmap(c->stack, STACK);
}

// ---- managers ----

static const PychoralType ANY_ITERATOR = {
    .kind = PYCHORAL_ITERATOR, .size = sizeof(PychoralIterator *), .name = "generator"};
static const PychoralField MANAGER_FIELDS[] = {
    {.type = &ANY_ITERATOR, .offset = offsetof(PychoralManager, generator),
     .name = "gen"}};
const PychoralType pychoral_type_manager = {
    .kind = PYCHORAL_DATACLASS, .size = sizeof(PychoralManager *), .body = sizeof(PychoralManager),
    .flags = PYCHORAL_PLAIN, .count = 1, .fields = MANAGER_FIELDS,
    .name = "_GeneratorContextManager"};

PychoralManager *pychoral_manager_new(PychoralIterator *generator)
{
    PychoralManager *manager = pychoral_object_new(&pychoral_type_manager);
    if (manager == NULL)
        pychoral_no_memory();
    manager->generator = generator;
    return manager;
}

void pychoral_manager_enter(PychoralManager *manager, const PychoralType *row, void *result)
{
    PychoralIterator *generator = manager->generator;
    const PychoralType *given = generator->object.type->element;
    void *item = pychoral_allocate_zeroed(1, given->size);
    memset(result, 0, row->size);
    if (generator->next(generator, item)) {
        pychoral_convert(given, item, row, result);
        pychoral_release(given, item);
    } else if (pychoral_raised == NULL) {
        pychoral_throw(&pychoral_type_RuntimeError, "generator didn't yield");
    }
    free(item);
}

static bool exit_without_error(PychoralIterator *generator)
{
    const PychoralType *row = generator->object.type->element;
    void *item = pychoral_allocate_zeroed(1, row->size);
    if (generator->next(generator, item)) {
        pychoral_release(row, item);
        pychoral_throw(&pychoral_type_RuntimeError, "generator didn't stop");
    }
    free(item);
    return false;
}

// Whether the generator's code has taken the error.
static bool exit_with_error(PychoralIterator *generator, PychoralException *error)
{
    if (throw_into(coroutine_of(generator), error, generator->object.type->element)) {
        pychoral_throw(&pychoral_type_RuntimeError, "generator didn't stop after throw()");
        return false;
    }
    if (pychoral_raised != error)
        return pychoral_raised == NULL;
    pychoral_handled(pychoral_catch(&pychoral_type_BaseException));
    return false;
}

bool pychoral_manager_exit(PychoralManager *manager, PychoralRef kind, PychoralRef error,
                           PychoralRef trace)
{
    PychoralRef seen = pychoral_look(error.type, error.value);
    (void)kind, (void)trace;
    if (seen.type->kind == PYCHORAL_NONE)
        return exit_without_error(manager->generator);
    return exit_with_error(manager->generator, *(PychoralException *const *)seen.value);
}
