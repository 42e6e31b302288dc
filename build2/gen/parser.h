/* A Bison parser, made by GNU Bison 3.8.2.  */

/* Bison interface for Yacc-like parsers in C

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

/* DO NOT RELY ON FEATURES THAT ARE NOT DOCUMENTED in the manual,
   especially those whose name start with YY_ or yy_.  They are
   private implementation details that can be changed or removed.  */

#ifndef YY_GRAMMAR_BUILD2_GEN_PARSER_H_INCLUDED
# define YY_GRAMMAR_BUILD2_GEN_PARSER_H_INCLUDED
/* Debug traces.  */
#ifndef GRAMMAR_DEBUG
# if defined YYDEBUG
#if YYDEBUG
#   define GRAMMAR_DEBUG 1
#  else
#   define GRAMMAR_DEBUG 0
#  endif
# else /* ! defined YYDEBUG */
#  define GRAMMAR_DEBUG 0
# endif /* ! defined YYDEBUG */
#endif  /* ! defined GRAMMAR_DEBUG */
#if GRAMMAR_DEBUG
extern int grammar_debug;
#endif
/* "%code requires" blocks.  */
#line 26 "compiler/front/parser.y"

#include "compiler/base/source.h"

struct Build;

#line 63 "build2/gen/parser.h"

/* Token kinds.  */
#ifndef GRAMMAR_TOKENTYPE
# define GRAMMAR_TOKENTYPE
  enum grammar_tokentype
  {
    TOK_GRAMMAR_EMPTY = -2,
    TOK_END = 0,                   /* "end of file"  */
    TOK_GRAMMAR_error = 256,       /* error  */
    TOK_GRAMMAR_UNDEF = 257,       /* "invalid token"  */
    TOK_NEWLINE = 258,             /* "end of line"  */
    TOK_INDENT = 259,              /* "indented block"  */
    TOK_DEDENT = 260,              /* "end of block"  */
    TOK_ERROR = 261,               /* ERROR  */
    TOK_NAME = 262,                /* "name"  */
    TOK_NUMBER = 263,              /* "number"  */
    TOK_STRING = 264,              /* "string"  */
    TOK_FSTRING_START = 265,       /* FSTRING_START  */
    TOK_FSTRING_END = 266,         /* FSTRING_END  */
    TOK_FSTRING_MIDDLE = 267,      /* FSTRING_MIDDLE  */
    TOK_FSTRING_LBRACE = 268,      /* FSTRING_LBRACE  */
    TOK_FSTRING_BANG = 269,        /* FSTRING_BANG  */
    TOK_FSTRING_EQUAL = 270,       /* FSTRING_EQUAL  */
    TOK_FSTRING_RBRACE = 271,      /* "}f"  */
    TOK_FSTRING_COLON = 272,       /* ":f"  */
    TOK_MATCH = 273,               /* "match"  */
    TOK_CASE = 274,                /* "case"  */
    TOK_TYPE = 275,                /* "type"  */
    TOK_FALSE = 276,               /* "False"  */
    TOK_NONE = 277,                /* "None"  */
    TOK_TRUE = 278,                /* "True"  */
    TOK_AND = 279,                 /* "and"  */
    TOK_AS = 280,                  /* "as"  */
    TOK_ASSERT = 281,              /* "assert"  */
    TOK_ASYNC = 282,               /* "async"  */
    TOK_AWAIT = 283,               /* "await"  */
    TOK_BREAK = 284,               /* "break"  */
    TOK_CLASS = 285,               /* "class"  */
    TOK_CONTINUE = 286,            /* "continue"  */
    TOK_DEF = 287,                 /* "def"  */
    TOK_DEL = 288,                 /* "del"  */
    TOK_ELIF = 289,                /* "elif"  */
    TOK_ELSE = 290,                /* "else"  */
    TOK_EXCEPT = 291,              /* "except"  */
    TOK_FINALLY = 292,             /* "finally"  */
    TOK_FOR = 293,                 /* "for"  */
    TOK_FROM = 294,                /* "from"  */
    TOK_GLOBAL = 295,              /* "global"  */
    TOK_IF = 296,                  /* "if"  */
    TOK_IMPORT = 297,              /* "import"  */
    TOK_IN = 298,                  /* "in"  */
    TOK_IS = 299,                  /* "is"  */
    TOK_LAMBDA = 300,              /* "lambda"  */
    TOK_NONLOCAL = 301,            /* "nonlocal"  */
    TOK_NOT = 302,                 /* "not"  */
    TOK_OR = 303,                  /* "or"  */
    TOK_PASS = 304,                /* "pass"  */
    TOK_RAISE = 305,               /* "raise"  */
    TOK_RETURN = 306,              /* "return"  */
    TOK_TRY = 307,                 /* "try"  */
    TOK_WHILE = 308,               /* "while"  */
    TOK_WITH = 309,                /* "with"  */
    TOK_YIELD = 310,               /* "yield"  */
    TOK_LPAR = 311,                /* "("  */
    TOK_RPAR = 312,                /* ")"  */
    TOK_LSQB = 313,                /* "["  */
    TOK_RSQB = 314,                /* "]"  */
    TOK_LBRACE = 315,              /* "{"  */
    TOK_RBRACE = 316,              /* "}"  */
    TOK_COLON = 317,               /* ":"  */
    TOK_COMMA = 318,               /* ","  */
    TOK_SEMI = 319,                /* ";"  */
    TOK_DOT = 320,                 /* "."  */
    TOK_ELLIPSIS = 321,            /* "..."  */
    TOK_ARROW = 322,               /* "->"  */
    TOK_AT = 323,                  /* "@"  */
    TOK_EQUAL = 324,               /* "="  */
    TOK_COLONEQUAL = 325,          /* ":="  */
    TOK_PLUS = 326,                /* "+"  */
    TOK_MINUS = 327,               /* "-"  */
    TOK_STAR = 328,                /* "*"  */
    TOK_SLASH = 329,               /* "/"  */
    TOK_DOUBLESLASH = 330,         /* "//"  */
    TOK_PERCENT = 331,             /* "%"  */
    TOK_DOUBLESTAR = 332,          /* "**"  */
    TOK_VBAR = 333,                /* "|"  */
    TOK_AMPER = 334,               /* "&"  */
    TOK_CIRCUMFLEX = 335,          /* "^"  */
    TOK_TILDE = 336,               /* "~"  */
    TOK_LEFTSHIFT = 337,           /* "<<"  */
    TOK_RIGHTSHIFT = 338,          /* ">>"  */
    TOK_LESS = 339,                /* "<"  */
    TOK_GREATER = 340,             /* ">"  */
    TOK_LESSEQUAL = 341,           /* "<="  */
    TOK_GREATEREQUAL = 342,        /* ">="  */
    TOK_EQEQUAL = 343,             /* "=="  */
    TOK_NOTEQUAL = 344,            /* "!="  */
    TOK_PLUSEQUAL = 345,           /* "+="  */
    TOK_MINEQUAL = 346,            /* "-="  */
    TOK_STAREQUAL = 347,           /* "*="  */
    TOK_SLASHEQUAL = 348,          /* "/="  */
    TOK_DOUBLESLASHEQUAL = 349,    /* "//="  */
    TOK_PERCENTEQUAL = 350,        /* "%="  */
    TOK_DOUBLESTAREQUAL = 351,     /* "**="  */
    TOK_ATEQUAL = 352,             /* "@="  */
    TOK_AMPEREQUAL = 353,          /* "&="  */
    TOK_VBAREQUAL = 354,           /* "|="  */
    TOK_CIRCUMFLEXEQUAL = 355,     /* "^="  */
    TOK_LEFTSHIFTEQUAL = 356,      /* "<<="  */
    TOK_RIGHTSHIFTEQUAL = 357,     /* ">>="  */
    TOK_WITH_LPAR = 358,           /* "(with"  */
    TOK_SIGN = 359                 /* SIGN  */
  };
  typedef enum grammar_tokentype grammar_token_kind_t;
#endif

/* Value type.  */
#if ! defined GRAMMAR_STYPE && ! defined GRAMMAR_STYPE_IS_DECLARED
union GRAMMAR_STYPE
{
#line 32 "compiler/front/parser.y"

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

#line 216 "build2/gen/parser.h"

};
typedef union GRAMMAR_STYPE GRAMMAR_STYPE;
# define GRAMMAR_STYPE_IS_TRIVIAL 1
# define GRAMMAR_STYPE_IS_DECLARED 1
#endif

/* Location type.  */
typedef Span GRAMMAR_LTYPE;




int grammar_parse (struct Build *b);


#endif /* !YY_GRAMMAR_BUILD2_GEN_PARSER_H_INCLUDED  */
