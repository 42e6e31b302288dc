// internal.h - what the files of the checker share: declarations, scopes, and the judgements.
//
// Γ ⊢ e : T @ R̄ (docs/language.md, "Expressions") is `check_expr`: it gives the expression again
// with its type and roles. An expression whose `roles` are empty is role-less: its context places
// it.

#ifndef PYCHORAL_TYPECHECK_INTERNAL_H
#define PYCHORAL_TYPECHECK_INTERNAL_H

#include "compiler/base/diag.h"
#include "compiler/base/loader.h"
#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "compiler/ir/ir_index.h"
#include "ir_gen.h"
#include "typecheck/typecheck.h"

// A located type T @ R̄. `roles` empty: role-less, or (with NoneType) no value at all.
typedef struct LocType {
    const Ty *ty;
    SymList   roles;
} LocType;

typedef Vec(Sym) SymVec;
typedef Vec(const Stmt *) StmtVec;

// Roles and type parameters of one definition, and what stands for them elsewhere.
typedef struct Subst {
    SymList roles, to_roles;
    SymList vars;
    TyList  to_types;               // Any for what has none here
} Subst;

typedef enum DeclKind {
    DECL_ROLE,              // class Client(Role), or an import from pychoral.roles
    DECL_LIBRARY,           // a name imported from pychoral that is neither role nor channel
    DECL_CHANNEL,           // a channel class of pychoral
    DECL_ENUM, DECL_LOCAL_CLASS, DECL_ROLE_CLASS,
    DECL_LOCAL_FUNCTION, DECL_CHOREOGRAPHY,
    DECL_IMPORT,            // a foreign module, or a name from one
    DECL_VARIABLE,          // a module variable
} DeclKind;

typedef enum ParamKind { PARAM_PLAIN, PARAM_POSITIONAL, PARAM_KEYWORD } ParamKind;

typedef struct Param {
    Sym         name;
    ParamKind   kind;
    LocType     type;
    const Expr *default_value;      // as checked once the signature was; NULL: required
    const Arg  *arg;                // NULL for a field of a dataclass
    Span        at;
} Param;

struct Decl;

// A choreography's signature and effects: a function, a method, a nested function, a constructor.
typedef enum MethodKind {
    METHOD_PLAIN, METHOD_STATIC, METHOD_CLASS, METHOD_GETTER, METHOD_SETTER,
} MethodKind;

// Module state, or local code, that a choreography reaches, and the formal roles that do.
typedef struct Reached { struct Decl *decl; SymVec roles; } Reached;

typedef struct Function {
    Sym          name;
    const Stmt  *def;               // NULL for the constructor of a class without __init__
    struct Decl *owner;             // the role class of a method
    SymList      formals;           // own role parameters; of the class for a method
    SymList      type_params;       // its own
    SymList      roles;             // all roles in scope in the body
    SymList      place;             // of what a nested function's signature says no role of
    Vec(Param)   params;            // without self
    LocType      result;
    MethodKind   kind;              // of a method
    bool         is_static;         // no self
    bool         is_abstract;       // must be overridden; who may act in it is stated, or all
    bool         is_final;
    bool         bodiless;          // a declaration: the body is `...`
    bool         external;          // of an interface: its body is elsewhere
    bool         states_effect;     // by `@effect`
    bool         local;             // a role-less static method: local code
    bool         is_lambda;         // its name is made up
    bool         named;             // there is a `:=` in its body
    bool         failed;            // its body has errors: it is left out of the unit
    bool         lacks_result;      // it returns a value, but declares none: this is reported
    bool         misplaced;         // or declares it where it is not
    bool         broken;            // its signature has errors: calls of it are not judged
    SymVec       communicates, acts;        // effects, as roles in scope
    Vec(Reached) reaches;           // see interface.c
    SymList      body_roles;        // of a nested function: who has anything in its body
    const Stmt  *lifted_from;       // the method that this function stands for; NULL
} Function;

typedef struct Field {
    Sym     name;
    LocType type;
    Span    at;
} Field;

// One class that a class inherits from, or the class itself. What is said of it holds in the names
// of the class that asks.
typedef struct Ancestor {
    struct Decl *decl;
    SymList      roles;             // for each formal of `decl`
    TyList       args;              // for each type parameter of `decl`
    Span         at;                // of the base in the header
} Ancestor;

typedef struct Decl {
    DeclKind    kind;
    Sym         name;
    Span        at;
    size_t      index;              // declared after so many others
    const Stmt *stmt;               // the definition; NULL for imports
    bool        inherited_inside;   // by a class inside a function or class
    bool        has_labels;         // an enum that has been looked at: its members are labels
    bool        rebound;            // a module variable assigned again, or changed in place
    bool        differs;            // a module variable that may differ from role to role
    bool        stateful;           // of a library: other modules may change what it is
    // Of a local function: as choreographies call it, and while the modules load.
    enum { PURITY_UNKNOWN, PURITY_ASKED, PURITY_YES, PURITY_NO } purity[2];
    const Expr *unsure;             // what in it may differ from role to role
    SymList     formals;            // ROLE_CLASS
    Table      *members;            // Sym -> Function * (ROLE_CLASS), const Stmt * (local classes)
    Table      *constants;          // Sym -> const Stmt *: `X = 1` in a ROLE_CLASS
    bool        own_init;           // it has an `__init__` of its own
    Table      *fields;             // Sym -> Field *
    Table      *lifted;             // Sym -> Decl *: methods with roles of their own; or NULL
    Vec(struct Decl *) lifted_order;
    Vec(Sym)    field_order;
    Function   *init;               // ROLE_CLASS: its constructor
    Vec(Ancestor) bases;            // classes of this file, in the order of the header
    Vec(Ancestor) order;            // itself, then all it inherits from, in Python's method order
    bool        is_protocol, is_final;
    bool        is_interface;       // neither it nor what it inherits from has fields
    SymList     type_params;        // of a generic class, in order
    bool        foreign_base;       // has a base that is not in this file
    enum { ORDER_UNKNOWN, ORDER_ASKED, ORDER_DONE } order_state;
    Function   *function;           // CHOREOGRAPHY
    const struct ChannelClass *channel;     // CHANNEL
    bool        is_dataclass;
    enum { TEXT_UNKNOWN, TEXT_SAME, TEXT_DIFFERS } text;       // see iteration_order.c
    bool        asked;              // its fields are being looked at
} Decl;

// A channel class of the library: which ways com and select go.
typedef struct ChannelClass {
    const char *name;
    int  types;                     // type arguments before the two roles
    bool com_forth, com_back, select_forth, select_back;
} ChannelClass;

// A choreographic call, by the span of its callee: what the effect analysis needs to know.
typedef struct CallSite {
    Span      at;
    Function *callee, *caller;
    SymList   formals, actuals;     // callee's roles in scope -> the caller's
    bool      value;                // not called here, but used as a value
    SymList   shown;                // the roles of the value's type
    bool      local;                // one role's code is given it
    const Stmt *generic;            // whose type parameters `vars` are; NULL: none
    SymList   vars;
    TyList    given;                // what the call gives for them
    bool      dispatch;             // no call: the callee overrides the caller
} CallSite;

typedef struct Program {
    Arena        *arena;
    Names        *names;
    const Source *source;
    const Loader *loader;           // of files of other modules (.pyi); NULL: there are none
    TypecheckParse *parse;          // NULL: stubs cannot be read, nothing is known of builtins
    struct Py    *py;               // the typing of one role's code
    bool          real;             // a power of floats is a float
    const struct Loads *loads;      // of a checked unit: what projection needs to know of loading
    Diags        *diags;
    Sym           entry;
    Table        *decls;            // Sym -> Decl *
    Vec(Decl *)   order;
    Vec(Function *) functions;      // every choreography, nested ones too
    Table        *uses;             // start of a name in a choreography -> Decl *, see table_key
    Table        *role_parts;       // parts of the source that declare roles
    Table        *lowered;          // by the start of a definition: its type parameters are lowered
    Table        *lowered_names;    // TypeVar that was made -> const Stmt *: for which definition
    Table        *lowered_from;     // the same -> its name in the source
    bool          needs_type_vars, needs_generic, needs_alias, needs_union, is_generic;
    bool          needs_late_union;
    bool          lacks_import;     // the help of a name that is not defined is to import it
    bool          unread;           // `pychoral` is a module here: annotations cannot be read
    const char   *never_sent;       // why nothing of an argument can be sent (wire.c), or NULL
    Table        *told;             // starts of what is no literal, and was reported
    SymList       type_vars;        // type parameters written in brackets, of what is being read
    StmtVec       aliases;          // names of located types: they are written out, see alias.c
    Table        *located_names;
    Table       *said;             // what a message covers already: roles, places
    Table        *located_heads;    // see alias.c
    Table        *nested;           // Sym -> Function *: the last nested choreography of a name
    StmtList      body;             // of the module
    Table        *mentions;         // see program_mentions
    Table        *hoist_trouble;    // class inside a choreography -> why it is not hoisted
    Table        *inner;            // Sym -> StmtVec *: local functions inside choreographies
    unsigned      asked_deep;       // how deep local.c is in functions that it asks about
    Table        *unordered;        // see iteration_order_note
    Table        *unsure_names;     // start of a name -> it is a builtin that may differ; attribute
                                    // of what has a type -> `py`: it is a method that may; name ->
                                    // some class that is used has such a method
    Vec(CallSite) sites;
    size_t        lambdas;          // of several roles: they have got names
    const Expr   *callable;         // how the file calls `Callable`
} Program;

typedef struct Var {
    Sym       name;
    LocType   type;
    Span      at;
    Function *function;             // a nested choreography
    bool      local_function;
    bool      is_class;             // the `cls` of a class method
    bool      declared;             // its type was written, not inferred
    bool      looped;               // nothing but loops binds it
    bool      roams;                // they do so at different roles
    bool      stays;                // a `break` may leave its value behind the loop
    bool      gone;                 // a handler had it for its exception, and has ended
    struct PySym   *sym;            // what is known of its type here, see narrow.c
} Var;

// A nested choreography whose body is looked at when the function around it has been; `made` gets
// the checked definition then.
typedef struct Late { Function *f; Stmt *made; } Late;

// One function body being checked.
typedef struct Scope {
    Program      *p;
    struct Scope *outer;            // of a nested function or comprehension
    Function     *fn;
    Table        *vars;             // Sym -> Var *
    SymList       roles;            // in scope
    bool          transparent;      // a comprehension or lambda: assignments go to outer
    bool          lambda;           // a lambda: but what `:=` binds in it is its own
    SymList       branch_roles;     // who decided that we are here: of the innermost `if`
    SymList       handled_by;       // of the innermost handler around: who caught the exception
    struct PyEnv *env;              // its variables, for what is known of their types
    struct Round *round;            // of the innermost loop around; NULL
    StmtVec      *front;            // where what must stand in front of the statement goes
    Table        *binds;            // what the function binds, see nested.c; NULL: not known yet
    Vec(Late)     late;
    size_t        breaks;           // that have been seen
    const Stmt   *declares;         // whose value is checked
    uint32_t      misplaced;        // where the value starts that was last found at a wrong place
    bool          refused;          // a handler of a `try` that will be refused: needs no places
    bool          unreachable;      // nobody gets to this statement
    bool          deferred;         // Python may evaluate this not at all, or often: no message
    bool          unsure;           // not all roles know that it is evaluated, or what it is for:
                                    // no edit that sends
} Scope;

// ---- roles.c ----
bool    roles_has(SymList set, Sym r);
bool    roles_subset(SymList a, SymList b);
bool    roles_equal(SymList a, SymList b);                      // as sets
SymList roles_meet(Arena *a, SymList x, SymList y);             // in x's order
SymList roles_join(Arena *a, SymList x, SymList y);             // x, then what y adds
SymList roles_sorted(Arena *a, SymList all, SymList set);       // in the order of `all`
SymList roles_one(Arena *a, Sym r);
Sym     roles_map(SymList from, SymList to, Sym r);             // r itself when not in `from`
SymList roles_map_all(Arena *a, SymList from, SymList to, SymList set);
const char *roles_text(Arena *a, SymList set);                  // "A", "A and B", "A, B and C"
const char *roles_list(Arena *a, SymList set);                  // "A, B, C", as in the source

// ---- types.c ----
const Ty   *type_named(Program *p, const char *name);
const char *type_text(Program *p, const Ty *t);
bool        type_is(const Ty *t, const char *name);             // a Named of that name
bool        type_unknown(const Ty *t);                          // NULL, Poison or Any
bool        type_fits(Program *p, const Ty *from, const Ty *to);
const Ty   *type_join(Program *p, const Ty *a, const Ty *b);
const Ty   *type_map_roles(Program *p, const Ty *t, SymList from, SymList to);
bool        type_several(const Ty *t);      // an instance, a channel, a tuple of located values
bool        type_is_channel(const Program *p, const Ty *t);     // NULL: no
bool        type_mutable(Program *p, const Ty *t);
const Ty   *type_of_binary(Program *p, Operator op, const Ty *left, const Ty *right);
const Ty   *type_of_builtin(Program *p, Sym function, ExprList args);   // NULL: no such builtin
const Ty   *type_of_method(Program *p, const Ty *base, Sym method);     // Any when not known
const Ty   *type_of_element(Program *p, const Ty *iterable);
bool        builtin_exists(Sym name);
SymList     builtin_names(Program *p);
bool        builtin_deterministic(Sym name);
bool        builtin_makes_set(Sym name);            // equal sets, each in an order of its own
bool        method_pure(const Ty *base, Sym method);
bool        method_exists(const Ty *base, Sym method);          // of a builtin class
const Ty   *type_parse(Program *p, const char *text);           // "list[str]"

// ---- channel.c ----
bool        channel_fits(Program *p, const Ty *from, const Ty *to);

// ---- quoted.c ----
const char *annotation_text(Program *p, const Expr *e);        // as it is written, if that is short
const Expr *annotation_unquote(Program *p, const Expr *e);     // what a string stands for

// ---- located_inside.c ----
// A located type where only one role's types can stand; `what`: what it is in.
void located_refuse_inside(Program *p, const Expr *e, const char *what);

// ---- annotation.c ----
const ChannelClass *channel_class(Sym name);
// Reads a located annotation; reports and gives Poison when it is none. `roles` are those in scope;
// *out is the annotation for the checked tree (NULL: it is not located).
LocType annotation_located(Program *p, const Expr *e, SymList roles, const Expr **out);
// The same in the signature of `f`: what is not located is at its `place`.
LocType annotation_signature(Program *p, const Expr *e, const Function *f, const Expr **out);
const Ty *annotation_local(Program *p, const Expr *e);
const Expr *annotation_of_value(Program *p, const Expr *e);     // T of `At[T, A]`; NULL: no `At`
ExprList annotation_elements(Arena *a, const Expr *slice);      // of `head[a, b]`
Sym     annotation_generic(Program *p, const Expr *e);  // what typing calls it, or `a.b.head`
Sym     annotation_head(const Expr *e);                         // the last name of `a.b.head`
// Which elements of a located annotation are roles: those from this index on. Less than 0: none.
int     annotation_first_role(Program *p, const Expr *head, ExprList args);
// Adds the role names that an annotation mentions, in order of first occurrence.
void    annotation_roles(Program *p, const Expr *e, SymList bound, SymList *found);
bool    role_expr(Program *p, SymList scope, const Expr *e, SymList *out);   // R, R(), (R1, R2)

// ---- annotation_order.c ----

// Do types and roles stand in each other's place in `At[..]` or a channel, or lacks it the type?
bool    annotation_is_misordered(Program *p, const Expr *e);
void    annotation_report_order(Program *p, const Expr *e);     // of one that is
SymList annotation_roles_meant(Program *p, const Expr *e);      // wherever they stand in it
bool    annotation_is_type(Program *p, const Expr *e);          // and never a role
bool    annotation_may_be_role(Program *p, const Expr *e);
void    annotation_no_role(Program *p, const Expr *e);      // reports that it is not a role name
SymList annotation_usual_types(Program *p);                     // `int`, `str` ...

// ---- annotation_names.c ----
// Reports the names of an annotation that nothing defines, or that are no types; false if there are
// any. `scope`: of the function around, or NULL.
bool    annotation_names(Program *p, Scope *scope, SymList roles, const Expr *e);
bool    annotation_bounds(Program *p, TypeParamList params);    // of `def f[T: bound]`
void    annotation_report_no_type(Program *p, const Expr *e, const char *what);

// ---- annotation.c ----
// The annotation that says this type, as the checked tree has it; NULL where it would say nothing.
const Expr *annotation_of(Program *p, Span at, LocType type);

// ---- alias.c ----
// The module without names of located types: their text stands wherever they are used.
StmtList alias_write_out(Program *p, StmtList body);
// By their headers alone; after alias_write_out.
bool     alias_is_role_class(Program *p, const Stmt *class_);
bool     alias_is_choreography(Program *p, const Stmt *function);

// ---- hoist.c ----
// The module with the local classes inside its choreographies in front of them.
StmtList hoist_classes(Program *p, StmtList body);

// ---- sites.c ----
// Asks `flow` of each call that has a caller, and again of those that read what it has changed (it
// answers whether it has), until nothing changes: from callees to callers, or the other way.
typedef bool SiteFlow(void *cx, const CallSite *site);
void sites_flow(Program *p, SiteFlow *flow, void *cx, bool to_callee);

// ---- program.c ----
void  program_collect(Program *p, StmtList body);
Decl *program_find(const Program *p, Sym name);
// How often the names of statements occur: Sym -> the number, as a pointer.
Table *program_count_mentions(Program *p, StmtList body);
size_t program_mentions(Program *p, Sym name);                   // in the whole module
Decl *program_add_function(Program *p, const Stmt *def);        // as a choreography
bool  program_declares_roles(const Program *p, Span at);        // the file that this is in
bool  program_is_type_var(const Decl *d);                       // `T = TypeVar("T")`
// The type that a variable of the module stands for in an annotation (`Row = list[int]`,
// `Row: TypeAlias = ..`, `type Row = ..`); NULL: it cannot be one.
const Expr *program_type_named(Program *p, const Decl *d);
// Whether it is a name for a type and nothing else: no value, nor a class, which may have state.
bool  program_is_type_name(Program *p, const Decl *d);
bool  channel_has_method(Sym name);                      // com, share, select
Decl *program_local_base(Program *p, const Decl *class_);       // the base that is a local class
bool  program_is_misspelt(const Decl *d);    // imported from `pychoral`, which lacks it: reported
bool  program_library_has(Sym name);                             // `pychoral` has this name
bool  program_is_library(Sym module);     // it says only what choreographies are made of
Sym   program_did_you_mean(Program *p, Sym name, SymList more);
// Adds to an error about an unknown name what it may be: where it is imported from, or one that is
// near to it of `more`, of the module or of Python. An edit puts it there.
void  help_unknown(Program *p, Diag *d, Sym name, Span at, SymList more, bool value);
// Suggests the attribute of `e` that was meant: one of the names, or what the class `of` (or NULL)
// defines.
struct Scope;
// Of a keyword that no parameter has, or one that is given by position only.
void help_keyword(Diag *d, Sym given, bool by_position, SymList names);
void help_attribute(struct Scope *sc, Diag *d, const Expr *e, const Decl *of, SymList names);
// Is it unknown only because its import is misspelt, which is reported there?
bool  program_misspelt_import(Program *p, Sym name);

// ---- lift.c ----
// Makes a function of a method with roles of its own, `own`; reports a method that cannot be one.
void  lift_method(Program *p, Decl *d, const Stmt *s, SymList own);
Decl *lift_find(const Decl *d, Sym name);       // of the class, or one that it inherits from; NULL
Decl *lift_named(Program *p, const Expr *method);       // by `o.m`, with o checked; NULL: none
bool  lift_is(const Decl *d, const Stmt *s);    // does a function stand for this method of `d`?
void  lift_check_overrides(Program *p, const Decl *d);
// `o.m(..)` or `o.m[C](..)` as a call of the function.
const Expr *lift_call(Program *p, const Expr *call, const Expr *callee, const Decl *function);

// ---- signature.c ----
void  signature_collect(Program *p);                            // of every choreography
// Of a nested choreography; `place`: see Function.
Function *signature_nested(Program *p, const Stmt *def, SymList roles, SymList place);
bool  signature_mentions_roles(Program *p, const Stmt *def);
SymList signature_roles(Program *p, const Stmt *def, SymList bound);     // but those of `bound`
Function *signature_new(Program *p, const Stmt *def, Decl *owner, SymList around);
void  signature_role_names(Program *p, SymList formals, const Stmt *def);
bool  decorator_is(const Expr *decorator, const char *name);
bool  def_has_decorator(const Stmt *def, const char *name);
const Stmt *def_method(const Stmt *class_, const char *name);   // in its body; NULL

// ---- role_class.c ----
void  class_collect(Program *p, Decl *d);                       // the methods of a ROLE_CLASS
void  class_read_fields(Program *p, Decl *d);                   // and its constructor

Sym   class_setter_name(Program *p, Sym property);
const Expr *class_field_call(const Expr *value);                // `field(...)`, or NULL
// What a class has of the value that its body writes: of `field(default=v)` it is `v`; or NULL.
const Expr *class_metaclass(const Stmt *def);       // NULL: none is written
const Expr *class_field_value(const Expr *value);
bool        class_keywords_follow(const Stmt *s);               // `_: KW_ONLY`

// ---- hierarchy.c ----
void  hierarchy_collect(Program *p);                            // bases and method orders
// A member of a class of several roles, where it is found first.
typedef struct Member {
    const Ancestor *from;
    Function *function;             // of a method or property; NULL
    Field    *field;                // NULL
    const Stmt *constant;           // `X = 1` in the class body; NULL
} Member;
bool  hierarchy_find(const Decl *d, Sym name, Member *out);
bool  hierarchy_find_after(const Decl *d, Sym name, Member *out);       // for `super()`
const Function *hierarchy_lacks(Program *p, const Decl *d);     // an abstract method, or NULL
const Ancestor *hierarchy_init_after(const Decl *d);            // of `super()`; NULL: none
const Ancestor *hierarchy_init(const Decl *d);                  // whose constructor `d` has
// The instance type as one of `to`, an ancestor of its class; NULL when it is none.
const Ty *hierarchy_upcast(Program *p, const Ty *inst, const Decl *to);
// From the names of `from` to what the instance type `inst` of a derived class gives for them.
Subst hierarchy_view(Program *p, const Ancestor *from, const Ty *inst);

// ---- override.c ----
void  override_check(Program *p);       // what overrides fits; before the effects are known
void  override_check_effects(Program *p);

// ---- generic.c ----
const Ty *type_subst(Program *p, const Ty *t, const Subst *s);
// Learns type parameters from the type that was given for `param`; what is known stays.
void      type_learn(Program *p, SymList vars, const Ty **known, const Ty *param, const Ty *given);
// The same, for those that are not known yet, from the type that the context needs.
void      type_learn_rest(Program *p, SymList vars, const Ty **known, const Ty *result,
                          const Ty *want);
// ---- lower_generic.c ----
// The checked definition without type parameters in brackets; adds the TypeVars to `out`.
const Stmt *generic_lower(Program *p, const Stmt *def, const Stmt *checked, StmtVec *out);
const Stmt *generic_lower_local(Program *p, const Stmt *s, StmtVec *out);      // of one role's code
StmtList  generic_imports(Program *p, StmtList body);           // what these need

// ---- wire.c ----
// Why a type is no payload type; NULL: it may be one.
const char *wire_unsendable(Program *p, const Ty *t);
bool        wire_fails_by_field(Program *p, const Ty *t);   // that is why it cannot be sent
// The type of a call of what an import brings, or that an annotation names by one, if its objects
// can never be sent; else NULL (judge.c).
const Ty *judge_foreign(Program *p, const Expr *e);
// The type of an annotation as one role's Python has it, of `Literal[..]` (judge.c).
const Ty *judge_read(Program *p, const Expr *e);
// Is it a class of which no instance can be sent, as anything?
bool wire_never(Program *p, const Ty *t);
bool wire_foreign(Program *p, const Ty *t);     // a class of a stub that cannot be sent
// What a value of type `t` is sent as over a channel that carries `limit`: the wire type. NULL: it
// cannot be sent, and `why` says it.
const Ty *wire_type(Program *p, const Ty *t, const Ty *limit, const char **why);

// ---- payload.c ----
// Writes in place of type parameters, in what is received, which classes they can be.
const Unit *payload_write(Program *p, const Unit *unit,
                          Function *(*function_of)(void *cx, const Stmt *), void *cx);

// ---- local_class.c ----
void      local_class_check(Program *p, StmtList body);         // overriding, abstract instances

// ---- generic.c ----
typedef struct Bound { const Ty *upper; TyList constraints; } Bound;
Bound     type_bound(Program *p, const Stmt *def, Sym var);     // of a type parameter of `def`
const Expr *type_apply(Program *p, const Expr *head, TyList args);      // `head[args]`
const Expr *type_to_expr(Program *p, const Ty *t, Span at);     // as an annotation
SymList   type_params_of(Program *p, const Stmt *function, SymList outer);
SymList   type_params_enter(Program *p, SymList more);          // gives what to set back
Sym       type_param_name(const TypeParam *t);
SymList   type_params_written(Arena *a, TypeParamList list);    // their names, in order
LocType   located_subst(Program *p, LocType t, const Subst *s);

// ---- scope.c ----
Scope *scope_new(Program *p, Scope *outer, Function *fn, SymList roles);
bool   scope_unsure(Scope *sc, SymList deciders);   // makes it `unsure`; gives what to set back
Var   *scope_find(Scope *sc, Sym name);
// Whether the name is that of a choreography of this function, which is reported.
bool   scope_hides(Scope *sc, Sym name, Span at);
Var   *scope_bind(Scope *sc, Sym name, LocType type, Span at);
// Source text of a channel that carries such a value from one to the other, or NULL.
const char *scope_channel(Scope *sc, Sym from, Sym to, const Ty *payload);

// ---- narrow.c ----
const Ty *var_type(const Var *v);                               // what it is here
const Ty *type_without_none(Program *p, const Ty *t);           // of a union

// ---- expr.c ----
static inline const Expr *expr_typed(Scope *sc, const Expr *e, const Ty *ty, SymList roles) {
    return expr_with_ty(sc->p->arena, e, ty, roles);
}

// `want` is what the context needs, as a hint: its type may be NULL, its roles empty; NULL: nothing
// is known.
const Expr *check_expr(Scope *sc, const Expr *e, const LocType *want);
const Expr *check_placed(Scope *sc, const Expr *e, LocType want, const char *what);
const Expr *expr_place(Scope *sc, const Expr *e, SymList roles);
const Expr *expr_coerce(Scope *sc, const Expr *e, LocType want, const char *what);
// The same for something kept or given on: a replicated value of a mutable type is copied for
// `roles`.
const Expr *expr_own(Scope *sc, const Expr *e, SymList roles);
// The same for an operand, if an operator may change it.
const Expr *expr_own_object(Scope *sc, const Expr *e, SymList roles);
bool        expr_unplaced(const Expr *e);
// The roles that all operands share (absent and role-less ones fit any). False after reporting that
// there are none, or when an operand is poisoned. `wanted`: where the whole is needed, if known.
bool        expr_meet(Scope *sc, size_t n, const Expr *const *operands, SymList wanted,
                      SymList *roles);
const Expr *expr_poison(Scope *sc, const Expr *e);
const char *expr_text(Program *p, const Expr *e);               // its source, shortened
Diag       *report_at(Scope *sc, Span at, DiagId id, const char *format, ...)
            __attribute__((format(printf, 4, 5)));
bool  in_method(const Scope *sc);                               // of a class of several roles
void  report_super_inside(Program *p, Span at);                 // of a nested function
void        label_open_end(const Program *p, Diag *d, StmtList body);   // and what it needs
Diag       *report_unsupported(Program *p, Span at, const char *what);
// Of a name that is nowhere: the import that usually gives it.
bool        help_import(Program *p, Diag *d, Sym name, Span at);
// The import of that name in the file around `at`; of a module itself, `module` is "".
void        edit_import(Program *p, Diag *d, Help *h, const char *module, Sym name, Span at);
// If an import is missing, reports all others that are, which hide behind the first.
void        report_missing_imports(Program *p, StmtList body);
// That the source has it as `__x`, in a class.
void        note_private(Diag *d, const Expr *e);

// ---- help.c ----
// How to send a value to one of these roles; as an edit if it is `certain` that this will do.
void        help_send(Scope *sc, Diag *d, const Expr *e, SymList to, bool certain);
// After that: the value can stay, if the other operand, `e`, comes to one of these roles.
void        help_other_way(Scope *sc, Diag *d, const Expr *e, SymList to);
void        help_bring(Scope *sc, Diag *d, const Expr *e, SymList to);      // to all of these roles

// What the i-th of `len` targets gets of a value of this type.
LocType     target_part(Scope *sc, LocType type, size_t len, size_t i);

// ---- capture.c ----
bool        expr_is_param(const Arguments *a, Sym name);
// May who calls this lambda change, or get, a replicated object that it uses?
bool        lambda_captures(Program *p, const Expr *lambda);
// Is this a method, as a value, that changes its replicated object?
bool        bound_method_changes(Program *p, const Expr *e);

// ---- call.c ----
const Expr *check_call(Scope *sc, const Expr *call, const Expr *callee, const LocType *want);
// What a value of several roles cannot be.
typedef enum Several {
    SEVERAL_ELEMENT, SEVERAL_PINNED, SEVERAL_COMPARED, SEVERAL_OPERAND, SEVERAL_VALUE,
    SEVERAL_MANAGER, SEVERAL_ARGUMENT, SEVERAL_CONDITION, SEVERAL_ARM,
    SEVERAL_ITERATED, SEVERAL_MATCHED,
} Several;

Sym         import_missing(Scope *sc, const Expr *e);       // the module that lacks; or NULL
void        note_missing(Diag *d, Sym module);              // NULL: nothing to say
bool        refuse_several(Scope *sc, const Expr *e, Several as);       // it is reported
const Expr *check_select(Scope *sc, const Expr *call, const Expr *callee);

// ---- funval.c ----
bool        type_choreographic(const Ty *t);        // a function of located values
SymList     type_callable_roles(Arena *a, const Ty *t);     // that its parameters and result show
bool        type_callable_fits(Program *p, const Ty *from, const Ty *to);
const Expr *instantiated_value(Scope *sc, const Expr *e, const LocType *want);  // `f` or `f[A, B]`
struct Member;
const Expr *method_value(Scope *sc, const Expr *e, const struct Member *m, const LocType *want);
const Expr *lambda_value(Scope *sc, const Expr *e, const LocType *want);
// An instance that can be called, as the function that its `__call__` is.
const Expr *instance_as_function(Scope *sc, const Expr *o, const LocType *want);
// A checked value as code of one role, if it is a nested function in which nobody else takes part.
const Expr *value_of_one_role(Scope *sc, const Expr *e);
// A choreography by its name, where nothing says who plays its roles: reports it.
bool        refuse_open_value(Scope *sc, const Expr *e);
bool        refuse_local_lambda(Scope *sc, const Expr *e);      // that calls a choreography
void        values_check(Program *p);               // once the effects are known

// ---- assign.c ----
void check_assign(Scope *sc, const Stmt *s, StmtVec *out);
void check_ann_assign(Scope *sc, const Stmt *s, StmtVec *out);
void check_aug_assign(Scope *sc, const Stmt *s, StmtVec *out);
void check_delete(Scope *sc, const Stmt *s, StmtVec *out);
const Expr *place_target(Scope *sc, const Expr *target, SymList roles);
// Reports a name of the target that has been placed elsewhere; `what` says what is at `roles`.
bool target_apart(Scope *sc, const Expr *target, SymList roles, const char *what);
void target_settle(Scope *sc, const Expr *target, SymList roles);   // names that are nowhere yet
// Binds the names of a target; reports those that are of another type already.
bool target_bind(Scope *sc, const Expr *target, LocType type);
// Something else than a loop binds the variable: reports it if loops do so at different roles.
bool target_roams(Scope *sc, Var *v, Span at);

// ---- property.c ----
// `o.p = v` and `o.p += v` with p a property: false when p is something else.
bool property_assign(Scope *sc, const Stmt *s, StmtVec *out);

// ---- stmt.c ----
StmtList check_body(Scope *sc, StmtList body);
// Binds the names that a refused statement would, so that their uses are not reported as well.
void     bind_poison(Scope *sc, const Stmt *s);
bool     stmt_never_returns(const Stmt *s);     // a checked call that ends the run
// What says where something is that nothing places: the role that decides here, or a choice of all.
void     help_pin(Scope *sc, Diag *d, const Expr *e);
// The role that a thing at these roles is most likely meant for; NULL: any.
Sym      likely_role(const Scope *sc, SymList roles);
const char *roles_choice(Arena *a, SymList roles);              // "A, B or C"
void     report_nowhere(Scope *sc, const Expr *e);      // a statement that nothing places
SymList  roles_of_stmts(Program *p, SymList all, StmtList body);

const Expr *check_condition(Scope *sc, const Expr *e, Several as);
// Does a body get to its end, before or after it is checked?
bool        goes_on(StmtList body, StmtList checked);

// ---- loop.c ----
void check_while(Scope *sc, const Stmt *s, StmtVec *out);
void check_for(Scope *sc, const Stmt *s, StmtVec *out);

// ---- function.c ----
const Stmt *check_function(Program *p, Scope *outer, Function *f);
const Stmt *check_class(Program *p, Decl *d);
bool        body_falls_through(StmtList body);

// ---- nested.c ----
void        check_nested(Scope *sc, const Stmt *def, StmtVec *out);
void        check_nested_late(Scope *sc);       // those that were put off

// ---- assigned.c ----
// Reports variables of a checked function body that may be used before they have a value.
void assigned_check(Program *p, const Function *fn, StmtList body);
// The same of module variables.
void assigned_check_module(Program *p, StmtList checked);

// ---- check.c ----
bool is_main_guard(const Stmt *s);              // if __name__ == "__main__":

// ---- entry.c ----
void entry_check(Program *p);       // the signature of the entry

// ---- effect.c ----
typedef struct Effects Effects;
const Unit *effect_run(Program *p, const Unit *unit);
bool        effect_expr_acts(const Expr *e);        // the form of a checked expression, by itself
Program    *effect_program(const Effects *fx);
const CallSite *effect_site(const Effects *fx, const Expr *call);   // NULL: no choreographic call
void        effect_refuse(const Effects *fx, const Stmt *s);  // reported: nobody looks at it again
// A place that Python may evaluate not at all, or often, as only `knows` know.
void effect_judge_place(const Effects *fx, const Expr *place, SymList knows, const char *where);

// ---- handled.c ----
void handled_judge_try(const Effects *fx, const Stmt *s);
void handled_judge_with(const Effects *fx, const Stmt *s);
void handled_judge_match(const Effects *fx, const Stmt *s);

// ---- exception.c ----
void check_try(Scope *sc, const Stmt *s, StmtVec *out);
bool expr_find_message(void *cx, const Expr *e);    // of a walk: sets the bool `*cx` at a message
void check_with(Scope *sc, const Stmt *s, StmtVec *out);
void check_raise(Scope *sc, const Stmt *s, StmtVec *out);
const Stmt *stmt_leaves(StmtList body);             // the first jump out of these, or NULL

// ---- manager.c ----
// May the manager of a `with` swallow an exception? In doubt it may.
bool manager_catches(Scope *sc, const Expr *manager);
bool stmts_yield(StmtList body);                    // a `yield` in them

// ---- match.c ----
void check_match(Scope *sc, const Stmt *s, StmtVec *out);
bool match_is_total(const Stmt *s);                 // a case takes whatever comes

// ---- local.c ----
// A message in a comprehension whose element is `elt`, checked as `list` is; NULL: it is in
// another part of it.
void help_comprehension(Program *p, Diag *d, const Expr *e, const Expr *elt,
                        ComprehensionList list);
// What follows "A and B communicate in ..": who does not know how many rounds there are.
const char *rounds_text(Program *p, SymList who, SymList knows);
// A message in the body of a `try` with handlers, to or from `others`.
void help_try_body(const Program *p, Diag *d, SymList roles);
void help_try_message(Program *p, Diag *d, const Stmt *s, const Expr *com, SymList untold);
void report_async(Program *p, const Stmt *s);   // a choreography that is `async`
// What to write for an `await`; `roles`: whose code it stands in. The same for a coroutine that is
// made and not awaited; false: it is none.
void help_await(Program *p, Diag *d, const Expr *e, SymList roles);
bool help_coroutine(Program *p, Diag *d, const Expr *e, SymList roles);
bool local_is_async_choreography(Program *p, const Decl *d);
void report_channel_base(Program *p, const Expr *base, Sym name);      // `class D(Channel[..])`
void local_check(Program *p, StmtList body, IrIndex index);    // what local code may not do
bool local_names_role(const Program *p, Sym name);      // some signature of the file has it
// Reports a name in a quoted annotation of one role's code that is about several; true if it is.
bool local_refuse_quoted(Program *p, const Expr *e);

// python_rules.c: what CPython refuses although its grammar takes it
void python_rules_check(Program *p, StmtList module, IrIndex index);
bool local_deterministic(Program *p, Decl *function_or_class);
void local_ask_again(Program *p);               // another variable may differ while loading
bool local_check_inner(Program *p, const Stmt *def);    // false: no code of one role, reported
void local_note_inner(Program *p, const Stmt *def);     // inside a choreography or its class
bool local_inner_deterministic(Program *p, Sym name);   // of all that are called so
bool local_harmless(const Decl *imported);      // using it changes nothing
bool decl_is_code(const Decl *d);               // a local function or class, an enum
bool local_unsure_attribute(Program *p, const Expr *e);     // it may be another in every process
bool local_certain(Program *p, const Expr *f);  // a library's, which gives the same everywhere
bool local_environment(const Decl *d);          // imported, and another value in every process
bool local_deterministic_expr(Program *p, const Expr *e);
bool local_deterministic_stmt(Program *p, const Stmt *s);     // of the module
// The code itself, or a lambda's value: not what it calls, nor bodies of what it defines.
bool local_own_deterministic(Program *p, StmtList code, const Expr *value, bool typed);

// ---- state/state.c ----
// Roles share no memory: refuses module state that one role changes and another reads.
// `function_of` finds the choreography of a checked definition. Gives what projection needs to know
// of loading; NULL: nothing.
const struct Loads *shared_check(Program *p, const Unit *checked, IrIndex index,
                                 Function *(*function_of)(void *cx, const Stmt *), void *cx);
const char *shared_trouble(const Decl *d);                  // of module state, or NULL

// ---- closure.c ----
// Does this function make functions that change what they have in common? Not if it says that it
// gives something else.
bool closure_makes(Program *p, const Stmt *def);

// ---- equal.c ----
// Iterators at several roles.
void equal_check(Program *p, IrIndex checked);

// ---- iteration_order.c ----
// What depends on an address or on the order of a set, at several roles.
void iteration_order_check(Program *p, IrIndex checked);
// Keeps the type of an expression of one role's code, if its text may differ from role to role.
void iteration_order_note(Program *p, const Expr *e, const Ty *t);
// The first expression in one role's code that depends on these; NULL: there is none.
const Expr *iteration_order_in_stmt(Program *p, const Stmt *s);
const Expr *iteration_order_in_expr(Program *p, const Expr *e);

// ---- determinism.c ----
// Reports a replicated expression that may differ between its roles; then its parts need not be.
typedef struct Determinism { Program *p; Table *exempt; } Determinism;
bool determinism_judge(const Determinism *dt, const Expr *e);
void determinism_judge_stmt(const Determinism *dt, const Stmt *s);


// ---- interface.c ----
bool interface_part(const Program *p, Span at);             // is this from an interface file?
bool interface_decorator(const Expr *e);                    // one that only interfaces have
void interface_read_effects(Program *p, Function *f);
void interface_note_reach(Program *p, Function *f, Decl *d, Sym role);
UnitList interface_write(Program *p, StmtList body);        // by part of the source

#endif
