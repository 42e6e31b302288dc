// virtualize.c - one file: parse, walk, bind the names that are used, apply the edits, and look
// whether what came out is Python.

#include "compiler/virtualize/virtualize.h"

#include <string.h>

#include "compiler/virtualize/internal.h"
#include "parser.h"

enum { MAX_BRACKETS = 180 };        // CPython takes 200 inside one another

// ---- what the text is like ----

// A prefix that no name of the file begins with.
static const char *find_prefix(Virt *v)
{
    for (unsigned n = 1;; n++) {
        const char *prefix = n == 1 ? "_pc_" : virt_text(v, "_pc%u_", n);
        if (strstr(v->source->text.at, prefix) == NULL)
            return prefix;
    }
}

static unsigned deepest_brackets(TokenList tokens)
{
    unsigned depth = 0, deepest = 0;
    for (size_t i = 0; i < tokens.len; i++) {
        int kind = tokens.at[i].kind;
        if (kind == TOK_LPAR || kind == TOK_LSQB || kind == TOK_LBRACE
            || kind == TOK_FSTRING_LBRACE)
            depth++;
        else if (depth > 0 && (kind == TOK_RPAR || kind == TOK_RSQB || kind == TOK_RBRACE
                               || kind == TOK_FSTRING_RBRACE))
            depth--;
        if (depth > deepest)
            deepest = depth;
    }
    return deepest;
}

// Whether the file has the line that an earlier run wrote.
static bool is_virtualized(const Source *source)
{
    static const char start[] = "from pychoral.virtual";
    for (size_t i = 0; i < source->line_count; i++) {
        Text line = source_line(source, (uint32_t)i + 1);
        if (line.len < sizeof start || memcmp(line.at, start, sizeof start - 1) != 0)
            continue;
        const char *mark = strstr(line.at, " as _pc");
        if (mark != NULL && mark < line.at + line.len)
            return true;
    }
    return false;
}

// ---- the line that binds ----

static const char *import_list(Virt *v, bool hooks_too)
{
    const char *text = "";
    for (size_t i = 0; i < v->bound.len; i++) {
        const BoundName *b = &v->bound.at[i];
        bool of_overload = strcmp(b->kind, "hook") == 0 || strcmp(b->kind, "derived") == 0;
        if (!of_overload || hooks_too)
            text = virt_text(v, "%s%s%s as %s", text, *text ? ", " : "", b->name, b->bound);
    }
    return text;
}

static const char *hook_bindings(Virt *v)
{
    const char *text = "";
    for (size_t i = 0; i < v->bound.len; i++) {
        const BoundName *b = &v->bound.at[i];
        if (strcmp(b->kind, "hook") == 0 || strcmp(b->kind, "derived") == 0)
            text = virt_text(v, "%s; %s = %shook(%soverload, '%s')", text, b->bound, v->prefix,
                             v->prefix, b->name);
    }
    return text;
}

static const char *binding_line(Virt *v)
{
    const VirtualizeOptions *o = v->options;
    if (o->overload == NULL)
        return virt_text(v, "from %s import %s", o->module, import_list(v, true));
    const char *helpers = import_list(v, false);
    const char *from = *helpers ? virt_text(v, "; from %s import %s", o->module, helpers) : "";
    return virt_text(v, "from pychoral.virtual import hook as %shook; import %s as %soverload%s%s",
                     v->prefix, o->overload, v->prefix, from, hook_bindings(v));
}

static bool is_future(const Stmt *s)
{
    return s->kind == STMT_IMPORT_FROM && sym_is(s->import_from.module, "__future__");
}

// Behind docstring and `__future__` imports, on a line of its own.
static void bind_names(Virt *v, StmtList body)
{
    size_t i = 0;
    if (v->options->module == NULL || v->bound.len == 0)
        return;
    const Stmt *first = body.at[0];
    if (first->kind == STMT_EXPR && first->expr.value->kind == EXPR_CONSTANT
        && first->expr.value->constant.value->kind == CONST_STR)
        i++;
    while (i < body.len && is_future(body.at[i]))
        i++;
    Edits all = {0};
    uint32_t behind = i > 0 ? body.at[i - 1]->at.end : 0;
    bool shared = i > 0 && i < body.len && token_from(v, behind)->kind == TOK_SEMI;
    uint32_t at = shared ? behind : i > 0 ? virt_line_end(v, behind) : token_from(v, 0)->at.start;
    const char *line = virt_text(v, shared ? "; %s" : i > 0 ? "\n%s" : "%s\n", binding_line(v));
    vec_push(v->arena, &all, ((Edit){{at, at}, line}));
    for (size_t j = 0; j < v->edits.len; j++)
        vec_push(v->arena, &all, v->edits.at[j]);
    v->edits = all;
}

// ---- a file ----

static void drop_empty(Virt *v)
{
    size_t kept = 0;
    for (size_t i = 0; i < v->edits.len; i++)
        if (v->edits.at[i].at.end > v->edits.at[i].at.start || *v->edits.at[i].text != '\0')
            v->edits.at[kept++] = v->edits.at[i];
    v->edits.len = kept;
}

static bool is_sound(Virt *v, const Edited *e)
{
    if (e->text.at == NULL)
        return false;
    Diags *diags = diags_new(v->arena);
    const Source *out = source_new(v->arena, v->source->name, e->text);
    Text undone = edited_undo(v->arena, e, v->source->text);
    diags_set_source(diags, out);
    const Unit *unit = front_parse(v->arena, v->names, out, diags);
    if (diags_error_count(diags) == 0)
        scopes_new(v->arena, v->names, unit->module.body, diags);
    return diags_error_count(diags) == 0 && undone.len == v->source->text.len
           && memcmp(undone.at, v->source->text.at, undone.len) == 0;
}

static void walk(Virt *v, StmtList body)
{
    unsigned deepest = deepest_brackets(v->tokens);
    v->max_depth = deepest < MAX_BRACKETS ? MAX_BRACKETS - deepest : 0;
    v->w.quote = '\'';
    v->w.inactive = v->options->line != 0;
    find_off(v);
    find_unboxed(v, body);
    virt_module(v, body);
    bind_names(v, body);
    drop_empty(v);
}

static Virtualized result(Virt *v)
{
    Virtualized out = {.prefix = v->prefix, .names = v->bound.at, .name_count = v->bound.len,
                       .plain = v->plain.at, .plain_count = v->plain.len};
    memcpy(out.changed, v->changed, sizeof out.changed);
    return out;
}

Virtualized virtualize(Arena *a, Names *names, const Source *source,
                       const VirtualizeOptions *options, Diags *diags)
{
    Virt v = {.arena = a, .names = names, .source = source, .options = options,
              .facts = table_new(a), .bound_by_name = table_new(a), .entered = table_new(a),
              .boxed = table_new(a), .shown = table_new(a), .left = table_new(a),
              .kept = table_new(a)};
    const Unit *unit = front_parse(a, names, source, diags);
    if (diags_error_count(diags) > 0)
        return (Virtualized){.prefix = "_pc_"};
    StmtList body = unit->module.body;
    v.scopes = scopes_new(a, names, body, diags);
    if (diags_error_count(diags) > 0)
        return (Virtualized){.prefix = "_pc_"};
    v.tokens = front_tokens(a, names, source, diags);
    v.prefix = find_prefix(&v);
    bool already = is_virtualized(source);
    if (!already && body.len > 0)
        walk(&v, body);
    Virtualized out = result(&v);
    out.already = already;
    out.edited = edits_apply(a, source->text, &v.edits);
    if (v.edits.len > 0 && !is_sound(&v, &out.edited))
        diag_report(diags, (Span){0, 0}, DIAG_INTERNAL, "the virtualized text of `%s` is not valid "
                    "Python", source->name);
    return out;
}
