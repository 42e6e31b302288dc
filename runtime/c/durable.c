// durable.c - PROTOCOL.md section 9: a role whose messages and local effects are in a journal
// before anybody relies on them.

#include "durable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "journal.h"

enum { MOST_WAITING = 256 };            // messages; more are forced, so as to hold up no sender

// What an earlier incarnation has taken, or an effect it has had; in order.
typedef struct Remembered {
    struct Remembered *next;
    char *peer;                         // NULL: an effect
    size_t count;
    PychoralFrame frames[];             // an effect has one
} Remembered;

typedef struct {
    Remembered *first, **end;
} Memory;

struct PychoralDurability {
    PychoralJournal *journal;
    Memory messages, effects;
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

static bool remember_effect(void *context, uint32_t site, const void *result, size_t size)
{
    PychoralDurability *durability = context;
    PychoralFrame frame = {result, size, NULL};
    (void)site;
    return remember(&durability->effects, NULL, &frame, 1);
}

// --- opening and closing ---

// A crash explains it; but whoever lost more than that should know.
static void say_cut(const PychoralRole *role, size_t cut)
{
    char text[512];
    snprintf(text, sizeof text, "cut a torn record off the journal %.300s: %zu bytes",
             role->settings->journal, cut);
    if (cut > 0)
        pychoral_report_say(role, text);
}

bool pychoral_durable_open(PychoralRole *role, const uint8_t protocol[32], const uint8_t run_id[16],
                           PychoralFault *fault)
{
    PychoralIdentity identity = {.role = role->name};
    PychoralDurability *durability = calloc(1, sizeof *durability);
    if (!durability)
        return pychoral_fault_set(fault, PYCHORAL_EXIT_OWN_ERROR, "memory is exhausted");
    PychoralHistory history = {durability, remember_message, remember_effect};
    memcpy(identity.protocol, protocol, sizeof identity.protocol);
    memcpy(identity.run_id, run_id, sizeof identity.run_id);
    durability->messages.end = &durability->messages.first;
    durability->effects.end = &durability->effects.first;
    role->durability = durability;
    durability->journal = pychoral_journal_open(role->settings->journal, &identity, &history,
                                                fault);
    if (durability->journal)
        say_cut(role, pychoral_journal_cut(durability->journal));
    return durability->journal != NULL;
}

void pychoral_durable_close(PychoralRole *role)
{
    PychoralDurability *durability = role->durability;
    if (!durability)
        return;
    pychoral_journal_close(durability->journal);
    forget(&durability->messages);
    forget(&durability->effects);
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
    forget(&durability->messages);
}

// --- messages ---

// The disk is lost once: what comes after that does not fail again.
static bool lost_disk(PychoralRole *role, const PychoralFault *fault)
{
    role->durability->has_lost_disk = true;
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

bool pychoral_durable_settle(PychoralRole *role, bool pressing)
{
    PychoralDurability *durability = role->durability;
    PychoralFault fault = {0};
    if (pychoral_durable_is_settled(role) || (pressing && durability->waiting < MOST_WAITING))
        return true;
    if (!pychoral_journal_force(durability->journal, &fault))
        return lost_disk(role, &fault);
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

bool pychoral_durable_before_send(PychoralRole *role)
{
    const PychoralDurability *durability = role->durability;
    return !durability || !durability->has_new_effects || pychoral_durable_settle(role, false);
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

// A record is the effect's name, NUL, and the result as it would travel.
static bool is_of(const Remembered *record, const char *name)
{
    size_t length = strlen(name) + 1;
    return record->frames[0].size >= length &&
           memcmp(record->frames[0].data, name, length) == 0;
}

static bool play(PychoralRole *role, const char *name, const PychoralType *type, void *value,
                 bool *is_there)
{
    Remembered *record = role->durability ? role->durability->effects.first : NULL;
    *is_there = record != NULL;
    if (!record)
        return true;
    size_t skip = strlen(name) + 1;
    bool good = is_of(record, name);
    if (good) {
        PychoralFrame result = record->frames[0];
        result.data = (const char *)result.data + skip;
        result.size -= skip;
        result.owner = NULL;
        good = pychoral_decode(type, &result, 1, value, &role->spare);
    }
    Memory played = {record, &record->next};
    role->durability->effects.first = record->next;
    if (!record->next)
        role->durability->effects.end = &role->durability->effects.first;
    record->next = NULL;
    forget(&played);
    return good || pychoral_role_fail(role, PYCHORAL_EXIT_PROTOCOL,
                                      "the program asks for %s where its journal has something "
                                      "else: it does not do again what it did, so it cannot go on",
                                      name);
}

bool pychoral_replayed(PychoralRole *role, const char *name, const PychoralType *type, void *value,
                       bool *is_there)
{
    return pychoral_enter(role) &&
           pychoral_leave(role, play(role, name, type, value, is_there));
}

static bool record(PychoralRole *role, const char *name, const PychoralType *type,
                   const void *value)
{
    PychoralDurability *durability = role->durability;
    PychoralFault fault = {0};
    if (!durability || durability->has_lost_disk)
        return true;
    if (!pychoral_encode(&durability->writer, type, value, &role->spare) ||
        durability->writer.count != 1)
        return pychoral_role_fail(role, PYCHORAL_EXIT_OWN_ERROR,
                                  "the result of %s cannot be recorded", name);
    size_t length = strlen(name) + 1, size = durability->writer.frames[0].size;
    char *bytes = malloc(length + size);
    if (!bytes)
        return pychoral_role_fail(role, PYCHORAL_EXIT_OWN_ERROR, "memory is exhausted");
    memcpy(bytes, name, length);
    memcpy(bytes + length, durability->writer.frames[0].data, size);
    bool good = pychoral_journal_add_effect(durability->journal, 0, bytes, length + size, &fault);
    free(bytes);
    durability->has_new_effects = true;
    return good || lost_disk(role, &fault);
}

bool pychoral_record(PychoralRole *role, const char *name, const PychoralType *type,
                     const void *value)
{
    return pychoral_enter(role) && pychoral_leave(role, record(role, name, type, value));
}
