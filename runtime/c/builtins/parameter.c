// parameter.c - values for `main` from the command line; contracts in parameter.h.

#include "parameter.h"

#include <stdio.h>
#include <stdlib.h>

#include "agreeing.h"
#include "short_repr.h"
#include "build.h"
#include "bytes.h"
#include "generated.h"
#include "number.h"
#include "str.h"

static void fail(const char *text) { pychoral_throw(&pychoral_type_ValueError, "%s", text); }

// ---- words of the command line ----

// NULL: it is no UTF-8.
static PychoralStr *utf8_word(const char *text)
{
    PychoralStr *str = pychoral_str_new(text, strlen(text));
    if (str != NULL && (str->head.flags & PYCHORAL_SURROGATES))
        pychoral_release(&pychoral_type_str, &str), str = NULL;
    return str;
}

PychoralStr *pychoral_parameter_word(const char *text)
{
    static PychoralStr utf8 = PYCHORAL_CONSTANT("utf-8", PYCHORAL_ASCII),
                       escape = PYCHORAL_CONSTANT("surrogateescape", PYCHORAL_ASCII);
    PychoralStr *str = utf8_word(text);
    if (str != NULL)
        return str;
    PYCHORAL_OWNED(str) PychoralBytes *bytes = pychoral_bytes_new(text, strlen(text));
    return pychoral_bytes_decode(bytes, &utf8, &escape);
}

PychoralStr *pychoral_parameter_shown(const char *text)
{
    enum { SHOWN = 80 };
    PYCHORAL_OWNED(str) PychoralStr *str = pychoral_parameter_word(text);
    PYCHORAL_OWNED(str) PychoralStr *repr = pychoral_str_repr(str);
    return pychoral_str_slice(repr, 0, SHOWN, 1);
}

// ---- scalars ----

static void read_str(const char *text, PychoralStr **result)
{
    *result = utf8_word(text);
    if (*result != NULL)
        return;
    PYCHORAL_OWNED(str) PychoralBytes *bytes = pychoral_bytes_new(text, strlen(text));
    *result = pychoral_bytes_decode(bytes, NULL, NULL);     // which raises
}

static bool is_word(const char *text, const char *const words[3])
{
    for (int i = 0; i < 3; i++) {
        size_t at = 0;
        while (text[at] != '\0' && (text[at] | 0x20) == (words[i][at] | 0x20))
            at++;
        if (text[at] == '\0' && words[i][at] == '\0')
            return true;
    }
    return false;
}

static void read_bool(const char *text, bool *result)
{
    static const char *const yes[] = {"true", "yes", "1"}, *const no[] = {"false", "no", "0"};
    *result = is_word(text, yes);
    if (!*result && !is_word(text, no))
        fail("say true or false");
}

static void read_bytes(const char *text, PychoralBytes **result)
{
    if (text[0] == 'b' && (text[1] == '\'' || text[1] == '"')) {
        PychoralAny value = pychoral_literal(text, strlen(text), false);
        if (value.type != NULL && value.type->kind == PYCHORAL_BYTES) {
            *result = value.pointer;
            return;
        }
        pychoral_release(&pychoral_type_object, &value);
        PychoralException *fault = pychoral_catch(&pychoral_type_ValueError);
        if (fault != NULL) {
            pychoral_handled(fault);
            fail(PYCHORAL_NO_LITERAL);
        }
        if (pychoral_raised != NULL)
            return;
    }
    *result = pychoral_bytes_new(text, strlen(text));
    if (*result == NULL)
        pychoral_no_memory();
}

static void read_object(const char *text, PychoralAny *result)
{
    *result = pychoral_literal(text, strlen(text), false);
    PychoralException *fault = pychoral_catch(&pychoral_type_ValueError);
    if (fault == NULL)
        return;
    pychoral_handled(fault);
    result->type = &pychoral_type_str;
    result->pointer = pychoral_parameter_word(text);
}

static void read_member(const PychoralType *row, const char *text, void *result)
{
    PychoralStr *str = pychoral_parameter_word(text);
    pychoral_literal_to_value(PYCHORAL_REF(pychoral_type_str, str), row, result);
    pychoral_release(&pychoral_type_str, &str);
}

// One of several texts, as it stands.
static void read_word(const PychoralType *row, const char *text, PychoralStr **result)
{
    PychoralStr *const *words = row->literals;
    PYCHORAL_OWNED(str) PychoralStr *str = pychoral_parameter_word(text);
    PychoralBuild names = {NULL, 0, 0};
    for (uint32_t i = 0; i < row->count; i++) {
        if (pychoral_str_compare(str, words[i]) == 0) {
            pychoral_build_drop(&names);
            pychoral_assign(row->element, result, &words[i]);
            return;
        }
        pychoral_build_text(&names, i > 0 ? ", " : "");
        pychoral_build_text(&names, words[i]->data);
    }
    PYCHORAL_OWNED(str) PychoralStr *all = pychoral_build_end(&names);
    pychoral_throw(&pychoral_type_ValueError, "expected one of %s", all->data);
}

static const char *skip_space(const char *text) { return text + strspn(text, " \t\n\r\f\v"); }

static void read_shape(const PychoralType *row, const char *text, void *result)
{
    const char *start = skip_space(text);
    size_t size = strlen(start);
    while (size > 0 && skip_space(start + size - 1) != start + size - 1)
        size--;
    PychoralAny literal = pychoral_literal(start, size, true);
    PychoralException *fault = pychoral_catch(&pychoral_type_ValueError);
    if (fault != NULL) {
        pychoral_handled(fault);
        if (row->kind == PYCHORAL_DATACLASS)
            pychoral_throw(&pychoral_type_ValueError, PYCHORAL_NO_FIELDS, row->name);
        else
            fail(PYCHORAL_NO_LITERAL);
        return;
    }
    if (pychoral_raised == NULL)
        pychoral_literal_to_value(PYCHORAL_REF(pychoral_type_object, literal), row, result);
    pychoral_release(&pychoral_type_object, &literal);
}

// ---- by type ----

static void read_value(const PychoralType *row, const char *text, void *result);

// The first line of what an exception says.
static PychoralStr *first_line(const PychoralException *exception)
{
    PychoralStr *text = pychoral_exception_str(exception);
    size_t size = strcspn(text->data, "\n");
    if (size == text->size)
        return text;
    PychoralStr *line = pychoral_str_new(text->data, size);
    pychoral_release(&pychoral_type_str, &text);
    return line;
}

// Tries one member of a union. False: it does not take the text.
static bool try_member(const PychoralType *row, uint32_t index, const char *text, void *result,
                       PychoralBuild *reasons)
{
    const PychoralField *member = &row->fields[index];
    memset(result, 0, row->size);
    memcpy(result, &index, sizeof index);
    read_value(member->type, text, (char *)result + member->offset);
    PychoralException *fault = pychoral_catch(&pychoral_type_Exception);
    if (fault == NULL)
        return true;
    pychoral_build_text(reasons, reasons->size > 0 ? "; " : "");
    pychoral_build_str(reasons, first_line(fault));
    pychoral_handled(fault);
    memset(result, 0, row->size);
    return false;
}

// The first member that takes the text; str takes any, so it comes last.
static void read_union(const PychoralType *row, const char *text, void *result)
{
    PychoralBuild reasons = {NULL, 0, 0};
    for (int turn = 0; turn < PYCHORAL_TURNS; turn++)
        for (uint32_t i = 0; i < row->count; i++)
            if (pychoral_shape_turn(row->fields[i].type) == turn &&
                try_member(row, i, text, result, &reasons)) {
                pychoral_build_drop(&reasons);
                return;
            }
    PYCHORAL_OWNED(str) PychoralStr *all = pychoral_build_end(&reasons);
    fail(all->data);
}

static void read_box(const PychoralType *row, const char *text, void *result)
{
    void *value = pychoral_allocate_zeroed(1, row->element->size);
    read_value(row->element, text, value);
    if (pychoral_raised == NULL) {
        PychoralBox *box = pychoral_box_new(row, value);
        memcpy(result, &box, sizeof box);
    }
    free(value);
}

static void read_number(const PychoralType *row, const char *text, void *result)
{
    PYCHORAL_OWNED(str) PychoralStr *str = pychoral_parameter_word(text);
    if (row->kind == PYCHORAL_INT)
        *(PychoralInt *)result = pychoral_int_of_str(str, pychoral_int(10));
    else
        *(double *)result = pychoral_float_of_str(str);
}

static void read_value(const PychoralType *row, const char *text, void *result)
{
    switch (row->kind) {
    case PYCHORAL_NONE:
        if (strcmp(text, "None") != 0)
            fail("not `None`");
        return;
    case PYCHORAL_BOOL: read_bool(text, result); return;
    case PYCHORAL_INT:
    case PYCHORAL_FLOAT: read_number(row, text, result); return;
    case PYCHORAL_STR: read_str(text, result); return;
    case PYCHORAL_BYTES: read_bytes(text, result); return;
    case PYCHORAL_ENUM: read_member(row, text, result); return;
    case PYCHORAL_LITERAL:
        if (row->literals != NULL)
            read_word(row, text, result);
        else
            read_shape(row, text, result);
        return;
    case PYCHORAL_UNION: read_union(row, text, result); return;
    case PYCHORAL_BOX: read_box(row, text, result); return;
    case PYCHORAL_OBJECT: read_object(text, result); return;
    default: read_shape(row, text, result); return;
    }
}

enum { BRACKETED = 60 };                // longer texts are not shown once more

// `7, 10` for a list: with brackets it is one, and the reason says so.
static void advise_brackets(const PychoralType *row, const char *text, PychoralStr **reason)
{
    char more[BRACKETED + sizeof "; write `[]`"];
    size_t len = strlen(text);
    if (row->kind != PYCHORAL_LIST || len > BRACKETED)
        return;
    for (size_t i = 0; i < len; i++)
        if (text[i] < ' ' || text[i] > '~')
            return;
    int shown = snprintf(more, sizeof more, "; write `[%s]`", text);
    char written[BRACKETED + sizeof "[]"];
    snprintf(written, sizeof written, "[%s]", text);
    void *value = pychoral_allocate_zeroed(1, row->size);
    read_value(row, written, value);
    PychoralException *fault = pychoral_catch(&pychoral_type_Exception);
    if (fault != NULL) {
        pychoral_handled(fault);
    } else {
        PychoralStr *tail = pychoral_str_new(more, (size_t)shown), *whole;
        whole = pychoral_str_add(*reason, tail);
        pychoral_release(&pychoral_type_str, &tail);
        pychoral_release(&pychoral_type_str, reason);
        *reason = whole;
        pychoral_release(row, value);
    }
    free(value);
}

bool pychoral_parameter_read(const PychoralType *row, const char *text, void *result,
                             PychoralStr **reason)
{
    memset(result, 0, row->size);
    read_value(row, text, result);
    PychoralException *fault = pychoral_catch(&pychoral_type_Exception);
    if (fault == NULL)
        return true;
    *reason = first_line(fault);
    pychoral_handled(fault);
    advise_brackets(row, text, reason);
    return false;
}

// ---- defaults ----

PychoralStr *pychoral_parameter_repr_of_default(const PychoralParameter *parameter)
{
    PychoralStr *repr = NULL;
    void *value = pychoral_allocate_zeroed(1, parameter->row->size);
    parameter->make_default(value);
    if (pychoral_raised == NULL) {
        repr = pychoral_repr((PychoralRef){parameter->row, value});
        pychoral_release(parameter->row, value);
    }
    free(value);
    PychoralException *fault = pychoral_catch(&pychoral_type_BaseException);
    if (fault != NULL)
        pychoral_handled(fault);
    return repr;
}

const PychoralReading pychoral_reading = {
    .read = pychoral_parameter_read,
    .shown = pychoral_parameter_shown,
    .repr_of_default = pychoral_parameter_repr_of_default,
    .brief = pychoral_short_repr,
    .agree = pychoral_agree};
