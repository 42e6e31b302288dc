// stubgen.c - a host tool: the stub files as bytes in C, and where each of their names is defined.
//
//   stubgen FILE.pyi... > stubs.inc
//
// A row is {"module", bytes, parts, number of parts}; the module is the file's name, `os.path.pyi`
// for os.path. A part is {"name", start, length}: a definition at the top level of the stub with
// its decorators and overloads, an assignment, or an import; "*" for an import of all names.

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Part { const char *name; int name_len; size_t start; } Part;
typedef struct File { char *text; size_t len; Part *parts; size_t count; } File;

static _Noreturn void fail(const char *path, const char *what)
{
    fprintf(stderr, "stubgen: %s: %s\n", path, what);
    exit(EXIT_FAILURE);
}

static void *room(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);
    if (p == NULL)
        fail("memory", "there is no more");
    return p;
}

static File read_file(const char *path)
{
    FILE *in = fopen(path, "rb");
    File f = {0};
    long size;
    if (in == NULL || fseek(in, 0, SEEK_END) != 0 || (size = ftell(in)) < 0)
        fail(path, "cannot be read");
    rewind(in);
    f.len = (size_t)size;
    f.text = room(f.len, 1);
    if (fread(f.text, 1, f.len, in) != f.len)
        fail(path, "cannot be read");
    fclose(in);
    return f;
}

// ---- parts ----

static int word_len(const char *p)
{
    int n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    return n;
}

static const char *after(const char *line, const char *word)
{
    size_t n = strlen(word);
    return strncmp(line, word, n) == 0 ? line + n : NULL;
}

// What a line at the top level defines; NULL: it goes on, or is a decorator, a comment, or empty.
static const char *find_name(const char *line)
{
    static const char *const HEADS[] = {"class ", "def ", "async def ", "import ", NULL};
    const char *name;
    for (int i = 0; HEADS[i] != NULL; i++)
        if ((name = after(line, HEADS[i])) != NULL)
            return name;
    if (after(line, "from ") != NULL) {
        const char *end = strchr(line, '\n'), *as;
        name = strstr(line, " import ") + strlen(" import ");
        as = strstr(name, " as ");
        return as != NULL && as < end ? as + strlen(" as ") : name;
    }
    return word_len(line) > 0 ? line : NULL;
}

static bool same_name(const Part *p, const char *name, int len)
{
    return p->name_len == len && strncmp(p->name, name, (size_t)len) == 0;
}

static void add_part(File *f, const char *path, const char *name, size_t start)
{
    int len = *name == '*' ? 1 : word_len(name);
    Part *last = f->count > 0 ? &f->parts[f->count - 1] : NULL;
    if (len == 0)
        fail(path, "what is defined here?");
    if (last != NULL && *name != '*' && same_name(last, name, len))
        return;                         // one more overload
    for (size_t i = 0; *name != '*' && i < f->count; i++)
        if (same_name(&f->parts[i], name, len))
            fail(path, "a name is defined in two places");
    f->parts[f->count++] = (Part){name, len, start};
}

static void find_parts(File *f, const char *path)
{
    size_t start = 0;                   // of the part to come, with its decorators
    bool decorated = false;
    f->parts = room(f->len, sizeof *f->parts);
    for (const char *line = f->text; *line != '\0'; line = strchr(line, '\n') + 1) {
        const char *name = *line == '@' ? NULL : find_name(line);
        if (strchr(line, '\n') == NULL)
            fail(path, "the last line has no end");
        if (!decorated && (*line == '@' || name != NULL))
            start = (size_t)(line - f->text);
        if (name != NULL)
            add_part(f, path, name, start);
        decorated = *line == '@' || (decorated && name == NULL);
    }
}

// ---- what is written ----

static void print_file(const File *f, int number)
{
    printf("static const unsigned char stub_%d[] = {", number);
    for (size_t i = 0; i < f->len; i++)
        printf(i % 24 == 0 ? "\n%d," : "%d,", (unsigned char)f->text[i]);
    printf("\n0};\nstatic const StubPart parts_%d[] = {\n", number);
    for (size_t i = 0; i < f->count; i++) {
        size_t end = i + 1 < f->count ? f->parts[i + 1].start : f->len;
        printf("    {\"%.*s\", %zu, %zu},\n", f->parts[i].name_len, f->parts[i].name,
               f->parts[i].start, end - f->parts[i].start);
    }
    printf("};\n");
}

int main(int argc, char **argv)
{
    File *files = room((size_t)argc, sizeof *files);
    for (int i = 1; i < argc; i++) {
        files[i] = read_file(argv[i]);
        find_parts(&files[i], argv[i]);
        print_file(&files[i], i);
    }
    printf("static const Stub STUBS[] = {\n");
    for (int i = 1; i < argc; i++) {
        const char *slash = strrchr(argv[i], '/'), *name = slash != NULL ? slash + 1 : argv[i];
        printf("    {\"%.*s\", stub_%d, parts_%d, %zu},\n", (int)(strlen(name) - 4), name, i, i,
               files[i].count);
        free(files[i].text);
        free(files[i].parts);
    }
    printf("};\n");
    free(files);
    return ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
