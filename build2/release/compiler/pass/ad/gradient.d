build2/release/compiler/pass/ad/gradient.o: compiler/pass/ad/gradient.c \
 compiler/pass/ad/gradient.h compiler/pass/ad/delta.h \
 compiler/pass/ad/elementwise.h compiler/pass/ad/partial.h \
 compiler/base/intern.h compiler/base/arena.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/buf.h compiler/base/source.h \
 compiler/base/vec.h compiler/pass/ad/term.h compiler/pass/ad/size.h \
 compiler/base/table.h compiler/pass/ad/simplify.h
compiler/pass/ad/gradient.h:
compiler/pass/ad/delta.h:
compiler/pass/ad/elementwise.h:
compiler/pass/ad/partial.h:
compiler/base/intern.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/pass/ad/term.h:
compiler/pass/ad/size.h:
compiler/base/table.h:
compiler/pass/ad/simplify.h:
