// generated.c - see generated.h.

#include "generated.h"

#include <string.h>

#include "build.h"
#include "call.h"
#include "cycles.h"
#include "dict.h"
#include "list.h"
#include "number.h"
#include "process.h"
#include "range.h"
#include "table.h"
#include "tables.h"
#include "wire.h"

#include "../modules/deque.h"

// ---- displays ----

static bool are_narrow(const PychoralInt *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (items[i].big != NULL)
            return false;
    return true;
}

// Items will follow, nearly always: there is room for a few.
static PychoralList *empty_list(const PychoralType *type)
{
    return pychoral_list_make(type, type->kind == PYCHORAL_LIST ? 4 : 0);
}

PychoralList *pychoral_display_list(const PychoralType *type, size_t count, const void *items)
{
    if (count == 0)
        return empty_list(type);
    bool narrow = type->element->kind == PYCHORAL_INT && are_narrow(items, count);
    PychoralList *list = pychoral_list_filled(type, count, narrow);
    if (list == NULL)
        pychoral_no_memory();
    if (narrow)
        for (size_t i = 0; i < count; i++)
            ((int64_t *)list->items)[i] = ((const PychoralInt *)items)[i].small;
    else
        memcpy(list->items, items, count * type->element->size);
    return list;
}

static void drop_items(const PychoralType *type, char *items, size_t from, size_t count)
{
    for (size_t i = from; type != NULL && i < count; i++)
        pychoral_release(type, items + i * type->size);
}

static PychoralTable *new_table(const PychoralType *type, size_t count)
{
    PychoralTable *table = pychoral_table_new(type, count);
    if (table == NULL)
        pychoral_no_memory();
    return table;
}

// Puts a key and a value that are the table's then. False: it raised.
static bool put(PychoralTable *table, const PychoralType *key_type, char *key, char *value)
{
    switch (pychoral_table_put(table, key, value)) {
    case PYCHORAL_PUT_NEW:
        return true;
    case PYCHORAL_PUT_REPLACED:
        pychoral_release(key_type, key);
        return true;
    case PYCHORAL_PUT_UNHASHABLE:
        if (pychoral_raised == NULL)
            (void)pychoral_is_hashable((PychoralRef){key_type, key});
        return false;
    case PYCHORAL_PUT_MEMORY:
        break;
    }
    pychoral_no_memory();
}

static PychoralTable *table_of(const PychoralType *type, const PychoralType *key_type,
                               size_t count, char *keys, char *values)
{
    const PychoralType *value_type = values != NULL ? type->element : NULL;
    PychoralTable *table = new_table(type, count);
    for (size_t i = 0; i < count; i++) {
        char *value = values != NULL ? values + i * value_type->size : NULL;
        if (put(table, key_type, keys + i * key_type->size, value))
            continue;
        drop_items(key_type, keys, i, count);
        drop_items(value_type, values, i, count);
        pychoral_drop_object(&table);
        return NULL;
    }
    return table;
}

PychoralTable *pychoral_display_set(const PychoralType *type, size_t count, void *items)
{
    return table_of(type, type->element, count, items, NULL);
}

// Python's compiler makes a frozenset, makes another one of that when it looks for constants that
// are alike, and lets the program copy the latter.
PychoralTable *pychoral_display_constant_set(const PychoralType *type, size_t count, void *items,
                                             bool is_copied)
{
    PychoralTable *set = pychoral_display_set(type, count, items);
    if (set == NULL || !set->slotted)
        return set;
    PychoralTable *again = new_table(type, count);
    void *key;
    for (uint32_t position = 0;
         pychoral_raised == NULL && pychoral_table_next(set, &position, &key, NULL);)
        pychoral_table_insert(again, (PychoralRef){type->element, key}, PYCHORAL_NO_REF);
    pychoral_drop_object(&set);
    if (is_copied && !pychoral_table_tidy(again))
        pychoral_no_memory();
    return again;
}

PychoralTable *pychoral_display_dict(const PychoralType *type, size_t count, void *keys,
                                     void *values)
{
    return table_of(type, type->key, count, keys, count > 0 ? values : NULL);
}

// ---- cells ----

PychoralBox *pychoral_cell(const PychoralType *type)
{
    bool is_cyclic = (type->flags & PYCHORAL_CYCLIC) != 0;
    if (is_cyclic)
        pychoral_cycles_look();
    PychoralBox *box = pychoral_allocate_zeroed(1, sizeof *box + type->element->size);
    box->object = (PychoralObject){.head = {.refs = 1}, .type = type};
    if (is_cyclic && !pychoral_cycles_add(&box->object))
        pychoral_no_memory();
    return box;
}

// ---- function values ----

static const PychoralField ADAPTED_FIELDS[] = {{.type = &pychoral_type_any_function}};
static const PychoralType ADAPTED = {.kind = PYCHORAL_TUPLE, .size = sizeof(PychoralFunction *),
                                     .name = "function", .count = 1, .fields = ADAPTED_FIELDS};

static void call_adapted(PychoralFunction *self, void *const *arguments, void *result)
{
    enum { MOST = 64 };
    PychoralFunction *function;
    PychoralRef refs[MOST];
    const PychoralType *type = self->object.type;
    memcpy(&function, self->cells, sizeof function);
    if (type->count > MOST) {
        pychoral_throw(&pychoral_type_TypeError, "a function of more than %d arguments", MOST);
        return;
    }
    for (uint32_t i = 0; i < type->count; i++)
        refs[i] = (PychoralRef){type->fields[i].type, arguments[i]};
    pychoral_call_with(function, type->count, refs, type->element, result);
}

PychoralFunction *pychoral_function_as(const PychoralType *type, PychoralFunction *function)
{
    PychoralFunction *adapted = pychoral_function_new(type, &ADAPTED, function->name,
                                                      call_adapted);
    pychoral_keep(function);
    memcpy(adapted->cells, &function, sizeof function);
    return adapted;
}

void pychoral_drop_big(PychoralBig *big)
{
    if (pychoral_is_last(&big->head))
        free(big);
}

static PychoralStr *name_of(const char *name)
{
    PychoralStr *str = pychoral_str_new(name, strlen(name));
    if (str == NULL)
        pychoral_no_memory();
    return str;
}

// ---- enums ----

PychoralStr *pychoral_enum_name(const PychoralType *type, uint32_t member)
{
    return name_of(type->members[member]);
}

void pychoral_enum_value_as(const PychoralType *type, uint32_t member, const PychoralType *as,
                            void *result)
{
    PychoralRef value = pychoral_enum_value((PychoralRef){type, &member});
    pychoral_convert(value.type, value.value, as, result);
}

uint32_t pychoral_enum_of(const PychoralType *type, PychoralRef value)
{
    PychoralRef seen = pychoral_look(value.type, value.value);
    if (pychoral_same_type(seen.type, type))
        return *(const uint32_t *)seen.value;
    for (uint32_t member = 0; member < type->count; member++) {
        if (pychoral_eq(pychoral_enum_value((PychoralRef){type, &member}), seen))
            return member;
        if (pychoral_raised != NULL)
            return 0;
    }
    PychoralStr *text = pychoral_repr(seen);
    if (text == NULL)
        return 0;
    pychoral_throw(&pychoral_type_ValueError, "%s is not a valid %s", text->data, type->name);
    pychoral_drop_str(&text);
    return 0;
}

uint32_t pychoral_enum_named(const PychoralType *type, PychoralStr *name)
{
    for (uint32_t member = 0; member < type->count; member++)
        if (strlen(type->members[member]) == name->size
            && memcmp(type->members[member], name->data, name->size) == 0)
            return member;
    pychoral_throw_key(&pychoral_type_str, &name);
    return 0;
}

void pychoral_no_attribute(PychoralRef value, const char *name)
{
    pychoral_throw(&pychoral_type_AttributeError, "'%s' object has no attribute '%s'",
                   pychoral_type_name(value), name);
}

// ---- classes as values ----

// One row for all lists, whatever is in them, and so on.
static const PychoralType *class_row(const PychoralType *type)
{
    switch (type->kind) {
    case PYCHORAL_LIST: return &pychoral_type_any_list;
    case PYCHORAL_SEQUENCE: case PYCHORAL_TUPLE: return &pychoral_type_any_tuple;
    case PYCHORAL_DICT:
        return type == &pychoral_type_any_defaultdict || type == &pychoral_type_any_counter
                   ? type : &pychoral_type_any_dict;
    case PYCHORAL_SET: return &pychoral_type_any_set;
    case PYCHORAL_FROZENSET: return &pychoral_type_any_frozenset;
    case PYCHORAL_FUNCTION: return &pychoral_type_any_function;
    default: return type;
    }
}

static const char *class_name(const PychoralType *type)
{
    const char *dot = strrchr(type->name, '.');
    return type->kind == PYCHORAL_NONE ? "NoneType" : dot == NULL ? type->name : dot + 1;
}

bool pychoral_same_class(const PychoralClass *a, const PychoralClass *b)
{
    return class_row(a->of) == class_row(b->of);
}

static const PychoralClass *class_at(void *argument) { return *(PychoralClass *const *)argument; }

static void class_eq(void *const *arguments, void *result)
{
    const PychoralAny *other = arguments[1];
    *(bool *)result = other->type == &pychoral_type_type &&
                      pychoral_same_class(class_at(arguments[0]), other->pointer);
}

static void class_hash(void *const *arguments, void *result)
{
    uintptr_t at = (uintptr_t)class_row(class_at(arguments[0])->of);
    *(PychoralInt *)result = pychoral_int((int64_t)(at >> 4));
}

// <class 'int'>, <class '__main__.Point'>
static void class_repr(void *const *arguments, void *result)
{
    const PychoralType *of = class_row(class_at(arguments[0])->of);
    bool own = of->kind == PYCHORAL_ENUM || (of->kind == PYCHORAL_DATACLASS && of->number != 0);
    const char *module = of->module != NULL ? of->module : own ? "__main__" : "";
    PychoralBuild build = {0};
    pychoral_build_text(&build, "<class '");
    pychoral_build_text(&build, module);
    pychoral_build_text(&build, *module ? "." : "");
    pychoral_build_text(&build, class_name(of));
    pychoral_build_text(&build, "'>");
    *(PychoralStr **)result = pychoral_build_end(&build);
}

static const PychoralField TWO[] = {{.type = &pychoral_type_type},
                                    {.type = &pychoral_type_object}};
#define CLASS_METHOD(name_, count_, result_)                                                      \
    {.kind = PYCHORAL_FUNCTION, .size = sizeof(PychoralFunction *), .count = (count_),            \
     .fields = TWO, .element = &(result_), .name = (name_)}
static const PychoralType CLASS_EQ = CLASS_METHOD("__eq__", 2, pychoral_type_bool),
                          CLASS_HASH = CLASS_METHOD("__hash__", 1, pychoral_type_int),
                          CLASS_REPR = CLASS_METHOD("__repr__", 1, pychoral_type_str);
static const PychoralMethod CLASS_METHODS[] = {{"__eq__", &CLASS_EQ, class_eq},
                                               {"__hash__", &CLASS_HASH, class_hash},
                                               {"__repr__", &CLASS_REPR, class_repr}};

const PychoralType pychoral_type_type = {
    .kind = PYCHORAL_DATACLASS, .size = sizeof(PychoralClass *), .body = sizeof(PychoralClass),
    .flags = PYCHORAL_PLAIN, .name = "type", .method_count = 3, .methods = CLASS_METHODS};

PychoralClass *pychoral_class_of(PychoralRef value)
{
    PychoralRef seen = pychoral_look(value.type, value.value);
    PychoralClass *class_ = pychoral_object_new(&pychoral_type_type);
    if (class_ == NULL)
        pychoral_no_memory();
    class_->of = seen.type;
    if (seen.type->kind == PYCHORAL_DICT)
        class_->of = pychoral_dict_class(*(PychoralTable *const *)seen.value);
    if (seen.type->kind == PYCHORAL_DATACLASS)
        class_->of = (*(PychoralObject *const *)seen.value)->type;
    return class_;
}

PychoralStr *pychoral_class_name(const PychoralClass *class_)
{
    return name_of(class_name(class_row(class_->of)));
}

PychoralStr *pychoral_function_name(const PychoralFunction *function)
{
    return name_of(function->name);
}

PychoralAny pychoral_exception_trace(const PychoralException *exception)
{
    return exception->trace == NULL ? pychoral_any(&pychoral_type_none, &pychoral_nothing)
                                    : pychoral_any(&pychoral_type_trace, &exception->trace);
}

// ---- exceptions ----

PychoralAny pychoral_exception_value(const PychoralException *exception)
{
    if (exception->args == NULL || exception->args->count == 0)
        return pychoral_any(&pychoral_type_none, &pychoral_nothing);
    return pychoral_keep_any(*(const PychoralAny *)exception->args->items);
}

static PychoralAny any_or_none(PychoralAny any)
{
    return any.type == NULL ? pychoral_any(&pychoral_type_none, &pychoral_nothing)
                            : pychoral_keep_any(any);
}

PychoralAny pychoral_exception_cause(const PychoralException *exception)
{
    return any_or_none(exception->cause);
}

PychoralAny pychoral_exception_context(const PychoralException *exception)
{
    return any_or_none(exception->context);
}

void pychoral_exception_init(PychoralException *exception, size_t count, const PychoralRef *args)
{
    PychoralList *list = pychoral_list_new(&pychoral_type_arguments, count);
    for (size_t i = 0; list != NULL && i < count; i++) {
        PychoralAny any = pychoral_any(args[i].type, args[i].value);
        if (!pychoral_list_append(list, &any))
            pychoral_no_memory();
    }
    if (list == NULL)
        pychoral_no_memory();
    PYCHORAL_SET(object, exception->args, list);
}

// ---- range ----

static bool is_small(PychoralInt number) { return !pychoral_int_is_big(number); }

// How many there are from `start` on: of at most 64 bits each, so of no more than 64 bits.
static uint64_t count_of(int64_t start, int64_t stop, int64_t step)
{
    if (step > 0)
        return start < stop ? ((uint64_t)stop - (uint64_t)start - 1) / (uint64_t)step + 1 : 0;
    return start > stop
        ? ((uint64_t)start - (uint64_t)stop - 1) / (0 - (uint64_t)step) + 1 : 0;
}

PychoralRangeLoop pychoral_any_range_loop(PychoralInt start, PychoralInt stop, PychoralInt step)
{
    PychoralRangeLoop loop = {.next = start.small, .step = step.small};
    if (is_small(start) && is_small(stop) && is_small(step) && step.small != 0) {
        loop.left = count_of(start.small, stop.small, step.small);
        return loop;
    }
    PychoralRange *range = pychoral_range_new(start, stop, step);
    if (range == NULL)
        return (PychoralRangeLoop){0};
    loop.big = pychoral_iter(&pychoral_type_int, (PychoralRef){&pychoral_type_range, &range});
    pychoral_drop_object(&range);
    return loop;
}

// ---- handlers ----

PychoralException *pychoral_catch_any(size_t count, const PychoralType *const *kinds)
{
    for (size_t i = 0; i < count; i++)
        if (pychoral_derives(pychoral_raised->object.type, kinds[i]))
            return pychoral_catch(kinds[i]);
    return NULL;
}

PychoralException *pychoral_set_aside(void)
{
    return pychoral_raised == NULL ? NULL : pychoral_catch(&pychoral_type_BaseException);
}

bool pychoral_take_up(const PychoralException *pending)
{
    if (pending == NULL)
        return false;
    pychoral_raise_again();
    return true;
}
