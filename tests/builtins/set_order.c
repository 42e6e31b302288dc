// set_order.c - does what set_order.py says with six sets, and answers each line with their order.
//
// A line: an operation, the set that it changes or makes, another set, and a literal.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/builtins.h"
#include "builtins/parameter.h"

enum { SETS = 6, LONGEST = 1 << 20 };

#define ROW(NAME, KIND, ...)                                                                      \
    static const PychoralType NAME = {.kind = (KIND), .size = sizeof(void *), __VA_ARGS__}

ROW(LIST_O, PYCHORAL_LIST, .name = "list", .element = &pychoral_type_object);
ROW(SET_O, PYCHORAL_SET, .name = "set", .element = &pychoral_type_object);
ROW(SET_I, PYCHORAL_SET, .name = "set", .element = &pychoral_type_int);
ROW(FROZEN_O, PYCHORAL_FROZENSET, .name = "frozenset", .element = &pychoral_type_object);

typedef PychoralTable *Operator(const PychoralTable *set, size_t count, const PychoralRef *others,
                                const PychoralType *row);
typedef void Change(PychoralTable *set, PychoralRef other);

static PychoralTable *either(const PychoralTable *set, size_t count, const PychoralRef *others,
                             const PychoralType *row)
{
    (void)count;
    return pychoral_set_symmetric_difference(set, *others, row);
}

static const struct {
    const char *name;
    Operator *operate;
    Change *change;
} OPERATIONS[] = {
    {"and", pychoral_set_intersection, NULL}, {"or", pychoral_set_union, NULL},
    {"sub", pychoral_set_difference, NULL}, {"xor", either, NULL},
    {"iand", NULL, pychoral_set_iand}, {"ior", NULL, pychoral_set_ior},
    {"isub", NULL, pychoral_set_isub}, {"ixor", NULL, pychoral_set_ixor},
};

static PychoralRef set_ref(PychoralTable *const *set)
{
    return (PychoralRef){(*set)->object.type, set};
}

static PychoralTable *made(PychoralTable **set, const char *name, PychoralRef other)
{
    for (size_t i = 0; i < sizeof OPERATIONS / sizeof *OPERATIONS; i++) {
        if (strcmp(name, OPERATIONS[i].name) != 0)
            continue;
        if (OPERATIONS[i].operate != NULL)
            return OPERATIONS[i].operate(*set, 1, &other, (*set)->object.type);
        OPERATIONS[i].change(*set, other);
    }
    return NULL;
}

// What an operation on the set makes; NULL: nothing new.
static PychoralTable *result_of(PychoralTable **set, const char *name, PychoralTable **other,
                                PychoralRef value)
{
    PychoralAny popped;
    if (strcmp(name, "new") == 0)
        return pychoral_set_from(value, &SET_O);
    if (strcmp(name, "ints") == 0)
        return pychoral_set_from(value, &SET_I);
    if (strcmp(name, "frozen") == 0)
        return pychoral_set_from(value, &FROZEN_O);
    if (strcmp(name, "set") == 0)
        return pychoral_set_from(set_ref(other), (*set)->object.type);
    if (strcmp(name, "copy") == 0)
        return pychoral_table_copy(*other);
    if (strcmp(name, "clear") == 0)
        pychoral_set_clear(*set);
    if (strcmp(name, "discard") == 0)
        pychoral_set_discard(*set, value);
    if (strcmp(name, "pop") == 0 && (*set)->count > 0) {
        pychoral_set_pop(*set, &popped);
        pychoral_release((*set)->object.type->element, &popped);
    }
    if (strcmp(name, "add") == 0) {
        pychoral_convert(value.type, value.value, (*set)->object.type->element, &popped);
        pychoral_set_add(*set, &popped);
        pychoral_release((*set)->object.type->element, &popped);
    }
    return made(set, name, value.type->kind == PYCHORAL_NONE ? set_ref(other) : value);
}

static void answer(PychoralTable **set)
{
    PychoralList *list = pychoral_list_from(set_ref(set), &LIST_O);
    PychoralStr *text = pychoral_repr((PychoralRef){&LIST_O, &list});
    puts(text->data);
    pychoral_drop_str(&text);
    pychoral_release(&LIST_O, &list);
}

int main(void)
{
    PychoralTable *sets[SETS];
    char *line = malloc(LONGEST), name[16];
    for (int i = 0; i < SETS; i++)
        sets[i] = pychoral_table_empty(&SET_O);
    int to, from, at;
    while (fgets(line, LONGEST, stdin) != NULL &&
           sscanf(line, "%15s %d %d %n", name, &to, &from, &at) == 3) {
        PychoralAny value = pychoral_literal(line + at, strcspn(line + at, "\n"), false);
        PychoralRef seen = pychoral_look(&pychoral_type_object, &value);
        PychoralTable *result = result_of(&sets[to], name, &sets[from], seen);
        if (result != NULL) {
            pychoral_release(sets[to]->object.type, &sets[to]);
            sets[to] = result;
        }
        pychoral_release(&pychoral_type_object, &value);
        answer(&sets[to]);
    }
    for (int i = 0; i < SETS; i++)
        pychoral_release(sets[i]->object.type, &sets[i]);
    free(line);
    return 0;
}
