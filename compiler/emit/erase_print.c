// erase_print.c - the module of the central program:
//
//     CENTRAL = Central(roles=("Client", "IP"), source="auth.pyc")
//     at, by, turn, cast = CENTRAL.at, CENTRAL.by, CENTRAL.turn, CENTRAL.cast
//     ... the erased code ...
//     if __name__ == "__main__":
//         CENTRAL.run(main, (channel("ch", "Client", "IP"), option("name", str, role="Client")),
//                     {"Client": "here"})

#include <string.h>

#include "compiler/emit/endpoint.h"
#include "compiler/emit/erase_internal.h"
#include "compiler/emit/module_text.h"
#include "compiler/emit/python.h"
#include "compiler/ir/free_names.h"

#define RUN_AT "\n\nif __name__ == \"__main__\":\n"

typedef struct Printer {
    Buf *b;
    const CentralCx *cx;
    const Eraser *x;
    const Stmt *entry;          // the Choreo as checked; NULL in a library
    const Stmt *def;            // the same, erased
    ModuleText  text;
    Sym class_name, channel_name, option_name;
    Vec(const Alias *) imports;
} Printer;

static const Stmt *find_entry(StmtList body, Sym name)
{
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_CHOREO && body.at[i]->choreo.def->kind == STMT_FUNCTION_DEF
            && body.at[i]->choreo.def->function_def.name == name)
            return body.at[i];
    return NULL;
}

static const Stmt *find_def(StmtList body, const Stmt *def)
{
    for (size_t i = 0; def && i < body.len; i++)
        if (body.at[i]->kind == STMT_FUNCTION_DEF
            && body.at[i]->function_def.name == def->function_def.name)
            return body.at[i];
    return NULL;
}

// The roles of the entry; of a library, those of all choreographies.
static SymList roles_of(const Printer *p, StmtList checked)
{
    Vec(Sym) roles = {0};
    Table *seen = table_new(p->cx->arena);
    if (p->entry)
        return p->entry->choreo.formals;
    for (size_t i = 0; i < checked.len; i++)
        for (size_t j = 0; checked.at[i]->kind == STMT_CHOREO
                           && j < checked.at[i]->choreo.formals.len; j++) {
            Sym role = checked.at[i]->choreo.formals.at[j];
            if (table_get(seen, role) == NULL)
                vec_push(p->cx->arena, &roles, role);
            table_set(seen, role, seen);
        }
    return (SymList){roles.at, roles.len};
}

// ---- imports ----

static Sym import_name(Printer *p, const char *name)
{
    Sym own = names_get(p->cx->names, name);
    while (table_get(p->x->identifiers, own))
        own = names_format(p->cx->names, "%s_", own);
    vec_push(p->cx->arena, &p->imports, module_alias(&p->text, name, own));
    return own;
}

static bool has_channel(const Printer *p, bool wanted)
{
    ArgList args = endpoint_parameters(p->cx->arena, p->entry->choreo.def);
    for (size_t i = 0; i < args.len; i++)
        if (endpoint_is_channel(args.at[i]->annotation) == wanted)
            return true;
    return false;
}

static bool mentions(const Printer *p, StmtList body, Sym name)
{
    SymList free = names_free(p->cx->arena, p->cx->names, body);
    for (size_t i = 0; i < free.len; i++)
        if (free.at[i] == name)
            return true;
    return false;
}

static void find_imports(Printer *p, StmtList body)
{
    Names *names = p->cx->names;
    p->class_name = import_name(p, "Central");
    if (mentions(p, body, p->x->channel_class))
        vec_push(p->cx->arena, &p->imports,
                 module_alias(&p->text, "CentralChannel", p->x->channel_class));
    if (p->entry && has_channel(p, true))
        p->channel_name = import_name(p, "channel");
    if (mentions(p, body, names_get(names, "copy_value")))
        vec_push(p->cx->arena, &p->imports,
                 module_alias(&p->text, "narrow", names_get(names, "copy_value")));
    if (p->entry && has_channel(p, false))
        p->option_name = import_name(p, "option");
    p->text.from_runtime = (AliasList){p->imports.at, p->imports.len};
}

// ---- the parts of the text ----

static void print_str(Printer *p, const char *text)
{
    module_print_str(p->b, p->cx->arena, text);
}

static void print_strs(Printer *p, SymList list)
{
    for (size_t i = 0; i < list.len; i++) {
        buf_puts(p->b, i ? ", " : "");
        print_str(p, list.at[i]);
    }
}

// What a role does within an expression is a lambda here, of which mypy knows less than of the
// expression; it takes lambdas for functions whose results must be known.
#define TYPING "# mypy: no-warn-return-any\n"

static void print_stage(Printer *p, SymList roles)
{
    const Eraser *x = p->x;
    buf_printf(p->b, "\n%s = %s(roles=(", x->central, p->class_name);
    print_strs(p, roles);
    buf_puts(p->b, roles.len == 1 ? ",), source=" : "), source=");
    print_str(p, p->cx->source_name);
    buf_printf(p->b, ")\n%s, %s, %s, %s = %s.at, %s.by, %s.turn, %s.cast\n", x->at, x->by,
               x->turn, x->cast, x->central, x->central, x->central, x->central);
    if (x->has_families)
        buf_printf(p->b, "%s, %s = %s.family, %s.virtual\n", x->family, x->virtual_, x->central,
                   x->central);
}

static void print_parameter(Printer *p, const Arg *checked, const Expr *type, const Expr *value)
{
    const Expr *annotation = checked->annotation;
    if (endpoint_is_channel(annotation)) {
        buf_printf(p->b, "%s(", p->channel_name);
        print_str(p, checked->arg);
        buf_puts(p->b, ", ");
        print_strs(p, annotation->located.type->inst.actuals);
        buf_putc(p->b, ')');
        return;
    }
    buf_printf(p->b, "%s(", p->option_name);
    print_str(p, checked->arg);
    buf_puts(p->b, ", ");
    emit_python_expr(p->b, type);
    if (value) {
        buf_puts(p->b, ", default=");
        emit_python_expr(p->b, value);
    }
    buf_puts(p->b, ", role=");
    Sym role = annotation->located.at_roles.at[0];
    SymList others = endpoint_others(p->cx->arena, annotation, role);
    print_str(p, role);
    if (others.len > 0) {
        buf_puts(p->b, ", agreed=(");
        print_strs(p, others);
        buf_puts(p->b, others.len == 1 ? ",)" : ")");
    }
    buf_putc(p->b, ')');
}

static void print_parameters(Printer *p)
{
    ArgList args = endpoint_parameters(p->cx->arena, p->entry->choreo.def);
    ArgList own = endpoint_parameters(p->cx->arena, p->def);
    if (args.len == 0) {
        buf_puts(p->b, "        (),\n");
        return;
    }
    buf_puts(p->b, "        (\n");
    for (size_t i = 0; i < args.len; i++) {
        buf_puts(p->b, "            ");
        print_parameter(p, args.at[i], own.at[i]->annotation, endpoint_default(p->def, i));
        buf_puts(p->b, ",\n");
    }
    buf_puts(p->b, "        ),\n");
}

static void print_result_of(Printer *p, const Expr *returns, Sym role)
{
    ExprList parts = endpoint_result_parts(returns);
    if (parts.len == 0) {
        buf_printf(p->b, "\"%s\"", endpoint_is_at(returns, role) ? "here" : "absent");
        return;
    }
    buf_putc(p->b, '(');
    for (size_t i = 0; i < parts.len; i++)
        buf_printf(p->b, "%s%s", i ? ", " : "",
                   endpoint_is_at(parts.at[i], role) ? "True" : "False");
    buf_puts(p->b, parts.len == 1 ? ",)" : ")");
}

static void print_results(Printer *p)
{
    const Expr *returns = p->entry->choreo.def->function_def.returns;
    SymList roles = p->entry->choreo.formals;
    size_t printed = 0;
    buf_puts(p->b, "        {");
    for (size_t i = 0; i < roles.len; i++) {
        if (!endpoint_is_at(returns, roles.at[i]))
            continue;
        buf_puts(p->b, printed++ ? ", " : "");
        print_str(p, roles.at[i]);
        buf_puts(p->b, ": ");
        print_result_of(p, returns, roles.at[i]);
    }
    buf_puts(p->b, "},\n");
}

// The same table as the programs of the roles have, of which all is here.
static void print_types(Printer *p, const Unit *checked)
{
    TypeEntries types = type_table(p->cx->arena, p->cx->names, checked);
    if (types.len == 0)
        return;
    buf_puts(p->b, "        types=(\n");
    for (size_t i = 0; i < types.len; i++)
        buf_printf(p->b, "            %s,\n", types.at[i].path);
    buf_puts(p->b, "        ),\n");
}

static void print_start(Printer *p, const Unit *checked)
{
    buf_printf(p->b, RUN_AT "    %s.run(\n        %s,\n", p->x->central,
               p->def->function_def.name);
    print_parameters(p);
    print_results(p);
    print_types(p, checked);
    buf_puts(p->b, "    )\n");
}

void erase_print(Buf *b, const CentralCx *cx, const Eraser *x, const Unit *checked, StmtList body)
{
    Printer p = {.b = b, .cx = cx, .x = x, .entry = find_entry(checked->module.body, cx->entry),
                 .text = {.arena = cx->arena, .names = cx->names, .source_name = cx->source_name,
                          .source_hash = cx->source_hash, .runtime_module = "pychoral.central"}};
    p.def = find_def(body, p.entry ? p.entry->choreo.def : NULL);
    Buf text = buf_new(cx->arena), renamed = buf_new(cx->arena), merged = buf_new(cx->arena);
    p.b = &text;
    body = module_plain_imports(cx->arena, body);
    find_imports(&p, body);
    p.text.from_typing = module_typing(&p.text, names_free(cx->arena, cx->names,
                                                               checked->module.body),
                                       names_bound(cx->arena, cx->names, body));
    module_print_heading(&text, &p.text, "for all roles at once");
    buf_puts(&text, TYPING);
    StmtList rest = module_print_imports(&text, &p.text, body);
    print_stage(&p, roles_of(&p, checked->module.body));
    module_print_body(&text, &p.text, rest);
    if (p.entry)
        print_start(&p, checked);
    module_merge(&merged, cx->arena, cx->names, &text, &renamed);
    const char *start = renamed.len > 0 ? strstr(buf_text(&merged), RUN_AT) : NULL;
    size_t before = start ? (size_t)(start - buf_text(&merged)) : merged.len;
    buf_raw(b, buf_text(&merged), before);
    if (renamed.len > 0)
        buf_printf(b, "\n\n%s", buf_text(&renamed));
    buf_raw(b, buf_text(&merged) + before, merged.len - before);
}
