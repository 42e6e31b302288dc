// format.h - format(value, spec), str.format and `%`: Python's small languages for layout.

#ifndef PYCHORAL_FORMAT_H
#define PYCHORAL_FORMAT_H

#include "bytes.h"

// ---- format(value, spec) of each type. Raise ValueError and OverflowError ----

PychoralStr *pychoral_format_str(const PychoralStr *value, const PychoralStr *spec);
PychoralStr *pychoral_format_int(PychoralInt value, const PychoralStr *spec);  // bools, too
PychoralStr *pychoral_format_float(double value, const PychoralStr *spec);
PychoralStr *pychoral_format_complex(PychoralComplex value, const PychoralStr *spec);

// ---- str.format ----

typedef struct PychoralNamed {
    const char *name;
    PychoralRef value;
} PychoralNamed;

// s.format(*args, **named). Raises ValueError, KeyError, IndexError, AttributeError and what the
// values' own methods raise.
PychoralStr *pychoral_str_format(const PychoralStr *s, size_t count, const PychoralRef *args,
                                 size_t named_count, const PychoralNamed *named);

// s.format_map(map) of a dict. Raises alike.
PychoralStr *pychoral_str_format_map(const PychoralStr *s, PychoralRef map);

// ---- % ----

// s % values: a tuple, a dict, or one value. Raises TypeError, ValueError, KeyError, OverflowError
// and what the values' own methods raise.
PychoralStr *pychoral_str_percent(const PychoralStr *s, PychoralRef values);
PychoralBytes *pychoral_bytes_percent(const PychoralBytes *s, PychoralRef values);

#endif
