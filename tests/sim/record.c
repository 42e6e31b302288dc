// record.c - what happens as a schedule (PROTOCOL.md section 4): inputs as lines, outputs as
// comments, so that the drivers of tests/schedules can be given the same.

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "sim.h"

static void put_hex(FILE *out, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    if (size == 0)
        fputc('-', out);
    for (size_t i = 0; i < size; i++)
        fprintf(out, "%02x", bytes[i]);
}

static void put_agreed(FILE *out, PychoralAgreement agreed)
{
    for (size_t i = 0; i < agreed.count; i++) {
        fprintf(out, "%s%s:", i == 0 ? " agreed=" : ",", agreed.at[i].name);
        put_hex(out, agreed.at[i].digest, sizeof agreed.at[i].digest);
        fputc(':', out);
        put_hex(out, agreed.at[i].text, strlen(agreed.at[i].text));
    }
}

void record_frames(World *world, const PychoralFrame *frames, size_t count)
{
    if (count == 0)
        fputc('-', world->record);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputc(',', world->record);
        put_hex(world->record, frames[i].data, frames[i].size);
    }
}

void record_line(World *world, const Process *process, const char *format, ...)
{
    if (world->record == NULL)
        return;
    fprintf(world->record, "%" PRIu64 " %s ", world->now, process->name);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(world->record, format, arguments);
    va_end(arguments);
    fputc('\n', world->record);
}

void record_machine(World *world, const Process *process, const PychoralConfig *config)
{
    if (world->record == NULL)
        return;
    fprintf(world->record, "machine %s me=%s peer=%s dials=%d seed=%" PRIu64 " hash=",
            process->name, config->me, config->peer, config->dials, config->seed);
    put_hex(world->record, config->hash, sizeof config->hash);
    fprintf(world->record,
            " run=%s inc=%" PRIu64 " durable=%d wm=%" PRIu32 " wb=%" PRIu64 " max=%" PRIu64
            " crc=%d", config->run_name, config->incarnation, config->durable,
            config->window_messages, config->window_bytes, config->max_message, config->crc);
    put_agreed(world->record, config->agreed);
    fputc('\n', world->record);
}

void record_event(World *world, const Process *process, const PychoralEvent *event)
{
    static const char *const words[] = {"up", "down", "stored_wanted", "peer_end", "peer_error",
                                        "pong", "refused", "fault", "absent", "gone", "left"};
    if (world->record != NULL)
        fprintf(world->record, "# %s event %s %" PRIu64 " %.*s\n", process->name,
                words[event->kind], event->number, (int)event->text.size, event->text.data);
}
