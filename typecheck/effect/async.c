// async.c - what to write instead of `async` and `await` in a choreography. It has no event loop: a
// message and a call of a choreography wait by themselves, and `time.sleep` does what
// `asyncio.sleep` does.

#include <string.h>

#include "compiler/ir/free_names.h"
#include "typecheck/internal.h"

// What is awaited, or called without `await`.
typedef enum Waiting {
    WAITING_ITSELF,             // a message, a choreography: it waits already
    WAITING_SLEEP,              // `asyncio.sleep(..)`
    WAITING_OWN,                // a coroutine of the file
    WAITING_OTHER,
} Waiting;

static Sym module_of_import(Program *p, Sym name) {
    const Decl *d = program_find(p, name);
    const Stmt *s = d != NULL && d->kind == DECL_IMPORT ? d->stmt : NULL;
    if (s == NULL) return NULL;
    return s->kind == STMT_IMPORT_FROM ? s->import_from.module : s->import.names.at[0]->name;
}

// `asyncio.sleep`, or `sleep` from there.
static bool is_sleep(Program *p, const Expr *f) {
    bool dotted = f->kind == EXPR_ATTRIBUTE && f->attribute.value->kind == EXPR_NAME;
    if (!dotted && f->kind != EXPR_NAME) return false;
    Sym module = module_of_import(p, dotted ? f->attribute.value->name.id : f->name.id);
    return module != NULL && sym_is(module, "asyncio") &&
        sym_is(dotted ? f->attribute.attr : f->name.id, "sleep");
}

static Waiting waiting_of_method(const Expr *f) {
    static const char *const METHODS[] = {"com", "select", "share", NULL};
    bool own = f->attribute.value->kind == EXPR_NAME &&
        sym_is(f->attribute.value->name.id, "self");
    return own || sym_is_one_of(f->attribute.attr, METHODS) ? WAITING_ITSELF : WAITING_OTHER;
}

static Waiting waiting_of_name(Program *p, Sym name) {
    const Decl *d = program_find(p, name);
    if (d == NULL || (d->kind != DECL_LOCAL_FUNCTION && d->kind != DECL_CHOREOGRAPHY))
        return WAITING_OTHER;
    bool own = d->kind == DECL_LOCAL_FUNCTION && d->stmt->kind == STMT_ASYNC_FUNCTION_DEF &&
        !local_is_async_choreography(p, d);
    return own ? WAITING_OWN : WAITING_ITSELF;
}

static Waiting waiting_of(Program *p, const Expr *call) {
    if (call->kind != EXPR_CALL) return WAITING_OTHER;
    const Expr *f = call->call.func;
    if (is_sleep(p, f)) return WAITING_SLEEP;
    if (f->kind == EXPR_NAME) return waiting_of_name(p, f->name.id);
    return f->kind == EXPR_ATTRIBUTE ? waiting_of_method(f) : WAITING_OTHER;
}

// ---- advice ----

typedef struct Awaits {
    Program *p;
    Diag *d;
    Help *h;                    // of the edits
    Sym role;                   // that may wait; NULL: not known
    bool wrong;                 // something is awaited for which no edit is known
} Awaits;

// `await asyncio.sleep(1)@Alice`: the pin follows the whole.
static bool is_pinned(Program *p, const Expr *e) {
    const char *after = p->source->text.at + e->at.end;
    return after[strspn(after, " ")] == '@';
}

// The arguments as they are written, with their parentheses.
static const char *arguments_text(Program *p, const Expr *call) {
    Span at = {call->call.func->at.end, call->at.end};
    const char *text = source_written(p->arena, p->source, at);
    return strlen(text) > 40 ? "(..)" : text;
}

static bool can_import(Program *p, const char *module) {
    const Decl *d = program_find(p, names_get(p->names, module));
    Sym known = module_of_import(p, names_get(p->names, module));
    return d == NULL || (known != NULL && sym_is(known, module));
}

static void add_import(const Awaits *a, const char *module, Span at) {
    Sym name = names_get(a->p->names, module);
    if (program_find(a->p, name) == NULL) edit_import(a->p, a->d, a->h, "", name, at);
}

// `from` is where what stands before the call starts: the call itself, or its `await`.
static void edit_sleep(const Awaits *a, const Expr *call, uint32_t from) {
    add_import(a, "time", call->at);
    diag_edit(a->d, a->h, (Span){from, call->call.func->at.end}, "time.sleep");
    if (is_pinned(a->p, call)) return;
    diag_edit(a->d, a->h, (Span){call->at.end, call->at.end}, "@%s", a->role);
}

static void edit_own(const Awaits *a, const Expr *call, uint32_t from) {
    add_import(a, "asyncio", call->at);
    diag_edit(a->d, a->h, (Span){from, call->at.start}, "asyncio.run(");
    diag_edit(a->d, a->h, (Span){call->at.end, call->at.end}, ")");
}

static bool can_edit(const Awaits *a, Waiting w) {
    return w == WAITING_ITSELF || (w == WAITING_SLEEP && a->role != NULL &&
                                   can_import(a->p, "time")) ||
        (w == WAITING_OWN && can_import(a->p, "asyncio"));
}

static void edit_waiting(const Awaits *a, Waiting w, const Expr *call, uint32_t from) {
    if (w == WAITING_ITSELF) diag_edit(a->d, a->h, (Span){from, call->at.start}, "%s", "");
    if (w == WAITING_SLEEP) edit_sleep(a, call, from);
    if (w == WAITING_OWN) edit_own(a, call, from);
}

static Help *help_waiting(const Awaits *a, Waiting w, const Expr *call) {
    Program *p = a->p;
    Sym role = a->role != NULL ? a->role : names_get(p->names, "Alice");
    if (w == WAITING_ITSELF)
        return diag_help(a->d, "remove `await`: %s", call->call.func->kind == EXPR_ATTRIBUTE &&
                         sym_is(call->call.func->attribute.attr, "com")
                         ? "`com` returns when the value has arrived"
                         : "the call returns when it has finished");
    if (w == WAITING_SLEEP && is_pinned(p, call))
        return diag_help(a->d, "write `time.sleep%s`", arguments_text(p, call));
    if (w == WAITING_SLEEP)
        return diag_help(a->d, "write `time.sleep%s@%s`, which delays %s",
                         arguments_text(p, call), role, role);
    if (w == WAITING_OWN)
        return diag_help(a->d, "run the coroutine at one role, with `asyncio.run(%s(..))`",
                         call->call.func->name.id);
    return diag_help(a->d, "await it in an `async` function of one role, and call that function "
                           "here with `asyncio.run`");
}

static bool find_await(void *cx, const Expr *e) {
    Awaits *a = cx;
    if (e->kind != EXPR_AWAIT) return true;
    const Expr *call = e->await.value;
    Waiting w = waiting_of(a->p, call);
    if (a->d == NULL) a->wrong |= !can_edit(a, w);
    else edit_waiting(a, w, call, e->at.start);
    return true;
}

void help_await(Program *p, Diag *d, const Expr *e, SymList roles) {
    const Expr *call = e->kind == EXPR_AWAIT ? e->await.value : e;
    Awaits a = {.p = p, .d = d, .role = roles.len > 0 ? roles.at[0] : NULL};
    Waiting w = waiting_of(p, call);
    a.h = help_waiting(&a, w, call);
    if (can_edit(&a, w)) edit_waiting(&a, w, call, e->at.start);
}

bool help_coroutine(Program *p, Diag *d, const Expr *e, SymList roles) {
    Waiting w = waiting_of(p, e);
    bool coroutine = w == WAITING_SLEEP || w == WAITING_OWN || type_is(e->ty, "Coroutine");
    if (coroutine) help_await(p, d, e, roles);
    return coroutine;
}

// ---- choreographies that are `async` ----

// The role that is first in the signature.
static Sym first_role(Program *p, const Stmt *s) {
    const Arguments *args = s->async_function_def.args;
    SymList roles = {0};
    for (size_t i = 0; i < args->args.len && roles.len == 0; i++)
        if (args->args.at[i]->annotation != NULL)
            annotation_roles(p, args->args.at[i]->annotation, (SymList){0}, &roles);
    return roles.len > 0 ? roles.at[0] : NULL;
}

// `async` and every `await` go; the user sees the rest of the file.
static void edit_async(Program *p, Diag *d, Help *h, const Stmt *s) {
    Awaits a = {.p = p, .role = first_role(p, s)};
    IrWalker w = {.cx = &a, .expr = find_await};
    const char *text = p->source->text.at;
    uint32_t def = s->at.start + 5;
    if (strncmp(text + s->at.start, "async", 5) != 0) return;
    ir_walk_stmts(&w, s->async_function_def.body);
    if (a.wrong) return;
    while (text[def] == ' ') def++;
    diag_edit(d, h, (Span){s->at.start, def}, "%s", "");
    a.d = d;
    a.h = h;
    ir_walk_stmts(&w, s->async_function_def.body);
}

// The statement of the module that runs it: `asyncio.run(main())`.
static const Stmt *start_of(Program *p, Sym name) {
    for (size_t i = 0; i < p->body.len; i++) {
        const Stmt *s = p->body.at[i];
        if (s->kind == STMT_EXPR &&
            roles_has(names_free(p->arena, p->names, (StmtList){&s, 1}), name))
            return s;
    }
    return NULL;
}

void report_async(Program *p, const Stmt *s) {
    Diag *d = diag_report(p->diags, source_first_line(p->source, s->at), DIAG_NEVER_LOCAL,
                          "a choreography cannot be `async`, because an event loop would decide "
                          "whether and when it continues");
    const Stmt *start = start_of(p, s->async_function_def.name);
    Help *h = diag_help(d, "write `def` and remove each `await`: a choreography waits for its "
                           "messages; only local code may use `async`");
    edit_async(p, d, h, s);
    if (start == NULL) return;
    diag_label(d, start->at, "remove this: the generated programs start the entry, `main`");
    diag_edit(d, h, start->at, "%s", "");
}
