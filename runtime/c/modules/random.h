// random.h - Python's module random: CPython's generator and what it derives from it, bit for bit.
//
// The functions of the module draw from a generator of the thread, which is seeded by the system
// when it is first used; in a durable role that seed is recorded.

#ifndef PYCHORAL_RANDOM_H
#define PYCHORAL_RANDOM_H

#include "../builtins/number.h"

enum { PYCHORAL_TWISTER_WORDS = 624 };

// An instance of class Random: a Mersenne Twister, MT19937.
typedef struct PychoralRandom {
    PychoralObject object;
    uint32_t words[PYCHORAL_TWISTER_WORDS];
    uint32_t next;          // of the words
    bool has_normal;        // gauss makes two at a time
    double normal;
} PychoralRandom;

extern const PychoralType pychoral_type_Random;

// The generator of the module's functions.
PychoralRandom *pychoral_random_shared(void);

// Random(seed). Raises as pychoral_random_seed does.
PychoralRandom *pychoral_random_new(PychoralRef seed);

// Seeds it with None (the system), an int, float, str or bytes. Raises TypeError for others,
// UnicodeEncodeError.
void pychoral_random_seed(PychoralRandom *self, PychoralRef seed, int64_t version);

// ---- numbers ----

double pychoral_random_random(PychoralRandom *self);
PychoralInt pychoral_random_getrandbits(PychoralRandom *self, PychoralInt count);  // ValueError
PychoralBytes *pychoral_random_randbytes(PychoralRandom *self, PychoralInt count);  // ValueError

// An int below n, for n > 0.
PychoralInt pychoral_random_below(PychoralRandom *self, PychoralInt n);

// Raise ValueError where the range is empty.
PychoralInt pychoral_random_randrange_to(PychoralRandom *self, PychoralInt stop);
PychoralInt pychoral_random_randrange(PychoralRandom *self, PychoralInt start, PychoralInt stop,
                                      PychoralInt step);
PychoralInt pychoral_random_randint(PychoralRandom *self, PychoralInt a, PychoralInt b);

double pychoral_random_uniform(PychoralRandom *self, double a, double b);
double pychoral_random_triangular(PychoralRandom *self, double low, double high);
double pychoral_random_triangular_to(PychoralRandom *self, double low, double high, double mode);
double pychoral_random_gauss(PychoralRandom *self, double mu, double sigma);
double pychoral_random_normalvariate(PychoralRandom *self, double mu, double sigma);
double pychoral_random_lognormvariate(PychoralRandom *self, double mu, double sigma);
double pychoral_random_vonmisesvariate(PychoralRandom *self, double mu, double kappa);

// Raise ZeroDivisionError, ValueError or OverflowError.
double pychoral_random_expovariate(PychoralRandom *self, double lambd);
double pychoral_random_gammavariate(PychoralRandom *self, double alpha, double beta);
double pychoral_random_betavariate(PychoralRandom *self, double alpha, double beta);
double pychoral_random_paretovariate(PychoralRandom *self, double alpha);
double pychoral_random_weibullvariate(PychoralRandom *self, double alpha, double beta);

// ---- sequences: lists, tuples, ranges, str, bytes ----

// An item, converted to `row`. Raises IndexError.
void pychoral_random_choice(PychoralRandom *self, PychoralRef sequence, const PychoralType *row,
                            void *result);

// A list of type `row` of `count` items; None stands for no weights. Raises ValueError, IndexError,
// TypeError.
PychoralList *pychoral_random_choices(PychoralRandom *self, PychoralRef population,
                                      PychoralRef weights, PychoralRef cum_weights, int64_t count,
                                      const PychoralType *row);

// A list of type `row` of `count` items, none twice. Raises ValueError.
PychoralList *pychoral_random_sample(PychoralRandom *self, PychoralRef population, int64_t count,
                                     PychoralRef counts, const PychoralType *row);

void pychoral_random_shuffle(PychoralRandom *self, PychoralList *list);

#endif
