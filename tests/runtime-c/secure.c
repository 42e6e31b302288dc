// secure.c - `secure ROLE [OPTION...]`: Alice or Bob with a SecureChannel, at the meeting place
// (secure.py has the same roles in Python and starts them in every pairing).

#include "endpoints.h"

static int alice(PychoralRole *role)
{
    PychoralInt number = pychoral_int(7);
    return pychoral_send(role, 0, 1, &pychoral_type_int, &number) ? 0 : 1;
}

static int bob(PychoralRole *role)
{
    PychoralInt number = pychoral_int(0);
    return pychoral_receive(role, 0, 1, &pychoral_type_int, &number) && number.small == 7 ? 0 : 1;
}

static const Pair PAIR = {
    .source = "secure.pyc",
    .protocol = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    .alice = alice, .bob = bob, .secure = true,
};

int main(int argc, char **argv)
{
    return run_pair(&PAIR, argc, argv);
}
