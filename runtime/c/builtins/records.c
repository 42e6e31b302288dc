// records.c - dataclasses.asdict and astuple; contracts in records.h.

#include "records.h"

#include <string.h>

#include "copying.h"
#include "dict.h"
#include "generated.h"
#include "items.h"
#include "list.h"

// What a value becomes that a dataclass may stand in: its own row has no place for a dict.
static const PychoralType
    LIST = {.kind = PYCHORAL_LIST, .size = sizeof(PychoralList *),
            .element = &pychoral_type_object, .name = "list[object]"},
    BY_TEXT = {.kind = PYCHORAL_DICT, .size = sizeof(PychoralTable *), .key = &pychoral_type_str,
               .element = &pychoral_type_object, .name = "dict[str, object]"},
    BY_ANY = {.kind = PYCHORAL_DICT, .size = sizeof(PychoralTable *), .key = &pychoral_type_object,
              .element = &pychoral_type_object, .name = "dict[object, object]"};

typedef struct Way {
    bool as_dict;
    const PychoralType *row;    // of what a dataclass becomes
} Way;

static PychoralAny part_of(const Way *way, PychoralRef value);

static bool is_record(const PychoralType *type)
{
    return type->kind == PYCHORAL_DATACLASS &&
           (type->flags & (PYCHORAL_PLAIN | PYCHORAL_NAMED_TUPLE)) == 0;
}

static bool is_named_tuple(const PychoralType *type)
{
    return type->kind == PYCHORAL_DATACLASS && (type->flags & PYCHORAL_NAMED_TUPLE) != 0;
}

// Whether no dataclass stands in such a value: it is copied as it is.
static bool is_flat(const PychoralType *type)
{
    switch (type->kind) {
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE: return is_flat(type->element);
    case PYCHORAL_DICT: return is_flat(type->key) && is_flat(type->element);
    case PYCHORAL_TUPLE:
    case PYCHORAL_UNION:
        for (uint32_t i = 0; i < type->count; i++)
            if (!is_flat(type->fields[i].type))
                return false;
        return true;
    case PYCHORAL_DATACLASS:
    case PYCHORAL_OBJECT:
    case PYCHORAL_BOX: return false;
    default: return true;
    }
}

static bool is_field(const PychoralField *field)
{
    return field->name != NULL && !field->attribute;    // an exception has others
}

static void *record(const Way *way, const PychoralObject *object)
{
    const PychoralType *type = object->type;
    PychoralTable *dict = way->as_dict ? pychoral_table_empty(way->row) : NULL;
    PychoralList *tuple = way->as_dict ? NULL : pychoral_list_new(way->row, type->count);
    for (uint32_t i = 0; i < type->count && pychoral_raised == NULL; i++) {
        const PychoralField *field = &type->fields[i];
        if (!is_field(field))
            continue;
        PYCHORAL_OWNED(any) PychoralAny part =
            part_of(way, (PychoralRef){field->type, (const char *)object + field->offset});
        PYCHORAL_OWNED(str) PychoralStr *name = pychoral_str_new(field->name, strlen(field->name));
        if (pychoral_raised == NULL && way->as_dict)
            pychoral_dict_put(dict, &name, &part);
        else if (pychoral_raised == NULL)
            pychoral_list_push(tuple, &part);
    }
    return way->as_dict ? (void *)dict : tuple;
}

static PychoralList *items_of(const Way *way, PychoralRef seen, const PychoralType *row)
{
    PychoralItems items = pychoral_items(seen);
    PychoralList *list = pychoral_list_new(row, items.count);
    for (size_t i = 0; i < items.count && pychoral_raised == NULL; i++) {
        PychoralInt room;
        PYCHORAL_OWNED(any) PychoralAny part = part_of(way, pychoral_item_ref(&items, i, &room));
        if (pychoral_raised == NULL)
            pychoral_list_push(list, &part);
    }
    return list;
}

static PychoralTable *entries_of(const Way *way, const PychoralTable *from)
{
    const PychoralType *type = from->object.type;
    bool by_text = type->key->kind == PYCHORAL_STR;
    PychoralTable *dict = pychoral_table_empty(by_text ? &BY_TEXT : &BY_ANY);
    uint32_t position = 0;
    void *key, *value;
    while (pychoral_raised == NULL && pychoral_table_next(from, &position, &key, &value)) {
        PYCHORAL_OWNED(any) PychoralAny k = part_of(way, (PychoralRef){type->key, key});
        if (pychoral_raised != NULL)
            break;
        PYCHORAL_OWNED(any) PychoralAny v = part_of(way, (PychoralRef){type->element, value});
        if (pychoral_raised == NULL)
            pychoral_dict_put(dict, by_text ? (const void *)&k.pointer : &k, &v);
    }
    return dict;
}

// One of the same class: what its fields become must be of their types.
static PychoralObject *same_class(const Way *way, const PychoralObject *from)
{
    PychoralObject *object = pychoral_object_new(from->type);
    for (uint32_t i = 0; i < from->type->count && pychoral_raised == NULL; i++) {
        const PychoralField *field = &from->type->fields[i];
        PYCHORAL_OWNED(any) PychoralAny part =
            part_of(way, (PychoralRef){field->type, (const char *)from + field->offset});
        if (pychoral_raised == NULL)
            pychoral_convert(&pychoral_type_object, &part, field->type,
                             (char *)object + field->offset);
    }
    return object;
}

// What was made, in a variable of `row`.
static PychoralAny made(const PychoralType *row, void *pointer)
{
    if (pychoral_raised != NULL) {
        pychoral_release(row, &pointer);
        return (PychoralAny){0};
    }
    return (PychoralAny){.type = row, .pointer = pointer};
}

static PychoralAny part_of(const Way *way, PychoralRef value)
{
    PychoralRef seen = pychoral_look(value.type, value.value);
    PychoralAny copy = {0};
    if (PYCHORAL_TOO_DEEP())
        return copy;
    bool flat = is_flat(seen.type);
    if (is_record(seen.type))
        return made(way->row, record(way, pychoral_pointer_at(seen.value)));
    if (is_named_tuple(seen.type))
        return made(seen.type, same_class(way, pychoral_pointer_at(seen.value)));
    if (!flat && seen.type->kind == PYCHORAL_LIST)
        return made(&LIST, items_of(way, seen, &LIST));
    if (!flat && pychoral_is_tuple(seen.type))
        return made(&pychoral_type_arguments, items_of(way, seen, &pychoral_type_arguments));
    if (!flat && seen.type->kind == PYCHORAL_DICT) {
        const PychoralTable *from = pychoral_pointer_at(seen.value);
        PychoralTable *dict = entries_of(way, from);
        return made(dict->object.type, dict);
    }
    pychoral_deepcopy(seen, &pychoral_type_object, &copy);
    return copy;
}

static void *whole(Way way, PychoralRef value, const char *function)
{
    PychoralRef seen = pychoral_look(value.type, value.value);
    if (is_record(seen.type))
        return made(way.row, record(&way, pychoral_pointer_at(seen.value))).pointer;
    pychoral_throw(&pychoral_type_TypeError, "%s() should be called on dataclass instances",
                   function);
    return NULL;
}

PychoralTable *pychoral_asdict(PychoralRef value, const PychoralType *row)
{
    return whole((Way){true, row}, value, "asdict");
}

PychoralList *pychoral_astuple(PychoralRef value, const PychoralType *row)
{
    return whole((Way){false, row}, value, "astuple");
}
