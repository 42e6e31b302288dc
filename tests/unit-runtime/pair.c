// pair.c - see pair.h.

#include "pair.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

// The machine calls these, perhaps while memory has run out: the test library needs some itself.
static void on_send(void *context, uint64_t conn, const PychoralFrame *frames, size_t count)
{
    End *end = context;
    if (end->sent_count == QUEUE_MAX || count > 4)
        abort();
    Sent *sent = &end->sent[end->sent_count++];
    *sent = (Sent){.conn = conn, .count = count};
    for (size_t i = 0; i < count; i++) {
        PychoralBuffer *copy = pychoral_buffer_new(frames[i].size);
        if (copy == NULL) {  // a test in which memory runs out
            sent->count = i;
            return;
        }
        memcpy(copy->data, frames[i].data, frames[i].size);
        sent->frames[i] = (PychoralFrame){copy->data, frames[i].size, copy};
    }
}

static void on_dial(void *context) { ((End *)context)->dials++; }

static void on_drop(void *context, uint64_t conn) { ((End *)context)->dropped = conn; }

static void on_event(void *context, const PychoralEvent *event)
{
    End *end = context;
    if (end->event_count == EVENTS_MAX)
        abort();
    end->events[end->event_count] = event->kind;
    end->numbers[end->event_count++] = event->number;
    if (event->text.size > 0) {
        memcpy(end->text, event->text.data, event->text.size);
        end->text[event->text.size] = '\0';
    }
}

void pair_configure(Pair *pair)
{
    memset(pair, 0, sizeof *pair);
    pair->now = 1000;
    for (int i = 0; i < 2; i++) {
        PychoralConfig *config = &pair->ends[i].config;
        *config = pychoral_config_default();
        config->me = i == 0 ? "Alice" : "Bob";
        config->peer = i == 0 ? "Bob" : "Alice";
        config->run_name = "test";
        config->dials = i == 1;
        config->seed = (uint64_t)i + 1;
    }
}

void pair_make(Pair *pair, int which)
{
    End *end = &pair->ends[which];
    PychoralOutput output = {end, on_send, on_dial, on_drop, on_event};
    pychoral_machine_free(end->machine);
    end->machine = pychoral_machine_new(&end->config, &output);
    ck_assert_ptr_nonnull(end->machine);
}

void pair_start(Pair *pair)
{
    for (int i = 0; i < 2; i++) {
        pair_make(pair, i);
        pychoral_machine_start(pair->ends[i].machine, pair->now);
    }
}

void pair_connect(Pair *pair)
{
    pychoral_machine_connected(pair->ends[1].machine, pair->now, ++pair->conn);
}

static void forget(Sent *sent)
{
    for (size_t i = 0; i < sent->count; i++)
        pychoral_buffer_release(sent->frames[i].owner);
}

void pair_deliver(Pair *pair, int to)
{
    End *from = &pair->ends[1 - to];
    Sent waiting[QUEUE_MAX];
    size_t count = from->sent_count;
    memcpy(waiting, from->sent, sizeof waiting);
    from->sent_count = 0;
    for (size_t i = 0; i < count; i++) {
        pychoral_machine_frame(pair->ends[to].machine, pair->now, waiting[i].conn,
                               waiting[i].frames, waiting[i].count);
        forget(&waiting[i]);
    }
}

void pair_settle(Pair *pair)
{
    while (pair->ends[0].sent_count + pair->ends[1].sent_count > 0) {
        pair_deliver(pair, 0);
        pair_deliver(pair, 1);
    }
}

void pair_up(Pair *pair)
{
    pair_start(pair);
    pair_connect(pair);
    pair_settle(pair);
    ck_assert_int_eq(pair_state(pair, 0).phase, PYCHORAL_UP);
    ck_assert_int_eq(pair_state(pair, 1).phase, PYCHORAL_UP);
}

void pair_lose(Pair *pair)
{
    for (int i = 0; i < 2; i++) {
        for (size_t at = 0; at < pair->ends[i].sent_count; at++)
            forget(&pair->ends[i].sent[at]);
        pair->ends[i].sent_count = 0;
    }
}

void pair_free(Pair *pair)
{
    pair_lose(pair);
    for (int i = 0; i < 2; i++)
        pychoral_machine_free(pair->ends[i].machine);
}

PychoralSent pair_send(Pair *pair, int from, const char *text)
{
    PychoralFrame frame = {text, strlen(text), NULL};
    return pychoral_machine_send(pair->ends[from].machine, pair->now, PYCHORAL_DATA, 7, 0, &frame,
                                 1);
}

bool pair_take(Pair *pair, int end, PychoralMessage *message)
{
    return pychoral_machine_take(pair->ends[end].machine, pair->now, message);
}

void pair_tick(Pair *pair, uint64_t ms)
{
    pair->now += ms;
    pychoral_machine_tick(pair->ends[0].machine, pair->now);
    pychoral_machine_tick(pair->ends[1].machine, pair->now);
}

PychoralLinkState pair_state(const Pair *pair, int end)
{
    return pychoral_machine_state(pair->ends[end].machine);
}

bool pair_told(const Pair *pair, int which, PychoralEventKind kind, uint64_t *number)
{
    const End *end = &pair->ends[which];
    for (size_t i = end->event_count; i-- > 0;)
        if (end->events[i] == kind) {
            if (number != NULL)
                *number = end->numbers[i];
            return true;
        }
    return false;
}

size_t pair_count(const Pair *pair, int from, PychoralFrameKind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < pair->ends[from].sent_count; i++)
        count += ((const uint8_t *)pair->ends[from].sent[i].frames[0].data)[4] == kind;
    return count;
}

void pair_give(Pair *pair, int to, uint64_t conn, const uint8_t *bytes, size_t size)
{
    PychoralFrame frame = {bytes, size, NULL};
    pychoral_machine_frame(pair->ends[to].machine, pair->now, conn, &frame, 1);
}
