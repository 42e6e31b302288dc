// short_repr.c - values on one line (short_repr.h).

#include "short_repr.h"

#include <stdio.h>

#include "build.h"
#include "bytes.h"
#include "items.h"
#include "number.h"
#include "str.h"
#include "table.h"

enum { MOST_CHARACTERS = PYCHORAL_BRIEF_MAX, MOST_ITEMS = 6, MOST_DEPTH = 4, MOST_BITS = 400 };

static void add(PychoralBuild *build, PychoralRef value, int depth);

static void add_repr(PychoralBuild *build, PychoralRef value)
{
    pychoral_build_str(build, pychoral_repr(value));
}

static void add_int(PychoralBuild *build, PychoralRef value)
{
    char text[64];
    int64_t bits = pychoral_int_bit_length(*(const PychoralInt *)value.value).small;
    if (bits < MOST_BITS) {
        add_repr(build, value);
        return;
    }
    snprintf(text, sizeof text, "<int of %lld bits>", (long long)bits);
    pychoral_build_text(build, text);
}

// The literal; of a long one its beginning.
static void add_quoted(PychoralBuild *build, PychoralRef value)
{
    const PychoralBytes *bytes = *(PychoralBytes *const *)value.value;
    bool is_str = value.type->kind == PYCHORAL_STR;
    int64_t length = is_str ? pychoral_str_len(bytes) : (int64_t)bytes->size;
    char text[64];
    if (length <= MOST_CHARACTERS) {
        add_repr(build, value);
        return;
    }
    PychoralBytes *first = is_str ? pychoral_str_slice(bytes, 0, MOST_CHARACTERS / 2, 1)
                                  : pychoral_bytes_slice(bytes, 0, MOST_CHARACTERS / 2, 1);
    add_repr(build, (PychoralRef){value.type, &first});
    pychoral_release(value.type, &first);
    snprintf(text, sizeof text, "... (%lld long)", (long long)length);
    pychoral_build_text(build, text);
}

// Whether part `index` of a value is one that is shown; with what comes before it, or instead.
static bool begin_part(PychoralBuild *build, size_t index, size_t count)
{
    char text[64];
    if (index < MOST_ITEMS) {
        pychoral_build_text(build, index > 0 ? ", " : "");
        return true;
    }
    snprintf(text, sizeof text, ", ... (%zu in all)", count);
    pychoral_build_text(build, text);
    return false;
}

static void add_items(PychoralBuild *build, PychoralRef value, int depth)
{
    PychoralItems items = pychoral_items(value);
    bool is_tuple = pychoral_is_tuple(value.type);
    pychoral_build_text(build, is_tuple ? "(" : "[");
    for (size_t i = 0; i < items.count && begin_part(build, i, items.count); i++) {
        PychoralInt room;
        add(build, pychoral_item_ref(&items, i, &room), depth + 1);
    }
    pychoral_build_text(build, !is_tuple ? "]" : items.count == 1 ? ",)" : ")");
}

static void add_entries(PychoralBuild *build, const PychoralTable *table, int depth)
{
    const PychoralType *type = table->object.type;
    uint32_t position = 0;
    void *key, *value;
    for (size_t i = 0; pychoral_table_next(table, &position, &key, &value); i++) {
        if (!begin_part(build, i, table->count))
            return;
        add(build, (PychoralRef){pychoral_key_row(type), key}, depth + 1);
        if (type->kind != PYCHORAL_DICT)
            continue;
        pychoral_build_text(build, ": ");
        add(build, (PychoralRef){type->element, value}, depth + 1);
    }
}

static void add_table(PychoralBuild *build, const PychoralTable *table, int depth)
{
    PychoralKind kind = table->object.type->kind;
    if (kind == PYCHORAL_SET && table->count == 0) {
        pychoral_build_text(build, "set()");
        return;
    }
    bool frozen = kind == PYCHORAL_FROZENSET, empty = frozen && table->count == 0;
    pychoral_build_text(build, empty ? "frozenset(" : frozen ? "frozenset({" : "{");
    add_entries(build, table, depth);
    pychoral_build_text(build, empty ? ")" : frozen ? "})" : "}");
}

static void add_fields(PychoralBuild *build, const PychoralObject *object, int depth)
{
    const PychoralType *type = object->type;
    pychoral_build_text(build, type->name);
    pychoral_build_text(build, "(");
    for (uint32_t i = 0; i < type->count && begin_part(build, i, type->count); i++) {
        const PychoralField *field = &type->fields[i];
        pychoral_build_text(build, field->name);
        pychoral_build_text(build, "=");
        add(build, (PychoralRef){field->type, (const char *)object + field->offset}, depth + 1);
    }
    pychoral_build_text(build, ")");
}

static void add_member(PychoralBuild *build, PychoralRef value)
{
    pychoral_build_text(build, value.type->name);
    pychoral_build_text(build, ".");
    pychoral_build_text(build, value.type->members[*(const uint32_t *)value.value]);
}

static void add_name(PychoralBuild *build, const char *name)
{
    pychoral_build_text(build, "<");
    pychoral_build_text(build, name);
    pychoral_build_text(build, ">");
}

static void add_compound(PychoralBuild *build, PychoralRef value, int depth)
{
    PychoralKind kind = value.type->kind;
    if (depth >= MOST_DEPTH)
        pychoral_build_text(build, "...");
    else if (kind == PYCHORAL_LIST || pychoral_is_tuple(value.type))
        add_items(build, value, depth);
    else if (kind == PYCHORAL_DICT || pychoral_is_set(value.type))
        add_table(build, *(PychoralTable *const *)value.value, depth);
    else if (kind == PYCHORAL_ENUM)
        add_member(build, value);
    else if (kind == PYCHORAL_DATACLASS && !(value.type->flags & PYCHORAL_PLAIN))
        add_fields(build, *(PychoralObject *const *)value.value, depth);
    else
        add_name(build, value.type->name);
}

static void add(PychoralBuild *build, PychoralRef value, int depth)
{
    value = pychoral_look(value.type, value.value);
    PychoralKind kind = value.type->kind;
    if (kind == PYCHORAL_INT)
        add_int(build, value);
    else if (kind == PYCHORAL_STR || kind == PYCHORAL_BYTES)
        add_quoted(build, value);
    else if (kind <= PYCHORAL_COMPLEX)
        add_repr(build, value);
    else
        add_compound(build, value, depth);
}

PychoralStr *pychoral_short_repr(const PychoralType *type, const void *value, size_t most)
{
    PychoralBuild build = {NULL, 0, 0};
    add(&build, (PychoralRef){type, value}, 0);
    PychoralStr *text = pychoral_build_end(&build);
    if (text == NULL || (size_t)pychoral_str_len(text) <= most)
        return text;
    PychoralStr *first = pychoral_str_slice(text, 0, (int64_t)most - 3, 1);
    pychoral_release(&pychoral_type_str, &text);
    pychoral_build_str(&build, first);
    pychoral_build_text(&build, "...");
    return pychoral_build_end(&build);
}
