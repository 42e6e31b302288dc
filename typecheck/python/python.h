// python.h - the typing of one role's Python: modules and their stubs, classes, members, generics,
// calls, operators. It knows of no roles: it judges types (`Ty`), wherever the values are.
//
// How a type is written as a `Ty`:
//   int, list[int], a class of the file     Named(name, args); a stub's class is `module.Name`
//   tuple[int, str]                         Tuple; tuple[int, ...] is Named("tuple", [int])
//   type[C], a module                       Named("type", [C]), Named("module", [Named(its name)])
//   Callable[..., R]                        Callable([Poison], R)
//   NoReturn, Never                         Named("NoReturn")
//   Self                                    TypeVar("Self"), until it is known whose
// A function or method used as a value is a Callable of its own; what it can be called with is
// found by that pointer (pyt_sigs_of).

#ifndef PYCHORAL_TYPECHECK_PYTHON_H
#define PYCHORAL_TYPECHECK_PYTHON_H

#include "typecheck/internal.h"

typedef struct Py Py;
typedef struct PyEnv PyEnv;
typedef struct PyClass PyClass;
typedef struct PyModule PyModule;
typedef struct PySym PySym;

// ---- names ----

typedef enum PySymKind {
    PYSYM_CLASS, PYSYM_FUNCTION, PYSYM_VARIABLE, PYSYM_IMPORT, PYSYM_TYPE_VAR,
    PYSYM_OPAQUE,           // of the choreography language, or nothing is known: Any
} PySymKind;

typedef enum PyState { PY_UNKNOWN, PY_ASKED, PY_KNOWN } PyState;

struct PySym {
    PySymKind    kind;
    Sym          name;
    Span         at;
    PyEnv       *home;
    Vec(const Stmt *) defs;         // FUNCTION: its definitions, overloads first
    PyClass     *class_;            // CLASS
    const Alias *alias;             // IMPORT
    const Stmt  *stmt;              // IMPORT; VARIABLE: what binds it first
    const Expr  *annotation;        // VARIABLE; NULL: inferred
    const Expr  *target, *value;    // VARIABLE: the target in its first binding, and what it is
    const Expr  *later;             // VARIABLE bound to None first: what it is bound to then
    PyState      state;             // of `type`
    const Ty    *type;              // VARIABLE: declared or inferred; FUNCTION: its Callable
    const Ty    *narrowed;          // VARIABLE: what is known here; NULL: no more than its type
    PySym       *root;              // of a place such as `self.x`: the variable `self`
    Vec(PySym *) places;            // of a root: the places below it
    bool         set_once, is_param;
    bool         captured;          // VARIABLE: bound by patterns first
    bool         or_none;           // VARIABLE: another arm of the `if` that binds it says None
    size_t       order;             // among the names of its scope
    unsigned     stamp;             // of a walk over the trail, see flow.c
    const Ty    *joined;
    size_t       joins;
};

typedef enum PyEnvKind { PYENV_MODULE, PYENV_CLASS, PYENV_FUNCTION, PYENV_INNER } PyEnvKind;

struct PyEnv {
    Py        *py;
    PyEnv     *outer;
    PyEnvKind  kind;                // INNER: a comprehension or lambda
    Table     *symbols;             // Sym -> PySym *, as far as it has been read: pyt_symbol
    Table     *unread;              // MODULE: of a stub built in, see stub.c; NULL: of another
    Vec(Sym)   order;
    const struct PyArm *arm;        // while names are collected: the arms of `if` around
    PyModule  *module;
    PyClass   *class_;              // CLASS; FUNCTION: the class of a method
    Table     *places;              // FUNCTION: "self.x" -> PySym *
    const Ty  *returns;             // FUNCTION: NULL: not checked
    const Ty  *yields, *sends;      // of a generator
    const Stmt *def;                // FUNCTION
    bool       lambda;              // INNER: it is one, what `:=` binds in it is its own
    bool       generator, async, untyped, static_;
    bool       checked;             // of a choreography: its expressions have types already
};

struct PyModule {
    Sym     name;
    PyEnv  *env;
    bool    stub;
    bool    package;                // `from .x import y` means a module below it
    StmtList body;
    Vec(const Stmt *) stars;        // its `from x import *`
    struct PyModule *rest;          // of a stub built in: the whole one, once it is asked for
    bool    is_rest;                // it is that one
};

struct PyClass {
    Sym      name;                  // as in Named
    PyEnv   *env;                   // its members
    PyModule *module;
    const Stmt *def;
    PyState  state;                 // of what follows
    SymList  params;                // its type parameters
    TyList   bases;
    bool     open;                  // a base is not known: any attribute may be there
    bool     is_protocol, is_enum, is_dataclass, is_frozen, kw_only, no_init, ordered, is_tuple,
             is_typed_dict, is_new_type, has_abstract;
    bool     asked;                 // against cycles
};

// ---- what can be called ----

typedef enum PyParamKind {
    PYPARAM_POSITIONAL, PYPARAM_PLAIN, PYPARAM_REST, PYPARAM_KEYWORD, PYPARAM_KEYWORDS,
} PyParamKind;

typedef struct PyParam {
    Sym         name;
    PyParamKind kind;
    bool        optional;
    const Ty   *type;
    const Arg  *lambda;             // of a lambda, which says nothing of it but its default; NULL
} PyParam;

typedef struct PySig {
    Sym       name;
    Vec(PyParam) params;
    const Ty *result;
    SymList   own;                  // type variables that a call solves
    bool      any_args;             // Callable[..., R]
    bool      takes_self;           // the first parameter is the receiver
    const Ty *guards;               // what its first argument is where it gives True, or NULL
    bool      guards_both;          // `TypeIs`: and is not where it gives False
    Span      at;
} PySig;

typedef struct PySigs { const PySig **at; size_t len; } PySigs;

// One argument of a call. `ty` NULL: not inferred yet (a lambda, or what needs its context).
typedef struct PyArg {
    Span        at;
    const Expr *e;
    Sym         keyword;            // NULL: positional
    bool        star, stars;        // *e, **e
    const Ty   *ty;
} PyArg;

// Infers argument i, knowing what is expected (NULL: nothing).
typedef const Ty *PyInferArg(void *cx, size_t i, const Ty *expected);

typedef struct PyCall {
    Span        at;
    const char *what;               // the callee's text
    const char *help;               // what to do about arguments that do not fit; or NULL
    PyArg      *args;
    size_t      len;
    void       *cx;
    PyInferArg *infer;
    const Ty   *expected;
    const Ty   *solved;             // what was called, as this call has it: with all parameters, in
} PyCall;                           // order, and no variables; NULL: not known

// ---- the whole ----

struct Py {
    Program *p;
    Arena   *arena;
    Names   *names;
    Table   *modules;               // Sym -> PyModule *
    Table   *classes;               // Sym -> PyClass *
    Table   *heads;                 // Sym -> PySym *: `deque` of `collections.deque[int]`
    Table   *callables;             // const Ty * -> PySigs *
    Table   *type_vars;             // Sym -> PyTypeVar *
    Table   *seen;                  // const Expr * -> const Ty *: parts of displays
    PyModule *builtins, *typing, *file;
    const Ty *itself;           // Any, where an alias names itself
    const Ty *unpacked;         // Any, for the parts of `tuple[int, *tuple[str, ...]]`
    const Ty *any, *none, *poison, *object, *int_, *float_, *complex_, *bool_, *str_, *bytes_;
    Diags   *scrap;                 // where reports go while a trial is run
    int      quiet;
    bool      beyond;           // also of what the stubs built in leave out
    size_t    quoted;           // depth of quotes around what is being read
    bool      in_dotted;        // within the check of a dotted annotation
    int      depth;                 // of fits
    int      protocol;              // how many protocols are being compared
    int      apart;                 // an int does not fit where a float is wanted
    const Ty *protocol_from[32], *protocol_to[32];
    Vec(struct PyChange) trail;     // what was narrowed, see flow.c
    bool     dead;                  // nobody gets here
    const Ty *tree;                 // in a display of lists in lists: what those are, or NULL
    struct PyLoop *loop;
    int      loops;                 // inside a trial run of a loop's body
    unsigned stamp;
    struct PyNotes *notes;          // what is noted of each place, see record_types.c; or NULL
};

typedef struct PyTypeVar { Sym name; const Ty *bound; TyList constraints; int variance;
                           bool is_spec; } PyTypeVar;

// ---- module.c ----
Py       *pyt_new(Program *p, StmtList body);
void      pyt_hide_choreography(Py *py);                 // as far as it is known
PyModule *pyt_module(Py *py, Sym name);                  // NULL: nothing is known of it
PyModule *pyt_module_rest(PyModule *m, StmtList body);   // of a stub built in
PyEnv    *pyt_env_new(Py *py, PyEnv *outer, PyEnvKind kind);
void      pyt_collect(PyEnv *env, StmtList body);
void      pyt_collect_walrus(PyEnv *env, const Expr *e);    // what it binds by `:=`; e may be NULL
PySym    *pyt_bind(PyEnv *env, Sym name, PySymKind kind, Span at);
PySym    *pyt_find(PyEnv *env, Sym name);                // NULL: not bound; follows no imports
PySym    *pyt_lookup(PyEnv *env, const Expr *e);         // of a name or `module.name`; imports
                                                        // are followed; NULL: nothing
PySym    *pyt_follow(PySym *s, PyModule **module);       // what an import stands for
const Ty *pyt_symbol_type(PySym *s);                     // of its value
bool      pyt_special(PySym *s, const char *name);       // `name` of typing
bool      pyt_expr_is(PyEnv *env, const Expr *e, const char *name);  // the same of an expression
bool      pyt_is_unpacked(PyEnv *env, const Expr *e);     // `*Ts`, `Unpack[Ts]`
Diag     *pyt_report(Py *py, Span at, DiagId id, const char *format, ...)
          __attribute__((format(printf, 4, 5)));

bool      pyt_is_none(const Expr *e);                    // the constant
int       pyt_known_condition(const Expr *e);            // 1, 0; -1: not known

// ---- stub.c ----
// NULL: there is none. *package: its modules are below it.
const Unit *pyt_stub_file(Py *py, Sym module, bool *package);
bool      pyt_stub_open(PyModule *m);                    // a stub built in; false: there is none
PySym    *pyt_symbol(PyEnv *env, Sym name);              // what it binds itself; NULL: nothing
// A class that a stub built in leaves out, and the stubs of the standard library have; or NULL.
PySym    *pyt_left_out(PyModule *m, Sym name);

// ---- read.c ----
const Ty *pyt_read(PyEnv *env, const Expr *annotation);
void      pyt_check_dotted(PyEnv *env, const Expr *e);   // of the form `a.b`: it must be there
const char *pyt_no_type(PyEnv *env, const Expr *e);      // what it is instead; NULL: it may be one
const Ty *pyt_union(Py *py, const Ty *a, const Ty *b);           // simplified
const Ty *pyt_union_all(Py *py, TyList items);
TyList    pyt_items(const Ty *const *t);                         // of a union, or the type itself
bool      pyt_may_be(const Ty *t, const char *name);            // it, or one of those
TyList    pyt_list(Py *py, size_t n, const Ty *const *items);
Sym       pyt_known(Py *py, const char *name);
const Ty *pyt_name1(Py *py, const char *name, const Ty *arg);    // list[arg]
const Ty *pyt_name2(Py *py, const char *name, const Ty *a, const Ty *b);
bool      pyt_is_never(const Ty *t);
bool      pyt_any_params(const Ty *callable);

// ---- class_info.c ----
PyClass  *pyt_class(Py *py, Sym name);
PyClass  *pyt_class_of(Py *py, const Ty *t);             // of the values of a type; NULL: not known
PyClass  *pyt_class_new(PyEnv *home, const Stmt *def, Sym name);
void      pyt_class_ready(PyClass *c);                   // bases and kind are known
const Ty *pyt_class_self(PyClass *c);                    // C[T, ...]
const Ty *pyt_as(Py *py, const Ty *t, PyClass *base);    // t as an instance of a base, or NULL
const Ty *pyt_substitute(Py *py, const Ty *t, SymList vars, TyList by);
const Ty *pyt_bind_class(Py *py, const Ty *t, PyClass *c, const Ty *self);   // its parameters
bool      pyt_has_vars(const Ty *t, SymList vars);       // one of these; vars.at NULL: any
// The member `name` of class `c`; `at_class` is where it was found, as an instance type.
PySym    *pyt_class_member(Py *py, const Ty *self, Sym name, const Ty **at_class, bool *open);
bool      pyt_frozen_class(PyClass *c);

// ---- subtype.c ----
bool      pyt_fits(Py *py, const Ty *from, const Ty *to);
bool      pyt_same(Py *py, const Ty *a, const Ty *b);
bool      pyt_expr_fits(Py *py, const Expr *e, const Ty *from, const Ty *to);    // displays too
bool      pyt_overlaps(Py *py, const Ty *a, const Ty *b);
const Ty *pyt_join(Py *py, const Ty *a, const Ty *b);
const Ty *pyt_erase_literal(Py *py, const Ty *t);
// The value of a literal, or of `-1`; NULL: it is none.
const Const *pyt_constant(Py *py, const Expr *e);
// `e`: what is of the type `from`; NULL: a part of something.
void      pyt_explain(Py *py, Diag *d, const Expr *e, const Ty *from, const Ty *to);
void      pyt_help_test(Py *py, Diag *d, const Expr *e);        // e may be `None`

// ---- sigs.c ----
PyEnv    *pyt_with_type_params(PyEnv *env, TypeParamList list);
const PySigs *pyt_sigs_of(Py *py, const Ty *callable);   // NULL: only its positional parameters
PySigs    pyt_sigs_of_symbol(PySym *function);
const Ty *pyt_callable(Py *py, PySigs sigs);
const PySig *pyt_sig_of_callable(Py *py, const Ty *t);
PySigs    pyt_sigs_bound(Py *py, PySigs sigs, PyClass *at, const Ty *at_class, const Ty *self);
bool      pyt_makes_init(PyClass *c);                    // of its fields, or a base does
PySigs    pyt_constructor(Py *py, PyClass *c, const Ty *self);
const PySig *pyt_sig_new(PyEnv *env, const Stmt *def, PyClass *owner);
const Arguments *pyt_arguments(const Stmt *def);         // of `def` or `async def`
ExprList  pyt_decorators(const Stmt *def);
Sym       pyt_def_name(const Stmt *s);                    // NULL: it is none
const Expr *pyt_returns(const Stmt *def);
StmtList  pyt_body(const Stmt *def);
bool      pyt_yields(const Stmt *def);
bool      pyt_decorated(const Stmt *def, const char *name);
bool      pyt_unsure(const PySym *s);                     // it is marked so: see builtins.pyi
bool      pyt_untyped(const Stmt *def);                  // no annotation at all
PyEnv    *pyt_function_env(PyEnv *outer, const Stmt *def, PyClass *owner);

// ---- apply.c ----
const Ty *pyt_call(Py *py, const Ty *callee, PyCall *call);
const Ty *pyt_call_sigs(Py *py, PySigs sigs, PyCall *call);
// What parameter i would be given, if only one signature is possible and no variable is unsolved.
const Ty *pyt_expected(Py *py, const Ty *callee, const PyCall *call, size_t i);
const Ty *pyt_call_method(Py *py, const Ty *base, const char *method, size_t n,
                         const Ty *const *args, const Expr *const *exprs);  // NULL: does not fit

// ---- solve.c ----
typedef struct PySolver {
    Py *py;
    SymList vars;
    const Ty **found;               // what the arguments make of each variable
    const Ty **upper;               // what the context asks of it
    int whole;                      // the variable that is the result itself; none: less than 0
    bool *weak;                     // found as what a function takes, which may take more
} PySolver;
PySolver  pyt_solver(Py *py, SymList vars);
void      pyt_solve(PySolver *s, const Ty *param, const Ty *actual);
void      pyt_solve_result(PySolver *s, const Ty *result, const Ty *expected);
const Ty *pyt_solved(PySolver *s, const Ty *t, const Ty *unsolved);  // unsolved: what they become

// ---- member.c ----
// Reports an expression that has no hash where one is needed; `what`: "a key".
// False, and reported: it has no hash.
bool      pyt_check_hashable(Py *py, const Expr *e, const Ty *t, const char *what);
// `base.add(arg)`, with `base` a set.
bool      pyt_check_added(Py *py, const Expr *call, const Ty *base, const PyArg *arg);
const Ty *pyt_member(Py *py, const Ty *base, Sym name);          // NULL: there is none
const Ty *pyt_attribute(Py *py, const Ty *base, const Expr *e);  // reports
const Ty *pyt_attribute_at(Py *py, const Ty *base, Sym name, Span at,
                           const Expr *of);     // NULL: nothing that the program writes
bool      pyt_member_settable(Py *py, const Ty *base, Sym name, const Ty **type, const char **why);

// ---- supports.c ----
void      pyt_note_supports(Py *py, Diag *d, TyList types);     // what their protocols need

// ---- operate.c ----
const Ty *pyt_binary(Py *py, Span at, Operator op, const Ty *l, const Ty *r, const Expr *le,
                    const Expr *re);
const char *const *pyt_operator_methods(Operator op);   // `__add__`, `__radd__`, `__iadd__`
const char *pyt_operator_sign(Sym method);              // "+"; NULL: it is not an operator's
const Ty *pyt_augmented(Py *py, Span at, Operator op, const Ty *l, const Ty *r, const Expr *re);
const Ty *pyt_unary(Py *py, Span at, Unaryop op, const Ty *t);
void      pyt_compare(Py *py, Span at, Cmpop op, const Ty *l, const Ty *r, const Expr *le,
                     const Expr *re);
const Ty *pyt_subscript(Py *py, Span at, const Ty *base, const Ty *index, const Expr *index_expr);
void      pyt_store(Py *py, Span at, const Ty *base, const Ty *index, const Expr *index_expr,
                   const Ty *value, const Expr *value_expr);
void      pyt_remove(Py *py, Span at, const Ty *base, const Ty *index, const Expr *index_expr);
const Ty *pyt_element(Py *py, Span at, const Ty *iterable);      // reports; at.end == 0: quietly
const Ty *pyt_enter(Py *py, Span at, const Ty *manager, bool async, bool *swallows);
const Ty *pyt_await(Py *py, Span at, const Ty *t);
const Ty *pyt_unpack(Py *py, Span at, const Ty *t, size_t n, size_t i, size_t star);

// ---- narrowing.c ----
// Can a choreography go on with it? Then no part is a stub's own class, or a variable.
bool      pyt_plain(const Ty *t);
const Ty *pyt_without_none(Py *py, const Ty *t);
const Ty *pyt_truthy(Py *py, const Ty *t, bool truth);
// What part i of a pattern sees: of `C(a, b)`, whose instances are `made`; of `[a, *b]`.
const Ty *pyt_positional_part(Py *py, const Ty *made, size_t i);
const Ty *pyt_sequence_part(Py *py, PatternList list, const Ty *t, size_t i);
const Ty *pyt_isinstance(Py *py, const Ty *t, const Ty *classes, bool truth);
const Ty *pyt_equal(Py *py, const Ty *t, const Ty *other, bool truth);

// ---- grad.c ----
const Ty *pyt_grad_call(PyEnv *env, const Expr *e);       // NULL: it is none of that kind

// ---- infer.c ----
const Ty *pyt_infer(PyEnv *env, const Expr *e, const Ty *expected);
const Ty *pyt_infer_lambda(PyEnv *env, const Expr *e, const Ty *expected);     // lambda.c
const Ty *pyt_infer_iterable(PyEnv *env, const Expr *e);        // of a `for`
bool      pyt_name_bound(PyEnv *env, const Expr *e);     // reports a name that nothing defines
const Ty *pyt_const_type(Py *py, const Const *c);
void      pyt_bind_type(PyEnv *env, const Expr *target, const Ty *type);     // of a comprehension

// ---- flow.c ----
typedef struct PyChange { PySym *sym; const Ty *before; } PyChange;
typedef struct PyExit { PyChange *at; size_t len; bool dead; } PyExit;
size_t    pyt_mark(const Py *py);
PyExit    pyt_here(Py *py, size_t mark);                 // what holds now
void      pyt_set(Py *py, PySym *s, const Ty *narrowed);
PyExit    pyt_leave(Py *py, size_t mark);                // what holds now; then takes it back
void      pyt_join_exits(Py *py, const PyExit *exits, size_t n);
PySym    *pyt_place(PyEnv *env, const Expr *e);          // a name or `a.b.c`; NULL: none
void      pyt_forget(Py *py, PySym *s);                  // places below a name or a place
void      pyt_assume(PyEnv *env, const Expr *test, bool truth);

// ---- record_types.c ----
// Where a variable is stored, or a pattern binds it: the type is what the variable turns out to be.
typedef struct PyStore { const Expr *e; const Pattern *p; PySym *sym; } PyStore;

typedef struct PyNotes {
    Table  *sure;                   // const Expr *: what was seen by other than a trial
    Table  *parts;                  // first target of a variable -> what later code makes it
    bool    learned;                // `parts` has become more: another run knows more
    bool    real;                   // a power of floats is a float
    Vec(PyStore) stores;
} PyNotes;

// These do nothing where nothing is noted. The nodes are written to: they belong to who notes.
void      pyt_note(Py *py, const Expr *e, const Ty *t);
void      pyt_note_target(Py *py, const Expr *target, PySym *s, const Ty *value);
void      pyt_note_callee(Py *py, const Expr *f, const Ty *callee, const PyCall *call);
// A function that may be called in several ways, and is wanted as a certain one. What it gives for
// arguments of these types; NULL: unknown.
const Ty *pyt_result_for(Py *py, const Ty *function, TyList params);
bool      pyt_is_open_function(Py *py, const Ty *t);
const Ty *pyt_function_as(Py *py, const Ty *function, const Ty *want);
const Ty *pyt_note_as(Py *py, const Expr *e, const Ty *t, const Ty *want);
void      pyt_note_arg(Py *py, const Arg *arg, const Ty *t);
void      pyt_note_handler(Py *py, const Excepthandler *h, const Ty *t);
void      pyt_note_pattern(Py *py, const Pattern *p, const Ty *given);
void      pyt_note_captured(Py *py, const Pattern *p, PySym *s);
bool      pyt_vague(const Ty *t);                        // Any, or some part of it is
// What is made of a variable that begins as `[]` and the like: by a call of its method, by a store
// below it, where it is returned. `pyt_part` is what is known by now; NULL: nothing.
void      pyt_learn_call(PyEnv *env, const Expr *call, const PyCall *c);
void      pyt_learn_store(PyEnv *env, const Expr *target, const Ty *index, const Ty *value);
void      pyt_learn_result(PyEnv *env, const Expr *e, const Ty *want);
void      pyt_learn(PySym *s, const Ty *t);
void      pyt_learn_given(Py *py, const PyParam *q, const Ty *given);   // of a lambda with defaults
const Ty *pyt_part(const PySym *s);
const Expr *pyt_name_in(const Expr *target, Sym name);  // of a target, a tuple maybe; NULL: none
void      pyt_forget_outer(PyEnv *env);                  // what code that runs later cannot rely on
// Of a call or operation of which Python's typing says nothing; `t` where no more is known.
const Ty *pyt_noted_result(PyEnv *env, const Expr *call, PyCall *c, const Ty *t);
const Ty *pyt_noted_power(Py *py, const Ty *left, const Ty *right, const Ty *t);
const Ty *pyt_noted_tuple(Py *py, const Ty *t);          // of a named tuple; others stay
const Ty *pyt_named_tuple(Py *py, const Ty *t);          // the same, without notes too
void      pyt_note_alias(PyEnv *env, const Stmt *assign);
void      pyt_note_finish(Py *py, StmtList body);

// ---- header.c ----
void      pyt_check_header(PyEnv *env, const Stmt *class_);      // its type parameters

// ---- body.c ----
void      pyt_check_body(PyEnv *env, StmtList body);
void      pyt_check_module(Py *py, StmtList body);
// A function inside a choreography; `known` are the names of what is around it.
void      pyt_check_inner(Py *py, const Stmt *def, SymList known);
void      pyt_check_function(PyEnv *outer, const Stmt *def, PyClass *owner);
void      pyt_assign(PyEnv *env, const Expr *target, const Ty *value, const Expr *e, Span at);

#endif
