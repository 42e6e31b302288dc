// str_layout.c - str: padding, tabs, translation; the items of tuples (str.h, text.h).

#include <stdlib.h>

#include "text.h"

// ---- tuples ----

static PychoralRef look(PychoralRef ref) { return pychoral_look(ref.type, ref.value); }

size_t pychoral_tuple_count(PychoralRef tuple)
{
    tuple = look(tuple);
    return tuple.type->kind == PYCHORAL_TUPLE ? tuple.type->count
                                              : (*(PychoralList *const *)tuple.value)->count;
}

PychoralRef pychoral_tuple_item(PychoralRef tuple, size_t index)
{
    tuple = look(tuple);
    if (tuple.type->kind == PYCHORAL_TUPLE) {
        const PychoralField *field = &tuple.type->fields[index];
        return pychoral_look(field->type, (const char *)tuple.value + field->offset);
    }
    const PychoralList *list = *(PychoralList *const *)tuple.value;
    const PychoralType *element = list->object.type->element;
    return pychoral_look(element, (const char *)list->items + index * element->size);
}

// ---- padding ----

// s with so many characters before and behind it.
static PychoralStr *pad(const PychoralStr *s, uint64_t left, uint64_t right, uint32_t fill)
{
    if (left + right == 0)
        return pychoral_same(s);
    if (left + right > PYCHORAL_TEXT_MOST)
        return pychoral_text_too_large();
    PychoralOut out = {0};
    pychoral_out_fill(&out, fill, left);
    pychoral_out_whole(&out, s);
    pychoral_out_fill(&out, fill, right);
    return pychoral_out_str(&out);
}

// How many characters are missing to `width`.
static uint64_t missing(const PychoralStr *s, int64_t width)
{
    int64_t length = pychoral_str_len(s);
    return width > length ? (uint64_t)(width - length) : 0;
}

// The fill character of an argument; false, raised: there is none.
static bool fill_of(const PychoralStr *fill, uint32_t *character)
{
    *character = ' ';
    if (fill == NULL)
        return true;
    if (pychoral_str_len(fill) != 1) {
        pychoral_throw(&pychoral_type_TypeError,
                       "The fill character must be exactly one character long");
        return false;
    }
    const char *at = fill->data;
    *character = pychoral_utf8_next(&at);
    return true;
}

PychoralStr *pychoral_str_center(const PychoralStr *s, int64_t width, const PychoralStr *fill)
{
    uint32_t character;
    if (!fill_of(fill, &character))
        return NULL;
    uint64_t all = missing(s, width);
    uint64_t left = all / 2 + (all & (uint64_t)width & 1);
    return pad(s, left, all - left, character);
}

PychoralStr *pychoral_str_ljust(const PychoralStr *s, int64_t width, const PychoralStr *fill)
{
    uint32_t character;
    return fill_of(fill, &character) ? pad(s, 0, missing(s, width), character) : NULL;
}

PychoralStr *pychoral_str_rjust(const PychoralStr *s, int64_t width, const PychoralStr *fill)
{
    uint32_t character;
    return fill_of(fill, &character) ? pad(s, missing(s, width), 0, character) : NULL;
}

PychoralStr *pychoral_str_zfill(const PychoralStr *s, int64_t width)
{
    uint64_t zeros = missing(s, width);
    bool is_signed = s->size > 0 && (s->data[0] == '+' || s->data[0] == '-');
    if (!is_signed || zeros == 0)
        return pad(s, zeros, 0, '0');
    if (zeros > PYCHORAL_TEXT_MOST)
        return pychoral_text_too_large();
    PychoralOut out = {0};
    pychoral_out_byte(&out, s->data[0]);
    pychoral_out_fill(&out, '0', zeros);
    pychoral_out_part(&out, s, s->data + 1, s->size - 1);
    return pychoral_out_str(&out);
}

bool pychoral_text_tab(PychoralOut *out, int64_t tabsize, uint64_t *column)
{
    if (tabsize <= 0)
        return true;
    uint64_t spaces = (uint64_t)tabsize - *column % (uint64_t)tabsize;
    if (spaces > PYCHORAL_TEXT_MOST) {
        pychoral_out_drop(out);
        return pychoral_text_too_large() != NULL;
    }
    pychoral_out_fill(out, ' ', spaces);
    *column += spaces;
    return true;
}

PychoralStr *pychoral_str_expandtabs(const PychoralStr *s, int64_t tabsize)
{
    PychoralOut out = {0};
    uint64_t column = 0;
    for (const char *at = s->data, *end = at + s->size; at < end;) {
        uint32_t character = pychoral_utf8_next(&at);
        if (character == '\t') {
            if (!pychoral_text_tab(&out, tabsize, &column))
                return NULL;
            continue;
        }
        pychoral_out_char(&out, character);
        column = character == '\n' || character == '\r' ? 0 : column + 1;
    }
    return pychoral_out_str(&out);
}

// ---- translate ----

// What a dict has for a character; false: nothing.
static bool look_up(PychoralRef table, uint32_t character, PychoralRef *found)
{
    PychoralInt key = pychoral_int(character);
    const void *value = pychoral_table_find_of(*(PychoralTable *const *)table.value,
                                               &pychoral_type_int, &key);
    if (value != NULL)
        *found = pychoral_look(table.type->element, value);
    return value != NULL;
}

// Writes what a character is translated to; false, raised: that is not possible.
static bool put_translated(PychoralOut *out, PychoralRef to)
{
    switch (to.type->kind) {
    case PYCHORAL_NONE:
        return true;
    case PYCHORAL_STR:
        pychoral_out_whole(out, *(PychoralStr *const *)to.value);
        return true;
    case PYCHORAL_BOOL:
        pychoral_out_char(out, *(const bool *)to.value);
        return true;
    case PYCHORAL_INT: {
        PychoralInt code = *(const PychoralInt *)to.value;
        if (!pychoral_int_is_big(code) && code.small >= 0 && code.small <= 0x10ffff) {
            pychoral_out_char(out, (uint32_t)code.small);
            return true;
        }
        pychoral_throw(&pychoral_type_ValueError,
                       "character mapping must be in range(0x110000)");
        return false;
    }
    default:
        pychoral_throw(&pychoral_type_TypeError,
                       "character mapping must return integer, None or str");
        return false;
    }
}

PychoralStr *pychoral_str_translate(const PychoralStr *s, PychoralRef table)
{
    PychoralOut out = {0};
    table = look(table);
    if (table.type->kind != PYCHORAL_DICT) {
        pychoral_throw(&pychoral_type_TypeError, "'%s' object is not subscriptable",
                       pychoral_type_name(table));
        return NULL;
    }
    for (const char *at = s->data, *end = at + s->size; at < end;) {
        uint32_t character = pychoral_utf8_next(&at);
        PychoralRef to;
        if (!look_up(table, character, &to))
            pychoral_out_char(&out, character);
        else if (!put_translated(&out, to))
            return pychoral_out_drop(&out);
    }
    return pychoral_out_str(&out);
}

// ---- maketrans ----

// Puts a value of any type under a character into a dict from ints.
static bool put_entry(PychoralTable *made, PychoralInt code, const PychoralType *type,
                      const void *value)
{
    const PychoralType *element = made->object.type->element;
    _Alignas(16) char converted[64];
    void *room = element->size <= sizeof converted ? converted : pychoral_allocate(element->size);
    memset(room, 0, element->size);
    pychoral_convert(type, value, element, room);
    bool done = pychoral_raised == NULL;
    if (done && pychoral_table_put(made, &code, room) == PYCHORAL_PUT_MEMORY)
        pychoral_no_memory();
    if (room != converted)
        free(room);
    return done;
}

// The code that a key of maketrans's argument stands for; false, raised: none.
static bool code_of_key(PychoralRef key, PychoralInt *code)
{
    key = look(key);
    if (key.type->kind == PYCHORAL_INT || key.type->kind == PYCHORAL_BOOL) {
        *code = key.type->kind == PYCHORAL_INT ? *(const PychoralInt *)key.value
                                               : pychoral_int(*(const bool *)key.value);
        pychoral_keep_int(*code);
        return true;
    }
    if (key.type->kind != PYCHORAL_STR) {
        pychoral_throw(&pychoral_type_TypeError,
                       "keys in translate table must be strings or integers");
        return false;
    }
    const PychoralStr *text = *(PychoralStr *const *)key.value;
    if (pychoral_str_len(text) != 1) {
        pychoral_throw(&pychoral_type_ValueError,
                       "string keys in translate table must be of length 1");
        return false;
    }
    *code = pychoral_int(pychoral_ord(text));
    return true;
}

static void *give_up(PychoralTable *made)
{
    pychoral_drop_object(&made);
    return NULL;
}

PychoralTable *pychoral_str_maketrans(PychoralRef table, const PychoralType *row)
{
    PychoralTable *made = pychoral_must(pychoral_table_new(row, 0));
    table = look(table);
    if (table.type->kind != PYCHORAL_DICT) {
        pychoral_throw(&pychoral_type_TypeError,
                       "if you give only one argument to maketrans it must be a dict");
        return give_up(made);
    }
    void *key, *value;
    for (uint32_t at = 0;
         pychoral_table_next(*(PychoralTable *const *)table.value, &at, &key, &value);) {
        PychoralInt code;
        if (!code_of_key((PychoralRef){table.type->key, key}, &code) ||
            !put_entry(made, code, table.type->element, value))
            return give_up(made);
    }
    return made;
}

PychoralTable *pychoral_str_maketrans_of(const PychoralStr *from, const PychoralStr *to,
                                         const PychoralStr *without, const PychoralType *row)
{
    if (pychoral_str_len(from) != pychoral_str_len(to)) {
        pychoral_throw(&pychoral_type_ValueError,
                       "the first two maketrans arguments must have equal length");
        return NULL;
    }
    PychoralTable *made = pychoral_must(pychoral_table_new(row, 0));
    const char *a = from->data, *b = to->data, *end = a + from->size;
    while (a < end) {
        PychoralInt code = pychoral_int(pychoral_utf8_next(&a));
        PychoralInt other = pychoral_int(pychoral_utf8_next(&b));
        put_entry(made, code, &pychoral_type_int, &other);
    }
    PychoralNone none = 0;
    const char *at = without == NULL ? NULL : without->data;
    while (without != NULL && at < without->data + without->size)
        put_entry(made, pychoral_int(pychoral_utf8_next(&at)), &pychoral_type_none, &none);
    return made;
}
