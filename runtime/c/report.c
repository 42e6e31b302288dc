// report.c - what a role says of its links, for people (a line) and for programs (a line of JSON).
//
// PROTOCOL.md section 8; report.py says the same with the same keys. Lines for people go to
// standard error and start with the role's name. With `--log-json FILE` each of them is also an
// object on a line of that file: time (ISO 8601, UTC), run, role, event, text, and as far as they
// are known links (seqs each way, incarnation, trouble, what the peer last said of itself and how
// many seconds ago), peer, awaited, site, source, since, status.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "lines.h"
#include "role.h"
#include "sha256.h"

enum { ANSWERS_MS = 5000, TEXT_SIZE = 2000 };

// What a peer says of itself.
static const char *const states[] = {"computes", "waits for", "waits to send to", "has ended"};

// --- JSON ---

static void put_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, ", \"%s\": ", key);
    pychoral_json_put(out, text);
}

static void put_number(FILE *out, const char *key, uint64_t number)
{
    fprintf(out, ", \"%s\": %" PRIu64, key, number);
}

static void put_pong(FILE *out, const PychoralPong *pong, uint64_t now)
{
    if (!pong->when) {
        fputs(", \"pong\": null", out);
        return;
    }
    fprintf(out, ", \"pong\": {\"age\": %.3f",
            (double)pychoral_elapsed(now, pong->when) / 1000);
    put_text(out, "state", states[pong->state & 3]);
    put_text(out, "role", pong->role);
    put_number(out, "site", pong->site);
    put_number(out, "steps", pong->steps);
    fputc('}', out);
}

static void put_link(FILE *out, const PychoralLink *link, uint64_t now)
{
    PychoralLinkState seqs = pychoral_machine_state(link->machine);
    fputs("{\"peer\": ", out);
    pychoral_json_put(out, link->peer);
    put_text(out, "address", link->address);
    fprintf(out, ", \"connected\": %s", link->is_up ? "true" : "false");
    put_number(out, "sent", seqs.next_seq - 1);
    put_number(out, "acknowledged", seqs.acked);
    put_number(out, "taken", seqs.expected - 1);
    put_number(out, "read", seqs.read);
    put_number(out, "incarnation", seqs.peer_incarnation);
    put_text(out, "failure", link->failure.text);
    fputs(", \"trouble\": [", out);
    for (int i = 0; i < link->troubles; i++) {
        fputs(i ? ", " : "", out);
        pychoral_json_put(out, link->trouble[i]);
    }
    fputc(']', out);
    put_pong(out, &link->pong, now);
    fputc('}', out);
}

// The time of day in UTC, with milliseconds, as the first key.
static void put_time(FILE *out)
{
    char text[40];
    struct timespec now;
    struct tm day;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &day);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &day);
    fprintf(out, "{\"time\": \"%s.%03ldZ\"", text, now.tv_nsec / 1000000);
}

static void start_note(FILE *out, const PychoralRole *role, const char *event, const char *text)
{
    put_time(out);
    put_text(out, "run", role->run);
    put_text(out, "role", role->name);
    put_text(out, "event", event);
    put_text(out, "text", text);
}

static void put_facts(FILE *out, const PychoralRole *role, uint64_t now)
{
    const PychoralWaiting *waiting = &role->waiting;
    char text[TEXT_SIZE];
    fputs(", \"links\": [", out);
    for (size_t i = 0; i < role->program->peer_count; i++) {
        fputs(i ? ", " : "", out);
        put_link(out, &role->links[i], now);
    }
    fputc(']', out);
    if (!waiting->link)
        return;
    put_text(out, "peer", waiting->link->peer);
    pychoral_report_phrase(role, text, sizeof text);
    put_text(out, "awaited", text);
    put_number(out, "site", waiting->site);
    pychoral_role_place(role, waiting->site, text, sizeof text);
    size_t length = strlen(text);
    if (length > 3)
        text[length - 1] = 0;           // without its space and parentheses
    put_text(out, "source", length > 3 ? text + 2 : "");
    fprintf(out, ", \"since\": %.3f", (double)pychoral_elapsed(now, waiting->since) / 1000);
}

static void end_note(PychoralLines *lines)
{
    fputs("}\n", pychoral_lines_out(lines));
    pychoral_lines_flush(lines);
}

static void note(PychoralRole *role, const char *event, const char *text, uint64_t now)
{
    if (!role->log_json)
        return;
    FILE *out = pychoral_lines_out(role->log_json);
    start_note(out, role, event, text);
    put_facts(out, role, now);
    end_note(role->log_json);
}

// --- how they read ---

void pychoral_report_phrase(const PychoralRole *role, char *text, size_t size)
{
    const PychoralWaiting *waiting = &role->waiting;
    const char *peer = waiting->link->peer;
    switch (waiting->kind) {
    case PYCHORAL_WAIT_START:
        snprintf(text, size, "for %s to start", peer);
        break;
    case PYCHORAL_WAIT_VALUE:
        snprintf(text, size, "for %s from %s", waiting->what, peer);
        break;
    case PYCHORAL_WAIT_SELECTION:
        snprintf(text, size, "for a selection of %s from %s", waiting->what, peer);
        break;
    case PYCHORAL_WAIT_SEND:
        snprintf(text, size, "for %s to take a message", peer);
        break;
    case PYCHORAL_WAIT_END:
        snprintf(text, size, "for %s to confirm the last message", peer);
        break;
    }
}

// "has been waiting 10 s for int from Bob (auth.pyc:12)", or "computes".
static void describe_wait(const PychoralRole *role, uint64_t now, char *text, size_t size)
{
    char phrase[TEXT_SIZE / 2], place[TEXT_SIZE / 4];
    if (!role->waiting.link) {
        snprintf(text, size, "computes");
        return;
    }
    pychoral_report_phrase(role, phrase, sizeof phrase);
    pychoral_role_place(role, role->waiting.site, place, sizeof place);
    snprintf(text, size, "has been waiting %" PRIu64 " s %s%s",
             pychoral_elapsed(now, role->waiting.since) / 1000, phrase, place);
}

static const char *place_of(const PychoralRole *role, uint32_t site, char *text, size_t size)
{
    pychoral_role_place(role, site, text, size);
    size_t length = strlen(text);
    if (length <= 3)
        return "";
    text[length - 1] = 0;
    return text + 2;
}

// What is known of a peer: what it said of itself, if it answers.
void pychoral_report_peer(const PychoralLink *link, uint64_t now, char *text, size_t size)
{
    const PychoralPong *pong = &link->pong;
    char room[TEXT_SIZE / 4];
    if (link->failure.status) {
        snprintf(text, size, "%s", link->failure.text);
    } else if (!link->is_up) {
        const char *trouble = link->troubles ? link->trouble[link->troubles - 1] : "";
        snprintf(text, size, "%s is not connected%s%s%s", link->peer, *trouble ? " (" : "",
                 trouble, *trouble ? ")" : "");
    } else if (!pong->when || pychoral_elapsed(now, pong->when) > ANSWERS_MS) {
        snprintf(text, size, "%s is connected", link->peer);
    } else if (pong->state == 1 || pong->state == 2) {
        const char *place = place_of(link->role, pong->site, room, sizeof room);
        snprintf(text, size, "%s answers; it %s %s%s%s", link->peer, states[pong->state],
                 pong->role, *place ? " at " : "", place);
    } else {
        snprintf(text, size, "%s answers; it %s", link->peer, states[pong->state & 3]);
    }
}

// --- what roles report ---

void pychoral_report_say(const PychoralRole *role, const char *text)
{
    fprintf(stderr, "%s: %s\n", role->name, text);
}

static void say_if(const PychoralRole *role, PychoralLogLevel level, const char *text)
{
    if (level <= role->settings->log_level)
        pychoral_report_say(role, text);
}

void pychoral_report_waits(PychoralRole *role, uint64_t now)
{
    char text[TEXT_SIZE], peer[TEXT_SIZE], all[2 * TEXT_SIZE + 4];
    describe_wait(role, now, text, sizeof text);
    pychoral_report_peer(role->waiting.link, now, peer, sizeof peer);
    snprintf(all, sizeof all, "%s; %s", text, peer);
    say_if(role, PYCHORAL_LOG_WARNING, all);
    note(role, "waits", all, now);
}

void pychoral_report_refusal(const PychoralLink *link)
{
    char text[TEXT_SIZE];
    uint32_t patience = link->came_up ? link->config.lost : link->config.connect;
    snprintf(text, sizeof text, "%s; retrying until %g s have passed (%s)", link->refusal,
             patience / 1000.0, link->came_up ? "--lost-after" : "--connect-timeout");
    say_if(link->role, PYCHORAL_LOG_WARNING, text);
    note(link->role, "refused", text, pychoral_now());
}

void pychoral_report_status(PychoralRole *role, uint64_t now)
{
    char text[TEXT_SIZE], peer[TEXT_SIZE];
    describe_wait(role, now, text, sizeof text);
    pychoral_report_say(role, text);
    note(role, "status", text, now);
    for (size_t i = 0; i < role->program->peer_count; i++) {
        PychoralLink *link = &role->links[i];
        PychoralLinkState seqs = pychoral_machine_state(link->machine);
        pychoral_report_peer(link, now, peer, sizeof peer);
        fprintf(stderr,
                "%s: %s; sent %" PRIu64 " (%" PRIu64 " acknowledged), taken %" PRIu64 " (%" PRIu64
                " read)\n",
                role->name, peer, seqs.next_seq - 1, seqs.acked, seqs.expected - 1, seqs.read);
    }
}

void pychoral_report_failed(PychoralRole *role, uint64_t now)
{
    if (!role->log_json)
        return;
    FILE *out = pychoral_lines_out(role->log_json);
    start_note(out, role, "failed", role->fault.text);
    put_facts(out, role, now);
    put_number(out, "status", (uint64_t)role->fault.status);
    end_note(role->log_json);
}

void pychoral_report_event(const PychoralLink *link, PychoralLogLevel level, const char *word,
                           const char *arguments)
{
    PychoralRole *role = link->role;
    char text[TEXT_SIZE];
    if (level > role->settings->log_level)
        return;
    snprintf(text, sizeof text, "link to %s: %s%s%s", link->peer, word, *arguments ? " " : "",
             arguments);
    say_if(role, level, text);
    if (!role->log_json)
        return;
    FILE *out = pychoral_lines_out(role->log_json);
    start_note(out, role, "link", text);
    put_text(out, "peer", link->peer);
    end_note(role->log_json);
}

void pychoral_report_begin(PychoralRole *role)
{
    FILE *out = pychoral_lines_out(role->history);
    fputs("{\"role\": ", out);
    pychoral_json_put(out, role->name);
    put_text(out, "event", "begin");
    put_number(out, "incarnation",
               role->program->peer_count ? role->links[0].config.incarnation : 0);
    end_note(role->history);
}

// SHA-256 of the payload, of a selection that of its label as four bytes.
static void put_digest(FILE *out, const PychoralMessage *message)
{
    uint32_t label = message->label;
    uint8_t bytes[] = {label >> 24 & 0xFF, label >> 16 & 0xFF, label >> 8 & 0xFF, label & 0xFF};
    uint8_t digest[32];
    char hex[65];
    PychoralSha256 sha;
    pychoral_sha256_start(&sha);
    if (message->kind == PYCHORAL_SELECT)
        pychoral_sha256_add(&sha, bytes, sizeof bytes);
    for (size_t i = 0; message->kind == PYCHORAL_DATA && i < message->count; i++)
        pychoral_sha256_add(&sha, message->frames[i].data, message->frames[i].size);
    pychoral_sha256_end(&sha, digest);
    pychoral_hex(digest, sizeof digest, hex);
    put_text(out, "digest", hex);
}

void pychoral_report_history(PychoralLink *link, const char *event, const PychoralMessage *message)
{
    FILE *out = pychoral_lines_out(link->role->history);
    if (message->kind != PYCHORAL_DATA && message->kind != PYCHORAL_SELECT)
        return;
    fputs("{\"role\": ", out);
    pychoral_json_put(out, link->role->name);
    put_text(out, "event", event);
    put_text(out, "peer", link->peer);
    put_number(out, "seq", message->seq);
    put_number(out, "site", message->site);
    put_digest(out, message);
    end_note(link->role->history);
}
