// durable.c - PROTOCOL.md section 9: a role whose messages and local effects are in a journal
// before anybody relies on them.

#include "durable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "journal.h"
#include "sent.h"

enum { MOST_WAITING = 256 };            // messages; more are forced, so as to hold up no sender

// What an earlier incarnation has taken, or a record of effects it has had; in order.
typedef struct Remembered {
    struct Remembered *next;
    char *peer;                         // NULL: effects
    bool is_repeats;                    // several, of repeats.h
    size_t count;
    PychoralFrame frames[];             // effects have one
} Remembered;

typedef struct {
    Remembered *first, **end;
} Memory;

struct PychoralDurability {
    const PychoralProgram *program;
    PychoralJournal *journal;
    Memory messages, effects;
    PychoralRepeatsReader repeats;      // of the first of `effects`, if it is one of those
    PychoralSentTo *sent;               // one for each of the program's peers
    int waiting;                        // messages that are not on disk
    bool has_new_effects;               // that are not on disk
    bool has_lost_disk;
    PychoralWriter writer;              // of results
};

// --- the history ---

static void forget(Memory *memory)
{
    while (memory->first) {
        Remembered *each = memory->first;
        memory->first = each->next;
        for (size_t i = 0; i < each->count; i++)
            pychoral_buffer_release(each->frames[i].owner);
        free(each->peer);
        free(each);
    }
    memory->end = &memory->first;
}

static bool remember(Memory *memory, const char *peer, const PychoralFrame *frames, size_t count)
{
    Remembered *each = calloc(1, sizeof *each + count * sizeof *frames);
    if (!each)
        return false;
    *memory->end = each;
    memory->end = &each->next;
    if (peer && !(each->peer = strdup(peer)))
        return false;
    for (; each->count < count; each->count++) {
        PychoralBuffer *copy = pychoral_buffer_new(frames[each->count].size);
        if (!copy)
            return false;
        if (copy->size)
            memcpy(copy->data, frames[each->count].data, copy->size);
        each->frames[each->count] = (PychoralFrame){copy->data, copy->size, copy};
    }
    return true;
}

static bool remember_message(void *context, const char *peer, const PychoralFrame *frames,
                             size_t count)
{
    PychoralDurability *durability = context;
    return remember(&durability->messages, peer, frames, count);
}

static bool remember_effect(void *context, bool is_repeats, const uint8_t *body, size_t size)
{
    PychoralDurability *durability = context;
    PychoralFrame frame = {body, size, NULL};
    Remembered **at = durability->effects.end;
    if (!remember(&durability->effects, NULL, &frame, 1))
        return false;
    (*at)->is_repeats = is_repeats;
    return true;
}

static bool remember_sent(void *context, const char *peer, const uint8_t *record, size_t size)
{
    PychoralDurability *durability = context;
    const PychoralProgram *program = durability->program;
    for (size_t i = 0; i < program->peer_count; i++)
        if (strcmp(program->peers[i].name, peer) == 0)
            return pychoral_sent_restore(&durability->sent[i], record, size);
    return true;
}

// --- opening and closing ---

// A crash explains it; but whoever lost more than that should know.
static void say_cut(const PychoralRole *role, size_t cut)
{
    char text[512];
    snprintf(text, sizeof text, "removed an incomplete record (%zu byte%s) from the end of the "
             "journal %.300s", cut, cut == 1 ? "" : "s", role->settings->journal);
    if (cut > 0)
        pychoral_report_say(role, text);
}

static bool open_journal(PychoralRole *role, const PychoralIdentity *identity,
                         PychoralFault *fault)
{
    PychoralDurability *durability = role->durability;
    PychoralHistory history = {durability, remember_message, remember_effect, remember_sent};
    durability->journal = pychoral_journal_open(role->settings->journal, identity, &history, fault);
    if (durability->journal)
        say_cut(role, pychoral_journal_cut(durability->journal));
    return durability->journal != NULL;
}

// The program's own options, as they were given. The caller frees them.
static PychoralGiven *given_options(const PychoralRole *role)
{
    const PychoralProgram *program = role->program;
    PychoralGiven *given = calloc(program->parameter_count + 1, sizeof *given);
    for (size_t i = 0; given && i < program->parameter_count; i++) {
        const PychoralParameter *each = &program->parameters[i];
        const char *text = role->settings->arguments[i];
        given[i] = (PychoralGiven){each->name, text == each->standard ? NULL : text};
    }
    return given;
}

bool pychoral_durable_open(PychoralRole *role, const uint8_t protocol[32], PychoralFault *fault)
{
    PychoralIdentity identity = {.role = role->name, .run = role->run};
    PychoralDurability *durability = role->durability = calloc(1, sizeof *durability);
    PychoralGiven *given = given_options(role);
    if (durability)
        durability->sent = calloc(role->program->peer_count + 1, sizeof *durability->sent);
    if (!given || !durability || !durability->sent) {
        free(given);
        return pychoral_fault_set(fault, PYCHORAL_EXIT_OWN_ERROR, "memory is exhausted");
    }
    memcpy(identity.protocol, protocol, sizeof identity.protocol);
    identity.options = given;
    identity.option_count = role->program->parameter_count;
    durability->program = role->program;
    durability->messages.end = &durability->messages.first;
    durability->effects.end = &durability->effects.first;
    bool good = open_journal(role, &identity, fault);
    free(given);
    return good;
}

void pychoral_durable_close(PychoralRole *role)
{
    PychoralDurability *durability = role->durability;
    if (!durability)
        return;
    pychoral_journal_close(durability->journal);
    forget(&durability->messages);
    forget(&durability->effects);
    pychoral_repeats_read(&durability->repeats, NULL, 0);
    for (size_t i = 0; durability->sent && i < durability->program->peer_count; i++)
        pychoral_sent_clear(&durability->sent[i]);
    free(durability->sent);
    pychoral_writer_clear(&durability->writer);
    free(durability);
    role->durability = NULL;
}

uint64_t pychoral_durable_incarnation(const PychoralRole *role)
{
    return pychoral_journal_incarnation(role->durability->journal);
}

bool pychoral_durable_has_ended(const PychoralRole *role)
{
    return role->durability && pychoral_journal_has_ended(role->durability->journal);
}

static PychoralLink *link_of(PychoralRole *role, const char *peer)
{
    for (size_t i = 0; i < role->program->peer_count; i++)
        if (strcmp(role->links[i].peer, peer) == 0)
            return &role->links[i];
    return NULL;
}

void pychoral_durable_restore(PychoralRole *role)
{
    PychoralDurability *durability = role->durability;
    if (!durability)
        return;
    for (Remembered *each = durability->messages.first; each; each = each->next) {
        PychoralLink *link = link_of(role, each->peer);
        if (link)
            pychoral_machine_restore(link->machine, each->frames, each->count);
    }
    for (size_t i = 0; i < role->program->peer_count; i++)      // who has ended is not waited for
        role->links[i].peer_ended = pychoral_machine_state(role->links[i].machine).peer_ended;
    forget(&durability->messages);
}

// --- messages ---

// The disk is lost once: what comes after that does not fail again. The role says nothing more to
// its peers, as if it had been killed: they keep what it would receive, and it goes on when it is
// started again, with room.
static bool lost_disk(PychoralRole *role, const PychoralFault *fault)
{
    role->durability->has_lost_disk = true;
    role->is_superseded = true;
    return pychoral_role_fail(role, fault->status, "%s", fault->text);
}

void pychoral_durable_taken(PychoralLink *link, const PychoralFrame *frames, size_t count)
{
    PychoralDurability *durability = link->role->durability;
    PychoralFault fault = {0};
    durability->waiting++;
    if (!durability->has_lost_disk &&
        !pychoral_journal_add_message(durability->journal, link->peer, frames, count, &fault))
        lost_disk(link->role, &fault);
}

bool pychoral_durable_is_settled(const PychoralRole *role)
{
    const PychoralDurability *durability = role->durability;
    return !durability || durability->has_lost_disk ||
           pychoral_journal_is_forced(durability->journal);
}

static bool force(PychoralRole *role)
{
    PychoralFault fault = {0};
    return pychoral_journal_force(role->durability->journal, &fault) || lost_disk(role, &fault);
}

bool pychoral_durable_settle(PychoralRole *role, bool pressing)
{
    PychoralDurability *durability = role->durability;
    if (pychoral_durable_is_settled(role) || (pressing && durability->waiting < MOST_WAITING))
        return true;
    if (!force(role))
        return false;
    durability->waiting = 0;
    durability->has_new_effects = false;
    for (size_t i = 0; i < role->program->peer_count; i++) {
        PychoralMachine *machine = role->links[i].machine;
        uint64_t taken = pychoral_machine_state(machine).expected - 1;
        pychoral_machine_stored(machine, pychoral_now(), taken);
        pychoral_link_settle(&role->links[i]);
    }
    return true;
}

// The site in what is kept of a message, if it is another.
static void say_site(const PychoralRole *role, const uint8_t *entry, uint32_t site, char *text,
                     size_t size)
{
    uint32_t before = (uint32_t)entry[0] << 24 | (uint32_t)entry[1] << 16 |
                      (uint32_t)entry[2] << 8 | entry[3];
    text[0] = '\0';
    if (before != site)
        pychoral_role_place(role, before, text, size);
}

// A message that was sent before the restart is to be sent again: it must be the same.
static bool check_same(PychoralLink *link, uint64_t seq, uint32_t site, const uint8_t *entry)
{
    enum { PLACE_SIZE = 400 };
    char place[PLACE_SIZE], other[PLACE_SIZE];
    PychoralRole *role = link->role;
    const uint8_t *before = pychoral_sent_known(&role->durability->sent[link->index], seq);
    if (memcmp(entry, before, PYCHORAL_SENT_ENTRY) == 0)
        return true;
    pychoral_role_place(role, site, place, sizeof place);
    say_site(role, before, site, other, sizeof other);
    return pychoral_role_fail(role, PYCHORAL_EXIT_PROTOCOL,
                              "message %llu to %s%s differs from the message sent before the "
                              "restart%s: the program depends on data that its journal does not "
                              "contain, so it cannot continue",
                              (unsigned long long)seq, link->peer, place, other);
}

static bool note(PychoralLink *link, const uint8_t *entry)
{
    PychoralRole *role = link->role;
    PychoralFault fault = {0};
    uint8_t record[PYCHORAL_SENT_RECORD];
    pychoral_sent_note(&role->durability->sent[link->index], entry, record);
    return role->durability->has_lost_disk ||
           pychoral_journal_add_sent(role->durability->journal, link->peer, record, sizeof record,
                                     &fault) ||
           lost_disk(role, &fault);
}

// What is larger will not be sent.
static bool is_sendable(const PychoralLink *link, const PychoralFrame *frames, size_t count)
{
    uint64_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += frames[i].size;
    return size <= link->config.max_message && count <= PYCHORAL_FRAMES_MAX;
}

bool pychoral_durable_before_send(PychoralLink *link, PychoralFrameKind kind, uint32_t site,
                                  uint32_t label, const PychoralFrame *frames, size_t count)
{
    uint8_t entry[PYCHORAL_SENT_ENTRY];
    PychoralRole *role = link->role;
    if (!role->durability || pychoral_machine_state(link->machine).failed)
        return true;                    // it gets no number
    if (role->durability->has_new_effects && !pychoral_durable_settle(role, false))
        return false;
    const PychoralSentTo *sent = &role->durability->sent[link->index];
    uint64_t seq = pychoral_machine_state(link->machine).next_seq;
    pychoral_sent_entry(entry, kind, site, label, frames, count);
    if (seq <= sent->before)
        return check_same(link, seq, site, entry);
    return seq <= sent->noted || !is_sendable(link, frames, count) || note(link, entry);
}

void pychoral_durable_skip(PychoralLink *link)
{
    if (!link->role->durability)
        return;
    uint64_t noted = link->role->durability->sent[link->index].noted;
    for (;;) {
        PychoralLinkState state = pychoral_machine_state(link->machine);
        uint64_t fresh = state.peer_next > state.acked ? state.peer_next : state.acked + 1;
        // If it has one more than was noted, that was the ERROR or END of an earlier process.
        if (state.next_seq >= (fresh == noted + 2 ? noted + 1 : fresh))
            return;
        if (pychoral_machine_send(link->machine, pychoral_now(), PYCHORAL_SELECT, 0, 0, NULL, 0) !=
            PYCHORAL_SENT)
            return;
    }
}

bool pychoral_durable_end(PychoralRole *role)
{
    PychoralFault fault = {0};
    if (!role->durability)
        return true;
    if (pychoral_journal_add_end(role->durability->journal, &fault) &&
        pychoral_journal_force(role->durability->journal, &fault))
        return true;
    return lost_disk(role, &fault);
}

// --- effects ---

// Drops the first record of effects.
static void forget_effects(PychoralDurability *durability)
{
    Memory played = {durability->effects.first, &durability->effects.first->next};
    durability->effects.first = played.first->next;
    if (!played.first->next)
        durability->effects.end = &durability->effects.first;
    played.first->next = NULL;
    forget(&played);
}

// The value that a number stands for, of a type that `record` has put in as one.
static bool give_number(const PychoralType *type, PychoralNumber number, void *value)
{
    if (type->kind == PYCHORAL_FLOAT && number.is_float)
        memcpy(value, &number.bits, sizeof number.bits);
    else if (type->kind == PYCHORAL_INT && !number.is_float)
        *(PychoralInt *)value = pychoral_int((int64_t)number.bits);
    else
        return false;
    return true;
}

// The next result of a record of several; `*is_there` stays false behind the last.
static bool play_number(PychoralDurability *durability, const char *name, const PychoralType *type,
                        void *value, bool *is_there)
{
    PychoralRepeatsReader *reader = &durability->repeats;
    const char *found;
    size_t length;
    PychoralNumber number;
    if (!reader->body) {
        const PychoralFrame *frame = &durability->effects.first->frames[0];
        pychoral_repeats_read(reader, frame->data, frame->size);
    }
    *is_there = pychoral_repeats_next(reader, &found, &length, &number);
    return *is_there ? length == strlen(name) && memcmp(found, name, length) == 0 &&
                           give_number(type, number, value)
                     : !reader->is_bad;
}

// The result of a record of one effect: its name, and the result as it would travel.
static bool play_one(PychoralRole *role, const char *name, const PychoralType *type, void *value)
{
    const PychoralFrame *frame = &role->durability->effects.first->frames[0];
    const uint8_t *body = frame->data;
    size_t length = (size_t)body[0] << 8 | body[1];     // it was looked at when it was read
    PychoralFrame result = {body + 2 + length, frame->size - 2 - length, NULL};
    return length == strlen(name) && memcmp(body + 2, name, length) == 0 &&
           pychoral_decode(type, &result, 1, value, &role->spare);
}

static bool play(PychoralRole *role, const char *name, const PychoralType *type, void *value,
                 bool *is_there)
{
    PychoralDurability *durability = role->durability;
    bool good = true;
    *is_there = false;
    while (good && !*is_there && durability && durability->effects.first) {
        if (!durability->effects.first->is_repeats) {
            good = *is_there = play_one(role, name, type, value);
            forget_effects(durability);
            break;
        }
        good = play_number(durability, name, type, value, is_there);
        if (good && !*is_there) {
            pychoral_repeats_read(&durability->repeats, NULL, 0);
            forget_effects(durability);
        }
    }
    return good || pychoral_role_fail(role, PYCHORAL_EXIT_PROTOCOL,
                                      "the program calls %s, but its journal has something "
                                      "else: it does not repeat its earlier run, so it cannot "
                                      "continue",
                                      name);
}

bool pychoral_replayed(PychoralRole *role, const char *name, const PychoralType *type, void *value,
                       bool *is_there)
{
    return pychoral_enter(role) &&
           pychoral_leave(role, play(role, name, type, value, is_there));
}

// Whether this is a number that takes few bytes, and which.
static bool is_number(const char *name, const PychoralType *type, const void *value,
                      PychoralNumber *number)
{
    const PychoralInt *whole = value;
    if (strlen(name) >= PYCHORAL_REPEATS_NAME_SIZE)
        return false;
    number->is_float = type->kind == PYCHORAL_FLOAT;
    if (number->is_float)
        memcpy(&number->bits, value, sizeof number->bits);
    else if (type->kind == PYCHORAL_INT && whole->big == NULL)
        number->bits = (uint64_t)whole->small;
    else
        return false;
    return true;
}

static bool record_value(PychoralRole *role, const char *name, const PychoralType *type,
                         const void *value)
{
    PychoralDurability *durability = role->durability;
    PychoralFault fault = {0};
    if (!pychoral_encode(&durability->writer, type, value, &role->spare) ||
        durability->writer.count != 1)
        return pychoral_role_fail(role, PYCHORAL_EXIT_OWN_ERROR,
                                  "the result of %s cannot be recorded", name);
    const PychoralFrame *result = &durability->writer.frames[0];
    return pychoral_journal_add_effect(durability->journal, name, result->data, result->size,
                                       &fault) ||
           lost_disk(role, &fault);
}

static bool record(PychoralRole *role, const char *name, const PychoralType *type,
                   const void *value)
{
    PychoralDurability *durability = role->durability;
    PychoralFault fault = {0};
    PychoralNumber number;
    if (!durability || durability->has_lost_disk)
        return true;
    durability->has_new_effects = true;
    if (!is_number(name, type, value, &number))
        return record_value(role, name, type, value);
    return pychoral_journal_add_number(durability->journal, name, number, &fault) ||
           lost_disk(role, &fault);
}

bool pychoral_record(PychoralRole *role, const char *name, const PychoralType *type,
                     const void *value)
{
    return pychoral_enter(role) && pychoral_leave(role, record(role, name, type, value));
}
