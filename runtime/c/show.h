// show.h - messages as they are sent (`--show FILE`) and whom the role waits for (`--watch FILE`):
// what `pychoralc run` listens to. The lines are those of python/pychoral/show.py.

#ifndef PYCHORAL_SHOW_H
#define PYCHORAL_SHOW_H

#include "fault.h"
#include "pychoral.h"

typedef struct PychoralShow PychoralShow;

// Opens the file: `/dev/fd/3` is a pipe that was inherited. NULL with a fault if that cannot be.
PychoralShow *pychoral_show_open(const PychoralProgram *program, const char *path,
                                 PychoralFault *fault);
void pychoral_show_close(PychoralShow *show);       // NULL: nothing

// A value or, where `value` is NULL, the member `label` of an enum is about to be sent.
void pychoral_show_message(PychoralShow *show, const char *peer, uint32_t site,
                           const PychoralType *type, const void *value, uint32_t label);

// The role waits for a peer, or ("") goes on; may be said again and again.
void pychoral_show_waits(PychoralShow *show, const char *peer, uint32_t site);

#endif
