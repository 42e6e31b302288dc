// call.c - calls: what is called, and calls of one role's code.

#include <ctype.h>
#include <string.h>

#include "typecheck/expression/call.h"
#include "typecheck/python/python.h"

// ---- what is called ----

// Reports a class that lacks the bodies of methods.
static bool can_be_made(Scope *sc, const Expr *call, const Decl *d) {
    const Function *lacking = d->is_protocol ? NULL : hierarchy_lacks(sc->p, d);
    if (lacking == NULL && !d->is_protocol) return true;
    Program *p = sc->p;
    Diag *g = report_at(sc, call->at, DIAG_ABSTRACT, lacking != NULL
                        ? "cannot instantiate abstract class `%s` without an implementation of "
                          "`%s`"
                        : "cannot instantiate protocol class `%s`", d->name,
                        lacking != NULL ? lacking->name : "");
    if (lacking != NULL)
        diag_label(g, source_first_line(p->source, lacking->def->at), "abstract in `%s`",
                   lacking->owner->name);
    diag_help(g, "instantiate a subclass that implements all abstract methods");
    return false;
}

// A method of the class of an instance, or of a class that it inherits from.
const Expr *call_method(Scope *sc, const Expr *call, const Expr *callee, const Ty *inst,
                        const Member *m, const LocType *want) {
    return call_choreography(sc, call, callee_of_method(sc, inst, m, callee), want);
}

// From the names of an ancestor of `d` to the roles and type parameters of `d` that are decided.
static Subst class_view(Scope *sc, const Decl *d, const Ancestor *from, SymList *vars) {
    Program *p = sc->p;
    Subst fresh = {0};
    *vars = call_own_vars(p, d->type_params, &fresh);
    const Ty *generic = ty_inst(p->arena, d->name, fresh.to_types, d->formals);
    return hierarchy_view(p, from, generic);
}

static const Expr *call_constructor(Scope *sc, const Expr *call, const Expr *name, Decl *d,
                                    const LocType *want) {
    const Ancestor *from = hierarchy_init(d);
    SymList vars;
    if (!can_be_made(sc, call, d)) return call_failed(sc, call);
    Subst view = class_view(sc, d, from, &vars);
    Subst own = {0};
    call_own_vars(sc->p, d->type_params, &own);
    LocType result = {ty_inst(sc->p->arena, d->name, own.to_types, d->formals), d->formals};
    Callee c = {from->decl->init, d->name, name, d->formals, view, d->formals, {0}, vars, result,
                d->stmt};
    return call_choreography(sc, call, c, want);
}

// `cls(..)` makes an instance of the class that the class method was called on, which may be one
// that inherits: any role may act in its constructor.
static const Expr *call_class(Scope *sc, const Expr *call, const Expr *name, const Var *v,
                              const LocType *want) {
    Program *p = sc->p;
    const Ty *inst = v->type.ty;
    const Ancestor *from = hierarchy_init(program_find(p, inst->inst.name));
    Subst view = hierarchy_view(p, from, inst);
    CallSite made = {.callee = from->decl->init, .caller = sc->fn, .formals = view.roles,
                     .actuals = view.to_roles};
    vec_push(p->arena, &p->sites, made);
    Function *any = ARENA_NEW(p->arena, Function);
    *any = *from->decl->init;
    any->communicates.len = any->communicates.cap = any->acts.len = any->acts.cap = 0;
    for (size_t i = 0; i < any->roles.len; i++) {
        vec_push(p->arena, &any->communicates, any->roles.at[i]);
        vec_push(p->arena, &any->acts, any->roles.at[i]);
    }
    name = expr_typed(sc, name, inst, v->type.roles);
    Callee c = {any, sc->fn->owner->name, name, {0}, view, inst->inst.actuals, inst->inst.actuals,
                {NULL, 0}, v->type, any->def};
    return call_choreography(sc, call, c, want);
}

// Python finds the instance in the first parameter of the function that `super()` stands in.
static bool super_is_inside(const Scope *sc) {
    return in_method(sc) && (sc->transparent || sc->fn->owner == NULL);
}

bool in_method(const Scope *sc) {
    while (sc != NULL && sc->fn->owner == NULL) sc = sc->outer;
    return sc != NULL;
}

void report_super_inside(Program *p, Span at) {
    Diag *d = report_unsupported(p, at, "`super()` in a nested function, a lambda or a "
                                 "comprehension");
    diag_help(d, "call `super()` in a statement of the method itself and use the result here, or "
                 "move the call to another method");
}

// `super()` in a method of a class of several roles.
static const Expr *call_super(Scope *sc, const Expr *call) {
    const Function *f = sc->fn;
    Program *p = sc->p;
    bool method = f->owner != NULL && (f->kind == METHOD_PLAIN || f->kind == METHOD_GETTER ||
                                       f->kind == METHOD_SETTER);
    if (!method || call->call.args.len + call->call.keywords.len > 0) {
        Diag *d = report_at(sc, call->at, DIAG_MEMBER_KIND, method
                            ? "`super()` takes no arguments here"
                            : "`super()` is allowed only in methods that have `self`");
        if (method) diag_edit(d, diag_help(d, "write `super()`"), call->at, "super()");
        return call_failed(sc, call);
    }
    const Ty *self = ty_inst(p->arena, f->owner->name, f->owner->order.at[0].args, f->formals);
    const Expr *name = expr_name(p->arena, call->at, names_get(p->names, SUPER_NAME),
                                 EXPR_CONTEXT_LOAD);
    return expr_typed(sc, name, self, f->formals);
}

// `super().__init__()` where no base has a constructor: nothing happens.
static bool is_idle_super(const Expr *call, const Expr *callee) {
    return callee->kind == EXPR_ATTRIBUTE && expr_is_super(callee->attribute.value) &&
        sym_is(callee->attribute.attr, "__init__") &&
        call->call.args.len + call->call.keywords.len == 0;
}

// `super().m(..)`
static const Expr *call_inherited(Scope *sc, const Expr *call, const Expr *callee,
                                  const LocType *want) {
    Program *p = sc->p;
    Sym attr = callee->attribute.attr;
    const Ty *self = callee->attribute.value->ty;
    const Decl *d = program_find(p, self->inst.name);
    Member m = {0};
    const Ancestor *init = sym_is(attr, "__init__") ? hierarchy_init_after(d) : NULL;
    if (init != NULL) m = (Member){.from = init, .function = init->decl->init};
    else if (!sym_is(attr, "__init__")) hierarchy_find_after(d, attr, &m);
    if (m.function == NULL && is_idle_super(call, callee))
        return expr_typed(sc, expr_constant(p->arena, call->at, const_none(p->arena), NULL),
                          ty_none_type(p->arena), sc->roles);
    if (m.function == NULL) {
        report_at(sc, callee->at, DIAG_ATTRIBUTE_UNKNOWN, "no base class of `%s` has a method `%s`",
                  d->name, attr);
        return call_failed(sc, call);
    }
    if (m.function->bodiless) {
        Diag *g = report_at(sc, callee->at, DIAG_ABSTRACT, "`%s` of `%s` has no implementation to "
                                                           "call",
                            attr, m.from->decl->name);
        diag_label(g, source_first_line(p->source, m.function->def->at), "declared here");
        return call_failed(sc, call);
    }
    return call_method(sc, call, callee, self, &m, want);
}

static const Expr *call_named(Scope *sc, const Expr *call, const Expr *name, const LocType *want,
                              bool *done) {
    Var *v = scope_find(sc, name->name.id);
    *done = true;
    if (v != NULL && v->is_class) return call_class(sc, call, name, v, want);
    if (v == NULL && sym_is(name->name.id, "super") && super_is_inside(sc)) {
        report_super_inside(sc->p, call->at);
        return call_failed(sc, call);
    }
    if (v == NULL && sym_is(name->name.id, "super") && sc->fn->owner != NULL)
        return call_super(sc, call);
    if (v != NULL && v->function != NULL)
        return call_choreography(sc, call, callee_of_nested(v->function, name), want);
    Decl *d = v == NULL ? program_find(sc->p, name->name.id) : NULL;
    if (program_is_misspelt(d)) return call_failed(sc, call);
    if (d != NULL && d->kind == DECL_ROLE_CLASS) return call_constructor(sc, call, name, d, want);
    if (d != NULL && d->kind == DECL_CHOREOGRAPHY)
        return call_choreography(sc, call, callee_of_function(sc, d, name), want);
    *done = false;
    return NULL;
}

// `Base.m(self, n)` in a subclass, where `super().m(n)` calls the same method.
static void help_instance_method(Scope *sc, Diag *d, const Expr *call, const Decl *of,
                                 const Function *f) {
    const Expr *callee = call->call.func;
    ExprList args = call->call.args;
    const Decl *owner = sc->fn != NULL ? sc->fn->owner : NULL;
    Member next = {0};
    bool self = args.len > 0 && args.at[0]->kind == EXPR_NAME &&
        sym_is(args.at[0]->name.id, "self");
    if (!self || owner == NULL || sc->fn->is_static || super_is_inside(sc) ||
        !hierarchy_find_after(owner, callee->attribute.attr, &next) || next.function != f) {
        diag_help(d, "call it on an instance of `%s`", of->name);
        return;
    }
    Help *h = diag_help(d, "write `super()`");
    diag_edit(d, h, callee->attribute.value->at, "super()");
    uint32_t end = args.len > 1 ? args.at[1]->at.start
        : call->call.keywords.len > 0 ? call->call.keywords.at[0]->at.start : args.at[0]->at.end;
    diag_edit(d, h, (Span){args.at[0]->at.start, end}, "%s", "");
}

// `C.m(..)` and `C[A, B].m(..)` with C a class of several roles.
static const Expr *call_static(Scope *sc, const Expr *call, const Expr *callee, const Expr *base,
                               const LocType *want, bool *done) {
    Program *p = sc->p;
    const Expr *name = base->kind == EXPR_SUBSCRIPT ? base->subscript.value : base;
    Decl *d = name->kind == EXPR_NAME && scope_find(sc, name->name.id) == NULL
        ? program_find(p, name->name.id) : NULL;
    Member m;
    *done = d != NULL && d->kind == DECL_ROLE_CLASS;
    if (!*done) return NULL;
    Sym attr = callee->attribute.attr;
    if (!hierarchy_find(d, attr, &m) || m.function == NULL) {
        Diag *g = report_at(sc, callee->at, DIAG_ATTRIBUTE_UNKNOWN, "`%s` has no method `%s`",
                            d->name, attr);
        help_attribute(sc, g, callee, d, (SymList){0});
        return call_failed(sc, call);
    }
    Function *f = m.function;
    if (f->kind != METHOD_STATIC && f->kind != METHOD_CLASS) {
        Diag *g = report_at(sc, callee->at, DIAG_MEMBER_KIND,
                            "`%s` is an instance method of `%s` and cannot be called on the class",
                            attr,
                            d->name);
        diag_label(g, source_first_line(p->source, f->def->at), "`%s` takes `self`", attr);
        help_instance_method(sc, g, call, d, f);
        return call_failed(sc, call);
    }
    if (f->local) {
        Diag *g = report_unsupported(p, call->at,
                                     "calling a static method of one role through its class");
        diag_help(g, "call the method on an instance, or write a function outside the class");
        return call_failed(sc, call);
    }
    SymList vars;
    Subst view = class_view(sc, d, m.from, &vars);
    const Expr *target = expr_attribute(p->arena, callee->at, name, attr, EXPR_CONTEXT_LOAD);
    // The roles stand behind the class: the call is judged as if they stood behind the method.
    const Expr *func = base->kind != EXPR_SUBSCRIPT ? target
        : expr_subscript(p->arena, callee->at, target, base->subscript.slice, EXPR_CONTEXT_LOAD);
    const Expr *judged = expr_call(p->arena, call->at, func, call->call.args, call->call.keywords);
    Callee c = {f, f->name, target, d->formals, view, d->formals, {0}, vars,
                located_subst(p, f->result, &view), d->stmt};
    return call_choreography(sc, judged, c, want);
}

// ---- local calls ----

static const Ty *annotated_result(Program *p, const Stmt *def) {
    if (def == NULL || def->kind != STMT_FUNCTION_DEF) return ty_any(p->arena);
    const Expr *r = def->function_def.returns;
    return r != NULL ? annotation_local(p, r) : ty_any(p->arena);
}

static const Ty *class_attribute_result(Program *p, const Decl *d, Sym name, const Ty *self) {
    for (; d != NULL; d = program_local_base(p, d)) {
        const Stmt *m = table_get(d->members, name);
        if (m == NULL) continue;
        const Ty *t = annotated_result(p, m);
        return type_is(t, "Self") ? self : t;
    }
    return ty_any(p->arena);
}

static const Ty *local_result(Scope *sc, const Expr *callee, ExprList args) {
    Program *p = sc->p;
    if (callee->kind == EXPR_NAME) {
        Sym name = callee->name.id;
        if (scope_find(sc, name) != NULL) return ty_any(p->arena);
        Decl *d = program_find(p, name);
        if (d == NULL) {
            const Ty *t = type_of_builtin(p, name, args);
            return t != NULL ? t : ty_any(p->arena);
        }
        if (d->kind == DECL_LOCAL_CLASS || d->kind == DECL_ENUM)
            return ty_named(p->arena, d->name, (TyList){0});
        return d->kind == DECL_LOCAL_FUNCTION ? annotated_result(p, d->stmt) : ty_any(p->arena);
    }
    if (callee->kind != EXPR_ATTRIBUTE) return ty_any(p->arena);
    const Expr *base = callee->attribute.value;
    Decl *d = base->kind == EXPR_NAME && scope_find(sc, base->name.id) == NULL
        ? program_find(p, base->name.id) : NULL;
    if (d != NULL && d->kind == DECL_LOCAL_CLASS)
        return class_attribute_result(p, d, callee->attribute.attr,
                                      ty_named(p->arena, d->name, (TyList){0}));
    if (base->ty != NULL && base->ty->kind == TY_NAMED &&
        (d = program_find(p, base->ty->named.name)) != NULL)
        return class_attribute_result(p, d, callee->attribute.attr, base->ty);
    return type_of_method(p, base->ty, callee->attribute.attr);
}

static Diag *report_several(Scope *sc, const Expr *e, Several as) {
    static const char *const WORDS[] = {
        [SEVERAL_ELEMENT] = "be an element of a container", [SEVERAL_PINNED] = "be pinned",
        [SEVERAL_COMPARED] = "be compared", [SEVERAL_OPERAND] = "be used as one role's value",
        [SEVERAL_VALUE] = "be used as one role's value",
        [SEVERAL_MANAGER] = "be the manager of a `with`",
        [SEVERAL_ARGUMENT] = "be passed to one role's code",
        [SEVERAL_CONDITION] = "be a condition",
        [SEVERAL_ITERATED] = "be iterated over", [SEVERAL_MATCHED] = "be matched",
        [SEVERAL_ARM] = "be chosen in a conditional expression",
    };
    return report_at(sc, e->at, DIAG_NEVER_LOCAL, "%s is at several roles and cannot %s",
                     expr_text(sc->p, e), WORDS[as]);
}

// The last field that one role has, or NULL.
static const Field *one_role_field(const Decl *class_) {
    for (size_t i = class_->field_order.len; i-- > 0;) {
        const Field *f = table_get(class_->fields, class_->field_order.at[i]);
        if (f != NULL && f->type.roles.len == 1) return f;
    }
    return NULL;
}

// The place after the `<-` that follows the expression; 0: none does.
static uint32_t behind_arrow(const Program *p, const Expr *e) {
    const char *text = p->source->text.at;
    uint32_t at = e->at.end + (uint32_t)strspn(text + e->at.end, " ");
    if (text[at] != '<' || text[at + 1] != '-') return 0;
    return at + 2 + (uint32_t)strspn(text + at + 2, " ");
}

// `ch <- x` is what Go's programmers write to send.
static bool report_arrow(Scope *sc, const Expr *e) {
    const char *text = sc->p->source->text.at, *channel = expr_text(sc->p, e);
    uint32_t start = behind_arrow(sc->p, e), end = start;
    if (start == 0 || !type_is_channel(sc->p, e->ty) || e->kind != EXPR_NAME) return false;
    while (isalnum((unsigned char)text[end]) || text[end] == '_') end++;
    Diag *d = report_at(sc, (Span){e->at.start, end}, DIAG_NEVER_LOCAL,
                        "%s does not send with `<-`, which is `<` and `-` in Python", channel);
    Help *h = diag_help(d, "write `com`: its result is the value at the receiver");
    diag_edit(d, h, (Span){e->at.end, start}, ".com(");
    diag_edit(d, h, (Span){end, end}, ")");
    return true;
}

// What to write instead of a channel in a list, or a choreography as the target of a thread.
static void help_several(Scope *sc, Diag *d, const Expr *e, Several as) {
    const Decl *of = e->ty->kind == TY_INST ? program_find(sc->p, e->ty->inst.name) : NULL;
    bool used = as == SEVERAL_OPERAND || as == SEVERAL_COMPARED || as == SEVERAL_MANAGER ||
        as == SEVERAL_CONDITION || as == SEVERAL_MATCHED;
    if (as == SEVERAL_ARM)
        diag_help(d, "write an `if` statement, and use %s in one of its branches",
                  expr_text(sc->p, e));
    else if (as == SEVERAL_PINNED)
        diag_help(d, "remove the pin");
    else if (e->ty->kind == TY_TUPLE && e->kind == EXPR_NAME)
        diag_help(d, "use one part of it, such as `%s[0]`, or unpack it", e->name.id);
    else if (type_is_channel(sc->p, e->ty) && as == SEVERAL_ITERATED)
        diag_help(d, "send one value with each call, as in `y = %s.com(x)`, or a list at once",
                  e->kind == EXPR_NAME ? e->name.id : "ch");
    else if (type_is_channel(sc->p, e->ty) && used)
        diag_help(d, "remove this: a channel has nothing to open, close, test or compare; to send "
                  "`x`, write `y = %s.com(x)`", e->kind == EXPR_NAME ? e->name.id : "ch");
    else if (type_is_channel(sc->p, e->ty))
        diag_help(d, "call `com` on each channel in the choreography itself, or pass %s to "
                  "another choreography", expr_text(sc->p, e));
    else if (e->ty->kind == TY_CALLABLE)
        diag_help(d, "call the function in the choreography itself, because each role runs as a "
                     "separate process");
    else if (of != NULL && e->kind == EXPR_NAME && one_role_field(of) != NULL)
        diag_help(d, "use a value that one role has, such as `%s.%s`", e->name.id,
                  one_role_field(of)->name);
}

typedef struct Strangers { const Function *fn; bool found; } Strangers;

static bool find_stranger(void *cx, const Ty *t) {
    Strangers *x = cx;
    bool own = t->kind != TY_TYPE_VAR || roles_has(x->fn->type_params, t->type_var.name) ||
        (x->fn->owner != NULL && roles_has(x->fn->owner->type_params, t->type_var.name));
    x->found |= !own;
    return !x->found;
}

// A type variable that no type parameter of the choreography is: the call has not decided it.
static bool undecided(Scope *sc, const Ty *t) {
    Strangers x = {.fn = sc->fn};
    IrWalker w = {.cx = &x, .ty = find_stranger};
    if (sc->fn == NULL || t == NULL) return false;
    ir_walk_ty(&w, t);
    return x.found;
}

bool refuse_several(Scope *sc, const Expr *e, Several as) {
    if (type_several(e->ty) && !report_arrow(sc, e))
        help_several(sc, report_several(sc, e, as), e, as);
    return type_several(e->ty);
}

Sym import_missing(Scope *sc, const Expr *e) {
    while (e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT)
        e = e->kind == EXPR_ATTRIBUTE ? e->attribute.value : e->subscript.value;
    bool here = e->kind == EXPR_NAME && scope_find(sc, e->name.id) == NULL && sc->p->parse != NULL;
    const Decl *d = here ? program_find(sc->p, e->name.id) : NULL;
    const Stmt *s = d != NULL && d->kind == DECL_IMPORT ? d->stmt : NULL;
    if (s == NULL) return NULL;
    Sym module = s->kind == STMT_IMPORT_FROM ? s->import_from.module
        : s->import.names.len == 1 ? s->import.names.at[0]->name : NULL;
    return module != NULL && pyt_module(sc->p->py, module) == NULL ? module : NULL;
}

void note_missing(Diag *d, Sym module) {
    if (module == NULL) return;
    diag_note(d, "module `%s` was not found and is assumed to be a Python module; `-I DIR` adds a "
                 "folder of choreographies", module);
}

// The parameter of a function of the file that takes the argument at that place, or NULL.
static const Arg *parameter_at(const Decl *d, size_t place) {
    if (d == NULL || d->kind != DECL_LOCAL_FUNCTION || d->stmt->kind != STMT_FUNCTION_DEF)
        return NULL;
    ArgList args = d->stmt->function_def.args->args;
    return place < args.len ? args.at[place] : NULL;
}

// A class whose constructor takes a channel but whose header names no roles is refused for that.
static bool constructor_refused(Scope *sc, const Decl *d) {
    StmtList body = d != NULL && d->kind == DECL_LOCAL_CLASS && d->stmt != NULL
        ? d->stmt->class_def.body : (StmtList){0};
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind != STMT_FUNCTION_DEF || !sym_is(s->function_def.name, "__init__")) continue;
        ArgList args = s->function_def.args->args;
        for (size_t j = 0; j < args.len; j++) {
            const Expr *e = args.at[j]->annotation;
            if (e != NULL && e->kind == EXPR_SUBSCRIPT) e = e->subscript.value;
            Sym head = e != NULL ? annotation_head(e) : NULL;
            const Decl *word = head != NULL ? program_find(sc->p, head) : NULL;
            if (word != NULL && word->kind == DECL_CHANNEL) return true;
        }
    }
    return false;
}

// A function without roles in its signature is code of one role, be it meant otherwise.
static bool refuse_argument(Scope *sc, const Expr *call, const Expr *callee, const Expr *e,
                            size_t place) {
    if (!type_several(e->ty)) return false;
    Decl *f = callee->kind == EXPR_NAME ? program_find(sc->p, callee->name.id) : NULL;
    if (constructor_refused(sc, f) || local_is_async_choreography(sc->p, f)) return true;
    const Arg *arg = place < call->call.args.len ? parameter_at(f, place) : NULL;
    if (arg != NULL && table_get(sc->p->said, arg) != NULL) {
        if (sc->fn != NULL) sc->fn->failed = true;
        return true;                    // said at the first call of this function
    }
    Diag *d = report_several(sc, e, SEVERAL_ARGUMENT);
    note_missing(d, import_missing(sc, callee));
    if (arg == NULL) help_several(sc, d, e, SEVERAL_ARGUMENT);
    if (arg == NULL) return true;
    table_set(sc->p->said, arg, (void *)e);
    diag_label(d, source_first_line(sc->p->source, f->at), "this signature names no roles");
    diag_help(d, "write the roles in the signature of `%s`, as in `%s: %s`", f->name, arg->arg,
              type_text(sc->p, e->ty));
    return true;
}

// `o(a)` is `o.__call__(a)`, which may change o.
static void check_call_through(Scope *sc, const Expr *callee, SymList roles) {
    Program *p = sc->p;
    const Ty *t = callee->ty;
    Decl *d = t != NULL && t->kind == TY_NAMED ? program_find(p, t->named.name) : NULL;
    if (d == NULL || d->kind != DECL_LOCAL_CLASS || callee->roles.len <= roles.len) return;
    Diag *g = report_at(sc, callee->at, DIAG_REPLICATED_STORE,
                        "%s is replicated at %s, but only %s would call it", expr_text(p, callee),
                        roles_text(p->arena, callee->roles), roles_text(p->arena, roles));
    diag_help(g, "first send the arguments to every role that has the object: %s",
              roles_text(p->arena, callee->roles));
}

static void check_store_through(Scope *sc, const Expr *call, const Expr *callee,
                                SymList roles) {
    if (roles.len > 0) check_call_through(sc, callee, roles);
    if (callee->kind != EXPR_ATTRIBUTE) return;
    const Expr *base = callee->attribute.value;
    if (base->roles.len <= roles.len || roles.len == 0 || !type_mutable(sc->p, base->ty)) return;
    if (method_pure(base->ty, callee->attribute.attr)) return;
    Program *p = sc->p;
    Diag *d = report_at(sc, callee->at, DIAG_REPLICATED_STORE,
                        "%s is replicated at %s, but only %s would call `%s` on it",
                        expr_text(p, base), roles_text(p->arena, base->roles),
                        roles_text(p->arena, roles), callee->attribute.attr);
    if (call->call.args.len + call->call.keywords.len > 0)
        diag_help(d, "first send the arguments to every role that has the object: %s",
                  roles_text(p->arena, base->roles));
    const char *text = source_written(p->arena, p->source, base->at);
    if (roles.len == 1 && text != NULL && strlen(text) < 20)
        diag_help(d, "%suse a copy at %s: `copy: At[%s, %s] = %s`", d->helps != NULL ? "or " : "",
                  roles.at[0], type_text(p, base->ty), roles.at[0], text);
}

// A builtin only looks at its arguments, but what it gives may hold their elements.
static bool reads_only(Scope *sc, const Expr *callee, const Expr *arg) {
    Program *p = sc->p;
    if (callee->kind != EXPR_NAME || program_find(p, callee->name.id) != NULL ||
        !builtin_deterministic(callee->name.id))
        return false;
    const Ty *result = type_of_builtin(p, callee->name.id, (ExprList){&arg, 1});
    return (result != NULL && !type_mutable(p, result)) ||
        !type_mutable(p, type_of_element(p, arg->ty));
}

static const Expr *narrowed(Scope *sc, const Expr *callee, const Expr *arg, SymList roles) {
    if (arg->roles.len <= roles.len) return arg;
    if (reads_only(sc, callee, arg)) return expr_own_object(sc, arg, roles);
    if (arg->kind == EXPR_STARRED) return expr_own(sc, arg, roles);
    return expr_coerce(sc, arg, (LocType){arg->ty, roles}, "the argument");
}

// A method that only reads may give a part of its object: `d.get(k, [])`.
static const Expr *own_receiver(Scope *sc, const Expr *callee, const Ty *result, SymList roles) {
    if (callee->kind != EXPR_ATTRIBUTE || roles.len == 0 || !type_mutable(sc->p, result))
        return callee;
    const Expr *base = expr_own(sc, callee->attribute.value, roles);
    if (base == callee->attribute.value) return callee;
    const Expr *out = expr_attribute(sc->p->arena, callee->at, base, callee->attribute.attr,
                                     callee->attribute.ctx);
    return expr_typed(sc, out, callee->ty, roles);
}

// `set(e)` is a set, whatever is in it: its order may differ (iteration_order.c).
static bool is_set_maker(const Scope *sc, const Expr *f) {
    return f->kind == EXPR_NAME && builtin_makes_set(f->name.id) &&
        scope_find((Scope *)sc, f->name.id) == NULL && program_find(sc->p, f->name.id) == NULL;
}

// What else is passed: a value that the channel carries, or a collection of such values.
static void help_message(Scope *sc, Diag *d, const Expr *call, const Expr *arg) {
    const Ty *channel = type_of_path(sc, arg->attribute.value);
    const Ty *payload = channel->inst.args.len > 0 ? channel->inst.args.at[0] : NULL;
    const char *value = "x", *method = source_written(sc->p->arena, sc->p->source, arg->at);
    for (size_t i = 0; i < call->call.args.len && payload != NULL; i++) {
        const Expr *other = call->call.args.at[i];
        const Ty *t = other->kind == EXPR_NAME ? type_of_path(sc, other) : NULL;
        const Ty *element = t != NULL ? type_of_element(sc->p, t) : NULL;
        if (t == NULL || type_unknown(t)) continue;
        if (type_fits(sc->p, t, payload)) value = other->name.id;
        if (type_fits(sc->p, t, payload) || type_unknown(element) ||
            !type_fits(sc->p, element, payload))
            continue;
        SymList ends = channel->inst.actuals;
        diag_help(d, "send each element in a `for` loop, or send the whole value over a "
                  "`%s[%s, %s, %s]`", channel->inst.name, type_text(sc->p, t), ends.at[0],
                  ends.at[1]);
        return;
    }
    diag_help(d, "call it in a statement, as in `received = %s(%s)`", method, value);
}

// `pool.submit(ch.com, n)`: one role's code would call it.
static bool gives_message(Scope *sc, const Expr *call, const Expr *arg) {
    Sym method = names_channel_method(sc, arg) ? arg->attribute.attr : NULL;
    if (method == NULL || !(sym_is(method, "com") || sym_is(method, "share"))) return false;
    Diag *g = report_at(sc, arg->at, DIAG_NEVER_LOCAL, "a channel's method cannot be used as a "
                        "value, because one role would decide when the other end waits");
    help_message(sc, g, call, arg);
    return true;
}

static const Expr *call_local(Scope *sc, const Expr *call, const Expr *callee,
                              const LocType *want) {
    Arena *a = sc->p->arena;
    size_t n = call->call.args.len, m = call->call.keywords.len;
    const Expr **k = ARENA_ARRAY(a, const Expr *, n + m + 1);
    bool ok = callee->ty == NULL || callee->ty->kind != TY_POISON;
    LocType hint = {NULL, callee->roles.len > 0 || want == NULL ? callee->roles : want->roles};
    for (size_t i = 0; i < n + m; i++) {
        const Expr *arg = i < n ? call->call.args.at[i] : call->call.keywords.at[i - n]->value;
        if (!ok && arg->kind == EXPR_NAME && roles_has(sc->roles, arg->name.id))
            return call_failed(sc, call);               // `A.send(x, B)`
        if (gives_message(sc, call, arg)) return call_failed(sc, call);
        k[i] = value_of_one_role(sc, check_expr(sc, arg, &hint));
        if (hint.roles.len == 0) hint.roles = k[i]->roles;
        if (k[i]->roles.len == 0 && !expr_unplaced(k[i])) {
            report_at(sc, arg->at, DIAG_PLACE_WRONG, "%s does not return a value",
                      expr_text(sc->p, arg));
            ok = false;
        }
        if (ok && refuse_argument(sc, call, callee, k[i], i)) return call_failed(sc, call);
        ok &= k[i]->ty == NULL || k[i]->ty->kind != TY_POISON;
    }
    k[n + m] = callee;
    SymList roles;
    SymList wanted = want != NULL ? want->roles : (SymList){0};
    if (!ok || !expr_meet(sc, n + m + 1, k, wanted, &roles)) return call_failed(sc, call);
    check_store_through(sc, call, callee, roles);
    for (size_t i = 0; i <= n + m && roles.len > 0; i++) k[i] = expr_place(sc, k[i], roles);
    for (size_t i = 0; i < n + m && roles.len > 0; i++) k[i] = narrowed(sc, callee, k[i], roles);
    const Keyword **keywords = ARENA_ARRAY(a, const Keyword *, m);
    for (size_t i = 0; i < m; i++) {
        const Keyword *old = call->call.keywords.at[i];
        keywords[i] = keyword_new(a, old->at, old->arg, k[n + i]);
    }
    ExprList args = {k, n};
    const Ty *judged = judge_call(sc, call, callee, k), *ty = local_result(sc, callee, args);
    if (judged != NULL && judged->kind == TY_POISON) return call_failed(sc, call);
    if (judged != NULL) ty = judged;
    else if (undecided(sc, ty)) ty = ty_any(a);
    if (type_unknown(ty) && call->call.func->kind == EXPR_LAMBDA && m == 0) {
        const Ty *made = lambda_result(sc, call->call.func, args);
        ty = made != NULL ? made : ty;
    }
    const Expr *root = callee;
    while (root->kind == EXPR_ATTRIBUTE) root = root->attribute.value;
    bool global = root->kind == EXPR_NAME && scope_find(sc, root->name.id) == NULL;
    const Ty *foreign = type_unknown(ty) && global ? judge_foreign(sc->p, call) : NULL;
    if (foreign != NULL) ty = foreign;
    if (type_unknown(ty) && is_set_maker(sc, callee)) ty = type_named(sc->p, callee->name.id);
    k[n + m] = own_receiver(sc, k[n + m], ty, roles);
    return expr_typed(sc, expr_call(a, call->at, k[n + m], args, (KeywordList){keywords, m}), ty,
                      roles);
}

// `o(..)` is `o.__call__(..)`.
static const Expr *call_instance(Scope *sc, const Expr *call, const Expr *o, const LocType *want) {
    Program *p = sc->p;
    Sym name = names_get(p->names, "__call__");
    const Decl *d = program_find(p, o->ty->inst.name);
    Member m;
    if (d->channel != NULL) {
        Diag *g = report_at(sc, call->at, DIAG_MEMBER_KIND, "a channel is not callable");
        Help *h = diag_help(g, "to send a value, call `com`");
        diag_edit(g, h, (Span){o->at.end, o->at.end}, ".com");
        return call_failed(sc, call);
    }
    if (!hierarchy_find(d, name, &m) || m.function == NULL) {
        report_at(sc, call->at, DIAG_MEMBER_KIND, "`%s` object is not callable, because its class "
                                                  "does not define `__call__`", d->name);
        return call_failed(sc, call);
    }
    const Expr *method = expr_attribute(p->arena, o->at, o, name, EXPR_CONTEXT_LOAD);
    method = expr_typed(sc, method, ty_any(p->arena), o->roles);
    const Expr *again = expr_call(p->arena, call->at, method, call->call.args,
                                  call->call.keywords);
    return call_method(sc, again, method, o->ty, &m, want);
}

// `o.m(..)`, or `o.m[C](..)`, with m a method with roles of its own; NULL: it is none.
static const Expr *call_lifted(Scope *sc, const Expr *call, const Expr *callee,
                               const LocType *want) {
    const Expr *method = callee->kind == EXPR_SUBSCRIPT && callee->ty == NULL
        ? callee->subscript.value : callee;
    const Decl *d = lift_named(sc->p, method);
    if (d == NULL) return NULL;
    const Expr *again = lift_call(sc->p, call, callee, d), *func = again->call.func;
    const Expr *name = func->kind == EXPR_SUBSCRIPT ? func->subscript.value : func;
    return call_choreography(sc, again, callee_of_function(sc, d, name), want);
}

const Expr *check_call(Scope *sc, const Expr *call, const Expr *callee, const LocType *want) {
    bool done = false;
    const Expr *name = callee->kind == EXPR_SUBSCRIPT && callee->ty == NULL
        ? callee->subscript.value : callee;
    if (name->kind == EXPR_NAME) {
        const Expr *out = call_named(sc, call, name, want, &done);
        if (done) return out;
    }
    const Expr *lifted = call_lifted(sc, call, callee, want);
    if (lifted != NULL) return lifted;
    Channel ch;
    if (channel_of(sc, callee, &ch)) return call_channel(sc, call, callee, &ch, want);
    if (type_choreographic(callee->ty)) return call_value(sc, call, callee);
    if (callee->ty != NULL && callee->ty->kind == TY_INST)
        return call_instance(sc, call, callee, want);
    if (callee->kind == EXPR_ATTRIBUTE) {
        const Ty *t = callee->attribute.value->ty;
        bool whole = callee->ty != NULL && callee->ty->kind != TY_POISON;
        Member m;
        if (expr_is_super(callee->attribute.value))
            return call_inherited(sc, call, callee, want);
        if (t != NULL && t->kind == TY_INST && whole &&
            hierarchy_find(program_find(sc->p, t->inst.name), callee->attribute.attr, &m) &&
            m.function != NULL && !m.function->local)
            return call_method(sc, call, callee, t, &m, want);
        const Expr *out = call_static(sc, call, callee, callee->attribute.value, want, &done);
        if (done) return out;
    }
    return call_local(sc, call, callee, want);
}
