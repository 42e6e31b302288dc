// link_rules.c - imports that a program may not have: they would not mean what they do in Python.
//
// The modules of a program are known before it runs: its imports stand at the top of a file, a name
// there stands for one thing, and a copy of a variable that changes later is refused.

#include <string.h>

#include "compiler/pass/link_internal.h"

typedef struct Search { Sym name; bool found, calls; } Search;

static void refuse(Linker *l, Module *m, Span at, const char *format, const char *x, const char *y,
                   const char *help)
{
    diag_help(link_report(l, m, at, DIAG_UNSUPPORTED, format, x, y), "%s", help);
}

// ---- where imports stand ----

typedef struct Placement { Linker *l; Module *m; } Placement;

// The module of the program that an import names, as it is written; NULL if there is none.
static const char *module_of(Placement *p, const Stmt *s)
{
    AliasList names = s->kind == STMT_IMPORT ? s->import.names : s->import_from.names;
    bool from = s->kind == STMT_IMPORT_FROM;
    Sym module = from ? s->import_from.module : NULL;
    int level = from ? s->import_from.level : 0;
    if (module)
        return !link_is_pychoral(module) && link_exists(p->l, p->m, module, level) ? module : NULL;
    for (size_t i = 0; i < names.len; i++)
        if (!link_is_pychoral(names.at[i]->name)
            && link_exists(p->l, p->m, names.at[i]->name, level))
            return names.at[i]->name;
    return NULL;
}

static bool refuse_import(void *cx, const Stmt *s)
{
    Placement *p = cx;
    const char *module = NULL;
    if (s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM)
        module = module_of(p, s);
    if (module)
        refuse(p->l, p->m, s->at, "`%s` is a module of the program: it must be imported at the top "
               "level of the file, not inside a function, `if` or `try`%s", module, "",
               "move the import to the top of the file");
    return true;
}

// `if TYPE_CHECKING:` holds for every reader of a program but Python.
static bool is_for_types(const Stmt *s)
{
    const Expr *test = s->kind == STMT_IF ? s->if_.test : NULL;
    return test && ((test->kind == EXPR_NAME && sym_is(test->name.id, "TYPE_CHECKING"))
                    || (test->kind == EXPR_ATTRIBUTE
                        && sym_is(test->attribute.attr, "TYPE_CHECKING")));
}

void link_check_places(Linker *l, Module *m)
{
    Placement p = {l, m};
    IrWalker w = {.cx = &p, .stmt = refuse_import};
    StmtList body = m->unit->module.body;
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind != STMT_IMPORT && body.at[i]->kind != STMT_IMPORT_FROM
            && !is_for_types(body.at[i]))
            ir_walk_stmt(&w, body.at[i]);
}

// ---- one name, one thing ----

static bool note_mention(void *cx, const Expr *e)
{
    Search *s = cx;
    s->found |= e->kind == EXPR_NAME && e->name.id == s->name;
    s->calls |= e->kind == EXPR_CALL;
    return true;
}

static bool defaults_use(Sym name, const Arguments *args)
{
    Search s = {.name = name};
    IrWalker w = {.cx = &s, .expr = note_mention};
    for (size_t i = 0; i < args->defaults.len; i++)
        ir_walk_expr(&w, args->defaults.at[i]);
    for (size_t i = 0; i < args->kw_defaults.len; i++)
        if (args->kw_defaults.at[i])
            ir_walk_expr(&w, args->kw_defaults.at[i]);
    return s.found || s.calls;
}

// Whether a statement at the top may read a variable while the module loads.
static bool may_use(const Stmt *s, Sym name)
{
    Search search = {.name = name};
    IrWalker w = {.cx = &search, .expr = note_mention};
    if (s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM)
        return false;
    if (s->kind == STMT_FUNCTION_DEF)
        return s->function_def.decorator_list.len > 0 || defaults_use(name, s->function_def.args);
    if (s->kind != STMT_CLASS_DEF)
        return true;
    ir_walk_stmt(&w, s);
    return search.found;
}

static bool only_defined(const Module *m, size_t first, size_t last, Sym name)
{
    StmtList body = m->unit->module.body;
    for (size_t i = first + 1; i <= last; i++)
        if (may_use(body.at[i], name))
            return false;
    return true;
}

static bool of_program(const Target *t)
{
    return t->kind == TARGET_ENTITY || t->kind == TARGET_SPACE;
}

static bool is_same(const Target *a, const Target *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == TARGET_ENTITY)
        return link_resolve(a) == link_resolve(b);
    return a->kind != TARGET_SPACE || a->space == b->space
           || (a->space->module && a->space->module == b->space->module);
}

void link_check_own(Linker *l, Module *m, Span at, Sym name, const Target *old, size_t top)
{
    if (of_program(old) && !only_defined(m, old->top, top, name))
        refuse(l, m, at, "`%s` is imported from another module of the program, but is redefined "
               "here%s", name, "", "rename one of the two");
}

void link_check_import(Linker *l, Module *m, const Alias *alias, Sym name, const Target *old,
                       const Target *now)
{
    if ((of_program(old) || of_program(now)) && !is_same(old, now))
        refuse(l, m, alias->at, "`%s` is already defined in this module%s", name, "",
               "import the name under another name, with `as`");
}

// ---- modules that others take names of while they load ----

static bool runs(const Stmt *s)
{
    if (s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM)
        return false;
    return s->kind != STMT_FUNCTION_DEF || s->function_def.decorator_list.len > 0
           || defaults_use(NULL, s->function_def.args);
}

static void refuse_late(Linker *l, Module *m, Span at)
{
    diag_help(link_report(l, m, at, DIAG_IMPORT_CYCLE, "`%s` imports itself, but this statement "
                          "comes after the import%s", link_shown(m), ""),
              "move the imports of modules that import this module to the end of the file");
}

void link_check_rest(Linker *l, Module *m)
{
    StmtList body = m->unit->module.body;
    for (size_t i = m->cut; m->cut > 0 && i < body.len; i++)
        if (runs(body.at[i]))
            refuse_late(l, m, body.at[i]->at);
}

void link_check_interrupted(Linker *l, Module *m, const Expr *e, const Target *t)
{
    if (m->cut > 0 && of_program(t) && t->top >= m->cut)
        refuse_late(l, m, e->at);
}

// ---- copies of variables ----

static bool note_global(void *cx, const Stmt *s)
{
    Module *m = cx;
    for (size_t i = 0; s->kind == STMT_GLOBAL && i < s->global.names.len; i++)
        table_set(m->reassigned, s->global.names.at[i], m);
    return true;
}

void link_note_globals(Module *m)
{
    IrWalker w = {.cx = m, .stmt = note_global};
    ir_walk_stmts(&w, m->unit->module.body);
}

void link_check_copy(Linker *l, Module *m, const Alias *alias, const Module *owner, Sym name)
{
    while (true) {
        const Target *t = table_get(owner->env, name);
        if (t == NULL || t->kind != TARGET_ENTITY)
            break;
        owner = t->module;
        name = t->name;
    }
    if (table_get(owner->reassigned, name) == NULL)
        return;
    Diag *d = link_report(l, m, alias->at, DIAG_UNSUPPORTED,
                          "`%s` is reassigned by a function of `%s`, but this import would copy "
                          "only its first value", name, link_shown(owner));
    diag_help(d, "write `import %s`, and read the variable as `%s.%s`", link_shown(owner),
              link_shown(owner), name);
}
