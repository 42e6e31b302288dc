// show.c - lines for who watches a run (show.h). Each is written in one piece, before the message
// leaves: where all roles write to one pipe, no message comes before one that it depends on.

#include "show.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lines.h"

enum { MOST_BYTES = 4096, PLACE_SIZE = 400 };   // PIPE_BUF: what is written in one piece

struct PychoralShow {
    const PychoralProgram *program;
    int file;
    const char *peer;           // whom it has said that the role waits for
    uint32_t site;
};

PychoralShow *pychoral_show_open(const PychoralProgram *program, const char *path,
                                 PychoralFault *fault)
{
    PychoralShow *show = calloc(1, sizeof *show);
    if (show == NULL) {
        pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE, "%.300s cannot be written: %s", path,
                           strerror(ENOMEM));
        return NULL;
    }
    int file = pychoral_lines_file(path, false, fault);
    if (file < 0) {
        free(show);
        return NULL;
    }
    fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    *show = (PychoralShow){.program = program, .file = file, .peer = ""};
    return show;
}

void pychoral_show_close(PychoralShow *show)
{
    if (show != NULL)
        close(show->file);
    free(show);
}

static const char *place_of(const PychoralShow *show, uint32_t site)
{
    const PychoralProgram *program = show->program;
    for (size_t i = 0; i < program->site_count; i++)
        if (program->sites[i].number == site)
            return program->sites[i].place;
    return "";
}

// That nobody looks any more is no fault.
static void put(const PychoralShow *show, char *line, int size)
{
    size_t length = size < MOST_BYTES - 1 ? (size_t)size : MOST_BYTES - 1;
    line[length] = '\n';
    if (write(show->file, line, length + 1) < 0)
        return;
}

void pychoral_show_message(PychoralShow *show, const char *peer, uint32_t site,
                           const PychoralType *type, const void *value, uint32_t label)
{
    char line[MOST_BYTES];
    const PychoralReading *reading = show->program->reading;
    PychoralStr *text = NULL;
    if (reading != NULL)
        text = reading->brief(type, value != NULL ? value : &label, PYCHORAL_BRIEF_MAX);
    put(show, line, snprintf(line, sizeof line, "%s\t%s\t%s\t%s\t%s", show->program->role, peer,
                             value != NULL ? "com" : "select", place_of(show, site),
                             text != NULL ? text->data : type->name));
    pychoral_release(&pychoral_type_str, &text);
}

void pychoral_show_waits(PychoralShow *show, const char *peer, uint32_t site)
{
    char line[MOST_BYTES];
    if (!*peer)
        site = 0;
    if (site == show->site && strcmp(peer, show->peer) == 0)
        return;
    show->peer = peer;
    show->site = site;
    put(show, line, snprintf(line, sizeof line, "\t%s\t%s\t%s", show->program->role, peer,
                             place_of(show, site)));
}
