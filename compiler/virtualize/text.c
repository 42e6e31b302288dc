// text.c - edits, places of tokens, and the names that emitted text needs.

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "compiler/virtualize/internal.h"
#include "parser.h"

// ---- edits ----

const char *virt_text(Virt *v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vformat(v->arena, format, args);
    va_end(args);
    return text;
}

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

// Text that would go on with a word in front of it stands apart: `return(a) + b`.
static void put_edit(Virt *v, Span at, const char *text)
{
    if (at.start > 0 && is_of_name(v->source->text.at[at.start - 1]) && is_of_name(*text))
        text = virt_text(v, " %s", text);
    vec_push(v->arena, &v->edits, ((Edit){at, text}));
}

void virt_put(Virt *v, uint32_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_edit(v, (Span){at, at}, arena_vformat(v->arena, format, args));
    va_end(args);
}

void virt_replace(Virt *v, Span at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_edit(v, at, arena_vformat(v->arena, format, args));
    va_end(args);
}

// ---- tokens ----

const Token *token_from(const Virt *v, uint32_t at)
{
    size_t low = 0, high = v->tokens.len - 1;       // the end of the file is always there
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (v->tokens.at[middle].at.start < at)
            low = middle + 1;
        else
            high = middle;
    }
    return &v->tokens.at[low];
}

const Token *token_past_parens(const Virt *v, uint32_t at)
{
    const Token *t = token_from(v, at);
    while (t->kind == TOK_RPAR)
        t++;
    return t;
}

const Token *token_of_kind(const Virt *v, uint32_t at, int kind)
{
    const Token *t = token_from(v, at);
    while (t->kind != kind && t->kind != TOK_END)
        t++;
    return t;
}

const Token *token_before(const Virt *v, uint32_t at) { return token_from(v, at) - 1; }

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

Span token_with_blanks(const Virt *v, const Token *t)
{
    Span at = t->at;
    while (at.start > 0 && is_blank(v->source->text.at[at.start - 1]))
        at.start--;
    while (is_blank(v->source->text.at[at.end]))
        at.end++;
    return at;
}

// ---- lines ----

static bool ends_line(char c) { return c == '\n' || c == '\r' || c == '\0'; }

uint32_t virt_line_end(const Virt *v, uint32_t at)
{
    const Token *t = token_from(v, at);
    while (t->kind != TOK_NEWLINE && t->kind != TOK_END)
        t++;
    uint32_t end = t->at.start;
    if (t->kind == TOK_END && end > at)
        end = token_before(v, t->at.start)->at.end;
    while (!ends_line(v->source->text.at[end]))
        end++;
    return end;
}

static uint32_t line_start(const Virt *v, uint32_t at)
{
    while (at > 0 && !ends_line(v->source->text.at[at - 1]))
        at--;
    return at;
}

// Not where the line before ends with a backslash: the depth is then that of an earlier line.
bool virt_starts_line(const Virt *v, uint32_t at)
{
    const char *text = v->source->text.at;
    uint32_t start = line_start(v, at), end = start;
    for (uint32_t i = start; i < at; i++)
        if (!is_blank(text[i]) && text[i] != '\f')
            return false;
    if (end > 1 && text[end - 1] == '\n' && text[end - 2] == '\r')
        end--;
    return end < 2 || text[end - 2] != '\\';
}

const char *virt_indent(Virt *v, uint32_t at)
{
    uint32_t start = line_start(v, at);
    return virt_text(v, "%.*s%*s", (int)(at - start), v->source->text.at + start,
                     (int)v->w.indented, "");
}

static bool is_margin(int kind)
{
    return kind == TOK_NEWLINE || kind == TOK_INDENT || kind == TOK_DEDENT;
}

// Only lines that begin a statement: others may begin inside a string.
void virt_indent_lines(Virt *v, uint32_t from, uint32_t to)
{
    for (const Token *t = token_from(v, from); t->at.start < to && t->kind != TOK_END; t++)
        if (!is_margin(t->kind) && is_margin(t[-1].kind))
            virt_put(v, t->at.start, " ");
}

Suite suite_behind(Virt *v, const Token *colon)
{
    const Token *first = colon + 1;
    bool block = first->kind == TOK_NEWLINE;
    if (block)
        first++;
    return (Suite){first->at.start, block, block ? virt_indent(v, first->at.start) : NULL};
}

void suite_put(Virt *v, const Suite *s, const char *statements)
{
    if (*statements == '\0')
        return;
    if (s->block)
        virt_put(v, s->first, "%s\n%s", statements, s->indent);
    else
        virt_put(v, s->first, "%s; ", statements);
}

// ---- names ----

static const char *use(Virt *v, const char *bound, const char *kind, const char *name)
{
    Sym key = names_get(v->names, bound);
    if (table_get(v->bound_by_name, key) == NULL) {
        table_set(v->bound_by_name, key, (void *)key);
        vec_push(v->arena, &v->bound, ((BoundName){key, kind, names_get(v->names, name)}));
    }
    return key;
}

const char *use_hook(Virt *v, HookId id, HookForm form)
{
    static const char *const endings[FORM_COUNT] = {"", "_gen", "_async"};
    const char *name = virt_text(v, "%s%s", hook_name(id), endings[form]);
    return use(v, virt_text(v, "%s%s", v->prefix, name), "hook", name);
}

const char *use_default(Virt *v, HookId id)
{
    if (v->options->hooks.on[id][FORM_PLAIN])
        return use_hook(v, id, FORM_PLAIN);
    return use(v, virt_text(v, "%spy_%s", v->prefix, hook_name(id)), "default", hook_name(id));
}

const char *use_derived(Virt *v, const char *name)
{
    return use(v, virt_text(v, "%s%s", v->prefix, name), "derived", name);
}

const char *use_helper(Virt *v, const char *name)
{
    return use(v, virt_text(v, "%s%s", v->prefix, name), "helper", name);
}

const char *quoted(Virt *v, const char *name)
{
    return virt_text(v, "%c%s%c", v->w.quote, name, v->w.quote);
}

Sym mangled(Virt *v, Sym name)
{
    return scopes_mangle(v->names, v->w.frame->block->class_, name);
}

// ---- what is done, and what is not ----

void note_changed(Virt *v, HookId id) { v->changed[id]++; }

void note_plain(Virt *v, Span at, HookId id, const char *why)
{
    vec_push(v->arena, &v->plain, ((PlainSite){.at = at, .hook = id, .why = why}));
}

bool wants(const Virt *v, HookId id)
{
    return !v->w.inactive && v->options->hooks.on[id][FORM_PLAIN];
}

bool deep_enough(const Virt *v, unsigned more) { return v->w.depth + more > v->max_depth; }

// ---- regions that are switched off ----

static bool is_comment(const Virt *v, uint32_t start, uint32_t end, const char *text)
{
    const char *line = v->source->text.at + start;
    size_t len = end - start;
    while (len > 0 && is_blank(*line)) {
        line++;
        len--;
    }
    while (len > 0 && (is_blank(line[len - 1]) || ends_line(line[len - 1])))
        len--;
    return len == strlen(text) && memcmp(line, text, len) == 0;
}

static bool in_token(const Virt *v, uint32_t at)
{
    const Token *t = token_from(v, at);
    return t > v->tokens.at && t[-1].at.end > at;
}

void find_off(Virt *v)
{
    const Source *s = v->source;
    uint32_t since = UINT32_MAX;
    if (strstr(s->text.at, "pychoralc: off") == NULL)
        return;
    for (size_t i = 0; i < s->line_count; i++) {
        uint32_t start = s->lines[i];
        uint32_t end = i + 1 < s->line_count ? s->lines[i + 1] : (uint32_t)s->text.len;
        if (in_token(v, start))
            continue;
        if (since == UINT32_MAX && is_comment(v, start, end, "# pychoralc: off"))
            since = start;
        else if (since != UINT32_MAX && is_comment(v, start, end, "# pychoralc: on")) {
            vec_push(v->arena, &v->off, ((Span){since, start}));
            since = UINT32_MAX;
        }
    }
    if (since != UINT32_MAX)
        vec_push(v->arena, &v->off, ((Span){since, (uint32_t)s->text.len}));
}

bool is_off(const Virt *v, Span at)
{
    for (size_t i = 0; i < v->off.len; i++)
        if (at.start < v->off.at[i].end && v->off.at[i].start < at.end)
            return true;
    return false;
}
