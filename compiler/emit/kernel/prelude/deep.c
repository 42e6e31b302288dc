// for getrlimit
#include <sys/resource.h>

// for mmap munmap
#include <sys/mman.h>

// for sysconf
#include <unistd.h>

// A further stack, on which a deep recursion goes on.
typedef struct Stack {
    struct Stack *next;
    char *at;
    size_t size;
} Stack;

// What is kept free of a stack for functions that do not look.
enum { STACK_REST = 64 << 10 };

static void stacks_free(Call *call)
{
    for (Stack *s = call->stacks, *next; s != NULL; s = next) {
        next = s->next;
        munmap(s->at, s->size);
        free(s);
    }
    call->stacks = NULL;
}

// The end of the caller's stack, asked for once in a thread: it may take a while.
static char *stack_low(void)
{
    static _Thread_local char *low;
    if (low == NULL) {
        pthread_attr_t attr;
        void *at = NULL;
        size_t size = 0;
        if (pthread_getattr_np(pthread_self(), &attr) == 0) {
            pthread_attr_getstack(&attr, &at, &size);
            pthread_attr_destroy(&attr);
        }
        char *here = __builtin_frame_address(0);
        char *near = here - 2 * STACK_REST;
        low = at == NULL || size < 4 * STACK_REST ? near : (char *)at + 3 * STACK_REST;
    }
    return low;
}

// The stack behind the present one, made when it is wanted first; twice as large as the last.
static Stack *stack_next(Call *call, int line)
{
    Stack **to = call->stack == NULL ? &call->stacks : &call->stack->next;
    if (*to != NULL)
        return *to;
    size_t size = call->stack == NULL ? (size_t)64 << 20 : call->stack->size * 2;
    size_t most = (size_t)sysconf(_SC_PHYS_PAGES) / 2 * (size_t)sysconf(_SC_PAGESIZE);
    Stack *s = size > most ? NULL : malloc(sizeof *s);
    if (s == NULL)
        fail(call, line, "RecursionError: maximum recursion depth exceeded");
    char *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (at == MAP_FAILED) {
        free(s);
        fail(call, line, "RecursionError: cannot allocate a stack to continue this deep recursion");
    }
    *s = (Stack){.at = at, .size = size};
    return *to = s;
}

typedef struct Further {
    Call *call;
    void (*run)(void *);
    void *arguments;
    bool failed;
} Further;

static void *further_run(void *of)
{
    Further *f = of;
    jmp_buf failed;
    f->call->failing = &failed;
    if (setjmp(failed) == 0)
        f->run(f->arguments);
    else
        f->failed = true;
    return NULL;
}

// Runs a function on the next stack; an error there goes on here.
static COLD void go_on(Call *call, int line, void (*run)(void *), void *arguments)
{
    Further further = {call, run, arguments, false};
    Stack *back = call->stack, *stack = stack_next(call, line);
    jmp_buf *failing = call->failing;
    char *low = call->low;
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, stack->at, stack->size);
    call->stack = stack;
    call->low = stack->at + 2 * STACK_REST;
    bool made = pthread_create(&thread, &attr, further_run, &further) == 0;
    if (made)
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
    call->stack = back;
    call->low = low;
    call->failing = failing;
    if (!made)
        fail(call, line, "RecursionError: cannot start a thread to continue this deep recursion");
    if (further.failed)
        longjmp(*call->failing, 1);
}

// A function that calls itself asks this first.
static inline bool is_deep(const Call *call)
{
    return unlikely((char *)__builtin_frame_address(0) < call->low);
}
