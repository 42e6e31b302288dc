// c_option.c - options: how they are read, and what the command line leaves out: defaults, also of
// fields of dataclasses, which are given as dicts (runtime/c/builtins/parameter.c,
// literal_to_value.c).
//
// Python calls the class with the dict's items, so C needs to know of a class what its constructor
// does besides: a function for each field's default, and one that runs `__post_init__`.

#include <string.h>

#include "compiler/emit/c/c_call.h"
#include "compiler/emit/python.h"

// ---- functions ----

// Opens a function `void NAME(void *result)`, which is written behind all others.
typedef struct Maker { Buf text, *outer; const char *name, *fail; } Maker;

static void maker_begin(CEmit *c, Maker *m, const char *name, Span at)
{
    *m = (Maker){.text = buf_new(c->arena), .outer = c->out, .name = name, .fail = c->fail};
    c->out = &m->text;
    c_line(c, "\nstatic void %s(void *result)\n{", name);
    c->out->indent++;
    c->line = c_line_of(c, at);
    c->fail = "return;";
}

static const char *maker_end(CEmit *c, Maker *m)
{
    c->out->indent--;
    c_line(c, "}");
    c->out = m->outer;
    c->fail = m->fail;
    buf_printf(&c->prototypes, "static void %s(void *result);\n", m->name);
    buf_write(&c->entries, m->text.at, m->text.len);
    return m->name;
}

// What is no constant may use what the module's code makes.
static void put_load(CEmit *c)
{
    c->needs_load = true;
    c_line(c, "load();\nif (pychoral_raised != NULL) return;");
}

static const char *option_default(CEmit *c, Sym name, const Rep *rep, const Expr *value)
{
    Maker m;
    maker_begin(c, &m, c_unique(c, c_text(c, "default_%s", name)), value->at);
    if (!c_is_constant(value))
        put_load(c);
    Value v = c_option_default(c, value, rep);
    c_line(c, "*(%s*)result = %s;", rep->type, c_owned(c, v));
    return maker_end(c, &m);
}

const char *c_field_maker(CEmit *c, const CClass *k, const CField *f)
{
    Maker m;
    maker_begin(c, &m, c_unique(c, c_text(c, "default_%s_%s", k->c_name, f->name)), k->def->at);
    bool written = f->constant == NULL && f->value != NULL && !f->factory;
    if (!f->attribute && (!written || !c_is_constant(f->value)))
        put_load(c);
    Value v = c_field_default(c, f, k->def->at);
    if (rep_passed(f->rep))
        c_line(c, "*(%s*)result = %s;", f->rep->type, c_owned(c, v));
    return maker_end(c, &m);
}

static const char *completion(CEmit *c, CClass *k, CMethod *after)
{
    const Rep *rep = rep_class(c, k);
    Maker m;
    maker_begin(c, &m, c_unique(c, c_text(c, "complete_%s", k->c_name)), k->def->at);
    Value object = {.rep = rep, .text = c_text(c, "(*(%s*)result)", rep->type), .lasting = true,
                    .hold = HOLD_BORROWED};
    put_load(c);
    (void)c_user_call(c, k->def->at, after, &object, (ExprList){0}, (KeywordList){0}, NULL);
    return maker_end(c, &m);
}

// ---- types that say more than C's do ----

typedef struct Vague { CEmit *c; Span at; const char *what; } Vague;

static bool see_vague(void *cx, const Ty *t)
{
    Vague *v = cx;
    bool named = t->kind == TY_NAMED && !sym_is(t->named.name, "object");
    bool open = named && rep_of(v->c, t, v->at)->kind == REP_OBJECT;
    if (v->what == NULL && (t->kind == TY_LITERAL || open))
        v->what = open ? t->named.name : "Literal";
    return v->what == NULL;
}

// A `Sequence` or a `Literal` is any value in C, and nobody would look at what is given.
static void refuse_vague(CEmit *c, const Ty *t, Span at)
{
    Vague v = {c, at, NULL};
    IrWalker w = {.cx = &v, .ty = see_vague};
    ir_walk_ty(&w, t);
    if (v.what != NULL)
        (void)c_refuse(c, at, "the C target does not support a command-line option whose type "
                       "contains `%s`\ndeclare a type such as `str`, `list[int]` or "
                       "`dict[str, int]`", v.what);
}

static bool is_word(const Ty *t)
{
    return t->kind == TY_LITERAL && t->literal.value->kind == CONST_STR;
}

typedef struct Row { const char *type, *row; } Row;

static Row row_of(CEmit *c, const Arg *arg, const Rep *rep)
{
    const Ty *t = c_annotation(c, arg->annotation);
    TyList words = t->kind == TY_UNION ? t->union_.items : (TyList){&t, 1};
    size_t n = 0;
    while (n < words.len && is_word(words.at[n]))
        n++;
    if (n == words.len) {
        const Rep *r = rep_of_literals(c, words, arg->at);
        return (Row){c_literal(c, (Text){r->key, strlen(r->key)}), r->row};
    }
    refuse_vague(c, t, arg->at);
    Buf type = buf_new(c->arena);
    emit_python_expr(&type, arg->annotation);
    return (Row){c_literal(c, (Text){buf_text(&type), type.len}), rep->row};
}

// ---- dataclasses ----

static void make_class(CEmit *c, CClass *k, Table *seen, Span at);

// Of all that a value of this type may hold.
static void make_parts(CEmit *c, const Rep *rep, Table *seen, Span at)
{
    if (rep == NULL || table_get(seen, rep) != NULL || rep->kind == REP_FUNCTION)
        return;
    table_set(seen, rep, seen);
    make_parts(c, rep->element, seen, at);
    make_parts(c, rep->key_rep, seen, at);
    for (size_t i = 0; i < rep->count; i++)
        make_parts(c, rep->parts[i], seen, at);
    if (rep->kind == REP_CLASS && rep->class_->def != NULL)
        make_class(c, rep->class_, seen, at);
}

static void make_class(CEmit *c, CClass *k, Table *seen, Span at)
{
    if (!k->is_record)
        return;
    if (c_find_method(k, names_get(c->names, "__init__")) != NULL) {
        (void)c_refuse(c, at, "the C target cannot create `%s` from a command-line option because "
                       "the class defines its own `__init__`", k->name);
        return;
    }
    for (size_t i = 0; i < k->fields.len; i++) {
        CField *f = &k->fields.at[i];
        if (f->no_init)
            (void)c_refuse(c, at, "the C target cannot create `%s` from a command-line option "
                           "because its field `%s` is not an argument of the constructor", k->name,
                           f->name);
        else if (f->maker == NULL && !f->attribute && (f->value != NULL || f->constant != NULL))
            f->maker = c_field_maker(c, k, f);
        if (f->ty != NULL && !f->attribute)
            refuse_vague(c, c_ty(c, f->ty), at);
        make_parts(c, f->rep, seen, at);
    }
    CMethod *after = c_find_method(k, names_get(c->names, "__post_init__"));
    if (after != NULL && k->completion == NULL)
        k->completion = completion(c, k, after);
}

// The column of the other roles that must be given the same; nothing without any.
static const char *agreed_column(CEmit *c, SymList others)
{
    const char *all = "";
    for (size_t i = 0; i < others.len; i++)
        all = c_text(c, "%s\"%s\", ", all, others.at[i]);
    return others.len == 0 ? ""
        : c_text(c, ",\n     .agreed = (const char *const[]){%sNULL}", all);
}

void c_option(CEmit *c, Buf *rows, const Arg *arg, Sym name, SymList others, const Rep *rep,
              const Expr *otherwise)
{
    Row row = row_of(c, arg, rep);
    const char *make = otherwise != NULL
        ? c_text(c, ", .make_default = %s", option_default(c, name, rep, otherwise)) : "";
    make_parts(c, rep, table_new(c->arena), arg->at);
    buf_printf(rows, "    {.name = \"%s\", .type = %s, .row = %s%s%s},\n", name, row.type, row.row,
               make, agreed_column(c, others));
}
