// terms.c - the seven transformations without the command line.
//
//   terms MODE FILE FUNCTION           the function in the mode, as Python; MODE `core`: as a term
//   terms --forms MODE FILE FUNCTION   the same as exact text of the IR, with canonical names
//   terms --equal < TERMS              one term on each line: both translators make one program

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/diag_out.h"
#include "compiler/emit/python.h"
#include "compiler/front/front.h"
#include "compiler/pass/ad/mode.h"
#include "compiler/pass/pass.h"

static Text read_all(Arena *a, FILE *in)
{
    Buf b = buf_new(a);
    char part[4096];
    for (size_t n; (n = fread(part, 1, sizeof part, in)) > 0;)
        buf_raw(&b, part, n);
    return (Text){buf_text(&b), b.len};
}

static int complain(Arena *a, const Diags *diags)
{
    Buf b = buf_new(a);
    DiagOut *out = diag_out_new(a, (DiagStyle){0});
    diag_out_add(out, &b, diags);
    fputs(buf_text(&b), stderr);
    return 1;
}

// The functions of a unit as one term, so that names can be made canonical.
static void print_forms(Arena *a, Names *names, Buf *b, const Unit *unit)
{
    for (size_t i = 0; i < unit->module.body.len; i++) {
        const Stmt *s = unit->module.body.at[i];
        if (s->kind != STMT_FUNCTION_DEF || s->function_def.body.at[0]->kind != STMT_RETURN)
            continue;
        const Expr *f = expr_lambda(a, (Span){0, 0}, s->function_def.args,
                                    s->function_def.body.at[0]->return_.value);
        ir_print_expr(b, mode_canonical(a, names, f));
        buf_putc(b, '\n');
    }
}

static int transform(Arena *a, bool forms, char **argv)
{
    PassCx cx = {.arena = a, .names = names_new(a), .diags = diags_new(a), .plain = true,
                 .verify = true};
    FILE *in = fopen(argv[1], "rb");
    if (in == NULL)
        return 3;
    cx.source = front_decode(a, argv[1], read_all(a, in), cx.diags);
    fclose(in);
    diags_set_source(cx.diags, cx.source);
    cx.entry = names_get(cx.names, argv[2]);
    GradRequest request = {.function = cx.entry, .mode = GRAD_TERM};
    cx.grad = &request;
    bool desugar = strcmp(argv[0], "desugar") == 0, core = desugar || strcmp(argv[0], "core") == 0;
    Mode mode = MODE_IDENTITY;
    if (!core && !mode_find(argv[0], &mode))
        return 2;
    request.term = (int)mode;
    PassId last = desugar ? PASS_DESUGAR : core ? PASS_CORE : PASS_MODE;
    if (!pass_run(&cx, last)) {
        if (cx.broken_form != NULL)
            fprintf(stderr, "broken: %s after %s\n", cx.broken_form, pass_name(cx.broken_pass));
        return complain(a, cx.diags);
    }
    Buf b = buf_new(a);
    if (forms)
        print_forms(a, cx.names, &b, cx.units[last]);
    else
        emit_python_unit(&b, cx.units[last], (PythonOptions){0});
    fputs(buf_text(&b), stdout);
    return 0;
}

static const char *in_mode(Arena *a, Names *names, Mode mode, const Expr *term, bool *known)
{
    Buf b = buf_new(a);
    Diags *diags = diags_new(a);
    const Expr *made = mode_term(a, names, diags, mode, term);
    *known = diags_error_count(diags) == 0;
    ir_print_expr(&b, mode_canonical(a, names, made));
    return buf_text(&b);
}

static bool agree(Arena *a, Names *names, const Expr *term, Mode mode, Mode meta, size_t *count)
{
    bool known, also;
    const char *one = in_mode(a, names, mode, term, &known);
    const char *other = in_mode(a, names, meta, term, &also);
    *count += known;
    if (known == also && strcmp(one, other) == 0)
        return true;
    printf("%s differs from %s:\n  %s\n  %s\n", mode_name(mode), mode_name(meta), one, other);
    return false;
}

static int compare_all(Arena *a)
{
    static char line[1 << 20];
    size_t terms = 0, differ = 0, plain = 0, reals = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *error = NULL;
        Names *names = names_new(a);
        const Expr *term = ir_read_expr(a, names, (Text){line, strcspn(line, "\n")}, &error);
        if (term == NULL) {
            printf("no term: %s: %.200s\n", error, line);
            return 1;
        }
        terms++;
        bool same = agree(a, names, term, MODE_CPS, MODE_CPS_META, &plain)
                    && agree(a, names, term, MODE_REVERSE_CPS, MODE_REVERSE_CPS_META, &reals);
        if (!same)
            printf("  of %s", line);
        differ += !same;
        arena_reset(a);
    }
    printf("%zu terms, %zu whole in cps, %zu in reverse-cps, %zu differ\n", terms, plain, reals,
           differ);
    return differ > 0;
}

int main(int argc, char **argv)
{
    Arena *a = arena_new();
    int status = 2;
    if (argc == 2 && strcmp(argv[1], "--equal") == 0)
        status = compare_all(a);
    else if (argc == 5 && strcmp(argv[1], "--forms") == 0)
        status = transform(a, true, argv + 2);
    else if (argc == 4)
        status = transform(a, false, argv + 1);
    else
        fputs("usage: terms MODE FILE FUNCTION, terms --equal\n", stderr);
    arena_free(a);
    return status;
}
