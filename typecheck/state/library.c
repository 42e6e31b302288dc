// library.c - what code of libraries does with what it is given, as their stubs say it.
//
// What has a type does not change a parameter whose type has no method that changes it. What it
// gives may be, or hold, what it was given. Code that nothing is known of may change all that it
// can reach.

#include <string.h>

#include "typecheck/state/state.h"

// ---- names of libraries ----

static Obj *library_obj(State *s, Sym home, Sym name) {
    Sym key = names_format(s->p->names, "%s.%s", home, name);
    Obj *o = table_get(s->library, key);
    if (o != NULL) return o;
    o = state_obj(s, OBJ_LIBRARY, NULL, (Span){0, 0});
    o->home = home;
    o->name = name;
    table_set(s->library, key, o);
    return o;
}

Obj *library_module(State *s, Sym name) {
    Obj *o = library_obj(s, name, state_sym(s, ""));
    if (o->module == NULL) o->module = pyt_module(s->p->py, name);
    return o;
}

static void find_symbol(Obj *o, PySym *symbol) {
    PyModule *module = NULL;
    if (symbol == NULL) return;
    PySym *to = pyt_follow(symbol, &module);
    o->module = module;
    o->symbol = to;
    if (to != NULL && to->kind == PYSYM_CLASS) (void)pyt_symbol_type(to);
}

Obj *library_member(State *s, Obj *of, Sym name) {
    bool opened = of->module != NULL || *of->name == '\0' ||
        (of->symbol != NULL && of->symbol->kind == PYSYM_CLASS);
    if (!opened) return of;             // a part of what is not known
    Sym home = *of->name == '\0' ? of->home
        : names_format(s->p->names, "%s.%s", of->home, of->name);
    Obj *o = library_obj(s, home, name);
    if (o->used) return o;
    o->used = true;
    if (of->module != NULL) find_symbol(o, pyt_symbol(of->module->env, name));
    if (of->symbol != NULL && of->symbol->kind == PYSYM_CLASS) o->of = of;
    return o;
}

Obj *library_builtin(State *s, Sym name) {
    Py *py = s->p->py;
    Sym builtins = state_sym(s, "builtins");
    if (sym_is(name, "copy_value"))
        return library_obj(s, state_sym(s, "pychoral"), name);
    PySym *symbol = py->builtins != NULL ? pyt_symbol(py->builtins->env, name) : NULL;
    if (symbol == NULL || symbol->kind == PYSYM_VARIABLE) return NULL;
    Obj *o = library_obj(s, builtins, name);
    if (!o->used) find_symbol(o, symbol);
    o->used = true;
    return o;
}

PyClass *library_class(State *s, const char *name) {
    Obj *o = library_builtin(s, state_sym(s, name));
    return o != NULL && o->symbol != NULL ? o->symbol->class_ : NULL;
}

// The stub of a builtin class is read when somebody asks.
PyClass *library_class_of(State *s, Obj *o) {
    if (o->class_ == NULL && o->kind == OBJ_DATA && o->home != NULL)
        o->class_ = library_class(s, o->home);
    return o->class_;
}

// Our stubs say `list[_T]` of a list that is made: it holds what was given, and is none of it.
bool library_collection(const PyClass *c) {
    static const char *const NAMES[] = {"list", "dict", "set", "frozenset", "tuple", NULL};
    return c != NULL && sym_is_one_of(c->name, NAMES);
}

bool library_unnamed(const Obj *o) { return o->class_ == NULL && o->home == NULL; }

// ---- libraries whose objects do not change ----

static bool is_pure(const char *home, Sym name) {
    static const char *const MODULES[] = {
        "dataclasses", "enum", "typing", "abc", "fractions", "decimal", "json", "hashlib",
        "itertools", "functools", "collections", "collections.abc", "operator", "re", "string",
        "math", "datetime", "uuid", "struct", "builtins", "logging", "pychoral",
        "pathlib.PurePath", "pathlib.PurePosixPath", "time", "statistics", "unicodedata",
        "__future__", "typing_extensions", "cmath", "heapq", "bisect", "copy", "base64", "secrets",
        "hmac", "zlib", "binascii", "numbers", "types", "contextlib", "sys", "os", "os.path",
        "platform", NULL};
    static const char *const NAMES[] = {"Lock", "RLock", "PurePath", "PurePosixPath", NULL};
    for (size_t i = 0; MODULES[i] != NULL; i++) {
        size_t n = strlen(MODULES[i]);
        if (strncmp(home, MODULES[i], n) == 0 && (home[n] == '\0' || home[n] == '.')) return true;
    }
    return sym_is_one_of(name, NAMES);
}

// What is stored through `operator`.
static bool in_place(const Obj *f) {
    static const char *const NAMES[] = {
        "setitem", "delitem", "iadd", "iand", "iconcat", "ifloordiv", "ilshift", "imatmul", "imod",
        "imul", "ior", "ipow", "irshift", "isub", "itruediv", "ixor", NULL};
    return sym_is(f->home, "operator") && sym_is_one_of(f->name, NAMES);
}

// ---- types of parameters ----

enum {
    TAKES_SELF = 1,         // it may be kept, or given back
    TAKES_PARTS = 2,        // what is in it may
    TAKES_CHANGES = 4,      // it may be changed
    TAKES_CALLS = 8,
    TAKES_ANY = 16,
    TAKES_HOOKS = 32,       // methods of the program that it has may be called
    TAKES_NOTHING = 64,     // it is looked at
};

static const struct { const char *name; unsigned takes; } TYPES[] = {
    {"Any", TAKES_ANY}, {"object", TAKES_SELF}, {"Callable", TAKES_CALLS},
    {"Iterable", TAKES_PARTS}, {"Sequence", TAKES_PARTS}, {"Collection", TAKES_PARTS},
    {"Mapping", TAKES_PARTS}, {"AbstractSet", TAKES_PARTS}, {"Reversible", TAKES_PARTS},
    {"Container", TAKES_PARTS}, {"SupportsIter", TAKES_PARTS}, {"tuple", TAKES_PARTS},
    {"frozenset", TAKES_PARTS}, {"SupportsLenAndGetItem", TAKES_PARTS},
    {"_SupportsKeys", TAKES_PARTS}, {"MappingView", TAKES_PARTS}, {"SupportsRichComparison", 1},
    {"SupportsNext", TAKES_PARTS | TAKES_CHANGES}, {"Iterator", TAKES_PARTS | TAKES_CHANGES},
    {"Sized", TAKES_HOOKS}, {"str", TAKES_NOTHING}, {"int", TAKES_NOTHING},
    {"float", TAKES_NOTHING}, {"bool", TAKES_NOTHING}, {"bytes", TAKES_NOTHING},
    {"complex", TAKES_NOTHING}, {"None", TAKES_NOTHING}, {"slice", TAKES_NOTHING},
    {"range", TAKES_NOTHING}, {"type", TAKES_HOOKS}, {"Literal", TAKES_NOTHING},
    {"Self", TAKES_PARTS}, {"NoReturn", TAKES_NOTHING}, {"LiteralString", TAKES_NOTHING},
    {"Hashable", TAKES_SELF},
    {"SupportsIndex", TAKES_NOTHING}, {"SupportsInt", TAKES_NOTHING},
    {"SupportsFloat", TAKES_NOTHING}, {"SupportsComplex", TAKES_NOTHING},
    {"SupportsBytes", TAKES_NOTHING},
    {"SupportsGetItem", TAKES_SELF | TAKES_PARTS}, {"_SupportsAbs", TAKES_SELF},
    {"_SupportsRound", TAKES_SELF}, {"_SupportsDivMod", TAKES_SELF},
};

static Sym head_of(const Expr *e) {
    return annotation_head(e->kind == EXPR_SUBSCRIPT ? e->subscript.value : e);
}

static unsigned takes(PyEnv *env, const Expr *e) {
    if (e == NULL) return TAKES_ANY;
    if (e->kind == EXPR_CONSTANT) return TAKES_NOTHING;
    if (e->kind == EXPR_BIN_OP) return takes(env, e->bin_op.left) | takes(env, e->bin_op.right);
    Sym name = head_of(e);
    if (name == NULL) return TAKES_ANY;
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (sym_is(name, TYPES[i].name)) return TYPES[i].takes;
    PySym *symbol = pyt_find(env, name);
    if (symbol == NULL || symbol->kind == PYSYM_TYPE_VAR || symbol->kind == PYSYM_VARIABLE)
        return TAKES_SELF;
    return TAKES_SELF | TAKES_PARTS | TAKES_CHANGES;
}

static PyClass *class_of(PyEnv *env, const Expr *e) {
    if (e != NULL && e->kind == EXPR_SUBSCRIPT) e = e->subscript.value;
    PySym *symbol = e != NULL ? pyt_lookup(env, e) : NULL;
    if (symbol == NULL || symbol->kind != PYSYM_CLASS) return NULL;
    (void)pyt_symbol_type(symbol);
    return symbol->class_;
}

// ---- objects ----

typedef struct Known { PySym *symbol; bool open; } Known;

static const Known *find_member(State *s, PyClass *c, Sym name) {
    Table *of = state_table(s, s->members, c);
    Known *m = table_get(of, name);
    if (m != NULL) return m;
    const Ty *at;
    m = ARENA_NEW(s->arena, Known);
    table_set(of, name, m);
    m->symbol = pyt_class_member(s->p->py, pyt_class_self(c), name, &at, &m->open);
    return m;
}

static PySym *member(State *s, PyClass *c, Sym name) { return find_member(s, c, name)->symbol; }

static bool is_trusted(const PySym *symbol) {
    const PyModule *m = symbol->home->module;
    return m != NULL && m->env->unread != NULL;
}

Part library_part(State *s, PyClass *c, Sym name) {
    PySym *found = c != NULL ? member(s, c, name) : NULL;
    return found == NULL ? PART_UNKNOWN
        : found->kind != PYSYM_FUNCTION || pyt_decorated(found->defs.at[0], "property")
            ? PART_FIELD : PART_METHOD;
}

// A form of `typing`, as NamedTuple and TypedDict, has parts of a tuple or a dict at most.
static bool is_form(const PySym *of) {
    return of != NULL && of->kind == PYSYM_VARIABLE && is_trusted(of);
}

PyClass *library_base(State *s, const Obj *class_, Sym name) {
    const PySym *of = class_->symbol;
    if (!is_form(of)) return of != NULL ? of->class_ : NULL;
    PyClass *tuple = library_class(s, "tuple"), *dict = library_class(s, "dict");
    return member(s, tuple, name) != NULL ? tuple : member(s, dict, name) != NULL ? dict : NULL;
}

bool library_gives(State *s, const Obj *class_, Sym name) {
    const PySym *of = class_->symbol;
    if (is_form(of)) return name[0] == '_' || library_base(s, class_, name) != NULL;
    const Known *known = of != NULL && of->class_ != NULL ? find_member(s, of->class_, name) : NULL;
    if (known == NULL || known->symbol == NULL)
        return known == NULL || known->open || sym_is(name, "__call__");
    const PySym *found = known->symbol;
    bool property = found->kind == PYSYM_FUNCTION && pyt_decorated(found->defs.at[0], "property");
    const Expr *type = property ? pyt_returns(found->defs.at[0])
        : found->kind == PYSYM_VARIABLE ? found->annotation : NULL;
    return type == NULL || takes(found->home, type) != TAKES_NOTHING;
}

// What a class of a library may call of a class that is derived from it: what it has itself; also
// other methods, if it asks for them by name (`do_GET`), as code without marks may.
bool library_overrides(State *s, const Obj *class_, Sym method) {
    const PySym *of = class_->symbol;
    if (member(s, library_class(s, "object"), method) != NULL) return false;
    if (of == NULL || of->kind != PYSYM_CLASS || of->class_ == NULL)
        return of == NULL && method[0] != '_' && !is_pure(class_->home, class_->name);
    return (!is_trusted(of) && method[0] != '_') || member(s, of->class_, method) != NULL;
}

bool library_plain(State *s, PyClass *c, Sym method) {
    PySym *found = c != NULL ? member(s, c, method) : NULL;
    return found != NULL && found == member(s, library_class(s, "object"), method);
}

static bool is_marked(const PySym *f, const char *mark) {
    bool all = f != NULL && f->kind == PYSYM_FUNCTION;
    for (size_t i = 0; all && i < f->defs.len; i++) all = pyt_decorated(f->defs.at[i], mark);
    return all;
}

bool library_marked(State *s, const char *class_, Sym method, const char *mark) {
    return is_marked(member(s, library_class(s, class_), method), mark);
}

bool library_unread(State *s, Obj *o, Sym method) {
    PyClass *c = o->kind == OBJ_DATA ? library_class_of(s, o) : NULL;
    return c != NULL && is_marked(member(s, c, method), "unread");
}

// The container that is in a container; NULL: none is.
static const Expr *nested(const Expr *e) {
    if (e == NULL || e->kind != EXPR_SUBSCRIPT) return NULL;
    const Expr *part = e->subscript.slice, *found = NULL;
    ExprList parts = part->kind == EXPR_TUPLE ? part->tuple.elts : (ExprList){&part, 1};
    for (size_t i = 0; i < parts.len; i++)
        if (parts.at[i]->kind == EXPR_SUBSCRIPT) found = parts.at[i];
    return found;
}

// The same of what one of its definitions says that it gives.
static const Expr *gives_nested(State *s, PyClass *c, const char *name) {
    const PySym *f = member(s, c, state_sym(s, name));
    const Expr *found = NULL;
    for (size_t i = 0; f != NULL && f->kind == PYSYM_FUNCTION && i < f->defs.len; i++) {
        const Expr *in = nested(pyt_returns(f->defs.at[i]));
        if (in != NULL) found = in;
    }
    return found;
}

// Is what it gives one by one made by it, and not what it was given? *item: its type, or NULL.
static bool makes_items(State *s, PyClass *c, const Expr **item) {
    const PySym *next = member(s, c, state_sym(s, "__next__"));
    *item = gives_nested(s, c, next == NULL ? "__iter__" : "__new__");
    if (next == NULL || next->kind != PYSYM_FUNCTION || *item != NULL)
        return *item != NULL || next != NULL;
    *item = pyt_returns(next->defs.at[0]);
    const PySym *type = *item != NULL && (*item)->kind == EXPR_NAME
        ? pyt_find(next->home, (*item)->name.id) : NULL;
    return type == NULL || type->kind != PYSYM_TYPE_VAR;
}

// Its items are made by it. One tuple stands for all of them; for containers in containers, itself.
static void make_items(State *s, Obj *o, const Expr *item) {
    Sym head = item != NULL && nested(item) == NULL ? head_of(item) : NULL;
    if (head == NULL || !sym_is(head, "tuple")) {
        state_add(s, state_items(s, o), o->id);
        return;
    }
    if (o->each == NULL) {
        o->each = state_obj(s, OBJ_DATA, o->by, o->at);
        o->each->load = o->load;
        o->each->home = state_sym(s, "tuple");
    }
    state_add(s, state_items(s, o), o->each->id);
}

// What it was given, which is in it, or in its items.
static Id content(State *s, Obj *o) { return state_items(s, o->each != NULL ? o->each : o); }

static bool has_member(State *s, PyClass *c, const char *name) {
    return member(s, c, state_sym(s, name)) != NULL;
}

// Instances of these cannot change; or what changes in them no role sees.
static bool is_constant(const PyClass *c) {
    static const char *const NAMES[] = {
        "re.Pattern", "re.Match", "struct.Struct", "string.Template", "logging.Logger",
        "threading.Lock", "threading.RLock", "datetime.date", "datetime.time",
        "datetime.datetime", "datetime.timedelta", "datetime.timezone", "decimal.Decimal",
        "fractions.Fraction", "uuid.UUID", "pathlib.PurePath", "pathlib.PurePosixPath",
        "pathlib.PureWindowsPath", NULL};
    return c != NULL && sym_is_one_of(c->name, NAMES);
}

Obj *library_data(State *s, const Op *op, PyClass *class_) {
    Obj *o = state_made_like(s, op, OBJ_DATA, NULL, class_);
    o->pure |= is_constant(class_);
    bool used = o->items != 0;
    (void)state_items(s, o);
    if (used || class_ == NULL) return o;
    o->iterator = has_member(s, class_, "__next__");
    const Expr *item;
    if (makes_items(s, class_, &item)) make_items(s, o, item);
    o->mutable_ = has_member(s, class_, "__setitem__") || has_member(s, class_, "add") ||
        has_member(s, class_, "append") || o->iterator;
    o->grows = sym_is(class_->name, "collections.defaultdict") ||
        sym_is(class_->name, "defaultdict");
    return o;
}

// What it was given to call is called when it is used.
void library_use(State *s, const Op *op, Obj *o) {
    Id code = state_known_field(o, state_sym(s, "=call"));
    if (code == 0) return;
    Op call = state_each(s, op, OP_CALL, state_items(s, o), state_items(s, o));
    if (op->kind == OP_DEFAULT) {       // a field keeps none of them
        call.key = o;
        call.result = op->result;
        call.len = 0;
    }
    state_when(s, code, &call);
    state_flow(s, call.result, op->result);
}

bool library_changes(const Obj *o) {
    return o->kind == OBJ_INSTANCE || o->kind == OBJ_GENERATOR ||
        (o->kind == OBJ_DATA && (o->mutable_ || o->iterator || (library_unnamed(o) && !o->pure)));
}

// What a call gives to code of a library, and that makes of it.
static Id pool_of(State *s, const Op *op, const void *what) {
    return op->cx->pool != 0 ? op->cx->pool : op->anyhow != 0 ? op->anyhow
        : state_memo(s, op->cx, op->key, what);
}

// The code itself: what it calls, it calls from here.
static Op *code_of(State *s, const Op *op, Id pool) {
    Op *known = state_unknown(s, pool);
    if (known != NULL) return known;
    Ctx *cx = ARENA_NEW(s->arena, Ctx);
    *cx = (Ctx){.load = s->load, .place = state_node(s), .result = pool, .pool = pool,
                .scope = s->module, .from = state_from(op)};
    Op all = {.kind = OP_UNKNOWN, .at = op->at, .key = op->key, .cx = cx, .place = cx->place,
              .result = pool, .anyhow = pool};
    state_when(s, pool, &all);
    return state_unknown(s, pool);
}

void library_hand(State *s, const Op *op, const Op *code) {
    for (size_t i = 0; i < op->len; i++) state_flow(s, op->args[i].node, code->result);
    state_flow(s, op->place, code->place);
    state_calls(s, op->cx, code->cx);
    state_flow(s, code->result, op->result);
}

void library_unknown(State *s, const Op *op, Obj *self) {
    Id pool = pool_of(s, op, state_sym(s, "=unknown"));
    Op *code = code_of(s, op, pool);
    library_hand(s, op, code);
    if (self != NULL) state_add(s, pool, self->id);
    if (table_get(s->swept, table_key(pool)) == NULL) {
        Op sweep = state_as(op, OP_UNKNOWN, pool);
        sweep.place = code->place;
        state_read(s, &sweep, (Eval){.node = pool, .all = true, .changes = true});
        vec_push(s->arena, &s->unknown, code);
    }
    table_set(s->swept, table_key(pool), code);
    if (op->result == 0) return;
    Obj *made = library_data(s, op, NULL);
    made->mutable_ = true;
    state_add(s, pool, made->id);
}

static bool is_scalar(const PyClass *c) {
    static const char *const NAMES[] = {"int", "float", "bool", "str", "bytes", "complex", "range",
                                        "slice", "type", "object", "property", "staticmethod",
                                        "classmethod", NULL};
    return sym_is_one_of(c->name, NAMES);
}

// ---- a function or method as its stub says it ----

typedef struct Summary {
    State *s;
    const Op *op;
    PyEnv *env;
    Obj  *self;             // of a method; NULL
    bool  changes, trusted;
    bool  compares;         // what it is given, or all that it has
    Id    pool;             // what it may keep, or give
    Id    code;             // what it may call, also later
    PyClass *class_;        // of a constructor
} Summary;

static void take(Summary *m, unsigned what, bool deep, const Operand *a) {
    State *s = m->s;
    Op op = state_as(m->op, OP_ITEMS, m->pool);
    Op call = state_each(s, &op, OP_CALL, m->pool, m->pool);
    if (a->node == 0) return;
    gen_given(s, m->op, a->node);
    if (a->many == EACH || s->load) state_read(s, m->op, (Eval){.node = a->node, .all = s->load});
    bool viewed = m->class_ != NULL && (m->self->iterator || (what & TAKES_CHANGES && m->trusted));
    if (viewed) state_flow(s, a->node, m->op->result);
    Op hook = state_as(&call, OP_HOOK, m->pool);
    if (what & (TAKES_ANY | TAKES_HOOKS)) state_when(s, a->node, &hook);
    if (what & TAKES_ANY) {
        if (m->trusted) what |= TAKES_SELF | TAKES_PARTS;
        else library_unknown(s, &(Op){.kind = op.kind, .at = op.at, .key = op.key, .cx = op.cx,
                                      .place = op.place, .args = (Operand *)a, .len = 1,
                                      .anyhow = op.anyhow}, NULL);
    }
    if (what & TAKES_SELF) {
        gen_deep(s, m->op, a->node);
        state_flow(s, a->node, m->pool);
    }
    if (what & TAKES_PARTS) {
        Id parts = op.result = state_memo(s, op.cx, table_key(a->node), op.key);
        state_part(s, parts, a->node);
        state_when(s, a->node, &op);
        state_read(s, m->op, (Eval){.node = parts});
        state_flow(s, parts, m->pool);
        op.result = m->pool;
        if (deep) state_when(s, parts, &op);
    }
    op.kind = OP_TOUCH;
    bool changes = what & TAKES_CHANGES && !(m->class_ != NULL && is_scalar(m->class_));
    if (changes) state_when(s, a->node, &op);
    if (what & TAKES_CALLS) state_when(s, a->node, &call);
    if (what & TAKES_CALLS) m->code = state_both(s, m->code, a->node);
}

// Can it be called with so many?
static bool fits(const Arguments *a, const Op *op, bool method) {
    size_t given = method, named = 0, params = a->posonlyargs.len + a->args.len;
    for (size_t i = 0; i < op->len; i++) {
        if (op->args[i].many == EACH) return true;
        given += op->args[i].name == NULL;
        named += op->args[i].name != NULL;
    }
    return (given <= params || a->vararg != NULL) && given + named + a->defaults.len >= params;
}

static void give_back(Summary *m, const Expr *returns) {
    State *s = m->s;
    const Op *op = m->op;
    Sym head = returns != NULL ? head_of(returns) : NULL;
    bool class_ = head != NULL && sym_is(head, "type");         // made anew
    bool self = head != NULL && sym_is(head, "Self"), same = self && m->self != NULL;
    unsigned what = class_ ? TAKES_ANY : takes(m->env, returns);
    if (op->result == 0 || what == TAKES_NOTHING) return;
    if (same && op->name != NULL && op->name[0] == '_') {       // itself
        state_add(s, op->result, m->self->id);
        return;
    }
    PyClass *c = class_ ? NULL : same ? library_class_of(s, m->self)
        : self ? m->env->class_ : class_of(m->env, returns);
    bool given = (what & (TAKES_SELF | TAKES_ANY | TAKES_CALLS)) != 0;
    if (given && !(m->trusted && library_collection(c))) state_flow(s, m->pool, op->result);
    if (!(what & (TAKES_PARTS | TAKES_ANY))) return;
    if (c != NULL && is_scalar(c)) return;
    Obj *made = library_data(s, op, c);
    if (what & TAKES_ANY) made->pure = m->trusted;
    const Expr *in = nested(returns);
    if (!m->trusted || in != NULL) make_items(s, made, m->trusted ? in : NULL);
    state_flow(s, m->pool, content(s, made));
    Sym later = state_sym(s, "=call");
    if (made->iterator) state_flow(s, m->code, state_field(s, made, later));
    if (made->iterator || (c != NULL && has_member(s, c, "_mapping"))) {    // of what it was given
        if (m->self != NULL) state_add(s, op->result, m->self->id);
        for (size_t i = 0; i < op->len; i++) state_flow(s, op->args[i].node, op->result);
    }
    state_add(s, op->result, made->id);
}

static void summarize(Summary *m, const Stmt *def, bool method) {
    if (def->kind != STMT_FUNCTION_DEF && def->kind != STMT_ASYNC_FUNCTION_DEF) return;
    const Arguments *a = pyt_arguments(def);
    if (!fits(a, m->op, method)) return;
    if (pyt_decorated(def, "calls")) library_unknown(m->s, m->op, m->self);
    size_t at = method;
    const Formals *params = state_params(m->s, a);
    for (size_t i = 0; i < m->op->len; i++) {
        const Operand *o = &m->op->args[i];
        const Formal *p = state_param(params, o->name, at);
        unsigned what = p != NULL ? takes(m->env, p->arg->annotation) : TAKES_ANY;
        take(m, what, p != NULL && nested(p->arg->annotation) != NULL, o);
        m->compares |= (what & (TAKES_SELF | TAKES_ANY)) != 0;
        at += o->name == NULL && o->many == ONE;
    }
    m->changes |= pyt_decorated(def, "mutates");
    if (pyt_decorated(def, "raised")) state_flow(m->s, m->s->raised, m->pool);
    const Formal *self = method ? state_param(params, NULL, 0) : NULL;
    m->compares |= self != NULL && self->arg->annotation != NULL;       // `self: list[_CT]`
    m->compares &= !pyt_decorated(def, "unread");
}

static void call_symbol(State *s, const Op *op, PySym *symbol, Obj *self, bool method) {
    Summary m = {.s = s, .op = op, .env = symbol->home, .self = self,
                 .pool = pool_of(s, op, symbol),
                 .trusted = is_trusted(symbol)};
    if (self != NULL) state_flow(s, state_items(s, self), m.pool);
    if (self != NULL && self->each != NULL) state_flow(s, content(s, self), m.pool);
    for (size_t i = 0; i < symbol->defs.len; i++) summarize(&m, symbol->defs.at[i], method);
    if (self != NULL && self->kind == OBJ_DATA && m.compares && symbol->home->class_ != NULL &&
        !has_member(s, symbol->home->class_, "keys"))
        gen_deep(s, op, state_items(s, self));
    if (self != NULL && (m.changes || self->iterator || !m.trusted)) {
        state_change(s, self, op);
        state_flow(s, m.pool, state_items(s, self));
    }
    for (size_t i = 0; i < symbol->defs.len; i++)
        if (fits(pyt_arguments(symbol->defs.at[i]), op, method))
            give_back(&m, pyt_returns(symbol->defs.at[i]));
}

// What it gives may hold what it was given, and what that calls gives.
static void pure_call(State *s, const Op *op, Obj *self) {
    Summary m = {.s = s, .op = op, .pool = pool_of(s, op, state_sym(s, "=pure")), .trusted = true};
    Obj *made = self != NULL && self->kind == OBJ_DATA ? self : library_data(s, op, NULL);
    made->pure = true;
    state_merge(s, m.pool, state_items(s, made));
    for (size_t i = 0; i < op->len; i++)
        take(&m, TAKES_SELF | TAKES_PARTS | TAKES_CALLS, false, &op->args[i]);
    state_flow(s, m.pool, op->result);
    state_add(s, m.pool, made->id);         // containers in a container: it stands for all
}

// ---- classes ----

static void make_data(State *s, const Op *op, PyClass *c) {
    static const char *const MAKERS[] = {"__init__", "__new__"};
    bool scalar = is_scalar(c) && !(sym_is(c->name, "type") && op->len > 1);
    Op make = *op;
    if (scalar) make.result = 0;
    Obj *o = library_data(s, op, c);
    for (int i = 0; i < 2; i++) {
        PySym *init = member(s, c, state_sym(s, MAKERS[i]));
        if (init == NULL || init->kind != PYSYM_FUNCTION) continue;
        Summary m = {.s = s, .op = &make, .env = init->home, .self = o, .pool = content(s, o),
                     .trusted = is_trusted(init), .class_ = c};
        for (size_t j = 0; j < init->defs.len; j++) summarize(&m, init->defs.at[j], true);
        if (m.code != 0) state_flow(s, m.code, state_field(s, o, state_sym(s, "=call")));
    }
    for (size_t i = 0; scalar && i < op->len; i++) gen_deep(s, op, op->args[i].node);
    if (!scalar) state_add(s, op->result, o->id);
}

// ---- special ones ----

static Operand *rest_of(const Op *op) { return op->len > 0 ? op->args + 1 : op->args; }

static void make_partial(State *s, const Op *op) {
    Obj *o = state_made_like(s, op, OBJ_PARTIAL, NULL, NULL);
    Op *call = ARENA_NEW(s->arena, Op);
    *call = *op;
    call->args = ARENA_ARRAY(s->arena, Operand, op->len);
    for (size_t i = 0; i < op->len; i++) call->args[i] = op->args[i];
    o->call = call;
    for (size_t i = 1; i < op->len; i++) state_flow(s, op->args[i].node, state_items(s, o));
    state_add(s, op->result, o->id);
}

static void apply_first(State *s, const Op *op, OpKind kind, const char *name) {
    Op on = state_as(op, kind, op->result);
    on.name = state_sym(s, name);
    on.args = rest_of(op);
    on.len = op->len > 0 ? op->len - 1 : 0;
    if (op->len > 0) state_when(s, op->args[0].node, &on);
}

static bool is(const Obj *f, const char *home, const char *name) {
    return sym_is(f->home, home) && sym_is(f->name, name);
}

// Where the name of the attribute is written: as `o.name` and `o.name = value`.
static bool named_access(State *s, const Op *op, const Obj *f) {
    bool get = is(f, "builtins", "getattr") || is(f, "builtins", "hasattr");
    bool set = is(f, "builtins", "setattr") || is(f, "builtins", "delattr") ||
        (f->of != NULL && (sym_is(f->name, "__setattr__") || sym_is(f->name, "__delattr__")));
    if ((!get && !set) || op->len < 2 || op->args[1].text == NULL) return false;
    Op as = state_as(op, get ? OP_LOAD : OP_STORE, op->result);
    as.name = op->args[1].text;
    as.args = op->args + 2;
    as.len = get ? 0 : op->len - 2;
    state_when(s, op->args[0].node, &as);
    if (get && op->len > 2) state_flow(s, op->args[2].node, op->result);
    return true;
}

// As operations on the first argument.
static const struct { const char *home, *name; OpKind kind; const char *as; } APPLIED[] = {
    {"copy", "copy", OP_COPY, "copy"}, {"dataclasses", "replace", OP_COPY, "copy"},
    {"copy", "deepcopy", OP_TWIN, ""}, {"pychoral", "copy_value", OP_TWIN, ""},
    {"dataclasses", "fields", OP_LOAD, "__dataclass_fields__"},
    {"builtins", "next", OP_NEXT, "__next__"}, {"builtins", "type", OP_LOAD, "__class__"},
};

static bool call_applied(State *s, const Op *op, const Obj *f) {
    for (size_t i = 0; i < sizeof APPLIED / sizeof *APPLIED; i++) {
        if (!is(f, APPLIED[i].home, APPLIED[i].name)) continue;
        if (APPLIED[i].kind == OP_LOAD && op->len != 1) return false;       // `type(name, ..)`
        apply_first(s, op, APPLIED[i].kind, APPLIED[i].as);
        if (APPLIED[i].kind == OP_NEXT && op->len > 1)
            state_flow(s, op->args[1].node, op->result);
        return true;
    }
    return false;
}

// What it does depends on a name that is not written.
static bool by_name(const Obj *f) {
    static const char *const BUILTINS[] = {"getattr", "setattr", "delattr", "type", NULL};
    static const char *const OTHERS[] = {"methodcaller", "attrgetter", NULL};
    return (sym_is(f->home, "builtins") && sym_is_one_of(f->name, BUILTINS)) ||
        (sym_is(f->home, "operator") && sym_is_one_of(f->name, OTHERS)) ||
        is(f, "functools", "partialmethod");
}

static bool call_special(State *s, const Op *op, Obj *f) {
    if (sym_is(f->home, "copy") && op->len > 0) gen_given(s, op, op->args[0].node);
    if (named_access(s, op, f) || call_applied(s, op, f)) return true;
    if (is(f, "functools", "partial") && op->len > 0) make_partial(s, op);
    else if (by_name(f)) library_unknown(s, op, NULL);
    else if (in_place(f)) apply_first(s, op, OP_PUT, "");
    else return false;
    if (in_place(f) && op->len > 0) state_flow(s, op->args[0].node, op->result);
    return true;
}

static const char FIELD[] = "=field";

bool library_field(const Obj *o) { return o->home != NULL && sym_is(o->home, FIELD); }

// `field(default_factory=f)`.
static bool make_field(State *s, const Op *op, const Obj *f) {
    if (!is(f, "dataclasses", "field")) return false;
    Obj *o = library_data(s, op, NULL);
    o->pure = true;
    o->home = state_sym(s, FIELD);
    for (size_t i = 0; i < op->len; i++) {
        bool call = op->args[i].name != NULL && sym_is(op->args[i].name, "default_factory");
        state_flow(s, op->args[i].node,
                   call ? state_field(s, o, state_sym(s, "=call")) : state_items(s, o));
    }
    state_add(s, op->result, o->id);
    return true;
}

// ---- the whole ----

void library_call(State *s, const Op *op, Obj *f) {
    if (call_special(s, op, f) || make_field(s, op, f)) return;
    PyClass *of = f->of != NULL && f->of->symbol != NULL ? f->of->symbol->class_ : NULL;
    PySym *symbol = f->symbol == NULL && of != NULL ? member(s, of, f->name) : f->symbol;
    bool function = symbol != NULL && symbol->kind == PYSYM_FUNCTION;
    if (function && of != NULL && pyt_decorated(symbol->defs.at[0], "classmethod")) {
        call_symbol(s, op, symbol, NULL, true);     // `dict.fromkeys(xs)`
        return;
    }
    if (f->of != NULL && op->len > 0 && op->args[0].name == NULL && f->symbol == NULL) {
        for (size_t i = 1; library_marked(s, "str", f->name, "looks") && i < op->len; i++)
            gen_looked(s, op, op->args[i].node);
        apply_first(s, op, OP_METHOD, f->name);     // `list.append(xs, x)`
        return;
    }
    bool class_ = symbol != NULL && symbol->kind == PYSYM_CLASS && symbol->class_ != NULL;
    bool pure = is_pure(f->home, f->name);
    if (class_ && (!pure || is_trusted(symbol))) make_data(s, op, symbol->class_);
    else if (function) call_symbol(s, op, symbol, NULL, false);
    else if (pure) pure_call(s, op, NULL);
    else library_unknown(s, op, NULL);
}

static void generator_method(State *s, const Op *op, Obj *o) {
    Op next = state_as(op, OP_NEXT, op->result);
    for (size_t i = 0; i < op->len; i++) {
        if (o->cx != NULL && o->cx->sent == 0) o->cx->sent = state_node(s);
        if (o->cx != NULL) state_flow(s, op->args[i].node, o->cx->sent);
    }
    state_apply(s, &next, o);
}

void library_method(State *s, const Op *op, Obj *o, PyClass *class_) {
    if (o->kind == OBJ_GENERATOR) {
        generator_method(s, op, o);
        return;
    }
    library_use(s, op, o);
    if (!library_unread(s, o, op->name)) state_look_into(s, op, o);
    if (o->pure) {
        pure_call(s, op, o);
        return;
    }
    if (class_ == NULL) {
        if (*op->name != '_' || o->kind == OBJ_DATA) library_unknown(s, op, o);
        return;
    }
    const Known *m = find_member(s, class_, op->name);
    PySym *symbol = m->symbol;
    bool open = m->open;
    if (symbol != NULL && symbol->kind == PYSYM_FUNCTION) call_symbol(s, op, symbol, o, true);
    else if (symbol != NULL || open ||
             (sym_is(op->name, "__call__") && !library_collection(class_)))
        library_unknown(s, op, o);
}
