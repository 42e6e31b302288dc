// manager.c - what is known of the managers of `with`: whether they may swallow an exception.
//
// A manager is trusted not to swallow only if its code is in the file and plainly does not, or it
// is one of those of the standard library below. Any other may: the body is then judged as that of
// a `try` with a handler.

#include <string.h>

#include "compiler/ir/free_names.h"
#include "typecheck/internal.h"

// Those of the standard library whose `__exit__` lets every exception pass.
static const char *const PASSING[] = {
    "open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open", "tarfile.open",
    "os.scandir", "os.fdopen", "pathlib.Path.open",
    "threading.Lock", "threading.RLock", "threading.Condition", "threading.Semaphore",
    "threading.BoundedSemaphore", "multiprocessing.Lock", "multiprocessing.RLock",
    "contextlib.closing", "contextlib.nullcontext", "contextlib.redirect_stdout",
    "contextlib.redirect_stderr", "contextlib.chdir",
    "tempfile.TemporaryDirectory", "tempfile.NamedTemporaryFile", "tempfile.TemporaryFile",
    "tempfile.SpooledTemporaryFile", "decimal.localcontext", "warnings.catch_warnings",
    "zipfile.ZipFile", "socket.socket", "socket.create_connection", "subprocess.Popen",
    "sqlite3.connect", "memoryview", "mmap.mmap", "shelve.open", "dbm.open",
    "concurrent.futures.ThreadPoolExecutor", "concurrent.futures.ProcessPoolExecutor",
    "urllib.request.urlopen", "unittest.mock.patch",
    "TextIO", "BinaryIO", "IO", "typing.TextIO", "typing.BinaryIO", "typing.IO", "io.StringIO",
    "io.BytesIO", "io.TextIOWrapper",
};

static bool passing_name(const char *name) {
    for (size_t i = 0; i < sizeof PASSING / sizeof *PASSING; i++)
        if (strcmp(name, PASSING[i]) == 0) return true;
    return false;
}

// ---- names of foreign things ----

// What the file calls `name` by its full name: `from threading import Lock as L` makes L
// threading.Lock. The name itself when nothing is imported.
static const char *full_head(Program *p, Sym name) {
    Decl *d = program_find(p, name);
    if (d == NULL) return name;
    if (d->kind != DECL_IMPORT || d->stmt == NULL) return NULL;
    const Stmt *s = d->stmt;
    AliasList list = s->kind == STMT_IMPORT ? s->import.names : s->import_from.names;
    for (size_t i = 0; i < list.len; i++) {
        const Alias *a = list.at[i];
        if ((a->asname != NULL ? a->asname : a->name) != name) continue;
        if (s->kind == STMT_IMPORT) return a->name;
        if (s->import_from.module != NULL)
            return names_format(p->names, "%s.%s", s->import_from.module, a->name);
    }
    return name;            // `import a.b` binds `a`
}

static const char *full_name(Program *p, const char *dotted) {
    size_t n = strcspn(dotted, ".");
    const char *head = full_head(p, names_intern(p->names, dotted, n));
    return head == NULL ? NULL : names_format(p->names, "%s%s", head, dotted + n);
}

static const char *dotted_text(Program *p, const Expr *e) {
    if (e->kind == EXPR_NAME) return e->name.id;
    if (e->kind != EXPR_ATTRIBUTE) return NULL;
    const char *base = dotted_text(p, e->attribute.value);
    return base == NULL ? NULL : names_format(p->names, "%s.%s", base, e->attribute.attr);
}

// ---- code of the file ----

static bool gives_falsehood(const Expr *e) {
    if (e == NULL) return true;
    if (e->kind != EXPR_CONSTANT) return false;
    const Const *c = e->constant.value;
    return c->kind == CONST_NONE || (c->kind == CONST_BOOL && !c->truth);
}

static bool find_truth(void *cx, const Stmt *s) {
    bool *swallows = cx;
    if (s->kind == STMT_RETURN && !gives_falsehood(s->return_.value)) *swallows = true;
    return !*swallows && s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF;
}

static bool find_yield(void *cx, const Expr *e) {
    if (e->kind == EXPR_YIELD || e->kind == EXPR_YIELD_FROM) *(bool *)cx = true;
    return !*(bool *)cx;
}

bool stmts_yield(StmtList body) {
    bool found = false;
    IrWalker w = {.cx = &found, .expr = find_yield};
    ir_walk_stmts(&w, body);
    return found;
}

// A generator is true, and runs nothing: so is what an `__exit__` with a `yield` gives.
static bool exit_swallows(const Stmt *m) {
    if (m->kind != STMT_FUNCTION_DEF || m->function_def.decorator_list.len > 0) return true;
    bool swallows = stmts_yield(m->function_def.body);
    IrWalker w = {.cx = &swallows, .stmt = find_truth};
    if (!swallows) ir_walk_stmts(&w, m->function_def.body);
    return swallows;
}

// What fits a protocol may be any class.
static bool is_protocol(const Decl *c) {
    for (size_t i = 0; i < c->stmt->class_def.bases.len; i++) {
        const Expr *base = c->stmt->class_def.bases.at[i];
        if (base->kind == EXPR_SUBSCRIPT) base = base->subscript.value;
        if ((base->kind == EXPR_NAME && sym_is(base->name.id, "Protocol")) ||
            (base->kind == EXPR_ATTRIBUTE && sym_is(base->attribute.attr, "Protocol")))
            return true;
    }
    return false;
}

static Decl *base_class(Program *p, const Decl *c, size_t i) {
    const Expr *base = c->stmt->class_def.bases.at[i];
    if (base->kind == EXPR_SUBSCRIPT) base = base->subscript.value;
    Decl *d = base->kind == EXPR_NAME ? program_find(p, base->name.id) : NULL;
    return d != NULL && d->index < c->index && d->kind == DECL_LOCAL_CLASS ? d : NULL;
}

static bool has_no_exit(const Expr *base) {
    static const char *const NAMES[] = {"object", "ABC", "Generic", "Protocol", "Enum"};
    if (base->kind == EXPR_SUBSCRIPT) base = base->subscript.value;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if ((base->kind == EXPR_NAME && sym_is(base->name.id, NAMES[i])) ||
            (base->kind == EXPR_ATTRIBUTE && sym_is(base->attribute.attr, NAMES[i])))
            return true;
    return false;
}

typedef enum ExitKind { EXIT_MISSING, EXIT_PASSES, EXIT_SWALLOWS } ExitKind;

// Of the bases any may be the one whose `__exit__` is inherited; a foreign one not if it stands
// behind one that has it.
static ExitKind exit_of(Program *p, const Decl *c) {
    const Stmt *own = table_get(c->members, names_get(p->names, "__exit__"));
    if (own != NULL) return exit_swallows(own) ? EXIT_SWALLOWS : EXIT_PASSES;
    ExitKind kind = EXIT_MISSING;
    for (size_t i = 0; i < c->stmt->class_def.bases.len && kind != EXIT_SWALLOWS; i++) {
        const Decl *base = base_class(p, c, i);
        ExitKind next = base != NULL ? exit_of(p, base)
            : has_no_exit(c->stmt->class_def.bases.at[i]) || kind == EXIT_PASSES
            ? EXIT_MISSING : EXIT_SWALLOWS;
        if (next != EXIT_MISSING) kind = next;
    }
    return kind;
}

static bool derives_from(Program *p, const Decl *c, const Decl *base) {
    for (size_t i = 0; i < c->stmt->class_def.bases.len; i++)
        if (base_class(p, c, i) == base) return true;
    return false;
}

// The class, or one that is derived from it, has an `__exit__` that may return something true.
static bool class_swallows(Program *p, const Decl *c) {
    bool swallows = exit_of(p, c) != EXIT_PASSES || is_protocol(c) || c->inherited_inside;
    for (size_t i = 0; i < p->order.len && !swallows; i++)
        if (p->order.at[i]->kind == DECL_LOCAL_CLASS && derives_from(p, p->order.at[i], c))
            swallows = class_swallows(p, p->order.at[i]);
    return swallows;
}

// ---- generators of the file ----

#define MAX_DELEGATES 8         // generators that delegate to each other; behind these, any may

typedef struct Generator {
    Program *p;
    SymList  free;              // the names that it takes from the module
    size_t   depth;
    bool     yields, swallows;
} Generator;

static bool delegate_swallows(const Generator *g, const Expr *to);

static bool find_delegate(void *cx, const Expr *e) {
    Generator *g = cx;
    g->yields |= e->kind == EXPR_YIELD || e->kind == EXPR_YIELD_FROM;
    if (e->kind == EXPR_YIELD_FROM) g->swallows |= delegate_swallows(g, e->yield_from.value);
    return !g->swallows && e->kind != EXPR_LAMBDA;
}

// A handler, another manager, or a jump out of `finally` round a `yield`.
static bool find_swallower(void *cx, const Stmt *s) {
    Generator *g = cx;
    bool guarded = s->kind == STMT_TRY &&
        ((s->try.handlers.len > 0 && stmts_yield(s->try.body)) ||
         (stmt_leaves(s->try.finalbody) != NULL && stmts_yield((StmtList){&s, 1})));
    g->swallows |= guarded || (s->kind == STMT_WITH && stmts_yield(s->with.body));
    return !g->swallows && s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF;
}

static bool body_swallows(Program *p, const Stmt *def, size_t depth) {
    Generator g = {p, names_free(p->arena, p->names, (StmtList){&def, 1}), depth, false, false};
    IrWalker w = {.cx = &g, .expr = find_delegate, .stmt = find_swallower};
    ir_walk_stmts(&w, def->function_def.body);
    return g.swallows || !g.yields;
}

// `yield from` hands what is raised to the generator that it stands for.
static bool delegate_swallows(const Generator *g, const Expr *to) {
    if (to->kind == EXPR_TUPLE || to->kind == EXPR_LIST || to->kind == EXPR_CONSTANT) return false;
    const Expr *f = to->kind == EXPR_CALL ? to->call.func : NULL;
    if (f == NULL || f->kind != EXPR_NAME || g->depth == MAX_DELEGATES ||
        !roles_has(g->free, f->name.id))
        return true;
    const Decl *d = program_find(g->p, f->name.id);
    return d == NULL || d->kind != DECL_LOCAL_FUNCTION || d->stmt == NULL ||
        d->stmt->kind != STMT_FUNCTION_DEF || d->stmt->function_def.decorator_list.len > 0 ||
        body_swallows(g->p, d->stmt, g->depth + 1);
}

// The only decorator is contextlib's.
static bool is_manager(Program *p, const Stmt *def) {
    ExprList list = def->function_def.decorator_list;
    const char *dotted = list.len == 1 ? dotted_text(p, list.at[0]) : NULL;
    const char *full = dotted != NULL ? full_name(p, dotted) : NULL;
    return full != NULL && strcmp(full, "contextlib.contextmanager") == 0;
}

static bool generator_swallows(Program *p, const Decl *d) {
    const Stmt *def = d->stmt;
    return def == NULL || def->kind != STMT_FUNCTION_DEF || !is_manager(p, def) ||
        body_swallows(p, def, 0);
}

// ---- managers ----

static bool type_swallows(Program *p, const Ty *t) {
    if (t == NULL || t->kind != TY_NAMED) return true;
    Decl *d = program_find(p, t->named.name);
    if (d != NULL && d->kind == DECL_LOCAL_CLASS) return class_swallows(p, d);
    const char *full = full_name(p, t->named.name);
    return full == NULL || !passing_name(full);
}

// A method of a class of the file. What the object is made of may override it, so that any method
// of this name counts.
static bool method_swallows(Program *p, const Expr *callee) {
    const Ty *t = callee->attribute.value->ty;
    Sym name = callee->attribute.attr;
    Decl *d = t != NULL && t->kind == TY_NAMED ? program_find(p, t->named.name) : NULL;
    while (d != NULL && d->kind == DECL_LOCAL_CLASS && table_get(d->members, name) == NULL)
        d = program_local_base(p, d);
    if (d == NULL || d->kind != DECL_LOCAL_CLASS) return true;
    for (size_t i = 0; i < p->order.len; i++) {
        const Decl *other = p->order.at[i];
        const Stmt *def = other->kind == DECL_LOCAL_CLASS ? table_get(other->members, name) : NULL;
        if (def != NULL && (def->kind != STMT_FUNCTION_DEF || !is_manager(p, def) ||
                            body_swallows(p, def, 0)))
            return true;
    }
    return false;
}

static bool call_swallows(Scope *sc, const Expr *callee) {
    Program *p = sc->p;
    if (callee->kind == EXPR_ATTRIBUTE && !method_swallows(p, callee)) return false;
    const char *dotted = dotted_text(p, callee);
    if (dotted == NULL) return true;
    Sym head = names_intern(p->names, dotted, strcspn(dotted, "."));
    if (scope_find(sc, head) != NULL) return true;
    Decl *d = program_find(p, head);
    if (d != NULL && d->kind == DECL_LOCAL_FUNCTION && callee->kind == EXPR_NAME)
        return generator_swallows(p, d);
    const char *full = full_name(p, dotted);
    return full == NULL || !passing_name(full);
}

// A module variable that is only ever assigned once.
static bool variable_swallows(Scope *sc, const Expr *e) {
    Decl *d = scope_find(sc, e->name.id) == NULL ? program_find(sc->p, e->name.id) : NULL;
    const Stmt *s = d != NULL && d->kind == DECL_VARIABLE && !d->rebound ? d->stmt : NULL;
    if (s == NULL || (s->kind != STMT_ASSIGN && s->kind != STMT_ANN_ASSIGN)) return true;
    const Expr *value = s->kind == STMT_ASSIGN ? s->assign.value : s->ann_assign.value;
    return value == NULL || value->kind != EXPR_CALL || call_swallows(sc, value->call.func);
}

bool manager_catches(Scope *sc, const Expr *manager) {
    while (manager->kind == EXPR_PIN) manager = manager->pin.value;
    if (!type_swallows(sc->p, manager->ty)) return false;
    if (manager->kind == EXPR_CALL) return call_swallows(sc, manager->call.func);
    return manager->kind != EXPR_NAME || variable_swallows(sc, manager);
}
