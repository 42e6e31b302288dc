// agreement.h - what two roles must have been given alike, as their greetings compare it
// (PROTOCOL.md section 1, longer headers, item 2; as agreement.py).
//
// A list holds the values that both ends of a link have, in order of name. Digests on the wire are
// salted with the nonces of the connection: of the dialler's greeting, then of the listener's,
// which is 0 in HELLO.

#ifndef PYCHORAL_AGREEMENT_H
#define PYCHORAL_AGREEMENT_H

#include "frame.h"

enum { PYCHORAL_SHOWN_MAX = 60 };       // characters of a text

// A value: the parameter's name, the SHA-256 of the encoding, a text ("" shows nothing).
typedef struct PychoralAgreed {
    const char *name;
    uint8_t digest[32];
    char text[4 * PYCHORAL_SHOWN_MAX + 1];
} PychoralAgreed;

typedef struct PychoralAgreement {
    const PychoralAgreed *at;
    size_t count;
} PychoralAgreement;

// Writes the item; at most 4,096 bytes, none for an empty list. Their number.
size_t pychoral_agreement_write(uint8_t *out, PychoralAgreement mine, const uint64_t nonces[2]);

// Whether what lengthened the header of the peer's greeting tells something else; `text` says how,
// cut to its size.
bool pychoral_agreement_differs(PychoralAgreement mine, const PychoralParsed *greeting,
                                const uint64_t nonces[2], PychoralText me, PychoralText peer,
                                char *text, size_t size);

#endif
