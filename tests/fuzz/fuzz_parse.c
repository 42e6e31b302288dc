// fuzz_parse.c - libFuzzer target: arbitrary bytes through the whole compiler.
//
// Decodes, parses, prints the tree, checks and projects with the verifier on, and prints what was
// reported. A crash, a leak, a hang or a form that a pass must not make ends the run.

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "compiler/base/diag_out.h"
#include "compiler/emit/python.h"
#include "compiler/front/front.h"
#include "compiler/pass/pass.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compile(PassCx *cx, Text bytes)
{
    cx->source = front_decode(cx->arena, "fuzz", bytes, cx->diags);
    if (cx->source == NULL)
        return;
    diags_set_source(cx->diags, cx->source);
    pass_run(cx, PASS_PROJECT);
    if (cx->broken_form)
        abort();
    if (cx->units[PASS_PARSE]) {
        Buf text = buf_new(cx->arena);
        emit_python_unit(&text, cx->units[PASS_PARSE], (PythonOptions){.source = cx->source});
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_new();
    PassCx cx = {.arena = arena, .names = names_new(arena), .diags = diags_new(arena),
                 .verify = true};
    cx.entry = names_get(cx.names, "main");
    compile(&cx, (Text){(const char *)data, size});
    Buf messages = buf_new(arena);
    diag_print_all(&messages, cx.diags, (DiagStyle){.explain = true});
    arena_free(arena);
    return 0;
}
