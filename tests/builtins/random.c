// random.c - draws from the generator of the C runtime as lines of input say, for random_draws.py.
//
// A line is a seed: i and an int, s and a str, o and a str (for version 1), or a float. The answer
// is one line for each draw of a fixed sequence, which random_draws.py makes as well.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "modules/random.h"

static const PychoralType ints = {.kind = PYCHORAL_LIST, .size = sizeof(void *), .name = "list",
                                  .element = &pychoral_type_int};

static void show(PychoralRef value)
{
    PychoralException *raised = pychoral_catch(&pychoral_type_BaseException);
    PychoralStr *shown = raised != NULL ? pychoral_exception_repr(raised) : pychoral_repr(value);
    if (raised != NULL)
        pychoral_handled(raised);
    printf("%s\n", shown->data);
    pychoral_drop_str(&shown);
}

static void show_int(PychoralInt number)
{
    show(PYCHORAL_REF(pychoral_type_int, number));
    pychoral_drop_int(&number);
}

static void show_float(double number) { printf("%a\n", number); }

static void show_list(PychoralList *list)
{
    show(PYCHORAL_REF(ints, list));
    pychoral_drop_object(&list);
}

static PychoralList *numbers_to(int64_t count)
{
    PychoralList *list = pychoral_list_new(&ints, 0);
    for (int64_t i = 0; i < count; i++) {
        PychoralInt number = pychoral_int(i);
        pychoral_list_append(list, &number);
    }
    return list;
}

static void draw_ints(PychoralRandom *random)
{
    PychoralInt huge = pychoral_int_pow(pychoral_int(3), pychoral_int(100));
    for (int64_t bits = -1; bits < 200; bits += 7)
        show_int(pychoral_random_getrandbits(random, pychoral_int(bits)));
    for (int64_t i = -1; i < 40; i += 3)
        show_int(pychoral_random_randrange(random, pychoral_int(i), pychoral_int(20),
                                           pychoral_int(i % 4 - 1)));
    show_int(pychoral_random_randint(random, pychoral_int(-5), huge));
    show_int(pychoral_random_randint(random, huge, pychoral_int(7)));
    show_int(pychoral_random_randrange_to(random, huge));
    show_int(pychoral_random_randrange_to(random, pychoral_int(0)));
    PychoralBytes *bytes = pychoral_random_randbytes(random, pychoral_int(21));
    show(PYCHORAL_REF(pychoral_type_bytes, bytes));
    pychoral_drop_str(&bytes);
    pychoral_drop_int(&huge);
}

static void draw_floats(PychoralRandom *random)
{
    show_float(pychoral_random_random(random));
    show_float(pychoral_random_uniform(random, -3, 10.5));
    show_float(pychoral_random_triangular(random, 0, 1));
    show_float(pychoral_random_triangular_to(random, 1, 5, 4));
    show_float(pychoral_random_triangular_to(random, 2, 2, 2));
    for (int i = 0; i < 3; i++)
        show_float(pychoral_random_gauss(random, 1, 2));
    show_float(pychoral_random_normalvariate(random, 0, 1));
    show_float(pychoral_random_lognormvariate(random, 0, 1));
    show_float(pychoral_random_expovariate(random, 1.5));
    show_float(pychoral_random_vonmisesvariate(random, 1, 4));
    show_float(pychoral_random_vonmisesvariate(random, 1, 0));
    show_float(pychoral_random_gammavariate(random, 2.5, 1.5));
    show_float(pychoral_random_gammavariate(random, 1, 1.5));
    show_float(pychoral_random_gammavariate(random, 0.5, 1.5));
    show_float(pychoral_random_betavariate(random, 2, 3));
    show_float(pychoral_random_paretovariate(random, 3));
    show_float(pychoral_random_weibullvariate(random, 1, 1.5));
}

static void draw_items(PychoralRandom *random)
{
    PychoralList *few = numbers_to(5), *many = numbers_to(1000), *none = numbers_to(0);
    PychoralRef five = PYCHORAL_REF(ints, few), thousand = PYCHORAL_REF(ints, many);
    PychoralRef empty = PYCHORAL_REF(ints, none), nothing = PYCHORAL_NONE_REF;
    PychoralInt chosen = {0, NULL};
    pychoral_random_choice(random, thousand, &pychoral_type_int, &chosen);
    show_int(chosen);
    pychoral_random_choice(random, empty, &pychoral_type_int, &chosen);
    show_int(pychoral_int(0));
    show_list(pychoral_random_choices(random, thousand, nothing, nothing, 10, &ints));
    show_list(pychoral_random_choices(random, five, five, nothing, 10, &ints));
    show_list(pychoral_random_choices(random, five, nothing, five, 10, &ints));
    show_list(pychoral_random_choices(random, five, thousand, nothing, 10, &ints));
    show_list(pychoral_random_choices(random, empty, nothing, nothing, 1, &ints));
    show_list(pychoral_random_sample(random, thousand, 4, nothing, &ints));
    show_list(pychoral_random_sample(random, thousand, 100, nothing, &ints));
    show_list(pychoral_random_sample(random, thousand, 1000, nothing, &ints));
    show_list(pychoral_random_sample(random, five, 5, five, &ints));
    show_list(pychoral_random_sample(random, five, 6, nothing, &ints));
    pychoral_random_shuffle(random, many);
    show(thousand);
    pychoral_drop_object(&few);
    pychoral_drop_object(&many);
    pychoral_drop_object(&none);
}

static void seed(PychoralRandom *random, const char *text)
{
    if (strchr(text, '.') != NULL) {
        double x = strtod(text, NULL);
        pychoral_random_seed(random, PYCHORAL_REF(pychoral_type_float, x), 2);
        return;
    }
    PychoralStr *str = pychoral_str_new(text + 1, strlen(text) - 1);
    if (text[0] == 's' || text[0] == 'o') {
        pychoral_random_seed(random, PYCHORAL_REF(pychoral_type_str, str), text[0] == 's' ? 2 : 1);
    } else {
        PychoralInt number = pychoral_int_of_str(str, pychoral_int(10));
        pychoral_random_seed(random, PYCHORAL_REF(pychoral_type_int, number), 2);
        pychoral_drop_int(&number);
    }
    pychoral_drop_str(&str);
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    PychoralRandom *random = pychoral_random_shared();
    for (ssize_t size; (size = getline(&line, &room, stdin)) > 0;) {
        line[size - 1] = '\0';
        seed(random, line);
        draw_ints(random);
        draw_floats(random);
        draw_items(random);
    }
    free(line);
    return 0;
}
