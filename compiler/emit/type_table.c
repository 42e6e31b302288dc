// type_table.c - see type_table.h.

#include "compiler/emit/type_table.h"

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/base/table.h"
#include "compiler/base/vec.h"

typedef struct Survey {
    Arena *arena;
    Names *names;
    Vec(TypeEntry) entries;
    Table *seen;                // path -> anything
    Table *still;               // program class whose instances cannot travel -> anything
    Table *imported;            // name -> the import statement that binds it
    Table *deleted;
} Survey;

static bool is_one_of(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

#define IS_ONE_OF(name, list) is_one_of(name, list, sizeof (list) / sizeof *(list))

static void add(Survey *s, TypeEntry e)
{
    if (table_get(s->seen, e.path) != NULL || table_get(s->deleted, e.root) != NULL)
        return;
    table_set(s->seen, e.path, s);
    vec_push(s->arena, &s->entries, e);
}

// ---- classes of the program ----

static const char *last_name(const Expr *e)
{
    if (e->kind == EXPR_CALL)
        e = e->call.func;
    if (e->kind == EXPR_SUBSCRIPT)
        e = e->subscript.value;
    return e->kind == EXPR_NAME ? e->name.id : e->kind == EXPR_ATTRIBUTE ? e->attribute.attr : "";
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

// A base that makes neither an enum nor a dataclass of a class.
static bool is_still_base(const Survey *s, const Expr *base)
{
    static const char *const STILL[] = {"object", "ABC", "Protocol", "Generic", "NamedTuple",
                                        "TypedDict", "Exception", "BaseException"};
    const char *name = last_name(base);
    if (base->kind == EXPR_NAME && table_get(s->still, base->name.id) != NULL)
        return true;
    return IS_ONE_OF(name, STILL) || ends_with(name, "Error") || ends_with(name, "Warning");
}

static bool is_still_decorator(const Expr *e)
{
    static const char *const STILL[] = {"final", "runtime_checkable", "total_ordering"};
    return IS_ONE_OF(last_name(e), STILL);
}

static bool may_travel(const Survey *s, const Stmt *c)
{
    ExprList decorators = c->class_def.decorator_list, bases = c->class_def.bases;
    for (size_t i = 0; i < decorators.len; i++)
        if (!is_still_decorator(decorators.at[i]))
            return true;
    for (size_t i = 0; i < bases.len; i++)
        if (!is_still_base(s, bases.at[i]))
            return true;
    return c->class_def.keywords.len > 0;
}

static void add_class(Survey *s, const Stmt *c, const TypeEntry *outer)
{
    Sym name = c->class_def.name;
    TypeEntry e = {.root = outer ? outer->root : name,
                   .path = outer ? names_format(s->names, "%s.%s", outer->path, name) : name};
    StmtList body = c->class_def.body;
    if (may_travel(s, c))
        add(s, e);
    else if (outer == NULL)
        table_set(s->still, name, s);
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_CLASS_DEF)
            add_class(s, body.at[i], &e);
}

// The name that `Color = Enum("Color", "RED GREEN")` binds.
static Sym made_class(const Stmt *s)
{
    static const char *const MAKERS[] = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag",
                                         "dataclass", "make_dataclass"};
    if (s->kind != STMT_ASSIGN || s->assign.targets.len != 1
        || s->assign.targets.at[0]->kind != EXPR_NAME || s->assign.value->kind != EXPR_CALL)
        return NULL;
    return IS_ONE_OF(last_name(s->assign.value), MAKERS) ? s->assign.targets.at[0]->name.id : NULL;
}

static bool surely_binds(StmtList block, Sym name);

static bool try_binds(const Stmt *s, Sym name)
{
    bool binds = surely_binds(s->try.body, name) || surely_binds(s->try.orelse, name);
    for (size_t i = 0; i < s->try.handlers.len; i++)
        binds = binds && surely_binds(s->try.handlers.at[i]->except_handler.body, name);
    return binds;
}

// Every arm, to the end of the `elif`s.
static bool if_binds(const Stmt *s, Sym name)
{
    for (;; s = s->if_.orelse.at[0]) {
        if (!surely_binds(s->if_.body, name))
            return false;
        if (s->if_.orelse.len != 1 || s->if_.orelse.at[0]->kind != STMT_IF)
            return surely_binds(s->if_.orelse, name);
    }
}

static bool import_binds(const Stmt *s, Sym name)
{
    for (size_t i = 0; i < s->import_from.names.len; i++) {
        const Alias *alias = s->import_from.names.at[i];
        if ((alias->asname != NULL ? alias->asname : alias->name) == name)
            return true;
    }
    return false;
}

static bool surely_binds(StmtList block, Sym name)
{
    for (size_t i = 0; i < block.len; i++) {
        const Stmt *s = block.at[i];
        if ((s->kind == STMT_CLASS_DEF && s->class_def.name == name) || made_class(s) == name
            || (s->kind == STMT_IMPORT_FROM && import_binds(s, name))
            || (s->kind == STMT_IF && if_binds(s, name))
            || (s->kind == STMT_TRY && try_binds(s, name)))
            return true;
    }
    return false;
}

static void add_arms(Survey *s, const Stmt *choice, StmtList arm);

// What is found in a choice at the top of the module.
static void add_arm(Survey *s, const Stmt *choice, const Stmt *at)
{
    Sym name = at->kind == STMT_CLASS_DEF ? at->class_def.name : made_class(at);
    const Stmt *one[] = {choice};
    if (name != NULL && surely_binds((StmtList){one, 1}, name))
        add(s, (TypeEntry){.root = name, .path = name});
    for (; at->kind == STMT_IF; at = at->if_.orelse.at[0]) {
        add_arms(s, choice, at->if_.body);
        if (at->if_.orelse.len == 1 && at->if_.orelse.at[0]->kind == STMT_IF)
            continue;
        add_arms(s, choice, at->if_.orelse);
        return;
    }
    if (at->kind != STMT_TRY)
        return;
    add_arms(s, choice, at->try.body);
    for (size_t i = 0; i < at->try.handlers.len; i++)
        add_arms(s, choice, at->try.handlers.at[i]->except_handler.body);
}

static void add_arms(Survey *s, const Stmt *choice, StmtList arm)
{
    for (size_t i = 0; i < arm.len; i++)
        add_arm(s, choice, arm.at[i]);
}

static void add_module(Survey *s, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *at = body.at[i];
        Sym made = made_class(at);
        if (at->kind == STMT_CLASS_DEF)
            add_class(s, at, NULL);
        else if (made != NULL)
            add(s, (TypeEntry){.root = made, .path = made});
        else if (at->kind == STMT_IF || at->kind == STMT_TRY)
            add_arm(s, at, at);
    }
}

static void note_deleted(Survey *s, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        if (body.at[i]->kind != STMT_DELETE)
            continue;
        ExprList targets = body.at[i]->delete.targets;
        for (size_t j = 0; j < targets.len; j++)
            if (targets.at[j]->kind == EXPR_NAME)
                table_set(s->deleted, targets.at[j]->name.id, s);
    }
}

// ---- imported classes ----

// Modules whose classes never travel.
static bool is_still_module(const char *module)
{
    static const char *const STILL[] = {
        "__future__", "abc", "builtins", "collections", "concurrent", "contextlib", "dataclasses",
        "datetime", "decimal", "enum", "fractions", "functools", "io", "itertools", "numbers",
        "pathlib", "pychoral", "queue", "random", "re", "threading", "time", "types", "typing",
        "typing_extensions"};
    char top[32];
    size_t len = strcspn(module, ".");
    if (len >= sizeof top)
        return false;
    memcpy(top, module, len);
    top[len] = '\0';
    return IS_ONE_OF(top, STILL);
}

static Sym bound_by(Survey *s, const Alias *alias)
{
    if (alias->asname != NULL)
        return alias->asname;
    return names_intern(s->names, alias->name, strcspn(alias->name, "."));
}

static void note_imports(Survey *s, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *at = body.at[i];
        bool from = at->kind == STMT_IMPORT_FROM;
        AliasList list = from ? at->import_from.names
                         : at->kind == STMT_IMPORT ? at->import.names : (AliasList){0};
        for (size_t j = 0; j < list.len; j++) {
            const char *module = from ? at->import_from.module : list.at[j]->name;
            Sym name = bound_by(s, list.at[j]);
            if (module != NULL && !is_still_module(module) && table_get(s->imported, name) == NULL)
                table_set(s->imported, name, (void *)at);
        }
    }
}

static Sym path_of(Survey *s, const Expr *e, Sym *root)
{
    if (e->kind == EXPR_NAME)
        return *root = e->name.id;
    Sym path = e->kind == EXPR_ATTRIBUTE ? path_of(s, e->attribute.value, root) : NULL;
    return path == NULL ? NULL : names_format(s->names, "%s.%s", path, e->attribute.attr);
}

// The class that a name in an annotation may be. Below an attribute there is nothing more to find.
static bool note_type(void *cx, const Expr *e)
{
    Survey *s = cx;
    Sym root = NULL;
    if (e->kind != EXPR_NAME && e->kind != EXPR_ATTRIBUTE)
        return true;
    Sym path = path_of(s, e, &root);
    const Stmt *import = path != NULL ? table_get(s->imported, root) : NULL;
    bool whole = import != NULL && import->kind == STMT_IMPORT && path == root;     // a module
    if (import != NULL && !whole)
        add(s, (TypeEntry){.root = root, .path = path, .import = import});
    return false;
}

static void note_annotation(Survey *s, const Expr *annotation)
{
    IrWalker w = {.cx = s, .expr = note_type};
    if (annotation != NULL)
        ir_walk_expr(&w, annotation);
}

static bool note_arg(void *cx, const Arg *arg)
{
    note_annotation(cx, arg->annotation);
    return false;
}

static bool note_stmt(void *cx, const Stmt *at)
{
    if (at->kind == STMT_ANN_ASSIGN)
        note_annotation(cx, at->ann_assign.annotation);
    else if (at->kind == STMT_FUNCTION_DEF)
        note_annotation(cx, at->function_def.returns);
    return true;
}

// ---- the table ----

TypeEntries type_table(Arena *a, Names *names, const Unit *checked)
{
    Survey s = {.arena = a, .names = names, .seen = table_new(a), .still = table_new(a),
                .imported = table_new(a), .deleted = table_new(a)};
    StmtList body = checked->module.body;
    note_deleted(&s, body);
    note_imports(&s, body);
    add_module(&s, body);
    if (!table_empty(s.imported)) {
        IrWalker w = {.cx = &s, .stmt = note_stmt, .arg = note_arg};
        ir_walk_unit(&w, checked);
    }
    return (TypeEntries){s.entries.at, s.entries.len};
}

void type_table_describe(Buf *b, TypeEntries table)
{
    for (size_t i = 0; i < table.len; i++)
        buf_printf(b, "# type %s\n", table.at[i].path);
}
