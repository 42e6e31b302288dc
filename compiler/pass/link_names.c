// link_names.c - what the names at the top of a module mean, and what the linked unit calls them.

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/base/suggest.h"
#include "compiler/ir/free_names.h"
#include "compiler/pass/link_internal.h"

typedef struct Binder {
    Linker *l;
    Module *m;
} Binder;

Diag *link_report(Linker *l, Module *m, Span at, DiagId id, const char *format, const char *x,
                  const char *y)
{
    diags_set_source(l->cx->diags, m->source);
    Span own = {at.start - m->at, at.end - m->at};
    Diag *d = diag_report(l->cx->diags, own, id, format, x, y);
    l->failed = true;
    return d;
}

static Diag *report(Binder *b, Span at, DiagId id, const char *format, const char *x, const char *y)
{
    return link_report(b->l, b->m, at, id, format, x, y);
}

const char *link_shown(const Module *m) { return *m->dotted ? m->dotted : m->info.name; }

// ---- what a module binds ----

static Target *bind(Binder *b, Sym name, TargetKind kind)
{
    Target *t = table_get(b->m->env, name);
    if (t == NULL) {
        t = ARENA_NEW(b->l->arena, Target);
        table_set(b->m->env, name, t);
        vec_push(b->l->arena, &b->m->order, name);
    }
    if (t->kind == TARGET_FIXED && t->role && kind == TARGET_OWN)
        return t;
    *t = (Target){.kind = kind, .name = name, .top = b->m->top};
    return t;
}

static void bind_own(Binder *b, Span at, Sym name)
{
    const Target *old = table_get(b->m->env, name);
    if (old)
        link_check_own(b->l, b->m, at, name, old, b->m->top);
    bind(b, name, TARGET_OWN);
}

bool link_is_pychoral(const char *module)
{
    return module && (strcmp(module, "pychoral") == 0 || strncmp(module, "pychoral.", 9) == 0
                      || strcmp(module, "__future__") == 0);
}

static Space *space_new(Linker *l, Module *module, const char *text)
{
    Space *s = ARENA_NEW(l->arena, Space);
    *s = (Space){module, table_new(l->arena), text};
    return s;
}

static void report_cycle(Binder *b, Span at, const Module *m)
{
    Diag *d = report(b, at, DIAG_IMPORT_CYCLE, "`%s` imports itself%s", link_shown(m),
                     b->m == m ? "" : ", through other modules");
    for (const Module *on = b->m; on && on != m; on = on->importer)
        diag_note(d, "`%s` is imported by `%s`", link_shown(on),
                  link_shown(on->importer ? on->importer : m));
    diag_help(d, "move the definitions that both modules need into a third module, which imports "
              "neither of them");
}

// A module that is being read gives what its statements so far have bound. Not the main one, which
// Python would load a second time.
static bool gives_already(const Module *m, AliasList names)
{
    for (size_t i = 0; i < names.len; i++)
        if (table_get(m->env, names.at[i]->name) == NULL)
            return false;
    return names.len > 0 && m->importer;
}

// `names`: all that is taken of it; none: the module itself.
static Module *load(Binder *b, Span at, const char *dotted, int level, AliasList names)
{
    Module *m = link_load(b->l, b->m, dotted, level);
    if (m == NULL || !m->loading)
        return m;
    if (!gives_already(m, names)) {
        report_cycle(b, at, m);
        return NULL;
    }
    link_interrupt(b->l, m);
    return m;
}

// `import pkg.lib` binds `pkg`, in which `lib` is found.
static void bind_dotted(Binder *b, const Alias *alias, Module *m)
{
    Linker *l = b->l;
    const char *at = alias->name;
    Space *space = NULL;
    Table *children = NULL;
    for (;;) {
        size_t len = strcspn(at, ".");
        Sym part = names_intern(l->cx->names, at, len);
        Space *next = NULL;
        if (children) {
            next = table_get(children, part);
        } else {
            Target *t = table_get(b->m->env, part);
            next = t && t->kind == TARGET_SPACE ? t->space : NULL;
        }
        if (next == NULL) {
            Sym prefix = names_intern(l->cx->names, alias->name,
                                      (size_t)(at + len - alias->name));
            next = space_new(l, link_package(l, b->m, prefix, 0), prefix);
            if (children)
                table_set(children, part, next);
            else
                bind(b, part, TARGET_SPACE)->space = next;
        }
        space = next;
        children = space->children;
        if (at[len] == '\0')
            break;
        at += len + 1;
    }
    space->module = m;
}

// `package.name`, of a package of the program that has no such module.
static void report_no_submodule(Binder *b, Span at, Sym package, const char *name)
{
    Diag *d = report(b, at, DIAG_NAME_UNKNOWN, "package `%s` has no module `%s`", package, name);
    NameArray all = link_modules_of(b->l, b->m, package);
    const char *near = suggest_nearest(name, all.at, all.len);
    if (near)
        diag_help(d, "did you mean `%s.%s`?", package, near);
}

// Whether the module would have to be in a package of the program; then it is reported.
static bool lacks_submodule(Binder *b, Span at, const char *dotted)
{
    Names *names = b->l->cx->names;
    for (size_t end = strlen(dotted); end > 0; end--) {
        Sym package = dotted[end] == '.' ? names_intern(names, dotted, end) : NULL;
        if (package && link_package(b->l, b->m, package, 0)) {
            const char *rest = dotted + end + 1;
            report_no_submodule(b, at, package, names_intern(names, rest, strcspn(rest, ".")));
            return true;
        }
    }
    return false;
}

static void bind_import(Binder *b, const Alias *alias)
{
    Linker *l = b->l;
    Sym head = names_intern(l->cx->names, alias->name, strcspn(alias->name, "."));
    bool dotted = head != alias->name && alias->asname == NULL;
    Module *m = link_is_pychoral(alias->name) ? NULL : load(b, alias->at, alias->name, 0,
                                                                (AliasList){0});
    if (m) {
        table_set(b->m->linked, alias, m);
        if (alias->asname)
            bind(b, alias->asname, TARGET_SPACE)->space = space_new(l, m, alias->asname);
        else
            bind_dotted(b, alias, m);
    } else if (!lacks_submodule(b, alias->at, alias->name)) {
        Sym name = alias->asname ? alias->asname : head;
        Target *t = bind(b, name, dotted || link_is_pychoral(alias->name) ? TARGET_FIXED
                                                                          : TARGET_FOREIGN);
        t->id = names_format(l->cx->names, "import %s", dotted ? head : alias->name);
    }
}

const Target *link_resolve(const Target *t)
{
    while (t && t->kind == TARGET_ENTITY)
        t = table_get(t->module->env, t->name);
    return t;
}

// The names that could have been meant.
static void suggest_name(Diag *d, Linker *l, const Module *m, const char *name)
{
    Text text = d->source->text;
    size_t len = strlen(name);
    uint32_t from = d->at.start, to = d->at.end;
    Vec(const char *) words = {0};
    for (size_t i = 0; i < m->order.len; i++)
        vec_push(l->arena, &words, m->order.at[i]);
    const char *near = suggest_nearest(name, words.at, words.len);
    if (near == NULL)
        return;
    Help *help = diag_help(d, "did you mean `%s`?", near);
    // `name` or `name as other` of an import, else `module.name`.
    if (to - from >= len && memcmp(text.at + from, name, len) == 0)
        diag_edit(d, help, (Span){from, from + (uint32_t)len}, "%s", near);
    else if (to - from >= len && memcmp(text.at + to - len, name, len) == 0)
        diag_edit(d, help, (Span){to - (uint32_t)len, to}, "%s", near);
}

static void report_missing(Binder *b, Span at, const Module *m, const char *name)
{
    const char *inside = names_format(b->l->cx->names, "%s.%s", link_shown(m), name);
    bool module = link_package(b->l, b->m, link_shown(m), 0) && link_exists(b->l, b->m, inside, 0);
    Diag *d = report(b, at, DIAG_NAME_UNKNOWN, "module `%s` has no attribute `%s`", link_shown(m),
                     name);
    if (module)
        diag_help(d, "write `import %s`: it is a module, which is not imported yet", inside);
    else
        suggest_name(d, b->l, m, name);
}

// The statement that gives a name which another module has imported.
static const char *import_of(Binder *b, const Target *t, Sym name)
{
    size_t len = strlen(t->id), own = strlen(name);
    bool same = len > own && strcmp(t->id + len - own, name) == 0 && t->id[len - own - 1] == ' ';
    return same ? t->id : names_format(b->l->cx->names, "%s as %s", t->id, name);
}

// What another module gives under a name; reported when it is none of its own.
static const Target *look_up(Binder *b, Span at, const Module *m, Sym name)
{
    const Target *t = link_resolve(table_get(m->env, name));
    if (t == NULL) {
        report_missing(b, at, m, name);
        return NULL;
    }
    if (t->kind == TARGET_FOREIGN || (t->kind == TARGET_FIXED && !t->role)) {
        Diag *d = report(b, at, DIAG_NAME_UNKNOWN,
                         "module `%s` imports `%s` but does not define it", link_shown(m), name);
        diag_help(d, "write `%s` in this module", import_of(b, t, name));
        return NULL;
    }
    return t;
}

static void bind_name_of(Binder *b, const Alias *alias, Module *m)
{
    const Target *t = look_up(b, alias->at, m, alias->name);
    Sym name = alias->asname ? alias->asname : alias->name;
    if (t == NULL)
        return;
    if (t->kind == TARGET_SPACE) {
        bind(b, name, TARGET_SPACE)->space = t->space;
    } else if (t->role) {
        Target *role = bind(b, name, TARGET_FIXED);
        role->role = true;
        role->id = names_format(b->l->cx->names, "role %s", name);
    } else {
        Target *own = bind(b, name, TARGET_ENTITY);
        own->name = alias->name;
        own->module = m;
        link_check_copy(b->l, b->m, alias, m, alias->name);
    }
    table_set(b->m->linked, alias, b->m);
}

static void bind_foreign(Binder *b, const Stmt *s, const Alias *alias)
{
    Names *names = b->l->cx->names;
    Sym module = s->import_from.module, name = alias->asname ? alias->asname : alias->name;
    Target *t = bind(b, name, link_is_pychoral(module) ? TARGET_FIXED : TARGET_FOREIGN);
    t->id = names_format(names, "from %s import %s", module ? module : ".", alias->name);
    t->role = sym_is(module, "pychoral.roles");
}

static const char *submodule(Binder *b, const Stmt *s, const Alias *alias)
{
    Sym module = s->import_from.module;
    return module ? names_format(b->l->cx->names, "%s.%s", module, alias->name) : alias->name;
}

static void report_no_module(Binder *b, const Stmt *s, const Alias *alias)
{
    Sym module = s->import_from.module;
    Diag *d = report(b, alias->at, DIAG_IMPORT_MISSING, "no module named `%s`%s",
                     module ? module : alias->name, "");
    diag_note(d, "a relative import searches only the folder that its dots name");
}

static void report_beyond(Binder *b, const Stmt *s)
{
    Diag *d = report(b, s->at, DIAG_IMPORT_MISSING, "attempted relative import beyond top-level "
                     "package%s%s",
                     "", "");
    diag_note(d, "one dot is the package of the file; each further dot is the parent package");
    diag_help(d, "import the module by its full name");
}

static void bind_from_alias(Binder *b, const Stmt *s, const Alias *alias, Module *m)
{
    Sym module = s->import_from.module, name = alias->asname ? alias->asname : alias->name;
    int level = s->import_from.level;
    if (m && table_get(m->env, alias->name)) {
        bind_name_of(b, alias, m);
        return;
    }
    Module *sub = link_is_pychoral(module) ? NULL
                                           : load(b, alias->at, submodule(b, s, alias), level,
                                                (AliasList){0});
    // `from . import x`: a module of the package, or a name that its `__init__` has
    Module *package = sub || module || level == 0 ? NULL : load(b, alias->at, "", level,
                                                                      (AliasList){&alias, 1});
    if (package && table_get(package->env, alias->name)) {
        bind_name_of(b, alias, package);
    } else if (sub) {
        table_set(b->m->linked, alias, sub);
        bind(b, name, TARGET_SPACE)->space = space_new(b->l, sub, name);
    } else if (m) {
        report_missing(b, alias->at, m, alias->name);
    } else if (level > 0 && !b->l->failed) {
        report_no_module(b, s, alias);
    } else {
        bind_foreign(b, s, alias);
    }
}

// What a name means before an import gives it a meaning; of no name: nothing has.
static Target remember(const Binder *b, Sym name)
{
    const Target *t = table_get(b->m->env, name);
    return t ? *t : (Target){0};
}

static void compare(Binder *b, const Alias *alias, Sym name, const Target *old)
{
    const Target *now = table_get(b->m->env, name);
    StmtKind top = b->m->unit->module.body.at[b->m->top]->kind;
    bool placed = top == STMT_IMPORT || top == STMT_IMPORT_FROM;    // others are reported as such
    if (old->name && now && placed)
        link_check_import(b->l, b->m, alias, name, old, now);
}

static void bind_from(Binder *b, const Stmt *s)
{
    Sym module = s->import_from.module;
    int level = s->import_from.level;
    if (link_beyond(b->l, b->m, level)) {
        report_beyond(b, s);
        return;
    }
    Module *m = module == NULL || link_is_pychoral(module) ? NULL : load(b, s->at, module, level,
                                                                             s->import_from.names);
    if (m == NULL && module && level == 0 && !b->l->failed && !link_is_pychoral(module)
        && lacks_submodule(b, s->at, module))
        return;
    for (size_t i = 0; i < s->import_from.names.len; i++) {
        const Alias *alias = s->import_from.names.at[i];
        Sym name = alias->asname ? alias->asname : alias->name;
        if (sym_is(alias->name, "*"))
            continue;                   // the checker refuses it
        Target old = remember(b, name);
        bind_from_alias(b, s, alias, m);
        compare(b, alias, name, &old);
    }
}

static bool declares_role(const Stmt *s)
{
    for (size_t i = 0; i < s->class_def.bases.len; i++) {
        const Expr *base = s->class_def.bases.at[i];
        if ((base->kind == EXPR_NAME && sym_is(base->name.id, "Role"))
            || (base->kind == EXPR_ATTRIBUTE && sym_is(base->attribute.attr, "Role")))
            return true;
    }
    return false;
}

static bool bind_stmt(void *cx, const Stmt *s)
{
    Binder *b = cx;
    if (s->kind == STMT_IMPORT)
        for (size_t i = 0; i < s->import.names.len; i++) {
            const Alias *alias = s->import.names.at[i];
            Sym name = alias->asname ? alias->asname
                : names_intern(b->l->cx->names, alias->name, strcspn(alias->name, "."));
            Target old = remember(b, name);
            bind_import(b, alias);
            compare(b, alias, name, &old);
        }
    if (s->kind == STMT_IMPORT_FROM)
        bind_from(b, s);
    if (s->kind == STMT_FUNCTION_DEF)
        bind_own(b, s->at, s->function_def.name);
    if (s->kind == STMT_ASYNC_FUNCTION_DEF)
        bind_own(b, s->at, s->async_function_def.name);
    if (s->kind == STMT_CLASS_DEF) {
        bool role = declares_role(s);
        bind_own(b, s->at, s->class_def.name);
        Target *t = bind(b, s->class_def.name, role ? TARGET_FIXED : TARGET_OWN);
        t->role = role;
        t->id = names_format(b->l->cx->names, "role %s", s->class_def.name);
    }
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_ASYNC_FUNCTION_DEF
           && s->kind != STMT_CLASS_DEF;
}

static bool bind_expr(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME && e->name.ctx != EXPR_CONTEXT_LOAD)
        bind_own(cx, e->at, e->name.id);
    return e->kind != EXPR_LAMBDA;
}

static bool skip_comprehension(void *cx, const Comprehension *c)
{
    (void)cx;
    (void)c;
    return false;
}

// Their names are no expressions, and stay what they are.
static bool bind_handler(void *cx, const Excepthandler *h)
{
    if (h->except_handler.name)
        bind(cx, h->except_handler.name, TARGET_FIXED);
    return true;
}

static bool bind_pattern(void *cx, const Pattern *p)
{
    if (pattern_name(p))
        bind(cx, pattern_name(p), TARGET_FIXED);
    return true;
}

void link_bind(Linker *l, Module *m)
{
    Binder b = {l, m};
    IrWalker w = {.cx = &b, .stmt = bind_stmt, .expr = bind_expr, .excepthandler = bind_handler,
                  .comprehension = skip_comprehension, .pattern = bind_pattern};
    StmtList body = m->unit->module.body;
    link_check_places(l, m);
    link_note_globals(m);
    for (m->top = 0; m->top < body.len; m->top++)
        ir_walk_stmt(&w, body.at[m->top]);
    link_check_rest(l, m);
}

// ---- what the linked unit calls them ----

static void ignore_name(void *cx, const Expr *e)
{
    (void)cx;
    (void)e;
}

static void find_free(Linker *l, Module *m)
{
    SymList all = names_visit(l->arena, l->cx->names, m->unit->module.body, ignore_name, NULL);
    for (size_t i = 0; i < all.len; i++)
        if (table_get(m->env, all.at[i]) == NULL)
            table_set(m->has_free, all.at[i], m);
}

static bool free_elsewhere(const Linker *l, const Module *m, Sym name)
{
    for (size_t i = 0; i < l->modules.len; i++)
        if (l->modules.at[i] != m && table_get(l->modules.at[i]->has_free, name))
            return true;
    return false;
}

static Sym qualify(Linker *l, const Module *m, Sym name)
{
    return names_format(l->cx->names, "%s" QUALIFIER "%s", m->info.name, name);
}

// `plain` holds what an unqualified name stands for in the linked unit.
static void choose_fixed(Linker *l, Table *plain)
{
    for (size_t i = 0; i < l->modules.len; i++)
        for (size_t j = 0; j < l->modules.at[i]->order.len; j++) {
            const Target *t = table_get(l->modules.at[i]->env, l->modules.at[i]->order.at[j]);
            if (t->kind == TARGET_FIXED)
                table_set(plain, t->name, (void *)(t->id ? t->id : t->name));
        }
}

static void choose(Linker *l, Module *m, Table *plain)
{
    for (size_t i = 0; i < m->order.len; i++) {
        Target *t = table_get(m->env, m->order.at[i]);
        if (t->kind != TARGET_OWN && t->kind != TARGET_FOREIGN)
            continue;
        const char *taken = table_get(plain, t->name);
        bool other = taken && (t->kind == TARGET_OWN || strcmp(taken, t->id) != 0);
        bool library = m != l->modules.at[0] && t->kind == TARGET_OWN;
        if (library || other || free_elsewhere(l, m, t->name))
            t->name = qualify(l, m, t->name);
        else
            table_set(plain, t->name, (void *)(t->id ? t->id : t->name));
    }
}

void link_choose_names(Linker *l)
{
    Table *plain = table_new(l->arena);
    for (size_t i = 0; i < l->modules.len; i++)
        find_free(l, l->modules.at[i]);
    choose_fixed(l, plain);
    for (size_t i = 0; i < l->modules.len; i++)
        choose(l, l->modules.at[i], plain);
}

// ---- renaming ----

typedef struct Renamer {
    Binder binder;
    Table *refs;                // Name or quoted annotation -> itself
    Table *spaces;              // an expression that stands for a module -> Space *
    Table *defs;                // start of a definition at module level -> itself
    Table *imports;             // import at module level -> itself
    Table *gone;                // an import of which nothing is left -> itself
    Vec(const Expr *) modules;  // the expressions in `spaces`
    Table *consumed;
    Vec(const Stmt *) roles;    // declarations of roles that are imported
} Renamer;

static void note_ref(void *cx, const Expr *e)
{
    Renamer *r = cx;
    table_set(r->refs, e, r);
}

static const Target *target_of(const Renamer *r, Sym name)
{
    return table_get(r->binder.m->env, name);
}

static const Expr *note_space(Renamer *r, const Expr *e, Space *space)
{
    table_set(r->spaces, e, space);
    vec_push(r->binder.l->arena, &r->modules, e);
    return e;
}

static bool note_name(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        note_ref(cx, e);
    return true;
}

// A quoted annotation that names something of a module loses its quotes: generated modules never
// evaluate annotations. One that cannot be read is left to the checker.
static const Expr *rename_quoted(IrMapper *mapper, const Expr *e)
{
    Renamer *r = mapper->cx;
    IrWalker w = {.cx = r, .expr = note_name};
    const Unit *unit = link_parse_at(r->binder.l, "", e->constant.value->text, e->at.start + 1);
    StmtList body = unit ? unit->module.body : (StmtList){0};
    if (body.len != 1 || body.at[0]->kind != STMT_EXPR)
        return e;
    ir_walk_expr(&w, body.at[0]->expr.value);
    return ir_map_expr(mapper, body.at[0]->expr.value);
}

static const Expr *rename_name(Renamer *r, const Expr *e)
{
    Arena *a = r->binder.l->arena;
    const Target *own = target_of(r, e->name.id), *t = link_resolve(own);
    if (t == NULL)
        return e;
    link_check_interrupted(r->binder.l, r->binder.m, e, own);
    if (t->kind == TARGET_SPACE)
        return note_space(r, e, t->space);
    return t->name == e->name.id ? e : expr_name(a, e->at, t->name, e->name.ctx);
}

// `lib.f`: a name of the linked unit.
static const Expr *rename_attribute(Renamer *r, const Expr *e)
{
    Space *space = table_get(r->spaces, e->attribute.value);
    if (space == NULL)
        return e;
    Sym name = e->attribute.attr;
    Space *child = table_get(space->children, name);
    table_set(r->consumed, e->attribute.value, r);
    if (child && (space->module == NULL || table_get(space->module->env, name) == NULL))
        return note_space(r, e, child);
    if (space->module == NULL) {
        report(&r->binder, e->at, DIAG_NAME_UNKNOWN, "package `%s` has no module `%s`",
               space->text, name);
        return e;
    }
    const Target *t = look_up(&r->binder, e->at, space->module, name);
    if (t == NULL)
        return e;
    if (t->kind == TARGET_SPACE)
        return note_space(r, e, t->space);
    if (e->attribute.ctx != EXPR_CONTEXT_LOAD)
        diag_help(report(&r->binder, e->at, DIAG_UNSUPPORTED, "`%s` is a variable of the module "
                         "`%s`, which only that module can assign or delete", unqualified(t->name),
                         link_shown(space->module)),
                  "call a function of `%s` that changes it", link_shown(space->module));
    return expr_name(r->binder.l->arena, e->at, t->name, e->attribute.ctx);
}

static const Expr *rename_expr(IrMapper *mapper, const Expr *e)
{
    Renamer *r = mapper->cx;
    if (e->kind == EXPR_ATTRIBUTE)
        return rename_attribute(r, e);
    if (table_get(r->refs, e) == NULL)
        return e;
    if (e->kind == EXPR_NAME)
        return rename_name(r, e);
    return rename_quoted(mapper, e);
}

static void declare_role(Renamer *r, const Alias *alias, Sym name)
{
    Arena *a = r->binder.l->arena;
    const Expr **bases = ARENA_ARRAY(a, const Expr *, 1);
    const Stmt **body = ARENA_ARRAY(a, const Stmt *, 1);
    bases[0] = expr_name(a, alias->at, names_get(r->binder.l->cx->names, "Role"),
                         EXPR_CONTEXT_LOAD);
    body[0] = stmt_pass(a, alias->at);
    vec_push(a, &r->roles,
             stmt_class_def(a, alias->at, name, (ExprList){bases, 1}, (KeywordList){0},
                            (StmtList){body, 1}, (ExprList){0}, (TypeParamList){0}));
}

// What is left of an import when the modules of the program are out of it.
static AliasList rename_aliases(Renamer *r, AliasList list, bool from, bool pychoral)
{
    Linker *l = r->binder.l;
    Vec(const Alias *) left = {0};
    for (size_t i = 0; i < list.len; i++) {
        const Alias *alias = list.at[i];
        size_t head = strcspn(alias->name, ".");
        Sym name = alias->asname ? alias->asname
            : from ? alias->name : names_intern(l->cx->names, alias->name, head);
        const Target *t = target_of(r, name);
        if (t && t->role && !pychoral)
            declare_role(r, alias, name);
        if (table_get(r->binder.m->linked, alias) || (t && t->role && !pychoral))
            continue;
        if (t && t->kind == TARGET_FOREIGN && t->name != name)
            alias = alias_new(l->arena, alias->at, alias->name, t->name);
        vec_push(l->arena, &left, alias);
    }
    return (AliasList){left.at, left.len};
}

static const Stmt *rename_import(Renamer *r, const Stmt *s)
{
    Arena *a = r->binder.l->arena;
    bool from = s->kind == STMT_IMPORT_FROM;
    AliasList left = from ? rename_aliases(r, s->import_from.names, true,
                                           link_is_pychoral(s->import_from.module))
                          : rename_aliases(r, s->import.names, false, false);
    if (left.len > 0)
        return from ? stmt_import_from(a, s->at, s->import_from.module, left, s->import_from.level)
                    : stmt_import(a, s->at, left);
    const Stmt *pass = stmt_pass(a, s->at);
    table_set(r->gone, pass, r);
    return pass;
}

static Sym new_name(const Renamer *r, Sym name)
{
    const Target *t = target_of(r, name);
    return t && (t->kind == TARGET_OWN || t->kind == TARGET_FOREIGN) ? t->name : name;
}

static const Stmt *rename_def(Renamer *r, const Stmt *s)
{
    Arena *a = r->binder.l->arena;
    if (s->kind == STMT_FUNCTION_DEF)
        return stmt_function_def(a, s->at, new_name(r, s->function_def.name), s->function_def.args,
                                 s->function_def.body, s->function_def.decorator_list,
                                 s->function_def.returns, s->function_def.type_params);
    if (s->kind == STMT_ASYNC_FUNCTION_DEF)
        return stmt_async_function_def(a, s->at, new_name(r, s->async_function_def.name),
                                       s->async_function_def.args, s->async_function_def.body,
                                       s->async_function_def.decorator_list,
                                       s->async_function_def.returns,
                                       s->async_function_def.type_params);
    return stmt_class_def(a, s->at, new_name(r, s->class_def.name), s->class_def.bases,
                          s->class_def.keywords, s->class_def.body, s->class_def.decorator_list,
                          s->class_def.type_params);
}

static const Stmt *rename_global(Renamer *r, const Stmt *s)
{
    Arena *a = r->binder.l->arena;
    Sym *names = ARENA_ARRAY(a, Sym, s->global.names.len + 1);
    for (size_t i = 0; i < s->global.names.len; i++) {
        Sym name = s->global.names.at[i];
        const Target *t = target_of(r, name);
        names[i] = new_name(r, name);
        if (t && (t->kind == TARGET_ENTITY || t->kind == TARGET_SPACE))
            diag_help(report(&r->binder, s->at, DIAG_UNSUPPORTED,
                             "a function cannot assign to `%s`, which is imported from another "
                             "module of the program%s", name, ""),
                      "assign to a variable of this module, or call a function of the other "
                      "module");
    }
    return stmt_global(a, s->at, (SymList){names, s->global.names.len});
}

static bool is_def(const Stmt *s)
{
    return s->kind == STMT_FUNCTION_DEF || s->kind == STMT_ASYNC_FUNCTION_DEF
           || s->kind == STMT_CLASS_DEF;
}

static const Stmt *rename_stmt(IrMapper *mapper, const Stmt *s)
{
    Renamer *r = mapper->cx;
    if (is_def(s) && table_get(r->defs, table_key(s->at.start)))
        return rename_def(r, s);
    if (table_get(r->imports, s))
        return rename_import(r, s);
    return s->kind == STMT_GLOBAL ? rename_global(r, s) : s;
}

static const Pattern *rename_pattern(IrMapper *mapper, const Pattern *p)
{
    Renamer *r = mapper->cx;
    if (p->kind == PATTERN_MATCH_VALUE && p->match_value.value->kind == EXPR_NAME)
        diag_help(report(&r->binder, p->at, DIAG_UNSUPPORTED, "a variable of another module cannot "
                         "be a pattern%s%s", "", ""),
                  "compare it in a guard, as in `case value if value == lib.LIMIT`");
    return p;
}

static bool note_top(void *cx, const Stmt *s)
{
    Renamer *r = cx;
    if (s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM)
        table_set(r->imports, s, r);
    if (!is_def(s))
        return true;
    table_set(r->defs, table_key(s->at.start), r);
    return false;
}

static void report_bare_modules(Renamer *r)
{
    for (size_t i = 0; i < r->modules.len; i++) {
        const Expr *e = r->modules.at[i];
        const Space *space = table_get(r->spaces, e);
        if (table_get(r->consumed, e) == NULL)
            report(&r->binder, e->at, DIAG_ROLE_AS_VALUE, "`%s` is a module, not a value%s",
                   space->text, "");
    }
}

StmtList link_rename(Linker *l, Module *m)
{
    Arena *a = l->arena;
    Renamer r = {.binder = {l, m}, .refs = table_new(a), .spaces = table_new(a),
                 .defs = table_new(a), .imports = table_new(a), .gone = table_new(a),
                 .consumed = table_new(a)};
    IrWalker top = {.cx = &r, .stmt = note_top};
    IrMapper mapper = {.arena = a, .cx = &r, .expr = rename_expr, .stmt = rename_stmt,
                       .pattern = rename_pattern};
    StmtList body = m->unit->module.body;
    ir_walk_stmts(&top, body);
    names_visit(a, l->cx->names, body, note_ref, &r);
    StmtList mapped = ir_map_stmts(&mapper, body);
    report_bare_modules(&r);
    m->renamed = ARENA_ARRAY(a, const Stmt *, mapped.len + 1);
    for (size_t i = 0; i < mapped.len; i++)
        m->renamed[i] = table_get(r.gone, mapped.at[i]) == NULL ? mapped.at[i] : NULL;
    return (StmtList){r.roles.at, r.roles.len};
}
