// codec_names.h - within str and bytes: encodings and ways to treat errors, by name.

#ifndef PYCHORAL_CODEC_NAMES_H
#define PYCHORAL_CODEC_NAMES_H

#include "text.h"

typedef enum PychoralEncoding {
    PYCHORAL_UTF_8,
    PYCHORAL_ASCII_ONLY,
    PYCHORAL_LATIN_1,
    PYCHORAL_UTF_16,  // with a byte order mark
    PYCHORAL_UTF_16_LE,
    PYCHORAL_UTF_16_BE,
    PYCHORAL_UTF_32,
    PYCHORAL_UTF_32_LE,
    PYCHORAL_UTF_32_BE,
    PYCHORAL_UTF_8_SIG,
    PYCHORAL_NO_ENCODING
} PychoralEncoding;

typedef enum PychoralErrors {
    PYCHORAL_STRICT,
    PYCHORAL_IGNORE,
    PYCHORAL_REPLACE,
    PYCHORAL_BACKSLASHREPLACE,
    PYCHORAL_XMLCHARREFREPLACE,
    PYCHORAL_SURROGATEESCAPE,
    PYCHORAL_SURROGATEPASS,
    PYCHORAL_NO_ERRORS
} PychoralErrors;

// The encoding that a name means (NULL: UTF-8), upper and lower case, '-' and '_' alike. Raises
// LookupError: PYCHORAL_NO_ENCODING.
PychoralEncoding pychoral_encoding_of(const PychoralStr *name);

// As messages call it: "utf-8".
const char *pychoral_encoding_name(PychoralEncoding encoding);

// What to do about errors (NULL: strict); PYCHORAL_NO_ERRORS is for a name that is none, which
// only matters once there is an error.
PychoralErrors pychoral_errors_of(const PychoralStr *name);

// Raises LookupError: unknown error handler name.
void pychoral_errors_unknown(const PychoralStr *name);

// Raises UnicodeEncodeError or UnicodeDecodeError about characters (or bytes) start to end.
void pychoral_codec_raise(const PychoralType *kind, const char *encoding, const PychoralBytes *of,
                          size_t start, size_t end, const char *reason);

#endif
