// print.c - print, input; contracts in print.h.

#include "print.h"

#include "build.h"
#include "generated.h"
#include "process.h"
#include "stderr.h"

// ---- print ----

static const PychoralStr SPACE = PYCHORAL_CONSTANT(" ", PYCHORAL_ASCII);
static const PychoralStr NEWLINE = PYCHORAL_CONSTANT("\n", PYCHORAL_ASCII);

static bool write_out(PychoralTextIO *file, PychoralBuild *build)
{
    bool good = build->size == 0 || pychoral_textio_put(file, build->data, build->size);
    build->size = 0;
    return good;
}

// Adds str(value). What comes before is written first where that runs code of the program's, which
// may print as well.
static bool add_value(PychoralTextIO *file, PychoralBuild *build, PychoralRef value)
{
    value = pychoral_look(value.type, value.value);
    if (value.type->kind == PYCHORAL_STR) {
        const PychoralStr *str = *(PychoralStr *const *)value.value;
        if (str->head.flags & PYCHORAL_SURROGATES)  // which may fail, and then is all that is said
            return write_out(file, build) && pychoral_textio_put(file, str->data, str->size);
        pychoral_build_bytes(build, str->data, str->size);
        return true;
    }
    if (value.type->kind > PYCHORAL_STR && !write_out(file, build))
        return false;
    return pychoral_build_str(build, pychoral_str_of(value));
}

static bool add_values(PychoralTextIO *file, PychoralBuild *build, size_t count,
                       const PychoralRef *values, const PychoralStr *sep)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            pychoral_build_bytes(build, sep->data, sep->size);
        if (!add_value(file, build, values[i]))
            return false;
    }
    return true;
}

void pychoral_print(size_t count, const PychoralRef *values, const PychoralStr *sep,
                    const PychoralStr *end, PychoralTextIO *file, bool flush)
{
    PychoralBuild build = {NULL, 0, 0};
    file = file != NULL ? file : &pychoral_sys_stdout;
    end = end != NULL ? end : &NEWLINE;
    bool good = add_values(file, &build, count, values, sep != NULL ? sep : &SPACE);
    if (good) {
        pychoral_build_bytes(&build, end->data, end->size);
        good = write_out(file, &build);
    } else if (build.size > 0) {        // what comes before a failure has been printed
        PychoralException *raised = PYCHORAL_TAKE(pychoral_raised);
        if (write_out(file, &build))
            pychoral_raised = raised;
        else
            pychoral_release(&pychoral_type_BaseException, &raised);
    }
    pychoral_build_drop(&build);
    if (good && flush)
        pychoral_textio_flush(file);
}

bool pychoral_print_text(const char *text, size_t size)
{
    return pychoral_textio_put(&pychoral_sys_stdout, text, size);
}

void pychoral_print_flush(void) { pychoral_textio_flush(&pychoral_sys_stdout); }

void pychoral_print_to_stderr(PychoralRef value)
{
    PYCHORAL_OWNED(str) PychoralStr *text = pychoral_str_of(value);
    if (text != NULL) {
        pychoral_stderr_write(text->data, text->size);
        pychoral_stderr_puts("\n");
        return;
    }
    PychoralException *raised = PYCHORAL_TAKE(pychoral_raised);
    pychoral_release(&pychoral_type_BaseException, &raised);
}

void pychoral_print_items(const PychoralList *items, const PychoralStr *sep, const PychoralStr *end,
                          PychoralTextIO *file, bool flush)
{
    PychoralRef *values = pychoral_allocate(items->count * sizeof *values);
    for (size_t i = 0; i < items->count; i++)
        values[i] =
            (PychoralRef){&pychoral_type_object, (const PychoralAny *)items->items + i};
    pychoral_print(items->count, values, sep, end, file, flush);
    free(values);
}

// ---- input ----

// What `input` gave, as it is recorded: a str, or None for the end of input.
static const PychoralField LINE_MEMBERS[] = {
    {.type = &pychoral_type_none, .offset = 8},
    {.type = &pychoral_type_str, .offset = 8},
};
typedef struct Line {
    uint32_t member;
    union {
        PychoralNone none;
        PychoralStr *text;
    };
} Line;
static const PychoralType LINE = {.kind = PYCHORAL_UNION, .size = sizeof(Line), .count = 2,
                                  .fields = LINE_MEMBERS, .name = "str | None"};

static PychoralStr *end_of_input(void)
{
    pychoral_throw(&pychoral_type_EOFError, "EOF when reading a line");
    return NULL;
}

static bool show(PychoralRef prompt)
{
    PychoralBuild build = {NULL, 0, 0};
    bool good = prompt.type == NULL || (add_value(&pychoral_sys_stdout, &build, prompt) &&
                                        write_out(&pychoral_sys_stdout, &build));
    pychoral_build_drop(&build);
    if (good)
        pychoral_print_flush();
    return pychoral_raised == NULL;
}

// Without its newline.
static PychoralStr *shortened(PychoralStr *line)
{
    if (line->data[line->size - 1] != '\n')
        return line;
    PychoralStr *text = pychoral_str_new(line->data, line->size - 1);
    if (text == NULL)
        pychoral_no_memory();
    pychoral_release(&pychoral_type_str, &line);
    return text;
}

PychoralStr *pychoral_input(PychoralRef prompt)
{
    Line line = {0, {0}};
    if (pychoral_effect_replayed("builtins.input", &LINE, &line))
        return line.member == 1 ? line.text : end_of_input();
    if (pychoral_raised != NULL || !show(prompt))
        return NULL;
    PychoralStr *text = pychoral_textio_unrecorded_line(&pychoral_sys_stdin);
    if (text == NULL)
        return NULL;
    if (text->size > 0)
        line = (Line){1, {.text = shortened(text)}};
    else
        pychoral_release(&pychoral_type_str, &text);
    pychoral_effect_record("builtins.input", &LINE, &line);
    if (pychoral_raised != NULL)
        pychoral_release(&LINE, &line);
    else if (line.member == 1)
        return line.text;
    return pychoral_raised != NULL ? NULL : end_of_input();
}
