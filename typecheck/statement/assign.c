// assign.c - assignments in every form, and del.
//
// A variable keeps the roles of its first assignment for life; a field those of its declaration; a
// store into an object happens at all roles that hold the object.

#include "typecheck/statement/assign.h"
#include "typecheck/expression/narrow.h"
#include "typecheck/expression/operands.h"

// A field of an instance at several roles: what it takes is known with its roles.
static bool is_field(const Expr *target) {
    return target->kind == EXPR_ATTRIBUTE && target->attribute.value->ty != NULL &&
        target->attribute.value->ty->kind == TY_INST;
}

static Target name_target(Scope *sc, const Expr *t) {
    Sym name = t->name.id;
    const char *what = names_format(sc->p->names, "`%s`", name);
    Var *v = table_get(sc->vars, name);
    if (scope_hides(sc, name, t->at) || target_roams(sc, v, t->at))
        return (Target){t, {0}, what, true};
    return (Target){t, v != NULL ? v->type : (LocType){0}, what, false};
}

static Target field_target(Scope *sc, const Expr *t, const Expr *base) {
    Program *p = sc->p;
    Decl *d = program_find(p, base->ty->inst.name);
    Sym attr = t->attribute.attr;
    const Expr *out = expr_attribute(p->arena, t->at, base, attr, t->attribute.ctx);
    const char *what = names_format(p->names, "field `%s`", attr);
    Member m = {0};
    bool found = hierarchy_find(d, attr, &m);
    if (found && m.field == NULL) {
        const char *kind = m.constant != NULL ? "a constant" : m.function->kind == METHOD_GETTER
            ? "a property" : "a method";
        report_at(sc, t->at, m.constant != NULL ? DIAG_SHARED_STATE : DIAG_MEMBER_KIND,
                  "`%s` of `%s` is %s and cannot be assigned%s", attr, d->name, kind,
                  m.function != NULL && m.function->kind == METHOD_GETTER ? " here" : "");
        return (Target){out, {0}, what, true};
    }
    if (found) {
        Subst view = hierarchy_view(p, m.from, base->ty);
        LocType want = located_subst(p, m.field->type, &view);
        return (Target){out, want, what, want.ty->kind == TY_POISON};
    }
    bool init = sc->fn->owner == d && sym_is(sc->fn->name, "__init__");
    bool made = init && !sc->unreachable;
    if (!made)
        report_at(sc, t->at, DIAG_ATTRIBUTE_UNKNOWN, init
                  ? "`%s` has no field `%s`: the assignment that defines it is unreachable"
                  : d->channel != NULL ? "`%s` has no field `%s`: a channel's attributes cannot be "
                                         "assigned"
                  : "`%s` has no field `%s`; fields are defined in `__init__`", d->name, attr);
    return (Target){out, {0}, what, !made};
}

// A store into an object of one role, or replicated: every operand is needed where the object is.
static Target store_target(Scope *sc, const Expr *t, const Expr *base, const Expr *index) {
    Program *p = sc->p;
    const Expr *out;
    if (index != NULL) {
        index = expr_place(sc, index, base->roles);
        if (!roles_subset(base->roles, index->roles)) {
            Diag *d = report_at(sc, index->at, DIAG_REPLICATED_STORE,
                                "the object is at %s, but the index is at %s only",
                                roles_text(p->arena, base->roles),
                                roles_text(p->arena, index->roles));
            help_bring(sc, d, index, base->roles);
            diag_label(d, base->at, "at %s", roles_text(p->arena, base->roles));
            return (Target){t, {0}, "", true};
        }
        out = expr_subscript(p->arena, t->at, base, index, t->subscript.ctx);
    } else {
        out = expr_attribute(p->arena, t->at, base, t->attribute.attr, t->attribute.ctx);
    }
    return (Target){out, {ty_any(p->arena), base->roles}, "the stored value", false};
}

// `P.n = 1`, with P a class of several roles.
static bool refuse_class_target(Scope *sc, const Expr *t) {
    const Expr *base = t->attribute.value;
    const Decl *d = class_named(sc, base->kind == EXPR_SUBSCRIPT ? base->subscript.value : base);
    if (d == NULL || d->kind != DECL_ROLE_CLASS) return false;
    Diag *g = report_at(sc, t->at, DIAG_SHARED_STATE,
                        "an attribute of the class `%s` cannot be assigned in a choreography",
                        d->name);
    diag_help(g, "define a field in `__init__`, and assign the field of an instance");
    return true;
}

Target target_read(Scope *sc, const Expr *t) {
    if (t->kind == EXPR_NAME && roles_has(sc->roles, t->name.id)) {
        scope_bind(sc, t->name.id, (LocType){ty_poison(sc->p->arena), sc->roles}, t->at);
        sc->fn->failed = true;
        return (Target){t, {0}, "", true};
    }
    if (t->kind == EXPR_NAME) return name_target(sc, t);
    if (t->kind != EXPR_ATTRIBUTE && t->kind != EXPR_SUBSCRIPT) {
        report_unsupported(sc->p, t->at, "this assignment target");
        sc->fn->failed = true;
        return (Target){t, {0}, "", true};
    }
    if (t->kind == EXPR_ATTRIBUTE && refuse_class_target(sc, t)) return (Target){t, {0}, "", true};
    const Expr *base = check_expr(sc, t->kind == EXPR_ATTRIBUTE ? t->attribute.value
                                                                : t->subscript.value, NULL);
    if (base->ty != NULL && base->ty->kind == TY_POISON) return (Target){t, {0}, "", true};
    if (base->roles.len == 0) {
        Diag *d = report_at(sc, t->at, DIAG_SHARED_STATE,
                            "%s is module state, which a choreography cannot change",
                            expr_text(sc->p, base));
        diag_help(d, "change it in a local function that one role calls");
        return (Target){t, {0}, "", true};
    }
    if (t->kind == EXPR_ATTRIBUTE && base->ty != NULL && base->ty->kind == TY_INST)
        return field_target(sc, t, base);
    LocType hint = {NULL, base->roles};
    const Expr *index = NULL;
    if (t->kind == EXPR_SUBSCRIPT) index = check_expr(sc, t->subscript.slice, &hint);
    return store_target(sc, t, base, index);
}

const Expr *value_need_place(Scope *sc, const Expr *value, const char *what) {
    if (value->ty != NULL && value->ty->kind == TY_POISON) return value;
    if (refuse_open_value(sc, value)) return expr_poison(sc, value);
    if (value->roles.len == 0 && !expr_unplaced(value)) {
        report_at(sc, value->at, DIAG_PLACE_WRONG, "%s does not return a value",
                  expr_text(sc->p, value));
        return expr_poison(sc, value);
    }
    if (value->roles.len > 0) return value;
    if (sc->roles.len == 1) return expr_place(sc, value, sc->roles);
    Diag *d = report_at(sc, value->at, DIAG_PLACE_MISSING, "the role of %s cannot be inferred",
                                                           what);
    help_pin(sc, d, value);
    return expr_poison(sc, value);
}

void target_define(Scope *sc, const Target *t, const Expr *value) {
    LocType type = {value->ty, value->roles};
    if (t->expr->kind == EXPR_NAME) {
        if (type.ty != NULL && type.ty->kind == TY_NONE_TYPE) type.ty = ty_any(sc->p->arena);
        scope_bind(sc, t->expr->name.id, type, t->expr->at);
        return;
    }
    Decl *d = sc->fn->owner;
    Field *f = ARENA_NEW(sc->p->arena, Field);
    *f = (Field){t->expr->attribute.attr, type, t->expr->at};
    table_set(d->fields, f->name, f);
    vec_push(sc->p->arena, &d->field_order, f->name);
}

bool target_is_tuple(const Expr *t) { return t->kind == EXPR_TUPLE || t->kind == EXPR_LIST; }

ExprList target_elements(const Expr *t) {
    return t->kind == EXPR_TUPLE ? t->tuple.elts : t->list.elts;
}

bool target_apart(Scope *sc, const Expr *t, SymList roles, const char *what) {
    if (t->kind == EXPR_STARRED) return target_apart(sc, t->starred.value, roles, what);
    for (size_t i = 0; target_is_tuple(t) && i < target_elements(t).len; i++)
        if (target_apart(sc, target_elements(t).at[i], roles, what)) return true;
    Var *v = t->kind == EXPR_NAME ? table_get(sc->vars, t->name.id) : NULL;
    if (v == NULL || v->type.roles.len == 0 || roles.len == 0 ||
        roles_equal(v->type.roles, roles))
        return false;
    Diag *d = report_at(sc, t->at, DIAG_PLACE_WRONG, "`%s` is at %s, but %s at %s", t->name.id,
                        roles_text(sc->p->arena, v->type.roles), what,
                        roles_text(sc->p->arena, roles));
    diag_label(d, v->at, "`%s` was placed here", t->name.id);
    diag_help(d, "use another name for the value at %s",
              roles_text(sc->p->arena, roles));
    return true;
}

bool target_roams(Scope *sc, Var *v, Span at) {
    if (v == NULL || !v->roams) {
        if (v != NULL) v->looped = false;
        return false;
    }
    Diag *d = report_at(sc, at, DIAG_PLACE_WRONG,
                        "`%s` is the target of loops at different roles and cannot be "
                        "assigned elsewhere",
                        v->name);
    diag_label(d, v->at, "at %s here", roles_text(sc->p->arena, v->type.roles));
    diag_help(d, "use another name");
    sc->fn->failed = true;
    return true;
}

// A variable keeps its type, and its roles if the value has none yet; but one that nothing but
// loops binds has those of the loop. What it gets here narrows it.
static bool bind_again(Scope *sc, const Expr *t, const Var *old, LocType type) {
    const Ty *own = old->type.ty;
    const Expr *value = expr_typed(sc, t, type.ty, type.roles);
    if (type.roles.len == 0 && !old->looped) type.roles = old->type.roles;
    bool known = !type_unknown(own) && !type_unknown(type.ty);
    if (known && !(type_fits(sc->p, type.ty, own) && judge_fits(sc, value, own))) {
        Diag *d = report_at(sc, t->at, DIAG_TYPE_MISMATCH, "`%s` is `%s`, but `%s` is assigned "
                                                           "here",
                            t->name.id, type_text(sc->p, own), type_text(sc->p, type.ty));
        diag_label(d, old->at, "`%s` here", type_text(sc->p, own));
        diag_help(d, "use another name");
        return false;
    }
    bool stays = roles_equal(old->type.roles, type.roles);
    Var *v = scope_bind(sc, t->name.id, (LocType){known ? own : type.ty, type.roles},
                        stays ? old->at : t->at);
    v->declared = old->declared;
    if (known) pyt_set(sc->p->py, v->sym, type.ty);
    return true;
}

bool target_bind(Scope *sc, const Expr *t, LocType type) {
    if (t->kind == EXPR_STARRED)
        return target_bind(sc, t->starred.value, (LocType){ty_any(sc->p->arena), type.roles});
    if (t->kind == EXPR_NAME) {
        const Var *old = table_get(sc->vars, t->name.id);
        if (old != NULL && old->function == NULL) return bind_again(sc, t, old, type);
        scope_bind(sc, t->name.id, type, t->at);
        return true;
    }
    ExprList elts = target_elements(t);
    bool ok = true;
    for (size_t i = 0; i < elts.len; i++)
        ok &= target_bind(sc, elts.at[i], target_part(sc, type, elts.len, i));
    return ok;
}

void target_settle(Scope *sc, const Expr *t, SymList roles) {
    if (t->kind == EXPR_STARRED) t = t->starred.value;
    Var *v = t->kind == EXPR_NAME ? table_get(sc->vars, t->name.id) : NULL;
    if (v != NULL && v->type.roles.len == 0) v->type.roles = roles;
    for (size_t i = 0; target_is_tuple(t) && i < target_elements(t).len; i++)
        target_settle(sc, target_elements(t).at[i], roles);
}

const Expr *place_target(Scope *sc, const Expr *t, SymList roles) {
    Var *v = t->kind == EXPR_NAME ? table_get(sc->vars, t->name.id) : NULL;
    if (v != NULL && v->type.roles.len > 0) roles = v->type.roles;
    if (!target_is_tuple(t)) return expr_typed(sc, t, t->ty, roles);
    Vec(const Expr *) out = {0};
    for (size_t i = 0; i < target_elements(t).len; i++)
        vec_push(sc->p->arena, &out, place_target(sc, target_elements(t).at[i], roles));
    ExprList list = {out.at, out.len};
    const Expr *made = t->kind == EXPR_TUPLE
        ? expr_tuple(sc->p->arena, t->at, list, t->tuple.ctx)
        : expr_list(sc->p->arena, t->at, list, t->list.ctx);
    return expr_typed(sc, made, ty_any(sc->p->arena), roles);
}

// What a target can hold.
static const Ty *target_declared(Scope *sc, const Target *t) {
    if (t->expr->kind == EXPR_NAME || is_field(t->expr)) return t->want.ty;
    if (t->expr->kind != EXPR_ATTRIBUTE) return NULL;
    sc->p->py->quiet++;                 // a store into what is not there is reported as one
    const Ty *declared = judge_stored(sc, t->expr);
    sc->p->py->quiet--;
    return declared;
}

// `x = ch.com()`: what the message would be is not known, so uses of `x` are not judged.
static bool receives_nothing(const Expr *value) {
    return value->kind == EXPR_CALL && value->call.args.len + value->call.keywords.len == 0 &&
        value->call.func->kind == EXPR_ATTRIBUTE && sym_is(value->call.func->attribute.attr, "com");
}

// Who the variable should be at is not known then, so uses of it are not judged either.
static bool is_misplaced(const Scope *sc, const Expr *value) {
    return sc->misplaced == value->at.start;
}

void check_assign(Scope *sc, const Stmt *s, StmtVec *out) {
    Arena *a = sc->p->arena;
    if (property_assign(sc, s, out)) return;
    if (s->assign.targets.len > 1 || target_is_tuple(s->assign.targets.at[0])) {
        unpack_assign(sc, s, out);
        return;
    }
    Target t = target_read(sc, s->assign.targets.at[0]);
    if (t.failed) return;
    const Expr *value = check_expr(sc, s->assign.value, t.want.ty != NULL ? &t.want : NULL);
    bool known = t.want.roles.len > 0, sure = !type_unknown(value->ty);
    value = known ? expr_coerce(sc, value, t.want, t.what) : value_need_place(sc, value, t.what);
    if (!known) target_define(sc, &t, value);
    narrow_assign(sc, t.expr, known ? target_declared(sc, &t) : NULL,
                  sure ? value->ty : ty_any(a), value);
    bool poison = value->ty != NULL && value->ty->kind == TY_POISON;
    if (poison && t.expr->kind == EXPR_NAME &&
        (receives_nothing(s->assign.value) || is_misplaced(sc, s->assign.value)))
        scope_bind(sc, t.expr->name.id, (LocType){value->ty, sc->roles}, t.expr->at);
    if (poison) return;
    if (!is_field(t.expr) && !judge_store(sc, t.expr, value->ty, value)) return;
    const Expr **one = ARENA_NEW(a, const Expr *);
    *one = place_target(sc, t.expr, value->roles);
    vec_push(a, out, stmt_assign(a, s->at, (ExprList){one, 1}, value));
}

// Where the value is, if that can be known; what is wrong with it is not reported.
static SymList value_roles(Scope *sc, const Expr *value) {
    Program *p = sc->p;
    Diags *diags = p->diags;
    if (value == NULL) return (SymList){0};
    p->diags = diags_new(p->arena);
    diags_set_source(p->diags, p->source);
    const Expr *e = check_expr(sc, value, NULL);
    p->diags = diags;
    return e->ty != NULL && e->ty->kind == TY_POISON ? (SymList){0} : e->roles;
}

static void help_annotate(Scope *sc, Diag *d, const Stmt *s) {
    const Expr *annotation = s->ann_assign.annotation;
    SymList roles = value_roles(sc, s->ann_assign.value);
    Sym role = likely_role(sc, roles);
    if (role == NULL) {
        if (roles.len == 0) roles = sc->roles;
        diag_help(d, "write which of %s has the value, as in `At[%s, %s]`",
                     roles_text(sc->p->arena, roles),
                  annotation_text(sc->p, annotation), roles.at[0]);
        return;
    }
    Help *h = diag_help(d, "write the role that has the value: %s", role);
    diag_edit(d, h, (Span){annotation->at.start, annotation->at.start}, "At[");
    diag_edit(d, h, (Span){annotation->at.end, annotation->at.end}, ", %s]", role);
}

// A variable has one type for life, as it has its roles.
static bool declared_apart(Scope *sc, const Stmt *s, const Var *old, const Ty *type) {
    Program *p = sc->p;
    const Ty *own = old != NULL ? old->type.ty : NULL;
    if (own == NULL || (type_fits(p, own, type) && type_fits(p, type, own))) return false;
    Diag *d = report_at(sc, s->ann_assign.annotation->at, DIAG_TYPE_MISMATCH,
                        "`%s` is already declared as `%s` and cannot become `%s`",
                        s->ann_assign.target->name.id, type_text(p, own), type_text(p, type));
    diag_label(d, old->at, "`%s` here", type_text(p, own));
    diag_help(d, "use another name");
    return true;
}

// `target` is declared at `roles`, where it is not.
static void help_moved(const Scope *sc, Diag *d, const Target *target, SymList roles) {
    const char *here = roles_text(sc->p->arena, target->want.roles);
    const char *there = roles_text(sc->p->arena, roles);
    const Expr *e = target->expr;
    const Ty *of = e->kind == EXPR_ATTRIBUTE ? e->attribute.value->ty : NULL;
    if (e->kind == EXPR_NAME)
        diag_help(d, "use another name for the value at %s", there);
    else if (of != NULL && of->kind == TY_INST)
        diag_help(d, "send the value to %s, or use another field for the value at %s", here, there);
    else
        diag_help(d, "send the value to %s, or use a variable for the value at %s", here, there);
}

void check_ann_assign(Scope *sc, const Stmt *s, StmtVec *out) {
    Program *p = sc->p;
    const Expr *annotation, *target = s->ann_assign.target;
    LocType type = annotation_located(p, s->ann_assign.annotation, sc->roles, &annotation);
    if (!annotation_names(p, sc, sc->roles, s->ann_assign.annotation))
        type.ty = ty_poison(p->arena);
    if (type.roles.len == 0 && type.ty->kind != TY_POISON) {
        Diag *d = report_at(sc, s->ann_assign.annotation->at, DIAG_PLACE_MISSING,
                            "the role of %s cannot be inferred", expr_text(p, target));
        help_annotate(sc, d, s);
        type.ty = ty_poison(p->arena);
    }
    if (type.ty->kind == TY_POISON) {
        sc->fn->failed = true;
        if (target->kind == EXPR_NAME)
            scope_bind(sc, target->name.id, (LocType){type.ty, sc->roles}, s->at);
        return;
    }
    Target t = {target, {0}, "", false};
    Var *old = target->kind == EXPR_NAME ? table_get(sc->vars, target->name.id) : NULL;
    if (target->kind == EXPR_NAME && old == NULL) {
        scope_bind(sc, target->name.id, type, target->at)->declared = true;
        t.what = names_format(p->names, "`%s`", target->name.id);
    } else {
        t = target_read(sc, target);
        if (t.want.roles.len == 0 && !t.failed) {
            const Expr *stand_in = expr_typed(sc, target, type.ty, type.roles);
            target_define(sc, &t, stand_in);
        } else if (!t.failed && !roles_equal(t.want.roles, type.roles)) {
            Diag *d = report_at(sc, s->at, DIAG_PLACE_WRONG,
                                "%s is already placed at %s and cannot move to %s", t.what,
                                roles_text(p->arena, t.want.roles),
                                roles_text(p->arena, type.roles));
            if (old != NULL) diag_label(d, old->at, "placed here");
            help_moved(sc, d, &t, type.roles);
            return;
        }
        if (declared_apart(sc, s, old, type.ty)) return;
    }
    if (t.failed) return;
    const Expr *value = NULL;
    if (s->ann_assign.value != NULL) {
        sc->declares = old == NULL ? s : NULL;
        value = check_placed(sc, s->ann_assign.value, type, t.what);
        if (target->kind == EXPR_NAME && is_misplaced(sc, s->ann_assign.value))
            scope_bind(sc, target->name.id, (LocType){ty_poison(p->arena), sc->roles}, s->at);
        sc->declares = NULL;
        narrow_assign(sc, t.expr, NULL, NULL, NULL);    // as mypy has it: it is what it declares
        if (value->ty != NULL && value->ty->kind == TY_POISON) return;
    }
    vec_push(p->arena, out, stmt_ann_assign(p->arena, s->at, place_target(sc, t.expr, type.roles),
                                            annotation, value, s->ann_assign.simple));
}

void check_aug_assign(Scope *sc, const Stmt *s, StmtVec *out) {
    Program *p = sc->p;
    if (property_assign(sc, s, out)) return;
    const Expr *target = s->aug_assign.target;
    if (target->kind == EXPR_NAME && table_get(sc->vars, target->name.id) == NULL) {
        report_at(sc, target->at, DIAG_NAME_UNKNOWN, "`%s` is used before it is assigned",
                                                     target->name.id);
        return;
    }
    Target t = target_read(sc, target);
    if (t.failed) return;
    const Ty *now = t.expr->kind == EXPR_NAME ? var_type(scope_find(sc, t.expr->name.id))
                                              : narrow_known(sc, t.expr);
    if (now == NULL) now = t.want.ty;
    if (t.want.ty != NULL &&
        refuse_several(sc, expr_typed(sc, t.expr, t.want.ty, t.want.roles), SEVERAL_OPERAND))
        return;
    const Expr *value = check_expr(sc, s->aug_assign.value, &t.want);
    if (value->ty != NULL && value->ty->kind == TY_POISON) return;
    if (t.want.ty != NULL && t.want.ty->kind == TY_POISON) return;
    const Ty *there = is_field(t.expr) ? NULL : judge_stored(sc, t.expr);
    if (there != NULL && there->kind == TY_POISON) return;
    bool known = now != t.want.ty || there == NULL;
    const Ty *declared = there != NULL ? there : t.want.ty;
    if (known) there = now;
    const Ty *result = judge_augmented(sc, s->at, s->aug_assign.op, there, value);
    if (result != NULL && result->kind == TY_POISON) return;
    if (result != NULL && !is_field(t.expr) && !judge_store(sc, t.expr, result, NULL)) return;
    narrow_assign(sc, t.expr, declared, result, NULL);
    if (result == NULL) result = type_of_binary(p, s->aug_assign.op, now, value->ty);
    if (!type_fits(p, result, t.want.ty)) {
        Diag *d = report_at(sc, s->at, DIAG_TYPE_MISMATCH, "%s is `%s`, but `%s` is assigned here",
                            t.what, type_text(p, t.want.ty), type_text(p, result));
        if (type_fits(p, t.want.ty, result))
            diag_help(d, "declare %s as `%s`", t.what, type_text(p, result));
        return;
    }
    value = expr_coerce(sc, value, (LocType){value->ty, t.want.roles}, "the right operand");
    if (value->ty != NULL && value->ty->kind == TY_POISON) return;
    vec_push(p->arena, out, stmt_aug_assign(p->arena, s->at,
                                            place_target(sc, t.expr, t.want.roles),
                                            s->aug_assign.op, value));
}

static void delete_target(Scope *sc, const Stmt *s, const Expr *target, StmtVec *out) {
    Arena *a = sc->p->arena;
    for (size_t i = 0; target_is_tuple(target) && i < target_elements(target).len; i++)
        delete_target(sc, s, target_elements(target).at[i], out);
    if (target_is_tuple(target)) return;
    bool own = target->kind != EXPR_NAME || table_get(sc->vars, target->name.id) != NULL;
    Target t = target_read(sc, target);
    if (t.failed) return;
    if (!own) {
        report_at(sc, target->at, DIAG_NAME_UNKNOWN, "`%s` is used before it is assigned",
                                                     target->name.id);
        return;
    }
    if (t.want.roles.len == 0 || is_field(t.expr)) {
        Diag *d = report_unsupported(sc->p, s->at, "`del` of a field");
        diag_help(d, "assign `None` to it, and declare its type as `.. | None`");
        sc->fn->failed = true;
        return;
    }
    if (!judge_delete(sc, t.expr)) return;
    narrow_assign(sc, t.expr, NULL, NULL, NULL);
    const Expr **one = ARENA_NEW(a, const Expr *);
    *one = place_target(sc, t.expr, t.want.roles);
    vec_push(a, out, stmt_delete(a, s->at, (ExprList){one, 1}));
}

void check_delete(Scope *sc, const Stmt *s, StmtVec *out) {
    for (size_t i = 0; i < s->delete.targets.len; i++)
        delete_target(sc, s, s->delete.targets.at[i], out);
}
