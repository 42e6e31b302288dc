// endpoints.c - what the hand-written endpoints share.

#include "endpoints.h"

static const char *const ROLES[] = {"Alice", "Bob"};

static PychoralProgram program_of(const Pair *pair, bool is_bob, const PychoralPeer *peer)
{
    return (PychoralProgram){
        .role = ROLES[is_bob], .roles = ROLES, .role_count = 2,
        .protocol = pair->protocol, .source = pair->source,
        .sites = pair->sites, .site_count = pair->site_count, .peers = peer, .peer_count = 1,
        .parameters = pair->parameters, .parameter_count = pair->parameter_count,
        .body = is_bob ? pair->bob : pair->alice,
    };
}

static int run_together(const PychoralProgram *alice, const PychoralProgram *bob)
{
    int statuses[2];
    if (!pychoral_together((const PychoralProgram *const[]){alice, bob}, 2, statuses))
        return 70;
    return statuses[statuses[1] > statuses[0]];
}

int run_pair(const Pair *pair, int argc, char **argv)
{
    const char *role = argc > 1 ? argv[1] : "";
    const PychoralPeer to_bob = {ROLES[1], pair->secure}, to_alice = {ROLES[0], pair->secure};
    const PychoralProgram alice = program_of(pair, false, &to_bob);
    const PychoralProgram bob = program_of(pair, true, &to_alice);
    if (strcmp(role, "together") == 0)
        return run_together(&alice, &bob);
    if (strcmp(role, "Alice") == 0)
        return pychoral_main(&alice, argc - 1, argv + 1);
    if (strcmp(role, "Bob") == 0)
        return pychoral_main(&bob, argc - 1, argv + 1);
    fprintf(stderr, "there is no role '%s'\n", role);
    return 2;
}

int64_t number_argument(const PychoralRole *role, size_t parameter)
{
    return strtoll(pychoral_argument(role, parameter), NULL, 10);
}
