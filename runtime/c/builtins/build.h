// build.h - text that grows until it becomes a str.

#ifndef PYCHORAL_BUILD_H
#define PYCHORAL_BUILD_H

#include "value.h"

// Starts as zero bits.
typedef struct PychoralBuild {
    char *data;
    size_t size, capacity;
} PychoralBuild;

// Appends UTF-8.
void pychoral_build_bytes(PychoralBuild *build, const char *text, size_t size);
void pychoral_build_text(PychoralBuild *build, const char *text);

static inline void pychoral_build_byte(PychoralBuild *build, char byte)
{
    if (build->size < build->capacity)
        build->data[build->size++] = byte;
    else
        pychoral_build_bytes(build, &byte, 1);
}

// Appends a str that it takes over. NULL (what a failure gave) adds nothing: false.
bool pychoral_build_str(PychoralBuild *build, PychoralStr *text);

// The str; the builder is empty again.
PychoralStr *pychoral_build_end(PychoralBuild *build);

// Drops what was built; NULL, for callers that fail.
PychoralStr *pychoral_build_drop(PychoralBuild *build);

#endif
