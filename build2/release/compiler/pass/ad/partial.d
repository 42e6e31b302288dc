build2/release/compiler/pass/ad/partial.o: compiler/pass/ad/partial.c \
 compiler/pass/ad/partial.h compiler/base/intern.h compiler/base/arena.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/buf.h \
 compiler/base/source.h compiler/base/vec.h compiler/base/diag.h \
 compiler/base/diag.def compiler/front/front.h compiler/base/edit.h \
 compiler/front/token.h compiler/ir/free_names.h \
 compiler/pass/ad/partial.def
compiler/pass/ad/partial.h:
compiler/base/intern.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/front/front.h:
compiler/base/edit.h:
compiler/front/token.h:
compiler/ir/free_names.h:
compiler/pass/ad/partial.def:
