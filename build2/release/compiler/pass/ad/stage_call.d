build2/release/compiler/pass/ad/stage_call.o: \
 compiler/pass/ad/stage_call.c compiler/front/front.h \
 compiler/base/arena.h compiler/base/diag.h compiler/base/source.h \
 compiler/base/diag.def compiler/base/edit.h compiler/base/vec.h \
 compiler/base/intern.h compiler/front/token.h compiler/ir/ir_base.h \
 compiler/base/buf.h build2/gen/ir_gen.h compiler/pass/ad/stage_call.h \
 compiler/pass/ad/stage_internal.h compiler/base/table.h \
 compiler/pass/ad/elementwise.h compiler/pass/ad/partial.h \
 compiler/pass/ad/term.h compiler/pass/ad/size.h compiler/pass/ad/stage.h \
 compiler/pass/ad/stage_function.def compiler/pass/ad/stage_library.def
compiler/front/front.h:
compiler/base/arena.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/edit.h:
compiler/base/vec.h:
compiler/base/intern.h:
compiler/front/token.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
build2/gen/ir_gen.h:
compiler/pass/ad/stage_call.h:
compiler/pass/ad/stage_internal.h:
compiler/base/table.h:
compiler/pass/ad/elementwise.h:
compiler/pass/ad/partial.h:
compiler/pass/ad/term.h:
compiler/pass/ad/size.h:
compiler/pass/ad/stage.h:
compiler/pass/ad/stage_function.def:
compiler/pass/ad/stage_library.def:
