// unigen.c - host tool: the Unicode Character Database to unicode_tables.c.
//
//     unigen DIRECTORY >unicode_tables.c
//
// Reads DerivedCoreProperties.txt, UnicodeData.txt and NameAliases.txt (UAX #44; Debian's package
// unicode-data has them in /usr/share/unicode).

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/front/unicode_tables.h"

enum { MAX_RANGES = 4096, MAX_NAMES = 65536, LINE = 1024, FIRST_AFTER_ASCII = 0x80 };

typedef struct Ranges { UnicodeRange at[MAX_RANGES]; size_t len; } Ranges;
typedef struct Name { char *text; uint32_t code; } Name;
typedef struct Names { Name at[MAX_NAMES]; size_t len; } Names;

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "unigen: %s: %s (Debian's package unicode-data has it)\n", name, what);
    exit(EXIT_FAILURE);
}

static FILE *open_file(const char *folder, const char *name)
{
    char path[LINE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    if (f == NULL)
        fail("cannot be opened", path);
    return f;
}

static void add_range(Ranges *r, uint32_t first, uint32_t last)
{
    if (last < FIRST_AFTER_ASCII)
        return;
    if (r->len == MAX_RANGES)
        fail("has more ranges than there is room for", "the database");
    if (r->len > 0 && r->at[r->len - 1].last + 1 == first)
        r->at[r->len - 1].last = last;
    else
        r->at[r->len++] = (UnicodeRange){first, last};
}

// Lines such as "0041..005A    ; XID_Start # L&  [26] ...".
static void read_property(const char *folder, const char *property, Ranges *out)
{
    FILE *f = open_file(folder, "DerivedCoreProperties.txt");
    char line[LINE], name[LINE];
    while (fgets(line, sizeof line, f) != NULL) {
        char *rest;
        uint32_t first = (uint32_t)strtoul(line, &rest, 16), last = first;
        if (rest == line)
            continue;
        if (rest[0] == '.')
            last = (uint32_t)strtoul(rest + 2, &rest, 16);
        if (sscanf(rest, " ; %s", name) == 1 && strcmp(name, property) == 0)
            add_range(out, first, last);
    }
    fclose(f);
}

static void add_name(Names *names, const char *text, uint32_t code)
{
    size_t len = strlen(text);
    if (names->len == MAX_NAMES || len >= UNICODE_NAME_MAX)
        fail("has more or longer names than there is room for", "the database");
    char *copy = malloc(len + 1);
    if (copy == NULL)
        fail("does not fit into memory", "the database");
    memcpy(copy, text, len + 1);
    names->at[names->len++] = (Name){copy, code};
}

// Cuts a line "code;name;..." apart. Gives false on lines that are none.
static bool split_line(char *line, uint32_t *code, char **name)
{
    char *rest;
    *code = (uint32_t)strtoul(line, &rest, 16);
    if (rest == line || *rest != ';')
        return false;
    *name = rest + 1;
    (*name)[strcspn(*name, ";")] = '\0';
    return true;
}

// Ranges stand in UnicodeData.txt as two lines "<..., First>" and "<..., Last>".
static void read_names(const char *folder, Names *names, Ranges *ideographs)
{
    FILE *f = open_file(folder, "UnicodeData.txt");
    char line[LINE], *name;
    uint32_t code, first = 0;
    while (fgets(line, sizeof line, f) != NULL) {
        if (!split_line(line, &code, &name))
            continue;
        if (name[0] != '<')
            add_name(names, name, code);
        else if (strncmp(name, "<CJK Ideograph", 14) == 0 && strstr(name, "First>") != NULL)
            first = code;
        else if (strncmp(name, "<CJK Ideograph", 14) == 0 && strstr(name, "Last>") != NULL)
            add_range(ideographs, first, code);
    }
    fclose(f);
}

static void read_aliases(const char *folder, Names *names)
{
    FILE *f = open_file(folder, "NameAliases.txt");
    char line[LINE], *name;
    uint32_t code;
    while (fgets(line, sizeof line, f) != NULL)
        if (split_line(line, &code, &name))
            add_name(names, name, code);
    fclose(f);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const Name *)a)->text, ((const Name *)b)->text);
}

static void print_ranges(const char *name, const Ranges *r)
{
    printf("const UnicodeRange %s[] = {\n", name);
    for (size_t i = 0; i < r->len; i++)
        printf("    {0x%X, 0x%X},\n", (unsigned)r->at[i].first, (unsigned)r->at[i].last);
    printf("};\nconst size_t %s_len = %zu;\n\n", name, r->len);
}

static size_t shared_prefix(const char *a, const char *b)
{
    size_t n = 0;
    while (a[n] != '\0' && a[n] == b[n])
        n++;
    return n;
}

// Prints one front-coded entry; gives its size.
static size_t print_entry(const Name *n, size_t shared)
{
    const char *rest = n->text + shared;
    size_t len = strlen(rest);
    printf("    %zu, %zu, %u, %u, %u,", shared, len, (unsigned)n->code >> 16,
           (unsigned)n->code >> 8 & 0xFF, (unsigned)n->code & 0xFF);
    for (size_t i = 0; i < len; i++)
        printf(" %d,", rest[i]);
    printf("\n");
    return 5 + len;
}

static void print_names(const Names *names)
{
    static uint32_t blocks[MAX_NAMES / UNICODE_NAME_BLOCK + 1];
    uint32_t size = 0;
    printf("const unsigned char unicode_name_bytes[] = {\n");
    for (size_t i = 0; i < names->len; i++) {
        bool head = i % UNICODE_NAME_BLOCK == 0;
        if (head)
            blocks[i / UNICODE_NAME_BLOCK] = size;
        size_t shared = head ? 0 : shared_prefix(names->at[i - 1].text, names->at[i].text);
        size += (uint32_t)print_entry(&names->at[i], shared);
    }
    printf("};\n\nconst uint32_t unicode_name_blocks[] = {\n");
    for (size_t i = 0; i < names->len; i += UNICODE_NAME_BLOCK)
        printf("    %u,\n", (unsigned)blocks[i / UNICODE_NAME_BLOCK]);
    printf("};\n\nconst size_t unicode_name_count = %zu;\n", names->len);
}

int main(int argc, char **argv)
{
    static Ranges start, follow, ideographs;
    static Names names;
    if (argc != 2) {
        fprintf(stderr, "usage: unigen DIRECTORY >unicode_tables.c\n");
        return 2;
    }
    read_property(argv[1], "XID_Start", &start);
    read_property(argv[1], "XID_Continue", &follow);
    read_names(argv[1], &names, &ideographs);
    read_aliases(argv[1], &names);
    qsort(names.at, names.len, sizeof names.at[0], by_text);

    printf("// Written by unigen from the Unicode Character Database.\n\n"
           "#include \"compiler/front/unicode_tables.h\"\n\n");
    print_ranges("unicode_xid_start", &start);
    print_ranges("unicode_xid_continue", &follow);
    print_ranges("unicode_ideographs", &ideographs);
    print_names(&names);
    return ferror(stdout) || fflush(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
