build2/release/compiler/pass/ad/array_nest.o: \
 compiler/pass/ad/array_nest.c compiler/pass/ad/array_program_internal.h \
 compiler/base/table.h compiler/base/arena.h \
 compiler/pass/ad/array_program.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/diag.def \
 compiler/emit/kernel/kernel.h compiler/base/intern.h \
 compiler/emit/module_text.h compiler/base/buf.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/vec.h compiler/pass/ad/gradient.h \
 compiler/pass/ad/delta.h compiler/pass/ad/elementwise.h \
 compiler/pass/ad/partial.h compiler/pass/ad/term.h \
 compiler/pass/ad/size.h compiler/pass/ad/numpy.h \
 compiler/pass/ad/term_unit.h compiler/pass/ad/stage.h \
 compiler/pass/ad/loop.h compiler/pass/ad/nest.h
compiler/pass/ad/array_program_internal.h:
compiler/base/table.h:
compiler/base/arena.h:
compiler/pass/ad/array_program.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/emit/kernel/kernel.h:
compiler/base/intern.h:
compiler/emit/module_text.h:
compiler/base/buf.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/vec.h:
compiler/pass/ad/gradient.h:
compiler/pass/ad/delta.h:
compiler/pass/ad/elementwise.h:
compiler/pass/ad/partial.h:
compiler/pass/ad/term.h:
compiler/pass/ad/size.h:
compiler/pass/ad/numpy.h:
compiler/pass/ad/term_unit.h:
compiler/pass/ad/stage.h:
compiler/pass/ad/loop.h:
compiler/pass/ad/nest.h:
