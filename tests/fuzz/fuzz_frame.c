// fuzz_frame.c - libFuzzer target: arbitrary bytes for the frame decoder and for a machine.
//
// The input is a list of steps for one machine that has, or has not yet, a connection: frames as
// they are, frames with a right beginning and session so that they get far, and whatever a program
// and a clock may do in between. What the machine sends must be well-formed, whatever it was given,
// and what it keeps and queues must stay within its windows.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

enum { WINDOW = 4, WINDOW_BYTES = 300, MAX_MESSAGE = 9000, FRAMES = 3, FRAME_MAX = 6000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Input { const uint8_t *at; size_t left; } Input;

typedef struct Owner {
    PychoralMachine *machine;
    uint8_t session[8];  // of the last WELCOME or HELLO's answer
    bool dials;
} Owner;

static uint8_t next(Input *input)
{
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->at++;
}

static const uint8_t *next_bytes(Input *input, size_t *size)
{
    const uint8_t *at = input->at;
    if (*size > input->left)
        *size = input->left;
    input->at += *size;
    input->left -= *size;
    return at;
}

// ---- the owner ----

static void on_send(void *context, uint64_t conn, const PychoralFrame *frames, size_t count)
{
    Owner *owner = context;
    PychoralParsed parsed;
    (void)conn;
    if (!pychoral_frame_parse(frames, count, &parsed))
        abort();
    if (parsed.header.kind == PYCHORAL_HELLO)  // the answer's nonce will be 0
        memcpy(owner->session, parsed.body + PYCHORAL_GREETING_SIZE - 8, 8);
    else if (parsed.header.session != 0)
        memcpy(owner->session, (const uint8_t *)frames[0].data + 16, 8);
}

static void on_dial(void *context) { (void)context; }

static void on_drop(void *context, uint64_t conn)
{
    (void)context;
    (void)conn;
}

static void on_event(void *context, const PychoralEvent *event)
{
    (void)context;
    if (event->kind == PYCHORAL_EVENT_FAULT && event->text.size > 6 &&
        memcmp(event->text.data, "broken", 6) == 0)
        abort();
}

static PychoralMachine *machine_new(Owner *owner, uint8_t choice)
{
    PychoralConfig config = pychoral_config_default();
    PychoralOutput output = {owner, on_send, on_dial, on_drop, on_event};
    config.me = "A";
    config.peer = "B";
    config.dials = owner->dials = (choice & 1) != 0;
    config.durable = (choice & 2) != 0;
    config.crc = (choice & 4) != 0;
    config.window_messages = WINDOW;
    config.window_bytes = WINDOW_BYTES;
    config.max_message = MAX_MESSAGE;
    return pychoral_machine_new(&config, &output);
}

// ---- frames ----

// A greeting that is accepted.
static void greet(Owner *owner, uint64_t conn, uint64_t expected)
{
    uint8_t bytes[200];
    PychoralHeader header = {.kind = owner->dials ? PYCHORAL_WELCOME : PYCHORAL_HELLO,
                             .limit = WINDOW};
    PychoralGreeting greeting = {
        .lowest = 2, .highest = 2, .incarnation = 1, .expected = expected,
        .window_bytes = WINDOW_BYTES, .window_messages = WINDOW, .max_message = MAX_MESSAGE,
        .role = pychoral_text("B"), .peer = pychoral_text("A")};
    size_t size = pychoral_frame_write_header(bytes, &header);
    size += pychoral_frame_write_greeting(bytes + size, &greeting);
    if (owner->dials)
        memcpy(bytes + 16, owner->session, 8);
    pychoral_machine_frame(owner->machine, 1, conn, &(PychoralFrame){bytes, size, NULL}, 1);
}

// Copies, so that a read beyond the end is seen. With `right`, magic, length and session are right.
static void give(Owner *owner, Input *input, uint64_t now, bool right)
{
    PychoralFrame frames[FRAMES];
    uint8_t *copies[FRAMES];
    size_t count = 1 + next(input) % FRAMES;
    for (size_t i = 0; i < count; i++) {
        size_t size = (size_t)next(input) << 5 | (next(input) & 31);
        if (size > FRAME_MAX)
            size = FRAME_MAX;
        const uint8_t *from = next_bytes(input, &size);
        copies[i] = malloc(size > 0 ? size : 1);
        memcpy(copies[i], from, size);
        frames[i] = (PychoralFrame){copies[i], size, NULL};
    }
    if (right && frames[0].size >= PYCHORAL_HEADER_SIZE) {
        memcpy(copies[0], "CHZ1", 4);
        memcpy(copies[0] + 6, "\0\x30", 2);
        memcpy(copies[0] + 16, owner->session, 8);
    }
    PychoralParsed parsed;
    pychoral_frame_parse(frames, count, &parsed);
    pychoral_machine_frame(owner->machine, now, 1 + (right ? 0 : next(input) % 2), frames, count);
    for (size_t i = 0; i < count; i++)
        free(copies[i]);
}

// The next message in order, of any kind that has a number.
static void give_next(Owner *owner, Input *input, uint64_t now)
{
    static const uint8_t kinds[] = {PYCHORAL_DATA, PYCHORAL_SELECT, PYCHORAL_END, PYCHORAL_DATA};
    PychoralLinkState state = pychoral_machine_state(owner->machine);
    uint8_t bytes[PYCHORAL_HEADER_SIZE + 256] = {0};
    uint8_t choice = next(input);
    PychoralHeader header = {.kind = kinds[choice & 3], .seq = state.expected + (choice >> 6),
                             .ack = state.acked + (choice >> 5 & 1),
                             .limit = state.peer_limit + (choice >> 4 & 1)};
    size_t body = header.kind == PYCHORAL_DATA ? next(input) : header.kind == PYCHORAL_END ? 2 : 0;
    size_t size = pychoral_frame_write_header(bytes, &header) + body;
    memcpy(bytes + 16, owner->session, 8);
    pychoral_machine_frame(owner->machine, now, 1, &(PychoralFrame){bytes, size, NULL}, 1);
}

// ---- steps ----

static void take(Owner *owner, uint64_t now)
{
    PychoralMessage message;
    if (!pychoral_machine_take(owner->machine, now, &message))
        return;
    volatile uint8_t sum = 0;
    for (size_t i = 0; i < message.count; i++)
        for (size_t at = 0; at < message.frames[i].size; at++)
            sum = (uint8_t)(sum + ((const uint8_t *)message.frames[i].data)[at]);
    pychoral_message_drop(&message);
}

static void send(Owner *owner, Input *input, uint64_t now)
{
    static const uint8_t bytes[FRAME_MAX];
    uint8_t choice = next(input);
    size_t size = (size_t)next(input) << (choice & 7);
    PychoralFrame frames[2] = {{bytes, size, NULL}, {bytes, 70, NULL}};
    if (frames[0].size > FRAME_MAX)
        frames[0].size = FRAME_MAX;
    pychoral_machine_send(owner->machine, now, choice & 8 ? PYCHORAL_SELECT : PYCHORAL_DATA, 1,
                          choice & 8 ? 2 : 0, frames, 1 + (choice >> 4 & 1));
}

static void step(Owner *owner, Input *input, uint64_t *now)
{
    PychoralMachine *m = owner->machine;
    switch (next(input) % 12) {
    case 0:
    case 1: give(owner, input, *now, true); break;
    case 2: give(owner, input, *now, false); break;
    case 3:
    case 4: give_next(owner, input, *now); break;
    case 5: take(owner, *now); break;
    case 6: send(owner, input, *now); break;
    case 7:
        *now += (uint64_t)next(input) * 50;
        pychoral_machine_tick(m, *now);
        break;
    case 8: pychoral_machine_lost(m, *now, 1 + next(input) % 2); break;
    case 9: greet(owner, 1 + next(input) % 2, 1 + next(input) % 8); break;
    case 10: pychoral_machine_stored(m, *now, next(input)); break;
    default:
        if (next(input) & 1)
            pychoral_machine_end(m, *now, 0);
        else
            pychoral_machine_connected(m, *now, 1 + next(input) % 2);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input = {data, size};
    Owner owner = {.machine = NULL};
    uint64_t now = 1;
    owner.machine = machine_new(&owner, next(&input));
    pychoral_machine_start(owner.machine, now);
    if (owner.dials)
        pychoral_machine_connected(owner.machine, now, 1);
    greet(&owner, 1, 1);
    while (input.left > 0) {
        step(&owner, &input, &now);
        PychoralLinkState state = pychoral_machine_state(owner.machine);
        if (state.unread > WINDOW + 1 || state.kept > WINDOW + 1)
            abort();
    }
    pychoral_machine_free(owner.machine);
    return 0;
}
