// determinism.c - replicated values stay equal: what is computed at several roles gives the same at
// each of them (docs/language.md, "Replicated values stay equal").
//
// A function that may give different results is as bad where it is mentioned as where it is called:
// what gets it calls it. So is an object whose class has such a method, wherever Python may call
// one of its methods: all but its fields.

#include "typecheck/python/python.h"

// ---- calls ----

static bool deterministic_value(Program *p, const Expr *e) {
    Decl *d = e->kind == EXPR_NAME ? program_find(p, e->name.id) : NULL;
    bool code = d != NULL && decl_is_code(d);
    if (e->kind == EXPR_NAME && !local_inner_deterministic(p, e->name.id)) return false;
    return !code || local_deterministic(p, d);
}

static bool deterministic_method(Program *p, const Expr *object) {
    const Expr *root = object;
    while (root->kind == EXPR_ATTRIBUTE) root = root->attribute.value;
    Decl *d = root->kind == EXPR_NAME ? program_find(p, root->name.id) : NULL;
    if (d != NULL && d->kind == DECL_IMPORT) return false;
    if (object->ty != NULL && object->ty->kind == TY_NAMED)
        d = program_find(p, object->ty->named.name);
    return d == NULL || !decl_is_code(d) || local_deterministic(p, d);
}

static bool is_value(const Ty *t) {
    static const char *const NAMES[] = {"int", "float", "bool", "str", "bytes", "complex", NULL};
    bool named = t != NULL && t->kind == TY_NAMED;
    return named ? sym_is_one_of(t->named.name, NAMES) : t != NULL && t->kind == TY_LITERAL;
}

// A function of a library that makes a value of values: nothing else can be in it.
static bool makes_value(Program *p, const Expr *call) {
    bool all = is_value(call->ty) && local_certain(p, call->call.func);
    for (size_t i = 0; all && i < call->call.args.len; i++)
        all = is_value(call->call.args.at[i]->ty);
    for (size_t i = 0; all && i < call->call.keywords.len; i++)
        all = is_value(call->call.keywords.at[i]->value->ty);
    return all;
}

// By its callee; what it is given is looked at by itself.
static bool deterministic_call(Program *p, const Expr *call) {
    const Expr *f = call->call.func;
    if (makes_value(p, call)) return true;
    if (f->kind == EXPR_ATTRIBUTE)
        return deterministic_method(p, f->attribute.value) &&
            (!type_several(f->attribute.value->ty) ||
             local_inner_deterministic(p, f->attribute.attr));
    if (f->kind != EXPR_NAME) return true;
    if (!local_inner_deterministic(p, f->name.id)) return false;
    Decl *d = program_find(p, f->name.id);
    if (d == NULL) return builtin_deterministic(f->name.id) || !builtin_exists(f->name.id);
    return d->kind != DECL_IMPORT && deterministic_value(p, f);
}

// ---- functions that are mentioned ----

// A function or class of a foreign module, which may give anything; of what is not known, nothing
// is said.
static bool foreign_code(Program *p, const Expr *e) {
    const Expr *root = e;
    while (root->kind == EXPR_ATTRIBUTE) root = root->attribute.value;
    Decl *d = root->kind == EXPR_NAME ? table_get(p->uses, table_key(root->at.start)) : NULL;
    if (d == NULL || d->kind != DECL_IMPORT || local_harmless(d)) return false;
    PySym *s = p->parse != NULL ? pyt_lookup(p->py->file->env, e) : NULL;
    if (s == NULL) return false;
    const Ty *t = s->kind == PYSYM_VARIABLE ? pyt_symbol_type(s) : NULL;
    return s->kind == PYSYM_FUNCTION || s->kind == PYSYM_CLASS ||
        (t != NULL && t->kind == TY_CALLABLE);
}

static bool unsure_name(const Determinism *dt, const Expr *e) {
    Program *p = dt->p;
    if (e->name.ctx != EXPR_CONTEXT_LOAD) return false;
    Decl *d = table_get(p->uses, table_key(e->at.start));
    if (d != NULL && local_environment(d)) return true;
    if (table_get(dt->exempt, e) != NULL) return false;
    if (d == NULL)
        return table_get(p->unsure_names, table_key(e->at.start)) != NULL ||
            (type_unknown(e->ty) && !local_inner_deterministic(p, e->name.id));
    if (decl_is_code(d)) return !local_deterministic(p, d);
    return foreign_code(p, e);
}

// ---- objects with a method that may give different results ----

static Decl *unsure_class(Program *p, const Ty *t) {
    Decl *d = t != NULL && t->kind == TY_NAMED ? program_find(p, t->named.name) : NULL;
    bool class_ = d != NULL && (d->kind == DECL_LOCAL_CLASS || d->kind == DECL_ENUM);
    return class_ && !local_deterministic(p, d) ? d : NULL;
}

static bool holds_unsure(Program *p, const Ty *t) {
    if (t == NULL) return false;
    TyList parts = t->kind == TY_NAMED ? t->named.args
        : t->kind == TY_TUPLE ? t->tuple.items
        : t->kind == TY_UNION ? t->union_.items : (TyList){0};
    for (size_t i = 0; i < parts.len; i++)
        if (holds_unsure(p, parts.at[i])) return true;
    return unsure_class(p, t) != NULL;
}

static bool is_field(Program *p, const Decl *d, Sym name) {
    for (; d != NULL; d = program_local_base(p, (Decl *)d))
        if (table_get(d->fields, name) != NULL) return true;
    return false;
}

// A constant of a class, `C.LIMIT`, that is the same everywhere.
static bool is_constant(const Determinism *dt, const Decl *d, Sym name) {
    const Stmt *s = d->kind == DECL_LOCAL_CLASS ? table_get(d->members, name) : NULL;
    if (s == NULL || s->kind != STMT_ASSIGN) return false;
    const void *known = table_get(dt->exempt, s);
    if (known != NULL) return known == dt->p;
    bool same = local_deterministic_expr(dt->p, s->assign.value);
    table_set(dt->exempt, s, same ? (void *)dt->p : (void *)dt->exempt);
    return same;
}

static bool unsure_attribute(const Determinism *dt, const Expr *e) {
    const Expr *of = e->attribute.value;
    Decl *d = of->kind == EXPR_NAME ? table_get(dt->p->uses, table_key(of->at.start)) : NULL;
    if (d != NULL && is_constant(dt, d, e->attribute.attr)) table_set(dt->exempt, of, dt->p);
    if (local_unsure_attribute(dt->p, e)) return true;
    if (table_get(dt->exempt, e) == NULL && foreign_code(dt->p, e)) return true;
    const Decl *class_ = unsure_class(dt->p, of->ty);
    return class_ != NULL && !is_field(dt->p, class_, e->attribute.attr) &&
        !is_constant(dt, class_, e->attribute.attr);
}

static bool identity(const Expr *e) {
    for (size_t i = 0; i < e->compare.ops.len; i++)
        if (e->compare.ops.at[i] != CMPOP_IS && e->compare.ops.at[i] != CMPOP_IS_NOT) return false;
    return true;
}

static bool any_holds(Program *p, ExprList list) {
    for (size_t i = 0; i < list.len; i++)
        if (holds_unsure(p, list.at[i]->ty)) return true;
    return false;
}

static bool unsure_argument(const Determinism *dt, const Expr *e) {
    static const char *const BUILTINS[] = {"isinstance", "print", "type", "callable", "len", "list",
                                           "tuple", "reversed", "enumerate", "zip", "copy_value",
                                           NULL};
    static const char *const METHODS[] = {"append", "insert", "extend", NULL};
    const Expr *f = e->call.func;
    if (f->kind == EXPR_INST) return false;
    if (unsure_class(dt->p, f->ty) != NULL) return true;
    if (f->kind == EXPR_NAME && sym_is_one_of(f->name.id, BUILTINS)) return false;
    if (f->kind == EXPR_ATTRIBUTE && sym_is_one_of(f->attribute.attr, METHODS)) return false;
    for (size_t i = 0; i < e->call.keywords.len; i++)
        if (holds_unsure(dt->p, e->call.keywords.at[i]->value->ty)) return true;
    return any_holds(dt->p, e->call.args);
}

// Does Python call a method of an operand that may give different results?
static bool unsure_operand(const Determinism *dt, const Expr *e) {
    Program *p = dt->p;
    switch (e->kind) {
    case EXPR_BIN_OP:
        return unsure_class(p, e->bin_op.left->ty) || unsure_class(p, e->bin_op.right->ty);
    case EXPR_UNARY_OP: return unsure_class(p, e->unary_op.operand->ty) != NULL;
    case EXPR_SUBSCRIPT: return unsure_class(p, e->subscript.value->ty) != NULL;
    case EXPR_COMPARE:
        return !identity(e) && (holds_unsure(p, e->compare.left->ty) ||
                                any_holds(p, e->compare.comparators));
    case EXPR_BOOL_OP: return any_holds(p, e->bool_op.values);
    case EXPR_IF_EXP: return unsure_class(p, e->if_exp.test->ty) != NULL;
    case EXPR_FORMATTED_VALUE: return holds_unsure(p, e->formatted_value.value->ty);
    case EXPR_STARRED: return unsure_class(p, e->starred.value->ty) != NULL;
    case EXPR_CALL: return unsure_argument(dt, e);
    case EXPR_NAMED_EXPR: case EXPR_LAMBDA: case EXPR_DICT: case EXPR_SET: case EXPR_LIST_COMP:
    case EXPR_SET_COMP: case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP: case EXPR_AWAIT:
    case EXPR_YIELD: case EXPR_YIELD_FROM: case EXPR_JOINED_STR: case EXPR_CONSTANT:
    case EXPR_ATTRIBUTE: case EXPR_NAME: case EXPR_LIST: case EXPR_TUPLE: case EXPR_SLICE:
    case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_UNIT: case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL: case EXPR_COUNT:
        return false;
    }
    return false;
}

// ---- the judgement ----

// A class as such: where it is asked about, not called.
static void exempt(const Determinism *dt, const Expr *classes) {
    if (classes == NULL) return;
    ExprList parts = classes->kind == EXPR_TUPLE ? classes->tuple.elts : (ExprList){&classes, 1};
    for (size_t i = 0; i < parts.len; i++) table_set(dt->exempt, parts.at[i], dt->p);
}

static void exempt_callee(const Determinism *dt, const Expr *call) {
    const Expr *f = call->call.func;
    exempt(dt, f);
    bool asks = f->kind == EXPR_NAME &&
        (sym_is(f->name.id, "isinstance") || sym_is(f->name.id, "issubclass"));
    if (asks && call->call.args.len == 2) exempt(dt, call->call.args.at[1]);
}

static void label_cause(Diag *g, Program *p, const Expr *e) {
    const Expr *f = e->kind == EXPR_CALL ? e->call.func : e;
    Decl *d = f->kind == EXPR_NAME ? table_get(p->uses, table_key(f->at.start)) : NULL;
    if (d != NULL && d->unsure != NULL && !interface_part(p, d->at))
        diag_label(g, d->unsure->at, "caused by this in `%s`", d->name);
}

static void help_share(Diag *d, const Expr *e) {
    diag_help(d, "compute the value at one role, and `share` it over a channel: both ends have "
                 "that role's value%s",
              e->roles.len > 2 ? "; send it to the other roles" : "");
}

// After `share`, one person is asked for all roles.
static void help_ask(Diag *d, const Program *p, const Expr *e) {
    const Expr *f = e->kind == EXPR_CALL ? e->call.func : NULL;
    if (f == NULL || f->kind != EXPR_NAME || !sym_is(f->name.id, "input")) return;
    if (program_find(p, f->name.id) != NULL) return;
    diag_help(d, "or, to ask at each role, use a variable for each: `At[str, %s]` and "
                 "`At[str, %s]`", e->roles.at[0], e->roles.at[1]);
}

#define NAME_BYTES "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// Of `os` in `os.environ["HOME"]`: all of it.
static Span use_of_module(const Program *p, const Expr *e) {
    const char *text = p->source->text.at;
    uint32_t end = e->at.end;
    const Decl *d = e->kind == EXPR_NAME ? program_find(p, e->name.id) : NULL;
    if (d == NULL || d->kind != DECL_IMPORT) return e->at;
    while (text[end] == '.')
        end += 1 + (uint32_t)strspn(text + end + 1, NAME_BYTES);
    size_t key = text[end] == '[' ? strcspn(text + end, "]\n") : 0;
    if (key > 0 && text[end + key] == ']') end += (uint32_t)key + 1;
    return (Span){e->at.start, end};
}

bool determinism_judge(const Determinism *dt, const Expr *e) {
    if (e->roles.len < 2) return true;
    Program *p = dt->p;
    bool call = e->kind == EXPR_CALL && e->call.func->kind != EXPR_INST;
    bool unsure = (call && !deterministic_call(p, e)) || unsure_operand(dt, e) ||
        (e->kind == EXPR_NAME && unsure_name(dt, e)) ||
        (e->kind == EXPR_ATTRIBUTE && unsure_attribute(dt, e));
    if (call) exempt_callee(dt, e);
    if (!unsure) return true;
    Span at = use_of_module(p, e);
    const char *text = source_written(p->arena, p->source, at);
    text = at.end > e->at.end && text != NULL ? names_format(p->names, "`%s`", text)
                                              : expr_text(p, e);
    bool code = e->kind == EXPR_NAME && e->ty != NULL && e->ty->kind == TY_CALLABLE;
    Diag *g = diag_report(p->diags, at, DIAG_REPLICATED_UNSURE, "%s%s may differ between %s",
                          code ? "the results of " : "", text, roles_text(p->arena, e->roles));
    label_cause(g, p, e);
    if (code)
        diag_help(g, "call %s at one role, and `share` its result over a channel", text);
    else
        help_share(g, e);
    help_ask(g, p, e);
    return false;
}

static void judge_use(const Determinism *dt, const Expr *e, const char *used) {
    if (e->roles.len < 2 || unsure_class(dt->p, e->ty) == NULL) return;
    Diag *g = diag_report(dt->p->diags, e->at, DIAG_REPLICATED_UNSURE,
                          "%s %s may differ between %s", used, expr_text(dt->p, e),
                          roles_text(dt->p->arena, e->roles));
    help_share(g, e);
}

void determinism_judge_stmt(const Determinism *dt, const Stmt *s) {
    if (s->kind == STMT_IF) judge_use(dt, s->if_.test, "the truth value of");
    if (s->kind == STMT_WHILE) judge_use(dt, s->while_.test, "the truth value of");
    if (s->kind == STMT_ASSERT) judge_use(dt, s->assert.test, "the truth value of");
    if (s->kind == STMT_FOR) judge_use(dt, s->for_.iter, "the items of");
    if (s->kind == STMT_AUG_ASSIGN) {
        judge_use(dt, s->aug_assign.value, "the result of this operator with");
        judge_use(dt, s->aug_assign.target, "the result of this operator with");
    }
    for (size_t i = 0; s->kind == STMT_TRY && i < s->try.handlers.len; i++)
        exempt(dt, s->try.handlers.at[i]->except_handler.type);
}
