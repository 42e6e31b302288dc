/* A Bison parser, made by GNU Bison 3.8.2.  */

/* Bison implementation for Yacc-like parsers in C

   Copyright (C) 1984, 1989-1990, 2000-2015, 2018-2021 Free Software Foundation,
   Inc.

   This program is free software: you can redistribute it and/or modify
   it under the terms of the GNU General Public License as published by
   the Free Software Foundation, either version 3 of the License, or
   (at your option) any later version.

   This program is distributed in the hope that it will be useful,
   but WITHOUT ANY WARRANTY; without even the implied warranty of
   MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the
   GNU General Public License for more details.

   You should have received a copy of the GNU General Public License
   along with this program.  If not, see <https://www.gnu.org/licenses/>.  */

/* As a special exception, you may create a larger work that contains
   part or all of the Bison parser skeleton and distribute that work
   under terms of your choice, so long as that work isn't itself a
   parser generator using the skeleton or a modified version thereof
   as a parser skeleton.  Alternatively, if you modify or redistribute
   the parser skeleton itself, you may (at your option) remove this
   special exception, which will cause the skeleton and the resulting
   Bison output files to be licensed under the GNU General Public
   License without this special exception.

   This special exception was added by the Free Software Foundation in
   version 2.2 of Bison.  */

/* C LALR(1) parser skeleton written by Richard Stallman, by
   simplifying the original so-called "semantic" parser.  */

/* DO NOT RELY ON FEATURES THAT ARE NOT DOCUMENTED in the manual,
   especially those whose name start with YY_ or yy_.  They are
   private implementation details that can be changed or removed.  */

/* All symbols defined below should begin with yy or YY, to avoid
   infringing on user name space.  This should be done even for local
   variables, as they might otherwise be expanded by user macros.
   There are some unavoidable exceptions within include files to
   define necessary library symbols; they are noted "INFRINGES ON
   USER NAME SPACE" below.  */

/* Identify Bison output, and Bison version.  */
#define YYBISON 30802

/* Bison version string.  */
#define YYBISON_VERSION "3.8.2"

/* Skeleton name.  */
#define YYSKELETON_NAME "yacc.c"

/* Pure parsers.  */
#define YYPURE 2

/* Push parsers.  */
#define YYPUSH 0

/* Pull parsers.  */
#define YYPULL 1

/* Substitute the type names.  */
#define YYSTYPE         GRAMMAR_STYPE
#define YYLTYPE         GRAMMAR_LTYPE
/* Substitute the variable and function names.  */
#define yyparse         grammar_parse
#define yylex           grammar_lex
#define yyerror         grammar_error
#define yydebug         grammar_debug
#define yynerrs         grammar_nerrs


# ifndef YY_CAST
#  ifdef __cplusplus
#   define YY_CAST(Type, Val) static_cast<Type> (Val)
#   define YY_REINTERPRET_CAST(Type, Val) reinterpret_cast<Type> (Val)
#  else
#   define YY_CAST(Type, Val) ((Type) (Val))
#   define YY_REINTERPRET_CAST(Type, Val) ((Type) (Val))
#  endif
# endif
# ifndef YY_NULLPTR
#  if defined __cplusplus
#   if 201103L <= __cplusplus
#    define YY_NULLPTR nullptr
#   else
#    define YY_NULLPTR 0
#   endif
#  else
#   define YY_NULLPTR ((void*)0)
#  endif
# endif

#include "parser.h"
/* Symbol kind.  */
enum yysymbol_kind_t
{
  YYSYMBOL_YYEMPTY = -2,
  YYSYMBOL_YYEOF = 0,                      /* "end of file"  */
  YYSYMBOL_YYerror = 1,                    /* error  */
  YYSYMBOL_YYUNDEF = 2,                    /* "invalid token"  */
  YYSYMBOL_NEWLINE = 3,                    /* "end of line"  */
  YYSYMBOL_INDENT = 4,                     /* "indented block"  */
  YYSYMBOL_DEDENT = 5,                     /* "end of block"  */
  YYSYMBOL_ERROR = 6,                      /* ERROR  */
  YYSYMBOL_NAME = 7,                       /* "name"  */
  YYSYMBOL_NUMBER = 8,                     /* "number"  */
  YYSYMBOL_STRING = 9,                     /* "string"  */
  YYSYMBOL_FSTRING_START = 10,             /* FSTRING_START  */
  YYSYMBOL_FSTRING_END = 11,               /* FSTRING_END  */
  YYSYMBOL_FSTRING_MIDDLE = 12,            /* FSTRING_MIDDLE  */
  YYSYMBOL_FSTRING_LBRACE = 13,            /* FSTRING_LBRACE  */
  YYSYMBOL_FSTRING_BANG = 14,              /* FSTRING_BANG  */
  YYSYMBOL_FSTRING_EQUAL = 15,             /* FSTRING_EQUAL  */
  YYSYMBOL_FSTRING_RBRACE = 16,            /* "}f"  */
  YYSYMBOL_FSTRING_COLON = 17,             /* ":f"  */
  YYSYMBOL_MATCH = 18,                     /* "match"  */
  YYSYMBOL_CASE = 19,                      /* "case"  */
  YYSYMBOL_TYPE = 20,                      /* "type"  */
  YYSYMBOL_FALSE = 21,                     /* "False"  */
  YYSYMBOL_NONE = 22,                      /* "None"  */
  YYSYMBOL_TRUE = 23,                      /* "True"  */
  YYSYMBOL_AND = 24,                       /* "and"  */
  YYSYMBOL_AS = 25,                        /* "as"  */
  YYSYMBOL_ASSERT = 26,                    /* "assert"  */
  YYSYMBOL_ASYNC = 27,                     /* "async"  */
  YYSYMBOL_AWAIT = 28,                     /* "await"  */
  YYSYMBOL_BREAK = 29,                     /* "break"  */
  YYSYMBOL_CLASS = 30,                     /* "class"  */
  YYSYMBOL_CONTINUE = 31,                  /* "continue"  */
  YYSYMBOL_DEF = 32,                       /* "def"  */
  YYSYMBOL_DEL = 33,                       /* "del"  */
  YYSYMBOL_ELIF = 34,                      /* "elif"  */
  YYSYMBOL_ELSE = 35,                      /* "else"  */
  YYSYMBOL_EXCEPT = 36,                    /* "except"  */
  YYSYMBOL_FINALLY = 37,                   /* "finally"  */
  YYSYMBOL_FOR = 38,                       /* "for"  */
  YYSYMBOL_FROM = 39,                      /* "from"  */
  YYSYMBOL_GLOBAL = 40,                    /* "global"  */
  YYSYMBOL_IF = 41,                        /* "if"  */
  YYSYMBOL_IMPORT = 42,                    /* "import"  */
  YYSYMBOL_IN = 43,                        /* "in"  */
  YYSYMBOL_IS = 44,                        /* "is"  */
  YYSYMBOL_LAMBDA = 45,                    /* "lambda"  */
  YYSYMBOL_NONLOCAL = 46,                  /* "nonlocal"  */
  YYSYMBOL_NOT = 47,                       /* "not"  */
  YYSYMBOL_OR = 48,                        /* "or"  */
  YYSYMBOL_PASS = 49,                      /* "pass"  */
  YYSYMBOL_RAISE = 50,                     /* "raise"  */
  YYSYMBOL_RETURN = 51,                    /* "return"  */
  YYSYMBOL_TRY = 52,                       /* "try"  */
  YYSYMBOL_WHILE = 53,                     /* "while"  */
  YYSYMBOL_WITH = 54,                      /* "with"  */
  YYSYMBOL_YIELD = 55,                     /* "yield"  */
  YYSYMBOL_LPAR = 56,                      /* "("  */
  YYSYMBOL_RPAR = 57,                      /* ")"  */
  YYSYMBOL_LSQB = 58,                      /* "["  */
  YYSYMBOL_RSQB = 59,                      /* "]"  */
  YYSYMBOL_LBRACE = 60,                    /* "{"  */
  YYSYMBOL_RBRACE = 61,                    /* "}"  */
  YYSYMBOL_COLON = 62,                     /* ":"  */
  YYSYMBOL_COMMA = 63,                     /* ","  */
  YYSYMBOL_SEMI = 64,                      /* ";"  */
  YYSYMBOL_DOT = 65,                       /* "."  */
  YYSYMBOL_ELLIPSIS = 66,                  /* "..."  */
  YYSYMBOL_ARROW = 67,                     /* "->"  */
  YYSYMBOL_AT = 68,                        /* "@"  */
  YYSYMBOL_EQUAL = 69,                     /* "="  */
  YYSYMBOL_COLONEQUAL = 70,                /* ":="  */
  YYSYMBOL_PLUS = 71,                      /* "+"  */
  YYSYMBOL_MINUS = 72,                     /* "-"  */
  YYSYMBOL_STAR = 73,                      /* "*"  */
  YYSYMBOL_SLASH = 74,                     /* "/"  */
  YYSYMBOL_DOUBLESLASH = 75,               /* "//"  */
  YYSYMBOL_PERCENT = 76,                   /* "%"  */
  YYSYMBOL_DOUBLESTAR = 77,                /* "**"  */
  YYSYMBOL_VBAR = 78,                      /* "|"  */
  YYSYMBOL_AMPER = 79,                     /* "&"  */
  YYSYMBOL_CIRCUMFLEX = 80,                /* "^"  */
  YYSYMBOL_TILDE = 81,                     /* "~"  */
  YYSYMBOL_LEFTSHIFT = 82,                 /* "<<"  */
  YYSYMBOL_RIGHTSHIFT = 83,                /* ">>"  */
  YYSYMBOL_LESS = 84,                      /* "<"  */
  YYSYMBOL_GREATER = 85,                   /* ">"  */
  YYSYMBOL_LESSEQUAL = 86,                 /* "<="  */
  YYSYMBOL_GREATEREQUAL = 87,              /* ">="  */
  YYSYMBOL_EQEQUAL = 88,                   /* "=="  */
  YYSYMBOL_NOTEQUAL = 89,                  /* "!="  */
  YYSYMBOL_PLUSEQUAL = 90,                 /* "+="  */
  YYSYMBOL_MINEQUAL = 91,                  /* "-="  */
  YYSYMBOL_STAREQUAL = 92,                 /* "*="  */
  YYSYMBOL_SLASHEQUAL = 93,                /* "/="  */
  YYSYMBOL_DOUBLESLASHEQUAL = 94,          /* "//="  */
  YYSYMBOL_PERCENTEQUAL = 95,              /* "%="  */
  YYSYMBOL_DOUBLESTAREQUAL = 96,           /* "**="  */
  YYSYMBOL_ATEQUAL = 97,                   /* "@="  */
  YYSYMBOL_AMPEREQUAL = 98,                /* "&="  */
  YYSYMBOL_VBAREQUAL = 99,                 /* "|="  */
  YYSYMBOL_CIRCUMFLEXEQUAL = 100,          /* "^="  */
  YYSYMBOL_LEFTSHIFTEQUAL = 101,           /* "<<="  */
  YYSYMBOL_RIGHTSHIFTEQUAL = 102,          /* ">>="  */
  YYSYMBOL_WITH_LPAR = 103,                /* "(with"  */
  YYSYMBOL_SIGN = 104,                     /* SIGN  */
  YYSYMBOL_YYACCEPT = 105,                 /* $accept  */
  YYSYMBOL_file = 106,                     /* file  */
  YYSYMBOL_statements = 107,               /* statements  */
  YYSYMBOL_several = 108,                  /* several  */
  YYSYMBOL_several_stmts = 109,            /* several_stmts  */
  YYSYMBOL_block = 110,                    /* block  */
  YYSYMBOL_simple_stmt = 111,              /* simple_stmt  */
  YYSYMBOL_compound_stmt = 112,            /* compound_stmt  */
  YYSYMBOL_definition = 113,               /* definition  */
  YYSYMBOL_async_able = 114,               /* async_able  */
  YYSYMBOL_opt_return = 115,               /* opt_return  */
  YYSYMBOL_name_list = 116,                /* name_list  */
  YYSYMBOL_del_targets = 117,              /* del_targets  */
  YYSYMBOL_opt_comma = 118,                /* opt_comma  */
  YYSYMBOL_assignment = 119,               /* assignment  */
  YYSYMBOL_assign_targets = 120,           /* assign_targets  */
  YYSYMBOL_rhs = 121,                      /* rhs  */
  YYSYMBOL_opt_value = 122,                /* opt_value  */
  YYSYMBOL_augassign = 123,                /* augassign  */
  YYSYMBOL_import_stmt = 124,              /* import_stmt  */
  YYSYMBOL_dots = 125,                     /* dots  */
  YYSYMBOL_dotted_name = 126,              /* dotted_name  */
  YYSYMBOL_opt_as = 127,                   /* opt_as  */
  YYSYMBOL_import_names = 128,             /* import_names  */
  YYSYMBOL_import_name = 129,              /* import_name  */
  YYSYMBOL_import_targets = 130,           /* import_targets  */
  YYSYMBOL_import_as_names = 131,          /* import_as_names  */
  YYSYMBOL_import_as_name = 132,           /* import_as_name  */
  YYSYMBOL_if_stmt = 133,                  /* if_stmt  */
  YYSYMBOL_elifs = 134,                    /* elifs  */
  YYSYMBOL_opt_else = 135,                 /* opt_else  */
  YYSYMBOL_while_stmt = 136,               /* while_stmt  */
  YYSYMBOL_for_stmt = 137,                 /* for_stmt  */
  YYSYMBOL_with_stmt = 138,                /* with_stmt  */
  YYSYMBOL_with_items = 139,               /* with_items  */
  YYSYMBOL_with_item = 140,                /* with_item  */
  YYSYMBOL_try_stmt = 141,                 /* try_stmt  */
  YYSYMBOL_finally = 142,                  /* finally  */
  YYSYMBOL_handlers = 143,                 /* handlers  */
  YYSYMBOL_handler = 144,                  /* handler  */
  YYSYMBOL_star_handler = 145,             /* star_handler  */
  YYSYMBOL_decorators = 146,               /* decorators  */
  YYSYMBOL_class = 147,                    /* class  */
  YYSYMBOL_opt_class_args = 148,           /* opt_class_args  */
  YYSYMBOL_function = 149,                 /* function  */
  YYSYMBOL_opt_returns = 150,              /* opt_returns  */
  YYSYMBOL_params = 151,                   /* params  */
  YYSYMBOL_param_prefix = 152,             /* param_prefix  */
  YYSYMBOL_param_list = 153,               /* param_list  */
  YYSYMBOL_param = 154,                    /* param  */
  YYSYMBOL_opt_annotation = 155,           /* opt_annotation  */
  YYSYMBOL_star_annotation = 156,          /* star_annotation  */
  YYSYMBOL_opt_default = 157,              /* opt_default  */
  YYSYMBOL_lambda_params = 158,            /* lambda_params  */
  YYSYMBOL_lambda_param_prefix = 159,      /* lambda_param_prefix  */
  YYSYMBOL_lambda_param_list = 160,        /* lambda_param_list  */
  YYSYMBOL_lambda_param = 161,             /* lambda_param  */
  YYSYMBOL_opt_type_params = 162,          /* opt_type_params  */
  YYSYMBOL_type_param_list = 163,          /* type_param_list  */
  YYSYMBOL_type_param = 164,               /* type_param  */
  YYSYMBOL_opt_star_default = 165,         /* opt_star_default  */
  YYSYMBOL_match_stmt = 166,               /* match_stmt  */
  YYSYMBOL_subject = 167,                  /* subject  */
  YYSYMBOL_cases = 168,                    /* cases  */
  YYSYMBOL_case = 169,                     /* case  */
  YYSYMBOL_opt_guard = 170,                /* opt_guard  */
  YYSYMBOL_case_pattern = 171,             /* case_pattern  */
  YYSYMBOL_pattern_tuple = 172,            /* pattern_tuple  */
  YYSYMBOL_pattern_list = 173,             /* pattern_list  */
  YYSYMBOL_maybe_star_pattern = 174,       /* maybe_star_pattern  */
  YYSYMBOL_pattern = 175,                  /* pattern  */
  YYSYMBOL_or_pattern = 176,               /* or_pattern  */
  YYSYMBOL_or_patterns = 177,              /* or_patterns  */
  YYSYMBOL_closed_pattern = 178,           /* closed_pattern  */
  YYSYMBOL_pattern_number = 179,           /* pattern_number  */
  YYSYMBOL_signed_number = 180,            /* signed_number  */
  YYSYMBOL_pattern_class = 181,            /* pattern_class  */
  YYSYMBOL_pattern_attr = 182,             /* pattern_attr  */
  YYSYMBOL_mapping_prefix = 183,           /* mapping_prefix  */
  YYSYMBOL_mapping_items = 184,            /* mapping_items  */
  YYSYMBOL_pattern_key = 185,              /* pattern_key  */
  YYSYMBOL_class_prefix = 186,             /* class_prefix  */
  YYSYMBOL_class_items = 187,              /* class_items  */
  YYSYMBOL_star_expressions = 188,         /* star_expressions  */
  YYSYMBOL_star_expression_list = 189,     /* star_expression_list  */
  YYSYMBOL_star_expression = 190,          /* star_expression  */
  YYSYMBOL_yield_expr = 191,               /* yield_expr  */
  YYSYMBOL_star_named_expression = 192,    /* star_named_expression  */
  YYSYMBOL_star_named_list = 193,          /* star_named_list  */
  YYSYMBOL_star_named_tuple = 194,         /* star_named_tuple  */
  YYSYMBOL_star_named_tuple_list = 195,    /* star_named_tuple_list  */
  YYSYMBOL_named_expression = 196,         /* named_expression  */
  YYSYMBOL_expression = 197,               /* expression  */
  YYSYMBOL_enter = 198,                    /* enter  */
  YYSYMBOL_disjunction = 199,              /* disjunction  */
  YYSYMBOL_or_list = 200,                  /* or_list  */
  YYSYMBOL_conjunction = 201,              /* conjunction  */
  YYSYMBOL_and_list = 202,                 /* and_list  */
  YYSYMBOL_inversion = 203,                /* inversion  */
  YYSYMBOL_comparison = 204,               /* comparison  */
  YYSYMBOL_comparison_chain = 205,         /* comparison_chain  */
  YYSYMBOL_comparison_op = 206,            /* comparison_op  */
  YYSYMBOL_arith = 207,                    /* arith  */
  YYSYMBOL_await_primary = 208,            /* await_primary  */
  YYSYMBOL_primary = 209,                  /* primary  */
  YYSYMBOL_atom = 210,                     /* atom  */
  YYSYMBOL_dict_items = 211,               /* dict_items  */
  YYSYMBOL_args_prefix = 212,              /* args_prefix  */
  YYSYMBOL_args = 213,                     /* args  */
  YYSYMBOL_slices = 214,                   /* slices  */
  YYSYMBOL_slice_list = 215,               /* slice_list  */
  YYSYMBOL_slice_item = 216,               /* slice_item  */
  YYSYMBOL_slice_star = 217,               /* slice_star  */
  YYSYMBOL_slice = 218,                    /* slice  */
  YYSYMBOL_slice_step = 219,               /* slice_step  */
  YYSYMBOL_opt_expression = 220,           /* opt_expression  */
  YYSYMBOL_comp_for = 221,                 /* comp_for  */
  YYSYMBOL_comp_ifs = 222,                 /* comp_ifs  */
  YYSYMBOL_target_list = 223,              /* target_list  */
  YYSYMBOL_star_target_list = 224,         /* star_target_list  */
  YYSYMBOL_star_target = 225,              /* star_target  */
  YYSYMBOL_strings = 226,                  /* strings  */
  YYSYMBOL_pieces = 227,                   /* pieces  */
  YYSYMBOL_piece = 228,                    /* piece  */
  YYSYMBOL_fstring_parts = 229,            /* fstring_parts  */
  YYSYMBOL_opt_equal = 230,                /* opt_equal  */
  YYSYMBOL_opt_conversion = 231,           /* opt_conversion  */
  YYSYMBOL_opt_format_spec = 232           /* opt_format_spec  */
};
typedef enum yysymbol_kind_t yysymbol_kind_t;



/* Unqualified %code blocks.  */
#line 64 "compiler/front/parser.y"

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

#line 362 "build2/gen/parser.c"

#ifdef short
# undef short
#endif

/* On compilers that do not define __PTRDIFF_MAX__ etc., make sure
   <limits.h> and (if available) <stdint.h> are included
   so that the code can choose integer types of a good width.  */

#ifndef __PTRDIFF_MAX__
# include <limits.h> /* INFRINGES ON USER NAME SPACE */
# if defined __STDC_VERSION__ && 199901 <= __STDC_VERSION__
#  include <stdint.h> /* INFRINGES ON USER NAME SPACE */
#  define YY_STDINT_H
# endif
#endif

/* Narrow types that promote to a signed type and that can represent a
   signed or unsigned integer of at least N bits.  In tables they can
   save space and decrease cache pressure.  Promoting to a signed type
   helps avoid bugs in integer arithmetic.  */

#ifdef __INT_LEAST8_MAX__
typedef __INT_LEAST8_TYPE__ yytype_int8;
#elif defined YY_STDINT_H
typedef int_least8_t yytype_int8;
#else
typedef signed char yytype_int8;
#endif

#ifdef __INT_LEAST16_MAX__
typedef __INT_LEAST16_TYPE__ yytype_int16;
#elif defined YY_STDINT_H
typedef int_least16_t yytype_int16;
#else
typedef short yytype_int16;
#endif

/* Work around bug in HP-UX 11.23, which defines these macros
   incorrectly for preprocessor constants.  This workaround can likely
   be removed in 2023, as HPE has promised support for HP-UX 11.23
   (aka HP-UX 11i v2) only through the end of 2022; see Table 2 of
   <https://h20195.www2.hpe.com/V2/getpdf.aspx/4AA4-7673ENW.pdf>.  */
#ifdef __hpux
# undef UINT_LEAST8_MAX
# undef UINT_LEAST16_MAX
# define UINT_LEAST8_MAX 255
# define UINT_LEAST16_MAX 65535
#endif

#if defined __UINT_LEAST8_MAX__ && __UINT_LEAST8_MAX__ <= __INT_MAX__
typedef __UINT_LEAST8_TYPE__ yytype_uint8;
#elif (!defined __UINT_LEAST8_MAX__ && defined YY_STDINT_H \
       && UINT_LEAST8_MAX <= INT_MAX)
typedef uint_least8_t yytype_uint8;
#elif !defined __UINT_LEAST8_MAX__ && UCHAR_MAX <= INT_MAX
typedef unsigned char yytype_uint8;
#else
typedef short yytype_uint8;
#endif

#if defined __UINT_LEAST16_MAX__ && __UINT_LEAST16_MAX__ <= __INT_MAX__
typedef __UINT_LEAST16_TYPE__ yytype_uint16;
#elif (!defined __UINT_LEAST16_MAX__ && defined YY_STDINT_H \
       && UINT_LEAST16_MAX <= INT_MAX)
typedef uint_least16_t yytype_uint16;
#elif !defined __UINT_LEAST16_MAX__ && USHRT_MAX <= INT_MAX
typedef unsigned short yytype_uint16;
#else
typedef int yytype_uint16;
#endif

#ifndef YYPTRDIFF_T
# if defined __PTRDIFF_TYPE__ && defined __PTRDIFF_MAX__
#  define YYPTRDIFF_T __PTRDIFF_TYPE__
#  define YYPTRDIFF_MAXIMUM __PTRDIFF_MAX__
# elif defined PTRDIFF_MAX
#  ifndef ptrdiff_t
#   include <stddef.h> /* INFRINGES ON USER NAME SPACE */
#  endif
#  define YYPTRDIFF_T ptrdiff_t
#  define YYPTRDIFF_MAXIMUM PTRDIFF_MAX
# else
#  define YYPTRDIFF_T long
#  define YYPTRDIFF_MAXIMUM LONG_MAX
# endif
#endif

#ifndef YYSIZE_T
# ifdef __SIZE_TYPE__
#  define YYSIZE_T __SIZE_TYPE__
# elif defined size_t
#  define YYSIZE_T size_t
# elif defined __STDC_VERSION__ && 199901 <= __STDC_VERSION__
#  include <stddef.h> /* INFRINGES ON USER NAME SPACE */
#  define YYSIZE_T size_t
# else
#  define YYSIZE_T unsigned
# endif
#endif

#define YYSIZE_MAXIMUM                                  \
  YY_CAST (YYPTRDIFF_T,                                 \
           (YYPTRDIFF_MAXIMUM < YY_CAST (YYSIZE_T, -1)  \
            ? YYPTRDIFF_MAXIMUM                         \
            : YY_CAST (YYSIZE_T, -1)))

#define YYSIZEOF(X) YY_CAST (YYPTRDIFF_T, sizeof (X))


/* Stored state numbers (used for stacks). */
typedef yytype_int16 yy_state_t;

/* State numbers in computations.  */
typedef int yy_state_fast_t;

#ifndef YY_
# if defined YYENABLE_NLS && YYENABLE_NLS
#  if ENABLE_NLS
#   include <libintl.h> /* INFRINGES ON USER NAME SPACE */
#   define YY_(Msgid) dgettext ("bison-runtime", Msgid)
#  endif
# endif
# ifndef YY_
#  define YY_(Msgid) Msgid
# endif
#endif


#ifndef YY_ATTRIBUTE_PURE
# if defined __GNUC__ && 2 < __GNUC__ + (96 <= __GNUC_MINOR__)
#  define YY_ATTRIBUTE_PURE __attribute__ ((__pure__))
# else
#  define YY_ATTRIBUTE_PURE
# endif
#endif

#ifndef YY_ATTRIBUTE_UNUSED
# if defined __GNUC__ && 2 < __GNUC__ + (7 <= __GNUC_MINOR__)
#  define YY_ATTRIBUTE_UNUSED __attribute__ ((__unused__))
# else
#  define YY_ATTRIBUTE_UNUSED
# endif
#endif

/* Suppress unused-variable warnings by "using" E.  */
#if ! defined lint || defined __GNUC__
# define YY_USE(E) ((void) (E))
#else
# define YY_USE(E) /* empty */
#endif

/* Suppress an incorrect diagnostic about yylval being uninitialized.  */
#if defined __GNUC__ && ! defined __ICC && 406 <= __GNUC__ * 100 + __GNUC_MINOR__
# if __GNUC__ * 100 + __GNUC_MINOR__ < 407
#  define YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN                           \
    _Pragma ("GCC diagnostic push")                                     \
    _Pragma ("GCC diagnostic ignored \"-Wuninitialized\"")
# else
#  define YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN                           \
    _Pragma ("GCC diagnostic push")                                     \
    _Pragma ("GCC diagnostic ignored \"-Wuninitialized\"")              \
    _Pragma ("GCC diagnostic ignored \"-Wmaybe-uninitialized\"")
# endif
# define YY_IGNORE_MAYBE_UNINITIALIZED_END      \
    _Pragma ("GCC diagnostic pop")
#else
# define YY_INITIAL_VALUE(Value) Value
#endif
#ifndef YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
# define YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
# define YY_IGNORE_MAYBE_UNINITIALIZED_END
#endif
#ifndef YY_INITIAL_VALUE
# define YY_INITIAL_VALUE(Value) /* Nothing. */
#endif

#if defined __cplusplus && defined __GNUC__ && ! defined __ICC && 6 <= __GNUC__
# define YY_IGNORE_USELESS_CAST_BEGIN                          \
    _Pragma ("GCC diagnostic push")                            \
    _Pragma ("GCC diagnostic ignored \"-Wuseless-cast\"")
# define YY_IGNORE_USELESS_CAST_END            \
    _Pragma ("GCC diagnostic pop")
#endif
#ifndef YY_IGNORE_USELESS_CAST_BEGIN
# define YY_IGNORE_USELESS_CAST_BEGIN
# define YY_IGNORE_USELESS_CAST_END
#endif


#define YY_ASSERT(E) ((void) (0 && (E)))

#if 1

/* The parser invokes alloca or malloc; define the necessary symbols.  */

# ifdef YYSTACK_USE_ALLOCA
#  if YYSTACK_USE_ALLOCA
#   ifdef __GNUC__
#    define YYSTACK_ALLOC __builtin_alloca
#   elif defined __BUILTIN_VA_ARG_INCR
#    include <alloca.h> /* INFRINGES ON USER NAME SPACE */
#   elif defined _AIX
#    define YYSTACK_ALLOC __alloca
#   elif defined _MSC_VER
#    include <malloc.h> /* INFRINGES ON USER NAME SPACE */
#    define alloca _alloca
#   else
#    define YYSTACK_ALLOC alloca
#    if ! defined _ALLOCA_H && ! defined EXIT_SUCCESS
#     include <stdlib.h> /* INFRINGES ON USER NAME SPACE */
      /* Use EXIT_SUCCESS as a witness for stdlib.h.  */
#     ifndef EXIT_SUCCESS
#      define EXIT_SUCCESS 0
#     endif
#    endif
#   endif
#  endif
# endif

# ifdef YYSTACK_ALLOC
   /* Pacify GCC's 'empty if-body' warning.  */
#  define YYSTACK_FREE(Ptr) do { /* empty */; } while (0)
#  ifndef YYSTACK_ALLOC_MAXIMUM
    /* The OS might guarantee only one guard page at the bottom of the stack,
       and a page size can be as small as 4096 bytes.  So we cannot safely
       invoke alloca (N) if N exceeds 4096.  Use a slightly smaller number
       to allow for a few compiler-allocated temporary stack slots.  */
#   define YYSTACK_ALLOC_MAXIMUM 4032 /* reasonable circa 2006 */
#  endif
# else
#  define YYSTACK_ALLOC YYMALLOC
#  define YYSTACK_FREE YYFREE
#  ifndef YYSTACK_ALLOC_MAXIMUM
#   define YYSTACK_ALLOC_MAXIMUM YYSIZE_MAXIMUM
#  endif
#  if (defined __cplusplus && ! defined EXIT_SUCCESS \
       && ! ((defined YYMALLOC || defined malloc) \
             && (defined YYFREE || defined free)))
#   include <stdlib.h> /* INFRINGES ON USER NAME SPACE */
#   ifndef EXIT_SUCCESS
#    define EXIT_SUCCESS 0
#   endif
#  endif
#  ifndef YYMALLOC
#   define YYMALLOC malloc
#   if ! defined malloc && ! defined EXIT_SUCCESS
void *malloc (YYSIZE_T); /* INFRINGES ON USER NAME SPACE */
#   endif
#  endif
#  ifndef YYFREE
#   define YYFREE free
#   if ! defined free && ! defined EXIT_SUCCESS
void free (void *); /* INFRINGES ON USER NAME SPACE */
#   endif
#  endif
# endif
#endif /* 1 */

#if (! defined yyoverflow \
     && (! defined __cplusplus \
         || (defined GRAMMAR_LTYPE_IS_TRIVIAL && GRAMMAR_LTYPE_IS_TRIVIAL \
             && defined GRAMMAR_STYPE_IS_TRIVIAL && GRAMMAR_STYPE_IS_TRIVIAL)))

/* A type that is properly aligned for any stack member.  */
union yyalloc
{
  yy_state_t yyss_alloc;
  YYSTYPE yyvs_alloc;
  YYLTYPE yyls_alloc;
};

/* The size of the maximum gap between one aligned stack and the next.  */
# define YYSTACK_GAP_MAXIMUM (YYSIZEOF (union yyalloc) - 1)

/* The size of an array large to enough to hold all stacks, each with
   N elements.  */
# define YYSTACK_BYTES(N) \
     ((N) * (YYSIZEOF (yy_state_t) + YYSIZEOF (YYSTYPE) \
             + YYSIZEOF (YYLTYPE)) \
      + 2 * YYSTACK_GAP_MAXIMUM)

# define YYCOPY_NEEDED 1

/* Relocate STACK from its old location to the new one.  The
   local variables YYSIZE and YYSTACKSIZE give the old and new number of
   elements in the stack, and YYPTR gives the new location of the
   stack.  Advance YYPTR to a properly aligned location for the next
   stack.  */
# define YYSTACK_RELOCATE(Stack_alloc, Stack)                           \
    do                                                                  \
      {                                                                 \
        YYPTRDIFF_T yynewbytes;                                         \
        YYCOPY (&yyptr->Stack_alloc, Stack, yysize);                    \
        Stack = &yyptr->Stack_alloc;                                    \
        yynewbytes = yystacksize * YYSIZEOF (*Stack) + YYSTACK_GAP_MAXIMUM; \
        yyptr += yynewbytes / YYSIZEOF (*yyptr);                        \
      }                                                                 \
    while (0)

#endif

#if defined YYCOPY_NEEDED && YYCOPY_NEEDED
/* Copy COUNT objects from SRC to DST.  The source and destination do
   not overlap.  */
# ifndef YYCOPY
#  if defined __GNUC__ && 1 < __GNUC__
#   define YYCOPY(Dst, Src, Count) \
      __builtin_memcpy (Dst, Src, YY_CAST (YYSIZE_T, (Count)) * sizeof (*(Src)))
#  else
#   define YYCOPY(Dst, Src, Count)              \
      do                                        \
        {                                       \
          YYPTRDIFF_T yyi;                      \
          for (yyi = 0; yyi < (Count); yyi++)   \
            (Dst)[yyi] = (Src)[yyi];            \
        }                                       \
      while (0)
#  endif
# endif
#endif /* !YYCOPY_NEEDED */

/* YYFINAL -- State number of the termination state.  */
#define YYFINAL  3
/* YYLAST -- Last index in YYTABLE.  */
#define YYLAST   1724

/* YYNTOKENS -- Number of terminals.  */
#define YYNTOKENS  105
/* YYNNTS -- Number of nonterminals.  */
#define YYNNTS  128
/* YYNRULES -- Number of rules.  */
#define YYNRULES  380
/* YYNSTATES -- Number of states.  */
#define YYNSTATES  660

/* YYMAXUTOK -- Last valid token kind.  */
#define YYMAXUTOK   359


/* YYTRANSLATE(TOKEN-NUM) -- Symbol number corresponding to TOKEN-NUM
   as returned by yylex, with out-of-bounds checking.  */
#define YYTRANSLATE(YYX)                                \
  (0 <= (YYX) && (YYX) <= YYMAXUTOK                     \
   ? YY_CAST (yysymbol_kind_t, yytranslate[YYX])        \
   : YYSYMBOL_YYUNDEF)

/* YYTRANSLATE[TOKEN-NUM] -- Symbol number corresponding to TOKEN-NUM
   as returned by yylex.  */
static const yytype_int8 yytranslate[] =
{
       0,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     1,     2,     3,     4,
       5,     6,     7,     8,     9,    10,    11,    12,    13,    14,
      15,    16,    17,    18,    19,    20,    21,    22,    23,    24,
      25,    26,    27,    28,    29,    30,    31,    32,    33,    34,
      35,    36,    37,    38,    39,    40,    41,    42,    43,    44,
      45,    46,    47,    48,    49,    50,    51,    52,    53,    54,
      55,    56,    57,    58,    59,    60,    61,    62,    63,    64,
      65,    66,    67,    68,    69,    70,    71,    72,    73,    74,
      75,    76,    77,    78,    79,    80,    81,    82,    83,    84,
      85,    86,    87,    88,    89,    90,    91,    92,    93,    94,
      95,    96,    97,    98,    99,   100,   101,   102,   103,   104
};

#if GRAMMAR_DEBUG
/* YYRLINE[YYN] -- Source line where rule number YYN was defined.  */
static const yytype_int16 yyrline[] =
{
       0,   157,   157,   163,   164,   165,   166,   167,   168,   169,
     173,   174,   175,   179,   180,   184,   185,   186,   187,   191,
     192,   193,   194,   196,   197,   198,   199,   200,   201,   202,
     203,   204,   205,   206,   207,   208,   212,   213,   214,   215,
     216,   217,   218,   219,   220,   221,   225,   226,   227,   231,
     232,   236,   237,   241,   242,   246,   247,   251,   252,   258,
     259,   261,   266,   267,   271,   272,   276,   277,   281,   282,
     283,   284,   285,   286,   287,   288,   289,   290,   291,   292,
     293,   299,   300,   302,   304,   309,   310,   311,   312,   316,
     317,   321,   322,   326,   327,   331,   336,   337,   338,   342,
     343,   347,   353,   358,   359,   364,   365,   369,   374,   379,
     381,   386,   387,   391,   392,   396,   397,   398,   399,   403,
     407,   408,   409,   410,   414,   416,   421,   426,   427,   431,
     436,   437,   438,   442,   450,   451,   457,   458,   463,   464,
     468,   469,   470,   471,   473,   477,   481,   482,   486,   487,
     491,   492,   496,   497,   501,   502,   506,   507,   508,   509,
     510,   515,   519,   520,   524,   525,   529,   530,   531,   535,
     536,   542,   547,   548,   552,   553,   554,   555,   559,   564,
     565,   569,   570,   575,   576,   580,   582,   586,   587,   591,
     592,   600,   601,   605,   607,   611,   612,   613,   614,   615,
     616,   617,   618,   619,   620,   621,   622,   626,   627,   628,
     629,   630,   634,   635,   636,   640,   641,   645,   646,   650,
     651,   655,   656,   660,   661,   665,   666,   667,   668,   669,
     670,   674,   675,   679,   680,   686,   687,   688,   692,   694,
     698,   699,   703,   704,   708,   709,   713,   714,   719,   720,
     724,   726,   730,   731,   735,   736,   737,   743,   747,   748,
     752,   753,   757,   758,   762,   763,   767,   768,   772,   773,
     777,   778,   783,   784,   785,   786,   787,   788,   789,   790,
     791,   792,   796,   797,   799,   800,   801,   802,   803,   804,
     805,   806,   807,   808,   809,   810,   811,   812,   813,   817,
     818,   822,   823,   824,   825,   826,   831,   832,   833,   834,
     835,   836,   837,   838,   839,   840,   841,   842,   844,   845,
     846,   848,   849,   851,   852,   854,   859,   860,   861,   862,
     866,   867,   871,   872,   874,   876,   877,   881,   882,   883,
     884,   888,   889,   893,   894,   898,   902,   903,   904,   908,
     909,   913,   914,   918,   920,   922,   924,   929,   930,   935,
     936,   938,   942,   943,   947,   948,   954,   955,   959,   960,
     964,   965,   970,   971,   972,   977,   978,   982,   983,   987,
     988
};
#endif

/** Accessing symbol of state STATE.  */
#define YY_ACCESSING_SYMBOL(State) YY_CAST (yysymbol_kind_t, yystos[State])

#if 1
/* The user-facing name of the symbol whose (internal) number is
   YYSYMBOL.  No bounds checking.  */
static const char *yysymbol_name (yysymbol_kind_t yysymbol) YY_ATTRIBUTE_UNUSED;

static const char *
yysymbol_name (yysymbol_kind_t yysymbol)
{
  static const char *const yy_sname[] =
  {
  "end of file", "error", "invalid token", "end of line",
  "indented block", "end of block", "ERROR", "name", "number", "string",
  "FSTRING_START", "FSTRING_END", "FSTRING_MIDDLE", "FSTRING_LBRACE",
  "FSTRING_BANG", "FSTRING_EQUAL", "}f", ":f", "match", "case", "type",
  "False", "None", "True", "and", "as", "assert", "async", "await",
  "break", "class", "continue", "def", "del", "elif", "else", "except",
  "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
  "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
  "with", "yield", "(", ")", "[", "]", "{", "}", ":", ",", ";", ".", "...",
  "->", "@", "=", ":=", "+", "-", "*", "/", "//", "%", "**", "|", "&", "^",
  "~", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "+=", "-=", "*=",
  "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^=", "<<=", ">>=", "(with",
  "SIGN", "$accept", "file", "statements", "several", "several_stmts",
  "block", "simple_stmt", "compound_stmt", "definition", "async_able",
  "opt_return", "name_list", "del_targets", "opt_comma", "assignment",
  "assign_targets", "rhs", "opt_value", "augassign", "import_stmt", "dots",
  "dotted_name", "opt_as", "import_names", "import_name", "import_targets",
  "import_as_names", "import_as_name", "if_stmt", "elifs", "opt_else",
  "while_stmt", "for_stmt", "with_stmt", "with_items", "with_item",
  "try_stmt", "finally", "handlers", "handler", "star_handler",
  "decorators", "class", "opt_class_args", "function", "opt_returns",
  "params", "param_prefix", "param_list", "param", "opt_annotation",
  "star_annotation", "opt_default", "lambda_params", "lambda_param_prefix",
  "lambda_param_list", "lambda_param", "opt_type_params",
  "type_param_list", "type_param", "opt_star_default", "match_stmt",
  "subject", "cases", "case", "opt_guard", "case_pattern", "pattern_tuple",
  "pattern_list", "maybe_star_pattern", "pattern", "or_pattern",
  "or_patterns", "closed_pattern", "pattern_number", "signed_number",
  "pattern_class", "pattern_attr", "mapping_prefix", "mapping_items",
  "pattern_key", "class_prefix", "class_items", "star_expressions",
  "star_expression_list", "star_expression", "yield_expr",
  "star_named_expression", "star_named_list", "star_named_tuple",
  "star_named_tuple_list", "named_expression", "expression", "enter",
  "disjunction", "or_list", "conjunction", "and_list", "inversion",
  "comparison", "comparison_chain", "comparison_op", "arith",
  "await_primary", "primary", "atom", "dict_items", "args_prefix", "args",
  "slices", "slice_list", "slice_item", "slice_star", "slice",
  "slice_step", "opt_expression", "comp_for", "comp_ifs", "target_list",
  "star_target_list", "star_target", "strings", "pieces", "piece",
  "fstring_parts", "opt_equal", "opt_conversion", "opt_format_spec", YY_NULLPTR
  };
  return yy_sname[yysymbol];
}
#endif

#define YYPACT_NINF (-477)

#define yypact_value_is_default(Yyn) \
  ((Yyn) == YYPACT_NINF)

#define YYTABLE_NINF (-345)

#define yytable_value_is_error(Yyn) \
  0

/* YYPACT[STATE-NUM] -- Index in YYTABLE of the portion describing
   STATE-NUM.  */
static const yytype_int16 yypact[] =
{
    -477,    51,   603,  -477,   238,  -477,  -477,  -477,  -477,  1370,
      56,  -477,  -477,  -477,  1481,   148,   277,  -477,    61,  -477,
      66,  1411,  1522,    65,    80,  1481,   117,  -477,    80,  1549,
    -477,  1481,  1411,    55,  1481,   506,  1147,  1041,  1188,  1072,
    -477,  1481,  1576,  1576,  1576,  1576,   153,   141,    35,  -477,
    -477,  -477,  1217,   101,  -477,  -477,  -477,  -477,  -477,  -477,
      53,  -477,  -477,  -477,  1622,   147,   169,   151,  -477,   196,
     191,   201,   227,   239,  -477,   335,  1621,   193,   157,  -477,
    -477,   234,   234,   276,  -477,   218,  1576,   212,   240,  -477,
     253,   255,   251,   232,   267,  -477,  -477,  -477,  -477,   157,
     232,   232,   271,  -477,  1576,   464,   254,   275,   279,  -477,
    -477,  -477,    63,   107,  -477,   281,   245,    33,   291,  -477,
     294,   281,  -477,   293,  -477,  -477,   933,   295,  1481,   184,
    -477,   333,  1481,  -477,  -477,   302,   303,   126,  -477,  -477,
     304,   165,  -477,  1576,   304,   165,   139,   307,   362,  -477,
    -477,   464,  -477,  -477,   987,  -477,   987,   312,  -477,  -477,
    -477,  -477,   339,  1481,  -477,  1481,  -477,  -477,  -477,  -477,
    -477,  -477,  -477,  -477,  -477,  -477,  -477,  -477,  -477,  1217,
    1411,  -477,  1411,  1549,  1549,  1549,  1549,  1549,  -477,   326,
     342,  -477,  -477,  -477,  -477,  -477,  -477,  1576,  1576,  1576,
    1576,  1576,  1576,  1576,  1576,  1576,  1576,  1576,  1576,  1576,
    1576,  -477,   330,  1258,   385,  -477,  -477,  -477,   672,  -477,
    -477,  1217,   464,   390,  1370,  1370,  -477,  1481,    30,   325,
    1481,   341,   344,  1411,  -477,   464,  1411,  1522,  -477,  1522,
      50,  -477,  -477,   116,    50,   388,   394,   933,   399,  -477,
     117,   346,    27,   352,  1481,   187,   415,   110,    44,   933,
     365,   933,  1481,  1522,  -477,  -477,  -477,   391,  1522,  -477,
     128,  1370,   371,    23,   464,   370,    18,  1481,  1440,   372,
    -477,  -477,  -477,  -477,   429,   366,  -477,  -477,  -477,   401,
    -477,  -477,  -477,  -477,  -477,  -477,   464,  -477,   237,   237,
    -477,  -477,  -477,  -477,  1105,   186,   523,   220,   220,   464,
    1576,  -477,  1287,   380,  1481,  1481,  -477,   142,   375,   383,
     384,   386,   387,  -477,   741,  -477,   433,   447,  -477,  -477,
    -477,  -477,   393,   445,   449,   395,  -477,  1481,  -477,   409,
     405,   411,  -477,   407,  -477,  -477,   446,   463,  -477,  -477,
     413,  -477,    50,  -477,  -477,  -477,  -477,  -477,  -477,  1481,
    -477,   465,  -477,   465,   408,   431,  -477,  -477,  -477,  -477,
    -477,  -477,  1328,   432,  -477,   231,  -477,  -477,  -477,   460,
    1481,   440,  -477,  -477,  -477,  1522,   455,   461,  1522,  -477,
    -477,  -477,  -477,  -477,  -477,   165,  1576,   438,  -477,  -477,
    1217,  -477,  1481,  -477,  1481,  1481,   165,   207,   444,   450,
    -477,   441,  -477,  1481,  -477,  1258,  -477,  1258,  -477,  -477,
     488,  -477,  1481,   408,   437,   408,    30,   458,  -477,  -477,
     380,   933,   466,    39,   457,   933,  -477,   459,   463,  -477,
     244,  -477,  -477,  -477,  1481,  -477,   810,   933,  1481,   446,
     933,   456,   472,  -477,  -477,  -477,   468,   483,  1549,  1522,
     490,    59,   464,  1481,  -477,  -477,  -477,  -477,   173,  1481,
    -477,  1481,  -477,   441,  -477,  -477,  -477,  -477,   524,   531,
     189,  -477,  -477,  1411,  -477,  -477,  -477,  -477,   484,  -477,
     482,   393,   545,  -477,   547,   408,   444,  -477,   460,   463,
     498,  -477,  1481,  -477,  -477,  -477,  -477,   446,   494,  -477,
     933,  -477,   933,  1549,  -477,   515,  1549,  -477,  -477,  -477,
    -477,  -477,  -477,  -477,   543,   558,  -477,   381,  -477,  -477,
    -477,  1481,   501,  -477,   503,  -477,  -477,  -477,  -477,   505,
     507,   933,  -477,  -477,  -477,   527,  1549,  -477,   270,  -477,
     566,    37,  -477,  -477,  -477,  -477,  1603,   354,   510,   565,
     567,   534,  -477,   513,   516,   517,   556,   504,   508,  -477,
     230,   528,   106,  -477,  -477,   933,  1411,  -477,   933,   933,
    -477,   527,  1549,  -477,   527,  -477,   576,  -477,   532,   533,
    -477,   526,    29,  -477,  -477,    68,   525,  -477,  -477,  1481,
     538,   381,  -477,   381,   600,   452,   452,   606,   609,   551,
     611,  -477,  -477,  -477,  -477,  -477,   527,   879,  -477,  -477,
    -477,  -477,  -477,   554,  -477,  -477,  -477,   613,  -477,   557,
     575,  -477,   577,   578,  -477,   933,  -477,  -477,  -477,  -477,
    -477,  -477,  -477,  -477,  1630,   564,  -477,  -477,  -477,   452,
    -477,  -477,   104,  -477,   444,   571,  -477,   452,  -477,  -477
};

/* YYDEFACT[STATE-NUM] -- Default reduction number in state STATE-NUM.
   Performed when YYTABLE does not specify something else to do.  Zero
   means the default is an error.  */
static const yytype_int16 yydefact[] =
{
       3,     0,     0,     1,     0,   306,   307,   370,   372,     0,
       0,   311,   309,   310,     0,     0,     0,    32,     0,    33,
       0,     0,     0,     0,     0,     0,     0,   257,     0,     0,
      28,    25,    51,     0,     0,     0,    51,     0,     0,     0,
     312,     0,     0,     0,     0,     0,     0,    11,     0,     6,
      36,    19,     0,     0,    24,    39,    40,    41,    42,    44,
       0,    46,    47,    45,    20,    57,   235,    21,   240,   254,
     259,   258,   263,   262,   266,   269,   268,   282,   299,   301,
     308,   367,   366,     7,     3,     0,     0,     0,     0,   173,
      57,   172,   252,   162,    30,    43,    49,    50,    48,   300,
     162,   162,    57,    55,     0,   364,     0,    57,   359,    89,
      85,    86,     0,     0,    53,    34,     0,    91,    81,    93,
     154,    35,   267,    26,    23,    52,     0,     0,     0,     0,
     111,   113,     0,   242,   313,     0,     0,   244,   318,   246,
      57,   244,   321,     0,    57,   244,   252,    57,     0,   284,
     285,   241,   286,     5,    12,     4,    10,    59,    64,    65,
      62,    38,     0,     0,    37,     0,    68,    69,    70,    72,
      80,    73,    79,    71,    74,    75,    76,    77,    78,     0,
      58,   237,   236,     0,     0,     0,     0,     0,   279,   280,
       0,   275,   277,   274,   276,   272,   273,     0,     0,     0,
       0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
       0,   257,   330,     0,     0,   369,   368,     3,     0,   371,
     373,     0,   245,     0,   248,    58,   249,     0,     0,     0,
       0,   130,     0,    58,    29,   365,     0,    58,   361,   360,
       0,    87,    88,     0,     0,     0,     0,     0,     0,    95,
       0,     0,     0,    57,     0,     0,     0,     0,     0,     0,
      57,     0,     0,     0,   243,   314,   316,     0,     0,   315,
       0,    58,     0,     0,   327,     0,     0,     0,    58,     0,
     127,    14,    13,    63,     0,    66,    60,   239,   238,     0,
     261,   260,   265,   264,   281,   278,   271,   298,   292,   293,
     294,   295,   296,   297,   287,   289,   288,   290,   291,   270,
       0,   304,     0,    57,   351,     0,   346,   252,     0,    57,
       0,   338,   337,   302,     0,     9,   375,     0,   250,   244,
     251,   253,   146,     0,     0,    57,   164,     0,    31,   330,
       0,   138,    56,     0,   363,   362,    91,     0,    98,    84,
      96,    99,     0,    82,    90,    54,   103,    92,    94,     0,
     161,   158,   157,     0,   150,   155,   153,    27,    18,     3,
      17,   118,     0,     0,   117,   105,   120,   121,    16,   105,
      58,     0,   109,   112,   114,     0,     0,     0,     0,   317,
     247,   319,   320,   323,   324,   326,     0,     0,   322,   128,
       0,    61,     0,   283,     0,     0,   332,   252,   331,     0,
     352,   349,   345,   351,   303,    58,   340,   339,     8,   376,
     377,   174,     0,   150,   169,   150,    58,     0,    22,   131,
      57,     0,     0,     0,    57,     0,   101,    57,     0,    83,
     105,   256,   159,   160,     0,   156,     0,     0,     0,    91,
       0,     0,   115,   122,   123,   107,     0,     0,     0,     0,
       0,     0,   329,     0,    67,   255,   335,   336,   333,     0,
     305,   351,   348,   349,   342,   344,   343,   341,     0,   379,
       0,   147,   166,     0,   167,   168,   165,   163,     0,   129,
     134,   146,   142,   141,     0,   150,   139,   137,   105,    58,
       0,   100,     0,   102,   151,    15,   124,    91,     0,   119,
       0,   116,     0,     0,   357,     0,     0,   325,   328,   334,
     350,   347,   378,   372,     0,     0,   171,     0,   175,   170,
     132,     0,     0,   145,   148,   144,   140,   108,    97,     0,
       0,     0,   106,   110,   357,   353,     0,   357,   380,   374,
     176,   200,   215,   199,   197,   198,     0,     0,   221,     0,
       0,   179,   182,    57,     0,   181,   189,   192,   191,   195,
     212,     0,   201,   196,   135,     0,     0,   143,     0,     0,
     125,   354,     0,   357,   355,     3,     0,   203,     0,   187,
     205,     0,     0,   187,   208,     0,    57,   216,   188,     0,
       0,    58,   184,   183,     0,     0,     0,     0,     0,   231,
       0,   133,   149,   104,   126,   358,   356,     0,   219,   204,
     202,   207,   206,     0,   230,   228,   229,     0,   225,   227,
       0,   226,   222,     0,   180,     0,   186,   185,   190,   194,
     193,   213,   214,   210,     0,    57,   220,   177,   224,     0,
     209,   178,   200,   233,   232,     0,   223,     0,   211,   234
};

/* YYPGOTO[NTERM-NUM].  */
static const yytype_int16 yypgoto[] =
{
    -477,  -477,   -80,    -1,  -477,  -195,    -2,  -477,   580,  -477,
     610,   619,  -477,   -85,  -477,  -477,   -45,  -477,  -477,  -477,
    -477,     3,  -330,  -477,   410,  -214,   315,  -390,  -477,  -477,
    -356,  -477,   636,   649,   537,  -244,  -477,   214,  -477,   297,
     308,  -477,  -477,  -477,     5,  -477,  -477,  -477,  -477,   174,
     194,  -477,  -381,  -477,  -477,  -477,  -138,   219,  -477,   260,
    -477,  -477,  -477,  -477,  -477,  -477,  -477,  -228,  -477,  -476,
    -460,  -477,  -477,  -265,    92,  -477,  -477,    93,  -477,  -477,
    -477,  -477,  -477,    17,  -477,   -19,   -28,   -26,   650,   654,
    -477,     2,    -6,   485,  -177,  -477,   163,  -477,    -8,  -477,
    -477,   621,   282,  -477,   690,  -477,  -477,  -477,   368,  -477,
    -477,  -182,   495,   496,   242,  -353,  -131,  -473,  -253,  -477,
     -89,  -462,  -477,   269,   197,  -477,  -477,  -477
};

/* YYDEFGOTO[NTERM-NUM].  */
static const yytype_int16 yydefgoto[] =
{
       0,     1,     2,   256,    47,   257,   258,    49,    50,    95,
     124,   115,   102,   181,    51,    52,    53,   401,   179,    54,
     112,   117,   249,   118,   119,   349,   350,   351,    55,   440,
     452,    56,    57,    58,   129,   130,    59,   374,   375,   376,
     377,    60,    61,   340,    62,   532,   432,   433,   434,   495,
     423,   577,   445,   251,   252,   253,   364,   229,   335,   336,
     484,    63,    87,   480,   528,   600,   561,   562,   563,   564,
     593,   566,   567,   568,   569,   570,   571,   572,   595,   596,
     630,   644,   645,    64,    65,    66,    67,    88,   140,    89,
      90,   316,    68,   120,    69,    70,    71,    72,    73,    74,
      75,   197,    76,    77,    78,    79,   147,   312,   313,   318,
     319,   320,   475,   476,   472,   411,   270,   545,   106,   107,
     108,    80,    81,    82,    85,   420,   479,   524
};

/* YYTABLE[YYPACT[STATE-NUM]] -- What to do in state STATE-NUM.  If
   positive, shift that token.  If negative, reduce the rule whose
   number is the opposite.  If YYTABLE_NINF, syntax error.  */
static const yytype_int16 yytable[] =
{
      48,    46,   103,    92,   218,   226,   289,   157,    94,   135,
     273,    91,   139,   139,   276,   386,   436,   234,   383,    92,
      98,   122,   238,   455,   159,   123,   113,   116,    92,   131,
     353,    92,    92,   146,   360,    92,   127,   332,   155,   137,
     141,   145,   482,   148,   485,   387,   491,   378,   501,   125,
     387,     3,   356,   125,   161,   272,   388,   346,   248,   275,
     473,   388,   279,    93,   379,   573,   382,   565,   100,   158,
     109,   581,   109,   101,   584,   623,   552,     7,     8,   394,
     162,   592,   392,    18,   503,    20,   387,   114,   622,   624,
     625,   626,   603,  -217,   573,   573,   589,   388,   245,   156,
     361,   362,   586,   333,   363,   240,   347,   334,   156,   501,
     616,   371,   492,   493,   536,   243,   494,   126,   520,   508,
     517,   163,   131,   348,   109,   636,   264,   637,   241,   242,
     110,   111,   457,   631,   286,   460,   383,   324,   439,   573,
     559,   573,   537,   573,   573,   627,   372,   373,   344,   244,
     345,   159,   281,   267,   282,   387,   153,    92,   352,   285,
    -217,   287,  -218,   288,   268,   284,   388,    98,   366,   586,
     160,   610,   245,   657,   384,   381,   326,   540,   292,   293,
      20,   245,   573,   269,   653,   389,    22,   573,   368,   656,
     525,   369,   267,   159,   526,   573,   158,   659,   328,   330,
     387,   277,    35,   268,   413,   154,   515,   317,   527,   227,
     180,   388,   227,   212,   342,   213,    48,    46,    92,    92,
     -65,   331,   214,   442,   338,   443,   329,   329,   409,   219,
     220,   221,   182,   474,   416,   477,   489,   183,   158,   184,
     498,    83,    84,     7,     8,   390,   261,   262,   367,   185,
     427,   186,   506,   343,   198,   509,   131,   199,   200,   201,
     202,   203,   204,   187,   461,    92,   451,   372,   208,   209,
     211,   395,   397,   329,   223,   468,   469,   227,   502,   451,
     217,   514,   220,   221,     5,     6,     7,     8,   198,   446,
     228,   199,   200,   201,   202,   203,   204,   236,    11,    12,
      13,   607,   608,   224,   105,   198,   407,   247,   410,   412,
     201,   202,   203,   204,   406,   542,   225,   543,  -244,   231,
     232,   227,    48,    46,   149,   150,   151,   152,   588,   591,
     230,   428,   254,    37,   233,    38,   544,    39,   237,   547,
     639,   640,   239,    40,   246,   488,   580,   290,   291,   497,
     215,   216,   500,   441,   250,   464,  -152,   259,   263,   265,
     266,   551,   552,     7,     8,   280,   449,   271,   222,   583,
     278,    20,   159,   294,   131,   553,   554,   555,   188,   189,
     611,   283,   190,   613,   614,   295,   235,   311,   551,   552,
       7,     8,   323,   327,   337,   354,   465,   339,   466,   467,
     341,   355,   553,   554,   555,   615,   357,   410,   359,   317,
     556,   317,   557,   590,   558,   365,   481,   158,   370,   191,
     192,   193,   194,   195,   196,   274,   559,   560,   380,   385,
     391,   393,   399,   398,   414,   400,   402,   556,   504,   557,
     651,   558,   507,   408,    48,    46,   415,   417,   419,  -344,
    -343,   421,   424,   559,   560,   422,   425,   518,   426,   551,
     552,     7,     8,   519,   529,   410,   429,   431,  -136,   435,
     346,   248,   360,   553,   554,   555,   438,   444,   602,   296,
     297,   298,   299,   300,   301,   302,   303,   304,   305,   306,
     307,   308,   309,   -58,   450,   451,    92,   456,   458,   459,
     463,   -58,   478,   471,   539,   617,   483,   470,   556,   373,
     557,   633,   558,     5,     6,     7,     8,   487,   510,   105,
     496,   105,   499,   490,   559,   574,   513,    11,    12,    13,
     512,   522,   198,   516,    16,   199,   200,   201,   202,   203,
     204,   530,   205,   206,   207,   105,   208,   209,   523,   531,
     105,    27,   534,    29,   491,   538,   541,   612,   546,   549,
     655,   550,    37,   575,    38,   576,    39,   578,   582,   579,
     585,   594,    40,   597,   598,   599,   601,    42,    43,   603,
    -187,   604,   605,   618,   609,   621,   606,    45,   632,   619,
     620,   198,   403,    92,   199,   200,   201,   202,   203,   204,
     635,   634,   206,    -2,     4,   208,   209,   638,   643,   128,
       5,     6,     7,     8,   641,    48,    46,   642,   646,   586,
     648,     9,   610,    10,    11,    12,    13,   654,   658,    14,
      15,    16,    17,    18,    19,    20,    21,   649,   -58,   650,
     164,    22,    23,    24,    25,    26,   133,   121,    27,    28,
      29,    96,    30,    31,    32,    33,    34,    35,    36,    37,
     358,    38,   437,    39,    97,   260,   511,   105,   535,    40,
     105,    41,   453,     4,    42,    43,    44,   325,   462,     5,
       6,     7,     8,   454,    45,   533,   486,   628,   629,   144,
       9,   136,    10,    11,    12,    13,   310,   210,    14,    15,
      16,    17,    18,    19,    20,    21,    99,   430,   321,   322,
      22,    23,    24,    25,    26,   521,     0,    27,    28,    29,
     548,    30,    31,    32,    33,    34,    35,    36,    37,     0,
      38,     0,    39,     0,     0,     0,     0,     0,    40,     0,
      41,   105,     4,    42,    43,    44,   418,     0,     5,     6,
       7,     8,     0,    45,     0,     0,     0,     0,     0,     9,
       0,    10,    11,    12,    13,     0,     0,    14,    15,    16,
      17,    18,    19,    20,    21,     0,     0,     0,     0,    22,
      23,    24,    25,    26,     0,     0,    27,    28,    29,     0,
      30,    31,    32,    33,    34,    35,    36,    37,     0,    38,
       0,    39,     0,     0,     0,     0,     0,    40,     0,    41,
       0,     4,    42,    43,    44,   505,     0,     5,     6,     7,
       8,     0,    45,     0,     0,     0,     0,     0,     9,     0,
      10,    11,    12,    13,     0,     0,    14,    15,    16,    17,
      18,    19,    20,    21,     0,     0,     0,     0,    22,    23,
      24,    25,    26,     0,     0,    27,    28,    29,     0,    30,
      31,    32,    33,    34,    35,    36,    37,     0,    38,     0,
      39,     0,     0,     0,     0,     0,    40,     0,    41,     0,
       4,    42,    43,    44,   647,     0,     5,     6,     7,     8,
       0,    45,     0,     0,     0,     0,     0,     9,     0,    10,
      11,    12,    13,     0,     0,    14,    15,    16,    17,    18,
      19,    20,    21,     0,     0,     0,     0,    22,    23,    24,
      25,    26,     0,     0,    27,    28,    29,     0,    30,    31,
      32,    33,    34,    35,    36,    37,   255,    38,     0,    39,
       5,     6,     7,     8,     0,    40,     0,    41,     0,     0,
      42,    43,    44,    10,    11,    12,    13,     0,     0,    14,
      45,    16,    17,     0,    19,     0,    21,     0,     0,     0,
       0,     0,    23,    24,     0,    26,     0,     0,    27,    28,
      29,     0,    30,    31,    32,     0,     0,     0,    36,    37,
       0,    38,     0,    39,     5,     6,     7,     8,     0,    40,
       0,     0,     0,     0,    42,    43,    44,    10,    11,    12,
      13,     0,     0,    14,    45,    16,    17,     0,    19,     0,
      21,     0,     0,     0,     0,     0,    23,    24,     0,    26,
       0,     0,    27,    28,    29,     0,    30,    31,    32,     0,
       0,     0,    36,    37,     0,    38,     0,    39,     5,     6,
       7,     8,     0,    40,     0,     0,     0,     0,    42,    43,
      44,     0,    11,    12,    13,     0,     0,     0,    45,    16,
       0,     0,     0,     0,     0,     0,     0,     0,     0,     5,
       6,     7,     8,     0,     0,     0,    27,     0,    29,     0,
       0,     0,     0,    11,    12,    13,    36,    37,   134,    38,
      16,    39,     0,     0,     0,     0,     0,    40,     0,     0,
       0,     0,    42,    43,    86,     0,     0,    27,     0,    29,
       0,     0,    45,     0,     0,     0,     0,     0,    37,     0,
      38,     0,    39,   142,     0,     0,     0,     0,    40,     0,
       0,     0,     0,    42,    43,    86,     0,     0,     0,   143,
       0,     0,     0,    45,     5,     6,     7,     8,     0,     0,
       0,     0,     0,     0,     0,     0,     0,     0,    11,    12,
      13,     0,     0,   198,     0,    16,   199,   200,   201,   202,
     203,   204,     0,     0,   206,   207,   132,   208,   209,     0,
       0,     0,    27,     0,    29,     5,     6,     7,     8,     0,
       0,     0,     0,    37,     0,    38,     0,    39,     0,    11,
      12,    13,     0,    40,     0,     0,    16,     0,    42,    43,
      44,     0,     0,     0,     5,     6,     7,     8,    45,     0,
       0,     0,     0,    27,     0,    29,     0,     0,    11,    12,
      13,     0,     0,     0,    37,    16,    38,   138,    39,     0,
       0,     0,     0,     0,    40,     0,     0,     0,     0,    42,
      43,    86,    27,     0,    29,     5,     6,     7,     8,    45,
       0,     0,    36,    37,     0,    38,     0,    39,     0,    11,
      12,    13,     0,    40,     0,     0,    16,     0,    42,    43,
      44,     0,     0,     0,     5,     6,     7,     8,    45,     0,
       0,     0,     0,    27,     0,    29,     0,     0,    11,    12,
      13,     0,     0,     0,    37,    16,    38,     0,    39,     0,
     314,     0,     0,     0,    40,     0,     0,     0,     0,    42,
      43,   315,    27,     0,    29,     5,     6,     7,     8,    45,
       0,     0,     0,    37,     0,    38,     0,    39,     0,    11,
      12,    13,     0,    40,     0,     0,    16,     0,    42,    43,
     404,     0,     0,     0,   405,     0,     0,     0,    45,     0,
       0,     0,     0,    27,     0,    29,     0,     5,     6,     7,
       8,     0,     0,     0,    37,     0,    38,     0,    39,     0,
     447,    11,    12,    13,    40,     0,     0,     0,    16,    42,
      43,   448,     0,     0,     0,     0,     0,     0,     0,    45,
       0,     0,     0,     0,     0,    27,     0,    29,     5,     6,
       7,     8,     0,     0,     0,     0,    37,     0,    38,     0,
      39,     0,    11,    12,    13,     0,    40,     0,     0,    16,
       0,    42,    43,    86,     0,     0,     0,     5,     6,     7,
       8,    45,     0,     0,     0,     0,    27,     0,    29,     0,
       0,    11,    12,    13,     0,     0,     0,    37,    16,    38,
       0,    39,     0,     0,     0,     0,     0,    40,     0,     0,
       0,     0,    42,    43,    44,    27,     0,    29,     5,     6,
       7,     8,    45,     0,     0,     0,    37,     0,    38,     0,
      39,     0,    11,    12,    13,     0,    40,     0,     0,    16,
       0,    42,    43,     0,     0,     0,     0,   396,     0,     0,
       0,    45,     0,     0,     0,     0,    27,     0,    29,     5,
       6,     7,     8,     0,     0,     0,     0,    37,     0,    38,
       0,    39,     0,    11,    12,    13,     0,    40,     0,     0,
      16,     0,    42,    43,     0,     0,     5,     6,     7,     8,
       0,     0,    45,     0,     0,     0,     0,     0,     0,     0,
      11,    12,    13,     0,     0,     0,     0,    16,    37,     0,
      38,     0,    39,     5,     6,     7,     8,     0,    40,     0,
       0,     0,     0,    42,    43,   104,    29,    11,    12,    13,
       0,     0,     0,    45,    16,    37,     0,    38,     0,    39,
     551,   552,     7,     8,     0,    40,     0,     0,     0,     0,
      42,    43,     0,     0,   553,   554,   555,     0,     0,     0,
      45,     0,    37,     0,    38,     0,    39,   652,   552,     7,
       8,     0,    40,     0,     0,     0,     0,    42,    43,     0,
       0,   553,   554,   555,     0,     0,     0,    45,     0,   556,
     587,   557,     0,   558,   188,   189,     0,     0,   190,     0,
       0,     0,     0,     0,     0,   559,   560,     0,     0,     0,
       0,     0,     0,     0,   165,     0,   556,     0,   557,   198,
     558,   -64,   199,   200,   201,   202,   203,   204,     0,   205,
     206,   207,   559,   208,   209,   191,   192,   193,   194,   195,
     196,     0,   166,   167,   168,   169,   170,   171,   172,   173,
     174,   175,   176,   177,   178
};

static const yytype_int16 yycheck[] =
{
       2,     2,    21,     9,    84,    90,   183,    52,    14,    37,
     141,     9,    38,    39,   145,   268,   346,   102,   262,    25,
      15,    29,   107,   379,    52,    31,    23,    25,    34,    35,
     244,    37,    38,    39,     7,    41,    34,     7,     3,    37,
      38,    39,   423,    41,   425,    27,     7,     3,   438,    32,
      27,     0,   247,    36,     1,   140,    38,     7,    25,   144,
     413,    38,   147,     7,   259,   527,   261,   527,     7,    52,
       7,   544,     7,     7,   547,     7,     8,     9,    10,    61,
      27,   557,    59,    30,   440,    32,    27,     7,    59,    21,
      22,    23,    63,    56,   556,   557,   556,    38,    65,    64,
      73,    74,    65,    73,    77,    42,    56,    77,    64,   499,
     583,     1,    73,    74,   495,   112,    77,    62,   471,   449,
      61,    68,   128,    73,     7,   601,   132,   603,    65,    66,
      65,    66,   385,   595,   179,   388,   380,   217,   352,   601,
      72,   603,   498,   605,   606,    77,    36,    37,   237,    42,
     239,   179,   154,    27,   156,    27,     3,   163,    42,   165,
      56,   180,    56,   182,    38,   163,    38,   162,   253,    65,
      69,    65,    65,    69,   263,   260,   221,   507,   186,   187,
      32,    65,   644,    57,   644,    57,    38,   649,     1,   649,
       1,     4,    27,   221,     5,   657,   179,   657,   224,   225,
      27,    62,    54,    38,    62,    64,   459,   213,    19,    70,
      63,    38,    70,    56,   233,    58,   218,   218,   224,   225,
      69,   227,    65,   361,   230,   363,   224,   225,   313,    11,
      12,    13,    63,   415,   319,   417,   431,    41,   221,    48,
     435,     3,     4,     9,    10,   271,    62,    63,   254,    48,
     335,    24,   447,   236,    68,   450,   262,    71,    72,    73,
      74,    75,    76,    24,   395,   271,    35,    36,    82,    83,
      77,   277,   278,   271,    62,   406,    69,    70,    34,    35,
       4,   458,    12,    13,     7,     8,     9,    10,    68,   369,
      58,    71,    72,    73,    74,    75,    76,    43,    21,    22,
      23,    71,    72,    63,    22,    68,   312,    62,   314,   315,
      73,    74,    75,    76,   312,   510,    63,   512,    63,   100,
     101,    70,   324,   324,    42,    43,    44,    45,   556,   557,
      63,   337,    39,    56,    63,    58,   513,    60,    63,   516,
     605,   606,    63,    66,    63,   430,   541,   184,   185,   434,
      81,    82,   437,   359,    63,   400,    62,    62,    25,    57,
      57,     7,     8,     9,    10,     3,   372,    63,    86,   546,
      63,    32,   400,    47,   380,    21,    22,    23,    43,    44,
     575,    69,    47,   578,   579,    43,   104,    57,     7,     8,
       9,    10,     7,     3,    69,     7,   402,    56,   404,   405,
      56,     7,    21,    22,    23,   582,     7,   413,    62,   415,
      56,   417,    58,    59,    60,    63,   422,   400,     3,    84,
      85,    86,    87,    88,    89,   143,    72,    73,    63,    38,
      59,    61,     3,    61,    59,    69,    35,    56,   444,    58,
     635,    60,   448,    63,   446,   446,    63,    63,    15,    63,
      63,     4,     7,    72,    73,    62,     7,   463,    63,     7,
       8,     9,    10,   469,   483,   471,    57,    62,    57,    62,
       7,    25,     7,    21,    22,    23,    63,    69,   563,   197,
     198,   199,   200,   201,   202,   203,   204,   205,   206,   207,
     208,   209,   210,    62,    62,    35,   502,    57,    43,    38,
      62,    57,    14,    62,   502,   585,    69,    57,    56,    37,
      58,   596,    60,     7,     8,     9,    10,    59,    62,   237,
      63,   239,    63,    57,    72,   531,    43,    21,    22,    23,
      62,     7,    68,    43,    28,    71,    72,    73,    74,    75,
      76,    57,    78,    79,    80,   263,    82,    83,    17,    67,
     268,    45,     7,    47,     7,    57,    62,   576,    43,    16,
     645,     3,    56,    62,    58,    62,    60,    62,    41,    62,
       4,    61,    66,     8,     7,    41,    63,    71,    72,    63,
      63,    25,    78,     7,    56,    59,    78,    81,    63,    57,
      57,    68,   310,   599,    71,    72,    73,    74,    75,    76,
      62,   599,    79,     0,     1,    82,    83,     7,    57,   103,
       7,     8,     9,    10,     8,   617,   617,     8,     7,    65,
       7,    18,    65,    20,    21,    22,    23,    63,    57,    26,
      27,    28,    29,    30,    31,    32,    33,    62,    61,    61,
      60,    38,    39,    40,    41,    42,    36,    28,    45,    46,
      47,    15,    49,    50,    51,    52,    53,    54,    55,    56,
     250,    58,   347,    60,    15,   128,   452,   385,   494,    66,
     388,    68,   375,     1,    71,    72,    73,     5,   396,     7,
       8,     9,    10,   375,    81,   491,   426,   595,   595,    39,
      18,    37,    20,    21,    22,    23,   211,    76,    26,    27,
      28,    29,    30,    31,    32,    33,    16,   339,   213,   213,
      38,    39,    40,    41,    42,   473,    -1,    45,    46,    47,
     523,    49,    50,    51,    52,    53,    54,    55,    56,    -1,
      58,    -1,    60,    -1,    -1,    -1,    -1,    -1,    66,    -1,
      68,   459,     1,    71,    72,    73,     5,    -1,     7,     8,
       9,    10,    -1,    81,    -1,    -1,    -1,    -1,    -1,    18,
      -1,    20,    21,    22,    23,    -1,    -1,    26,    27,    28,
      29,    30,    31,    32,    33,    -1,    -1,    -1,    -1,    38,
      39,    40,    41,    42,    -1,    -1,    45,    46,    47,    -1,
      49,    50,    51,    52,    53,    54,    55,    56,    -1,    58,
      -1,    60,    -1,    -1,    -1,    -1,    -1,    66,    -1,    68,
      -1,     1,    71,    72,    73,     5,    -1,     7,     8,     9,
      10,    -1,    81,    -1,    -1,    -1,    -1,    -1,    18,    -1,
      20,    21,    22,    23,    -1,    -1,    26,    27,    28,    29,
      30,    31,    32,    33,    -1,    -1,    -1,    -1,    38,    39,
      40,    41,    42,    -1,    -1,    45,    46,    47,    -1,    49,
      50,    51,    52,    53,    54,    55,    56,    -1,    58,    -1,
      60,    -1,    -1,    -1,    -1,    -1,    66,    -1,    68,    -1,
       1,    71,    72,    73,     5,    -1,     7,     8,     9,    10,
      -1,    81,    -1,    -1,    -1,    -1,    -1,    18,    -1,    20,
      21,    22,    23,    -1,    -1,    26,    27,    28,    29,    30,
      31,    32,    33,    -1,    -1,    -1,    -1,    38,    39,    40,
      41,    42,    -1,    -1,    45,    46,    47,    -1,    49,    50,
      51,    52,    53,    54,    55,    56,     3,    58,    -1,    60,
       7,     8,     9,    10,    -1,    66,    -1,    68,    -1,    -1,
      71,    72,    73,    20,    21,    22,    23,    -1,    -1,    26,
      81,    28,    29,    -1,    31,    -1,    33,    -1,    -1,    -1,
      -1,    -1,    39,    40,    -1,    42,    -1,    -1,    45,    46,
      47,    -1,    49,    50,    51,    -1,    -1,    -1,    55,    56,
      -1,    58,    -1,    60,     7,     8,     9,    10,    -1,    66,
      -1,    -1,    -1,    -1,    71,    72,    73,    20,    21,    22,
      23,    -1,    -1,    26,    81,    28,    29,    -1,    31,    -1,
      33,    -1,    -1,    -1,    -1,    -1,    39,    40,    -1,    42,
      -1,    -1,    45,    46,    47,    -1,    49,    50,    51,    -1,
      -1,    -1,    55,    56,    -1,    58,    -1,    60,     7,     8,
       9,    10,    -1,    66,    -1,    -1,    -1,    -1,    71,    72,
      73,    -1,    21,    22,    23,    -1,    -1,    -1,    81,    28,
      -1,    -1,    -1,    -1,    -1,    -1,    -1,    -1,    -1,     7,
       8,     9,    10,    -1,    -1,    -1,    45,    -1,    47,    -1,
      -1,    -1,    -1,    21,    22,    23,    55,    56,    57,    58,
      28,    60,    -1,    -1,    -1,    -1,    -1,    66,    -1,    -1,
      -1,    -1,    71,    72,    73,    -1,    -1,    45,    -1,    47,
      -1,    -1,    81,    -1,    -1,    -1,    -1,    -1,    56,    -1,
      58,    -1,    60,    61,    -1,    -1,    -1,    -1,    66,    -1,
      -1,    -1,    -1,    71,    72,    73,    -1,    -1,    -1,    77,
      -1,    -1,    -1,    81,     7,     8,     9,    10,    -1,    -1,
      -1,    -1,    -1,    -1,    -1,    -1,    -1,    -1,    21,    22,
      23,    -1,    -1,    68,    -1,    28,    71,    72,    73,    74,
      75,    76,    -1,    -1,    79,    80,    39,    82,    83,    -1,
      -1,    -1,    45,    -1,    47,     7,     8,     9,    10,    -1,
      -1,    -1,    -1,    56,    -1,    58,    -1,    60,    -1,    21,
      22,    23,    -1,    66,    -1,    -1,    28,    -1,    71,    72,
      73,    -1,    -1,    -1,     7,     8,     9,    10,    81,    -1,
      -1,    -1,    -1,    45,    -1,    47,    -1,    -1,    21,    22,
      23,    -1,    -1,    -1,    56,    28,    58,    59,    60,    -1,
      -1,    -1,    -1,    -1,    66,    -1,    -1,    -1,    -1,    71,
      72,    73,    45,    -1,    47,     7,     8,     9,    10,    81,
      -1,    -1,    55,    56,    -1,    58,    -1,    60,    -1,    21,
      22,    23,    -1,    66,    -1,    -1,    28,    -1,    71,    72,
      73,    -1,    -1,    -1,     7,     8,     9,    10,    81,    -1,
      -1,    -1,    -1,    45,    -1,    47,    -1,    -1,    21,    22,
      23,    -1,    -1,    -1,    56,    28,    58,    -1,    60,    -1,
      62,    -1,    -1,    -1,    66,    -1,    -1,    -1,    -1,    71,
      72,    73,    45,    -1,    47,     7,     8,     9,    10,    81,
      -1,    -1,    -1,    56,    -1,    58,    -1,    60,    -1,    21,
      22,    23,    -1,    66,    -1,    -1,    28,    -1,    71,    72,
      73,    -1,    -1,    -1,    77,    -1,    -1,    -1,    81,    -1,
      -1,    -1,    -1,    45,    -1,    47,    -1,     7,     8,     9,
      10,    -1,    -1,    -1,    56,    -1,    58,    -1,    60,    -1,
      62,    21,    22,    23,    66,    -1,    -1,    -1,    28,    71,
      72,    73,    -1,    -1,    -1,    -1,    -1,    -1,    -1,    81,
      -1,    -1,    -1,    -1,    -1,    45,    -1,    47,     7,     8,
       9,    10,    -1,    -1,    -1,    -1,    56,    -1,    58,    -1,
      60,    -1,    21,    22,    23,    -1,    66,    -1,    -1,    28,
      -1,    71,    72,    73,    -1,    -1,    -1,     7,     8,     9,
      10,    81,    -1,    -1,    -1,    -1,    45,    -1,    47,    -1,
      -1,    21,    22,    23,    -1,    -1,    -1,    56,    28,    58,
      -1,    60,    -1,    -1,    -1,    -1,    -1,    66,    -1,    -1,
      -1,    -1,    71,    72,    73,    45,    -1,    47,     7,     8,
       9,    10,    81,    -1,    -1,    -1,    56,    -1,    58,    -1,
      60,    -1,    21,    22,    23,    -1,    66,    -1,    -1,    28,
      -1,    71,    72,    -1,    -1,    -1,    -1,    77,    -1,    -1,
      -1,    81,    -1,    -1,    -1,    -1,    45,    -1,    47,     7,
       8,     9,    10,    -1,    -1,    -1,    -1,    56,    -1,    58,
      -1,    60,    -1,    21,    22,    23,    -1,    66,    -1,    -1,
      28,    -1,    71,    72,    -1,    -1,     7,     8,     9,    10,
      -1,    -1,    81,    -1,    -1,    -1,    -1,    -1,    -1,    -1,
      21,    22,    23,    -1,    -1,    -1,    -1,    28,    56,    -1,
      58,    -1,    60,     7,     8,     9,    10,    -1,    66,    -1,
      -1,    -1,    -1,    71,    72,    73,    47,    21,    22,    23,
      -1,    -1,    -1,    81,    28,    56,    -1,    58,    -1,    60,
       7,     8,     9,    10,    -1,    66,    -1,    -1,    -1,    -1,
      71,    72,    -1,    -1,    21,    22,    23,    -1,    -1,    -1,
      81,    -1,    56,    -1,    58,    -1,    60,     7,     8,     9,
      10,    -1,    66,    -1,    -1,    -1,    -1,    71,    72,    -1,
      -1,    21,    22,    23,    -1,    -1,    -1,    81,    -1,    56,
      57,    58,    -1,    60,    43,    44,    -1,    -1,    47,    -1,
      -1,    -1,    -1,    -1,    -1,    72,    73,    -1,    -1,    -1,
      -1,    -1,    -1,    -1,    62,    -1,    56,    -1,    58,    68,
      60,    69,    71,    72,    73,    74,    75,    76,    -1,    78,
      79,    80,    72,    82,    83,    84,    85,    86,    87,    88,
      89,    -1,    90,    91,    92,    93,    94,    95,    96,    97,
      98,    99,   100,   101,   102
};

/* YYSTOS[STATE-NUM] -- The symbol kind of the accessing symbol of
   state STATE-NUM.  */
static const yytype_uint8 yystos[] =
{
       0,   106,   107,     0,     1,     7,     8,     9,    10,    18,
      20,    21,    22,    23,    26,    27,    28,    29,    30,    31,
      32,    33,    38,    39,    40,    41,    42,    45,    46,    47,
      49,    50,    51,    52,    53,    54,    55,    56,    58,    60,
      66,    68,    71,    72,    73,    81,   108,   109,   111,   112,
     113,   119,   120,   121,   124,   133,   136,   137,   138,   141,
     146,   147,   149,   166,   188,   189,   190,   191,   197,   199,
     200,   201,   202,   203,   204,   205,   207,   208,   209,   210,
     226,   227,   228,     3,     4,   229,    73,   167,   192,   194,
     195,   196,   197,     7,   197,   114,   137,   138,   149,   209,
       7,     7,   117,   190,    73,   207,   223,   224,   225,     7,
      65,    66,   125,   126,     7,   116,   196,   126,   128,   129,
     198,   116,   203,   197,   115,   188,    62,   196,   103,   139,
     140,   197,    39,   115,    57,   191,   194,   196,    59,   192,
     193,   196,    61,    77,   193,   196,   197,   211,   196,   207,
     207,   207,   207,     3,    64,     3,    64,   121,   188,   191,
      69,     1,    27,    68,   113,    62,    90,    91,    92,    93,
      94,    95,    96,    97,    98,    99,   100,   101,   102,   123,
      63,   118,    63,    41,    48,    48,    24,    24,    43,    44,
      47,    84,    85,    86,    87,    88,    89,   206,    68,    71,
      72,    73,    74,    75,    76,    78,    79,    80,    82,    83,
     206,    77,    56,    58,    65,   228,   228,     4,   107,    11,
      12,    13,   207,    62,    63,    63,   118,    70,    58,   162,
      63,   162,   162,    63,   118,   207,    43,    63,   118,    63,
      42,    65,    66,   126,    42,    65,    63,    62,    25,   127,
      63,   158,   159,   160,    39,     3,   108,   110,   111,    62,
     139,    62,    63,    25,   197,    57,    57,    27,    38,    57,
     221,    63,   118,   221,   207,   118,   221,    62,    63,   118,
       3,   111,   111,    69,   196,   197,   121,   190,   190,   199,
     201,   201,   203,   203,    47,    43,   207,   207,   207,   207,
     207,   207,   207,   207,   207,   207,   207,   207,   207,   207,
     198,    57,   212,   213,    62,    73,   196,   197,   214,   215,
     216,   217,   218,     7,   107,     5,   121,     3,   192,   196,
     192,   197,     7,    73,    77,   163,   164,    69,   197,    56,
     148,    56,   190,   188,   225,   225,     7,    56,    73,   130,
     131,   132,    42,   130,     7,     7,   110,     7,   129,    62,
       7,    73,    74,    77,   161,    63,   118,   197,     1,     4,
       3,     1,    36,    37,   142,   143,   144,   145,     3,   110,
      63,   118,   110,   140,   225,    38,   223,    27,    38,    57,
     192,    59,    59,    61,    61,   197,    77,   197,    61,     3,
      69,   122,    35,   207,    73,    77,   196,   197,    63,   118,
     197,   220,   197,    62,    59,    63,   118,    63,     5,    15,
     230,     4,    62,   155,     7,     7,    63,   118,   197,    57,
     213,    62,   151,   152,   153,    62,   127,   131,    63,   130,
     134,   197,   161,   161,    69,   157,   107,    62,    73,   197,
      62,    35,   135,   144,   145,   135,    57,   223,    43,    38,
     223,   221,   207,    62,   121,   197,   197,   197,   221,    69,
      57,    62,   219,   220,   216,   217,   218,   216,    14,   231,
     168,   197,   157,    69,   165,   157,   164,    59,   118,   110,
      57,     7,    73,    74,    77,   154,    63,   118,   110,    63,
     118,   132,    34,   135,   197,     5,   110,   197,   127,   110,
      62,   142,    62,    43,   199,   223,    43,    61,   197,   197,
     220,   219,     7,    17,   232,     1,     5,    19,   169,   190,
      57,    67,   150,   155,     7,   154,   157,   135,    57,   196,
     127,    62,   110,   110,   199,   222,    43,   199,   229,    16,
       3,     7,     8,    21,    22,    23,    56,    58,    60,    72,
      73,   171,   172,   173,   174,   175,   176,   177,   178,   179,
     180,   181,   182,   226,   197,    62,    62,   156,    62,    62,
     110,   222,    41,   199,   222,     4,    65,    57,   172,   175,
      59,   172,   174,   175,    61,   183,   184,     8,     7,    41,
     170,    63,   118,    63,    25,    78,    78,    71,    72,    56,
      65,   110,   190,   110,   110,   199,   222,   107,     7,    57,
      57,    59,    59,     7,    21,    22,    23,    77,   179,   182,
     185,   226,    63,   118,   196,    62,   174,   174,     7,   178,
     178,     8,     8,    57,   186,   187,     7,     5,     7,    62,
      61,   110,     7,   175,    63,   118,   175,    69,    57,   175
};

/* YYR1[RULE-NUM] -- Symbol kind of the left-hand side of rule RULE-NUM.  */
static const yytype_uint8 yyr1[] =
{
       0,   105,   106,   107,   107,   107,   107,   107,   107,   107,
     108,   108,   108,   109,   109,   110,   110,   110,   110,   111,
     111,   111,   111,   111,   111,   111,   111,   111,   111,   111,
     111,   111,   111,   111,   111,   111,   112,   112,   112,   112,
     112,   112,   112,   112,   112,   112,   113,   113,   113,   114,
     114,   115,   115,   116,   116,   117,   117,   118,   118,   119,
     119,   119,   120,   120,   121,   121,   122,   122,   123,   123,
     123,   123,   123,   123,   123,   123,   123,   123,   123,   123,
     123,   124,   124,   124,   124,   125,   125,   125,   125,   126,
     126,   127,   127,   128,   128,   129,   130,   130,   130,   131,
     131,   132,   133,   134,   134,   135,   135,   136,   137,   138,
     138,   139,   139,   140,   140,   141,   141,   141,   141,   142,
     143,   143,   143,   143,   144,   144,   145,   146,   146,   147,
     148,   148,   148,   149,   150,   150,   151,   151,   152,   152,
     153,   153,   153,   153,   153,   154,   155,   155,   156,   156,
     157,   157,   158,   158,   159,   159,   160,   160,   160,   160,
     160,   161,   162,   162,   163,   163,   164,   164,   164,   165,
     165,   166,   167,   167,   168,   168,   168,   168,   169,   170,
     170,   171,   171,   172,   172,   173,   173,   174,   174,   175,
     175,   176,   176,   177,   177,   178,   178,   178,   178,   178,
     178,   178,   178,   178,   178,   178,   178,   178,   178,   178,
     178,   178,   179,   179,   179,   180,   180,   181,   181,   182,
     182,   183,   183,   184,   184,   185,   185,   185,   185,   185,
     185,   186,   186,   187,   187,   188,   188,   188,   189,   189,
     190,   190,   191,   191,   192,   192,   193,   193,   194,   194,
     195,   195,   196,   196,   197,   197,   197,   198,   199,   199,
     200,   200,   201,   201,   202,   202,   203,   203,   204,   204,
     205,   205,   206,   206,   206,   206,   206,   206,   206,   206,
     206,   206,   207,   207,   207,   207,   207,   207,   207,   207,
     207,   207,   207,   207,   207,   207,   207,   207,   207,   208,
     208,   209,   209,   209,   209,   209,   210,   210,   210,   210,
     210,   210,   210,   210,   210,   210,   210,   210,   210,   210,
     210,   210,   210,   210,   210,   210,   211,   211,   211,   211,
     212,   212,   213,   213,   213,   213,   213,   214,   214,   214,
     214,   215,   215,   216,   216,   217,   218,   218,   218,   219,
     219,   220,   220,   221,   221,   221,   221,   222,   222,   223,
     223,   223,   224,   224,   225,   225,   226,   226,   227,   227,
     228,   228,   229,   229,   229,   230,   230,   231,   231,   232,
     232
};

/* YYR2[RULE-NUM] -- Number of symbols on the right-hand side of rule RULE-NUM.  */
static const yytype_int8 yyr2[] =
{
       0,     2,     1,     0,     3,     3,     2,     3,     6,     5,
       2,     1,     2,     3,     3,     4,     2,     2,     2,     1,
       1,     1,     5,     2,     1,     1,     2,     4,     1,     3,
       2,     4,     1,     1,     2,     2,     1,     2,     2,     1,
       1,     1,     1,     2,     1,     1,     1,     1,     2,     1,
       1,     0,     1,     1,     3,     1,     3,     0,     1,     2,
       3,     4,     2,     3,     1,     1,     0,     2,     1,     1,
       1,     1,     1,     1,     1,     1,     1,     1,     1,     1,
       1,     2,     4,     5,     4,     1,     1,     2,     2,     1,
       3,     0,     2,     1,     3,     2,     1,     4,     1,     1,
       3,     2,     6,     0,     5,     0,     3,     5,     7,     4,
       7,     1,     3,     1,     3,     5,     6,     4,     4,     3,
       1,     1,     2,     2,     3,     5,     6,     3,     4,     6,
       0,     2,     4,     9,     0,     2,     0,     2,     0,     2,
       3,     2,     2,     4,     3,     2,     0,     2,     0,     2,
       0,     2,     0,     2,     0,     2,     3,     2,     2,     3,
       3,     1,     0,     4,     1,     3,     3,     3,     3,     0,
       2,     7,     1,     1,     0,     2,     3,     6,     5,     0,
       2,     1,     1,     2,     2,     3,     3,     1,     2,     1,
       3,     1,     1,     3,     3,     1,     1,     1,     1,     1,
       1,     1,     3,     2,     3,     2,     3,     3,     2,     4,
       3,     5,     1,     3,     3,     1,     2,     1,     1,     3,
       3,     0,     2,     4,     3,     1,     1,     1,     1,     1,
       1,     0,     2,     2,     4,     1,     2,     2,     3,     3,
       1,     2,     2,     3,     1,     2,     1,     3,     2,     2,
       3,     3,     1,     3,     1,     5,     5,     0,     1,     1,
       3,     3,     1,     1,     3,     3,     1,     2,     1,     1,
       3,     3,     1,     1,     1,     1,     1,     1,     2,     1,
       1,     2,     1,     4,     2,     2,     2,     3,     3,     3,
       3,     3,     3,     3,     3,     3,     3,     3,     3,     1,
       2,     1,     3,     4,     3,     5,     1,     1,     1,     1,
       1,     1,     1,     2,     3,     3,     3,     4,     2,     4,
       4,     2,     4,     4,     4,     6,     3,     2,     5,     4,
       0,     2,     2,     3,     4,     3,     3,     1,     1,     2,
       2,     3,     3,     1,     1,     2,     1,     4,     3,     0,
       2,     0,     1,     5,     6,     6,     7,     0,     3,     1,
       2,     2,     3,     3,     1,     2,     1,     1,     2,     2,
       1,     3,     0,     2,     7,     0,     1,     0,     2,     0,
       2
};


enum { YYENOMEM = -2 };

#define yyerrok         (yyerrstatus = 0)
#define yyclearin       (yychar = TOK_GRAMMAR_EMPTY)

#define YYACCEPT        goto yyacceptlab
#define YYABORT         goto yyabortlab
#define YYERROR         goto yyerrorlab
#define YYNOMEM         goto yyexhaustedlab


#define YYRECOVERING()  (!!yyerrstatus)

#define YYBACKUP(Token, Value)                                    \
  do                                                              \
    if (yychar == TOK_GRAMMAR_EMPTY)                                        \
      {                                                           \
        yychar = (Token);                                         \
        yylval = (Value);                                         \
        YYPOPSTACK (yylen);                                       \
        yystate = *yyssp;                                         \
        goto yybackup;                                            \
      }                                                           \
    else                                                          \
      {                                                           \
        yyerror (&yylloc, b, YY_("syntax error: cannot back up")); \
        YYERROR;                                                  \
      }                                                           \
  while (0)

/* Backward compatibility with an undocumented macro.
   Use TOK_GRAMMAR_error or TOK_GRAMMAR_UNDEF. */
#define YYERRCODE TOK_GRAMMAR_UNDEF

/* YYLLOC_DEFAULT -- Set CURRENT to span from RHS[1] to RHS[N].
   If N is 0, then set CURRENT to the empty location which ends
   the previous symbol: RHS[0] (always defined).  */

#ifndef YYLLOC_DEFAULT
# define YYLLOC_DEFAULT(Current, Rhs, N)                                \
    do                                                                  \
      if (N)                                                            \
        {                                                               \
          (Current).first_line   = YYRHSLOC (Rhs, 1).first_line;        \
          (Current).first_column = YYRHSLOC (Rhs, 1).first_column;      \
          (Current).last_line    = YYRHSLOC (Rhs, N).last_line;         \
          (Current).last_column  = YYRHSLOC (Rhs, N).last_column;       \
        }                                                               \
      else                                                              \
        {                                                               \
          (Current).first_line   = (Current).last_line   =              \
            YYRHSLOC (Rhs, 0).last_line;                                \
          (Current).first_column = (Current).last_column =              \
            YYRHSLOC (Rhs, 0).last_column;                              \
        }                                                               \
    while (0)
#endif

#define YYRHSLOC(Rhs, K) ((Rhs)[K])


/* Enable debugging if requested.  */
#if GRAMMAR_DEBUG

# ifndef YYFPRINTF
#  include <stdio.h> /* INFRINGES ON USER NAME SPACE */
#  define YYFPRINTF fprintf
# endif

# define YYDPRINTF(Args)                        \
do {                                            \
  if (yydebug)                                  \
    YYFPRINTF Args;                             \
} while (0)


/* YYLOCATION_PRINT -- Print the location on the stream.
   This macro was not mandated originally: define only if we know
   we won't break user code: when these are the locations we know.  */

# ifndef YYLOCATION_PRINT

#  if defined YY_LOCATION_PRINT

   /* Temporary convenience wrapper in case some people defined the
      undocumented and private YY_LOCATION_PRINT macros.  */
#   define YYLOCATION_PRINT(File, Loc)  YY_LOCATION_PRINT(File, *(Loc))

#  elif defined GRAMMAR_LTYPE_IS_TRIVIAL && GRAMMAR_LTYPE_IS_TRIVIAL

/* Print *YYLOCP on YYO.  Private, do not rely on its existence. */

YY_ATTRIBUTE_UNUSED
static int
yy_location_print_ (FILE *yyo, YYLTYPE const * const yylocp)
{
  int res = 0;
  int end_col = 0 != yylocp->last_column ? yylocp->last_column - 1 : 0;
  if (0 <= yylocp->first_line)
    {
      res += YYFPRINTF (yyo, "%d", yylocp->first_line);
      if (0 <= yylocp->first_column)
        res += YYFPRINTF (yyo, ".%d", yylocp->first_column);
    }
  if (0 <= yylocp->last_line)
    {
      if (yylocp->first_line < yylocp->last_line)
        {
          res += YYFPRINTF (yyo, "-%d", yylocp->last_line);
          if (0 <= end_col)
            res += YYFPRINTF (yyo, ".%d", end_col);
        }
      else if (0 <= end_col && yylocp->first_column < end_col)
        res += YYFPRINTF (yyo, "-%d", end_col);
    }
  return res;
}

#   define YYLOCATION_PRINT  yy_location_print_

    /* Temporary convenience wrapper in case some people defined the
       undocumented and private YY_LOCATION_PRINT macros.  */
#   define YY_LOCATION_PRINT(File, Loc)  YYLOCATION_PRINT(File, &(Loc))

#  else

#   define YYLOCATION_PRINT(File, Loc) ((void) 0)
    /* Temporary convenience wrapper in case some people defined the
       undocumented and private YY_LOCATION_PRINT macros.  */
#   define YY_LOCATION_PRINT  YYLOCATION_PRINT

#  endif
# endif /* !defined YYLOCATION_PRINT */


# define YY_SYMBOL_PRINT(Title, Kind, Value, Location)                    \
do {                                                                      \
  if (yydebug)                                                            \
    {                                                                     \
      YYFPRINTF (stderr, "%s ", Title);                                   \
      yy_symbol_print (stderr,                                            \
                  Kind, Value, Location, b); \
      YYFPRINTF (stderr, "\n");                                           \
    }                                                                     \
} while (0)


/*-----------------------------------.
| Print this symbol's value on YYO.  |
`-----------------------------------*/

static void
yy_symbol_value_print (FILE *yyo,
                       yysymbol_kind_t yykind, YYSTYPE const * const yyvaluep, YYLTYPE const * const yylocationp, struct Build *b)
{
  FILE *yyoutput = yyo;
  YY_USE (yyoutput);
  YY_USE (yylocationp);
  YY_USE (b);
  if (!yyvaluep)
    return;
  YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
  YY_USE (yykind);
  YY_IGNORE_MAYBE_UNINITIALIZED_END
}


/*---------------------------.
| Print this symbol on YYO.  |
`---------------------------*/

static void
yy_symbol_print (FILE *yyo,
                 yysymbol_kind_t yykind, YYSTYPE const * const yyvaluep, YYLTYPE const * const yylocationp, struct Build *b)
{
  YYFPRINTF (yyo, "%s %s (",
             yykind < YYNTOKENS ? "token" : "nterm", yysymbol_name (yykind));

  YYLOCATION_PRINT (yyo, yylocationp);
  YYFPRINTF (yyo, ": ");
  yy_symbol_value_print (yyo, yykind, yyvaluep, yylocationp, b);
  YYFPRINTF (yyo, ")");
}

/*------------------------------------------------------------------.
| yy_stack_print -- Print the state stack from its BOTTOM up to its |
| TOP (included).                                                   |
`------------------------------------------------------------------*/

static void
yy_stack_print (yy_state_t *yybottom, yy_state_t *yytop)
{
  YYFPRINTF (stderr, "Stack now");
  for (; yybottom <= yytop; yybottom++)
    {
      int yybot = *yybottom;
      YYFPRINTF (stderr, " %d", yybot);
    }
  YYFPRINTF (stderr, "\n");
}

# define YY_STACK_PRINT(Bottom, Top)                            \
do {                                                            \
  if (yydebug)                                                  \
    yy_stack_print ((Bottom), (Top));                           \
} while (0)


/*------------------------------------------------.
| Report that the YYRULE is going to be reduced.  |
`------------------------------------------------*/

static void
yy_reduce_print (yy_state_t *yyssp, YYSTYPE *yyvsp, YYLTYPE *yylsp,
                 int yyrule, struct Build *b)
{
  int yylno = yyrline[yyrule];
  int yynrhs = yyr2[yyrule];
  int yyi;
  YYFPRINTF (stderr, "Reducing stack by rule %d (line %d):\n",
             yyrule - 1, yylno);
  /* The symbols being reduced.  */
  for (yyi = 0; yyi < yynrhs; yyi++)
    {
      YYFPRINTF (stderr, "   $%d = ", yyi + 1);
      yy_symbol_print (stderr,
                       YY_ACCESSING_SYMBOL (+yyssp[yyi + 1 - yynrhs]),
                       &yyvsp[(yyi + 1) - (yynrhs)],
                       &(yylsp[(yyi + 1) - (yynrhs)]), b);
      YYFPRINTF (stderr, "\n");
    }
}

# define YY_REDUCE_PRINT(Rule)          \
do {                                    \
  if (yydebug)                          \
    yy_reduce_print (yyssp, yyvsp, yylsp, Rule, b); \
} while (0)

/* Nonzero means print parse trace.  It is left uninitialized so that
   multiple parsers can coexist.  */
int yydebug;
#else /* !GRAMMAR_DEBUG */
# define YYDPRINTF(Args) ((void) 0)
# define YY_SYMBOL_PRINT(Title, Kind, Value, Location)
# define YY_STACK_PRINT(Bottom, Top)
# define YY_REDUCE_PRINT(Rule)
#endif /* !GRAMMAR_DEBUG */


/* YYINITDEPTH -- initial size of the parser's stacks.  */
#ifndef YYINITDEPTH
# define YYINITDEPTH 200
#endif

/* YYMAXDEPTH -- maximum size the stacks can grow to (effective only
   if the built-in stack extension method is used).

   Do not make this value too large; the results are undefined if
   YYSTACK_ALLOC_MAXIMUM < YYSTACK_BYTES (YYMAXDEPTH)
   evaluated with infinite-precision integer arithmetic.  */

#ifndef YYMAXDEPTH
# define YYMAXDEPTH 10000
#endif


/* Context of a parse error.  */
typedef struct
{
  yy_state_t *yyssp;
  yysymbol_kind_t yytoken;
  YYLTYPE *yylloc;
} yypcontext_t;

/* Put in YYARG at most YYARGN of the expected tokens given the
   current YYCTX, and return the number of tokens stored in YYARG.  If
   YYARG is null, return the number of expected tokens (guaranteed to
   be less than YYNTOKENS).  Return YYENOMEM on memory exhaustion.
   Return 0 if there are more than YYARGN expected tokens, yet fill
   YYARG up to YYARGN. */
static int
yypcontext_expected_tokens (const yypcontext_t *yyctx,
                            yysymbol_kind_t yyarg[], int yyargn)
{
  /* Actual size of YYARG. */
  int yycount = 0;
  int yyn = yypact[+*yyctx->yyssp];
  if (!yypact_value_is_default (yyn))
    {
      /* Start YYX at -YYN if negative to avoid negative indexes in
         YYCHECK.  In other words, skip the first -YYN actions for
         this state because they are default actions.  */
      int yyxbegin = yyn < 0 ? -yyn : 0;
      /* Stay within bounds of both yycheck and yytname.  */
      int yychecklim = YYLAST - yyn + 1;
      int yyxend = yychecklim < YYNTOKENS ? yychecklim : YYNTOKENS;
      int yyx;
      for (yyx = yyxbegin; yyx < yyxend; ++yyx)
        if (yycheck[yyx + yyn] == yyx && yyx != YYSYMBOL_YYerror
            && !yytable_value_is_error (yytable[yyx + yyn]))
          {
            if (!yyarg)
              ++yycount;
            else if (yycount == yyargn)
              return 0;
            else
              yyarg[yycount++] = YY_CAST (yysymbol_kind_t, yyx);
          }
    }
  if (yyarg && yycount == 0 && 0 < yyargn)
    yyarg[0] = YYSYMBOL_YYEMPTY;
  return yycount;
}




/* The kind of the lookahead of this context.  */
static yysymbol_kind_t
yypcontext_token (const yypcontext_t *yyctx) YY_ATTRIBUTE_UNUSED;

static yysymbol_kind_t
yypcontext_token (const yypcontext_t *yyctx)
{
  return yyctx->yytoken;
}

/* The location of the lookahead of this context.  */
static YYLTYPE *
yypcontext_location (const yypcontext_t *yyctx) YY_ATTRIBUTE_UNUSED;

static YYLTYPE *
yypcontext_location (const yypcontext_t *yyctx)
{
  return yyctx->yylloc;
}

/* User defined function to report a syntax error.  */
static int
yyreport_syntax_error (const yypcontext_t *yyctx, struct Build *b);

/*-----------------------------------------------.
| Release the memory associated to this symbol.  |
`-----------------------------------------------*/

static void
yydestruct (const char *yymsg,
            yysymbol_kind_t yykind, YYSTYPE *yyvaluep, YYLTYPE *yylocationp, struct Build *b)
{
  YY_USE (yyvaluep);
  YY_USE (yylocationp);
  YY_USE (b);
  if (!yymsg)
    yymsg = "Deleting";
  YY_SYMBOL_PRINT (yymsg, yykind, yyvaluep, yylocationp);

  YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
  YY_USE (yykind);
  YY_IGNORE_MAYBE_UNINITIALIZED_END
}






/*----------.
| yyparse.  |
`----------*/

int
yyparse (struct Build *b)
{
/* Lookahead token kind.  */
int yychar;


/* The semantic value of the lookahead symbol.  */
/* Default value used for initialization, for pacifying older GCCs
   or non-GCC compilers.  */
YY_INITIAL_VALUE (static YYSTYPE yyval_default;)
YYSTYPE yylval YY_INITIAL_VALUE (= yyval_default);

/* Location data for the lookahead symbol.  */
static YYLTYPE yyloc_default
# if defined GRAMMAR_LTYPE_IS_TRIVIAL && GRAMMAR_LTYPE_IS_TRIVIAL
  = { 1, 1, 1, 1 }
# endif
;
YYLTYPE yylloc = yyloc_default;

    /* Number of syntax errors so far.  */
    int yynerrs = 0;

    yy_state_fast_t yystate = 0;
    /* Number of tokens to shift before error messages enabled.  */
    int yyerrstatus = 0;

    /* Refer to the stacks through separate pointers, to allow yyoverflow
       to reallocate them elsewhere.  */

    /* Their size.  */
    YYPTRDIFF_T yystacksize = YYINITDEPTH;

    /* The state stack: array, bottom, top.  */
    yy_state_t yyssa[YYINITDEPTH];
    yy_state_t *yyss = yyssa;
    yy_state_t *yyssp = yyss;

    /* The semantic value stack: array, bottom, top.  */
    YYSTYPE yyvsa[YYINITDEPTH];
    YYSTYPE *yyvs = yyvsa;
    YYSTYPE *yyvsp = yyvs;

    /* The location stack: array, bottom, top.  */
    YYLTYPE yylsa[YYINITDEPTH];
    YYLTYPE *yyls = yylsa;
    YYLTYPE *yylsp = yyls;

  int yyn;
  /* The return value of yyparse.  */
  int yyresult;
  /* Lookahead symbol kind.  */
  yysymbol_kind_t yytoken = YYSYMBOL_YYEMPTY;
  /* The variables used to return semantic value and location from the
     action routines.  */
  YYSTYPE yyval;
  YYLTYPE yyloc;

  /* The locations where the error started and ended.  */
  YYLTYPE yyerror_range[3];



#define YYPOPSTACK(N)   (yyvsp -= (N), yyssp -= (N), yylsp -= (N))

  /* The number of symbols on the RHS of the reduced rule.
     Keep to zero when no symbol should be popped.  */
  int yylen = 0;

  YYDPRINTF ((stderr, "Starting parse\n"));

  yychar = TOK_GRAMMAR_EMPTY; /* Cause a token to be read.  */


/* User initialization code.  */
#line 24 "compiler/front/parser.y"
{ yylloc = (Span){0, 0}; }

#line 2015 "build2/gen/parser.c"

  yylsp[0] = yylloc;
  goto yysetstate;


/*------------------------------------------------------------.
| yynewstate -- push a new state, which is found in yystate.  |
`------------------------------------------------------------*/
yynewstate:
  /* In all cases, when you get here, the value and location stacks
     have just been pushed.  So pushing a state here evens the stacks.  */
  yyssp++;


/*--------------------------------------------------------------------.
| yysetstate -- set current state (the top of the stack) to yystate.  |
`--------------------------------------------------------------------*/
yysetstate:
  YYDPRINTF ((stderr, "Entering state %d\n", yystate));
  YY_ASSERT (0 <= yystate && yystate < YYNSTATES);
  YY_IGNORE_USELESS_CAST_BEGIN
  *yyssp = YY_CAST (yy_state_t, yystate);
  YY_IGNORE_USELESS_CAST_END
  YY_STACK_PRINT (yyss, yyssp);

  if (yyss + yystacksize - 1 <= yyssp)
#if !defined yyoverflow && !defined YYSTACK_RELOCATE
    YYNOMEM;
#else
    {
      /* Get the current used size of the three stacks, in elements.  */
      YYPTRDIFF_T yysize = yyssp - yyss + 1;

# if defined yyoverflow
      {
        /* Give user a chance to reallocate the stack.  Use copies of
           these so that the &'s don't force the real ones into
           memory.  */
        yy_state_t *yyss1 = yyss;
        YYSTYPE *yyvs1 = yyvs;
        YYLTYPE *yyls1 = yyls;

        /* Each stack pointer address is followed by the size of the
           data in use in that stack, in bytes.  This used to be a
           conditional around just the two extra args, but that might
           be undefined if yyoverflow is a macro.  */
        yyoverflow (YY_("memory exhausted"),
                    &yyss1, yysize * YYSIZEOF (*yyssp),
                    &yyvs1, yysize * YYSIZEOF (*yyvsp),
                    &yyls1, yysize * YYSIZEOF (*yylsp),
                    &yystacksize);
        yyss = yyss1;
        yyvs = yyvs1;
        yyls = yyls1;
      }
# else /* defined YYSTACK_RELOCATE */
      /* Extend the stack our own way.  */
      if (YYMAXDEPTH <= yystacksize)
        YYNOMEM;
      yystacksize *= 2;
      if (YYMAXDEPTH < yystacksize)
        yystacksize = YYMAXDEPTH;

      {
        yy_state_t *yyss1 = yyss;
        union yyalloc *yyptr =
          YY_CAST (union yyalloc *,
                   YYSTACK_ALLOC (YY_CAST (YYSIZE_T, YYSTACK_BYTES (yystacksize))));
        if (! yyptr)
          YYNOMEM;
        YYSTACK_RELOCATE (yyss_alloc, yyss);
        YYSTACK_RELOCATE (yyvs_alloc, yyvs);
        YYSTACK_RELOCATE (yyls_alloc, yyls);
#  undef YYSTACK_RELOCATE
        if (yyss1 != yyssa)
          YYSTACK_FREE (yyss1);
      }
# endif

      yyssp = yyss + yysize - 1;
      yyvsp = yyvs + yysize - 1;
      yylsp = yyls + yysize - 1;

      YY_IGNORE_USELESS_CAST_BEGIN
      YYDPRINTF ((stderr, "Stack size increased to %ld\n",
                  YY_CAST (long, yystacksize)));
      YY_IGNORE_USELESS_CAST_END

      if (yyss + yystacksize - 1 <= yyssp)
        YYABORT;
    }
#endif /* !defined yyoverflow && !defined YYSTACK_RELOCATE */


  if (yystate == YYFINAL)
    YYACCEPT;

  goto yybackup;


/*-----------.
| yybackup.  |
`-----------*/
yybackup:
  /* Do appropriate processing given the current state.  Read a
     lookahead token if we need one and don't already have one.  */

  /* First try to decide what to do without reference to lookahead token.  */
  yyn = yypact[yystate];
  if (yypact_value_is_default (yyn))
    goto yydefault;

  /* Not known => get a lookahead token if don't already have one.  */

  /* YYCHAR is either empty, or end-of-input, or a valid lookahead.  */
  if (yychar == TOK_GRAMMAR_EMPTY)
    {
      YYDPRINTF ((stderr, "Reading a token\n"));
      yychar = yylex (&yylval, &yylloc, b);
    }

  if (yychar <= TOK_END)
    {
      yychar = TOK_END;
      yytoken = YYSYMBOL_YYEOF;
      YYDPRINTF ((stderr, "Now at end of input.\n"));
    }
  else if (yychar == TOK_GRAMMAR_error)
    {
      /* The scanner already issued an error message, process directly
         to error recovery.  But do not keep the error token as
         lookahead, it is too special and may lead us to an endless
         loop in error recovery. */
      yychar = TOK_GRAMMAR_UNDEF;
      yytoken = YYSYMBOL_YYerror;
      yyerror_range[1] = yylloc;
      goto yyerrlab1;
    }
  else
    {
      yytoken = YYTRANSLATE (yychar);
      YY_SYMBOL_PRINT ("Next token is", yytoken, &yylval, &yylloc);
    }

  /* If the proper action on seeing token YYTOKEN is to reduce or to
     detect an error, take that action.  */
  yyn += yytoken;
  if (yyn < 0 || YYLAST < yyn || yycheck[yyn] != yytoken)
    goto yydefault;
  yyn = yytable[yyn];
  if (yyn <= 0)
    {
      if (yytable_value_is_error (yyn))
        goto yyerrlab;
      yyn = -yyn;
      goto yyreduce;
    }

  /* Count tokens shifted since error; after three, turn off error
     status.  */
  if (yyerrstatus)
    yyerrstatus--;

  /* Shift the lookahead token.  */
  YY_SYMBOL_PRINT ("Shifting", yytoken, &yylval, &yylloc);
  yystate = yyn;
  YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
  *++yyvsp = yylval;
  YY_IGNORE_MAYBE_UNINITIALIZED_END
  *++yylsp = yylloc;

  /* Discard the shifted token.  */
  yychar = TOK_GRAMMAR_EMPTY;
  goto yynewstate;


/*-----------------------------------------------------------.
| yydefault -- do the default action for the current state.  |
`-----------------------------------------------------------*/
yydefault:
  yyn = yydefact[yystate];
  if (yyn == 0)
    goto yyerrlab;
  goto yyreduce;


/*-----------------------------.
| yyreduce -- do a reduction.  |
`-----------------------------*/
yyreduce:
  /* yyn is the number of a rule to reduce with.  */
  yylen = yyr2[yyn];

  /* If YYLEN is nonzero, implement the default value of the action:
     '$$ = $1'.

     Otherwise, the following line sets YYVAL to garbage.
     This behavior is undocumented and Bison
     users should not rely upon it.  Assigning to YYVAL
     unconditionally makes the parser a bit smaller, and it avoids a
     GCC warning that YYVAL may be used uninitialized.  */
  yyval = yyvsp[1-yylen];

  /* Default location. */
  YYLLOC_DEFAULT (yyloc, (yylsp - yylen), yylen);
  yyerror_range[1] = yyloc;
  YY_REDUCE_PRINT (yyn);
  switch (yyn)
    {
  case 2: /* file: statements  */
#line 157 "compiler/front/parser.y"
                                        { b->unit = unit_module(A, stmts_list((yyvsp[0].stmts))); }
#line 2228 "build2/gen/parser.c"
    break;

  case 3: /* statements: %empty  */
#line 163 "compiler/front/parser.y"
                                        { (yyval.stmts) = NULL; }
#line 2234 "build2/gen/parser.c"
    break;

  case 4: /* statements: statements simple_stmt "end of line"  */
#line 164 "compiler/front/parser.y"
                                        { (yyval.stmts) = stmts_add(b, (yyvsp[-2].stmts), (yyvsp[-1].stmt)); }
#line 2240 "build2/gen/parser.c"
    break;

  case 5: /* statements: statements several "end of line"  */
#line 165 "compiler/front/parser.y"
                                        { (yyval.stmts) = build_append(b, (yyvsp[-2].stmts), (yyvsp[-1].stmts)); }
#line 2246 "build2/gen/parser.c"
    break;

  case 6: /* statements: statements compound_stmt  */
#line 166 "compiler/front/parser.y"
                                        { (yyval.stmts) = stmts_add(b, (yyvsp[-1].stmts), (yyvsp[0].stmt)); }
#line 2252 "build2/gen/parser.c"
    break;

  case 7: /* statements: statements error "end of line"  */
#line 167 "compiler/front/parser.y"
                                        { (yyval.stmts) = (yyvsp[-2].stmts); yyerrok; }
#line 2258 "build2/gen/parser.c"
    break;

  case 8: /* statements: statements error "end of line" "indented block" statements "end of block"  */
#line 168 "compiler/front/parser.y"
                                                        { (yyval.stmts) = (yyvsp[-5].stmts); yyerrok; }
#line 2264 "build2/gen/parser.c"
    break;

  case 9: /* statements: statements error "indented block" statements "end of block"  */
#line 169 "compiler/front/parser.y"
                                                        { (yyval.stmts) = build_append(b, (yyvsp[-4].stmts), (yyvsp[-1].stmts)); yyerrok; }
#line 2270 "build2/gen/parser.c"
    break;

  case 10: /* several: simple_stmt ";"  */
#line 173 "compiler/front/parser.y"
                                        { (yyval.stmts) = stmts_add(b, NULL, (yyvsp[-1].stmt)); }
#line 2276 "build2/gen/parser.c"
    break;

  case 13: /* several_stmts: simple_stmt ";" simple_stmt  */
#line 179 "compiler/front/parser.y"
                                        { (yyval.stmts) = stmts_add(b, stmts_add(b, NULL, (yyvsp[-2].stmt)), (yyvsp[0].stmt)); }
#line 2282 "build2/gen/parser.c"
    break;

  case 14: /* several_stmts: several_stmts ";" simple_stmt  */
#line 180 "compiler/front/parser.y"
                                        { (yyval.stmts) = stmts_add(b, (yyvsp[-2].stmts), (yyvsp[0].stmt)); }
#line 2288 "build2/gen/parser.c"
    break;

  case 15: /* block: "end of line" "indented block" statements "end of block"  */
#line 184 "compiler/front/parser.y"
                                        { (yyval.stmts) = (yyvsp[-1].stmts); }
#line 2294 "build2/gen/parser.c"
    break;

  case 16: /* block: simple_stmt "end of line"  */
#line 185 "compiler/front/parser.y"
                                        { (yyval.stmts) = stmts_add(b, NULL, (yyvsp[-1].stmt)); }
#line 2300 "build2/gen/parser.c"
    break;

  case 18: /* block: "end of line" error  */
#line 187 "compiler/front/parser.y"
                                        { (yyval.stmts) = NULL; yyerrok; }
#line 2306 "build2/gen/parser.c"
    break;

  case 20: /* simple_stmt: star_expressions  */
#line 192 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_expr(A, (yyloc), (yyvsp[0].expr)); }
#line 2312 "build2/gen/parser.c"
    break;

  case 21: /* simple_stmt: yield_expr  */
#line 193 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_expr(A, (yyloc), (yyvsp[0].expr)); }
#line 2318 "build2/gen/parser.c"
    break;

  case 22: /* simple_stmt: "type" "name" opt_type_params "=" expression  */
#line 195 "compiler/front/parser.y"
        { (yyval.stmt) = stmt_type_alias(A, (yyloc), build_name(b, (yyvsp[-3].token), STORE), type_params_list((yyvsp[-2].type_params)), (yyvsp[0].expr)); }
#line 2324 "build2/gen/parser.c"
    break;

  case 23: /* simple_stmt: "return" opt_return  */
#line 196 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_return(A, (yyloc), (yyvsp[0].expr)); }
#line 2330 "build2/gen/parser.c"
    break;

  case 25: /* simple_stmt: "raise"  */
#line 198 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_raise(A, (yyloc), NULL, NULL); }
#line 2336 "build2/gen/parser.c"
    break;

  case 26: /* simple_stmt: "raise" expression  */
#line 199 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_raise(A, (yyloc), (yyvsp[0].expr), NULL); }
#line 2342 "build2/gen/parser.c"
    break;

  case 27: /* simple_stmt: "raise" expression "from" expression  */
#line 200 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_raise(A, (yyloc), (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2348 "build2/gen/parser.c"
    break;

  case 28: /* simple_stmt: "pass"  */
#line 201 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_pass(A, (yyloc)); }
#line 2354 "build2/gen/parser.c"
    break;

  case 29: /* simple_stmt: "del" del_targets opt_comma  */
#line 202 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_delete(A, (yyloc), exprs_list((yyvsp[-1].exprs))); }
#line 2360 "build2/gen/parser.c"
    break;

  case 30: /* simple_stmt: "assert" expression  */
#line 203 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_assert(A, (yyloc), (yyvsp[0].expr), NULL); }
#line 2366 "build2/gen/parser.c"
    break;

  case 31: /* simple_stmt: "assert" expression "," expression  */
#line 204 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_assert(A, (yyloc), (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2372 "build2/gen/parser.c"
    break;

  case 32: /* simple_stmt: "break"  */
#line 205 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_break(A, (yyloc)); }
#line 2378 "build2/gen/parser.c"
    break;

  case 33: /* simple_stmt: "continue"  */
#line 206 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_continue(A, (yyloc)); }
#line 2384 "build2/gen/parser.c"
    break;

  case 34: /* simple_stmt: "global" name_list  */
#line 207 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_global(A, (yyloc), syms_list((yyvsp[0].syms))); }
#line 2390 "build2/gen/parser.c"
    break;

  case 35: /* simple_stmt: "nonlocal" name_list  */
#line 208 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_nonlocal(A, (yyloc), syms_list((yyvsp[0].syms))); }
#line 2396 "build2/gen/parser.c"
    break;

  case 37: /* compound_stmt: decorators definition  */
#line 213 "compiler/front/parser.y"
                                        { (yyval.stmt) = build_decorated((yyvsp[0].stmt), (yyvsp[-1].exprs)); }
#line 2402 "build2/gen/parser.c"
    break;

  case 38: /* compound_stmt: decorators error  */
#line 214 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_pass(A, (yylsp[-1])); }
#line 2408 "build2/gen/parser.c"
    break;

  case 43: /* compound_stmt: "async" async_able  */
#line 219 "compiler/front/parser.y"
                                        { (yyval.stmt) = build_async(b, (yyloc), (yyvsp[0].stmt)); }
#line 2414 "build2/gen/parser.c"
    break;

  case 48: /* definition: "async" function  */
#line 227 "compiler/front/parser.y"
                                        { (yyval.stmt) = build_async(b, (yyloc), (yyvsp[0].stmt)); }
#line 2420 "build2/gen/parser.c"
    break;

  case 51: /* opt_return: %empty  */
#line 236 "compiler/front/parser.y"
                                        { (yyval.expr) = NULL; }
#line 2426 "build2/gen/parser.c"
    break;

  case 53: /* name_list: "name"  */
#line 241 "compiler/front/parser.y"
                                        { (yyval.syms) = syms_add(b, NULL, (yyvsp[0].token)->sym); }
#line 2432 "build2/gen/parser.c"
    break;

  case 54: /* name_list: name_list "," "name"  */
#line 242 "compiler/front/parser.y"
                                        { (yyval.syms) = syms_add(b, (yyvsp[-2].syms), (yyvsp[0].token)->sym); }
#line 2438 "build2/gen/parser.c"
    break;

  case 55: /* del_targets: star_expression  */
#line 246 "compiler/front/parser.y"
                                        { (yyval.exprs) = exprs_add(b, NULL, build_delete_target(b, (yyvsp[0].expr))); }
#line 2444 "build2/gen/parser.c"
    break;

  case 56: /* del_targets: del_targets "," star_expression  */
#line 247 "compiler/front/parser.y"
                                        { (yyval.exprs) = exprs_add(b, (yyvsp[-2].exprs), build_delete_target(b, (yyvsp[0].expr))); }
#line 2450 "build2/gen/parser.c"
    break;

  case 57: /* opt_comma: %empty  */
#line 251 "compiler/front/parser.y"
                                        { (yyval.number) = 0; }
#line 2456 "build2/gen/parser.c"
    break;

  case 58: /* opt_comma: ","  */
#line 252 "compiler/front/parser.y"
                                        { (yyval.number) = 1; }
#line 2462 "build2/gen/parser.c"
    break;

  case 59: /* assignment: assign_targets rhs  */
#line 258 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_assign(A, (yyloc), exprs_list((yyvsp[-1].exprs)), (yyvsp[0].expr)); }
#line 2468 "build2/gen/parser.c"
    break;

  case 60: /* assignment: star_expressions augassign rhs  */
#line 260 "compiler/front/parser.y"
        { (yyval.stmt) = stmt_aug_assign(A, (yyloc), build_single_target(b, (yyvsp[-2].expr)), (Operator)(yyvsp[-1].number), (yyvsp[0].expr)); }
#line 2474 "build2/gen/parser.c"
    break;

  case 61: /* assignment: star_expressions ":" expression opt_value  */
#line 262 "compiler/front/parser.y"
        { (yyval.stmt) = build_ann_assign(b, (yyloc), (yylsp[-3]), (yyvsp[-3].expr), (yyvsp[-1].expr), (yyvsp[0].expr)); }
#line 2480 "build2/gen/parser.c"
    break;

  case 62: /* assign_targets: rhs "="  */
#line 266 "compiler/front/parser.y"
                                        { (yyval.exprs) = exprs_add(b, NULL, build_target(b, (yyvsp[-1].expr))); }
#line 2486 "build2/gen/parser.c"
    break;

  case 63: /* assign_targets: assign_targets rhs "="  */
#line 267 "compiler/front/parser.y"
                                        { (yyval.exprs) = exprs_add(b, (yyvsp[-2].exprs), build_target(b, (yyvsp[-1].expr))); }
#line 2492 "build2/gen/parser.c"
    break;

  case 66: /* opt_value: %empty  */
#line 276 "compiler/front/parser.y"
                                        { (yyval.expr) = NULL; }
#line 2498 "build2/gen/parser.c"
    break;

  case 67: /* opt_value: "=" rhs  */
#line 277 "compiler/front/parser.y"
                                        { (yyval.expr) = (yyvsp[0].expr); }
#line 2504 "build2/gen/parser.c"
    break;

  case 68: /* augassign: "+="  */
#line 281 "compiler/front/parser.y"
                                        { (yyval.number) = OPERATOR_ADD; }
#line 2510 "build2/gen/parser.c"
    break;

  case 69: /* augassign: "-="  */
#line 282 "compiler/front/parser.y"
                                        { (yyval.number) = OPERATOR_SUB; }
#line 2516 "build2/gen/parser.c"
    break;

  case 70: /* augassign: "*="  */
#line 283 "compiler/front/parser.y"
                                        { (yyval.number) = OPERATOR_MULT; }
#line 2522 "build2/gen/parser.c"
    break;

  case 71: /* augassign: "@="  */
#line 284 "compiler/front/parser.y"
                                        { (yyval.number) = OPERATOR_MAT_MULT; }
#line 2528 "build2/gen/parser.c"
    break;

  case 72: /* augassign: "/="  */
#line 285 "compiler/front/parser.y"
                                        { (yyval.number) = OPERATOR_DIV; }
#line 2534 "build2/gen/parser.c"
    break;

  case 73: /* augassign: "%="  */
#line 286 "compiler/front/parser.y"
                                        { (yyval.number) = OPERATOR_MOD; }
#line 2540 "build2/gen/parser.c"
    break;

  case 74: /* augassign: "&="  */
#line 287 "compiler/front/parser.y"
                                        { (yyval.number) = OPERATOR_BIT_AND; }
#line 2546 "build2/gen/parser.c"
    break;

  case 75: /* augassign: "|="  */
#line 288 "compiler/front/parser.y"
                                        { (yyval.number) = OPERATOR_BIT_OR; }
#line 2552 "build2/gen/parser.c"
    break;

  case 76: /* augassign: "^="  */
#line 289 "compiler/front/parser.y"
                                        { (yyval.number) = OPERATOR_BIT_XOR; }
#line 2558 "build2/gen/parser.c"
    break;

  case 77: /* augassign: "<<="  */
#line 290 "compiler/front/parser.y"
                                        { (yyval.number) = OPERATOR_L_SHIFT; }
#line 2564 "build2/gen/parser.c"
    break;

  case 78: /* augassign: ">>="  */
#line 291 "compiler/front/parser.y"
                                        { (yyval.number) = OPERATOR_R_SHIFT; }
#line 2570 "build2/gen/parser.c"
    break;

  case 79: /* augassign: "**="  */
#line 292 "compiler/front/parser.y"
                                        { (yyval.number) = OPERATOR_POW; }
#line 2576 "build2/gen/parser.c"
    break;

  case 80: /* augassign: "//="  */
#line 293 "compiler/front/parser.y"
                                        { (yyval.number) = OPERATOR_FLOOR_DIV; }
#line 2582 "build2/gen/parser.c"
    break;

  case 81: /* import_stmt: "import" import_names  */
#line 299 "compiler/front/parser.y"
                                        { (yyval.stmt) = stmt_import(A, (yyloc), aliases_list((yyvsp[0].aliases))); }
#line 2588 "build2/gen/parser.c"
    break;

  case 82: /* import_stmt: "from" dotted_name "import" import_targets  */
#line 301 "compiler/front/parser.y"
        { (yyval.stmt) = stmt_import_from(A, (yyloc), build_dotted_name(b, (yyvsp[-2].syms)), aliases_list((yyvsp[0].aliases)), 0); }
#line 2594 "build2/gen/parser.c"
    break;

  case 83: /* import_stmt: "from" dots dotted_name "import" import_targets  */
#line 303 "compiler/front/parser.y"
        { (yyval.stmt) = stmt_import_from(A, (yyloc), build_dotted_name(b, (yyvsp[-2].syms)), aliases_list((yyvsp[0].aliases)), (yyvsp[-3].number)); }
#line 2600 "build2/gen/parser.c"
    break;

  case 84: /* import_stmt: "from" dots "import" import_targets  */
#line 305 "compiler/front/parser.y"
        { (yyval.stmt) = stmt_import_from(A, (yyloc), NULL, aliases_list((yyvsp[0].aliases)), (yyvsp[-2].number)); }
#line 2606 "build2/gen/parser.c"
    break;

  case 85: /* dots: "."  */
#line 309 "compiler/front/parser.y"
                                        { (yyval.number) = 1; }
#line 2612 "build2/gen/parser.c"
    break;

  case 86: /* dots: "..."  */
#line 310 "compiler/front/parser.y"
                                        { (yyval.number) = 3; }
#line 2618 "build2/gen/parser.c"
    break;

  case 87: /* dots: dots "."  */
#line 311 "compiler/front/parser.y"
                                        { (yyval.number) = (yyvsp[-1].number) + 1; }
#line 2624 "build2/gen/parser.c"
    break;

  case 88: /* dots: dots "..."  */
#line 312 "compiler/front/parser.y"
                                        { (yyval.number) = (yyvsp[-1].number) + 3; }
#line 2630 "build2/gen/parser.c"
    break;

  case 89: /* dotted_name: "name"  */
#line 316 "compiler/front/parser.y"
                                        { (yyval.syms) = syms_add(b, NULL, (yyvsp[0].token)->sym); }
#line 2636 "build2/gen/parser.c"
    break;

  case 90: /* dotted_name: dotted_name "." "name"  */
#line 317 "compiler/front/parser.y"
                                        { (yyval.syms) = syms_add(b, (yyvsp[-2].syms), (yyvsp[0].token)->sym); }
#line 2642 "build2/gen/parser.c"
    break;

  case 91: /* opt_as: %empty  */
#line 321 "compiler/front/parser.y"
                                        { (yyval.token) = NULL; }
#line 2648 "build2/gen/parser.c"
    break;

  case 92: /* opt_as: "as" "name"  */
#line 322 "compiler/front/parser.y"
                                        { (yyval.token) = (yyvsp[0].token); }
#line 2654 "build2/gen/parser.c"
    break;

  case 93: /* import_names: import_name  */
#line 326 "compiler/front/parser.y"
                                        { (yyval.aliases) = aliases_add(b, NULL, (yyvsp[0].alias)); }
#line 2660 "build2/gen/parser.c"
    break;

  case 94: /* import_names: import_names "," import_name  */
#line 327 "compiler/front/parser.y"
                                        { (yyval.aliases) = aliases_add(b, (yyvsp[-2].aliases), (yyvsp[0].alias)); }
#line 2666 "build2/gen/parser.c"
    break;

  case 95: /* import_name: dotted_name opt_as  */
#line 332 "compiler/front/parser.y"
        { (yyval.alias) = alias_new(A, (yyloc), build_dotted_name(b, (yyvsp[-1].syms)), (yyvsp[0].token) ? (yyvsp[0].token)->sym : NULL); }
#line 2672 "build2/gen/parser.c"
    break;

  case 97: /* import_targets: "(" import_as_names opt_comma ")"  */
#line 337 "compiler/front/parser.y"
                                        { (yyval.aliases) = (yyvsp[-2].aliases); }
#line 2678 "build2/gen/parser.c"
    break;

  case 98: /* import_targets: "*"  */
#line 338 "compiler/front/parser.y"
            { (yyval.aliases) = aliases_add(b, NULL, alias_new(A, (yyloc), names_get(b->names, "*"), NULL)); }
#line 2684 "build2/gen/parser.c"
    break;

  case 99: /* import_as_names: import_as_name  */
#line 342 "compiler/front/parser.y"
                                            { (yyval.aliases) = aliases_add(b, NULL, (yyvsp[0].alias)); }
#line 2690 "build2/gen/parser.c"
    break;

  case 100: /* import_as_names: import_as_names "," import_as_name  */
#line 343 "compiler/front/parser.y"
                                            { (yyval.aliases) = aliases_add(b, (yyvsp[-2].aliases), (yyvsp[0].alias)); }
#line 2696 "build2/gen/parser.c"
    break;

  case 101: /* import_as_name: "name" opt_as  */
#line 347 "compiler/front/parser.y"
                                        { (yyval.alias) = alias_new(A, (yyloc), (yyvsp[-1].token)->sym, (yyvsp[0].token) ? (yyvsp[0].token)->sym : NULL); }
#line 2702 "build2/gen/parser.c"
    break;

  case 102: /* if_stmt: "if" named_expression ":" block elifs opt_else  */
#line 354 "compiler/front/parser.y"
        { (yyval.stmt) = build_if(b, (yyloc), (yyvsp[-4].expr), (yyvsp[-2].stmts), (yyvsp[-1].elifs), (yyvsp[0].stmts)); }
#line 2708 "build2/gen/parser.c"
    break;

  case 103: /* elifs: %empty  */
#line 358 "compiler/front/parser.y"
                                        { (yyval.elifs) = NULL; }
#line 2714 "build2/gen/parser.c"
    break;

  case 104: /* elifs: elifs "elif" named_expression ":" block  */
#line 360 "compiler/front/parser.y"
        { (yyval.elifs) = build_elif(b, (yyvsp[-4].elifs), (yylsp[-3]), (yyvsp[-2].expr), (yyvsp[0].stmts)); }
#line 2720 "build2/gen/parser.c"
    break;

  case 105: /* opt_else: %empty  */
#line 364 "compiler/front/parser.y"
                                        { (yyval.stmts) = NULL; }
#line 2726 "build2/gen/parser.c"
    break;

  case 106: /* opt_else: "else" ":" block  */
#line 365 "compiler/front/parser.y"
                                        { (yyval.stmts) = (yyvsp[0].stmts); }
#line 2732 "build2/gen/parser.c"
    break;

  case 107: /* while_stmt: "while" named_expression ":" block opt_else  */
#line 370 "compiler/front/parser.y"
        { (yyval.stmt) = stmt_while(A, (yyloc), (yyvsp[-3].expr), stmts_list((yyvsp[-1].stmts)), stmts_list((yyvsp[0].stmts))); }
#line 2738 "build2/gen/parser.c"
    break;

  case 108: /* for_stmt: "for" target_list "in" star_expressions ":" block opt_else  */
#line 375 "compiler/front/parser.y"
        { (yyval.stmt) = stmt_for(A, (yyloc), (yyvsp[-5].expr), (yyvsp[-3].expr), stmts_list((yyvsp[-1].stmts)), stmts_list((yyvsp[0].stmts))); }
#line 2744 "build2/gen/parser.c"
    break;

  case 109: /* with_stmt: "with" with_items ":" block  */
#line 380 "compiler/front/parser.y"
        { (yyval.stmt) = stmt_with(A, (yyloc), withitems_list((yyvsp[-2].withitems)), stmts_list((yyvsp[0].stmts))); }
#line 2750 "build2/gen/parser.c"
    break;

  case 110: /* with_stmt: "with" "(with" with_items opt_comma ")" ":" block  */
#line 382 "compiler/front/parser.y"
        { (yyval.stmt) = stmt_with(A, (yyloc), withitems_list((yyvsp[-4].withitems)), stmts_list((yyvsp[0].stmts))); }
#line 2756 "build2/gen/parser.c"
    break;

  case 111: /* with_items: with_item  */
#line 386 "compiler/front/parser.y"
                                        { (yyval.withitems) = withitems_add(b, NULL, (yyvsp[0].withitem)); }
#line 2762 "build2/gen/parser.c"
    break;

  case 112: /* with_items: with_items "," with_item  */
#line 387 "compiler/front/parser.y"
                                        { (yyval.withitems) = withitems_add(b, (yyvsp[-2].withitems), (yyvsp[0].withitem)); }
#line 2768 "build2/gen/parser.c"
    break;

  case 113: /* with_item: expression  */
#line 391 "compiler/front/parser.y"
                                        { (yyval.withitem) = withitem_new(A, (yyvsp[0].expr), NULL); }
#line 2774 "build2/gen/parser.c"
    break;

  case 114: /* with_item: expression "as" star_target  */
#line 392 "compiler/front/parser.y"
                                        { (yyval.withitem) = withitem_new(A, (yyvsp[-2].expr), build_target(b, (yyvsp[0].expr))); }
#line 2780 "build2/gen/parser.c"
    break;

  case 115: /* try_stmt: "try" ":" block handlers opt_else  */
#line 396 "compiler/front/parser.y"
                                        { (yyval.stmt) = build_try(b, (yyloc), (yyvsp[-2].stmts), (yyvsp[-1].handlers), (yyvsp[0].stmts), NULL); }
#line 2786 "build2/gen/parser.c"
    break;

  case 116: /* try_stmt: "try" ":" block handlers opt_else finally  */
#line 397 "compiler/front/parser.y"
                                                { (yyval.stmt) = build_try(b, (yyloc), (yyvsp[-3].stmts), (yyvsp[-2].handlers), (yyvsp[-1].stmts), (yyvsp[0].stmts)); }
#line 2792 "build2/gen/parser.c"
    break;

  case 117: /* try_stmt: "try" ":" block finally  */
#line 398 "compiler/front/parser.y"
                                        { (yyval.stmt) = build_try(b, (yyloc), (yyvsp[-1].stmts), NULL, NULL, (yyvsp[0].stmts)); }
#line 2798 "build2/gen/parser.c"
    break;

  case 118: /* try_stmt: "try" ":" block error  */
#line 399 "compiler/front/parser.y"
                                        { (yyval.stmt) = build_try(b, (yylsp[-3]), (yyvsp[-1].stmts), NULL, NULL, NULL); }
#line 2804 "build2/gen/parser.c"
    break;

  case 119: /* finally: "finally" ":" block  */
#line 403 "compiler/front/parser.y"
                                        { (yyval.stmts) = (yyvsp[0].stmts); }
#line 2810 "build2/gen/parser.c"
    break;

  case 120: /* handlers: handler  */
#line 407 "compiler/front/parser.y"
                                        { (yyval.handlers) = build_handler(b, NULL, false, (yylsp[0]), (yyvsp[0].handler)); }
#line 2816 "build2/gen/parser.c"
    break;

  case 121: /* handlers: star_handler  */
#line 408 "compiler/front/parser.y"
                                        { (yyval.handlers) = build_handler(b, NULL, true, (yylsp[0]), (yyvsp[0].handler)); }
#line 2822 "build2/gen/parser.c"
    break;

  case 122: /* handlers: handlers handler  */
#line 409 "compiler/front/parser.y"
                                        { (yyval.handlers) = build_handler(b, (yyvsp[-1].handlers), false, (yylsp[0]), (yyvsp[0].handler)); }
#line 2828 "build2/gen/parser.c"
    break;

  case 123: /* handlers: handlers star_handler  */
#line 410 "compiler/front/parser.y"
                                        { (yyval.handlers) = build_handler(b, (yyvsp[-1].handlers), true, (yylsp[0]), (yyvsp[0].handler)); }
#line 2834 "build2/gen/parser.c"
    break;

  case 124: /* handler: "except" ":" block  */
#line 415 "compiler/front/parser.y"
        { (yyval.handler) = excepthandler_except_handler(A, (yyloc), NULL, NULL, stmts_list((yyvsp[0].stmts))); }
#line 2840 "build2/gen/parser.c"
    break;

  case 125: /* handler: "except" expression opt_as ":" block  */
#line 417 "compiler/front/parser.y"
        { (yyval.handler) = excepthandler_except_handler(A, (yyloc), (yyvsp[-3].expr), (yyvsp[-2].token) ? (yyvsp[-2].token)->sym : NULL, stmts_list((yyvsp[0].stmts))); }
#line 2846 "build2/gen/parser.c"
    break;

  case 126: /* star_handler: "except" "*" expression opt_as ":" block  */
#line 422 "compiler/front/parser.y"
        { (yyval.handler) = excepthandler_except_handler(A, (yyloc), (yyvsp[-3].expr), (yyvsp[-2].token) ? (yyvsp[-2].token)->sym : NULL, stmts_list((yyvsp[0].stmts))); }
#line 2852 "build2/gen/parser.c"
    break;

  case 127: /* decorators: "@" named_expression "end of line"  */
#line 426 "compiler/front/parser.y"
                                        { (yyval.exprs) = exprs_add(b, NULL, (yyvsp[-1].expr)); }
#line 2858 "build2/gen/parser.c"
    break;

  case 128: /* decorators: decorators "@" named_expression "end of line"  */
#line 427 "compiler/front/parser.y"
                                                { (yyval.exprs) = exprs_add(b, (yyvsp[-3].exprs), (yyvsp[-1].expr)); }
#line 2864 "build2/gen/parser.c"
    break;

  case 129: /* class: "class" "name" opt_type_params opt_class_args ":" block  */
#line 432 "compiler/front/parser.y"
        { (yyval.stmt) = build_class(b, (yyloc), (yyvsp[-4].token), (yyvsp[-3].type_params), (yyvsp[-2].call_args), (yyvsp[0].stmts)); }
#line 2870 "build2/gen/parser.c"
    break;

  case 130: /* opt_class_args: %empty  */
#line 436 "compiler/front/parser.y"
                                        { (yyval.call_args) = NULL; }
#line 2876 "build2/gen/parser.c"
    break;

  case 131: /* opt_class_args: "(" ")"  */
#line 437 "compiler/front/parser.y"
                                        { (yyval.call_args) = NULL; }
#line 2882 "build2/gen/parser.c"
    break;

  case 132: /* opt_class_args: "(" args opt_comma ")"  */
#line 438 "compiler/front/parser.y"
                                        { (yyval.call_args) = (yyvsp[-2].call_args); }
#line 2888 "build2/gen/parser.c"
    break;

  case 133: /* function: "def" "name" opt_type_params "(" params ")" opt_returns ":" block  */
#line 443 "compiler/front/parser.y"
        {
            (yyval.stmt) = stmt_function_def(A, (yyloc), (yyvsp[-7].token)->sym, build_arguments(b, (yyvsp[-4].params)), stmts_list((yyvsp[0].stmts)),
                                   (ExprList){0}, (yyvsp[-2].expr), type_params_list((yyvsp[-6].type_params)));
        }
#line 2897 "build2/gen/parser.c"
    break;

  case 134: /* opt_returns: %empty  */
#line 450 "compiler/front/parser.y"
                                        { (yyval.expr) = NULL; }
#line 2903 "build2/gen/parser.c"
    break;

  case 135: /* opt_returns: "->" expression  */
#line 451 "compiler/front/parser.y"
                                        { (yyval.expr) = (yyvsp[0].expr); }
#line 2909 "build2/gen/parser.c"
    break;

  case 136: /* params: %empty  */
#line 457 "compiler/front/parser.y"
                                        { (yyval.params) = NULL; }
#line 2915 "build2/gen/parser.c"
    break;

  case 138: /* param_prefix: %empty  */
#line 463 "compiler/front/parser.y"
                                        { (yyval.params) = NULL; }
#line 2921 "build2/gen/parser.c"
    break;

  case 140: /* param_list: param_prefix param opt_default  */
#line 468 "compiler/front/parser.y"
                                        { (yyval.params) = build_param(b, (yyvsp[-2].params), (yyvsp[-1].arg), (yyvsp[0].expr)); }
#line 2927 "build2/gen/parser.c"
    break;

  case 141: /* param_list: param_prefix "/"  */
#line 469 "compiler/front/parser.y"
                                        { (yyval.params) = build_param_slash(b, (yyvsp[-1].params), (yylsp[0])); }
#line 2933 "build2/gen/parser.c"
    break;

  case 142: /* param_list: param_prefix "*"  */
#line 470 "compiler/front/parser.y"
                                        { (yyval.params) = build_param_bare_star(b, (yyvsp[-1].params), (yylsp[0])); }
#line 2939 "build2/gen/parser.c"
    break;

  case 143: /* param_list: param_prefix "*" "name" star_annotation  */
#line 472 "compiler/front/parser.y"
        { (yyval.params) = build_param_star(b, (yyvsp[-3].params), (yylsp[-2]), arg_new(A, span_join((yylsp[-1]), (yylsp[0])), (yyvsp[-1].token)->sym, (yyvsp[0].expr))); }
#line 2945 "build2/gen/parser.c"
    break;

  case 144: /* param_list: param_prefix "**" param  */
#line 473 "compiler/front/parser.y"
                                        { (yyval.params) = build_param_double_star(b, (yyvsp[-2].params), (yylsp[-1]), (yyvsp[0].arg)); }
#line 2951 "build2/gen/parser.c"
    break;

  case 145: /* param: "name" opt_annotation  */
#line 477 "compiler/front/parser.y"
                                        { (yyval.arg) = arg_new(A, (yyloc), (yyvsp[-1].token)->sym, (yyvsp[0].expr)); }
#line 2957 "build2/gen/parser.c"
    break;

  case 146: /* opt_annotation: %empty  */
#line 481 "compiler/front/parser.y"
                                        { (yyval.expr) = NULL; }
#line 2963 "build2/gen/parser.c"
    break;

  case 147: /* opt_annotation: ":" expression  */
#line 482 "compiler/front/parser.y"
                                        { (yyval.expr) = (yyvsp[0].expr); }
#line 2969 "build2/gen/parser.c"
    break;

  case 148: /* star_annotation: %empty  */
#line 486 "compiler/front/parser.y"
                                        { (yyval.expr) = NULL; }
#line 2975 "build2/gen/parser.c"
    break;

  case 149: /* star_annotation: ":" star_expression  */
#line 487 "compiler/front/parser.y"
                                        { (yyval.expr) = (yyvsp[0].expr); }
#line 2981 "build2/gen/parser.c"
    break;

  case 150: /* opt_default: %empty  */
#line 491 "compiler/front/parser.y"
                                        { (yyval.expr) = NULL; }
#line 2987 "build2/gen/parser.c"
    break;

  case 151: /* opt_default: "=" expression  */
#line 492 "compiler/front/parser.y"
                                        { (yyval.expr) = (yyvsp[0].expr); }
#line 2993 "build2/gen/parser.c"
    break;

  case 152: /* lambda_params: %empty  */
#line 496 "compiler/front/parser.y"
                                        { (yyval.params) = NULL; }
#line 2999 "build2/gen/parser.c"
    break;

  case 154: /* lambda_param_prefix: %empty  */
#line 501 "compiler/front/parser.y"
                                        { (yyval.params) = NULL; }
#line 3005 "build2/gen/parser.c"
    break;

  case 156: /* lambda_param_list: lambda_param_prefix lambda_param opt_default  */
#line 506 "compiler/front/parser.y"
                                                    { (yyval.params) = build_param(b, (yyvsp[-2].params), (yyvsp[-1].arg), (yyvsp[0].expr)); }
#line 3011 "build2/gen/parser.c"
    break;

  case 157: /* lambda_param_list: lambda_param_prefix "/"  */
#line 507 "compiler/front/parser.y"
                                                    { (yyval.params) = build_param_slash(b, (yyvsp[-1].params), (yylsp[0])); }
#line 3017 "build2/gen/parser.c"
    break;

  case 158: /* lambda_param_list: lambda_param_prefix "*"  */
#line 508 "compiler/front/parser.y"
                                                    { (yyval.params) = build_param_bare_star(b, (yyvsp[-1].params), (yylsp[0])); }
#line 3023 "build2/gen/parser.c"
    break;

  case 159: /* lambda_param_list: lambda_param_prefix "*" lambda_param  */
#line 509 "compiler/front/parser.y"
                                                    { (yyval.params) = build_param_star(b, (yyvsp[-2].params), (yylsp[-1]), (yyvsp[0].arg)); }
#line 3029 "build2/gen/parser.c"
    break;

  case 160: /* lambda_param_list: lambda_param_prefix "**" lambda_param  */
#line 511 "compiler/front/parser.y"
        { (yyval.params) = build_param_double_star(b, (yyvsp[-2].params), (yylsp[-1]), (yyvsp[0].arg)); }
#line 3035 "build2/gen/parser.c"
    break;

  case 161: /* lambda_param: "name"  */
#line 515 "compiler/front/parser.y"
                                        { (yyval.arg) = arg_new(A, (yyloc), (yyvsp[0].token)->sym, NULL); }
#line 3041 "build2/gen/parser.c"
    break;

  case 162: /* opt_type_params: %empty  */
#line 519 "compiler/front/parser.y"
                                        { (yyval.type_params) = NULL; }
#line 3047 "build2/gen/parser.c"
    break;

  case 163: /* opt_type_params: "[" type_param_list opt_comma "]"  */
#line 520 "compiler/front/parser.y"
                                        { (yyval.type_params) = (yyvsp[-2].type_params); }
#line 3053 "build2/gen/parser.c"
    break;

  case 164: /* type_param_list: type_param  */
#line 524 "compiler/front/parser.y"
                                        { (yyval.type_params) = type_params_add(b, NULL, (yyvsp[0].type_param)); }
#line 3059 "build2/gen/parser.c"
    break;

  case 165: /* type_param_list: type_param_list "," type_param  */
#line 525 "compiler/front/parser.y"
                                        { (yyval.type_params) = type_params_add(b, (yyvsp[-2].type_params), (yyvsp[0].type_param)); }
#line 3065 "build2/gen/parser.c"
    break;

  case 166: /* type_param: "name" opt_annotation opt_default  */
#line 529 "compiler/front/parser.y"
                                        { (yyval.type_param) = type_param_type_var(A, (yyloc), (yyvsp[-2].token)->sym, (yyvsp[-1].expr), (yyvsp[0].expr)); }
#line 3071 "build2/gen/parser.c"
    break;

  case 167: /* type_param: "*" "name" opt_star_default  */
#line 530 "compiler/front/parser.y"
                                        { (yyval.type_param) = type_param_type_var_tuple(A, (yyloc), (yyvsp[-1].token)->sym, (yyvsp[0].expr)); }
#line 3077 "build2/gen/parser.c"
    break;

  case 168: /* type_param: "**" "name" opt_default  */
#line 531 "compiler/front/parser.y"
                                        { (yyval.type_param) = type_param_param_spec(A, (yyloc), (yyvsp[-1].token)->sym, (yyvsp[0].expr)); }
#line 3083 "build2/gen/parser.c"
    break;

  case 169: /* opt_star_default: %empty  */
#line 535 "compiler/front/parser.y"
                                        { (yyval.expr) = NULL; }
#line 3089 "build2/gen/parser.c"
    break;

  case 170: /* opt_star_default: "=" star_expression  */
#line 536 "compiler/front/parser.y"
                                        { (yyval.expr) = (yyvsp[0].expr); }
#line 3095 "build2/gen/parser.c"
    break;

  case 171: /* match_stmt: "match" subject ":" "end of line" "indented block" cases "end of block"  */
#line 543 "compiler/front/parser.y"
        { (yyval.stmt) = stmt_match(A, (yyloc), (yyvsp[-5].expr), cases_list((yyvsp[-1].cases))); }
#line 3101 "build2/gen/parser.c"
    break;

  case 173: /* subject: star_named_tuple  */
#line 548 "compiler/front/parser.y"
                                        { (yyval.expr) = build_tuple(b, (yyloc), (yyvsp[0].exprs)); }
#line 3107 "build2/gen/parser.c"
    break;

  case 174: /* cases: %empty  */
#line 552 "compiler/front/parser.y"
                                        { (yyval.cases) = NULL; }
#line 3113 "build2/gen/parser.c"
    break;

  case 175: /* cases: cases case  */
#line 553 "compiler/front/parser.y"
                                        { (yyval.cases) = cases_add(b, (yyvsp[-1].cases), (yyvsp[0].match_case)); }
#line 3119 "build2/gen/parser.c"
    break;

  case 176: /* cases: cases error "end of line"  */
#line 554 "compiler/front/parser.y"
                                        { (yyval.cases) = (yyvsp[-2].cases); yyerrok; }
#line 3125 "build2/gen/parser.c"
    break;

  case 177: /* cases: cases error "end of line" "indented block" statements "end of block"  */
#line 555 "compiler/front/parser.y"
                                                    { (yyval.cases) = (yyvsp[-5].cases); yyerrok; }
#line 3131 "build2/gen/parser.c"
    break;

  case 178: /* case: "case" case_pattern opt_guard ":" block  */
#line 560 "compiler/front/parser.y"
        { (yyval.match_case) = match_case_new(A, (yyvsp[-3].pattern), (yyvsp[-2].expr), stmts_list((yyvsp[0].stmts))); }
#line 3137 "build2/gen/parser.c"
    break;

  case 179: /* opt_guard: %empty  */
#line 564 "compiler/front/parser.y"
                                        { (yyval.expr) = NULL; }
#line 3143 "build2/gen/parser.c"
    break;

  case 180: /* opt_guard: "if" named_expression  */
#line 565 "compiler/front/parser.y"
                                        { (yyval.expr) = (yyvsp[0].expr); }
#line 3149 "build2/gen/parser.c"
    break;

  case 182: /* case_pattern: pattern_tuple  */
#line 570 "compiler/front/parser.y"
                                { (yyval.pattern) = pattern_match_sequence(A, (yyloc), patterns_list((yyvsp[0].patterns))); }
#line 3155 "build2/gen/parser.c"
    break;

  case 183: /* pattern_tuple: maybe_star_pattern ","  */
#line 575 "compiler/front/parser.y"
                                        { (yyval.patterns) = patterns_add(b, NULL, (yyvsp[-1].pattern)); }
#line 3161 "build2/gen/parser.c"
    break;

  case 185: /* pattern_list: maybe_star_pattern "," maybe_star_pattern  */
#line 581 "compiler/front/parser.y"
        { (yyval.patterns) = patterns_add(b, patterns_add(b, NULL, (yyvsp[-2].pattern)), (yyvsp[0].pattern)); }
#line 3167 "build2/gen/parser.c"
    break;

  case 186: /* pattern_list: pattern_list "," maybe_star_pattern  */
#line 582 "compiler/front/parser.y"
                                            { (yyval.patterns) = patterns_add(b, (yyvsp[-2].patterns), (yyvsp[0].pattern)); }
#line 3173 "build2/gen/parser.c"
    break;

  case 188: /* maybe_star_pattern: "*" "name"  */
#line 587 "compiler/front/parser.y"
                                { (yyval.pattern) = pattern_match_star(A, (yyloc), build_capture((yyvsp[0].token))); }
#line 3179 "build2/gen/parser.c"
    break;

  case 190: /* pattern: or_pattern "as" "name"  */
#line 593 "compiler/front/parser.y"
        {
            build_refuse_wildcard(b, (yyvsp[0].token), "the name after `as`");
            (yyval.pattern) = pattern_match_as(A, (yyloc), (yyvsp[-2].pattern), (yyvsp[0].token)->sym);
        }
#line 3188 "build2/gen/parser.c"
    break;

  case 192: /* or_pattern: or_patterns  */
#line 601 "compiler/front/parser.y"
                                { (yyval.pattern) = pattern_match_or(A, (yyloc), patterns_list((yyvsp[0].patterns))); }
#line 3194 "build2/gen/parser.c"
    break;

  case 193: /* or_patterns: closed_pattern "|" closed_pattern  */
#line 606 "compiler/front/parser.y"
        { (yyval.patterns) = patterns_add(b, patterns_add(b, NULL, (yyvsp[-2].pattern)), (yyvsp[0].pattern)); }
#line 3200 "build2/gen/parser.c"
    break;

  case 194: /* or_patterns: or_patterns "|" closed_pattern  */
#line 607 "compiler/front/parser.y"
                                        { (yyval.patterns) = patterns_add(b, (yyvsp[-2].patterns), (yyvsp[0].pattern)); }
#line 3206 "build2/gen/parser.c"
    break;

  case 195: /* closed_pattern: pattern_number  */
#line 611 "compiler/front/parser.y"
                                { (yyval.pattern) = pattern_match_value(A, (yyloc), (yyvsp[0].expr)); }
#line 3212 "build2/gen/parser.c"
    break;

  case 196: /* closed_pattern: strings  */
#line 612 "compiler/front/parser.y"
                                { (yyval.pattern) = pattern_match_value(A, (yyloc), (yyvsp[0].expr)); }
#line 3218 "build2/gen/parser.c"
    break;

  case 197: /* closed_pattern: "None"  */
#line 613 "compiler/front/parser.y"
                                { (yyval.pattern) = pattern_match_singleton(A, (yyloc), const_none(A)); }
#line 3224 "build2/gen/parser.c"
    break;

  case 198: /* closed_pattern: "True"  */
#line 614 "compiler/front/parser.y"
                                { (yyval.pattern) = pattern_match_singleton(A, (yyloc), const_bool(A, true)); }
#line 3230 "build2/gen/parser.c"
    break;

  case 199: /* closed_pattern: "False"  */
#line 615 "compiler/front/parser.y"
                                { (yyval.pattern) = pattern_match_singleton(A, (yyloc), const_bool(A, false)); }
#line 3236 "build2/gen/parser.c"
    break;

  case 200: /* closed_pattern: "name"  */
#line 616 "compiler/front/parser.y"
                                { (yyval.pattern) = pattern_match_as(A, (yyloc), NULL, build_capture((yyvsp[0].token))); }
#line 3242 "build2/gen/parser.c"
    break;

  case 201: /* closed_pattern: pattern_attr  */
#line 617 "compiler/front/parser.y"
                                { (yyval.pattern) = pattern_match_value(A, (yyloc), (yyvsp[0].expr)); }
#line 3248 "build2/gen/parser.c"
    break;

  case 202: /* closed_pattern: "(" pattern ")"  */
#line 618 "compiler/front/parser.y"
                                { (yyval.pattern) = (yyvsp[-1].pattern); }
#line 3254 "build2/gen/parser.c"
    break;

  case 203: /* closed_pattern: "(" ")"  */
#line 619 "compiler/front/parser.y"
                                { (yyval.pattern) = pattern_match_sequence(A, (yyloc), (PatternList){0}); }
#line 3260 "build2/gen/parser.c"
    break;

  case 204: /* closed_pattern: "(" pattern_tuple ")"  */
#line 620 "compiler/front/parser.y"
                                { (yyval.pattern) = pattern_match_sequence(A, (yyloc), patterns_list((yyvsp[-1].patterns))); }
#line 3266 "build2/gen/parser.c"
    break;

  case 205: /* closed_pattern: "[" "]"  */
#line 621 "compiler/front/parser.y"
                                { (yyval.pattern) = pattern_match_sequence(A, (yyloc), (PatternList){0}); }
#line 3272 "build2/gen/parser.c"
    break;

  case 206: /* closed_pattern: "[" maybe_star_pattern "]"  */
#line 623 "compiler/front/parser.y"
        {
            (yyval.pattern) = pattern_match_sequence(A, (yyloc), patterns_list(patterns_add(b, NULL, (yyvsp[-1].pattern))));
        }
#line 3280 "build2/gen/parser.c"
    break;

  case 207: /* closed_pattern: "[" pattern_tuple "]"  */
#line 626 "compiler/front/parser.y"
                                { (yyval.pattern) = pattern_match_sequence(A, (yyloc), patterns_list((yyvsp[-1].patterns))); }
#line 3286 "build2/gen/parser.c"
    break;

  case 208: /* closed_pattern: "{" "}"  */
#line 627 "compiler/front/parser.y"
                                { (yyval.pattern) = build_mapping_pattern(b, (yyloc), NULL); }
#line 3292 "build2/gen/parser.c"
    break;

  case 209: /* closed_pattern: "{" mapping_items opt_comma "}"  */
#line 628 "compiler/front/parser.y"
                                        { (yyval.pattern) = build_mapping_pattern(b, (yyloc), (yyvsp[-2].pattern_items)); }
#line 3298 "build2/gen/parser.c"
    break;

  case 210: /* closed_pattern: pattern_class "(" ")"  */
#line 629 "compiler/front/parser.y"
                                { (yyval.pattern) = build_class_pattern(b, (yyloc), (yyvsp[-2].expr), NULL); }
#line 3304 "build2/gen/parser.c"
    break;

  case 211: /* closed_pattern: pattern_class "(" class_items opt_comma ")"  */
#line 630 "compiler/front/parser.y"
                                                    { (yyval.pattern) = build_class_pattern(b, (yyloc), (yyvsp[-4].expr), (yyvsp[-2].pattern_items)); }
#line 3310 "build2/gen/parser.c"
    break;

  case 213: /* pattern_number: signed_number "+" "number"  */
#line 635 "compiler/front/parser.y"
                                { (yyval.expr) = build_complex(b, (yyloc), (yyvsp[-2].expr), OPERATOR_ADD, (yyvsp[0].token)); }
#line 3316 "build2/gen/parser.c"
    break;

  case 214: /* pattern_number: signed_number "-" "number"  */
#line 636 "compiler/front/parser.y"
                                { (yyval.expr) = build_complex(b, (yyloc), (yyvsp[-2].expr), OPERATOR_SUB, (yyvsp[0].token)); }
#line 3322 "build2/gen/parser.c"
    break;

  case 215: /* signed_number: "number"  */
#line 640 "compiler/front/parser.y"
                                { (yyval.expr) = build_constant(b, (yyloc), (yyvsp[0].token)->constant); }
#line 3328 "build2/gen/parser.c"
    break;

  case 216: /* signed_number: "-" "number"  */
#line 641 "compiler/front/parser.y"
                                { (yyval.expr) = UNARY((yyloc), U_SUB, build_constant(b, (yylsp[0]), (yyvsp[0].token)->constant)); }
#line 3334 "build2/gen/parser.c"
    break;

  case 217: /* pattern_class: "name"  */
#line 645 "compiler/front/parser.y"
                                { (yyval.expr) = build_name(b, (yyvsp[0].token), LOAD); }
#line 3340 "build2/gen/parser.c"
    break;

  case 219: /* pattern_attr: "name" "." "name"  */
#line 650 "compiler/front/parser.y"
                        { (yyval.expr) = expr_attribute(A, (yyloc), build_name(b, (yyvsp[-2].token), LOAD), (yyvsp[0].token)->sym, LOAD); }
#line 3346 "build2/gen/parser.c"
    break;

  case 220: /* pattern_attr: pattern_attr "." "name"  */
#line 651 "compiler/front/parser.y"
                                { (yyval.expr) = expr_attribute(A, (yyloc), (yyvsp[-2].expr), (yyvsp[0].token)->sym, LOAD); }
#line 3352 "build2/gen/parser.c"
    break;

  case 221: /* mapping_prefix: %empty  */
#line 655 "compiler/front/parser.y"
                                { (yyval.pattern_items) = NULL; }
#line 3358 "build2/gen/parser.c"
    break;

  case 223: /* mapping_items: mapping_prefix pattern_key ":" pattern  */
#line 660 "compiler/front/parser.y"
                                                { (yyval.pattern_items) = build_pattern_key(b, (yyvsp[-3].pattern_items), (yyvsp[-2].expr), (yyvsp[0].pattern)); }
#line 3364 "build2/gen/parser.c"
    break;

  case 224: /* mapping_items: mapping_prefix "**" "name"  */
#line 661 "compiler/front/parser.y"
                                                { (yyval.pattern_items) = build_pattern_rest(b, (yyvsp[-2].pattern_items), (yyvsp[0].token)); }
#line 3370 "build2/gen/parser.c"
    break;

  case 228: /* pattern_key: "None"  */
#line 668 "compiler/front/parser.y"
                                { (yyval.expr) = build_constant(b, (yyloc), const_none(A)); }
#line 3376 "build2/gen/parser.c"
    break;

  case 229: /* pattern_key: "True"  */
#line 669 "compiler/front/parser.y"
                                { (yyval.expr) = build_constant(b, (yyloc), const_bool(A, true)); }
#line 3382 "build2/gen/parser.c"
    break;

  case 230: /* pattern_key: "False"  */
#line 670 "compiler/front/parser.y"
                                { (yyval.expr) = build_constant(b, (yyloc), const_bool(A, false)); }
#line 3388 "build2/gen/parser.c"
    break;

  case 231: /* class_prefix: %empty  */
#line 674 "compiler/front/parser.y"
                                { (yyval.pattern_items) = NULL; }
#line 3394 "build2/gen/parser.c"
    break;

  case 233: /* class_items: class_prefix pattern  */
#line 679 "compiler/front/parser.y"
                                        { (yyval.pattern_items) = build_pattern_positional(b, (yyvsp[-1].pattern_items), (yyvsp[0].pattern)); }
#line 3400 "build2/gen/parser.c"
    break;

  case 234: /* class_items: class_prefix "name" "=" pattern  */
#line 680 "compiler/front/parser.y"
                                        { (yyval.pattern_items) = build_pattern_keyword(b, (yyvsp[-3].pattern_items), (yyvsp[-2].token), (yyvsp[0].pattern)); }
#line 3406 "build2/gen/parser.c"
    break;

  case 236: /* star_expressions: star_expression ","  */
#line 687 "compiler/front/parser.y"
                                { (yyval.expr) = build_tuple(b, (yyloc), exprs_add(b, NULL, (yyvsp[-1].expr))); }
#line 3412 "build2/gen/parser.c"
    break;

  case 237: /* star_expressions: star_expression_list opt_comma  */
#line 688 "compiler/front/parser.y"
                                        { (yyval.expr) = build_tuple(b, (yyloc), (yyvsp[-1].exprs)); }
#line 3418 "build2/gen/parser.c"
    break;

  case 238: /* star_expression_list: star_expression "," star_expression  */
#line 693 "compiler/front/parser.y"
        { (yyval.exprs) = exprs_add(b, exprs_add(b, NULL, (yyvsp[-2].expr)), (yyvsp[0].expr)); }
#line 3424 "build2/gen/parser.c"
    break;

  case 239: /* star_expression_list: star_expression_list "," star_expression  */
#line 694 "compiler/front/parser.y"
                                                { (yyval.exprs) = exprs_add(b, (yyvsp[-2].exprs), (yyvsp[0].expr)); }
#line 3430 "build2/gen/parser.c"
    break;

  case 241: /* star_expression: "*" arith  */
#line 699 "compiler/front/parser.y"
                                { (yyval.expr) = expr_starred(A, (yyloc), (yyvsp[0].expr), LOAD); }
#line 3436 "build2/gen/parser.c"
    break;

  case 242: /* yield_expr: "yield" opt_return  */
#line 703 "compiler/front/parser.y"
                                { (yyval.expr) = expr_yield(A, (yyloc), (yyvsp[0].expr)); }
#line 3442 "build2/gen/parser.c"
    break;

  case 243: /* yield_expr: "yield" "from" expression  */
#line 704 "compiler/front/parser.y"
                                { (yyval.expr) = expr_yield_from(A, (yyloc), (yyvsp[0].expr)); }
#line 3448 "build2/gen/parser.c"
    break;

  case 245: /* star_named_expression: "*" arith  */
#line 709 "compiler/front/parser.y"
                                { (yyval.expr) = expr_starred(A, (yyloc), (yyvsp[0].expr), LOAD); }
#line 3454 "build2/gen/parser.c"
    break;

  case 246: /* star_named_list: star_named_expression  */
#line 713 "compiler/front/parser.y"
                                { (yyval.exprs) = exprs_add(b, NULL, (yyvsp[0].expr)); }
#line 3460 "build2/gen/parser.c"
    break;

  case 247: /* star_named_list: star_named_list "," star_named_expression  */
#line 714 "compiler/front/parser.y"
                                                    { (yyval.exprs) = exprs_add(b, (yyvsp[-2].exprs), (yyvsp[0].expr)); }
#line 3466 "build2/gen/parser.c"
    break;

  case 248: /* star_named_tuple: star_named_expression ","  */
#line 719 "compiler/front/parser.y"
                                { (yyval.exprs) = exprs_add(b, NULL, (yyvsp[-1].expr)); }
#line 3472 "build2/gen/parser.c"
    break;

  case 250: /* star_named_tuple_list: star_named_expression "," star_named_expression  */
#line 725 "compiler/front/parser.y"
        { (yyval.exprs) = exprs_add(b, exprs_add(b, NULL, (yyvsp[-2].expr)), (yyvsp[0].expr)); }
#line 3478 "build2/gen/parser.c"
    break;

  case 251: /* star_named_tuple_list: star_named_tuple_list "," star_named_expression  */
#line 726 "compiler/front/parser.y"
                                                        { (yyval.exprs) = exprs_add(b, (yyvsp[-2].exprs), (yyvsp[0].expr)); }
#line 3484 "build2/gen/parser.c"
    break;

  case 253: /* named_expression: expression ":=" expression  */
#line 731 "compiler/front/parser.y"
                                    { (yyval.expr) = build_named(b, (yyloc), (yylsp[-2]), (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 3490 "build2/gen/parser.c"
    break;

  case 255: /* expression: disjunction "if" disjunction "else" expression  */
#line 736 "compiler/front/parser.y"
                                                    { (yyval.expr) = expr_if_exp(A, (yyloc), (yyvsp[-2].expr), (yyvsp[-4].expr), (yyvsp[0].expr)); }
#line 3496 "build2/gen/parser.c"
    break;

  case 256: /* expression: "lambda" enter lambda_params ":" expression  */
#line 738 "compiler/front/parser.y"
        { b->nesting--; (yyval.expr) = expr_lambda(A, (yyloc), build_arguments(b, (yyvsp[-2].params)), (yyvsp[0].expr)); }
#line 3502 "build2/gen/parser.c"
    break;

  case 257: /* enter: %empty  */
#line 743 "compiler/front/parser.y"
                                { if (!build_enter(b, (yyloc))) YYERROR; }
#line 3508 "build2/gen/parser.c"
    break;

  case 259: /* disjunction: or_list  */
#line 748 "compiler/front/parser.y"
                                { (yyval.expr) = build_bool(b, (yyloc), BOOLOP_OR, (yyvsp[0].exprs)); }
#line 3514 "build2/gen/parser.c"
    break;

  case 260: /* or_list: conjunction "or" conjunction  */
#line 752 "compiler/front/parser.y"
                                    { (yyval.exprs) = exprs_add(b, exprs_add(b, NULL, (yyvsp[-2].expr)), (yyvsp[0].expr)); }
#line 3520 "build2/gen/parser.c"
    break;

  case 261: /* or_list: or_list "or" conjunction  */
#line 753 "compiler/front/parser.y"
                                    { (yyval.exprs) = exprs_add(b, (yyvsp[-2].exprs), (yyvsp[0].expr)); }
#line 3526 "build2/gen/parser.c"
    break;

  case 263: /* conjunction: and_list  */
#line 758 "compiler/front/parser.y"
                                { (yyval.expr) = build_bool(b, (yyloc), BOOLOP_AND, (yyvsp[0].exprs)); }
#line 3532 "build2/gen/parser.c"
    break;

  case 264: /* and_list: inversion "and" inversion  */
#line 762 "compiler/front/parser.y"
                                { (yyval.exprs) = exprs_add(b, exprs_add(b, NULL, (yyvsp[-2].expr)), (yyvsp[0].expr)); }
#line 3538 "build2/gen/parser.c"
    break;

  case 265: /* and_list: and_list "and" inversion  */
#line 763 "compiler/front/parser.y"
                                { (yyval.exprs) = exprs_add(b, (yyvsp[-2].exprs), (yyvsp[0].expr)); }
#line 3544 "build2/gen/parser.c"
    break;

  case 267: /* inversion: "not" inversion  */
#line 768 "compiler/front/parser.y"
                                { (yyval.expr) = UNARY((yyloc), NOT, (yyvsp[0].expr)); }
#line 3550 "build2/gen/parser.c"
    break;

  case 269: /* comparison: comparison_chain  */
#line 773 "compiler/front/parser.y"
                                { (yyval.expr) = build_compare(b, (yyloc), (yyvsp[0].comparison)); }
#line 3556 "build2/gen/parser.c"
    break;

  case 270: /* comparison_chain: arith comparison_op arith  */
#line 777 "compiler/front/parser.y"
                                { (yyval.comparison) = build_comparison(b, NULL, (yyvsp[-2].expr), (Cmpop)(yyvsp[-1].number), (yyvsp[0].expr)); }
#line 3562 "build2/gen/parser.c"
    break;

  case 271: /* comparison_chain: comparison_chain comparison_op arith  */
#line 779 "compiler/front/parser.y"
        { (yyval.comparison) = build_comparison(b, (yyvsp[-2].comparison), NULL, (Cmpop)(yyvsp[-1].number), (yyvsp[0].expr)); }
#line 3568 "build2/gen/parser.c"
    break;

  case 272: /* comparison_op: "=="  */
#line 783 "compiler/front/parser.y"
                                { (yyval.number) = CMPOP_EQ; }
#line 3574 "build2/gen/parser.c"
    break;

  case 273: /* comparison_op: "!="  */
#line 784 "compiler/front/parser.y"
                                { (yyval.number) = CMPOP_NOT_EQ; }
#line 3580 "build2/gen/parser.c"
    break;

  case 274: /* comparison_op: "<="  */
#line 785 "compiler/front/parser.y"
                                { (yyval.number) = CMPOP_LT_E; }
#line 3586 "build2/gen/parser.c"
    break;

  case 275: /* comparison_op: "<"  */
#line 786 "compiler/front/parser.y"
                                { (yyval.number) = CMPOP_LT; }
#line 3592 "build2/gen/parser.c"
    break;

  case 276: /* comparison_op: ">="  */
#line 787 "compiler/front/parser.y"
                                { (yyval.number) = CMPOP_GT_E; }
#line 3598 "build2/gen/parser.c"
    break;

  case 277: /* comparison_op: ">"  */
#line 788 "compiler/front/parser.y"
                                { (yyval.number) = CMPOP_GT; }
#line 3604 "build2/gen/parser.c"
    break;

  case 278: /* comparison_op: "not" "in"  */
#line 789 "compiler/front/parser.y"
                                { (yyval.number) = CMPOP_NOT_IN; }
#line 3610 "build2/gen/parser.c"
    break;

  case 279: /* comparison_op: "in"  */
#line 790 "compiler/front/parser.y"
                                { (yyval.number) = CMPOP_IN; }
#line 3616 "build2/gen/parser.c"
    break;

  case 280: /* comparison_op: "is"  */
#line 791 "compiler/front/parser.y"
                                { (yyval.number) = CMPOP_IS; }
#line 3622 "build2/gen/parser.c"
    break;

  case 281: /* comparison_op: "is" "not"  */
#line 792 "compiler/front/parser.y"
                                { (yyval.number) = CMPOP_IS_NOT; }
#line 3628 "build2/gen/parser.c"
    break;

  case 283: /* arith: await_primary "**" enter arith  */
#line 798 "compiler/front/parser.y"
        { b->nesting--; (yyval.expr) = BIN((yyloc), (yyvsp[-3].expr), POW, (yyvsp[0].expr)); }
#line 3634 "build2/gen/parser.c"
    break;

  case 284: /* arith: "+" arith  */
#line 799 "compiler/front/parser.y"
                                { (yyval.expr) = UNARY((yyloc), U_ADD, (yyvsp[0].expr)); }
#line 3640 "build2/gen/parser.c"
    break;

  case 285: /* arith: "-" arith  */
#line 800 "compiler/front/parser.y"
                                { (yyval.expr) = UNARY((yyloc), U_SUB, (yyvsp[0].expr)); }
#line 3646 "build2/gen/parser.c"
    break;

  case 286: /* arith: "~" arith  */
#line 801 "compiler/front/parser.y"
                                { (yyval.expr) = UNARY((yyloc), INVERT, (yyvsp[0].expr)); }
#line 3652 "build2/gen/parser.c"
    break;

  case 287: /* arith: arith "|" arith  */
#line 802 "compiler/front/parser.y"
                                { (yyval.expr) = BIN((yyloc), (yyvsp[-2].expr), BIT_OR, (yyvsp[0].expr)); }
#line 3658 "build2/gen/parser.c"
    break;

  case 288: /* arith: arith "^" arith  */
#line 803 "compiler/front/parser.y"
                                { (yyval.expr) = BIN((yyloc), (yyvsp[-2].expr), BIT_XOR, (yyvsp[0].expr)); }
#line 3664 "build2/gen/parser.c"
    break;

  case 289: /* arith: arith "&" arith  */
#line 804 "compiler/front/parser.y"
                                { (yyval.expr) = BIN((yyloc), (yyvsp[-2].expr), BIT_AND, (yyvsp[0].expr)); }
#line 3670 "build2/gen/parser.c"
    break;

  case 290: /* arith: arith "<<" arith  */
#line 805 "compiler/front/parser.y"
                                { (yyval.expr) = BIN((yyloc), (yyvsp[-2].expr), L_SHIFT, (yyvsp[0].expr)); }
#line 3676 "build2/gen/parser.c"
    break;

  case 291: /* arith: arith ">>" arith  */
#line 806 "compiler/front/parser.y"
                                { (yyval.expr) = BIN((yyloc), (yyvsp[-2].expr), R_SHIFT, (yyvsp[0].expr)); }
#line 3682 "build2/gen/parser.c"
    break;

  case 292: /* arith: arith "+" arith  */
#line 807 "compiler/front/parser.y"
                                { (yyval.expr) = BIN((yyloc), (yyvsp[-2].expr), ADD, (yyvsp[0].expr)); }
#line 3688 "build2/gen/parser.c"
    break;

  case 293: /* arith: arith "-" arith  */
#line 808 "compiler/front/parser.y"
                                { (yyval.expr) = BIN((yyloc), (yyvsp[-2].expr), SUB, (yyvsp[0].expr)); }
#line 3694 "build2/gen/parser.c"
    break;

  case 294: /* arith: arith "*" arith  */
#line 809 "compiler/front/parser.y"
                                { (yyval.expr) = BIN((yyloc), (yyvsp[-2].expr), MULT, (yyvsp[0].expr)); }
#line 3700 "build2/gen/parser.c"
    break;

  case 295: /* arith: arith "/" arith  */
#line 810 "compiler/front/parser.y"
                                { (yyval.expr) = BIN((yyloc), (yyvsp[-2].expr), DIV, (yyvsp[0].expr)); }
#line 3706 "build2/gen/parser.c"
    break;

  case 296: /* arith: arith "//" arith  */
#line 811 "compiler/front/parser.y"
                                { (yyval.expr) = BIN((yyloc), (yyvsp[-2].expr), FLOOR_DIV, (yyvsp[0].expr)); }
#line 3712 "build2/gen/parser.c"
    break;

  case 297: /* arith: arith "%" arith  */
#line 812 "compiler/front/parser.y"
                                { (yyval.expr) = BIN((yyloc), (yyvsp[-2].expr), MOD, (yyvsp[0].expr)); }
#line 3718 "build2/gen/parser.c"
    break;

  case 298: /* arith: arith "@" arith  */
#line 813 "compiler/front/parser.y"
                                { (yyval.expr) = BIN((yyloc), (yyvsp[-2].expr), MAT_MULT, (yyvsp[0].expr)); }
#line 3724 "build2/gen/parser.c"
    break;

  case 300: /* await_primary: "await" primary  */
#line 818 "compiler/front/parser.y"
                                { (yyval.expr) = expr_await(A, (yyloc), (yyvsp[0].expr)); }
#line 3730 "build2/gen/parser.c"
    break;

  case 302: /* primary: primary "." "name"  */
#line 823 "compiler/front/parser.y"
                                { (yyval.expr) = expr_attribute(A, (yyloc), (yyvsp[-2].expr), (yyvsp[0].token)->sym, LOAD); }
#line 3736 "build2/gen/parser.c"
    break;

  case 303: /* primary: primary "[" slices "]"  */
#line 824 "compiler/front/parser.y"
                                { (yyval.expr) = expr_subscript(A, (yyloc), (yyvsp[-3].expr), (yyvsp[-1].expr), LOAD); }
#line 3742 "build2/gen/parser.c"
    break;

  case 304: /* primary: primary "(" ")"  */
#line 825 "compiler/front/parser.y"
                                { (yyval.expr) = build_call(b, (yyloc), (yyvsp[-2].expr), (yyloc), NULL, false); }
#line 3748 "build2/gen/parser.c"
    break;

  case 305: /* primary: primary "(" args opt_comma ")"  */
#line 827 "compiler/front/parser.y"
        { (yyval.expr) = build_call(b, (yyloc), (yyvsp[-4].expr), span_join((yylsp[-3]), (yylsp[0])), (yyvsp[-2].call_args), (yyvsp[-1].number)); }
#line 3754 "build2/gen/parser.c"
    break;

  case 306: /* atom: "name"  */
#line 831 "compiler/front/parser.y"
                                { (yyval.expr) = build_name(b, (yyvsp[0].token), LOAD); }
#line 3760 "build2/gen/parser.c"
    break;

  case 307: /* atom: "number"  */
#line 832 "compiler/front/parser.y"
                                { (yyval.expr) = build_constant(b, (yyloc), (yyvsp[0].token)->constant); }
#line 3766 "build2/gen/parser.c"
    break;

  case 309: /* atom: "None"  */
#line 834 "compiler/front/parser.y"
                                { (yyval.expr) = build_constant(b, (yyloc), const_none(A)); }
#line 3772 "build2/gen/parser.c"
    break;

  case 310: /* atom: "True"  */
#line 835 "compiler/front/parser.y"
                                { (yyval.expr) = build_constant(b, (yyloc), const_bool(A, true)); }
#line 3778 "build2/gen/parser.c"
    break;

  case 311: /* atom: "False"  */
#line 836 "compiler/front/parser.y"
                                { (yyval.expr) = build_constant(b, (yyloc), const_bool(A, false)); }
#line 3784 "build2/gen/parser.c"
    break;

  case 312: /* atom: "..."  */
#line 837 "compiler/front/parser.y"
                                { (yyval.expr) = build_constant(b, (yyloc), const_ellipsis(A)); }
#line 3790 "build2/gen/parser.c"
    break;

  case 313: /* atom: "(" ")"  */
#line 838 "compiler/front/parser.y"
                                { (yyval.expr) = build_tuple(b, (yyloc), NULL); }
#line 3796 "build2/gen/parser.c"
    break;

  case 314: /* atom: "(" yield_expr ")"  */
#line 839 "compiler/front/parser.y"
                                { (yyval.expr) = (yyvsp[-1].expr); }
#line 3802 "build2/gen/parser.c"
    break;

  case 315: /* atom: "(" named_expression ")"  */
#line 840 "compiler/front/parser.y"
                                { (yyval.expr) = (yyvsp[-1].expr); }
#line 3808 "build2/gen/parser.c"
    break;

  case 316: /* atom: "(" star_named_tuple ")"  */
#line 841 "compiler/front/parser.y"
                                { (yyval.expr) = build_tuple(b, (yyloc), (yyvsp[-1].exprs)); }
#line 3814 "build2/gen/parser.c"
    break;

  case 317: /* atom: "(" named_expression comp_for ")"  */
#line 843 "compiler/front/parser.y"
        { (yyval.expr) = expr_generator_exp(A, (yyloc), (yyvsp[-2].expr), comprehensions_list((yyvsp[-1].comprehensions))); }
#line 3820 "build2/gen/parser.c"
    break;

  case 318: /* atom: "[" "]"  */
#line 844 "compiler/front/parser.y"
                                { (yyval.expr) = expr_list(A, (yyloc), (ExprList){0}, LOAD); }
#line 3826 "build2/gen/parser.c"
    break;

  case 319: /* atom: "[" star_named_list opt_comma "]"  */
#line 845 "compiler/front/parser.y"
                                        { (yyval.expr) = expr_list(A, (yyloc), exprs_list((yyvsp[-2].exprs)), LOAD); }
#line 3832 "build2/gen/parser.c"
    break;

  case 320: /* atom: "[" named_expression comp_for "]"  */
#line 847 "compiler/front/parser.y"
        { (yyval.expr) = expr_list_comp(A, (yyloc), (yyvsp[-2].expr), comprehensions_list((yyvsp[-1].comprehensions))); }
#line 3838 "build2/gen/parser.c"
    break;

  case 321: /* atom: "{" "}"  */
#line 848 "compiler/front/parser.y"
                                { (yyval.expr) = expr_dict(A, (yyloc), (ExprList){0}, (ExprList){0}); }
#line 3844 "build2/gen/parser.c"
    break;

  case 322: /* atom: "{" dict_items opt_comma "}"  */
#line 850 "compiler/front/parser.y"
        { (yyval.expr) = expr_dict(A, (yyloc), exprs_list(&(yyvsp[-2].dict_items)->keys), exprs_list(&(yyvsp[-2].dict_items)->values)); }
#line 3850 "build2/gen/parser.c"
    break;

  case 323: /* atom: "{" star_named_list opt_comma "}"  */
#line 851 "compiler/front/parser.y"
                                        { (yyval.expr) = expr_set(A, (yyloc), exprs_list((yyvsp[-2].exprs))); }
#line 3856 "build2/gen/parser.c"
    break;

  case 324: /* atom: "{" named_expression comp_for "}"  */
#line 853 "compiler/front/parser.y"
        { (yyval.expr) = expr_set_comp(A, (yyloc), (yyvsp[-2].expr), comprehensions_list((yyvsp[-1].comprehensions))); }
#line 3862 "build2/gen/parser.c"
    break;

  case 325: /* atom: "{" expression ":" expression comp_for "}"  */
#line 855 "compiler/front/parser.y"
        { (yyval.expr) = expr_dict_comp(A, (yyloc), (yyvsp[-4].expr), (yyvsp[-2].expr), comprehensions_list((yyvsp[-1].comprehensions))); }
#line 3868 "build2/gen/parser.c"
    break;

  case 326: /* dict_items: expression ":" expression  */
#line 859 "compiler/front/parser.y"
                                            { (yyval.dict_items) = build_dict_item(b, NULL, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 3874 "build2/gen/parser.c"
    break;

  case 327: /* dict_items: "**" arith  */
#line 860 "compiler/front/parser.y"
                                            { (yyval.dict_items) = build_dict_item(b, NULL, NULL, (yyvsp[0].expr)); }
#line 3880 "build2/gen/parser.c"
    break;

  case 328: /* dict_items: dict_items "," expression ":" expression  */
#line 861 "compiler/front/parser.y"
                                                { (yyval.dict_items) = build_dict_item(b, (yyvsp[-4].dict_items), (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 3886 "build2/gen/parser.c"
    break;

  case 329: /* dict_items: dict_items "," "**" arith  */
#line 862 "compiler/front/parser.y"
                                            { (yyval.dict_items) = build_dict_item(b, (yyvsp[-3].dict_items), NULL, (yyvsp[0].expr)); }
#line 3892 "build2/gen/parser.c"
    break;

  case 330: /* args_prefix: %empty  */
#line 866 "compiler/front/parser.y"
                                { (yyval.call_args) = NULL; }
#line 3898 "build2/gen/parser.c"
    break;

  case 332: /* args: args_prefix named_expression  */
#line 871 "compiler/front/parser.y"
                                            { (yyval.call_args) = build_arg(b, (yyvsp[-1].call_args), (yylsp[0]), (yyvsp[0].expr)); }
#line 3904 "build2/gen/parser.c"
    break;

  case 333: /* args: args_prefix named_expression comp_for  */
#line 873 "compiler/front/parser.y"
        { (yyval.call_args) = build_arg_generator(b, (yyvsp[-2].call_args), span_join((yylsp[-1]), (yylsp[0])), (yyvsp[-1].expr), (yyvsp[0].comprehensions)); }
#line 3910 "build2/gen/parser.c"
    break;

  case 334: /* args: args_prefix expression "=" expression  */
#line 875 "compiler/front/parser.y"
        { (yyval.call_args) = build_arg_keyword(b, (yyvsp[-3].call_args), span_join((yylsp[-2]), (yylsp[0])), (yylsp[-2]), (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 3916 "build2/gen/parser.c"
    break;

  case 335: /* args: args_prefix "*" expression  */
#line 876 "compiler/front/parser.y"
                                            { (yyval.call_args) = build_arg_star(b, (yyvsp[-2].call_args), span_join((yylsp[-1]), (yylsp[0])), (yyvsp[0].expr)); }
#line 3922 "build2/gen/parser.c"
    break;

  case 336: /* args: args_prefix "**" expression  */
#line 877 "compiler/front/parser.y"
                                            { (yyval.call_args) = build_arg_unpack(b, (yyvsp[-2].call_args), span_join((yylsp[-1]), (yylsp[0])), (yyvsp[0].expr)); }
#line 3928 "build2/gen/parser.c"
    break;

  case 338: /* slices: slice_star  */
#line 882 "compiler/front/parser.y"
                                { (yyval.expr) = build_tuple(b, (yyloc), exprs_add(b, NULL, (yyvsp[0].expr))); }
#line 3934 "build2/gen/parser.c"
    break;

  case 339: /* slices: slice_item ","  */
#line 883 "compiler/front/parser.y"
                                { (yyval.expr) = build_tuple(b, (yyloc), exprs_add(b, NULL, (yyvsp[-1].expr))); }
#line 3940 "build2/gen/parser.c"
    break;

  case 340: /* slices: slice_list opt_comma  */
#line 884 "compiler/front/parser.y"
                                { (yyval.expr) = build_tuple(b, (yyloc), (yyvsp[-1].exprs)); }
#line 3946 "build2/gen/parser.c"
    break;

  case 341: /* slice_list: slice_item "," slice_item  */
#line 888 "compiler/front/parser.y"
                                { (yyval.exprs) = exprs_add(b, exprs_add(b, NULL, (yyvsp[-2].expr)), (yyvsp[0].expr)); }
#line 3952 "build2/gen/parser.c"
    break;

  case 342: /* slice_list: slice_list "," slice_item  */
#line 889 "compiler/front/parser.y"
                                { (yyval.exprs) = exprs_add(b, (yyvsp[-2].exprs), (yyvsp[0].expr)); }
#line 3958 "build2/gen/parser.c"
    break;

  case 345: /* slice_star: "*" expression  */
#line 898 "compiler/front/parser.y"
                                { (yyval.expr) = expr_starred(A, (yyloc), (yyvsp[0].expr), LOAD); }
#line 3964 "build2/gen/parser.c"
    break;

  case 347: /* slice: expression ":" opt_expression slice_step  */
#line 903 "compiler/front/parser.y"
                                                { (yyval.expr) = expr_slice(A, (yyloc), (yyvsp[-3].expr), (yyvsp[-1].expr), (yyvsp[0].expr)); }
#line 3970 "build2/gen/parser.c"
    break;

  case 348: /* slice: ":" opt_expression slice_step  */
#line 904 "compiler/front/parser.y"
                                                { (yyval.expr) = expr_slice(A, (yyloc), NULL, (yyvsp[-1].expr), (yyvsp[0].expr)); }
#line 3976 "build2/gen/parser.c"
    break;

  case 349: /* slice_step: %empty  */
#line 908 "compiler/front/parser.y"
                                { (yyval.expr) = NULL; }
#line 3982 "build2/gen/parser.c"
    break;

  case 350: /* slice_step: ":" opt_expression  */
#line 909 "compiler/front/parser.y"
                                { (yyval.expr) = (yyvsp[0].expr); }
#line 3988 "build2/gen/parser.c"
    break;

  case 351: /* opt_expression: %empty  */
#line 913 "compiler/front/parser.y"
                                { (yyval.expr) = NULL; }
#line 3994 "build2/gen/parser.c"
    break;

  case 353: /* comp_for: "for" target_list "in" disjunction comp_ifs  */
#line 919 "compiler/front/parser.y"
        { (yyval.comprehensions) = build_comp_for(b, NULL, false, (yyvsp[-3].expr), (yyvsp[-1].expr), (yyvsp[0].exprs)); }
#line 4000 "build2/gen/parser.c"
    break;

  case 354: /* comp_for: "async" "for" target_list "in" disjunction comp_ifs  */
#line 921 "compiler/front/parser.y"
        { (yyval.comprehensions) = build_comp_for(b, NULL, true, (yyvsp[-3].expr), (yyvsp[-1].expr), (yyvsp[0].exprs)); }
#line 4006 "build2/gen/parser.c"
    break;

  case 355: /* comp_for: comp_for "for" target_list "in" disjunction comp_ifs  */
#line 923 "compiler/front/parser.y"
        { (yyval.comprehensions) = build_comp_for(b, (yyvsp[-5].comprehensions), false, (yyvsp[-3].expr), (yyvsp[-1].expr), (yyvsp[0].exprs)); }
#line 4012 "build2/gen/parser.c"
    break;

  case 356: /* comp_for: comp_for "async" "for" target_list "in" disjunction comp_ifs  */
#line 925 "compiler/front/parser.y"
        { (yyval.comprehensions) = build_comp_for(b, (yyvsp[-6].comprehensions), true, (yyvsp[-3].expr), (yyvsp[-1].expr), (yyvsp[0].exprs)); }
#line 4018 "build2/gen/parser.c"
    break;

  case 357: /* comp_ifs: %empty  */
#line 929 "compiler/front/parser.y"
                                { (yyval.exprs) = NULL; }
#line 4024 "build2/gen/parser.c"
    break;

  case 358: /* comp_ifs: comp_ifs "if" disjunction  */
#line 930 "compiler/front/parser.y"
                                { (yyval.exprs) = exprs_add(b, (yyvsp[-2].exprs), (yyvsp[0].expr)); }
#line 4030 "build2/gen/parser.c"
    break;

  case 359: /* target_list: star_target  */
#line 935 "compiler/front/parser.y"
                                { (yyval.expr) = build_target(b, (yyvsp[0].expr)); }
#line 4036 "build2/gen/parser.c"
    break;

  case 360: /* target_list: star_target ","  */
#line 937 "compiler/front/parser.y"
        { (yyval.expr) = build_target(b, build_tuple(b, (yyloc), exprs_add(b, NULL, (yyvsp[-1].expr)))); }
#line 4042 "build2/gen/parser.c"
    break;

  case 361: /* target_list: star_target_list opt_comma  */
#line 938 "compiler/front/parser.y"
                                    { (yyval.expr) = build_target(b, build_tuple(b, (yyloc), (yyvsp[-1].exprs))); }
#line 4048 "build2/gen/parser.c"
    break;

  case 362: /* star_target_list: star_target "," star_target  */
#line 942 "compiler/front/parser.y"
                                    { (yyval.exprs) = exprs_add(b, exprs_add(b, NULL, (yyvsp[-2].expr)), (yyvsp[0].expr)); }
#line 4054 "build2/gen/parser.c"
    break;

  case 363: /* star_target_list: star_target_list "," star_target  */
#line 943 "compiler/front/parser.y"
                                        { (yyval.exprs) = exprs_add(b, (yyvsp[-2].exprs), (yyvsp[0].expr)); }
#line 4060 "build2/gen/parser.c"
    break;

  case 365: /* star_target: "*" arith  */
#line 948 "compiler/front/parser.y"
                                { (yyval.expr) = expr_starred(A, (yyloc), (yyvsp[0].expr), LOAD); }
#line 4066 "build2/gen/parser.c"
    break;

  case 366: /* strings: piece  */
#line 954 "compiler/front/parser.y"
                                { (yyval.expr) = build_concatenation(b, (yyloc), &(yyvsp[0].expr), 1); }
#line 4072 "build2/gen/parser.c"
    break;

  case 367: /* strings: pieces  */
#line 955 "compiler/front/parser.y"
                                { (yyval.expr) = build_concatenation(b, (yyloc), (yyvsp[0].exprs)->at, (yyvsp[0].exprs)->len); }
#line 4078 "build2/gen/parser.c"
    break;

  case 368: /* pieces: piece piece  */
#line 959 "compiler/front/parser.y"
                                { (yyval.exprs) = exprs_add(b, exprs_add(b, NULL, (yyvsp[-1].expr)), (yyvsp[0].expr)); }
#line 4084 "build2/gen/parser.c"
    break;

  case 369: /* pieces: pieces piece  */
#line 960 "compiler/front/parser.y"
                                { (yyval.exprs) = exprs_add(b, (yyvsp[-1].exprs), (yyvsp[0].expr)); }
#line 4090 "build2/gen/parser.c"
    break;

  case 370: /* piece: "string"  */
#line 964 "compiler/front/parser.y"
                                { (yyval.expr) = build_string(b, (yyvsp[0].token)); }
#line 4096 "build2/gen/parser.c"
    break;

  case 371: /* piece: FSTRING_START fstring_parts FSTRING_END  */
#line 966 "compiler/front/parser.y"
        { (yyval.expr) = expr_joined_str(A, (yyloc), exprs_list((yyvsp[-1].exprs))); }
#line 4102 "build2/gen/parser.c"
    break;

  case 372: /* fstring_parts: %empty  */
#line 970 "compiler/front/parser.y"
                                { (yyval.exprs) = NULL; }
#line 4108 "build2/gen/parser.c"
    break;

  case 373: /* fstring_parts: fstring_parts FSTRING_MIDDLE  */
#line 971 "compiler/front/parser.y"
                                    { (yyval.exprs) = build_fstring_text(b, (yyvsp[-1].exprs), (yyvsp[0].token)); }
#line 4114 "build2/gen/parser.c"
    break;

  case 374: /* fstring_parts: fstring_parts FSTRING_LBRACE rhs opt_equal opt_conversion opt_format_spec "}f"  */
#line 973 "compiler/front/parser.y"
        { (yyval.exprs) = build_field(b, (yyvsp[-6].exprs), span_join((yylsp[-5]), (yylsp[0])), (yyvsp[-4].expr), (yyvsp[-3].token), (yyvsp[-2].conversion), (yyvsp[-1].expr)); }
#line 4120 "build2/gen/parser.c"
    break;

  case 375: /* opt_equal: %empty  */
#line 977 "compiler/front/parser.y"
                                { (yyval.token) = NULL; }
#line 4126 "build2/gen/parser.c"
    break;

  case 377: /* opt_conversion: %empty  */
#line 982 "compiler/front/parser.y"
                                { (yyval.conversion) = NULL; }
#line 4132 "build2/gen/parser.c"
    break;

  case 378: /* opt_conversion: FSTRING_BANG "name"  */
#line 983 "compiler/front/parser.y"
                                { (yyval.conversion) = build_conversion(b, (yyvsp[-1].token), (yyvsp[0].token)); }
#line 4138 "build2/gen/parser.c"
    break;

  case 379: /* opt_format_spec: %empty  */
#line 987 "compiler/front/parser.y"
                                { (yyval.expr) = NULL; }
#line 4144 "build2/gen/parser.c"
    break;

  case 380: /* opt_format_spec: ":f" fstring_parts  */
#line 988 "compiler/front/parser.y"
                                    { (yyval.expr) = build_format_spec(b, (yyloc), (yyvsp[0].exprs)); }
#line 4150 "build2/gen/parser.c"
    break;


#line 4154 "build2/gen/parser.c"

      default: break;
    }
  /* User semantic actions sometimes alter yychar, and that requires
     that yytoken be updated with the new translation.  We take the
     approach of translating immediately before every use of yytoken.
     One alternative is translating here after every semantic action,
     but that translation would be missed if the semantic action invokes
     YYABORT, YYACCEPT, or YYERROR immediately after altering yychar or
     if it invokes YYBACKUP.  In the case of YYABORT or YYACCEPT, an
     incorrect destructor might then be invoked immediately.  In the
     case of YYERROR or YYBACKUP, subsequent parser actions might lead
     to an incorrect destructor call or verbose syntax error message
     before the lookahead is translated.  */
  YY_SYMBOL_PRINT ("-> $$ =", YY_CAST (yysymbol_kind_t, yyr1[yyn]), &yyval, &yyloc);

  YYPOPSTACK (yylen);
  yylen = 0;

  *++yyvsp = yyval;
  *++yylsp = yyloc;

  /* Now 'shift' the result of the reduction.  Determine what state
     that goes to, based on the state we popped back to and the rule
     number reduced by.  */
  {
    const int yylhs = yyr1[yyn] - YYNTOKENS;
    const int yyi = yypgoto[yylhs] + *yyssp;
    yystate = (0 <= yyi && yyi <= YYLAST && yycheck[yyi] == *yyssp
               ? yytable[yyi]
               : yydefgoto[yylhs]);
  }

  goto yynewstate;


/*--------------------------------------.
| yyerrlab -- here on detecting error.  |
`--------------------------------------*/
yyerrlab:
  /* Make sure we have latest lookahead translation.  See comments at
     user semantic actions for why this is necessary.  */
  yytoken = yychar == TOK_GRAMMAR_EMPTY ? YYSYMBOL_YYEMPTY : YYTRANSLATE (yychar);
  /* If not already recovering from an error, report this error.  */
  if (!yyerrstatus)
    {
      ++yynerrs;
      {
        yypcontext_t yyctx
          = {yyssp, yytoken, &yylloc};
        if (yyreport_syntax_error (&yyctx, b) == 2)
          YYNOMEM;
      }
    }

  yyerror_range[1] = yylloc;
  if (yyerrstatus == 3)
    {
      /* If just tried and failed to reuse lookahead token after an
         error, discard it.  */

      if (yychar <= TOK_END)
        {
          /* Return failure if at end of input.  */
          if (yychar == TOK_END)
            YYABORT;
        }
      else
        {
          yydestruct ("Error: discarding",
                      yytoken, &yylval, &yylloc, b);
          yychar = TOK_GRAMMAR_EMPTY;
        }
    }

  /* Else will try to reuse lookahead token after shifting the error
     token.  */
  goto yyerrlab1;


/*---------------------------------------------------.
| yyerrorlab -- error raised explicitly by YYERROR.  |
`---------------------------------------------------*/
yyerrorlab:
  /* Pacify compilers when the user code never invokes YYERROR and the
     label yyerrorlab therefore never appears in user code.  */
  if (0)
    YYERROR;
  ++yynerrs;

  /* Do not reclaim the symbols of the rule whose action triggered
     this YYERROR.  */
  YYPOPSTACK (yylen);
  yylen = 0;
  YY_STACK_PRINT (yyss, yyssp);
  yystate = *yyssp;
  goto yyerrlab1;


/*-------------------------------------------------------------.
| yyerrlab1 -- common code for both syntax error and YYERROR.  |
`-------------------------------------------------------------*/
yyerrlab1:
  yyerrstatus = 3;      /* Each real token shifted decrements this.  */

  /* Pop stack until we find a state that shifts the error token.  */
  for (;;)
    {
      yyn = yypact[yystate];
      if (!yypact_value_is_default (yyn))
        {
          yyn += YYSYMBOL_YYerror;
          if (0 <= yyn && yyn <= YYLAST && yycheck[yyn] == YYSYMBOL_YYerror)
            {
              yyn = yytable[yyn];
              if (0 < yyn)
                break;
            }
        }

      /* Pop the current state because it cannot handle the error token.  */
      if (yyssp == yyss)
        YYABORT;

      yyerror_range[1] = *yylsp;
      yydestruct ("Error: popping",
                  YY_ACCESSING_SYMBOL (yystate), yyvsp, yylsp, b);
      YYPOPSTACK (1);
      yystate = *yyssp;
      YY_STACK_PRINT (yyss, yyssp);
    }

  YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
  *++yyvsp = yylval;
  YY_IGNORE_MAYBE_UNINITIALIZED_END

  yyerror_range[2] = yylloc;
  ++yylsp;
  YYLLOC_DEFAULT (*yylsp, yyerror_range, 2);

  /* Shift the error token.  */
  YY_SYMBOL_PRINT ("Shifting", YY_ACCESSING_SYMBOL (yyn), yyvsp, yylsp);

  yystate = yyn;
  goto yynewstate;


/*-------------------------------------.
| yyacceptlab -- YYACCEPT comes here.  |
`-------------------------------------*/
yyacceptlab:
  yyresult = 0;
  goto yyreturnlab;


/*-----------------------------------.
| yyabortlab -- YYABORT comes here.  |
`-----------------------------------*/
yyabortlab:
  yyresult = 1;
  goto yyreturnlab;


/*-----------------------------------------------------------.
| yyexhaustedlab -- YYNOMEM (memory exhaustion) comes here.  |
`-----------------------------------------------------------*/
yyexhaustedlab:
  yyerror (&yylloc, b, YY_("memory exhausted"));
  yyresult = 2;
  goto yyreturnlab;


/*----------------------------------------------------------.
| yyreturnlab -- parsing is finished, clean up and return.  |
`----------------------------------------------------------*/
yyreturnlab:
  if (yychar != TOK_GRAMMAR_EMPTY)
    {
      /* Make sure we have latest lookahead translation.  See comments at
         user semantic actions for why this is necessary.  */
      yytoken = YYTRANSLATE (yychar);
      yydestruct ("Cleanup: discarding lookahead",
                  yytoken, &yylval, &yylloc, b);
    }
  /* Do not reclaim the symbols of the rule whose action triggered
     this YYABORT or YYACCEPT.  */
  YYPOPSTACK (yylen);
  YY_STACK_PRINT (yyss, yyssp);
  while (yyssp != yyss)
    {
      yydestruct ("Cleanup: popping",
                  YY_ACCESSING_SYMBOL (+*yyssp), yyvsp, yylsp, b);
      YYPOPSTACK (1);
    }
#ifndef yyoverflow
  if (yyss != yyssa)
    YYSTACK_FREE (yyss);
#endif

  return yyresult;
}

#line 991 "compiler/front/parser.y"


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
    build_error(b, *at, DIAG_NESTING, "the parser gave up: %s", text);
}
