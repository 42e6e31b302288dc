// show.c - repr, str and format of values of any type; contracts in object.h.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../modules/counter.h"
#include "build.h"
#include "bytes.h"
#include "call.h"
#include "dict.h"
#include "float_repr.h"
#include "format.h"
#include "items.h"
#include "iterating.h"
#include "list.h"
#include "number.h"
#include "str.h"
#include "table.h"

// What repr is inside of: a container that comes again is not shown again.
typedef struct Shown {
    const void *object;
    const struct Shown *outer;
} Shown;

static _Thread_local const Shown *shown;

static bool is_shown(const void *object)
{
    for (const Shown *at = shown; at != NULL; at = at->outer)
        if (at->object == object)
            return true;
    return false;
}

static PychoralStr *text_of(const char *text)
{
    PychoralBuild build = {0};
    pychoral_build_text(&build, text);
    return pychoral_build_end(&build);
}

static void add_repr(PychoralBuild *build, PychoralRef value)
{
    if (pychoral_raised == NULL)
        pychoral_build_str(build, pychoral_repr(value));
}

static PychoralStr *finish(PychoralBuild *build)
{
    return pychoral_raised != NULL ? pychoral_build_drop(build) : pychoral_build_end(build);
}

// ---- containers ----

static void add_items(PychoralBuild *build, PychoralRef seen)
{
    PychoralItems items = pychoral_items(seen);
    for (size_t i = 0; pychoral_raised == NULL; i++) {
        size_t count = items.list != NULL ? items.list->count : items.count;
        if (i >= count)
            break;
        PychoralInt room;
        if (i > 0)
            pychoral_build_text(build, ", ");
        add_repr(build, pychoral_item_ref(&items, i, &room));
    }
}

static void add_tuple(PychoralBuild *build, PychoralRef seen)
{
    pychoral_build_text(build, "(");
    add_items(build, seen);
    pychoral_build_text(build, pychoral_items(seen).count == 1 ? ",)" : ")");
}

static void add_list(PychoralBuild *build, PychoralRef seen)
{
    pychoral_build_text(build, "[");
    add_items(build, seen);
    pychoral_build_text(build, "]");
}

static void add_entries(PychoralBuild *build, const PychoralTable *table)
{
    const PychoralType *type = table->object.type;
    void *key, *value;
    const char *between = "";
    for (uint32_t position = 0;
         pychoral_raised == NULL && pychoral_table_next(table, &position, &key, &value);) {
        pychoral_build_text(build, between);
        between = ", ";
        add_repr(build, (PychoralRef){pychoral_key_row(type), key});
        if (type->kind != PYCHORAL_DICT)
            continue;
        pychoral_build_text(build, ": ");
        add_repr(build, (PychoralRef){type->element, value});
    }
}

// A class or None is called as it is shown.
static void add_factory(PychoralBuild *build, PychoralFunction *factory)
{
    bool is_class = factory->name[0] == '<' && strcmp(factory->name, "<lambda>") != 0;
    pychoral_build_text(build, "defaultdict(");
    if (is_class || factory->call == NULL)
        pychoral_build_text(build, factory->name);
    else
        add_repr(build, (PychoralRef){&pychoral_type_any_function, &factory});
    pychoral_build_text(build, ", ");
}

// The most common ones first.
static void add_counter(PychoralBuild *build, const PychoralTable *counter)
{
    PychoralTable *sorted = pychoral_counter_sorted(counter);
    pychoral_build_text(build, sorted->count == 0 ? "Counter(" : "Counter({");
    add_entries(build, sorted);
    pychoral_build_text(build, sorted->count == 0 ? ")" : "})");
    pychoral_release(sorted->object.type, &sorted);
}

static void add_table(PychoralBuild *build, const PychoralTable *table)
{
    PychoralKind kind = table->object.type->kind;
    if (kind != PYCHORAL_DICT && table->count == 0) {
        pychoral_build_text(build, kind == PYCHORAL_SET ? "set()" : "frozenset()");
        return;
    }
    if (pychoral_is_counter(table)) {
        add_counter(build, table);
        return;
    }
    if (table->factory != NULL)
        add_factory(build, table->factory);
    pychoral_build_text(build, kind == PYCHORAL_FROZENSET ? "frozenset({" : "{");
    add_entries(build, table);
    pychoral_build_text(build, kind == PYCHORAL_FROZENSET || table->factory ? "})" : "}");
}

// A dataclass: `made` is the class whose fields are shown.
static void add_fields(PychoralBuild *build, const PychoralObject *object,
                       const PychoralType *made)
{
    const char *between = "";
    pychoral_build_text(build, object->type->name);
    pychoral_build_text(build, "(");
    for (uint32_t i = 0; i < made->count && pychoral_raised == NULL; i++) {
        const PychoralField *field = &object->type->fields[i];
        if (field->hidden)
            continue;
        pychoral_build_text(build, between);
        pychoral_build_text(build, field->name);
        pychoral_build_text(build, "=");
        add_repr(build, (PychoralRef){field->type, (const char *)object + field->offset});
        between = ", ";
    }
    pychoral_build_text(build, ")");
}

static const char *mark_of(PychoralKind kind)
{
    switch (kind) {
    case PYCHORAL_LIST: return "[...]";
    case PYCHORAL_DICT: return "{...}";
    case PYCHORAL_SET: return "set(...)";
    case PYCHORAL_FROZENSET: return "frozenset(...)";
    case PYCHORAL_SEQUENCE: return "(...)";
    default: return "...";
    }
}

static void add_content(PychoralBuild *build, PychoralRef seen, const PychoralType *made)
{
    switch (seen.type->kind) {
    case PYCHORAL_LIST: add_list(build, seen); return;
    case PYCHORAL_SEQUENCE: add_tuple(build, seen); return;
    case PYCHORAL_DATACLASS: add_fields(build, pychoral_pointer_at(seen.value), made); return;
    default: add_table(build, pychoral_pointer_at(seen.value)); return;
    }
}

// A container, or an object of the dataclass `made`. Tuples in place are never in themselves, and
// one may stand where another begins.
static PychoralStr *repr_of_content(PychoralRef seen, const PychoralType *made)
{
    PychoralBuild build = {0};
    if (seen.type->kind == PYCHORAL_TUPLE) {
        add_tuple(&build, seen);
        return finish(&build);
    }
    const void *self = pychoral_pointer_at(seen.value);
    if (is_shown(self))
        return text_of(mark_of(seen.type->kind));
    Shown now = {self, shown};
    shown = &now;
    add_content(&build, seen, made);
    shown = now.outer;
    return finish(&build);
}

// ---- objects ----

static PychoralStr *repr_by_address(const char *what, const char *name, const char *rest,
                                    const void *at)
{
    char address[32];
    PychoralBuild build = {0};
    snprintf(address, sizeof address, "0x%" PRIxPTR, (uintptr_t)at);
    pychoral_build_text(&build, what);
    pychoral_build_text(&build, name);
    pychoral_build_text(&build, rest);
    pychoral_build_text(&build, address);
    pychoral_build_text(&build, ">");
    return pychoral_build_end(&build);
}

static PychoralStr *call_text(const PychoralMethod *method, size_t count,
                              const PychoralRef *arguments)
{
    PychoralStr *text;
    pychoral_call_method(method, count, arguments, &pychoral_type_str, &text);
    return text;
}

static bool is_exception(const PychoralType *type)
{
    return pychoral_derives(type, &pychoral_type_BaseException);
}

// <lib.Point object at 0x7f00>
static PychoralStr *repr_of_plain(const PychoralType *type, const void *object)
{
    char module[200];
    snprintf(module, sizeof module, "<%s.", type->module ? type->module : "__main__");
    return repr_by_address(module, type->name, " object at ", object);
}

static PychoralStr *repr_of_object(PychoralRef seen)
{
    const PychoralObject *object = pychoral_pointer_at(seen.value);
    PychoralSource source = pychoral_source_of_repr(seen.type);
    if (source.method != NULL)
        return call_text(source.method, 1, &seen);
    if (source.made != NULL)
        return repr_of_content(seen, source.made);
    if (is_exception(seen.type))
        return pychoral_exception_repr((const PychoralException *)object);
    return repr_of_plain(seen.type, object);
}

// ---- enums ----

static uint32_t member_of(PychoralRef seen)
{
    uint32_t member;
    memcpy(&member, seen.value, sizeof member);
    return member;
}

PychoralRef pychoral_enum_value(PychoralRef seen)
{
    const PychoralType *type = seen.type;
    uint32_t member = member_of(seen);
    if (type->element != NULL)
        return (PychoralRef){type->element,
                             (const char *)type->literals + member * type->element->size};
    return (PychoralRef){&pychoral_type_object, &type->values[member]};
}

static void add_member(PychoralBuild *build, PychoralRef seen)
{
    pychoral_build_text(build, pychoral_type_name(seen));
    pychoral_build_text(build, ".");
    pychoral_build_text(build, seen.type->members[member_of(seen)]);
}

static PychoralStr *repr_of_enum(PychoralRef seen)
{
    const PychoralMethod *method = pychoral_find_method(seen.type, "__repr__");
    if (method != NULL)
        return call_text(method, 1, &seen);
    PychoralBuild build = {0};
    pychoral_build_text(&build, "<");
    add_member(&build, seen);
    if (seen.type->element != NULL || seen.type->values != NULL) {
        pychoral_build_text(&build, ": ");
        add_repr(&build, pychoral_enum_value(seen));
    }
    pychoral_build_text(&build, ">");
    return finish(&build);
}

// ---- repr ----

static PychoralStr *repr_of_range(const PychoralRange *range)
{
    PychoralBuild build = {0};
    pychoral_build_text(&build, "range(");
    pychoral_build_str(&build, pychoral_int_repr(range->start));
    pychoral_build_text(&build, ", ");
    pychoral_build_str(&build, pychoral_int_repr(range->stop));
    if (range->step.big != NULL || range->step.small != 1) {
        pychoral_build_text(&build, ", ");
        pychoral_build_str(&build, pychoral_int_repr(range->step));
    }
    pychoral_build_text(&build, ")");
    return finish(&build);
}

static PychoralStr *repr_of_function(const PychoralFunction *function)
{
    return repr_by_address("<function ", function->name, " at ", function);
}

static const PychoralType OBJECTS = {
    .kind = PYCHORAL_LIST, .size = sizeof(PychoralList *),
    .element = &pychoral_type_object, .name = "list"};

// dict_keys(['a']), or what no other value says of itself.
static PychoralStr *repr_of_iterator(PychoralRef seen)
{
    const char *name;
    PychoralIterator *iterator = pychoral_pointer_at(seen.value);
    if (pychoral_view_of(iterator, &name) == NULL)
        return repr_by_address("<", pychoral_type_name(seen), " object at ", iterator);
    PychoralBuild build = {0};
    PychoralList *items = pychoral_list_from(seen, &OBJECTS);
    if (items == NULL)
        return NULL;
    pychoral_build_text(&build, name);
    pychoral_build_text(&build, "(");
    bool shows = pychoral_build_str(&build, pychoral_repr((PychoralRef){&OBJECTS, &items}));
    pychoral_release(&OBJECTS, &items);
    pychoral_build_text(&build, ")");
    return shows ? pychoral_build_end(&build) : pychoral_build_drop(&build);
}

PychoralStr *pychoral_repr(PychoralRef a)
{
    a = pychoral_look(a.type, a.value);
    switch (a.type->kind) {
    case PYCHORAL_NONE: return text_of("None");
    case PYCHORAL_BOOL: return text_of(*(const bool *)a.value ? "True" : "False");
    case PYCHORAL_INT: return pychoral_int_repr(*(const PychoralInt *)a.value);
    case PYCHORAL_FLOAT: return pychoral_float_repr(*(const double *)a.value);
    case PYCHORAL_COMPLEX: return pychoral_complex_repr(*(const PychoralComplex *)a.value);
    case PYCHORAL_STR: return pychoral_str_repr(pychoral_pointer_at(a.value));
    case PYCHORAL_BYTES: return pychoral_bytes_repr(pychoral_pointer_at(a.value));
    case PYCHORAL_ENUM: return repr_of_enum(a);
    case PYCHORAL_DATACLASS: return repr_of_object(a);
    case PYCHORAL_RANGE: return repr_of_range(pychoral_pointer_at(a.value));
    case PYCHORAL_FUNCTION: return repr_of_function(pychoral_pointer_at(a.value));
    case PYCHORAL_ITERATOR: return repr_of_iterator(a);
    case PYCHORAL_NDARRAY:
        return repr_by_address("<", pychoral_type_name(a), " object at ",
                               pychoral_pointer_at(a.value));
    default: return repr_of_content(a, NULL);
    }
}

// ---- str and format ----

static PychoralStr *str_of_object(PychoralRef seen)
{
    const PychoralMethod *method = pychoral_find_method(seen.type, "__str__");
    if (method != NULL)
        return call_text(method, 1, &seen);
    if (is_exception(seen.type))
        return pychoral_exception_str(pychoral_pointer_at(seen.value));
    return pychoral_repr(seen);
}

// A member of IntEnum or StrEnum is shown as its value.
static bool is_shown_as_value(const PychoralType *type)
{
    return type->element != NULL && !(type->flags & PYCHORAL_SHOWN_BY_NAME);
}

static PychoralStr *str_of_enum(PychoralRef seen)
{
    const PychoralMethod *method = pychoral_find_method(seen.type, "__str__");
    if (method != NULL)
        return call_text(method, 1, &seen);
    PychoralBuild build = {0};
    if (is_shown_as_value(seen.type))
        return pychoral_str_of(pychoral_enum_value(seen));
    add_member(&build, seen);
    return pychoral_build_end(&build);
}

PychoralStr *pychoral_str_of(PychoralRef a)
{
    PychoralRef seen = pychoral_look(a.type, a.value);
    switch (seen.type->kind) {
    case PYCHORAL_INT: return pychoral_int_repr(*(const PychoralInt *)seen.value);
    case PYCHORAL_STR: return PYCHORAL_KEEP(*(PychoralStr *const *)seen.value);
    case PYCHORAL_ENUM: return str_of_enum(seen);
    case PYCHORAL_DATACLASS: return str_of_object(seen);
    default: return pychoral_repr(seen);
    }
}

static PychoralStr *format_of_enum(PychoralRef seen, const PychoralStr *spec)
{
    const PychoralMethod *method = pychoral_find_method(seen.type, "__format__");
    PychoralRef arguments[] = {seen, {&pychoral_type_str, &spec}};
    if (method != NULL)
        return call_text(method, 2, arguments);
    if (is_shown_as_value(seen.type) && spec->size > 0)
        return pychoral_format(pychoral_enum_value(seen), spec);
    PychoralStr *text = str_of_enum(seen);
    if (text == NULL)
        return NULL;
    PychoralStr *formatted = pychoral_format_str(text, spec);
    pychoral_release(&pychoral_type_str, &text);
    return formatted;
}

static PychoralStr *format_of_other(PychoralRef seen, const PychoralStr *spec)
{
    const PychoralMethod *method = pychoral_find_method(seen.type, "__format__");
    if (method != NULL) {
        PychoralRef arguments[] = {seen, {&pychoral_type_str, &spec}};
        return call_text(method, 2, arguments);
    }
    if (spec->size == 0)
        return pychoral_str_of(seen);
    pychoral_throw(&pychoral_type_TypeError, "unsupported format string passed to %s.__format__",
                   pychoral_type_name(seen));
    return NULL;
}

PychoralStr *pychoral_format(PychoralRef a, const PychoralStr *spec)
{
    a = pychoral_look(a.type, a.value);
    if (spec->size == 0 && a.type->kind != PYCHORAL_DATACLASS && a.type->kind != PYCHORAL_ENUM)
        return pychoral_str_of(a);
    switch (a.type->kind) {
    case PYCHORAL_BOOL:
        return pychoral_format_int(pychoral_int_bool(*(const bool *)a.value), spec);
    case PYCHORAL_INT: return pychoral_format_int(*(const PychoralInt *)a.value, spec);
    case PYCHORAL_FLOAT: return pychoral_format_float(*(const double *)a.value, spec);
    case PYCHORAL_COMPLEX: return pychoral_format_complex(*(const PychoralComplex *)a.value, spec);
    case PYCHORAL_STR: return pychoral_format_str(pychoral_pointer_at(a.value), spec);
    case PYCHORAL_ENUM: return format_of_enum(a, spec);
    default: return format_of_other(a, spec);
    }
}

PychoralStr *pychoral_ascii(PychoralRef a)
{
    PychoralStr *text = pychoral_repr(a);
    if (text == NULL || (text->head.flags & PYCHORAL_ASCII))
        return text;
    PychoralStr *plain = pychoral_str_ascii(text);
    pychoral_release(&pychoral_type_str, &text);
    return plain;
}
