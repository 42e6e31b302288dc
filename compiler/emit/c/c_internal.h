// c_internal.h - what the files of the C emitter share.
//
// The emitter prints one role's program from its typed, desugared endpoint. Each static type has a
// representation (`Rep`): a C type, the row that describes it at run time (runtime/c/value.h), and
// how it is kept and let go of. An expression gives a `Value`: C text, its representation, and
// whether who takes it owns what it refers to. What may raise, and what is owned by nobody yet,
// goes into a variable before the statement that uses it; variables let go of what they own when
// their scope ends (runtime/c/builtins/generated.h), so leaving a function is a `return`.

#ifndef PYCHORAL_EMIT_C_INTERNAL_H
#define PYCHORAL_EMIT_C_INTERNAL_H

#include "compiler/base/buf.h"
#include "compiler/base/diag.h"
#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "compiler/base/loader.h"
#include "compiler/emit/c_project.h"
#include "compiler/emit/endpoint.h"
#include "ir_gen.h"

typedef struct CEmitOptions { bool no_line; } CEmitOptions;

typedef struct CEmit CEmit;
typedef struct CClass CClass;
typedef struct CFunction CFunction;

// ---- representations ----

typedef enum RepKind {
    REP_NONE, REP_BOOL, REP_INT, REP_FLOAT, REP_COMPLEX, REP_STR, REP_BYTES, REP_LIST,
    REP_SEQUENCE, REP_TUPLE, REP_DICT, REP_SET, REP_FROZENSET, REP_ENUM, REP_CLASS, REP_UNION,
    REP_OBJECT, REP_FUNCTION, REP_ITERATOR, REP_RANGE, REP_CHANNEL, REP_CELL,
    REP_DEQUE,
    REP_FOREIGN,                // an object of a class that the runtime has (c_prim/classes.def)
} RepKind;

typedef struct Rep {
    RepKind     kind;
    const char *key;            // the type as Python writes it: one representation for each
    const char *name;           // as part of C names: "list_int"
    const char *said;           // by messages, where its parts do not tell it: c_type_name
    const char *type;           // of a variable: "PychoralList *" (ends so that a name may follow)
    const char *row;            // a C expression for the address of its row
    const char *drop;           // the kind for PYCHORAL_OWNED; NULL: refers to nothing
    const char *keep;           // the function or macro that gives another reference
    const struct Rep *element;  // of LIST, SEQUENCE, SET, ITERATOR, DEQUE; DICT: values;
                                // FUNCTION: result
    const struct Rep *key_rep;  // DICT
    const struct Rep **parts;   // TUPLE, UNION; FUNCTION: parameters
    size_t      count;
    CClass     *class_;         // CLASS, ENUM
    const Ty   *ty;             // OBJECT: what the program says of it
    bool        checked;        // kept as its `element`, and more is looked at when it is read:
                                // `literals`, keys (`parts` by `names`), or what `key_rep` says
    const char *literals;
    size_t      literal_count;
    const Sym  *names;
    bool        reduced;        // checked: what it stands for is sent
    bool        abstract;       // UNION: of an abstract type, or with one; `key` names it
    bool        noted, visited; // by c_note_received, c_converts
} Rep;

// ---- values ----

typedef enum Hold {
    HOLD_PLAIN,                 // refers to nothing
    HOLD_BORROWED,              // somebody else's, for as long as the statement runs
    HOLD_OWNED,                 // whoever takes it owns it; must be taken exactly once
} Hold;

typedef struct Value {
    const Rep  *rep;
    const char *text;
    Hold        hold;
    bool        lasting;        // the same whatever runs next: a constant, a temporary
    bool        place;          // an lvalue: its address can be taken
    bool        exact;          // of this very class
    bool        movable;        // a temporary that nobody else looks at: it may be emptied
} Value;

// ---- what a program has ----

typedef struct CField {
    Sym         name;
    const Rep  *rep;
    const Ty   *ty;             // as it is declared, with the type arguments; NULL: not, or joined
    const Rep  *wire;           // of an abstract type: the `object` that admits it; or NULL
    const Expr *value;          // its default
    const char *c_name;
    const char *constant;       // the class's own value of it, with which objects begin; or NULL
    const char *maker;          // the function that makes its default for an option, or what the
                                // class says of an attribute; or NULL
    struct CClass *owner;       // that has it first
    bool        attribute;      // no field of a dataclass: what methods set
    bool        hidden, no_init, no_compare, factory, keyword,
                is_call;        // declared as `= field(..)`
} CField;

typedef struct CMethod { Sym name; const Stmt *def; CClass *owner; bool is_static, is_class,
                         is_property; } CMethod;

typedef struct ClassVec { CClass **at; size_t len, cap; } ClassVec;

struct CClass {
    Sym         name;
    const Stmt *def;            // NULL: built in, an exception
    const char *c_name;
    const char *row;            // of its row, without `&`
    CClass     *base;           // NULL: object
    ClassVec    bases;          // all that the program knows of, in order; `base` gives the layout
    ClassVec    order;          // in which it looks for what it has: itself first
    Table      *types;          // type parameters -> const Ty *
    TyList      args;           // the same in their order; of a bare class none
    bool        is_enum, is_dataclass,
                is_record,      // a dataclass, or derived from one
                is_frozen, is_ordered, no_eq, by_keyword, is_exception, is_protocol,
                no_init, is_named_tuple,
                is_bare;        // not all that its type parameters stand for is known
    int         enum_base;      // 0; its members are 'i': ints, 's': texts
    bool        is_by_name;     // they are shown as others are: class Colour(str, Enum)
    Vec(CField) fields;         // those of its bases first
    Vec(CMethod) methods;       // its own
    Vec(CField) constants;      // class attributes; of an enum its members
    ClassVec    derived;        // directly
    const struct CClass *read_as;       // being looked at by c_read_as
    Table      *unset;          // its fields that may have no value where they are read; NULL: not
                                // asked yet
    bool        fields_known, printed,
                is_received;    // a peer may send instances
    const char *completion;     // the function that runs `__post_init__` for an option; or NULL
    int         number;         // in the type table; 0: cannot travel
};

// A function as C has it: of the module, a method, or nested, for certain type arguments.
struct CFunction {
    const char *c_name;
    const char *shown;          // as tracebacks show it
    const char *called;         // __name__ of it as a value; NULL: the same
    const Stmt *def;            // NULL: a lambda
    const Expr *lambda;
    CClass     *owner;          // of a method
    Table      *types;          // type variables -> const Ty *
    const CFunction *asked_by;  // whose call was the first; NULL: it is called elsewhere
    Vec(const Rep *) params;    // all but those of kind NONE are passed
    Vec(Sym)    names;
    const Rep  *result;
    const Rep  *yields;         // of a generator's body: what it yields
    const char *last_argument;  // of a foreign function: the row of its result; NULL: none
    bool        is_nested;      // in another function: it comes with what it captured
    Vec(Sym)    captured;
    const Rep  *held;           // the tuple of that; NULL: nothing
    Vec(size_t) defaults;       // the items of `held` that are its last parameters' defaults
    Table      *variables;      // Sym -> CVariable *
    Vec(struct CVariable *) order;      // the same
    bool        takes_self, is_class, queued, entry_printed, value_printed;
    bool        ends;           // it can come to its end without a `return`
};

typedef struct SymVec { Sym *at; size_t len, cap; } SymVec;

// A generic class with its arguments.
typedef struct Instance { Sym class_; TyList args; } Instance;
typedef struct Instances { Instance *at; size_t len, cap; } Instances;
typedef struct TypeVars { const Sym *at; size_t len; } TypeVars;

typedef struct CVariable {
    Sym         name;
    const char *c_name;
    const Rep  *rep;
    bool        param;          // borrowed from the caller
    bool        stored;         // assigned somewhere (a parameter then is a variable of its own)
    bool        captured;       // by a nested function
    bool        cell;           // in a box that functions share
    bool        held;           // of an enclosing function: stands in `held`
    size_t      stores;
    size_t      stored_at;      // when last, counted in statements
    bool        self_function;  // the nested function itself
    Sym         flag;           // the variable that says whether it has a value; NULL: it has
    bool        is_flag;
    bool        exception;      // handlers bind it
    bool        counter;        // an int64_t (c_int64_locals.c)
    const Stmt *def;            // of a nested function
    const Stmt *home;           // the statement that declares it (c_home.c); NULL: the function
} CVariable;

// A module of the program. Names of those that are imported are qualified (base/qualified.h): one
// table has the names of all.
typedef struct CModule {
    Sym         name;           // NULL: the program itself, which is the last
    const char *file;           // C text: PYCHORAL_FILE, "lib.pyc" in quotes
    const char *file_name;      // lib.pyc
    StmtList    body;
} CModule;

typedef enum CNameKind { CNAME_FUNCTION, CNAME_CLASS, CNAME_VARIABLE, CNAME_MODULE,
                         CNAME_IMPORTED, CNAME_TYPE } CNameKind;

// What a name of the module stands for.
typedef struct CName {
    CNameKind   kind;
    const Stmt *def;            // FUNCTION
    CClass     *class_;         // CLASS
    CVariable  *variable;       // VARIABLE
    Sym         module, member; // MODULE, IMPORTED
    const Expr *ty;             // TYPE: what an alias stands for; VARIABLE: its annotation
    const Expr *target;         // VARIABLE: where it is first assigned
    bool        is_new;         // TYPE: made by NewType
    bool        being_read;     // TYPE: by c_annotation
} CName;

// That some code sets an attribute of objects of this class; NULL: of a class that is not known.
typedef struct StoredBy { Sym of; const struct StoredBy *next; } StoredBy;

// A module that the user writes in C, as its stub has it (c_foreign.c).
typedef struct ForeignFunction { const Stmt *def; CFunction *function; } ForeignFunction;

typedef struct CForeign {
    Sym         module, name;   // "pkg.stock", and pkg_stock, its header
    bool        used;
    Vec(ForeignFunction) functions;     // all of the stub; those that C cannot have are NULL
} CForeign;

enum { CLASS_UNNUMBERED = 1000000 };    // type numbers from here on never travel

// ---- the emitter ----

struct CEmit {
    Arena        *arena;
    Names        *names;
    const Source *source;
    Diags        *diags;
    const EndpointCx *cx;
    const Endpoint *endpoint;
    CEmitOptions  options;
    const Unit *(*parse)(Arena *a, Names *names, const Source *source, Diags *diags);
    const char   *prefix;       // of the module's functions
    Table        *reps;         // key (interned) -> Rep *
    Vec(Rep *)    rep_order;
    Vec(CModule)  modules;      // in the order in which they start; the program is the last
    const CModule *home;        // whose code is being printed
    Vec(CForeign) foreign;
    Table        *in_headers;   // representations whose structs stand there
    Table        *module;       // Sym -> CName *: of all modules
    Table        *stored;       // attribute -> StoredBy *
    Table        *shown;        // class of a function -> its path, "f.<locals>.Cell"
    Table        *classes;      // key of an instance "Box[int]" -> CClass *
    Vec(CClass *) class_order;
    Table        *functions;    // key -> CFunction *
    Vec(CFunction *) queue;     // functions yet to be printed
    size_t        printed;
    Table        *c_names;      // taken names of the file, as keys
    Table        *local_names;  // names of variables of functions: the file has no others of them
    Table        *texts;        // constants: text -> name
    Table        *defaults;     // default values that are made at the start: Expr -> name
    Table        *values;       // expressions that c_bound has made -> Value *
    const Expr   *walked;       // what the `for` loop goes through whose head is being printed
    Table        *unsure;       // names that are read where they may have no value
    Diags        *scrap;        // for what is not reported
    size_t        prepared;     // classes
    Buf           constants, prototypes, code, entries, functions_as_values, globals, start;
    bool          needs_load;       // what an option leaves out may use what the module makes
    Buf          *out;          // where statements go
    CFunction    *function;     // being printed; NULL: the module's body
    Table        *substitution; // type variables -> const Ty *; NULL: none
    const Ty     *self;         // what `Self` is; NULL: no method of a class without parameters
    const char   *fail;         // what leaves on an exception: "return 0;", "goto except_1;"
    uint32_t      line;         // of the statement in the choreography
    size_t        temps, labels;
    size_t        loop_depth;
    const Stmt   *left_by;      // the last statement that never goes on
    struct CFinally *finally;   // the innermost `try` with a `finally` around
    bool          declared;     // the statement has variables of its own
    struct CLast { Buf *in; size_t start, end; const char *name, *call; bool declared; } last;
                                // the call that was written last, into a temporary
    struct CFirst { const Expr *value; CVariable *variable; } first;
                                // the value that a variable is declared with, to be made in it
    const char   *head;         // what declares a variable before the statement's block; NULL: none
    CClass       *class_;       // whose annotations are read
    CClass       *body_of;      // the class whose body is evaluated
    const char   *handled;      // the exception that a handler has, for a bare `raise`
    const Expr   *augmented;    // the operation that may be done in place
    ExprList      tested;       // what has been tested right before this (c_known_item.c)
    const Expr   *returned;     // what the `return` gives that is being printed
    bool          failed;       // something was refused
    int           sends_value;  // what is written is sent, as the number that it stands for
    int           sends;        // literals are as other values are
    int           promotes;     // ints may become floats here: nobody can tell
    bool          converts;     // those in displays too: it is an option's default
    Vec(Span)     promoted;     // that was found elsewhere
    Spans         reported;     // of those
    bool          receives_any; // a peer may send any `object`
    bool          sends_classes;
    Table        *erased;       // generic classes that are one class in C, whatever their arguments
    SymVec        to_erase;     // that should be: what is being written is of no use
    Table        *joined;       // generic classes that are one class for all arguments of one kind
                                // in C, however these are sent, since objects go between them
    SymVec        to_join;      // that should be, as above
    Instances     instances;    // of generic classes, in the order in which they were met
    uint32_t      refused;      // where last, and 1
};

typedef enum CLeave { C_LEAVE_RETURN = 1, C_LEAVE_BREAK, C_LEAVE_CONTINUE } CLeave;

// A `try` with a `finally`: a jump out of it is noted in `how`, and made behind it.
typedef struct CFinally {
    struct CFinally *outer;
    const char *label, *how, *result;
    size_t      in_loop;
    unsigned    leaves;         // bits by CLeave
} CFinally;

// c_rep.c
const Rep  *rep_of(CEmit *c, const Ty *t, Span at);         // refuses what has none
const Rep  *rep_or_object(CEmit *c, const Expr *e);         // of `e`; object: nothing is known
const Rep  *rep_named(CEmit *c, const char *key);           // "int", "str", "list[str]", ...
const Rep  *rep_list(CEmit *c, const Rep *element);
const Rep  *rep_dict(CEmit *c, const Rep *key, const Rep *value);
const Rep  *rep_set(CEmit *c, RepKind kind, const Rep *element);        // SET or FROZENSET
const Rep  *rep_tuple(CEmit *c, const Rep **parts, size_t count);
const Rep  *rep_union(CEmit *c, const Rep **parts, size_t count);
const Rep  *rep_union_said(CEmit *c, const char *said, const Rep **parts, size_t count);
const Rep  *rep_abstract(CEmit *c, const char *name, const Rep *const *args, size_t count,
                         const Rep **members, size_t n);    // Collection[int]: what may come
const Rep  *rep_iterator(CEmit *c, const Rep *element);
const Rep  *rep_deque(CEmit *c, const Rep *element);
const Rep  *rep_function(CEmit *c, const Rep **params, size_t count, const Rep *result);
const Rep  *rep_class(CEmit *c, CClass *class_);
const Rep  *rep_sequence(CEmit *c, const Rep *element);     // tuple[T, ...]
const Rep  *rep_manager(CEmit *c);                          // what @contextmanager makes
const Rep  *rep_class_value(CEmit *c);                      // type[..]
const Rep  *rep_cell(CEmit *c, const Rep *of);              // a variable that functions share
const Rep  *rep_optional_part(const Rep *r);                // T of `T | None`, else NULL
bool        rep_is_open(const Rep *r);                      // list[Any], dict[Any, Any], set[Any]
bool        rep_passed(const Rep *r);                       // has a C value at all
const Ty   *c_ty(CEmit *c, const Ty *t);                    // type variables replaced
const Ty   *c_settled(CEmit *c, const Ty *t);               // also those inside of it
const char *rep_zero(CEmit *c, const Rep *r);               // a value of zero bits
void        c_prepare_object(CEmit *c);                     // the parts that `object` may be
const Rep *const *c_object_parts(CEmit *c, size_t *count);
typedef const Rep *RepOf(CEmit *c, const Ty *t, Span at);
const Rep **c_reps(CEmit *c, TyList list, RepOf *of, Span at);   // of each, in the arena
void        c_note_received(CEmit *c, const Rep *r);        // values of it may come
const Rep  *rep_admitting(CEmit *c, const Rep *wire);       // `object`, if it is one of these
// Of `Literal[..]`: its values as C initialises them, all of one type.
Rep        *rep_kept_as(CEmit *c, const Rep *of, const char *key, bool *known);    // read by more
const Rep  *rep_of_wire(CEmit *c, const Ty *t, Span at);    // as it is read
bool        c_has_members(CEmit *c, const Expr *display);    // of an IntEnum or StrEnum
void        c_refuse_members(CEmit *c, const Expr *display, const Rep *rep);
// The same of one, where a place of that type keeps it.
void        c_refuse_kept(CEmit *c, const Expr *e, const Rep *to);
const Rep  *rep_of_sent(CEmit *c, const Ty *t, Span at);    // as it is sent: without literals
const Rep  *rep_of_literals(CEmit *c, TyList of, Span at);  // all of one type
// The C initialiser of a constant; NULL if C has none for it.
const char *c_constant_text(CEmit *c, const Expr *e);
bool        c_converts(const Rep *r);           // ints in it are other numbers where they are read
// Whether a generic class in it has ints where who reads it has floats.
bool        c_keeps_numbers(CEmit *c, const Rep *own, const Rep *wire);
// An object whose numbers are tried by who writes it.
bool        c_is_read_back(CEmit *c, const Rep *r);
bool        c_read_as(CEmit *c, const Rep *from, const Rep *to);    // it converts numbers only
const Rep  *c_made_rep(CEmit *c, const Expr *e);    // of a display, by its parts alone; or NULL
bool        c_is_abstract(const char *name);    // of collections, whatever they are
Value       c_made_as(CEmit *c, Value v, const Rep *to);    // of what was just read
void        c_print_struct(Buf *b, const Rep *r);           // of a tuple or a union
void        c_print_reps(CEmit *c, Buf *types, Buf *rows, Buf *rest);   // those that `rest` needs
void        c_print_forward(Buf *b, const char *row, size_t *column);       // one row of several
Table      *c_words_read(CEmit *c, const char *text);   // the names that C text mentions, but for
                                                        // what it only assigns to

// c_annotation.c
const Ty   *c_annotation(CEmit *c, const Expr *e);          // the type that it writes

// c_name.c
const char *c_identifier(CEmit *c, Sym name);               // safe as a local variable
const char *c_unique(CEmit *c, const char *wanted);         // of the file
CName      *c_global(CEmit *c, Sym name);
const char *c_of_module(CEmit *c, Sym name);                // a C name for a name of some module
Sym         c_dotted(CEmit *c, const Expr *e);              // "math.sqrt", "len"; NULL: none
// The name that an expression has where it comes from, whatever it was imported as: "sqrt".
Sym         c_origin(CEmit *c, const Expr *e);
const char *c_literal(CEmit *c, Text text);                 // a C literal of any bytes
const char *c_string(CEmit *c, Text text, bool is_bytes);   // the address of a constant

// c_value.c
Value       c_value(const Rep *rep, const char *text, Hold hold);
Value       c_lasting(Value v);
const char *c_new_name(CEmit *c);                           // for a temporary: its statement is a
                                                            // block
const char *c_plain_name(CEmit *c);                         // for one with nothing to let go of
const char *c_member(CEmit *c, const char *pointer, const char *name);  // which may be `&x`
Value       c_temp(CEmit *c, Value v);                      // in a variable of its own
Value       c_steady(CEmit *c, Value v);                    // stays whatever runs next
// An int of at most 64 bits in plain C: what is within `pychoral_int(..)`, where that is all of its
// text. NULL: it may be larger.
const char *c_plain_int(CEmit *c, Value v);
const char *c_small(CEmit *c, Value v);                     // of an int, to compare with constants
// The comparison of two ints in plain C; NULL: it takes a call.
const char *c_compared_ints(CEmit *c, const char *sign, Value l, Value r);
long        c_small_constant(const Expr *e);    // an int of up to nine digits; -1: it is none
Value       c_place(CEmit *c, Value v);                     // its address can be taken
const char *c_owned(CEmit *c, Value v);                     // text that gives a reference
const char *c_borrowed(CEmit *c, Value v);                  // text to look at
// The text of a call that looks at two values; what it takes to have them is written left first.
const char *c_of_two(CEmit *c, const char *function, Value l, Value r);
const char *c_of_two_refs(CEmit *c, const char *function, Value l, Value r);
void        c_put_key(CEmit *c, Value dict, Value key, Value v);    // into a dict, both in place
// `PYCHORAL_OWNED(str) PychoralStr *x = value`; NULL: without a value yet.
const char *c_declaration(CEmit *c, const Rep *rep, const char *name, const char *value);
Value       c_call(CEmit *c, const Rep *result, const char *text, bool raises);
bool        c_take_call(CEmit *c, Value v, const char **call);  // see there
void        c_check(CEmit *c);                              // leaves if something was raised
const char *c_text(CEmit *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
void        c_line(CEmit *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *c_ref(CEmit *c, Value v);                       // a PychoralRef
Value       c_convert(CEmit *c, Value v, const Rep *to, Span at);
// Refuses what would make a float of an int that Python keeps, unless nobody can tell.
bool        c_check_promotion(CEmit *c, const Rep *from, const Rep *to, Span at);
// The headline, and after a newline the help.
Value       c_refuse(CEmit *c, Span at, const char *format, ...)
            __attribute__((format(printf, 3, 4)));
const char *c_source_text(CEmit *c, Span at);               // its first line, to be quoted
// A "method" or "field" of `base`, which is an object or a value of no known type.
Value       c_refuse_member(CEmit *c, Span at, const Expr *base, const char *what, Sym name);
const char *c_address(CEmit *c, Value v);
Value       c_narrow_place(CEmit *c, Value v, const Rep *to, Span at);
Value       c_plain_member(CEmit *c, Value v);              // the int or text that a member is

// c_expr.c
Value       c_open_variable(CEmit *c, const Rep *rep);      // without a value yet; an owner
Value       c_open_or_none(CEmit *c, const Rep *rep);
Value       c_expr(CEmit *c, const Expr *e);                // as its static type
// An expression that stands for a value that has been evaluated, `like` that one.
const Expr *c_bound(CEmit *c, const Expr *like, Value v);
Value       c_expr_as(CEmit *c, const Expr *e, const Rep *to);
// The same for the default of an option, whose ints are converted wherever they are in it.
Value       c_option_default(CEmit *c, const Expr *e, const Rep *to);
Value       c_expr_sent(CEmit *c, const Expr *e, const Rep *to);     // or of what is read as it
Value       c_expr_declared(CEmit *c, const Expr *e);       // where a value of any type will do
Value       c_expr_untested(CEmit *c, const Expr *e);       // a variable of several types: whole
Value       c_expr_of(CEmit *c, const Expr *e, Sym member); // whose member is wanted
// An iterator over `v`, which `e` gave, if it is a view of a dict that stays: keys = d.keys().
Value       c_unless_view(CEmit *c, const Expr *e, Value v);
const char *c_condition(CEmit *c, const Expr *e);           // a C truth value
const char *c_in_brackets(CEmit *c, const char *test);      // in one pair: clang warns of two
// `left && right`, or with `||`: parts of one operator's chain need no brackets.
const char *c_joined(CEmit *c, const char *left, const char *right, bool is_and);
const char *c_negated(CEmit *c, const char *test);           // `x == 0` of `x != 0`; else `!(..)`
const char *c_without_brackets(CEmit *c, const char *text); // that would be around all of it
// What a condition is always, so that one of its branches is never reached, and not looked at.
typedef enum CTruth { C_OPEN, C_TRUE, C_FALSE } CTruth;
CTruth      c_known_truth(CEmit *c, const Expr *e);
void        c_effects(CEmit *c, const Expr *e);             // only for what it does
bool        c_is_simple(CEmit *c, const Expr *e);                     // evaluating it runs nothing
Value       c_variable(CEmit *c, CVariable *v);
CVariable  *c_find_variable(CEmit *c, Sym name);

// c_uninit.c: variables that may have no value
void        c_find_uninit(CEmit *c, CFunction *f);          // gives them flags; says `ends`
bool        c_may_be_uninit(CEmit *c, const Expr *e);       // a name, as it stands there
bool        c_is_unset(CEmit *c, const CField *f);          // may be read before it has a value
// An attribute that begins with what the class has, of a class whose instances may travel.
bool        c_is_begun(const CEmit *c, const CField *f);
// The field of an object that says whether `f` has a value, of its own if it is begun; NULL: it
// has, or is a pointer.
const char *c_field_flag(CEmit *c, const CField *f);
void        c_check_value(CEmit *c, const CVariable *v);    // leaves if it has none
void        c_note_value(CEmit *c, const CVariable *v, bool has_value);

// c_int64_locals.c
void        c_find_counters(CEmit *c, CFunction *f);        // once its variables are known

// c_home.c
void        c_find_homes(CEmit *c, CFunction *f);           // the same
// The variable that the statement declares; NULL: it is declared before.
CVariable  *c_declared_by(CEmit *c, const Stmt *s, const Expr *target);
void        c_declare(CEmit *c, CVariable *variable, const Expr *value);
Value       c_open_for(CEmit *c, const Expr *e, const Rep *rep);    // for the value of `e`

// c_operator.c
Value       c_binary(CEmit *c, const Expr *e);
// PYCHORAL_`name` of two values whose types show when they are there; `e` is of the result's type.
Value       c_open_binary(CEmit *c, const Expr *e, const char *name, Value l, Value r);
// operator.iadd(x, e), which is `x += e`, and its like; false: it is none of them.
bool        c_in_place(CEmit *c, const Expr *call, Sym name, Value *out);
Value       c_unary(CEmit *c, const Expr *e);
Value       c_compare(CEmit *c, const Expr *e);
Value       c_subscript(CEmit *c, const Expr *e);
void        c_store_item(CEmit *c, const Expr *target, Value v);
void        c_delete_item(CEmit *c, const Expr *target);
// pychoral_list_X_at, _put and _push are of lists of these; NULL: there are none.
const char *c_list_access(const Rep *item);
const char *c_kind_name(const Rep *r);                      // "list"; NULL: no builtin type

// c_call.c
Value       c_call_expr(CEmit *c, const Expr *e);
Value       c_user_call(CEmit *c, Span at, CMethod *m, const Value *self, ExprList args,
                        KeywordList keywords, CClass *exactly);
Value       c_user_call_values(CEmit *c, Span at, CMethod *m, const Value *self,
                               const Value *args, size_t count);
const Rep  *c_element(CEmit *c, const Expr *iterable);      // what iterating gives

// c_attribute.c
Value       c_attribute(CEmit *c, const Expr *e);
// The place of `base.attr` to store into; false: refused, or done by a setter.
// `flag`: what is to be set when the place has its value; NULL: nothing.
bool        c_attribute_place(CEmit *c, const Expr *target, Value base, Value *place,
                              const char **flag);
Value       c_function_value(CEmit *c, const Expr *e);
// The members of an enum in a list, where the expression names one: `for c in Color`.
bool        c_enum_members(CEmit *c, const Expr *e, Value *out);
CClass     *c_enum_named(CEmit *c, const Expr *e);          // by the expression; NULL: none
void        c_instances_of_module(CEmit *c);                // all classes without type parameters

// c_prim.c
typedef struct PrimRow { const char *name, *function, *params, *result; bool raises; } PrimRow;
bool        c_prim_known(const char *name);
bool        c_prim_of_object(const char *name);             // a method of an object
bool        c_prim_module(const char *name);                // has functions among them
bool        c_prim_is_constant(const char *name);
bool        c_prim_constant(CEmit *c, const char *name, const Expr *e, Value *out);
bool        c_prim_call(CEmit *c, const char *name, const Expr *call, const Value *self,
                        ExprList args, KeywordList keywords, const Rep *result, Value *out);

// c_stmt.c
uint32_t    c_line_of(CEmit *c, Span at);
bool        c_block(CEmit *c, StmtList body);               // whether it never goes on
bool        c_stmt(CEmit *c, const Stmt *s);

// c_locals.c
void        c_find_locals(CEmit *c, CFunction *f);          // finds its variables

// c_function.c
CFunction  *c_function(CEmit *c, const Stmt *def, CClass *owner, Table *types);
bool        c_nests_too_deep(const Ty *t);      // no program needs it, but one that makes it itself
CFunction  *c_signature(CEmit *c, const Stmt *def, CClass *owner, Table *types);    // not printed
void        c_read_signature(CEmit *c, CFunction *f);       // of `f->def`
void        c_check_decorators(CEmit *c, const Stmt *def, bool of_module);
void        c_add_param(CEmit *c, CFunction *f, Sym name, const Rep *rep);
void        c_print_queue(CEmit *c);
bool        c_is_decorated(CEmit *c, ExprList decorators, const char *name);
// The variable that keeps the default of a nested function's parameter, if it is no constant.
Sym         c_default_variable(CEmit *c, const Stmt *def, Sym param);
// Parameter i, the keyword-only ones last, `*rest` and `**named` aside; NULL: there are no more.
const Arg  *c_param(const Arguments *args, size_t i);
// The default of parameter i, the keyword-only ones last; NULL: none.
const Expr *c_default_expr(const Arguments *args, size_t i);

// c_cached.c
// `@cache`, `@lru_cache`, `@lru_cache(maxsize=7)`; `*most` is -1 where all results are kept.
bool        c_is_cache(CEmit *c, const Expr *decorator, int64_t *most);
bool        c_is_cached(CEmit *c, const CFunction *f, int64_t *most);   // refuses what cannot be
// The function of the name that callers know; `inner` computes what is not kept.
void        c_print_cached(CEmit *c, const CFunction *f, const char *inner, int64_t most);

// c_generic.c
TypeVars    c_type_vars(CEmit *c, const Stmt *def);         // that its signature mentions

// c_closure.c
CFunction  *c_nested(CEmit *c, const Stmt *def, const Expr *lambda);
Value       c_closure(CEmit *c, CFunction *f);              // the function as a value
const Rep  *c_function_rep(CEmit *c, const CFunction *f);
const Rep  *c_def_rep(CEmit *c, const Stmt *def);           // of the function as a value
CFunction  *c_def_function(CEmit *c, const Stmt *def);      // a nested one: its signature only

// c_generator.c
bool        c_yields(const Stmt *def);
// Prints the function that makes the generator; gives the one that it runs.
CFunction  *c_generator_body(CEmit *c, const CFunction *f);
Value       c_yield(CEmit *c, const Expr *e);
Value       c_yield_from(CEmit *c, const Expr *e);

// c_collect.c
void        c_collect_module(CEmit *c, StmtList body);
void        c_settle_variables(CEmit *c, StmtList body);
void        c_check_typed_dict(CEmit *c, const Stmt *def);
bool        c_is_final(const Expr *annotation);
bool        c_is_typing(CEmit *c, Sym name);                // imported from typing

// c_class.c
CClass     *c_class_of(CEmit *c, Sym name, TyList args);    // NULL: none
CClass     *c_exception_class(CEmit *c, const Expr *e);     // that the expression names, or NULL
bool        c_is_generic(CEmit *c, const Stmt *def);        // a class with type parameters
CClass     *c_class_of_any(CEmit *c, Sym path, const Stmt *def);    // whatever its parameters are
bool        c_is_of_any(CEmit *c, const CClass *k);     // nothing is known of its arguments
void        c_add_instances_below(CEmit *c, const CClass *k);   // generic classes derived from it

// c_field.c
void        c_class_fields(CEmit *c, CClass *class_);
CField     *c_find_field(CEmit *c, CClass *class_, Sym name);
const CField *c_member_before(CEmit *c, const Expr *e);
const Expr *c_field_value(CEmit *c, const Expr *e);         // of `= field(default=e)` and the like
bool        c_has_constants(CEmit *c, const Stmt *def);     // of a class, by its text

// c_generic_erasure.c: generic classes whose objects go where other arguments are declared
void        c_note_erased(CEmit *c, const Rep *from, const Rep *to, Span at);
void        c_note_asked(CEmit *c, const CClass *k, Span at);       // isinstance(x, Box)
// Whether a call gives a container of objects, which was of something when the class had arguments.
bool        c_is_of_erased(CEmit *c, const Expr *e, const Rep *from);

// c_mro.c: where a class has its methods and constants from
void        c_choose_base(CEmit *c, CClass *class_);        // of those that it has
void        c_settle_mro(CEmit *c, CClass *class_);         // once it has its bases
bool        c_derives(const CClass *class_, const CClass *of);
CMethod    *c_own_method(const CClass *class_, Sym name);
CMethod    *c_find_method(CClass *class_, Sym name);
CMethod    *c_method_after(const CClass *class_, const CClass *after, Sym name);
CField     *c_find_constant(CClass *class_, Sym name);
ClassVec    c_deriving(CEmit *c, CClass *class_);           // each before those it derives from

// c_dead_branches.c
int         c_known_condition(const Expr *e);               // 1, 0; -1: it must be evaluated
StmtList    c_live(CEmit *c, StmtList body);                // as it is printed

// c_lift_classes.c
size_t      c_times_bound(StmtList body, Sym name);         // in any scope of it
StmtList    c_classes_out(CEmit *c, StmtList body);         // with the classes of its functions

// c_not_implemented.c
bool        c_may_decline(CEmit *c, const CMethod *m);      // give NotImplemented; m may be NULL
bool        c_return_declined(CEmit *c, const Stmt *s);     // false: it returns a value
void        c_check_direct(CEmit *c, const CMethod *m, Span at);        // a call by its name
// l.m(r), or r.swapped(l); either may be NULL.
Value       c_operator_call(CEmit *c, const Expr *e, const char *sign, CMethod *m,
                            CMethod *swapped, Value l, Value r);

// c_attribute_stores.c
void        c_collect_stores(CEmit *c, StmtList body);
bool        c_is_stored(CEmit *c, const CClass *k, Sym attribute);  // objects have one of their own

// c_cyclic.c
bool        c_is_cyclic(CEmit *c, CClass *k);               // objects may refer to themselves
bool        c_is_cyclic_cell(const Rep *r);                 // so may functions, by this variable

// c_object.c
Value       c_field_default(CEmit *c, const CField *f, Span at);    // what an object begins with
Value       c_construct(CEmit *c, const Expr *call, CClass *class_);
const char *c_shown_name(CEmit *c, const CClass *class_);   // __name__
const char *c_qualname(CEmit *c, const CClass *class_);     // __qualname__

// ---- c_type_name.c: types as messages name them, which is as the program writes them ----

const char *c_type_name(CEmit *c, const Rep *r);
Value       c_refuse_type(CEmit *c, Span at, const char *what, const Rep *r);   // "slices of"
Value       c_refuse_as(CEmit *c, Span at, const Rep *from, const Rep *to);
const char *c_type_names(CEmit *c, const Rep *const *parts, size_t count);
const char *c_union_name(CEmit *c, const Rep *const *parts, size_t count);
const char *c_class_name(CEmit *c, const CClass *k);        // with its type arguments
const char *c_form(CEmit *c, const Rep *r);     // the same of types that travel alike
const char *c_method_name(CEmit *c, CMethod *m, CClass *class_, bool exactly);
void        c_prepare_classes(CEmit *c);
void        c_print_classes(CEmit *c, Buf *forward, Buf *structs, Buf *rows);

// c_enum.c
void        c_print_members(CEmit *c, CClass *k, Buf *types, Buf *rows);
void        c_start_members(CEmit *c, CClass *k);           // calls their `__init__`
void        c_name_member_fields(CEmit *c, CClass *k);
Value       c_member_field(CEmit *c, Value member, const CField *f);

// c_named_tuple.c
// A class made by NamedTuple, or derived from one, that has no method `unless`.
bool        c_is_named_tuple(CEmit *c, const Rep *r, const char *unless);
Value       c_tuple_field_at(CEmit *c, Value self, size_t at);
bool        c_named_tuple_attribute(CEmit *c, CClass *k, Sym name, Value *out);
bool        c_named_tuple_call(CEmit *c, const Expr *e, Value self, Sym name,
                               KeywordList keywords, Value *out);
// A method of all tuples, of a named one or of what a test has found to be a tuple.
bool        c_tuple_method(CEmit *c, const Expr *e, Value self, Sym name, ExprList args,
                           KeywordList keywords, Value *out);
bool        c_named_tuple_make(CEmit *c, const Expr *e, CClass *k, Sym name, Value *out);
void        c_check_named_tuple(CEmit *c, CClass *k);

// c_collections.c
Value       c_defaultdict(CEmit *c, const Expr *e);
bool        c_is_counter(CEmit *c, const Expr *e);          // a dict that is a Counter, by its type
Value       c_dict_of_keywords(CEmit *c, const Expr *e);    // dict(a=1), dict(pairs, a=1)
Value       c_typed_dict(CEmit *c, const Expr *e, const CName *class_);        // Row(key=7)
bool        c_typed_display(CEmit *c, const Expr *e, Value *out);

// c_builtin.c
const char *c_builtin_class(CEmit *c, const Expr *e);       // the row of `int`, `list`; NULL: none

// c_module.c
void        c_find_modules(CEmit *c, EndpointList beside);  // that the endpoint imports, and itself
const CModule *c_home_of(CEmit *c, Span at);                // the module with this code
SiteRows    c_sites(CEmit *c);

// c_foreign.c
void        c_find_foreign(CEmit *c, const Loader *loader); // reads the stubs of what is imported
CFunction  *c_foreign_function(CEmit *c, Sym dotted);       // that the user writes; or NULL
SymList     c_foreign_used(CEmit *c);
void        c_foreign_headers(CEmit *c, CFile *files);      // of those modules

// c_collections.c: an item of a list or text, by an index of which nothing is known
bool c_has_open_index(CEmit *c, const Rep *base, const Expr *slice);

// c_known_item.c

// Operand i of an `and` or `or` as a condition: those before it have been tested.
const char *c_operand(CEmit *c, const Expr *e, size_t i);
// Whether item `*at` of a list has been seen to be there by `c->tested`.
bool        c_item_is_there(CEmit *c, const Expr *item, size_t *at);

// c_option.c

// Adds the row of an option, a parameter of the entry, to a table of PychoralParameter, and writes
// the functions that make its default, NULL: none, and what dataclasses in it leave out. `others`:
// the other roles that must be given the same. Refuses types whose values C would not check.
void        c_option(CEmit *c, Buf *rows, const Arg *arg, Sym name, SymList others, const Rep *rep,
                     const Expr *otherwise);

// The name of a function that makes what a field begins with.
const char *c_field_maker(CEmit *c, const CClass *k, const CField *f);

// c_program.c
bool        c_is_constant(const Expr *e);                   // the same whenever it is evaluated
void        c_start_stmt(CEmit *c, const Stmt *s);          // of a module
const char *c_own_line(CEmit *c);                           // what follows is no line of it
SymList     c_bound_names(CEmit *c, const Stmt *s);
Value       c_default_value(CEmit *c, const Expr *e, const Rep *rep);

#endif
