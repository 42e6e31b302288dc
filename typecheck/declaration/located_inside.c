// located_inside.c - located types inside of other types, `list[At[int, A]]`: refused, with the
// annotation that is meant. A value is at its roles with all its parts, so the place stands
// outside.

#include <string.h>

#include "compiler/base/buf.h"
#include "typecheck/internal.h"

typedef struct Inside {
    Program *p;
    Buf      text;              // the annotation without its places
    uint32_t done;              // up to where it has been copied
    SymList  roles;             // of the places
    bool     several;           // something in it has a place that is no `At`, or another one
    bool     function;
} Inside;

static void copy(Inside *in, uint32_t to) {
    buf_raw(&in->text, in->p->source->text.at + in->done, to - in->done);
    in->done = to;
}

static void take_place(Inside *in, ExprList args) {
    SymList roles = {0};
    for (size_t i = 1; i < args.len; i++) {
        const Expr *role = annotation_unquote(in->p, args.at[i]);
        if (role->kind == EXPR_NAME)
            roles = roles_join(in->p->arena, roles, roles_one(in->p->arena, role->name.id));
    }
    in->several |= in->roles.len > 0 && !roles_equal(in->roles, roles);
    in->roles = roles;
}

static bool find_place(void *cx, const Expr *e) {
    Inside *in = cx;
    Program *p = in->p;
    if (e->kind != EXPR_SUBSCRIPT) return true;
    ExprList args = annotation_elements(p->arena, e->subscript.slice);
    Sym head = annotation_head(e->subscript.value);
    SymList inner = {0};
    in->function |= sym_is(head, "Callable");
    if (annotation_first_role(p, e->subscript.value, args) < 0) return true;
    if (sym_is(head, "At") && args.len > 1) annotation_roles(p, args.at[0], (SymList){0}, &inner);
    if (!sym_is(head, "At") || args.len < 2 || inner.len > 0) {
        in->several = true;
        return true;
    }
    take_place(in, args);
    copy(in, e->at.start);
    in->done = args.at[0]->at.start;
    copy(in, args.at[0]->at.end);
    in->done = e->at.end;
    return false;
}

// `x: At[list[int], A]` for `x: list[At[int, A]]`. NULL where there is no such thing.
static const char *without_places(Program *p, const Expr *e, Inside *in) {
    *in = (Inside){.p = p, .text = buf_new(p->arena), .done = e->at.start};
    IrWalker w = {.cx = in, .expr = find_place};
    ir_walk_expr(&w, e);
    copy(in, e->at.end);
    const char *text = buf_text(&in->text);
    bool short_ = in->text.len < 60 && memchr(text, '\n', in->text.len) == NULL;
    return in->several || in->function || in->roles.len == 0 || !short_ ? NULL : text;
}

void located_refuse_inside(Program *p, const Expr *e, const char *what) {
    Inside in;
    const char *text = without_places(p, e, &in);
    Diag *d = report_unsupported(p, e->at, what);
    bool union_ = e->kind == EXPR_BIN_OP;
    if (text != NULL) {
        Buf roles = buf_new(p->arena);
        for (size_t i = 0; i < in.roles.len; i++) buf_printf(&roles, ", %s", in.roles.at[i]);
        diag_help(d, "a value and its parts are at the same roles: write `At[%s%s]`", text,
                  buf_text(&roles));
    } else if (in.function) {
        diag_help(d, "a function of several roles cannot be `None`: pass a function that does "
                     "nothing instead");
    } else {
        diag_help(d, union_ ? "an object of several roles cannot be `None`: remove `None` from "
                              "the type"
                  : "use a separate parameter for each value; a function that is not the entry "
                    "may have a tuple parameter, as in `tuple[At[int, A], At[int, B]]`");
    }
}
