// text.c - calls the functions of str and bytes as lines of input say, for text.py.
//
// A line is a function's name of text.def and its arguments, with spaces between: n (None), s and
// the UTF-8 of a str in hexadecimal, y and bytes, i and an int, f and the bits of a float, c and
// two of them, b0 or b1, "( ... )" a tuple, "[ ... ]" a list, "{ key value ... }" a dict. The
// answer is a line of the same kind, or "!", the exception's class and its text in hexadecimal.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/float_repr.h"
#include "builtins/format.h"
#include "builtins/generated.h"

enum { MOST_ARGS = 6 };

typedef void (*Function)(void);

// ---- rows ----

static const PychoralType objects = {.kind = PYCHORAL_LIST, .size = sizeof(void *), .name = "list",
                                     .element = &pychoral_type_object};
static const PychoralType sequence = {.kind = PYCHORAL_SEQUENCE, .size = sizeof(void *),
                                      .name = "tuple", .element = &pychoral_type_object};
static const PychoralType table = {.kind = PYCHORAL_DICT, .size = sizeof(void *), .name = "dict",
                                   .key = &pychoral_type_object,
                                   .element = &pychoral_type_object};
static const PychoralType of_ints = {.kind = PYCHORAL_DICT, .size = sizeof(void *), .name = "dict",
                                     .key = &pychoral_type_int, .element = &pychoral_type_object};
static const PychoralType strs = {.kind = PYCHORAL_LIST, .size = sizeof(void *), .name = "list",
                                  .element = &pychoral_type_str};
static const PychoralType byteses = {.kind = PYCHORAL_LIST, .size = sizeof(void *), .name = "list",
                                     .element = &pychoral_type_bytes};

typedef struct Three {
    PychoralBytes *parts[3];
} Three;

#define THREE(tuple, row)                                                                         \
    static const PychoralField tuple##_fields[] = {                                               \
        {.type = &(row), .offset = 0},                                                            \
        {.type = &(row), .offset = sizeof(void *)},                                               \
        {.type = &(row), .offset = 2 * sizeof(void *)}};                                          \
    static const PychoralType tuple = {.kind = PYCHORAL_TUPLE, .size = sizeof(Three), .count = 3, \
                                      .name = "tuple", .fields = tuple##_fields};
THREE(three_strs, pychoral_type_str)
THREE(three_byteses, pychoral_type_bytes)

// ---- reading ----

static char *next_token(void)
{
    return strtok(NULL, " \n");
}

static double read_float(const char *text)
{
    uint64_t bits = strtoull(text, NULL, 16);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static PychoralBytes *read_bytes(const char *hex, bool is_text)
{
    size_t size = strlen(hex) / 2;
    char *bytes = pychoral_allocate(size + 1);
    for (size_t i = 0; i < size; i++) {
        char digits[] = {hex[2 * i], hex[2 * i + 1], '\0'};
        bytes[i] = (char)strtoul(digits, NULL, 16);
    }
    PychoralBytes *value =
        is_text ? pychoral_str_new(bytes, size) : pychoral_bytes_new(bytes, size);
    free(bytes);
    return value;
}

static PychoralAny any_of(const PychoralType *type, void *owned)
{
    PychoralAny any = pychoral_any(type, owned);
    pychoral_release(type, owned);
    return any;
}

static PychoralAny read_any(const char *token);

static PychoralAny read_list(const PychoralType *row, const char *end)
{
    PychoralList *list = pychoral_list_new(row, 0);
    for (char *token; strcmp(token = next_token(), end) != 0;) {
        PychoralAny item = read_any(token);
        pychoral_list_append(list, &item);
    }
    return any_of(row, &list);
}

static PychoralAny read_table(void)
{
    PychoralTable *made = pychoral_table_new(&table, 0);
    for (char *token; strcmp(token = next_token(), "}") != 0;) {
        PychoralAny key = read_any(token), value = read_any(next_token());
        pychoral_table_put(made, &key, &value);
    }
    return any_of(&table, &made);
}

static PychoralAny read_int(const char *text)
{
    PychoralInt number = {0, NULL};
    mpz_t value;
    mpz_init_set_str(value, text, 16);
    pychoral_int_from_mpz(value, &number);
    mpz_clear(value);
    return any_of(&pychoral_type_int, &number);
}

static PychoralAny read_any(const char *token)
{
    const char *text = token + 1;
    PychoralNone none = 0;
    bool truth = *text == '1';
    double number = 0;
    PychoralComplex z;
    PychoralBytes *bytes;
    switch (token[0]) {
    case 's': bytes = read_bytes(text, true); return any_of(&pychoral_type_str, &bytes);
    case 'y': bytes = read_bytes(text, false); return any_of(&pychoral_type_bytes, &bytes);
    case 'i': return read_int(text);
    case 'b': return any_of(&pychoral_type_bool, &truth);
    case 'f': number = read_float(text); return any_of(&pychoral_type_float, &number);
    case 'c':
        z = (PychoralComplex){read_float(text), read_float(text + 17)};
        return any_of(&pychoral_type_complex, &z);
    case '(': return read_list(&sequence, ")");
    case '[': return read_list(&objects, "]");
    case '{': return read_table();
    default: return any_of(&pychoral_type_none, &none);
    }
}

// ---- writing ----

static void put_bytes(char letter, const PychoralBytes *bytes)
{
    putchar(letter);
    for (size_t i = 0; i < bytes->size; i++)
        printf("%02x", (unsigned char)bytes->data[i]);
}

static void put_value(const PychoralType *type, const void *value)
{
    PychoralRef ref = pychoral_look(type, value);
    if (ref.type->kind == PYCHORAL_STR || ref.type->kind == PYCHORAL_BYTES) {
        put_bytes(ref.type->kind == PYCHORAL_STR ? 's' : 'y', *(PychoralBytes *const *)ref.value);
    } else if (ref.type->kind == PYCHORAL_INT) {
        printf("i%" PRIx64, (uint64_t)((const PychoralInt *)ref.value)->small);
    } else {
        PychoralStr *shown = pychoral_repr(ref);
        put_bytes('?', shown);
        pychoral_drop_str(&shown);
    }
}

static void put_list(const PychoralType *row, PychoralList *list)
{
    printf("[");
    for (size_t i = 0; i < list->count; i++) {
        putchar(' ');
        put_value(row->element, (char *)list->items + i * sizeof(void *));
    }
    printf(" ]");
    pychoral_drop_object(&list);
}

static void put_table(PychoralTable *made)
{
    void *key, *value;
    printf("{");
    for (uint32_t at = 0; pychoral_table_next(made, &at, &key, &value);) {
        putchar(' ');
        put_value(&pychoral_type_int, key);
        putchar(' ');
        put_value(&pychoral_type_object, value);
    }
    printf(" }");
    pychoral_drop_object(&made);
}

static void put_raised(void)
{
    PychoralException *exception = pychoral_catch(&pychoral_type_BaseException);
    PychoralStr *text = pychoral_exception_str(exception);
    printf("!%s ", exception->object.type->name);
    put_bytes(' ', text);
    pychoral_drop_str(&text);
    pychoral_handled(exception);
}

// ---- functions that need more than a call ----

static PychoralStr *call_format(const PychoralStr *s, PychoralRef values, PychoralRef names)
{
    PychoralRef positional[16];
    PychoralNamed named[16];
    size_t count = 0, named_count = 0;
    values = pychoral_look(values.type, values.value);
    const PychoralList *list = *(PychoralList *const *)values.value;
    for (; count < list->count; count++)
        positional[count] =
            (PychoralRef){&pychoral_type_object, (const PychoralAny *)list->items + count};
    PychoralTable *given = *(PychoralTable *const *)pychoral_look(names.type, names.value).value;
    void *key, *value;
    for (uint32_t at = 0; pychoral_table_next(given, &at, &key, &value);) {
        const PychoralStr *name = ((PychoralAny *)key)->pointer;
        named[named_count++] = (PychoralNamed){name->data, {&pychoral_type_object, value}};
    }
    return pychoral_str_format(s, count, positional, named_count, named);
}

static PychoralStr *call_append(const PychoralStr *a, const PychoralStr *b, const PychoralStr *c)
{
    PychoralStr *sum = pychoral_keep(a);
    pychoral_str_append(&sum, b);
    PychoralStr *part = pychoral_str_slice(sum, 1, INT64_MAX, 1);
    pychoral_str_append(&sum, c);
    pychoral_str_append(&sum, sum);
    pychoral_str_append(&sum, part);
    pychoral_drop_str(&part);
    return sum;
}

// ---- calling ----

static struct {
    const char *name;
    Function function;
    const char *shape;
} const FUNCTIONS[] = {
#define CALL(name, function, shape) {name, (Function)(function), shape},
#include "text.def"
#undef CALL
};

typedef struct Arg {
    PychoralAny any;
    PychoralRef ref;
    PychoralBytes *s;  // NULL: None
    int64_t n;
} Arg;

typedef const PychoralBytes *S;
typedef PychoralRef R;

#define AS(result, ...) ((result (*)(__VA_ARGS__))function)
#define IS(text) (strcmp(args, text) == 0)

static bool call_truth(Function function, const char *args, const Arg *a)
{
    if (IS("s"))
        return AS(bool, S)(a[0].s);
    if (IS("ss"))
        return AS(bool, S, S)(a[0].s, a[1].s);
    if (IS("sn"))
        return AS(bool, S, int64_t)(a[0].s, a[1].n);
    if (IS("ssnn"))
        return AS(bool, S, S, int64_t, int64_t)(a[0].s, a[1].s, a[2].n, a[3].n);
    return AS(bool, S, R, int64_t, int64_t)(a[0].s, a[1].ref, a[2].n, a[3].n);
}

static int64_t call_place(Function function, const char *args, const Arg *a)
{
    if (IS("s"))
        return AS(int64_t, S)(a[0].s);
    if (IS("sn"))
        return AS(int64_t, S, int64_t)(a[0].s, a[1].n);
    if (IS("ssnn"))
        return AS(int64_t, S, S, int64_t, int64_t)(a[0].s, a[1].s, a[2].n, a[3].n);
    return AS(int64_t, S, int64_t, int64_t, int64_t)(a[0].s, a[1].n, a[2].n, a[3].n);
}

static PychoralBytes *call_join(Function function, const Arg *a)
{
    PychoralIterator *items = pychoral_iter(&pychoral_type_str, a[1].ref);
    PychoralBytes *joined = AS(PychoralBytes *, S, PychoralIterator *)(a[0].s, items);
    pychoral_drop_object(&items);
    return joined;
}

static PychoralBytes *call_text(Function function, const char *args, const Arg *a)
{
    typedef PychoralBytes *P;
    if (IS("s"))
        return AS(P, S)(a[0].s);
    if (IS("n"))
        return AS(P, int64_t)(a[0].n);
    if (IS("f"))
        return AS(P, double)(a[0].any.real);
    if (IS("c"))
        return AS(P, PychoralComplex)(a[0].any.complex);
    if (IS("fs"))
        return AS(P, double, S)(a[0].any.real, a[1].s);
    if (IS("cs"))
        return AS(P, PychoralComplex, S)(a[0].any.complex, a[1].s);
    if (IS("rs"))
        return AS(P, R, S)(a[0].ref, a[1].s);
    if (IS("sn"))
        return AS(P, S, int64_t)(a[0].s, a[1].n);
    if (IS("ss"))
        return AS(P, S, S)(a[0].s, a[1].s);
    if (IS("sr"))
        return AS(P, S, R)(a[0].s, a[1].ref);
    if (IS("srr"))
        return AS(P, S, R, R)(a[0].s, a[1].ref, a[2].ref);
    if (IS("sss"))
        return AS(P, S, S, S)(a[0].s, a[1].s, a[2].s);
    if (IS("ssn"))
        return AS(P, S, S, int64_t)(a[0].s, a[1].s, a[2].n);
    if (IS("sns"))
        return AS(P, S, int64_t, S)(a[0].s, a[1].n, a[2].s);
    if (IS("sssn"))
        return AS(P, S, S, S, int64_t)(a[0].s, a[1].s, a[2].s, a[3].n);
    if (IS("sj"))
        return call_join(function, a);
    return AS(P, S, int64_t, int64_t, int64_t)(a[0].s, a[1].n, a[2].n, a[3].n);
}

static PychoralList *call_list(Function function, const char *args, const Arg *a,
                               const PychoralType *row)
{
    typedef const PychoralType *T;
    if (IS("sb"))
        return AS(PychoralList *, S, bool, T)(a[0].s, a[1].any.truth, row);
    return AS(PychoralList *, S, S, int64_t, T)(a[0].s, a[1].s, a[2].n, row);
}

static PychoralTable *call_table(Function function, const char *args, const Arg *a)
{
    typedef const PychoralType *T;
    if (IS("r"))
        return AS(PychoralTable *, R, T)(a[0].ref, &of_ints);
    return AS(PychoralTable *, S, S, S, T)(a[0].s, a[1].s, a[2].s, &of_ints);
}

static void call_three(Function function, const Arg *a, const PychoralType *row)
{
    Three parts;
    AS(void, S, S, const PychoralType *, void *)(a[0].s, a[1].s, row, &parts);
    for (int i = 0; i < 3 && pychoral_raised == NULL; i++) {
        putchar(i == 0 ? '(' : ' ');
        putchar(' ');
        put_value(row->fields[i].type, &parts.parts[i]);
    }
    if (pychoral_raised == NULL)
        printf(" )");
    pychoral_release(row, &parts);
}

// Calls a function and writes what it gives, unless it raises.
static void call(Function function, char result, const char *args, const Arg *a)
{
    PychoralBytes *text;
    const PychoralType *row = result == 'l' ? &strs : &byteses;
    if (result == 'b') {
        bool truth = call_truth(function, args, a);
        if (pychoral_raised == NULL)
            printf("b%d", truth);
    } else if (result == 'n') {
        int64_t place = call_place(function, args, a);
        if (pychoral_raised == NULL)
            printf("i%" PRIx64, (uint64_t)place);
    } else if (result == 'l' || result == 'k') {
        PychoralList *list = call_list(function, args, a, row);
        if (list != NULL)
            put_list(row, list);
    } else if (result == 'd') {
        PychoralTable *made = call_table(function, args, a);
        if (made != NULL)
            put_table(made);
    } else if (result == 'p' || result == 'q') {
        call_three(function, a, result == 'p' ? &three_strs : &three_byteses);
    } else if ((text = call_text(function, args, a)) != NULL) {
        put_bytes(result, text);
        pychoral_drop_str(&text);
    }
    if (pychoral_raised != NULL)
        put_raised();
    putchar('\n');
}

static void read_arg(char *token, Arg *arg)
{
    arg->any = read_any(token);
    arg->ref = (PychoralRef){&pychoral_type_object, &arg->any};
    PychoralKind kind = arg->any.type->kind;
    arg->s = kind == PYCHORAL_STR || kind == PYCHORAL_BYTES ? arg->any.pointer : NULL;
    arg->n = kind == PYCHORAL_INT ? arg->any.number.small : 0;
}

static void answer(const char *name)
{
    Arg arguments[MOST_ARGS];
    size_t count = 0, i = 0;
    for (char *token; (token = next_token()) != NULL; count++)
        read_arg(token, &arguments[count]);
    while (strcmp(FUNCTIONS[i].name, name) != 0)
        i++;
    char args[MOST_ARGS + 1] = "";
    strncpy(args, FUNCTIONS[i].shape + 2, MOST_ARGS);
    for (char *at = args; *at != '\0'; at++)
        *at = *at == 'y' ? 's' : *at;
    call(FUNCTIONS[i].function, FUNCTIONS[i].shape[0], args, arguments);
    while (count > 0)
        pychoral_drop_any(&arguments[--count].any);
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) >= 0)
        answer(strtok(line, " \n"));
    free(line);
    return 0;
}
