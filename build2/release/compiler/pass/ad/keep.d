build2/release/compiler/pass/ad/keep.o: compiler/pass/ad/keep.c \
 compiler/pass/ad/sweep.h compiler/pass/ad/ad.h compiler/base/diag.h \
 compiler/base/arena.h compiler/base/source.h compiler/base/diag.def \
 compiler/base/intern.h compiler/base/table.h compiler/base/vec.h \
 compiler/pass/ad/partial.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/buf.h
compiler/pass/ad/sweep.h:
compiler/pass/ad/ad.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/intern.h:
compiler/base/table.h:
compiler/base/vec.h:
compiler/pass/ad/partial.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
