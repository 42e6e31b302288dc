build2/release/compiler/pass/amend.o: compiler/pass/amend.c \
 compiler/pass/amend.h compiler/pass/pass.h compiler/base/diag.h \
 compiler/base/arena.h compiler/base/source.h compiler/base/diag.def \
 compiler/base/intern.h compiler/base/loader.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/buf.h compiler/base/vec.h \
 compiler/pass/pass.def compiler/base/edit.h compiler/front/front.h \
 compiler/front/token.h
compiler/pass/amend.h:
compiler/pass/pass.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/intern.h:
compiler/base/loader.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/vec.h:
compiler/pass/pass.def:
compiler/base/edit.h:
compiler/front/front.h:
compiler/front/token.h:
