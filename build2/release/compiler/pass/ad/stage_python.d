build2/release/compiler/pass/ad/stage_python.o: \
 compiler/pass/ad/stage_python.c compiler/pass/ad/bulk.h \
 compiler/pass/ad/term.h compiler/pass/ad/size.h compiler/base/intern.h \
 compiler/base/arena.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/buf.h compiler/base/source.h compiler/base/vec.h \
 compiler/pass/ad/gradient.h compiler/pass/ad/delta.h \
 compiler/pass/ad/elementwise.h compiler/pass/ad/partial.h \
 compiler/pass/ad/loop.h compiler/pass/ad/simplify.h \
 compiler/pass/ad/stage_call.h compiler/pass/ad/stage_internal.h \
 compiler/base/table.h compiler/pass/ad/stage.h compiler/base/diag.h \
 compiler/base/diag.def compiler/pass/ad/stage_function.def
compiler/pass/ad/bulk.h:
compiler/pass/ad/term.h:
compiler/pass/ad/size.h:
compiler/base/intern.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/pass/ad/gradient.h:
compiler/pass/ad/delta.h:
compiler/pass/ad/elementwise.h:
compiler/pass/ad/partial.h:
compiler/pass/ad/loop.h:
compiler/pass/ad/simplify.h:
compiler/pass/ad/stage_call.h:
compiler/pass/ad/stage_internal.h:
compiler/base/table.h:
compiler/pass/ad/stage.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/pass/ad/stage_function.def:
