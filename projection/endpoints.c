// endpoints.c - assembles the halves of all choreographies into one program for each role.
//
// A program's endpoint for role R starts from R's half of the entry and takes along what that
// reaches: halves of other choreographies, local functions and classes, variables, imports. What a
// role does not reach is not in its program (docs/language.md, "Modules"): a definition or import
// is kept where its name is needed; any other module statement runs at the roles that use a name it
// mentions, and at all roles if none does. Besides, whatever changes while it loads what the role
// may see is kept: `Loads` (ir/loads.h) says what that is. Everything stays in source order.
//
// In Python a module beside the program is one text for all roles, and loaded whole; in C a program
// has of it what the rule keeps (`pieces`).
//
// A role also takes along the classes that it may receive: those that a type names which it
// receives, what their fields name, the dataclasses below them. Of a value of which nothing is
// known that is any enum or dataclass that the program of a role that sends it such values has.

#include "projection/projection.h"

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/base/suggest.h"
#include "compiler/base/vec.h"
#include "compiler/ir/free_names.h"
#include "projection/projection_internal.h"
#include "projection/received.h"
#include "compiler/base/table.h"

// A statement of the module, or one role's half of a choreography.
typedef struct Item {
    StmtList body;
    SymList  binds, mentions;
    Sym      formal;            // of a half; NULL otherwise
    size_t   part;              // of the source: which module it is from
    bool     acts;              // does more than bind names
    bool     receives_any;      // a value of which nothing is known
    bool     entry;             // a half of the entry: its role names are those of the program
    SymList  sends_any;         // over channels of these roles it sends what may be anything
    bool     sends_known;       // the roles just named have been looked for
    SymList  received;          // what the types name of which it receives values
    SymList  parts;             // of a class or an alias: what its fields, or it, may be
    bool     open;              // one of these says nothing of its values
    bool     may_travel;        // a class whose instances can be sent
    bool     dataclass;
    bool     used;              // by some role
    const Load *load;           // what it does while it loads; NULL: nothing that others see
} Item;

typedef struct ItemRefs { Vec(size_t) refs; } ItemRefs;

typedef struct Assembly {
    Arena *arena;
    Names *names;
    Diags *diags;
    const Source *source;
    Vec(Item) items;
    Table *binders;             // Sym -> ItemRefs *: the items that bind a name
    const Loads *loads;         // NULL: no statement changes what another made
    Table *load_at;             // start of a statement -> Load
    const Stmt *entry;          // NULL: a library
} Assembly;

// How much is kept of the modules beside the programs: what the rule keeps; or all of one of which
// anything is loaded. BLIND: as if loading changed nothing.
typedef enum Extent { IN_PIECES, WHOLE, BLIND } Extent;

// What one role needs so far.
typedef struct Reach {
    Assembly *assembly;
    Extent    extent;
    bool     *sees;             // by thing
    bool     *loaded;           // by part
    Sym       role;
    bool     *kept;             // by item
    bool      receives_any;     // one of them does
    Table    *needed;           // Sym -> anything
    Table    *received;         // Sym -> anything: classes whose instances may come
    Table    *below;            // Sym -> anything: plain classes between these and others
    Vec(Sym)  pending;          // needed, and not yet looked up
} Reach;

// ---- who sends them ----

typedef struct Sending { const Assembly *assembly; Vec(Sym) roles; } Sending;

// A value of a type with a class of the program in it may be anything inside.
static bool may_be_any(const Assembly *as, const Ty *payload)
{
    Found f = received_of_type(as->arena, as->names, payload);
    for (size_t i = 0; i < f.names.len; i++)
        f.open |= table_get(as->binders, f.names.at[i]) != NULL;
    return f.open;
}

static bool look_at_sending(void *cx, const Expr *e)
{
    Sending *s = cx;
    if (e->kind != EXPR_SEND || !may_be_any(s->assembly, e->send.payload))
        return true;
    const Ty *channel = e->send.channel->ty;
    if (channel == NULL || channel->kind != TY_INST)
        return true;
    for (size_t i = 0; i < channel->inst.actuals.len; i++)
        vec_push(s->assembly->arena, &s->roles, channel->inst.actuals.at[i]);
    return true;
}

// Few programs receive what may be anything, and only these ask. Classes are known only when all
// items are.
static SymList sendings_of(const Assembly *as, Item *item)
{
    Sending s = {.assembly = as};
    IrWalker w = {.cx = &s, .expr = look_at_sending};
    if (item->formal != NULL && !item->sends_known)
        ir_walk_stmts(&w, item->body);
    if (!item->sends_known)
        item->sends_any = (SymList){s.roles.at, s.roles.len};
    item->sends_known = true;
    return item->sends_any;
}

static bool is_dataclass(const Expr *decorator)
{
    const Expr *e = decorator->kind == EXPR_CALL ? decorator->call.func : decorator;
    return (e->kind == EXPR_NAME && sym_is(e->name.id, "dataclass"))
           || (e->kind == EXPR_ATTRIBUTE && sym_is(e->attribute.attr, "dataclass"));
}

static bool says_dataclass(const Stmt *s)
{
    for (size_t i = 0; s->kind == STMT_CLASS_DEF && i < s->class_def.decorator_list.len; i++)
        if (is_dataclass(s->class_def.decorator_list.at[i]))
            return true;
    return false;
}

static Sym base_name(const Stmt *s, size_t i)
{
    const Expr *base = s->class_def.bases.at[i];
    if (base->kind == EXPR_SUBSCRIPT)
        base = base->subscript.value;
    return base->kind == EXPR_NAME ? base->name.id : NULL;
}

// A dataclass; what has bases may be an enum, or derived from a dataclass; or a class around one.
static bool may_travel(const Stmt *s)
{
    if (s->kind != STMT_CLASS_DEF)
        return false;
    bool found = s->class_def.bases.len > 0 || says_dataclass(s);
    for (size_t i = 0; i < s->class_def.body.len && !found; i++)
        found = may_travel(s->class_def.body.at[i]);
    return found;
}

// ---- items ----

static bool is_plain_name(const Expr *e) { return e->kind == EXPR_NAME; }

// Whether a module statement only binds names, so that nobody misses it who does not use them.
static bool only_binds(const Stmt *s)
{
    switch (s->kind) {
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF:
    case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_TYPE_ALIAS: case STMT_CHOREO:
    case STMT_PASS:
        return true;
    case STMT_ASSIGN:
        for (size_t i = 0; i < s->assign.targets.len; i++)
            if (!is_plain_name(s->assign.targets.at[i]))
                return false;
        return true;
    case STMT_ANN_ASSIGN:
        return is_plain_name(s->ann_assign.target);
    case STMT_AUG_ASSIGN:
        return is_plain_name(s->aug_assign.target);
    case STMT_RETURN: case STMT_DELETE: case STMT_FOR: case STMT_ASYNC_FOR: case STMT_WHILE:
    case STMT_IF: case STMT_WITH: case STMT_ASYNC_WITH: case STMT_MATCH: case STMT_RAISE:
    case STMT_TRY: case STMT_TRY_STAR: case STMT_ASSERT: case STMT_GLOBAL: case STMT_NONLOCAL:
    case STMT_EXPR: case STMT_BREAK: case STMT_CONTINUE: case STMT_OFFER: case STMT_STOPPED:
    case STMT_TAPE: case STMT_KEEP: case STMT_BACK: case STMT_COUNT:
        break;
    }
    return false;
}

static void note_binders(Assembly *as, size_t index, SymList binds)
{
    for (size_t i = 0; i < binds.len; i++) {
        ItemRefs *refs = table_get(as->binders, binds.at[i]);
        if (refs == NULL) {
            refs = ARENA_NEW(as->arena, ItemRefs);
            table_set(as->binders, binds.at[i], refs);
        }
        vec_push(as->arena, &refs->refs, index);
    }
}

static const Load *load_of(const Assembly *as, StmtList body)
{
    return body.len > 0 ? table_get(as->load_at, table_key(body.at[0]->at.start)) : NULL;
}

static void add_item(Assembly *as, StmtList body, Sym formal, bool acts)
{
    Found got = formal ? received_by(as->arena, as->names, body) : (Found){0};
    Found parts = !formal && body.len == 1 ? received_parts(as->arena, as->names, body.at[0])
                                           : (Found){0};
    Item item = {.body = body, .formal = formal, .acts = acts,
                 .received = {got.names.at, got.names.len}, .open = parts.open,
                 .parts = {parts.names.at, parts.names.len},
                 .part = body.len > 0 ? source_part(as->source, body.at[0]->at.start) : 0,
                 .receives_any = got.open,
                 .load = formal ? NULL : load_of(as, body),
                 .may_travel = !formal && body.len == 1 && may_travel(body.at[0]),
                 .dataclass = !formal && body.len == 1 && says_dataclass(body.at[0]),
                 .binds = names_bound(as->arena, as->names, body),
                 .mentions = names_free(as->arena, as->names, body)};
    note_binders(as, as->items.len, item.binds);
    vec_push(as->arena, &as->items, item);
}

static void add_halves(Assembly *as, ProjectCx *cx, const Stmt *choreo)
{
    SymList formals = choreo->choreo.formals;
    for (size_t i = 0; i < formals.len; i++)
        add_item(as, project_definition(cx, choreo, formals.at[i]), formals.at[i],
                 false);
}

static void add_module(Assembly *as, ProjectCx *cx, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_CHOREO)
            add_halves(as, cx, s);
        else
            add_item(as, (StmtList){&body.at[i], 1}, NULL, !only_binds(s));
    }
}

// ---- reach ----

static void need(Reach *r, Sym name)
{
    if (table_get(r->needed, name) || !table_get(r->assembly->binders, name))
        return;
    table_set(r->needed, name, r->needed);
    vec_push(r->assembly->arena, &r->pending, name);
}

// Values of a type of that name may come.
static void receive(Reach *r, Sym name)
{
    const ItemRefs *refs = table_get(r->assembly->binders, name);
    if (table_get(r->received, name) || !refs)
        return;
    table_set(r->received, name, r->received);
    need(r, name);
    for (size_t i = 0; i < refs->refs.len; i++) {
        const Item *item = &r->assembly->items.at[refs->refs.at[i]];
        r->receives_any |= item->open;
        for (size_t j = 0; j < item->parts.len; j++)
            receive(r, item->parts.at[j]);
    }
}

// Is it the module that has the name?
static bool names_module(const Assembly *as, size_t part, Sym name)
{
    const char *module = part > 0 ? as->source->parts[part].name : NULL;
    size_t len = module ? strlen(module) : 0;
    return module && strncmp(name, module, len) == 0
           && strncmp(name + len, QUALIFIER, strlen(QUALIFIER)) == 0;
}

static void see(Reach *r, Things things)
{
    for (size_t i = 0; i < things.len; i++)
        r->sees[things.at[i]] = true;
}

static void load_named(Reach *r, const Item *item);

// All statements of a module run: none of them is left for other roles.
static void load_part(Reach *r, size_t part)
{
    if (r->extent != WHOLE || part == 0 || r->loaded[part])
        return;
    r->loaded[part] = true;
    for (size_t i = 0; i < r->assembly->items.len; i++) {
        Item *item = &r->assembly->items.at[i];
        if (item->part != part)
            continue;
        item->used = true;
        if (item->load)
            see(r, item->load->reads);
        load_named(r, item);
    }
}

static void load_owner(Reach *r, Sym name)
{
    const ItemRefs *refs = strstr(name, QUALIFIER) ? table_get(r->assembly->binders, name) : NULL;
    for (size_t i = 0; refs && i < refs->refs.len; i++) {
        size_t part = r->assembly->items.at[refs->refs.at[i]].part;
        if (names_module(r->assembly, part, name))
            load_part(r, part);
    }
}

// The modules of which it mentions something.
static void load_named(Reach *r, const Item *item)
{
    for (size_t i = 0; r->extent == WHOLE && i < item->mentions.len; i++)
        load_owner(r, item->mentions.at[i]);
}

static void keep(Reach *r, size_t index)
{
    Item *item = &r->assembly->items.at[index];
    if (r->kept[index])
        return;
    r->kept[index] = item->used = true;
    r->receives_any |= item->receives_any;
    if (item->load && (item->part == 0 || r->extent != WHOLE))
        see(r, item->load->reads);
    if (item->part == 0)
        load_named(r, item);
    for (size_t i = 0; i < item->received.len; i++)
        receive(r, item->received.at[i]);
    for (size_t i = 0; i < item->mentions.len; i++)
        need(r, item->mentions.at[i]);
}

// Where a dataclass is expected, another that is derived from it may come, be it by plain classes.
static bool derives_received(Reach *r, const Item *item)
{
    const Stmt *s = !item->formal && item->body.len == 1 ? item->body.at[0] : NULL;
    for (size_t i = 0; s && s->kind == STMT_CLASS_DEF && i < s->class_def.bases.len; i++) {
        Sym base = base_name(s, i);
        if (!base || (!table_get(r->received, base) && !table_get(r->below, base)))
            continue;
        if (item->dataclass)
            return true;
        table_set(r->below, s->class_def.name, r->below);
    }
    return false;
}

static void keep_pending(Reach *r)
{
    while (r->pending.len > 0) {
        const ItemRefs *refs = table_get(r->assembly->binders, r->pending.at[--r->pending.len]);
        for (size_t i = 0; i < refs->refs.len; i++)
            keep(r, refs->refs.at[i]);
    }
}

static bool mentions_needed(const Reach *r, const Item *item)
{
    for (size_t i = 0; i < item->mentions.len; i++)
        if (table_get(r->needed, item->mentions.at[i]))
            return true;
    return false;
}

static bool changes_seen(const Reach *r, const Item *item)
{
    for (size_t i = 0; item->load && i < item->load->changes.len; i++)
        if (r->sees[item->load->changes.at[i]])
            return true;
    return false;
}

// Keeps, or loads, an item that changes what the role sees. Gives whether that is new.
static bool keep_seen(Reach *r, size_t index)
{
    const Item *item = &r->assembly->items.at[index];
    bool whole = r->extent == WHOLE && item->part > 0;
    if (r->extent == BLIND || (whole ? r->loaded[item->part] : r->kept[index])
        || !changes_seen(r, item))
        return false;
    if (whole)
        load_part(r, item->part);
    else
        keep(r, index);
    return true;
}

// Adds what the kept items need, the acting statements that concern any of it, and the classes
// below those that may come, until nothing is added.
static void close_reach(Reach *r)
{
    bool grown = true;
    while (grown) {
        grown = false;
        keep_pending(r);
        for (size_t i = 0; i < r->assembly->items.len; i++) {
            const Item *item = &r->assembly->items.at[i];
            bool comes = derives_received(r, item)
                         && !table_get(r->received, item->binds.at[0]);
            bool acts = item->acts && mentions_needed(r, item);
            grown |= keep_seen(r, i);
            if (item->may_travel && table_get(r->received, item->binds.at[0]))
                load_part(r, item->part);
            if (comes)
                receive(r, item->binds.at[0]);
            if (comes || (acts && !r->kept[i])) {
                keep(r, i);
                grown = true;
            }
        }
    }
}

// Whether the program's entry has a channel that joins two roles.
static bool are_joined(const Stmt *entry, Sym a, Sym b)
{
    const Arguments *args = entry->choreo.def->function_def.args;
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (size_t i = 0; i < lists[l].len; i++) {
            const Expr *at = lists[l].at[i]->annotation;
            if (at != NULL && at->kind == EXPR_LOCATED && at->located.type->kind == EXPR_INST
                && sym_in(at->located.at_roles, a) && sym_in(at->located.at_roles, b))
                return true;
        }
    return false;
}

// Whether one role sends another what may be anything. Who plays the roles of other choreographies
// than the entry is not looked at.
static bool sends_any(const Reach *from, const Reach *to)
{
    const Assembly *as = from->assembly;
    if (from == to || (as->entry != NULL && !are_joined(as->entry, from->role, to->role)))
        return false;
    for (size_t i = 0; i < as->items.len; i++) {
        Item *item = &as->items.at[i];
        SymList roles = from->kept[i] ? sendings_of(as, item) : (SymList){0};
        if (item->entry ? sym_in(roles, to->role) : roles.len > 0)
            return true;
    }
    return false;
}

// The classes of those who send to it may come to a role of whose values nothing is known.
static bool add_open(Reach *r, const Reach *reaches, size_t count)
{
    bool grown = false;
    for (size_t i = 0; r->receives_any && i < r->assembly->items.len; i++) {
        const Item *item = &r->assembly->items.at[i];
        bool elsewhere = false;
        for (size_t o = 0; o < count; o++)
            elsewhere |= reaches[o].kept[i] && sends_any(&reaches[o], r);
        if (!item->may_travel || !elsewhere || table_get(r->received, item->binds.at[0]))
            continue;
        receive(r, item->binds.at[0]);
        grown = true;
    }
    if (grown)
        close_reach(r);
    return grown;
}

static Reach reach_new(Assembly *as, Sym role, Extent extent)
{
    return (Reach){.assembly = as, .role = role, .extent = extent,
                   .sees = ARENA_ARRAY(as->arena, bool, as->loads ? as->loads->things : 1),
                   .loaded = ARENA_ARRAY(as->arena, bool, as->source->part_count + 1),
                   .kept = ARENA_ARRAY(as->arena, bool, as->items.len + 1),
                   .needed = table_new(as->arena), .received = table_new(as->arena),
                   .below = table_new(as->arena)};
}

// Acting statements that no role has a special interest in run at every role.
static void keep_ownerless(Reach *reaches, size_t count, const Assembly *as)
{
    for (size_t i = 0; i < as->items.len; i++) {
        if (!as->items.at[i].acts || as->items.at[i].used)
            continue;
        for (size_t r = 0; r < count; r++)
            keep(&reaches[r], i);
    }
    for (size_t r = 0; r < count; r++)
        close_reach(&reaches[r]);
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t r = 0; r < count; r++)
            grown = add_open(&reaches[r], reaches, count) || grown;
    }
}

// The classes of modules beside it whose instances may come.
static SymList classes_beside(const Reach *r)
{
    Vec(Sym) all = {0};
    const Assembly *as = r->assembly;
    for (size_t i = 0; i < as->items.len; i++) {
        const Item *item = &as->items.at[i];
        if (item->part > 0 && item->may_travel && table_get(r->received, item->binds.at[0]))
            vec_push(as->arena, &all, item->binds.at[0]);
    }
    return (SymList){all.at, all.len};
}

static Sym defined_name(const Stmt *s)
{
    return s->kind == STMT_FUNCTION_DEF ? s->function_def.name
        : s->kind == STMT_CLASS_DEF ? s->class_def.name : NULL;
}

// Modules that it imports for what loading them changes, in the order in which they load.
static SymList loads_of(const Reach *r)
{
    const Assembly *as = r->assembly;
    bool *named = ARENA_ARRAY(as->arena, bool, as->source->part_count + 1);
    Vec(Sym) all = {0};
    for (size_t i = 0; i < as->items.len; i++) {
        const Item *item = &as->items.at[i];
        if (named[item->part] || !r->loaded[item->part] || !changes_seen(r, item))
            continue;
        named[item->part] = true;
        vec_push(as->arena, &all, names_get(as->names, as->source->parts[item->part].name));
    }
    return (SymList){all.at, all.len};
}

// The halves of a choreography are told apart by their names.
static FragmentList pieces_of(const Reach *r)
{
    const Assembly *as = r->assembly;
    Vec(const Fragment *) all = {0};
    for (size_t i = 0; i < as->items.len; i++) {
        const Item *item = &as->items.at[i];
        Sym module = item->part > 0 && r->kept[i]
            ? names_get(as->names, as->source->parts[item->part].name) : NULL;
        for (size_t j = 0; module && j < item->body.len; j++)
            vec_push(as->arena, &all,
                     fragment_new(as->arena, item->body.at[j]->at, module,
                                  item->formal ? defined_name(item->body.at[j]) : NULL));
    }
    return (FragmentList){all.at, all.len};
}

static const Endpoint *make_endpoint(const Reach *r, const Reach *pieces, Sym role)
{
    Vec(const Stmt *) body = {0};
    const Assembly *as = r->assembly;
    for (size_t i = 0; i < as->items.len; i++)
        for (size_t j = 0; r->kept[i] && as->items.at[i].part == 0
                           && j < as->items.at[i].body.len; j++)
            vec_push(as->arena, &body, as->items.at[i].body.at[j]);
    return endpoint_new(as->arena, role, (StmtList){body.at, body.len}, classes_beside(r),
                        loads_of(r), pieces_of(pieces));
}

// A module that others import: all that its source has, once, with all halves. Its name is its
// part's file; whoever prints it knows a better one.
static const Endpoint *make_module(const Assembly *as, size_t part, Sym name)
{
    Vec(const Stmt *) body = {0};
    for (size_t i = 0; i < as->items.len; i++)
        for (size_t j = 0; as->items.at[i].part == part && j < as->items.at[i].body.len; j++)
            vec_push(as->arena, &body, as->items.at[i].body.at[j]);
    return endpoint_new(as->arena, name, (StmtList){body.at, body.len}, (SymList){0}, (SymList){0},
                        (FragmentList){0});
}

// In the order of the parts. Of an interface nothing is made; the main module of a program is in
// the programs of its roles.
static EndpointList make_modules(const Assembly *as, bool library)
{
    const Source *source = as->source;
    Vec(const Endpoint *) modules = {0};
    if (library)
        vec_push(as->arena, &modules, make_module(as, 0, names_get(as->names, source->name)));
    for (size_t i = 1; i < source->part_count; i++)
        if (!source->parts[i].interface)
            vec_push(as->arena, &modules,
                     make_module(as, i, names_get(as->names, source->parts[i].file->name)));
    return (EndpointList){modules.at, modules.len};
}

// ---- the unit ----

static const Stmt *find_entry(StmtList body, Sym entry)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_CHOREO && s->choreo.def->kind == STMT_FUNCTION_DEF
            && s->choreo.def->function_def.name == entry)
            return s;
    }
    return NULL;
}

// The roles of a library: every formal role name, in order of first occurrence.
static SymList library_roles(Arena *a, StmtList body)
{
    Vec(Sym) roles = {0};
    Table *seen = table_new(a);
    for (size_t i = 0; i < body.len; i++) {
        if (body.at[i]->kind != STMT_CHOREO)
            continue;
        SymList formals = body.at[i]->choreo.formals;
        for (size_t j = 0; j < formals.len; j++)
            if (!table_get(seen, formals.at[j])) {
                table_set(seen, formals.at[j], seen);
                vec_push(a, &roles, formals.at[j]);
            }
    }
    return (SymList){roles.at, roles.len};
}

// ---- what comes along ----

// Of one program: what starts it, by role.
typedef struct Roots { SymList roles; Sym *halves; } Roots;

// A variable of a module, or a library; none that only has types.
static bool is_brought(const Item *item)
{
    static const char *const TYPES[] = {"typing", "typing_extensions", "collections.abc", "abc",
                                        "__future__", NULL};
    const Stmt *s = item->body.len == 1 && !item->formal ? item->body.at[0] : NULL;
    if (s && s->kind == STMT_IMPORT_FROM)
        return s->import_from.module && !sym_is_one_of(s->import_from.module, TYPES);
    return s && (s->kind == STMT_ASSIGN || s->kind == STMT_ANN_ASSIGN || s->kind == STMT_IMPORT);
}

// Nobody names it there: it is in the program for what changes while it loads. What one role alone
// has is where it belongs.
static void warn_brought(const Assembly *as, Roots roots, const Reach *with, const Reach *without)
{
    for (size_t i = 0; i < as->items.len; i++) {
        const Item *item = &as->items.at[i];
        Vec(Sym) at = {0};
        size_t has = 0;
        for (size_t r = 0; r < roots.roles.len && is_brought(item); r++) {
            has += with[r].kept[i];
            if (with[r].kept[i] && !without[r].kept[i] && !changes_seen(&with[r], item))
                vec_push(as->arena, &at, roots.roles.at[r]);
        }
        if (at.len == 0 || has < 2 || item->binds.len == 0)
            continue;
        const char *who = project_roles_text(as->arena, (SymList){at.at, at.len});
        Diag *d = diag_report(as->diags, item->body.at[0]->at, DIAG_LOAD_BROUGHT,
                              "`%s` is included at %s, because loading code that uses it changes "
                              "values that %s use%s",
                              unqualified(item->binds.at[0]), who,
                              at.len == 1 ? who : "these roles", at.len == 1 ? "s" : "");
        diag_help(d, "if only one role needs it, keep the code that uses it out of objects that "
                     "other roles read");
    }
}

// Where a role's program starts: its half of the entry, or all halves of that name in a library.
static void keep_roots(Reach *r, Sym role, Sym entry_half)
{
    const Assembly *as = r->assembly;
    for (size_t i = 0; i < as->items.len; i++) {
        const Item *item = &as->items.at[i];
        if (item->formal == role
            && (entry_half == NULL || (item->binds.len && item->binds.at[0] == entry_half)))
            keep(r, i);
    }
}

// Of a program: which halves are the entry's.
static void note_entry(Assembly *as, const Stmt *entry)
{
    as->entry = entry;
    for (size_t i = 0; entry != NULL && i < as->items.len; i++) {
        Item *item = &as->items.at[i];
        for (size_t j = 0; j < item->body.len && item->formal != NULL; j++)
            item->entry |= item->body.at[j]->at.start == entry->choreo.def->at.start;
    }
}

typedef struct Mention { Sym name; bool found; } Mention;

static bool find_mention(void *cx, const Expr *e)
{
    Mention *m = cx;
    m->found = m->found || (e->kind == EXPR_NAME && e->name.id == m->name);
    return !m->found;
}

// Nothing runs behind the entry, unless it is called like others.
static const Stmt *last_definition(IrIndex index, const Stmt *entry)
{
    if (entry == NULL)
        return NULL;
    Mention m = {.name = entry->choreo.def->function_def.name};
    IrWalker w = {.cx = &m, .expr = find_mention};
    ir_index_walk(&w, index, (IrKinds){.exprs = IR_KIND(EXPR_NAME)});
    return m.found ? NULL : entry->choreo.def;
}

static Things sight_of(const Assembly *as, Sym role)
{
    for (size_t i = 0; as->loads && i < as->loads->role_count; i++)
        if (as->loads->roles[i].role == role)
            return as->loads->roles[i].reads;
    return (Things){0};
}

// `seeds`: all that these keep of the main module is kept, too; NULL: nothing.
static Reach *reach_all(Assembly *as, Roots roots, Extent extent, const Reach *seeds)
{
    Reach *reaches = ARENA_ARRAY(as->arena, Reach, roots.roles.len + 1);
    for (size_t i = 0; i < as->items.len; i++)
        as->items.at[i].used = false;
    for (size_t r = 0; r < roots.roles.len; r++) {
        reaches[r] = reach_new(as, roots.roles.at[r], extent);
        see(&reaches[r], sight_of(as, roots.roles.at[r]));
        keep_roots(&reaches[r], roots.roles.at[r], roots.halves[r]);
        for (size_t i = 0; seeds && i < as->items.len; i++)
            if (as->items.at[i].part == 0 && seeds[r].kept[i])
                keep(&reaches[r], i);
        close_reach(&reaches[r]);
    }
    keep_ownerless(reaches, roots.roles.len, as);
    return reaches;
}

static Roots roots_of(Assembly *as, ProjectCx *cx, StmtList body, const Stmt *entry)
{
    SymList roles = entry ? entry->choreo.formals : library_roles(as->arena, body);
    Roots roots = {roles, ARENA_ARRAY(as->arena, Sym, roles.len + 1)};
    for (size_t i = 0; entry && i < roles.len; i++)
        roots.halves[i] = project_half_name(cx, entry->choreo.def->function_def.name, roles.at[i]);
    return roots;
}

static const Unit *assemble(Assembly *as, ProjectCx *cx, StmtList body, const Stmt *entry)
{
    Roots roots = roots_of(as, cx, body, entry);
    note_entry(as, entry);
    Reach *whole = reach_all(as, roots, WHOLE, NULL), *pieces = whole;
    Vec(const Endpoint *) endpoints = {0};
    if (entry && as->source->part_count > 0)
        pieces = reach_all(as, roots, IN_PIECES, whole);
    if (entry && as->loads)
        warn_brought(as, roots, pieces, reach_all(as, roots, BLIND, NULL));
    for (size_t i = 0; entry && i < roots.roles.len; i++)
        vec_push(as->arena, &endpoints, make_endpoint(&whole[i], &pieces[i], roots.roles.at[i]));
    return unit_endpoints(as->arena, (EndpointList){endpoints.at, endpoints.len},
                          make_modules(as, entry == NULL), sites_number(cx->sites));
}

static void report_no_entry(Arena *a, Diags *diags, StmtList body, Sym entry)
{
    Vec(const char *) known = {0};
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_CHOREO &&
            body.at[i]->choreo.def->kind == STMT_FUNCTION_DEF)
            vec_push(a, &known, unqualified(body.at[i]->choreo.def->function_def.name));
    Diag *d = diag_report(diags, (Span){0, 0}, DIAG_ENTRY_MISSING,
                          "the entry `%s` does not exist: no choreography has this name", entry);
    const char *near = suggest_nearest(entry, known.at, known.len);
    if (near != NULL)
        diag_help(d, "did you mean `%s`?", near);
}

const Unit *project_unit(Arena *a, Names *names, const Source *source, const Unit *checked,
                         const Loads *loads, Sym entry, Diags *diags)
{
    Assembly as = {.arena = a, .names = names, .diags = diags, .source = source,
                   .binders = table_new(a), .loads = loads, .load_at = table_new(a)};
    for (size_t i = 0; loads && i < loads->len; i++)
        table_set(as.load_at, table_key(loads->at[i].start), (void *)&loads->at[i]);
    StmtList body = checked->module.body;
    IrIndex index = ir_index_open(a, body);
    ProjectCx cx = project_open(a, names, source, checked, index, diags);
    const Stmt *start = find_entry(body, entry);
    cx.last = last_definition(index, start);
    generated_names_check(&cx, body, index);
    ir_index_close(&index);
    add_module(&as, &cx, body);
    generated_any_check(&cx, body);
    if (diags_error_count(diags) > 0)
        return unit_endpoints(a, (EndpointList){0}, (EndpointList){0}, (SiteList){0});
    if (entry != NULL && library_roles(a, body).len == 0)
        diag_help(diag_report(diags, (Span){0, 0}, DIAG_NO_CHOREOGRAPHY,
                              "nothing to compile: the file has no choreography"),
                  "a choreography is a function whose signature names roles, as in `x: At[int, "
                  "Alice]`");
    else if (entry != NULL && start == NULL && !sym_is(entry, "main"))
        report_no_entry(a, diags, body, entry);
    else
        return assemble(&as, &cx, body, start);
    return unit_endpoints(a, (EndpointList){0}, (EndpointList){0}, (SiteList){0});
}
