// trace.c - traces with vector clocks; contracts in trace.h, the bytes are those of trace.py.

#include "trace.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "lines.h"

enum { ITEM_SIZE = 4, PAIR_SIZE = 10, CLOCK_ITEM = 1, TEXT_SIZE = 2000, WHAT_SIZE = 200 };

struct PychoralTrace {
    PychoralLines *lines;
    FILE *file;                         // where those are put
    bool chrome, begun;
    const char *const *roles;
    size_t count, me;
    uint64_t *clock;   // by role's number
    uint8_t *stamp;
};

// --- the clock in a header ---

static void put_bytes(uint8_t *at, uint64_t value, size_t size)
{
    for (size_t i = size; i-- > 0; value >>= 8)
        at[i] = value & 0xFF;
}

static uint64_t get_bytes(const uint8_t *at, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | at[i];
    return value;
}

const uint8_t *pychoral_trace_stamp(PychoralTrace *trace, size_t *size)
{
    uint8_t *at = trace->stamp + ITEM_SIZE;
    for (size_t role = 0; role < trace->count; role++) {
        uint64_t count = trace->clock[role] + (role == trace->me);
        if (count == 0)
            continue;
        put_bytes(at, role, 2);
        put_bytes(at + 2, count, 8);
        at += PAIR_SIZE;
    }
    *size = (size_t)(at - trace->stamp);
    put_bytes(trace->stamp, CLOCK_ITEM, 2);
    put_bytes(trace->stamp + 2, *size - ITEM_SIZE, 2);
    return trace->stamp;
}

static void merge_pairs(PychoralTrace *trace, const uint8_t *at, size_t size)
{
    for (; size > 0; at += PAIR_SIZE, size -= PAIR_SIZE) {
        uint64_t role = get_bytes(at, 2), count = get_bytes(at + 2, 8);
        if (role < trace->count && role != trace->me && count > trace->clock[role])
            trace->clock[role] = count;
    }
}

// The peer's clock counts here; other items, and whatever does not add up, are skipped.
static void merge(PychoralTrace *trace, const uint8_t *at, size_t left)
{
    while (left >= ITEM_SIZE) {
        uint64_t kind = get_bytes(at, 2);
        size_t size = (size_t)get_bytes(at + 2, 2);
        at += ITEM_SIZE;
        left -= ITEM_SIZE;
        if (size > left)
            return;
        if (kind == CLOCK_ITEM && size % PAIR_SIZE == 0) {
            merge_pairs(trace, at, size);
            return;
        }
        at += size;
        left -= size;
    }
}

// --- writing ---

static void put_clock(PychoralTrace *trace)
{
    const char *before = "{";
    for (size_t role = 0; role < trace->count; role++) {
        if (trace->clock[role] == 0)
            continue;
        fputs(before, trace->file);
        pychoral_json_put(trace->file, trace->roles[role]);
        fprintf(trace->file, ": %" PRIu64, trace->clock[role]);
        before = ", ";
    }
    fputc('}', trace->file);
}

static void begin_item(PychoralTrace *trace, const char *kind, const char *name)
{
    fputs(trace->begun ? ",\n" : "[", trace->file);
    trace->begun = true;
    fprintf(trace->file, "{\"ph\": \"%s\", \"name\": ", kind);
    pychoral_json_put(trace->file, name);
}

static void put_process(PychoralTrace *trace)
{
    if (trace->begun)
        return;
    begin_item(trace, "M", "process_name");
    fprintf(trace->file, ", \"pid\": %zu, \"tid\": 0, \"args\": {\"name\": ", trace->me);
    pychoral_json_put(trace->file, trace->roles[trace->me]);
    fputs("}}", trace->file);
    begin_item(trace, "M", "process_sort_index");
    fprintf(trace->file, ", \"pid\": %zu, \"tid\": 0, \"args\": {\"sort_index\": %zu}}", trace->me,
            trace->me);
}

// A slice for the event, and the end of an arrow in it.
static void put_chrome(PychoralTrace *trace, bool sends, const char *peer, uint64_t seq,
                       const char *text)
{
    const char *me = trace->roles[trace->me];
    char arrow[TEXT_SIZE];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    double when = (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
    put_process(trace);
    begin_item(trace, "X", text);
    fprintf(trace->file, ", \"cat\": \"role\", \"pid\": %zu, \"tid\": 0, \"ts\": %.3f, "
                         "\"dur\": 1.0, \"args\": {\"clock\": ", trace->me, when);
    put_clock(trace);
    fputs("}}", trace->file);
    snprintf(arrow, sizeof arrow, "%s to %s %" PRIu64, sends ? me : peer, sends ? peer : me, seq);
    begin_item(trace, sends ? "s" : "f", "message");
    fputs(", \"cat\": \"message\", \"id\": ", trace->file);
    pychoral_json_put(trace->file, arrow);
    fprintf(trace->file, ", \"pid\": %zu, \"tid\": 0, \"ts\": %.3f%s}", trace->me, when,
            sends ? "" : ", \"bp\": \"e\"");
}

static void put_event(PychoralTrace *trace, bool sends, const char *peer, uint64_t seq,
                      const char *text)
{
    trace->clock[trace->me]++;
    if (trace->chrome) {
        put_chrome(trace, sends, peer, seq, text);
    } else {
        fprintf(trace->file, "%s\n%s ", text, trace->roles[trace->me]);
        put_clock(trace);
        fputc('\n', trace->file);
    }
    pychoral_lines_flush(trace->lines);
}

// A selection by its name, a value by its type, as far as they are known.
static void describe(char *out, size_t size, PychoralFrameKind kind, uint32_t label,
                     const PychoralType *about)
{
    bool is_enum = about != NULL && about->kind == PYCHORAL_ENUM;
    if (kind == PYCHORAL_SELECT && is_enum && label < about->count)
        snprintf(out, size, "%s.%s", about->name, about->members[label]);
    else if (kind == PYCHORAL_SELECT)
        snprintf(out, size, "label %" PRIu32, label);
    else if (kind == PYCHORAL_DATA)
        snprintf(out, size, "%s", about != NULL ? pychoral_shown_type(about) : "a value");
    else
        snprintf(out, size, "%s", kind == PYCHORAL_END ? "the end" : "an error");
}

void pychoral_trace_sent(PychoralTrace *trace, const char *peer, uint64_t seq,
                         PychoralFrameKind kind, uint32_t label, const PychoralType *about,
                         const char *place)
{
    char what[WHAT_SIZE], text[TEXT_SIZE];
    describe(what, sizeof what, kind, label, about);
    snprintf(text, sizeof text, "sends message %" PRIu64 " to %s: %s%s", seq, peer, what, place);
    put_event(trace, true, peer, seq, text);
}

void pychoral_trace_taken(PychoralTrace *trace, const char *peer, const PychoralMessage *message,
                          const PychoralType *about, const char *place)
{
    char what[WHAT_SIZE], text[TEXT_SIZE];
    merge(trace, message->extra, message->extra_size);
    describe(what, sizeof what, message->kind, message->label, about);
    snprintf(text, sizeof text, "reads message %" PRIu64 " from %s: %s%s", message->seq, peer, what,
             place);
    put_event(trace, false, peer, message->seq, text);
}

// --- the file ---

static bool ends_with(const char *path, const char *suffix)
{
    size_t size = strlen(path), tail = strlen(suffix);
    return size > tail && strcmp(path + size - tail, suffix) == 0;
}

PychoralTrace *pychoral_trace_open(const char *path, const char *const *roles, size_t count,
                                   size_t me, PychoralFault *fault)
{
    bool chrome = ends_with(path, ".json");
    if (!chrome && !ends_with(path, ".shiviz") && !ends_with(path, ".log")) {
        pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE, "--trace: %.300s: a trace is NAME.shiviz, "
                           "NAME.log or NAME.json", path);
        return NULL;
    }
    PychoralTrace *trace = calloc(1, sizeof *trace);
    if (trace != NULL) {
        *trace = (PychoralTrace){.chrome = chrome, .roles = roles, .count = count, .me = me,
                                 .clock = calloc(count, sizeof *trace->clock),
                                 .stamp = malloc(ITEM_SIZE + count * PAIR_SIZE),
                                 .lines = pychoral_lines_open(path, roles[me], "trace", true,
                                                              fault)};
        if (trace->lines != NULL && trace->clock != NULL && trace->stamp != NULL) {
            trace->file = pychoral_lines_out(trace->lines);
            return trace;
        }
        pychoral_trace_close(trace);
    }
    if (fault->status == 0)
        pychoral_fault_set(fault, PYCHORAL_EXIT_OWN_ERROR, "memory is exhausted");
    return NULL;
}

void pychoral_trace_close(PychoralTrace *trace)
{
    if (trace == NULL)
        return;
    if (trace->file != NULL && trace->chrome) {
        fputs(trace->begun ? "]\n" : "[]\n", trace->file);
        pychoral_lines_flush(trace->lines);
    }
    pychoral_lines_close(trace->lines);
    free(trace->clock);
    free(trace->stamp);
    free(trace);
}
