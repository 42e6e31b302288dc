// c_builtin.c - builtin functions that are more than a row of c_prim.

#include <string.h>

#include "compiler/emit/c/c_call.h"

// ---- builtins that are more than a row ----

// Initializers of PychoralRefs, with commas between them.
static const char *refs_listed(CEmit *c, ExprList args)
{
    const char *refs = "";
    for (size_t i = 0; i < args.len; i++) {
        Value v = c_place(c, c_steady(c, c_expr_declared(c, args.at[i])));
        refs = c_text(c, "%s%s{%s, %s}", refs, i ? ", " : "", v.rep->row, c_address(c, v));
    }
    return refs;
}

const char *c_refs_of(CEmit *c, ExprList args)
{
    return args.len == 0 ? "NULL" : c_text(c, "(PychoralRef[]){%s}", refs_listed(c, args));
}

Value c_nothing(CEmit *c)
{
    return (Value){.rep = rep_named(c, "None"), .text = "0", .lasting = true};
}

static const char *optional_str(CEmit *c, const Expr *e)
{
    const Rep *parts[] = {rep_named(c, "None"), rep_named(c, "str")};
    Value v = c_steady(c, c_expr(c, e));
    if (v.rep->kind == REP_NONE)
        return "NULL";
    if (v.rep->kind == REP_STR)
        return c_borrowed(c, v);
    v = c_place(c, c_convert(c, v, rep_union(c, parts, 2), e->at));
    return c_text(c, "(%s.is ? %s.as_str : NULL)", v.text, v.text);
}

// Where `print` prints to.
static const char *printed_to(CEmit *c, const Expr *file)
{
    if (file->kind == EXPR_CONSTANT)            // None
        return "NULL";
    Value v = c_steady(c, c_expr(c, file));
    if (v.rep->kind != REP_FOREIGN || strcmp(c_kind_name(v.rep), "TextIO") != 0)
        (void)c_refuse(c, file->at, "the C target prints only to text files, but `file` is `%s`",
                       c_type_name(c, v.rep));
    return c_borrowed(c, v);
}

static Value print_call(CEmit *c, const Expr *e)
{
    if (e->call.args.len > 0 && e->call.keywords.len == 0 && !c_has_star(e->call.args)) {
        c_line(c, "PYCHORAL_PRINT(%s);", refs_listed(c, e->call.args));
        c_check(c);
        return c_nothing(c);
    }
    bool star = c_has_star(e->call.args);
    const char *items = star
        ? c_gathered(c, e->call.args, rep_list(c, rep_named(c, "object"))).text
        : c_text(c, "%zu, %s", e->call.args.len, c_refs_of(c, e->call.args));
    const char *sep = "NULL", *end = "NULL", *to = "NULL", *flushed = "false";
    for (size_t i = 0; i < e->call.keywords.len; i++) {
        const Keyword *k = e->call.keywords.at[i];
        if (k->arg == NULL)
            return c_refuse(c, k->at, "the C target does not support `**` arguments of `print`");
        if (sym_is(k->arg, "sep"))
            sep = optional_str(c, k->value);
        else if (sym_is(k->arg, "end"))
            end = optional_str(c, k->value);
        else if (sym_is(k->arg, "file"))
            to = printed_to(c, k->value);
        else
            flushed = c_condition(c, k->value);
    }
    c_line(c, "pychoral_print%s(%s, %s, %s, %s, %s);", star ? "_items" : "", items, sep, end, to,
           flushed);
    c_check(c);
    return c_nothing(c);
}

static Value str_call(CEmit *c, const Expr *e, const char *function)
{
    const Rep *str = rep_named(c, "str");
    Value v = c_expr_declared(c, e->call.args.at[0]);
    if (v.rep->kind == REP_STR && strcmp(function, "pychoral_str_of") == 0)
        return v;
    return c_call(c, str, c_text(c, "%s(%s)", function, c_ref(c, c_place(c, c_steady(c, v)))),
                  true);
}

static Value len_call(CEmit *c, const Expr *e)
{
    const Rep *rep = rep_named(c, "int");
    Value v;
    if (!c_enum_members(c, e->call.args.at[0], &v))
        v = c_expr(c, e->call.args.at[0]);
    switch (v.rep->kind) {
    case REP_LIST: case REP_SEQUENCE: case REP_DICT: case REP_SET: case REP_FROZENSET:
        return (Value){.rep = rep, .text = c_text(c, "pychoral_int((int64_t)%s->count)",
                                                  c_borrowed(c, v))};
    case REP_STR:
        return (Value){.rep = rep, .text = c_text(c, "pychoral_int(pychoral_str_len(%s))",
                                                  c_borrowed(c, v))};
    case REP_BYTES:
        return (Value){.rep = rep, .text = c_text(c, "pychoral_int((int64_t)%s)",
                                                  c_member(c, c_borrowed(c, v), "size"))};
    case REP_DEQUE:
        return (Value){.rep = rep, .text = c_text(c, "pychoral_int(pychoral_deque_len(%s))",
                                                  c_borrowed(c, v))};
    case REP_TUPLE:
        (void)c_borrowed(c, v);
        return (Value){.rep = rep, .text = c_text(c, "pychoral_int(%zu)", v.rep->count)};
    default: break;
    }
    const char *ref = c_ref(c, c_place(c, c_steady(c, v)));
    const char *t = c_new_name(c);
    c_line(c, "int64_t %s = pychoral_len(%s);", t, ref);
    c_check(c);
    return (Value){.rep = rep, .text = c_text(c, "pychoral_int(%s)", t), .lasting = true};
}

const char *c_builtin_class(CEmit *c, const Expr *e)
{
    static const char *const KINDS[] = {"int", "str", "float", "bool", "bytes", "complex"};
    static const char *const CONTAINERS[] = {"list", "tuple", "dict", "set", "frozenset"};
    Sym name = e->kind == EXPR_NAME && c_global(c, e->name.id) != NULL ? NULL : c_dotted(c, e);
    for (size_t i = 0; name != NULL && i < sizeof KINDS / sizeof *KINDS; i++)
        if (sym_is(name, KINDS[i]))
            return c_text(c, "pychoral_type_%s", KINDS[i]);
    for (size_t i = 0; name != NULL && i < sizeof CONTAINERS / sizeof *CONTAINERS; i++)
        if (sym_is(name, CONTAINERS[i]))
            return c_text(c, "pychoral_type_any_%s", CONTAINERS[i]);
    return NULL;
}

static const char *class_row(CEmit *c, const Expr *e)
{
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_NONE)     // int | None
        return "&pychoral_type_none";
    const char *builtin = c_builtin_class(c, e);
    if (builtin != NULL)
        return c_text(c, "&%s", builtin);
    bool free = e->kind == EXPR_NAME && c_find_variable(c, e->name.id) == NULL;
    CClass *k = free ? c_class_of(c, e->name.id, (TyList){0}) : NULL;
    if (k == NULL)
        k = c_exception_class(c, e);
    if (k != NULL)
        c_note_asked(c, k, e->at);
    return k ? c_text(c, "&%s", k->row) : NULL;
}

// ---- isinstance ----

// The kind of value that a builtin class has rows of; REP_OBJECT: not one alone.
static RepKind kind_of_row(const char *row)
{
    static const struct { const char *row; RepKind kind; } KINDS[] = {
        {"&pychoral_type_none", REP_NONE}, {"&pychoral_type_int", REP_INT},
        {"&pychoral_type_bool", REP_BOOL}, {"&pychoral_type_float", REP_FLOAT},
        {"&pychoral_type_str", REP_STR}, {"&pychoral_type_bytes", REP_BYTES},
        {"&pychoral_type_any_list", REP_LIST}, {"&pychoral_type_any_dict", REP_DICT}};
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (strcmp(KINDS[i].row, row) == 0)
            return KINDS[i].kind;
    return REP_OBJECT;
}

// Whether a class of the program has neither parameters nor a form of its own.
static bool is_ordinary(const CClass *k)
{
    return k->def != NULL && k->types == NULL && k->args.len == 0 && !k->is_bare && !k->is_enum
           && !k->is_exception && !k->is_protocol && !k->is_named_tuple;
}

static CTruth is_object_of(CEmit *c, CClass *k, const CClass *of)
{
    if (!is_ordinary(k) || c_derives(k, of))
        return is_ordinary(k) ? C_TRUE : C_OPEN;
    ClassVec all = c_deriving(c, k);
    for (size_t i = 0; i < all.len; i++)
        if (!is_ordinary(all.at[i]) || c_derives(all.at[i], of))
            return C_OPEN;
    return C_FALSE;
}

// Whether all values that are represented so are instances of the class with this row, or none is:
// `k`, or the builtin class where that is NULL.
static CTruth is_always(CEmit *c, const Rep *r, const CClass *k, const char *row)
{
    RepKind kind = k == NULL ? kind_of_row(row) : REP_CLASS;
    if (kind == REP_OBJECT || (k != NULL && !is_ordinary(k)))
        return C_OPEN;
    switch (r->kind) {
    case REP_CLASS:
        if (k == NULL)
            return is_ordinary(r->class_) ? C_FALSE : C_OPEN;
        return is_object_of(c, r->class_, k);
    case REP_INT:                               // it may be a bool, too
        return kind == REP_BOOL ? C_OPEN : kind == REP_INT ? C_TRUE : C_FALSE;
    case REP_BOOL: return kind == REP_BOOL || kind == REP_INT ? C_TRUE : C_FALSE;
    case REP_ENUM: return r->class_->enum_base ? C_OPEN : C_FALSE;
    case REP_NONE: case REP_FLOAT: case REP_STR: case REP_BYTES: case REP_LIST: case REP_DICT:
        return kind == r->kind ? C_TRUE : C_FALSE;
    case REP_COMPLEX: case REP_SET: case REP_FROZENSET: case REP_TUPLE: case REP_SEQUENCE:
    case REP_DEQUE: case REP_UNION: case REP_OBJECT: case REP_FUNCTION: case REP_ITERATOR:
    case REP_CHANNEL: case REP_CELL: case REP_FOREIGN: case REP_RANGE:
        break;
    }
    return C_OPEN;
}

// `x.is == 1 || x.is == 2`, which members of the union are. NULL: some may be.
static const char *is_member(CEmit *c, Value v, const CClass *k, const char *row)
{
    const char *text = "";
    for (size_t i = 0; i < v.rep->count; i++) {
        CTruth is = is_always(c, v.rep->parts[i], k, row);
        if (is == C_OPEN)
            return NULL;
        if (is == C_TRUE)
            text = c_text(c, "%s%s%s.is == %zu", text, *text ? " || " : "", v.text, i);
    }
    return *text ? text : NULL;
}

static const char *is_instance(CEmit *c, Value v, const CClass *k, const char *row)
{
    if (k != NULL && strcmp(k->row, row + 1) != 0)
        k = NULL;                               // it is known by another name
    const char *member = v.rep->kind == REP_UNION ? is_member(c, v, k, row) : NULL;
    return member != NULL ? member
        : c_text(c, "pychoral_is_instance(%s, %s, %s)", v.rep->row, c_address(c, v), row);
}

// What a protocol asks for.
static SymVec members_of_protocol(CEmit *c, const CClass *k)
{
    SymVec names = {0};
    for (size_t i = 0; i < k->order.len; i++) {
        const CClass *of = k->order.at[i];
        StmtList body = of->is_protocol ? of->def->class_def.body : (StmtList){0};
        for (size_t j = 0; j < body.len; j++) {
            const Stmt *s = body.at[j];
            if (s->kind == STMT_FUNCTION_DEF)
                vec_push(c->arena, &names, s->function_def.name);
            if (s->kind == STMT_ANN_ASSIGN && s->ann_assign.target->kind == EXPR_NAME)
                vec_push(c->arena, &names, s->ann_assign.target->name.id);
        }
    }
    return names;
}

static bool class_has(CEmit *c, CClass *k, SymVec names)
{
    c_class_fields(c, k);
    for (size_t i = 0; i < names.len; i++) {
        const CMethod *m = c_find_method(k, names.at[i]);
        if ((m == NULL || m->owner->is_protocol) && c_find_field(c, k, names.at[i]) == NULL
            && c_find_constant(k, names.at[i]) == NULL)
            return false;
    }
    return true;
}

// Whether the value is of a class that has all that a protocol asks for.
static const char *is_of_protocol(CEmit *c, Span at, Value v, const CClass *protocol)
{
    static const char *const KINDS[] = {"str", "bytes", "int", "float", "list", "dict", "set",
                                        "frozenset"};
    const char *text = "false";
    SymVec names = members_of_protocol(c, protocol);
    for (size_t i = 0; i < names.len; i++)
        if (names.at[i][0] == '_' && names.at[i][1] == '_')
            (void)c_refuse(c, at, "the C target does not support `isinstance` with a protocol that "
                           "has the method `%s`", names.at[i]);
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        bool all = true;
        for (size_t j = 0; j < names.len; j++)
            all = all && c_prim_of_object(c_text(c, "%s.%s", KINDS[i], names.at[j]));
        if (all)
            text = c_text(c, "%s || %s", text, is_instance(c, v, NULL, c_text(c, i < 4
                          ? "&pychoral_type_%s" : "&pychoral_type_any_%s", KINDS[i])));
    }
    c_instances_of_module(c);
    for (size_t i = 0; i < c->class_order.len; i++) {
        CClass *k = c->class_order.at[i];
        if (!k->is_protocol && class_has(c, k, names))
            text = c_text(c, "%s || %s", text, is_instance(c, v, k, c_text(c, "&%s", k->row)));
    }
    return c_text(c, "(%s)", text);
}

// The test of a value for one class, if its type or the member of a union says that: nothing has to
// be kept for it. Else NULL.
static const char *plain_test(CEmit *c, Value v, const Expr *class_)
{
    const CClass *k = c_class_named(c, class_);
    const char *row = k != NULL && k->is_protocol ? NULL : class_row(c, class_);
    if (row == NULL || v.hold != HOLD_BORROWED || (k != NULL && strcmp(k->row, row + 1) != 0))
        return NULL;
    if (v.rep->kind == REP_CLASS && k != NULL && is_always(c, v.rep, k, row) == C_TRUE)
        return "true";
    const char *text = v.rep->kind == REP_UNION ? is_member(c, v, k, row) : NULL;
    return text == NULL || strstr(text, "||") ? NULL : c_text(c, "(%s)", text);
}

static Value isinstance_call(CEmit *c, const Expr *e)
{
    ExprList list = c_classes_named(c, e->call.args.at[1]);
    Value v = c_expr_untested(c, e->call.args.at[0]);
    const char *plain = list.len == 1 ? plain_test(c, v, list.at[0]) : NULL;
    if (plain != NULL)
        return c_value(rep_named(c, "bool"), plain, HOLD_PLAIN);
    v = c_place(c, c_steady(c, v));
    const char *text = list.len == 0 ? "false" : "";
    if (v.rep->kind == REP_DEQUE)               // no list, and a sequence to `match`
        return c_refuse(c, e->at, "the C target does not support type tests of a `deque` "
                        "(`isinstance`, sequence patterns)");
    for (size_t i = 0; i < list.len; i++) {
        const CClass *k = c_class_named(c, list.at[i]);
        bool protocol = k != NULL && k->is_protocol;
        const char *row = protocol ? NULL : class_row(c, list.at[i]);
        if (row == NULL && !protocol)
            return c_refuse(c, list.at[i]->at, "the C target does not support `%s` in `isinstance`",
                            c_source_text(c, list.at[i]->at));
        text = c_text(c, "%s%s%s", text, i ? " || " : "",
                      protocol ? is_of_protocol(c, e->at, v, k) : is_instance(c, v, k, row));
    }
    return c_value(rep_named(c, "bool"), c_text(c, "(%s)", text), HOLD_PLAIN);
}

// issubclass of a class that is a value, and classes of the program or exceptions.
static bool is_subclass(CEmit *c, const Expr *e, Sym name, Value *out)
{
    if (strcmp(name, "issubclass") != 0 || e->call.args.len != 2)
        return false;
    ExprList list = c_classes_named(c, e->call.args.at[1]);
    Value v = c_steady(c, c_expr(c, e->call.args.at[0]));
    const char *text = list.len == 0 ? "false" : "";
    if (v.rep != rep_class_value(c))
        (void)c_refuse(c, e->at, "the C target cannot tell which classes this value may be\n"
                       "declare it as `type[C]`, where `C` is a class of the program");
    for (size_t i = 0; i < list.len; i++) {
        CClass *k = c_class_named(c, list.at[i]);
        k = k != NULL ? k : c_exception_class(c, list.at[i]);
        if (k == NULL || k->is_protocol || k->is_enum) {
            *out = c_refuse(c, list.at[i]->at, "the C target does not support `%s` in `issubclass`",
                            c_source_text(c, list.at[i]->at));
            return true;
        }
        c_note_asked(c, k, e->at);
        text = c_text(c, "%s%spychoral_derives(%s, &%s)", text, i ? " || " : "",
                      c_member(c, v.text, "of"), k->row);
    }
    *out = c_value(rep_named(c, "bool"), c_text(c, "(%s)", text), HOLD_PLAIN);
    return true;
}

static Value range_call(CEmit *c, const Expr *e)
{
    const Rep *rep = rep_named(c, "range"), *int_ = rep_named(c, "int");
    const char *bounds[3] = {"pychoral_int(0)", NULL, "pychoral_int(1)"};
    for (size_t i = 0; i < e->call.args.len && i < 3; i++)
        bounds[e->call.args.len == 1 ? 1 : i] =
            c_borrowed(c, c_steady(c, c_expr_as(c, e->call.args.at[i], int_)));
    return c_call(c, rep, c_text(c, "pychoral_range_new(%s, %s, %s)", bounds[0], bounds[1],
                                 bounds[2]), true);
}

// It may be wrong: the value is looked at.
static Value cast_call(CEmit *c, const Expr *e)
{
    Value v = c_expr(c, e->call.args.at[1]);
    const Rep *rep = rep_of(c, e->ty, e->at);
    return rep->kind == REP_NONE ? c_convert(c, v, rep, e->at) : c_narrow_place(c, v, rep, e->at);
}

static Value bool_call(CEmit *c, const Expr *e)
{
    if (e->call.args.len == 0)
        return (Value){.rep = rep_named(c, "bool"), .text = "false", .lasting = true};
    return c_value(rep_named(c, "bool"), c_condition(c, e->call.args.at[0]), HOLD_PLAIN);
}

// sys.exit(status): SystemExit is on its way.
static Value exit_call(CEmit *c, const Expr *e)
{
    const char *args = "NULL";
    if (e->call.args.len == 1)
        args = c_address(c, c_steady(c, c_expr_as(c, e->call.args.at[0], rep_named(c, "object"))));
    c_line(c, "pychoral_throw_with(&pychoral_type_SystemExit, %zu, %s);", e->call.args.len, args);
    c_check(c);
    return c_nothing(c);
}

// heapq.heappush(heap, item): what a function of a module does to its first argument, a list.
static bool on_first_list(CEmit *c, const Expr *e, Sym name, Value *out)
{
    ExprList args = e->call.args;
    if (strncmp(name, "heapq.", 6) != 0 || !c_prim_of_object(name))
        return false;
    Value heap = {.rep = NULL};
    if (args.len > 0 && args.at[0]->kind != EXPR_STARRED)
        heap = c_steady(c, c_expr(c, args.at[0]));
    if (heap.rep == NULL || heap.rep->kind != REP_LIST
        || !c_prim_call(c, name, e, &heap, (ExprList){args.at + 1, args.len - 1},
                        e->call.keywords, rep_of(c, e->ty, e->at), out))
        *out = c_refuse(c, e->at, "the C target does not support `%s` with these arguments", name);
    return true;
}

// round(x, 2) of an object that has the method.
static bool number_of_object(CEmit *c, const Expr *e, Sym name, Value *out)
{
    static const char *const METHODS[][2] = {
        {"float", "__float__"}, {"float", "__index__"}, {"int", "__int__"}, {"int", "__index__"},
        {"abs", "__abs__"}, {"round", "__round__"}};
    ExprList args = e->call.args;
    const Rep *rep = args.len > 0 && e->call.keywords.len == 0
        && args.at[0]->kind != EXPR_STARRED ? rep_or_object(c, args.at[0]) : NULL;
    CMethod *m = NULL;
    for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS && m == NULL; i++)
        if (rep != NULL && rep->kind == REP_CLASS && strcmp(METHODS[i][0], name) == 0)
            m = c_find_method(rep->class_, names_get(c->names, METHODS[i][1]));
    if (m == NULL)
        return false;
    Value self = c_convert(c, c_expr(c, args.at[0]), rep, e->at);
    ExprList rest = {args.at + 1, args.len - 1};
    Value v = c_user_call(c, e->at, m, &self, rest, (KeywordList){0}, NULL);
    *out = c_convert(c, v, rep_of(c, e->ty, e->at), e->at);
    return true;
}

// pow(x, y) and divmod(x, y) of what may be an int or a float, or of no known type.
static bool operator_of_either(CEmit *c, const Expr *e, Sym name, Value *out)
{
    ExprList args = e->call.args;
    bool power = sym_is(name, "pow");
    if ((!power && !sym_is(name, "divmod")) || args.len != 2 || e->call.keywords.len > 0
        || c_has_star(args))
        return false;
    bool open = false;
    for (size_t i = 0; i < 2; i++) {
        const Rep *rep = rep_or_object(c, args.at[i]);
        open |= rep->kind == REP_UNION || rep->kind == REP_OBJECT;
    }
    if (!open)
        return false;
    const Expr *same = expr_bin_op(c->arena, e->at, args.at[0], OPERATOR_POW, args.at[1]);
    *out = power ? c_binary(c, expr_with_ty(c->arena, same, e->ty, e->roles))
                 : c_open_binary(c, e, "DIVMOD", c_steady(c, c_expr(c, args.at[0])),
                                 c_steady(c, c_expr(c, args.at[1])));
    return true;
}

Value c_type_of(CEmit *c, const Expr *e)
{
    const char *ref = c_ref(c, c_place(c, c_steady(c, c_expr_declared(c, e))));
    return c_value(rep_class_value(c), c_text(c, "pychoral_class_of(%s)", ref), HOLD_OWNED);
}

// map(max, *rows): a function that takes any number of arguments.
static bool map_of_rows(CEmit *c, const Expr *e, Sym name, Value *out)
{
    ExprList args = e->call.args;
    if (strcmp(name, "map") != 0 || args.len < 2 || e->call.keywords.len > 0
        || !c_has_star(args) || args.at[0]->kind != EXPR_NAME)
        return false;
    Sym function = c_dotted(c, args.at[0]);
    bool known = function != NULL && (sym_is(function, "max") || sym_is(function, "min"));
    return known && c_prim_call(c, c_text(c, "map.%s", function), e, NULL,
                                (ExprList){args.at + 1, args.len - 1}, (KeywordList){0},
                                rep_of(c, e->ty, e->at), out);
}

// What looks at a value, or at what it is.
static bool looks_at(CEmit *c, const Expr *e, Sym name, Value *out)
{
    size_t n = e->call.args.len;
    if (strcmp(name, "type") == 0 && n == 1)
        *out = c_type_of(c, e->call.args.at[0]);
    else if (strcmp(name, "hasattr") == 0 && n == 2)
        *out = c_has_attribute(c, e);
    else if (strcmp(name, "getattr") == 0 && n >= 2)
        *out = c_get_attribute(c, e);
    else if (strcmp(name, "typing.cast") == 0 && n == 2)
        *out = cast_call(c, e);
    else
        return false;
    return true;
}

bool c_special_call(CEmit *c, const Expr *e, Sym name, Value *out)
{
    size_t n = e->call.args.len;
    bool plain = e->call.keywords.len == 0;
    if (c_in_place(c, e, name, out) || on_first_list(c, e, name, out)
        || map_of_rows(c, e, name, out)
        || number_of_object(c, e, name, out) || operator_of_either(c, e, name, out)
        || is_subclass(c, e, name, out))
        return true;
    if (strcmp(name, "collections.defaultdict") == 0)
        *out = c_defaultdict(c, e);
    else if (strcmp(name, "dict") == 0 && n <= 1 && !plain)
        *out = c_dict_of_keywords(c, e);
    else if (strcmp(name, "print") == 0)
        *out = print_call(c, e);
    else if (strcmp(name, "str") == 0 && n == 1 && plain)
        *out = str_call(c, e, "pychoral_str_of");
    else if (strcmp(name, "str") == 0 && n == 0 && plain)
        *out = (Value){.rep = rep_named(c, "str"), .text = c_string(c, (Text){"", 0}, false),
                       .lasting = true};
    else if (strcmp(name, "repr") == 0 && n == 1)
        *out = str_call(c, e, "pychoral_repr");
    else if (strcmp(name, "ascii") == 0 && n == 1)
        *out = str_call(c, e, "pychoral_ascii");
    else if (strcmp(name, "len") == 0 && n == 1)
        *out = len_call(c, e);
    else if (strcmp(name, "isinstance") == 0 && n == 2)
        *out = isinstance_call(c, e);
    else if (strcmp(name, "range") == 0 && n >= 1)
        *out = range_call(c, e);
    else if (strcmp(name, "bool") == 0)
        *out = bool_call(c, e);
    else if (strcmp(name, "format") == 0 && n == 2) {
        Value v = c_place(c, c_steady(c, c_expr_declared(c, e->call.args.at[0])));
        const Rep *str = rep_named(c, "str");
        Value spec = c_steady(c, c_convert(c, c_expr(c, e->call.args.at[1]), str, e->at));
        *out = c_call(c, str, c_text(c, "pychoral_format(%s, %s)", c_ref(c, v), spec.text), true);
    } else if (strcmp(name, "copy_value") == 0 && n == 1) {
        Value v = c_place(c, c_steady(c, c_expr(c, e->call.args.at[0])));
        *out = c_open_variable(c, v.rep);
        c_line(c, "pychoral_deepcopy(%s, %s, &%s);", c_ref(c, v), v.rep->row, out->text);
        c_check(c);
    } else if ((strcmp(name, "sys.exit") == 0 || strcmp(name, "exit") == 0) && n <= 1
               && plain) {
        *out = exit_call(c, e);
    } else if (strcmp(name, "hash") == 0 && n == 1) {
        const char *ref = c_ref(c, c_place(c, c_steady(c, c_expr(c, e->call.args.at[0]))));
        const char *t = c_new_name(c);
        c_line(c, "int64_t %s = pychoral_hash_of(%s);", t, ref);
        c_check(c);
        *out = (Value){.rep = rep_named(c, "int"), .text = c_text(c, "pychoral_int(%s)", t)};
    } else
        return looks_at(c, e, name, out);
    return true;
}
