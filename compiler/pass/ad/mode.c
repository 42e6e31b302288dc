// mode.c - units in a mode: every function translated, and the public function around the one that
// is differentiated.

#include "compiler/emit/python_control.h"
#include "compiler/front/front.h"
#include "compiler/pass/ad/mode_internal.h"

typedef Vec(const Stmt *) Stmts;

static const char *const mode_names[MODE_COUNT] = {
#define MODE(id, name, summary) name,
#include "compiler/pass/ad/mode.def"
#undef MODE
};

bool mode_find(const char *name, Mode *mode)
{
    for (int i = 0; i < MODE_COUNT; i++)
        if (strcmp(mode_names[i], name) == 0) {
            *mode = (Mode)i;
            return true;
        }
    return false;
}

const char *mode_name(Mode mode) { return mode_names[mode]; }

bool mode_differentiates(Mode mode) { return mode >= MODE_FORWARD; }

static bool is_direct(const Modes *m)
{
    return m->mode == MODE_IDENTITY || m->mode == MODE_FORWARD || m->mode == MODE_REVERSE_SHIFT;
}

static Modes open_modes(Arena *a, Names *names, Diags *diags, Mode mode)
{
    Modes m = {.arena = a, .names = names, .diags = diags, .mode = mode, .used = table_new(a),
               .bound = table_new(a), .instead = table_new(a), .helpers = table_new(a)};
    ad_open(&m.ad, a, names, diags);
    m.partials = m.ad.partials;
    return m;
}

// ---- functions ----

// A function before and after: with binders of its own, and translated.
typedef struct Function {
    const Arguments *args;      // NULL: a value
    const Expr *term;
} Function;

static Function renamed_apart(Modes *m, Sym name, const Arguments *args, const Expr *term)
{
    Function f = {.term = mode_apart(m, term, args != NULL ? &args : NULL)};
    f.args = args;
    kinds_read(m->kinds, name, f.args, f.term);
    return f;
}

static Function translated(Modes *m, Function f)
{
    if (is_direct(m))
        return (Function){f.args, direct_term(m, f.term)};
    bool meta = m->mode == MODE_CPS_META || m->mode == MODE_REVERSE_CPS_META;
    Sym k = f.args != NULL ? mode_fresh(m, "k") : NULL;
    const Arguments *args = k != NULL ? mode_parameter(m, f.args, k) : NULL;
    return (Function){args, meta ? cps_meta_term(m, f.term, k) : cps_term(m, f.term, k)};
}

const Expr *mode_term(Arena *a, Names *names, Diags *diags, Mode mode, const Expr *term)
{
    Modes m = open_modes(a, names, diags, mode);
    m.kinds = kinds_new(&m);
    mode_reserve_free(&m, term, NULL);
    Function f = renamed_apart(&m, NULL, NULL, term);
    kinds_solve(m.kinds, false);
    if (!is_direct(&m))
        f.term = mode_ordered(&m, f.term);
    m.kinds = kinds_new(&m);
    kinds_read(m.kinds, NULL, NULL, f.term);
    kinds_solve(m.kinds, mode_differentiates(mode));
    return translated(&m, f).term;
}

// ---- the public function: Transform(f) ----

typedef struct Public {
    Modes *m;
    Span at;
    const Arguments *args;      // of f as it was written
    Sym function;
    SymList wrt;
    Sym inputs;                 // what holds the copies of structures; NULL: one float is given
} Public;

static const Expr *name_in(const Public *p, Sym name) { return mode_name_of(p->m, p->at, name); }

static const Expr *literal(const Public *p, size_t n)
{
    const char *digits = names_format(p->m->names, "%zu", n);
    return expr_constant(p->m->arena, p->at,
                         const_int(p->m->arena, (Text){digits, strlen(digits)}), NULL);
}

static const Expr *method(const Public *p, Sym base, const char *name, size_t n,
                          const Expr *const *args)
{
    const Expr *func = expr_attribute(p->m->arena, p->at, name_in(p, base),
                                      names_get(p->m->names, name), EXPR_CONTEXT_LOAD);
    return mode_apply(p->m, func, n, args);
}

// \y. y[1] := 1.0
static const Expr *seed(const Public *p, Sym y)
{
    const Expr *one = expr_constant(p->m->arena, p->at, const_float(p->m->arena, 1.0), NULL);
    return expr_put(p->m->arena, p->at, mode_part(p->m, name_in(p, y), 1), one);
}

static const Expr *call_f(const Public *p, size_t n, const Expr *const *hats)
{
    const Expr **args = ARENA_ARRAY(p->m->arena, const Expr *, n + 1);
    for (size_t i = 0; i < n; i++)
        args[i] = hats[i];
    const Expr *f = name_in(p, p->function);
    Sym y = mode_fresh(p->m, "y");
    if (p->m->mode == MODE_FORWARD)
        return mode_apply(p->m, f, n, args);
    if (p->m->mode == MODE_REVERSE_SHIFT)
        return expr_reset(p->m->arena, p->at,
                          mode_let(p->m, y, mode_apply(p->m, f, n, args), seed(p, y)));
    args[n] = mode_lambda1(p->m, y, seed(p, y));
    return mode_apply(p->m, f, n + 1, args);
}

static bool is_wanted(const Public *p, Sym parameter)
{
    bool wanted = p->wrt.len == 0;
    for (size_t i = 0; i < p->wrt.len; i++)
        wanted = wanted || p->wrt.at[i] == parameter;
    return wanted;
}

// With one float, as the seed prints it.
static const Expr *public_float(const Public *p, size_t x, const Expr *const *args,
                                const Expr *(*around)(void *cx, const Expr *rest), void *cx)
{
    Modes *m = p->m;
    size_t n = p->args->args.len;
    const Expr **hats = ARENA_ARRAY(m->arena, const Expr *, n + 1);
    for (size_t i = 0; i < n; i++)
        hats[i] = args[i];
    if (m->mode == MODE_FORWARD) {
        Sym y = mode_fresh(m, "y");
        const Expr *one = expr_constant(m->arena, p->at, const_float(m->arena, 1.0), NULL);
        hats[x] = mode_pair(m, args[x], one);
        return around(cx, mode_let(m, y, call_f(p, n, hats), mode_part(m, name_in(p, y), 1)));
    }
    Sym hat = mode_fresh(m, names_format(m->names, "%s_hat", p->args->args.at[x]->arg));
    hats[x] = name_in(p, hat);
    const Expr *answer = expr_get(m->arena, p->at, mode_part(m, name_in(p, hat), 1));
    const Expr *body = mode_then(m, call_f(p, n, hats), answer);
    return mode_let(m, hat, mode_lifted(m, args[x]), around(cx, body));
}

// With several, or with structures: pychoral.ad.Inputs copies them and answers for them.
static const Expr *public_inputs(const Public *p, const Expr *const *args,
                                 const Expr *(*around)(void *cx, const Expr *rest), void *cx)
{
    Modes *m = p->m;
    size_t n = p->args->args.len, wanted = 0;
    const Expr **hats = ARENA_ARRAY(m->arena, const Expr *, n + 1);
    const Expr **asked = ARENA_ARRAY(m->arena, const Expr *, n + 2);
    for (size_t i = 0; i < n; i++) {
        const Expr *index = literal(p, i);
        hats[i] = method(p, p->inputs, "pair", 1, &index);
        if (is_wanted(p, p->args->args.at[i]->arg))
            asked[1 + wanted++] = index;
    }
    const Expr *body;
    asked[0] = name_in(p, p->function);
    if (m->mode == MODE_FORWARD)
        body = method(p, p->inputs, "tangents", wanted + 1, asked);
    else
        body = mode_then(m, call_f(p, n, hats),
                         method(p, p->inputs, "cotangents", wanted, asked + 1));
    const Expr *made = mode_apply(m, name_in(p, names_get(m->names, "Inputs")), n, args);
    return mode_let(m, p->inputs, made, around(cx, body));
}

// Puts f inside, as the seed does, if nothing else of the unit calls it.
typedef struct Nested {
    Modes *m;
    Sym name;
    Function f;
    bool inside, recursive;
} Nested;

static const Expr *with_f(void *cx, const Expr *rest)
{
    const Nested *n = cx;
    if (!n->inside)
        return rest;
    if (n->recursive)
        return expr_let_rec(n->m->arena, rest->at, n->name, n->f.args, n->f.term, rest);
    return mode_let(n->m, n->name, expr_lambda(n->m->arena, rest->at, n->f.args, n->f.term), rest);
}

static bool holds_real(const Modes *m, const Arg *parameter)
{
    return kinds_name_real(m->kinds, parameter->arg) || ad_holds_float(&m->ad, parameter->ty);
}

// One float, and otherwise only what holds none: its index; else -1.
static int only_float(const Modes *m, const Public *p, const Arguments *apart)
{
    int found = -1;
    for (size_t i = 0; i < apart->args.len; i++) {
        Sym name = apart->args.at[i]->arg;
        if (!holds_real(m, apart->args.at[i]))
            continue;
        if (found >= 0 || !kinds_name_real(m->kinds, name)
            || !is_wanted(p, p->args->args.at[i]->arg))
            return -1;
        found = (int)i;
    }
    return found;
}

static const Stmt *function_of(Modes *m, Span at, Sym name, const Arguments *args,
                               const Expr *term)
{
    const Stmt **body = ARENA_NEW(m->arena, const Stmt *);
    *body = stmt_return(m->arena, at, term);
    return stmt_function_def(m->arena, at, name, args, (StmtList){body, 1}, (ExprList){0}, NULL,
                             (TypeParamList){0});
}

// Under the names that callers know; f itself has them, too, but nothing of what is around.
static const Arguments *public_parameters(Modes *m, const Arguments *old, const Expr **names)
{
    const Arguments *args = NULL;
    for (size_t i = 0; i < old->args.len; i++) {
        args = mode_parameter(m, args, old->args.at[i]->arg);
        names[i] = mode_name_of(m, old->args.at[i]->at, old->args.at[i]->arg);
    }
    return args;
}

static const Stmt *public_function(const Public *p, const Arguments *apart, Nested *nested)
{
    Modes *m = p->m;
    Public with = *p;
    const Expr **names = ARENA_ARRAY(m->arena, const Expr *, p->args->args.len + 1);
    const Arguments *args = public_parameters(m, p->args, names);
    int x = only_float(m, p, apart);
    if (x < 0)
        with.inputs = mode_fresh(m, "inputs");
    const Expr *term = x >= 0 ? public_float(&with, (size_t)x, names, with_f, nested)
                              : public_inputs(&with, names, with_f, nested);
    return function_of(m, p->at, names_format(m->names, "%s_grad", p->function), args, term);
}

// ---- units ----

typedef struct Translator {
    Modes *m;
    ModeAim aim;
    Table *functions;           // statement -> Function, prepared
    Stmts out;
} Translator;

static const Expr *term_of(const Stmt *s)
{
    if (s->kind == STMT_FUNCTION_DEF && s->function_def.body.len == 1
        && s->function_def.body.at[0]->kind == STMT_RETURN)
        return s->function_def.body.at[0]->return_.value;
    if (s->kind == STMT_ASSIGN)
        return s->assign.value;
    return s->kind == STMT_ANN_ASSIGN ? s->ann_assign.value : NULL;
}

typedef void Visit(Translator *t, const Stmt *s, Sym name, const Expr *term);

static void visit(Translator *t, StmtList body, bool module, Visit *of)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        const Expr *term = term_of(s);
        Sym name = s->kind == STMT_FUNCTION_DEF ? s->function_def.name : NULL;
        if (s->kind == STMT_ASSIGN && s->assign.targets.at[0]->kind == EXPR_NAME)
            name = s->assign.targets.at[0]->name.id;
        if (s->kind == STMT_CLASS_DEF)
            visit(t, s->class_def.body, false, of);
        if (term != NULL)
            of(t, s, module ? name : NULL, term);
    }
}

static const Arguments *args_of(const Stmt *s)
{
    return s->kind == STMT_FUNCTION_DEF ? s->function_def.args : NULL;
}

static void reserve(Translator *t, const Stmt *s, Sym name, const Expr *term)
{
    (void)name;
    mode_reserve_free(t->m, term, args_of(s));
}

static void prepare(Translator *t, const Stmt *s, Sym name, const Expr *term)
{
    Function *f = ARENA_NEW(t->m->arena, Function);
    *f = renamed_apart(t->m, name, args_of(s), term);
    table_set(t->functions, s, f);
}

static void order(Translator *t, const Stmt *s, Sym name, const Expr *term)
{
    Function *f = table_get(t->functions, s);
    (void)name;
    (void)term;
    f->term = mode_ordered(t->m, f->term);
}

static void infer(Translator *t, const Stmt *s, Sym name, const Expr *term)
{
    const Function *f = table_get(t->functions, s);
    (void)term;
    kinds_read(t->m->kinds, name, f->args, f->term);
}

typedef struct Mention { Sym name; bool found; } Mention;

static bool find_mention(void *cx, const Expr *e)
{
    Mention *w = cx;
    w->found = w->found || (e->kind == EXPR_NAME && e->name.id == w->name);
    return true;
}

static bool mentions(const Stmt *s, Sym name)
{
    Mention w = {.name = name};
    IrWalker walker = {.cx = &w, .expr = find_mention};
    ir_walk_stmt(&walker, s);
    return w.found;
}

static bool is_aim(const Translator *t, const Stmt *s)
{
    return s->kind == STMT_FUNCTION_DEF && s->function_def.name == t->aim.function
           && mode_differentiates(t->m->mode);
}

static bool only_itself(const Translator *t, StmtList body)
{
    for (size_t i = 0; i < body.len; i++)
        if (!is_aim(t, body.at[i]) && mentions(body.at[i], t->aim.function))
            return false;
    return true;
}

// Whether there is something to differentiate, and by.
static bool judge_aim(const Translator *t, const Stmt *s, const Function *f)
{
    Modes *m = t->m;
    ArgList args = s->function_def.args->args;
    Sym name = s->function_def.name;
    size_t errors = diags_error_count(m->diags);
    bool any = false;
    for (size_t i = 0; i < args.len; i++)
        any = any || holds_real(m, f->args->args.at[i]);
    if (!any)
        diag_help(diag_report(m->diags, s->at, DIAG_GRAD_INPUT,
                              "no parameter of `%s` contains a float; only floats have derivatives",
                              name), "declare a parameter as `float`");
    for (size_t w = 0; w < t->aim.wrt.len; w++) {
        size_t i = 0;
        while (i < args.len && args.at[i]->arg != t->aim.wrt.at[w])
            i++;
        if (i == args.len)
            diag_report(m->diags, s->at, DIAG_GRAD_INPUT, "`%s` has no parameter `%s`", name,
                        t->aim.wrt.at[w]);
        else if (!holds_real(m, f->args->args.at[i]))
            diag_help(diag_report(m->diags, args.at[i]->at, DIAG_GRAD_INPUT,
                                  "`%s` contains no float; only floats have derivatives",
                                  t->aim.wrt.at[w]), "declare the parameter as `float`");
    }
    if (!kinds_real(m->kinds, f->term))
        diag_help(diag_report(m->diags, s->at, DIAG_GRAD_TYPE,
                              "the result of `%s` is not a `float`, so it has no gradient", name),
                  "return one `float`");
    return diags_error_count(m->diags) == errors;
}

static void put_function(Translator *t, const Stmt *s, StmtList module)
{
    Modes *m = t->m;
    const Function *before = table_get(t->functions, s);
    Function f = translated(m, *before);
    Sym name = s->function_def.name;
    bool aim = is_aim(t, s), inside = aim && only_itself(t, module);
    if (!inside)
        vec_push(m->arena, &t->out, function_of(m, s->at, name, f.args, f.term));
    if (!aim || !judge_aim(t, s, before))
        return;
    Sym answer = names_format(m->names, "%s_grad", name);
    if (table_get(m->used, answer) != NULL)
        diag_help(diag_report(m->diags, s->at, DIAG_GRAD_CONSTRUCT,
                              "`%s` is defined in the program, but the derivative defines the same "
                              "name", answer),
                  "rename the definition in the program");
    Nested nested = {m, name, f, inside, mentions(s, name)};
    Public p = {.m = m, .at = s->at, .args = s->function_def.args, .function = name,
                .wrt = t->aim.wrt};
    vec_push(m->arena, &t->out, public_function(&p, before->args, &nested));
}

static const Stmt *class_of(Translator *t, const Stmt *s);

static const Stmt *translated_stmt(Translator *t, const Stmt *s)
{
    Modes *m = t->m;
    const Function *before = table_get(t->functions, s);
    if (s->kind == STMT_CLASS_DEF)
        return class_of(t, s);
    if (before == NULL)
        return s;
    Function f = translated(m, *before);
    if (s->kind == STMT_FUNCTION_DEF)
        return function_of(m, s->at, s->function_def.name, f.args, f.term);
    if (s->kind == STMT_ASSIGN)
        return stmt_assign(m->arena, s->at, s->assign.targets, f.term);
    return stmt_ann_assign(m->arena, s->at, s->ann_assign.target, s->ann_assign.annotation, f.term,
                           s->ann_assign.simple);
}

static const Stmt *class_of(Translator *t, const Stmt *s)
{
    StmtList old = s->class_def.body;
    const Stmt **body = ARENA_ARRAY(t->m->arena, const Stmt *, old.len + 1);
    for (size_t i = 0; i < old.len; i++)
        body[i] = translated_stmt(t, old.at[i]);
    return stmt_class_def(t->m->arena, s->at, s->class_def.name, s->class_def.bases,
                          s->class_def.keywords, (StmtList){body, old.len},
                          s->class_def.decorator_list, s->class_def.type_params);
}

// ---- what the text has to import ----

typedef struct Imports {
    Table *needed;
    Names *names;
} Imports;

static bool note_need(void *cx, const Expr *e)
{
    Imports *n = cx;
    const char *name = NULL;
    if (e->kind == EXPR_CASE)
        table_set(n->needed, names_get(n->names, "Inl"), n);
    if (e->kind == EXPR_CASE || e->kind == EXPR_INJECT)
        name = e->kind == EXPR_CASE || e->inject.right ? "Inr" : "Inl";
    if (e->kind == EXPR_REF)
        name = "Ref";
    if (e->kind == EXPR_SHIFT || e->kind == EXPR_RESET)
        name = e->kind == EXPR_SHIFT ? "shift" : "reset";
    if (e->kind == EXPR_NAME)
        name = e->name.id;
    if (name != NULL)
        table_set(n->needed, names_get(n->names, name), n);
    return true;
}

static void put_imports(Modes *m, StmtList body, Stmts *out)
{
    static const char *const known[] = {"Inl", "Inputs", "Inr", "Ref", "reset", "shift",
                                        "throw"};
    enum { KNOWN = sizeof known / sizeof *known };
    Imports n = {table_new(m->arena), m->names};
    IrWalker w = {.cx = &n, .expr = note_need};
    ir_walk_stmts(&w, body);
    const Alias **aliases = ARENA_ARRAY(m->arena, const Alias *, KNOWN);
    size_t len = 0;
    if (table_get(n.needed, names_get(m->names, "math")) != NULL || !table_empty(m->helpers)) {
        const Alias **math = ARENA_NEW(m->arena, const Alias *);
        *math = alias_new(m->arena, (Span){0, 0}, names_get(m->names, "math"), NULL);
        vec_push(m->arena, out, stmt_import(m->arena, (Span){0, 0}, (AliasList){math, 1}));
    }
    for (size_t i = 0; i < KNOWN; i++)
        if (table_get(n.needed, names_get(m->names, known[i])) != NULL)
            aliases[len++] = alias_new(m->arena, (Span){0, 0}, names_get(m->names, known[i]),
                                       NULL);
    if (len > 0)
        vec_push(m->arena, out, stmt_import_from(m->arena, (Span){0, 0},
                                                 names_get(m->names, "pychoral.ad"),
                                                 (AliasList){aliases, len}, 0));
}

// The functions that partials call.
static void put_helpers(Modes *m, Stmts *out)
{
    static const char *const known[] = {
#define PARTIAL(name, ...)
#define HELPER(name, text) name,
#include "compiler/pass/ad/partial.def"
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (table_get(m->helpers, names_get(m->names, known[i])) == NULL)
            continue;
        const char *text = partial_helper(known[i]);
        const Source *source = source_new(m->arena, known[i], (Text){text, strlen(text)});
        StmtList body = front_parse(m->arena, m->names, source, diags_new(m->arena))->module.body;
        for (size_t k = 0; k < body.len; k++)
            vec_push(m->arena, out, body.at[k]);
    }
}

// ---- how deep Python lets blocks nest ----

enum { MAX_BLOCKS = 96 };       // CPython reads 100 levels of indentation

static int depth_of(StmtList body);

static int deeper(int depth, StmtList body)
{
    int inner = depth_of(body);
    return inner > depth ? inner : depth;
}

static int depth_of(StmtList body)
{
    int depth = 0;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_FUNCTION_DEF)
            depth = deeper(depth, s->function_def.body);
        if (s->kind == STMT_IF)
            depth = deeper(deeper(depth, s->if_.body), s->if_.orelse);
        for (size_t k = 0; s->kind == STMT_MATCH && k < s->match.cases.len; k++)
            depth = deeper(depth, s->match.cases.at[k]->body);
    }
    return depth + 1;
}

static void judge_depth(Modes *m, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        const Unit *alone = unit_module(m->arena, (StmtList){body.at + i, 1});
        if (depth_of(control_as_python(m->arena, alone)->module.body) <= MAX_BLOCKS)
            continue;
        Diag *d = diag_report(m->diags, body.at[i]->at, DIAG_GRAD_CONSTRUCT,
                              "in mode `%s`, the code of this function is nested too deeply for "
                              "Python", mode_name(m->mode));
        diag_help(d, "each call adds one level: use loops, or divide the function into several "
                  "functions");
    }
}

static bool refuse_control(void *cx, const Expr *e)
{
    const Modes *m = cx;
    if (e->kind == EXPR_SHIFT || e->kind == EXPR_RESET) {
        Diag *d = diag_report(m->diags, e->at, DIAG_GRAD_CONTROL,
                              "`%s` in differentiated code is supported only with `--mode=cps`",
                              e->kind == EXPR_SHIFT ? "shift" : "reset");
        diag_help(d, "remove the operator from the function, or use `--mode=cps`");
    }
    return true;
}

const Unit *mode_unit(Arena *a, Names *names, Diags *diags, Mode mode, ModeAim aim,
                      const Unit *unit)
{
    Modes m = open_modes(a, names, diags, mode);
    m.kinds = kinds_new(&m);
    Translator t = {.m = &m, .aim = aim, .functions = table_new(a)};
    StmtList body = unit->module.body;
    IrWalker control = {.cx = &m, .expr = refuse_control};
    size_t errors = diags_error_count(diags);
    if (mode_differentiates(mode))
        ir_walk_unit(&control, unit);
    if (diags_error_count(diags) > errors)
        return unit;
    mode_reserve(&m, unit);
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_CLASS_DEF)
            table_set(m.ad.classes, body.at[i]->class_def.name, (void *)body.at[i]);
    visit(&t, body, true, reserve);
    visit(&t, body, true, prepare);
    kinds_solve(m.kinds, false);
    if (!is_direct(&m))
        visit(&t, body, true, order);       // makes new nodes, of which kinds are asked again
    m.kinds = kinds_new(&m);
    visit(&t, body, true, infer);
    kinds_solve(m.kinds, mode_differentiates(mode));
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_FUNCTION_DEF)
            put_function(&t, body.at[i], body);
        else
            vec_push(a, &t.out, translated_stmt(&t, body.at[i]));
    judge_depth(&m, (StmtList){t.out.at, t.out.len});
    Stmts all = {0};
    size_t imports = 0;
    for (; imports < t.out.len && t.out.at[imports]->kind == STMT_IMPORT_FROM; imports++)
        vec_push(a, &all, t.out.at[imports]);
    put_imports(&m, (StmtList){t.out.at, t.out.len}, &all);
    put_helpers(&m, &all);
    for (size_t i = imports; i < t.out.len; i++)
        vec_push(a, &all, t.out.at[i]);
    return unit_module(a, (StmtList){all.at, all.len});
}
