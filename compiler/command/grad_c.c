// grad_c.c - a derivative in C: NAME.c, its header, and the Python module that calls it.

#include <string.h>

#include "compiler/base/table.h"
#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/emit/kernel/kernel.h"
#include "compiler/pass/ad/array_program.h"
#include "compiler/ir/free_names.h"
#include "compiler/pass/ad/diff.h"
#include "compiler/pass/ad/partial.h"

// The functions as they are written, in first-order form, and those of the derivative.
static StmtList all_statements(Session *s, const Compilation *c)
{
    const PassId passes[] = {PASS_FLAT, PASS_DIFF};
    Vec(const Stmt *) all = {0};
    Table *known = table_new(s->arena);
    for (size_t p = 0; p < 2; p++) {
        StmtList body = c->cx.units[passes[p]]->endpoints.modules.at[0]->body;
        for (size_t i = 0; i < body.len; i++) {
            const Stmt *st = body.at[i];
            Sym name = st->kind == STMT_FUNCTION_DEF ? st->function_def.name
                       : st->kind == STMT_CLASS_DEF ? st->class_def.name : NULL;
            if (name != NULL && table_get(known, name) != NULL)
                continue;
            if (name != NULL)
                table_set(known, name, s);
            vec_push(s->arena, &all, st);
        }
    }
    SymList own = names_bound(s->arena, s->names, (StmtList){all.at, all.len});
    StmtList helpers = partial_helpers_for(s->arena, s->names, (StmtList){all.at, all.len}, own);
    for (size_t i = 0; i < helpers.len; i++)
        vec_push(s->arena, &all, helpers.at[i]);
    return (StmtList){all.at, all.len};
}

static const char *stem_of(Session *s, const char *path)
{
    if (path == NULL || strcmp(path, "-") == 0)
        return NULL;
    const char *name = path_base(path);
    return arena_strndup(s->arena, name, strlen(name) - 2);
}

static const char *beside(Session *s, const char *path, const char *suffix)
{
    Buf name = buf_new(s->arena);
    buf_printf(&name, "%.*s%s", (int)strlen(path) - 2, path, suffix);
    return buf_text(&name);
}

static Status write_beside(Session *s, const char *path, const char *suffix, const char *text)
{
    Buf b = buf_new(s->arena);
    buf_raw(&b, text, strlen(text));
    return session_write(s, beside(s, path, suffix), &b);
}

static Status write_all(Session *s, const KernelText *text)
{
    const char *path = s->options.value[OPTION_OUTPUT];
    Buf b = buf_new(s->arena);
    buf_raw(&b, text->body, strlen(text->body));
    if (text->twin == NULL)
        return session_write(s, path, &b);
    if (!session_may_write(s, path, true) || !session_may_write(s, beside(s, path, ".h"), true)
        || !session_may_write(s, beside(s, path, ".py"), true))
        return STATUS_FILE;
    Status status = session_write(s, path, &b);
    if (status == STATUS_DONE)
        status = write_beside(s, path, ".h", text->header);
    return status == STATUS_DONE ? write_beside(s, path, ".py", text->twin) : status;
}

// Of a function over arrays: the loops that `nest` made.
Status grad_write_array_c(Session *s, const Compilation *c, const GradRequest *r)
{
    Buf heading = buf_new(s->arena);
    ModuleText t = {.arena = s->arena, .names = s->names, .source_name = c->name,
                    .source_hash = session_source_hash(c), .runtime_module = "typing"};
    module_print_heading(&heading, &t, "derivative");
    KernelOptions o = {
        .source = c->cx.source, .stem = stem_of(s, s->options.value[OPTION_OUTPUT]),
        .heading = buf_text(&heading) + strlen("# "), .public = array_program_public(c->cx.array),
        .module = &t, .function = r->function, .arrays = true,
        .calling = array_program_twin(c->cx.array)};
    o.sets = array_program_sets(c->cx.array, &o.sets_len);
    KernelText text;
    if (!emit_kernel(s->arena, s->names, s->diags, c->cx.units[PASS_NEST]->module.body, &o, &text))
        return STATUS_ERRORS;
    return write_all(s, &text);
}

Status grad_write_c(Session *s, const Compilation *c, const GradRequest *r)
{
    const char *kind = r->split ? "fwd" : r->mode == GRAD_TANGENT ? "jvp" : "value_and_grad";
    const Sym public[] = {r->function, names_format(s->names, "%s_%s", r->function, kind),
                          names_format(s->names, "%s_rev", r->function)};
    const Sym python[] = {names_format(s->names, "%s_grad", r->function)};
    StmtList all = all_statements(s, c);
    Buf heading = buf_new(s->arena);
    ModuleText t = {.arena = s->arena, .names = s->names, .source_name = c->name,
                    .source_hash = session_source_hash(c), .runtime_module = "typing"};
    module_print_heading(&heading, &t, "derivative");
    KernelOptions o = {
        .source = c->cx.source, .stem = stem_of(s, s->options.value[OPTION_OUTPUT]),
        .heads = value_heads(s->arena, s->names, all),
        .heading = buf_text(&heading) + strlen("# "), .public = {public, r->split ? 3 : 2},
        .python = {python, 1}, .saved = r->split ? diff_saved_name(s->names, r->function) : NULL,
        .module = &t, .modules = c->cx.units[PASS_PROJECT]->endpoints.modules, .wrt = r->wrt,
        .function = r->function};
    KernelText text;
    if (!emit_kernel(s->arena, s->names, s->diags, all, &o, &text))
        return STATUS_ERRORS;
    return write_all(s, &text);
}
