// stubgen.c - a host tool: the stub files as bytes in C.
//
//   stubgen FILE.pyi... > stubs.inc
//
// A row is {"module", bytes, length}; the module is the file's name, `os.path.pyi` for os.path.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t put_bytes(FILE *in, int number)
{
    int c;
    size_t n = 0;
    printf("static const unsigned char stub_%d[] = {", number);
    while ((c = getc(in)) != EOF)
        printf(n++ % 24 == 0 ? "\n%d," : "%d,", c);
    printf("\n0};\n");
    return n;
}

int main(int argc, char **argv)
{
    size_t *sizes = calloc((size_t)argc, sizeof *sizes);
    if (sizes == NULL)
        return EXIT_FAILURE;
    for (int i = 1; i < argc; i++) {
        FILE *in = fopen(argv[i], "rb");
        if (in == NULL) {
            perror(argv[i]);
            return EXIT_FAILURE;
        }
        sizes[i] = put_bytes(in, i);
        fclose(in);
    }
    printf("static const Stub STUBS[] = {\n");
    for (int i = 1; i < argc; i++) {
        const char *slash = strrchr(argv[i], '/'), *name = slash != NULL ? slash + 1 : argv[i];
        printf("    {\"%.*s\", stub_%d, %zu},\n", (int)(strlen(name) - 4), name, i, sizes[i]);
    }
    printf("};\n");
    free(sizes);
    return ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
