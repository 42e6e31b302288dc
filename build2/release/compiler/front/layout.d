build2/release/compiler/front/layout.o: compiler/front/layout.c \
 compiler/front/token.h compiler/base/diag.h compiler/base/arena.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/intern.h \
 compiler/ir/ir_base.h compiler/base/buf.h compiler/base/vec.h \
 build2/gen/parser.h
compiler/front/token.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/intern.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/vec.h:
build2/gen/parser.h:
