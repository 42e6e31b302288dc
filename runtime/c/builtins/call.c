// call.c - calls with conversions, and methods by name; contracts in call.h and object.h.

#include "call.h"

#include <stdlib.h>
#include <string.h>

_Thread_local bool pychoral_declined;

// ---- methods ----

static const PychoralMethod *own_method(const PychoralType *type, const char *name)
{
    uint32_t low = 0, high = type->method_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(type->methods[middle].name, name);
        if (order == 0)
            return &type->methods[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const PychoralMethod *pychoral_find_method(const PychoralType *type, const char *name)
{
    bool has_methods = type->kind == PYCHORAL_DATACLASS || type->kind == PYCHORAL_ENUM;
    for (; type != NULL && has_methods; type = type->base) {
        const PychoralMethod *method = own_method(type, name);
        if (method != NULL)
            return method;
    }
    return NULL;
}

// Looks for `name` along the line; a class that has none of the flags `not` and all of `with` had
// one made.
static PychoralSource source_of(const PychoralType *type, const char *name, uint32_t not,
                                uint32_t with)
{
    for (; type != NULL; type = type->base) {
        const PychoralMethod *method = own_method(type, name);
        if (method != NULL)
            return (PychoralSource){method, NULL};
        if (!(type->flags & not) && (type->flags & with) == with)
            return (PychoralSource){NULL, type};
    }
    return (PychoralSource){NULL, NULL};
}

PychoralSource pychoral_source_of_eq(const PychoralType *type)
{
    return source_of(type, "__eq__", PYCHORAL_PLAIN | PYCHORAL_IDENTITY, 0);
}

PychoralSource pychoral_source_of_repr(const PychoralType *type)
{
    return source_of(type, "__repr__", PYCHORAL_PLAIN, 0);
}

PychoralSource pychoral_source_of_order(const PychoralType *type, const char *name)
{
    return source_of(type, name, PYCHORAL_PLAIN, PYCHORAL_ORDERED);
}

PychoralSource pychoral_source_of_hash(const PychoralType *type, bool *refused)
{
    *refused = false;
    for (; type != NULL; type = type->base) {
        const PychoralMethod *method = own_method(type, "__hash__");
        if (method != NULL)
            return (PychoralSource){method, NULL};
        bool made = !(type->flags & (PYCHORAL_PLAIN | PYCHORAL_IDENTITY));
        bool equal = own_method(type, "__eq__") != NULL;
        if (made && (type->flags & PYCHORAL_FROZEN) &&
            !(equal && (type->flags & PYCHORAL_DERIVED)))
            return (PychoralSource){NULL, type};
        *refused = made || equal;
        if (*refused)
            break;
    }
    return (PychoralSource){NULL, NULL};
}

bool pychoral_has_own_equality(const PychoralType *type)
{
    if (type->flags & PYCHORAL_IDENTITY)
        return true;
    for (; type != NULL; type = type->base)
        if (own_method(type, "__hash__") != NULL || own_method(type, "__eq__") != NULL)
            return true;
    return false;
}

PychoralRef pychoral_as_tuple(PychoralRef seen, const char *method)
{
    if (!pychoral_is_named_tuple(seen.type) ||
        (method != NULL && pychoral_find_method(seen.type, method) != NULL))
        return seen;
    return (PychoralRef){seen.type->element, *(void *const *)seen.value};
}

// ---- arguments ----

enum { FEW = 6, SMALL = 192 };

// Arguments as the function takes them, and a place for its result.
typedef struct Frame {
    const PychoralType *type;  // of the function
    const PychoralRef *given;
    size_t count;
    void **places;
    char *room;
    void *few[FEW];
    _Alignas(16) char small[SMALL];
} Frame;

static const PychoralType *result_row(const PychoralType *type)
{
    return type->element == NULL ? &pychoral_type_none : type->element;
}

static size_t slot(const PychoralType *type) { return ((size_t)type->size + 15) / 16 * 16; }

static void open_frame(Frame *frame)
{
    size_t size = slot(result_row(frame->type));
    for (size_t i = 0; i < frame->count; i++)
        size += slot(frame->type->fields[i].type);
    frame->room = size <= SMALL ? frame->small : pychoral_allocate(size);
    frame->places =
        frame->count <= FEW ? frame->few : pychoral_allocate(frame->count * sizeof(void *));
    memset(frame->room, 0, size);
}

static bool fits(const PychoralType *given, const PychoralType *wanted)
{
    if (given->kind == PYCHORAL_DATACLASS && wanted->kind == PYCHORAL_DATACLASS)
        return given == wanted || pychoral_derives(given, wanted);
    return pychoral_same_type(given, wanted);
}

// Takes the arguments over that had to be converted.
static bool fill_frame(Frame *frame)
{
    char *at = frame->room + slot(result_row(frame->type));
    for (size_t i = 0; i < frame->count; i++) {
        const PychoralType *wanted = frame->type->fields[i].type;
        bool as_it_is = fits(frame->given[i].type, wanted);
        frame->places[i] = as_it_is ? (void *)(uintptr_t)frame->given[i].value : at;
        if (!as_it_is)
            pychoral_convert(frame->given[i].type, frame->given[i].value, wanted, at);
        at += slot(wanted);
        if (pychoral_raised != NULL) {
            frame->count = i;
            return false;
        }
    }
    return true;
}

static void close_frame(Frame *frame)
{
    for (size_t i = 0; i < frame->count; i++)
        if (frame->places[i] != frame->given[i].value)
            pychoral_release(frame->type->fields[i].type, frame->places[i]);
    if (frame->places != frame->few)
        free(frame->places);
    if (frame->room != frame->small)
        free(frame->room);
}

static void give_result(Frame *frame, const PychoralType *result, void *to)
{
    const PychoralType *row = result_row(frame->type);
    if (pychoral_raised != NULL) {
        memset(to, 0, result->size);
    } else if (pychoral_same_type(row, result)) {
        memcpy(to, frame->room, row->size);
    } else {
        pychoral_convert(row, frame->room, result, to);
        pychoral_release(row, frame->room);
    }
}

static bool is_callable_with(const PychoralType *type, size_t count)
{
    if (type->count == count)
        return true;
    pychoral_throw(&pychoral_type_TypeError,
                   "function takes %u positional arguments but %zu were given", type->count, count);
    return false;
}

// With what the function keeps for its last parameters behind the arguments.
static void call_with_defaults(PychoralFunction *function, size_t count,
                               const PychoralRef *arguments, const PychoralType *result, void *to)
{
    size_t all = function->object.type->count;
    const PychoralField *kept = function->defaults + function->default_count - (all - count);
    PychoralRef *given = pychoral_allocate(all * sizeof *given);
    for (size_t i = 0; i < count; i++)
        given[i] = arguments[i];
    for (size_t i = count; i < all; i++)
        given[i] = (PychoralRef){kept[i - count].type, function->cells + kept[i - count].offset};
    pychoral_call_with(function, all, given, result, to);
    free(given);
}

void pychoral_call_with(PychoralFunction *function, size_t count, const PychoralRef *arguments,
                        const PychoralType *result, void *to)
{
    size_t wanted = function->object.type->count;
    if (count < wanted && wanted - count <= function->default_count) {
        call_with_defaults(function, count, arguments, result, to);
        return;
    }
    Frame frame = {.type = function->object.type, .given = arguments, .count = count};
    memset(to, 0, result->size);
    if (!is_callable_with(frame.type, count))
        return;
    open_frame(&frame);
    if (fill_frame(&frame)) {
        function->call(function, frame.places, frame.room);
        give_result(&frame, result, to);
    }
    close_frame(&frame);
}

void pychoral_call_method(const PychoralMethod *method, size_t count, const PychoralRef *arguments,
                          const PychoralType *result, void *to)
{
    Frame frame = {.type = method->type, .given = arguments, .count = count};
    memset(to, 0, result->size);
    if (!is_callable_with(frame.type, count))
        return;
    open_frame(&frame);
    if (fill_frame(&frame)) {
        method->call(frame.places, frame.room);
        if (!pychoral_declined)
            give_result(&frame, result, to);
    }
    close_frame(&frame);
}

void pychoral_call1(PychoralFunction *function, PychoralRef argument, const PychoralType *result,
                    void *to)
{
    pychoral_call_with(function, 1, &argument, result, to);
}

// ---- functions ----

PychoralFunction *pychoral_function_new(const PychoralType *type, const PychoralType *held,
                                        const char *name,
                                        void (*call)(PychoralFunction *self,
                                                     void *const *arguments, void *result))
{
    size_t cells = held == NULL ? 0 : held->size;
    PychoralFunction *function = pychoral_allocate_zeroed(1, sizeof *function + cells);
    function->object = (PychoralObject){.head = {.refs = 1}, .type = type};
    function->held = held;
    function->call = call;
    function->name = name;
    return function;
}
