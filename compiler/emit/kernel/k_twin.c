// k_twin.c - the Python module that stands beside the C file: the same functions with the types of
// the source, which compile the C text when they are first called, and call it. kernel/twin/ says
// how values are converted; here is what the types of this file are.

#include "compiler/emit/grad_text.h"
#include "compiler/emit/kernel/k_internal.h"

typedef struct TwinFile { const char *name, *text; } TwinFile;
static const TwinFile FILES[] = {
#include "kernel_twin.inc"
};

static const char *file_text(const char *name)
{
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++)
        if (strcmp(FILES[i].name, name) == 0)
            return FILES[i].text;
    return "";
}

// ---- the types ----

static bool has_derived(const Kernel *k, const KClass *c)
{
    for (size_t i = 0; i < k->all_classes.len; i++)
        if (k->all_classes.at[i]->base == c && k->all_classes.at[i]->used)
            return true;
    return false;
}

static void put_classes(Kernel *k, Buf *b, const KClass *c)
{
    buf_printf(b, "_class_%s", c->c);
    for (size_t i = 0; i < k->all_classes.len; i++)
        if (k->all_classes.at[i]->base == c && k->all_classes.at[i]->used) {
            buf_puts(b, ", ");
            put_classes(k, b, k->all_classes.at[i]);
        }
}

static void put_type(Kernel *k, Buf *b, const KType *t);

static void put_items(Kernel *k, Buf *b, const KType *t)
{
    for (size_t i = 0; i < t->items.len; i++) {
        buf_puts(b, i > 0 ? ", " : "");
        put_type(k, b, t->items.at[i]);
    }
}

static const char *python_name(const KClass *c)
{
    const char *of = k_stands_for(c);
    return of == NULL ? c->name : strcmp(of, "float") == 0 ? "(float, int)" : of;
}

static const char *python_class(const KType *t)
{
    switch (t->kind) {
    case K_FLOAT:  return "(float, int)";
    case K_INT:    return "int";
    case K_BOOL:   return "bool";
    case K_TEXT:   return "str";
    case K_NONE:   return "type(None)";
    case K_TUPLE:  return "tuple";
    case K_LIST:   return "list";
    case K_ENUM: case K_RECORD: return python_name(t->class_);
    case K_UNION: case K_CHOICE: case K_ARRAY: break;
    }
    return "object";
}

static void put_type(Kernel *k, Buf *b, const KType *t)
{
    static const char *const SIMPLE[] = {"_float", "_int", "_bool", "_text", "_none"};
    switch (t->kind) {
    case K_FLOAT: case K_INT: case K_BOOL: case K_TEXT: case K_NONE:
        buf_puts(b, SIMPLE[t->kind]);
        return;
    case K_ENUM:
        buf_printf(b, "_enum(%s)", t->class_->name);
        return;
    case K_TUPLE: case K_LIST: case K_CHOICE:
        buf_puts(b, t->kind == K_TUPLE ? "_Tuple(" : t->kind == K_LIST ? "_List(" : "_Choice(");
        put_items(k, b, t);
        break;
    case K_RECORD:
        if (k_is_saved(k, t)) {
            buf_puts(b, "_saved");
            return;
        }
        buf_puts(b, has_derived(k, t->class_) ? "_Choice(" : "");
        put_classes(k, b, t->class_);
        buf_puts(b, has_derived(k, t->class_) ? ")" : "");
        return;
    case K_UNION:
        buf_puts(b, "_Union(");
        for (size_t i = 0; i < t->items.len; i++) {
            buf_printf(b, "%s(%s, ", i > 0 ? ", " : "", python_class(t->items.at[i]));
            put_type(k, b, t->items.at[i]);
            buf_putc(b, ')');
        }
        break;
    case K_ARRAY: return;
    }
    buf_putc(b, ')');
}

static void put_records(Kernel *k, Buf *b)
{
    for (size_t i = 0; i < k->all_classes.len; i++) {
        const KClass *c = k->all_classes.at[i];
        if (!c->type->shown || c->is_enum)
            continue;
        const char *of = k_stands_for(c);
        buf_printf(b, "_class_%s = %s(%s, %d", c->c, of ? "_Parts" : "_Record", of ? of : c->name,
                   c->tagged ? c->number : 0);
        buf_printf(b, c->base ? ", _class_%s)\n" : ")\n", c->base ? c->base->c : "");
    }
    for (size_t i = 0; i < k->all_classes.len; i++) {
        const KClass *c = k->all_classes.at[i];
        if (!c->type->shown || c->is_enum)
            continue;
        buf_printf(b, "_class_%s.define(", c->c);
        for (size_t j = 0; j < c->fields.len; j++) {
            buf_printf(b, "%s(\"%s\", ", j > 0 ? ", " : "", c->fields.at[j].name);
            put_type(k, b, c->fields.at[j].type);
            buf_putc(b, ')');
        }
        buf_puts(b, ")\n");
    }
}

// ---- the functions ----

static bool has_active(Kernel *k, KFunction *f)
{
    bool found = false;
    for (size_t i = 0; k_param(f, i) != NULL; i++)
        found |= k_is_active(k, f, i);
    return found;
}

static void put_parameters(Kernel *k, Buf *b, KFunction *f)
{
    Buf active = buf_new(k->arena);
    buf_printf(b, "_types_%s: tuple[Any, ...] = (", f->name);
    for (size_t i = 0; k_param(f, i) != NULL; i++) {
        const KType *t = k_type(k, k_param(f, i)->ty, k_param(f, i)->at);
        buf_puts(b, k_is_array(t) ? "_Array(" : "");
        put_type(k, b, k_is_array(t) ? t->items.at[0] : t);
        buf_puts(b, k_is_array(t) ? "), " : ", ");
        buf_puts(&active, k_is_active(k, f, i) ? "True, " : "False, ");
    }
    buf_printf(b, ")\n_active_%s: tuple[bool, ...] = (%s)\n", f->name, active.len > 0
               ? buf_text(&active) : "");
    if (!has_active(k, f)) {
        buf_printf(b, "_answer_%s: Any = ", f->name);
        put_type(k, b, k_result_type(k, f));
        buf_putc(b, '\n');
    }
}

static const Expr *name_of(Kernel *k, const char *name)
{
    return expr_name(k->arena, (Span){0, 0}, names_get(k->names, name), EXPR_CONTEXT_LOAD);
}

// As the caller knows its types.
static const Stmt *with_head(Kernel *k, const Stmt *def)
{
    for (size_t i = 0; i < k->o->heads.len; i++) {
        const Stmt *head = k->o->heads.at[i];
        if (head->function_def.name == def->function_def.name)
            return stmt_function_def(k->arena, def->at, def->function_def.name,
                                     head->function_def.args, def->function_def.body,
                                     (ExprList){0}, head->function_def.returns,
                                     (TypeParamList){0});
    }
    return def;
}

// `answer: T = _gradient("f", _types_f, _active_f, (x, n))`, under the head of the source; of a
// function without a gradient `_answer("f", _types_f, _answer_f, (x, n))`.
static const Stmt *calling(Kernel *k, KFunction *f)
{
    Span at = {0, 0};
    Vec(const Expr *) params = {0}, args = {0};
    for (size_t i = 0; k_param(f, i) != NULL; i++)
        vec_push(k->arena, &params, name_of(k, k_param(f, i)->arg));
    bool twins = false;
    for (size_t i = 0; k_param(f, i) != NULL; i++)
        twins |= k_has_twin(k, f, i) && !k_is_array(k_type(k, k_param(f, i)->ty, at));
    const char *name = twins ? k_text(k, "%s_added", f->c) : f->c;
    const Const *text = const_str(k->arena, (Text){name, strlen(name)});
    vec_push(k->arena, &args, expr_constant(k->arena, at, text, NULL));
    vec_push(k->arena, &args, name_of(k, k_text(k, "_types_%s", f->name)));
    bool active = has_active(k, f);
    vec_push(k->arena, &args, name_of(k, k_text(k, active ? "_active_%s" : "_answer_%s", f->name)));
    vec_push(k->arena, &args, expr_tuple(k->arena, at, (ExprList){params.at, params.len},
                                         EXPR_CONTEXT_LOAD));
    const Expr *call = expr_call(k->arena, at, name_of(k, active ? "_gradient" : "_answer"),
                                 (ExprList){args.at, args.len}, (KeywordList){0});
    const Stmt **body = ARENA_ARRAY(k->arena, const Stmt *, 2), *def = f->def;
    const Expr *answer = name_of(k, "answer");
    def = with_head(k, def);
    body[0] = stmt_ann_assign(k->arena, at, answer, def->function_def.returns, call, 1);
    body[1] = stmt_return(k->arena, at, answer);
    return stmt_function_def(k->arena, at, f->name, def->function_def.args, (StmtList){body, 2},
                             (ExprList){0}, def->function_def.returns, (TypeParamList){0});
}

static void put_support(Kernel *k, Buf *b)
{
    static const char *const PARTS[] = {"simple", "lists", "records", "parts", "unions", "call",
                                        "answer", "load"};
    buf_printf(b, "\n\n_STEM = \"%s\"\n_ERROR = \"%s\"\n", k->o->stem, k->error);
    if (k->o->saved != NULL)
        buf_printf(b, "\n\n%s\n\nclass %s(_Saved):\n    \"\"\"What `%s_rev` is given.\"\"\"\n"
                   "\n\n_saved = _SavedType(%s, \"%s_free\")\n\n\n", file_text("saved"),
                   k->o->saved, k->o->function, k->o->saved, k_class(k, k->o->saved)->c);
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        buf_printf(b, "%s%s", i < sizeof PARTS / sizeof *PARTS - 1 ? "\n\n" : "",
                   file_text(PARTS[i]));
    buf_puts(b, "\n\n");
}

// Functions over arrays: the module is what calls them.
static const char *array_twin(Kernel *k)
{
    Buf b = buf_new(k->arena), text = buf_new(k->arena), renamed = buf_new(k->arena);
    const ModuleText *t = k->o->module;
    module_print_heading(&text, t, "derivative");
    StmtList rest = module_print_imports(&text, t, k->o->calling);
    buf_puts(&text, file_text("head"));
    buf_printf(&text, "\n\n_STEM = \"%s\"\n_ERROR = \"%s\"\n_NAMES = {", k->o->stem, k->error);
    for (size_t i = 0; i < k->all_functions.len; i++)
        buf_printf(&text, "%s\"%s\": \"%s\"", i > 0 ? ", " : "", k->all_functions.at[i]->name,
                   k->all_functions.at[i]->c);
    buf_printf(&text, "}\n%s\n\n%s", file_text("load"), file_text("arrays"));
    module_print_body(&text, t, rest);
    module_merge(&b, k->arena, k->names, &text, &renamed);
    return buf_text(&b);
}

const char *k_twin(Kernel *k)
{
    if (k->o->arrays)
        return array_twin(k);
    static const char FUTURE[] = "from __future__ import annotations\n";
    Vec(const Stmt *) made = {0};
    Buf b = buf_new(k->arena), module = buf_new(k->arena);
    Buf merged = buf_new(k->arena), renamed = buf_new(k->arena);
    for (size_t i = 0; i < k->all_functions.len; i++) {
        KFunction *f = k->all_functions.at[i];
        if (f->public)
            vec_push(k->arena, &made, calling(k, f));
        for (size_t j = 0; j < k->o->python.len; j++)
            if (k->o->python.at[j] == f->name)
                vec_push(k->arena, &made, with_head(k, f->def));
    }
    emit_grad_qualified(&module, k->o->module, names_get(k->names, "_gradient"), k->o->modules,
                        (StmtList){made.at, made.len});
    const char *text = buf_text(&module), *future = strstr(text, FUTURE);
    const char *rest = future ? future + sizeof FUTURE - 1 : text;
    buf_write(&b, text, (size_t)(rest - text));
    buf_puts(&b, file_text("head"));
    buf_puts(&b, rest);
    put_support(k, &b);
    put_records(k, &b);
    for (size_t i = 0; i < k->all_functions.len; i++)
        if (k->all_functions.at[i]->public)
            put_parameters(k, &b, k->all_functions.at[i]);
    module_merge(&merged, k->arena, k->names, &b, &renamed);
    return buf_text(&merged);
}
