// call_channel.c - calls of channels: com and select.

#include <string.h>

#include "compiler/ir/expr_table.h"
#include "typecheck/expression/call.h"
#include "typecheck/python/python.h"

// ---- channels ----

bool channel_of(Scope *sc, const Expr *callee, Channel *out) {
    if (callee->kind != EXPR_ATTRIBUTE) return false;
    const Ty *t = callee->attribute.value->ty;
    if (t == NULL || t->kind != TY_INST) return false;
    Decl *d = program_find(sc->p, t->inst.name);
    if (d == NULL || d->channel == NULL) return false;
    *out = (Channel){callee->attribute.value, d->channel, t->inst.args, t->inst.actuals};
    return true;
}

// `ch.com(value, Bob)`, `ch.com(value, timeout=3)`: of several arguments, the one that is not a
// value; NULL: all are.
static const char *not_a_value(Scope *sc, const Expr *call) {
    ExprList args = call->call.args;
    for (size_t i = 0; i < args.len && args.len > 1; i++)
        if (args.at[i]->kind == EXPR_NAME && roles_has(sc->roles, args.at[i]->name.id))
            return args.at[i]->name.id;
    bool named = args.len == 1 && call->call.keywords.len > 0;
    return named ? call->call.keywords.at[0]->arg : NULL;
}

// The arguments without those that are no value, if one is left.
static bool edit_value(Scope *sc, Diag *d, Help *h, const Expr *call) {
    ExprList args = call->call.args;
    const Expr *value = NULL;
    for (size_t i = 0; i < args.len; i++) {
        bool role = args.at[i]->kind == EXPR_NAME && roles_has(sc->roles, args.at[i]->name.id);
        if (!role && value != NULL) return false;
        if (!role) value = args.at[i];
    }
    const char *text = value != NULL
        ? source_written(sc->p->arena, sc->p->source, value->at) : NULL;
    if (text != NULL)
        diag_edit(d, h, (Span){call->call.func->at.end, call->at.end}, "(%s)", text);
    return text != NULL;
}

// Behind the line, if nothing but a comment follows; 0: something does.
static uint32_t line_end(Text text, uint32_t end) {
    while (end < text.len && text.at[end] == ' ') end++;
    if (end < text.len && text.at[end] == '#') end += (uint32_t)strcspn(text.at + end, "\n");
    return end < text.len && text.at[end] == '\n' ? end + 1 : 0;
}

static bool carries_tuple(const Channel *ch) {
    for (size_t i = 0; i < ch->types.len; i++) {
        const Ty *t = ch->types.at[i];
        if (type_unknown(t) || t->kind != TY_NAMED || type_is(t, "object")) return true;
    }
    return ch->types.len == 0;
}

// Where the arguments are variables of one end, a literal beside them is at that end as well.
static Sym end_of_variables(Scope *sc, ExprList args) {
    Sym end = NULL;
    for (size_t i = 0; i < args.len; i++) {
        const Expr *e = args.at[i];
        const Var *v = e->kind == EXPR_NAME ? scope_find(sc, e->name.id) : NULL;
        if (v == NULL || v->type.roles.len != 1) continue;
        if (end != NULL && end != v->type.roles.at[0]) return NULL;
        end = v->type.roles.at[0];
    }
    return end;
}

// `x, y = ch.com(a, b)`: a message for each. Elsewhere a tuple of calls may not fit.
static void help_each(Scope *sc, Diag *d, const Expr *call) {
    Text text = sc->p->source->text;
    Arena *a = sc->p->arena;
    Buf b = buf_new(a);
    uint32_t start = call->at.start, end = line_end(text, call->at.end);
    const char *method = source_written(a, sc->p->source, call->call.func->at);
    Sym sender = end_of_variables(sc, call->call.args);
    for (size_t i = 0; i < call->call.args.len; i++) {
        const char *arg = source_written(a, sc->p->source, call->call.args.at[i]->at);
        if (method == NULL || arg == NULL) return;
        bool pin = sender != NULL && call->call.args.at[i]->kind == EXPR_CONSTANT;
        buf_printf(&b, "%s%s(%s%s%s)", i > 0 ? ", " : "", method, arg, pin ? "@" : "",
                   pin ? sender : "");
    }
    Help *h = diag_help(d, "send each in a separate call: `%s`", buf_text(&b));
    if (start > 2 && strncmp(text.at + start - 2, "= ", 2) == 0 && end > 0)
        diag_edit(d, h, call->at, "%s", buf_text(&b));
}

// Nothing between the brackets is what newcomers write to receive; several values are a tuple.
static void help_arguments(Scope *sc, Diag *d, const Expr *call, const Channel *ch,
                           const char *method) {
    ExprList args = call->call.args;
    const char *extra = not_a_value(sc, call);
    if (extra != NULL && strcmp(extra, "timeout") == 0)
        diag_help(d, "remove `%s` and any `try` around the call: a role cannot catch another "
                  "role's silence; run the program with `--timeout SECONDS` to limit each wait",
                  extra);
    else if (extra != NULL)
        edit_value(sc, d, diag_help(d, "remove `%s`: the channel determines the receiver, and "
                                    "`%s` has no options", extra, method), call);
    if (extra != NULL || sym_is(method, "select")) return;
    if (args.len + call->call.keywords.len == 0)
        diag_help(d, "the receiver makes no separate call: the result of `%s(value)` is at the "
                     "receiver; use it where the value is sent",
                  method);
    else if (args.len > 1 && call->call.keywords.len == 0 && !carries_tuple(ch))
        help_each(sc, d, call);
    else if (args.len > 1 && call->call.keywords.len == 0)
        diag_help(d, "send them as one tuple: `%.*s((%.*s))`",
                  (int)(call->call.func->at.end - call->call.func->at.start),
                  sc->p->source->text.at + call->call.func->at.start,
                  (int)(args.at[args.len - 1]->at.end - args.at[0]->at.start),
                  sc->p->source->text.at + args.at[0]->at.start);
}

static bool only_argument(Scope *sc, const Expr *call, const Channel *ch, const char *method) {
    if (call->call.args.len == 1 && call->call.keywords.len == 0 &&
        call->call.args.at[0]->kind != EXPR_STARRED)
        return true;
    const Keyword *named = call->call.args.len == 0 && call->call.keywords.len == 1
        ? call->call.keywords.at[0] : NULL;
    if (named == NULL || named->arg == NULL) {
        const char *option = call->call.args.len == 1 && call->call.keywords.len > 0
            ? call->call.keywords.at[0]->arg : NULL;
        Diag *d = option != NULL
            ? report_at(sc, call->call.keywords.at[0]->at, DIAG_CALL_ARGUMENTS,
                        "`%s` has no option `%s`", method, option)
            : report_at(sc, call->at, DIAG_CALL_ARGUMENTS, "`%s` takes exactly one argument",
                        method);
        help_arguments(sc, d, call, ch, method);
        return false;
    }
    Diag *d = report_at(sc, call->at, DIAG_CALL_ARGUMENTS, "`%s` takes no keyword arguments",
                        method);
    diag_edit(d, diag_help(d, "remove `%s=`", named->arg),
              (Span){named->at.start, named->value->at.start}, "%s", "");
    return false;
}

// Which end sends, when nothing about the value says it: 0, 1, or -1 when both could.
static int end_by_direction(bool forth, bool back) {
    return forth && !back ? 0 : back && !forth ? 1 : -1;
}

// The value is to come to the end that sends: not to the one where the result is `want`ed.
static void help_other_end(Scope *sc, Diag *d, const Channel *ch, const Expr *value,
                           const LocType *want) {
    const Var *v = value->kind == EXPR_NAME ? scope_find(sc, value->name.id) : NULL;
    if (v != NULL) diag_label(d, v->at, "%s was placed at %s here", expr_text(sc->p, value),
                              roles_text(sc->p->arena, v->type.roles));
    bool a = want != NULL && roles_has(want->roles, ch->ends.at[0]);
    bool b = want != NULL && roles_has(want->roles, ch->ends.at[1]);
    SymList from = a == b ? ch->ends : roles_one(sc->p->arena, ch->ends.at[a ? 1 : 0]);
    if (from.len == 1 && scope_channel(sc, value->roles.at[0], from.at[0], value->ty) == NULL)
        diag_help(d, "on %s, %s sends to %s: %s must be at %s", expr_text(sc->p, ch->expr),
                  from.at[0], ch->ends.at[a ? 0 : 1], expr_text(sc->p, value), from.at[0]);
    else
        help_send(sc, d, value, from, false);
}

static int end_of_value(Scope *sc, const Channel *ch, const Expr *value, const LocType *want,
                        bool label) {
    bool a = roles_has(value->roles, ch->ends.at[0]), b = roles_has(value->roles, ch->ends.at[1]);
    Program *p = sc->p;
    if (a != b) return a ? 0 : 1;
    if (a) {
        Diag *d = report_at(sc, value->at, DIAG_CHANNEL_ENDS, "%s is already at %s, the two ends "
                                                              "of the channel",
                            expr_text(p, value), roles_text(p->arena, value->roles));
        diag_help(d, "pin the value to the sender, as in `%s@%s`, or use it without sending",
                  value->kind == EXPR_NAME ? value->name.id : "(value)", ch->ends.at[0]);
        return -1;
    }
    Diag *d = report_at(sc, value->at, DIAG_CHANNEL_ENDS, "%s is at %s, but %s connects %s",
                        expr_text(p, value), roles_text(p->arena, value->roles),
                        expr_text(p, ch->expr), roles_text(p->arena, ch->ends));
    diag_primary(d, "at %s", roles_text(p->arena, value->roles));
    diag_label(d, ch->expr->at, "between %s", roles_text(p->arena, ch->ends));
    if (label)
        diag_help(d, "pin the label to the role that selects: %s or %s", ch->ends.at[0],
                  ch->ends.at[1]);
    else
        help_other_end(sc, d, ch, value, want);
    return -1;
}

static int end_of_literal(Scope *sc, const Channel *ch, const Expr *value, const LocType *want,
                          int by_direction) {
    if (by_direction >= 0) return by_direction;
    bool a = want != NULL && roles_has(want->roles, ch->ends.at[0]);
    bool b = want != NULL && roles_has(want->roles, ch->ends.at[1]);
    if (a != b) return a ? 1 : 0;
    Diag *d = report_at(sc, value->at, DIAG_PLACE_MISSING, "the sender of %s cannot be inferred: "
                                                           "it may be %s or %s",
                        expr_text(sc->p, value), ch->ends.at[0], ch->ends.at[1]);
    SymList deciding = roles_meet(sc->p->arena, ch->ends, sc->branch_roles);
    Sym likely = deciding.len == 1 ? deciding.at[0] : ch->ends.at[0];
    if (deciding.len == 1) diag_note(d, "%s decides whether this branch is taken", likely);
    Help *h = diag_help(d, "pin the value, as in `...@%s`", likely);
    if (value->kind == EXPR_CONSTANT || value->kind == EXPR_NAME ||
        value->kind == EXPR_ATTRIBUTE)
        diag_edit(d, h, (Span){value->at.end, value->at.end}, "@%s", likely);
    return -1;
}

static bool direction_ok(Scope *sc, const Expr *call, const Channel *ch, int sender, bool forth,
                         bool back, const char *method) {
    if (sender == 0 ? forth : back) return true;
    Diag *d = report_at(sc, call->at, DIAG_CHANNEL_DIRECTION,
                        "a `%s` has no `%s` from %s to %s", ch->class_->name, method,
                        ch->ends.at[sender], ch->ends.at[1 - sender]);
    if (forth || back)
        diag_note(d, "its `%s` goes from %s to %s", method, ch->ends.at[forth ? 0 : 1],
                  ch->ends.at[forth ? 1 : 0]);
    if (forth || back) diag_help(d, "a `Channel` goes both ways");
    return false;
}

// ---- channels of what cannot be sent ----

// The annotation of the parameter that is the channel; NULL: the channel is not a parameter.
static const Expr *channel_annotation(Scope *sc, const Expr *channel) {
    const Stmt *def = sc->fn != NULL ? sc->fn->def : NULL;
    if (channel->kind != EXPR_NAME || def == NULL || def->kind != STMT_FUNCTION_DEF) return NULL;
    ArgList args = def->function_def.args->args;
    for (size_t i = 0; i < args.len; i++)
        if (args.at[i]->arg == channel->name.id) return args.at[i]->annotation;
    return NULL;
}

// How a value of a library class becomes text or a number, and again what it was.
typedef struct Parts { const char *class_, *as, *before, *after, *back, *argument; } Parts;

static const Parts *parts_of(const Ty *t) {
    static const Parts PARTS[] = {
        {"datetime", "str", "", ".isoformat()", ".fromisoformat", ".."},
        {"date", "str", "", ".isoformat()", ".fromisoformat", ".."},
        {"time", "str", "", ".isoformat()", ".fromisoformat", ".."},
        {"timedelta", "float", "", ".total_seconds()", "", "seconds=.."},
        {"Decimal", "str", "str(", ")", "", ".."},
        {"Fraction", "str", "str(", ")", "", ".."},
        {"UUID", "str", "str(", ")", "", ".."},
        {"Path", "str", "str(", ")", "", ".."},
    };
    if (t->kind != TY_NAMED) return NULL;
    const char *dot = strrchr(t->named.name, '.'), *name = dot != NULL ? dot + 1 : t->named.name;
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        if (strcmp(PARTS[i].class_, name) == 0) return &PARTS[i];
    return NULL;
}

// The payload type as the annotation writes it.
static const char *written_payload(Scope *sc, const Expr *type) {
    if (type == NULL || type->kind != EXPR_SUBSCRIPT || type->subscript.slice->kind != EXPR_TUPLE)
        return NULL;
    return source_written(sc->p->arena, sc->p->source, type->subscript.slice->tuple.elts.at[0]->at);
}

static void help_parts(Scope *sc, Diag *d, const Channel *ch, const Expr *value, const Expr *type,
                       const Ty *limit) {
    const Parts *parts = parts_of(limit);
    if (parts == NULL) return;
    const char *sent = value->ty != NULL && parts_of(value->ty) == parts
        ? source_written(sc->p->arena, sc->p->source, value->at) : NULL;
    const char *name = written_payload(sc, type);
    if (name == NULL) name = parts->class_;
    if (sent == NULL || strlen(sent) > 30) sent = "value";
    diag_help(d, "make it `%s[%s, %s, %s]`: send `%s%s%s`, and make the value again with "
              "`%s%s(%s)` at the receiver", ch->class_->name, parts->as, ch->ends.at[0],
              ch->ends.at[1], parts->before, sent, parts->after, name, parts->back,
              parts->argument);
}

// Nothing can be sent on a channel of a type that no message can hold; said once of a channel.
static bool report_channel_type(Scope *sc, const Channel *ch, const Expr *value, const Ty *limit) {
    const char *why = wire_unsendable(sc->p, limit);
    const Decl *own = limit->kind == TY_NAMED ? program_find(sc->p, limit->named.name) : NULL;
    if (why == NULL || (own != NULL && own->kind == DECL_LOCAL_CLASS)) return false;
    const Expr *type = channel_annotation(sc, ch->expr);
    Diag *d = report_at(sc, (type != NULL ? type : ch->expr)->at, DIAG_NOT_SENDABLE,
                        "%s cannot carry `%s`: %s", expr_text(sc->p, ch->expr),
                        type_text(sc->p, limit), why);
    if (type != NULL) diag_label(d, value->at, "the value is sent here");
    help_parts(sc, d, ch, value, type, limit);
    return true;
}

// What a value is sent as; NULL: it cannot be sent.
static const Ty *sent_as(Scope *sc, const Expr *value, const Ty *limit) {
    const char *why;
    const Ty *type = wire_type(sc->p, value->ty, limit, &why);
    if (type != NULL) return type;
    Diag *d = report_at(sc, value->at, DIAG_NOT_SENDABLE, "%s cannot be sent: %s",
                        expr_text(sc->p, value), why);
    const Ty *t = value->ty;
    Decl *own = t != NULL && t->kind == TY_NAMED ? program_find(sc->p, t->named.name) : NULL;
    if (wire_fails_by_field(sc->p, t))
        diag_help(d, "declare the field as a `str`, for example, and convert it back at the "
                     "receiver");
    if (own == NULL || own->kind != DECL_LOCAL_CLASS || own->is_dataclass) return NULL;
    diag_label(d, source_first_line(sc->p->source, own->at), "`%s` is not a dataclass", own->name);
    diag_help(d, "make `%s` a dataclass: write `@dataclass` above the class and annotate its "
                 "fields", own->name);
    return NULL;
}

static bool incomplete_any(TyList list);

// A type that a display without elements leaves open: `list`, `dict[str, list]`.
static bool incomplete(const Ty *t) {
    if (type_unknown(t)) return true;
    if (t->kind == TY_TUPLE) return incomplete_any(t->tuple.items);
    if (t->kind == TY_UNION) return incomplete_any(t->union_.items);
    if (t->kind != TY_NAMED) return false;
    bool container = type_is(t, "list") || type_is(t, "dict") || type_is(t, "set") ||
        type_is(t, "frozenset") || type_is(t, "tuple");
    return (container && t->named.args.len == 0) || incomplete_any(t->named.args);
}

static bool incomplete_any(TyList list) {
    for (size_t i = 0; i < list.len; i++)
        if (incomplete(list.at[i])) return true;
    return false;
}

// Where neither the payload type nor the argument's says it, the result that is wanted does.
// So does a payload type that is as open as what is wanted, such as `list[object]`.
static const Ty *completed(Scope *sc, const Ty *wire, const Ty *limit, const LocType *want) {
    Py *py = sc->p->py;
    if (want != NULL && pyt_plain(want->ty) && pyt_plain(wire) && pyt_plain(limit) &&
        !pyt_fits(py, wire, want->ty) && pyt_fits(py, limit, want->ty))
        return limit;
    bool better = want != NULL && !type_unknown(want->ty) && !type_several(want->ty);
    return better && incomplete(wire) && type_fits(sc->p, wire, want->ty) ? want->ty : wire;
}

// Who sends what is wanted at one end.
static SymList other_end(const Channel *ch, const LocType *want) {
    bool a = want != NULL && roles_has(want->roles, ch->ends.at[0]);
    bool b = want != NULL && roles_has(want->roles, ch->ends.at[1]);
    return a == b ? (SymList){0} : (SymList){ch->ends.at + (a ? 1 : 0), 1};
}

// `com`, or `share`, whose result is at both ends.
static const Expr *check_com(Scope *sc, const Expr *call, const Channel *ch, const LocType *want,
                             bool shared) {
    Arena *a = sc->p->arena;
    const char *method = shared ? "share" : "com";
    if (!only_argument(sc, call, ch, method)) return call_failed(sc, call);
    const ChannelClass *c = ch->class_;
    if (!c->com_forth && !c->com_back) {
        diag_help(report_at(sc, call->at, DIAG_CHANNEL_DIRECTION,
                            "a `%s` only selects; it sends no data", c->name),
                  "a `Channel` also sends data");
        return call_failed(sc, call);
    }
    LocType payload = {want != NULL ? want->ty : NULL, other_end(ch, want)};
    const Expr *value = check_expr(sc, call->call.args.at[0], &payload);
    if (value->ty != NULL && value->ty->kind == TY_POISON) return call_failed(sc, call);
    if (type_several(value->ty) && sent_as(sc, value, ty_any(a)) == NULL)
        return call_failed(sc, call);
    int sender = expr_unplaced(value)
        ? end_of_literal(sc, ch, value, want, end_by_direction(c->com_forth, c->com_back))
        : end_of_value(sc, ch, value, want, false);
    if (sender < 0 || !direction_ok(sc, call, ch, sender, c->com_forth, c->com_back, method))
        return call_failed(sc, call);
    SymList from = {ch->ends.at + sender, 1}, to = {ch->ends.at + 1 - sender, 1};
    size_t which = c->types == 2 ? (size_t)sender : 0;
    const Ty *limit = which < ch->types.len ? ch->types.at[which] : ty_any(a);
    if (report_channel_type(sc, ch, value, limit)) return call_failed(sc, call);
    const Ty *wire = sent_as(sc, value, limit);
    if (wire == NULL) return call_failed(sc, call);
    const Expr *located = roles_equal(value->roles, from) || expr_unplaced(value)
        ? expr_place(sc, value, from)
        : expr_pinned(sc, value, from);
    const char *carried = names_format(sc->p->names, "the payload of %s",
                                       expr_text(sc->p, ch->expr));
    value = expr_coerce(sc, located, (LocType){limit, from}, carried);
    if (value->ty->kind == TY_POISON) return call_failed(sc, call);
    SymList at = shared ? roles_sorted(a, sc->roles, ch->ends) : to;
    wire = completed(sc, wire, limit, want);
    return expr_typed(sc, expr_com(a, call->at, ch->expr, value, from.at[0], to.at[0], wire,
                                   shared),
                      wire, at);
}

// ---- selections ----

static bool bad_label_enum(Scope *sc, const Expr *at, Decl *d) {
    StmtList body = d->stmt->class_def.body;
    if (d->has_labels) return false;
    ExprTable *values = expr_table_new(sc->p->arena);
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_FUNCTION_DEF && (sym_is(s->function_def.name, "__eq__") ||
                                             sym_is(s->function_def.name, "__hash__"))) {
            Diag *g = report_at(sc, at->at, DIAG_SELECT_FORM,
                                "`%s` defines `%s`, so its members cannot be labels", d->name,
                                s->function_def.name);
            diag_label(g, source_first_line(sc->p->source, s->at), "defined here");
            diag_help(g, "remove the method");
            return true;
        }
        if (s->kind != STMT_ASSIGN || s->assign.value->kind != EXPR_CONSTANT) continue;
        if (expr_table_get(values, s->assign.value) != NULL) {
            Diag *g = report_at(sc, at->at, DIAG_SELECT_FORM,
                                "two members of `%s` have the same value, so they are the same "
                                "label",
                                d->name);
            diag_label(g, s->at, "the same value again");
            diag_help(g, "give each member its own value");
            return true;
        }
        expr_table_add(values, s->assign.value, s);
    }
    d->has_labels = true;
    return false;
}

// The label E.M under its pin, as the checked expression of an enum member; NULL when it is none.
static const Expr *label_of(const Expr *e) {
    while (e->kind == EXPR_PIN) e = e->pin.value;
    bool member = e->kind == EXPR_ATTRIBUTE && e->attribute.value->kind == EXPR_NAME;
    return member && e->ty != NULL && e->ty->kind == TY_NAMED ? e : NULL;
}

static const char *first_member(const Decl *d) {
    StmtList body = d->stmt->class_def.body;
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_ASSIGN && body.at[i]->assign.targets.at[0]->kind == EXPR_NAME)
            return body.at[i]->assign.targets.at[0]->name.id;
    return NULL;
}

static const char *kind_of_label(const Expr *value) {
    while (value->kind == EXPR_PIN) value = value->pin.value;
    bool text = value->kind == EXPR_CONSTANT && value->constant.value->kind == CONST_STR;
    return text ? "a string" : value->kind == EXPR_NAME ? "a variable" : "an expression";
}

// Says what a value is that is no label. The help is a member to write in place of it; for a
// variable, a branch on it.
static void report_label(Scope *sc, const Expr *value) {
    const Decl *of = type_unknown(value->ty) || value->ty->kind != TY_NAMED ? NULL
        : program_find(sc->p, value->ty->named.name);
    bool variable = of != NULL && of->kind == DECL_ENUM;
    for (size_t i = 0; of == NULL && i < sc->p->order.len; i++)
        if (sc->p->order.at[i]->kind == DECL_ENUM) of = sc->p->order.at[i];
    const char *member = of != NULL && of->kind == DECL_ENUM ? first_member(of) : NULL;
    const char *example = member == NULL ? ""
        : names_format(sc->p->names, ", such as `%s.%s`", of->name, member);
    Diag *d = report_at(sc, value->at, DIAG_SELECT_FORM,
                        "`select` needs an enum member%s; %s is %s", example,
                        expr_text(sc->p, value), kind_of_label(value));
    if (variable && member != NULL)
        diag_help(d, "branch on the value (`== %s.%s`), and select a member in each branch; to "
                     "send it as data, use `com`", of->name, member);
    else if (member != NULL)
        diag_help(d, "select an enum member, such as `%s.%s`, and a different member in each "
                     "branch; to send data, use `com`", of->name, member);
    else
        diag_help(d, "define an enum for the labels, as in `class Choice(Enum): YES = 1; NO = 2`, "
                     "and select a member in each branch; to send data, use `com`");
}

const Expr *check_select(Scope *sc, const Expr *call, const Expr *callee) {
    Arena *a = sc->p->arena;
    Channel ch;
    if (!channel_of(sc, callee, &ch) || !only_argument(sc, call, &ch, "select"))
        return call_failed(sc, call);
    const ChannelClass *c = ch.class_;
    if (!c->select_forth && !c->select_back) {
        diag_help(report_at(sc, call->at, DIAG_CHANNEL_DIRECTION,
                            "a `%s` sends data; it does not select", c->name),
                  "a `Channel` also selects");
        return call_failed(sc, call);
    }
    const Expr *value = check_expr(sc, call->call.args.at[0], NULL);
    if (value->ty != NULL && value->ty->kind == TY_POISON) return call_failed(sc, call);
    const Expr *label = label_of(value);
    Decl *d = label != NULL ? program_find(sc->p, label->ty->named.name) : NULL;
    if (d == NULL || d->kind != DECL_ENUM) {
        report_label(sc, value);
        return call_failed(sc, call);
    }
    if (bad_label_enum(sc, value, d)) return call_failed(sc, call);
    if (type_several(value->ty) && sent_as(sc, value, ty_any(a)) == NULL)
        return call_failed(sc, call);
    int sender = expr_unplaced(value)
        ? end_of_literal(sc, &ch, value, NULL, end_by_direction(c->select_forth, c->select_back))
        : end_of_value(sc, &ch, value, NULL, true);
    if (sender < 0 ||
        !direction_ok(sc, call, &ch, sender, c->select_forth, c->select_back, "select"))
        return call_failed(sc, call);
    SymList from = {ch.ends.at + sender, 1}, to = {ch.ends.at + 1 - sender, 1};
    label = expr_typed(sc, label, label->ty, from);
    return expr_typed(sc, expr_select(a, call->at, ch.expr, label, from.at[0], to.at[0]),
                      label->ty, to);
}

// ---- `send` and `recv` ----

static const char *const SENDS[] = {"send", "put", "write", "sendall", "send_string",
                                    "send_pyobj", "isend", "put_nowait", "push", "emit", NULL};
static const char *const RECEIVES[] = {"recv", "receive", "get", "read", "recv_string",
                                       "recv_pyobj", "irecv", "get_nowait", "recv_into", NULL};

// `sends`: the statement `ch.send(x)`; `receives`: the call `ch.recv()` in the next statement.
typedef struct Pair { const Expr *callee, *sends, *receives; } Pair;

static const Expr *method_call(const Expr *e, const char *const *names, Sym channel) {
    const Expr *f = e != NULL && e->kind == EXPR_CALL ? e->call.func : NULL;
    bool ours = f != NULL && f->kind == EXPR_ATTRIBUTE && sym_is_one_of(f->attribute.attr, names) &&
        f->attribute.value->kind == EXPR_NAME && f->attribute.value->name.id == channel;
    return ours ? e : NULL;
}

static void find_pair_in(Pair *x, StmtList block) {
    Sym channel = x->callee->attribute.value->name.id;
    for (size_t i = 0; i + 1 < block.len; i++) {
        const Stmt *s = block.at[i], *next = block.at[i + 1];
        if (s->kind != STMT_EXPR || s->at.start != x->callee->at.start) continue;
        const Expr *value = next->kind == STMT_ASSIGN ? next->assign.value
            : next->kind == STMT_ANN_ASSIGN ? next->ann_assign.value : NULL;
        x->sends = method_call(s->expr.value, SENDS, channel);
        x->receives = method_call(value, RECEIVES, channel);
    }
}

static bool find_pair(void *cx, const Stmt *s) {
    Pair *x = cx;
    if (s->kind == STMT_IF) find_pair_in(x, s->if_.body);
    if (s->kind == STMT_IF) find_pair_in(x, s->if_.orelse);
    if (s->kind == STMT_FOR) find_pair_in(x, s->for_.body);
    if (s->kind == STMT_WHILE) find_pair_in(x, s->while_.body);
    return x->receives == NULL;
}

// `ch.send(x)`, then `y = ch.recv()`: one call does both.
static bool help_pair(Scope *sc, Diag *d, const Expr *callee) {
    const Stmt *def = sc->fn != NULL ? sc->fn->def : NULL;
    if (def == NULL || def->kind != STMT_FUNCTION_DEF ||
        callee->attribute.value->kind != EXPR_NAME)
        return false;
    Pair x = {.callee = callee};
    IrWalker w = {.cx = &x, .stmt = find_pair};
    find_pair_in(&x, def->function_def.body);
    ir_walk_stmts(&w, def->function_def.body);
    if (x.sends == NULL || x.receives == NULL || x.sends->call.args.len != 1) return false;
    Text text = sc->p->source->text;
    uint32_t start = x.sends->at.start, end = line_end(text, x.sends->at.end);
    while (start > 0 && text.at[start - 1] == ' ') start--;
    const char *value = source_written(sc->p->arena, sc->p->source, x.sends->call.args.at[0]->at);
    if (value == NULL || end == 0) return false;
    table_set(sc->p->said, table_key(x.receives->at.start), sc);
    diag_label(d, x.receives->at, "the same message");
    Help *h = diag_help(d, "one call sends and receives: the result of `com` is the value at the "
                        "receiver");
    diag_edit(d, h, (Span){start, end}, "%s", "");
    diag_edit(d, h, x.receives->at, "%s.com(%s)", callee->attribute.value->name.id, value);
    return true;
}

// Whether a statement has its lines for itself, and is not the first one of its block. *out: these
// lines, with a comment at their end.
static bool whole_line(Text text, Span at, Span *out) {
    uint32_t start = at.start, end = line_end(text, at.end);
    while (start > 0 && text.at[start - 1] == ' ') start--;
    if (end == 0 || start == 0 || text.at[start - 1] != '\n') return false;
    *out = (Span){start, end};
    while (start > 0 && (text.at[start - 1] == '\n' || text.at[start - 1] == ' ')) start--;
    return start > 0 && text.at[start - 1] != ':';
}

// `ch.close()`: there is nothing to write instead.
static void help_close(Scope *sc, Diag *d, const Expr *call) {
    Span line;
    Help *h = diag_help(d, "remove this line: channels close when the programs end");
    if (whole_line(sc->p->source->text, call->at, &line)) diag_edit(d, h, line, "%s", "");
}

const char *help_channel_methods(void) {
    return "`com` sends a value, `share` also keeps a copy, `select` sends a label";
}

static void help_method(Scope *sc, Diag *d, const Expr *call, const Expr *callee) {
    Sym method = callee->attribute.attr, methods[] = {"com", "share", "select"};
    if (sym_is(method, "close") || sym_is(method, "shutdown") || sym_is(method, "disconnect")) {
        help_close(sc, d, call);
    } else if (sym_is_one_of(method, RECEIVES)) {
        diag_help(d, "remove the receiving call: the result of `com` is at the receiver, as in "
                     "`received = ch.com(value)`");
    } else if (sym_is_one_of(method, SENDS) && !help_pair(sc, d, callee)) {
        Help *h = diag_help(d, "write `com`, whose result is the value at the receiver");
        bool several = call->call.args.len > 1 || call->call.keywords.len > 0;
        Span name = {callee->at.end - (uint32_t)strlen(method), callee->at.end};
        if (!several || edit_value(sc, d, h, call)) diag_edit(d, h, name, "com");
    } else if (d->helps == NULL) {
        help_attribute(sc, d, callee, NULL, (SymList){methods, 3});
    }
    if (d->helps == NULL)
        diag_help(d, "%s", help_channel_methods());
}

const Expr *call_channel(Scope *sc, const Expr *call, const Expr *callee, const Channel *ch,
                                const LocType *want) {
    Sym method = callee->attribute.attr;
    bool shared = sym_is(method, "share");
    if (shared || sym_is(method, "com")) return check_com(sc, call, ch, want, shared);
    if (sym_is(method, "select")) {
        Diag *d = report_at(sc, call->at, DIAG_SELECT_FORM,
                            "a selection must be a separate statement, because it has no result");
        diag_help(d, "write the receiver's code for this label after the selection, in the same "
                     "branch; to send data, use `com`");
    } else if (table_get(sc->p->said, table_key(call->at.start)) == NULL) {
        help_method(sc, report_at(sc, callee->at, DIAG_ATTRIBUTE_UNKNOWN,
                                  "a channel has no method `%s`", method), call, callee);
    }
    return call_failed(sc, call);
}
