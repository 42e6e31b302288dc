build2/release/compiler/pass/ad/mode_names.o: \
 compiler/pass/ad/mode_names.c compiler/pass/ad/mode_internal.h \
 compiler/base/table.h compiler/base/arena.h compiler/ir/control.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/buf.h \
 compiler/base/intern.h compiler/base/source.h compiler/base/vec.h \
 compiler/pass/ad/ad.h compiler/base/diag.h compiler/base/diag.def \
 compiler/pass/ad/partial.h compiler/pass/ad/mode.h \
 compiler/pass/ad/mode.def
compiler/pass/ad/mode_internal.h:
compiler/base/table.h:
compiler/base/arena.h:
compiler/ir/control.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/pass/ad/ad.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/pass/ad/partial.h:
compiler/pass/ad/mode.h:
compiler/pass/ad/mode.def:
