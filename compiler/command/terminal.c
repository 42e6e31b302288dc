// terminal.c - finds readers in the projected programs: a role reads if its program mentions
// Python's own `input`, or `sys.stdin`.

#include "compiler/command/terminal.h"

#include <string.h>
#include <unistd.h>

#include "compiler/ir/free_names.h"

// ---- what a program mentions ----

typedef struct Reading { bool sys, stdin_of_sys; } Reading;

static bool note_expr(void *cx, const Expr *e)
{
    Reading *r = cx;
    if (e->kind == EXPR_ATTRIBUTE && strcmp(e->attribute.attr, "stdin") == 0
        && e->attribute.value->kind == EXPR_NAME
        && strcmp(e->attribute.value->name.id, "sys") == 0)
        r->stdin_of_sys = true;
    return true;
}

static bool note_stmt(void *cx, const Stmt *s)
{
    Reading *r = cx;
    for (size_t i = 0; s->kind == STMT_IMPORT && i < s->import.names.len; i++)
        r->sys |= strcmp(s->import.names.at[i]->name, "sys") == 0;
    for (size_t i = 0; s->kind == STMT_IMPORT_FROM && i < s->import_from.names.len; i++)
        r->stdin_of_sys |= s->import_from.module && strcmp(s->import_from.module, "sys") == 0
                           && strcmp(s->import_from.names.at[i]->name, "stdin") == 0;
    return true;
}

static bool has(SymList names, const char *name)
{
    for (size_t i = 0; i < names.len; i++)
        if (strcmp(names.at[i], name) == 0)
            return true;
    return false;
}

static bool reads(Session *s, const Endpoint *e)
{
    Reading found = {false, false};
    IrWalker w = {.cx = &found, .stmt = note_stmt, .expr = note_expr};
    ir_walk_stmts(&w, e->body);
    return (found.sys && found.stdin_of_sys)
           || (has(names_free(s->arena, s->names, e->body), "input")
               && !has(names_bound(s->arena, s->names, e->body), "input"));
}

// ---- who has it ----

static const char *input_of(const Session *s, const char *role)
{
    const char *given = NULL;
    for (size_t i = 0; i < s->options.role_options.len; i++) {
        const RoleOption *option = &s->options.role_options.at[i];
        if (strcmp(option->role, role) == 0 && strcmp(option->parameter, "stdin") == 0)
            given = option->value;
    }
    return given;
}

typedef Vec(const char *) RoleList;

// Those that ask for it, or (`asks` is false) those that read and have no other input.
static RoleList candidates(Session *s, const Compilation *c, bool asks)
{
    RoleList found = {0};
    EndpointList endpoints = c->cx.units[PASS_PROJECT]->endpoints.endpoints;
    for (size_t i = 0; i < endpoints.len; i++) {
        const char *input = input_of(s, endpoints.at[i]->role);
        if (asks ? input && strcmp(input, "-") == 0
                 : input == NULL && reads(s, endpoints.at[i]))
            vec_push(s->arena, &found, endpoints.at[i]->role);
    }
    return found;
}

bool terminal_reader(Session *s, const Compilation *c, const char **reader)
{
    RoleList found = candidates(s, c, true);
    bool asked = found.len > 0;
    if (!asked && isatty(STDIN_FILENO))
        found = candidates(s, c, false);
    *reader = found.len == 1 ? found.at[0] : NULL;
    if (found.len < 2)
        return true;
    Diag *d = session_report(s, DIAG_USAGE, "%s and %s both read standard input, but only one role "
                             "can read it", found.at[0], found.at[1]);
    diag_help(d, asked ? "redirect the standard input of the other role: `--%s.stdin FILE`"
                       : "redirect the standard input of the other roles: `--%s.stdin FILE` or "
                         "`/dev/null`", found.at[1]);
    return false;
}
