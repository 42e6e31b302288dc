// c_value.c - values in C text: who owns them, where they stand, what they are converted to.

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/emit/c/c_internal.h"

Value c_value(const Rep *rep, const char *text, Hold hold)
{
    return (Value){.rep = rep, .text = text, .hold = rep->drop == NULL ? HOLD_PLAIN : hold};
}

Value c_lasting(Value v)
{
    v.lasting = true;
    return v;
}

static const char *formatted(CEmit *c, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    size_t len = (size_t)vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = arena_alloc(c->arena, len + 1);
    vsnprintf(text, len + 1, format, args);
    return text;
}

const char *c_text(CEmit *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = formatted(c, format, args);
    va_end(args);
    return text;
}

void c_line(CEmit *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buf_puts(c->out, formatted(c, format, args));
    va_end(args);
    buf_puts(c->out, "\n");
}

// ---- what is refused ----

// What stands for a value that cannot be had.
static Value refused(CEmit *c)
{
    c->failed = true;
    return (Value){.rep = rep_named(c, "object"), .text = "(PychoralAny){0}",
                   .hold = HOLD_BORROWED};
}

// NULL: that place has been reported.
static Diag *report(CEmit *c, Span at, const char *text)
{
    if (c->refused == at.start + 1)
        return NULL;
    c->refused = at.start + 1;
    return diag_report(c->diags, at, DIAG_C_UNSUPPORTED, "%s", text);
}

// A class inside a function is "<local>.Cell" in types.
static void drop_local(char *text)
{
    static const char LOCAL[] = "<local>.";
    size_t len = sizeof LOCAL - 1;
    for (char *at = text; (at = strstr(at, LOCAL)) != NULL;)
        memmove(at, at + len, strlen(at + len) + 1);
}

Value c_refuse(CEmit *c, Span at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char text[1000];
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    drop_local(text);
    char *help = strchr(text, '\n');
    if (help != NULL)
        *help++ = '\0';
    Diag *d = report(c, at, text);
    if (d != NULL && help != NULL)
        diag_help(d, "%s", help);
    return refused(c);
}

const char *c_source_text(CEmit *c, Span at)
{
    uint32_t start = at.start;
    const Source *file = source_file(c->source, &start);
    Span line = source_first_line(file, (Span){start, start + (at.end - at.start)});
    bool whole = line.end - line.start == at.end - at.start;
    return c_text(c, "%.*s%s", (int)(line.end - line.start), file->text.at + line.start,
                  whole ? "" : " ..");
}

// A type that has such a member, for an example; NULL: a class of its own.
static const char *type_with(CEmit *c, Sym name)
{
    static const char *const KINDS[] = {"str", "int", "float", "bytes"};
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (c_prim_known(c_text(c, "%s.%s", KINDS[i], name)))
            return KINDS[i];
    return NULL;
}

Value c_refuse_member(CEmit *c, Span at, const Expr *base, const char *what, Sym name)
{
    const Ty *t = base->ty ? c_ty(c, base->ty) : NULL;
    if (t != NULL && t->kind != TY_ANY && t->kind != TY_POISON)     // a protocol
        return c_refuse(c, at, "no class of this program has %s %s `%s`",
                        strcmp(what, "attribute") == 0 ? "an" : "a", what, name);
    const char *text = c_source_text(c, base->at), *type = type_with(c, name);
    bool named = base->kind == EXPR_NAME && strcmp(base->name.id, text) == 0;     // it is written
    const char *variable = named ? text : "x";
    const char *shown = type != NULL ? type : "C";
    Diag *d = report(c, at, c_text(c, "the type of `%s` is not known here, so its %s `%s` is "
                                   "unknown", text, what, name));
    if (d != NULL)
        diag_help(d, "%s: write `%s: %s` in the code of one role, or `%s: At[%s, %s]` in a "
                     "choreography%s",
                  named ? "declare its type" : "assign it to a variable with a declared type",
                  variable, shown, variable, shown, c->endpoint->role,
                  type != NULL ? "" : ", where `C` is its class");
    return refused(c);
}

// ---- where values stand ----

const char *c_member(CEmit *c, const char *pointer, const char *name)
{
    return *pointer == '&' ? c_text(c, "%s.%s", pointer + 1, name)
                           : c_text(c, "%s->%s", pointer, name);
}

const char *c_plain_name(CEmit *c) { return c_text(c, "t%zu", ++c->temps); }

const char *c_new_name(CEmit *c)
{
    c->declared = true;
    return c_plain_name(c);
}

const char *c_declaration(CEmit *c, const Rep *rep, const char *name, const char *value)
{
    const char *zero = rep_zero(c, rep), *first = value ? value : zero[0] == '(' ? "{0}" : zero;
    return rep->drop != NULL
        ? c_text(c, "PYCHORAL_OWNED(%s) %s%s = %s", rep->drop, rep->type, name, first)
        : c_text(c, "%s%s = %s", rep->type, name, first);
}

// None, and tuples of it.
static bool says_nothing(const Rep *r)
{
    bool nothing = r->kind == REP_NONE || r->kind == REP_TUPLE;
    for (size_t i = 0; r->kind == REP_TUPLE && i < r->count; i++)
        nothing = nothing && says_nothing(r->parts[i]);
    return nothing;
}

Value c_temp(CEmit *c, Value v)
{
    if (v.rep->kind == REP_NONE) {
        if (strcmp(v.text, "0") != 0)
            c_line(c, "%s;", v.text);
        return c_lasting(c_value(v.rep, "0", HOLD_PLAIN));
    }
    bool owned = v.hold == HOLD_OWNED;
    const char *name = owned ? c_new_name(c) : c_plain_name(c);
    if (owned)
        c_line(c, "%s;", c_declaration(c, v.rep, name, v.text));
    else
        c_line(c, "%s%s = %s;", v.rep->type, name, v.text);
    if (says_nothing(v.rep))                    // or C compilers find it unused
        c_line(c, "(void)%s;", name);
    return (Value){.rep = v.rep, .text = name, .lasting = true, .place = true,
                   .hold = v.hold == HOLD_PLAIN ? HOLD_PLAIN : HOLD_BORROWED,
                   .movable = v.hold == HOLD_OWNED};
}

// A temporary that has a reference of its own.
static Value kept(CEmit *c, Value v)
{
    Value own = v;
    own.text = c_owned(c, v);
    own.hold = v.rep->drop == NULL ? HOLD_PLAIN : HOLD_OWNED;
    return c_temp(c, own);
}

Value c_steady(CEmit *c, Value v)
{
    if (v.lasting || v.rep->kind == REP_NONE)
        return v.hold == HOLD_OWNED ? c_temp(c, v) : v;
    return kept(c, v);
}

Value c_place(CEmit *c, Value v)
{
    return v.place ? v : c_temp(c, v);
}

const char *c_address(CEmit *c, Value v)
{
    if (v.rep->kind == REP_NONE)
        return "&pychoral_nothing";
    return c_text(c, "&%s", c_place(c, v).text);
}

const char *c_ref(CEmit *c, Value v)
{
    return c_text(c, "(PychoralRef){%s, %s}", v.rep->row, c_address(c, v));
}

const char *c_owned(CEmit *c, Value v)
{
    if (v.hold != HOLD_BORROWED)
        return v.text;
    if (v.movable)
        return c_text(c, "PYCHORAL_TAKE(%s)", v.text);
    return c_text(c, "%s(%s)", v.rep->keep, v.text);
}

const char *c_borrowed(CEmit *c, Value v)
{
    return v.hold == HOLD_OWNED ? c_temp(c, v).text : v.text;
}

// Arguments of one call are not evaluated in a known order in C: each is written first.
const char *c_of_two(CEmit *c, const char *function, Value l, Value r)
{
    const char *left = c_borrowed(c, l), *right = c_borrowed(c, r);
    return c_text(c, "%s(%s, %s)", function, left, right);
}

const char *c_of_two_refs(CEmit *c, const char *function, Value l, Value r)
{
    const char *left = c_ref(c, c_place(c, l)), *right = c_ref(c, c_place(c, r));
    return c_text(c, "%s(%s, %s)", function, left, right);
}

void c_put_key(CEmit *c, Value dict, Value key, Value v)
{
    const char *at = c_address(c, key), *value = c_address(c, v);
    c_line(c, "pychoral_dict_put(%s, %s, %s);", dict.text, at, value);
}

// ---- calls ----

void c_check(CEmit *c)
{
    const char *in = c->home->name ? c_text(c, "_IN(%s, ", c->home->file) : "(";
    c_line(c, "if (PYCHORAL_FAILED%s\"%s\", %u)) %s", in,
           c->function ? c->function->shown : "<module>", c->line, c->fail);
}

Value c_call(CEmit *c, const Rep *result, const char *text, bool raises)
{
    Value v = c_value(result, text, HOLD_OWNED);
    if (!raises)
        return v;
    struct CLast last = {.in = c->out, .start = c->out->len, .call = text, .declared = c->declared};
    v = c_temp(c, v);
    c_check(c);
    last.end = c->out->len;
    last.name = v.text;
    c->last = last;
    return v;
}

// If nothing was written since the call that gave `v`, takes it back: the caller writes it into a
// variable itself, and checks.
bool c_take_call(CEmit *c, Value v, const char **call)
{
    const struct CLast *last = &c->last;
    if (last->in != c->out || last->end != c->out->len || last->name != v.text)
        return false;
    *call = last->call;
    c->out->len = last->start;
    c->out->at[c->out->len] = '\0';
    c->declared = last->declared;
    c->last.in = NULL;
    return true;
}

// ---- conversions ----

static Value wrap(CEmit *c, Value v, const Rep *to, size_t part)
{
    const Rep *r = to->parts[part];
    Value out = {.rep = to, .lasting = v.lasting};
    bool owned = v.hold == HOLD_OWNED || v.movable;
    const char *text = owned ? c_owned(c, v) : v.text;
    if (r->kind == REP_NONE)
        out.text = c_text(c, "(%s){.is = %zu}", to->name, part);
    else
        out.text = c_text(c, "(%s){.is = %zu, .as_%s = %s}", to->name, part, r->name, text);
    out.hold = to->drop == NULL ? HOLD_PLAIN : owned ? HOLD_OWNED : HOLD_BORROWED;
    return out;
}

static bool is_number(const Rep *r)
{
    return r->kind == REP_BOOL || r->kind == REP_INT || r->kind == REP_FLOAT
           || r->kind == REP_COMPLEX;
}

// Whether a value of one static type may go where the other is wanted, as Python's typing has it.
static bool fits(const Rep *from, const Rep *to)
{
    if (from == to || to->kind == REP_OBJECT)
        return true;
    if (from->kind == REP_UNION) {
        for (size_t i = 0; i < from->count; i++)
            if (!fits(from->parts[i], to))
                return false;
        return true;
    }
    for (size_t i = 0; to->kind == REP_UNION && i < to->count; i++)
        if (fits(from, to->parts[i]))
            return true;
    if (is_number(from) && is_number(to))
        return from->kind <= to->kind;
    if (from->kind == REP_CLASS && to->kind == REP_CLASS)
        return c_derives(from->class_, to->class_);
    if (from->kind == REP_ENUM && from->class_->enum_base && !from->class_->is_by_name)
        return to->kind == (from->class_->enum_base == 'i' ? REP_INT : REP_STR);
    if (from->kind == REP_TUPLE && to->kind == REP_TUPLE && from->count == to->count) {
        for (size_t i = 0; i < from->count; i++)
            if (!fits(from->parts[i], to->parts[i]))
                return false;
        return true;
    }
    bool is_tuple = to->kind == REP_TUPLE || to->kind == REP_SEQUENCE;
    if (from->kind == REP_SEQUENCE && from->element->kind == REP_OBJECT && is_tuple)
        return true;                            // tuple[Any, ...] may be any tuple
    if (from->kind == REP_SEQUENCE && to->kind == REP_TUPLE) {
        for (size_t i = 0; i < to->count; i++)
            if (!fits(from->element, to->parts[i]))
                return false;
        return true;
    }
    if (from->kind == REP_TUPLE && to->kind == REP_SEQUENCE) {
        for (size_t i = 0; i < from->count; i++)
            if (!fits(from->parts[i], to->element))
                return false;
        return true;
    }
    return from->kind == to->kind && from->kind == REP_SEQUENCE && fits(from->element, to->element);
}

// ---- ints where floats are declared: Python keeps them; only arithmetic cannot tell ----

static const Rep *item_of(const Rep *r)
{
    return r->kind == REP_DICT ? r->key_rep : r->element;
}

static bool promotes(CEmit *c, const Rep *from, const Rep *to);

static bool promotes_parts(CEmit *c, const Rep *from, const Rep *to)
{
    for (size_t i = 0; i < from->count; i++)
        if (promotes(c, from->parts[i], to->kind == REP_TUPLE ? to->parts[i] : to->element))
            return true;
    return false;
}

// A function is given what it is declared to take, and gives what it gives.
static bool promotes_call(CEmit *c, const Rep *from, const Rep *to)
{
    for (size_t i = 0; i < from->count && i < to->count; i++)
        if (promotes(c, to->parts[i], from->parts[i]))
            return true;
    return promotes(c, from->element, to->element);
}

// The member of a union that a value of another type goes into: of numbers the nearest. `count`:
// none takes it.
static size_t member_for(const Rep *from, const Rep *to)
{
    size_t found = to->count;
    for (size_t i = 0; i < to->count; i++) {
        if (to->parts[i] == from)
            return i;
        bool nearer = found < to->count && is_number(from) && is_number(to->parts[i])
                      && to->parts[i]->kind < to->parts[found]->kind;
        if (fits(from, to->parts[i]) && (found == to->count || nearer))
            found = i;
    }
    return found;
}

enum { MAX_DEPTH = 8 };         // types may contain themselves

// Whether an object as which anything may come could have an int for a float.
static bool has_floats(const Rep *r, int depth)
{
    if (depth == MAX_DEPTH)
        return false;
    switch (r->kind) {
    case REP_FLOAT:
        return true;
    case REP_LIST: case REP_SEQUENCE: case REP_SET: case REP_FROZENSET:
        return has_floats(r->element, depth + 1);
    case REP_DICT:
        return has_floats(r->key_rep, depth + 1) || has_floats(r->element, depth + 1);
    case REP_TUPLE: case REP_UNION:
        for (size_t i = 0; i < r->count; i++)
            if (r->parts[i]->kind == REP_INT && r->kind == REP_UNION)
                return false;
        for (size_t i = 0; i < r->count; i++)
            if (has_floats(r->parts[i], depth + 1))
                return true;
        return false;
    default:
        return false;
    }
}

// Whether converting would make a float of an int in the value.
static bool promotes(CEmit *c, const Rep *from, const Rep *to)
{
    if (from == to || to->kind == REP_OBJECT)
        return false;
    if (from->kind == REP_OBJECT)
        return has_floats(to, 0);
    if (is_number(from) && is_number(to))
        return to->kind > REP_INT && from->kind < to->kind;
    if (from->kind == REP_UNION) {
        for (size_t i = 0; i < from->count; i++)
            if (promotes(c, from->parts[i], to))
                return true;
        return false;
    }
    if (to->kind == REP_UNION) {
        size_t i = member_for(from, to);
        return i < to->count && promotes(c, from, to->parts[i]);
    }
    if (from->kind == REP_TUPLE && (to->kind == REP_SEQUENCE
                                    || (to->kind == REP_TUPLE && to->count == from->count)))
        return promotes_parts(c, from, to);
    if (from->kind == REP_FUNCTION && to->kind == REP_FUNCTION)
        return promotes_call(c, from, to);
    bool items = to->kind == REP_ITERATOR || (from->kind == to->kind
        && (to->kind == REP_SEQUENCE || to->kind == REP_FROZENSET));
    if (items && from->kind == REP_RANGE)
        return promotes(c, rep_named(c, "int"), to->element);
    return items && item_of(from) != NULL && promotes(c, item_of(from), to->element);
}

static bool is_reported(CEmit *c, Span at)
{
    for (size_t i = 0; i < c->reported.len; i++)
        if (c->reported.at[i].start == at.start)
            return true;
    return false;
}

bool c_check_promotion(CEmit *c, const Rep *from, const Rep *to, Span at)
{
    if (c->promotes > 0 || !promotes(c, from, to))
        return true;
    vec_push(c->arena, &c->promoted, at);
    if (!is_reported(c, at))
        return false;
    if (is_number(from) && is_number(to))
        (void)c_refuse(c, at, "Python keeps this `%s` where the declared type is `%s`, but the C "
                       "target does not\nwrite `%s(..)`, or a literal of that type", from->key,
                       to->key, to->key);
    else if (from->kind == REP_OBJECT && to->kind == REP_FLOAT)
        (void)c_refuse(c, at, "Python keeps an `int` here where the declared type is `float`, but "
                       "the C target does not\nwrite `float(..)`");
    else
        (void)c_refuse(c, at, "Python keeps the numbers in this `%s` where the declared type is "
                       "`%s`, but the C target does not\nconvert the numbers first",
                       c_type_name(c, from), c_type_name(c, to));
    return false;
}

static bool is_mutable(const Rep *r)
{
    return r->kind == REP_LIST || r->kind == REP_DICT || r->kind == REP_SET;
}

static bool holds_mutable(const Rep *r)
{
    bool found = is_mutable(r) || (r->kind == REP_SEQUENCE && holds_mutable(r->element));
    for (size_t i = 0; (r->kind == REP_UNION || r->kind == REP_TUPLE) && i < r->count; i++)
        found |= holds_mutable(r->parts[i]);
    return found;
}

static Value generic(CEmit *c, Value v, const Rep *to)
{
    bool own = (v.rep->kind == REP_OBJECT || holds_mutable(to)) // nobody else looks at it
               && (v.hold == HOLD_OWNED || v.movable);
    const char *from = c_address(c, v), *name = c_new_name(c);
    if (to->drop != NULL)
        c_line(c, "PYCHORAL_OWNED(%s) %s%s = %s;", to->drop, to->type, name,
               strcmp(rep_zero(c, to), "NULL") == 0 ? "NULL" : "{0}");
    else
        c_line(c, "%s%s;", to->type, name);
    c_line(c, "pychoral_convert%s(%s, %s, %s, &%s);", own ? "_own" : "", v.rep->row, from, to->row,
           name);
    c_check(c);
    return (Value){.rep = to, .text = name, .lasting = true, .place = true, .movable = to->drop,
                   .hold = to->drop ? HOLD_BORROWED : HOLD_PLAIN};
}

Value c_made_as(CEmit *c, Value v, const Rep *to)
{
    return v.rep == to ? v : generic(c, v, to);
}

static Value into_union(CEmit *c, Value v, const Rep *to, Span at)
{
    size_t member = member_for(v.rep, to);
    if (member < to->count)
        return wrap(c, c_convert(c, v, to->parts[member], at), to, member);
    if (v.rep->kind == REP_CLASS)               // which of them the object is, shows then
        return generic(c, v, to);
    for (size_t i = 0; i < to->count; i++)
        if (to->parts[i]->kind == v.rep->kind)
            return wrap(c, c_convert(c, v, to->parts[i], at), to, i);
    return c_refuse_as(c, at, v.rep, to);
}

Value c_plain_member(CEmit *c, Value v)
{
    int base = v.rep->kind == REP_ENUM ? v.rep->class_->enum_base : 0;
    return !base ? v : generic(c, v, rep_named(c, base == 'i' ? "int" : "str"));
}

static Value out_of_union(CEmit *c, Value v, const Rep *to)
{
    if (to->kind == REP_UNION || to->kind == REP_OBJECT)
        return generic(c, v, to);
    if (to->kind == REP_NONE)
        return c_lasting(c_value(to, "0", HOLD_PLAIN));
    size_t fitting = 0;
    for (size_t i = 0; i < v.rep->count; i++)
        fitting += fits(v.rep->parts[i], to);
    for (size_t i = 0; i < v.rep->count && fitting == 1; i++)
        if (v.rep->parts[i] == to) {
            Value whole = v.place || v.hold != HOLD_OWNED ? v : c_temp(c, v);
            Value part = c_value(to, c_text(c, "%s.as_%s", whole.place ? whole.text
                                            : c_text(c, "(%s)", whole.text), to->name),
                                 HOLD_BORROWED);
            part.place = whole.place;
            part.lasting = whole.lasting;
            return part;
        }
    return generic(c, v, to);
}

static void expect(CEmit *c, const char *test, Value v, const Rep *to)
{
    c_line(c, "if (!(%s)) {", test);
    c->out->indent++;
    c_line(c, "pychoral_not_narrowed(%s, %s);", c_ref(c, v), to->row);
    c_check(c);
    c->out->indent--;
    c_line(c, "}");
}

// What a test said of a place that others can change need not hold any more: it is looked at again.
Value c_narrow_place(CEmit *c, Value v, const Rep *to, Span at)
{
    if (to->kind == REP_NONE)
        return v;                               // whatever it is now
    if (v.rep->kind == REP_OBJECT)
        return c_convert(c, v, to, at);
    v = c_place(c, v);
    if (v.rep->kind == REP_CLASS && to->kind == REP_CLASS) {
        if (v.rep != to && !c_derives(v.rep->class_, to->class_))
            expect(c, c_text(c, "pychoral_derives(((PychoralObject *)%s)->type, %s)", v.text,
                             to->row), v, to);
        return c_convert(c, v, to, at);
    }
    for (size_t i = 0; v.rep->kind == REP_UNION && i < v.rep->count; i++)
        if (v.rep->parts[i] == to) {
            expect(c, c_text(c, "%s.is == %zu", v.text, i), v, to);
            return c_convert(c, v, to, at);
        }
    return v.rep->kind == REP_UNION ? generic(c, v, to) : c_convert(c, v, to, at);
}

static Value convert_tuple(CEmit *c, Value v, const Rep *to, Span at)
{
    v = c_place(c, v);
    const char *items = "";
    for (size_t i = 0; i < to->count; i++) {
        Value part = c_value(v.rep->parts[i], c_text(c, "%s.item%zu", v.text, i), HOLD_BORROWED);
        part.place = true;
        part.movable = v.movable && part.rep->drop != NULL;     // nothing else refers to it
        items = c_text(c, "%s%s.item%zu = %s", items, i ? ", " : "", i,
                       c_owned(c, c_convert(c, part, to->parts[i], at)));
    }
    return c_value(to, c_text(c, "(%s){%s}", to->name, items), HOLD_OWNED);
}

static Value convert_number(CEmit *c, Value v, const Rep *to)
{
    if (v.rep->kind == REP_BOOL && to->kind == REP_INT)
        return (Value){.rep = to, .text = c_text(c, "pychoral_int_bool(%s)", v.text),
                       .hold = HOLD_BORROWED, .lasting = v.lasting};
    if (v.rep->kind == REP_BOOL && to->kind == REP_FLOAT)
        return c_value(to, c_text(c, "(double)%s", v.text), HOLD_PLAIN);
    if (v.rep->kind == REP_INT && to->kind == REP_FLOAT)
        return c_call(c, to, c_text(c, "pychoral_int_as_float(%s)", c_borrowed(c, v)), true);
    return generic(c, v, to);
}

Value c_convert(CEmit *c, Value v, const Rep *to, Span at)
{
    const Rep *from = v.rep;
    if (from == to)
        return v;
    c_note_erased(c, from, to, at);
    if (to->kind == REP_NONE) {
        if (v.hold == HOLD_OWNED)
            (void)c_temp(c, v);
        return c_lasting(c_value(to, "0", HOLD_PLAIN));
    }
    if (to->kind == REP_OBJECT)
        return c_value(to, c_text(c, "pychoral_any(%s, %s)", from->row, c_address(c, v)),
                       HOLD_OWNED);
    if (!c_check_promotion(c, from, to, at))
        return c_value(to, rep_zero(c, to), HOLD_OWNED);
    if (to->kind == REP_ITERATOR)
        return c_call(c, to, c_text(c, "pychoral_iter(%s, %s)", to->element->row, c_ref(c, v)),
                      true);
    if (from->kind == REP_UNION)
        return out_of_union(c, v, to);
    if (to->kind == REP_UNION)
        return from->kind == REP_OBJECT ? generic(c, v, to) : into_union(c, v, to, at);
    if (from->kind == REP_OBJECT)
        return generic(c, v, to);
    if (is_number(from) && is_number(to))
        return convert_number(c, v, to);
    if (from->kind == REP_CLASS && to->kind == REP_CLASS) {
        v.text = c_text(c, "(%s)%s", to->type, v.text);
        v.place = v.movable = false;
        v.rep = to;
        return v;
    }
    if (from->kind == REP_TUPLE && to->kind == REP_TUPLE && from->count == to->count)
        return convert_tuple(c, v, to, at);
    if (from->kind == REP_FUNCTION && to->kind == REP_FUNCTION)
        return c_value(to, c_text(c, "pychoral_function_as(%s, %s)", to->row, c_borrowed(c, v)),
                       HOLD_OWNED);
    bool open = from->kind == to->kind && is_mutable(to) && (v.hold == HOLD_OWNED || v.movable)
                && (from->element->kind == REP_OBJECT || to->element->kind == REP_OBJECT
                    || (from->key_rep != NULL && from->key_rep->kind == REP_OBJECT));
    if (open || fits(from, to))
        return generic(c, v, to);
    if (from->kind == REP_ENUM && from->class_->is_by_name)
        return c_refuse(c, at, "Python keeps the member of `%s` where `%s` is expected, but the C "
                        "target does not\nwrite `.value`", c_type_name(c, from),
                        c_type_name(c, to));
    return c_refuse_as(c, at, from, to);
}

long c_small_constant(const Expr *e)
{
    enum { MOST_DIGITS = 9 };
    const Const *k = e->kind == EXPR_CONSTANT ? e->constant.value : NULL;
    if (k == NULL || k->kind != CONST_INT || k->text.len > MOST_DIGITS)
        return -1;
    long number = 0;
    for (size_t i = 0; i < k->text.len; i++)
        number = number * 10 + (k->text.at[i] - '0');
    return number;
}

// Whether one pair of brackets is around all of it.
static bool is_in_brackets(const char *test)
{
    size_t depth = 0, i = 0;
    do
        depth += (test[i] == '(') - (size_t)(test[i] == ')');
    while (depth > 0 && test[++i] != '\0');
    return test[0] == '(' && depth == 0 && test[i + 1] == '\0';
}

const char *c_in_brackets(CEmit *c, const char *test)
{
    return is_in_brackets(test) ? test : c_text(c, "(%s)", test);
}

const char *c_without_brackets(CEmit *c, const char *text)
{
    bool needed = !is_in_brackets(text) || text[1] == '{';      // they are of the block
    for (size_t depth = 0, i = 0; !needed && text[i] != '\0'; i++) {
        depth += (text[i] == '(') - (size_t)(text[i] == ')');
        needed = depth == 1 && text[i] == ',';                  // x = (a, b)
    }
    return needed ? text : c_text(c, "%.*s", (int)strlen(text) - 2, text + 1);
}

// In a chain of `&&` or `||`: a name, a call, a comparison.
static const char *operand(CEmit *c, const char *text)
{
    const char *inner = c_without_brackets(c, text);
    bool needed = strpbrk(inner, "?{\"") || strstr(inner, "&&") || strstr(inner, "||")
                  || strstr(inner, " = ");
    return needed ? text : inner;
}

const char *c_joined(CEmit *c, const char *left, const char *right, bool is_and)
{
    const char *first = operand(c, left), *second = operand(c, right);
    if (is_and && strcmp(first, "true") == 0)
        return second;
    return is_and && strcmp(second, "true") == 0 ? first
        : c_text(c, is_and ? "%s && %s" : "%s || %s", first, second);
}

// A number that C writes as Python does, and that is none of the ends of 64 bits.
static bool is_literal(const char *text)
{
    size_t length = strlen(text), digits = strspn(text + (*text == '-'), "0123456789");
    return digits > 0 && digits + (*text == '-') == length && digits <= 15;
}

// A name, a call, a member: what stands before `.small` without brackets.
static bool is_postfix(const char *text)
{
    size_t depth = 0;
    for (const char *at = text; *at; at++) {
        bool arrow = (at[0] == '-' && at[1] == '>') || (at[0] == '>' && at > text && at[-1] == '-');
        bool word = isalnum((unsigned char)*at) || *at == '_' || *at == '.' || arrow;
        bool opens = (*at == '(' || *at == '[') && at > text, closes = *at == ')' || *at == ']';
        if (depth == 0 && !word && !opens)
            return false;
        depth += opens;
        depth -= closes;
    }
    return true;
}

const char *c_negated(CEmit *c, const char *test)
{
    static const char END[] = " != 0";
    size_t length = strlen(test), end = strlen(END);
    const char *of = length <= end || strcmp(test + length - end, END) != 0 ? NULL
        : c_text(c, "%.*s", (int)(length - end), test);
    return of != NULL && is_postfix(of) ? c_text(c, "%s == 0", of) : c_text(c, "!(%s)", test);
}

const char *c_small(CEmit *c, Value v)
{
    const char *text = c_borrowed(c, v);
    return c_text(c, is_postfix(text) ? "%s.small" : "(%s).small", text);
}

// Lengths are unsigned in C: no compiler warns where that makes no difference.
static const char *counted(const char *text, const char *other, const char *sign)
{
    static const char CAST[] = "(int64_t)";
    bool same = strcmp(other, "0") != 0 || sign[0] == '=' || sign[0] == '!';
    bool length = strncmp(text, CAST, strlen(CAST)) == 0 && is_postfix(text + strlen(CAST));
    return length && same && is_literal(other) && *other != '-' ? text + strlen(CAST) : text;
}

const char *c_compared_ints(CEmit *c, const char *sign, Value l, Value r)
{
    const char *left = c_plain_int(c, l), *right = c_plain_int(c, r);
    if (left == NULL && right != NULL && is_literal(right))
        left = c_small(c, l);
    if (right == NULL && left != NULL && is_literal(left))
        right = c_small(c, r);
    return left == NULL || right == NULL ? NULL
        : c_text(c, "(%s %s %s)", counted(left, right, sign), sign, counted(right, left, sign));
}

const char *c_plain_int(CEmit *c, Value v)
{
    static const char WRAP[] = "pychoral_int(";
    if (v.rep->kind != REP_INT || strncmp(v.text, WRAP, strlen(WRAP)) != 0)
        return NULL;
    const char *inner = v.text + strlen(WRAP), *end = inner;
    for (int depth = 1; depth > 0; end++) {
        if (*end == '\0' || *end == '"' || *end == '\'')
            return NULL;
        depth += *end == '(' ? 1 : *end == ')' ? -1 : 0;
    }
    int size = (int)(end - 1 - inner);
    bool simple = memchr(inner, ' ', (size_t)size) == NULL;
    return *end != '\0' ? NULL : c_text(c, simple ? "%.*s" : "(%.*s)", size, inner);
}
