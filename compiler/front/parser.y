/* parser.y - the grammar of Python 3.13 (The Python Language Reference, chapter 10): builds the
   tree and judges only what CPython's own parser judges.

   Python's reference grammar is a PEG. Here it is LALR(1) without conflicts:
   - Targets are parsed as expressions and checked and turned into targets by build.c. Where `in`
     follows (`for`, comprehensions) a target is an `arith`, which holds no comparison.
   - Soft keywords are resolved by the layout filter, parenthesised with-items by next_token.
   - Arithmetic uses precedences. They decide only between `arith` alternatives; every operand of
     `+ - * ...` is itself an `arith`, so that is the same language as the reference's ladder.
   - Locations: a group in parentheses has the location with, its node the one without them, as in
     CPython. NEWLINE, INDENT and DEDENT are placed where the token before them ends, so that the
     location of a compound statement ends with its last real token.
   - Recovery: at the end of the logical line, taking along an indented block that follows. */

%define api.pure full
%define api.prefix {grammar_}
%define api.token.prefix {TOK_}
%define parse.error custom
%locations
%define api.location.type {Span}
%expect 0
%parse-param {struct Build *b}
%lex-param {struct Build *b}
%initial-action { @$ = (Span){0, 0}; }

%code requires {
#include "compiler/base/source.h"

struct Build;
}

%union {
    const struct Token *token;
    const struct Expr *expr;
    const struct Stmt *stmt;
    const struct Arguments *arguments;
    const struct Arg *arg;
    const struct Alias *alias;
    const struct Withitem *withitem;
    const struct Pattern *pattern;
    const struct MatchCase *match_case;
    const struct TypeParam *type_param;
    struct ExprVec *exprs;
    struct StmtVec *stmts;
    struct SymVec *syms;
    struct AliasVec *aliases;
    struct WithitemVec *withitems;
    struct ComprehensionVec *comprehensions;
    struct CaseVec *cases;
    struct PatternVec *patterns;
    struct TypeParamVec *type_params;
    struct ElifVec *elifs;
    struct Comparison *comparison;
    struct DictItems *dict_items;
    struct CallArgs *call_args;
    struct Params *params;
    struct Handlers *handlers;
    const struct Excepthandler *handler;
    struct PatternItems *pattern_items;
    struct Conversion *conversion;
    int number;
}

%code {
#include "compiler/front/build.h"
#include "compiler/front/syntax_error.h"

#define YYMAXDEPTH 400000000
#define YYLLOC_DEFAULT(current, rhs, n)                                             \
    ((current) = (n) ? span_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n))                \
                     : (Span){YYRHSLOC(rhs, 0).end, YYRHSLOC(rhs, 0).end})

static int grammar_lex(GRAMMAR_STYPE *value, GRAMMAR_LTYPE *at, Build *b);
static void grammar_error(const GRAMMAR_LTYPE *at, Build *b, const char *text);

#define A (b->arena)
#define LOAD EXPR_CONTEXT_LOAD
#define STORE EXPR_CONTEXT_STORE
#define BIN(at, left, op, right) expr_bin_op(A, (at), (left), OPERATOR_##op, (right))
#define UNARY(at, op, operand) expr_unary_op(A, (at), UNARYOP_##op, (operand))
}

%token END 0 "end of file" NEWLINE "end of line" INDENT "indented block" DEDENT "end of block"
%token ERROR
%token <token> NAME "name" NUMBER "number" STRING "string"
%token FSTRING_START FSTRING_END
%token <token> FSTRING_MIDDLE FSTRING_LBRACE FSTRING_BANG FSTRING_EQUAL
%token FSTRING_RBRACE "}f" FSTRING_COLON ":f"
%token <token> MATCH "match" CASE "case" TYPE "type"
%token FALSE "False" NONE "None" TRUE "True" AND "and" AS "as" ASSERT "assert" ASYNC "async"
%token AWAIT "await" BREAK "break" CLASS "class" CONTINUE "continue" DEF "def" DEL "del"
%token ELIF "elif" ELSE "else" EXCEPT "except" FINALLY "finally" FOR "for" FROM "from"
%token GLOBAL "global" IF "if" IMPORT "import" IN "in" IS "is" LAMBDA "lambda"
%token NONLOCAL "nonlocal" NOT "not" OR "or" PASS "pass" RAISE "raise" RETURN "return" TRY "try"
%token WHILE "while" WITH "with" YIELD "yield"
%token LPAR "(" RPAR ")" LSQB "[" RSQB "]" LBRACE "{" RBRACE "}"
%token COLON ":" COMMA "," SEMI ";" DOT "." ELLIPSIS "..." ARROW "->" AT "@" EQUAL "="
%token COLONEQUAL ":="
%token PLUS "+" MINUS "-" STAR "*" SLASH "/" DOUBLESLASH "//" PERCENT "%" DOUBLESTAR "**"
%token VBAR "|" AMPER "&" CIRCUMFLEX "^" TILDE "~" LEFTSHIFT "<<" RIGHTSHIFT ">>"
%token LESS "<" GREATER ">" LESSEQUAL "<=" GREATEREQUAL ">=" EQEQUAL "==" NOTEQUAL "!="
%token PLUSEQUAL "+=" MINEQUAL "-=" STAREQUAL "*=" SLASHEQUAL "/=" DOUBLESLASHEQUAL "//="
%token PERCENTEQUAL "%=" DOUBLESTAREQUAL "**=" ATEQUAL "@=" AMPEREQUAL "&=" VBAREQUAL "|="
%token CIRCUMFLEXEQUAL "^=" LEFTSHIFTEQUAL "<<=" RIGHTSHIFTEQUAL ">>="
%token WITH_LPAR "(with"       /* opens parenthesised with-items */

%left "|"
%left "^"
%left "&"
%left "<<" ">>"
%left "+" "-"
%left "*" "/" "//" "%" "@"
%precedence SIGN
%precedence "**"

%type <stmts> statements block several several_stmts opt_else finally
%type <stmt> simple_stmt compound_stmt definition function class if_stmt while_stmt for_stmt
%type <stmt> with_stmt try_stmt match_stmt assignment import_stmt async_able
%type <expr> star_expressions star_expression expression named_expression star_named_expression
%type <expr> yield_expr rhs opt_return disjunction conjunction inversion comparison arith
%type <expr> await_primary primary atom strings piece slices slice slice_item slice_star
%type <expr> opt_expression slice_step star_target target_list opt_annotation star_annotation
%type <expr> opt_default opt_returns subject opt_guard opt_star_default opt_format_spec opt_value
%type <expr> pattern_class pattern_attr pattern_key signed_number pattern_number
%type <exprs> star_expression_list star_named_list star_named_tuple star_named_tuple_list
%type <exprs> or_list and_list assign_targets del_targets pieces fstring_parts slice_list
%type <exprs> comp_ifs decorators star_target_list
%type <comparison> comparison_chain
%type <dict_items> dict_items
%type <call_args> args args_prefix opt_class_args
%type <comprehensions> comp_for
%type <params> params param_list param_prefix
%type <params> lambda_params lambda_param_list lambda_param_prefix
%type <arg> param lambda_param
%type <syms> dotted_name name_list
%type <aliases> import_names import_as_names import_targets
%type <alias> import_name import_as_name
%type <withitems> with_items
%type <withitem> with_item
%type <elifs> elifs
%type <handlers> handlers
%type <handler> handler star_handler
%type <cases> cases
%type <match_case> case
%type <pattern> case_pattern pattern or_pattern closed_pattern maybe_star_pattern
%type <patterns> or_patterns pattern_list pattern_tuple
%type <pattern_items> mapping_items mapping_prefix class_items class_prefix
%type <type_params> opt_type_params type_param_list
%type <type_param> type_param
%type <conversion> opt_conversion
%type <token> opt_as opt_equal
%type <number> augassign dots opt_comma comparison_op

%%

file
    : statements                        { b->unit = unit_module(A, stmts_list($1)); }
    ;

/* ---- statements ---- */

statements
    : %empty                            { $$ = NULL; }
    | statements simple_stmt NEWLINE    { $$ = stmts_add(b, $1, $2); }
    | statements several NEWLINE        { $$ = build_append(b, $1, $2); }
    | statements compound_stmt          { $$ = stmts_add(b, $1, $2); }
    | statements error NEWLINE          { $$ = $1; yyerrok; }
    | statements error NEWLINE INDENT statements DEDENT { $$ = $1; yyerrok; }
    | statements error INDENT statements DEDENT         { $$ = build_append(b, $1, $4); yyerrok; }
    ;

several
    : simple_stmt ";"                   { $$ = stmts_add(b, NULL, $1); }
    | several_stmts
    | several_stmts ";"
    ;

several_stmts
    : simple_stmt ";" simple_stmt       { $$ = stmts_add(b, stmts_add(b, NULL, $1), $3); }
    | several_stmts ";" simple_stmt     { $$ = stmts_add(b, $1, $3); }
    ;

block
    : NEWLINE INDENT statements DEDENT  { $$ = $3; }
    | simple_stmt NEWLINE               { $$ = stmts_add(b, NULL, $1); }
    | several NEWLINE
    | NEWLINE error                     { $$ = NULL; yyerrok; }
    ;

simple_stmt
    : assignment
    | star_expressions                  { $$ = stmt_expr(A, @$, $1); }
    | yield_expr                        { $$ = stmt_expr(A, @$, $1); }
    | TYPE NAME opt_type_params "=" expression
        { $$ = stmt_type_alias(A, @$, build_name(b, $2, STORE), type_params_list($3), $5); }
    | RETURN opt_return                 { $$ = stmt_return(A, @$, $2); }
    | import_stmt
    | RAISE                             { $$ = stmt_raise(A, @$, NULL, NULL); }
    | RAISE expression                  { $$ = stmt_raise(A, @$, $2, NULL); }
    | RAISE expression FROM expression  { $$ = stmt_raise(A, @$, $2, $4); }
    | PASS                              { $$ = stmt_pass(A, @$); }
    | DEL del_targets opt_comma         { $$ = stmt_delete(A, @$, exprs_list($2)); }
    | ASSERT expression                 { $$ = stmt_assert(A, @$, $2, NULL); }
    | ASSERT expression "," expression  { $$ = stmt_assert(A, @$, $2, $4); }
    | BREAK                             { $$ = stmt_break(A, @$); }
    | CONTINUE                          { $$ = stmt_continue(A, @$); }
    | GLOBAL name_list                  { $$ = stmt_global(A, @$, syms_list($2)); }
    | NONLOCAL name_list                { $$ = stmt_nonlocal(A, @$, syms_list($2)); }
    ;

compound_stmt
    : definition
    | decorators definition             { $$ = build_decorated($2, $1); }
    | decorators error                  { $$ = stmt_pass(A, @1); }
    | if_stmt
    | while_stmt
    | for_stmt
    | with_stmt
    | ASYNC async_able                  { $$ = build_async(b, @$, $2); }
    | try_stmt
    | match_stmt
    ;

definition
    : class
    | function
    | ASYNC function                    { $$ = build_async(b, @$, $2); }
    ;

async_able
    : for_stmt
    | with_stmt
    ;

opt_return
    : %empty                            { $$ = NULL; }
    | star_expressions
    ;

name_list
    : NAME                              { $$ = syms_add(b, NULL, $1->sym); }
    | name_list "," NAME                { $$ = syms_add(b, $1, $3->sym); }
    ;

del_targets
    : star_expression                   { $$ = exprs_add(b, NULL, build_delete_target(b, $1)); }
    | del_targets "," star_expression   { $$ = exprs_add(b, $1, build_delete_target(b, $3)); }
    ;

opt_comma
    : %empty                            { $$ = 0; }
    | ","                               { $$ = 1; }
    ;

/* ---- assignment ---- */

assignment
    : assign_targets rhs                { $$ = stmt_assign(A, @$, exprs_list($1), $2); }
    | star_expressions augassign rhs
        { $$ = stmt_aug_assign(A, @$, build_single_target(b, $1), (Operator)$2, $3); }
    | star_expressions ":" expression opt_value
        { $$ = build_ann_assign(b, @$, @1, $1, $3, $4); }
    ;

assign_targets
    : rhs "="                           { $$ = exprs_add(b, NULL, build_target(b, $1)); }
    | assign_targets rhs "="            { $$ = exprs_add(b, $1, build_target(b, $2)); }
    ;

rhs
    : star_expressions
    | yield_expr
    ;

opt_value
    : %empty                            { $$ = NULL; }
    | "=" rhs                           { $$ = $2; }
    ;

augassign
    : "+="                              { $$ = OPERATOR_ADD; }
    | "-="                              { $$ = OPERATOR_SUB; }
    | "*="                              { $$ = OPERATOR_MULT; }
    | "@="                              { $$ = OPERATOR_MAT_MULT; }
    | "/="                              { $$ = OPERATOR_DIV; }
    | "%="                              { $$ = OPERATOR_MOD; }
    | "&="                              { $$ = OPERATOR_BIT_AND; }
    | "|="                              { $$ = OPERATOR_BIT_OR; }
    | "^="                              { $$ = OPERATOR_BIT_XOR; }
    | "<<="                             { $$ = OPERATOR_L_SHIFT; }
    | ">>="                             { $$ = OPERATOR_R_SHIFT; }
    | "**="                             { $$ = OPERATOR_POW; }
    | "//="                             { $$ = OPERATOR_FLOOR_DIV; }
    ;

/* ---- imports ---- */

import_stmt
    : IMPORT import_names               { $$ = stmt_import(A, @$, aliases_list($2)); }
    | FROM dotted_name IMPORT import_targets
        { $$ = stmt_import_from(A, @$, build_dotted_name(b, $2), aliases_list($4), 0); }
    | FROM dots dotted_name IMPORT import_targets
        { $$ = stmt_import_from(A, @$, build_dotted_name(b, $3), aliases_list($5), $2); }
    | FROM dots IMPORT import_targets
        { $$ = stmt_import_from(A, @$, NULL, aliases_list($4), $2); }
    ;

dots
    : "."                               { $$ = 1; }
    | "..."                             { $$ = 3; }
    | dots "."                          { $$ = $1 + 1; }
    | dots "..."                        { $$ = $1 + 3; }
    ;

dotted_name
    : NAME                              { $$ = syms_add(b, NULL, $1->sym); }
    | dotted_name "." NAME              { $$ = syms_add(b, $1, $3->sym); }
    ;

opt_as
    : %empty                            { $$ = NULL; }
    | AS NAME                           { $$ = $2; }
    ;

import_names
    : import_name                       { $$ = aliases_add(b, NULL, $1); }
    | import_names "," import_name      { $$ = aliases_add(b, $1, $3); }
    ;

import_name
    : dotted_name opt_as
        { $$ = alias_new(A, @$, build_dotted_name(b, $1), $2 ? $2->sym : NULL); }
    ;

import_targets
    : import_as_names
    | "(" import_as_names opt_comma ")" { $$ = $2; }
    | "*"   { $$ = aliases_add(b, NULL, alias_new(A, @$, names_get(b->names, "*"), NULL)); }
    ;

import_as_names
    : import_as_name                        { $$ = aliases_add(b, NULL, $1); }
    | import_as_names "," import_as_name    { $$ = aliases_add(b, $1, $3); }
    ;

import_as_name
    : NAME opt_as                       { $$ = alias_new(A, @$, $1->sym, $2 ? $2->sym : NULL); }
    ;

/* ---- compound statements ---- */

if_stmt
    : IF named_expression ":" block elifs opt_else
        { $$ = build_if(b, @$, $2, $4, $5, $6); }
    ;

elifs
    : %empty                            { $$ = NULL; }
    | elifs ELIF named_expression ":" block
        { $$ = build_elif(b, $1, @2, $3, $5); }
    ;

opt_else
    : %empty                            { $$ = NULL; }
    | ELSE ":" block                    { $$ = $3; }
    ;

while_stmt
    : WHILE named_expression ":" block opt_else
        { $$ = stmt_while(A, @$, $2, stmts_list($4), stmts_list($5)); }
    ;

for_stmt
    : FOR target_list IN star_expressions ":" block opt_else
        { $$ = stmt_for(A, @$, $2, $4, stmts_list($6), stmts_list($7)); }
    ;

with_stmt
    : WITH with_items ":" block
        { $$ = stmt_with(A, @$, withitems_list($2), stmts_list($4)); }
    | WITH WITH_LPAR with_items opt_comma ")" ":" block
        { $$ = stmt_with(A, @$, withitems_list($3), stmts_list($7)); }
    ;

with_items
    : with_item                         { $$ = withitems_add(b, NULL, $1); }
    | with_items "," with_item          { $$ = withitems_add(b, $1, $3); }
    ;

with_item
    : expression                        { $$ = withitem_new(A, $1, NULL); }
    | expression AS star_target         { $$ = withitem_new(A, $1, build_target(b, $3)); }
    ;

try_stmt
    : TRY ":" block handlers opt_else   { $$ = build_try(b, @$, $3, $4, $5, NULL); }
    | TRY ":" block handlers opt_else finally   { $$ = build_try(b, @$, $3, $4, $5, $6); }
    | TRY ":" block finally             { $$ = build_try(b, @$, $3, NULL, NULL, $4); }
    | TRY ":" block error               { $$ = build_try(b, @1, $3, NULL, NULL, NULL); }
    ;

finally
    : FINALLY ":" block                 { $$ = $3; }
    ;

handlers
    : handler                           { $$ = build_handler(b, NULL, false, @1, $1); }
    | star_handler                      { $$ = build_handler(b, NULL, true, @1, $1); }
    | handlers handler                  { $$ = build_handler(b, $1, false, @2, $2); }
    | handlers star_handler             { $$ = build_handler(b, $1, true, @2, $2); }
    ;

handler
    : EXCEPT ":" block
        { $$ = excepthandler_except_handler(A, @$, NULL, NULL, stmts_list($3)); }
    | EXCEPT expression opt_as ":" block
        { $$ = excepthandler_except_handler(A, @$, $2, $3 ? $3->sym : NULL, stmts_list($5)); }
    ;

star_handler
    : EXCEPT "*" expression opt_as ":" block
        { $$ = excepthandler_except_handler(A, @$, $3, $4 ? $4->sym : NULL, stmts_list($6)); }
    ;

decorators
    : "@" named_expression NEWLINE      { $$ = exprs_add(b, NULL, $2); }
    | decorators "@" named_expression NEWLINE   { $$ = exprs_add(b, $1, $3); }
    ;

class
    : CLASS NAME opt_type_params opt_class_args ":" block
        { $$ = build_class(b, @$, $2, $3, $4, $6); }
    ;

opt_class_args
    : %empty                            { $$ = NULL; }
    | "(" ")"                           { $$ = NULL; }
    | "(" args opt_comma ")"            { $$ = $2; }
    ;

function
    : DEF NAME opt_type_params "(" params ")" opt_returns ":" block
        {
            $$ = stmt_function_def(A, @$, $2->sym, build_arguments(b, $5), stmts_list($9),
                                   (ExprList){0}, $7, type_params_list($3));
        }
    ;

opt_returns
    : %empty                            { $$ = NULL; }
    | "->" expression                   { $$ = $2; }
    ;

/* ---- parameters ---- */

params
    : %empty                            { $$ = NULL; }
    | param_list opt_comma
    ;

/* What stands before a parameter: nothing, or others and a comma. */
param_prefix
    : %empty                            { $$ = NULL; }
    | param_list ","
    ;

param_list
    : param_prefix param opt_default    { $$ = build_param(b, $1, $2, $3); }
    | param_prefix "/"                  { $$ = build_param_slash(b, $1, @2); }
    | param_prefix "*"                  { $$ = build_param_bare_star(b, $1, @2); }
    | param_prefix "*" NAME star_annotation
        { $$ = build_param_star(b, $1, @2, arg_new(A, span_join(@3, @4), $3->sym, $4)); }
    | param_prefix "**" param           { $$ = build_param_double_star(b, $1, @2, $3); }
    ;

param
    : NAME opt_annotation               { $$ = arg_new(A, @$, $1->sym, $2); }
    ;

opt_annotation
    : %empty                            { $$ = NULL; }
    | ":" expression                    { $$ = $2; }
    ;

star_annotation
    : %empty                            { $$ = NULL; }
    | ":" star_expression               { $$ = $2; }
    ;

opt_default
    : %empty                            { $$ = NULL; }
    | "=" expression                    { $$ = $2; }
    ;

lambda_params
    : %empty                            { $$ = NULL; }
    | lambda_param_list opt_comma
    ;

lambda_param_prefix
    : %empty                            { $$ = NULL; }
    | lambda_param_list ","
    ;

lambda_param_list
    : lambda_param_prefix lambda_param opt_default  { $$ = build_param(b, $1, $2, $3); }
    | lambda_param_prefix "/"                       { $$ = build_param_slash(b, $1, @2); }
    | lambda_param_prefix "*"                       { $$ = build_param_bare_star(b, $1, @2); }
    | lambda_param_prefix "*" lambda_param          { $$ = build_param_star(b, $1, @2, $3); }
    | lambda_param_prefix "**" lambda_param
        { $$ = build_param_double_star(b, $1, @2, $3); }
    ;

lambda_param
    : NAME                              { $$ = arg_new(A, @$, $1->sym, NULL); }
    ;

opt_type_params
    : %empty                            { $$ = NULL; }
    | "[" type_param_list opt_comma "]" { $$ = $2; }
    ;

type_param_list
    : type_param                        { $$ = type_params_add(b, NULL, $1); }
    | type_param_list "," type_param    { $$ = type_params_add(b, $1, $3); }
    ;

type_param
    : NAME opt_annotation opt_default   { $$ = type_param_type_var(A, @$, $1->sym, $2, $3); }
    | "*" NAME opt_star_default         { $$ = type_param_type_var_tuple(A, @$, $2->sym, $3); }
    | "**" NAME opt_default             { $$ = type_param_param_spec(A, @$, $2->sym, $3); }
    ;

opt_star_default
    : %empty                            { $$ = NULL; }
    | "=" star_expression               { $$ = $2; }
    ;

/* ---- match ---- */

match_stmt
    : MATCH subject ":" NEWLINE INDENT cases DEDENT
        { $$ = stmt_match(A, @$, $2, cases_list($6)); }
    ;

subject
    : named_expression
    | star_named_tuple                  { $$ = build_tuple(b, @$, $1); }
    ;

cases
    : %empty                            { $$ = NULL; }
    | cases case                        { $$ = cases_add(b, $1, $2); }
    | cases error NEWLINE               { $$ = $1; yyerrok; }
    | cases error NEWLINE INDENT statements DEDENT  { $$ = $1; yyerrok; }
    ;

case
    : CASE case_pattern opt_guard ":" block
        { $$ = match_case_new(A, $2, $3, stmts_list($5)); }
    ;

opt_guard
    : %empty                            { $$ = NULL; }
    | IF named_expression               { $$ = $2; }
    ;

case_pattern
    : pattern
    | pattern_tuple             { $$ = pattern_match_sequence(A, @$, patterns_list($1)); }
    ;

/* Patterns with at least one comma. */
pattern_tuple
    : maybe_star_pattern ","            { $$ = patterns_add(b, NULL, $1); }
    | pattern_list opt_comma
    ;

pattern_list
    : maybe_star_pattern "," maybe_star_pattern
        { $$ = patterns_add(b, patterns_add(b, NULL, $1), $3); }
    | pattern_list "," maybe_star_pattern   { $$ = patterns_add(b, $1, $3); }
    ;

maybe_star_pattern
    : pattern
    | "*" NAME                  { $$ = pattern_match_star(A, @$, build_capture($2)); }
    ;

pattern
    : or_pattern
    | or_pattern AS NAME
        {
            build_refuse_wildcard(b, $3, "the name after `as`");
            $$ = pattern_match_as(A, @$, $1, $3->sym);
        }
    ;

or_pattern
    : closed_pattern
    | or_patterns               { $$ = pattern_match_or(A, @$, patterns_list($1)); }
    ;

or_patterns
    : closed_pattern "|" closed_pattern
        { $$ = patterns_add(b, patterns_add(b, NULL, $1), $3); }
    | or_patterns "|" closed_pattern    { $$ = patterns_add(b, $1, $3); }
    ;

closed_pattern
    : pattern_number            { $$ = pattern_match_value(A, @$, $1); }
    | strings                   { $$ = pattern_match_value(A, @$, $1); }
    | NONE                      { $$ = pattern_match_singleton(A, @$, const_none(A)); }
    | TRUE                      { $$ = pattern_match_singleton(A, @$, const_bool(A, true)); }
    | FALSE                     { $$ = pattern_match_singleton(A, @$, const_bool(A, false)); }
    | NAME                      { $$ = pattern_match_as(A, @$, NULL, build_capture($1)); }
    | pattern_attr              { $$ = pattern_match_value(A, @$, $1); }
    | "(" pattern ")"           { $$ = $2; }
    | "(" ")"                   { $$ = pattern_match_sequence(A, @$, (PatternList){0}); }
    | "(" pattern_tuple ")"     { $$ = pattern_match_sequence(A, @$, patterns_list($2)); }
    | "[" "]"                   { $$ = pattern_match_sequence(A, @$, (PatternList){0}); }
    | "[" maybe_star_pattern "]"
        {
            $$ = pattern_match_sequence(A, @$, patterns_list(patterns_add(b, NULL, $2)));
        }
    | "[" pattern_tuple "]"     { $$ = pattern_match_sequence(A, @$, patterns_list($2)); }
    | "{" "}"                   { $$ = build_mapping_pattern(b, @$, NULL); }
    | "{" mapping_items opt_comma "}"   { $$ = build_mapping_pattern(b, @$, $2); }
    | pattern_class "(" ")"     { $$ = build_class_pattern(b, @$, $1, NULL); }
    | pattern_class "(" class_items opt_comma ")"   { $$ = build_class_pattern(b, @$, $1, $3); }
    ;

pattern_number
    : signed_number
    | signed_number "+" NUMBER  { $$ = build_complex(b, @$, $1, OPERATOR_ADD, $3); }
    | signed_number "-" NUMBER  { $$ = build_complex(b, @$, $1, OPERATOR_SUB, $3); }
    ;

signed_number
    : NUMBER                    { $$ = build_constant(b, @$, $1->constant); }
    | "-" NUMBER                { $$ = UNARY(@$, U_SUB, build_constant(b, @2, $2->constant)); }
    ;

pattern_class
    : NAME                      { $$ = build_name(b, $1, LOAD); }
    | pattern_attr
    ;

pattern_attr
    : NAME "." NAME     { $$ = expr_attribute(A, @$, build_name(b, $1, LOAD), $3->sym, LOAD); }
    | pattern_attr "." NAME     { $$ = expr_attribute(A, @$, $1, $3->sym, LOAD); }
    ;

mapping_prefix
    : %empty                    { $$ = NULL; }
    | mapping_items ","
    ;

mapping_items
    : mapping_prefix pattern_key ":" pattern    { $$ = build_pattern_key(b, $1, $2, $4); }
    | mapping_prefix "**" NAME                  { $$ = build_pattern_rest(b, $1, $3); }
    ;

pattern_key
    : pattern_number
    | strings
    | pattern_attr
    | NONE                      { $$ = build_constant(b, @$, const_none(A)); }
    | TRUE                      { $$ = build_constant(b, @$, const_bool(A, true)); }
    | FALSE                     { $$ = build_constant(b, @$, const_bool(A, false)); }
    ;

class_prefix
    : %empty                    { $$ = NULL; }
    | class_items ","
    ;

class_items
    : class_prefix pattern              { $$ = build_pattern_positional(b, $1, $2); }
    | class_prefix NAME "=" pattern     { $$ = build_pattern_keyword(b, $1, $2, $4); }
    ;

/* ---- expressions ---- */

star_expressions
    : star_expression
    | star_expression ","       { $$ = build_tuple(b, @$, exprs_add(b, NULL, $1)); }
    | star_expression_list opt_comma    { $$ = build_tuple(b, @$, $1); }
    ;

star_expression_list
    : star_expression "," star_expression
        { $$ = exprs_add(b, exprs_add(b, NULL, $1), $3); }
    | star_expression_list "," star_expression  { $$ = exprs_add(b, $1, $3); }
    ;

star_expression
    : expression
    | "*" arith                 { $$ = expr_starred(A, @$, $2, LOAD); }
    ;

yield_expr
    : YIELD opt_return          { $$ = expr_yield(A, @$, $2); }
    | YIELD FROM expression     { $$ = expr_yield_from(A, @$, $3); }
    ;

star_named_expression
    : named_expression
    | "*" arith                 { $$ = expr_starred(A, @$, $2, LOAD); }
    ;

star_named_list
    : star_named_expression     { $$ = exprs_add(b, NULL, $1); }
    | star_named_list "," star_named_expression     { $$ = exprs_add(b, $1, $3); }
    ;

/* Elements with at least one comma. */
star_named_tuple
    : star_named_expression "," { $$ = exprs_add(b, NULL, $1); }
    | star_named_tuple_list opt_comma
    ;

star_named_tuple_list
    : star_named_expression "," star_named_expression
        { $$ = exprs_add(b, exprs_add(b, NULL, $1), $3); }
    | star_named_tuple_list "," star_named_expression   { $$ = exprs_add(b, $1, $3); }
    ;

named_expression
    : expression
    | expression ":=" expression    { $$ = build_named(b, @$, @1, $1, $3); }
    ;

expression
    : disjunction
    | disjunction IF disjunction ELSE expression    { $$ = expr_if_exp(A, @$, $3, $1, $5); }
    | LAMBDA enter lambda_params ":" expression
        { b->nesting--; $$ = expr_lambda(A, @$, build_arguments(b, $3), $5); }
    ;

/* Counts what FRONT_MAX_NESTING limits. */
enter
    : %empty                    { if (!build_enter(b, @$)) YYERROR; }
    ;

disjunction
    : conjunction
    | or_list                   { $$ = build_bool(b, @$, BOOLOP_OR, $1); }
    ;

or_list
    : conjunction OR conjunction    { $$ = exprs_add(b, exprs_add(b, NULL, $1), $3); }
    | or_list OR conjunction        { $$ = exprs_add(b, $1, $3); }
    ;

conjunction
    : inversion
    | and_list                  { $$ = build_bool(b, @$, BOOLOP_AND, $1); }
    ;

and_list
    : inversion AND inversion   { $$ = exprs_add(b, exprs_add(b, NULL, $1), $3); }
    | and_list AND inversion    { $$ = exprs_add(b, $1, $3); }
    ;

inversion
    : comparison
    | NOT inversion             { $$ = UNARY(@$, NOT, $2); }
    ;

comparison
    : arith
    | comparison_chain          { $$ = build_compare(b, @$, $1); }
    ;

comparison_chain
    : arith comparison_op arith { $$ = build_comparison(b, NULL, $1, (Cmpop)$2, $3); }
    | comparison_chain comparison_op arith
        { $$ = build_comparison(b, $1, NULL, (Cmpop)$2, $3); }
    ;

comparison_op
    : "=="                      { $$ = CMPOP_EQ; }
    | "!="                      { $$ = CMPOP_NOT_EQ; }
    | "<="                      { $$ = CMPOP_LT_E; }
    | "<"                       { $$ = CMPOP_LT; }
    | ">="                      { $$ = CMPOP_GT_E; }
    | ">"                       { $$ = CMPOP_GT; }
    | NOT IN                    { $$ = CMPOP_NOT_IN; }
    | IN                        { $$ = CMPOP_IN; }
    | IS                        { $$ = CMPOP_IS; }
    | IS NOT                    { $$ = CMPOP_IS_NOT; }
    ;

arith
    : await_primary
    | await_primary "**" enter arith %prec "**"
        { b->nesting--; $$ = BIN(@$, $1, POW, $4); }
    | "+" arith %prec SIGN      { $$ = UNARY(@$, U_ADD, $2); }
    | "-" arith %prec SIGN      { $$ = UNARY(@$, U_SUB, $2); }
    | "~" arith %prec SIGN      { $$ = UNARY(@$, INVERT, $2); }
    | arith "|" arith           { $$ = BIN(@$, $1, BIT_OR, $3); }
    | arith "^" arith           { $$ = BIN(@$, $1, BIT_XOR, $3); }
    | arith "&" arith           { $$ = BIN(@$, $1, BIT_AND, $3); }
    | arith "<<" arith          { $$ = BIN(@$, $1, L_SHIFT, $3); }
    | arith ">>" arith          { $$ = BIN(@$, $1, R_SHIFT, $3); }
    | arith "+" arith           { $$ = BIN(@$, $1, ADD, $3); }
    | arith "-" arith           { $$ = BIN(@$, $1, SUB, $3); }
    | arith "*" arith           { $$ = BIN(@$, $1, MULT, $3); }
    | arith "/" arith           { $$ = BIN(@$, $1, DIV, $3); }
    | arith "//" arith          { $$ = BIN(@$, $1, FLOOR_DIV, $3); }
    | arith "%" arith           { $$ = BIN(@$, $1, MOD, $3); }
    | arith "@" arith           { $$ = BIN(@$, $1, MAT_MULT, $3); }
    ;

await_primary
    : primary
    | AWAIT primary             { $$ = expr_await(A, @$, $2); }
    ;

primary
    : atom
    | primary "." NAME          { $$ = expr_attribute(A, @$, $1, $3->sym, LOAD); }
    | primary "[" slices "]"    { $$ = expr_subscript(A, @$, $1, $3, LOAD); }
    | primary "(" ")"           { $$ = build_call(b, @$, $1, @$, NULL, false); }
    | primary "(" args opt_comma ")"
        { $$ = build_call(b, @$, $1, span_join(@2, @5), $3, $4); }
    ;

atom
    : NAME                      { $$ = build_name(b, $1, LOAD); }
    | NUMBER                    { $$ = build_constant(b, @$, $1->constant); }
    | strings
    | NONE                      { $$ = build_constant(b, @$, const_none(A)); }
    | TRUE                      { $$ = build_constant(b, @$, const_bool(A, true)); }
    | FALSE                     { $$ = build_constant(b, @$, const_bool(A, false)); }
    | "..."                     { $$ = build_constant(b, @$, const_ellipsis(A)); }
    | "(" ")"                   { $$ = build_tuple(b, @$, NULL); }
    | "(" yield_expr ")"        { $$ = $2; }
    | "(" named_expression ")"  { $$ = $2; }
    | "(" star_named_tuple ")"  { $$ = build_tuple(b, @$, $2); }
    | "(" named_expression comp_for ")"
        { $$ = expr_generator_exp(A, @$, $2, comprehensions_list($3)); }
    | "[" "]"                   { $$ = expr_list(A, @$, (ExprList){0}, LOAD); }
    | "[" star_named_list opt_comma "]" { $$ = expr_list(A, @$, exprs_list($2), LOAD); }
    | "[" named_expression comp_for "]"
        { $$ = expr_list_comp(A, @$, $2, comprehensions_list($3)); }
    | "{" "}"                   { $$ = expr_dict(A, @$, (ExprList){0}, (ExprList){0}); }
    | "{" dict_items opt_comma "}"
        { $$ = expr_dict(A, @$, exprs_list(&$2->keys), exprs_list(&$2->values)); }
    | "{" star_named_list opt_comma "}" { $$ = expr_set(A, @$, exprs_list($2)); }
    | "{" named_expression comp_for "}"
        { $$ = expr_set_comp(A, @$, $2, comprehensions_list($3)); }
    | "{" expression ":" expression comp_for "}"
        { $$ = expr_dict_comp(A, @$, $2, $4, comprehensions_list($5)); }
    ;

dict_items
    : expression ":" expression             { $$ = build_dict_item(b, NULL, $1, $3); }
    | "**" arith                            { $$ = build_dict_item(b, NULL, NULL, $2); }
    | dict_items "," expression ":" expression  { $$ = build_dict_item(b, $1, $3, $5); }
    | dict_items "," "**" arith             { $$ = build_dict_item(b, $1, NULL, $4); }
    ;

args_prefix
    : %empty                    { $$ = NULL; }
    | args ","
    ;

args
    : args_prefix named_expression          { $$ = build_arg(b, $1, @2, $2); }
    | args_prefix named_expression comp_for
        { $$ = build_arg_generator(b, $1, span_join(@2, @3), $2, $3); }
    | args_prefix expression "=" expression
        { $$ = build_arg_keyword(b, $1, span_join(@2, @4), @2, $2, $4); }
    | args_prefix "*" expression            { $$ = build_arg_star(b, $1, span_join(@2, @3), $3); }
    | args_prefix "**" expression           { $$ = build_arg_unpack(b, $1, span_join(@2, @3), $3); }
    ;

slices
    : slice
    | slice_star                { $$ = build_tuple(b, @$, exprs_add(b, NULL, $1)); }
    | slice_item ","            { $$ = build_tuple(b, @$, exprs_add(b, NULL, $1)); }
    | slice_list opt_comma      { $$ = build_tuple(b, @$, $1); }
    ;

slice_list
    : slice_item "," slice_item { $$ = exprs_add(b, exprs_add(b, NULL, $1), $3); }
    | slice_list "," slice_item { $$ = exprs_add(b, $1, $3); }
    ;

slice_item
    : slice
    | slice_star
    ;

slice_star
    : "*" expression            { $$ = expr_starred(A, @$, $2, LOAD); }
    ;

slice
    : named_expression
    | expression ":" opt_expression slice_step  { $$ = expr_slice(A, @$, $1, $3, $4); }
    | ":" opt_expression slice_step             { $$ = expr_slice(A, @$, NULL, $2, $3); }
    ;

slice_step
    : %empty                    { $$ = NULL; }
    | ":" opt_expression        { $$ = $2; }
    ;

opt_expression
    : %empty                    { $$ = NULL; }
    | expression
    ;

comp_for
    : FOR target_list IN disjunction comp_ifs
        { $$ = build_comp_for(b, NULL, false, $2, $4, $5); }
    | ASYNC FOR target_list IN disjunction comp_ifs
        { $$ = build_comp_for(b, NULL, true, $3, $5, $6); }
    | comp_for FOR target_list IN disjunction comp_ifs
        { $$ = build_comp_for(b, $1, false, $3, $5, $6); }
    | comp_for ASYNC FOR target_list IN disjunction comp_ifs
        { $$ = build_comp_for(b, $1, true, $4, $6, $7); }
    ;

comp_ifs
    : %empty                    { $$ = NULL; }
    | comp_ifs IF disjunction   { $$ = exprs_add(b, $1, $3); }
    ;

/* Targets before an `in`. */
target_list
    : star_target               { $$ = build_target(b, $1); }
    | star_target ","
        { $$ = build_target(b, build_tuple(b, @$, exprs_add(b, NULL, $1))); }
    | star_target_list opt_comma    { $$ = build_target(b, build_tuple(b, @$, $1)); }
    ;

star_target_list
    : star_target "," star_target   { $$ = exprs_add(b, exprs_add(b, NULL, $1), $3); }
    | star_target_list "," star_target  { $$ = exprs_add(b, $1, $3); }
    ;

star_target
    : arith
    | "*" arith                 { $$ = expr_starred(A, @$, $2, LOAD); }
    ;

/* ---- strings ---- */

strings
    : piece                     { $$ = build_concatenation(b, @$, &$1, 1); }
    | pieces                    { $$ = build_concatenation(b, @$, $1->at, $1->len); }
    ;

pieces
    : piece piece               { $$ = exprs_add(b, exprs_add(b, NULL, $1), $2); }
    | pieces piece              { $$ = exprs_add(b, $1, $2); }
    ;

piece
    : STRING                    { $$ = build_string(b, $1); }
    | FSTRING_START fstring_parts FSTRING_END
        { $$ = expr_joined_str(A, @$, exprs_list($2)); }
    ;

fstring_parts
    : %empty                    { $$ = NULL; }
    | fstring_parts FSTRING_MIDDLE  { $$ = build_fstring_text(b, $1, $2); }
    | fstring_parts FSTRING_LBRACE rhs opt_equal opt_conversion opt_format_spec FSTRING_RBRACE
        { $$ = build_field(b, $1, span_join(@2, @7), $3, $4, $5, $6); }
    ;

opt_equal
    : %empty                    { $$ = NULL; }
    | FSTRING_EQUAL
    ;

opt_conversion
    : %empty                    { $$ = NULL; }
    | FSTRING_BANG NAME         { $$ = build_conversion(b, $1, $2); }
    ;

opt_format_spec
    : %empty                    { $$ = NULL; }
    | FSTRING_COLON fstring_parts   { $$ = build_format_spec(b, @$, $2); }
    ;

%%

/* Whether the `(` at `open` opens parenthesised with-items: its `)` comes right before the `:`,
   and what is inside can be items but no expression, or both (then Python prefers items). A
   single element without `as` reads the same either way and is left to the expression. */
static bool opens_with_items(const Build *b, size_t open)
{
    int depth = 0, lambdas = 0;         // lambdas whose parameters are being read
    bool comma = false, as = false, no_items = false;
    size_t i = open;
    for (; i < b->tokens.len; i++) {
        int kind = b->tokens.at[i].kind;
        if (kind == TOK_NEWLINE || kind == TOK_END)
            return false;
        depth += kind == TOK_LPAR || kind == TOK_LSQB || kind == TOK_LBRACE
              || kind == TOK_FSTRING_LBRACE;
        depth -= kind == TOK_RPAR || kind == TOK_RSQB || kind == TOK_RBRACE
              || kind == TOK_FSTRING_RBRACE;
        if (depth == 0)
            break;
        if (depth > 1)
            continue;
        lambdas += kind == TOK_LAMBDA;
        lambdas -= kind == TOK_COLON && lambdas > 0;
        if (lambdas > 0)
            continue;
        int before = b->tokens.at[i - 1].kind;
        comma |= kind == TOK_COMMA;
        as |= kind == TOK_AS;
        no_items |= kind == TOK_COLONEQUAL || kind == TOK_FOR
                 || (kind == TOK_STAR && (before == TOK_LPAR || before == TOK_COMMA));
    }
    return i + 1 < b->tokens.len && b->tokens.at[i + 1].kind == TOK_COLON
        && (as || (comma && !no_items));
}

static bool is_layout(int kind)
{
    return kind == TOK_NEWLINE || kind == TOK_INDENT || kind == TOK_DEDENT || kind == TOK_END;
}

static int grammar_lex(GRAMMAR_STYPE *value, GRAMMAR_LTYPE *at, Build *b)
{
    if (b->next >= b->tokens.len) {
        *at = (Span){b->last_end, b->last_end};
        return TOK_END;
    }
    const Token *token = &b->tokens.at[b->next++];
    value->token = token;
    if (is_layout(token->kind)) {
        *at = (Span){b->last_end, b->last_end};
        b->nesting = 0;
        return token->kind;
    }
    *at = token->at;
    b->last_end = token->at.end;
    if (token->kind == TOK_LPAR && b->next >= 2 && token[-1].kind == TOK_WITH
        && opens_with_items(b, b->next - 1))
        return TOK_WITH_LPAR;
    return token->kind;
}

static int yyreport_syntax_error(const yypcontext_t *context, Build *b)
{
    yysymbol_kind_t kinds[SYNTAX_EXPECTED_MAX];
    const char *expected[SYNTAX_EXPECTED_MAX];
    int count = yypcontext_expected_tokens(context, kinds, SYNTAX_EXPECTED_MAX);
    for (int i = 0; i < count; i++)
        expected[i] = yysymbol_name(kinds[i]);
    syntax_error_report(b, expected, count > 0 ? (size_t)count : 0);
    return 0;
}

static void grammar_error(const GRAMMAR_LTYPE *at, Build *b, const char *text)
{
    build_error(b, *at, DIAG_NESTING, "the parser stopped: %s", text);
}
