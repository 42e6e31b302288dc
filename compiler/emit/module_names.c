// module_names.c - the names of other modules in generated text.
//
// Qualified names (base/qualified.h) are cut in the finished text: the qualifier stands nowhere but
// in names, whatever the text around it is - code, types that a receive expects, annotations.

#include "compiler/emit/module_text.h"

#include <ctype.h>
#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "compiler/emit/line_table.h"

// A module that a text names, and what the text calls it.
typedef struct Used { Sym module, alias; } Used;

typedef struct Cutter {
    Arena *arena;
    Names *names;
    Sym    own;                 // NULL: nothing is ours
    Vec(Used) used;
    Table *words;               // Sym -> itself: every word that is no module's name
} Cutter;

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static size_t word_end(const char *text, size_t at)
{
    while (in_word(text[at]))
        at++;
    return at;
}

// The module of a word, or NULL.
static Sym module_of(const Cutter *c, const char *word, size_t len)
{
    size_t mark = strlen(QUALIFIER);
    for (size_t i = 0; i + mark <= len; i++)
        if (memcmp(word + i, QUALIFIER, mark) == 0)
            return names_intern(c->names, word, i);
    return NULL;
}

static void note_module(Cutter *c, Sym module)
{
    if (module == c->own)
        return;
    for (size_t i = 0; i < c->used.len; i++)
        if (c->used.at[i].module == module)
            return;
    Used use = {module, module};
    vec_push(c->arena, &c->used, use);
}

static void read_words(Cutter *c, const char *text)
{
    for (size_t i = 0, end; text[i]; i = end) {
        end = word_end(text, i);
        if (end == i) {
            end++;
            continue;
        }
        Sym module = module_of(c, text + i, end - i);
        Sym word = names_intern(c->names, text + i, end - i);
        if (module)
            note_module(c, module);
        if (module == NULL || module == c->own)
            table_set(c->words, module ? unqualified(word) : word, c);
    }
}

// Of what comes before the code only imports bind names; the rest is a comment and the docstring.
static void read_imports(Cutter *c, Buf *head)
{
    const char *text = buf_text(head);
    while (*text) {
        size_t len = strcspn(text, "\n");
        if (strncmp(text, "import ", 7) == 0 || strncmp(text, "from ", 5) == 0)
            read_words(c, arena_strndup(c->arena, text, len));
        text += len + (text[len] == '\n');
    }
}

static void choose_aliases(Cutter *c)
{
    for (size_t i = 0; i < c->used.len; i++)
        while (table_get(c->words, names_get(c->names, c->used.at[i].alias)))
            c->used.at[i].alias = names_format(c->names, "%s_", c->used.at[i].alias);
}

static Sym alias_of(const Cutter *c, Sym module)
{
    for (size_t i = 0; i < c->used.len; i++)
        if (c->used.at[i].module == module)
            return c->used.at[i].alias;
    return module;
}

static void cut(const Cutter *c, Buf *b, const char *text)
{
    for (size_t i = 0, end; text[i]; i = end) {
        end = word_end(text, i);
        Sym module = module_of(c, text + i, end - i);
        size_t skip = module ? strlen(module) + strlen(QUALIFIER) : 0;
        if (module && module != c->own) {
            buf_puts(b, alias_of(c, module));
            buf_putc(b, '.');
        }
        if (end == i)
            buf_raw(b, text + end++, 1);
        else
            buf_raw(b, text + i + skip, end - i - skip);
    }
}

static void import_modules(const Cutter *c, Buf *b)
{
    if (c->used.len > 0)
        buf_putc(b, '\n');
    for (size_t i = 0; i < c->used.len; i++) {
        buf_printf(b, "import %s", c->used.at[i].module);
        if (c->used.at[i].alias != c->used.at[i].module)
            buf_printf(b, " as %s", c->used.at[i].alias);
        buf_putc(b, '\n');
    }
}

static size_t rank(SymList order, Sym module)
{
    size_t i = 0;
    while (i < order.len && order.at[i] != module)
        i++;
    return i;
}

// Modules load in the order in which they are imported.
static void sort_modules(Cutter *c, SymList order)
{
    for (size_t i = 1; i < c->used.len; i++)
        for (size_t j = i; j > 0 && rank(order, c->used.at[j].module)
                                    < rank(order, c->used.at[j - 1].module); j--) {
            Used later = c->used.at[j];
            c->used.at[j] = c->used.at[j - 1];
            c->used.at[j - 1] = later;
        }
}

static bool has_qualified(Buf *b) { return b && strstr(buf_text(b), QUALIFIER) != NULL; }

static void put(Buf *b, Buf *part)
{
    if (part)
        buf_raw(b, buf_text(part), part->len);
}

static size_t line_count(Buf *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->len; i++)
        n += b->at[i] == '\n';
    return n;
}

static void put_lines(Buf *b, const ModuleParts *parts, size_t before)
{
    if (parts->lines != NULL)
        line_table_print(b, parts->lines, parts->body, before);
}

void module_finish(Buf *b, Arena *a, Names *names, ModuleParts parts, Sym own)
{
    Cutter c = {.arena = a, .names = names, .own = own, .words = table_new(a)};
    if (!has_qualified(parts.head) && !has_qualified(parts.body) && !has_qualified(parts.tail)
        && parts.loads.len == 0) {
        put(b, parts.head);
        size_t before = line_count(b);
        put(b, parts.body);
        put(b, parts.plain);
        put(b, parts.tail);
        put_lines(b, &parts, before);
        return;
    }
    read_imports(&c, parts.head);
    read_words(&c, buf_text(parts.body));
    if (parts.tail)
        read_words(&c, buf_text(parts.tail));
    for (size_t i = 0; i < parts.loads.len; i++)
        note_module(&c, parts.loads.at[i]);
    sort_modules(&c, parts.order);
    choose_aliases(&c);
    cut(&c, b, buf_text(parts.head));
    import_modules(&c, b);
    size_t before = line_count(b);
    cut(&c, b, buf_text(parts.body));
    put(b, parts.plain);
    if (parts.tail)
        cut(&c, b, buf_text(parts.tail));
    put_lines(b, &parts, before);
}

// ---- all in one text ----

// The qualified names of a text, each with what it becomes.
typedef struct Merger {
    Cutter cutter;
    Vec(Sym) order;
    Table *seen, *owners;       // qualified -> itself; bare name -> the first qualified one
    Table *shared;              // bare names that several modules have
} Merger;

static void note_qualified(Merger *m, Sym word)
{
    Sym bare = names_get(m->cutter.names, unqualified(word));
    Sym owner = table_get(m->owners, bare);
    if (table_get(m->seen, word))
        return;
    table_set(m->seen, word, m);
    vec_push(m->cutter.arena, &m->order, word);
    if (owner && owner != word)
        table_set(m->shared, bare, m);
    table_set(m->owners, bare, (void *)word);
}

static void find_qualified(Merger *m, const char *text)
{
    for (size_t i = 0, end; text[i]; i = end > i ? end : i + 1) {
        end = word_end(text, i);
        if (end > i && module_of(&m->cutter, text + i, end - i))
            note_qualified(m, names_intern(m->cutter.names, text + i, end - i));
    }
}

// What no other word of the text is: `name`, else `lib_name`.
static Sym merged_name(Merger *m, Sym word)
{
    Cutter *c = &m->cutter;
    Sym bare = names_get(c->names, unqualified(word)), name = bare;
    if (table_get(m->shared, bare) || table_get(c->words, bare)) {
        name = names_format(c->names, "%s_%s", module_of(c, word, strlen(word)), bare);
        while (table_get(c->words, name))
            name = names_format(c->names, "%s_", name);
    }
    table_set(c->words, name, m);
    return name;
}

static bool is_class(const char *text, Sym word)
{
    size_t len = strlen(word);
    for (const char *at = text; (at = strstr(at, "class ")) != NULL; at += 6)
        if ((at == text || at[-1] == '\n') && strncmp(at + 6, word, len) == 0
            && !in_word(at[6 + len]))
            return true;
    return false;
}

// A type variable says its own name: `lib_T = TypeVar("lib_T")`. Gives how much of `rest`, the text
// after the name, has been written with it.
static size_t write_name(Buf *b, const char *rest, const char *bare, const char *name)
{
    static const char *const makers[] = {" = TypeVar(\"", " = ParamSpec(\"", " = NewType(\""};
    size_t len = strlen(bare);
    buf_puts(b, name);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        size_t skip = strlen(makers[i]);
        if (strncmp(rest, makers[i], skip) != 0 || strncmp(rest + skip, bare, len) != 0
            || rest[skip + len] != '"')
            continue;
        buf_printf(b, "%s%s", makers[i], name);
        return skip + len;
    }
    return 0;
}

static void write_merged(Merger *m, Buf *b, const char *text, const Table *new_names)
{
    for (size_t i = 0, end; text[i]; i = end) {
        end = word_end(text, i);
        Sym word = end > i ? names_intern(m->cutter.names, text + i, end - i) : NULL;
        const char *name = word ? table_get(new_names, word) : NULL;
        if (word == NULL)
            buf_raw(b, text + end++, 1);
        else if (name)
            end += write_name(b, text + end, unqualified(word), name);
        else
            buf_raw(b, text + i, end - i);
    }
}

void module_merge(Buf *b, Arena *a, Names *names, Buf *text, Buf *renamed)
{
    Merger m = {.cutter = {.arena = a, .names = names, .words = table_new(a)},
                .seen = table_new(a), .owners = table_new(a), .shared = table_new(a)};
    Table *new_names = table_new(a);
    if (strstr(buf_text(text), QUALIFIER) == NULL) {
        buf_raw(b, buf_text(text), text->len);
        return;
    }
    read_words(&m.cutter, buf_text(text));
    find_qualified(&m, buf_text(text));
    for (size_t i = 0; i < m.order.len; i++) {
        Sym word = m.order.at[i], name = merged_name(&m, word);
        const char *bare = unqualified(word);
        table_set(new_names, word, (void *)name);
        if (strcmp(bare, name) != 0 && is_class(buf_text(text), word))
            buf_printf(renamed, "%s.__name__ = %s.__qualname__ = \"%s\"\n", name, name, bare);
    }
    write_merged(&m, b, buf_text(text), new_names);
}

// ---- imports ----

static AliasList plain_aliases(Arena *a, AliasList list)
{
    const Alias **at = ARENA_ARRAY(a, const Alias *, list.len + 1);
    for (size_t i = 0; i < list.len; i++) {
        const Alias *alias = list.at[i];
        bool same = alias->asname && strcmp(unqualified(alias->asname), alias->name) == 0;
        at[i] = same ? alias_new(a, alias->at, alias->name, NULL) : alias;
    }
    return (AliasList){at, list.len};
}

StmtList module_plain_imports(Arena *a, StmtList body)
{
    const Stmt **out = ARENA_ARRAY(a, const Stmt *, body.len + 1);
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_IMPORT)
            s = stmt_import(a, s->at, plain_aliases(a, s->import.names));
        else if (s->kind == STMT_IMPORT_FROM)
            s = stmt_import_from(a, s->at, s->import_from.module,
                                 plain_aliases(a, s->import_from.names), s->import_from.level);
        out[i] = s;
    }
    return (StmtList){out, body.len};
}
