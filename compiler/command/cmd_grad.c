// cmd_grad.c - `grad FILE:FUNCTION`: the derivative of a function of a plain Python file, or of a
// local function of a choreography.

#include <string.h>

#include "compiler/base/table.h"
#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/emit/grad_text.h"
#include "compiler/ir/free_names.h"
#include "compiler/pass/ad/partial.h"
#include "compiler/pass/ad/diff.h"
#include "compiler/pass/ad/mode.h"

// ---- the command line ----

static SymList names_between_commas(Session *s, const char *text)
{
    Vec(Sym) names = {0};
    while (text != NULL && *text != '\0') {
        size_t len = strcspn(text, ",");
        if (len > 0)
            vec_push(s->arena, &names, names_intern(s->names, text, len));
        text += len + (text[len] == ',');
    }
    return (SymList){names.at, names.len};
}

static Status report_usage(Session *s, const char *text, const char *help)
{
    diag_help(session_report(s, DIAG_USAGE, "%s", text), "%s", help);
    return STATUS_USAGE;
}

// The suffix of the output says in which language it is.
static bool suffix_agrees(const Session *s)
{
    const char *path = s->options.value[OPTION_OUTPUT], *target = s->options.value[OPTION_TARGET];
    size_t len = path ? strlen(path) : 0;
    bool c = len > 2 && strcmp(path + len - 2, ".c") == 0;
    bool python = len > 3 && strcmp(path + len - 3, ".py") == 0;
    if (target == NULL)
        return true;
    return strcmp(target, "c") == 0 ? !python : !c;
}

static bool wants_c(const Session *s)
{
    const char *path = s->options.value[OPTION_OUTPUT], *target = s->options.value[OPTION_TARGET];
    size_t len = path ? strlen(path) : 0;
    return (target && strcmp(target, "c") == 0) || (len > 2 && strcmp(path + len - 2, ".c") == 0);
}

// Cuts `FILE:FUNCTION`; what is left as operand is the file, which no output may replace.
static Status read_operand(Session *s, GradRequest *r)
{
    const char *operand = s->options.operands.at[0], *colon = strrchr(operand, ':');
    if (colon == NULL || colon == operand || colon[1] == '\0')
        return report_usage(s, names_format(s->names, "`%s` does not name %s", operand,
                                            colon == operand ? "a file" : "a function"),
                            "write the file and the function: `pychoralc grad FILE:FUNCTION`");
    s->options.operands.at[0] = arena_strndup(s->arena, operand, (size_t)(colon - operand));
    r->function = names_get(s->names, colon + 1);
    return STATUS_DONE;
}

static Status read_request(Session *s, GradRequest *r)
{
    const char *mode = s->options.value[OPTION_MODE];
    Status status = read_operand(s, r);
    if (status != STATUS_DONE)
        return status;
    if (!suffix_agrees(s))
        return report_usage(s, "`--target` does not match the suffix of the output file",
                            "remove `--target`, or change the suffix");
    Mode term;
    r->mode = mode && strcmp(mode, "tangent") == 0 ? GRAD_TANGENT
              : mode && strcmp(mode, "array") == 0 ? GRAD_ARRAY : GRAD_REVERSE;
    if (mode && mode_find(mode, &term)) {
        r->mode = GRAD_TERM;
        r->term = (int)term;
    }
    r->c = wants_c(s);
    r->sparse = s->options.value[OPTION_SPARSE] != NULL;
    r->split = s->options.value[OPTION_SPLIT] != NULL;
    r->wrt = names_between_commas(s, s->options.value[OPTION_WRT]);
    if (s->options.value[OPTION_WRT] != NULL && r->wrt.len == 0)
        return report_usage(s, "`--wrt` names no parameter",
                            "name parameters, as in `--wrt=w,b`, or remove `--wrt`");
    return STATUS_DONE;
}

// ---- the command ----

// Of a function over arrays: all of it was made by the passes.
static Status write_arrays(Session *s, const Compilation *c)
{
    bool reverse = s->grad->mode == GRAD_REVERSE || s->grad->mode == GRAD_ARRAY;
    const char *unfit = !reverse
                            ? names_format(s->names, "--mode=%s", s->options.value[OPTION_MODE])
                        : s->grad->split ? "--split" : NULL;
    if (unfit != NULL)
        return report_usage(s, names_format(s->names, "`%s` is not supported for functions over "
                                            "arrays", unfit),
                            names_format(s->names, "remove `%s`", unfit));
    if (wants_c(s))
        return grad_write_array_c(s, c, s->grad);
    Buf b = buf_new(s->arena), text = buf_new(s->arena), renamed = buf_new(s->arena);
    ModuleText t = {.arena = s->arena, .names = s->names, .source_name = c->name,
                    .source_hash = session_source_hash(c), .runtime_module = "typing"};
    module_print_heading(&text, &t, "derivative");
    StmtList rest = module_print_imports(&text, &t, c->cx.units[PASS_NUMPY]->module.body);
    module_print_body(&text, &t, rest);
    module_merge(&b, s->arena, s->names, &text, &renamed);
    return session_write(s, s->options.value[OPTION_OUTPUT], &b);
}

// With the functions that its partials call.
static StmtList with_helpers(Session *s, const Unit *flat, StmtList made)
{
    SymList own = names_bound(s->arena, s->names, flat->endpoints.modules.at[0]->body);
    StmtList helpers = partial_helpers_for(s->arena, s->names, made, own);
    const Stmt **all = ARENA_ARRAY(s->arena, const Stmt *, made.len + helpers.len + 1);
    for (size_t i = 0; i < made.len + helpers.len; i++)
        all[i] = i < helpers.len ? helpers.at[i] : made.at[i - helpers.len];
    return (StmtList){all, made.len + helpers.len};
}

static bool is_free(SymList free, const Stmt *s)
{
    for (size_t i = 0; s->kind == STMT_FUNCTION_DEF && i < free.len; i++)
        if (free.at[i] == s->function_def.name)
            return true;
    return false;
}

// With the functions that it calls as they are and that the source has not: local ones, those of
// lists.
static StmtList with_callees(Session *s, StmtList flat, EndpointList source, StmtList made)
{
    Vec(const Stmt *) all = {0};
    Table *bound = table_new(s->arena);
    for (size_t m = 0; m < source.len; m++) {
        SymList names = names_bound(s->arena, s->names, source.at[m]->body);
        for (size_t i = 0; i < names.len; i++)
            table_set(bound, names.at[i], s);
    }
    for (size_t i = 0; i < made.len; i++)
        vec_push(s->arena, &all, made.at[i]);
    for (bool more = true; more;) {
        more = false;
        SymList free = names_free(s->arena, s->names, (StmtList){all.at, all.len});
        for (size_t i = 0; i < flat.len; i++)
            if (is_free(free, flat.at[i])
                && table_get(bound, flat.at[i]->function_def.name) == NULL) {
                vec_push(s->arena, &all, flat.at[i]);
                table_set(bound, flat.at[i]->function_def.name, s);
                more = true;
            }
    }
    return (StmtList){all.at, all.len};
}

// With the functions as they are flat, where those of the source do not do.
static const Unit *with_flat(Session *s, const Compilation *c, const ModuleText *t, Sym function,
                             const Unit *made)
{
    EndpointList flat = c->cx.units[PASS_FLAT]->endpoints.modules;
    StmtList body = made->endpoints.modules.at[0]->body;
    Vec(const Stmt *) all = {0};
    if (!grad_text_calls_changed(t, function, c->cx.units[PASS_PROJECT]->endpoints.modules, flat,
                                 body))
        return made;
    for (size_t i = 0; i < flat.at[0]->body.len; i++)
        if (flat.at[0]->body.at[i]->kind == STMT_FUNCTION_DEF)
            vec_push(s->arena, &all, flat.at[0]->body.at[i]);
    for (size_t i = 0; i < body.len; i++)
        vec_push(s->arena, &all, body.at[i]);
    const Endpoint **module = ARENA_NEW(s->arena, const Endpoint *);
    *module = endpoint_new(s->arena, flat.at[0]->role, (StmtList){all.at, all.len},
                           (SymList){0}, (SymList){0}, (FragmentList){0});
    return unit_endpoints(s->arena, (EndpointList){0}, (EndpointList){module, 1}, (SiteList){0});
}

static Status write_python(Session *s, const Compilation *c, const GradRequest *r)
{
    Buf b = buf_new(s->arena);
    EndpointList source = c->cx.units[PASS_PROJECT]->endpoints.modules;
    const Unit *made = tape_lists(s->arena, s->names, c->cx.units[PASS_DIFF], true);
    ModuleText t = {.arena = s->arena, .names = s->names, .source_name = c->name,
                    .source_hash = session_source_hash(c), .runtime_module = "typing"};
    const Unit *whole = with_flat(s, c, &t, r->function, made);
    bool flat = whole != made;
    made = value_objects(s->arena, s->names, whole, source, r);
    StmtList all = made->endpoints.modules.at[0]->body;
    if (!flat)
        all = with_callees(s, c->cx.units[PASS_FLAT]->endpoints.modules.at[0]->body, source, all);
    emit_grad(&b, &t, r->function, source,
              with_helpers(s, c->cx.units[PASS_FLAT], all));
    return session_write(s, s->options.value[OPTION_OUTPUT], &b);
}

// One of the seven: what `pychoral.ad` has is imported.
static Status write_term(Session *s, const Compilation *c, const GradRequest *r)
{
    Buf b = buf_new(s->arena);
    ModuleText t = {.arena = s->arena, .names = s->names, .source_name = c->name,
                    .source_hash = session_source_hash(c), .runtime_module = "pychoral.ad"};
    emit_term(&b, &t, mode_name((Mode)r->term), c->cx.units[PASS_MODE]);
    return session_write(s, s->options.value[OPTION_OUTPUT], &b);
}

static Status differentiate(Session *s, GradRequest *r)
{
    Compilation c;
    bool term = r->mode == GRAD_TERM;
    if (term && (wants_c(s) || r->split)) {
        const char *what = r->split ? "`--split`"
                           : s->options.value[OPTION_TARGET] ? "`--target=c`" : "a `.c` file";
        return report_usage(s, names_format(s->names, "%s is not supported with `--mode=%s`", what,
                                            mode_name((Mode)r->term)),
                            r->split ? "remove `--split` or `--mode`"
                            : "remove `--mode`, or write the derivative in Python");
    }
    if (r->split && r->mode == GRAD_TANGENT)
        return report_usage(s, "`--split` is not supported with `--mode=tangent`, which has only a "
                            "forward sweep",
                            "remove `--mode` or `--split`");
    Status status = session_compile_plain(s, s->options.operands.at[0],
                                          term ? PASS_MODE : PASS_DIFF, &c);
    if (status != STATUS_DONE)
        return status;
    if (c.cx.array != NULL)
        return write_arrays(s, &c);
    if (r->sparse)
        return report_usage(s, "`--sparse` is supported only for functions over arrays",
                            "remove `--sparse`");
    if (wants_c(s))
        return grad_write_c(s, &c, r);
    if (term)
        return write_term(s, &c, r);
    return write_python(s, &c, r);
}

// `--check` without `-o`: the output goes to a folder that is removed behind it.
static Status compare_apart(Session *s, const GradRequest *r)
{
    const char *folder, *why;
    if (!folder_make_temporary(s->arena, "pychoralc", &folder, &why)) {
        session_report(s, DIAG_OUTPUT_FAILED, "cannot create a temporary folder: %s", why);
        return STATUS_FILE;
    }
    s->options.value[OPTION_OUTPUT] =
        path_join(s->arena, folder, r->c ? "derivative.c" : "derivative.py");
    s->options.value[OPTION_QUIET] = "";
    Status status = differentiate(s, (GradRequest *)r);
    if (status == STATUS_DONE)
        status = grad_compare(s, r);
    folder_remove(s->arena, folder);
    return status;
}

Status cmd_grad(Session *s)
{
    GradRequest request = {0};
    Status status = read_request(s, &request);
    const char *output = s->options.value[OPTION_OUTPUT];
    bool compare = s->options.value[OPTION_COMPARE] != NULL;
    if (status != STATUS_DONE)
        return status;
    s->grad = &request;
    if (compare && request.mode == GRAD_TERM)
        return report_usage(s, names_format(s->names, "`--check` does not support `--mode=%s`",
                                            mode_name((Mode)request.term)),
                            "remove `--mode` or `--check`");
    if (compare && request.sparse)
        return report_usage(s, "`--check` does not support `--sparse`",
                            "remove `--sparse` or `--check`");
    if (compare && request.split)
        return report_usage(s, "`--check` does not support `--split`",
                            "remove `--split` or `--check`");
    if (compare && (output == NULL || strcmp(output, "-") == 0))
        return compare_apart(s, &request);
    status = differentiate(s, &request);
    return compare && status == STATUS_DONE ? grad_compare(s, &request) : status;
}
