// frame.h - frames of the wire: headers and bodies, written and read (PROTOCOL.md section 1).
//
// Nothing else: what a frame means for a link is the machine's matter. Reading takes arbitrary
// bytes, allocates nothing, and answers false to whatever is not well-formed; what it gives points
// into the frames.

#ifndef PYCHORAL_FRAME_H
#define PYCHORAL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

enum {
    PYCHORAL_WIRE_VERSION = 2,
    PYCHORAL_HEADER_SIZE = 48,
    PYCHORAL_CRC_SIZE = 4,
    PYCHORAL_INLINE_MAX = 4096,      // payload up to here follows the header
    PYCHORAL_FRAMES_MAX = 65535,     // behind the first
    PYCHORAL_EXTRA_MAX = 4096,       // kept of what lengthens a header
    PYCHORAL_TEXT_MAX = 500,         // bytes of a text in REFUSE and ERROR
    PYCHORAL_STRING_MAX = 65535,
    PYCHORAL_GREETING_SIZE = 100,    // before its strings
};

typedef enum PychoralFrameKind {
    PYCHORAL_HELLO = 1,
    PYCHORAL_WELCOME,
    PYCHORAL_REFUSE,
    PYCHORAL_DATA,
    PYCHORAL_SELECT,
    PYCHORAL_ACK,
    PYCHORAL_PING,
    PYCHORAL_PONG,
    PYCHORAL_END,
    PYCHORAL_ERROR,
} PychoralFrameKind;

enum {
    PYCHORAL_FLAG_MORE = 1,  // the payload is in further frames
    PYCHORAL_FLAG_CRC = 2,   // a CRC follows the header
};

typedef enum PychoralCode {
    PYCHORAL_BAD_VERSION = 1,
    PYCHORAL_BAD_PROTOCOL,
    PYCHORAL_BAD_ROLE,
    PYCHORAL_BAD_RUN,
    PYCHORAL_OLDER,
    PYCHORAL_STATE_LOST,
    PYCHORAL_BUSY,
    PYCHORAL_LIMITS,
    PYCHORAL_AGAIN,
    PYCHORAL_STOPPED,
    PYCHORAL_DISAGREED,
} PychoralCode;

// UTF-8 with its length, not ended by NUL.
typedef struct PychoralText {
    const char *data;
    size_t size;
} PychoralText;

typedef struct PychoralHeader {
    uint8_t kind;
    uint8_t flags;
    uint16_t length;
    uint32_t site;
    uint32_t label;
    uint64_t session;
    uint64_t seq;
    uint64_t ack;
    uint64_t limit;
} PychoralHeader;

typedef struct PychoralGreeting {
    uint16_t lowest, highest;
    uint8_t hash[32];
    uint8_t run_id[16];
    uint64_t incarnation;
    uint64_t expected;
    uint64_t window_bytes;
    uint32_t window_messages;
    uint32_t durable;
    uint64_t max_message;
    uint64_t nonce;
    PychoralText role, peer, run;
} PychoralGreeting;

// A frame that was read. `extra` is what lengthens the header, `body` what stands behind header and
// CRC in frame 0.
typedef struct PychoralParsed {
    PychoralHeader header;
    const uint8_t *extra;
    size_t extra_size;
    const uint8_t *body;
    size_t size;
    union {
        PychoralGreeting greeting;                                          // HELLO, WELCOME
        struct { uint16_t code; PychoralText text; } refusal;               // REFUSE
        struct { uint64_t steps; uint8_t state; PychoralText role; } progress;  // PING, PONG
        uint16_t status;                                                    // END
        struct { PychoralText role, type, text; } failure;                  // ERROR
    } as;
} PychoralParsed;

// Whether the frames of a message are well-formed, and what they say. A CRC is checked too.
bool pychoral_frame_parse(const PychoralFrame *frames, size_t count, PychoralParsed *out);

// The roles that a HELLO names: its own and the one it wants to speak to. False for other frames.
bool pychoral_frame_peek_hello(const PychoralFrame *frame, PychoralText *role, PychoralText *peer);

// Whether a kind has a number (seq).
bool pychoral_kind_is_numbered(uint8_t kind);

// Writers: `out` has room; each returns the number of bytes written, a header's always 48. Its
// length is 48 if `header->length` is 0; what a longer one adds is the caller's to write behind it.
size_t pychoral_frame_write_header(uint8_t *out, const PychoralHeader *header);
size_t pychoral_frame_write_greeting(uint8_t *out, const PychoralGreeting *greeting);
size_t pychoral_frame_write_refusal(uint8_t *out, uint16_t code, PychoralText text);
size_t pychoral_frame_write_progress(uint8_t *out, uint64_t steps, uint8_t state,
                                     PychoralText role);
size_t pychoral_frame_write_end(uint8_t *out, uint16_t status);
size_t pychoral_frame_write_failure(uint8_t *out, PychoralText role, PychoralText type,
                                    PychoralText text);

// The parts of a header that change when a message goes out again.
void pychoral_frame_renew(uint8_t *header, uint64_t session, uint64_t ack, uint64_t limit);

// Writes the CRC of a message into its first frame, which has flag 2 and room for it behind the
// header; that frame's bytes are `first`, and it is frames[0] too.
void pychoral_frame_seal(uint8_t *first, const PychoralFrame *frames, size_t count);

// Whether the bytes are UTF-8 without NUL.
bool pychoral_text_is_sound(const uint8_t *at, size_t size);

// The longest beginning of `text` that has at most `most` bytes and ends with a character.
PychoralText pychoral_text_shortened(PychoralText text, size_t most);

// A copy in `out`, which has room for text.size bytes: each byte that is not part of a character of
// UTF-8, or is NUL, becomes a question mark.
PychoralText pychoral_text_cleaned(char *out, PychoralText text);

// The text of a string that ends with NUL.
PychoralText pychoral_text(const char *string);

#endif
