// call.c - what is called, looked up and operated on, object by object.

#include "typecheck/state/state.h"

bool state_defined(const State *s, const char *name) {
    return table_get(s->defined, state_sym(s, name)) != NULL;
}

// ---- classes ----

// Of `o.m(..)` what the lookup finds is called; of `o.m` it is the value.
static bool is_call(const Op *op) {
    return op->kind == OP_METHOD || op->kind == OP_MEMBER_CALL || op->kind == OP_BASE_CALL;
}

// Python calls methods of its class, or of its metaclass.
static bool is_own(const Obj *o) { return o->kind == OBJ_INSTANCE || o->kind == OBJ_CLASS; }

static bool binds(const Obj *class_, Sym name) {
    return class_->scope != NULL && table_get(class_->scope->bound, name) != NULL;
}

// What the class says of a name is a value, which may differ.
static void read_member(State *s, const Op *op, Obj *class_, Sym name) {
    Obj *cell = s->load && binds(class_, name) ? gen_cell(s, class_->scope, name, class_->at)
        : class_->scope->cells != NULL ? table_get(class_->scope->cells, name) : NULL;
    if (cell != NULL) state_read(s, op, (Eval){.node = state_one(s, cell)});
}

// Any may be asked for.
static void read_members(State *s, const Op *op, Obj *o) {
    for (size_t i = 0; o->kind == OBJ_CLASS && i < o->names.len; i++)
        read_member(s, op, o, o->names.at[i]);
}

// What a class or one that it inherits from has under the name; "*": everything.
void state_find(State *s, Op op, Obj *class_) {
    bool calls = is_call(&op), all = *op.name == '*';
    if (op.around == NULL) op.around = class_;
    state_see(s, &op, class_, all ? NULL : op.name);
    read_member(s, &op, class_, op.name);
    op.kind = calls ? OP_MEMBER_CALL : OP_MEMBER_LOAD;
    if (all) state_when(s, state_all(s, class_), &op);
    else if (binds(class_, op.name) || table_get(s->stored, op.name) != NULL)
        state_when(s, state_field(s, class_, op.name), &op);
    if (!all && binds(class_, op.name)) return;
    if (class_->def->class_def.bases.len == 0) return;
    op.kind = calls ? OP_BASE_CALL : OP_BASE_LOAD;
    state_when(s, class_->bases, &op);
}

// What its metaclasses have under the name.
static void ask_metaclass(State *s, Op op, Obj *class_, OpKind kind) {
    op.kind = kind;
    op.self = class_;
    op.around = NULL;
    if (class_->kind == OBJ_CLASS)
        state_when(s, state_known_field(class_, state_sym(s, "=meta")), &op);
}

// What a class, or the class of `self`, has under the name.
static Op named(const Op *op, OpKind kind, Obj *self, Sym name, Id result) {
    Op find = state_as(op, kind, result);
    find.name = name;
    find.self = self;
    find.around = NULL;
    return find;
}

void state_call_named(State *s, const Op *op, Obj *o, const char *name, Id result) {
    Obj *self = op->anyhow != 0 ? NULL : o;
    Op call = named(op, OP_MEMBER_CALL, self, state_sym(s, name), result);
    if (o->kind == OBJ_INSTANCE) state_find(s, call, o->of);
    if (state_defined(s, name)) ask_metaclass(s, call, o, OP_BASE_CALL);
}

void state_call_all(State *s, const Op *op, Obj *o, const char *const *names) {
    for (; *names != NULL; names++)
        if (state_defined(s, *names)) state_call_named(s, op, o, *names, op->result);
}

static Obj *bound(State *s, Obj *f, Obj *self, Sym name) {
    const void *key = f != NULL ? (const void *)f : (const void *)name;
    Obj *o = table_get(state_own(s, &self->bounds), key);
    if (o != NULL) return o;
    o = state_obj(s, f != NULL ? OBJ_BOUND : OBJ_METHOD, NULL, self->at);
    o->of = f != NULL ? f : self;
    o->self = self;
    o->name = name;
    table_set(self->bounds, key, o);
    return o;
}

static Obj *class_of(const Op *op) {
    return op->self == NULL ? op->around
        : op->self->kind == OBJ_INSTANCE ? op->self->of : op->self;
}

typedef struct Mention { Sym self; bool found; } Mention;

static bool mentions(void *cx, const Expr *e) {
    Mention *m = cx;
    m->found |= e->kind == EXPR_NAME && (e->name.id == m->self || sym_is(e->name.id, "super"));
    return !m->found;
}

static bool returns(void *cx, const Stmt *s) {
    Mention *m = cx;
    m->found |= s->kind == STMT_RETURN;
    return !m->found;
}

static bool is_part_of(const Expr *target, Sym self) {
    return target != NULL && target->kind == EXPR_ATTRIBUTE &&
        target->attribute.value->kind == EXPR_NAME && target->attribute.value->name.id == self;
}

// Does `__init__` store it in any case, and before other code has the object?
static bool init_stores(const Stmt *init, Sym attr) {
    ArgList params = init->function_def.args->args;
    StmtList body = init->function_def.body;
    Mention m = {params.len > 0 ? params.at[0]->arg : NULL, params.len == 0};
    IrWalker w = {.cx = &m, .expr = mentions, .stmt = returns};
    for (size_t i = 0; i < body.len && !m.found; i++) {
        const Stmt *s = body.at[i];
        bool plain = s->kind == STMT_ASSIGN && s->assign.targets.len == 1;
        const Expr *target = plain ? s->assign.targets.at[0]
            : s->kind == STMT_ANN_ASSIGN && s->ann_assign.value ? s->ann_assign.target : NULL;
        bool stores = is_part_of(target, m.self);
        if (stores) ir_walk_expr(&w, plain ? s->assign.value : s->ann_assign.value);
        else ir_walk_stmt(&w, s);
        if (stores && !m.found && target->attribute.attr == attr) return true;
    }
    return false;
}

// Does every instance get an attribute of its own, and keep it, so that the class's is not seen?
static bool hides(State *s, const Obj *class_, Sym attr) {
    const Stmt *def = s->removes || s->dicts || table_get(s->removed, attr) ? NULL : class_->def;
    while (def != NULL) {
        const Stmt *init = def_method(def, "__init__");
        if (init != NULL) return init_stores(init, attr);
        if (def->class_def.decorator_list.len > 0) return false;    // it may make another one
        Decl *d = program_find(s->p, def->class_def.name);
        bool own = d != NULL && d->kind == DECL_LOCAL_CLASS && d->stmt->at.start == def->at.start;
        Decl *above = own ? program_local_base(s->p, d) : NULL;
        def = above != NULL ? above->stmt : NULL;
    }
    return false;
}

static void construct(State *s, const Op *op, Obj *class_);

static void found(State *s, const Op *op, Id node) {
    Op call = state_as(op, OP_CALL, op->result);
    if (is_call(op)) state_when(s, node, &call);
    else state_flow(s, node, op->result);
}

// What code of the program gives that Python calls for the lookup. *op: the call of that code.
static Op lookup(State *s, const Op *op, const void *code) {
    Op get = state_as(op, OP_LOAD, is_call(op) ? state_memo(s, op->cx, op->key, code) : op->result);
    get.len = 0;
    if (is_call(op)) found(s, op, get.result);
    return get;
}

static void look_up_by(State *s, const Op *op, Obj *o, const char *name) {
    if (!state_defined(s, name)) return;
    Op get = lookup(s, op, state_sym(s, name));
    state_call_named(s, &get, o, name, get.result);
}

static void member(State *s, const Op *op, Obj *f) {
    bool method = f->kind == OBJ_FUNCTION && !(f->flags & FUN_STATIC);
    bool of_class = method && f->flags & FUN_CLASS, own = op->self != NULL;
    if (own && op->self->kind == OBJ_INSTANCE && f->kind != OBJ_FUNCTION &&
        (library_field(f) || hides(s, op->self->of, op->name)))
        return;
    if (is_call(op) && op->anyhow != 0 && f->kind != OBJ_FUNCTION) state_add(s, op->anyhow, f->id);
    if (f->kind == OBJ_INSTANCE && own) look_up_by(s, op, f, "__get__");
    Obj *self = of_class ? class_of(op) : method ? op->self : NULL;
    if (method && !of_class && f->flags & FUN_PROPERTY && own) {
        Op get = lookup(s, op, f);
        state_enter(s, &get, f, self);
    } else if (!is_call(op)) {
        state_add(s, op->result, self != NULL ? bound(s, f, self, NULL)->id : f->id);
    } else if (f->kind == OBJ_FUNCTION) {
        state_enter(s, op, f, self);
    } else {
        state_call(s, op, f);
    }
}

// A part of an object that a class of a library has under the name.
static void library_load(State *s, const Op *op, Obj *o, PyClass *c) {
    Part part = library_part(s, c, op->name);
    if (part != PART_UNKNOWN || o->kind == OBJ_INSTANCE)
        state_add(s, op->result, bound(s, NULL, o, op->name)->id);
    if (part == PART_METHOD) return;
    state_add(s, op->result, o->id);
    state_flow(s, state_all(s, o), op->result);
}

// Methods of the program that code of a library may call, of an object, or of one that it makes of
// a class. `name`: that it inherits is called; NULL: it has been given the object.
static void overrides(State *s, const Op *op, Obj *above) {
    Op own = *op;
    own.around = above;
    if (above->kind == OBJ_CLASS) {
        state_when(s, above->bases, op);
        state_when(s, above->bases, &own);
    }
    StmtList body = above->kind == OBJ_LIBRARY ? op->around->def->class_def.body : (StmtList){0};
    for (size_t i = 0; i < body.len; i++) {
        Sym name = pyt_def_name(body.at[i]);
        bool any = name != NULL && library_overrides(s, above, name);
        if (!any || (op->name == NULL && name[0] == '_')) continue;
        if (op->self->kind == OBJ_INSTANCE) {
            state_call_named(s, op, op->self, name, op->result);
            continue;
        }
        Op make = state_as(op, OP_CALL, state_memo(s, op->cx, op->key, state_sym(s, "=one")));
        construct(s, &make, op->self);
        gen_given(s, op, make.result);
    }
}

static void give_to_library(State *s, const Op *op, Obj *o) {
    Op given = state_as(op, OP_OVERRIDES, op->result);
    given.name = NULL;
    given.self = o;
    given.around = o->kind == OBJ_INSTANCE ? o->of : o;
    state_when(s, given.around->bases, &given);
}

static void call_overrides(State *s, const Op *op) {
    Id given = state_memo(s, op->cx, op->key, state_sym(s, "=given"));
    Id got = state_memo(s, op->cx, op->key, state_sym(s, "=got"));  // what they give is handed on
    Op items = state_as(op, OP_ITEMS, given), each = state_each(s, op, OP_OVERRIDES, got, given);
    for (size_t i = 0; i < op->len; i++) {
        state_flow(s, op->args[i].node, given);
        state_when(s, op->args[i].node, &items);
    }
    each.around = op->self->of;
    if (table_get(each.around->scope->bound, op->name) != NULL) each.name = NULL;
    state_when(s, each.around->bases, &each);
    state_flow(s, got, given);
    state_flow(s, got, op->result);
}

// What a member of an enum is made with.
static bool value_of_member(State *s, const Op *op) {
    static const char *const NAMES[] = {"value", "_value_", NULL};
    bool member = op->self->kind == OBJ_INSTANCE && op->self->of->is_enum;
    if (!member || !sym_is_one_of(op->name, NAMES)) return false;
    for (int i = 0; i < 2; i++)
        state_flow(s, state_field(s, op->self, state_sym(s, NAMES[i])), op->result);
    return true;
}

// The parts of what it is given, in one node.
static Id parts_given(State *s, const Op *op, Id node) {
    Op items = state_as(op, OP_ITEMS, node);
    for (size_t i = 0; i < op->len; i++) state_when(s, op->args[i].node, &items);
    return node;
}

// `Pair._make(xs)`.
static void make_named_tuple(State *s, const Op *op, Obj *class_) {
    Id parts = parts_given(s, op, state_memo(s, op->cx, op->key, state_sym(s, "=parts")));
    Op each = state_each(s, op, OP_CALL, op->result, parts);
    state_call(s, &each, class_);
}

static void fill_fields(State *s, const Op *op, Obj *o, Obj *class_);

static void base(State *s, const Op *op, Obj *class_) {
    if (class_->kind == OBJ_CLASS) {
        state_find(s, *op, class_);
        return;
    }
    if (op->kind == OP_BASE_CALL && sym_is(op->name, "_make") && class_of(op) != NULL)
        make_named_tuple(s, op, class_of(op));
    if (class_->kind != OBJ_LIBRARY || op->self == NULL || *op->name == '*') return;
    if (!library_gives(s, class_, op->name)) return;
    if (op->kind == OP_BASE_LOAD && value_of_member(s, op)) return;
    PyClass *c = library_base(s, class_, op->name);
    bool calls = op->kind == OP_BASE_CALL && op->self->kind == OBJ_INSTANCE;
    if (calls && !library_plain(s, c, op->name)) call_overrides(s, op);
    bool makes = sym_is(op->name, "__init__") || sym_is(op->name, "__new__");
    for (size_t i = 0; makes && i < op->len; i++)       // an exception keeps it as `args`
        state_flow(s, op->args[i].node, state_items(s, op->self));
    if (makes && library_collection(c)) parts_given(s, op, state_items(s, op->self));
    if (calls && op->name[0] == '_' && op->name[1] != '_')
        state_add(s, op->result, op->self->id);             // `row._replace(..)`
    if (calls && sym_is(op->name, "_replace")) fill_fields(s, op, op->self, op->self->of);
    if (op->kind == OP_BASE_CALL) library_method(s, op, op->self, c);
    else if (!sym_is(op->name, "__dict__")) library_load(s, op, op->self, c);
}

// ---- instances ----

static bool is_generated(const Stmt *def) {
    if (def->class_def.decorator_list.len > 0) return true;
    for (size_t i = 0; i < def->class_def.bases.len; i++)
        if (annotation_head(def->class_def.bases.at[i]) != NULL) return true;
    return false;
}

static size_t fields_of(State *s, const Stmt *def, SymVec *out) {
    Decl *d = program_find(s->p, def->class_def.name);
    Decl *above = d != NULL && d->kind == DECL_LOCAL_CLASS ? program_local_base(s->p, d) : NULL;
    if (above != NULL && above->stmt != NULL && above->stmt != def) fields_of(s, above->stmt, out);
    for (size_t i = 0; i < def->class_def.body.len; i++) {
        const Stmt *f = def->class_def.body.at[i];
        if (f->kind == STMT_ANN_ASSIGN && f->ann_assign.target->kind == EXPR_NAME)
            vec_push(s->arena, out, f->ann_assign.target->name.id);
    }
    return out->len;
}

// What `__init__` of a dataclass or a named tuple does.
static void fill_fields(State *s, const Op *op, Obj *o, Obj *class_) {
    SymVec names = {0};
    fields_of(s, class_->def, &names);
    size_t at = 0;
    for (size_t i = 0; i < op->len; i++) {
        const Operand *a = &op->args[i];
        for (size_t j = 0; a->many == EACH && j < names.len; j++)
            state_flow(s, a->node, state_field(s, o, names.at[j]));
        if (a->name != NULL) state_flow(s, a->node, state_field(s, o, a->name));
        else if (a->many != EACH && at < names.len)
            state_flow(s, a->node, state_field(s, o, names.at[at++]));
    }
    for (size_t i = 0; i < names.len; i++) {
        Op made = state_as(op, OP_DEFAULT, state_field(s, o, names.at[i]));
        Op get = named(op, OP_MEMBER_LOAD, NULL, names.at[i],
                       state_memo(s, op->cx, op->key, names.at[i]));
        state_find(s, get, class_);
        state_when(s, get.result, &made);
        state_flow(s, made.result, state_items(s, o));
    }
}

// Of a class that has it under the name of a field.
static void field_default(State *s, const Op *op, Obj *o) {
    if (!library_field(o)) {
        state_add(s, op->result, o->id);
        return;
    }
    state_flow(s, state_items(s, o), op->result);
    library_use(s, op, o);
}

static void construct(State *s, const Op *op, Obj *class_) {
    if (class_->is_enum) {
        Sym name = state_sym(s, "_missing_");
        read_members(s, op, class_);
        state_find(s, named(op, OP_MEMBER_CALL, NULL, name, op->result), class_);
        state_flow(s, state_items(s, class_), op->result);
        return;
    }
    Ctx *somewhere = s->load ? s->loading : s->outside;
    Obj *o = op->anyhow != 0 ? state_made(s, somewhere, class_, OBJ_INSTANCE, op->at)
                             : state_made_like(s, op, OBJ_INSTANCE, class_, NULL);
    o->of = class_;
    state_add(s, op->result, o->id);
    state_call_named(s, op, class_, "__call__", op->result);
    if (state_defined(s, "__new__") || class_->def->class_def.bases.len > 0)
        state_call_named(s, op, o, "__new__", op->result);
    state_call_named(s, op, o, "__init__", 0);
    if (state_defined(s, "__del__")) state_call_named(s, op, o, "__del__", 0);
    if (is_generated(class_->def)) fill_fields(s, op, o, class_);
    Op rest = state_each(s, op, OP_CALL, 0, state_items(s, o));     // some fields are given on
    if (state_defined(s, "__post_init__")) state_call_named(s, &rest, o, "__post_init__", 0);
}

// ---- calls ----

static void call_partial(State *s, const Op *op, Obj *o) {
    Op call = state_as(op, OP_CALL, op->result);
    call.args = ARENA_ARRAY(s->arena, Operand, o->call->len + op->len + 1);
    call.len = 0;
    for (size_t i = 1; i < o->call->len; i++) call.args[call.len++] = o->call->args[i];
    for (size_t i = 0; i < op->len; i++) call.args[call.len++] = op->args[i];
    state_when(s, o->call->args[0].node, &call);
}

static void dispatch(State *s, const Op *op, Obj *f) {
    Op call = state_as(op, OP_CALL, op->result);
    state_when(s, state_known_field(f, state_sym(s, "=dispatch")), &call);
}

void state_call(State *s, const Op *op, Obj *o) {
    Op method = state_as(op, OP_METHOD, op->result);
    method.name = o->name;
    switch (o->kind) {
    case OBJ_FUNCTION:
        state_enter(s, op, o, NULL);
        dispatch(s, op, o);
        return;
    case OBJ_BOUND: state_enter(s, op, o->of, o->self); return;
    case OBJ_METHOD: state_look(s, &method, o->of); return;
    case OBJ_PARTIAL: call_partial(s, op, o); return;
    case OBJ_CLASS: construct(s, op, o); return;
    case OBJ_INSTANCE: state_call_named(s, op, o, "__call__", op->result); return;
    case OBJ_LIBRARY: library_call(s, op, o); return;
    case OBJ_DATA:
        method.name = state_sym(s, "__call__");
        library_method(s, &method, o, library_class_of(s, o));
        library_use(s, op, o);
        return;
    case OBJ_GENERATOR:         // a context manager decorates a function, and then runs each time
        for (size_t i = 0; i < op->len; i++) state_flow(s, op->args[i].node, op->result);
        state_add(s, op->result, o->id);
        state_resume(s, op, o);
        return;
    case OBJ_CELL: return;
    }
}

// `f.register(..)` of a function that is dispatched by type.
static void register_function(State *s, const Op *op, Obj *f) {
    for (size_t i = 0; i < op->len; i++) {
        state_flow(s, op->args[i].node, state_field(s, f, state_sym(s, "=dispatch")));
        state_flow(s, op->args[i].node, op->result);
        if (op->args[i].node != 0) state_change(s, f, op);
    }
    state_add(s, op->result, bound(s, NULL, f, op->name)->id);
}

// ---- attributes ----

// A dict of its parts: what is put into it is in the object, by any name.
static void look_at_parts(State *s, const Op *op, Obj *o) {
    state_see(s, op, o, NULL);
    read_members(s, op, o);
    Obj *parts = library_data(s, op, library_class(s, "dict"));
    state_flow(s, state_all(s, o), state_items(s, parts));
    state_flow(s, state_items(s, parts), state_items(s, o));
    state_add(s, op->result, parts->id);
}

// `C.__dataclass_fields__`: one object stands for all fields, and holds what they hold.
static void look_at_fields(State *s, const Op *op, Obj *class_) {
    SymVec names = {0};
    fields_of(s, class_->def, &names);
    Obj *made = library_data(s, op, NULL);
    made->pure = true;
    state_add(s, state_items(s, made), made->id);
    for (size_t i = 0; i < names.len; i++)
        state_find(s, named(op, OP_MEMBER_LOAD, NULL, names.at[i], state_items(s, made)), class_);
    state_add(s, op->result, made->id);
}

static void look_special(State *s, const Op *op, Obj *o) {
    static const char *const PARTS[] = {"__dict__", "_field_defaults", "__defaults__",
                                        "__kwdefaults__", NULL};
    bool class_ = sym_is(op->name, "__class__"), dict = sym_is(op->name, "__dict__");
    bool code = o->kind == OBJ_FUNCTION || o->kind == OBJ_BOUND || o->kind == OBJ_METHOD ||
        o->kind == OBJ_PARTIAL;
    if (class_ && o->kind == OBJ_INSTANCE) found(s, op, state_one(s, o->of));
    if (sym_is_one_of(op->name, PARTS)) look_at_parts(s, op, o);
    if (sym_is(op->name, "__dataclass_fields__") && is_own(o))
        look_at_fields(s, op, o->kind == OBJ_INSTANCE ? o->of : o);
    if (dict || (code && sym_is(op->name, "__call__")) || sym_is(op->name, "__members__") ||
        sym_is(op->name, "__wrapped__") || sym_is(op->name, "__annotations__"))
        found(s, op, state_one(s, o));
    if (sym_is(op->name, "__context__") || sym_is(op->name, "__cause__"))
        found(s, op, s->raised);
    if (sym_is(op->name, "__func__") && o->kind == OBJ_BOUND) found(s, op, state_one(s, o->of));
}

static void own_field(State *s, const Op *op, Obj *o) {
    state_see(s, op, o, op->name);
    if (!is_call(op) || table_get(s->stored, op->name) != NULL)
        found(s, op, state_field(s, o, op->name));
    if (s->dicts && !sym_is(op->name, "__dict__")) found(s, op, state_items(s, o));
}

// Methods that every object has.
static void call_inherited(State *s, const Op *op, Obj *o) {
    if (s->dicts && library_marked(s, "dict", op->name, "mutates")) state_change(s, o, op);
    if (sym_is(op->name, "__setattr__") || sym_is(op->name, "__delattr__"))
        library_unknown(s, op, o);
}

void state_look(State *s, const Op *op, Obj *o) {
    bool call = is_call(op), registers = sym_is(op->name, "register");
    Obj *self = o->kind == OBJ_INSTANCE ? o : NULL;
    Op find = named(op, call ? OP_MEMBER_CALL : OP_MEMBER_LOAD, self, op->name, op->result);
    if (op->name[0] == '_') look_special(s, op, o);
    switch (o->kind) {
    case OBJ_INSTANCE: case OBJ_CLASS:
        if (self != NULL) own_field(s, op, o);
        if (self != NULL && call) call_inherited(s, op, o);
        if (self == NULL && call && registers) state_change(s, o, op);      // an abstract one
        state_find(s, find, self != NULL ? o->of : o);
        ask_metaclass(s, *op, o, call ? OP_BASE_CALL : OP_BASE_LOAD);
        look_up_by(s, op, o, "__getattr__");
        look_up_by(s, op, o, "__getattribute__");
        return;
    case OBJ_FUNCTION:
        if (registers) register_function(s, op, o);
        else own_field(s, op, o);
        return;
    case OBJ_LIBRARY: {
        Obj *part = library_member(s, o, op->name);
        if (call) library_call(s, op, part);
        else state_add(s, op->result, part->id);
        return;
    }
    case OBJ_DATA: case OBJ_GENERATOR:
        if (o->cx != NULL && sym_is(op->name, "=return")) state_flow(s, o->cx->result, op->result);
        if (call) library_method(s, op, o, library_class_of(s, o));
        else library_load(s, op, o, library_class_of(s, o));
        return;
    case OBJ_BOUND: case OBJ_METHOD: case OBJ_PARTIAL:
        if (o->kind == OBJ_PARTIAL) found(s, op, state_one(s, o));
        found(s, op, state_all(s, o));
        return;
    case OBJ_CELL: return;
    }
}

static void store(State *s, const Op *op, Obj *o) {
    if (o->kind == OBJ_LIBRARY || o->kind == OBJ_CELL) return;
    Sym setter = s->setters ? names_format(s->p->names, "%s=", op->name) : op->name;
    Id value = op->len > 0 ? op->args[0].node : 0;
    const char *own = op->len > 0 ? "__setattr__" : "__delattr__";
    const char *part = op->len > 0 ? "__set__" : "__delete__";
    if (o->kind == OBJ_INSTANCE && setter != op->name && table_get(s->defined, setter) != NULL)
        state_call_named(s, op, o, setter, 0);
    Op each = state_each(s, op, OP_STORE, 0, value);
    if (state_defined(s, own)) state_call_named(s, &each, o, own, 0);
    if (o->kind == OBJ_INSTANCE && state_defined(s, part)) {
        Sym name = state_sym(s, part);
        Op load = named(op, OP_MEMBER_LOAD, NULL, op->name,
                        state_memo(s, op->cx, op->key, name));
        state_find(s, load, o->of);
        Op call = state_as(op, OP_METHOD, load.result);
        call.name = name;
        call.args = (Operand[]){{.node = state_one(s, o)}, {.node = value}};
        call.len = 2;
        state_when(s, load.result, &call);
    }
    state_change(s, o, op);
    state_flow(s, value, state_field(s, o, op->name));
}

// ---- items ----

static void next_item(State *s, const Op *op, Obj *o) {
    if (o->kind == OBJ_DATA) state_look_into(s, op, o);
    state_call_named(s, op, o, "__next__", op->result);
    if (state_defined(s, "__anext__")) state_call_named(s, op, o, "__anext__", op->result);
    if (o->kind == OBJ_GENERATOR || (o->kind == OBJ_DATA && (o->iterator || library_unnamed(o))))
        state_change(s, o, op);
    if (o->kind == OBJ_GENERATOR) state_resume(s, op, o);
    if (o->kind == OBJ_DATA) library_use(s, op, o);
    if (o->kind == OBJ_GENERATOR || o->kind == OBJ_DATA || o->kind == OBJ_INSTANCE)
        state_flow(s, state_items(s, o), op->result);
}

void state_iterate(State *s, const Op *op, Obj *o) {
    static const char *const NAMES[] = {"__getitem__", "keys", NULL};    // of `**o`, too
    read_members(s, op, o);
    if (!is_own(o)) {
        if (o->kind != OBJ_DATA || o->iterator) {
            next_item(s, op, o);
            return;
        }
        state_look_into(s, op, o);
        library_use(s, op, o);
        state_flow(s, state_at(s, o, op->name), op->result);
        return;
    }
    Op next = state_as(op, OP_NEXT, op->result);
    Id iterator = state_memo(s, op->cx, op->key, state_sym(s, "=next"));
    state_call_named(s, op, o, "__iter__", iterator);
    if (state_defined(s, "__aiter__")) state_call_named(s, op, o, "__aiter__", iterator);
    state_when(s, iterator, &next);
    state_call_all(s, op, o, NAMES);
    state_flow(s, state_items(s, o), op->result);
}

static void copy(State *s, const Op *op, Obj *o) {
    state_see(s, op, o, NULL);
    if (*op->name == '*') {
        state_flow(s, state_all(s, o), op->result);
        return;
    }
    if (o->kind != OBJ_DATA && o->kind != OBJ_INSTANCE) {
        state_add(s, op->result, o->id);
        return;
    }
    Obj *c = o->kind == OBJ_INSTANCE ? state_made_like(s, op, OBJ_INSTANCE, o->of, NULL)
                                     : library_data(s, op, library_class_of(s, o));
    if (o->kind == OBJ_DATA) c->pure = o->pure;
    state_add(s, op->result, c->id);
    state_flow(s, state_items(s, o), state_items(s, c));
    for (size_t i = 0; o != c && i < o->names.len; i++)
        state_flow(s, state_field(s, o, o->names.at[i]), state_field(s, c, o->names.at[i]));
    for (size_t i = 0; i < op->len; i++)
        if (op->args[i].name != NULL)
            state_flow(s, op->args[i].node, state_field(s, c, op->args[i].name));
}

static void get(State *s, const Op *op, Obj *o) {
    static const char ITEM[] = "__class_getitem__";
    switch (o->kind) {
    case OBJ_INSTANCE: case OBJ_CLASS:
        if (o->kind == OBJ_CLASS) state_add(s, op->result, o->id);
        if (o->kind == OBJ_CLASS && state_defined(s, ITEM))
            state_find(s, named(op, OP_MEMBER_CALL, o, state_sym(s, ITEM), op->result), o);
        if (o->is_enum) read_members(s, op, o);
        state_call_named(s, op, o, "__getitem__", op->result);
        if (state_defined(s, "__missing__")) state_call_named(s, op, o, "__missing__", op->result);
        state_flow(s, state_items(s, o), op->result);
        return;
    case OBJ_DATA: case OBJ_GENERATOR:
        if (op->name != NULL && sym_is(op->name, "slice")) {
            copy(s, op, o);
            if (library_collection(library_class_of(s, o))) return;
        }
        state_look_into(s, op, o);
        state_flow(s, state_at(s, o, op->name), op->result);
        library_use(s, op, o);
        if (o->grows) state_change(s, o, op);
        return;
    case OBJ_LIBRARY: state_add(s, op->result, o->id); return;
    case OBJ_PARTIAL: state_flow(s, state_items(s, o), op->result); return;     // of its `args`
    case OBJ_FUNCTION: case OBJ_BOUND: case OBJ_METHOD: case OBJ_CELL: return;
    }
}

static void put(State *s, const Op *op, Obj *o) {
    state_call_named(s, op, o, "__setitem__", 0);
    if (o->kind != OBJ_DATA && o->kind != OBJ_FUNCTION && !is_own(o)) return;
    state_change(s, o, op);
    Sym keys = state_sym(s, "keys");
    bool key = op->len > 1 && library_part(s, library_class_of(s, o), keys) == PART_METHOD;
    Op hashed = state_as(op, OP_HASHED, state_items(s, o));
    if (key) state_when(s, op->args[0].node, &hashed);
    for (size_t i = key; i < op->len; i++) state_flow(s, op->args[i].node, state_items(s, o));
}

static void hashed(State *s, const Op *op, Obj *o) {
    bool never = o->kind == OBJ_DATA && o->mutable_ &&
        library_collection(library_class_of(s, o));
    if (!never) state_add(s, op->result, o->id);
}

static void remove_part(State *s, const Op *op, Obj *o) {
    state_call_named(s, op, o, "__delitem__", 0);
    if (o->kind != OBJ_LIBRARY) state_change(s, o, op);
}

// ---- operators ----

static void operate(State *s, const Op *op, Obj *o) {
    bool binary = op->len > 0;
    if (is_own(o) && !binary) {
        state_call_all(s, op, o, op->names);
    } else if (is_own(o)) {
        for (int i = 0; i < 2; i++) state_call_named(s, op, o, op->names[i], op->result);
    } else if (o->kind == OBJ_DATA && o->pure) {
        state_add(s, op->result, o->id);
    } else if (o->kind == OBJ_DATA && binary) {
        Op fresh = *op;
        fresh.name = state_sym(s, "copy");
        fresh.len = 0;
        copy(s, &fresh, o);
    }
}

static void update(State *s, const Op *op, Obj *o) {
    if (is_own(o)) {
        for (int i = 0; i < 3; i++) state_call_named(s, op, o, op->names[i], op->result);
    } else if (o->kind == OBJ_DATA && o->mutable_) {
        state_change(s, o, op);
        Op items = state_as(op, OP_ITEMS, state_memo(s, op->cx, op->key, op->names));
        for (size_t i = 0; i < op->len; i++) state_when(s, op->args[i].node, &items);
        state_flow(s, items.result, state_items(s, o));
        state_add(s, op->result, o->id);
    } else {
        operate(s, op, o);
    }
}

static void enter(State *s, const Op *op, Obj *o) {
    static const char *const NAMES[] = {"__enter__", "__aenter__", NULL};
    static const char *const LEAVE[] = {"__exit__", "__aexit__", NULL};
    Op leave = state_as(op, OP_ENTER, 0);
    if (is_own(o)) {
        state_call_all(s, op, o, NAMES);
        state_call_all(s, &leave, o, LEAVE);
    } else if (o->kind == OBJ_GENERATOR) {
        next_item(s, op, o);
    } else if (o->kind == OBJ_DATA) {
        if (!o->pure && library_unnamed(o)) state_change(s, o, op);
        state_add(s, op->result, o->id);
        state_flow(s, state_items(s, o), op->result);
    }
}

// ---- whatever it reaches ----

static void deep(State *s, const Op *op, Obj *o) {
    Op call = state_each(s, op, OP_CALL, 0, op->result);
    if (state_many(s, op->result)) call.anyhow = op->result;
    for (size_t i = 0; i < s->implicit.len; i++)
        state_call_named(s, &call, o, s->implicit.at[i], 0);
    if (s->properties && o->kind == OBJ_INSTANCE)
        state_find(s, named(&call, OP_MEMBER_LOAD, o, state_sym(s, "*"), 0), o->of);
    if (s->derived && o->kind == OBJ_INSTANCE) give_to_library(s, &call, o);
    if (o->kind == OBJ_DATA || o->kind == OBJ_INSTANCE)
        state_flow(s, state_all(s, o), op->result);
}

static void unknown(State *s, const Op *op, Obj *o) {
    Op call = state_each(s, op, OP_CALL, op->result, op->result);
    call.anyhow = op->result;
    bool all = o->kind == OBJ_DATA && state_many(s, op->result);
    read_members(s, op, o);
    if (all || (o->kind != OBJ_GENERATOR && library_changes(o))) state_open(s, o, op->result);
    switch (o->kind) {
    case OBJ_DATA: library_use(s, op, o); break;
    case OBJ_INSTANCE:
        state_find(s, named(&call, OP_MEMBER_CALL, NULL, state_sym(s, "*"), op->result), o->of);
        break;
    case OBJ_GENERATOR: state_resume(s, op, o); break;
    case OBJ_FUNCTION: case OBJ_BOUND: case OBJ_METHOD: case OBJ_PARTIAL: case OBJ_CLASS:
        state_call(s, &call, o);
        break;
    case OBJ_LIBRARY: case OBJ_CELL: return;
    }
    if (o->kind != OBJ_FUNCTION && o->kind != OBJ_CLASS)
        state_flow(s, state_all(s, o), op->result);
}

// It is given to code that may change it.
static void touch(State *s, const Op *op, Obj *o) {
    if (o->kind == OBJ_DATA ? (o->mutable_ || o->iterator) : o->kind == OBJ_INSTANCE)
        state_change(s, o, op);
    if (o->kind == OBJ_GENERATOR || o->kind == OBJ_INSTANCE) next_item(s, op, o);
    if (o->kind == OBJ_DATA || o->kind == OBJ_INSTANCE)         // and what it is given goes into it
        state_flow(s, op->result, state_items(s, o));
}

static void twin(State *s, const Op *op, Obj *o) {
    bool data = o->kind == OBJ_DATA || (o->kind == OBJ_INSTANCE && !o->of->is_enum);
    if (!data || !(o->load || o->kept) || s->load) {
        state_add(s, op->result, o->id);
        return;
    }
    bool made = o->twin != NULL;
    state_see(s, op, o, NULL);
    if (!made) {
        o->twin = state_obj(s, o->kind, op->cx, o->at);
        Obj *t = o->twin;
        t->of = o->of;
        t->class_ = o->class_;
        t->home = o->home;
        t->mutable_ = o->mutable_;
        t->iterator = o->iterator;
        t->pure = o->pure;
        t->length = o->length;
    }
    state_add(s, op->result, o->twin->id);
    if (made) return;
    Op part = state_as(op, OP_TWIN, state_items(s, o->twin));
    state_when(s, state_items(s, o), &part);
    for (size_t i = 0; i < o->names.len; i++) {
        part.result = state_field(s, o->twin, o->names.at[i]);
        state_when(s, state_field(s, o, o->names.at[i]), &part);
    }
}

static void subclass(State *s, const Op *op, Obj *base_class) {
    static const char *const NAMES[] = {"__init_subclass__", "__prepare__", "__init__", "__new__"};
    Obj *derived = op->around;
    Sym meta = state_sym(s, "=meta");
    bool is_meta = state_has(s, state_field(s, derived, meta), base_class->id);
    if (base_class->kind == OBJ_INSTANCE) {
        Op items = state_as(op, OP_ITEMS, derived->bases);
        Id entries = state_memo(s, op->cx, op->key, base_class);
        state_call_named(s, op, base_class, "__mro_entries__", entries);
        state_when(s, entries, &items);
    }
    if (base_class->kind != OBJ_CLASS) return;
    if (!is_meta && state_known_field(base_class, meta) != 0) {
        state_flow(s, state_field(s, base_class, meta), state_field(s, derived, meta));
        state_when(s, state_field(s, derived, meta), op);
    }
    for (int i = is_meta ? 1 : 0; i < (is_meta ? 4 : 1); i++) {
        Op call = named(op, OP_MEMBER_CALL, derived, state_sym(s, NAMES[i]), op->result);
        if (state_defined(s, NAMES[i])) state_find(s, call, base_class);
    }
}

// ---- the whole ----

// A part of an object that nothing is known of is that object.
static Obj *known(const Op *op, Obj *o) {
    bool part = o->kind == OBJ_METHOD && o->of->kind == OBJ_DATA && library_unnamed(o->of) &&
        op->kind != OP_CALL && op->kind != OP_DEEP && op->kind != OP_UNKNOWN;
    return part ? o->of : o;
}

static void super(State *s, const Op *op, Obj *o) {
    Op find = state_as(op, op->kind == OP_SUPER ? OP_BASE_CALL : OP_BASE_LOAD, op->result);
    find.self = o;
    state_when(s, op->around->bases, &find);
}

static void hook(State *s, const Op *op, Obj *o) {
    if (o->is_enum) read_members(s, op, o);         // of equal values one is the other: `len(E)`
    if (o->kind == OBJ_FUNCTION || o->kind == OBJ_BOUND || o->kind == OBJ_PARTIAL)
        state_call(s, op, o);
    if (o->kind == OBJ_CLASS && s->derived) give_to_library(s, op, o);
}

static void fresh(State *s, const Op *op, Obj *o) {
    if (o->kind == OBJ_CLASS) construct(s, op, o);
}

static void keep(State *s, const Op *op, Obj *o) {
    o->kept = true;
    if (o->kind == OBJ_DATA || o->kind == OBJ_INSTANCE)
        state_flow(s, state_all(s, o), op->result);
}

// What it takes; the rest is left from that which asked for it. WORLD: where code that nothing is
// known of has much, that does it instead; but methods and fields of the program's own classes are
// looked at one by one even so (WORLD_DATA).
enum { NAME = 1, ARGS = 2, SELF = 4, METHODS = 8, WORLD = 16, WORLD_DATA = 32 };

static const struct { unsigned takes; void (*apply)(State *s, const Op *op, Obj *o); } OPS[] = {
    [OP_CALL] = {ARGS | WORLD_DATA, state_call},
    [OP_METHOD] = {NAME | ARGS | WORLD_DATA, state_look},
    [OP_LOAD] = {NAME | WORLD_DATA, state_look},
    [OP_STORE] = {NAME | ARGS | WORLD_DATA, store},
    [OP_MEMBER_CALL] = {NAME | ARGS | SELF, member}, [OP_MEMBER_LOAD] = {NAME | SELF, member},
    [OP_BASE_CALL] = {NAME | ARGS | SELF, base}, [OP_BASE_LOAD] = {NAME | SELF, base},
    [OP_SUPER] = {NAME | ARGS | SELF, super}, [OP_SUPER_LOAD] = {NAME | SELF, super},
    [OP_ITEMS] = {NAME | WORLD, state_iterate}, [OP_NEXT] = {WORLD, next_item},
    [OP_GET] = {NAME | ARGS | WORLD, get}, [OP_PUT] = {ARGS | WORLD, put},
    [OP_REMOVE] = {ARGS | WORLD, remove_part}, [OP_OPERATE] = {ARGS | METHODS | WORLD, operate},
    [OP_UPDATE] = {ARGS | METHODS | WORLD, update}, [OP_ENTER] = {WORLD, enter},
    [OP_DEEP] = {WORLD, deep}, [OP_UNKNOWN] = {0, unknown}, [OP_TOUCH] = {WORLD, touch},
    [OP_TWIN] = {0, twin}, [OP_COPY] = {NAME | ARGS, copy}, [OP_SUBCLASS] = {SELF, subclass},
    [OP_FRESH] = {WORLD, fresh}, [OP_DEFAULT] = {0, field_default}, [OP_HOOK] = {ARGS, hook},
    [OP_OVERRIDES] = {NAME | ARGS | SELF, overrides}, [OP_RECEIVER] = {SELF, state_receiver},
    [OP_KEPT] = {0, keep}, [OP_HASHED] = {0, hashed},
};

Op state_taken(const Op *op) {
    Op like = *op;
    unsigned what = OPS[op->kind].takes;
    if (!(what & NAME)) like.name = NULL;
    if (!(what & ARGS)) like.len = 0;
    if (!(what & SELF)) like.self = like.around = NULL;
    if (!(what & METHODS)) like.names = NULL;
    return like;
}

void state_apply(State *s, Op *op, Obj *o) {
    o = known(op, o);
    bool done = (OPS[op->kind].takes & (o->kind == OBJ_DATA ? WORLD | WORLD_DATA : WORLD)) != 0;
    const Op *world = done ? state_world(s, o->open) : NULL;
    if (world == NULL) {
        OPS[op->kind].apply(s, op, o);
        return;
    }
    if (op->world != world) library_hand(s, op, world);
    op->world = world;
}
