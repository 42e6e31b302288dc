// c_field.c - what objects and classes have: fields, attributes that methods set, constants.

#include "compiler/emit/c/c_internal.h"

static CField *own_field(CClass *k, Sym name)
{
    for (size_t i = 0; i < k->fields.len; i++)
        if (k->fields.at[i].name == name)
            return &k->fields.at[i];
    return NULL;
}

// A field of a base that a derived class has, too: it keeps its place.
static void declare_again(CEmit *c, const CClass *k, CField *known, CField f)
{
    if (f.attribute) {
        known->value = f.value ? f.value : known->value;
        known->constant = f.constant ? f.constant : known->constant;
        known->maker = NULL;
        return;
    }
    if (f.rep != known->rep)
        (void)c_refuse(c, f.value ? f.value->at : k->def->at,
                       "the C target requires that `%s` has the same type as in the base class, "
                       "`%s`", f.name, c_type_name(c, known->rep));
    if (f.value == NULL && !f.is_call && !known->factory)       // the class has that of its base
        f.value = known->value, f.constant = known->constant;
    f.owner = known->owner;
    f.c_name = known->c_name;
    f.rep = known->rep;
    *known = f;
}

static void add_field(CEmit *c, CClass *k, CField f)
{
    CField *known = own_field(k, f.name);
    if (known != NULL && known->attribute && !f.attribute)
        (void)c_refuse(c, f.value ? f.value->at : k->def->at,
                       "the C target does not support the field `%s`, because a base class sets an "
                       "attribute of this name\nuse another name", f.name);
    if (known != NULL) {
        declare_again(c, k, known, f);
        return;
    }
    f.owner = k;
    f.no_init |= f.attribute;
    f.no_compare |= f.attribute;
    f.hidden |= f.attribute;
    f.c_name = c_identifier(c, f.name);
    if (sym_is(f.name, "object") || sym_is(f.name, "exception"))
        f.c_name = c_text(c, "%s_", f.c_name);
    vec_push(c->arena, &k->fields, f);
}

static bool is_field_call(CEmit *c, const Expr *e)
{
    Sym name = e && e->kind == EXPR_CALL ? c_origin(c, e) : NULL;
    return name && sym_is(name, "field");
}

// `f = staticmethod(g)`: what stands in the class is g.
static const Expr *static_function(CEmit *c, const Expr *value)
{
    bool is_call = value->kind == EXPR_CALL && value->call.func->kind == EXPR_NAME
                   && sym_is(value->call.func->name.id, "staticmethod")
                   && c_global(c, value->call.func->name.id) == NULL && value->call.args.len == 1;
    return is_call ? value->call.args.at[0] : NULL;
}

const Expr *c_field_value(CEmit *c, const Expr *e)
{
    const Expr *function = static_function(c, e);
    if (!is_field_call(c, e))
        return function ? function : e;
    for (size_t i = 0; i < e->call.keywords.len; i++)
        if (e->call.keywords.at[i]->arg && sym_is(e->call.keywords.at[i]->arg, "default"))
            return e->call.keywords.at[i]->value;
    return NULL;
}

// `init=False` and the like: where it goes to; NULL: none of them, or not known here.
static bool *switch_of(CField *f, const Keyword *k)
{
    if (k->value->kind != EXPR_CONSTANT)
        return NULL;
    return sym_is(k->arg, "init") ? &f->no_init
        : sym_is(k->arg, "compare") ? &f->no_compare : sym_is(k->arg, "repr") ? &f->hidden : NULL;
}

// What `field(..)` says.
static void read_field_call(CEmit *c, CField *f)
{
    const Expr *call = f->value;
    f->value = NULL;
    for (size_t i = 0; i < call->call.keywords.len; i++) {
        const Keyword *k = call->call.keywords.at[i];
        bool *off = k->arg != NULL ? switch_of(f, k) : NULL;
        if (k->arg && sym_is(k->arg, "default"))
            f->value = k->value;
        else if (k->arg && sym_is(k->arg, "default_factory"))
            f->value = k->value, f->factory = true;
        else if (k->arg && sym_is(k->arg, "kw_only") && k->value->kind == EXPR_CONSTANT)
            f->keyword = k->value->constant.value->truth;
        else if (off != NULL)
            *off = !k->value->constant.value->truth;
        else if (k->arg == NULL || !sym_is(k->arg, "metadata"))
            (void)c_refuse(c, k->at, "the C target does not support `%s` in `field`",
                           c_source_text(c, k->at));
    }
}

// A generic class has its constants once, whatever its parameters are.
static const char *shared_constant(CEmit *c, CClass *first, CField f)
{
    c_class_fields(c, first);
    for (size_t i = 0; i < first->constants.len; i++) {
        const CField *known = &first->constants.at[i];
        if (known->name == f.name && known->rep == f.rep)
            return known->c_name;
    }
    (void)c_refuse(c, f.value->at, "the C target does not support a class attribute whose type "
                   "depends on the type parameters of the class");
    return "0";
}

bool c_has_constants(CEmit *c, const Stmt *def)
{
    bool is_record = c_is_decorated(c, def->class_def.decorator_list, "dataclass");
    for (size_t i = 0; i < def->class_def.body.len; i++) {
        const Stmt *s = def->class_def.body.at[i];
        const Expr *a = s->kind == STMT_ANN_ASSIGN && s->ann_assign.value
            ? s->ann_assign.annotation : NULL;
        Sym outer = a && a->kind == EXPR_SUBSCRIPT ? c_origin(c, a->subscript.value) : NULL;
        if (s->kind == STMT_ASSIGN || (a && !is_record) || (outer && sym_is(outer, "ClassVar")))
            return true;
    }
    return false;
}

// A value that the class has; objects begin with it where code gives them one of their own.
static void class_value(CEmit *c, CClass *k, CField f)
{
    const CField *known = own_field(k, f.name);
    if (known == NULL)
        known = c_find_constant(k, f.name);
    if (known != NULL && known->rep != NULL)
        f.rep = known->rep;
    CClass *first = k->types != NULL ? c_class_of(c, k->name, (TyList){0}) : k;
    f.c_name = first != k ? shared_constant(c, first, f)
        : c_unique(c, c_text(c, "%s_%s", k->c_name, f.name));
    vec_push(c->arena, &k->constants, f);
    bool own = own_field(k, f.name) != NULL || c_is_stored(c, k, f.name);
    if (!own || k->is_enum || k->is_protocol)
        return;
    add_field(c, k, (CField){.name = f.name, .rep = f.rep, .constant = f.c_name,
                             .attribute = true});
}

static void declared_field(CEmit *c, CClass *k, const Stmt *s)
{
    const Expr *a = s->ann_assign.annotation;
    Sym marker = k->is_dataclass && a->kind != EXPR_SUBSCRIPT ? c_origin(c, a) : NULL;
    if (marker != NULL && sym_is(marker, "KW_ONLY")) {
        k->by_keyword = true;               // those behind it
        return;
    }
    Sym outer = a->kind == EXPR_SUBSCRIPT ? c_origin(c, a->subscript.value) : NULL;
    bool constant = (outer && sym_is(outer, "ClassVar") && !k->is_named_tuple)
                    || (!k->is_dataclass && s->ann_assign.value != NULL);
    CField f = {.name = s->ann_assign.target->name.id, .value = s->ann_assign.value,
                .attribute = !k->is_dataclass, .keyword = k->by_keyword};
    const Ty *self = c->self;
    c->self = ty_named(c->arena, k->name, k->args);
    const Ty *ty = c_annotation(c, a);
    c->self = self;
    f.rep = rep_of(c, ty, a->at);
    if (k->types == NULL)
        f.ty = ty;
    else if (!table_get(c->joined, k->name))
        f.ty = c_settled(c, ty);
    if (constant) {
        class_value(c, k, f);
        return;
    }
    f.is_call = is_field_call(c, f.value);
    if (f.is_call)
        read_field_call(c, &f);
    if (f.value != NULL && !f.factory && !c_is_constant(f.value)) {     // made once, by the class
        if (k->types != NULL)
            (void)c_refuse(c, f.value->at, "the C target supports only constants as defaults in a "
                           "generic class");
        f.constant = c_unique(c, c_text(c, "%s_default_%s", k->c_name, f.name));
    }
    add_field(c, k, f);
}

typedef struct SelfFields { CEmit *c; CClass *k; Sym self; } SelfFields;

static void field_of_store(SelfFields *s, const Expr *t, const Expr *annotation, const Expr *value)
{
    if (t->kind != EXPR_ATTRIBUTE || t->attribute.value->kind != EXPR_NAME
        || t->attribute.value->name.id != s->self || own_field(s->k, t->attribute.attr)
        || c_find_constant(s->k, t->attribute.attr)
        || c_find_method(s->k, names_format(s->c->names, "%s.setter", t->attribute.attr)))
        return;
    const Ty *ty = annotation ? c_annotation(s->c, annotation) : t->ty ? t->ty : value->ty;
    add_field(s->c, s->k, (CField){.name = t->attribute.attr, .rep = rep_of(s->c, ty, t->at),
                                   .attribute = true});
}

static bool note_store(void *cx, const Stmt *s)
{
    if (s->kind == STMT_ASSIGN)
        for (size_t i = 0; i < s->assign.targets.len; i++)
            field_of_store(cx, s->assign.targets.at[i], NULL, s->assign.value);
    if (s->kind == STMT_ANN_ASSIGN)
        field_of_store(cx, s->ann_assign.target, s->ann_assign.annotation, s->ann_assign.value);
    return true;
}

static void fields_of_methods(CEmit *c, CClass *k)
{
    for (int pass = 0; pass < 2; pass++)            // those of __init__ first
        for (size_t i = 0; i < k->methods.len; i++) {
            const CMethod *m = &k->methods.at[i];
            const Arguments *args = m->def->function_def.args;
            ArgList list = args->posonlyargs.len > 0 ? args->posonlyargs : args->args;
            if (sym_is(m->name, "__init__") != (pass == 0) || m->is_static || m->is_class
                || list.len == 0)
                continue;
            SelfFields s = {c, k, list.at[0]->arg};
            IrWalker w = {.cx = &s, .stmt = note_store};
            ir_walk_stmts(&w, m->def->function_def.body);
        }
}

static void class_constant(CEmit *c, CClass *k, const Expr *target, const Expr *value)
{
    const Expr *function = static_function(c, value);
    const Ty *ty = function ? function->ty : target->ty ? target->ty : value->ty;
    CField f = {.name = target->name.id, .value = function ? function : value};
    bool slots = sym_is(f.name, "__slots__") || sym_is(f.name, "__match_args__");
    bool alias = value->kind == EXPR_NAME && c_find_method(k, value->name.id);
    if (slots || alias)
        return;
    if (!k->is_enum)
        f.rep = rep_of(c, ty, target->at);
    class_value(c, k, f);
}

void c_class_fields(CEmit *c, CClass *k)
{
    if (k->fields_known)
        return;
    k->fields_known = true;
    Table *outer = c->substitution;
    for (size_t i = 0; i < k->bases.len; i++)
        c_class_fields(c, k->bases.at[i]);
    if (k->base != NULL) {
        c_class_fields(c, k->base);
        for (size_t i = 0; i < k->base->fields.len; i++)
            vec_push(c->arena, &k->fields, k->base->fields.at[i]);
    }
    CClass *outer_class = c->class_;
    c->substitution = k->types;
    c->class_ = k;
    StmtList body = k->def->class_def.body;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_ANN_ASSIGN && s->ann_assign.target->kind == EXPR_NAME)
            declared_field(c, k, s);
        else if (s->kind == STMT_ASSIGN && s->assign.targets.at[0]->kind == EXPR_NAME)
            class_constant(c, k, s->assign.targets.at[0], s->assign.value);
    }
    if (!k->enum_base && !k->is_protocol)
        fields_of_methods(c, k);
    if (k->is_enum)
        c_name_member_fields(c, k);
    c_check_named_tuple(c, k);
    c->substitution = outer;
    c->class_ = outer_class;
}

CField *c_find_field(CEmit *c, CClass *k, Sym name)
{
    c_class_fields(c, k);
    return own_field(k, name);
}

// What a name in the body of a class stands for if a statement of the body has set it before.
const CField *c_member_before(CEmit *c, const Expr *e)
{
    StmtList body = c->body_of ? c->body_of->def->class_def.body : (StmtList){0};
    for (size_t i = 0; i < body.len && body.at[i]->at.end <= e->at.start; i++) {
        const Stmt *s = body.at[i];
        const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0]
            : s->kind == STMT_ANN_ASSIGN && s->ann_assign.value ? s->ann_assign.target : NULL;
        if (target == NULL || target->kind != EXPR_NAME || target->name.id != e->name.id)
            continue;
        const CField *f = c_find_constant(c->body_of, e->name.id);
        return f != NULL ? f : own_field(c->body_of, e->name.id);
    }
    return NULL;
}
