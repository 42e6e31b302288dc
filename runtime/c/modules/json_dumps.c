// json_dumps.c - values as JSON, in CPython's words; the contract is in json_text.h.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../builtins/build.h"
#include "../builtins/call.h"
#include "../builtins/float_repr.h"
#include "../builtins/items.h"
#include "../builtins/number.h"
#include "../builtins/unicode.h"
#include "../table.h"
#include "json_text.h"

// What is being written, and what it stands in.
typedef struct Outer {
    const void *container;
    const struct Outer *outer;
    size_t depth;
} Outer;

typedef struct Writer {
    PychoralBuild out;
    bool skips_keys, ascii, check_circular, allow_nan, sort_keys;
    PychoralFunction *standard;
    const char *item_separator, *key_separator;
    size_t item_size, key_size;
    const char *indent;                 // NULL: all on one line
    size_t indent_size;
    char spaces[100];
} Writer;

// All give false where they raise.
static bool write_value(Writer *w, PychoralRef value, const Outer *outer);

static bool put(Writer *w, const char *text)
{
    pychoral_build_text(&w->out, text);
    return true;
}

// ---- scalars ----

static void put_escape(Writer *w, uint32_t code)
{
    static const char letters[] = "\b\f\n\r\t\"\\", names[] = "bfnrt\"\\";
    char text[16];
    const char *known = code != 0 && code < 0x80 ? strchr(letters, (int)code) : NULL;
    if (known != NULL)
        snprintf(text, sizeof text, "\\%c", names[known - letters]);
    else if (code < 0x10000)
        snprintf(text, sizeof text, "\\u%04x", (unsigned)code);
    else
        snprintf(text, sizeof text, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (code >> 10)),
                 (unsigned)(0xdc00 | (code & 0x3ff)));
    pychoral_build_text(&w->out, text);
}

static bool stands_for_itself(const Writer *w, unsigned char byte)
{
    if (byte == '"' || byte == '\\' || byte < 0x20)
        return false;
    return !w->ascii || byte < 0x7f;
}

static bool write_str(Writer *w, const PychoralStr *str)
{
    const char *at = str->data, *end = at + str->size;
    put(w, "\"");
    while (at < end) {
        const char *start = at;
        while (at < end && stands_for_itself(w, (unsigned char)*at))
            at++;
        pychoral_build_bytes(&w->out, start, (size_t)(at - start));
        if (at < end)
            put_escape(w, pychoral_utf8_next(&at));
    }
    return put(w, "\"");
}

static bool write_float(Writer *w, double number)
{
    if (isfinite(number))
        return pychoral_build_str(&w->out, pychoral_float_repr(number));
    if (w->allow_nan)
        return put(w, isnan(number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity");
    bool says_which = w->indent != NULL;    // CPython's is another function then
    pychoral_throw(&pychoral_type_ValueError,
                   "Out of range float values are not JSON compliant%s%s", says_which ? ": " : "",
                   !says_which     ? ""
                   : isnan(number) ? "nan"
                   : number < 0    ? "-inf"
                                   : "inf");
    return false;
}

static bool write_int(Writer *w, PychoralInt number)
{
    if (pychoral_int_is_bool(number))
        return put(w, number.small ? "true" : "false");
    return pychoral_build_str(&w->out, pychoral_int_repr(number));
}

// What a value is, for JSON: members of enums that are ints or texts are those.
static PychoralRef look(PychoralRef value)
{
    value = pychoral_look(value.type, value.value);
    if (value.type->kind != PYCHORAL_ENUM || value.type->element == NULL)
        return value;
    uint32_t member;
    memcpy(&member, value.value, sizeof member);
    const PychoralType *element = value.type->element;
    return (PychoralRef){element, (const char *)value.type->literals + member * element->size};
}

// Whether it is a scalar, which is then written; `*good` says whether that succeeded.
static bool write_scalar(Writer *w, PychoralRef value, bool *good)
{
    switch (value.type->kind) {
    case PYCHORAL_NONE: *good = put(w, "null"); return true;
    case PYCHORAL_BOOL: *good = put(w, *(const bool *)value.value ? "true" : "false"); return true;
    case PYCHORAL_INT: *good = write_int(w, *(const PychoralInt *)value.value); return true;
    case PYCHORAL_FLOAT: *good = write_float(w, *(const double *)value.value); return true;
    case PYCHORAL_STR: *good = write_str(w, *(PychoralStr *const *)value.value); return true;
    default: return false;
    }
}

// ---- what holds others ----

static bool enter(const Writer *w, Outer *inner, const Outer *outer, const void *container)
{
    *inner = (Outer){container, outer, outer != NULL ? outer->depth + 1 : 1};
    if (PYCHORAL_TOO_DEEP())
        return false;
    for (; w->check_circular && outer != NULL; outer = outer->outer)
        if (outer->container == container) {
            pychoral_throw(&pychoral_type_ValueError, "Circular reference detected");
            return false;
        }
    return true;
}

static void put_line(Writer *w, size_t depth)
{
    if (w->indent == NULL)
        return;
    put(w, "\n");
    for (size_t i = 0; i < depth; i++)
        pychoral_build_bytes(&w->out, w->indent, w->indent_size);
}

static void put_separator(Writer *w, bool first, size_t depth)
{
    if (!first)
        pychoral_build_bytes(&w->out, w->item_separator, w->item_size);
    put_line(w, depth);
}

static bool write_items(Writer *w, PychoralRef value, const Outer *outer)
{
    Outer here;
    PychoralItems items = pychoral_items(value);
    if (items.count == 0)
        return put(w, "[]");
    const void *container = value.type->kind == PYCHORAL_TUPLE ? value.value : items.list;
    if (!enter(w, &here, outer, container))
        return false;
    put(w, "[");
    for (size_t i = 0; i < items.count; i++) {
        PychoralInt number;
        put_separator(w, i == 0, here.depth);
        if (!write_value(w, pychoral_item_ref(&items, i, &number), &here))
            return false;
    }
    put_line(w, here.depth - 1);
    return put(w, "]");
}

typedef struct Entry {
    PychoralRef key, value;
} Entry;

// Whether one comes before another; what cannot be compared raises.
static bool comes_before(const Entry *a, const Entry *b)
{
    return pychoral_raised == NULL && pychoral_ordered(a->key, b->key, '<');
}

// Merges two runs that are sorted: `half` entries, and those up to `count`.
static void merge(Entry *entries, size_t half, size_t count, Entry *room)
{
    memcpy(room, entries, half * sizeof *entries);
    for (size_t left = 0, right = half, to = 0; left < half; to++)
        entries[to] = right < count && comes_before(&entries[right], &room[left]) ? entries[right++]
                                                                                : room[left++];
}

static void sort(Entry *entries, size_t count, Entry *room)
{
    if (count < 2)
        return;
    size_t half = count / 2;
    sort(entries, half, room);
    sort(entries + half, count - half, room);
    merge(entries, half, count, room);
}

static Entry *entries_of(const Writer *w, const PychoralTable *table)
{
    const PychoralType *row = table->object.type;
    Entry *entries = pychoral_allocate(2 * (size_t)table->count * sizeof *entries);
    size_t count = 0;
    void *key, *value;
    for (uint32_t at = 0; pychoral_table_next(table, &at, &key, &value);)
        entries[count++] = (Entry){{row->key, key}, {row->element, value}};
    if (w->sort_keys)
        sort(entries, count, entries + count);
    if (pychoral_raised == NULL)
        return entries;
    free(entries);
    return NULL;
}

// Whether a key has a form; otherwise, unless such keys are skipped, raises.
static bool is_key(const Writer *w, PychoralRef key)
{
    PychoralKind kind = key.type->kind;
    if (kind == PYCHORAL_STR || kind == PYCHORAL_INT || kind == PYCHORAL_FLOAT ||
        kind == PYCHORAL_BOOL || kind == PYCHORAL_NONE)
        return true;
    if (!w->skips_keys)
        pychoral_throw(&pychoral_type_TypeError,
                       "keys must be str, int, float, bool or None, not %s",
                       pychoral_type_name(key));
    return false;
}

static bool write_entry(Writer *w, const Entry *entry, PychoralRef key, const Outer *here)
{
    bool good = true;
    bool quoted = key.type->kind != PYCHORAL_STR;
    put(w, quoted ? "\"" : "");
    write_scalar(w, key, &good);
    put(w, quoted ? "\"" : "");
    pychoral_build_bytes(&w->out, w->key_separator, w->key_size);
    return good && write_value(w, entry->value, here);
}

static bool write_dict(Writer *w, const PychoralTable *table, const Outer *outer)
{
    Outer here;
    if (table->count == 0)
        return put(w, "{}");
    if (!enter(w, &here, outer, table))
        return false;
    Entry *entries = entries_of(w, table);
    bool good = entries != NULL, first = true;
    put(w, "{");
    for (size_t i = 0; good && i < table->count; i++) {
        PychoralRef key = look(entries[i].key);
        if (!is_key(w, key)) {
            good = pychoral_raised == NULL;
            continue;
        }
        put_separator(w, first, here.depth);
        first = false;
        good = write_entry(w, &entries[i], key, &here);
    }
    free(entries);
    put_line(w, here.depth - 1);
    return put(w, "}") && good;
}

// ---- all ----

static bool write_other(Writer *w, PychoralRef value, const Outer *outer)
{
    Outer here;
    PychoralAny replaced;
    if (w->standard == NULL) {
        pychoral_throw(&pychoral_type_TypeError, "Object of type %s is not JSON serializable",
                       pychoral_type_name(value));
        return false;
    }
    const void *container = value.type->kind == PYCHORAL_DATACLASS ? *(void *const *)value.value
                                                                   : value.value;
    if (!enter(w, &here, outer, container))
        return false;
    here.depth--;                       // what it is replaced by stands where it stood
    pychoral_call1(w->standard, value, &pychoral_type_object, &replaced);
    if (pychoral_raised != NULL)
        return false;
    bool good = write_value(w, PYCHORAL_REF(pychoral_type_object, replaced), &here);
    pychoral_release(&pychoral_type_object, &replaced);
    return good;
}

static bool write_value(Writer *w, PychoralRef value, const Outer *outer)
{
    bool good;
    value = pychoral_as_tuple(look(value), NULL);
    if (write_scalar(w, value, &good))
        return good;
    switch (value.type->kind) {
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE:
    case PYCHORAL_TUPLE: return write_items(w, value, outer);
    case PYCHORAL_DICT: return write_dict(w, *(PychoralTable *const *)value.value, outer);
    default: return write_other(w, value, outer);
    }
}

// ---- how ----

static void set_indent(Writer *w, PychoralRef indent)
{
    int64_t count = -1;
    if (indent.type == NULL)
        return;
    indent = look(indent);
    if (indent.type->kind == PYCHORAL_STR) {
        const PychoralStr *str = *(PychoralStr *const *)indent.value;
        w->indent = str->data;
        w->indent_size = str->size;
    } else if (indent.type->kind == PYCHORAL_INT) {
        count = ((const PychoralInt *)indent.value)->small;
    } else if (indent.type->kind == PYCHORAL_BOOL) {
        count = *(const bool *)indent.value;
    }
    if (indent.type->kind == PYCHORAL_INT || indent.type->kind == PYCHORAL_BOOL) {
        memset(w->spaces, ' ', sizeof w->spaces);
        w->indent = w->spaces;
        w->indent_size = count < 0 ? 0 : count > (int64_t)sizeof w->spaces ? sizeof w->spaces
                                                                           : (size_t)count;
    }
    w->item_size = w->indent != NULL ? 1 : 2;
}

// False: they are not two texts, which was raised.
static bool set_separators(Writer *w, PychoralRef separators)
{
    if (separators.type == NULL)
        return true;
    separators = look(separators);
    if (separators.type->kind == PYCHORAL_NONE)
        return true;
    PychoralItems items = pychoral_items(separators);
    PychoralInt number;
    const PychoralStr *texts[2] = {NULL, NULL};
    for (size_t i = 0; i < 2 && i < items.count; i++) {
        PychoralRef item = look(pychoral_item_ref(&items, i, &number));
        texts[i] = item.type->kind == PYCHORAL_STR ? *(PychoralStr *const *)item.value : NULL;
    }
    if (texts[0] == NULL || texts[1] == NULL) {
        pychoral_throw(&pychoral_type_TypeError, "separators must be two texts");
        return false;
    }
    w->item_separator = texts[0]->data;
    w->item_size = texts[0]->size;
    w->key_separator = texts[1]->data;
    w->key_size = texts[1]->size;
    return true;
}

PychoralStr *pychoral_json_dumps(PychoralRef value, bool skips_keys, bool ascii,
                                 bool check_circular, bool allow_nan, PychoralRef indent,
                                 PychoralRef separators, PychoralFunction *standard, bool sort_keys)
{
    Writer w = {.skips_keys = skips_keys, .ascii = ascii, .check_circular = check_circular,
                .allow_nan = allow_nan, .sort_keys = sort_keys, .standard = standard,
                .item_separator = ", ", .item_size = 2, .key_separator = ": ", .key_size = 2};
    set_indent(&w, indent);
    if (set_separators(&w, separators) && write_value(&w, value, NULL))
        return pychoral_build_end(&w.out);
    return pychoral_build_drop(&w.out);
}
