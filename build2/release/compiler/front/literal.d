build2/release/compiler/front/literal.o: compiler/front/literal.c \
 compiler/front/literal.h compiler/base/diag.h compiler/base/arena.h \
 compiler/base/source.h compiler/base/diag.def compiler/ir/ir_base.h \
 compiler/base/buf.h compiler/base/intern.h compiler/base/vec.h \
 compiler/front/unicode.h
compiler/front/literal.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/vec.h:
compiler/front/unicode.h:
