// number_protocol.c - numbers of values of any type; contracts in number_protocol.h.

#include "number_protocol.h"

#include <math.h>
#include <string.h>

#include "../plain.h"
#include "bytes.h"
#include "call.h"
#include "number.h"

static PychoralRef seen_of(PychoralRef value)
{
    PychoralPlain plain = pychoral_plain_of(value.type, value.value);
    return pychoral_look(plain.type, plain.value);
}

static PychoralInt int_at(PychoralRef seen)
{
    if (seen.type->kind == PYCHORAL_BOOL)
        return pychoral_int(*(const bool *)seen.value);
    return *(const PychoralInt *)seen.value;
}

static bool is_whole(PychoralRef seen)
{
    return seen.type->kind == PYCHORAL_INT || seen.type->kind == PYCHORAL_BOOL;
}

// The result of the first of these methods that the object has. False: it has none, or it raised.
static bool ask(PychoralRef seen, const char *const *names, const PychoralType *row, void *result)
{
    memset(result, 0, row->size);
    for (; *names != NULL; names++) {
        const PychoralMethod *method = pychoral_find_method(seen.type, *names);
        if (method == NULL)
            continue;
        pychoral_call_method(method, 1, &seen, row, result);
        return pychoral_raised == NULL;
    }
    return false;
}

static void refuse(PychoralRef seen, const char *what)
{
    if (pychoral_raised == NULL)
        pychoral_throw(&pychoral_type_TypeError, "%s, not '%s'", what, pychoral_type_name(seen));
}

double pychoral_float_of(PychoralRef value)
{
    static const char *const METHODS[] = {"__float__", NULL}, *const INDEX[] = {"__index__", NULL};
    PychoralRef seen = seen_of(value);
    PychoralInt number;
    double real;
    switch (seen.type->kind) {
    case PYCHORAL_FLOAT: return *(const double *)seen.value;
    case PYCHORAL_INT:
    case PYCHORAL_BOOL: return pychoral_int_to_double(int_at(seen));
    case PYCHORAL_STR: return pychoral_float_of_str(pychoral_pointer_at(seen.value));
    case PYCHORAL_BYTES: return pychoral_float_of_bytes(pychoral_pointer_at(seen.value));
    default: break;
    }
    if (ask(seen, METHODS, &pychoral_type_float, &real))
        return real;
    if (pychoral_raised == NULL && ask(seen, INDEX, &pychoral_type_int, &number)) {
        real = pychoral_int_to_double(number);
        pychoral_release(&pychoral_type_int, &number);
        return real;
    }
    refuse(seen, "float() argument must be a string or a real number");
    return 0;
}

PychoralInt pychoral_int_of(PychoralRef value)
{
    static const char *const METHODS[] = {"__int__", "__index__", "__trunc__", NULL};
    PychoralRef seen = seen_of(value);
    PychoralInt number, ten = pychoral_int(10);
    switch (seen.type->kind) {
    case PYCHORAL_FLOAT: return pychoral_int_from_float(*(const double *)seen.value);
    case PYCHORAL_INT:
    case PYCHORAL_BOOL: return pychoral_int_pos(int_at(seen));
    case PYCHORAL_STR: return pychoral_int_of_str(pychoral_pointer_at(seen.value), ten);
    case PYCHORAL_BYTES: return pychoral_int_of_bytes_text(pychoral_pointer_at(seen.value), ten);
    default: break;
    }
    if (ask(seen, METHODS, &pychoral_type_int, &number))
        return number;
    refuse(seen, "int() argument must be a string, a bytes-like object or a real number");
    return pychoral_int(0);
}

// Gives an owned value as the result.
static void give(const PychoralType *type, void *value, const PychoralType *row, void *result)
{
    if (pychoral_raised == NULL)
        pychoral_convert(type, value, row, result);
    pychoral_release(type, value);
}

void pychoral_abs_of(PychoralRef value, const PychoralType *row, void *result)
{
    static const char *const METHODS[] = {"__abs__", NULL};
    PychoralRef seen = seen_of(value);
    memset(result, 0, row->size);
    if (is_whole(seen)) {
        PychoralInt number = pychoral_int_abs(int_at(seen));
        give(&pychoral_type_int, &number, row, result);
    } else if (seen.type->kind == PYCHORAL_FLOAT) {
        double real = fabs(*(const double *)seen.value);
        give(&pychoral_type_float, &real, row, result);
    } else if (seen.type->kind == PYCHORAL_COMPLEX) {
        double real = pychoral_complex_abs(*(const PychoralComplex *)seen.value);
        give(&pychoral_type_float, &real, row, result);
    } else if (!ask(seen, METHODS, row, result) && pychoral_raised == NULL) {
        pychoral_throw(&pychoral_type_TypeError, "bad operand type for abs(): '%s'",
                       pychoral_type_name(seen));
    }
}

static void no_round(PychoralRef seen)
{
    if (pychoral_raised == NULL)
        pychoral_throw(&pychoral_type_TypeError, "type %s doesn't define __round__ method",
                       pychoral_type_name(seen));
}

void pychoral_round_of(PychoralRef value, const PychoralType *row, void *result)
{
    static const char *const METHODS[] = {"__round__", NULL};
    PychoralRef seen = seen_of(value);
    memset(result, 0, row->size);
    if (is_whole(seen) || seen.type->kind == PYCHORAL_FLOAT) {
        PychoralInt number = is_whole(seen) ? pychoral_int_pos(int_at(seen))
                                            : pychoral_float_round(*(const double *)seen.value);
        give(&pychoral_type_int, &number, row, result);
    } else if (!ask(seen, METHODS, row, result)) {
        no_round(seen);
    }
}

void pychoral_round_of_to(PychoralRef value, PychoralInt digits, const PychoralType *row,
                          void *result)
{
    PychoralRef seen = seen_of(value);
    const PychoralMethod *method = pychoral_find_method(seen.type, "__round__");
    memset(result, 0, row->size);
    if (is_whole(seen)) {
        PychoralInt number = pychoral_int_round(int_at(seen), digits);
        give(&pychoral_type_int, &number, row, result);
    } else if (seen.type->kind == PYCHORAL_FLOAT) {
        double real = pychoral_float_round_to(*(const double *)seen.value, digits);
        give(&pychoral_type_float, &real, row, result);
    } else if (method != NULL) {
        PychoralRef both[] = {seen, {&pychoral_type_int, &digits}};
        pychoral_call_method(method, 2, both, row, result);
    } else {
        no_round(seen);
    }
}
