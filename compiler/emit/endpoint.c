// endpoint.c - puts an endpoint program together. What the module imports from the runtime and from
// `typing` is what its code mentions and nothing in it defines.

#include "compiler/emit/endpoint.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/emit/endpoint_types.h"
#include "compiler/emit/line_table.h"
#include "compiler/emit/module_text.h"
#include "compiler/emit/python.h"
#include "compiler/base/version.h"
#include "compiler/ir/free_names.h"

// The version of the bytes on the wire; part of the protocol hash.
#define WIRE_VERSION 2

// A name that projected code may mention, and its name in the runtime.
typedef struct Provided { const char *name, *there; } Provided;

static const Provided provided[] = {
    {"Channel", "Channel"},
    {"Channel_", "Channel"},        // where the file has a `Channel` of its own
    {"Unit", "Unit"},
    {"Unit_", "Unit"},
    {"UnexpectedSelection", "UnexpectedSelection"},
    {"PeerStopped", "PeerStopped"},
    {"copy_value", "narrow"},
};

// One endpoint being printed.
typedef struct Printer {
    const EndpointCx *cx;
    Buf     *b;
    Sym      role;
    StmtList body;
    ModuleText text;
    SymList  bound, mentioned;  // module-level names
    const bool *reached;        // of `cx->beside`: which of them it imports
    SymList  loads;             // of these, which it must import itself
    bool     uses_unit, uses_offer, uses_stopped;
    Vec(const Alias *) from_runtime;
} Printer;

static bool has_name(SymList list, const char *name)
{
    for (size_t i = 0; i < list.len; i++)
        if (sym_is(list.at[i], name))
            return true;
    return false;
}

// ---- the protocol ----

const Stmt *endpoint_entry(const Unit *checked, Sym name)
{
    StmtList body = checked->module.body;
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_CHOREO && body.at[i]->choreo.def->kind == STMT_FUNCTION_DEF
            && body.at[i]->choreo.def->function_def.name == name)
            return body.at[i];
    return NULL;
}

static StmtList own_statements(Arena *a, const Source *source, const Unit *checked)
{
    Vec(const Stmt *) own = {0};
    for (size_t i = 0; i < checked->module.body.len; i++)
        if (source_part(source, checked->module.body.at[i]->at.start) == 0)
            vec_push(a, &own, checked->module.body.at[i]);
    return (StmtList){own.at, own.len};
}

void endpoint_prepare(EndpointCx *cx, const Source *source, const Unit *checked, Sym entry)
{
    Buf b = buf_new(cx->arena);
    buf_printf(&b, "# pychoralc %s, wire %d, entry %s, sites %s\n", PYCHORAL_VERSION, WIRE_VERSION,
               entry, cx->numbered ? "yes" : "no");
    buf_puts(&b, cx->parts);
    for (size_t i = 0; i < cx->beside.len; i++)
        site_rows_print(&b, cx->beside.at[i].sites);
    type_table_describe(&b, cx->types);
    emit_python_stmts(&b, own_statements(cx->arena, source, checked), (PythonOptions){0});
    Buf nothing = buf_new(cx->arena), cut = buf_new(cx->arena);
    ModuleParts parts = {.head = &nothing, .body = &b};
    module_finish(&cut, cx->arena, cx->names, parts, cx->module);
    sha256_hex(buf_text(&cut), cut.len, cx->protocol);
    cx->roles = cx->entry ? cx->entry->choreo.formals : (SymList){0};
}

// ---- the entry's signature ----

bool endpoint_is_channel(const Expr *annotation)
{
    return annotation && annotation->kind == EXPR_LOCATED
           && annotation->located.type->kind == EXPR_INST
           && annotation->located.type->inst.formals.len == 0;
}

static bool is_none(const Expr *e)
{
    return e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_NONE;
}

bool endpoint_is_at(const Expr *annotation, Sym role)
{
    return annotation && annotation->kind == EXPR_LOCATED && !is_none(annotation->located.type)
           && has_name(annotation->located.at_roles, role);
}

SymList endpoint_others(Arena *a, const Expr *annotation, Sym role)
{
    SymList at = annotation->located.at_roles;
    Vec(Sym) others = {0};
    for (size_t i = 0; i < at.len; i++)
        if (at.at[i] != role)
            vec_push(a, &others, at.at[i]);
    return (SymList){others.at, others.len};
}

ArgList endpoint_parameters(Arena *a, const Stmt *def)
{
    const Arguments *args = def->function_def.args;
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    Vec(const Arg *) all = {0};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t j = 0; j < lists[i].len; j++)
            vec_push(a, &all, lists[i].at[j]);
    return (ArgList){all.at, all.len};
}

const Expr *endpoint_default(const Stmt *def, size_t i)
{
    const Arguments *args = def->function_def.args;
    size_t positional = args->posonlyargs.len + args->args.len;
    if (i >= positional)
        return args->kw_defaults.at[i - positional];
    size_t required = positional - args->defaults.len;
    return i < required ? NULL : args->defaults.at[i - required];
}

ExprList endpoint_result_parts(const Expr *returns)
{
    if (returns == NULL || returns->kind != EXPR_LOCATED
        || returns->located.type->kind != EXPR_SUBSCRIPT
        || returns->located.type->subscript.slice->kind != EXPR_TUPLE)
        return (ExprList){0};
    ExprList parts = returns->located.type->subscript.slice->tuple.elts;
    for (size_t i = 0; i < parts.len; i++)
        if (parts.at[i]->kind != EXPR_LOCATED)
            return (ExprList){0};
    return parts;
}

// ---- names ----

static bool starts_with_module(const char *dotted, const char *module)
{
    size_t len = strcspn(dotted, ".");
    return strlen(module) == len && memcmp(dotted, module, len) == 0;
}

static bool is_imported(StmtList body, const char *module)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_IMPORT_FROM && s->import_from.module
            && starts_with_module(s->import_from.module, module))
            return true;
        for (size_t j = 0; s->kind == STMT_IMPORT && j < s->import.names.len; j++)
            if (starts_with_module(s->import.names.at[j]->name, module))
                return true;
    }
    return false;
}

static Sym lower_case(Names *names, Sym role)
{
    Sym lower = names_format(names, "%s", role);
    size_t len = strlen(role);
    char text[256];
    if (len >= sizeof text)
        return lower;
    for (size_t i = 0; i <= len; i++)
        text[i] = (char)tolower((unsigned char)role[i]);
    return names_get(names, text);
}

static Sym module_of(const EndpointCx *cx, EndpointList endpoints, Sym role)
{
    Sym module = lower_case(cx->names, role);
    bool taken = module_name_taken(module) || has_name(cx->modules, module);
    for (size_t i = 0; i < endpoints.len && !taken; i++)
        taken = is_imported(endpoints.at[i]->body, module);
    return taken ? names_format(cx->names, "%s_", module) : module;
}

void endpoint_modules(const EndpointCx *cx, EndpointList endpoints, Sym *modules)
{
    for (size_t i = 0; i < endpoints.len; i++) {
        modules[i] = module_of(cx, endpoints, endpoints.at[i]->role);
        for (size_t j = 0; j < i; j++)
            if (modules[j] == modules[i]) {
                modules[i] = names_format(cx->names, "%s_", modules[i]);
                j = (size_t)-1;
            }
    }
}

// ---- what the code needs ----

static bool note_stmt(void *cx, const Stmt *s)
{
    Printer *p = cx;
    p->uses_offer = p->uses_offer || s->kind == STMT_OFFER;
    p->uses_stopped = p->uses_stopped || s->kind == STMT_STOPPED;
    return true;
}

static bool note_expr(void *cx, const Expr *e)
{
    Printer *p = cx;
    p->uses_unit = p->uses_unit || e->kind == EXPR_UNIT;
    return true;
}

static bool needs(const Printer *p, const char *name)
{
    if (has_name(p->bound, name))
        return false;
    return has_name(p->mentioned, name) || (p->uses_unit && strcmp(name, "Unit") == 0)
           || (p->uses_offer && strcmp(name, "UnexpectedSelection") == 0)
           || (p->uses_stopped && strcmp(name, "PeerStopped") == 0);
}

// A name of the runtime for the program's last lines: another one where the code has its own.
static Sym footer_name(const Printer *p, const char *name)
{
    Sym own = names_get(p->cx->names, name);
    while (has_name(p->bound, own))
        own = names_format(p->cx->names, "%s_", own);
    return own;
}

static void import_footer_name(Printer *p, const char *name)
{
    Sym own = footer_name(p, name);
    vec_push(p->cx->arena, &p->from_runtime, module_alias(&p->text, name, own));
}

// What a parameter of the entry is for this role: `channel`, `option` or `absent`.
static const char *parameter_kind(const Printer *p, const Arg *arg)
{
    if (!endpoint_is_at(arg->annotation, p->role))
        return "absent";
    return endpoint_is_channel(arg->annotation) ? "channel" : "option";
}

static void import_parameter_kinds(Printer *p)
{
    static const char *const kinds[] = {"absent", "channel", "option"};
    ArgList args = endpoint_parameters(p->cx->arena, p->cx->entry->choreo.def);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; i < args.len; i++)
            if (strcmp(parameter_kind(p, args.at[i]), kinds[k]) == 0) {
                import_footer_name(p, kinds[k]);
                break;
            }
}

static int by_name(const void *x, const void *y)
{
    return strcmp((*(const Alias *const *)x)->name, (*(const Alias *const *)y)->name);
}

static void find_imports(Printer *p)
{
    IrWalker w = {.cx = p, .stmt = note_stmt, .expr = note_expr};
    ir_walk_stmts(&w, p->body);
    for (size_t i = 0; i < sizeof provided / sizeof *provided; i++) {
        const Provided *row = &provided[i];
        if (!needs(p, row->name))
            continue;
        vec_push(p->cx->arena, &p->from_runtime,
                 module_alias(&p->text, row->there, names_get(p->cx->names, row->name)));
    }
    if (p->cx->entry) {
        import_footer_name(p, "Program");
        import_parameter_kinds(p);
    }
    if (p->from_runtime.len > 1)
        qsort(p->from_runtime.at, p->from_runtime.len, sizeof *p->from_runtime.at, by_name);
    p->text.from_runtime = (AliasList){p->from_runtime.at, p->from_runtime.len};
    p->text.from_typing = module_typing(&p->text, p->mentioned, p->bound);
}

// ---- how the program starts ----

// The half of the entry: named `main_R`, with underscores behind it where the source uses that
// name.
static const Stmt *find_half(const Printer *p)
{
    const Stmt *entry = p->cx->entry->choreo.def;
    Sym name = names_format(p->cx->names, "%s_%s", entry->function_def.name, p->role);
    size_t len = strlen(name);
    for (size_t i = 0; i < p->body.len; i++) {
        const Stmt *s = p->body.at[i];
        if (s->kind == STMT_FUNCTION_DEF && s->at.start == entry->at.start
            && strncmp(s->function_def.name, name, len) == 0
            && strspn(s->function_def.name + len, "_") == strlen(s->function_def.name + len))
            return s;
    }
    return NULL;
}

static Sym peer_of(const Printer *p, const Arg *arg)
{
    SymList ends = arg->annotation->located.type->inst.actuals;
    for (size_t i = 0; i < ends.len; i++)
        if (ends.at[i] != p->role)
            return ends.at[i];
    return p->role;
}

static bool is_secure(const Arg *arg)
{
    const Expr *target = arg->annotation->located.type->inst.target;
    return target->kind == EXPR_NAME && sym_is(target->name.id, "SecureChannel");
}

static void print_names(Printer *p, SymList names)
{
    for (size_t i = 0; i < names.len; i++) {
        buf_puts(p->b, i ? ", " : "(");
        module_print_str(p->b, p->cx->arena, names.at[i]);
    }
    buf_puts(p->b, names.len == 1 ? ",)" : ")");
}

// The other roles of a parameter, which must be given the same; without any, nothing.
static void print_agreed(Printer *p, const Arg *checked)
{
    SymList others = endpoint_others(p->cx->arena, checked->annotation, p->role);
    if (others.len == 0)
        return;
    buf_puts(p->b, ", agreed=");
    print_names(p, others);
}

// `checked` says where the parameter is; its type and default are as this role has them.
static void print_parameter(Printer *p, const Arg *checked, const Expr *type, const Expr *value)
{
    const char *kind = parameter_kind(p, checked);
    buf_printf(p->b, "        %s(", footer_name(p, kind));
    module_print_str(p->b, p->cx->arena, checked->arg);
    if (strcmp(kind, "channel") == 0) {
        buf_puts(p->b, ", ");
        module_print_str(p->b, p->cx->arena, peer_of(p, checked));
        if (is_secure(checked))
            buf_puts(p->b, ", secure=True");
    } else if (strcmp(kind, "option") == 0) {
        buf_puts(p->b, ", ");
        emit_python_expr(p->b, type);
        if (value) {
            buf_puts(p->b, ", default=");
            emit_python_expr(p->b, value);
        }
        print_agreed(p, checked);
    }
    buf_puts(p->b, "),\n");
}

static void print_parameters(Printer *p, const Stmt *half)
{
    ArgList args = endpoint_parameters(p->cx->arena, p->cx->entry->choreo.def);
    ArgList own = endpoint_parameters(p->cx->arena, half);
    if (args.len == 0) {
        buf_puts(p->b, "    parameters=(),\n");
        return;
    }
    buf_puts(p->b, "    parameters=(\n");
    for (size_t i = 0; i < args.len; i++)
        print_parameter(p, args.at[i], own.at[i]->annotation, endpoint_default(half, i));
    buf_puts(p->b, "    ),\n");
}

static void print_roles(Printer *p)
{
    buf_puts(p->b, "    roles=");
    print_names(p, p->cx->roles);
    buf_puts(p->b, ",\n");
}

static void print_result(Printer *p)
{
    const Expr *returns = p->cx->entry->choreo.def->function_def.returns;
    ExprList parts = endpoint_result_parts(returns);
    if (parts.len == 0) {
        buf_printf(p->b, "    result=\"%s\",\n",
                   endpoint_is_at(returns, p->role) ? "here" : "absent");
        return;
    }
    buf_puts(p->b, "    result=(");
    for (size_t i = 0; i < parts.len; i++)
        buf_printf(p->b, "%s%s", i ? ", " : "",
                   endpoint_is_at(parts.at[i], p->role) ? "True" : "False");
    buf_puts(p->b, parts.len == 1 ? ",),\n" : "),\n");
}

// The sites of the role's own code, and of the modules that it imports.
static SiteRows reached_sites(const Printer *p)
{
    const EndpointCx *cx = p->cx;
    SiteRows rows = site_rows_of(cx->arena, &cx->sites, p->body);
    for (size_t i = 0; i < cx->beside.len; i++)
        if (p->reached[i])
            site_rows_add(cx->arena, &rows, cx->beside.at[i].sites);
    return rows;
}

static bool print_sites(Printer *p, Buf *b)
{
    SiteRows rows = reached_sites(p);
    if (rows.len == 0)
        return false;
    buf_printf(b, "\n\n%s = {\n", footer_name(p, "SITES"));
    for (size_t i = 0; i < rows.len; i++) {
        buf_printf(b, "    %d: ", rows.at[i].number);
        module_print_str(b, p->cx->arena, rows.at[i].places);
        buf_puts(b, ",\n");
    }
    buf_puts(b, "}\n");
    return true;
}

static void print_program(Printer *p, bool sites)
{
    const Stmt *half = find_half(p);
    buf_puts(p->b, sites ? "\n" : "\n\n");
    buf_printf(p->b, "PROGRAM = %s(\n    role=", footer_name(p, "Program"));
    module_print_str(p->b, p->cx->arena, p->role);
    buf_puts(p->b, ",\n");
    print_roles(p);
    buf_printf(p->b, "    protocol=\"%s\",\n    source=", p->cx->protocol);
    module_print_str(p->b, p->cx->arena, p->cx->source_name);
    buf_printf(p->b, ",\n    main=%s,\n", half->function_def.name);
    print_parameters(p, half);
    print_result(p);
    if (sites)
        buf_printf(p->b, "    sites=%s,\n", footer_name(p, "SITES"));
    endpoint_print_types(p->b, p->cx, p->bound, p->reached);
    buf_puts(p->b, ")\n\nif __name__ == \"__main__\":\n    PROGRAM.run()\n");
}

static void print_module(Buf *b, Printer *p, const char *purpose)
{
    Arena *a = p->cx->arena;
    Buf head = buf_new(a), body = buf_new(a), sites = buf_new(a), tail = buf_new(a);
    LineTable lines = {.arena = a, .source = p->cx->lines, .part = p->cx->part,
                       .name = p->cx->source_name, .hash = p->cx->source_hash};
    p->text.lines = lines.source != NULL ? &lines : NULL;
    find_imports(p);
    module_print_heading(&head, &p->text, purpose);
    module_print_body(&body, &p->text, module_print_imports(&head, &p->text, p->body));
    if (p->cx->entry) {
        bool any = print_sites(p, &sites);
        p->b = &tail;
        print_program(p, any);
    }
    ModuleParts parts = {&head, &body, &sites, &tail, p->loads, p->cx->order, p->text.lines};
    module_finish(b, a, p->cx->names, parts, p->cx->module);
}

static Printer printer_of(const EndpointCx *cx, Sym role, StmtList body)
{
    return (Printer){.cx = cx, .role = role, .body = body,
                     .text = {.arena = cx->arena, .names = cx->names,
                              .source_name = cx->source_name, .source_hash = cx->source_hash,
                              .runtime_module = "pychoral.endpoint", .runtime_first = true,
                              .sites = &cx->sites},
                     .bound = names_bound(cx->arena, cx->names, body),
                     .mentioned = names_free(cx->arena, cx->names, body)};
}

void emit_endpoint(Buf *b, const EndpointCx *cx, const Endpoint *endpoint)
{
    const bool *reached = imported_reached(cx->arena, cx->names, cx->beside,
                                           imported_mentioned(cx->arena, cx->names, endpoint));
    StmtList body = endpoint_with_types(cx, endpoint->body, reached);
    Printer p = printer_of(cx, endpoint->role,
                           cx->module ? module_plain_imports(cx->arena, body) : body);
    p.reached = reached;
    p.loads = endpoint->loads;
    print_module(b, &p, names_format(cx->names, "for role %s", endpoint->role));
}

void emit_module(Buf *b, const EndpointCx *cx, const Endpoint *module)
{
    Printer p = printer_of(cx, NULL, module_plain_imports(cx->arena, module->body));
    print_module(b, &p, "for all its roles");
}

// The hashes of the modules that it imports are those of `cx->modules`, in `cx->parts`.
void emit_interface(Buf *b, const EndpointCx *cx, const Unit *interface, SiteRows sites)
{
    Buf head = buf_new(cx->arena), body = buf_new(cx->arena);
    ModuleText t = {.arena = cx->arena, .names = cx->names, .source_name = cx->source_name,
                    .source_hash = cx->source_hash};
    module_print_heading(&head, &t, "as its interface");
    buf_printf(&head, INTERFACE_LINE "%s\n%s", cx->source_hash, cx->parts);
    site_rows_print(&head, sites);
    StmtList plain = module_plain_imports(cx->arena, interface->module.body);
    emit_python_stmts(&body, plain, (PythonOptions){0});
    module_finish(b, cx->arena, cx->names, (ModuleParts){.head = &head, .body = &body}, cx->module);
}
