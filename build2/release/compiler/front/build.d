build2/release/compiler/front/build.o: compiler/front/build.c \
 compiler/front/build.h compiler/base/diag.h compiler/base/arena.h \
 compiler/base/source.h compiler/base/diag.def compiler/front/token.h \
 compiler/base/intern.h compiler/ir/ir_base.h compiler/base/buf.h \
 compiler/base/vec.h build2/gen/ir_gen.h compiler/front/front.h \
 compiler/base/edit.h build2/gen/parser.h
compiler/front/build.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/front/token.h:
compiler/base/intern.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/vec.h:
build2/gen/ir_gen.h:
compiler/front/front.h:
compiler/base/edit.h:
build2/gen/parser.h:
