// name_mangling.c - writes out the private names in the bodies of classes, the innermost class
// first.

#include "compiler/pass/name_mangling.h"

#include <ctype.h>
#include <string.h>

#include "compiler/base/vec.h"

typedef struct Mangler { Names *names; const char *class_; } Mangler;

static bool is_private(Sym name)
{
    size_t len = name ? strlen(name) : 0;
    return len > 2 && memcmp(name, "__", 2) == 0 && strcmp(name + len - 2, "__") != 0
           && strchr(name, '.') == NULL;
}

static Sym mangled(IrMapper *m, Sym name)
{
    const Mangler *x = m->cx;
    return is_private(name) ? names_format(x->names, "_%s%s", x->class_, name) : name;
}

static SymList all_mangled(IrMapper *m, SymList list)
{
    Vec(Sym) out = {0};
    for (size_t i = 0; i < list.len; i++)
        vec_push(m->arena, &out, mangled(m, list.at[i]));
    return (SymList){out.at, out.len};
}

// ---- parameters ----

typedef struct Parameters { IrMapper *m; SymList names; } Parameters;

static SymList private_parameters(Arena *a, const Arguments *args)
{
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs,
                             {&args->vararg, args->vararg != NULL},
                             {&args->kwarg, args->kwarg != NULL}};
    Vec(Sym) found = {0};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t j = 0; j < lists[i].len; j++)
            if (is_private(lists[i].at[j]->arg))
                vec_push(a, &found, lists[i].at[j]->arg);
    return (SymList){found.at, found.len};
}

// The name that is mangled so already, if it is a parameter's.
static const Expr *restore_expr(IrMapper *m, const Expr *e)
{
    const Parameters *p = m->cx;
    for (size_t i = 0; e->kind == EXPR_NAME && i < p->names.len; i++)
        if (e->name.id == mangled(p->m, p->names.at[i]))
            return expr_name(m->arena, e->at, p->names.at[i], e->name.ctx);
    return e;
}

static IrMapper restoring(Parameters *p)
{
    return (IrMapper){.arena = p->m->arena, .cx = p, .expr = restore_expr};
}

static const Stmt *restore_function(IrMapper *m, const Stmt *s)
{
    Parameters p = {m, private_parameters(m->arena, s->function_def.args)};
    IrMapper restore = restoring(&p);
    if (p.names.len == 0)
        return s;
    return stmt_function_def(m->arena, s->at, s->function_def.name, s->function_def.args,
                             ir_map_stmts(&restore, s->function_def.body),
                             s->function_def.decorator_list, s->function_def.returns,
                             s->function_def.type_params);
}

static const Expr *restore_lambda(IrMapper *m, const Expr *e)
{
    Parameters p = {m, private_parameters(m->arena, e->lambda.args)};
    IrMapper restore = restoring(&p);
    return p.names.len == 0 ? e : expr_lambda(m->arena, e->at, e->lambda.args,
                                              ir_map_expr(&restore, e->lambda.body));
}

// ---- all other names ----

static const Expr *mangle_expr(IrMapper *m, const Expr *e)
{
    if (e->kind == EXPR_LAMBDA)
        return restore_lambda(m, e);
    if (e->kind == EXPR_NAME && is_private(e->name.id))
        return expr_name(m->arena, e->at, mangled(m, e->name.id), e->name.ctx);
    if (e->kind == EXPR_ATTRIBUTE && is_private(e->attribute.attr))
        return expr_attribute(m->arena, e->at, e->attribute.value, mangled(m, e->attribute.attr),
                              e->attribute.ctx);
    return e;
}

static const Keyword *mangle_keyword(IrMapper *m, const Keyword *k)
{
    return is_private(k->arg) ? keyword_new(m->arena, k->at, mangled(m, k->arg), k->value) : k;
}

static const Alias *mangle_alias(IrMapper *m, const Alias *alias)
{
    Sym bound = alias->asname ? alias->asname : alias->name;
    return is_private(bound) ? alias_new(m->arena, alias->at, alias->name, mangled(m, bound))
                             : alias;
}

static const Excepthandler *mangle_handler(IrMapper *m, const Excepthandler *h)
{
    return is_private(h->except_handler.name)
               ? excepthandler_except_handler(m->arena, h->at, h->except_handler.type,
                                              mangled(m, h->except_handler.name),
                                              h->except_handler.body)
               : h;
}

static const Pattern *mangle_pattern(IrMapper *m, const Pattern *p)
{
    switch (p->kind) {
    case PATTERN_MATCH_AS:
        return pattern_match_as(m->arena, p->at, p->match_as.pattern, mangled(m, p->match_as.name));
    case PATTERN_MATCH_STAR:
        return pattern_match_star(m->arena, p->at, mangled(m, p->match_star.name));
    case PATTERN_MATCH_MAPPING:
        return pattern_match_mapping(m->arena, p->at, p->match_mapping.keys,
                                     p->match_mapping.patterns,
                                     mangled(m, p->match_mapping.rest));
    case PATTERN_MATCH_CLASS:
        return pattern_match_class(m->arena, p->at, p->match_class.cls, p->match_class.patterns,
                                   all_mangled(m, p->match_class.kwd_attrs),
                                   p->match_class.kwd_patterns);
    case PATTERN_MATCH_VALUE: case PATTERN_MATCH_SINGLETON: case PATTERN_MATCH_SEQUENCE:
    case PATTERN_MATCH_OR: case PATTERN_COUNT:
        break;
    }
    return p;
}

static const Stmt *mangle_stmt(IrMapper *m, const Stmt *s)
{
    Arena *a = m->arena;
    if (s->kind == STMT_FUNCTION_DEF)
        s = restore_function(m, s);
    if (s->kind == STMT_FUNCTION_DEF && is_private(s->function_def.name))
        return stmt_function_def(a, s->at, mangled(m, s->function_def.name), s->function_def.args,
                                 s->function_def.body, s->function_def.decorator_list,
                                 s->function_def.returns, s->function_def.type_params);
    if (s->kind == STMT_CLASS_DEF && is_private(s->class_def.name))
        return stmt_class_def(a, s->at, mangled(m, s->class_def.name), s->class_def.bases,
                              s->class_def.keywords, s->class_def.body,
                              s->class_def.decorator_list, s->class_def.type_params);
    if (s->kind == STMT_GLOBAL)
        return stmt_global(a, s->at, all_mangled(m, s->global.names));
    if (s->kind == STMT_NONLOCAL)
        return stmt_nonlocal(a, s->at, all_mangled(m, s->nonlocal.names));
    return s;
}

// The classes in it are done already. A class whose name is all underscores keeps its names.
static const Stmt *in_class(IrMapper *m, const Stmt *s)
{
    if (s->kind != STMT_CLASS_DEF)
        return s;
    Mangler x = {m->cx, s->class_def.name + strspn(s->class_def.name, "_")};
    IrMapper inner = {.arena = m->arena, .cx = &x, .stmt = mangle_stmt, .expr = mangle_expr,
                      .keyword = mangle_keyword, .alias = mangle_alias,
                      .excepthandler = mangle_handler, .pattern = mangle_pattern};
    if (*x.class_ == '\0')
        return s;
    return stmt_class_def(m->arena, s->at, s->class_def.name, s->class_def.bases,
                          s->class_def.keywords, ir_map_stmts(&inner, s->class_def.body),
                          s->class_def.decorator_list, s->class_def.type_params);
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

// Whether any word of the text begins and does not end like a private name.
static bool mentions_any(Text text)
{
    const char *start = text.at, *end = text.at + text.len;
    for (const char *at = start; (at = strstr(at, "__")) != NULL;) {
        const char *word_end = at;
        while (word_end < end && in_word(*word_end))
            word_end++;
        if ((at == start || !in_word(at[-1])) && word_end > at + 2
            && memcmp(word_end - 2, "__", 2) != 0)
            return true;
        at = word_end;
    }
    return false;
}

const Unit *mangle_private_names(Arena *a, Names *names, const Source *source, const Unit *unit)
{
    IrMapper m = {.arena = a, .cx = names, .stmt = in_class};
    return unit && mentions_any(source->text) ? ir_map_unit(&m, unit) : unit;
}
