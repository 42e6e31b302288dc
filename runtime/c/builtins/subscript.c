// subscript.c - value[key] of values of any type; the contract is in object.h.

#include <string.h>

#include "bytes.h"
#include "call.h"
#include "dict.h"
#include "items.h"
#include "list.h"
#include "number.h"
#include "range.h"
#include "str.h"

static void give(const PychoralType *type, const void *value, const PychoralType *row,
                 void *result)
{
    if (pychoral_raised == NULL)
        pychoral_convert(type, value, row, result);
}

// The key as an index. False: it is none, and raised.
static bool index_of(PychoralRef value, PychoralRef key, int64_t *index)
{
    PychoralInt number;
    PychoralRef seen = pychoral_look(key.type, key.value);
    if (!pychoral_is_instance(seen.type, seen.value, &pychoral_type_int)) {
        const char *kind = value.type->kind == PYCHORAL_STR ? "string"
                                                            : pychoral_type_name(value);
        pychoral_throw(&pychoral_type_TypeError,
                       value.type->kind == PYCHORAL_STR
                           ? "%s indices must be integers, not '%s'"
                           : "%s indices must be integers or slices, not %s",
                       kind, pychoral_type_name(seen));
        return false;
    }
    pychoral_convert(seen.type, seen.value, &pychoral_type_int, &number);
    *index = number.small;
    pychoral_release(&pychoral_type_int, &number);
    return true;
}

static void subscript_place(PychoralRef value, PychoralRef key, const PychoralType *row,
                            void *result)
{
    int64_t index;
    if (!index_of(value, key, &index))
        return;
    if (value.type->kind == PYCHORAL_STR) {
        PychoralStr *character = pychoral_str_at(pychoral_pointer_at(value.value), index);
        give(&pychoral_type_str, &character, row, result);
        pychoral_release(&pychoral_type_str, &character);
    } else if (value.type->kind == PYCHORAL_RANGE) {
        PychoralInt number = pychoral_range_at(pychoral_pointer_at(value.value), index);
        give(&pychoral_type_int, &number, row, result);
        pychoral_release(&pychoral_type_int, &number);
    } else if (value.type->kind == PYCHORAL_BYTES) {
        const PychoralBytes *bytes = pychoral_pointer_at(value.value);
        PychoralInt byte = pychoral_int(pychoral_bytes_at(bytes, index));
        give(&pychoral_type_int, &byte, row, result);
    } else {
        PychoralItems items = pychoral_items(value);
        int64_t place = index < 0 ? index + (int64_t)items.count : index;
        PychoralInt room;
        if ((uint64_t)place >= items.count) {
            pychoral_throw(&pychoral_type_IndexError, "%s index out of range",
                           pychoral_type_name(value));
            return;
        }
        PychoralRef item = pychoral_item_ref(&items, (size_t)place, &room);
        give(item.type, item.value, row, result);
    }
}

static void subscript_dict(const PychoralTable *dict, PychoralRef key, const PychoralType *row,
                           void *result)
{
    const void *found = pychoral_dict_find(dict, key);
    if (found != NULL)
        give(dict->object.type->element, found, row, result);
}

void pychoral_subscript(PychoralRef value, PychoralRef key, const PychoralType *row, void *result)
{
    PychoralRef seen = pychoral_look(value.type, value.value);
    const PychoralMethod *method = pychoral_find_method(seen.type, "__getitem__");
    PychoralRef arguments[] = {seen, key};
    seen = pychoral_as_tuple(seen, "__getitem__");
    memset(result, 0, row->size);
    switch (seen.type->kind) {
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE:
    case PYCHORAL_TUPLE:
    case PYCHORAL_STR:
    case PYCHORAL_BYTES:
    case PYCHORAL_RANGE:
        subscript_place(seen, key, row, result);
        return;
    case PYCHORAL_DICT:
        subscript_dict(pychoral_pointer_at(seen.value), key, row, result);
        return;
    default:
        break;
    }
    if (method != NULL)
        pychoral_call_method(method, 2, arguments, row, result);
    else
        pychoral_throw(&pychoral_type_TypeError, "'%s' object is not subscriptable",
                       pychoral_type_name(seen));
}
