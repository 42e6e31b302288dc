// recognise.c - a walk that notes slots, bindings, functions and calls, then the kinds of slots
// to a fixed point.

#include "compiler/distribute/recognise.h"

#include <string.h>

enum {
    ROUNDS = 8,                 // chains of assignments are shorter
    MAX_DEPTH = 300,            // what is nested deeper is nothing that is known
};

// ---- paths ----

typedef struct Spelling { const char *from, *to; } Spelling;

// A path grows from left to right, so a part of it may have been spelt before.
static const Spelling SPELLINGS[] = {
    {"tensorflow.", "tf."}, {"tf.compat.v2.", "tf."}, {"tf.python.keras.", "keras."},
    {"tf.keras.", "keras."}, {"tf.optimizers.", "keras.optimizers."},
    {"tf.losses.", "keras.losses."}, {"tf.metrics.", "keras.metrics."}, {"tf_keras.", "keras."},
    {"tf.compat.v1.", "v1."}, {"v1.data.Dataset", "tf.data.Dataset"}, {"v1.keras.", "keras."},
};

static Sym one_spelling(Scan *s, Sym path)
{
    for (size_t i = 0; i < sizeof SPELLINGS / sizeof *SPELLINGS; i++) {
        size_t n = strlen(SPELLINGS[i].from);
        if (strncmp(path, SPELLINGS[i].from, n) == 0)
            path = names_format(s->t->cx->names, "%s%s", SPELLINGS[i].to, path + n);
    }
    return path;
}

bool path_is(Sym path, const char *pattern)
{
    size_t n = strlen(pattern);
    if (path == NULL)
        return false;
    return pattern[n - 1] == '*' ? strncmp(path, pattern, n - 1) == 0 : strcmp(path, pattern) == 0;
}

static Kind kind_of_path(Sym path)
{
#define KNOWN(pattern, kind) if (path_is(path, pattern)) return KIND_##kind;
#include "compiler/distribute/known.def"
    return KIND_NONE;
}

static Kind kind_of_method(Kind of, Sym name)
{
#define METHOD(kind, method, result)                                                       \
    if (of == KIND_##kind && (strcmp(method, "*") == 0 || sym_is(name, method)))           \
        return KIND_##result;
#include "compiler/distribute/known.def"
    return KIND_NONE;
}

bool value_is(Value v, Kind kind) { return v.kind == kind; }

// ---- slots ----

static Slot *slot_in(Scan *s, const void *owner, const Block *block, const Stmt *class_,
                       Sym name)
{
    Table *names = table_get(s->slots, owner);
    if (names == NULL) {
        names = table_new(s->arena);
        table_set(s->slots, owner, names);
    }
    Slot *p = table_get(names, name);
    if (p == NULL) {
        p = ARENA_NEW(s->arena, Slot);
        *p = (Slot){.name = name, .block = block, .class_ = class_};
        table_set(names, name, p);
        vec_push(s->arena, &s->all_slots, p);
    }
    return p;
}

static const Block *innermost(const Block *b, uint32_t at)
{
    for (size_t i = 0; i < b->inner.len; i++)
        if (b->inner.at[i]->at.start <= at && at < b->inner.at[i]->at.end)
            return innermost(b->inner.at[i], at);
    return b;
}

const Block *scan_block(const Scan *s, uint32_t at)
{
    const Block *near = *s->near;
    bool within = near->at.start <= at && at < near->at.end;
    return *s->near = innermost(within ? near : s->scopes.module, at);
}

// The place of a name that is mentioned in a block.
static Slot *slot_of_name(Scan *s, const Block *b, Sym name)
{
    const Symbol *symbol = block_symbol(b, name);
    while (symbol == NULL && b->outer != NULL) {        // a decorator, a default, a first iterable
        b = b->outer;
        symbol = block_symbol(b, name);
    }
    if (symbol == NULL || symbol->scope == SYMBOL_GLOBAL_EXPLICIT ||
        symbol->scope == SYMBOL_GLOBAL_IMPLICIT)
        b = s->scopes.module;
    else if (symbol->scope == SYMBOL_FREE)
        for (b = b->outer; b->outer != NULL; b = b->outer) {
            const Symbol *outer = b->kind == BLOCK_CLASS ? NULL : block_symbol(b, name);
            if (outer != NULL && (outer->scope == SYMBOL_CELL || outer->scope == SYMBOL_LOCAL))
                break;
        }
    return slot_in(s, b, b, NULL, name);
}

// The function around an offset, past comprehensions and lambdas.
static const Func *func_at(const Scan *s, uint32_t at)
{
    const Func *f = NULL;
    for (const Block *b = scan_block(s, at); b != NULL && f == NULL; b = b->outer)
        f = table_get(s->block_funcs, b);
    return f;
}

static const Stmt *class_of_object(Scan *s, const Expr *e)
{
    if (e->kind == EXPR_NAME) {
        const Func *f = func_at(s, e->at.start);
        if (f != NULL && f->class_ != NULL && f->self == e->name.id)
            return f->class_;
    }
    Value v = scan_value(s, e);
    return v.class_;
}

static void add_binding(Scan *s, Binding b)
{
    vec_push(s->arena, &s->bindings, b);
    if (b.slot->last != 0)
        s->bindings.at[b.slot->last - 1].next = s->bindings.len;
    else
        b.slot->first = s->bindings.len;
    b.slot->last = s->bindings.len;
}

const Binding *slot_first(const Scan *s, const Slot *slot)
{
    return slot == NULL || slot->first == 0 ? NULL : &s->bindings.at[slot->first - 1];
}

const Binding *slot_next(const Scan *s, const Binding *b)
{
    return b->next == 0 ? NULL : &s->bindings.at[b->next - 1];
}

Slot *scan_slot(Scan *s, const Expr *e)
{
    if (e == NULL)
        return NULL;
    if (e->kind == EXPR_NAME) {
        Slot *slot = table_get(s->named, e);
        if (slot == NULL)
            table_set(s->named, e,
                      slot = slot_of_name(s, scan_block(s, e->at.start), e->name.id));
        return slot;
    }
    if (e->kind != EXPR_ATTRIBUTE ||
        (e->attribute.value->kind != EXPR_NAME && e->attribute.value->kind != EXPR_ATTRIBUTE))
        return NULL;
    const Stmt *class_ = class_of_object(s, e->attribute.value);
    return class_ == NULL ? NULL : slot_in(s, class_, NULL, class_, e->attribute.attr);
}

// ---- values ----

static Func *method_of(const Scan *s, const Stmt *class_, Sym name)
{
    StmtList body = class_->class_def.body;
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_FUNCTION_DEF && body.at[i]->function_def.name == name)
            return table_get(s->funcs, body.at[i]);
    return NULL;
}

static Value value_of_attribute(Scan *s, const Expr *e)
{
    const Slot *p = scan_slot(s, e);
    if (p != NULL && (p->value.kind != KIND_NONE || p->value.path != NULL))
        return p->value;
    Value of = scan_value(s, e->attribute.value);
    const Stmt *class_ = of.class_ != NULL ? of.class_ : p != NULL ? p->class_ : NULL;
    if (class_ != NULL)
        return (Value){.func = method_of(s, class_, e->attribute.attr)};
    if (of.kind != KIND_NONE || of.path == NULL)
        return (Value){0};
    Sym path = names_format(s->t->cx->names, "%s.%s", of.path, e->attribute.attr);
    return (Value){.path = one_spelling(s, path)};
}

// The kind that the instances of a class of the file have by its bases.
static Value instance_of(Scan *s, const Stmt *class_)
{
    Value made = {.class_ = class_};
    ExprList bases = class_->class_def.bases;
    if (++s->depth > MAX_DEPTH)
        bases.len = 0;
    for (size_t i = 0; i < bases.len && made.kind == KIND_NONE; i++) {
        Value base = scan_value(s, bases.at[i]);
        Value whole = base.class_ != NULL && base.class_ != class_ ? instance_of(s, base.class_)
                                                                  : base;
        made.kind = base.class_ != NULL ? whole.kind : kind_of_path(base.path);
        made.path = whole.path;
    }
    s->depth--;
    return made;
}

static Value value_of_call(Scan *s, const Expr *e)
{
    const Expr *f = e->call.func;
    Value func = scan_value(s, f);
    if (func.class_ != NULL && func.kind == KIND_NONE && f->kind == EXPR_NAME)
        return instance_of(s, func.class_);
    if (func.func != NULL) {
        for (size_t i = 0; i < func.func->returns.len; i++) {
            Value v = scan_value(s, func.func->returns.at[i]);
            if (v.kind != KIND_NONE)
                return v;
        }
        return (Value){0};
    }
    if (path_is(func.path, "tf.function") && e->call.args.len > 0)
        return scan_value(s, e->call.args.at[0]);
    if (func.kind == KIND_NONE && func.path != NULL)
        return (Value){.kind = kind_of_path(func.path), .path = func.path};
    if (f->kind == EXPR_NAME && sym_is(f->name.id, "iter") && e->call.args.len == 1 &&
        value_is(scan_value(s, e->call.args.at[0]), KIND_DATASET))
        return (Value){.kind = KIND_ITERATOR};
    if (f->kind == EXPR_ATTRIBUTE) {
        Value of = scan_value(s, f->attribute.value);
        Kind kind = kind_of_method(of.kind, f->attribute.attr);
        return (Value){.kind = kind, .path = of.path,
                       .class_ = kind == KIND_NET ? of.class_ : NULL};
    }
    return (Value){0};
}

static Value either(Value a, Value b) { return a.kind == b.kind ? a : (Value){0}; }

static Value compute_value(Scan *s, const Expr *e)
{
    const Slot *p;
    if (e->kind == EXPR_CALL)
        return value_of_call(s, e);
    if (e->kind == EXPR_ATTRIBUTE)
        return value_of_attribute(s, e);
    if (e->kind == EXPR_IF_EXP)
        return either(scan_value(s, e->if_exp.body), scan_value(s, e->if_exp.orelse));
    if (e->kind == EXPR_NAMED_EXPR)
        return scan_value(s, e->named_expr.value);
    if (e->kind != EXPR_NAME || (p = scan_slot(s, e)) == NULL)
        return (Value){0};
    return p->value;
}

typedef struct Found { Value value; int round; } Found;

// What is asked for while it is computed, is not known.
Value scan_value(Scan *s, const Expr *e)
{
    if (e == NULL || s->depth > MAX_DEPTH)
        return (Value){0};
    Found *known = table_get(s->values, e);
    if (known != NULL && known->round == s->round)
        return known->value;
    if (known == NULL) {
        known = ARENA_NEW(s->arena, Found);
        table_set(s->values, e, known);
    }
    *known = (Found){.round = s->round};
    s->depth++;
    known->value = compute_value(s, e);
    s->depth--;
    return known->value;
}

bool scan_trains(const Scan *s, Span at)
{
    for (size_t i = 0; i < s->training.len; i++) {
        Span call = s->training.at[i]->call->at;
        if (at.start <= call.start && call.end <= at.end)
            return true;
    }
    return false;
}

Func *scan_callee(Scan *s, const Expr *call)
{
    const Expr *f = call->call.func;
    Value v = scan_value(s, f);
    Value object = v;
    if (v.func != NULL)
        return table_get(s->funcs, v.func->def);
    bool creates = v.class_ != NULL && v.kind == KIND_NONE && f->kind == EXPR_NAME &&
                   scan_slot(s, f)->value.path != NULL;
    if (object.class_ == NULL)
        return NULL;
    Names *names = s->t->cx->names;
    Func *init = method_of(s, object.class_, names_get(names, "__init__"));
    Func *own = method_of(s, object.class_, names_get(names, "call"));
    return creates ? init : own != NULL ? own
                                        : method_of(s, object.class_, names_get(names, "__call__"));
}

const Expr *scan_method(Scan *s, const Expr *call, Kind kind, const char *name)
{
    if (call->kind != EXPR_CALL || call->call.func->kind != EXPR_ATTRIBUTE ||
        !sym_is(call->call.func->attribute.attr, name))
        return NULL;
    const Expr *of = call->call.func->attribute.value;
    return value_is(scan_value(s, of), kind) ? of : NULL;
}

// ---- where statements stand ----

const StmtInfo *scan_info(const Scan *s, const Stmt *stmt) { return table_get(s->infos, stmt); }

const Stmt *scan_loop(const Scan *s, const Stmt *stmt)
{
    for (const StmtInfo *i = scan_info(s, stmt); i->parent != NULL; i = scan_info(s, i->parent)) {
        if (i->kind == BODY_LOOP)
            return i->parent;
        if (i->kind == BODY_FUNCTION || i->kind == BODY_CLASS)
            break;
    }
    return NULL;
}

bool scan_is_within(const Scan *s, const Stmt *inner, const Stmt *outer)
{
    for (; inner != NULL; inner = scan_info(s, inner)->parent)
        if (inner == outer)
            return true;
    return false;
}

// ---- the walk ----

static void bind(Scan *s, const Expr *target, const Expr *value, BindHow how, const Stmt *stmt)
{
    if (target->kind == EXPR_STARRED)
        target = target->starred.value;
    if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) {
        ExprList parts = target->kind == EXPR_TUPLE ? target->tuple.elts : target->list.elts;
        bool paired = how == BIND_VALUE && value->kind == EXPR_TUPLE &&
                      value->tuple.elts.len == parts.len;
        for (size_t i = 0; i < parts.len; i++) {
            size_t before = s->bindings.len;
            bind(s, parts.at[i], paired ? value->tuple.elts.at[i] : value,
                 paired ? BIND_VALUE : how == BIND_VALUE ? BIND_PART : how, stmt);
            if (s->bindings.len == before + 1)
                s->bindings.at[before].part = i;
        }
        return;
    }
    while (target->kind == EXPR_SUBSCRIPT) {
        target = target->subscript.value;
        how = BIND_MORE;
    }
    Slot *p = scan_slot(s, target);
    if (p != NULL)
        add_binding(s, (Binding){.slot = p, .value = value, .how = how, .stmt = stmt});
}

// `for i, x in enumerate(tqdm(d))`: nothing else uses the number.
static void bind_loop(Scan *s, const Stmt *n)
{
    const Expr *target = n->for_.target, *iter = n->for_.iter;
    bool counted = iter->kind == EXPR_CALL && iter->call.func->kind == EXPR_NAME &&
                   sym_is(iter->call.func->name.id, "enumerate") && iter->call.args.len > 0 &&
                   target->kind == EXPR_TUPLE && target->tuple.elts.len == 2;
    if (counted)
        bind(s, target->tuple.elts.at[1], iter->call.args.at[0], BIND_ELEMENT, n);
    else
        bind(s, target, iter, BIND_ELEMENT, n);
}

static void bind_items(Scan *s, WithitemList items, const Stmt *stmt)
{
    for (size_t i = 0; i < items.len; i++)
        if (items.at[i]->optional_vars != NULL)
            bind(s, items.at[i]->optional_vars, items.at[i]->context_expr, BIND_VALUE, stmt);
}

static void bind_import(Scan *s, const Stmt *stmt, const Alias *a, Sym module)
{
    const char *dot = strchr(a->name, '.');
    Names *names = s->t->cx->names;
    Sym name = a->asname != NULL ? a->asname
               : dot == NULL     ? a->name
                                 : names_intern(names, a->name, (size_t)(dot - a->name));
    Sym path = module != NULL ? names_format(names, "%s.%s", module, a->name)
               : a->asname != NULL ? a->name : name;
    Slot *p = slot_of_name(s, scan_block(s, stmt->at.start), name);
    p->value = (Value){.path = one_spelling(s, path)};
}

static void bind_stmt(Scan *s, const Stmt *n)
{
    for (size_t i = 0; n->kind == STMT_ASSIGN && i < n->assign.targets.len; i++)
        bind(s, n->assign.targets.at[i], n->assign.value, BIND_VALUE, n);
    if (n->kind == STMT_ANN_ASSIGN && n->ann_assign.value != NULL)
        bind(s, n->ann_assign.target, n->ann_assign.value, BIND_VALUE, n);
    if (n->kind == STMT_AUG_ASSIGN)
        bind(s, n->aug_assign.target, n->aug_assign.value, BIND_MORE, n);
    if (n->kind == STMT_FOR)
        bind_loop(s, n);
    if (n->kind == STMT_WITH)
        bind_items(s, n->with.items, n);
    for (size_t i = 0; n->kind == STMT_IMPORT && i < n->import.names.len; i++)
        bind_import(s, n, n->import.names.at[i], NULL);
    for (size_t i = 0; n->kind == STMT_IMPORT_FROM && n->import_from.module != NULL &&
                       i < n->import_from.names.len; i++)
        bind_import(s, n, n->import_from.names.at[i], n->import_from.module);
}

static Sym first_parameter(const Arguments *a)
{
    return a->posonlyargs.len > 0 ? a->posonlyargs.at[0]->arg
           : a->args.len > 0      ? a->args.at[0]->arg : NULL;
}

static Func *note_function(Scan *s, const Stmt *n, const StmtInfo *info)
{
    Func *f = ARENA_NEW(s->arena, Func);
    *f = (Func){.def = n, .block = scopes_block(&s->scopes, n)};
    if (info->kind == BODY_CLASS && info->parent != NULL) {
        f->class_ = info->parent;
        f->self = first_parameter(n->function_def.args);
    }
    table_set(s->funcs, n, f);
    table_set(s->block_funcs, f->block, f);
    vec_push(s->arena, &s->all_funcs, f);
    Slot *p = slot_of_name(s, f->block->outer, n->function_def.name);
    if (f->class_ == NULL)
        p->value = (Value){.func = f};
    return f;
}

typedef struct Down { Scan *s; Func *in; const Stmt *class_; } Down;

static void note_list(Down *d, const Stmt *owner, BodyKind kind, StmtList body);

static void note_body(void *cx, const Stmt *owner, BodyKind kind, StmtList body)
{
    Down inner = *(Down *)cx;
    if (kind == BODY_FUNCTION)
        inner.in = table_get(inner.s->funcs, owner);
    if (kind == BODY_CLASS)
        inner.class_ = owner;
    note_list(&inner, owner, kind, body);
}

static void note_list(Down *d, const Stmt *owner, BodyKind kind, StmtList body)
{
    Scan *s = d->s;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *n = body.at[i];
        StmtInfo *info = ARENA_NEW(s->arena, StmtInfo);
        *info = (StmtInfo){owner, kind, d->in, d->class_};
        table_set(s->infos, n, info);
        vec_push(s->arena, &s->stmts, n);
        if (n->kind == STMT_FUNCTION_DEF)
            note_function(s, n, info);
        if (n->kind == STMT_CLASS_DEF) {
            Slot *p = slot_of_name(s, scopes_block(&s->scopes, n)->outer, n->class_def.name);
            p->value = (Value){.class_ = n, .path = n->class_def.name};
        }
        if (n->kind == STMT_RETURN && n->return_.value != NULL && d->in != NULL)
            vec_push(s->arena, &d->in->returns, n->return_.value);
        bodies_each(n, note_body, d);
    }
}

// ---- calls ----

typedef struct Collect { Scan *s; const Stmt *stmt; Func *in; } Collect;

static bool note_call(void *cx, const Expr *e)
{
    const Collect *c = cx;
    if (e->kind == EXPR_CALL)
        vec_push(c->s->arena, &c->s->calls, ((CallSite){e, c->stmt, c->in, NULL}));
    if (e->kind == EXPR_NAMED_EXPR)
        bind(c->s, e->named_expr.target, e->named_expr.value, BIND_VALUE, c->stmt);
    return true;
}

static Slot *parameter(Scan *s, Func *f, Sym name)
{
    Slot *p = slot_in(s, f->block, f->block, NULL, name);
    p->parameter_of = f;
    return p;
}

static void bind_arguments(Scan *s, const CallSite *c)
{
    Func *f = c->callee;
    const Arguments *a = f->def->function_def.args;
    size_t skip = f->class_ != NULL ? 1 : 0;
    for (size_t i = 0; i < c->call->call.args.len && i + skip < a->args.len; i++)
        add_binding(s, (Binding){.slot = parameter(s, f, a->args.at[i + skip]->arg),
                                 .value = c->call->call.args.at[i]});
    for (size_t i = 0; i < c->call->call.keywords.len; i++) {
        const Keyword *k = c->call->call.keywords.at[i];
        if (k->arg != NULL && block_symbol(f->block, k->arg) != NULL)
            add_binding(s, (Binding){.slot = parameter(s, f, k->arg), .value = k->value});
    }
}

// ---- fixed points ----

static bool settle_kinds(Scan *s)
{
    bool changed = false;
    for (size_t i = 0; i < s->bindings.len; i++) {
        const Binding *b = &s->bindings.at[i];
        Value v = b->how == BIND_VALUE ? scan_value(s, b->value) : (Value){0};
        bool known = v.kind != KIND_NONE || v.path != NULL || v.func != NULL || v.class_ != NULL;
        bool has = b->slot->value.kind != KIND_NONE || b->slot->value.path != NULL ||
                   b->slot->value.func != NULL || b->slot->value.class_ != NULL;
        if (known && !has) {
            b->slot->value = v;
            changed = true;
        } else if (has && b->how == BIND_VALUE && v.kind != b->slot->value.kind) {
            b->slot->mixed = true;
        }
    }
    return changed;
}

// `a, b = f()`, where f has `return x, y`.
static void bind_parts(Scan *s, const CallSite *c)
{
    for (size_t i = 0; i < s->bindings.len; i++) {
        Binding b = s->bindings.at[i];
        for (size_t k = 0; b.value == c->call && b.how == BIND_PART && k < c->callee->returns.len;
             k++) {
            const Expr *e = c->callee->returns.at[k];
            if (e->kind == EXPR_TUPLE && b.part < e->tuple.elts.len) {
                b.value = e->tuple.elts.at[b.part];
                b.how = BIND_VALUE;
                b.next = 0;
                add_binding(s, b);
            }
        }
    }
}

static bool settle_callees(Scan *s)
{
    bool changed = false;
    for (size_t i = 0; i < s->calls.len; i++) {
        CallSite *c = &s->calls.at[i];
        if (c->callee == NULL && (c->callee = scan_callee(s, c->call)) != NULL) {
            bind_arguments(s, c);
            bind_parts(s, c);
            changed = true;
        }
    }
    return changed;
}

// Decorated with tf.function, or given to it.
static void note_traced(Scan *s)
{
    for (size_t i = 0; i < s->all_funcs.len; i++) {
        Func *f = s->all_funcs.at[i];
        ExprList decorators = f->def->function_def.decorator_list;
        for (size_t k = 0; k < decorators.len; k++) {
            const Expr *d = decorators.at[k];
            f->traced |= path_is(scan_value(s, d->kind == EXPR_CALL ? d->call.func : d).path,
                                 "tf.function");
        }
    }
    for (size_t i = 0; i < s->calls.len; i++) {
        const Expr *call = s->calls.at[i].call;
        Func *f = NULL;
        Sym path = scan_value(s, call->call.func).path;
        if (path_is(path, "tf.function") && call->call.args.len > 0) {
            Value v = scan_value(s, call->call.args.at[0]);
            f = v.func == NULL ? NULL : table_get(s->funcs, v.func->def);
        }
        if (f != NULL)
            f->traced = true;
    }
}

bool scan_backward(Scan *s, const Expr *call)
{
    const Expr *f = call->call.func;
    return f->kind == EXPR_ATTRIBUTE && sym_is(f->attribute.attr, "backward") &&
           scan_value(s, f).func == NULL;
}

static bool applies(Scan *s, const CallSite *c)
{
    return scan_backward(s, c->call) ||
           scan_method(s, c->call, KIND_STEPPER, "step") != NULL ||
           scan_method(s, c->call, KIND_OPTIMIZER, "apply_gradients") != NULL ||
           scan_method(s, c->call, KIND_OPTIMIZER, "minimize") != NULL ||
           scan_method(s, c->call, KIND_OPTIMIZER, "apply") != NULL ||
           scan_method(s, c->call, KIND_MODEL, "fit") != NULL ||
           scan_method(s, c->call, KIND_SESSION, "run") != NULL ||
           scan_method(s, c->call, KIND_VARIABLE, "assign_sub") != NULL;
}

static void note_trainers(Scan *s)
{
    for (bool changed = true; changed;) {
        changed = false;
        for EACH_CALL(c, s) {
            bool trains = applies(s, c) || (c->callee != NULL && c->callee->trains);
            if (trains && c->in != NULL && !c->in->trains)
                c->in->trains = changed = true;
            // What a traced function calls is traced with it.
            if (c->in != NULL && c->in->traced && c->callee != NULL && !c->callee->traced)
                c->callee->traced = changed = true;
        }
    }
    for EACH_CALL(c, s) {
        if (applies(s, c) || (c->callee != NULL && c->callee->trains))
            vec_push(s->arena, &s->training, c);
    }
}

Scan *scan_new(Tool *t)
{
    Scan *s = ARENA_NEW(t->arena, Scan);
    StmtList body = t->cx->unit->module.body;
    *s = (Scan){.t = t, .arena = t->arena, .slots = table_new(t->arena),
                .values = table_new(t->arena), .named = table_new(t->arena),
                .infos = table_new(t->arena), .funcs = table_new(t->arena),
                .block_funcs = table_new(t->arena),
                .scopes = scopes_new(t->arena, t->cx->names, body, NULL)};
    Down top = {s, NULL, NULL};
    s->near = ARENA_NEW(t->arena, const Block *);
    *s->near = s->scopes.module;
    note_list(&top, NULL, BODY_BRANCH, body);
    for (size_t i = 0; i < s->stmts.len; i++)
        bind_stmt(s, s->stmts.at[i]);
    for (size_t i = 0; i < s->stmts.len; i++) {
        Collect c = {s, s->stmts.at[i], scan_info(s, s->stmts.at[i])->in};
        stmt_exprs(s->stmts.at[i], note_call, &c);
    }
    for (int i = 0; i < ROUNDS; i++) {
        s->round++;             // what is not known in the last one is not known
        bool kinds = settle_kinds(s), callees = settle_callees(s);
        if (!kinds && !callees)
            break;
    }
    note_traced(s);
    note_trainers(s);
    return s;
}
