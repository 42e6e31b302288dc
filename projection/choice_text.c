// choice_text.c - the text around a choice, for the edits that choice_edit.c offers: lines and
// indentation, and what the file that the choice is in calls things. A program of several modules
// is one text of several files, in which names have their modules in front; an edit is text of one
// file.

#include <string.h>

#include "compiler/base/qualified.h"
#include "projection/projection_internal.h"

// ---- lines ----

static Text line_at(Half *h, uint32_t offset, uint32_t *byte)
{
    const Source *file = source_file(h->cx->source, &offset);
    Place place = source_place(file, offset);
    *byte = place.byte;
    return source_line(file, place.line);
}

static size_t blanks_of(Text line)
{
    size_t n = 0;
    while (n < line.len && (line.at[n] == ' ' || line.at[n] == '\t'))
        n++;
    return n;
}

const char *text_indentation(Half *h, uint32_t offset)
{
    uint32_t byte;
    Text line = line_at(h, offset, &byte);
    return arena_strndup(h->arena, line.at, blanks_of(line));
}

// The last line before the one of the offset; empty if there is none.
static Text line_before(Half *h, uint32_t offset)
{
    const Source *file = source_file(h->cx->source, &offset);
    uint32_t line = source_place(file, offset).line;
    return line > 1 ? source_line(file, line - 1) : (Text){"", 0};
}

static bool is_comment(Text line)
{
    size_t blanks = blanks_of(line);
    return blanks < line.len && line.at[blanks] == '#';
}

// A line that the one above continues with a backslash is no line of its own.
bool text_starts_line(Half *h, uint32_t offset)
{
    uint32_t byte;
    Text above = line_before(h, offset);
    bool continued = above.len > 0 && above.at[above.len - 1] == '\\' && !is_comment(above);
    return !continued && blanks_of(line_at(h, offset, &byte)) == byte;
}

bool text_ends_line(Half *h, uint32_t offset)
{
    uint32_t byte;
    return line_at(h, offset, &byte).len == byte;
}

bool text_line_begins(Half *h, uint32_t offset, const char *word)
{
    uint32_t byte;
    Text line = line_at(h, offset, &byte);
    size_t blanks = blanks_of(line), len = strlen(word);
    return line.len >= blanks + len && memcmp(line.at + blanks, word, len) == 0;
}

uint32_t text_line_end(Half *h, uint32_t offset)
{
    uint32_t byte;
    Text line = line_at(h, offset, &byte);
    size_t i = byte;
    while (i < line.len && (line.at[i] == ' ' || line.at[i] == '\t' || line.at[i] == ';'))
        i++;
    return i == line.len || line.at[i] == '#' ? offset + (uint32_t)(line.len - byte) : offset;
}

static bool is_blank(Text line) { return blanks_of(line) == line.len; }

uint32_t text_block_end(Half *h, uint32_t first, uint32_t last)
{
    uint32_t end = text_line_end(h, last), at = end;
    const char *own = text_indentation(h, first);
    const Source *file = source_file(h->cx->source, &at);
    uint32_t base = end - at, line = source_place(file, at).line;
    for (size_t len = strlen(own); line++ < file->line_count;) {
        Text text = source_line(file, line);
        if (is_blank(text))
            continue;
        if (!is_comment(text) || text.len < len || memcmp(text.at, own, len) != 0)
            break;
        end = base + file->lines[line - 1] + (uint32_t)text.len;
    }
    return end;
}

// ---- files ----

bool text_same_file(Half *h, Span a, Span b)
{
    const Source *s = h->cx->source;
    return source_part(s, a.start) == source_part(s, b.start);
}

bool text_uses_name(Half *h, uint32_t place, const char *name)
{
    const Source *source = h->cx->source;
    if (source->part_count == 0)
        return table_get(h->cx->identifiers, names_get(h->cx->names, name)) != NULL;
    return text_has_word(source_file(source, &place)->text, name, strlen(name));
}

// ---- enums ----

static const Expr *selected_label(const Expr *e)
{
    const Expr *label = e->kind == EXPR_SELECT ? e->select.label : NULL;
    return label != NULL && label->kind == EXPR_ATTRIBUTE &&
           label->attribute.value->kind == EXPR_NAME ? label : NULL;
}

typedef struct Spelling { Half *h; Sym enum_; Span here; const char *found; } Spelling;

// The label is written `Way.LEFT`, or otherwise: `Way@A.LEFT`.
static bool is_dotted_name(const char *text)
{
    while (*text != '\0' && (text_in_word(*text) || *text == '.'))
        text++;
    return *text == '\0';
}

static bool find_spelling(void *cx, const Expr *e)
{
    Spelling *s = cx;
    const Expr *label = selected_label(e);
    if (s->found != NULL || label == NULL || label->attribute.value->name.id != s->enum_ ||
        !text_same_file(s->h, label->at, s->here))
        return s->found == NULL;
    Text text = s->h->cx->source->text;
    uint32_t end = label->at.end;
    while (end > label->at.start && text.at[end] != '.')
        end--;
    const char *spelled = arena_strndup(s->h->arena, text.at + label->at.start,
                                        end - label->at.start);
    if (*spelled != '\0' && is_dotted_name(spelled))
        s->found = spelled;
    return s->found == NULL;
}

const char *text_enum(Half *h, Sym enum_, Span here)
{
    StmtList body = h->cx->unit->module.body;
    Spelling s = {h, enum_, here, NULL};
    IrWalker w = {.cx = &s, .expr = find_spelling};
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *def = body.at[i]->kind == STMT_CHOREO ? body.at[i]->choreo.def : body.at[i];
        if (def->kind == STMT_CLASS_DEF && def->class_def.name == enum_ &&
            text_same_file(h, def->at, here))
            return unqualified(enum_);
    }
    ir_walk_stmts(&w, h->cx->unit->module.body);
    return s.found;
}

// What the file calls the class of that name in Python's `enum`; NULL: nothing.
static const char *imported_enum(Half *h, Span here)
{
    StmtList body = h->cx->unit->module.body;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        bool module = s->kind == STMT_IMPORT;
        bool names = s->kind == STMT_IMPORT_FROM && s->import_from.module != NULL &&
                     sym_is(s->import_from.module, "enum");
        if ((!module && !names) || !text_same_file(h, s->at, here))
            continue;
        AliasList list = module ? s->import.names : s->import_from.names;
        for (size_t j = 0; j < list.len; j++) {
            const Alias *alias = list.at[j];
            if (!sym_is(alias->name, module ? "enum" : "Enum"))
                continue;
            const char *own = unqualified(alias->asname != NULL ? alias->asname : alias->name);
            if (module)
                return names_format(h->cx->names, "%s.Enum", own);
            return own;
        }
    }
    return NULL;
}

const char *text_enum_base(Half *h, Span here, bool *import)
{
    const char *own = imported_enum(h, here);
    *import = own == NULL;
    return own != NULL ? own : text_uses_name(h, here.start, "Enum") ? NULL : "Enum";
}

// ---- where a new enum goes ----

static bool begins(Text line, const char *word)
{
    size_t len = strlen(word);
    return line.len >= len && memcmp(line.at, word, len) == 0;
}

static bool is_import(Text line) { return begins(line, "from ") || begins(line, "import "); }

static bool is_definition(Text line)
{
    return begins(line, "class ") || begins(line, "def ") || begins(line, "async ") ||
           begins(line, "@");
}

static const char *find_in(Text line, const char *part)
{
    size_t len = strlen(part);
    for (size_t i = 0; i + len <= line.len; i++)
        if (memcmp(line.at + i, part, len) == 0)
            return line.at + i;
    return NULL;
}

// The end of the statement above a definition, or the start of the file.
static uint32_t end_above(Half *h, Span def)
{
    StmtList body = h->cx->unit->module.body;
    uint32_t at = def.start;
    source_file(h->cx->source, &at);
    uint32_t end = def.start - at;
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->at.end <= def.start && body.at[i]->at.end > end)
            end = body.at[i]->at.end;
    return end;
}

// Decorators may be gone from the tree, so the text is asked: the first line of a definition that
// starts with `@`. Between statements there is nothing else that could.
uint32_t text_definition_place(Half *h, Span def)
{
    uint32_t at = def.start, above = end_above(h, def);
    const Source *file = source_file(h->cx->source, &at);
    uint32_t base = def.start - at, own = source_place(file, at).line;
    for (uint32_t line = source_place(file, above - base).line; line < own; line++) {
        Text text = source_line(file, line);
        if (text.len > 0 && text.at[0] == '@' && base + file->lines[line - 1] >= above)
            return base + file->lines[line - 1];
    }
    return def.start;
}

// The first line below the docstring of a file: sentences of it may begin as imports do.
static uint32_t below_docstring(const Source *file)
{
    uint32_t line = 1, last = (uint32_t)file->line_count;
    Text first = source_line(file, line);
    while (line < last && (is_blank(first) || is_comment(first)))
        first = source_line(file, ++line);
    const char *quotes = begins(first, "\"\"\"") ? "\"\"\"" : "'''";
    if (!begins(first, quotes))
        return line;
    Text rest = {first.at + 3, first.len - 3};
    while (find_in(rest, quotes) == NULL && line < last)
        rest = source_line(file, ++line);
    return line + 1;
}

// The last line of an import, which parentheses or backslashes may continue.
static uint32_t import_end(const Source *file, uint32_t line)
{
    Text text = source_line(file, line);
    bool open = find_in(text, "(") != NULL;
    while (line < file->line_count && (open ? find_in(text, ")") == NULL
                                            : text.len > 0 && text.at[text.len - 1] == '\\'))
        text = source_line(file, ++line);
    return line;
}

// Imports may be gone from the tree: those of the library are.
uint32_t text_import_place(Half *h, uint32_t before)
{
    uint32_t at = before, last = 0;
    const Source *file = source_file(h->cx->source, &at);
    uint32_t end = source_place(file, at).line;
    for (uint32_t line = below_docstring(file); line < end; line++) {
        Text text = source_line(file, line);
        if (is_definition(text))
            break;
        if (is_import(text))
            last = line = import_end(file, line);
    }
    return last == 0 ? before
                     : before - at + file->lines[last - 1] + (uint32_t)source_line(file, last).len;
}
