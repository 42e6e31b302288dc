// cmd_explain.c - `explain`: the page of a code, the codes of a family, or the list of families.

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "compiler/base/diag_page.h"
#include "compiler/base/suggest.h"
#include "compiler/command/command.h"

// Without the fences of Markdown: a terminal shows a program by its indentation.
static void print_page(const char *page)
{
    bool code = false;
    while (*page != '\0') {
        size_t len = strcspn(page, "\n");
        bool fence = strncmp(page, "```", 3) == 0;
        code ^= fence;
        if (!fence)
            printf("%s%.*s\n", code && len > 0 ? "    " : "", (int)len, page);
        page += len + (page[len] == '\n');
    }
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static void list_family(const DiagFamily *family)
{
    printf("%s: %s\n", family->prefix, family->about);
    for (int i = 0; i < DIAG_COUNT; i++)
        if (starts_with(diag_code((DiagId)i), family->prefix))
            printf("  %s  %s\n", diag_code((DiagId)i), diag_summary((DiagId)i));
}

static void list_all(void)
{
    for (size_t i = 0; i < diag_family_count; i++) {
        list_family(&diag_families[i]);
        putchar('\n');
    }
    puts("`pychoralc explain CODE` explains one code.");
}

static bool explain(const char *word)
{
    char code[8];
    size_t len = strlen(word);
    if (len >= sizeof code)
        return false;
    for (size_t i = 0; i <= len; i++)
        code[i] = (char)toupper((unsigned char)word[i]);
    for (int i = 0; i < DIAG_COUNT; i++)
        if (strcmp(code, diag_code((DiagId)i)) == 0) {
            printf("%s: %s\n\n", code, diag_summary((DiagId)i));
            print_page(diag_page((DiagId)i));
            return true;
        }
    for (size_t i = 0; i < diag_family_count; i++)
        if (strcmp(code, diag_families[i].prefix) == 0) {
            list_family(&diag_families[i]);
            return true;
        }
    return false;
}

static void report_no_code(Session *s, const char *code)
{
    const char *codes[DIAG_COUNT];
    for (int i = 0; i < DIAG_COUNT; i++)
        codes[i] = diag_code((DiagId)i);
    Diag *d = session_report(s, DIAG_USAGE, "unknown error code: `%s`", code);
    const char *near = suggest_nearest(code, codes, DIAG_COUNT);
    if (near)
        diag_help(d, "did you mean `%s`?", near);
    diag_note(d, "`pychoralc explain` lists all codes");
}

Status cmd_explain(Session *s)
{
    Status status = STATUS_DONE;
    if (s->options.operands.len == 0)
        list_all();
    for (size_t i = 0; i < s->options.operands.len; i++) {
        if (i > 0)
            putchar('\n');
        if (!explain(s->options.operands.at[i])) {
            report_no_code(s, s->options.operands.at[i]);
            status = STATUS_USAGE;
        }
    }
    return status;
}
