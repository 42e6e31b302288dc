// operator.c - operators, comparisons, subscripts, and pins (`e@R` is Python's matrix product).

#include <string.h>

#include "compiler/base/suggest.h"
#include "typecheck/expression/narrow.h"
#include "typecheck/expression/operands.h"

// ---- pins: e@R ----

static const Expr *pin(Scope *sc, const Expr *value, SymList at) {
    Program *p = sc->p;
    at = roles_sorted(p->arena, sc->roles, at);
    if (value->ty != NULL && value->ty->kind == TY_POISON) return expr_poison(sc, value);
    if (refuse_several(sc, value, SEVERAL_PINNED)) return expr_poison(sc, value);
    if (expr_unplaced(value)) return expr_place(sc, value, at);
    LocType want = {value->ty, at};
    return expr_coerce(sc, value, want, "the value");
}

// `E@R.M` is E @ (R.M) to Python: the member M of E at R.
static const Expr *pinned_member(Scope *sc, const Expr *e, SymList *at) {
    const Expr *right = e->bin_op.right;
    if (right->kind == EXPR_CALL && right->call.args.len == 0) right = right->call.func;
    if (right->kind != EXPR_ATTRIBUTE || e->bin_op.left->kind != EXPR_NAME) return NULL;
    Decl *d = program_find(sc->p, e->bin_op.left->name.id);
    if (d == NULL || d->kind != DECL_ENUM) return NULL;
    if (!role_expr(sc->p, sc->roles, right->attribute.value, at)) return NULL;
    return expr_attribute(sc->p->arena, e->at, e->bin_op.left, right->attribute.attr,
                          EXPR_CONTEXT_LOAD);
}

static bool undeclared_role(Scope *sc, const Expr *right) {
    return right->kind == EXPR_NAME && scope_find(sc, right->name.id) == NULL &&
        (program_find(sc->p, right->name.id) == NULL ||
         program_find(sc->p, right->name.id)->kind == DECL_ROLE);
}

static bool parenthesised(const Program *p, const Expr *left, const Expr *right) {
    for (uint32_t i = left->at.end; i < right->at.start; i++)
        if (p->source->text.at[i] == ')') return true;
    return false;
}

// `x@[A, B]`, `x@{A, B}`: several roles are a tuple.
static bool refuse_role_list(Scope *sc, const Expr *right) {
    SymList at = {0};
    ExprList list = right->kind == EXPR_LIST ? right->list.elts
        : right->kind == EXPR_SET ? right->set.elts : (ExprList){0};
    for (size_t i = 0; i < list.len; i++)
        if (!role_expr(sc->p, sc->roles, list.at[i], &at)) return false;
    if (at.len == 0) return false;
    Diag *d = report_at(sc, right->at, DIAG_ROLE_UNKNOWN,
                        "the roles of a pin must be in parentheses");
    Help *h = diag_help(d, "write `@(%s)`", names_format(sc->p->names, "%.*s",
                        (int)(right->at.end - right->at.start) - 2,
                        sc->p->source->text.at + right->at.start + 1));
    diag_edit(d, h, (Span){right->at.start, right->at.start + 1}, "(");
    diag_edit(d, h, (Span){right->at.end - 1, right->at.end}, ")");
    return true;
}

// `x@"A"`
static bool refuse_quoted_role(Scope *sc, const Expr *right) {
    bool text = right->kind == EXPR_CONSTANT && right->constant.value->kind == CONST_STR;
    Text name = text ? right->constant.value->text : (Text){0};
    Sym role = text ? names_intern(sc->p->names, name.at, name.len) : NULL;
    if (role == NULL || !roles_has(sc->roles, role)) return false;
    annotation_no_role(sc->p, right);
    if (sc->fn != NULL) sc->fn->failed = true;
    return true;
}

// Constants give the same value wherever they are put together.
static bool is_constant(const Expr *e) {
    while (e->kind == EXPR_BIN_OP && e->bin_op.right->kind == EXPR_CONSTANT) e = e->bin_op.left;
    return e->kind == EXPR_CONSTANT;
}

// `x * 3@A` is (x * 3)@A: `*` and `@` are equally strong, and read from the left.
static void warn_precedence(Scope *sc, const Expr *e) {
    const Expr *left = e->bin_op.left, *right = e->bin_op.right;
    if (left->kind != EXPR_BIN_OP || parenthesised(sc->p, left, right) ||
        is_constant(left))
        return;
    if (left->bin_op.op != OPERATOR_MULT && left->bin_op.op != OPERATOR_DIV &&
        left->bin_op.op != OPERATOR_FLOOR_DIV && left->bin_op.op != OPERATOR_MOD)
        return;
    Diag *d = diag_report(sc->p->diags, e->at, DIAG_PRECEDENCE,
                          "the pin `@` applies to all of %s, not only to %s",
                          expr_text(sc->p, left), expr_text(sc->p, left->bin_op.right));
    Help *h = diag_help(d, "write parentheses around the value to pin");
    diag_edit(d, h, (Span){left->bin_op.right->at.start, left->bin_op.right->at.start}, "(");
    diag_edit(d, h, (Span){e->at.end, e->at.end}, ")");
}

// `f@R(x)` is f @ (R(x)) to Python.
bool expr_pins_callee(Scope *sc, const Expr *e) {
    const Expr *call = e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_MAT_MULT
        ? e->bin_op.right : NULL;
    SymList at = {0};
    return call != NULL && call->kind == EXPR_CALL &&
        (call->call.args.len > 0 || call->call.keywords.len > 0) &&
        role_expr(sc->p, sc->roles, call->call.func, &at);
}

// `f@R()` is a pin to us, as in `1@R()`; what can be called was to be.
static bool can_be_called(const Expr *e) {
    const Ty *t = e->ty;
    if (t == NULL || t->kind == TY_ANY || t->kind == TY_POISON)
        return e->kind == EXPR_ATTRIBUTE || (e->kind == EXPR_NAME && e->roles.len == 0);
    return t->kind == TY_CALLABLE || type_is(t, "type");
}

// Where the pin starts: after the parentheses around what is pinned.
static uint32_t pin_start(const Source *s, uint32_t start, uint32_t end) {
    for (uint32_t i = start; i < end && s->text.at[i] != '@'; i++)
        if (s->text.at[i] == ')') start = i + 1;
    return start;
}

static bool refuse_pinned_callee(Scope *sc, const Expr *e, const Expr *left) {
    const Expr *call = e->bin_op.right, *callee = e->bin_op.left;
    SymList at = {0};
    bool pinned = call->kind == EXPR_CALL && role_expr(sc->p, sc->roles, call->call.func, &at);
    if (!pinned || !(expr_pins_callee(sc, e) || can_be_called(left))) return false;
    if (left->ty != NULL && left->ty->kind == TY_POISON) return true;
    Diag *d = report_at(sc, call->call.func->at, DIAG_ROLE_AS_VALUE, at.len == 1
        ? "%s is a role and cannot be called" : "%s are roles and cannot be called",
        roles_text(sc->p->arena, at));
    Decl *own = callee->kind == EXPR_NAME ? program_find(sc->p, callee->name.id) : NULL;
    bool acts = own != NULL && own->kind == DECL_CHOREOGRAPHY;
    Help *h = diag_help(d, acts ? "remove the pin: a choreography runs at the roles of its "
                                  "arguments"
                                : "write the pin after the parentheses of the call");
    uint32_t end = call->call.func->at.end, start = pin_start(sc->p->source, callee->at.end, end);
    diag_edit(d, h, (Span){start, end}, "%s", "");
    if (!acts)
        diag_edit(d, h, (Span){e->at.end, e->at.end}, "%.*s", (int)(end - start),
                  sc->p->source->text.at + start);
    return true;
}

static const Expr *check_matmul(Scope *sc, const Expr *e, const Expr *left, bool *done) {
    SymList at = {0};
    *done = true;
    if (refuse_pinned_callee(sc, e, left)) return expr_poison(sc, e);
    if (role_expr(sc->p, sc->roles, e->bin_op.right, &at)) {
        warn_precedence(sc, e);
        return pin(sc, left, at);
    }
    const Expr *member = pinned_member(sc, e, &at);
    if (member != NULL) return pin(sc, check_expr(sc, member, NULL), at);
    if (refuse_role_list(sc, e->bin_op.right)) return expr_poison(sc, e);
    if (refuse_quoted_role(sc, e->bin_op.right)) return expr_poison(sc, e);
    if (undeclared_role(sc, e->bin_op.right)) {
        Sym name = e->bin_op.right->name.id;
        Diag *d = report_at(sc, e->bin_op.right->at, DIAG_ROLE_UNKNOWN,
                            "`%s` is not a role in scope here", name);
        const char *near = suggest_nearest(name, sc->roles.at, sc->roles.len);
        if (near != NULL) {
            Help *h = diag_help(d, "did you mean `%s`?", near);
            diag_edit(d, h, e->bin_op.right->at, "%s", near);
        } else
            diag_note(d, "the roles in scope are %s", roles_text(sc->p->arena, sc->roles));
        return expr_poison(sc, e);
    }
    *done = false;
    return NULL;
}

// ---- operators ----

const Expr *check_bin_op(Scope *sc, const Expr *e, const Expr *left, const LocType *want) {
    if (e->bin_op.op == OPERATOR_MAT_MULT) {
        bool done;
        const Expr *out = check_matmul(sc, e, left, &done);
        if (done) return out;
    }
    Kids k = kids_new(sc, 2, want);
    kids_add_checked(&k, left);
    kids_add(sc, &k, e->bin_op.right);
    kids_settle(sc, &k);
    const Ty *ty = k.bad ? NULL : judge_binary(sc, e->at, e->bin_op.op, k.at[0], k.at[1]);
    if (ty != NULL && ty->kind == TY_POISON) return expr_poison(sc, e);
    if (ty == NULL) ty = type_of_binary(sc->p, e->bin_op.op, k.at[0]->ty, k.at[1]->ty);
    if (type_mutable(sc->p, ty)) kids_own(sc, &k, 0);
    else kids_own_objects(sc, &k);
    return kids_finish(sc, expr_bin_op(sc->p->arena, e->at, k.at[0], e->bin_op.op, k.at[1]), ty,
                       &k);
}

// What stands behind `and` is evaluated if all before it is true, behind `or` if all is false.
static Kids check_links(Scope *sc, const Expr *e, const LocType *want) {
    ExprList values = e->bool_op.values;
    Kids k = kids_new(sc, values.len, want);
    size_t mark = pyt_mark(sc->p->py);
    for (size_t i = 0; i < values.len; i++) {
        kids_add(sc, &k, values.at[i]);
        if (i + 1 < values.len) narrow_by(sc, k.at[i], e->bool_op.op == BOOLOP_AND);
    }
    narrow_end(sc, mark);
    return k;
}

// `x or y` is x only if x is true, so it is not None.
static const Ty *type_of_links(Program *p, const Expr *e, const Kids *k) {
    bool either = e->bool_op.op == BOOLOP_OR;
    const Ty *ty = k->at[0]->ty;
    for (size_t i = 1; i < k->len; i++)
        ty = type_join(p, either ? type_without_none(p, ty) : ty, k->at[i]->ty);
    return ty;
}

const Expr *check_bool_op(Scope *sc, const Expr *e, const LocType *want) {
    bool deferred = sc->deferred;
    sc->deferred = true;
    Kids k = check_links(sc, e, want);
    kids_settle(sc, &k);
    sc->deferred = deferred;
    kids_own(sc, &k, 0);
    kids_conditional(sc, &k, 1);
    const Ty *ty = type_of_links(sc->p, e, &k);
    return kids_finish(sc, expr_bool_op(sc->p->arena, e->at, e->bool_op.op, kids_list(k)), ty, &k);
}

static bool no_identity(const Ty *t) {
    return type_is(t, "int") || type_is(t, "float") || type_is(t, "str") || type_is(t, "bytes") ||
        (t != NULL && t->kind == TY_TUPLE);
}

static void check_identity(Scope *sc, const Expr *e, const Kids *k) {
    for (size_t i = 0; i < e->compare.ops.len; i++) {
        Cmpop op = e->compare.ops.at[i];
        if (op != CMPOP_IS && op != CMPOP_IS_NOT) continue;
        const Expr *a = k->at[i], *b = k->at[i + 1];
        if (!no_identity(a->ty) && !no_identity(b->ty)) continue;
        if (a->ty->kind == TY_NONE_TYPE || b->ty->kind == TY_NONE_TYPE) continue;
        Diag *d = report_at(sc, e->at, DIAG_IDENTITY,
                            "`%s` cannot compare `%s` values, because a message does not preserve "
                            "their identity", op == CMPOP_IS ? "is" : "is not",
                            type_text(sc->p, no_identity(a->ty) ? a->ty : b->ty));
        diag_help(d, "compare the values with `==`");
    }
}

static bool compares_identity(const Expr *e) {
    for (size_t i = 0; i < e->compare.ops.len; i++)
        if (e->compare.ops.at[i] != CMPOP_IS && e->compare.ops.at[i] != CMPOP_IS_NOT) return false;
    return true;
}

// Python may not come to the later links of a chain.
static Kids check_compared(Scope *sc, const Expr *e, const LocType *want) {
    ExprList others = e->compare.comparators;
    bool deferred = sc->deferred;
    Kids k = kids_new(sc, others.len + 1, NULL);
    if (want != NULL) k.wanted = want->roles;
    kids_add(sc, &k, e->compare.left);
    for (size_t i = 0; i < others.len; i++, sc->deferred = true) kids_add(sc, &k, others.at[i]);
    sc->deferred = deferred || others.len > 1;
    for (size_t i = 0; i < k.len && !k.bad; i++)
        k.bad = type_choreographic(k.at[i]->ty) && refuse_several(sc, k.at[i], SEVERAL_COMPARED);
    if (!k.bad && compares_identity(e))
        k.bad = !expr_meet(sc, k.len, k.at, k.wanted, &k.roles);
    else if (!k.bad)
        kids_settle(sc, &k);
    sc->deferred = deferred;
    return k;
}

const Expr *check_compare(Scope *sc, const Expr *e, const LocType *want) {
    Kids k = check_compared(sc, e, want);
    if (k.bad) return expr_poison(sc, e);
    for (size_t i = 0; i < k.len && k.roles.len > 0; i++)
        k.at[i] = expr_place(sc, k.at[i], k.roles);
    check_identity(sc, e, &k);
    for (size_t i = 0; i < e->compare.ops.len && !k.bad; i++)
        k.bad = !judge_compare(sc, e->at, e->compare.ops.at[i], k.at[i], k.at[i + 1]);
    if (!compares_identity(e)) kids_own_objects(sc, &k);
    kids_conditional(sc, &k, 2);
    const Expr *out = expr_compare(sc->p->arena, e->at, k.at[0], e->compare.ops,
                                   (ExprList){k.at + 1, k.len - 1});
    return kids_finish(sc, out, type_named(sc->p, "bool"), &k);
}

const Expr *check_unary(Scope *sc, const Expr *e, const Expr *value) {
    if (refuse_several(sc, value, SEVERAL_OPERAND)) return expr_poison(sc, e);
    const Ty *judged = judge_unary(sc, e, value);
    if (judged != NULL && judged->kind == TY_POISON) return expr_poison(sc, e);
    const Ty *ty = judged != NULL ? judged
        : e->unary_op.op == UNARYOP_NOT ? type_named(sc->p, "bool")
        : type_is(value->ty, "bool") ? type_named(sc->p, "int") : value->ty;
    return expr_typed(sc, expr_unary_op(sc->p->arena, e->at, e->unary_op.op, value), ty,
                      value->roles);
}

// A channel or another value of several roles, chosen at run time.
static void refuse_choice(Scope *sc, Kids *k) {
    for (size_t i = 0; i < k->len; i++)
        if (k->at[i] == NULL || (k->at[i]->ty != NULL && k->at[i]->ty->kind == TY_POISON)) return;
    for (size_t i = 0; i < k->len; i++)
        if (refuse_several(sc, k->at[i], i == 0 ? SEVERAL_CONDITION : SEVERAL_ARM)) {
            k->at[i] = expr_poison(sc, k->at[i]);
            return;
        }
}

static const Expr *if_exp_of(Scope *sc, const Expr *e, Kids k, const Expr *orelse) {
    bool deferred = sc->deferred;
    sc->deferred = true;
    kids_add_checked(&k, orelse);
    refuse_choice(sc, &k);
    kids_settle(sc, &k);
    sc->deferred = deferred;
    kids_own(sc, &k, 1);
    kids_conditional(sc, &k, 1);
    if (!k.bad) k.at[0] = expr_own_object(sc, k.at[0], k.roles);
    const Ty *ty = type_join(sc->p, k.at[1]->ty, k.at[2]->ty);
    return kids_finish(sc, expr_if_exp(sc->p->arena, e->at, k.at[0], k.at[1], k.at[2]), ty, &k);
}

// `a if c else b if d else ...` is as long as it likes; what stands behind `else` is evaluated if
// all conditions before it are false.
const Expr *check_if_exp(Scope *sc, const Expr *e, const LocType *want) {
    typedef struct Link { const Expr *e; Kids k; } Link;
    Vec(Link) chain = {0};
    size_t mark = pyt_mark(sc->p->py);
    for (; e->kind == EXPR_IF_EXP; e = e->if_exp.orelse) {
        Link l = {e, kids_new(sc, 3, chain.len == 0 ? want : NULL)};
        kids_add(sc, &l.k, e->if_exp.test);
        size_t inner = pyt_mark(sc->p->py);
        narrow_by(sc, l.k.at[0], true);
        bool deferred = sc->deferred;
        sc->deferred = true;
        kids_add(sc, &l.k, e->if_exp.body);
        sc->deferred = deferred;
        narrow_end(sc, inner);
        narrow_by(sc, l.k.at[0], false);
        vec_push(sc->p->arena, &chain, l);
    }
    const Expr *out = check_operand(sc, e, NULL);
    narrow_end(sc, mark);
    for (size_t i = chain.len; i-- > 0;) out = if_exp_of(sc, chain.at[i].e, chain.at[i].k, out);
    return out;
}

const Expr *check_slice(Scope *sc, const Expr *e, const LocType *want) {
    Kids k = kids_new(sc, 3, want);
    kids_add(sc, &k, e->slice.lower);
    kids_add(sc, &k, e->slice.upper);
    kids_add(sc, &k, e->slice.step);
    kids_settle(sc, &k);
    return kids_finish(sc, expr_slice(sc->p->arena, e->at, k.at[0], k.at[1], k.at[2]),
                 ty_any(sc->p->arena), &k);
}

static const Ty *item_type(Program *p, const Expr *base, const Expr *index) {
    const Ty *t = base->ty;
    if (index->kind == EXPR_SLICE) return type_is(t, "dict") ? ty_any(p->arena) : t;
    if (type_is(t, "dict"))
        return t->named.args.len == 2 ? t->named.args.at[1] : ty_any(p->arena);
    if (t != NULL && t->kind == TY_TUPLE && index->kind == EXPR_CONSTANT &&
        index->constant.value->kind == CONST_INT && index->constant.value->text.len == 1) {
        size_t i = (size_t)(index->constant.value->text.at[0] - '0');
        if (i < t->tuple.items.len) return t->tuple.items.at[i];
    }
    return type_is(t, "list") || type_is(t, "str") || type_is(t, "bytes") || type_is(t, "tuple")
        ? type_of_element(p, t) : ty_any(p->arena);
}

// The index that is written, `2` or `-1`, from the front; at least `len` if it is none.
static size_t constant_index(const Expr *e, size_t len) {
    bool negative = e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB;
    if (negative) e = e->unary_op.operand;
    const Const *c = e->kind == EXPR_CONSTANT ? e->constant.value : NULL;
    size_t i = 0;
    if (c == NULL || c->kind != CONST_INT || c->text.len > 9) return len;
    for (size_t j = 0; j < c->text.len; j++) i = i * 10 + (size_t)(c->text.at[j] - '0');
    return !negative ? i : i > 0 && i <= len ? len - i : len;
}

static const Expr *index_constant(Scope *sc, Span at, size_t i, SymList roles) {
    Arena *a = sc->p->arena;
    const char *digits = names_format(sc->p->names, "%zu", i);
    const Const *c = const_int(a, (Text){digits, strlen(digits)});
    return expr_typed(sc, expr_constant(a, at, c, NULL), type_named(sc->p, "int"), roles);
}

// `t[0]` of a located tuple: the part, at its own roles.
static const Expr *located_part(Scope *sc, const Expr *e, const Expr *base) {
    const Expr *index = e->subscript.slice;
    TyList items = base->ty->tuple.items;
    size_t i = constant_index(index, items.len);
    if (i >= items.len) {
        report_at(sc, e->at, DIAG_NEVER_LOCAL,
                  items.len == 1 ? "%s has one part: unpack it, or use the index %zu"
                  : "the parts of %s are at different roles: unpack it, or use a constant index "
                    "from 0 to %zu", expr_text(sc->p, base), items.len - 1);
        return expr_poison(sc, e);
    }
    SymList roles = items.at[i]->placed.at_roles;
    index = index_constant(sc, index->at, i, roles);
    return expr_typed(sc, expr_subscript(sc->p->arena, e->at, base, index, e->subscript.ctx),
                 items.at[i]->placed.of, roles);
}

// `square[A](n)`: one role's code runs where its arguments are.
static void report_roles_of_local(Scope *sc, const Expr *e, const Expr *base) {
    Diag *d = report_at(sc, e->at, DIAG_ROLE_AS_VALUE, "%s is one role's code and takes no roles",
                        expr_text(sc->p, base));
    Help *h = diag_help(d, "remove the brackets: it runs at the role of its arguments");
    diag_edit(d, h, (Span){base->at.end, e->at.end}, "%s", "");
}

// `Account[A, B]` of one role's code, or of a module that is not there: false, reported.
static bool check_roles_given(Scope *sc, const Expr *e, const Expr *base) {
    ExprList args = annotation_elements(sc->p->arena, e->subscript.slice);
    bool roles = false;
    for (size_t i = 0; i < args.len; i++)
        roles |= args.at[i]->kind == EXPR_NAME && roles_has(sc->roles, args.at[i]->name.id);
    const Decl *own = roles ? class_named(sc, base) : NULL;
    if (own != NULL && (own->kind == DECL_LOCAL_FUNCTION || own->kind == DECL_LOCAL_CLASS)) {
        report_roles_of_local(sc, e, base);
        return false;
    }
    Sym module = roles ? import_missing(sc, base) : NULL;
    if (module == NULL) return true;
    Diag *d = report_at(sc, e->at, DIAG_ROLE_AS_VALUE,
                        "%s cannot be called with roles, because its definition is unknown",
                        expr_text(sc->p, base));
    note_missing(d, module);
    return false;
}

const Expr *check_subscript(Scope *sc, const Expr *e, const Expr *base,
                                   const LocType *want) {
    if (base->ty != NULL && base->ty->kind == TY_POISON) return expr_poison(sc, e);
    if (!check_roles_given(sc, e, base)) return expr_poison(sc, e);
    if (type_several(base->ty) && base->ty->kind == TY_TUPLE) return located_part(sc, e, base);
    Kids k = kids_new(sc, 2, want);
    kids_add_checked(&k, base);
    kids_add(sc, &k, e->subscript.slice);
    kids_settle(sc, &k);
    const Ty *ty = k.bad ? NULL : judge_subscript(sc, e, k.at[0], k.at[1]);
    if (ty != NULL && ty->kind == TY_POISON) return expr_poison(sc, e);
    if (ty == NULL) ty = item_type(sc->p, k.at[0], k.at[1]);
    if (type_mutable(sc->p, ty)) kids_own(sc, &k, 0);
    else kids_own_objects(sc, &k);
    return kids_finish(sc, expr_subscript(sc->p->arena, e->at, k.at[0], k.at[1], e->subscript.ctx),
                       ty, &k);
}
