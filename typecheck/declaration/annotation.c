// annotation.c - reading located types: At[T, R..], C[T.., R..], channels, None; and local types.
//
// A role name is recognised by its position: after the type in At, after the type arguments of a
// role-parametric class or a channel (docs/language.md, "Located types").

#include <string.h>

#include "compiler/ir/ty.h"
#include "typecheck/internal.h"
#include "typecheck/python/python.h"

static const ChannelClass CHANNELS[] = {
    {"DiDataChannel", 1, true, false, false, false},
    {"DiSelectChannel", 0, false, false, true, false},
    {"DiChannel", 1, true, false, true, false},
    {"BiDataChannel", 2, true, true, false, false},
    {"BiChannel", 2, true, true, true, true},
    {"SymDataChannel", 1, true, true, false, false},
    {"SymSelectChannel", 0, false, false, true, true},
    {"SymChannel", 1, true, true, true, true},
    {"Channel", 1, true, true, true, true},
    {"SecureChannel", 1, true, true, true, true},
};

const ChannelClass *channel_class(Sym name) {
    for (size_t i = 0; i < sizeof CHANNELS / sizeof *CHANNELS; i++)
        if (sym_is(name, CHANNELS[i].name)) return &CHANNELS[i];
    return NULL;
}

// The elements of a subscript: `a, b` is a tuple, anything else one element.
ExprList annotation_elements(Arena *a, const Expr *slice) {
    if (slice->kind == EXPR_TUPLE) return slice->tuple.elts;
    const Expr **one = ARENA_NEW(a, const Expr *);
    *one = slice;
    return (ExprList){one, 1};
}

Sym annotation_head(const Expr *e) {
    if (e->kind == EXPR_NAME) return e->name.id;
    if (e->kind == EXPR_ATTRIBUTE) return e->attribute.attr;
    return NULL;
}

static Decl *head_decl(Program *p, const Expr *e) {
    return e->kind == EXPR_NAME ? program_find(p, e->name.id) : NULL;
}

// ---- local types ----

static TyList local_types(Program *p, ExprList list) {
    Vec(const Ty *) out = {0};
    for (size_t i = 0; i < list.len; i++)
        vec_push(p->arena, &out, annotation_local(p, list.at[i]));
    return (TyList){out.at, out.len};
}

static const Ty *union_type(Program *p, TyList parts) {
    Vec(const Ty *) flat = {0};
    for (size_t i = 0; i < parts.len; i++) {
        TyList of = parts.at[i]->kind == TY_UNION ? parts.at[i]->union_.items
                                                  : (TyList){&parts.at[i], 1};
        for (size_t j = 0; j < of.len; j++) vec_push(p->arena, &flat, of.at[j]);
    }
    return ty_union(p->arena, (TyList){flat.at, flat.len});
}

// `Callable[[int], str]`; a parameter list that is not written out is Poison (pyt_any_params).
static const Ty *local_callable(Program *p, ExprList args) {
    const Ty **any = ARENA_NEW(p->arena, const Ty *);
    *any = ty_poison(p->arena);
    bool listed = args.len == 2 && args.at[0]->kind == EXPR_LIST;
    TyList params = listed ? local_types(p, args.at[0]->list.elts) : (TyList){any, 1};
    return ty_callable(p->arena, params, args.len == 2 ? annotation_local(p, args.at[1]) : NULL);
}

// `np` of `np.ndarray`; NULL: there is something else than names.
static Sym dotted_name(Program *p, const Expr *e) {
    if (e->kind != EXPR_ATTRIBUTE) return e->kind == EXPR_NAME ? e->name.id : NULL;
    Sym outer = dotted_name(p, e->attribute.value);
    return outer == NULL ? NULL : names_format(p->names, "%s.%s", outer, e->attribute.attr);
}

// `a.b.C` of a stub that is imported as `import a.b`.
static PySym *in_stub(Program *p, const Expr *e) {
    Sym outer = e->kind == EXPR_ATTRIBUTE ? dotted_name(p, e->attribute.value) : NULL;
    PyModule *m = outer != NULL ? pyt_module(p->py, outer) : NULL;
    return m != NULL && m->stub ? pyt_follow(pyt_find(m->env, e->attribute.attr), &m) : NULL;
}

// What a type with arguments is called. What comes from typing has the name it has there, whatever
// it is called here; names of the library are the last of a dotted name; others stay as they are.
Sym annotation_generic(Program *p, const Expr *e) {
    PySym *s = pyt_lookup(p->py->file->env, e);
    if (s == NULL) s = in_stub(p, e);
    if (s != NULL && s->home->module == p->py->typing) return s->name;
    if (s == NULL || !s->home->module->stub) return dotted_name(p, e);
    table_set(p->py->heads, annotation_head(e), s);
    return annotation_head(e);
}

// `Row[int]` of `Row = dict[str, T]`; NULL: it is of no alias, or has other arguments than that.
static const Ty *generic_alias(Program *p, const Expr *e) {
    Decl *d = head_decl(p, e->subscript.value);
    if (program_type_named(p, d) == NULL) return NULL;
    if (d->asked) {
        report_unsupported(p, e->at, "a recursive type with type parameters");
        return ty_any(p->arena);
    }
    ExprList args = annotation_elements(p->arena, e->subscript.slice);
    SymList around = p->type_vars, own = d->stmt->kind != STMT_TYPE_ALIAS ? (SymList){0}
        : type_params_written(p->arena, d->stmt->type_alias.type_params);
    p->type_vars = roles_join(p->arena, around, own);
    const Ty *t = annotation_local(p, e->subscript.value);
    p->type_vars = around;
    SymList vars = own.len > 0 ? own : ty_vars(p->arena, t);
    Subst s = {.vars = vars, .to_types = local_types(p, args)};
    return vars.len == args.len ? type_subst(p, t, &s) : NULL;
}

// The types of the arguments; the elements of a set and the keys of a dict need a hash.
static TyList hashed(Program *p, Sym head, ExprList args, TyList types) {
    bool set = sym_is(head, "set") || sym_is(head, "frozenset"), dict = sym_is(head, "dict");
    if ((set || dict) && types.len > 0)
        pyt_check_hashable(p->py, args.at[0], types.at[0], set ? "an element of a set" : "a key");
    return types;
}

static const Ty *subscript_type(Program *p, const Expr *e) {
    Arena *a = p->arena;
    const Ty *alias = generic_alias(p, e);
    if (alias != NULL) return alias;
    Sym head = annotation_generic(p, e->subscript.value);
    ExprList args = annotation_elements(a, e->subscript.slice);
    if (head == NULL) return ty_any(a);
    if (sym_is(head, "Optional") && args.len == 1) {
        const Ty *two[] = {annotation_local(p, args.at[0]), ty_none_type(a)};
        return union_type(p, (TyList){memcpy(ARENA_ARRAY(a, const Ty *, 2), two, sizeof two), 2});
    }
    if (sym_is(head, "Union")) return union_type(p, local_types(p, args));
    if (sym_is(head, "Annotated") || sym_is(head, "Final") || sym_is(head, "ClassVar"))
        return annotation_local(p, args.at[0]);
    if (sym_is(head, "Literal")) return judge_read(p, e);
    if (sym_is(head, "Callable")) return local_callable(p, args);
    if (sym_is(head, "tuple") || sym_is(head, "Tuple")) {
        bool open = args.len == 2 && ty_is_ellipsis(args.at[1]);
        for (size_t i = 0; i < args.len && p->py != NULL; i++)
            if (pyt_is_unpacked(p->py->file->env, args.at[i]))
                return pyt_name1(p->py, "tuple", p->py->unpacked);
        if (!open) return ty_tuple(a, local_types(p, args));
        return ty_named(a, names_get(p->names, "tuple"), local_types(p, (ExprList){args.at, 1}));
    }
    static const char *const LOWER[][2] = {
        {"List", "list"}, {"Dict", "dict"}, {"Set", "set"}, {"FrozenSet", "frozenset"}};
    for (size_t i = 0; i < 4; i++)
        if (sym_is(head, LOWER[i][0])) head = names_get(p->names, LOWER[i][1]);
    const Ty *foreign = judge_foreign(p, e->subscript.value);
    if (foreign != NULL && wire_never(p, foreign)) head = foreign->named.name;
    return ty_named(a, head, hashed(p, head, args, local_types(p, args)));
}

const Ty *annotation_local(Program *p, const Expr *e) {
    e = annotation_unquote(p, e);
    Decl *d = e->kind == EXPR_NAME ? program_find(p, e->name.id) : NULL;
    const Expr *named = program_type_named(p, d);
    if (named != NULL) {
        if (d->asked)                   // a name in what it stands for
            return p->py != NULL ? p->py->itself : ty_any(p->arena);
        d->asked = true;
        const Ty *t = annotation_local(p, named);
        d->asked = false;
        return t;
    }
    if (e->kind == EXPR_NAME && (roles_has(p->type_vars, e->name.id) ||
                                 program_is_type_var(program_find(p, e->name.id))))
        return ty_type_var(p->arena, e->name.id);
    const Ty *foreign = judge_foreign(p, e);
    if (foreign != NULL) return foreign;
    if (e->kind == EXPR_NAME && !sym_is(e->name.id, "Any"))
        return ty_named(p->arena, e->name.id, (TyList){0});
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_NONE)
        return ty_none_type(p->arena);
    if (e->kind == EXPR_SUBSCRIPT) return subscript_type(p, e);
    if (e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_BIT_OR) {
        const Ty *two[] = {annotation_local(p, e->bin_op.left),
                           annotation_local(p, e->bin_op.right)};
        const Ty **at = ARENA_ARRAY(p->arena, const Ty *, 2);
        memcpy(at, two, sizeof two);
        return union_type(p, (TyList){at, 2});
    }
    return ty_any(p->arena);        // a dotted name, or an expression nothing is known of
}

// ---- roles in annotations ----

// Which elements of a located annotation are roles: those from this index on. Less than 0: none.
int annotation_first_role(Program *p, const Expr *head, ExprList args) {
    Sym name = annotation_head(head);
    if (name == NULL) return -1;
    Decl *d = head_decl(p, head);
    if (sym_is(name, "At") && args.len > 0) return 1;
    if (d != NULL && d->kind == DECL_CHANNEL) return d->channel->types;
    if (d == NULL || d->kind != DECL_ROLE_CLASS) return -1;
    int first = (int)args.len - (int)d->formals.len;
    while (first > (int)d->type_params.len && annotation_may_be_role(p, args.at[first - 1]))
        first--;                                        // a role too many is not a type
    return first;
}

static void find_roles(Program *p, const Expr *e, SymList bound, SymList *found) {
    e = annotation_unquote(p, e);
    if (e->kind == EXPR_BIN_OP) {
        find_roles(p, e->bin_op.left, bound, found);
        find_roles(p, e->bin_op.right, bound, found);
    }
    if (e->kind == EXPR_LIST || e->kind == EXPR_TUPLE) {
        ExprList list = e->kind == EXPR_LIST ? e->list.elts : e->tuple.elts;
        for (size_t i = 0; i < list.len; i++) find_roles(p, list.at[i], bound, found);
    }
    if (e->kind != EXPR_SUBSCRIPT) return;
    if (annotation_is_misordered(p, e)) {
        *found = roles_join(p->arena, *found, annotation_roles_meant(p, e));
        return;
    }
    ExprList args = annotation_elements(p->arena, e->subscript.slice);
    int first = annotation_first_role(p, e->subscript.value, args);
    for (size_t i = 0; i < args.len; i++) {
        if (first < 0 || (int)i < first) {
            find_roles(p, args.at[i], bound, found);
            continue;
        }
        const Expr *role = annotation_unquote(p, args.at[i]);
        if (role->kind == EXPR_NAME && !roles_has(bound, role->name.id) &&
            !roles_has(*found, role->name.id))
            *found = roles_join(p->arena, *found, roles_one(p->arena, role->name.id));
    }
}

void annotation_roles(Program *p, const Expr *e, SymList bound, SymList *found) {
    find_roles(p, e, bound, found);
}

bool role_expr(Program *p, SymList scope, const Expr *e, SymList *out) {
    if (e->kind == EXPR_CALL && e->call.args.len == 0 && e->call.keywords.len == 0)
        e = e->call.func;
    if (e->kind == EXPR_NAME && roles_has(scope, e->name.id)) {
        *out = roles_join(p->arena, *out, roles_one(p->arena, e->name.id));
        return true;
    }
    if (e->kind != EXPR_TUPLE || e->tuple.elts.len == 0) return false;
    for (size_t i = 0; i < e->tuple.elts.len; i++)
        if (!role_expr(p, scope, e->tuple.elts.at[i], out)) return false;
    return true;
}

void annotation_no_role(Program *p, const Expr *e) {
    Diag *d = diag_report(p->diags, e->at, DIAG_ROLE_UNKNOWN, "%s is not a role name",
                          expr_text(p, e));
    const Expr *role = annotation_unquote(p, e);
    if (role != e && role->kind == EXPR_NAME)
        diag_edit(d, diag_help(d, "write `%s` without quotes", role->name.id), e->at, "%s",
                  role->name.id);
}

static bool read_role(Program *p, SymList roles, const Expr *e, bool channel, SymList *out) {
    e = annotation_unquote(p, e);
    if (e->kind != EXPR_NAME) {
        annotation_no_role(p, e);
        return false;
    }
    Sym r = e->name.id;
    if (!roles_has(roles, r)) {
        Diag *d = diag_report(p->diags, e->at, DIAG_ROLE_UNKNOWN, "unknown role `%s`", r);
        Sym near = program_did_you_mean(p, r, roles);
        if (near != NULL && roles_has(roles, near)) {
            Help *h = diag_help(d, "did you mean `%s`?", near);
            diag_edit(d, h, e->at, "%s", near);
        } else if (program_find(p, r) != NULL ? program_find(p, r)->kind == DECL_ROLE
                                              : !program_declares_roles(p, e->at)) {
            diag_help(d, "no parameter of the enclosing function is at %s: add one, such as a "
                      "channel to %s", r, r);
        }
        return false;
    }
    if (roles_has(*out, r)) {
        Diag *d = diag_report(p->diags, e->at, DIAG_ROLE_REPEATED, "role %s is given twice", r);
        diag_help(d, channel ? "write each role once; a channel connects two different roles"
                             : "write each role once");
        return false;
    }
    *out = roles_join(p->arena, *out, roles_one(p->arena, r));
    return true;
}

static bool read_roles(Program *p, SymList scope, ExprList args, size_t first, bool channel,
                       SymList *out) {
    bool ok = true;
    for (size_t i = first; i < args.len; i++) ok &= read_role(p, scope, args.at[i], channel, out);
    return ok;
}

static const Expr *located(Program *p, const Expr *e, const Expr *type, SymList roles) {
    return expr_located(p->arena, e->at, type, roles);
}

static LocType poison(Program *p) { return (LocType){ty_poison(p->arena), {0}}; }

// How the class is written with its roles; they may be played by others.
static void help_roles(Program *p, Diag *g, const Decl *d, TyList types) {
    const Ty *written = ty_inst(p->arena, d->name, types, d->formals);
    diag_help(g, "write the roles in brackets, as in `%s`", type_text(p, written));
}

// A channel has two ends; a value for several roles is sent to each of them.
static void help_pairs(Program *p, Diag *g, const Decl *d, TyList types, SymList roles) {
    Buf b = buf_new(p->arena);
    for (size_t i = 1; i < roles.len; i++) {
        SymList pair = {(Sym[]){roles.at[0], roles.at[i]}, 2};
        buf_printf(&b, "%s`%s`", i == 1 ? "" : i + 1 == roles.len ? " and " : ", ",
                   type_text(p, ty_inst(p->arena, d->name, types, pair)));
    }
    diag_help(g, "a channel has two ends: write one for each pair, as in %s, and one `com` for "
                 "each receiver", buf_text(&b));
}

// An instance type of class or channel `d` at these roles.
static LocType instance(Program *p, const Expr *e, const Decl *d, TyList types, SymList roles,
                        const Expr **out) {
    size_t need = d->channel != NULL ? 2 : d->formals.len;
    if (roles.len != need) {
        Diag *g = diag_report(p->diags, e->at, DIAG_ROLE_COUNT,
                              "`%s` has %zu role%s, but %zu %s given", d->name, need,
                              diag_s(need), roles.len, diag_is(roles.len));
        if (d->channel == NULL) help_roles(p, g, d, types);
        else if (roles.len > 2) help_pairs(p, g, d, types, roles);
        else diag_help(g, "a channel has two ends: write the roles of both");
        return poison(p);
    }
    if (d->channel == NULL && types.len != d->type_params.len) {
        diag_report(p->diags, e->at, DIAG_TYPE_ARGUMENTS,
                    "`%s` takes %zu type argument%s, but %zu %s given", d->name,
                    d->type_params.len, diag_s(d->type_params.len), types.len,
                    diag_is(types.len));
        return poison(p);
    }
    const Expr *name = expr_name(p->arena, e->at, d->name, EXPR_CONTEXT_LOAD);
    if (d->channel == NULL) name = type_apply(p, name, types);
    *out = located(p, e, expr_inst(p->arena, e->at, name, d->formals, roles, (SymList){0}), roles);
    return (LocType){ty_inst(p->arena, d->name, types, roles), roles};
}

static LocType read_callable(Program *p, const Expr *e, SymList more, SymList scope,
                             const Expr **out);
static bool is_callable(const Expr *e);
static bool gives_nothing(Program *p, const Expr *e);

const char *annotation_text(Program *p, const Expr *e) {
    enum { LONGEST = 60 };
    size_t len = e->at.end - e->at.start;
    const char *text = p->source->text.at + e->at.start;
    bool shown = len <= LONGEST && memchr(text, '\n', len) == NULL;
    if (!shown) return type_text(p, annotation_local(p, e));
    return arena_strndup(p->arena, text, len);
}

const Expr *annotation_of_value(Program *p, const Expr *e) {
    if (e == NULL || e->kind != EXPR_SUBSCRIPT ||
        !sym_is(annotation_head(e->subscript.value), "At"))
        return NULL;
    ExprList parts = annotation_elements(p->arena, e->subscript.slice);
    return parts.len > 0 ? parts.at[0] : NULL;
}

static LocType read_at(Program *p, const Expr *e, ExprList args, SymList scope, const Expr **out) {
    SymList roles = {0};
    if (args.len < 2) {
        diag_report(p->diags, e->at, DIAG_SIGNATURE_PLACE,
                    "`At` needs a type and at least one role, as in `At[int, %s]`",
                    scope.len > 0 ? scope.at[0] : "Alice");
        return poison(p);
    }
    if (!read_roles(p, scope, args, 1, false, &roles)) return poison(p);
    roles = roles_sorted(p->arena, scope, roles);
    const Expr *type = annotation_unquote(p, args.at[0]);
    Decl *d = head_decl(p, type);
    if (d != NULL && d->kind == DECL_ROLE_CLASS) {
        SymList given = {0};
        read_roles(p, scope, args, 1, false, &given);      // in the order they were written
        return instance(p, e, d, (TyList){0}, given, out);
    }
    SymList inner = {0};
    annotation_roles(p, type, (SymList){0}, &inner);
    if (is_callable(type) && (inner.len > 0 || (roles.len > 1 && gives_nothing(p, type))))
        return read_callable(p, type, roles, scope, out);
    if (inner.len > 0) {
        located_refuse_inside(p, e, "a located type inside a local type");
        return poison(p);
    }
    *out = located(p, e, type, roles);
    return (LocType){annotation_local(p, type), roles};
}

static void help_part_role(Program *p, Diag *d, const Expr *part, SymList scope) {
    diag_help(d, "write its role, as in `At[%s, %s]`", annotation_text(p, part),
              scope.len > 0 ? scope.at[0] : "Alice");
}

// tuple[L1, ..., Ln]: every part has roles of its own.
static LocType read_tuple(Program *p, const Expr *e, ExprList args, SymList scope,
                          const Expr **out) {
    Vec(const Ty *) items = {0};
    Vec(const Expr *) parts = {0};
    SymList roles = {0};
    for (size_t i = 0; i < args.len; i++) {
        const Expr *part = NULL;
        LocType t = annotation_located(p, args.at[i], scope, &part);
        if (t.ty->kind == TY_POISON) return poison(p);
        if (part == NULL) {
            help_part_role(p, diag_report(p->diags, args.at[i]->at, DIAG_SIGNATURE_PLACE,
                                          "this part of the tuple type has no role"),
                           args.at[i], scope);
            return poison(p);
        }
        vec_push(p->arena, &items, ty_placed(p->arena, t.ty, t.roles));
        vec_push(p->arena, &parts, part);
        roles = roles_join(p->arena, roles, t.roles);
    }
    roles = roles_sorted(p->arena, scope, roles);
    const Expr *slice = expr_tuple(p->arena, e->subscript.slice->at,
                                   (ExprList){parts.at, parts.len}, EXPR_CONTEXT_LOAD);
    const Expr *type = expr_subscript(p->arena, e->at, e->subscript.value, slice,
                                      EXPR_CONTEXT_LOAD);
    *out = located(p, e, type, roles);
    return (LocType){ty_tuple(p->arena, (TyList){items.at, items.len}), roles};
}

// Callable[[L1, ..., Ln], L]: a choreography as a value. `more` are roles beyond its own, of its
// effects.
static LocType read_callable(Program *p, const Expr *e, SymList more, SymList scope,
                             const Expr **out) {
    Arena *a = p->arena;
    ExprList args = annotation_elements(a, e->subscript.slice);
    if (args.len != 2 || args.at[0]->kind != EXPR_LIST) {
        diag_report(p->diags, e->at, DIAG_SIGNATURE_PLACE, "the type of a choreographic function "
                                                           "must list its parameters, as in "
                                                           "`Callable[[At[int, %s]], None]`",
                                                           scope.at[0]);
        return poison(p);
    }
    Vec(const Ty *) params = {0};
    Vec(const Expr *) parts = {0};
    ExprList list = args.at[0]->list.elts;
    bool whole = true;
    for (size_t i = 0; i <= list.len; i++) {
        const Expr *one = i < list.len ? list.at[i] : args.at[1], *part = NULL;
        LocType t = annotation_located(p, one, scope, &part);
        bool none = i == list.len && t.ty->kind == TY_NONE_TYPE;
        if (part == NULL && !none && t.ty->kind != TY_POISON)
            help_part_role(p, diag_report(p->diags, one->at, DIAG_SIGNATURE_PLACE,
                                          "this part of the function type has no role"),
                           one, scope);
        whole &= part != NULL || none;
        vec_push(a, &params, ty_placed(a, t.ty, t.roles));
        vec_push(a, &parts, part != NULL ? part : one);
    }
    if (!whole) return poison(p);
    const Ty *ty = ty_callable(a, (TyList){params.at, list.len}, params.at[list.len]);
    SymList roles = roles_sorted(a, scope, roles_join(a, type_callable_roles(a, ty), more));
    const Expr **two = ARENA_ARRAY(a, const Expr *, 2);
    two[0] = expr_list(a, args.at[0]->at, (ExprList){parts.at, list.len}, EXPR_CONTEXT_LOAD);
    two[1] = parts.at[list.len];
    const Expr *slice = expr_tuple(a, e->subscript.slice->at, (ExprList){two, 2},
                                   EXPR_CONTEXT_LOAD);
    p->callable = e->subscript.value;
    *out = located(p, e, expr_subscript(a, e->at, e->subscript.value, slice, EXPR_CONTEXT_LOAD),
                   roles);
    return (LocType){ty, roles};
}

static bool is_callable(const Expr *e) {
    return e->kind == EXPR_SUBSCRIPT && sym_is(annotation_head(e->subscript.value), "Callable");
}

// `At[Callable[[], None], A, B]`: nothing in it is at one role, so the function is at all of them.
static bool gives_nothing(Program *p, const Expr *e) {
    ExprList args = annotation_elements(p->arena, e->subscript.slice);
    return args.len == 2 && args.at[0]->kind == EXPR_LIST && args.at[0]->list.elts.len == 0 &&
        annotation_local(p, args.at[1])->kind == TY_NONE_TYPE;
}

static LocType read_subscript(Program *p, const Expr *e, SymList scope, const Expr **out) {
    if (annotation_is_misordered(p, e)) {
        annotation_report_order(p, e);
        return poison(p);
    }
    ExprList args = annotation_elements(p->arena, e->subscript.slice);
    const Expr *head = e->subscript.value;
    Sym name = annotation_head(head);
    if (sym_is(name, "At")) return read_at(p, e, args, scope, out);
    Decl *d = head_decl(p, head);
    int first = annotation_first_role(p, head, args);
    if (first >= 0 && d != NULL) {
        SymList roles = {0};
        size_t from = (size_t)first < args.len ? (size_t)first : args.len;
        if (!read_roles(p, scope, args, from, d->channel != NULL, &roles)) return poison(p);
        return instance(p, e, d, local_types(p, (ExprList){args.at, from}), roles, out);
    }
    SymList inner = {0};
    annotation_roles(p, e, (SymList){0}, &inner);
    bool any = args.len == 2 && ty_is_ellipsis(args.at[1]);            // `tuple[At[int, A], ...]`
    if (inner.len > 0 && !any && (sym_is(name, "tuple") || sym_is(name, "Tuple")))
        return read_tuple(p, e, args, scope, out);
    if (inner.len > 0 && is_callable(e)) return read_callable(p, e, (SymList){0}, scope, out);
    if (inner.len > 0) {
        bool either = sym_is(name, "Optional") || sym_is(name, "Union");
        located_refuse_inside(p, e, either ? "a union that contains a located type"
                                           : "a container of located values");
        return poison(p);
    }
    *out = NULL;
    return (LocType){annotation_local(p, e), {0}};
}

// What a channel there would carry: the type of the located parameters of that choreography, if
// all have one; else `object`.
static const char *likely_payload(Program *p, Span at) {
    const char *type = NULL;
    for (size_t i = 0; i < p->order.len; i++) {
        const Decl *d = p->order.at[i];
        if (d->kind != DECL_CHOREOGRAPHY || d->stmt->kind != STMT_FUNCTION_DEF ||
            at.start < d->stmt->at.start || at.end > d->stmt->at.end)
            continue;
        ArgList args = d->stmt->function_def.args->args;
        for (size_t j = 0; j < args.len; j++) {
            const Expr *value = annotation_of_value(p, args.at[j]->annotation);
            if (value == NULL) continue;
            const char *own = annotation_text(p, value);
            if (type != NULL && strcmp(type, own) != 0) return "object";
            type = own;
        }
    }
    return type != NULL ? type : "object";
}

// `Channel[object, Alice, Bob]`: roles of the scope, then those that others of the program have,
// and Alice and Bob where these are too few.
static void help_bare(Program *p, Diag *g, const Expr *e, const Decl *d, SymList scope) {
    static const char *const MORE[] = {"Alice", "Bob", "Carol"};
    size_t n = d->channel != NULL ? 2 : d->formals.len;
    for (size_t i = 0; i < p->order.len && scope.len < n; i++) {
        const Decl *other = p->order.at[i];
        SymList roles = other->kind == DECL_ROLE ? roles_one(p->arena, other->name)
            : other->kind == DECL_CHOREOGRAPHY ? signature_roles(p, other->stmt, scope)
            : other->formals;
        scope = roles_join(p->arena, scope, roles);
    }
    bool whole = scope.len >= n;
    for (size_t i = 0; i < sizeof MORE / sizeof *MORE && scope.len < n; i++)
        scope = roles_join(p->arena, scope, roles_one(p->arena, names_get(p->names, MORE[i])));
    Buf b = buf_new(p->arena);
    bool typed = d->channel != NULL && d->channel->types > 0;
    buf_printf(&b, "%s[%s", d->name, typed ? likely_payload(p, e->at) : "");
    for (size_t i = 0; i < n && i < scope.len; i++)
        buf_printf(&b, "%s%s", i > 0 || typed ? ", " : "", scope.at[i]);
    Help *h = diag_help(g, "%s `%s]`", whole ? "write" : "write it as in", buf_text(&b));
    if (whole) diag_edit(g, h, e->at, "%s]", buf_text(&b));
}

LocType annotation_located(Program *p, const Expr *e, SymList scope, const Expr **out) {
    *out = NULL;
    e = annotation_unquote(p, e);
    if (e->ty != NULL && e->ty->kind == TY_POISON) return poison(p);
    Decl *d = head_decl(p, e->kind == EXPR_SUBSCRIPT ? e->subscript.value : e);
    if (d != NULL && d->kind == DECL_LIBRARY && !program_library_has(d->name)) return poison(p);
    if (e->kind == EXPR_SUBSCRIPT) return read_subscript(p, e, scope, out);
    if (d != NULL && (d->kind == DECL_ROLE_CLASS || d->kind == DECL_CHANNEL)) {
        Diag *g = diag_report(p->diags, e->at, DIAG_ROLE_COUNT, "the %sroles of `%s` are missing",
                              d->channel != NULL && d->channel->types > 0
                                  ? "type of the values and the " : "", d->name);
        help_bare(p, g, e, d, scope);
        return poison(p);
    }
    SymList inner = {0};
    if (e->kind == EXPR_BIN_OP) annotation_roles(p, e, (SymList){0}, &inner);
    if (inner.len > 0) {
        located_refuse_inside(p, e, "a union that contains a located type");
        return poison(p);
    }
    return (LocType){annotation_local(p, e), {0}};
}

LocType annotation_signature(Program *p, const Expr *e, const Function *f, const Expr **out) {
    LocType type = annotation_located(p, e, f->roles, out);
    if (*out != NULL || f->place.len == 0 || type.ty->kind == TY_POISON ||
        type.ty->kind == TY_NONE_TYPE)
        return type;
    *out = located(p, e, e, f->place);
    return (LocType){type.ty, f->place};
}
