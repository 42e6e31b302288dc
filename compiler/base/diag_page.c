// diag_page.c - finds a page in the table that pagegen made.

#include "compiler/base/diag_page.h"

#include <string.h>

typedef struct PageRow { const char *code, *text; } PageRow;

static const PageRow rows[] = {
#include "diag_pages.inc"
    {NULL, NULL},
};

const DiagFamily diag_families[] = {
    {"E00", "files, the command line"},
    {"E01", "layout and syntax"},
    {"E02", "names and roles"},
    {"E03", "the types of values"},
    {"E04", "the places of values"},
    {"E05", "channels and communication"},
    {"E06", "choices that a role cannot know of"},
    {"E07", "classes, and what is not supported yet"},
    {"E08", "generated programs"},
    {"E09", "derivatives"},
    {"E10", "virtualization"},
    {"E11", "distribution"},
    {"W",   "warnings"},
};
const size_t diag_family_count = sizeof diag_families / sizeof *diag_families;

const char *diag_page(DiagId id)
{
    for (const PageRow *row = rows; row->code != NULL; row++)
        if (strcmp(row->code, diag_code(id)) == 0)
            return row->text;
    return diag_summary(id);
}
