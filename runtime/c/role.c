// role.c - all links of one role, and every wait (PROTOCOL.md sections 6 and 8; as role.py).
//
// Nothing waits in silence: a wait ends by what is waited for, by a failure of its link, by a
// signal, or at the deadline that `--timeout` sets, and one of ten seconds is reported.

#include "durable.h"
#include "rendezvous.h"
#include "room.h"
#include "show.h"

#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    TICK_MS = 100,                      // between ticks while the program waits
    LOOK_MS = 10,                       // while it sends and never waits
    SOON_MS = 20,                       // the same while a link is not up, or the role leaves
    TOLD_MS = 50,                       // a wait that is longer is told to those who ask
    GONE_MS = 50,                       // after a cut, before it is asked whether the peer lives
    REPORT_MS = 10000,
    REPORT_AGAIN_MS = 60000,
    BATCH = 64,                         // messages taken in at once
    COMPUTES = 0, WAITS = 1, SENDS = 2, ENDED = 3,      // what PONG says
};

uint64_t pychoral_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static size_t link_count(const PychoralRole *role)
{
    return role->program->peer_count;
}

// --- failures ---

bool pychoral_role_fail(PychoralRole *role, int status, const char *format, ...)
{
    va_list arguments;
    if (role->fault.status)
        return false;
    role->fault.status = status;
    va_start(arguments, format);
    vsnprintf(role->fault.text, sizeof role->fault.text, format, arguments);
    va_end(arguments);
    pychoral_string_cut(role->fault.text, sizeof role->fault.text);
    pychoral_report_failed(role, pychoral_now());
    return false;
}

static const char *name_of_signal(int number)
{
    static const struct { int number; const char *name; } names[] = {
        {SIGINT, "SIGINT"}, {SIGHUP, "SIGHUP"}, {SIGQUIT, "SIGQUIT"}, {SIGUSR2, "SIGUSR2"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number)
            return names[i].name;
    return "SIGTERM";
}

bool pychoral_role_interrupted(PychoralRole *role)
{
    int number = atomic_load(&role->interrupted);
    if (number == PYCHORAL_MISUSED)
        return pychoral_role_fail(role, PYCHORAL_EXIT_PROTOCOL,
                                  "another thread of %s uses its channels; only the thread that "
                                  "called main may use them, so that the order of messages is that "
                                  "of the choreography",
                                  role->name);
    return pychoral_role_fail(role, 128 + number, "interrupted by %s", name_of_signal(number));
}

void pychoral_role_place(const PychoralRole *role, uint32_t site, char *text, size_t size)
{
    size_t low = 0, high = role->program->site_count;
    const PychoralSite *sites = role->program->sites;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sites[middle].number < site)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < role->program->site_count && sites[low].number == site;
    snprintf(text, size, found ? " (%s)" : "%s", found ? sites[low].place : "");
}

// --- serving ---

static bool all_up(const PychoralRole *role)
{
    for (size_t i = 0; i < link_count(role); i++)
        if (!role->links[i].is_up)
            return false;
    return true;
}

void pychoral_role_notice(PychoralRole *role, uint64_t now)
{
    PychoralMonitorEvent event;
    while (pychoral_sockets_event(role->sockets, &event))
        pychoral_link_noticed(role, &event, now);
}

bool pychoral_role_serve(PychoralRole *role)
{
    PychoralIncoming incoming;
    uint64_t now = pychoral_now();
    int count = 0;
    while (count < BATCH && pychoral_sockets_receive(role->sockets, &incoming)) {
        pychoral_link_arrived(role, &incoming, now);
        count++;
    }
    return count > 0;
}

void pychoral_role_look_around(PychoralRole *role, uint64_t now)
{
    pychoral_role_serve(role);
    pychoral_role_tick(role, now);
    role->look_due = now + (all_up(role) ? LOOK_MS : 1);
}

bool pychoral_role_pull(PychoralLink *link, uint64_t now)
{
    PychoralRole *role = link->role;
    PychoralIncoming incoming;
    int from = link->dials ? link->index : PYCHORAL_LISTENER;
    if (now >= role->tick_due || !pychoral_sockets_pull(role->sockets, from, &incoming))
        return false;
    pychoral_link_arrived(role, &incoming, now);
    return true;
}

// What PING and PONG say of this role from now on.
static void tell(PychoralRole *role, int state)
{
    uint64_t steps = 0;
    const char *peer = role->waiting.link ? role->waiting.link->peer : "";
    for (size_t i = 0; i < link_count(role); i++) {
        PychoralLinkState seqs = pychoral_machine_state(role->links[i].machine);
        steps += seqs.next_seq - 1 + seqs.read;
    }
    for (size_t i = 0; i < link_count(role); i++)
        pychoral_machine_progress(role->links[i].machine, steps, (uint8_t)state,
                                  role->waiting.site, pychoral_text(peer));
    role->is_told = state != COMPUTES;
    if (role->watch)
        pychoral_show_waits(role->watch, state == COMPUTES ? "" : peer, role->waiting.site);
}

// After what monitors have told has been noticed.
static void tick_all(PychoralRole *role, uint64_t now)
{
    pychoral_unauthenticated_dismiss(pychoral_sockets_strangers(role->sockets), now);
    for (size_t i = 0; i < link_count(role); i++) {
        if (role->links[i].is_up)
            pychoral_descriptor_end_silent(&role->links[i].descriptor, now, PYCHORAL_SILENCE_MS);
        pychoral_machine_tick(role->links[i].machine, now);
        pychoral_link_settle(&role->links[i]);
        pychoral_link_check_memory(&role->links[i]);
    }
    role->tick_due = now + TICK_MS;
}

void pychoral_role_tick(PychoralRole *role, uint64_t now)
{
    if (!role->waiting.link)
        tell(role, COMPUTES);
    pychoral_role_notice(role, now);
    tick_all(role, now);
}

// --- waiting ---

static bool timed_out(PychoralRole *role)
{
    PychoralLink *link = role->waiting.link;
    double seconds = role->settings->timeout;
    char phrase[500], place[300], peer[800];
    PychoralFault fault = {0};
    if (!link->came_up) {
        pychoral_link_never_came(link, seconds, &fault);
        return pychoral_role_fail(role, fault.status, "%s", fault.text);
    }
    pychoral_report_phrase(role, phrase, sizeof phrase);
    pychoral_role_place(role, role->waiting.site, place, sizeof place);
    pychoral_report_peer(link, pychoral_now(), peer, sizeof peer);
    return pychoral_role_fail(role, PYCHORAL_EXIT_PEER_LOST, "waited %g s (--timeout) %s%s; %s",
                              seconds, phrase, place, peer);
}

static bool link_failed(PychoralRole *role)
{
    PychoralLink *link = role->waiting.link;
    char phrase[500], place[300];
    pychoral_report_phrase(role, phrase, sizeof phrase);
    pychoral_role_place(role, role->waiting.site, place, sizeof place);
    if (place[0] || (link->failure.status == PYCHORAL_EXIT_PEER_LOST && link->came_up))
        return pychoral_role_fail(role, link->failure.status, "waited %s%s, but %s", phrase, place,
                                  link->failure.text);
    return pychoral_role_fail(role, link->failure.status, "%s", link->failure.text);
}

// What the program has printed is shown while it waits, if that takes no time.
static void show_output(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (ftrylockfile(stdout) != 0)
        return;
    if (poll(&output, 1, 0) == 1 && (output.revents & POLLOUT))
        fflush(stdout);
    funlockfile(stdout);
}

static bool never_started(PychoralRole *role)
{
    char phrase[500], place[300];
    pychoral_report_phrase(role, phrase, sizeof phrase);
    pychoral_role_place(role, role->waiting.site, place, sizeof place);
    return pychoral_link_never_started(role->waiting.link, phrase, place);
}

// What ends a wait, and the reports of one that is long.
static bool check_wait(PychoralRole *role, uint64_t now)
{
    PychoralWaiting *waiting = &role->waiting;
    uint64_t waited = pychoral_elapsed(now, waiting->since);
    double timeout = role->settings->timeout;
    if (atomic_load(&role->interrupted))
        return pychoral_role_interrupted(role);
    if (role->fault.status)
        return false;                   // the keeper has lost the disk
    pychoral_role_check_alive(waiting->link, now);
    if (waiting->link->failure.status)
        return link_failed(role);
    if (pychoral_link_cannot_start(waiting->link))
        return never_started(role);
    if (timeout > 0 && (double)waited >= timeout * 1000)
        return timed_out(role);
    if (waited >= TOLD_MS && !role->is_told) {
        tell(role, waiting->kind == PYCHORAL_WAIT_SEND ? SENDS : WAITS);
        show_output();
    }
    if (now >= waiting->report_due) {
        waiting->report_due = now + REPORT_AGAIN_MS;
        pychoral_report_waits(role, now);
    }
    if (atomic_exchange(&role->status_wanted, false))
        pychoral_report_status(role, now);
    return true;
}

void pychoral_role_check_alive(PychoralLink *link, uint64_t now)
{
    bool gone = link->came_up && !link->is_up && !link->peer_ended && !link->failure.status &&
                !pychoral_machine_state(link->machine).peer_durable;
    if (gone && pychoral_elapsed(now, link->cut_at) >= GONE_MS &&
        !pychoral_rendezvous_is_alive(link))
        pychoral_fault_set(&link->failure, PYCHORAL_EXIT_PEER_LOST,
                           "%s's process died without closing the connection", link->peer);
}

// Ticks come when they are due, and right after an event, which they may answer.
static void pause_for(PychoralRole *role, uint64_t now, bool soon)
{
    uint64_t most = soon || !all_up(role) ? SOON_MS : TICK_MS;
    if (!pychoral_durable_is_settled(role)) {
        pychoral_role_serve(role);      // what else has come goes to the disk with it
        pychoral_durable_settle(role, false);
        return;
    }
    if (role->tick_due > now + most)
        role->tick_due = now + most;
    if (role->tick_due > now)
        pychoral_sockets_wait(role->sockets, (long)(role->tick_due - now));
    bool came = pychoral_role_serve(role);
    now = pychoral_now();
    if (!came || now >= role->tick_due)
        pychoral_role_notice(role, now);
    if (now >= role->tick_due)
        tick_all(role, now);
}

bool pychoral_role_wait(PychoralRole *role)
{
    uint64_t now = pychoral_now();
    if (role->waiting.since == 0) {
        role->waiting.since = now;
        role->waiting.report_due = now + REPORT_MS;
    }
    if (!check_wait(role, now))
        return false;
    pause_for(role, now, false);
    return true;
}

void pychoral_role_computes(PychoralRole *role)
{
    role->waiting = (PychoralWaiting){0};
    if (role->is_told)
        tell(role, COMPUTES);
}

// --- the start ---

void pychoral_role_begin(PychoralRole *role)
{
    for (size_t i = 0; i < link_count(role); i++) {
        if (role->links[i].failure.status)
            continue;
        pychoral_machine_start(role->links[i].machine, pychoral_now());
        pychoral_link_settle(&role->links[i]);
    }
}

// A peer at the meeting place that cannot start says there why, for as long as it is there. Where
// there are journals it is started again.
static void look_for_marks(PychoralRole *role)
{
    char why[PYCHORAL_TEXT_MAX + 1];
    uint64_t now = pychoral_now();
    if (role->durability || now < role->mark_due)
        return;
    role->mark_due = now + TICK_MS;
    for (size_t i = 0; i < link_count(role); i++)
        if (!role->links[i].came_up && pychoral_rendezvous_mark(&role->links[i], why, sizeof why))
            pychoral_link_note_cause(&role->links[i], pychoral_text(""), pychoral_text(why), 0);
}

// Whether the program may begin: a peer that has ended before need not be there, nor one that
// cannot start before it is needed.
static bool is_met(PychoralLink *link)
{
    look_for_marks(link->role);
    return link->came_up || link->peer_ended || pychoral_link_cannot_start(link);
}

// The link to a peer that was not given the same; NULL: there is none.
static const PychoralLink *differs(const PychoralRole *role)
{
    for (size_t i = 0; i < link_count(role); i++)
        if (role->links[i].disagrees)
            return &role->links[i];
    return NULL;
}

// A peer that was not given the same ends a role that starts, at once. What others are told of it
// has no values: they may not have them.
static bool disagrees(PychoralRole *role)
{
    const PychoralLink *link = differs(role);
    if (!link)
        return false;
    pychoral_role_fail(role, link->failure.status, "%s", link->failure.text);
    snprintf(role->origin_role, sizeof role->origin_role, "%s", role->name);
    snprintf(role->origin_text, sizeof role->origin_text,
             "%.200s and %.200s were given different values", role->name, link->peer);
    return true;
}

bool pychoral_role_open(PychoralRole *role)
{
    bool good = true;
    pychoral_durable_restore(role);
    pychoral_role_begin(role);
    for (size_t i = 0; good && i < link_count(role); i++) {
        role->waiting = (PychoralWaiting){.link = &role->links[i], .kind = PYCHORAL_WAIT_START};
        while ((good = good && !disagrees(role)) && !is_met(&role->links[i]))
            good = pychoral_role_wait(role);
    }
    pychoral_role_computes(role);
    return good && pychoral_begin_together(role);
}

// --- the end ---

static void say_end(PychoralRole *role, PychoralLink *link, uint64_t now)
{
    if (role->fault.status)
        pychoral_durable_skip(link);
    uint64_t seq = pychoral_machine_state(link->machine).next_seq;
    pychoral_observe_before(link);
    if (role->fault.status == 0)
        pychoral_machine_end(link->machine, now, 0);
    else
        pychoral_machine_error(link->machine, now, pychoral_text(role->origin_role),
                               pychoral_text(role->origin_type), pychoral_text(role->origin_text));
    if (pychoral_machine_state(link->machine).next_seq > seq)
        pychoral_observe_sent(link, role->fault.status ? PYCHORAL_ERROR : PYCHORAL_END, 0, 0, NULL,
                              NULL, 0);
    pychoral_link_settle(link);
}

// Says the end to those who have not been told. The number of a durable role's ERROR is known when
// the peer has said what it expects.
static void say_ends(PychoralRole *role)
{
    bool waits = role->fault.status && role->durability;
    for (size_t i = 0; i < link_count(role); i++)
        if ((role->links[i].came_up || !waits) &&
            !pychoral_machine_state(role->links[i].machine).ended)
            say_end(role, &role->links[i], pychoral_now());
}

// A message that nobody reads is a fault of the build or of the peer.
static bool check_all_read(PychoralRole *role, PychoralLink *link)
{
    PychoralMessage message;
    if (!pychoral_machine_take(link->machine, pychoral_now(), &message))
        return true;
    pychoral_observe_taken(link, &message, NULL);
    bool good = message.kind != PYCHORAL_DATA && message.kind != PYCHORAL_SELECT;
    const char *what = message.kind == PYCHORAL_DATA ? "a value" : "a selection";
    pychoral_message_drop(&message);
    return good || pychoral_role_fail(role, PYCHORAL_EXIT_PROTOCOL,
                                      "%s sent %s after the end of the choreography", link->peer,
                                      what);
}

static bool check_left(PychoralRole *role, PychoralLink *link)
{
    if (link->left && link->confirmed)
        return role->ends_early || check_all_read(role, link);
    if (!link->left && link->failure.status)
        return pychoral_role_fail(role, link->failure.status,
                                  "%s has not confirmed the last message: %s", link->peer,
                                  link->failure.text);
    return pychoral_role_fail(role, PYCHORAL_EXIT_PEER_LOST,
                              "%s has not confirmed the last message", link->peer);
}

// Whether this role, which has failed, waits so that late peers can hear why. It does not if its
// journal lets it go on after a restart, or if a signal ends it. After a disagreement it waits: its
// journal would give it the same values again.
static bool is_for_all(const PychoralRole *role, uint64_t began)
{
    int status = role->fault.status;
    bool may_go_on = role->settings->journal && !role->is_past && !differs(role);
    return status && status < 128 && !may_go_on &&
           pychoral_elapsed(pychoral_now(), began) < PYCHORAL_FAREWELL_MS;
}

static bool has_remaining(PychoralRole *role, uint64_t began)
{
    bool remains = false, all = is_for_all(role, began);
    for (size_t i = 0; i < link_count(role); i++) {
        PychoralLink *link = &role->links[i];
        pychoral_role_check_alive(link, pychoral_now());
        remains = remains || ((all || link->came_up) && !pychoral_link_has_left(link));
    }
    return remains;
}

static bool is_awaited(PychoralLink *link)
{
    return link && link->came_up && !pychoral_link_has_left(link);
}

// Reports a wait for the last acknowledgement that is long; false at the deadline of `--timeout`.
static bool may_still_wait(PychoralRole *role, uint64_t began)
{
    PychoralWaiting *waiting = &role->waiting;
    uint64_t now = pychoral_now();
    double timeout = role->settings->timeout;
    PychoralLink *link = waiting->link;
    for (size_t i = 0; !is_awaited(link) && i < link_count(role); i++)
        link = &role->links[i];
    if (link != waiting->link)
        *waiting = (PychoralWaiting){.link = link, .kind = PYCHORAL_WAIT_END, .since = began,
                                     .report_due = began + REPORT_MS};
    if (now >= waiting->report_due) {
        waiting->report_due = now + REPORT_AGAIN_MS;
        pychoral_report_waits(role, now);
    }
    return timeout <= 0 || (double)(now - began) < timeout * 1000;
}

// Where the failure began, unless a peer's ERROR has said it.
static void note_origin(PychoralRole *role)
{
    if (role->origin_role[0])
        return;
    snprintf(role->origin_role, sizeof role->origin_role, "%s", role->name);
    snprintf(role->origin_text, sizeof role->origin_text, "%.500s", role->fault.text);
    pychoral_string_cut(role->origin_text, sizeof role->origin_text);
}

void pychoral_role_end(PychoralRole *role)
{
    uint64_t now = pychoral_now();
    int known = atomic_load(&role->interrupted);        // others are told of it, too
    role->is_over = true;
    tell(role, ENDED);
    pychoral_durable_settle(role, false);   // which may be what fails
    if (role->fault.status)
        note_origin(role);
    for (size_t i = 0; i < link_count(role) && role->fault.status && pychoral_room_is_limited();
         i++)                           // there may be no memory for what the peers send
        pychoral_machine_shut(role->links[i].machine);
    if (role->is_superseded)
        return;
    say_ends(role);
    tick_all(role, now);
    while (has_remaining(role, now) && atomic_load(&role->interrupted) == known &&
           may_still_wait(role, now)) {
        pause_for(role, pychoral_now(), true);
        say_ends(role);
    }
    role->waiting = (PychoralWaiting){0};
    if (atomic_load(&role->interrupted) != known)
        pychoral_role_interrupted(role);
    for (size_t i = 0; i < link_count(role) && role->fault.status == 0; i++)
        if (!pychoral_link_cannot_start(&role->links[i]))   // nothing was needed of it
            check_left(role, &role->links[i]);
    if (role->fault.status == 0)
        pychoral_durable_end(role);
}
