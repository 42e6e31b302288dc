// array_tool.c - the passes of array functions without the rest of the compiler, for tests.
//
//     array_tool STAGE < list
//
// The list has lines `FILE FUNCTION OUTPUT`; for each the text after the stage (stage, bulk,
// simplify, gradient, tidy, numpy, nest, or delta) is written to OUTPUT, and a line to standard
// output: `ok`, or the code and the headline of the first error. With `all`, each stage is written
// to OUTPUT.STAGE. `array_tool all SEED` has the rules of simplify run before simplify and before
// tidy too, at random positions in random order, until no rule changes anything.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/diag.h"
#include "compiler/emit/python.h"
#include "compiler/front/front.h"
#include "compiler/pass/ad/array_program_internal.h"
#include "compiler/pass/ad/simplify_internal.h"

typedef const Unit *StageFn(ArrayProgram *p);

static const struct { const char *name; StageFn *run; } stages[] = {
    {"stage", array_program_stage}, {"bulk", array_program_bulk},
    {"simplify", array_program_simplify}, {"gradient", array_program_gradient},
    {"tidy", array_program_tidy}, {"numpy", array_program_numpy},
    {"nest", array_program_nest},
};

static char *read_file(Arena *a, const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    char *text = arena_alloc(a, 1 << 22);
    *len = f == NULL ? 0 : fread(text, 1, 1 << 22, f);
    if (f != NULL)
        fclose(f);
    return text;
}

static void write_text(const char *path, const char *text, size_t len)
{
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(text, 1, len, f) != len || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
}

static void write_stage(Arena *a, const Unit *unit, const char *stage, const char *output, bool all)
{
    char path[4096];
    Buf b = buf_new(a);
    snprintf(path, sizeof path, all ? "%s.%s" : "%s", output, stage);
    emit_python_unit(&b, unit, (PythonOptions){0});
    write_text(path, buf_text(&b), b.len);
}

// A term of a few, which is other ones in each round.
static const Expr *sometimes(TermPass *p, const Expr *e)
{
    return rand() % 3 == 0 ? simplify_here(p->terms, e) : e;
}

static ExprList in_disorder(ArrayProgram *p, ExprList roots, bool *changed)
{
    const Expr **at = ARENA_ARRAY(p->arena, const Expr *, roots.len + 1);
    TermPass pass = {.terms = p->t, .step = sometimes};
    for (size_t i = 0; i < roots.len; i++) {
        at[i] = term_rewrite(&pass, roots.at[i]);
        *changed = *changed || at[i] != roots.at[i];
    }
    return (ExprList){at, roots.len};
}

// False: there is no end.
static bool disorder(ArrayProgram *p)
{
    enum { ROUNDS = 400, QUIET = 12 };
    int quiet = 0;
    for (int round = 0; round < ROUNDS && quiet < QUIET; round++) {
        bool changed = false;
        p->roots = in_disorder(p, p->roots, &changed);
        p->checks = in_disorder(p, p->checks, &changed);
        quiet = changed ? 0 : quiet + 1;
    }
    return quiet == QUIET;
}

static void run(const char *wanted, bool random, const char *file, const char *function,
                const char *output)
{
    Arena *a = arena_new();
    Names *names = names_new(a);
    Diags *diags = diags_new(a);
    size_t len;
    const char *text = read_file(a, file, &len);
    const Source *source = front_decode(a, file, (Text){text, len}, diags);
    diags_set_source(diags, source);
    const Unit *unit = front_parse(a, names, source, diags);
    ArrayProgram *p = array_program_new(a, names, diags, unit, names_get(names, function),
                                        (SymList){NULL, 0});
    bool all = strcmp(wanted, "all") == 0;
    bool ends = true;
    for (size_t i = 0; p != NULL && ends && i < sizeof stages / sizeof *stages; i++) {
        bool simplifies = stages[i].run == array_program_simplify
                          || stages[i].run == array_program_tidy;
        ends = !random || !simplifies || disorder(p);
        const Unit *made = stages[i].run(p);
        if (all || strcmp(stages[i].name, wanted) == 0)
            write_stage(a, made, stages[i].name, output, all);
        if (strcmp(stages[i].name, "gradient") == 0 && (all || strcmp(wanted, "delta") == 0)) {
            char path[4096];
            const char *delta = array_program_delta(p);
            snprintf(path, sizeof path, all ? "%s.delta" : "%s", output);
            write_text(path, delta, strlen(delta));
        }
    }
    if (diags_error_count(diags) > 0)
        printf("%s %s\n", diag_code(diags_get(diags, 0)->id), diags_get(diags, 0)->text);
    else
        printf(!ends ? "the rules do not end\n" : p != NULL ? "ok\n" : "nothing\n");
    fflush(stdout);
    arena_free(a);
}

int main(int argc, char **argv)
{
    char file[2048], function[256], output[2048];
    bool random = argc == 3;
    if (random)
        srand((unsigned)atoi(argv[2]));
    while ((argc == 2 || random) && scanf("%2047s %255s %2047s", file, function, output) == 3)
        run(argv[1], random, file, function, output);
    return argc == 2 || random ? 0 : 2;
}
