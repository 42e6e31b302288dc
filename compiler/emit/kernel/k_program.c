// k_program.c - the file: includes, types, what it needs of the prelude, functions, and the public
// ones in front of them. A public function that may raise runs its body under call_run, and gives
// NaN where that raised.
//
// In C a list of numbers is an array and its length; other data are pointers to what the header
// declares. Gradients come behind all arguments, in their order.

#include <ctype.h>

#include "compiler/emit/kernel/k_internal.h"

bool k_is_array(const KType *t)
{
    return t->kind == K_LIST && t->items.at[0]->kind <= K_TEXT;
}

// It is called by others as it is.
bool k_is_plain(Kernel *k, KFunction *f)
{
    bool plain = !f->calls && k_result_type(k, f)->kind != K_TUPLE;
    for (size_t i = 0; k_param(f, i) != NULL && plain; i++)
        plain = !k_is_pointer(k_type(k, k_param(f, i)->ty, k_param(f, i)->at));
    return plain;
}

// ---- public functions ----

typedef struct Param { const char *c; const KType *type; bool active; const char *ty; } Param;

static bool is_wanted(const Kernel *k, Sym name)
{
    for (size_t i = 0; i < k->o->wrt.len; i++)
        if (k->o->wrt.at[i] == name)
            return true;
    return k->o->wrt.len == 0;
}

// A function of a value and a gradient has one for each parameter that holds floats.
bool k_is_active(Kernel *k, KFunction *f, size_t param)
{
    static const char END[] = "_value_and_grad";
    const Arg *a = k_param(f, param);
    size_t len = strlen(f->name), end = sizeof END - 1;
    const KType *result = k_result_type(k, f);
    return len > end && strcmp(f->name + len - end, END) == 0 && result->kind == K_TUPLE
           && result->items.len == 2 && is_wanted(k, a->arg)
           && k_holds_float(k, k_type(k, a->ty, a->at));
}

bool k_has_twin(Kernel *k, KFunction *f, size_t param)
{
    const Arg *a = k_param(f, param);
    return f->public && k_is_pointer(k_type(k, a->ty, a->at)) && k_is_active(k, f, param);
}

static size_t read_params(Kernel *k, KFunction *f, Param **to)
{
    size_t n = 0;
    while (k_param(f, n) != NULL)
        n++;
    *to = ARENA_ARRAY(k->arena, Param, n + 1);
    k->local_c = table_new(k->arena);
    for (size_t i = 0; i < n; i++) {
        const Arg *a = k_param(f, i);
        (*to)[i] = (Param){k_local_name(k, a->arg), k_type(k, a->ty, a->at), k_is_active(k, f, i),
                           k_param_c(k, f, a)};
    }
    k->packed = k_local_name(k, "arguments");
    k->answer = k_local_name(k, "answer");
    return n;
}

static bool has_gradient(const Param *p, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any |= p[i].active;
    return any;
}

static const char *result_c(Kernel *k, KFunction *f, const Param *p, size_t n)
{
    const KType *t = k_result_type(k, f);
    return has_gradient(p, n) ? t->items.at[0]->c : t->c;
}

static bool holds_data(const KType *t)
{
    bool found = k_is_pointer(t);
    bool parts = t->kind == K_TUPLE || t->kind == K_UNION;
    for (size_t i = 0; parts && i < t->items.len; i++)
        found |= holds_data(t->items.at[i]);
    return found;
}

bool k_answers_data(Kernel *k, KFunction *f)
{
    for (size_t i = 0; k_param(f, i) != NULL; i++)
        if (k_is_active(k, f, i))
            return false;
    return holds_data(k_result_type(k, f));
}

static bool is_twin(const Param *p)
{
    return p->active && k_is_pointer(p->type) && !k_is_array(p->type);
}

static const char *public_head(Kernel *k, KFunction *f, const Param *p, size_t n, const char *end)
{
    Buf b = buf_new(k->arena);
    buf_printf(&b, "%s%s%s(", result_c(k, f, p, n), f->c, end);
    for (size_t i = 0; i < n; i++) {
        const char *comma = i > 0 ? ", " : "";
        if (k_is_array(p[i].type))
            buf_printf(&b, "%s%s*%s, int64_t %s_len", comma,
                       p[i].type->items.at[0]->kind == K_TEXT ? "const char *const "
                       : k_text(k, "const %s", p[i].type->items.at[0]->c), p[i].c, p[i].c);
        else
            buf_printf(&b, "%s%s%s%s", comma, k_is_pointer(p[i].type) ? "const " : "", p[i].ty,
                       p[i].c);
    }
    for (size_t i = 0; i < n; i++)
        if (p[i].active && k_is_array(p[i].type))
            buf_printf(&b, ", %s*%s_grad", p[i].type->items.at[0]->c, p[i].c);
        else if (p[i].active)
            buf_printf(&b, ", %s%s%s_grad", p[i].type->c, k_is_pointer(p[i].type) ? "" : "*",
                       p[i].c);
    buf_puts(&b, n == 0 ? "void)" : ")");
    return buf_text(&b);
}

// An array that was given before is the same list.
static const char *array(Kernel *k, const Param *p, size_t i, const char *end)
{
    for (size_t j = 0; j < i; j++)
        if (p[j].type == p[i].type && (p[j].active || end[0] == '\0'))
            return k_text(k, "%s%s == %s%s && %s_len == %s_len ? &%s%s_list : &%s%s_list", p[i].c,
                          end, p[j].c, end, p[i].c, p[j].c, p[j].c, end, p[i].c, end);
    return k_text(k, "&%s%s_list", p[i].c, end);
}

static void put_array(Buf *b, const Param *p, const char *end)
{
    buf_printf(b, "    %s %s%s_list = {(%s*)%s%s, %s_len, %s_len};\n", p->type->name, p->c, end,
               p->type->items.at[0]->c, p->c, end, p->c, p->c);
}

static void put_arrays(Kernel *k, Buf *b, const Param *p, size_t n)
{
    (void)k;
    for (size_t i = 0; i < n; i++) {
        if (!k_is_array(p[i].type))
            continue;
        put_array(b, &p[i], "");
        if (!p[i].active)
            continue;
        put_array(b, &p[i], "_grad");
        buf_printf(b, "    if (%s_len > 0)\n", p[i].c);
        buf_printf(b, "        memset(%s_grad, 0, (size_t)%s_len * sizeof(double));\n", p[i].c,
                   p[i].c);
    }
}

// How the body is given parameter i, and its twin.
static const char *argument(Kernel *k, const Param *p, size_t i, bool twin)
{
    if (k_is_array(p[i].type))
        return array(k, p, i, twin ? "_grad" : "");
    if (twin)
        return k_text(k, "%s_grad", p[i].c);
    return k_is_pointer(p[i].type) ? k_text(k, "(%s)%s", p[i].type->c, p[i].c) : p[i].c;
}

static void run(Kernel *k, Buf *b, KFunction *f, const Param *p, size_t n)
{
    put_arrays(k, b, p, n);
    if (!f->calls)
        buf_printf(b, "    %s%s = %s(", k_result_type(k, f)->c, k->answer, k_body_name(k, f));
    else
        buf_printf(b, "    %s_call %s = {.call = &own_call", f->c, k->packed);
    for (size_t i = 0; i < n; i++)
        if (f->calls)
            buf_printf(b, ", .a%zu = %s", i, argument(k, p, i, false));
        else
            buf_printf(b, "%s%s", i > 0 ? ", " : "", argument(k, p, i, false));
    for (size_t i = 0; i < n; i++)
        if (p[i].active && k_is_pointer(p[i].type))
            buf_printf(b, ", %s%s", f->calls ? k_text(k, ".b%zu = ", i) : "",
                       argument(k, p, i, true));
    buf_puts(b, f->calls ? "};\n" : ");\n");
}

// A size in floating point, which nothing overflows.
static const char *size_text(Kernel *k, KFunction *f, const Param *p, const Expr *e)
{
    if (e->kind == EXPR_CONSTANT)
        return k_text(k, "%.*s.0", (int)e->constant.value->text.len, e->constant.value->text.at);
    if (e->kind == EXPR_NAME) {
        size_t i = 0;
        while (k_param(f, i)->arg != e->name.id)
            i++;
        return k_text(k, "(double)%s", p[i].c);
    }
    if (e->kind == EXPR_CALL)
        return k_text(k, "fmax(%s, %s)", size_text(k, f, p, e->call.args.at[0]),
                      size_text(k, f, p, e->call.args.at[1]));
    const char *x = size_text(k, f, p, e->bin_op.left), *y = size_text(k, f, p, e->bin_op.right);
    Operator op = e->bin_op.op;
    return k_text(k, op == OPERATOR_MULT ? "%s * %s" : op == OPERATOR_ADD ? "(%s + %s)"
                     : "(%s - %s)", x, y);
}

static void unset(Kernel *k, Buf *b, KFunction *f, const Param *p, size_t i)
{
    for (size_t j = 0; j < k->o->sets_len; j++) {
        const KernelSet *set = &k->o->sets[j];
        if (set->array != k_param(f, i)->arg)
            continue;
        buf_printf(b, "        array_unset(%s, (double[]){1.0", p[i].c);
        for (size_t d = 0; d < set->shape.len; d++)
            buf_printf(b, ", %s", size_text(k, f, p, set->shape.at[d]));
        buf_printf(b, "}, %zu);\n", set->shape.len + 1);
    }
}

// What is answered in place of a value where the function raised.
static const char *no_value(Kernel *k, const KType *t)
{
    Buf b = buf_new(k->arena);
    for (size_t i = 0; t->kind == K_TUPLE && i < t->items.len; i++)
        buf_printf(&b, "%s%s", i > 0 ? ", " : "{", no_value(k, t->items.at[i]));
    buf_puts(&b, b.len > 0 ? "}" : t->kind == K_FLOAT ? "NAN" : k_zero(t));
    return buf_text(&b);
}

static void failed(Kernel *k, Buf *b, KFunction *f, const Param *p, size_t n)
{
    const KType *t = k_result_type(k, f);
    const KType *value = has_gradient(p, n) ? t->items.at[0] : t;
    bool by_value = value->kind == K_TUPLE || value->kind == K_UNION;
    buf_printf(b, "    if (!call_run(%s%s_run, &%s)) {\n", f->c,
               f->copies ? "_copy" : "", k->packed);
    for (size_t i = 0; i < n; i++)
        if (p[i].active && p[i].type->kind == K_FLOAT)
            buf_printf(b, "        *%s_grad = NAN;\n", p[i].c);
        else if (p[i].active && k_is_array(p[i].type))
            buf_printf(b, "        for (int64_t i = 0; i < %s_len; i++)\n"
                          "            %s_grad[i] = NAN;\n", p[i].c, p[i].c);
        else
            unset(k, b, f, p, i);
    buf_printf(b, "        return %s%s;\n    }\n", by_value ? k_text(k, "(%s)", value->name) : "",
               no_value(k, value));
    buf_printf(b, "    %s%s = %s.result;\n", t->c, k->answer, k->packed);
}

static bool answers_saved(Kernel *k, KFunction *f)
{
    const KType *t = k_result_type(k, f);
    return t->kind == K_TUPLE && t->items.len == 2 && k_is_saved(k, t->items.at[1]);
}

static void unpack(Kernel *k, Buf *b, KFunction *f, const Param *p, size_t n)
{
    size_t at = 0, active = 0;
    for (size_t i = 0; i < n; i++)
        active += p[i].active;
    for (size_t i = 0; i < n; i++) {
        if (!p[i].active)
            continue;
        const char *from = k_text(k, active > 1 ? "%s.at1.at%zu" : "%s.at1", k->answer, at);
        if (k_is_array(p[i].type))
            buf_printf(b, "    if (%s->at != %s_grad && %s_len > 0)\n"
                          "        memcpy(%s_grad, %s->at, (size_t)%s_len * sizeof(double));\n",
                       from, p[i].c, p[i].c, p[i].c, from, p[i].c);
        else if (!k_is_pointer(p[i].type))
            buf_printf(b, "    *%s_grad = %s;\n", p[i].c, from);
        at++;
    }
    if (answers_saved(k, f))
        buf_printf(b, "    %s.at1 = saved_new(%s.at1, &%s);\n", k->answer, k->answer,
                   k_shape(k, k_result_type(k, f)->items.at[1], f->def->at));
    buf_printf(b, "    return %s%s;\n", k->answer, active > 0 ? ".at0" : "");
}

// What is answered for the way back has memory of its own.
static void print_saved_free(Kernel *k, Buf *declarations, Buf *b, KFunction *f)
{
    if (!answers_saved(k, f))
        return;
    const char *c = k_result_type(k, f)->items.at[1]->name;
    buf_printf(declarations, "void %s_free(%s *saved);\n", c, c);
    buf_printf(b, "void %s_free(%s *saved) { twins_free(saved); }\n\n", c, c);
}

// The twin of an argument, for who calls from C.
static void print_twin_maker(Kernel *k, Buf *declarations, Buf *b, const KType *t, Span at)
{
    char *name = (char *)k_text(k, "%s_twin", t->name);
    char *end = (char *)k_text(k, "%s_free", t->name);
    name[0] = end[0] = (char)tolower((unsigned char)t->name[0]);
    if (table_get(k->twins, t) != NULL)
        return;
    table_set(k->twins, t, k);
    buf_printf(declarations, "// Data of the same shape for a gradient; NULL: there is no memory.\n"
               "%s%s(const %sdata);\nvoid %s(%stwin);\n", t->c, name, t->c, end, t->c);
    buf_printf(b, "%s%s(const %sdata) { return twins_new(data, &%s); }\n\n", t->c, name, t->c,
               k_shape(k, t, at));
    buf_printf(b, "void %s(%stwin) { twins_free(twin); }\n\n", end, t->c);
}

// Behind a function that adds to the twins, the one that clears them first.
static void print_clearing(Kernel *k, Buf *declarations, Buf *b, KFunction *f, const Param *p,
                           size_t n)
{
    const char *head = public_head(k, f, p, n, "");
    buf_printf(declarations, "%s;\n", head);
    buf_printf(b, "%s\n{\n", head);
    for (size_t i = 0; i < n; i++)
        if (is_twin(&p[i]))
            buf_printf(b, "    twins_clear(%s_grad);\n", p[i].c);
    buf_printf(b, "    return %s_added(", f->c);
    for (size_t i = 0; i < n; i++)
        buf_printf(b, k_is_array(p[i].type) ? "%s%s, %s_len" : "%s%s", i > 0 ? ", " : "", p[i].c,
                   p[i].c);
    for (size_t i = 0; i < n; i++)
        if (p[i].active)
            buf_printf(b, ", %s_grad", p[i].c);
    buf_puts(b, ");\n}\n\n");
}

static void print_public(Kernel *k, Buf *declarations, Buf *b, KFunction *f)
{
    Param *p;
    size_t n = read_params(k, f, &p);
    bool twins = false;
    for (size_t i = 0; i < n; i++) {
        k_show_type(k, k_is_array(p[i].type) ? p[i].type->items.at[0] : p[i].type);
        twins |= is_twin(&p[i]);
        if (is_twin(&p[i]))
            print_twin_maker(k, declarations, b, p[i].type, f->def->at);
    }
    const char *head = public_head(k, f, p, n, twins ? "_added" : "");
    if (!has_gradient(p, n))
        k_show_type(k, k_result_type(k, f));
    buf_printf(declarations, "%s;\n", head);
    if (k_is_plain(k, f))
        return;
    buf_printf(b, "%s\n{\n", head);
    run(k, b, f, p, n);
    if (f->calls)
        failed(k, b, f, p, n);
    unpack(k, b, f, p, n);
    buf_puts(b, "}\n\n");
    print_saved_free(k, declarations, b, f);
    if (twins)
        print_clearing(k, declarations, b, f, p, n);
}

// ---- variables of the module ----

const char *k_global_value(Kernel *k, Sym name)
{
    const Stmt *s = table_get(k->globals, name);
    const Expr *value = s == NULL ? NULL : s->kind == STMT_ASSIGN ? s->assign.value
                        : s->ann_assign.value;
    const Expr *inner = value && value->kind == EXPR_UNARY_OP ? value->unary_op.operand : value;
    if (value == NULL || inner->kind != EXPR_CONSTANT)
        return NULL;
    const char *text = k_expr(k, value).text;
    return value == inner ? text : k_text(k, "(%s)", text);
}

static void collect_imports(Kernel *k, const Stmt *s)
{
    AliasList names = s->kind == STMT_IMPORT ? s->import.names : s->import_from.names;
    for (size_t i = 0; i < names.len; i++) {
        Sym name = names.at[i]->name, as = names.at[i]->asname ? names.at[i]->asname : name;
        if (s->kind == STMT_IMPORT_FROM)
            name = names_format(k->names, "%s.%s", s->import_from.module, name);
        table_set(k->modules, as, (void *)name);
    }
}

static void collect_module(Kernel *k, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0]
                             : s->kind == STMT_ANN_ASSIGN ? s->ann_assign.target : NULL;
        if (s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM)
            collect_imports(k, s);
        else if (target != NULL && target->kind == EXPR_NAME)
            table_set(k->globals, target->name.id, (void *)s);
    }
}

// ---- the file ----

static void print_error_function(Kernel *k, Buf *declarations, Buf *b, bool raises)
{
    const char *name = k->error = k_global_name(k, k_text(k, "%s_error", k->o->function));
    buf_printf(declarations, "\n// What the last call of this thread raised, and in which line; "
                             "NULL: nothing.\nconst char *%s(void);\n", name);
    buf_printf(b, "const char *%s(void) { return %s; }\n", name, raises ? "call_error()" : "NULL");
}

static const char *lines_of(const char *text, Buf *b)
{
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1) {
        buf_printf(b, "// %.*s\n", (int)strcspn(at, "\n"), at);
        if (at[strcspn(at, "\n")] == '\0')
            break;
    }
    return buf_text(b);
}

static void put_guard(Kernel *k, Buf *header, Buf *body)
{
    char *guard = (char *)k_text(k, "PYCHORAL_GRAD_%s_H", k_member_name(k, k->o->stem));
    for (char *at = guard; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    Buf b = buf_new(k->arena), heading = buf_new(k->arena);
    buf_printf(&b, "%s\n#ifndef %s\n#define %s\n\n%s\n#endif\n",
               lines_of(k->o->heading, &heading), guard, guard, buf_text(header));
    *header = b;
    buf_printf(body, "#include \"%s.h\"\n\n", k->o->stem);
}

static void assemble(Kernel *k, KernelText *text)
{
    Buf own, declared, public = buf_new(k->arena), bodies = buf_new(k->arena);
    k_print_functions(k, &own, &declared);
    bool raises = false;
    for (size_t i = 0; i < k->all_functions.len; i++)
        if (k->all_functions.at[i]->public) {
            print_public(k, &public, &bodies, k->all_functions.at[i]);
            raises |= k->all_functions.at[i]->calls;
        }
    print_error_function(k, &public, &bodies, raises);
    Buf types = buf_new(k->arena), inner = buf_new(k->arena);
    k_print_types(k, &types, true);
    k_print_types(k, &inner, false);
    Buf code = buf_new(k->arena);
    buf_printf(&code, "%s%s%s%s%s\n%s%s", buf_text(&k->makers), buf_text(&k->shape_heads),
               buf_text(&k->shape_bodies), k->shape_heads.len > 0 ? "\n" : "", buf_text(&own),
               buf_text(&declared), buf_text(&bodies));
    Buf includes = buf_new(k->arena), prelude = buf_new(k->arena);
    k_prelude(k, buf_text(&code), &includes, &prelude);
    Buf header = buf_new(k->arena), body = buf_new(k->arena), heading = buf_new(k->arena);
    lines_of(k->o->heading, &heading);
    const KClass *saved = k->o->saved != NULL ? k_class(k, k->o->saved) : NULL;
    const char *opaque = saved == NULL ? "" : k_text(k, "// What `%s_rev` is given.\n"
                         "typedef struct %s %s;\n", k->o->function, saved->c, saved->c);
    buf_printf(&header, "#include <stdbool.h>\n#include <stdint.h>\n\n%s%s%s", opaque,
               buf_text(&types), buf_text(&public));
    buf_printf(&body, "%s\n#define _GNU_SOURCE\n%s\n", buf_text(&heading), buf_text(&includes));
    if (k->o->stem != NULL)
        put_guard(k, &header, &body);
    else
        buf_printf(&body, "%s\n", buf_text(&header));
    buf_printf(&body, "%s%s%s", buf_text(&inner), buf_text(&prelude), buf_text(&code));
    text->header = buf_text(&header);
    text->body = buf_text(&body);
    text->twin = k->o->stem != NULL && !k->failed ? k_twin(k) : NULL;
}

bool emit_kernel(Arena *a, Names *names, Diags *diags, StmtList body, const KernelOptions *o,
                 KernelText *text)
{
    Kernel k = {.arena = a, .names = names, .diags = diags, .o = o, .types = table_new(a),
                .classes = table_new(a), .functions = table_new(a), .taken = table_new(a),
                .modules = table_new(a),
                .globals = table_new(a), .rooms = table_new(a), .twins = table_new(a),
                .locals = table_new(a)};
    *text = (KernelText){0};
    table_set(k.modules, names_get(names, "math"), (void *)names_get(names, "math"));
    collect_module(&k, body);
    k_classes_collect(&k, body);
    k_functions_collect(&k, body);
    assemble(&k, text);
    return !k.failed;
}
