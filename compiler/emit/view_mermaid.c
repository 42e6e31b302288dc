// view_mermaid.c - a diagram as Mermaid's `sequenceDiagram`.
//
// Mermaid reads `;` and `#` anywhere, and the word `end`, as its own: they are written as entity
// codes, and a role whose name is one of its words gets another identifier.

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "compiler/emit/view.h"

static bool is_reserved(const char *name)
{
    static const char *const words[] = {
        "activate", "actor", "alt", "and", "as", "autonumber", "box", "break", "create",
        "critical", "deactivate", "destroy", "else", "end", "left", "link", "links", "loop",
        "note", "of", "opt", "option", "over", "par", "participant", "rect", "right",
        "sequencediagram", "title",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(words[i], name) == 0)
            return true;
    for (const char *at = name; *at; at++)
        if ((unsigned char)*at >= 0x80)
            return true;
    return false;
}

static void print_id(Buf *b, const Diagram *d, Sym role)
{
    size_t index = 0;
    while (index < d->roles.len && d->roles.at[index] != role)
        index++;
    if (is_reserved(role))
        buf_printf(b, "R%zu", index + 1);
    else
        buf_puts(b, role);
}

static bool is_word_end(const char *text, size_t i)
{
    bool starts = i == 0 || !isalnum((unsigned char)text[i - 1]);
    return starts && strncasecmp(text + i, "end", 3) == 0 && !isalnum((unsigned char)text[i + 3]);
}

static void print_text(Buf *b, const char *text)
{
    for (size_t i = 0; text[i]; i++) {
        unsigned char c = (unsigned char)text[i];
        if (strchr(";#%<>", c) || is_word_end(text, i))
            buf_printf(b, "#%d;", c);
        else
            buf_putc(b, iscntrl(c) ? ' ' : text[i]);
    }
}

static void print_ends(Buf *b, const Diagram *d, const ViewEvent *e, const char *arrow)
{
    print_id(b, d, e->from);
    if (e->from != e->to) {
        buf_puts(b, arrow);
        print_id(b, d, e->to);
    }
    buf_puts(b, ": ");
    print_text(b, e->text);
    buf_putc(b, '\n');
}

static void print_event(Buf *b, const Diagram *d, const ViewEvent *e)
{
    switch (e->kind) {
    case VIEW_MESSAGE: print_ends(b, d, e, "->>"); break;
    case VIEW_SELECT: print_ends(b, d, e, "-)"); break;
    case VIEW_NOTE: case VIEW_JUMP:
        buf_puts(b, "note over ");
        print_ends(b, d, e, ",");
        break;
    case VIEW_ALT: case VIEW_ELSE: case VIEW_LOOP:
        b->indent -= e->kind == VIEW_ELSE;
        buf_puts(b, e->kind == VIEW_ALT ? "alt " : e->kind == VIEW_ELSE ? "else " : "loop ");
        print_text(b, e->text);
        buf_putc(b, '\n');
        b->indent++;
        break;
    case VIEW_END:
        b->indent--;
        buf_puts(b, "end\n");
        break;
    case VIEW_ENTER: case VIEW_LEAVE: case VIEW_CALL: case VIEW_AFTER_LOOP: break;
    }
}

void view_print_mermaid(Buf *b, const Diagram *d)
{
    buf_puts(b, "sequenceDiagram\n");
    b->indent++;
    for (size_t i = 0; i < d->roles.len; i++) {
        buf_puts(b, "participant ");
        print_id(b, d, d->roles.at[i]);
        if (is_reserved(d->roles.at[i])) {
            buf_puts(b, " as ");
            print_text(b, d->roles.at[i]);
        }
        buf_putc(b, '\n');
    }
    for (size_t i = 0; i < d->len; i++)
        if (!d->at[i].hidden)
            print_event(b, d, &d->at[i]);
    b->indent--;
}
