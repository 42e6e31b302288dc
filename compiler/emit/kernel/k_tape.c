// k_tape.c - what is kept for the way back.
//
// Values that are kept one after the other are pushed at once. A loop over a range in which each
// round keeps as many, and nothing else is kept, takes the room of all rounds at once and indexes
// it. Both ways must do so, and are found by the place of the loop in the source. Every value takes
// slots of eight bytes; where all are floats the room is an array of double.

#include "compiler/emit/kernel/k_internal.h"

enum { RUN_MAX = 8 };           // values in one push: what tape_gather has room for

// ---- whether a loop is of the form ----

typedef struct Tapes { const Kernel *k; bool found; } Tapes;

static bool find_tape_call(void *cx, const Expr *e)
{
    Tapes *t = cx;
    bool name = e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME;
    KFunction *f = name ? table_get(t->k->functions, e->call.func->name.id) : NULL;
    t->found |= f != NULL && f->tapes;
    return !t->found;
}

static bool find_tape_stmt(void *cx, const Stmt *s)
{
    Tapes *t = cx;
    t->found |= s->kind == STMT_KEEP || s->kind == STMT_BACK;
    return !t->found;
}

static bool uses_tape(const Kernel *k, const Stmt *s)
{
    Tapes t = {.k = k};
    IrWalker w = {.cx = &t, .expr = find_tape_call, .stmt = find_tape_stmt};
    ir_walk_stmt(&w, s);
    return t.found;
}

// A function that leaves more on the tape, or less, than it found.
void k_find_tapes(Kernel *k)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < k->all_functions.len; i++) {
            KFunction *f = k->all_functions.at[i];
            StmtList body = f->def->function_def.body;
            bool own = false, uses = false;
            for (size_t j = 0; j < body.len; j++) {
                own |= body.at[j]->kind == STMT_TAPE;
                uses |= uses_tape(k, body.at[j]);
            }
            changed |= uses && !own && !f->tapes;
            f->tapes |= uses && !own;
            f->holds |= uses && own;
        }
    }
}

static const Expr *value_of(const Stmt *s)
{
    return s->kind == STMT_KEEP ? s->keep.value : s->kind == STMT_BACK ? s->back.target : NULL;
}

static const KType *type_of(Kernel *k, const Stmt *s)
{
    return k_type(k, value_of(s)->ty, s->at);
}

// How many values each round keeps or takes back; 0: there are none, or others, too.
static size_t count_slots(Kernel *k, StmtList body, bool *keeps)
{
    size_t slots = 0, kept = 0;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (value_of(s) == NULL && uses_tape(k, s))
            return 0;
        if (value_of(s) == NULL)
            continue;
        if (type_of(k, s)->kind == K_TUPLE || type_of(k, s)->kind == K_UNION)
            return 0;
        kept += s->kind == STMT_KEEP;
        slots++;
    }
    *keeps = kept > 0;
    return kept == 0 || kept == slots ? slots : 0;
}

// The loops made of one loop of the source: the way there and the way back have its place. They
// have a room if all of them have the form, with as many values.
typedef struct Room { size_t slots; bool refused; } Room;

static bool see_loop(void *cx, const Stmt *s)
{
    Kernel *k = cx;
    bool keeps = false, is_for = s->kind == STMT_FOR;
    if ((!is_for && s->kind != STMT_WHILE) || !uses_tape(k, s))
        return true;
    size_t slots = is_for ? count_slots(k, s->for_.body, &keeps) : 0;
    const void *key = table_key((uint64_t)s->at.start << 32 | s->at.end);
    Room *room = table_get(k->rooms, key);
    if (room == NULL) {
        room = ARENA_NEW(k->arena, Room);
        room->slots = slots;
        table_set(k->rooms, key, room);
    }
    room->refused |= slots == 0 || slots != room->slots || keeps == k_is_reversed(k, s);
    return true;
}

void k_find_rooms(Kernel *k)
{
    IrWalker w = {.cx = k, .stmt = see_loop};
    for (size_t i = 0; i < k->all_functions.len; i++)
        if (k->all_functions.at[i]->reached)
            ir_walk_stmts(&w, k->all_functions.at[i]->def->function_def.body);
}

size_t k_kept_count(Kernel *k, const Stmt *s, KRange *r)
{
    StmtList body = s->for_.body;
    const Room *room = table_get(k->rooms, table_key((uint64_t)s->at.start << 32 | s->at.end));
    r->all_floats = true;
    r->slots = room == NULL || room->refused ? 0 : count_slots(k, body, &r->keeps);
    r->next = r->keeps ? 0 : r->slots;
    for (size_t i = 0; i < body.len && r->slots > 0; i++)
        if (value_of(body.at[i]) != NULL)
            r->all_floats &= type_of(k, body.at[i])->kind == K_FLOAT;
    return r->slots;
}

void k_open_tape(Kernel *k)
{
    if (k->function->holds)
        k_line_out(k, "char *%s = %s->tape.at;", k->top, k_call(k));
}

void k_take_room(Kernel *k, KRange *r)
{
    r->kept = k_local_name(k, "kept");
    const char *slot = r->slots == 1 ? "sizeof(double)"
                       : k_text(k, "%zu * sizeof(double)", r->slots);
    k_line_out(k, "%s *%s = %s(%s, &%s, %s, %s);", r->all_floats ? "double" : "char", r->kept,
               r->keeps ? "tape_take" : "tape_give", k_call(k), k->top, r->rounds, slot);
}

// ---- a place on the tape ----

static const char *place(Kernel *k, const char *room, const char *slot, bool floats, const KType *t)
{
    if (floats)
        return k_text(k, "%s[%s]", room, slot);
    return k_text(k, "*(%s*)(%s + 8 * (%s))", t->c, room, slot);
}

static void move(Kernel *k, const Stmt *s, const char *at)
{
    Sym name = value_of(s)->name.id;
    if (s->kind == STMT_KEEP)
        k_line_out(k, "%s = %s;", at, ((KLocal *)table_get(k->locals, name))->c);
    else
        k_assign(k, name, at);
}

static void in_loop(Kernel *k, const Stmt *s)
{
    KRange *r = k->loop;
    size_t slot = r->keeps ? r->next++ : --r->next;
    const char *index = r->slots == 1 ? r->round
                        : slot == 0 ? k_text(k, "%zu * %s", r->slots, r->round)
                        : k_text(k, "%zu * %s + %zu", r->slots, r->round, slot);
    move(k, s, place(k, r->kept, index, r->all_floats, type_of(k, s)));
}

// A tuple or union goes alone: it may take several slots.
static void alone(Kernel *k, const Stmt *s)
{
    const KType *t = type_of(k, s);
    bool keep = s->kind == STMT_KEEP;
    move(k, s, k_text(k, "*(%s*)tape_%s(%s, &%s, SLOTS(%s))", t->c, keep ? "push" : "pop",
                      k_call(k), k->top, t->name));
}

static bool by_slot(Kernel *k, const Stmt *s)
{
    const KType *t = type_of(k, s);
    return t->kind != K_TUPLE && t->kind != K_UNION;
}

size_t k_tape_run(Kernel *k, StmtList body, size_t from)
{
    const Stmt *s = body.at[from];
    if (value_of(s) == NULL)
        return 0;
    size_t n = 0;
    bool floats = true;
    for (; from + n < body.len && n < RUN_MAX && body.at[from + n]->kind == s->kind; n++) {
        const Stmt *next = body.at[from + n];
        if (k->loop != NULL || !by_slot(k, next) || (n > 0 && table_get(k->homes, next) != NULL))
            break;
        floats &= type_of(k, next)->kind == K_FLOAT;
    }
    k_declare_at(k, s);
    if (n == 0) {
        if (k->loop != NULL)
            in_loop(k, s);
        else
            alone(k, s);
        return 1;
    }
    bool keep = s->kind == STMT_KEEP;
    const char *text = k_text(k, "tape_%s(%s, &%s, %zu * sizeof(double))",
                              keep ? "push" : "pop", k_call(k), k->top, n);
    if (n == 1) {
        move(k, s, k_text(k, "*(%s*)%s", type_of(k, s)->c, text));
        return 1;
    }
    const char *room = k_fresh(k, "kept");
    k_line_out(k, "%s *%s = %s;", floats ? "double" : "char", room, text);
    for (size_t i = 0; i < n; i++)
        move(k, body.at[from + i], place(k, room, k_text(k, "%zu", keep ? i : n - 1 - i), floats,
                                         type_of(k, body.at[from + i])));
    return n;
}
