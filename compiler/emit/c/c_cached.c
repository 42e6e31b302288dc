// c_cached.c - functools.cache and lru_cache: a function before the one that is decorated, which
// asks a dict for the result first.

#include <stdlib.h>
#include <string.h>

#include "compiler/emit/c/c_internal.h"

enum { USUAL_MOST = 128 };      // of lru_cache

static bool is_of(CEmit *c, const Expr *decorator, const char *dotted)
{
    Sym name = c_dotted(c, decorator);
    return name != NULL && strcmp(name, dotted) == 0;
}

// lru_cache(maxsize=100), lru_cache(None)
static bool read_most(const Expr *call, int64_t *most)
{
    const Expr *given = call->call.args.len == 1 ? call->call.args.at[0] : NULL;
    if (call->call.args.len > 1 || call->call.keywords.len > (given == NULL))
        return false;
    if (call->call.keywords.len == 1) {
        const Keyword *k = call->call.keywords.at[0];
        given = k->arg != NULL && sym_is(k->arg, "maxsize") ? k->value : NULL;
        if (given == NULL)
            return false;
    }
    *most = USUAL_MOST;
    if (given == NULL)
        return true;
    const Const *value = given->kind == EXPR_CONSTANT ? given->constant.value : NULL;
    bool all = value != NULL && value->kind == CONST_NONE;
    bool some = value != NULL && value->kind == CONST_INT && value->text.len <= 9;
    *most = some ? atoll(value->text.at) : -1;
    return all || some;
}

bool c_is_cache(CEmit *c, const Expr *decorator, int64_t *most)
{
    *most = is_of(c, decorator, "functools.cache") ? -1 : USUAL_MOST;
    if (*most == -1 || is_of(c, decorator, "functools.lru_cache"))
        return true;
    return decorator->kind == EXPR_CALL && is_of(c, decorator->call.func, "functools.lru_cache")
           && read_most(decorator, most);
}

// A bool is another key than the int that it equals, where it is the only argument.
static bool has_keys(const CFunction *f)
{
    const Rep *only = f->params.len == 1 ? f->params.at[0] : NULL;
    if (only != NULL && (only->kind == REP_UNION || only->kind == REP_OBJECT))
        return false;
    for (size_t i = 0; i < f->params.len; i++)
        if (!rep_passed(f->params.at[i]))
            return false;
    return f->params.len > 0 && rep_passed(f->result);
}

bool c_is_cached(CEmit *c, const CFunction *f, int64_t *most)
{
    if (f->def == NULL || f->owner != NULL || f->is_nested)
        return false;
    ExprList list = f->def->function_def.decorator_list;
    if (list.len != 1 || !c_is_cache(c, list.at[0], most))
        return false;
    const Arguments *args = f->def->function_def.args;
    if (f->types != NULL || args->vararg != NULL || args->kwarg != NULL || c_yields(f->def)
        || !has_keys(f))
        (void)c_refuse(c, list.at[0]->at, "the C target does not support a cache of this function\n"
                       "cache a function whose parameters are hashable, without `*args`, "
                       "`**kwargs`, type parameters and `yield`");
    return true;
}

void c_print_cached(CEmit *c, const CFunction *f, const char *inner, int64_t most)
{
    const Rep *key = rep_tuple(c, f->params.at, f->params.len);
    const Rep *table = rep_dict(c, key, f->result);
    const char *cache = c_unique(c, c_text(c, "%s_results", f->c_name));
    const char *params = "", *args = "", *items = "";
    for (size_t i = 0; i < f->params.len; i++) {
        const char *comma = i ? ", " : "";
        params = c_text(c, "%s%s%sa%zu", params, comma, f->params.at[i]->type, i);
        args = c_text(c, "%s%sa%zu", args, comma, i);
        items = c_text(c, "%s%s.item%zu = a%zu", items, comma, i, i);
    }
    const char *head = c_text(c, "static %s%s(%s)", f->result->type, f->c_name, params);
    buf_printf(&c->prototypes, "%s;\n", head);
    c_line(c, "static PychoralTable *%s;\n%s\n{", cache, head);
    c->out->indent++;
    if (f->params.len == 1 && f->params.at[0]->kind == REP_INT)
        c_line(c, "if (pychoral_int_is_bool(a0)) return %s(a0);", inner);
    c_line(c, "const %skey = {%s};\n%sresult = %s;", key->type, items, f->result->type,
           rep_zero(c, f->result));
    c_line(c, "if (pychoral_cache_find(&%s, %s, &key, &result) || pychoral_raised != NULL)\n"
           "    return result;", cache, table->row);
    c_line(c, "result = %s(%s);\nif (pychoral_raised == NULL)\n"
           "    pychoral_cache_put(%s, %lld, &key, &result);\nreturn result;", inner, args, cache,
           (long long)most);
    c->out->indent--;
    c_line(c, "}");
}
