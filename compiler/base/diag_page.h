// diag_page.h - the page that explains a code: explain/CODE.md, carried in the program.

#ifndef PYCHORAL_DIAG_PAGE_H
#define PYCHORAL_DIAG_PAGE_H

#include "compiler/base/diag.h"

// In Markdown, without a heading: diag_summary is one. A code without a page has its summary.
const char *diag_page(DiagId id);

// What the codes with a common start ("E06", "W") are about.
typedef struct DiagFamily { const char *prefix, *about; } DiagFamily;
extern const DiagFamily diag_families[];
extern const size_t diag_family_count;

#endif
