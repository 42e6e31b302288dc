// local.c - what code without roles may not do, and whether it gives the same everywhere.

#include <string.h>

#include "compiler/ir/free_names.h"
#include "typecheck/python/python.h"

static const char *const DYNAMIC[] = {"eval", "exec", "globals", "locals", "vars", "__import__"};

static bool dynamic(Sym name) {
    for (size_t i = 0; i < sizeof DYNAMIC / sizeof *DYNAMIC; i++)
        if (sym_is(name, DYNAMIC[i])) return true;
    return false;
}

// ---- uses that are refused ----

// A statement of one role's code, and what it mentions but does not bind itself.
typedef struct Local { Program *p; const Stmt *stmt; SymList free; bool told; } Local;

typedef struct Around { Span at; const Stmt *found; } Around;

// The outermost function that the place is in.
static bool find_around(void *cx, const Stmt *s) {
    Around *a = cx;
    bool function = s->kind == STMT_FUNCTION_DEF || s->kind == STMT_ASYNC_FUNCTION_DEF;
    if (function && a->found == NULL && s->at.start <= a->at.start && a->at.end <= s->at.end)
        a->found = s;
    return a->found == NULL;
}

// `sys.modules[__name__].x`
static bool is_module_looked_up(const Program *p, const Expr *e) {
    const Expr *of = e->kind == EXPR_SUBSCRIPT ? e->subscript.value : NULL;
    const Decl *d = of != NULL && of->kind == EXPR_ATTRIBUTE &&
        sym_is(of->attribute.attr, "modules") && of->attribute.value->kind == EXPR_NAME
        ? program_find(p, of->attribute.value->name.id) : NULL;
    return d != NULL && d->kind == DECL_IMPORT;
}

// A parameter, a variable or an attribute may have such a name.
static void refuse_dynamic(const Local *l, const Expr *e)
{
    static const char *const VARIABLES[] = {"__closure__", "__globals__", "gi_frame", "cr_frame",
                                            "tb_frame", NULL};
    Program *p = l->p;
    bool replaced = e->kind == EXPR_ATTRIBUTE && e->attribute.ctx != EXPR_CONTEXT_LOAD &&
        sym_is(e->attribute.attr, "__dict__");
    if (replaced || (e->kind == EXPR_ATTRIBUTE && sym_is_one_of(e->attribute.attr, VARIABLES)))
        diag_report(p->diags, e->at, DIAG_DYNAMIC_CODE,
                    "`%s` looks up variables at run time, which projection cannot follow",
                    e->attribute.attr);
    if (is_module_looked_up(p, e))
        diag_report(p->diags, e->at, DIAG_DYNAMIC_CODE,
                    "`sys.modules` looks up variables at run time, which projection cannot follow");
    if (e->kind != EXPR_NAME || e->name.ctx != EXPR_CONTEXT_LOAD || !dynamic(e->name.id) ||
        program_find(p, e->name.id) != NULL)
        return;
    Around a = {e->at, NULL};
    IrWalker w = {.cx = &a, .stmt = find_around};
    ir_walk_stmt(&w, l->stmt);
    SymList free = names_free(p->arena, p->names,
                              (StmtList){a.found != NULL ? &a.found : &l->stmt, 1});
    if (roles_has(free, e->name.id))
        diag_report(p->diags, e->at, DIAG_DYNAMIC_CODE,
                    "`%s` is dynamic code, which projection cannot follow", e->name.id);
}

// Roles need no declaration: what some signature of the file calls a role is one.
bool local_names_role(const Program *p, Sym name) {
    for (size_t i = 0; i < p->functions.len; i++)
        if (roles_has(p->functions.at[i]->roles, name)) return true;
    return false;
}

static const char *word_of_choreographies(const Decl *d) {
    if (d->kind == DECL_ROLE) return "a role";
    return d->kind == DECL_LIBRARY || d->kind == DECL_CHANNEL
        ? "a word of the choreography language" : NULL;
}

bool local_is_async_choreography(Program *p, const Decl *d) {
    if (d == NULL || d->kind != DECL_LOCAL_FUNCTION || d->stmt->kind != STMT_ASYNC_FUNCTION_DEF)
        return false;
    SymList free = names_free(p->arena, p->names, (StmtList){&d->stmt, 1});
    for (size_t i = 0; i < free.len; i++) {
        const Decl *word = program_find(p, free.at[i]);
        if (word != NULL && word_of_choreographies(word) != NULL) return true;
    }
    return false;
}

// The field of a class in whose type this stands, or NULL.
static const Stmt *field_around(const Stmt *s, const Expr *e) {
    for (size_t i = 0; s != NULL && s->kind == STMT_CLASS_DEF && i < s->class_def.body.len; i++) {
        const Stmt *f = s->class_def.body.at[i];
        if (f->kind == STMT_ANN_ASSIGN && f->ann_assign.target->kind == EXPR_NAME &&
            f->ann_assign.annotation->at.start <= e->at.start &&
            e->at.end <= f->ann_assign.annotation->at.end)
            return f;
    }
    return NULL;
}

static void help_field(Program *p, Diag *d, const Stmt *class_, const Stmt *field) {
    const Expr *type = field->ann_assign.annotation;
    ExprList args = type->kind == EXPR_SUBSCRIPT
        ? annotation_elements(p->arena, type->subscript.slice) : (ExprList){0};
    bool at = args.len > 1 && sym_is(annotation_head(type->subscript.value), "At");
    Sym name = class_->class_def.name;
    if (at)
        diag_help(d, "write `%s: %s`: the field is at the role of the `%s` object, as in `x: "
                     "At[%s, Alice]`",
                  field->ann_assign.target->name.id, annotation_text(p, args.at[0]), name, name);
    diag_help(d, "for fields with roles, write a class of several roles: `class %s(Ch2[A, B])`, "
                 "with `self.x = x` in its `__init__`", name);
}

// The roles in the signatures of a class whose header names none; empty if they are not two or
// three.
static SymList header_roles(Program *p, const Stmt *around) {
    SymList roles = {0};
    if (around == NULL || around->kind != STMT_CLASS_DEF || around->class_def.bases.len > 0)
        return roles;
    for (size_t i = 0; i < around->class_def.body.len; i++) {
        const Stmt *s = around->class_def.body.at[i];
        const Arguments *a = s->kind == STMT_FUNCTION_DEF ? s->function_def.args : NULL;
        for (size_t j = 0; a != NULL && j < a->args.len; j++)
            if (a->args.at[j]->annotation != NULL)
                annotation_roles(p, a->args.at[j]->annotation, (SymList){0}, &roles);
    }
    return roles.len == 2 || roles.len == 3 ? roles : (SymList){0};
}

static void report_header(Program *p, const Expr *e, const Stmt *around, SymList roles) {
    Diag *d = diag_report(p->diags, e->at, DIAG_LOCAL_CALLS_CHOREO,
                          "`%s` is used in class `%s`, whose header names no roles", e->name.id,
                          around->class_def.name);
    diag_label(d, source_first_line(p->source, around->at), "a class of one role");
    diag_help(d, "write its roles: `class %s(Ch%zu[%s, %s%s%s]):`, with `Ch%zu` from `pychoral`",
              around->class_def.name, roles.len, roles.at[0], roles.at[1],
              roles.len == 3 ? ", " : "", roles.len == 3 ? roles.at[2] : "", roles.len);
}

// ---- pins in one role's code ----

static bool is_pin(const Program *p, const Expr *e) {
    return e->kind == EXPR_NAME && e->at.start > 0 && p->source->text.at[e->at.start - 1] == '@' &&
        local_names_role(p, e->name.id);
}

typedef struct Pins { Program *p; Diag *d; Help *h; } Pins;

static bool edit_pin(void *cx, const Expr *e) {
    Pins *x = cx;
    if (is_pin(x->p, e))
        diag_edit(x->d, x->h, (Span){e->at.start - 1, e->at.end}, "%s", "");
    return true;
}

// `print(x@Server)` in a function without roles: who calls it says where it runs.
static bool help_local_pin(Program *p, Diag *d, const Expr *e, const Stmt *around) {
    if (around == NULL || around->kind != STMT_FUNCTION_DEF || !is_pin(p, e)) return false;
    Sym name = around->function_def.name;
    ArgList args = around->function_def.args->args;
    Help *h = args.len > 0
        ? diag_help(d, "remove `@%s`: `%s` runs where its arguments are, at any role",
                    e->name.id, name)
        : diag_help(d, "remove `@%s`: the call determines where `%s` runs, as in `%s()@%s`",
                    e->name.id, name, name, e->name.id);
    Pins x = {p, d, h};
    IrWalker w = {.cx = &x, .expr = edit_pin};
    ir_walk_stmt(&w, around);
    if (args.len > 0)
        diag_help(d, "or give `%s` roles, as in `%s: At[.., %s]`: then it is a choreography", name,
                  args.at[0]->arg, e->name.id);
    return true;
}

typedef struct Ranks { const Expr *word, *rank; } Ranks;

static bool find_rank(void *cx, const Expr *e) {
    Ranks *x = cx;
    if (e->kind != EXPR_SUBSCRIPT || e->subscript.value != x->word) return true;
    ExprList list = e->subscript.slice->kind == EXPR_TUPLE ? e->subscript.slice->tuple.elts
                                                           : (ExprList){0};
    for (size_t i = list.len; i-- > 1;)
        if (list.at[i]->kind == EXPR_CONSTANT && list.at[i]->constant.value->kind == CONST_INT)
            x->rank = list.at[i];
    return false;
}

// `Channel[int, 0, 1]`: ranks in place of roles, so nothing says that this is a choreography.
static bool report_rank(Program *p, const Expr *word, const Stmt *around) {
    Ranks x = {.word = word};
    IrWalker w = {.cx = &x, .expr = find_rank};
    if (around != NULL) ir_walk_stmts(&w, (StmtList){&around, 1});
    if (x.rank == NULL) return false;
    Diag *d = diag_report(p->diags, x.rank->at, DIAG_ROLE_UNKNOWN,
                          "a role is a name, not a number");
    diag_help(d, "name the roles, as in `%s`",
              sym_is(word->name.id, "At") ? "At[int, Alice]" : "Channel[int, Alice, Bob]");
    return true;
}

// `around`: the statement of the module; NULL where it is not known.
static bool names_channel(Program *p, const Expr *e) {
    const Decl *d = program_find(p, e->name.id);
    return d != NULL && d->channel != NULL;
}

static void help_header(Diag *d, const Stmt *class_) {
    diag_help(d, "name the roles in the header, as in `class %s(Ch2[A, B]):`, with `Ch2` from "
                 "`pychoral`", class_->class_def.name);
}

// The declaration of a variable with `At[..]`, where the word `at` stands.
typedef struct Declared { const Expr *at; const Stmt *found; } Declared;

static bool find_declared(void *cx, const Stmt *s) {
    Declared *x = cx;
    const Expr *type = s->kind == STMT_ANN_ASSIGN ? s->ann_assign.annotation : NULL;
    if (type != NULL && type->kind == EXPR_SUBSCRIPT && type->subscript.value == x->at &&
        sym_is(x->at->name.id, "At") && s->ann_assign.target->kind == EXPR_NAME)
        x->found = s;
    return x->found == NULL;
}

// `limit: At[int, A] = 3` in the module, and what else names a role in code without roles.
static void help_word(Program *p, Diag *d, const Expr *e, const Stmt *around) {
    Declared x = {.at = e};
    IrWalker w = {.cx = &x, .stmt = find_declared};
    if (around != NULL) ir_walk_stmt(&w, around);
    ExprList args = x.found == NULL ? (ExprList){0}
        : annotation_elements(p->arena, x.found->ann_assign.annotation->subscript.slice);
    Sym name = x.found != NULL ? x.found->ann_assign.target->name.id : NULL;
    if (args.len > 1 && x.found == around)
        diag_help(d, "write `%s: %s`: a module variable has no role", name,
                  annotation_text(p, args.at[0]));
    else if (around != NULL && around->kind == STMT_CLASS_DEF)
        help_header(d, around);
    else
        diag_help(d, "move this into a choreography: a function whose parameters name their roles");
    if (args.len > 1 && x.found != around)
        diag_help(d, "or write `%s: %s`: local code runs at one role", name,
                  annotation_text(p, args.at[0]));
}

static void report_word(Program *p, const Expr *e, const char *what, const Stmt *around) {
    const Stmt *field = field_around(around, e);
    SymList roles = header_roles(p, around);
    if (field == NULL && roles.len > 0) {
        report_header(p, e, around, roles);
        return;
    }
    if (report_rank(p, e, around)) return;
    bool in_function = around != NULL && around->kind == STMT_FUNCTION_DEF && field == NULL;
    Diag *d = in_function && names_channel(p, e)
        ? diag_report(p->diags, e->at, DIAG_LOCAL_CALLS_CHOREO,
                      "`%s` is used in `%s`, whose signature names no roles", e->name.id,
                      around->function_def.name)
        : diag_report(p->diags, e->at, DIAG_LOCAL_CALLS_CHOREO,
                      "`%s` is %s, but this is code of one role", e->name.id, what);
    if (field != NULL)
        help_field(p, d, around, field);
    else if (names_channel(p, e))
        diag_help(d, "a channel is a parameter of a choreography, as in `def main(ch: "
                  "Channel[str, Alice, Bob]) -> None:`");
    else if (!help_local_pin(p, d, e, around))
        help_word(p, d, e, around);
}

static bool is_within(const Expr *e, const Expr *of) {
    return of != NULL && of->at.start <= e->at.start && e->at.end <= of->at.end;
}

// The text before the type `e` in a signature, "x: " or "-> "; NULL: `e` is not in it.
static const char *before_type(const Program *p, const Stmt *def, const Expr *e) {
    ArgList args = def->function_def.args->args;
    for (size_t i = 0; i < args.len; i++)
        if (is_within(e, args.at[i]->annotation))
            return names_format(p->names, "%s: ", args.at[i]->arg);
    return is_within(e, def->function_def.returns) ? "-> " : NULL;
}

// The signature of the function that is a choreography once it names roles.
static void help_signature(Program *p, Diag *d, const Decl *uses, const Expr *e,
                           const Stmt *around) {
    ArgList args = around->function_def.args->args;
    const Expr *type = args.len > 0 ? args.at[0]->annotation : NULL;
    const char *before = before_type(p, around, e);
    SymList roles = uses->formals.len > 0 || uses->function == NULL ? uses->formals
                                                                    : uses->function->roles;
    Sym name = around->function_def.name;
    Buf types = buf_new(p->arena);
    for (size_t i = 0; i < uses->type_params.len; i++)
        buf_puts(&types, "int, ");
    if (before != NULL)
        diag_help(d, "write roles in the signature of `%s`, as in `%s%s[%s%s]`", name, before,
                  uses->name, buf_text(&types), roles_list(p->arena, roles));
    else if (type != NULL && roles.len > 0)
        diag_help(d, "write roles in the signature of `%s`, as in `%s: At[%s, %s]`", name,
                  args.at[0]->arg, annotation_text(p, type), roles.at[0]);
    else if (roles.len > 0)
        diag_help(d, "write the roles of `%s` before it, as in `@roles(%s)`, with `roles` from "
                     "`pychoral`", name, roles_list(p->arena, roles));
}

static void help_enclosing(Program *p, Diag *d, const Decl *uses, const Expr *e,
                           const Stmt *around) {
    if (around != NULL && around->kind == STMT_FUNCTION_DEF)
        help_signature(p, d, uses, e, around);
    else if (around != NULL && around->kind == STMT_CLASS_DEF)
        help_header(d, around);
    else
        diag_help(d, "move this into a choreography: a function whose parameters name their roles");
}

// `around`: the statement of the module; NULL where it is not known.
static void report_choreography(Program *p, const Expr *e, const Decl *d, const Stmt *around) {
    bool class_ = d->kind == DECL_ROLE_CLASS;
    Diag *g = diag_report(p->diags, e->at, DIAG_LOCAL_CALLS_CHOREO,
                          class_ ? "code of one role uses `%s`, a class with role parameters"
                                 : "code of one role uses the choreography `%s`", d->name);
    diag_label(g, class_ ? source_first_line(p->source, d->at) : d->at,
               class_ ? "the instances of `%s` have roles" : "`%s` has code of several roles",
               d->name);
    bool inside = around == NULL || around->kind == STMT_FUNCTION_DEF ||
        around->kind == STMT_CLASS_DEF;
    if (inside)
        help_enclosing(p, g, d, e, around);
    else
        diag_help(g, "remove this statement: generated programs call the entry, `main`, with "
                     "parameters from the command line; call other choreographies in `main`");
}

// Once for a statement: what stands beside a role is usually about roles too.
static void refuse_word(Local *l, const Expr *e, const char *what) {
    if (l->told) return;
    l->told = true;
    if (l->stmt->kind == STMT_ASYNC_FUNCTION_DEF) report_async(l->p, l->stmt);
    else report_word(l->p, e, what, l->stmt);
}

static void refuse_name(Local *l, const Expr *e) {
    Program *p = l->p;
    Decl *d = program_find(p, e->name.id);
    if (d == NULL && roles_has(l->free, e->name.id) && local_names_role(p, e->name.id))
        refuse_word(l, e, "a role");
    if (d == NULL || !roles_has(l->free, e->name.id)) return;
    const char *word = word_of_choreographies(d);
    if (word != NULL) refuse_word(l, e, word);
    bool refused = l->stmt->kind == STMT_ASYNC_FUNCTION_DEF &&
        local_is_async_choreography(p, program_find(p, l->stmt->async_function_def.name));
    if ((d->kind == DECL_CHOREOGRAPHY || d->kind == DECL_ROLE_CLASS) && !refused)
        report_choreography(p, e, d, l->stmt);
}

bool local_refuse_quoted(Program *p, const Expr *e) {
    const Decl *d = program_find(p, e->name.id);
    bool role = d == NULL && local_names_role(p, e->name.id);
    const char *word = role ? "a role" : d != NULL ? word_of_choreographies(d) : NULL;
    bool several = d != NULL && (d->kind == DECL_CHOREOGRAPHY || d->kind == DECL_ROLE_CLASS);
    if (word != NULL) report_word(p, e, word, NULL);
    else if (several) report_choreography(p, e, d, NULL);
    return word != NULL || several;
}

static bool refuse(void *cx, const Expr *e) {
    Local *l = cx;
    refuse_dynamic(l, e);
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_LOAD) refuse_name(l, e);
    return true;
}

static bool refuse_anywhere(void *cx, const Expr *e) {
    refuse_dynamic(cx, e);
    return true;
}

// The programs that are written are Python 3.10, which has no words for these.
static void refuse_newer(Program *p, const Stmt *s) {
    if (table_get(p->lowered, table_key(s->at.start)) != NULL) return;
    bool generic = (s->kind == STMT_FUNCTION_DEF && s->function_def.type_params.len > 0) ||
        (s->kind == STMT_CLASS_DEF && s->class_def.type_params.len > 0) ||
        (s->kind == STMT_ASYNC_FUNCTION_DEF && s->async_function_def.type_params.len > 0);
    const char *what = generic
        ? "a type parameter list of a nested or `async` definition (use `TypeVar`)"
        : s->kind == STMT_TYPE_ALIAS ? "a `type` statement (use `TypeAlias`)"
        : s->kind == STMT_TRY_STAR ? "`except*`, which Python 3.10 does not have," : NULL;
    if (what != NULL) report_unsupported(p, source_first_line(p->source, s->at), what);
}

static bool note_stmt(void *cx, const Stmt *s) {
    Program *p = cx;
    refuse_newer(p, s);
    for (size_t i = 0; s->kind == STMT_GLOBAL && i < s->global.names.len; i++) {
        Decl *d = program_find(p, s->global.names.at[i]);
        if (d != NULL) d->rebound = true;
    }
    return true;
}

// `Alice, Bob` of a base `Channel[str, Alice, Bob]`; `A, B` where it does not say.
static const char *channel_roles(Program *p, const Expr *base) {
    if (base->kind != EXPR_SUBSCRIPT || base->subscript.slice->kind != EXPR_TUPLE) return "A, B";
    ExprList parts = base->subscript.slice->tuple.elts;
    if (parts.len < 2) return "A, B";
    Span at = {parts.at[parts.len - 2]->at.start, parts.at[parts.len - 1]->at.end};
    return source_written(p->arena, p->source, at);
}

void report_channel_base(Program *p, const Expr *base, Sym name) {
    Diag *d = diag_report(p->diags, base->at, DIAG_CLASS_HEADER, "`%s` cannot inherit from a "
                                                                 "channel class, because only the "
                                                                 "runtime creates channels", name);
    diag_help(d, "store the channel in a field of your class: `class %s(Ch2[%s])` with `self.ch = "
                 "ch` in `__init__`, and methods that use it", name, channel_roles(p, base));
}

static bool inherits_roles(Program *p, const Stmt *s) {
    for (size_t i = 0; s->kind == STMT_CLASS_DEF && i < s->class_def.bases.len; i++) {
        const Expr *base = s->class_def.bases.at[i];
        if (base->kind == EXPR_SUBSCRIPT) base = base->subscript.value;
        Decl *d = base->kind == EXPR_NAME ? program_find(p, base->name.id) : NULL;
        if (d != NULL && d->kind == DECL_CHANNEL) {
            report_channel_base(p, s->class_def.bases.at[i], s->class_def.name);
            return true;
        }
        if (d == NULL || d->kind != DECL_ROLE_CLASS) continue;
        report_unsupported(p, s->class_def.bases.at[i]->at,
                           "inheriting from a class of several roles in a class of one role");
        return true;
    }
    return false;
}

static bool is_local(Program *p, const Stmt *s) {
    Sym name = s->kind == STMT_FUNCTION_DEF ? s->function_def.name
        : s->kind == STMT_CLASS_DEF ? s->class_def.name : NULL;
    Decl *d = program_find(p, name);
    if (s->kind == STMT_CLASS_DEF) return d != NULL && d->kind == DECL_LOCAL_CLASS;
    return d == NULL || d->kind != DECL_CHOREOGRAPHY;
}

static void refuse_in(Program *p, const Stmt *s) {
    Local l = {p, s, names_free(p->arena, p->names, (StmtList){&s, 1}), false};
    IrWalker local = {.cx = &l, .expr = refuse};
    ir_walk_stmt(&local, s);
}

bool local_check_inner(Program *p, const Stmt *def) {
    size_t before = diags_error_count(p->diags);
    refuse_in(p, def);
    return diags_error_count(p->diags) == before;
}

void local_check(Program *p, StmtList body, IrIndex index) {
    IrWalker all = {.cx = p, .stmt = note_stmt};
    const IrKinds noted = {
        .stmts = IR_KIND(STMT_FUNCTION_DEF) | IR_KIND(STMT_ASYNC_FUNCTION_DEF) |
            IR_KIND(STMT_CLASS_DEF) | IR_KIND(STMT_TYPE_ALIAS) | IR_KIND(STMT_TRY_STAR) |
            IR_KIND(STMT_GLOBAL)};
    const IrKinds names = {.exprs = IR_KIND(EXPR_NAME) | IR_KIND(EXPR_ATTRIBUTE) |
                                    IR_KIND(EXPR_SUBSCRIPT)};
    for (size_t i = 0; i < body.len; i++) {
        IrIndex tree = ir_index_next(&index);
        if (is_main_guard(body.at[i])) continue;
        ir_index_walk(&all, tree, noted);
        if (!is_local(p, body.at[i]) || inherits_roles(p, body.at[i])) {
            Local l = {.p = p, .stmt = body.at[i]};
            IrWalker choreographic = {.cx = &l, .expr = refuse_anywhere};
            ir_index_walk(&choreographic, tree, names);
            continue;
        }
        refuse_in(p, body.at[i]);
    }
    for (size_t i = 0; i < p->functions.len; i++) {     // static methods without roles
        const Function *f = p->functions.at[i];
        if (f->local && !f->external) refuse_in(p, f->def);
    }
}

// ---- determinism ----

typedef struct Purity {
    Program *p;
    bool ok;
    Table *asked;           // inner functions that are asked about
    bool typed;             // types of all variables are known: iteration_order.c sees every set
    bool loading;           // of the module's own statements: it may change what it has
    bool own;               // what it calls or defines is asked on its own
    const Expr *why;        // not ok
    const Expr *callee;     // of the call that was looked at last
} Purity;

// Foreign modules whose use changes nothing about a result.
static bool harmless_module(const Stmt *s, Sym name) {
    static const char *const MODULES[] = {"dataclasses", "enum", "typing", "abc", "fractions",
                                          "decimal", "json", "hashlib", "itertools", "functools",
                                          "collections", "collections.abc", "operator", "re",
                                          "string", "textwrap"};
    const char *module = name;
    if (s != NULL && s->kind == STMT_IMPORT_FROM && s->import_from.module != NULL)
        module = s->import_from.module;
    for (size_t i = 0; i < sizeof MODULES / sizeof *MODULES; i++)
        if (strcmp(module, MODULES[i]) == 0) return true;
    return false;
}

bool decl_is_code(const Decl *d) {
    return d->kind == DECL_LOCAL_FUNCTION || d->kind == DECL_LOCAL_CLASS || d->kind == DECL_ENUM;
}

bool local_harmless(const Decl *imported) {
    return harmless_module(imported->stmt, imported->name);
}

bool local_environment(const Decl *d) {
    static const char *const MODULES[] = {"os", "sys", "platform", "socket", "locale", "threading"};
    if (d->kind != DECL_IMPORT || d->stmt == NULL) return false;
    const char *module = d->stmt->kind == STMT_IMPORT_FROM && d->stmt->import_from.module != NULL
        ? d->stmt->import_from.module : d->name;
    for (size_t i = 0; i < sizeof MODULES / sizeof *MODULES; i++)
        if (strcmp(module, MODULES[i]) == 0) return true;
    return false;
}

void local_note_inner(Program *p, const Stmt *def) {
    StmtVec *same = table_get(p->inner, def->function_def.name);
    if (same == NULL) {
        same = ARENA_NEW(p->arena, StmtVec);
        table_set(p->inner, def->function_def.name, same);
    }
    vec_push(p->arena, same, def);
}

static bool is_deterministic(Program *p, Decl *d, bool loading);

static void look_inside(Purity *u, Sym name);

// What these do with objects state/ follows, and they take nothing from elsewhere.
static bool only_acts(Sym name) {
    static const char *const NAMES[] = {"getattr", "hasattr", "setattr", "delattr", "next", "anext",
                                        "aiter", "object", NULL};
    return sym_is_one_of(name, NAMES);
}

static bool look_at_name(Purity *u, const Expr *e) {
    if (u->asked != NULL) look_inside(u, e->name.id);
    if (!u->ok || e->name.ctx == EXPR_CONTEXT_STORE) return false;
    Decl *d = program_find(u->p, e->name.id);
    if (d != NULL && d->differs)
        u->ok = false;              // who changes it for others is told by state/state.c
    else if (d == NULL)
        u->ok = !builtin_exists(e->name.id) || (u->loading && only_acts(e->name.id)) ||
            (builtin_deterministic(e->name.id) && (u->typed || !builtin_makes_set(e->name.id)));
    else if (d->kind == DECL_IMPORT)
        u->ok = harmless_module(d->stmt, d->name);
    else if (decl_is_code(d))
        u->ok = u->own || is_deterministic(u->p, d, u->loading);
    return u->ok;
}

// ---- libraries, as their stubs say it ----

static const PySym *look_up(Py *py, const Expr *e) {
    py->beyond = true;              // `os.path.join`
    const PySym *s = pyt_lookup(py->file->env, e);
    py->beyond = false;
    if (s != NULL || e->kind != EXPR_ATTRIBUTE) return s;
    PySym *of = pyt_lookup(py->file->env, e->attribute.value);
    const Ty *at;
    bool open;
    if (of == NULL || of->kind != PYSYM_CLASS) return NULL;
    (void)pyt_symbol_type(of);
    return of->class_ == NULL ? NULL
        : pyt_class_member(py, pyt_class_self(of->class_), e->attribute.attr, &at, &open);
}

static bool has_marked(Program *p, const PySym *s) {
    const PyEnv *env = s->kind == PYSYM_CLASS && s->class_ != NULL ? s->class_->env : NULL;
    bool any = false;
    for (size_t i = 0; env != NULL && i < env->order.len; i++) {
        const PySym *member = table_get(env->symbols, env->order.at[i]);
        if (member == NULL || !pyt_unsure(member)) continue;
        table_set(p->unsure_names, member->name, p);
        any = true;
    }
    return any;
}

// A function or class of a stub built in, without a mark; or a variable that is Final. A class with
// methods that are marked is if it is called: who is given it may ask for any.
static bool is_certain(const Purity *u, const Expr *e) {
    const PySym *s = u->p->parse != NULL ? look_up(u->p->py, e) : NULL;
    if (s == NULL || s->home->module == NULL || s->home->module->env->unread == NULL) return false;
    bool final = s->annotation != NULL && s->annotation->kind == EXPR_SUBSCRIPT &&
        sym_is(annotation_head(s->annotation->subscript.value), "Final");
    bool code = s->kind == PYSYM_FUNCTION || s->kind == PYSYM_CLASS;
    return final || (code && !pyt_unsure(s) && (!has_marked(u->p, s) || e == u->callee));
}

// These have no stub built in.
static bool is_known(const Decl *d, const Expr *e) {
    static const struct { const char *module, *name; } KNOWN[] = {
        {"struct", "Struct"}, {"logging", "getLogger"}, {"logging", "Logger"},
    };
    const Stmt *s = d->stmt;
    bool part = e->kind == EXPR_ATTRIBUTE, from = s != NULL && s->kind == STMT_IMPORT_FROM;
    Sym module = from ? s->import_from.module : d->name, name = part ? e->attribute.attr : d->name;
    for (size_t i = 0; from && i < s->import_from.names.len; i++) {
        const Alias *a = s->import_from.names.at[i];
        if (a->asname == d->name) name = a->name;
    }
    for (size_t i = 0; part != from && i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (sym_is(module, KNOWN[i].module) && sym_is(name, KNOWN[i].name)) return true;
    return false;
}

static bool comes_from_library(const Purity *u, const Expr *e) {
    const Expr *root = e;
    while (root->kind == EXPR_ATTRIBUTE) root = root->attribute.value;
    const Decl *d = root->kind == EXPR_NAME ? program_find(u->p, root->name.id) : NULL;
    return d != NULL && d->kind == DECL_IMPORT && (is_certain(u, e) || is_known(d, e));
}

bool local_certain(Program *p, const Expr *f) {
    const Purity u = {.p = p, .callee = f};
    return comes_from_library(&u, f);
}

// What an address decides; and what depends on the file that the code is in, and on what else is
// there: programs differ in that. Or a stub marks the method.
bool local_unsure_attribute(Program *p, const Expr *e) {
    static const char *const NAMES[] = {"__hash__", "__reduce__", "__reduce_ex__", "__code__",
                                        "__module__", "__qualname__", "co_firstlineno",
                                        "__subclasses__", NULL};
    return sym_is_one_of(e->attribute.attr, NAMES) || table_get(p->unsure_names, e) == p->py;
}

// Nor is it known whose attribute it is.
static bool may_be_marked(Program *p, const Expr *e) {
    return table_get(p->unsure_names, e) == NULL &&
        table_get(p->unsure_names, e->attribute.attr) != NULL;
}

static bool look_at(void *cx, const Expr *e) {
    Purity *u = cx;
    if (!u->ok || (u->own && e->kind == EXPR_LAMBDA)) return false;
    bool part = e->kind == EXPR_ATTRIBUTE;
    if (e->kind == EXPR_CALL) u->callee = e->call.func;
    if ((part || e->kind == EXPR_NAME) && comes_from_library(u, e)) return false;
    if (e->kind == EXPR_NAME) look_at_name(u, e);
    if (part && (local_unsure_attribute(u->p, e) || may_be_marked(u->p, e))) u->ok = false;
    if (!u->ok && u->why == NULL) u->why = e;
    return u->ok;
}

static void look_for_order(Purity *u, const Expr *order) {
    if (!u->ok || order == NULL) return;
    u->ok = false;
    u->why = order;
}

static void look_inside(Purity *u, Sym name) {
    const StmtVec *same = table_get(u->p->inner, name);
    if (same == NULL || table_get(u->asked, name) != NULL) return;
    table_set(u->asked, name, u);
    IrWalker w = {.cx = u, .expr = look_at};
    bool typed = u->typed;
    for (size_t i = 0; i < same->len && u->ok; i++) {
        u->typed = !pyt_untyped(same->at[i]);
        const Arguments *args = same->at[i]->function_def.args;
        ExprList defaults[] = {args->defaults, args->kw_defaults};
        for (int j = 0; j < 2; j++)
            for (size_t k = 0; k < defaults[j].len && u->ok; k++)
                if (defaults[j].at[k] != NULL) ir_walk_expr(&w, defaults[j].at[k]);
        ir_walk_stmts(&w, same->at[i]->function_def.body);
        look_for_order(u, iteration_order_in_stmt(u->p, same->at[i]));
    }
    u->typed = typed;
}

// Functions of one name are not told apart.
bool local_inner_deterministic(Program *p, Sym name) {
    if (table_get(p->inner, name) == NULL) return true;
    Purity u = {.p = p, .ok = true, .asked = table_new(p->arena)};
    look_inside(&u, name);
    return u.ok;
}

bool local_deterministic_expr(Program *p, const Expr *e) {
    Purity u = {.p = p, .ok = true, .typed = true};
    IrWalker w = {.cx = &u, .expr = look_at};
    ir_walk_expr(&w, e);
    look_for_order(&u, iteration_order_in_expr(p, e));
    return u.ok;
}

static bool look_at_whole(void *cx, const Expr *e) {
    Purity *u = cx;
    IrWalker w = {.cx = u, .expr = look_at};
    ir_walk_expr(&w, e);
    look_for_order(u, iteration_order_in_expr(u->p, e));
    return false;
}

bool local_deterministic_stmt(Program *p, const Stmt *s) {
    Purity u = {.p = p, .ok = true, .typed = true, .loading = true};
    IrWalker w = {.cx = &u, .expr = look_at_whole};
    ir_walk_stmt(&w, s);
    look_for_order(&u, iteration_order_in_stmt(p, s));
    return u.ok;
}

static void look_at_given(Purity *u, ExprList args, KeywordList words) {
    IrWalker w = {.cx = u, .expr = look_at_whole};
    ir_walk_exprs(&w, args);
    for (size_t i = 0; i < words.len; i++)
        if (words.at[i]->arg == NULL || !sym_is(words.at[i]->arg, "metaclass"))
            ir_walk_expr(&w, words.at[i]->value);
}

// Of a decorator or a base class, what it is given; and where it comes from, if that is the
// program's, or computed.
static void look_at_decorations(Purity *u, ExprList list) {
    for (size_t i = 0; i < list.len; i++) {
        const Expr *root = list.at[i];
        if (root->kind == EXPR_CALL) look_at_given(u, root->call.args, root->call.keywords);
        while (root->kind == EXPR_CALL || root->kind == EXPR_ATTRIBUTE ||
               root->kind == EXPR_SUBSCRIPT) {
            if (root->kind == EXPR_SUBSCRIPT) look_at_whole(u, root->subscript.slice);
            root = root->kind == EXPR_CALL ? root->call.func
                : root->kind == EXPR_SUBSCRIPT ? root->subscript.value : root->attribute.value;
        }
        const Decl *d = root->kind == EXPR_NAME ? program_find(u->p, root->name.id) : NULL;
        if (root->kind != EXPR_NAME) look_at_whole(u, root);
        u->ok &= d == NULL || !d->differs;
    }
}

static bool look_at_own(void *cx, const Stmt *s) {
    Purity *u = cx;
    IrWalker w = {.cx = u, .stmt = look_at_own, .expr = look_at_whole};
    bool class_ = s->kind == STMT_CLASS_DEF, annotated = s->kind == STMT_ANN_ASSIGN;
    bool function = s->kind == STMT_FUNCTION_DEF || s->kind == STMT_ASYNC_FUNCTION_DEF;
    bool orders = s->kind == STMT_FOR || s->kind == STMT_ASSIGN || s->kind == STMT_AUG_ASSIGN;
    if (function) look_at_decorations(u, pyt_decorators(s));
    if (class_) look_at_decorations(u, s->class_def.decorator_list);
    if (class_) look_at_decorations(u, s->class_def.bases);
    const Expr *meta = class_ ? class_metaclass(s) : NULL;
    if (meta != NULL) look_at_decorations(u, (ExprList){&meta, 1});
    if (class_) look_at_given(u, (ExprList){0}, s->class_def.keywords);
    if (class_) ir_walk_stmts(&w, s->class_def.body);
    const Expr *value = annotated ? class_field_value(s->ann_assign.value) : NULL;
    if (value != NULL) ir_walk_expr(&w, value);
    if (orders) look_for_order(u, iteration_order_in_stmt(u->p, s));
    return u->ok && !class_ && !function && !annotated && s->kind != STMT_CHOREO;
}

bool local_own_deterministic(Program *p, StmtList code, const Expr *value, bool typed) {
    Purity u = {.p = p, .ok = true, .typed = typed, .loading = true, .own = true};
    IrWalker w = {.cx = &u, .stmt = look_at_own, .expr = look_at_whole};
    ir_walk_stmts(&w, code);
    if (value != NULL) ir_walk_expr(&w, value);
    return u.ok;
}

// Of decorators only those of the program.
static void look_at_decorators(Purity *u, ExprList list) {
    for (size_t i = 0; i < list.len && u->ok; i++) {
        const Expr *e = list.at[i]->kind == EXPR_CALL ? list.at[i]->call.func : list.at[i];
        Decl *d = e->kind == EXPR_NAME ? program_find(u->p, e->name.id) : NULL;
        if (d != NULL && d->kind != DECL_IMPORT) look_at(u, e);
    }
}

static void look_at_part(Purity *u, const Stmt *s) {
    IrWalker w = {.cx = u, .expr = look_at};
    bool function = s->kind == STMT_FUNCTION_DEF;
    u->typed = !function || !pyt_untyped(s);
    if (!function) ir_walk_stmt(&w, s);
    if (!function) return;
    ir_walk_stmts(&w, s->function_def.body);
    ir_walk_exprs(&w, s->function_def.args->defaults);
    ir_walk_exprs(&w, s->function_def.args->kw_defaults);
    look_at_decorators(u, s->function_def.decorator_list);
}

// What a class inherits is its own; a type argument of a base is none of it.
static void look_at_bases(Purity *u, const Stmt *class_) {
    for (size_t i = 0; i < class_->class_def.bases.len && u->ok; i++) {
        const Expr *base = class_->class_def.bases.at[i];
        while (base->kind == EXPR_SUBSCRIPT || base->kind == EXPR_ATTRIBUTE)
            base = base->kind == EXPR_SUBSCRIPT ? base->subscript.value : base->attribute.value;
        Decl *d = base->kind == EXPR_NAME ? program_find(u->p, base->name.id) : NULL;
        if (d != NULL && (d->kind == DECL_IMPORT || decl_is_code(d))) look_at(u, base);
    }
}

static void look_at_class(Purity *u, const Stmt *class_) {
    StmtList body = class_->class_def.body;
    for (size_t i = 0; i < body.len && u->ok; i++) look_at_part(u, body.at[i]);
    look_at_decorators(u, class_->class_def.decorator_list);
    look_at_bases(u, class_);
}

// A recursive call adds nothing: while a function is being asked about, it counts as deterministic.
// A class is deterministic if all its methods are, and all that it inherits. Code that calls deeper
// than Python does is not.
static bool is_deterministic(Program *p, Decl *d, bool loading) {
    enum { DEEPEST = 1000 };
    if (d->stmt == NULL) return false;
    if (d->stmt->kind != STMT_FUNCTION_DEF && d->stmt->kind != STMT_CLASS_DEF) return false;
    if (d->purity[loading] == PURITY_UNKNOWN) {
        if (p->asked_deep == DEEPEST) return false;
        p->asked_deep++;
        d->purity[loading] = PURITY_ASKED;
        Purity u = {.p = p, .ok = true, .loading = loading};
        if (d->stmt->kind == STMT_CLASS_DEF) look_at_class(&u, d->stmt);
        else look_at_part(&u, d->stmt);
        look_for_order(&u, iteration_order_in_stmt(p, d->stmt));
        if (!loading) d->unsure = u.why;
        d->purity[loading] = u.ok ? PURITY_YES : PURITY_NO;
        p->asked_deep--;
    }
    return d->purity[loading] != PURITY_NO;
}

bool local_deterministic(Program *p, Decl *d) { return is_deterministic(p, d, false); }

void local_ask_again(Program *p) {
    for (size_t i = 0; i < p->order.len; i++) p->order.at[i]->purity[true] = PURITY_UNKNOWN;
}
