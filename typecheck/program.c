// program.c - what a module declares: roles, channels, enums, classes, functions, imports.
//
// Classifying a definition needs only its header: a class with ChN among its bases is
// role-parametric (or an enum at one role), a function whose signature mentions roles is a
// choreography
// (docs/language.md, "Roles" and "Declarations").

#include <stdlib.h>
#include <string.h>

#include "compiler/base/suggest.h"
#include "compiler/ir/free_names.h"
#include "typecheck/internal.h"

Decl *program_find(const Program *p, Sym name) {
    return name == NULL ? NULL : table_get(p->decls, name);
}

static const char *kind_text(DeclKind k) {
    switch (k) {
    case DECL_ROLE: return "a role";
    case DECL_LIBRARY: return "a name of the pychoral library";
    case DECL_CHANNEL: return "a channel class";
    case DECL_ENUM: return "an enum";
    case DECL_LOCAL_CLASS: case DECL_ROLE_CLASS: return "a class";
    case DECL_LOCAL_FUNCTION: case DECL_CHOREOGRAPHY: return "a function";
    case DECL_IMPORT: return "an import";
    case DECL_VARIABLE: return "a variable";
    }
    return "";
}

static Decl *declare(Program *p, DeclKind kind, Sym name, Span at, const Stmt *stmt) {
    Decl *old = program_find(p, name);
    if (old != NULL && old->kind == DECL_VARIABLE && kind == DECL_VARIABLE) {
        old->rebound = true;
        return old;
    }
    if (old != NULL && (old->kind == DECL_ROLE) != (kind == DECL_ROLE)) {
        Diag *d = diag_report(p->diags, at, DIAG_ROLE_CLASH, "`%s` is a role and also %s", name,
                              kind_text(kind == DECL_ROLE ? old->kind : kind));
        diag_label(d, old->at, "`%s` is %s here", name, kind_text(old->kind));
    }
    Decl *d = ARENA_NEW(p->arena, Decl);
    *d = (Decl){.kind = kind, .name = name, .at = at, .stmt = stmt,
                .members = table_new(p->arena), .fields = table_new(p->arena),
                .constants = table_new(p->arena)};
    d->index = p->order.len;
    table_set(p->decls, name, d);
    vec_push(p->arena, &p->order, d);
    return d;
}

// ---- how often names occur ----

typedef struct Mentions { Program *p; Table *count; } Mentions;

static void mention(Mentions *m, Sym name) {
    if (name == NULL) return;
    uintptr_t n = (uintptr_t)table_get(m->count, name);
    table_set(m->count, name, (void *)(n + 1));
}

static bool mention_expr(void *cx, const Expr *e) {
    Mentions *m = cx;
    if (e->kind == EXPR_NAME) mention(m, e->name.id);
    bool text = e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_STR;
    const Expr *quoted = text ? annotation_unquote(m->p, e) : e;
    if (quoted == e) return true;
    IrWalker w = {.cx = m, .expr = mention_expr};
    ir_walk_expr(&w, quoted);
    return true;
}

static bool mention_arg(void *cx, const Arg *arg) {
    mention(cx, arg->arg);
    return true;
}

static bool mention_stmt(void *cx, const Stmt *s) {
    if (s->kind == STMT_FUNCTION_DEF) mention(cx, s->function_def.name);
    if (s->kind == STMT_CLASS_DEF) mention(cx, s->class_def.name);
    return true;
}

Table *program_count_mentions(Program *p, StmtList body) {
    Mentions m = {p, table_new(p->arena)};
    IrWalker w = {.cx = &m, .expr = mention_expr, .arg = mention_arg, .stmt = mention_stmt};
    ir_walk_stmts(&w, body);
    return m.count;
}

size_t program_mentions(Program *p, Sym name) {
    if (p->mentions == NULL) p->mentions = program_count_mentions(p, p->body);
    return (size_t)(uintptr_t)table_get(p->mentions, name);
}

Decl *program_add_function(Program *p, const Stmt *def) {
    return declare(p, DECL_CHOREOGRAPHY, def->function_def.name, def->at, def);
}

// A file that declares a role declares all that it names; other files of the program need not.
static void note_roles(Program *p, Span at) {
    table_set(p->role_parts, table_key(source_part(p->source, at.start)), p);
}

bool program_declares_roles(const Program *p, Span at) {
    return table_get(p->role_parts, table_key(source_part(p->source, at.start))) != NULL;
}

// ---- imports ----

// The N of a `ChN` name; -1 for `Ch`, which takes any number; 0 when it is none.
static int role_header(Sym name) {
    if (name == NULL || strncmp(name, "Ch", 2) != 0) return 0;
    if (name[2] == '\0') return -1;
    char *end;
    long n = strtol(name + 2, &end, 10);
    return *end == '\0' && name[2] >= '1' && name[2] <= '9' && n <= 1000 ? (int)n : 0;
}

bool program_is_library(Sym module) {
    if (sym_is(module, "pychoral.ad")) return false;
    return sym_is(module, "pychoral") || (module != NULL && strncmp(module, "pychoral.", 9) == 0);
}

bool program_library_has(Sym name) {
    return sym_is(name, "At") || sym_is(name, "Role") || sym_is(name, "roles") ||
        sym_is(name, "effect") || role_header(name) != 0 || channel_class(name) != NULL;
}

static const char *nearest_library_name(Sym name) {
    static const char *const KNOWN[] = {
        "At", "Role", "roles", "effect", "Ch", "Channel", "SecureChannel", "SymChannel",
        "SymDataChannel", "SymSelectChannel", "BiChannel", "BiDataChannel", "DiChannel",
        "DiDataChannel", "DiSelectChannel"};
    return suggest_nearest(name, KNOWN, sizeof KNOWN / sizeof *KNOWN);
}

// What other libraries of messages have, and choreographies do not.
static bool help_other_library(Diag *d, Sym name) {
    static const char *const FIRST[] = {"select", "wait", "poll", "ready", "any", "recv_any", NULL};
    static const char *const MESSAGES[] = {"send", "recv", "receive", "com", "share", NULL};
    if (sym_is_one_of(name, FIRST))
        diag_help(d, "remove it: a role receives in the order of the choreography, and does not "
                  "wait for whichever channel is ready first; `ch.select(Label@R)` tells a role "
                  "which branch was taken");
    else if (sym_is_one_of(name, MESSAGES))
        diag_help(d, "remove the import: the methods of a channel send values, as in "
                     "`y = ch.com(x)`");
    return d->helps != NULL;
}

static void report_no_library_name(Program *p, const Alias *a) {
    Diag *d = diag_report(p->diags, a->at, DIAG_NAME_UNKNOWN, "cannot import name `%s` from "
                                                              "`pychoral`", a->name);
    if (help_other_library(d, a->name)) return;
    const char *near = nearest_library_name(a->name);
    if (near == NULL) return;
    Help *h = diag_help(d, "did you mean `%s`?", near);
    if (a->asname == NULL) diag_edit(d, h, a->at, "%s", near);
}

static void import_library(Program *p, const Stmt *s, const Alias *a) {
    Sym name = a->asname != NULL ? a->asname : a->name;
    if (sym_is(s->import_from.module, "pychoral.roles")) {
        note_roles(p, a->at);
        declare(p, DECL_ROLE, name, a->at, NULL);
        return;
    }
    if (a->asname != NULL && a->asname != a->name)
        diag_help(report_unsupported(p, a->at, "importing a name of `pychoral` under another name"),
                  "remove `as %s`, and use the name `%s`", a->asname, a->name);
    if (sym_is(s->import_from.module, "pychoral") && !program_library_has(a->name))
        report_no_library_name(p, a);
    const ChannelClass *c = channel_class(a->name);
    Decl *d = declare(p, c != NULL ? DECL_CHANNEL : DECL_LIBRARY, name, a->at, NULL);
    d->channel = c;
}

// What the file uses of `pychoral` is known, so that only the star is wrong.
static void import_star(Program *p, const Stmt *s, const Alias *star) {
    Diag *d = diag_report(p->diags, star->at, DIAG_IMPORT_STAR,
                          "a choreography cannot `import *`: name what it uses");
    if (!sym_is(s->import_from.module, "pychoral")) return;
    SymList free = names_free(p->arena, p->names, p->body);
    Buf b = buf_new(p->arena);
    for (size_t i = 0; i < free.len; i++) {
        if (!program_library_has(free.at[i])) continue;
        const Alias *a = alias_new(p->arena, star->at, free.at[i], NULL);
        buf_printf(&b, "%s%s", b.len > 0 ? ", " : "", free.at[i]);
        import_library(p, s, a);
    }
    if (b.len > 0) diag_edit(d, diag_help(d, "import the names"), star->at, "%s", buf_text(&b));
}

// `from pychoralc import At`, `from choral import Channel`: the name of another tool.
static bool is_misnamed_library(Program *p, const Stmt *s, const Alias *a) {
    Sym module = s->import_from.module;
    if (module == NULL || s->import_from.level > 0 || strstr(module, "choral") == NULL ||
        !program_library_has(a->name))
        return false;
    const char *text = p->source->text.at;
    uint32_t start = s->at.start + 4;
    start += (uint32_t)strspn(text + start, " ");
    Span at = {start, start + (uint32_t)strlen(module)};
    Diag *d = diag_report(p->diags, at, DIAG_NAME_UNKNOWN,
                          "`%s` is imported from `pychoral`, not from `%s`", a->name, module);
    diag_edit(d, diag_help(d, "write `pychoral`"), at, "pychoral");
    return true;
}

static void import_names(Program *p, const Stmt *s) {
    for (size_t i = 0; i < s->import_from.names.len; i++) {
        const Alias *a = s->import_from.names.at[i];
        if (sym_is(a->name, "*"))
            import_star(p, s, a);
        else if (sym_is(s->import_from.module, "__future__"))
            continue;
        else if (s->import_from.level == 0 && program_is_library(s->import_from.module))
            import_library(p, s, a);
        else if (is_misnamed_library(p, s, a))
            import_library(p, s, a);
        else
            declare(p, DECL_IMPORT, a->asname != NULL ? a->asname : a->name, a->at, s);
    }
}

static void import_modules(Program *p, const Stmt *s) {
    for (size_t i = 0; i < s->import.names.len; i++) {
        const Alias *a = s->import.names.at[i];
        Sym name = a->asname;
        if (name == NULL) name = names_intern(p->names, a->name, strcspn(a->name, "."));
        if (program_is_library(a->name)) {
            diag_help(report_unsupported(p, a->at, "importing `pychoral` as a module"),
                      "import the names: `from pychoral import At, Channel`");
            p->unread = true;
        }
        declare(p, DECL_IMPORT, name, a->at, s);
    }
}

// ---- classes ----

static void report_header_count(Program *p, const Expr *base, int n, size_t given) {
    Diag *d = diag_report(p->diags, base->at, DIAG_ROLE_COUNT,
                          "`Ch%d` takes %d role%s, but %zu %s given", n, n, diag_s(n), given,
                          diag_is(given));
    if (given > 3) diag_help(d, "write `Ch[...]`, which takes any number of roles");
    else if (given > 0)
        diag_help(d, "for %zu role%s, write `Ch%zu[...]`", given, diag_s(given), given);
}

static bool header_roles(Program *p, const Expr *base, SymList *out) {
    if (base->kind != EXPR_SUBSCRIPT || base->subscript.value->kind != EXPR_NAME) return false;
    int n = role_header(base->subscript.value->name.id);
    if (n == 0) return false;
    const Expr *slice = base->subscript.slice;
    ExprList args = slice->kind == EXPR_TUPLE ? slice->tuple.elts : (ExprList){&slice, 1};
    for (size_t i = 0; i < args.len; i++) {
        if (args.at[i]->kind != EXPR_NAME) {
            Diag *d = diag_report(p->diags, args.at[i]->at, DIAG_ROLE_UNKNOWN,
                                  "%s is not a role name", expr_text(p, args.at[i]));
            const Expr *role = annotation_unquote(p, args.at[i]);
            if (role->kind == EXPR_NAME) diag_help(d, "write `%s` without quotes", role->name.id);
            continue;
        }
        Sym r = args.at[i]->name.id;
        if (roles_has(*out, r))
            diag_help(diag_report(p->diags, args.at[i]->at, DIAG_ROLE_REPEATED,
                                  "role %s is given twice", r),
                      "write each role once");
        *out = roles_join(p->arena, *out, roles_one(p->arena, r));
    }
    if (n > 0 && (size_t)n != args.len)
        report_header_count(p, base, n, args.len);
    return true;
}

static bool base_is(const Expr *base, const char *name) {
    return (base->kind == EXPR_NAME && sym_is(base->name.id, name)) ||
        (base->kind == EXPR_ATTRIBUTE && sym_is(base->attribute.attr, name));
}

// `from enum import Enum as E`: what `E` is called there.
static Sym imported_name(Program *p, Sym name) {
    const Decl *d = program_find(p, name);
    if (d == NULL || d->kind != DECL_IMPORT || d->stmt->kind != STMT_IMPORT_FROM) return name;
    AliasList list = d->stmt->import_from.names;
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i]->asname == name) return list.at[i]->name;
    return name;
}

static bool has_enum_base(Program *p, const Stmt *s) {
    static const char *const ENUMS[] = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"};
    for (size_t i = 0; i < s->class_def.bases.len; i++) {
        const Expr *base = s->class_def.bases.at[i];
        for (size_t j = 0; j < 5; j++)
            if (base_is(base, ENUMS[j]) ||
                (base->kind == EXPR_NAME && sym_is(imported_name(p, base->name.id), ENUMS[j])))
                return true;
        Decl *d = base->kind == EXPR_NAME ? program_find(p, base->name.id) : NULL;
        if (d != NULL && d->kind == DECL_ENUM) return true;
    }
    return false;
}

static bool decorated(const Stmt *s, const char *name) {
    ExprList list = s->kind == STMT_CLASS_DEF ? s->class_def.decorator_list
                                              : s->function_def.decorator_list;
    for (size_t i = 0; i < list.len; i++) {
        const Expr *e = list.at[i]->kind == EXPR_CALL ? list.at[i]->call.func : list.at[i];
        if (base_is(e, name)) return true;
    }
    return false;
}

static void collect_members(Program *p, Decl *d) {
    StmtList body = d->stmt->class_def.body;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_FUNCTION_DEF)
            table_set(d->members, s->function_def.name, (void *)s);
        if (s->kind == STMT_ANN_ASSIGN && s->ann_assign.target->kind == EXPR_NAME) {
            Field *f = ARENA_NEW(p->arena, Field);
            *f = (Field){s->ann_assign.target->name.id, {0}, s->at};
            if (d->kind != DECL_ROLE_CLASS)
                f->type.ty = annotation_local(p, s->ann_assign.annotation);
            table_set(d->fields, f->name, f);
            vec_push(p->arena, &d->field_order, f->name);
        }
        if (s->kind == STMT_ASSIGN && s->assign.targets.at[0]->kind == EXPR_NAME)
            table_set(d->kind == DECL_ROLE_CLASS ? d->constants : d->members,
                      s->assign.targets.at[0]->name.id, (void *)s);
    }
}

// `self.x = p` and `self.x: T = ..` in the __init__ of a local class: what T x has.
static void collect_init_fields(Program *p, Decl *d) {
    const Stmt *init = table_get(d->members, names_get(p->names, "__init__"));
    if (init == NULL || init->kind != STMT_FUNCTION_DEF) return;
    StmtList body = init->function_def.body;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        const Expr *target = s->kind == STMT_ANN_ASSIGN ? s->ann_assign.target
            : s->kind == STMT_ASSIGN ? s->assign.targets.at[0] : NULL;
        if (target == NULL || target->kind != EXPR_ATTRIBUTE) continue;
        const Ty *ty = ty_any(p->arena);
        if (s->kind == STMT_ANN_ASSIGN) ty = annotation_local(p, s->ann_assign.annotation);
        ArgList args = init->function_def.args->args;
        for (size_t j = 0; s->kind == STMT_ASSIGN && j < args.len; j++)
            if (s->assign.value->kind == EXPR_NAME && args.at[j]->annotation != NULL &&
                s->assign.value->name.id == args.at[j]->arg)
                ty = annotation_local(p, args.at[j]->annotation);
        Field *f = ARENA_NEW(p->arena, Field);
        *f = (Field){target->attribute.attr, {ty, {0}}, s->at};
        if (table_get(d->fields, f->name) == NULL) table_set(d->fields, f->name, f);
    }
}

// ---- type parameters ----

static const Expr *subscript_head(const Expr *e) {
    return e->kind == EXPR_SUBSCRIPT ? e->subscript.value : e;
}

bool program_is_type_var(const Decl *d) {
    const Expr *value = d != NULL && d->kind == DECL_VARIABLE && d->stmt != NULL &&
        d->stmt->kind == STMT_ASSIGN ? d->stmt->assign.value : NULL;
    return value != NULL && value->kind == EXPR_CALL && base_is(value->call.func, "TypeVar");
}

// `list`, `Optional`, `deque`, a class of this module: what stands before `[` in a type.
static bool is_generic(Program *p, const Expr *e) {
    static const char *const MODULES[] = {"typing", "typing_extensions", "collections",
                                          "collections.abc", NULL};
    static const char *const BUILTINS[] = {"list", "dict", "set", "frozenset", "tuple", "type",
                                           NULL};
    const Expr *root = e->kind == EXPR_ATTRIBUTE ? e->attribute.value : e;
    if (root->kind != EXPR_NAME) return false;
    const Decl *d = program_find(p, root->name.id);
    if (d == NULL) return root == e && sym_is_one_of(e->name.id, BUILTINS);
    if (d->kind == DECL_LOCAL_CLASS) return root == e && d->type_params.len > 0;
    if (d->kind != DECL_IMPORT) return false;
    if (d->stmt->kind == STMT_IMPORT_FROM)
        return root == e && d->stmt->import_from.module != NULL &&
            sym_is_one_of(d->stmt->import_from.module, MODULES);
    return root != e && sym_is_one_of(d->name, MODULES);
}

const Expr *program_type_named(Program *p, const Decl *d) {
    const Stmt *s = d != NULL && d->kind == DECL_VARIABLE && !d->rebound ? d->stmt : NULL;
    if (s == NULL) return NULL;
    if (s->kind == STMT_TYPE_ALIAS) return s->type_alias.value;
    if (s->kind == STMT_ANN_ASSIGN && s->ann_assign.value != NULL &&
        base_is(s->ann_assign.annotation, "TypeAlias"))
        return s->ann_assign.value;
    const Expr *value = s->kind == STMT_ASSIGN && s->assign.targets.len == 1 ? s->assign.value
        : NULL;
    bool type = value != NULL &&
        ((value->kind == EXPR_BIN_OP && value->bin_op.op == OPERATOR_BIT_OR) ||
         (value->kind == EXPR_SUBSCRIPT && is_generic(p, value->subscript.value)));
    return type ? value : NULL;
}

// An operand of `|` that is a type, whatever it is called with.
static bool is_type_operand(Program *p, const Expr *e) {
    static const char *const BUILTINS[] = {"int", "str", "float", "bool", "bytes", "object", "list",
                                           "dict", "set", "frozenset", "tuple", "complex", NULL};
    if (e->kind == EXPR_CONSTANT) return e->constant.value->kind == CONST_NONE;
    if (e->kind == EXPR_SUBSCRIPT) return is_generic(p, e->subscript.value);
    if (e->kind != EXPR_NAME) return false;
    const Decl *d = program_find(p, e->name.id);
    if (d == NULL) return sym_is_one_of(e->name.id, BUILTINS);
    const Expr *named = program_type_named(p, d);       // not further: it may name itself
    return d->kind == DECL_LOCAL_CLASS || d->kind == DECL_ENUM ||
        (named != NULL && named->kind == EXPR_SUBSCRIPT);
}

bool program_is_type_name(Program *p, const Decl *d) {
    const Expr *e = program_type_named(p, d);
    if (e == NULL || e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE) return false;
    for (; e->kind == EXPR_BIN_OP; e = e->bin_op.left)
        if (!is_type_operand(p, e->bin_op.right)) return false;
    return e->kind == EXPR_CONSTANT || is_type_operand(p, e);
}

typedef struct TypeVars { Program *p; SymList found; } TypeVars;

static bool find_type_var(void *cx, const Expr *e) {
    TypeVars *v = cx;
    if (e->kind == EXPR_NAME && program_is_type_var(program_find(v->p, e->name.id)))
        v->found = roles_join(v->p->arena, v->found, roles_one(v->p->arena, e->name.id));
    return true;
}

// `class C[T]`, `Generic[T]`, `Protocol[T]`, or the TypeVars that the bases mention, in order.
static SymList class_type_params(Program *p, const Stmt *s) {
    TypeVars all = {p, {0}};
    TypeVars stated = {p, type_params_written(p->arena, s->class_def.type_params)};
    IrWalker w = {.cx = &all, .expr = find_type_var};
    for (size_t i = 0; i < s->class_def.bases.len; i++) {
        const Expr *base = s->class_def.bases.at[i];
        w.cx = base_is(subscript_head(base), "Generic") ||
            base_is(subscript_head(base), "Protocol") ? &stated : &all;
        if (base->kind == EXPR_SUBSCRIPT) ir_walk_expr(&w, base->subscript.slice);
    }
    return stated.found.len > 0 ? stated.found : all.found;
}

// `class D(Base[T, A, B])` has the roles that its base is given. `class D(Base)` is an error; it is
// read as if it had the roles of its base, so that nothing else is reported for it; so is `class
// D(D[A, B])`, as if it had those that it writes.
static bool inherited_roles(Program *p, const Stmt *s, const Expr *base, SymList *out) {
    const Expr *head = subscript_head(base);
    Decl *d = head->kind == EXPR_NAME ? program_find(p, head->name.id) : NULL;
    bool own = d == NULL && base->kind == EXPR_SUBSCRIPT && base_is(head, s->class_def.name);
    if (!own && (d == NULL || d->kind != DECL_ROLE_CLASS)) return false;
    if (base->kind != EXPR_SUBSCRIPT) {
        *out = roles_join(p->arena, *out, d->formals);
        return true;
    }
    const Expr *slice = base->subscript.slice;
    ExprList args = slice->kind == EXPR_TUPLE ? slice->tuple.elts : (ExprList){&slice, 1};
    size_t first = !own && args.len > d->formals.len && d->type_params.len > 0
        ? args.len - d->formals.len : 0;
    SymList before = type_params_enter(p, class_type_params(p, s));
    bool any = !own;
    for (size_t i = first; i < args.len; i++) {
        if (own ? !annotation_may_be_role(p, args.at[i]) : args.at[i]->kind != EXPR_NAME) continue;
        *out = roles_join(p->arena, *out, roles_one(p->arena, args.at[i]->name.id));
        any = true;
    }
    p->type_vars = before;
    return any;
}

// An enum lives at one role, and Python lets it have a member once.
static void check_enum(Program *p, const Stmt *s, SymList formals) {
    Table *seen = table_new(p->arena);
    StmtList body = s->class_def.body;
    if (formals.len > 1)
        diag_help(diag_report(p->diags, source_first_line(p->source, s->at), DIAG_CLASS_HEADER,
                              "the enum `%s` is given %zu roles, but its members are at one role",
                              s->class_def.name, formals.len),
                  "remove the roles: `class %s(Enum):`", s->class_def.name);
    for (size_t i = 0; i < body.len; i++) {
        const Expr *t = body.at[i]->kind == STMT_ASSIGN ? body.at[i]->assign.targets.at[0] : NULL;
        if (t == NULL || t->kind != EXPR_NAME) continue;
        if (table_get(seen, t->name.id) != NULL)
            diag_report(p->diags, body.at[i]->at, DIAG_CLASS_HEADER,
                        "the enum `%s` defines the member `%s` twice",
                        s->class_def.name, t->name.id);
        table_set(seen, t->name.id, seen);
    }
}

static void declare_class(Program *p, const Stmt *s) {
    SymList formals = {0}, inherited = {0};
    bool parametric = false, role = false, derived = false;
    for (size_t i = 0; i < s->class_def.bases.len; i++) {
        parametric |= header_roles(p, s->class_def.bases.at[i], &formals);
        derived |= inherited_roles(p, s, s->class_def.bases.at[i], &inherited);
        role |= base_is(s->class_def.bases.at[i], "Role");
    }
    if (!parametric && derived) formals = inherited;
    parametric |= derived;
    DeclKind kind = role ? DECL_ROLE : has_enum_base(p, s) ? DECL_ENUM
        : parametric ? DECL_ROLE_CLASS : DECL_LOCAL_CLASS;
    if (role) note_roles(p, s->at);
    Decl *d = declare(p, kind, s->class_def.name, s->at, s);
    d->formals = kind == DECL_ROLE_CLASS ? formals : (SymList){0};
    d->is_dataclass = decorated(s, "dataclass");
    d->is_final = decorated(s, "final");
    d->type_params = class_type_params(p, s);
    for (size_t i = 0; i < s->class_def.bases.len; i++)
        d->is_protocol |= base_is(subscript_head(s->class_def.bases.at[i]), "Protocol");
    if (kind == DECL_ENUM) check_enum(p, s, formals);
    if (kind != DECL_ROLE) collect_members(p, d);
    if (kind == DECL_LOCAL_CLASS) collect_init_fields(p, d);
}

Decl *program_local_base(Program *p, const Decl *c) {
    if (c->stmt == NULL || c->stmt->kind != STMT_CLASS_DEF) return NULL;
    for (size_t i = 0; i < c->stmt->class_def.bases.len; i++) {
        const Expr *b = c->stmt->class_def.bases.at[i];
        Decl *d = b->kind == EXPR_NAME ? program_find(p, b->name.id) : NULL;
        if (d == NULL || d->index >= c->index) continue;        // refused: no circles
        if (d->kind == DECL_LOCAL_CLASS || d->kind == DECL_ENUM) return d;
    }
    return NULL;
}

// ---- the module ----

static void declare_target(Program *p, const Expr *t, const Stmt *s) {
    if (t->kind == EXPR_NAME) declare(p, DECL_VARIABLE, t->name.id, t->at, s);
    if (t->kind == EXPR_TUPLE)
        for (size_t i = 0; i < t->tuple.elts.len; i++) declare_target(p, t->tuple.elts.at[i], s);
}

static void declare_stmt(Program *p, const Stmt *s) {
    switch (s->kind) {
    case STMT_CLASS_DEF: declare_class(p, s); return;
    case STMT_FUNCTION_DEF:
        declare(p, DECL_LOCAL_FUNCTION, s->function_def.name, s->at, s);
        return;
    case STMT_ASYNC_FUNCTION_DEF:
        declare(p, DECL_LOCAL_FUNCTION, s->async_function_def.name, s->at, s);
        return;
    case STMT_IMPORT: import_modules(p, s); return;
    case STMT_IMPORT_FROM: import_names(p, s); return;
    case STMT_ASSIGN:
        for (size_t i = 0; i < s->assign.targets.len; i++)
            declare_target(p, s->assign.targets.at[i], s);
        return;
    case STMT_ANN_ASSIGN: declare_target(p, s->ann_assign.target, s); return;
    case STMT_AUG_ASSIGN: declare_target(p, s->aug_assign.target, s); return;
    case STMT_TYPE_ALIAS: declare_target(p, s->type_alias.name, s); return;
    case STMT_FOR: case STMT_WHILE: case STMT_IF: case STMT_WITH: case STMT_TRY: case STMT_MATCH:
    case STMT_ASYNC_FOR: case STMT_ASYNC_WITH: case STMT_TRY_STAR: case STMT_RETURN:
    case STMT_DELETE: case STMT_RAISE: case STMT_ASSERT: case STMT_GLOBAL: case STMT_NONLOCAL:
    case STMT_EXPR: case STMT_PASS: case STMT_BREAK: case STMT_CONTINUE: case STMT_CHOREO:
    case STMT_OFFER: case STMT_STOPPED: case STMT_TAPE: case STMT_KEEP:
    case STMT_BACK: case STMT_COUNT: return;
    }
}

// Names that module-level blocks (if, try, for, with) bind.
static bool declare_nested(void *cx, const Stmt *s) {
    if (s->kind == STMT_FOR) declare_target(cx, s->for_.target, s);
    if (s->kind == STMT_CLASS_DEF || s->kind == STMT_FUNCTION_DEF ||
        s->kind == STMT_ASYNC_FUNCTION_DEF) {
        declare_stmt(cx, s);
        return false;
    }
    declare_stmt(cx, s);
    return true;
}

void program_collect(Program *p, StmtList body) {
    IrWalker w = {.cx = p, .stmt = declare_nested};
    for (size_t i = 0; i < body.len; i++) ir_walk_stmt(&w, body.at[i]);
}

// ---- did you mean ----

bool program_is_misspelt(const Decl *d) {
    return d != NULL && d->kind == DECL_LIBRARY && !program_library_has(d->name);
}

Sym program_did_you_mean(Program *p, Sym name, SymList more) {
    Vec(const char *) words = {0};
    for (size_t i = 0; i < more.len; i++)
        if (more.at[i] != name) vec_push(p->arena, &words, more.at[i]);
    for (size_t i = 0; i < p->order.len; i++)
        if (!program_is_misspelt(p->order.at[i])) vec_push(p->arena, &words, p->order.at[i]->name);
    return suggest_nearest(name, words.at, words.len);
}

bool program_misspelt_import(Program *p, Sym name) {
    for (size_t i = 0; i < p->order.len; i++) {
        const char *meant = program_is_misspelt(p->order.at[i])
            ? nearest_library_name(p->order.at[i]->name) : NULL;
        if (meant != NULL && sym_is(name, meant)) return true;
    }
    return false;
}

void help_unknown(Program *p, Diag *d, Sym name, Span at, SymList more, bool value) {
    if (help_import(p, d, name, at)) return;
    SymList builtins = builtin_names(p);
    Vec(Sym) words = {0};
    for (size_t i = 0; i < more.len; i++) vec_push(p->arena, &words, more.at[i]);
    for (size_t i = 0; i < builtins.len; i++) vec_push(p->arena, &words, builtins.at[i]);
    Sym like = program_did_you_mean(p, name, (SymList){words.at, words.len});
    const Decl *meant = like != NULL ? program_find(p, like) : NULL;
    bool word = meant != NULL && (meant->kind == DECL_LIBRARY || meant->kind == DECL_CHANNEL);
    if (like == NULL || (value && word)) return;
    Help *h = diag_help(d, "did you mean `%s`?", like);
    diag_edit(d, h, at, "%s", like);
}
