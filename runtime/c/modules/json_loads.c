// json_loads.c - values from JSON, with CPython's complaints; the contract is in json_text.h.

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../builtins/build.h"
#include "../builtins/bytes.h"
#include "../builtins/generated.h"
#include "../builtins/number.h"
#include "../builtins/unicode.h"
#include "../table.h"
#include "json_text.h"

static const PychoralField ERROR_FIELDS[] = {
    PYCHORAL_EXCEPTION_FIELDS,
    {.type = &pychoral_type_str, .offset = offsetof(PychoralJsonError, msg), .name = "msg"},
    {.type = &pychoral_type_str, .offset = offsetof(PychoralJsonError, doc), .name = "doc"},
    {.type = &pychoral_type_int, .offset = offsetof(PychoralJsonError, pos), .name = "pos"},
    {.type = &pychoral_type_int, .offset = offsetof(PychoralJsonError, lineno), .name = "lineno"},
    {.type = &pychoral_type_int, .offset = offsetof(PychoralJsonError, colno), .name = "colno"},
};
const PychoralType pychoral_type_JSONDecodeError = {
    .kind = PYCHORAL_DATACLASS, .size = sizeof(PychoralException *),
    .body = sizeof(PychoralJsonError), .flags = PYCHORAL_PLAIN,
    .count = PYCHORAL_EXCEPTION_FIELD_COUNT + 5, .fields = ERROR_FIELDS, .name = "JSONDecodeError",
    .module = "json.decoder", .base = &pychoral_type_ValueError};

static const PychoralType LIST = {.kind = PYCHORAL_LIST, .size = sizeof(PychoralList *),
                                  .element = &pychoral_type_object, .name = "list[object]"};
static const PychoralType DICT = {.kind = PYCHORAL_DICT, .size = sizeof(PychoralTable *),
                                  .key = &pychoral_type_str, .element = &pychoral_type_object,
                                  .name = "dict[str, object]"};

typedef struct Reader {
    const PychoralStr *text;
    const char *at, *end;
} Reader;

// All give false where they raise.
static bool read_value(Reader *r, PychoralAny *result);

static size_t characters(const char *from, const char *to)
{
    size_t count = 0;
    for (; from < to; from++)
        count += ((unsigned char)*from & 0xc0) != 0x80;
    return count;
}

static bool fail(const Reader *r, const char *what, const char *place)
{
    const char *line = r->text->data;
    size_t number = 1;
    for (const char *at = line; at < place; at++)
        if (*at == '\n') {
            line = at + 1;
            number++;
        }
    size_t column = characters(line, place) + 1, position = characters(r->text->data, place);
    pychoral_throw(&pychoral_type_JSONDecodeError, "%s: line %zu column %zu (char %zu)", what,
                   number, column, position);
    PychoralJsonError *error = (PychoralJsonError *)pychoral_raised;
    error->msg = pychoral_str_new(what, strlen(what));
    error->doc = pychoral_keep(r->text);
    error->pos = pychoral_int((int64_t)position);
    error->lineno = pychoral_int((int64_t)number);
    error->colno = pychoral_int((int64_t)column);
    return false;
}

static void skip_space(Reader *r)
{
    while (r->at < r->end && strchr(" \t\n\r", *r->at) != NULL && *r->at != '\0')
        r->at++;
}

static bool is_next(const Reader *r, char byte) { return r->at < r->end && *r->at == byte; }

static bool take(Reader *r, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0)
        return false;
    r->at += size;
    return true;
}

// ---- numbers ----

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && isdigit((unsigned char)*at))
        at++;
    return at;
}

// The end of a fraction or an exponent that begins at `at`; `at` if none does.
static const char *skip_fraction(const char *at, const char *end)
{
    if (end - at < 2 || *at != '.' || !isdigit((unsigned char)at[1]))
        return at;
    return skip_digits(at + 1, end);
}

static const char *skip_exponent(const char *at, const char *end)
{
    if (at == end || (*at | 0x20) != 'e')
        return at;
    const char *digits = at + 1;
    if (digits < end && (*digits == '+' || *digits == '-'))
        digits++;
    return digits < end && isdigit((unsigned char)*digits) ? skip_digits(digits, end) : at;
}

static bool read_number(Reader *r, PychoralAny *result)
{
    const char *start = r->at, *at = start + is_next(r, '-');
    if (at == r->end || !isdigit((unsigned char)*at))
        return fail(r, "Expecting value", start);
    const char *whole = *at == '0' ? at + 1 : skip_digits(at, r->end);
    r->at = skip_exponent(skip_fraction(whole, r->end), r->end);
    PYCHORAL_OWNED(str) PychoralStr *text = pychoral_str_new(start, (size_t)(r->at - start));
    if (text == NULL)
        pychoral_no_memory();
    if (r->at == whole)
        *result = (PychoralAny){.type = &pychoral_type_int,
                                .number = pychoral_int_of_str(text, pychoral_int(10))};
    else
        *result = (PychoralAny){.type = &pychoral_type_float,
                                .real = pychoral_float_of_str(text)};
    return pychoral_raised == NULL;
}

// ---- texts ----

// Four hexadecimal digits; false: they are none.
static bool read_hex(const char *at, const char *end, uint32_t *code)
{
    *code = 0;
    if (end - at < 5)                   // and something must follow
        return false;
    for (int i = 0; i < 4; i++) {
        if (!isxdigit((unsigned char)at[i]))
            return false;
        uint32_t digit = isdigit((unsigned char)at[i]) ? (uint32_t)(at[i] - '0')
                                                       : (uint32_t)((at[i] | 0x20) - 'a' + 10);
        *code = *code << 4 | digit;
    }
    return true;
}

// Behind `\u`; two of them may be one character.
static bool read_unicode(Reader *r, PychoralBuild *build)
{
    uint32_t code, low;
    char utf8[4];
    if (!read_hex(r->at, r->end, &code))
        return fail(r, "Invalid \\uXXXX escape", r->at - 1);
    r->at += 4;
    bool pair = code >= 0xd800 && code < 0xdc00 && r->end - r->at > 6 && r->at[0] == '\\' &&
                r->at[1] == 'u';
    if (pair && !read_hex(r->at + 2, r->end, &low))
        return fail(r, "Invalid \\uXXXX escape", r->at + 1);
    if (pair && low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
        r->at += 6;
    }
    pychoral_build_bytes(build, utf8, pychoral_utf8_put(utf8, code));
    return true;
}

static bool read_escape(Reader *r, PychoralBuild *build)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char letter = *r->at++;
    if (letter == 'u')
        return read_unicode(r, build);
    const char *known = letter != '\0' ? strchr(letters, letter) : NULL;
    if (known == NULL)
        return fail(r, "Invalid \\escape", r->at - 2);
    pychoral_build_byte(build, meanings[known - letters]);
    return true;
}

// Behind the quote.
static bool read_characters(Reader *r, PychoralBuild *build)
{
    const char *quote = r->at - 1;
    for (;;) {
        const char *start = r->at;
        while (r->at < r->end && *r->at != '"' && *r->at != '\\' && (unsigned char)*r->at >= 0x20)
            r->at++;
        pychoral_build_bytes(build, start, (size_t)(r->at - start));
        if (r->at == r->end)
            return fail(r, "Unterminated string starting at", quote);
        char byte = *r->at;
        if ((unsigned char)byte < 0x20)
            return fail(r, "Invalid control character at", r->at);
        r->at++;
        if (byte == '"')
            return true;
        if (r->at == r->end)
            return fail(r, "Unterminated string starting at", quote);
        if (!read_escape(r, build))
            return false;
    }
}

static PychoralStr *read_str(Reader *r)
{
    PychoralBuild build = {NULL, 0, 0};
    if (read_characters(r, &build))
        return pychoral_build_end(&build);
    pychoral_build_drop(&build);
    return NULL;
}

// ---- arrays and objects ----

static bool read_items(Reader *r, PychoralList *list)
{
    skip_space(r);
    if (is_next(r, ']'))
        return r->at++, true;
    for (;;) {
        PychoralAny item;
        if (!read_value(r, &item))
            return false;
        if (!pychoral_list_append(list, &item))
            pychoral_no_memory();
        skip_space(r);
        if (is_next(r, ']'))
            return r->at++, true;
        if (!is_next(r, ','))
            return fail(r, "Expecting ',' delimiter", r->at);
        r->at++;
        skip_space(r);
    }
}

static bool read_list(Reader *r, PychoralAny *result)
{
    PychoralList *list = pychoral_list_new(&LIST, 0);
    if (list == NULL)
        pychoral_no_memory();
    *result = (PychoralAny){.type = &LIST, .pointer = list};
    if (read_items(r, list))
        return true;
    pychoral_release(&pychoral_type_object, result);
    return false;
}

static bool read_member(Reader *r, PychoralTable *table)
{
    PychoralAny value;
    if (!is_next(r, '"'))
        return fail(r, "Expecting property name enclosed in double quotes", r->at);
    r->at++;
    PYCHORAL_OWNED(str) PychoralStr *key = read_str(r);
    if (key == NULL)
        return false;
    skip_space(r);
    if (!is_next(r, ':'))
        return fail(r, "Expecting ':' delimiter", r->at);
    r->at++;
    skip_space(r);
    if (!read_value(r, &value))
        return false;
    PychoralPut put = pychoral_table_put(table, &key, &value);
    if (put == PYCHORAL_PUT_NEW)
        key = NULL;                     // the table's now
    else if (put != PYCHORAL_PUT_REPLACED)
        pychoral_no_memory();
    return true;
}

static bool read_members(Reader *r, PychoralTable *table)
{
    skip_space(r);
    if (is_next(r, '}'))
        return r->at++, true;
    for (;;) {
        if (!read_member(r, table))
            return false;
        skip_space(r);
        if (is_next(r, '}'))
            return r->at++, true;
        if (!is_next(r, ','))
            return fail(r, "Expecting ',' delimiter", r->at);
        r->at++;
        skip_space(r);
    }
}

static bool read_dict(Reader *r, PychoralAny *result)
{
    PychoralTable *table = pychoral_table_new(&DICT, 0);
    if (table == NULL)
        pychoral_no_memory();
    *result = (PychoralAny){.type = &DICT, .pointer = table};
    if (read_members(r, table))
        return true;
    pychoral_release(&pychoral_type_object, result);
    return false;
}

// ---- all ----

static bool read_word(Reader *r, PychoralAny *result)
{
    *result = (PychoralAny){.type = &pychoral_type_none};
    if (take(r, "null"))
        return true;
    result->type = &pychoral_type_bool;
    result->truth = is_next(r, 't');
    if (take(r, "true") || take(r, "false"))
        return true;
    result->type = &pychoral_type_float;
    double infinity = is_next(r, '-') ? -(double)INFINITY : (double)INFINITY;
    result->real = is_next(r, 'N') ? (double)NAN : infinity;
    return take(r, "NaN") || take(r, "Infinity") || take(r, "-Infinity");
}

static bool read_value(Reader *r, PychoralAny *result)
{
    if (PYCHORAL_TOO_DEEP())
        return false;
    if (is_next(r, '{'))
        return r->at++, read_dict(r, result);
    if (is_next(r, '['))
        return r->at++, read_list(r, result);
    if (is_next(r, '"')) {
        r->at++;
        *result = (PychoralAny){.type = &pychoral_type_str, .pointer = read_str(r)};
        return result->pointer != NULL;
    }
    return read_word(r, result) || read_number(r, result);
}

static bool read_all(Reader *r, PychoralAny *result)
{
    if (take(r, "\xef\xbb\xbf")) {
        const char *what = "Unexpected UTF-8 BOM (decode using utf-8-sig)";
        return fail(r, what, r->text->data);
    }
    skip_space(r);
    if (!read_value(r, result))
        return false;
    skip_space(r);
    if (r->at == r->end)
        return true;
    fail(r, "Extra data", r->at);
    pychoral_release(&pychoral_type_object, result);
    return false;
}

PychoralAny pychoral_json_loads(const PychoralStr *text)
{
    PychoralAny result = {.type = NULL};
    Reader reader = {text, text->data, text->data + text->size};
    if (!read_all(&reader, &result))
        result.type = NULL;
    return result;
}

PychoralAny pychoral_json_loads_bytes(const PychoralBytes *bytes)
{
    static PychoralStr utf8 = PYCHORAL_CONSTANT("utf-8", PYCHORAL_ASCII),
                       pass = PYCHORAL_CONSTANT("surrogatepass", PYCHORAL_ASCII);
    PYCHORAL_OWNED(str) PychoralStr *text = pychoral_bytes_decode(bytes, &utf8, &pass);
    return text != NULL ? pychoral_json_loads(text) : (PychoralAny){.type = NULL};
}
