// python_internal.h - what the files of the Python emitter share: one logical line at a time is
// written to `line`, with marks at its brackets; line_end() breaks it where it is too long.

#ifndef PYCHORAL_PYTHON_INTERNAL_H
#define PYCHORAL_PYTHON_INTERNAL_H

#include "compiler/emit/python.h"
#include "compiler/emit/site_table.h"

// Precedences, weakest first; an expression is put in parentheses where a stronger one is needed.
typedef enum Prec {
    PREC_NAMED, PREC_YIELD, PREC_TUPLE, PREC_TEST, PREC_OR, PREC_AND, PREC_NOT, PREC_COMPARE,
    PREC_BIT_OR, PREC_BIT_XOR, PREC_BIT_AND, PREC_SHIFT, PREC_ARITH, PREC_TERM, PREC_FACTOR,
    PREC_POWER, PREC_AWAIT, PREC_ATOM,
} Prec;

typedef enum MarkKind {
    MARK_OPEN,                  // after an opening bracket
    MARK_SOFT,                  // the same, but the bracket is written only if the line is broken
    MARK_OPERATION,             // the same before operators; the first operand stays on the line
    MARK_BREAK,                 // before an item that may start a line
    MARK_CLOSE,                 // before a closing bracket
} MarkKind;

typedef struct Mark { size_t at; MarkKind kind; } Mark;
typedef struct MarkVec { Mark *at; size_t len, cap; } MarkVec;
typedef struct ExprVec { const Expr **at; size_t len, cap; } ExprVec;

// The four ways to quote a string, as bits of a set.
enum { QUOTE_DOUBLE = 1, QUOTE_SINGLE = 2, QUOTE_TRIPLE_DOUBLE = 4, QUOTE_TRIPLE_SINGLE = 8,
       QUOTE_ALL = 15 };

typedef struct Py {
    Buf          *out;
    Arena        *arena;
    PythonOptions options;
    Buf           line;         // the logical line being written
    MarkVec       marks;
    bool          raw_newline;  // the line has a string that goes over several lines
    int           unbreakable;  // depth of f-strings and such, in which no line may end
    unsigned      quotes;       // that a string may have here
    bool          plain;        // inside a field of an f-string that Python 3.10 must read
    const char   *other;        // what an Offer calls a label that it did not expect
    ExprVec       offered;      // the enums of the function's Offers, each once
    bool          not_plain;    // something there needs a later Python
} Py;

// ---- python_layout.c ----
void py_puts(Py *p, const char *s);
void py_mark(Py *p, MarkKind kind);
void py_line_end(Py *p, bool header);           // header: a block follows

// ---- python_expr.c ----
void py_expr(Py *p, const Expr *e, Prec min);
void py_named(Py *p, const Expr *e);            // where `x := y` needs no parentheses
void py_target(Py *p, const Expr *e);
void py_arguments(Py *p, const Arguments *args, bool annotated);
void py_call_args(Py *p, ExprList args, KeywordList keywords, bool bare_generator);
void py_roles(Py *p, SymList roles);            // A, B
bool py_has_site(const Py *p, uint32_t end);    // has the communication that ends there a number?
void py_site(Py *p, uint32_t end);              // site=7
const char *py_operator_text(Operator op);

// ---- python_string.c ----
void py_constant(Py *p, const Const *c, Sym kind);
Prec py_constant_prec(const Const *c);
void py_docstring(Py *p, Text text);
void py_fstring(Py *p, const Expr *e);
void py_field(Py *p, const Expr *e);            // a FormattedValue that stands alone

// ---- python_array.c ----
void py_array(Py *p, const Expr *e);            // a form of tag @array

// ---- python_pattern.c ----
void py_pattern(Py *p, const Pattern *pattern);

// ---- python_stmt.c ----
typedef enum BlockPlace { PLACE_MODULE, PLACE_CLASS, PLACE_FUNCTION, PLACE_BODY } BlockPlace;
void py_block(Py *p, StmtList body, BlockPlace place);

#endif
