build2/release/compiler/pass/ad/diff.o: compiler/pass/ad/diff.c \
 compiler/pass/ad/diff.h compiler/pass/pass.h compiler/base/diag.h \
 compiler/base/arena.h compiler/base/source.h compiler/base/diag.def \
 compiler/base/intern.h compiler/base/loader.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/buf.h compiler/base/vec.h \
 compiler/pass/pass.def compiler/pass/ad/prune.h compiler/pass/ad/sweep.h \
 compiler/pass/ad/ad.h compiler/base/table.h compiler/pass/ad/partial.h
compiler/pass/ad/diff.h:
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
compiler/pass/ad/prune.h:
compiler/pass/ad/sweep.h:
compiler/pass/ad/ad.h:
compiler/base/table.h:
compiler/pass/ad/partial.h:
