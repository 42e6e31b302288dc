// bench_parse.c - times decoding and parsing of the files named on standard input, one a line.
//
// Reads all of them first; prints the seconds that the front end took for all together.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compiler/base/vec.h"
#include "compiler/front/front.h"

enum { NAME_MAX_LENGTH = 4096 };

static Text read_file(Arena *a, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(EXIT_FAILURE);
    }
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *bytes = arena_alloc(a, size + 1);
    size_t len = fread(bytes, 1, size, file);
    fclose(file);
    return (Text){bytes, len};
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void parse(Arena *a, Text bytes)
{
    arena_reset(a);
    Diags *diags = diags_new(a);
    const Source *source = front_decode(a, "file", bytes, diags);
    if (source != NULL)
        front_parse(a, names_new(a), source, diags);
}

int main(void)
{
    Arena *files = arena_new(), *work = arena_new();
    Vec(Text) texts = {0};
    char name[NAME_MAX_LENGTH];
    while (fgets(name, sizeof name, stdin)) {
        name[strcspn(name, "\n")] = '\0';
        Text bytes = read_file(files, name);
        vec_push(files, &texts, bytes);
    }
    double start = now();
    for (size_t i = 0; i < texts.len; i++)
        parse(work, texts.at[i]);
    printf("%.6f\n", now() - start);
    arena_free(work);
    arena_free(files);
    return 0;
}
