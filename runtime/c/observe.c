// observe.c - what is told of each message when the program has sent or read it: `--history` and
// `--trace`; contracts in role.h, as observed.py.

#include "role.h"
#include "trace.h"

void pychoral_observe_before(PychoralLink *link)
{
    size_t size;
    PychoralTrace *trace = link->role->trace;
    if (trace == NULL)
        return;
    const uint8_t *stamp = pychoral_trace_stamp(trace, &size);
    pychoral_machine_stamp(link->machine, stamp, size);
}

void pychoral_observe_sent(PychoralLink *link, PychoralFrameKind kind, uint32_t site,
                           uint32_t label, const PychoralType *about, const PychoralFrame *frames,
                           size_t count)
{
    PychoralRole *role = link->role;
    char place[1000];
    PychoralMessage message = {
        .kind = kind, .site = site, .label = label, .count = count,
        .seq = pychoral_machine_state(link->machine).next_seq - 1,
        .frames = frames};
    if (role->history != NULL)
        pychoral_report_history(link, "sent", &message);
    if (role->trace == NULL)
        return;
    pychoral_role_place(role, site, place, sizeof place);
    pychoral_trace_sent(role->trace, link->peer, message.seq, kind, label, about, place);
}

void pychoral_observe_taken(PychoralLink *link, const PychoralMessage *message,
                            const PychoralType *about)
{
    PychoralRole *role = link->role;
    char place[1000];
    if (role->history != NULL)
        pychoral_report_history(link, "taken", message);
    if (role->trace == NULL)
        return;
    pychoral_role_place(role, message->site, place, sizeof place);
    pychoral_trace_taken(role->trace, link->peer, message, about, place);
}
