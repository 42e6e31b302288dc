// k_type.c - how the types of the unit stand in C.
//
//   float, int, bool, str       double, int64_t (operations check for overflow), bool, const char *
//   float | int                 double: an int operand of a real operator stays a number
//   tuple                       a struct by value
//   list                        a pointer to {Item *at; int64_t len, cap;}
//   dataclass, also `| None`    a pointer to a struct of its fields; a base class comes first in it
//   several classes             a pointer to Object, of which each of them begins with one
//   enum                        int, the number of the member
//   any other union             a struct of a tag and a C union
//   Array                       a pointer to numbers
//
// Types with one name are one; a KType is made once for each name.

#include "compiler/emit/kernel/k_internal.h"
#include "compiler/emit/python.h"

static const char *const SIMPLE_NAMES[] = {"Float", "Int", "Bool", "Text", "None"};
static const char *const SIMPLE_C[] = {"double ", "int64_t ", "bool ", "const char *", "char "};

static KType *new_type(Kernel *k, KKind kind, const char *name, const char *c)
{
    KType *t = ARENA_NEW(k->arena, KType);
    *t = (KType){.kind = kind, .name = name, .c = c};
    table_set(k->types, names_get(k->names, name), t);
    vec_push(k->arena, &k->all_types, t);
    return t;
}

static KType *known_type(Kernel *k, const char *key)
{
    return table_get(k->types, names_get(k->names, key));
}

const KType *k_simple(Kernel *k, KKind kind)
{
    KType *t = known_type(k, SIMPLE_NAMES[kind]);
    return t ? t : new_type(k, kind, SIMPLE_NAMES[kind], SIMPLE_C[kind]);
}

// A type that is made of others: found by the names of these, under a name that is free.
static const KType *made_type(Kernel *k, KKind kind, const char *word, const char *between,
                              KTypes items)
{
    Buf b = buf_new(k->arena);
    buf_puts(&b, word);
    for (size_t i = 0; i < items.len; i++)
        buf_printf(&b, "%s%s", i > 0 ? between : "", items.at[i]->name);
    const char *key = k_text(k, "<%s>", buf_text(&b));
    KType *t = known_type(k, key);
    if (t == NULL) {
        const char *name = k_global_name(k, buf_text(&b));
        t = new_type(k, kind, name, k_text(k, kind == K_LIST ? "%s *" : "%s ", name));
        t->items = items;
        table_set(k->types, names_get(k->names, key), t);
    }
    return t;
}

const KType *k_list_of(Kernel *k, const KType *item)
{
    const KType **at = ARENA_ARRAY(k->arena, const KType *, 1);
    at[0] = item;
    return made_type(k, K_LIST, "List", "", (KTypes){at, 1});
}

static const char *joined_text(Kernel *k, const char *before, KTypes items, const char *between,
                               const char *after)
{
    Buf b = buf_new(k->arena);
    buf_puts(&b, before);
    for (size_t i = 0; i < items.len; i++)
        buf_printf(&b, "%s%s", i > 0 ? between : "", k_type_text(k, items.at[i]));
    buf_puts(&b, after);
    return buf_text(&b);
}

const char *k_type_text(Kernel *k, const KType *t)
{
    switch (t->kind) {
    case K_FLOAT:  return "float";
    case K_INT:    return "int";
    case K_BOOL:   return "bool";
    case K_TEXT:   return "str";
    case K_NONE:   return "None";
    case K_ENUM:
    case K_RECORD: return t->class_->name;
    case K_TUPLE:  return t->items.len == 0 ? "tuple[()]"
                          : joined_text(k, "tuple[", t->items, ", ", "]");
    case K_LIST:   return joined_text(k, "list[", t->items, ", ", "]");
    case K_ARRAY:  return joined_text(k, "Array[", t->items, ", ", "]");
    case K_UNION:
    case K_CHOICE: return joined_text(k, "", t->items, " | ", "");
    }
    return t->name;
}

const char *k_stands_for(const KClass *c)
{
    ExprList marks = c->def->class_def.decorator_list;
    bool own = marks.len == 1 && marks.at[0]->kind == EXPR_NAME
               && (sym_is(marks.at[0]->name.id, "tuple") || sym_is(marks.at[0]->name.id, "float"));
    return own ? marks.at[0]->name.id : NULL;
}

// The class of a function as a value has a mark of that type (flat_closure.c).
static bool is_function(const KClass *c)
{
    ExprList marks = c->def->class_def.decorator_list;
    const Ty *of = marks.len == 1 ? marks.at[0]->ty : NULL;
    return of != NULL && of->kind == TY_NAMED && sym_is(of->named.name, "function");
}

static const Ty *source_ty(IrMapper *m, const Ty *t)
{
    Kernel *k = m->cx;
    const KClass *c = t->kind == TY_NAMED ? k_class(k, t->named.name) : NULL;
    const char *of = c != NULL ? k_stands_for(c) : NULL;
    if (c == NULL || (of == NULL && !is_function(c)))
        return t;
    if (of == NULL || strcmp(of, "float") == 0)
        return ty_named(k->arena, names_get(k->names, of ? of : "function"), (TyList){0});
    Vec(const Ty *) items = {0};
    for (size_t i = 0; i < c->def->class_def.body.len; i++)
        vec_push(k->arena, &items,
                 ir_map_ty(m, c->def->class_def.body.at[i]->ann_assign.target->ty));
    return ty_tuple(k->arena, (TyList){items.at, items.len});
}

const char *k_source_type(Kernel *k, const Expr *e, const KType *t)
{
    IrMapper m = {.arena = k->arena, .cx = k, .ty = source_ty};
    Buf b = buf_new(k->arena);
    if (e->ty == NULL)
        return k_type_text(k, t);
    emit_ty(&b, ir_map_ty(&m, e->ty));
    return buf_text(&b);
}

const char *k_param_c(Kernel *k, const KFunction *f, const Arg *a)
{
    const KType *t = k_type(k, a->ty, a->at);
    return k_is_read_only(k, f, a) ? k_text(k, "const %s", t->c) : t->c;
}

bool k_is_pointer(const KType *t)
{
    return t->kind == K_LIST || t->kind == K_RECORD || t->kind == K_CHOICE;
}

// ---- classes ----

KClass *k_class(Kernel *k, Sym name) { return table_get(k->classes, name); }

void k_use_class(KClass *c)
{
    for (; c != NULL; c = (KClass *)c->base)
        c->used = true;
}

static bool is_enum_class(const Stmt *s)
{
    for (size_t i = 0; i < s->class_def.bases.len; i++) {
        const Expr *base = s->class_def.bases.at[i];
        Sym name = base->kind == EXPR_NAME ? base->name.id
                   : base->kind == EXPR_ATTRIBUTE ? base->attribute.attr : NULL;
        static const char *const ENUMS[] = {"Enum", "IntEnum", "StrEnum", "Flag", NULL};
        if (name != NULL && sym_is_one_of(name, ENUMS))
            return true;
    }
    return false;
}

static void add_class(Kernel *k, const Stmt *s)
{
    KClass *c = ARENA_NEW(k->arena, KClass);
    *c = (KClass){.name = s->class_def.name, .def = s, .is_enum = is_enum_class(s)};
    c->c = k_global_name(k, c->name);
    table_set(k->classes, c->name, c);
    vec_push(k->arena, &k->all_classes, c);
    KType *t = new_type(k, c->is_enum ? K_ENUM : K_RECORD, c->c,
                        k_text(k, c->is_enum ? "%s " : "%s *", c->c));
    t->class_ = c;
    c->type = t;
}

static void tag_class(Kernel *k, KClass *c)
{
    if (c->tagged)
        return;
    c->tagged = true;
    c->number = ++k->tagged;
    if (c->base != NULL)
        tag_class(k, (KClass *)c->base);
}

// What derives from a class of the unit has it as its base; both are told apart by their tags.
static void find_base(Kernel *k, KClass *c)
{
    for (size_t i = 0; i < c->def->class_def.bases.len && !c->is_enum; i++) {
        const Expr *base = c->def->class_def.bases.at[i];
        KClass *of = base->kind == EXPR_NAME ? k_class(k, base->name.id) : NULL;
        if (of == NULL)
            continue;
        if (c->base != NULL)
            k_refuse(k, base->at, "a gradient in C supports only classes with one base class");
        c->base = of;
        tag_class(k, of);
        tag_class(k, c);
    }
}

static void find_fields(Kernel *k, KClass *c)
{
    StmtList body = c->def->class_def.body;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        bool member = c->is_enum && s->kind == STMT_ASSIGN;
        const Expr *target = member ? s->assign.targets.at[0]
                             : s->kind == STMT_ANN_ASSIGN ? s->ann_assign.target : NULL;
        if (target == NULL || target->kind != EXPR_NAME)
            continue;
        KField f = {.name = target->name.id, .c = k_member_name(k, target->name.id),
                    .type = member ? NULL : k_type(k, target->ty, target->at),
                    .value = member ? s->assign.value : s->ann_assign.value};
        vec_push(k->arena, &c->fields, f);
    }
}

void k_classes_collect(Kernel *k, StmtList body)
{
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_CLASS_DEF)
            add_class(k, body.at[i]);
    for (size_t i = 0; i < k->all_classes.len; i++)
        find_base(k, k->all_classes.at[i]);
}

static void know_fields(Kernel *k, KClass *c)
{
    if (!c->fields_known) {
        c->fields_known = true;
        find_fields(k, c);
    }
}

const KClass *k_field(Kernel *k, const KClass *class_, Sym name, const KField **field)
{
    for (KClass *c = (KClass *)class_; c != NULL; c = (KClass *)c->base) {
        know_fields(k, c);
        for (size_t i = 0; i < c->fields.len; i++)
            if (c->fields.at[i].name == name) {
                *field = &c->fields.at[i];
                return c;
            }
    }
    return NULL;
}

// ---- from the types of the unit ----

static bool all_of(KTypes items, unsigned kinds)
{
    for (size_t i = 0; i < items.len; i++)
        if (!(kinds >> items.at[i]->kind & 1))
            return false;
    return items.len > 0;
}

static void add_item(Kernel *k, KTypes *to, const KType **room, const KType *t)
{
    (void)k;
    for (size_t i = 0; i < to->len; i++)
        if (room[i] == t)
            return;
    room[to->len++] = t;
}

static const KType *choice_type(Kernel *k, KTypes items)
{
    for (size_t i = 0; i < items.len; i++)
        tag_class(k, items.at[i]->class_);
    const KType *t = made_type(k, K_CHOICE, "", "Or", items);
    ((KType *)t)->c = "Object *";
    return t;
}

static void add_items(Kernel *k, TyList of, KTypes *items, const KType **room, bool *none, Span at)
{
    for (size_t i = 0; i < of.len; i++) {
        const KType *t = k_type(k, of.at[i], at);
        if (t->kind == K_NONE)
            *none = true;
        for (size_t j = 0; t->kind == K_UNION && j < t->items.len; j++)
            add_item(k, items, room, t->items.at[j]);
        if (t->kind != K_NONE && t->kind != K_UNION)
            add_item(k, items, room, t);
    }
}

static const KType *union_type(Kernel *k, TyList of, Span at)
{
    enum { NUMBERS = 1 << K_FLOAT | 1 << K_INT | 1 << K_BOOL, INTS = 1 << K_INT | 1 << K_BOOL };
    const KType **room = ARENA_ARRAY(k->arena, const KType *, of.len * 4 + 1);
    KTypes items = {room, 0};
    bool none = false;
    add_items(k, of, &items, room, &none, at);
    if (items.len > 1 && all_of(items, NUMBERS)) {
        room[0] = k_simple(k, all_of(items, INTS) ? K_INT : K_FLOAT);
        items.len = 1;
    }
    if (items.len == 0)
        return k_simple(k, K_NONE);
    if (items.len == 1 && (!none || k_is_pointer(items.at[0])))
        return items.at[0];
    if (items.len > 1 && all_of(items, 1 << K_RECORD))
        return choice_type(k, items);
    if (none)
        add_item(k, &items, room, k_simple(k, K_NONE));
    return made_type(k, K_UNION, "", "Or", items);
}

static const KType *types_of(Kernel *k, TyList of, KKind kind, const char *word, Span at)
{
    const KType **room = ARENA_ARRAY(k->arena, const KType *, of.len + 1);
    for (size_t i = 0; i < of.len; i++)
        room[i] = k_type(k, of.at[i], at);
    return made_type(k, kind, word, "", (KTypes){room, of.len});
}

static const KType *named_type(Kernel *k, const Ty *ty, Span at)
{
    static const struct { const char *name; KKind kind; } SIMPLE[] = {
        {"float", K_FLOAT}, {"int", K_INT}, {"bool", K_BOOL}, {"str", K_TEXT},
        {"SupportsIndex", K_INT}};
    for (size_t i = 0; i < sizeof SIMPLE / sizeof *SIMPLE; i++)
        if (sym_is(ty->named.name, SIMPLE[i].name))
            return k_simple(k, SIMPLE[i].kind);
    if (sym_is(ty->named.name, "list") && ty->named.args.len == 1) {
        const Ty *item = ty->named.args.at[0];
        bool empty = item->kind == TY_NAMED && sym_is(item->named.name, "NoReturn");
        return k_list_of(k, empty ? k_simple(k, K_FLOAT) : k_type(k, item, at));
    }
    if (k->o->arrays && sym_is(ty->named.name, "Array")) {
        const KType **item = ARENA_ARRAY(k->arena, const KType *, 1);
        item[0] = k_type(k, ty->named.args.at[0], at);
        const KType *t = made_type(k, K_ARRAY, "Array", "", (KTypes){item, 1});
        ((KType *)t)->c = k_text(k, "%s*restrict ", item[0]->c);
        return t;
    }
    KClass *c = k_class(k, ty->named.name);
    k_use_class(c);
    return c ? c->type : NULL;
}

const KType *k_type(Kernel *k, const Ty *ty, Span at)
{
    const KType *t = NULL;
    switch (ty == NULL ? TY_ANY : ty->kind) {
    case TY_NONE_TYPE: return k_simple(k, K_NONE);
    case TY_NAMED:     t = named_type(k, ty, at); break;
    case TY_TUPLE:     return types_of(k, ty->tuple.items, K_TUPLE, "Tuple", at);
    case TY_UNION:     return union_type(k, ty->union_.items, at);
    case TY_LITERAL:
        t = k_simple(k, ty->literal.value->kind == CONST_STR ? K_TEXT
                        : ty->literal.value->kind == CONST_BOOL ? K_BOOL : K_INT);
        break;
    case TY_PLACED:    return k_type(k, ty->placed.of, at);
    case TY_POISON: case TY_ANY: case TY_INST: case TY_CALLABLE: case TY_TYPE_VAR: case TY_COUNT:
        break;
    }
    if (t != NULL)
        return t;
    Buf b = buf_new(k->arena);
    if (ty != NULL)
        emit_ty(&b, ty);
    k_refuse(k, at, ty ? "a gradient in C does not support values of type `%s`"
                       : "a gradient in C does not support values of an unknown type",
             buf_text(&b));
    return k_simple(k, K_FLOAT);
}

// ---- values between types ----

static size_t tag_of_kind(const KType *of, const KType *item)
{
    for (size_t i = 0; i < of->items.len; i++)
        if (of->items.at[i] == item)
            return i;
    bool number = item->kind == K_INT || item->kind == K_BOOL;
    for (size_t i = 0; i < of->items.len && number; i++)
        if (of->items.at[i]->kind == K_FLOAT || of->items.at[i]->kind == K_INT)
            return i;
    for (size_t i = 0; i < of->items.len && item->kind == K_CHOICE; i++)
        if (of->items.at[i]->kind == K_CHOICE)
            return i;
    return of->items.len;
}

size_t k_tag(const KType *of_union, const KType *item) { return tag_of_kind(of_union, item); }

static bool is_number(const KType *t)
{
    return t->kind == K_FLOAT || t->kind == K_INT || t->kind == K_BOOL;
}

static KValue into_union(Kernel *k, KValue v, const KType *to, Span at)
{
    size_t tag = tag_of_kind(to, v.type);
    if (tag == to->items.len) {
        k_refuse(k, at, "a gradient in C cannot convert `%s` to `%s`",
                 k_type_text(k, v.type), k_type_text(k, to));
        return v;
    }
    const KType *item = to->items.at[tag];
    if (item->kind == K_NONE)
        return k_value(k_text(k, "(%s){.tag = %zu}", to->name, tag), KPREC_POSTFIX, to);
    const char *inner = k_convert(k, v, item, at).text;
    return k_value(k_text(k, "(%s){.tag = %zu, .as%zu = %s}", to->name, tag, tag, inner),
                   KPREC_POSTFIX, to);
}

// Tuples are converted part by part.
static KValue into_tuple(Kernel *k, KValue v, const KType *to, Span at)
{
    const char *temp = k_temp(k, v);
    Buf b = buf_new(k->arena);
    for (size_t i = 0; i < to->items.len; i++) {
        KValue part = k_value(k_text(k, "%s.at%zu", temp, i), KPREC_POSTFIX, v.type->items.at[i]);
        buf_printf(&b, "%s%s", i > 0 ? ", " : "", k_convert(k, part, to->items.at[i], at).text);
    }
    return k_value(k_text(k, "(%s){%s}", to->name, buf_text(&b)), KPREC_POSTFIX, to);
}

static bool derives(const KClass *c, const KClass *from)
{
    for (; c != NULL; c = c->base)
        if (c == from)
            return true;
    return false;
}

KValue k_convert(Kernel *k, KValue v, const KType *to, Span at)
{
    if (v.type == to)
        return v;
    if (to->kind == K_FLOAT && v.prec == KPREC_ATOM && v.text[0] >= '0' && v.text[0] <= '9')
        return k_value(k_text(k, "%s.0", v.text), KPREC_ATOM, to);
    if (is_number(v.type) && is_number(to))
        return k_value(to->kind == K_BOOL ? v.text
                       : k_text(k, "(%.*s)%s", (int)strlen(to->c) - 1, to->c,
                                k_at(k, v, KPREC_UNARY)), KPREC_UNARY, to);
    if (v.type->kind == K_NONE && k_is_pointer(to))
        return k_value("NULL", KPREC_ATOM, to);
    bool objects = (v.type->kind == K_RECORD || v.type->kind == K_CHOICE)
                   && (to->kind == K_RECORD || to->kind == K_CHOICE);
    if (objects && v.type->c == to->c)
        return k_value(v.text, v.prec, to);
    if (objects)
        return k_value(k_text(k, "(%s)%s", to->c, k_at(k, v, KPREC_UNARY)), KPREC_UNARY, to);
    if (to->kind == K_UNION && v.type->kind != K_UNION)
        return into_union(k, v, to, at);
    if (v.type->kind == K_UNION && tag_of_kind(v.type, to) < v.type->items.len) {
        size_t tag = tag_of_kind(v.type, to);
        KValue part = k_value(k_text(k, "%s.as%zu", k_at(k, v, KPREC_POSTFIX), tag), KPREC_POSTFIX,
                              v.type->items.at[tag]);
        return k_convert(k, part, to, at);
    }
    if (v.type->kind == K_TUPLE && to->kind == K_TUPLE && v.type->items.len == to->items.len)
        return into_tuple(k, v, to, at);
    k_refuse(k, at, "a gradient in C cannot convert `%s` to `%s`",
             k_type_text(k, v.type), k_type_text(k, to));
    return k_value(v.text, v.prec, to);
}

const char *k_zero(const KType *t)
{
    switch (t->kind) {
    case K_FLOAT: return "0.0";
    case K_INT: case K_NONE: case K_ENUM: return "0";
    case K_BOOL: return "false";
    case K_TEXT: case K_LIST: case K_RECORD: case K_CHOICE: case K_ARRAY: return "NULL";
    case K_TUPLE: case K_UNION: return "{0}";
    }
    return "0";
}

static bool holds_float(Kernel *k, const KType *t, Table *seen)
{
    if (t->kind == K_FLOAT)
        return true;
    if (table_get(seen, t) != NULL)
        return false;
    table_set(seen, t, k);
    for (size_t i = 0; i < t->items.len; i++)
        if (holds_float(k, t->items.at[i], seen))
            return true;
    for (KClass *c = t->kind == K_RECORD ? t->class_ : NULL; c; c = (KClass *)c->base) {
        know_fields(k, c);
        for (size_t i = 0; i < c->fields.len; i++)
            if (holds_float(k, c->fields.at[i].type, seen))
                return true;
    }
    for (size_t i = 0; t->kind == K_RECORD && i < k->all_classes.len; i++)
        if (k->all_classes.at[i] != t->class_ && derives(k->all_classes.at[i], t->class_)
            && holds_float(k, k->all_classes.at[i]->type, seen))
            return true;
    return false;
}

bool k_holds_float(Kernel *k, const KType *t) { return holds_float(k, t, table_new(k->arena)); }

// ---- declarations ----

static bool is_struct(const KType *t)
{
    if (t->class_ != NULL && !t->class_->used)
        return false;
    return t->kind != K_ENUM && t->kind != K_CHOICE && t->kind != K_ARRAY && t->kind > K_NONE;
}

static void put_members(Kernel *k, Buf *b, const KType *t)
{
    if (t->kind == K_LIST) {
        buf_printf(b, "    %s*at;\n    int64_t len, cap;\n", t->items.at[0]->c);
        return;
    }
    if (t->kind == K_UNION)
        buf_puts(b, "    int tag;\n    union {\n");
    for (size_t i = 0; i < t->items.len; i++)
        if (t->kind == K_TUPLE)
            buf_printf(b, "    %sat%zu;\n", t->items.at[i]->c, i);
        else if (t->items.at[i]->kind != K_NONE)
            buf_printf(b, "        %sas%zu;\n", t->items.at[i]->c, i);
    if (t->kind == K_UNION)
        buf_puts(b, "    };\n");
    const KClass *c = t->kind == K_RECORD ? t->class_ : NULL;
    if (c != NULL && c->base != NULL)
        buf_printf(b, "    %s base;\n", c->base->c);
    else if (c != NULL && c->tagged)
        buf_puts(b, "    Object object;\n");
    for (size_t i = 0; c != NULL && i < c->fields.len; i++)
        buf_printf(b, "    %s%s;\n", c->fields.at[i].type->c, c->fields.at[i].c);
    (void)k;
}

static void put_struct(Kernel *k, Buf *b, Table *done, const KType *t)
{
    if (!is_struct(t) || table_get(done, t) != NULL)
        return;
    table_set(done, t, k);
    bool by_value = t->kind == K_TUPLE || t->kind == K_UNION;
    for (size_t i = 0; by_value && i < t->items.len; i++)
        if (!k_is_pointer(t->items.at[i]))
            put_struct(k, b, done, t->items.at[i]);
    const KClass *c = t->kind == K_RECORD ? t->class_ : NULL;
    for (size_t i = 0; c != NULL && i < c->fields.len; i++)
        if (!k_is_pointer(c->fields.at[i].type))
            put_struct(k, b, done, c->fields.at[i].type);
    if (c != NULL && c->base != NULL)
        put_struct(k, b, done, c->base->type);
    bool empty = (c != NULL && c->fields.len == 0 && !c->tagged)
                 || (t->kind == K_TUPLE && t->items.len == 0);
    buf_printf(b, "struct %s {\n", t->name);
    put_members(k, b, t);
    buf_printf(b, "%s};\n\n", empty ? "    char none;\n" : "");
}

static void put_enum(Buf *b, const KClass *c)
{
    buf_printf(b, "typedef enum %s {", c->c);
    for (size_t i = 0; i < c->fields.len; i++)
        buf_printf(b, "%s%s_%s", i > 0 ? ", " : " ", c->c, c->fields.at[i].name);
    buf_printf(b, " } %s;\n", c->c);
}

bool k_is_saved(const Kernel *k, const KType *t)
{
    return t->class_ != NULL && k->o->saved != NULL && t->class_->name == k->o->saved;
}

void k_show_type(Kernel *k, const KType *t)
{
    if (t->shown || k_is_saved(k, t))
        return;
    ((KType *)t)->shown = true;
    for (size_t i = 0; i < t->items.len; i++)
        k_show_type(k, t->items.at[i]);
    KClass *c = t->class_;
    if (c == NULL || c->is_enum)
        return;
    know_fields(k, c);
    for (size_t i = 0; i < c->fields.len; i++)
        k_show_type(k, c->fields.at[i].type);
    for (size_t i = 0; i < k->all_classes.len; i++) {
        KClass *other = k->all_classes.at[i];
        if (other->used && (other == c->base || other->base == c))
            k_show_type(k, other->type);
    }
}

static void print_classes(Kernel *k, Buf *b)
{
    buf_puts(b, "// An object of one of several classes begins with its class.\n");
    for (size_t i = 0; i < k->all_classes.len; i++)
        if (k->all_classes.at[i]->tagged && k->all_classes.at[i]->used)
            buf_printf(b, "enum { CLASS_%s = %d };\n", k->all_classes.at[i]->c,
                       k->all_classes.at[i]->number);
    buf_puts(b, "typedef struct Object { int class_; } Object;\n");
}

void k_print_types(Kernel *k, Buf *b, bool shown)
{
    for (size_t i = 0; i < k->all_types.len; i++)       // fields may make further types
        if (k->all_types.at[i]->class_ != NULL && k->all_types.at[i]->class_->used)
            know_fields(k, k->all_types.at[i]->class_);
    if (k->tagged > 0 && shown)
        print_classes(k, b);
    Table *done = table_new(k->arena);
    for (size_t i = 0; i < k->all_types.len; i++) {
        const KType *t = k->all_types.at[i];
        if (t->shown != shown)
            table_set(done, t, k);
        else if (is_struct(t))
            buf_printf(b, "typedef struct %s %s;\n", t->name, t->name);
        else if (t->kind == K_ENUM && t->class_->used)
            put_enum(b, t->class_);
    }
    buf_puts(b, b->len > 0 ? "\n" : "");
    for (size_t i = 0; i < k->all_types.len; i++)
        put_struct(k, b, done, k->all_types.at[i]);
}
