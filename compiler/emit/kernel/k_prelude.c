// k_prelude.c - which parts of kernel/prelude/ a text needs, and in which order.
//
// A part is what stands between two blank lines. It is known by what it defines: by the names after
// `// for` in its first line, or by the last name in front of its first `(`, `=`, `;`, `[` or `{`.
// A text needs the parts whose names are in it, and what those need. A line that ends with
// `//? NAMES` is there only if one of these parts is needed anyway. The parts whose names begin
// with `List` are written once for each type of list.

#include <ctype.h>

#include "compiler/emit/kernel/k_internal.h"

typedef struct PreludeFile { const char *name, *text; } PreludeFile;
static const PreludeFile FILES[] = {
#include "kernel_prelude.inc"
};

typedef struct Part {
    Text text;
    bool include;               // a line of the preprocessor: in front of all
} Part;

// A part as it is needed: of a type of list, or of none.
typedef struct Need {
    const Part  *part;
    const KType *list;
    bool         printed;
} Need;

typedef struct Prelude {
    Kernel *k;
    Table  *parts;              // Sym -> Part *
    Table  *needs;              // Sym -> Need *
    Vec(Need *) all;
    bool    changed;
    Buf    *includes, *b;
} Prelude;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The next name in a text, from `*at` on; len 0: there is none. Comments and literals do not count.
static Text next_name(const char **at, const char *end)
{
    const char *p = *at;
    while (p < end && !(isalpha((unsigned char)*p) || *p == '_')) {
        if (*p == '"') {
            for (p++; p < end && *p != '"'; p++)
                p += *p == '\\';
            p++;
        } else if (p + 1 < end && p[0] == '/' && p[1] == '/') {
            while (p < end && *p != '\n')
                p++;
        } else if (isdigit((unsigned char)*p)) {
            while (p < end && is_word(*p))
                p++;
        } else {
            p++;
        }
    }
    if (p >= end)
        return (Text){end, 0};
    const char *start = p;
    while (p < end && is_word(*p))
        p++;
    *at = p;
    return (Text){start, (size_t)(p - start)};
}

static Text defined_name(Text part)
{
    const char *at = part.at, *end = part.at + part.len;
    Text name = {at, 0}, next;
    while ((next = next_name(&at, end)).len > 0) {
        name = next;
        while (at < end && *at == ' ')
            at++;
        bool attribute = name.len == 13 && memcmp(name.at, "__attribute__", 13) == 0;
        if (at < end && strchr("(=;[", *at) && !attribute)
            return name;
        bool keyword = name.len == 4 && memcmp(name.at, "enum", 4) == 0;
        if (at < end && *at == '{' && !keyword)
            return name;                // `typedef struct Name {`
    }
    return name;
}

static void add_part(Kernel *k, Table *parts, Text text)
{
    Part *part = ARENA_NEW(k->arena, Part);
    const char *line = memchr(text.at, '\n', text.len);
    *part = (Part){.text = text};
    if (strncmp(text.at, "// for ", 7) != 0) {
        Text name = defined_name(text);
        table_set(parts, names_intern(k->names, name.at, name.len), part);
        return;
    }
    part->text = (Text){line + 1, text.len - (size_t)(line + 1 - text.at)};
    part->include = strncmp(part->text.at, "#include", 8) == 0;
    const char *at = text.at + 7;
    for (Text name; (name = next_name(&at, line)).len > 0;)
        table_set(parts, names_intern(k->names, name.at, name.len), part);
}

static Table *read_parts(Kernel *k)
{
    Table *parts = table_new(k->arena);
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++)
        for (const char *at = FILES[i].text; *at != '\0';) {
            const char *end = strstr(at, "\n\n");
            size_t len = end ? (size_t)(end - at) : strlen(at) - 1;
            add_part(k, parts, (Text){at, len});
            at += len + (end ? 2 : 1);
        }
    return parts;
}

// `ListFloat_append` is `List_append` of that list.
static const KType *list_of_name(const Kernel *k, Text name, size_t *stem)
{
    for (size_t i = 0; i < k->all_types.len; i++) {
        const KType *t = k->all_types.at[i];
        *stem = strlen(t->name);
        if (t->kind == K_LIST && name.len > *stem && name.at[*stem] == '_'
            && memcmp(name.at, t->name, *stem) == 0)
            return t;
    }
    return NULL;
}

static Need *need_of(Prelude *p, Text name)
{
    Sym key = names_intern(p->k->names, name.at, name.len);
    Need *known = table_get(p->needs, key);
    Part *part = table_get(p->parts, key);
    size_t stem = 0;
    const KType *list = known || part ? NULL : list_of_name(p->k, name, &stem);
    if (list != NULL)
        part = table_get(p->parts, names_format(p->k->names, "List%.*s", (int)(name.len - stem),
                                                name.at + stem));
    if (known != NULL || part == NULL)
        return known;
    for (size_t i = 0; i < p->all.len; i++)
        if (p->all.at[i]->part == part && p->all.at[i]->list == list)
            return p->all.at[i];
    Need *n = ARENA_NEW(p->k->arena, Need);
    *n = (Need){.part = part, .list = list};
    table_set(p->needs, key, n);
    vec_push(p->k->arena, &p->all, n);
    p->changed = true;
    return n;
}

// One of these names is needed.
static bool is_needed(Prelude *p, Text names)
{
    const char *at = names.at, *end = at + names.len;
    for (Text name; (name = next_name(&at, end)).len > 0;)
        if (table_get(p->needs, names_intern(p->k->names, name.at, name.len)) != NULL)
            return true;
    return false;
}

// Without the lines whose condition does not hold, and without the conditions.
static void put_lines(Prelude *p, Buf *b, Text text)
{
    for (const char *at = text.at, *end = at + text.len; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        Text line = {at, (size_t)((stop ? stop : end) - at)};
        at += line.len + 1;
        const char *mark = NULL;
        for (size_t i = 0; i + 4 < line.len && mark == NULL; i++)
            if (memcmp(line.at + i, "//? ", 4) == 0)
                mark = line.at + i;
        if (mark != NULL) {
            if (!is_needed(p, (Text){mark + 4, (size_t)(line.at + line.len - mark - 4)}))
                continue;
            line.len = (size_t)(mark - line.at);
            while (line.len > 0 && line.at[line.len - 1] == ' ')
                line.len--;
        }
        buf_raw(b, line.at, line.len);
        buf_raw(b, "\n", 1);
    }
}

static void put_item(Buf *b, const KType *item, const char **at, const char *end)
{
    size_t len = strlen(item->c);
    bool space = *at < end && **at == ' ';
    while (!space && len > 0 && item->c[len - 1] == ' ')
        len--;
    buf_raw(b, item->c, len);
    *at += space;
}

static const char *text_of(Prelude *p, const Need *n)
{
    Buf b = buf_new(p->k->arena), done = buf_new(p->k->arena);
    put_lines(p, &b, n->part->text);
    if (n->list == NULL)
        return buf_text(&b);
    const char *at = b.at, *end = b.at + b.len;
    while (at < end) {
        const char *from = at;
        Text name = next_name(&at, end);
        if (name.len == 0)
            break;
        buf_raw(&done, from, (size_t)(name.at - from));
        if (name.len == 4 && memcmp(name.at, "Item", 4) == 0)
            put_item(&done, n->list->items.at[0], &at, end);
        else if (memcmp(name.at, "List", 4) == 0 && (name.len == 4 || name.at[4] == '_'))
            buf_printf(&done, "%s%.*s", n->list->name, (int)name.len - 4, name.at + 4);
        else
            buf_raw(&done, name.at, name.len);
    }
    buf_raw(&done, at, (size_t)(end - at));
    return buf_text(&done);
}

static void find_needs(Prelude *p, const char *text)
{
    const char *at = text, *end = text + strlen(text);
    for (Text name; (name = next_name(&at, end)).len > 0;)
        need_of(p, name);
}

static void put_need(Prelude *p, Need *n)
{
    if (n->printed)
        return;
    n->printed = true;
    const char *text = text_of(p, n), *at = text, *end = text + strlen(text);
    for (Text name; !n->part->include && (name = next_name(&at, end)).len > 0;)
        if (need_of(p, name) != NULL)
            put_need(p, need_of(p, name));
    buf_raw(n->part->include ? p->includes : p->b, text, strlen(text));
    if (!n->part->include)
        buf_raw(p->b, "\n", 1);
}

void k_prelude(Kernel *k, const char *text, Buf *includes, Buf *b)
{
    k_prelude_has(k, "");
    Prelude p = {.k = k, .parts = k->parts, .needs = table_new(k->arena),
                 .includes = includes, .b = b};
    find_needs(&p, text);
    while (p.changed) {
        p.changed = false;
        for (size_t i = 0; i < p.all.len; i++)
            find_needs(&p, text_of(&p, p.all.at[i]));
    }
    for (size_t i = 0; i < p.all.len; i++)
        put_need(&p, p.all.at[i]);
}

bool k_prelude_has(Kernel *k, const char *name)
{
    if (k->parts == NULL)
        k->parts = read_parts(k);
    return table_get(k->parts, names_get(k->names, name)) != NULL;
}
