// pingpong.c - Alice sends bytes of a given size to Bob, who sends them back, so many times.

#include "endpoints.h"

enum { PEER = 0 };

static const PychoralParameter PARAMETERS[] = {
    {.name = "rounds", .type = "int", .standard = "100"},
    {.name = "size", .type = "int", .standard = "1"},
};

static int alice(PychoralRole *role)
{
    int64_t rounds = number_argument(role, 0), size = number_argument(role, 1);
    char *text = calloc((size_t)size + 1, 1);
    PychoralBytes *bytes = pychoral_bytes_new(text, (size_t)size), *back;
    free(text);
    int status = 0;
    for (int64_t i = 0; i < rounds; i++) {
        if (!pychoral_send(role, PEER, 1, &pychoral_type_bytes, &bytes) ||
            !pychoral_receive(role, PEER, 2, &pychoral_type_bytes, &back)) {
            status = 1;
            break;
        }
        if (back->size != bytes->size)
            status = 1;
        pychoral_release(&pychoral_type_bytes, &back);
    }
    pychoral_release(&pychoral_type_bytes, &bytes);
    return status;
}

static int bob(PychoralRole *role)
{
    int64_t rounds = number_argument(role, 0);
    for (int64_t i = 0; i < rounds; i++) {
        PychoralBytes *bytes;
        if (!pychoral_receive(role, PEER, 1, &pychoral_type_bytes, &bytes))
            return 1;
        bool good = pychoral_send(role, PEER, 2, &pychoral_type_bytes, &bytes);
        pychoral_release(&pychoral_type_bytes, &bytes);
        if (!good)
            return 1;
    }
    return 0;
}

static const PychoralSite SITES[] = {{1, "pingpong.pyc:5"}, {2, "pingpong.pyc:6"}};

static const Pair PAIR = {
    .source = "pingpong.pyc",
    .protocol = "7f5c8b0b2a0e4f63b1d8f1d0a9c3e57712345678900000000000000000000001",
    .sites = SITES, .site_count = 2, .parameters = PARAMETERS, .parameter_count = 2,
    .alice = alice, .bob = bob,
};

int main(int argc, char **argv)
{
    return run_pair(&PAIR, argc, argv);
}
