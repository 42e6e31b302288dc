// c_program.c - the file of a role: types, rows, constants, functions, and how the program starts.

#include <stdlib.h>
#include <string.h>

#include "compiler/emit/c/c_internal.h"
#include "compiler/emit/c_project.h"
#include "compiler/emit/endpoint.h"
#include "compiler/emit/python.h"
#include "compiler/emit/site_table.h"
#include "compiler/ir/free_names.h"

SymList c_bound_names(CEmit *c, const Stmt *s)
{
    return names_bound(c->arena, c->names, (StmtList){&s, 1});
}

// ---- what the start evaluates ----

static bool is_member(const Expr *e)
{
    const Expr *base = e->kind == EXPR_ATTRIBUTE ? e->attribute.value : NULL;
    return base != NULL && base->kind == EXPR_NAME && e->ty != NULL && e->ty->kind == TY_NAMED
           && e->ty->named.name == base->name.id;
}

// `Unit_.id`, as it is written where the file has a `Unit` of its own.
static bool is_own_unit(const Expr *e)
{
    return e->kind == EXPR_ATTRIBUTE && sym_is(e->attribute.attr, "id")
           && e->attribute.value->kind == EXPR_NAME
           && sym_is(e->attribute.value->name.id, "Unit_");
}

bool c_is_constant(const Expr *e)
{
    if (e->kind == EXPR_UNIT || is_own_unit(e))
        return true;
    if (e->kind == EXPR_UNARY_OP)
        return e->unary_op.operand->kind == EXPR_CONSTANT;
    return e->kind == EXPR_CONSTANT || is_member(e);
}

static const Stmt *find_half(CEmit *c)
{
    const Stmt *entry = c->cx->entry->choreo.def;
    Sym name = names_format(c->names, "%s_%s", entry->function_def.name, c->endpoint->role);
    size_t len = strlen(name);
    StmtList body = c->modules.at[c->modules.len - 1].body;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_FUNCTION_DEF && s->at.start == entry->at.start
            && strncmp(s->function_def.name, name, len) == 0
            && strspn(s->function_def.name + len, "_") == strlen(s->function_def.name + len))
            return s;
    }
    return NULL;
}

// Defaults that are no constants are made once, where the function is defined. Those of the entry
// belong to the code that calls it: nothing runs behind that.
static void defaults_of(CEmit *c, const Stmt *def, CClass *owner)
{
    const Arguments *args = def->function_def.args;
    if (c_type_vars(c, def).len > 0)
        return;
    CFunction *f = NULL;
    const Stmt *half = find_half(c);
    const ExprList lists[] = {args->defaults, args->kw_defaults};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l].len; i++) {
            const Expr *e = lists[l].at[i];
            if (e == NULL || c_is_constant(e))
                continue;
            if (f == NULL)
                f = c_signature(c, def, owner, owner ? owner->types : NULL);
            size_t at = l == 0 ? args->posonlyargs.len + args->args.len - args->defaults.len + i
                : args->posonlyargs.len + args->args.len + (args->vararg != NULL) + i;
            at -= f->is_class && at > 0;
            const Rep *rep = f->params.at[at];
            if (!rep_passed(rep))
                continue;
            const char *name = c_unique(c, c_text(c, "%s_default_%s", f->c_name, f->names.at[at]));
            buf_printf(&c->globals, "static _Thread_local %s%s;\n", rep->type, name);
            table_set(c->defaults, e, (void *)name);
            c->line = c_line_of(c, e->at);
            Value v = def == half ? c_option_default(c, e, rep) : c_expr_as(c, e, rep);
            if (def == half && v.hold == HOLD_OWNED)
                c_line(c, "%s = %s;", name, c_temp(c, v).text);
            else
                c_line(c, "%s = %s;", name, c_owned(c, v));
        }
}

// Nobody can tell whether it is made once, or at each call.
static bool is_made_anew(const Expr *e)
{
    bool all = e->kind == EXPR_TUPLE;
    for (size_t i = 0; all && i < e->tuple.elts.len; i++)
        all = is_made_anew(e->tuple.elts.at[i]);
    return all || c_is_constant(e);
}

Value c_default_value(CEmit *c, const Expr *e, const Rep *rep)
{
    const char *name = table_get(c->defaults, e);
    if (name != NULL)
        return c_value(rep, name, HOLD_BORROWED);
    if (!is_made_anew(e))
        return c_refuse(c, e->at, "in a generic function or class, the C target supports only "
                        "constants and tuples of constants as defaults\nwrite `None`, and create "
                        "the value in the body");
    CFunction *outer = c->function;
    Value v = c_expr_as(c, e, rep);
    c->function = outer;
    return v;
}

// What a class makes once of its field or constant, where the class statement stands.
static void start_value(CEmit *c, const CField *f, const char *name)
{
    if (!rep_passed(f->rep))
        return;
    buf_printf(&c->globals, "static _Thread_local %s%s;\n", f->rep->type, name);
    c->line = c_line_of(c, f->value->at);
    c_line(c, "%s = %s;", name, c_owned(c, c_expr_as(c, f->value, f->rep)));
}

static CField *made_by(CClass *k, const Expr *value)
{
    for (size_t i = 0; i < k->constants.len; i++)
        if (k->constants.at[i].value == value)
            return &k->constants.at[i];
    for (size_t i = 0; i < k->fields.len; i++)
        if (k->fields.at[i].value == value && k->fields.at[i].constant != NULL)
            return &k->fields.at[i];
    return NULL;
}

static void start_class(CEmit *c, CClass *k);

static void start_member(CEmit *c, CClass *k, const Stmt *s)
{
    if (s->kind == STMT_FUNCTION_DEF && !k->is_protocol && k->types == NULL)
        defaults_of(c, s, k);
    if (s->kind == STMT_CLASS_DEF && !c_is_generic(c, s))
        start_class(c, c_class_of(c, names_format(c->names, "%s.%s", k->name, s->class_def.name),
                                  (TyList){0}));
    const Expr *value = s->kind == STMT_ASSIGN ? s->assign.value
        : s->kind == STMT_ANN_ASSIGN ? s->ann_assign.value : NULL;
    const CField *f = value != NULL && !k->is_enum ? made_by(k, c_field_value(c, value)) : NULL;
    if (f != NULL)
        start_value(c, f, f->constant != NULL ? f->constant : f->c_name);
}

static void start_class(CEmit *c, CClass *k)
{
    CClass *outer = c->body_of;
    c_class_fields(c, k);
    c->body_of = k;
    for (size_t i = 0; i < k->def->class_def.body.len; i++)
        start_member(c, k, k->def->class_def.body.at[i]);
    if (k->is_enum)
        c_start_members(c, k);
    c->body_of = outer;
}

void c_start_stmt(CEmit *c, const Stmt *s)
{
    switch (s->kind) {
    case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_TYPE_ALIAS: return;
    case STMT_FUNCTION_DEF:
        c_check_decorators(c, s, true);         // they run, whether it is called or not
        defaults_of(c, s, NULL);
        return;
    case STMT_CLASS_DEF:
        if (c_global(c, s->class_def.name)->kind == CNAME_TYPE)
            c_check_typed_dict(c, s);
        else if (!c_is_generic(c, s) || c_has_constants(c, s))
            start_class(c, c_class_of(c, s->class_def.name, (TyList){0}));
        return;
    case STMT_ASSIGN: case STMT_ANN_ASSIGN: {
        const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0]
                                                    : s->ann_assign.target;
        CName *n = target->kind == EXPR_NAME ? c_global(c, target->name.id) : NULL;
        if (n != NULL && n->kind == CNAME_TYPE)
            return;
        (void)c_stmt(c, s);
        return;
    }
    case STMT_ASYNC_FUNCTION_DEF: case STMT_RETURN: case STMT_DELETE: case STMT_AUG_ASSIGN:
    case STMT_FOR: case STMT_ASYNC_FOR: case STMT_WHILE: case STMT_IF: case STMT_WITH:
    case STMT_ASYNC_WITH: case STMT_MATCH: case STMT_RAISE: case STMT_TRY: case STMT_TRY_STAR:
    case STMT_ASSERT: case STMT_GLOBAL: case STMT_NONLOCAL: case STMT_EXPR: case STMT_PASS:
    case STMT_BREAK: case STMT_CONTINUE: case STMT_CHOREO: case STMT_OFFER: case STMT_STOPPED:
    case STMT_TAPE: case STMT_KEEP: case STMT_BACK: case STMT_COUNT:
        (void)c_stmt(c, s);
        return;
    }
}

// ---- main ----

typedef struct Peers { Vec(Sym) names; Vec(bool) secure; } Peers;

static Sym peer_of(CEmit *c, const Arg *arg)
{
    SymList ends = arg->annotation->located.type->inst.actuals;
    for (size_t i = 0; i < ends.len; i++)
        if (ends.at[i] != c->endpoint->role)
            return ends.at[i];
    return c->endpoint->role;
}

static size_t peer_index(CEmit *c, Peers *peers, const Arg *arg)
{
    const Expr *target = arg->annotation->located.type->inst.target;
    bool secure = target->kind == EXPR_NAME && sym_is(target->name.id, "SecureChannel");
    Sym peer = peer_of(c, arg);
    for (size_t i = 0; i < peers->names.len; i++)
        if (peers->names.at[i] == peer) {
            peers->secure.at[i] |= secure;
            return i;
        }
    vec_push(c->arena, &peers->names, peer);
    vec_push(c->arena, &peers->secure, secure);
    return peers->names.len - 1;
}

typedef struct Program { Peers peers; Buf parameters; size_t count; const char *call; CFunction *f;
                         const Stmt *half; } Program;

// The options of the entry, and the call of its half.
static void read_main(CEmit *c, Program *p)
{
    ArgList checked = endpoint_parameters(c->arena, c->cx->entry->choreo.def);
    ArgList own = endpoint_parameters(c->arena, p->half);
    p->f = c_function(c, p->half, NULL, NULL);
    p->parameters = buf_new(c->arena);
    const char *args = "";
    for (size_t i = 0; i < checked.len; i++) {
        const Arg *arg = checked.at[i];
        if (!endpoint_is_at(arg->annotation, c->endpoint->role))
            continue;
        const char *text;
        if (endpoint_is_channel(arg->annotation)) {
            text = c_text(c, "%zu", peer_index(c, &p->peers, arg));
        } else {
            const Expr *value = endpoint_default(p->half, i);
            const Rep *rep = p->f->params.at[i];
            SymList others = endpoint_others(c->arena, arg->annotation, c->endpoint->role);
            c_option(c, &p->parameters, own.at[i], arg->arg, others, rep, value);
            text = c_text(c, "option_%s", c_identifier(c, arg->arg));
            if (rep->drop)
                c_line(c, "PYCHORAL_OWNED(%s) %s%s;", rep->drop, rep->type, text);
            else
                c_line(c, "%s%s;", rep->type, text);
            c_line(c, "pychoral_option(%zu, &%s);", p->count++, text);
        }
        if (rep_passed(p->f->params.at[i]))
            args = c_text(c, "%s%s%s", args, *args ? ", " : "", text);
    }
    p->call = c_text(c, "%s(%s)", p->f->c_name, args);
}

// Without a line of the traceback: Python's has none of who calls the entry.
static void leave_if_raised(CEmit *c)
{
    c_line(c, "if (pychoral_raised != NULL) return;");
}

static void print_result(CEmit *c, Program *p)
{
    const Expr *returns = c->cx->entry->choreo.def->function_def.returns;
    ExprList parts = endpoint_result_parts(returns);
    const Rep *rep = p->f->result;
    if (!rep_passed(rep)) {
        c_line(c, "%s;", p->call);
        if (parts.len == 0 && endpoint_is_at(returns, c->endpoint->role)) {
            leave_if_raised(c);
            c_line(c, "pychoral_print_result(&pychoral_type_none, &pychoral_nothing);");
        }
        return;
    }
    Value v = c_temp(c, c_value(rep, p->call, HOLD_OWNED));
    leave_if_raised(c);
    if (parts.len == 0) {
        if (endpoint_is_at(returns, c->endpoint->role))
            c_line(c, "pychoral_print_result(%s, &%s);", rep->row, v.text);
        return;
    }
    const char *here = "";
    for (size_t i = 0; i < parts.len; i++)
        here = c_text(c, "%s%s%s", here, i ? ", " : "",
                      endpoint_is_at(parts.at[i], c->endpoint->role) ? "true" : "false");
    c_line(c, "pychoral_print_result_parts(%s, &%s, (const bool[]){%s});", rep->row, v.text, here);
}

// The code of a module that the program imports, in a function of its own; nothing if it has none.
static const char *print_module_start(CEmit *c, const CModule *m)
{
    const char *name = c_unique(c, c_text(c, "start_%s", m->name));
    Buf b = buf_new(c->arena), *outer = c->out;
    c->out = &b;
    c->home = m;
    b.indent = 1;
    for (size_t i = 0; i < m->body.len; i++)
        c_start_stmt(c, m->body.at[i]);
    c->out = outer;
    if (b.len == 0)
        return NULL;
    c_line(c, "\n// The code of %s.\nstatic void %s(void)\n{", m->file_name, name);
    buf_write(c->out, b.at, b.len);
    c_line(c, "}");
    return name;
}

// Calls the functions that `starts` names, of imported modules; then the code of the program's own.
static void print_modules(CEmit *c, size_t imported, const char *const *starts)
{
    c->home = &c->modules.at[imported];
    c->out->indent++;
    for (size_t i = 0; i < imported; i++)
        if (starts[i] != NULL) {
            c_line(c, "%s();", starts[i]);
            leave_if_raised(c);
        }
    for (size_t i = 0; i < c->home->body.len; i++)
        c_start_stmt(c, c->home->body.at[i]);
    c->out->indent--;
}

// The code of the modules is a function of its own where an option asks for it: its default may use
// what stands there, and is shown by `--help`, which starts nothing.
static void print_load(CEmit *c, const Buf *modules)
{
    buf_puts(&c->globals, "static _Thread_local bool is_loaded;\n");
    buf_puts(&c->prototypes, "static void load(void);\n");
    c_line(c, "\n// The code of the module, once.\nstatic void load(void)\n{\n    if (is_loaded)\n"
           "        return;\n    is_loaded = true;");
    buf_write(c->out, modules->at, modules->len);
    c_line(c, "}");
}

// The code of the module, then main: `start`.
static void print_start(CEmit *c, Program *p)
{
    Buf *outer = c->out, modules = buf_new(c->arena), entry = buf_new(c->arena);
    size_t imported = c->modules.len - 1;
    const char **starts = ARENA_ARRAY(c->arena, const char *, imported + 1);
    c->start = buf_new(c->arena);
    c->out = &c->start;
    c->fail = "return;";
    for (size_t i = 0; i < imported; i++)
        starts[i] = print_module_start(c, &c->modules.at[i]);
    c->out = &modules;
    print_modules(c, imported, starts);
    c->out = &entry;
    c->out->indent++;
    c->line = c_line_of(c, p->half->at);
    read_main(c, p);
    print_result(c, p);
    c->out = &c->start;
    if (c->needs_load)
        print_load(c, &modules);
    c_line(c, "// The code of the module, then the entry.\nstatic void start(void)\n{");
    if (c->needs_load)
        c_line(c, "    load();\n    if (pychoral_raised != NULL) return;");
    else if (modules.len > 0)
        buf_write(c->out, modules.at, modules.len);
    buf_write(c->out, entry.at, entry.len);
    c_line(c, "}");
    c->out = outer;
}

// ---- the tables at the end ----

enum { SITES_WIDTH = 100 };

static void print_tables(CEmit *c, Buf *b, Program *p)
{
    SiteRows sites = c_sites(c);
    buf_puts(b, "static const char *const ROLES[] = {");
    for (size_t i = 0; i < c->cx->roles.len; i++)
        buf_printf(b, "%s\"%s\"", i ? ", " : "", c->cx->roles.at[i]);
    buf_puts(b, "};\n");
    if (p->peers.names.len > 0) {
        bool one = p->peers.names.len == 1;
        buf_printf(b, "static const PychoralPeer PEERS[] = {%s", one ? "" : "\n");
        for (size_t i = 0; i < p->peers.names.len; i++)
            buf_printf(b, "%s{\"%s\", %s}%s", one ? "" : "    ", p->peers.names.at[i],
                       p->peers.secure.at[i] ? "true" : "false", one ? "" : ",\n");
        buf_puts(b, "};\n");
    }
    if (p->count > 0)
        buf_printf(b, "static const PychoralParameter PARAMETERS[] = {\n%s};\n",
                   buf_text(&p->parameters));
    if (sites.len > 0) {
        buf_puts(b, "static const PychoralSite SITES[] = {");
        size_t column = SITES_WIDTH;
        for (size_t i = 0; i < sites.len; i++) {
            const char *places = c_literal(c, (Text){sites.at[i].places,
                                                     strlen(sites.at[i].places)});
            const char *row = c_text(c, "{%d, %s},", sites.at[i].number, places);
            bool fits = column + strlen(row) < SITES_WIDTH;
            column = (fits ? column + 1 : 4) + strlen(row);
            buf_printf(b, "%s%s", fits ? " " : "\n    ", row);
        }
        buf_puts(b, "\n};\n");
    }
    buf_printf(b, "static int body(PychoralRole *role) { return pychoral_run(role, start); }\n"
               "static const PychoralProgram PROGRAM = {\n    .role = \"%s\", .roles = ROLES, "
               ".role_count = %zu,\n    .protocol = \"%s\",\n    .source = PYCHORAL_FILE, .body = "
               "body, .reading = &pychoral_reading,\n", c->endpoint->role, c->cx->roles.len,
               c->cx->protocol);
    if (p->count > 0)
        buf_printf(b, "    .parameters = PARAMETERS, .parameter_count = %zu,\n", p->count);
    if (p->peers.names.len > 0)
        buf_printf(b, "    .peers = PEERS, .peer_count = %zu,%s", p->peers.names.len,
                   sites.len > 0 ? "" : "\n");
    if (sites.len > 0)
        buf_printf(b, "%s.sites = SITES, .site_count = %zu,\n",
                   p->peers.names.len > 0 ? " " : "    ", (size_t)sites.len);
    buf_puts(b, "};\n\nPYCHORAL_ENDPOINT(PROGRAM)\n");
}

// ---- the file ----

static void new_emitter(CEmit *c, const CRole *role, Diags *diags, Table *erased, Table *joined)
{
    Arena *a = role->cx->arena;
    *c = (CEmit){.arena = a, .names = role->cx->names, .source = role->source,
                 .diags = diags, .cx = role->cx, .erased = erased, .joined = joined,
                 .sends_classes = role->sends_classes, .endpoint = role->endpoint,
                 .options = {.no_line = !role->lines}, .parse = role->parse,
                 .reported = role->promotions};
    c->reps = table_new(a);
    c->module = table_new(a);
    c->stored = table_new(a);
    c->shown = table_new(a);
    c->classes = table_new(a);
    c->functions = table_new(a);
    c->c_names = table_new(a);
    c->local_names = table_new(a);
    c->texts = table_new(a);
    c->unsure = table_new(a);
    c->defaults = table_new(a);
    c->values = table_new(a);
    c->scrap = diags_new(a);
    Buf *const bufs[] = {&c->constants, &c->prototypes, &c->code, &c->entries,
                         &c->functions_as_values, &c->globals, &c->start};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        *bufs[i] = buf_new(a);
    c->out = &c->code;
    static const char *const OWN[] = {"start", "body", "ROLES", "PEERS", "SITES", "PARAMETERS",
                                      "PROGRAM"};
    for (size_t i = 0; i < sizeof OWN / sizeof *OWN; i++)
        (void)c_unique(c, OWN[i]);
    const char *name = role->cx->source_name;
    size_t len = strcspn(name, ".");
    char *prefix = arena_alloc(a, len + 1);
    memcpy(prefix, name, len);
    prefix[len] = '\0';
    for (char *at = prefix; *at; at++)
        if (!((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z')
              || (*at >= '0' && *at <= '9')))
            *at = '_';
    c->prefix = prefix[0] >= '0' && prefix[0] <= '9' ? c_text(c, "m%s", prefix) : prefix;
}

// Stands for a #line directive until the lines of the file are counted.
static const char OWN_LINE[] = "#line @";

const char *c_own_line(CEmit *c) { return c->options.no_line ? "" : c_text(c, "\n%s", OWN_LINE); }

static bool is_directive(const char *at, const char *end)
{
    at += strspn(at, " ");
    return at < end && strncmp(at, "#line ", 6) == 0;
}

// A directive in the text, and the line that it gives to what comes next.
typedef struct Told { const char *at; size_t len, number; const char *name; size_t name_len; } Told;

static Told read_directive(const char *at, size_t len)
{
    char *name;
    size_t number = strtoul(at + strspn(at, " ") + strlen("#line "), &name, 10);
    return (Told){at, len, number, name, len - (size_t)(name - at)};
}

// The text with its own lines' numbers. Each line of a statement that takes several is of the line
// of the choreography; there is a directive where C would not count on to that by itself.
static Buf with_own_lines(CEmit *c, Buf *from, const char *file)
{
    Buf b = buf_new(c->arena);
    const char *quoted = c_literal(c, (Text){file, strlen(file)});
    Told told = {0}, counted = {0};
    size_t line = 1;
    for (const char *at = from->at, *end; *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, "\n");
        size_t len = (size_t)(end - at) + (*end == '\n');
        if (strncmp(at, OWN_LINE, sizeof OWN_LINE - 1) == 0) {
            buf_printf(&b, "#line %zu %s\n", ++line, quoted);
            told = counted = (Told){0};
            continue;
        }
        if (is_directive(at, end)) {
            told = read_directive(at, len);
            continue;
        }
        bool same = told.at != NULL && counted.at != NULL && counted.number == told.number
                    && counted.name_len == told.name_len
                    && strncmp(counted.name, told.name, told.name_len) == 0;
        if (told.at != NULL && at != end && !same) {
            buf_raw(&b, told.at, told.len);
            line++;
            counted = told;
        }
        buf_raw(&b, at, len);
        line++;
        counted.number++;
        if (*at == '}')                         // the function ends
            told = (Told){0};
    }
    return b;
}

static void put_section(Buf *b, const char *title, Buf *text)
{
    if (text->len == 0)
        return;
    buf_printf(b, "\n// ---- %s ----\n\n", title);
    bool blank = text->len > 1 && strncmp(text->at + text->len - 2, "\n\n", 2) == 0;
    buf_write(b, text->at, text->len - blank);
}

// The code, and what names it. What is no function continues at a line of this very file.
static void print_tail(CEmit *c, Buf *b, Program *p)
{
    buf_puts(b, "\n// ---- code ----\n");
    if (c->code.len > 0)
        buf_write(b, c->code.at, c->code.len);
    if (c->entries.len > 0) {
        buf_printf(b, "%s\n", c_own_line(c));
        buf_write(b, c->entries.at, c->entries.len);
    }
    buf_printf(b, "%s\n", c_own_line(c));
    buf_write(b, c->start.at, c->start.len);
    buf_printf(b, "%s\n", c_own_line(c));
    print_tables(c, b, p);
}

static void put_file(CEmit *c, const CRole *role, Buf *b, Program *p)
{
    Buf forward = buf_new(c->arena), structs = buf_new(c->arena), rows = buf_new(c->arena);
    Buf class_rows = buf_new(c->arena), types = buf_new(c->arena);
    c_print_classes(c, &forward, &structs, &class_rows);
    Buf tail = buf_new(c->arena), rest = buf_new(c->arena);
    print_tail(c, &tail, p);
    Buf *const parts[] = {&structs, &c->constants, &c->globals, &c->prototypes, &class_rows,
                          &c->functions_as_values, &tail};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i]->len > 0)
            buf_write(&rest, parts[i]->at, parts[i]->len);
    c_print_reps(c, &types, &rows, &rest);
    c_print_heading(b, role->cx, c_text(c, "for role %s", c->endpoint->role));
    buf_printf(b, "#define PYCHORAL_FILE %s     // the lines in PYCHORAL_FAILED are of it\n"
                  "#include \"builtins/builtins.h\"     // generated.h: what the macros do\n",
               c_literal(c, (Text){role->cx->source_name, strlen(role->cx->source_name)}));
    SymList foreign = c_foreign_used(c);
    for (size_t i = 0; i < foreign.len; i++)
        buf_printf(b, "#include \"%s.h\"\n", foreign.at[i]);
    Buf all = buf_new(c->arena);
    buf_write(&all, types.at ? types.at : "", types.len);
    buf_write(&all, structs.at ? structs.at : "", structs.len);
    put_section(b, "classes", &forward);
    put_section(b, "types", &all);
    put_section(b, "constants", &c->constants);
    put_section(b, "variables of the module", &c->globals);
    put_section(b, "functions", &c->prototypes);
    put_section(b, "rows: what the runtime knows of these types", &rows);
    if (class_rows.len > 0)
        buf_write(b, class_rows.at, class_rows.len);
    put_section(b, "functions as values", &c->functions_as_values);
    buf_write(b, tail.at, tail.len);
}

static CProgram emit(CEmit *c, const CRole *role, Instances known)
{
    Program p = {0};
    c_find_modules(c, role->modules);
    c_find_foreign(c, role->loader);
    for (size_t i = 0; i < c->modules.len; i++)
        c_collect_module(c, c->modules.at[i].body);
    for (size_t i = 0; i < c->modules.len; i++)
        c_collect_stores(c, c->modules.at[i].body);
    for (size_t i = 0; i < c->modules.len; i++)
        c_settle_variables(c, c->modules.at[i].body);
    for (size_t i = 0; i < known.len; i++)
        (void)c_class_of(c, known.at[i].class_, known.at[i].args);
    p.half = find_half(c);
    print_start(c, &p);
    c_print_queue(c);
    for (size_t before = 0; before != c->class_order.len + c->printed;) {
        before = c->class_order.len + c->printed;
        c_prepare_classes(c);
        c_prepare_object(c);
        c_print_queue(c);
    }
    Buf text = buf_new(c->arena);
    SymList foreign = c_foreign_used(c);
    CFile *file = ARENA_ARRAY(c->arena, CFile, foreign.len + 1);
    *file = (CFile){names_format(c->names, "%s.c", role->base), buf_new(c->arena)};
    c_foreign_headers(c, file + 1);
    put_file(c, role, &text, &p);
    file->text = with_own_lines(c, &text, file->name);
    return (CProgram){{file, foreign.len + 1}, foreign,
                      {c->promoted.at, c->promoted.len}};
}

// Again, as long as there are more classes than were known to the code that tells them apart, or
// generic classes are found that must be one class, or fewer; and to tell what is refused.
CProgram emit_c_role(const CRole *role)
{
    Table *erased = table_new(role->cx->arena), *joined = table_new(role->cx->arena);
    Instances known = {0};
    for (;;) {
        CEmit c;
        Diags *diags = diags_new(role->cx->arena);
        diags_set_source(diags, role->source);
        new_emitter(&c, role, diags, erased, joined);
        CProgram program = emit(&c, role, known);
        bool fewer = c.to_erase.len > 0 || c.to_join.len > 0;
        bool all = !fewer && c.instances.len == known.len;
        if (all && diags_count(diags) == 0)
            return program;
        if (all)
            break;
        for (size_t i = 0; i < c.to_erase.len; i++)
            table_set(erased, c.to_erase.at[i], erased);
        for (size_t i = 0; i < c.to_join.len; i++)
            table_set(joined, c.to_join.at[i], joined);
        known = fewer ? (Instances){0} : c.instances;
    }
    CEmit c;
    new_emitter(&c, role, role->diags, erased, joined);
    return emit(&c, role, known);
}
