build2/release/gen/lexer.o: build2/gen/lexer.c \
 compiler/front/lexer_internal.h compiler/front/literal.h \
 compiler/base/diag.h compiler/base/arena.h compiler/base/source.h \
 compiler/base/diag.def compiler/ir/ir_base.h compiler/base/buf.h \
 compiler/base/intern.h compiler/base/vec.h compiler/front/token.h \
 build2/gen/parser.h
compiler/front/lexer_internal.h:
compiler/front/literal.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/vec.h:
compiler/front/token.h:
build2/gen/parser.h:
