// help.c - what to write where a value is not where it is needed: the message that brings it there.
//
// It is given as an edit only where the program with it means what it says: a channel in scope
// carries such a value that way, Python evaluates the place once, and nothing else is needed there.

#include <string.h>

#include "typecheck/expression/operands.h"

static bool find_message(void *cx, const Expr *e) {
    if (e->kind == EXPR_COM) *(bool *)cx = true;
    return !*(bool *)cx;
}

// Is there a pin behind it, as in `x@B`?
static bool is_pinned(const Program *p, const Expr *e) {
    uint32_t after = e->at.end;
    while (after < p->source->text.len && p->source->text.at[after] == ' ') after++;
    return after < p->source->text.len && p->source->text.at[after] == '@';
}

// Is it pinned to that very role?
static bool is_pinned_to(const Program *p, const Expr *e, Sym role) {
    if (!is_pinned(p, e)) return false;
    const char *at = p->source->text.at + e->at.end;
    at += strspn(at, " @");
    return strncmp(at, role, strlen(role)) == 0;
}

// Would `ch.com(..)` around the text of this expression mean what it says? Not where a pin follows
// it, inside the braces of an f-string, or around a message or a conditional.
static bool can_be_wrapped(const Program *p, const Expr *e) {
    bool message = e->kind == EXPR_IF_EXP || e->kind == EXPR_BOOL_OP || e->kind == EXPR_SLICE ||
        e->kind == EXPR_GENERATOR_EXP;
    IrWalker w = {.cx = &message, .expr = find_message};
    ir_walk_expr(&w, e);
    return !message && e->kind != EXPR_FORMATTED_VALUE && e->kind != EXPR_STARRED &&
        !is_pinned(p, e);
}

// The call that sends it, as an edit. A tuple may be written without parentheses.
static void edit_call(Scope *sc, Diag *d, Help *h, const Expr *e, const char *ch,
                      const char *method) {
    if (sc->deferred || sc->unsure || !can_be_wrapped(sc->p, e)) return;
    bool tuple = e->kind == EXPR_TUPLE;
    Span before = {e->at.start, e->at.start}, after = {e->at.end, e->at.end};
    diag_edit(d, h, before, "%s.%s(%s", ch, method, tuple ? "(" : "");
    diag_edit(d, h, after, tuple ? "))" : ")");
}

typedef struct Way { const char *channel; Sym from, to; } Way;

// A channel on which a holder of the value can send it to one of these roles.
static Way find_way(Scope *sc, const Expr *e, SymList to) {
    for (size_t i = 0; i < to.len; i++)
        for (size_t j = 0; j < e->roles.len; j++) {
            const char *ch = scope_channel(sc, e->roles.at[j], to.at[i], e->ty);
            if (ch != NULL) return (Way){ch, e->roles.at[j], to.at[i]};
        }
    return (Way){NULL, e->roles.at[0], to.at[0]};
}

// Nothing that cannot travel is to be sent.
static bool refuse_sending(Scope *sc, Diag *d, const Expr *e) {
    const char *why = wire_unsendable(sc->p, e->ty);
    if (why != NULL && !type_several(e->ty))
        diag_note(d, "%s cannot be sent either: %s", expr_text(sc->p, e), why);
    return why != NULL;
}

// Is this the value of the declaration that is checked?
static bool is_declared(const Scope *sc, const Expr *e) {
    const Expr *value = sc->declares != NULL ? sc->declares->ann_assign.value : NULL;
    return value != NULL && value->at.start == e->at.start && value->at.end == e->at.end;
}

// `x: At[int, A] = ch.com(y)`, declared at the sender: the annotation is wrong.
static bool help_declared(Scope *sc, Diag *d, const Expr *e) {
    const Expr *type = is_declared(sc, e) ? sc->declares->ann_assign.annotation : NULL;
    if (type == NULL || type->kind != EXPR_SUBSCRIPT) return false;
    diag_note(d, "%s is already at %s", expr_text(sc->p, e->com.value), e->com.sender);
    Help *h = diag_help(d, "the result of `com` is at %s: declare it there", e->com.receiver);
    const Expr *value = annotation_of_value(sc->p, type);
    if (value != NULL)
        diag_edit(d, h, type->at, "At[%s, %s]", annotation_text(sc->p, value), e->com.receiver);
    return true;
}

// `ch.com(x + 1)` where `x + 1` is needed at the sender: the message is one too many. The
// parentheses stay where an operator may follow, and around several lines.
static void help_already_there(Scope *sc, Diag *d, const Expr *e) {
    const Expr *value = e->com.value;
    Help *h = diag_help(d, "%s is already at %s; `com` sends it to %s", expr_text(sc->p, value),
                        e->com.sender, e->com.receiver);
    size_t len = value->at.end - value->at.start;
    bool bare = is_declared(sc, e) &&
        memchr(sc->p->source->text.at + value->at.start, '\n', len) == NULL;
    uint32_t open = e->com.channel->at.end + (uint32_t)strlen(".com");
    diag_edit(d, h, (Span){e->at.start, bare ? value->at.start : open}, "%s", "");
    if (bare) diag_edit(d, h, (Span){value->at.end, e->at.end}, "%s", "");
}

// A message came from where it is needed: `x = ch.com(x)`. Sending it once more is seldom meant.
// A variable is sent on purpose: it would be there without the statement.
static bool help_result(Scope *sc, Diag *d, const Expr *e, SymList to) {
    if (e->kind != EXPR_COM || !roles_has(to, e->com.sender)) return false;
    if (e->com.value->kind != EXPR_NAME) {
        help_already_there(sc, d, e);
        return true;
    }
    if (help_declared(sc, d, e)) return true;
    const char *back = scope_channel(sc, e->com.receiver, e->com.sender, e->ty);
    diag_help(d, back != NULL
        ? "the result of `com` is at %s: assign it to another variable, or send it back to %s "
          "with `%s.com`"
        : "the result of `com` is at %s: assign it to another variable; no channel can send it "
          "back to %s",
        e->com.receiver, e->com.sender, back);
    return true;
}

// There may be a channel, but for other values.
static void help_no_way(Scope *sc, Diag *d, const Expr *e, Sym from, SymList to) {
    Arena *a = sc->p->arena;
    const char *other = to.len == 1 ? scope_channel(sc, from, to.at[0], ty_any(a)) : NULL;
    const char *type = type_text(sc->p, e->ty), *what = expr_text(sc->p, e);
    bool nothing = e->ty != NULL && e->ty->kind == TY_NONE_TYPE;
    if (nothing && e->kind == EXPR_CALL)
        diag_help(d, "move %s to a separate statement, because its result is `None`", what);
    else if (other == NULL)
        diag_help(d, "send %s from %s to %s on a channel between them", what, from,
                  roles_choice(a, to));
    else if (!nothing)
        diag_help(d, "send %s from %s to %s; `%s` connects them, but does not carry `%s`: add a "
                     "channel, as in `Channel[%s, %s, %s]`",
                  what, from, to.at[0], other, type, type, from, to.at[0]);
}

// Where Python may skip or repeat an expression, a message has no place (E0505).
static bool help_deferred(Scope *sc, Diag *d, const Expr *e) {
    bool found = false;
    IrWalker w = {.cx = &found, .expr = expr_find_message};
    if (sc->deferred) ir_walk_expr(&w, e);
    if (found) diag_help(d, "communicate in a statement before this one, and use the result here");
    return found;
}

void help_send(Scope *sc, Diag *d, const Expr *e, SymList to, bool certain) {
    if (e->kind == EXPR_FORMATTED_VALUE && e->formatted_value.value->roles.len > 0) {
        e = e->formatted_value.value;
        certain = false;
    }
    if (e->roles.len == 0 || to.len == 0 || refuse_sending(sc, d, e)) return;
    if (help_deferred(sc, d, e) || help_result(sc, d, e, to)) return;
    Way way = find_way(sc, e, to);
    if (way.channel == NULL) {
        help_no_way(sc, d, e, way.from, to);
        return;
    }
    if (sc->deferred || sc->unsure || !certain) {
        diag_help(d, "send %s to %s%s, as in `%s.com(...)`", expr_text(sc->p, e), way.to,
                  sc->deferred ? " in a statement before this one" : " first", way.channel);
        return;
    }
    Help *h = diag_help(d, "send %s to %s first", expr_text(sc->p, e), way.to);
    edit_call(sc, d, h, e, way.channel, "com");
}

void help_other_way(Scope *sc, Diag *d, const Expr *e, SymList to) {
    if (e->kind != EXPR_NAME || sc->deferred || wire_unsendable(sc->p, e->ty) != NULL) return;
    Way way = find_way(sc, e, to);
    if (way.channel != NULL)
        diag_help(d, "to do this at %s, send %s there", way.to, expr_text(sc->p, e));
}

// A channel is not sent: the message is to use another one. The first in scope that joins the roles
// is named; where the roles follow from the channel itself, one that joins one of them.
static void help_other_channel(Scope *sc, Diag *d, const Expr *e, SymList need) {
    Arena *a = sc->p->arena;
    const Decl *own = program_find(sc->p, e->ty->inst.name);
    if (own == NULL || own->channel == NULL) return;
    for (size_t i = 0; sc->fn != NULL && i < sc->fn->params.len; i++) {
        const LocType *t = &sc->fn->params.at[i].type;
        Decl *c = t->ty != NULL && t->ty->kind == TY_INST ? program_find(sc->p, t->ty->inst.name)
                                                          : NULL;
        if (c == NULL || c->channel == NULL) continue;
        bool all = true;
        for (size_t j = 0; j < need.len; j++)
            all &= roles_has(t->roles, need.at[j]) ||
                (sc->unsure && roles_has(e->roles, need.at[j]));
        if (!all || roles_equal(t->roles, e->roles)) continue;
        diag_help(d, "did you mean `%s`, which connects %s?", sc->fn->params.at[i].name,
                  roles_text(a, t->roles));
        return;
    }
}

// A pin says which copy is meant; newcomers take it for a message.
static void help_pinned(Scope *sc, Diag *d, const Expr *e, Sym to) {
    Way way = find_way(sc, e, (SymList){&to, 1});
    const char *text = expr_text(sc->p, e);
    if (way.channel != NULL && *text == '`')
        diag_help(d, "`@%s` does not send; `%s.com(%.*s)` does, and its result is at %s", to,
                  way.channel, (int)strlen(text) - 2, text + 1, to);
    else
        diag_help(d, "`@%s` does not send: send %s from %s to %s on a channel between them", to,
                  text, way.from, to);
}

// `x: At[int, A, B] = ch.com(y)`: both ends need it, and the sender has it.
static bool help_share(Diag *d, const Expr *e, SymList to) {
    if (e->kind != EXPR_COM || to.len != 2 || !roles_has(to, e->com.sender) ||
        !roles_has(to, e->com.receiver))
        return false;
    uint32_t name = e->com.channel->at.end + 1, end = name + (uint32_t)strlen("com");
    Help *h = diag_help(d, "`share` gives the value to both ends");
    diag_edit(d, h, (Span){name, end}, "share");
    return true;
}

void help_bring(Scope *sc, Diag *d, const Expr *e, SymList to) {
    Arena *a = sc->p->arena;
    SymVec missing = {0};
    for (size_t i = 0; i < to.len; i++)
        if (!roles_has(e->roles, to.at[i])) vec_push(a, &missing, to.at[i]);
    SymList others = {missing.at, missing.len};
    bool several = type_several(e->ty);
    if (several && e->ty->kind == TY_INST) help_other_channel(sc, d, e, sc->unsure ? others : to);
    if (several || e->roles.len == 0 || others.len == 0) return;
    if (to.len == 1 && is_pinned_to(sc->p, e, to.at[0]) && wire_unsendable(sc->p, e->ty) == NULL) {
        help_pinned(sc, d, e, to.at[0]);
        return;
    }
    if (to.len == 1) {
        help_send(sc, d, e, to, true);
        return;
    }
    if (refuse_sending(sc, d, e) || help_share(d, e, to)) return;
    SymList holders = roles_meet(a, to, e->roles);
    const char *ch = to.len == 2 && holders.len == 1
        ? scope_channel(sc, holders.at[0], others.at[0], e->ty) : NULL;
    if (ch != NULL) {
        Help *h = diag_help(d, "send %s to %s and keep a copy: use `share`",
                            expr_text(sc->p, e), others.at[0]);
        edit_call(sc, d, h, e, ch, "share");
    } else if (to.len == 2 && holders.len == 1) {
        diag_help(d, "send %s from %s to %s and keep a copy, with `share` on a channel that "
                     "carries `%s`", expr_text(sc->p, e), holders.at[0], others.at[0],
                  type_text(sc->p, e->ty));
    } else if (to.len == 2) {
        diag_help(d, "send %s to %s, which then gives it to the other with `share`",
                  expr_text(sc->p, e), roles_choice(a, to));
    } else {
        Buf b = buf_new(a);
        for (size_t i = 0; i < others.len; i++) {
            ch = scope_channel(sc, e->roles.at[0], others.at[i], e->ty);
            if (ch == NULL) continue;
            buf_printf(&b, "%s`at_%s = %s.com(..)`", b.len > 0 ? ", " : ", as in ",
                       others.at[i], ch);
        }
        diag_help(d, "%s each need %s: send it to each role%s, so that each uses its own copy",
                  roles_text(a, to), expr_text(sc->p, e), buf_text(&b));
    }
}
