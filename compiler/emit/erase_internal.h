// erase_internal.h - what the files of the role eraser share.

#ifndef PYCHORAL_EMIT_ERASE_INTERNAL_H
#define PYCHORAL_EMIT_ERASE_INTERNAL_H

#include <stdbool.h>

#include "compiler/base/vec.h"
#include "compiler/emit/erase.h"
#include "compiler/base/table.h"

typedef struct Eraser {
    Arena *arena;
    Names *names;
    const Source *source;       // NULL: messages have no places
    Table *identifiers;         // every name that the unit uses, as key
    Table *globals;             // module-level name -> const Stmt *: its class, function or import
    Table *choreos;             // name of a role-parametric class -> its Choreo
    Table *families;            // names of role-parametric classes that inherit or are inherited
    bool   has_families;
    Table *widest;              // of the function, see erase_known.c
    // As the program calls them.
    Sym    at, by, turn, cast, family, virtual_, central, channel_class;
} Eraser;

// What running a piece of code may do.
typedef struct Survey {
    bool    acts;               // print, change something, run unknown code, raise
    bool    mixed;              // at different role sets
    bool    choreographic;      // communicate, call a choreography
    bool    binds;              // assign a name, or suspend: cannot be put into a lambda
    SymList roles;              // where it acts
} Survey;

// ---- erase_survey.c ----

Survey survey_expr(const Eraser *x, const Expr *e);
const Survey *survey_spine(const Eraser *x, Table *known, const Expr *e);   // kept in `known`
Survey survey_stmt(const Eraser *x, const Stmt *s);
Survey survey_arguments(const Eraser *x, const Expr *call);     // of a call, and of its callee
bool   survey_acts_itself(const Eraser *x, const Expr *e);      // the form, its parts aside
bool   survey_is_scalar(const Ty *t);      // its operators and truth run no code of the program
bool   survey_asks(const Eraser *x, const Expr *test);     // its truth is a method's of the program
SymList survey_stores(const Eraser *x, const Stmt *s);     // who may act or fail when it binds
bool   survey_is_value(const Expr *e);      // no target, slice or star: can stand anywhere
void   survey_globals(Eraser *x, StmtList body);

// ---- erase.c ----

const Expr *erase_name(const Eraser *x, Sym id);
StmtList    erase_strip(const Eraser *x, StmtList body);        // located types and pins
const Expr *erase_roles(const Eraser *x, SymList roles);        // as an argument
const Expr *erase_test(const Eraser *x, const Expr *test);      // what acts in it run as its roles
StmtList    erase_block(const Eraser *x, StmtList block);
const Stmt *erase_turn(const Eraser *x, SymList roles, StmtList body);  // `with turn("A"):`

// ---- erase_types.c ----

StmtList types_declare(const Eraser *x, const Arguments *args, StmtList body);  // not yet erased

// ---- erase_known.c ----

Table      *known_widths(const Eraser *x, StmtList body);       // of a function
// The body of a lambda, and what it is given: what is known better around it than within it.
const Expr *known_inside(const Eraser *x, const Expr *e, ArgList *params, ExprList *operands);

// ---- erase_compound.c ----

// Statements whose parts are of different roles.
const Stmt *erase_try(const Eraser *x, const Stmt *s);
const Stmt *erase_with(const Eraser *x, const Stmt *s);
const Stmt *erase_match(const Eraser *x, const Stmt *s);

// ---- erase_family.c ----

void        family_note(Eraser *x, StmtList body);
bool        family_has(const Eraser *x, Sym class_);
const Expr *family_decorator(const Eraser *x, const Stmt *choreo);      // NULL: none is needed
const Expr *family_roles(const Eraser *x, SymList roles);
ExprList    family_bases(const Eraser *x, ExprList bases);
// Whether the callee belongs to an instance of a family, or makes one: as what it is seen.
bool        family_call(const Eraser *x, const Expr *inst, Sym *seen, SymList *actors);

// ---- erase_print.c ----

// Prints the module: heading, imports, the roles' stage, the erased code, and how it starts.
void erase_print(Buf *b, const CentralCx *cx, const Eraser *x, const Unit *checked, StmtList body);

#endif
