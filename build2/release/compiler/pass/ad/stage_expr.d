build2/release/compiler/pass/ad/stage_expr.o: \
 compiler/pass/ad/stage_expr.c compiler/pass/ad/stage_internal.h \
 compiler/base/table.h compiler/base/arena.h \
 compiler/pass/ad/elementwise.h compiler/pass/ad/partial.h \
 compiler/base/intern.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/buf.h compiler/base/source.h compiler/base/vec.h \
 compiler/pass/ad/term.h compiler/pass/ad/size.h compiler/pass/ad/stage.h \
 compiler/base/diag.h compiler/base/diag.def
compiler/pass/ad/stage_internal.h:
compiler/base/table.h:
compiler/base/arena.h:
compiler/pass/ad/elementwise.h:
compiler/pass/ad/partial.h:
compiler/base/intern.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/pass/ad/term.h:
compiler/pass/ad/size.h:
compiler/pass/ad/stage.h:
compiler/base/diag.h:
compiler/base/diag.def:
