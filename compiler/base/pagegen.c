// pagegen.c - a host tool: the pages explain/CODE.md as rows of a C table.
//
//   pagegen FILE... > diag_pages.inc
//
// A row is {"CODE", "text"}. C11 promises no literal of more than 4095 bytes; a page that is longer
// is refused, since nobody reads it either.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4095 };

static int put_page(const char *path, FILE *in)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int c, count = 0, at_start = 1;
    printf("    {\"%.*s\",", (int)strcspn(name, "."), name);
    while ((c = getc(in)) != EOF) {
        if (at_start)
            printf("\n     \"");
        at_start = c == '\n';
        if (c == '\n')
            printf("\\n\"");
        else
            printf(c == '"' || c == '\\' ? "\\%c" : "%c", c);
        count++;
    }
    printf("%s},\n", at_start ? "" : "\"");
    return count;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *in = fopen(argv[i], "rb");
        if (in == NULL) {
            perror(argv[i]);
            return EXIT_FAILURE;
        }
        if (put_page(argv[i], in) > LONGEST) {
            fprintf(stderr, "%s: longer than %d bytes\n", argv[i], LONGEST);
            return EXIT_FAILURE;
        }
        fclose(in);
    }
    return ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
