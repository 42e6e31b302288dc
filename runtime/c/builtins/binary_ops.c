// binary_ops.c - operators by what the operands are; the contract is in binary_ops.h.

#include "binary_ops.h"

#include <stdio.h>
#include <string.h>

#include "../modules/counter.h"
#include "../plain.h"
#include "bytes.h"
#include "call.h"
#include "dict.h"
#include "format.h"
#include "items.h"
#include "list.h"
#include "number.h"
#include "range.h"
#include "set.h"
#include "str.h"

static const char *const SIGNS[] = {"+",  "-",  "*", "@", "/", "%", "** or pow()",
                                    "<<", ">>", "|", "^", "&", "//", "divmod()"};
static const char *const NAMES[] = {"add", "sub", "mul", "matmul", "truediv", "mod", "pow",
                                    "lshift", "rshift", "or", "xor", "and", "floordiv",
                                    "divmod"};

static const PychoralType LIST_OF_OBJECTS = {
    .kind = PYCHORAL_LIST, .size = sizeof(PychoralList *), .element = &pychoral_type_object,
    .name = "list[object]"};
static const PychoralType SEQUENCE_OF_OBJECTS = {
    .kind = PYCHORAL_SEQUENCE, .size = sizeof(PychoralList *), .element = &pychoral_type_object,
    .name = "tuple[object, ...]"};
static const PychoralType SET_OF_OBJECTS = {
    .kind = PYCHORAL_SET, .size = sizeof(PychoralTable *), .element = &pychoral_type_object,
    .name = "set[object]"};
static const PychoralType FROZENSET_OF_OBJECTS = {
    .kind = PYCHORAL_FROZENSET, .size = sizeof(PychoralTable *),
    .element = &pychoral_type_object, .name = "frozenset[object]"};
static const PychoralType DICT_OF_OBJECTS = {
    .kind = PYCHORAL_DICT, .size = sizeof(PychoralTable *), .key = &pychoral_type_object,
    .element = &pychoral_type_object, .name = "dict[object, object]"};
static const PychoralField INTS[] = {
    {.type = &pychoral_type_int, .offset = offsetof(PychoralIntPair, first)},
    {.type = &pychoral_type_int, .offset = offsetof(PychoralIntPair, second)}};
static const PychoralType PAIR_OF_INTS = {
    .kind = PYCHORAL_TUPLE, .size = sizeof(PychoralIntPair), .count = 2, .fields = INTS,
    .name = "tuple[int, int]"};
static const PychoralField FLOATS[] = {
    {.type = &pychoral_type_float, .offset = offsetof(PychoralFloatPair, first)},
    {.type = &pychoral_type_float, .offset = offsetof(PychoralFloatPair, second)}};
static const PychoralType PAIR_OF_FLOATS = {
    .kind = PYCHORAL_TUPLE, .size = sizeof(PychoralFloatPair), .count = 2, .fields = FLOATS,
    .name = "tuple[float, float]"};

// What an operation works on, and where its result goes.
typedef struct Operation {
    PychoralOperator operator;
    bool in_place;
    PychoralRef a, b;
    const PychoralType *row;
    void *result;
} Operation;

// Gives an owned value as the result.
static bool give(const Operation *o, const PychoralType *type, void *value)
{
    if (pychoral_raised == NULL) {
        pychoral_convert(type, value, o->row, o->result);
        pychoral_release(type, value);
    }
    return true;
}

// ---- numbers ----

static bool give_int(const Operation *o, PychoralInt number)
{
    return give(o, &pychoral_type_int, &number);
}

static bool give_float(const Operation *o, double number)
{
    return give(o, &pychoral_type_float, &number);
}

static bool give_power(const Operation *o, PychoralInt a, PychoralInt b)
{
    PychoralAny power = pychoral_int_pow_any(a, b);
    return give(o, &pychoral_type_object, &power);
}

static bool give_quotient(const Operation *o, PychoralInt a, PychoralInt b)
{
    PychoralIntPair pair;
    pychoral_int_divmod(a, b, &pair);
    return give(o, &PAIR_OF_INTS, &pair);
}

static bool give_float_quotient(const Operation *o, double a, double b)
{
    PychoralFloatPair pair;
    pychoral_float_divmod(a, b, &pair);
    return give(o, &PAIR_OF_FLOATS, &pair);
}

static bool of_ints(const Operation *o, PychoralInt a, PychoralInt b)
{
    switch (o->operator) {
    case PYCHORAL_ADD: return give_int(o, pychoral_int_add(a, b));
    case PYCHORAL_SUB: return give_int(o, pychoral_int_sub(a, b));
    case PYCHORAL_MUL: return give_int(o, pychoral_int_mul(a, b));
    case PYCHORAL_TRUEDIV: return give_float(o, pychoral_int_truediv(a, b));
    case PYCHORAL_FLOORDIV: return give_int(o, pychoral_int_floordiv(a, b));
    case PYCHORAL_MOD: return give_int(o, pychoral_int_mod(a, b));
    case PYCHORAL_POW: return give_power(o, a, b);
    case PYCHORAL_LSHIFT: return give_int(o, pychoral_int_lshift(a, b));
    case PYCHORAL_RSHIFT: return give_int(o, pychoral_int_rshift(a, b));
    case PYCHORAL_OR: return give_int(o, pychoral_int_or(a, b));
    case PYCHORAL_XOR: return give_int(o, pychoral_int_xor(a, b));
    case PYCHORAL_AND: return give_int(o, pychoral_int_and(a, b));
    case PYCHORAL_DIVMOD: return give_quotient(o, a, b);
    case PYCHORAL_MATMUL: break;
    }
    return false;
}

static bool of_bools(const Operation *o, bool a, bool b)
{
    bool truth = o->operator == PYCHORAL_OR ? a || b : o->operator == PYCHORAL_AND ? a && b
                                                                                   : a != b;
    return give(o, &pychoral_type_bool, &truth);
}

static bool of_floats(const Operation *o, double a, double b)
{
    switch (o->operator) {
    case PYCHORAL_ADD: return give_float(o, a + b);
    case PYCHORAL_SUB: return give_float(o, a - b);
    case PYCHORAL_MUL: return give_float(o, a * b);
    case PYCHORAL_TRUEDIV: return give_float(o, pychoral_float_truediv(a, b));
    case PYCHORAL_FLOORDIV: return give_float(o, pychoral_float_floordiv(a, b));
    case PYCHORAL_MOD: return give_float(o, pychoral_float_mod(a, b));
    case PYCHORAL_POW: return give_float(o, pychoral_float_pow(a, b));
    case PYCHORAL_DIVMOD: return give_float_quotient(o, a, b);
    case PYCHORAL_LSHIFT: case PYCHORAL_RSHIFT: case PYCHORAL_OR: case PYCHORAL_XOR:
    case PYCHORAL_AND: case PYCHORAL_MATMUL: break;
    }
    return false;
}

static bool of_complexes(const Operation *o, PychoralComplex a, PychoralComplex b)
{
    PychoralComplex number;
    switch (o->operator) {
    case PYCHORAL_ADD: number = pychoral_complex_add(a, b); break;
    case PYCHORAL_SUB: number = pychoral_complex_sub(a, b); break;
    case PYCHORAL_MUL: number = pychoral_complex_mul(a, b); break;
    case PYCHORAL_TRUEDIV: number = pychoral_complex_truediv(a, b); break;
    case PYCHORAL_POW: number = pychoral_complex_pow(a, b); break;
    default: return false;
    }
    return give(o, &pychoral_type_complex, &number);
}

static bool is_whole(PychoralKind kind) { return kind == PYCHORAL_BOOL || kind == PYCHORAL_INT; }

static bool is_number(PychoralKind kind) { return is_whole(kind) || kind == PYCHORAL_FLOAT; }

// An int, or a bool in its shape, as it stands or in an int's place.
static PychoralInt whole_of(PychoralRef seen)
{
    return seen.type->kind == PYCHORAL_BOOL ? pychoral_int_bool(*(const bool *)seen.value)
                                            : *(const PychoralInt *)seen.value;
}

static double real_of(PychoralRef seen)
{
    double number = 0;
    pychoral_convert(seen.type, seen.value, &pychoral_type_float, &number);
    return number;
}

static PychoralComplex complex_of(PychoralRef seen)
{
    PychoralComplex number = {0, 0};
    pychoral_convert(seen.type, seen.value, &pychoral_type_complex, &number);
    return number;
}

static bool is_truth(PychoralRef seen)
{
    return seen.type->kind == PYCHORAL_BOOL || pychoral_int_is_bool(whole_of(seen));
}

static bool of_numbers(const Operation *o)
{
    PychoralKind a = o->a.type->kind, b = o->b.type->kind;
    bool bitwise = o->operator == PYCHORAL_OR || o->operator == PYCHORAL_AND ||
                   o->operator == PYCHORAL_XOR;
    if (is_whole(a) && is_whole(b)) {
        if (bitwise && is_truth(o->a) && is_truth(o->b))
            return of_bools(o, whole_of(o->a).small, whole_of(o->b).small);
        return of_ints(o, whole_of(o->a), whole_of(o->b));
    }
    if (is_number(a) && is_number(b)) {
        double x = real_of(o->a), y = pychoral_raised == NULL ? real_of(o->b) : 0;
        return pychoral_raised != NULL || of_floats(o, x, y);
    }
    PychoralComplex x = complex_of(o->a), y = {0, 0};
    if (pychoral_raised == NULL)
        y = complex_of(o->b);
    return pychoral_raised != NULL || of_complexes(o, x, y);
}

// ---- sequences ----

static bool is_sequence(PychoralRef seen)
{
    PychoralKind kind = seen.type->kind;
    return kind == PYCHORAL_STR || kind == PYCHORAL_BYTES || kind == PYCHORAL_LIST ||
           pychoral_is_tuple(seen.type);
}

// The row for a list or tuple of the items of both.
static const PychoralType *common_row(PychoralRef a, PychoralRef b)
{
    if (a.type->kind != PYCHORAL_TUPLE && pychoral_same_type(a.type, b.type))
        return a.type;
    return a.type->kind == PYCHORAL_LIST ? &LIST_OF_OBJECTS : &SEQUENCE_OF_OBJECTS;
}

static bool concatenate(const Operation *o)
{
    PychoralKind kind = o->a.type->kind;
    const void *a = o->a.value, *b = o->b.value;
    if (kind == PYCHORAL_STR) {
        PychoralStr *text = pychoral_str_add(pychoral_pointer_at(a), pychoral_pointer_at(b));
        return give(o, &pychoral_type_str, &text);
    }
    if (kind == PYCHORAL_BYTES) {
        PychoralBytes *bytes = pychoral_bytes_add(pychoral_pointer_at(a), pychoral_pointer_at(b));
        return give(o, &pychoral_type_bytes, &bytes);
    }
    const PychoralType *row = common_row(o->a, o->b);
    PychoralList *list = pychoral_list_add(o->a, o->b, row);
    return give(o, row, &list);
}

static bool is_alike(PychoralRef a, PychoralRef b)
{
    return a.type->kind == b.type->kind ||
           (pychoral_is_tuple(a.type) && pychoral_is_tuple(b.type));
}

static bool add_sequence(const Operation *o)
{
    const char *a = pychoral_type_name(o->a), *b = pychoral_type_name(o->b);
    if (is_alike(o->a, o->b))
        return concatenate(o);
    if (o->a.type->kind == PYCHORAL_BYTES)
        pychoral_throw(&pychoral_type_TypeError, "can't concat %s to bytes", b);
    else
        pychoral_throw(&pychoral_type_TypeError, "can only concatenate %s (not \"%s\") to %s", a, b,
                       a);
    return true;
}

static bool repeat(const Operation *o, PychoralRef what, PychoralRef count)
{
    const PychoralType *row = what.type;
    void *made;
    if (!is_whole(count.type->kind)) {
        pychoral_throw(&pychoral_type_TypeError, "can't multiply sequence by non-int of type '%s'",
                       pychoral_type_name(count));
        return true;
    }
    int64_t times = pychoral_int_fit(whole_of(count),
                                     "cannot fit 'int' into an index-sized integer");
    if (pychoral_raised != NULL)
        return true;
    if (row->kind == PYCHORAL_LIST && o->in_place) {
        pychoral_list_repeat_in_place(pychoral_pointer_at(what.value), times);
        if (pychoral_raised == NULL)
            pychoral_convert(row, what.value, o->row, o->result);
        return true;
    }
    if (row->kind == PYCHORAL_STR)
        made = pychoral_str_repeat(pychoral_pointer_at(what.value), times);
    else if (row->kind == PYCHORAL_BYTES)
        made = pychoral_bytes_repeat(pychoral_pointer_at(what.value), times);
    else if (row->kind == PYCHORAL_LIST)
        made = pychoral_list_repeat(pychoral_pointer_at(what.value), times);
    else {
        row = row->kind == PYCHORAL_SEQUENCE ? row : &SEQUENCE_OF_OBJECTS;
        made = pychoral_tuple_repeat(what, times, row);
    }
    return give(o, row, &made);
}

static bool percent(const Operation *o)
{
    if (o->a.type->kind == PYCHORAL_STR) {
        PychoralStr *text = pychoral_str_percent(pychoral_pointer_at(o->a.value), o->b);
        return give(o, &pychoral_type_str, &text);
    }
    PychoralBytes *bytes = pychoral_bytes_percent(pychoral_pointer_at(o->a.value), o->b);
    return give(o, &pychoral_type_bytes, &bytes);
}

static bool of_sequences(const Operation *given)
{
    Operation o = *given;
    o.a = pychoral_as_tuple(o.a, NULL);
    o.b = pychoral_as_tuple(o.b, NULL);
    if (o.operator == PYCHORAL_ADD && is_sequence(o.a))
        return add_sequence(&o);
    if (o.operator == PYCHORAL_MUL && is_sequence(o.a))
        return repeat(&o, o.a, o.b);
    return o.operator == PYCHORAL_MUL && is_sequence(o.b) && repeat(&o, o.b, o.a);
}

// `a += b` of a list, set or dict: changes it, and gives it.
static bool change(const Operation *o)
{
    PychoralKind kind = o->a.type->kind;
    void *object = pychoral_pointer_at(o->a.value);
    if (kind == PYCHORAL_DICT && pychoral_is_counter(object)) {
        if (!pychoral_counter_in_place(o->operator, o->a, o->b))
            return false;
    } else if (kind == PYCHORAL_LIST && o->operator == PYCHORAL_ADD)
        pychoral_list_extend(object, o->b);
    else if (kind == PYCHORAL_DICT && o->operator == PYCHORAL_OR)
        pychoral_dict_update(object, o->b);
    else if (kind == PYCHORAL_SET && o->operator == PYCHORAL_OR && pychoral_is_set(o->b.type))
        pychoral_set_update(object, 1, &o->b);
    else if (kind == PYCHORAL_SET && o->operator == PYCHORAL_AND && pychoral_is_set(o->b.type))
        pychoral_set_intersection_update(object, 1, &o->b);
    else if (kind == PYCHORAL_SET && o->operator == PYCHORAL_SUB && pychoral_is_set(o->b.type))
        pychoral_set_difference_update(object, 1, &o->b);
    else if (kind == PYCHORAL_SET && o->operator == PYCHORAL_XOR && pychoral_is_set(o->b.type))
        pychoral_set_symmetric_difference_update(object, o->b);
    else
        return false;
    if (pychoral_raised == NULL)
        pychoral_convert(o->a.type, o->a.value, o->row, o->result);
    return true;
}

// ---- sets and dicts ----

static bool of_sets(const Operation *o)
{
    bool same = pychoral_same_type(o->a.type, o->b.type);
    const PychoralType *row = same ? o->a.type : o->a.type->kind == PYCHORAL_SET
                                                     ? &SET_OF_OBJECTS
                                                     : &FROZENSET_OF_OBJECTS;
    PychoralTable *set;
    switch (o->operator) {
    case PYCHORAL_OR: set = pychoral_set_or(o->a, o->b, row); break;
    case PYCHORAL_AND: set = pychoral_set_and(o->a, o->b, row); break;
    case PYCHORAL_SUB: set = pychoral_set_sub(o->a, o->b, row); break;
    case PYCHORAL_XOR: set = pychoral_set_xor(o->a, o->b, row); break;
    default: return false;
    }
    return give(o, row, &set);
}

static bool of_dicts(const Operation *o)
{
    const PychoralType *row = o->row->kind == PYCHORAL_DICT                 ? o->row
                              : pychoral_same_type(o->a.type, o->b.type) ? o->a.type
                                                                         : &DICT_OF_OBJECTS;
    PychoralTable *dict = o->operator == PYCHORAL_OR
                              ? pychoral_dict_or(o->a, o->b, row)
                              : pychoral_counter_binary(o->operator, o->a, o->b, row);
    return (dict != NULL || pychoral_raised != NULL) && give(o, row, &dict);
}

// ---- all ----

static bool call_method(PychoralRef self, const char *prefix, const char *name, size_t count,
                        const PychoralRef *arguments, const PychoralType *row, void *result)
{
    char text[24];
    snprintf(text, sizeof text, "__%s%s__", prefix, name);
    const PychoralMethod *method = pychoral_find_method(self.type, text);
    if (method != NULL)
        pychoral_call_method(method, count, arguments, row, result);
    return method != NULL && !pychoral_declines();
}

// Whether the class of `b` derives from that of `a`, and has a swapped operator of its own: it is
// asked first.
static bool is_asked_first(const Operation *o, const char *name)
{
    char text[24];
    if (o->a.type->kind != PYCHORAL_DATACLASS || o->b.type->kind != PYCHORAL_DATACLASS ||
        o->a.type == o->b.type || !pychoral_derives(o->b.type, o->a.type))
        return false;
    snprintf(text, sizeof text, "__r%s__", name);
    return pychoral_find_method(o->a.type, text) != pychoral_find_method(o->b.type, text);
}

static bool by_methods(const Operation *o)
{
    const char *name = NAMES[o->operator];
    PychoralRef swapped[] = {o->b, o->a}, straight[] = {o->a, o->b};
    if (o->in_place && call_method(o->a, "i", name, 2, straight, o->row, o->result))
        return true;
    bool first = is_asked_first(o, name);
    return (first && call_method(o->b, "r", name, 2, swapped, o->row, o->result)) ||
           call_method(o->a, "", name, 2, straight, o->row, o->result) ||
           (!first && call_method(o->b, "r", name, 2, swapped, o->row, o->result));
}

static bool operate(const Operation *o)
{
    PychoralKind a = o->a.type->kind, b = o->b.type->kind;
    bool complexes = (is_number(a) || a == PYCHORAL_COMPLEX) &&
                     (is_number(b) || b == PYCHORAL_COMPLEX);
    if (complexes)
        return of_numbers(o);
    if (by_methods(o))
        return true;
    if (o->in_place && change(o))
        return true;
    if (o->operator == PYCHORAL_MOD && (a == PYCHORAL_STR || a == PYCHORAL_BYTES))
        return percent(o);
    if (of_sequences(o))
        return true;
    if (pychoral_is_set(o->a.type) && pychoral_is_set(o->b.type))
        return of_sets(o);
    return a == PYCHORAL_DICT && b == PYCHORAL_DICT && of_dicts(o);
}

// What a value is; a member of IntEnum or StrEnum is its number or text.
static PychoralRef operand(PychoralRef value)
{
    PychoralRef seen = pychoral_look(value.type, value.value);
    if (seen.type->kind == PYCHORAL_ENUM && seen.type->element != NULL)
        seen = pychoral_enum_value(seen);
    return seen;
}

static void not_supported(const char *sign, const char *equals, PychoralRef a, PychoralRef b)
{
    pychoral_throw(&pychoral_type_TypeError, "unsupported operand type(s) for %s%s: '%s' and '%s'",
                   sign, equals, pychoral_type_name(a), pychoral_type_name(b));
}

void pychoral_not_supported(const char *sign, PychoralRef a, PychoralRef b)
{
    not_supported(sign, "", a, b);
}

void pychoral_binary(PychoralOperator operator, bool in_place, PychoralRef a, PychoralRef b,
                     const PychoralType *row, void *result)
{
    Operation o = {operator, in_place, operand(a), operand(b), row, result};
    memset(result, 0, row->size);
    if (!operate(&o))
        not_supported(operator == PYCHORAL_POW && in_place ? "**" : SIGNS[operator],
                      in_place ? "=" : "", a, b);
}

static bool operate_on(const Operation *o)
{
    PychoralKind kind = o->a.type->kind;
    const char *name = o->operator == PYCHORAL_SUB   ? "neg"
                       : o->operator == PYCHORAL_ADD ? "pos"
                                                     : "invert";
    if (is_whole(kind)) {
        PychoralInt number = whole_of(o->a);
        return give_int(o, o->operator == PYCHORAL_SUB   ? pychoral_int_neg(number)
                           : o->operator == PYCHORAL_ADD ? pychoral_int_pos(number)
                                                         : pychoral_int_invert(number));
    }
    if (kind == PYCHORAL_FLOAT && o->operator != PYCHORAL_XOR) {
        double number = *(const double *)o->a.value;
        return give_float(o, o->operator == PYCHORAL_SUB ? -number : number);
    }
    if (kind == PYCHORAL_COMPLEX && o->operator != PYCHORAL_XOR) {
        PychoralComplex number = *(const PychoralComplex *)o->a.value;
        number = o->operator == PYCHORAL_SUB ? pychoral_complex_neg(number) : number;
        return give(o, &pychoral_type_complex, &number);
    }
    if (kind == PYCHORAL_DICT) {
        PychoralTable *counter = pychoral_counter_unary(o->operator, o->a, o->a.type);
        return (counter != NULL || pychoral_raised != NULL) && give(o, o->a.type, &counter);
    }
    return call_method(o->a, "", name, 1, &o->a, o->row, o->result);
}

void pychoral_unary(PychoralOperator operator, PychoralRef a, const PychoralType *row, void *result)
{
    Operation o = {operator, false, operand(a), PYCHORAL_NO_REF, row, result};
    memset(result, 0, row->size);
    if (!operate_on(&o))
        pychoral_throw(&pychoral_type_TypeError, "bad operand type for unary %s: '%s'",
                       operator == PYCHORAL_XOR ? "~" : SIGNS[operator], pychoral_type_name(a));
}

// ---- items ----

void pychoral_slice(PychoralRef value, int64_t start, int64_t stop, int64_t step,
                    const PychoralType *row, void *result)
{
    PychoralRef seen = pychoral_as_tuple(pychoral_look(value.type, value.value), "__getitem__");
    Operation o = {PYCHORAL_ADD, false, seen, PYCHORAL_NO_REF, row, result};
    const PychoralType *type = seen.type;
    const void *object = seen.value;
    void *part;
    memset(result, 0, row->size);
    switch (type->kind) {
    case PYCHORAL_STR:
        part = pychoral_str_slice(pychoral_pointer_at(object), start, stop, step);
        break;
    case PYCHORAL_BYTES:
        part = pychoral_bytes_slice(pychoral_pointer_at(object), start, stop, step);
        break;
    case PYCHORAL_LIST: case PYCHORAL_SEQUENCE:
        part = pychoral_list_slice(pychoral_pointer_at(object), start, stop, step);
        break;
    case PYCHORAL_TUPLE:
        type = &SEQUENCE_OF_OBJECTS;
        part = pychoral_tuple_slice(seen, start, stop, step, type);
        break;
    case PYCHORAL_RANGE:
        part = pychoral_range_slice(pychoral_pointer_at(object), start, stop, step);
        break;
    case PYCHORAL_DICT:
        pychoral_throw(&pychoral_type_TypeError, "unhashable type: 'slice'");
        return;
    default:
        pychoral_throw(&pychoral_type_TypeError, "'%s' object is not subscriptable",
                       pychoral_type_name(seen));
        return;
    }
    (void)give(&o, type, &part);
}

// A value of another row in a place of its own, until it is released.
typedef struct Converted {
    const PychoralType *row;
    _Alignas(16) char place[64];
    char *value;
} Converted;

static bool convert(Converted *to, PychoralRef from, const PychoralType *row)
{
    to->row = row;
    to->value = row->size <= sizeof to->place ? to->place : pychoral_allocate(row->size);
    memset(to->value, 0, row->size);
    pychoral_convert(from.type, from.value, row, to->value);
    return pychoral_raised == NULL;
}

static void finish(Converted *c)
{
    pychoral_release(c->row, c->value);
    if (c->value != c->place)
        free(c->value);
}

// The key of a list as a place in it. False: it is none, and raised.
static bool place_of(PychoralRef key, int64_t *place)
{
    PychoralRef seen = operand(key);
    if (!is_whole(seen.type->kind)) {
        pychoral_throw(&pychoral_type_TypeError, "list indices must be integers or slices, not %s",
                       pychoral_type_name(key));
        return false;
    }
    *place = pychoral_index(whole_of(seen));
    return pychoral_raised == NULL;
}

static void put_in_list(PychoralList *list, PychoralRef key, PychoralRef value)
{
    int64_t place;
    Converted item;
    if (!place_of(key, &place))
        return;
    if (convert(&item, value, list->object.type->element))
        pychoral_list_put(list, place, item.value);
    finish(&item);
}

static void put_in_dict(PychoralTable *dict, PychoralRef key, PychoralRef value)
{
    Converted k, v;
    if (convert(&k, key, dict->object.type->key)) {
        if (convert(&v, value, dict->object.type->element))
            pychoral_dict_put(dict, k.value, v.value);
        finish(&v);
    }
    finish(&k);
}

void pychoral_put_item(PychoralRef base, PychoralRef key, PychoralRef value)
{
    PychoralRef seen = pychoral_look(base.type, base.value), arguments[] = {seen, key, value};
    const PychoralMethod *method = pychoral_find_method(seen.type, "__setitem__");
    PychoralNone none;
    if (seen.type->kind == PYCHORAL_LIST)
        put_in_list(pychoral_pointer_at(seen.value), key, value);
    else if (seen.type->kind == PYCHORAL_DICT)
        put_in_dict(pychoral_pointer_at(seen.value), key, value);
    else if (method != NULL)
        pychoral_call_method(method, 3, arguments, &pychoral_type_none, &none);
    else
        pychoral_throw(&pychoral_type_TypeError, "'%s' object does not support item assignment",
                       pychoral_type_name(seen));
}

void pychoral_delete_item(PychoralRef base, PychoralRef key)
{
    PychoralRef seen = pychoral_look(base.type, base.value), arguments[] = {seen, key};
    const PychoralMethod *method = pychoral_find_method(seen.type, "__delitem__");
    PychoralNone none;
    int64_t place;
    if (seen.type->kind == PYCHORAL_LIST) {
        if (place_of(key, &place))
            pychoral_list_delete(pychoral_pointer_at(seen.value), place);
    } else if (seen.type->kind == PYCHORAL_DICT) {
        pychoral_dict_delete(pychoral_pointer_at(seen.value), key);
    } else if (method != NULL) {
        pychoral_call_method(method, 2, arguments, &pychoral_type_none, &none);
    } else {
        pychoral_throw(&pychoral_type_TypeError, "'%s' object doesn't support item deletion",
                       pychoral_type_name(seen));
    }
}

// ---- calls ----

enum { MOST_ARGUMENTS = 32 };

void pychoral_call_value(PychoralRef callee, size_t count, const PychoralRef *arguments,
                         const PychoralType *row, void *result)
{
    PychoralRef seen = pychoral_look(callee.type, callee.value), all[MOST_ARGUMENTS];
    const PychoralMethod *method = pychoral_find_method(seen.type, "__call__");
    memset(result, 0, row->size);
    if (seen.type->kind == PYCHORAL_FUNCTION) {
        pychoral_call_with(pychoral_pointer_at(seen.value), count, arguments, row, result);
    } else if (method != NULL && count < MOST_ARGUMENTS) {
        all[0] = seen;
        for (size_t i = 0; i < count; i++)
            all[i + 1] = arguments[i];
        pychoral_call_method(method, count + 1, all, row, result);
    } else {
        pychoral_throw(&pychoral_type_TypeError, "'%s' object is not callable",
                       pychoral_type_name(seen));
    }
}
