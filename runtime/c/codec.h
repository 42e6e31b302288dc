// codec.h - values to frames and back, driven by rows of the type table (PROTOCOL.md section 5).
//
// One pass each way, straight from and into the layout of value.h. What a peer sends is checked
// completely before the program sees it: form, limits, and the type that is expected. Data of
// 64 KiB or more is lent when it is sent and borrowed when it is received, not copied.

#ifndef PYCHORAL_CODEC_H
#define PYCHORAL_CODEC_H

#include "fault.h"
#include "value.h"

// Writes values into memory that is used again for the next. All zero is a fresh one:
//     PychoralWriter writer = {0};
typedef struct PychoralWriter {
    PychoralBuffer *buffer;  // where the value is written
    unsigned char *data;     // its bytes so far, their end, and that of their room
    unsigned char *at, *end;
    PychoralFrame *frames;   // the result: the value, then the buffers that it refers to
    size_t count, room;
    size_t lent;             // bytes in the buffers
    unsigned depth;
    bool given;              // the value's frame may be kept by others
    struct PychoralWireFault *why;  // while encoding
    const void **around;     // objects around the fault, inner first, if a cycle is looked for
    unsigned left;           // how many of them have been left
    unsigned dropped;        // steps of the path after its end
} PychoralWriter;

// Writes the value at `value`; writer->frames and writer->count are then the message's payload, as
// pychoral_machine_send takes it, valid until the writer's next call. Frames with an owner may be
// kept by reference. False: the value cannot be sent, or memory has run out; `fault` says it.
bool pychoral_encode(PychoralWriter *writer, const PychoralType *type, const void *value,
                     PychoralFault *fault);

// Gives back what the writer holds; it can be used again.
void pychoral_writer_clear(PychoralWriter *writer);

// Reads a value of `type` from a message's payload into the place `value`, which then owns what it
// refers to. Frames with an owner are borrowed from where that saves a copy of 64 KiB or more.
// False: the frames hold no value of the type, or memory has run out; nothing is left to release.
bool pychoral_decode(const PychoralType *type, const PychoralFrame *frames, size_t count,
                     void *value, PychoralFault *fault);

// The same of frames that nobody has yet: a fault says that the value cannot be sent.
bool pychoral_decode_own(const PychoralType *type, const PychoralFrame *frames, size_t count,
                         void *value, PychoralFault *fault);

// The same, of a part of what is being sent: the fault is left to who writes the whole.
bool pychoral_decode_part(const PychoralType *type, const PychoralFrame *frames, size_t count,
                          void *value, struct PychoralWireFault *why);

// Says why a value cannot be sent. False.
bool pychoral_explain_sent(const struct PychoralWireFault *why, PychoralFault *fault);

#endif
