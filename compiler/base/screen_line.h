// screen_line.h - a line of text as a terminal shows it: which column each byte stands in.
//
// Tabs become blanks up to the next multiple of four; wide characters take two columns and
// combining ones none; control characters, those that change the direction of writing, and bytes
// that are no UTF-8 become U+FFFD, so that a source cannot disturb the terminal or hide something.

#ifndef PYCHORAL_SCREEN_LINE_H
#define PYCHORAL_SCREEN_LINE_H

#include <stdint.h>

#include "compiler/base/arena.h"
#include "compiler/base/source.h"

typedef struct ScreenLine {
    Text shown;                 // UTF-8
    const uint32_t *columns;    // of each byte of the original, and of its end
    uint32_t width;
} ScreenLine;

ScreenLine screen_line(Arena *a, Text line);

// The part of a line from one column to another (exclusive); wide characters are not cut.
Text screen_line_part(const ScreenLine *line, uint32_t from, uint32_t to);

#endif
