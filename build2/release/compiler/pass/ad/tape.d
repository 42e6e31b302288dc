build2/release/compiler/pass/ad/tape.o: compiler/pass/ad/tape.c \
 compiler/emit/python.h compiler/base/buf.h compiler/base/arena.h \
 compiler/base/source.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/intern.h compiler/base/vec.h compiler/pass/ad/ad.h \
 compiler/base/diag.h compiler/base/diag.def compiler/base/table.h \
 compiler/pass/ad/partial.h compiler/pass/ad/diff.h compiler/pass/pass.h \
 compiler/base/loader.h compiler/pass/pass.def
compiler/emit/python.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/source.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/vec.h:
compiler/pass/ad/ad.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/base/table.h:
compiler/pass/ad/partial.h:
compiler/pass/ad/diff.h:
compiler/pass/pass.h:
compiler/base/loader.h:
compiler/pass/pass.def:
