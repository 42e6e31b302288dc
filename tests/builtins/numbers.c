// numbers.c - calls the number functions of the C runtime as lines of input say, for numbers.py.
//
// A line is a function's name and its arguments, each a letter and text: i (int, hexadecimal),
// b (a bool that is an int), f (the bits of a float), c (two of them), s (a str's bytes,
// hexadecimal), y (bytes), l (ints with commas between). The answer is a line of the same kind, or
// the repr of what was raised. In the table, a call's shape is its arguments and its result, where
// t is a truth, p and q are pairs of ints and floats, m a float and an int, n an int64_t, a an
// `object`, x floats.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/number.h"
#include "modules/math.h"

enum { MOST_ARGS = 5 };

typedef struct Value {
    char letter;
    PychoralInt i;
    double f;
    PychoralComplex c;
    PychoralStr *s;
    PychoralList *l;
} Value;

typedef void (*Function)(void);

static const PychoralType ints = {.kind = PYCHORAL_LIST, .size = sizeof(void *), .name = "list",
                                  .element = &pychoral_type_int};

// ---- reading ----

static PychoralInt read_int(const char *text)
{
    PychoralInt number = {0, NULL};
    mpz_t value;
    mpz_init_set_str(value, text, 16);
    pychoral_int_from_mpz(value, &number);
    mpz_clear(value);
    return number;
}

static double read_float(const char *text)
{
    uint64_t bits = strtoull(text, NULL, 16);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static size_t read_hex(const char *text, char *bytes)
{
    size_t size = strlen(text) / 2;
    for (size_t i = 0; i < size; i++) {
        char digits[] = {text[2 * i], text[2 * i + 1], '\0'};
        bytes[i] = (char)strtoul(digits, NULL, 16);
    }
    return size;
}

static PychoralList *read_list(char *text)
{
    PychoralList *list = pychoral_list_new(&ints, 0);
    char *rest = NULL;
    for (char *item = strtok_r(text, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
        PychoralInt number = read_int(item);
        pychoral_list_append(list, &number);
    }
    return list;
}

static void read_value(char *text, Value *value)
{
    char *bytes = malloc(strlen(text) + 1);
    value->letter = *text++;
    if (value->letter == 'i')
        value->i = read_int(text);
    else if (value->letter == 'b')
        value->i = pychoral_int_bool(*text == '1');
    else if (value->letter == 'f')
        value->f = read_float(text);
    else if (value->letter == 'c')
        value->c = pychoral_complex(read_float(text), read_float(text + 17));
    else if (value->letter == 's')
        value->s = pychoral_str_new(bytes, read_hex(text, bytes));
    else if (value->letter == 'y')
        value->s = pychoral_bytes_new(bytes, read_hex(text, bytes));
    else if (value->letter == 'l')
        value->l = read_list(text);
    free(bytes);
}

static void drop(Value *value)
{
    pychoral_drop_int(&value->i);
    pychoral_drop_str(&value->s);
    pychoral_drop_object(&value->l);
    *value = (Value){0};
}

// ---- writing: what a call has given, unless it raised ----

static void put_int(PychoralInt number)
{
    char *digits = pychoral_int_digits(number, 16, NULL);
    if (pychoral_raised == NULL)
        printf("%c%s", pychoral_int_is_bool(number) ? 'b' : 'i', digits);
    free(digits);
    pychoral_drop_int(&number);
}

static void put_float(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (pychoral_raised != NULL)
        return;
    if (isnan(x))
        printf("fnan");
    else
        printf("f%016" PRIx64, bits);
}

static void put_complex(PychoralComplex z)
{
    put_float(z.real);
    put_float(z.imag);
}

static void put_text(char letter, PychoralBytes *bytes)
{
    if (pychoral_raised == NULL)
        putchar(letter);
    for (size_t i = 0; bytes != NULL && i < bytes->size; i++)
        printf("%02x", (unsigned char)bytes->data[i]);
    pychoral_drop_str(&bytes);
}

static void put_truth(bool truth)
{
    if (pychoral_raised == NULL)
        printf("t%d", truth);
}

static void put_any(PychoralAny any)
{
    if (any.type == &pychoral_type_int)
        put_int(any.number);
    else if (any.type == &pychoral_type_float)
        put_float(any.real);
    else
        put_complex(any.complex);
}

static void put_ints(PychoralIntPair pair)
{
    put_int(pair.first);
    put_int(pair.second);
}

static void put_floats(PychoralFloatPair pair)
{
    put_float(pair.first);
    put_float(pair.second);
}

static void put_mixed(PychoralFloatInt pair)
{
    put_float(pair.first);
    put_int(pair.second);
}

// ---- shapes ----

#define AS(result, ...) ((result(*)(__VA_ARGS__))f)
#define SHAPE(name, ...)                                                                          \
    static void name(Function f, Value *v) { __VA_ARGS__; }

#define I PychoralInt
#define D double
#define Z PychoralComplex
#define S const PychoralStr *

SHAPE(i_i, put_int(AS(I, I)(v[0].i)))
SHAPE(ii_i, put_int(AS(I, I, I)(v[0].i, v[1].i)))
SHAPE(iii_i, put_int(AS(I, I, I, I)(v[0].i, v[1].i, v[2].i)))
SHAPE(ii_t, put_truth(AS(bool, I, I)(v[0].i, v[1].i)))
SHAPE(if_t, put_truth(AS(bool, I, D)(v[0].i, v[1].f)))
SHAPE(i_t, put_truth(AS(bool, I)(v[0].i)))
SHAPE(ii_f, put_float(AS(D, I, I)(v[0].i, v[1].i)))
SHAPE(i_f, put_float(AS(D, I)(v[0].i)))
SHAPE(ii_a, put_any(AS(PychoralAny, I, I)(v[0].i, v[1].i)))
SHAPE(ff_a, put_any(AS(PychoralAny, D, D)(v[0].f, v[1].f)))
SHAPE(i_n, put_int(pychoral_int(AS(int64_t, I)(v[0].i))))
SHAPE(f_n, put_int(pychoral_int(AS(int64_t, D)(v[0].f))))
SHAPE(c_n, put_int(pychoral_int(AS(int64_t, Z)(v[0].c))))
SHAPE(f_i, put_int(AS(I, D)(v[0].f)))
SHAPE(f_f, put_float(AS(D, D)(v[0].f)))
SHAPE(ff_f, put_float(AS(D, D, D)(v[0].f, v[1].f)))
SHAPE(fi_f, put_float(AS(D, D, I)(v[0].f, v[1].i)))
SHAPE(f_t, put_truth(AS(bool, D)(v[0].f)))
SHAPE(ffff_t, put_truth(AS(bool, D, D, D, D)(v[0].f, v[1].f, v[2].f, v[3].f)))
SHAPE(i_s, put_text('s', AS(PychoralStr *, I)(v[0].i)))
SHAPE(f_s, put_text('s', AS(PychoralStr *, D)(v[0].f)))
SHAPE(si_i, put_int(AS(I, S, I)(v[0].s, v[1].i)))
SHAPE(yi_i, put_int(AS(I, S, I)(v[0].s, v[1].i)))
SHAPE(i_0, AS(void, I)(v[0].i))
SHAPE(i_p, PychoralIntPair p; AS(void, I, void *)(v[0].i, &p); put_ints(p))
SHAPE(if_l, put_float(AS(D, PychoralRef, PychoralRef)(PYCHORAL_REF(pychoral_type_int, v[0].i),
                                                      PYCHORAL_REF(pychoral_type_float, v[1].f))))
SHAPE(s_f, put_float(AS(D, S)(v[0].s)))
SHAPE(s_c, put_complex(AS(Z, S)(v[0].s)))
SHAPE(iist_y, put_text('y', AS(PychoralBytes *, I, I, S, bool)(v[0].i, v[1].i, v[2].s,
                                                               v[3].i.small != 0)))
SHAPE(yst_i, put_int(AS(I, S, S, bool)(v[0].s, v[1].s, v[2].i.small != 0)))
SHAPE(c_f, put_float(AS(D, Z)(v[0].c)))
SHAPE(cc_c, put_complex(AS(Z, Z, Z)(v[0].c, v[1].c)))
SHAPE(ii_p, PychoralIntPair p; AS(void, I, I, void *)(v[0].i, v[1].i, &p); put_ints(p))
SHAPE(f_p, PychoralIntPair p; AS(void, D, void *)(v[0].f, &p); put_ints(p))
SHAPE(ff_q, PychoralFloatPair p; AS(void, D, D, void *)(v[0].f, v[1].f, &p); put_floats(p))
SHAPE(f_q, PychoralFloatPair p; AS(void, D, void *)(v[0].f, &p); put_floats(p))
SHAPE(f_m, PychoralFloatInt p; AS(void, D, void *)(v[0].f, &p); put_mixed(p))
SHAPE(iii_x, I array[3] = {v[0].i, v[1].i, v[2].i};
      put_int(AS(I, size_t, const I *)(3, array)))
SHAPE(ffff_x, D array[4] = {v[0].f, v[1].f, v[2].f, v[3].f};
      put_float(AS(D, size_t, const D *)(4, array)))

// An iterator over two or four floats.
typedef struct Array {
    const double *items;
    size_t count;
} Array;

static bool next_float(PychoralIterator *self, void *item)
{
    Array *array = (Array *)self->cells;
    if (array->count-- == 0)
        return false;
    *(double *)item = *array->items++;
    return true;
}

static PychoralIterator *iterate(const double *items, size_t count)
{
    static const PychoralType cells = {.kind = PYCHORAL_TUPLE, .size = sizeof(Array)};
    static const PychoralType row = {.kind = PYCHORAL_ITERATOR, .size = sizeof(void *),
                                     .element = &pychoral_type_float, .name = "iterator"};
    PychoralIterator *iterator = pychoral_iterator_new(&row, &cells, next_float);
    *(Array *)iterator->cells = (Array){items, count};
    return iterator;
}

static void ffff_e(Function f, Value *v)
{
    double items[] = {v[0].f, v[1].f, v[2].f, v[3].f};
    PychoralIterator *all = iterate(items, 4);
    put_float(AS(D, PychoralIterator *)(all));
    pychoral_drop_object(&all);
}

static void ffff_g(Function f, Value *v)
{
    double items[] = {v[0].f, v[1].f, v[2].f, v[3].f};
    PychoralIterator *left = iterate(items, 2), *right = iterate(items + 2, 2);
    put_float(AS(D, PychoralIterator *, PychoralIterator *)(left, right));
    pychoral_drop_object(&left);
    pychoral_drop_object(&right);
}

static const struct {
    const char *name;
    void (*shape)(Function function, Value *values);
    Function function;
} calls[] = {
#define CALL(name, shape, function) {name, shape, (Function)function},
#include "numbers.def"
#undef CALL
};

static void call(const char *name, Value *values)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(calls[i].name, name) == 0)
            calls[i].shape(calls[i].function, values);
    PychoralException *raised = pychoral_catch(&pychoral_type_BaseException);
    if (raised == NULL)
        return;
    PychoralStr *shown = pychoral_exception_repr(raised);
    pychoral_handled(raised);
    printf("!%s", shown->data);
    pychoral_drop_str(&shown);
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    for (ssize_t size; (size = getline(&line, &room, stdin)) > 0;) {
        Value values[MOST_ARGS] = {{0}};
        line[size - 1] = '\0';
        char *rest = NULL, *name = strtok_r(line, " ", &rest), *word;
        for (Value *to = values; (word = strtok_r(NULL, " ", &rest)) != NULL; to++)
            read_value(word, to);
        call(name, values);
        putchar('\n');
        for (size_t i = 0; i < MOST_ARGS; i++)
            drop(&values[i]);
    }
    free(line);
    return 0;
}
