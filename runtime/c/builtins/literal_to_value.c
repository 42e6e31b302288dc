// literal_to_value.c - a literal as a value of a type; the contract is in parameter.h.

#include <stdlib.h>

#include "build.h"
#include "generated.h"
#include "items.h"
#include "parameter.h"
#include "str.h"
#include "table.h"
#include "tables.h"

#define FAIL(...) pychoral_throw(&pychoral_type_ValueError, __VA_ARGS__)

static const char *name_of(const PychoralType *row)
{
    return row->kind == PYCHORAL_NONE ? "NoneType" : row->name;
}

// ---- names ----

static bool has_name(PychoralRef value)
{
    value = pychoral_look(value.type, value.value);
    if (value.type->kind == PYCHORAL_DICT || value.type->kind == PYCHORAL_SET) {
        const PychoralTable *table = *(PychoralTable *const *)value.value;
        const PychoralType *row = table->object.type;
        void *key, *item;
        for (uint32_t at = 0; pychoral_table_next(table, &at, &key, &item);)
            if (has_name((PychoralRef){pychoral_key_row(row), key}) ||
                (row->kind == PYCHORAL_DICT && has_name((PychoralRef){row->element, item})))
                return true;
        return false;
    }
    if (value.type->kind != PYCHORAL_LIST && value.type->kind != PYCHORAL_SEQUENCE)
        return value.type == &pychoral_name_row;
    PychoralItems items = pychoral_items(value);
    PychoralInt number;
    for (size_t i = 0; i < items.count; i++)
        if (has_name(pychoral_item_ref(&items, i, &number)))
            return true;
    return false;
}

static void fail_of_name(void) { FAIL(PYCHORAL_NO_LITERAL); }

static void refuse(PychoralRef value, const PychoralType *row)
{
    const char *came = value.type->kind == PYCHORAL_NONE ? "None" : pychoral_type_name(value);
    if (has_name(value))
        fail_of_name();
    else
        FAIL("expected %s, but received %s", row->name, came);
}

// Names are members of enums, and nothing else. False: that was raised.
static bool may_be(PychoralRef value, const PychoralType *row)
{
    bool asked = row->kind == PYCHORAL_OBJECT || value.type == &pychoral_name_row;
    bool taken = row->kind == PYCHORAL_ENUM || row->kind == PYCHORAL_UNION ||
                 row->kind == PYCHORAL_BOX || row->kind == PYCHORAL_DATACLASS;
    if (!asked || taken || !has_name(value))
        return true;
    fail_of_name();
    return false;
}

// What follows the name of the enum, where that stands before it.
static const char *bare_member(const PychoralStr *name, const PychoralType *row)
{
    size_t size = strlen(row->name);
    bool whole = name->size > size && memcmp(name->data, row->name, size) == 0 &&
                 name->data[size] == '.';
    return name->data + (whole ? size + 1 : 0);
}

static void shape_member(PychoralRef value, const PychoralType *row, void *result)
{
    PychoralBuild names = {NULL, 0, 0};
    for (uint32_t i = 0; i < row->count; i++) {
        const PychoralStr *name = value.type->kind == PYCHORAL_STR
                                      ? *(PychoralStr *const *)value.value : NULL;
        if (name != NULL && strcmp(row->members[i], bare_member(name, row)) == 0) {
            memcpy(result, &i, sizeof i);
            pychoral_build_drop(&names);
            return;
        }
        pychoral_build_text(&names, i > 0 ? ", " : "");
        pychoral_build_text(&names, row->members[i]);
    }
    PYCHORAL_OWNED(str) PychoralStr *all = pychoral_build_end(&names);
    FAIL("expected one of %s", all->data);
}

// ---- one of several ----

int pychoral_shape_turn(const PychoralType *row)
{
    switch (row->kind) {
    case PYCHORAL_NONE: return 0;
    case PYCHORAL_INT: return 1;
    case PYCHORAL_FLOAT: return 3;
    case PYCHORAL_BYTES: return 4;
    case PYCHORAL_STR: return PYCHORAL_TURNS - 1;
    default: return 2;
    }
}

// False: the value is none of this member, whose name comes to the others.
static bool try_member(PychoralRef value, const PychoralType *row, uint32_t index, void *result,
                       PychoralBuild *names)
{
    const PychoralField *member = &row->fields[index];
    memcpy(result, &index, sizeof index);
    pychoral_literal_to_value(value, member->type, (char *)result + member->offset);
    PychoralException *fault = pychoral_catch(&pychoral_type_Exception);
    if (fault == NULL)
        return true;
    pychoral_handled(fault);
    memset(result, 0, row->size);
    pychoral_build_text(names, names->size > 0 ? ", " : "");
    pychoral_build_text(names, name_of(member->type));
    return false;
}

static void shape_union(PychoralRef value, const PychoralType *row, void *result)
{
    PychoralBuild names = {NULL, 0, 0};
    for (int turn = 0; turn < PYCHORAL_TURNS; turn++)
        for (uint32_t i = 0; i < row->count; i++)
            if (pychoral_shape_turn(row->fields[i].type) == turn &&
                try_member(value, row, i, result, &names)) {
                pychoral_build_drop(&names);
                return;
            }
    PYCHORAL_OWNED(str) PychoralStr *all = pychoral_build_end(&names);
    PYCHORAL_OWNED(str) PychoralStr *repr = value.type == &pychoral_name_row
        ? PYCHORAL_KEEP(*(PychoralStr *const *)value.value) : pychoral_repr(value);
    PYCHORAL_OWNED(str) PychoralStr *shown = pychoral_str_slice(repr, 0, 60, 1);
    FAIL("%s fits none of %s", shown->data, all->data);
}

static void *shaped(PychoralRef value, const PychoralType *row);

// What is kept in another form than its type says.
static void shape_kept(PychoralRef value, const PychoralType *row, void *result)
{
    const PychoralType *as = row->key != NULL ? row->key : row->element;
    void *room = shaped(value, as);
    if (room == NULL)
        return;
    pychoral_convert_own(as, room, row->element, result);
    pychoral_release(as, room);
    free(room);
}

static void shape_literal(PychoralRef value, const PychoralType *row, void *result)
{
    for (uint32_t i = 0; i < row->count; i++) {
        PychoralRef known = {row->element, (const char *)row->literals + i * row->element->size};
        if (pychoral_eq(value, known) && known.type->kind == value.type->kind) {
            pychoral_assign(row->element, result, known.value);
            return;
        }
    }
    FAIL("expected %s, but received another value", row->name);
}

// ---- what holds others ----

// Calls pychoral_literal_to_value for a value that is kept nowhere if it fails.
static void *shaped(PychoralRef value, const PychoralType *row)
{
    void *room = pychoral_allocate_zeroed(1, row->size);
    pychoral_literal_to_value(value, row, room);
    if (pychoral_raised == NULL)
        return room;
    free(room);
    return NULL;
}

static void shape_items(PychoralRef value, const PychoralType *row, void *result)
{
    PychoralItems items = pychoral_items(value);
    PychoralList *list = pychoral_list_new(row, items.count);
    if (list == NULL)
        pychoral_no_memory();
    for (size_t i = 0; i < items.count && pychoral_raised == NULL; i++) {
        PychoralInt number;
        void *item = shaped(pychoral_item_ref(&items, i, &number), row->element);
        if (item != NULL && !pychoral_list_append(list, item))
            pychoral_no_memory();
        free(item);
    }
    if (pychoral_raised != NULL)
        pychoral_release(row, &list);
    memcpy(result, &list, sizeof list);
}

static void shape_tuple(PychoralRef value, const PychoralType *row, void *result)
{
    PychoralItems items = pychoral_items(value);
    if (items.count != row->count) {
        FAIL("expected %lu item%s, not %zu", (unsigned long)row->count,
             row->count == 1 ? "" : "s", items.count);
        return;
    }
    for (size_t i = 0; i < items.count && pychoral_raised == NULL; i++) {
        PychoralInt number;
        pychoral_literal_to_value(pychoral_item_ref(&items, i, &number), row->fields[i].type,
                                  (char *)result + row->fields[i].offset);
    }
    if (pychoral_raised != NULL) {
        pychoral_release(row, result);
        memset(result, 0, row->size);
    }
}

static void put(PychoralTable *table, void *key, void *value)
{
    const PychoralType *row = table->object.type;
    PychoralPut put = pychoral_table_put(table, key, value);
    if (put == PYCHORAL_PUT_UNHASHABLE) {
        (void)pychoral_is_hashable((PychoralRef){pychoral_key_row(row), key});
        if (value != NULL)
            pychoral_release(row->element, value);
    }
    if (put != PYCHORAL_PUT_NEW)
        pychoral_release(pychoral_key_row(row), key);
}

static void shape_table(PychoralRef value, const PychoralType *row, void *result)
{
    const PychoralTable *from = *(PychoralTable *const *)value.value;
    const PychoralType *key_row = pychoral_key_row(from->object.type);
    bool pairs = row->kind == PYCHORAL_DICT;
    PychoralTable *table = pychoral_table_like(row, from);
    void *key, *item;
    for (uint32_t at = 0; pychoral_raised == NULL && pychoral_table_next(from, &at, &key, &item);) {
        void *own = shaped((PychoralRef){key_row, key}, pychoral_key_row(row)), *part = NULL;
        if (own != NULL && pairs)
            part = shaped((PychoralRef){from->object.type->element, item}, row->element);
        if (own != NULL && pairs && part == NULL)
            pychoral_release(pychoral_key_row(row), own);
        else if (own != NULL)
            put(table, own, part);
        free(own);
        free(part);
    }
    if (pychoral_raised != NULL)
        pychoral_release(row, &table);
    else
        (void)pychoral_table_align(table, from);
    memcpy(result, &table, sizeof table);
}

// ---- dataclasses ----

static const PychoralField *field_named(const PychoralType *row, const PychoralStr *name)
{
    for (uint32_t i = 0; i < row->count; i++)
        if (row->fields[i].name != NULL && strcmp(row->fields[i].name, name->data) == 0)
            return &row->fields[i];
    return NULL;
}

// The name of a field in a dict, or NULL, and it was raised why not.
static const PychoralStr *check_name(const PychoralType *row, PychoralRef key)
{
    key = pychoral_look(key.type, key.value);
    if (key.type->kind == PYCHORAL_STR)
        return *(PychoralStr *const *)key.value;
    FAIL(PYCHORAL_NO_FIELDS, row->name);
    return NULL;
}

// The first name, in order, that is no field's.
static bool check_names(const PychoralType *row, const PychoralTable *table)
{
    const PychoralStr *unknown = NULL;
    void *key;
    for (uint32_t at = 0; pychoral_table_next(table, &at, &key, NULL);) {
        const PychoralStr *name =
            check_name(row, (PychoralRef){pychoral_key_row(table->object.type), key});
        if (name == NULL)
            return false;
        if (field_named(row, name) == NULL &&
            (unknown == NULL || pychoral_str_compare(name, unknown) < 0))
            unknown = name;
    }
    if (unknown != NULL)
        FAIL("%s has no field %s", row->name, unknown->data);
    return unknown == NULL;
}

// A field that the dict does not have, at its place in the object.
static void shape_missing(const PychoralType *row, const PychoralField *field, void *place)
{
    if (field->make != NULL)
        field->make(place);
    else
        FAIL("%s.__init__() missing 1 required positional argument: '%s'", row->name, field->name);
}

static void shape_object(PychoralRef value, const PychoralType *row, void *result)
{
    const PychoralTable *table =
        value.type->kind == PYCHORAL_DICT ? *(PychoralTable *const *)value.value : NULL;
    if (table == NULL) {
        FAIL(PYCHORAL_NO_FIELDS, row->name);
        return;
    }
    if (!check_names(row, table))
        return;
    char *object = pychoral_object_new(row);
    if (object == NULL)
        pychoral_no_memory();
    for (uint32_t i = 0; i < row->count && pychoral_raised == NULL; i++) {
        const PychoralField *field = &row->fields[i];
        PYCHORAL_OWNED(str) PychoralStr *name = pychoral_str_new(field->name, strlen(field->name));
        const void *part = pychoral_table_find_of(table, &pychoral_type_str, &name);
        if (part != NULL)
            pychoral_literal_to_value((PychoralRef){table->object.type->element, part}, field->type,
                                      object + field->offset);
        else
            shape_missing(row, field, object + field->offset);
    }
    if (row->complete != NULL && pychoral_raised == NULL)
        row->complete(&object);
    if (pychoral_raised != NULL)
        pychoral_release(row, &object);
    memcpy(result, &object, sizeof object);
}

// ---- scalars ----

static bool is_number(PychoralKind kind)
{
    return kind == PYCHORAL_INT || kind == PYCHORAL_FLOAT || kind == PYCHORAL_COMPLEX;
}

// Bools are ints, ints are floats, floats are complex numbers.
static void shape_scalar(PychoralRef value, const PychoralType *row, void *result)
{
    PychoralKind kind = value.type->kind;
    bool widens = is_number(row->kind) && (kind == PYCHORAL_BOOL || is_number(kind)) &&
                  kind <= row->kind;
    if (kind != row->kind && !widens) {
        refuse(value, row);
        return;
    }
    if (kind == row->kind) {
        pychoral_assign(row, result, value.value);
        return;
    }
    bool truth = kind == PYCHORAL_BOOL && *(const bool *)value.value;
    double real = truth;
    if (kind == PYCHORAL_FLOAT)
        real = *(const double *)value.value;
    if (kind == PYCHORAL_INT && !pychoral_int_to_float(*(const PychoralInt *)value.value, &real))
        refuse(value, row);
    else if (row->kind == PYCHORAL_INT)
        *(PychoralInt *)result = pychoral_int_bool(truth);
    else if (row->kind == PYCHORAL_FLOAT)
        *(double *)result = real;
    else
        *(PychoralComplex *)result = (PychoralComplex){real, 0};
}

// ---- all ----

static void shape_box(PychoralRef value, const PychoralType *row, void *result)
{
    void *content = shaped(value, row->element);
    PychoralBox *box = content != NULL ? pychoral_box_new(row, content) : NULL;
    free(content);
    memcpy(result, &box, sizeof box);
}

void pychoral_literal_to_value(PychoralRef literal, const PychoralType *row, void *result)
{
    PychoralRef value = pychoral_look(literal.type, literal.value);
    bool same = value.type->kind == row->kind;
    if (!may_be(value, row))
        return;
    switch (row->kind) {
    case PYCHORAL_UNION: shape_union(value, row, result); return;
    case PYCHORAL_BOX: shape_box(value, row, result); return;
    case PYCHORAL_LITERAL:
        if (row->literals != NULL)
            shape_literal(value, row, result);
        else
            shape_kept(value, row, result);
        return;
    case PYCHORAL_OBJECT: *(PychoralAny *)result = pychoral_any(value.type, value.value); return;
    case PYCHORAL_ENUM: shape_member(value, row, result); return;
    case PYCHORAL_DATACLASS: shape_object(value, row, result); return;
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE:
        if (same) {
            shape_items(value, row, result);
            return;
        }
        break;
    case PYCHORAL_TUPLE:
        if (value.type->kind == PYCHORAL_SEQUENCE) {
            shape_tuple(value, row, result);
            return;
        }
        break;
    case PYCHORAL_DICT:
    case PYCHORAL_SET:
    case PYCHORAL_FROZENSET:                    // which has no literal
        if (same || (row->kind == PYCHORAL_FROZENSET && value.type->kind == PYCHORAL_SET)) {
            shape_table(value, row, result);
            return;
        }
        break;
    default:
        shape_scalar(value, row, result);
        return;
    }
    refuse(value, row);
}
