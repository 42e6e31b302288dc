// ir_gen.h - the IR's types and services. Written by asdlgen from ir.asdl.

#ifndef PYCHORAL_IR_GEN_H
#define PYCHORAL_IR_GEN_H

#include "compiler/ir/ir_base.h"

enum {
    IR_LOCAL = 1 << 0,
    IR_SURFACE = 1 << 1,
    IR_SUGAR = 1 << 2,
    IR_CHOREO = 1 << 3,
    IR_GRAD = 1 << 4,
    IR_ARRAY = 1 << 5,
    IR_CONTROL = 1 << 6,
};

typedef struct Unit Unit;
typedef struct UnitList { const Unit *const *at; size_t len; } UnitList;

typedef struct Endpoint Endpoint;
typedef struct EndpointList { const Endpoint *const *at; size_t len; } EndpointList;

typedef struct Fragment Fragment;
typedef struct FragmentList { const Fragment *const *at; size_t len; } FragmentList;

typedef struct Site Site;
typedef struct SiteList { const Site *const *at; size_t len; } SiteList;

typedef struct Stmt Stmt;
typedef struct StmtList { const Stmt *const *at; size_t len; } StmtList;

typedef struct Expr Expr;
typedef struct ExprList { const Expr *const *at; size_t len; } ExprList;

typedef struct OfferArm OfferArm;
typedef struct OfferArmList { const OfferArm *const *at; size_t len; } OfferArmList;

typedef enum ExprContext {
    EXPR_CONTEXT_LOAD,
    EXPR_CONTEXT_STORE,
    EXPR_CONTEXT_DEL,
    EXPR_CONTEXT_COUNT
} ExprContext;
typedef struct ExprContextList { const ExprContext *at; size_t len; } ExprContextList;

typedef enum Boolop {
    BOOLOP_AND,
    BOOLOP_OR,
    BOOLOP_COUNT
} Boolop;
typedef struct BoolopList { const Boolop *at; size_t len; } BoolopList;

typedef enum Operator {
    OPERATOR_ADD,
    OPERATOR_SUB,
    OPERATOR_MULT,
    OPERATOR_MAT_MULT,
    OPERATOR_DIV,
    OPERATOR_MOD,
    OPERATOR_POW,
    OPERATOR_L_SHIFT,
    OPERATOR_R_SHIFT,
    OPERATOR_BIT_OR,
    OPERATOR_BIT_XOR,
    OPERATOR_BIT_AND,
    OPERATOR_FLOOR_DIV,
    OPERATOR_COUNT
} Operator;
typedef struct OperatorList { const Operator *at; size_t len; } OperatorList;

typedef enum Reduction {
    REDUCTION_SUM,
    REDUCTION_MAX,
    REDUCTION_MIN,
    REDUCTION_ARG_MAX,
    REDUCTION_ARG_MIN,
    REDUCTION_COUNT
} Reduction;
typedef struct ReductionList { const Reduction *at; size_t len; } ReductionList;

typedef enum Unaryop {
    UNARYOP_INVERT,
    UNARYOP_NOT,
    UNARYOP_U_ADD,
    UNARYOP_U_SUB,
    UNARYOP_COUNT
} Unaryop;
typedef struct UnaryopList { const Unaryop *at; size_t len; } UnaryopList;

typedef enum Cmpop {
    CMPOP_EQ,
    CMPOP_NOT_EQ,
    CMPOP_LT,
    CMPOP_LT_E,
    CMPOP_GT,
    CMPOP_GT_E,
    CMPOP_IS,
    CMPOP_IS_NOT,
    CMPOP_IN,
    CMPOP_NOT_IN,
    CMPOP_COUNT
} Cmpop;
typedef struct CmpopList { const Cmpop *at; size_t len; } CmpopList;

typedef struct Comprehension Comprehension;
typedef struct ComprehensionList { const Comprehension *const *at; size_t len; } ComprehensionList;

typedef struct Excepthandler Excepthandler;
typedef struct ExcepthandlerList { const Excepthandler *const *at; size_t len; } ExcepthandlerList;

typedef struct Arguments Arguments;
typedef struct ArgumentsList { const Arguments *const *at; size_t len; } ArgumentsList;

typedef struct Arg Arg;
typedef struct ArgList { const Arg *const *at; size_t len; } ArgList;

typedef struct Keyword Keyword;
typedef struct KeywordList { const Keyword *const *at; size_t len; } KeywordList;

typedef struct Alias Alias;
typedef struct AliasList { const Alias *const *at; size_t len; } AliasList;

typedef struct Withitem Withitem;
typedef struct WithitemList { const Withitem *const *at; size_t len; } WithitemList;

typedef struct MatchCase MatchCase;
typedef struct MatchCaseList { const MatchCase *const *at; size_t len; } MatchCaseList;

typedef struct Pattern Pattern;
typedef struct PatternList { const Pattern *const *at; size_t len; } PatternList;

typedef struct TypeParam TypeParam;
typedef struct TypeParamList { const TypeParam *const *at; size_t len; } TypeParamList;

typedef struct Ty Ty;
typedef struct TyList { const Ty *const *at; size_t len; } TyList;

typedef enum UnitKind {
    UNIT_MODULE,
    UNIT_ENDPOINTS,
    UNIT_COUNT
} UnitKind;
struct Unit {
    UnitKind kind;
    union {
        struct { StmtList body; } module;
        struct { EndpointList endpoints; EndpointList modules; SiteList sites; } endpoints;
    };
};

struct Endpoint {
    Sym role;
    StmtList body;
    SymList types;
    SymList loads;
    FragmentList pieces;
};

struct Fragment {
    Span at;
    Sym module;
    Sym name;
};

struct Site {
    Span at;
    int number;
};

typedef enum StmtKind {
    STMT_FUNCTION_DEF,
    STMT_ASYNC_FUNCTION_DEF,
    STMT_CLASS_DEF,
    STMT_RETURN,
    STMT_DELETE,
    STMT_ASSIGN,
    STMT_TYPE_ALIAS,
    STMT_AUG_ASSIGN,
    STMT_ANN_ASSIGN,
    STMT_FOR,
    STMT_ASYNC_FOR,
    STMT_WHILE,
    STMT_IF,
    STMT_WITH,
    STMT_ASYNC_WITH,
    STMT_MATCH,
    STMT_RAISE,
    STMT_TRY,
    STMT_TRY_STAR,
    STMT_ASSERT,
    STMT_IMPORT,
    STMT_IMPORT_FROM,
    STMT_GLOBAL,
    STMT_NONLOCAL,
    STMT_EXPR,
    STMT_PASS,
    STMT_BREAK,
    STMT_CONTINUE,
    STMT_CHOREO,
    STMT_OFFER,
    STMT_STOPPED,
    STMT_TAPE,
    STMT_KEEP,
    STMT_BACK,
    STMT_COUNT
} StmtKind;
struct Stmt {
    StmtKind kind;
    Span at;
    SymList roles;
    union {
        struct { Sym name; const Arguments *args; StmtList body; ExprList decorator_list; const Expr *returns; TypeParamList type_params; } function_def;
        struct { Sym name; const Arguments *args; StmtList body; ExprList decorator_list; const Expr *returns; TypeParamList type_params; } async_function_def;
        struct { Sym name; ExprList bases; KeywordList keywords; StmtList body; ExprList decorator_list; TypeParamList type_params; } class_def;
        struct { const Expr *value; } return_;
        struct { ExprList targets; } delete;
        struct { ExprList targets; const Expr *value; } assign;
        struct { const Expr *name; TypeParamList type_params; const Expr *value; } type_alias;
        struct { const Expr *target; Operator op; const Expr *value; } aug_assign;
        struct { const Expr *target; const Expr *annotation; const Expr *value; int simple; } ann_assign;
        struct { const Expr *target; const Expr *iter; StmtList body; StmtList orelse; } for_;
        struct { const Expr *target; const Expr *iter; StmtList body; StmtList orelse; } async_for;
        struct { const Expr *test; StmtList body; StmtList orelse; } while_;
        struct { const Expr *test; StmtList body; StmtList orelse; } if_;
        struct { WithitemList items; StmtList body; } with;
        struct { WithitemList items; StmtList body; } async_with;
        struct { const Expr *subject; MatchCaseList cases; } match;
        struct { const Expr *exc; const Expr *cause; } raise;
        struct { StmtList body; ExcepthandlerList handlers; StmtList orelse; StmtList finalbody; } try;
        struct { StmtList body; ExcepthandlerList handlers; StmtList orelse; StmtList finalbody; } try_star;
        struct { const Expr *test; const Expr *msg; } assert;
        struct { AliasList names; } import;
        struct { Sym module; AliasList names; int level; } import_from;
        struct { SymList names; } global;
        struct { SymList names; } nonlocal;
        struct { const Expr *value; } expr;
        struct { SymList formals; SymList communicates; SymList acts; const Stmt *def; } choreo;
        struct { const Expr *channel; const Expr *enum_; OfferArmList arms; } offer;
        struct { SymList peers; } stopped;
        struct { const Expr *value; } keep;
        struct { const Expr *target; } back;
    };
};

typedef enum ExprKind {
    EXPR_BOOL_OP,
    EXPR_NAMED_EXPR,
    EXPR_BIN_OP,
    EXPR_UNARY_OP,
    EXPR_LAMBDA,
    EXPR_IF_EXP,
    EXPR_DICT,
    EXPR_SET,
    EXPR_LIST_COMP,
    EXPR_SET_COMP,
    EXPR_DICT_COMP,
    EXPR_GENERATOR_EXP,
    EXPR_AWAIT,
    EXPR_YIELD,
    EXPR_YIELD_FROM,
    EXPR_COMPARE,
    EXPR_CALL,
    EXPR_FORMATTED_VALUE,
    EXPR_JOINED_STR,
    EXPR_CONSTANT,
    EXPR_ATTRIBUTE,
    EXPR_SUBSCRIPT,
    EXPR_STARRED,
    EXPR_NAME,
    EXPR_LIST,
    EXPR_TUPLE,
    EXPR_SLICE,
    EXPR_LOCATED,
    EXPR_INST,
    EXPR_PIN,
    EXPR_COM,
    EXPR_SELECT,
    EXPR_UNIT,
    EXPR_SEND,
    EXPR_RECV,
    EXPR_SEND_LABEL,
    EXPR_BUILD,
    EXPR_GATHER,
    EXPR_SCATTER,
    EXPR_REDUCE,
    EXPR_REPLICATE,
    EXPR_TRANSPOSE,
    EXPR_RESHAPE,
    EXPR_STACK,
    EXPR_WHERE,
    EXPR_ONE_HOT,
    EXPR_LOOP,
    EXPR_LET,
    EXPR_LET_REC,
    EXPR_CASE,
    EXPR_INJECT,
    EXPR_REF,
    EXPR_GET,
    EXPR_PUT,
    EXPR_SHIFT,
    EXPR_RESET,
    EXPR_COUNT
} ExprKind;
struct Expr {
    ExprKind kind;
    Span at;
    const Ty *ty;
    SymList roles;
    union {
        struct { Boolop op; ExprList values; } bool_op;
        struct { const Expr *target; const Expr *value; } named_expr;
        struct { const Expr *left; Operator op; const Expr *right; } bin_op;
        struct { Unaryop op; const Expr *operand; } unary_op;
        struct { const Arguments *args; const Expr *body; } lambda;
        struct { const Expr *test; const Expr *body; const Expr *orelse; } if_exp;
        struct { ExprList keys; ExprList values; } dict;
        struct { ExprList elts; } set;
        struct { const Expr *elt; ComprehensionList generators; } list_comp;
        struct { const Expr *elt; ComprehensionList generators; } set_comp;
        struct { const Expr *key; const Expr *value; ComprehensionList generators; } dict_comp;
        struct { const Expr *elt; ComprehensionList generators; } generator_exp;
        struct { const Expr *value; } await;
        struct { const Expr *value; } yield;
        struct { const Expr *value; } yield_from;
        struct { const Expr *left; CmpopList ops; ExprList comparators; } compare;
        struct { const Expr *func; ExprList args; KeywordList keywords; } call;
        struct { const Expr *value; int conversion; const Expr *format_spec; } formatted_value;
        struct { ExprList values; } joined_str;
        struct { const Const *value; Sym kind; } constant;
        struct { const Expr *value; Sym attr; ExprContext ctx; } attribute;
        struct { const Expr *value; const Expr *slice; ExprContext ctx; } subscript;
        struct { const Expr *value; ExprContext ctx; } starred;
        struct { Sym id; ExprContext ctx; } name;
        struct { ExprList elts; ExprContext ctx; } list;
        struct { ExprList elts; ExprContext ctx; } tuple;
        struct { const Expr *lower; const Expr *upper; const Expr *step; } slice;
        struct { const Expr *type; SymList at_roles; } located;
        struct { const Expr *target; SymList formals; SymList actuals; SymList acts; } inst;
        struct { const Expr *value; SymList at_roles; } pin;
        struct { const Expr *channel; const Expr *value; Sym sender; Sym receiver; const Ty *payload; bool shared; } com;
        struct { const Expr *channel; const Expr *label; Sym sender; Sym receiver; } select;
        struct { ExprList effects; } unit;
        struct { const Expr *channel; const Expr *value; const Ty *payload; bool shared; } send;
        struct { const Expr *channel; const Ty *payload; } recv;
        struct { const Expr *channel; const Expr *label; } send_label;
        struct { Sym index; const Expr *size; const Expr *body; } build;
        struct { ExprList shape; const Expr *array; SymList indices; ExprList place; } gather;
        struct { ExprList shape; const Expr *array; SymList indices; ExprList place; } scatter;
        struct { Reduction op; const Expr *array; } reduce;
        struct { const Expr *size; const Expr *array; } replicate;
        struct { ExprList axes; const Expr *array; } transpose;
        struct { ExprList shape; const Expr *array; } reshape;
        struct { ExprList parts; } stack;
        struct { const Expr *test; const Expr *on_true; const Expr *on_false; } where;
        struct { ExprList shape; ExprList place; const Expr *value; } one_hot;
        struct { const Expr *size; int down; SymList indices; ExprList before; ExprList bodies; int which; } loop;
        struct { Sym name; const Expr *value; const Expr *body; } let;
        struct { Sym name; const Arguments *args; const Expr *value; const Expr *body; } let_rec;
        struct { const Expr *value; Sym left; const Expr *on_left; Sym right; const Expr *on_right; } case_;
        struct { bool right; const Expr *value; } inject;
        struct { const Expr *value; } ref;
        struct { const Expr *ref; } get;
        struct { const Expr *ref; const Expr *value; } put;
        struct { Sym k; const Expr *body; } shift;
        struct { const Expr *body; } reset;
    };
};

struct OfferArm {
    Span at;
    const Expr *label;
    StmtList body;
};

struct Comprehension {
    const Expr *target;
    const Expr *iter;
    ExprList ifs;
    int is_async;
};

typedef enum ExcepthandlerKind {
    EXCEPTHANDLER_EXCEPT_HANDLER,
    EXCEPTHANDLER_COUNT
} ExcepthandlerKind;
struct Excepthandler {
    ExcepthandlerKind kind;
    Span at;
    const Ty *ty;
    union {
        struct { const Expr *type; Sym name; StmtList body; } except_handler;
    };
};

struct Arguments {
    ArgList posonlyargs;
    ArgList args;
    const Arg *vararg;
    ArgList kwonlyargs;
    ExprList kw_defaults;
    const Arg *kwarg;
    ExprList defaults;
};

struct Arg {
    Span at;
    const Ty *ty;
    Sym arg;
    const Expr *annotation;
};

struct Keyword {
    Span at;
    Sym arg;
    const Expr *value;
};

struct Alias {
    Span at;
    Sym name;
    Sym asname;
};

struct Withitem {
    const Expr *context_expr;
    const Expr *optional_vars;
};

struct MatchCase {
    const Pattern *pattern;
    const Expr *guard;
    StmtList body;
};

typedef enum PatternKind {
    PATTERN_MATCH_VALUE,
    PATTERN_MATCH_SINGLETON,
    PATTERN_MATCH_SEQUENCE,
    PATTERN_MATCH_MAPPING,
    PATTERN_MATCH_CLASS,
    PATTERN_MATCH_STAR,
    PATTERN_MATCH_AS,
    PATTERN_MATCH_OR,
    PATTERN_COUNT
} PatternKind;
struct Pattern {
    PatternKind kind;
    Span at;
    const Ty *ty;
    const Ty *bound;
    union {
        struct { const Expr *value; } match_value;
        struct { const Const *value; } match_singleton;
        struct { PatternList patterns; } match_sequence;
        struct { ExprList keys; PatternList patterns; Sym rest; } match_mapping;
        struct { const Expr *cls; PatternList patterns; SymList kwd_attrs; PatternList kwd_patterns; } match_class;
        struct { Sym name; } match_star;
        struct { const Pattern *pattern; Sym name; } match_as;
        struct { PatternList patterns; } match_or;
    };
};

typedef enum TypeParamKind {
    TYPE_PARAM_TYPE_VAR,
    TYPE_PARAM_PARAM_SPEC,
    TYPE_PARAM_TYPE_VAR_TUPLE,
    TYPE_PARAM_COUNT
} TypeParamKind;
struct TypeParam {
    TypeParamKind kind;
    Span at;
    union {
        struct { Sym name; const Expr *bound; const Expr *default_value; } type_var;
        struct { Sym name; const Expr *default_value; } param_spec;
        struct { Sym name; const Expr *default_value; } type_var_tuple;
    };
};

typedef enum TyKind {
    TY_POISON,
    TY_ANY,
    TY_NONE_TYPE,
    TY_NAMED,
    TY_INST,
    TY_TUPLE,
    TY_UNION,
    TY_CALLABLE,
    TY_LITERAL,
    TY_TYPE_VAR,
    TY_PLACED,
    TY_COUNT
} TyKind;
struct Ty {
    TyKind kind;
    union {
        struct { Sym name; TyList args; } named;
        struct { Sym name; TyList args; SymList actuals; } inst;
        struct { TyList items; } tuple;
        struct { TyList items; } union_;
        struct { TyList params; const Ty *result; } callable;
        struct { const Const *value; } literal;
        struct { Sym name; } type_var;
        struct { const Ty *of; SymList at_roles; } placed;
    };
};

const Unit *unit_module(Arena *arena, StmtList body);
const Unit *unit_endpoints(Arena *arena, EndpointList endpoints, EndpointList modules, SiteList sites);
const char *unit_kind_name(UnitKind kind);

#define UNIT_CASES_LOCAL case UNIT_ENDPOINTS
#define UNIT_CASES_SURFACE
#define UNIT_CASES_SUGAR
#define UNIT_CASES_CHOREO
#define UNIT_CASES_GRAD
#define UNIT_CASES_ARRAY
#define UNIT_CASES_CONTROL
const Endpoint *endpoint_new(Arena *arena, Sym role, StmtList body, SymList types, SymList loads, FragmentList pieces);

const Fragment *fragment_new(Arena *arena, Span at, Sym module, Sym name);
const Fragment *fragment_with_at(Arena *arena, const Fragment *node, Span at);

const Site *site_new(Arena *arena, Span at, int number);
const Site *site_with_at(Arena *arena, const Site *node, Span at);

const Stmt *stmt_function_def(Arena *arena, Span at, Sym name, const Arguments *args, StmtList body, ExprList decorator_list, const Expr *returns, TypeParamList type_params);
const Stmt *stmt_async_function_def(Arena *arena, Span at, Sym name, const Arguments *args, StmtList body, ExprList decorator_list, const Expr *returns, TypeParamList type_params);
const Stmt *stmt_class_def(Arena *arena, Span at, Sym name, ExprList bases, KeywordList keywords, StmtList body, ExprList decorator_list, TypeParamList type_params);
const Stmt *stmt_return(Arena *arena, Span at, const Expr *value);
const Stmt *stmt_delete(Arena *arena, Span at, ExprList targets);
const Stmt *stmt_assign(Arena *arena, Span at, ExprList targets, const Expr *value);
const Stmt *stmt_type_alias(Arena *arena, Span at, const Expr *name, TypeParamList type_params, const Expr *value);
const Stmt *stmt_aug_assign(Arena *arena, Span at, const Expr *target, Operator op, const Expr *value);
const Stmt *stmt_ann_assign(Arena *arena, Span at, const Expr *target, const Expr *annotation, const Expr *value, int simple);
const Stmt *stmt_for(Arena *arena, Span at, const Expr *target, const Expr *iter, StmtList body, StmtList orelse);
const Stmt *stmt_async_for(Arena *arena, Span at, const Expr *target, const Expr *iter, StmtList body, StmtList orelse);
const Stmt *stmt_while(Arena *arena, Span at, const Expr *test, StmtList body, StmtList orelse);
const Stmt *stmt_if(Arena *arena, Span at, const Expr *test, StmtList body, StmtList orelse);
const Stmt *stmt_with(Arena *arena, Span at, WithitemList items, StmtList body);
const Stmt *stmt_async_with(Arena *arena, Span at, WithitemList items, StmtList body);
const Stmt *stmt_match(Arena *arena, Span at, const Expr *subject, MatchCaseList cases);
const Stmt *stmt_raise(Arena *arena, Span at, const Expr *exc, const Expr *cause);
const Stmt *stmt_try(Arena *arena, Span at, StmtList body, ExcepthandlerList handlers, StmtList orelse, StmtList finalbody);
const Stmt *stmt_try_star(Arena *arena, Span at, StmtList body, ExcepthandlerList handlers, StmtList orelse, StmtList finalbody);
const Stmt *stmt_assert(Arena *arena, Span at, const Expr *test, const Expr *msg);
const Stmt *stmt_import(Arena *arena, Span at, AliasList names);
const Stmt *stmt_import_from(Arena *arena, Span at, Sym module, AliasList names, int level);
const Stmt *stmt_global(Arena *arena, Span at, SymList names);
const Stmt *stmt_nonlocal(Arena *arena, Span at, SymList names);
const Stmt *stmt_expr(Arena *arena, Span at, const Expr *value);
const Stmt *stmt_pass(Arena *arena, Span at);
const Stmt *stmt_break(Arena *arena, Span at);
const Stmt *stmt_continue(Arena *arena, Span at);
const Stmt *stmt_choreo(Arena *arena, Span at, SymList formals, SymList communicates, SymList acts, const Stmt *def);
const Stmt *stmt_offer(Arena *arena, Span at, const Expr *channel, const Expr *enum_, OfferArmList arms);
const Stmt *stmt_stopped(Arena *arena, Span at, SymList peers);
const Stmt *stmt_tape(Arena *arena, Span at);
const Stmt *stmt_keep(Arena *arena, Span at, const Expr *value);
const Stmt *stmt_back(Arena *arena, Span at, const Expr *target);
const Stmt *stmt_with_at(Arena *arena, const Stmt *node, Span at);
const Stmt *stmt_with_roles(Arena *arena, const Stmt *node, SymList roles);
const char *stmt_kind_name(StmtKind kind);
const Stmt *stmt_spine_child(const Stmt *node);
const Stmt *stmt_with_spine_child(Arena *arena, const Stmt *node, const Stmt *child);
const Stmt **stmt_spine(Arena *arena, const Stmt *node, size_t *n);

#define STMT_CASES_LOCAL case STMT_OFFER: \
    case STMT_STOPPED
#define STMT_CASES_SURFACE case STMT_ASYNC_FUNCTION_DEF: \
    case STMT_ASYNC_FOR: \
    case STMT_ASYNC_WITH: \
    case STMT_TRY_STAR
#define STMT_CASES_SUGAR case STMT_AUG_ASSIGN: \
    case STMT_WITH: \
    case STMT_MATCH: \
    case STMT_ASSERT
#define STMT_CASES_CHOREO case STMT_CHOREO
#define STMT_CASES_GRAD case STMT_TAPE: \
    case STMT_KEEP: \
    case STMT_BACK
#define STMT_CASES_ARRAY
#define STMT_CASES_CONTROL
const Expr *expr_bool_op(Arena *arena, Span at, Boolop op, ExprList values);
const Expr *expr_named_expr(Arena *arena, Span at, const Expr *target, const Expr *value);
const Expr *expr_bin_op(Arena *arena, Span at, const Expr *left, Operator op, const Expr *right);
const Expr *expr_unary_op(Arena *arena, Span at, Unaryop op, const Expr *operand);
const Expr *expr_lambda(Arena *arena, Span at, const Arguments *args, const Expr *body);
const Expr *expr_if_exp(Arena *arena, Span at, const Expr *test, const Expr *body, const Expr *orelse);
const Expr *expr_dict(Arena *arena, Span at, ExprList keys, ExprList values);
const Expr *expr_set(Arena *arena, Span at, ExprList elts);
const Expr *expr_list_comp(Arena *arena, Span at, const Expr *elt, ComprehensionList generators);
const Expr *expr_set_comp(Arena *arena, Span at, const Expr *elt, ComprehensionList generators);
const Expr *expr_dict_comp(Arena *arena, Span at, const Expr *key, const Expr *value, ComprehensionList generators);
const Expr *expr_generator_exp(Arena *arena, Span at, const Expr *elt, ComprehensionList generators);
const Expr *expr_await(Arena *arena, Span at, const Expr *value);
const Expr *expr_yield(Arena *arena, Span at, const Expr *value);
const Expr *expr_yield_from(Arena *arena, Span at, const Expr *value);
const Expr *expr_compare(Arena *arena, Span at, const Expr *left, CmpopList ops, ExprList comparators);
const Expr *expr_call(Arena *arena, Span at, const Expr *func, ExprList args, KeywordList keywords);
const Expr *expr_formatted_value(Arena *arena, Span at, const Expr *value, int conversion, const Expr *format_spec);
const Expr *expr_joined_str(Arena *arena, Span at, ExprList values);
const Expr *expr_constant(Arena *arena, Span at, const Const *value, Sym kind);
const Expr *expr_attribute(Arena *arena, Span at, const Expr *value, Sym attr, ExprContext ctx);
const Expr *expr_subscript(Arena *arena, Span at, const Expr *value, const Expr *slice, ExprContext ctx);
const Expr *expr_starred(Arena *arena, Span at, const Expr *value, ExprContext ctx);
const Expr *expr_name(Arena *arena, Span at, Sym id, ExprContext ctx);
const Expr *expr_list(Arena *arena, Span at, ExprList elts, ExprContext ctx);
const Expr *expr_tuple(Arena *arena, Span at, ExprList elts, ExprContext ctx);
const Expr *expr_slice(Arena *arena, Span at, const Expr *lower, const Expr *upper, const Expr *step);
const Expr *expr_located(Arena *arena, Span at, const Expr *type, SymList at_roles);
const Expr *expr_inst(Arena *arena, Span at, const Expr *target, SymList formals, SymList actuals, SymList acts);
const Expr *expr_pin(Arena *arena, Span at, const Expr *value, SymList at_roles);
const Expr *expr_com(Arena *arena, Span at, const Expr *channel, const Expr *value, Sym sender, Sym receiver, const Ty *payload, bool shared);
const Expr *expr_select(Arena *arena, Span at, const Expr *channel, const Expr *label, Sym sender, Sym receiver);
const Expr *expr_unit(Arena *arena, Span at, ExprList effects);
const Expr *expr_send(Arena *arena, Span at, const Expr *channel, const Expr *value, const Ty *payload, bool shared);
const Expr *expr_recv(Arena *arena, Span at, const Expr *channel, const Ty *payload);
const Expr *expr_send_label(Arena *arena, Span at, const Expr *channel, const Expr *label);
const Expr *expr_build(Arena *arena, Span at, Sym index, const Expr *size, const Expr *body);
const Expr *expr_gather(Arena *arena, Span at, ExprList shape, const Expr *array, SymList indices, ExprList place);
const Expr *expr_scatter(Arena *arena, Span at, ExprList shape, const Expr *array, SymList indices, ExprList place);
const Expr *expr_reduce(Arena *arena, Span at, Reduction op, const Expr *array);
const Expr *expr_replicate(Arena *arena, Span at, const Expr *size, const Expr *array);
const Expr *expr_transpose(Arena *arena, Span at, ExprList axes, const Expr *array);
const Expr *expr_reshape(Arena *arena, Span at, ExprList shape, const Expr *array);
const Expr *expr_stack(Arena *arena, Span at, ExprList parts);
const Expr *expr_where(Arena *arena, Span at, const Expr *test, const Expr *on_true, const Expr *on_false);
const Expr *expr_one_hot(Arena *arena, Span at, ExprList shape, ExprList place, const Expr *value);
const Expr *expr_loop(Arena *arena, Span at, const Expr *size, int down, SymList indices, ExprList before, ExprList bodies, int which);
const Expr *expr_let(Arena *arena, Span at, Sym name, const Expr *value, const Expr *body);
const Expr *expr_let_rec(Arena *arena, Span at, Sym name, const Arguments *args, const Expr *value, const Expr *body);
const Expr *expr_case(Arena *arena, Span at, const Expr *value, Sym left, const Expr *on_left, Sym right, const Expr *on_right);
const Expr *expr_inject(Arena *arena, Span at, bool right, const Expr *value);
const Expr *expr_ref(Arena *arena, Span at, const Expr *value);
const Expr *expr_get(Arena *arena, Span at, const Expr *ref);
const Expr *expr_put(Arena *arena, Span at, const Expr *ref, const Expr *value);
const Expr *expr_shift(Arena *arena, Span at, Sym k, const Expr *body);
const Expr *expr_reset(Arena *arena, Span at, const Expr *body);
const Expr *expr_with_at(Arena *arena, const Expr *node, Span at);
const Expr *expr_with_ty(Arena *arena, const Expr *node, const Ty *ty, SymList roles);
const char *expr_kind_name(ExprKind kind);
const Expr *expr_spine_child(const Expr *node);
const Expr *expr_with_spine_child(Arena *arena, const Expr *node, const Expr *child);
const Expr **expr_spine(Arena *arena, const Expr *node, size_t *n);

#define EXPR_CASES_LOCAL case EXPR_UNIT: \
    case EXPR_SEND: \
    case EXPR_RECV: \
    case EXPR_SEND_LABEL
#define EXPR_CASES_SURFACE case EXPR_AWAIT: \
    case EXPR_YIELD: \
    case EXPR_YIELD_FROM
#define EXPR_CASES_SUGAR case EXPR_NAMED_EXPR: \
    case EXPR_LIST_COMP: \
    case EXPR_SET_COMP: \
    case EXPR_DICT_COMP: \
    case EXPR_GENERATOR_EXP: \
    case EXPR_FORMATTED_VALUE: \
    case EXPR_JOINED_STR
#define EXPR_CASES_CHOREO case EXPR_LOCATED: \
    case EXPR_INST: \
    case EXPR_PIN: \
    case EXPR_COM: \
    case EXPR_SELECT
#define EXPR_CASES_GRAD
#define EXPR_CASES_ARRAY case EXPR_BUILD: \
    case EXPR_GATHER: \
    case EXPR_SCATTER: \
    case EXPR_REDUCE: \
    case EXPR_REPLICATE: \
    case EXPR_TRANSPOSE: \
    case EXPR_RESHAPE: \
    case EXPR_STACK: \
    case EXPR_WHERE: \
    case EXPR_ONE_HOT: \
    case EXPR_LOOP
#define EXPR_CASES_CONTROL case EXPR_LET: \
    case EXPR_LET_REC: \
    case EXPR_CASE: \
    case EXPR_INJECT: \
    case EXPR_REF: \
    case EXPR_GET: \
    case EXPR_PUT: \
    case EXPR_SHIFT: \
    case EXPR_RESET
const OfferArm *offer_arm_new(Arena *arena, Span at, const Expr *label, StmtList body);
const OfferArm *offer_arm_with_at(Arena *arena, const OfferArm *node, Span at);

const char *expr_context_name(ExprContext value);

const char *boolop_name(Boolop value);

const char *operator_name(Operator value);

const char *reduction_name(Reduction value);

const char *unaryop_name(Unaryop value);

const char *cmpop_name(Cmpop value);

const Comprehension *comprehension_new(Arena *arena, const Expr *target, const Expr *iter, ExprList ifs, int is_async);

const Excepthandler *excepthandler_except_handler(Arena *arena, Span at, const Expr *type, Sym name, StmtList body);
const Excepthandler *excepthandler_with_at(Arena *arena, const Excepthandler *node, Span at);
const Excepthandler *excepthandler_with_ty(Arena *arena, const Excepthandler *node, const Ty *ty);
const char *excepthandler_kind_name(ExcepthandlerKind kind);

#define EXCEPTHANDLER_CASES_LOCAL
#define EXCEPTHANDLER_CASES_SURFACE
#define EXCEPTHANDLER_CASES_SUGAR
#define EXCEPTHANDLER_CASES_CHOREO
#define EXCEPTHANDLER_CASES_GRAD
#define EXCEPTHANDLER_CASES_ARRAY
#define EXCEPTHANDLER_CASES_CONTROL
const Arguments *arguments_new(Arena *arena, ArgList posonlyargs, ArgList args, const Arg *vararg, ArgList kwonlyargs, ExprList kw_defaults, const Arg *kwarg, ExprList defaults);

const Arg *arg_new(Arena *arena, Span at, Sym arg, const Expr *annotation);
const Arg *arg_with_at(Arena *arena, const Arg *node, Span at);
const Arg *arg_with_ty(Arena *arena, const Arg *node, const Ty *ty);

const Keyword *keyword_new(Arena *arena, Span at, Sym arg, const Expr *value);
const Keyword *keyword_with_at(Arena *arena, const Keyword *node, Span at);

const Alias *alias_new(Arena *arena, Span at, Sym name, Sym asname);
const Alias *alias_with_at(Arena *arena, const Alias *node, Span at);

const Withitem *withitem_new(Arena *arena, const Expr *context_expr, const Expr *optional_vars);

const MatchCase *match_case_new(Arena *arena, const Pattern *pattern, const Expr *guard, StmtList body);

const Pattern *pattern_match_value(Arena *arena, Span at, const Expr *value);
const Pattern *pattern_match_singleton(Arena *arena, Span at, const Const *value);
const Pattern *pattern_match_sequence(Arena *arena, Span at, PatternList patterns);
const Pattern *pattern_match_mapping(Arena *arena, Span at, ExprList keys, PatternList patterns, Sym rest);
const Pattern *pattern_match_class(Arena *arena, Span at, const Expr *cls, PatternList patterns, SymList kwd_attrs, PatternList kwd_patterns);
const Pattern *pattern_match_star(Arena *arena, Span at, Sym name);
const Pattern *pattern_match_as(Arena *arena, Span at, const Pattern *pattern, Sym name);
const Pattern *pattern_match_or(Arena *arena, Span at, PatternList patterns);
const Pattern *pattern_with_at(Arena *arena, const Pattern *node, Span at);
const Pattern *pattern_with_ty(Arena *arena, const Pattern *node, const Ty *ty, const Ty *bound);
const char *pattern_kind_name(PatternKind kind);

#define PATTERN_CASES_LOCAL
#define PATTERN_CASES_SURFACE
#define PATTERN_CASES_SUGAR
#define PATTERN_CASES_CHOREO
#define PATTERN_CASES_GRAD
#define PATTERN_CASES_ARRAY
#define PATTERN_CASES_CONTROL
const TypeParam *type_param_type_var(Arena *arena, Span at, Sym name, const Expr *bound, const Expr *default_value);
const TypeParam *type_param_param_spec(Arena *arena, Span at, Sym name, const Expr *default_value);
const TypeParam *type_param_type_var_tuple(Arena *arena, Span at, Sym name, const Expr *default_value);
const TypeParam *type_param_with_at(Arena *arena, const TypeParam *node, Span at);
const char *type_param_kind_name(TypeParamKind kind);

#define TYPE_PARAM_CASES_LOCAL
#define TYPE_PARAM_CASES_SURFACE
#define TYPE_PARAM_CASES_SUGAR
#define TYPE_PARAM_CASES_CHOREO
#define TYPE_PARAM_CASES_GRAD
#define TYPE_PARAM_CASES_ARRAY
#define TYPE_PARAM_CASES_CONTROL
const Ty *ty_poison(Arena *arena);
const Ty *ty_any(Arena *arena);
const Ty *ty_none_type(Arena *arena);
const Ty *ty_named(Arena *arena, Sym name, TyList args);
const Ty *ty_inst(Arena *arena, Sym name, TyList args, SymList actuals);
const Ty *ty_tuple(Arena *arena, TyList items);
const Ty *ty_union(Arena *arena, TyList items);
const Ty *ty_callable(Arena *arena, TyList params, const Ty *result);
const Ty *ty_literal(Arena *arena, const Const *value);
const Ty *ty_type_var(Arena *arena, Sym name);
const Ty *ty_placed(Arena *arena, const Ty *of, SymList at_roles);
const char *ty_kind_name(TyKind kind);

#define TY_CASES_LOCAL
#define TY_CASES_SURFACE
#define TY_CASES_SUGAR
#define TY_CASES_CHOREO
#define TY_CASES_GRAD
#define TY_CASES_ARRAY
#define TY_CASES_CONTROL
// Pre-order traversal: a callback may be NULL, and gives false to leave the children out.
typedef struct IrWalker {
    void *cx;
    bool (*unit)(void *cx, const Unit *node);
    bool (*endpoint)(void *cx, const Endpoint *node);
    bool (*fragment)(void *cx, const Fragment *node);
    bool (*site)(void *cx, const Site *node);
    bool (*stmt)(void *cx, const Stmt *node);
    bool (*expr)(void *cx, const Expr *node);
    bool (*offer_arm)(void *cx, const OfferArm *node);
    bool (*comprehension)(void *cx, const Comprehension *node);
    bool (*excepthandler)(void *cx, const Excepthandler *node);
    bool (*arguments)(void *cx, const Arguments *node);
    bool (*arg)(void *cx, const Arg *node);
    bool (*keyword)(void *cx, const Keyword *node);
    bool (*alias)(void *cx, const Alias *node);
    bool (*withitem)(void *cx, const Withitem *node);
    bool (*match_case)(void *cx, const MatchCase *node);
    bool (*pattern)(void *cx, const Pattern *node);
    bool (*type_param)(void *cx, const TypeParam *node);
    bool (*ty)(void *cx, const Ty *node);
} IrWalker;

// Bottom-up rewriting: a callback gets a node whose children are mapped already and
// gives its replacement (not NULL). What does not change is shared.
typedef struct IrMapper IrMapper;
struct IrMapper {
    Arena *arena;
    void *cx;
    const Unit *(*unit)(IrMapper *m, const Unit *node);
    const Endpoint *(*endpoint)(IrMapper *m, const Endpoint *node);
    const Fragment *(*fragment)(IrMapper *m, const Fragment *node);
    const Site *(*site)(IrMapper *m, const Site *node);
    const Stmt *(*stmt)(IrMapper *m, const Stmt *node);
    const Expr *(*expr)(IrMapper *m, const Expr *node);
    const OfferArm *(*offer_arm)(IrMapper *m, const OfferArm *node);
    const Comprehension *(*comprehension)(IrMapper *m, const Comprehension *node);
    const Excepthandler *(*excepthandler)(IrMapper *m, const Excepthandler *node);
    const Arguments *(*arguments)(IrMapper *m, const Arguments *node);
    const Arg *(*arg)(IrMapper *m, const Arg *node);
    const Keyword *(*keyword)(IrMapper *m, const Keyword *node);
    const Alias *(*alias)(IrMapper *m, const Alias *node);
    const Withitem *(*withitem)(IrMapper *m, const Withitem *node);
    const MatchCase *(*match_case)(IrMapper *m, const MatchCase *node);
    const Pattern *(*pattern)(IrMapper *m, const Pattern *node);
    const TypeParam *(*type_param)(IrMapper *m, const TypeParam *node);
    const Ty *(*ty)(IrMapper *m, const Ty *node);
};

void ir_walk_unit(const IrWalker *w, const Unit *node);
void ir_walk_units(const IrWalker *w, UnitList list);
const Unit *ir_map_unit(IrMapper *m, const Unit *node);
UnitList ir_map_units(IrMapper *m, UnitList list);
bool ir_equal_unit(const Unit *a, const Unit *b);
bool ir_equal_units(UnitList a, UnitList b);
uint64_t ir_hash_unit(const Unit *node);
bool ir_same_unit(const Unit *a, const Unit *b);     // equal, with the very same children
uint64_t ir_same_hash_unit(const Unit *node);
void ir_print_unit(Buf *b, const Unit *node);
const Unit *ir_read_unit(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_unit(const Unit *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_unit(const Unit *node);

void ir_walk_endpoint(const IrWalker *w, const Endpoint *node);
void ir_walk_endpoints(const IrWalker *w, EndpointList list);
const Endpoint *ir_map_endpoint(IrMapper *m, const Endpoint *node);
EndpointList ir_map_endpoints(IrMapper *m, EndpointList list);
bool ir_equal_endpoint(const Endpoint *a, const Endpoint *b);
bool ir_equal_endpoints(EndpointList a, EndpointList b);
uint64_t ir_hash_endpoint(const Endpoint *node);
bool ir_same_endpoint(const Endpoint *a, const Endpoint *b);     // equal, with the very same children
uint64_t ir_same_hash_endpoint(const Endpoint *node);
void ir_print_endpoint(Buf *b, const Endpoint *node);
const Endpoint *ir_read_endpoint(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_endpoint(const Endpoint *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_endpoint(const Endpoint *node);

void ir_walk_fragment(const IrWalker *w, const Fragment *node);
void ir_walk_fragments(const IrWalker *w, FragmentList list);
const Fragment *ir_map_fragment(IrMapper *m, const Fragment *node);
FragmentList ir_map_fragments(IrMapper *m, FragmentList list);
bool ir_equal_fragment(const Fragment *a, const Fragment *b);
bool ir_equal_fragments(FragmentList a, FragmentList b);
uint64_t ir_hash_fragment(const Fragment *node);
bool ir_same_fragment(const Fragment *a, const Fragment *b);     // equal, with the very same children
uint64_t ir_same_hash_fragment(const Fragment *node);
void ir_print_fragment(Buf *b, const Fragment *node);
const Fragment *ir_read_fragment(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_fragment(const Fragment *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_fragment(const Fragment *node);

void ir_walk_site(const IrWalker *w, const Site *node);
void ir_walk_sites(const IrWalker *w, SiteList list);
const Site *ir_map_site(IrMapper *m, const Site *node);
SiteList ir_map_sites(IrMapper *m, SiteList list);
bool ir_equal_site(const Site *a, const Site *b);
bool ir_equal_sites(SiteList a, SiteList b);
uint64_t ir_hash_site(const Site *node);
bool ir_same_site(const Site *a, const Site *b);     // equal, with the very same children
uint64_t ir_same_hash_site(const Site *node);
void ir_print_site(Buf *b, const Site *node);
const Site *ir_read_site(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_site(const Site *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_site(const Site *node);

void ir_walk_stmt(const IrWalker *w, const Stmt *node);
void ir_walk_stmts(const IrWalker *w, StmtList list);
const Stmt *ir_map_stmt(IrMapper *m, const Stmt *node);
StmtList ir_map_stmts(IrMapper *m, StmtList list);
bool ir_equal_stmt(const Stmt *a, const Stmt *b);
bool ir_equal_stmts(StmtList a, StmtList b);
uint64_t ir_hash_stmt(const Stmt *node);
bool ir_same_stmt(const Stmt *a, const Stmt *b);     // equal, with the very same children
uint64_t ir_same_hash_stmt(const Stmt *node);
void ir_print_stmt(Buf *b, const Stmt *node);
const Stmt *ir_read_stmt(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_stmt(const Stmt *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_stmt(const Stmt *node);

void ir_walk_expr(const IrWalker *w, const Expr *node);
void ir_walk_exprs(const IrWalker *w, ExprList list);
const Expr *ir_map_expr(IrMapper *m, const Expr *node);
ExprList ir_map_exprs(IrMapper *m, ExprList list);
bool ir_equal_expr(const Expr *a, const Expr *b);
bool ir_equal_exprs(ExprList a, ExprList b);
uint64_t ir_hash_expr(const Expr *node);
bool ir_same_expr(const Expr *a, const Expr *b);     // equal, with the very same children
uint64_t ir_same_hash_expr(const Expr *node);
void ir_print_expr(Buf *b, const Expr *node);
const Expr *ir_read_expr(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_expr(const Expr *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_expr(const Expr *node);

void ir_walk_offer_arm(const IrWalker *w, const OfferArm *node);
void ir_walk_offer_arms(const IrWalker *w, OfferArmList list);
const OfferArm *ir_map_offer_arm(IrMapper *m, const OfferArm *node);
OfferArmList ir_map_offer_arms(IrMapper *m, OfferArmList list);
bool ir_equal_offer_arm(const OfferArm *a, const OfferArm *b);
bool ir_equal_offer_arms(OfferArmList a, OfferArmList b);
uint64_t ir_hash_offer_arm(const OfferArm *node);
bool ir_same_offer_arm(const OfferArm *a, const OfferArm *b);     // equal, with the very same children
uint64_t ir_same_hash_offer_arm(const OfferArm *node);
void ir_print_offer_arm(Buf *b, const OfferArm *node);
const OfferArm *ir_read_offer_arm(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_offer_arm(const OfferArm *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_offer_arm(const OfferArm *node);

void ir_walk_comprehension(const IrWalker *w, const Comprehension *node);
void ir_walk_comprehensions(const IrWalker *w, ComprehensionList list);
const Comprehension *ir_map_comprehension(IrMapper *m, const Comprehension *node);
ComprehensionList ir_map_comprehensions(IrMapper *m, ComprehensionList list);
bool ir_equal_comprehension(const Comprehension *a, const Comprehension *b);
bool ir_equal_comprehensions(ComprehensionList a, ComprehensionList b);
uint64_t ir_hash_comprehension(const Comprehension *node);
bool ir_same_comprehension(const Comprehension *a, const Comprehension *b);     // equal, with the very same children
uint64_t ir_same_hash_comprehension(const Comprehension *node);
void ir_print_comprehension(Buf *b, const Comprehension *node);
const Comprehension *ir_read_comprehension(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_comprehension(const Comprehension *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_comprehension(const Comprehension *node);

void ir_walk_excepthandler(const IrWalker *w, const Excepthandler *node);
void ir_walk_excepthandlers(const IrWalker *w, ExcepthandlerList list);
const Excepthandler *ir_map_excepthandler(IrMapper *m, const Excepthandler *node);
ExcepthandlerList ir_map_excepthandlers(IrMapper *m, ExcepthandlerList list);
bool ir_equal_excepthandler(const Excepthandler *a, const Excepthandler *b);
bool ir_equal_excepthandlers(ExcepthandlerList a, ExcepthandlerList b);
uint64_t ir_hash_excepthandler(const Excepthandler *node);
bool ir_same_excepthandler(const Excepthandler *a, const Excepthandler *b);     // equal, with the very same children
uint64_t ir_same_hash_excepthandler(const Excepthandler *node);
void ir_print_excepthandler(Buf *b, const Excepthandler *node);
const Excepthandler *ir_read_excepthandler(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_excepthandler(const Excepthandler *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_excepthandler(const Excepthandler *node);

void ir_walk_arguments(const IrWalker *w, const Arguments *node);
void ir_walk_argumentss(const IrWalker *w, ArgumentsList list);
const Arguments *ir_map_arguments(IrMapper *m, const Arguments *node);
ArgumentsList ir_map_argumentss(IrMapper *m, ArgumentsList list);
bool ir_equal_arguments(const Arguments *a, const Arguments *b);
bool ir_equal_argumentss(ArgumentsList a, ArgumentsList b);
uint64_t ir_hash_arguments(const Arguments *node);
bool ir_same_arguments(const Arguments *a, const Arguments *b);     // equal, with the very same children
uint64_t ir_same_hash_arguments(const Arguments *node);
void ir_print_arguments(Buf *b, const Arguments *node);
const Arguments *ir_read_arguments(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_arguments(const Arguments *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_arguments(const Arguments *node);

void ir_walk_arg(const IrWalker *w, const Arg *node);
void ir_walk_args(const IrWalker *w, ArgList list);
const Arg *ir_map_arg(IrMapper *m, const Arg *node);
ArgList ir_map_args(IrMapper *m, ArgList list);
bool ir_equal_arg(const Arg *a, const Arg *b);
bool ir_equal_args(ArgList a, ArgList b);
uint64_t ir_hash_arg(const Arg *node);
bool ir_same_arg(const Arg *a, const Arg *b);     // equal, with the very same children
uint64_t ir_same_hash_arg(const Arg *node);
void ir_print_arg(Buf *b, const Arg *node);
const Arg *ir_read_arg(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_arg(const Arg *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_arg(const Arg *node);

void ir_walk_keyword(const IrWalker *w, const Keyword *node);
void ir_walk_keywords(const IrWalker *w, KeywordList list);
const Keyword *ir_map_keyword(IrMapper *m, const Keyword *node);
KeywordList ir_map_keywords(IrMapper *m, KeywordList list);
bool ir_equal_keyword(const Keyword *a, const Keyword *b);
bool ir_equal_keywords(KeywordList a, KeywordList b);
uint64_t ir_hash_keyword(const Keyword *node);
bool ir_same_keyword(const Keyword *a, const Keyword *b);     // equal, with the very same children
uint64_t ir_same_hash_keyword(const Keyword *node);
void ir_print_keyword(Buf *b, const Keyword *node);
const Keyword *ir_read_keyword(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_keyword(const Keyword *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_keyword(const Keyword *node);

void ir_walk_alias(const IrWalker *w, const Alias *node);
void ir_walk_aliass(const IrWalker *w, AliasList list);
const Alias *ir_map_alias(IrMapper *m, const Alias *node);
AliasList ir_map_aliass(IrMapper *m, AliasList list);
bool ir_equal_alias(const Alias *a, const Alias *b);
bool ir_equal_aliass(AliasList a, AliasList b);
uint64_t ir_hash_alias(const Alias *node);
bool ir_same_alias(const Alias *a, const Alias *b);     // equal, with the very same children
uint64_t ir_same_hash_alias(const Alias *node);
void ir_print_alias(Buf *b, const Alias *node);
const Alias *ir_read_alias(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_alias(const Alias *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_alias(const Alias *node);

void ir_walk_withitem(const IrWalker *w, const Withitem *node);
void ir_walk_withitems(const IrWalker *w, WithitemList list);
const Withitem *ir_map_withitem(IrMapper *m, const Withitem *node);
WithitemList ir_map_withitems(IrMapper *m, WithitemList list);
bool ir_equal_withitem(const Withitem *a, const Withitem *b);
bool ir_equal_withitems(WithitemList a, WithitemList b);
uint64_t ir_hash_withitem(const Withitem *node);
bool ir_same_withitem(const Withitem *a, const Withitem *b);     // equal, with the very same children
uint64_t ir_same_hash_withitem(const Withitem *node);
void ir_print_withitem(Buf *b, const Withitem *node);
const Withitem *ir_read_withitem(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_withitem(const Withitem *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_withitem(const Withitem *node);

void ir_walk_match_case(const IrWalker *w, const MatchCase *node);
void ir_walk_match_cases(const IrWalker *w, MatchCaseList list);
const MatchCase *ir_map_match_case(IrMapper *m, const MatchCase *node);
MatchCaseList ir_map_match_cases(IrMapper *m, MatchCaseList list);
bool ir_equal_match_case(const MatchCase *a, const MatchCase *b);
bool ir_equal_match_cases(MatchCaseList a, MatchCaseList b);
uint64_t ir_hash_match_case(const MatchCase *node);
bool ir_same_match_case(const MatchCase *a, const MatchCase *b);     // equal, with the very same children
uint64_t ir_same_hash_match_case(const MatchCase *node);
void ir_print_match_case(Buf *b, const MatchCase *node);
const MatchCase *ir_read_match_case(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_match_case(const MatchCase *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_match_case(const MatchCase *node);

void ir_walk_pattern(const IrWalker *w, const Pattern *node);
void ir_walk_patterns(const IrWalker *w, PatternList list);
const Pattern *ir_map_pattern(IrMapper *m, const Pattern *node);
PatternList ir_map_patterns(IrMapper *m, PatternList list);
bool ir_equal_pattern(const Pattern *a, const Pattern *b);
bool ir_equal_patterns(PatternList a, PatternList b);
uint64_t ir_hash_pattern(const Pattern *node);
bool ir_same_pattern(const Pattern *a, const Pattern *b);     // equal, with the very same children
uint64_t ir_same_hash_pattern(const Pattern *node);
void ir_print_pattern(Buf *b, const Pattern *node);
const Pattern *ir_read_pattern(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_pattern(const Pattern *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_pattern(const Pattern *node);

void ir_walk_type_param(const IrWalker *w, const TypeParam *node);
void ir_walk_type_params(const IrWalker *w, TypeParamList list);
const TypeParam *ir_map_type_param(IrMapper *m, const TypeParam *node);
TypeParamList ir_map_type_params(IrMapper *m, TypeParamList list);
bool ir_equal_type_param(const TypeParam *a, const TypeParam *b);
bool ir_equal_type_params(TypeParamList a, TypeParamList b);
uint64_t ir_hash_type_param(const TypeParam *node);
bool ir_same_type_param(const TypeParam *a, const TypeParam *b);     // equal, with the very same children
uint64_t ir_same_hash_type_param(const TypeParam *node);
void ir_print_type_param(Buf *b, const TypeParam *node);
const TypeParam *ir_read_type_param(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_type_param(const TypeParam *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_type_param(const TypeParam *node);

void ir_walk_ty(const IrWalker *w, const Ty *node);
void ir_walk_tys(const IrWalker *w, TyList list);
const Ty *ir_map_ty(IrMapper *m, const Ty *node);
TyList ir_map_tys(IrMapper *m, TyList list);
bool ir_equal_ty(const Ty *a, const Ty *b);
bool ir_equal_tys(TyList a, TyList b);
uint64_t ir_hash_ty(const Ty *node);
bool ir_same_ty(const Ty *a, const Ty *b);     // equal, with the very same children
uint64_t ir_same_hash_ty(const Ty *node);
void ir_print_ty(Buf *b, const Ty *node);
const Ty *ir_read_ty(Arena *arena, Names *names, Text text, const char **error);
bool ir_verify_ty(const Ty *node, IrTags allowed, const char **form, Span *at);
IrTags ir_tags_of_ty(const Ty *node);

#endif
