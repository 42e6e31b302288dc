// entry.c - writes the function that makes an instance and calls a method of it.
//
// A method may be inherited: its signature then speaks of the roles of a base, which are followed
// down to those of the class. What is made here stands at the name of the class in the source;
// every two nodes that the checker tells apart by their place have places of their own.

#include "compiler/pass/entry.h"

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/base/suggest.h"
#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "compiler/ir/free_names.h"

typedef struct Entry {
    PassCx     *cx;
    Arena      *arena;
    StmtList    body;           // of the unit
    size_t      index;          // of the class in it
    const Stmt *class_;
    const char *name;           // of the class, as the source has it
    Span        at;             // of that name in its header
    SymList     roles;
    Vec(const Arg *)  params;
    Vec(const Expr *) defaults; // of each, or NULL
    Table      *taken;          // the names of the parameters -> Arg *
    bool        failed;
} Entry;

// A method as found in the class or in one of its bases.
typedef struct Member {
    const Stmt *def;            // NULL: there is none
    bool        inherited, generic;     // generic: on the way to it types were given
    Table      *roles;          // the base's role -> the class's; NULL: they are the same
} Member;

// The arguments of a call that passes parameters on.
typedef struct Passed { Vec(const Expr *) args; Vec(const Keyword *) keywords; } Passed;

void entry_read(PassCx *cx)
{
    const char *dot = strchr(cx->entry, '.');
    if (dot == NULL || dot == cx->entry || dot[1] == '\0' || strchr(dot + 1, '.'))
        return;
    cx->entry_class = names_intern(cx->names, cx->entry, (size_t)(dot - cx->entry));
    cx->entry_method = names_get(cx->names, dot + 1);
}

static Diag *report_unfit(Entry *e, Span at, const char *why)
{
    e->failed = true;
    return diag_report(e->cx->diags, at, DIAG_ENTRY_UNFIT, "`%s.%s` cannot start a program: %s",
                       e->name, e->cx->entry_method, why);
}

// ---- classes ----

static bool find_class(const Entry *e, Sym name, size_t before, size_t *index)
{
    for (size_t i = before; i-- > 0;)
        if (e->body.at[i]->kind == STMT_CLASS_DEF && e->body.at[i]->class_def.name == name) {
            *index = i;
            return true;
        }
    return false;
}

static ExprList subscripts(const Expr *const *slice)
{
    return (*slice)->kind == EXPR_TUPLE ? (*slice)->tuple.elts : (ExprList){slice, 1};
}

static const Expr *head_of(const Expr *base)
{
    return base->kind == EXPR_SUBSCRIPT ? base->subscript.value : base;
}

// `Ch2[A, B]`, or `Ch[A, B]`.
static const Expr *header_of(const Stmt *c)
{
    ExprList bases = c->class_def.bases;
    for (size_t i = 0; i < bases.len; i++) {
        const Expr *head = head_of(bases.at[i]);
        if (bases.at[i]->kind != EXPR_SUBSCRIPT || head->kind != EXPR_NAME
            || strncmp(head->name.id, "Ch", 2) != 0)
            continue;
        const char *digits = head->name.id + 2;
        if (digits[strspn(digits, "0123456789")] == '\0')
            return bases.at[i];
    }
    return NULL;
}

// The base that is a class of the unit; `Base`, or `Base[T, A, B]`.
static const Expr *base_of(const Entry *e, size_t class_index, size_t *base_index)
{
    ExprList bases = e->body.at[class_index]->class_def.bases;
    for (size_t i = 0; i < bases.len; i++) {
        const Expr *head = head_of(bases.at[i]);
        if (head->kind == EXPR_NAME && find_class(e, head->name.id, class_index, base_index))
            return bases.at[i];
    }
    return NULL;
}

// How many roles the class and its bases have: as many as the first that says so in a header.
static size_t count_roles(const Entry *e, size_t class_index)
{
    for (;;) {
        const Expr *header = header_of(e->body.at[class_index]);
        if (header)
            return subscripts(&header->subscript.slice).len;
        if (base_of(e, class_index, &class_index) == NULL)
            return 0;
    }
}

// The last `count` subscripts, which are roles.
static SymList last_names(Arena *a, const Expr *e, size_t count)
{
    Vec(Sym) names = {0};
    if (e == NULL || e->kind != EXPR_SUBSCRIPT)
        return (SymList){0};
    ExprList args = subscripts(&e->subscript.slice);
    for (size_t i = args.len > count ? args.len - count : 0; i < args.len; i++)
        if (args.at[i]->kind == EXPR_NAME)
            vec_push(a, &names, args.at[i]->name.id);
    return (SymList){names.at, names.len};
}

static SymList roles_of(const Entry *e, size_t class_index, size_t count)
{
    size_t base_index;
    const Expr *header = header_of(e->body.at[class_index]);
    return last_names(e->arena, header ? header : base_of(e, class_index, &base_index), count);
}

// ---- members ----

static Sym def_name(const Stmt *s)
{
    return s->kind == STMT_FUNCTION_DEF         ? s->function_def.name
           : s->kind == STMT_ASYNC_FUNCTION_DEF ? s->async_function_def.name
                                                : NULL;
}

static const Stmt *own_member(const Stmt *c, Sym name)
{
    StmtList body = c->class_def.body;
    for (size_t i = body.len; i-- > 0;)
        if (def_name(body.at[i]) == name)
            return body.at[i];
    return NULL;
}

// Who plays the roles of a base, given who plays those of the class that names it.
static Table *follow_roles(const Entry *e, Table *before, SymList formals, SymList actuals)
{
    Table *roles = table_new(e->arena);
    for (size_t i = 0; i < formals.len && i < actuals.len; i++) {
        Sym role = before ? table_get(before, actuals.at[i]) : actuals.at[i];
        table_set(roles, formals.at[i], (void *)(role ? role : actuals.at[i]));
    }
    return roles;
}

static Member find_member(const Entry *e, Sym name)
{
    Member m = {0};
    size_t at = e->index, base_index;
    for (;;) {
        m.def = own_member(e->body.at[at], name);
        const Expr *base = m.def ? NULL : base_of(e, at, &base_index);
        if (base == NULL)
            return m;
        SymList actuals = last_names(e->arena, base, e->roles.len);
        m.generic |= base->kind == EXPR_SUBSCRIPT
                     && subscripts(&base->subscript.slice).len > actuals.len;
        m.roles = follow_roles(e, m.roles, roles_of(e, base_index, e->roles.len), actuals);
        m.inherited = true;
        at = base_index;
    }
}

static bool has_decorator(const Stmt *def, const char *name)
{
    ExprList list = def->function_def.decorator_list;
    for (size_t i = 0; i < list.len; i++) {
        const Expr *d = list.at[i];
        if ((d->kind == EXPR_NAME && sym_is(d->name.id, name))
            || (d->kind == EXPR_ATTRIBUTE && sym_is(d->attribute.attr, name)))
            return true;
    }
    return false;
}

// ---- the roles of an inherited signature ----

typedef struct Renaming { Entry *entry; const Member *member; } Renaming;

static const Expr *rename_role(IrMapper *mapper, const Expr *x)
{
    Renaming *r = mapper->cx;
    Sym role = x->kind == EXPR_NAME ? table_get(r->member->roles, x->name.id) : NULL;
    if (role && role != x->name.id)
        return expr_name(mapper->arena, x->at, role, x->name.ctx);
    if (x->kind == EXPR_CONSTANT && x->constant.value->kind == CONST_STR)
        diag_help(report_unfit(r->entry, x->at, "the roles in an inherited annotation that is "
                               "quoted cannot be replaced"),
                  "remove the quotes of the annotation");
    return x;
}

static bool renames(const Entry *e, const Member *m)
{
    for (size_t i = 0; m->roles && i < e->roles.len; i++)
        if (table_get(m->roles, e->roles.at[i]) != e->roles.at[i])
            return true;
    return false;
}

static const Expr *annotation_of(Entry *e, const Member *m, const Expr *annotation)
{
    Renaming r = {e, m};
    IrMapper mapper = {.arena = e->arena, .cx = &r, .expr = rename_role};
    return annotation && renames(e, m) ? ir_map_expr(&mapper, annotation) : annotation;
}

// ---- parameters ----

static void add_param(Entry *e, const Arg *arg, const Expr *annotation, const Expr *value)
{
    const Arg *other = table_get(e->taken, arg->arg);
    if (other) {
        Diag *d = report_unfit(e, arg->at, names_format(e->cx->names,
                               "`%s` is also a parameter of `__init__`, and both would be the same "
                               "command-line option", arg->arg));
        diag_label(d, other->at, "the parameter of `__init__`");
        diag_help(d, "rename one of the two parameters");
        return;
    }
    table_set(e->taken, arg->arg, (void *)arg);
    vec_push(e->arena, &e->params, arg_new(e->arena, arg->at, arg->arg, annotation));
    vec_push(e->arena, &e->defaults, value);
}

static const Expr *pass_on(const Entry *e, const Arg *arg)
{
    return expr_name(e->arena, arg->at, arg->arg, EXPR_CONTEXT_LOAD);
}

// Takes over the parameters of a method, without the first one if that is `self` or `cls`.
static Passed add_params(Entry *e, const Member *m, bool bound)
{
    Passed passed = {0};
    const Arguments *args = m->def->function_def.args;
    size_t first = args->posonlyargs.len, positional = first + args->args.len;
    for (size_t i = bound ? 1 : 0; i < positional; i++) {
        const Arg *arg = i < first ? args->posonlyargs.at[i] : args->args.at[i - first];
        size_t required = positional - args->defaults.len;
        add_param(e, arg, annotation_of(e, m, arg->annotation),
                  i < required ? NULL : args->defaults.at[i - required]);
        vec_push(e->arena, &passed.args, pass_on(e, arg));
    }
    for (size_t i = 0; i < args->kwonlyargs.len; i++) {
        const Arg *arg = args->kwonlyargs.at[i];
        add_param(e, arg, annotation_of(e, m, arg->annotation), args->kw_defaults.at[i]);
        vec_push(e->arena, &passed.keywords,
                 keyword_new(e->arena, arg->at, arg->arg, pass_on(e, arg)));
    }
    return passed;
}

// ---- the function ----

static Sym fresh(const Entry *e, Sym name, SymList used)
{
    for (size_t i = 0; i < used.len; i++)
        if (used.at[i] == name) {
            name = names_format(e->cx->names, "%s_", name);
            i = (size_t)-1;         // from the start again
        }
    return name;
}

static Sym instance_name(const Entry *e)
{
    Sym name = names_get(e->cx->names, "self");
    while (table_get(e->taken, name))
        name = names_format(e->cx->names, "%s_", name);
    return name;
}

static const Expr *name_at(const Entry *e, Span at, Sym name)
{
    return expr_name(e->arena, at, name, EXPR_CONTEXT_LOAD);
}

static ExprList role_names(const Entry *e)
{
    const Expr **names = ARENA_ARRAY(e->arena, const Expr *, e->roles.len + 1);
    for (size_t i = 0; i < e->roles.len; i++)
        names[i] = name_at(e, e->at, e->roles.at[i]);
    return (ExprList){names, e->roles.len};
}

// `C[A, B]`
static const Expr *class_at_roles(const Entry *e)
{
    ExprList roles = role_names(e);
    const Expr *slice = roles.len == 1 ? roles.at[0]
                        : expr_tuple(e->arena, e->at, roles, EXPR_CONTEXT_LOAD);
    return expr_subscript(e->arena, e->at, name_at(e, e->at, e->class_->class_def.name), slice,
                          EXPR_CONTEXT_LOAD);
}

static const Expr *call(const Entry *e, Span at, const Expr *func, const Passed *passed)
{
    return expr_call(e->arena, at, func, (ExprList){passed->args.at, passed->args.len},
                     (KeywordList){passed->keywords.at, passed->keywords.len});
}

static bool gives_nothing(const Expr *returns)
{
    return returns == NULL
           || (returns->kind == EXPR_CONSTANT && returns->constant.value->kind == CONST_NONE);
}

// Where the call of the method stands: at the `class` of the header.
static Span keyword_span(const Entry *e)
{
    uint32_t start = e->class_->at.start;
    return (Span){start, start + (uint32_t)strlen("class")};
}

static const Stmt *make_function(const Entry *e, StmtList body, const Expr *returns)
{
    Arena *a = e->arena;
    Passed roles = {0};
    ExprList names = role_names(e);
    for (size_t i = 0; i < names.len; i++)
        vec_push(a, &roles.args, names.at[i]);
    const Expr **decorators = ARENA_ARRAY(a, const Expr *, 1);
    decorators[0] = call(e, e->at, name_at(e, e->at, names_get(e->cx->names, "roles")), &roles);
    const Arguments *args = arguments_new(
        a, (ArgList){0}, (ArgList){0}, NULL, (ArgList){e->params.at, e->params.len},
        (ExprList){e->defaults.at, e->defaults.len}, NULL, (ExprList){0});
    Sym name = names_format(e->cx->names, "%s_%s", e->name, e->cx->entry_method);
    name = fresh(e, name, names_bound(a, e->cx->names, e->body));
    return stmt_function_def(a, e->at, name, args, body, (ExprList){decorators, 1}, returns,
                             (TypeParamList){0});
}

// `self = C[A, B](..)`, and the expression that the method is called on.
static const Expr *make_instance(Entry *e, const Passed *passed, const Stmt **assignment)
{
    Span at = keyword_span(e);
    Sym self = instance_name(e);
    const Expr **target = ARENA_ARRAY(e->arena, const Expr *, 1);
    target[0] = expr_name(e->arena, at, self, EXPR_CONTEXT_STORE);
    *assignment = stmt_assign(e->arena, e->at, (ExprList){target, 1},
                              call(e, e->at, class_at_roles(e), passed));
    return name_at(e, at, self);
}

static const Stmt *build(Entry *e, const Member *method, const Member *init)
{
    Arena *a = e->arena;
    bool is_static = has_decorator(method->def, "staticmethod");
    bool of_class = is_static || has_decorator(method->def, "classmethod");
    Passed made = {0};
    if (!of_class && init->def)
        made = add_params(e, init, true);
    Passed passed = add_params(e, method, !is_static);
    const Expr *returns = annotation_of(e, method, method->def->function_def.returns);
    const Stmt **body = ARENA_ARRAY(a, const Stmt *, 2);
    size_t count = 0;
    const Expr *on = of_class ? class_at_roles(e) : make_instance(e, &made, &body[count]);
    count += of_class ? 0 : 1;
    Span at = keyword_span(e);
    const Expr *result = call(e, at, expr_attribute(a, at, on, e->cx->entry_method,
                                                    EXPR_CONTEXT_LOAD), &passed);
    body[count++] = gives_nothing(returns) ? stmt_expr(a, at, result) : stmt_return(a, at, result);
    return e->failed ? NULL : make_function(e, (StmtList){body, count}, returns);
}

// ---- what cannot start a program ----

static bool is_generic(const Stmt *c)
{
    ExprList bases = c->class_def.bases;
    for (size_t i = 0; i < bases.len; i++) {
        const Expr *head = head_of(bases.at[i]);
        if (bases.at[i]->kind == EXPR_SUBSCRIPT && head->kind == EXPR_NAME
            && (sym_is(head->name.id, "Generic") || sym_is(head->name.id, "Protocol")))
            return true;
    }
    return c->class_def.type_params.len > 0;
}

static bool is_dataclass(const Stmt *c)
{
    ExprList list = c->class_def.decorator_list;
    for (size_t i = 0; i < list.len; i++) {
        const Expr *d = list.at[i]->kind == EXPR_CALL ? list.at[i]->call.func : list.at[i];
        if ((d->kind == EXPR_NAME && sym_is(d->name.id, "dataclass"))
            || (d->kind == EXPR_ATTRIBUTE && sym_is(d->attribute.attr, "dataclass")))
            return true;
    }
    return false;
}

static void report_other_start(Entry *e, Span at, const char *why)
{
    diag_help(report_unfit(e, at, why), "write a function that creates the instance and uses it, "
              "and start at this function");
}

static void check_method(Entry *e, const Member *m)
{
    const Stmt *def = m->def;
    Span at = source_first_line(e->cx->source, def->at);
    if (def->kind == STMT_ASYNC_FUNCTION_DEF)
        diag_help(report_unfit(e, at, "it is a coroutine"), "write `def` instead of `async def`");
    else if (has_decorator(def, "property") || has_decorator(def, "setter"))
        report_other_start(e, at, "it is a property");
    else if (strncmp(def->function_def.name, "__", 2) == 0
             && !sym_is(def->function_def.name, "__call__"))
        report_other_start(e, at, "it is a special method");
    else if (m->generic)
        report_other_start(e, at, "it is inherited from a generic class");
}

static void check_class(Entry *e, const Member *init)
{
    if (e->roles.len == 0)
        diag_help(report_unfit(e, e->at, "the class does not declare roles"),
                  "start at a function, or at a class that declares roles, such as `class C(Ch2[A, "
                  "B])`");
    else if (is_generic(e->class_))
        report_other_start(e, e->at, "the type arguments of the class cannot be inferred");
    else if (init->def == NULL && is_dataclass(e->class_))
        report_other_start(e, e->at, "the options of a dataclass without `__init__` are not known");
    else if (init->def && init->generic)
        report_other_start(e, e->at, "`__init__` is inherited from a generic class");
}

static void report_no_class(Entry *e)
{
    PassCx *cx = e->cx;
    Vec(const char *) words = {0};
    Diag *d = diag_report(cx->diags, (Span){0, 0}, DIAG_ENTRY_MISSING,
                          "the program cannot start at `%s.%s`, because the class is not defined",
                          e->name, cx->entry_method);
    for (size_t i = 0; i < e->body.len; i++)
        if (e->body.at[i]->kind == STMT_CLASS_DEF
            && source_part(cx->source, e->body.at[i]->at.start) == 0)
            vec_push(e->arena, &words, unqualified(e->body.at[i]->class_def.name));
    const char *near = suggest_nearest(e->name, words.at, words.len);
    if (near)
        diag_help(d, "did you mean `%s`?", near);
}

static void report_no_method(Entry *e)
{
    Vec(const char *) words = {0};
    StmtList body = e->class_->class_def.body;
    Diag *d = diag_report(e->cx->diags, e->at, DIAG_ENTRY_MISSING,
                          "class `%s` has no method `%s` to start the program", e->name,
                          e->cx->entry_method);
    for (size_t i = 0; i < body.len; i++)
        if (def_name(body.at[i]))
            vec_push(e->arena, &words, def_name(body.at[i]));
    const char *near = suggest_nearest(e->cx->entry_method, words.at, words.len);
    if (near)
        diag_help(d, "did you mean `%s`?", near);
}

// ---- the pass ----

// The name in `class C(..)`.
static Span header_name(const Entry *e)
{
    const char *text = e->cx->source->text.at;
    uint32_t start = e->class_->at.start + (uint32_t)strlen("class");
    start += (uint32_t)strspn(text + start, " \t\f\\\r\n");
    return (Span){start, start + (uint32_t)strlen(e->name)};
}

static const Unit *append(const Entry *e, const Stmt *function)
{
    const Stmt **body = ARENA_ARRAY(e->arena, const Stmt *, e->body.len + 1);
    memcpy(body, e->body.at, e->body.len * sizeof *body);
    body[e->body.len] = function;
    return unit_module(e->arena, (StmtList){body, e->body.len + 1});
}

const Unit *entry_add(PassCx *cx, const Unit *unit)
{
    if (cx->entry_class == NULL || unit == NULL || diags_error_count(cx->diags) > 0)
        return unit;
    Entry e = {.cx = cx, .arena = cx->arena, .body = unit->module.body,
               .name = unqualified(cx->entry_class), .taken = table_new(cx->arena)};
    if (!find_class(&e, cx->entry_class, e.body.len, &e.index)) {
        report_no_class(&e);
        return unit;
    }
    e.class_ = e.body.at[e.index];
    e.at = header_name(&e);
    e.roles = roles_of(&e, e.index, count_roles(&e, e.index));
    Member method = find_member(&e, cx->entry_method);
    Member init = find_member(&e, names_get(cx->names, "__init__"));
    if (method.def == NULL) {
        report_no_method(&e);
        return unit;
    }
    check_method(&e, &method);
    check_class(&e, &init);
    const Stmt *function = e.failed ? NULL : build(&e, &method, &init);
    if (function == NULL)
        return unit;
    cx->entry = function->function_def.name;
    return append(&e, function);
}
