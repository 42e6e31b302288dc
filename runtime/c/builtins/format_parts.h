// format_parts.h - what the files about formatting share.

#ifndef PYCHORAL_FORMAT_PARTS_H
#define PYCHORAL_FORMAT_PARTS_H

#include "format.h"
#include "text.h"

// A format specification as it has been read.
typedef struct PychoralSpec {
    uint32_t fill, type;         // type 0: none
    char align, sign, grouping;  // sign 0: none; grouping ',', '_', or 0
    bool alternate, no_minus_zero;
    int64_t width, precision;    // -1: none
} PychoralSpec;

// Reads a specification into `to`, which has the alignment and type that stand if none is given;
// false: raised ValueError. `type_name` is for messages.
bool pychoral_spec_read(const PychoralStr *spec, const char *type_name, PychoralSpec *to);

// Raises ValueError: the type letter means nothing for the type; gives NULL.
PychoralStr *pychoral_spec_unknown(uint32_t letter, const char *type_name);

// A number, ready but for its layout.
typedef struct PychoralNumber {
    char sign;               // 0: none
    const char *prefix;      // "0x"
    const char *digits;      // what is grouped
    size_t digit_count;
    const char *rest;        // what is not
    size_t rest_size, rest_characters;
} PychoralNumber;

// Writes a number as a specification says.
void pychoral_spec_put(PychoralOut *out, const PychoralSpec *spec, const PychoralNumber *number);

// Writes `text` of so many characters with padding around it.
void pychoral_spec_pad(PychoralOut *out, const PychoralSpec *spec, const PychoralStr *text,
                       const char *from, size_t size, size_t characters);

// Writes a float without its sign: `type` one of e, f, g (also in capitals), or r for the shortest.
// `dot`: as Python does without a type letter, so that it reads as a float.
void pychoral_float_put(PychoralOut *out, double value, char type, int precision, bool alternate,
                        bool dot);

// The digits of a number without its sign, in memory of the caller's. NULL: raised ValueError.
char *pychoral_spec_digits(PychoralInt value, int base, bool capitals, size_t *size);

// Whether a bool or int stands there, and which; no reference is taken.
bool pychoral_ref_int(PychoralRef ref, PychoralInt *to);

// Reads decimal digits (of any script) up to `end`; how many characters. False: too large.
bool pychoral_read_count(const char **at, const char *end, int64_t *number, size_t *digits);

#endif
