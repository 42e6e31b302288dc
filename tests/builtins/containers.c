// containers.c - calls what generated programs do with containers, for containers.py: each line is
// an operation and its arguments, in the notation of `read_value`; the answer is one line.
//
// `new` and a value begin with a receiver, which all operations after it are done on.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/builtins.h"
#include "builtins/cells.h"

// ---- rows ----

#define ROW(NAME, KIND, Type, ...)                                                                \
    static const PychoralType NAME = {.kind = (KIND), .size = sizeof(Type), __VA_ARGS__}

#define OBJECT &pychoral_type_object
ROW(LIST_O, PYCHORAL_LIST, PychoralList *, .name = "list", .element = OBJECT);
ROW(LIST_I, PYCHORAL_LIST, PychoralList *, .name = "list", .element = &pychoral_type_int);
ROW(LIST_F, PYCHORAL_LIST, PychoralList *, .name = "list", .element = &pychoral_type_float);
ROW(LIST_S, PYCHORAL_LIST, PychoralList *, .name = "list", .element = &pychoral_type_str);
ROW(TUPLE_O, PYCHORAL_SEQUENCE, PychoralList *, .name = "tuple", .element = OBJECT);
ROW(DICT_O, PYCHORAL_DICT, PychoralTable *, .name = "dict", .key = OBJECT, .element = OBJECT);
ROW(DICT_I, PYCHORAL_DICT, PychoralTable *, .name = "dict", .key = &pychoral_type_int,
    .element = OBJECT);
ROW(DICT_S, PYCHORAL_DICT, PychoralTable *, .name = "dict", .key = &pychoral_type_str,
    .element = &pychoral_type_int);
ROW(SET_O, PYCHORAL_SET, PychoralTable *, .name = "set", .element = OBJECT);
ROW(SET_I, PYCHORAL_SET, PychoralTable *, .name = "set", .element = &pychoral_type_int);
ROW(FROZEN_O, PYCHORAL_FROZENSET, PychoralTable *, .name = "frozenset", .element = OBJECT);
ROW(ITERATOR_O, PYCHORAL_ITERATOR, PychoralIterator *, .name = "iterator", .element = OBJECT);
ROW(ITERATOR_T, PYCHORAL_ITERATOR, PychoralIterator *, .name = "iterator", .element = &TUPLE_O);
static const PychoralField ONE_ARGUMENT[] = {{.type = OBJECT}};
ROW(FUNCTION, PYCHORAL_FUNCTION, PychoralFunction *, .name = "function", .count = 1,
    .fields = ONE_ARGUMENT, .element = OBJECT);

// ---- a class with methods of its own: K(v), by its last digit; negative ones raise ----

typedef struct K {
    PychoralObject object;
    PychoralInt v;
} K;

static int64_t digit_of(const void *argument)
{
    const PychoralAny *any = argument;
    PychoralRef seen = pychoral_look(&pychoral_type_object, any);
    const K *k = NULL;
    if (seen.type->kind == PYCHORAL_DATACLASS)
        memcpy(&k, seen.value, sizeof k);
    if (k == NULL || k->object.type->body != sizeof(K))
        return -1;
    if (k->v.small < 0)
        pychoral_throw(&pychoral_type_ValueError, "bad");
    return k->v.small % 10;
}

static int64_t digit_of_self(const void *argument)
{
    const K *k;
    memcpy(&k, argument, sizeof k);
    if (k->v.small < 0)
        pychoral_throw(&pychoral_type_ValueError, "bad");
    return k->v.small % 10;
}

static void k_eq(void *const *arguments, void *result)
{
    int64_t one = digit_of_self(arguments[0]);
    *(bool *)result = pychoral_raised == NULL && digit_of(arguments[1]) == one;
}

static void k_lt(void *const *arguments, void *result)
{
    int64_t one = digit_of_self(arguments[0]);
    *(bool *)result = pychoral_raised == NULL && one < digit_of(arguments[1]);
}

static void k_hash(void *const *arguments, void *result)
{
    *(PychoralInt *)result = pychoral_int(digit_of_self(arguments[0]));
}

static void k_repr(void *const *arguments, void *result)
{
    char text[64];
    const K *k;
    memcpy(&k, arguments[0], sizeof k);
    int size = snprintf(text, sizeof text, "K(%lld)", (long long)k->v.small);
    *(PychoralStr **)result = pychoral_str_new(text, (size_t)size);
}

extern const PychoralType K_ROW;
static const PychoralField SELF[] = {{.type = &K_ROW}};
static const PychoralField SELF_OTHER[] = {{.type = &K_ROW}, {.type = OBJECT}};
ROW(K_EQ, PYCHORAL_FUNCTION, void *, .count = 2, .fields = SELF_OTHER,
    .element = &pychoral_type_bool);
ROW(K_HASH, PYCHORAL_FUNCTION, void *, .count = 1, .fields = SELF, .element = &pychoral_type_int);
ROW(K_REPR, PYCHORAL_FUNCTION, void *, .count = 1, .fields = SELF, .element = &pychoral_type_str);
static const PychoralMethod K_METHODS[] = {
    {"__eq__", &K_EQ, k_eq}, {"__hash__", &K_HASH, k_hash}, {"__lt__", &K_EQ, k_lt},
    {"__repr__", &K_REPR, k_repr}};
static const PychoralField K_FIELDS[] = {
    {.type = &pychoral_type_int, .offset = offsetof(K, v), .name = "v"}};
const PychoralType K_ROW = {.kind = PYCHORAL_DATACLASS, .size = sizeof(void *), .body = sizeof(K),
                            .number = 1, .flags = PYCHORAL_PLAIN, .count = 1, .name = "K",
                            .fields = K_FIELDS, .method_count = 4, .methods = K_METHODS};

// ---- dataclasses: P(x, y) frozen and in order, Q(v) neither ----

typedef struct P {
    PychoralObject object;
    PychoralAny x, y;
} P;

static const PychoralField P_FIELDS[] = {
    {.type = OBJECT, .offset = offsetof(P, x), .name = "x"},
    {.type = OBJECT, .offset = offsetof(P, y), .name = "y"}};
ROW(P_ROW, PYCHORAL_DATACLASS, void *, .body = sizeof(P), .number = 2, .name = "P",
    .flags = PYCHORAL_FROZEN | PYCHORAL_ORDERED, .count = 2, .fields = P_FIELDS);
ROW(Q_ROW, PYCHORAL_DATACLASS, void *, .body = sizeof(P), .number = 3, .name = "Q", .count = 1,
    .fields = P_FIELDS);

// ---- values as text: words with a space between them ----

static char *word(void) { return strtok(NULL, " \n"); }

static PychoralInt read_int(const char *digits)
{
    PychoralStr text = PYCHORAL_CONSTANT("", PYCHORAL_ASCII);
    text.data = digits;
    text.size = strlen(digits);
    return pychoral_int_of_str(&text, pychoral_int(10));
}

static PychoralAny read_word(char *at);

static PychoralAny hold(const PychoralType *type, void *pointer)
{
    return (PychoralAny){.type = type, .pointer = pointer};
}

static void drop(PychoralAny *any) { pychoral_release(&pychoral_type_object, any); }

static PychoralRef ref(const PychoralAny *any) { return (PychoralRef){&pychoral_type_object, any}; }

static PychoralStr *read_hex(const char *at)
{
    char text[1024];
    size_t size = 0;
    for (unsigned byte; at[0] != '\0' && sscanf(at, "%2x", &byte) == 1; at += 2)
        text[size++] = (char)byte;
    return pychoral_str_new(text, size);
}

static PychoralAny read_items(const PychoralType *row)
{
    PychoralList *list = pychoral_list_empty(row);
    for (char *at = word(); strcmp(at, "]") != 0; at = word()) {
        PychoralAny item = read_word(at);
        char room[sizeof(PychoralInt)];
        pychoral_convert(&pychoral_type_object, &item, row->element,
                         row->element == OBJECT ? (void *)&item : room);
        pychoral_list_take(list, row->element == OBJECT ? (void *)&item : room);
        drop(&item);
    }
    return hold(row, list);
}

static PychoralAny read_dict(const PychoralType *row)
{
    PychoralTable *dict = pychoral_table_empty(row);
    for (char *at = word(); strcmp(at, "]") != 0; at = word()) {
        PychoralAny key = read_word(at), value = read_word(word());
        PychoralList *pair = pychoral_list_empty(&TUPLE_O);
        pychoral_list_take(pair, &key);
        pychoral_list_take(pair, &value);
        PychoralAny pairs = hold(&TUPLE_O, pychoral_list_empty(&TUPLE_O));
        PychoralAny one = hold(&TUPLE_O, pair);
        pychoral_list_take(pairs.pointer, &one);
        pychoral_dict_update(dict, ref(&pairs));
        drop(&pairs);
    }
    return hold(row, dict);
}

static PychoralAny read_set(const PychoralType *row)
{
    PychoralAny items = read_items(&LIST_O);
    PychoralTable *set = pychoral_set_from(ref(&items), row);
    drop(&items);
    return set == NULL ? (PychoralAny){.type = NULL} : hold(row, set);
}

static PychoralAny read_object(const PychoralType *row)
{
    P *object = pychoral_object_new(row);
    object->x = read_word(word());
    if (row == &P_ROW)
        object->y = read_word(word());
    return hold(row, object);
}

static PychoralAny read_range(void)
{
    PychoralAny parts[3] = {read_word(word()), read_word(word()), read_word(word())};
    PychoralRange *range =
        pychoral_range_new(parts[0].number, parts[1].number, parts[2].number);
    for (int i = 0; i < 3; i++)
        drop(&parts[i]);
    return range == NULL ? (PychoralAny){.type = NULL} : hold(&pychoral_type_range, range);
}

static PychoralAny read_bracket(const char *at)
{
    switch (*at) {
    case 'o': return read_items(&LIST_O);
    case 'i': return read_items(&LIST_I);
    case 'f': return read_items(&LIST_F);
    case 's': return read_items(&LIST_S);
    case 't': return read_items(&TUPLE_O);
    case 'D': return read_dict(&DICT_O);
    case 'I': return read_dict(&DICT_I);
    case 'S': return read_dict(&DICT_S);
    case 'e': return read_set(&SET_O);
    case 'E': return read_set(&SET_I);
    default: return read_set(&FROZEN_O);
    }
}

static PychoralAny read_word(char *at)
{
    PychoralAny any = {.type = NULL};
    switch (*at) {
    case 'N': return (PychoralAny){.type = &pychoral_type_none};
    case 'B': return (PychoralAny){.type = &pychoral_type_bool, .truth = at[1] == '1'};
    case 'i':
        return (PychoralAny){.type = &pychoral_type_int, .number = read_int(at + 1)};
    case 'f': return (PychoralAny){.type = &pychoral_type_float, .real = strtod(at + 1, NULL)};
    case 's': return hold(&pychoral_type_str, read_hex(at + 1));
    case '[': return read_bracket(at + 1);
    case 'P': return read_object(&P_ROW);
    case 'Q': return read_object(&Q_ROW);
    case 'r': return read_range();
    case 'K': {
        K *k = pychoral_object_new(&K_ROW);
        k->v = pychoral_int(atoll(at + 1));
        return hold(&K_ROW, k);
    }
    default: return any;
    }
}

// ---- functions that are passed ----

static void call_named(PychoralFunction *self, void *const *arguments, void *result)
{
    PychoralRef argument = {&pychoral_type_object, arguments[0]};
    PychoralAny *to = result;
    if (strcmp(self->name, "repr") == 0) {
        *to = hold(&pychoral_type_str, pychoral_repr(argument));
    } else if (strcmp(self->name, "bool") == 0) {
        *to = (PychoralAny){.type = &pychoral_type_bool, .truth = pychoral_truth(argument)};
    } else if (strcmp(self->name, "len") == 0) {
        *to = (PychoralAny){.type = &pychoral_type_int,
                            .number = pychoral_int(pychoral_len(argument))};
    } else {
        *to = (PychoralAny){.type = &pychoral_type_none};
    }
}

static PychoralFunction *function_of(const char *name)
{
    return *name == '-' ? NULL : pychoral_function_new(&FUNCTION, NULL, name, call_named);
}

// ---- answers ----

static bool answer_raised(void)
{
    PychoralException *raised =
        pychoral_raised == NULL ? NULL : pychoral_catch(&pychoral_type_BaseException);
    if (raised == NULL)
        return false;
    PychoralStr *text = pychoral_exception_repr(raised);
    printf("! %s", text->data);
    pychoral_drop_str(&text);
    pychoral_handled(raised);
    return true;
}

static void print_text(PychoralStr *text)
{
    if (text != NULL)
        fwrite(text->data, 1, text->size, stdout);
    pychoral_drop_str(&text);
}

// Sets are shown in the order of their elements' reprs.
static void show(const PychoralAny *value)
{
    bool is_set = value->type->kind == PYCHORAL_SET || value->type->kind == PYCHORAL_FROZENSET;
    if (!is_set) {
        print_text(pychoral_repr(ref(value)));
        answer_raised();
        return;
    }
    PychoralFunction *function = function_of("repr");
    PychoralIterator *items = pychoral_iter(OBJECT, ref(value));
    PychoralIterator *reprs = pychoral_map(function, 1, &items, &ITERATOR_O);
    PychoralAny sorted =
        hold(&LIST_S, pychoral_sorted((PychoralRef){&ITERATOR_O, &reprs}, NULL, false, &LIST_S));
    print_text(pychoral_repr(ref(&sorted)));
    drop(&sorted);
    pychoral_iterator_drop(reprs);
    pychoral_iterator_drop(items);
    pychoral_release(&FUNCTION, &function);
}

// None is answered with nothing.
static void answer(PychoralAny value)
{
    if (!answer_raised() && value.type != NULL && value.type->kind != PYCHORAL_NONE)
        show(&value);
    drop(&value);
}

static void answer_bool(bool truth)
{
    answer((PychoralAny){.type = &pychoral_type_bool, .truth = truth});
}

static void answer_place(int64_t place)
{
    answer((PychoralAny){.type = &pychoral_type_int, .number = pychoral_int(place)});
}

static void answer_pointer(const PychoralType *row, void *pointer)
{
    answer(pointer == NULL ? (PychoralAny){.type = NULL} : hold(row, pointer));
}

// What an iterator gives, at most 50 items.
static void answer_iterator(PychoralIterator *iterator)
{
    if (iterator == NULL) {
        answer_raised();
        return;
    }
    PychoralList *list = pychoral_list_empty(&LIST_O);
    PychoralSlot slot;
    pychoral_slot_open(&slot, pychoral_item_row(iterator));
    while (list->count < 50 && pychoral_next_item(iterator, slot.item)) {
        PychoralAny item = pychoral_any(slot.row, slot.item);
        pychoral_release(slot.row, slot.item);
        pychoral_list_take(list, &item);
    }
    pychoral_slot_close(&slot);
    PychoralAny items = hold(&LIST_O, list);
    answer_raised();
    show(&items);
    drop(&items);
    pychoral_iterator_drop(iterator);
}

// ---- operations ----

static PychoralAny receiver;
static PychoralAny given[4];
static size_t given_count;

static int64_t place(size_t i, int64_t missing)
{
    PychoralAny *any = &given[i];
    return any->type->kind == PYCHORAL_NONE ? missing : pychoral_index(any->number);
}

static int64_t step(size_t i) { return place(i, 1); }

static int64_t start(size_t i, size_t by)
{
    return place(i, step(by) < 0 ? INT64_MAX : 0);
}

static int64_t stop(size_t i, size_t by)
{
    return place(i, step(by) < 0 ? INT64_MIN : INT64_MAX);
}

static const PychoralType *row(void) { return receiver.type; }
static const PychoralType *element(void) { return receiver.type->element; }

// Arguments as the receiver's items have them.
typedef struct Room {
    const PychoralType *type;  // NULL: empty
    _Alignas(16) char value[32];
} Room;

static Room rooms[4];

static void *as_item(size_t i, const PychoralType *type)
{
    rooms[i] = (Room){.type = type};
    pychoral_convert(&pychoral_type_object, &given[i], type, rooms[i].value);
    return rooms[i].value;
}

static void drop_arguments(void)
{
    for (size_t i = 0; i < 4; i++) {
        if (i < given_count)
            drop(&given[i]);
        if (rooms[i].type != NULL)
            pychoral_release(rooms[i].type, rooms[i].value);
        rooms[i].type = NULL;
    }
    given_count = 0;
}

static void out(const PychoralType *type, void *value)
{
    PychoralAny any = {.type = NULL};
    if (pychoral_raised == NULL)
        any = pychoral_any(type, value);
    pychoral_release(type, value);
    answer(any);
}

static bool list_operation(const char *op)
{
    PychoralList *list = receiver.pointer;
    _Alignas(16) char room[32] = {0};
    if (strcmp(op, "get") == 0) {
        pychoral_list_item(list, place(0, 0), room);
        out(element(), room);
    } else if (strcmp(op, "slice") == 0) {
        answer_pointer(row(), pychoral_list_slice(list, start(0, 2), stop(1, 2), step(2)));
    } else if (strcmp(op, "count") == 0) {
        answer_place(pychoral_list_count(list, ref(&given[0])));
    } else if (strcmp(op, "index") == 0) {
        answer_place(pychoral_list_index(list, ref(&given[0]), place(1, 0), place(2, INT64_MAX)));
    } else if (strcmp(op, "add") == 0) {
        answer_pointer(row(), pychoral_list_add(ref(&receiver), ref(&given[0]), row()));
    } else if (strcmp(op, "mul") == 0) {
        answer_pointer(row(), pychoral_list_repeat(list, place(0, 0)));
    } else if (strcmp(op, "copy") == 0) {
        answer_pointer(row(), pychoral_list_copy(list));
    } else {
        return false;
    }
    return true;
}

static bool change_list(const char *op)
{
    PychoralList *list = receiver.pointer;
    _Alignas(16) char room[32] = {0};
    if (strcmp(op, "set") == 0) {
        pychoral_list_put(list, place(0, 0), as_item(1, element()));
    } else if (strcmp(op, "setslice") == 0) {
        pychoral_list_put_slice(list, start(0, 2), stop(1, 2), step(2), ref(&given[3]));
    } else if (strcmp(op, "del") == 0) {
        pychoral_list_delete(list, place(0, 0));
    } else if (strcmp(op, "delslice") == 0) {
        pychoral_list_delete_slice(list, start(0, 2), stop(1, 2), step(2));
    } else if (strcmp(op, "append") == 0) {
        pychoral_list_push(list, as_item(0, element()));
    } else if (strcmp(op, "extend") == 0) {
        pychoral_list_extend(list, ref(&given[0]));
    } else if (strcmp(op, "insert") == 0) {
        pychoral_list_insert(list, place(0, 0), as_item(1, element()));
    } else if (strcmp(op, "remove") == 0) {
        pychoral_list_remove(list, ref(&given[0]));
    } else if (strcmp(op, "clear") == 0) {
        pychoral_list_clear(list);
    } else if (strcmp(op, "reverse") == 0) {
        pychoral_list_reverse(list);
    } else if (strcmp(op, "sort") == 0) {
        pychoral_list_sort(list, NULL, given[0].truth);
    } else if (strcmp(op, "sortrepr") == 0) {
        PychoralFunction *key = function_of("repr");
        pychoral_list_sort(list, key, given[0].truth);
        pychoral_release(&FUNCTION, &key);
    } else if (strcmp(op, "imul") == 0) {
        pychoral_list_repeat_in_place(list, place(0, 0));
    } else if (strcmp(op, "pop") == 0) {
        pychoral_list_pop(list, place(0, -1), room);
        out(element(), room);
    } else {
        return false;
    }
    return true;
}

static bool dict_operation(const char *op)
{
    PychoralTable *dict = receiver.pointer;
    const PychoralType *key = receiver.type->key;
    PychoralAny result = {.type = NULL};
    if (strcmp(op, "item") == 0) {
        _Alignas(16) char room[32] = {0};
        pychoral_dict_item(dict, as_item(0, key), room);
        out(element(), room);
    } else if (strcmp(op, "put") == 0) {
        pychoral_dict_put(dict, as_item(0, key), as_item(1, element()));
    } else if (strcmp(op, "delete") == 0) {
        pychoral_dict_delete(dict, ref(&given[0]));
    } else if (strcmp(op, "dget") == 0) {
        pychoral_dict_get(dict, ref(&given[0]), ref(&given[1]), OBJECT, &result);
        answer(result);
    } else if (strcmp(op, "dpop") == 0) {
        pychoral_dict_pop(dict, ref(&given[0]), given_count > 1 ? ref(&given[1]) : PYCHORAL_NO_REF,
                          OBJECT, &result);
        answer(result);
    } else if (strcmp(op, "popitem") == 0) {
        static const PychoralField PAIR_FIELDS[] = {{.type = OBJECT},
                                                    {.type = OBJECT, .offset = 24}};
        ROW(PAIR, PYCHORAL_TUPLE, PychoralAny[2], .count = 2, .fields = PAIR_FIELDS);
        PychoralAny pair[2] = {{.type = NULL}, {.type = NULL}};
        pychoral_dict_popitem(dict, &PAIR, pair);
        out(&PAIR, pair);
    } else if (strcmp(op, "setdefault") == 0) {
        pychoral_dict_setdefault(dict, ref(&given[0]), ref(&given[1]), OBJECT, &result);
        answer(result);
    } else if (strcmp(op, "update") == 0) {
        pychoral_dict_update(dict, ref(&given[0]));
    } else if (strcmp(op, "dor") == 0) {
        answer_pointer(row(), pychoral_dict_or(ref(&receiver), ref(&given[0]), row()));
    } else if (strcmp(op, "keys") == 0) {
        answer_iterator(pychoral_dict_keys(dict, &ITERATOR_O));
    } else if (strcmp(op, "values") == 0) {
        answer_iterator(pychoral_dict_values(dict, &ITERATOR_O));
    } else if (strcmp(op, "items") == 0) {
        answer_iterator(pychoral_dict_items(dict, &ITERATOR_T));
    } else if (strcmp(op, "dclear") == 0) {
        pychoral_dict_clear(dict);
    } else if (strcmp(op, "dcopy") == 0) {
        answer_pointer(row(), pychoral_table_copy(dict));
    } else {
        return false;
    }
    return true;
}

static bool set_operation(const char *op)
{
    PychoralTable *set = receiver.pointer;
    PychoralRef others[] = {ref(&given[0]), ref(&given[1])};
    if (strcmp(op, "sadd") == 0)
        pychoral_set_add(set, as_item(0, element()));
    else if (strcmp(op, "discard") == 0)
        pychoral_set_discard(set, others[0]);
    else if (strcmp(op, "sremove") == 0)
        pychoral_set_remove(set, others[0]);
    else if (strcmp(op, "union") == 0)
        answer_pointer(&SET_O, pychoral_set_union(set, 2, others, &SET_O));
    else if (strcmp(op, "intersection") == 0)
        answer_pointer(&SET_O, pychoral_set_intersection(set, 2, others, &SET_O));
    else if (strcmp(op, "difference") == 0)
        answer_pointer(&SET_O, pychoral_set_difference(set, 2, others, &SET_O));
    else if (strcmp(op, "symmetric_difference") == 0)
        answer_pointer(&SET_O, pychoral_set_symmetric_difference(set, others[0], &SET_O));
    else if (strcmp(op, "iand") == 0)
        pychoral_set_iand(set, others[0]);
    else if (strcmp(op, "isub") == 0)
        pychoral_set_isub(set, others[0]);
    else if (strcmp(op, "ixor") == 0)
        pychoral_set_ixor(set, others[0]);
    else if (strcmp(op, "isdisjoint") == 0)
        answer_bool(pychoral_set_isdisjoint(set, others[0]));
    else if (strcmp(op, "issubset") == 0)
        answer_bool(pychoral_set_issubset(set, others[0]));
    else if (strcmp(op, "issuperset") == 0)
        answer_bool(pychoral_set_issuperset(set, others[0]));
    else
        return false;
    return true;
}

static bool any_operation(const char *op)
{
    PychoralRef self = ref(&receiver), other = ref(&given[0]);
    PychoralAny result = {.type = NULL};
    if (strcmp(op, "eq") == 0)
        answer_bool(pychoral_eq(self, other));
    else if (strcmp(op, "lt") == 0)
        answer_bool(pychoral_ordered(self, other, '<'));
    else if (strcmp(op, "le") == 0)
        answer_bool(pychoral_ordered(self, other, 'l'));
    else if (strcmp(op, "gt") == 0)
        answer_bool(pychoral_ordered(self, other, '>'));
    else if (strcmp(op, "ge") == 0)
        answer_bool(pychoral_ordered(self, other, 'g'));
    else if (strcmp(op, "contains") == 0)
        answer_bool(pychoral_contains(self, other));
    else if (strcmp(op, "len") == 0)
        answer_place(pychoral_len(self));
    else if (strcmp(op, "bool") == 0)
        answer_bool(pychoral_truth(self));
    else if (strcmp(op, "hash") == 0)
        answer_place(pychoral_hash_of(self));
    else if (strcmp(op, "subscript") == 0) {
        pychoral_subscript(self, other, OBJECT, &result);
        answer(result);
    } else if (strcmp(op, "deepcopy") == 0) {
        pychoral_deepcopy(self, OBJECT, &result);
        answer(result);
    } else if (strcmp(op, "str") == 0) {
        answer_pointer(&pychoral_type_str, pychoral_str_of(self));
    } else {
        return false;
    }
    return true;
}

static bool reduce_operation(const char *op, PychoralIterator *items, PychoralFunction *function)
{
    PychoralAny result = {.type = NULL};
    if (strcmp(op, "sum") == 0)
        pychoral_sum(items, ref(&given[0]), OBJECT, &result);
    else if (strcmp(op, "min") == 0)
        pychoral_min(items, NULL, PYCHORAL_NO_REF, OBJECT, &result);
    else if (strcmp(op, "max") == 0)
        pychoral_max(items, NULL, PYCHORAL_NO_REF, OBJECT, &result);
    else if (strcmp(op, "minrepr") == 0)
        pychoral_min(items, function, ref(&given[0]), OBJECT, &result);
    else if (strcmp(op, "any") == 0)
        result = (PychoralAny){.type = &pychoral_type_bool, .truth = pychoral_any_of(items)};
    else if (strcmp(op, "all") == 0)
        result = (PychoralAny){.type = &pychoral_type_bool, .truth = pychoral_all_of(items)};
    else
        return false;
    answer(result);
    return true;
}

static bool iterator_operation(const char *op, PychoralIterator *items, PychoralIterator *others,
                               PychoralFunction *function)
{
    PychoralIterator *both[] = {items, others};
    PychoralIterator *result = NULL;
    if (strcmp(op, "enumerate") == 0)
        result = pychoral_enumerate(items, given[0].number, &ITERATOR_T);
    else if (strcmp(op, "zip") == 0)
        result = pychoral_zip(2, both, given[1].truth, &ITERATOR_T);
    else if (strcmp(op, "maprepr") == 0)
        result = pychoral_map(function, 1, both, &ITERATOR_O);
    else if (strcmp(op, "filter") == 0)
        result = pychoral_filter(NULL, items, &ITERATOR_O);
    else if (strcmp(op, "cycle") == 0)
        result = pychoral_itertools_cycle(items, &ITERATOR_O);
    else if (strcmp(op, "chain") == 0)
        result = pychoral_itertools_chain(2, both, &ITERATOR_O);
    else if (strcmp(op, "islice") == 0)
        result = pychoral_itertools_islice(items, ref(&given[0]), ref(&given[1]), ref(&given[2]),
                                           &ITERATOR_O);
    else if (strcmp(op, "combinations") == 0)
        result = pychoral_itertools_combinations(items, place(0, 0), &ITERATOR_T);
    else if (strcmp(op, "permutations") == 0)
        result = pychoral_itertools_permutations(items, place(0, INT64_MIN), &ITERATOR_T);
    else if (strcmp(op, "pairwise") == 0)
        result = pychoral_itertools_pairwise(items, &ITERATOR_T);
    else if (strcmp(op, "repeat") == 0)
        result = pychoral_itertools_repeat(ref(&receiver), place(0, INT64_MIN), &ITERATOR_O);
    else if (strcmp(op, "count") == 0)
        result = pychoral_itertools_count(ref(&given[0]), ref(&given[1]), &ITERATOR_O);
    else if (strcmp(op, "takewhile") == 0)
        result = pychoral_itertools_takewhile(function, items, &ITERATOR_O);
    else if (strcmp(op, "dropwhile") == 0)
        result = pychoral_itertools_dropwhile(function, items, &ITERATOR_O);
    else if (strcmp(op, "filterfalse") == 0)
        result = pychoral_itertools_filterfalse(NULL, items, &ITERATOR_O);
    else
        return false;
    answer_iterator(result);
    return true;
}

static void iterate(const char *op)
{
    if (strcmp(op, "reversed") == 0) {
        answer_iterator(pychoral_reversed(ref(&receiver), &ITERATOR_O));
        return;
    }
    PychoralFunction *function = function_of(strstr(op, "while") != NULL ? "bool" : "repr");
    PychoralIterator *items = pychoral_iter(OBJECT, ref(&receiver));
    PychoralIterator *others = given_count == 0 ? NULL : pychoral_iter(OBJECT, ref(&given[0]));
    if (pychoral_raised != NULL && items != NULL) {
        pychoral_handled(pychoral_catch(&pychoral_type_TypeError));
        others = items;
        pychoral_retain(&pychoral_type_iterator, &others);
    }
    if (items == NULL)
        answer_raised();
    else if (!reduce_operation(op, items, function) &&
             !iterator_operation(op, items, others, function))
        printf("unknown operation %s", op);
    if (items != NULL)
        pychoral_iterator_drop(items);
    if (others != NULL)
        pychoral_iterator_drop(others);
    pychoral_release(&FUNCTION, &function);
}

static bool operate_by_kind(const char *op)
{
    switch (receiver.type->kind) {
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE: return list_operation(op) || change_list(op);
    case PYCHORAL_DICT: return dict_operation(op);
    case PYCHORAL_SET:
    case PYCHORAL_FROZENSET: return set_operation(op);
    default: return false;
    }
}

static void operate(char *op)
{
    bool about_items = *op == '*';
    if (about_items)
        iterate(op + 1);
    else if (!any_operation(op) && !operate_by_kind(op))
        printf("unknown operation %s", op);
    answer_raised();
    printf(" | ");
    show(&receiver);
}

static bool read_arguments(void)
{
    given_count = 0;
    for (char *at = word(); at != NULL && given_count < 4; at = word())
        given[given_count++] = read_word(at);
    for (size_t i = 0; i < given_count; i++)
        if (given[i].type == NULL)
            return false;
    return true;
}

int main(void)
{
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *op = strtok(line, " \n");
        if (strcmp(op, "new") == 0) {
            drop(&receiver);
            receiver = read_word(word());
            if (!answer_raised())
                show(&receiver);
            else
                receiver = (PychoralAny){.type = &pychoral_type_none};
        } else if (read_arguments()) {
            operate(op);
        } else {
            answer_raised();
        }
        drop_arguments();
        putchar('\n');
    }
    drop(&receiver);
    return 0;
}
