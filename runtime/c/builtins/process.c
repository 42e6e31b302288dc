// process.c - a generated program as a role; contracts in process.h.
//
// What a call of pychoral.h fails with becomes an exception, so that a program may catch it; one
// that nobody catches is again what the role ends with.

#define _GNU_SOURCE                     // pthread_getattr_np

#include "process.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../codec.h"
#include "../cycles.h"
#include "../role.h"
#include "generated.h"
#include "list.h"
#include "parameter.h"
#include "print.h"

_Thread_local PychoralRole *pychoral_current_role;

// ---- exceptions of the runtime ----

// A ChannelError, and an Interrupted: the exit status, and where the failure began (NULL: here).
typedef struct Failure {
    PychoralException exception;
    PychoralStr *role, *kind, *text;
    int status;
} Failure;

static const PychoralField FAILURE_FIELDS[] = {
    PYCHORAL_EXCEPTION_FIELDS,
    {.type = &pychoral_type_str, .offset = offsetof(Failure, role), .name = "role"},
    {.type = &pychoral_type_str, .offset = offsetof(Failure, kind), .name = "kind"},
    {.type = &pychoral_type_str, .offset = offsetof(Failure, text), .name = "text"},
};

#define ROW(BODY, FIELDS, NAME, BASE)                                                             \
    {                                                                                             \
        .kind = PYCHORAL_DATACLASS, .size = sizeof(PychoralException *), .body = sizeof(BODY),    \
        .flags = PYCHORAL_PLAIN, .count = (FIELDS), .fields = FAILURE_FIELDS, .name = (NAME),     \
        .base = &pychoral_type_##BASE, .module = "pychoral.errors"                                \
    }
#define FAILURE_ROW(NAME, BASE) ROW(Failure, PYCHORAL_EXCEPTION_FIELD_COUNT + 3, NAME, BASE)
const PychoralType pychoral_type_ChannelError = FAILURE_ROW("ChannelError", Exception);
const PychoralType pychoral_type_UnexpectedSelection =
    FAILURE_ROW("UnexpectedSelection", ChannelError);
const PychoralType pychoral_type_PeerStopped = FAILURE_ROW("PeerStopped", ChannelError);
const PychoralType pychoral_type_Interrupted = FAILURE_ROW("Interrupted", BaseException);
const PychoralType pychoral_type_NotSendable =
    ROW(PychoralException, PYCHORAL_EXCEPTION_FIELD_COUNT, "NotSendable", TypeError);

// What has just been raised, as a failure with an exit status.
static Failure *raised_failure(int status)
{
    Failure *failure = (Failure *)pychoral_raised;
    failure->status = status;
    return failure;
}

static PychoralStr *str_of(const char *text)
{
    PychoralStr *str = pychoral_str_new(text, strlen(text));
    return str != NULL ? str : pychoral_str_new("", 0);
}

void pychoral_unexpected_selection(const PychoralType *labels, uint32_t label)
{
    PYCHORAL_OWNED(str) PychoralStr *text = pychoral_str_of((PychoralRef){labels, &label});
    if (text == NULL)
        return;
    pychoral_throw(&pychoral_type_UnexpectedSelection, "no branch handles the label %.*s",
                   (int)text->size, text->data);
    raised_failure(PYCHORAL_EXIT_PROTOCOL);
}

void pychoral_peer_stopped(const char *at, size_t count, const char *const *roles)
{
    char text[1000] = "";
    size_t size = 0;
    for (size_t i = 0; i < count && size < sizeof text; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "%s%s", i > 0 ? " and " : "",
                                 roles[i]);
    bool placed = at[0] != '\0';
    pychoral_throw(&pychoral_type_PeerStopped, "cannot continue without %s%s%s%s", text,
                   placed ? " (" : "", at, placed ? ")" : "");
    raised_failure(PYCHORAL_EXIT_PEER_LOST);
}

// ---- channels ----

static const PychoralType *kind_of_fault(const PychoralRole *role)
{
    if (role->fault.status > 128)
        return &pychoral_type_Interrupted;
    return strcmp(role->origin_type, "NotSendable") == 0 && role->origin_role[0] == '\0'
               ? &pychoral_type_NotSendable
               : &pychoral_type_ChannelError;
}

// A program that catches it may go on; but not without its journal.
static void forget_fault(PychoralRole *role, bool anyway)
{
    if (role->durability != NULL && !anyway)
        return;
    role->fault = (PychoralFault){0};
    role->origin_role[0] = role->origin_type[0] = role->origin_text[0] = '\0';
}

bool pychoral_com_failed(void)
{
    PychoralRole *role = pychoral_current_role;
    pychoral_lock_enter(&role->lock);
    const PychoralType *kind = kind_of_fault(role);
    pychoral_throw(kind, "%s", role->fault.text);
    if (kind != &pychoral_type_NotSendable) {
        Failure *failure = raised_failure(role->fault.status);
        if (role->origin_role[0] != '\0') {
            failure->role = str_of(role->origin_role);
            failure->kind = str_of(role->origin_type);
            failure->text = str_of(role->origin_text);
        }
    }
    forget_fault(role, kind == &pychoral_type_NotSendable);
    pychoral_lock_leave(&role->lock);
    return false;
}

void pychoral_copy_as(uint32_t site, const PychoralType *type, const void *value,
                      const PychoralType *read, void *result)
{
    PychoralWriter writer = {0};
    PychoralFault fault = {0};
    char place[300];
    memset(result, 0, read->size);
    if (!pychoral_encode(&writer, type, value, &fault) ||
        !pychoral_decode_own(read, writer.frames, writer.count, result, &fault)) {
        pychoral_role_place(pychoral_self(), site, place, sizeof place);
        pychoral_throw(&pychoral_type_NotSendable, "%s%s", fault.text, place);
    }
    pychoral_writer_clear(&writer);
}

void pychoral_check_as(uint32_t site, const PychoralType *type, const void *value,
                       const PychoralType *read)
{
    void *copy = pychoral_allocate(read->size);
    pychoral_copy_as(site, type, value, read, copy);
    pychoral_release(read, copy);
    free(copy);
}

// ---- effects ----

bool pychoral_effect_replayed(const char *name, const PychoralType *type, void *value)
{
    bool is_there = false;
    if (pychoral_current_role == NULL || pychoral_current_role->durability == NULL)
        return false;
    if (!pychoral_replayed(pychoral_current_role, name, type, value, &is_there))
        return pychoral_com_failed();
    return is_there;
}

void pychoral_effect_record(const char *name, const PychoralType *type, const void *value)
{
    if (pychoral_current_role != NULL && pychoral_current_role->durability != NULL &&
        !pychoral_record(pychoral_current_role, name, type, value))
        pychoral_com_failed();
}

// ---- the run ----

enum {
    STACK_SIZE = 64 * 1024 * 1024,
    STACK_RESERVE = 512 * 1024          // for what does not look how deep it is
};

// How far down this thread may go. The main thread's stack may grow to its limit, which is raised.
static const char *stack_end(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < STACK_SIZE) {
        limit.rlim_cur = limit.rlim_max < STACK_SIZE ? limit.rlim_max : STACK_SIZE;
        setrlimit(RLIMIT_STACK, &limit);
    }
    pthread_attr_t attributes;
    void *start;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return NULL;
    pthread_attr_getstack(&attributes, &start, &size);
    pthread_attr_destroy(&attributes);
    size_t unused = size > STACK_SIZE ? size - STACK_SIZE : 0;
    return (const char *)start + unused + STACK_RESERVE;
}

// The role ends with a fault, of which an origin is told.
static void fail(PychoralRole *role, int status, const char *text, const char *const origin[3])
{
    pychoral_lock_enter(&role->lock);
    forget_fault(role, true);
    if (origin != NULL) {
        snprintf(role->origin_role, sizeof role->origin_role, "%s", origin[0]);
        snprintf(role->origin_type, sizeof role->origin_type, "%s", origin[1]);
        snprintf(role->origin_text, sizeof role->origin_text, "%s", origin[2]);
        pychoral_string_cut(role->origin_text, sizeof role->origin_text);
    }
    pychoral_role_fail(role, status, "%s", text);
    pychoral_lock_leave(&role->lock);
}

static int end_with_failure(PychoralRole *role, const Failure *failure)
{
    PYCHORAL_OWNED(str) PychoralStr *text = pychoral_exception_str(&failure->exception);
    const char *origin[3] = {"", "", ""};
    if (failure->role != NULL) {
        origin[0] = failure->role->data;
        origin[1] = failure->kind->data;
        origin[2] = failure->text->data;
    }
    fail(role, failure->status, text->data, failure->role != NULL ? origin : NULL);
    return failure->status;
}

// What others are told has neither NULs nor surrogates; and no space around it.
static char *make_tellable(char *text, size_t size)
{
    char *to = text;
    for (size_t i = 0; i < size; i++) {
        bool surrogate = (unsigned char)text[i] == 0xed && (unsigned char)text[i + 1] >= 0xa0;
        *to++ = text[i] == '\0' || surrogate ? '?' : text[i];
        i += surrogate ? 2 : 0;
    }
    const char *space = " \t\n\v\f\r";
    while (to > text && strchr(space, to[-1]) != NULL && to[-1] != '\0')
        to--;
    *to = '\0';
    return text + strspn(text, space);
}

static int end_with_exception(PychoralRole *role, const PychoralException *exception)
{
    char kind[sizeof role->origin_type];
    pychoral_print_traceback(exception);
    PYCHORAL_OWNED(str) PychoralStr *line = pychoral_exception_line(exception);
    char *copy = pychoral_allocate(line->size + 1);
    memcpy(copy, line->data, line->size + 1);
    char *text = make_tellable(copy, line->size);
    const char *colon = strchr(text, ':');
    size_t end = colon != NULL ? (size_t)(colon - text) : strlen(text);
    snprintf(kind, sizeof kind, "%.*s", (int)end, text);
    const char *rest = colon != NULL ? colon + 1 : "";
    const char *origin[3] = {role->name, kind, rest + strspn(rest, " \t\n\v\f\r")};
    fail(role, PYCHORAL_EXIT_OWN_ERROR, text, origin);
    role->is_own_status = true;
    free(copy);
    return PYCHORAL_EXIT_OWN_ERROR;
}

// What Python makes of the argument of sys.exit.
static int exit_status(const PychoralException *end)
{
    if (end->args == NULL)
        return 0;
    PychoralRef code = {&pychoral_type_arguments, &end->args};
    if (end->args->count == 1)
        code = pychoral_look(&pychoral_type_object, end->args->items);
    if (code.type->kind == PYCHORAL_NONE)
        return 0;
    if (code.type->kind == PYCHORAL_BOOL)
        return *(const bool *)code.value;
    if (code.type->kind == PYCHORAL_INT) {
        mp_limb_t limb;
        mpz_t view;
        pychoral_int_view(code.value, &limb, view);
        return (int)mpz_fdiv_ui(view, 256);
    }
    pychoral_print_to_stderr(code);
    return PYCHORAL_EXIT_OWN_ERROR;
}

static int end_with(PychoralRole *role, PychoralException *exception)
{
    const PychoralType *row = exception->object.type;
    if (pychoral_derives(row, &pychoral_type_SystemExit)) {
        role->ends_early = true;
        return exit_status(exception);
    }
    if (pychoral_derives(row, &pychoral_type_ChannelError) ||
        pychoral_derives(row, &pychoral_type_Interrupted))
        return end_with_failure(role, (const Failure *)exception);
    return end_with_exception(role, exception);
}

// As Python does where that is asked for.
static void prepare_output(void)
{
    const char *wanted = getenv("PYTHONUNBUFFERED");
    if (wanted != NULL && *wanted != '\0')
        setvbuf(stdout, NULL, _IONBF, 0);
}

// ---- sys.argv ----

static const PychoralType WORDS = {.kind = PYCHORAL_LIST, .size = sizeof(PychoralList *),
                                   .element = &pychoral_type_str, .name = "list[str]"};
static _Thread_local PychoralList *command_line;

PychoralList *pychoral_sys_argv(void)
{
    if (command_line != NULL)
        return command_line;
    bool starts = pychoral_current_role != NULL;    // not so where `--help` shows a default
    const PychoralSettings *settings = starts ? pychoral_current_role->settings : NULL;
    int count = starts ? settings->word_count : 0;
    command_line = pychoral_list_make(&WORDS, (size_t)count);
    for (int i = 0; i < count; i++) {
        PychoralStr *word = pychoral_parameter_word(settings->words[i]);
        pychoral_list_take(command_line, &word);
    }
    return command_line;
}

static void forget_command_line(void)
{
    if (command_line != NULL)
        pychoral_release(&WORDS, &command_line);
    command_line = NULL;
}

// ---- the program ----

int pychoral_run(PychoralRole *role, void (*start)(void))
{
    int status = 0;
    pychoral_current_role = role;
    forget_command_line();              // of what was made before
    pychoral_stack_end = stack_end();
    if (!role->shares_process)
        prepare_output();
    start();
    if (pychoral_raised == NULL)
        pychoral_print_flush();
    if (pychoral_raised != NULL) {
        PychoralException *exception = pychoral_raised;
        pychoral_raised = NULL;
        status = end_with(role, exception);
        pychoral_release(&pychoral_type_BaseException, &exception);
    }
    forget_command_line();
    pychoral_cycles_end();
    pychoral_stack_end = NULL;
    pychoral_current_role = NULL;
    return status;
}

bool pychoral_act_before(PychoralRole *role, void (*act)(PychoralRole *role))
{
    pychoral_current_role = role;
    pychoral_stack_end = stack_end();
    act(role);
    PychoralException *exception = pychoral_raised;
    pychoral_raised = NULL;
    if (exception != NULL) {
        pychoral_print_traceback(exception);
        pychoral_release(&pychoral_type_BaseException, &exception);
    }
    pychoral_stack_end = NULL;
    pychoral_current_role = NULL;
    return exception == NULL;
}

// ---- options and the result ----

void pychoral_option(size_t parameter, void *result)
{
    const PychoralRole *role = pychoral_current_role;
    const PychoralParameter *each = &role->program->parameters[parameter];
    memset(result, 0, each->row->size);
    if (role->settings->values[parameter] != NULL)
        pychoral_assign(each->row, result, role->settings->values[parameter]);
    else
        each->make_default(result);
}

static void print_line(PychoralStr *repr)
{
    if (repr == NULL)
        return;
    pychoral_print_text("=> ", 3);
    pychoral_print_text(repr->data, repr->size);
    pychoral_print_text("\n", 1);
    pychoral_release(&pychoral_type_str, &repr);
}

void pychoral_print_result(const PychoralType *type, const void *value)
{
    print_line(pychoral_repr((PychoralRef){type, value}));
}

// The repr of a tuple of the parts that are here, which are two or more.
static PychoralStr *repr_of_parts(const PychoralType *type, const void *value, const bool *here)
{
    PychoralField *fields = pychoral_allocate_zeroed(type->count, sizeof *fields);
    PychoralType parts = *type;
    parts.fields = fields;
    parts.count = 0;
    for (uint32_t i = 0; i < type->count; i++)
        if (here[i])
            fields[parts.count++] = type->fields[i];
    PychoralStr *repr = pychoral_repr((PychoralRef){&parts, value});
    free(fields);
    return repr;
}

void pychoral_print_result_parts(const PychoralType *type, const void *value, const bool *here)
{
    uint32_t count = 0, last = 0;
    for (uint32_t i = 0; i < type->count; i++)
        if (here[i]) {
            count++;
            last = i;
        }
    if (count == 1)
        pychoral_print_result(type->fields[last].type,
                              (const char *)value + type->fields[last].offset);
    else if (count > 1)
        print_line(repr_of_parts(type, value, here));
}
