// hierarchy.c - what classes inherit from, and in which order Python looks for their members.
//
// A class of several roles names the roles of its bases in its header: `class D(Base[B, A])`. So
// every class that it inherits from is an `Ancestor`: the class, and what its roles and type
// parameters are in the names of D (docs/language.md, "Classes").

#include <string.h>

#include "typecheck/internal.h"

typedef Vec(Ancestor) AncestorVec;

// ---- names of one class in the names of another ----

static const Ancestor *ancestor_of(const Decl *d, const Decl *of) {
    for (size_t i = 0; i < d->order.len; i++)
        if (d->order.at[i].decl == of) return &d->order.at[i];
    return NULL;
}

// The same without the type: what a class gives for the names of one that it inherits from.
static Subst subst_of(const Ancestor *a) {
    return (Subst){a->decl->formals, a->roles, a->decl->type_params, a->args};
}

static Subst instance_subst(const Decl *d, const Ty *inst) {
    return (Subst){d->formals, inst->inst.actuals, d->type_params, inst->inst.args};
}

static TyList subst_types(Program *p, TyList list, const Subst *s) {
    const Ty **at = ARENA_ARRAY(p->arena, const Ty *, list.len + 1);
    for (size_t i = 0; i < list.len; i++) at[i] = type_subst(p, list.at[i], s);
    return (TyList){at, list.len};
}

Subst hierarchy_view(Program *p, const Ancestor *from, const Ty *inst) {
    Subst own = instance_subst(program_find(p, inst->inst.name), inst), up = subst_of(from);
    up.to_roles = roles_map_all(p->arena, own.roles, own.to_roles, up.to_roles);
    up.to_types = subst_types(p, up.to_types, &own);
    return up;
}

const Ty *hierarchy_upcast(Program *p, const Ty *inst, const Decl *to) {
    const Decl *d = program_find(p, inst->inst.name);
    if (d == to) return inst;
    const Ancestor *a = d != NULL ? ancestor_of(d, to) : NULL;
    if (a == NULL) return NULL;
    Subst view = hierarchy_view(p, a, inst);
    return ty_inst(p->arena, to->name, view.to_types, view.to_roles);
}

// ---- headers ----

static const Expr *base_head(const Expr *base) {
    return base->kind == EXPR_SUBSCRIPT ? base->subscript.value : base;
}

static Sym base_name(const Expr *base) {
    const Expr *head = base_head(base);
    return head->kind == EXPR_NAME ? head->name.id
        : head->kind == EXPR_ATTRIBUTE ? head->attribute.attr : NULL;
}

static ExprList base_arguments(const Expr *base) {
    if (base->kind != EXPR_SUBSCRIPT) return (ExprList){0};
    const Expr *slice = base->subscript.slice;
    return slice->kind == EXPR_TUPLE ? slice->tuple.elts
                                     : (ExprList){&base->subscript.slice, 1};
}

// Reports a base whose roles are not those of the class.
static bool reports_roles(Program *p, const Decl *d, const Expr *base, const Decl *b,
                          SymList roles) {
    if (roles.len != b->formals.len) {
        Diag *g = diag_report(p->diags, base->at, DIAG_ROLE_COUNT,
                              "`%s` has %zu role%s, but %zu %s given", b->name, b->formals.len,
                              diag_s(b->formals.len), roles.len,
                              diag_is(roles.len));
        if (b->type_params.len == 0) {
            bool whole = d->formals.len == b->formals.len;
            const Ty *meant = ty_inst(p->arena, b->name, (TyList){0},
                                      whole ? d->formals : b->formals);
            const char *written = type_text(p, meant);
            Help *h = diag_help(g, "write the roles in brackets, as in `%s`", written);
            if (whole) diag_edit(g, h, base->at, "%s", written);
        }
        return true;
    }
    for (size_t i = 0; i < roles.len; i++)
        for (size_t j = 0; j < i; j++)
            if (roles.at[i] == roles.at[j]) {
                diag_help(diag_report(p->diags, base->at, DIAG_ROLE_REPEATED,
                                      "role %s is given twice", roles.at[i]),
                          "write each role once");
                return true;
            }
    if (roles_equal(roles, d->formals)) return false;
    Diag *g = diag_report(p->diags, base->at, DIAG_CLASS_HEADER,
                          "the base class `%s` must have exactly the roles of `%s`: %s", b->name,
                          d->name, roles_text(p->arena, d->formals));
    diag_help(g, "use a field, not a base class, for an instance that is also at other roles");
    return true;
}

static bool reports_types(Program *p, const Expr *base, const Decl *b, size_t given) {
    if (given == b->type_params.len) return false;
    Diag *g = diag_report(p->diags, base->at, DIAG_TYPE_ARGUMENTS,
                          "`%s` takes %zu type argument%s before its roles, but %zu %s given",
                          b->name, b->type_params.len, diag_s(b->type_params.len), given,
                          diag_is(given));
    diag_label(g, source_first_line(p->source, b->stmt->at), "defined here");
    return true;
}

static void read_role_base(Program *p, Decl *d, const Expr *base, Decl *b) {
    ExprList args = base_arguments(base);
    size_t types = args.len > b->formals.len ? args.len - b->formals.len : 0;
    Vec(Sym) roles = {0};
    Vec(const Ty *) given = {0};
    for (size_t i = types; i < args.len; i++) {
        if (args.at[i]->kind != EXPR_NAME) {
            annotation_no_role(p, args.at[i]);
            return;
        }
        vec_push(p->arena, &roles, args.at[i]->name.id);
    }
    SymList list = {roles.at, roles.len};
    if (b->type_params.len == 0 && types > 0 && !annotation_is_type(p, args.at[0]))
        list.len = args.len;                                            // too many roles
    bool wrong = reports_roles(p, d, base, b, list) || reports_types(p, base, b, types);
    bool bare = args.len == 0 && b->type_params.len == 0 && d->formals.len == b->formals.len;
    if (wrong && !bare) return;
    if (wrong) list = d->formals;       // go on with what the help writes
    SymList before = type_params_enter(p, d->type_params);
    for (size_t i = 0; i < types; i++) {
        bool known = annotation_names(p, NULL, d->formals, args.at[i]);
        vec_push(p->arena, &given, known ? annotation_local(p, args.at[i]) : ty_any(p->arena));
    }
    p->type_vars = before;
    Ancestor a = {b, list, {given.at, given.len}, base->at};
    vec_push(p->arena, &d->bases, a);
}

static bool is_foreign_header(Sym name) {
    static const char *const NAMES[] = {"ABC", "object", "Protocol", "Generic"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (sym_is(name, NAMES[i])) return true;
    return false;
}

static void refuse_foreign(Program *p, const Decl *d, const Expr *base, const Decl *b) {
    Diag *g = diag_report(p->diags, base->at, DIAG_CLASS_HEADER,
                          "`%s` is a class of several roles and cannot inherit from %s, which is "
                          "%s", d->name, expr_text(p, base),
                          b != NULL && b->kind == DECL_LOCAL_CLASS ? "a class of one role"
                                                                   : "not a class of this file");
    diag_help(g, "store an object of that class in a field, as in `self.x: At[.., %s]`",
              d->formals.len > 0 ? d->formals.at[0] : "A");
}

static bool is_header(const Expr *base) {
    return base->kind == EXPR_SUBSCRIPT && base->subscript.value->kind == EXPR_NAME &&
        strncmp(base->subscript.value->name.id, "Ch", 2) == 0 &&
        strspn(base->subscript.value->name.id + 2, "0123456789") ==
            strlen(base->subscript.value->name.id + 2);
}

static void read_base(Program *p, Decl *d, const Expr *base) {
    Sym name = base_name(base);
    Decl *b = base_head(base)->kind == EXPR_NAME ? program_find(p, name) : NULL;
    bool class_ = b != NULL && (b->kind == DECL_ROLE_CLASS || b->kind == DECL_LOCAL_CLASS ||
                                b->kind == DECL_ENUM);
    if (class_ && b->index >= d->index) {
        Diag *g = diag_report(p->diags, base->at, DIAG_CLASS_HEADER,
                              b == d ? "`%s` cannot inherit from itself"
                                     : "`%s` is defined later in the file, so a class cannot "
                                       "inherit from it here", name);
        if (b == d) return;
        diag_label(g, source_first_line(p->source, b->stmt->at), "defined here");
        diag_help(g, "move the definition of `%s` before `%s`", name, d->name);
        return;
    }
    if (class_ && b->is_final) {
        Diag *g = diag_report(p->diags, base->at, DIAG_CLASS_HEADER,
                              "cannot inherit from the final class `%s`", name);
        diag_label(g, source_first_line(p->source, b->stmt->at), "declared final here");
    }
    for (size_t i = 0; class_ && i < d->bases.len; i++)
        if (d->bases.at[i].decl == b) {
            diag_help(diag_report(p->diags, base->at, DIAG_CLASS_HEADER,
                                  "duplicate base class `%s`", name),
                      "write each base class once");
            return;
        }
    if (d->kind != DECL_ROLE_CLASS) {
        Ancestor a = {b, {0}, {0}, base->at};
        if (class_ && b->kind != DECL_ROLE_CLASS) vec_push(p->arena, &d->bases, a);
        d->foreign_base |= !class_ && !sym_is(name, "object") && !sym_is(name, "ABC");
    } else if (b != NULL && b->kind == DECL_ROLE_CLASS) {
        read_role_base(p, d, base, b);
    } else if (b != NULL && b->kind == DECL_CHANNEL) {
        report_channel_base(p, base, d->name);
    } else if (!is_header(base) && !is_foreign_header(name)) {
        refuse_foreign(p, d, base, b);
    }
}

// Python has no method order for `class D(Ch2[A, B], Base[A, B])`: Ch2 is a base of Base.
static void judge_header_order(Program *p, const Decl *d) {
    ExprList bases = d->stmt->class_def.bases;
    for (size_t i = 0; d->kind == DECL_ROLE_CLASS && i < bases.len; i++) {
        if (!is_header(bases.at[i]) || i + 1 >= bases.len || d->bases.len == 0 ||
            bases.at[i]->at.start > d->bases.at[d->bases.len - 1].at.start)
            continue;
        Diag *g = diag_report(p->diags, bases.at[i]->at, DIAG_HEADER_ORDER,
                              "no consistent method resolution order (MRO) has `%s` before the "
                              "base class `%s`",
                              base_name(bases.at[i]), d->bases.at[0].decl->name);
        diag_help(g, "write `%s` last, or remove it", base_name(bases.at[i]));
    }
}

// ---- method order (C3, as in Python) ----

static bool heads_no_tail(const AncestorVec *lists, const size_t *next, size_t n, const Decl *d) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = next[i] + 1; j < lists[i].len; j++)
            if (lists[i].at[j].decl == d) return false;
    return true;
}

static const Ancestor *next_head(const AncestorVec *lists, const size_t *next, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (next[i] < lists[i].len && heads_no_tail(lists, next, n, lists[i].at[next[i]].decl))
            return &lists[i].at[next[i]];
    return NULL;
}

static bool exhausted(const AncestorVec *lists, const size_t *next, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (next[i] < lists[i].len) return false;
    return true;
}

static bool same_as(Program *p, const Ancestor *a, const Ancestor *b) {
    for (size_t i = 0; i < a->roles.len && i < b->roles.len; i++)
        if (a->roles.at[i] != b->roles.at[i]) return false;
    for (size_t i = 0; i < a->args.len && i < b->args.len; i++)
        if (strcmp(type_text(p, a->args.at[i]), type_text(p, b->args.at[i])) != 0) return false;
    return true;
}

static const char *instance_text(Program *p, const Ancestor *a) {
    return type_text(p, ty_inst(p->arena, a->decl->name, a->args, a->roles));
}

// The same base by two ways must be the same at each role.
static void judge_same(Program *p, const Decl *d, const Ancestor *a, const AncestorVec *lists,
                       size_t n) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < lists[i].len; j++) {
            const Ancestor *b = &lists[i].at[j];
            if (b->decl != a->decl || same_as(p, b, a)) continue;
            diag_report(p->diags, b->at, DIAG_CLASS_HEADER,
                        "`%s` cannot inherit from both `%s` and `%s`", d->name, instance_text(p, a),
                        instance_text(p, b));
            return;
        }
}

// The order of a base, in the names of the class that has it as a base.
static AncestorVec order_of_base(Program *p, const Ancestor *base) {
    AncestorVec out = {0};
    for (size_t i = 0; i < base->decl->order.len; i++) {
        Ancestor a = base->decl->order.at[i];
        Subst up = subst_of(base);
        a.roles = roles_map_all(p->arena, up.roles, up.to_roles, a.roles);
        a.args = subst_types(p, a.args, &up);
        a.at = base->at;
        vec_push(p->arena, &out, a);
    }
    return out;
}

static void merge_orders(Program *p, Decl *d, AncestorVec *lists, size_t n) {
    size_t *next = ARENA_ARRAY(p->arena, size_t, n + 1);
    while (!exhausted(lists, next, n)) {
        const Ancestor *a = next_head(lists, next, n);
        if (a == NULL) {
            Diag *g = diag_report(p->diags, d->bases.at[0].at, DIAG_CLASS_HEADER,
                                  "cannot create a consistent method resolution order (MRO) for "
                                  "the bases of `%s`", d->name);
            diag_help(g, "write each base class before the classes that it inherits from");
            return;
        }
        judge_same(p, d, a, lists, n);
        Ancestor taken = *a;
        for (size_t i = 0; i < n; i++)
            if (next[i] < lists[i].len && lists[i].at[next[i]].decl == taken.decl) next[i]++;
        vec_push(p->arena, &d->order, taken);
    }
}

static TyList own_arguments(Program *p, const Decl *d) {
    const Ty **at = ARENA_ARRAY(p->arena, const Ty *, d->type_params.len + 1);
    for (size_t i = 0; i < d->type_params.len; i++)
        at[i] = ty_type_var(p->arena, d->type_params.at[i]);
    return (TyList){at, d->type_params.len};
}

static void find_order(Program *p, Decl *d) {
    Ancestor self = {d, d->formals, own_arguments(p, d), d->at};
    vec_push(p->arena, &d->order, self);
    if (d->bases.len == 1) {        // its order is all that there is to merge
        AncestorVec only = order_of_base(p, &d->bases.at[0]);
        for (size_t i = 0; i < only.len; i++) vec_push(p->arena, &d->order, only.at[i]);
        return;
    }
    size_t n = d->bases.len + 1;
    AncestorVec *lists = ARENA_ARRAY(p->arena, AncestorVec, n);
    for (size_t i = 0; i < d->bases.len; i++) {
        lists[i] = order_of_base(p, &d->bases.at[i]);
        vec_push(p->arena, &lists[n - 1], d->bases.at[i]);
    }
    merge_orders(p, d, lists, n);
}

static bool only_one_class(Program *p, const Decl *d) {
    const Decl *first = NULL;
    for (size_t i = 0; i < d->bases.len; i++) {
        const Decl *b = d->bases.at[i].decl;
        if (b->is_protocol || b->is_interface) continue;
        if (first != NULL) {
            Diag *g = diag_report(p->diags, d->bases.at[i].at, DIAG_CLASS_HEADER,
                                  "`%s` cannot inherit from both classes `%s` and `%s`", d->name,
                                  first->name, b->name);
            diag_help(g, "only one base class may have fields and code; the others must be "
                         "protocols, or abstract classes without fields");
            return false;
        }
        first = b;
    }
    return true;
}

static bool declares_fields(const Decl *d) {
    return d->field_order.len > 0 || d->init != NULL;
}

void hierarchy_collect(Program *p) {
    for (size_t i = 0; i < p->order.len; i++) {
        Decl *d = p->order.at[i];
        if (d->kind != DECL_ROLE_CLASS && d->kind != DECL_LOCAL_CLASS) continue;
        for (size_t j = 0; j < d->stmt->class_def.bases.len; j++)
            read_base(p, d, d->stmt->class_def.bases.at[j]);
        judge_header_order(p, d);
        d->is_interface = !declares_fields(d);
        for (size_t j = 0; j < d->bases.len; j++)
            d->is_interface &= d->bases.at[j].decl->is_interface;
        if (d->kind == DECL_ROLE_CLASS) only_one_class(p, d);
        find_order(p, d);
    }
}

// ---- members ----

static bool find_from(const Decl *d, Sym name, size_t first, Member *out) {
    for (size_t i = first; i < d->order.len; i++) {
        const Ancestor *a = &d->order.at[i];
        *out = (Member){.from = a, .field = table_get(a->decl->fields, name)};
        if (a->decl->kind == DECL_ROLE_CLASS)
            out->function = table_get(a->decl->members, name);
        out->constant = table_get(a->decl->constants, name);
        if (out->field != NULL || out->function != NULL || out->constant != NULL) return true;
    }
    return false;
}

bool hierarchy_find(const Decl *d, Sym name, Member *out) { return find_from(d, name, 0, out); }

bool hierarchy_find_after(const Decl *d, Sym name, Member *out) {
    return find_from(d, name, 1, out);
}

static const Ancestor *init_from(const Decl *d, size_t first) {
    for (size_t i = first; i < d->order.len; i++) {
        const Decl *c = d->order.at[i].decl;
        if (c->init != NULL && (c->own_init || c->is_dataclass)) return &d->order.at[i];
    }
    return NULL;
}

const Ancestor *hierarchy_init_after(const Decl *d) { return init_from(d, 1); }

const Ancestor *hierarchy_init(const Decl *d) {
    const Ancestor *a = init_from(d, 0);
    return a != NULL ? a : &d->order.at[0];
}

const Function *hierarchy_lacks(Program *p, const Decl *d) {
    for (size_t i = d->order.len; i-- > 0;) {
        const Decl *c = d->order.at[i].decl;
        StmtList body = c->stmt->class_def.body;
        for (size_t j = 0; c->kind == DECL_ROLE_CLASS && j < body.len; j++) {
            if (body.at[j]->kind != STMT_FUNCTION_DEF) continue;
            Sym name = body.at[j]->function_def.name;
            if (def_has_decorator(body.at[j], "setter")) name = class_setter_name(p, name);
            const Function *f = table_get(c->members, name);
            Member m;
            if (f != NULL && f->is_abstract && hierarchy_find(d, name, &m) && m.function == f)
                return f;
        }
    }
    return NULL;
}
