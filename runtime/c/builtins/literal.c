// literal.c - Python's literals: numbers, texts, bytes, None, True, False, and lists, tuples, dicts
// and sets of them; the contract is in parameter.h.

#include <ctype.h>

#include "build.h"
#include "generated.h"
#include "number.h"
#include "parameter.h"
#include "table.h"
#include "tables.h"
#include "unicode.h"

enum { MOST_NESTED = 200 };

static const PychoralType LIST_OF_OBJECTS = {
    .kind = PYCHORAL_LIST, .size = sizeof(PychoralList *), .element = &pychoral_type_object,
    .name = "list[object]"};
static const PychoralType SET_OF_OBJECTS = {
    .kind = PYCHORAL_SET, .size = sizeof(PychoralTable *), .element = &pychoral_type_object,
    .name = "set[object]"};
static const PychoralType DICT_OF_OBJECTS = {
    .kind = PYCHORAL_DICT, .size = sizeof(PychoralTable *), .key = &pychoral_type_object,
    .element = &pychoral_type_object, .name = "dict[object, object]"};

typedef struct Reader {
    const char *at, *end;
    int depth;
    bool names;
} Reader;

const PychoralType pychoral_name_row = {
    .kind = PYCHORAL_STR, .size = sizeof(PychoralStr *), .name = "name"};

// False: the text is no literal, which was raised.
static bool read_any(Reader *r, PychoralAny *result);

static bool no_literal(void)
{
    if (pychoral_raised == NULL)
        pychoral_throw(&pychoral_type_ValueError, "malformed node or string");
    return false;
}

static int peek(const Reader *r) { return r->at < r->end ? (unsigned char)*r->at : -1; }

static void skip_space(Reader *r)
{
    while (r->at < r->end && strchr(r->depth > 0 ? " \t\f\r\n" : " \t\f", *r->at) != NULL)
        r->at++;
    if (r->at == r->end || *r->at != '#')
        return;
    while (r->at < r->end && *r->at != '\n')      // a comment
        r->at++;
    if (r->at < r->end && r->depth > 0)
        skip_space(r);
}

static bool take(Reader *r, char byte)
{
    skip_space(r);
    if (peek(r) != byte)
        return false;
    r->at++;
    return true;
}

static bool take_name(Reader *r, const char *name)
{
    size_t size = strlen(name);
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, name, size) != 0 ||
        ((size_t)(r->end - r->at) > size && (isalnum((unsigned char)r->at[size]) ||
                                             r->at[size] == '_')))
        return false;
    r->at += size;
    return true;
}

// ---- numbers ----

// The end of what looks like one number.
static const char *number_end(const Reader *r)
{
    const char *at = r->at;
    bool hex = r->end - at > 1 && *at == '0' && (at[1] | 0x20) == 'x';
    for (; at < r->end; at++) {
        bool sign = (*at == '+' || *at == '-') && at > r->at && !hex && (at[-1] | 0x20) == 'e';
        if (!isalnum((unsigned char)*at) && *at != '.' && *at != '_' && !sign)
            break;
    }
    return at;
}

// An int, a float, or an imaginary number.
static bool read_number(Reader *r, PychoralAny *result)
{
    const char *end = number_end(r);
    size_t size = (size_t)(end - r->at);
    if (size == 0 || !(isdigit((unsigned char)*r->at) || *r->at == '.'))
        return no_literal();
    bool based = size > 1 && *r->at == '0' && strchr("xXoObB", r->at[1]) != NULL;
    bool imaginary = !based && (end[-1] | 0x20) == 'j';
    bool real = imaginary || (!based && (memchr(r->at, '.', size) || memchr(r->at, 'e', size) ||
                                         memchr(r->at, 'E', size)));
    PYCHORAL_OWNED(str) PychoralStr *text = pychoral_str_new(r->at, size - imaginary);
    r->at = end;
    if (!real) {
        *result = (PychoralAny){.type = &pychoral_type_int,
                                .number = pychoral_int_of_str(text, pychoral_int(0))};
    } else {
        double number = pychoral_float_of_str(text);
        *result = (PychoralAny){.type = &pychoral_type_float, .real = number};
        if (imaginary)
            *result = (PychoralAny){.type = &pychoral_type_complex, .complex = {0, number}};
    }
    return pychoral_raised == NULL || no_literal();
}

static void negate(PychoralAny *number)
{
    if (number->type == &pychoral_type_int) {
        PychoralInt old = number->number;
        number->number = pychoral_int_neg(old);
        pychoral_release(&pychoral_type_int, &old);
    } else if (number->type == &pychoral_type_float) {
        number->real = -number->real;
    } else {
        number->complex = (PychoralComplex){-number->complex.real, -number->complex.imag};
    }
}

static bool read_signed(Reader *r, PychoralAny *result)
{
    skip_space(r);
    bool negative = peek(r) == '-';
    r->at += negative || peek(r) == '+';
    skip_space(r);
    if (!read_number(r, result))
        return false;
    if (negative)
        negate(result);
    return true;
}

// A number, perhaps with an imaginary part behind it.
static bool read_sum(Reader *r, PychoralAny *result)
{
    if (!read_signed(r, result))
        return false;
    skip_space(r);
    if (peek(r) != '+' && peek(r) != '-')
        return true;
    bool negative = *r->at++ == '-';
    PychoralAny part;
    double real = result->real;
    skip_space(r);
    bool good = result->type == &pychoral_type_float;
    if (result->type == &pychoral_type_int)
        good = pychoral_int_to_float(result->number, &real);
    pychoral_release(&pychoral_type_object, result);
    if (!good || !read_number(r, &part))
        return no_literal();
    if (part.type != &pychoral_type_complex) {
        pychoral_release(&pychoral_type_object, &part);
        return no_literal();
    }
    double imag = part.complex.imag;
    *result = (PychoralAny){.type = &pychoral_type_complex,
                            .complex = {real, negative ? -imag : imag}};
    return true;
}

// ---- texts ----

typedef struct Quotes {
    bool raw, bytes;
    char quote;
    int count;
} Quotes;

// What stands before a text; false if none begins here.
static bool read_quotes(Reader *r, Quotes *quotes)
{
    const char *at = r->at;
    *quotes = (Quotes){.count = 1};
    for (; at < r->end && at - r->at < 2 && strchr("rRbBuU", *at) != NULL; at++) {
        quotes->raw |= (*at | 0x20) == 'r';
        quotes->bytes |= (*at | 0x20) == 'b';
    }
    if (at == r->end || (*at != '\'' && *at != '"'))
        return false;
    quotes->quote = *at;
    if (r->end - at >= 3 && at[1] == *at && at[2] == *at)
        quotes->count = 3;
    r->at = at + quotes->count;
    return true;
}

static bool ends_here(const Reader *r, const Quotes *quotes)
{
    if (r->end - r->at < quotes->count)
        return false;
    for (int i = 0; i < quotes->count; i++)
        if (r->at[i] != quotes->quote)
            return false;
    return true;
}

static void put_character(PychoralBuild *build, uint32_t code, bool bytes)
{
    char utf8[4];
    if (bytes)
        pychoral_build_byte(build, (char)code);
    else
        pychoral_build_bytes(build, utf8, pychoral_utf8_put(utf8, code));
}

// `count` digits of a base at most, at least `least`.
static bool read_digits(Reader *r, int base, int least, int count, uint32_t *code)
{
    int found = 0;
    for (*code = 0; found < count && r->at < r->end && isxdigit((unsigned char)*r->at); found++) {
        int digit = isdigit((unsigned char)*r->at) ? *r->at - '0' : (*r->at | 0x20) - 'a' + 10;
        if (digit >= base)
            break;
        *code = *code * (uint32_t)base + (uint32_t)digit;
        r->at++;
    }
    return found >= least && *code <= 0x10ffff;
}

// What follows a backslash.
static bool read_escape(Reader *r, const Quotes *quotes, PychoralBuild *build)
{
    static const char letters[] = "\\'\"abfnrtv", meanings[] = "\\'\"\a\b\f\n\r\t\v";
    char letter = *r->at;
    const char *known = strchr(letters, letter);
    uint32_t code = 0;
    if (letter >= '0' && letter <= '7') {
        read_digits(r, 8, 1, 3, &code);
        put_character(build, quotes->bytes ? code & 0xff : code, quotes->bytes);
        return true;
    }
    r->at++;
    if (letter == '\n')
        return true;
    if (known != NULL && letter != '\0') {
        pychoral_build_byte(build, meanings[known - letters]);
        return true;
    }
    int digits = letter == 'x' ? 2 : quotes->bytes ? 0 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    if (digits > 0) {
        bool good = read_digits(r, 16, digits, digits, &code);
        put_character(build, code, quotes->bytes);
        return good;
    }
    pychoral_build_byte(build, '\\');
    pychoral_build_byte(build, letter);
    return letter != 'N' || quotes->bytes;
}

static bool read_characters(Reader *r, const Quotes *quotes, PychoralBuild *build)
{
    while (r->at < r->end && !ends_here(r, quotes)) {
        unsigned char byte = (unsigned char)*r->at;
        if ((byte == '\n' && quotes->count == 1) || (quotes->bytes && byte >= 0x80))
            return false;
        r->at++;
        if (byte != '\\') {
            pychoral_build_byte(build, (char)byte);
        } else if (r->at == r->end) {
            return false;
        } else if (quotes->raw) {
            pychoral_build_byte(build, '\\');
            pychoral_build_byte(build, *r->at++);
        } else if (!read_escape(r, quotes, build)) {
            return false;
        }
    }
    if (r->at == r->end)
        return false;
    r->at += quotes->count;
    return true;
}

// One text, and those behind it, which it is joined with.
static bool read_text(Reader *r, Quotes quotes, PychoralAny *result)
{
    PychoralBuild build = {NULL, 0, 0};
    Quotes next = quotes;
    bool good;
    do {
        good = next.bytes == quotes.bytes && read_characters(r, &next, &build);
        skip_space(r);
    } while (good && read_quotes(r, &next));
    const char *data = build.size > 0 ? build.data : "";
    if (good && quotes.bytes)
        *result = (PychoralAny){.type = &pychoral_type_bytes,
                                .pointer = pychoral_bytes_new(data, build.size)};
    else if (good)
        *result = (PychoralAny){.type = &pychoral_type_str,
                                .pointer = pychoral_str_new(data, build.size)};
    pychoral_build_drop(&build);
    return (good && result->pointer != NULL) || no_literal();
}

// ---- what holds others ----

// Items up to `close`; `*commas` says whether one had a comma behind it.
static bool read_items(Reader *r, char close, PychoralList *list, bool *commas)
{
    *commas = false;
    while (!take(r, close)) {
        PychoralAny item;
        if ((list->count > 0 && !*commas) || !read_any(r, &item))
            return no_literal();
        if (!pychoral_list_append(list, &item))
            pychoral_no_memory();
        *commas = take(r, ',');
    }
    *commas |= list->count > 1;
    return true;
}

static bool read_list(Reader *r, char close, const PychoralType *row, PychoralAny *result)
{
    bool commas;
    PychoralList *list = pychoral_list_new(row, 0);
    if (list == NULL)
        pychoral_no_memory();
    *result = (PychoralAny){.type = row, .pointer = list};
    if (!read_items(r, close, list, &commas)) {
        pychoral_release(&pychoral_type_object, result);
        return false;
    }
    if (close == ')' && list->count == 1 && !commas) {
        PychoralAny only;
        pychoral_list_get(list, 0, &only);
        pychoral_release(&pychoral_type_object, result);
        *result = only;
    }
    return true;
}

// Puts an entry, both parts of which are taken over.
static bool put(PychoralTable *table, PychoralAny *key, PychoralAny *value)
{
    PychoralPut put = pychoral_table_put(table, key, value);
    if (put == PYCHORAL_PUT_NEW)
        return true;
    if (put == PYCHORAL_PUT_UNHASHABLE)
        (void)pychoral_is_hashable(PYCHORAL_REF(pychoral_type_object, *key));
    pychoral_release(&pychoral_type_object, key);
    if (put != PYCHORAL_PUT_REPLACED && value != NULL)
        pychoral_release(&pychoral_type_object, value);
    return put == PYCHORAL_PUT_REPLACED || no_literal();
}

static bool read_entries(Reader *r, PychoralTable **table)
{
    for (bool comma = true; !take(r, '}'); comma = take(r, ',')) {
        PychoralAny key, value;
        if (!comma || !read_any(r, &key))
            return no_literal();
        bool pair = take(r, ':');
        if (*table == NULL)
            *table = pychoral_table_new(pair ? &DICT_OF_OBJECTS : &SET_OF_OBJECTS, 0);
        if (*table == NULL)
            pychoral_no_memory();
        bool fits = pair == ((*table)->object.type->kind == PYCHORAL_DICT);
        if (!fits || (pair && !read_any(r, &value))) {
            pychoral_release(&pychoral_type_object, &key);
            return no_literal();
        }
        if (!put(*table, &key, pair ? &value : NULL))
            return false;
    }
    return true;
}

static bool read_braces(Reader *r, PychoralAny *result)
{
    PychoralTable *table = NULL;
    bool good = read_entries(r, &table);
    if (good && table == NULL)
        table = pychoral_table_new(&DICT_OF_OBJECTS, 0);
    if (table != NULL)
        *result = (PychoralAny){.type = table->object.type, .pointer = table};
    if (!good && table != NULL)
        pychoral_release(&pychoral_type_object, result);
    return good;
}

static bool read_nested(Reader *r, char open, PychoralAny *result)
{
    if (r->depth == MOST_NESTED)
        return no_literal();
    r->depth++;
    bool good = open == '{'   ? read_braces(r, result)
                : open == '[' ? read_list(r, ']', &LIST_OF_OBJECTS, result)
                              : read_list(r, ')', &pychoral_type_arguments, result);
    r->depth--;
    return good;
}

// ---- all ----

static bool begins_name(int byte) { return isalpha(byte) || byte == '_' || byte >= 0x80; }

// `ROCK` or `Move.ROCK`, for a member of an enum.
static bool read_member(Reader *r, PychoralAny *result)
{
    PychoralBuild name = {NULL, 0, 0};
    bool more = r->names, good = false;
    for (int part = 0; more; part++) {
        const char *start = r->at;
        while (begins_name(peek(r)) || isdigit(peek(r)))
            r->at++;
        pychoral_build_bytes(&name, start, (size_t)(r->at - start));
        good = r->at > start;
        more = good && part == 0 && take(r, '.');
        if (more) {
            pychoral_build_byte(&name, '.');
            skip_space(r);
            more = begins_name(peek(r));
            good = more;
        }
    }
    PYCHORAL_OWNED(str) PychoralStr *text = good ? pychoral_str_new(name.data, name.size) : NULL;
    pychoral_build_drop(&name);
    if (text == NULL || (text->head.flags & PYCHORAL_SURROGATES))   // which is no UTF-8
        return no_literal();
    *result = (PychoralAny){.type = &pychoral_name_row, .pointer = PYCHORAL_TAKE(text)};
    return true;
}

static bool read_name(Reader *r, PychoralAny *result)
{
    if (take_name(r, "None"))
        *result = (PychoralAny){.type = &pychoral_type_none};
    else if (take_name(r, "True"))
        *result = (PychoralAny){.type = &pychoral_type_bool, .truth = true};
    else if (take_name(r, "False"))
        *result = (PychoralAny){.type = &pychoral_type_bool};
    else if (take_name(r, "set") && take(r, '(') && take(r, ')'))
        *result = (PychoralAny){.type = &SET_OF_OBJECTS,
                                .pointer = pychoral_table_new(&SET_OF_OBJECTS, 0)};
    else
        return read_member(r, result);
    return true;
}

static bool read_any(Reader *r, PychoralAny *result)
{
    Quotes quotes;
    skip_space(r);
    int first = peek(r);
    if (first == '(' || first == '[' || first == '{') {
        r->at++;
        return read_nested(r, (char)first, result);
    }
    if (first >= 0 && strchr("rRbBuU'\"", first) != NULL && read_quotes(r, &quotes))
        return read_text(r, quotes, result);
    if (begins_name(first))
        return read_name(r, result);
    return read_sum(r, result);
}

// Behind a first value: commas make a tuple of it.
static bool read_rest(Reader *r, PychoralAny *result)
{
    skip_space(r);
    if (r->at == r->end)
        return true;
    PychoralList *list = pychoral_list_new(&pychoral_type_arguments, 2);
    if (list == NULL || !pychoral_list_append(list, result))
        pychoral_no_memory();
    *result = (PychoralAny){.type = &pychoral_type_arguments, .pointer = list};
    while (take(r, ',')) {
        PychoralAny item;
        skip_space(r);
        if (r->at == r->end)
            return true;
        if (!read_any(r, &item))
            return false;
        if (!pychoral_list_append(list, &item))
            pychoral_no_memory();
        skip_space(r);
    }
    return r->at == r->end || no_literal();
}

PychoralAny pychoral_literal(const char *text, size_t size, bool names)
{
    PychoralAny result = {.type = NULL};
    Reader reader = {text, text + size, 0, names};
    if (!read_any(&reader, &result)) {
        result.type = NULL;
    } else if (!read_rest(&reader, &result)) {
        pychoral_release(&pychoral_type_object, &result);
        result.type = NULL;
    }
    return result;
}
