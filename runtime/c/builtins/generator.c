// generator.c - generators as coroutines; the contract is in generator.h.
//
// A stack is entered by setcontext, which sets the signal mask in the kernel; from then on, going
// to and fro is _longjmp, which asks the kernel nothing. What FORTIFY_SOURCE makes of longjmp
// refuses to go to another stack.

#undef _FORTIFY_SOURCE
#define _GNU_SOURCE

#include "generator.h"

#include <pthread.h>
#include <setjmp.h>
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

// Without this valgrind takes a switch for a very large frame, and what is on the stack for unset.
#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define TELL_VALGRIND(start, end) (void)VALGRIND_STACK_REGISTER(start, end)
#endif
#endif
#ifndef TELL_VALGRIND
#define TELL_VALGRIND(start, end) (void)0
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
    jmp_buf own, caller;
    char *stack;
    const char *caller_end;         // how far down the caller's stack may go
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

// ---- stacks ----

// Those that are not in use, for the next generators: mapping one costs more than most of them do.
typedef struct Spare { char *stacks[8]; size_t count; } Spare;

static pthread_key_t spare_key;
static pthread_once_t spare_once = PTHREAD_ONCE_INIT;

static void free_spare(void *value)
{
    Spare *spare = value;
    while (spare->count > 0)
        munmap(spare->stacks[--spare->count], STACK);
    free(spare);
}

static void make_key(void)
{
    if (pthread_key_create(&spare_key, free_spare) != 0)
        pychoral_no_memory();
}

static Spare *spare_stacks(void)
{
    pthread_once(&spare_once, make_key);
    Spare *spare = pthread_getspecific(spare_key);
    if (spare != NULL)
        return spare;
    spare = pychoral_allocate_zeroed(1, sizeof *spare);
    if (pthread_setspecific(spare_key, spare) != 0)
        pychoral_no_memory();
    return spare;
}

static char *take_stack(void)
{
    Spare *spare = spare_stacks();
    if (spare->count > 0)
        return spare->stacks[--spare->count];
    char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED)
        pychoral_no_memory();
    TELL_VALGRIND(stack, stack + STACK);
    return stack;
}

static void give_stack(char *stack)
{
    if (stack == NULL)
        return;
    Spare *spare = spare_stacks();
    if (spare->count < sizeof spare->stacks / sizeof *spare->stacks)
        spare->stacks[spare->count++] = stack;
    else
        munmap(stack, STACK);
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
    if (_setjmp(c->own) == 0)
        _longjmp(c->caller, 1);
    end_switch(c->fake, &c->caller_stack, &c->caller_size);
    pychoral_stack_end = c->stack + RESERVE;
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
    pychoral_stack_end = c->stack + RESERVE;
    c->body(c->arguments);
    settle_end();
    c->state = DONE;
    leave(c);
}

static void finish(Coroutine *c)
{
    give_stack(c->stack);
    c->stack = NULL;
    if (c->held != NULL) {
        pychoral_release(c->held, c->arguments);
        memset(c->arguments, 0, c->held->size);
    }
}

// To the beginning of `run`, on a stack of its own; at its far end is what says how to go there.
static void start(Coroutine *c)
{
    ucontext_t *context = (ucontext_t *)c->stack;
    c->state = RUNNING;
    begin_switch(&c->caller_fake, c->stack, STACK);
    getcontext(context);
    context->uc_stack.ss_sp = c->stack;
    context->uc_stack.ss_size = STACK;
    context->uc_link = NULL;
    makecontext(context, run, 0);
    setcontext(context);
}

static void go_on(Coroutine *c)
{
    c->state = RUNNING;
    begin_switch(&c->caller_fake, c->stack, STACK);
    _longjmp(c->own, 1);
}

// Comes back when the code leaves.
static void enter(Coroutine *c)
{
    if (c->state == NEW)
        c->stack = take_stack();
    if (_setjmp(c->caller) != 0)
        return;
    if (c->state == NEW)
        start(c);
    else
        go_on(c);
}

// Lets the code run until it yields (true) or ends.
static bool resume(Coroutine *c)
{
    c->caller_end = pychoral_stack_end;
    c->yielded = false;
    c->outer = running;
    c->first_handler = pychoral_handler_count();
    pychoral_put_handlers(c->handler_count, c->handlers);
    c->handler_count = 0;
    running = c;
    enter(c);
    end_switch(c->caller_fake, NULL, NULL);
    pychoral_stack_end = c->caller_end;
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
    give_stack(c->stack);
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
