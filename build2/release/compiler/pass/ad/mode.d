build2/release/compiler/pass/ad/mode.o: compiler/pass/ad/mode.c \
 compiler/emit/python_control.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/arena.h compiler/base/buf.h compiler/base/intern.h \
 compiler/base/source.h compiler/base/vec.h compiler/front/front.h \
 compiler/base/diag.h compiler/base/diag.def compiler/base/edit.h \
 compiler/front/token.h compiler/pass/ad/mode_internal.h \
 compiler/base/table.h compiler/ir/control.h compiler/pass/ad/ad.h \
 compiler/pass/ad/partial.h compiler/pass/ad/mode.h \
 compiler/pass/ad/mode.def compiler/pass/ad/partial.def
compiler/emit/python_control.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/front/front.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/base/edit.h:
compiler/front/token.h:
compiler/pass/ad/mode_internal.h:
compiler/base/table.h:
compiler/ir/control.h:
compiler/pass/ad/ad.h:
compiler/pass/ad/partial.h:
compiler/pass/ad/mode.h:
compiler/pass/ad/mode.def:
compiler/pass/ad/partial.def:
