// json.h - a reader of JSON texts that are small (manifests and configuration files), and strings
// written as JSON.
//
// Bounded: a text of at most 1 MiB, at most 32 levels and 16,384 values. A key may stand once in an
// object. Strings hold no NUL. Nothing is taken on trust; a refusal names the line.

#ifndef PYCHORAL_JSON_H
#define PYCHORAL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "fault.h"

typedef enum {
    PYCHORAL_JSON_NULL,
    PYCHORAL_JSON_BOOL,
    PYCHORAL_JSON_NUMBER,
    PYCHORAL_JSON_STRING,
    PYCHORAL_JSON_ARRAY,
    PYCHORAL_JSON_OBJECT,
} PychoralJsonKind;

typedef struct PychoralJsonValue {
    PychoralJsonKind kind;
    const char *key;                    // in an object: this value's key
    const char *text;                   // string: its text; number: as it is written
    bool truth;
    const struct PychoralJsonValue *first, *next;       // of an array or object; behind this one
} PychoralJsonValue;

typedef struct PychoralJson PychoralJson;

// Reads a text (`size` bytes, not kept). NULL with a fault of status 2 if it is no JSON.
PychoralJson *pychoral_json_read(const char *text, size_t size, PychoralFault *fault);
const PychoralJsonValue *pychoral_json_root(const PychoralJson *json);
void pychoral_json_free(PychoralJson *json);

// The member of an object, or NULL.
const PychoralJsonValue *pychoral_json_member(const PychoralJsonValue *object, const char *key);

// Writes a text as a JSON string.
void pychoral_json_put(FILE *out, const char *text);

// Whether the value is a whole number from 0 to `most`; if so it is stored.
bool pychoral_json_whole(const PychoralJsonValue *value, uint64_t most, uint64_t *number);

#endif
