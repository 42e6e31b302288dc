// json.c - a reader of small JSON texts. Strings are unescaped in place in a copy of the text.

#include "json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZE = 1 << 20, MAX_DEPTH = 32, MAX_VALUES = 16384 };

struct PychoralJson {
    char *text;
    PychoralJsonValue *values;
    size_t count;
};

typedef struct {
    PychoralJson *json;
    char *at, *end;
    int depth;
    const char *wrong;                  // what is wrong, once something is
} Reader;

static PychoralJsonValue *read_value(Reader *r);

static void *refuse(Reader *r, const char *what)
{
    if (!r->wrong)
        r->wrong = what;
    return NULL;
}

static void skip_space(Reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')
        r->at++;
}

static bool take(Reader *r, char c)
{
    skip_space(r);
    if (r->at >= r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static PychoralJsonValue *new_value(Reader *r, PychoralJsonKind kind)
{
    if (r->json->count == MAX_VALUES)
        return refuse(r, "it has too many values");
    PychoralJsonValue *value = &r->json->values[r->json->count++];
    *value = (PychoralJsonValue){.kind = kind};
    return value;
}

// --- strings ---

static size_t put_utf8(char *to, uint32_t c)
{
    if (c < 0x80)
        return to[0] = (char)c, 1;
    if (c < 0x800)
        return to[0] = (char)(0xC0 | c >> 6), to[1] = (char)(0x80 | (c & 63)), 2;
    if (c < 0x10000) {
        to[0] = (char)(0xE0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 63));
        to[2] = (char)(0x80 | (c & 63));
        return 3;
    }
    to[0] = (char)(0xF0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 63));
    to[2] = (char)(0x80 | (c >> 6 & 63));
    to[3] = (char)(0x80 | (c & 63));
    return 4;
}

// The 4 digits behind `\u`; 0 if they are none (NUL is refused as well).
static uint32_t hex4(Reader *r)
{
    uint32_t c = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        char d = *r->at;
        int digit = d >= '0' && d <= '9' ? d - '0'
                  : d >= 'a' && d <= 'f' ? d - 'a' + 10
                  : d >= 'A' && d <= 'F' ? d - 'A' + 10 : -1;
        if (digit < 0)
            return 0;
        c = c << 4 | (uint32_t)digit;
    }
    return c;
}

static uint32_t unicode_escape(Reader *r)
{
    uint32_t c = hex4(r);
    if (c < 0xD800 || c > 0xDFFF)
        return c;
    if (c > 0xDBFF || r->at[0] != '\\' || r->at[1] != 'u')
        return 0;
    r->at += 2;
    uint32_t low = hex4(r);
    return low < 0xDC00 || low > 0xDFFF ? 0 : 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
}

// The character of an escape, the reader behind its backslash; 0 if there is none such.
static uint32_t escape(Reader *r)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char c = *r->at++;
    if (c == 'u')
        return unicode_escape(r);
    const char *found = c ? strchr(names, c) : NULL;
    return found ? (uint32_t)meanings[found - names] : 0;
}

// The length of the well-formed UTF-8 character at `s`, 0 if there is none.
static size_t utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    size_t length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    bool beyond = (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF4 && s[1] > 0x8F);
    return overlong || beyond ? 0 : length;
}

// The text of a string, the reader behind its first quote.
static char *read_string(Reader *r)
{
    char *text = r->at, *to = r->at;
    while (*r->at != '"') {
        if (r->at >= r->end)
            return refuse(r, "a string does not end");
        if ((unsigned char)*r->at < 0x20)
            return refuse(r, "a string has a control character");
        if (*r->at == '\\') {
            r->at++;
            uint32_t c = escape(r);
            if (c == 0)
                return refuse(r, "a string has an escape that is not allowed");
            to += put_utf8(to, c);
            continue;
        }
        size_t length = utf8_length((unsigned char *)r->at);
        if (length == 0)
            return refuse(r, "a string is not UTF-8");
        memmove(to, r->at, length);
        to += length;
        r->at += length;
    }
    r->at++;
    *to = 0;
    return text;
}

// --- values ---

static size_t digits(Reader *r)
{
    char *from = r->at;
    while (*r->at >= '0' && *r->at <= '9')
        r->at++;
    return (size_t)(r->at - from);
}

// A number keeps its text: a NUL behind it is set when its neighbour has been looked at, so the
// text is moved one to the left, onto the separator before it (or stays when it starts the text).
static PychoralJsonValue *read_number(Reader *r)
{
    char *from = r->at;
    r->at += *r->at == '-';
    bool zero = *r->at == '0';
    size_t whole = digits(r);
    bool good = whole > 0 && !(zero && whole > 1);
    if (*r->at == '.')
        r->at++, good = good && digits(r) > 0;
    if (*r->at == 'e' || *r->at == 'E') {
        r->at++;
        r->at += *r->at == '-' || *r->at == '+';
        good = good && digits(r) > 0;
    }
    if (!good)
        return refuse(r, "a number is not well-formed");
    PychoralJsonValue *value = new_value(r, PYCHORAL_JSON_NUMBER);
    if (!value)
        return NULL;
    size_t size = (size_t)(r->at - from);
    memmove(from - 1, from, size);      // the text starts with a space, see pychoral_json_read
    from[size - 1] = 0;
    value->text = from - 1;
    return value;
}

static PychoralJsonValue *read_word(Reader *r)
{
    static const struct { const char *word; PychoralJsonKind kind; bool truth; } words[] = {
        {"null", PYCHORAL_JSON_NULL, false},
        {"true", PYCHORAL_JSON_BOOL, true},
        {"false", PYCHORAL_JSON_BOOL, false},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if (strncmp(r->at, words[i].word, length) != 0)
            continue;
        r->at += length;
        PychoralJsonValue *value = new_value(r, words[i].kind);
        if (value)
            value->truth = words[i].truth;
        return value;
    }
    return refuse(r, r->at >= r->end ? "it ends too early" : "a value is expected");
}

static const char *read_key(Reader *r, const PychoralJsonValue *object)
{
    if (!take(r, '"'))
        return refuse(r, "a key in quotes is expected");
    const char *key = read_string(r);
    if (key && pychoral_json_member(object, key))
        return refuse(r, "a key occurs twice in an object");
    if (key && !take(r, ':'))
        return refuse(r, "`:` is expected after a key");
    return key;
}

// The members of an object or the items of an array, the reader behind its first bracket.
static PychoralJsonValue *read_members(Reader *r, PychoralJsonKind kind, char close)
{
    PychoralJsonValue *value = new_value(r, kind);
    if (!value || take(r, close))
        return value;
    const PychoralJsonValue **last = &value->first;
    do {
        const char *key = kind == PYCHORAL_JSON_OBJECT ? read_key(r, value) : NULL;
        PychoralJsonValue *item = r->wrong ? NULL : read_value(r);
        if (!item)
            return NULL;
        item->key = key;
        *last = item;
        last = &item->next;
    } while (take(r, ','));
    return take(r, close) ? value : refuse(r, "`,` or a closing bracket is expected");
}

static PychoralJsonValue *read_string_value(Reader *r)
{
    const char *text = read_string(r);
    PychoralJsonValue *value = text ? new_value(r, PYCHORAL_JSON_STRING) : NULL;
    if (value)
        value->text = text;
    return value;
}

static PychoralJsonValue *read_value(Reader *r)
{
    if (++r->depth > MAX_DEPTH)
        return refuse(r, "it is nested too deeply");
    PychoralJsonValue *value;
    if (take(r, '{'))
        value = read_members(r, PYCHORAL_JSON_OBJECT, '}');
    else if (take(r, '['))
        value = read_members(r, PYCHORAL_JSON_ARRAY, ']');
    else if (take(r, '"'))
        value = read_string_value(r);
    else if (*r->at == '-' || (*r->at >= '0' && *r->at <= '9'))
        value = read_number(r);
    else
        value = read_word(r);
    r->depth--;
    return value;
}

// --- the whole ---

static PychoralJson *new_json(const char *text, size_t size)
{
    PychoralJson *json = calloc(1, sizeof *json);
    if (!json)
        return NULL;
    // Every value takes a byte of text at least; a space stands before it, four NULs behind it.
    size_t most = size + 1 < MAX_VALUES ? size + 1 : MAX_VALUES;
    json->text = malloc(size + 5);
    json->values = malloc(most * sizeof *json->values);
    if (!json->text || !json->values) {
        pychoral_json_free(json);
        return NULL;
    }
    json->text[0] = ' ';
    if (size)
        memcpy(json->text + 1, text, size);
    memset(json->text + 1 + size, 0, 4);
    return json;
}

static int line_of(const char *text, size_t size, size_t offset)
{
    int line = 1;
    for (size_t i = 0; i < size && i < offset; i++)
        line += text[i] == '\n';
    return line;
}

PychoralJson *pychoral_json_read(const char *text, size_t size, PychoralFault *fault)
{
    PychoralJson *json = size <= MAX_SIZE ? new_json(text, size) : NULL;
    if (!json) {
        pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE,
                           size > MAX_SIZE ? "it is larger than 1 MiB" : "memory is exhausted");
        return NULL;
    }
    Reader r = {.json = json, .at = json->text + 1, .end = json->text + 1 + size};
    if (read_value(&r)) {
        skip_space(&r);
        if (r.at == r.end)
            return json;
        refuse(&r, "something follows the value");
    }
    int line = line_of(text, size, (size_t)(r.at - json->text - 1));
    pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE, "%s (line %d)", r.wrong, line);
    pychoral_json_free(json);
    return NULL;
}

// Values are made before what is inside them, so the first is the whole.
const PychoralJsonValue *pychoral_json_root(const PychoralJson *json)
{
    return json->values;
}

void pychoral_json_free(PychoralJson *json)
{
    if (!json)
        return;
    free(json->text);
    free(json->values);
    free(json);
}

const PychoralJsonValue *pychoral_json_member(const PychoralJsonValue *object, const char *key)
{
    if (!object || object->kind != PYCHORAL_JSON_OBJECT)
        return NULL;
    for (const PychoralJsonValue *each = object->first; each; each = each->next)
        if (each->key && strcmp(each->key, key) == 0)
            return each;
    return NULL;
}

void pychoral_json_put(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < 0x20)
            fprintf(out, "\\u%04x", *at);
        else
            fputc(*at, out);
    }
    fputc('"', out);
}

bool pychoral_json_whole(const PychoralJsonValue *value, uint64_t most, uint64_t *number)
{
    if (!value || value->kind != PYCHORAL_JSON_NUMBER)
        return false;
    if (value->text[strspn(value->text, "0123456789")] != 0)
        return false;
    errno = 0;
    unsigned long long found = strtoull(value->text, NULL, 10);
    if (errno || found > most)
        return false;
    *number = found;
    return true;
}
