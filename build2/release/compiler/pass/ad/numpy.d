build2/release/compiler/pass/ad/numpy.o: compiler/pass/ad/numpy.c \
 compiler/pass/ad/numpy.h compiler/pass/ad/term_unit.h \
 compiler/pass/ad/term.h compiler/pass/ad/size.h compiler/base/intern.h \
 compiler/base/arena.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/buf.h compiler/base/source.h compiler/base/vec.h \
 compiler/base/table.h compiler/pass/ad/simplify.h \
 compiler/pass/ad/numpy_helper.def
compiler/pass/ad/numpy.h:
compiler/pass/ad/term_unit.h:
compiler/pass/ad/term.h:
compiler/pass/ad/size.h:
compiler/base/intern.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/base/table.h:
compiler/pass/ad/simplify.h:
compiler/pass/ad/numpy_helper.def:
