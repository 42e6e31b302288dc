// entry.c - the signature of the entry: what command lines can give (docs/language.md, "`main`").
//
// A replicated parameter is an option of each of its roles, and the greeting of each channel that
// joins two of them compares what they were given (runtime/PROTOCOL.md 1); so channels must join
// them all, and its values must be the same bytes wherever they are the same.

#include <string.h>

#include "typecheck/internal.h"

// What a command line can give a parameter; only one without a default needs it, or one that roles
// compare.
static void check_option(Program *p, const Param *q) {
    bool agreed = q->type.roles.len > 1;
    const char *why = q->default_value != NULL && !agreed ? NULL : wire_unsendable(p, q->type.ty);
    if (sym_is(q->name, "stdin")) {
        Sym at = q->type.roles.at[0];
        Diag *d = diag_report(p->diags, q->at, DIAG_ENTRY_UNFIT,
                              "`%s` cannot have a parameter `stdin`, because `--%s.stdin` names "
                              "the standard input of %s", p->entry, at, at);
        diag_help(d, "use another name");
    } else if (why != NULL) {
        Diag *d = diag_report(p->diags, q->at, DIAG_ENTRY_UNFIT,
                              "the command line cannot set `%s` of type `%s`: %s", q->name,
                              type_text(p, q->type.ty), why);
        const Ty *t = q->type.ty;
        const Decl *own = t->kind == TY_NAMED ? program_find(p, t->named.name) : NULL;
        const char *or_default = agreed ? "" : ", or write a default value";
        if (type_several(t))
            diag_help(d, "use a separate parameter for each part");
        else if (own != NULL && own->kind == DECL_LOCAL_CLASS && !own->is_dataclass)
            diag_help(d, "make `%s` a dataclass, use a separate parameter for each field%s",
                      own->name, or_default);
        else if (type_is(t, "bytearray"))
            diag_help(d, "declare `%s` as `bytes`%s", q->name, or_default);
        else
            diag_help(d, "use a separate parameter for each part of it, or for its text%s",
                      or_default);
    }
}

// ---- what roles compare ----

// The part of a type that a set may be; NULL: there is none.
static const Ty *set_in(Program *p, const Ty *t);

static const Ty *set_in_any(Program *p, TyList list) {
    const Ty *found = NULL;
    for (size_t i = 0; i < list.len && found == NULL; i++) found = set_in(p, list.at[i]);
    return found;
}

static bool admits_set(const Ty *t) {
    static const char *const SETS[] = {"set", "frozenset", "object", NULL};
    static const struct { const char *name, *kinds; } ABSTRACTS[] = {
#define ABSTRACT(name, kinds) {#name, kinds},
#include "compiler/ir/abstract.def"
#undef ABSTRACT
    };
    for (size_t i = 0; i < sizeof ABSTRACTS / sizeof *ABSTRACTS; i++)
        if (sym_is(t->named.name, ABSTRACTS[i].name))
            return strpbrk(ABSTRACTS[i].kinds, "sf") != NULL;
    return sym_is_one_of(t->named.name, SETS);
}

static const Ty *set_in_class(Program *p, const Ty *t) {
    Decl *d = program_find(p, t->named.name);
    const Ty *found = NULL;
    if (d == NULL || d->kind != DECL_LOCAL_CLASS || d->asked) return NULL;
    d->asked = true;
    for (const Decl *c = d; c != NULL && found == NULL; c = program_local_base(p, c))
        for (size_t i = 0; i < c->field_order.len && found == NULL; i++) {
            const Field *f = table_get(c->fields, c->field_order.at[i]);
            found = set_in(p, f->type.ty);
        }
    d->asked = false;
    return found;
}

static const Ty *set_in(Program *p, const Ty *t) {
    switch (t->kind) {
    case TY_NAMED: {
        if (admits_set(t)) return t;
        const Ty *found = set_in_any(p, t->named.args);
        return found != NULL ? found : set_in_class(p, t);
    }
    case TY_TUPLE: return set_in_any(p, t->tuple.items);
    case TY_UNION: return set_in_any(p, t->union_.items);
    case TY_ANY: return t;
    case TY_POISON: case TY_NONE_TYPE: case TY_INST: case TY_CALLABLE: case TY_LITERAL:
    case TY_TYPE_VAR: case TY_PLACED: case TY_COUNT: return NULL;
    }
    return NULL;
}

// Those of `roles` that channels of the entry between two of them join to the first.
static SymList joined_roles(Program *p, const Function *f, SymList roles) {
    SymList joined = roles_one(p->arena, roles.at[0]);
    for (size_t before = 0; before != joined.len;) {
        before = joined.len;
        for (size_t i = 0; i < f->params.len; i++) {
            const Ty *t = f->params.at[i].type.ty;
            if (!type_is_channel(p, t)) continue;
            SymList ends = roles_meet(p->arena, t->inst.actuals, roles);
            if (roles_meet(p->arena, ends, joined).len > 0)
                joined = roles_join(p->arena, joined, ends);
        }
    }
    return joined;
}

static void check_agreed(Program *p, const Function *f, const Param *q) {
    SymList roles = q->type.roles, joined = joined_roles(p, f, roles);
    const Ty *set = set_in(p, q->type.ty);
    if (joined.len < roles.len) {
        size_t i = 0;
        while (roles_has(joined, roles.at[i])) i++;
        Diag *d = diag_report(p->diags, q->at, DIAG_SIGNATURE_PLACE,
                              "parameter `%s` of `%s` is at %s and %s, but no channel connects "
                              "these roles to compare its values", q->name, p->entry,
                              roles.at[0], roles.at[i]);
        diag_help(d, "add a parameter that is a channel, such as `ch: Channel[int, %s, %s]`; or "
                     "declare `%s` at one role", roles.at[0], roles.at[i], q->name);
    } else if (set != NULL && wire_unsendable(p, q->type.ty) == NULL) {
        bool any = set->kind == TY_ANY || sym_is(set->named.name, "object");
        Diag *d = diag_report(p->diags, q->at, DIAG_ENTRY_UNFIT,
                              "parameter `%s` of `%s` is at %s, but %s `%s`%s may differ between "
                              "roles", q->name, p->entry, roles_text(p->arena, roles),
                              any ? "it may hold a set by its type" : "the iteration order of",
                              type_text(p, set), any ? ", whose iteration order" : "");
        diag_help(d, any
                         ? "declare a more exact type, without sets"
                         : "declare a `list`, and make a set from it where it is needed");
    }
}

// ---- all parameters ----

void entry_check(Program *p) {
    Decl *d = program_find(p, p->entry);
    if (d == NULL || d->kind != DECL_CHOREOGRAPHY || d->function->broken) return;
    for (size_t i = 0; i < d->function->params.len; i++) {
        const Param *q = &d->function->params.at[i];
        if (type_is_channel(p, q->type.ty)) continue;
        if (type_choreographic(q->type.ty)) {
            diag_help(diag_report(p->diags, q->at, DIAG_SIGNATURE_PLACE,
                                  "`%s` cannot have a function as a parameter, because the command "
                                  "line cannot pass a function", p->entry),
                      "remove the parameter, and name the function where `%s` uses it", p->entry);
        } else if (q->type.ty->kind == TY_INST) {
            diag_help(diag_report(p->diags, q->at, DIAG_SIGNATURE_PLACE,
                                  "`%s` cannot have an object of several roles as a parameter, "
                                  "because the command line cannot pass such an object",
                                  p->entry),
                      "remove the parameter, and create the object in `%s`", p->entry);
        } else {
            if (q->type.roles.len > 1 && !type_several(q->type.ty)) check_agreed(p, d->function, q);
            check_option(p, q);
        }
    }
}
