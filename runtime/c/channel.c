// channel.c - the calls of an endpoint's body: send, receive, select, branch, raise.
//
// PROTOCOL.md sections 2 and 8 (as link.py). Kinds, sites and types are compared with what the
// program waits for when it reads.

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "durable.h"
#include "price.h"
#include "room.h"
#include "show.h"

enum {
    TEXT_SIZE = 400,
    LARGE = 64 << 10,                   // bytes, from which on libzmq is lent them
};

// --- in and out ---

// A call from a thread or a process that is not the role's. The role itself finds out when it
// calls.
static bool wrong_caller(PychoralRole *role)
{
    int none = 0;
    if (*role->same_process && role->process == getpid()) {
        atomic_compare_exchange_strong(&role->interrupted, &none, PYCHORAL_MISUSED);
        return false;
    }
    role->fault.status = 0;             // the child's copy
    pychoral_fault_set(&role->fault, PYCHORAL_EXIT_PROTOCOL,
                       "a process that %s has forked uses its channels; only the process in which "
                       "the role started may use them",
                       role->name);
    pychoral_report_say(role, role->fault.text);
    return false;
}

bool pychoral_enter(PychoralRole *role)
{
    if (!*role->same_process || !pthread_equal(role->thread, pthread_self()))
        return wrong_caller(role);
    pychoral_lock_enter(&role->lock);
    if (role->fault.status == 0 && atomic_load_explicit(&role->interrupted, memory_order_relaxed))
        pychoral_role_interrupted(role);
    if (role->fault.status == 0)
        return true;
    pychoral_lock_leave(&role->lock);
    return false;
}

bool pychoral_leave(PychoralRole *role, bool good)
{
    if (role->waiting.link)
        pychoral_role_computes(role);
    pychoral_lock_leave(&role->lock);
    return good;
}

// --- sending ---

static size_t size_of(const PychoralFrame *frames, size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += frames[i].size;
    return size;
}

static bool too_large(PychoralLink *link, uint32_t site, const PychoralFrame *frames, size_t count)
{
    char place[TEXT_SIZE];
    size_t size = size_of(frames, count);
    pychoral_role_place(link->role, site, place, sizeof place);
    snprintf(link->role->origin_type, sizeof link->role->origin_type, "NotSendable");
    return pychoral_role_fail(link->role, PYCHORAL_EXIT_OWN_ERROR,
                              "the value cannot be sent: it is too large: %zu bytes, and the limit "
                              "is %llu (`limits.message` of the manifest); send it in parts%s",
                              size, (unsigned long long)link->config.max_message, place);
}

static bool never_started(PychoralLink *link, uint32_t site)
{
    char phrase[TEXT_SIZE + 20], place[TEXT_SIZE];
    snprintf(phrase, sizeof phrase, "for %.*s to start", TEXT_SIZE, link->peer);
    pychoral_role_place(link->role, site, place, sizeof place);
    return pychoral_link_never_started(link, phrase, place);
}

static bool check_memory(PychoralLink *link, uint32_t site, const PychoralFrame *frames,
                         size_t count)
{
    char place[TEXT_SIZE];
    size_t size = size_of(frames, count), needed;
    if (size < LARGE || pychoral_room_for_message(size, &needed))
        return true;
    pychoral_role_place(link->role, site, place, sizeof place);
    return pychoral_role_fail(link->role, PYCHORAL_EXIT_OWN_ERROR,
                              "memory is exhausted, and a message cannot be sent: cannot allocate "
                              "%zu bytes%s", needed, place);
}

// A lost peer shows when it is needed: what it will never read is dropped.
static bool give(PychoralLink *link, PychoralFrameKind kind, uint32_t site, uint32_t label,
                 const PychoralType *about, const PychoralFrame *frames, size_t count)
{
    PychoralRole *role = link->role;
    if (!check_memory(link, site, frames, count) ||
        !pychoral_durable_before_send(link, kind, site, label, frames, count))
        return false;
    for (;;) {
        if (pychoral_is_observed(role))
            pychoral_observe_before(link);
        uint64_t now = pychoral_now();
        PychoralSent sent = pychoral_machine_send(link->machine, now, kind, site, label, frames,
                                                  count);
        if (sent == PYCHORAL_LARGE)
            return too_large(link, site, frames, count);
        if (sent == PYCHORAL_GONE && pychoral_link_cannot_start(link))
            return never_started(link, site);
        if (sent == PYCHORAL_SENT && pychoral_is_observed(role))
            pychoral_observe_sent(link, kind, site, label, about, frames, count);
        if (sent != PYCHORAL_FULL) {
            if (now >= role->look_due)
                pychoral_role_look_around(role, now);
            break;
        }
        if (pychoral_role_pull(link, now))
            continue;
        if (!role->waiting.link)
            role->waiting = (PychoralWaiting){
                .link = link, .kind = PYCHORAL_WAIT_SEND, .site = site};
        if (!pychoral_role_wait(role))
            return false;
    }
    return true;
}

// Who takes the value that was written would not want it.
static bool check_price(PychoralRole *role)
{
    return pychoral_price_fits(role->writer.frames, role->writer.count, role->max_decoded) ||
           pychoral_fault_set(&role->spare, PYCHORAL_EXIT_OWN_ERROR,
                              "the value cannot be sent: it is too large: more than %llu bytes in "
                              "memory (--max-decoded); send it in parts",
                              (unsigned long long)role->max_decoded);
}

bool pychoral_send(PychoralRole *role, size_t peer, uint32_t site, const PychoralType *type,
                   const void *value)
{
    char place[TEXT_SIZE];
    if (!pychoral_enter(role))
        return false;
    if (role->show)
        pychoral_show_message(role->show, role->links[peer].peer, site, type, value, 0);
    if (pychoral_encode(&role->writer, type, value, &role->spare) && check_price(role))
        return pychoral_leave(role, give(&role->links[peer], PYCHORAL_DATA, site, 0, type,
                                         role->writer.frames, role->writer.count));
    pychoral_role_place(role, site, place, sizeof place);
    snprintf(role->origin_type, sizeof role->origin_type, "NotSendable");
    return pychoral_leave(role, pychoral_role_fail(role, PYCHORAL_EXIT_OWN_ERROR, "%s%s",
                                                   role->spare.text, place));
}

bool pychoral_select(PychoralRole *role, size_t peer, uint32_t site, const PychoralType *type,
                     uint32_t label)
{
    if (!pychoral_enter(role))
        return false;
    if (role->show)
        pychoral_show_message(role->show, role->links[peer].peer, site, type, NULL, label);
    return pychoral_leave(role, give(&role->links[peer], PYCHORAL_SELECT, site, label, type, NULL,
                                     0));
}

// --- receiving ---

static size_t read_string(const uint8_t *body, size_t size, char *text, size_t room)
{
    size_t length = size < 2 ? 0 : (size_t)body[0] << 8 | body[1];
    if (length + 2 > size)
        length = 0;
    snprintf(text, room, "%.*s", (int)length, (const char *)body + 2);
    pychoral_string_clean(text, room);
    return length + 2 > size ? size : length + 2;
}

// How a peer ended, by its ERROR: its own failure, or that of another, which is passed on.
static void read_error(PychoralLink *link, const PychoralMessage *message, char *how, size_t size)
{
    PychoralRole *role = link->role;
    const uint8_t *body = message->count ? message->frames[0].data : NULL;
    size_t left = message->count ? message->frames[0].size : 0;
    size_t used = read_string(body, left, role->origin_role, sizeof role->origin_role);
    used += read_string(body + used, left - used, role->origin_type, sizeof role->origin_type);
    read_string(body + used, left - used, role->origin_text, sizeof role->origin_text);
    const char *colon = role->origin_type[0] ? ": " : "";
    if (strcmp(role->origin_role, link->peer) == 0)
        snprintf(how, size, "%s stopped: %s%s%s", link->peer, role->origin_type, colon,
                 role->origin_text);
    else
        snprintf(how, size, "%s stopped because %s stopped: %s%s%s", link->peer, role->origin_role,
                 role->origin_type, colon, role->origin_text);
}

static void describe(bool selection, const PychoralType *type, char *text, size_t size)
{
    snprintf(text, size, "%s%s", selection ? "a selection of " : "",
             pychoral_shown_type(type));
}

static bool unexpected(PychoralLink *link, const PychoralMessage *message, bool selection,
                       const PychoralType *type, uint32_t site)
{
    PychoralRole *role = link->role;
    char what[TEXT_SIZE], place[TEXT_SIZE], other[TEXT_SIZE] = "", how[1600];
    describe(selection, type, what, sizeof what);
    pychoral_role_place(role, site, place, sizeof place);
    if (message->kind == PYCHORAL_END || message->kind == PYCHORAL_ERROR) {
        snprintf(how, sizeof how, "%s has ended", link->peer);
        if (message->kind == PYCHORAL_ERROR)
            read_error(link, message, how, sizeof how);
        return pychoral_role_fail(role, PYCHORAL_EXIT_PEER_LOST, "waited for %s from %s%s, but %s",
                                  what, link->peer, place, how);
    }
    if (message->site && message->site != site) {
        pychoral_role_place(role, message->site, how, TEXT_SIZE);
        if (!how[0])
            snprintf(how, sizeof how, " site %u", message->site);
        snprintf(other, sizeof other, " for%.*s", TEXT_SIZE - 10, how);
    }
    return pychoral_role_fail(role, PYCHORAL_EXIT_PROTOCOL,
                              "expected %s from %s%s, but received %s%s", what, link->peer, place,
                              message->kind == PYCHORAL_DATA ? "a value" : "a selection", other);
}

// Takes in what comes next on this link, whose messages have all been read: a message is read where
// libzmq has it, unless it goes to a journal or a trace first.
static bool pull(PychoralLink *link, uint64_t now)
{
    bool lends = !link->role->durability && !pychoral_is_observed(link->role);
    pychoral_machine_lend(link->machine, lends);
    bool came = pychoral_role_pull(link, now);
    pychoral_machine_lend(link->machine, false);
    return came;
}

// The next message, whatever it is. False when the role cannot go on.
static bool next_message(PychoralLink *link, bool selection, const PychoralType *type,
                         uint32_t site, PychoralMessage *message)
{
    PychoralRole *role = link->role;
    uint64_t now = pychoral_now();
    while (!pychoral_machine_take(link->machine, now, message)) {
        if (pull(link, now)) {
            if (pychoral_machine_take(link->machine, now, message))
                return true;
        } else {
            if (!role->waiting.link)
                role->waiting = (PychoralWaiting){
                    .link = link,
                    .kind = selection ? PYCHORAL_WAIT_SELECTION : PYCHORAL_WAIT_VALUE,
                    .what = pychoral_shown_type(type),
                    .site = site};
            if (!pychoral_role_wait(role))
                return false;
        }
        now = pychoral_now();
    }
    return true;
}

// The next message, which must be of the kind and from the site.
static bool get(PychoralLink *link, bool selection, const PychoralType *type, uint32_t site,
                PychoralMessage *message)
{
    PychoralFrameKind kind = selection ? PYCHORAL_SELECT : PYCHORAL_DATA;
    if (!next_message(link, selection, type, site, message))
        return false;
    if (pychoral_is_observed(link->role))
        pychoral_observe_taken(link, message, type);
    pychoral_durable_settle(link->role, true);  // a failure shows in the next call
    if (message->kind == kind && (message->site == site || !site || !message->site))
        return true;
    unexpected(link, message, selection, type, site);
    pychoral_message_drop(message);
    return false;
}

static bool begins(PychoralLink *link)
{
    static const PychoralType beginning = {.name = "the start signal"};
    PychoralMessage message;
    if (!next_message(link, false, &beginning, 0, &message))
        return false;
    if (pychoral_is_observed(link->role))
        pychoral_observe_taken(link, &message, NULL);
    pychoral_durable_settle(link->role, true);
    bool good = (message.kind == PYCHORAL_SELECT && message.site == 0) ||
                unexpected(link, &message, false, &beginning, 0);
    pychoral_message_drop(&message);
    return good;
}

bool pychoral_begin_together(PychoralRole *role)
{
    bool good = true;
    for (size_t i = 0; good && i < role->program->peer_count; i++)
        if (role->links[i].config.agreed.count > 0)
            good = give(&role->links[i], PYCHORAL_SELECT, 0, 0, NULL, NULL, 0);
    for (size_t i = 0; good && i < role->program->peer_count; i++)
        if (role->links[i].config.agreed.count > 0) {
            good = begins(&role->links[i]);
            pychoral_role_computes(role);
        }
    return good;
}

static bool too_dear(PychoralRole *role)
{
    return pychoral_fault_set(&role->spare, PYCHORAL_EXIT_PROTOCOL,
                              "expected a value of at most %llu bytes in memory (--max-decoded), "
                              "but received a larger one",
                              (unsigned long long)role->max_decoded);
}

static bool receive(PychoralLink *link, uint32_t site, const PychoralType *type, void *value)
{
    PychoralRole *role = link->role;
    PychoralMessage message;
    char place[TEXT_SIZE];
    if (!get(link, false, type, site, &message))
        return false;
    bool good = pychoral_price_fits(message.frames, message.count, role->max_decoded)
                    ? pychoral_decode(type, message.frames, message.count, value, &role->spare)
                    : too_dear(role);
    pychoral_message_drop(&message);
    if (good)
        return true;
    pychoral_role_place(role, site, place, sizeof place);
    return pychoral_role_fail(role, role->spare.status, "%s from %s%s", role->spare.text,
                              link->peer, place);
}

bool pychoral_receive(PychoralRole *role, size_t peer, uint32_t site, const PychoralType *type,
                      void *value)
{
    if (pychoral_enter(role) &&
        pychoral_leave(role, receive(&role->links[peer], site, type, value)))
        return true;
    memset(value, 0, type->size);
    return false;
}

static bool branch(PychoralLink *link, uint32_t site, const PychoralType *type, uint32_t *label)
{
    PychoralRole *role = link->role;
    PychoralMessage message;
    char place[TEXT_SIZE];
    if (!get(link, true, type, site, &message))
        return false;
    *label = message.label;
    pychoral_message_drop(&message);
    if (*label < type->count)
        return true;
    pychoral_role_place(role, site, place, sizeof place);
    return pychoral_role_fail(role, PYCHORAL_EXIT_PROTOCOL,
                              "expected a selection of %s (labels 0 to %u), but received label %u "
                              "from %s%s", type->name, type->count - 1, *label, link->peer, place);
}

bool pychoral_branch(PychoralRole *role, size_t peer, uint32_t site, const PychoralType *type,
                     uint32_t *label)
{
    return pychoral_enter(role) &&
           pychoral_leave(role, branch(&role->links[peer], site, type, label));
}

// --- the rest ---

bool pychoral_raise(PychoralRole *role, const char *kind, const char *format, ...)
{
    va_list arguments;
    char text[PYCHORAL_TEXT_MAX + 1];
    if (!pychoral_enter(role))
        return false;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pychoral_string_cut(text, sizeof text);
    snprintf(role->origin_role, sizeof role->origin_role, "%s", role->name);
    snprintf(role->origin_type, sizeof role->origin_type, "%s", kind);
    snprintf(role->origin_text, sizeof role->origin_text, "%s", text);
    return pychoral_leave(role, pychoral_role_fail(role, PYCHORAL_EXIT_OWN_ERROR, "%s: %s", kind,
                                                   text));
}

const char *pychoral_argument(const PychoralRole *role, size_t parameter)
{
    return role->settings->arguments[parameter];
}
