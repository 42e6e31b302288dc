// karatsuba.c - karatsuba.pyc by hand: the same recursion over GMP.

#include <gmp.h>

#include "by_hand.h"

static void number(mpz_t out, int64_t bits, uint64_t seed)
{
    mpz_init(out);
    for (int64_t i = 0; i < bits / 31; i++) {
        seed = next_number(seed);
        mpz_mul_2exp(out, out, 31);
        mpz_add_ui(out, out, seed);
    }
}

static void multiply(mpz_t out, const mpz_t x, const mpz_t y, uint64_t bits)
{
    if (bits <= 256) {
        mpz_mul(out, x, y);
        return;
    }
    uint64_t half = bits / 2;
    mpz_t x_low, x_high, y_low, y_high, low, high;
    mpz_inits(x_low, x_high, y_low, y_high, low, high, NULL);
    mpz_fdiv_r_2exp(x_low, x, half);
    mpz_fdiv_q_2exp(x_high, x, half);
    mpz_fdiv_r_2exp(y_low, y, half);
    mpz_fdiv_q_2exp(y_high, y, half);
    multiply(low, x_low, y_low, half);
    multiply(high, x_high, y_high, bits - half);
    mpz_add(x_low, x_low, x_high);
    mpz_add(y_low, y_low, y_high);
    multiply(out, x_low, y_low, bits - half + 1);
    mpz_sub(out, out, high);
    mpz_sub(out, out, low);
    mpz_mul_2exp(out, out, half);
    mpz_mul_2exp(high, high, 2 * half);
    mpz_add(out, out, high);
    mpz_add(out, out, low);
    mpz_clears(x_low, x_high, y_low, y_high, low, high, NULL);
}

int main(int argc, char **argv)
{
    mpz_t x, y, product;
    int64_t bits = amount(argc, argv);
    number(x, bits, 1);
    number(y, bits, 2);
    mpz_init(product);
    double began = cpu_seconds();
    multiply(product, x, y, (uint64_t)bits);
    printf("cpu %.9f\n", cpu_seconds() - began);
    printf("result %lu\n", mpz_fdiv_ui(product, 1000000007));
    mpz_clears(x, y, product, NULL);
    return 0;
}
