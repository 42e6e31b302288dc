// c_closure.c - functions as values, and nested ones with what they capture.
//
// A nested function is a C function whose first parameter is the PychoralFunction that holds what
// it captured (c_locals.c says how).

#include "compiler/base/qualified.h"
#include "compiler/emit/c/c_internal.h"
#include "compiler/ir/free_names.h"

// ---- as values ----

// How other code calls it: by pointers to arguments in place.
static void print_entry(CEmit *c, CFunction *f)
{
    if (f->entry_printed)
        return;
    f->entry_printed = true;
    const char *args = f->is_nested ? "self" : "";
    size_t n = 0;
    for (size_t i = 0; i < f->params.len; i++) {
        if (!rep_passed(f->params.at[i]))
            continue;
        args = c_text(c, "%s%s*(%s*)arguments[%zu]", args, *args ? ", " : "",
                      f->params.at[i]->type, n++);
    }
    const char *call = c_text(c, "%s(%s)", f->c_name, args);
    buf_printf(&c->entries, "\nPYCHORAL_HELPER void %s_entry(PychoralFunction *self, void *const "
               "*arguments, void *result)\n{\n    (void)self, (void)arguments, (void)result;\n",
               f->c_name);
    if (rep_passed(f->result))
        buf_printf(&c->entries, "    *(%s*)result = %s;\n}\n", f->result->type, call);
    else
        buf_printf(&c->entries, "    %s;\n}\n", call);
    buf_printf(&c->prototypes, "PYCHORAL_HELPER void %s_entry(PychoralFunction *self, void *const "
               "*arguments, void *result);\n", f->c_name);
}

const Rep *c_function_rep(CEmit *c, const CFunction *f)
{
    size_t n = 0;
    const Rep **parts = ARENA_ARRAY(c->arena, const Rep *, f->params.len + 1);
    for (size_t i = 0; i < f->params.len; i++)
        if (rep_passed(f->params.at[i]))
            parts[n++] = f->params.at[i];
    return rep_function(c, parts, n, f->result);
}

static const char *value_name(const CFunction *f) { return f->called ? f->called : f->shown; }

// A function of the module as a value: one that is never freed.
static Value static_function(CEmit *c, CFunction *f, const Rep *rep)
{
    if (!f->value_printed) {
        f->value_printed = true;
        print_entry(c, f);
        buf_printf(&c->functions_as_values, "static PychoralFunction %s_value = {\n"
                   "    .object = {.head = {.refs = PYCHORAL_IMMORTAL}, .type = %s},\n"
                   "    .call = %s_entry, .name = \"%s\"};\n", f->c_name, rep->row, f->c_name,
                   value_name(f));
    }
    return (Value){.rep = rep, .text = c_text(c, "&%s_value", f->c_name), .lasting = true};
}

static const char *captured_text(CEmit *c, CVariable *v)
{
    const char *text = v->self_function ? "self_function"
        : v->held ? c_text(c, "held->%s", v->c_name) : v->c_name;
    if (v->cell || v->self_function)
        return c_text(c, "PYCHORAL_KEEP(%s)", text);
    return v->rep->keep ? c_text(c, "%s(%s)", v->rep->keep, text) : text;
}

static void print_defaults(CEmit *c, const CFunction *f)
{
    const char *fields = "";
    for (size_t i = 0; i < f->defaults.len; i++)
        fields = c_text(c, "%s%s{.type = %s, .offset = offsetof(%s, item%zu)}", fields,
                        i ? ", " : "",
                        f->held->parts[f->defaults.at[i]]->row, f->held->name, f->defaults.at[i]);
    if (f->defaults.len > 0)
        buf_printf(&c->functions_as_values, "static const PychoralField %s_defaults[] = {%s};\n",
                   f->c_name, fields);
}

Value c_closure(CEmit *c, CFunction *f)
{
    const Rep *rep = c_function_rep(c, f);
    if (!f->is_nested)
        return static_function(c, f, rep);
    print_entry(c, f);
    print_defaults(c, f);
    const char *held = f->held ? f->held->row : "NULL";
    Value v = c_temp(c, c_value(rep, c_text(c, "pychoral_function_new(%s, %s, \"%s\", %s_entry)",
                                            rep->row, held, value_name(f), f->c_name), HOLD_OWNED));
    if (f->held == NULL)
        return v;
    const char *items = "";
    for (size_t i = 0; i < f->captured.len; i++)
        items = c_text(c, "%s%s.item%zu = %s", items, i ? ", " : "", i,
                       captured_text(c, c_find_variable(c, f->captured.at[i])));
    c_line(c, "*(%s*)%s->cells = (%s){%s};", f->held->type, v.text, f->held->name, items);
    if (f->defaults.len > 0)
        c_line(c, "%s->defaults = %s_defaults;\n%s->default_count = %zu;", v.text, f->c_name,
               v.text, f->defaults.len);
    return v;
}

// ---- nested functions ----

static bool is_param(const CFunction *f, Sym name)
{
    for (size_t i = 0; i < f->names.len; i++)
        if (f->names.at[i] == name)
            return true;
    return false;
}

typedef struct Capture { CEmit *c; CFunction *f; const Stmt *def; SymList bound; Table *seen; }
    Capture;

static bool binds(SymList list, Sym name)
{
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i] == name)
            return true;
    return false;
}

static void capture_variable(Capture *k, Sym name)
{
    CEmit *c = k->c;
    CVariable *v = name ? c_find_variable(c, name) : NULL;
    bool own = name && (is_param(k->f, name) || binds(k->bound, name));
    if (v == NULL || own || table_get(k->seen, name) || !rep_passed(v->rep))
        return;
    table_set(k->seen, name, k);
    capture_variable(k, v->flag);
    CVariable *mine = ARENA_NEW(c->arena, CVariable);
    *mine = *v;
    mine->param = mine->stored = mine->captured = false;
    if (k->def != NULL && k->def->function_def.name == name && !v->cell) {
        mine->self_function = true;
    } else {
        mine->held = true;
        mine->c_name = c_text(c, "item%zu", k->f->captured.len);
        vec_push(c->arena, &k->f->captured, name);
    }
    table_set(k->f->variables, name, mine);
    vec_push(c->arena, &k->f->order, mine);
}

static bool capture_name(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        capture_variable(cx, e->name.id);
    return true;
}

// Names that a nested function declares as another's are not its own.
static SymList own_names(CEmit *c, StmtList body)
{
    SymList bound = names_bound(c->arena, c->names, body);
    Vec(Sym) own = {0};
    for (size_t i = 0; i < bound.len; i++) {
        bool other = false;
        for (size_t j = 0; j < body.len; j++)
            if (body.at[j]->kind == STMT_NONLOCAL || body.at[j]->kind == STMT_GLOBAL)
                other |= binds(body.at[j]->kind == STMT_NONLOCAL ? body.at[j]->nonlocal.names
                                                                 : body.at[j]->global.names,
                               bound.at[i]);
        if (!other)
            vec_push(c->arena, &own, bound.at[i]);
    }
    return (SymList){own.at, own.len};
}

// Those of the last parameters: where the function is a value, it may be called without them.
static void capture_defaults(Capture *k)
{
    const Arg *arg;
    CFunction *f = k->f;
    const Arguments *args = k->def ? k->def->function_def.args : NULL;
    bool simple = args != NULL && args->vararg == NULL && args->kwarg == NULL;
    for (size_t i = 0; simple && (arg = c_param(args, i)) != NULL; i++) {
        Sym kept = c_default_variable(k->c, k->def, arg->arg);
        capture_variable(k, kept);
        if (table_get(k->seen, kept) != NULL)
            vec_push(k->c->arena, &f->defaults, f->captured.len - 1);
        else
            f->defaults.len = 0;
    }
}

static void capture(CEmit *c, CFunction *f)
{
    Capture k = {.c = c, .f = f, .def = f->def, .seen = table_new(c->arena)};
    IrWalker w = {.cx = &k, .expr = capture_name};
    if (f->def != NULL) {
        k.bound = own_names(c, f->def->function_def.body);
        ir_walk_stmts(&w, f->def->function_def.body);
    } else {
        ir_walk_expr(&w, f->lambda->lambda.body);
    }
    capture_defaults(&k);
    if (f->captured.len == 0)
        return;
    const Rep **parts = ARENA_ARRAY(c->arena, const Rep *, f->captured.len);
    for (size_t i = 0; i < f->captured.len; i++) {
        CVariable *v = table_get(f->variables, f->captured.at[i]);
        parts[i] = v->cell ? rep_cell(c, v->rep) : v->rep;
    }
    f->held = rep_tuple(c, parts, f->captured.len);
}

// A parameter that the type leaves out has its default always: it is evaluated where the lambda
// stands, and held as if it were captured.
static void lambda_default(CEmit *c, CFunction *f, Sym name, const Expr *value)
{
    if (c->function == NULL) {
        (void)c_refuse(c, value->at, "the C target does not support this default of a lambda at "
                       "module level\nmove the lambda into a function");
        return;
    }
    Value v = c_expr(c, value);
    Value own = v;
    own.text = c_owned(c, v);
    own.hold = v.rep->drop ? HOLD_OWNED : HOLD_PLAIN;
    v = c_temp(c, own);
    Sym hidden = names_format(c->names, "(default %s)", v.text);
    CVariable *outer = ARENA_NEW(c->arena, CVariable), *mine = ARENA_NEW(c->arena, CVariable);
    *outer = (CVariable){.name = hidden, .c_name = v.text, .rep = v.rep, .captured = true};
    *mine = (CVariable){.name = name, .rep = v.rep, .held = true,
                        .c_name = c_text(c, "item%zu", f->captured.len)};
    table_set(c->function->variables, hidden, outer);
    table_set(f->variables, hidden, mine);
    table_set(f->variables, name, mine);
    vec_push(c->arena, &f->order, mine);
    vec_push(c->arena, &f->names, name);
    vec_push(c->arena, &f->captured, hidden);
}

static void lambda_signature(CEmit *c, CFunction *f)
{
    const Expr *e = f->lambda;
    const Ty *t = e->ty ? c_ty(c, e->ty) : NULL;
    const Arguments *args = e->lambda.args;
    size_t given = t && t->kind == TY_CALLABLE && t->callable.params.len < args->args.len
        ? t->callable.params.len : args->args.len;
    if (t == NULL || t->kind != TY_CALLABLE || given + args->defaults.len < args->args.len
        || args->vararg || args->kwarg || args->kwonlyargs.len > 0) {
        (void)c_refuse(c, e->at, "the C target cannot infer the parameter types of this lambda\n"
                       "declare the type of the lambda, such as `Callable[[int], int]`");
        f->result = rep_named(c, "None");
        return;
    }
    for (size_t i = 0; i < given; i++)
        c_add_param(c, f, args->args.at[i]->arg, rep_of(c, t->callable.params.at[i], e->at));
    for (size_t i = given; i < args->args.len; i++)
        lambda_default(c, f, args->args.at[i]->arg,
                       args->defaults.at[i - (args->args.len - args->defaults.len)]);
    f->result = rep_of(c, t->callable.result, e->at);
}

CFunction *c_nested(CEmit *c, const Stmt *def, const Expr *lambda)
{
    CFunction *f = ARENA_NEW(c->arena, CFunction);
    const char *base = c->function ? c->function->c_name
        : c->home->name ? c->home->name : c->prefix;
    *f = (CFunction){.def = def, .lambda = lambda, .types = c->substitution,
                     .shown = def ? unqualified(def->function_def.name) : "<lambda>",
                     .variables = table_new(c->arena),
                     .is_nested = true};
    f->c_name = c_unique(c, c_text(c, "%s_%s", base, def ? def->function_def.name : "lambda"));
    if (def != NULL)
        c_read_signature(c, f);
    else
        lambda_signature(c, f);
    capture(c, f);
    vec_push(c->arena, &c->queue, f);
    return f;
}

CFunction *c_def_function(CEmit *c, const Stmt *def)
{
    CFunction *f = ARENA_NEW(c->arena, CFunction);
    *f = (CFunction){.def = def, .shown = unqualified(def->function_def.name),
                     .variables = table_new(c->arena)};
    c_read_signature(c, f);
    return f;
}

const Rep *c_def_rep(CEmit *c, const Stmt *def)
{
    return c_function_rep(c, c_def_function(c, def));
}
