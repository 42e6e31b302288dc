// build.h - what the actions of parser.y stand on: the state of one parse, growing lists, and the
// checks and constructions that are more than a constructor call. Private to this folder.
//
// What the grammar parses too generously is judged here, as CPython's parser does: assignment
// targets, the order of arguments and parameters, the pieces of concatenated strings. A mistake
// is reported and parsing goes on with a sensible node.

#ifndef PYCHORAL_BUILD_H
#define PYCHORAL_BUILD_H

#include <string.h>

#include "compiler/base/diag.h"
#include "compiler/front/token.h"
#include "ir_gen.h"

// The state of one parse.
typedef struct Build {
    Arena *arena;
    Names *names;
    const Source *source;
    Diags *diags;
    TokenList tokens;
    size_t next;                // index of the token that the parser gets next
    uint32_t last_end;          // where the last token that is no layout ended
    int nesting;                // open lambdas and right operands of `**`
    uint32_t quiet_until;       // errors that start before are consequences of a reported one
    const Token *excused;       // a clause whose header has a mistake; it needs no message
    const Unit *unit;           // the result
} Build;

// Growing lists. NAME_add makes the list when it is NULL; NAME_list freezes it (NULL is empty).
#define BUILD_LIST(name, Vector, Element, Frozen)                                       \
    typedef struct Vector { Element *at; size_t len, cap; } Vector;                     \
    static inline Vector *name##_add(Build *b, Vector *v, Element x)                    \
    {                                                                                   \
        if (v == NULL)                                                                  \
            v = ARENA_NEW(b->arena, Vector);                                            \
        vec_push(b->arena, v, x);                                                       \
        return v;                                                                       \
    }                                                                                   \
    static inline Frozen name##_list(const Vector *v)                                   \
    {                                                                                   \
        return v == NULL ? (Frozen){0} : (Frozen){v->at, v->len};                       \
    }

BUILD_LIST(exprs, ExprVec, const Expr *, ExprList)
BUILD_LIST(stmts, StmtVec, const Stmt *, StmtList)
BUILD_LIST(syms, SymVec, Sym, SymList)
BUILD_LIST(cmpops, CmpopVec, Cmpop, CmpopList)
BUILD_LIST(args, ArgVec, const Arg *, ArgList)
BUILD_LIST(keywords, KeywordVec, const Keyword *, KeywordList)
BUILD_LIST(aliases, AliasVec, const Alias *, AliasList)
BUILD_LIST(withitems, WithitemVec, const Withitem *, WithitemList)
BUILD_LIST(handlers, HandlerVec, const Excepthandler *, ExcepthandlerList)
BUILD_LIST(comprehensions, ComprehensionVec, const Comprehension *, ComprehensionList)
BUILD_LIST(cases, CaseVec, const MatchCase *, MatchCaseList)
BUILD_LIST(patterns, PatternVec, const Pattern *, PatternList)
BUILD_LIST(type_params, TypeParamVec, const TypeParam *, TypeParamList)

// A chained comparison that is being read.
typedef struct Comparison { const Expr *left; CmpopVec ops; ExprVec comparators; } Comparison;

// The items of a dict display, keys NULL for `**`.
typedef struct DictItems { ExprVec keys, values; } DictItems;

// The arguments of a call or class header.
typedef struct CallArgs {
    ExprVec args;
    KeywordVec keywords;
    size_t count;
    bool unpacked;              // a `**` argument was seen
    const Expr *generator;      // an argument that is a bare generator expression
} CallArgs;

// The parameters of a function or lambda, and how far their order has come.
typedef struct Params {
    ArgVec posonlyargs, args, kwonlyargs;
    ExprVec defaults, kw_defaults;
    const Arg *vararg, *kwarg;
    bool slash, star;           // a `/`, a `*` was seen
    Span bare_star;             // a `*` that still waits for a named parameter; empty if none
} Params;

typedef struct Elif { Span at; const Expr *test; StmtList body; } Elif;
typedef struct ElifVec { Elif *at; size_t len, cap; } ElifVec;

// The handlers of a try statement, all `except` or all `except*`.
typedef struct Handlers { HandlerVec list; bool star; } Handlers;

// The subpatterns of a mapping or class pattern.
typedef struct PatternItems {
    ExprVec keys;
    SymVec names;
    PatternVec positional, values;
    Sym rest;
} PatternItems;

// How a conversion such as `!r` was written; `at` is where it starts.
typedef struct Conversion { int letter; Span at; } Conversion;

// Reports a mistake at a place; NULL when its logical line has one already.
Diag *build_error(Build *b, Span at, DiagId id, const char *format, ...)
      __attribute__((format(printf, 4, 5)));

// Takes it that the logical line of a place has a mistake that was reported.
void build_skip_line(Build *b, Span at);

// Counts one more open construct of those that FRONT_MAX_NESTING limits; false after reporting
// that there are too many.
bool build_enter(Build *b, Span at);

// Expressions.
const Expr *build_constant(Build *b, Span at, const Const *value);
const Expr *build_name(Build *b, const Token *name, ExprContext ctx);
const Expr *build_named(Build *b, Span at, Span target_at, const Expr *target, const Expr *value);
const Expr *build_bool(Build *b, Span at, Boolop op, const ExprVec *values);
Comparison *build_comparison(Build *b, Comparison *c, const Expr *left, Cmpop op,
                             const Expr *right);
const Expr *build_compare(Build *b, Span at, const Comparison *c);
DictItems  *build_dict_item(Build *b, DictItems *d, const Expr *key, const Expr *value);
const Expr *build_tuple(Build *b, Span at, const ExprVec *elts);
ComprehensionVec *build_comp_for(Build *b, ComprehensionVec *v, bool is_async,
                                 const Expr *target, const Expr *iter, const ExprVec *ifs);

// Calls. `at` is the place of the argument.
CallArgs *build_arg(Build *b, CallArgs *c, Span at, const Expr *value);
CallArgs *build_arg_star(Build *b, CallArgs *c, Span at, const Expr *value);
CallArgs *build_arg_keyword(Build *b, CallArgs *c, Span at, Span name_at, const Expr *name,
                            const Expr *value);
CallArgs *build_arg_unpack(Build *b, CallArgs *c, Span at, const Expr *value);
CallArgs *build_arg_generator(Build *b, CallArgs *c, Span at, const Expr *elt,
                              const ComprehensionVec *generators);
// `parens` is the place of the parentheses, `comma` whether the last argument has one after it.
const Expr *build_call(Build *b, Span at, const Expr *func, Span parens, CallArgs *c, bool comma);
const Stmt *build_class(Build *b, Span at, const Token *name, const TypeParamVec *type_params,
                        const CallArgs *c, const StmtVec *body);

// Targets. The target's context, and that of what is inside it, becomes Store or Del.
const Expr *build_target(Build *b, const Expr *e);          // of =, for, with, comprehensions
const Expr *build_single_target(Build *b, const Expr *e);   // of +=
const Expr *build_annotated_target(Build *b, const Expr *e);
const Expr *build_delete_target(Build *b, const Expr *e);

// Parameters.
Params *build_param(Build *b, Params *p, const Arg *arg, const Expr *default_value);
Params *build_param_slash(Build *b, Params *p, Span at);
Params *build_param_bare_star(Build *b, Params *p, Span at);
Params *build_param_star(Build *b, Params *p, Span at, const Arg *arg);
Params *build_param_double_star(Build *b, Params *p, Span at, const Arg *arg);
const Arguments *build_arguments(Build *b, Params *p);      // NULL gives no parameters

// Statements.
const Stmt *build_decorated(const Stmt *def, const ExprVec *decorators);
const Stmt *build_async(Build *b, Span at, const Stmt *def);
const Stmt *build_if(Build *b, Span at, const Expr *test, const StmtVec *body,
                     const ElifVec *elifs, const StmtVec *orelse);
ElifVec    *build_elif(Build *b, ElifVec *v, Span at, const Expr *test, const StmtVec *body);
Handlers   *build_handler(Build *b, Handlers *h, bool star, Span at,
                          const Excepthandler *handler);
const Stmt *build_try(Build *b, Span at, const StmtVec *body, const Handlers *h,
                      const StmtVec *orelse, const StmtVec *finalbody);
const Stmt *build_ann_assign(Build *b, Span at, Span target_at, const Expr *target,
                             const Expr *annotation, const Expr *value);
StmtVec    *build_append(Build *b, StmtVec *v, const StmtVec *more);
Sym         build_dotted_name(Build *b, const SymVec *parts);

// Patterns.
Sym  build_capture(const Token *name);                      // NULL for `_`
void build_refuse_wildcard(Build *b, const Token *name, const char *what);
const Expr *build_complex(Build *b, Span at, const Expr *real, Operator op, const Token *imaginary);
PatternItems *build_pattern_positional(Build *b, PatternItems *p, const Pattern *value);
PatternItems *build_pattern_keyword(Build *b, PatternItems *p, const Token *name,
                                    const Pattern *value);
PatternItems *build_pattern_key(Build *b, PatternItems *p, const Expr *key, const Pattern *value);
PatternItems *build_pattern_rest(Build *b, PatternItems *p, const Token *name);
const Pattern *build_mapping_pattern(Build *b, Span at, const PatternItems *p);
const Pattern *build_class_pattern(Build *b, Span at, const Expr *cls, const PatternItems *p);

// Strings. A piece is a Constant or a JoinedStr; a concatenation (also of one piece) is a single
// Constant, or a JoinedStr in which adjacent constants are one and empty ones are gone.
const Expr *build_string(Build *b, const Token *token);
const Expr *build_concatenation(Build *b, Span at, const Expr *const *pieces, size_t count);
const Expr *build_format_spec(Build *b, Span at, const ExprVec *parts);
ExprVec *build_fstring_text(Build *b, ExprVec *parts, const Token *text);
Conversion *build_conversion(Build *b, const Token *bang, const Token *name);
// Adds a replacement field. `equal` is the `=` of a self-documenting field, or NULL.
ExprVec *build_field(Build *b, ExprVec *parts, Span at, const Expr *value, const Token *equal,
                     const Conversion *conversion, const Expr *format_spec);

#endif
