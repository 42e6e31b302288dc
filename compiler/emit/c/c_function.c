// c_function.c - functions: their signatures, which of them the program needs, and their text.

#include <ctype.h>
#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/emit/c/c_call.h"

// ---- signatures ----

Sym c_default_variable(CEmit *c, const Stmt *def, Sym param)
{
    return names_format(c->names, "(%s of %s)", param, def->function_def.name);
}

const Arg *c_param(const Arguments *args, size_t i)
{
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    for (size_t l = 0; l < 3; l++) {
        if (i < lists[l].len)
            return lists[l].at[i];
        i -= lists[l].len;
    }
    return NULL;
}

const Expr *c_default_expr(const Arguments *args, size_t i)
{
    size_t positional = args->posonlyargs.len + args->args.len;
    if (i >= positional)
        return args->kw_defaults.at[i - positional];
    size_t required = positional - args->defaults.len;
    return i < required ? NULL : args->defaults.at[i - required];
}

void c_add_param(CEmit *c, CFunction *f, Sym name, const Rep *rep)
{
    vec_push(c->arena, &f->params, rep);
    vec_push(c->arena, &f->names, name);
    CVariable *v = ARENA_NEW(c->arena, CVariable);
    *v = (CVariable){.name = name, .rep = rep, .param = true};
    table_set(f->variables, name, v);
    vec_push(c->arena, &f->order, v);
}

bool c_is_decorated(CEmit *c, ExprList decorators, const char *name)
{
    for (size_t i = 0; i < decorators.len; i++) {
        Sym d = c_origin(c, decorators.at[i]);
        if (d && sym_is(d, name))
            return true;
    }
    return false;
}

static const Rep *param_rep(CEmit *c, const Arg *arg)
{
    const Ty *t = arg->ty ? arg->ty : arg->annotation ? c_annotation(c, arg->annotation) : NULL;
    if (t == NULL)
        (void)c_refuse(c, arg->at, "the C target needs a type annotation for the parameter `%s`",
                       arg->arg);
    return t ? rep_of(c, t, arg->at) : rep_named(c, "object");
}

static bool note_return(void *cx, const Stmt *s)
{
    const Expr *value = s->kind == STMT_RETURN ? s->return_.value : NULL;
    bool none = value != NULL && value->kind == EXPR_CONSTANT
                && value->constant.value->kind == CONST_NONE;
    *(bool *)cx |= value != NULL && !none;
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF;
}

// Whether some `return` gives more than None.
static bool gives_value(StmtList body)
{
    bool found = false;
    IrWalker w = {.cx = &found, .stmt = note_return};
    ir_walk_stmts(&w, body);
    return found;
}

// What a decorator that the compiler does not know makes of a function cannot be said.
void c_check_decorators(CEmit *c, const Stmt *def, bool of_module)
{
    static const char *const KNOWN[] = {
        "staticmethod", "classmethod", "property", "setter", "abstractmethod", "override", "final",
        "overload", "contextmanager", "roles", "effect"};
    for (size_t i = 0; i < def->function_def.decorator_list.len; i++) {
        const Expr *d = def->function_def.decorator_list.at[i];
        const Expr *written = d->kind == EXPR_CALL ? d->call.func : d;
        Sym name = c_origin(c, d);
        // The checker knows them by their own names only.
        bool known = false, renamed = written->kind == EXPR_NAME && written->name.id != name;
        for (size_t j = 0; name != NULL && !renamed && j < sizeof KNOWN / sizeof *KNOWN; j++)
            known |= sym_is(name, KNOWN[j]);
        int64_t most;
        bool cache = !renamed && c_is_cache(c, d, &most);
        if (!known && !(cache && of_module))
            (void)c_refuse(c, d->at, "the C target does not support the decorator `@%s`%s",
                           c_source_text(c, d->at), cache ? " of a method" : "");
    }
}

void c_read_signature(CEmit *c, CFunction *f)
{
    c_check_decorators(c, f->def, f->owner == NULL && !f->is_nested);
    const Arguments *args = f->def->function_def.args;
    ExprList decorators = f->def->function_def.decorator_list;
    bool is_static = f->owner && c_is_decorated(c, decorators, "staticmethod");
    size_t skip = f->owner && !is_static;
    const ArgList lists[] = {args->posonlyargs, args->args};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l].len; i++) {
            const Arg *arg = lists[l].at[i];
            if (skip > 0) {
                skip = 0;
                if (!c_is_decorated(c, decorators, "classmethod"))
                    c_add_param(c, f, arg->arg, rep_class(c, f->owner));
                f->is_class = c_is_decorated(c, decorators, "classmethod");
                f->takes_self = !f->is_class;
                continue;
            }
            c_add_param(c, f, arg->arg, param_rep(c, arg));
        }
    if (args->vararg != NULL) {
        const Rep *rep = param_rep(c, args->vararg);
        bool whole = args->vararg->ty != NULL && rep->kind == REP_SEQUENCE;
        c_add_param(c, f, args->vararg->arg, whole ? rep : rep_sequence(c, rep));
    }
    for (size_t i = 0; i < args->kwonlyargs.len; i++)
        c_add_param(c, f, args->kwonlyargs.at[i]->arg, param_rep(c, args->kwonlyargs.at[i]));
    if (args->kwarg != NULL) {
        const Rep *rep = param_rep(c, args->kwarg);
        bool whole = args->kwarg->ty != NULL && rep->kind == REP_DICT;
        c_add_param(c, f, args->kwarg->arg, whole ? rep : rep_dict(c, rep_named(c, "str"), rep));
    }
    const Expr *returns = f->def->function_def.returns;
    const Ty *t = returns ? c_annotation(c, returns) : NULL;
    if (returns == NULL && gives_value(f->def->function_def.body))
        (void)c_refuse(c, f->def->at, "the C target needs a return annotation for `%s`, such as "
                       "`-> int`", f->def->function_def.name);
    if (t == NULL && returns == NULL && f->result == NULL)
        f->result = rep_named(c, "None");
    else
        f->result = rep_of(c, t, f->def->at);
    if (c_is_decorated(c, decorators, "contextmanager"))
        f->result = rep_manager(c);
}

// ---- which function it is ----

static const char *types_key(CEmit *c, Table *types, TypeVars vars)
{
    const char *key = "";
    for (size_t i = 0; i < vars.len; i++) {
        const Ty *t = types ? table_get(types, vars.at[i]) : NULL;
        key = c_text(c, "%s_%s", key, t ? rep_of(c, t, (Span){0, 0})->name : "any");
    }
    return key;
}

static const Ty *self_type(CEmit *c, const CClass *owner)
{
    return owner != NULL ? ty_named(c->arena, owner->name, owner->args) : NULL;
}

CFunction *c_signature(CEmit *c, const Stmt *def, CClass *owner, Table *types)
{
    TypeVars vars = c_type_vars(c, def);
    const char *own = owner ? c_text(c, "%s_%s", owner->c_name, def->function_def.name)
                            : c_of_module(c, def->function_def.name);
    const char *key = c_text(c, "%p %s%s", (const void *)def, own, types_key(c, types, vars));
    CFunction *f = table_get(c->functions, names_get(c->names, key));
    if (f != NULL)
        return f;
    f = ARENA_NEW(c->arena, CFunction);
    *f = (CFunction){.def = def, .owner = owner,
                     .shown = unqualified(def->function_def.name),
                     .variables = table_new(c->arena), .types = types,
                     .asked_by = c->function};
    f->c_name = c_unique(c, c_text(c, "%s%s", own, types_key(c, types, vars)));
    table_set(c->functions, names_get(c->names, key), f);
    Table *outer = c->substitution;
    CClass *outer_class = c->class_;
    c->substitution = types != NULL ? types : owner ? owner->types : NULL;
    const Ty *self = c->self;
    c->self = self_type(c, owner);
    c->class_ = owner;
    c_read_signature(c, f);
    c->self = self;
    c->substitution = outer;
    c->class_ = outer_class;
    return f;
}

CFunction *c_function(CEmit *c, const Stmt *def, CClass *owner, Table *types)
{
    CFunction *f = c_signature(c, def, owner, types);
    if (!f->queued)
        vec_push(c->arena, &c->queue, f);
    f->queued = true;
    return f;
}

// ---- text ----

static const char *param_text(CEmit *c, const CFunction *f, size_t i)
{
    CVariable *v = table_get(f->variables, f->names.at[i]);
    bool copied = v->stored || v->cell;
    return c_text(c, "%s%s%s", f->params.at[i]->type, copied ? "given_" : "", v->c_name);
}

static const char *header(CEmit *c, const CFunction *f)
{
    const char *params = f->is_nested ? "PychoralFunction *self_function" : "";
    for (size_t i = 0; i < f->params.len; i++)
        if (rep_passed(f->params.at[i]))
            params = c_text(c, "%s%s%s", params, *params ? ", " : "", param_text(c, f, i));
    return c_text(c, "static %s%s(%s)", rep_passed(f->result) ? f->result->type : "void ",
                  f->c_name, *params ? params : "void");
}

// ---- variables ----

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length;
}

// Behind a literal, if there is one here.
static const char *past_literal(const char *at)
{
    char quote = *at;
    if (quote != '"' && quote != '\'')
        return at;
    for (at++; *at != quote && *at != '\0'; at++)
        if (*at == '\\')
            at++;
    return *at != '\0' ? at + 1 : at;
}

// What the program reads may not be in the text: no text is written for what is never reached.
Table *c_words_read(CEmit *c, const char *at)
{
    Table *read = table_new(c->arena);
    for (bool member = false; *(at = past_literal(at)) != '\0';) {
        size_t length = word_length(at);
        bool assigned = strncmp(at + length, " = ", 3) == 0;
        if (length > 0 && !member && !assigned)
            table_set(read, names_intern(c->names, at, length), read);
        member = length == 0 && (*at == '.' || *at == '>');
        at += length > 0 ? length : 1;
    }
    return read;
}

typedef struct Declaring {
    CEmit *c;
    Table *read;                // by the body
} Declaring;

// Names what the body does not read, of which C compilers warn.
static const char *mention(Declaring *d, const CVariable *v)
{
    bool is_read = table_get(d->read, names_get(d->c->names, v->c_name)) != NULL;
    return is_read ? "" : c_text(d->c, "\n(void)%s;", v->c_name);
}

static void declare_cell(CEmit *c, const CVariable *v)
{
    const Rep *cell = rep_cell(c, v->rep);
    c_line(c, "PYCHORAL_OWNED(object) PychoralBox *%s = pychoral_cell(%s);", v->c_name, cell->row);
    if (v->param && rep_passed(v->rep))
        c_line(c, "*(%s*)%s->value = %s;", v->rep->type, v->c_name,
               v->rep->keep ? c_text(c, "%s(given_%s)", v->rep->keep, v->c_name)
                            : c_text(c, "given_%s", v->c_name));
}

static void declare(Declaring *d, const CVariable *v)
{
    CEmit *c = d->c;
    if (v->held || v->self_function || v->home != NULL || !rep_passed(v->rep))
        return;
    if (v->cell) {
        declare_cell(c, v);
        return;
    }
    if (v->counter) {
        c_line(c, "int64_t %s = 0;%s", v->c_name, mention(d, v));
        return;
    }
    if (v->param && !v->stored) {
        const char *mentioned = mention(d, v);
        if (*mentioned)
            c_line(c, "%s", mentioned + 1);
        return;
    }
    const char *first = NULL;
    if (v->param)
        first = v->rep->keep ? c_text(c, "%s(given_%s)", v->rep->keep, v->c_name)
                             : c_text(c, "given_%s", v->c_name);
    c_line(c, "%s;%s", c_declaration(c, v->rep, v->c_name, first),
           v->rep->drop == NULL ? mention(d, v) : "");
}

static void declare_held(CEmit *c, const CFunction *f)
{
    if (f->held == NULL) {
        if (f->is_nested)
            c_line(c, "(void)self_function;");
        return;
    }
    c_line(c, "%s*held = (%s*)self_function->cells;", f->held->type, f->held->type);
    c_line(c, "(void)held;");
}

static bool holds_none(const Rep *r)
{
    bool found = r->kind == REP_NONE || r->kind == REP_OBJECT;
    for (size_t i = 0; r->kind == REP_UNION && i < r->count && !found; i++)
        found = holds_none(r->parts[i]);
    return found;
}

static bool returns(StmtList body);

// Whether a `return` of C stands on all ways through it, outside of any `try`.
static bool stmt_returns(const Stmt *s)
{
    for (; s->kind == STMT_IF && s->if_.orelse.len == 1; s = s->if_.orelse.at[0])
        if (!returns(s->if_.body))
            return false;
    if (s->kind == STMT_IF)
        return returns(s->if_.body) && returns(s->if_.orelse);
    bool all = s->kind == STMT_OFFER;
    for (size_t i = 0; all && i < s->offer.arms.len; i++)
        all = returns(s->offer.arms.at[i]->body);
    return all || s->kind == STMT_RETURN || s->kind == STMT_RAISE;
}

static bool returns(StmtList body)
{
    for (size_t i = 0; i < body.len && body.at[i]->kind != STMT_TRY; i++)
        if (stmt_returns(body.at[i]))
            return true;
    return false;
}

// Python gives None. Where that is no value of the type, the checker lets a function end only
// behind a `with` whose manager may keep an exception, and then it is an error here.
static void put_end(CEmit *c, const CFunction *f, bool left)
{
    if (!rep_passed(f->result) || (left && stmt_returns(c->left_by)))
        return;
    c->out->indent++;
    if (f->ends && !holds_none(f->result)) {
        c->line = c_line_of(c, (Span){f->def->at.end, f->def->at.end});
        c_line(c, "pychoral_not_narrowed((PychoralRef){&pychoral_type_none, &(PychoralNone){0}}, "
                  "%s);", f->result->row);
        c_check(c);
    }
    const char *none = rep_zero(c, f->result);
    if (!left && f->result->kind == REP_OBJECT)
        none = c_owned(c, c_convert(c, c_nothing(c), f->result, f->def->at));
    c_line(c, "return %s;", none);
    c->out->indent--;
}

static bool note_call(void *cx, const Expr *e)
{
    *(bool *)cx |= e->kind == EXPR_CALL;
    return true;
}

// Whether it may call a function, which may be itself by another name.
static bool calls(const Expr *e)
{
    bool found = false;
    IrWalker w = {.cx = &found, .expr = note_call};
    ir_walk_expr(&w, e);
    return found;
}

// Into a text of its own: how variables are declared depends on it.
static Buf body_of(CEmit *c, const CFunction *f)
{
    Buf body = buf_new(c->arena), *outer = c->out;
    c->out = &body;
    if (f->def != NULL) {
        bool left = c_block(c, f->def->function_def.body);
        put_end(c, f, left);
    } else {
        body.indent++;
        c->line = c_line_of(c, f->lambda->at);
        Value v = c_expr_as(c, f->lambda->lambda.body, f->result);
        if (rep_passed(f->result))
            c_line(c, "return %s;", c_owned(c, v));
        else
            (void)c_temp(c, v);
    }
    c->out = outer;
    return body;
}

static void print_function(CEmit *c, CFunction *f)
{
    c->function = f;
    c->home = c_home_of(c, f->def ? f->def->at : f->lambda->at);
    c->substitution = f->types != NULL ? f->types : f->owner ? f->owner->types : NULL;
    c->self = self_type(c, f->owner);
    c->temps = c->labels = 0;
    c->handled = NULL;
    c->finally = NULL;
    c->loop_depth = 0;
    if (f->def != NULL && c_yields(f->def))
        c->function = f = c_generator_body(c, f);
    c->fail = rep_passed(f->result) ? c_text(c, "return %s;", rep_zero(c, f->result)) : "return;";
    c_find_locals(c, f);
    int64_t most;
    bool cached = c_is_cached(c, f, &most);
    const char *outer = f->c_name, *inner = outer;
    if (cached)
        inner = f->c_name = c_unique(c, c_text(c, "%s_computed", outer));
    const char *head = header(c, f);
    f->c_name = outer;                          // what calls it asks for kept results, too
    buf_printf(&c->prototypes, "%s;\n", head);
    c_line(c, "%s\n%s\n{", c_own_line(c), head);
    Buf body = body_of(c, f);
    Declaring d = {c, c_words_read(c, buf_text(&body))};
    c->out->indent++;
    declare_held(c, f);
    for (size_t i = 0; i < f->order.len; i++)
        declare(&d, f->order.at[i]);
    for (size_t i = 0; i < f->order.len; i++)
        if (f->order.at[i]->param && !f->order.at[i]->held)
            c_note_value(c, f->order.at[i], true);
    if (f->def != NULL || calls(f->lambda->lambda.body))
        c_line(c, "if (PYCHORAL_TOO_DEEP()) %s", c->fail);
    c->out->indent--;
    buf_write(c->out, body.at, body.len);
    c_line(c, "}");
    if (cached)
        c_print_cached(c, f, inner, most);
    c->function = NULL;
    c->substitution = NULL;
}

void c_print_queue(CEmit *c)
{
    for (; c->printed < c->queue.len; c->printed++)
        print_function(c, c->queue.at[c->printed]);
}
