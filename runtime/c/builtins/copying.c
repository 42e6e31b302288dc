// copying.c - copy.copy and copy.deepcopy; contracts in copying.h.

#include "copying.h"

#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "dict.h"
#include "items.h"
#include "list.h"
#include "iterator_tuple.h"
#include "tables.h"

// What has been copied so far, from and to.
typedef struct Done {
    const void *from;
    PychoralAny to;
} Done;

typedef struct Copies {
    Done *done;
    size_t count, room;
} Copies;

static void copy_deeply(Copies *copies, const PychoralType *type, const void *from, void *to);

static const PychoralAny *find(const Copies *copies, const void *from)
{
    for (size_t i = 0; i < copies->count; i++)
        if (copies->done[i].from == from)
            return &copies->done[i].to;
    return NULL;
}

// Notes a copy before its parts are copied: they may lead back to it.
static void note(Copies *copies, const void *from, const PychoralType *type, const void *to)
{
    if (copies->count == copies->room) {
        copies->room = copies->room * 2 + 8;
        copies->done = pychoral_reallocate(copies->done, copies->room * sizeof *copies->done);
    }
    copies->done[copies->count++] = (Done){from, pychoral_any(type, to)};
}

// ---- objects ----

static void *new_object(const PychoralType *type)
{
    void *object = pychoral_object_new(type);
    if (object == NULL)
        pychoral_no_memory();
    return object;
}

static void copy_fields(Copies *copies, const PychoralObject *from, PychoralObject *to)
{
    const PychoralType *type = from->type;
    for (uint32_t i = 0; i < type->count + type->more && pychoral_raised == NULL; i++) {
        const PychoralField *field = &type->fields[i];
        const void *value = (const char *)from + field->offset;
        if (!field->begun && !pychoral_attribute_set(from, field))
            continue;
        if (field->present != 0)
            *(bool *)((char *)to + field->present) = *(const bool *)((const char *)from +
                                                                     field->present);
        if (field->type->kind == PYCHORAL_NONE)     // it has no place
            continue;
        if (copies == NULL)
            pychoral_assign(field->type, (char *)to + field->offset, value);
        else
            copy_deeply(copies, field->type, value, (char *)to + field->offset);
    }
}

// ---- containers ----

static void copy_items(Copies *copies, const PychoralList *from, PychoralList *to)
{
    const PychoralType *element = from->object.type->element;
    PychoralSlot slot, copy;
    pychoral_slot_open(&slot, element);
    pychoral_slot_open(&copy, element);
    for (size_t i = 0; i < from->count && pychoral_raised == NULL; i++) {
        pychoral_list_get(from, i, slot.item);
        copy_deeply(copies, element, slot.item, copy.item);
        pychoral_release(element, slot.item);
        if (pychoral_raised == NULL)
            pychoral_list_take(to, copy.item);
    }
    pychoral_slot_close(&copy);
    pychoral_slot_close(&slot);
}

static void copy_entries(Copies *copies, const PychoralTable *from, PychoralTable *to)
{
    const PychoralType *type = from->object.type, *row = pychoral_key_row(type);
    bool is_dict = type->kind == PYCHORAL_DICT;
    PychoralSlot key_slot, value_slot;
    void *key, *value;
    pychoral_slot_open(&key_slot, row);
    pychoral_slot_open(&value_slot, is_dict ? type->element : row);
    for (uint32_t position = 0;
         pychoral_raised == NULL && pychoral_table_next(from, &position, &key, &value);) {
        PychoralRef copied = PYCHORAL_NO_REF;
        copy_deeply(copies, row, key, key_slot.item);
        if (pychoral_raised == NULL && is_dict)
            copy_deeply(copies, type->element, value, value_slot.item);
        if (is_dict)
            copied = (PychoralRef){type->element, value_slot.item};
        if (pychoral_raised == NULL)
            pychoral_table_insert(to, (PychoralRef){row, key_slot.item}, copied);
        if (pychoral_raised == NULL && is_dict)
            pychoral_release(type->element, value_slot.item);
        if (pychoral_raised == NULL)
            pychoral_release(row, key_slot.item);
    }
    pychoral_slot_close(&value_slot);
    pychoral_slot_close(&key_slot);
}

// ---- deepcopy ----

static PychoralTable *empty_table(const PychoralTable *from)
{
    PychoralTable *table = pychoral_table_make(from->object.type, 0);
    pychoral_assign_factory(table, from);
    return table;
}

// A copy that has been noted; then its parts.
static void copy_object(Copies *copies, PychoralRef seen, void *to)
{
    const PychoralObject *from = pychoral_pointer_at(seen.value);
    const PychoralAny *done = find(copies, from);
    void *copy;
    if (done != NULL) {
        pychoral_assign(seen.type, to, &done->pointer);
        return;
    }
    if (seen.type->kind == PYCHORAL_LIST || seen.type->kind == PYCHORAL_SEQUENCE)
        copy = pychoral_list_make(from->type, ((const PychoralList *)from)->count);
    else if (seen.type->kind == PYCHORAL_DATACLASS)
        copy = new_object(from->type);
    else
        copy = empty_table((const PychoralTable *)from);
    note(copies, from, seen.type, &copy);
    if (seen.type->kind == PYCHORAL_LIST || seen.type->kind == PYCHORAL_SEQUENCE)
        copy_items(copies, (const PychoralList *)from, copy);
    else if (seen.type->kind == PYCHORAL_DATACLASS)
        copy_fields(copies, from, copy);
    else
        copy_entries(copies, (const PychoralTable *)from, copy);
    if (pychoral_raised != NULL)
        pychoral_release(seen.type, &copy);
    else
        memcpy(to, &copy, sizeof copy);
}

static void copy_parts(Copies *copies, PychoralRef tuple, char *to)
{
    memset(to, 0, tuple.type->size);
    for (uint32_t i = 0; i < tuple.type->count && pychoral_raised == NULL; i++) {
        const PychoralField *field = &tuple.type->fields[i];
        copy_deeply(copies, field->type, (const char *)tuple.value + field->offset,
                    to + field->offset);
    }
}

static bool copy_by_method(PychoralRef seen, const char *name, size_t count,
                           const PychoralType *row, void *result)
{
    const PychoralMethod *method =
        seen.type->kind == PYCHORAL_DATACLASS ? pychoral_find_method(seen.type, name) : NULL;
    static const PychoralType MEMO = {.kind = PYCHORAL_DICT, .size = sizeof(PychoralTable *),
                                      .name = "dict[int, object]", .key = &pychoral_type_int,
                                      .element = &pychoral_type_object};
    if (method == NULL)
        return false;
    PychoralTable *memo = pychoral_table_make(&MEMO, 0);
    PychoralRef arguments[] = {seen, {&MEMO, &memo}};
    pychoral_call_method(method, count, arguments, row, result);
    pychoral_release(&MEMO, &memo);
    return true;
}

static void copy_seen(Copies *copies, PychoralRef seen, void *to)
{
    switch (seen.type->kind) {
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE:
    case PYCHORAL_DICT:
    case PYCHORAL_SET:
    case PYCHORAL_FROZENSET: copy_object(copies, seen, to); return;
    case PYCHORAL_DATACLASS:
        if (!copy_by_method(seen, "__deepcopy__", 2, seen.type, to))
            copy_object(copies, seen, to);
        return;
    case PYCHORAL_TUPLE: copy_parts(copies, seen, to); return;
    default: pychoral_assign(seen.type, to, seen.value); return;
    }
}

// What unions, boxes and objects hold is copied and put into such a one again.
static void copy_deeply(Copies *copies, const PychoralType *type, const void *from, void *to)
{
    if (type->kind != PYCHORAL_UNION && type->kind != PYCHORAL_BOX &&
        type->kind != PYCHORAL_OBJECT) {
        PychoralRef seen = {type, from};
        if (type->kind == PYCHORAL_DATACLASS)
            seen = pychoral_look(type, from);
        copy_seen(copies, seen, to);
        return;
    }
    PychoralRef seen = pychoral_look(type, from);
    PychoralSlot slot;
    pychoral_slot_open(&slot, seen.type);
    copy_seen(copies, seen, slot.item);
    if (pychoral_raised == NULL) {
        pychoral_convert(seen.type, slot.item, type, to);
        pychoral_release(seen.type, slot.item);
    }
    pychoral_slot_close(&slot);
}

void pychoral_deepcopy(PychoralRef value, const PychoralType *row, void *result)
{
    Copies copies = {NULL, 0, 0};
    PychoralSlot slot;
    pychoral_slot_open(&slot, value.type);
    memset(result, 0, row->size);
    copy_deeply(&copies, value.type, value.value, slot.item);
    if (pychoral_raised == NULL) {
        pychoral_convert(value.type, slot.item, row, result);
        pychoral_release(value.type, slot.item);
    }
    for (size_t i = 0; i < copies.count; i++)
        pychoral_release(&pychoral_type_object, &copies.done[i].to);
    free(copies.done);
    pychoral_slot_close(&slot);
}

// ---- copy ----

static void *copy_of(PychoralRef seen)
{
    const PychoralObject *from = pychoral_pointer_at(seen.value);
    if (seen.type->kind == PYCHORAL_LIST)
        return pychoral_list_copy((const PychoralList *)from);
    if (seen.type->kind != PYCHORAL_DATACLASS)
        return pychoral_table_copy((const PychoralTable *)from);
    PychoralObject *copy = new_object(from->type);
    copy_fields(NULL, from, copy);
    return copy;
}

void pychoral_copy(PychoralRef value, const PychoralType *row, void *result)
{
    PychoralRef seen = pychoral_look(value.type, value.value);
    PychoralKind kind = seen.type->kind;
    if (kind != PYCHORAL_LIST && kind != PYCHORAL_DICT && kind != PYCHORAL_SET &&
        kind != PYCHORAL_DATACLASS) {
        pychoral_convert(value.type, value.value, row, result);
        return;
    }
    if (copy_by_method(seen, "__copy__", 1, row, result))
        return;
    void *copy = copy_of(seen);
    pychoral_convert(seen.type, &copy, row, result);
    pychoral_release(seen.type, &copy);
}
