build2/release/compiler/front/encode.o: compiler/front/encode.c \
 compiler/base/buf.h compiler/base/arena.h compiler/front/front.h \
 compiler/base/diag.h compiler/base/source.h compiler/base/diag.def \
 compiler/base/edit.h compiler/base/vec.h compiler/base/intern.h \
 compiler/front/token.h compiler/ir/ir_base.h build2/gen/ir_gen.h
compiler/base/buf.h:
compiler/base/arena.h:
compiler/front/front.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/edit.h:
compiler/base/vec.h:
compiler/base/intern.h:
compiler/front/token.h:
compiler/ir/ir_base.h:
build2/gen/ir_gen.h:
