// compare.c - == and < of values of any type; contracts in object.h.

#include <math.h>
#include <string.h>

#include "../modules/counter.h"
#include "call.h"
#include "items.h"
#include "table.h"
#include "wire.h"

// ---- methods of classes ----

bool pychoral_ask(const PychoralMethod *method, PychoralRef a, PychoralRef b)
{
    PychoralAny answer;
    PychoralRef arguments[] = {a, b};
    pychoral_call_method(method, 2, arguments, &pychoral_type_object, &answer);
    if (pychoral_raised != NULL || pychoral_declined)
        return false;
    bool truth = pychoral_truth((PychoralRef){&pychoral_type_object, &answer});
    pychoral_release(&pychoral_type_object, &answer);
    return truth;
}

bool pychoral_ask_operator(const PychoralMethod *method, PychoralRef a, PychoralRef b,
                           bool *answer)
{
    *answer = pychoral_ask(method, a, b);
    return !pychoral_declines();
}

static const PychoralMethod *method_of(PychoralRef seen, const char *name)
{
    return pychoral_find_method(seen.type, name);
}

// ---- equality ----

bool pychoral_eq(PychoralRef a, PychoralRef b)
{
    return pychoral_equal_values(a.type, a.value, b.type, b.value);
}

// As items of containers are compared.
static bool equal_items(PychoralRef a, PychoralRef b)
{
    return pychoral_equal_keys(a.type, a.value, b.type, b.value, false);
}

// ---- order ----

enum { LESS = -1, SAME = 0, MORE = 1, NO_ORDER = 2 };

static int sign(int64_t difference) { return (difference > 0) - (difference < 0); }

static int order_ints(PychoralInt a, PychoralInt b)
{
    if (!pychoral_int_is_big(a) && !pychoral_int_is_big(b))
        return (a.small > b.small) - (a.small < b.small);
    mp_limb_t one_limb, other_limb;
    mpz_t one, other;
    pychoral_int_view(&a, &one_limb, one);
    pychoral_int_view(&b, &other_limb, other);
    return sign(mpz_cmp(one, other));
}

static int order_int_float(PychoralInt a, double b)
{
    if (isnan(b))
        return NO_ORDER;
    mp_limb_t limb;
    mpz_t view;
    pychoral_int_view(&a, &limb, view);
    return isinf(b) ? (b > 0 ? LESS : MORE) : sign(mpz_cmp_d(view, b));
}

static int order_numbers(const PychoralNumber *a, const PychoralNumber *b)
{
    if (a->is_int && b->is_int)
        return order_ints(a->whole, b->whole);
    if (a->is_int)
        return order_int_float(a->whole, b->real);
    if (b->is_int) {
        int order = order_int_float(b->whole, a->real);
        return order == NO_ORDER ? order : -order;
    }
    if (isnan(a->real) || isnan(b->real))
        return NO_ORDER;
    return (a->real > b->real) - (a->real < b->real);
}

static int order_texts(const PychoralBytes *a, const PychoralBytes *b)
{
    size_t common = a->size < b->size ? a->size : b->size;
    int order = common == 0 ? 0 : memcmp(a->data, b->data, common);
    return order != 0 ? sign(order) : (a->size > b->size) - (a->size < b->size);
}

static bool holds(int order, char op)
{
    switch (op) {
    case '<': return order == LESS;
    case 'l': return order == LESS || order == SAME;
    case '>': return order == MORE;
    default: return order == MORE || order == SAME;
    }
}

static const char *sign_of(char op)
{
    return op == '<' ? "<" : op == 'l' ? "<=" : op == '>' ? ">" : ">=";
}

static const char *name_of(char op)
{
    return op == '<' ? "__lt__" : op == 'l' ? "__le__" : op == '>' ? "__gt__" : "__ge__";
}

static char mirrored(char op) { return op == '<' ? '>' : op == 'l' ? 'g' : op == '>' ? '<' : 'l'; }

static bool refuse(PychoralRef a, PychoralRef b, char op)
{
    pychoral_throw(&pychoral_type_TypeError,
                   "'%s' not supported between instances of '%s' and '%s'", sign_of(op),
                   pychoral_type_name(a), pychoral_type_name(b));
    return false;
}

// The first items that are not equal decide.
static bool order_items(PychoralRef a, PychoralRef b, char op)
{
    PychoralItems one = pychoral_items(a), other = pychoral_items(b);
    PychoralInt room_a, room_b;
    for (size_t i = 0; i < one.count && i < other.count; i++) {
        PychoralRef x = pychoral_item_ref(&one, i, &room_a);
        PychoralRef y = pychoral_item_ref(&other, i, &room_b);
        if (!equal_items(x, y))
            return pychoral_raised == NULL && pychoral_ordered(x, y, op);
    }
    return holds((one.count > other.count) - (one.count < other.count), op);
}

static bool order_fields(PychoralRef a, PychoralRef b, const PychoralType *type, char op)
{
    const char *one = pychoral_pointer_at(a.value), *other = pychoral_pointer_at(b.value);
    for (uint32_t i = 0; i < type->count; i++) {
        const PychoralField *field = &type->fields[i];
        PychoralRef x = {field->type, one + field->offset};
        PychoralRef y = {field->type, other + field->offset};
        if (!field->ignored && !equal_items(x, y))
            return pychoral_raised == NULL && pychoral_ordered(x, y, op);
    }
    return holds(SAME, op);
}

// Whether each key of `a` is in `b`.
static bool is_within(const PychoralTable *a, const PychoralTable *b)
{
    void *key;
    if (a->count > b->count)
        return false;
    for (uint32_t position = 0; pychoral_table_next(a, &position, &key, NULL);)
        if (pychoral_table_find_of(b, a->object.type->element, key) == NULL)
            return false;
    return true;
}

static bool order_sets(const PychoralTable *a, const PychoralTable *b, char op)
{
    if (op == '>' || op == 'g')
        return order_sets(b, a, mirrored(op));
    return (op == 'l' || a->count < b->count) && is_within(a, b);
}

// An object whose class derives from that of the other is asked first.
static bool is_derived(PychoralRef a, PychoralRef from)
{
    return a.type->kind == PYCHORAL_DATACLASS && from.type->kind == PYCHORAL_DATACLASS &&
           a.type != from.type && pychoral_derives(a.type, from.type);
}

static bool order_objects(PychoralRef a, PychoralRef b, char op)
{
    bool answer, swapped_first = is_derived(b, a);
    const PychoralMethod *method = method_of(b, name_of(mirrored(op)));
    if (swapped_first && method != NULL && pychoral_ask_operator(method, b, a, &answer))
        return answer;
    if (a.type->kind == PYCHORAL_DATACLASS) {
        PychoralSource source = pychoral_source_of_order(a.type, name_of(op));
        if (source.method != NULL && pychoral_ask_operator(source.method, a, b, &answer))
            return answer;
        if (source.made != NULL && b.type->kind == PYCHORAL_DATACLASS &&
            pychoral_same_type(a.type, b.type))
            return order_fields(a, b, source.made, op);
    }
    const PychoralMethod *own = a.type->kind == PYCHORAL_ENUM ? method_of(a, name_of(op)) : NULL;
    if (own != NULL && pychoral_ask_operator(own, a, b, &answer))
        return answer;
    bool answered = !swapped_first && method != NULL &&
                    pychoral_ask_operator(method, b, a, &answer);
    return answered ? answer : refuse(a, b, op);
}

static bool order_of_kinds(PychoralRef a, PychoralRef b, PychoralPlain one, PychoralPlain other,
                           char op)
{
    PychoralKind kind = one.type->kind;
    if ((kind == PYCHORAL_STR || kind == PYCHORAL_BYTES) && kind == other.type->kind)
        return holds(order_texts(pychoral_pointer_at(one.value), pychoral_pointer_at(other.value)),
                     op);
    if (kind == PYCHORAL_LIST && kind == other.type->kind)
        return order_items(a, b, op);
    PychoralRef x = pychoral_as_tuple(a, name_of(op)), y = pychoral_as_tuple(b, NULL);
    if (pychoral_is_tuple(x.type) && pychoral_is_tuple(y.type))
        return order_items(x, y, op);
    if (pychoral_is_set(one.type) && pychoral_is_set(other.type))
        return order_sets(pychoral_pointer_at(one.value), pychoral_pointer_at(other.value), op);
    if (one.type->kind == PYCHORAL_DICT && other.type->kind == PYCHORAL_DICT &&
        pychoral_is_counter(pychoral_pointer_at(one.value)) &&
        pychoral_is_counter(pychoral_pointer_at(other.value)))
        return pychoral_counter_ordered(pychoral_pointer_at(one.value),
                                        pychoral_pointer_at(other.value), op);
    return order_objects(a, b, op);
}

static bool order_fields_of_tuple(PychoralRef a, PychoralRef b, char op)
{
    for (uint32_t i = 0; i < a.type->count; i++) {
        const PychoralField *field = &a.type->fields[i];
        PychoralRef x = {field->type, (const char *)a.value + field->offset};
        PychoralRef y = {field->type, (const char *)b.value + field->offset};
        if (!equal_items(x, y))
            return pychoral_raised == NULL && pychoral_ordered(x, y, op);
    }
    return holds(SAME, op);
}

// What is most often compared, and of one row: without looking at what else it might be.
static bool is_ordered_by_row(PychoralRef a, PychoralRef b, char op, bool *answer)
{
    switch (a.type->kind) {
    case PYCHORAL_INT:
        *answer = holds(order_ints(*(const PychoralInt *)a.value, *(const PychoralInt *)b.value),
                        op);
        return true;
    case PYCHORAL_STR:
        *answer = holds(order_texts(pychoral_pointer_at(a.value), pychoral_pointer_at(b.value)),
                        op);
        return true;
    case PYCHORAL_TUPLE:
        *answer = order_fields_of_tuple(a, b, op);
        return true;
    default:
        return false;
    }
}

bool pychoral_ordered(PychoralRef a, PychoralRef b, char op)
{
    bool answer;
    if (a.type == b.type && is_ordered_by_row(a, b, op, &answer))
        return answer;
    a = pychoral_look(a.type, a.value);
    b = pychoral_look(b.type, b.value);
    PychoralPlain one = pychoral_plain_of(a.type, a.value);
    PychoralPlain other = pychoral_plain_of(b.type, b.value);
    PychoralNumber x, y;
    if (one.type->kind != PYCHORAL_COMPLEX && other.type->kind != PYCHORAL_COMPLEX &&
        pychoral_number_of(one, &x) && pychoral_number_of(other, &y))
        return holds(order_numbers(&x, &y), op);
    return order_of_kinds(a, b, one, other, op);
}
