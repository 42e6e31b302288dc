// k_internal.h - what the files of the kernel emitter share.
//
// Values are C expressions with their type; statements are printed as they come. What an
// expression needs beforehand (a temporary) is printed in front of the statement it is in.

#ifndef PYCHORAL_EMIT_KERNEL_INTERNAL_H
#define PYCHORAL_EMIT_KERNEL_INTERNAL_H

#include "compiler/base/buf.h"
#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "compiler/emit/kernel/kernel.h"

// ---- types ----

typedef enum KKind {
    K_FLOAT, K_INT, K_BOOL, K_TEXT, K_NONE,
    K_ENUM,
    K_TUPLE,        // a struct, by value
    K_UNION,        // a struct with a tag, by value: numbers, None, tuples among others
    K_LIST,         // a pointer, NULL for None; so are those below
    K_RECORD,
    K_CHOICE,       // an object of one of several classes: a pointer to its Object
    K_ARRAY,        // of numbers: a pointer to them (k_array.c)
} KKind;

typedef struct KType KType;
typedef struct KClass KClass;
typedef struct KTypes { const KType **at; size_t len; } KTypes;

struct KType {
    KKind       kind;
    const char *name;       // of the struct or enum; "Float" ...: part of the names of others
    const char *c;          // as C writes it before a name: "double ", "Node *"
    KTypes      items;      // TUPLE: its parts; LIST: the item; UNION, CHOICE: what it may be
    KClass     *class_;     // RECORD, ENUM
    bool        shown;      // in the header
};

typedef struct KField { Sym name; const char *c; const KType *type; const Expr *value; } KField;

struct KClass {
    Sym         name;
    const char *c;          // of the struct
    const Stmt *def;
    const KClass *base;     // of which an object begins with one; NULL
    Vec(KField) fields;     // its own; of an enum: its members
    bool        is_enum;
    bool        tagged;     // an object says of which class it is
    bool        fields_known;
    bool        used;       // values of it are in the text
    bool        made;       // its constructor is printed
    int         number;     // from 1: the tag
    const KType *type;
};

// ---- functions ----

typedef struct KFunction {
    Sym         name;
    const char *c;
    const Stmt *def;
    const char *body;       // of the function behind a public one; NULL until asked for
    const KType *result;    // the same
    bool        reached;    // from a public function
    bool        public;
    bool        calls;      // needs the Call: it may raise, or takes memory
    bool        asks;       // its text reads the Call
    bool        deep;       // it may call itself
    bool        copies;     // changes its inputs, which its caller copies
    bool        copied;     // copies them itself
    bool        tapes;      // leaves more on the tape, or less, than it found: takes the top,
                            // and answers it beside its result (k_answer)
    bool        holds;      // has a tape of its own
    Vec(struct KFunction *) callees;
} KFunction;

// ---- the emitter ----

typedef struct KLocal {
    Sym         name;
    const char *c;
    const KType *type;
    struct Block *block;    // the innermost that has all of it (k_scope.c), and the statement of
    const Stmt *stmt;       // that block which comes first
    struct KLocal *next;    // declared in front of the same statement
    bool        direct;     // that statement assigns it: it declares it
    bool        outside;    // it is in other places than loops that count with it
    bool        counter;    // each of its loops declares it
    bool        declared, read;
    const char *twin;       // of a parameter: the one with its twin; NULL
} KLocal;

// A loop over a range while it is printed.
typedef struct KRange {
    const char *first, *last, *step;
    const char *rounds;     // how many; NULL: nobody asked
    const char *round;      // the present one, from 0
    bool        back, by_one, from_zero;
    size_t      slots;      // values that each round keeps, or takes back; 0: by pushes
    size_t      next;       // of these
    bool        keeps, all_floats;
    const char *kept;       // their room
} KRange;

typedef struct Kernel {
    Arena *arena;
    Names *names;
    Diags *diags;
    const KernelOptions *o;
    Table *types;           // Sym -> KType *
    Table *classes;         // Sym -> KClass *
    Table *functions;       // Sym -> KFunction *
    Table *taken;           // Sym: global names of the C text
    Table *globals;         // Sym -> const Stmt *: variables of the module
    Table *modules;         // Sym of an import -> Sym: what it is
    Vec(KType *) all_types; // in the order in which they must be declared
    Vec(KClass *) all_classes;
    Vec(KFunction *) all_functions;
    Buf    makers;          // the constructors
    Buf    shape_heads, shape_bodies;       // what copies are made by
    Table *shapes;          // those that are printed
    Table *twins;           // types whose twins a caller can make
    Buf   *out;
    KFunction *function;    // the one that is being printed
    Table *locals;          // Sym -> KLocal *
    Table *local_c;         // Sym: names taken in it
    Table *parts;           // of the prelude: read when it is asked for
    Table *homes;           // const Stmt * -> KLocal *: those declared in front of it
    Table *rooms;           // place of a loop -> what k_tape.c knows of it
    const Stmt *guarded;    // in front of which a deep function looks at the stack
    KRange *loop;           // the innermost, if its values have a room
    int    temps;
    bool   checked;         // of arrays: ints that decide whether something is raised, and counts
    const char *top;        // of the tape: a variable of the present function
    const char *error;      // the public function that says what was raised
    const char *packed;     // the arguments of the public function that is being printed,
    const char *answer;     // and what its body answers
    bool   failed;
    int    tagged;          // classes with a number
} Kernel;

typedef enum KPrec {
    KPREC_COND, KPREC_OR, KPREC_AND, KPREC_BIT_OR, KPREC_BIT_XOR, KPREC_BIT_AND, KPREC_EQUAL,
    KPREC_LESS, KPREC_SHIFT, KPREC_ADD, KPREC_MUL, KPREC_UNARY, KPREC_POSTFIX, KPREC_ATOM,
} KPrec;

typedef struct KValue { const char *text; KPrec prec; const KType *type; } KValue;

// ---- k_name.c ----
const char *k_text(Kernel *k, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A global name of the C text that nothing else has: the wanted one, or with `_` behind it.
const char *k_global_name(Kernel *k, const char *wanted);
const char *k_local_name(Kernel *k, Sym wanted);
const char *k_fresh(Kernel *k, const char *base);           // of a value on the way
// A name within a struct: what is a keyword or macro of C gets a `_`.
const char *k_member_name(Kernel *k, Sym wanted);
const char *k_string(Kernel *k, Text text);          // a literal
// Reports at the construct that C cannot say it, and Python can; the result takes more helps.
Diag *k_refuse(Kernel *k, Span at, const char *format, ...) __attribute__((format(printf, 3, 4)));
int   k_line(const Kernel *k, Span at);

// ---- k_type.c ----
const KType *k_type(Kernel *k, const Ty *ty, Span at);      // reports; never NULL
const KType *k_simple(Kernel *k, KKind kind);
const KType *k_list_of(Kernel *k, const KType *item);
const char *k_type_text(Kernel *k, const KType *t);     // as a program writes it
// The type of an expression, as the source writes it: without classes of the derivative's own.
const char *k_source_type(Kernel *k, const Expr *e, const KType *t);
const char *k_stands_for(const KClass *c);      // "tuple", "float"; NULL: it is the program's
const char *k_param_c(Kernel *k, const KFunction *f, const Arg *a);     // as C writes its type
KClass      *k_class(Kernel *k, Sym name);                  // NULL: no class of the unit
void         k_use_class(KClass *c);                        // NULL is fine
void         k_classes_collect(Kernel *k, StmtList body);
const KClass *k_field(Kernel *k, const KClass *class_, Sym name, const KField **field);
bool         k_is_pointer(const KType *t);
bool         k_holds_float(Kernel *k, const KType *t);
size_t       k_tag(const KType *of_union, const KType *item);   // its place among the items
KValue       k_convert(Kernel *k, KValue v, const KType *to, Span at);
const char  *k_zero(const KType *t);                        // an initial value
bool         k_is_saved(const Kernel *k, const KType *t);   // what the way back is given
void         k_show_type(Kernel *k, const KType *t);         // it belongs into the header
void         k_print_types(Kernel *k, Buf *b, bool shown);

// ---- k_expr.c ----
KValue      k_expr(Kernel *k, const Expr *e);
const char *k_expr_as(Kernel *k, const Expr *e, const KType *to);   // may stand between commas
const char *k_condition(Kernel *k, const Expr *e);          // as the test of an `if`
const char *k_at(Kernel *k, KValue v, KPrec prec);          // in brackets if it must be
KValue      k_value(const char *text, KPrec prec, const KType *type);
KValue      k_element(Kernel *k, const Expr *subscript);    // as a place, too
KValue      k_element_target(Kernel *k, const Expr *subscript);     // that a statement assigns
KValue      k_attribute(Kernel *k, const Expr *e);
const char *k_call(Kernel *k);                              // "call", which the function then has
const char *k_call_line(Kernel *k, Span at);                // "call, 12, "
const char *k_temp(Kernel *k, KValue v);
bool        k_acts(const Kernel *k, const Expr *e);         // a call in it may change something
void        k_operands(Kernel *k, ExprList list, KValue *to);       // in their order
const char *k_slice_bounds(Kernel *k, const Expr *slice);   // "first, last"
KValue      k_truth(Kernel *k, KValue v);
Sym         k_callee(Kernel *k, const Expr *call);          // "math.exp", "list.append", "f"; NULL

const char *k_own_call(Kernel *k, const Expr *call);        // of a function of the unit

// ---- k_prim.c ----
// The call of a builtin or method. False: there is none of that name.
bool k_prim(Kernel *k, const Expr *call, Sym name, KValue *result);
const char *k_math_constant(Kernel *k, Sym name, Span at);
const char *k_number(Kernel *k, double number);             // a literal
KValue k_construct(Kernel *k, const Expr *call, KClass *c);

// ---- k_array.c ----
bool k_np_call(Kernel *k, const Expr *call, Sym name, KValue *args, KValue *result);
bool k_np_operator(Kernel *k, const Expr *e, KValue a, KValue b, KValue *result);
bool k_new_array(Kernel *k, const Expr *target, const Expr *value);
bool k_is_read_only(Kernel *k, const KFunction *f, const Arg *a);

// ---- k_shape.c ----
const char *k_shape(Kernel *k, const KType *t, Span at);    // the name of its table
KValue k_seeds(Kernel *k, const Expr *call);
KValue k_made(Kernel *k, const Expr *call, const char *name);

// ---- k_function.c ----
void k_functions_collect(Kernel *k, StmtList body);
const KType *k_result_type(Kernel *k, KFunction *f);
const Arg *k_param(const KFunction *f, size_t i);           // NULL: it has not so many
const char *k_body_name(Kernel *k, KFunction *f);           // of the function itself
const char *k_answer_c(Kernel *k, KFunction *f);            // the C type of what it answers
const char *k_answer(Kernel *k, const char *result);        // what the present one returns
void k_put_guard(Kernel *k);
void k_print_functions(Kernel *k, Buf *declarations, Buf *b);

// ---- k_twin.c ----
const char *k_twin(Kernel *k);

// ---- k_program.c ----
bool k_is_array(const KType *t);                            // a list that C is given as an array
bool k_is_active(Kernel *k, KFunction *f, size_t param);    // its gradient is answered
bool k_has_twin(Kernel *k, KFunction *f, size_t param);     // and is written in place
const char *k_twin_param(Kernel *k, Sym param);             // of the present function; NULL
bool k_answers_data(Kernel *k, KFunction *f);               // objects, and no gradient
bool k_is_plain(Kernel *k, KFunction *f);
const char *k_global_value(Kernel *k, Sym name);            // of a variable of the module; NULL

// ---- k_stmt.c ----
void k_block(Kernel *k, StmtList body);
void k_assign(Kernel *k, Sym name, const char *text);
void k_line_out(Kernel *k, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool k_is_reversed(Kernel *k, const Stmt *loop);

// ---- k_scope.c ----
// Finds the variables of a function and where each is declared.
void k_scope(Kernel *k, KFunction *f);
void k_declare_at(Kernel *k, const Stmt *home);             // those that belong there

// ---- k_tape.c ----
void   k_find_tapes(Kernel *k);
void   k_find_rooms(Kernel *k);
size_t k_kept_count(Kernel *k, const Stmt *loop, KRange *r);    // fills in the slots
void   k_open_tape(Kernel *k);
void   k_take_room(Kernel *k, KRange *r);
size_t k_tape_run(Kernel *k, StmtList body, size_t from);   // prints so many statements; or 0

// ---- k_prelude.c ----
// What a text needs of the prelude: includes, and what stands before the text.
void k_prelude(Kernel *k, const char *text, Buf *includes, Buf *b);
bool k_prelude_has(Kernel *k, const char *name);

#endif
