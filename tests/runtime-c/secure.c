// secure.c - `secure ROLE [OPTION...]`: Alice or Bob with a SecureChannel, at the meeting place
// (secure.py has the same roles in Python and starts them in every pairing).

#include <string.h>

#include "pychoral.h"

static const char *const roles[] = {"Alice", "Bob"};
static const char protocol[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

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

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    bool is_bob = strcmp(argv[1], "Bob") == 0;
    PychoralPeer peer = {roles[!is_bob], true};
    PychoralProgram program = {
        .role = roles[is_bob], .roles = roles, .role_count = 2, .protocol = protocol,
        .source = "secure.pyc", .peers = &peer, .peer_count = 1, .body = is_bob ? bob : alice,
    };
    argv[1] = argv[0];
    return pychoral_main(&program, argc - 1, argv + 1);
}
