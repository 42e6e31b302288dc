// str_format.c - str.format and format_map: fields, their attributes and items (format.h).

#include "call.h"
#include "dict.h"
#include "format_parts.h"

enum { MOST_NESTED = 2 };  // a format, and fields within its specifications

typedef enum Numbering { UNDECIDED, BY_ITSELF, BY_HAND } Numbering;

// What fields are filled from: arguments, or a map.
typedef struct Source {
    size_t count, named_count;
    const PychoralRef *args;
    const PychoralNamed *named;
    const PychoralRef *map;  // format_map's, or NULL
    Numbering numbering;
    size_t next;
} Source;

typedef struct Span {
    const char *at, *end;
} Span;

// A replacement field: "{name!conversion:spec}".
typedef struct Field {
    Span name, spec;
    uint32_t conversion;  // 0: none
    bool nested;          // the specification has fields
} Field;

static bool refuse(const char *why)
{
    pychoral_throw(&pychoral_type_ValueError, "%s", why);
    return false;
}

static PychoralStr *str_of(Span span)
{
    return pychoral_must(pychoral_str_new(span.at, (size_t)(span.end - span.at)));
}

// ---- reading a field ----

// The specification, up to the bracket that closes the field.
static bool read_spec(Span *text, Field *field)
{
    int depth = 1;
    for (field->spec.at = text->at; text->at < text->end;) {
        char letter = *text->at++;
        if (letter == '{') {
            field->nested = true;
            depth++;
        } else if (letter == '}' && --depth == 0) {
            field->spec.end = text->at - 1;
            return true;
        }
    }
    return refuse("unmatched '{' in format spec");
}

// "!r", and what follows it.
static bool read_conversion(Span *text, Field *field)
{
    if (text->at == text->end)
        return refuse("end of string while looking for conversion specifier");
    field->conversion = pychoral_utf8_next(&text->at);
    if (text->at == text->end)
        return read_spec(text, field);
    char letter = *text->at++;
    if (letter == '}')
        return true;
    return letter == ':' ? read_spec(text, field)
                         : refuse("expected ':' after conversion specifier");
}

// A field, behind its '{'.
static bool read_field(Span *text, Field *field)
{
    static const char nothing[] = "";
    *field = (Field){.name = {text->at, text->at}, .spec = {nothing, nothing}};
    char letter = '\0';
    while (text->at < text->end) {
        letter = *text->at++;
        if (letter == '{')
            return refuse("unexpected '{' in field name");
        if (letter == '}' || letter == ':' || letter == '!')
            break;
        while (letter == '[' && text->at < text->end && *text->at != ']')
            text->at++;
    }
    field->name.end = letter == '}' || letter == ':' || letter == '!' ? text->at - 1 : text->at;
    if (letter == '!')
        return read_conversion(text, field);
    if (letter == ':')
        return read_spec(text, field);
    return letter == '}' || refuse("expected '}' before end of string");
}

// ---- looking up ----

// A number that is a whole text; false: raised. -1: the text is none.
static bool number_of(Span span, int64_t *number)
{
    size_t digits;
    const char *at = span.at;
    if (!pychoral_read_count(&at, span.end, number, &digits))
        return false;
    if (digits == 0 || at < span.end)
        *number = -1;
    return true;
}

// Follows Python's rule that fields are numbered by themselves or by hand, but not both.
static bool decide_numbering(Source *source, bool by_itself)
{
    Numbering now = by_itself ? BY_ITSELF : BY_HAND;
    if (source->numbering == UNDECIDED)
        source->numbering = now;
    if (source->numbering == now)
        return true;
    return refuse(by_itself ? "cannot switch from manual field specification to automatic field "
                              "numbering"
                            : "cannot switch from automatic field numbering to manual field "
                              "specification");
}

// The named argument; false: raised KeyError.
static bool find_named(const Source *source, Span name, PychoralAny *to)
{
    size_t size = (size_t)(name.end - name.at);
    PychoralRef found = {NULL, NULL};
    PychoralStr *key = str_of(name);
    for (size_t i = 0; i < source->named_count; i++)
        if (strlen(source->named[i].name) == size &&
            memcmp(source->named[i].name, name.at, size) == 0)
            found = source->named[i].value;
    if (source->map != NULL) {
        found.value = pychoral_dict_find(*(PychoralTable *const *)source->map->value,
                                         (PychoralRef){&pychoral_type_str, &key});
        found.type = source->map->type->element;
    }
    if (found.value != NULL)
        *to = pychoral_any(found.type, found.value);
    else if (pychoral_raised == NULL)
        pychoral_throw_key(&pychoral_type_str, &key);
    pychoral_drop_str(&key);
    return found.value != NULL;
}

// The argument that the first part of a field's name stands for, owned; false: raised.
static bool find_argument(Source *source, Span name, PychoralAny *to)
{
    int64_t number;
    if (!number_of(name, &number))
        return false;
    bool empty = name.at == name.end;
    if (!empty && number < 0)
        return find_named(source, name, to);
    if (!decide_numbering(source, empty))
        return false;
    if (empty)
        number = (int64_t)source->next++;
    if (source->map != NULL)
        return refuse("Format string contains positional fields");
    if ((uint64_t)number >= source->count) {
        pychoral_throw(&pychoral_type_IndexError,
                       "Replacement index %lld out of range for positional args tuple",
                       (long long)number);
        return false;
    }
    PychoralRef found = source->args[number];
    *to = pychoral_any(found.type, found.value);
    return true;
}

// ---- attributes ----

// A field of an object; false: it has none of this name.
static bool find_field(PychoralRef value, const char *name, PychoralAny *to)
{
    if (value.type->kind != PYCHORAL_DATACLASS)
        return false;
    const char *object = *(char *const *)value.value;
    for (uint32_t i = 0; i < value.type->count + value.type->more; i++) {
        const PychoralField *field = &value.type->fields[i];
        if (field->name != NULL && strcmp(field->name, name) == 0) {
            *to = pychoral_any(field->type, object + field->offset);
            return true;
        }
    }
    return false;
}

static bool find_of_number(PychoralRef value, const char *name, PychoralAny *to)
{
    bool real = strcmp(name, "real") == 0, imag = strcmp(name, "imag") == 0;
    PychoralInt whole;
    if (value.type->kind == PYCHORAL_COMPLEX && (real || imag)) {
        const PychoralComplex *complex = value.value;
        *to = pychoral_any(&pychoral_type_float, real ? &complex->real : &complex->imag);
        return true;
    }
    if (value.type->kind == PYCHORAL_FLOAT && (real || imag)) {
        double zero = 0;
        *to = pychoral_any(&pychoral_type_float, real ? value.value : &zero);
        return true;
    }
    if (!pychoral_ref_int(value, &whole))
        return false;
    if (real || strcmp(name, "numerator") == 0) {
        *to = pychoral_any(&pychoral_type_int, &whole);
        return true;
    }
    whole = pychoral_int(!imag);
    *to = pychoral_any(&pychoral_type_int, &whole);
    return imag || strcmp(name, "denominator") == 0;
}

// The name or value of an enum's member.
static bool find_of_enum(PychoralRef value, const char *name, PychoralAny *to)
{
    if (value.type->kind == PYCHORAL_ENUM && value.type->element != NULL &&
        strcmp(name, "value") == 0) {
        PychoralRef found = pychoral_enum_value(value);
        *to = pychoral_any(found.type, found.value);
        return true;
    }
    if (value.type->kind != PYCHORAL_ENUM || strcmp(name, "name") != 0)
        return false;
    const char *text = value.type->members[*(const uint32_t *)value.value];
    PychoralStr *member = pychoral_must(pychoral_str_new(text, strlen(text)));
    *to = pychoral_any(&pychoral_type_str, &member);
    pychoral_drop_str(&member);
    return true;
}

static bool find_attribute(PychoralRef value, Span name, PychoralAny *to)
{
    PychoralStr *text = str_of(name);
    bool found = find_field(value, text->data, to) || find_of_enum(value, text->data, to) ||
                 find_of_number(value, text->data, to);
    if (!found)
        pychoral_throw(&pychoral_type_AttributeError, "'%s' object has no attribute '%s'",
                       pychoral_type_name(value), text->data);
    pychoral_drop_str(&text);
    return found;
}

// ---- items ----

static bool out_of_range(const char *what)
{
    pychoral_throw(&pychoral_type_IndexError, "%s index out of range", what);
    return false;
}

static bool item_of_list(PychoralRef value, int64_t index, PychoralAny *to)
{
    const PychoralList *list = *(PychoralList *const *)value.value;
    const PychoralType *element = list->object.type->element;
    if ((uint64_t)index >= list->count)
        return out_of_range(value.type->kind == PYCHORAL_LIST ? "list" : "tuple");
    if (list->narrow) {
        PychoralInt number = pychoral_int(((const int64_t *)list->items)[index]);
        *to = pychoral_any(&pychoral_type_int, &number);
    } else {
        *to = pychoral_any(element, (const char *)list->items + (size_t)index * element->size);
    }
    return true;
}

static bool item_of_dict(PychoralRef value, int64_t index, Span name, PychoralAny *to)
{
    PychoralStr *text = str_of(name);
    PychoralInt number = pychoral_int(index);
    const PychoralType *type = index < 0 ? &pychoral_type_str : &pychoral_type_int;
    const void *key = index < 0 ? (const void *)&text : &number;
    const void *found = pychoral_dict_find(*(PychoralTable *const *)value.value,
                                           (PychoralRef){type, key});
    if (found != NULL)
        *to = pychoral_any(value.type->element, found);
    pychoral_drop_str(&text);
    return found != NULL;
}

static bool item_of_str(PychoralRef value, int64_t index, PychoralAny *to)
{
    PychoralStr *character = pychoral_str_at(*(PychoralStr *const *)value.value, index);
    if (character == NULL)
        return false;
    *to = pychoral_any(&pychoral_type_str, &character);
    pychoral_drop_str(&character);
    return true;
}

static bool item_of_bytes(PychoralRef value, int64_t index, PychoralAny *to)
{
    PychoralInt byte = pychoral_int(pychoral_bytes_at(*(PychoralBytes *const *)value.value, index));
    *to = pychoral_any(&pychoral_type_int, &byte);
    return pychoral_raised == NULL;
}

static bool item_of_tuple(PychoralRef value, int64_t index, PychoralAny *to)
{
    if ((uint64_t)index >= value.type->count)
        return out_of_range("tuple");
    PychoralRef item = pychoral_tuple_item(value, (size_t)index);
    *to = pychoral_any(item.type, item.value);
    return true;
}

// TypeError: the sequence takes no text as index.
static bool wrong_index(PychoralRef value)
{
    if (value.type->kind == PYCHORAL_STR)
        pychoral_throw(&pychoral_type_TypeError, "string indices must be integers, not 'str'");
    else
        pychoral_throw(&pychoral_type_TypeError,
                       value.type->kind == PYCHORAL_BYTES
                           ? "byte indices must be integers or slices, not str"
                           : "%s indices must be integers or slices, not str",
                       pychoral_type_name(value));
    return false;
}

// value[name]: a number, or a text; false: raised.
static bool find_item(PychoralRef value, Span name, PychoralAny *to)
{
    int64_t index;
    if (!number_of(name, &index))
        return false;
    value = pychoral_as_tuple(value, "__getitem__");
    switch (value.type->kind) {
    case PYCHORAL_DICT: return item_of_dict(value, index, name, to);
    case PYCHORAL_LIST:
    case PYCHORAL_SEQUENCE:
        return index < 0 ? wrong_index(value) : item_of_list(value, index, to);
    case PYCHORAL_TUPLE:
        return index < 0 ? wrong_index(value) : item_of_tuple(value, index, to);
    case PYCHORAL_STR: return index < 0 ? wrong_index(value) : item_of_str(value, index, to);
    case PYCHORAL_BYTES: return index < 0 ? wrong_index(value) : item_of_bytes(value, index, to);
    default:
        pychoral_throw(&pychoral_type_TypeError, "'%s' object is not subscriptable",
                       pychoral_type_name(value));
        return false;
    }
}

// ---- names ----

// Cuts ".name" or "[name]" off the front; false: raised.
static bool next_step(Span *rest, Span *name, bool *is_item)
{
    char letter = *rest->at++;
    *is_item = letter == '[';
    if (letter != '.' && letter != '[')
        return refuse("Only '.' or '[' may follow ']' in format field specifier");
    name->at = rest->at;
    while (rest->at < rest->end &&
           (*is_item ? *rest->at != ']' : *rest->at != '.' && *rest->at != '['))
        rest->at++;
    name->end = rest->at;
    if (*is_item && rest->at == rest->end)
        return refuse("Missing ']' in format string");
    rest->at += *is_item;
    return name->at < name->end || refuse("Empty attribute in format string");
}

// Replaces a value by one of its parts; false: raised, and nothing is owned.
static bool step_into(PychoralAny *value, Span *rest)
{
    Span name;
    bool is_item;
    PychoralAny part = {0};
    PychoralRef whole = pychoral_look(&pychoral_type_object, value);
    bool done = next_step(rest, &name, &is_item) &&
                (is_item ? find_item(whole, name, &part) : find_attribute(whole, name, &part));
    pychoral_drop_any(value);
    *value = part;
    return done;
}

// The value that a field names, owned; false: raised.
static bool find_value(Source *source, Span name, PychoralAny *value)
{
    Span first = {name.at, name.at};
    while (first.end < name.end && *first.end != '.' && *first.end != '[')
        first.end++;
    Span rest = {first.end, name.end};
    if (!find_argument(source, first, value))
        return false;
    while (rest.at < rest.end)
        if (!step_into(value, &rest))
            return false;
    return true;
}

// ---- writing ----

static bool build(Source *source, Span text, int nested, PychoralOut *out);

// The text of "!r", "!s", "!a"; NULL: raised.
static PychoralStr *convert(PychoralRef value, uint32_t conversion)
{
    switch (conversion) {
    case 'r': return pychoral_repr(value);
    case 's': return pychoral_str_of(value);
    case 'a': return pychoral_ascii(value);
    default: break;
    }
    if (conversion > 32 && conversion < 127)
        pychoral_throw(&pychoral_type_ValueError, "Unknown conversion specifier %c",
                       (char)conversion);
    else
        pychoral_throw(&pychoral_type_ValueError, "Unknown conversion specifier \\x%x",
                       (unsigned)conversion);
    return NULL;
}

// The specification of a field with its own fields filled in; NULL: raised.
static PychoralStr *spec_of(Source *source, const Field *field, int nested)
{
    PychoralOut out = {0};
    if (!field->nested)
        return str_of(field->spec);
    return build(source, field->spec, nested + 1, &out) ? pychoral_out_str(&out)
                                                        : pychoral_out_drop(&out);
}

static bool put_formatted(PychoralOut *out, PychoralRef value, PychoralStr *spec)
{
    PychoralStr *text = spec == NULL ? NULL : pychoral_format(value, spec);
    if (text != NULL)
        pychoral_out_whole(out, text);
    pychoral_drop_str(&spec);
    pychoral_drop_str(&text);
    return pychoral_raised == NULL;
}

static bool put_field(Source *source, const Field *field, int nested, PychoralOut *out)
{
    PychoralAny value = {0};
    if (!find_value(source, field->name, &value))
        return false;
    PychoralRef ref = PYCHORAL_REF(pychoral_type_object, value);
    if (field->conversion != 0) {
        PychoralStr *text = convert(ref, field->conversion);
        pychoral_drop_any(&value);
        if (text == NULL)
            return false;
        value = pychoral_any(&pychoral_type_str, &text);
        pychoral_drop_str(&text);
    }
    bool done = put_formatted(out, ref, spec_of(source, field, nested));
    pychoral_drop_any(&value);
    return done;
}

// A bracket: doubled it is one, else it starts a field. `text` is behind it.
static bool put_bracket(Source *source, Span *text, int nested, PychoralOut *out)
{
    char bracket = text->at[-1];
    if (text->at < text->end && *text->at == bracket) {
        pychoral_out_byte(out, *text->at++);
        return true;
    }
    if (bracket == '}')
        return refuse("Single '}' encountered in format string");
    if (text->at == text->end)
        return refuse("Single '{' encountered in format string");
    Field field;
    return read_field(text, &field) && put_field(source, &field, nested, out);
}

static bool build(Source *source, Span text, int nested, PychoralOut *out)
{
    if (nested >= MOST_NESTED)
        return refuse("Max string recursion exceeded");
    while (text.at < text.end) {
        uint32_t character = pychoral_utf8_next(&text.at);
        if (character != '{' && character != '}')
            pychoral_out_char(out, character);
        else if (!put_bracket(source, &text, nested, out))
            return false;
    }
    return true;
}

static PychoralStr *run(Source *source, const PychoralStr *s)
{
    PychoralOut out = {0};
    Span text = {s->data, s->data + s->size};
    return build(source, text, 0, &out) ? pychoral_out_str(&out) : pychoral_out_drop(&out);
}

PychoralStr *pychoral_str_format(const PychoralStr *s, size_t count, const PychoralRef *args,
                                 size_t named_count, const PychoralNamed *named)
{
    Source source = {.count = count, .args = args, .named_count = named_count, .named = named};
    return run(&source, s);
}

PychoralStr *pychoral_str_format_map(const PychoralStr *s, PychoralRef map)
{
    PychoralRef seen = pychoral_look(map.type, map.value);
    if (seen.type->kind != PYCHORAL_DICT) {
        pychoral_throw(&pychoral_type_TypeError, "'%s' object is not subscriptable",
                       pychoral_type_name(seen));
        return NULL;
    }
    Source source = {.map = &seen};
    return run(&source, s);
}
