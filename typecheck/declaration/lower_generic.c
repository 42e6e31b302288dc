// lower_generic.c - type parameters in brackets, for programs in Python 3.10: `def f[T](..)` is
// `T = TypeVar("T")` and `def f(..)`.

#include <ctype.h>
#include <string.h>

#include "compiler/base/buf.h"
#include "typecheck/internal.h"

// ---- names ----

typedef struct Renaming { Names *names; SymList from, to; } Renaming;

static Sym free_name(Program *p, Sym name, const Stmt *def) {
    Sym own = name;
    for (size_t n = 2;; n++) {
        const Stmt *other = table_get(p->lowered_names, own);
        if ((other == NULL || other == def) && program_find(p, own) == NULL) break;
        own = names_format(p->names, "%s_%zu", name, n);
    }
    table_set(p->lowered_names, own, (void *)def);
    table_set(p->lowered_from, own, (void *)name);
    return own;
}

static const Ty *rename_ty(IrMapper *m, const Ty *t) {
    const Renaming *r = m->cx;
    Sym name = t->kind == TY_TYPE_VAR ? roles_map(r->from, r->to, t->type_var.name) : NULL;
    return name != NULL && name != t->type_var.name ? ty_type_var(m->arena, name) : t;
}

// The types that expressions have are no parts of the tree.
static const Expr *rename_expr(IrMapper *m, const Expr *e) {
    const Renaming *r = m->cx;
    const Ty *type = e->ty != NULL ? ir_map_ty(m, e->ty) : NULL;
    Sym name = e->kind == EXPR_NAME ? roles_map(r->from, r->to, e->name.id) : NULL;
    if (name != NULL && name != e->name.id)
        return expr_with_ty(m->arena, expr_name(m->arena, e->at, name, e->name.ctx), type,
                            e->roles);
    return type != e->ty ? expr_with_ty(m->arena, e, type, e->roles) : e;
}

// ---- annotations in quotes ----

static size_t word_length(const char *at, const char *end) {
    size_t n = 0;
    while (at + n < end && (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] & 0x80)) n++;
    return n;
}

typedef struct Quotes { const Renaming *renaming; Table *texts; } Quotes;

// Those of `Literal["T"]` are no annotations.
static bool find_text(void *cx, const Expr *e) {
    Quotes *q = cx;
    const Expr *head = e->kind == EXPR_SUBSCRIPT ? e->subscript.value : NULL;
    Sym name = head == NULL ? NULL : head->kind == EXPR_NAME ? head->name.id
        : head->kind == EXPR_ATTRIBUTE ? head->attribute.attr : NULL;
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_STR)
        table_set(q->texts, table_key((size_t)e), q);
    return name == NULL || !sym_is(name, "Literal");
}

// The text of an annotation: neither attributes nor what stands in further quotes are renamed.
static const Expr *rename_text(IrMapper *m, const Expr *e) {
    const Quotes *q = m->cx;
    const Renaming *r = q->renaming;
    if (!table_get(q->texts, table_key((size_t)e))) return e;
    Text text = e->constant.value->text;
    const char *at = text.at, *end = at + text.len;
    Buf b = buf_new(m->arena);
    for (char quote = 0; at < end;) {
        size_t n = quote ? 0 : word_length(at, end);
        Sym word = n > 0 ? names_intern(r->names, at, n) : NULL;
        bool attribute = at > text.at && at[-1] == '.';
        if (word != NULL && !attribute)
            buf_puts(&b, roles_map(r->from, r->to, word));
        else
            buf_write(&b, at, n > 0 ? n : 1);
        if (n == 0 && (*at == '"' || *at == '\'')) quote = quote == *at ? 0 : quote ? quote : *at;
        at += n > 0 ? n : 1;
    }
    const char *renamed = buf_text(&b);
    if (strlen(renamed) == text.len && memcmp(renamed, text.at, text.len) == 0) return e;
    const Const *value = const_str(m->arena, (Text){renamed, strlen(renamed)});
    return expr_with_ty(m->arena, expr_constant(m->arena, e->at, value, NULL), e->ty, e->roles);
}

static const Expr *rename_annotation(IrMapper *m, const Expr *e) {
    if (e == NULL) return NULL;
    Quotes q = {m->cx, table_new(m->arena)};
    IrWalker w = {.cx = &q, .expr = find_text};
    ir_walk_expr(&w, e);
    IrMapper texts = {.arena = m->arena, .cx = &q, .expr = rename_text};
    return ir_map_expr(&texts, e);
}

static const Arg *rename_arg(IrMapper *m, const Arg *arg) {
    const Expr *annotation = rename_annotation(m, arg->annotation);
    if (annotation == arg->annotation) return arg;
    Arg *renamed = ARENA_NEW(m->arena, Arg);
    *renamed = *arg;
    renamed->annotation = annotation;
    return renamed;
}

static const Stmt *rename_stmt(IrMapper *m, const Stmt *s) {
    const Expr *const *place = s->kind == STMT_FUNCTION_DEF ? &s->function_def.returns
        : s->kind == STMT_ANN_ASSIGN ? &s->ann_assign.annotation : NULL;
    const Expr *annotation = place != NULL ? rename_annotation(m, *place) : NULL;
    if (place == NULL || annotation == *place) return s;
    const Stmt *copy = s->kind == STMT_ANN_ASSIGN
        ? stmt_ann_assign(m->arena, s->at, s->ann_assign.target, annotation, s->ann_assign.value,
                          s->ann_assign.simple)
        : stmt_function_def(m->arena, s->at, s->function_def.name, s->function_def.args,
                            s->function_def.body, s->function_def.decorator_list, annotation,
                            s->function_def.type_params);
    return stmt_with_roles(m->arena, copy, s->roles);
}

// ---- statements ----

static const Expr *text_expr(Program *p, Span at, Sym text) {
    return expr_constant(p->arena, at, const_str(p->arena, (Text){text, strlen(text)}), NULL);
}

// `T = TypeVar("T", int, str)`, `T = TypeVar("T", bound=Shape)`
static const Stmt *type_var_stmt(Program *p, const TypeParam *t, Sym name) {
    Arena *a = p->arena;
    Vec(const Expr *) args = {0};
    Vec(const Keyword *) keywords = {0};
    const Expr *bound = t->type_var.bound;
    vec_push(a, &args, text_expr(p, t->at, name));
    for (size_t i = 0; bound != NULL && bound->kind == EXPR_TUPLE && i < bound->tuple.elts.len; i++)
        vec_push(a, &args, bound->tuple.elts.at[i]);
    if (bound != NULL && bound->kind != EXPR_TUPLE)
        vec_push(a, &keywords, keyword_new(a, t->at, names_get(p->names, "bound"), bound));
    const Expr *f = expr_name(a, t->at, names_get(p->names, "TypeVar"), EXPR_CONTEXT_LOAD);
    const Expr *call = expr_call(a, t->at, f, (ExprList){args.at, args.len},
                                 (KeywordList){keywords.at, keywords.len});
    const Expr **target = ARENA_NEW(a, const Expr *);
    *target = expr_name(a, t->at, name, EXPR_CONTEXT_STORE);
    return stmt_assign(a, t->at, (ExprList){target, 1}, call);
}

static TypeParamList params_of(const Stmt *def) {
    return def->kind == STMT_CLASS_DEF ? def->class_def.type_params
        : def->kind == STMT_TYPE_ALIAS ? def->type_alias.type_params
        : def->kind == STMT_FUNCTION_DEF ? def->function_def.type_params : (TypeParamList){0};
}

// Methods of a class share its type variables by name, so only the first can say a bound.
static void refuse_second_bound(Program *p, const TypeParam *t) {
    Sym name = t->type_var.name;
    Diag *d = report_unsupported(p, t->at, names_format(p->names, "a bound on type parameter `%s`, "
                                 "which another method of the class also uses,", name));
    diag_help(d, "rename `%s` in this method", name);
}

static void lower_params(Program *p, const Stmt *def, Renaming *r, StmtVec *out) {
    TypeParamList list = params_of(def);
    if (list.len > 0) table_set(p->lowered, table_key(def->at.start), (void *)def);
    for (size_t i = 0; i < list.len; i++) {
        const TypeParam *t = list.at[i];
        if (t->kind != TYPE_PARAM_TYPE_VAR || t->type_var.default_value != NULL) {
            report_unsupported(p, t->at, t->kind == TYPE_PARAM_TYPE_VAR
                               ? "a type parameter with a default"
                               : t->kind == TYPE_PARAM_PARAM_SPEC
                               ? "a type parameter with `**`" : "a type parameter with `*`");
            continue;
        }
        for (size_t j = 0; j < i; j++)
            if (type_param_name(list.at[j]) == t->type_var.name)
                diag_report(p->diags, t->at, DIAG_TYPE_ARGUMENTS, "duplicate type parameter `%s`",
                            t->type_var.name);
        if (roles_has(r->from, t->type_var.name)) {     // of another method of the class
            if (t->type_var.bound != NULL) refuse_second_bound(p, t);
            continue;
        }
        Sym name = free_name(p, t->type_var.name, def);
        r->from = roles_join(p->arena, r->from, roles_one(p->arena, t->type_var.name));
        r->to = roles_join(p->arena, r->to, roles_one(p->arena, name));
        vec_push(p->arena, out, type_var_stmt(p, t, name));
    }
}

const Stmt *generic_lower(Program *p, const Stmt *def, const Stmt *checked, StmtVec *out) {
    Renaming r = {p->names, {0}, {0}};
    size_t before = out->len;
    lower_params(p, def, &r, out);
    for (size_t i = 0; def->kind == STMT_CLASS_DEF && i < def->class_def.body.len; i++)
        lower_params(p, def->class_def.body.at[i], &r, out);
    if (out->len == before || checked == NULL) return checked;
    p->needs_type_vars = true;
    IrMapper m = {.arena = p->arena, .cx = &r, .expr = rename_expr, .ty = rename_ty,
                  .arg = rename_arg, .stmt = rename_stmt};
    return ir_map_stmt(&m, checked);
}

// ---- local code ----

static const Expr *generic_base(Program *p, const Stmt *s, const Expr *base, const char *word) {
    Arena *a = p->arena;
    Vec(const Expr *) names = {0};
    TypeParamList list = s->class_def.type_params;
    Span at = base != NULL ? base->at : s->at;
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i]->kind == TYPE_PARAM_TYPE_VAR)
            vec_push(a, &names, expr_name(a, list.at[i]->at, list.at[i]->type_var.name,
                                          EXPR_CONTEXT_LOAD));
    if (base == NULL) base = expr_name(a, at, names_get(p->names, word), EXPR_CONTEXT_LOAD);
    const Expr *slice = names.len == 1 ? names.at[0]
        : expr_tuple(a, at, (ExprList){names.at, names.len}, EXPR_CONTEXT_LOAD);
    return expr_subscript(a, at, base, slice, EXPR_CONTEXT_LOAD);
}

// The bases with `Generic[T]`, or `Protocol[T]` in place of `Protocol`.
static ExprList generic_bases(Program *p, const Stmt *s) {
    Vec(const Expr *) bases = {0};
    bool stated = s->class_def.type_params.len == 0;
    for (size_t i = 0; i < s->class_def.bases.len; i++) {
        const Expr *b = s->class_def.bases.at[i];
        bool protocol = !stated && b->kind == EXPR_NAME && sym_is(b->name.id, "Protocol");
        stated |= protocol;
        vec_push(p->arena, &bases, protocol ? generic_base(p, s, b, NULL) : b);
    }
    p->needs_generic |= !stated;
    if (!stated) vec_push(p->arena, &bases, generic_base(p, s, NULL, "Generic"));
    return (ExprList){bases.at, bases.len};
}

static const Stmt *function_without(Arena *a, const Stmt *s) {
    return stmt_function_def(a, s->at, s->function_def.name, s->function_def.args,
                             s->function_def.body, s->function_def.decorator_list,
                             s->function_def.returns, (TypeParamList){0});
}

static const Stmt *class_without(Program *p, const Stmt *s) {
    Vec(const Stmt *) body = {0};
    for (size_t i = 0; i < s->class_def.body.len; i++) {
        const Stmt *member = s->class_def.body.at[i];
        vec_push(p->arena, &body, member->kind == STMT_FUNCTION_DEF
                 ? function_without(p->arena, member) : member);
    }
    return stmt_class_def(p->arena, s->at, s->class_def.name, generic_bases(p, s),
                          s->class_def.keywords, (StmtList){body.at, body.len},
                          s->class_def.decorator_list, (TypeParamList){0});
}

// ---- `type X = ..` ----

typedef struct LateNames { Program *p; const Stmt *s; bool found; } LateNames;

static bool find_late(void *cx, const Expr *e) {
    LateNames *late = cx;
    const Decl *d = e->kind == EXPR_NAME ? program_find(late->p, e->name.id) : NULL;
    late->found |= d != NULL && d->at.start >= late->s->at.start;
    return !late->found;
}

// Whether it names what is defined by this statement or behind it.
static bool is_late(Program *p, const Stmt *s, const Expr *e) {
    LateNames late = {p, s, false};
    IrWalker w = {.cx = &late, .expr = find_late};
    ir_walk_expr(&w, e);
    return late.found;
}

// `Stack[int]` and the like, as text.
static void put_type(Program *p, Buf *b, const Expr *e) {
    if (e->kind == EXPR_NAME) {
        buf_puts(b, e->name.id);
    } else if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_NONE) {
        buf_puts(b, "None");
    } else if (e->kind == EXPR_TUPLE) {
        for (size_t i = 0; i < e->tuple.elts.len; i++) {
            if (i > 0) buf_puts(b, ", ");
            put_type(p, b, e->tuple.elts.at[i]);
        }
    } else if (e->kind == EXPR_SUBSCRIPT) {
        put_type(p, b, e->subscript.value);
        buf_puts(b, "[");
        put_type(p, b, e->subscript.slice);
        buf_puts(b, "]");
    } else if (e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_BIT_OR) {
        put_type(p, b, e->bin_op.left);
        buf_puts(b, " | ");
        put_type(p, b, e->bin_op.right);
    } else {
        report_unsupported(p, e->at, "this expression in a `type` statement that refers to a "
                                     "later definition");
    }
}

// Python computes the value of a `type` statement when it is asked for, that of `X: TypeAlias = ..`
// at once: what comes late is in quotes there, and `|`, which takes no text, is Union[..].
static const Expr *late_value(Program *p, const Stmt *s, const Expr *e) {
    Arena *a = p->arena;
    if (!is_late(p, s, e)) return e;
    if (e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_BIT_OR) {
        const Expr **two = ARENA_ARRAY(a, const Expr *, 2);
        two[0] = late_value(p, s, e->bin_op.left);
        two[1] = late_value(p, s, e->bin_op.right);
        p->needs_late_union = true;
        return expr_subscript(a, e->at, expr_name(a, e->at, names_get(p->names, "Union"),
                                                  EXPR_CONTEXT_LOAD),
                              expr_tuple(a, e->at, (ExprList){two, 2}, EXPR_CONTEXT_LOAD),
                              EXPR_CONTEXT_LOAD);
    }
    if (e->kind == EXPR_SUBSCRIPT && !is_late(p, s, e->subscript.value))
        return expr_subscript(a, e->at, e->subscript.value, late_value(p, s, e->subscript.slice),
                              EXPR_CONTEXT_LOAD);
    if (e->kind != EXPR_TUPLE && e->kind != EXPR_LIST) {
        Buf b = buf_new(a);
        put_type(p, &b, e);
        return text_expr(p, e->at, names_get(p->names, buf_text(&b)));
    }
    ExprList elts = e->kind == EXPR_TUPLE ? e->tuple.elts : e->list.elts;
    const Expr **copy = ARENA_ARRAY(a, const Expr *, elts.len + 1);
    for (size_t i = 0; i < elts.len; i++) copy[i] = late_value(p, s, elts.at[i]);
    return e->kind == EXPR_TUPLE ? expr_tuple(a, e->at, (ExprList){copy, elts.len}, e->tuple.ctx)
                                 : expr_list(a, e->at, (ExprList){copy, elts.len}, e->list.ctx);
}

typedef struct Order { Program *p; SymList params, found; } Order;

static bool find_param(void *cx, const Expr *e) {
    Order *o = cx;
    if (e->kind == EXPR_NAME && roles_has(o->params, e->name.id))
        o->found = roles_join(o->p->arena, o->found, roles_one(o->p->arena, e->name.id));
    return true;
}

// A TypeAlias has its parameters in the order in which its type has them.
static void check_order(Program *p, const Stmt *s) {
    SymList written = type_params_written(p->arena, s->type_alias.type_params), once = {0};
    for (size_t i = 0; i < written.len; i++)
        once = roles_join(p->arena, once, roles_one(p->arena, written.at[i]));
    Order o = {p, once, {0}};
    IrWalker w = {.cx = &o, .expr = find_param};
    ir_walk_expr(&w, s->type_alias.value);
    bool same = o.found.len == o.params.len;
    for (size_t i = 0; same && i < o.params.len; i++) same = o.found.at[i] == o.params.at[i];
    if (!same)
        report_unsupported(p, s->type_alias.name->at,
                           "a `type` statement whose type uses the parameters in another order, "
                           "or not all of them,");
}

// `X: TypeAlias = list[int]`
static const Stmt *alias_without(Program *p, const Stmt *s) {
    check_order(p, s);
    table_set(p->lowered, table_key(s->at.start), (void *)s);
    p->needs_alias = true;
    const Expr *name = s->type_alias.name;
    const Expr *word = expr_name(p->arena, s->at, names_get(p->names, "TypeAlias"),
                                 EXPR_CONTEXT_LOAD);
    return stmt_ann_assign(p->arena, s->at,
                           expr_name(p->arena, name->at, name->name.id, EXPR_CONTEXT_STORE), word,
                           late_value(p, s, s->type_alias.value), 1);
}

static bool any_params(const Stmt *s) {
    bool any = params_of(s).len > 0;
    for (size_t i = 0; s->kind == STMT_CLASS_DEF && i < s->class_def.body.len; i++)
        any |= params_of(s->class_def.body.at[i]).len > 0;
    return any;
}

const Stmt *generic_lower_local(Program *p, const Stmt *s, StmtVec *out) {
    if (s->kind == STMT_TYPE_ALIAS)
        return generic_lower(p, s, alias_without(p, s), out);
    if ((s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF) || !any_params(s)) return s;
    const Stmt *plain = s->kind == STMT_CLASS_DEF ? class_without(p, s)
                                                  : function_without(p->arena, s);
    return generic_lower(p, s, plain, out);
}

// ---- imports ----

static bool is_leading(const Stmt *s) {
    return s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM ||
        (s->kind == STMT_EXPR && s->expr.value->kind == EXPR_CONSTANT);
}

static bool is_of_typing(const Decl *d) {
    const Stmt *s = d->kind == DECL_IMPORT ? d->stmt : NULL;
    if (s == NULL || s->kind != STMT_IMPORT_FROM || s->import_from.module == NULL) return false;
    for (size_t i = 0; i < s->import_from.names.len; i++)
        if (s->import_from.names.at[i]->asname == d->name) return false;
    return sym_is(s->import_from.module, "typing") ||
        sym_is(s->import_from.module, "typing_extensions");
}

// Whether generated programs get it from the file; what else the file calls so is in their way, and
// is read by nothing then.
static bool has_word(Program *p, const char *word) {
    const Decl *d = program_find(p, names_get(p->names, word));
    if (d == NULL) return false;
    if (!is_of_typing(d)) {
        Diag *report = diag_report(p->diags, d->at, DIAG_GENERATED_NAME,
                                   "`%s` is reserved for generated programs", word);
        diag_help(report, "use another name");
    }
    return is_of_typing(d);
}

StmtList generic_imports(Program *p, StmtList body) {
    if (p->needs_union) (void)has_word(p, "Union");
    if (!p->needs_type_vars && !p->needs_generic && !p->needs_alias) return body;
    const bool late = p->needs_late_union;
    StmtVec out = {0};
    static const char *const WORDS[] = {"Generic", "TypeAlias", "TypeVar", "Union"};
    Vec(const Alias *) names = {0};
    const bool wanted[] = {p->needs_generic, p->needs_alias, p->needs_type_vars, late};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (wanted[i] && !has_word(p, WORDS[i]))
            vec_push(p->arena, &names, alias_new(p->arena, (Span){0, 0},
                                                 names_get(p->names, WORDS[i]), NULL));
    size_t n = 0;
    while (n < body.len && is_leading(body.at[n])) vec_push(p->arena, &out, body.at[n++]);
    if (names.len > 0)
        vec_push(p->arena, &out,
                 stmt_import_from(p->arena, (Span){0, 0}, names_get(p->names, "typing"),
                                  (AliasList){names.at, names.len}, 0));
    while (n < body.len) vec_push(p->arena, &out, body.at[n++]);
    return (StmtList){out.at, out.len};
}
