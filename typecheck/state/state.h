// state.h - which objects each role's code may read and change: a points-to analysis of the whole
// checked module (docs/language.md, "Module variables").
//
// A *node* stands for what an expression, a variable or a part of an object may be: a set of
// objects. Code makes inclusions between nodes (`state_flow`), and *operations* on what a node may
// be (`state_when`): each is applied to every object that the node turns out to hold. There are two
// phases: what runs while the modules are loaded is solved first; then its inclusions go, its
// objects stay, and what choreographies reach is solved.
//
// A function is looked at once for each place that calls it, a method once for each receiver.

#ifndef PYCHORAL_STATE_H
#define PYCHORAL_STATE_H

#include "compiler/ir/loads.h"
#include "typecheck/python/python.h"

typedef uint32_t Id;                // of a node, an object or a role; 0: none

typedef struct IdSet {
    Id       *at;                   // in the order in which they came
    size_t    len, cap;
    uint64_t *bits;                 // of a set that is not small
    size_t    words;
} IdSet;

struct Op;

// What comes to a node goes to another, too. `stays`: in both phases.
typedef struct Inclusion { Id to; uint32_t done; bool stays; } Inclusion;

typedef struct Node {
    IdSet set;
    Vec(Inclusion) to;
    IdSet goes;                     // the same
    Vec(struct Op *) ops;
    struct Op *unknown;             // code that nothing is known of has it
    uint32_t settled;               // so many of the set went along the inclusions
    uint32_t settled_to, settled_ops;   // of these
    Id    same;                     // 0; or the node that it has become
    Id    part_of;                  // 0; or of which it holds only what that reaches
    bool  queued, deep;             // deep: all that something reaches
} Node;

typedef enum ObjKind {
    OBJ_DATA,           // a container, an iterator, anything that a library made
    OBJ_INSTANCE,       // of a class of the program
    OBJ_CLASS, OBJ_FUNCTION,
    OBJ_BOUND,          // a method of the program, with its receiver
    OBJ_METHOD,         // the same of a library's class: `xs.append`
    OBJ_PARTIAL,        // a function with some of its arguments
    OBJ_GENERATOR,
    OBJ_LIBRARY,        // a module, function or class of a library
    OBJ_CELL,           // a variable that code elsewhere assigns
} ObjKind;

// What decorators make of a function.
enum {
    FUN_PROPERTY = 1, FUN_STATIC = 2, FUN_CLASS = 4, FUN_CACHED = 8, FUN_SETTER = 16,
    FUN_YIELDS = 32,
};

typedef struct Obj {
    ObjKind  kind;
    Id       id;
    bool     load;                  // it exists once the modules have loaded
    bool     kept;                  // by a cache that does
    bool     differs;               // it may, from role to role
    bool     of_module;             // CELL: a variable of the module
    const struct Ctx *by;           // what made it
    Span     at;
    Sym      name;                  // of a function, class, variable or method; NULL
    const Stmt *def;                // FUNCTION, CLASS
    const Expr *expr;               // FUNCTION: a lambda; GENERATOR: what makes it
    struct Frame *scope;            // FUNCTION: around it; CLASS: its own names
    struct Obj *of;                 // INSTANCE: class; BOUND: function; METHOD: receiver; FUNCTION:
                                    // the class that it is in; LIBRARY: the class, or NULL
    struct Obj *self;               // BOUND: receiver
    PyClass  *class_;               // DATA: of a library; NULL: not known
    PySym    *symbol;               // LIBRARY; NULL: a module, or not known
    PyModule *module;               // LIBRARY: a module, if it is known
    Sym       home;                 // LIBRARY: the module's name; DATA: of a builtin class
    unsigned  flags;                // FUNCTION
    bool      mutable_;             // DATA
    bool      iterator;             // DATA: who reads it moves it on
    bool      pure;                 // DATA: of a library whose objects do not change
    size_t    length;               // DATA: of a tuple whose parts are its fields, by number; or 0
    bool      is_enum;              // CLASS
    bool      grows;                // DATA: a look for what is not there adds it
    Table    *fields;               // Sym -> node
    Vec(Sym)  names;                // of the fields
    Id        one;                  // a node that holds it
    Id        open;                 // 0; or the node of all its parts
    Id        items, all, bases;    // nodes: of a container; of all that is in it; of base classes
    Table    *contexts[2];          // FUNCTION, by phase: call or receiver -> Ctx
    struct Ctx *cx;                 // GENERATOR: its function's, or who made it
    struct Op *call;                // PARTIAL
    struct Obj *each;               // DATA: the tuple that stands for all of its items; or NULL
    struct Obj *twin;               // what a receiver gets of it
    Table    *bounds;               // its methods as values
    bool      used;                 // by `state_made_like`
    struct Obj *next;               // made at the same place, of another class
} Obj;

// The variables of a function, a class body, a comprehension or the module.
typedef struct Frame {
    struct Frame *outer;
    struct Ctx   *cx;
    Table        *bound;            // Sym -> not NULL
    Table        *vars;             // Sym -> node
    Table        *cells;            // Sym -> Obj: of those that inner code assigns
    Obj          *class_;           // of a class body
    bool          transparent;      // of a comprehension
} Frame;

// `field`: of the program's own objects, where only that is changed.
typedef struct Change {
    Obj *obj;
    Id   place;
    Span at, from;
    Sym  field;
    const struct Change *before;
} Change;

// An expression may be what the node holds; or `field` of that is read; or `all` that it has; or
// only `method` of it is called.
typedef struct Eval {
    Id   node, place;
    Span at, from;
    Sym  field, method;
    bool all, changes;
} Eval;

// One function as it is called from one place, or on one receiver; or the module.
typedef struct Ctx {
    Obj     *function;              // NULL: the module
    bool     load, unsure;          // unsure: it may go otherwise at another role
    bool     anyhow;                // code that nothing is known of calls it
    Id       place;                 // the roles that run it
    Id       result, sent;
    Id       pool;                  // of code that nothing is known of: what it has; 0
    Obj     *generator;
    const Function *choreography;   // its expressions have roles of their own; NULL: they do not
    Frame   *scope;
    Id       self;                  // of a method: what the receiver may be
    Table   *made;                  // expression -> Obj
    Table   *memo;                  // see state_memo
    Span     from;                  // in the choreography that led here
    Vec(struct Ctx *) callees;
    Table   *called;                // the same
    const Stmt *stmt;               // of the module's own statements: which
    Table   *changes;               // Obj -> Change: the last one
    Vec(const Change *) loads;      // what it changes while loading
    Vec(Eval) evals;                // what it reads meanwhile
    const void *seen;               // by a walk
    const struct Ctx *root;         // a statement that leads here
    bool     several;               // others do, too
} Ctx;

typedef struct CtxList { Ctx *const *at; size_t len; } CtxList;

// `text`: that it is, if it is written; NULL.
typedef struct Operand { Id node; Sym name, text; enum { ONE, EACH } many; } Operand;

typedef enum OpKind {
    OP_CALL, OP_METHOD, OP_LOAD, OP_STORE,
    OP_MEMBER_CALL, OP_MEMBER_LOAD,     // of what a class has under the name
    OP_BASE_CALL, OP_BASE_LOAD,         // of the base classes
    OP_SUPER, OP_SUPER_LOAD,            // the same, of a receiver
    OP_ITEMS,                           // iteration
    OP_NEXT, OP_GET, OP_PUT, OP_REMOVE,
    OP_OPERATE, OP_UPDATE,              // `a + b`, `a += b`
    OP_ENTER,                           // `with`
    OP_DEEP, OP_UNKNOWN, OP_TOUCH, OP_TWIN, OP_COPY,
    OP_SUBCLASS,                        // a class is derived from it
    OP_FRESH,                           // a class that is raised
    OP_DEFAULT,                         // of a field
    OP_HOOK,                            // code of the program that a library may call
    OP_OVERRIDES,                       // the same, of base classes: methods of `around`
    OP_RECEIVER,                        // of a method of that class
    OP_KEPT,                            // by a cache
    OP_HASHED,                          // those that can be keys
} OpKind;

typedef struct Op {
    OpKind   kind;
    Sym      name;
    Span     at;
    const void *key;                // of the call
    Ctx     *cx;
    Id       place, result;
    Operand *args;
    size_t   len, done;             // done: how many of the node's objects
    Obj     *self;                  // MEMBER, BASE: receiver; NULL: through the class
    Obj     *around;                // MEMBER: the class that was asked
    const char *const *names;       // OPERATE, UPDATE: methods that Python may call
    Id       anyhow;                // by code that nothing is known of: what it has; or 0
    struct Op *next;                // with the same hash
    Id       node;                  // on which it is done
    const struct Op *world;         // code that nothing is known of, which does it instead; or NULL
} Op;

// One parameter; `*args` and `**kw` come last. `value`: its default, or NULL.
typedef struct Formal { const Arg *arg; PyParamKind kind; const Expr *value; } Formal;
typedef struct Formals { Vec(Formal) all; } Formals;

// A choreography, or code inside one, names something of the module.
typedef struct Named { const Function *by; Decl *decl; Id place; } Named;

typedef struct State {
    Program *p;
    Arena   *arena;
    Vec(Node *) nodes;              // so many together at one place, where they stay
    Id       node_count;
    Vec(Obj *) objs;
    Vec(Id)  queue;
    size_t   held;                  // by all nodes together
    size_t   much;                  // more than that: cycles are looked for
    Vec(Ctx *) bodies;              // to be looked at
    bool     load;                  // the phase
    Frame   *module;
    Ctx     *loading, *outside;
    Vec(Ctx *) statements;          // of the module, each on its own
    Vec(Ctx *) parts;               // the same, and those of class bodies
    Table   *ops;                   // by hash
    Table   *members;               // PyClass -> Table: name -> what it has under it
    Table   *library;               // name -> Obj: builtins, modules
    Table   *budget;                // definition -> Budget
    Table   *defined;               // Sym -> not NULL: functions and methods of the program
    bool     setters, properties, derived;  // it defines some
    bool     dicts, counts;         // it asks for `__dict__`, `cache_info`
    bool     removes, stores;       // attributes, whose names are not written
    Table   *alike;                 // definition -> whether its code does the same everywhere
    Table   *removed;               // Sym -> not NULL: attributes that are deleted
    SymVec   implicit;              // of `defined`: what Python may call where an object is given
    Table   *stored;                // Sym -> not NULL: attributes that are stored to
    Table   *assigned;              // Sym -> not NULL: variables that code elsewhere assigns
    Table   *bound;                 // definition -> Table: what it binds
    Table   *params;                // Arguments -> Formals
    Table   *external;              // Sym -> Obj: an instance that comes from outside
    Table   *places;                // Function -> Table: roles -> node
    Vec(Sym) roles;                 // by number
    Id       raised;                // exceptions that are on their way
    Vec(const Change *) changes;    // of the run phase
    Vec(Eval) evals;                // of the run phase
    Vec(Op *) unknown;              // calls of code that nothing is known of, in this phase
    Table   *swept;                 // call -> not NULL: it is among them
    Vec(Named) named;               // of a library
    bool      library_only;         // there is no entry
    Function *(*function_of)(void *cx, const Stmt *);
    void     *function_cx;
    Table    *stands;               // Function -> Stand
} State;

enum { NODES_TOGETHER = 256 };

static inline Node *node_at(const State *s, Id node) {
    return &s->nodes.at[node / NODES_TOGETHER][node % NODES_TOGETHER];
}

// ---- solve.c ----
Id    state_node(State *s);
IdSet state_set(const State *s, Id node);           // as it is now
bool  state_has(const State *s, Id node, Id element);
void  state_add(State *s, Id node, Id element);
void  state_flow(State *s, Id from, Id to);
Id    state_both(State *s, Id a, Id b);             // a node with what both hold
void  state_when(State *s, Id node, const Op *op);
Id    state_in(State *s, Table *t, const void *key);        // the node that it has there
Id    state_memo(State *s, Ctx *cx, const void *a, const void *b);
Sym   state_sym(const State *s, const char *name);
Table *state_table(State *s, Table *t, const void *key);    // the table that it has there
Table *state_own(State *s, Table **t);              // made when it is needed
void  state_merge(State *s, Id a, Id b);
void  state_open(State *s, Obj *o, Id node);        // all its parts are this
Op   *state_unknown(const State *s, Id node);
Op   *state_world(const State *s, Id node);         // the same, if it has much
bool  state_many(const State *s, Id node);          // it holds so many
void  state_part(State *s, Id node, Id whole);      // it holds only what `whole` reaches
void  state_calls(State *s, Ctx *from, Ctx *to);
CtxList state_reached(State *s, Ctx *from, const void *mark); // without the mark, which they get
bool  state_lost(const State *s);                   // too much may be anything: it was given up
void  state_solve(State *s);
void  state_end_phase(State *s);
Obj  *state_obj(State *s, ObjKind kind, const Ctx *cx, Span at);
Obj  *state_made(State *s, Ctx *cx, const void *key, ObjKind kind, Span at);
Obj  *state_made_like(State *s, const Op *op, ObjKind kind, Obj *of, PyClass *class_);
Id    state_field(State *s, Obj *o, Sym name);
Id    state_known_field(const Obj *o, Sym name);      // 0: it has none
Id    state_items(State *s, Obj *o);
Id    state_at(State *s, Obj *o, Sym index);        // one of its items; NULL: any
Id    state_all(State *s, Obj *o);                  // what is in it, by whatever name
Id    state_one(State *s, Obj *o);                  // a node that holds it
void  state_change(State *s, Obj *o, const Op *op);
Span  state_from(const Op *op);                     // in the choreography that led to it
void  state_read(State *s, const Op *op, Eval e);   // where and at which roles it is done
Op    state_as(const Op *op, OpKind kind, Id result);       // another one in its place
Op    state_each(State *s, const Op *op, OpKind kind, Id result, Id node);  // given that, anyhow
void  state_see(State *s, const Op *op, Obj *o, Sym field);     // NULL: all of it
void  state_look_into(State *s, const Op *op, Obj *o);          // while loading

// ---- expression.c ----
// `test`: the last condition that came.
typedef struct Gen { State *s; Ctx *cx; Frame *scope; Id place; const Expr *test; } Gen;


Id    gen_expr(Gen *g, const Expr *e);
void  gen_exprs(Gen *g, ExprList list);
void  gen_store(Gen *g, const Expr *target, Id value);
void  gen_bind(Gen *g, Sym name, Id value, Span at);
Id    gen_items(Gen *g, Id node, const Expr *at);
Sym   gen_index(const Gen *g, size_t i, size_t len, bool star);     // of a part that is unpacked
Op    gen_op(const Gen *g, OpKind kind, const Expr *e);
Op    gen_op_with(const Gen *g, OpKind kind, const Expr *e, Id argument);
Id    gen_apply(Gen *g, Id node, Op op);            // gives its result
void  gen_read(Gen *g, Id node, Span at);
Id    gen_deep(State *s, const Op *op, Id node);    // all that it reaches is read
void  gen_looked(State *s, const Op *op, Id node);  // and what is in it is asked for more
Id    gen_given(State *s, const Op *op, Id node);   // Python may call its methods
void  gen_at(Gen *g, SymList roles);                // where a choreography goes on
Id    gen_place(State *s, const Function *f, SymList roles);
Id    gen_variable(State *s, Frame *sc, Sym name);
Obj  *gen_cell(State *s, Frame *sc, Sym name, Span at);     // that it is, as an object
void  gen_remove(Gen *g, const Expr *target);
void  gen_test(Gen *g, const Expr *e);              // as a condition
Id    gen_augmented(Gen *g, const Stmt *s);
void  gen_generator(Gen *g, const Expr *e, Obj *o); // its body
Obj  *gen_data(Gen *g, const void *key, Span at, const char *class_);
void  gen_defaults(Gen *g, Obj *f);

// ---- statement.c ----
void  gen_body(Gen *g, StmtList body);
const Arguments *state_arguments(const Obj *f);
Frame *state_scope(State *s, const Obj *f, Ctx *cx);
Frame *gen_scope(State *s, Frame *outer, Ctx *cx, const void *key, SymList bound);

// ---- differs.c ----
Ctx  *state_statement(State *s, const Ctx *around, Frame *scope, const Stmt *stmt);
void  state_spread(State *s);                       // what loading gives a value that may differ

// ---- loads.c ----
const Loads *state_loads(State *s);                 // for projection; NULL: nothing to say

// ---- roles.c ----
// The roles of the entry that a formal role of a choreography stands for.
void  state_stand(State *s, const Function *f, Sym role, Id place);
void  state_follow_roles(State *s);

// ---- enter.c ----
const Formals *state_params(State *s, const Arguments *a);
// That which an argument goes to, by its name or its place; NULL: none does.
const Formal *state_param(const Formals *all, Sym name, size_t at);
Ctx  *state_enter(State *s, const Op *op, Obj *f, Obj *self);
void  state_resume(State *s, const Op *op, Obj *o);     // a generator
void  state_receiver(State *s, const Op *op, Obj *o);   // OP_RECEIVER

// ---- call.c ----
Op    state_taken(const Op *op);                    // what of it counts
void  state_apply(State *s, Op *op, Obj *o);
void  state_body(State *s, Ctx *cx);                // its code
void  state_call(State *s, const Op *op, Obj *o);
void  state_look(State *s, const Op *op, Obj *o);       // `o.name`, also as it is called
void  state_call_named(State *s, const Op *op, Obj *o, const char *name, Id result);
bool  state_defined(const State *s, const char *name);
void  state_call_all(State *s, const Op *op, Obj *o, const char *const *names);
void  state_find(State *s, Op op, Obj *class_);
void  state_iterate(State *s, const Op *op, Obj *o);

// ---- interfaces.c ----
void  state_mark_external(State *s);                // what interfaces say is assigned
void  state_external(Gen *g, const Function *f);    // what a choreography of one does
void  state_note_reaches(State *s);                 // for the interface of this module

// ---- library.c ----
Obj  *library_module(State *s, Sym name);
Obj  *library_member(State *s, Obj *o, Sym name);
Obj  *library_builtin(State *s, Sym name);          // NULL: there is none
void  library_call(State *s, const Op *op, Obj *f);
void  library_method(State *s, const Op *op, Obj *o, PyClass *class_);
bool  library_changes(const Obj *o);                // can code that gets it change it?
bool  library_gives(State *s, const Obj *class_, Sym name);     // can its part be an object?
PyClass *library_base(State *s, const Obj *class_, Sym name);   // that may have it; or NULL
bool  library_marked(State *s, const char *class_, Sym method, const char *mark);
bool  library_unread(State *s, Obj *o, Sym method); // does it change that without a look at it?
void  library_unknown(State *s, const Op *op, Obj *self);
void  library_hand(State *s, const Op *op, const Op *code);     // that code does it
void  library_use(State *s, const Op *op, Obj *o);  // what it was given to call
bool  library_field(const Obj *o);                  // what `field(..)` gives
PyClass *library_class(State *s, const char *name);
PyClass *library_class_of(State *s, Obj *o);        // NULL: not known
typedef enum Part { PART_METHOD, PART_FIELD, PART_UNKNOWN } Part;
Part  library_part(State *s, PyClass *c, Sym name);     // NULL: of a class that is not known
bool  library_overrides(State *s, const Obj *class_, Sym method);   // may its code call that?
bool  library_plain(State *s, PyClass *c, Sym method);  // it is that of `object`
bool  library_collection(const PyClass *c);
bool  library_unnamed(const Obj *o);                // nor has it a name that will do
Obj  *library_data(State *s, const Op *op, PyClass *class_);

#endif
