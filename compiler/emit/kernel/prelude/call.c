// for NULL
#include <stddef.h>

// for snprintf
#include <stdio.h>

// for memcpy memmove memset memcmp strcmp strncmp strlen
#include <string.h>

// for malloc free calloc
#include <stdlib.h>

// for jmp_buf setjmp longjmp
#include <setjmp.h>

// for pthread_t pthread_attr_t pthread_key_t pthread_once pthread_create pthread_self
#include <pthread.h>

// for COLD
#define COLD __attribute__((noinline, cold))

// for LAST
#if defined __clang__ && (defined __x86_64__ || defined __aarch64__)
#define LAST __attribute__((musttail))
#else
#define LAST
#endif

// for unlikely
#define unlikely(test) __builtin_expect((test), 0)

// What a call stands on: one for each thread, which keeps its memory for the next call.
typedef struct Call {
    jmp_buf *failing;           // where an error goes
    const char *error;          // the exception
    int line;                   // of the source
    char *low;                  // a frame below this goes on in the next stack //? Stack
    Stack *stacks;              // from the smallest //? Stack
    Stack *stack;               // where it is now; NULL: the caller's //? Stack
    Tape tape;                  //? Tape
    Block *blocks;              // of the arena, in order //? Block
    Block *block;               // the present one //? Block
    char *at, *end;             // what is left of it //? Block
    bool known;                 // memory_free will be called //? Block Tape Stack
} Call;

static _Thread_local Call own_call;

static COLD _Noreturn void fail(Call *call, int line, const char *error)
{
    call->error = error;
    call->line = line;
    longjmp(*call->failing, 1);
}

// Runs the function behind a public one; false: it raised.
static bool call_run(void (*run)(void *), void *arguments)
{
    jmp_buf failed;
    own_call.failing = &failed;
    own_call.error = NULL;
    memory_keep(&own_call); //? Block Tape Stack
    arena_reset(&own_call); //? Block
    tape_reset(&own_call.tape); //? Tape
    own_call.stack = NULL; //? Stack
    own_call.low = stack_low(); //? Stack
    if (setjmp(failed) == 0)
        run(arguments);
    own_call.failing = NULL;
    return own_call.error == NULL;
}

static const char *call_error(void)
{
    static _Thread_local char text[240];
    if (own_call.error == NULL)
        return NULL;
    snprintf(text, sizeof text, "line %d: %s", own_call.line, own_call.error);
    return text;
}
