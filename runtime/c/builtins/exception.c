// exception.c - how exceptions read: str, repr, and the traceback as Python's module prints it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "bytes.h"
#include "generated.h"
#include "list.h"
#include "object.h"
#include "stderr.h"

// ---- their arguments ----

static size_t argument_count(const PychoralException *exception)
{
    return exception->args == NULL ? 0 : exception->args->count;
}

static PychoralRef argument(const PychoralException *exception, size_t index)
{
    return (PychoralRef){&pychoral_type_object,
                         (const PychoralAny *)exception->args->items + index};
}

static bool is(const PychoralException *exception, const PychoralType *class)
{
    return pychoral_derives(exception->object.type, class);
}

// An OSError of a number and a text keeps what follows them elsewhere than in `args`.
static bool is_of_system(const PychoralException *exception)
{
    size_t count = argument_count(exception);
    return is(exception, &pychoral_type_OSError) && count >= 2 && count <= 5;
}

static bool is_given(const PychoralException *exception, size_t index)
{
    return argument_count(exception) > index &&
           pychoral_look(&pychoral_type_object, argument(exception, index).value).type->kind !=
               PYCHORAL_NONE;
}

static bool names_file(const PychoralException *exception)
{
    return is_of_system(exception) && is_given(exception, 2);
}

PychoralAny pychoral_exception_of_system(const PychoralException *exception, size_t index)
{
    if (!is_of_system(exception) || !is_given(exception, index))
        return pychoral_any(&pychoral_type_none, &pychoral_nothing);
    return pychoral_keep_any(*(const PychoralAny *)argument(exception, index).value);
}

PychoralList *pychoral_exception_args(const PychoralException *exception)
{
    if (exception->args == NULL)
        return pychoral_display_list(&pychoral_type_arguments, 0, NULL);
    return names_file(exception) ? pychoral_list_slice(exception->args, 0, 2, 1)
                                 : PYCHORAL_KEEP(exception->args);
}

void pychoral_throw_key(const PychoralType *type, const void *key)
{
    PychoralAny any = pychoral_any(type, key);
    pychoral_throw_with(&pychoral_type_KeyError, 1, &any);
    pychoral_release(&pychoral_type_object, &any);
}

// ---- str and repr ----

// "(1, 'b')", of one "(1,)" or `single`.
static bool add_arguments(PychoralBuild *text, const PychoralException *exception, size_t count,
                          const char *single)
{
    pychoral_build_text(text, "(");
    for (size_t i = 0; i < count; i++) {
        pychoral_build_text(text, i > 0 ? ", " : "");
        if (!pychoral_build_str(text, pychoral_repr(argument(exception, i))))
            return false;
    }
    pychoral_build_text(text, count == 1 ? single : ")");
    return true;
}

static bool add_of_system(PychoralBuild *text, const PychoralException *exception)
{
    pychoral_build_text(text, "[Errno ");
    if (!pychoral_build_str(text, pychoral_str_of(argument(exception, 0))))
        return false;
    pychoral_build_text(text, "] ");
    if (!pychoral_build_str(text, pychoral_str_of(argument(exception, 1))))
        return false;
    if (!names_file(exception))
        return true;
    pychoral_build_text(text, ": ");
    if (!pychoral_build_str(text, pychoral_repr(argument(exception, 2))))
        return false;
    if (!is_given(exception, 4))
        return true;
    pychoral_build_text(text, " -> ");
    return pychoral_build_str(text, pychoral_repr(argument(exception, 4)));
}

static bool add_text(PychoralBuild *text, const PychoralException *exception)
{
    size_t count = argument_count(exception);
    if (count == 1 && is(exception, &pychoral_type_KeyError))
        return pychoral_build_str(text, pychoral_repr(argument(exception, 0)));
    if (count == 1)
        return pychoral_build_str(text, pychoral_str_of(argument(exception, 0)));
    if (is_of_system(exception))
        return add_of_system(text, exception);
    if (count == 5 && (is(exception, &pychoral_type_UnicodeEncodeError) ||
                       is(exception, &pychoral_type_UnicodeDecodeError)))
        return pychoral_build_str(text, pychoral_unicode_error_str(exception->args));
    return count == 0 || add_arguments(text, exception, count, ",)");
}

static PychoralStr *take_if(PychoralBuild *text, bool good)
{
    if (good)
        return pychoral_build_end(text);
    pychoral_build_drop(text);
    return NULL;
}

PychoralStr *pychoral_exception_str(const PychoralException *exception)
{
    PychoralBuild text = {NULL, 0, 0};
    return take_if(&text, add_text(&text, exception));
}

PychoralStr *pychoral_exception_repr(const PychoralException *exception)
{
    PychoralBuild text = {NULL, 0, 0};
    size_t count = argument_count(exception);
    pychoral_build_text(&text, exception->object.type->name);
    count = names_file(exception) ? 2 : count;
    return take_if(&text, add_arguments(&text, exception, count, ")"));
}

PychoralStr *pychoral_exception_line(const PychoralException *exception)
{
    PychoralBuild text = {NULL, 0, 0};
    PychoralException *raised = pychoral_raised;
    pychoral_raised = NULL;
    PychoralStr *str =
        pychoral_str_of((PychoralRef){exception->object.type, (const void *)&exception});
    if (str == NULL) {
        PychoralException *fault = pychoral_raised;
        pychoral_release(&pychoral_type_BaseException, &fault);
    }
    pychoral_raised = raised;
    if (exception->object.type->module != NULL) {
        pychoral_build_text(&text, exception->object.type->module);
        pychoral_build_text(&text, ".");
    }
    pychoral_build_text(&text, exception->object.type->name);
    if (str == NULL || str->size > 0)
        pychoral_build_text(&text, ": ");
    if (!pychoral_build_str(&text, str))
        pychoral_build_text(&text, "<exception str() failed>");
    return pychoral_build_end(&text);
}

// ---- tracebacks ----

// A line of a file without the space around it; false if it cannot be had.
static bool read_line(FILE *file, uint32_t number, char **line, size_t *room)
{
    ssize_t size = -1;
    rewind(file);
    for (uint32_t i = 0; i < number; i++)
        if ((size = getline(line, room, file)) < 0)
            return false;
    const char *space = " \t\r\n\f\v", *start = *line + strspn(*line, space);
    char *end = *line + (size < 0 ? 0 : size);
    while (end > start && strchr(space, end[-1]) != NULL)
        *--end = '\0';
    memmove(*line, start, (size_t)(end - start) + 1);
    return **line != '\0';
}

static void print_source(const PychoralTrace *trace)
{
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(trace->file, "r");
    if (file == NULL)
        return;
    if (trace->line > 0 && read_line(file, trace->line, &line, &room)) {
        pychoral_stderr_puts("    ");
        pychoral_stderr_puts(line);
        pychoral_stderr_puts("\n");
    }
    free(line);
    fclose(file);
}

static bool same_call(const PychoralTrace *a, const PychoralTrace *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0 &&
           strcmp(a->function, b->function) == 0;
}

static void print_repeats(size_t repeats)
{
    enum { SHOWN = 3 };
    char text[80];
    if (repeats <= SHOWN)
        return;
    snprintf(text, sizeof text, "  [Previous line repeated %zu more time%s]\n", repeats - SHOWN,
             repeats - SHOWN == 1 ? "" : "s");
    pychoral_stderr_puts(text);
}

static void print_call(const PychoralTrace *trace)
{
    char line[32];
    pychoral_stderr_puts("  File \"");
    pychoral_stderr_puts(trace->file);
    snprintf(line, sizeof line, "\", line %lu, in ", (unsigned long)trace->line);
    pychoral_stderr_puts(line);
    pychoral_stderr_puts(trace->function);
    pychoral_stderr_puts("\n");
    print_source(trace);
}

static void print_calls(const PychoralTrace *trace)
{
    enum { SHOWN = 3 };
    size_t repeats = 0;
    for (const PychoralTrace *last = NULL; trace != NULL; last = trace, trace = trace->inner) {
        if (last == NULL || !same_call(last, trace)) {
            print_repeats(repeats);
            repeats = 0;
        }
        if (++repeats <= SHOWN)
            print_call(trace);
    }
    print_repeats(repeats);
}

static void print_one(const PychoralException *exception)
{
    if (exception->trace != NULL)
        pychoral_stderr_puts("Traceback (most recent call last):\n");
    print_calls(exception->trace);
    PychoralStr *line = pychoral_exception_line(exception);
    pychoral_stderr_write(line->data, line->size);
    pychoral_stderr_puts("\n");
    pychoral_release(&pychoral_type_str, &line);
}

static PychoralException *exception_in(const PychoralAny *any)
{
    return any->type != NULL && any->type->kind == PYCHORAL_DATACLASS ? any->pointer : NULL;
}

// What comes before an exception in its chain, and the sentence between them; NULL: nothing.
static const PychoralException *before(const PychoralException *exception, const char **sentence)
{
    *sentence = "\nThe above exception was the direct cause of the following exception:\n\n";
    const PychoralException *cause = exception_in(&exception->cause);
    if (cause != NULL || exception->context_is_hidden)
        return cause;
    *sentence = "\nDuring handling of the above exception, another exception occurred:\n\n";
    return exception_in(&exception->context);
}

typedef struct Chain {
    const PychoralException **items;
    size_t count, room;
} Chain;

// False if the exception is there.
static bool chain(Chain *all, const PychoralException *exception)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i] == exception)
            return false;
    if (all->count == all->room) {
        all->room = 2 * all->room + 8;
        all->items = pychoral_reallocate(all->items, all->room * sizeof *all->items);
    }
    all->items[all->count++] = exception;
    return true;
}

void pychoral_print_traceback(const PychoralException *exception)
{
    Chain all = {NULL, 0, 0};
    const char *sentence;
    for (; exception != NULL && chain(&all, exception); exception = before(exception, &sentence))
        continue;
    for (size_t i = all.count; i-- > 0;) {
        print_one(all.items[i]);
        if (i > 0) {
            before(all.items[i - 1], &sentence);
            pychoral_stderr_puts(sentence);
        }
    }
    free(all.items);
    pychoral_stderr_flush();
}
